#include "bisect/bisect_input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "bisect/bisect_fetch.h"
#include "bisect/bisect_git.h"

/* ---- where we are ---- */

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
	int rc = bisect_git(NULL,
	                    GIT_ARGS("rev-parse", "--show-toplevel", "--absolute-git-dir", "HEAD"),
	                    &out, err);
	char *at = out.data;
	if (rc == 0) {
		in->top = next_line(&at);
		in->git_dir = next_line(&at);
		in->head = next_line(&at);
	}
	buf_release(&out);
	if (rc == 0 && !in->head)
		rc = err_set(err, ERR_USAGE, "this is not a work tree of a git repository");
	return rc;
}

/* One bisection is told from the next by the file that `git bisect start` writes, and nothing later
 * changes. */
static char *bisection_id(const struct bisect_input *in)
{
	struct stat st;
	char *path = mem_printf("%s/BISECT_START", in->git_dir);
	char *id = NULL;
	if (stat(path, &st) == 0)
		id = mem_printf("%llu %lld.%09ld\n", (unsigned long long)st.st_ino,
		                (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	free(path);
	return id;
}

static int make_dirs(const struct bisect_input *in, struct err *err)
{
	char *path = mem_printf("%s/whittle/.bisect/run/log", in->git_dir);
	int rc = io_make_dirs(path, strlen(in->git_dir), err);
	free(path);
	return rc;
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
		rc = err_set(err, ERR_USAGE,
		             "the bisection was started with --no-checkout, so there is nothing to "
		             "build or test");
	in->running = id != NULL;
	in->dir = mem_printf("%s/whittle/.bisect/run", in->git_dir);
	if (rc == 0)
		in->subject =
			bisect_git_line(NULL, GIT_ARGS("log", "-1", "--format=%s", "HEAD"), err);
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

/* ---- finding a file ---- */

/* Removes empty parts, "." and ".." from the absolute path PATH, by its text alone. */
static void tidy(char *path)
{
	char *to = path;
	for (char *part = path, *end; *part; part = *end ? end + 1 : end) {
		end = strchrnul(part, '/');
		size_t n = (size_t)(end - part);
		if (n == 2 && part[0] == '.' && part[1] == '.') {
			while (to > path && *--to != '/')
				;
		} else if (n && !(n == 1 && *part == '.')) {
			memmove(to + 1, part, n);
			*to++ = '/';
			to += n;
		}
	}
	*to = '\0';
}

/* PATH as an absolute one, without links in the directories on the way as far as these are there:
 * what it names may be gone. The caller's. */
static char *absolute(const char *path)
{
	char *cwd = *path == '/' ? NULL : realpath(".", NULL);
	char *all = mem_printf("%s/%s/", cwd ? cwd : "", path), *real = NULL;
	free(cwd);
	tidy(all);
	for (char *slash = all + strlen(all); !real && slash > all;) {
		while (slash > all && *--slash != '/')
			;
		char *dir = mem_printf("%.*s/", (int)(slash - all), all);
		real = realpath(dir, NULL);
		free(dir);
		char *whole =
			real ? mem_printf("%s%s", strcmp(real, "/") ? real : "", slash) : NULL;
		free(real);
		real = whole;
	}
	free(all);
	return real ? real : mem_strdup("/");
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

/* The revision whose version of REL counts: where the user was before the bisection, or else the
 * bad end. NULL: neither has it. */
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

/* ---- keeping ---- */

/* An operand or the test. */
struct given {
	char *abs;     /* where the user has it */
	char *kept;    /* where the copy is, or would be; NULL: no bisection is under way */
	bool in_place; /* no checkout touches it: it is used where it is */
};

/* Is ABS a directory, or REL one in HOME where it is not there? */
static bool is_directory(const struct bisect_input *in, const char *abs, const char *rel,
                         const char *home)
{
	struct stat st;
	struct err ignored;
	if (stat(abs, &st) == 0)
		return S_ISDIR(st.st_mode);
	char *spec = mem_printf("%s:%s", home ? home : "HEAD", rel);
	char *type = bisect_git_line(in->top, GIT_ARGS("cat-file", "-t", spec), &ignored);
	bool is = type && !strcmp(type, "tree");
	free(spec);
	free(type);
	return is;
}

/* Keeps what a checkout can change, when it is not kept yet. */
static int keep(const struct bisect_input *in, struct given *p, const char *path, struct err *err)
{
	const char *rel = p->abs + strlen(in->top) + 1;
	char *home = home_of(in, rel), *kept_top = mem_printf("%s/kept%s", in->dir, in->top);
	const struct bisect_fetch f = { in->top, in->git_dir, in->dir };
	int rc;
	if (is_directory(in, p->abs, rel, home))
		rc = bisect_fetch_dir(&f, home, p->abs, p->kept, err);
	else if (exists(p->abs) && is_users(in, rel)) {
		p->in_place = true;
		rc = bisect_fetch_present(p->abs, p->kept,
		                          err); /* should the build or a later checkout remove it */
	} else if (exists(p->kept))
		rc = 0;
	else if (home)
		rc = bisect_fetch_parents(kept_top, err) < 0
		             ? -1
		             : bisect_fetch_at(&f, home, rel, kept_top, err);
	else if (exists(p->abs))
		rc = bisect_fetch_present(p->abs, p->kept, err);
	else
		rc = err_set(err, ERR_USAGE,
		             "%s does not exist, and neither the revision before the bisection nor "
		             "the bad one has it",
		             path);
	free(home);
	free(kept_top);
	return rc;
}

static bool is_kept_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Finds PATH; release it in either case. */
static int find(const struct bisect_input *in, const char *path, struct given *p, struct err *err)
{
	size_t n = strlen(in->top);
	*p = (struct given){ .abs = absolute(path) };
	p->kept = in->running ? mem_printf("%s/kept%s", in->dir, p->abs) : NULL;
	p->in_place = !in->running || strncmp(p->abs, in->top, n) != 0 || p->abs[n] != '/';
	if (p->in_place)
		return exists(p->abs) ? 0 : err_set(err, ERR_USAGE, "%s does not exist", path);
	return is_kept_directory(p->kept) ? 0 : keep(in, p, path, err);
}

static void release(struct given *p)
{
	free(p->abs);
	free(p->kept);
}

char *bisect_input_find(struct bisect_input *in, const char *path, struct err *err)
{
	struct given p;
	int rc = find(in, path, &p, err);
	char *use = rc < 0 ? NULL : mem_strdup(p.in_place ? p.abs : p.kept);
	release(&p);
	return use;
}

char **bisect_input_find_all(struct bisect_input *in, const char *const *paths, uint32_t n,
                             struct err *err)
{
	struct given *p = mem_zero(n, sizeof *p);
	bool in_place = true;
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		rc = find(in, paths[i], &p[i], err);
		in_place = in_place && p[i].in_place;
	}
	/* They stand to one another as the user named them: all in place, or all copied. */
	for (uint32_t i = 0; rc == 0 && i < n && !in_place; i++)
		if (p[i].in_place)
			rc = is_kept_directory(p[i].abs)
			             ? bisect_fetch_anew(p[i].abs, p[i].kept, err)
			             : bisect_fetch_present(p[i].abs, p[i].kept, err);
	char **use = rc < 0 ? NULL : mem_zero(n + (size_t)1, sizeof *use);
	for (uint32_t i = 0; i < n; i++) {
		if (use)
			use[i] = mem_strdup(in_place ? p[i].abs : p[i].kept);
		release(&p[i]);
	}
	free(p);
	return use;
}

/* ---- using it ---- */

int bisect_check_test(const char *test, struct err *err)
{
	struct stat st;
	if (stat(test, &st) < 0)
		return err_set(err, ERR_TEST, "the interestingness test %s: %s", test,
		               strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_TEST, "the interestingness test %s is not a file", test);
	if (access(test, X_OK) == 0)
		return 0;
	char *operand = quote_operand(test);
	err_set(err, ERR_TEST, "the interestingness test %s is not executable (chmod +x %s)", test,
	        operand);
	free(operand);
	return -1;
}
