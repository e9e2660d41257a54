#!/usr/bin/env bash
# Resolves README's manifest, and converts the documentation of every library. Fails on a warning, on a
# public symbol without a comment, and on a type or a function that its library's page lists under no
# topic.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The manifest stands beside a clone, as README says. Its products must exist.
beside=$(mktemp -d)
trap 'rm -r "$beside"' EXIT
mkdir -p "$beside"/MyApp/{Sources/MyApp,Tests/MyAppTests}
touch "$beside"/MyApp/{Sources/MyApp,Tests/MyAppTests}/File.swift
ln -s "$PWD" "$beside/swift-composable-environment"
awk '/^```/ { inside = 0 } inside; /^```text/ { inside = 1 }' README.md >"$beside/MyApp/Package.swift"
swift package --package-path "$beside/MyApp" show-dependencies

swift build
modules=$(swift build --show-bin-path)/Modules
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",/\1/p')
output=.build/documentation
rm -rf "$output"

# Each alone, as an index of packages converts them: a page links to another library's by its path.
for folder in Sources/*/; do
  library=$(basename "$folder")
  graphs=$output/$library.symbolgraphs
  mkdir -p "$graphs"
  swift symbolgraph-extract -module-name "$library" -I "$modules" -target "$target" \
    -minimum-access-level public -emit-extension-block-symbols -skip-synthesized-members \
    -skip-inherited-docs -output-dir "$graphs"
  docc convert "Sources/$library/$library.docc" --additional-symbol-graph-dir "$graphs" \
    --output-dir "$output/$library.doccarchive" --fallback-display-name "$library" \
    --fallback-bundle-identifier "swift-composable-environment.$library" \
    --warnings-as-errors
done

swift Tests/Documentation/check.swift "$output"
