/* unsure-test FILE: unsure.h as a test. */
#include <stdio.h>
#include <sys/random.h>

#include "unsure.h"

int main(int argc, char **argv)
{
	static char text[1 << 16];
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;
	unsigned long long random = 0;
	if (f)
		fclose(f);
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return 1;
	return !unsure_says_yes(text, n, random);
}
