/* whittle hook: the pre-push hook, its installation and its state. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/installed.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/git_config.h"
#include "base/options.h"
#include "cli/reduce_options.h"
#include "hook/hook_list.h"
#include "hook/hook_install.h"
#include "hook/hook_run.h"

struct options {
	const char *dir, *driver, *test, *tokenizer, *budget, *slack, *unchecked;
	uint64_t jobs;
	bool all, help;
};

static const struct option_row rows[] = {
	{ 'C', NULL, "DIR", "change to DIR first", options_set_text,
	  offsetof(struct options, dir) },
	{ 'j', "jobs", "N", "run, check: number of tests at a time (default: the processors)",
	  options_set_count, offsetof(struct options, jobs) },
	{ 0, "driver", "NAME[=PATTERN]", "install: set up this driver for files of this pattern",
	  options_set_text, offsetof(struct options, driver) },
	{ 0, "test", "FILE", "install: test of the driver; it is copied", options_set_text,
	  offsetof(struct options, test) },
	{ 0, "tokenizer", "NAME", "install: tokenizer of the driver", options_set_text,
	  offsetof(struct options, tokenizer) },
	{ 0, "slack", "N", "install: allowed superfluous part of a file, in percent",
	  options_set_text, offsetof(struct options, slack) },
	{ 0, "unchecked", "WHAT", "install: warn or block if a file could not be checked",
	  options_set_text, offsetof(struct options, unchecked) },
	{ 0, "budget", "TIME", "install, check: time for all files of a driver", options_set_text,
	  offsetof(struct options, budget) },
	{ 0, "all", NULL, "check: also check files that are known to be good", options_set_flag,
	  offsetof(struct options, all) },
	{ 'h', "help", NULL, "print this help", options_set_flag, offsetof(struct options, help) },
	{ 0 },
};

static void print_place(const struct hook_installed *i)
{
	if (i->where == HOOK_IN_CONFIG)
		puts("pre-push: installed, in git's configuration (hook.whittle)");
	else if (i->where == HOOK_IN_FILE)
		show_printf(stdout, "pre-push: installed, as %s\n", i->file);
	else if (i->where == HOOK_BY_OTHER)
		show_printf(stdout, "pre-push: installed: %s, and %s calls whittle\n", i->other,
		            i->said_in);
	else if (i->line)
		show_printf(stdout, "pre-push: not installed: %s. To have them run whittle, %s\n",
		            i->other, i->line);
	else
		puts("pre-push: not installed");
	if (i->where == HOOK_IN_FILE && i->before)
		show_printf(stdout, "runs before it: %s\n", i->before);
	else if (i->before)
		show_printf(stdout, "kept by an earlier installation: %s\n", i->before);
}

static int set_up_driver(const struct options *o, struct err *err)
{
	struct hook_setup setup = { .test = o->test,
		                    .tokenizer = o->tokenizer,
		                    .budget = o->budget,
		                    .slack = o->slack,
		                    .unchecked = o->unchecked };
	SCOPED(hook_checkouts_release) struct hook_checkouts checkouts = { 0 };
	SCOPED(hook_set_up_release) struct hook_set_up done = { 0 };
	int rc = hook_setup_parse(&setup, o->driver, err);
	if (rc == 0 && (hook_checkouts_find(&checkouts, err) < 0 ||
	                hook_set_up(&setup, &checkouts, &done, err) < 0))
		rc = -1;
	if (rc == 0)
		show_printf(stdout, "driver %s: test %s, a copy of %s\n", setup.name, done.test,
		            o->test);
	if (rc == 0 && done.attribute) {
		MEM_SCOPED char *line = quote_word(done.attribute);
		printf("To check these files, run this at the top of the work tree:\n    printf "
		       "'%%s\\n' %s >>.gitattributes && git add .gitattributes\n",
		       line);
	}
	free(setup.name);
	return rc;
}

/* What only a driver can have needs one. */
static int check_install(const struct options *o, struct err *err)
{
	const char *const needs[] = { o->test, o->tokenizer, o->budget, o->slack, o->unchecked };
	for (size_t i = 0; !o->driver && i < sizeof needs / sizeof *needs; i++)
		if (needs[i])
			return err_set(err, ERR_USAGE,
			               "hook install: these options need --driver NAME=PATTERN");
	return o->driver && !o->test
	               ? err_set(err, ERR_USAGE, "hook install: --driver needs --test FILE")
	               : 0;
}

static char *shim_file(void)
{
	MEM_SCOPED char *dir = installed_data_dir("hooks");
	return mem_printf("%s/pre-push", dir);
}

static int install(struct options *o, UNUSED char **operands, struct err *err)
{
	SCOPED(hook_installed_release) struct hook_installed installed = { 0 };
	MEM_SCOPED char *exe = io_read_link("/proc/self/exe"), *shim = shim_file();
	int rc = check_install(o, err);
	if (rc == 0 && o->driver)
		rc = set_up_driver(o, err);
	if (rc == 0)
		rc = hook_install(&installed, exe ? exe : "whittle", shim, err);
	if (rc == 0) {
		print_place(&installed);
		rc = installed.where == HOOK_NOWHERE;
	}
	return rc;
}

static int uninstall(UNUSED struct options *o, char **operands, struct err *err)
{
	SCOPED(hook_installed_release) struct hook_installed installed;
	MEM_SCOPED char *shim = shim_file();
	int rc = hook_uninstall(&installed, shim, err);
	(void)operands;
	if (rc == 0 && installed.where == HOOK_NOWHERE)
		print_place(&installed);
	return rc;
}

static void print(const char *line)
{
	show_printf(stdout, "%s\n", line);
}

static int status(UNUSED struct options *o, char **operands, struct err *err)
{
	SCOPED(hook_installed_release) struct hook_installed installed;
	(void)operands;
	int rc = hook_installed_find(&installed, err);
	if (rc == 0) {
		print_place(&installed);
		rc = installed.where == HOOK_NOWHERE;
		rc = hook_overview(print, err) < 0 ? -1 : rc;
	}
	return rc;
}

static int parse_budget(const struct options *o, uint64_t *ns, struct err *err)
{
	const struct option_row row = { .name = "budget" };
	*ns = 0;
	return o->budget ? options_set_duration(ns, &row, o->budget, err) : 0;
}

/* What both below share, into H. */
static int prepare(const struct options *o, struct reduce_options *defaults, struct hook_options *h,
                   struct err *err)
{
	reduce_options_defaults(defaults);
	if (o->jobs)
		defaults->jobs = o->jobs;
	*h = (struct hook_options){ .session = &defaults->session, .say = show_message };
	return fence_config(".", &defaults->session.settings.fence, err) < 0 ||
	                       reduce_options_check(defaults, err) < 0 ||
	                       parse_budget(o, &h->budget_ns, err) < 0
	               ? -1
	               : 0;
}

static int run(struct options *o, char **operands, struct err *err)
{
	struct reduce_options defaults;
	struct hook_options h;
	if (prepare(o, &defaults, &h, err) < 0)
		return -1;
	h.remote = operands[0];
	h.input = STDIN_FILENO;
	return hook_run(&h, err);
}

static int check(struct options *o, char **operands, struct err *err)
{
	struct reduce_options defaults;
	struct hook_options h;
	if (prepare(o, &defaults, &h, err) < 0)
		return -1;
	h.paths = (const char *const *)operands;
	h.all = o->all;
	return hook_check(&h, err);
}

static const struct {
	const char *name;
	int (*run)(struct options *o, char **operands, struct err *err); /* exit code; -1: err */
	int most_operands;
	const char *help;
} actions[] = {
	{ "install", install, 0, "install the pre-push hook (--driver: a driver, too)" },
	{ "uninstall", uninstall, 0, "remove the hook; the earlier hook is restored" },
	{ "status", status, 0, "say where the hook is, what is checked, and what is not" },
	{ "check", check, INT_MAX, "check the files of HEAD, or those that match PATTERN" },
	{ "run", run, 2, "the command of the hook: check what git push announces on its input" },
};

static int help(void)
{
	puts("usage: whittle hook install [--driver NAME=PATTERN --test FILE]\n"
	     "       whittle hook uninstall|status\n"
	     "       whittle hook check [--all] [PATTERN...]\n"
	     "       whittle hook run [OPTIONS] [REMOTE [URL]]\n");
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		printf("  %-10s %s\n", actions[i].name, actions[i].help);
	putchar('\n');
	options_help(rows, NULL);
	return 0;
}

static int act(struct options *o, int argc, char **argv, int first, struct err *err)
{
	if (o->dir && chdir(o->dir) < 0)
		return err_errno(err, "cannot change to %s", o->dir);
	for (size_t i = 0; first < argc && i < sizeof actions / sizeof *actions; i++) {
		if (strcmp(argv[first], actions[i].name))
			continue;
		if (argc - first - 1 > actions[i].most_operands)
			return err_set(err, ERR_USAGE, "hook %s: unexpected argument \"%s\"",
			               actions[i].name, argv[first + 1 + actions[i].most_operands]);
		return actions[i].run(o, argv + first + 1, err);
	}
	return err_set(err, ERR_USAGE,
	               "hook needs one of install, uninstall, status, check, run (see whittle hook "
	               "--help)");
}

int cmd_hook(int argc, char **argv)
{
	struct err err;
	struct options o = { 0 };
	int first = options_parse(rows, argc, argv, &o, &err);
	if (first >= 0 && o.help)
		return help();
	int rc = first < 0 ? -1 : act(&o, argc, argv, first, &err);
	return rc < 0 ? command_fail(&err) : rc;
}
