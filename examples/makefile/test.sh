#!/bin/sh
# Interesting: `make help` works, and `make DEBUG=1 help` dies of a variable that refers to itself.
# Nothing is executed: make only prints (-n), and the shell it would use is /bin/false.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEFILES GNUMAKEFLAGS DEBUG
export LC_ALL=C

make -n -f Makefile SHELL=/bin/false help >/dev/null 2>&1 || exit 1
make -n -f Makefile SHELL=/bin/false DEBUG=1 help 2>&1 | grep -q 'Recursive variable .* references itself (eventually)'
