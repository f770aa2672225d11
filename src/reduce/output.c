#include "reduce/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"

void output_init(struct output *output, const struct input *input, const char *out, struct faults *faults)
{
	uint32_t n = out ? 1 : input->n_operands;
	*output = (struct output){ .input = input, .faults = faults, .in_place = !out, .n_targets = n };
	output->targets = mem_zero(n, sizeof *output->targets);
	for (uint32_t i = 0; i < n; i++) {
		const struct input_operand *o = &input->operands[i];
		output->targets[i] = (struct output_target){ .path = mem_strdup(out ? out : o->name), .inside = o->inside,
							     .model = o->path, .is_dir = o->is_dir, .mode = o->mode };
		size_t len = strlen(output->targets[i].path);
		while (len > 1 && output->targets[i].path[len - 1] == '/')
			output->targets[i].path[--len] = '\0';
	}
	if (out && input->n_operands > 1) {
		output->targets[0].inside = "";
		output->targets[0].model = input->top;
		output->targets[0].is_dir = true;
	}
}

void output_release(struct output *output)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		free(output->targets[i].path);
	free(output->targets);
	*output = (struct output){ 0 };
}

/* PATH with links resolved, when it is there; the caller's. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);
	return real ? real : mem_strdup(path);
}

static int check_target(const struct output_target *t, uint32_t size, struct err *err)
{
	struct stat here, above;
	char *real = real_path(t->path);
	char *probe = mem_printf("%s.whittle-%ld", real, (long)getpid()), *parent = mem_printf("%s/..", real);
	int rc = 0;
	if (t->is_dir && lstat(real, &here) == 0) {
		if (!S_ISDIR(here.st_mode))
			rc = err_set(err, ERR_USAGE, "%s is not a directory", t->path);
		else if (stat(parent, &above) == 0 && above.st_dev != here.st_dev)
			rc = err_set(err, ERR_USAGE, "%s is a mount point and cannot be replaced; use -o", t->path);
	}
	int fd = rc < 0 ? -1 : open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (rc == 0 && fd < 0)
		rc = err_errno(err, "cannot write the result beside %s", t->path);
	if (rc == 0 && posix_fallocate(fd, 0, size) == ENOSPC) {
		errno = ENOSPC;
		rc = err_errno(err, "cannot write the result beside %s", t->path);
	}
	if (fd >= 0) {
		close(fd);
		unlink(probe);
	}
	free(parent);
	free(probe);
	free(real);
	return rc;
}

int output_check(const struct output *output, uint32_t size, struct err *err)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		if (check_target(&output->targets[i], size, err) < 0)
			return -1;
	return 0;
}

void output_remove_leftovers(const struct output *output)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		io_remove_leftovers(output->targets[i].path);
}

bool output_exists(const struct output *output)
{
	return access(output->targets[0].path, F_OK) == 0;
}

/* --- directories -------------------------------------------------------------------------------------------------- */

/* What of F's path is below the target; NULL when F does not go there. */
static const char *path_below(const struct output_target *t, const struct testcase_file *f)
{
	size_t n = strlen(t->inside);
	if (!n)
		return f->path;
	return !strncmp(f->path, t->inside, n) && f->path[n] == '/' ? f->path + n + 1 : NULL;
}

/* Permissions like those of what was there under this name. */
static mode_t mode_like(const struct output_target *t, const char *below, mode_t wanted)
{
	struct stat st;
	char *path = mem_printf("%s/%s", t->model, below);
	mode_t mask = umask(0), mode = wanted & ~mask;
	umask(mask);
	if (lstat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		mode = st.st_mode & (wanted & 0111 ? 07777 : 07666);
	free(path);
	return mode;
}

/* Makes the directories above BELOW. */
static void make_parents(const struct output_target *t, int dir, const char *below)
{
	char *path = mem_strdup(below);
	for (char *p = path; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdirat(dir, path, mode_like(t, path, 0777) | S_IRWXU); /* that it is missing shows when something is put there */
		*p = '/';
	}
	free(path);
}

static int write_bytes(struct faults *faults, int dir, const char *below, const struct testcase_file *f, mode_t mode)
{
	int fd = openat(dir, below, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	int rc = fault_write(faults, "file-write", fd, f->data, testcase_file_size(f));
	if (rc == 0)
		rc = fchmod(fd, mode);
	int saved = errno;
	if (close(fd) < 0 && rc == 0)
		return -1;
	errno = saved;
	return rc;
}

static int write_link(int dir, const char *below, const struct testcase_file *f)
{
	char *to = mem_printf("%.*s", (int)testcase_file_size(f), (const char *)f->data);
	int rc = symlinkat(to, dir, below);
	free(to);
	return rc;
}

static int write_entry(const struct output *o, const struct output_target *t, int dir, const char *below,
                       const struct testcase_file *f)
{
	make_parents(t, dir, below);
	if (S_ISDIR(f->mode))
		return mkdirat(dir, below, mode_like(t, below, 0777) | S_IRWXU);
	if (S_ISLNK(f->mode))
		return write_link(dir, below, f);
	return write_bytes(o->faults, dir, below, f, mode_like(t, below, f->mode));
}

/* Writes what of TC belongs to the target as the new directory TEMP, and brings it to the disk. */
static int write_tree(const struct output *o, const struct output_target *t, const struct testcase *tc, const char *temp)
{
	if (mkdir(temp, 0700) < 0)
		return -1;
	int dir = open(temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = dir < 0 ? -1 : 0;
	for (uint32_t i = 0; i < tc->n_files && rc == 0; i++) {
		const char *below = path_below(t, &tc->files[i]);
		if (below)
			rc = write_entry(o, t, dir, below, &tc->files[i]);
	}
	if (rc == 0)
		rc = fchmod(dir, mode_like(t, ".", 0777) | S_IRWXU);
	if (rc == 0)
		rc = fault_strikes(o->faults, "file-fsync") ? -1 : syncfs(dir);
	int saved = errno;
	if (dir >= 0)
		close(dir);
	errno = saved;
	return rc;
}

/* Puts the directory TEMP in the place of PATH; what was there, if anything, is then called TEMP. */
static int exchange(const char *temp, const char *path)
{
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno == ENOENT)
		return rename(temp, path);
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	char *aside = mem_printf("%s-", temp);
	int rc = rename(path, aside);
	if (rc == 0 && (rc = rename(temp, path)) < 0)
		rename(aside, path);
	if (rc == 0)
		rename(aside, temp); /* where it is removed */
	free(aside);
	return rc;
}

/* Makes PATH hold what of TC belongs to T. */
static int replace_tree(const struct output *o, const struct output_target *t, const struct testcase *tc, const char *path,
                        struct err *err)
{
	char *real = real_path(path), *temp = mem_printf("%s.whittle-%ld", real, (long)getpid());
	io_remove_tree(AT_FDCWD, temp);
	int rc = write_tree(o, t, tc, temp);
	if (rc == 0)
		rc = fault_strikes(o->faults, "file-rename") ? -1 : exchange(temp, real);
	if (rc < 0)
		err_errno(err, "cannot write %s", path);
	io_remove_tree(AT_FDCWD, temp);
	free(temp);
	free(real);
	return rc;
}

/* --- targets ------------------------------------------------------------------------------------------------------ */

/* The entry that a target of a single file is; NULL: it is a directory. */
static const struct testcase_file *target_file(const struct output_target *t, const struct testcase *tc)
{
	for (uint32_t i = 0; !t->is_dir && i < tc->n_files; i++)
		if (!strcmp(tc->files[i].path, t->inside))
			return &tc->files[i];
	return NULL;
}

static bool target_differs(const struct output_target *t, const struct testcase *a, const struct testcase *b)
{
	const struct testcase_file *x = target_file(t, a), *y = target_file(t, b);
	if (!x || !y)
		return true;
	return testcase_file_size(x) != testcase_file_size(y) || memcmp(x->data, y->data, testcase_file_size(x)) != 0;
}

static int write_target(const struct output *o, const struct output_target *t, const struct testcase *tc, const char *path,
                        struct err *err)
{
	const struct testcase_file *f = target_file(t, tc);
	if (!f)
		return replace_tree(o, t, tc, path, err);
	return io_replace_file_faulty(o->faults, path, f->data, testcase_file_size(f), t->mode, err);
}

int output_keep_original(const struct output *output, const struct testcase *original, bool clean, struct err *err)
{
	int rc = 0;
	for (uint32_t i = 0; i < output->n_targets && output->in_place && rc == 0; i++) {
		const struct output_target *t = &output->targets[i];
		char *orig = mem_printf("%s.orig", t->path);
		if (clean)
			io_remove_leftovers(orig);
		if (access(orig, F_OK) < 0)
			rc = write_target(output, t, original, orig, err);
		free(orig);
	}
	return rc;
}

int output_write(struct output *output, const struct testcase *tc, const struct testcase *before, struct err *err)
{
	uint64_t start = io_now();
	for (uint32_t i = 0; i < output->n_targets; i++) {
		const struct output_target *t = &output->targets[i];
		if (before && output->n_targets > 1 && !target_differs(t, tc, before))
			continue;
		if (write_target(output, t, tc, t->path, err) < 0)
			return -1;
	}
	output->cost_ns = io_now() - start;
	return 0;
}
