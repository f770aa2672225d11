src_libwhittle_a_SOURCES +=
