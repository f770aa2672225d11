# A client of make's job server: the time that it costs, and tokens that come back (make bench-jobserver, two minutes).
EXTRA_DIST += bench/jobserver
bench-jobserver: src/whittle
	$(srcdir)/bench/jobserver .
.PHONY: bench-jobserver
