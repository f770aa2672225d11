#include "disk/output_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/permissions.h"

const char *output_below(const struct output_target *t, const struct testcase_file *f)
{
	size_t n = strlen(t->inside);
	if (!n)
		return f->path;
	return !strncmp(f->path, t->inside, n) && f->path[n] == '/' ? f->path + n + 1 : NULL;
}

const struct testcase_file *output_file(const struct output_target *t, const struct testcase *tc)
{
	for (uint32_t i = 0; !t->is_dir && i < tc->n_files; i++)
		if (!strcmp(tc->files[i].path, t->inside))
			return &tc->files[i];
	return NULL;
}

/* Permissions like those of what is there under this name, or was at first. */
static mode_t mode_like(const struct output_target *t, const char *below, mode_t wanted)
{
	struct stat st;
	if (permissions_find(t->model, below, &st))
		return io_mode_like(&st) & (wanted & 0111 ? 07777 : 0666);
	return permissions_new(wanted);
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
	int rc = io_write_faulty(faults, "file-write", fd, f->data, testcase_file_size(f));
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

static int write_tree(const struct output *o, const struct output_target *t,
                      const struct testcase *tc, const char *temp)
{
	if (mkdir(temp, 0700) < 0)
		return -1;
	int dir = open(temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = dir < 0 ? -1 : 0;
	for (uint32_t i = 0; i < tc->n_files && rc == 0; i++) {
		const char *below = output_below(t, &tc->files[i]);
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

int output_make(const struct output *o, const struct output_target *t, const struct testcase *tc,
                const char *temp)
{
	const struct testcase_file *f = output_file(t, tc);
	return f ? io_write_new(o->faults, temp, f->data, testcase_file_size(f), t->mode)
	         : write_tree(o, t, tc, temp);
}
