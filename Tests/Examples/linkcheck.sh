#!/usr/bin/env bash
# Runs LinkCheck on this repository's documents, and on a folder with broken links.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo "linkcheck: this package has no broken link"
found=$(swift run -q linkcheck)
printf '%s\n' "$found"
grep -qE '^[0-9]+ files, [1-9][0-9]* links checked, 0 broken' <<<"$found"
swift run -q linkcheck .github  # which is hidden, and so not looked into

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '# Title\n\n[one](other.md#there) [two](missing.md)\n\n[three](#nowhere)\n' >"$folder/README.md"
printf '# There\n\n[back](README.md#title)\n' >"$folder/other.md"
printf '/// See [the guide](guide.md).\nlet x = 1\n' >"$folder/code.swift"

echo "linkcheck: broken links are listed, and the exit status says so"
status=0
actual=$(swift run -q linkcheck "$folder" --max-open-files 1) || status=$?
[ "$status" -eq 1 ]
expected="FILE:LINE    LINK        PROBLEM
README.md:3  missing.md  no such file
README.md:5  #nowhere    no heading for #nowhere in README.md
code.swift:1 guide.md    no such file"
diff <(echo "$expected" | tr -s ' ') <(echo "$actual" | sed "s|$folder/||g" | head -4 | tr -s ' ')
echo "$actual" | grep -qE '^3 files, 5 links checked, 3 broken \('

echo "linkcheck: the same for machines"
status=0
swift run -q linkcheck "$folder" --json >"$folder/report.json" || status=$?
[ "$status" -eq 1 ]
grep -q '"interrupted" *: *false' "$folder/report.json"
[ "$(grep -o '"problem"' "$folder/report.json" | wc -l)" -eq 3 ]

echo "linkcheck: a missing path is an error"
status=0
swift run -q linkcheck "$folder/missing" 2>"$folder/errors" || status=$?
[ "$status" -eq 2 ]
grep -q 'there is no file or folder' "$folder/errors"

products=$(swift build --show-bin-path)
# Runs linkcheck, which must exit with the status passed first.
expect_status() {
  local expected=$1 status=0
  shift
  "$products/linkcheck" "$@" 2>"$folder/errors" || status=$?
  [ "$status" -eq "$expected" ] || { cat "$folder/errors"; echo "status $status: $*"; exit 1; }
}

echo "linkcheck: a report that can't be written is an error"
mkdir "$folder/good" && printf '# A\n' >"$folder/good/a.md"
expect_status 3 "$folder/good" >&-
if [ -e /dev/full ]; then
  expect_status 3 "$folder/good" >/dev/full
  grep -q 'cannot write' "$folder/errors"
fi
# A pipe without a reader.
mkfifo "$folder/pipe"
exec 3<>"$folder/pipe" 4>"$folder/pipe" 3>&-
expect_status 3 "$folder/good" >&4
exec 4>&-

echo "linkcheck: options with an equal sign, and paths that look like options"
expect_status 1 --max-open-files=2 -- "$folder" >"$folder/report"
(cd "$folder/good" && cp a.md ./--json && expect_status 0 -- --json >"$folder/report")
grep -q '^1 file, ' "$folder/report"
expect_status 2 --json=yes
grep -q '^linkcheck: --json takes no value' "$folder/errors"

echo "linkcheck: a device isn't a document"
expect_status 2 /dev/null
grep -q '/dev/null is neither a file nor a folder' "$folder/errors"
