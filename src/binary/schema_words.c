#include "binary/schema_words.h"

#include <string.h>

#include "base/mem.h"
#include "binary/codes.h"

bool found_number(const struct amount *a, enum field_kind kind, struct field *out)
{
	if (!a->number.width || a->crooked || a->mul < 1 || a->add > INT32_MAX ||
	    a->add < -INT32_MAX)
		return false;
	*out = field_of(kind, a->number.code, a->number.at, a->number.width, 0, 0);
	out->bias = -(int32_t)a->add;
	out->unit = (uint16_t)a->mul;
	return true;
}

void found_length(struct found *found, uint32_t depth, const struct amount *a, uint32_t from,
                  uint32_t to)
{
	struct field f;
	if (!found_number(a, FIELD_LENGTH, &f) || from > to)
		return;
	f.from = from;
	f.to = to;
	f.depth = (uint16_t)depth;
	found_field(found, f);
}

void found_zero(struct found *found, uint32_t depth, const struct amount *a, uint32_t begin,
                uint32_t from, uint32_t to)
{
	const struct binding *b = &a->number;
	if (!b->width || (code_varies(b->code) && b->width > 1) || b->at < begin ||
	    b->at + b->width > from || from >= to)
		return;
	struct record x = record_plain(b->at, b->at + b->width);
	x.twin = from;
	x.twin_end = to;
	x.depth = (uint16_t)depth;
	x.zero = true;
	found_record(found, x);
}

enum { VALUE_MAX = 1 << 30 }; /* a number above cannot be a length */

bool match_eval(struct match *m, int expr, struct amount *out)
{
	struct scope scope = { m->schema, m->bindings,    m->n_bindings,
		               m->at,     m->end - m->at, &m->work };
	return schema_eval(&scope, expr, out);
}

static void add_field(struct match *m, struct field f)
{
	f.depth = (uint16_t)(m->nested + 1);
	found_field(&m->found, f);
}

static void bind(struct match *m, struct binding b)
{
	MEM_PUSH(m->bindings, m->n_bindings, m->cap_bindings, b);
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
		struct field f = field_of(FIELD_PLACE, b.code, b.at, b.width, b.at, b.at + b.width);
		f.bias = (int32_t)w->first;
		f.list = (uint32_t)w->type;
		add_field(m, f);
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

static bool match_until(struct match *m, const struct schema_word *w)
{
	const uint8_t *p = memmem(m->bytes + m->at, m->end - m->at, w->text, w->len);
	uint32_t to = p ? (uint32_t)(p - m->bytes) : m->end;
	m->work += to - m->at;
	m->at = to;
	return true;
}

/* The record at PLACE of LIST, in `listed`; UINT32_MAX: there is none. The same one is asked for
 * several times in a row, by alternatives. */
static uint32_t find_listed(struct match *m, uint32_t list, int64_t place)
{
	uint32_t at = 0;
	if (m->named.at < m->found.n.listed && m->named.list == list && m->named.place == place)
		return m->named.at;
	m->named = (struct named){ UINT32_MAX, list, place };
	for (int64_t left = place; at < m->found.n.listed; at++)
		if (m->found.listed[at].list == list && !left--)
			break;
	m->work += at;
	if (at < m->found.n.listed)
		m->named.at = at;
	return m->named.at;
}

/* Does the record whose place the value says end with the text? */
static bool match_named(struct match *m, const struct schema_word *w)
{
	const struct binding *b = m->bindings + m->n_bindings;
	while (b > m->bindings && b[-1].name != w->name)
		b--;
	m->work += (uint64_t)(m->bindings + m->n_bindings - b);
	if (b == m->bindings || b[-1].list < 0)
		return false;
	uint32_t at = find_listed(m, (uint32_t)b[-1].list, b[-1].value - b[-1].first);
	if (at == UINT32_MAX)
		return false;
	const struct listed *e = &m->found.listed[at];
	return e->end - e->begin >= w->len && !memcmp(m->bytes + e->end - w->len, w->text, w->len);
}

static bool match_span(struct match *m, const struct schema_word *w, const struct enclosing *frame)
{
	struct amount a;
	if (!match_eval(m, w->size, &a) || a.value != m->at - frame->begin)
		return false;
	if (!a.has_base)
		found_length(&m->found, m->nested + 1, &a, frame->begin, m->at);
	return true;
}

/* WIDTH bytes from here, so that the record so far is a multiple of UNIT, which a number may be. */
static void add_padding(struct match *m, const struct enclosing *frame, uint32_t width,
                        const struct amount *unit)
{
	struct field f;
	if (unit->value == unit->number.value && found_number(unit, FIELD_UNIT, &f)) {
		f.unit = (uint16_t)unit->value;
		add_field(m, f);
	}
	f = field_of(FIELD_PADDING, CODE_LITTLE, m->at, width, frame->begin, m->at);
	f.unit = (uint16_t)unit->value;
	add_field(m, f);
	m->at += width;
}

static bool match_pad(struct match *m, const struct schema_word *w, const struct enclosing *frame)
{
	struct amount a;
	if (!match_eval(m, w->size, &a) || a.value < 1 || a.value > UINT16_MAX)
		return false;
	uint32_t unit = (uint32_t)a.value, over = (m->at - frame->begin) % unit;
	uint32_t width = over ? unit - over : 0;
	if (width > m->end - m->at)
		return false;
	add_padding(m, frame, width, &a);
	return true;
}

static bool match_gap(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount unit, size = { .value = m->end - m->at };
	if (!match_eval(m, w->at, &unit) || (w->size >= 0 && !match_eval(m, w->size, &size)) ||
	    unit.value < 1 || unit.value > UINT16_MAX || size.value < 0 ||
	    size.value > m->end - m->at)
		return false;
	add_padding(m, frame, (uint32_t)size.value, &unit);
	frame->to_end = m->found.n.fields;
	return true;
}

static bool match_sum(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	uint32_t width = sum_width((enum sum)w->code), from = frame->begin + (uint32_t)w->first;
	if (width > m->end - m->at || from > m->at)
		return false;
	struct field f =
		field_of(FIELD_SUM, m->little ? CODE_LITTLE : CODE_BIG, m->at, width, from, m->at);
	f.sum = w->code;
	add_field(m, f);
	m->at += width;
	if (w->op == SCHEMA_WHOLE)
		frame->to_end = m->found.n.fields;
	return true;
}

static bool match_member(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a = { .value = 1 };
	if (w->size >= 0 && !match_eval(m, w->size, &a))
		return false;
	if (a.value && frame->n_members < MAX_MEMBERS)
		frame->members[frame->n_members++] =
			found_listed(&m->found, (uint32_t)w->type, frame->begin, frame->begin);
	return true;
}

/* What takes no bytes. */
static bool match_remark(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	switch (w->op) {
	case SCHEMA_BIG:
	case SCHEMA_LITTLE:
		m->little = w->op == SCHEMA_LITTLE;
		return true;
	case SCHEMA_MEMBER:
		return match_member(m, w, frame);
	case SCHEMA_WITH:
		frame->with = (uint32_t)w->type + 1;
		return true;
	case SCHEMA_SPAN:
		return match_span(m, w, frame);
	case SCHEMA_NAMED:
		return match_named(m, w);
	default:
		break;
	}
	if (!match_eval(m, w->size, &a))
		return false;
	if (w->op == SCHEMA_LET)
		bind(m, (struct binding){ .name = w->name,
		                          .value = a.value,
		                          .is_place = a.has_base && !a.crooked });
	else if (w->op == SCHEMA_SLOTS)
		frame->slots = a.value > 0 && a.value <= UINT8_MAX ? (uint32_t)a.value : 1;
	return w->op != SCHEMA_WHEN || a.value;
}

static bool match_literal(struct match *m, const struct schema_word *w)
{
	if (w->len > m->end - m->at || memcmp(m->bytes + m->at, w->text, w->len))
		return false;
	m->at += w->len;
	return true;
}

bool match_plain(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	switch (w->op) {
	case SCHEMA_LITERAL:
		return match_literal(m, w);
	case SCHEMA_MASKED:
	case SCHEMA_RANGE:
		return match_byte(m, w);
	case SCHEMA_INT:
		return match_int(m, w);
	case SCHEMA_UNTIL:
		return match_until(m, w);
	case SCHEMA_PAD:
		return match_pad(m, w, frame);
	case SCHEMA_GAP:
		return match_gap(m, w, frame);
	case SCHEMA_SUM:
	case SCHEMA_WHOLE:
		return match_sum(m, w, frame);
	case SCHEMA_MARK:
		return true;
	default:
		return match_remark(m, w, frame);
	}
}
