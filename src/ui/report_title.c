#include "ui/report_title.h"

#include "ask/condition.h"
#include "ask/pattern.h"
#include "ask/signature.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/show.h"

static char *ended(const struct condition *c)
{
	switch (c->ended) {
	case ENDED_STATUS:
		return mem_printf("exits with status %d", c->number);
	case ENDED_NONZERO:
		return mem_strdup("fails");
	case ENDED_CRASH:
		return mem_strdup("crashes");
	case ENDED_SIGNAL:
		return mem_printf("is ended by signal %d (%s)", c->number, strsignal(c->number));
	case ENDED_TIMEOUT:
		return mem_printf("does not end within %.6g s", (double)c->limit_ns / 1e9);
	case ENDED_ANYHOW:
		break;
	}
	return NULL;
}

char *report_ended(const struct condition *c)
{
	char *how = ended(c);
	if (!c->slower_than_ns)
		return how;
	char *both = mem_printf("%s%stakes %.6g s of processor time or more", how ? how : "",
	                        how ? " and " : "", (double)c->slower_than_ns / 1e9);
	free(how);
	return both;
}

/* A message that names its function has no need of the innermost frame when that is the same. */
static char *signature_once(const char *signature)
{
	const char *frame = NULL;
	for (const char *at = signature; (at = strstr(at, " in ")); at++)
		frame = at;
	MEM_SCOPED char *head =
		frame ? mem_printf("%.*s", (int)(frame - signature), signature) : NULL;
	MEM_SCOPED char *named = frame ? mem_printf("%s,", frame) : NULL;
	return mem_strdup(head && strstr(head, named) ? head : signature);
}

/* A pattern as people would write what it matches: "[-Wx]", not "\[-Wx\]"; the caller's. */
static char *without_escapes(const char *pattern)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (const char *at = pattern; *at; at++)
		if (!strncmp(at, ".*", 2))
			buf_addf(&b, " " SIGNATURE_MASK "%s", *++at && at[1] == ' ' ? "" : " ");
		else if (*at != '\\' || !at[1] || !strchr("[](){}.*+?^$|/-<>\"'", at[1]))
			buf_addch(&b, *at);
	return b.data;
}

/* The first line of OUTPUT that has what is looked for, or that; the caller's. NULL: nothing is. */
static char *looked_for(const struct condition *c, const char *output)
{
	enum { COLUMNS = 120 };
	struct pattern_match m;
	unsigned i = 0;
	while (i < c->n_looks && c->looks[i].absent)
		i++;
	if (i == c->n_looks)
		return NULL;
	struct pattern *p = pattern_new(c->looks[i].pattern, NULL);
	char *line = NULL;
	if (p && pattern_find(p, output, strlen(output), 0, &m)) {
		size_t begin = m.group[0].begin;
		while (begin && output[begin - 1] != '\n')
			begin--;
		line = mem_printf("%.*s", (int)strcspn(output + begin, "\n"), output + begin);
	}
	pattern_free(p);
	if (line && *line && strlen(line) <= COLUMNS)
		return line;
	free(line);
	return without_escapes(c->looks[i].pattern);
}

/* Does a line of OUTPUT call what SIGNATURE begins with an assertion, which that does not say? */
static bool is_assertion(const char *output, const char *signature)
{
	MEM_SCOPED char *begin = mem_printf("%.*s", (int)strcspn(signature, ","), signature);
	if (!*begin || strstr(signature, "ssert"))
		return false;
	for (const char *at = output; (at = strstr(at, begin)); at++) {
		const char *line = at;
		while (line > output && line[-1] != '\n')
			line--;
		const char *said = strstr(line, "ssertion");
		if (said && said < at + strcspn(at, "\n"))
			return true;
	}
	return false;
}

static char *failure(const struct report_titled *of)
{
	const struct condition *c = of->condition;
	if (c->signature) {
		MEM_SCOPED char *once = signature_once(c->signature);
		return mem_printf("%s%s", is_assertion(of->output, once) ? "Assertion: " : "",
		                  once);
	}
	char *found = looked_for(c, of->output);
	if (!found && c->differs)
		found = mem_printf("output or status differs from that of %s", of->other);
	bool fails = c->ended != ENDED_STATUS || c->number || c->slower_than_ns;
	return found || !fails ? found : report_ended(c);
}

/* TITLE, which it takes, in one line of a terminal: what is more is left out behind a word. */
static char *shortened(char *title)
{
	enum { COLUMNS = SHOW_COLUMNS - 2 }; /* "# " */
	if (show_columns(title) <= COLUMNS)
		return title;
	size_t len = COLUMNS - 2, blank;
	while (len && ((unsigned char)title[len] & 0xc0) == 0x80)
		len--;
	for (blank = len; blank > COLUMNS / 2 && title[blank] != ' '; blank--)
		;
	len = title[blank] == ' ' ? blank : len;
	while (len && strchr(" ,:;", title[len - 1]))
		len--;
	char *shorter = mem_printf("%.*s " SIGNATURE_MASK, (int)len, title);
	free(title);
	return shorter;
}

/* What stands behind "PATH:LINE:COLUMN: " in WHAT; WHAT: it does not begin so. */
static const char *behind_place(const char *what)
{
	const char *at = what + strcspn(what, ": ");
	unsigned numbers = 0;
	while (*at == ':' && strspn(at + 1, "0123456789")) {
		at += 1 + strspn(at + 1, "0123456789");
		numbers++;
	}
	return at > what && numbers && !strncmp(at, ": ", 2) && at[2] ? at + 2 : what;
}

/* A message that names a file of the user's is about that one, of several. */
char *report_title(const struct report_titled *of)
{
	MEM_SCOPED char *what = of->condition->words ? failure(of) : NULL;
	if (!what)
		return NULL;
	const char *said = behind_place(what), *file = *of->paths ? path_base(*of->paths) : "";
	MEM_SCOPED char *place = mem_printf("%.*s", (int)strcspn(what, ": "), what);
	MEM_SCOPED char *shown = signature_shown(said);
	for (char *const *path = of->paths; said > what && *path; path++)
		if (!strcmp(path_base(*path), path_base(place)))
			file = path_base(*path);
	return shortened(mem_printf("%s: %s", file, shown));
}
