/* Edits applied, to a file and to a tree. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "text/edit.h"

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

struct testcase *edit_apply(const struct testcase *base, struct edit edit)
{
	if (base->is_tree)
		return apply_to_tree(base, edit);
	int64_t size = (int64_t)base->size - edit_saving(edit);
	work_step(edit.n + base->size / 16);
	if (size < 0 || size > TESTCASE_MAX_SIZE)
		bug("edit leads to a size of %lld", (long long)size);
	uint8_t *bytes = mem_alloc((size_t)size + 1), *to = bytes;
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
	return testcase_like(base, bytes, (uint32_t)size);
}
