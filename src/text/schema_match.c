/* Reading a file by its schema, see schema.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/codes.h"
#include "text/records.h"
#include "text/schema_def.h"
#include "text/schema_found.h"

enum {
	MAX_DEPTH = 64,      /* of records and types within each other */
	MAX_STEPS = 1 << 22, /* words that are tried */
	MAX_FOUND = 1 << 18, /* records, fields, elements, each */
	MAX_MEMBERS = 4,     /* lists that a record may be a member of, by `member` */
	VALUE_MAX = 1 << 30, /* a number above cannot be a length */
};

struct match {
	const struct schema *schema;
	const uint8_t *bytes;
	uint32_t size, at, end, farthest;
	bool little;
	uint32_t steps, depth, nested; /* nested: records around */
	uint32_t n_bindings, cap_bindings;
	struct binding *bindings;
	struct found found;
};

/* What a record is found to be while it is read. */
struct frame {
	uint32_t begin, body, body_end, twin, twin_end, slots, n_members;
	uint32_t members[MAX_MEMBERS]; /* in `listed` */
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
}

static bool eval(const struct match *m, int expr, struct amount *out)
{
	struct scope scope = { m->schema, m->bindings, m->n_bindings, m->at, m->end - m->at };
	return schema_eval(&scope, expr, out);
}

static void bind(struct match *m, struct binding b)
{
	MEM_GROW(m->bindings, m->n_bindings, m->cap_bindings);
	m->bindings[m->n_bindings++] = b;
}

static void add_field(struct match *m, struct field f)
{
	f.depth = (uint16_t)(m->nested + 1);
	found_field(&m->found, f);
}

static bool match_type(struct match *m, int type, struct frame *frame);

/* Are its records of no use when no number refers to them? */
static bool is_table(const struct schema *t, int type)
{
	return t->types[type].listed && !t->types[type].has_members;
}

/* One that counts as several is as many elements. */
static void list_record(struct match *m, uint32_t list, const struct frame *frame)
{
	for (uint32_t i = 0; i < frame->slots; i++)
		found_listed(&m->found, list, frame->begin, m->at);
}

/* One more record of TYPE, which may go; of the numbered list LIST, too, unless that is 0. */
static bool match_record(struct match *m, int type, uint32_t list, uint32_t *slots)
{
	struct frame frame = { .begin = m->at, .slots = 1 };
	const struct found_counts *n = &m->found.n;
	if (n->records >= MAX_FOUND || n->listed >= MAX_FOUND || n->fields >= MAX_FOUND)
		return false;
	m->nested++;
	bool ok = match_type(m, type, &frame);
	m->nested--;
	if (!ok || m->at == frame.begin)
		return false;
	bool has_twin = frame.twin >= m->at && frame.twin < frame.twin_end;
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
	if (m->schema->types[type].listed)
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

/* Records of TYPE up to END. */
static bool match_fill(struct match *m, int type, uint32_t end)
{
	uint32_t outer = m->end;
	m->end = end;
	match_many(m, type);
	m->end = outer;
	return m->at == end;
}

static bool match_list(struct match *m, int type, const struct amount *a)
{
	struct field f;
	uint32_t from = m->at, slots, list = m->found.n.lists++;
	if (a->value < 0 || a->value > m->end)
		return false;
	for (int64_t n = 0; n < a->value; n += slots)
		if (!match_record(m, type, list, &slots) || !slots || slots > a->value - n)
			return false;
	if (a->has_base || !found_number(a, FIELD_COUNT, &f) || f.unit > 1)
		return true;
	f.list = list;
	f.from = from;
	f.to = m->at;
	add_field(m, f);
	return true;
}

static bool match_int(struct match *m, const struct schema_word *w)
{
	struct binding b = {
		.name = w->name, .at = m->at, .width = w->width, .list = w->type, .first = w->first
	};
	uint64_t value;
	b.code = w->code == CODE_BIG && m->little ? CODE_LITTLE : w->code;
	if (!code_read(b.code, m->bytes + m->at, m->bytes + m->end, &b.width, &value))
		return false;
	b.value = value < VALUE_MAX ? (int64_t)value : VALUE_MAX;
	m->at += b.width;
	if (w->name >= 0)
		bind(m, b);
	if (w->type >= 0) {
		add_field(m, (struct field){ .kind = FIELD_PLACE,
		                             .code = b.code,
		                             .at = b.at,
		                             .width = b.width,
		                             .to = m->size,
		                             .bias = (int32_t)w->first,
		                             .list = (uint32_t)w->type });
	}
	return true;
}

static bool match_byte(struct match *m, const struct schema_word *w)
{
	uint8_t c;
	if (m->at >= m->end)
		return false;
	c = m->bytes[m->at];
	if (w->op == SCHEMA_RANGE ? c < w->low || c > w->high : (c ^ w->low) & ~w->mask)
		return false;
	if (w->name >= 0)
		bind(m, (struct binding){ .name = w->name,
		                          .list = SCHEMA_NONE,
		                          .at = m->at,
		                          .width = w->mask == 0x0f || w->mask == 0x1f,
		                          .code = w->mask == 0x0f ? CODE_LOW4 : CODE_LOW5,
		                          .value = w->op == SCHEMA_RANGE ? c : c & w->mask });
	m->at++;
	return true;
}

/* A region, which is as long as the word says, or the rest. */
static bool match_region(struct match *m, const struct schema_word *w, struct frame *frame)
{
	struct amount a = { .value = m->end - m->at };
	uint32_t from = m->at;
	if (w->size >= 0 && !eval(m, w->size, &a))
		return false;
	if (a.value < 0 || a.value > m->end - m->at)
		return false;
	uint32_t to = from + (uint32_t)a.value;
	if (w->op == SCHEMA_FILL && !match_fill(m, w->type, to))
		return false;
	m->at = to;
	found_length(&m->found, m->nested + 1, &a, from, to);
	if (w->at >= 0) {
		frame->twin = from;
		frame->twin_end = to;
	} else if (a.number.width) {
		frame->body = from;
		frame->body_end = to;
	}
	return true;
}

static bool match_span(struct match *m, const struct schema_word *w, const struct frame *frame)
{
	struct amount a;
	if (!eval(m, w->size, &a) || a.value != m->at - frame->begin)
		return false;
	found_length(&m->found, m->nested + 1, &a, frame->begin, m->at);
	return true;
}

static bool match_pad(struct match *m, const struct schema_word *w, const struct frame *frame)
{
	struct amount a;
	if (!eval(m, w->size, &a) || a.value < 1 || a.value > UINT16_MAX)
		return false;
	uint32_t unit = (uint32_t)a.value, over = (m->at - frame->begin) % unit;
	uint32_t width = over ? unit - over : 0;
	if (width > m->end - m->at)
		return false;
	add_field(m, (struct field){ .kind = FIELD_PADDING,
	                             .at = m->at,
	                             .width = width,
	                             .from = frame->begin,
	                             .to = m->at,
	                             .unit = (uint16_t)unit });
	m->at += width;
	return true;
}

static bool match_member(struct match *m, const struct schema_word *w, struct frame *frame)
{
	struct amount a = { .value = 1 };
	if (w->size >= 0 && !eval(m, w->size, &a))
		return false;
	if (a.value && frame->n_members < MAX_MEMBERS)
		frame->members[frame->n_members++] =
			found_listed(&m->found, (uint32_t)w->type, frame->begin, frame->begin);
	return true;
}

/* Does the record whose place the value says end with the text? */
static bool match_named(const struct match *m, const struct schema_word *w)
{
	const struct binding *b = m->bindings + m->n_bindings;
	while (b > m->bindings && b[-1].name != w->name)
		b--;
	if (b == m->bindings || b[-1].list < 0)
		return false;
	int64_t place = b[-1].value - b[-1].first;
	const struct listed *e = m->found.listed, *end = e + m->found.n.listed;
	for (; e < end; e++)
		if (e->list == (uint32_t)b[-1].list && !place--)
			break;
	return e < end && e->end - e->begin >= w->len &&
	       !memcmp(m->bytes + e->end - w->len, w->text, w->len);
}

/* What takes no bytes. */
static bool match_remark(struct match *m, const struct schema_word *w, struct frame *frame)
{
	struct amount a;
	switch (w->op) {
	case SCHEMA_BIG:
	case SCHEMA_LITTLE:
		m->little = w->op == SCHEMA_LITTLE;
		return true;
	case SCHEMA_MEMBER:
		return match_member(m, w, frame);
	case SCHEMA_SPAN:
		return match_span(m, w, frame);
	case SCHEMA_NAMED:
		return match_named(m, w);
	default:
		break;
	}
	if (!eval(m, w->size, &a))
		return false;
	if (w->op == SCHEMA_LET)
		bind(m, (struct binding){ .name = w->name,
		                          .value = a.value,
		                          .is_place = a.has_base && !a.crooked });
	else if (w->op == SCHEMA_SLOTS)
		frame->slots = a.value > 0 && a.value <= UINT8_MAX ? (uint32_t)a.value : 1;
	return w->op != SCHEMA_WHEN || a.value;
}

/* One that is there, without a record of its own: what it has elsewhere is of the one around it. */
static bool match_one(struct match *m, const struct schema_word *w, struct frame *outer)
{
	struct frame frame = { .begin = m->at, .slots = 1 };
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

static bool match_until(struct match *m, const struct schema_word *w)
{
	const uint8_t *p = memmem(m->bytes + m->at, m->end - m->at, w->text, w->len);
	m->at = p ? (uint32_t)(p - m->bytes) : m->end;
	return true;
}

static bool match_here(struct match *m, const struct schema_word *w, struct frame *frame)
{
	struct amount a;
	switch (w->op) {
	case SCHEMA_LITERAL:
		if (w->len > m->end - m->at || memcmp(m->bytes + m->at, w->text, w->len))
			return false;
		m->at += w->len;
		return true;
	case SCHEMA_MASKED:
	case SCHEMA_RANGE:
		return match_byte(m, w);
	case SCHEMA_INT:
		return match_int(m, w);
	case SCHEMA_BYTES:
	case SCHEMA_FILL:
		return match_region(m, w, frame);
	case SCHEMA_LIST:
		if (w->size < 0)
			return match_many(m, w->type), true;
		return eval(m, w->size, &a) && match_list(m, w->type, &a);
	case SCHEMA_UNTIL:
		return match_until(m, w);
	case SCHEMA_ONE:
		return match_one(m, w, frame);
	case SCHEMA_PAD:
		return match_pad(m, w, frame);
	case SCHEMA_MARK:
		return true;
	default:
		return match_remark(m, w, frame);
	}
}

/* The word, at its offset if it has one; then what comes next is where it was. */
static bool match_word(struct match *m, const struct schema_word *w, struct frame *frame)
{
	struct amount a;
	if (w->at < 0)
		return match_here(m, w, frame);
	if (!eval(m, w->at, &a) || a.value < 0 || a.value > m->size)
		return false;
	uint32_t at = m->at, end = m->end;
	m->at = (uint32_t)a.value;
	m->end = m->size;
	bool ok = match_here(m, w, frame);
	m->at = at;
	m->end = end;
	found_offset(&m->found, m->nested + 1, &a, (uint32_t)a.value);
	return ok;
}

static bool match_words(struct match *m, const struct schema_alternative *a, struct frame *frame)
{
	for (uint32_t i = 0; i < a->n; i++) {
		m->farthest = m->at > m->farthest ? m->at : m->farthest;
		if (++m->steps > MAX_STEPS ||
		    !match_word(m, &m->schema->words[a->first + i], frame))
			return false;
	}
	for (uint32_t i = 0; i < frame->n_members; i++)
		m->found.listed[frame->members[i]].end = m->at;
	return true;
}

/* The first alternative of TYPE that fits; FRAME becomes what it is. */
static bool match_type(struct match *m, int type, struct frame *frame)
{
	struct mark mark = mark_of(m);
	struct frame fresh = *frame;
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
	m->depth--;
	return number >= 0;
}

struct records *schema_records(const struct schema *t, const uint8_t *bytes, uint32_t size,
                               uint32_t *farthest)
{
	struct match m = { .schema = t, .bytes = bytes, .size = size, .end = size };
	struct frame frame = { .slots = 1 };
	struct records *r = NULL;
	m.found.n.lists = (uint32_t)t->n_types;
	if (match_type(&m, 0, &frame) && m.at == size && m.found.n.records)
		r = found_take(&m.found, bytes, size);
	for (size_t i = 0; r && i < t->n_types; i++)
		r->repair->lists[i].table = is_table(t, (int)i);
	*farthest = m.farthest;
	free(m.bindings);
	found_release(&m.found);
	return r;
}
