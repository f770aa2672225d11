#include "bisect/bisect_ask.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "bisect/bisect_git.h"
#include "bisect/bisect_work.h"

static void tell(const struct bisection *b, const struct bisect_worker *w)
{
	struct err ignored;
	char *subject =
		bisect_git_line(b->here, GIT_ARGS("log", "-1", "--format=%s", w->id), &ignored);
	char *leaf = mem_printf("log/%s", w->id), *log = bisection_path(b, leaf);
	judge_print(stderr, w->id, subject ? subject : "", w->result, log);
	free(subject);
	free(leaf);
	free(log);
}

int bisection_learn(struct bisection *b, struct err *err)
{
	struct bisect_worker *w;
	if (bisect_work_wait(&b->work, &w, err) < 0)
		return -1;
	if (w->result->answer == BISECT_STOP)
		return err_set(err, ERR_TEST, "%.12s: %s", w->id, w->result->why);
	if (!b->options->quiet)
		tell(b, w);
	return bisect_known_put(&b->known, w->tc->hash, w->id, w->result->answer, err);
}

int bisection_judge(struct bisection *b, const struct testcase *tc, const char *id,
                    enum bisect_answer *answer, struct err *err)
{
	while (!bisect_known_get(&b->known, tc->hash, id, answer)) {
		if (!bisect_work_find(&b->work, id, tc) && bisect_work_start(b, id, tc, err) < 0)
			return -1;
		if (bisection_learn(b, err) < 0)
			return -1;
	}
	return 0;
}
