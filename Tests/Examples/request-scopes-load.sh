#!/usr/bin/env bash
# Runs RequestScopes under load and ThreadSanitizer: no race, no leak between requests, nothing left
# open, flat memory.
# Takes the number of seconds and of concurrent requests (default: 20 and 200).
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
rows=$(tail -n 25 <<<"$actual" | head -n 17)
awk '$(NF-4) == 0 || $(NF-1) != 0 || $NF != 0 { exit 1 }' <<<"$rows"

tail -n 1 <<<"$actual" | grep -q 'nothing left open$'

if [ -e /proc/self/statm ]; then
  echo "request-scopes: memory stays flat"
  grep -q '^memory flat' <<<"$actual"
fi
