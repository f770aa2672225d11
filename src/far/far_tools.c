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

static void add(struct far *f, const char *name, const char *version, bool here)
{
	if (f->tools.n < TOOLS_MOST)
		f->tools.list[f->tools.n++] =
			(struct far_tool){ mem_strdup(name), mem_strdup(version), here };
}

static void add_here(void *ctx, const char *name, const char *version)
{
	struct buf words[2] = { 0 };
	words_add_tool(&words[0], name);
	words_add_version(&words[1], version);
	add(ctx, words[0].data, words[1].data, true);
	buf_release(&words[0]);
	buf_release(&words[1]);
}

void far_find_tools(struct far *f)
{
	kit_find_tools(f->options.setup, add_here, f);
}

static const struct far_tool *find(const struct far *f, const char *name)
{
	for (unsigned i = 0; i < f->tools.n; i++)
		if (!strcmp(f->tools.list[i].name, name))
			return &f->tools.list[i];
	return NULL;
}

/* Adds what WORD says, as it can be shown. False: it says nothing. */
static bool show_word(struct buf *out, const char *word)
{
	struct buf said = { 0 };
	bool good = words_read_text(word, &said);
	show_add(out, said.data, said.len);
	buf_release(&said);
	return good;
}

bool far_hear_tool(struct far *f, struct far_worker *w, struct far_member *m,
                   const struct frame *in)
{
	struct buf name = { 0 }, there = { 0 }, known = { 0 };
	bool good = in->n > 2 && show_word(&name, in->words[1]) &&
	            show_word(&there, in->words[2]) && m->tools++ < TOOLS_MOST;
	const struct far_tool *tool = good ? find(f, in->words[1]) : NULL;
	if (tool && strcmp(tool->version, in->words[2])) {
		show_word(&known, tool->version);
		far_notice(f, w, m, "its %s differs from that %s: \"%s\", not \"%s\"", name.data,
		           tool->here ? "here" : "elsewhere", there.data, known.data);
	}
	if (good && !tool)
		add(f, in->words[1], in->words[2], false);
	buf_release(&name);
	buf_release(&there);
	buf_release(&known);
	return good;
}

void far_release_tools(struct far *f)
{
	for (unsigned i = 0; i < f->tools.n; i++) {
		free(f->tools.list[i].name);
		free(f->tools.list[i].version);
	}
}
