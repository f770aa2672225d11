src_libwhittle_a_SOURCES += \
	src/external/external.c src/external/external.h \
	src/external/external_host.c src/external/external_host.h \
	src/external/external_result.c src/external/external_result.h
