#include "store/location.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "base/signals.h"
#include "store/git.h"
#include "store/store_types.h"

enum { NAME_MAX_BYTES = 100 };

/* SHA-256: an extension for libgit2 1.5, an object format for 1.9. */
static bool is_of_format(const char *message)
{
	return strstr(message, "objectformat") || strstr(message, "object format");
}

/* A repository that nobody can read is repaired or moved away by its user alone. */
static void hint_elsewhere(struct err *err)
{
	const struct err why = *err;
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint,
	              "repair it, or move it away, which starts another one; or keep the snapshots "
	              "elsewhere with --store=DIR",
	              NULL);
	err_set(err, why.code, "%s\n%.*s", why.msg, (int)hint.len, hint.data);
}

static git_repository *opened(int rc, git_repository *repo, const char *where, struct err *err)
{
	if (rc == 0)
		return repo;
	const git_error *e = git_error_last();
	if (rc == GIT_EOWNER)
		err_set(err, ERR_USAGE,
		        "the git repository of %s belongs to somebody else; if you trust it, run "
		        "`git config --global --add safe.directory DIR`; otherwise keep the "
		        "snapshots elsewhere with --store=DIR",
		        where);
	else if (e && e->message && is_of_format(e->message))
		err_set(err, ERR_USAGE,
		        "the repository of %s is in SHA-256 format, which this libgit2 cannot "
		        "write; keep the snapshots "
		        "elsewhere with --store=DIR (a directory that need not exist yet)",
		        where);
	else if (e && e->message && strstr(e->message, "refstorage"))
		err_set(err, ERR_USAGE,
		        "the repository of %s keeps its refs in reftable format, which this "
		        "libgit2 cannot read; keep the "
		        "snapshots elsewhere with --store=DIR (a directory that need not exist "
		        "yet)",
		        where);
	else {
		gitlib_fail(err, "cannot open the git repository of %s", where);
		hint_elsewhere(err);
	}
	return NULL;
}

/* ${XDG_STATE_HOME:-~/.local/state}/whittle/store.git; NULL and err without a home. */
static char *central_path(struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state && *state == '/')
		return mem_printf("%s/whittle/store.git", state);
	if (home && *home == '/')
		return mem_printf("%s/.local/state/whittle/store.git", home);
	err_set(err, ERR_USAGE,
	        "no git repository contains the file, and neither XDG_STATE_HOME nor HOME is set; "
	        "use --store=DIR");
	return NULL;
}

/* Lock files that a process which was killed while it made the repository left. Ours to remove: we
 * have the lock on that. */
static void remove_stale_locks(const char *path)
{
	static const char *const leaves[] = { "config.lock", "HEAD.lock" };
	for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
		MEM_SCOPED char *lock = mem_printf("%s/%s", path, leaves[i]);
		unlink(lock);
	}
}

/* Makes a bare repository, one process at a time: libgit2's own lock on the config file would turn
 * the second away. */
static git_repository *create(const char *path, struct err *err)
{
	if (io_make_dirs(path, 0, err) < 0)
		return NULL;
	MEM_SCOPED char *lock_path = mem_printf("%s/whittle-init.lock", path);
	git_repository *repo = NULL;
	IO_SCOPED int fd = io_open_regular(lock_path, O_RDWR | O_CREAT, 0666, err);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	if (fd >= 0 && fcntl(fd, F_SETLKW, &lock) < 0) {
		if (errno != EINTR || signals_check("waiting for another process", err) == 0)
			err_errno(err, "cannot lock %s", lock_path);
	} else if (fd >= 0 &&
	           git_repository_open_ext(&repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) < 0) {
		git_repository_init_options opts;
		git_repository_init_options_init(&opts, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
		remove_stale_locks(path);
		opts.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_NO_DOTGIT_DIR;
		opts.description = "Snapshots of test case reductions, see whittle-snapshots(7).";
		if (git_repository_init_ext(&repo, path, &opts) < 0)
			gitlib_fail(err,
			            "cannot make the git repository of %s (--store=DIR keeps the "
			            "snapshots elsewhere)",
			            path);
	}
	return repo;
}

static git_repository *open_at(const char *path, bool may_create, struct err *err)
{
	git_repository *repo = NULL;
	int rc = gitlib_open(&repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (rc == GIT_ENOTFOUND && may_create)
		return create(path, err);
	return opened(rc, repo, path, err);
}

static bool is_missing(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

static git_repository *open_central(bool may_create, struct err *err)
{
	MEM_SCOPED char *path = central_path(err);
	git_repository *repo = NULL;
	if (path && !may_create && is_missing(path))
		err_set(err, ERR_USAGE,
		        "no reduction is kept here yet (there is no %s); " LOCATION_SOON, path);
	else if (path)
		repo = open_at(path, may_create, err);
	return repo;
}

git_repository *location_central(struct err *err)
{
	return open_central(false, err);
}

bool location_is_central(git_repository *repo)
{
	MEM_SCOPED char *path = central_path(NULL), *real = path ? realpath(path, NULL) : NULL;
	MEM_SCOPED char *common = realpath(git_repository_commondir(repo), NULL);
	return real && common && !strcmp(real, common);
}

/* The repository that GIT_DIR names, with the work tree that GIT_WORK_TREE names, which libgit2
 * does not know from the environment, as it does not know GIT_COMMON_DIR: git sets these for
 * aliases and hooks. GIT_NAMESPACE is of no account, as for git itself where nothing is sent. */
static int open_from_environment(git_repository **repo)
{
	const char *worktree = getenv("GIT_WORK_TREE");
	if (!worktree && !getenv("GIT_COMMON_DIR")) {
		int rc = git_repository_open_ext(repo, NULL, GIT_REPOSITORY_OPEN_FROM_ENV, NULL);
		return rc < 0 ? rc : git_repository_set_namespace(*repo, NULL);
	}
	int rc = git_repository_open_ext(repo, getenv("GIT_DIR"), GIT_REPOSITORY_OPEN_NO_SEARCH,
	                                 NULL);
	if (rc == 0 && worktree && (rc = git_repository_set_workdir(*repo, worktree, 0)) < 0) {
		git_repository_free(*repo);
		*repo = NULL;
	}
	return rc;
}

/* Is there something called .git in DIR or above it? 1, 0, or -1 with errno when that cannot be
 * found out. */
static int seems_inside(const char *dir)
{
	MEM_SCOPED char *at = realpath(dir, NULL);
	int found = at ? 0 : -1;
	while (!found) {
		struct stat st;
		char *git = mem_printf("%s/.git", at), *slash = strrchr(at, '/');
		found = lstat(git, &st) == 0 ? 1 : errno == ENOENT || errno == ENOTDIR ? 0 : -1;
		free(git);
		if (!slash || slash == at)
			break;
		*slash = '\0';
	}
	return found;
}

/* The repository around DIR. What libgit2 cannot look at it takes for missing; the snapshots must
 * not go elsewhere for that. GIT_EUSER: err says what is wrong. */
static int open_around(git_repository **repo, const char *dir, struct err *err)
{
	const char *ceiling = getenv("GIT_CEILING_DIRECTORIES");
	int rc = gitlib_open(repo, dir, 0, ceiling);
	int seems = rc == GIT_ENOTFOUND ? seems_inside(dir) : 0;
	if (seems < 0) {
		err_errno(err, "cannot look for a git repository at %s", dir);
		return GIT_EUSER;
	}
	return seems ? gitlib_open(repo, dir, 0, ceiling) : rc;
}

static git_repository *find_repository(const char *dir, const char *override, bool may_create,
                                       struct err *err)
{
	if (override)
		return open_at(override, may_create, err);
	git_repository *repo = NULL;
	if (getenv("GIT_DIR")) {
		int rc = open_from_environment(&repo);
		return opened(rc, repo, "GIT_DIR", err);
	}
	int rc = open_around(&repo, dir, err);
	if (rc == GIT_ENOTFOUND)
		return open_central(may_create, err);
	return rc == GIT_EUSER ? NULL : opened(rc, repo, dir, err);
}

git_repository *location_repository(const char *dir, const char *override, struct err *err)
{
	return find_repository(dir, override, false, err);
}

git_repository *location_around(const char *file)
{
	MEM_SCOPED char *copy = mem_strdup(file);
	const char *dir = dirname(copy);
	return access(dir, F_OK) == 0 ? location_repository(dir, NULL, NULL) : NULL;
}

bool location_none_yet(const char *dir, const char *override)
{
	git_repository *repo = NULL;
	if (override || getenv("GIT_DIR"))
		return false;
	int rc = open_around(&repo, dir, NULL);
	git_repository_free(repo);
	MEM_SCOPED char *path = rc == GIT_ENOTFOUND ? central_path(NULL) : NULL;
	return path && is_missing(path);
}

bool location_name_valid(const char *name)
{
	if (!*name || strpbrk(name, "/:") || strlen(name) > NAME_MAX)
		return false;
	MEM_SCOPED char *ref = mem_printf(LOCATION_REFS "%s", name);
	int valid = 0;
	if (git_reference_name_is_valid(&valid, ref) < 0)
		valid = 0;
	return valid;
}

static char *sanitised(const char *path)
{
	struct buf out = { 0 };
	for (const char *p = path; *p && out.len < NAME_MAX_BYTES; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		             (*p >= '0' && *p <= '9') || *p == '_' || *p == '+' || *p == '-';
		bool dot = *p == '.' && out.len && out.data[out.len - 1] != '.';
		buf_addch(&out, plain || dot ? *p : '-');
	}
	buf_addf(&out, "%s", "");
	return out.data;
}

/* A name for PATH: itself when that is a usable name, else its usable characters and a hash that
 * keeps it apart. */
static char *derive_name(const char *path, const char *worktree)
{
	MEM_SCOPED char *plain = sanitised(path);
	bool same = !strcmp(plain, path) && *plain != '-' && location_name_valid(plain);
	char *base =
		same ? mem_strdup(plain)
		     : mem_printf("%s-%07x", plain + strspn(plain, "-."),
	                          (unsigned)(hash_bytes(path, strlen(path), 0).lo & 0xfffffff));
	if (!worktree)
		return base;
	MEM_SCOPED char *tree = sanitised(worktree);
	char *name = mem_printf("%s@%s", base, tree + strspn(tree, "."));
	free(base);
	return name;
}

/* *rel: PATH relative to the repository's work tree; NULL when it is not in there, or inside the
 * git directory. -1 and err when that cannot be found out: another name would be another reduction.
 */
static int inside_work_tree(git_repository *repo, const char *path, const char **rel,
                            struct err *err)
{
	const char *workdir = git_repository_workdir(repo);
	char *top = workdir ? realpath(workdir, NULL) : NULL;
	*rel = NULL;
	if (workdir && !top)
		return err_errno(err, "cannot find the work tree %s", workdir);
	if (!workdir && !git_repository_is_bare(repo))
		return err_set(err, ERR_SYSTEM, "cannot find the work tree of %s",
		               git_repository_path(repo));
	if (top) {
		size_t len = strcmp(top, "/") ? strlen(top) : 0;
		if (!strncmp(path, top, len) && path[len] == '/')
			*rel = path + len + 1;
	}
	free(top);
	if (*rel && (!**rel || !strncmp(*rel, ".git/", 5) || strstr(*rel, "/.git/")))
		*rel = NULL;
	return 0;
}

static char *worktree_name(git_repository *repo)
{
	if (!git_repository_is_worktree(repo))
		return NULL;
	MEM_SCOPED char *dir = mem_strdup(git_repository_path(repo));
	return mem_strdup(basename(dir));
}

static int set_name(struct location *location, const char *name, const char *rel, bool several,
                    struct err *err)
{
	if (name && !location_name_valid(name))
		return err_set(err, ERR_USAGE,
		               "'%s' cannot be the name of a reduction: it must be usable as the "
		               "last part of a "
		               "git ref, without '/' and ':'",
		               name);
	MEM_SCOPED char *tree = worktree_name(location->repo);
	MEM_SCOPED char *derived =
		name ? NULL : derive_name(rel ? rel : location->file, rel ? tree : NULL);
	location->name = mem_printf("%s%s", name ? name : derived, several && !name ? "+" : "");
	location->common = mem_strdup(git_repository_commondir(location->repo));
	location->ref = mem_printf(LOCATION_REFS "%s", location->name);
	location->dir = mem_printf("%swhittle/%s", location->common, location->name);
	return 0;
}

/* What of REL stands before the last BEHIND bytes. */
static char *prefix_of(const char *rel, size_t behind)
{
	return mem_printf("%.*s", rel ? (int)(strlen(rel) - behind) : 0, rel ? rel : "");
}

int location_find(struct location *location, const struct store_options *o, struct err *err)
{
	*location =
		(struct location){ .file = o->top ? mem_strdup(o->file) : realpath(o->file, NULL),
		                   .asked = o->repository ? mem_strdup(o->repository) : NULL };
	if (!location->file || access(location->file, F_OK) < 0)
		return err_errno(err, "cannot find %s", o->file);
	MEM_SCOPED char *copy = mem_strdup(location->file);
	location->repo = find_repository(o->top ? *o->top ? o->top : "/" : dirname(copy),
	                                 o->repository, true, err);
	if (!location->repo)
		return -1;
	const char *rel;
	if (inside_work_tree(location->repo, location->file, &rel, err) < 0)
		return -1;
	size_t inside = o->top ? strlen(o->top) + 1
	                       : (size_t)(strrchr(location->file, '/') + 1 - location->file);
	size_t behind = strlen(location->file) - inside;
	location->prefix = prefix_of(rel && strlen(rel) >= behind ? rel : NULL, behind);
	return set_name(location, o->name, rel, o->several, err);
}

void location_named(struct location *location, git_repository *repo, const char *name)
{
	*location = (struct location){ .repo = repo };
	set_name(location, name, NULL, false, NULL);
}

void location_release(struct location *location)
{
	git_repository_free(location->repo);
	free(location->common);
	free(location->name);
	free(location->ref);
	free(location->dir);
	free(location->prefix);
	free(location->file);
	free(location->asked);
	*location = (struct location){ 0 };
}

int location_reopen(struct location *location, struct err *err)
{
	git_repository *again = NULL;
	int rc = git_repository_open_ext(&again, git_repository_path(location->repo),
	                                 GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (rc < 0)
		return gitlib_fail(err, "cannot open the git repository %s again",
		                   location->common);
	git_repository_free(location->repo);
	location->repo = again;
	return 0;
}

char *location_path(const struct location *location, const char *leaf)
{
	return mem_printf("%s/%s", location->dir, leaf);
}

char *location_line(const char *dir, const char *leaf, const char *key)
{
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/%s", dir, leaf);
	size_t n = strlen(key);
	if (access(path, R_OK) < 0 || io_read_kept(path, &text, NULL) < 0)
		return NULL;
	for (const char *p = text.data; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (!strncmp(p, key, n))
			return mem_printf("%.*s", (int)strcspn(p + n, "\n"), p + n);
	return NULL;
}

int location_make_dir(const struct location *location, struct err *err)
{
	int rc = io_make_dirs(location->dir, 0, err);
	if (rc == 0 && access(location->dir, W_OK) < 0)
		rc = err_errno(err, "cannot write in %s", location->dir);
	if (rc < 0)
		err_context(err,
		            "the repository %s cannot keep snapshots (--store=DIR keeps them "
		            "elsewhere)",
		            location->common);
	return rc;
}
