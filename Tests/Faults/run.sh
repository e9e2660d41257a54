#!/usr/bin/env bash
# Proves that the random programs and stores can fail: each fault here, put into the library, must be
# found within 10,000 of them, and shrunk. The first line of a fault may name other tests than those
# of random programs, as `# filter: RandomStore`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$root/Sources" "$copy/Sources"
mkdir "$copy/Tests"
needed='ComposableDependencies|ComposableEnvironment|GlobalEnvironment|ComposableReducers|ComposableTesting'
for target in AllocationCounter MutexAnnotations TestSupport RandomProgramTests RandomStoreTests; do
  cp -R "$root/Tests/$target" "$copy/Tests/$target"
  needed="$needed|$target"
done
# No products, and no targets but those that are needed.
awk -v needed="\"($needed)\"" '
  /^  products: \[/ { skipping = 1 }
  skipping { if (/^  \],/) skipping = 0; next }
  /^    \.[a-zA-Z]*\(name: / { split($0, part, ","); if (part[1] !~ needed) next; if (/\),$/) { print; next } }
  /^    \.[a-zA-Z]*\($/ { block = $0; inside = 1; next }
  inside == 1 { block = block "\n" $0; inside = ($0 ~ needed) ? 2 : 3; if (inside == 2) print block; next }
  inside { if (inside == 2) print; if (/^    \),$/) inside = 0; next }
  { print }
' "$root/Package.swift" >"$copy/Package.swift"

log=$copy/log
run() { "$@" >"$log" 2>&1; }
fail() {
  printf 'FAILED: %s\n' "$1" >&2
  tail -n 60 "$log" >&2
  exit 1
}

for patch in "$here"/*.patch; do
  fault=$(basename "$patch" .patch)
  filter=$(sed -n '1s/^# filter: //p' "$patch")
  begin=$SECONDS
  (cd "$copy" && run git apply "$patch") || fail "$fault no longer applies"
  run swift build --build-tests --package-path "$copy" || fail "$fault does not build"
  if PROGRAMS=10000 run swift test --skip-build --package-path "$copy" \
    --filter "${filter:-RandomProgram}"; then
    fail "$fault is not found"
  fi
  grep -q 'The smallest program that fails' "$log" || fail "$fault is not found by a program"
  printf '\n%s: found (%d s)\n' "$fault" "$((SECONDS - begin))"
  sed -n '/The smallest program that fails/,/^  }/p' "$log" | sed '1d' | head -n 40
  (cd "$copy" && git apply -R "$patch")
done
