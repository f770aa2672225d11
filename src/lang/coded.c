#include "lang/coded.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/coded_impl.h"

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

bool coded_is_hex(uint8_t kind)
{
	return kind == CODED_HEX || kind == CODED_HEX_UPPER;
}

static bool is_utf16(uint8_t kind)
{
	return kind == CODED_UTF16_LE || kind == CODED_UTF16_BE;
}

int coded_value(uint8_t kind, uint8_t c)
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

uint32_t coded_characters(const struct coded *w, const uint8_t *bytes, uint8_t *out)
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

uint32_t coded_utf16(const struct coded *w, const uint8_t *bytes, uint8_t *out)
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

void coded_read(const struct coded *w, const uint8_t *bytes, uint8_t *out)
{
	if (w->kind == CODED_PLAIN)
		memcpy(out, bytes + w->begin, w->size);
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

uint8_t *coded_write(const struct coded *w, const uint8_t *data, uint32_t size, struct arena *arena,
                     uint32_t *len)
{
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
	struct edit moved = edit_copy(arena, edit);
	struct edit_part *parts = arena_alloc(arena, edit.n * sizeof *parts);
	memcpy(parts, moved.parts, edit.n * sizeof *parts);
	for (uint32_t i = 0; i < edit.n; i++) {
		parts[i].begin += begin;
		parts[i].end += begin;
	}
	return (struct edit){ edit.n, parts };
}

/* DATA after EDIT, in ARENA. */
static uint8_t *edited(const uint8_t *data, uint32_t size, struct edit edit, struct arena *arena,
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
	if (w->kind == CODED_PLAIN)
		return moved_on(edit, w->begin, arena);
	const uint8_t *now = edited(data, w->size, edit, arena, &size);
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
