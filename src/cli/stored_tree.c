#include "cli/stored_tree.h"

#include <errno.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/claim.h"
#include "disk/input.h"
#include "disk/leftovers.h"
#include "disk/output.h"
#include "disk/permissions.h"
#include "disk/replace.h"
#include "store/history.h"
#include "text/testcase.h"

int stored_tree_find(struct reduction *r, struct input *in, struct err *err)
{
	char **operands = reduction_operands(r, err), *first = NULL;
	int rc = operands ? 0 : -1;
	*in = (struct input){ 0 };
	if (rc == 0 && !operands[0])
		rc = err_set(err, ERR_USAGE,
		             "reduction '%s' does not name the file that was reduced",
		             r->location.name);
	if (rc == 0 && !(first = reduction_file(r, operands[0], err)))
		rc = -1;
	if (rc == 0) {
		first[strlen(first) - strlen(operands[0]) - 1] = '\0';
		input_describe(in, first, operands);
	}
	free(first);
	mem_free_words(operands);
	return rc;
}

/* The first operand that is there; NULL: none is. */
static const char *first_there(const struct input *in)
{
	for (uint32_t i = 0; i < in->n_operands; i++)
		if (access(in->operands[i].path, F_OK) == 0)
			return in->operands[i].path;
	return NULL;
}

bool stored_tree_exists(const struct input *in)
{
	return first_there(in) != NULL;
}

int stored_tree_check(struct reduction *r, const struct input *in, const char *hint,
                      struct err *err)
{
	SCOPED(input_release) struct input now = { 0 };
	MEM_SCOPED const char **names = mem_zero(in->n_operands + (size_t)1, sizeof *names);
	for (uint32_t i = 0; i < in->n_operands; i++)
		names[i] = in->operands[i].path;
	TESTCASE_SCOPED struct testcase *tc =
		input_find_result(&now, names, in->n_operands, NULL) == 0 ? input_read(&now, NULL)
									  : NULL;
	int known = tc ? reduction_has(r, step_content(tc), err) : 0;
	if (known == 0 && stored_tree_exists(in))
		err_set(err, ERR_USAGE, "%s holds something that is in no snapshot of '%s'; %s",
		        first_there(in), r->location.name, hint);
	else if (known == 0)
		known = 1;
	return known > 0 ? 0 : -1;
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

static int knows(void *arg, const struct testcase *tc, struct err *err)
{
	return reduction_has(arg, step_content(tc), err);
}

int stored_tree_check_free(struct reduction *r, const struct input *in, const char *out,
                           struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, in, out, NULL);
	return output_check_free(&output, knows, r, err);
}

int stored_tree_check_apart(const struct input *in, const char *out, const char *test,
                            struct err *err)
{
	SCOPED(output_release) struct output output;
	output_init(&output, in, out, NULL);
	return output_check(&output, test, 0, err);
}

/* Lists the temporary names of OUTPUT, which writes results of R. */
static int claim(const struct reduction *r, struct output *output, struct err *err)
{
	MEM_SCOPED char *list = location_path(&r->location, "temps");
	return output_claim(output, list, err);
}

int stored_tree_keep_original(struct reduction *r, struct input *in,
                              void (*notice)(void *, const char *), struct err *err)
{
	struct reduction first = *r;
	struct output output;
	MEM_SCOPED char *path = location_path(&r->location, REDUCTION_BRANCH);
	bool is_branch = access(path, F_OK) == 0;
	if (is_branch)
		return 0;
	first.at = 0;
	TESTCASE_SCOPED struct testcase *original = reduction_testcase(&first, err);
	r->location.prefix = first.location.prefix; /* found on the way */
	if (!original)
		return -1;
	input_take_modes(in, original);
	output_init(&output, in, NULL, NULL);
	output.notice = notice;
	int rc = claim(r, &output, err);
	if (rc == 0)
		rc = output_keep_original(&output, original, err);
	output_release(&output);
	return rc;
}

int stored_tree_write(const struct stored_tree *to, const struct testcase *tc, struct err *err)
{
	struct output output;
	if (!to->out && check_ways(to->in, err) < 0)
		return -1;
	input_take_modes(to->in, tc);
	output_init(&output, to->in, to->out, NULL);
	int rc = to->locked ? claim(to->locked, &output, err) : 0;
	if (rc == 0)
		rc = output_write(&output, tc, NULL, err);
	output_release(&output);
	return rc;
}

struct testcase *stored_file_read(const char *path, const struct testcase *model, struct err *err)
{
	struct buf bytes = { 0 };
	const struct io_bounds bounds = { .most = UINT32_MAX - 1, .regular = true };
	if (io_read_bounded(path, bounds, &bytes, err) < 0)
		return NULL;
	return testcase_like(model, mem_resize(bytes.data, bytes.len + 1, 1), (uint32_t)bytes.len);
}

int stored_file_check(struct reduction *r, const char *path, const struct testcase *model,
                      const char *hint, struct err *err)
{
	struct err unreadable;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	TESTCASE_SCOPED struct testcase *now = stored_file_read(path, model, &unreadable);
	if (!now)
		return err_set(err, ERR_USAGE, "%s; %s", unreadable.msg, hint);
	int known = reduction_has(r, step_content(now), err);
	if (known == 0)
		err_set(err, ERR_USAGE, "%s holds something that is in no snapshot of '%s'; %s",
		        path, r->location.name, hint);
	return known > 0 ? 0 : -1;
}

/* The permissions for PATH. */
static mode_t file_mode(struct reduction *r, const char *path, const struct testcase *tc)
{
	struct stat st;
	MEM_SCOPED char *file = NULL, *found = permissions_find(path, NULL, &st);
	if (!found)
		file = reduction_file(r, tc->files[0].path, NULL);
	mode_t mode = permissions_at(file ? file : path, tc->files[0].mode);
	return mode;
}

int stored_file_write(struct reduction *r, const char *path, const struct testcase *tc,
                      struct err *err)
{
	struct replacement new;
	char token[REPLACE_TOKEN], *real = io_real_path(path);
	MEM_SCOPED char *list = location_path(&r->location, "temps");
	replacement_token(token);
	IO_SCOPED int claimed = claim_take(real, path, err);
	int rc = claimed == -1 ? -1 : leftovers_claim(list, &real, 1, token, err);
	if (rc == 0) {
		replacement_init(&new, real, token, NULL);
		const char *temp = replacement_add(&new, real, NULL);
		const struct io_form form = { file_mode(r, path, tc), real };
		if (io_write_new(NULL, temp, tc->bytes, tc->size, form) < 0 ||
		    replacement_commit(&new) < 0)
			rc = err_errno(err, "cannot write %s", path);
		replacement_release(&new);
	}
	free(real);
	return rc;
}

int stored_file_export(struct reduction *r, const char *path, const struct testcase *tc,
                       struct err *err)
{
	return io_replace_file(path, tc->bytes, tc->size, file_mode(r, path, tc), err);
}
