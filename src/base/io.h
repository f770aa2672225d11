/* Files: whole reads, whole writes, atomic replacement; EINTR and short writes are dealt with here
 * and nowhere else. */
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"

struct buf;
struct err;

/* Are they of one file? */
static inline bool io_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static inline bool io_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Do both paths lead to one file, which is there? */
bool io_same_file(const char *a, const char *b);

/* Reads all of PATH into *out, which the caller releases. */
int io_read_file(const char *path, struct buf *out, struct err *err);

/* The same for what others may have put there: no more than MOST bytes, and REGULAR: only from a
 * file that is one, so that no pipe or device is waited for. Ends when a signal has arrived
 * (base/signals.h; ERR_STOPPED). */
struct io_bounds {
	size_t most;
	bool regular;
};
int io_read_bounded(const char *path, struct io_bounds bounds, struct buf *out, struct err *err);

/* The beginning of PATH, one of the small files in which the kernel says something: as much as fits
 * in SIZE bytes with a NUL behind. False: it cannot be read, and TEXT is empty. */
bool io_read_short(const char *path, char *text, size_t size);

/* Opens a file of our own, where somebody else may have put anything: as open(2) with FLAGS, but
 * not through a symbolic link, and only a regular file, so that no FIFO, socket or device is waited
 * for. -1 and err: errno is that of open, 0 when it is no regular file. */
int io_open_regular(const char *path, int flags, mode_t mode, struct err *err);

/* The same with the bounds for a small file that whittle keeps beside a journal: somebody else may
 * have put anything in its place. */
int io_read_kept(const char *path, struct buf *out, struct err *err);

/* In front of the declaration of a descriptor, or of a DIR *, as in base/mem.h; -1 and NULL are not
 * closed, and errno stays. */
#define IO_SCOPED SCOPED(io_close_scoped)
#define IO_SCOPED_DIR SCOPED(io_close_dir_scoped)
void io_close_scoped(const int *fd);
void io_close_dir_scoped(DIR **dir);

/* Closes FD; none when that is negative. */
static inline void io_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Closes FD, to which something was written with the result RC: RC, or -1 if that fails first. */
int io_close_after(int fd, int rc);

/* Writes all LEN bytes to FD; -1 with errno set on failure. */
int io_write_all(int fd, const void *bytes, size_t len);

/* The same with the fault NAME (base/fault.h; FAULTS NULL: none). */
struct faults;
int io_write_faulty(struct faults *faults, const char *name, int fd, const void *bytes, size_t len);

/* Reads up to LEN bytes, fewer only at the end; -1 with errno set on failure. */
ssize_t io_read_all(int fd, void *bytes, size_t len);

/* Opens the null device as each of the descriptors 0, 1 and 2 that is closed, so that no file of
 * ours gets that number and is written to as standard error, say. The wrong way round: reading and
 * writing there fail as they would. */
void io_fill_standard(void);

/* The next name in a directory but "." and ".."; NULL with errno 0 at its end, or with the errno of
 * what went wrong: half a directory must not pass for a whole one. */
struct dirent *io_next_entry(DIR *dir);

/* The permissions that a new file of ours has in the place of one that is like ST: no set-id bits
 * of another owner or group, whose program would become ours. */
mode_t io_mode_like(const struct stat *st);

/* Makes PATH hold exactly these bytes with these permissions: writes a new file beside it, flushes
 * it to disk, renames it into place. What else the file has stays (io_form). On failure PATH is as
 * it was and nothing is left beside it. PATH may be a symbolic link: its target is replaced. */
int io_replace_file(const char *path, const void *bytes, size_t len, mode_t mode, struct err *err);

/* The same, but a symbolic link at PATH is replaced itself, and what it points at stays as it is:
 * for files of our own, which nobody else has made links. */
int io_replace_entry(const char *path, const void *bytes, size_t len, mode_t mode, struct err *err);

/* As io_replace_file with faults (base/fault.h; NULL: none) at its write, fsync and rename. */
int io_replace_file_faulty(struct faults *faults, const char *path, const void *bytes, size_t len,
                           mode_t mode, struct err *err);

/* What a new file has besides its content: permissions, and what the file or directory LIKE has
 * (NULL: of none; its links are not followed): owner, group and extended attributes, which include
 * access lists and labels, as far as we may give them away. Where the owner or the group does not
 * come along, its set-id bit does not. */
struct io_form {
	mode_t mode;
	const char *like;
};

/* Gives the open new file or directory its form. -1 with errno: not even the permissions. */
int io_give_form(int fd, struct io_form form);

/* The first half of io_replace_file: makes the file PATH, which is not there yet, and brings it to
 * the disk. -1 with errno; what was written then stays. */
int io_write_new(struct faults *faults, const char *path, const void *bytes, size_t len,
                 struct io_form form);
int io_write_new_pieces(struct faults *faults, const char *path, const struct mem_piece *pieces,
                        struct io_form form);

/* The directory for temporary files: $TMPDIR if that is an absolute path, else /tmp. It is valid
 * until the environment changes. */
const char *io_temporary(void);

/* A name in it for mkdtemp() and mkstemp(), NAME-XXXXXX; the caller's. */
char *io_temporary_name(const char *name);

/* Is PATH, or what it links to, a file that may be executed? */
bool io_can_run(const char *path);

/* The program WORD as a shell finds it in DIRS (NULL: in PATH): WORD itself when it has a slash.
 * The caller's; NULL when there is none. */
char *io_find_program(const char *dirs, const char *word);

/* PATH with symbolic links resolved, also when there is nothing at its end; the caller's. */
char *io_real_path(const char *path);

/* Removes what processes that are gone have left beside PATH when they were killed in
 * io_replace_file. */
void io_remove_leftovers(const char *path);

/* Removes PATH and, when it is a directory, all below it, however deep, unreadable or unwritable
 * (as far as the owner may change that). Does not follow symbolic links, and never enters what is
 * mounted at or below PATH; needs four descriptors and no stack to speak of. Directories are moved
 * within PATH on the way. Files that appear meanwhile are removed too, a bounded number of times.
 * 0, or -1 with errno (EBUSY: something is mounted there) and what would not go left in place.
 * Missing is fine. */
int io_remove_tree(int dirfd, const char *path);

/* The same for a directory that nobody but whittle and its tests writes to. What keeps an entry in
 * place goes first, where that is allowed: mounts are unmounted, immutable and append-only flags
 * are cleared. */
int io_remove_ours(int dirfd, const char *path);

/* Opens the directory NAME, one component, in the open directory DIR: neither through a symbolic
 * link nor what is mounted there (EXDEV), and made accessible if need be. -1 with errno. */
int io_open_directory(int dir, const char *name);

/* Clears the immutable and append-only flags of an open file or directory, where that is allowed.
 */
void io_clear_flags(int fd);

/* Nanoseconds of a monotonic clock. For deadlines and display; no decision of a search may read it.
 */
uint64_t io_now(void);

/* Whether a read of FD would not wait: there is something, or its end. FD may be -1: no. */
bool io_is_readable(int fd);

/* Makes the directories that PATH names and that are missing; the first THERE bytes of it, a
 * directory, are not looked at. 0, or -1 and err. */
int io_make_dirs(const char *path, size_t there, struct err *err);

/* Whether what is open as FD is still what PATH names. */
bool io_is_at(int fd, const char *path);

/* Between a file's name and the process that writes a new one. */
#define IO_TEMP_MARK ".whittle-"

/* Is there something at PATH, a link counted as such? A directory, or a file, maybe behind a link?
 */
bool io_exists(const char *path);
bool io_is_dir(const char *path);
bool io_is_file(const char *path);

/* Where the link PATH leads, the caller's; NULL with errno. */
char *io_read_link(const char *path);

/* Makes the link TO, which leads where FROM does; 0, or -1 with errno. */
int io_copy_link(const char *from, const char *to);

/* A copy of FD that programs do not inherit; -1 for a negative one, or with errno. */
int io_dup(int fd);
