#include "disk/output_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/map.h"
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

/* ---- what a path holds ---- */

static bool holds_bytes(const char *path, const struct testcase_file *f)
{
	BUF_SCOPED struct buf bytes = { 0 };
	struct stat st;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size != testcase_file_size(f) || io_read_file(path, &bytes, NULL) < 0)
		return false;
	return bytes.len == testcase_file_size(f) && !memcmp(bytes.data, f->data, bytes.len);
}

static bool holds_link(const char *path, const struct testcase_file *f)
{
	uint32_t len = testcase_file_size(f);
	MEM_SCOPED char *to = mem_alloc(len + (size_t)1);
	ssize_t n = readlink(path, to, len + (size_t)1);
	return n == (ssize_t)len && !memcmp(to, f->data, len);
}

bool output_holds(const char *path, bool follow, const struct testcase_file *f)
{
	struct stat st;
	if ((follow ? stat(path, &st) : lstat(path, &st)) < 0)
		return false;
	if (S_ISDIR(f->mode) || S_ISLNK(f->mode))
		return (st.st_mode & S_IFMT) == (f->mode & S_IFMT) &&
		       (S_ISDIR(f->mode) || holds_link(path, f));
	return S_ISREG(st.st_mode) && holds_bytes(path, f);
}

/* ---- what an entry has besides its content ---- */

/* Results in place have what was there; elsewhere a result is new, and has the permissions only. */
struct making {
	const struct output *o;
	const struct output_target *t;
	const struct testcase *tc;
	int dir;
	struct map links; /* by inode: entries of TC that had several names */
};

/* Permissions like those of what is there under this name, or was at first. *like is the caller's;
 * NULL: nothing else is to be like it. */
static struct io_form form_of(const struct making *m, const char *below, mode_t wanted, char **like)
{
	struct stat st;
	*like = permissions_find(m->t->model, below, &st);
	mode_t mode = !*like ? permissions_new(wanted)
	                     : (m->o->in_place ? st.st_mode : io_mode_like(&st)) &
	                               (wanted & 0111 ? 07777 : 0666);
	return (struct io_form){ mode, m->o->in_place ? *like : NULL };
}

/* LEAF in DIR, which holds what PATH holds, has its times; and where it is a link its owner. */
static void keep_times(int dir, const char *leaf, const char *path)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return;
	if (S_ISLNK(st.st_mode))
		(void)!fchownat(dir, leaf, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW);
	utimensat(dir, leaf, (struct timespec[]){ st.st_atim, st.st_mtim }, AT_SYMLINK_NOFOLLOW);
}

/* Of an entry that has not changed. */
static void keep_times_of(const struct making *m, int parent, const char *leaf, const char *below,
                          const struct testcase_file *f)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", m->t->model, below);
	if (m->o->in_place && output_holds(path, false, f))
		keep_times(parent, leaf, path);
}

/* ---- a tree ---- */

/* Makes the directory LEAF in DIR with all of its permission bits: mkdir leaves out some, and what
 * the umask says. */
static int make_directory(const struct making *m, int dir, const char *leaf, const char *below)
{
	char *like;
	if (mkdirat(dir, leaf, 0700) < 0)
		return -1;
	struct io_form form = form_of(m, below, 0777, &like);
	form.mode |= S_IRWXU;
	int fd = openat(dir, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc = fd < 0 ? -1 : io_give_form(fd, form);
	int saved = errno;
	io_close(fd);
	free(like);
	errno = saved;
	return rc;
}

/* Makes the directories above BELOW. */
static void make_parents(const struct making *m, const char *below)
{
	char *path = mem_strdup(below);
	const char *leaf;
	for (char *p = path; (p = strchr(p, '/')); p++) {
		*p = '\0';
		int parent = beneath_parent(m->dir, path, &leaf);
		if (parent >= 0) {
			make_directory(m, parent, leaf,
			               path); /* it may be there; that it is missing
			                         shows when something is put there */
			close(parent);
		}
		*p = '/';
	}
	free(path);
}

/* Was BELOW another name of an entry that is in the tree already, and holds the same? Then it is
 * again. */
static bool link_again(struct making *m, int parent, const char *leaf, const char *below,
                       const struct testcase_file *f)
{
	struct stat st, other;
	bool linked = false;
	MEM_SCOPED char *path = mem_printf("%s/%s", m->t->model, below);
	if (!m->o->in_place || lstat(path, &st) < 0 || st.st_nlink < 2)
		return false;
	size_t at;
	uint64_t key = hash_bytes(&st.st_ino, sizeof st.st_ino, st.st_dev).lo;
	for (uint32_t i = map_first(&m->links, key, &at); i != MAP_END && !linked;
	     i = map_next(&m->links, key, &at)) {
		const struct testcase_file *g = &m->tc->files[i];
		const char *there = output_below(m->t, g);
		MEM_SCOPED char *model = mem_printf("%s/%s", m->t->model, there);
		linked = lstat(model, &other) == 0 && io_is_same(&other, &st) &&
		         g->mode == f->mode && testcase_file_size(g) == testcase_file_size(f) &&
		         !memcmp(g->data, f->data, testcase_file_size(f)) &&
		         linkat(m->dir, there, parent, leaf, 0) == 0;
	}
	if (!linked)
		map_add(&m->links, key, (uint32_t)(f - m->tc->files));
	return linked;
}

static int write_bytes(struct making *m, int dir, const char *leaf, const char *below,
                       const struct testcase_file *f)
{
	if (link_again(m, dir, leaf, below, f))
		return 0;
	int fd = openat(dir, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	char *like;
	const struct io_form form = form_of(m, below, f->mode, &like);
	int rc = io_write_faulty(m->o->faults, "file-write", fd, f->data, testcase_file_size(f));
	if (rc == 0)
		rc = io_give_form(fd, form);
	free(like);
	return io_close_after(fd, rc);
}

static int write_link(int dir, const char *leaf, const struct testcase_file *f)
{
	MEM_SCOPED char *to = mem_printf("%.*s", (int)testcase_file_size(f), (const char *)f->data);
	return symlinkat(to, dir, leaf);
}

static int write_entry(struct making *m, const char *below, const struct testcase_file *f)
{
	const char *leaf;
	IO_SCOPED int parent = beneath_parent(m->dir, below, &leaf);
	if (parent < 0 && errno == ENOENT) {
		make_parents(m, below);
		parent = beneath_parent(m->dir, below, &leaf);
	}
	if (parent < 0)
		return -1;
	int rc = S_ISDIR(f->mode)   ? make_directory(m, parent, leaf, below)
	         : S_ISLNK(f->mode) ? write_link(parent, leaf, f)
	                            : write_bytes(m, parent, leaf, below, f);
	if (rc == 0)
		keep_times_of(m, parent, leaf, below, f);
	return rc;
}

static int fill_tree(struct making *m)
{
	int rc = 0;
	char *like;
	for (uint32_t i = 0; i < m->tc->n_files && rc == 0; i++) {
		const char *below = output_below(m->t, &m->tc->files[i]);
		if (below)
			rc = write_entry(m, below, &m->tc->files[i]);
	}
	struct io_form form = form_of(m, ".", 0777, &like);
	form.mode |= S_IRWXU;
	if (rc == 0)
		rc = io_give_form(m->dir, form);
	free(like);
	if (rc == 0)
		rc = fault_strikes(m->o->faults, "file-fsync") ? -1 : syncfs(m->dir);
	return rc;
}

static int write_tree(const struct output *o, const struct output_target *t,
                      const struct testcase *tc, const char *temp)
{
	if (mkdir(temp, 0700) < 0)
		return -1;
	struct making m = { o, t, tc, open(temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC), { 0 } };
	int rc = m.dir < 0 ? -1 : fill_tree(&m), saved = errno;
	map_release(&m.links);
	io_close(m.dir);
	errno = saved;
	return rc;
}

static int write_file(const struct output *o, const struct output_target *t,
                      const struct testcase_file *f, const char *temp)
{
	struct stat st;
	MEM_SCOPED char *found = permissions_find(t->model, NULL, &st);
	const char *like = o->in_place && found && access(t->real, F_OK) < 0 ? found : t->real;
	mode_t kept = o->in_place ? 07777 : found ? io_mode_like(&st) | 0777 : 0777;
	const struct io_form form = { t->mode & kept, like };
	int rc = io_write_new(o->faults, temp, f->data, testcase_file_size(f), form);
	if (rc == 0 && o->in_place && output_holds(t->real, false, f))
		keep_times(AT_FDCWD, temp, t->real);
	return rc;
}

/* Directories get their times when all is in them. */
void output_keep_times(const struct output_target *t, const struct testcase *tc, const char *temp)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const char *below = output_below(t, &tc->files[i]);
		for (const char *p = below; p; p = strchr(p + 1, '/')) {
			MEM_SCOPED char *model = mem_printf("%s/%.*s", t->model, (int)(p - below),
			                                    below),
					*made = mem_printf("%s/%.*s", temp, (int)(p - below),
			                                   below);
			keep_times(AT_FDCWD, made, model);
		}
	}
}

int output_make(const struct output *o, const struct output_target *t, const struct testcase *tc,
                const char *temp)
{
	const struct testcase_file *f = output_file(t, tc);
	return f ? write_file(o, t, f, temp) : write_tree(o, t, tc, temp);
}
