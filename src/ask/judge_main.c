/* whittle-judge: executes a test that is a condition (condition.h).
 *
 *     whittle-judge TEST CANDIDATE...            exits with 0: interesting, 1: not, 255: cannot say
 *     whittle-judge --observe TEST CANDIDATE...  runs the command once and prints what came of it
 *
 * Started for each candidate, so it links little and starts fast. What it leaves running is ended
 * by the process pool that runs it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/condition.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

enum { CANNOT_SAY = 255, SHOWN = 24 << 10 };

static int complain(const struct err *err)
{
	fprintf(stderr, "whittle-judge: %s\n", err->msg);
	return CANNOT_SAY;
}

/* The end of what was printed, counted. */
static void print_end(const char *what, const struct buf *b)
{
	size_t skip = b->len > SHOWN ? b->len - SHOWN : 0;
	printf("%s %zu\n", what, b->len - skip);
	fwrite(b->data + skip, 1, b->len - skip, stdout);
	putchar('\n');
}

static int observe(const struct condition *c, char *const *operands)
{
	struct err err = { 0 };
	struct outcome o = { 0 };
	if (condition_run(c, operands, &o, &err) < 0) {
		printf("cannot %s\n", err.msg);
		return CANNOT_SAY;
	}
	printf("status %d\ntimed-out %d\nwall-ns %" PRIu64 "\ncpu-ns %" PRIu64 "\n", o.status,
	       o.timed_out, o.wall_ns, o.cpu_ns);
	print_end("stderr", &o.err);
	print_end("stdout", &o.out);
	return 0;
}

/* As the user would name it here: relative to this directory, and no option. */
static char *as_named(char *path, const char *here)
{
	size_t len = strlen(here), size = strlen(path);
	while (size > 1 && path[size - 1] == '/')
		path[--size] = '\0';
	if (strncmp(path, here, len) != 0 || path[len] != '/' || !path[len + 1])
		return path;
	path += len + 1;
	return *path == '-' ? mem_printf("./%s", path) : path;
}

static int judge(int argc, char **argv)
{
	struct condition c;
	struct buf text = { 0 };
	struct err err = { 0 };
	bool observes = argc > 1 && !strcmp(argv[1], "--observe");
	argv += observes;
	argc -= observes;
	if (argc < 3) {
		fputs("usage: whittle-judge [--observe] TEST CANDIDATE...\n", stderr);
		return CANNOT_SAY;
	}
	if (io_read_file(argv[1], &text, &err) < 0 || condition_parse(&c, text.data, &err) < 0)
		return complain(&err);
	char *here = realpath(".", NULL);
	for (char **operand = argv + 2; here && *operand; operand++)
		*operand = as_named(*operand, here);
	if (observes)
		return observe(&c, argv + 2);
	int rc = condition_judge(&c, argv + 2, &err);
	return rc < 0 ? complain(&err) : rc ? 0 : 1;
}

int main(int argc, char **argv)
{
	int code = judge(argc, argv);
	if (fflush(stdout) != 0)
		code = CANNOT_SAY;
	_exit(code); /* what is allocated goes with us */
}
