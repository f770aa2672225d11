# What each pass is worth, on the small cases: make bench-ablation (two minutes).
EXTRA_DIST += bench/ablation bench/ablation-cases.sh bench/lib.sh
.PHONY: bench-ablation
bench-ablation: src/whittle$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/ablation
