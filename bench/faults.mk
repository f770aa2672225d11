# Every call fails once (bench/faults). The library that fails them is loaded before the C library, so it is linked as a program,
# like whittle.so, and without the sanitizers, which want to be first.
dist_check_SCRIPTS += bench/faults
if !SANITIZERS
check_PROGRAMS += bench/faults-preload.so
bench_faults_preload_so_SOURCES = bench/inject/faults-preload.c bench/inject/faults-preload.h bench/inject/faults-calls.c
bench_faults_preload_so_CFLAGS = $(WARN_CFLAGS) -fPIC
bench_faults_preload_so_LDFLAGS = -shared
bench_faults_preload_so_LDADD = -ldl
check_PROGRAMS += bench/faults-test
bench_faults_test_SOURCES = bench/inject/faults-test.c
endif

bench-faults: src/whittle bench/faults-preload.so bench/faults-test
	$(srcdir)/bench/faults -w src/whittle
.PHONY: bench-faults
