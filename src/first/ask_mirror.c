#include "first/ask_mirror.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"

enum {
	BYTES = 16 << 20, /* that are copied at most, */
	ENTRIES = 2000,   /* and in so many entries */
	DEEP = 16,        /* levels of directories */
	BESIDE = 1000,    /* entries of a directory above, of which links are made */
};

static bool is_name(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static int select_name(const struct dirent *e)
{
	return is_name(e);
}

static void free_names(struct dirent **list, int n)
{
	for (int i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

/* A copy with the same times: make looks at them. */
static bool copy_file(const char *from, const char *to, const struct stat *st)
{
	BUF_SCOPED struct buf bytes = { 0 };
	const struct timespec times[] = { st->st_atim, st->st_mtim };
	bool done = io_read_bounded(from, (struct io_bounds){ BYTES, true }, &bytes, NULL) == 0;
	IO_SCOPED int fd =
		done ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, io_mode_like(st)) : -1;
	return fd >= 0 && io_write_all(fd, bytes.data, bytes.len) == 0 && futimens(fd, times) == 0;
}

static void copy_link(const char *from, const char *to)
{
	char target[PATH_MAX];
	ssize_t n = readlink(from, target, sizeof target - 1);
	if (n > 0) {
		target[n] = '\0';
		(void)!symlink(target, to);
	}
}

static bool copy_dir(struct ask_mirror *m, const char *rel, unsigned level);

/* The entry REL, relative to here; directories later: DIRS says which ones are meant. */
static void copy_entry(struct ask_mirror *m, const char *rel, bool dirs, unsigned level)
{
	MEM_SCOPED char *from = mem_printf("%s/%s", m->here, rel),
			*to = mem_printf("%s/%s", m->dir, rel);
	struct stat st;
	if (lstat(from, &st) == 0 && S_ISDIR(st.st_mode) == dirs) {
		const char *slash = strrchr(rel, '/');
		bool hidden = (slash ? slash[1] : *rel) == '.', fits = m->entries_left > 0;
		m->entries_left -= fits;
		if (S_ISLNK(st.st_mode))
			copy_link(from, to);
		else if (dirs && fits && !hidden && level < DEEP && mkdir(to, 0700) == 0)
			copy_dir(m, rel, level + 1);
		else if (fits && S_ISREG(st.st_mode) && (size_t)st.st_size <= m->left &&
		         copy_file(from, to, &st))
			m->left -= (size_t)st.st_size;
		else
			(void)!symlink(from, to);
	}
}

static void add_watched(struct ask_mirror *m, char *dir)
{
	m->watched = mem_resize(m->watched, m->n_watched + 1, sizeof *m->watched);
	m->watched[m->n_watched++] = dir;
}

/* The directory REL ("": here itself), which is made already. */
static bool copy_dir(struct ask_mirror *m, const char *rel, unsigned level)
{
	struct dirent **list;
	MEM_SCOPED char *from = mem_printf("%s/%s", m->here, rel);
	int n = scandir(from, &list, select_name, alphasort);
	for (int dirs = 0; dirs < 2; dirs++)
		for (int i = 0; i < n; i++) {
			MEM_SCOPED char *inside =
				mem_printf("%s%s%s", rel, *rel ? "/" : "", list[i]->d_name);
			copy_entry(m, inside, dirs, level);
		}
	if (n >= 0)
		free_names(list, n);
	add_watched(m, mem_strdup(rel));
	return n >= 0;
}

/* Links to what is beside NAME in the directory ABOVE, as TO has it. */
static void link_beside(const char *above, const char *name, const char *to)
{
	struct dirent **list;
	int n = scandir(above, &list, select_name, alphasort);
	for (int i = 0; n <= BESIDE && i < n; i++)
		if (strcmp(list[i]->d_name, name) != 0) {
			MEM_SCOPED char *from = mem_printf("%s/%s", above, list[i]->d_name),
					*link = mem_printf("%s/%s", to, list[i]->d_name);
			(void)!symlink(from, link);
		}
	if (n >= 0)
		free_names(list, n);
}

/* The directories from the root to here. */
static int make_above(struct ask_mirror *m)
{
	char *path = mem_strdup(m->here), *state = NULL, *above = mem_strdup("");
	int rc = 0;
	for (char *name = strtok_r(path, "/", &state); name && rc == 0;
	     name = strtok_r(NULL, "/", &state)) {
		char *to = mem_printf("%s%s", m->base, above),
		     *next = mem_printf("%s/%s", above, name),
		     *made = mem_printf("%s%s", m->base, next);
		link_beside(*above ? above : "/", name, to);
		rc = mkdir(made, 0700);
		free(to);
		free(made);
		free(above);
		above = next;
	}
	free(path);
	free(above);
	return rc;
}

static char *within(const char *dir, const char *path)
{
	return *path == '/' ? mem_strdup(path) : mem_printf("%s/%s", dir, path);
}

const char *ask_mirror_name(const struct ask_mirror *m, const char *file)
{
	size_t len = strlen(m->here);
	bool below = !strncmp(file, m->here, len) && file[len] == '/' && file[len + 1];
	return below ? file + len + 1 : file;
}

/* The directories of operands that are not below here. */
static void add_elsewhere(struct ask_mirror *m, const char *const *operands, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *file = ask_mirror_name(m, operands[i]), *slash = strrchr(file, '/');
		if (slash && slash > file && (*file == '/' || !strncmp(file, "../", 3)))
			add_watched(m, mem_printf("%.*s", (int)(slash - file), file));
	}
}

/* From now on; what was made is what was opened until now. */
static void watch(struct ask_mirror *m)
{
	m->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char **by_number = mem_zero(m->n_watched + 1, sizeof *by_number);
	for (size_t i = 0; i < m->n_watched; i++) {
		MEM_SCOPED char *path = within(m->dir, m->watched[i]);
		int wd = m->watch < 0 ? -1 : inotify_add_watch(m->watch, path, IN_OPEN);
		if (wd > 0 && (size_t)wd <= m->n_watched && !by_number[wd])
			by_number[wd] = m->watched[i];
		else
			free(m->watched[i]);
	}
	free(m->watched);
	m->watched = by_number;
}

int ask_mirror_make(struct ask_mirror *m, const char *const *operands, size_t n)
{
	*m = (struct ask_mirror){ .watch = -1, .left = BYTES, .entries_left = ENTRIES };
	MEM_SCOPED char *base = io_temporary_name("whittle");
	m->here = realpath(".", NULL);
	m->base = m->here && mkdtemp(base) ? realpath(base, NULL) : NULL;
	if (!m->base)
		return -1;
	m->dir = mem_printf("%s%s", m->base, m->here);
	if (make_above(m) < 0 || !copy_dir(m, "", 0))
		return -1;
	add_elsewhere(m, operands, n);
	watch(m);
	return 0;
}

void ask_mirror_remove(struct ask_mirror *m)
{
	if (m->watch >= 0)
		close(m->watch);
	for (size_t i = 0; i <= m->n_watched && m->watched; i++)
		free(m->watched[i]);
	free(m->watched);
	if (m->base)
		io_remove_ours(AT_FDCWD, m->base);
	free(m->base);
	free(m->here);
	free(m->dir);
}

/* ---- what was opened ---- */

/* Not what is hidden or kept by a run time; what is no file here was made there. */
static bool is_needed(const struct ask_mirror *m, const char *rel)
{
	struct stat st;
	MEM_SCOPED char *path = within(m->here, rel);
	bool needed = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	while (!strncmp(rel, "../", 3))
		rel += 3;
	needed = needed && *rel != '.' && !strstr(rel, "/.") && !strstr(rel, "__pycache__/");
	return needed;
}

static void add_once(char ***list, size_t *n, char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp((*list)[i], name)) {
			free(name);
			return;
		}
	*list = mem_resize(*list, *n + 2, sizeof **list);
	(*list)[(*n)++] = name;
	(*list)[*n] = NULL;
}

char **ask_mirror_opened(const struct ask_mirror *m)
{
	_Alignas(struct inotify_event) char bytes[16384];
	char **list = mem_zero(1, sizeof *list);
	size_t n = 0;
	for (ssize_t len; m->watch >= 0 && (len = read(m->watch, bytes, sizeof bytes)) > 0;)
		for (char *at = bytes; at < bytes + len;) {
			const struct inotify_event *e = (const void *)at;
			at += sizeof *e + e->len;
			if (!e->len || e->mask & IN_ISDIR || e->wd < 1 ||
			    (size_t)e->wd > m->n_watched || !m->watched[e->wd])
				continue;
			const char *dir = m->watched[e->wd];
			char *rel = mem_printf("%s%s%s", dir, *dir ? "/" : "", e->name);
			if (is_needed(m, rel))
				add_once(&list, &n, rel);
			else
				free(rel);
		}
	if (n)
		qsort(list, n, sizeof *list, mem_order_text);
	return list;
}
