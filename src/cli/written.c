#include "cli/written.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/path.h"
#include "reduce/session.h"

/* Are both the same regular file? */
static bool is_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Is PATH in DIRECTORY, or would it be? */
static bool is_in(const char *path, const char *directory)
{
	char *real = io_real_path(path), *above = io_real_path(directory);
	bool is = path_is_below(real, above);
	free(above);
	free(real);
	return is;
}

static bool is_at(const char *a, const char *b)
{
	char *x = io_real_path(a), *y = io_real_path(b);
	bool is = !strcmp(x, y) || is_same(a, b);
	free(y);
	free(x);
	return is;
}

int written_check(const char *option, const char *path, const struct session_options *s,
                  struct err *err)
{
	for (uint32_t i = 0; path && i <= s->n_files; i++)
		if (is_same(path, i < s->n_files ? s->files[i] : s->test))
			return err_set(err, ERR_USAGE, "option --%s: %s is %s", option, path,
			               i < s->n_files ? "what is to be reduced" : "the test");
	return 0;
}

int written_check_beside(const char *option, const char *path, const struct session_options *s,
                         struct err *err)
{
	if (written_check(option, path, s, err) < 0)
		return -1;
	for (uint32_t i = 0; path && i < s->n_files; i++)
		if (is_in(path, s->files[i]))
			return err_set(err, ERR_USAGE,
			               "option --%s: %s is in %s, which is being reduced", option,
			               path, s->files[i]);
	if (path && s->out && (is_at(path, s->out) || is_in(path, s->out)))
		return err_set(err, ERR_USAGE, "option --%s: %s is where the result goes", option,
		               path);
	return 0;
}
