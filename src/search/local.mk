src_libwhittle_a_SOURCES += \
	src/search/blocks.c src/search/chooser.c src/search/chooser.h \
	src/search/find_change_point.c src/search/find_change_point.h src/search/first.c src/search/first.h \
	src/search/hunt.c src/search/hunt.h src/search/hunt_impl.h src/search/hunt_merge.c src/search/hunt_options.h \
	src/search/integer_list.c src/search/integer_list.h src/search/integers.c src/search/integers.h \
	src/search/proof.c src/search/proof.h src/search/proposer.h src/search/search.c src/search/search.h \
	src/search/seen.c src/search/seen.h src/search/simplify.c src/search/simplify.h \
	src/search/simplify_search.c src/search/simplify_search.h src/search/strategy.c src/search/strategy.h \
	src/search/stretch.c src/search/stretch.h src/search/sweep.c src/search/view.c src/search/view.h \
	src/search/within.c src/search/within.h
