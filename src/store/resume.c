/* What it takes to resume a reduction: its file, its test and its options, here or where it was
 * fetched to. */
#include <libgen.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "store/history.h"
#include "store/writer.h"

/* As step_file, of the first commit. */
static int first_file(struct reduction *r, const char *path, struct buf *out, struct err *err)
{
	return step_file(r->location.repo, &r->chain.ids[0], path, out, err);
}

char *reduction_options(struct reduction *r, struct err *err)
{
	struct buf text = { 0 };
	int rc = first_file(r, STORE_OPTIONS, &text, err);
	if (rc == 0)
		err_set(err, ERR_USAGE, "reduction '%s' does not name its options",
		        r->location.name);
	if (rc != 1)
		buf_release(&text);
	return text.data;
}

int reduction_test(struct reduction *r, struct buf *out, struct err *err)
{
	return first_file(r, STORE_TEST, out, err);
}

int reduction_identity(struct reduction *r, struct hash *identity, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = first_file(r, STORE_FORMAT, &text, err);
	if (rc >= 0 && !(rc && store_format_identity(text.data, identity)))
		rc = err_set(err, ERR_USAGE,
		             "reduction '%s' was started by another version of whittle",
		             r->location.name);
	return rc < 0 ? -1 : 0;
}

/* Is ID what this machine wrote to LEAF? */
static bool holds_id(const struct reduction *r, const char *leaf, const git_oid *id)
{
	char hex[GIT_OID_HEXSZ + 1];
	MEM_SCOPED char *text = location_line(r->location.dir, leaf, "");
	git_oid_tostr(hex, sizeof hex, id);
	return text && !strcmp(text, hex);
}

bool reduction_is_own(const struct reduction *r)
{
	return holds_id(r, LOCATION_FIRST, &r->chain.ids[0]);
}

bool reduction_finished_here(const struct reduction *r)
{
	return holds_id(r, LOCATION_FINISHED, &r->chain.ids[r->chain.n - 1]);
}

char *reduction_local(struct reduction *r, const char *key)
{
	MEM_SCOPED char *begin = mem_printf("%s=", key);
	return location_line(r->location.dir, "local", begin);
}

bool reduction_is_at_home(struct reduction *r, const char *file)
{
	git_repository *repo = location_around(file);
	bool home = repo && !strcmp(git_repository_commondir(repo), r->location.common);
	git_repository_free(repo);
	return home;
}

/* A path in the test case, with a '/' behind that of a directory. */
static int check_operand(const char *operand, struct err *err)
{
	size_t len = strlen(operand);
	MEM_SCOPED char *path =
		mem_printf("%.*s", (int)(len - (len && operand[len - 1] == '/')), operand);
	return path_check(path, 0, "the reduced file", err);
}

char **reduction_operands(struct reduction *r, struct err *err)
{
	struct buf text = { 0 };
	char **list = NULL;
	size_t n = 0, cap = 0;
	if (first_file(r, STORE_OPERANDS, &text, err) < 0)
		return NULL;
	bool foreign = false;
	for (const char *p = text.data; p && p < text.data + text.len; p += strlen(p) + 1) {
		MEM_PUSH(list, n, cap, mem_strdup(p));
		foreign = foreign || check_operand(p, err) < 0;
	}
	buf_release(&text);
	MEM_GROW(list, n, cap);
	list[n] = NULL;
	if (!foreign)
		return list;
	mem_free_words(list);
	return NULL;
}

/* The directory in which the test case's paths begin where FILE is: of a tree FILE is the first
 * operand. */
static char *former_top(struct reduction *r)
{
	const char *file = r->location.file;
	char **operands = reduction_operands(r, NULL);
	size_t len = strlen(file), behind = 0;
	if (operands && operands[0]) {
		behind = strlen(operands[0]);
		behind -= behind && operands[0][behind - 1] == '/';
	}
	MEM_SCOPED char *copy = mem_strdup(file);
	char *top = behind && behind < len ? mem_printf("%.*s", (int)(len - behind - 1), file)
	                                   : mem_strdup(dirname(copy));
	mem_free_words(operands);
	return top;
}

/* Where PATH was reduced the last time; NULL when that is not known. */
static char *former_file(struct reduction *r, const char *path)
{
	if (!r->location.file)
		return NULL;
	char *top = former_top(r), *file = mem_printf("%s/%s", top, path);
	free(top);
	return file;
}

/* Where PATH belongs in the work tree; NULL when there is none. */
static char *tree_file(struct reduction *r, const char *path)
{
	const char *top = git_repository_workdir(r->location.repo);
	return top && r->location.prefix ? mem_printf("%s%s%s", top, r->location.prefix, path)
	                                 : NULL;
}

/* Where FILE, the last LEN bytes of which come with the reduction, is no place of the user's own
 * choice, it is reached without links. */
static int check_way(struct reduction *r, const char *file, size_t len, struct err *err)
{
	size_t top = strlen(file) - len, own = r->location.file ? strlen(r->location.file) : 0;
	if (own && !strncmp(file, r->location.file, own) &&
	    (!file[own] || !strcmp(file + own, "/")))
		return 0;
	MEM_SCOPED char *dir = mem_printf("%.*s", (int)top, file);
	int rc = beneath_check(dir, file + top);
	return rc < 0 ? err_set(err, ERR_USAGE,
	                        "%s leads through a symbolic link or to another file system; it is "
	                        "not written (use -o)",
	                        file)
	              : 0;
}

char *reduction_file(struct reduction *r, const char *path, struct err *err)
{
	char *former = former_file(r, path), *tree = tree_file(r, path);
	/* A repository that was moved or copied has its own copy of the file. */
	bool moved = former && tree && !reduction_is_at_home(r, former) &&
	             (access(former, F_OK) < 0 || access(tree, F_OK) == 0);
	bool in_tree = moved || !former;
	char *file = in_tree ? tree : former;
	if (in_tree)
		free(former);
	else
		free(tree);
	if (!file)
		err_set(err, ERR_USAGE,
		        "reduction '%s' was never run here, and this repository has no work tree "
		        "for %s; use -o",
		        r->location.name, path);
	else if (check_way(r, file, strlen(path) + (in_tree ? strlen(r->location.prefix) : 0),
	                   err) < 0) {
		free(file);
		file = NULL;
	}
	return file;
}
