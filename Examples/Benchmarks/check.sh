#!/usr/bin/env bash
# Runs the benchmarks that have limits, and checks the output and the errors of the program.
set -euo pipefail
cd "$(dirname "$0")/../.."

swift build -q --product benchmarks
swift build -q -c release --product benchmarks
unoptimized="$(swift build --show-bin-path)/benchmarks"
benchmarks="$(swift build -c release --show-bin-path)/benchmarks"

# Runs the program, which must exit with the status passed first.
expect_status() {
  local expected=$1 status=0
  shift
  output=$("$benchmarks" "$@" 2>&1) || status=$?
  [ "$status" -eq "$expected" ] || { echo "$output"; echo "status $status: $*"; exit 1; }
}

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Ratios depend on the processor: atomic operations cost more on one, allocations on another. They
# also vary between processes, with the addresses of keys and with the cores that threads run on. So a
# row is beyond its limit only if it is by half in three processes. A lock, an allocation or a look-up
# too many still shows, and blocks have no allowance. A row that had no processor is measured again, too.
check_limits() { # the program
  local names="" process status # all rows
  for process in 1 2 3; do
    status=0
    # shellcheck disable=SC2086 # names are words
    "$1" $names --quick --check --allowance 1.5 2>"$folder/errors" || status=$?
    cat "$folder/errors"
    [ "$status" -eq 1 ] || break
    names=$(sed -nE "s/^benchmarks: ([^ ]*) (exceeds its limit|can't be trusted).*/\1/p" "$folder/errors")
    [ -n "$names" ] || break
  done
  [ "$status" -eq 0 ]
}

echo "benchmarks: every row is within its limit, plus half of it for another processor"
check_limits "$benchmarks"
check_limits "$unoptimized"

echo "benchmarks: a name means a benchmark or a group"
expect_status 0 --list limits/enter effects
[ "$(grep -c '^limits/enter ' <<<"$output")" -eq 1 ]
[ "$(grep -c '^effects/' <<<"$output")" -ge 4 ]
[ "$(grep -cv '^limits/enter \|^effects/' <<<"$output")" -eq 0 ]
expect_status 2 nothing
grep -q '^benchmarks: no benchmark is named nothing; --list prints the names' <<<"$output"

echo "benchmarks: a bad option is an error"
for options in --quickly '--allowance 0' '--allowance'; do
  expect_status 2 $options
  grep -q '^benchmarks: .*--' <<<"$output"
done
