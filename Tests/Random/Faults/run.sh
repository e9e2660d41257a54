#!/usr/bin/env bash
# Proves that the random programs, stores, lifetimes and orders can fail: when a fault here is applied to
# the library, they must find it within 10,000 programs, and shrink it. `store-*.patch` are for the
# stores, `lifetime-*.patch` for the lifetimes, `order-*.patch` for the orders. `run.sh lifetime-` runs
# only the faults with this prefix.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
cd "$root"
source .ci/only

fail() { # what, a log
  printf 'FAILED: %s\n' "$1" >&2
  tail -n 60 "$2" >&2
  exit 1
}

find_faults() { # the tests, patches
  local copy=$copies/$1 log=$copies/$1/log patch fault begin
  only "$copy" "$1"
  shift
  for patch in "$@"; do
    fault=$(basename "$patch" .patch)
    begin=$SECONDS
    (cd "$copy" && git apply "$patch") >"$log" 2>&1 || fail "$fault no longer applies" "$log"
    # SwiftPM doesn't rebuild all that contains code which is emitted into clients.
    swift build --build-tests --package-path "$copy" >"$log" 2>&1 ||
      { rm -rf "$copy/.build" && swift build --build-tests --package-path "$copy" >"$log" 2>&1; } ||
      fail "$fault does not build" "$log"
    if PROGRAMS=10000 PAIRS=300 swift test --skip-build --package-path "$copy" >"$log" 2>&1; then
      fail "$fault is not found" "$log"
    fi
    grep -q 'The smallest program that fails\|The program that ends the process' "$log" ||
      fail "$fault is not found by a program" "$log"
    printf '\n%s: found (%d s)\n%s\n' "$fault" "$((SECONDS - begin))" \
      "$(sed -n '/The smallest program that fails\|The program that ends/,/^  }$\|^✘/p' "$log" | grep '^  ' | head -n 40)"
    (cd "$copy" && git apply -R "$patch")
  done
}

core=() store=() lifetime=() order=()
# All patches, or those with one of the arguments as a prefix.
for only in "${@:-}"; do
  for patch in "$here"/"$only"*.patch; do
    case $patch in
      */store-*) store+=("$patch") ;;
      */lifetime-*) lifetime+=("$patch") ;;
      */order-*) order+=("$patch") ;;
      *) core+=("$patch") ;;
    esac
  done
done
# In parallel, because a build mostly compiles one module after the other.
running=()
if [ ${#core[@]} -gt 0 ]; then find_faults RandomProgramTests "${core[@]}" & running+=($!); fi
if [ ${#store[@]} -gt 0 ]; then find_faults RandomStoreTests "${store[@]}" & running+=($!); fi
if [ ${#lifetime[@]} -gt 0 ]; then
  find_faults RandomLifetimeTests "${lifetime[@]}" & running+=($!)
fi
if [ ${#order[@]} -gt 0 ]; then find_faults RandomOrderTests "${order[@]}" & running+=($!); fi
failures=0
for job in "${running[@]}"; do wait "$job" || failures=1; done
exit "$failures"
