src_libwhittle_a_SOURCES += \
	src/text/code.c src/text/code.h src/text/diff.c src/text/diff.h src/text/edit.c src/text/edit.h src/text/spans.c src/text/spans.h \
	src/text/testcase.c src/text/testcase.h
