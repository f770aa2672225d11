#!/bin/sh
# Interesting: gcc-12 -O1 dies of a segmentation fault in its pass "esra" (GCC PR110422) and reports no other error.
export LC_ALL=C
messages=$("${CC:-gcc-12}" -O1 -c pool.c 2>&1) && exit 1
echo "$messages" | grep -q 'during GIMPLE pass: esra' &&
	echo "$messages" | grep -q 'internal compiler error: Segmentation fault' &&
	! echo "$messages" | grep 'error: ' | grep -qv 'internal compiler error: '
