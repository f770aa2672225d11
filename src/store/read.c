/* Test cases and verdicts out of trees. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/gitlib.h"
#include "store/writer.h"
#include "text/testcase.h"

struct found {
	char *path; /* without the prefix */
	mode_t mode;
	git_oid id;
	size_t order;
};

struct gathering {
	const char *prefix;
	struct found *list;
	size_t n, cap;
};

static int gather(const char *root, const git_tree_entry *entry, void *ctx)
{
	struct gathering *g = ctx;
	if (!strncmp(root, ".whittle/", 9) || git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		return 0;
	char *path = mem_printf("%s%s", root, git_tree_entry_name(entry));
	size_t len = strlen(g->prefix);
	bool executable = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
	if (!strncmp(path, g->prefix, len)) {
		MEM_GROW(g->list, g->n, g->cap);
		g->list[g->n] = (struct found){ .path = mem_strdup(path + len),
						.mode = executable ? 0755 : 0644,
						.id = *git_tree_entry_id(entry),
						.order = SIZE_MAX };
		g->n++;
	}
	free(path);
	return 0;
}

static int by_order(const void *a, const void *b)
{
	size_t x = ((const struct found *)a)->order, y = ((const struct found *)b)->order;
	return x < y ? -1 : x > y;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->path, ((const struct found *)b)->path);
}

/* The order of the files is that of STORE_FILES: offsets of the test case depend on it. */
static int put_in_order(git_repository *repo, const git_oid *id, struct gathering *g, struct err *err)
{
	git_blob *blob;
	int rc = step_blob(repo, id, STORE_FILES, &blob, err);
	if (rc <= 0)
		return rc;
	const char *p = git_blob_rawcontent(blob), *end = p + git_blob_rawsize(blob);
	if (p < end && end[-1])
		end = p;
	for (size_t order = 0; p < end; p += strlen(p) + 1, order++) {
		struct found key = { .path = (char *)p };
		struct found *f = bsearch(&key, g->list, g->n, sizeof key, by_path);
		if (f)
			f->order = order;
	}
	git_blob_free(blob);
	qsort(g->list, g->n, sizeof *g->list, by_order);
	return 0;
}

static struct testcase *assemble(git_repository *repo, struct gathering *g, struct err *err)
{
	struct buf bytes = { 0 };
	struct testcase_file *files = mem_zero(g->n, sizeof *files);
	uint32_t *ends = mem_alloc(g->n * sizeof *ends);
	struct testcase model = { .refs = 1, .n_files = (uint32_t)g->n, .files = files }, *tc = NULL;
	size_t i = 0;
	for (; i < g->n; i++) {
		git_blob *blob = NULL;
		if (git_blob_lookup(&blob, repo, &g->list[i].id) < 0)
			break;
		buf_add(&bytes, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
		git_blob_free(blob);
		files[i] = (struct testcase_file){ .path = g->list[i].path, .mode = g->list[i].mode };
		ends[i] = (uint32_t)bytes.len;
	}
	buf_add(&bytes, "", 0);
	if (i < g->n)
		gitlib_fail(err, "%s of a snapshot cannot be read", g->list[i].path);
	else if (bytes.len >= TESTCASE_MAX_SIZE)
		err_set(err, ERR_USAGE, "the test case of a snapshot is larger than 4 GB");
	else
		tc = testcase_like(&model, (uint8_t *)bytes.data, ends);
	if (!tc)
		buf_release(&bytes);
	free(ends);
	free(files);
	return tc;
}

static char *read_prefix(git_repository *repo, const git_oid *id, struct err *err)
{
	git_blob *blob;
	int rc = step_blob(repo, id, STORE_FORMAT, &blob, err);
	if (rc == 0)
		err_set(err, ERR_SYSTEM, "not a snapshot of a reduction");
	if (rc <= 0)
		return NULL;
	char *text = mem_printf("%.*s", (int)git_blob_rawsize(blob), (const char *)git_blob_rawcontent(blob));
	git_blob_free(blob);
	const char *line = strstr(text, "\nprefix ");
	size_t len = line ? strcspn(line + 8, "\n") : 0;
	char *prefix = mem_printf("%.*s", (int)len, line ? line + 8 : "");
	free(text);
	return prefix;
}

static int gather_tree(git_repository *repo, const git_oid *id, struct gathering *g, struct err *err)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	int rc = git_commit_lookup(&commit, repo, id);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	if (rc == 0)
		rc = git_tree_walk(tree, GIT_TREEWALK_PRE, gather, g);
	git_tree_free(tree);
	git_commit_free(commit);
	if (rc < 0)
		return gitlib_fail(err, "a snapshot cannot be read");
	qsort(g->list, g->n, sizeof *g->list, by_path);
	if (!g->n)
		return err_set(err, ERR_SYSTEM, "a snapshot holds no file of its test case");
	return put_in_order(repo, id, g, err);
}

struct testcase *tree_testcase(git_repository *repo, const git_oid *id, char **prefix, struct err *err)
{
	struct testcase *tc = NULL;
	struct gathering g = { .prefix = read_prefix(repo, id, err) };
	if (g.prefix && gather_tree(repo, id, &g, err) == 0)
		tc = assemble(repo, &g, err);
	for (size_t i = 0; i < g.n; i++)
		free(g.list[i].path);
	free(g.list);
	if (prefix && tc)
		*prefix = (char *)g.prefix;
	else
		free((char *)g.prefix);
	return tc;
}

int step_verdicts(git_repository *repo, const git_oid *id, store_verdict_fn *fn, void *ctx, struct err *err)
{
	git_blob *blob;
	int rc = step_blob(repo, id, STORE_VERDICTS, &blob, err);
	if (rc == 1)
		rc = verdicts_decode(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob), fn, ctx, err);
	git_blob_free(blob);
	return rc;
}
