#include "cli/git_config.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/options.h"
#include "fence/fence.h"
#include "reduce/session_options.h"
#include "store/git.h"

/* NULL: none can be had. */
static git_config *open_config(const char *file)
{
	char *real = io_real_path(file), *slash = strrchr(real, '/');
	SCOPED(git_repository_scoped) git_repository *repo = NULL;
	git_config *config = NULL;
	struct stat st;
	if (slash && (stat(real, &st) < 0 || !S_ISDIR(st.st_mode)))
		slash[slash == real] = '\0';
	if (git_repository_open_ext(&repo, slash ? real : ".", 0, NULL) < 0 ||
	    git_repository_config(&config, repo) < 0)
		git_config_open_default(&config);
	free(real);
	return config;
}

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

int fence_config(const char *file, struct fence_options *fence, struct err *err)
{
	struct taking t = { fence, err };
	err->code = 0;
	if (gitlib_start(err) < 0)
		return -1;
	git_config *config = open_config(file);
	int rc = config ? take(config, &t) : 0;
	git_config_free(config);
	gitlib_stop();
	return rc;
}

/* ---- limits ---- */

struct limit {
	const char *key;
	uint64_t *value;
	uint64_t otherwise;
};

static int take_limit(git_config *config, const struct limit *limit, struct err *err)
{
	int64_t value;
	int rc = git_config_get_int64(&value, config, limit->key);
	if (rc == GIT_ENOTFOUND)
		return 0;
	if (rc < 0 || value < 0)
		return err_set(err, ERR_USAGE,
		               "git config %s is not a number (0 or more, with an optional suffix "
		               "k, m or g)",
		               limit->key);
	*limit->value = (uint64_t)value;
	return 0;
}

int limit_config(struct session_options *o, const char *file, struct err *err)
{
	const struct limit limits[] = {
		{ "whittle.filelimit", &o->settings.file_limit, SETTINGS_FILE_LIMIT },
		{ "whittle.memorylimit", &o->settings.memory_limit, 0 },
		{ "whittle.processlimit", &o->settings.process_limit, SETTINGS_PROCESS_LIMIT },
	};
	int rc = 0;
	if (gitlib_start(err) < 0)
		return -1;
	git_config *config = open_config(file ? file : ".");
	for (size_t i = 0; i < sizeof limits / sizeof *limits && rc == 0; i++) {
		if (*limits[i].value != LIMIT_NOT_GIVEN)
			continue;
		*limits[i].value = limits[i].otherwise;
		rc = config ? take_limit(config, &limits[i], err) : 0;
	}
	git_config_free(config);
	gitlib_stop();
	return rc;
}

/* ---- options ---- */

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
