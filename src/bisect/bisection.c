#include "bisect/bisection.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect_ahead.h"
#include "bisect/bisect_ask.h"
#include "bisect/bisect_git.h"
#include "bisect/bisect_input.h"
#include "bisect/bisect_packed.h"
#include "bisect/bisect_work.h"
#include "store/git.h"
#include "disk/output.h"
#include "store/lock.h"

/* ---- what was asked for ---- */

static int find_repository(struct bisection *b, struct err *err)
{
	char *common = bisect_git_line(NULL, GIT_ARGS("rev-parse", "--git-common-dir"), err);
	char *git_dir = bisect_git_line(NULL, GIT_ARGS("rev-parse", "--absolute-git-dir"), err);
	b->common = common ? realpath(common, NULL) : NULL;
	b->here = git_dir && getenv("GIT_DIR") ? realpath(git_dir, NULL)
	          : git_dir                    ? realpath(".", NULL)
	                                       : NULL;
	free(common);
	free(git_dir);
	if (!b->common || !b->here) {
		err->code = ERR_USAGE;
		return -1;
	}
	return 0;
}

static char *find_commit(const char *option, const char *revision, struct err *err)
{
	struct err why;
	char *spec = mem_printf("%s^{commit}", revision);
	char *id = bisect_git_line(
		NULL, GIT_ARGS("rev-parse", "--verify", "--quiet", "--end-of-options", spec), &why);
	if (!id)
		err_set(err, ERR_USAGE, "option --%s: there is no commit \"%s\"", option, revision);
	free(spec);
	return id;
}

/* The result must not go where the test or what is reduced is. (Of directories, output_check sees
 * more.) */
static int check_apart(const struct bisection *b, struct err *err)
{
	const struct bisect_options *o = b->options;
	struct stat to, from;
	if (stat(o->out, &to) < 0 || !S_ISREG(to.st_mode))
		return 0;
	for (uint32_t i = 0; i <= o->n_files; i++)
		if (stat(i < o->n_files ? o->files[i] : b->test, &from) == 0 &&
		    to.st_dev == from.st_dev && to.st_ino == from.st_ino)
			return err_set(err, ERR_USAGE, "option --output: %s is %s", o->out,
			               i < o->n_files ? "what is to be reduced" : "the test");
	return 0;
}

static int check_out(const struct bisection *b, struct err *err)
{
	struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	int rc = check_apart(b, err) < 0 ? -1
	                                 : output_check(&output, b->test, b->original->size, err);
	output_release(&output);
	return rc;
}

char *bisection_out_line(const struct testcase *tc)
{
	return mem_printf("%016" PRIx64 "%016" PRIx64 "\n", tc->hash.hi, tc->hash.lo);
}

/* Whether TC is what this very bisection has written before it was interrupted. */
static int was_written(void *bisection, const struct testcase *tc, struct err *err)
{
	(void)err;
	struct buf written = { 0 };
	struct err none_yet;
	char *note = bisection_path(bisection, "wrote-out"), *line = bisection_out_line(tc);
	bool is_ours = io_read_file(note, &written, &none_yet) == 0 && written.data &&
	               strstr(written.data, line);
	buf_release(&written);
	free(note);
	free(line);
	return is_ours;
}

static int check_out_free(struct bisection *b, struct err *err)
{
	struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	int rc = output_check_free(&output, was_written, b, err);
	output_release(&output);
	return rc;
}

static int find_inputs(struct bisection *b, struct err *err)
{
	const struct bisect_options *o = b->options;
	if (bisect_check_test(o->test, err) < 0 || !(b->test = realpath(o->test, NULL)))
		return -1;
	if (input_find(&b->input, o->files, o->n_files, err) < 0 ||
	    !(b->original = input_read(&b->input, err)))
		return -1;
	b->operands = input_operands(&b->input);
	if (o->out && check_out(b, err) < 0)
		return -1;
	if (!(b->good = find_commit("good", o->good, err)) ||
	    !(b->bad = find_commit("bad", o->bad, err)))
		return -1;
	if (!strcmp(b->good, b->bad))
		return err_set(err, ERR_USAGE, "\"%s\" and \"%s\" are the same commit", o->good,
		               o->bad);
	return 0;
}

/* What answers depend on. */
static int identify(struct bisection *b, char key[17], struct err *err)
{
	const struct bisect_options *o = b->options;
	struct buf test = { 0 };
	if (io_read_file(b->test, &test, err) < 0)
		return -1;
	struct hash h = hash_bytes(test.data, test.len, b->original->hash.lo);
	buf_release(&test);
	for (char **operand = b->operands; *operand; operand++)
		h = hash_bytes(*operand, strlen(*operand) + 1, h.lo);
	char *text = mem_printf("%s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s", b->good,
	                        b->bad, o->input, o->repeat, o->timeout_ns, o->memory_limit,
	                        o->build ? o->build : "", b->test);
	snprintf(key, 17, "%016" PRIx64, hash_bytes(text, strlen(text), h.lo).lo);
	free(text);
	return 0;
}

/* ---- the directory ---- */

static int make_dirs(const struct bisection *b, struct err *err)
{
	static const char *const parts[] = { "log", "trees", "built", "small" };
	int rc = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
		char *path = mem_printf("%s/%s", b->dir, parts[i]);
		rc = io_make_dirs(path, strlen(b->common), err);
		free(path);
	}
	return rc;
}

static int open_dir(struct bisection *b, struct err *err)
{
	char key[17];
	pid_t owner;
	if (identify(b, key, err) < 0)
		return -1;
	b->dir = mem_printf("%s/whittle/.bisect/%s", b->common, key);
	if (make_dirs(b, err) < 0)
		return -1;
	b->name = mem_printf("bisect-%.12s", key);
	b->trees = (struct bisect_trees){ b->here, b->common, b->dir };
	char *lock = bisection_path(b, "lock"), *known = bisection_path(b, "known");
	b->lock = lock_take(lock, &owner, NULL, err);
	int rc = b->lock < 0 ? err_context(err, "this bisection")
	                     : bisect_known_open(&b->known, known, err);
	free(lock);
	free(known);
	if (rc == 0) {
		bisect_packed_note(b);
		bisect_trees_remove(&b->trees, false); /* what a killed run was about to build */
	}
	return rc;
}

int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err)
{
	*b = (struct bisection){ .options = options, .lock = -1 };
	if (find_repository(b, err) < 0 || find_inputs(b, err) < 0)
		return -1;
	git_leave_repository();
	if (open_dir(b, err) < 0)
		return -1;
	return options->out ? check_out_free(b, err) : 0;
}

void bisection_close(struct bisection *b, bool done)
{
	bisect_ahead_end(b);
	bisect_work_release(&b->work);
	if (b->lock >= 0) {
		bisect_trees_remove(&b->trees, done);
		bisect_packed_restore(b);
		if (done)
			io_remove_tree(AT_FDCWD, b->dir);
		char *all = mem_printf("%s/whittle/.bisect", b->common);
		rmdir(all); /* unless there are others */
		free(all);
		close(b->lock);
	}
	bisect_known_release(&b->known);
	testcase_unref(b->original);
	input_free_operands(b->operands);
	input_release(&b->input);
	free(b->here);
	free(b->common);
	free(b->dir);
	free(b->test);
	free(b->good);
	free(b->bad);
	free(b->name);
	free(b->unjudged);
}

/* ---- the ends ---- */

/* The end of the log of revision ID, to be shown; the caller's. */
static char *end_of_log(const struct bisection *b, const char *id)
{
	enum { SHOWN = 1200 };
	struct err ignored;
	struct buf text = { 0 };
	char *leaf = mem_printf("log/%s", id), *log = bisection_path(b, leaf);
	io_read_file(log, &text, &ignored);
	size_t from = text.len > SHOWN ? text.len - SHOWN : 0;
	char *end = mem_strdup(text.data ? text.data + from : "");
	size_t n = strlen(end);
	while (n && end[n - 1] == '\n')
		end[--n] = '\0';
	buf_release(&text);
	free(leaf);
	free(log);
	return end;
}

static int complain_skipped(const struct bisection *b, const char *id, struct err *err)
{
	const struct bisect_options *o = b->options;
	char *log = end_of_log(b, id);
	err_set(err, ERR_TEST, "cannot judge the %s revision %s%s%s; the end of its log:\n%s",
	        id == b->bad ? "bad" : "good", id == b->bad ? o->bad : o->good,
	        b->unjudged ? ": " : "", b->unjudged ? b->unjudged : "", log);
	free(log);
	return -1;
}

static int complain(const struct bisection *b, enum bisect_answer good, enum bisect_answer bad,
                    struct err *err)
{
	const struct bisect_options *o = b->options;
	const char *skipped = bad == BISECT_SKIP ? b->bad : good == BISECT_SKIP ? b->good : NULL;
	if (skipped)
		return complain_skipped(b, skipped, err);
	if (bad == BISECT_GOOD && good == BISECT_GOOD)
		return err_set(
			err, ERR_TEST,
			"the bug shows at neither revision, %s nor %s; it must show at the bad one",
			o->good, o->bad);
	if (bad == BISECT_BAD && good == BISECT_BAD)
		return err_set(err, ERR_TEST,
		               "the bug shows at both revisions, %s and %s; it must not show at "
		               "the good one",
		               o->good, o->bad);
	return err_set(err, ERR_TEST,
	               "the bug shows at %s and not at %s: --good and --bad are swapped", o->good,
	               o->bad);
}

/* The slowest run of the test so far, kept for the next start: deadlines must not change. */
static int choose_limit(struct bisection *b, uint64_t slowest, struct err *err)
{
	enum { FACTOR = 20 };
	struct buf text = { 0 };
	char *path = bisection_path(b, "limit");
	int rc = 0;
	b->limit_ns = b->options->timeout_ns;
	if (!b->limit_ns && access(path, F_OK) == 0 && (rc = io_read_file(path, &text, err)) == 0)
		b->limit_ns = strtoull(text.data, NULL, 10);
	if (rc == 0 && !b->limit_ns) {
		for (b->limit_ns = 2000000000u; b->limit_ns < slowest * FACTOR;)
			b->limit_ns *= 2;
		char *line = mem_printf("%" PRIu64 "\n", b->limit_ns);
		rc = io_replace_file(path, line, strlen(line), 0666, err);
		free(line);
	}
	buf_release(&text);
	free(path);
	return rc;
}

/* Why an end cannot be judged, of both the bad one. What fails by itself may do so because of the
 * fence; a test without an opinion has run. */
static void note_unjudged(struct bisection *b, const struct bisect_worker *w)
{
	const struct judge_result *r = w->result;
	if (r->answer != BISECT_SKIP || (b->unjudged && strcmp(w->id, b->bad) != 0))
		return;
	free(b->unjudged);
	b->unjudged = mem_printf("%s%s", r->why,
	                         r->no_opinion ? ", which says that it cannot tell"
	                         : b->options->fence.level == FENCE_NONE
	                                 ? ""
	                                 : " behind the fence (see --fence and --allow-write)");
}

/* What testing the two ends has cost. */
struct cost {
	uint64_t test_ns, all_ns; /* of the slowest one */
	double cpus;
};

/* Builds keep processors busy, too: no more revisions at a time than fit. And where judging one is
 * a matter of milliseconds, asking git which others might come next takes longer than it saves. */
static void choose_width(struct bisection *b, const struct cost *cost)
{
	static const uint64_t worth_ns = 150000000;
	unsigned fit = cost->cpus > 1 ? (unsigned)((double)b->options->jobs / cost->cpus)
	                              : b->options->jobs;
	b->slow = !cost->all_ns || cost->all_ns >= worth_ns; /* 0: known from an earlier start */
	b->width = fit < 1 || !b->slow ? 1 : fit;
}

static void add_cost(struct cost *cost, const struct bisect_worker *w)
{
	uint64_t all = w->result->build_ns + w->result->test_ns;
	cost->test_ns = w->result->test_ns > cost->test_ns ? w->result->test_ns : cost->test_ns;
	cost->all_ns = all > cost->all_ns ? all : cost->all_ns;
	cost->cpus = w->cpus > cost->cpus ? w->cpus : cost->cpus;
}

static int judge_ends(struct bisection *b, const char *const ids[2], struct cost *cost,
                      struct err *err)
{
	for (int i = 0; i < 2; i++) {
		enum bisect_answer known;
		char *tree = bisect_tree_find(&b->trees, ids[i]);
		bool needed =
			!tree || !bisect_known_get(&b->known, b->original->hash, ids[i], &known);
		free(tree);
		if (needed && bisect_work_start(b, ids[i], b->original, err) < 0)
			return -1;
	}
	while (bisect_work_idle(&b->work) < b->work.n) {
		if (bisection_learn(b, err) < 0)
			return -1;
		add_cost(cost, b->work.last);
		note_unjudged(b, b->work.last);
	}
	return 0;
}

int bisection_check_ends(struct bisection *b, struct err *err)
{
	const char *const ids[] = { b->bad, b->good };
	enum bisect_answer answers[2] = { BISECT_STOP, BISECT_STOP };
	struct cost cost = { 0 };
	if (bisect_work_init(&b->work, 2, err) < 0 || judge_ends(b, ids, &cost, err) < 0)
		return -1;
	bisect_work_release(&b->work);
	choose_width(b, &cost);
	for (int i = 0; i < 2; i++)
		bisect_known_get(&b->known, b->original->hash, ids[i], &answers[i]);
	if (answers[0] != BISECT_BAD || answers[1] != BISECT_GOOD)
		return complain(b, answers[1], answers[0], err);
	return choose_limit(b, cost.test_ns, err);
}
