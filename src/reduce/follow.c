#include "reduce/follow.h"

#include "base/io.h"

enum {
	WRITE_EVERY_MS = 100, /* the file on disk follows at most this often... */
	WRITE_SHARE = 20,     /* ... and takes at most one part in so many of the time */
};

/* Does the file on disk hold something better than TC, written before the run was stopped? The
 * replay has not reached that point yet. */
static bool is_behind(const struct follow *f, const struct testcase *tc)
{
	if (f->refuted)
		return f->replaying;
	if (!f->resumed || f->written)
		return false;
	if (!f->output.in_place)
		return f->replaying && output_exists(&f->output);
	return testcase_compare(tc, f->found) >= 0;
}

static bool is_written(const struct follow *f, const struct testcase *tc)
{
	return f->written && hash_equal(f->written->hash, tc->hash);
}

static void write_result(struct follow *f, struct testcase *tc)
{
	if (f->err.code)
		return;
	if (f->keep)
		session_store_sync(f->keep);
	if (output_write(&f->output, tc, f->written, &f->err) < 0)
		return;
	f->refuted = false;
	testcase_unref(f->written);
	f->written = f->output.n_targets == 1 ? testcase_summary(tc) : testcase_ref(tc);
	f->write_ns = io_now();
}

/* What follows at once from known verdicts is written once. */
void follow_accepted(struct follow *f, struct testcase *tc)
{
	uint64_t pause = f->output.cost_ns * WRITE_SHARE;
	if (pause < WRITE_EVERY_MS * (uint64_t)1000000)
		pause = WRITE_EVERY_MS * (uint64_t)1000000;
	if (io_now() - f->write_ns >= pause && !is_written(f, tc) && !is_behind(f, tc))
		write_result(f, tc);
}

void follow_end(struct follow *f, struct testcase *tc, bool final)
{
	bool there = !f->written && f->output.in_place && hash_equal(tc->hash, f->found->hash);
	if (is_written(f, tc) && !output_is_touched(&f->output))
		there = true;
	if (!there && (final || f->refuted || !is_behind(f, tc)))
		write_result(f, tc);
}

void follow_release(struct follow *f)
{
	testcase_unref(f->written);
	testcase_unref(f->found);
	output_release(&f->output);
}
