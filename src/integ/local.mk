src_libwhittle_a_SOURCES += \
	src/integ/bisect.h \
	src/integ/bisect_helper.c src/integ/bisect_helper.h \
	src/integ/bisect_input.c src/integ/bisect_input.h \
	src/integ/bisect_judge.c src/integ/bisect_judge.h \
	src/integ/bisect_git.c src/integ/bisect_git.h

src_libwhittle_a_SOURCES += \
	src/integ/git.c src/integ/git.h \
	src/integ/hook_config.c src/integ/hook_config.h \
	src/integ/hook_files.c src/integ/hook_files.h \
	src/integ/hook_install.c src/integ/hook_install.h \
	src/integ/hook_judge.c src/integ/hook_judge.h \
	src/integ/hook_range.c src/integ/hook_range.h \
	src/integ/hook_run.c src/integ/hook_run.h \
	src/integ/hook_seen.c src/integ/hook_seen.h \
	src/integ/hook_stop.c src/integ/hook_stop.h \
	src/integ/hook_test.c src/integ/hook_test.h \
	src/integ/hook_updates.c src/integ/hook_updates.h
