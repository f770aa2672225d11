#include "reduce/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"

#define RECORD_ENDING ".whittle-replace"
#define RECORD_BEGIN "whittle-replace 1"
#define RECORD_END "end"

static char *record_path(const char *first)
{
	char *real = io_real_path(first), *record = mem_printf("%s" RECORD_ENDING, real);
	free(real);
	return record;
}

void replacement_init(struct replacement *r, const char *first, struct faults *faults)
{
	*r = (struct replacement){ .record = record_path(first), .faults = faults };
}

const char *replacement_add(struct replacement *r, const char *path)
{
	MEM_GROW(r->items, r->n, r->cap);
	struct replacement_item *item = &r->items[r->n++];
	item->path = io_real_path(path);
	item->temp = io_temp_name(item->path);
	io_remove_tree(AT_FDCWD, item->temp);
	return item->temp;
}

/* ---- one ---- */

static int exchange(struct faults *faults, const struct replacement_item *item)
{
	if (fault_strikes(faults, "file-exchange"))
		return -1;
	if (renameat2(AT_FDCWD, item->temp, AT_FDCWD, item->path, RENAME_EXCHANGE) == 0)
		return 0;
	return errno == ENOENT ? rename(item->temp, item->path) : -1;
}

static bool is_directory(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Puts an item in its place in one step. */
static int put_at_once(struct faults *faults, const struct replacement_item *item)
{
	if (fault_strikes(faults, "file-rename"))
		return -1;
	return is_directory(item->temp) ? exchange(faults, item) : rename(item->temp, item->path);
}

static bool cannot_exchange(int error)
{
	return error == EINVAL || error == ENOSYS;
}

/* The same by way of a third name: for an instant there is nothing in the place. */
static int put_by_two_renames(struct faults *faults, const struct replacement_item *item)
{
	char *aside = io_aside_name(item->path);
	io_remove_tree(AT_FDCWD, aside);
	int rc = rename(item->path, aside);
	if (rc < 0 && errno == ENOENT)
		rc = 0;
	if (rc == 0)
		rc = fault_strikes(faults, "file-between") ? -1 : rename(item->temp, item->path);
	int saved = errno;
	if (rc < 0)
		rename(aside, item->path); /* if it was moved */
	else
		io_remove_tree(AT_FDCWD, aside);
	free(aside);
	errno = saved;
	return rc;
}

static int put(struct faults *faults, const struct replacement_item *item)
{
	if (put_at_once(faults, item) == 0)
		return 0;
	return cannot_exchange(errno) ? put_by_two_renames(faults, item) : -1;
}

/* ---- the record ---- */

/* Brings the names in the directories of all items to the disk, as far as the file systems can. */
static void sync_directories(const struct replacement *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		char *dir = mem_strdup(r->items[i].path), *slash = strrchr(dir, '/');
		if (slash)
			slash[slash == dir] = '\0';
		int fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0) {
			fsync(fd);
			close(fd);
		}
		free(dir);
	}
}

/* What tells one thing under a name from another one. */
static char *identity(const char *path)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return mem_strdup("none");
	return mem_printf("%" PRIuMAX " %" PRIdMAX " %" PRIdMAX ".%09ld", (uintmax_t)st.st_ino,
	                  (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static void add_field(struct buf *text, char *field)
{
	buf_add(text, field, strlen(field) + 1);
	free(field);
}

/* The record: for each item its place, the name of what is new, and both things' identities; a NUL
 * behind each. */
static struct buf record_text(const struct replacement *r)
{
	struct buf text = { 0 };
	add_field(&text, mem_strdup(RECORD_BEGIN));
	for (uint32_t i = 0; i < r->n; i++) {
		add_field(&text, mem_strdup(r->items[i].path));
		add_field(&text, mem_strdup(r->items[i].temp));
		add_field(&text, identity(r->items[i].path));
		add_field(&text, identity(r->items[i].temp));
	}
	add_field(&text, mem_strdup(RECORD_END));
	return text;
}

/* Writes the record: its descriptor, whose lock says that somebody is at work, or -1 with errno. */
static int write_record(const struct replacement *r)
{
	struct buf text = record_text(r);
	unlink(r->record); /* of somebody who was killed, and whose work is replaced now */
	int fd = open(r->record, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600),
	    rc = fd < 0 ? -1 : 0;
	if (rc == 0)
		rc = flock(fd, LOCK_EX);
	if (rc == 0)
		rc = fault_write(r->faults, "file-write", fd, text.data, text.len);
	if (rc == 0)
		rc = fault_strikes(r->faults, "file-fsync") ? -1 : fsync(fd);
	buf_release(&text);
	if (rc < 0 && fd >= 0) {
		int saved = errno;
		close(fd);
		unlink(r->record);
		errno = saved;
		return -1;
	}
	return fd;
}

static int commit_by_record(struct replacement *r)
{
	int fd = write_record(r), rc = 0;
	if (fd < 0)
		return -1;
	sync_directories(r);
	for (uint32_t i = 0; i < r->n && rc == 0; i++) {
		rc = put(r->faults, &r->items[i]);
		r->half_done = rc == 0 || i > 0;
	}
	int saved = errno;
	if (rc == 0) {
		sync_directories(r);
		r->half_done = false;
	}
	if (!r->half_done)
		unlink(r->record);
	close(fd);
	errno = saved;
	return rc;
}

int replacement_commit(struct replacement *r)
{
	if (!r->n)
		return 0;
	if (r->n == 1) {
		int rc = put_at_once(r->faults, &r->items[0]);
		if (rc == 0 || !cannot_exchange(errno))
			return rc;
	}
	return commit_by_record(r);
}

void replacement_release(struct replacement *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (!r->half_done)
			io_remove_tree(AT_FDCWD, r->items[i].temp);
		free(r->items[i].path);
		free(r->items[i].temp);
	}
	free(r->items);
	free(r->record);
	*r = (struct replacement){ 0 };
}

/* ---- what a killed process has left ---- */

static bool is(const char *path, const char *wanted)
{
	char *now = identity(path);
	bool same = !strcmp(now, wanted);
	free(now);
	return same;
}

/* What is new goes to its place unless it is there, or something else is there that did not stand
 * there before. */
static void finish_item(char *const field[4])
{
	struct replacement_item item = { .path = field[0], .temp = field[1] };
	if (is(item.temp, field[3]) && (is(item.path, field[2]) || is(item.path, "none")))
		put(NULL, &item);
	io_remove_tree(AT_FDCWD, item.temp);
}

/* The fields of a whole record; NULL when it is torn: then nothing has been put in place. *n
 * becomes their number. */
static char **split(struct buf *text, uint32_t *n)
{
	char **fields = NULL;
	uint32_t cap = 0;
	*n = 0;
	for (size_t at = 0; at < text->len; at += strlen(text->data + at) + 1) {
		MEM_GROW(fields, *n, cap);
		fields[(*n)++] =
			text->data + at; /* behind the last byte there is a NUL in any case */
	}
	if (*n >= 2 && *n % 4 == 2 && !strcmp(fields[0], RECORD_BEGIN) &&
	    !strcmp(fields[*n - 1], RECORD_END))
		return fields;
	free(fields);
	return NULL;
}

static bool finish(const char *record)
{
	struct buf text = { 0 };
	struct err unreadable;
	uint32_t n = 0;
	if (io_read_file(record, &text, &unreadable) < 0)
		return false;
	char **fields = split(&text, &n);
	for (uint32_t i = 1; fields && i + 4 < n; i += 4)
		finish_item(&fields[i]);
	bool done = fields != NULL;
	free(fields);
	buf_release(&text);
	unlink(record);
	return done;
}

bool replacement_finish(const char *first)
{
	char *record = record_path(first);
	struct stat st;
	int fd = open(record, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool dead = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	            st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
	bool done = dead && finish(record);
	if (fd >= 0)
		close(fd);
	free(record);
	return done;
}
