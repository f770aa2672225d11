#include "disk/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/replace_item.h"

#define LIST "whittle-left-"

enum { TRIES = 100 };

/* Is NAME "PATH.whittle-TOKEN" for any path? */
static bool is_listed_name(const char *name)
{
	char *path = mem_strdup(name), *mark = strrchr(path, '.');
	bool is = *path == '/' && mark && mark != path;
	if (is) {
		*mark = '\0';
		is = replacement_is_name(name, path);
	}
	free(path);
	return is;
}

/* With each of the endings that replace.c and output.c give to it. */
static void remove_leftovers(const char *name)
{
	static const char *const endings[] = { "", "-", "-r", "-o" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		MEM_SCOPED char *path = mem_printf("%s%s", name, endings[i]);
		io_remove_tree(AT_FDCWD, path);
	}
}

static void remove_listed(const struct buf *text)
{
	for (size_t at = 0; at < text->len; at += strlen(text->data + at) + 1)
		if (is_listed_name(text->data + at))
			remove_leftovers(text->data + at);
}

int leftovers_remove(const char *list, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	if (access(list, F_OK) < 0)
		return 0;
	if (io_read_kept(list, &text, err) < 0)
		return err->code == ERR_USAGE
		               ? err_context(err, "the list of files left by a killed run is "
		                                  "damaged and may be removed")
		               : -1;
	remove_listed(&text);
	return 0;
}

static struct buf text_of(char *const *paths, uint32_t n, const char *token)
{
	struct buf text = { 0 };
	for (uint32_t i = 0; i < n; i++) {
		MEM_SCOPED char *name = replacement_name(paths[i], token, "");
		buf_add(&text, name, strlen(name) + 1);
	}
	return text;
}

int leftovers_claim(const char *list, char *const *paths, uint32_t n, const char *token,
                    struct err *err)
{
	if (leftovers_remove(list, err) < 0)
		return -1;
	BUF_SCOPED struct buf text = text_of(paths, n, token);
	int rc = io_replace_entry(list, text.data, text.len, 0644, err);
	io_remove_leftovers(list);
	return rc;
}

/* ---- lists by themselves ---- */

/* Where a restart of the machine leaves them. */
static const char *directory(void)
{
	return access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : io_temporary();
}

char *leftovers_begin(char *const *paths, uint32_t n, const char *token, int *fd)
{
	BUF_SCOPED struct buf text = text_of(paths, n, token);
	char *list = NULL;
	*fd = -1;
	for (int tries = 0; tries < TRIES && !list; tries++) {
		list = mem_printf("%s/" LIST "XXXXXX", directory());
		*fd = mkostemp(list, O_CLOEXEC);
		if (*fd < 0)
			tries = TRIES;
		/* Before it was locked, somebody who buries may have taken it for a dead one's. */
		if (*fd >= 0 && flock(*fd, LOCK_EX) == 0 && io_is_at(*fd, list) &&
		    io_write_all(*fd, text.data, text.len) == 0)
			break;
		leftovers_end(list, *fd);
		list = NULL;
	}
	return list;
}

void leftovers_end(char *list, int fd)
{
	if (list && fd >= 0)
		unlink(list);
	io_close(fd);
	free(list);
}

/* LIST in DIR, if it is ours and nobody holds it. */
static void bury(int dir, const char *list)
{
	struct stat st;
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/%s", directory(), list);
	IO_SCOPED int fd = openat(dir, list, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_nlink == 1 && !(st.st_mode & 077) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    io_is_at(fd, path) && io_read_kept(path, &text, NULL) == 0) {
		remove_listed(&text);
		unlinkat(dir, list, 0);
	}
}

void leftovers_bury(void)
{
	IO_SCOPED_DIR DIR *dir = opendir(directory());
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (!strncmp(e->d_name, LIST, strlen(LIST)) &&
		    strlen(e->d_name) == strlen(LIST "XXXXXX"))
			bury(dirfd(dir), e->d_name);
}
