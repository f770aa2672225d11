#include "far/bundle.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "run/setup.h"
#include "text/testcase.h"

static void add(struct buf *out, const char *kind, const void *bytes, size_t len)
{
	buf_addf(out, "%s :%zu\n", kind, len);
	buf_add(out, bytes, len);
	buf_addch(out, '\n');
}

static void add_text(struct buf *out, const char *kind, const char *text)
{
	add(out, kind, text, strlen(text));
}

static int add_file(struct buf *out, const char *kind, const char *path, const char *name,
                    struct err *err)
{
	enum { MOST = 1 << 30 };
	BUF_SCOPED struct buf bytes = { 0 };
	struct stat st;
	if (stat(path, &st) < 0)
		return err_errno(err, "cannot read %s, which workers need", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "%s, which workers need, is not a file", path);
	if (io_read_bounded(path, (struct io_bounds){ MOST, true }, &bytes, err) < 0)
		return -1;
	add_text(out, "name", name);
	buf_addf(out, "%s %o :%zu\n", kind, (unsigned)(st.st_mode & 0777), bytes.len);
	buf_add(out, bytes.data, bytes.len);
	buf_addch(out, '\n');
	return 0;
}

/* Where PATH is to be found from the directory of the test: where it is here, if it is below that.
 */
static int add_with(struct buf *out, const char *test, const char *path, struct err *err)
{
	MEM_SCOPED char *real = realpath(path, NULL);
	MEM_SCOPED char *dir = mem_strdup(test);
	if (!real)
		return err_errno(err, "option --with: %s", path);
	*strrchr(dir, '/') = '\0';
	const char *slash = strrchr(real, '/');
	const char *name = path_is_below(real, dir) ? real + strlen(dir) + 1 : slash + 1;
	int rc = path_check(name, 0, "option --with", err);
	if (rc == 0)
		rc = add_file(out, "with", real, name, err);
	return rc;
}

int bundle_make(const struct setup *setup, const char *const *with, unsigned n, struct buf *out,
                struct err *err)
{
	buf_addf(out, "input %u\nexit %d %d\nroom %llu %llu\n", setup->input, setup->exit_code,
	         setup->no_answer, (unsigned long long)setup->input_size,
	         (unsigned long long)setup->files_size);
	if (setup->groups)
		buf_addf(out, "groups\n");
	if (setup->live.answers)
		buf_addf(out, "%s %u\n", setup->live.forks ? "forks" : "alive",
		         setup->live.answers);
	for (const char *const *a = setup->args; a && *a; a++)
		add_text(out, "argument", *a);
	for (const char *const *o = setup->operands; o && *o; o++)
		add_text(out, "operand", *o);
	if (add_file(out, "test", setup->test, strrchr(setup->test, '/') + 1, err) < 0)
		return -1;
	for (unsigned i = 0; i < n; i++)
		if (add_with(out, setup->test, with[i], err) < 0)
			return -1;
	buf_addf(out, "go\n");
	return 0;
}

void bundle_find_tools(const struct setup *setup, tools_fn *fn, void *ctx)
{
	enum { MOST = 1 << 20 };
	BUF_SCOPED struct buf words = { 0 }, text = { 0 };
	for (const char *const *a = setup->args; a && *a; a++)
		buf_addf(&words, "%s\n", *a);
	bool read =
		io_read_bounded(setup->test, (struct io_bounds){ MOST, true }, &text, NULL) == 0;
	if (read && text.len && !memchr(text.data, '\0', text.len))
		buf_add(&words, text.data, text.len);
	buf_addch(&words, '\0');
	tools_find(words.data, true, fn, ctx);
}

struct hash bundle_check(void)
{
	struct testcase_file files[] = { { .path = "a", .mode = 0644, .end = 1 },
		                         { .path = "b/c", .mode = 0755, .begin = 2, .end = 4 } };
	TESTCASE_SCOPED struct testcase *one = testcase_new("a", 0644, mem_zero(4, 1), 3);
	TESTCASE_SCOPED struct testcase *tree = testcase_tree(files, 2, mem_zero(6, 1));
	struct hash both = { one->hash.hi ^ tree->hash.lo, one->hash.lo ^ tree->hash.hi };
	return both;
}
