src_libwhittle_a_SOURCES += \
	src/search/chooser.c src/search/chooser.h src/search/first.c src/search/first.h src/search/hunt.c \
	src/search/hunt.h src/search/integers.c src/search/integers.h src/search/mends.c src/search/mends.h src/search/proof.c src/search/proof.h \
	src/search/proposer.c src/search/proposer.h src/search/search.h src/search/seen.c \
	src/search/seen.h src/search/simplify.c src/search/simplify.h src/search/strategy.c src/search/strategy.h \
	src/search/stretch.c src/search/stretch.h src/search/view.c src/search/view.h src/search/within.c \
	src/search/within.h
