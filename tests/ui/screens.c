/* The live display as text: the screen after known events, at several sizes, compared with what
 * stands in tests/ui/expected.
 *
 *     screens DIR            compares; prints what differs
 *     screens --write DIR    writes them anew
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "text/testcase.h"
#include "ui/live_draw.h"

static const uint64_t SECOND = 1000000000u;

static const char *const texts[] = {
	"#include <stdio.h>\n"
	"/* a comment that goes first */\n"
	"int unused(int a)\n{\n\treturn a + 1;\n}\n\n"
	"int main(void)\n{\n\tputs(\"\033[2Jhostile \xe2\x80\xae bytes\xff\");\n"
	"\tprintf(\"%d\", unused(1));\n\tcrash(1, 22, 333);\n\treturn 0;\n}\n",
	"#include <stdio.h>\n"
	"int unused(int a)\n{\n\treturn a + 1;\n}\n\n"
	"int main(void)\n{\n\tputs(\"\033[2Jhostile \xe2\x80\xae bytes\xff\");\n"
	"\tprintf(\"%d\", unused(1));\n\tcrash(1, 22, 333);\n\treturn 0;\n}\n",
	("#include <stdio.h>\n"
	 "int main(void)\n{\n\tputs(\"\033[2Jhostile \xe2\x80\xae bytes\xff\");\n"
	 "\tcrash(1, 22, 333);\n\treturn 0;\n}\n"),
	("int main(void)\n{\n\tputs(\"\033[2Jhostile \xe2\x80\xae bytes\xff\");\n"
	 "\tcrash(1, 22, 333);\n}\n"),
	"int main(void)\n{\n\tcrash(1, 22, 333);\n}\n",
	"int main(void)\n{\n\tcrash(1, 333);\n}\n",
};

/* Several cuts at once, what is the same between them, and one line of which a piece goes. */
static const char *const cuts[] = {
	"a;\nb;\nc;\nd;\ne;\nf;\ng;\nh;\ni;\nj;\nk; l; m;\nn;\n",
	"a;\nc;\nd;\ne;\nf;\ng;\nh;\ni;\nk; m;\nn;\n",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static struct testcase *text(const char *bytes)
{
	uint32_t size = (uint32_t)strlen(bytes);
	return testcase_new("crash.c", 0644, mem_dup(bytes, size + 1), size);
}

static void tell(struct live_model *m, size_t n)
{
	static const char *const passes[TEXTS] = { "",      "comments", "items",
		                                   "lines", "items",    "tokens" };
	const struct live_setting setting = {
		.file = "crash.c",
		.name = "crash.c",
		.tokenizer = "c",
		.fence = "write, tmp, processes, signals",
		.limits = "2.5 s, files 512 MB, 4096 processes",
		.externals = "external passes: clang_delta 2.7.0",
	};
	struct live_setting here = setting;
	struct testcase *tc = text(texts[0]);
	here.original = tc->size;
	live_model_init(m, &here, tc);
	testcase_unref(tc);
	for (size_t i = 1; i < n; i++) {
		tc = text(texts[i]);
		live_model_accepted(m, tc, passes[i], (i * i + 1) * 7 * SECOND, i * 40);
		testcase_unref(tc);
		live_model_now(
			m, &(struct live_facts){ .ns = (i * i + 1) * 7 * SECOND, .tests = i * 40 });
	}
	const struct live_facts facts = { .ns = (n * n + 2) * 7 * SECOND,
		                          .tests = n > 1 ? 1234 : 0,
		                          .answers = 1200,
		                          .known = 17,
		                          .interesting = n - 1,
		                          .not_interesting = 1190,
		                          .timeouts = 3,
		                          .cancelled = 31,
		                          .jobs = 4,
		                          .busy = 3,
		                          .pass = n > 1 ? "tokens" : NULL,
		                          .block = 2,
		                          .permille = n > 1 ? 734 : -1,
		                          .of_pass.answers = 55,
		                          .of_pass.bytes = n > 1 ? 4 : 0 };
	live_model_now(m, &facts);
}

static void tell_cuts(struct live_model *m)
{
	struct testcase *before = text(cuts[0]), *after = text(cuts[1]);
	const struct live_setting setting = { .file = "crash.c",
		                              .tokenizer = "c",
		                              .fence = "none",
		                              .limits = "2.5 s",
		                              .externals = "no external passes",
		                              .original = before->size };
	live_model_init(m, &setting, before);
	live_model_accepted(m, after, "items", SECOND, 10);
	live_model_now(m, &(struct live_facts){ .ns = SECOND, .tests = 10, .permille = -1 });
	testcase_unref(before);
	testcase_unref(after);
}

struct screen {
	const char *name;
	unsigned rows, cols;
	enum live_page page;
	size_t texts; /* how many of them have been seen */
	size_t step;
	enum live_sort sort;
	unsigned scroll;
	bool ascii, paused;
	const char *message;
	const char *waiting, *fence;
};

static const struct screen screens[] = {
	{ "start-80", .rows = 24, .cols = 80, .texts = 1 },
	{ "main-40", .rows = 12, .cols = 40, .texts = TEXTS },
	{ "main-80", .rows = 24, .cols = 80, .texts = TEXTS },
	{ "main-132", .rows = 43, .cols = 132, .texts = TEXTS },
	{ "main-250", .rows = 60, .cols = 250, .texts = TEXTS, .paused = true },
	{ "main-ascii", .rows = 24, .cols = 80, .texts = TEXTS, .ascii = true },
	{ "main-small", .rows = 5, .cols = 20, .texts = TEXTS },
	{ "hostile", .rows = 30, .cols = 80, .texts = 5 },
	{ "notice", .rows = 12, .cols = 60, .texts = 3, .message = "the disk \033[31mis full" },
	{ "passes", .rows = 12, .cols = 80, .texts = TEXTS, .page = LIVE_PASSES },
	{ "passes-bytes", .rows = 12, .cols = 40, .texts = TEXTS, .page = LIVE_PASSES,
	  .sort = LIVE_BY_BYTES },
	{ "diff", .rows = 20, .cols = 60, .texts = 3, .page = LIVE_DIFF },
	{ "diff-narrow", .rows = 12, .cols = 30, .texts = 5, .page = LIVE_DIFF },
	{ "diff-scrolled", .rows = 12, .cols = 30, .texts = 5, .page = LIVE_DIFF, .scroll = 3 },
	{ "diff-cuts", .rows = 24, .cols = 40, .page = LIVE_DIFF },
	{ "diff-none", .rows = 12, .cols = 60, .texts = 1, .page = LIVE_DIFF },
	{ "history", .rows = 24, .cols = 80, .texts = TEXTS, .page = LIVE_HISTORY, .step = 1 },
	{ "history-none", .rows = 24, .cols = 80, .texts = 1, .page = LIVE_HISTORY },
	{ "help", .rows = 24, .cols = 80, .texts = TEXTS, .page = LIVE_HELP },
	{ "help-40", .rows = 24, .cols = 40, .texts = TEXTS, .page = LIVE_HELP },
	{ "waiting", .rows = 12, .cols = 40, .texts = TEXTS, .waiting = "12 s for a test" },
	{ "fence", .rows = 24, .cols = 80, .texts = TEXTS,
	  .fence = "write, signals (without namespaces tests get no /tmp of their own, so it is "
	           "read-only)" },
};

static void draw(const struct screen *s, struct buf *out)
{
	static const struct live_pass passes[] = {
		{ .name = "comments", .runs = 2, .successes = 1, .answers = 12, .bytes = 32 },
		{ .name = "items", .runs = 4, .successes = 2, .answers = 120, .bytes = 105 },
		{ .name = "never", .runs = 0 },
		{ .name = "lines", .runs = 1, .successes = 1, .answers = 9, .bytes = 30 },
		{ .name = "tokens", .runs = 3, .successes = 1, .answers = 1059, .bytes = 4 },
	};
	struct live_model *m = mem_alloc(sizeof *m);
	struct grid g = { .ascii = s->ascii };
	const struct live_view view = { .page = s->page,
		                        .step = s->step,
		                        .scroll = s->scroll,
		                        .sort = s->sort,
		                        .passes = passes,
		                        .n_passes = sizeof passes / sizeof *passes };
	if (s->texts)
		tell(m, s->texts);
	else
		tell_cuts(m);
	m->now.paused = s->paused;
	if (s->waiting)
		snprintf(m->now.waiting, sizeof m->now.waiting, "%s", s->waiting);
	if (s->fence)
		m->setting.fence = s->fence;
	if (s->message)
		live_model_notice(m, s->message);
	grid_clear(&g, s->rows, s->cols);
	live_draw(m, &view, &g);
	grid_text(&g, s->rows < 40, out);
	grid_release(&g);
	live_model_release(m);
	free(m);
}

/* Nothing but what is one column wide and printed. */
static bool is_safe(const struct buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if (((unsigned char)b->data[i] < ' ' && b->data[i] != '\n') || b->data[i] == 0x7f)
			return false;
	return !strstr(b->data, "\xe2\x80\xae") &&
	       testcase_utf8((uint8_t *)b->data, (uint32_t)b->len);
}

static bool check(const char *dir, const struct screen *s, bool write)
{
	struct buf is = { 0 }, should = { 0 };
	struct err err = { 0 };
	char *path = mem_printf("%s/%s", dir, s->name);
	draw(s, &is);
	bool safe = is_safe(&is), fine = safe;
	if (write)
		fine &= io_replace_file(path, is.data, is.len, 0644, &err) == 0;
	else
		fine &= io_read_file(path, &should, &err) == 0 && should.len == is.len &&
		        !memcmp(should.data, is.data, is.len);
	if (!fine)
		printf("%s: %s\n%s", s->name,
		       !safe      ? "is not safe"
		       : err.code ? err.msg
		                  : "is now:",
		       is.data);
	free(path);
	buf_release(&is);
	buf_release(&should);
	return fine;
}

/* Every size, to find what is written where it must not be. */
static void try_sizes(void)
{
	for (unsigned rows = 0; rows < 30; rows++)
		for (unsigned cols = 0; cols < 130; cols += 3)
			for (enum live_page page = LIVE_MAIN; page <= LIVE_HELP; page++) {
				struct buf b = { 0 };
				draw(&(struct screen){ .rows = rows,
				                       .cols = cols,
				                       .page = page,
				                       .texts = 3 },
				     &b);
				buf_release(&b);
			}
}

int main(int argc, char **argv)
{
	bool write = argc > 1 && !strcmp(argv[1], "--write"), fine = true;
	char *found = NULL;
	const char *top = getenv("top_srcdir"), *dir = argc > 1 + write ? argv[1 + write] : NULL;
	if (!dir)
		dir = found = mem_printf("%s/tests/ui/expected", top ? top : ".");
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
		fine &= check(dir, &screens[i], write);
	try_sizes();
	free(found);
	return fine ? 0 : 1;
}
