#include "lang/coded.h"

#include "base/mem.h"
#include "base/work.h"
#include "binary/anew.h"
#include "binary/layers.h"
#include "binary/records.h"
#include "text/testcase.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char digits[] = "0123456789abcdef", upper_digits[] = "0123456789ABCDEF";

static const char *alphabet(uint8_t kind)
{
	switch (kind) {
	case CODED_BASE64:
		return letters;
	case CODED_BASE64_URL:
		return url_letters;
	default:
		return kind == CODED_HEX ? digits : upper_digits;
	}
}

static bool coded_is_hex(uint8_t kind)
{
	return kind == CODED_HEX || kind == CODED_HEX_UPPER;
}

/* Does a word of KIND say its own bytes? */
static bool is_plain(uint8_t kind)
{
	return kind == CODED_PLAIN || kind == CODED_MEMBER;
}

static bool is_utf16(uint8_t kind)
{
	return kind == CODED_UTF16_LE || kind == CODED_UTF16_BE;
}

/* The value of C as a character of KIND, which is not UTF-16; -1: it is none. */
static int coded_value(uint8_t kind, uint8_t c)
{
	if (c >= '0' && c <= '9')
		return coded_is_hex(kind) ? c - '0' : c - '0' + 52;
	if (coded_is_hex(kind)) {
		uint8_t a = kind == CODED_HEX ? 'a' : 'A';
		return c >= a && c < a + 6 ? c - a + 10 : -1;
	}
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c == (kind == CODED_BASE64 ? '+' : '-'))
		return 62;
	return c == (kind == CODED_BASE64 ? '/' : '_') ? 63 : -1;
}

/* ---- reading and writing ---- */

/* What the characters of WORD mean, without line breaks and padding, at OUT; returns bytes. */
static uint32_t coded_characters(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	uint32_t bits = 0, have = 0, n = 0, width = coded_is_hex(w->kind) ? 4 : 6, column = 0;
	for (uint32_t at = w->begin; at < w->end; column++) {
		if (w->line && column == w->line) {
			at += w->n_break;
			column = 0;
			if (at >= w->end)
				break; /* it was the padding that is there */
		}
		int value = coded_value(w->kind, bytes[at++]);
		if (value < 0)
			break; /* the padding */
		work_step(1);
		bits = bits << width | (uint32_t)value;
		have += width;
		if (have >= 8) {
			have -= 8;
			out[n++] = (uint8_t)(bits >> have);
		}
	}
	return n;
}

static uint32_t unit_at(const uint8_t *p, uint8_t kind)
{
	return kind == CODED_UTF16_LE ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
}

static uint32_t put_utf8(uint32_t c, uint8_t *out)
{
	uint32_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for (uint32_t i = n; i-- > 1; c >>= 6)
		out[i] = (uint8_t)(0x80 | (c & 63));
	out[0] = (uint8_t)(first[n] | c);
	return n;
}

/* UTF-16 as UTF-8 at OUT, which may be NULL; returns bytes, UINT32_MAX when it is none. */
static uint32_t coded_utf16(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	uint32_t n = 0;
	uint8_t room[4] = { 0 };
	for (uint32_t at = w->begin; at < w->end; at += 2) {
		uint32_t c = unit_at(bytes + at, w->kind);
		if (c >= 0xd800 && c < 0xe000) {
			uint32_t low = c < 0xdc00 && at + 4 <= w->end
			                       ? unit_at(bytes + at + 2, w->kind)
			                       : 0;
			if (low < 0xdc00 || low >= 0xe000)
				return UINT32_MAX;
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			at += 2;
		}
		if (!c)
			return UINT32_MAX;
		n += put_utf8(c, out ? out + n : room);
	}
	return n;
}

static void read_blocks(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	struct element *blocks;
	uint32_t n = stored_list(bytes, w->form, w->begin, w->end, &blocks);
	for (uint32_t i = 0; i < n; i++) {
		memcpy(out, bytes + blocks[i].begin, blocks[i].end - blocks[i].begin);
		out += blocks[i].end - blocks[i].begin;
	}
	free(blocks);
}

/* What W, which is made anew after an edit, says, and *SIZE of it; the caller's. NULL: it is none.
 */
static uint8_t *read_made(const struct coded *w, const uint8_t *bytes, uint32_t *size)
{
	return anew_kinds[w->form].read(bytes + w->begin, w->end - w->begin, size);
}

static void copy_made(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	uint32_t size;
	MEM_SCOPED uint8_t *made = read_made(w, bytes, &size);
	if (made)
		memcpy(out, made, size < w->size ? size : w->size);
}

void coded_read(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	if (is_plain(w->kind))
		memcpy(out, bytes + w->begin, w->size);
	else if (w->kind == CODED_STORED)
		read_blocks(w, bytes, out);
	else if (coded_is_made(w->kind))
		copy_made(w, bytes, out);
	else if (is_utf16(w->kind))
		coded_utf16(w, bytes, out);
	else
		coded_characters(w, bytes, out);
}

static uint32_t put_unit(uint32_t unit, uint8_t kind, uint8_t *out)
{
	out[kind == CODED_UTF16_BE] = (uint8_t)unit;
	out[kind == CODED_UTF16_LE] = (uint8_t)(unit >> 8);
	return 2;
}

/* The character at P, before END; bytes that are no UTF-8 are characters of that number. */
static uint32_t take_utf8(const uint8_t *p, const uint8_t *end, uint32_t *width)
{
	uint32_t n = *p < 0xc2 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 1;
	uint32_t c = n == 1 ? *p : *p & (0x7fu >> n);
	*width = 1;
	if (n > (size_t)(end - p))
		return *p;
	for (uint32_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return *p;
		c = c << 6 | (p[i] & 63);
	}
	*width = n;
	return c;
}

static uint32_t write_utf16(uint8_t kind, const uint8_t *data, uint32_t size, uint8_t *out)
{
	uint32_t n = 0, width;
	for (uint32_t at = 0; at < size; at += width) {
		uint32_t c = take_utf8(data + at, data + size, &width);
		if (c >= 0x10000) {
			n += put_unit(0xd800 + ((c - 0x10000) >> 10), kind, out + n);
			c = 0xdc00 + ((c - 0x10000) & 0x3ff);
		}
		n += put_unit(c, kind, out + n);
	}
	return n;
}

struct writer {
	const struct coded *word;
	uint8_t *out;
	uint32_t n, column;
};

static void put_character(struct writer *w, char c)
{
	if (w->word->line && w->column == w->word->line) {
		memcpy(w->out + w->n, w->word->line_break, w->word->n_break);
		w->n += w->word->n_break;
		w->column = 0;
	}
	w->out[w->n++] = (uint8_t)c;
	w->column++;
}

static uint32_t write_characters(const struct coded *word, const uint8_t *data, uint32_t size,
                                 uint8_t *out)
{
	struct writer w = { .word = word, .out = out };
	const char *all = alphabet(word->kind);
	uint32_t bits = 0, have = 0, width = coded_is_hex(word->kind) ? 4 : 6, n = 0;
	for (uint32_t i = 0; i < size; i++) {
		bits = bits << 8 | data[i];
		for (have += 8; have >= width; n++) {
			have -= width;
			put_character(&w, all[bits >> have & ((1u << width) - 1)]);
		}
	}
	if (have) {
		put_character(&w, all[bits << (width - have) & ((1u << width) - 1)]);
		n++;
	}
	for (; word->padded && n % 4; n++)
		put_character(&w, '=');
	return w.n;
}

static uint8_t *write_made(const struct coded *w, const uint8_t *data, uint32_t size,
                           struct arena *arena, uint32_t *len)
{
	MEM_SCOPED uint8_t *made = anew_kinds[w->form].make(data, size, len);
	*len = made ? *len : 0;
	uint8_t *out = arena_copy(arena, made, *len);
	return out;
}

uint8_t *coded_write(const struct coded *w, const uint8_t *data, uint32_t size, struct arena *arena,
                     uint32_t *len)
{
	if (coded_is_made(w->kind))
		return write_made(w, data, size, arena, len);
	size_t characters = coded_is_hex(w->kind) || is_utf16(w->kind) ? 2 * (size_t)size
	                                                               : (size_t)size / 3 * 4 + 4;
	size_t room = characters + (w->line ? characters / w->line * w->n_break : 0);
	uint8_t *out = arena_alloc(arena, room + 1);
	*len = is_utf16(w->kind) ? write_utf16(w->kind, data, size, out)
	                         : write_characters(w, data, size, out);
	return out;
}

/* EDIT of what stands BEGIN bytes further on. */
static struct edit moved_on(struct edit edit, uint32_t begin, struct arena *arena)
{
	struct edit_part *parts = arena_copy(arena, edit.parts, edit.n * sizeof *parts);
	for (uint32_t i = 0; i < edit.n; i++) {
		parts[i].begin += begin;
		parts[i].end += begin;
	}
	return (struct edit){ edit.n, parts };
}

/* EDIT of what the blocks of W hold: a part of several is one in each; one of which nothing is left
 * goes with its header, unless it is the last. */
static struct edit in_blocks(const struct coded *w, const uint8_t *bytes, struct edit edit,
                             struct arena *arena)
{
	struct element *blocks;
	uint32_t n = stored_list(bytes, w->form, w->begin, w->end, &blocks), out = 0, held = 0,
		 k = 0;
	struct edit_part *parts = arena_alloc(arena, (edit.n + (size_t)n) * sizeof *parts);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = blocks[i].end - blocks[i].begin, end = held + size;
		for (; k < edit.n && edit.parts[k].begin <= end; k++) {
			struct edit_part p = edit.parts[k];
			bool goes_on = p.end > end && i + 1 < n, began = p.begin < held;
			uint32_t from = began ? held : p.begin, to = goes_on ? end : p.end;
			if (from == end && goes_on)
				break;
			bool all = size && from == held && to == end && i + 1 < n;
			p.begin = blocks[i].begin + (from - held);
			p.end = blocks[i].begin + (to - held);
			p.len = began ? 0 : p.len;
			p.text = began ? NULL : p.text;
			p.begin -= all && !p.len ? stored_form(w->form)->header : 0;
			parts[out++] = p;
			if (goes_on)
				break;
		}
		held = end;
	}
	free(blocks);
	return (struct edit){ out, parts };
}

struct edit coded_inner(const struct coded *w, const uint8_t *bytes, struct edit edit,
                        struct arena *arena)
{
	struct element *blocks;
	uint32_t n = stored_list(bytes, w->form, w->begin, w->end, &blocks), out = 0, held = 0,
		 k = 0;
	struct edit_part *parts = arena_alloc(arena, (edit.n + (size_t)n + 1) * sizeof *parts);
	for (uint32_t i = 0; i < n; held += blocks[i].end - blocks[i].begin, i++) {
		struct element b = blocks[i];
		while (k < edit.n && edit.parts[k].end < b.begin)
			k++;
		for (; k < edit.n && edit.parts[k].begin <= b.end; k++) {
			struct edit_part p = edit.parts[k];
			uint32_t from = p.begin > b.begin ? p.begin : b.begin;
			uint32_t to = p.end < b.end ? p.end : b.end;
			if (from == to && p.end > b.end)
				break;
			if (from == to && (p.begin < p.end || !p.len))
				continue;
			bool on = out && !parts[out - 1].len && parts[out - 1].end == held;
			if (on && from == b.begin && p.begin < b.begin)
				parts[out - 1].end = held + to - b.begin;
			else
				parts[out++] =
					(struct edit_part){ held + from - b.begin,
					                    held + to - b.begin, p.len, p.text };
			if (p.end > b.end)
				break;
		}
	}
	free(blocks);
	return (struct edit){ out, parts };
}

uint8_t *coded_edited(const uint8_t *data, uint32_t size, struct edit edit, struct arena *arena,
                      uint32_t *len)
{
	uint8_t *out = arena_alloc(arena, (size_t)((int64_t)size - edit_saving(edit)) + 1);
	uint32_t at = 0, n = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		memcpy(out + n, data + at, p->begin - at);
		n += p->begin - at;
		if (p->len)
			memcpy(out + n, p->text, p->len);
		n += p->len;
		at = p->end;
	}
	memcpy(out + n, data + at, size - at);
	*len = n + size - at;
	return out;
}

struct edit coded_edit(const struct coded *w, const uint8_t *bytes, const uint8_t *data,
                       struct edit edit, struct arena *arena)
{
	uint32_t size, len, front = 0, back = 0, old = w->end - w->begin;
	if (!edit.n)
		return edit;
	if (is_plain(w->kind))
		return moved_on(edit, w->begin, arena);
	if (w->kind == CODED_STORED)
		return in_blocks(w, bytes, edit, arena);
	const uint8_t *now = coded_edited(data, w->size, edit, arena, &size);
	const uint8_t *text = coded_write(w, now, size, arena, &len), *was = bytes + w->begin;
	while (front < len && front < old && text[front] == was[front])
		front++;
	while (back < len - front && back < old - front &&
	       text[len - 1 - back] == was[old - 1 - back])
		back++;
	if (front == len && front == old)
		return EDIT_NONE;
	return edit_replace(arena, w->begin + front, w->end - back, text + front,
	                    len - front - back);
}

/* Finding coded words. */

enum {
	LOOKED_AT = 8,   /* steps of what is looked at where a word may begin */
	LEAST = 16,      /* characters of a word */
	LINE_LEAST = 16, /* of a line of several */
	OPAQUE = 100, /* what says fewer bytes, neither text nor announced, is a key or checksum */
	HEX_LEAST = 32,
	ANNOUNCED = 240,     /* bytes before a word in which "base64" says what it is */
	UTF16_LEAST = 8,     /* bytes of a file without a mark that is UTF-16 */
	INDENT = 32,         /* blanks in front of a line */
	REMEMBERED = 1 << 16 /* bytes in which records are looked for */
};

struct finder {
	const uint8_t *bytes;
	uint32_t begin, end;
	struct coded_list *out;
	uint32_t joined[CODED_HEX_UPPER +
	                1]; /* of each kind: lines before that are no word together */
};

static uint32_t run_end(const struct finder *f, uint8_t kind, uint32_t at)
{
	for (; at < f->end && coded_value(kind, f->bytes[at]) >= 0; at++)
		work_step(1);
	return at;
}

/* The length of the line break at AT, as it is or as strings write it, with the blanks behind it;
 * 0: there is none. */
static uint32_t break_at(const struct finder *f, uint32_t at)
{
	static const char *const breaks[] = { "\n", "\r\n", "\\n", "\\r\\n" };
	for (uint32_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
		uint32_t n = (uint32_t)strlen(breaks[i]);
		if (f->end - at < n || memcmp(f->bytes + at, breaks[i], n) != 0)
			continue;
		while (n < INDENT && at + n < f->end &&
		       (f->bytes[at + n] == ' ' || f->bytes[at + n] == '\t'))
			n++;
		return n;
	}
	return 0;
}

/* Where W ends, whose first line ends at END: behind as many lines as are as long, and one that is
 * shorter and no word of a sentence. */
static uint32_t take_lines(const struct finder *f, struct coded *w, uint32_t end)
{
	uint32_t line = end - w->begin, n = break_at(f, end), length = line;
	if (line < LINE_LEAST || line % 4 || !n)
		return end;
	memcpy(w->line_break, f->bytes + end, n);
	w->n_break = (uint8_t)n;
	while (length == line && f->end - end > n && !memcmp(f->bytes + end, w->line_break, n)) {
		uint32_t next = run_end(f, w->kind, end + n);
		length = next - end - n;
		if (!length || length > line || (next < f->end && f->bytes[next] == ' '))
			break;
		w->line = line;
		end = next;
	}
	return end;
}

static bool printable(const uint8_t *bytes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (bytes[i] < ' ' && !strchr("\t\n\r\f", bytes[i]))
			return false;
	return testcase_utf8(bytes, n);
}

static bool has_records(const uint8_t *bytes, uint32_t n)
{
	struct records *r = n <= REMEMBERED ? records_find(bytes, n) : NULL;
	bool any = r && r->n;
	records_unref(r);
	return any;
}

/* Does something in front of the word say that it is base64? */
static bool announced(const struct finder *f, uint32_t at)
{
	uint32_t from = at - f->begin > ANNOUNCED ? at - ANNOUNCED : f->begin;
	for (uint32_t i = from; i + 6 <= at; i++)
		if (!memcmp(f->bytes + i, "base64", 6) || !memcmp(f->bytes + i, "BASE64", 6) ||
		    !memcmp(f->bytes + i, "-----", 5))
			return true;
	return false;
}

/* Characters of all kinds, as what is random has them, and names and paths have not. */
static bool mixed(const struct finder *f, const struct coded *w)
{
	uint32_t upper = 0, lower = 0, digit = 0, n = w->end - w->begin;
	for (uint32_t at = w->begin; at < w->end; at++) {
		upper += f->bytes[at] >= 'A' && f->bytes[at] <= 'Z';
		lower += f->bytes[at] >= 'a' && f->bytes[at] <= 'z';
		digit += f->bytes[at] >= '0' && f->bytes[at] <= '9';
	}
	return coded_is_hex(w->kind) ? digit < n : upper > n / 8 && lower > n / 8 && digit > n / 32;
}

/* Is W what it seems? DATA is what it says. */
static bool speaks(const struct finder *f, const struct coded *w, const uint8_t *data)
{
	if (w->size && printable(data, w->size))
		return true;
	if (!coded_is_hex(w->kind) && w->size >= LEAST && announced(f, w->begin))
		return true;
	return mixed(f, w) && (w->size >= OPAQUE || has_records(data, w->size));
}

/* Adds W when writing what it says gives it back. */
static bool add(struct finder *f, struct coded w)
{
	struct arena scratch = { 0 };
	uint8_t *data = arena_alloc(&scratch, w.end - w.begin + (size_t)1);
	uint32_t len;
	w.size = coded_characters(&w, f->bytes, data);
	const uint8_t *text = coded_write(&w, data, w.size, &scratch, &len);
	bool fine = len == w.end - w.begin && !memcmp(text, f->bytes + w.begin, len) &&
	            speaks(f, &w, data);
	arena_release(&scratch);
	if (!fine)
		return false;
	MEM_PUSH(f->out->list, f->out->n, f->out->cap, w);
	return true;
}

static bool is_wordy(uint8_t c)
{
	return coded_value(CODED_BASE64_URL, c) >= 0 && c != '-';
}

/* Adds W with the padding behind it, or says where that would have ended. */
static bool add_padded(struct finder *f, struct coded w, uint32_t *next)
{
	bool hex = coded_is_hex(w.kind);
	uint32_t pads = 0;
	while (!hex && pads < 2 && w.end + pads < f->end && f->bytes[w.end + pads] == '=')
		pads++;
	w.end += pads;
	w.padded = pads || w.kind == CODED_BASE64;
	if (w.end < f->end && is_wordy(f->bytes[w.end]))
		return false;
	*next = w.end;
	if (add(f, w))
		return true;
	w.padded = false;
	return !hex && !pads && add(f, w);
}

/* The word of KIND that begins at AT, where the run of its characters ends at END. Lines that are
 * no word together are not put together again from the second one on, which would take quadratic
 * time. */
static bool take(struct finder *f, uint8_t kind, uint32_t at, uint32_t end, uint32_t *next)
{
	const struct coded one = { .begin = at, .end = end, .kind = kind };
	struct coded w = one;
	if (end - at < (coded_is_hex(kind) ? HEX_LEAST : LEAST))
		return false;
	if (at >= f->joined[kind])
		w.end = take_lines(f, &w, end);
	if (w.line && add_padded(f, w, next))
		return true;
	if (w.line)
		f->joined[kind] = w.end;
	return add_padded(f, one, next);
}

/* Where the characters of any kind end that are at AT. */
static uint32_t any_end(const struct finder *f, const bool *any, uint32_t at)
{
	uint32_t end = at;
	while (end < f->end && any[f->bytes[end]])
		end++;
	work_step(1 + (end - at) / LOOKED_AT);
	return end;
}

static void find_words(struct finder *f)
{
	static const uint8_t kinds[] = { CODED_HEX, CODED_HEX_UPPER, CODED_BASE64,
		                         CODED_BASE64_URL };
	uint32_t tried[sizeof kinds] = { 0 }; /* where the last run of each ended */
	bool any[UINT8_MAX + 1] = { false };
	for (unsigned c = 0; c <= UINT8_MAX; c++)
		any[c] = coded_value(CODED_BASE64, (uint8_t)c) >= 0 ||
		         coded_value(CODED_BASE64_URL, (uint8_t)c) >= 0;
	for (uint32_t at = f->begin, end = at; at < f->end;) {
		uint32_t next = at + 1;
		bool found = false;
		if (at >= end)
			end = any_end(f, any, at);
		if (end - at < LEAST) {
			at = end > at ? end : next;
			continue;
		}
		work_step(LOOKED_AT);
		if (f->bytes[at] == '0' && next < f->end && (f->bytes[next] | 32) == 'x')
			at += 2; /* a prefix of hex digits */
		for (uint32_t k = 0; k < sizeof kinds && !found; k++) {
			if (at < tried[k])
				continue;
			tried[k] = run_end(f, kinds[k], at);
			found = take(f, kinds[k], at, tried[k], &next);
		}
		if (!found)
			next = run_end(f, CODED_BASE64, at);
		at = next > at ? next : at + 1;
	}
}

/* A file in UTF-16, by its mark or, without one, by the zeros of what is mostly ASCII. */
static bool find_utf16(struct finder *f)
{
	const uint8_t *p = f->bytes + f->begin;
	uint32_t size = f->end - f->begin;
	struct coded w = { .begin = f->begin, .end = f->end };
	if (size < 4 || size % 2)
		return false;
	bool little = p[0] == 0xff && p[1] == 0xfe, big = p[0] == 0xfe && p[1] == 0xff;
	if (little || big)
		w.begin += 2;
	else if (size < UTF16_LEAST || !p[0] + !p[1] != 1 || !p[0] != !p[2] || !p[1] != !p[3])
		return false;
	w.kind = big || !p[0] ? CODED_UTF16_BE : CODED_UTF16_LE;
	w.size = coded_utf16(&w, f->bytes, NULL);
	if (w.size == UINT32_MAX)
		return false;
	MEM_PUSH(f->out->list, f->out->n, f->out->cap, w);
	return true;
}

bool coded_may_be_made(const uint8_t *bytes, uint32_t size)
{
	return anew_kind(bytes, size) < ANEW_KINDS;
}

/* A file that is what is made of what it says. */
static bool find_made(struct finder *f)
{
	const uint8_t *p = f->bytes + f->begin;
	uint32_t size = f->end - f->begin;
	struct coded w = { .begin = f->begin, .end = f->end, .kind = CODED_ANEW };
	w.form = anew_kind(p, size);
	MEM_SCOPED uint8_t *said = anew_is_open(p, size) ? read_made(&w, f->bytes, &w.size) : NULL;
	if (said)
		MEM_PUSH(f->out->list, f->out->n, f->out->cap, w);
	return said;
}

void coded_find(const uint8_t *bytes, uint32_t begin, uint32_t end, struct coded_list *out)
{
	struct finder f = { .bytes = bytes, .begin = begin, .end = end, .out = out };
	if (!find_made(&f) && !find_utf16(&f))
		find_words(&f);
}

void coded_release(struct coded_list *list)
{
	free(list->list);
}
