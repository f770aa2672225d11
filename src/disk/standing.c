#include "disk/standing.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"

/* The place of a mount in a line of /proc/self/mountinfo, "ID PARENT DEV ROOT PLACE ...", in which
 * blanks are octal numbers; the caller's. */
static char *mount_place(const char *line)
{
	char *place = mem_alloc(strlen(line) + 1), *to = place;
	int at = 0;
	if (sscanf(line, "%*s %*s %*s %*s %n", &at) < 0 || !at)
		at = (int)strcspn(line, "\n");
	for (const char *p = line + at; *p && *p != ' ' && *p != '\n';) {
		unsigned number;
		bool octal = *p == '\\' && sscanf(p + 1, "%3o", &number) == 1;
		*to++ = octal ? (char)number : *p;
		p += octal && strlen(p) > 3 ? 4 : 1;
	}
	*to = '\0';
	return place;
}

/* A mount at REAL, or below it, which would be in the way when the old directory is removed. */
static char *find_mount(const char *real, const char *shown)
{
	struct buf text = { 0 };
	char *trouble = NULL;
	if (io_read_file("/proc/self/mountinfo", &text, NULL) < 0)
		return NULL;
	for (const char *line = text.data; line && *line && !trouble;) {
		MEM_SCOPED char *place = mount_place(line);
		if (!strcmp(place, real) || path_is_below(place, real))
			trouble = mem_printf("%s%s is a mount point and cannot be replaced", shown,
			                     place + strlen(real));
		line = (line = strchr(line, '\n')) ? line + 1 : NULL;
	}
	buf_release(&text);
	return trouble;
}

static bool is_empty(const char *dir)
{
	IO_SCOPED_DIR DIR *list = opendir(dir);
	return list && !io_next_entry(list) && !errno;
}

/* The errno that says why PATH cannot go; 0: it can. rmdir(2) looks at the permissions of its
 * directory, flags and the sticky bit before it finds that PATH is a file, or not empty. */
static int obstacle(const char *path, bool is_dir)
{
	if ((is_dir && is_empty(path)) || rmdir(path) == 0)
		return 0;
	return errno == EPERM || errno == EACCES || errno == EBUSY ? errno : 0;
}

static char *in_words(const char *shown, int why)
{
	return mem_printf("%s cannot be replaced: %s%s", shown, strerror(why),
	                  why == EPERM ? " (is it immutable, or somebody else's in a directory "
	                                 "with the sticky bit?)"
	                               : "");
}

/* What is in the directory REAL goes with it; directories of ours are made writable for that. */
static char *find_within(const char *real, const char *shown)
{
	struct stat st;
	char *trouble = NULL;
	IO_SCOPED_DIR DIR *dir = opendir(real);
	bool ours = stat(real, &st) == 0 && st.st_uid == geteuid();
	for (struct dirent *e; !trouble && dir && (e = io_next_entry(dir));) {
		MEM_SCOPED char *path = mem_printf("%s/%s", real, e->d_name),
				*name = mem_printf("%s/%s", shown, e->d_name);
		bool is_dir = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
		int why = obstacle(path, is_dir);
		if (why && !(why == EACCES && ours))
			trouble = in_words(name, why);
		else if (is_dir)
			trouble = find_within(path, name);
	}
	return trouble;
}

char *standing_trouble(const char *real, const char *shown)
{
	struct stat st;
	if (lstat(real, &st) < 0)
		return NULL;
	char *trouble = find_mount(real, shown);
	int why = trouble ? 0 : obstacle(real, S_ISDIR(st.st_mode));
	if (why && why != EACCES) /* then nothing can be made beside it, which is said elsewhere */
		trouble = in_words(shown, why);
	if (!trouble && S_ISDIR(st.st_mode))
		trouble = find_within(real, shown);
	return trouble;
}
