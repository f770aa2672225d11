/* The versions of the programs that the test runs, here and where workers are (far_def.h). They
 * need not be the same for verdicts to be; when verdicts differ, they are the likeliest reason. */
#include <stdlib.h>
#include <string.h>

#include "ask/tools.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/far_def.h"
#include "far/kit.h"
#include "far/words.h"

/* Adds a tool, its version as the user is shown it. */
static struct far_tool *add(struct far *f, const char *name, const char *version, bool here)
{
	struct far_tool *t = &f->tools.list[f->tools.n++];
	*t = (struct far_tool){ mem_strdup(name), mem_strdup(version), here };
	return t;
}

static void add_here(void *ctx, const char *name, const char *version)
{
	struct far *f = ctx;
	struct buf there = { 0 }, shown = { 0 }; /* as it would come from a worker */
	words_add_text(&there, version, WORDS_VERSION);
	words_read_text(there.data, &shown);
	char *text = mem_printf("%.*s", (int)shown.len, shown.data);
	char *line = show_text(text);
	add(f, name, line, true);
	free(line);
	free(text);
	buf_release(&there);
	buf_release(&shown);
}

void far_find_tools(struct far *f)
{
	struct buf words = { 0 };
	kit_add_words(&words, f->options.setup);
	buf_addch(&words, '\0');
	tools_find(words.data, true, add_here, f);
	buf_release(&words);
}

static struct far_tool *find(struct far *f, const char *name)
{
	for (unsigned i = 0; i < f->tools.n; i++)
		if (!strcmp(f->tools.list[i].name, name))
			return &f->tools.list[i];
	return NULL;
}

/* What the word AT of the frame says, as it can be shown; the caller's. NULL: it is none. */
static char *text_of(const struct frame *in, unsigned at)
{
	struct buf said = { 0 };
	char *shown = NULL;
	if (in->n > at && words_read_text(in->words[at], &said)) {
		char *text = mem_printf("%.*s", (int)said.len, said.len ? said.data : "");
		shown = show_text(text);
		free(text);
	}
	buf_release(&said);
	return shown;
}

bool far_hear_tool(struct far *f, struct far_worker *w, struct far_member *m,
                   const struct frame *in)
{
	char *name = text_of(in, 1), *version = text_of(in, 2);
	bool good = name && version && m->tools++ < TOOLS_MOST;
	struct far_tool *known = good ? find(f, name) : NULL;
	if (good && !known && f->tools.n < TOOLS_MOST)
		add(f, name, version, false);
	if (known && strcmp(known->version, version))
		far_notice(f, w, m, "its %s is another one than %s: \"%s\", not \"%s\"", name,
		           known->here ? "here" : "elsewhere", version, known->version);
	free(name);
	free(version);
	return good;
}

void far_release_tools(struct far *f)
{
	for (unsigned i = 0; i < f->tools.n; i++) {
		free(f->tools.list[i].name);
		free(f->tools.list[i].version);
	}
}
