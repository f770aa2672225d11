/* whittle resume: resumes a reduction by its name, or branches off from one of its snapshots.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/named.h"
#include "cli/now.h"
#include "cli/reduce_options.h"
#include "cli/resume_kept.h"
#include "cli/stored_place.h"
#include "disk/aside.h"
#include "disk/input.h"
#include "first/attributes.h"
#include "reduce/session_store.h"
#include "reduce/settings.h"
#include "store/history.h"
#include "text/testcase.h"

/* What the options of a resumed session point to, apart from the command line. */
struct resume {
	struct reduction r;
	struct reduce_options o;
	char *settings, *test, *out, *name, *tokenizer, *external, *spans, *command, *needs;
	struct stored_place place;
	const char **files; /* the paths of its operands */
};

/* A tokenizer or spans that were a file: where that was on this machine, unless the command line
 * names another place. That it is the same is seen when the settings are compared. */
static int find_files(struct resume *c, struct err *err)
{
	struct settings *settings = &c->o.session.settings;
	const struct {
		const char **named, *leaf, *what, *option;
		char **path;
	} rows[] = { { &settings->tokenizer, SESSION_STORE_TOKENIZER, "tokenizer", "-t",
		       &c->tokenizer },
		     { &settings->spans, SESSION_STORE_SPANS, "spans", "--spans", &c->spans } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *kept = *rows[i].named, *what = rows[i].what;
		if (!kept || strncmp(kept, SETTINGS_FILE, strlen(SETTINGS_FILE)))
			continue;
		char *path = reduction_local(&c->r, rows[i].leaf);
		*rows[i].named = *rows[i].path = path;
		if (!path || access(path, R_OK) < 0)
			return err_set(err, ERR_USAGE,
			               "reduction '%s' uses a %s file, which is not at %s; name it "
			               "with %s FILE",
			               c->r.location.name, what, path ? path : "any known path",
			               rows[i].option);
	}
	return 0;
}

/* Options as they were, then what the command line changes. */
static int take_options(struct resume *c, int argc, char **argv, struct err *err)
{
	const char *name = c->r.location.name;
	reduce_options_defaults(&c->o);
	if (!(c->settings = reduction_options(&c->r, err)))
		return -1;
	if (settings_parse(&c->o.session.settings, c->settings, err) < 0)
		return err_context(err, "reduction '%s' cannot be resumed", name);
	const struct settings kept = c->o.session.settings;
	c->o.session.settings.no_external = false;
	resume_take_life(&c->r, &c->o.session);
	if (reduce_options_change(&c->o, argc, argv, err) < 0 ||
	    reduce_options_check(&c->o, err) < 0)
		return -1;
	c->o.session.settings.no_external |= kept.no_external && !c->o.session.external.n;
	if (resume_take_external(&c->r, &c->o.session, &c->external, err) < 0 ||
	    find_files(c, err) < 0)
		return -1;
	if (c->r.step_given && settings_share_verdicts(&kept, &c->o.session.settings))
		c->o.session.store.based_on = name;
	if (c->o.session.store.fresh || c->o.session.store.fresh_if_changed ||
	    c->o.session.store.none)
		return err_set(err, ERR_USAGE,
		               "resume cannot start over; use `whittle --fresh TEST FILE`");
	if (c->o.session.store.name && !c->r.step_given)
		return err_set(err, ERR_USAGE, "--name needs NAME:STEP; it names the branch");
	return 0;
}

static bool holds(const char *path, const struct buf *bytes)
{
	BUF_SCOPED struct buf have = { 0 };
	const struct io_bounds bounds = { .most = bytes->len, .regular = true };
	return access(path, X_OK) == 0 && io_read_bounded(path, bounds, &have, NULL) == 0 &&
	       have.len == bytes->len && !memcmp(have.data, bytes->data, have.len);
}

/* The test where it was, when it is still the same; else the one that was kept, as a file of ours.
 */
static int find_test(struct resume *c, struct err *err)
{
	if (resume_check_test(&c->r, err) < 0)
		return -1;
	BUF_SCOPED struct buf kept = { 0 };
	MEM_SCOPED char *word = quote_word(c->r.location.name);
	int rc = reduction_test(&c->r, &kept, err);
	c->test = reduction_local(&c->r, SESSION_STORE_TEST);
	if (rc == 0 && !c->test)
		rc = err_set(err, ERR_TEST,
		             "the test of reduction '%s' was not kept and its path is not known; "
		             "use `whittle --name %s TEST FILE`",
		             c->r.location.name, word);
	else if (rc == 1 && (!c->test || !holds(c->test, &kept))) {
		if (c->test && access(c->test, F_OK) == 0 && !c->o.quiet)
			show_printf(
				stderr,
				"whittle: %s has changed; resuming with the test that was kept\n",
				c->test);
		free(c->test);
		c->test = location_path(&c->r.location, "test");
		rc = location_make_dir(&c->r.location, err);
		if (rc == 0)
			rc = io_replace_file(c->test, kept.data, kept.len, 0700, err);
	}
	return rc < 0 ? -1 : 0;
}

static const char OUT_OF_THE_WAY[] = "move it out of the way first";

/* FILE as the reduction needs it: there, and for a branch what it begins with, in the place of what
 * may be the original. */
static int place_file(struct resume *c, const struct testcase *tc, struct err *err)
{
	if (stored_find(&c->place, &c->r, tc, NULL, err) < 0 ||
	    (c->r.step_given && stored_check(&c->place, &c->r, tc, OUT_OF_THE_WAY, err) < 0))
		return -1;
	if (!c->r.step_given && stored_there(&c->place))
		return 0;
	IO_SCOPED int lock = reduction_lock(&c->r, err);
	int rc = lock < 0 ? -1 : io_make_dirs(c->place.in.top, 0, err);
	if (rc == 0 && c->r.step_given)
		rc = stored_keep_original(&c->place, &c->r, c->o.quiet ? NULL : show_notice, err);
	return rc == 0 ? stored_write(&c->place, &c->r, tc, err) : -1;
}

/* The -o of the command line names nothing that -o is to protect; or the OUT of NAME is the
 * branch's, too: nobody is to write there now, nor has the user. */
static int check_out(struct resume *c, const struct testcase *tc, struct err *err)
{
	SCOPED(stored_release) struct stored_place place = { 0 };
	int lock = c->out ? reduction_lock(&c->r, err) : -1;
	if (c->out && lock < 0)
		return -1;
	io_close(lock);
	if (stored_find(&place, &c->r, tc, c->out, NULL) < 0 || (c->out && tc->is_tree))
		return 0;
	return c->out ? stored_check(&place, &c->r, tc, OUT_OF_THE_WAY, err)
	              : stored_check_apart(&place, c->o.session.out, c->test, err);
}

/* The file OUT that a resumed reduction goes on to write, which this command does not name. The
 * session looks at directories. */
static int check_own_out(struct resume *c, struct err *err)
{
	SCOPED(now_release) struct now now;
	int rc = now_look(&c->r, &now, err);
	bool unread = now.is == NOW_NOT_THERE && access(c->out, F_OK) == 0;
	if (rc == 0 && (now.is == NOW_FOREIGN || unread))
		rc = err_set(err, ERR_USAGE,
		             "%s holds something that is in no snapshot of '%s'; %s, or name "
		             "another file with -o",
		             c->out, c->r.location.name, OUT_OF_THE_WAY);
	return rc;
}

/* With -o FILE is left alone: what the branch begins with lies beside its journal. */
static int place_aside(struct resume *c, const struct testcase *tc, struct err *err)
{
	if (check_out(c, tc, err) < 0)
		return -1;
	SCOPED(mem_words_scoped)
	char **operands = tc->is_tree ? reduction_operands(&c->r, err) : NULL;
	if (tc->is_tree && !operands)
		return -1;
	MEM_SCOPED char *dir = aside_dir(c->r.location.common, c->name),
			*like = tc->is_tree ? NULL : reduction_file(&c->r, tc->files[0].path, NULL);
	return aside_place(&c->place.in, dir, operands, tc, like, err);
}

static int find_file(struct resume *c, struct err *err)
{
	TESTCASE_SCOPED struct testcase *tc = reduction_testcase(&c->r, err);
	int rc = -1;
	if (tc && c->r.step_given && c->o.session.out)
		rc = place_aside(c, tc, err);
	else if (tc && (tc->is_tree || !c->out || check_own_out(c, err) == 0))
		rc = place_file(c, tc, err);
	const struct input *in = &c->place.in;
	c->files = mem_zero(in->n_operands + (size_t)1, sizeof *c->files);
	for (uint32_t i = 0; i < in->n_operands; i++)
		c->files[i] = in->operands[i].path;
	return rc;
}

/* The name of a branch: --name, or NAME-STEP, and not one that there is. */
static int name_branch(struct resume *c, struct err *err)
{
	struct reduction other;
	const char *given = c->o.session.store.name;
	c->name = given ? mem_strdup(given) : mem_printf("%s-%u", c->r.location.name, c->r.step);
	if (!location_name_valid(c->name))
		return err_set(err, ERR_USAGE, "'%s' cannot be the name of a reduction", c->name);
	bool exists = reduction_open(&other, NULL, c->r.location.common, c->name, NULL) == 0;
	reduction_close(&other);
	MEM_SCOPED char *command = quote_command("resume", c->o.session.store.dir,
	                                         c->o.session.store.repository, c->name);
	if (exists)
		err_set(err, ERR_USAGE,
		        "reduction '%s' exists already; resume it with `%s`, or "
		        "give the branch another name with --name",
		        c->name, command);
	return exists ? -1 : 0;
}

static int prepare(struct resume *c, int argc, char **argv, struct err *err)
{
	struct session_options *o = &c->o.session;
	if (take_options(c, argc, argv, err) < 0)
		return -1;
	if (!o->out)
		o->out = c->out = reduction_local(&c->r, SESSION_STORE_OUT);
	if ((c->r.step_given && name_branch(c, err) < 0) || find_test(c, err) < 0 ||
	    find_file(c, err) < 0 ||
	    resume_take_allowed(&c->r, c->files[0], &c->o.session.settings.fence, err) < 0)
		return -1;
	if (!o->store.repository && !reduction_is_at_home(&c->r, c->files[0]))
		o->store.repository = c->r.location.common;
	o->store.name = c->r.step_given ? c->name : c->r.location.name;
	o->store.branch_of = c->r.step_given ? c->r.location.name : NULL;
	o->test = c->test;
	o->command = c->command = reduction_local(&c->r, SESSION_STORE_COMMAND);
	o->needs = c->needs = reduction_local(&c->r, SESSION_STORE_NEEDS);
	o->file = c->files[0];
	o->tokenizer_dirs = tokenizer_dirs_for(o->file);
	o->files = c->files;
	o->n_files = c->place.in.n_operands;
	return named_check(o, &c->o.ask, c->o.events, err);
}

static void release(struct resume *c)
{
	reduction_close(&c->r);
	free(c->settings);
	free(c->test);
	free(c->out);
	free(c->name);
	free(c->tokenizer);
	free(c->spans);
	free(c->files);
	stored_release(&c->place);
	free(c->external);
	free(c->command);
	free(c->needs);
	free(c->o.others.args[0]);
}

static int help(bool all)
{
	puts("usage: whittle resume [OPTIONS] [NAME[:STEP]]\n"
	     "\n"
	     "Resumes the reduction NAME, or the only unfinished one, with its test and\n"
	     "options. NAME:STEP starts another reduction, called NAME-STEP, from that\n"
	     "snapshot; it may have other options. --fresh and --no-store are refused.");
	reduce_options_help(all);
	return 0;
}

/* A word that is a part of a name may mean another reduction than the user thinks. */
static void tell_which(struct resume *c, const char *spec)
{
	const char *colon = strrchr(spec, ':'), *step = colon ? colon : strrchr(spec, '~');
	size_t len = c->r.step_given && step ? (size_t)(step - spec) : strlen(spec);
	MEM_SCOPED char *word = mem_printf("%.*s", (int)len, spec);
	MEM_SCOPED char *real = io_real_path(word),
			*out = reduction_local(&c->r, SESSION_STORE_OUT);
	const char *file = c->r.location.file;
	if (strcmp(word, c->r.location.name) != 0 &&
	    !(real && ((file && !strcmp(real, file)) || (out && !strcmp(real, out)))))
		show_printf(stderr, "whittle: %s is %s\n", word, c->r.location.name);
}

int cmd_resume(int argc, char **argv)
{
	struct err err = { 0 };
	struct resume c = { 0 };
	static struct reduce_options given; /* what it points to lives as long as the program */
	int first = reduce_options_parse(&given, argc, argv, &err);
	if (first >= 0 && (given.help || given.help_all))
		return help(given.help_all);
	if (first >= 0 && (given.list_passes || given.version))
		return reduce_options_answer(&given);
	if (first >= 0 && first + 1 < argc)
		first = err_set(&err, ERR_USAGE, "resume takes one reduction, NAME or NAME:STEP");
	if (first < 0)
		return command_fail(&err);
	const char *store = given.session.store.repository;
	MEM_SCOPED char *spec =
		first < argc ? mem_strdup(argv[first]) : history_unfinished(".", store, &err);
	if (!spec)
		return command_fail(&err);
	int rc = reduction_open(&c.r, ".", store, spec, &err);
	if (rc == 0 && first >= argc && !reduction_is_own(&c.r))
		rc = history_untrusted(spec, store, "is not the one that was run here", &err);
	if (rc == 0 && first < argc && !given.quiet)
		tell_which(&c, spec);
	if (rc == 0)
		rc = prepare(&c, argc, argv, &err);
	int code = rc < 0 ? command_fail(&err) : reduce_run(&c.o);
	release(&c);
	return code;
}
