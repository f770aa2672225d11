#include "text/edit.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"

/* A list under construction: parts arrive sorted, touching cuts are joined. */
struct builder {
	struct edit_part *parts;
	uint32_t n;
};

static void builder_start(struct builder *b, struct arena *arena, uint32_t capacity)
{
	b->parts = arena_alloc(arena, capacity * sizeof *b->parts);
	b->n = 0;
}

static bool is_cut(const struct edit_part *p)
{
	return p->len == 0;
}

/* Same place, same new bytes. */
static bool part_equal(const struct edit_part *a, const struct edit_part *b)
{
	return a->begin == b->begin && a->end == b->end && a->len == b->len &&
	       (!a->len || !memcmp(a->text, b->text, a->len));
}

/* Adds PART, which begins no earlier than the last one. False on conflict. */
static bool builder_add(struct builder *b, struct edit_part part)
{
	while (b->n) {
		struct edit_part *last = &b->parts[b->n - 1];
		if (is_cut(last) && is_cut(&part) && part.begin <= last->end) {
			last->end = part.end > last->end ? part.end : last->end;
			return true;
		}
		if (part.begin >= last->end &&
		    !(part.begin == last->begin && last->begin == last->end))
			break;
		if (part_equal(last, &part))
			return true;
		if (is_cut(last) && part.end <= last->end)
			return true; /* the cut covers the replacement */
		if (!(is_cut(&part) && part.begin <= last->begin && part.end >= last->end))
			return false;
		b->n--; /* the new cut covers the last replacement; look at the one before */
	}
	b->parts[b->n++] = part;
	return true;
}

/* Adds N parts of one edit, of which the first begins no earlier than the last one here. Within an
 * edit parts lie apart, so only the first ones can meet what is there. Unions with what is accepted
 * are most of what a search computes. */
static bool builder_add_run(struct builder *b, const struct edit_part *parts, uint32_t n)
{
	while (n && b->n && parts->begin <= b->parts[b->n - 1].end) {
		if (!builder_add(b, *parts))
			return false;
		parts++;
		n--;
	}
	memcpy(b->parts + b->n, parts, n * sizeof *parts);
	b->n += n;
	return true;
}

static struct edit builder_done(const struct builder *b)
{
	return (struct edit){ b->n, b->parts };
}

struct edit edit_replace(struct arena *arena, uint32_t begin, uint32_t end, const uint8_t *text,
                         uint32_t len)
{
	if (begin == end && !len)
		return EDIT_NONE;
	struct edit_part *p = arena_alloc(arena, sizeof *p);
	*p = (struct edit_part){ begin, end, len, len ? text : NULL };
	return (struct edit){ 1, p };
}

struct edit edit_cut(struct arena *arena, uint32_t begin, uint32_t end)
{
	return edit_replace(arena, begin, end, NULL, 0);
}

int edit_part_order(const void *a, const void *b)
{
	const struct edit_part *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, begin, end);
}

/* Most lists are: they were made in the order of the document. */
static bool is_sorted(const struct edit_part *parts, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (edit_part_order(&parts[i - 1], &parts[i]) > 0)
			return false;
	return true;
}

bool edit_make(struct arena *arena, struct edit_part *parts, uint32_t n, struct edit *out)
{
	if (!is_sorted(parts, n))
		qsort(parts, n, sizeof *parts, edit_part_order);
	struct builder b;
	builder_start(&b, arena, n);
	for (uint32_t i = 0; i < n; i++)
		if ((parts[i].begin != parts[i].end || parts[i].len) && !builder_add(&b, parts[i]))
			return false;
	*out = builder_done(&b);
	return true;
}

/* How many of the first of N parts stand before PART; those that are the same stand before it if
 * TIES. Looks at a few more than there are, so that short runs cost little. */
static uint32_t count_before(const struct edit_part *parts, uint32_t n,
                             const struct edit_part *part, bool ties)
{
	uint32_t lo = 0, hi = 1; /* lo of them do; the one at hi does not, or hi is n */
	while (hi <= n && edit_part_order(&parts[hi - 1], part) < ties) {
		lo = hi;
		hi *= 2;
	}
	hi = hi <= n ? hi - 1 : n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (edit_part_order(&parts[mid], part) < ties)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool edit_union(struct arena *arena, struct edit a, struct edit b, struct edit *out)
{
	if (!a.n || !b.n) {
		*out = a.n ? a : b;
		return true;
	}
	struct builder to;
	builder_start(&to, arena, a.n + b.n);
	bool fine = true;
	while (fine && (a.n || b.n)) {
		bool from_a = a.n && (!b.n || edit_part_order(a.parts, b.parts) <= 0);
		struct edit *from = from_a ? &a : &b, *other = from_a ? &b : &a;
		uint32_t n = other->n ? count_before(from->parts, from->n, other->parts, from_a)
		                      : from->n;
		fine = builder_add_run(&to, from->parts, n);
		from->parts += n;
		from->n -= n;
	}
	if (fine)
		*out = builder_done(&to);
	return fine;
}

bool edit_equal(struct edit a, struct edit b)
{
	if (a.n != b.n)
		return false;
	for (uint32_t i = 0; i < a.n; i++)
		if (!part_equal(&a.parts[i], &b.parts[i]))
			return false;
	return true;
}

/* The parts of EDIT that meet [begin, end], in which touching is meeting. */
static struct edit slice(struct edit edit, uint32_t begin, uint32_t end)
{
	uint32_t lo = MEM_FIRST(edit.parts, edit.n, end, begin);
	if (!edit.n)
		return EDIT_NONE;
	uint32_t n = 0;
	while (lo + n < edit.n && edit.parts[lo + n].begin <= end)
		n++;
	return (struct edit){ n, edit.parts + lo };
}

enum edit_news edit_news(struct edit a, struct edit b)
{
	if (!b.n)
		return EDIT_ADDS_NOTHING;
	ARENA_SCOPED struct arena scratch = { 0 };
	struct edit near = slice(a, b.parts[0].begin, b.parts[b.n - 1].end), both;
	if (!near.n)
		return EDIT_ADDS;
	if (near.n == 1 && b.n == 1 && is_cut(near.parts) && is_cut(b.parts) &&
	    near.parts->begin <= b.parts->begin && near.parts->end >= b.parts->end)
		return EDIT_ADDS_NOTHING;
	bool fine = edit_union(&scratch, near, b, &both);
	return !fine ? EDIT_CONFLICTS : edit_equal(both, near) ? EDIT_ADDS_NOTHING : EDIT_ADDS;
}

int64_t edit_saving(struct edit edit)
{
	int64_t saving = 0;
	for (uint32_t i = 0; i < edit.n; i++)
		saving += (int64_t)(edit.parts[i].end - edit.parts[i].begin) - edit.parts[i].len;
	return saving;
}

int64_t *edit_shifts(struct edit edit)
{
	int64_t *shift = mem_alloc((edit.n + (size_t)1) * sizeof *shift);
	shift[0] = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		shift[i + 1] = shift[i] + p->len - (int64_t)(p->end - p->begin);
	}
	return shift;
}

uint32_t edit_moved(struct edit edit, const int64_t *shift, uint32_t k, uint32_t at)
{
	if (!k)
		return at;
	const struct edit_part *p = &edit.parts[k - 1];
	if (p->end <= at)
		return (uint32_t)(at + shift[k]);
	uint32_t into = at - p->begin < p->len ? at - p->begin : p->len;
	return (uint32_t)(p->begin + shift[k - 1]) + into;
}

struct edit edit_copy(struct arena *arena, struct edit edit)
{
	if (!edit.n)
		return EDIT_NONE;
	struct edit_part *parts = arena_copy(arena, edit.parts, edit.n * sizeof *parts);
	return (struct edit){ edit.n, parts };
}

/* One block: the parts, behind them their texts. */
struct edit edit_keep(struct edit edit)
{
	size_t parts_size = edit.n * sizeof *edit.parts, text_size = 0;
	for (uint32_t i = 0; i < edit.n; i++)
		text_size += edit.parts[i].len;
	struct edit_part *parts = mem_alloc(parts_size + text_size + 1);
	uint8_t *text = (uint8_t *)parts + parts_size;
	for (uint32_t i = 0; i < edit.n; i++) {
		parts[i] = edit.parts[i];
		if (!parts[i].len)
			continue;
		memcpy(text, parts[i].text, parts[i].len);
		parts[i].text = text;
		text += parts[i].len;
	}
	return (struct edit){ edit.n, parts };
}

void edit_drop(struct edit edit)
{
	free((void *)edit.parts);
}

/* Two edits of the same base that are gone over side by side, and what they make of it. */
struct side {
	const struct edit_part *parts;
	uint32_t left;
	uint32_t lost; /* bytes so far, modulo 2^32: offset in the base less that in what is made */
};

static void side_move(struct side *s)
{
	s->lost += s->parts->end - s->parts->begin - s->parts->len;
	s->parts++;
	s->left--;
}

/* Takes what begins no later than END, which grows. */
static bool side_take(struct side *s, uint32_t *end)
{
	if (!s->left || s->parts->begin > *end)
		return false;
	*end = s->parts->end > *end ? s->parts->end : *end;
	side_move(s);
	return true;
}

/* Behind what both do alike. */
static void skip_same(struct side *a, struct side *b)
{
	while (a->left && b->left && part_equal(a->parts, b->parts)) {
		side_move(a);
		side_move(b);
	}
}

/* The replacement of [begin, end) of FROM by [at, stop) of TO, without what is the same at its
 * ends.
 */
static struct edit_part differing(const uint8_t *from, uint32_t begin, uint32_t end,
                                  const uint8_t *to, uint32_t at, uint32_t stop)
{
	while (begin < end && at < stop && from[begin] == to[at])
		begin++, at++;
	while (begin < end && at < stop && from[end - 1] == to[stop - 1])
		end--, stop--;
	return (struct edit_part){ begin, end, stop - at, stop > at ? to + at : NULL };
}

struct edit edit_between(struct arena *arena, const struct testcase *from, struct edit a,
                         const struct testcase *to, struct edit b)
{
	struct side x = { a.parts, a.n, 0 }, y = { b.parts, b.n, 0 };
	skip_same(&x, &y);
	struct edit_part *parts = arena_alloc(arena, (x.left + y.left + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	for (; x.left || y.left; skip_same(&x, &y)) {
		uint32_t begin = !y.left || (x.left && x.parts->begin < y.parts->begin)
		                         ? x.parts->begin
		                         : y.parts->begin;
		uint32_t end = begin, at = begin - x.lost, there = begin - y.lost;
		while (side_take(&x, &end) || side_take(&y, &end))
			;
		parts[n] = differing(from->bytes, at, end - x.lost, to->bytes, there, end - y.lost);
		n += parts[n].begin < parts[n].end || parts[n].len;
	}
	return (struct edit){ n, parts };
}

/* Takes what begins, in what is made, no later than END, which grows. */
static bool side_take_made(struct side *s, uint32_t *end)
{
	uint32_t begin = s->left ? s->parts->begin - s->lost : 0;
	if (!s->left || begin > *end)
		return false;
	*end = begin + s->parts->len > *end ? begin + s->parts->len : *end;
	side_move(s);
	return true;
}

struct edit edit_chain(struct arena *arena, struct edit a, struct edit b, const struct testcase *to)
{
	struct side x = { a.parts, a.n, 0 }, y = { b.parts, b.n, 0 };
	struct edit_part *parts = arena_alloc(arena, (a.n + b.n + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	while (x.left || y.left) { /* offsets in what A makes, but for those of the part */
		uint32_t begin = x.left ? x.parts->begin - x.lost : y.parts->begin;
		begin = y.left && y.parts->begin < begin ? y.parts->begin : begin;
		uint32_t end = begin, at = begin + x.lost, there = begin - y.lost;
		while (side_take_made(&x, &end) || side_take(&y, &end))
			;
		uint32_t len = end - y.lost - there;
		parts[n] =
			(struct edit_part){ at, end + x.lost, len, len ? to->bytes + there : NULL };
		n += parts[n].begin < parts[n].end || len;
	}
	return (struct edit){ n, parts };
}

/* Edits applied, to a file and to a tree. */

/* What an edit does to one file: goes over the parts that touch it. */
struct cursor {
	const struct edit *edit;
	uint32_t part; /* the first that reaches into this file or a later one */
};

struct file_change {
	bool touched;
	bool frame_cut;
	bool plain;    /* its frame becomes that of a file which is not executable */
	uint32_t size; /* bytes that it has afterwards */
};

static uint32_t clip(uint32_t at, uint32_t lo, uint32_t hi)
{
	return at < lo ? lo : at > hi ? hi : at;
}

/* Whether the part touches the bytes or the frame of F. An insertion before the frame is at the
 * file's end. */
static bool part_touches(const struct edit_part *p, const struct testcase_file *f)
{
	return p->begin <= f->end && (p->end > f->begin || p->begin >= f->begin);
}

/* A link or an empty directory has no bytes that could change: it stands or falls as a whole. */
static bool is_significant(const struct testcase_file *f)
{
	return S_ISLNK(f->mode) || S_ISDIR(f->mode);
}

/* Is it nothing but another frame for F? */
static bool is_frame_change(const struct edit_part *p, const struct testcase_file *f)
{
	return p->begin == f->end && p->end == f->end + 1 && p->len == 1 &&
	       *p->text == TESTCASE_FRAME && !is_significant(f);
}

/* The bytes of F after the edit: counted, and written TO unless that is NULL. */
static struct file_change apply_to_file(struct cursor *c, const struct testcase_file *f,
                                        uint8_t *to)
{
	struct file_change change = { 0 };
	const struct edit *e = c->edit;
	uint32_t at = f->begin, i = c->part;
	for (; i < e->n && e->parts[i].begin <= f->end; i++) {
		const struct edit_part *p = &e->parts[i];
		if (!part_touches(p, f))
			continue;
		change.touched = true;
		if (is_frame_change(p, f)) {
			change.plain = true;
			continue;
		}
		uint32_t stop = clip(p->begin, at, f->end), len = p->begin >= f->begin ? p->len : 0;
		if (to) {
			memcpy(to + change.size, f->data + (at - f->begin), stop - at);
			if (len)
				memcpy(to + change.size + (stop - at), p->text, len);
		}
		change.size += stop - at + len;
		change.frame_cut |= p->end > f->end;
		at = clip(p->end, at, f->end);
	}
	if (to)
		memcpy(to + change.size, f->data + (at - f->begin), f->end - at);
	change.size += f->end - at;
	return change;
}

/* Goes on to the file F: leaves behind the parts that end before it. */
static void cursor_move(struct cursor *c, const struct testcase_file *f)
{
	while (c->part < c->edit->n && !part_touches(&c->edit->parts[c->part], f) &&
	       c->edit->parts[c->part].begin < f->begin)
		c->part++;
}

static bool is_dropped(const struct testcase_file *f, const struct file_change *change)
{
	return !f->fixed && change->touched &&
	       (is_significant(f) || (change->frame_cut && !change->size));
}

static struct testcase *apply_to_tree(const struct testcase *base, struct edit edit)
{
	struct testcase_file *files = mem_alloc(base->n_files * sizeof *files);
	struct file_change *changes = mem_alloc(base->n_files * sizeof *changes);
	struct cursor c = { &edit, 0 };
	uint64_t own_size = 0, size = 0;
	uint32_t n = 0;
	for (uint32_t i = 0; i < base->n_files; i++) {
		cursor_move(&c, &base->files[i]);
		changes[i] = apply_to_file(&c, &base->files[i], NULL);
		own_size += changes[i].touched ? changes[i].size : 0;
		size += changes[i].size + (uint64_t)1;
	}
	if (size > TESTCASE_MAX_SIZE)
		bug("edit leads to a size of %llu", (unsigned long long)size);
	uint8_t *own = mem_alloc((size_t)own_size), *to = own;
	c.part = 0;
	for (uint32_t i = 0; i < base->n_files; i++) {
		const struct testcase_file *f = &base->files[i];
		if (is_dropped(f, &changes[i]))
			continue;
		struct testcase_file *out = &files[n++];
		*out = *f;
		if (!changes[i].touched)
			continue;
		cursor_move(&c, f);
		apply_to_file(&c, f, to);
		out->data = to;
		out->end = out->begin + changes[i].size;
		out->hash = hash_bytes(to, changes[i].size, 0);
		if (changes[i].plain)
			out->mode &= ~(mode_t)0111;
		to += changes[i].size;
	}
	free(changes);
	/* A reference changes nothing that a reader sees. */
	return testcase_derive((struct testcase *)(uintptr_t)base, files, n, own);
}

static uint32_t size_after(const struct testcase *base, struct edit edit)
{
	int64_t size = (int64_t)base->size - edit_saving(edit);
	if (size < 0 || size > TESTCASE_MAX_SIZE)
		bug("edit leads to a size of %lld", (long long)size);
	return (uint32_t)size;
}

struct testcase *edit_apply(const struct testcase *base, struct edit edit)
{
	if (base->is_tree)
		return apply_to_tree(base, edit);
	testcase_flat((struct testcase *)(uintptr_t)base); /* which no reader sees */
	uint32_t size = size_after(base, edit);
	work_step(edit.n + base->size / 16);
	uint8_t *bytes = mem_alloc(size + (size_t)1), *to = bytes;
	uint32_t at = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		memcpy(to, base->bytes + at, p->begin - at);
		to += p->begin - at;
		if (p->len)
			memcpy(to, p->text, p->len);
		to += p->len;
		at = p->end;
	}
	memcpy(to, base->bytes + at, base->size - at);
	return testcase_like(base, bytes, size);
}

/* Its pieces, and the texts of EDIT behind them, in one block. */
static struct mem_piece *pieces_of(const struct testcase *base, struct edit edit)
{
	size_t list = 2 * ((size_t)edit.n + 1) * sizeof(struct mem_piece), text = 0;
	for (uint32_t i = 0; i < edit.n; i++)
		text += edit.parts[i].len;
	struct mem_piece *pieces = mem_alloc(list + text), *to = pieces;
	uint8_t *own = (uint8_t *)pieces + list;
	uint32_t at = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		if (p->begin > at)
			*to++ = (struct mem_piece){ base->bytes + at, p->begin - at };
		if (p->len)
			*to++ = (struct mem_piece){ memcpy(own, p->text, p->len), p->len };
		own += p->len;
		at = p->end;
	}
	*to = (struct mem_piece){ base->bytes + at, base->size - at };
	to += base->size > at;
	*to = (struct mem_piece){ 0 };
	return pieces;
}

struct testcase *edit_apply_shared(struct testcase *base, struct edit edit)
{
	/* Bytes: of what is shared, as a smaller copy fits into what malloc keeps anyway; of most
	 * of its pieces. */
	enum { LEAST = 1 << 16, PAGE = 4096 };
	uint32_t size = size_after(base, edit);
	if (base->is_tree || size < LEAST || edit.n > size / PAGE)
		return edit_apply(base, edit);
	testcase_flat(base);
	struct mem_piece *pieces = pieces_of(base, edit);
	work_step(edit.n);
	return testcase_share(base, pieces, size, pieces);
}
