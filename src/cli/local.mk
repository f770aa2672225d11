src_whittle_SOURCES += \
	src/cli/main.c
