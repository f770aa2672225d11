/* Prints the value of each line's expression: numbers, + - * and parentheses. With -O it folds
 * constants first, wrongly. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static int folds;

static long sum(void);

static long unit(void)
{
	long value = 0;
	while (*at == ' ')
		at++;
	if (*at == '(') {
		at++;
		value = sum();
		if (*at++ != ')')
			exit(2);
	} else if (*at == '-') {
		at++;
		return -unit();
	} else if (isdigit((unsigned char)*at))
		value = strtol(at, (char **)&at, 10);
	else
		exit(2);
	while (*at == ' ')
		at++;
	return value;
}

static long product(void)
{
	long value = unit();
	while (*at == '*') {
		at++;
		value *= unit();
	}
	return value;
}

static long sum(void)
{
	long value = product();
	while (*at == '+' || *at == '-') {
		int minus = *at++ == '-';
		long more = product();
		if (folds && minus && more == 0)
			return value; /* "x - 0 is x", but what follows is lost */
		value += minus ? -more : more;
	}
	return value;
}

int main(int argc, char **argv)
{
	static char line[4096];
	FILE *f;
	folds = argc > 2 && !strcmp(argv[1], "-O");
	f = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
	if (!f)
		return 2;
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line)
			continue;
		at = line;
		printf("%ld\n", sum());
	}
	return 0;
}
