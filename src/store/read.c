/* Test cases and verdicts out of trees. */
#include <limits.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "store/git.h"
#include "store/writer.h"
#include "text/testcase.h"

struct found {
	char *path; /* without the prefix */
	mode_t mode;
	git_oid id;
	size_t order;
	bool fixed;
};

struct gathering {
	const char *prefix;
	struct found *list;
	size_t n, cap;
	size_t next; /* position in the order */
	bool is_tree;
	bool foreign; /* err says why it cannot be used */
	struct err *err;
};

#define WHOSE "the snapshot"

static mode_t mode_of(git_filemode_t mode)
{
	return mode == GIT_FILEMODE_LINK              ? S_IFLNK | 0777
	       : mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755
	                                              : 0644;
}

static void add_found(struct gathering *g, const char *path, const git_tree_entry *entry)
{
	size_t len = strlen(g->prefix);
	if (strncmp(path, g->prefix, len) != 0)
		return;
	MEM_PUSH(g->list, g->n, g->cap,
	         (struct found){ .path = mem_strdup(path + len),
	                         .mode = mode_of(git_tree_entry_filemode(entry)),
	                         .id = *git_tree_entry_id(entry),
	                         .order = SIZE_MAX });
}

/* Directories, too, are looked at: a tree could be deeper than any path, and than our stack. */
static int gather(const char *root, const git_tree_entry *entry, void *ctx)
{
	struct gathering *g = ctx;
	git_object_t type = git_tree_entry_type(entry);
	MEM_SCOPED char *path = mem_printf("%s%s", root, git_tree_entry_name(entry));
	mode_t mode = type == GIT_OBJECT_COMMIT ? S_IFMT : mode_of(git_tree_entry_filemode(entry));
	if (!path_is_below(path, STORE_OWN) && path_check(path, mode, WHOSE, g->err) < 0)
		g->foreign = true;
	else if (strlen(path) >= PATH_MAX)
		g->foreign = err_set(g->err, ERR_USAGE, WHOSE ": a path is too long") < 0;
	else if (type == GIT_OBJECT_BLOB && !path_is_below(path, STORE_OWN))
		add_found(g, path, entry);
	return g->foreign ? -1 : 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->path, ((const struct found *)b)->path);
}

/* Calls FN for each of the strings, each ended by NUL, that the file PATH of a commit holds. 1, 0
 * when there is no such file, or -1 and err. */
static int each_string(git_repository *repo, const git_oid *id, const char *path,
                       void (*fn)(struct gathering *, const char *), struct gathering *g,
                       struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = step_file(repo, id, path, &text, err);
	if (rc <= 0)
		return rc;
	const char *p = text.data, *end = p + text.len;
	if (p < end && end[-1])
		end = p;
	for (; p < end; p += strlen(p) + 1)
		fn(g, p);
	return 1;
}

static void add_empty(struct gathering *g, const char *path)
{
	if (path_check(path, S_IFDIR, WHOSE, g->err) < 0) {
		g->foreign = true;
		return;
	}
	MEM_PUSH(g->list, g->n, g->cap,
	         (struct found){
			 .path = mem_strdup(path), .mode = S_IFDIR | 0777, .order = SIZE_MAX });
}

static struct found *find(struct gathering *g, const char *path)
{
	struct found key = { .path = (char *)(uintptr_t)path };
	return g->n ? bsearch(&key, g->list, g->n, sizeof key, by_path) : NULL;
}

static void note_order(struct gathering *g, const char *path)
{
	struct found *f = find(g, path);
	if (f)
		f->order = g->next++;
}

static void note_operand(struct gathering *g, const char *path)
{
	struct found *f = find(g, path);
	if (f)
		f->fixed = true;
}

static int add_bytes(git_repository *repo, const struct found *f, struct buf *bytes)
{
	SCOPED(git_blob_scoped) git_blob *blob = NULL;
	if (S_ISDIR(f->mode))
		return 0;
	if (git_blob_lookup(&blob, repo, &f->id) < 0)
		return -1;
	buf_add(bytes, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	return 0;
}

static struct testcase *assemble(git_repository *repo, struct gathering *g, struct err *err)
{
	struct buf bytes = { 0 };
	MEM_SCOPED struct testcase_file *files = mem_zero(g->n + 1, sizeof *files);
	struct testcase *tc = NULL;
	size_t i = 0;
	for (; i < g->n && bytes.len < TESTCASE_MAX_SIZE; i++) {
		files[i] = (struct testcase_file){ .path = g->list[i].path,
			                           .mode = g->list[i].mode,
			                           .fixed = g->list[i].fixed,
			                           .begin = (uint32_t)bytes.len };
		if (add_bytes(repo, &g->list[i], &bytes) < 0)
			break;
		files[i].end = (uint32_t)bytes.len;
		if (g->is_tree)
			buf_addch(&bytes, TESTCASE_FRAME);
	}
	buf_add(&bytes, "", 1);
	if (bytes.len > TESTCASE_MAX_SIZE)
		err_set(err, ERR_USAGE, "the test case of a snapshot is larger than 4 GB");
	else if (i < g->n)
		gitlib_fail(err, "%s of a snapshot cannot be read", g->list[i].path);
	else if (g->is_tree)
		tc = testcase_tree(files, (uint32_t)g->n, (uint8_t *)bytes.data);
	else
		tc = testcase_new(files[0].path, files[0].mode, (uint8_t *)bytes.data,
		                  files[0].end);
	if (!tc)
		buf_release(&bytes);
	return tc;
}

static char *read_prefix(git_repository *repo, const git_oid *id, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = step_file(repo, id, STORE_FORMAT, &text, err);
	if (rc == 0)
		err_set(err, ERR_SYSTEM, "not a snapshot of a reduction");
	if (rc <= 0)
		return NULL;
	const char *line = strstr(text.data, "\nprefix ");
	size_t len = line ? strcspn(line + 8, "\n") : 0;
	return mem_printf("%.*s", (int)len, line ? line + 8 : "");
}

/* No two entries have the same path, and none is both a file and a directory with others in it:
 * what is put into the latter would go through the former if that is a link. */
static int check_apart(struct gathering *g, struct err *err)
{
	for (size_t i = 0; i < g->n; i++) {
		char *path = mem_strdup(g->list[i].path);
		bool twice = i && !strcmp(path, g->list[i - 1].path);
		for (char *p = path; !twice && (p = strchr(p, '/')); p++) {
			*p = '\0';
			twice = find(g, path) != NULL;
			*p = '/';
		}
		free(path);
		if (twice)
			return err_set(err, ERR_USAGE,
			               WHOSE ": \"%s\" is in it twice, or in a file",
			               g->list[i].path);
	}
	return 0;
}

/* A single file stands where the prefix says, under its own name. */
static int check_single(const struct gathering *g, struct err *err)
{
	if (g->n == 1 && !strchr(g->list[0].path, '/') && !(g->list[0].mode & S_IFMT))
		return 0;
	return err_set(err, ERR_USAGE, WHOSE ": expected exactly one file");
}

/* The prefix is "", or a path that ends with a slash. */
static int check_prefix(const char *prefix, struct err *err)
{
	size_t len = strlen(prefix);
	if (!len)
		return 0;
	MEM_SCOPED char *path = mem_printf("%.*s", (int)(len - 1), prefix);
	return prefix[len - 1] == '/'
	               ? path_check(path, S_IFDIR, WHOSE, err)
	               : err_set(err, ERR_USAGE, WHOSE ": \"%s\" is not a directory", prefix);
}

static int gather_tree(git_repository *repo, const git_oid *id, struct gathering *g,
                       struct err *err)
{
	if (gitlib_walk(repo, id, gather, g) < 0)
		return g->foreign ? -1 : gitlib_fail(err, "a snapshot cannot be read");
	if (each_string(repo, id, STORE_EMPTY, add_empty, g, err) < 0 || g->foreign)
		return -1;
	MEM_SORT(g->list, g->n, by_path);
	if (check_apart(g, err) < 0)
		return -1;
	/* The order of the files is that of STORE_FILES: offsets of the test case depend on it. */
	int is_tree = each_string(repo, id, STORE_FILES, note_order, g, err);
	if (is_tree < 0 || each_string(repo, id, STORE_OPERANDS, note_operand, g, err) < 0)
		return -1;
	g->is_tree = is_tree;
	if (!g->n && !is_tree)
		return err_set(err, ERR_SYSTEM, "a snapshot holds no file of its test case");
	if (!is_tree && check_single(g, err) < 0)
		return -1;
	MEM_SORT_BY(g->list, g->n, order);
	return 0;
}

struct testcase *tree_testcase(git_repository *repo, const git_oid *id, char **prefix,
                               struct err *err)
{
	struct testcase *tc = NULL;
	struct gathering g = { .prefix = read_prefix(repo, id, err), .err = err };
	if (g.prefix && check_prefix(g.prefix, err) == 0 && gather_tree(repo, id, &g, err) == 0)
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

int step_verdicts(git_repository *repo, const git_oid *id, store_entry_fn *fn, void *ctx,
                  struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = step_file(repo, id, STORE_VERDICTS, &text, err);
	if (rc == 1)
		rc = store_entries_decode(text.data, text.len, fn, ctx, err);
	return rc;
}
