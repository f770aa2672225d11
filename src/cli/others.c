#include "cli/others.h"

#include <sys/wait.h>

#include "ask/signature.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "first/ask.h"
#include "first/attributes.h"
#include "cli/commands.h"
#include "base/options.h"
#include "reduce/session.h"
#include "reduce/session_also.h"

int others_set(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct others *o = (struct others *)((char *)target + row->offset);
	const char *end;
	o->text = text;
	if (other_parse(&o->wish, text, &end) == 0 && !*end)
		return 0;
	return err_set(err, ERR_USAGE,
	               "option --%s: \"%s\" is not any, or exit statuses from 1 to 255, separated "
	               "by commas",
	               row->name, text);
}

/* The condition in the file of a test; false: it is another program. */
static bool read_condition(const char *test, struct condition *c)
{
	BUF_SCOPED struct buf text = { 0 };
	*c = (struct condition){ 0 };
	bool is = io_read_file(test, &text, NULL) == 0 && text.len &&
	          !memchr(text.data, '\0', text.len) && strstr(text.data, "\nwhittle-test ");
	is = is && condition_parse(c, text.data, NULL) == 0;
	return is;
}

static char *argument_of(const struct others *o, const char *file)
{
	struct buf b = { 0 };
	buf_addf(&b, "--also=%s", o->text);
	for (const char *const *dir = signature_dirs_for(file); *dir; dir++)
		buf_addf(&b, "\n%s", *dir);
	return b.data;
}

int others_begin(struct others *o, struct session_options *s, struct err *err)
{
	struct condition c;
	if (!o->text)
		return 0;
	o->is_condition = read_condition(s->test, &c);
	condition_release(&c);
	if (s->store.none)
		return err_set(err, ERR_USAGE, "options --also and --no-store exclude each other");
	if (o->wish.any && !o->is_condition)
		return err_set(err, ERR_USAGE,
		               "option --also any needs a command (whittle FILE -- COMMAND); for a "
		               "test, name the exit statuses");
	if (o->is_condition) {
		o->args[0] = argument_of(o, s->file);
		s->tests.args = (const char *const *)o->args;
	}
	for (int i = 2; i < 256; i++)
		o->statuses[i] = o->is_condition
		                         ? i >= OTHER_SIGNATURE && i < OTHER_STATUS + OTHER_STATUSES
		                         : o->wish.statuses[i];
	o->statuses[1] = !o->is_condition && o->wish.statuses[1];
	s->tests.also = o->statuses;
	return 0;
}

/* ---- one of them ---- */

/* How the command ended and what it said, one line without control characters; the caller's. */
static char *about(const struct other *other)
{
	char how[64];
	const struct outcome o = { .status = other->status };
	outcome_describe(&o, how, sizeof how);
	MEM_SCOPED char *said = other->signature ? show_text(other->signature) : NULL;
	return said ? mem_printf("%s, “%s”", how, said) : mem_strdup(how);
}

/* The family of signatures that is called NAME becomes that of C; none: false. */
static bool take_family(struct condition *c, const char *name, const char *file)
{
	SCOPED(families_scoped)
	struct families *all = families_load(signature_dirs_for(file), NULL);
	for (size_t i = 0; all && i < families_count(all) && !c->family; i++)
		if (!strcmp(family_name(families_get(all, i)), name)) {
			c->family = families_text(all, families_get(all, i));
			c->family_name = mem_strdup(name);
		}
	return c->family;
}

/* The test that asks C's command for this failure; the caller's, NULL: there is none. */
static char *test_for(const struct condition *c, const struct other *other, const char *file)
{
	struct err err;
	bool signalled = WIFSIGNALED(other->status);
	struct condition its = { .words = c->words,
		                 .shell = c->shell,
		                 .limit_ns = c->limit_ns,
		                 .valid = c->valid,
		                 .ended = signalled ? ENDED_SIGNAL : ENDED_STATUS,
		                 .number = signalled ? WTERMSIG(other->status)
		                                     : WEXITSTATUS(other->status),
		                 .signature = other->signature };
	char *path = !other->signature || take_family(&its, other->family, file)
	                     ? ask_write_test(&its, &err)
	                     : NULL;
	free(its.family);
	free(its.family_name);
	return path;
}

/* 1: it is kept; -1: it cannot be, which has been said. */
static int keep(struct session *s, const struct testcase *tc, const char *test, const char *what)
{
	struct err err = { 0 };
	MEM_SCOPED char *real = realpath(test, NULL);
	const struct session_other one = { .tc = tc, .test = real ? real : test, .about = what };
	int rc = session_keep_other(s, &one, &err);
	if (rc < 0) {
		err_context(&err, "cannot keep another failure");
		show_message(err.msg);
	}
	return rc < 0 ? -1 : 1;
}

/* Asks the command of a condition once more. 1: it is another failure still, and is kept; 0; -1. */
static int keep_of_condition(const struct others *o, struct session *s, const struct condition *c,
                             const struct testcase *tc)
{
	MEM_SCOPED char *judge = ask_judge_program(), *output = NULL;
	const char *const words[] = { judge, "--other", session_options(s)->test, o->args[0],
		                      NULL };
	struct answer answer;
	struct err err;
	SCOPED(other_release) struct other other = { 0 };
	int kept = 0;
	if (session_ask_about(s, words, tc, &answer, &output, &err) == 0 &&
	    other_read(&other, output) == 0) {
		MEM_SCOPED char *test = test_for(c, &other, session_options(s)->file),
				*what = about(&other);
		kept = test ? keep(s, tc, test, what) : -1;
	}
	return kept;
}

/* A test that says with this status that it has seen something else. */
static int keep_of_program(struct session *s, const struct also_seen *seen)
{
	struct err err;
	MEM_SCOPED char *program = realpath(session_options(s)->test, NULL);
	if (!program)
		return -1;
	BUF_SCOPED struct buf text = { 0 };
	buf_addf(&text, "#!/bin/sh\n# Says yes when the test exits with %d.\n", seen->status);
	quote_add(&text, program);
	buf_addf(&text, " \"$@\"\n[ $? = %d ]\n", seen->status);
	MEM_SCOPED char *test = ask_write_text(text.data, &err),
			*what = mem_printf("exit status %d", seen->status);
	return test ? keep(s, seen->tc, test, what) : -1;
}

static void say(const struct session *s, size_t n)
{
	const struct session_options *o = session_options(s);
	BUF_SCOPED struct buf command = { 0 };
	buf_addf(&command, "whittle log ");
	quote_add_if_needed(&command,
	                    o->store.name || o->store.repository ? session_name(s) : o->file);
	buf_addf(&command, " --also");
	if (o->store.repository) {
		buf_addf(&command, " --store ");
		quote_add_if_needed(&command, o->store.repository);
	}
	buf_addch(&command, '\0');
	MEM_SCOPED char *note = mem_printf("also seen: %zu other failure%s:", n, show_s(n));
	show_note(note, command.data);
}

void others_end(const struct others *o, struct session *s, struct others_end end)
{
	struct condition c = { 0 };
	size_t n, kept = 0;
	bool failed = false;
	const struct also_seen *seen = session_also(s, &n);
	if (!seen || !session_name(s))
		return;
	bool is_condition = n && read_condition(session_options(s)->test, &c);
	for (size_t i = 0; i < n; i++) {
		int rc = is_condition ? keep_of_condition(o, s, &c, seen[i].tc)
		                      : keep_of_program(s, &seen[i]);
		kept += rc > 0;
		failed = failed || rc < 0;
	}
	condition_release(&c);
	if (end.finished && !failed)
		session_also_forget(s);
	if (kept && !end.quiet)
		say(s, kept);
}
