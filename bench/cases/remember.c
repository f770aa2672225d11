/* A test that remembers verdicts by content, for several reductions of the same case: an
 * interestingness test that runs $REMEMBER_TEST unless the verdict on what $REMEMBER_FILE holds (a
 * file or a tree in the current directory) is in the directory $REMEMBER_IN: there a symbolic link,
 * which is made at once or not at all, leads from its hash to the status. Exits as the test does;
 * with 124 when that takes longer than LIMIT seconds. */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"

enum { LIMIT = 60, TIMED_OUT = 124, BROKEN = 125 };

static struct hash sum; /* of all entries: their order does not matter. Static because nftw has no
                           argument for it. */

static int failed(const char *what)
{
	perror(what);
	return BROKEN;
}

static int add_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	struct buf content = { 0 };
	struct err err = { 0 };
	char target[4096];
	ssize_t len = 0;
	(void)where;
	if (type == FTW_F && io_read_file(path, &content, &err) < 0)
		return -1;
	if (type == FTW_SL && (len = readlink(path, target, sizeof target)) < 0)
		return -1;
	buf_add(&content, target, (size_t)len);
	buf_add(&content, path, strlen(path) + 1);
	struct hash h = hash_bytes(content.data, content.len, st->st_mode);
	sum = (struct hash){ .hi = sum.hi + h.hi, .lo = sum.lo + h.lo };
	buf_release(&content);
	return 0;
}

static int run(const char *test, char **argv)
{
	pid_t child = fork();
	if (child < 0)
		return failed("fork");
	if (child == 0) {
		alarm(LIMIT);
		execv(test, argv);
		_exit(failed(test));
	}
	int status;
	if (waitpid(child, &status, 0) < 0)
		return failed("wait");
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return WTERMSIG(status) == SIGALRM ? TIMED_OUT : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	const char *test = getenv("REMEMBER_TEST"), *file = getenv("REMEMBER_FILE"),
		   *in = getenv("REMEMBER_IN");
	char path[4096], text[16] = "";
	(void)argc;
	if (!test || !file || !in || nftw(file, add_entry, 16, FTW_PHYS) != 0)
		return failed("remember");
	snprintf(path, sizeof path, "%s/%016" PRIx64 "%016" PRIx64, in, sum.hi, sum.lo);
	if (readlink(path, text, sizeof text - 1) > 0)
		return atoi(text);
	int status = run(test, argv);
	snprintf(text, sizeof text, "%d", status);
	if (status != BROKEN && symlink(text, path) < 0 && errno != EEXIST)
		return failed(path);
	return status;
}
