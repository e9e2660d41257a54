#!/usr/bin/env bash
# Runs LinkCheck on this repository's documents, and on a folder with broken links.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo "linkcheck: this package has no broken link"
found=$(swift run -q linkcheck)
printf '%s\n' "$found"
grep -qE '^[0-9]+ files, [1-9][0-9]* links checked, 0 broken' <<<"$found"

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

echo "linkcheck: what is not there is an error"
status=0
swift run -q linkcheck "$folder/missing" 2>"$folder/errors" || status=$?
[ "$status" -eq 2 ]
grep -q 'there is no file or folder' "$folder/errors"
