#include "disk/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/replace_record.h"
#include "disk/stamp.h"

#define NEW_RECORD "-r"

void replacement_init(struct replacement *r, const char *first, const char *token,
                      struct faults *faults)
{
	*r = (struct replacement){ .record = replace_record_path(first),
		                   .token = token,
		                   .faults = faults };
}

const char *replacement_add(struct replacement *r, const char *path, const struct hash *expected)
{
	MEM_GROW(r->items, r->n, r->cap);
	struct replacement_item *item = &r->items[r->n++];
	*item = (struct replacement_item){ .path = mem_strdup(path), .expects = expected };
	if (expected)
		item->expected = *expected;
	item->temp = replacement_name(item->path, r->token, "");
	io_remove_tree(AT_FDCWD, item->temp); /* of this process: nobody else has the token */
	return item->temp;
}

/* ---- what somebody else wrote ---- */

/* Is there something? errno stays. */
static bool is_there(const char *path)
{
	struct stat st;
	int saved = errno;
	bool there = lstat(path, &st) == 0;
	errno = saved;
	return there;
}

/* Somebody has changed the place: the new thing takes the name that the exchange is to give to what
 * is there, so that a kill at any moment leaves both. */
static int expect_edit(struct replacement_item *item)
{
	if (!item->expects)
		return 0;
	struct hash now = stamp_of(item->path);
	if (stamp_is_none(now))
		return is_there(item->path) ? -1 : 0;
	if (hash_equal(now, item->expected))
		return 0;
	char *edited = replace_rename_edited(item->temp, item->path);
	if (!edited)
		return -1;
	free(item->temp);
	item->temp = mem_strdup(edited);
	item->edited = edited;
	return 0;
}

/* What was replaced, now under the other name, goes; unless it was changed at the last moment, or
 * cannot be looked at. */
static void clear_away(struct replacement_item *item)
{
	if (item->edited || !is_there(item->temp))
		return;
	struct hash old = stamp_of(item->temp);
	if (item->expects && !hash_equal(old, item->expected))
		item->edited = replace_rename_edited(item->temp, item->path);
	else
		io_remove_tree(AT_FDCWD, item->temp);
}

/* ---- several ---- */

static int put(struct replacement *r, const struct replacement_item *item)
{
	MEM_SCOPED char *aside = replacement_name(item->path, r->token, REPLACE_ASIDE);
	return replace_put(r->faults, item, aside);
}

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

static int fill_record(const struct replacement *r, int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || flock(fd, LOCK_EX) < 0)
		return -1;
	BUF_SCOPED struct buf text = replace_record_text(r->items, r->n, (uintmax_t)st.st_ino);
	int rc = io_write_faulty(r->faults, "file-write", fd, text.data, text.len);
	return rc < 0 || fault_strikes(r->faults, "file-fsync") ? -1 : fsync(fd);
}

/* NAME gets the record's name, where nothing may be. */
static int name_record(const struct replacement *r, const char *name)
{
	int rc = renameat2(AT_FDCWD, name, AT_FDCWD, r->record, RENAME_NOREPLACE);
	return rc < 0 && replace_cannot_exchange(errno) ? link(name, r->record) : rc;
}

/* Writes the record: its descriptor, whose lock says that somebody is at work, or -1 with errno. It
 * has its name once it is whole. */
static int write_record(const struct replacement *r)
{
	MEM_SCOPED char *name = replacement_name(r->items[0].path, r->token, NEW_RECORD);
	unlink(name);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600),
	    rc = fd < 0 ? -1 : fill_record(r, fd);
	if (rc == 0)
		rc = name_record(r, name);
	int saved = errno;
	unlink(name);
	if (rc < 0 && fd >= 0)
		close(fd);
	errno = saved;
	return rc < 0 ? -1 : fd;
}

static int commit_by_record(struct replacement *r)
{
	int fd = write_record(r), rc = 0;
	if (fd < 0)
		return -1;
	sync_directories(r);
	for (uint32_t i = 0; i < r->n && rc == 0; i++) {
		rc = put(r, &r->items[i]);
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

static int commit(struct replacement *r)
{
	if (r->n == 1) {
		int rc = replace_at_once(r->faults, &r->items[0]);
		if (rc == 0 || !replace_cannot_exchange(errno))
			return rc;
	}
	return commit_by_record(r);
}

int replacement_commit(struct replacement *r)
{
	int rc = 0;
	for (uint32_t i = 0; i < r->n && rc == 0; i++) {
		r->items[i].stamp = stamp_of(r->items[i].temp);
		rc = stamp_is_none(r->items[i].stamp) ? -1 : expect_edit(&r->items[i]);
	}
	if (rc == 0 && r->n)
		rc = commit(r);
	for (uint32_t i = 0; i < r->n && rc == 0; i++)
		clear_away(&r->items[i]);
	return rc;
}

void replacement_release(struct replacement *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		struct replacement_item *item = &r->items[i];
		/* What is kept there is the new thing as long as that has not gone to its place. */
		bool ours = !item->edited || hash_equal(stamp_of(item->temp), item->stamp);
		if (!r->half_done && ours)
			io_remove_tree(AT_FDCWD, item->temp);
		free(item->path);
		free(item->temp);
		free(item->edited);
	}
	free(r->items);
	free(r->record);
	*r = (struct replacement){ 0 };
}
