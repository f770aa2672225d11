# Whole directories, with C-Vise beside: make bench-directories.
EXTRA_DIST += bench/directories
.PHONY: bench-directories
bench-directories: src/whittle$(EXEEXT) bench/peak$(EXEEXT)
	WHITTLE=src/whittle PEAK=bench/peak $(srcdir)/bench/directories
