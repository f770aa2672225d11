#include "store/git.h"

#include <errno.h>
#include <fcntl.h>
#include <git2.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"

enum { WINDOW_BYTES = 64 << 20 };

/* As git_libgit2_init, which reads all certificates of the system, some 14 ms, for connections that
 * nobody makes: it does without those that it cannot open. */
static int start_without_files(void)
{
	struct rlimit was, none;
	bool limited = getrlimit(RLIMIT_NOFILE, &was) == 0;
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = was.rlim_max };
	limited = limited && setrlimit(RLIMIT_NOFILE, &none) == 0;
	int starts = git_libgit2_init();
	if (limited)
		setrlimit(RLIMIT_NOFILE, &was);
	return starts < 0 ? git_libgit2_init() : starts;
}

int gitlib_start(struct err *err)
{
	/* libgit2 up to 1.5 refuses a repository for any extension it has not heard of. These are
	 * about the work tree and about which objects may be missing. */
	static const char *harmless[] = { "worktreeconfig", "partialclone", "preciousobjects",
		                          "relativeworktrees" };
	int starts = start_without_files();
	if (starts < 0)
		return gitlib_fail(err, "cannot start libgit2");
	if (starts > 1)
		return 0;
	/* Once more, so that what a start makes stays until the process ends, however often it is
	 * stopped and started. */
	git_libgit2_init();
	/* No cache of objects: hardly any is read twice, and one for which the cache has no room
	 * when memory is short is given out and released (libgit2 1.5). */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)WINDOW_BYTES);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, harmless, sizeof harmless / sizeof *harmless);
	return 0;
}

void gitlib_stop(void)
{
	git_libgit2_shutdown();
}

/* Is there a repository at PATH (or, unless FLAGS forbid to search, around it) that is not ours? */
static bool is_foreign(const char *path, unsigned flags, const char *ceilings)
{
	git_buf found = { 0 };
	struct stat st;
	bool foreign = git_repository_discover(&found, path, 0, ceilings) == 0 &&
	               stat(found.ptr, &st) == 0 && st.st_uid != geteuid();
	MEM_SCOPED char *real = realpath(path, NULL);
	if (foreign && (flags & GIT_REPOSITORY_OPEN_NO_SEARCH)) {
		size_t n = real ? strlen(real) : 0;
		foreign = n && !strncmp(found.ptr, real, n) &&
		          (!strcmp(found.ptr + n, "/") || !strcmp(found.ptr + n, "/.git/"));
	}
	git_buf_dispose(&found);
	return foreign;
}

int gitlib_open(git_repository **repo, const char *path, unsigned flags, const char *ceilings)
{
	int rc = git_repository_open_ext(repo, path, flags, ceilings);
	return rc == GIT_ENOTFOUND && path && is_foreign(path, flags, ceilings) ? GIT_EOWNER : rc;
}

int gitlib_commit(git_commit **commit, git_repository *repo, const git_oid *id)
{
	int rc = git_commit_lookup(commit, repo, id);
	if (rc < 0 || git_commit_message_raw(*commit))
		return rc;
	git_commit_free(*commit);
	*commit = NULL;
	return -1;
}

struct walk {
	git_treewalk_cb fn;
	void *ctx;
};

/* A tree below for which libgit2 had no memory has entries that are not there. */
static int walk_entry(const char *root, const git_tree_entry *entry, void *ctx)
{
	const struct walk *w = ctx;
	return entry ? w->fn(root, entry, w->ctx) : -1;
}

int gitlib_walk(git_repository *repo, const git_oid *id, git_treewalk_cb fn, void *ctx)
{
	SCOPED(git_commit_scoped) git_commit *commit = NULL;
	SCOPED(git_tree_scoped) git_tree *tree = NULL;
	struct walk walk = { fn, ctx };
	int rc = git_commit_lookup(&commit, repo, id);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	if (rc == 0)
		rc = git_tree_walk(tree, GIT_TREEWALK_PRE, walk_entry, &walk);
	return rc;
}

int gitlib_fail(struct err *err, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	const git_error *e = git_error_last();
	return err_set(err, ERR_SYSTEM, "%s: %s", text,
	               e && e->message ? e->message : "unknown failure");
}

/* The command among the words, behind git's own options. */
static const char *command_of(const char *const *argv)
{
	while (**argv == '-' && argv[1])
		argv += argv[0][1] == 'c' || argv[0][1] == 'C' ? 2 : 1;
	return *argv;
}

/* "git" and the words of the call, with another index or less of the environment by way of env(1).
 * The caller frees the array and *variable. */
static const char **words(const struct git_call *call, char **variable)
{
	size_t n = mem_count_words(call->argv), at = 0;
	const char **argv = mem_zero(n + 5, sizeof *argv);
	*variable = call->index ? mem_printf("GIT_INDEX_FILE=%s", call->index)
	                        : mem_strdup("-uGIT_OBJECT_DIRECTORY");
	if (call->index || call->apart) {
		argv[at++] = "env";
		argv[at++] = *variable;
	}
	argv[at++] = "git";
	for (size_t i = 0; i < n; i++)
		argv[at++] = call->argv[i];
	return argv;
}

static int spawn(const struct git_call *call, int in, int out, int messages, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, pipe;
	char *variable;
	MEM_SCOPED const char **argv = words(call, &variable);
	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &pipe);
	posix_spawn_file_actions_init(&files);
	if (in >= 0)
		posix_spawn_file_actions_adddup2(&files, in, 0);
	else
		posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawn_file_actions_adddup2(&files, messages, 2);
	int failure = posix_spawnp(pid, argv[0], &files, &attr, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	free(variable);
	return failure;
}

/* The bytes as an open file: git may then read them or not, and nobody waits for anybody. -1 with
 * errno. */
static int as_file(const struct buf *bytes)
{
	FILE *file = tmpfile();
	if (!file)
		return -1;
	int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
	fclose(file);
	if (fd >= 0 &&
	    (io_write_all(fd, bytes->data, bytes->len) < 0 || lseek(fd, 0, SEEK_SET) < 0)) {
		int saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

/* Reads FD to its end. 0; 1 when STOP (-1: none) became readable before; -1 with errno. */
static int drain(int fd, struct buf *out, int stop)
{
	char bytes[1 << 16];
	for (;;) {
		struct pollfd p[] = { { .fd = fd, .events = POLLIN },
			              { .fd = stop, .events = POLLIN } };
		if (stop >= 0 && poll(p, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (stop >= 0 && p[1].revents)
			return 1;
		if (stop >= 0 && !p[0].revents)
			continue;
		ssize_t n = read(fd, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : 0;
		if (out)
			buf_add(out, bytes, (size_t)n);
	}
}

/* Ends git, which gets a moment for its temporary files. */
static void end(pid_t pid)
{
	enum { PATIENCE_MS = 100 };
	IO_SCOPED int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd gone = { .fd = pidfd, .events = POLLIN };
	kill(pid, SIGTERM);
	if (pidfd >= 0)
		while (poll(&gone, 1, PATIENCE_MS) < 0 && errno == EINTR)
			;
	kill(pid, SIGKILL);
}

/* Waits until PID has ended, which has closed its output already. 1 when STOP became readable
 * before. */
static int await_end(pid_t pid, int stop)
{
	int pidfd = stop < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p[] = { { .fd = pidfd, .events = POLLIN }, { .fd = stop, .events = POLLIN } };
	if (pidfd < 0)
		return 0;
	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	close(pidfd);
	return p[1].revents && !p[0].revents;
}

static int wait_for(pid_t pid, const char *what, struct err *err)
{
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(err, "cannot wait for git %s", what);
	if (WIFSIGNALED(status))
		return err_set(err, ERR_SYSTEM, "git %s was ended by signal %d", what,
		               WTERMSIG(status));
	return WEXITSTATUS(status);
}

static int stopped(const struct git_call *call, struct err *err)
{
	MEM_SCOPED char *doing = mem_printf("asking git %s", command_of(call->argv));
	if (signals_check(doing, err) == 0)
		err_set(err, ERR_STOPPED, "stopped while %s", doing);
	return -1;
}

static int run(const struct git_call *call, int in, int messages, struct buf *out, struct err *err)
{
	int fds[2];
	pid_t pid;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	int failure = spawn(call, in, fds[1], messages, &pid);
	close(fds[1]);
	if (failure) {
		close(fds[0]);
		return err_set(err, ERR_SYSTEM, "cannot run git: %s", strerror(failure));
	}
	int stop = call->stoppable ? signals_open() : -1;
	int rc = drain(fds[0], out, stop), saved = errno;
	if (rc == 0)
		rc = await_end(pid, stop);
	io_close(stop);
	close(fds[0]);
	if (rc > 0)
		end(pid);
	int status = wait_for(pid, command_of(call->argv), err);
	if (rc > 0)
		return stopped(call, err);
	if (rc < 0) {
		errno = saved;
		return err_errno(err, "cannot read what git %s prints", command_of(call->argv));
	}
	return status;
}

/* What git has complained about last, in one line; "" when it said nothing. */
static const char *complaint(struct buf *text)
{
	static const char *const words[] = { "fatal: ", "error: " };
	const char *last = NULL;
	while (text->len && text->data[text->len - 1] == '\n')
		text->len--;
	buf_addch(text, '\0');
	for (char *line = text->data; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			*line++ = ' ';
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (!strncmp(line, words[i], strlen(words[i])))
				last = line + strlen(words[i]);
	}
	return last ? last : text->data;
}

static void explain(const char *what, int status, int messages, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	if (lseek(messages, 0, SEEK_SET) == 0)
		drain(messages, &text, -1);
	const char *why = complaint(&text);
	if (*why)
		err_set(err, ERR_SYSTEM, "git %s: %s", what, why);
	else
		err_set(err, ERR_SYSTEM, "git %s: exit status %d", what, status);
}

int git_run(const struct git_call *call, struct buf *out, struct err *err)
{
	const struct buf none = { 0 };
	IO_SCOPED int in = -1, messages = as_file(&none);
	int status = -1;
	if (messages < 0 || (call->in && call->in->len && (in = as_file(call->in)) < 0))
		err_errno(err, "cannot make a temporary file");
	else
		status = run(call, in, messages, out, err);
	if (status > 0)
		explain(command_of(call->argv), status, messages, err);
	return status;
}

int git_ask(const struct git_call *call, struct buf *out, struct err *err)
{
	return git_run(call, out, err) == 0 ? 0 : -1;
}

char *git_answer(const char *const argv[], struct err *err)
{
	struct buf out = { 0 };
	struct git_call call = { .argv = argv, .stoppable = true };
	buf_add(&out, "", 0);
	if (git_ask(&call, &out, err) < 0) {
		buf_release(&out);
		return NULL;
	}
	if (out.len && out.data[out.len - 1] == '\n')
		out.data[--out.len] = '\0';
	return out.data;
}

void git_leave_repository(void)
{
	static const char *const names[] = {
		"GIT_DIR",
		"GIT_WORK_TREE",
		"GIT_INDEX_FILE",
		"GIT_PREFIX",
		"GIT_COMMON_DIR",
		"GIT_OBJECT_DIRECTORY",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_CONFIG",
		"GIT_CONFIG_PARAMETERS",
		"GIT_CONFIG_COUNT",
		"GIT_GRAFT_FILE",
		"GIT_IMPLICIT_WORK_TREE",
		"GIT_INTERNAL_SUPER_PREFIX",
		"GIT_NO_REPLACE_OBJECTS",
		"GIT_REPLACE_REF_BASE",
		"GIT_SHALLOW_FILE",
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
}
