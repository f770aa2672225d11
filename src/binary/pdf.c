#include "binary/pdf.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/found.h"
#include "binary/inflate.h"

enum {
	LOOK = 16,           /* what looking at a word costs */
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
	MEM_PUSH(p->objects, p->n, p->cap, (struct object){ number, generation, p->text.len, 0 });
	buf_addf(&p->text, "%u %u obj\n", number, generation);
}

static void end_object(struct pdf *p)
{
	buf_addf(&p->text, "\nendobj\n");
	p->objects[p->n - 1].end = p->text.len;
}

/* What DATA says in ASCII85, up to where that ends. False: it says nothing. */
static bool read_ascii85(struct span data, struct buf *out)
{
	uint32_t word = 0, n = 0;
	for (; data.at < data.end && *data.at != '~'; data.at++) {
		if (is_space(*data.at))
			continue;
		if (*data.at == 'z' && !n) {
			buf_add(out, "\0\0\0\0", 4);
			continue;
		}
		if (*data.at < '!' || *data.at > 'u')
			return false;
		word = word * 85 + *data.at - '!';
		n = (n + 1) % 5;
		for (int shift = 24; !n && shift >= 0; shift -= 8)
			buf_addch(out, (char)(word >> shift));
		word = n ? word : 0;
	}
	for (uint32_t k = n; n && k < 5; k++)
		word = word * 85 + 84;
	for (uint32_t k = 1; k < n; k++)
		buf_addch(out, (char)(word >> (32 - 8 * k)));
	return out->len > 0;
}

/* What the stream of DATA holds, if it is packed by deflate and, around that, ASCII85 at most. */
static bool unpack(struct pdf *p, struct span dict, struct span data, struct inflated *out)
{
	BUF_SCOPED struct buf plain = { 0 };
	unsigned filters = 0;
	for (struct span left = dict; (left.at = find(left, "Decode")); left.at++)
		filters++; /* also parameters of one */
	const uint8_t *outer = find_key(dict, "/ASCII85Decode"),
		      *flate = find_key(dict, "/FlateDecode");
	bool coded = outer && flate && outer < flate;
	if (!flate || filters != 1u + coded || (coded && !read_ascii85(data, &plain)))
		return false;
	if (coded)
		data = (struct span){ (const uint8_t *)plain.data,
			              (const uint8_t *)plain.data + plain.len };
	if (data.end - data.at < HEAD + 1)
		return false;
	return inflater_unpack(p->inflater, LAYER_RAW, data.at + HEAD,
	                       (uint32_t)(data.end - data.at) - HEAD, INFLATE_MOST, out);
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

/* An object, from what is behind `obj` up to S.END: its dictionary, and what its stream holds (at
 * NULL: it is none). Gives what is behind it; NULL: it does not end. */
static const uint8_t *read_object(struct span s, struct span *dict, struct span *data)
{
	const uint8_t *end = find(s, "endobj");
	const uint8_t *stream = end ? find((struct span){ s.at, end }, "stream") : NULL;
	work_step((size_t)((end ? end : s.end) - s.at));
	*dict = (struct span){ s.at, stream ? stream : end };
	*data = (struct span){ NULL, NULL };
	if (stream) {
		*data = (struct span){ stream + strlen("stream"), s.end };
		data->at += begins(*data, "\r\n") ? 2 : data->at < s.end && is_space(*data->at);
		data->end = end_of_data(*data, *dict);
		end = data->end ? find((struct span){ data->end, s.end }, "endobj") : NULL;
	}
	return end ? end + strlen("endobj") : NULL;
}

/* The object of which the number was read, likewise. */
static const uint8_t *add_object(struct pdf *p, uint32_t number, uint32_t generation, struct span s)
{
	struct span dict, data;
	struct inflated in;
	const uint8_t *end = read_object(s, &dict, &data);
	if (!end || p->text.len > MOST_TEXT || number >= p->size)
		return NULL;
	if (!data.at) {
		begin_object(p, number, generation);
		buf_add(&p->text, s.at, (size_t)(dict.end - s.at));
		end_object(p);
		return end;
	}
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
			buf_add(&p->text, s.at, (size_t)(dict.end - s.at));
		buf_addf(&p->text, "stream\n");
		buf_add(&p->text, open ? in.data : data.at,
		        open ? in.size : (size_t)(data.end - data.at));
		buf_addf(&p->text, "\nendstream");
		end_object(p);
	}
	p->opened |= open;
	return end;
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
	return x->number != y->number ? MEM_ORDER(x, y, number) : MEM_ORDER(y, x, begin);
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
	if (!begins(s, "%PDF-") || find(s, "/Encrypt"))
		return NULL;
	p.inflater = inflater_new();
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

/* ---- records ---- */

enum { ROW = 20, PLACE = 10, DEEPEST = 32, MOST_KIDS = 1 << 20 };

/* A list of pages: the elements of its /Kids are [first, first + n) of the kids. */
struct pages {
	uint32_t number, first, n;
	uint32_t from, to, count_at, count; /* of /Kids; of /Count */
};

struct kid {
	uint32_t number, begin, end;
};

struct table {
	const uint8_t *bytes;
	uint32_t rows, n; /* where they begin; how many */
	uint64_t looked;  /* bytes of objects, then kids */
	struct found found;
	struct pages *pages;
	struct kid *kids;
	uint32_t n_pages, cap_pages, n_kids, cap_kids;
};

static uint32_t offset(const struct table *t, const uint8_t *at)
{
	return (uint32_t)(at - t->bytes);
}

static void add_number(struct table *t, enum field_kind kind, struct span number, uint32_t from,
                       uint32_t to)
{
	uint32_t at = offset(t, number.at), width = 0;
	while (number.at + width < number.end && is_digit(number.at[width]))
		width++;
	enum code code = width == PLACE && *number.at == '0' ? CODE_ZEROS : CODE_DECIMAL;
	struct field f = field_of(kind, code, at, width, from, to);
	f.depth = 1;
	f.bias = kind != FIELD_LENGTH; /* the first row is of no object, and stays */
	found_field(&t->found, f);
}

/* Where what is no name and no number ends. */
static const uint8_t *skip_token(struct span s)
{
	uint32_t open = 0;
	if (*s.at == '%')
		while (s.at < s.end && *s.at != '\n' && *s.at != '\r')
			s.at++;
	else if (begins(s, "<<"))
		s.at++;
	else if (*s.at == '<')
		while (s.at < s.end && *s.at != '>')
			s.at++;
	else if (*s.at == '(')
		for (; s.at < s.end; s.at++) {
			open += *s.at == '(';
			open -= *s.at == ')';
			if (!open)
				break;
			s.at += *s.at == '\\' && s.at + 1 < s.end;
		}
	return s.at < s.end ? s.at + 1 : s.end;
}

static bool in_word(uint8_t c)
{
	return !is_space(c) && !memchr("()<>[]{}/%", c, 10);
}

/* What names objects in S; those of the array that begins at KIDS (may be NULL) are added to them.
 */
static void scan(struct table *t, struct span s, const uint8_t *kids)
{
	const uint8_t *name = NULL; /* in front of what comes */
	work_step((size_t)(s.end - s.at));
	while (s.at < s.end) {
		struct span number = s, next = s;
		uint32_t n, generation;
		if (!in_word(*s.at) && *s.at != '/') {
			name = is_space(*s.at) ? name : NULL;
			kids = kids && s.at > kids && *s.at == ']' ? NULL : kids;
			s.at = is_space(*s.at) ? s.at + 1 : skip_token(s);
			continue;
		}
		if (take_number(&next, &n) && take_number(&next, &generation) &&
		    begins(next, "R") && n && n < t->n) {
			next.at++;
			next.at = skip_space(next);
			uint32_t begin = offset(t, name ? name : s.at), end = offset(t, next.at);
			bool is_kid = kids && s.at > kids;
			add_number(t, FIELD_PLACE, number, begin, end);
			if (is_kid) {
				MEM_PUSH(t->kids, t->n_kids, t->cap_kids,
				         (struct kid){ n, begin, end });
			}
			s.at = next.at;
			name = NULL;
			continue;
		}
		name = *s.at == '/' ? s.at : NULL;
		do
			s.at++;
		while (s.at < s.end && in_word(*s.at));
	}
}

/* What the object NUMBER says in DICT, in front of DATA if it is a stream. */
static void scan_object(struct table *t, uint32_t number, struct span dict, struct span data)
{
	const uint8_t *kids = find_key(dict, "/Kids"), *count = find_key(dict, "/Count"), *length;
	uint32_t first = t->n_kids, value;
	bool indirect = false;
	scan(t, dict, kids);
	if (data.at && number_of(dict, "/Length", &value, &indirect) && !indirect &&
	    value == (size_t)(data.end - data.at)) {
		length = find_key(dict, "/Length") + strlen("/Length");
		add_number(t, FIELD_LENGTH,
		           (struct span){ skip_space((struct span){ length, dict.end }), dict.end },
		           offset(t, data.at), offset(t, data.end));
	}
	if (!kids || !count || !number_of(dict, "/Count", &value, &indirect) || indirect)
		return;
	struct span at = { count + strlen("/Count"), dict.end };
	MEM_PUSH(t->pages, t->n_pages, t->cap_pages,
	         (struct pages){ .number = number,
	                         .first = first,
	                         .n = t->n_kids - first,
	                         .count_at = offset(t, skip_space(at)),
	                         .count = value });
}

/* Lists the pages below P; their number. */
static uint32_t list_pages(struct table *t, const struct pages *p, uint32_t list, unsigned depth)
{
	uint32_t n = 0;
	for (uint32_t i = p->first; i < p->first + p->n && depth < DEEPEST; i++) {
		if (++t->looked > MOST_KIDS)
			break;
		const struct kid *kid = &t->kids[i];
		const struct pages key = { .number = kid->number };
		const struct pages *inner =
			bsearch(&key, t->pages, t->n_pages, sizeof key, mem_order_u32);
		if (inner)
			n += list_pages(t, inner, list, depth + 1);
		else
			found_listed(&t->found, list, kid->begin, kid->end), n++;
	}
	return n;
}

/* What the lists of pages say about how many there are, of which lists are part, too. */
static void count_pages(struct table *t, uint32_t size)
{
	t->looked = 0;
	MEM_SORT(t->pages, t->n_pages, mem_order_u32);
	for (uint32_t i = 0; i < t->n_pages; i++) {
		const struct pages *p = &t->pages[i];
		uint32_t list = t->found.n.lists++;
		uint32_t known = t->found.n.listed;
		if (list_pages(t, p, list, 0) != p->count) {
			t->found.n.listed = known;
			continue;
		}
		add_number(t, FIELD_COUNT, (struct span){ t->bytes + p->count_at, t->bytes + size },
		           0, size);
		t->found.fields[t->found.n.fields - 1].list = list;
		t->found.fields[t->found.n.fields - 1].bias = 0;
	}
}

/* The row I, and its object; false: it says none. */
static bool add_row(struct table *t, uint32_t i, uint32_t size)
{
	uint32_t row = t->rows + i * ROW, at, number, generation;
	struct span s = { t->bytes + row, t->bytes + row + ROW }, head;
	struct record x = record_plain(row, row + ROW);
	if (!take_number(&s, &at) || !take_number(&s, &generation) ||
	    (*s.at != 'n' && *s.at != 'f'))
		return false;
	if (!i)
		return true;
	found_listed(&t->found, 0, row, row + ROW);
	if (*s.at == 'f') {
		found_record(&t->found, x);
		return true;
	}
	if (at >= size)
		return false;
	s = (struct span){ t->bytes + at, t->bytes + size };
	head = s;
	if (!take_number(&head, &number) || number != i || !take_number(&head, &generation) ||
	    !begins(head, "obj"))
		return false;
	struct span dict, data, behind;
	head.at += strlen("obj");
	behind = (struct span){ read_object(head, &dict, &data), s.end };
	if (!behind.at || (t->looked += offset(t, behind.at) - at) > size) /* they are apart */
		return false;
	x.twin = at;
	x.twin_end = offset(t, skip_space(behind));
	found_record(&t->found, x);
	add_number(t, FIELD_LENGTH, (struct span){ t->bytes + row, s.end }, 0, at);
	add_number(t, FIELD_PLACE, s, at, at);
	scan_object(t, i, dict, data);
	return true;
}

/* The table of places, and what stands behind it. */
static bool add_rows(struct table *t, uint32_t size)
{
	const char word[] = "startxref";
	struct span s = { t->bytes, t->bytes + size }, all = s;
	uint32_t at, first;
	bool indirect = false;
	for (const uint8_t *last = NULL; (s.at = find(s, word)); s.at++)
		last = s.at, all.at = last;
	s = (struct span){ all.at + strlen(word), all.end };
	if (all.at == t->bytes)
		return false;
	s.at = skip_space(s);
	struct span start = s;
	if (!take_number(&s, &at) || at >= size)
		return false;
	s.at = t->bytes + at;
	if (!begins(s, "xref"))
		return false;
	s.at += strlen("xref");
	s.at = skip_space(s);
	if (!take_number(&s, &first) || first)
		return false;
	struct span n = s;
	if (!take_number(&s, &t->n) || (uint64_t)t->n * ROW > (size_t)(all.at - s.at))
		return false;
	t->rows = offset(t, s.at);
	uint32_t end = t->rows + t->n * ROW;
	struct span trailer = { t->bytes + end, all.at };
	trailer.at = skip_space(trailer);
	if (!begins(trailer, "trailer") || find_key(trailer, "/Prev"))
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		if (!add_row(t, i, size))
			return false;
	scan(t, trailer, NULL);
	add_number(t, FIELD_COUNT, n, t->rows, end);
	if (number_of(trailer, "/Size", &first, &indirect) && first == t->n) {
		trailer.at = find_key(trailer, "/Size") + strlen("/Size");
		trailer.at = skip_space(trailer);
		add_number(t, FIELD_COUNT, trailer, t->rows, end);
	}
	add_number(t, FIELD_LENGTH, start, 0, at);
	count_pages(t, size);
	return true;
}

struct records *pdf_records(const uint8_t *bytes, uint32_t size)
{
	struct table t = { .bytes = bytes, .found.n.lists = 1 };
	struct records *r = NULL;
	if (begins((struct span){ bytes, bytes + size }, "%PDF-") && add_rows(&t, size))
		r = found_take(&t.found, bytes, size, false);
	for (uint32_t i = 0; r && i < r->n; i++)
		r->list[i].table = true;
	if (r) {
		r->repair->lists[0].table = true;
		r->is_text = true;
	}
	found_release(&t.found);
	free(t.pages);
	free(t.kids);
	return r;
}
