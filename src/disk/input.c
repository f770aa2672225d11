#include "disk/input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "disk/permissions.h"
#include "text/testcase.h"

/* Modes as git keeps them, so that another umask makes no other test case. */
static mode_t kept_mode(const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return S_IFLNK | 0777;
	if (S_ISDIR(st->st_mode))
		return S_IFDIR | 0777;
	return st->st_mode & 0100 ? 0755 : 0644;
}

static struct input_entry *add_entry(struct input *in, const char *path, const struct stat *st,
                                     struct err *err)
{
	uint64_t size = S_ISDIR(st->st_mode) ? 0 : (uint64_t)st->st_size;
	in->size += size + in->is_tree;
	if (in->size > TESTCASE_MAX_SIZE - 1) {
		err_set(err, ERR_USAGE, "%s is larger than %u GiB",
		        in->n_operands == 1 ? in->operands[0].name : "the input",
		        (unsigned)(TESTCASE_MAX_SIZE >> 30) + 1);
		return NULL;
	}
	MEM_GROW(in->entries, in->n_entries, in->cap_entries);
	struct input_entry *e = &in->entries[in->n_entries++];
	*e = (struct input_entry){ .path = mem_strdup(path),
		                   .mode = kept_mode(st),
		                   .size = (uint32_t)size };
	return e;
}

char *input_copy_line(const char *dir, char **copy)
{
	size_t len = strlen(dir);
	while (len > 1 && dir[len - 1] == '/')
		len--;
	MEM_SCOPED char *plain = mem_printf("%.*s", (int)len, dir);
	const char *base = path_base(plain);
	bool odd = !strcmp(base, ".") || !strcmp(base, "..") || !strcmp(base, "/");
	MEM_SCOPED char *real = odd ? realpath(plain, NULL) : NULL;
	*copy = mem_printf("%s-copy", real ? real : plain);
	MEM_SCOPED char *from = quote_operand(plain), *to = quote_operand(*copy);
	return mem_printf("mkdir %s && tar -C %s --exclude=.git --exclude=.whittle -c . | "
	                  "tar -C %s -x",
	                  to, from, to);
}

/* In the directory DIR, which is an operand. */
static int refuse_repository(const char *child, const char *dir, struct err *err)
{
	BUF_SCOPED struct buf hint = { 0 };
	MEM_SCOPED char *copy = NULL, *line = input_copy_line(dir, &copy);
	show_add_hint(&hint, "to reduce a copy:", line);
	return err_set(err, ERR_USAGE,
	               "%s is in the way: a directory is reduced without its repository\n%.*s",
	               child, (int)hint.len, hint.data);
}

static int add_directory(struct input *in, const char *name, const char *path, const char *inside,
                         struct err *err);

/* One thing in a directory. NAME is what the user would call it. */
static int add_child(struct input *in, const char *name, const char *path, const char *inside,
                     struct err *err)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", name, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return add_directory(in, name, path, inside, err);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return err_set(err, ERR_USAGE,
		               "%s is neither a file nor a directory nor a symbolic link", name);
	return add_entry(in, inside, &st, err) ? 0 : -1;
}

/* The names in a directory, sorted; -1 with errno. */
static int list_names(const char *path, struct texts *names)
{
	DIR *dir = opendir(path);
	if (!dir)
		return -1;
	for (struct dirent *e; (e = io_next_entry(dir));)
		texts_add(names, mem_strdup(e->d_name));
	int error = errno;
	closedir(dir);
	texts_sort(names);
	errno = error;
	return error ? -1 : 0;
}

/* All that is in a directory; one that holds nothing is an entry itself, unless it is an operand.
 */
static int add_directory(struct input *in, const char *name, const char *path, const char *inside,
                         struct err *err)
{
	TEXTS_SCOPED struct texts names = { 0 };
	struct stat st = { .st_mode = S_IFDIR };
	if (list_names(path, &names) < 0)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", name, strerror(errno));
	int rc = names.n || in->may_be_empty || strchr(inside, '/')
	                 ? 0
	                 : err_set(err, ERR_USAGE, "%s is empty: there is nothing to reduce", name);
	if (rc == 0 && !names.n && strchr(inside, '/'))
		rc = add_entry(in, inside, &st, err) ? 0 : -1;
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		const char *leaf = names.list[i];
		char *child[] = { mem_printf("%s/%s", name, leaf), mem_printf("%s/%s", path, leaf),
			          mem_printf("%s/%s", inside, leaf) };
		if (path_is_git(leaf, strlen(leaf)) || !strcmp(leaf, ".whittle"))
			rc = refuse_repository(child[0], in->copied, err);
		if (rc == 0)
			rc = add_child(in, child[0], child[1], child[2], err);
		for (size_t k = 0; k < sizeof child / sizeof *child; k++)
			free(child[k]);
	}
	return rc;
}

static int add_operand(struct input *in, const struct input_operand *o, struct err *err)
{
	struct stat st;
	in->copied = o->name;
	if (o->is_dir)
		return add_directory(in, o->name, o->path, o->inside, err);
	if (stat(o->path, &st) < 0)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", o->name, strerror(errno));
	struct input_entry *e = add_entry(in, o->inside, &st, err);
	if (e)
		e->fixed = true;
	return e ? 0 : -1;
}

/* The absolute path of an operand. Its last part stays what it is called: a link keeps its name. */
static char *absolute_path(const char *name)
{
	char *copy = mem_strdup(name), *path = NULL;
	size_t n = strlen(copy);
	while (n > 1 && copy[n - 1] == '/')
		copy[--n] = '\0';
	char *slash = strrchr(copy, '/'), *base = slash ? slash + 1 : copy;
	if (!*base || !strcmp(base, ".") || !strcmp(base, ".."))
		path = realpath(copy, NULL);
	else {
		if (slash)
			*slash = '\0';
		MEM_SCOPED char *dir = realpath(!slash ? "." : slash == copy ? "/" : copy, NULL);
		if (dir)
			path = mem_printf("%s/%s", strcmp(dir, "/") ? dir : "", base);
	}
	free(copy);
	return path;
}

static int find_operand(struct input_operand *o, const char *name, struct err *err)
{
	struct stat st;
	*o = (struct input_operand){ .name = mem_strdup(name) };
	if (stat(name, &st) < 0 || !(o->path = absolute_path(name)))
		return err_set(err, ERR_USAGE, "cannot read %s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "%s is neither a file nor a directory", name);
	o->is_dir = S_ISDIR(st.st_mode);
	o->mode = st.st_mode & 07777;
	return o->path[1] ? 0 : err_set(err, ERR_USAGE, "%s is the root of the file system", name);
}

/* The innermost directory that holds all operands, without '/' behind it: "" for the root. */
static char *find_top(const struct input *in)
{
	const char *first = in->operands[0].path;
	size_t n = (size_t)(strrchr(first, '/') - first);
	for (uint32_t i = 1; i < in->n_operands; i++) {
		const char *path = in->operands[i].path;
		size_t k = 0, whole = 0;
		for (; k < n && path[k] == first[k]; k++)
			whole = path[k] == '/' ? k : whole;
		n = k == n && path[k] == '/' ? n : whole;
	}
	return mem_printf("%.*s", (int)n, first);
}

/* Is operand A operand B, or does it hold it? REAL are their paths with links resolved: to replace
 * one would replace the other. */
static int check_pair(const struct input *in, char *const *real, uint32_t a, uint32_t b,
                      struct err *err)
{
	size_t n = strlen(real[a]);
	const char *rest = strncmp(real[a], real[b], n) ? NULL : real[b] + n;
	if (a == b || !rest || (*rest && *rest != '/'))
		return 0;
	return err_set(err, ERR_USAGE,
	               *rest ? "%s contains %s, which cannot be given twice"
	                     : "%s and %s are the same file",
	               in->operands[a].name, in->operands[b].name);
}

/* No operand may be, or hold, another one. */
static int check_apart(const struct input *in, struct err *err)
{
	int rc = 0;
	MEM_SCOPED char **real = mem_zero(in->n_operands, sizeof *real);
	for (uint32_t i = 0; i < in->n_operands; i++)
		real[i] = io_real_path(in->operands[i].path);
	for (uint32_t i = 0; i < in->n_operands; i++)
		for (uint32_t k = 0; k < in->n_operands && rc == 0; k++)
			rc = check_pair(in, real, i, k, err);
	for (uint32_t i = 0; i < in->n_operands; i++)
		free(real[i]);
	return rc;
}

int input_check(const struct input *in, struct err *err)
{
	if (in->size > (in->is_tree ? in->n_entries : 0))
		return 0;
	for (uint32_t i = 0; i < in->n_entries; i++)
		if (in->is_tree && !in->entries[i].fixed)
			return 0; /* it may go, even if it holds nothing */
	return err_set(err, ERR_USAGE,
	               in->n_operands > 1 ? "all files are empty: there is nothing to reduce"
	                                  : "%s is empty: there is nothing to reduce",
	               in->operands[0].name);
}

static int find(struct input *in, const char *const *names, uint32_t n, struct err *err)
{
	in->operands = mem_zero(n, sizeof *in->operands);
	for (uint32_t i = 0; i < n; i++, in->n_operands++)
		if (find_operand(&in->operands[i], names[i], err) < 0) {
			in->n_operands++; /* its path may be there */
			return -1;
		}
	if (check_apart(in, err) < 0)
		return -1;
	in->is_tree = n > 1 || in->operands[0].is_dir;
	in->top = find_top(in);
	for (uint32_t i = 0; i < n; i++)
		in->operands[i].inside = in->operands[i].path + strlen(in->top) + 1;
	for (uint32_t i = 0; i < n; i++)
		if (add_operand(in, &in->operands[i], err) < 0)
			return -1;
	return in->may_be_empty ? 0 : input_check(in, err);
}

int input_find(struct input *in, const char *const *names, uint32_t n, struct err *err)
{
	*in = (struct input){ 0 };
	return find(in, names, n, err);
}

int input_find_result(struct input *in, const char *const *names, uint32_t n, struct err *err)
{
	*in = (struct input){ .may_be_empty = true };
	return find(in, names, n, err);
}

/* One operand of MODEL in DIR; of a single one DIR is its copy. An empty directory may be missing.
 */
static int add_copy(struct input *in, const struct input *model, const struct input_operand *o,
                    const char *dir, struct err *err)
{
	struct stat st;
	MEM_SCOPED char *path =
		model->n_operands == 1 ? mem_strdup(dir) : mem_printf("%s/%s", dir, o->inside);
	bool missing = lstat(path, &st) < 0;
	int rc = 0;
	in->copied = path;
	if (!missing && S_ISDIR(st.st_mode) == o->is_dir)
		rc = o->is_dir ? add_directory(in, path, path, o->inside, err)
		               : add_child(in, path, path, o->inside, err);
	else if (!missing || !o->is_dir)
		rc = err_set(err, ERR_USAGE, "%s has changed", path);
	return rc;
}

/* Are as many entries in DIR as IN has found? */
static int check_whole(const struct input *in, const char *dir, struct err *err)
{
	SCOPED(input_release)
	struct input whole = { .may_be_empty = true, .is_tree = true, .copied = dir };
	int rc = add_directory(&whole, dir, dir, "", err);
	if (rc == 0 && whole.n_entries != in->n_entries)
		rc = err_set(err, ERR_USAGE, "%s contains other files, too", dir);
	return rc;
}

int input_find_copy(struct input *in, const struct input *model, const char *dir, struct err *err)
{
	*in = (struct input){ .may_be_empty = true, .is_tree = true, .top = mem_strdup(dir) };
	for (uint32_t i = 0; i < model->n_operands; i++)
		if (add_copy(in, model, &model->operands[i], dir, err) < 0)
			return -1;
	for (uint32_t i = 0; i < in->n_entries && model->n_operands == 1; i++)
		in->entries[i].skip = (uint32_t)strlen(model->operands[0].inside) + 1;
	return model->n_operands > 1 ? check_whole(in, dir, err) : 0;
}

void input_describe(struct input *in, const char *top, char *const *inside)
{
	uint32_t n = (uint32_t)mem_count_words(inside);
	*in = (struct input){ .top = mem_strdup(top), .is_tree = true, .n_operands = n };
	in->operands = mem_zero(n, sizeof *in->operands);
	for (uint32_t i = 0; i < n; i++) {
		struct input_operand *o = &in->operands[i];
		size_t len = strlen(inside[i]);
		o->is_dir = inside[i][len - 1] == '/';
		o->path = mem_printf("%s/%.*s", top, (int)(len - o->is_dir), inside[i]);
		o->name = mem_strdup(o->path);
		o->inside = o->path + strlen(top) + 1;
		o->mode = 0644;
	}
}

void input_take_modes(struct input *in, const struct testcase *tc)
{
	for (uint32_t i = 0; i < in->n_operands; i++)
		for (uint32_t j = 0; j < tc->n_files && !in->operands[i].is_dir; j++)
			if (!strcmp(tc->files[j].path, in->operands[i].inside))
				in->operands[i].mode =
					permissions_at(in->operands[i].path, tc->files[j].mode);
}

static int read_entry(const char *path, const struct input_entry *e, uint8_t *to)
{
	if (S_ISDIR(e->mode))
		return 0;
	if (S_ISLNK(e->mode)) {
		ssize_t n = readlink(path, (char *)to, e->size + (size_t)1);
		return n == (ssize_t)e->size ? 0 : -1;
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	errno = 0;
	ssize_t n = io_read_all(
		fd, to, e->size + (size_t)1); /* one more: the next entry's place, or the NUL's */
	int saved = errno;
	close(fd);
	errno = saved ? saved : EBUSY;
	return n == (ssize_t)e->size ? 0 : -1;
}

static int read_entries(const struct input *in, uint8_t *bytes, struct testcase_file *files,
                        struct err *err)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < in->n_entries; i++) {
		const struct input_entry *e = &in->entries[i];
		MEM_SCOPED char *path = mem_printf("%s/%s", in->top, e->path + e->skip);
		int rc = read_entry(path, e, bytes + at);
		if (rc < 0)
			err_set(err, ERR_USAGE, "cannot read %s: %s", path,
			        errno == EBUSY ? "it changes" : strerror(errno));
		if (rc < 0)
			return -1;
		files[i] = (struct testcase_file){ .path = e->path,
			                           .mode = e->mode,
			                           .fixed = e->fixed,
			                           .begin = at,
			                           .end = at + e->size };
		at += e->size + in->is_tree;
	}
	return 0;
}

struct testcase *input_read(const struct input *in, struct err *err)
{
	struct testcase *tc = NULL;
	MEM_SCOPED struct testcase_file *files = mem_zero(in->n_entries, sizeof *files);
	uint8_t *bytes = mem_alloc((size_t)in->size + 2);
	if (read_entries(in, bytes, files, err) < 0)
		free(bytes);
	else if (in->is_tree)
		tc = testcase_tree(files, in->n_entries, bytes);
	else
		tc = testcase_new(files[0].path, files[0].mode, bytes, files[0].end);
	return tc;
}

struct testcase *input_empty(const struct input *in)
{
	if (!in->is_tree)
		return testcase_new(in->entries[0].path, in->entries[0].mode, mem_zero(1, 1), 0);
	MEM_SCOPED struct testcase_file *files = mem_zero(in->n_entries, sizeof *files);
	uint32_t n = 0;
	for (uint32_t i = 0; i < in->n_entries; i++)
		if (in->entries[i].fixed) {
			files[n] = (struct testcase_file){ .path = in->entries[i].path,
				                           .mode = in->entries[i].mode,
				                           .fixed = true,
				                           .begin = n,
				                           .end = n };
			n++;
		}
	return testcase_tree(files, n, mem_zero(n + (size_t)1, 1));
}

char **input_operands(const struct input *in)
{
	char **operands = mem_zero(in->n_operands + (size_t)1, sizeof *operands);
	for (uint32_t i = 0; i < in->n_operands; i++)
		operands[i] = mem_printf("%s%s", in->operands[i].inside,
		                         in->operands[i].is_dir ? "/" : "");
	return operands;
}

void input_release(struct input *in)
{
	for (uint32_t i = 0; i < in->n_operands; i++) {
		free(in->operands[i].name);
		free(in->operands[i].path);
	}
	for (uint32_t i = 0; i < in->n_entries; i++)
		free(in->entries[i].path);
	free(in->operands);
	free(in->entries);
	free(in->top);
	*in = (struct input){ 0 };
}
