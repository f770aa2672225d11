#include "bisect/bisect_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect_git.h"

char *bisect_log_with(const char *log, enum bisect_answer answer, const char *id)
{
	return mem_printf("%sgit bisect %s %s\n", log, bisect_word(answer), id);
}

/* The comments that git writes into the log when it comes to an end; they are the same in each
 * language. */
static bool is_over(const char *log, char first_bad[BISECT_ID_SIZE])
{
	const char *found = strstr(log, "\n# first bad commit: [");
	first_bad[0] = '\0';
	if (found)
		sscanf(found, "\n# first bad commit: [%64[0-9a-f]]", first_bad);
	return found || strstr(log, "\n# only skipped commits left to test");
}

int bisect_state_of(const char *tree, char head[BISECT_ID_SIZE], char first_bad[BISECT_ID_SIZE],
                    struct err *err)
{
	struct buf log = { 0 };
	int rc = bisect_git(tree, GIT_ARGS("bisect", "log"), &log, err);
	buf_addch(&log, '\n');
	head[0] = '\0';
	if (rc == 0 && !is_over(log.data, first_bad)) {
		char *id = bisect_git_line(tree, GIT_ARGS("rev-parse", "--verify", "BISECT_HEAD"),
		                           err);
		if (id)
			snprintf(head, BISECT_ID_SIZE, "%s", id);
		else
			rc = -1;
		free(id);
	}
	buf_release(&log);
	return rc;
}

static void replay_in(struct bisect_replay *r, struct bisection *b, const char *log,
                      char head[BISECT_ID_SIZE])
{
	struct err ignored; /* a guess that fails is none */
	char first_bad[BISECT_ID_SIZE], *path = bisection_path(b, "replay");
	head[0] = '\0';
	if (!r->tree)
		r->tree = bisect_tree_add(&b->trees, b->bad, true, &ignored);
	if (!r->tree || io_replace_file(path, log, strlen(log), 0666, &ignored) < 0 ||
	    bisect_git(r->tree, GIT_ARGS("bisect", "replay", path), NULL, &ignored) < 0 ||
	    bisect_state_of(r->tree, head, first_bad, &ignored) < 0)
		head[0] = '\0';
	free(path);
}

void bisect_replay_head(struct bisect_replay *r, struct bisection *b, const char *log,
                        char head[BISECT_ID_SIZE])
{
	struct hash state = hash_bytes(log, strlen(log), 0);
	size_t i = 0;
	while (i < r->n && !hash_equal(r->list[i].state, state))
		i++;
	if (i == r->n) {
		MEM_GROW(r->list, r->n, r->cap);
		r->list[r->n].state = state;
		replay_in(r, b, log, r->list[r->n++].head);
	}
	memcpy(head, r->list[i].head, BISECT_ID_SIZE);
}

void bisect_replay_release(struct bisect_replay *r, struct bisection *b)
{
	bisect_tree_remove(&b->trees, r->tree);
	free(r->tree);
	free(r->list);
	*r = (struct bisect_replay){ 0 };
}
