#include "bisect/bisect_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/err.h"
#include "base/mem.h"
#include "bisect/bisect_ask.h"
#include "bisect/bisect_work.h"
#include "bisect/bisect_git.h"
#include "bisect/bisect_replay.h"

enum { NODES_MAX = 64 };

/* A state that may come. */
struct node {
	char *log;
	char head[BISECT_ID_SIZE]; /* asked for in it; empty: nothing */
	double chance;
	bool done;
};

struct walk {
	struct bisection *b;
	const struct testcase *tc;
	bool ahead;    /* only for the builds */
	char *tree;    /* the worktree that git bisect runs in; it has no files */
	uint64_t room; /* bytes free on the disk, ahead */
	char *log;
	char head[BISECT_ID_SIZE];
	char last[2][BISECT_ID_SIZE]; /* last good and bad revision, whose builds are kept */
	struct bisect_replay replay;
	struct bisect_end *end;
};

/* ---- what git says ---- */

/* Runs git bisect ARGS. What it says when it cannot continue is a result, not a failure: a merge
 * base that is bad, say. */
static int ask(struct walk *w, const char *const *args, struct err *err)
{
	struct err said;
	w->end->text.len = 0;
	int status = bisect_git_status(w->tree, args, &w->end->text, &said);
	if (status < 0) {
		*err = said;
		return -1;
	}
	if (status == 0)
		return bisect_state_of(w->tree, w->head, w->end->id, err);
	const char *text = strchr(said.msg, ':');
	if (text && text[1] && text[2])
		buf_addf(&w->end->text, "%s\n", text + 2);
	w->head[0] = '\0';
	return 0;
}

/* Only the builds of the last good and the last bad revision are needed again. */
static void drop_build(struct walk *w, enum bisect_answer answer)
{
	const struct bisection *b = w->b;
	char *last = w->last[answer == BISECT_BAD];
	const char *old = answer == BISECT_SKIP ? w->head : last;
	if (*old && strcmp(old, b->good) != 0 && strcmp(old, b->bad) != 0 && !b->options->keep &&
	    !w->ahead)
		bisect_tree_drop(&b->trees, old);
	if (answer != BISECT_SKIP)
		snprintf(last, BISECT_ID_SIZE, "%s", w->head);
}

static int step(struct walk *w, enum bisect_answer answer, struct err *err)
{
	char *longer = bisect_log_with(w->log, answer, w->head);
	free(w->log);
	w->log = longer;
	drop_build(w, answer);
	char id[BISECT_ID_SIZE];
	snprintf(id, sizeof id, "%s", w->head);
	return ask(w, GIT_ARGS("bisect", bisect_word(answer), id), err);
}

/* ---- looking ahead ---- */

static struct node *likeliest(struct node *nodes, unsigned n)
{
	struct node *best = NULL;
	for (unsigned i = 0; i < n; i++)
		if (!nodes[i].done && (!best || nodes[i].chance > best->chance))
			best = &nodes[i];
	return best;
}

static void add_child(struct walk *w, struct node *nodes, unsigned *n, const struct node *of,
                      enum bisect_answer answer, double chance)
{
	if (*n == NODES_MAX)
		return;
	struct node *child = &nodes[(*n)++];
	*child = (struct node){ .log = bisect_log_with(of->log, answer, of->head),
		                .chance = of->chance * chance };
	bisect_replay_head(&w->replay, w->b, child->log, child->head);
}

/* The revisions that are asked for now and, most likely, next; the first one is w->head. IDS has
 * room for WANT. */
static unsigned choose(struct walk *w, char (*ids)[BISECT_ID_SIZE], unsigned want)
{
	struct node nodes[NODES_MAX] = { { .log = mem_strdup(w->log), .chance = 1 } }, *node;
	unsigned n = 1, chosen = 0;
	memcpy(nodes[0].head, w->head, sizeof w->head);
	while (chosen < want && (node = likeliest(nodes, n)) && n < NODES_MAX) {
		struct node at = *node;
		enum bisect_answer answer;
		node->done = true;
		if (!*at.head)
			continue;
		if (bisect_known_get(&w->b->known, w->tc->hash, at.head, &answer)) {
			add_child(w, nodes, &n, &at, answer, 1);
			continue;
		}
		snprintf(ids[chosen++], BISECT_ID_SIZE, "%s", at.head);
		if (chosen == want)
			break;
		add_child(w, nodes, &n, &at, BISECT_BAD, 0.5);
		add_child(w, nodes, &n, &at, BISECT_GOOD, 0.5);
	}
	for (unsigned i = 0; i < n; i++)
		free(nodes[i].log);
	return chosen;
}

static bool among(const char *id, char (*ids)[BISECT_ID_SIZE], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(ids[i], id))
			return true;
	return false;
}

/* Has the judges at work on what is asked and what is likely to be, and on nothing else. */
static int employ(struct walk *w, struct err *err)
{
	struct bisect_work *work = &w->b->work;
	unsigned want = work->n;
	char(*ids)[BISECT_ID_SIZE] = mem_zero(want, sizeof *ids);
	int rc = 0;
	if (!bisect_work_find(work, w->head, w->tc) && bisect_work_idle(work))
		rc = bisect_work_start(w->b, w->head, w->tc,
		                       err); /* it need not wait for what follows */
	unsigned n = rc == 0 ? choose(w, ids, want) : 0;
	for (unsigned i = 0; rc == 0 && i < work->n; i++)
		if (work->list[i].pid && !among(work->list[i].id, ids, n))
			bisect_work_cancel(&work->list[i]);
	for (unsigned i = 0; rc == 0 && i < n; i++)
		if (!bisect_work_find(work, ids[i], w->tc))
			rc = bisect_work_start(w->b, ids[i], w->tc, err);
	free(ids);
	return rc;
}

/* ---- the walk ---- */

/* Room on the disk; 0 when it cannot be told. */
static uint64_t room(const struct walk *w)
{
	struct statvfs fs;
	return statvfs(w->b->dir, &fs) < 0 ? 0 : (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* Half of what was free at the beginning is for what comes after. */
static bool is_short_of_room(const struct walk *w)
{
	return room(w) < w->room / 2;
}

static int walk(struct walk *w, struct err *err)
{
	struct bisection *b = w->b;
	enum bisect_answer answer;
	if (ask(w, GIT_ARGS("bisect", "start", "--no-checkout", b->bad, b->good), err) < 0)
		return -1;
	while (*w->head && !(w->ahead && is_short_of_room(w))) {
		int rc;
		if (bisect_work_stopped(&b->work))
			return err_set(err, ERR_STOPPED, "interrupted; the same command resumes");
		if (bisect_known_get(&b->known, w->tc->hash, w->head, &answer))
			rc = step(w, answer, err);
		else if ((rc = employ(w, err)) == 0)
			rc = bisection_learn(b, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* Ends all judges but that of the present question, and that one when it has built. */
static void settle(struct walk *w)
{
	struct bisect_work *work = &w->b->work;
	struct bisect_worker *present = bisect_work_find(work, w->head, w->tc);
	for (unsigned i = 0; i < work->n; i++)
		if (&work->list[i] != present)
			bisect_work_cancel(&work->list[i]);
	if (present) {
		bisect_tree_unlock(bisect_tree_lock(&w->b->trees, w->head));
		bisect_work_cancel(present);
	}
}

static int take_walk(struct walk *w, struct err *err)
{
	struct bisection *b = w->b;
	*w->end = (struct bisect_end){ .id = "" };
	w->tree = bisect_tree_add(&b->trees, b->bad, true, err);
	w->log = mem_printf("git bisect start '--no-checkout' '%s' '%s'\n", b->bad, b->good);
	int rc = w->tree ? walk(w, err) : -1;
	if (w->ahead)
		settle(w);
	for (unsigned i = 0; i < b->work.n; i++)
		bisect_work_cancel(&b->work.list[i]);
	bisect_replay_release(&w->replay, b);
	bisect_tree_remove(&b->trees, w->tree);
	free(w->tree);
	free(w->log);
	return rc;
}

int bisect_walk(struct bisection *b, const struct testcase *tc, struct bisect_end *end,
                struct err *err)
{
	struct walk w = { .b = b, .tc = tc, .end = end };
	return take_walk(&w, err);
}

void bisect_walk_ahead(struct bisection *b)
{
	struct err ignored; /* the walk itself meets the same error and reports it */
	struct bisect_end end;
	struct walk w = { .b = b, .tc = b->original, .end = &end, .ahead = true };
	w.room = room(&w);
	take_walk(&w, &ignored);
	buf_release(&end.text);
}
