#include "integ/bisect_note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "integ/bisect_git.h"

#define NOTES "--ref=refs/notes/whittle"

/* The blob with the file; its id, the caller's. */
static char *write_blob(struct bisection *b, const struct testcase *small, struct err *err)
{
	char *path = bisection_path(b, "blob"), *id = NULL;
	if (io_replace_file(path, small->bytes, small->size, 0666, err) == 0)
		id = bisect_git_line(b->here, GIT_ARGS("hash-object", "-w", "--no-filters", "--", path), err);
	free(path);
	return id;
}

/* A note does not keep what it names from being collected; a ref does. It points at the blob, and is called by it. */
static int keep_blob(struct bisection *b, const char *blob, struct err *err)
{
	char *ref = mem_printf("refs/whittle/bisect-repro/%s", blob);
	int rc = bisect_git(b->here, GIT_ARGS("update-ref", ref, blob), NULL, err);
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

static bool says_so(struct bisection *b, const char *id, const char *blob)
{
	struct buf note = { 0 };
	struct err ignored;
	bool does = bisect_git(b->here, GIT_ARGS("notes", NOTES, "show", id), &note, &ignored) == 0 && note.len &&
		    strstr(note.data, blob);
	buf_release(&note);
	return does;
}

int bisect_note(struct bisection *b, const char *id, const struct testcase *small, struct err *err)
{
	char *blob = write_blob(b, small, err);
	if (!blob || keep_blob(b, blob, err) < 0) {
		free(blob);
		return -1;
	}
	char *text = mem_printf("whittle bisect: first bad commit, between %.12s (good) and %.12s (bad)\n"
				"test: %s\nbuild: %s\nfile: %s, %u bytes of %u\nreproduction: git cat-file blob %s\n",
				b->good, b->bad, b->options->test, b->options->build ? b->options->build : "none",
				small->files[0].path, small->size, b->original->size, blob);
	int rc = 0;
	need_committer(b);
	if (!says_so(b, id, blob))
		rc = bisect_git(b->here, GIT_ARGS("notes", NOTES, "append", "-m", text, id), NULL, err);
	free(text);
	free(blob);
	return rc;
}
