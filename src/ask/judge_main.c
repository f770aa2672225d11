/* whittle-judge: executes a test that is a condition (condition.h).
 *
 *     whittle-judge TEST CANDIDATE...            exits with 0: interesting, 1: not, 255: cannot say
 *     whittle-judge TEST --also=WISH CANDIDATE...          likewise, and other statuses for other
 *                                                          failures (other.h)
 *     whittle-judge --other TEST --also=WISH CANDIDATE...  prints what the other failure is
 *     whittle-judge --observe TEST CANDIDATE...  runs the command once and prints what came of it
 *
 * Started for each candidate, so it links little and starts fast. What it leaves running is ended
 * by the process pool that runs it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/condition.h"
#include "ask/other.h"
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

/* The exit status that tells of another failure, or is plainly "not interesting". */
static int judge_other(const struct condition *c, const struct outcome *o, char *const *operands,
                       const char *wish, bool prints)
{
	struct other other;
	if (!wish || condition_holds(c, o, operands) || !other_find(c, o, operands, wish, &other))
		return 1;
	if (prints)
		fputs(other_text(&other), stdout);
	return other.code;
}

/* A stream of the command, for a person. */
static void show_stream(const char *name, const struct buf *b)
{
	enum { MOST = 2000 };
	size_t skip = b->len > MOST ? b->len - MOST : 0;
	printf("%s: %s%s\n", name, b->len ? "" : "nothing", skip ? "..." : "");
	fwrite(b->data + skip, 1, b->len - skip, stdout);
	if (b->len && b->data[b->len - 1] != '\n')
		putchar('\n');
}

/* Says why the answer is no, when somebody reads that: at the start, not in a reduction. */
static void explain(const struct condition *c, const struct outcome *o, char *const *operands)
{
	struct stat st;
	if (fstat(STDOUT_FILENO, &st) < 0 || S_ISCHR(st.st_mode))
		return;
	if (!o->out.data) {
		printf("the command of --valid does not succeed: %s\n", c->valid);
		show_stream("standard error", &o->err);
		return;
	}
	char *why = condition_fails(c, o, operands), how[64];
	outcome_describe(o, how, sizeof how);
	printf("the command gives %s: %s\n", how, why ? why : o->unlike);
	show_stream("standard output", &o->out);
	show_stream("standard error", &o->err);
	free(why);
}

enum mode { MODE_JUDGE, MODE_OBSERVE, MODE_OTHER };

static enum mode mode_named(const char *word)
{
	static const char *const names[] = { "--observe", "--other", NULL };
	int i = word ? mem_place_of(names, word) : -1;
	return i < 0 ? MODE_JUDGE : i ? MODE_OTHER : MODE_OBSERVE;
}

static int judge(int argc, char **argv)
{
	struct condition c;
	struct outcome o;
	struct buf text = { 0 };
	struct err err = { 0 };
	static const char also[] = "--also=";
	enum mode mode = mode_named(argv[1]);
	char **at = argv + 1 + (mode != MODE_JUDGE);
	const char *test = at < argv + argc ? *at++ : NULL, *wish = NULL;
	if (at < argv + argc && !strncmp(*at, also, strlen(also)))
		wish = *at++ + strlen(also);
	if (at >= argv + argc) {
		fputs("usage: whittle-judge [--observe|--other] TEST [--also=WISH] CANDIDATE...\n",
		      stderr);
		return CANNOT_SAY;
	}
	if (io_read_file(test, &text, &err) < 0 || condition_parse(&c, text.data, &err) < 0)
		return complain(&err);
	char *here = realpath(".", NULL);
	for (char **operand = at; here && *operand; operand++)
		*operand = as_named(*operand, here);
	if (mode == MODE_OBSERVE)
		return observe(&c, at);
	int rc = condition_judge(&c, at, &o, &err);
	if (rc == 0 && mode == MODE_JUDGE)
		explain(&c, &o, at);
	if (rc == 0 && !o.out.data) { /* not valid: that is no other failure */
		outcome_release(&o);
		o = (struct outcome){ 0 };
	}
	return rc < 0 ? complain(&err) : rc ? 0 : judge_other(&c, &o, at, wish, mode == MODE_OTHER);
}

int main(int argc, char **argv)
{
	int code = judge(argc, argv);
	if (fflush(stdout) != 0)
		code = CANNOT_SAY;
	_exit(code); /* what is allocated ends with the process */
}
