/* A test of about one millisecond: reads FILE whole, then computes or sleeps. Always interesting.
 *     one-ms busy|sleep FILE */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 600000 }; /* dependent multiplications; about 1 ms at 2 to 4 GHz */

static void compute(uint64_t seed)
{
	volatile uint64_t sink = seed;
	uint64_t x = seed | 1;
	for (int i = 0; i < STEPS; i++)
		x = x * 0x9e3779b97f4a7c15u + (x >> 32);
	sink = x;
	(void)sink;
}

static uint64_t read_whole(const char *path)
{
	static char chunk[1 << 16];
	uint64_t sum = 0;
	int fd = open(path, O_RDONLY);
	for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) > 0;)
		sum += (uint64_t)n + (unsigned char)chunk[0];
	close(fd);
	return sum;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: one-ms busy|sleep FILE\n", stderr);
		return 2;
	}
	uint64_t sum = read_whole(argv[2]);
	if (!strcmp(argv[1], "busy"))
		compute(sum);
	else
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return sum == 0;
}
