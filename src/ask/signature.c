#include "ask/signature.h"

#include <stdlib.h>
#include <string.h>

#include "ask/signature_def.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

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

char *mask_apply(const struct pattern *pattern, const char *with, char *text)
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
		const char *slash = strrchr(*own, '/'), *name = slash ? slash + 1 : *own;
		if (*name && strlen(name) == len - base && !memcmp(name, path + base, len - base))
			return true;
	}
	return false;
}

static struct pattern_span group_of(const struct pattern_match *m, unsigned group)
{
	return group < m->n ? m->group[group] : (struct pattern_span){ 1, 0 };
}

/* The group called "text" and, unless that is the test case, the "file" that it comes from; else
 * the groups that took part, one behind another; the whole match when there are none. */
static char *text_of(const struct pick *p, const char *text, const struct pattern_match *m,
                     const char *const *own)
{
	struct buf b = { 0 };
	struct pattern_span line = group_of(m, pattern_group(p->pattern, "text", PATTERN_GROUPS)),
			    file = group_of(m, pattern_group(p->pattern, "file", PATTERN_GROUPS));
	if (line.begin < line.end) {
		buf_add(&b, text + line.begin, line.end - line.begin);
		if (file.begin < file.end && !is_own(text + file.begin, file.end - file.begin, own))
			buf_addf(&b, ", at %.*s", (int)(file.end - file.begin), text + file.begin);
		buf_addch(&b, '\0');
		return b.data;
	}
	for (unsigned i = m->n > 1 ? 1 : 0; i < m->n; i++)
		if (m->group[i].begin < m->group[i].end) {
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

/* ---- frames ---- */

struct frame {
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
                       const char *const *own, struct frame *out)
{
	bool found = false;
	for (size_t i = 0; i < f->frames.n; i++) {
		struct pattern_match m;
		for (size_t at = from;
		     at <= len && pattern_find(f->frames.list[i], text, len, at, &m);) {
			if (counts(f, text, f->frames.list[i], &m, own)) {
				if (!found || m.group[0].begin < out->begin)
					*out = (struct frame){
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
                       const char *const *own, struct frame kept[KEPT])
{
	unsigned n = 0;
	struct frame one;
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
		struct frame swap = kept[i];
		kept[i] = kept[n - 1 - i];
		kept[n - 1 - i] = swap;
	}
	return n;
}

static char *with_frames(const struct family *f, char *head, const char *text, size_t len,
                         const struct pattern_match *m, const char *const *own)
{
	struct frame kept[KEPT];
	bool behind = f->order == FRAMES_BEHIND;
	unsigned n = f->n_wanted ? frames(f, text, behind ? m->group[0].begin : 0,
	                                  behind ? len : m->group[0].end, own, kept)
	                         : 0;
	struct buf b = { 0 };
	buf_addf(&b, "%s", head);
	for (unsigned i = 0; i < n; i++) {
		size_t size = kept[i].function.end - kept[i].function.begin;
		char *name =
			masked(f, mem_printf("%.*s", (int)size, text + kept[i].function.begin));
		buf_addf(&b, "%s%s", i ? ", " : " in ", name);
		free(name);
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
	char *text = looked_at(f, output, len);
	bool fails = any_occurs(&f->absents, text, len);
	free(text);
	return fails;
}

static bool find_in(const struct family *f, const char *text, size_t len, const char *const *own,
                    struct signature *out)
{
	struct pattern_match m;
	if (f->needs.n && !any_occurs(&f->needs, text, len))
		return false;
	for (size_t i = 0; i < f->n_picks; i++)
		if (pick(f, &f->picks[i], text, len, &m)) {
			char *head = masked(f, text_of(&f->picks[i], text, &m, own));
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
	char *text = looked_at(f, output, len);
	bool found = find_in(f, text, len, own, out);
	free(text);
	return found;
}

bool families_find(const struct families *all, const char *output, size_t len,
                   const char *const *own, struct signature *out)
{
	struct buf below = { 0 }; /* what the programs that drivers run have said */
	bool found = false;
	buf_add(&below, output, len);
	buf_addch(&below, '\0');
	for (size_t i = 0; i < all->n; i++)
		blank_lines(&all->list[i]->drivers, below.data, len);
	for (size_t i = 0; i < all->n && !found; i++)
		found = family_find(all->list[i], all->list[i]->drivers.n ? output : below.data,
		                    len, own, out);
	buf_release(&below);
	return found;
}
