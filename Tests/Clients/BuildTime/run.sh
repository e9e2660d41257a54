#!/usr/bin/env bash
# Measures the time to compile a client, beside the same client with plain properties.
# Usage: bash Tests/Clients/BuildTime/run.sh [ENVIRONMENTS]
# A client has 100 structs, or as many as you pass, each with ten dependencies of its own.
set -euo pipefail
cd "$(dirname "$0")/../../.."

environments=${1:-100}
swift build -q -c release --target ComposableDependencies
modules="$(swift build -c release --show-bin-path)/Modules"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Prints a struct and its ten dependencies.
dependencies() {
  local first=$((10 * $1)) number
  echo 'import ComposableDependencies'
  for ((number = first; number < first + 10; number++)); do
    echo "enum Key$number: DependencyKey { static let defaultValue = $number }"
    echo 'extension Dependencies {'
    echo "  var value$number: Int { get { self[Key$number.self] } set { self[Key$number.self] = newValue } }"
    echo '}'
  done
  echo "struct Feature$1 {"
  for ((number = first; number < first + 10; number++)); do
    echo "  @Dependency(\\.value$number) var value$number"
  done
  total "$first"
  echo "public func run$1() -> Int {"
  echo "  withDependencies { \$0.value$first = 1 } operation: { Feature$1().total }"
  echo '}'
}

# Prints a struct with ten plain properties.
properties() {
  local first=$((10 * $1)) number
  echo "struct Feature$1 {"
  for ((number = first; number < first + 10; number++)); do echo "  var value$number = $number"; done
  total "$first"
  echo "public func run$1() -> Int { Feature$1(value$first: 1).total }"
}

# Prints the sum of ten values, and the end of the struct.
total() {
  local number sum="value$1"
  for ((number = $1 + 1; number < $1 + 10; number++)); do sum+=" + value$number"; done
  echo "  var total: Int { $sum }"
  echo '}'
}

TIMEFORMAT='%U s of processor time'
for kind in dependencies properties; do
  mkdir "$folder/$kind"
  for ((number = 0; number < environments; number++)); do
    "$kind" "$number" >"$folder/$kind/Feature$number.swift"
  done
  echo -n "$environments structs with ten $kind each: "
  time swiftc -O -whole-module-optimization -swift-version 6 -parse-as-library -module-name Client \
    -I "$modules" -c "$folder/$kind"/*.swift -o "$folder/$kind.o"
done
