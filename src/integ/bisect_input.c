#include "integ/bisect_input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "integ/bisect_git.h"
#include "text/testcase.h"

/* --- where we are ------------------------------------------------------------------------------------------------- */

static char *next_line(char **at)
{
	char *line = *at, *end = line ? strchr(line, '\n') : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return mem_strdup(line);
}

static int look_around(struct bisect_input *in, struct err *err)
{
	struct buf out = { 0 };
	int rc = bisect_git(NULL, GIT_ARGS("rev-parse", "--show-toplevel", "--absolute-git-dir", "HEAD"), &out, err);
	char *at = out.data;
	if (rc == 0) {
		in->top = next_line(&at);
		in->git_dir = next_line(&at);
		in->head = next_line(&at);
	}
	buf_release(&out);
	if (rc == 0 && !in->head)
		rc = err_set(err, ERR_USAGE, "this is no work tree of a git repository");
	return rc;
}

/* One bisection is told from the next by the file that `git bisect start` writes, and nothing later changes. */
static char *bisection_id(const struct bisect_input *in)
{
	struct stat st;
	char *path = mem_printf("%s/BISECT_START", in->git_dir);
	char *id = NULL;
	if (stat(path, &st) == 0)
		id = mem_printf("%llu %lld.%09ld\n", (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec,
				st.st_mtim.tv_nsec);
	free(path);
	return id;
}

static int make_dirs(const struct bisect_input *in, struct err *err)
{
	static const char *const parts[] = { "whittle", "whittle/.bisect", "whittle/.bisect/run", "whittle/.bisect/run/log" };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *path = mem_printf("%s/%s", in->git_dir, parts[i]);
		int rc = mkdir(path, 0777) < 0 && errno != EEXIST ? err_errno(err, "cannot make %s", path) : 0;
		free(path);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* Empties the directory when it is about another bisection. */
static int renew(struct bisect_input *in, const char *id, struct err *err)
{
	struct buf known = { 0 };
	struct err ignored;
	char *path = mem_printf("%s/id", in->dir);
	bool same = io_read_file(path, &known, &ignored) == 0 && !strcmp(known.data, id);
	buf_release(&known);
	int rc = 0;
	if (!same && io_remove_tree(AT_FDCWD, in->dir) < 0)
		rc = err_errno(err, "cannot remove %s", in->dir);
	if (rc == 0)
		rc = make_dirs(in, err);
	if (rc == 0 && !same)
		rc = io_replace_file(path, id, strlen(id), 0666, err);
	free(path);
	return rc;
}

int bisect_input_open(struct bisect_input *in, struct err *err)
{
	*in = (struct bisect_input){ 0 };
	if (look_around(in, err) < 0)
		return -1;
	char *no_checkout = mem_printf("%s/BISECT_HEAD", in->git_dir), *id = bisection_id(in);
	int rc = 0;
	if (access(no_checkout, F_OK) == 0)
		rc = err_set(err, ERR_USAGE, "the bisection was started with --no-checkout, so there is nothing to build or test");
	in->running = id != NULL;
	in->dir = mem_printf("%s/whittle/.bisect/run", in->git_dir);
	if (rc == 0)
		in->subject = bisect_git_line(NULL, GIT_ARGS("log", "-1", "--format=%s", "HEAD"), err);
	if (rc == 0 && (!in->subject || renew(in, id ? id : "none\n", err) < 0))
		rc = -1;
	free(no_checkout);
	free(id);
	return rc;
}

void bisect_input_close(struct bisect_input *in)
{
	free(in->top);
	free(in->git_dir);
	free(in->dir);
	free(in->head);
	free(in->subject);
}

/* --- finding a file ----------------------------------------------------------------------------------------------- */

/* PATH as an absolute one without "." and "..", by its text alone, as what it names may be gone; the caller's. */
static char *absolute(const char *path)
{
	char *cwd = *path == '/' ? NULL : realpath(".", NULL);
	char *all = mem_printf("%s/%s/", cwd ? cwd : "", path), *to = all;
	free(cwd);
	for (char *part = all, *end; *part; part = end + 1) {
		end = strchr(part, '/');
		size_t n = (size_t)(end - part);
		if (n == 2 && part[0] == '.' && part[1] == '.') {
			while (to > all && *--to != '/')
				;
		} else if (n && !(n == 1 && *part == '.')) {
			*to++ = '/';
			memmove(to, part, n);
			to += n;
		}
	}
	*to = '\0';
	return all;
}

static bool exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

static bool git_says(const struct bisect_input *in, const char *const *args)
{
	struct err ignored;
	return bisect_git_status(in->top, args, NULL, &ignored) == 0;
}

/* Is REL, which is there, the user's, so that no checkout has put it there as it is? */
static bool is_users(const struct bisect_input *in, const char *rel)
{
	return !git_says(in, GIT_ARGS("ls-files", "--error-unmatch", "--", rel)) ||
	       !git_says(in, GIT_ARGS("diff", "--quiet", "HEAD", "--", rel));
}

/* The revision whose version of REL counts: where the user was before the bisection, or else the bad end. NULL: neither
 * has it. */
static char *home_of(const struct bisect_input *in, const char *rel)
{
	struct err ignored;
	struct buf start = { 0 };
	char *path = mem_printf("%s/BISECT_START", in->git_dir), *found = NULL;
	if (io_read_file(path, &start, &ignored) == 0)
		start.data[strcspn(start.data, "\n")] = '\0';
	char *term = bisect_git_line(in->top, GIT_ARGS("bisect", "terms", "--term-bad"), &ignored);
	char *bad = mem_printf("refs/bisect/%s", term ? term : "bad");
	const char *const revisions[] = { start.data ? start.data : bad, bad };
	for (int i = 0; i < 2 && !found; i++) {
		char *spec = mem_printf("%s:%s", revisions[i], rel);
		if (git_says(in, GIT_ARGS("cat-file", "-e", spec)))
			found = mem_strdup(revisions[i]);
		free(spec);
	}
	free(bad);
	free(term);
	free(path);
	buf_release(&start);
	return found;
}

/* Writes REL as it is in REVISION below DIR, with its mode, through the filters that a checkout has. */
static int extract(const struct bisect_input *in, const char *revision, const char *rel, const char *dir, struct err *err)
{
	char *index = mem_printf("%s/index", in->dir), *git_dir = mem_printf("--git-dir=%s", in->git_dir);
	char *tree = mem_printf("--work-tree=%s", dir);
	int rc = mkdir(dir, 0777) < 0 && errno != EEXIST ? err_errno(err, "cannot make %s", dir) : 0;
	setenv("GIT_INDEX_FILE", index, 1);
	if (rc == 0) /* all of it, for the attributes of the path */
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "read-tree", revision), NULL, err);
	if (rc == 0)
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "checkout", "--quiet", "--", rel), NULL, err);
	unsetenv("GIT_INDEX_FILE");
	unlink(index);
	free(index);
	free(git_dir);
	free(tree);
	return rc;
}

/* Copies what the work tree has: it is tracked, but only at this revision. */
static int copy_present(const char *from, const char *to, struct err *err)
{
	struct buf bytes = { 0 };
	struct stat st;
	char *parent = mem_strdup(to);
	int rc = stat(from, &st) < 0 ? err_errno(err, "cannot read %s", from) : io_read_file(from, &bytes, err);
	for (char *p = parent + 1; rc == 0 && (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(parent, 0777) < 0 && errno != EEXIST)
			rc = err_errno(err, "cannot make %s", parent);
		*p = '/';
	}
	if (rc == 0)
		rc = io_replace_file(to, bytes.data, bytes.len, st.st_mode & 07777, err);
	free(parent);
	buf_release(&bytes);
	return rc;
}

static int keep(const struct bisect_input *in, const char *abs, const char *rel, const char *kept, struct err *err)
{
	char *home = home_of(in, rel), *dir = mem_printf("%s/kept", in->dir);
	int rc;
	if (home)
		rc = extract(in, home, rel, dir, err);
	else if (exists(abs))
		rc = copy_present(abs, kept, err);
	else
		rc = err_set(err, ERR_USAGE, "%s is not there, and neither the revision before the bisection nor the bad one has it",
			     rel);
	free(home);
	free(dir);
	return rc;
}

char *bisect_input_find(struct bisect_input *in, const char *path, struct err *err)
{
	char *abs = absolute(path);
	size_t n = strlen(in->top);
	const char *rel = !strncmp(abs, in->top, n) && abs[n] == '/' ? abs + n + 1 : NULL;
	char *kept = rel && in->running ? mem_printf("%s/kept/%s", in->dir, rel) : NULL;
	bool in_place = !kept || (exists(abs) && is_users(in, rel));
	int rc = 0;
	if (in_place && !exists(abs) && !(kept && exists(kept)))
		rc = err_set(err, ERR_USAGE, "%s is not there", path);
	else if (in_place && kept)
		rc = copy_present(abs, kept, err); /* should the build or a later checkout remove it */
	else if (!in_place && !exists(kept))
		rc = keep(in, abs, rel, kept, err);
	char *use = rc < 0 ? NULL : mem_strdup(in_place ? abs : kept);
	free(abs);
	free(kept);
	return use;
}

/* --- using it ------------------------------------------------------------------------------------------------------ */

int bisect_check_test(const char *test, struct err *err)
{
	struct stat st;
	if (stat(test, &st) < 0)
		return err_set(err, ERR_TEST, "the interestingness test %s: %s", test, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_TEST, "the interestingness test %s is not a file", test);
	if (access(test, X_OK) < 0)
		return err_set(err, ERR_TEST, "the interestingness test %s is not executable (chmod +x %s)", test, test);
	return 0;
}

struct testcase *bisect_load(const char *path, struct err *err)
{
	struct stat st;
	struct buf bytes = { 0 };
	const char *slash = strrchr(path, '/');
	if (stat(path, &st) < 0 || io_read_file(path, &bytes, err) < 0) {
		err_set(err, ERR_USAGE, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	if (bytes.len >= TESTCASE_MAX_SIZE) {
		err_set(err, ERR_USAGE, "%s is larger than 4 GiB", path);
		buf_release(&bytes);
		return NULL;
	}
	return testcase_new(slash ? slash + 1 : path, st.st_mode & 0100 ? 0755 : 0644, (uint8_t *)bytes.data, (uint32_t)bytes.len);
}
