#include "binary/finders.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/sections_def.h"

enum {
	SECTIONS_HEADERS = 24, /* rows at the top whose numbers are looked at together */
	SECTIONS_WORDS = 8,    /* of a row in which numbers are looked for */
	TOGETHER = 10,         /* so many numbers of them */
	LEAST = 6,             /* fewer rows are counted right by chance */
	NESTED = 2,            /* a row is in so many lists on average at most, as are followed */
	COUNTS = 1 << 17,
	ENOUGH = 2,        /* bits that must speak for numbers together */
	UNLIKE = 8,        /* of rows that look alike one in UNLIKE may not */
	ENOUGH_UNLIKE = 9, /* when the rows do not look alike */
	MISSED = 3,        /* bits against it: rows look the same where a section ends */
};

/* x bits of evidence: the logarithm of N, 0 for 0. */
static double sections_bits(double n)
{
	double bits = 0;
	for (; n >= 2; n /= 2)
		bits++;
	return n > 1 ? bits + n - 1 : bits;
}

/* ---- reading ---- */

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

/* Reads the words of the line [begin, end). */
static void read_row(struct sections *s, uint32_t begin, uint32_t end)
{
	struct row row = { .begin = begin, .list = ROW_FREE };
	uint32_t first = s->n_counts;
	uint64_t key = 0, value;
	for (uint32_t at = begin, to; at < end; at = to) {
		while (at < end && is_blank(s->bytes[at]))
			at++;
		for (to = at; to < end && !is_blank(s->bytes[to]);)
			to++;
		if (to == at)
			break;
		work_step(to - at);
		const uint8_t *p = s->bytes + at;
		bool number = begins_number(p, to - at);
		uint32_t len = to - at, in = number ? 0 : code_within(p, &len);
		uint64_t before = in ? hash_bytes(p, in, key).lo : key;
		if (!row.words && !number)
			row.head = (uint32_t)hash_bytes(p, in ? in : len, 1).lo | 1;
		bool count = read_count(p + in, len, &value);
		if (!row.words && count && !in)
			row.said = (uint32_t)value;
		if (row.words < SECTIONS_WORDS && s->n_counts < COUNTS && count)
			MEM_PUSH(s->counts, s->n_counts, s->cap_counts,
			         (struct count){ before + row.words, s->n_rows, at + in,
			                         (uint32_t)value, (uint8_t)len, false });
		key = number ? key : hash_bytes(p, to - at, key).lo;
		row.words++;
	}
	for (uint32_t i = first; i < s->n_counts && !row.head; i++)
		s->counts[i].key += (uint64_t)row.words << 32;
	if (!row.words || s->bytes[begin] == '#' || s->bytes[begin] == '%') {
		s->n_counts = first;
		return;
	}
	MEM_PUSH(s->rows, s->n_rows, s->cap_rows, row);
}

static void read_rows(struct sections *s)
{
	for (uint32_t at = 0, end; at < s->size; at = end) {
		end = line_end(s, at);
		read_row(s, at, end);
	}
}

/* ---- what a number counts ---- */

/* COUNT counts what LIST has. */
static void count_list(struct sections *s, struct count *count, uint32_t list)
{
	const struct listed *first = &s->found.listed[s->lists[list].first];
	struct field f = field_of(FIELD_COUNT, CODE_DECIMAL, count->at, count->width, first->begin,
	                          first[s->lists[list].n - 1].end);
	f.list = list;
	f.depth = 1;
	found_field(&s->found, f);
}

/* COUNT counts the elements from FIRST on; the rows from ROW on. */
static void sections_take(struct sections *s, struct count *count, uint32_t first)
{
	struct element_list list = { .first = first, .n = s->found.n.listed - first };
	count->taken = true;
	if (!list.n)
		return;
	MEM_GROW(s->lists, s->n_lists, s->cap_lists);
	s->lists[s->n_lists] = list;
	count_list(s, count, s->n_lists++);
}

/* Are just the N rows from ROW on a list? */
static bool sections_listed(const struct sections *s, uint32_t row, uint64_t n)
{
	uint32_t list = row < s->n_rows ? s->rows[row].list : ROW_FREE;
	return list != ROW_FREE && s->lists[list].n == n &&
	       s->found.listed[s->lists[list].first].begin == s->rows[row].begin;
}

static void sections_take_rows(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->found.n.listed;
	if (sections_listed(s, row, count->value)) {
		count->taken = true;
		count_list(s, count, s->rows[row].list);
		return;
	}
	if (first + count->value > (uint64_t)NESTED * s->n_rows)
		return;
	for (uint32_t i = 0; i < count->value; i++) {
		struct row *r = &s->rows[row + i];
		found_listed(&s->found, s->n_lists, r->begin, line_end(s, r->begin));
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
	double choice;    /* of the row, unless all look the same from there on alone */
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
	bool last = alike == s->n_rows && s->rows[t->row].head != s->rows[t->row - 1].head;
	t->choice = last ? 0 : sections_bits(t->row);
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
	double bits = -(double)t->n - t->choice;
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

/* ---- records ---- */

static int by_place(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	return x->begin != y->begin ? MEM_ORDER(x, y, begin) : MEM_ORDER(y, x, end);
}

/* The COUNTED elements as records, each once, those within others deeper. */
static void make_list(struct sections *s, uint32_t counted)
{
	struct listed *list = mem_alloc((counted + (size_t)1) * sizeof *list);
	uint32_t ends[2] = { 0, 0 };
	if (counted)
		memcpy(list, s->found.listed, counted * sizeof *list);
	qsort(list, counted, sizeof *list, by_place);
	for (uint32_t i = 0; i < counted; i++) {
		struct record x = record_plain(list[i].begin, list[i].end);
		x.depth = x.begin < ends[0];
		if (x.begin < ends[x.depth] || (x.depth && x.end > ends[0]))
			continue;
		ends[x.depth] = x.end;
		found_record(&s->found, x);
	}
	free(list);
}

/* Numbers behind one word, each in front of the rows that it counts. */

enum {
	SKIPS = 2,        /* rows from a number to what it counts */
	FEW = 6,          /* so few rows are alike again and again in any text */
	SAID = 32,        /* numbers before one that may have said the same */
	LOOKS = 256,      /* at each row, for all words */
	ENOUGH_KEYED = 4, /* bits that must speak for numbers; more when there are many words */
};

static int by_key(const void *a, const void *b)
{
	const struct count *x = *(struct count *const *)a, *y = *(struct count *const *)b;
	return MEM_ORDER_TWO(x, y, key, at);
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

/* Did one of the numbers before the I-th of LIST say that the same few rows follow? */
static bool said(struct count **list, uint32_t i)
{
	if (list[i]->value >= FEW)
		return false;
	for (uint32_t k = i > SAID ? i - SAID : 0; k < i; k++)
		if (list[k]->value == list[i]->value)
			return true;
	return false;
}

/* What speaks for it that all N numbers of LIST count the rows from SKIP on. Text repeats itself:
 * that one number is in front of the same few rows again and again speaks for it once, unless the
 * next such number follows at once. */
static double judge_key(const struct sections *s, struct count **list, uint32_t n, uint32_t skip,
                        uint64_t *spent)
{
	double bits = -sections_bits(skip);
	uint64_t stop = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i + 1 < n ? list[i + 1]->row : s->n_rows;
		*spent += list[i]->value < s->n_rows ? list[i]->value : 1;
		uint32_t end = section_end(s, list[i], skip, next, &stop);
		if (!end ||
		    (list[i]->taken && !sections_listed(s, list[i]->row + skip, list[i]->value)))
			return 0;
		if (end == next || !said(list, i))
			bits += sections_bits((double)list[i]->value + 1);
	}
	uint32_t row = list[0]->row + skip;
	bool alike = n > 1 || row >= s->n_rows ||
	             none_begin(s, row, row + (uint32_t)list[0]->value, s->rows[row].head, true);
	return alike ? bits : 0;
}

/* Words behind which stands what may be a count: each of them may seem to be one by chance. */
static uint32_t count_keys(const struct sections *s, struct count **list)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_counts; i++)
		n += list[i]->value < s->n_rows && (!i || list[i]->key != list[i - 1]->key);
	return n;
}

/* A number above ROW that is how many elements there are in [first, end), those of several lists,
 * is their total. */
static void take_total(struct sections *s, uint32_t row, uint32_t first, uint32_t end)
{
	struct count *total = NULL;
	for (uint32_t i = 0; i < s->n_counts && end - first >= FEW && !total; i++)
		if (s->counts[i].row < row && !s->counts[i].taken &&
		    s->counts[i].value == end - first)
			total = &s->counts[i];
	if (!total)
		return;
	for (uint32_t i = first; i < end; i++) {
		struct listed e = s->found.listed[i];
		found_listed(&s->found, s->n_lists, e.begin, e.end);
	}
	sections_take(s, total, end);
}

/* Finds numbers behind one word, each in front of the rows that it counts. */
static void sections_find_keyed(struct sections *s)
{
	struct count **list = mem_alloc((s->n_counts + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < s->n_counts; i++)
		list[i] = &s->counts[i];
	MEM_SORT(list, s->n_counts, by_key);
	uint64_t spent = 0;
	double enough = ENOUGH_KEYED, chance = sections_bits(count_keys(s, list));
	enough = chance > enough ? chance : enough;
	for (uint32_t i = 0, end; i < s->n_counts && spent <= (uint64_t)LOOKS * s->n_rows;
	     i = end) {
		uint32_t skip = 1;
		for (end = i + 1; end < s->n_counts && list[end]->key == list[i]->key;)
			end++;
		while (skip <= SKIPS && judge_key(s, list + i, end - i, skip, &spent) < enough)
			skip++;
		uint32_t first = s->found.n.listed;
		for (uint32_t k = i; k < end && skip <= SKIPS; k++)
			if (!list[k]->taken)
				sections_take_rows(s, list[k], list[k]->row + skip);
		if (end - i > 1)
			take_total(s, list[i]->row, first, s->found.n.listed);
	}
	free(list);
}

/* Numbers of a header that count rows or blocks somewhere below it: as many rows that look the
 * same, in one run, or as many rows that begin with one word. There are many runs and words, and
 * a number that is as large as one of them may be so by chance: the more numbers and the more
 * lengths there are, the larger it has to be. All is found in one walk over the rows.
 */

enum {
	RUN = 8, /* fewer rows that look the same, or blocks, are as many by chance */
	HEADS = 2 * SECTIONS_HEADERS, /* rows from the top one of which begins the first block */
	WANTED = SECTIONS_HEADERS * SECTIONS_WORDS,
	ENOUGH_BELOW = 2, /* bits that must speak for a number */
};

/* A number of the header. */
struct wanted {
	struct count *count;
	uint64_t value; /* of that */
	uint32_t run;   /* the row where its run begins; 0: there is none */
};

/* The first rows that begin with a word that no row above them begins with. */
struct head {
	uint64_t head;
	uint32_t row, n; /* in all */
};

struct below {
	uint32_t n_wanted, n_heads;
	uint32_t n_values; /* different ones of the numbers */
	uint32_t n_runs;
	struct wanted wanted[WANTED];
	struct head heads[HEADS];
};

static int by_value(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, value, count->at);
}

static int by_head(const void *a, const void *b)
{
	const struct head *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, head, row);
}

static void gather_below(struct sections *s, struct below *b)
{
	for (uint32_t i = 0; i < s->n_counts && s->counts[i].row < SECTIONS_HEADERS; i++) {
		struct count *c = &s->counts[i];
		if (!c->taken && c->value >= RUN && c->value < s->n_rows)
			b->wanted[b->n_wanted++] = (struct wanted){ c, c->value, 0 };
	}
	MEM_SORT(b->wanted, b->n_wanted, by_value);
	for (uint32_t i = 0; i < b->n_wanted; i++)
		b->n_values += !i || b->wanted[i].value != b->wanted[i - 1].value;
}

/* The rows [begin, end) look the same, and those around them do not. */
static void note_run(struct below *b, uint32_t begin, uint32_t end)
{
	uint32_t i = MEM_FIRST(b->wanted, b->n_wanted, value, end - begin);
	for (; i < b->n_wanted && b->wanted[i].value == end - begin; i++)
		if (!b->wanted[i].run && b->wanted[i].count->row < begin)
			b->wanted[i].run = begin;
	for (i = 0; i < b->n_wanted && begin < SECTIONS_HEADERS; i++) {
		struct count *c = b->wanted[i].count; /* the header looks like what it counts */
		if (c->row >= begin && c->row + 1 + c->value == end)
			b->wanted[i].run = c->row + 1;
	}
}

static void find_runs(const struct sections *s, struct below *b)
{
	for (uint32_t at = 0, end; at < s->n_rows; at = end) {
		for (end = at + 1; end < s->n_rows && s->rows[end].head == s->rows[at].head;)
			end++;
		if (end - at >= RUN)
			note_run(b, at, end);
		b->n_runs += end - at >= RUN;
	}
}

static struct head *find_head(struct below *b, uint64_t head)
{
	uint32_t i = MEM_FIRST(b->heads, b->n_heads, head, head);
	return i < b->n_heads && b->heads[i].head == head ? &b->heads[i] : NULL;
}

static void count_heads(const struct sections *s, struct below *b)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_rows && i < HEADS; i++)
		if (s->rows[i].head)
			b->heads[b->n_heads++] = (struct head){ s->rows[i].head, i, 0 };
	MEM_SORT(b->heads, b->n_heads, by_head);
	for (uint32_t i = 0; i < b->n_heads; i++)
		if (!n || b->heads[n - 1].head != b->heads[i].head)
			b->heads[n++] = b->heads[i];
	b->n_heads = n;
	for (uint32_t i = 0; i < s->n_rows; i++) {
		struct head *head = s->rows[i].head ? find_head(b, s->rows[i].head) : NULL;
		if (head)
			head->n++;
	}
}

/* The row that begins the first of the blocks that C counts; 0: there are none. */
static uint32_t block_of(const struct below *b, const struct count *c)
{
	uint32_t row = 0;
	for (uint32_t i = 0; i < b->n_heads; i++) {
		const struct head *h = &b->heads[i];
		if (h->n == c->value && h->row > c->row && h->row <= c->row + SECTIONS_HEADERS &&
		    (!row || h->row < row))
			row = h->row;
	}
	return row;
}

/* COUNT counts blocks that begin as ROW does; each ends as those do that another one follows. */
static void take_blocks(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->found.n.listed, begin = row, at = row + 1;
	uint64_t last = 0;
	for (; at < s->n_rows; at++) {
		if (s->rows[at].head != s->rows[row].head)
			continue;
		last = !last || last == s->rows[at - 1].head ? s->rows[at - 1].head : 1;
		found_listed(&s->found, s->n_lists, s->rows[begin].begin, s->rows[at].begin);
		begin = at;
	}
	for (at = begin; at + 1 < s->n_rows && s->rows[at].head != last;)
		at++;
	found_listed(&s->found, s->n_lists, s->rows[begin].begin, line_end(s, s->rows[at].begin));
	sections_take(s, count, first);
}

/* Different lengths that a number may be equal to. */
static uint32_t lengths(const struct below *b)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n_heads; i++) {
		bool known = b->heads[i].n < RUN;
		for (uint32_t k = 0; k < i && !known; k++)
			known = b->heads[k].n == b->heads[i].n;
		n += !known;
	}
	return n;
}

/* Are the rows that the number counts in no list yet? */
static bool all_free(const struct sections *s, uint32_t row, uint64_t n)
{
	for (uint64_t i = row; i < row + n; i++)
		if (s->rows[i].list != ROW_FREE)
			return false;
	return true;
}

static int by_file(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	return MEM_ORDER(x, y, count->at);
}

/* Finds numbers of the first HEADERS rows that count rows or blocks somewhere below. */
static void sections_find_below(struct sections *s)
{
	struct below b = { 0 };
	gather_below(s, &b);
	if (!b.n_wanted)
		return;
	find_runs(s, &b);
	count_heads(s, &b);
	qsort(b.wanted, b.n_wanted, sizeof *b.wanted, by_file);
	uint32_t n = lengths(&b);
	double values = sections_bits(b.n_values) + ENOUGH_BELOW;
	for (uint32_t i = 0; i < b.n_wanted; i++) {
		struct wanted *w = &b.wanted[i];
		uint32_t row;
		double chance = values + sections_bits(w->run ? n + b.n_runs : n);
		if (sections_bits((double)w->count->value) < chance)
			continue;
		if (w->run && (sections_listed(s, w->run, w->count->value) ||
		               all_free(s, w->run, w->count->value)))
			sections_take_rows(s, w->count, w->run);
		else if (!w->run && (row = block_of(&b, w->count)))
			take_blocks(s, w->count, row);
	}
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

static struct records *take_all(struct sections *s)
{
	s->found.n.lists = s->n_lists;
	free(s->rows);
	free(s->counts);
	free(s->lists);
	return found_records(&s->found, true);
}

struct records *sections_find(const uint8_t *bytes, uint32_t size)
{
	struct sections s = { .bytes = bytes, .size = size };
	read_rows(&s);
	find_together(&s);
	sections_find_keyed(&s);
	sections_find_below(&s);
	make_list(&s, s.found.n.listed);
	if (s.found.n.listed)
		sections_find_places(&s);
	return take_all(&s);
}

struct records *places_find(const uint8_t *bytes, uint32_t size)
{
	struct sections s = { .bytes = bytes, .size = size };
	read_rows(&s);
	sections_find_uncounted(&s);
	return take_all(&s);
}
