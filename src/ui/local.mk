src_libwhittle_a_SOURCES += \
	src/ui/events.c src/ui/events.h \
	src/ui/progress.c src/ui/progress.h \
	src/ui/report.c src/ui/report.h
