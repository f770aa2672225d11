#include "disk/stamp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

/* Of one thing by itself. A directory's own times change with each new name in it, which its
 * entries show. */
static struct hash stamp_entry(const char *name, const struct stat *st)
{
	bool dir = S_ISDIR(st->st_mode);
	uint64_t facts[] = { (uint64_t)st->st_ino, st->st_mode & S_IFMT,
		             dir ? 0 : (uint64_t)st->st_size,
		             dir ? 0 : (uint64_t)st->st_mtim.tv_sec,
		             dir ? 0 : (uint64_t)st->st_mtim.tv_nsec };
	return hash_bytes(facts, sizeof facts, hash_bytes(name, strlen(name), 1).lo);
}

/* Entries come in any order: sums do not mind. */
static void add(struct hash *sum, struct hash more)
{
	sum->hi += more.hi;
	sum->lo += more.lo;
}

/* How often what fails for a moment is looked at. */
enum { LOOKS = 3 };

/* A stamp in the making. */
struct look {
	bool failed; /* something could not be looked at */
	bool denied; /* so it says of something, which is a fact when it stays so */
};

static void note_failure(struct look *look)
{
	look->failed = look->failed || (errno != EACCES && errno != ENOENT);
	look->denied = look->denied || errno == EACCES;
}

static struct hash stamp_at(struct look *look, int dir, const char *path, const char *name);

static struct hash stamp_children(struct look *look, int dir, const char *path)
{
	struct hash sum = { 0 };
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	for (struct dirent *e; list && (e = io_next_entry(list));)
		add(&sum, stamp_at(look, fd, e->d_name, e->d_name));
	if (!list || errno)
		note_failure(look);
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
	return sum;
}

/* NAME is a part of the stamp, so that a renamed entry is another one. */
static struct hash stamp_at(struct look *look, int dir, const char *path, const char *name)
{
	struct stat st;
	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		note_failure(look);
		return (struct hash){ 0 };
	}
	struct hash own = stamp_entry(name, &st);
	if (!S_ISDIR(st.st_mode))
		return own;
	struct hash below = stamp_children(look, dir, path);
	return hash_again(below, own.lo ^ own.hi);
}

struct hash stamp_of(const char *path)
{
	struct look look = { .failed = true };
	struct hash stamp = { 0 };
	for (int i = 0; i < LOOKS && (look.failed || look.denied); i++) {
		look = (struct look){ 0 };
		stamp = stamp_at(&look, AT_FDCWD, path, "");
	}
	if (look.failed)
		stamp = (struct hash){ 0 };
	return stamp;
}

bool stamp_is_none(struct hash stamp)
{
	return !stamp.hi && !stamp.lo;
}
