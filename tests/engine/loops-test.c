/* A test of loops.c as a process: loops-test RULE. RULE is a file: "odd" or "even" on a line of its
 * own, then a line for each word that the files here have to have, an empty one, and a line for
 * each file that there may be. One process in 32 sleeps a little, so that answers come in many
 * orders. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loops-test.h"

enum { ROOM = 1 << 16, RULE = 1 << 10, LINES = 32, NAP_US = 2000 };

/* The bytes of a file; -1: there is none. */
static ssize_t read_file(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, to, room) : -1;
	if (n == (ssize_t)room || (fd >= 0 && n < 0))
		exit(2);
	if (fd >= 0)
		close(fd);
	return n;
}

static size_t split(char *text, char *lines[LINES])
{
	size_t n = 0;
	for (char *at = text, *end; n < LINES && (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		lines[n++] = at;
	}
	return n;
}

int main(int argc, char **argv)
{
	static char rule[RULE], bytes[ROOM];
	char *lines[LINES];
	bool found[LINES] = { false };
	uint64_t hash = LOOPS_BEGIN;
	if (argc < 2 || read_file(argv[1], rule, sizeof rule - 1) < 0)
		return 2;
	size_t n = split(rule, lines), words = 1;
	while (words < n && *lines[words])
		words++;
	for (size_t i = words + 1; i < n; i++) {
		ssize_t size = read_file(lines[i], bytes, sizeof bytes);
		if (size < 0)
			continue;
		hash = loops_hash(hash, (uint8_t *)bytes, (size_t)size);
		for (size_t w = 1; w < words; w++)
			found[w] |= memmem(bytes, (size_t)size, lines[w], strlen(lines[w])) != NULL;
	}
	if (getpid() % 32 == 0)
		usleep(NAP_US);
	for (size_t w = 1; w < words; w++)
		if (!found[w])
			return 1;
	return lines[0][0] == 'o' && loops_refuses(hash);
}
