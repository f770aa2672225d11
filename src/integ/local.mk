src_libwhittle_a_SOURCES += \
	src/integ/bisect.h \
	src/integ/bisect_helper.c src/integ/bisect_helper.h \
	src/integ/bisect_input.c src/integ/bisect_input.h \
	src/integ/bisect_judge.c src/integ/bisect_judge.h \
	src/integ/bisect_git.c src/integ/bisect_git.h

src_libwhittle_a_SOURCES += \
	src/integ/git.c src/integ/git.h
