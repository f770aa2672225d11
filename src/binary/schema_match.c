/* Reading a file by its schema, see schema.h. */

#include "base/mem.h"
#include "binary/codes.h"
#include "binary/found.h"
#include "binary/inflate.h"
#include "binary/records.h"
#include "binary/schema_def.h"

enum {
	MAX_DEPTH = 64,      /* of records and types within each other */
	WORD = 16,           /* what trying a word costs, at least */
	MAX_FOUND = 1 << 18, /* records, fields, elements, each */
};

enum { MAX_MEMBERS = 4 }; /* lists that a record may be a member of, by `member` */

/* The record that was last asked for by its place, in `listed`; AT is UINT32_MAX: none. */
struct named {
	uint32_t at, list;
	int64_t place;
};

/* A file that is being read: where, and what was found so far. */
struct match {
	const struct schema *schema;
	const uint8_t *bytes;
	uint32_t size, at, end, farthest;
	bool little, loose;     /* loose: what does not fit is bytes, lists may be shorter */
	uint32_t depth, nested; /* nested: records around */
	uint64_t work;          /* at most SCHEMA_WORK */
	struct named named;
	uint32_t n_bindings, cap_bindings, n_kept, cap_kept;
	struct binding *bindings, *kept; /* of a record and those around it; by SCHEMA_KEEP */
	struct found found;
	struct inflater *inflater; /* NULL until it is needed */
};

/* What a record is found to be while it is read. */
struct enclosing {
	uint32_t begin, body, body_end, twin, twin_end, slots, n_members;
	uint32_t to_end;               /* in `fields`, plus 1: its range ends where the record does;
	                                  0: none */
	uint32_t members[MAX_MEMBERS]; /* in `listed` */
	bool led;                      /* it goes with what it says `part` of, not alone */
};

/* ---- words without records ---- */

/* The number that AMOUNT comes from as a field of KIND; false when it does not. */
static bool found_number(const struct amount *a, enum field_kind kind, struct field *out)
{
	if (!a->number.width || a->crooked || a->mul < 1 || a->add > INT32_MAX ||
	    a->add < -INT32_MAX)
		return false;
	*out = field_of(kind, a->number.code, a->number.at, a->number.width, 0, 0);
	out->bias = -(int32_t)a->add;
	out->unit = (uint16_t)a->mul;
	return true;
}

/* [from, to) is as long as AMOUNT says. DEPTH: records around. */
static void found_length(struct found *found, uint32_t depth, const struct amount *a, uint32_t from,
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

/* The number that AMOUNT comes from, and stands at BEGIN or behind it, may become 0 where
 * [from, to), which begins behind it, goes. */
static void found_zero(struct found *found, uint32_t depth, const struct amount *a, uint32_t begin,
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

/* The value of an expression here; false: it has none. */
static bool match_eval(struct match *m, int expr, struct amount *out)
{
	struct scope scope = { m->schema, m->bindings, m->kept,        m->n_bindings,
		               m->n_kept, m->at,       m->end - m->at, &m->work };
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

static bool match_int(struct match *m, const struct schema_word *w, UNUSED struct enclosing *frame)
{
	struct binding b = {
		.name = w->name, .at = m->at, .width = w->width, .list = w->type, .first = w->first
	};
	struct amount a = { 0 };
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
		f.unit = w->size >= 0;
		if (w->size >= 0 && (!match_eval(m, w->size, &a) || a.value > INT32_MAX))
			return false;
		f.bias -= (int32_t)a.value;
		add_field(m, f);
	}
	return true;
}

static bool match_byte(struct match *m, const struct schema_word *w, UNUSED struct enclosing *frame)
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

/* What zlib packed: two bytes of which the second makes a multiple of 31 of them, what is deflated,
 * a sum. */
static bool match_zlib(struct match *m)
{
	enum { HEAD = 2, SUM = 4 };
	const uint8_t *p = m->bytes + m->at;
	uint32_t left = m->end - m->at;
	struct inflated in;
	if (left < HEAD + SUM || (p[0] & 15) != 8 || (p[0] << 8 | p[1]) % 31)
		return false;
	if (!m->inflater)
		m->inflater = inflater_new();
	bool ends = inflater_unpack(m->inflater, LAYER_RAW, p + HEAD, left - HEAD - SUM,
	                            INFLATE_MOST, &in);
	m->work += (uint64_t)in.used + in.size;
	m->at += ends ? HEAD + in.used + SUM : 0;
	return ends;
}

static bool match_until(struct match *m, const struct schema_word *w,
                        UNUSED struct enclosing *frame)
{
	if (w->code)
		return match_zlib(m);
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
static bool match_named(struct match *m, const struct schema_word *w,
                        UNUSED struct enclosing *frame)
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

static bool match_span(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	if (!match_eval(m, w->size, &a) || a.value != m->at - frame->begin)
		return false;
	const struct field *last =
		m->found.n.fields ? &m->found.fields[m->found.n.fields - 1] : NULL;
	bool padded = last && last->kind == FIELD_PADDING && last->at + last->width == m->at;
	if (!a.has_base) /* the padding that ends here is in it, also where there is none yet */
		found_length(&m->found, m->nested + !padded, &a, frame->begin, m->at);
	return true;
}

/* WIDTH bytes from here, filled with FILL, so that the record so far is a multiple of UNIT, which a
 * number may be. */
static void add_padding(struct match *m, const struct enclosing *frame, uint32_t width,
                        const struct amount *unit, uint8_t fill)
{
	struct field f;
	if (unit->value == unit->number.value && found_number(unit, FIELD_UNIT, &f)) {
		f.unit = (uint16_t)unit->value;
		add_field(m, f);
	}
	f = field_of(FIELD_PADDING, CODE_LITTLE, m->at, width, frame->begin, m->at);
	f.unit = (uint16_t)unit->value;
	f.own = fill;
	add_field(m, f);
	m->at += width;
}

static bool match_pad(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	if (!match_eval(m, w->size, &a) || a.value < 1 || a.value > UINT16_MAX)
		return false;
	uint32_t unit = (uint32_t)a.value, over = (m->at - frame->begin) % unit;
	uint32_t width = over ? unit - over : 0;
	if (width > m->end - m->at)
		return false;
	add_padding(m, frame, width, &a, w->low);
	return true;
}

static bool match_gap(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount unit, size = { .value = m->end - m->at };
	if (!match_eval(m, w->at, &unit) || (w->size >= 0 && !match_eval(m, w->size, &size)) ||
	    unit.value < 1 || unit.value > UINT16_MAX || size.value < 0 ||
	    size.value > m->end - m->at)
		return false;
	add_padding(m, frame, (uint32_t)size.value, &unit, 0);
	frame->to_end = m->found.n.fields;
	return true;
}

static bool match_sum(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	uint32_t width = sum_width((enum sum)w->code), from = frame->begin + (uint32_t)w->first;
	uint32_t to = m->at;
	struct amount at, size;
	if (w->at >= 0 && w->size >= 0) {
		if (!match_eval(m, w->at, &at) || !match_eval(m, w->size, &size) || at.value < 0 ||
		    size.value < 0 || at.value > m->size || size.value > m->size - at.value)
			return false;
		from = (uint32_t)at.value;
		to = from + (uint32_t)size.value;
	}
	if (width > m->end - m->at || from > to)
		return false;
	struct field f =
		field_of(FIELD_SUM, m->little ? CODE_LITTLE : CODE_BIG, m->at, width, from, to);
	f.sum = w->code;
	f.aligned = !from && to == m->size;
	add_field(m, f);
	m->at += width;
	if (w->op == SCHEMA_WHOLE)
		frame->to_end = m->found.n.fields;
	return true;
}

/* What says something else is no count (see keep_counts). */
static bool match_count(struct match *m, const struct schema_word *w,
                        UNUSED struct enclosing *frame)
{
	struct amount a;
	struct field f;
	if (w->size < 0 || !match_eval(m, w->size, &a))
		return false;
	if (!a.has_base && found_number(&a, FIELD_COUNT, &f) && f.unit <= 1) {
		f.list = (uint32_t)w->type;
		f.to = m->size; /* all of the file may be about it */
		add_field(m, f);
	}
	return true;
}

/* Three numbers of two bytes (repair.h). */
static bool match_search(struct match *m, const struct schema_word *w,
                         UNUSED struct enclosing *frame)
{
	struct amount a;
	if (w->size < 0 || !match_eval(m, w->size, &a) || a.value < 1 || a.value > UINT8_MAX ||
	    m->end - m->at < 6)
		return false;
	for (uint8_t says = COUNT_POWER; says <= COUNT_REST; says++, m->at += 2) {
		struct field f = field_of(FIELD_COUNT, m->little ? CODE_LITTLE : CODE_BIG, m->at, 2,
		                          0, m->size);
		f.list = (uint32_t)w->type;
		f.own = says;
		f.unit = says == COUNT_EXPONENT ? 1 : (uint16_t)a.value;
		add_field(m, f);
	}
	return true;
}

/* Two numbers of a record, as wide: how far it reaches from where. */
static bool match_reach(struct match *m, const struct schema_word *w,
                        UNUSED struct enclosing *frame)
{
	struct amount length, begin;
	struct field f;
	if (!match_eval(m, w->size, &length) || !match_eval(m, w->at, &begin))
		return false;
	if (!found_number(&length, FIELD_REACH, &f) || begin.crooked ||
	    begin.number.width != f.width || begin.value != begin.number.value)
		return true;
	f.bias = (int32_t)((int64_t)begin.number.at - f.at);
	f.list = (uint32_t)w->type;
	f.from = f.at;
	f.to = f.at + f.width;
	add_field(m, f);
	return true;
}

/* Some of the list, from one whose number is said on; they are known. */
static bool match_part(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount n, first;
	struct field f;
	if (!match_eval(m, w->size, &n) || !match_eval(m, w->at, &first) || first.value < 0 ||
	    n.value < 1)
		return false;
	uint32_t from = find_listed(m, (uint32_t)w->type, first.value),
		 last = find_listed(m, (uint32_t)w->type, first.value + n.value - 1);
	if (from == UINT32_MAX || last == UINT32_MAX || !found_number(&n, FIELD_PART, &f) ||
	    f.unit > 1)
		return true;
	f.from = m->found.listed[from].begin;
	f.to = m->found.listed[last].end;
	f.list = (uint32_t)w->type;
	f.unit = (uint16_t)w->name;
	frame->led = true;
	add_field(m, f);
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
static bool match_nothing(UNUSED struct match *m, UNUSED const struct schema_word *w,
                          UNUSED struct enclosing *frame)
{
	return true;
}

static bool match_order(struct match *m, const struct schema_word *w,
                        UNUSED struct enclosing *frame)
{
	m->little = w->op == SCHEMA_LITTLE;
	return true;
}

static bool match_value(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	if (!match_eval(m, w->size, &a))
		return false;
	struct binding b = { .name = w->name,
		             .value = a.value,
		             .is_place = a.has_base && !a.crooked };
	if (w->op == SCHEMA_LET)
		bind(m, b);
	else if (w->op == SCHEMA_KEEP)
		MEM_PUSH(m->kept, m->n_kept, m->cap_kept, b);
	else if (w->op == SCHEMA_SLOTS)
		frame->slots = a.value > 0 && a.value <= UINT8_MAX ? (uint32_t)a.value : 1;
	return w->op != SCHEMA_WHEN || a.value;
}

static bool match_literal(struct match *m, const struct schema_word *w,
                          UNUSED struct enclosing *frame)
{
	if (w->len > m->end - m->at || memcmp(m->bytes + m->at, w->text, w->len))
		return false;
	m->at += w->len;
	return true;
}

/* ---- records ---- */

/* How far a match has come, to go back to. */
struct mark {
	uint32_t at, n_bindings, n_kept;
	struct found_counts n;
	bool little;
};

static struct mark mark_of(const struct match *m)
{
	return (struct mark){ m->at, m->n_bindings, m->n_kept, m->found.n, m->little };
}

static void go_back(struct match *m, struct mark mark)
{
	m->at = mark.at;
	m->n_bindings = mark.n_bindings;
	m->n_kept = mark.n_kept;
	m->found.n = mark.n;
	m->little = mark.little;
	if (m->named.at >= mark.n.listed)
		m->named.at = UINT32_MAX;
}

static bool match_type(struct match *m, int type, struct enclosing *frame);

/* Are its records of no use when no number refers to them? */
static bool is_table(const struct schema *t, int type)
{
	return t->types[type].listed && !t->types[type].not_table && t->types[type].with < 0;
}

/* Does it go with another one? */
static bool is_paired(const struct match *m, int type, const struct enclosing *frame)
{
	const struct schema_type *types = m->schema->types;
	bool paired = frame->led || types[type].with >= 0;
	for (uint32_t i = 0; i < frame->n_members; i++)
		paired |= types[m->found.listed[frame->members[i]].list].with >= 0;
	return paired;
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
	if (!is_paired(m, type, &frame))
		found_record(&m->found,
		             (struct record){
				     .begin = frame.begin,
				     .end = m->at,
				     .body = frame.body > frame.begin ? frame.body : m->at,
				     .body_end = frame.body > frame.begin ? frame.body_end : m->at,
				     .twin = has_twin ? frame.twin : 0,
				     .twin_end = has_twin ? frame.twin_end : 0,
				     .depth = (uint16_t)m->nested,
				     .table = is_table(m->schema, type),
			     });
	if (list)
		list_record(m, list, &frame);
	if (m->schema->types[type].listed || m->schema->types[type].leads)
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

static bool match_list(struct match *m, const struct schema_word *w, UNUSED struct enclosing *frame)
{
	struct amount a;
	struct field f;
	uint32_t from = m->at, slots, list = m->found.n.lists;
	if (w->size < 0)
		return match_many(m, w->type), true;
	if (!match_eval(m, w->size, &a) || a.value < 0 || a.value > m->end)
		return false;
	m->found.n.lists++;
	int64_t n = 0;
	for (; n < a.value; n += slots)
		if (!match_record(m, w->type, list, &slots) || !slots || slots > a.value - n)
			break;
	if (n < a.value && !m->loose)
		return false;
	if (a.has_base || !found_number(&a, FIELD_COUNT, &f) || f.unit > 1)
		return true;
	f.bias += (int32_t)(a.value - n);
	f.list = list;
	f.from = from;
	f.to = m->at;
	add_field(m, f);
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

/* The next number of a table. */
static bool next_in_table(struct match *m, uint32_t *at, uint64_t *value)
{
	uint32_t width = 0;
	m->work++;
	if (!code_read(CODE_LEB, m->bytes + *at, m->bytes + m->size, &width, value))
		return false;
	*at += width;
	return true;
}

/* The pairs of an entry, of which the second number is how a part is written; READS: the parts are
 * here. */
static bool match_pairs(struct match *m, const struct schema_word *w, uint32_t *at, bool reads)
{
	enum { IN_TABLE = 33 }; /* the part is the number behind the pair */
	uint64_t what, form, value;
	while (next_in_table(m, at, &what) && next_in_table(m, at, &form) && (what || form)) {
		struct enclosing frame = { .begin = m->at, .slots = 1 };
		bind(m, (struct binding){
				.name = w->name, .list = SCHEMA_NONE, .value = (int64_t)form });
		if ((form == IN_TABLE && !next_in_table(m, at, &value)) ||
		    (reads && !match_type(m, w->type, &frame)))
			return false;
		m->n_bindings--;
	}
	return !what && !form;
}

/* What the entry of a table says that is here, as DWARF has it: a number, what it is, whether
 * others are in it, and pairs up to one of zeros. */
static bool match_by(struct match *m, const struct schema_word *w, UNUSED struct enclosing *frame)
{
	struct amount number, table;
	uint64_t entry = 0, tag;
	if (!match_eval(m, w->size, &number) || !match_eval(m, w->at, &table) || table.value < 0 ||
	    table.value > m->size)
		return false;
	for (uint32_t at = (uint32_t)table.value; at < m->size && m->work < SCHEMA_WORK / 4;) {
		if (!next_in_table(m, &at, &entry) || !entry || !next_in_table(m, &at, &tag) ||
		    at == m->size)
			return false;
		bool found = entry == (uint64_t)number.value;
		uint8_t within = m->bytes[at++];
		if (!match_pairs(m, w, &at, found))
			return false;
		if (!found)
			continue;
		bind(m, (struct binding){ .name = w->name, .list = SCHEMA_NONE, .value = within });
		return true;
	}
	return false;
}

/* How a word is read; its record is FRAME. False: it does not fit. */
typedef bool (*reader)(struct match *m, const struct schema_word *w, struct enclosing *frame);

static const reader readers[] = {
	[SCHEMA_LITERAL] = match_literal, [SCHEMA_MASKED] = match_byte,
	[SCHEMA_RANGE] = match_byte,      [SCHEMA_INT] = match_int,
	[SCHEMA_BYTES] = match_region,    [SCHEMA_FILL] = match_region,
	[SCHEMA_LIST] = match_list,       [SCHEMA_ONE] = match_one,
	[SCHEMA_MARK] = match_nothing,    [SCHEMA_LET] = match_value,
	[SCHEMA_KEEP] = match_value,      [SCHEMA_WHEN] = match_value,
	[SCHEMA_NAMED] = match_named,     [SCHEMA_BIG] = match_order,
	[SCHEMA_LITTLE] = match_order,    [SCHEMA_SPAN] = match_span,
	[SCHEMA_PAD] = match_pad,         [SCHEMA_MEMBER] = match_member,
	[SCHEMA_WITH] = match_nothing,    [SCHEMA_GAP] = match_gap,
	[SCHEMA_UNTIL] = match_until,     [SCHEMA_BY] = match_by,
	[SCHEMA_SLOTS] = match_value,     [SCHEMA_SUM] = match_sum,
	[SCHEMA_WHOLE] = match_sum,       [SCHEMA_COUNT] = match_count,
	[SCHEMA_SEARCH] = match_search,   [SCHEMA_PART] = match_part,
	[SCHEMA_REACH] = match_reach,
};

/* The word, at its offset if it has one; then what comes next is where it was. */
static bool match_word(struct match *m, const struct schema_word *w, struct enclosing *frame)
{
	struct amount a;
	if (w->at < 0 || w->op == SCHEMA_GAP || w->op == SCHEMA_SUM || w->op == SCHEMA_BY ||
	    w->op == SCHEMA_REACH || w->op == SCHEMA_PART)
		return readers[w->op](m, w, frame);
	if (!match_eval(m, w->at, &a) || a.value < 0 || a.value > m->size)
		return false;
	uint32_t at = m->at, end = m->end;
	m->at = (uint32_t)a.value;
	m->end = m->size;
	bool ok = readers[w->op](m, w, frame);
	if (ok && (w->op == SCHEMA_ONE || w->op == SCHEMA_LIST)) {
		frame->twin = (uint32_t)a.value;
		frame->twin_end = m->at;
		found_zero(&m->found, m->nested, &a, frame->begin, frame->twin, frame->twin_end);
	}
	m->at = at;
	m->end = end;
	if (a.base <= a.value) /* where it is in the file, or from its base, behind all padding */
		found_length(&m->found, 0, &a, (uint32_t)a.base, (uint32_t)a.value);
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

/* Leaves out what is no count; of what may count several lists one is left. */
static void keep_counts(struct match *m)
{
	uint32_t *n = mem_zero(m->schema->n_types, sizeof *n), kept = 0;
	for (uint32_t i = 0; i < m->found.n.listed; i++)
		if (m->found.listed[i].list < m->schema->n_types)
			n[m->found.listed[i].list]++;
	for (uint32_t i = 0; i < m->found.n.fields; i++) {
		struct field *f = &m->found.fields[i];
		uint32_t width = f->width;
		uint64_t value;
		bool counts = f->kind == FIELD_COUNT && f->list < m->schema->n_types;
		if (!counts ||
		    (code_read(f->code, m->bytes + f->at, m->bytes + m->size, &width, &value) &&
		     (int64_t)value == field_count(f, n[f->list])))
			m->found.fields[kept++] = *f;
	}
	m->found.n.fields = kept;
	free(n);
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
	if (fits)
		keep_counts(&m);
	if (fits && m.at == size && m.found.n.records)
		r = found_take(&m.found, bytes, size, loose);
	for (size_t i = 0; r && i < t->n_types; i++) {
		r->repair->lists[i].table = is_table(t, (int)i);
		r->repair->lists[i].with = t->types[i].with < 0 ? 0 : (uint32_t)t->types[i].with;
	}
	*farthest = m.farthest;
	if (m.inflater)
		inflater_free(m.inflater);
	free(m.bindings);
	free(m.kept);
	found_release(&m.found);
	return r;
}
