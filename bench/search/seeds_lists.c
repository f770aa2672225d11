/* Seed 001: eight conditions over 1000 random lists each; the worst number of calls beside the
 * document's last one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/rng.h"
#include "search/seen.h"
#include "seeds.h"
#include "simplify.h"

enum { LISTS = 1000, MAX_LENGTH = 100 };

struct list {
	uint32_t n;
	uint64_t v[MAX_LENGTH];
};

static bool two_or_more(const struct list *l)
{
	return l->n >= 2;
}

static bool sum_from(const struct list *l, uint64_t least)
{
	for (uint32_t i = 0; i < l->n && least; i++)
		least -= l->v[i] < least ? l->v[i] : least;
	return !least;
}

static bool sum_500(const struct list *l)
{
	return sum_from(l, 500);
}

static bool sum_3(const struct list *l)
{
	return sum_from(l, 3);
}

static bool ten_by_five(const struct list *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n; i++)
		n += l->v[i] >= 5;
	return n >= 10;
}

static bool ten_distinct(const struct list *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t j = 0;
		while (l->v[j] != l->v[i])
			j++;
		n += j == i;
	}
	return n >= 10;
}

static bool first_larger(const struct list *l)
{
	return l->n >= 2 && l->v[0] > l->v[1];
}

static bool longer_than_max(const struct list *l)
{
	uint64_t max = 0;
	for (uint32_t i = 0; i < l->n; i++)
		max = l->v[i] > max ? l->v[i] : max;
	return l->n && l->n > (max & 63);
}

/* The text's hash begins with the hexadecimal digit 0. */
static bool messy(const struct list *l)
{
	struct buf text = { 0 };
	buf_addch(&text, '[');
	for (uint32_t i = 0; i < l->n; i++)
		buf_addf(&text, "%s%" PRIu64, i ? ", " : "", l->v[i]);
	buf_addch(&text, ']');
	bool is = hash_bytes(text.data, text.len, 0).hi >> 60 == 0;
	buf_release(&text);
	return is;
}

static const struct condition {
	const char *name;
	bool (*holds)(const struct list *);
	unsigned published;  /* calls at worst, in the document */
	const char *minimum; /* NULL: none that is unique */
} conditions[] = {
	{ "length >= 2", two_or_more, 6, "0 0" },
	{ "sum >= 500", sum_500, 35, "500" },
	{ "sum >= 3", sum_3, 6, "3" },
	{ "at least 10 by 5", ten_by_five, 73, "5 5 5 5 5 5 5 5 5 5" },
	{ "10 distinct elements", ten_distinct, 212, "0 1 2 3 4 5 6 7 8 9" },
	{ "first > second", first_larger, 1168, "1 0" },
	{ "size > max & 63", longer_than_max, 1002, "0" },
	{ "messy", messy, 824, NULL },
};

static struct list as_list(struct simplify_list from)
{
	struct list l = { .n = from.n };
	memcpy(l.v, from.values, from.n * sizeof *l.v);
	return l;
}

/* As the document generates them. */
static struct list random_list(struct rng *rng, const struct condition *c)
{
	struct list l;
	do {
		l.n = (uint32_t)rng_below(rng, MAX_LENGTH + 1);
		for (uint32_t i = 0; i < l.n; i++)
			l.v[i] = rng_next(rng);
	} while (!c->holds(&l));
	return l;
}

/* No element can be left out, none lowered by one or to zero. */
static bool is_local_minimum(const struct condition *c, const struct list *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct list less = *l;
		memmove(less.v + i, less.v + i + 1, (--less.n - i) * sizeof *less.v);
		struct list lower = *l, zero = *l;
		lower.v[i]--;
		zero.v[i] = 0;
		if (c->holds(&less) || (l->v[i] && (c->holds(&lower) || c->holds(&zero))))
			return false;
	}
	return true;
}

static bool is_minimum(const struct condition *c, const struct list *l)
{
	struct buf text = { 0 };
	for (uint32_t i = 0; i < l->n; i++)
		buf_addf(&text, "%s%" PRIu64, i ? " " : "", l->v[i]);
	bool is = c->minimum ? text.data && !strcmp(text.data, c->minimum) : is_local_minimum(c, l);
	buf_release(&text);
	return is;
}

struct tally {
	unsigned worst, minimal, repeated;
	uint64_t calls;
};

static void simplify_one(const struct condition *c, const struct list *start, struct tally *t)
{
	struct simplify *s = simplify_new(start->v, start->n);
	struct simplify_list asked;
	struct seen seen = { 0 };
	unsigned calls = 0;
	for (; simplify_next(s, &asked); calls++) {
		uint64_t key = hash_bytes(asked.values, asked.n * sizeof *asked.values, asked.n).hi;
		t->repeated += !seen_add(&seen, key);
		struct list l = as_list(asked);
		simplify_tell(s, c->holds(&l));
	}
	struct list best = as_list(simplify_best(s));
	t->minimal += c->holds(&best) && is_minimum(c, &best);
	t->calls += calls;
	t->worst = calls > t->worst ? calls : t->worst;
	simplify_free(s);
	seen_release(&seen);
}

void seeds_lists(struct seeds *seeds)
{
	printf("Lists of integers (seed 001), %d random lists each: calls; how many results are "
	       "the unique minimum, or where\n"
	       "there is none have no element to leave out and none to lower by one or to zero; "
	       "lists asked twice\n",
	       LISTS);
	printf("%-22s %7s %7s %10s %7s %8s %8s\n", "condition", "mean", "worst", "published",
	       "bound", "minimal", "repeats");
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		const struct condition *c = &conditions[i];
		struct rng rng = seeds_rng(seeds, 1000 + i);
		struct tally t = { 0 };
		for (int k = 0; k < LISTS; k++) {
			struct list l = random_list(&rng, c);
			simplify_one(c, &l, &t);
		}
		unsigned bound = c->published * 11 / 10;
		bool fine = t.worst <= bound && t.minimal == LISTS && !t.repeated;
		printf("%-22s %7.1f %7u %10u %7u %8u %8u %s\n", c->name, (double)t.calls / LISTS,
		       t.worst, c->published, bound, t.minimal, t.repeated,
		       seeds_mark(seeds, fine));
	}
	printf("\n");
}
