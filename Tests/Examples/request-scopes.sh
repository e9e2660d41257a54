#!/usr/bin/env bash
# Runs RequestScopes, and checks that its table tells plain task-locals from scopes.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo "request-scopes: no read through a scope is wrong"
actual=$(swift run -q request-scopes --requests 500)
echo "$actual"
[ "$(head -1 <<<"$actual")" = "500 requests, 71 of them cancelled midway" ]
rows=$(tail -n +5 <<<"$actual")
[ "$(wc -l <<<"$rows")" -eq 17 ]
awk '$(NF-4) == 0 || $(NF-1) != 0 || $NF != 0 { exit 1 }' <<<"$rows"

# Whether a handler runs before or after the task waits is not known, hence no exact counts.
expect() { grep -qE "^$1 +[0-9]+ +$2 +$3 +0 +0$" <<<"$rows" || { echo "wrong: $1"; exit 1; }; }
some='[1-9][0-9]*'

echo "request-scopes: plain task-locals are right in tasks that inherit them"
for row in 'same task, after a suspension' 'async let' 'child of a task group' 'Task \{\}' \
  'method of an actor' 'attempt with a timeout' 'producer of an AsyncStream' \
  'after a continuation' 'cleanup of a cancelled task'; do
  expect "$row" 0 0
done

echo "request-scopes: plain task-locals are lost where nothing inherits them"
for row in 'callback on a queue' 'detached task'; do expect "$row" 0 "$some"; done

echo "request-scopes: plain task-locals are another request's in what another request runs"
for row in 'AsyncStream\(unfolding:\)' 'closure of a map' 'cancellation handler' 'onTermination' \
  'deinit' "closure in another's task"; do
  expect "$row" "$some" 0
done

echo "request-scopes: a bad option is an error"
status=0
errors=$(swift run -q request-scopes --request 1 2>&1 >/dev/null) || status=$?
[ "$status" -eq 2 ]
grep -q '^request-scopes: unknown option --request' <<<"$errors"
