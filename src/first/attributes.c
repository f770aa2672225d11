#include "first/attributes.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/installed.h"
#include "base/mem.h"
#include "base/show.h"
#include "store/git.h"
#include "lang/tokenizer.h"

#define ATTRIBUTE "whittle-tokenizer"

enum { MOST_BYTES = 4 << 20 }; /* of a file of attributes */

/* The repository around the file REAL (an absolute path); NULL when there is none. */
static git_repository *open_around(const char *real)
{
	git_repository *repo = NULL;
	MEM_SCOPED char *dir = mem_strdup(real);
	char *slash = strrchr(dir, '/');
	slash[slash == dir] = '\0';
	if (git_repository_open_ext(&repo, dir, 0, NULL) < 0 || !git_repository_workdir(repo)) {
		git_repository_free(repo);
		repo = NULL;
	}
	return repo;
}

/* The path of REAL in the work tree, NULL when it is outside. */
static const char *inside(const git_repository *repo, const char *real)
{
	const char *top = git_repository_workdir(repo);
	size_t len = strlen(top);
	return strncmp(real, top, len) ? NULL : real + len;
}

/* Can FILE, if it is there, be read in no time? Whoever made the repository may have put a FIFO
 * there, or more than anybody would write. */
static int check_file(const char *file, struct err *err)
{
	struct stat st;
	if (stat(file, &st) < 0 || S_ISDIR(st.st_mode) ||
	    (S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES))
		return 0;
	return err_set(err, ERR_USAGE, "%s is %s; it is not read (use -t to choose the tokenizer)",
	               file, S_ISREG(st.st_mode) ? "larger than 4 MiB" : "not a file");
}

/* The files of attributes on the way from TOP, which ends with a slash, to PATH in it. */
static int check_files(const char *top, const char *path, struct err *err)
{
	for (const char *p = path;; p++) {
		MEM_SCOPED char *file =
			mem_printf("%s%.*s.gitattributes", top, (int)(p - path), path);
		int rc = check_file(file, err);
		if (rc < 0 || !(p = strchr(p, '/')))
			return rc;
	}
}

/* The attribute of REAL. */
static int look_up(const char *real, const char *path, char **name, struct err *err)
{
	SCOPED(git_repository_scoped) git_repository *repo = open_around(real);
	const char *relative = repo ? inside(repo, real) : NULL, *value = NULL;
	int rc = relative ? check_files(git_repository_workdir(repo), relative, err) : 0;
	if (rc == 0 && relative &&
	    git_attr_get(&value, repo, GIT_ATTR_CHECK_FILE_THEN_INDEX, relative, ATTRIBUTE) < 0)
		rc = gitlib_fail(err, "the attributes of %s", path);
	if (!rc && value && git_attr_value(value) == GIT_ATTR_VALUE_STRING) {
		if (tokenizer_is_file(value))
			rc = err_set(err, ERR_USAGE,
			             "%s: its attribute " ATTRIBUTE
			             " is \"%s\"; expected the name of a tokenizer, not a file",
			             path, value);
		else
			*name = mem_strdup(value);
	}
	return rc;
}

void attribute_warn(const char *path)
{
	git_repository *repo = NULL;
	MEM_SCOPED char *real = realpath(path, NULL);
	if (real && gitlib_start(NULL) == 0) {
		char *dir = mem_strdup(real), *slash = strrchr(dir, '/');
		slash[slash == dir] = '\0';
		if (gitlib_open(&repo, dir, 0, NULL) == GIT_EOWNER) {
			MEM_SCOPED char *note =
				mem_printf("the git repository of %s belongs to somebody else, so "
			                   "its attributes and tokenizers are not used; if you "
			                   "trust it:",
			                   path);
			show_note(note, "git config --global --add safe.directory DIR");
		}
		git_repository_free(repo);
		free(dir);
		gitlib_stop();
	}
}

int attribute_tokenizer(const char *path, char **name, struct err *err)
{
	*name = NULL;
	MEM_SCOPED char *real = realpath(path, NULL);
	if (!real)
		return 0; /* whoever reads the file says so */
	int rc = gitlib_start(err);
	if (!rc) {
		rc = look_up(real, path, name, err);
		gitlib_stop();
	}
	return rc;
}

static char *data_dir_around(const char *path, const char *leaf)
{
	struct stat st;
	char *real = realpath(path, NULL), *dir = NULL;
	if (!real || gitlib_start(NULL)) {
		free(real);
		return NULL;
	}
	if (!stat(real, &st) && S_ISDIR(st.st_mode)) {
		char *in = mem_printf("%s/.", real);
		free(real);
		real = in;
	}
	git_repository *repo = open_around(real);
	if (repo)
		dir = mem_printf("%s.whittle/%s", git_repository_workdir(repo), leaf);
	git_repository_free(repo);
	gitlib_stop();
	free(real);
	if (dir && (stat(dir, &st) || !S_ISDIR(st.st_mode))) {
		free(dir);
		dir = NULL;
	}
	return dir;
}

enum { DATA_DIRS = 5 }; /* with the NULL at the end */

/* Where data of the kind LEAF is looked for: $VARIABLE, the user's configuration, .whittle of the
 * work tree around PATH (NULL: none), the build tree or the installation. */
static const char *const *fill_dirs(char *dirs[DATA_DIRS], const char *variable, const char *leaf,
                                    const char *path)
{
	int n = 0;
	const char *env = getenv(variable), *config = getenv("XDG_CONFIG_HOME"),
		   *home = getenv("HOME");
	if (env && *env)
		dirs[n++] = mem_strdup(env);
	if (config && *config)
		dirs[n++] = mem_printf("%s/whittle/%s", config, leaf);
	else if (home && *home)
		dirs[n++] = mem_printf("%s/.config/whittle/%s", home, leaf);
	if (path && (dirs[n] = data_dir_around(path, leaf)))
		n++;
	dirs[n] = installed_data_dir(leaf);
	return (const char *const *)dirs;
}

const char *const *tokenizer_dirs_for(const char *path)
{
	static char *around[DATA_DIRS], *plain[DATA_DIRS];
	char **dirs = path ? around : plain;
	return dirs[0] ? (const char *const *)dirs
	               : fill_dirs(dirs, "WHITTLE_TOKENIZERS", "tokenizers", path);
}

const char *const *signature_dirs_for(const char *path)
{
	static char *dirs[DATA_DIRS];
	return dirs[0] ? (const char *const *)dirs
	               : fill_dirs(dirs, "WHITTLE_SIGNATURES", "signatures", path);
}
