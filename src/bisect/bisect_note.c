#include "bisect/bisect_note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect_git.h"

#define NOTES "--ref=refs/notes/whittle"

/* A blob with the bytes of F; its id, the caller's. */
static char *write_blob(struct bisection *b, const struct testcase_file *f, struct err *err)
{
	char *path = bisection_path(b, "blob"), *id = NULL;
	if (io_replace_file(path, f->data, testcase_file_size(f), 0666, err) == 0)
		id = bisect_git_line(
			b->here, GIT_ARGS("hash-object", "-w", "--no-filters", "--", path), err);
	free(path);
	return id;
}

/* Adds F to the index that the environment names. Git knows no empty directories. */
static int add_to_index(struct bisection *b, const struct testcase_file *f, struct err *err)
{
	if (S_ISDIR(f->mode))
		return 0;
	char *blob = write_blob(b, f, err);
	const char *mode = S_ISLNK(f->mode) ? "120000" : f->mode & 0100 ? "100755" : "100644";
	char *entry = mem_printf("%s,%s,%s", mode, blob ? blob : "", f->path);
	int rc = blob ? bisect_git(b->here, GIT_ARGS("update-index", "--add", "--cacheinfo", entry),
	                           NULL, err)
	              : -1;
	free(blob);
	free(entry);
	return rc;
}

/* A tree with the files of TC; its id, the caller's. */
static char *write_tree(struct bisection *b, const struct testcase *tc, struct err *err)
{
	char *index = bisection_path(b, "index"), *id = NULL;
	int rc = 0;
	setenv("GIT_INDEX_FILE", index, 1);
	for (uint32_t i = 0; rc == 0 && i < tc->n_files; i++)
		rc = add_to_index(b, &tc->files[i], err);
	if (rc == 0)
		id = bisect_git_line(b->here, GIT_ARGS("write-tree"), err);
	unsetenv("GIT_INDEX_FILE");
	unlink(index);
	free(index);
	return id;
}

/* A note does not keep what it names from being collected; a ref does. It points at the object, and
 * is called by it. */
static int keep_object(struct bisection *b, const char *id, struct err *err)
{
	char *ref = mem_printf("refs/whittle/bisect-repro/%s", id);
	int rc = bisect_git(b->here, GIT_ARGS("update-ref", ref, id), NULL, err);
	free(ref);
	return rc;
}

/* Notes are commits. Who has no name in git's configuration is no reason to give up. */
static void need_committer(struct bisection *b)
{
	struct err ignored;
	if (bisect_git(b->here, GIT_ARGS("var", "GIT_COMMITTER_IDENT"), NULL, &ignored) == 0)
		return;
	setenv("GIT_COMMITTER_NAME", "whittle", 0);
	setenv("GIT_COMMITTER_EMAIL", "whittle@localhost", 0);
	setenv("GIT_AUTHOR_NAME", "whittle", 0);
	setenv("GIT_AUTHOR_EMAIL", "whittle@localhost", 0);
}

static bool says_so(struct bisection *b, const char *id, const char *object)
{
	struct buf note = { 0 };
	struct err ignored;
	bool does =
		bisect_git(b->here, GIT_ARGS("notes", NOTES, "show", id), &note, &ignored) == 0 &&
		note.len && strstr(note.data, object);
	buf_release(&note);
	return does;
}

/* What the note says; the caller's. */
static char *describe(const struct bisection *b, const struct testcase *small, const char *object)
{
	const struct bisect_options *o = b->options;
	struct buf text = { 0 };
	buf_addf(&text,
	         "whittle bisect: first bad commit, between %.12s (good) and %.12s (bad)\ntest: "
	         "%s\nbuild: %s\nfile:",
	         b->good, b->bad, o->test, o->build ? o->build : "none");
	for (char **operand = b->operands; *operand; operand++)
		buf_addf(&text, " %s", *operand);
	buf_addf(&text, ", %u bytes of %u\nreproduction: ", small->size, b->original->size);
	if (small->is_tree)
		buf_addf(&text, "git archive --format=tar %s | tar -xf -\n", object);
	else
		buf_addf(&text, "git cat-file blob %s\n", object);
	return text.data;
}

int bisect_note(struct bisection *b, const char *id, const struct testcase *small, struct err *err)
{
	char *object =
		small->is_tree ? write_tree(b, small, err) : write_blob(b, &small->files[0], err);
	if (!object || keep_object(b, object, err) < 0) {
		free(object);
		return -1;
	}
	char *text = describe(b, small, object);
	int rc = 0;
	need_committer(b);
	if (!says_so(b, id, object))
		rc = bisect_git(b->here, GIT_ARGS("notes", NOTES, "append", "-m", text, id), NULL,
		                err);
	free(text);
	free(object);
	return rc;
}
