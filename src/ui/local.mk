src_libwhittle_a_SOURCES += \
	src/ui/curve.c src/ui/curve.h \
	src/ui/events.c src/ui/events.h \
	src/ui/progress.c src/ui/progress.h \
	src/ui/pulse.c src/ui/pulse.h \
	src/ui/report.c src/ui/report.h
