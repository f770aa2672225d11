/* A test for whittle --persistent in C (whittle-live(7)).
 *
 *     #include "whittle-live.h"
 *     static int judge(char **paths) { ... }       // the exit status of a test: 0 is interesting
 *     int main(int argc, char **argv) { return whittle_live(argc, argv, judge); }
 *
 * PATHS end with NULL. With paths as arguments it judges once, as a plain test does. What the judge
 * allocates it has to release, and what it prints goes to standard error. */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int whittle_live(int argc, char **argv, int (*judge)(char **paths))
{
	char *line = NULL, **paths = NULL;
	size_t size = 0;
	int status = argc > 1 ? judge(argv + 1) : 0;
	if (argc > 1)
		return status & ~255 ? 1 : status; /* 256 is no 0 */
	FILE *questions = fdopen(dup(0), "r");
	int answers = dup(1), null = open("/dev/null", O_RDONLY);
	if (!questions || answers < 0 || null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
		return 1;
	while (getline(&line, &size, questions) > 0 &&
	       (paths = (char **)calloc(strlen(line) / 2 + 2, sizeof *paths))) {
		size_t n = 0;
		for (char *at = strtok(line, "\t\n"); at; at = strtok(NULL, "\t\n"))
			paths[n++] = at;
		status = judge(paths);
		fflush(stdout);
		dprintf(answers, "%d\n", status & ~255 ? 1 : status);
		free(paths);
	}
	free(line);
	return 0;
}
