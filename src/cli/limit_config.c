#include "cli/limit_config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/gitlib.h"

/* One limit. */
struct limit {
	const char *key;
	uint64_t *value;
	uint64_t otherwise;
};

static int take(git_config *config, const struct limit *limit, struct err *err)
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

/* The configuration of the repository that FILE is in, or that of the user; NULL: none can be had.
 */
static git_config *open_config(const char *file)
{
	char *real = io_real_path(file), *slash = strrchr(real, '/');
	git_repository *repo = NULL;
	git_config *config = NULL;
	struct stat st;
	if (slash && (stat(real, &st) < 0 || !S_ISDIR(st.st_mode)))
		slash[slash == real] = '\0';
	if (git_repository_open_ext(&repo, slash ? real : ".", 0, NULL) < 0 ||
	    git_repository_config(&config, repo) < 0)
		git_config_open_default(&config);
	git_repository_free(repo);
	free(real);
	return config;
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
		rc = config ? take(config, &limits[i], err) : 0;
	}
	git_config_free(config);
	gitlib_stop();
	return rc;
}
