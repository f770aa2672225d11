src_libwhittle_a_SOURCES += \
	src/cxx/reach.c src/cxx/reach.h src/cxx/reach_ask.c src/cxx/reach_ask.h src/cxx/reach_declare.c \
	src/cxx/reach_impl.h src/cxx/reach_items.c src/cxx/reach_live.c \
	src/cxx/reach_live.h src/cxx/reach_prune.c src/cxx/reach_prune.h src/cxx/reach_search.c src/cxx/reach_search.h \
	src/cxx/reach_word.c src/cxx/strat_reach.c src/cxx/stub.h \
	src/cxx/stub_find.c src/cxx/stub_text.c src/cxx/stub_text.h
