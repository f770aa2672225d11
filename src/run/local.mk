src_libwhittle_a_SOURCES += \
	src/run/also.c src/run/also.h src/run/child.c src/run/child.h \
	 src/run/jobserver.c \
	src/run/jobserver.h src/run/persistent.c src/run/persistent.h src/run/supervisor.c \
	src/run/supervisor.h src/run/supervisor_watch.c src/run/supervisor_watch.h src/run/affinity.c src/run/affinity.h \
	src/run/oracle.c src/run/oracle.h src/run/permits.c src/run/permits.h src/run/pool.c src/run/pool.h \
	src/run/rate.c src/run/rate.h src/run/reap.c src/run/reap.h src/run/repeat.c src/run/repeat.h src/run/sets.c \
	src/run/sets.h src/run/setup.h src/run/setup_open.c \
	src/run/slots.c src/run/slots.h src/run/standing.c src/run/standing.h src/run/testenv.c src/run/testenv.h \
	src/run/verdicts.c src/run/verdicts.h src/run/wanted.c src/run/wire.c src/run/wire.h
