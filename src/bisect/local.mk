# The two-sided test of a bisection; a program of its own, because it is started for each candidate and libgit2 is not
# loaded for nothing.
pkglibexec_PROGRAMS += src/whittle-sides
src_whittle_sides_SOURCES = src/bisect/sides_main.c
src_whittle_sides_LDADD = src/libwhittle.a $(XXHASH_LIBS) $(ZLIB_LIBS)

src_libwhittle_a_SOURCES += \
	src/bisect/bisect.h src/bisect/bisect_ahead.c src/bisect/bisect_ahead.h src/bisect/bisect_answer.c \
	src/bisect/bisect_ask.c src/bisect/bisect_ask.h src/bisect/bisect_copy.c src/bisect/bisect_copy.h \
	src/bisect/bisect_fetch.c src/bisect/bisect_fetch.h src/bisect/bisect_git.c src/bisect/bisect_git.h \
	src/bisect/bisect_helper.c src/bisect/bisect_helper.h src/bisect/bisect_input.c src/bisect/bisect_input.h \
	src/bisect/bisect_judge.c src/bisect/bisect_judge.h src/bisect/bisect_known.c src/bisect/bisect_known.h \
	src/bisect/bisect_note.c src/bisect/bisect_note.h src/bisect/bisect_packed.c src/bisect/bisect_packed.h \
	src/bisect/bisect_replay.c src/bisect/bisect_replay.h src/bisect/bisect_search.c src/bisect/bisect_search.h \
	src/bisect/bisect_sides.c src/bisect/bisect_sides.h src/bisect/bisect_state.c src/bisect/bisect_state.h \
	src/bisect/bisect_tree.c src/bisect/bisect_tree.h src/bisect/bisect_walk.c src/bisect/bisect_walk.h \
	src/bisect/bisect_work.c src/bisect/bisect_work.h src/bisect/bisection.c src/bisect/bisection.h
