#!/usr/bin/env bash
# Runs RequestScopes, and checks that its table distinguishes plain task-locals from scopes, and that its
# ledger balances.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo "request-scopes: no read through a scope is wrong"
actual=$(swift run -q request-scopes --requests 500)
echo "$actual"
[ "$(head -1 <<<"$actual")" = "500 requests, 71 of them cancelled midway" ]
rows=$(sed -n 5,22p <<<"$actual")
[ "$(wc -l <<<"$rows")" -eq 18 ]
awk '$(NF-4) == 0 || $(NF-1) != 0 || $NF != 0 { exit 1 }' <<<"$rows"

# A handler may run before or after the task waits, so there are no exact counts.
expect() { grep -qE "^$1 +[0-9]+ +$2 +$3 +0 +0$" <<<"$rows" || { echo "wrong: $1"; exit 1; }; }
some='[1-9][0-9]*'

echo "request-scopes: plain task-locals are right in tasks that inherit them"
for row in 'same task, after a suspension' 'async let' 'child of a task group' 'Task \{\}' \
  'method of an actor' 'attempt with a timeout' 'producer of an AsyncStream' \
  'after a continuation' 'cleanup of a cancelled task'; do
  expect "$row" 0 0
done

echo "request-scopes: plain task-locals are lost in code that doesn't inherit them"
for row in 'callback on a queue' 'detached task' 'body of a sent response'; do expect "$row" 0 "$some"; done

echo "request-scopes: plain task-locals are another request's in code that the other request runs"
for row in 'AsyncStream\(unfolding:\)' 'closure of a map' 'cancellation handler' 'onTermination' \
  'deinit' "closure in another's task"; do
  expect "$row" "$some" 0
done

echo "request-scopes: the ledger of 10,000 requests balances"
actual=$(swift run -q request-scopes --requests 10000 --concurrency 200)
tail -n 7 <<<"$actual"
for row in 'pool +1 +1' 'cache +1 +1' 'connection +2000 +2000' 'session +2000 +2000' \
  'transaction +10000 +10000'; do
  grep -qE "^$row$" <<<"$actual" || { echo "wrong: $row"; exit 1; }
done
[ "$(tail -n 1 <<<"$actual")" = "8572 committed, 1428 rolled back, nothing left open" ]

echo "request-scopes: the ledger finds planted leaks"
for leak in 'connection [1-9]' 'transaction 71' 'cache 1'; do
  status=0
  actual=$(swift run -q request-scopes --requests 500 --leak "${leak% *}") || status=$?
  [ "$status" -eq 1 ]
  tail -n 1 <<<"$actual"
  tail -n 1 <<<"$actual" | grep -qE "LEFT OPEN: $leak"
done

echo "request-scopes: help describes the ledger"
swift run -q request-scopes --help | grep -q -- '--leak WHAT'

echo "request-scopes: a bad option is an error"
status=0
errors=$(swift run -q request-scopes --request 1 2>&1 >/dev/null) || status=$?
[ "$status" -eq 2 ]
grep -q '^request-scopes: unknown option --request' <<<"$errors"
