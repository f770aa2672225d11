src_libwhittle_a_SOURCES += \
	src/store/git.c src/store/git.h \
	src/store/history.c src/store/history.h src/store/journal.c src/store/journal.h \
	src/store/location.c src/store/location.h src/store/lock.c src/store/lock.h \
	src/store/objects.c src/store/objects.h src/store/packs.c src/store/prune.c \
	src/store/read.c src/store/reduction.h src/store/refs.c src/store/state.c src/store/step.c \
	src/store/step.h src/store/store.c src/store/store.h src/store/store_types.h src/store/trees.c \
	src/store/entry.c src/store/entry.h src/store/write.c src/store/writer.h
