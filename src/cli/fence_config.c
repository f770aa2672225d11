#include "cli/fence_config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "fence/fence.h"
#include "store/gitlib.h"

/* Of the caller. */
static char *expand_home(const char *path)
{
	const char *home = getenv("HOME");
	return !strncmp(path, "~/", 2) && home ? mem_printf("%s%s", home, path + 1)
	                                       : mem_strdup(path);
}

struct taking {
	struct fence_options *fence;
	struct err *err;
};

static int take_level(struct taking *t, const char *value)
{
	if (t->fence->given)
		return 0;
	t->fence->given = true;
	return fence_level(value, &t->fence->level) == 0
	               ? 0
	               : err_set(t->err, ERR_USAGE,
	                         "git config whittle.fence: \"%s\" is not auto, none, write or "
	                         "full",
	                         value);
}

static int take_place(const git_config_entry *entry, void *arg)
{
	struct taking *t = arg;
	if (!entry->value || !*entry->value)
		return err_set(t->err, ERR_USAGE,
		               "git config whittle.allowWrite: a path is missing");
	MEM_SCOPED char *path = expand_home(entry->value);
	return fence_options_allow(t->fence, path, t->err);
}

static int take(git_config *config, struct taking *t)
{
	git_config *now = NULL; /* values are kept in it */
	const char *level = NULL;
	if (git_config_snapshot(&now, config) < 0)
		return gitlib_fail(t->err, "git's configuration");
	int rc =
		git_config_get_string(&level, now, "whittle.fence") == 0 ? take_level(t, level) : 0;
	if (rc == 0 &&
	    git_config_get_multivar_foreach(now, "whittle.allowwrite", NULL, take_place, t) < 0 &&
	    t->err->code)
		rc = -1;
	git_config_free(now);
	return rc;
}

/* What cannot be opened is somebody else's to report: here it says nothing. */
static int look(const char *real, struct taking *t)
{
	git_repository *repo = NULL;
	git_config *config = NULL;
	struct stat st;
	MEM_SCOPED char *dir = mem_strdup(real);
	if (stat(real, &st) < 0 || !S_ISDIR(st.st_mode))
		*strrchr(dir, '/') = '\0';
	int rc = 0, opened = git_repository_open_ext(&repo, *dir ? dir : "/", 0, NULL);
	if (opened < 0 || git_repository_config(&config, repo) < 0)
		opened = git_config_open_default(&config);
	if (opened >= 0)
		rc = take(config, t);
	git_config_free(config);
	git_repository_free(repo);
	return rc;
}

/* PATH as an absolute path without links; where it is not there (it may be being replaced), the
 * directory that is to hold it, or the current one. */
static char *nearest(const char *path)
{
	char *real = realpath(path, NULL), *dir = mem_strdup(path);
	for (char *slash; !real && (slash = strrchr(dir, '/')) && slash != dir;) {
		*slash = '\0';
		real = realpath(dir, NULL);
	}
	free(dir);
	return real ? real : mem_strdup(".");
}

int fence_config(const char *file, struct fence_options *fence, struct err *err)
{
	struct taking t = { fence, err };
	MEM_SCOPED char *real = nearest(file);
	err->code = 0;
	int rc = gitlib_start(err);
	if (rc == 0) {
		rc = look(real, &t);
		gitlib_stop();
	}
	return rc;
}

static struct fence_options *options_at(void *target, const struct option_row *row)
{
	return (struct fence_options *)(void *)((char *)target + row->offset);
}

int fence_set_level(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct fence_options *f = options_at(target, row);
	f->given = true;
	return fence_level(text, &f->level) == 0
	               ? 0
	               : err_set(err, ERR_USAGE,
	                         "option --%s: \"%s\" is not auto, none, write or full", row->name,
	                         text);
}

int fence_add_place(void *target, const struct option_row *row, const char *text, struct err *err)
{
	return fence_options_allow(options_at(target, row), text, err);
}
