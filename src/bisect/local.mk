src_libwhittle_a_SOURCES += \
	src/bisect/bisect.c src/bisect/bisect.h \
	src/bisect/bisect_helper.c src/bisect/bisect_judges.c \
	src/bisect/bisect_judges.h src/bisect/bisect_tree.c \
	src/bisect/bisect_tree.h src/bisect/bisection.c src/bisect/bisection.h
