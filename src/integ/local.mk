src_libwhittle_a_SOURCES += \
	src/integ/bisect.h \
	src/integ/bisect_ahead.c src/integ/bisect_ahead.h \
	src/integ/bisect_answer.c \
	src/integ/bisect_ask.c src/integ/bisect_ask.h \
	src/integ/bisect_copy.c src/integ/bisect_copy.h \
	src/integ/bisect_fetch.c src/integ/bisect_fetch.h \
	src/integ/bisect_git.c src/integ/bisect_git.h \
	src/integ/bisect_helper.c src/integ/bisect_helper.h \
	src/integ/bisect_input.c src/integ/bisect_input.h \
	src/integ/bisect_judge.c src/integ/bisect_judge.h \
	src/integ/bisect_known.c src/integ/bisect_known.h \
	src/integ/bisect_note.c src/integ/bisect_note.h \
	src/integ/bisect_packed.c src/integ/bisect_packed.h \
	src/integ/bisect_replay.c src/integ/bisect_replay.h \
	src/integ/bisect_search.c src/integ/bisect_search.h \
	src/integ/bisect_sides.c src/integ/bisect_sides.h \
	src/integ/bisect_state.c src/integ/bisect_state.h \
	src/integ/bisect_tree.c src/integ/bisect_tree.h \
	src/integ/bisect_walk.c src/integ/bisect_walk.h \
	src/integ/bisect_work.c src/integ/bisect_work.h \
	src/integ/bisection.c src/integ/bisection.h

# The two-sided test of a bisection; a program of its own, because it is started for each candidate and libgit2 is not
# loaded for nothing.
pkglibexec_PROGRAMS = src/whittle-sides
src_whittle_sides_SOURCES = src/integ/sides_main.c
src_whittle_sides_LDADD = src/libwhittle.a $(XXHASH_LIBS) $(ZLIB_LIBS)

src_libwhittle_a_SOURCES += \
	src/integ/git.c src/integ/git.h \
	src/integ/hook_apart.c src/integ/hook_apart.h \
	src/integ/hook_config.c src/integ/hook_config.h \
	src/integ/hook_files.c src/integ/hook_files.h \
	src/integ/hook_finding.h \
	src/integ/hook_install.c src/integ/hook_install.h \
	src/integ/hook_judge.c src/integ/hook_judge.h \
	src/integ/hook_overview.c src/integ/hook_overview.h \
	src/integ/hook_plan.c src/integ/hook_plan.h \
	src/integ/hook_range.c src/integ/hook_range.h \
	src/integ/hook_run.c src/integ/hook_run.h \
	src/integ/hook_say.c src/integ/hook_say.h \
	src/integ/hook_seen.c src/integ/hook_seen.h \
	src/integ/hook_setup.c src/integ/hook_setup.h \
	src/integ/hook_test.c src/integ/hook_test.h \
	src/integ/hook_text.c src/integ/hook_text.h \
	src/integ/hook_unchecked.c src/integ/hook_unchecked.h \
	src/integ/hook_updates.c src/integ/hook_updates.h
