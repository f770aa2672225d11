src_libwhittle_a_SOURCES += \
	src/reduce/driver.c src/reduce/driver.h \
	src/reduce/input.c src/reduce/input.h \
	src/reduce/keep.c src/reduce/keep.h \
	src/reduce/output.c src/reduce/output.h \
	src/reduce/plan.c src/reduce/plan.h \
	src/reduce/probe.c src/reduce/probe.h \
	src/reduce/reducer.c src/reduce/reducer.h \
	src/reduce/session.c src/reduce/session.h \
	src/reduce/settings.c src/reduce/settings.h
