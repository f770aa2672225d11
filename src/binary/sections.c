#include "binary/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/sections_impl.h"

enum {
	TOGETHER = 10, /* so many numbers of them */
	LEAST = 6,     /* fewer rows are counted right by chance */
	NESTED = 2,    /* a row is in so many lists on average at most, as are followed */
	COUNTS = 1 << 17,
	ENOUGH = 2,        /* bits that must speak for numbers together */
	UNLIKE = 8,        /* of rows that look alike one in UNLIKE may not */
	ENOUGH_UNLIKE = 9, /* when the rows do not look alike */
	MISSED = 3,        /* bits against it: rows look the same where a section ends */
};

double sections_bits(double n)
{
	double bits = 0;
	for (; n >= 2; n /= 2)
		bits++;
	return n > 1 ? bits + n - 1 : bits;
}

void sections_add_field(struct sections *s, struct field field)
{
	MEM_GROW(s->fields, s->n_fields, s->cap_fields);
	s->fields[s->n_fields++] = field;
}

/* ---- reading ---- */

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* Does a number begin at P, of LEN bytes? */
static bool begins_number(const uint8_t *p, uint32_t len)
{
	return is_digit(*p) || (len > 1 && (*p == '-' || *p == '+' || *p == '.') &&
	                        (is_digit(p[1]) || p[1] == '.'));
}

static bool read_count(const uint8_t *p, uint32_t len, uint64_t *value)
{
	*value = 0;
	for (uint32_t i = 0; i < len; i++) {
		if (!is_digit(p[i]))
			return false;
		*value = *value * 10 + (p[i] - '0');
	}
	return len <= 9 && (len == 1 || *p != '0');
}

static void add_count(struct sections *s, uint32_t at, uint32_t width, uint64_t value, uint64_t key)
{
	MEM_GROW(s->counts, s->n_counts, s->cap_counts);
	s->counts[s->n_counts++] = (struct count){
		.row = s->n_rows, .at = at, .width = width, .value = value, .key = key
	};
}

/* Reads the words of the line [begin, end). */
static void read_row(struct sections *s, uint32_t begin, uint32_t end)
{
	struct row row = { .begin = begin, .end = end, .list = ROW_FREE };
	uint32_t first = s->n_counts;
	uint64_t key = 0, value;
	for (uint32_t at = begin, to; at < end; at = to) {
		for (; at < end && is_blank(s->bytes[at]); at++)
			;
		for (to = at; to < end && !is_blank(s->bytes[to]); to++)
			;
		if (to == at)
			break;
		work_step(to - at);
		const uint8_t *p = s->bytes + at;
		bool number = begins_number(p, to - at);
		if (!row.words && !number)
			row.head = hash_bytes(p, to - at, 1).lo | 1;
		if (row.words < SECTIONS_WORDS && s->n_counts < COUNTS &&
		    read_count(p, to - at, &value))
			add_count(s, at, to - at, value, key + row.words);
		key = number ? key : hash_bytes(p, to - at, key).lo;
		row.words++;
	}
	for (uint32_t i = first; i < s->n_counts && !row.head; i++)
		s->counts[i].key += (uint64_t)row.words << 32;
	if (!row.words || s->bytes[begin] == '#' || s->bytes[begin] == '%') {
		s->n_counts = first;
		return;
	}
	MEM_GROW(s->rows, s->n_rows, s->cap_rows);
	s->rows[s->n_rows++] = row;
}

static void read_rows(struct sections *s)
{
	for (uint32_t at = 0, end; at < s->size; at = end) {
		const uint8_t *nl = memchr(s->bytes + at, '\n', s->size - at);
		end = nl ? (uint32_t)(nl - s->bytes) + 1 : s->size;
		read_row(s, at, end);
	}
}

/* ---- what a number counts ---- */

void sections_add_element(struct sections *s, uint32_t begin, uint32_t end)
{
	MEM_GROW(s->elements, s->n_elements, s->cap_elements);
	s->elements[s->n_elements++] = (struct element){ begin, end };
}

/* COUNT counts what LIST has. */
static void count_list(struct sections *s, struct count *count, uint32_t list)
{
	const struct element_list *l = &s->lists[list];
	sections_add_field(s, (struct field){ .kind = FIELD_COUNT,
	                                      .code = CODE_DECIMAL,
	                                      .at = count->at,
	                                      .width = count->width,
	                                      .from = s->elements[l->first].begin,
	                                      .to = s->elements[l->first + l->n - 1].end,
	                                      .list = list,
	                                      .depth = 1 });
}

void sections_take(struct sections *s, struct count *count, uint32_t first)
{
	struct element_list list = { .first = first, .n = s->n_elements - first };
	count->taken = true;
	if (!list.n)
		return;
	MEM_GROW(s->lists, s->n_lists, s->cap_lists);
	s->lists[s->n_lists] = list;
	count_list(s, count, s->n_lists++);
}

bool sections_listed(const struct sections *s, uint32_t row, uint64_t n)
{
	uint32_t list = row < s->n_rows ? s->rows[row].list : ROW_FREE;
	return list != ROW_FREE && s->lists[list].n == n &&
	       s->elements[s->lists[list].first].begin == s->rows[row].begin;
}

void sections_take_rows(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->n_elements;
	if (sections_listed(s, row, count->value)) {
		count->taken = true;
		count_list(s, count, s->rows[row].list);
		return;
	}
	if (first + count->value > (uint64_t)NESTED * s->n_rows)
		return;
	for (uint32_t i = 0; i < count->value; i++) {
		struct row *r = &s->rows[row + i];
		sections_add_element(s, r->begin, r->end);
		if (r->list == ROW_FREE)
			r->list = s->n_lists;
	}
	sections_take(s, count, first);
}

/* ---- numbers of a header that count one after another ---- */

struct together {
	uint32_t n, row; /* row: where what they count begins */
	uint32_t alike;  /* where rows with one head end, from there on */
	struct count *counts[TOGETHER];
	double differing; /* bits of a place where rows begin to look different */
	double heads;     /* likewise where their heads do */
};

static bool differs(const struct sections *s, uint32_t row)
{
	return s->rows[row].head != s->rows[row - 1].head ||
	       s->rows[row].words != s->rows[row - 1].words;
}

static void measure(const struct sections *s, struct together *t)
{
	uint32_t n = 0, heads = 1, alike = t->row + 1, end;
	while (alike < s->n_rows && s->rows[alike].head == s->rows[t->row].head)
		alike++;
	t->alike = alike;
	end = alike - t->row < LEAST ? s->n_rows : alike;
	for (uint32_t i = t->row + 1; i < end; i++)
		n += differs(s, i);
	for (uint32_t i = t->row + 1; i < s->n_rows; i++)
		heads += s->rows[i].head != s->rows[i - 1].head;
	t->differing = sections_bits((end - t->row) / (n + 1.0));
	t->heads = sections_bits((s->n_rows - t->row) / (double)heads);
}

/* Does a number of SET before the I-th say the same? Equal ones follow each other by chance. */
static bool repeats(const struct together *t, uint32_t set, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (set >> k & 1 && t->counts[k]->value == t->counts[i]->value)
			return true;
	return false;
}

/* What speaks for it that the numbers of SET count the rows one after another. */
static double judge(const struct sections *s, const struct together *t, uint32_t set)
{
	uint64_t at = t->row;
	double bits = -(double)t->n - sections_bits(t->row);
	for (uint32_t i = 0; set >> i; i++) {
		if (!(set >> i & 1))
			continue;
		at += t->counts[i]->value;
		if (at > s->n_rows || (at == s->n_rows && set >> i > 1))
			return 0;
		if (set >> i > 1 && !differs(s, (uint32_t)at))
			bits -= MISSED;
		else if (set >> i > 1 && !repeats(t, set, i))
			bits += t->differing;
	}
	if (at - t->row < LEAST)
		return 0;
	if (at == s->n_rows || at == t->alike)
		return bits + sections_bits((double)at - t->row);
	return s->rows[at].head == s->rows[at - 1].head ? 0 : bits + t->heads;
}

static void gather(struct sections *s, uint32_t header, struct together *t)
{
	t->n = 0;
	t->row = header + 1;
	for (uint32_t i = 0; i < s->n_counts && s->counts[i].row <= header; i++) {
		struct count *c = &s->counts[i];
		if (!c->value || c->value > s->n_rows - t->row)
			continue;
		if (t->n == TOGETHER)
			memmove(t->counts, t->counts + 1, --t->n * sizeof(*t->counts));
		t->counts[t->n++] = c;
	}
	measure(s, t);
}

static uint32_t rows_of(const struct together *t, uint32_t set)
{
	uint32_t n = 0;
	for (uint32_t i = 0; set >> i; i++)
		n += set >> i & 1 ? (uint32_t)t->counts[i]->value : 0;
	return n;
}

/* Do most of N rows from ROW on begin as the ones before them do, or have as many words? What is
 * counted does; in prose and programs any two lines differ. */
static bool look_alike(const struct sections *s, uint32_t row, uint32_t n)
{
	uint32_t heads = 0, words = 0;
	for (uint32_t i = row + 1; i < row + n; i++) {
		heads += s->rows[i].head == s->rows[i - 1].head;
		words += s->rows[i].words == s->rows[i - 1].words;
	}
	return heads >= n - 1 - n / UNLIKE || words >= n - 1 - n / UNLIKE;
}

static void find_together(struct sections *s)
{
	struct together t, best_t = { 0 };
	uint32_t best_set = 0;
	double best = ENOUGH;
	for (uint32_t h = 0; h < SECTIONS_HEADERS && h + LEAST < s->n_rows; h++) {
		gather(s, h, &t);
		for (uint32_t set = 1; set < 1u << t.n; set++) {
			double bits = judge(s, &t, set);
			if (bits <= best)
				continue;
			best = bits;
			best_t = t;
			best_set = set;
		}
	}
	if (best < ENOUGH_UNLIKE && !look_alike(s, best_t.row, rows_of(&best_t, best_set)))
		return;
	for (uint32_t i = 0, row = best_t.row; best_set >> i; i++) {
		if (!(best_set >> i & 1))
			continue;
		sections_take_rows(s, best_t.counts[i], row);
		row += (uint32_t)best_t.counts[i]->value;
	}
}

/* ---- records ---- */

static int by_place(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* The COUNTED elements in document order, each once, those within others deeper. */
static void make_list(const struct sections *s, uint32_t counted, struct records *r)
{
	r->list = mem_alloc((counted + (size_t)1) * sizeof *r->list);
	for (uint32_t i = 0; i < counted; i++) {
		struct element e = s->elements[i];
		r->list[i] = (struct record){
			.begin = e.begin, .end = e.end, .body = e.end, .body_end = e.end
		};
	}
	qsort(r->list, counted, sizeof *r->list, by_place);
	uint32_t ends[2] = { 0, 0 };
	for (uint32_t i = 0; i < counted; i++) {
		struct record x = r->list[i];
		x.depth = x.begin < ends[0];
		if (x.begin < ends[x.depth] || (x.depth && x.end > ends[0]))
			continue;
		ends[x.depth] = x.end;
		r->max_depth = x.depth > r->max_depth ? x.depth : r->max_depth;
		r->list[r->n++] = x;
	}
}

struct records *sections_find(const uint8_t *bytes, uint32_t size)
{
	struct sections s = { .bytes = bytes, .size = size };
	struct records *r = NULL;
	read_rows(&s);
	find_together(&s);
	sections_find_keyed(&s);
	sections_find_below(&s);
	uint32_t counted = s.n_elements;
	if (counted)
		sections_find_places(&s);
	free(s.rows);
	free(s.counts);
	if (s.n_lists) {
		r = mem_zero(1, sizeof *r);
		r->refs = 1;
		r->is_text = true;
		make_list(&s, counted, r);
		r->repair = repair_new(s.fields, s.n_fields, s.elements, s.n_elements, s.lists,
		                       s.n_lists);
		return r;
	}
	free(s.fields);
	free(s.lists);
	free(s.elements);
	return NULL;
}
