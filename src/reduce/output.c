#include "reduce/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "reduce/replace.h"

void output_init(struct output *output, const struct input *input, const char *out,
                 struct faults *faults)
{
	uint32_t n = out ? 1 : input->n_operands;
	*output = (struct output){
		.input = input, .faults = faults, .in_place = !out, .n_targets = n
	};
	output->targets = mem_zero(n, sizeof *output->targets);
	for (uint32_t i = 0; i < n; i++) {
		const struct input_operand *o = &input->operands[i];
		output->targets[i] =
			(struct output_target){ .path = mem_strdup(out ? out : o->name),
			                        .inside = o->inside,
			                        .model = o->path,
			                        .is_dir = o->is_dir,
			                        .mode = o->mode };
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

/* Is PATH the directory DIR, or in it? Both are real. */
static bool is_within(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	return !strncmp(path, dir, n) && (!path[n] || path[n] == '/');
}

/* May the directory that is at the target be exchanged with another one? REAL is its path with
 * links resolved. */
static int check_directory(const struct output_target *t, const char *real, const char *test,
                           struct err *err)
{
	struct stat here, above;
	if (lstat(real, &here) < 0)
		return 0;
	if (!S_ISDIR(here.st_mode))
		return err_set(err, ERR_USAGE, "%s is not a directory", t->path);
	char *parent = mem_printf("%s/..", real), *cwd = realpath(".", NULL);
	bool is_mount = stat(parent, &above) == 0 && above.st_dev != here.st_dev;
	int rc = 0;
	if (is_mount)
		rc = err_set(err, ERR_USAGE, "%s is a mount point and cannot be replaced; use -o",
		             t->path);
	else if (cwd && is_within(cwd, real))
		rc = err_set(err, ERR_USAGE,
		             "%s would be replaced under whoever works in it; start whittle in "
		             "another directory, "
		             "or use -o with another place",
		             t->path);
	else if (is_within(test, real))
		rc = err_set(err, ERR_USAGE,
		             "the interestingness test %s is in %s, which is reduced; put it "
		             "somewhere else",
		             test, t->path);
	free(parent);
	free(cwd);
	return rc;
}

/* A new directory must not lie in what is reduced. */
static int check_apart(const struct output *o, const char *real, struct err *err)
{
	for (uint32_t i = 0; !o->in_place && i < o->input->n_operands; i++) {
		const struct input_operand *operand = &o->input->operands[i];
		char *from = io_real_path(operand->path);
		bool within = operand->is_dir && is_within(real, from),
		     above = o->targets[0].is_dir && is_within(from, real);
		free(from);
		if (within || above)
			return err_set(err, ERR_USAGE,
			               within ? "%s is in %s, which is reduced"
			                      : "%s would be replaced with %s in it",
			               o->targets[0].path, operand->name);
	}
	return 0;
}

static int check_target(const struct output *o, const struct output_target *t, const char *test,
                        uint32_t size, struct err *err)
{
	struct stat here, of_test;
	char *real = io_real_path(t->path), *probe = io_temp_name(real);
	int rc = check_apart(o, real, err);
	if (rc == 0 && !t->is_dir && stat(t->path, &here) == 0 &&
	    !S_ISREG(here.st_mode)) /* a device would become a file */
		rc = err_set(err, ERR_USAGE, "%s is not a file", t->path);
	if (rc == 0 && !t->is_dir && stat(t->path, &here) == 0 && stat(test, &of_test) == 0 &&
	    here.st_dev == of_test.st_dev && here.st_ino == of_test.st_ino)
		rc = err_set(err, ERR_USAGE, "%s is the test", t->path);
	if (rc == 0 && t->is_dir)
		rc = check_directory(t, real, test, err);
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
	free(probe);
	free(real);
	return rc;
}

int output_check(const struct output *output, const char *test, uint32_t size, struct err *err)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		if (check_target(output, &output->targets[i], test, size, err) < 0)
			return -1;
	return 0;
}

int output_check_free(const struct output *output, struct err *err)
{
	const struct output_target *t = &output->targets[0];
	DIR *dir = output->in_place || !t->is_dir ? NULL : opendir(t->path);
	bool holds = false;
	for (struct dirent *e; dir && (e = readdir(dir));)
		holds = holds || (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0);
	if (dir)
		closedir(dir);
	return holds ? err_set(err, ERR_USAGE, "%s is not empty; what is in it would be lost",
	                       t->path)
	             : 0;
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

/* ---- directories ---- */

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
		mode = st.st_mode & (wanted & 0111 ? 07777 : 0666);
	free(path);
	return mode;
}

/* Makes the directory LEAF in DIR with all of its permission bits: mkdir leaves out some, and what
 * the umask says. */
static int make_directory(const struct output_target *t, int dir, const char *leaf,
                          const char *below)
{
	if (mkdirat(dir, leaf, 0700) < 0)
		return -1;
	return fchmodat(dir, leaf, mode_like(t, below, 0777) | S_IRWXU, 0);
}

/* Makes the directories above BELOW. */
static void make_parents(const struct output_target *t, int dir, const char *below)
{
	char *path = mem_strdup(below);
	const char *leaf;
	for (char *p = path; (p = strchr(p, '/')); p++) {
		*p = '\0';
		int parent = beneath_parent(dir, path, &leaf);
		if (parent >= 0) {
			make_directory(t, parent, leaf,
			               path); /* it may be there; that it is missing
			                         shows when something is put there */
			close(parent);
		}
		*p = '/';
	}
	free(path);
}

static int write_bytes(struct faults *faults, int dir, const char *leaf,
                       const struct testcase_file *f, mode_t mode)
{
	int fd = openat(dir, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
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

static int write_link(int dir, const char *leaf, const struct testcase_file *f)
{
	char *to = mem_printf("%.*s", (int)testcase_file_size(f), (const char *)f->data);
	int rc = symlinkat(to, dir, leaf);
	free(to);
	return rc;
}

static int write_entry(const struct output *o, const struct output_target *t, int dir,
                       const char *below, const struct testcase_file *f)
{
	const char *leaf;
	int parent = beneath_parent(dir, below, &leaf);
	if (parent < 0 && errno == ENOENT) {
		make_parents(t, dir, below);
		parent = beneath_parent(dir, below, &leaf);
	}
	if (parent < 0)
		return -1;
	int rc = S_ISDIR(f->mode) ? make_directory(t, parent, leaf, below)
	         : S_ISLNK(f->mode)
	                 ? write_link(parent, leaf, f)
	                 : write_bytes(o->faults, parent, leaf, f, mode_like(t, below, f->mode));
	int saved = errno;
	close(parent);
	errno = saved;
	return rc;
}

/* Writes what of TC belongs to the target as the new directory TEMP, and brings it to the disk. */
static int write_tree(const struct output *o, const struct output_target *t,
                      const struct testcase *tc, const char *temp)
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

/* ---- targets ---- */

/* The entry that a target of a single file is; NULL: it is a directory. */
static const struct testcase_file *target_file(const struct output_target *t,
                                               const struct testcase *tc)
{
	for (uint32_t i = 0; !t->is_dir && i < tc->n_files; i++)
		if (!strcmp(tc->files[i].path, t->inside))
			return &tc->files[i];
	return NULL;
}

static bool target_differs(const struct output_target *t, const struct testcase *a,
                           const struct testcase *b)
{
	const struct testcase_file *x = target_file(t, a), *y = target_file(t, b);
	if (!x || !y)
		return true;
	return testcase_file_size(x) != testcase_file_size(y) ||
	       memcmp(x->data, y->data, testcase_file_size(x)) != 0;
}

/* Makes what of TC belongs to the target, for PATH. */
static int add_target(const struct output *o, const struct output_target *t,
                      const struct testcase *tc, const char *path, struct replacement *r,
                      struct err *err)
{
	const struct testcase_file *f = target_file(t, tc);
	const char *temp = replacement_add(r, path);
	int rc = f ? io_write_new(o->faults, temp, f->data, testcase_file_size(f), t->mode)
	           : write_tree(o, t, tc, temp);
	return rc < 0 ? err_errno(err, "cannot write %s", path) : 0;
}

static int commit(struct replacement *r, const char *path, struct err *err)
{
	int rc = replacement_commit(r);
	if (rc < 0)
		err_errno(err, "cannot write %s", path);
	replacement_release(r);
	return rc;
}

/* Makes PATH hold what of TC belongs to T. */
static int write_target(const struct output *o, const struct output_target *t,
                        const struct testcase *tc, const char *path, struct err *err)
{
	struct replacement r;
	replacement_init(&r, path, o->faults);
	if (add_target(o, t, tc, path, &r, err) == 0)
		return commit(&r, path, err);
	replacement_release(&r);
	return -1;
}

int output_keep_original(const struct output *output, const struct testcase *original, bool clean,
                         struct err *err)
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

int output_write(struct output *output, const struct testcase *tc, const struct testcase *before,
                 struct err *err)
{
	uint64_t start = io_now();
	struct replacement r;
	replacement_init(&r, output->targets[0].path, output->faults);
	for (uint32_t i = 0; i < output->n_targets; i++) {
		const struct output_target *t = &output->targets[i];
		if (before && output->n_targets > 1 && !target_differs(t, tc, before))
			continue;
		if (add_target(output, t, tc, t->path, &r, err) < 0) {
			replacement_release(&r);
			return -1;
		}
	}
	int rc = commit(&r, output->targets[0].path, err);
	output->cost_ns = io_now() - start;
	return rc;
}
