/* How many processes a second a fork server gives: fork-rate N PROGRAM ARGUMENT... asks it N times
 * and does nothing else. For bench/afl-tmin, as the bound of what a tool that asks it can reach on
 * this machine, now. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ASKS = 198, ANSWERS = 199 };

static void serve(int asks, int answers, char **argv)
{
	int null = open("/dev/null", O_RDWR);
	dup2(asks, ASKS);
	dup2(answers, ANSWERS);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int fd = 3; fd < ASKS; fd++)
		close(fd);
	execv(argv[0], argv);
	_exit(1);
}

static uint32_t hear(int fd)
{
	uint32_t word;
	if (read(fd, &word, sizeof word) != (ssize_t)sizeof word) {
		fputs("the fork server is gone\n", stderr);
		exit(1);
	}
	return word;
}

int main(int argc, char **argv)
{
	int to[2], from[2], n = argc > 2 ? atoi(argv[1]) : 0;
	struct timespec begin, end;
	if (n <= 0 || pipe(to) < 0 || pipe(from) < 0)
		return 2;
	if (fork() == 0)
		serve(to[0], from[1], argv + 2);
	close(from[1]);
	hear(from[0]);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < n; i++) {
		const uint32_t word = 0;
		if (write(to[1], &word, sizeof word) < 0)
			return 1;
		hear(from[0]);
		hear(from[0]);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	double spent =
		(double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%.0f\n", n / spent);
	return 0;
}
