#include "bisect/bisect_search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "bisect/bisect_ask.h"
#include "bisect/bisect_work.h"
#include "bisect/bisect_git.h"
#include "bisect/bisect_note.h"
#include "bisect/bisect_sides.h"
#include "bisect/bisect_walk.h"
#include "disk/input.h"
#include "disk/output.h"

/* ---- before the reduction ---- */

/* Lines by which one two-sided test is told from another; nothing in them differs from start to
 * start. */
static char *describe(const struct bisection *b)
{
	char *about = mem_printf(
		"# Interesting is what shows the bug at %s\n# and does not show it at %s.\n",
		b->bad, b->good);
	const char *key = strrchr(b->dir, '/') + 1;
	char *all = mem_printf("%s# Bisection %s; test %s\n", about, key, b->test);
	free(about);
	return all;
}

int bisection_prepare(struct bisection *b, struct bisect_reduction *r, struct err *err)
{
	enum { SLACK_S = 10 };
	const struct bisect_options *o = b->options;
	struct sides sides = {
		.test = b->test, .repeat = o->repeat, .limit_ns = b->limit_ns, .seats = o->jobs
	};
	bool several = b->input.n_operands > 1;
	char *about = describe(b),
	     *leaf = mem_printf("small/%s", several ? "all" : b->input.operands[0].inside);
	sides.tree[SIDE_BAD] = bisect_tree_find(&b->trees, b->bad);
	sides.tree[SIDE_GOOD] = bisect_tree_find(&b->trees, b->good);
	int rc = sides_write(b->dir, &sides, about, err);
	*r = (struct bisect_reduction){ .test = bisection_path(b, "two-sided"),
		                        .result = bisection_path(b, leaf),
		                        .timeout_ns = SIDES * o->repeat * b->limit_ns +
		                                      SLACK_S * (uint64_t)1000000000 };
	/* Not to all trees: git runs in another one, and what that says of itself is to be ours. */
	r->writes[0] = bisection_path(b, SIDES_SEATS);
	r->writes[1] = bisection_path(b, SIDES_SCORES);
	r->writes[2] = sides.tree[SIDE_BAD];
	r->writes[3] = sides.tree[SIDE_GOOD];
	free(about);
	free(leaf);
	return rc;
}

void bisect_reduction_release(struct bisect_reduction *r)
{
	free(r->test);
	free(r->result);
	for (int i = 0; i < BISECT_WRITES; i++)
		free(r->writes[i]);
}

/* ---- after it ---- */

/* The parents of ID, separated by spaces; the caller's. */
static char *parents_of(struct bisection *b, const char *id, struct err *err)
{
	return bisect_git_line(b->here, GIT_ARGS("rev-list", "--parents", "--no-walk", id), err);
}

/* Starts what is not known about the original at the revisions in IDS (changed), so that it is
 * judged at the same time. */
static int start_all(struct bisection *b, const char *ids, struct err *err)
{
	char *copy = mem_strdup(ids), *at = copy, *id;
	enum bisect_answer answer;
	int rc = 0;
	while (rc == 0 && (id = strsep(&at, " ")))
		if (*id && !bisect_known_get(&b->known, b->original->hash, id, &answer) &&
		    bisect_work_idle(&b->work))
			rc = bisect_work_start(b, id, b->original, err);
	free(copy);
	return rc;
}

/* Whether ID has parents that are not here, as where a shallow clone ends: 1, 0, or -1 and err. */
static int is_cut_off(struct bisection *b, const char *id, const char *parents, struct err *err)
{
	struct buf text = { 0 };
	if (strchr(parents, ' '))
		return 0;
	int rc = bisect_git(b->here, GIT_ARGS("cat-file", "commit", id), &text, err);
	buf_addch(&text, '\0');
	const char *parent = strstr(text.data, "\nparent "), *body = strstr(text.data, "\n\n");
	if (rc == 0)
		rc = parent && (!body || parent < body);
	buf_release(&text);
	return rc;
}

enum agreement { AGREES, DISAGREES, CANNOT_SAY, CUT_OFF };

/* Does the original show the bug at the first bad commit, and at none of its parents? CUT_OFF:
 * these are not here. */
static int verify(struct bisection *b, const char *id, enum agreement *agreement, struct err *err)
{
	char *line = parents_of(b, id, err), *at = line, *one;
	int cut_off = line ? is_cut_off(b, id, line, err) : -1;
	int rc = cut_off < 0 ? -1 : start_all(b, line, err);
	*agreement = cut_off ? CUT_OFF : AGREES;
	for (bool first = true; rc == 0 && (one = strsep(&at, " ")); first = false) {
		enum bisect_answer answer;
		rc = bisection_judge(b, b->original, one, &answer, err);
		if (rc == 0 && answer == BISECT_SKIP && *agreement != DISAGREES)
			*agreement = CANNOT_SAY;
		else if (rc == 0 && answer != BISECT_SKIP &&
		         answer != (first ? BISECT_BAD : BISECT_GOOD))
			*agreement = DISAGREES;
	}
	free(line);
	return rc;
}

/* The walk with the reduced file, and what the original has to say about its end: when it
 * contradicts, the walk is taken again with the original, which is what counts. */
static int search(struct bisection *b, const struct testcase *small, struct bisect_end *end,
                  struct err *err)
{
	enum agreement agreement = AGREES;
	if (bisect_walk(b, small, end, err) < 0)
		return -1;
	if (!*end->id || small == b->original)
		return 0;
	if (verify(b, end->id, &agreement, err) < 0)
		return -1;
	if (agreement == AGREES && !b->options->quiet)
		fprintf(stderr,
		        "whittle: verified: the original shows the bug there, and not before\n");
	else if (agreement == CANNOT_SAY)
		fprintf(stderr,
		        "whittle: cannot judge the original at %.12s or at a parent of it\n",
		        end->id);
	else if (agreement == CUT_OFF)
		fprintf(stderr,
		        "whittle: the original shows the bug at %.12s, whose parents are not here "
		        "(a shallow clone?): an earlier commit may be the first bad one\n",
		        end->id);
	if (agreement != DISAGREES)
		return 0;
	fprintf(stderr,
	        "whittle: the original gives other verdicts at %.12s: bisecting with the "
	        "original\n",
	        end->id);
	buf_release(&end->text);
	return bisect_walk(b, b->original, end, err);
}

/* Before OUT is written, the note says that it will be what is ours, beside what it is now. */
static int note_copy(const struct bisection *b, const struct testcase *small, struct err *err)
{
	char *note = bisection_path(b, "wrote-out"), *line = bisection_out_line(small);
	struct buf text = { 0 };
	struct err none_yet;
	io_read_file(note, &text, &none_yet);
	if (!text.data || !strstr(text.data, line))
		buf_add(&text, line, strlen(line));
	int rc = io_replace_file(note, text.data, text.len, 0666, err);
	buf_release(&text);
	free(note);
	free(line);
	return rc;
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
	char **names = mem_zero(in->n_operands, sizeof *names);
	struct input result = { 0 };
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
	free(names);
	input_release(&result);
	return tc;
}

/* For `whittle report`, beside the journal of the reduction. It is there for people: that it cannot
 * be written is no failure. */
static void leave_word(const struct bisection *b, const char *id)
{
	char *path = mem_printf("%s/whittle/%s/first-bad", b->common, b->name);
	struct buf said = { 0 };
	struct err ignored;
	if (bisect_git(b->here, GIT_ARGS("log", "-1", "--format=%H %s", id), &said, &ignored) == 0)
		io_replace_file(path, said.data, said.len, 0666, &ignored);
	buf_release(&said);
	free(path);
}

int bisection_search(struct bisection *b, const char *path, struct err *err)
{
	struct bisect_end end = { .id = "" };
	struct testcase *small = path ? load(b, path, err) : testcase_ref(b->original);
	int rc = small && bisect_work_init(&b->work, b->width, err) == 0 &&
	                         write_copy(b, small, err) == 0 && search(b, small, &end, err) == 0
	                 ? 0
	                 : -1;
	if (rc == 0)
		show_write(stdout, end.text.data, end.text.len);
	if (rc == 0 && ferror(stdout))
		rc = err_errno(err, "cannot write the result");
	if (rc == 0 && !*end.id)
		rc = err_set(err, ERR_TEST, "git cannot name a single commit");
	if (rc == 0)
		leave_word(b, end.id);
	if (rc == 0 && b->options->note)
		rc = bisect_note(b, end.id, small, err);
	buf_release(&end.text);
	testcase_unref(small);
	return rc;
}
