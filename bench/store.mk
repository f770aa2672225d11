# What snapshots cost, against plumbing commands and git fast-import.
EXTRA_DIST += bench/store
.PHONY: bench-store
bench-store: tests/store/drive$(EXEEXT) src/whittle$(EXEEXT)
	top_builddir=. WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/store
