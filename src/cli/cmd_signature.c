/* whittle signature: what identifies a failure in the output of a program. */
#include <stdio.h>

#include "ask/outcome.h"
#include "ask/signature.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "base/options.h"
#include "base/show.h"
#include "first/attributes.h"

struct request {
	bool help, list;
	const char *own; /* name of the test case, whose frames do not count */
};

static const struct option_row rows[] = {
	{ 0, "own", "FILE", "ignore frames in files of this name, that of the test case",
	  options_set_text, offsetof(struct request, own) },
	{ 0, "list", NULL, "list the families of signatures and what they find", options_set_flag,
	  offsetof(struct request, list) },
	{ 'h', "help", NULL, "print this help", options_set_flag, offsetof(struct request, help) },
	{ 0 },
};

static int show(const struct families *all, const struct request *r, const struct buf *text,
                const char *ended)
{
	const char *own[] = { r->own ? r->own : "", NULL };
	struct signature found;
	if (ended)
		printf("%s\n", ended);
	if (!families_find(all, text->data ? text->data : "", text->len, own, &found)) {
		puts("no signature: nothing in the output identifies the failure");
		return ERR_TEST;
	}
	show_printf(stdout, "%s: %s\n", family_name(found.family), found.text);
	free(found.text);
	return 0;
}

static int show_command(const struct families *all, const struct request *r, char **argv,
                        struct err *err)
{
	SCOPED(outcome_release) struct outcome o = { 0 };
	const struct outcome_limits none = { 0 };
	char ended[64];
	int rc = outcome_run(argv, &none, &o, err);
	if (rc == 0) {
		outcome_describe(&o, ended, sizeof ended);
		buf_add(&o.err, "\n", 1);
		buf_add(&o.err, o.out.data, o.out.len);
		rc = show(all, r, &o.err, ended);
	} else {
		rc = command_fail(err);
	}
	return rc;
}

static int show_file(const struct families *all, const struct request *r, const char *path,
                     struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = io_read_file(strcmp(path, "-") ? path : "/dev/stdin", &text, err);
	if (rc < 0)
		err_as(err, ERR_USAGE);
	rc = rc < 0 ? command_fail(err) : show(all, r, &text, NULL);
	return rc;
}

static int answer(void)
{
	puts("usage: whittle signature [OPTIONS] FILE|-\n"
	     "       whittle signature [OPTIONS] -- COMMAND [ARGUMENT...]\n"
	     "\n"
	     "Shows what identifies a failure in the output of COMMAND, or in the output saved\n"
	     "in FILE: the significant line and frames, with everything masked that changes\n"
	     "from run to run. See whittle-signature(5).\n");
	options_help(rows, NULL);
	return 0;
}

static int list(const struct families *all)
{
	for (size_t i = 0; i < families_count(all); i++)
		show_printf(stdout, "%-12s %s\n", family_name(families_get(all, i)),
		            family_about(families_get(all, i)));
	return 0;
}

int cmd_signature(int argc, char **argv)
{
	struct err err = { 0 };
	struct request r = { 0 };
	bool runs = false;
	for (int i = 1; i < argc && !runs; i++)
		runs = !strcmp(argv[i], "--");
	int first = options_parse(rows, argc, argv, &r, &err);
	if (first < 0)
		return command_fail(&err);
	if (r.help)
		return answer();
	SCOPED(families_scoped) struct families *all = families_load(signature_dirs_for("."), &err);
	int rc;
	if (!all)
		rc = command_fail(&err);
	else if (r.list)
		rc = list(all);
	else if (first >= argc || (!runs && argc - first != 1)) {
		err_set(&err, ERR_USAGE,
		        "signature: one FILE (- for standard input), or -- and a COMMAND, is "
		        "needed "
		        "(see whittle signature --help)");
		rc = command_fail(&err);
	} else
		rc = runs ? show_command(all, &r, argv + first, &err)
		          : show_file(all, &r, argv[first], &err);
	return rc;
}
