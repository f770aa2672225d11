src_libwhittle_a_SOURCES += \
	src/ui/curve.c src/ui/curve.h src/ui/ending.c src/ui/ending.h src/ui/events.c src/ui/events.h src/ui/grid.c \
	src/ui/grid.h src/ui/live.c src/ui/live.h src/ui/live_change.c src/ui/live_change.h \
	 src/ui/live_draw.c src/ui/live_draw.h src/ui/live_model.c src/ui/live_model.h \
	 src/ui/progress.c src/ui/progress.h src/ui/report.c \
	src/ui/report.h src/ui/report_output.c src/ui/report_title.c src/ui/report_output.h src/ui/report_title.h src/ui/screen.c src/ui/screen.h src/ui/status_file.c src/ui/status_file.h src/ui/waiting.c \
	src/ui/waiting.h
