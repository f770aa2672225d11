#!/bin/sh
# reduce.sh TEST INPUT [LIMIT]: after a job has failed on INPUT. Makes INPUT small while TEST exits with 0, for at most LIMIT (10m),
# and leaves beside it what one attaches to a bug: INPUT.min and the report INPUT.md. What is kept in .whittle-ci goes on in the
# next run of the job, if the job caches that directory.
set -eu
test=$1 input=$2 limit=${3:-10m}
status=0
whittle --store .whittle-ci --name ci --time-limit "$limit" -o "$input.min" "$test" "$input" || status=$?
case $status in
0 | 3) whittle report --store .whittle-ci ci >"$input.md" ;;
*) exit $status ;;
esac
