#include "binary/sections_def.h"

#include "base/mem.h"

/* Numbers that are places in a list: an edge names its ends by where they stand, a line begins with
 * its own number. A column of a list is taken to be of places where its numbers go over most of
 * another list, from its one end to the other, and never beyond. */

enum {
	COLUMNS = 32,
	PARTS = 4, /* numbers of a word that others divide, as in 1/2/3 */
	SLOTS = COLUMNS * PARTS,
	SHORT = 8,    /* any small numbers reach the end of a list shorter than this */
	MENTIONS = 8, /* fewer numbers show nothing */
	EDGE = 8,     /* 1/EDGE of a list at its end may not be mentioned */
	FIELDS = 1 << 16,
};

struct mention {
	uint32_t at, width, slot;
	uint64_t value;
};

struct found_place {
	uint32_t n;
	uint64_t min, max;
	bool bad; /* not a number everywhere */
	bool own; /* the place of its own line */
	bool used;
	uint64_t first; /* value on the first line */
};

/* The parts of the word [at, end); numbers that are no places have the width 0. */
static uint32_t read_word(const struct sections *s, uint32_t at, uint32_t end, uint32_t column,
                          struct mention *out)
{
	uint32_t n = 0;
	for (uint32_t to; at < end && n < PARTS; at = to + 1) {
		uint64_t value = 0;
		for (to = at; to < end && s->bytes[to] != '/' && s->bytes[to] != ','; to++)
			value = value < UINT32_MAX ? value * 10 + (s->bytes[to] - '0') : value;
		bool number = to > at && to - at < 10 && (s->bytes[at] != '0' || to == at + 1);
		for (uint32_t i = at; i < to; i++)
			number &= is_digit(s->bytes[i]);
		out[n] = (struct mention){ at, number ? to - at : 0, column * PARTS + n, value };
		n++;
	}
	return n;
}

/* Does each row of LIST begin with how many places follow, here one number, there another? What is
 * behind these is something else. */
static bool says_places(const struct sections *s, uint32_t list)
{
	uint32_t min = UINT32_MAX, max = 0;
	for (uint32_t i = 0; i < s->n_rows; i++) {
		const struct row *r = &s->rows[i];
		if (r->list != list)
			continue;
		if (!r->said || r->said >= r->words)
			return false;
		min = r->said < min ? r->said : min;
		max = r->said > max ? r->said : max;
	}
	return min < max;
}

/* SAYS: see says_places. */
static uint32_t read_mentions(const struct sections *s, const struct row *row, bool says,
                              struct mention out[SLOTS])
{
	uint32_t n = 0, column = 0, columns = says && row->said < COLUMNS ? row->said + 1 : COLUMNS;
	uint32_t row_end = line_end(s, row->begin);
	for (uint32_t at = row->begin, end; at < row_end && column < columns; at = end) {
		while (at < row_end && is_blank(s->bytes[at]))
			at++;
		for (end = at; end < row_end && !is_blank(s->bytes[end]);)
			end++;
		if (end > at)
			n += read_word(s, at, end, column++, out + n);
	}
	return n;
}

static void note(struct found_place *slot, const struct mention *m, uint32_t place)
{
	if (!m->width)
		slot->bad = true;
	if (!slot->n) {
		slot->min = slot->max = slot->first = m->value;
		slot->own = !place;
	}
	slot->min = m->value < slot->min ? m->value : slot->min;
	slot->max = m->value > slot->max ? m->value : slot->max;
	slot->own &= m->value == slot->first + place && slot->n == place;
	slot->n++;
}

static void measure_slots(const struct sections *s, uint32_t list, struct found_place slots[SLOTS])
{
	struct mention mentions[SLOTS];
	uint32_t place = 0;
	bool says = says_places(s, list);
	memset(slots, 0, SLOTS * sizeof *slots);
	for (uint32_t i = 0; i < s->n_rows; i++) {
		if (s->rows[i].list != list)
			continue;
		uint32_t n = read_mentions(s, &s->rows[i], says, mentions);
		for (uint32_t k = 0; k < n; k++)
			note(&slots[mentions[k].slot], &mentions[k], place);
		place++;
	}
}

/* The numbers of LIST in the slots that are used say places in TARGET, the first of which is BASE.
 */
static void take(struct sections *s, uint32_t list, uint32_t target, uint32_t base,
                 const struct found_place slots[SLOTS])
{
	struct mention mentions[SLOTS];
	bool says = says_places(s, list);
	uint64_t all = s->found.n.fields; /* to repair some of the places alone is of no use */
	for (uint32_t i = 0; i < SLOTS; i++)
		all += slots[i].used ? slots[i].n : 0;
	for (uint32_t i = 0; i < s->n_rows && all <= FIELDS; i++) {
		uint32_t n =
			s->rows[i].list == list ? read_mentions(s, &s->rows[i], says, mentions) : 0;
		for (uint32_t k = 0; k < n; k++) {
			const struct mention *m = &mentions[k];
			if (!slots[m->slot].used)
				continue;
			struct field f = field_of(FIELD_PLACE, CODE_DECIMAL, m->at, m->width, m->at,
			                          m->at + m->width);
			f.bias = (int32_t)base;
			f.list = target;
			f.depth = 1;
			found_field(&s->found, f);
		}
	}
}

/* Marks the slots of PART in ROWS rows whose numbers may be places among N; false: none go over all
 * of them, or they stand in few rows, where a few numbers are as large by chance. */
static bool mark(struct found_place slots[SLOTS], uint32_t part, uint32_t rows, uint32_t n,
                 uint32_t *base)
{
	uint32_t mentions = 0;
	uint64_t min = UINT64_MAX, max = 0;
	bool before = false;
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct found_place *x = &slots[i];
		bool wide = (x->max - x->min) * 2 >= n && x->n * 2 >= rows;
		x->used = i % PARTS == part && x->n && !x->bad && !x->own && x->max <= n &&
		          (wide || before);
		before |= x->used;
		if (!x->used)
			continue;
		mentions += x->n;
		min = x->min < min ? x->min : min;
		max = x->max > max ? x->max : max;
	}
	*base = max == n ? 1 : !min || max == n - 1 ? 0 : 1;
	return mentions >= MENTIONS && min >= *base && max + n / EDGE >= n - 1 + *base;
}

static void find_in(struct sections *s, uint32_t list)
{
	struct found_place slots[SLOTS];
	uint32_t base;
	measure_slots(s, list, slots);
	bool numbered = s->found.n.records && slots[0].own && !slots[0].bad && slots[0].first < 2 &&
	                slots[0].n == s->lists[list].n && slots[0].n >= SHORT;
	for (uint32_t i = 0; i < SLOTS; i++)
		slots[i].used = numbered && !i;
	if (numbered)
		take(s, list, list, (uint32_t)slots[0].first, slots);
	for (uint32_t part = 0; part < PARTS; part++)
		for (uint32_t t = 0; t < s->n_lists; t++) {
			uint32_t n = s->lists[t].n;
			if (n < SHORT || (t == list && !numbered) ||
			    !mark(slots, part, s->lists[list].n, n, &base))
				continue;
			take(s, list, t, base, slots);
			break;
		}
}

/* Rows that no number counts are in a list of those that begin with the same word, at first only by
 * their number. */
static void number_free_rows(struct sections *s)
{
	for (uint32_t i = 0; i < s->n_rows && s->n_lists < COLUMNS; i++) {
		struct element_list list = { .n = 0 };
		uint64_t head = s->rows[i].head;
		if (s->rows[i].list != ROW_FREE)
			continue;
		for (uint32_t k = i; k < s->n_rows; k++) {
			if (s->rows[k].list != ROW_FREE || s->rows[k].head != head)
				continue;
			s->rows[k].list = s->n_lists;
			list.n++;
		}
		MEM_PUSH(s->lists, s->n_lists, s->cap_lists, list);
	}
}

/* The rows of lists from LIST on become their elements, and of those in RECORDS records. */
static void list_rows(struct sections *s, uint32_t list, uint64_t records)
{
	for (; list < s->n_lists; list++) {
		s->lists[list].first = s->found.n.listed;
		for (uint32_t k = 0; k < s->n_rows; k++) {
			uint32_t begin = s->rows[k].begin, end;
			if (s->rows[k].list != list)
				continue;
			end = line_end(s, begin);
			found_listed(&s->found, list, begin, end);
			if (records >> list & 1)
				found_record(&s->found, record_plain(begin, end));
		}
	}
}

void sections_find_places(struct sections *s)
{
	uint32_t counted = s->n_lists;
	number_free_rows(s);
	list_rows(s, counted, 0);
	for (uint32_t i = 0; i < s->n_lists && i < COLUMNS; i++)
		find_in(s, i);
}

/* Lists that places say are records, if these go to the very end of one that is long enough not to
 * be hit by chance. Lines that count up alone are no evidence: their numbers may be what is needed.
 */
void sections_find_uncounted(struct sections *s)
{
	enum { SURE = 32 };
	uint64_t said = 0, sure = 0;
	number_free_rows(s);
	for (uint32_t i = 0; i < s->n_lists; i++)
		find_in(s, i);
	for (uint32_t i = 0; i < s->found.n.fields; i++) {
		const struct field *f = &s->found.fields[i];
		uint64_t value = 0;
		for (uint32_t k = 0; k < f->width; k++)
			value = value * 10 + (s->bytes[f->at + k] - '0');
		said |= (uint64_t)1 << f->list;
		if (value == s->lists[f->list].n - 1 + (uint64_t)f->bias &&
		    s->lists[f->list].n >= SURE)
			sure |= (uint64_t)1 << f->list;
	}
	if (said && said == sure)
		list_rows(s, 0, said);
}
