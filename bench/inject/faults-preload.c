/* Fails one call of a program to the C library, or kills it there: for bench/faults, with
 * LD_PRELOAD.
 *
 *     FAULTS_STATE=FILE   counts calls; made when missing. Without it nothing is done.
 *     FAULTS_LOG=FILE     gets a line "ROLE NAME N WHERE ERRORS" for each call; WHERE stands for
 *                         the functions that lead to it, with "@LIBRARY" behind it for the nearest
 *                         one among them, or "@.git" for a call about such a path; ERRORS for what
 *                         the call may fail with
 *     FAULTS_AT=ROLE:NAME:N:WHAT
 *                         strikes at the Nth call of ROLE: "main", the process started, or "child",
 *                         those that it forks, until they execute something else. WHAT is an errno
 *                         name; with "+" behind it each later call of that name fails too; "kill"
 *                         ends the process before the call; "short" does half of a read or write.
 *
 *     FAULTS_TRACE=1      says on standard error which functions led to the call
 *
 * When it strikes it says so in FAULTS_STATE.hit: a fault that never was has tested nothing.
 * Programs that are executed run without it. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults-preload.h"

enum role { MAIN, CHILD, N_ROLES };
enum { STACK = 12, LABEL = 32 };
static const char *const role_names[N_ROLES] = { "main", "child" };

/* Shared by the processes. */
struct state {
	atomic_uint calls[N_ROLES][FAULTS_NAMES];
	atomic_bool struck;
};

/* What the environment says; constant once it is read. */
struct setting {
	struct state *state;
	pid_t main;
	char *log, *hit; /* files */
	enum role role;
	char name[32];
	unsigned at; /* 0: nowhere */
	int error;
	bool kill, half, stay;
};

static const struct {
	const char *name;
	int error;
} errors[] = {
	{ "ENOSPC", ENOSPC }, { "EIO", EIO },       { "EINTR", EINTR },   { "ENOMEM", ENOMEM },
	{ "EMFILE", EMFILE }, { "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EROFS", EROFS },
	{ "EINVAL", EINVAL }, { "ENOSYS", ENOSYS }, { "EPERM", EPERM },   { "EDQUOT", EDQUOT },
	{ "kill", -1 },       { "short", -2 },
};

faults_syscall_fn *faults_real_syscall(void)
{
	static faults_syscall_fn *real;
	if (!real)
		*(void **)(&real) = dlsym(RTLD_NEXT, "syscall");
	return real;
}

#define raw(...) (faults_real_syscall()(__VA_ARGS__))

static struct setting *setting(void)
{
	static struct setting setting;
	return &setting;
}

/* ROLE:NAME:N:WHAT */
static void parse_at(struct setting *s, const char *at)
{
	char role[16], what[16];
	if (!at || !*at)
		return;
	if (sscanf(at, "%15[^:]:%31[^:]:%u:%15s", role, s->name, &s->at, what) != 4)
		abort();
	s->role = strcmp(role, role_names[CHILD]) ? MAIN : CHILD;
	s->stay = what[strlen(what) - 1] == '+';
	what[strcspn(what, "+")] = '\0';
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (!strcmp(errors[i].name, what))
			s->error = errors[i].error;
	s->kill = s->error == -1;
	s->half = s->error == -2;
	if (!s->error)
		abort();
}

/* Adds LEN bytes to a file, without a descriptor in between, which the program may close. */
static void append(const char *path, const char *line, int len)
{
	int fd = path ? (int)raw(SYS_openat, AT_FDCWD, path,
	                         O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
	              : -1;
	if (fd < 0)
		return;
	raw(SYS_write, fd, line, len);
	raw(SYS_close, fd);
}

static char *copy(const char *text, const char *more)
{
	size_t size = text ? strlen(text) + strlen(more) + 1 : 0;
	char *to = text ? malloc(size) : NULL;
	if (to)
		snprintf(to, size, "%s%s", text, more);
	return to;
}

/* Says on standard error where the program crashed. */
static void crashed(int number)
{
	void *frames[2 * STACK];
	backtrace_symbols_fd(frames, backtrace(frames, 2 * STACK), STDERR_FILENO);
	signal(number, SIG_DFL);
	raise(number);
}

__attribute__((constructor)) static void begin(void)
{
	struct setting *s = setting();
	const char *path = getenv("FAULTS_STATE");
	void *frames[STACK];
	if (!path)
		return;
	int fd = (int)raw(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || raw(SYS_ftruncate, fd, sizeof *s->state) < 0)
		abort();
	struct state *state = (struct state *)raw(SYS_mmap, NULL, sizeof *state,
	                                          PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	raw(SYS_close, fd);
	s->log = copy(getenv("FAULTS_LOG"), "");
	s->hit = copy(path, ".hit");
	s->main = (pid_t)raw(SYS_getpid);
	parse_at(s, getenv("FAULTS_AT"));
	unsetenv("LD_PRELOAD");
	unsetenv("FAULTS_STATE");
	unsetenv("FAULTS_LOG");
	unsetenv("FAULTS_AT");
	backtrace(frames, STACK); /* loads what it needs */
	signal(SIGSEGV, crashed);
	signal(SIGABRT, crashed);
	s->state = state;
}

/* The part of the library that FRAME is in, "libgit2" for one, that tells it from others; NULL: the
 * program, the C library, or this one. */
static const char *library_of(const void *frame, char out[LABEL])
{
	Dl_info info;
	const char *base =
		dladdr(frame, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
	if (!base || strncmp(base, "/lib", 4) || !strncmp(base, "/libc.", 6))
		return NULL;
	snprintf(out, LABEL, "@%.*s", (int)strcspn(base + 1, ".-"), base + 1);
	return out;
}

/* For the functions that lead here: a number, and what is said of them. PATH: what the call is
 * about; NULL. */
static uint64_t where(const char *path, char label[LABEL])
{
	void *frames[STACK];
	uint64_t h = 1469598103934665603u;
	const char *slash = path ? strrchr(path, '/') : NULL;
	int n = backtrace(frames, STACK);
	label[0] = '\0';
	if (slash && !strcmp(slash, "/.git"))
		strcpy(label, "@.git");
	for (int i = 3; i < n; i++) {
		h = (h ^ ((uintptr_t)frames[i] & 0xfff)) * 1099511628211u;
		if (!label[0])
			library_of(frames[i], label);
	}
	return h;
}

const char **faults_about(void)
{
	static _Thread_local const char *path;
	return &path;
}

static void note(struct setting *s, enum role role, unsigned n, const char *name, const char *fit)
{
	static _Thread_local bool busy; /* backtrace may allocate */
	char line[256];
	if (busy || !s->log)
		return;
	busy = true;
	char label[LABEL];
	unsigned long long h = where(*faults_about(), label);
	int len = snprintf(line, sizeof line, "%s %s %u %016llx%s %s\n", role_names[role], name, n,
	                   h, label, fit);
	append(s->log, line, len);
	busy = false;
}

static void strike(struct setting *s)
{
	append(s->hit, "x", 1);
	atomic_store(&s->state->struck, true);
	if (getenv("FAULTS_TRACE")) {
		void *frames[3 * STACK];
		backtrace_symbols_fd(frames, backtrace(frames, 3 * STACK), STDERR_FILENO);
	}
	if (s->kill)
		raw(SYS_kill, raw(SYS_getpid), SIGKILL);
}

bool faults_strike(const char *name, const char *fit, unsigned id)
{
	struct setting *s = setting();
	if (!s->state)
		return false;
	int saved = errno;
	enum role role = raw(SYS_getpid) == s->main ? MAIN : CHILD;
	unsigned n = atomic_fetch_add(&s->state->calls[role][id % FAULTS_NAMES], 1) + 1;
	note(s, role, n, name, fit);
	errno = saved;
	if (!s->at || role != s->role || strcmp(name, s->name))
		return false;
	if (n == s->at)
		strike(s);
	else if (!s->stay || !atomic_load(&s->state->struck))
		return false;
	errno = s->half ? 0 : s->error;
	return true;
}
