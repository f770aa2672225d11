#include "hook/hook_seen.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

#define PLACE "/whittle/.hook" /* below the git directory */

enum {
	HALF = 16,          /* digits of half a key */
	LINE = 33,          /* 32 digits and a line's end */
	MOST = 8192 * LINE, /* when there is more, the older half goes */
	LONG_NAME = 200,    /* leaves no room for the name of a temporary file */
	KEEP_SECONDS = 14 * 24 * 3600,
};

static int make_dirs(const struct hook_seen *seen, struct err *err)
{
	return io_make_dirs(seen->dir, strlen(seen->dir) - strlen(PLACE), err);
}

static char *checked_path(const struct hook_seen *seen)
{
	return mem_printf("%s/checked", seen->dir);
}

/* A line with a key. */
static void take(struct hook_seen *seen, const char *line)
{
	char half[2][HALF + 1] = { { 0 } };
	memcpy(half[0], line, HALF);
	memcpy(half[1], line + HALF, HALF);
	struct hash key = { strtoull(half[0], NULL, 16), strtoull(half[1], NULL, 16) };
	hash_set_add(&seen->keys, key);
}

int hook_seen_open(struct hook_seen *seen, const char *common, struct err *err)
{
	*seen = (struct hook_seen){ .dir = mem_printf("%s" PLACE, common) };
	char *path = checked_path(seen);
	int rc = access(path, F_OK) < 0 ? 0 : io_read_file(path, &seen->checked, err);
	free(path);
	for (const char *at = seen->checked.data; rc == 0 && at && *at;) {
		const char *end = strchrnul(at, '\n');
		if (end - at == LINE - 1)
			take(seen, at);
		at = end + (*end != '\0');
	}
	return rc;
}

void hook_seen_release(struct hook_seen *seen)
{
	buf_release(&seen->checked);
	hash_set_release(&seen->keys);
	free(seen->dir);
	*seen = (struct hook_seen){ 0 };
}

static void format(char line[LINE + 1], struct hash key)
{
	snprintf(line, LINE + 1, "%016" PRIx64 "%016" PRIx64 "\n", key.hi, key.lo);
}

bool hook_seen_has(const struct hook_seen *seen, struct hash key)
{
	return hash_set_has(&seen->keys, key);
}

/* Another push may add a line meanwhile, which is lost then: its file will be checked once more. */
static int shorten(const struct hook_seen *seen, const char *path, struct err *err)
{
	size_t half = MOST / 2 / LINE * LINE, from = seen->checked.len / LINE * LINE - half;
	return io_replace_file(path, seen->checked.data + from, half, 0644, err);
}

int hook_seen_add(struct hook_seen *seen, struct hash key, struct err *err)
{
	char line[LINE + 1], *path = checked_path(seen);
	format(line, key);
	int rc = make_dirs(seen, err);
	if (rc == 0 && seen->checked.len > MOST)
		rc = shorten(seen, path, err);
	int fd = rc < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (rc == 0 && (fd < 0 || io_write_all(fd, line, LINE) < 0))
		rc = err_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

/* Removes what nobody has fetched for two weeks. */
static void remove_old(const char *small)
{
	DIR *dir = opendir(small);
	struct dirent *entry;
	struct stat st;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_mtime < time(NULL) - KEEP_SECONDS)
			io_remove_tree(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

char *hook_seen_keep(const struct hook_seen *seen, const char *id, const char *name,
                     const void *bytes, size_t len, struct err *err)
{
	char *small = mem_printf("%s/small", seen->dir), *dir = mem_printf("%s/%s", small, id);
	char *path = mem_printf("%s/%s", dir, strlen(name) < LONG_NAME ? name : "smaller");
	int rc = make_dirs(seen, err);
	if (rc == 0)
		rc = io_make_dirs(small, strlen(seen->dir), err);
	if (rc == 0)
		remove_old(small);
	if (rc == 0)
		rc = io_make_dirs(dir, strlen(small), err);
	if (rc == 0)
		rc = io_replace_file(path, bytes, len, 0644, err);
	free(small);
	free(dir);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}
