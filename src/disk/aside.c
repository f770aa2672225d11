#include "disk/aside.h"

#include "base/io.h"
#include "base/mem.h"
#include "disk/output.h"
#include "disk/permissions.h"

char *aside_dir(const char *common, const char *name)
{
	return mem_printf("%swhittle/%s/original", common, name);
}

/* The directories above the operands, which are not made with these. */
static int make_parents(const struct input *in, struct err *err)
{
	int rc = 0;
	for (uint32_t i = 0; i < in->n_operands && rc == 0; i++) {
		MEM_SCOPED char *dir = mem_strdup(in->operands[i].path);
		*strrchr(dir, '/') = '\0';
		rc = io_make_dirs(dir, 0, err);
	}
	return rc;
}

static int place_tree(const char *dir, char *const *operands, const struct testcase *tc,
                      struct err *err)
{
	SCOPED(input_release) struct input in;
	SCOPED(output_release) struct output output;
	input_describe(&in, dir, operands);
	input_take_modes(&in, tc);
	output_init(&output, &in, NULL, NULL);
	int rc = make_parents(&in, err);
	if (rc == 0)
		rc = output_write(&output, tc, NULL, err);
	return rc;
}

char *aside_place(const char *dir, char *const *operands, const struct testcase *tc,
                  const char *like, struct err *err)
{
	mode_t mode = tc->is_tree ? 0
	              : like      ? permissions_at(like, tc->files[0].mode)
	                          : permissions_new(tc->files[0].mode);
	const char *first = tc->is_tree ? operands[0] : tc->files[0].path;
	const char *slash = tc->is_tree ? NULL : strrchr(first, '/');
	size_t len = strlen(first);
	bool is_dir = tc->is_tree && len && first[len - 1] == '/';
	char *path = slash ? mem_printf("%s%s", dir, slash)
	                   : mem_printf("%s/%.*s", dir, (int)(len - is_dir), first);
	if (io_make_dirs(dir, 0, err) == 0 &&
	    (tc->is_tree ? place_tree(dir, operands, tc, err)
	                 : io_replace_file(path, tc->bytes, tc->size, mode, err)) == 0)
		return path;
	free(path);
	return NULL;
}
