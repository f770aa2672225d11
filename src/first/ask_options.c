#include <signal.h>

#include "base/err.h"
#include "base/mem.h"
#include "first/ask.h"
#include "base/options.h"
#include "reduce/session_options.h"

static struct ask_options *of(void *target, const struct option_row *row)
{
	return (struct ask_options *)((char *)target + row->offset);
}

/* "SEGV", "SIGSEGV" or "11"; 0: none. */
static int signal_named(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);
	if (*text && !*end)
		return number > 0 && number < NSIG ? (int)number : 0;
	if (!strncmp(text, "SIG", 3))
		text += 3;
	for (int i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) && !strcmp(sigabbrev_np(i), text))
			return i;
	return 0;
}

int ask_set_exit(void *target, const struct option_row *row, const char *text, struct err *err)
{
	static const struct {
		const char *name;
		enum ended ended;
	} words[] = { { "nonzero", ENDED_NONZERO },
		      { "crash", ENDED_CRASH },
		      { "timeout", ENDED_TIMEOUT },
		      { "any", ENDED_ANYHOW } };
	struct ask_options *ask = of(target, row);
	struct condition *c = &ask->condition;
	char *end;
	long number = strtol(text, &end, 10);
	ask->ended_given = true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i].name)) {
			c->ended = words[i].ended;
			return 0;
		}
	c->ended = ENDED_STATUS;
	c->number = (int)number;
	if (*text && !*end && number >= 0 && number <= 255)
		return 0;
	c->ended = ENDED_SIGNAL;
	c->number = signal_named(text);
	return c->number ? 0
	                 : err_set(err, ERR_USAGE,
	                           "option --%s: \"%s\" is not a status from 0 to 255, a signal "
	                           "(SEGV), nonzero, crash, timeout or any",
	                           row->name, text);
}

int ask_add_look(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	if (c->n_looks == CONDITION_LOOKS)
		return err_set(err, ERR_USAGE, "option --%s: no more than %d patterns", row->name,
		               CONDITION_LOOKS);
	c->looks[c->n_looks++] =
		(struct look){ .streams = !strcmp(row->name, "stdout")   ? STREAM_OUT
		                          : !strcmp(row->name, "stderr") ? STREAM_ERR
		                                                         : STREAM_BOTH,
		               .absent = !strcmp(row->name, "not"),
		               .pattern = mem_strdup(text) };
	return 0;
}

/* FILE or FILE:PATTERN. */
int ask_set_creates(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	size_t len = strcspn(text, ":");
	if (!len || c->creates)
		return err_set(err, ERR_USAGE, "option --%s: expected FILE or FILE:PATTERN, once",
		               row->name);
	char *name = mem_printf("%.*s", (int)len, text);
	struct buf b = { 0 };
	for (const char *at = name; *at; at++)
		buf_addf(&b, *at == '\\' ? "\\%c" : "%c", *at);
	free(name);
	c->creates = b.data;
	c->creates_pattern = text[len] ? mem_strdup(text + len + 1) : NULL;
	return 0;
}

int ask_set_slower(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct ask_options *ask = of(target, row);
	uint64_t ns = 0;
	struct option_row plain = *row;
	plain.offset = 0;
	if (options_set_duration(&ns, &plain, text, err) < 0)
		return -1;
	ask->condition.slower_than_ns = ns;
	return 0;
}

int ask_set_line(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	char **field = !strcmp(row->name, "valid")     ? &c->valid
	               : !strcmp(row->name, "differs") ? &c->differs
	                                               : &c->agrees;
	if (*field)
		return err_set(err, ERR_USAGE, "option --%s: given twice; join commands with &&",
		               row->name);
	const char *command;
	struct option_row plain = *row;
	plain.offset = 0;
	if (options_set_command(&command, &plain, text, err) < 0)
		return -1;
	*field = mem_strdup(command);
	return 0;
}

const char *ask_option_given(const struct ask_options *ask)
{
	const struct condition *c = &ask->condition;
	return ask->ended_given    ? "exit"
	       : c->n_looks        ? "stdout, --stderr, --print or --not"
	       : c->creates        ? "creates"
	       : c->slower_than_ns ? "slower-than"
	       : c->valid          ? "valid"
	       : c->differs        ? "differs"
	       : c->agrees         ? "agrees"
	       : ask->same         ? "same"
	       : ask->forks        ? "forkserver"
	       : ask->shell        ? "shell"
	       : ask->save         ? "save-test"
	                           : NULL;
}

int ask_fork_server(struct ask_options *ask, struct session_options *s, struct err *err)
{
	struct condition *c = &ask->condition;
	if (!ask->ended_given || c->ended == ENDED_TIMEOUT || c->n_looks || c->creates ||
	    c->slower_than_ns || c->valid || c->differs || c->agrees || ask->same || c->shell)
		return err_set(err, ERR_USAGE,
		               "option --forkserver: give --exit, and no other condition (a "
		               "status, a signal, nonzero, crash or any)");
	char *program = condition_program(c);
	if (!program)
		return err_errno(err, "cannot run %s", c->words[0]);
	s->tests.forks = c;
	s->tests.fork_program = program; /* as long as the options */
	return 0;
}
