#include "integ/hook_test.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "integ/git.h"
#include "integ/hook_config.h"

static char *find_common(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--git-common-dir", NULL };
	char *dir = git_answer(argv, err), *real = dir ? realpath(dir, NULL) : NULL;
	if (dir && !real)
		err_errno(err, "cannot find the git directory %s", dir);
	free(dir);
	return real;
}

int hook_places_find(struct hook_places *places, struct err *err)
{
	static const char *const argv[] = { "worktree", "list", "--porcelain", NULL };
	size_t n = 0, cap = 0;
	*places = (struct hook_places){ .common = find_common(err) };
	char *text = places->common ? git_answer(argv, err) : NULL, *rest = text, *line;
	if (!text)
		return -1;
	while ((line = strsep(&rest, "\n"))) {
		char *real = strncmp(line, "worktree ", 9) ? NULL : realpath(line + 9, NULL);
		if (!real)
			continue;
		MEM_GROW(places->worktrees, n, cap);
		places->worktrees[n++] = real;
	}
	MEM_GROW(places->worktrees, n, cap);
	places->worktrees[n] = NULL;
	free(text);
	return 0;
}

void hook_places_release(struct hook_places *places)
{
	for (size_t i = 0; places->worktrees && places->worktrees[i]; i++)
		free(places->worktrees[i]);
	free(places->worktrees);
	free(places->common);
	*places = (struct hook_places){ 0 };
}

char *hook_path(const struct hook_places *places, const char *path)
{
	const char *home = getenv("HOME");
	if (!strncmp(path, "~/", 2) && home && *home)
		return mem_printf("%s/%s", home, path + 2);
	return *path == '/' ? mem_strdup(path) : mem_printf("%s/%s", places->common, path);
}

static bool is_inside(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	return !strncmp(path, dir, n) && (path[n] == '/' || (n && dir[n - 1] == '/'));
}

static int check_place(const struct hook_places *places, const struct hook_driver *d,
                       const char *test, struct err *err)
{
	const char *slash = strrchr(test, '/');
	if (is_inside(test, places->common))
		return 0;
	for (size_t i = 0; places->worktrees[i]; i++)
		if (is_inside(test, places->worktrees[i]))
			return err_set(err, ERR_TEST,
			               "the test %s lies in a work tree, where any commit that is "
			               "checked out could "
			               "change it, and is not run. Copy what you trust: cp %s %s/ "
			               "&& git config whittle.%s.test %s",
			               test, test, places->common, d->name, slash + 1);
	return 0;
}

char *hook_test_find(const struct hook_places *places, const struct hook_driver *d, struct hash *id,
                     struct err *err)
{
	struct stat st;
	struct buf bytes = { 0 };
	char *path = hook_path(places, d->test), *real = realpath(path, NULL);
	int rc = 0;
	if (!real || stat(real, &st) < 0)
		rc = err_set(err, ERR_TEST, "the test %s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode) || access(real, X_OK) < 0)
		rc = err_set(err, ERR_TEST, "the test %s is not an executable file", path);
	else
		rc = check_place(places, d, real, err);
	if (rc == 0)
		rc = io_read_file(real, &bytes, err);
	*id = hash_bytes(bytes.data ? bytes.data : "", bytes.len, 0);
	buf_release(&bytes);
	free(path);
	if (rc == 0)
		return real;
	free(real);
	return NULL;
}
