# Kill anywhere, get the same answer: make bench-kill CASES='DIRECTORY...' for real cases; a small one is part of make check.
check_PROGRAMS += tests/kill-tree
tests_kill_tree_SOURCES = tests/kill-tree.c
dist_check_SCRIPTS += tests/kill
TESTS += tests/kill
EXTRA_DIST += bench/kill

.PHONY: bench-kill
bench-kill: tests/kill-tree$(EXEEXT) src/whittle$(EXEEXT)
	$(srcdir)/bench/kill -w src/whittle -t tests/kill-tree $(CASES)
