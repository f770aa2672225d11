#include "hook/hook_updates.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

/* Object ids are all zeros where there is no object, in 40 digits or in 64. */
static bool is_zero(const char *id)
{
	return id[strspn(id, "0")] == '\0';
}

static void add(struct hook_updates *updates, const char *ref, const char *tip, const char *there)
{
	MEM_GROW(updates->list, updates->n, updates->cap);
	updates->list[updates->n++] = (struct hook_update){ mem_strdup(ref), mem_strdup(tip),
		                                            there ? mem_strdup(there) : NULL };
}

/* LOCAL-REF SP LOCAL-ID SP REMOTE-REF SP REMOTE-ID; refs hold no blanks. */
static int take(struct hook_updates *updates, char *line, struct err *err)
{
	char *rest = line, *word[4];
	for (int i = 0; i < 4; i++)
		word[i] = strsep(&rest, " ");
	if (!word[3] || rest || !*word[1] || !*word[3])
		return err_set(err, ERR_USAGE,
		               "standard input is not what git gives a pre-push hook");
	if (!is_zero(word[1]) && strncmp(word[0], "refs/whittle/", strlen("refs/whittle/")))
		add(updates, word[0], word[1], is_zero(word[3]) ? NULL : word[3]);
	return 0;
}

/* pre-commit's pre-push stage: one branch, from what the remote has to what it gets; without the
 * two ends, all of it. */
static void take_environment(struct hook_updates *updates)
{
	const char *pre_commit = getenv("PRE_COMMIT"), *from = getenv("PRE_COMMIT_FROM_REF"),
		   *to = getenv("PRE_COMMIT_TO_REF"), *branch = getenv("PRE_COMMIT_LOCAL_BRANCH");
	if (pre_commit && *pre_commit)
		add(updates, branch && *branch ? branch : "HEAD", to && *to ? to : "HEAD",
		    from && *from ? from : NULL);
}

static int read_all(int fd, struct buf *out, struct err *err)
{
	char bytes[1 << 14];
	ssize_t n;
	while ((n = io_read_all(fd, bytes, sizeof bytes)) > 0)
		buf_add(out, bytes, (size_t)n);
	return n < 0 ? err_errno(err, "cannot read standard input") : 0;
}

int hook_updates_read(struct hook_updates *updates, int fd, struct err *err)
{
	struct buf text = { 0 };
	*updates = (struct hook_updates){ 0 };
	int rc = read_all(fd, &text, err);
	char *rest = text.data, *line;
	while (rc == 0 && rest && (line = strsep(&rest, "\n")))
		if (*line)
			rc = take(updates, line, err);
	if (rc == 0 && !text.len)
		take_environment(updates);
	buf_release(&text);
	return rc;
}

void hook_updates_release(struct hook_updates *updates)
{
	for (size_t i = 0; i < updates->n; i++) {
		free(updates->list[i].ref);
		free(updates->list[i].tip);
		free(updates->list[i].there);
	}
	free(updates->list);
	*updates = (struct hook_updates){ 0 };
}
