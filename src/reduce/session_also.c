#include "reduce/session_also.h"

#include <fcntl.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "disk/aside.h"
#include "reduce/session_def.h"
#include "text/code.h"

/* Of a tree, with its names. */
enum { MET_MOST = 16 * ORACLE_HOLDS };

const struct also_seen *session_also(const struct session *s, size_t *n)
{
	*n = 0;
	return s->ask.also ? also_seen(s->ask.also, n) : NULL;
}

/* The directory beside the journal in which the candidates lie by their statuses; the caller's. */
static char *met_dir(const struct session *s)
{
	return location_path(&session_store_of(s->kept.keep)->location, REDUCTION_MET);
}

/* What keep_met wrote; the caller's reference. NULL: nothing that can be used. */
static struct testcase *read_met(const struct session *s, const char *path)
{
	const struct input_entry *entry = &s->input.entries[0];
	BUF_SCOPED struct buf text = { 0 };
	struct testcase *tc = NULL;
	struct err err;
	bool is_tree = s->original->is_tree;
	if (io_read_bounded(path, (struct io_bounds){ is_tree ? MET_MOST : ORACLE_HOLDS, true },
	                    &text, &err) == 0 &&
	    text.len) {
		if (is_tree) {
			tc = code_read_testcase((const uint8_t *)text.data, text.len);
		} else {
			tc = testcase_new(entry->path, entry->mode, (uint8_t *)text.data,
			                  (uint32_t)text.len);
			text.data = NULL;
		}
	}
	if (!tc || tc->is_tree == is_tree)
		return tc;
	testcase_unref(tc);
	return NULL;
}

static void meet_again(struct session *s, const char *path, int status)
{
	TESTCASE_SCOPED struct testcase *tc = read_met(s, path);
	if (tc)
		also_meet(s->ask.also, status, tc);
}

void session_also_forget(struct session *s)
{
	MEM_SCOPED char *dir = met_dir(s);
	io_remove_tree(AT_FDCWD, dir);
}

void session_also_begin(struct session *s, bool resumed)
{
	if (!s->ask.also || !s->kept.keep)
		return;
	if (!resumed)
		session_also_forget(s);
	MEM_SCOPED char *dir = met_dir(s);
	for (int status = 1; resumed && status < ALSO_STATUSES; status++) {
		MEM_SCOPED char *path = mem_printf("%s/%d", dir, status);
		if (s->options.tests.also[status])
			meet_again(s, path, status);
	}
}

static int keep_met(struct session *s, const struct also_seen *seen, struct err *err)
{
	MEM_SCOPED char *dir = met_dir(s), *path = mem_printf("%s/%d", dir, seen->status);
	const struct testcase *tc = seen->tc;
	BUF_SCOPED struct buf text = { 0 };
	if (tc->is_tree)
		code_add_testcase(&text, tc);
	int rc = io_make_dirs(dir, 0, err);
	if (rc == 0)
		rc = io_replace_file(path, tc->is_tree ? (void *)text.data : tc->bytes,
		                     tc->is_tree ? text.len : tc->size, 0600, err);
	return rc;
}

void session_also_note(struct session *s)
{
	size_t n;
	const struct also_seen *seen = session_also(s, &n);
	for (size_t i = 0; s->kept.keep && i < n; i++) {
		struct err err;
		if (hash_equal(s->ask.met[i], seen[i].tc->hash))
			continue;
		s->ask.met[i] = seen[i].tc->hash;
		testcase_flat(seen[i].tc);
		if (keep_met(s, &seen[i], &err) < 0) {
			err_context(&err, "cannot keep another failure that was met");
			session_notice(s, err.msg);
		}
	}
}

int session_ask_about(struct session *s, const char *const *words, const struct testcase *tc,
                      struct answer *answer, char **output, struct err *err)
{
	const struct oracle_request rq = {
		.ticket = 1, .tc = tc, .words = words, .limits = s->ask.limits
	};
	return oracle_ask_verbose(s->ask.once, &rq, -1, answer, output, err);
}

void session_hurry(struct session *s, uint64_t wall_ns)
{
	if (s->ask.limits.wall_ns > wall_ns)
		s->ask.limits.wall_ns = wall_ns;
}

/* What is kept under a name. */
enum there {
	THERE_NOTHING,
	THERE_ANOTHER, /* something else */
	THERE_WORSE,   /* a larger candidate of the same failure; it is removed */
	THERE_GOOD,    /* one that is no larger, or that has been reduced since */
	THERE_UNKNOWN, /* err */
};

static enum there replace(struct reduction *r, const struct testcase *tc, struct err *err)
{
	TESTCASE_SCOPED struct testcase *have = r->chain.n == 1 ? reduction_testcase(r, err) : NULL;
	bool worse = have && testcase_compare(tc, have) < 0;
	if (!worse)
		return THERE_GOOD;
	IO_SCOPED int lock = reduction_lock(r, err);
	if (lock < 0)
		return THERE_GOOD;
	int rc = reduction_delete(r, err);
	return rc < 0 ? THERE_UNKNOWN : THERE_WORSE;
}

static enum there look(const struct session *s, const char *name, const struct session_other *other,
                       struct err *err)
{
	SCOPED(reduction_close) struct reduction r;
	enum there there = THERE_ANOTHER;
	if (reduction_open(&r, NULL, session_store_of(s->kept.keep)->location.common, name, NULL) <
	    0) {
		there = r.damaged || r.broken_ref ? THERE_ANOTHER : THERE_NOTHING;
	} else {
		MEM_SCOPED char *test = reduction_local(&r, SESSION_STORE_TEST);
		if (test && !strcmp(test, other->test))
			there = replace(&r, other->tc, err);
	}
	return there;
}

/* FILE with "+N" in front of its ending; of several files a directory, which has no ending. The
 * caller's. */
static char *out_name(const struct session *s, unsigned n)
{
	MEM_SCOPED char *file = io_real_path(s->options.file);
	const char *path = file ? file : s->options.file, *base = path_base(path),
		   *dot = strrchr(base, '.');
	bool ends = s->options.n_files < 2 && dot && dot != base;
	size_t len = ends ? (size_t)(dot - path) : strlen(path);
	return mem_printf("%.*s+%u%s", (int)len, path, n, path + len);
}

static void no_notice(UNUSED void *arg, const char *message)
{
	(void)message;
}

static int begin(const struct session_store_options *options, const struct testcase *tc,
                 struct err *err)
{
	struct session_store_known known;
	SCOPED(verdicts_release) struct verdicts none = { 0 };
	TESTCASE_SCOPED struct testcase *original = NULL;
	enum store_state state;
	struct session_store *k = session_store_open(options, (struct testcase *)(uintptr_t)tc,
	                                             &state, &original, err);
	int rc = k ? session_store_begin(k, original, &none, &known, err) : -1;
	session_store_close(k);
	return rc;
}

static int keep_as(struct session *s, const char *name, unsigned n,
                   const struct session_other *other, struct err *err)
{
	/* FILE itself is the other reduction's. */
	SCOPED(input_release) struct input in = { 0 };
	MEM_SCOPED char *dir = aside_dir(session_store_of(s->kept.keep)->location.common, name),
			*out = out_name(s, n), *allowed = fence_paths(&s->ask.fence);
	bool is_tree = other->tc->is_tree;
	if (aside_place(&in, dir, s->ask.operands, other->tc, s->options.file, err) < 0)
		return -1;
	const struct session_store_options ko = {
		.file = in.operands[0].path,
		.top = is_tree ? dir : NULL,
		.operands = is_tree ? s->ask.operands : NULL,
		.test = other->test,
		.name = name,
		.repository = session_store_of(s->kept.keep)->location.common,
		.settings = s->kept.settings,
		.out = out,
		.tokenizer = s->options.settings.tokenizer,
		.allowed = allowed,
		.also = { session_store_of(s->kept.keep)->location.name, other->about },
		.notice = no_notice
	};
	return begin(&ko, other->tc, err);
}

int session_keep_other(struct session *s, const struct session_other *other, struct err *err)
{
	enum { MOST = 4 * ALSO_MOST };
	for (unsigned n = 1; n <= MOST; n++) {
		MEM_SCOPED char *name =
			mem_printf("%s+%u", session_store_of(s->kept.keep)->location.name, n);
		enum there there = look(s, name, other, err);
		int rc = there == THERE_UNKNOWN ? -1 : 0;
		if (there == THERE_NOTHING || there == THERE_WORSE)
			rc = keep_as(s, name, n, other, err) < 0 ? -1 : 1;
		if (there != THERE_ANOTHER)
			return rc;
	}
	return err_set(err, ERR_SYSTEM, "more than %d other failures are kept of '%s' already",
	               MOST, session_store_of(s->kept.keep)->location.name);
}
