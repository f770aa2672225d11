/* Reading a file by its schema, see schema.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/records.h"
#include "binary/schema_def.h"
#include "binary/schema_words.h"

enum {
	MAX_DEPTH = 64,      /* of records and types within each other */
	WORD = 16,           /* what trying a word costs, at least */
	MAX_FOUND = 1 << 18, /* records, fields, elements, each */
};

/* How far a match has come, to go back to. */
struct mark {
	uint32_t at, n_bindings;
	struct found_counts n;
	bool little;
};

static struct mark mark_of(const struct match *m)
{
	return (struct mark){ m->at, m->n_bindings, m->found.n, m->little };
}

static void go_back(struct match *m, struct mark mark)
{
	m->at = mark.at;
	m->n_bindings = mark.n_bindings;
	m->found.n = mark.n;
	m->little = mark.little;
	if (m->named.at >= mark.n.listed)
		m->named.at = UINT32_MAX;
}

static bool match_type(struct match *m, int type, struct enclosing *frame);

/* Are its records of no use when no number refers to them? */
static bool is_table(const struct schema *t, int type)
{
	return t->types[type].listed && !t->types[type].not_table && !t->types[type].paired;
}

/* One that counts as several is as many elements. */
static void list_record(struct match *m, uint32_t list, const struct enclosing *frame)
{
	for (uint32_t i = 0; i < frame->slots; i++)
		found_listed(&m->found, list, frame->begin, m->at);
}

/* One more record of TYPE, which may go; of the numbered list LIST, too, unless that is 0. */
static bool match_record(struct match *m, int type, uint32_t list, uint32_t *slots)
{
	struct enclosing frame = { .begin = m->at, .slots = 1 };
	const struct found_counts *n = &m->found.n;
	if (n->records >= MAX_FOUND || n->listed >= MAX_FOUND || n->fields >= MAX_FOUND)
		return false;
	m->nested++;
	bool ok = match_type(m, type, &frame);
	m->nested--;
	if (!ok || m->at == frame.begin)
		return false;
	bool has_twin = frame.twin >= m->at && frame.twin < frame.twin_end;
	if (frame.with)
		found_pair(&m->found,
		           (struct pairing){ n->records, (uint32_t)type, frame.with - 1 });
	if (!m->schema->types[type].paired)
		found_record(&m->found,
		             (struct record){
				     .begin = frame.begin,
				     .end = m->at,
				     .body = frame.body > frame.begin ? frame.body : m->at,
				     .body_end = frame.body > frame.begin ? frame.body_end : m->at,
				     .twin = has_twin ? frame.twin : 0,
				     .twin_end = has_twin ? frame.twin_end : 0,
				     .depth = (uint16_t)m->nested,
				     .counted = list != 0,
				     .table = is_table(m->schema, type),
			     });
	if (list)
		list_record(m, list, &frame);
	if (m->schema->types[type].listed || frame.with)
		list_record(m, (uint32_t)type, &frame);
	*slots = frame.slots;
	return true;
}

/* As many records of TYPE as there are. */
static void match_many(struct match *m, int type)
{
	struct mark mark;
	uint32_t slots;
	do
		mark = mark_of(m);
	while (m->at < m->end && match_record(m, type, 0, &slots));
	go_back(m, mark);
}

/* What fits nothing, up to END, is a record for itself. */
static void match_rest(struct match *m, uint32_t end)
{
	struct record x = record_plain(m->at, end);
	x.depth = (uint16_t)(m->nested + 1);
	if (m->at < end)
		found_record(&m->found, x);
	m->at = end;
}

/* Records of TYPE up to END. */
static bool match_fill(struct match *m, int type, uint32_t end)
{
	uint32_t outer = m->end;
	m->end = end;
	match_many(m, type);
	m->end = outer;
	if (m->loose)
		match_rest(m, end);
	return m->at == end;
}

static bool match_list(struct match *m, int type, const struct amount *a)
{
	struct field f;
	uint32_t from = m->at, slots, list = m->found.n.lists++;
	if (a->value < 0 || a->value > m->end)
		return false;
	int64_t n = 0;
	for (; n < a->value; n += slots)
		if (!match_record(m, type, list, &slots) || !slots || slots > a->value - n)
			break;
	if (n < a->value && !m->loose)
		return false;
	if (a->has_base || !found_number(a, FIELD_COUNT, &f) || f.unit > 1)
		return true;
	f.bias += (int32_t)(a->value - n);
	f.list = list;
	f.from = from;
	f.to = m->at;
	f.depth = (uint16_t)(m->nested + 1);
	found_field(&m->found, f);
	return true;
}

/* A region, which is as long as the word says, or the rest. */
static bool match_region(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a = { .value = m->end - m->at };
	uint32_t from = m->at;
	if (w->size >= 0 && !match_eval(m, w->size, &a))
		return false;
	if (m->loose && a.value > m->end - m->at && (w->op == SCHEMA_FILL || m->end == m->size))
		a = (struct amount){ .value = m->end - m->at };
	if (a.value < 0 || a.value > m->end - m->at)
		return false;
	uint32_t to = from + (uint32_t)a.value;
	if (w->op == SCHEMA_FILL && !match_fill(m, w->type, to))
		return false;
	m->at = to;
	if (!a.has_base)
		found_length(&m->found, m->nested + 1, &a, from, to);
	if (w->at >= 0) {
		frame->twin = from;
		frame->twin_end = to;
	} else if (a.crooked) {
		found_zero(&m->found, m->nested, &a, frame->begin, from, to);
	} else if (a.number.width) {
		frame->body = from;
		frame->body_end = to;
	}
	return true;
}

/* One that is there, without a record of its own: what it has elsewhere is of the one around it. */
static bool match_one(struct match *m, const struct schema_word *w, struct enclosing *outer)
{
	struct enclosing frame = { .begin = m->at, .slots = 1 };
	if (!match_type(m, w->type, &frame))
		return false;
	if (frame.twin < frame.twin_end) {
		outer->twin = frame.twin;
		outer->twin_end = frame.twin_end;
	}
	if (frame.body > frame.begin && w->at < 0) {
		outer->body = frame.body;
		outer->body_end = frame.body_end;
	}
	return true;
}

static bool match_here(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	switch (w->op) {
	case SCHEMA_BYTES:
	case SCHEMA_FILL:
		return match_region(m, w, frame);
	case SCHEMA_LIST:
		if (w->size < 0)
			return match_many(m, w->type), true;
		return match_eval(m, w->size, &a) && match_list(m, w->type, &a);
	case SCHEMA_ONE:
		return match_one(m, w, frame);
	default:
		return match_plain(m, w, frame);
	}
}

/* The word, at its offset if it has one; then what comes next is where it was. */
static bool match_word(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	if (w->at < 0 || w->op == SCHEMA_GAP)
		return match_here(m, w, frame);
	if (!match_eval(m, w->at, &a) || a.value < 0 || a.value > m->size)
		return false;
	uint32_t at = m->at, end = m->end;
	m->at = (uint32_t)a.value;
	m->end = m->size;
	bool ok = match_here(m, w, frame);
	if (ok && (w->op == SCHEMA_ONE || w->op == SCHEMA_LIST)) {
		frame->twin = (uint32_t)a.value;
		frame->twin_end = m->at;
		found_zero(&m->found, m->nested, &a, frame->begin, frame->twin, frame->twin_end);
	}
	m->at = at;
	m->end = end;
	if (a.base <= a.value) /* where it is in the file, or from its base */
		found_length(&m->found, m->nested + 1, &a, (uint32_t)a.base, (uint32_t)a.value);
	return ok;
}

static bool match_words(struct match *m, const struct schema_alternative *a,
                        struct enclosing *frame)
{
	for (uint32_t i = 0; i < a->n; i++) {
		m->farthest = m->at > m->farthest ? m->at : m->farthest;
		const struct schema_word *w = &m->schema->words[a->first + i];
		m->work += WORD + w->len / WORD;
		if (m->work > SCHEMA_WORK || !match_word(m, w, frame))
			return false;
	}
	for (uint32_t i = 0; i < frame->n_members; i++)
		m->found.listed[frame->members[i]].end = m->at;
	if (frame->to_end)
		m->found.fields[frame->to_end - 1].to = m->at;
	return true;
}

/* The first alternative of TYPE that fits; FRAME becomes what it is. */
static bool match_type(struct match *m, int type, struct enclosing *frame)
{
	struct mark mark = mark_of(m);
	struct enclosing fresh = *frame;
	if (++m->depth > MAX_DEPTH) {
		m->depth--;
		return false;
	}
	int number = m->schema->types[type].first;
	for (; number >= 0; number = m->schema->alternatives[number].next) {
		*frame = fresh;
		if (match_words(m, &m->schema->alternatives[number], frame))
			break;
		go_back(m, mark);
	}
	m->n_bindings = mark.n_bindings;
	m->little = mark.little;
	m->depth--;
	return number >= 0;
}

struct records *schema_records(const struct schema *t, const uint8_t *bytes, uint32_t size,
                               bool loose, uint32_t *farthest)
{
	struct match m = { .schema = t, .bytes = bytes, .size = size, .end = size, .loose = loose };
	struct enclosing frame = { .slots = 1 };
	struct records *r = NULL;
	m.named.at = UINT32_MAX;
	m.found.n.lists = (uint32_t)t->n_types;
	bool fits = match_type(&m, 0, &frame);
	if (fits && loose)
		match_rest(&m, size);
	if (fits && m.at == size && m.found.n.records)
		r = found_take(&m.found, bytes, size, loose);
	for (size_t i = 0; r && i < t->n_types; i++)
		r->repair->lists[i].table = is_table(t, (int)i);
	*farthest = m.farthest;
	free(m.bindings);
	found_release(&m.found);
	return r;
}
