src_libwhittle_a_SOURCES += \
	src/ask/condition.c src/ask/condition.h \
	src/ask/other.c src/ask/other.h \
	src/ask/outcome.c src/ask/outcome.h \
	src/ask/pattern.c src/ask/pattern.h \
	src/ask/signature.c src/ask/signature.h \
	src/ask/tools.c src/ask/tools.h

# Executes tests that are conditions; a program of its own, because it is started for each candidate.
pkglibexec_PROGRAMS += src/whittle-judge
src_whittle_judge_SOURCES = src/ask/judge_main.c
src_whittle_judge_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS)
