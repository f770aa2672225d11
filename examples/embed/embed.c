/* Minimizes a crash of a JSON parser in the process that has the parser: no test script, no child
 * processes, tens of thousands of candidates a second.
 *
 *     cc embed.c json.c $(pkg-config --cflags --libs whittle) -o embed
 *     ./embed <crash.json
 *
 * A crash is a signal, which is caught and left by siglongjmp. That is good enough for a parser
 * that holds nothing but memory (each crash leaks what it had); with locks or files in hand, fork
 * for each candidate instead. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <whittle.h>

#include "json.h"

static sigjmp_buf before; /* a signal handler has no argument to find it by */

static void on_crash(int sig)
{
	(void)sig;
	siglongjmp(before, 1);
}

/* Interesting: the parser crashes. */
static int crashes(const void *bytes, size_t size, void *arg)
{
	(void)arg;
	if (sigsetjmp(before, 1))
		return 1;
	json_check(bytes, size);
	return 0;
}

static void on_accepted(void *arg, const struct whittle *w)
{
	size_t size;
	(void)arg;
	whittle_result(w, &size);
	fprintf(stderr, "%zu bytes\n", size);
}

static char *read_all(FILE *from, size_t *size)
{
	size_t room = 1 << 16;
	char *text = malloc(room);
	*size = 0;
	for (size_t n; text && (n = fread(text + *size, 1, room - *size, from)) > 0;) {
		*size += n;
		if (*size == room)
			text = realloc(text, room *= 2);
	}
	return text;
}

int main(int argc, char **argv)
{
	const char *directories[] = { argc > 1 ? argv[1] : NULL, NULL };
	const struct whittle_options options = { .struct_size = sizeof options,
		                                 .name = "crash.json",
		                                 .directories = argc > 1 ? directories : NULL,
		                                 .accepted = on_accepted };
	struct sigaction action = { .sa_handler = on_crash };
	char message[256];
	size_t size;
	char *text = read_all(stdin, &size);
	if (!text)
		return 1;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGABRT, &action, NULL);
	int end = whittle_reduce(text, size, &options, crashes, NULL, text, &size, message,
	                         sizeof message);
	if (end < 0)
		fprintf(stderr, "embed: %s\n", message);
	else
		fwrite(text, 1, size, stdout);
	free(text);
	return end < 0;
}
