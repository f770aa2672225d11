#include "reduce/session_store.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "lang/tokenizer.h"

enum { TEST_KEPT_MAX = 1 << 20 }; /* larger test programs are known by their hash alone */

/* What another process looks for appears a few seconds later. */
static const uint64_t FLUSH_EVERY_NS = 3000000000u;
enum { FLUSH_SHARE = 50 }; /* at most one part in so many of the time */

struct session_store {
	struct session_store_options options;
	struct store *store;
	struct buf test;
	struct stat test_stat;
	uint64_t flush_ns, flush_cost_ns; /* when the last one ended, and what it took */
	bool told;                        /* a failure that loses nothing has been reported */
	char *branch_of;                  /* NULL: it is no branch */
	bool otherwise;                   /* session_store_lived_otherwise */
	char *settings;                   /* with another fence than was given; NULL: as given */
	/* For the callback of reduction_verdicts. */
	struct verdicts *table;
	struct hash original;
	struct session_store_known known;
};

static struct store_input input_of(const struct session_store *k, const struct testcase *tc)
{
	struct store_input in = { .tc = tc,
		                  .test_mode = k->test_stat.st_mode & 07777,
		                  .options = k->options.settings,
		                  .operands = k->options.operands,
		                  .apart = k->options.out };
	if (k->test.len <= TEST_KEPT_MAX) {
		in.test = k->test.data;
		in.test_len = k->test.len;
	}
	in.identity = hash_bytes(k->test.data, k->test.len,
	                         hash_bytes(in.options, strlen(in.options), 0).lo);
	return in;
}

/* Is there a reduction to be set aside, of which FILE is a result? Then what starts over starts
 * from its original. */
static int is_from_before(struct session_store *k, const struct store_input *in, struct err *err)
{
	if (k->options.fresh != SESSION_STORE_FRESH || !reduction_is_sound(session_store_of(k)))
		return 0;
	return store_knows(k->store, in, err);
}

static void tell_of_original(const struct session_store *k)
{
	MEM_SCOPED char *orig = mem_printf("%s.orig", k->options.file);
	bool there = access(orig, F_OK) == 0;
	MEM_SCOPED char *message =
		mem_printf("%s holds a result: it starts over from the original%s%s",
	                   k->options.file, there ? ", " : "", there ? orig : "");
	if (k->options.notice)
		k->options.notice(k->options.arg, message);
}

/* Another version takes other steps: what it left, the last snapshot or NOW in FILE, which may be
 * ahead of it, is the original of a new reduction. */
static struct testcase *go_on_from_older(struct session_store *k, struct testcase *now,
                                         struct err *err)
{
	bool here;
	struct testcase *result = session_store_result(k, &here, err);
	if (!result)
		return NULL;
	if (now->size < result->size) {
		testcase_unref(result);
		result = testcase_ref(now);
	}
	MEM_SCOPED char *message =
		mem_printf("another version of whittle began '%s': a new reduction continues from "
	                   "the remaining %u bytes; the old one is kept",
	                   session_store_of(k)->location.name, testcase_shown_size(result));
	if (k->options.notice)
		k->options.notice(k->options.arg, message);
	store_be_fresh(k->store);
	k->options.fresh = SESSION_STORE_FRESH;
	k->options.branch_of =
		session_store_of(k)->location.name; /* the original is that of what is set aside */
	return result;
}

static int look(struct session_store *k, struct testcase *now, enum store_state *state,
                struct testcase **original, struct err *err)
{
	MEM_SCOPED char *why = NULL;
	struct store_input in = input_of(k, now);
	int rc = store_state(k->store, &in, state, &why, err);
	if (rc == 0 && *state == STORE_CHANGED &&
	    k->options.fresh == SESSION_STORE_FRESH_IF_CHANGED) {
		store_be_fresh(k->store);
		k->options.fresh = SESSION_STORE_FRESH;
		*state = STORE_NEW;
	} else if (rc == 0 && *state == STORE_OLDER) {
		*state = STORE_NEW;
		*original = go_on_from_older(k, now, err);
		rc = *original ? 1 : -1;
	} else if (rc == 0 && *state == STORE_CHANGED) {
		rc = err_set(err, ERR_USAGE, "%s", why);
	}
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	int again = *state == STORE_NEW ? is_from_before(k, &in, err) : 0;
	if (again < 0)
		return -1;
	bool same = (*state == STORE_NEW && !again) || store_is_original(k->store, now);
	*original = same ? testcase_ref(now) : reduction_at(session_store_of(k), 0, err);
	if (*original && again && !same)
		tell_of_original(k);
	return *original ? 0 : -1;
}

/* The name of the reduction that this one branches off from; the caller's. NULL: none. */
static char *read_branch(const struct session_store *k)
{
	struct buf text = { 0 };
	MEM_SCOPED char *path = location_path(&session_store_of(k)->location, REDUCTION_BRANCH);
	if (access(path, R_OK) == 0 && io_read_kept(path, &text, NULL) == 0)
		text.data[strcspn(text.data, "\n")] = '\0';
	return text.data;
}

/* Looks how the test was started when this was run here last. */
static bool lived_otherwise(const struct session_store *k)
{
	MEM_SCOPED char *test = reduction_local(session_store_of(k), SESSION_STORE_TEST),
			*lived = reduction_local(session_store_of(k), SESSION_STORE_LIVES);
	return !test || (lived && !strcmp(lived, "yes")) != k->options.lives;
}

bool session_store_lived_otherwise(const struct session_store *k)
{
	return k->otherwise;
}

/* Says of a new reduction whether it is a branch. */
static int write_branch(const struct session_store *k, struct err *err)
{
	MEM_SCOPED char *path = location_path(&session_store_of(k)->location, REDUCTION_BRANCH);
	MEM_SCOPED char *text = k->branch_of ? mem_printf("%s\n", k->branch_of) : NULL;
	int rc = text ? io_replace_entry(path, text, strlen(text), 0644, err) : 0;
	io_remove_leftovers(path);
	if (!text && unlink(path) < 0 && errno != ENOENT)
		rc = err_errno(err, "cannot remove %s", path);
	return rc;
}

/* Adds a line "KEY=absolute PATH"; the file may be yet to be made. A path with a line break cannot
 * be said. */
static void add_local(struct buf *text, const char *key, const char *path)
{
	MEM_SCOPED char *real = realpath(path, NULL),
			*cwd = real || *path == '/' ? NULL : realpath(".", NULL);
	MEM_SCOPED char *absolute =
		real ? mem_strdup(real)
		     : mem_printf("%s%s%s", cwd ? cwd : "", cwd ? "/" : "", path);
	if (!strchr(absolute, '\n'))
		buf_addf(text, "%s=%s\n", key, absolute);
}

/* Paths on this machine, for `whittle resume`. */
static char *local_text(const struct session_store_options *o)
{
	struct buf text = { 0 };
	if (o->out)
		add_local(&text, SESSION_STORE_OUT, o->out);
	add_local(&text, SESSION_STORE_TEST, o->test);
	if (o->given.external && !strchr(o->given.external, '\n'))
		buf_addf(&text, SESSION_STORE_EXTERNAL "=%s\n", o->given.external);
	if (o->given.command && !strchr(o->given.command, '\n'))
		buf_addf(&text, SESSION_STORE_COMMAND "=%s\n", o->given.command);
	if (o->given.needs && !strchr(o->given.needs, '\n'))
		buf_addf(&text, SESSION_STORE_NEEDS "=%s\n", o->given.needs);
	if (*o->allowed)
		buf_addf(&text, SESSION_STORE_ALLOWED "=%s\n", o->allowed);
	if (o->lives)
		buf_addf(&text, SESSION_STORE_LIVES "=yes\n");
	if (o->also.name && o->also.about && !strpbrk(o->also.about, "\n"))
		buf_addf(&text, SESSION_STORE_ALSO "=%s\n" SESSION_STORE_ABOUT "=%s\n",
		         o->also.name, o->also.about);
	if (o->spans)
		add_local(&text, SESSION_STORE_SPANS, o->spans);
	if (o->tokenizer && tokenizer_is_file(o->tokenizer))
		add_local(&text, SESSION_STORE_TOKENIZER, o->tokenizer);
	return text.data;
}

/* The line "fence=PARTS" of SETTINGS; *len: without its line end. */
static const char *fence_line(const char *settings, size_t *len)
{
	const char *line = strstr(settings, "\nfence=");
	line = line ? line + 1 : settings + strlen(settings);
	*len = strcspn(line, "\n");
	return line;
}

/* A kernel or a container may allow another fence than when the reduction was begun: that is no
 * change that the user made. */
static void take_fence(struct session_store *k)
{
	size_t was_len, len;
	const struct session_store_options *o = &k->options;
	struct reduction *r = session_store_of(k);
	if (o->fence_given || o->fresh == SESSION_STORE_FRESH || !reduction_is_sound(r))
		return;
	MEM_SCOPED char *kept = reduction_options(r, NULL);
	if (!kept)
		return;
	const char *was = fence_line(kept, &was_len), *is = fence_line(o->settings, &len);
	if (!was_len || !len || (len == was_len && !strncmp(was, is, len)))
		return;
	k->settings = mem_printf("%.*s%.*s%s", (int)(is - o->settings), o->settings, (int)was_len,
	                         was, is + len);
	k->options.settings = k->settings;
}

/* With STATE known: a new reduction has the fence that there is, another one is told apart. */
static void settle_fence(struct session_store *k, const char *given, enum store_state state)
{
	size_t was_len, len;
	if (!k->settings)
		return;
	const char *was = fence_line(k->settings, &was_len) + strlen("fence="),
		   *is = fence_line(given, &len) + strlen("fence=");
	if (state == STORE_NEW) {
		k->options.settings = given;
		return;
	}
	MEM_SCOPED char *message = mem_printf("it was begun with another fence (%.*s; now %.*s)",
	                                      (int)(was_len - strlen("fence=")), was,
	                                      (int)(len - strlen("fence=")), is);
	if (k->options.notice)
		k->options.notice(k->options.arg, message);
}

const char *session_store_settings(const struct session_store *k)
{
	return k->options.settings;
}

struct session_store *session_store_open(const struct session_store_options *options,
                                         struct testcase *now, enum store_state *state,
                                         struct testcase **original, struct err *err)
{
	struct session_store *k = mem_zero(1, sizeof *k);
	k->options = *options;
	char *local = local_text(options);
	struct store_options so = { .file = options->file,
		                    .top = options->top,
		                    .name = options->name,
		                    .several = options->operands && options->operands[0] &&
		                               options->operands[1],
		                    .repository = options->repository,
		                    .local = local,
		                    .fresh = options->fresh == SESSION_STORE_FRESH,
		                    .notice = options->notice,
		                    .ctx = options->arg };
	if (stat(options->test, &k->test_stat) < 0) {
		err_errno(err, "cannot read %s", options->test);
		goto fail;
	}
	if (io_read_file(options->test, &k->test, err) < 0)
		goto fail;
	if (!(k->store = store_open(&so, err)))
		goto fail;
	take_fence(k);
	if (look(k, now, state, original, err) < 0)
		goto fail;
	settle_fence(k, options->settings, *state);
	free(local);
	k->otherwise = lived_otherwise(k);
	const char *from = k->options.branch_of;
	k->branch_of = *state != STORE_NEW ? read_branch(k) : from ? mem_strdup(from) : NULL;
	return k;
fail:
	free(local);
	session_store_close(k);
	return NULL;
}

static void learn(void *arg, const struct store_entry *e)
{
	struct session_store *k = arg;
	switch (e->kind) {
	case STORE_VERDICT:
		if (!hash_equal(e->hash, k->original))
			verdicts_put(k->table, e->hash, (enum verdict)e->verdict, e->number);
		break;
	case STORE_OVERRULED:
		verdicts_overrule(k->table, e->hash, (enum verdict)e->verdict);
		if (e->verdict != VERDICT_INTERESTING)
			k->known.refuted = e->hash;
		break;
	case STORE_DEADLINE:
		if (hash_equal(e->hash, k->original))
			k->known.limit_ns = e->number;
		break;
	case STORE_YES:
		k->known.rate.yes = (unsigned)e->number;
		break;
	case STORE_RUNS:
		k->known.rate.runs = (unsigned)e->number;
		break;
	case STORE_REFUTED:
		k->known.claims_refuted = true;
		verdicts_forget_claims(k->table);
		break;
	case STORE_LANGUAGE:
		k->known.language = e->number;
		break;
	default:
		break;
	}
}

struct import {
	struct store *store;
	struct err *err;
	int rc;
};

/* Which definitions the other one had does not matter: a verdict holds of bytes. */
static void import_one(void *arg, const struct store_entry *v)
{
	struct import *i = arg;
	if (i->rc == 0 && v->kind != STORE_LANGUAGE)
		i->rc = store_record(i->store, v, i->err);
}

/* The verdicts of the reduction that this one branches off from become its own. */
static int import_verdicts(struct session_store *k, struct err *err)
{
	SCOPED(reduction_close) struct reduction r;
	struct hash identity;
	struct import import = { k->store, err, 0 };
	int rc = reduction_open(&r, NULL, session_store_of(k)->location.common, k->options.based_on,
	                        err);
	if (rc == 0)
		rc = reduction_identity(&r, &identity, err);
	if (rc == 0)
		rc = reduction_verdicts(&r, identity, import_one, &import, err);
	return rc < 0 ? -1 : import.rc;
}

int session_store_begin(struct session_store *k, const struct testcase *original,
                        struct verdicts *table, struct session_store_known *known, struct err *err)
{
	struct store_input in = input_of(k, original);
	k->table = table;
	k->original = original->hash;
	k->flush_ns = io_now();
	bool is_new = !store_begun(k->store);
	if ((is_new && write_branch(k, err) < 0) || store_begin(k->store, &in, err) < 0 ||
	    (is_new && k->options.based_on && import_verdicts(k, err) < 0) ||
	    reduction_verdicts(session_store_of(k), in.identity, learn, k, err) < 0)
		return -1;
	*known = k->known;
	return 0;
}

static int keep(struct session_store *k, struct store_entry entry, struct err *err)
{
	return store_record(k->store, &entry, err);
}

static int keep_number(struct session_store *k, enum store_kind kind, uint64_t number,
                       struct err *err)
{
	return keep(k, (struct store_entry){ .kind = (uint8_t)kind, .number = number }, err);
}

int session_store_rate(struct session_store *k, struct rate rate, struct err *err)
{
	int rc = keep_number(k, STORE_YES, rate.yes, err);
	return rc < 0 ? -1 : keep_number(k, STORE_RUNS, rate.runs, err);
}

int session_store_language(struct session_store *k, uint64_t identity, struct err *err)
{
	return keep_number(k, STORE_LANGUAGE, identity, err);
}

int session_store_found(struct session_store *k, const struct testcase *original,
                        const struct session_store_known *found, struct err *err)
{
	if (found->rate.runs && session_store_rate(k, found->rate, err) < 0)
		return -1;
	struct store_entry deadline = { original->hash, found->limit_ns, VERDICT_INTERESTING,
		                        STORE_DEADLINE };
	return keep(k, deadline, err);
}

int session_store_verdict(struct session_store *k, struct hash hash, enum verdict verdict,
                          uint64_t limit_ns, struct err *err)
{
	return keep(k, (struct store_entry){ hash, limit_ns, (uint8_t)verdict, STORE_VERDICT },
	            err);
}

/* Keeps ENTRY, after which TC and what came after it are no snapshots any more. */
static int keep_and_go_back(struct session_store *k, struct store_entry entry,
                            const struct testcase *tc, struct err *err)
{
	return keep(k, entry, err) < 0 ? -1 : store_take_back(k->store, tc, err);
}

int session_store_overrule(struct session_store *k, const struct testcase *tc, enum verdict verdict,
                           struct err *err)
{
	struct store_entry entry = { tc->hash, 0, (uint8_t)verdict, STORE_OVERRULED };
	return keep_and_go_back(k, entry, tc, err);
}

int session_store_refuted(struct session_store *k, const struct testcase *tc, struct err *err)
{
	return keep_and_go_back(k, (struct store_entry){ .kind = STORE_REFUTED }, tc, err);
}

static struct store_snapshot snapshot_of(struct reducer *r, const char *pass,
                                         struct store_entry **asked)
{
	size_t n;
	const struct answered *list = reducer_answered(r, &n);
	*asked = mem_alloc(n * sizeof **asked);
	for (size_t i = 0; i < n; i++)
		(*asked)[i] = (struct store_entry){ list[i].hash, list[i].limit_ns,
			                            (uint8_t)list[i].verdict, STORE_VERDICT };
	testcase_flat(reducer_current(r));
	return (struct store_snapshot){ .tc = reducer_current(r),
		                        .pass = pass,
		                        .questions = reducer_questions(r),
		                        .asked = *asked,
		                        .n_asked = n };
}

static void tell_once(struct session_store *k, const struct err *err)
{
	if (!k->told)
		k->options.notice(k->options.arg, err->msg);
	k->told = true;
}

void session_store_sync(struct session_store *k)
{
	struct err err;
	if (store_sync(k->store, &err) < 0)
		tell_once(k, &err);
}

void session_store_step(struct session_store *k, struct reducer *r, const char *pass)
{
	struct err err;
	struct store_entry *asked;
	struct store_snapshot snapshot = snapshot_of(r, pass, &asked);
	if (store_snapshot(k->store, &snapshot, &err) < 0)
		tell_once(k, &err);
	free(asked);
}

void session_store_tick(struct session_store *k)
{
	struct err err;
	uint64_t began = io_now(), pause = k->flush_cost_ns * FLUSH_SHARE;
	if (pause < FLUSH_EVERY_NS)
		pause = FLUSH_EVERY_NS;
	if (!store_waits(k->store) || began - k->flush_ns < pause)
		return;
	if (store_flush(k->store, &err) < 0)
		tell_once(k, &err);
	k->flush_ns = io_now();
	k->flush_cost_ns = k->flush_ns - began;
}

int session_store_end(struct session_store *k, struct reducer *r, const char *note, struct err *err)
{
	if (!note)
		return store_pause(k->store, err);
	struct store_entry *asked;
	struct store_snapshot snapshot = snapshot_of(r, NULL, &asked);
	snapshot.note = note;
	int rc = store_finish(k->store, &snapshot, err);
	free(asked);
	return rc;
}

bool session_store_is_branch(const struct session_store *k)
{
	return k->branch_of;
}

/* Is TC a snapshot of the reduction that this one branches off from? It may be gone. */
static int parent_has(const struct session_store *k, const struct testcase *tc, struct err *err)
{
	SCOPED(reduction_close) struct reduction r;
	return reduction_open(&r, NULL, session_store_of(k)->location.common, k->branch_of, NULL) ==
	                       0
	               ? reduction_has(&r, step_content(tc), err)
	               : 0;
}

int session_store_knows(void *keep, const struct testcase *tc, struct err *err)
{
	struct session_store *k = keep;
	struct store_input in = input_of(k, tc);
	int known = store_knows(k->store, &in, err);
	return known || !k->branch_of ? known : parent_has(k, tc, err);
}

struct testcase *session_store_result(struct session_store *k, bool *here, struct err *err)
{
	struct reduction *r = session_store_of(k);
	struct testcase *tc = reduction_at(r, r->chain.n - 1, err);
	*here = tc && reduction_finished_here(r);
	return tc;
}

struct reduction *session_store_of(const struct session_store *k)
{
	return store_reduction(k->store);
}

void session_store_hurry(struct session_store *k, bool (*is_over)(void *ctx), void *ctx)
{
	store_hurry(k->store, is_over, ctx);
}

void session_store_close(struct session_store *k)
{
	if (!k)
		return;
	store_close(k->store);
	buf_release(&k->test);
	free(k->branch_of);
	free(k->settings);
	free(k);
}
