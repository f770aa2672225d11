#include "binary/hdf5.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"
#include "binary/hdf5_def.h"

enum {
	LINE = 16,            /* bytes of values, where there are many */
	LINES_MOST = 1 << 10, /* of one value each: they are cut best so */
	STEPS_MOST = 1 << 20,
	MESSAGES_MOST = 1 << 12,
	NAME_MOST = 1 << 10,
	HUGE_SIDE = 1 << 24,
};

struct object {
	uint64_t at;
	char *path;
};

struct messages {
	struct hdf5_message *list;
	uint32_t n;
	size_t cap;
};

struct reader {
	struct hdf5 f;
	bool naming; /* find out which objects there are, say nothing */
	bool room;
	struct object *objects; /* by address */
	uint32_t n_objects;
	size_t cap_objects;
	struct buf out;
};

bool hdf5_is(const uint8_t *bytes, uint32_t size)
{
	return size > 40 && size <= HDF5_MOST && !memcmp(bytes, HDF5_SIGNATURE, 8) && bytes[8] <= 3;
}

/* ---- messages of an object ---- */

static void part(struct reader *r, uint64_t at, uint64_t end, bool first, uint32_t flags,
                 struct messages *out)
{
	uint32_t head = first ? 8 : flags & 4 ? 6 : 4;
	while (hdf5_there(&r->f, at, head) && at + head <= end && out->n < MESSAGES_MOST &&
	       hdf5_step(&r->f)) {
		struct hdf5_message m = { .type = (uint32_t)hdf5_number(&r->f, at, first ? 2 : 1),
			                  .size = hdf5_number(&r->f, at + (first ? 2 : 1), 2),
			                  .shared = hdf5_number(&r->f, at + (first ? 4 : 3), 1) & 2,
			                  .at = at + head };
		at += head + m.size;
		if (hdf5_there(&r->f, m.at, m.size))
			MEM_PUSH(out->list, out->n, out->cap, m);
	}
}

static void read_messages(struct reader *r, uint64_t at, struct messages *out)
{
	uint32_t flags = (uint32_t)hdf5_number(&r->f, at + 5, 1), width = 1u << (flags & 3);
	bool first = hdf5_number(&r->f, at, 1) == 1;
	if (hdf5_begins(&r->f, at, "OHDR")) {
		at += 6 + (flags & 32 ? 16 : 0) + (flags & 16 ? 4 : 0);
		part(r, at + width, at + width + hdf5_number(&r->f, at, width), false, flags, out);
	} else if (first) {
		part(r, at + 16, at + 16 + hdf5_number(&r->f, at + 8, 4), true, flags, out);
	}
	for (uint32_t i = 0; i < out->n; i++) {
		struct hdf5_message m = out->list[i];
		uint64_t more = hdf5_word(&r->f, m.at), size = hdf5_word(&r->f, m.at + r->f.width);
		if (m.type != MESSAGE_MORE)
			continue;
		if (first)
			part(r, more, more + size, true, flags, out);
		else if (hdf5_begins(&r->f, more, "OCHK") && size > 8)
			part(r, more + 4, more + size - 4, false, flags, out);
	}
}

static const struct hdf5_message *find(const struct messages *m, uint32_t type)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (m->list[i].type == type)
			return &m->list[i];
	return NULL;
}

/* The type that a message is, or leads to; its size is 0 if there is none. */
static struct hdf5_message type_of(struct reader *r, struct hdf5_message m)
{
	uint64_t version = hdf5_number(&r->f, m.at, 1);
	if (m.shared) {
		struct messages other = { 0 };
		read_messages(r, hdf5_word(&r->f, m.at + (version == 1 ? 8 : 2)), &other);
		const struct hdf5_message *found = find(&other, MESSAGE_TYPE);
		m = found && !found->shared ? *found : (struct hdf5_message){ 0 };
		free(other.list);
	}
	if (!hdf5_there(&r->f, m.at, m.size) || m.size < TYPE_HEAD ||
	    !hdf5_number(&r->f, m.at + 4, 4))
		m.size = 0;
	return m;
}

/* ---- values ---- */

static void say_name(struct reader *r, uint64_t at, uint64_t size)
{
	for (uint64_t i = 0; i < size && hdf5_there(&r->f, at, i + 1) && r->f.bytes[at + i]; i++) {
		char c = (char)r->f.bytes[at + i];
		if (hdf5_is_plain(c))
			buf_addch(&r->out, c);
		else
			buf_addf(&r->out, "%%%02x", (uint8_t)c);
	}
}

static void say_digits(struct reader *r, const uint8_t *bytes, uint64_t size)
{
	work_step(size);
	for (uint64_t i = 0; i < size; i++) {
		buf_addch(&r->out, "0123456789abcdef"[bytes[i] >> 4]);
		buf_addch(&r->out, "0123456789abcdef"[bytes[i] & 15]);
	}
}

static const struct object *known(const struct reader *r, uint64_t at)
{
	uint32_t i = MEM_FIRST(r->objects, r->n_objects, at, at);
	return i < r->n_objects && r->objects[i].at == at ? &r->objects[i] : NULL;
}

/* Where in a heap something is, at least SIZE bytes; 0: nowhere. */
static uint64_t in_heap(struct reader *r, uint64_t heap, uint64_t index, uint64_t size)
{
	uint64_t end = heap + hdf5_word(&r->f, heap + 8), at = heap + 8 + r->f.width;
	if (!hdf5_begins(&r->f, heap, "GCOL"))
		return 0;
	r->room |= end - heap >= HEAP_ROOM;
	while (at < end && hdf5_there(&r->f, at, 16) && hdf5_number(&r->f, at, 2) &&
	       hdf5_step(&r->f)) {
		uint64_t long_is = hdf5_word(&r->f, at + 8);
		if (hdf5_number(&r->f, at, 2) == index)
			return long_is >= size && hdf5_there(&r->f, at + 16, size) ? at + 16 : 0;
		at += 16 + HDF5_ALIGNED(long_is);
	}
	return 0;
}

static uint64_t say_value(struct reader *r, uint64_t type, uint64_t end, const uint8_t *v,
                          uint32_t depth);

static void say_list(struct reader *r, uint64_t type, uint64_t end, const uint8_t *v,
                     uint32_t depth)
{
	uint64_t base = type + TYPE_HEAD, n = code_little(v);
	uint64_t heap = code_little(v + 4) | (uint64_t)code_little(v + 8) << 32;
	bool text = r->f.bytes[type + 1] & 1;
	uint64_t each = text ? 1 : hdf5_number(&r->f, base + 4, 4);
	uint64_t at = in_heap(r, heap, code_little(v + 12), n * each);
	n = at ? n : 0;
	buf_addch(&r->out, text ? '"' : '[');
	if (text)
		say_name(r, at, n);
	for (uint64_t i = 0; !text && i < n && hdf5_step(&r->f); i++) {
		if (i)
			buf_addch(&r->out, ',');
		say_value(r, base, end, r->f.bytes + at + i * each, depth + 1);
	}
	buf_addch(&r->out, text ? '"' : ']');
}

/* Where the parts of a compound type end, each of which is said if there are values. */
static uint64_t say_members(struct reader *r, uint64_t type, uint64_t end, const uint8_t *v,
                            uint32_t depth)
{
	uint64_t version = hdf5_number(&r->f, type, 1) >> 4, n = hdf5_number(&r->f, type + 1, 2),
		 said = 0;
	uint64_t size = hdf5_number(&r->f, type + 4, 4), at = type + TYPE_HEAD, width = 1;
	while (version >= 3 && size >> 8 * width)
		width++;
	for (; n && at < end && hdf5_step(&r->f); n--) {
		uint64_t name = at;
		while (at < end && r->f.bytes[at])
			at++;
		at = version < 3 ? name + HDF5_ALIGNED(at + 1 - name) : at + 1;
		uint64_t place = hdf5_number(&r->f, at, version < 3 ? 4 : (uint32_t)width);
		at += version == 1 ? 32 : version == 2 ? 4 : width;
		uint64_t each = hdf5_number(&r->f, at + 4, 4);
		bool inside = v && place >= said && place <= size && each <= size - place;
		if (inside) {
			say_digits(r, v + said, place - said);
			said = place + each;
		}
		at = say_value(r, at, end, inside ? v + place : NULL, depth + 1);
	}
	if (v)
		say_digits(r, v + said, size - said);
	return at;
}

/* Where an enumeration ends. */
static uint64_t names_end(const struct reader *r, uint64_t type, uint64_t at, uint64_t end)
{
	uint64_t n = hdf5_number(&r->f, type + 1, 2), values = n * hdf5_number(&r->f, type + 4, 4);
	for (; n && at < end; n--) {
		uint64_t name = at;
		while (at < end && r->f.bytes[at])
			at++;
		at = hdf5_number(&r->f, type, 1) >> 4 < 3 ? name + HDF5_ALIGNED(at + 1 - name)
		                                          : at + 1;
	}
	return at + values;
}

/* Says V, a value of the type that begins there and ends at END or before, where it returns. NULL:
 * says nothing. */
static uint64_t say_value(struct reader *r, uint64_t type, uint64_t end, const uint8_t *v,
                          uint32_t depth)
{
	static const uint8_t sizes[] = { 12, 20, 10, 8, 12, 8, 0, 8 };
	uint64_t size = hdf5_number(&r->f, type + 4, 4), base = type + TYPE_HEAD, to = end;
	uint32_t kind = (uint32_t)hdf5_number(&r->f, type, 1) & 15;
	uint64_t sides = kind == TYPE_ARRAY ? hdf5_number(&r->f, base, 1) : 0;
	bool wide = r->f.width == 8, newer = hdf5_number(&r->f, type, 1) >= 3 << 4;
	if (kind == TYPE_ARRAY)
		base += newer ? 1 + 4 * sides : 4 + 8 * sides;
	if (end < base || depth > HDF5_DEPTH || !hdf5_step(&r->f)) {
		if (v && end >= base)
			say_digits(r, v, size);
		return end;
	}
	if (kind == TYPE_COMPOUND) {
		to = say_members(r, type, end, v, depth);
		return to < end ? to : end;
	}
	if (kind < sizeof sizes)
		to = type + sizes[kind] +
		     (kind == TYPE_OPAQUE ? hdf5_number(&r->f, type + 1, 1) : 0);
	else if (kind == TYPE_NAMES)
		to = names_end(r, type, say_value(r, base, end, NULL, depth + 1), end);
	else if (kind == TYPE_LIST || kind == TYPE_ARRAY)
		to = say_value(r, base, end, NULL, depth + 1);
	const struct object *o = NULL;
	if (v && wide && kind == TYPE_REFERENCE && size == 8)
		o = known(r, code_little(v) | (uint64_t)code_little(v + 4) << 32);
	if (o)
		buf_addf(&r->out, "<%s>", o->path);
	else if (v && wide && kind == TYPE_LIST && size == 16)
		say_list(r, type, end, v, depth);
	else if (v)
		say_digits(r, v, size);
	return to < end ? to : end;
}

/* ---- spaces ---- */

static struct hdf5_space read_space(const struct reader *r, uint64_t at)
{
	uint64_t version = hdf5_number(&r->f, at, 1), flags = hdf5_number(&r->f, at + 2, 1);
	struct hdf5_space s = { .rank = (uint32_t)hdf5_number(&r->f, at + 1, 1), .n = 1 };
	s.none = version == 2 && hdf5_number(&r->f, at + 3, 1) == 2;
	at += version == 1 ? 8 : 4;
	s.rank = s.none || s.rank > HDF5_SIDES ? 0 : s.rank;
	for (uint32_t i = 0; i < s.rank; i++) {
		s.sides[i] = hdf5_number(&r->f, at + i * r->f.width, r->f.width);
		s.most[i] = s.sides[i];
		if (flags & 1)
			s.most[i] = hdf5_number(&r->f, at + (s.rank + i) * r->f.width, r->f.width);
		if (s.most[i] > HUGE_SIDE)
			s.most[i] = s.sides[i];
		s.n = s.sides[i] <= HUGE_SIDE && s.n <= HUGE_SIDE ? s.n * s.sides[i] : UINT32_MAX;
	}
	s.n = s.none ? 0 : s.n;
	return s;
}

/* Lines of N values at V, each of SIZE bytes. */
static void say_data(struct reader *r, struct hdf5_message type, const uint8_t *v, uint64_t n)
{
	uint64_t size = hdf5_number(&r->f, type.at + 4, 4);
	uint64_t a_line = n > LINES_MOST && size < LINE ? LINE / size : 1;
	for (uint64_t i = 0; i < n && r->out.len < HDF5_SAID_MOST; i++) {
		buf_addf(&r->out, i % a_line ? " " : i ? "\ndata " : "data ");
		say_value(r, type.at, type.at + type.size, v + i * size, 0);
	}
	if (n)
		buf_addch(&r->out, '\n');
}

static void say_type(struct reader *r, struct hdf5_message *type, const struct hdf5_space *s)
{
	type->size = say_value(r, type->at, type->at + type->size, NULL, 0) - type->at;
	buf_addf(&r->out, "type ");
	say_digits(r, r->f.bytes + type->at, type->size);
	buf_addf(&r->out, s ? "\nspace" : "\n");
	if (!s)
		return;
	if (s->none)
		buf_addf(&r->out, " none");
	for (uint32_t i = 0; i < s->rank; i++)
		buf_addf(&r->out, " %llu", (unsigned long long)s->sides[i]);
	buf_addch(&r->out, '\n');
}

/* Where the attribute ends; 0: it is none. */
static uint64_t say_attribute(struct reader *r, uint64_t at)
{
	uint64_t version = hdf5_number(&r->f, at, 1), flags = hdf5_number(&r->f, at + 1, 1);
	uint64_t name = at + (version == 3 ? 9 : 8), lengths[3];
	for (uint32_t i = 0; i < 3; i++) {
		lengths[i] = hdf5_number(&r->f, at + 2 + 2 * i, 2);
		lengths[i] = version == 1 ? HDF5_ALIGNED(lengths[i]) : lengths[i];
	}
	uint64_t type_at = name + lengths[0], space_at = type_at + lengths[1];
	struct hdf5_message type = { .at = type_at, .size = lengths[1], .shared = flags & 1 };
	type = type_of(r, type);
	if (!version || version > 3 || !type.size || !hdf5_step(&r->f))
		return 0;
	struct hdf5_space s = read_space(r, space_at);
	uint64_t size = s.n * hdf5_number(&r->f, type.at + 4, 4), data = space_at + lengths[2];
	if (!hdf5_there(&r->f, data, size))
		return 0;
	if (r->naming)
		return data + size;
	buf_addf(&r->out, "attribute ");
	say_name(r, name, lengths[0]);
	buf_addch(&r->out, '\n');
	say_type(r, &type, &s);
	say_data(r, type, r->f.bytes + data, s.n);
	return data + size;
}

/* ---- objects ---- */

static void visit(struct reader *r, const char *path, uint64_t at, uint32_t depth);

/* The path of what is called so in PATH. */
static char *joined(struct reader *r, const char *path, uint64_t name, uint64_t size)
{
	struct buf out = r->out;
	r->out = (struct buf){ 0 };
	buf_addf(&r->out, "%s%s", path, path[1] ? "/" : "");
	size_t empty = r->out.len;
	say_name(r, name, size < NAME_MOST ? size : NAME_MOST);
	char *joined = r->out.data;
	if (r->out.len == empty) {
		free(joined);
		joined = NULL;
	}
	r->out = out;
	return joined;
}

/* What PATH has under a name: an object, or, where SIZE is said, that of another. */
static void say_link(struct reader *r, const char *path, uint64_t name, uint64_t name_size,
                     uint64_t to, uint64_t size, uint32_t depth)
{
	MEM_SCOPED char *child = joined(r, path, name, name_size);
	if (child && !size)
		visit(r, child, to, depth + 1);
	if (!child || !size || r->naming)
		return;
	buf_addf(&r->out, "soft %s ", child);
	say_name(r, to, size);
	buf_addch(&r->out, '\n');
}

/* Where the link that is said at AT ends; 0: it is none. */
static uint64_t read_link(struct reader *r, const char *path, uint64_t at, uint32_t depth)
{
	struct hdf5 *f = &r->f;
	uint64_t flags = hdf5_number(f, at + 1, 1), kind = 0, p = at + 2;
	uint32_t width = 1u << (flags & 3);
	if (hdf5_number(f, at, 1) != 1 || !hdf5_step(f))
		return 0;
	if (flags & 8)
		kind = hdf5_number(f, p++, 1);
	p += (flags & 4 ? 8 : 0) + (flags & 16 ? 1 : 0);
	uint64_t name = p + width, size = hdf5_number(f, p, width), to = name + size;
	if (!hdf5_there(f, name, size))
		return 0;
	uint64_t more = kind ? hdf5_number(f, to, 2) : 0;
	if (!kind)
		say_link(r, path, name, size, hdf5_word(f, to), 0, depth);
	else if (kind == 1 && more)
		say_link(r, path, name, size, to + 2, more, depth);
	return to + (kind ? 2 + more : f->width);
}

/* Groups of the older format. */
static void read_leaf(struct reader *r, const char *path, uint64_t at, uint64_t names,
                      uint32_t depth)
{
	struct hdf5 *f = &r->f;
	uint64_t n = hdf5_number(f, at + 6, 2);
	if (!hdf5_begins(f, at, "SNOD"))
		return;
	for (at += 8; n && hdf5_step(f); n--, at += 2 * f->width + 24) {
		uint64_t name = names + hdf5_word(f, at), to = hdf5_word(f, at + f->width);
		bool soft = hdf5_number(f, at + 2 * f->width, 4) == 2;
		if (soft)
			to = names + hdf5_number(f, at + 2 * f->width + 8, 4);
		say_link(r, path, name, NAME_MOST, to, soft ? NAME_MOST : 0, depth);
	}
}

static void read_names(struct reader *r, const char *path, uint64_t at, uint64_t names,
                       uint32_t depth, uint32_t level)
{
	struct hdf5 *f = &r->f;
	uint64_t n = hdf5_number(f, at + 6, 2), below = hdf5_number(f, at + 5, 1);
	if (!hdf5_begins(f, at, "TREE") || level > HDF5_DEPTH)
		return;
	for (at += 8 + 3 * f->width; n && hdf5_step(f); n--, at += 2 * f->width)
		if (below)
			read_names(r, path, hdf5_word(f, at), names, depth, level + 1);
		else
			read_leaf(r, path, hdf5_word(f, at), names, depth);
}

/* A heap of links or, where there is no PATH, attributes: in its blocks they stand one behind the
 * other. */
struct pile {
	const char *path;
	uint64_t width, least, most; /* blocks in a row of their table, bytes of one */
	uint64_t place, skipped;     /* bytes in front of what is in a table, and in a block */
	uint32_t depth;
};

static void read_block(struct reader *r, const struct pile *p, uint64_t at, uint64_t size)
{
	uint64_t end = at + size;
	if (!hdf5_begins(&r->f, at, "FHDB"))
		return;
	for (at += p->skipped; at && at < end;)
		at = p->path ? read_link(r, p->path, at, p->depth) : say_attribute(r, at);
}

static void read_rows(struct reader *r, const struct pile *p, uint64_t at, uint64_t rows)
{
	struct hdf5 *f = &r->f;
	uint64_t size = p->least;
	if (!rows || !hdf5_begins(f, at, "FHIB"))
		return;
	at += p->place;
	for (uint64_t i = 0; i < rows && size <= p->most; i++, size <<= i > 1)
		for (uint64_t k = 0; k < p->width && hdf5_step(f); k++, at += f->width)
			read_block(r, p, hdf5_word(f, at), size);
}

static void read_pile(struct reader *r, const char *path, uint64_t head, uint32_t depth)
{
	struct hdf5 *f = &r->f;
	/* Behind the widths and limits are a length, an address, a length, an address, and eight
	 * lengths. */
	uint64_t table = head + 14 + 12 * (uint64_t)f->width, flags = hdf5_number(f, head + 9, 1);
	struct pile p = { .path = path, .depth = depth };
	if (!hdf5_begins(f, head, "FRHP"))
		return;
	p.width = hdf5_number(f, table, 2);
	p.least = hdf5_word(f, table + 2);
	p.most = hdf5_word(f, table + 2 + f->width);
	uint64_t bits = hdf5_number(f, table + 2 + 2 * f->width, 2);
	uint64_t root = hdf5_word(f, table + 6 + 2 * f->width);
	p.place = 5 + f->width + (bits + 7) / 8;
	p.skipped = p.place + (flags & 2 ? 4 : 0);
	read_block(r, &p, root, p.least);
	read_rows(r, &p, root, hdf5_number(f, table + 6 + 3 * f->width, 2));
}

/* That values are in chunks, and how they are packed. */
static void say_filters(struct reader *r, const struct hdf5_message *m)
{
	uint32_t filters[HDF5_FILTERS], n = m ? hdf5_filters(&r->f, m, filters) : 0;
	buf_addf(&r->out, "packed");
	for (uint32_t i = 0; i < n; i++)
		if (filters[i] >= FILTER_DEFLATE && filters[i] <= FILTER_SUM)
			buf_addf(&r->out, " %u", filters[i]);
	buf_addch(&r->out, '\n');
}

/* What belongs to the object itself. */
static void say_own(struct reader *r, const char *path, const struct messages *m)
{
	const struct hdf5_message *t = find(m, MESSAGE_TYPE), *s = find(m, MESSAGE_SPACE);
	const struct hdf5_message *layout = find(m, MESSAGE_LAYOUT);
	bool dataset = s && layout;
	struct hdf5_message type = type_of(r, *t);
	uint64_t size;
	if (r->naming || !type.size)
		return;
	buf_addf(&r->out, "%s %s\n", dataset ? "dataset" : "named", path);
	if (!dataset) {
		say_type(r, &type, NULL);
		return;
	}
	struct hdf5_space space = read_space(r, s->at);
	uint64_t each = hdf5_number(&r->f, type.at + 4, 4);
	MEM_SCOPED uint8_t *v =
		hdf5_values(&r->f, layout, find(m, MESSAGE_FILTERS), &space, each, &size);
	say_type(r, &type, &space);
	if (hdf5_number(&r->f, layout->at + 1, 1) == LAYOUT_CHUNKS)
		say_filters(r, find(m, MESSAGE_FILTERS));
	say_data(r, type, v, v ? space.n : 0);
}

static void say_attributes(struct reader *r, const struct messages *m)
{
	const struct hdf5_message *more = find(m, MESSAGE_ATTRIBUTES);
	for (uint32_t i = 0; i < m->n; i++)
		if (m->list[i].type == MESSAGE_ATTRIBUTE && !m->list[i].shared)
			say_attribute(r, m->list[i].at);
	if (more)
		read_pile(
			r, NULL,
			hdf5_word(&r->f,
		                  more->at + 2 + (hdf5_number(&r->f, more->at + 1, 1) & 1 ? 2 : 0)),
			0);
}

static void read_group(struct reader *r, const char *path, const struct messages *m, uint32_t depth)
{
	struct hdf5 *f = &r->f;
	const struct hdf5_message *older = find(m, MESSAGE_GROUP);
	const struct hdf5_message *more = find(m, MESSAGE_LINKS);
	for (uint32_t i = 0; i < m->n; i++)
		if (m->list[i].type == MESSAGE_LINK && !m->list[i].shared)
			read_link(r, path, m->list[i].at, depth);
	if (older) {
		uint64_t heap = hdf5_word(f, older->at + f->width);
		uint64_t names = hdf5_word(f, heap + 8 + 2 * f->width);
		read_names(r, path, hdf5_word(f, older->at), names, depth, 0);
	}
	if (more)
		read_pile(
			r, path,
			hdf5_word(f, more->at + 2 + (hdf5_number(f, more->at + 1, 1) & 1 ? 8 : 0)),
			depth);
}

/* Says the object, unless it was named elsewhere. */
static void say_object(struct reader *r, const char *path, uint64_t at, uint32_t depth)
{
	struct messages m = { 0 };
	read_messages(r, at, &m);
	bool group = !find(&m, MESSAGE_TYPE);
	size_t before = r->out.len;
	if (!group)
		say_own(r, path, &m);
	else if (!r->naming)
		buf_addf(&r->out, "group %s\n", path);
	size_t own = r->out.len;
	if (group || own > before)
		say_attributes(r, &m);
	size_t attributes = r->out.len;
	if (group)
		read_group(r, path, &m, depth);
	/* A group around something needs no line. */
	if (group && own == attributes && r->out.len > own) {
		memmove(r->out.data + before, r->out.data + own, r->out.len - own);
		r->out.len -= own - before;
	}
	free(m.list);
}

static void visit(struct reader *r, const char *path, uint64_t at, uint32_t depth)
{
	const struct object *o = known(r, at);
	bool again = o && (r->naming || strcmp(o->path, path) != 0);
	if (again && !r->naming)
		buf_addf(&r->out, "hard %s %s\n", path, o->path);
	if (again || (!o && !r->naming) || depth > HDF5_DEPTH || r->out.len > HDF5_SAID_MOST ||
	    !hdf5_there(&r->f, at, 16) || !hdf5_step(&r->f))
		return;
	if (r->naming) {
		uint32_t i = MEM_FIRST(r->objects, r->n_objects, at, at);
		MEM_GROW(r->objects, r->n_objects, r->cap_objects);
		memmove(r->objects + i + 1, r->objects + i,
		        (r->n_objects - i) * sizeof *r->objects);
		r->objects[i] = (struct object){ at, mem_strdup(path) };
		r->n_objects++;
	}
	say_object(r, path, at, depth);
}

/* Where the head of the root is; widths, too. 0: it is none. */
static uint64_t read_head(struct reader *r)
{
	const uint8_t *p = r->f.bytes;
	bool newer = p[8] >= 2;
	uint32_t width = p[newer ? 9 : 13], lengths = p[newer ? 10 : 14];
	r->f.width = width;
	if (width != lengths || (width != 2 && width != 4 && width != 8))
		return 0;
	uint64_t at = newer ? 12 + 3 * width : 24 + 5 * width + (p[8] == 1 ? 4 : 0);
	return hdf5_word(&r->f, at);
}

uint8_t *hdf5_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct reader r = { .f = { bytes, size, .steps = STEPS_MOST + size }, .naming = true };
	uint64_t root = read_head(&r);
	if (root)
		visit(&r, "/", root, 0);
	r.naming = false;
	r.f.steps = STEPS_MOST + size;
	if (root)
		visit(&r, "/", root, 0);
	struct buf out = { 0 };
	if (r.out.len)
		buf_addf(&out, "%s%s%shdf5 %u\n", bytes[8] < 2 ? "old\n" : "",
		         r.f.width == 8 ? "wide\n" : "", r.room ? "room\n" : "",
		         bytes[8] < 2 ? 2 : bytes[8]);
	buf_add(&out, r.out.data, r.out.len);
	buf_release(&r.out);
	for (uint32_t i = 0; i < r.n_objects; i++)
		free(r.objects[i].path);
	free(r.objects);
	*len = (uint32_t)out.len;
	return (uint8_t *)out.data;
}
