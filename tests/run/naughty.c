/* A test that misbehaves in the way that its first argument names. Unless it says otherwise it then
 * exits 0. naughty MODE CANDIDATE Before that it exits 65 when its directories are not as new, and
 * writes a byte into the pipe $NAUGHTY_FIFO, if there is one, so that others know that it runs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "naughty.h"

static void forever(void)
{
	for (;;)
		pause();
}

static void ignore_signals(void)
{
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
}

static int background(void)
{
	for (int i = 0; i < 5; i++)
		if (fork() == 0)
			forever();
	return 0;
}

static int deaf(void)
{
	ignore_signals();
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	background();
	forever();
	return 0;
}

/* A grandchild in a session of its own, whose parent is gone. */
static int daemonize(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		setsid();
		ignore_signals();
		if (fork() == 0)
			forever();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

static void spin(long microseconds)
{
	struct timespec t, end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += microseconds * 1000;
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while (t.tv_sec < end.tv_sec || (t.tv_sec == end.tv_sec && t.tv_nsec < end.tv_nsec));
}

/* Each link of the chain leaves its session, forks the next, and ends: nobody to kill stays for
 * long. The chain has no end of its own within a test's time. */
static int chain(void)
{
	if (fork() != 0)
		return 0;
	for (long i = 0; i < 10000000; i++) {
		setsid();
		spin(100);
		if (fork() != 0)
			_exit(0);
	}
	return 0;
}

static int chains(void)
{
	for (int i = 0; i < 4; i++)
		chain();
	return 0;
}

static int chains_forever(void)
{
	chains();
	daemonize();
	forever();
	return 0;
}

static int subreaper(void)
{
	if (fork() == 0) {
		syscall(SYS_prctl, 36 /* PR_SET_CHILD_SUBREAPER */, 1, 0, 0, 0);
		daemonize();
		daemonize();
		forever();
	}
	return 0;
}

static int close_all(void)
{
	for (int i = 0; i < 1024; i++)
		close(i);
	return 0;
}

/* As much as can be in a long time; its reader sets the pace. */
static int shout(void)
{
	static char chunk[1 << 20];
	memset(chunk, 'x', sizeof chunk);
	for (int i = 0; i < 1024; i++)
		for (size_t at = 0; at < sizeof chunk;) {
			ssize_t n = write(2, chunk + at, sizeof chunk - at);
			if (n <= 0)
				return 1;
			at += (size_t)n;
		}
	return 0;
}

/* 0 only if the memory limit did not hold: nobody has 16 TB. */
static int gorge(void)
{
	static char *volatile last; /* seen from outside, so that no compiler leaves the allocation
	                               out */
	for (int i = 0; i < 1 << 18; i++) {
		last = malloc(64 << 20);
		if (!last)
			return 3;
		memset(last, 1, 4096);
	}
	return 0;
}

static int burn(void)
{
	for (volatile unsigned long i = 0;; i++)
		;
	return 0;
}

static int write_much(void)
{
	static char chunk[1 << 16];
	int fd = open("big", O_WRONLY | O_CREAT, 0600);
	for (int i = 0; i < 1024; i++)
		if (write(fd, chunk, sizeof chunk) < 0)
			return 1;
	return 0;
}

/* File number I of 16 KB, in TMPDIR or, every other one, below the working directory. */
static int write_one(int i)
{
	static char chunk[1 << 14];
	char name[4096];
	mkdir("d", 0700);
	snprintf(name, sizeof name, "%s/f%d", i % 2 ? "d" : getenv("TMPDIR"), i);
	int fd = open(name, O_WRONLY | O_CREAT, 0600);
	return fd < 0 || write(fd, chunk, sizeof chunk) < 0 || close(fd) < 0;
}

static int fill(void)
{
	for (int i = 0; i < 64; i++)
		if (write_one(i))
			return 1;
	return 0;
}

static int fill_forever(void)
{
	for (int i = 0;; i++) {
		write_one(i);
		usleep(100);
	}
	return 0;
}

static int swarm(void)
{
	for (int i = 0; i < 20; i++)
		if (fork() == 0)
			forever();
	forever();
	return 0;
}

/* Whether they live or not. */
static int brood(void)
{
	pid_t pids[20];
	for (int i = 0; i < 20; i++)
		if ((pids[i] = fork()) == 0)
			forever();
	for (int i = 0; i < 20; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	return 0;
}

static int nurse(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		size_t size = 256 << 20;
		char *all = malloc(size);
		for (size_t i = 0; all && i < size; i += 4096)
			((volatile char *)all)[i] = 1;
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

static int sleep_long(void)
{
	forever();
	return 0;
}

static int die(void)
{
	raise(SIGKILL);
	return 0;
}

static int dump(void)
{
	abort();
}

static int stop(void)
{
	raise(SIGSTOP);
	return 0;
}

/* Kills its supervisor the first time, told by a file beside the work directories. */
static int parricide(void)
{
	if (close(open("../../../naughty-was-here", O_WRONLY | O_CREAT | O_EXCL, 0600)) < 0)
		return 0;
	kill(getppid(), SIGKILL);
	forever();
	return 0;
}

static int always_parricide(void)
{
	kill(getppid(), SIGKILL);
	forever();
	return 0;
}

/* Takes its parent's descriptors: it can open nothing any more. */
static int starve_parent(void)
{
	return prlimit(getppid(), RLIMIT_NOFILE, &(struct rlimit){ 4, 4 }, NULL) < 0;
}

static int halt_parent(void)
{
	return kill(getppid(), SIGSTOP) < 0;
}

static int halt_parent_always(void)
{
	for (;;) {
		kill(getppid(), SIGSTOP);
		usleep(1000);
	}
	return 0;
}

/* Holds its parent still, as a debugger does. 0 when it may not. */
static int hold_parent(void)
{
	if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, getppid(), NULL, NULL) < 0)
		return 0;
	forever();
	return 0;
}

/* Ends when it is told. */
static int obey_pipe(void)
{
	char byte;
	int fd = open(getenv("NAUGHTY_RELEASE"), O_RDONLY);
	return fd < 0 || read(fd, &byte, 1) != 1;
}

/* 0 when everything is as a test may expect it. */
static int inspect(void)
{
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < 32; i++) {
		struct sigaction action;
		sigaction(i, NULL, &action);
		if (sigismember(&mask, i) || action.sa_handler != SIG_DFL)
			return 10;
	}
	for (int i = 3; i < 1024; i++)
		if (fcntl(i, F_GETFD) >= 0 || errno != EBADF)
			return 11;
	if (getsid(0) != getpid() || getpgrp() != getpid() || open("/dev/tty", O_RDWR) >= 0)
		return 12;
	struct stat st;
	if (stat(getenv("TMPDIR"), &st) < 0 || (st.st_mode & 07777) != 0700)
		return 13;
	return 0;
}

/* Does as the candidate says: good, bad, or slow. */
static int obey(void)
{
	char c = 0;
	if (read(0, &c, 1) == 1 && c == 's')
		forever();
	return c != 'g';
}

static const struct {
	const char *name;
	int (*run)(void);
} modes[] = {
	{ "background", background },
	{ "deaf", deaf },
	{ "daemonize", daemonize },
	{ "chain", chain },
	{ "chains", chains },
	{ "subreaper", subreaper },
	{ "litter", naughty_litter },
	{ "close", close_all },
	{ "shout", shout },
	{ "gorge", gorge },
	{ "burn", burn },
	{ "write", write_much },
	{ "sleep", sleep_long },
	{ "fill", fill },
	{ "fill-forever", fill_forever },
	{ "swarm", swarm },
	{ "brood", brood },
	{ "nurse", nurse },
	{ "uproot", naughty_uproot },
	{ "displace", naughty_displace },
	{ "die", die },
	{ "raze-slot", naughty_raze_slot },
	{ "starve-parent", starve_parent },
	{ "raze-pool", naughty_raze_pool },
	{ "displace-slot", naughty_displace_slot },
	{ "close-off", naughty_close_off },
	{ "dump", dump },
	{ "stop", stop },
	{ "parricide", parricide },
	{ "inspect", inspect },
	{ "chains-forever", chains_forever },
	{ "obey", obey },
	{ "always-parricide", always_parricide },
	{ "halt-parent", halt_parent },
	{ "halt-parent-always", halt_parent_always },
	{ "hold-parent", hold_parent },
	{ "obey-pipe", obey_pipe },
};

/* Number of entries, "." and ".." too; 0 when it cannot be read. */
static int count(const char *path)
{
	int n = 0;
	DIR *dir = opendir(path);
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void announce(const char *fifo)
{
	int fd = open(fifo, O_WRONLY);
	if (fd < 0 || write(fd, "!", 1) != 1)
		exit(66);
	close(fd);
}

int main(int argc, char **argv)
{
	if (count(".") != 3 || count(getenv("TMPDIR")) != 2)
		return 65;
	if (getenv("NAUGHTY_FIFO"))
		announce(getenv("NAUGHTY_FIFO"));
	for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run();
	fputs("naughty: no such mode\n", stderr);
	return 64;
}
