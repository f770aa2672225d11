# The engine as a whole: inputs of odd shapes, the same answer at any number of workers, the certificate.
EXTRA_PROGRAMS += tests/engine/odd-shapes
tests_engine_odd_shapes_SOURCES = tests/engine/odd-shapes.c
tests_engine_odd_shapes_LDADD = tests/run/inproc.$(OBJEXT) $(archive_ldadd)
TESTS += tests/engine/odd-shapes

# Random reductions: a few hundred here; make bench-loops for thousands, best configured with --enable-sanitizers.
EXTRA_PROGRAMS += tests/engine/loops
tests_engine_loops_SOURCES = tests/engine/loops.c tests/engine/loops-test.h
tests_engine_loops_LDADD = tests/run/inproc.$(OBJEXT) $(archive_ldadd)
TESTS += tests/engine/loops
# Without the sanitizers: it runs millions of times.
EXTRA_PROGRAMS += tests/engine/loops-test
tests_engine_loops_test_SOURCES = tests/engine/loops-test.c tests/engine/loops-test.h
tests_engine_loops_test_CFLAGS = $(WARN_CFLAGS)
tests_engine_loops_test_LDFLAGS =
EXTRA_DIST += bench/loops

# That what is looked at before a question grows with the size, and not faster.
EXTRA_PROGRAMS += tests/engine/growth
tests_engine_growth_SOURCES = tests/engine/growth.c
tests_engine_growth_LDADD = $(archive_ldadd) -lm
TESTS += tests/engine/growth

# That what computes looks often enough whether all is over, counted in a second copy of the archive.
EXTRA_LIBRARIES = tests/engine/libsteps.a
tests_engine_libsteps_a_SOURCES = $(src_libwhittle_a_SOURCES)
tests_engine_libsteps_a_CFLAGS = $(library_cflags) -fsanitize-coverage=trace-pc
EXTRA_PROGRAMS += tests/engine/steps
tests_engine_steps_SOURCES = tests/engine/steps.c
tests_engine_steps_LDFLAGS = -rdynamic
tests_engine_steps_LDADD = tests/run/inproc.$(OBJEXT) tests/engine/libsteps.a $(archive_ldadd)
.PHONY: check-steps
check-steps: tests/engine/steps$(EXEEXT)
	WHITTLE_TOKENIZERS=$(abs_srcdir)/tokenizers tests/engine/steps

.PHONY: bench-loops
bench-loops: tests/engine/loops$(EXEEXT) tests/engine/loops-test$(EXEEXT) src/whittle$(EXEEXT)
	rm -f loops-said.*
	ASAN_OPTIONS=log_path=loops-said UBSAN_OPTIONS=log_path=loops-said WHITTLE_TOKENIZERS=$(abs_srcdir)/tokenizers \
		tests/engine/loops 10000 1 $(abs_builddir)/tests/engine/loops-test
	$(srcdir)/bench/loops -w src/whittle -n 500
	! cat loops-said.* 2>/dev/null

engine_tests = tests/engine/certificate tests/engine/same-answer
dist_check_SCRIPTS += $(engine_tests)
TESTS += $(engine_tests)
EXTRA_DIST += tests/engine/cases.sh

if HAVE_CMOCKA
EXTRA_PROGRAMS += tests/engine/test-again tests/engine/test-branches tests/engine/test-claims tests/engine/test-containers tests/engine/test-held tests/engine/test-plan tests/engine/test-probe tests/engine/test-settings \
	tests/engine/test-repeats tests/engine/test-skip tests/engine/test-stop
TESTS += tests/engine/test-again tests/engine/test-branches tests/engine/test-claims tests/engine/test-containers tests/engine/test-held tests/engine/test-plan tests/engine/test-probe tests/engine/test-settings \
	tests/engine/test-repeats tests/engine/test-skip tests/engine/test-stop
scripted = tests/run/scripted.c tests/run/scripted.h
tests_engine_test_probe_SOURCES = tests/engine/test-probe.c $(scripted)
tests_engine_test_probe_LDADD = $(unit_ldadd)
tests_engine_test_again_SOURCES = tests/engine/test-again.c tests/engine/needles.c tests/engine/needles.h
tests_engine_test_again_LDADD = $(unit_ldadd)
tests_engine_test_branches_SOURCES = tests/engine/test-branches.c tests/engine/needles.c tests/engine/needles.h
tests_engine_test_branches_LDADD = $(unit_ldadd)
tests_engine_test_claims_SOURCES = tests/engine/test-claims.c tests/engine/needles.c tests/engine/needles.h
tests_engine_test_claims_LDADD = $(unit_ldadd)
tests_engine_test_containers_SOURCES = tests/engine/test-containers.c
tests_engine_test_containers_LDADD = $(unit_ldadd) -lm
tests_engine_test_held_SOURCES = tests/engine/test-held.c
tests_engine_test_held_LDADD = $(unit_ldadd)
tests_engine_test_skip_SOURCES = tests/engine/test-skip.c
tests_engine_test_skip_LDADD = $(unit_ldadd)
tests_engine_test_repeats_SOURCES = tests/engine/test-repeats.c
tests_engine_test_repeats_LDADD = $(unit_ldadd)
tests_engine_test_stop_SOURCES = tests/engine/test-stop.c
tests_engine_test_stop_LDADD = $(unit_ldadd)
tests_engine_test_plan_SOURCES = tests/engine/test-plan.c
tests_engine_test_plan_LDADD = $(unit_ldadd)
tests_engine_test_settings_SOURCES = tests/engine/test-settings.c
tests_engine_test_settings_LDADD = $(unit_ldadd)
endif
