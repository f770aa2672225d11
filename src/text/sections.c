#include "text/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "text/sections_impl.h"

enum {
	HEADERS = 24,  /* rows at the top whose numbers are looked at together */
	TOGETHER = 10, /* so many numbers of them */
	WORDS = 8,     /* of a row in which numbers are looked for */
	SKIPS = 2,     /* rows from a number to what it counts */
	LEAST = 6,     /* fewer rows are counted right by chance */
	RUN = 8,       /* likewise rows that look the same, and blocks */
	COUNTS = 1 << 17,
	LOOKS = 256,      /* at each row, for all words */
	ENOUGH = 2,       /* bits that must speak for numbers together */
	ENOUGH_ALONE = 4, /* and for those behind one word */
	MISSED = 3,       /* bits against it: rows look the same where a section ends */
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
		const uint8_t *p = s->bytes + at;
		bool number = begins_number(p, to - at);
		if (!row.words && !number)
			row.head = hash_bytes(p, to - at, 1).lo | 1;
		if (row.words < WORDS && s->n_counts < COUNTS && read_count(p, to - at, &value))
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

static void add_element(struct sections *s, uint32_t begin, uint32_t end)
{
	MEM_GROW(s->elements, s->n_elements, s->cap_elements);
	s->elements[s->n_elements++] = (struct element){ begin, end };
}

/* COUNT counts the elements from FIRST on. */
static void take(struct sections *s, struct count *count, uint32_t first)
{
	struct element_list list = { .first = first, .n = s->n_elements - first };
	count->taken = true;
	if (!list.n)
		return;
	MEM_GROW(s->lists, s->n_lists, s->cap_lists);
	sections_add_field(s, (struct field){ .kind = FIELD_COUNT,
	                                      .code = CODE_DECIMAL,
	                                      .at = count->at,
	                                      .width = count->width,
	                                      .from = s->elements[first].begin,
	                                      .to = s->elements[s->n_elements - 1].end,
	                                      .list = s->n_lists,
	                                      .depth = 1 });
	s->lists[s->n_lists++] = list;
}

static void take_rows(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->n_elements;
	for (uint32_t i = 0; i < count->value; i++) {
		struct row *r = &s->rows[row + i];
		add_element(s, r->begin, r->end);
		if (r->list == ROW_FREE)
			r->list = s->n_lists;
	}
	take(s, count, first);
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

/* What speaks for it that the numbers of SET count the rows one after another. */
static double judge(const struct sections *s, const struct together *t, uint32_t set)
{
	uint64_t at = t->row;
	double bits = -(double)t->n - sections_bits(t->row);
	for (uint32_t i = 0; set >> i; i++) {
		if (!(set >> i & 1))
			continue;
		at += t->counts[i]->value;
		if (at > s->n_rows)
			return 0;
		if (set >> i > 1)
			bits += differs(s, (uint32_t)at) ? t->differing : -MISSED;
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

static void find_together(struct sections *s)
{
	struct together t, best_t = { 0 };
	uint32_t best_set = 0;
	double best = ENOUGH;
	for (uint32_t h = 0; h < HEADERS && h + LEAST < s->n_rows; h++) {
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
	for (uint32_t i = 0, row = best_t.row; best_set >> i; i++) {
		if (!(best_set >> i & 1))
			continue;
		take_rows(s, best_t.counts[i], row);
		row += (uint32_t)best_t.counts[i]->value;
	}
}

/* ---- numbers behind one word, each in front of what it counts ---- */

static int by_key(const void *a, const void *b)
{
	const struct count *x = *(struct count *const *)a, *y = *(struct count *const *)b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Does HEAD begin none of the rows [row, end)? With ONLY: all of them. */
static bool none_begin(const struct sections *s, uint32_t row, uint32_t end, uint64_t head,
                       bool only)
{
	for (; row < end; row++)
		if ((s->rows[row].head == head) != only)
			return false;
	return true;
}

/* Where what C counts ends, if rows from SKIP on are that; 0: it does not. NEXT: the row of the
 * next such number. STOP: what may stand there when rows look different. */
static uint32_t section_end(const struct sections *s, const struct count *c, uint32_t skip,
                            uint32_t next, uint64_t *stop)
{
	uint64_t begin = (uint64_t)c->row + skip, end = begin + c->value;
	if (end > next || begin > s->n_rows)
		return 0;
	uint32_t to = (uint32_t)end, from = (uint32_t)begin;
	if (to == s->n_rows || to == next)
		return to;
	uint64_t head = s->rows[to].head;
	if (!*stop)
		*stop = head;
	bool same = from < to && none_begin(s, from, to, s->rows[from].head, true) &&
	            s->rows[from].head != head;
	return same || (head && head == *stop && none_begin(s, from, to, head, false)) ? to : 0;
}

/* What speaks for it that all N numbers of LIST count the rows from SKIP on. */
static double judge_key(const struct sections *s, struct count **list, uint32_t n, uint32_t skip)
{
	double bits = -sections_bits(skip);
	uint64_t stop = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i + 1 < n ? list[i + 1]->row : s->n_rows;
		if (list[i]->taken || !section_end(s, list[i], skip, next, &stop))
			return 0;
		bits += sections_bits((double)list[i]->value + 1);
	}
	return n == 1 && list[0]->row + skip < s->n_rows &&
	                       !none_begin(s, list[0]->row + skip,
	                                   list[0]->row + skip + (uint32_t)list[0]->value,
	                                   s->rows[list[0]->row + skip].head, true)
	               ? 0
	               : bits;
}

static void find_keyed(struct sections *s)
{
	struct count **list = mem_alloc((s->n_counts + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < s->n_counts; i++)
		list[i] = &s->counts[i];
	if (s->n_counts)
		qsort(list, s->n_counts, sizeof(*list), by_key);
	uint64_t spent = 0;
	for (uint32_t i = 0, end; i < s->n_counts && spent <= (uint64_t)LOOKS * s->n_rows;
	     i = end) {
		uint32_t skip = 1;
		spent += list[i]->value < s->n_rows ? list[i]->value : 1;
		for (end = i + 1; end < s->n_counts && list[end]->key == list[i]->key;)
			end++;
		while (skip <= SKIPS && judge_key(s, list + i, end - i, skip) < ENOUGH_ALONE)
			skip++;
		for (uint32_t k = i; k < end && skip <= SKIPS; k++)
			take_rows(s, list[k], list[k]->row + skip);
	}
	free(list);
}

/* ---- numbers of a header that count rows or blocks somewhere below ---- */

/* The first run of N rows with one head, no longer, below ROW; 0: there is none. */
static uint32_t run_of(const struct sections *s, uint32_t row, uint64_t n)
{
	for (uint32_t at = row + 1, end; at < s->n_rows; at = end) {
		for (end = at + 1; end < s->n_rows && s->rows[end].head == s->rows[at].head;)
			end++;
		if (end - at == n)
			return at;
	}
	return 0;
}

/* The row, below ROW, whose head begins N rows in all and none above; 0: there is none. */
static uint32_t head_of(const struct sections *s, uint32_t row, uint64_t n)
{
	for (uint32_t at = row + 1; at < s->n_rows && at < row + 1 + HEADERS; at++) {
		uint64_t head = s->rows[at].head;
		uint32_t found = 0;
		for (uint32_t i = 0; i < s->n_rows && head; i++)
			found += i < at && s->rows[i].head == head ? (uint32_t)n + 1
			                                           : s->rows[i].head == head;
		if (head && found == n)
			return at;
	}
	return 0;
}

/* COUNT counts blocks that begin as ROW does; each ends as those do that another one follows. */
static void take_blocks(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->n_elements, begin = row, at = row + 1;
	uint64_t last = 0;
	for (; at < s->n_rows; at++) {
		if (s->rows[at].head != s->rows[row].head)
			continue;
		last = !last || last == s->rows[at - 1].head ? s->rows[at - 1].head : 1;
		add_element(s, s->rows[begin].begin, s->rows[at].begin);
		begin = at;
	}
	for (at = begin; at + 1 < s->n_rows && s->rows[at].head != last;)
		at++;
	add_element(s, s->rows[begin].begin, s->rows[at].end);
	take(s, count, first);
}

static void find_below(struct sections *s)
{
	for (uint32_t i = 0; i < s->n_counts && s->counts[i].row < HEADERS; i++) {
		struct count *c = &s->counts[i];
		if (c->taken || c->value < RUN || c->value >= s->n_rows)
			continue;
		uint32_t row = run_of(s, c->row, c->value);
		if (row)
			take_rows(s, c, row);
		else if ((row = head_of(s, c->row, c->value)))
			take_blocks(s, c, row);
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
	find_keyed(&s);
	find_below(&s);
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
