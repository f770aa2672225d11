#include "disk/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/path.h"
#include "disk/claim.h"
#include "disk/input.h"
#include "disk/leftovers.h"
#include "disk/permissions.h"
#include "disk/replace.h"
#include "disk/replace_item.h"
#include "disk/stamp.h"

/* What of F's path is below the target; NULL when F does not go there. */
static const char *output_below(const struct output_target *t, const struct testcase_file *f)
{
	size_t n = strlen(t->inside);
	if (!n)
		return f->path;
	return !strncmp(f->path, t->inside, n) && f->path[n] == '/' ? f->path + n + 1 : NULL;
}

/* The entry that a target of a single file is; NULL: it is a directory. */
static const struct testcase_file *output_file(const struct output_target *t,
                                               const struct testcase *tc)
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
	bool holds = bytes.len == testcase_file_size(f);
	size_t at = 0;
	struct mem_piece one[2];
	for (const struct mem_piece *p = testcase_pieces(f, one); holds && p->len; at += p++->len)
		holds = !memcmp(bytes.data + at, p->bytes, p->len);
	return holds;
}

static bool holds_link(const char *path, const struct testcase_file *f)
{
	uint32_t len = testcase_file_size(f);
	MEM_SCOPED char *to = mem_alloc(len + (size_t)1);
	ssize_t n = readlink(path, to, len + (size_t)1);
	return n == (ssize_t)len && !memcmp(to, f->data, len);
}

/* Does PATH hold what F is? FOLLOW: also where it is a link to that. */
static bool output_holds(const char *path, bool follow, const struct testcase_file *f)
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
	struct mem_piece one[2];
	int rc = io_write_new_pieces(o->faults, temp, testcase_pieces(f, one), form);
	if (rc == 0 && o->in_place && output_holds(t->real, false, f))
		keep_times(AT_FDCWD, temp, t->real);
	return rc;
}

/* All directories that TC has in TEMP, which output_make made, have the times of those in place: of
 * a tree that has not changed. Directories get their times when all is in them. */
static void output_keep_times(const struct output_target *t, const struct testcase *tc,
                              const char *temp)
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

/* Makes what of TC belongs to the target as the new file or directory TEMP, and brings it to the
 * disk. In place it has what is there besides content (io_form); what holds the same has the same
 * times, and what had several names in a directory and still is one has them again. */
static int output_make(const struct output *o, const struct output_target *t,
                       const struct testcase *tc, const char *temp)
{
	const struct testcase_file *f = output_file(t, tc);
	return f ? write_file(o, t, f, temp) : write_tree(o, t, tc, temp);
}

/* The place of a mount in a line of /proc/self/mountinfo, "ID PARENT DEV ROOT PLACE ...", in which
 * blanks are octal numbers; the caller's. */
static char *mount_place(const char *line)
{
	char *place = mem_alloc(strlen(line) + 1), *to = place;
	int at = 0;
	if (sscanf(line, "%*s %*s %*s %*s %n", &at) < 0 || !at)
		at = (int)strcspn(line, "\n");
	for (const char *p = line + at; *p && *p != ' ' && *p != '\n';) {
		unsigned number;
		bool octal = *p == '\\' && sscanf(p + 1, "%3o", &number) == 1;
		*to++ = octal ? (char)number : *p;
		p += octal && strlen(p) > 3 ? 4 : 1;
	}
	*to = '\0';
	return place;
}

/* A mount at REAL, or below it, which would be in the way when the old directory is removed. */
static char *find_mount(const char *real, const char *shown)
{
	struct buf text = { 0 };
	char *trouble = NULL;
	if (io_read_file("/proc/self/mountinfo", &text, NULL) < 0)
		return NULL;
	for (const char *line = text.data; line && *line && !trouble;) {
		MEM_SCOPED char *place = mount_place(line);
		if (!strcmp(place, real) || path_is_below(place, real))
			trouble = mem_printf("%s%s is a mount point and cannot be replaced", shown,
			                     place + strlen(real));
		line = (line = strchr(line, '\n')) ? line + 1 : NULL;
	}
	buf_release(&text);
	return trouble;
}

static bool is_empty(const char *dir)
{
	IO_SCOPED_DIR DIR *list = opendir(dir);
	return list && !io_next_entry(list) && !errno;
}

/* The errno that says why PATH cannot go; 0: it can. rmdir(2) looks at the permissions of its
 * directory, flags and the sticky bit before it finds that PATH is a file, or not empty. */
static int obstacle(const char *path, bool is_dir)
{
	if ((is_dir && is_empty(path)) || rmdir(path) == 0)
		return 0;
	return errno == EPERM || errno == EACCES || errno == EBUSY ? errno : 0;
}

static char *in_words(const char *shown, int why)
{
	return mem_printf("%s cannot be replaced: %s%s", shown, strerror(why),
	                  why == EPERM ? " (is it immutable, or somebody else's in a directory "
	                                 "with the sticky bit?)"
	                               : "");
}

/* What is in the directory REAL goes with it; directories of ours are made writable for that. */
static char *find_within(const char *real, const char *shown)
{
	struct stat st;
	char *trouble = NULL;
	IO_SCOPED_DIR DIR *dir = opendir(real);
	bool ours = stat(real, &st) == 0 && st.st_uid == geteuid();
	for (struct dirent *e; !trouble && dir && (e = io_next_entry(dir));) {
		MEM_SCOPED char *path = mem_printf("%s/%s", real, e->d_name),
				*name = mem_printf("%s/%s", shown, e->d_name);
		bool is_dir = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
		int why = obstacle(path, is_dir);
		if (why && !(why == EACCES && ours))
			trouble = in_words(name, why);
		else if (is_dir)
			trouble = find_within(path, name);
	}
	return trouble;
}

/* What keeps the file or directory REAL (a real path) from being exchanged with another one, and
 * what is in a directory from being removed then: the end of a sentence that begins with SHOWN, its
 * name ("m.c is a mount point"); the caller's, NULL: nothing. Changes nothing. */
static char *standing_trouble(const char *real, const char *shown)
{
	struct stat st;
	if (lstat(real, &st) < 0)
		return NULL;
	char *trouble = find_mount(real, shown);
	int why = trouble ? 0 : obstacle(real, S_ISDIR(st.st_mode));
	if (why && why != EACCES) /* then nothing can be made beside it, which is said elsewhere */
		trouble = in_words(shown, why);
	if (!trouble && S_ISDIR(st.st_mode))
		trouble = find_within(real, shown);
	return trouble;
}

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
	for (uint32_t i = 0; i < n; i++) {
		output->targets[i].real = io_real_path(output->targets[i].path);
		/* A directory in place of a file is refused; the whole disk may be below it. */
		if (output->targets[i].is_dir || !io_is_dir(output->targets[i].real))
			output->targets[i].seen = stamp_of(output->targets[i].real);
	}
	replacement_token(output->token);
}

void output_release(struct output *output)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		free(output->targets[i].path), free(output->targets[i].real);
	for (uint32_t i = 0; output->claims && i < output->n_targets; i++)
		io_close(output->claims[i]);
	if (output->list)
		leftovers_end(output->list, output->list_fd);
	free(output->claims);
	free(output->targets);
	*output = (struct output){ 0 };
}

/* May the directory that is at the target be exchanged with another one? REAL is its path with
 * links resolved. */
static int check_directory(const struct output_target *t, const char *real, const char *test,
                           struct err *err)
{
	struct stat here;
	if (lstat(real, &here) < 0)
		return 0;
	if (!S_ISDIR(here.st_mode))
		return err_set(err, ERR_USAGE, "%s is not a directory", t->path);
	MEM_SCOPED char *cwd = realpath(".", NULL);
	int rc = 0;
	if (cwd && path_is_at(cwd, real))
		rc = err_set(err, ERR_USAGE,
		             "%s cannot be replaced while it is the current directory; start "
		             "whittle elsewhere, or use -o with another path",
		             t->path);
	else if (path_is_at(test, real))
		rc = err_set(err, ERR_USAGE,
		             "the interestingness test %s is in %s, which is being reduced; move "
		             "the test elsewhere",
		             test, t->path);
	return rc;
}

/* A new directory must not lie in what is reduced. */
static int check_apart(const struct output *o, const char *real, struct err *err)
{
	for (uint32_t i = 0; !o->in_place && i < o->input->n_operands; i++) {
		const struct input_operand *operand = &o->input->operands[i];
		MEM_SCOPED char *from = io_real_path(operand->path);
		bool within = operand->is_dir && path_is_at(real, from),
		     above = o->targets[0].is_dir && path_is_at(from, real);
		if (within || above)
			return err_set(err, ERR_USAGE,
			               within ? "%s is in %s, which is being reduced"
			                      : "%s would be replaced with %s in it",
			               o->targets[0].path, operand->name);
	}
	return 0;
}

/* A file without a name beside REAL: a process that is killed leaves nothing. Where the file
 * system has none, a file whose name is removed at once. */
static int open_probe(const char *real, const char *token)
{
	char *dir = mem_strdup(real), *slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	int fd = open(slash ? dir : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(dir);
	if (fd >= 0)
		return fd;
	MEM_SCOPED char *probe = replacement_name(real, token, "");
	fd = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlink(probe);
	return fd;
}

/* Temporary names are longer than that of the target: here is the longest. */
static int check_length(const struct output *o, const struct output_target *t, const char *real,
                        struct err *err)
{
	struct stat st;
	char *name = replacement_name(real, o->token, "-o");
	bool too_long = lstat(name, &st) < 0 && errno == ENAMETOOLONG;
	size_t more = strlen(name) - strlen(real);
	free(name);
	if (!too_long)
		return 0;
	return err_set(err, ERR_USAGE,
	               "the name %s is too long: temporary names beside it are %zu bytes longer; "
	               "%s a shorter name",
	               t->path, more, o->in_place ? "rename it, or use -o with" : "choose");
}

/* Another thing is to stand there, and in no other place: a file with several names cannot be
 * replaced under all of them at once, and writing to it would leave a moment with half a result. */
static int check_standing(const struct output *o, const struct output_target *t, const char *real,
                          struct err *err)
{
	struct stat st;
	const char *way_out = o->in_place ? "use -o" : "choose another path";
	char *trouble = standing_trouble(real, t->path);
	if (trouble)
		err_set(err, ERR_USAGE, "%s; %s", trouble, way_out);
	else if (!t->is_dir && o->in_place && lstat(real, &st) == 0 && st.st_nlink > 1)
		return err_set(err, ERR_USAGE,
		               "%s has %lu names (hard links), and can only be replaced under "
		               "one of them; %s, or reduce a copy",
		               t->path, (unsigned long)st.st_nlink, way_out);
	free(trouble);
	return trouble ? -1 : 0;
}

static int check_target(const struct output *o, const struct output_target *t, const char *test,
                        uint32_t size, struct err *err)
{
	struct stat here;
	MEM_SCOPED char *real = io_real_path(t->path);
	int rc = check_apart(o, real, err);
	if (rc == 0)
		rc = check_length(o, t, real, err);
	if (rc == 0 && !t->is_dir && stat(t->path, &here) == 0 &&
	    !S_ISREG(here.st_mode)) /* a device would become a file */
		rc = err_set(err, ERR_USAGE, "%s is not a file", t->path);
	if (rc == 0 && !t->is_dir && io_same_file(t->path, test))
		rc = err_set(err, ERR_USAGE, "%s is the test", t->path);
	if (rc == 0 && t->is_dir)
		rc = check_directory(t, real, test, err);
	if (rc == 0)
		rc = check_standing(o, t, real, err);
	IO_SCOPED int fd = rc < 0 ? -1 : open_probe(real, o->token);
	if (rc == 0 && fd < 0)
		rc = err_errno(err, "cannot write the result beside %s", t->path);
	if (rc == 0 && posix_fallocate(fd, 0, size) == ENOSPC) {
		errno = ENOSPC;
		rc = err_errno(err, "cannot write the result beside %s", t->path);
	}
	return rc;
}

int output_check(const struct output *output, const char *test, uint32_t size, struct err *err)
{
	if (!*output->targets[0].path)
		return err_set(err, ERR_USAGE, "option -o: the name is empty");
	for (uint32_t i = 0; i < output->n_targets; i++)
		if (check_target(output, &output->targets[i], test, size, err) < 0)
			return -1;
	return 0;
}

/* Does the directory hold anything? What cannot be read may. */
static bool is_filled(const char *path)
{
	IO_SCOPED_DIR DIR *dir = opendir(path);
	if (!dir)
		return errno != ENOENT && errno != ENOTDIR;
	return io_next_entry(dir) || errno;
}

int output_check_free(const struct output *output, output_knows_fn *knows, void *arg,
                      struct err *err)
{
	const struct output_target *t = &output->targets[0];
	struct input in = { 0 };
	if (output->in_place || !t->is_dir || !is_filled(t->path))
		return 0;
	TESTCASE_SCOPED struct testcase *tc =
		knows && input_find_copy(&in, output->input, t->path, NULL) == 0
			? input_read(&in, NULL)
			: NULL;
	int known = tc ? knows(arg, tc, err) : 0;
	input_release(&in);
	if (known == 0)
		err_set(err, ERR_USAGE,
		        "%s is not empty%s; its content would be lost (-o needs a new or empty "
		        "directory)",
		        t->path, knows ? ", and holds no result of this reduction" : "");
	return known > 0 ? 0 : -1;
}

static int claim_targets(struct output *output, struct err *err)
{
	int rc = 0;
	output->claims = mem_alloc(output->n_targets * sizeof *output->claims);
	for (uint32_t i = 0; i < output->n_targets; i++) {
		const struct output_target *t = &output->targets[i];
		output->claims[i] = rc < 0 ? CLAIM_NONE : claim_take(t->real, t->path, err);
		rc = output->claims[i] == -1 ? -1 : rc;
	}
	return rc;
}

int output_claim(struct output *output, const char *list, struct err *err)
{
	if (claim_targets(output, err) < 0)
		return -1;
	MEM_SCOPED char **paths = mem_zero(output->n_targets, sizeof *paths);
	for (uint32_t i = 0; i < output->n_targets; i++)
		paths[i] = output->targets[i].real;
	uint32_t n = output->n_targets;
	int rc = list ? leftovers_claim(list, paths, n, output->token, err) : 0;
	if (!list)
		output->list = leftovers_begin(paths, n, output->token, &output->list_fd);
	return rc;
}

static bool is_touched(const struct output_target *t)
{
	return !hash_equal(stamp_of(t->real), t->seen);
}

bool output_is_touched(const struct output *output)
{
	for (uint32_t i = 0; i < output->n_targets; i++)
		if (is_touched(&output->targets[i]))
			return true;
	return false;
}

bool output_exists(const struct output *output)
{
	return access(output->targets[0].path, F_OK) == 0;
}

/* ---- targets ---- */

static bool target_differs(const struct output_target *t, const struct testcase *a,
                           const struct testcase *b)
{
	const struct testcase_file *x = output_file(t, a), *y = output_file(t, b);
	if (!x || !y)
		return true;
	return testcase_file_size(x) != testcase_file_size(y) ||
	       memcmp(x->data, y->data, testcase_file_size(x)) != 0;
}

/* Makes what of TC belongs to the target. */
static int add_target(const struct output *o, const struct output_target *t,
                      const struct testcase *tc, struct replacement *r, struct err *err)
{
	const char *temp = replacement_add(r, t->real, &t->seen);
	return output_make(o, t, tc, temp) < 0 ? err_errno(err, "cannot write %s", t->path) : 0;
}

static struct output_target *target_of(struct output *o, const char *real)
{
	for (uint32_t i = 0; i < o->n_targets; i++)
		if (!strcmp(o->targets[i].real, real))
			return &o->targets[i];
	return NULL;
}

/* The name of what is kept, as the user named the target. */
static char *shown_name(const struct output_target *t, const struct replacement_item *item)
{
	size_t n = strlen(item->path), len = t ? strlen(t->path) : n + 1;
	bool same_end = len <= n && !strcmp(item->path + n - len, t->path);
	return same_end ? mem_printf("%s%s", t->path, item->edited + n) : mem_strdup(item->edited);
}

/* From now on we know what is there, and report what somebody else writes there. */
static void note_items(struct output *o, const struct replacement *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct replacement_item *item = &r->items[i];
		struct output_target *t = target_of(o, item->path);
		if (t)
			t->seen = item->stamp;
		if (!item->edited || !o->notice)
			continue;
		MEM_SCOPED char *name = shown_name(t, item);
		MEM_SCOPED char *message =
			mem_printf("%s was changed by somebody else in the meantime; that "
		                   "version is kept as %s",
		                   t ? t->path : item->path, name);
		o->notice(o->arg, message);
	}
}

static int commit(struct output *o, struct replacement *r, struct err *err)
{
	int rc = replacement_commit(r);
	if (rc < 0)
		err_errno(err, "cannot write %s", o->targets[0].path);
	else
		note_items(o, r);
	replacement_release(r);
	return rc;
}

int output_write(struct output *output, const struct testcase *tc, const struct testcase *before,
                 struct err *err)
{
	uint64_t start = io_now();
	struct replacement r;
	replacement_init(&r, output->targets[0].path, output->token, output->faults);
	for (uint32_t i = 0; i < output->n_targets; i++) {
		const struct output_target *t = &output->targets[i];
		if (before && output->n_targets > 1 && !target_differs(t, tc, before) &&
		    !is_touched(t))
			continue;
		if (add_target(output, t, tc, &r, err) < 0) {
			replacement_release(&r);
			return -1;
		}
	}
	int rc = commit(output, &r, err);
	output->cost_ns = io_now() - start;
	return rc;
}

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
