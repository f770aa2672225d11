/* Tables: rows of a few parts, or columns of them, say what members are called, where they are and
 * how long. Each form without one of its members is what the form makes of the others alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "binary/layers.h"
#include "binary/records.h"
#include "binary/sums.h"
#include "text/edit.h"
#include "text/testcase.h"

enum { MEMBERS = 26, LARGEST = 400 };

/* Where the table is: behind the head; behind the members, where the head says; likewise where
 * the tail says, or says how long it is, with the count. */
enum where { FRONT, FAR, TAIL, TAIL_SIZE };

enum more {
	COLUMNS = 1,   /* each part of all rows, then the next */
	BACKWARDS = 2, /* the last member first */
	SUM = 4,       /* a CRC-32 of the table, where the count is */
	MTIME = 8,     /* other numbers in front of the count */
	POOL = 16,     /* strings that rows name behind the table, how many and how long in front */
};

/* PARTS of a row: n: a name behind its length of 1, 2, 4 or v (as many as it takes) bytes, or with
 * a zero behind it (n0); p, q: where the member is, from the beginning, from the first one; l: how
 * long it is; e: how far in front of the end of the file it begins; t: a line with its name, its
 * place from the first one and its length; k: its kind; c: a CRC-32 of it; d, f: where its
 * directory and its file name begin in the pool; i: which of the strings there its file name is.
 * COUNT: bytes, 0: varint, 9: digits. */
struct form {
	const char *parts;
	uint32_t count;
	enum where where;
	bool big;
	unsigned more;
};

static const struct form forms[] = {
	{ "n2 p4 l4", 4, FRONT, true, MTIME },
	{ "l4 n0", 4, FRONT, false, 0 },
	{ "k1 lv nv", 0, FRONT, false, 0 },
	{ "p4 n1", 2, FRONT, false, MTIME },
	{ "n0 l4 k1", 2, FRONT, true, SUM },
	{ "n4 l4", 4, FRONT, true, 0 },
	{ "n1 p4 l4", 4, FAR, false, 0 },
	{ "p4 l4 n0", 4, FAR, true, MTIME },
	{ "n1 q4 l4 k2", 4, FAR, false, 0 },
	{ "n1 p4 l4", 4, TAIL, false, SUM },
	{ "l4 n2", 4, TAIL, true, 0 },
	{ "p4 nv", 2, TAIL, false, 0 },
	{ "n1 l4 k2", 4, TAIL_SIZE, false, SUM },
	{ "n2 l4 k1 c4", 4, TAIL, true, 0 },
	{ "n1 l4", 4, FRONT, true, COLUMNS },
	{ "l4 k2 n0", 2, FRONT, false, COLUMNS | SUM },
	{ "l2 n1", 2, FRONT, false, COLUMNS | BACKWARDS },
	{ "nv lv", 0, FRONT, false, COLUMNS },
	{ "n0 p4 l4", 4, FAR, false, COLUMNS },
	{ "n1 l4", 4, TAIL, true, COLUMNS },
	{ "n1 l4 k1", 9, FRONT, false, 0 },
	{ "d4 f4 p4 l4", 4, FRONT, false, POOL },
	{ "p4 l4 k4 f4", 4, FRONT, true, POOL | MTIME },
	{ "i2 k2 p4 l4", 4, FRONT, false, POOL },
	{ "e4 l4 n1", 4, TAIL, true, 0 },
	{ "t0", 9, FRONT, false, 0 },
};
enum { N_FORMS = sizeof forms / sizeof *forms };

struct member {
	uint8_t bytes[LARGEST];
	char name[24];
	uint32_t n, kind, begin, behind;
	uint32_t strings[2]; /* where its directory and its file name begin */
	uint32_t string;     /* which one the latter is */
};

/* Some are text, some are noise. */
static struct member *members(void)
{
	static const char *const words[] = { "stone", "river", "alpha", "ember", "night", "of" };
	struct member *m = mem_zero(MEMBERS, sizeof *m);
	struct rng rng = { 5 };
	for (uint32_t i = 0; i < MEMBERS; i++) {
		const char *word = words[rng_below(&rng, 6)];
		m[i].n = 20 + (uint32_t)rng_below(&rng, LARGEST - 40);
		m[i].kind = (uint32_t)rng_below(&rng, 3);
		snprintf(m[i].name, sizeof m[i].name, "%s/%s%02u.dat", word,
		         words[rng_below(&rng, 6)], i);
		for (uint32_t k = 0; k < m[i].n && i % 3 == 0; k++)
			m[i].bytes[k] = (uint8_t)rng_below(&rng, 256);
		for (uint32_t k = 0; k < m[i].n && i % 3;) {
			word = words[rng_below(&rng, 6)];
			k += (uint32_t)snprintf((char *)m[i].bytes + k, sizeof m[i].bytes - k,
			                        "%s ", word);
			m[i].n = k > m[i].n ? k : m[i].n;
		}
	}
	return m;
}

static void add(struct buf *b, bool big, uint32_t width, uint32_t value)
{
	uint8_t text[CODE_MAX], none[CODE_MAX] = { 0x80 };
	enum code code = width ? big ? CODE_BIG : CODE_LITTLE : CODE_LEB;
	if (width == 9)
		buf_addf(b, "%06u\n", value);
	else
		buf_add(b, text, code_write(code, none, width ? width : 1, value, text));
}

/* The part of M that is called KIND, its number in WIDTH bytes. */
static void add_part(struct buf *b, const struct form *f, const char *part, const struct member *m,
                     uint32_t first)
{
	uint32_t width = part[1] == 'v' ? 0 : (uint32_t)(part[1] - '0');
	uint32_t n = (uint32_t)strlen(m->name);
	switch (part[0]) {
	case 'n':
		if (part[1] != '0')
			add(b, f->big, width, n);
		buf_add(b, m->name, n + (part[1] == '0'));
		break;
	case 'p':
	case 'q':
		add(b, f->big, width, m->begin - (part[0] == 'q' ? first : 0));
		break;
	case 'e':
		add(b, f->big, width, m->behind);
		break;
	case 't':
		buf_addf(b, "file %s %u %u\n", m->name, m->begin - first, m->n);
		break;
	case 'd':
	case 'f':
		add(b, f->big, width, m->strings[part[0] == 'f']);
		break;
	case 'i':
		add(b, f->big, width, m->string);
		break;
	case 'l':
		add(b, f->big, width, m->n);
		break;
	case 'k':
		add(b, f->big, width, m->kind + 1);
		break;
	default:
		add(b, f->big, width, sum_bytes(SUM_CRC32, m->bytes, m->n));
	}
}

static void add_table(struct buf *b, const struct form *f, const struct member *m, uint32_t n,
                      uint32_t first)
{
	uint32_t parts = (uint32_t)(strlen(f->parts) + 1) / 3;
	for (uint32_t i = 0; i < n * parts; i++) {
		uint32_t part = f->more & COLUMNS ? i / n : i % parts;
		uint32_t row = f->more & COLUMNS ? i % n : i / parts;
		add_part(b, f, f->parts + (size_t)part * 3, &m[row], first);
	}
}

/* The members behind AT bytes; where each is. */
static void add_members(struct buf *b, const struct form *f, struct member *m, uint32_t n,
                        uint32_t at)
{
	for (uint32_t i = 0; i < n; i++) {
		struct member *own = &m[f->more & BACKWARDS ? n - 1 - i : i];
		own->begin = at + (uint32_t)b->len;
		buf_add(b, own->bytes, own->n);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The strings that M, N of them, name in rows of F, each once, in the order of the alphabet; how
 * many. */
static uint32_t add_pool(struct buf *b, const struct form *f, struct member *m, uint32_t n)
{
	char text[2 * MEMBERS][24], *order[2 * MEMBERS];
	uint32_t all = 0, strings = 0;
	for (uint32_t i = 0; i < 2 * n; i++) {
		const char *name = m[i / 2].name, *slash = strchr(name, '/');
		if (!strpbrk(f->parts, i % 2 ? "fi" : "d"))
			continue;
		snprintf(text[i], sizeof text[i], "%.*s", i % 2 ? 20 : (int)(slash - name),
		         i % 2 ? slash + 1 : name);
		order[all++] = text[i];
	}
	qsort(order, all, sizeof *order, by_text);
	for (uint32_t i = 0; i < all; i++) {
		uint32_t own = (uint32_t)(order[i] - text[0]) / sizeof text[0];
		bool new = !i || strcmp(order[i], order[i - 1]) != 0;
		m[own / 2].strings[own % 2] =
			(uint32_t)b->len - (new ? 0 : (uint32_t)strlen(order[i]) + 1);
		if (new)
			buf_add(b, order[i], strlen(order[i]) + 1);
		strings += new;
		m[own / 2].string = strings - 1;
	}
	return strings;
}

static uint32_t sum_of(const struct buf *b)
{
	return sum_bytes(SUM_CRC32, (const uint8_t *)b->data, (uint32_t)b->len);
}

/* What stands behind the count in front of all. */
static void add_head(struct buf *b, const struct form *f, uint32_t strings, const struct buf *table,
                     const struct buf *pool, uint32_t behind)
{
	if (f->more & POOL) {
		add(b, f->big, 4, strings);
		add(b, f->big, 4, (uint32_t)pool->len);
	}
	if (f->where == FAR)
		add(b, f->big, 4, behind);
	if (f->more & SUM)
		add(b, f->big, 4, sum_of(table));
}

/* A version, and when the file was made. */
static void add_mtime(struct buf *b, const struct form *f)
{
	add(b, f->big, 2, 3);
	add(b, f->big, 2, 40);
	add(b, f->big, 4, 1700000123);
}

static void write_form(struct buf *b, const struct form *f, struct member *m, uint32_t n)
{
	struct buf table = { 0 }, data = { 0 }, pool = { 0 };
	uint32_t strings = f->more & POOL ? add_pool(&pool, f, m, n) : 0;
	const struct buf *parts[] = { &table, &data };
	bool tail = f->where >= TAIL;
	buf_addf(b, "TBLF");
	if (f->more & MTIME)
		add_mtime(b, f);
	uint32_t head = (uint32_t)b->len + (f->more & POOL ? 8 : 0);
	if (!tail) {
		add(&table, f->big, f->count, n);
		head += (uint32_t)table.len + (f->where == FAR ? 4 : 0) + (f->more & SUM ? 4 : 0);
	}
	table.len = 0;
	add_members(&data, f, m, n, 0);
	data.len = 0;
	add_table(&table, f, m, n, 0);
	uint32_t first = head + (f->where == FRONT ? (uint32_t)(table.len + pool.len) : 0);
	add_members(&data, f, m, n, first);
	for (uint32_t i = 0; i < n; i++)
		m[i].behind = first + (uint32_t)data.len - m[i].begin + (uint32_t)table.len + 8 +
		              f->count;
	table.len = 0;
	add_table(&table, f, m, n, first);
	if (pool.len)
		buf_add(&table, pool.data, pool.len);
	if (!tail) {
		add(b, f->big, f->count, n);
		add_head(b, f, strings, &table, &pool, head + (uint32_t)data.len);
	}
	buf_add(b, parts[f->where != FRONT]->data, parts[f->where != FRONT]->len);
	uint32_t place = (uint32_t)b->len;
	buf_add(b, parts[f->where == FRONT]->data, parts[f->where == FRONT]->len);
	if (tail) {
		add(b, f->big, 4, f->where == TAIL ? place : (uint32_t)table.len);
		add(b, f->big, f->count, n);
		if (f->more & SUM)
			add(b, f->big, 4, sum_of(&table));
		buf_addf(b, "FLBT");
	}
	buf_release(&table);
	buf_release(&data);
	buf_release(&pool);
}

/* TC without the record that begins at BEGIN, and what goes with it; NULL: there is none. */
static struct testcase *without(const struct records *r, struct testcase *tc, uint32_t begin)
{
	struct arena arena = { 0 };
	struct testcase *left = NULL;
	struct edit cut;
	for (uint32_t i = 0; i < r->n && !left; i++) {
		const struct record *x = &r->list[i];
		struct edit_part parts[] = { { .begin = x->begin, .end = x->end },
			                     { .begin = x->twin, .end = x->twin_end } };
		if (x->begin != begin || x->depth)
			continue;
		assert_true(edit_make(&arena, parts, x->twin < x->twin_end ? 2 : 1, &cut));
		left = edit_apply(tc, repair_edit(r->repair, tc->bytes, cut, &arena));
	}
	arena_release(&arena);
	return left;
}

/* How many of the members of F can go. */
static uint32_t cuts(const struct form *f)
{
	uint32_t fine = 0;
	struct member *m = members(), *rest = mem_alloc(MEMBERS * sizeof *m);
	struct buf all = { 0 };
	write_form(&all, f, m, MEMBERS);
	struct testcase *tc =
		testcase_new("x", 0644, mem_dup(all.data, all.len + 1), (uint32_t)all.len);
	struct records *r = layers_records(NULL, tc->bytes, tc->size);
	for (uint32_t i = 0; i < MEMBERS && r; i++) {
		struct buf others = { 0 };
		memcpy(rest, m, MEMBERS * sizeof *m);
		memmove(rest + i, rest + i + 1, (MEMBERS - 1 - i) * sizeof *m);
		write_form(&others, f, rest, MEMBERS - 1);
		struct testcase *left = without(r, tc, m[i].begin);
		fine += left && left->size == others.len &&
		        memcmp(left->bytes, others.data, others.len) == 0;
		testcase_unref(left);
		buf_release(&others);
	}
	testcase_unref(tc);
	records_unref(r);
	buf_release(&all);
	free(m);
	free(rest);
	return fine;
}

static void tables(void **state)
{
	uint32_t bad = 0;
	(void)state;
	for (uint32_t i = 0; i < N_FORMS; i++) {
		const struct form *f = &forms[i];
		uint32_t fine = cuts(f);
		bad += fine < MEMBERS;
		if (fine < MEMBERS)
			printf("%u: %s count %u where %d big %d more %u: %u of %d\n", i, f->parts,
			       f->count, f->where, f->big, f->more, fine, MEMBERS);
	}
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
