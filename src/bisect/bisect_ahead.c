#include "bisect/bisect_ahead.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "bisect/bisect_walk.h"
#include "bisect/bisect_work.h"

/* The reduction has the processors; a quarter as many builds do not slow it down much. */
static unsigned ahead_width(const struct bisection *b)
{
	return b->width < 8 ? 1 : b->width / 4;
}

static void run(const struct bisection *b)
{
	struct bisect_options quiet = *b->options; /* the reduction has the terminal */
	struct bisection ours = *b;
	struct err ignored;
	quiet.quiet = true;
	ours.options = &quiet;
	if (bisect_work_init(&ours.work, ahead_width(b), &ignored) == 0)
		bisect_walk_ahead(&ours);
	bisect_work_release(&ours.work);
}

void bisect_ahead_start(struct bisection *b)
{
	if (!b->options->build || !b->slow || b->options->jobs < 2)
		return;
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid > 0)
		b->work.ahead = pid;
	if (pid)
		return; /* what cannot be started is left out */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0); /* the parent reacts to signals from the terminal */
	if (getppid() == parent)
		run(b);
	_exit(0);
}

int bisect_ahead_settle(struct bisection *b, struct err *err)
{
	if (b->work.ahead)
		kill(b->work.ahead, SIGTERM);
	return bisect_known_again(&b->known, err);
}

void bisect_ahead_end(struct bisection *b)
{
	if (!b->work.ahead)
		return;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* its orphans become our children, which we wait for */
	kill(b->work.ahead, SIGKILL);
	while (waitpid(b->work.ahead, NULL, 0) < 0 && errno == EINTR)
		;
	b->work.ahead = 0;
	if (b->work.n)
		return; /* bisect_work_release waits */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}
