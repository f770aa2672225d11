#include "fence/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

#define MEMORY_BASE "/dev/shm"
#define PREFIX "whittle-"
#define SLOT_PREFIX "slot-"
#define MARK_ATTRIBUTE "user.whittle"
#define MARK_FILE ".whittle-work"

enum { TMPFS = 0x01021994, SPARE_ROOM = 64 << 20, NAME_TRIES = 100 };

/* Memory-backed, ours to write, programs may be run in it, and ROOM for each of SLOTS tests. */
static bool memory_has_room(unsigned slots, uint64_t room)
{
	struct statfs kind;
	struct statvfs fs;
	if (statfs(MEMORY_BASE, &kind) < 0 || kind.f_type != TMPFS || statvfs(MEMORY_BASE, &fs) < 0)
		return false;
	if ((fs.f_flag & (ST_NOEXEC | ST_RDONLY)) || access(MEMORY_BASE, W_OK | X_OK) < 0)
		return false;
	uint64_t need = ((uint64_t)slots + 1) * room + SPARE_ROOM;
	return fs.f_bavail > need / fs.f_frsize;
}

static bool is_slot_name(const char *name)
{
	size_t n = strlen(SLOT_PREFIX);
	return !strncmp(name, SLOT_PREFIX, n) && name[n] &&
	       strspn(name + n, "0123456789") == strlen(name + n);
}

/* Notes that the open directory is a pool's. Without the mark it would only be left behind. */
static void mark(int fd)
{
	if (fsetxattr(fd, MARK_ATTRIBUTE, "work", strlen("work"), 0) == 0)
		return;
	int file = openat(fd, MARK_FILE, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	io_close(file);
}

static bool is_marked(int fd)
{
	struct stat st;
	return fgetxattr(fd, MARK_ATTRIBUTE, NULL, 0) >= 0 ||
	       (fstatat(fd, MARK_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	        st.st_uid == geteuid() && st.st_size == 0);
}

struct content {
	unsigned slots, others; /* entries that are named like slots, and those that are not */
};

static bool read_content(int fd, struct content *content)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	*content = (struct content){ 0 };
	if (!dir) {
		io_close(copy);
		return false;
	}
	struct dirent *e;
	while ((e = io_next_entry(dir))) {
		content->slots += is_slot_name(e->d_name);
		content->others += !is_slot_name(e->d_name);
	}
	bool whole = !errno;
	closedir(dir);
	return whole;
}

static bool holds_slots(int fd)
{
	struct content c;
	return read_content(fd, &c) && c.slots && !c.others;
}

/* Whether a pool made the directory: one of the same name that the user made must not go. */
static bool is_ours(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (is_marked(fd) || ((st.st_mode & 07777) == 0700 && holds_slots(fd)));
}

/* Whether it is an empty directory as a pool makes it, and has been so for a day: of a process that
 * was killed before it could mark it. Whoever makes such a directory to use it does so within
 * moments, unless the process is stopped, which lasts hours at the most; and what is empty can be
 * made again. */
static bool is_forgotten(int fd)
{
	enum { DAY = 24 * 60 * 60 };
	struct stat st;
	struct content c;
	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700 &&
	       time(NULL) - st.st_mtime > DAY && read_content(fd, &c) && !c.slots && !c.others;
}

/* Opens NAME in BASE to look at it. A test may have closed off the directory that it worked in:
 * *mode is to be restored if it turns out to be none of ours; 0: it is as it was. */
static int open_suspect(int base, const char *name, mode_t *mode)
{
	struct stat st;
	*mode = 0;
	if (fstatat(base, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid())
		return -1;
	if ((st.st_mode & 0700) != 0700)
		*mode = (st.st_mode & 07777) | S_IFDIR;
	return io_open_directory(base, name);
}

/* Removes NAME in BASE if it is a pool's directory that nobody holds any more. */
static void remove_if_stale(struct workdir *dir, int base, const char *path, const char *name)
{
	mode_t mode;
	int fd = open_suspect(base, name, &mode);
	if (fd < 0)
		return;
	bool ours = is_ours(fd);
	if (!ours && !mode && is_forgotten(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(base, name, AT_REMOVEDIR);
	if (!ours && mode)
		fchmod(fd, mode & 07777);
	if (ours && flock(fd, LOCK_EX | LOCK_NB) == 0 && io_remove_ours(base, name) < 0 &&
	    !dir->left)
		dir->left = mem_printf("%s/%s is left from a run that was killed, and cannot be "
		                       "removed: %s",
		                       path, name, strerror(errno));
	close(fd);
}

static void remove_stale(struct workdir *to, const char *base)
{
	DIR *dir = opendir(base);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));)
		if (!strncmp(e->d_name, PREFIX, strlen(PREFIX)) &&
		    strlen(e->d_name) == strlen(PREFIX "XXXXXX"))
			remove_if_stale(to, dirfd(dir), base, e->d_name);
	closedir(dir);
}

/* Opens and locks the new directory PATH. -1 with errno: it is gone. */
static int open_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = fd < 0 ? -1 : 0;
	while (fd >= 0 && (rc = flock(fd, LOCK_EX)) < 0 && errno == EINTR)
		;
	if (rc == 0)
		return fd;
	int saved = errno;
	io_close(fd);
	rmdir(path);
	errno = saved;
	return -1;
}

static int make_below(struct workdir *dir, const char *base)
{
	int why = ENOENT;
	for (int i = 0; i < NAME_TRIES && why == ENOENT; i++) {
		char *path = mem_printf("%s/" PREFIX "XXXXXX", base);
		int fd = mkdtemp(path) ? open_locked(path) : -1;
		if (fd < 0)
			why = errno;
		if (fd >= 0 && io_is_at(fd, path)) {
			mark(fd);
			dir->path = path;
			dir->fd = fd;
			return 0;
		}
		/* Between its making and its locking somebody who clears away stale ones may have
		 * taken it for one. */
		io_close(fd);
		free(path);
	}
	errno = why;
	return -1;
}

int workdir_init(struct workdir *dir, const char *base, unsigned slots, uint64_t room,
                 struct err *err)
{
	*dir = (struct workdir){ .fd = -1 };
	if (!base) {
		remove_stale(dir, MEMORY_BASE);
		const char *tmp = io_temporary();
		if (memory_has_room(slots, room) && make_below(dir, MEMORY_BASE) == 0)
			return 0;
		base = access(tmp, W_OK | X_OK) == 0 ? tmp : "/tmp";
	}
	MEM_SCOPED char *real = realpath(base, NULL);
	if (!real)
		return err_errno(err, "cannot use %s as work directory", base);
	remove_stale(dir, real);
	int rc = make_below(dir, real);
	if (rc < 0)
		err_errno(err, "cannot make a work directory in %s", real);
	return rc;
}

void workdir_release(struct workdir *dir)
{
	if (dir->path) {
		io_remove_ours(AT_FDCWD, dir->path);
		close(dir->fd);
	}
	free(dir->path);
	free(dir->left);
	*dir = (struct workdir){ .fd = -1 };
}

void workdir_slot_name(char name[WORKDIR_SLOT_SIZE], unsigned i)
{
	snprintf(name, WORKDIR_SLOT_SIZE, SLOT_PREFIX "%04u", i);
}

bool workdir_holds(const char *path, const char *slot, int fd)
{
	char name[PATH_MAX];
	struct stat a, b;
	int n = snprintf(name, sizeof name, "%s/%s", path, slot);
	return n > 0 && n < PATH_MAX && fstat(fd, &a) == 0 && lstat(name, &b) == 0 &&
	       io_is_same(&a, &b) && (b.st_mode & 07777) == 0700;
}

/* The pool's directory where it was. */
static int restore(struct workdir *dir)
{
	io_clear_flags(dir->fd);
	fchmod(dir->fd, 0700);
	mark(dir->fd);
	if (io_is_at(dir->fd, dir->path))
		return 0;
	io_remove_ours(AT_FDCWD, dir->path);
	int fd = mkdir(dir->path, 0700) == 0
	                 ? open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
	                 : -1;
	if (fd < 0 || flock(fd, LOCK_EX) < 0) {
		io_close(fd);
		return -1;
	}
	mark(fd);
	close(dir->fd);
	dir->fd = fd;
	return 0;
}

/* What cannot be removed from the place of a slot is moved out of the way, within the directory. */
static int clear_slot(struct workdir *dir, const char *name)
{
	if (io_remove_ours(dir->fd, name) == 0)
		return 0;
	for (int i = 0; i < NAME_TRIES; i++) {
		char aside[WORKDIR_SLOT_SIZE + 24];
		snprintf(aside, sizeof aside, "aside-%d-%s", i, name);
		if (renameat2(dir->fd, name, dir->fd, aside, RENAME_NOREPLACE) == 0)
			return 0;
	}
	return -1;
}

int workdir_make_slot(struct workdir *dir, unsigned i, struct err *err)
{
	char name[WORKDIR_SLOT_SIZE];
	workdir_slot_name(name, i);
	int fd = -1;
	if (restore(dir) == 0 && clear_slot(dir, name) == 0 && mkdirat(dir->fd, name, 0700) == 0)
		fd = openat(dir->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		err_errno(err, "cannot make %s/%s", dir->path, name);
	return fd;
}

/* ---- candidates ---- */

/* All that is written below a slot goes through base/beneath: a test that is being cancelled may
 * put a link, or a mount, where a directory of the candidate is to be. */

/* Makes the directory PATH unless it is there, which shows when something is put there. */
static void make_directory(int dir, const char *path)
{
	const char *leaf;
	IO_SCOPED int parent = beneath_parent(dir, path, &leaf);
	if (parent < 0)
		return;
	mkdirat(parent, leaf, 0700);
}

/* Makes the directories above the last component of PATH. */
static void make_parents(int dir, const char *path)
{
	for (const char *p = path; (p = strchr(p, '/')); p++) {
		MEM_SCOPED char *above = mem_printf("%.*s", (int)(p - path), path);
		make_directory(dir, above);
	}
}

/* The directory that PATH is to be in, made if need be: a descriptor, or -1 with errno. */
static int open_parent(int dir, const char *path, const char **leaf)
{
	int parent = beneath_parent(dir, path, leaf);
	if (parent >= 0 || errno != ENOENT)
		return parent;
	make_parents(dir, path);
	return beneath_parent(dir, path, leaf);
}

static int create(int dir, const char *path, mode_t mode)
{
	enum { FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
	int fd = beneath_open(dir, path, FLAGS, mode);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	make_parents(dir, path);
	return beneath_open(dir, path, FLAGS, mode);
}

static int write_file(int dir, const struct testcase_file *file, mode_t umask)
{
	mode_t mode = (file->mode & 07777) | S_IRUSR; /* a supervisor opens it for standard input */
	int fd = create(dir, file->path, mode);
	if (fd < 0)
		return -1;
	int rc = 0;
	struct mem_piece one[2];
	for (const struct mem_piece *p = testcase_pieces(file, one); rc == 0 && p->len; p++)
		rc = io_write_all(fd, p->bytes, p->len);
	if (rc == 0 && (mode & umask))
		rc = fchmod(fd, mode);
	return io_close_after(fd, rc);
}

static int write_link(int parent, const char *leaf, const struct testcase_file *file)
{
	char to[PATH_MAX];
	uint32_t n = testcase_file_size(file);
	if (n >= sizeof to) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(to, file->data, n);
	to[n] = '\0';
	return symlinkat(to, parent, leaf);
}

int workdir_write_entry(int dir, const struct testcase_file *file, mode_t umask)
{
	const char *leaf;
	if (!S_ISDIR(file->mode) && !S_ISLNK(file->mode))
		return write_file(dir, file, umask);
	IO_SCOPED int parent = open_parent(dir, file->path, &leaf);
	if (parent < 0)
		return -1;
	return S_ISDIR(file->mode) ? mkdirat(parent, leaf, 0700) : write_link(parent, leaf, file);
}

int workdir_make_operands(int dir, const char *const *operands)
{
	for (; operands && *operands; operands++)
		if ((*operands)[strlen(*operands) - 1] == '/')
			make_parents(dir, *operands); /* this one, too; there it is, mostly */
	return 0;
}

int workdir_write(int slot, const char *set, const struct testcase *tc, const char *const *operands,
                  mode_t umask)
{
	IO_SCOPED int dir = io_open_directory(slot, set);
	int rc = 0;
	if (dir < 0 && errno == ENOENT && mkdirat(slot, set, 0700) == 0)
		dir = io_open_directory(slot, set);
	if (dir < 0)
		return -1;
	for (uint32_t i = 0; i < tc->n_files && rc == 0; i++)
		rc = workdir_write_entry(dir, &tc->files[i], umask);
	if (rc == 0)
		rc = workdir_make_operands(dir, operands);
	return rc;
}
