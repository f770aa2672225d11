/* Runs a command and, at a given moment, ends it as a power cut would: every process that descends
 * from it is stopped, so that none sees another one go, and then killed.
 *
 *     kill-tree [-tree|-group|-process] MILLISECONDS COMMAND [ARGUMENT...]
 *
 * -group: the process group of the command is killed, and what is in others has to end by itself;
 * -process: the command alone is. Ends with the command's status, with 137 when the moment came
 * first, and with 2 when it cannot do its work. All that the command started has ended by then, in
 * all cases. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4096, KILLED = 137 };

struct set {
	pid_t list[MOST];
	int n;
};

static bool has(const struct set *s, pid_t pid)
{
	for (int i = 0; i < s->n; i++)
		if (s->list[i] == pid)
			return true;
	return false;
}

/* The parent of PID; 0 when it is gone or a zombie. */
static pid_t parent_of(pid_t pid)
{
	char path[32], text[512];
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	const char *p = strrchr(text, ')'); /* the name before it may hold anything */
	return p && p[1] == ' ' && p[2] != 'Z' && p[2] != 'X' ? (pid_t)strtol(p + 4, NULL, 10) : 0;
}

/* Adds the processes whose parent is in the set, until there are no more. Returns how many came in.
 */
static int add_descendants(struct set *s)
{
	int before = s->n;
	for (bool more = true; more;) {
		more = false;
		DIR *dir = opendir("/proc");
		for (struct dirent *e; dir && (e = readdir(dir));) {
			pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
			if (pid <= 0 || has(s, pid) || !has(s, parent_of(pid)) || s->n == MOST)
				continue;
			s->list[s->n++] = pid;
			more = true;
		}
		if (dir)
			closedir(dir);
	}
	return s->n - before;
}

/* We are their subreaper, so that whoever lost its parent is ours. */
static void kill_all(void)
{
	struct set s = { .list = { getpid() }, .n = 1 };
	for (int from = 1; add_descendants(&s) > 0; from = s.n)
		for (int i = from; i < s.n; i++)
			kill(s.list[i], SIGSTOP);
	for (int i = s.n; i-- > 1;)
		kill(s.list[i], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static bool is_known(const char *whom)
{
	return !strcmp(whom, "tree") || !strcmp(whom, "group") || !strcmp(whom, "process");
}

/* Ends the command, which is CHILD. */
static void end(const char *whom, pid_t child)
{
	if (!strcmp(whom, "tree")) {
		kill_all();
		return;
	}
	kill(strcmp(whom, "group") ? child : -child, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

/* Waits until CHILD ends or the moment has come. True: it ended. */
static bool ended_before(pid_t child, long ms, const sigset_t *chld, int *status)
{
	struct timespec end, now;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += ms % 1000 * 1000000;
	for (;;) {
		if (waitpid(child, status, WNOHANG) == child)
			return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		long long left =
			(end.tv_sec - now.tv_sec) * 1000000000ll + end.tv_nsec - now.tv_nsec;
		if (left <= 0)
			return false;
		struct timespec t = { (time_t)(left / 1000000000), (long)(left % 1000000000) };
		sigtimedwait(chld, NULL, &t);
	}
}

int main(int argc, char **argv)
{
	int status = 0;
	sigset_t chld;
	const char *whom = argc > 1 && *argv[1] == '-' ? argv[1] + 1 : "tree";
	if (argc > 1 && *argv[1] == '-')
		argc--, argv++;
	if (argc < 3 || !is_known(whom) || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
		fputs("usage: kill-tree [-tree|-group|-process] MILLISECONDS COMMAND "
		      "[ARGUMENT...]\n",
		      stderr);
		return 2;
	}
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	pid_t child = fork();
	if (child < 0)
		return 2;
	if (!child) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* no signal of the terminal reaches it now */
		sigprocmask(SIG_UNBLOCK, &chld, NULL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	setpgid(child, child);
	bool ended = ended_before(child, strtol(argv[1], NULL, 10), &chld, &status);
	if (!ended)
		end(whom, child);
	else
		kill_all();
	if (!ended)
		return KILLED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
