#include "bisect/bisect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"

/* ---- answers ---- */

const char *bisect_word(enum bisect_answer answer)
{
	return answer == BISECT_GOOD   ? "good"
	       : answer == BISECT_BAD  ? "bad"
	       : answer == BISECT_SKIP ? "skip"
	                               : "stop";
}

/* ---- copies ---- */

static int copy_bytes(int in, int out)
{
	char chunk[1 << 16];
	ssize_t n;
	while ((n = io_read_all(in, chunk, sizeof chunk)) > 0)
		if (io_write_all(out, chunk, (size_t)n) < 0)
			return -1;
	return n < 0 ? -1 : 0;
}

static int copy_file(const char *from, const char *to, mode_t mode)
{
	int in = open(from, O_RDONLY | O_CLOEXEC),
	    out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int rc = in < 0 || out < 0 || copy_bytes(in, out) < 0 || fchmod(out, mode) < 0 ? -1 : 0,
	    saved = errno;
	io_close(in);
	io_close(out);
	errno = saved;
	return rc;
}

int copy_entry(const char *from, const char *to)
{
	struct stat st;
	if (lstat(from, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return mkdir(to, 0700) < 0 || copy_tree(from, to) < 0
		               ? -1
		               : chmod(to, st.st_mode & 07777);
	if (S_ISLNK(st.st_mode))
		return io_copy_link(from, to);
	return S_ISREG(st.st_mode) ? copy_file(from, to, io_mode_like(&st)) : 0;
}

int copy_tree(const char *from, const char *to)
{
	DIR *dir = opendir(from);
	int rc = dir ? 0 : -1;
	for (struct dirent *e; rc == 0 && (e = io_next_entry(dir));) {
		MEM_SCOPED char *a = mem_printf("%s/%s", from, e->d_name),
				*b = mem_printf("%s/%s", to, e->d_name);
		rc = copy_entry(a, b);
	}
	int saved = errno;
	if (rc == 0 && saved)
		rc = -1;
	if (dir)
		closedir(dir);
	errno = saved;
	return rc;
}

static const char *const quiet[] = { "-c",         "core.hooksPath=/dev/null",
	                             "-c",         "gc.auto=0",
	                             "-c",         "maintenance.auto=false",
	                             "-c",         "advice.detachedHead=false",
	                             "-c",         "worktree.useRelativePaths=false",
	                             "-c",         "core.fsmonitor=false",
	                             "--no-pager", "--literal-pathspecs" };
enum { N_QUIET = sizeof quiet / sizeof *quiet };

static const char **words(const char *dir, const char *const *args)
{
	size_t n = mem_count_words(args), at = N_QUIET;
	const char **argv = mem_alloc((N_QUIET + 2 + n + 1) * sizeof *argv);
	memcpy(argv, quiet, sizeof quiet);
	argv[at++] = "-C";
	argv[at++] = dir ? dir : ".";
	memcpy(argv + at, args, (n + 1) * sizeof *args);
	return argv;
}

int bisect_git_status(const char *dir, const char *const *args, struct buf *out, struct err *err)
{
	MEM_SCOPED const char **argv = words(dir, args);
	return git_run(&(struct git_call){ .argv = argv }, out, err);
}

int bisect_git(const char *dir, const char *const *args, struct buf *out, struct err *err)
{
	return bisect_git_status(dir, args, out, err) == 0 ? 0 : -1;
}

char *bisect_git_line(const char *dir, const char *const *args, struct err *err)
{
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	if (bisect_git(dir, args, &out, err) < 0) {
		buf_release(&out);
		return NULL;
	}
	out.data[strcspn(out.data, "\n")] = '\0';
	return out.data;
}
