#include "ui/waiting.h"

#include <stdio.h>

#include "base/io.h"
#include "reduce/reducer.h"
#include "base/show.h"

/* The name of the external program that is asked now; NULL: none is. */
static const char *program(const struct session *s)
{
	if (!session_facts(s).reducer)
		return NULL;
	struct reducer_at at = reducer_at(session_facts(s).reducer);
	return at.waits ? at.pass : NULL;
}

const char *waiting_look(struct waiting *w, const struct session *s, char *text, size_t size)
{
	uint64_t tests = session_stats(s)->tests, answers = session_facts(s).questions,
		 now = io_now();
	char span[SHOW_SPAN];
	*text = '\0';
	if (!w->moved_ns || tests != w->tests || answers != w->answers)
		*w = (struct waiting){ tests, answers, now };
	if (now - w->moved_ns < WAITING_SOON_NS)
		return text;
	show_span(span, (double)(now - w->moved_ns) / 1e9);
	const char *name = program(s);
	if (!session_facts(s).jobs)
		snprintf(text, size, "%s for its user, who paused it", span);
	else if (name)
		snprintf(text, size, "%s for %s, an external program", span, name);
	else
		snprintf(text, size, "%s for a test (deadline %.6g s)", span,
		         (double)session_facts(s).limit_ns / 1e9);
	return text;
}
