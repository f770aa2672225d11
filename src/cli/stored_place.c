#include "cli/stored_place.h"

#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/output.h"
#include "disk/permissions.h"
#include "store/history.h"
#include "text/testcase.h"

/* The names of the operands of a snapshot like TC; the caller's. */
static char **operands_of(struct reduction *r, const struct testcase *tc, struct err *err)
{
	const char *single[] = { tc->is_tree ? NULL : tc->files[0].path, NULL };
	char **operands = tc->is_tree ? reduction_operands(r, err) : mem_copy_words(single);
	if (!operands || operands[0])
		return operands;
	mem_free_words(operands);
	err_set(err, ERR_USAGE, "reduction '%s' does not name the file that was reduced",
	        r->location.name);
	return NULL;
}

int stored_find(struct stored_place *p, struct reduction *r, const struct testcase *tc,
                const char *out, struct err *err)
{
	*p = (struct stored_place){ .out = out };
	SCOPED(mem_words_scoped) char **operands = operands_of(r, tc, err);
	MEM_SCOPED char *first = operands ? reduction_file(r, operands[0], err) : NULL;
	if (first)
		first[strlen(first) - strlen(operands[0]) - 1] = '\0';
	else if (!operands || !out)
		return -1;
	/* Where they belong does not matter then: they are in no directory of the user's. */
	input_describe(&p->in, first ? first : r->location.dir, operands);
	return 0;
}

void stored_release(struct stored_place *p)
{
	input_release(&p->in);
}

const char *stored_there(const struct stored_place *p)
{
	if (p->out)
		return access(p->out, F_OK) == 0 ? p->out : NULL;
	for (uint32_t i = 0; i < p->in.n_operands; i++)
		if (access(p->in.operands[i].path, F_OK) == 0)
			return p->in.operands[i].path;
	return NULL;
}

static struct testcase *read_file(const char *path, const struct testcase *model, struct err *err)
{
	struct buf bytes = { 0 };
	const struct io_bounds bounds = { .most = UINT32_MAX - 1, .regular = true };
	if (io_read_bounded(path, bounds, &bytes, err) < 0)
		return NULL;
	return testcase_like(model, mem_resize(bytes.data, bytes.len + 1, 1), (uint32_t)bytes.len);
}

struct testcase *stored_read(const struct stored_place *p, const struct testcase *model,
                             struct err *err)
{
	SCOPED(input_release) struct input found = { 0 };
	MEM_SCOPED const char **names = mem_zero(p->in.n_operands + (size_t)1, sizeof *names);
	for (uint32_t i = 0; i < p->in.n_operands; i++)
		names[i] = p->in.operands[i].path;
	if (!model->is_tree)
		return read_file(p->out ? p->out : names[0], model, err);
	int rc = p->out ? input_find_copy(&found, &p->in, p->out, err)
	                : input_find_result(&found, names, p->in.n_operands, err);
	return rc == 0 ? input_read(&found, err) : NULL;
}

static int knows(void *arg, const struct testcase *tc, struct err *err)
{
	return reduction_kept(arg, step_content(tc), err);
}

int stored_check(const struct stored_place *p, struct reduction *r, const struct testcase *model,
                 const char *hint, struct err *err)
{
	struct err why;
	SCOPED(output_release) struct output output = { 0 };
	const char *there = stored_there(p);
	if (p->out && model->is_tree) {
		output_init(&output, &p->in, p->out, NULL);
		return output_check_free(&output, knows, r, err);
	}
	if (!there)
		return 0;
	TESTCASE_SCOPED struct testcase *now = stored_read(p, model, &why);
	if (!now)
		return err_set(err, ERR_USAGE, "%s; %s", why.msg, hint);
	int known = knows(r, now, err);
	if (known == 0)
		err_set(err, ERR_USAGE, "%s holds something that is in no snapshot of '%s'; %s",
		        there, r->location.name, hint);
	return known > 0 ? 0 : -1;
}

int stored_check_apart(const struct stored_place *p, const char *out, const char *test,
                       struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, &p->in, out, NULL);
	if (io_same_file(p->in.operands[0].path, out))
		return err_set(err, ERR_USAGE, "option --output: %s is the reduced file", out);
	return output_check(&output, test, 0, err);
}

/* The operands come with the reduction: the first one's way was looked at when it was found. */
static int check_ways(const struct input *in, struct err *err)
{
	for (uint32_t i = 1; i < in->n_operands; i++)
		if (beneath_check(in->top, in->operands[i].inside) < 0)
			return err_set(err, ERR_USAGE,
			               "%s leads through a symbolic link or to another file "
			               "system; it is not written (use -o)",
			               in->operands[i].path);
	return 0;
}

/* Lists the temporary names of OUTPUT, which writes results of R. */
static int claim(const struct reduction *r, struct output *output, struct err *err)
{
	MEM_SCOPED char *list = location_path(&r->location, "temps");
	return output_claim(output, list, err);
}

int stored_keep_original(struct stored_place *p, struct reduction *r,
                         void (*notice)(void *, const char *), struct err *err)
{
	SCOPED(output_release) struct output output = { 0 };
	MEM_SCOPED char *path = location_path(&r->location, REDUCTION_BRANCH);
	if (access(path, F_OK) == 0)
		return 0;
	TESTCASE_SCOPED struct testcase *original = reduction_at(r, 0, err);
	if (!original)
		return -1;
	input_take_modes(&p->in, original);
	output_init(&output, &p->in, NULL, NULL);
	output.notice = notice;
	return claim(r, &output, err) < 0 ? -1 : output_keep_original(&output, original, err);
}

int stored_write(struct stored_place *p, const struct reduction *locked, const struct testcase *tc,
                 struct err *err)
{
	struct stat st;
	SCOPED(output_release) struct output output = { 0 };
	if (!p->out && check_ways(&p->in, err) < 0)
		return -1;
	input_take_modes(&p->in, tc);
	MEM_SCOPED char *there =
		p->out && !tc->is_tree ? permissions_find(p->out, NULL, &st) : NULL;
	if (there)
		p->in.operands[0].mode = permissions_at(p->out, tc->files[0].mode);
	output_init(&output, &p->in, p->out, NULL);
	if (locked && claim(locked, &output, err) < 0)
		return -1;
	return output_write(&output, tc, NULL, err);
}
