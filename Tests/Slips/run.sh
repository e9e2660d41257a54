#!/usr/bin/env bash
# Plants small mistakes in a module, and prints those that its tests don't find.
#
#   bash Tests/Slips/run.sh IdentifiedArrays                    # all of a module, by the tests of its name
#   bash Tests/Slips/run.sh IdentifiedArrays --most 100         # a random hundred
#   bash Tests/Slips/run.sh TestRuntime --since main            # in lines that have changed
#   bash Tests/Slips/run.sh IdentifiedArrays --again log        # those that a run has printed to a file
#   TESTS="TestRuntimeTests ScheduleExploringTests" bash Tests/Slips/run.sh TestRuntime
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
source .ci/only

module=$1
copy=${COPY:-$(mktemp -d)}
[ -n "${COPY:-}" ] || trap 'rm -rf "$copy"' EXIT
read -ra tests <<<"${TESTS:-${module}Tests}"
only "$copy" "${tests[@]}"
host=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host
tool=$copy/.build/slips
mkdir -p "$copy/.build"
swiftc -swift-version 6 "$here"/*.swift -I "$host" -L "$host" -lSwiftSyntax -lSwiftParser -lSwiftOperators \
  -Xlinker -rpath -Xlinker "$host" -o "$tool"
"$tool" "$copy" "$root" "$@" --equivalent "$here/equivalent.txt"
