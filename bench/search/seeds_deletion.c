/* Seed 002: what adaptive deletion costs beside the greedy one, beside delta debugging, and the
 * program's own search of lists (a hunt by blocks) beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "search/integers.h"
#include "search/hunt.h"
#include "search/seen.h"
#include "edits/strategies.h"
#include "seeds.h"

enum { LENGTH = 1000, SEQUENCES = 20, LARGEST_BLOCK = 11 };

/* Calls to find that K elements can be deleted and no more. */
static unsigned calls_for_block(uint32_t k)
{
	unsigned calls = 0;
	for (struct find_change_point f = find_change_point_start(LENGTH); !f.done; calls++)
		find_change_point_tell(&f, find_change_point_next(&f) <= k);
	return calls;
}

void seeds_blocks(struct seeds *seeds)
{
	static const double published[LARGEST_BLOCK] = { 1, 1,        1,       1,
		                                         1, 1.142857, 1,       1.111111,
		                                         1, 0.909091, 0.833333 };
	printf("Block sizes (seed 002): calls of adaptive deletion over those of the greedy one\n");
	printf("%-10s %10s %10s\n", "block", "ratio", "published");
	for (uint32_t k = 1; k <= LARGEST_BLOCK; k++) {
		double ratio = calls_for_block(k) / (k + 1.0), want = published[k - 1];
		printf("%-10u %10.6f %10.6f %s\n", k, ratio, want,
		       seeds_mark(seeds, fabs(ratio - want) < 1e-6));
	}
	printf("\n");
}

/* The subset model: interesting is what holds all elements that are needed. */
struct sequence {
	uint32_t n, left; /* elements at first, and now */
	uint32_t
		needed[LENGTH + 1]; /* of the elements now: how many of those before i are needed */
	uint64_t calls;
};

static void make_sequence(struct sequence *s, double kept, struct rng *rng)
{
	*s = (struct sequence){ .n = LENGTH, .left = LENGTH };
	for (uint32_t i = 0; i < s->n; i++)
		s->needed[i + 1] = s->needed[i] + ((double)(rng_next(rng) >> 11) * 0x1p-53 < kept);
}

static bool ask_without(struct sequence *s, uint32_t lo, uint32_t hi)
{
	s->calls++;
	return s->needed[lo] == s->needed[hi];
}

static void cut(struct sequence *s, uint32_t lo, uint32_t hi)
{
	memmove(s->needed + lo, s->needed + hi, (s->left - hi + 1) * sizeof *s->needed);
	s->left -= hi - lo;
}

/* As the document writes it. */
static void ddmin(struct sequence *s)
{
	for (uint32_t block = s->left / 2; block;) {
		uint32_t before = s->left;
		for (uint32_t i = 0; i < s->left;) {
			uint32_t end = s->left - i < block ? s->left : i + block;
			if (ask_without(s, i, end))
				cut(s, i, end);
			else
				i += block;
		}
		if (s->left == before)
			block /= 2;
	}
}

static void adaptive(struct sequence *s)
{
	uint32_t before;
	do {
		before = s->left;
		for (uint32_t i = 0; i < s->left; i++) {
			struct find_change_point f = find_change_point_start(s->left - i);
			while (!f.done)
				find_change_point_tell(
					&f, ask_without(s, i, i + find_change_point_next(&f)));
			cut(s, i, i + f.good);
		}
	} while (s->left != before);
}

/* A test case whose lines are the elements, needed ones marked by an N. */
static struct testcase *as_lines(const struct sequence *s)
{
	struct buf text = { 0 };
	for (uint32_t i = 0; i < s->n; i++)
		buf_addf(&text, "%04u%c\n", i, s->needed[i + 1] > s->needed[i] ? 'N' : '.');
	return testcase_new("lines", 0644, (uint8_t *)text.data, (uint32_t)text.len);
}

static uint32_t count_needed(const struct testcase *tc)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < tc->size; i++)
		n += tc->bytes[i] == 'N';
	return n;
}

/* One hunt over the lines of *TC, which it replaces. Counts candidates not asked before. */
static void hunt_lines(struct testcase **tc, const struct hunt_options *options, struct seen *asked)
{
	uint32_t needed = count_needed(*tc);
	struct view *view = view_new(*tc, NULL);
	view_need_lines(view);
	struct edit_sites *edit_sites =
		edit_sites_new(&strategy_lines, view, 0, &(struct strategy_options){ 0 });
	struct search *search = hunt_new(edit_sites, options);
	struct arena arena = { 0 };
	struct question q;
	while (!search->done && search_next(search, &arena, &q)) {
		struct testcase *candidate = edit_apply(*tc, q.edit);
		seen_add(asked, candidate->hash.lo);
		search_tell(search, q.id, count_needed(candidate) == needed);
		testcase_unref(candidate);
		arena_release(&arena);
	}
	struct testcase *result = edit_apply(*tc, search->accepted);
	search_free(search);
	edit_sites_unref(edit_sites);
	view_unref(view);
	testcase_unref(*tc);
	*tc = result;
}

/* The program's way: a hunt over all lines, and further ones from small blocks on until one finds
 * nothing. */
static uint64_t hunts(const struct sequence *s, bool *minimal)
{
	struct testcase *tc = as_lines(s);
	struct seen asked = { 0 };
	struct hunt_options options = { .order = HUNT_BLOCKS };
	uint32_t needed = count_needed(tc), before;
	do {
		before = tc->size;
		hunt_lines(&tc, &options, &asked);
		options.first_block = 4;
	} while (tc->size != before);
	uint32_t line = 6;
	*minimal &= tc->size == needed * line;
	testcase_unref(tc);
	uint64_t calls = asked.n;
	seen_release(&asked);
	return calls;
}

static void compare(struct seeds *seeds, unsigned percent, double *sum)
{
	struct rng rng = seeds_rng(seeds, percent);
	double calls[3] = { 0 };
	bool minimal = true;
	for (int k = 0; k < SEQUENCES; k++) {
		struct sequence s, d, a;
		make_sequence(&s, percent / 100.0, &rng);
		d = a = s;
		ddmin(&d);
		adaptive(&a);
		calls[0] += (double)d.calls / SEQUENCES;
		calls[1] += (double)a.calls / SEQUENCES;
		calls[2] += (double)hunts(&s, &minimal) / SEQUENCES;
		minimal &= d.left == s.needed[s.n] && a.left == d.left;
	}
	double to_ddmin = calls[1] / calls[0], to_adaptive = calls[2] / calls[1];
	bool bounded = percent == 1 || percent == 50;
	bool fine = to_ddmin <= 1 && minimal && (!bounded || to_adaptive <= 1.3);
	*sum += to_ddmin;
	printf("%4u %% %10.1f %10.1f %8.3f %10.1f %8.3f %7s %8s %s\n", percent, calls[0], calls[1],
	       to_ddmin, calls[2], to_adaptive, bounded ? "1.300" : "", minimal ? "yes" : "NO",
	       seeds_mark(seeds, fine));
}

void seeds_subsets(struct seeds *seeds)
{
	printf("The subset model (seed 002): %d sequences of %d elements, calls on average. "
	       "Adaptive deletion over ddmin:\n"
	       "1.0 at most, about 0.75; the program's search of lists over adaptive deletion: 1.3 "
	       "at most at 1 and 50 %%\n",
	       SEQUENCES, LENGTH);
	printf("%6s %10s %10s %8s %10s %8s %7s %8s\n", "kept", "ddmin", "adaptive", "ratio",
	       "hunts", "ratio", "bound", "minimal");
	double sum = 0;
	for (unsigned percent = 1; percent <= 99; percent++)
		compare(seeds, percent, &sum);
	printf("mean ratio of adaptive deletion to ddmin: %.3f (0.65 to 0.85) %s\n\n", sum / 99,
	       seeds_mark(seeds, sum / 99 >= 0.65 && sum / 99 <= 0.85));
}
