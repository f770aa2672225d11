src_libwhittle_a_SOURCES += \
	src/far/bases.c src/far/bases.h src/far/far.c \
	src/far/far.h src/far/far_options.h src/far/far_workers.c src/far/far_workers.h src/far/frames.c \
	src/far/frames.h src/far/bundle.c src/far/bundle.h src/far/worker_process.c src/far/worker_process.h src/far/source.c src/far/source.h \
	src/far/words.c src/far/words.h src/far/worker.c src/far/worker.h
