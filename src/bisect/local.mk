# The two-sided test of a bisection; a program of its own, because it is started for each candidate and libgit2 is not
# loaded for nothing.
pkglibexec_PROGRAMS += src/whittle-sides
src_whittle_sides_SOURCES = src/bisect/sides_main.c
src_whittle_sides_LDADD = src/libwhittle.a $(XXHASH_LIBS) $(ZLIB_LIBS)

src_libwhittle_a_SOURCES += \
	src/bisect/bisect.c src/bisect/bisect.h \
	src/bisect/bisect_git.c src/bisect/bisect_git.h src/bisect/bisect_helper.c src/bisect/bisect_helper.h \
	src/bisect/bisect_judge.c src/bisect/bisect_judge.h src/bisect/bisect_judges.c src/bisect/bisect_judges.h \
	src/bisect/bisect_search.c src/bisect/bisect_search.h src/bisect/bisect_sides.c src/bisect/bisect_sides.h \
	src/bisect/bisect_tree.c src/bisect/bisect_tree.h src/bisect/bisect_walk.c src/bisect/bisect_walk.h \
	src/bisect/bisection.c src/bisect/bisection.h
