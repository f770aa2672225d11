#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ask/signature.h"
#include "ask/signature_def.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

/* A repository may bring families, of any size and number. */
enum { RANK_USUAL = 50, RANK_MAX = 99, FRAMES_MAX = 9, FILE_MAX = 1 << 18, FAMILIES_MAX = 512 };

struct reading {
	struct family *family;
	const char *file;
	unsigned line;
	const char *text; /* of the line */
	struct err *err;
};

static int fail(const struct reading *r, const char *at, const char *what)
{
	return err_set(r->err, ERR_USAGE, "%s:%u:%zu: %s", r->file, r->line,
	               (size_t)(at - r->text) + 1, what);
}

static struct pattern *read_pattern(const struct reading *r, const char *at)
{
	struct err why = { 0 };
	struct pattern *p = *at ? pattern_new(at, &why) : NULL;
	if (!p)
		fail(r, at, *at ? why.msg : "expected a pattern");
	return p;
}

static int read_pick(struct reading *r, const char *at, bool last)
{
	struct family *f = r->family;
	struct pattern *p = read_pattern(r, at);
	if (!p)
		return -1;
	MEM_GROW(f->picks, f->n_picks, f->cap_picks);
	f->picks[f->n_picks++] = (struct pick){ p, last };
	return 0;
}

static int on_pick(struct reading *r, const char *at)
{
	return read_pick(r, at, false);
}

static int on_pick_last(struct reading *r, const char *at)
{
	return read_pick(r, at, true);
}

static int add_pattern(struct reading *r, const char *at, struct patterns *to)
{
	struct pattern *p = read_pattern(r, at);
	if (!p)
		return -1;
	MEM_GROW(to->list, to->n, to->cap);
	to->list[to->n++] = p;
	return 0;
}

static int on_not_pick(struct reading *r, const char *at)
{
	struct family *f = r->family;
	return add_pattern(r, at, &f->not_picks);
}

static int on_needs(struct reading *r, const char *at)
{
	struct family *f = r->family;
	return add_pattern(r, at, &f->needs);
}

static int on_absent(struct reading *r, const char *at)
{
	struct family *f = r->family;
	return add_pattern(r, at, &f->absents);
}

static int on_ignore(struct reading *r, const char *at)
{
	struct family *f = r->family;
	return add_pattern(r, at, &f->ignores);
}

static int on_driver(struct reading *r, const char *at)
{
	struct family *f = r->family;
	char *before = f->driver_text;
	f->driver_text = mem_printf("%signore %s\n", before ? before : "", at);
	free(before);
	return add_pattern(r, at, &f->drivers);
}

static int read_frame(struct reading *r, const char *at, enum frame_order order)
{
	struct family *f = r->family;
	if (f->frames.n && f->order != order)
		return fail(r, r->text,
		            "frames are either before or after the picked line, not both");
	f->order = order;
	return add_pattern(r, at, &f->frames);
}

static int on_frame(struct reading *r, const char *at)
{
	return read_frame(r, at, FRAMES_BEHIND);
}

static int on_frame_before(struct reading *r, const char *at)
{
	return read_frame(r, at, FRAMES_BEFORE);
}

static int on_not_frame(struct reading *r, const char *at)
{
	struct family *f = r->family;
	return add_pattern(r, at, &f->not_frames);
}

/* PATTERN or PATTERN => TEXT. */
static int on_mask(struct reading *r, const char *at)
{
	struct family *f = r->family;
	const char *arrow = strstr(at, " =>");
	char *pattern = mem_printf("%.*s", (int)(arrow ? (size_t)(arrow - at) : strlen(at)), at);
	struct err why = { 0 };
	struct pattern *p = *pattern ? pattern_new(pattern, &why) : NULL;
	int rc = p ? 0 : fail(r, at, *pattern ? why.msg : "expected a pattern");
	free(pattern);
	if (rc < 0)
		return -1;
	MEM_GROW(f->masks, f->n_masks, f->cap_masks);
	f->masks[f->n_masks++] = (struct mask){ p, mem_strdup(arrow ? arrow + 3 + (arrow[3] == ' ')
		                                                    : SIGNATURE_MASK) };
	return 0;
}

static int read_number(const struct reading *r, const char *at, unsigned max, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(at, &end, 10);
	if (end == at || *end || v > max)
		return fail(r, at,
		            max == RANK_MAX ? "expected a number from 0 to 99"
		                            : "expected a number from 0 to 9");
	*out = (unsigned)v;
	return 0;
}

static int on_rank(struct reading *r, const char *at)
{
	return read_number(r, at, RANK_MAX, &r->family->rank);
}

static int on_frames(struct reading *r, const char *at)
{
	return read_number(r, at, FRAMES_MAX, &r->family->n_wanted);
}

static int on_about(struct reading *r, const char *at)
{
	free(r->family->about);
	r->family->about = mem_strdup(at);
	return 0;
}

static const struct directive {
	const char *name;
	int (*read)(struct reading *r, const char *at);
} directives[] = {
	{ "about", on_about },
	{ "rank", on_rank },
	{ "needs", on_needs },
	{ "absent", on_absent },
	{ "driver", on_driver },
	{ "ignore", on_ignore },
	{ "pick", on_pick },
	{ "pick-last", on_pick_last },
	{ "not-pick", on_not_pick },
	{ "frame", on_frame },
	{ "frame-before", on_frame_before },
	{ "frames", on_frames },
	{ "not-frame", on_not_frame },
	{ "mask", on_mask },
};

static int read_line(struct reading *r)
{
	const char *at = r->text + strspn(r->text, " \t");
	if (!*at || *at == '#')
		return 0;
	size_t len = strcspn(at, " \t");
	const char *rest = at + len + strspn(at + len, " \t");
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (strlen(directives[i].name) == len && !memcmp(directives[i].name, at, len))
			return directives[i].read(r, rest);
	return fail(
		r, at,
		"expected about, rank, needs, absent, driver, ignore, pick, pick-last, not-pick, "
		"frame, frame-before, frames, not-frame or mask");
}

/* The file's name without directory and ending. */
static char *name_of(const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	const char *dot = strrchr(base, '.');
	return mem_printf("%.*s", (int)(dot ? (size_t)(dot - base) : strlen(base)), base);
}

struct family *family_parse(const char *file, const char *text, struct err *err)
{
	struct family *f = mem_zero(1, sizeof *f);
	struct reading r = { .family = f, .file = file, .err = err };
	int rc = 0;
	*f = (struct family){ .name = name_of(file),
		              .about = mem_strdup(""),
		              .source = mem_strdup(text),
		              .rank = RANK_USUAL,
		              .n_wanted = 1 };
	for (const char *at = text; *at && rc == 0;) {
		size_t len = strcspn(at, "\n"), cut = len && at[len - 1] == '\r';
		char *line = mem_printf("%.*s", (int)(len - cut), at);
		r.text = line;
		r.line++;
		rc = read_line(&r);
		free(line);
		at += len + (at[len] == '\n');
	}
	if (rc == 0 && !f->n_picks)
		rc = err_set(err, ERR_USAGE, "%s: expected at least one pick", file);
	if (rc == 0)
		return f;
	family_free(f);
	return NULL;
}

static void patterns_release(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++)
		pattern_free(p->list[i]);
	free(p->list);
}

void family_free(struct family *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_picks; i++)
		pattern_free(f->picks[i].pattern);
	free(f->picks);
	patterns_release(&f->not_picks);
	patterns_release(&f->needs);
	patterns_release(&f->absents);
	patterns_release(&f->drivers);
	patterns_release(&f->ignores);
	free(f->driver_text);
	patterns_release(&f->frames);
	patterns_release(&f->not_frames);
	for (size_t i = 0; i < f->n_masks; i++) {
		pattern_free(f->masks[i].pattern);
		free(f->masks[i].text);
	}
	free(f->masks);
	free(f->name);
	free(f->about);
	free(f->source);
	free(f);
}

/* ---- directories ---- */

static bool has_name(const struct families *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->list[i]->name, name))
			return true;
	return false;
}

static int add_file(struct families *all, const char *path, struct err *err)
{
	struct buf bytes = { 0 };
	char *name = name_of(path);
	bool hidden = has_name(all, name);
	free(name);
	if (hidden)
		return 0;
	if (io_read_file(path, &bytes, err) < 0)
		return -1;
	struct family *f = NULL;
	if (bytes.len > FILE_MAX || (bytes.len && strlen(bytes.data) != bytes.len))
		err_set(err, ERR_USAGE, "%s is not a signature file", path);
	else
		f = family_parse(path, bytes.data ? bytes.data : "", err);
	buf_release(&bytes);
	if (!f)
		return -1;
	MEM_GROW(all->list, all->n, all->cap);
	all->list[all->n++] = f;
	return 0;
}

static int add_directory(struct families *all, const char *dir, struct err *err)
{
	DIR *d = opendir(dir);
	int rc = 0;
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, "%s", dir);
	for (struct dirent *e; rc == 0 && (e = io_next_entry(d));) {
		size_t len = strlen(e->d_name);
		struct stat st; /* what is not a regular file might never end */
		if (len < 5 || e->d_name[0] == '.' || strcmp(e->d_name + len - 4, ".sig") != 0 ||
		    fstatat(dirfd(d), e->d_name, &st, 0) < 0 || !S_ISREG(st.st_mode))
			continue;
		char *path = mem_printf("%s/%s", dir, e->d_name);
		if (st.st_size > FILE_MAX || all->n == FAMILIES_MAX)
			rc = err_set(err, ERR_USAGE,
			             "%s: larger than %d bytes, or one of more than %d", path,
			             FILE_MAX, FAMILIES_MAX);
		else
			rc = add_file(all, path, err);
		free(path);
	}
	if (rc == 0 && errno)
		rc = err_errno(err, "%s", dir);
	closedir(d);
	return rc;
}

static int by_rank(const void *a, const void *b)
{
	const struct family *x = *(struct family *const *)a, *y = *(struct family *const *)b;
	return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
	                          : strcmp(x->name, y->name);
}

struct families *families_load(const char *const *dirs, struct err *err)
{
	struct families *all = mem_zero(1, sizeof *all);
	for (; *dirs; dirs++)
		if (add_directory(all, *dirs, err) < 0) {
			families_free(all);
			return NULL;
		}
	if (all->n)
		qsort(all->list, all->n, sizeof *all->list, by_rank);
	return all;
}

void families_free(struct families *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->n; i++)
		family_free(all->list[i]);
	free(all->list);
	free(all);
}

size_t families_count(const struct families *all)
{
	return all->n;
}

const struct family *families_get(const struct families *all, size_t i)
{
	return all->list[i];
}

const char *family_name(const struct family *f)
{
	return f->name;
}

const char *family_about(const struct family *f)
{
	return f->about;
}

char *families_text(const struct families *all, const struct family *f)
{
	struct buf b = { 0 };
	buf_addf(&b, "%s", f->source);
	for (size_t i = 0; i < all->n && !f->drivers.n; i++)
		if (all->list[i]->driver_text)
			buf_addf(&b, "\n%s", all->list[i]->driver_text);
	return b.data;
}
