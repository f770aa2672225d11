#include "binary/linked_def.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"

enum { WORDS_MOST = 16 /* in a line */ };

struct line {
	char *words[WORDS_MOST];
	uint32_t n;
	bool wide; /* are its numbers? */
};

/* A symbol by its hash. */
struct hashed {
	uint32_t hash, symbol;
};

static uint64_t value_of(const struct line *l, uint32_t i)
{
	uint64_t value = i < l->n ? strtoull(l->words[i], NULL, 0) : 0;
	return l->wide ? value : (uint32_t)value;
}

static bool is_letter(char c)
{
	return c > ' ' && c < 0x7f;
}

/* The line at TEXT, of which the words end with zeros then; where the next one begins. */
static char *split(char *text, struct line *l)
{
	char *end = text + strcspn(text, "\n");
	char *next = *end ? end + 1 : end;
	*end = 0;
	for (l->n = 0; text < end; text++) {
		if (!is_letter(*text) || l->n == WORDS_MOST)
			continue;
		l->words[l->n++] = text;
		while (is_letter(*text))
			text++;
		*text = 0;
	}
	return next;
}

static int digit_of(char c)
{
	return code_digit(CODE_HEX, (uint8_t)c);
}

static void take_piece(struct linked *m, const struct line *l)
{
	struct piece p = { .at = value_of(l, 1), .access = (uint32_t)value_of(l, 2) & 7 };
	size_t from = m->data.len;
	if (!strcmp(l->words[0], "zeros")) {
		p.data = NOT_SAID;
		p.size = value_of(l, 3);
	} else {
		p.data = (uint32_t)from;
		for (uint32_t i = 3; i < l->n; i++)
			for (const char *s = l->words[i];
			     digit_of(s[0]) >= 0 && digit_of(s[1]) >= 0; s += 2)
				buf_addch(&m->data, (char)(digit_of(s[0]) << 4 | digit_of(s[1])));
		p.size = m->data.len - from;
	}
	uint64_t most = m->head.form.wide ? (uint64_t)1 << 62 : UINT32_MAX;
	if (p.size && p.size < most && p.at < most - p.size)
		MEM_PUSH(m->pieces, m->n_pieces, m->cap_pieces, p);
}

static void take_row(struct row **list, uint32_t *n, size_t *cap, const struct line *l)
{
	struct row row = { .text = l->words[2] };
	for (uint32_t i = 0; i < 6; i++)
		row.n[i] = value_of(l, i + 1);
	MEM_PUSH(*list, *n, *cap, row);
}

/* An entry, of which the last number says how it is read. */
static void take_entry(struct linked *m, const struct line *l)
{
	struct tables *t = &m->t;
	uint64_t tag = value_of(l, 1);
	bool may_be = entry_word(tag) == *l->words[0] && t->n_entries < ELF_ENTRIES_MOST / 4;
	for (uint32_t i = 0; i < t->n_entries; i++)
		may_be &= tag == TAG_NEEDED || t->entries[i].n[0] != tag;
	if (!may_be)
		return;
	take_row(&t->entries, &t->n_entries, &t->cap_entries, l);
	t->entries[t->n_entries - 1].n[5] = (uint8_t)*l->words[0];
}

static void take_symbol(struct linked *m, const struct line *l)
{
	struct symbol s = { .name = l->words[1],
		            .info = (uint32_t)value_of(l, 2) & 0xff,
		            .other = (uint32_t)value_of(l, 3) & 0xff,
		            .section = (uint32_t)value_of(l, 4) & 0xffff,
		            .value = value_of(l, 5),
		            .size = value_of(l, 6) };
	if (s.section && s.section != SECTION_ABSOLUTE)
		s.section = 1;
	MEM_PUSH(m->t.symbols, m->t.n_symbols, m->t.cap_symbols, s);
}

/* Its symbol is a place in the data, where its name is, until all of them are known. */
static void take_relocation(struct linked *m, const struct line *l)
{
	struct relocation r = { .address = value_of(l, 1),
		                .addend = value_of(l, 3),
		                .type = (uint32_t)value_of(l, 2),
		                .symbol = NOT_SAID };
	if (l->n > 4) {
		r.symbol = (uint32_t)m->data.len;
		buf_add(&m->data, l->words[4], strlen(l->words[4]) + 1);
	}
	MEM_PUSH(m->t.relocations, m->t.n_relocations, m->t.cap_relocations, r);
}

static void take_head(struct linked *m, const struct line *l)
{
	struct head *h = &m->head;
	h->form = (struct form){ value_of(l, 1) == 2, value_of(l, 2) == 2 };
	h->system = (uint32_t)value_of(l, 3) & 0xff;
	h->type = (uint32_t)value_of(l, 4) & 0xffff;
	h->machine = (uint32_t)value_of(l, 5) & 0xffff;
	h->flags = (uint32_t)value_of(l, 6);
	h->entry = value_of(l, 7);
	h->access = ((uint32_t)value_of(l, 8) & 7) | 4;
	h->own = l->n < 10 || *l->words[9] == 'o';
}

static void take_line(struct linked *m, const struct line *l)
{
	const char *what = l->words[0];
	if (!strcmp(what, "elf"))
		take_head(m, l);
	else if (!strcmp(what, "fixed"))
		m->head.fixed = true;
	else if (!strcmp(what, "hash"))
		m->head.hash = true;
	else if (!strcmp(what, "gnu-hash"))
		m->head.gnu_hash = true;
	else if (!strcmp(what, "bytes") || !strcmp(what, "zeros"))
		take_piece(m, l);
	else if (!strcmp(what, "symbol") && l->n > 4)
		take_symbol(m, l);
	else if (!strcmp(what, "relocation") && l->n > 2)
		take_relocation(m, l);
	else if (!strcmp(what, "segment") && l->n > 4)
		take_row(&m->t.segments, &m->t.n_segments, &m->t.cap_segments, l);
	else if ((!strcmp(what, "text") || !strcmp(what, "value") || !strcmp(what, "address") ||
	          !strcmp(what, "range")) &&
	         l->n > 2)
		take_entry(m, l);
}

/* ---- what of them is sound ---- */

uint32_t linked_piece(const struct linked *m, uint64_t address)
{
	uint32_t i = MEM_FIRST(m->pieces, m->n_pieces, at, address);
	if (i < m->n_pieces && m->pieces[i].at == address)
		return i;
	return i && address - m->pieces[i - 1].at <= m->pieces[i - 1].size ? i - 1 : i;
}

bool linked_says(const struct linked *m, uint64_t address, uint64_t size)
{
	uint32_t i = linked_piece(m, address);
	for (; size && i < m->n_pieces && m->pieces[i].at <= address; i++) {
		uint64_t left = m->pieces[i].at + m->pieces[i].size - address;
		if (left >= size)
			return true;
		address += left;
		size -= left;
	}
	return false;
}

static void sort_pieces(struct linked *m)
{
	uint32_t n = 0;
	MEM_SORT_BY_TWO(m->pieces, m->n_pieces, at, data);
	for (uint32_t i = 0; i < m->n_pieces; i++)
		if (!n || m->pieces[n - 1].at + m->pieces[n - 1].size <= m->pieces[i].at)
			m->pieces[n++] = m->pieces[i];
	m->n_pieces = n;
}

static bool is_plain(const struct symbol *s)
{
	return !s->section || s->info < 16;
}

/* Those that a table of hashes has come last. */
static void order_symbols(struct tables *t)
{
	struct symbol *list = mem_zero(t->n_symbols + (size_t)1, sizeof *list);
	uint32_t n = 1;
	for (int hashed = 0; hashed < 2; hashed++) {
		for (uint32_t i = 0; i < t->n_symbols; i++)
			if (is_plain(&t->symbols[i]) == !hashed)
				list[n++] = t->symbols[i];
		t->n_plain = hashed ? t->n_plain : n;
	}
	free(t->symbols);
	t->symbols = list;
	t->n_symbols = n;
}

/* Relocations of what is there by what is there. */
static void find_symbols(struct linked *m)
{
	struct tables *t = &m->t;
	MEM_SCOPED struct hashed *by = mem_alloc(t->n_symbols * sizeof *by);
	for (uint32_t i = 1; i < t->n_symbols; i++)
		by[i - 1] = (struct hashed){ form_hash_of_gnu(t->symbols[i].name), i };
	MEM_SORT_BY(by, t->n_symbols - 1, hash);
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n_relocations; i++) {
		struct relocation r = t->relocations[i];
		if (!linked_says(m, r.address, form_word(m->head.form)))
			continue;
		const char *name = r.symbol == NOT_SAID ? NULL : m->data.data + r.symbol;
		uint32_t hash = name ? form_hash_of_gnu(name) : 0;
		uint32_t k = name ? MEM_FIRST(by, t->n_symbols - 1, hash, hash) : 0;
		while (name && k < t->n_symbols - 1 && by[k].hash == hash &&
		       strcmp(t->symbols[by[k].symbol].name, name) != 0)
			k++;
		if (name && (k == t->n_symbols - 1 || by[k].hash != hash))
			continue;
		r.symbol = name ? by[k].symbol : 0;
		t->relocations[n++] = r;
	}
	t->n_relocations = n;
}

/* Segments of which something is there. */
static void keep_segments(struct linked *m)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < m->t.n_segments; i++) {
		const struct row *s = &m->t.segments[i];
		uint64_t at = s->n[2], end = at + s->n[3];
		if (s->n[0] == SEGMENT_LOAD || s->n[0] == SEGMENT_DYNAMIC)
			continue;
		uint32_t k = linked_piece(m, at);
		k += k < m->n_pieces && m->pieces[k].at + m->pieces[k].size == at;
		if (s->n[0] == SEGMENT_HEADS || at == end ||
		    (k < m->n_pieces && m->pieces[k].at < end))
			m->t.segments[n++] = *s;
	}
	m->t.n_segments = n;
}

static void add_string(struct linked *m, const char *text)
{
	buf_add(&m->strings, text, strlen(text) + 1);
}

/* The texts of entries and names of symbols, which then say where these are. */
static void add_strings(struct linked *m)
{
	add_string(m, "");
	for (uint32_t i = 0; i < m->t.n_entries; i++)
		if (m->t.entries[i].n[5] == 't') {
			m->t.entries[i].n[1] = m->strings.len;
			add_string(m, m->t.entries[i].text);
		}
	for (uint32_t i = 1; i < m->t.n_symbols; i++) {
		m->t.symbols[i].at = (uint32_t)m->strings.len;
		add_string(m, m->t.symbols[i].name);
	}
}

bool linked_parse(struct linked *m, const uint8_t *said, uint32_t len)
{
	m->text = mem_printf("%.*s", (int)len, (const char *)said);
	for (char *at = m->text; *at;) {
		struct line line;
		work_step(WORDS_MOST);
		at = split(at, &line);
		line.wide = m->head.form.wide || !m->head.type;
		if (line.n && (m->head.type || !strcmp(line.words[0], "elf") ||
		               !strcmp(line.words[0], "fixed")))
			take_line(m, &line);
	}
	sort_pieces(m);
	order_symbols(&m->t);
	find_symbols(m);
	keep_segments(m);
	add_strings(m);
	return m->head.type == TYPE_PROGRAM || m->head.type == TYPE_LIBRARY;
}

void linked_release(struct linked *m)
{
	free(m->text);
	free(m->pieces);
	free(m->loads);
	free(m->t.entries);
	free(m->t.segments);
	free(m->t.symbols);
	free(m->t.relocations);
	buf_release(&m->data);
	buf_release(&m->strings);
}
