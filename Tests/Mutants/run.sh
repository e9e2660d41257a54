#!/usr/bin/env bash
# Changes the library in many small ways, and runs the tests on each. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=${MUTANTS_SCRATCH:-$root/.build-mutants}
mkdir -p "$scratch"
swiftc -swift-version 5 -parse-as-library -o "$scratch/tool" "$here"/Tool/*.swift
"$scratch/tool" "$root" "$scratch" "$@"
