#include "bisect/bisection.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "disk/output.h"
#include "reduce/probe.h"
#include "store/git.h"
#include "store/lock.h"
#include "bisect/bisect.h"

/* Path of a thing in the directory, the caller's. */
static char *bisection_path(const struct bisection *b, const char *leaf)
{
	return mem_printf("%s/%s", b->dir, leaf);
}

/* ---- what was asked for ---- */

static int find_repository(struct bisection *b, struct err *err)
{
	MEM_SCOPED char *common =
		bisect_git_line(NULL, GIT_ARGS("rev-parse", "--git-common-dir"), err);
	MEM_SCOPED char *git_dir =
		bisect_git_line(NULL, GIT_ARGS("rev-parse", "--absolute-git-dir"), err);
	b->common = common ? realpath(common, NULL) : NULL;
	b->here = git_dir && getenv("GIT_DIR") ? realpath(git_dir, NULL)
	          : git_dir                    ? realpath(".", NULL)
	                                       : NULL;
	if (!b->common || !b->here) {
		return err_as(err, ERR_USAGE);
	}
	return 0;
}

static char *find_commit(const char *option, const char *revision, struct err *err)
{
	struct err why;
	MEM_SCOPED char *spec = mem_printf("%s^{commit}", revision);
	char *id = bisect_git_line(
		NULL, GIT_ARGS("rev-parse", "--verify", "--quiet", "--end-of-options", spec), &why);
	if (!id)
		err_set(err, ERR_USAGE, "option --%s: there is no commit \"%s\"", option, revision);
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
		    io_is_same(&to, &from))
			return err_set(err, ERR_USAGE, "option --output: %s is %s", o->out,
			               i < o->n_files ? "the input" : "the test");
	return 0;
}

static int check_out(const struct bisection *b, struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	return check_apart(b, err) < 0 ? -1
	                               : output_check(&output, b->test, b->original->size, err);
}

/* How wrote-out names TC, the caller's. */
static char *bisection_out_line(const struct testcase *tc)
{
	return mem_printf(HASH_DIGITS "\n", HASH_OF(tc->hash));
}

/* Whether TC is what this very bisection has written before it was interrupted. */
static int was_written(void *bisection, const struct testcase *tc, UNUSED struct err *err)
{
	BUF_SCOPED struct buf written = { 0 };
	MEM_SCOPED char *note = bisection_path(bisection, "wrote-out"),
			*line = bisection_out_line(tc);
	return io_read_file(note, &written, NULL) == 0 && written.data &&
	       strstr(written.data, line);
}

static int check_out_free(struct bisection *b, struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	return output_check_free(&output, was_written, b, err);
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
	MEM_SCOPED char *text = mem_printf("%s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s",
	                                   b->good, b->bad, o->input, o->repeat, o->timeout_ns,
	                                   o->memory_limit, o->build ? o->build : "", b->test);
	snprintf(key, 17, "%016" PRIx64, hash_bytes(text, strlen(text), h.lo).lo);
	return 0;
}

/* ---- the directory ---- */

static int make_dirs(const struct bisection *b, struct err *err)
{
	static const char *const parts[] = { "log", "trees", "built", "small" };
	int rc = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
		MEM_SCOPED char *path = mem_printf("%s/%s", b->dir, parts[i]);
		rc = io_make_dirs(path, strlen(b->common), err);
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
	b->judges = (struct judges){ .options = b->options,
		                     .trees = &b->trees,
		                     .test = b->test,
		                     .operands = b->operands,
		                     .stop_fd = -1 };
	MEM_SCOPED char *lock = bisection_path(b, "lock");
	b->lock = lock_take(lock, &owner, NULL, err);
	int rc = b->lock < 0 ? err_context(err, "this bisection") : judges_open(&b->judges, err);
	if (rc == 0)
		rc = bisect_trees_open(&b->trees, err);
	if (rc == 0)
		bisect_trees_remove(&b->trees); /* what a killed run was about to build */
	return rc;
}

int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err)
{
	*b = (struct bisection){ .options = options, .lock = -1, .judges.stop_fd = -1 };
	if (find_repository(b, err) < 0 || find_inputs(b, err) < 0)
		return -1;
	git_leave_repository();
	if (open_dir(b, err) < 0)
		return -1;
	return options->out ? check_out_free(b, err) : 0;
}

void bisection_close(struct bisection *b, bool done)
{
	judges_end(&b->judges);
	if (b->lock >= 0) {
		bisect_trees_remove(&b->trees);
		if (done)
			io_remove_tree(AT_FDCWD, b->dir);
		MEM_SCOPED char *all = mem_printf("%s/whittle/.bisect", b->common);
		rmdir(all); /* unless there are others */
		close(b->lock);
	}
	judges_close(&b->judges);
	testcase_unref(b->original);
	mem_free_words(b->operands);
	input_release(&b->input);
	free(b->here);
	free(b->common);
	free(b->dir);
	free(b->test);
	free(b->good);
	free(b->bad);
	free(b->name);
}

struct bisect_end {
	char id[BISECT_ID_SIZE]; /* of the first bad commit; empty: git could not name it */
	struct buf text;         /* what git bisect said last */
};

/* Walking the history as `git bisect` does, because it is `git bisect` that walks: in a repository
 * of its own, without files, so which revision is next, what a skipped one means, merges, merge
 * bases and a history that contradicts itself are git's business. Each question is answered by a
 * judge, one after the other, so no revision is built that git would not ask for.
 */
struct walk {
	struct judges *judges;
	const char *good, *bad;
	char *tree;                   /* the repository that git bisect runs in; it has no files */
	uint64_t room;                /* bytes free on the disk at the beginning */
	char head[BISECT_ID_SIZE];    /* what git asks for; empty: nothing more */
	char last[2][BISECT_ID_SIZE]; /* last good and bad revision, whose builds are kept */
	struct bisect_end *end;
};

/* ---- what git says ---- */

/* The comments that git writes into the log when it comes to an end; they are the same in each
 * language. */
static bool is_over(const char *log, char first_bad[BISECT_ID_SIZE])
{
	const char *found = strstr(log, "\n# first bad commit: [");
	if (found)
		sscanf(found, "\n# first bad commit: [%64[0-9a-f]]", first_bad);
	return found || strstr(log, "\n# only skipped commits left to test");
}

static int read_state(struct walk *w, struct err *err)
{
	BUF_SCOPED struct buf log = { 0 };
	int rc = bisect_git(w->tree, GIT_ARGS("bisect", "log"), &log, err);
	buf_addch(&log, '\0');
	if (rc == 0 && !is_over(log.data, w->end->id)) {
		MEM_SCOPED char *id = bisect_git_line(
			w->tree, GIT_ARGS("rev-parse", "--verify", "BISECT_HEAD"), err);
		if (id)
			snprintf(w->head, sizeof w->head, "%s", id);
		else
			rc = -1;
	}
	return rc;
}

/* Runs git bisect ARGS. What it says when it cannot continue is a result, not a failure: a merge
 * base that is bad, say. */
static int ask(struct walk *w, const char *const *args, struct err *err)
{
	struct err said;
	w->end->text.len = 0;
	w->head[0] = '\0';
	int status = bisect_git_status(w->tree, args, &w->end->text, &said);
	if (status < 0) {
		*err = said;
		return -1;
	}
	if (status == 0)
		return read_state(w, err);
	const char *text = strchr(said.msg, ':');
	if (text && text[1] && text[2])
		buf_addf(&w->end->text, "%s\n", text + 2);
	return 0;
}

/* ---- the walk ---- */

/* Room on the disk; 0 when it cannot be told. */
static uint64_t room(const struct walk *w)
{
	struct statvfs fs;
	return statvfs(w->judges->trees->dir, &fs) < 0 ? 0 : (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* The small file will ask for the same builds. Half of what was free at the beginning is for what
 * comes after. */
static bool keeps_builds(const struct walk *w)
{
	const struct bisect_options *o = w->judges->options;
	return o->keep || (!o->no_reduce && room(w) >= w->room / 2);
}

/* Without room, only the builds of the last good and the last bad revision. */
static void drop_build(struct walk *w, const char *id, enum bisect_answer answer)
{
	char *last = w->last[answer == BISECT_BAD];
	const char *old = answer == BISECT_SKIP ? id : last;
	if (*old && strcmp(old, w->good) != 0 && strcmp(old, w->bad) != 0 && !keeps_builds(w))
		bisect_tree_drop(w->judges->trees, old);
	if (answer != BISECT_SKIP)
		snprintf(last, BISECT_ID_SIZE, "%s", id);
}

static int walk(struct walk *w, const struct testcase *tc, struct err *err)
{
	if (ask(w, GIT_ARGS("bisect", "start", "--no-checkout", w->bad, w->good), err) < 0)
		return -1;
	while (*w->head) {
		char id[BISECT_ID_SIZE];
		memcpy(id, w->head, sizeof id);
		if (judges_check(err) < 0 || judges_ask(w->judges, tc, id, NULL, err) < 0)
			return -1;
		enum bisect_answer answer = judges_know(w->judges, tc, id)->answer;
		drop_build(w, id, answer);
		if (ask(w, GIT_ARGS("bisect", bisect_word(answer), id), err) < 0)
			return -1;
	}
	return 0;
}

/* Bisects with TC between the commits GOOD and BAD. What it builds stays, while there is room on
 * the disk and somebody may need it again. 0 and *end, whose text the caller releases in either
 * case, or -1 and err. */
static int bisect_walk(struct judges *judges, const struct testcase *tc, const char *good,
                       const char *bad, struct bisect_end *end, struct err *err)
{
	struct walk w = { .judges = judges, .good = good, .bad = bad, .end = end };
	*end = (struct bisect_end){ .id = "" };
	w.room = room(&w);
	w.tree = bisect_tree_add(judges->trees, bad, true, err);
	int rc = w.tree ? walk(&w, tc, err) : -1;
	bisect_tree_remove(w.tree);
	free(w.tree);
	return rc;
}

/* ---- the ends ---- */

/* The end of the log of revision ID, to be shown; the caller's. */
static char *end_of_log(const struct bisection *b, const char *id)
{
	enum { SHOWN = 1200 };
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *leaf = mem_printf("log/%s", id), *log = bisection_path(b, leaf);
	io_read_file(log, &text, NULL);
	size_t from = text.len > SHOWN ? text.len - SHOWN : 0;
	char *end = mem_strdup(text.data ? text.data + from : "");
	size_t n = strlen(end);
	while (n && end[n - 1] == '\n')
		end[--n] = '\0';
	return end;
}

/* What fails by itself may do so because of the fence; a test without an opinion has run. */
static int complain_skipped(const struct bisection *b, bool bad, const struct judge_result *said,
                            struct err *err)
{
	const struct bisect_options *o = b->options;
	MEM_SCOPED char *log = end_of_log(b, bad ? b->bad : b->good);
	bool fenced = !said->no_opinion && o->fence.level != FENCE_NONE;
	err_set(err, ERR_TEST, "cannot judge the %s revision %s%s%s%s; the end of its log:\n%s",
	        bad ? "bad" : "good", bad ? o->bad : o->good, *said->why ? ": " : "", said->why,
	        !*said->why        ? ""
	        : said->no_opinion ? ", which says that it cannot tell"
	        : fenced           ? " behind the fence (see --fence and --allow-write)"
	                           : "",
	        log);
	return -1;
}

static int complain(const struct bisection *b, enum bisect_answer bad, enum bisect_answer good,
                    struct err *err)
{
	const struct bisect_options *o = b->options;
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

static enum bisect_answer answer_at(const struct bisection *b, const struct testcase *tc,
                                    const char *id)
{
	return judges_know(&b->judges, tc, id)->answer;
}

static int check_ends(struct bisection *b, struct err *err)
{
	struct judge_result said[2] = { 0 };
	if (judges_ask(&b->judges, b->original, b->bad, &said[0], err) < 0 ||
	    judges_ask(&b->judges, b->original, b->good, &said[1], err) < 0)
		return -1;
	enum bisect_answer bad = answer_at(b, b->original, b->bad),
			   good = answer_at(b, b->original, b->good);
	if (bad == BISECT_BAD && good == BISECT_GOOD)
		return 0;
	if (bad == BISECT_SKIP || good == BISECT_SKIP)
		return complain_skipped(b, bad == BISECT_SKIP, &said[bad != BISECT_SKIP], err);
	return complain(b, bad, good, err);
}

/* ---- the commit ---- */

static int print(const struct bisect_end *end, struct err *err)
{
	show_write(stdout, end->text.data, end->text.len);
	if (fflush(stdout) != 0 || ferror(stdout))
		return err_errno(err, "cannot write the result");
	return *end->id ? 0 : err_set(err, ERR_TEST, "git cannot name a single commit");
}

int bisection_find(struct bisection *b, struct err *err)
{
	struct bisect_end end = { .id = "" };
	judges_begin(&b->judges);
	int rc = check_ends(b, err);
	if (rc == 0)
		rc = bisect_walk(&b->judges, b->original, b->good, b->bad, &end, err);
	judges_end(&b->judges);
	if (rc == 0)
		rc = print(&end, err);
	memcpy(b->first_bad, end.id, sizeof end.id);
	buf_release(&end.text);
	return rc;
}

/* ---- before the reduction ---- */

/* The parents of ID, separated by spaces; the caller's. */
static char *parents_of(struct bisection *b, const char *id, struct err *err)
{
	return bisect_git_line(b->here, GIT_ARGS("rev-list", "--parents", "--no-walk", id), err);
}

/* Whether ID has parents that are not here, as where a shallow clone ends: 1, 0, or -1 and err. */
static int is_cut_off(struct bisection *b, const char *id, const char *parents, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	if (strchr(parents, ' '))
		return 0;
	int rc = bisect_git(b->here, GIT_ARGS("cat-file", "commit", id), &text, err);
	buf_addch(&text, '\0');
	const char *parent = strstr(text.data, "\nparent "), *body = strstr(text.data, "\n\n");
	if (rc == 0)
		rc = parent && (!body || parent < body);
	return rc;
}

/* Of PARENTS (changed), the first one at which the original does not show the bug; the good end
 * where there is none. Git has judged only as many as it needed. */
static int choose_before(struct bisection *b, char *parents, struct err *err)
{
	const char *one;
	strsep(&parents, " "); /* the commit itself */
	while (!*b->before && (one = strsep(&parents, " "))) {
		if (judges_ask(&b->judges, b->original, one, NULL, err) < 0)
			return -1;
		enum bisect_answer answer = answer_at(b, b->original, one);
		if (answer == BISECT_GOOD)
			snprintf(b->before, sizeof b->before, "%s", one);
		else
			fprintf(stderr, "whittle: %s the original at %.12s, a parent of it\n",
			        answer == BISECT_BAD ? "the bug also shows with" : "cannot judge",
			        one);
	}
	if (!*b->before)
		snprintf(b->before, sizeof b->before, "%s", b->good);
	return 0;
}

/* Finds the two sides, and has them built. */
static int choose_sides(struct bisection *b, struct err *err)
{
	MEM_SCOPED char *parents = parents_of(b, b->first_bad, err);
	int cut_off = parents ? is_cut_off(b, b->first_bad, parents, err) : -1;
	if (cut_off > 0)
		fprintf(stderr,
		        "whittle: the parents of %.12s are not here (a shallow clone?): an earlier "
		        "commit may be the first bad one\n",
		        b->first_bad);
	int rc = cut_off < 0 ? -1 : choose_before(b, parents, err);
	if (rc == 0)
		rc = judges_need_tree(&b->judges, b->original, b->first_bad, err);
	if (rc == 0)
		rc = judges_need_tree(&b->judges, b->original, b->before, err);
	return rc;
}

/* The deadline of one run of the test on one side, from what the original took there. */
static uint64_t choose_limit(const struct bisection *b)
{
	uint64_t bad = judges_know(&b->judges, b->original, b->first_bad)->test_ns,
		 good = judges_know(&b->judges, b->original, b->before)->test_ns,
		 given = b->options->timeout_ns;
	return given ? given : probe_limit(bad > good ? bad : good);
}

/* The two-sided test: interesting is what shows the bug at the bad end and does not show it at the
 * good one. A reduction under it cannot slip to a bug that was there all along. The good side works
 * in a copy of the directory, and each has a TMPDIR of its own. What a side cannot judge, or not in
 * its time (the status is 137 then), is not interesting; the status 255 ends the reduction. */
static const char two_sided[] =
	"[ -r \"${0%/*}/sides\" ] && . \"${0%/*}/sides\" &&\n"
	"	[ -d \"$bad\" ] && [ -d \"$good\" ] && [ -x \"$test\" ] &&\n"
	"	mkdir \"$TMPDIR/0\" \"$TMPDIR/1\" && cp -RPp . \"$TMPDIR/side\" || exit 255\n"
	"here=$(pwd -P) there=$TMPDIR/side in=/dev/stdin n=0\n"
	"(: <$in) 2>/dev/null || in=/dev/null\n"
	"run() ( # TREE NUMBER ARGUMENT...\n"
	"	export WHITTLE_TREE=\"$1\" TMPDIR=\"$TMPDIR/$2\"\n"
	"	shift 2\n"
	"	exec timeout -s KILL \"$limit\" \"$test\" \"$@\" <$in\n"
	")\n"
	"until run \"$bad\" 0 \"$@\"; do\n"
	"	[ $((n += 1)) -lt \"$repeat\" ] || exit 1\n"
	"done\n"
	"for arg; do\n"
	"	shift\n"
	"	case $arg in \"$here\"/*) arg=$there${arg#\"$here\"} ;; esac\n"
	"	set -- \"$@\" \"$arg\"\n"
	"done\n"
	"cd \"$there\" || exit 255\n"
	"while [ $((repeat -= 1)) -ge 0 ]; do\n"
	"	run \"$good\" 1 \"$@\"\n"
	"	status=$?\n"
	"	[ $status -gt 0 ] && [ $status -lt 125 ] || exit 1\n"
	"done\n";

/* Nothing in the test itself differs from start to start: what does is in the file "sides". */
static int write_test(const struct bisection *b, const char *path, struct err *err)
{
	MEM_SCOPED char *test = quote_word(b->test); /* a line end in a comment would end it */
	MEM_SCOPED char *text =
		mem_printf("#!/bin/sh\n# Interesting is what shows the bug at %s\n"
	                   "# and does not show it at %s.\n: bisection %s, test %s\n%s",
	                   b->first_bad, b->before, strrchr(b->dir, '/') + 1, test, two_sided);
	return io_replace_file(path, text, strlen(text), 0755, err);
}

static int write_sides(struct bisection *b, struct bisect_reduction *r, struct err *err)
{
	enum { SLACK_S = 10 };
	uint64_t repeat = b->options->repeat, limit_ns = choose_limit(b);
	MEM_SCOPED char *leaf = mem_printf(
		"small/%s", b->input.n_operands > 1 ? "all" : b->input.operands[0].inside);
	*r = (struct bisect_reduction){ .test = bisection_path(b, "two-sided"),
		                        .result = bisection_path(b, leaf),
		                        .trees = { bisect_tree_find(&b->trees, b->first_bad),
		                                   bisect_tree_find(&b->trees, b->before) },
		                        .timeout_ns = 2 * repeat * limit_ns +
		                                      SLACK_S * (uint64_t)1000000000 };
	MEM_SCOPED char *sides = bisection_path(b, "sides"), *test = quote_word(b->test),
			*bad = quote_word(r->trees[0]), *good = quote_word(r->trees[1]),
			*text = mem_printf("test=%s bad=%s good=%s repeat=%" PRIu64 " limit=%.3f\n",
	                                   test, bad, good, repeat, (double)limit_ns / 1e9);
	return io_replace_file(sides, text, strlen(text), 0666, err) < 0
	               ? -1
	               : write_test(b, r->test, err);
}

int bisection_prepare(struct bisection *b, struct bisect_reduction *r, struct err *err)
{
	judges_begin(&b->judges);
	int rc = choose_sides(b, err);
	judges_end(&b->judges);
	return rc < 0 ? -1 : write_sides(b, r, err);
}

void bisect_reduction_release(struct bisect_reduction *r)
{
	free(r->test);
	free(r->result);
	free(r->trees[0]);
	free(r->trees[1]);
}

/* ---- what the small file says ---- */

/* "ID (SUBJECT)", the caller's. */
static char *name_commit(const struct bisection *b, const char *id)
{
	char *line = bisect_git_line(
		b->here, GIT_ARGS("log", "-1", "--format=%h (%s)", "--abbrev=12", id), NULL);
	return line ? line : mem_strdup(id);
}

/* Since when the small file shows the bug, of which it is known that it shows it at the bad end and
 * not at the good one. */
static int ask_since(struct bisection *b, const struct testcase *small, char **says,
                     struct err *err)
{
	struct bisect_end end = { .id = "" };
	bool alike;
	if (judges_compare(&b->judges, small, b->original, &alike, err) < 0)
		return -1;
	if (alike)
		return 0; /* git would ask the same questions */
	int rc = bisect_walk(&b->judges, small, b->good, b->bad, &end, err);
	MEM_SCOPED char *name = rc == 0 && *end.id ? name_commit(b, end.id) : NULL;
	if (name && strcmp(end.id, b->first_bad) != 0)
		*says = mem_printf("shows the bug since %s", name);
	else if (rc == 0 && !name)
		*says = mem_strdup("leads to no single commit");
	buf_release(&end.text);
	return rc;
}

/* *says, the caller's: what the small file says, unless it leads to the same commit as the
 * original. Builds are there as far as both go the same way. */
static int ask_small(struct bisection *b, const struct testcase *small, char **says,
                     struct err *err)
{
	const struct bisect_options *o = b->options;
	*says = NULL;
	if (small == b->original)
		return 0;
	if (judges_ask(&b->judges, small, b->bad, NULL, err) < 0 ||
	    judges_ask(&b->judges, small, b->good, NULL, err) < 0)
		return -1;
	enum bisect_answer bad = answer_at(b, small, b->bad), good = answer_at(b, small, b->good);
	if (bad == BISECT_SKIP || good == BISECT_SKIP)
		*says = mem_printf("cannot be judged at %s", bad == BISECT_SKIP ? o->bad : o->good);
	else if (bad == BISECT_GOOD)
		*says = mem_printf("does not show the bug at %s", o->bad);
	else if (good == BISECT_BAD)
		*says = mem_printf("shows the bug at %s already", o->good);
	else
		return ask_since(b, small, says, err);
	return 0;
}

/* Both are said: *pair, the caller's, is the sentence; NULL where there is nothing to say. */
static int compare(struct bisection *b, const struct testcase *small, char **pair, struct err *err)
{
	char *says, *name;
	*pair = NULL;
	if (ask_small(b, small, &says, err) < 0)
		return -1;
	if (says) {
		name = name_commit(b, b->first_bad);
		*pair = mem_printf("the reduced file %s, the original since %s", says, name);
		show_printf(stderr, "whittle: %s\n", *pair);
		free(name);
	} else if (small != b->original && !b->options->quiet)
		fprintf(stderr, "whittle: the reduced file leads to the same commit\n");
	free(says);
	return 0;
}

/* ---- what remains ---- */

/* Before OUT is written, the note says that it will be what is ours, beside what it is now. */
static int note_copy(const struct bisection *b, const struct testcase *small, struct err *err)
{
	MEM_SCOPED char *note = bisection_path(b, "wrote-out"), *line = bisection_out_line(small);
	BUF_SCOPED struct buf text = { 0 };
	io_read_file(note, &text, NULL);
	if (!text.data || !strstr(text.data, line))
		buf_add(&text, line, strlen(line));
	return io_replace_file(note, text.data, text.len, 0666, err);
}

static int write_copy(const struct bisection *b, const struct testcase *small, struct err *err)
{
	struct output output;
	if (!b->options->out)
		return 0;
	output_init(&output, &b->input, b->options->out, NULL);
	int rc = note_copy(b, small, err) < 0 ? -1 : output_write(&output, small, NULL, err);
	output_release(&output);
	if (rc == 0 && !b->options->quiet)
		show_printf(stderr, "whittle: the result is in %s\n", b->options->out);
	return rc;
}

/* What the reduction has written to PATH (see struct bisect_reduction); the original where it is
 * the same. NULL and err. */
static struct testcase *load(const struct bisection *b, const char *path, struct err *err)
{
	const struct input *in = &b->input;
	MEM_SCOPED char **names = mem_zero(in->n_operands, sizeof *names);
	SCOPED(input_release) struct input result = { 0 };
	for (uint32_t i = 0; i < in->n_operands; i++)
		names[i] = in->n_operands > 1 ? mem_printf("%s/%s", path, in->operands[i].inside)
		                              : mem_strdup(path);
	int rc = input_find_result(&result, (const char *const *)names, in->n_operands, err);
	struct testcase *tc = rc < 0 ? NULL : input_read(&result, err);
	if (tc && hash_equal(tc->hash, b->original->hash)) {
		testcase_unref(tc);
		tc = testcase_ref(b->original);
	}
	for (uint32_t i = 0; i < in->n_operands; i++)
		free(names[i]);
	return tc;
}

/* For `whittle report`, beside the journal of the reduction. It is there for people: that it cannot
 * be written is no failure. */
static void leave_word(const struct bisection *b, const char *pair)
{
	MEM_SCOPED char *path = mem_printf("%s/whittle/%s/first-bad", b->common, b->name);
	MEM_SCOPED char *line = bisect_git_line(
		b->here, GIT_ARGS("log", "-1", "--format=%H %s", b->first_bad), NULL);
	MEM_SCOPED char *word = mem_printf("%s%s%s\n", line ? line : b->first_bad, pair ? "; " : "",
	                                   pair ? pair : "");
	io_replace_file(path, word, strlen(word), 0666, NULL);
	/* The test that is kept is one of ours around the user's. */
	BUF_SCOPED struct buf test = { 0 };
	const char *build = b->options->build;
	MEM_SCOPED char *to = mem_printf("%s/whittle/%s/bisect-test", b->common, b->name),
			*how = mem_printf("%s/whittle/%s/bisect-build", b->common, b->name);
	if (io_read_file(b->test, &test, NULL) == 0)
		io_replace_file(to, test.data, test.len, 0666, NULL);
	if (build)
		io_replace_file(how, build, strlen(build), 0666, NULL);
}

#define NOTES "--ref=refs/notes/whittle"

/* A blob with the bytes of F; its id, the caller's. */
static char *write_blob(struct bisection *b, const struct testcase_file *f, struct err *err)
{
	char *path = bisection_path(b, "blob"), *id = NULL;
	if (io_replace_file(path, f->data, testcase_file_size(f), 0666, err) == 0)
		id = bisect_git_line(
			b->here, GIT_ARGS("hash-object", "-w", "--no-filters", "--", path), err);
	free(path);
	return id;
}

/* Adds F to the index that the environment names. Git knows no empty directories. */
static int add_to_index(struct bisection *b, const struct testcase_file *f, struct err *err)
{
	if (S_ISDIR(f->mode))
		return 0;
	MEM_SCOPED char *blob = write_blob(b, f, err);
	const char *mode = S_ISLNK(f->mode) ? "120000" : f->mode & 0100 ? "100755" : "100644";
	MEM_SCOPED char *entry = mem_printf("%s,%s,%s", mode, blob ? blob : "", f->path);
	return blob ? bisect_git(b->here, GIT_ARGS("update-index", "--add", "--cacheinfo", entry),
	                         NULL, err)
	            : -1;
}

/* A tree with the files of TC; its id, the caller's. */
static char *write_tree(struct bisection *b, const struct testcase *tc, struct err *err)
{
	char *index = bisection_path(b, "index"), *id = NULL;
	int rc = 0;
	setenv("GIT_INDEX_FILE", index, 1);
	for (uint32_t i = 0; rc == 0 && i < tc->n_files; i++)
		rc = add_to_index(b, &tc->files[i], err);
	if (rc == 0)
		id = bisect_git_line(b->here, GIT_ARGS("write-tree"), err);
	unsetenv("GIT_INDEX_FILE");
	unlink(index);
	free(index);
	return id;
}

/* A note does not keep what it names from being collected; a ref does. It points at the object, and
 * is called by it. */
static int keep_object(struct bisection *b, const char *id, struct err *err)
{
	MEM_SCOPED char *ref = mem_printf("refs/whittle/bisect-repro/%s", id);
	return bisect_git(b->here, GIT_ARGS("update-ref", ref, id), NULL, err);
}

/* Notes are commits. Who has no name in git's configuration is no reason to give up. */
static void need_committer(struct bisection *b)
{
	if (bisect_git(b->here, GIT_ARGS("var", "GIT_COMMITTER_IDENT"), NULL, NULL) == 0)
		return;
	setenv("GIT_COMMITTER_NAME", "whittle", 0);
	setenv("GIT_COMMITTER_EMAIL", "whittle@localhost", 0);
	setenv("GIT_AUTHOR_NAME", "whittle", 0);
	setenv("GIT_AUTHOR_EMAIL", "whittle@localhost", 0);
}

static bool says_so(struct bisection *b, const char *id, const char *object)
{
	BUF_SCOPED struct buf note = { 0 };
	bool does = bisect_git(b->here, GIT_ARGS("notes", NOTES, "show", id), &note, NULL) == 0 &&
	            note.len && strstr(note.data, object);
	return does;
}

/* What the note says; the caller's. */
static char *describe(const struct bisection *b, const struct testcase *small, const char *pair,
                      const char *object)
{
	const struct bisect_options *o = b->options;
	struct buf text = { 0 };
	buf_addf(&text,
	         "whittle bisect: first bad commit, between %.12s (good) and %.12s (bad)\ntest: "
	         "%s\nbuild: %s\nfile:",
	         b->good, b->bad, o->test, o->build ? o->build : "none");
	for (char **operand = b->operands; *operand; operand++)
		buf_addf(&text, " %s", *operand);
	buf_addf(&text, ", %u bytes of %u\n", testcase_shown_size(small),
	         testcase_shown_size(b->original));
	if (*b->before)
		buf_addf(&text, "it shows the bug at this commit and not at %.12s\n", b->before);
	if (pair)
		buf_addf(&text, "%s\n", pair);
	buf_addf(&text, "reproduction: ");
	if (small->is_tree)
		buf_addf(&text, "git archive --format=tar %s | tar -xf -\n", object);
	else
		buf_addf(&text, "git cat-file blob %s\n", object);
	return text.data;
}

/* Adds a note to the commit. SMALL becomes a blob, or of several files a tree. A note that says so
 * already is left as it is. */
static int attach(struct bisection *b, const struct testcase *small, const char *pair,
                  struct err *err)
{
	const char *id = b->first_bad;
	MEM_SCOPED char *object =
		small->is_tree ? write_tree(b, small, err) : write_blob(b, &small->files[0], err);
	if (!object || keep_object(b, object, err) < 0)
		return -1;
	MEM_SCOPED char *text = describe(b, small, pair, object);
	int rc = 0;
	need_committer(b);
	if (!says_so(b, id, object))
		rc = bisect_git(b->here, GIT_ARGS("notes", NOTES, "append", "-m", text, id), NULL,
		                err);
	return rc;
}

int bisection_finish(struct bisection *b, const char *path, struct err *err)
{
	MEM_SCOPED char *pair = NULL;
	TESTCASE_SCOPED struct testcase *small =
		path ? load(b, path, err) : testcase_ref(b->original);
	int rc = small ? write_copy(b, small, err) : -1;
	judges_begin(&b->judges);
	if (rc == 0)
		rc = compare(b, small, &pair, err);
	judges_end(&b->judges);
	if (rc == 0 && path)
		leave_word(b, pair);
	if (rc == 0 && b->options->note)
		rc = attach(b, small, pair, err);
	return rc;
}
