src_libwhittle_a_SOURCES += \
	src/hook/hook_apart.c src/hook/hook_apart.h src/hook/hook_config.c src/hook/hook_config.h \
	src/hook/hook_files.c src/hook/hook_files.h src/hook/hook_finding.h \
	src/hook/hook_install.c src/hook/hook_install.h src/hook/hook_judge.c src/hook/hook_judge.h \
	src/hook/hook_overview.c src/hook/hook_overview.h src/hook/hook_plan.c src/hook/hook_plan.h \
	src/hook/hook_range.c src/hook/hook_range.h src/hook/hook_run.c src/hook/hook_run.h \
	src/hook/hook_say.c src/hook/hook_say.h src/hook/hook_seen.c src/hook/hook_seen.h \
	src/hook/hook_setup.c src/hook/hook_setup.h src/hook/hook_test.c src/hook/hook_test.h \
	src/hook/hook_text.c src/hook/hook_text.h src/hook/hook_unchecked.c src/hook/hook_unchecked.h \
	src/hook/hook_updates.c src/hook/hook_updates.h
