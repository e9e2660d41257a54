#!/usr/bin/env bash
# Runs Workers over real processes, ends some of them, and compares the result with linkcheck's.
set -euo pipefail
cd "$(dirname "$0")/../.."

swift build -q --product workers
swift build -q --product linkcheck
products=$(swift build --show-bin-path)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for number in $(seq 200); do
  printf '# Title %d\n\n[a](%d.md) [b](gone.md) [c](1.md#title-1) [d](#nowhere)\n' \
    "$number" "$number" >"$folder/$number.md"
done
status=0
"$products/linkcheck" "$folder" --json >"$folder/expected" || status=$?
[ "$status" -eq 1 ]

# Runs workers, which must exit with the status passed first.
expect_status() {
  local expected=$1 status=0
  shift
  timeout 300 "$products/workers" "$@" >"$folder/actual" 2>"$folder/errors" || status=$?
  [ "$status" -eq "$expected" ] || { cat "$folder/errors"; echo "status $status: $*"; exit 1; }
}

echo "workers: the result is linkcheck's, byte for byte"
for processes in 1 4; do
  expect_status 1 "$folder" --json --processes "$processes"
  cmp "$folder/expected" "$folder/actual"
done

echo "workers: the result is the same when workers crash, and the same workers crash for a seed"
for run in 1 2; do
  expect_status 1 "$folder" --json --processes 4 --crashes 10 --seed 7 --log --tenant 'Acme & Söhne'
  cmp "$folder/expected" "$folder/actual"
  grep -o 'checked .*' "$folder/errors" | sort >"$folder/checked-$run"
done
cmp "$folder/checked-1" "$folder/checked-2"
[ "$(wc -l <"$folder/checked-1")" -gt 200 ]

echo "workers: every process knows the tenant"
[ "$(grep -c '^Acme & Söhne: [0-9]* checked ' "$folder/errors")" -eq "$(wc -l <"$folder/checked-1")" ]

echo "workers: a process that is killed loses nothing"
mkfifo "$folder/log"
"$products/workers" "$folder" --json --processes 3 --log >"$folder/actual" 2>"$folder/log" &
main=$!
killed=0
while read -r _ process _; do
  # Kill each of the first processes that log a checked file, while others continue.
  if [ "$killed" -lt 5 ] && kill -9 "$process" 2>/dev/null; then killed=$((killed + 1)); fi
done <"$folder/log"
status=0
wait "$main" || status=$?
[ "$status" -eq 1 ] && [ "$killed" -eq 5 ]
cmp "$folder/expected" "$folder/actual"

echo "workers: at the deadline, all workers stop"
expect_status 130 "$folder" --json --deadline 0
grep -q '"interrupted":true' "$folder/actual"

echo "workers: a bad option is an error"
expect_status 2 --processes 0
grep -q '^workers: --processes needs a number from 1 to 64' "$folder/errors"
