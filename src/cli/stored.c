#include "cli/stored.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "base/options.h"
#include "base/quote.h"
#include "store/history.h"
#include "ui/status_file.h"

static bool is_step(const char *text)
{
	return !strcmp(text, "last") || (*text && !text[strspn(text, "0123456789")]);
}

/* A step behind a name is one word with it. */
static int too_many(const struct stored_usage *u, char **operands, struct err *err)
{
	int len = (int)strcspn(u->usage, " ");
	BUF_SCOPED struct buf right = { 0 };
	if (is_step(operands[1]) && !strchr(operands[0], ':')) {
		MEM_SCOPED char *spec = mem_printf("%s:%s", operands[0], operands[1]);
		MEM_SCOPED char *word = quote_word(spec);
		buf_addf(&right, "; a step is NAME:STEP: `whittle %.*s %s", len, u->usage, word);
		for (int i = 2; i <= u->most; i++) {
			MEM_SCOPED char *more = quote_word(operands[i]);
			buf_addf(&right, " %s", more);
		}
		buf_addf(&right, "`");
	}
	return err_set(err, ERR_USAGE, "%.*s takes %s%s", len, u->usage, u->takes,
	               right.len ? (const char *)right.data : "");
}

int stored_parse(const struct stored_usage *u, int argc, char **argv, struct stored_options *o,
                 struct err *err)
{
	int first = options_parse(u->rows, argc, argv, o, err);
	if (first < 0)
		return -1;
	if (o->help) {
		printf("usage: whittle %s\n\n", u->usage);
		options_help(u->rows, NULL);
		return 0;
	}
	if (o->dir && chdir(o->dir) < 0)
		return err_errno(err, "cannot change to %s", o->dir);
	if (u->most >= 0 && argc - first > u->most)
		return too_many(u, argv + first, err);
	return first;
}

const char *stored_state(const struct reduction_info *info)
{
	if (info->damaged)
		return "damaged";
	if (info->owner)
		return "running";
	if (info->also)
		return "also seen";
	if (info->last.kind == STEP_FINISHED)
		return "finished";
	MEM_SCOPED char *path =
		mem_printf("%s/whittle/%s/" STATUS_FILE_LEAF, info->common, info->name);
	struct status_file status_file;
	bool killed = status_file_read(path, &status_file) && status_file_was_killed(&status_file);
	return killed ? "killed" : "stopped";
}

int stored_finish(struct err *err)
{
	return fflush(stdout) == EOF || ferror(stdout)
	               ? err_errno(err, "cannot write to standard output")
	               : 0;
}

int stored_run(const struct stored_usage *usage, int argc, char **argv,
               int (*act)(struct reduction *r, const struct stored_options *o, struct err *err))
{
	struct stored_options o = { 0 };
	struct err err;
	int first = stored_parse(usage, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first < 0)
		return command_fail(&err);
	o.first = argv[first];
	o.second = first + 1 < argc ? argv[first + 1] : NULL;
	SCOPED(reduction_close) struct reduction r;
	int rc = reduction_open(&r, ".", o.store, argv[first], &err);
	if (rc == 0)
		rc = act(&r, &o, &err);
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
