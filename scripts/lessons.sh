#!/bin/sh
# The lessons as pages in build/lessons: at the pins where they are here, else at the releases that stand in for them.
set -eu

claimcheck vendor sync --releases
if claimcheck vendor status --check >/dev/null; then
  claimcheck render --output build/lessons
else
  claimcheck render --at release --output build/lessons
fi
printf 'The lessons are in build/lessons/index.html\n'
