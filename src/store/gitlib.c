#include "store/gitlib.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"

enum { CACHE_BYTES = 16 << 20, WINDOW_BYTES = 64 << 20 };

int gitlib_start(struct err *err)
{
	/* libgit2 up to 1.5 refuses a repository for any extension it has not heard of. These are
	 * about the work tree and about which objects may be missing. */
	static const char *harmless[] = { "worktreeconfig", "partialclone", "preciousobjects",
		                          "relativeworktrees" };
	int starts = git_libgit2_init();
	if (starts < 0)
		return gitlib_fail(err, "cannot start libgit2");
	if (starts > 1)
		return 0;
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_BYTES);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)WINDOW_BYTES);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, harmless, sizeof harmless / sizeof *harmless);
	return 0;
}

void gitlib_stop(void)
{
	git_libgit2_shutdown();
}

int gitlib_fail(struct err *err, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	const git_error *e = git_error_last();
	return err_set(err, ERR_SYSTEM, "%s: %s", text,
	               e && e->message ? e->message : "unknown failure");
}
