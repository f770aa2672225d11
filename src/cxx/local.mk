src_libwhittle_a_SOURCES += \
	src/cxx/reach.h src/cxx/reach_ask.c src/cxx/reach_ask.h src/cxx/reach_declare.c \
	src/cxx/reach_end.c src/cxx/reach_end.h src/cxx/reach_gone.c src/cxx/reach_gone.h src/cxx/reach_impl.h \
	src/cxx/reach_items.c src/cxx/reach_language.c src/cxx/reach_live.c src/cxx/reach_live.h \
	src/cxx/reach_mention.c src/cxx/reach_own.c src/cxx/reach_own.h src/cxx/reach_prune.c src/cxx/reach_prune.h \
	src/cxx/reach_search.c src/cxx/reach_search.h src/cxx/reach_shed.c src/cxx/reach_shed.h src/cxx/reach_space.c \
	src/cxx/reach_within.c src/cxx/reach_word.c src/cxx/strat_reach.c src/cxx/stub.h src/cxx/stub_find.c \
	src/cxx/stub_front.c src/cxx/stub_impl.h src/cxx/stub_names.c src/cxx/stub_names.h \
	src/cxx/stub_search.c src/cxx/stub_search.h src/cxx/stub_text.c
