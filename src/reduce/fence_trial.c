#include "reduce/fence_trial.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "fence/fence.h"
#include "run/setup.h"
#include "base/path.h"

enum { WRITTEN_MAX = 64, WRITTEN_SHOWN = 4, LOOKED_AT_MAX = 100000 };

/* What would have to be allowed. */
struct written {
	char *path[WRITTEN_MAX];
	unsigned n;
};

/* Adds PATH, unless it is, or lies in, one that is there; what lies in it goes. */
static void add_path(struct written *w, const char *path)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < w->n; i++)
		if (path_is_at(path, w->path[i]))
			return;
	for (unsigned i = 0; i < w->n; i++)
		if (path_is_at(w->path[i], path))
			free(w->path[i]);
		else
			w->path[kept++] = w->path[i];
	w->n = kept;
	if (w->n < WRITTEN_MAX)
		w->path[w->n++] = mem_strdup(path);
}

/* What has to be allowed for PATH to be written: the file, if it is there, else the nearest
 * directory that is. */
static void add_written(struct written *w, const char *path)
{
	struct stat st;
	MEM_SCOPED char *at = mem_strdup(path);
	while (lstat(at, &st) < 0 && strrchr(at, '/') != at)
		*strrchr(at, '/') = '\0';
	add_path(w, at);
}

static void release(struct written *w)
{
	for (unsigned i = 0; i < w->n; i++)
		free(w->path[i]);
	w->n = 0;
}

/* ---- running it ---- */

/* 1, 0, or -1: that could not be had. */
static int ask(const struct fence_trial *t, const struct fence *fence)
{
	struct setup setup = *t->setup;
	struct answer a = { 0 };
	const struct oracle_request rq = { .ticket = 1, .tc = t->tc, .limits = t->limits };
	setup.fence = fence;
	setup.jobs = 1;
	setup.make = NULL;
	setup.notice = NULL;
	struct oracle *oracle = setup_open(&setup, NULL);
	bool asked = oracle && oracle_ask(oracle, &rq, t->stop_fd, &a, NULL) == 0;
	oracle_free(oracle);
	return asked ? a.verdict == VERDICT_INTERESTING : -1;
}

static bool is_interesting(const struct fence_trial *t, const struct fence *fence)
{
	return ask(t, fence) > 0;
}

/* The report of a world: a path in each line, relative to nothing. */
static void read_report(struct written *w, const char *file)
{
	BUF_SCOPED struct buf text = { 0 };
	if (io_read_file(file, &text, NULL) == 0 && text.len)
		for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			add_written(w, line);
		}
}

/* As ask. */
static int works_in_a_copy(const struct fence_trial *t, struct written *w)
{
	struct fence copy = *t->setup->fence;
	if (!(copy.parts & FENCE_TMP) || copy.n_allow == FENCE_ALLOW_MAX)
		return -1;
	char *report = io_temporary_name("whittle-report");
	int fd = mkstemp(report), yes = -1;
	if (fd >= 0) {
		close(fd);
		copy.allow[copy.n_allow++] = report;
		fence_try(&copy, report);
		yes = ask(t, &copy);
		if (yes > 0)
			read_report(w, report);
		unlink(report);
	}
	free(report);
	return yes;
}

/* ---- what has changed ---- */

/* Ours, and changed since then. */
static bool since(const struct stat *st, const struct timespec *begin)
{
	return st->st_uid == geteuid() &&
	       (st->st_ctim.tv_sec > begin->tv_sec ||
	        (st->st_ctim.tv_sec == begin->tv_sec && st->st_ctim.tv_nsec >= begin->tv_nsec));
}

/* Looks below DIR, on its file system. The directories of whittle itself are none of the test's. */
static void find_changed(struct written *w, const char *dir, const struct timespec *begin)
{
	char *real = realpath(dir, NULL), *roots[] = { real, NULL };
	FTS *fts = real ? fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL) : NULL;
	unsigned seen = 0;
	for (FTSENT *e; fts && seen < LOOKED_AT_MAX && (e = fts_read(fts)); seen++) {
		if (e->fts_info == FTS_D && !strncmp(e->fts_name, "whittle-", 8))
			fts_set(fts, e, FTS_SKIP);
		else if (e->fts_info != FTS_DP && e->fts_info != FTS_NS && e->fts_level &&
		         since(e->fts_statp, begin))
			add_path(w, e->fts_info == FTS_D ? e->fts_path : e->fts_accpath);
	}
	if (fts)
		fts_close(fts);
	free(real);
}

static bool works_without(const struct fence_trial *t, struct written *w)
{
	const char *const dirs[] = { getenv("HOME"),
		                     getenv("XDG_CACHE_HOME"),
		                     getenv("TMPDIR"),
		                     "/tmp",
		                     "/var/tmp",
		                     "/dev/shm",
		                     "." };
	struct timespec begin;
	clock_gettime(CLOCK_REALTIME_COARSE, &begin);
	if (!is_interesting(t, NULL))
		return false;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (dirs[i] && *dirs[i])
			find_changed(w, dirs[i], &begin);
	return true;
}

/* Whether it says yes behind the fence when it is asked more often. */
static bool is_flaky(const struct fence_trial *t)
{
	enum { RUNS = 14 };
	for (int i = 0; i < RUNS; i++)
		if (is_interesting(t, t->setup->fence))
			return true;
	return false;
}

/* ---- saying it ---- */

static void say(const struct fence_trial *t, const struct written *w, const char *how,
                struct err *err)
{
	BUF_SCOPED struct buf paths = { 0 }, options = { 0 };
	for (unsigned i = 0; i < w->n && i < WRITTEN_SHOWN; i++) {
		buf_addf(&paths, "%s%s", i ? ", " : "", w->path[i]);
		buf_addf(&options, " --allow-write=");
		quote_add(&options, w->path[i]);
	}
	if (w->n > WRITTEN_SHOWN)
		buf_addf(&paths, " and %u more", w->n - WRITTEN_SHOWN);
	if (w->n)
		err_set(err, ERR_USAGE,
		        "%s is interesting to %s only without the fence: %s %s; let tests write "
		        "there with%s (git config whittle.allowWrite), or use --fence=none",
		        t->file, t->test, how, paths.data, options.data);
	else
		err_set(err, ERR_USAGE,
		        "%s is interesting to %s only without the fence, but not because of files "
		        "that it writes; use --fence=none",
		        t->file, t->test);
}

bool fence_trial(const struct fence_trial *t, struct err *err)
{
	struct written w = { 0 };
	if (!t->setup->fence || !t->setup->fence->parts)
		return false;
	int copied = works_in_a_copy(t, &w);
	bool found = copied < 0 ? works_without(t, &w) : copied;
	if (found)
		say(t, &w, copied < 0 ? "there were changes in" : "it writes to", err);
	if (found && is_flaky(t))
		err_set(err, ERR_TEST,
		        "the interestingness test is flaky: on %s, it first said no, and then yes "
		        "(see --flaky and --repeat)",
		        t->file);
	release(&w);
	return found;
}
