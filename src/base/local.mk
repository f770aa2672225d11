src_libwhittle_a_SOURCES += \
	src/base/beneath.c src/base/beneath.h src/base/buf.c src/base/buf.h src/base/digest.c src/base/digest.h src/base/err.c src/base/err.h \
	src/base/fault.c src/base/fault.h src/base/hash.c src/base/hash.h src/base/installed.c src/base/installed.h \
	src/base/io.c src/base/io.h src/base/io_remove.c src/base/map.c src/base/map.h src/base/mem.c src/base/mem.h \
	src/base/near.c src/base/near.h src/base/options.c src/base/options.h src/base/path.c src/base/path.h \
	src/base/quote.c src/base/quote.h src/base/rng.h src/base/show.c src/base/show.h \
	src/base/signals.c src/base/signals.h src/base/ticks.h src/base/waited.c src/base/waited.h \
	src/base/work.c src/base/work.h
