#!/usr/bin/env bash
# Compiles each file here like a client of the package, and expects exactly the errors that
# comments `// error: …` announce for the line below them. `Compiles.swift` announces none, and is
# compiled with each of the others, apart from those with flags.
set -euo pipefail
cd "$(dirname "$0")/../../.."

swift build --target ComposableTesting
swift build --target DependencyCarriers
swift build --target ComposableResources
products=$(swift build --show-bin-path)
module=$(find "$products" -name ComposableTesting.swiftmodule -print -quit)
[ -n "$module" ] || { echo "no modules in $products" >&2; exit 1; }

# The package's own settings, so that a client that enables them gets the same errors.
features=$(sed -n '/^let settings/,/^]/p' Package.swift |
  sed -n 's/.*enableUpcomingFeature("\([A-Za-z]*\)").*/-enable-upcoming-feature \1/p')

# The errors that a file announces. An announcement continues in the comments below it.
announced() {
  awk '
    /^ *\/\/ error: / { sub(/^ *\/\/ /, ""); texts[++count] = $0; next }
    count && /^ *\/\/ / { sub(/^ *\/\/ */, ""); texts[count] = texts[count] " " $0; next }
    { for (; count; count--) print NR ": " texts[count] }
  ' "$1" | sort -u
}

# The errors that the compiler reports for a file, by line. It repeats those in a macro's arguments
# for the code that the macro expands to.
found() {
  flags=$(sed -n 's/^\/\/ flags: //p' "$1")
  files=("$1")
  [ -n "$flags" ] || [ "$1" = "$declarations" ] || files+=("$declarations")
  # shellcheck disable=SC2086 # features and flags are words
  if output=$(swiftc -emit-sil -wmo -o /dev/null -module-name Client -parse-as-library \
    -swift-version 6 -strict-memory-safety $features $flags -I "$(dirname "$module")" \
    -diagnostic-style llvm "${files[@]}" 2>&1); then echo "compiles"; fi
  sed -nE '/^[^ ]*@__swiftmacro_/d; s/^[^ ]*:([0-9]+):[0-9]+: ((error|warning): .*[^ ]) *$/\1: \2/p; s/^(<unknown>.*)/\1/p' \
    <<<"$output" | sort -u
}

declarations=Tests/Clients/MustNotCompile/Compiles.swift
checked=0
failed=0
for file in Tests/Clients/MustNotCompile/*.swift Tests/Clients/MustNotCompile/Limits/*.swift; do
  expected=$(announced "$file")
  [ "$(basename "$file")" != Compiles.swift ] || expected="compiles"
  actual=$(found "$file")
  checked=$((checked + 1))
  if [ -z "$expected" ] || [ "$expected" != "$actual" ]; then
    printf 'FAILED: %s\n--- announced\n%s\n--- found\n%s\n' "$file" "$expected" "$actual" >&2
    failed=$((failed + 1))
  fi
done
printf '%d files compiled, %d not as announced\n' "$checked" "$failed"
[ "$failed" = 0 ]
