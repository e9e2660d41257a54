#!/usr/bin/env bash
# Proves that the random programs and stores can fail: each fault here, put into the library, must be
# found within 10,000 of them, and shrunk. `store-*.patch` are for the stores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT

# The library with one target of tests, and without products and what they do not need.
copy_library() { # where, the tests
  mkdir -p "$1/Tests"
  cp -R "$root/Sources" "$1/Sources"
  local needed='ComposableDependencies|ComposableEnvironment|GlobalEnvironment|ComposableReducers|ComposableTesting'
  local target
  for target in AllocationCounter MutexAnnotations TestSupport "$2"; do
    cp -R "$root/Tests/$target" "$1/Tests/$target"
    needed="$needed|$target"
  done
  awk -v needed="\"($needed)\"" '
    /^  products: \[/ { skipping = 1 }
    skipping { if (/^  \],/) skipping = 0; next }
    /^    \.[a-zA-Z]*\(name: / { split($0, part, ","); if (part[1] !~ needed) next; if (/\),$/) { print; next } }
    /^    \.[a-zA-Z]*\($/ { block = $0; inside = 1; next }
    inside == 1 { block = block "\n" $0; inside = ($0 ~ needed) ? 2 : 3; if (inside == 2) print block; next }
    inside { if (inside == 2) print; if (/^    \),$/) inside = 0; next }
    { print }
  ' "$root/Package.swift" >"$1/Package.swift"
}

fail() { # what, a log
  printf 'FAILED: %s\n' "$1" >&2
  tail -n 60 "$2" >&2
  exit 1
}

find_faults() { # the tests, patches
  local copy=$copies/$1 log=$copies/$1/log patch fault begin
  copy_library "$copy" "$1"
  shift
  for patch in "$@"; do
    fault=$(basename "$patch" .patch)
    begin=$SECONDS
    (cd "$copy" && git apply "$patch") >"$log" 2>&1 || fail "$fault no longer applies" "$log"
    swift build --build-tests --package-path "$copy" >"$log" 2>&1 ||
      fail "$fault does not build" "$log"
    if PROGRAMS=10000 swift test --skip-build --package-path "$copy" >"$log" 2>&1; then
      fail "$fault is not found" "$log"
    fi
    grep -q 'The smallest program that fails' "$log" ||
      fail "$fault is not found by a program" "$log"
    printf '\n%s: found (%d s)\n%s\n' "$fault" "$((SECONDS - begin))" \
      "$(sed -n '/The smallest program that fails/,/^  }$\|^✘/p' "$log" | grep '^  ' | head -n 40)"
    (cd "$copy" && git apply -R "$patch")
  done
}

core=()
for patch in "$here"/*.patch; do
  [[ $patch == */store-* ]] || core+=("$patch")
done
# At the same time, because a build is mostly one module after the other.
find_faults RandomProgramTests "${core[@]}" &
programs=$!
find_faults RandomStoreTests "$here"/store-*.patch &
stores=$!
failures=0
wait "$programs" || failures=1
wait "$stores" || failures=1
exit "$failures"
