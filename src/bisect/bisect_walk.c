#include "bisect/bisect_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/err.h"
#include "base/mem.h"
#include "bisect/bisect_git.h"

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
		if (judges_stopped(w->judges))
			return err_set(err, ERR_STOPPED, "interrupted; the same command resumes");
		if (judges_ask(w->judges, tc, id, NULL, err) < 0)
			return -1;
		enum bisect_answer answer = judges_know(w->judges, tc, id)->answer;
		drop_build(w, id, answer);
		if (ask(w, GIT_ARGS("bisect", bisect_word(answer), id), err) < 0)
			return -1;
	}
	return 0;
}

int bisect_walk(struct judges *judges, const struct testcase *tc, const char *good, const char *bad,
                struct bisect_end *end, struct err *err)
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
