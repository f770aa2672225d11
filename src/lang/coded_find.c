/* Finding coded words. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/coded.h"
#include "lang/coded_impl.h"
#include "binary/records.h"
#include "text/testcase.h"

enum {
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
	while (at < f->end && coded_value(kind, f->bytes[at]) >= 0)
		at++;
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
	MEM_GROW(f->out->list, f->out->n, f->out->cap);
	f->out->list[f->out->n++] = w;
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

static void find_words(struct finder *f)
{
	static const uint8_t kinds[] = { CODED_HEX, CODED_HEX_UPPER, CODED_BASE64,
		                         CODED_BASE64_URL };
	uint32_t tried[sizeof kinds] = { 0 }; /* where the last run of each ended */
	for (uint32_t at = f->begin; at < f->end;) {
		uint32_t next = at + 1;
		bool found = false;
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
	MEM_GROW(f->out->list, f->out->n, f->out->cap);
	f->out->list[f->out->n++] = w;
	return true;
}

void coded_find(const uint8_t *bytes, uint32_t begin, uint32_t end, struct coded_list *out)
{
	struct finder f = { .bytes = bytes, .begin = begin, .end = end, .out = out };
	if (!find_utf16(&f))
		find_words(&f);
}

void coded_release(struct coded_list *list)
{
	free(list->list);
}
