/* The shim: stands as "make", "gmake", "ninja" and "cargo" at the head of a test's PATH
 * (run/testenv.h) and becomes the real program, the next one of that name in PATH.
 *
 * A make that is told -j (on its command line, or by the user in MAKEFLAGS) would bring its own job
 * server, as many jobs for each test that runs. Here the -j goes, and the job server of the test
 * takes its place. GNU make before 4.4 knows pipes only, so the FIFO is opened and handed on as two
 * descriptors, which all versions understand. A make that is not told -j runs one job at a time,
 * and still does.
 *
 * ninja runs several jobs unless told otherwise. From 1.13 on it is a client of a FIFO, if there is
 * no -j; an older one is told -j with as many as there are tokens at that moment, which it keeps.
 *
 * cargo ignores -j when it has a job server. Before 1.70 it knows descriptors only, so it gets
 * those.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_ASKED = -1, UNLIMITED = 0, CANNOT_RUN = 127 }; /* numbers of jobs besides real ones */

static void *must(void *p)
{
	if (!p)
		exit(CANNOT_RUN);
	return p;
}

static bool is_digits(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

static int number(const char *digits)
{
	long n = strtol(digits, NULL, 10);
	return n > INT_MAX ? INT_MAX : (int)n;
}

/* ---- the real program ---- */

/* The next program NAME in PATH that is not ourselves. */
static const char *find_real(const char *name)
{
	static char path[PATH_MAX];
	struct stat self, st;
	const char *dirs = getenv("PATH");
	if (!dirs || stat("/proc/self/exe", &self) < 0)
		return NULL;
	for (const char *p = dirs, *end;; p = end + 1) {
		end = strchrnul(p, ':');
		int n = snprintf(path, sizeof path, "%.*s%s%s", (int)(end - p), p,
		                 end == p ? "" : "/", name);
		if (n > 0 && n < PATH_MAX && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path, X_OK) == 0 &&
		    (st.st_dev != self.st_dev || st.st_ino != self.st_ino))
			return path;
		if (!*end)
			return NULL;
	}
}

/* Its "--version", of the form 1.13.2, as 1 * 1000 + 13; 0 when there is none. */
static int version_of(const char *real)
{
	int out[2], major = 0, minor = 0;
	char text[64] = "";
	if (pipe(out) < 0)
		return 0;
	pid_t pid = fork();
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execl(real, real, "--version", (char *)NULL);
		_exit(CANNOT_RUN);
	}
	close(out[1]);
	ssize_t n = read(out[0], text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	close(out[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return sscanf(text, "%d.%d", &major, &minor) == 2 ? major * 1000 + minor : 0;
}

/* ---- command lines ---- */

struct line {
	char **in;          /* what is left to look at */
	char **out;         /* what stays, to here */
	const char *valued; /* short options that have a value */
	const char *const *long_valued;
	int jobs;
};

/* The words up to a -j of a cluster such as -kj8, and the number that belongs to it. False: no -j
 * in it. */
static bool take_cluster(struct line *l)
{
	char *word = *l->in;
	for (char *c = word + 1; *c; c++) {
		if (*c == 'j') {
			l->jobs = is_digits(c + 1) ? number(c + 1) : UNLIMITED;
			if (!c[1] && l->in[1] && is_digits(l->in[1]))
				l->jobs = number(*++l->in);
			*c = '\0';
			if (c > word + 1)
				*l->out++ = word;
			return true;
		}
		if (*c == 'O')
			break;
		if (strchr(l->valued, *c)) {
			*l->out++ = word;
			if (!c[1] && l->in[1])
				*l->out++ = *++l->in;
			return true;
		}
	}
	return false;
}

static bool take_long(struct line *l)
{
	const char *word = *l->in;
	if (!strncmp(word, "--jobs=", 7)) {
		l->jobs = number(word + 7);
		return true;
	}
	if (!strcmp(word, "--jobs")) {
		l->jobs = UNLIMITED;
		if (l->in[1] && is_digits(l->in[1]))
			l->jobs = number(*++l->in);
		return true;
	}
	for (const char *const *v = l->long_valued; *v; v++)
		if (!strcmp(word, *v) && l->in[1]) {
			*l->out++ = *l->in++;
			*l->out++ = *l->in;
			return true;
		}
	return false;
}

/* Takes all -j out of ARGV, a new array. The number asked for last, UNLIMITED or NOT_ASKED. */
static int take_jobs(char **argv, const char *valued, const char *const *long_valued)
{
	struct line l = { argv + 1, argv + 1, valued, long_valued, NOT_ASKED };
	for (; *l.in && strcmp(*l.in, "--") != 0; l.in++) {
		const char *word = *l.in;
		bool taken = word[0] == '-' && (word[1] == '-' ? take_long(&l) : take_cluster(&l));
		if (!taken)
			*l.out++ = *l.in;
	}
	while (*l.in)
		*l.out++ = *l.in++;
	*l.out = NULL;
	return l.jobs;
}

/* A copy of ARGV, its words too, with room for one more. */
static char **copy(char **argv)
{
	size_t n = 0;
	while (argv[n])
		n++;
	char **to = must(calloc(n + 2, sizeof *to));
	for (size_t i = 0; i < n; i++)
		to[i] = must(strdup(argv[i]));
	return to;
}

/* ---- make ---- */

/* Whether WORD of MAKEFLAGS is about jobs: -j8, also among others (kj8), or a job server. *jobs
 * when it is the former. */
static bool is_about_jobs(char *word, int *jobs)
{
	if (!strncmp(word, "--jobserver-", 12))
		return true;
	if (!strncmp(word, "--jobs", 6)) {
		*jobs = word[6] == '=' ? number(word + 7) : UNLIMITED;
		return true;
	}
	char *letters = word + (*word == '-');
	char *j = word[0] == '-' && word[1] == '-' ? NULL : strchr(letters, 'j');
	if (!j || strchr(word, '=') || (j[1] && !is_digits(j + 1)) ||
	    letters + strspn(letters, "BLRSbdeikmnpqrstvw") != j)
		return false;
	*jobs = j[1] ? number(j + 1) : UNLIMITED;
	*j = '\0';
	return !*letters;
}

/* MAKEFLAGS without what is about jobs, as words that each begin with "-" (but behind "--"); the
 * caller's. */
static char *other_flags(const char *flags, int *jobs)
{
	char *copy = must(strdup(flags)), *out = must(calloc(2, strlen(flags) + 2)), *to = out,
	     *save, *rest = NULL;
	const char *variables = strstr(flags, "-- ");
	if (variables && (variables == flags || variables[-1] == ' ')) {
		copy[variables - flags] = '\0';
		rest = copy + (variables - flags) + 3;
	}
	bool first = true;
	for (char *word = strtok_r(copy, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save), first = false)
		if (!is_about_jobs(word, jobs))
			to += sprintf(to, " %s%s",
			              first && *word != '-' && !strchr(word, '=') ? "-" : "", word);
	if (rest)
		sprintf(to, " -- %s", rest);
	free(copy);
	return out;
}

/* Makes the FIFO, in VARIABLE, the job server of what is executed next. False when it cannot be
 * opened. */
static bool join_by_descriptors(const char *variable, const char *fifo, const char *others)
{
	int get = open(fifo, O_RDWR), put = get < 0 ? -1 : dup(get);
	char *flags = must(malloc(strlen(others) + 128));
	sprintf(flags, " -j --jobserver-fds=%d,%d --jobserver-auth=%d,%d%s", get, put, get, put,
	        others);
	if (put >= 0)
		setenv(variable, flags, 1);
	free(flags);
	return put >= 0;
}

static char **as_make(const char *fifo, char **argv)
{
	static const char *const valued[] = { "--directory",   "--file",     "--makefile",
		                              "--include-dir", "--old-file", "--assume-old",
		                              "--what-if",     "--new-file", "--assume-new",
		                              "--eval",        NULL };
	const char *flags = getenv("MAKEFLAGS");
	char **args = copy(argv);
	int told = NOT_ASKED, jobs = take_jobs(args, "CfIoWEl", valued);
	char *others = other_flags(flags ? flags : "", &told);
	if (jobs == NOT_ASKED && !(flags && strstr(flags, "--jobserver-")))
		jobs = told;
	if (jobs == NOT_ASKED || jobs == 1)
		args = argv;
	else if (!join_by_descriptors("MAKEFLAGS", fifo, others))
		setenv("MAKEFLAGS", others, 1); /* one at a time */
	free(others);
	return args;
}

/* ---- ninja ---- */

/* Takes up to MAX tokens for good: they are the pool's again when the test has ended. */
static int take_tokens(const char *fifo, int max)
{
	int n = 0, fd = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	char byte;
	while (n < max && fd >= 0 && read(fd, &byte, 1) == 1)
		n++;
	return n;
}

static char **as_ninja(const char *fifo, char **argv, const char *real)
{
	static const char *const none[] = { NULL };
	enum { FIFO_SINCE = 1013 };
	for (char **a = argv + 1; *a; a++)
		if (!strcmp(*a, "--version") || !strncmp(*a, "-t", 2))
			return argv;
	char **args = copy(argv), **end = args;
	int jobs = take_jobs(args, "Cfkldtw", none);
	if (jobs == 1)
		return argv;
	if (version_of(real) >= FIFO_SINCE) {
		char *flags = must(malloc(strlen(fifo) + 64));
		sprintf(flags, " -j --jobserver-auth=fifo:%s", fifo);
		setenv("MAKEFLAGS", flags, 1);
		free(flags);
		return args;
	}
	while (*end)
		end++;
	memmove(args + 2, args + 1, (size_t)(end - args) * sizeof *args);
	args[1] = must(malloc(16));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	sprintf(args[1], "-j%d",
	        1 + take_tokens(fifo, (jobs > 0 ? jobs : (int)processors + 2) - 1));
	return args;
}

/* ---- cargo ---- */

/* Unless the test has another job server in mind. */
static void join_as_cargo(const char *fifo)
{
	const char *flags = getenv("CARGO_MAKEFLAGS");
	if (flags && strstr(flags, fifo))
		join_by_descriptors("CARGO_MAKEFLAGS", fifo, "");
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL, *name = slash  ? slash + 1
	                                                                 : argc ? argv[0]
	                                                                        : "";
	const char *real = find_real(name), *fifo = getenv("WHITTLE_JOBS");
	if (!real) {
		fprintf(stderr, "%s: not found\n", name);
		return CANNOT_RUN;
	}
	char **args = argv;
	if (fifo && !strcmp(name, "ninja"))
		args = as_ninja(fifo, argv, real);
	else if (fifo && !strcmp(name, "cargo"))
		join_as_cargo(fifo);
	else if (fifo)
		args = as_make(fifo, argv);
	execv(real, args);
	perror(real);
	return CANNOT_RUN;
}
