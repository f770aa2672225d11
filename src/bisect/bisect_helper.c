#include "bisect/bisect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "base/signals.h"
#include "bisect/bisect_judges.h"
#include "disk/input.h"

/* Test and files of a bisection that checks revisions out around them.
 *
 * `git bisect run` changes the work tree at each step, and what is tracked there changes with it:
 * the test case may be an older one at the next revision, or be missing. What counts is what the
 * user had when the bisection was started. So the first call keeps copies below the git directory,
 * and later ones use them wherever the work tree holds what a checkout put there. What no checkout
 * controls (outside the work tree, untracked, changed by the user) is used in place.
 *
 * A directory in the work tree may hold all kinds of files; it is always copied: what git tracks as
 * it counts, the rest as it is. Copies lie below kept/ as the originals lie below the root, so
 * several operands keep their places to one another.
 */
struct helper_worktree {
	char *top;     /* the work tree, absolute */
	char *git_dir; /* absolute */
	char *dir;     /* kept things of this bisection: GITDIR/whittle/.bisect/run */
	char *head;    /* id of the revision checked out */
	char *subject; /* its subject */
	int running;   /* is a bisection under way? */
};

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

static int look_around(struct helper_worktree *in, struct err *err)
{
	BUF_SCOPED struct buf out = { 0 };
	int rc = bisect_git(NULL,
	                    GIT_ARGS("rev-parse", "--show-toplevel", "--absolute-git-dir", "HEAD"),
	                    &out, err);
	char *at = out.data;
	if (rc == 0) {
		in->top = next_line(&at);
		in->git_dir = next_line(&at);
		in->head = next_line(&at);
	}
	if (rc == 0 && !in->head)
		rc = err_set(err, ERR_USAGE, "this is not a work tree of a git repository");
	return rc;
}

/* One bisection is told from the next by the file that `git bisect start` writes, and nothing later
 * changes. */
static char *bisection_id(const struct helper_worktree *in)
{
	struct stat st;
	MEM_SCOPED char *path = mem_printf("%s/BISECT_START", in->git_dir);
	char *id = NULL;
	if (stat(path, &st) == 0)
		id = mem_printf("%llu %lld.%09ld\n", (unsigned long long)st.st_ino,
		                (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return id;
}

static int make_dirs(const struct helper_worktree *in, struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/whittle/.bisect/run/log", in->git_dir);
	return io_make_dirs(path, strlen(in->git_dir), err);
}

/* Empties the directory when it is about another bisection. */
static int renew(struct helper_worktree *in, const char *id, struct err *err)
{
	BUF_SCOPED struct buf known = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/id", in->dir);
	bool same = io_read_file(path, &known, NULL) == 0 && !strcmp(known.data, id);
	int rc = 0;
	if (!same && io_remove_tree(AT_FDCWD, in->dir) < 0)
		rc = err_errno(err, "cannot remove %s", in->dir);
	if (rc == 0)
		rc = make_dirs(in, err);
	if (rc == 0 && !same)
		rc = io_replace_file(path, id, strlen(id), 0666, err);
	return rc;
}

/* Finds all that out, from the current directory. Outside a bisection the directory is there, too,
 * for the log. */
static char *subject_of(const char *id, struct err *err)
{
	return bisect_git_line(NULL, GIT_ARGS("log", "-1", "--format=%s", id), err);
}

/* Checks ID out. */
static int go_to(const struct helper_worktree *in, const char *id, struct err *err)
{
	return bisect_git(in->top, GIT_ARGS("checkout", "--quiet", "--detach", id), NULL, err);
}

/* Back from an end of the bisection (check_ends) to the revision that git asks about, unless
 * somebody has checked out something else since. */
static int come_back(struct helper_worktree *in, struct err *err)
{
	char home[BISECT_ID_SIZE], end[BISECT_ID_SIZE], *path = mem_printf("%s/away", in->dir);
	BUF_SCOPED struct buf text = { 0 };
	int rc = 0;
	if (io_read_file(path, &text, NULL) == 0 &&
	    sscanf(text.data, "%64[0-9a-f] %64[0-9a-f]", home, end) == 2 &&
	    !strcmp(in->head, end) && (rc = go_to(in, home, err)) == 0) {
		free(in->head);
		in->head = mem_strdup(home);
	}
	if (rc == 0)
		unlink(path);
	free(path);
	return rc;
}

static int open_input(struct helper_worktree *in, struct err *err)
{
	*in = (struct helper_worktree){ 0 };
	if (look_around(in, err) < 0)
		return -1;
	MEM_SCOPED char *no_checkout = mem_printf("%s/BISECT_HEAD", in->git_dir),
			*id = bisection_id(in);
	int rc = 0;
	if (access(no_checkout, F_OK) == 0)
		rc = err_set(err, ERR_USAGE,
		             "the bisection was started with --no-checkout, so there is nothing to "
		             "build or test");
	in->running = id != NULL;
	in->dir = mem_printf("%s/whittle/.bisect/run", in->git_dir);
	if (rc == 0 && (renew(in, id ? id : "none\n", err) < 0 || come_back(in, err) < 0 ||
	                !(in->subject = subject_of(in->head, err))))
		rc = -1;
	return rc;
}

static void close_input(struct helper_worktree *in)
{
	free(in->top);
	free(in->git_dir);
	free(in->dir);
	free(in->head);
	free(in->subject);
}

/* ---- copies ---- */

/* Writes REL as it is in REVISION below DIR, with its mode, through the filters that a checkout
 * has. */
static int copy_at(const struct helper_worktree *in, const char *revision, const char *rel,
                   const char *dir, struct err *err)
{
	MEM_SCOPED char *index = mem_printf("%s/index", in->dir),
			*git_dir = mem_printf("--git-dir=%s", in->git_dir);
	MEM_SCOPED char *tree = mem_printf("--work-tree=%s", dir);
	int rc =
		mkdir(dir, 0777) < 0 && errno != EEXIST ? err_errno(err, "cannot make %s", dir) : 0;
	setenv("GIT_INDEX_FILE", index, 1);
	if (rc == 0) /* all of it, for the attributes of the path */
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "read-tree", revision), NULL, err);
	if (rc == 0)
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "checkout", "--quiet", "--", rel),
		                NULL, err);
	unsetenv("GIT_INDEX_FILE");
	unlink(index);
	return rc;
}

/* Makes the directories above PATH. */
static int make_parents(const char *path, struct err *err)
{
	MEM_SCOPED char *dir = mem_printf("%.*s", (int)(strrchr(path, '/') - path), path);
	return io_make_dirs(dir, 0, err);
}

/* Makes TO a copy of FROM, of whatever kind, which may be missing. */
static int copy_anew(const char *from, const char *to, struct err *err)
{
	struct stat st;
	if (make_parents(to, err) < 0)
		return -1;
	if (io_remove_tree(AT_FDCWD, to) < 0)
		return err_errno(err, "cannot remove %s", to);
	if (lstat(from, &st) < 0 && errno == ENOENT)
		return 0;
	return copy_entry(from, to) < 0 ? err_errno(err, "cannot copy %s to %s", from, to) : 0;
}

/* What git lists, NUL-terminated paths in the work tree, becomes below TOP as it is in the work
 * tree. */
static int copy_listed(const struct helper_worktree *in, const char *const *args, const char *top,
                       struct err *err)
{
	BUF_SCOPED struct buf list = { 0 };
	int rc = bisect_git(in->top, args, &list, err);
	for (size_t at = 0; rc == 0 && at < list.len; at += strlen(list.data + at) + 1) {
		size_t n = strlen(list.data + at), slash = n && list.data[at + n - 1] == '/';
		MEM_SCOPED char *from =
			mem_printf("%s/%.*s", in->top, (int)(n - slash), list.data + at);
		MEM_SCOPED char *to = mem_printf("%s/%.*s", top, (int)(n - slash), list.data + at);
		rc = copy_anew(from, to, err);
	}
	return rc;
}

/* REL below TOP: as the revision HOME has it, and in it what the user has changed or
 * not given to git. */
static int gather(const struct helper_worktree *in, const char *home, const char *rel,
                  const char *top, struct err *err)
{
	int rc = make_parents(top, err) < 0 || copy_at(in, home, rel, top, err) < 0 ? -1 : 0;
	MEM_SCOPED char *abs = mem_printf("%s/%s", in->top, rel);
	if (rc == 0 && access(abs, F_OK) == 0)
		rc = copy_listed(in,
		                 GIT_ARGS("diff", "-z", "--name-only", "--no-renames", "HEAD", "--",
		                          rel),
		                 top, err) < 0 ||
		                     copy_listed(in,
		                                 GIT_ARGS("ls-files", "-z", "--others",
		                                          "--directory", "--", rel),
		                                 top, err) < 0
		             ? -1
		             : 0;
	return rc;
}

/* The same of what FROM leads to, if it is a link. */
static int copy_what_is_at(const char *from, const char *to, struct err *err)
{
	MEM_SCOPED char *real = realpath(from, NULL);
	return copy_anew(real ? real : from, to, err);
}

/* Makes KEPT a copy of ABS, all or nothing: as the revision HOME has it, with what the user has
 * changed or not given to git; HOME NULL: as it is. */
static int keep_copy(const struct helper_worktree *in, const char *home, const char *abs,
                     const char *kept, struct err *err)
{
	MEM_SCOPED char *fresh = mem_printf("%s/fresh", in->dir),
			*top = mem_printf("%s%s", fresh, in->top),
			*made = mem_printf("%s%s", fresh, abs);
	int rc =
		io_remove_tree(AT_FDCWD, fresh) < 0 ? err_errno(err, "cannot remove %s", fresh) : 0;
	if (rc == 0)
		rc = home ? gather(in, home, abs + strlen(in->top) + 1, top, err)
		          : copy_what_is_at(abs, made, err);
	if (rc == 0)
		rc = make_parents(kept, err);
	if (rc == 0 && rename(made, kept) < 0)
		rc = err_errno(err, "cannot rename %s", made);
	io_remove_tree(AT_FDCWD, fresh);
	return rc;
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
	MEM_SCOPED char *cwd = *path == '/' ? NULL : realpath(".", NULL);
	char *all = mem_printf("%s/%s/", cwd ? cwd : "", path), *real = NULL;
	tidy(all);
	for (char *slash = all + strlen(all); !real && slash > all;) {
		while (slash > all && *--slash != '/')
			;
		MEM_SCOPED char *dir = mem_printf("%.*s/", (int)(slash - all), all);
		real = realpath(dir, NULL);
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
	return access(path, F_OK) == 0;
}

static bool git_says(const struct helper_worktree *in, const char *const *args)
{
	return bisect_git_status(in->top, args, NULL, NULL) == 0;
}

/* Is REL, which is there, the user's, so that no checkout has put it there as it is? */
static bool is_users(const struct helper_worktree *in, const char *rel)
{
	return !git_says(in, GIT_ARGS("ls-files", "--error-unmatch", "--", rel)) ||
	       !git_says(in, GIT_ARGS("diff", "--quiet", "HEAD", "--", rel));
}

/* The revision whose version of REL counts: where the user was before the bisection, or else the
 * bad end. NULL: neither has it. */
static char *home_of(const struct helper_worktree *in, const char *rel)
{
	BUF_SCOPED struct buf start = { 0 };
	char *path = mem_printf("%s/BISECT_START", in->git_dir), *found = NULL;
	if (io_read_file(path, &start, NULL) == 0)
		start.data[strcspn(start.data, "\n")] = '\0';
	MEM_SCOPED char *term =
		bisect_git_line(in->top, GIT_ARGS("bisect", "terms", "--term-bad"), NULL);
	MEM_SCOPED char *bad = mem_printf("refs/bisect/%s", term ? term : "bad");
	const char *const revisions[] = { start.data ? start.data : bad, bad };
	for (int i = 0; i < 2 && !found; i++) {
		MEM_SCOPED char *spec = mem_printf("%s:%s", revisions[i], rel);
		if (git_says(in, GIT_ARGS("cat-file", "-e", spec)))
			found = mem_strdup(revisions[i]);
	}
	free(path);
	return found;
}

/* ---- keeping ---- */

/* An operand or the test. */
struct given {
	char *abs;     /* where the user has it */
	char *kept;    /* where the copy is, or would be; NULL: no bisection is under way */
	bool in_place; /* no checkout touches it: it is used where it is */
};

/* Keeps what a checkout can change, when it is not kept yet. Of what is used in place there is a
 * copy as well, should the build or a later checkout remove it. */
static int keep(const struct helper_worktree *in, struct given *p, const char *path,
                struct err *err)
{
	const char *rel = p->abs + strlen(in->top) + 1;
	MEM_SCOPED char *home = home_of(in, rel);
	p->in_place = exists(p->abs) && !io_is_dir(p->abs) && is_users(in, rel);
	if (!p->in_place && exists(p->kept))
		return 0;
	if (!home && !exists(p->abs))
		return err_set(err, ERR_USAGE,
		               "%s does not exist, and neither the revision before the bisection "
		               "nor the bad one has it",
		               path);
	return keep_copy(in, p->in_place ? NULL : home, p->abs, p->kept, err);
}

/* Finds PATH; release it in either case. */
static int find(const struct helper_worktree *in, const char *path, struct given *p,
                struct err *err)
{
	size_t n = strlen(in->top);
	*p = (struct given){ .abs = absolute(path) };
	p->kept = in->running ? mem_printf("%s/kept%s", in->dir, p->abs) : NULL;
	p->in_place = !in->running || strncmp(p->abs, in->top, n) != 0 || p->abs[n] != '/';
	if (p->in_place)
		return exists(p->abs) ? 0 : err_set(err, ERR_USAGE, "%s does not exist", path);
	return io_is_dir(p->kept) ? 0 : keep(in, p, path, err);
}

static void release(struct given *p)
{
	free(p->abs);
	free(p->kept);
}

/* The path to use for PATH as the user named it; the caller's. NULL and err when it is neither
 * there nor known. */
static char *find_one(struct helper_worktree *in, const char *path, struct err *err)
{
	struct given p;
	int rc = find(in, path, &p, err);
	char *use = rc < 0 ? NULL : mem_strdup(p.in_place ? p.abs : p.kept);
	release(&p);
	return use;
}

/* The same for N operands, which stay where they are to one another; an array with a NULL at its
 * end, the caller's with its strings (mem_free_words). */
static char **find_all(struct helper_worktree *in, const char *const *paths, uint32_t n,
                       struct err *err)
{
	MEM_SCOPED struct given *p = mem_zero(n, sizeof *p);
	bool in_place = true;
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		rc = find(in, paths[i], &p[i], err);
		in_place = in_place && p[i].in_place;
	}
	/* They stand to one another as the user named them: all in place, or all copied. */
	for (uint32_t i = 0; rc == 0 && i < n && !in_place; i++)
		if (p[i].in_place)
			rc = copy_what_is_at(p[i].abs, p[i].kept, err);
	char **use = rc < 0 ? NULL : mem_zero(n + (size_t)1, sizeof *use);
	for (uint32_t i = 0; i < n; i++) {
		if (use)
			use[i] = mem_strdup(in_place ? p[i].abs : p[i].kept);
		release(&p[i]);
	}
	return use;
}

/* ---- the ends ---- */

/* Does the work tree hold changes to tracked files? */
static bool is_changed(const struct helper_worktree *in)
{
	struct err err;
	return bisect_git_status(in->top, GIT_ARGS("diff", "--quiet", "HEAD"), NULL, &err) == 1;
}

/* Judges the revision ID in the work tree, which git has as a bad or a good one. -1 and err: it is
 * not, or changes in the work tree are in its way, and so in git's, too. What cannot be judged for
 * another reason is only said. */
static int check_end(const struct helper_worktree *in, const struct judge_job *like, const char *id,
                     bool bad, struct err *err)
{
	struct judge_result r = { .answer = BISECT_SKIP };
	struct err failed;
	char *log = mem_printf("%s/log/%s", in->dir, id), *subject = subject_of(id, &failed);
	struct judge_job job = *like;
	job.log = log;
	if (go_to(in, id, &failed) == 0)
		judge_revision(&job, &r);
	else {
		r.answer = is_changed(in) ? BISECT_STOP : BISECT_SKIP;
		snprintf(r.why, sizeof r.why, "%.*s", (int)sizeof r.why - 1, failed.msg);
	}
	judge_print(stdout, id, subject ? subject : "", &r, log);
	free(log);
	free(subject);
	if (r.answer == BISECT_STOP)
		return err_set(err, ERR_TEST, "%s", r.why);
	if (r.answer != (bad ? BISECT_GOOD : BISECT_BAD))
		return 0;
	return err_set(err, ERR_TEST,
	               "the bug %s at %.12s, which the bisection has as a %s revision",
	               bad ? "does not show" : "shows", id, bad ? "bad" : "good");
}

/* The same, away from the revision that git asks about. */
static int visit(struct helper_worktree *in, const struct judge_job *job, const char *id, bool bad,
                 struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/away", in->dir),
			*line = mem_printf("%s %s\n", in->head, id);
	int rc = io_replace_file(path, line, strlen(line), 0666, err);
	struct err on_return;
	char *here = in->head;
	if (rc == 0)
		rc = check_end(in, job, id, bad, err);
	in->head = mem_strdup(id);
	if (come_back(in, &on_return) < 0 && rc == 0) {
		*err = on_return;
		rc = -1;
	}
	free(in->head);
	in->head = here;
	return rc;
}

/* All refs of the bisection: its ends, and what the user has said in between. */
static int visit_all(struct helper_worktree *in, const struct judge_job *job, const char *bad,
                     const char *good, struct err *err)
{
	BUF_SCOPED struct buf refs = { 0 };
	char *at, *line, id[BISECT_ID_SIZE], name[256];
	int rc = bisect_git(in->top,
	                    GIT_ARGS("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)",
	                             "refs/bisect/"),
	                    &refs, err);
	buf_addch(&refs, '\0');
	for (at = refs.data; rc == 0 && (line = strsep(&at, "\n"));) {
		if (sscanf(line, "%64[0-9a-f] %255s", id, name) != 2)
			continue;
		size_t n = strlen(good);
		bool is_good = !strncmp(name, good, n) && name[n] == '-';
		if (is_good || !strcmp(name, bad))
			rc = visit(in, job, id, !is_good, err);
	}
	return rc;
}

/* The first call in a bisection makes sure that its ends are what they are said to be. */
static int check_ends(struct helper_worktree *in, const struct judge_job *job, struct err *err)
{
	MEM_SCOPED char *note = mem_printf("%s/ends", in->dir), *bad = NULL, *good = NULL;
	int rc = 0;
	if (in->running && access(note, F_OK) < 0) {
		bad = bisect_git_line(in->top, GIT_ARGS("bisect", "terms", "--term-bad"), err);
		good = bisect_git_line(in->top, GIT_ARGS("bisect", "terms", "--term-good"), err);
		rc = bad && good ? visit_all(in, job, bad, good, err) : -1;
		if (rc == 0)
			rc = io_replace_file(note, "", 0, 0666, err);
	}
	return rc;
}

/* ---- judging ---- */

static int judge(struct helper_worktree *in, const struct bisect_options *o, int stop_fd,
                 struct err *err)
{
	char *test = NULL, **files = NULL, **operands = NULL,
	     *log = mem_printf("%s/log/%s", in->dir, in->head);
	struct input input = { 0 };
	struct testcase *tc = NULL;
	struct judge_result result = { .answer = BISECT_STOP };
	int rc = -1;
	if (!(test = find_one(in, o->test, err)) || bisect_check_test(test, err) < 0 ||
	    !(files = find_all(in, o->files, o->n_files, err)) ||
	    input_find_result(&input, (const char *const *)files, o->n_files, err) < 0 ||
	    !(tc = input_read(&input, err)))
		goto out;
	operands = input_operands(&input);
	const struct judge_job job = { .options = o,
		                       .tree = in->top,
		                       .test = test,
		                       .tc = tc,
		                       .operands = operands,
		                       .log = log,
		                       .stop_fd = stop_fd };
	if (check_ends(in, &job, err) < 0)
		goto out;
	judge_revision(&job, &result);
	judge_print(stdout, in->head, in->subject, &result, log);
	rc = 0;
out:
	testcase_unref(tc);
	input_release(&input);
	mem_free_words(operands);
	mem_free_words(files);
	free(test);
	free(log);
	return rc < 0 ? -1 : (int)result.answer;
}

static int answer(const struct bisect_options *o, int stop_fd)
{
	struct helper_worktree in;
	struct err err;
	int rc = open_input(&in, &err);
	if (rc == 0)
		rc = judge(&in, o, stop_fd, &err);
	if (rc < 0)
		show_printf(stdout, "whittle: stop: %s\n", err.msg);
	close_input(&in);
	return rc < 0 ? BISECT_STOP : rc;
}

int bisect_helper(const struct bisect_options *options)
{
	int stop_fd = signals_catch(), code = answer(options, stop_fd);
	io_close(stop_fd);
	return signals_release() ? BISECT_STOP : code;
}
