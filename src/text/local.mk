src_libwhittle_a_SOURCES += \
	src/text/edit.c src/text/edit.h \
	src/text/testcase.c src/text/testcase.h
