src_whittle_SOURCES += \
	src/cli/cmd_reduce.c src/cli/cmd_tokens.c \
	src/cli/commands.h \
	src/cli/main.c \
	src/cli/options.c src/cli/options.h \
	src/cli/reduce_options.c src/cli/reduce_options.h
