#include "disk/output_orig.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/replace_item.h"

#define ENDING "-o" /* behind the temporary name */

enum { TRIES = 1000 };

/* Does PATH hold all that of TC belongs to the target? */
static bool holds(const struct output_target *t, const struct testcase *tc, const char *path)
{
	const struct testcase_file *f = output_file(t, tc);
	if (f)
		return output_holds(path, true, f);
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const char *below = output_below(t, &tc->files[i]);
		if (!below)
			continue;
		MEM_SCOPED char *entry = mem_printf("%s/%s", path, below);
		bool held = output_holds(entry, false, &tc->files[i]);
		if (!held)
			return false;
	}
	return true;
}

/* Gives what was made as TEMP the name PATH, which nothing has. */
static int name_new(const struct output *o, const char *temp, const char *path)
{
	if (fault_strikes(o->faults, "file-rename"))
		return -1;
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	struct stat st;
	if ((errno != EINVAL && errno != ENOSYS) || lstat(path, &st) == 0)
		return -1;
	return rename(temp, path);
}

static int write_original(const struct output *o, const struct output_target *t,
                          const struct testcase *original, const char *path, struct err *err)
{
	MEM_SCOPED char *real = io_real_path(path),
			*temp = replacement_name(t->real, o->token, ENDING);
	io_remove_tree(AT_FDCWD, temp);
	int rc = output_make(o, t, original, temp);
	if (rc == 0 && t->is_dir)
		output_keep_times(t, original, temp);
	if (rc == 0)
		rc = name_new(o, temp, real);
	if (rc < 0)
		err_errno(err, "cannot write %s", path);
	io_remove_tree(AT_FDCWD, temp);
	return rc;
}

static void tell(const struct output *o, const struct output_target *t, const char *path)
{
	MEM_SCOPED char *message =
		mem_printf("%s.orig exists and holds something else, or cannot be read; the "
	                   "original is kept as %s",
	                   t->path, path);
	if (o->notice)
		o->notice(o->arg, message);
}

static int session_store_original(const struct output *o, const struct output_target *t,
                                  const struct testcase *original, struct err *err)
{
	char *path = mem_printf("%s.orig", t->path);
	struct stat st;
	int rc = 1;
	for (unsigned i = 1; rc > 0; i++) {
		if (lstat(path, &st) < 0) {
			rc = write_original(o, t, original, path, err);
			if (rc == 0 && i > 1)
				tell(o, t, path);
		} else if (holds(t, original, path)) {
			rc = 0;
		} else if (i == TRIES) {
			rc = err_set(err, ERR_USAGE, "%s.orig and %u more exist; move them away",
			             t->path, i - 1);
		} else {
			free(path);
			path = mem_printf("%s.orig.%u", t->path, i);
		}
	}
	free(path);
	return rc;
}

int output_keep_original(const struct output *output, const struct testcase *original,
                         struct err *err)
{
	int rc = 0;
	for (uint32_t i = 0; i < output->n_targets && output->in_place && rc == 0; i++)
		rc = session_store_original(output, &output->targets[i], original, err);
	return rc;
}
