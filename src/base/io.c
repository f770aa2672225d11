#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/signals.h"

enum { READ_CHUNK = 1 << 16 };

const char *io_temporary(void)
{
	const char *tmp = getenv("TMPDIR");
	return tmp && *tmp == '/' ? tmp : "/tmp";
}

char *io_temporary_name(const char *name)
{
	return mem_printf("%s/%s-XXXXXX", io_temporary(), name);
}

void io_fill_standard(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			_exit(ERR_SYSTEM);
}

void io_close_scoped(const int *fd)
{
	int saved = errno;
	io_close(*fd);
	errno = saved;
}

void io_close_dir_scoped(DIR **dir)
{
	int saved = errno;
	if (*dir)
		closedir(*dir);
	errno = saved;
}

int io_write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;
	while (len) {
		ssize_t n = write(fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int io_write_faulty(struct faults *faults, const char *name, int fd, const void *bytes, size_t len)
{
	if (!fault_strikes_write(faults, name, &len))
		return io_write_all(fd, bytes, len);
	int error = errno;
	if (io_write_all(fd, bytes, len) == 0)
		errno = error;
	return -1;
}

ssize_t io_read_all(int fd, void *bytes, size_t len)
{
	size_t got = 0;
	while (got < len) {
		ssize_t n = read(fd, (char *)bytes + got, len - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

bool io_read_short(const char *path, char *text, size_t size)
{
	IO_SCOPED int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : io_read_all(fd, text, size - 1);
	text[n < 0 ? 0 : n] = '\0';
	return n >= 0;
}

static int read_fd(int fd, struct buf *out)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	size_t guess = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
	out->data = mem_resize(out->data, guess + READ_CHUNK, 1);
	out->cap = guess + READ_CHUNK;
	for (;;) {
		if (out->cap - out->len < READ_CHUNK / 2) {
			out->cap *= 2;
			out->data = mem_resize(out->data, out->cap, 1);
		}
		ssize_t n = io_read_all(fd, out->data + out->len, out->cap - out->len - 1);
		if (n < 0)
			return -1;
		out->len += (size_t)n;
		if (out->len < out->cap - 1)
			break;
	}
	out->data[out->len] = '\0';
	return 0;
}

struct dirent *io_next_entry(DIR *dir)
{
	struct dirent *e;
	do {
		errno = 0;
		e = readdir(dir);
	} while (e && (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")));
	return e;
}

int io_read_file(const char *path, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot read %s", path);
	int rc = read_fd(fd, out);
	if (rc < 0) {
		err_errno(err, "cannot read %s", path);
		buf_release(out);
	}
	close(fd);
	return rc;
}

/* Waits until FD can be read. Returns -1 with EINTR when a signal has arrived: read(2) alone
 * would miss one that came just before it. */
static int wait_for(int fd)
{
	int wake = signals_open(), n;
	struct pollfd p[] = { { .fd = fd, .events = POLLIN }, { .fd = wake, .events = POLLIN } };
	do
		n = poll(p, 2, -1);
	while (n < 0 && errno == EINTR && !signals_arrived());
	io_close(wake);
	if (!signals_arrived())
		return n < 0 ? -1 : 0;
	errno = EINTR;
	return -1;
}

/* Reads FD, at most a byte more than MOST; WAITS: it may have nothing for a long time. */
static int read_most(int fd, bool waits, size_t most, struct buf *out)
{
	char bytes[1 << 14];
	while (out->len <= most) {
		size_t room = most + 1 - out->len;
		if (waits && wait_for(fd) < 0)
			return -1;
		ssize_t n = read(fd, bytes, room < sizeof bytes ? room : sizeof bytes);
		if (n < 0 && errno == EINTR && !signals_arrived())
			continue;
		if (n <= 0)
			return n < 0 ? -1 : 0;
		buf_add(out, bytes, (size_t)n);
	}
	return 0;
}

/* With errno 0 it is no regular file: a socket, a FIFO that nobody reads, a symbolic link that may
 * not be followed. */
static int open_regular(const char *path, int flags, mode_t mode)
{
	struct stat st;
	int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
	if (fd < 0)
		errno = errno == ENXIO || errno == ELOOP ? 0 : errno;
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		errno = 0;
		fd = -1;
	}
	return fd;
}

static int not_regular(const char *path, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s is not a regular file", path);
}

int io_open_regular(const char *path, int flags, mode_t mode, struct err *err)
{
	int fd = open_regular(path, flags | O_NOFOLLOW, mode);
	if (fd >= 0)
		return fd;
	int why = errno;
	if (why)
		err_errno(err, "cannot open %s", path);
	else
		not_regular(path, err);
	errno = why;
	return -1;
}

int io_read_bounded(const char *path, struct io_bounds bounds, struct buf *out, struct err *err)
{
	struct stat st = { .st_mode = S_IFREG };
	int fd =
		bounds.regular ? open_regular(path, O_RDONLY, 0) : open(path, O_RDONLY | O_CLOEXEC);
	int rc = fd < 0 || (!bounds.regular && fstat(fd, &st) < 0) ? -1 : 0;
	if (fd < 0 && !errno)
		rc = not_regular(path, err);
	else if (rc == 0 && (rc = read_most(fd, !S_ISREG(st.st_mode), bounds.most, out)) == 0 &&
	         out->len > bounds.most)
		rc = err_set(err, ERR_USAGE, "%s has more than %zu bytes", path, bounds.most);
	else if (rc < 0 && (errno != EINTR || signals_check("reading a file", err) == 0))
		err_errno(err, "cannot read %s", path);
	io_close(fd);
	if (rc < 0)
		buf_release(out);
	return rc;
}

int io_read_kept(const char *path, struct buf *out, struct err *err)
{
	/* The names of a tree with a hundred thousand files are a tenth of that. */
	const struct io_bounds bounds = { .most = 64 << 20, .regular = true };
	int rc = io_read_bounded(path, bounds, out, err);
	if (rc == 0)
		buf_add(out, "", 0); /* an empty file is a text, too */
	return rc;
}

bool io_can_run(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *io_find_program(const char *dirs, const char *word)
{
	if (strchr(word, '/'))
		return io_can_run(word) ? mem_strdup(word) : NULL;
	if (!dirs)
		dirs = getenv("PATH");
	for (const char *end; dirs; dirs = *end ? end + 1 : NULL) {
		end = strchrnul(dirs, ':');
		char *path = mem_printf("%.*s%s%s", (int)(end - dirs), dirs, end == dirs ? "" : "/",
		                        word);
		if (io_can_run(path))
			return path;
		free(path);
	}
	return NULL;
}

char *io_real_path(const char *path)
{
	char *real = realpath(path, NULL);
	if (real)
		return real;
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	char *name = mem_printf("%.*s", (int)n, path), *slash = strrchr(name, '/'),
	     *base = slash ? slash + 1 : name;
	MEM_SCOPED char *above = slash ? mem_printf("%.*s/", (int)(slash - name), name)
	                               : mem_strdup("."),
			*dir = realpath(above, NULL);
	real = dir ? mem_printf("%s/%s", strcmp(dir, "/") ? dir : "", base) : mem_strdup(name);
	free(name);
	return real;
}

mode_t io_mode_like(const struct stat *st)
{
	mode_t mode = st->st_mode & 07777;
	if (st->st_uid != geteuid())
		mode &= ~(mode_t)S_ISUID;
	if (S_ISREG(st->st_mode) && st->st_gid != getegid())
		mode &= ~(mode_t)S_ISGID;
	return mode;
}

int io_close_after(int fd, int rc)
{
	int saved = errno;
	if (close(fd) < 0 && rc == 0)
		return -1;
	errno = saved;
	return rc;
}

int io_write_new_pieces(struct faults *faults, const char *path, const struct mem_piece *pieces,
                        struct io_form form)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	int rc = 0;
	do
		rc = io_write_faulty(faults, "file-write", fd, pieces->bytes, pieces->len);
	while (rc == 0 && pieces->len && (++pieces)->len);
	if (rc < 0 || io_give_form(fd, form) < 0 || fault_strikes(faults, "file-fsync") ||
	    fsync(fd) < 0)
		rc = -1;
	return io_close_after(fd, rc);
}

int io_write_new(struct faults *faults, const char *path, const void *bytes, size_t len,
                 struct io_form form)
{
	return io_write_new_pieces(faults, path, (struct mem_piece[]){ { bytes, len }, { 0 } },
	                           form);
}

/* Writes a new file beside REAL, *temp (the caller's; NULL: there is none). A process of the same
 * number that was killed, as in another container, may have left one of its name, or it may be
 * anybody's: then the name has a number, too. */
static int write_beside(struct faults *faults, const char *real, const void *bytes, size_t len,
                        mode_t mode, char **temp)
{
	enum { NAMES = 1000 };
	const struct io_form form = { mode, real };
	*temp = mem_printf("%s" IO_TEMP_MARK "%ld", real, (long)getpid());
	int rc = io_write_new(faults, *temp, bytes, len, form);
	for (unsigned i = 1; i < NAMES && rc < 0 && errno == EEXIST; i++) {
		free(*temp);
		*temp = mem_printf("%s" IO_TEMP_MARK "%ld-%u", real, (long)getpid(), i);
		rc = io_write_new(faults, *temp, bytes, len, form);
	}
	if (rc == 0 || errno != EEXIST)
		return rc;
	free(*temp);
	*temp = NULL;
	return -1;
}

/* Makes REAL hold that; PATH is its name for messages. */
static int replace(struct faults *faults, const char *path, const char *real, const void *bytes,
                   size_t len, mode_t mode, struct err *err)
{
	char *temp;
	int rc = write_beside(faults, real, bytes, len, mode, &temp);
	if (rc == 0)
		rc = fault_strikes(faults, "file-rename") ? -1 : rename(temp, real);
	if (rc < 0) {
		err_errno(err, "cannot write %s", path);
		if (temp)
			unlink(temp);
	}
	free(temp);
	return rc;
}

int io_replace_file_faulty(struct faults *faults, const char *path, const void *bytes, size_t len,
                           mode_t mode, struct err *err)
{
	MEM_SCOPED char *real = io_real_path(path);
	return replace(faults, path, real, bytes, len, mode, err);
}

int io_replace_file(const char *path, const void *bytes, size_t len, mode_t mode, struct err *err)
{
	return io_replace_file_faulty(NULL, path, bytes, len, mode, err);
}

int io_replace_entry(const char *path, const void *bytes, size_t len, mode_t mode, struct err *err)
{
	return replace(NULL, path, path, bytes, len, mode, err);
}

bool io_is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return fd >= 0 && poll(&p, 1, 0) > 0;
}

uint64_t io_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int io_make_dirs(const char *path, size_t there, struct err *err)
{
	MEM_SCOPED char *copy = mem_strdup(path);
	int rc = 0;
	for (char *p = copy + there + 1; rc == 0; p++) {
		if (*p && *p != '/')
			continue;
		char c = *p;
		*p = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			rc = err_errno(err, "cannot make directory %s", copy);
		*p = c;
		if (!c)
			break;
	}
	return rc;
}

bool io_is_at(int fd, const char *path)
{
	struct stat a, b;
	return fstat(fd, &a) == 0 && stat(path, &b) == 0 && io_is_same(&a, &b);
}

bool io_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && io_is_same(&x, &y);
}

bool io_exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

char *io_read_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return mem_strdup(target);
}

int io_copy_link(const char *from, const char *to)
{
	MEM_SCOPED char *target = io_read_link(from);
	return target ? symlink(target, to) : -1;
}

bool io_is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool io_is_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int io_dup(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

#define ACCESS_LIST "system.posix_acl_access"

/* Signatures of the content, which is another one. */
static bool is_of_content(const char *name)
{
	return !strcmp(name, "security.ima") || !strcmp(name, "security.evm");
}

static void give_one(int fd, const char *like, const char *name)
{
	ssize_t size = lgetxattr(like, name, NULL, 0);
	MEM_SCOPED void *value = size < 0 ? NULL : mem_alloc((size_t)size + 1);
	if (value && (size = lgetxattr(like, name, value, (size_t)size)) >= 0)
		fsetxattr(fd, name, value, (size_t)size, 0);
}

/* Extended attributes, with them access lists and labels. The list that the new file has by the
 * default of its directory goes. */
static void give_attributes(int fd, const char *like)
{
	bool has_list = false;
	ssize_t size = llistxattr(like, NULL, 0);
	MEM_SCOPED char *names = size > 0 ? mem_alloc((size_t)size) : NULL;
	if (names)
		size = llistxattr(like, names, (size_t)size);
	for (ssize_t at = 0; names && at < size; at += (ssize_t)strlen(names + at) + 1) {
		has_list = has_list || !strcmp(names + at, ACCESS_LIST);
		if (!is_of_content(names + at))
			give_one(fd, like, names + at);
	}
	if (!has_list)
		fremovexattr(fd, ACCESS_LIST);
}

/* What may be given is: the group, if not the owner. *OWN is what came of it. */
static void give_owner(int fd, const struct stat *like, struct stat *own)
{
	if (own->st_uid == like->st_uid && own->st_gid == like->st_gid)
		return;
	if (fchown(fd, like->st_uid, like->st_gid) < 0 && fchown(fd, (uid_t)-1, like->st_gid) < 0)
		return;
	fstat(fd, own);
}

int io_give_form(int fd, struct io_form form)
{
	struct stat own, like = { 0 };
	mode_t mode = form.mode & 07777;
	if (fstat(fd, &own) < 0)
		return -1;
	if (form.like && lstat(form.like, &like) == 0 &&
	    (like.st_mode & S_IFMT) == (own.st_mode & S_IFMT)) {
		give_owner(fd, &like, &own);
		give_attributes(fd, form.like);
		if (own.st_uid != like.st_uid)
			mode &= ~(mode_t)S_ISUID;
		if (S_ISREG(own.st_mode) && own.st_gid != like.st_gid)
			mode &= ~(mode_t)S_ISGID;
	}
	return fchmod(fd, mode);
}
