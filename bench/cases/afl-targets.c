/* Nine small programs for bench/afl-tmin, each with a bug that some inputs reach. TARGET says
 * which one is compiled. All but the stack machine refuse what is not well-formed. */
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

#elif TARGET == 5 /* a stack machine, a word a line: two words more are taken than there are */
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
#elif TARGET == 6 /* regular expressions, one a line: what may be empty repeated, repeated again \
                   */
enum { EMPTY = 1, LOOP = 2 };

static int choice(void);

static void set(void)
{
	expect('[');
	for (size_t from = at; at < size && in[at] != ']'; at++)
		if (in[at] == '-' && at > from && in[at + 1] < in[at - 1])
			refuse();
	expect(']');
}

static int repeats(int what)
{
	char how = in[at];
	if (how != '*' && how != '+' && how != '?')
		return what;
	char next = in[++at];
	if (next == '*' || next == '+' || next == '?')
		refuse();
	if (how != '?' && (what & LOOP))
		abort();
	if (how != '?' && (what & EMPTY))
		what |= LOOP;
	return how == '+' ? what : what | EMPTY;
}

static int item(void)
{
	int what = 0;
	if (in[at] == '(') {
		at++;
		what = choice();
		expect(')');
	} else if (in[at] == '[')
		set();
	else if (strchr("*+?]", in[at]))
		refuse();
	else
		at += in[at] == '\\' ? 2 : 1;
	return repeats(what);
}

static int choice(void)
{
	int all = 0, empty = EMPTY;
	while (at < size && in[at] != ')' && in[at] != '\n') {
		if (in[at] == '|') {
			all |= empty;
			empty = EMPTY;
			at++;
			continue;
		}
		int what = item();
		all |= what & LOOP;
		empty &= what;
	}
	return all | empty;
}

static void run(void)
{
	while (at < size) {
		choice();
		expect('\n');
	}
}

#elif TARGET == \
	7 /* packets (type, length, content): a fragment that ends before the one before it */
static void options(const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i += p[i + 1])
		if (len - i < 2 || p[i + 1] < 2 || p[i + 1] > len - i)
			refuse();
}

static void run(void)
{
	size_t ends[256] = { 0 };
	if (size < 4 || memcmp(in, "CAP1", 4))
		refuse();
	for (at = 4; at < size;) {
		const unsigned char *p = (const unsigned char *)in + at;
		size_t left = size - at, len = left > 2 ? (size_t)p[1] << 8 | p[2] : 0;
		if (left < len + 3 || (*p == 'F' && len < 2))
			refuse();
		if (*p == 'O')
			options(p + 3, len);
		else if (*p == 'F') {
			size_t offset = p[4], end = offset + len - 2;
			if (offset < ends[p[3]] && end < ends[p[3]])
				abort();
			ends[p[3]] = end;
		} else if (*p != 'D')
			refuse();
		at += len + 3;
	}
}

#elif TARGET == 8 /* an assembler: what is popped is a return address, in a call within a call */
enum { LINES = 1 << 12, STEPS = 10000 };
static const char *lines[LINES];
static size_t n_lines;

static size_t find(const char *name)
{
	size_t len = strlen(name);
	for (size_t i = 0; i < n_lines; i++)
		if (!strncmp(lines[i], name, len) && !strcmp(lines[i] + len, ":"))
			return i;
	refuse();
	return 0;
}

static void assemble(void)
{
	for (char *line = strtok(in, "\n"); line && n_lines < LINES; line = strtok(NULL, "\n"))
		lines[n_lines++] = line;
	for (size_t i = 0; i < n_lines; i++) {
		const char *line = lines[i];
		if (!strncmp(line, "call ", 5))
			find(line + 5);
		else if (strncmp(line, "push ", 5) && strcmp(line, "pop") && strcmp(line, "ret") &&
		         !strchr(line, ':'))
			refuse();
	}
}

static void run(void)
{
	size_t stack[ROOM], n = 0, calls = 0, steps = 0; /* 0: a number, else where to go on */
	assemble();
	for (size_t pc = 0; pc < n_lines; pc++) {
		const char *line = lines[pc];
		int pops = !strcmp(line, "pop"), returns = !strcmp(line, "ret");
		if (++steps > STEPS || n == ROOM)
			refuse();
		if (returns && !n)
			return;
		if (pops && n && stack[n - 1] && calls > 1)
			abort();
		if ((pops || returns) && (!n || (stack[n - 1] == 0) != pops))
			refuse();
		if (returns)
			pc = stack[n - 1] - 1;
		calls -= returns ? 1 : 0;
		n -= pops || returns;
		if (!strncmp(line, "push ", 5))
			stack[n++] = 0;
		if (!strncmp(line, "call ", 5)) {
			stack[n++] = pc + 1;
			pc = find(line + 5);
			calls++;
		}
	}
}

#else /* Lisp: the first of an empty list, in a function that a function calls */
#include "afl-lisp.h"
#endif

int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
	size = f ? fread(in, 1, MOST, f) : 0;
	run();
	return 0;
}
