/* whittle-sides: executes the two-sided test of a bisection (bisect_sides.h).
 *
 *     whittle-sides DIR/two-sided CANDIDATE...
 *
 * Started for each candidate, so it links little and starts fast. Exits with 0 (the bug shows at
 * the bad end, and not at the good one) or 1. What it leaves running is ended by the process pool
 * that runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect.h"
#include "bisect/bisect_sides.h"
#include "run/child.h"

enum outcome { OPEN, AS_WANTED, OTHERWISE };

struct running {
	enum side side;
	enum outcome outcome;
	pid_t pid;             /* of the present run; 0: none */
	uint64_t runs;         /* begun */
	uint64_t began, ended; /* the first, the last; ns */
	char *dir;
	char **argv, **envp;
	struct child_shared shared;
};

struct program {
	struct sides sides;
	char *dir;                 /* of the bisection */
	struct side_score *scores; /* shared with the others; NULL: none */
	struct running run[SIDES]; /* in the order in which they are started */
};

/* No answer can be given, and 1 would be one: this status ends the reduction. */
static noreturn void broken(const char *what)
{
	fprintf(stderr, "whittle-sides: %s\n", what); /* not buffered */
	_exit(BISECT_STOP);
}

/* ---- seats and scores ---- */

static char *in_dir(const struct program *p, const char *leaf)
{
	return mem_printf("%s/%s", p->dir, leaf);
}

/* Locks a seat, until we end: a descriptor of its own for each, as a lock that is ours would be
 * granted again. */
static bool take_seat(const struct program *p)
{
	char *path = in_dir(p, SIDES_SEATS);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(path);
	for (uint64_t i = 0; fd >= 0 && i < p->sides.seats; i++) {
		struct flock lock = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)i, .l_len = 1
		};
		if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
			return true;
	}
	if (fd >= 0)
		close(fd);
	return false;
}

/* Without them the bad side is the first one: slower perhaps, not wrong. */
static void open_scores(struct program *p)
{
	char *path = in_dir(p, SIDES_SCORES);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	size_t size = SIDES * sizeof *p->scores;
	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0) {
		void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		p->scores = map == MAP_FAILED ? NULL : map;
	}
	if (fd >= 0)
		close(fd);
	free(path);
}

/* Only the first side is counted: how often the second decides after the first could not says
 * nothing about how often it decides alone. */
static void keep_score(struct program *p)
{
	const struct running *r = &p->run[0];
	if (!p->scores || r->outcome == OPEN)
		return;
	struct side_score *score = &p->scores[r->side];
	__atomic_add_fetch(&score->runs, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&score->decisive, r->outcome == OTHERWISE, __ATOMIC_RELAXED);
	__atomic_add_fetch(&score->ns, r->ended - r->began, __ATOMIC_RELAXED);
}

/* ---- one side ---- */

/* The environment with the side's tree and a TMPDIR of its own. */
static char **make_env(const char *tree, const char *tmp)
{
	size_t n = 0;
	while (environ[n])
		n++;
	char **envp = mem_zero(n + 3, sizeof *envp), **to = envp;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "TMPDIR=", 7) != 0 &&
		    strncmp(environ[i], "WHITTLE_TREE=", 13) != 0)
			*to++ = environ[i];
	*to++ = mem_printf("TMPDIR=%s", tmp);
	*to++ = mem_printf("WHITTLE_TREE=%s", tree);
	return envp;
}

/* A spare place, the test, the candidates: those in the directory HERE are the copies in DIR. */
static char **make_argv(const char *test, char *const *candidates, const char *here,
                        const char *dir)
{
	size_t n = 0, len = strlen(here);
	while (candidates[n])
		n++;
	char **argv = mem_zero(n + 3, sizeof *argv);
	argv[1] = mem_strdup(test);
	for (size_t i = 0; i < n; i++) {
		char *real = realpath(candidates[i], NULL);
		bool inside = real && !strncmp(real, here, len) && real[len] == '/';
		argv[2 + i] =
			inside ? mem_printf("%s%s", dir, real + len) : mem_strdup(candidates[i]);
		free(real);
	}
	return argv;
}

/* The candidate from its start, whoever else reads it. */
static int own_input(void)
{
	int fd = open("/dev/stdin", O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void start(struct running *r)
{
	int in = own_input();
	const struct child_spec spec = {
		.argv = r->argv, .envp = r->envp, .dir = r->dir, .in = in, .out = -1
	};
	if (!r->runs++)
		r->began = io_now();
	r->ended =
		io_now(); /* of the run before, or its own start: what the deadline counts from */
	r->pid = child_start(&spec, &r->shared);
	if (in >= 0)
		close(in);
	if (r->pid < 0)
		broken("cannot start a process");
}

/* A run has ended: what is known now, or the next run. */
static void judge(struct program *p, struct running *r, int status, bool timed_out)
{
	const char *why;
	int number;
	r->pid = 0;
	r->ended = io_now();
	if (r->shared.error)
		broken("cannot execute the test");
	enum bisect_answer answer = bisect_answer_of(status, timed_out, &why, &number);
	if (r->side == SIDE_BAD && answer == BISECT_BAD)
		r->outcome = AS_WANTED;
	else if (r->side == SIDE_GOOD && answer != BISECT_GOOD)
		r->outcome = OTHERWISE;
	else if (r->runs < p->sides.repeat)
		start(r);
	else
		r->outcome = r->side == SIDE_GOOD ? AS_WANTED : OTHERWISE;
}

static void end(struct running *r, int *status)
{
	kill(-r->pid, SIGKILL);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, status, 0) < 0 && errno == EINTR)
		;
}

/* ---- both ---- */

static void look_after(struct program *p, struct running *r)
{
	int status = 0;
	if (!r->pid)
		return;
	if (waitpid(r->pid, &status, WNOHANG) == r->pid)
		judge(p, r, status, false);
	else if (io_now() >= r->ended + p->sides.limit_ns) {
		end(r, &status);
		judge(p, r, status, true);
	}
}

/* Waits until a run ends or a deadline has come. */
static void await(const struct program *p)
{
	uint64_t now = io_now(), until = UINT64_MAX;
	sigset_t set;
	for (int i = 0; i < SIDES; i++)
		if (p->run[i].pid && p->run[i].ended + p->sides.limit_ns < until)
			until = p->run[i].ended + p->sides.limit_ns;
	uint64_t left = until > now ? until - now : 0;
	const struct timespec wait = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &wait);
}

static bool both(struct program *p)
{
	struct running *a = &p->run[0], *b = &p->run[1];
	take_seat(p); /* with or without: one test of ours always runs */
	start(a);
	if (take_seat(p))
		start(b);
	while (a->outcome != OTHERWISE && b->outcome != OTHERWISE) {
		if (a->outcome == AS_WANTED && b->outcome == AS_WANTED)
			return true;
		if (a->outcome == AS_WANTED && !b->runs)
			start(b);
		await(p);
		look_after(p, a);
		look_after(p, b);
	}
	return false;
}

static void prepare(struct program *p, char *const *candidates)
{
	char *here = realpath(".", NULL);
	const char *tmp = getenv("TMPDIR");
	enum side first = p->scores ? sides_first(p->scores) : SIDE_BAD;
	if (!here || !tmp)
		broken("there is no directory to work in");
	for (int i = 0; i < SIDES; i++) {
		struct running *r = &p->run[i];
		r->side = i == 0 ? first : first == SIDE_BAD ? SIDE_GOOD : SIDE_BAD;
		const char *tree = p->sides.tree[r->side];
		char *own_tmp = mem_printf("%s/%d", tmp, i);
		r->dir = i == 0 ? here : mem_printf("%s/side", tmp);
		if (access(tree, F_OK) < 0 || mkdir(own_tmp, 0700) < 0)
			broken("a tree or the temporary directory is missing");
		r->envp = make_env(tree, own_tmp);
		r->argv = make_argv(p->sides.test, candidates, here, r->dir);
	}
	if (mkdir(p->run[1].dir, 0700) < 0 || copy_tree(here, p->run[1].dir) < 0)
		broken("cannot copy the candidate");
}

int main(int argc, char **argv)
{
	struct program p = { 0 };
	struct err err;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL); /* as child_start wants it; what ends us is SIGKILL */
	if (argc < 2 || !(p.dir = realpath(argv[1], NULL)))
		broken("usage: whittle-sides DIR/two-sided CANDIDATE...");
	*strrchr(p.dir, '/') = '\0';
	if (sides_read(p.dir, &p.sides, &err) < 0)
		broken(err.msg);
	open_scores(&p);
	prepare(&p, argv + 2);
	bool interesting = both(&p);
	keep_score(&p);
	_exit(interesting ? 0 : 1); /* what is allocated ends with the process */
}
