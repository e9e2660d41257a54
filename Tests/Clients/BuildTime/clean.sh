#!/usr/bin/env bash
# Measures a clean release build of a one-line program that imports the core, beside one that imports
# nothing.
# Usage: bash Tests/Clients/BuildTime/clean.sh [MODULE]
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
module=${1:-ComposableDependencies}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

program() { # name, the package's dependencies, the target's, code
  mkdir -p "$folder/$1/Sources/program"
  echo "$4" >"$folder/$1/Sources/program/main.swift"
  cat >"$folder/$1/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "program", platforms: [.macOS(.v15)], dependencies: [$2],
  targets: [.executableTarget(name: "program", dependencies: [$3])])
MANIFEST
  swift package --package-path "$folder/$1" resolve >"$folder/log" 2>&1
  echo -n "$1: "
  TIMEFORMAT='%U s and %S s of processor time'
  time swift build -c release --package-path "$folder/$1" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
}

program plain '' '' 'print(1)'
program "with-$module" ".package(path: \"$root\")" \
  ".product(name: \"$module\", package: \"$(basename "$root")\")" \
  "import $module; print(1)"
