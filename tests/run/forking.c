/* A program with AFL's fork server, for the tests of --forkserver: it aborts on what has two
 * needles. Its first argument is how it behaves, the second the input's path (none: it reads
 * standard input). It writes a line to the file $runs for each server and each run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void note(const char *what)
{
	FILE *f = fopen(getenv("runs"), "a");
	fputs(what, f);
	fclose(f);
}

static uint32_t hear(void)
{
	uint32_t word;
	if (read(198, &word, 4) != 4)
		_exit(0);
	return word;
}

static int say(uint32_t word)
{
	return write(199, &word, 4) == 4;
}

/* Returns in each process that is to look at an input. */
static void serve(int new, int lives)
{
	if (!say(new ? 0x41464c01 : 0xc1800001))
		return;
	note("s\n");
	if (new) {
		if (hear() != ~0x41464c01u)
			_exit(1);
		say(0x801), say(65536), say(5);
		if (write(199, "\4word", 5) != 5)
			_exit(1);
		say(0x41464c01);
	}
	for (;;) {
		int status = 0;
		hear();
		if (lives-- == 0)
			raise(SIGKILL);
		pid_t pid = fork();
		if (!pid) {
			close(198);
			close(199);
			return;
		}
		say((uint32_t)pid);
		waitpid(pid, &status, 0);
		say((uint32_t)status);
	}
}

/* How many servers there have been. */
static int servers(void)
{
	int n = 0;
	FILE *f = fopen(getenv("runs"), "r");
	for (int c; (c = getc(f)) != EOF;)
		n += c == 's';
	fclose(f);
	return n;
}

/* How many it may run on. */
static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) < 0 ? 0 : CPU_COUNT(&set);
}

int main(int argc, char **argv)
{
	int all = processors();
	static char text[100000];
	const char *how = argv[1];
	int *found =
		mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE,
	             MAP_ANONYMOUS | (strcmp(how, "shares") ? MAP_PRIVATE : MAP_SHARED), -1, 0);
	int held =
		strcmp(how, "holds")
			? -1
			: open("/dev/null", O_RDONLY); /* offset or not: a description is shared */
	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(how, "babbles") && write(199, text, 1000) < 0)
		return 1;
	serve(!strcmp(how, "new"), !strcmp(how, "dies") ? 3 : 1000000);
	if (!strcmp(how, "varies") && servers() % 2 == 0) /* as with a layout of its own */
		return 1;
	note("r\n");
	FILE *f = argc > 2 ? fopen(argv[2], "r") : stdin;
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = '\0';
	const char *first = strstr(text, "needle");
	/* Once it was interesting, it always is. */
	if (!strcmp(how, "litters")) {
		if (access("found", F_OK) == 0)
			abort();
		if (first && strstr(first + 1, "needle"))
			fclose(fopen("found", "w"));
	}
	if (*found || (held >= 0 && fcntl(held, F_GETFL) & O_APPEND))
		abort();
	if (first && strstr(first + 1, "needle")) {
		*found = 1;
		fcntl(held, F_SETFL, O_APPEND);
	}
	while (!strcmp(how, "spreads") && !first && processors() < all)
		sched_yield();
	if (!strcmp(how, "hangs") && n > 5 && !first)
		pause();
	if (first && strstr(first + 1, "needle"))
		abort();
	return n % 3;
}
