# What the process pool costs beside xargs -P: make bench-overhead-pool.
EXTRA_PROGRAMS += bench/one-ms bench/pool-driver
CLEANFILES += bench/one-ms bench/pool-driver
EXTRA_DIST += bench/overhead-pool
bench_one_ms_SOURCES = bench/cost/one-ms.c
bench_pool_driver_SOURCES = bench/cost/pool-driver.c
bench_pool_driver_LDADD = $(archive_ldadd)

bench-overhead-pool: bench/one-ms bench/pool-driver
	$(srcdir)/bench/overhead-pool .
.PHONY: bench-overhead-pool
