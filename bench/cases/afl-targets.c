/* Five small programs for bench/afl-tmin, each with a bug that some inputs reach. TARGET says which
 * one is compiled. All but the line-oriented one refuse what is not well-formed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, ROOM = 64 };
static char in[MOST + 1];
static size_t size, at;

static void refuse(void)
{
	exit(1);
}

static void blanks(void)
{
	while (isspace((unsigned char)in[at]))
		at++;
}

static void expect(char c)
{
	if (in[at++] != c)
		refuse();
}

#if TARGET == 1 /* JSON: a long key twice in an object that is in a list in an object */
static int lists, objects;

static size_t string(void)
{
	expect('"');
	size_t from = at;
	while (at < size && in[at] != '"')
		at += in[at] == '\\' ? 2 : 1;
	expect('"');
	return from;
}

static void value(void);

static void key(size_t keys[ROOM], size_t *n)
{
	size_t from = string(), len = at - from;
	for (size_t i = 0; i < *n; i++)
		if (lists && objects > 1 && len > 4 && !memcmp(in + keys[i], in + from, len))
			abort();
	if (*n < ROOM)
		keys[(*n)++] = from;
	blanks();
	expect(':');
}

static void items(char close, int *depth)
{
	size_t keys[ROOM], n = 0;
	++*depth;
	at++;
	blanks();
	while (in[at] != close) {
		if (close == '}')
			key(keys, &n);
		value();
		blanks();
		if (in[at] != close)
			expect(',');
		blanks();
	}
	at++;
	--*depth;
}

static void value(void)
{
	blanks();
	if (in[at] == '{')
		items('}', &objects);
	else if (in[at] == '[')
		items(']', &lists);
	else if (in[at] == '"')
		string();
	else if (!isalnum((unsigned char)in[at]))
		refuse();
	while (isalnum((unsigned char)in[at]))
		at++;
}

static void run(void)
{
	value();
}

#elif TARGET == 2 /* expressions: a division by a difference that is zero */
static long sum(void);

static long operand(void)
{
	blanks();
	if (in[at] == '(') {
		at++;
		long n = sum();
		blanks();
		expect(')');
		return n;
	}
	if (!isdigit((unsigned char)in[at]))
		refuse();
	unsigned long n = 0;
	while (isdigit((unsigned char)in[at]))
		n = (10 * n + (unsigned long)(in[at++] - '0')) % 1000003;
	return (long)n;
}

static long product(void)
{
	long n = operand();
	for (blanks(); in[at] == '*' || in[at] == '/'; blanks()) {
		char operator= in[at++];
		size_t from = at;
		long m = operand();
		if (operator== '/' && !m && memchr(in + from, '-', at - from))
			abort();
		n = operator== '*' ? n * m % 1000003 : m ? n / m : 0;
	}
	return n;
}

static long sum(void)
{
	long n = product();
	for (blanks(); in[at] == '+' || in[at] == '-'; blanks()) {
		char operator= in[at++];
		long m = product();
		n = operator== '+' ? n + m : n - m;
	}
	return n;
}

static void run(void)
{
	while (at < size) {
		sum();
		blanks();
		expect(';');
		blanks();
	}
}

#elif TARGET == 3 /* chunks (tag, length, data, sum): a picture with a row that is longer than its \
                     head says */
static void run(void)
{
	size_t width = 0;
	if (size < 4 || memcmp(in, "PIC1", 4))
		refuse();
	for (at = 4; at < size;) {
		const unsigned char *p = (const unsigned char *)in + at;
		size_t left = size - at, len = left > 4 ? (size_t)p[2] << 8 | p[3] : 0;
		if (left < len + 5)
			refuse();
		unsigned char check = 0;
		for (size_t i = 0; i < len; i++)
			check = (unsigned char)(check + p[4 + i]);
		if (check != p[4 + len])
			refuse();
		if (!memcmp(p, "HD", 2) && len > 1)
			width = p[4];
		if (!memcmp(p, "RW", 2) && width && len > width)
			abort();
		at += len + 5;
	}
}

#elif TARGET == 4 /* elements: an attribute in the third element of its name in a row */
static void element(const char *outer, size_t outer_len, int same);

static void content(const char *name, size_t len, int same)
{
	while (at < size && !(in[at] == '<' && in[at + 1] == '/')) {
		if (in[at] == '<')
			element(name, len, same);
		else
			at++;
	}
}

static size_t name(void)
{
	size_t from = at;
	while (isalnum((unsigned char)in[at]))
		at++;
	if (at == from)
		refuse();
	return at - from;
}

static void element(const char *outer, size_t outer_len, int same)
{
	expect('<');
	const char *own = in + at;
	size_t len = name();
	same = len == outer_len && !memcmp(own, outer, len) ? same + 1 : 1;
	for (blanks(); in[at] != '>'; blanks()) {
		name();
		expect('=');
		expect('"');
		while (at < size && in[at] != '"')
			at++;
		expect('"');
		if (same > 2)
			abort();
	}
	at++;
	content(own, len, same);
	expect('<');
	expect('/');
	if (memcmp(in + at, own, len))
		refuse();
	at += len;
	expect('>');
}

static void run(void)
{
	blanks();
	element("", 0, 0);
}

#else /* a stack machine, a word a line: two words more are taken than there are */
static void run(void)
{
	int depth = 0, calls = 0;
	for (char *line = strtok(in, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strncmp(line, "push ", 5))
			depth++;
		else if (!strcmp(line, "call"))
			calls++;
		else if (!strcmp(line, "add") || !strcmp(line, "drop"))
			depth--;
		if (depth < -1 && calls > 1)
			abort();
		if (depth < 0 && line[0] != 'd')
			depth = 0;
	}
}
#endif

int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
	size = f ? fread(in, 1, MOST, f) : 0;
	run();
	return 0;
}
