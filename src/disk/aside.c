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

int aside_place(struct input *in, const char *dir, char *const *operands, const struct testcase *tc,
                const char *like, struct err *err)
{
	SCOPED(output_release) struct output output = { 0 };
	char *single[] = { tc->is_tree ? NULL : (char *)(uintptr_t)tc->files[0].path, NULL };
	input_describe(in, dir, tc->is_tree ? operands : single);
	input_take_modes(in, tc);
	if (!tc->is_tree)
		in->operands[0].mode = like ? permissions_at(like, tc->files[0].mode)
		                            : permissions_new(tc->files[0].mode);
	output_init(&output, in, NULL, NULL);
	return make_parents(in, err) < 0 ? -1 : output_write(&output, tc, NULL, err);
}
