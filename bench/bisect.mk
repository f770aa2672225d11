# Bisecting with and without a reduction, on a generated history and two real ones: make bench-bisect (ten minutes; LUA=DIR
# and CJSON=DIR name clones of them).
EXTRA_DIST += bench/bisect
.PHONY: bench-bisect
bench-bisect: src/whittle$(EXEEXT) src/whittle-sides$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/bisect
