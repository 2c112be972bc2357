#!/bin/sh
# The main job on the real course: bring the vendors, verify everything, show the code behind one anchor, say since when
# a claim holds, and make the lessons.
# verify's own exit code is printed, not passed on: its findings are what the demo is there to show.
set -eu

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

run claimcheck vendor sync
run claimcheck vendor status
printf '\n$ claimcheck verify --at release\n'
code=0
claimcheck verify --at release || code=$?
printf '(exit code %s)\n' "$code"
[ "$code" -le 1 ] || exit "$code"
run claimcheck excerpt V-POOL --at release
# One claim of the course is true only since a certain release, and this is how that is seen.
run claimcheck vendor fetch vllm release/0.32.0
run claimcheck history V-POOL V1.7 V2.6 --revs release/0.32.0 --revs release/0.33.0
run sh "$(dirname "$0")/lessons.sh"
