#!/usr/bin/env bash
# Runs the examples as a reader would, on real files, processes and pipes. Their tests are beside them.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in linkcheck random-numbers request-handler overdrawn-account search workers; do
  swift build -q --product "$program"
done
products=$(swift build --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs a program, which must exit with the status passed first, and keeps what it prints.
run() {
  local expected=$1 program=$2 status=0
  shift 2
  "$products/$program" "$@" >"$folder/output" 2>"$folder/errors" || status=$?
  [ "$status" -eq "$expected" ] || {
    cat "$folder/output" "$folder/errors"
    echo "FAILED: status $status: $program $*"
    exit 1
  }
}
expect() { grep -qE -- "$1" "$folder/output" || { cat "$folder/output"; echo "FAILED: no $1"; exit 1; }; }

echo "linkcheck: this package has no broken link"
run 0 linkcheck
tail -n 1 "$folder/output"
expect '^[0-9]+ files, [1-9][0-9]* links checked, 0 broken'
run 0 linkcheck .github  # which is hidden, and so not looked into

echo "linkcheck: broken links are listed, and the exit status says so"
mkdir "$folder/broken"
printf '# Title\n\n[one](other.md#there) [two](gone.md)\n\n[three](#nowhere)\n' >"$folder/broken/README.md"
printf '# There\n\n[back](README.md#title)\n' >"$folder/broken/other.md"
printf '/// See [the guide](guide.md).\nlet x = 1\n' >"$folder/broken/code.swift"
run 1 linkcheck "$folder/broken" --max-open-files 1
expect 'README.md:3 +gone.md +no such file$'
expect 'README.md:5 +#nowhere +no heading for #nowhere in .*README.md$'
expect 'code.swift:1 +guide.md +no such file$'
expect '^3 files, 5 links checked, 3 broken \('

echo "linkcheck: a missing path and a report that can't be written are errors"
run 2 linkcheck "$folder/missing"
status=0
"$products/linkcheck" .github 2>/dev/null >&- || status=$?
[ "$status" -eq 3 ]

echo "random-numbers: a seed repeats a run"
run 0 random-numbers 1
cp "$folder/output" "$folder/first"
run 0 random-numbers 1
cmp "$folder/first" "$folder/output"

echo "request-handler: each request is committed or rolled back, and the pool closes last"
run 0 request-handler
[ "$(grep -c ' committed$' "$folder/output")" -eq 3 ]
[ "$(grep -c ' rolled back$' "$folder/output")" -eq 1 ]
tail -n 1 "$folder/output" | grep -q 'the pool closes, 0 connections are in use$'

echo "request-handler: under load, it drains on SIGTERM, and everything closes in order"
"$products/request-handler" serve >"$folder/output" 2>"$folder/errors" &
server=$!
for _ in $(seq 100); do
  grep -q '^\[server\] serving$' "$folder/output" && break
  sleep 0.1
done
sleep 3
kill -TERM "$server"
status=0
wait "$server" || status=$?
[ "$status" -eq 0 ] || { cat "$folder/output" "$folder/errors"; echo "FAILED: status $status"; exit 1; }
expect '^\[server\] late: refused$'
expect '^issue: A lifetime has been closing for longer than 0.1 seconds. It waits for `close` of `AuditKey`'
expect '^\[server\] the audit is given up: The deadline passed'
expect '^\[server\] counted ordered [1-9][0-9]*, soldOut [0-9]+, notCommitted [1-9][0-9]*, tooLate [1-9][0-9]*, refused 0, failed 0$'
expect '^\[server\] the pool closes, 0 connections are in use$'

echo "overdrawn-account: it counts"
run 0 overdrawn-account
expect '^overdrawn in [0-9]+ of 1000 runs$'

echo "search: it draws what is typed"
run 0 search README.md < <(printf 'swift')
expect 'Search: swift'

echo "workers: processes count the same as wc, and know the tenant"
run 0 workers README.md Package.swift Tests/README.md
for file in README.md Package.swift Tests/README.md; do
  expect "^$(wc -w <"$file" | tr -d ' ') words for Acme & Söhne  $file$"
done
printf 'three words here' >"$folder/two"$'\n'"lines"
run 0 workers "$folder/two"$'\n'"lines"
expect "^3 words for Acme & Söhne  $folder/two$"
