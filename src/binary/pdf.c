#include "binary/pdf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/inflate.h"

enum {
	LOOK = 16,           /* what looking at a word costs */
	MOST_HELD = 1 << 26, /* bytes in what is packed */
	MOST_TEXT = 1 << 28, /* of all objects */
	HEAD = 2,            /* bytes of a stream in front of what is deflated */
};

/* An object, whole from its number to endobj, in the text that is written. */
struct object {
	uint32_t number, generation;
	size_t begin, end;
};

struct pdf {
	const uint8_t *bytes;
	uint32_t size;
	struct inflater *inflater;
	struct buf text; /* of all objects, one after another */
	struct object *objects;
	size_t n, cap;
	const uint8_t *trailer; /* the last one, if no stream of places stands behind it */
	bool opened;            /* something was packed */
	uint32_t root, info;    /* numbers; 0: none is said */
};

/* A part of the file. */
struct span {
	const uint8_t *at, *end;
};

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || !c;
}

static const uint8_t *skip_space(struct span s)
{
	while (s.at < s.end && is_space(*s.at))
		s.at++;
	return s.at;
}

static const uint8_t *find(struct span s, const char *word)
{
	return s.at < s.end ? memmem(s.at, (size_t)(s.end - s.at), word, strlen(word)) : NULL;
}

static bool begins(struct span s, const char *word)
{
	size_t len = strlen(word);
	return (size_t)(s.end - s.at) >= len && !memcmp(s.at, word, len);
}

/* Reads a number and what is blank behind it. */
static bool take_number(struct span *s, uint32_t *out)
{
	uint64_t n = 0;
	const uint8_t *from = s->at;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9' && n <= UINT32_MAX; s->at++)
		n = n * 10 + (uint64_t)(*s->at - '0');
	*out = (uint32_t)n;
	bool is = s->at > from && n <= UINT32_MAX;
	s->at = skip_space(*s);
	return is;
}

/* KEY in the dictionary S, and not what only begins like it. */
static const uint8_t *find_key(struct span s, const char *key)
{
	const uint8_t *at;
	for (; (at = find(s, key)); s.at = at + 1) {
		struct span behind = { at + strlen(key), s.end };
		if (behind.at == s.end || !isalnum(*behind.at))
			return at;
	}
	return NULL;
}

/* The number behind KEY of the dictionary S, if it is one; *INDIRECT: it names an object. */
static bool number_of(struct span s, const char *key, uint32_t *out, bool *indirect)
{
	uint32_t generation;
	const uint8_t *at = find_key(s, key);
	if (!at)
		return false;
	s.at = at + strlen(key);
	s.at = skip_space(s);
	if (!take_number(&s, out))
		return false;
	*indirect = take_number(&s, &generation) && begins(s, "R");
	return true;
}

static void begin_object(struct pdf *p, uint32_t number, uint32_t generation)
{
	MEM_GROW(p->objects, p->n, p->cap);
	p->objects[p->n++] = (struct object){ number, generation, p->text.len, 0 };
	buf_addf(&p->text, "%u %u obj\n", number, generation);
}

static void end_object(struct pdf *p)
{
	buf_addf(&p->text, "\nendobj\n");
	p->objects[p->n - 1].end = p->text.len;
}

/* What the stream of DATA holds, if it is packed by deflate and nothing else. */
static bool unpack(struct pdf *p, struct span dict, struct span data, struct inflated *out)
{
	unsigned filters = 0;
	for (struct span left = dict; (left.at = find(left, "Decode")); left.at++)
		filters++; /* also parameters of one */
	if (filters != 1 || !find_key(dict, "/FlateDecode") || data.end - data.at < HEAD + 1)
		return false;
	const struct inflate_piece piece = { HEAD, (uint32_t)(data.end - data.at) };
	return inflater_run(p->inflater, data.at, &piece, 1, MOST_HELD, out);
}

/* Objects N of a stream of them: numbers and places in front, from FIRST on the objects. */
static bool add_packed(struct pdf *p, struct span dict, struct inflated in)
{
	uint32_t n, first, number, at;
	bool n_is_named = false, first_is_named = false;
	if (!number_of(dict, "/N", &n, &n_is_named) ||
	    !number_of(dict, "/First", &first, &first_is_named) || n_is_named || first_is_named ||
	    first > in.size || n > p->size)
		return false;
	struct span head = { in.data, in.data + first };
	head.at = skip_space(head);
	for (uint32_t i = 0; i < n; i++) {
		if (!take_number(&head, &number) || !take_number(&head, &at) ||
		    at > in.size - first || number >= p->size)
			return false;
		struct span next = head;
		uint32_t end = in.size - first, ignored;
		if (i + 1 < n && (!take_number(&next, &ignored) || !take_number(&next, &end) ||
		                  end < at || end > in.size - first))
			return false;
		const uint8_t *from = in.data + first + at;
		while (end > at && is_space(from[end - at - 1]))
			end--;
		begin_object(p, number, 0);
		buf_add(&p->text, from, end - at);
		end_object(p);
	}
	return true;
}

/* The dictionary of a stream, as it is to be when LEN bytes stand in it as they are. */
static void add_dictionary(struct pdf *p, struct span dict, uint32_t len)
{
	const uint8_t *filter = find_key(dict, "/Filter"), *length = find_key(dict, "/Length");
	while (dict.at < dict.end) {
		if (dict.at == filter) {
			const uint8_t *name = find(dict, "/FlateDecode");
			dict.at = name + strlen("/FlateDecode");
			const uint8_t *behind = skip_space(dict);
			if (behind < dict.end && *behind == ']')
				dict.at = behind + 1;
		} else if (dict.at == length) {
			uint32_t ignored;
			dict.at += strlen("/Length");
			dict.at = skip_space(dict);
			take_number(&dict, &ignored);
			struct span more = dict;
			if (take_number(&more, &ignored) && begins(more, "R"))
				dict.at = more.at + 1;
			buf_addf(&p->text, "/Length %u ", len);
		} else {
			buf_add(&p->text, dict.at++, 1);
		}
	}
}

/* Where the data of a stream that begins at S.AT ends: as its dictionary says, or at the word. */
static const uint8_t *end_of_data(struct span s, struct span dict)
{
	uint32_t len;
	bool indirect = false;
	if (number_of(dict, "/Length", &len, &indirect) && !indirect &&
	    len <= (size_t)(s.end - s.at)) {
		struct span behind = { s.at + len, s.end };
		behind.at = skip_space(behind);
		if (begins(behind, "endstream"))
			return s.at + len;
	}
	return find(s, "endstream");
}

static void note_roots(struct pdf *p, struct span dict)
{
	uint32_t number;
	bool indirect = false;
	if (number_of(dict, "/Root", &number, &indirect) && indirect)
		p->root = number;
	if (number_of(dict, "/Info", &number, &indirect) && indirect)
		p->info = number;
}

/* The object of which the number was read, up to S.END, from what is behind `obj`. Gives what is
 * behind it; NULL: it does not end. */
static const uint8_t *add_object(struct pdf *p, uint32_t number, uint32_t generation, struct span s)
{
	const uint8_t *end = find(s, "endobj");
	const uint8_t *stream = end ? find((struct span){ s.at, end }, "stream") : NULL;
	struct span dict = { s.at, stream };
	struct inflated in;
	work_step((size_t)((end ? end : s.end) - s.at));
	if (!end || p->text.len > MOST_TEXT || number >= p->size)
		return NULL;
	if (!stream) {
		begin_object(p, number, generation);
		buf_add(&p->text, s.at, (size_t)(end - s.at));
		end_object(p);
		return end + strlen("endobj");
	}
	struct span data = { stream + strlen("stream"), s.end };
	data.at += begins(data, "\r\n") ? 2 : data.at < data.end && is_space(*data.at);
	const uint8_t *data_end = end_of_data(data, dict);
	struct span behind = { data_end, s.end };
	if (!data_end || !(end = find(behind, "endobj")))
		return NULL;
	data.end = data_end;
	bool open = unpack(p, dict, data, &in);
	if (find(dict, "/XRef")) {
		note_roots(p, dict);
		p->trailer = NULL;
	} else if (open && find(dict, "/ObjStm")) {
		if (!add_packed(p, dict, in))
			return NULL;
	} else {
		begin_object(p, number, generation);
		if (open)
			add_dictionary(p, dict, in.size);
		else
			buf_add(&p->text, s.at, (size_t)(stream - s.at));
		buf_addf(&p->text, "stream\n");
		buf_add(&p->text, open ? in.data : data.at,
		        open ? in.size : (size_t)(data.end - data.at));
		buf_addf(&p->text, "\nendstream");
		end_object(p);
	}
	p->opened |= open;
	return end + strlen("endobj");
}

/* All objects of the file; false: it is not understood. */
static bool add_objects(struct pdf *p)
{
	struct span s = { p->bytes, p->bytes + p->size };
	uint32_t number, generation;
	while (s.at < s.end) {
		struct span object = s;
		work_step(LOOK);
		if (begins(s, "trailer"))
			p->trailer = s.at;
		if (take_number(&object, &number) && take_number(&object, &generation) &&
		    begins(object, "obj")) {
			object.at += strlen("obj");
			s.at = add_object(p, number, generation, object);
			if (!s.at)
				return false;
			continue;
		}
		while (s.at < s.end && !is_space(*s.at))
			s.at++;
		s.at = skip_space(s);
	}
	if (p->trailer)
		note_roots(p, (struct span){ p->trailer, s.end });
	return p->opened && p->root;
}

/* By number, of several the one that stands last in the file. */
static int by_number(const void *a, const void *b)
{
	const struct object *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->begin < y->begin) - (x->begin > y->begin);
}

/* The table and what follows it, of numbers below N. Of objects, which are sorted, those whose end
 * is 0 were not written. */
static void add_table(const struct pdf *p, uint32_t n, struct buf *out)
{
	size_t at = out->len;
	buf_addf(out, "xref\n0 %u\n", n);
	for (uint32_t i = 0, k = 0; i < n; i++) {
		while (k < p->n && (p->objects[k].number < i || !p->objects[k].end))
			k++;
		if (k < p->n && p->objects[k].number == i)
			buf_addf(out, "%010zu %05u n \n", p->objects[k].begin,
			         p->objects[k].generation);
		else
			buf_addf(out, "0000000000 65535 f \n");
	}
	buf_addf(out, "trailer\n<< /Size %u /Root %u 0 R", n, p->root);
	if (p->info)
		buf_addf(out, " /Info %u 0 R", p->info);
	buf_addf(out, " >>\nstartxref\n%zu\n%%%%EOF\n", at);
}

static void write_file(struct pdf *p, struct buf *out)
{
	struct span s = { p->bytes, p->bytes + p->size };
	const uint8_t *line = s.at;
	while (line < s.end && *line != '\n' && *line != '\r')
		line++;
	buf_add(out, s.at, (size_t)(line - s.at));
	buf_addch(out, '\n');
	qsort(p->objects, p->n, sizeof *p->objects, by_number);
	uint32_t n = p->objects[p->n - 1].number + 1;
	for (size_t i = 0; i < p->n; i++) {
		struct object *o = &p->objects[i];
		bool known = i && o[-1].number == o->number;
		size_t begin = out->len, len = known ? 0 : o->end - o->begin;
		buf_add(out, p->text.data + o->begin, len);
		o->begin = begin;
		o->end = known ? 0 : out->len;
	}
	add_table(p, n, out);
}

uint8_t *pdf_open(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct pdf p = { .bytes = bytes, .size = size };
	struct span s = { bytes, bytes + size };
	struct buf out = { 0 };
	if (!begins(s, "%PDF-") || find(s, "/Encrypt") || !(p.inflater = inflater_new()))
		return NULL;
	if (add_objects(&p) && p.n)
		write_file(&p, &out);
	inflater_free(p.inflater);
	buf_release(&p.text);
	free(p.objects);
	*len = (uint32_t)out.len;
	if (out.len && out.len <= UINT32_MAX)
		return (uint8_t *)out.data;
	buf_release(&out);
	return NULL;
}
