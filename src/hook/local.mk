src_libwhittle_a_SOURCES += \
	 src/hook/hook_install.c src/hook/hook_install.h \
	src/hook/hook_judge.c src/hook/hook_judge.h src/hook/hook_list.c src/hook/hook_list.h \
	src/hook/hook_pushed.c src/hook/hook_pushed.h src/hook/hook_run.c src/hook/hook_run.h
