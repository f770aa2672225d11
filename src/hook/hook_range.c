#include "hook/hook_range.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"
#include "hook/hook_updates.h"

/* Commits for all tips and for what the remote has, in one question. KNOWN has an entry per update,
 * NULL when the remote's commit is not here (somebody else pushed it) or there is none. */
static int peel(struct hook_range *range, char **known, const struct hook_updates *updates,
                struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objectname)", NULL };
	struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < updates->n; i++)
		buf_addf(&in, "%s^{commit}\n%s^{commit}\n", updates->list[i].tip,
		         updates->list[i].there ? updates->list[i].there : updates->list[i].tip);
	int rc = git_ask(&call, &out, err);
	char *rest = out.data;
	for (size_t i = 0; rc == 0 && i < 2 * updates->n; i++) {
		char *line = rest ? strsep(&rest, "\n") : NULL;
		if (!line) {
			rc = err_set(err, ERR_SYSTEM, "git cat-file gave too few answers");
			break;
		}
		bool found = *line && !strchr(line, ' '); /* else "NAME missing" */
		if (i % 2 == 0)
			range->tips[i / 2] = (struct hook_tip){ found ? mem_strdup(line) : NULL,
				                                updates->list[i / 2].ref };
		else if (updates->list[i / 2].there && found)
			known[i / 2] = mem_strdup(line);
	}
	buf_release(&in);
	buf_release(&out);
	return rc;
}

/* Are there tracking refs of REMOTE? 1, 0, or -1 and err. */
static int is_tracked(const char *remote, struct err *err)
{
	if (!remote)
		return 0;
	char *refs = mem_printf("refs/remotes/%s/", remote);
	const char *const argv[] = { "for-each-ref", "--count=1", "--format=%(objectname)", refs,
		                     NULL };
	char *first = git_answer(argv, err);
	int rc = first ? *first != '\0' : -1;
	free(first);
	free(refs);
	return rc;
}

/* The ids of commits that are new, and behind a '-' those they build on: one per line. */
static int list_new(const struct hook_range *range, char *const *known, const char *remote,
                    struct buf *out, struct err *err)
{
	char *tracking = remote ? mem_printf("--remotes=%s", remote) : NULL;
	const char *const argv[] = { "rev-list", "--boundary", "--stdin", tracking ? "--not" : NULL,
		                     tracking,   NULL };
	struct buf in = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < range->n; i++) {
		if (range->tips[i].commit)
			buf_addf(&in, "%s\n", range->tips[i].commit);
		if (known[i])
			buf_addf(&in, "^%s\n", known[i]);
	}
	buf_addch(out, '\n');
	int rc = git_ask(&call, out, err);
	buf_release(&in);
	free(tracking);
	return rc;
}

/* Drops the tips that are not new, and notes the bases. LIST begins and ends with a line's end. */
static void take(struct hook_range *range, struct buf *list)
{
	for (size_t i = 0; i < range->n; i++) {
		char line[80];
		snprintf(line, sizeof line, "\n%s\n",
		         range->tips[i].commit ? range->tips[i].commit : "");
		if (range->tips[i].commit && !memmem(list->data, list->len, line, strlen(line))) {
			free(range->tips[i].commit);
			range->tips[i].commit = NULL;
		}
	}
	char *rest = list->data, *line;
	while ((line = strsep(&rest, "\n")))
		if (*line == '-') {
			MEM_GROW(range->bases, range->n_bases, range->cap_bases);
			range->bases[range->n_bases++] = mem_strdup(line + 1);
		}
}

int hook_range_find(struct hook_range *range, const struct hook_updates *updates,
                    const char *remote, struct err *err)
{
	*range = (struct hook_range){ .tips = mem_zero(updates->n, sizeof *range->tips),
		                      .n = updates->n };
	char **known = mem_zero(updates->n, sizeof *known);
	bool any_known = false, any_tip = false;
	int rc = peel(range, known, updates, err);
	for (size_t i = 0; rc == 0 && i < updates->n; i++) {
		any_known |= known[i] != NULL;
		any_tip |= range->tips[i].commit != NULL;
	}
	/* Where the remote has nothing that we know of, all is new, and the history need not be
	 * walked. */
	int walk = rc < 0 || !any_tip ? 0 : any_known ? 1 : is_tracked(remote, err);
	if (walk > 0) {
		struct buf list = { 0 };
		rc = list_new(range, known, remote, &list, err);
		if (rc == 0)
			take(range, &list);
		buf_release(&list);
	}
	for (size_t i = 0; i < updates->n; i++)
		free(known[i]);
	free(known);
	return walk < 0 ? -1 : rc;
}

void hook_range_release(struct hook_range *range)
{
	for (size_t i = 0; i < range->n; i++)
		free(range->tips[i].commit);
	for (size_t i = 0; i < range->n_bases; i++)
		free(range->bases[i]);
	free(range->tips);
	free(range->bases);
	*range = (struct hook_range){ 0 };
}
