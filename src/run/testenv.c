#include "run/testenv.h"

#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "run/setup.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static bool is_of(const char *assignment, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(assignment, name, n) && assignment[n] == '=';
}

static bool is_one_of(const char *assignment, const char *const *names)
{
	for (; *names; names++)
		if (is_of(assignment, *names))
			return true;
	return false;
}

/* Whether MAKEFLAGS come from a make above; else they are the user's own. */
static bool below_make(void)
{
	const char *flags = getenv("MAKEFLAGS");
	return getenv("MAKELEVEL") || (flags && strstr(flags, "--jobserver-"));
}

/* PATH= with the shims of those programs before it that are there. */
static char *shimmed_path(const char *shims)
{
	static const char *const names[] = { "make", "gmake", "ninja", "cargo" };
	const char *path = getenv("PATH");
	char *dirs = mem_strdup(""), *found;
	if (!path)
		path = DEFAULT_PATH;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((found = io_find_program(path, names[i]))) {
			char *more = mem_printf("%s%s/%s:", dirs, shims, names[i]);
			free(dirs);
			dirs = more;
			free(found);
		}
	char *assignment = mem_printf("PATH=%s%s", dirs, path);
	free(dirs);
	return assignment;
}

char **testenv_make(const struct setup *o, const char *tmpdir, const char *fifo)
{
	static const char *const ours[] = { "TMPDIR", "WHITTLE_JOBS", NULL };
	static const char *const makes[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL", NULL };
	bool no_make = below_make(), shims = o->serve && o->shims;
	enum { ADDED = 4 };
	size_t n = mem_count_words(environ);
	char **env = mem_zero(n + ADDED + 1, sizeof *env), **to = env;
	for (size_t i = 0; i < n; i++)
		if (!is_one_of(environ[i], ours) && !(no_make && is_one_of(environ[i], makes)) &&
		    !(o->serve && is_of(environ[i], "CARGO_MAKEFLAGS")) &&
		    !(shims && is_of(environ[i], "PATH")))
			*to++ = environ[i];
	*to++ = mem_printf("TMPDIR=%s", tmpdir);
	if (o->serve) {
		*to++ = mem_printf("WHITTLE_JOBS=%s", fifo);
		*to++ = mem_printf("CARGO_MAKEFLAGS=-j --jobserver-auth=fifo:%s", fifo);
	}
	if (shims)
		*to++ = shimmed_path(o->shims);
	return env;
}
