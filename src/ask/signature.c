#include "ask/signature.h"

#include <dirent.h>
#include <errno.h>

#include "ask/pattern.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"

enum frame_order {
	FRAMES_BEHIND, /* the line that counts comes first, then the innermost frame */
	FRAMES_BEFORE, /* the innermost frame is just before the line that counts */
};

struct pick {
	struct pattern *pattern;
	bool last; /* the last line that matches counts, not the first */
};

struct mask {
	struct pattern *pattern;
	char *text; /* what stands for a match */
};

struct patterns {
	struct pattern **list;
	size_t n, cap;
};

struct family {
	char *name, *about, *source;
	unsigned rank, n_wanted; /* frames */
	struct pick *picks;
	struct mask *masks;
	size_t n_picks, cap_picks, n_masks, cap_masks;
	struct patterns not_picks;
	struct patterns needs;   /* one of them occurs, or the family says nothing; none: it may */
	struct patterns absents; /* what tells of another failure when it was not there before */
	struct patterns drivers; /* lines that the other families do not look at, */
	struct patterns ignores; /* and those that this one does not */
	char *driver_text;       /* the former as directives of the latter kind; NULL: none */
	struct patterns frames, not_frames;
	enum frame_order order;
};

struct families {
	struct family **list; /* by rank, then name */
	size_t n, cap;
};

enum { TEXT_MAX = 300 };

/* What varies in the messages of all tools. */
static const struct {
	const char *pattern, *with;
} usual[] = {
	{ "\\x1b\\[[0-9;?]*[A-Za-z]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)", "" },
	{ "[\\x00-\\x1f\\x7f]+", " " },
	{ "==\\d+==\\s*", "" },
	{ "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\dZ]*", SIGNATURE_MASK },
	{ "(?<![\\d:])\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?", SIGNATURE_MASK },
	{ "\\b0[xX][0-9a-fA-F]+", SIGNATURE_MASK },
	{ "/(?:var/)?tmp/[^\\s'\"`:,;()<>]+|/dev/shm/[^\\s'\"`:,;()<>]+", SIGNATURE_MASK },
	{ "(?<![\\w.)/])(?:\\.{1,2}|~)?/(?:[\\w.+@~%-]+/)+", "" },
	/* also behind a mask, whose last byte is \xa6 */
	{ "(?<=[\\w)>\"'\\xa6]):\\d+(?:[:.]\\d+)*\\b(?!\\w)", "" },
	{ "\\b([Ll]ine|[Cc]ol(?:umn)?|offset|position|pos|pid|PID|byte|char|address|addr|lines)"
	  "\\b[ =#:]*\\d+(?:[-:.]\\d+)*",
	  "\\1 " SIGNATURE_MASK },
	{ "\\b(?=[0-9a-f]*\\d)[0-9a-f]{12,}\\b", SIGNATURE_MASK },
	{ "\\b\\d{5,}\\b", SIGNATURE_MASK },
	{ "[ \\t]{2,}", " " },
	{ "^ | $", "" },
};

/* WITH, where "\1" stands for the first group. */
static void add_replacement(struct buf *out, const char *with, const char *text,
                            const struct pattern_match *m)
{
	for (; *with; with++) {
		if (with[0] == '\\' && with[1] == '1') {
			with++;
			if (m->n > 1 && m->group[1].begin <= m->group[1].end)
				buf_add(out, text + m->group[1].begin,
				        m->group[1].end - m->group[1].begin);
		} else {
			buf_addch(out, *with);
		}
	}
}

static char *mask_apply(const struct pattern *pattern, const char *with, char *text)
{
	struct buf out = { 0 };
	struct pattern_match m;
	size_t len = strlen(text), at = 0, from = 0;
	while (pattern_find(pattern, text, len, from, &m)) {
		buf_add(&out, text + at, m.group[0].begin - at);
		add_replacement(&out, with, text, &m);
		at = m.group[0].end;
		from = at > m.group[0].begin ? at : at + 1;
		if (from > len)
			break;
	}
	buf_add(&out, text + at, len - at);
	buf_addch(&out, '\0');
	free(text);
	return out.data;
}

static char *mask_usual(char *text)
{
	struct err err;
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
		struct pattern *p = pattern_new(usual[i].pattern, &err);
		if (!p)
			bug("pattern %zu of what varies: %s", i, err.msg);
		text = mask_apply(p, usual[i].with, text);
		pattern_free(p);
	}
	return text;
}

/* Cuts between two characters. */
static void shorten(char *text)
{
	size_t len = strlen(text);
	if (len <= TEXT_MAX)
		return;
	len = TEXT_MAX;
	while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	text[len] = '\0';
}

static char *masked(const struct family *f, char *text)
{
	for (size_t i = 0; i < f->n_masks; i++)
		text = mask_apply(f->masks[i].pattern, f->masks[i].text, text);
	text = mask_usual(text);
	shorten(text);
	return text;
}

/* ---- for people ---- */

/* Adds the names that begin AT, each behind its length. */
static void add_names(struct buf *out, const char *at)
{
	size_t before = out->len, len = 0;
	for (char *name; *at >= '1' && *at <= '9'; at = name + len) {
		len = strtoul(at, &name, 10);
		if (len > strlen(name))
			return;
		buf_addf(out, "%s%.*s", out->len > before ? "::" : "", (int)len, name);
	}
}

char *signature_shown(const char *text)
{
	enum { COLUMNS = 120 };
	struct buf b = { 0 };
	static const char word[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$";
	for (const char *at = text; *at;) {
		size_t len = strspn(at, word);
		const char *name = at + 2;
		while (len > 2 && strchr("NKVLrSt", *name))
			name++;
		if (len > 2 && !strncmp(at, "_Z", 2) && *name >= '1' && *name <= '9')
			add_names(&b, name);
		else
			buf_add(&b, at, len ? len : 1);
		at += len ? len : 1;
	}
	buf_addch(&b, '\0');
	if (b.len > COLUMNS) {
		size_t len = COLUMNS;
		while (len && ((unsigned char)b.data[len] & 0xc0) == 0x80)
			len--;
		b.len = len;
		buf_addf(&b, "%s", SIGNATURE_MASK);
	}
	return b.data;
}

/* ---- the line that counts ---- */

static bool is_refused(const struct family *f, const char *text, const struct pattern_match *m)
{
	struct pattern_match ignored;
	const char *at = text + m->group[0].begin;
	for (size_t i = 0; i < f->not_picks.n; i++)
		if (pattern_find(f->not_picks.list[i], at, m->group[0].end - m->group[0].begin, 0,
		                 &ignored))
			return true;
	return false;
}

static bool pick(const struct family *f, const struct pick *p, const char *text, size_t len,
                 struct pattern_match *out)
{
	struct pattern_match m;
	bool found = false;
	for (size_t from = 0; from <= len && pattern_find(p->pattern, text, len, from, &m);) {
		from = m.group[0].end > from ? m.group[0].end : from + 1;
		if (is_refused(f, text, &m))
			continue;
		*out = m;
		found = true;
		if (!p->last)
			break;
	}
	return found;
}

static bool is_own(const char *path, size_t len, const char *const *own)
{
	size_t base = len;
	while (base && path[base - 1] != '/')
		base--;
	for (; own && *own; own++) {
		const char *name = path_base(*own);
		if (*name && strlen(name) == len - base && !memcmp(name, path + base, len - base))
			return true;
	}
	return false;
}

static struct pattern_span group_of(const struct pattern_match *m, unsigned group)
{
	return group < m->n ? m->group[group] : (struct pattern_span){ 1, 0 };
}

/* The group called "text", else the groups that took part but for that of the "file", one behind
 * another; the whole match when there are none. */
static char *text_of(const struct pick *p, const char *text, const struct pattern_match *m)
{
	struct buf b = { 0 };
	unsigned file = pattern_group(p->pattern, "file", PATTERN_GROUPS);
	struct pattern_span line = group_of(m, pattern_group(p->pattern, "text", PATTERN_GROUPS));
	if (line.begin < line.end) {
		buf_add(&b, text + line.begin, line.end - line.begin);
		buf_addch(&b, '\0');
		return b.data;
	}
	for (unsigned i = m->n > 1 ? 1 : 0; i < m->n; i++)
		if (i != file && m->group[i].begin < m->group[i].end) {
			if (b.len)
				buf_addch(&b, ' ');
			buf_add(&b, text + m->group[i].begin, m->group[i].end - m->group[i].begin);
		}
	buf_addch(&b, '\0');
	for (size_t i = 0; i + 1 < b.len; i++)
		if (!b.data[i])
			b.data[i] = ' ';
	return b.data;
}

static bool any_directory(const char *const *own)
{
	for (; own && *own; own++)
		if (io_is_dir(*own))
			return true;
	return false;
}

/* HEAD, which becomes this function's, and where it comes from, unless that is the test case: the
 * group called "file", which may have numbers of lines at its end. They tell one failure of a
 * program from another. Of a directory nobody knows which files are its own: there, and in
 * temporary files, lines move while it is reduced. */
static char *with_file(const struct family *f, const struct pick *p, char *head, const char *text,
                       const struct pattern_match *m, const char *const *own)
{
	struct pattern_span s = group_of(m, pattern_group(p->pattern, "file", PATTERN_GROUPS));
	if (s.begin >= s.end)
		return head;
	size_t end = s.end;
	for (size_t at = end; at > s.begin && strchr(":0123456789", text[at - 1]); at--)
		if (text[at - 1] == ':')
			end = at - 1;
	if (is_own(text + s.begin, end - s.begin, own))
		return head;
	MEM_SCOPED char *file = masked(f, mem_printf("%.*s", (int)(end - s.begin), text + s.begin));
	bool moves = strstr(file, SIGNATURE_MASK) || any_directory(own);
	char *all =
		mem_printf("%s, at %s%.*s", head, file, moves ? 0 : (int)(s.end - end), text + end);
	free(head);
	return all;
}

/* ---- frames ---- */

struct stack_frame {
	size_t begin, end; /* of the whole match */
	struct pattern_span function;
};

static bool counts(const struct family *f, const char *text, const struct pattern *p,
                   const struct pattern_match *m, const char *const *own)
{
	struct pattern_match ignored;
	struct pattern_span function = group_of(m, pattern_group(p, "function", 1)),
			    file = group_of(m, pattern_group(p, "file", 2));
	if (file.begin < file.end && is_own(text + file.begin, file.end - file.begin, own))
		return false;
	for (size_t i = 0; i < f->not_frames.n; i++)
		if (pattern_find(f->not_frames.list[i], text + m->group[0].begin,
		                 m->group[0].end - m->group[0].begin, 0, &ignored))
			return false;
	return function.begin < function.end;
}

/* The next frame that counts in [from, len), by any of the patterns. */
static bool next_frame(const struct family *f, const char *text, size_t len, size_t from,
                       const char *const *own, struct stack_frame *out)
{
	bool found = false;
	for (size_t i = 0; i < f->frames.n; i++) {
		struct pattern_match m;
		for (size_t at = from;
		     at <= len && pattern_find(f->frames.list[i], text, len, at, &m);) {
			if (counts(f, text, f->frames.list[i], &m, own)) {
				if (!found || m.group[0].begin < out->begin)
					*out = (struct stack_frame){
						m.group[0].begin, m.group[0].end,
						group_of(&m, pattern_group(f->frames.list[i],
						                           "function", 1))
					};
				found = true;
				break;
			}
			at = m.group[0].end > at ? m.group[0].end : at + 1;
		}
	}
	return found;
}

enum { KEPT = 9 };

/* The frames that count, innermost first; their number. */
static unsigned frames(const struct family *f, const char *text, size_t begin, size_t end,
                       const char *const *own, struct stack_frame kept[KEPT])
{
	unsigned n = 0;
	struct stack_frame one;
	while (next_frame(f, text, end, begin, own, &one)) {
		begin = one.end > begin ? one.end : begin + 1;
		if (n == f->n_wanted) {
			if (f->order == FRAMES_BEHIND)
				break;
			memmove(kept, kept + 1, (n - 1) * sizeof *kept);
			n--;
		}
		kept[n++] = one;
	}
	for (unsigned i = 0; f->order == FRAMES_BEFORE && i < n / 2; i++) {
		struct stack_frame swap = kept[i];
		kept[i] = kept[n - 1 - i];
		kept[n - 1 - i] = swap;
	}
	return n;
}

static char *with_frames(const struct family *f, char *head, const char *text, size_t len,
                         const struct pattern_match *m, const char *const *own)
{
	struct stack_frame kept[KEPT];
	bool behind = f->order == FRAMES_BEHIND;
	unsigned n = f->n_wanted ? frames(f, text, behind ? m->group[0].begin : 0,
	                                  behind ? len : m->group[0].end, own, kept)
	                         : 0;
	struct buf b = { 0 };
	buf_addf(&b, "%s", head);
	for (unsigned i = 0; i < n; i++) {
		size_t size = kept[i].function.end - kept[i].function.begin;
		MEM_SCOPED char *name =
			masked(f, mem_printf("%.*s", (int)size, text + kept[i].function.begin));
		buf_addf(&b, "%s%s", i ? ", " : " in ", name);
	}
	free(head);
	return b.data;
}

static bool any_occurs(const struct patterns *p, const char *text, size_t len)
{
	struct pattern_match m;
	for (size_t i = 0; i < p->n; i++)
		if (pattern_find(p->list[i], text, len, 0, &m))
			return true;
	return false;
}

/* Blanks the lines of TEXT in which one of the patterns matches. */
static void blank_lines(const struct patterns *p, char *text, size_t len)
{
	struct pattern_match m;
	for (size_t i = 0; i < p->n; i++)
		for (size_t from = 0; pattern_find(p->list[i], text, len, from, &m);) {
			size_t begin = m.group[0].begin, end = m.group[0].end;
			while (begin && text[begin - 1] != '\n')
				begin--;
			while (end < len && text[end] != '\n')
				end++;
			for (size_t k = begin; k < end; k++)
				if (text[k] != '\n')
					text[k] = ' ';
			from = end + 1;
		}
}

/* The LEN bytes at TEXT without what F does not look at; the caller's. */
static char *looked_at(const struct family *f, const char *text, size_t len)
{
	struct buf b = { 0 };
	buf_add(&b, text, len);
	buf_addch(&b, '\0');
	blank_lines(&f->ignores, b.data, len);
	return b.data;
}

bool family_fails_otherwise(const struct family *f, const char *output, size_t len)
{
	MEM_SCOPED char *text = looked_at(f, output, len);
	return any_occurs(&f->absents, text, len);
}

static bool find_in(const struct family *f, const char *text, size_t len, const char *const *own,
                    struct signature *out)
{
	struct pattern_match m;
	if (f->needs.n && !any_occurs(&f->needs, text, len))
		return false;
	for (size_t i = 0; i < f->n_picks; i++)
		if (pick(f, &f->picks[i], text, len, &m)) {
			char *head = with_file(f, &f->picks[i],
			                       masked(f, text_of(&f->picks[i], text, &m)), text, &m,
			                       own);
			*out = (struct signature){ .family = f,
				                   .text = with_frames(f, head, text, len, &m, own),
				                   .begin = m.group[0].begin,
				                   .end = m.group[0].end };
			return true;
		}
	return false;
}

bool family_find(const struct family *f, const char *output, size_t len, const char *const *own,
                 struct signature *out)
{
	MEM_SCOPED char *text = looked_at(f, output, len);
	return find_in(f, text, len, own, out);
}

bool families_find(const struct families *all, const char *output, size_t len,
                   const char *const *own, struct signature *out)
{
	BUF_SCOPED struct buf below = { 0 }; /* what the programs that drivers run have said */
	bool found = false;
	buf_add(&below, output, len);
	buf_addch(&below, '\0');
	for (size_t i = 0; i < all->n; i++)
		blank_lines(&all->list[i]->drivers, below.data, len);
	for (size_t i = 0; i < all->n && !found; i++)
		found = family_find(all->list[i], all->list[i]->drivers.n ? output : below.data,
		                    len, own, out);
	return found;
}

/* ---- reading ---- */

/* A repository may bring families, of any size and number. */
enum { RANK_USUAL = 50, RANK_MAX = 99, FRAMES_MAX = 9, FILE_MAX = 1 << 18, FAMILIES_MAX = 512 };

struct reading {
	struct family *family;
	const char *file;
	unsigned line;
	const char *text; /* of the line */
	size_t detail;    /* of its directive */
	struct err *err;
};

static int fail(const struct reading *r, const char *at, const char *what)
{
	return err_set(r->err, ERR_USAGE, "%s:%u:%zu: %s", r->file, r->line,
	               (size_t)(at - r->text) + 1, what);
}

/* TEXT as a pattern, which stands AT. */
static struct pattern *read_pattern(const struct reading *r, const char *at, const char *text)
{
	struct err why = { 0 };
	struct pattern *p = *text ? pattern_new(text, &why) : NULL;
	if (!p)
		fail(r, at, *text ? why.msg : "expected a pattern");
	return p;
}

/* The detail says whether the last line is meant. */
static int on_pick(struct reading *r, const char *at)
{
	struct family *f = r->family;
	struct pattern *p = read_pattern(r, at, at);
	if (!p)
		return -1;
	MEM_PUSH(f->picks, f->n_picks, f->cap_picks, (struct pick){ p, r->detail });
	return 0;
}

static int add_pattern(struct reading *r, const char *at, struct patterns *to)
{
	struct pattern *p = read_pattern(r, at, at);
	if (!p)
		return -1;
	MEM_PUSH(to->list, to->n, to->cap, p);
	return 0;
}

/* The detail says where in the family such patterns are. */
static int on_pattern(struct reading *r, const char *at)
{
	return add_pattern(r, at, (struct patterns *)((char *)r->family + r->detail));
}

static int on_driver(struct reading *r, const char *at)
{
	struct family *f = r->family;
	MEM_SCOPED char *before = f->driver_text;
	f->driver_text = mem_printf("%signore %s\n", before ? before : "", at);
	return add_pattern(r, at, &f->drivers);
}

static int on_frame(struct reading *r, const char *at)
{
	struct family *f = r->family;
	if (f->frames.n && f->order != r->detail)
		return fail(r, r->text,
		            "frames are either before or after the picked line, not both");
	f->order = (enum frame_order)r->detail;
	return add_pattern(r, at, &f->frames);
}

/* PATTERN or PATTERN => TEXT. */
static int on_mask(struct reading *r, const char *at)
{
	struct family *f = r->family;
	const char *arrow = strstr(at, " =>");
	MEM_SCOPED char *pattern =
		mem_printf("%.*s", (int)(arrow ? (size_t)(arrow - at) : strlen(at)), at);
	struct pattern *p = read_pattern(r, at, pattern);
	if (!p)
		return -1;
	MEM_PUSH(f->masks, f->n_masks, f->cap_masks,
	         (struct mask){
			 p, mem_strdup(arrow ? arrow + 3 + (arrow[3] == ' ') : SIGNATURE_MASK) });
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
	size_t detail;
} directives[] = {
	{ "about", on_about, 0 },
	{ "rank", on_rank, 0 },
	{ "needs", on_pattern, offsetof(struct family, needs) },
	{ "absent", on_pattern, offsetof(struct family, absents) },
	{ "driver", on_driver, 0 },
	{ "ignore", on_pattern, offsetof(struct family, ignores) },
	{ "pick", on_pick, false },
	{ "pick-last", on_pick, true },
	{ "not-pick", on_pattern, offsetof(struct family, not_picks) },
	{ "frame", on_frame, FRAMES_BEHIND },
	{ "frame-before", on_frame, FRAMES_BEFORE },
	{ "frames", on_frames, 0 },
	{ "not-frame", on_pattern, offsetof(struct family, not_frames) },
	{ "mask", on_mask, 0 },
};

static int read_line(struct reading *r)
{
	const char *at = r->text + strspn(r->text, " \t");
	if (!*at || *at == '#')
		return 0;
	size_t len = strcspn(at, " \t");
	const char *rest = at + len + strspn(at + len, " \t");
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (strlen(directives[i].name) == len && !memcmp(directives[i].name, at, len)) {
			r->detail = directives[i].detail;
			return directives[i].read(r, rest);
		}
	return fail(
		r, at,
		"expected about, rank, needs, absent, driver, ignore, pick, pick-last, not-pick, "
		"frame, frame-before, frames, not-frame or mask");
}

/* The file's name without directory and ending. */
static char *name_of(const char *file)
{
	const char *base = path_base(file), *dot = strrchr(base, '.');
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
	MEM_SCOPED char *name = name_of(path);
	bool hidden = has_name(all, name);
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
	MEM_PUSH(all->list, all->n, all->cap, f);
	return 0;
}

static int add_directory(struct families *all, const char *dir, struct err *err)
{
	IO_SCOPED_DIR DIR *d = opendir(dir);
	int rc = 0;
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, "%s", dir);
	for (struct dirent *e; rc == 0 && (e = io_next_entry(d));) {
		size_t len = strlen(e->d_name);
		struct stat st; /* what is not a regular file might never end */
		if (len < 5 || e->d_name[0] == '.' || strcmp(e->d_name + len - 4, ".sig") != 0 ||
		    fstatat(dirfd(d), e->d_name, &st, 0) < 0 || !S_ISREG(st.st_mode))
			continue;
		MEM_SCOPED char *path = mem_printf("%s/%s", dir, e->d_name);
		if (st.st_size > FILE_MAX || all->n == FAMILIES_MAX)
			rc = err_set(err, ERR_USAGE,
			             "%s: larger than %d bytes, or one of more than %d", path,
			             FILE_MAX, FAMILIES_MAX);
		else
			rc = add_file(all, path, err);
	}
	if (rc == 0 && errno)
		rc = err_errno(err, "%s", dir);
	return rc;
}

static int by_rank(const void *a, const void *b)
{
	const struct family *x = *(struct family *const *)a, *y = *(struct family *const *)b;
	return x->rank != y->rank ? MEM_ORDER(x, y, rank) : strcmp(x->name, y->name);
}

struct families *families_load(const char *const *dirs, struct err *err)
{
	struct families *all = mem_zero(1, sizeof *all);
	for (; *dirs; dirs++)
		if (add_directory(all, *dirs, err) < 0) {
			families_free(all);
			return NULL;
		}
	MEM_SORT(all->list, all->n, by_rank);
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

bool family_guesses(const struct family *f)
{
	return f->rank > RANK_USUAL;
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
