/* The trees and commits of a reduction. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/gitlib.h"
#include "store/writer.h"
#include "text/testcase.h"

git_filemode_t store_file_mode(mode_t mode)
{
	return mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
}

/* Is file I of TC what it was in the last snapshot? */
static bool file_unchanged(const struct store *s, const struct testcase *tc, uint32_t i)
{
	if (!s->last || s->last->n_files != tc->n_files)
		return false;
	const struct testcase_file *a = &s->last->files[i], *b = &tc->files[i];
	return a->end - a->begin == b->end - b->begin && !strcmp(a->path, b->path) &&
	       !memcmp(s->last->bytes + a->begin, tc->bytes + b->begin, b->end - b->begin);
}

static int add_files(struct store *s, const struct testcase *tc, struct tree_file *out, struct err *err)
{
	git_oid *ids = mem_alloc(tc->n_files * sizeof *ids);
	int rc = 0;
	for (uint32_t i = 0; i < tc->n_files && rc == 0; i++) {
		const struct testcase_file *f = &tc->files[i];
		char *path = mem_printf("%s%s", s->place.prefix, f->path);
		if (file_unchanged(s, tc, i))
			ids[i] = s->last_ids[i];
		else
			rc = objects_add(s->objects, GIT_OBJECT_BLOB, tc->bytes + f->begin, f->end - f->begin, path,
			                 &ids[i], err);
		out[i] = (struct tree_file){ .path = path, .mode = store_file_mode(f->mode), .id = ids[i] };
	}
	testcase_unref(s->last);
	free(s->last_ids);
	s->last = rc == 0 ? testcase_ref((struct testcase *)tc) : NULL;
	s->last_ids = ids;
	return rc;
}

int store_add_tree(struct store *s, const struct testcase *tc, const struct buf *verdicts, git_oid *tree,
                   struct err *err)
{
	size_t n = tc->n_files + s->n_carried, at = tc->n_files;
	struct tree_file *files = mem_zero(n + 1, sizeof *files);
	int rc = add_files(s, tc, files, err);
	memcpy(files + at, s->carried, s->n_carried * sizeof *files);
	if (rc == 0 && verdicts) {
		files[n] = (struct tree_file){ .path = STORE_VERDICTS, .mode = GIT_FILEMODE_BLOB };
		rc = objects_add(s->objects, GIT_OBJECT_BLOB, verdicts->data, verdicts->len, STORE_VERDICTS,
		                 &files[n].id, err);
	}
	struct tree_file *sorted = mem_dup(files, (n + 1) * sizeof *files);
	objects_sort(sorted, n + (verdicts != NULL));
	if (rc == 0)
		rc = objects_add_tree(s->objects, sorted, n + (verdicts != NULL), tree, err);
	for (size_t i = 0; i < at; i++)
		free((char *)files[i].path);
	free(sorted);
	free(files);
	return rc;
}

int store_add_commit(struct store *s, const struct step *step, const git_oid *tree, const git_oid *parent,
                      const char *message, git_oid *id, struct err *err)
{
	struct buf text = { 0 };
	step_commit(&text, step, tree, parent, message);
	int rc = objects_add(s->objects, GIT_OBJECT_COMMIT, text.data, text.len, NULL, id, err);
	buf_release(&text);
	return rc;
}

static int list_entry(const char *root, const git_tree_entry *entry, void *ctx)
{
	struct tree_list *l = ctx;
	char *path = mem_printf("%s%s", root, git_tree_entry_name(entry));
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB || !strcmp(path, STORE_VERDICTS)) {
		free(path);
		return 0;
	}
	MEM_GROW(l->files, l->n, l->cap);
	l->files[l->n++] = (struct tree_file){ path, git_tree_entry_filemode(entry), *git_tree_entry_id(entry) };
	return 0;
}

int tree_list(struct tree_list *list, git_repository *repo, const git_oid *id, struct err *err)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	*list = (struct tree_list){ 0 };
	int rc = git_commit_lookup(&commit, repo, id);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	if (rc == 0)
		rc = git_tree_walk(tree, GIT_TREEWALK_PRE, list_entry, list);
	if (rc < 0) {
		gitlib_fail(err, "a snapshot cannot be read");
		tree_list_release(list);
	} else {
		objects_sort(list->files, list->n);
	}
	git_tree_free(tree);
	git_commit_free(commit);
	return rc < 0 ? -1 : 0;
}

void tree_list_release(struct tree_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free((char *)list->files[i].path);
	free(list->files);
	*list = (struct tree_list){ 0 };
}
