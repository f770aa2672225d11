#include "fence/trees.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* System calls newer than the C library may be; the same numbers on all architectures. */
enum { CALL_OPEN_TREE = 428, CALL_MOVE_MOUNT = 429 };
enum { TREE_CLONE = 1, MOVE_FROM_ITSELF = 4, WHOLE_TREE = 0x8000 };

static int clone_at(const char *path, int flags)
{
	return (int)syscall(CALL_OPEN_TREE, AT_FDCWD, path, TREE_CLONE | O_CLOEXEC | flags);
}

int tree_take(const char *path)
{
	return clone_at(path, WHOLE_TREE);
}

static int take(struct trees *t, const char *path, int flags)
{
	int fd = clone_at(path, flags);
	if (fd < 0)
		return -1;
	MEM_GROW(t->list, t->n, t->cap);
	t->list[t->n++] = (struct tree_aside){ mem_strdup(path), fd };
	return 0;
}

int trees_take(struct trees *t, const char *path)
{
	return take(t, path, WHOLE_TREE);
}

bool mount_is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	return !strncmp(path, dir, n) && (!path[n] || path[n] == '/' || dir[n - 1] == '/');
}

static const char *behind_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : NULL;
}

int trees_take_below(struct trees *t, const char *dir, const char *mounts)
{
	char place[TREES_PATH];
	while ((mounts = mounts_below(mounts, dir, place))) {
		mounts = behind_line(mounts);
		if (take(t, place, 0) < 0 && errno != ENOENT)
			return -1; /* ENOENT: it is below another mount, where nobody sees it */
	}
	return 0;
}

int trees_put(struct trees *t)
{
	int rc = 0;
	for (unsigned i = 0; i < t->n && rc == 0; i++)
		rc = (int)syscall(CALL_MOVE_MOUNT, t->list[i].fd, "", AT_FDCWD, t->list[i].path,
		                  MOVE_FROM_ITSELF);
	int saved = errno;
	trees_release(t);
	errno = saved;
	return rc;
}

void trees_release(struct trees *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		close(t->list[i].fd);
		free(t->list[i].path);
	}
	free(t->list);
	*t = (struct trees){ 0 };
}

/* Blanks, tabs, line ends and backslashes stand there as \040 and the like. */
static void unescape(char *place)
{
	char *to = place;
	for (const char *at = place; *at; to++) {
		unsigned octal;
		if (*at == '\\' && sscanf(at + 1, "%3o", &octal) == 1) {
			*to = (char)octal;
			at += 4;
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

const char *mounts_below(const char *mounts, const char *dir, char place[TREES_PATH])
{
	for (const char *line = mounts; line && *line;) {
		if (sscanf(line, "%*d %*d %*s %*s %4095s", place) == 1) {
			unescape(place);
			if (mount_is_below(place, dir) && strcmp(place, dir) != 0)
				return line;
		}
		line = behind_line(line);
	}
	return NULL;
}
