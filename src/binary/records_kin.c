#include "binary/records_kin.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/records.h"

enum {
	COMMON = 3,        /* records that share them, at most */
	WINDOW = 4,        /* bytes in a row that are shared */
	CONTENT = 1 << 13, /* bytes of a record that is looked into, at most */
	WINDOWS = 1 << 18, /* kept of all records, more or less */
};

/* Bytes of a record. */
struct window {
	uint64_t hash;
	uint32_t record;
};

/* Two records, and how many windows they share. */
struct pair {
	uint32_t a, b, n;
};

struct finder {
	const struct records *all;
	const uint8_t *bytes;
	uint32_t *outer;
	uint64_t rarity; /* one window of so many is kept, in all records the same */
	uint32_t n_windows, cap_windows, n_pairs, cap_pairs, n_kin, cap_kin;
	struct window *windows;
	struct pair *pairs;
	uint32_t *kin_of; /* of each record, plus 1; 0: none yet */
	struct kin *kin;
};

static int by_records(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, a, b);
}

static int most_first(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	return x->n != y->n ? (x->n > y->n ? -1 : 1) : by_records(a, b);
}

/* Bytes in which windows of a record are; 0 when it holds records, or is about a number. */
static uint32_t content(const struct finder *f, uint32_t i)
{
	const struct record *x = &f->all->list[i];
	uint32_t next = i + 1;
	while (next < f->all->n && f->all->list[next].zero)
		next++;
	bool holds = next < f->all->n && f->all->list[next].begin < x->end;
	uint32_t size = x->end - x->begin + (x->twin_end - x->twin);
	return x->zero || x->stored || holds || size > CONTENT ? 0 : size;
}

static void add_windows(struct finder *f, uint32_t record, uint32_t begin, uint32_t end)
{
	for (uint32_t at = begin; at + WINDOW <= end; at++) {
		struct window w = { hash_bytes(f->bytes + at, WINDOW, 0).lo, record };
		if (w.hash % f->rarity)
			continue;
		MEM_PUSH(f->windows, f->n_windows, f->cap_windows, w);
	}
	work_step(end - begin);
}

static void list_windows(struct finder *f)
{
	uint64_t size = 0;
	for (uint32_t i = 0; i < f->all->n; i++)
		size += content(f, i);
	f->rarity = 1 + size / WINDOWS;
	for (uint32_t i = 0; i < f->all->n; i++) {
		const struct record *x = &f->all->list[i];
		if (!content(f, i))
			continue;
		add_windows(f, i, x->begin, x->end);
		add_windows(f, i, x->twin, x->twin_end);
	}
	MEM_SORT_BY_TWO(f->windows, f->n_windows, hash, record);
}

/* Pairs of those that have a window in common, if they are few. */
static void list_pairs(struct finder *f)
{
	for (uint32_t i = 0, end; i < f->n_windows; i = end) {
		uint32_t list[COMMON], n = 0;
		for (end = i; end < f->n_windows && f->windows[end].hash == f->windows[i].hash;
		     end++) {
			bool again =
				end > i && f->windows[end].record == f->windows[end - 1].record;
			if (!again && n < COMMON)
				list[n] = f->windows[end].record;
			n += !again;
		}
		for (uint32_t a = 0; a < n && n <= COMMON; a++)
			for (uint32_t b = a + 1; b < n; b++) {
				if (f->outer[list[a]] == f->outer[list[b]])
					continue;
				MEM_PUSH(f->pairs, f->n_pairs, f->cap_pairs,
				         (struct pair){ list[a], list[b], 1 });
			}
	}
}

/* Each pair once, those that share most first. */
static void count_pairs(struct finder *f)
{
	uint32_t n = 0;
	MEM_SORT(f->pairs, f->n_pairs, by_records);
	for (uint32_t i = 0; i < f->n_pairs; i++)
		if (n && !by_records(&f->pairs[n - 1], &f->pairs[i]))
			f->pairs[n - 1].n++;
		else
			f->pairs[n++] = f->pairs[i];
	f->n_pairs = n;
	MEM_SORT(f->pairs, n, most_first);
}

/* Those of record I; itself alone when it has none. */
static struct kin kin_of(const struct finder *f, uint32_t i)
{
	return f->kin_of[i] ? f->kin[f->kin_of[i] - 1] : (struct kin){ 1, { i } };
}

/* A and B become one, unless two of them are in the same record. */
static void unite(struct finder *f, uint32_t a, uint32_t b)
{
	struct kin x = kin_of(f, a), y = kin_of(f, b);
	if (x.n + y.n > RECORDS_KIN || (f->kin_of[a] && f->kin_of[a] == f->kin_of[b]))
		return;
	for (uint32_t i = 0; i < x.n; i++)
		for (uint32_t k = 0; k < y.n; k++)
			if (f->outer[x.records[i]] == f->outer[y.records[k]])
				return;
	if (f->kin_of[b])
		f->kin[f->kin_of[b] - 1].n = 0;
	if (!f->kin_of[a]) {
		MEM_GROW(f->kin, f->n_kin, f->cap_kin);
		f->kin_of[a] = ++f->n_kin;
	}
	for (uint32_t k = 0; k < y.n; k++) {
		x.records[x.n++] = y.records[k];
		f->kin_of[y.records[k]] = f->kin_of[a];
	}
	f->kin[f->kin_of[a] - 1] = x;
}

uint32_t records_kin(const struct records *records, const uint8_t *bytes, struct kin **out)
{
	struct finder f = { .all = records, .bytes = bytes, .outer = records_outer(records) };
	uint32_t n = 0;
	f.kin_of = mem_zero(records->n + (size_t)1, sizeof *f.kin_of);
	list_windows(&f);
	list_pairs(&f);
	count_pairs(&f);
	for (uint32_t i = 0; i < f.n_pairs; i++)
		unite(&f, f.pairs[i].a, f.pairs[i].b);
	for (uint32_t i = 0; i < f.n_kin; i++)
		if (f.kin[i].n)
			f.kin[n++] = f.kin[i];
	free(f.outer);
	free(f.windows);
	free(f.pairs);
	free(f.kin_of);
	*out = f.kin;
	return n;
}
