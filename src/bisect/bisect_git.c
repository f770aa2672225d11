#include "bisect/bisect_git.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"

static const char *const quiet[] = { "-c",         "core.hooksPath=/dev/null",
	                             "-c",         "gc.auto=0",
	                             "-c",         "maintenance.auto=false",
	                             "-c",         "advice.detachedHead=false",
	                             "-c",         "worktree.useRelativePaths=false",
	                             "-c",         "core.fsmonitor=false",
	                             "--no-pager", "--literal-pathspecs" };
enum { N_QUIET = sizeof quiet / sizeof *quiet };

static const char **words(const char *dir, const char *const *args)
{
	size_t n = 0, at = N_QUIET;
	while (args[n])
		n++;
	const char **argv = mem_alloc((N_QUIET + 2 + n + 1) * sizeof *argv);
	memcpy(argv, quiet, sizeof quiet);
	argv[at++] = "-C";
	argv[at++] = dir ? dir : ".";
	memcpy(argv + at, args, (n + 1) * sizeof *args);
	return argv;
}

int bisect_git_status(const char *dir, const char *const *args, struct buf *out, struct err *err)
{
	MEM_SCOPED const char **argv = words(dir, args);
	return git_run(&(struct git_call){ .argv = argv }, out, err);
}

int bisect_git(const char *dir, const char *const *args, struct buf *out, struct err *err)
{
	return bisect_git_status(dir, args, out, err) == 0 ? 0 : -1;
}

char *bisect_git_line(const char *dir, const char *const *args, struct err *err)
{
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	if (bisect_git(dir, args, &out, err) < 0) {
		buf_release(&out);
		return NULL;
	}
	out.data[strcspn(out.data, "\n")] = '\0';
	return out.data;
}
