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

/* Adds the variables that name the job server. */
static char **add_server(char **to, const struct setup *o, const char *fifo)
{
	switch (o->serve) {
	case SETUP_SERVE_NONE:
		break;
	case SETUP_SERVE_AUTO:
		*to++ = mem_printf("WHITTLE_JOBS=%s", fifo);
		*to++ = mem_printf("CARGO_MAKEFLAGS=-j --jobserver-auth=fifo:%s", fifo);
		if (o->shims)
			*to++ = shimmed_path(o->shims);
		break;
	case SETUP_SERVE_PIPE: /* make before 4.2 knows the older name only; who knows both takes
	                         the last */
		*to++ = mem_printf("MAKEFLAGS= -j --jobserver-fds=%d,%d --jobserver-auth=%d,%d",
		                   TESTENV_GET, TESTENV_PUT, TESTENV_GET, TESTENV_PUT);
		break;
	case SETUP_SERVE_FIFO:
		*to++ = mem_printf("MAKEFLAGS= -j --jobserver-auth=fifo:%s", fifo);
		break;
	}
	return to;
}

char **testenv_make(const struct setup *o, const char *tmpdir, const char *fifo)
{
	static const char *const ours[] = { "TMPDIR", "WHITTLE_JOBS", NULL };
	static const char *const makes[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL", NULL };
	static const char *const autos[] = { "CARGO_MAKEFLAGS", NULL };
	bool auto_serve = o->serve == SETUP_SERVE_AUTO,
	     no_make = below_make() || (o->serve && !auto_serve);
	enum { ADDED = 4 };
	size_t n = mem_count_words(environ);
	char **env = mem_zero(n + ADDED + 1, sizeof *env), **to = env;
	for (size_t i = 0; i < n; i++)
		if (!is_one_of(environ[i], ours) && !(no_make && is_one_of(environ[i], makes)) &&
		    !(auto_serve &&
		      (is_one_of(environ[i], autos) || (o->shims && is_of(environ[i], "PATH")))))
			*to++ = environ[i];
	*to++ = mem_printf("TMPDIR=%s", tmpdir);
	add_server(to, o, fifo);
	return env;
}
