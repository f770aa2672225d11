src_libwhittle_a_SOURCES += \
	src/integ/git.c src/integ/git.h
