#include "cli/persistent.h"

#include <string.h>

#include "base/err.h"
#include "reduce/session_options.h"

/* The name of an operand that cannot stand on a line of paths; NULL: there is none. */
static const char *odd_name(const struct session_options *s)
{
	for (uint32_t i = 0; i < s->n_files; i++)
		if (strpbrk(s->files[i], "\t\n"))
			return s->files[i];
	return NULL;
}

/* What neither of the two can do. NAME: which it is. */
static int check_either(const struct session_options *s, const char *name, struct err *err)
{
	const char *odd = odd_name(s);
	return odd ? err_set(err, ERR_USAGE,
	                     "option --%s: a name with a tab or a newline cannot be sent to the "
	                     "test: %s",
	                     name, odd)
	           : 0;
}

static int check_forkserver(const struct session_options *s, bool command, struct err *err)
{
	if (!command)
		return err_set(err, ERR_USAGE,
		               "option --forkserver needs a command: whittle --forkserver --exit "
		               "crash FILE -- COMMAND (see whittle-live(7))");
	if (s->tests.persistent)
		return err_set(err, ERR_USAGE,
		               "option --forkserver: use either this or --persistent");
	if (s->n_files > 1)
		return err_set(err, ERR_USAGE, "option --forkserver: one FILE, not several");
	return check_either(s, "forkserver", err);
}

int persistent_check(const struct session_options *s, bool command, bool forks, struct err *err)
{
	const struct settings_repeat *r = &s->settings.repeat;
	if (s->tests.verdicts && !*s->tests.verdicts)
		return err_set(err, ERR_USAGE, "option --verdicts: the name is empty");
	if (s->tests.verdicts && (r->flaky || r->runs)) /* one answer decides nothing */
		return err_set(err, ERR_USAGE,
		               "option --verdicts: not for a flaky test (--flaky, --repeat)");
	if (forks)
		return check_forkserver(s, command, err);
	if (!s->tests.persistent)
		return s->tests.restart_after
		               ? err_set(err, ERR_USAGE,
		                         "option --restart-after: --persistent is needed, too")
		               : 0;
	if (command)
		return err_set(err, ERR_USAGE,
		               "option --persistent needs a TEST that implements its protocol, not "
		               "a command: whittle --persistent TEST FILE (see whittle-live(7))");
	if (!(s->settings.input & SETUP_INPUT_ARG))
		return err_set(
			err, ERR_USAGE,
			"option --persistent: the test gets paths only; use --input arg or all");
	return check_either(s, "persistent", err);
}
