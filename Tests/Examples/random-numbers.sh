#!/usr/bin/env bash
# Runs RandomNumbers with a seed, and compares its output.
set -euo pipefail
cd "$(dirname "$0")/../.."

for run in first second; do
  echo "random-numbers: the $run run with a seed prints what is expected"
  swift run -q random-numbers --seed 1 | diff Tests/Examples/random-numbers-seed-1.txt -
done

echo "random-numbers: a bad option is an error"
status=0
errors=$(swift run -q random-numbers --sed 1 2>&1 >/dev/null) || status=$?
[ "$status" -eq 2 ]
grep -q '^random-numbers: unknown option --sed' <<<"$errors"
