#include "ui/report_output.h"

#include "base/buf.h"
#include "base/mem.h"
#include "ask/condition.h"
#include "ask/pattern.h"
#include "ask/signature.h"

enum {
	HEAD = 25,  /* lines that are shown at the beginning, */
	TAIL = 15,  /* at the end, */
	THERE = 10, /* and from one that shows the failure; */
	LINE = 1000 /* bytes of each: with the lines above, what an issue of GitHub has room for */
};

static size_t line_length(const char *at)
{
	size_t len = strcspn(at, "\n");
	return len + (at[len] == '\n');
}

/* "Shadow bytes around the buggy address:" and the legend: a heading and indented lines. */
static char *without_dump(const char *text)
{
	struct buf b = { 0 };
	bool dump = false;
	buf_add(&b, "", 0);
	for (size_t len; *text; text += len) {
		len = line_length(text);
		dump = !strncmp(text, "Shadow byte", strlen("Shadow byte")) ||
		       (dump && (*text == ' ' || !strncmp(text, "=>", 2)));
		if (!dump)
			buf_add(&b, text, len);
	}
	return b.data;
}

/* TEXT with the directories of tests as "."; what is in them has its name. */
static char *without_directories(const char *text)
{
	static const char here[] = "(?:/[\\w.+@~-]+)+/whittle-\\w{6}/slot-\\d+/\\w+(/)?(?![\\w-])";
	SCOPED(pattern_scoped) struct pattern *p = pattern_new(here, NULL);
	struct pattern_match m;
	struct buf b = { 0 };
	size_t len = strlen(text), at = 0;
	for (; p && pattern_find(p, text, len, at, &m); at = m.group[0].end) {
		bool inside = m.group[1].begin < m.group[1].end;
		buf_add(&b, text + at, m.group[0].begin - at);
		buf_addf(&b, "%s", inside ? "" : ".");
	}
	buf_addf(&b, "%s", text + at);
	return b.data;
}

/* ---- what is left out ---- */

struct lines {
	const char *text;
	size_t n;
	bool *kept;
};

static void keep(struct lines *l, size_t from, size_t n)
{
	for (size_t i = from; i < l->n && i < from + n; i++)
		l->kept[i] = true;
}

/* What is at BYTE shows the failure. */
static void keep_there(struct lines *l, size_t byte)
{
	size_t line = 0;
	for (size_t i = 0; i < byte; i++)
		line += l->text[i] == '\n';
	keep(l, line, THERE);
}

static void keep_signature(struct lines *l, const struct condition *c, const char *const *operands)
{
	struct signature found;
	struct family *f = c->family ? family_parse("family", c->family, NULL) : NULL;
	if (f && family_find(f, l->text, strlen(l->text), operands, &found)) {
		keep_there(l, found.begin);
		free(found.text);
	}
	family_free(f);
}

static void keep_looks(struct lines *l, const struct condition *c)
{
	struct pattern_match m;
	for (unsigned i = 0; i < c->n_looks; i++) {
		struct pattern *p = pattern_new(c->looks[i].pattern, NULL);
		if (p && pattern_find(p, l->text, strlen(l->text), 0, &m))
			keep_there(l, m.group[0].begin);
		pattern_free(p);
	}
}

/* Adds the line at AT, or its beginning. */
static void add_line(struct buf *b, const char *at)
{
	size_t len = strcspn(at, "\n"), shown = len > LINE ? LINE : len;
	while (shown < len && ((unsigned char)at[shown] & 0xc0) == 0x80)
		shown--;
	buf_add(b, at, shown);
	if (shown < len)
		buf_addf(b, " [... %zu bytes left out ...]", len - shown);
	buf_add(b, "\n", at[len] == '\n');
}

static char *kept_lines(const struct lines *l)
{
	struct buf b = { 0 };
	const char *at = l->text;
	buf_add(&b, "", 0);
	for (size_t i = 0, left_out = 0; i < l->n; i++) {
		size_t len = line_length(at);
		left_out += !l->kept[i];
		if (l->kept[i] && left_out) {
			buf_addf(&b, "[... %zu line%s left out ...]\n", left_out,
			         left_out == 1 ? "" : "s");
			left_out = 0;
		}
		if (l->kept[i])
			add_line(&b, at);
		at += len;
	}
	return b.data;
}

char *report_output(const char *text, const struct condition *c, const char *const *operands)
{
	MEM_SCOPED char *said = without_dump(text), *short_names = without_directories(said);
	struct lines l = { .text = short_names };
	for (const char *at = l.text; *at; at += line_length(at))
		l.n++;
	l.kept = mem_zero(l.n + 1, sizeof *l.kept);
	keep(&l, 0, HEAD);
	keep(&l, l.n > TAIL ? l.n - TAIL : 0, TAIL);
	keep_signature(&l, c, operands);
	keep_looks(&l, c);
	char *shown = kept_lines(&l);
	free(l.kept);
	return shown;
}
