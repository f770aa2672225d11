#include "play.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "text/testcase.h"

enum { QUESTIONS = 20 };

/* Line i of the original goes in step `when`; the same for each call. */
static unsigned line_goes(const struct play *p, unsigned line)
{
	struct rng rng = { p->seed * 1000003 + line };
	return 1 + (unsigned)rng_below(&rng, p->steps * 10 / 9 + 1);
}

char *play_text(const struct play *p, unsigned step, uint32_t *len)
{
	struct buf text = { 0 };
	for (unsigned i = 0; i < p->lines; i++) {
		/* The first line always stays. */
		if (i && line_goes(p, i) <= step)
			continue;
		buf_addf(&text, "\tv%u = f%u(x%u, %u);\n", i, i * 7 % 300, i * 31 % 1000,
		         i * 7919 % 1000);
	}
	/* Each step loses something. */
	for (unsigned i = step; i < p->steps; i++)
		buf_addf(&text, "%s", i % 64 ? ";" : "\n;");
	if (p->twist && step >= p->twist)
		buf_addf(&text, "/* twisted */\n");
	*len = (uint32_t)text.len;
	return text.data;
}

static struct testcase *testcase_of(const struct play *p, unsigned step)
{
	uint32_t len;
	char *text = play_text(p, step, &len);
	char *path = mem_strdup(p->path);
	struct testcase *tc = testcase_new(basename(path), 0644, (uint8_t *)text, len);
	free(path);
	return tc;
}

void play_original(const struct play *p)
{
	struct err err;
	uint32_t len;
	char *text = play_text(p, 0, &len);
	if (io_replace_file(p->path, text, len, 0644, &err) < 0)
		bug("%s", err.msg);
	free(text);
}

static struct testcase *testcase_on_disk(const struct play *p)
{
	struct buf text = { 0 };
	struct err err;
	if (io_read_file(p->path, &text, &err) < 0)
		bug("%s", err.msg);
	char *path = mem_strdup(p->path);
	struct testcase *tc =
		testcase_new(basename(path), 0644, (uint8_t *)text.data, (uint32_t)text.len);
	free(path);
	return tc;
}

static void hear(void *ctx, const char *message)
{
	struct play *p = ctx;
	size_t len = strlen(p->notices);
	snprintf(p->notices + len, sizeof p->notices - len, "%s\n", message);
}

struct learnt {
	struct hash_set *known;
	unsigned others;
};

static void learn(void *ctx, const struct store_entry *e)
{
	struct learnt *l = ctx;
	hash_set_add(l->known, e->hash);
	l->others += e->kind != STORE_VERDICT;
}

static void session_store_verdict(struct play *p, struct store *s, const struct store_entry *v,
                                  struct err *err)
{
	uint64_t start = io_now();
	if (store_record(s, v, err) < 0) {
		p->failures++;
		p->broken = true;
	}
	p->store_ns += io_now() - start;
}

static void session_store_step(struct play *p, struct store *s, const struct store_snapshot *snap,
                               bool last, struct err *err)
{
	uint64_t start = io_now();
	if ((last ? store_finish : store_snapshot)(s, snap, err) < 0)
		p->failures++;
	p->store_ns += io_now() - start;
}

/* The questions of one step: their hashes follow from seed and step; the last is the success
 * itself. */
static void ask(struct play *p, struct store *s, struct hash_set *known, unsigned step,
                const struct testcase *tc, struct store_entry *asked, struct err *err)
{
	for (unsigned i = 0; i < QUESTIONS; i++) {
		uint64_t key[3] = { p->seed, step, i };
		bool success = tc && i == QUESTIONS - 1;
		asked[i] = (struct store_entry){
			.hash = success ? tc->hash : hash_words(key, sizeof key / sizeof *key, 1),
			.verdict = success      ? 1
			           : i % 7 == 3 ? 3
			                        : 2,
			.number = !success && i % 7 == 3 ? 5000000000u : 0
		};
		p->asked++;
		if (hash_set_has(known, asked[i].hash))
			p->known++;
		else
			session_store_verdict(p, s, &asked[i], err);
	}
}

/* Makes the steps; false when it was to stop. */
static bool make_steps(struct play *p, struct store *s, struct hash_set *known, struct err *err)
{
	struct store_entry asked[QUESTIONS];
	for (unsigned step = 1; step <= p->steps; step++) {
		if (p->stop_after && step > p->stop_after) {
			/* Some questions of the next step were answered already. */
			ask(p, s, known, step, NULL, asked, err);
			return false;
		}
		struct testcase *tc = testcase_of(p, step);
		ask(p, s, known, step, tc, asked, err);
		if (p->broken) {
			/* A verdict that was not kept must not lead to a change of FILE. */
			testcase_unref(tc);
			return false;
		}
		struct store_snapshot snap = { .tc = tc,
			                       .pass = step % 2 ? "lines" : "brackets",
			                       .questions = step * QUESTIONS,
			                       .asked = asked,
			                       .n_asked = QUESTIONS };
		struct err mine;
		if (io_replace_file(p->path, tc->bytes, tc->size, 0644, &mine) < 0)
			bug("%s", mine.msg);
		session_store_step(p, s, &snap, false, err);
		testcase_unref(tc);
		if (p->each)
			p->each(p->ctx, step);
	}
	return true;
}

static void end(struct play *p, struct store *s, bool finished, struct err *err)
{
	if (finished) {
		struct testcase *tc = testcase_of(p, p->steps);
		struct store_snapshot snap = { .tc = tc,
			                       .questions = p->steps * QUESTIONS,
			                       .note = "No line can be cut." };
		session_store_step(p, s, &snap, true, err);
		testcase_unref(tc);
	} else {
		const struct store_entry overruled = { { 1, 2 }, 0, 2, STORE_OVERRULED };
		if (p->overrules && store_record(s, &overruled, err) < 0)
			p->failures++;
		if (p->pause && store_pause(s, err) < 0)
			p->failures++;
	}
	store_tip(s, p->tip);
}

static int begin(struct play *p, struct store *s, struct hash_set *known, struct err *err)
{
	static const char test[] = "#!/bin/sh\ngrep -q v0 \"$1\"\n";
	char *why = NULL;
	struct testcase *now = testcase_on_disk(p), *original = NULL;
	struct store_input in = { .tc = now,
		                  .test = test,
		                  .test_len = sizeof test - 1,
		                  .test_mode = 0755,
		                  .options = p->options ? p->options : "jobs-do-not-matter=yes\n",
		                  .identity = { 0x1122334455667788, 0x99aabbccddeeff00 } };
	if (p->options) /* they belong to it */
		in.identity = hash_bytes(p->options, strlen(p->options), in.identity.lo);
	int rc = store_state(s, &in, &p->state, &why, err);
	snprintf(p->why, sizeof p->why, "%s", why ? why : "");
	free(why);
	if (rc == 0 && p->state >= STORE_CHANGED)
		rc = err_set(err, ERR_USAGE, "%s", p->why);
	if (rc == 0) {
		original = p->state == STORE_NEW ? testcase_ref(now)
		                                 : reduction_at(store_reduction(s), 0, err);
		rc = original ? 0 : -1;
	}
	in.tc = original;
	if (rc == 0)
		rc = store_begin(s, &in, err);
	struct learnt learnt = { .known = known };
	if (rc == 0)
		rc = reduction_verdicts(store_reduction(s), in.identity, learn, &learnt, err);
	p->others = learnt.others;
	testcase_unref(original);
	testcase_unref(now);
	return rc;
}

int play_run(struct play *p, struct err *err)
{
	struct hash_set known = { 0 };
	struct store_options options = { .file = p->path,
		                         .name = p->name,
		                         .repository = p->store,
		                         .fresh = p->fresh,
		                         .notice = hear,
		                         .ctx = p };
	p->asked = p->known = p->failures = 0;
	p->broken = false;
	p->store_ns = 0;
	uint64_t start = io_now();
	p->notices[0] = p->tip[0] = '\0';
	struct store *s = store_open(&options, err);
	if (!s)
		return -1;
	int rc = begin(p, s, &known, err);
	p->begin_ns = io_now() - start;
	if (rc == 0)
		end(p, s, make_steps(p, s, &known, err), err);
	hash_set_release(&known);
	p->open = p->keep ? s : NULL;
	if (!p->keep)
		store_close(s);
	return rc;
}
