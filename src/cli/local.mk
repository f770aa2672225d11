src_whittle_SOURCES += \
	src/cli/cmd_bisect.c src/cli/cmd_completion.c src/cli/cmd_diff.c src/cli/cmd_hook.c src/cli/cmd_list.c \
	src/cli/cmd_log.c src/cli/cmd_prune.c src/cli/cmd_reduce.c src/cli/cmd_report.c src/cli/cmd_restore.c \
	src/cli/cmd_resume.c src/cli/cmd_show.c src/cli/cmd_signature.c src/cli/cmd_status.c src/cli/cmd_tokens.c \
	src/cli/cmd_worker.c src/cli/commands.h src/cli/git_config.c src/cli/git_config.h src/cli/jobs.c \
	src/cli/jobs.h src/cli/main.c src/cli/named.c src/cli/named.h \
	src/cli/now.c src/cli/now.h src/cli/others.c src/cli/others.h src/cli/pager.c src/cli/pager.h \
	src/cli/reduce_options.c src/cli/reduce_options.h \
	src/cli/resume_kept.c src/cli/resume_kept.h src/cli/stored.c src/cli/stored.h src/cli/stored_place.c \
	src/cli/stored_place.h src/cli/version.c
