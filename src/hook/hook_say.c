#include "hook/hook_say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "hook/hook_config.h"
#include "hook/hook_files.h"
#include "hook/hook_judge.h"
#include "hook/hook_plan.h"
#include "hook/hook_text.h"

enum { OUTPUT_SHOWN = 2000 };

void hook_sayf(hook_say_fn *say, const char *fmt, ...)
{
	char *line;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		bug("a message cannot be formatted");
	va_end(ap);
	say(line);
	free(line);
}

void hook_say_dull(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j)
{
	char *path = hook_quoted(job->file->path), *test = hook_quoted(job->needed->test);
	hook_sayf(say, "%s is not interesting: %s does not exit with 0 on it", path, test);
	if (j->output.len) {
		char *output = hook_shown(j->output.data, OUTPUT_SHOWN);
		hook_sayf(say, "output of the test:\n%s", output);
		free(output);
	}
	free(test);
	free(path);
}

void hook_say_large(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j)
{
	char *path = hook_quoted(job->file->path), *test = hook_quoted(job->needed->test);
	hook_sayf(say,
	          "%s has %u bytes, but %u or fewer are enough (%u %% are tolerated). To make it "
	          "small:\n    whittle -- %s %s",
	          path, job->size, j->best, job->needed->driver->slack, test, path);
	free(test);
	free(path);
}

static const char *end_of(const struct hook_judgement *j)
{
	return j->fixpoint ? "nothing more can be removed" : "limited by the time";
}

/* PATH as an argument of git, QUOTED as hook_quoted has it: git takes neither magic in it nor a
 * wildcard, which may also stand for a control character, for the name of other files. */
static char *git_argument(const char *path, const char *quoted)
{
	bool plain = *path != ':' && !strpbrk(quoted, "*?[\\");
	char *literal = mem_printf("%s%s", plain ? "" : ":(literal)", path);
	char *argument = hook_quoted(literal);
	free(literal);
	return argument;
}

void hook_say_smaller(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j,
                      const char *kept)
{
	char *from = hook_quoted(kept), *path = hook_quoted(job->file->path),
	     *spec = git_argument(job->file->path, path), *ref = hook_quoted(job->file->ref);
	hook_sayf(say,
	          "%s: %u -> %u bytes (%s). To push the smaller one, on %s at the top of the work "
	          "tree:\n"
	          "    cp -- %s %s\n"
	          "    git commit -m 'Smaller reproduction' -- %s",
	          path, job->size, j->best, end_of(j), ref, from, path, spec);
	free(ref);
	free(spec);
	free(path);
	free(from);
}
