#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/work.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/stored.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
};

static const struct command commands[] = {
	{ "reduce", cmd_reduce, "make FILE small while TEST exits with 0 (the default)" },
	{ "resume", cmd_resume, "resume a reduction by its name, or branch off from a snapshot" },
	{ "check", cmd_check, "check whether TEST can be used on FILE" },
	{ "tokens", cmd_tokens, "show the tokens and the bracket tree of FILE" },
	{ "signature", cmd_signature, "show what identifies a failure in the output of a program" },
	{ "bisect", cmd_bisect, "find the commit that introduced the bug" },
	{ "hook", cmd_hook, "check or minimize the reproductions that git push sends" },
	{ "status", cmd_status, "show what a reduction is doing, or how it ended" },
	{ "list", cmd_list, "list the reductions of this repository or directory" },
	{ "log", cmd_log, "list the steps of a reduction" },
	{ "show", cmd_show, "print a snapshot" },
	{ "diff", cmd_diff, "show what changed between two snapshots" },
	{ "report", cmd_report, "write a reduction as a page, a bug report, or data" },
	{ "restore", cmd_restore, "put a snapshot back in place" },
	{ "prune", cmd_prune, "save space: keep originals and results, drop what is in between" },
	{ "worker", cmd_worker, "run tests for whittle --workers on another machine" },
	{ "completion", cmd_completion, "print the completion script for bash, zsh or fish" },
};

const char *command_name(size_t i, const char **help)
{
	if (i >= sizeof commands / sizeof *commands)
		return NULL;
	if (help)
		*help = commands[i].help;
	return commands[i].name;
}

int command_fail(const struct err *err)
{
	show_message(err->msg);
	return (int)err->code;
}

static int help(void)
{
	puts("usage: whittle [reduce] [OPTIONS] TEST FILE...\n"
	     "       whittle [reduce] [OPTIONS] FILE... -- COMMAND");
	for (size_t i = 1; i < sizeof commands / sizeof *commands; i++)
		printf("       whittle %s ...\n", commands[i].name);
	putchar('\n');
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		printf("  %-11s %s\n", commands[i].name, commands[i].help);
	puts("\n`whittle COMMAND --help` lists the options; whittle(1) is the manual.");
	return 0;
}

/* Limits of the shell under which nothing would work: better a word than a signal. */
static int check_ulimits(struct err *err)
{
	enum { STACK = 256 << 10 };
	struct rlimit l;
	if (getrlimit(RLIMIT_STACK, &l) == 0 && l.rlim_cur < STACK)
		return err_set(err, ERR_SYSTEM,
		               "the stack is limited to %llu KB (ulimit -s), but %d KB are needed",
		               (unsigned long long)l.rlim_cur >> 10, STACK >> 10);
	if (getrlimit(RLIMIT_FSIZE, &l) == 0 && l.rlim_cur == 0)
		return err_set(err, ERR_SYSTEM,
		               "cannot write files: their size is limited to 0 (ulimit -f)");
	return 0;
}

/* Is there a page of the manual whittle-WORD? */
static bool is_page(const char *word)
{
	static const char *const pages[] = { "as",        "cookbook", "display",   "events",
		                             "fence",     "git",      "live",      "make",
		                             "migration", "passes",   "snapshots", "tokenizer",
		                             "tutorial",  "workers",  NULL };
	return mem_place_of(pages, word) >= 0;
}

/* What others call what a command does, or nothing that a command does. NULL: another word. */
static const char *other_word(const char *word)
{
	static const char restore[] = "`whittle restore NAME:STEP` puts a snapshot back",
			  stop[] = "to stop a reduction, press q or Ctrl-C where it runs, or end "
				   "its process (`whittle list`)",
			  prune[] = "`whittle prune --delete NAME` removes a reduction";
	static const struct {
		const char *word, *answer;
	} rows[] = {
		{ "undo", restore },
		{ "revert", restore },
		{ "stop", stop },
		{ "quit", stop },
		{ "abort", stop },
		{ "pause", stop },
		{ "continue", "`whittle resume` goes on with a reduction" },
		{ "history", "`whittle log` lists the steps" },
		{ "delete", prune },
		{ "remove", prune },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(word, rows[i].word))
			return rows[i].answer;
	return NULL;
}

/* Is WORD, which is no file that could be the test, close to a command? Then err says so. ASKED: it
 * can be nothing else. */
static bool is_mistyped(const char *word, bool asked, struct err *err)
{
	char question[80];
	struct near n = near_begin(word, strlen(word));
	if (*word == '-' || (!asked && (strchr(word, '/') || access(word, F_OK) == 0)))
		return false;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		near_offer(&n, commands[i].name);
	const char *answer = other_word(word);
	if (!near_found(&n) && !answer && !asked)
		return false;
	if (answer)
		err_set(err, ERR_USAGE, "there is no command%s \"%s\"; %s", asked ? "" : " or test",
		        word, answer);
	else if (asked && is_page(word))
		err_set(err, ERR_USAGE,
		        "there is no command \"%s\", but a page of the manual: man whittle-%s",
		        word, word);
	else
		err_set(err, ERR_USAGE, "there is no command%s \"%s\"%s", asked ? "" : " or test",
		        word, near_question(&n, "", question, sizeof question));
	return true;
}

static int run(int argc, char **argv)
{
	struct err err = { 0 };
	if (argc == 2 &&
	    (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")))
		return help();
	if (argc == 2 && !strcmp(argv[1], "--version"))
		return command_version();
	if (check_ulimits(&err) < 0)
		return command_fail(&err);
	bool asks = argc == 3 && !strcmp(argv[1], "help"); /* as "COMMAND --help" does */
	char *words[] = { argc > 2 ? argv[2] : NULL, (char[]){ "--help" }, NULL };
	for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(argv[1 + asks], commands[i].name))
			return asks ? commands[i].run(2, words)
			            : commands[i].run(argc - 1, argv + 1);
	if (argc > 1 && is_mistyped(argv[1 + asks], asks, &err))
		return command_fail(&err);
	return cmd_reduce(argc, argv);
}

/* What could not be printed is a failure; a closed pipe is not. */
static int check_output(int code)
{
	errno = 0;
	bool failed = fflush(stdout) != 0 || ferror(stdout);
	if (code != 0 || !failed || errno == EPIPE)
		return code;
	errno = errno ? errno : EIO;
	struct err err;
	err_errno(&err, "cannot write to standard output");
	return command_fail(&err);
}

/* From now on glibc keeps what is freed, up to twice as much, for what is allocated next. Else it
 * gives memory back and takes it again for one answer of a test after the other. */
static void keep_memory(void)
{
	enum { BLOCK = 4 << 20 };
	free(mem_alloc(BLOCK));
}

/* A umask that keeps the owner out would keep us out of the directories that we make. */
static void keep_access(void)
{
	umask(umask(0) & ~(mode_t)S_IRWXU);
}

int main(int argc, char **argv)
{
	io_fill_standard();
	keep_access();
	json_set_alloc_funcs(mem_alloc,
	                     free); /* no answer is taken for nonsense for want of memory */
	keep_memory();
	int code = check_output(run(argc, argv));
	if (work_was_left()) /* what was lost with it is no leak to be looked for */
		_exit(code);
	return code;
}
