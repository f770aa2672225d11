#include "reduce/surroundings.h"

#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "reduce/session_def.h"
#include "run/setup.h"

/* A component of the long path. */
static const char LONG_NAME[] =
	"a-directory-with-a-name-that-is-much-longer-than-the-usual-ones-are-"
	"and-stands-for-another-place-to-run-the-test-in";

static const char *const names[SURROUNDINGS] = {
	[SURROUNDING_DIRECTORY] = "another directory",
	[SURROUNDING_ZONE] = "another time zone",
	[SURROUNDING_DAY] = "another day",
};

const char *surrounding_name(enum surrounding what)
{
	return names[what];
}

/* A variable of the environment that has another value for a while. */
struct changed {
	const char *name;
	char *before; /* NULL: there was none */
};

static struct changed change(const char *name, const char *value)
{
	const char *before = getenv(name);
	struct changed c = { name, before ? mem_strdup(before) : NULL };
	setenv(name, value, 1);
	return c;
}

static void change_back(struct changed *c)
{
	if (c->before)
		setenv(c->name, c->before, 1);
	else
		unsetenv(c->name);
	free(c->before);
}

/* One run by an oracle of its own, which begins with the environment as it is now. */
static enum verdict ask(struct session *s, const char *work_dir)
{
	struct setup setup = s->ask.setup;
	struct answer a = { 0 };
	const struct oracle_request rq = { .ticket = 1,
		                           .tc = s->original,
		                           .limits = s->ask.limits };
	setup.work_dir = work_dir;
	setup.jobs = 1;
	setup.jobs_most = 0;
	setup.make = NULL;
	setup.notice = NULL;
	SCOPED(oracle_scoped) struct oracle *oracle = setup_open(&setup, NULL);
	if (!oracle)
		return VERDICT_UNKNOWN;
	oracle->idle = s->ask.oracle->idle;
	oracle->idle_arg = s->ask.oracle->idle_arg;
	if (oracle_ask(oracle, &rq, s->options.end.stop_fd, &a, NULL) != 0)
		a.verdict = VERDICT_UNKNOWN;
	return a.verdict;
}

/* No twice: one may be by chance. */
static enum surrounding_answer ask_twice(struct session *s, const char *work_dir)
{
	for (int i = 0; i < 2; i++)
		switch (ask(s, work_dir)) {
		case VERDICT_INTERESTING:
			return SURROUNDING_SAME;
		case VERDICT_UNKNOWN:
			return SURROUNDING_UNKNOWN;
		default:
			break;
		}
	return SURROUNDING_MATTERS;
}

static enum surrounding_answer try_directory(struct session *s)
{
	MEM_SCOPED char *base = io_temporary_name("whittle");
	enum surrounding_answer answer = SURROUNDING_UNKNOWN;
	if (mkdtemp(base)) {
		MEM_SCOPED char *dir = mem_printf("%s/%s", base, LONG_NAME);
		if (mkdir(dir, S_IRWXU) == 0)
			answer = ask_twice(s, dir);
		rmdir(dir);
		rmdir(base);
	}
	return answer;
}

/* Fourteen hours east of Greenwich: the day is another one than in most places, most of the time.
 */
static enum surrounding_answer try_zone(struct session *s)
{
	struct changed zone = change("TZ", "WHITTLE-14");
	enum surrounding_answer answer = ask_twice(s, NULL);
	change_back(&zone);
	return answer;
}

static enum surrounding_answer try_day(struct session *s)
{
	enum surrounding_answer answer = SURROUNDING_UNKNOWN;
	glob_t found = { 0 };
	if (getenv("LD_PRELOAD") || glob("/usr/lib*/*/faketime/libfaketime.so.1", 0, NULL, &found))
		return answer;
	struct changed changed[] = { change("LD_PRELOAD", found.gl_pathv[0]),
		                     change("FAKETIME", "+100d"),
		                     change("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
		                     change("FAKETIME_NO_CACHE", "1") };
	answer = ask_twice(s, NULL);
	for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
		change_back(&changed[i]);
	globfree(&found);
	return answer;
}

enum surrounding_answer surrounding_try(struct session *s, enum surrounding what)
{
	static enum surrounding_answer (*const tries[SURROUNDINGS])(struct session *) = {
		[SURROUNDING_DIRECTORY] = try_directory,
		[SURROUNDING_ZONE] = try_zone,
		[SURROUNDING_DAY] = try_day,
	};
	snprintf(s->waits.name, sizeof s->waits.name, "a run of the test in %s", names[what]);
	session_waits(s, s->waits.name);
	enum surrounding_answer answer = tries[what](s);
	session_waits(s, NULL);
	return answer;
}
