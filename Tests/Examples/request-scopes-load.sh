#!/usr/bin/env bash
# Runs RequestScopes under load and ThreadSanitizer: no race, no leak between requests, flat memory.
# Takes the seconds and the number of requests at the same time, 20 and 200 if not given.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-20}
concurrency=${2:-200}

echo "request-scopes: $seconds seconds with $concurrency requests at a time, under ThreadSanitizer"
status=0
actual=$(TSAN_OPTIONS=halt_on_error=1 swift run -q --sanitize=thread --scratch-path .build-tsan \
  request-scopes --seconds "$seconds" --concurrency "$concurrency") || status=$?
echo "$actual"
[ "$status" -eq 0 ]
rows=$(tail -n 17 <<<"$actual")
awk '$(NF-4) == 0 || $(NF-1) != 0 || $NF != 0 { exit 1 }' <<<"$rows"

if [ -e /proc/self/statm ]; then
  echo "request-scopes: memory stays flat"
  grep -q '^memory flat' <<<"$actual"
fi
