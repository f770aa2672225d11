#!/bin/sh
# Interesting: g++-12 dies in gimplify_init_constructor (GCC PR113598) and reports no other error.
export LC_ALL=C
messages=$("${CXX:-g++-12}" -std=c++17 -c machine.cc 2>&1) && exit 1
echo "$messages" | grep -q 'internal compiler error: in gimplify_init_constructor' &&
	! echo "$messages" | grep 'error: ' | grep -qv 'internal compiler error: '
