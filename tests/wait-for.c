/* Waits for what a script is waiting for, as an event and not by looking again and again.
 *
 *     wait-for there FILE            FILE exists
 *     wait-for line PATTERN FILE     a line of FILE matches the basic regular expression PATTERN
 *     wait-for gone PID...           none of the processes is there any more
 *
 * The directory of FILE must exist. Ends with status 0, or with 1 after five minutes, when a test
 * has long failed. */
#include <libgen.h>
#include <poll.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_MS = 300000 };

static int usage(void)
{
	fputs("usage: wait-for there FILE | line PATTERN FILE | gone PID...\n", stderr);
	return 2;
}

/* The next event on FD has come. */
static bool has_come(int fd)
{
	char events[4096];
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, MOST_MS) > 0 && read(fd, events, sizeof events) > 0;
}

static bool has_line(const char *path, const regex_t *pattern)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	bool found = false;
	while (f && !found && getline(&line, &cap, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		found = !regexec(pattern, line, 0, NULL, 0);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* PATTERN may be NULL: any content will do, or none. */
static bool wait_for_file(const char *path, const char *pattern)
{
	regex_t regex;
	char *copy = strdup(path);
	int fd = inotify_init1(IN_CLOEXEC);
	if (!copy || fd < 0 || (pattern && regcomp(&regex, pattern, REG_NOSUB)) ||
	    inotify_add_watch(fd, dirname(copy), IN_CREATE | IN_MOVED_TO | IN_MODIFY) < 0)
		return false;
	free(copy);
	while (pattern ? !has_line(path, &regex) : access(path, F_OK) < 0)
		if (!has_come(fd))
			return false;
	return true;
}

static bool wait_for_end(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool ended = fd < 0 || poll(&p, 1, MOST_MS) > 0;
	if (fd >= 0)
		close(fd);
	return ended;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "there") && argc == 3)
		return !wait_for_file(argv[2], NULL);
	if (!strcmp(what, "line") && argc == 4)
		return !wait_for_file(argv[3], argv[2]);
	if (strcmp(what, "gone") != 0 || argc < 3)
		return usage();
	for (int i = 2; i < argc; i++)
		if (!wait_for_end(atoi(argv[i])))
			return 1;
	return 0;
}
