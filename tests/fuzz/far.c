/* What comes from the other side of --workers. Input: a byte that says which side, and what it
 * says. A worker's answers are taken in by an oracle that has asked a few things; of what a worker
 * reads, test cases and edits are read: they are whole, or refused. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "far/far_workers.h"
#include "far/bundle.h"
#include "fuzz.h"
#include "run/setup.h"
#include "text/code.h"

enum { QUESTIONS = 6 };

static void check_testcase(struct testcase *tc)
{
	struct buf code = { 0 };
	code_add_testcase(&code, tc);
	struct testcase *again = code_read_testcase((uint8_t *)code.data, code.len);
	FUZZ_REQUIRE(again && hash_equal(again->hash, tc->hash));
	testcase_unref(again);
	testcase_unref(tc);
	buf_release(&code);
}

static void read_candidates(struct fuzz in)
{
	struct fuzz whole = fuzz_section(&in);
	struct testcase *tc = code_read_testcase(whole.at, fuzz_left(&whole));
	struct testcase *base = fuzz_testcase("int main(void)\n{\n}\n", 19);
	struct arena arena = { 0 };
	struct edit edit;
	if (code_read_edit(in.at, fuzz_left(&in), base->size, &arena, &edit))
		testcase_unref(edit_apply(base, edit));
	if (tc && code_read_edit(in.at, fuzz_left(&in), tc->size, &arena, &edit))
		testcase_unref(edit_apply(tc, edit));
	arena_release(&arena);
	testcase_unref(base);
	if (tc)
		check_testcase(tc);
}

/* An oracle whose one worker has no process, but two members, a and b, in the state in which they
 * have been asked by turns. */
static void begin(struct far *f, struct far_question *open, struct testcase *tc)
{
	struct far_worker *w = f->workers;
	f->open.n = f->open.cap = QUESTIONS;
	f->open.list = open;
	f->numbers = QUESTIONS + 1;
	for (unsigned i = 0; i < QUESTIONS; i++)
		open[i] = (struct far_question){ .rq = { .ticket = i + 10, .tc = tc },
			                         .member = i % 2,
			                         .number = i + 1 };
	for (unsigned i = 0; i < 2 && w->state != FAR_STARTS; i++) {
		MEM_GROW(w->members, w->n, w->cap);
		w->members[w->n++] = (struct far_member){
			.name = { i ? 'b' : 'a' },
			.state = w->state == FAR_WORKS ? MEMBER_WORKS : MEMBER_READS,
			.slots = QUESTIONS,
			.open = QUESTIONS / 2 + !i,
			.calibration = i ? 0 : QUESTIONS + 1,
			.said = { i ? VERDICT_INTERESTING : VERDICT_UNKNOWN },
		};
	}
}

/* What is open at each member is what it has been asked, and is not answered or taken back. */
static void check_members(const struct far *f)
{
	const struct far_worker *w = f->workers;
	for (unsigned i = 0; i < w->n && i < 2; i++) {
		unsigned asked = w->members[i].calibration != 0;
		for (size_t k = 0; k < f->open.n; k++)
			asked += f->open.list[k].where == 0 && f->open.list[k].member == i;
		FUZZ_REQUIRE(w->members[i].open == asked);
		FUZZ_REQUIRE(w->members[i].said[0] < VERDICTS && !w->members[i].said[1]);
	}
}

static void check_answers(struct far *f)
{
	for (size_t i = 0; i < f->arrived.n; i++) {
		const struct answer *a = &f->arrived.list[i];
		FUZZ_REQUIRE(a->ticket >= 10 && a->ticket < 10 + QUESTIONS);
		FUZZ_REQUIRE(a->verdict > VERDICT_UNKNOWN && a->verdict < VERDICTS);
		FUZZ_REQUIRE(a->why < ANSWER_WHYS);
		for (size_t j = 0; j < i; j++)
			FUZZ_REQUIRE(f->arrived.list[j].ticket != a->ticket);
	}
}

static void hear(struct fuzz in, enum far_state state)
{
	const struct setup setup = { .test = "/bin/true" };
	const char *command = "true";
	struct far_worker worker = { .state = state,
		                     .process = { .to = -1, .from = -1, .words = -1 } };
	struct far_question open[QUESTIONS];
	struct testcase *tc = fuzz_testcase("a\n", 2);
	struct far f = { .options = { .setup = &setup, .commands = &command, .n = 1 },
		         .workers = &worker,
		         .n_workers = 1,
		         .trusted = true,
		         .n_calibrations = 1,
		         .epoll = -1 };
	f.calibrations[0] = (struct far_calibration){ tc, VERDICT_INTERESTING };
	begin(&f, open, tc);
	bool lost = false, began = state != FAR_STARTS;
	while (in.at < in.end && !lost) {
		size_t piece = 1 + in.at[0] % 50, left = fuzz_left(&in);
		frames_feed(&worker.process.frames, in.at, piece < left ? piece : left);
		in.at += piece < left ? piece : left;
		lost = far_hear(&f, &worker);
		if (began)
			check_members(&f);
	}
	check_answers(&f);
	far_release_tools(&f);
	free(f.arrived.list);
	free(worker.members);
	frames_release(&worker.process.frames);
	buf_release(&worker.process.send);
	testcase_unref(tc);
}

int target_far(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size };
	uint8_t kind = fuzz_byte(&in);
	if (kind % 4 == 0)
		read_candidates(in);
	else
		hear(in, (enum far_state)(kind % 4));
	return 0;
}
