/* whittle hook: the pre-push hook, its installation and its state. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/reduce_options.h"
#include "integ/hook_config.h"
#include "integ/hook_install.h"
#include "integ/hook_run.h"
#include "integ/hook_test.h"

struct options {
	const char *dir;
	uint64_t jobs;
	bool help;
};

static const struct option_row rows[] = {
	{ 'C', NULL, "DIR", "as if started in DIR", options_set_text,
	  offsetof(struct options, dir) },
	{ 'j', "jobs", "N", "run: tests at a time (default: the processors this process may use)",
	  options_set_count, offsetof(struct options, jobs) },
	{ 'h', "help", NULL, "print this help", options_set_flag, offsetof(struct options, help) },
	{ 0 },
};

static void say(const char *line)
{
	fprintf(stderr, "whittle: %s\n", line);
}

static void print_place(const struct hook_installed *i)
{
	if (i->where == HOOK_IN_CONFIG)
		puts("pre-push: installed, in git's configuration (hook.whittle)");
	else if (i->where == HOOK_IN_FILE)
		printf("pre-push: installed, as %s\n", i->file);
	else
		puts("pre-push: not installed");
	if (i->where == HOOK_IN_FILE && i->before)
		printf("runs before it: %s\n", i->before);
	else if (i->before)
		printf("kept by an earlier installation: %s\n", i->before);
}

static int install(struct options *o, char **operands, struct err *err)
{
	struct hook_installed installed;
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = '\0';
	char *dir = command_data_dir("hooks"), *shim = mem_printf("%s/pre-push", dir);
	int rc = hook_install(&installed, n > 0 ? exe : "whittle", shim, err);
	(void)o;
	(void)operands;
	if (rc == 0)
		print_place(&installed);
	hook_installed_release(&installed);
	free(shim);
	free(dir);
	return rc;
}

static int uninstall(struct options *o, char **operands, struct err *err)
{
	struct hook_installed installed;
	int rc = hook_uninstall(&installed, err);
	(void)o;
	(void)operands;
	if (rc == 0 && installed.where == HOOK_NOWHERE)
		print_place(&installed);
	hook_installed_release(&installed);
	return rc;
}

static void print_driver(const struct hook_config *config, const struct hook_places *places,
                         const struct hook_driver *d)
{
	struct err err;
	struct hash id;
	char *test = d->test ? hook_test_find(places, d, &id, &err) : NULL;
	printf("driver %s: ", d->name);
	if (test)
		printf("test %s, tokenizer %s, budget %.3g s, slack %u %%, unchecked: %s\n", test,
		       d->tokenizer ? d->tokenizer : "by the file", (double)d->budget_ns / 1e9,
		       d->slack, hook_config_blocks(config, d->name) ? "block" : "warn");
	else if (d->test)
		printf("%s\n", err.msg);
	else
		printf("without a test (git config whittle.%s.test PATH)\n", d->name);
	free(test);
}

static int status(struct options *o, char **operands, struct err *err)
{
	struct hook_installed installed;
	struct hook_config config = { 0 };
	struct hook_places places = { 0 };
	(void)o;
	(void)operands;
	int rc = hook_installed_find(&installed, err);
	if (rc == 0 && (hook_config_load(&config, err) < 0 || hook_places_find(&places, err) < 0))
		rc = -1;
	if (rc == 0) {
		print_place(&installed);
		printf("mode: %s\n", hook_mode_name(config.mode));
		rc = installed.where == HOOK_NOWHERE;
	}
	for (size_t i = 0; rc >= 0 && i < config.n; i++)
		print_driver(&config, &places, &config.drivers[i]);
	hook_places_release(&places);
	hook_config_release(&config);
	hook_installed_release(&installed);
	return rc;
}

static int run(struct options *o, char **operands, struct err *err)
{
	struct reduce_options defaults;
	reduce_options_defaults(&defaults);
	if (o->jobs)
		defaults.jobs = o->jobs;
	if (reduce_options_check(&defaults, err) < 0)
		return -1;
	struct hook_options h = { .session = &defaults.session,
		                  .remote = operands[0],
		                  .input = STDIN_FILENO,
		                  .say = say };
	return hook_run(&h, err);
}

static const struct {
	const char *name;
	int (*run)(struct options *o, char **operands, struct err *err); /* exit code; -1: err */
	int most_operands;
	const char *help;
} actions[] = {
	{ "install", install, 0,
	  "put the pre-push hook in place; a hook that is there stays and runs first" },
	{ "uninstall", uninstall, 0, "remove it; the hook that was there before is restored" },
	{ "status", status, 0, "say where it is, what it does, and which drivers there are" },
	{ "run", run, 2,
	  "what the hook runs: check the files whose pushing git announces on standard input" },
};

static int help(void)
{
	puts("usage: whittle hook install|uninstall|status\n       whittle hook run [OPTIONS] "
	     "[REMOTE [URL]]\n");
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		printf("  %-10s %s\n", actions[i].name, actions[i].help);
	putchar('\n');
	options_help(rows);
	return 0;
}

static int act(struct options *o, int argc, char **argv, int first, struct err *err)
{
	if (o->dir && chdir(o->dir) < 0)
		return err_errno(err, "cannot go to %s", o->dir);
	for (size_t i = 0; first < argc && i < sizeof actions / sizeof *actions; i++) {
		if (strcmp(argv[first], actions[i].name))
			continue;
		if (argc - first - 1 > actions[i].most_operands)
			return err_set(err, ERR_USAGE, "hook %s: unexpected argument \"%s\"",
			               actions[i].name, argv[first + 1 + actions[i].most_operands]);
		return actions[i].run(o, argv + first + 1, err);
	}
	return err_set(
		err, ERR_USAGE,
		"hook needs one of install, uninstall, status, run (see whittle hook --help)");
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
