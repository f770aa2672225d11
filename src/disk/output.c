#include "disk/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "disk/claim.h"
#include "disk/leftovers.h"
#include "disk/replace.h"
#include "disk/stamp.h"

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
