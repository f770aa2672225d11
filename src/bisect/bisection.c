#include "bisect/bisection.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect_git.h"
#include "store/git.h"
#include "disk/output.h"
#include "store/lock.h"

char *bisection_path(const struct bisection *b, const char *leaf)
{
	return mem_printf("%s/%s", b->dir, leaf);
}

/* ---- what was asked for ---- */

static int find_repository(struct bisection *b, struct err *err)
{
	MEM_SCOPED char *common =
		bisect_git_line(NULL, GIT_ARGS("rev-parse", "--git-common-dir"), err);
	MEM_SCOPED char *git_dir =
		bisect_git_line(NULL, GIT_ARGS("rev-parse", "--absolute-git-dir"), err);
	b->common = common ? realpath(common, NULL) : NULL;
	b->here = git_dir && getenv("GIT_DIR") ? realpath(git_dir, NULL)
	          : git_dir                    ? realpath(".", NULL)
	                                       : NULL;
	if (!b->common || !b->here) {
		return err_as(err, ERR_USAGE);
	}
	return 0;
}

static char *find_commit(const char *option, const char *revision, struct err *err)
{
	struct err why;
	MEM_SCOPED char *spec = mem_printf("%s^{commit}", revision);
	char *id = bisect_git_line(
		NULL, GIT_ARGS("rev-parse", "--verify", "--quiet", "--end-of-options", spec), &why);
	if (!id)
		err_set(err, ERR_USAGE, "option --%s: there is no commit \"%s\"", option, revision);
	return id;
}

/* The result must not go where the test or what is reduced is. (Of directories, output_check sees
 * more.) */
static int check_apart(const struct bisection *b, struct err *err)
{
	const struct bisect_options *o = b->options;
	struct stat to, from;
	if (stat(o->out, &to) < 0 || !S_ISREG(to.st_mode))
		return 0;
	for (uint32_t i = 0; i <= o->n_files; i++)
		if (stat(i < o->n_files ? o->files[i] : b->test, &from) == 0 &&
		    io_is_same(&to, &from))
			return err_set(err, ERR_USAGE, "option --output: %s is %s", o->out,
			               i < o->n_files ? "the input" : "the test");
	return 0;
}

static int check_out(const struct bisection *b, struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	return check_apart(b, err) < 0 ? -1
	                               : output_check(&output, b->test, b->original->size, err);
}

char *bisection_out_line(const struct testcase *tc)
{
	return mem_printf(HASH_DIGITS "\n", HASH_OF(tc->hash));
}

/* Whether TC is what this very bisection has written before it was interrupted. */
static int was_written(void *bisection, const struct testcase *tc, UNUSED struct err *err)
{
	BUF_SCOPED struct buf written = { 0 };
	MEM_SCOPED char *note = bisection_path(bisection, "wrote-out"),
			*line = bisection_out_line(tc);
	return io_read_file(note, &written, NULL) == 0 && written.data &&
	       strstr(written.data, line);
}

static int check_out_free(struct bisection *b, struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, &b->input, b->options->out, NULL);
	return output_check_free(&output, was_written, b, err);
}

static int find_inputs(struct bisection *b, struct err *err)
{
	const struct bisect_options *o = b->options;
	if (bisect_check_test(o->test, err) < 0 || !(b->test = realpath(o->test, NULL)))
		return -1;
	if (input_find(&b->input, o->files, o->n_files, err) < 0 ||
	    !(b->original = input_read(&b->input, err)))
		return -1;
	b->operands = input_operands(&b->input);
	if (o->out && check_out(b, err) < 0)
		return -1;
	if (!(b->good = find_commit("good", o->good, err)) ||
	    !(b->bad = find_commit("bad", o->bad, err)))
		return -1;
	if (!strcmp(b->good, b->bad))
		return err_set(err, ERR_USAGE, "\"%s\" and \"%s\" are the same commit", o->good,
		               o->bad);
	return 0;
}

/* What answers depend on. */
static int identify(struct bisection *b, char key[17], struct err *err)
{
	const struct bisect_options *o = b->options;
	struct buf test = { 0 };
	if (io_read_file(b->test, &test, err) < 0)
		return -1;
	struct hash h = hash_bytes(test.data, test.len, b->original->hash.lo);
	buf_release(&test);
	for (char **operand = b->operands; *operand; operand++)
		h = hash_bytes(*operand, strlen(*operand) + 1, h.lo);
	MEM_SCOPED char *text = mem_printf("%s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s",
	                                   b->good, b->bad, o->input, o->repeat, o->timeout_ns,
	                                   o->memory_limit, o->build ? o->build : "", b->test);
	snprintf(key, 17, "%016" PRIx64, hash_bytes(text, strlen(text), h.lo).lo);
	return 0;
}

/* ---- the directory ---- */

static int make_dirs(const struct bisection *b, struct err *err)
{
	static const char *const parts[] = { "log", "trees", "built", "small" };
	int rc = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
		MEM_SCOPED char *path = mem_printf("%s/%s", b->dir, parts[i]);
		rc = io_make_dirs(path, strlen(b->common), err);
	}
	return rc;
}

static int open_dir(struct bisection *b, struct err *err)
{
	char key[17];
	pid_t owner;
	if (identify(b, key, err) < 0)
		return -1;
	b->dir = mem_printf("%s/whittle/.bisect/%s", b->common, key);
	if (make_dirs(b, err) < 0)
		return -1;
	b->name = mem_printf("bisect-%.12s", key);
	b->trees = (struct bisect_trees){ b->here, b->common, b->dir };
	b->judges = (struct judges){
		.options = b->options, .trees = &b->trees, .test = b->test, .operands = b->operands
	};
	MEM_SCOPED char *lock = bisection_path(b, "lock");
	b->lock = lock_take(lock, &owner, NULL, err);
	int rc = b->lock < 0 ? err_context(err, "this bisection") : judges_open(&b->judges, err);
	if (rc == 0)
		rc = bisect_trees_open(&b->trees, err);
	if (rc == 0)
		bisect_trees_remove(&b->trees); /* what a killed run was about to build */
	return rc;
}

int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err)
{
	*b = (struct bisection){ .options = options, .lock = -1 };
	if (find_repository(b, err) < 0 || find_inputs(b, err) < 0)
		return -1;
	git_leave_repository();
	if (open_dir(b, err) < 0)
		return -1;
	return options->out ? check_out_free(b, err) : 0;
}

void bisection_close(struct bisection *b, bool done)
{
	judges_end(&b->judges);
	if (b->lock >= 0) {
		bisect_trees_remove(&b->trees);
		if (done)
			io_remove_tree(AT_FDCWD, b->dir);
		MEM_SCOPED char *all = mem_printf("%s/whittle/.bisect", b->common);
		rmdir(all); /* unless there are others */
		close(b->lock);
	}
	judges_close(&b->judges);
	testcase_unref(b->original);
	mem_free_words(b->operands);
	input_release(&b->input);
	free(b->here);
	free(b->common);
	free(b->dir);
	free(b->test);
	free(b->good);
	free(b->bad);
	free(b->name);
}
