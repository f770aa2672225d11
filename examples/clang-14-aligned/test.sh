#!/bin/sh
# Interesting: clang-14 -fsanitize=alignment crashes in emitAlignmentAssumption (LLVM issue 57169); without
# that option the file compiles without an error.
export LC_ALL=C
clang=${CLANG:-clang-14}
"$clang" -O1 -w -fsyntax-only filter.c >/dev/null 2>&1 || exit 1
messages=$("$clang" -O1 -w -fsanitize=alignment -fno-crash-diagnostics -c filter.c 2>&1) && exit 1
echo "$messages" | grep -q emitAlignmentAssumption
