#include "binary/linked.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"
#include "binary/linked_def.h"

enum {
	PAGE = 4096,
	WIDTH = 4,        /* of distances in code */
	NEAR = 56,        /* bytes that a row of the table of segments takes */
	LOWEST = 0x10000, /* where Linux lets a program begin */
};

/* Numbers of types of relocations whose addends are addresses. */
struct addresses {
	uint16_t machine, relative, indirect;
};

static const struct addresses addresses[] = {
	{ 62, 8, 37 },                       /* x86-64 */
	{ 3, 8, 42 },                        /* i386 */
	{ 183, 1027, 1032 },                 /* AArch64 */
	{ 40, 23, 160 },                     /* ARM */
	{ 243, 3, 58 },                      /* RISC-V */
	{ 21, 22, 248 },                     /* PowerPC, of 64 and 32 bits */
	{ 20, 22, 248 },     { 22, 12, 61 }, /* S/390 */
};

/* ---- where things are ---- */

static uint64_t aligned(uint64_t n, uint64_t to)
{
	return (n + to - 1) & ~(to - 1);
}

/* Where what was at ADDRESS is. */
static uint64_t moved(const struct linked *m, uint64_t address)
{
	if (m->head.fixed)
		return address + m->shift;
	uint32_t i = linked_piece(m, address);
	if (i == m->n_pieces)
		return m->end;
	return m->pieces[i].to + (address > m->pieces[i].at ? address - m->pieces[i].at : 0);
}

/* Where what ended at ADDRESS ends. */
static uint64_t moved_end(const struct linked *m, uint64_t address)
{
	return linked_says(m, address - 1, 1) ? moved(m, address - 1) + 1 : moved(m, address);
}

/* All in one segment, bytes before zeros; what lay side by side stays so. */
static void pack(struct linked *m, uint64_t at)
{
	struct load *load = &m->loads[0];
	for (int zeros = 0; zeros < 2; zeros++) {
		for (uint32_t i = 0; i < m->n_pieces; i++) {
			struct piece *p = &m->pieces[i];
			uint64_t by = p->at & -p->at;
			if ((p->data == NOT_SAID) != zeros)
				continue;
			bool beside = i && p[-1].at + p[-1].size == p->at &&
			              (p[-1].data == NOT_SAID) == zeros;
			p->to = beside ? at : aligned(at, by && by < ELF_ALIGN ? by : ELF_ALIGN);
			at = p->to + p->size;
			load->access |= p->access;
		}
		load->room = at - load->at;
		load->size = zeros ? load->size : load->room;
	}
	m->end = at;
}

/* Segments of pieces that are on one page, or so near that one more row would be larger. */
static void group(struct linked *m)
{
	m->n_loads = 1;
	for (uint32_t i = 0; i < m->n_pieces; i++) {
		struct piece *p = &m->pieces[i];
		struct load *l = &m->loads[m->n_loads - 1];
		p->to = p->at + m->shift;
		bool on_page = (l->at + l->room - 1) / PAGE == p->to / PAGE;
		bool near = p->to - (l->at + l->room) < NEAR;
		if (m->n_loads == 1 || (!on_page && !near)) {
			struct load next = { .at = p->to };
			MEM_PUSH(m->loads, m->n_loads, m->cap_loads, next);
			l = &m->loads[m->n_loads - 1];
		}
		l->access |= p->access;
		l->room = p->to + p->size - l->at;
		l->size = p->data == NOT_SAID ? l->size : l->room;
		m->end = p->to + p->size;
	}
	struct load *l = m->loads;
	if (m->n_loads > 1 && (l[0].at + l[0].room - 1) / PAGE == l[1].at / PAGE)
		l[0].access = l[1].access |= l[0].access;
}

/* Puts the segments where the file has room, each as far into a page as in memory. */
static bool place(struct linked *m)
{
	uint64_t end = 0;
	if (m->n_loads + m->t.n_segments + 1 > ELF_SEGMENTS_MOST)
		return false;
	for (uint32_t i = 0; i < m->n_loads; i++) {
		struct load *l = &m->loads[i];
		l->offset = i ? (l->at - m->base) % PAGE : 0;
		work_step(i);
		for (uint32_t k = 0; k < i; k++) {
			const struct load *o = &m->loads[k];
			if (l->offset < o->offset + o->size && o->offset < l->offset + l->size) {
				l->offset += aligned(o->offset + o->size - l->offset, PAGE);
				k = UINT32_MAX; /* from the first again */
			}
			if (l->offset > ELF_MOST)
				return false;
		}
		end = l->size && l->offset + l->size > end ? l->offset + l->size : end;
		if (l->size > ELF_MOST || end > ELF_MOST)
			return false;
	}
	return true;
}

static bool has_dynamic(const struct linked *m)
{
	return m->t.n_entries || m->t.n_symbols > 1 || m->t.n_relocations || m->head.hash ||
	       m->head.gnu_hash;
}

static uint32_t count_entries(const struct linked *m)
{
	uint32_t n =
		5 + m->head.hash + m->head.gnu_hash; /* symbols, strings, their sizes, the end */
	for (uint32_t i = 0; i < m->t.n_entries; i++)
		n += m->t.entries[i].n[5] == 'r' ? 2 : 1;
	return n + (m->t.n_relocations ? 3 : 0);
}

static uint32_t relocation_size(const struct linked *m)
{
	return form_word(m->head.form) * (m->head.own ? 3 : 2);
}

/* Where the tables are in the file if there are SEGMENTS segments; returns where they end. */
static uint32_t place_tables(struct linked *m, uint32_t segments)
{
	const struct tables *t = &m->t;
	uint32_t w = form_word(m->head.form);
	uint32_t at = form_head(m->head.form) + segments * form_segment(m->head.form);
	m->place.dynamic = at;
	if (!has_dynamic(m))
		return at;
	m->place.relocations = m->place.dynamic + 2 * w * count_entries(m);
	m->place.symbols = m->place.relocations + t->n_relocations * relocation_size(m);
	m->place.gnu = m->place.symbols + t->n_symbols * form_symbol(m->head.form);
	m->place.hash =
		m->place.gnu + (m->head.gnu_hash ? 20 + w + 4 * (t->n_symbols - t->n_plain) : 0);
	m->place.names = m->place.hash + (m->head.hash ? 12 + 4 * t->n_symbols : 0);
	return (uint32_t)aligned(m->place.names + m->strings.len, ELF_ALIGN);
}

/* Where the tables and all pieces are in memory if there are LOADS segments of the latter. */
static void place_all(struct linked *m, uint32_t loads)
{
	bool library = m->head.type == TYPE_LIBRARY;
	uint64_t first = m->n_pieces ? m->pieces[0].at : 0;
	uint32_t end = place_tables(m, m->t.n_segments + has_dynamic(m) + loads);
	uint64_t in = first % PAGE;
	m->base = library ? 0 : m->head.fixed && first > end ? (first - end) / PAGE * PAGE : LOWEST;
	m->shift = library && m->n_pieces ? in + aligned(end > in ? end - in : 0, PAGE) - first : 0;
	m->place.end = end;
	m->loads[0] =
		(struct load){ .at = m->base, .size = end, .room = end, .access = m->head.access };
}

static bool lay_out(struct linked *m)
{
	MEM_PUSH(m->loads, m->n_loads, m->cap_loads, (struct load){ 0 });
	if (m->head.fixed)
		group(m); /* how many there are is the same wherever they are */
	place_all(m, m->n_loads);
	if (m->head.fixed && m->n_pieces && m->pieces[0].at + m->shift < m->base + m->place.end)
		return false;
	if (m->head.fixed)
		group(m);
	else
		pack(m, m->base + m->place.end);
	return place(m);
}

/* ---- the file ---- */

static void put(const struct linked *m, uint64_t at, uint64_t value, uint32_t width)
{
	for (uint32_t i = 0; i < width && at + i < m->out.len; i++)
		m->out.data[at + i] = (char)(value >> 8 * (m->head.form.big ? width - 1 - i : i));
}

/* A number behind the one before it. */
static void add(const struct linked *m, uint64_t *at, uint64_t value, uint32_t width)
{
	put(m, *at, value, width);
	*at += width;
}

static void add_word(const struct linked *m, uint64_t *at, uint64_t value)
{
	add(m, at, value, form_word(m->head.form));
}

/* Where the new address is in the file, UINT64_MAX: not in it. */
static uint64_t offset_of(const struct linked *m, uint64_t to)
{
	for (uint32_t i = 0; i < m->n_loads; i++)
		if (to - m->loads[i].at < m->loads[i].size)
			return m->loads[i].offset + (to - m->loads[i].at);
	return UINT64_MAX;
}

static void put_head(struct linked *m, uint32_t segments)
{
	const struct head *h = &m->head;
	uint64_t at = ELF_IDENT, head = form_head(h->form);
	memcpy(m->out.data, "\177ELF", 4);
	m->out.data[4] = h->form.wide ? 2 : 1;
	m->out.data[5] = h->form.big ? 2 : 1;
	m->out.data[6] = 1;
	m->out.data[7] = (char)h->system;
	add(m, &at, h->type, 2);
	add(m, &at, h->machine, 2);
	add(m, &at, 1, 4);
	add_word(m, &at, h->entry ? moved(m, h->entry) : 0);
	add_word(m, &at, head);
	add_word(m, &at, 0);
	add(m, &at, h->flags, 4);
	add(m, &at, head, 2);
	add(m, &at, form_segment(h->form), 2);
	add(m, &at, segments, 2);
}

static void add_segment(const struct linked *m, uint64_t *at, uint64_t type, uint64_t access,
                        const struct load *l, uint64_t align)
{
	bool wide = m->head.form.wide;
	add(m, at, type, 4);
	if (wide)
		add(m, at, access, 4);
	add_word(m, at, l->offset);
	add_word(m, at, l->at);
	add_word(m, at, l->at);
	add_word(m, at, l->size);
	add_word(m, at, l->room);
	if (!wide)
		add(m, at, access, 4);
	add_word(m, at, align);
}

/* A segment that is said, where its bytes are now. */
static struct load segment_now(const struct linked *m, const struct row *s)
{
	struct load l = { 0 };
	uint64_t heads = m->place.dynamic - form_head(m->head.form);
	if (s->n[0] == SEGMENT_HEADS)
		return (struct load){
			m->base + form_head(m->head.form), heads, heads, form_head(m->head.form), 0,
		};
	if (!s->n[3] && !s->n[4])
		return l;
	uint64_t end = moved_end(m, s->n[2] + s->n[3]);
	l.at = moved(m, s->n[2]);
	l.at = l.at - m->base < m->place.end ? m->base + m->place.end : l.at;
	for (uint32_t i = 0; i < m->n_loads; i++) { /* as far as it is in the first that has some */
		const struct load *in = &m->loads[i];
		if (!in->size || in->at >= end || end <= l.at || in->at + in->size <= l.at)
			continue;
		l.at = in->at > l.at ? in->at : l.at;
		end = in->at + in->size < end ? in->at + in->size : end;
		l.size = end - l.at;
		l.offset = in->offset + (l.at - in->at);
		break;
	}
	l.room = l.size + (s->n[4] > s->n[3] ? s->n[4] - s->n[3] : 0);
	return l.room ? l : (struct load){ 0 };
}

static void put_segments(struct linked *m)
{
	uint64_t at = form_head(m->head.form);
	for (uint32_t i = 0; i < m->t.n_segments; i++) {
		const struct row *s = &m->t.segments[i];
		struct load l = segment_now(m, s);
		add_segment(m, &at, s->n[0], s->n[1], &l, s->n[5]);
	}
	for (uint32_t i = 0; i < m->n_loads; i++)
		add_segment(m, &at, SEGMENT_LOAD, m->loads[i].access, &m->loads[i], PAGE);
	if (has_dynamic(m)) {
		uint64_t size = 2 * (uint64_t)form_word(m->head.form) * count_entries(m);
		struct load l = {
			m->base + m->place.dynamic, size, size, m->place.dynamic, 0,
		};
		add_segment(m, &at, SEGMENT_DYNAMIC, m->head.access, &l, form_word(m->head.form));
	}
	put_head(m, m->t.n_segments + m->n_loads + has_dynamic(m));
}

static void add_entry(const struct linked *m, uint64_t *at, uint64_t tag, uint64_t value)
{
	add_word(m, at, tag);
	add_word(m, at, value);
}

static void put_entries(struct linked *m)
{
	uint64_t at = m->place.dynamic;
	for (uint32_t i = 0; i < m->t.n_entries; i++) {
		const struct row *e = &m->t.entries[i];
		uint64_t tag = e->n[0], value = e->n[1];
		add_entry(m, &at, tag, e->n[5] == 't' || e->n[5] == 'v' ? value : moved(m, value));
		if (e->n[5] == 'r')
			add_entry(m, &at, entry_size_tag(tag),
			          moved_end(m, value + e->n[2]) - moved(m, value));
	}
	if (m->head.hash)
		add_entry(m, &at, TAG_HASH, m->base + m->place.hash);
	if (m->head.gnu_hash)
		add_entry(m, &at, TAG_GNU_HASH, m->base + m->place.gnu);
	add_entry(m, &at, TAG_STRINGS, m->base + m->place.names);
	add_entry(m, &at, TAG_SYMBOLS, m->base + m->place.symbols);
	add_entry(m, &at, TAG_STRINGS_SIZE, m->strings.len);
	add_entry(m, &at, TAG_SYMBOL_SIZE, form_symbol(m->head.form));
	if (!m->t.n_relocations)
		return;
	uint64_t tag = m->head.own ? TAG_RELA : TAG_REL, each = relocation_size(m);
	add_entry(m, &at, tag, m->base + m->place.relocations);
	add_entry(m, &at, tag + 1, each * m->t.n_relocations);
	add_entry(m, &at, tag + 2, each);
}

static void put_symbols(struct linked *m)
{
	uint64_t at = m->place.symbols + form_symbol(m->head.form);
	bool wide = m->head.form.wide;
	for (uint32_t i = 1; i < m->t.n_symbols; i++) {
		const struct symbol *s = &m->t.symbols[i];
		bool is_address = s->section && s->section != SECTION_ABSOLUTE &&
		                  (s->info & 0xf) != SYMBOL_THREAD;
		add(m, &at, s->at, 4);
		for (int part = 0; part < 2; part++)
			if (wide == !part) {
				add(m, &at, s->info, 1);
				add(m, &at, s->other, 1);
				add(m, &at, s->section, 2);
			} else {
				add_word(m, &at, is_address ? moved(m, s->value) : s->value);
				add_word(m, &at, s->size);
			}
	}
	memcpy(m->out.data + m->place.names, m->strings.data, m->strings.len);
}

/* Tables of hashes with one bucket, where all is found; of GNU's the filter lets all pass. */
static void put_hashes(struct linked *m)
{
	const struct tables *t = &m->t;
	uint64_t at = m->place.gnu;
	if (m->head.gnu_hash) {
		add(m, &at, 1, 4);
		add(m, &at, t->n_plain, 4);
		add(m, &at, 1, 4);
		add(m, &at, 0, 4);
		add_word(m, &at, UINT64_MAX);
		add(m, &at, t->n_plain < t->n_symbols ? t->n_plain : 0, 4);
		for (uint32_t i = t->n_plain; i < t->n_symbols; i++)
			add(m, &at,
			    (form_hash_of_gnu(t->symbols[i].name) & ~1u) | (i + 1 == t->n_symbols),
			    4);
	}
	at = m->place.hash;
	if (m->head.hash) {
		add(m, &at, 1, 4);
		add(m, &at, t->n_symbols, 4);
		add(m, &at, t->n_symbols > 1, 4);
		for (uint32_t i = 0; i < t->n_symbols; i++)
			add(m, &at, i && i + 1 < t->n_symbols ? i + 1 : 0, 4);
	}
}

static bool adds_address(const struct linked *m, const struct relocation *r)
{
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
		if (addresses[i].machine == m->head.machine)
			return r->type == addresses[i].relative || r->type == addresses[i].indirect;
	return false;
}

static void put_relocations(struct linked *m)
{
	bool wide = m->head.form.wide;
	uint64_t at = m->place.relocations;
	for (uint32_t i = 0; i < m->t.n_relocations; i++) {
		const struct relocation *r = &m->t.relocations[i];
		uint64_t to = moved(m, r->address), place = offset_of(m, to);
		uint64_t addend = adds_address(m, r) ? moved(m, r->addend) : r->addend;
		add_word(m, &at, to);
		add_word(m, &at,
		         wide ? (uint64_t)r->symbol << 32 | r->type
		              : (r->symbol << 8 | (r->type & 0xff)));
		if (m->head.own)
			add_word(m, &at, addend);
		else if (place != UINT64_MAX)
			put(m, place, addend, form_word(m->head.form));
	}
}

static void put_pieces(struct linked *m)
{
	for (uint32_t i = 0; i < m->n_pieces; i++) {
		const struct piece *p = &m->pieces[i];
		uint64_t at = p->data == NOT_SAID ? UINT64_MAX : offset_of(m, p->to);
		if (at != UINT64_MAX)
			memcpy(m->out.data + at, m->data.data + p->data, p->size);
	}
}

/* Is the number of four bytes at P, which code has, a distance from there, as calls, jumps and
 * operands have it? */
static bool is_distance(const uint8_t *p, bool wide)
{
	return p[-1] == 0xe8 || p[-1] == 0xe9 || (p[-2] == 0x0f && (p[-1] & 0xf0) == 0x80) ||
	       (wide && (p[-1] & 0xc7) == 0x05);
}

/* Is something there, or does it end there? */
static bool is_place(const struct linked *m, uint64_t address)
{
	return linked_says(m, address, 1) || linked_says(m, address - 1, 1);
}

/* Code of x86 that was at P of M's old addresses, and is at PLACE of the file: what it says about
 * where others are follows them. */
static bool follow(struct linked *m, uint64_t p, uint64_t place, bool code)
{
	const uint8_t *at = (uint8_t *)m->out.data + place;
	uint32_t number = code_little(at);
	uint64_t there = p + WIDTH + (uint64_t)(int64_t)(int32_t)number, to;
	if (m->head.type == TYPE_PROGRAM && is_place(m, number))
		to = moved(m, number);
	else if (code && is_distance(at, m->head.form.wide) && is_place(m, there))
		to = number + (moved(m, there) - there) - (moved(m, p) - p);
	else
		return false;
	put(m, place, to, WIDTH);
	return true;
}

/* Is it a program of x86? */
static bool is_x86(const struct linked *m)
{
	return (m->head.machine == 62 || m->head.machine == 3) && !m->head.form.big;
}

static void follow_all(struct linked *m)
{
	for (uint32_t i = 0; i < m->n_pieces; i++) {
		const struct piece *p = &m->pieces[i], *last = p;
		uint64_t end;
		if (p->data == NOT_SAID)
			continue;
		while (last + 1 < m->pieces + m->n_pieces && last[1].at == last->at + last->size &&
		       last[1].data != NOT_SAID)
			last++;
		end = last->at + last->size - p->at;
		uint64_t place = offset_of(m, p->to);
		bool code = p->access & 1;
		for (uint64_t k = 0; k + WIDTH <= end; k++)
			if (follow(m, p->at + k, place + k, code))
				k += WIDTH - 1;
		i += (uint32_t)(last - p);
	}
}

static void put_all(struct linked *m)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < m->n_loads; i++)
		if (m->loads[i].size && m->loads[i].offset + m->loads[i].size > end)
			end = m->loads[i].offset + m->loads[i].size;
	m->out = (struct buf){ mem_zero(end + 1, 1), end, end + 1 };
	put_pieces(m);
	if (!m->head.fixed && is_x86(m))
		follow_all(m);
	put_segments(m);
	if (!has_dynamic(m))
		return;
	put_entries(m);
	put_symbols(m);
	put_hashes(m);
	put_relocations(m);
}

uint8_t *linked_make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	struct linked m = { 0 };
	if (linked_parse(&m, said, len) && lay_out(&m))
		put_all(&m);
	*size = (uint32_t)m.out.len;
	uint8_t *out = (uint8_t *)m.out.data;
	linked_release(&m);
	return out;
}
