#include "config.h"

#include "cli/reduce_options.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/installed.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/show.h"
#include "first/attributes.h"
#include "cli/commands.h"
#include "cli/git_config.h"
#include "cli/jobs.h"
#include "cli/named.h"
#include "reduce/passes.h"
#include "first/teach.h"
#include "run/setup.h"
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

/* FORKS: --forkserver was given. 0, or -1 and err when S asks for what makes no sense with it.
 * COMMAND: the test is a command. */
static int persistent_check(const struct session_options *s, bool command, bool forks,
                            struct err *err)
{
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

static struct session_far *far_of(void *target, const struct option_row *row)
{
	return (struct session_far *)(void *)((char *)target + row->offset);
}

static int too_many(const struct option_row *row, int most, struct err *err)
{
	return err_set(err, ERR_USAGE, "option --%s: no more than %d of them", row->name, most);
}

static int workers_add(void *target, const struct option_row *row, const char *text,
                       struct err *err)
{
	struct session_far *far = far_of(target, row);
	if (far->n == FAR_WORKERS)
		return too_many(row, FAR_WORKERS, err);
	if (!*text)
		return err_set(err, ERR_USAGE, "option --%s: there is no command", row->name);
	far->commands[far->n++] = text;
	return 0;
}

static int workers_set_source(void *target, const struct option_row *row, const char *text,
                              struct err *err)
{
	if (!*text)
		return err_set(err, ERR_USAGE, "option --%s: neither a FIFO nor a command",
		               row->name);
	far_of(target, row)->from = text;
	return 0;
}

static int workers_add_file(void *target, const struct option_row *row, const char *text,
                            struct err *err)
{
	struct session_far *far = far_of(target, row);
	if (far->n_with == FAR_WITH)
		return too_many(row, FAR_WITH, err);
	far->with[far->n_with++] = text;
	return 0;
}

static int set_input(void *target, const struct option_row *row, const char *text, struct err *err)
{
	static const char *const words[] = { "basename", "arg", "stdin", "all", NULL };
	static const unsigned sets[] = { SETUP_INPUT_BASENAME, SETUP_INPUT_ARG, SETUP_INPUT_STDIN,
		                         SETUP_INPUT_ALL };
	int word = options_word(row, text, words, err);
	if (word >= 0)
		((struct reduce_options *)target)->session.settings.input = sets[word];
	return word < 0 ? -1 : 0;
}

static int set_certify(void *target, const struct option_row *row, const char *text,
                       struct err *err)
{
	int word = options_word(row, text, plan_certify_words, err);
	if (word >= 0)
		((struct reduce_options *)target)->session.settings.certify =
			(enum plan_certify)word;
	return word < 0 ? -1 : 0;
}

static int no_pass(const struct option_row *row, const char *name, size_t len, struct err *err)
{
	char question[80];
	struct near n = near_begin(name, len);
	for (uint32_t i = 0; i < passes_n_rows; i++)
		near_offer(&n, passes_table[i].name);
	return err_set(err, ERR_USAGE,
	               "option --%s: no pass is called \"%.*s\"%s (see --list-passes)", row->name,
	               (int)len, name, near_question(&n, "", question, sizeof question));
}

/* "a,b": only these; "-a,-b": all but these. */
static int set_passes(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct reduce_options *o = target;
	struct pass_set set = *text == '-' ? passes_all() : passes_first(0);
	for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ",");
		bool minus = *at == '-';
		const struct pass_set named = passes_named(at + minus, (size_t)(end - at) - minus);
		if (passes_none(&named))
			return no_pass(row, at + minus, (size_t)(end - at) - minus, err);
		(minus ? passes_remove : passes_add)(&set, &named);
	}
	o->session.settings.passes = set;
	return 0;
}

static int add_external(void *target, const struct option_row *row, const char *text,
                        struct err *err)
{
	struct session_options *s = &((struct reduce_options *)target)->session;
	if (s->external.n == SESSION_MAX_EXTERNAL)
		return err_set(err, ERR_USAGE, "option --%s: given more than %d times", row->name,
		               SESSION_MAX_EXTERNAL);
	s->external.commands[s->external.n++] = text;
	return 0;
}

static int set_repeat(void *target, const struct option_row *row, const char *text, struct err *err)
{
	enum { MOST = 10000 };
	struct settings_repeat *r = &((struct reduce_options *)target)->session.settings.repeat;
	int end = 0, n = sscanf(text, "%5u%n/%5u%n", &r->runs, &end, &r->needed, &end);
	if (n == 1)
		r->needed = 1;
	r->flaky = false;
	if (n >= 1 && !text[end] && *text != '-' && r->needed && r->needed <= r->runs &&
	    r->runs <= MOST)
		return 0;
	return err_set(err, ERR_USAGE, "option --%s: \"%s\" is not N or N/M (1 <= M <= N <= %d)",
	               row->name, text, MOST);
}

static int set_flaky(void *target, UNUSED const struct option_row *row, const char *text,
                     struct err *err)
{
	(void)text;
	(void)err;
	((struct reduce_options *)target)->session.settings.repeat =
		(struct settings_repeat){ .flaky = true };
	return 0;
}

/* The next moment at which a clock here shows HH:MM. */
static int set_deadline(void *target, const struct option_row *row, const char *text,
                        struct err *err)
{
	struct reduce_options *o = target;
	unsigned hours, minutes;
	int end = 0;
	if (sscanf(text, "%2u:%2u%n", &hours, &minutes, &end) != 2 || text[end] || hours > 23 ||
	    minutes > 59)
		return err_set(err, ERR_USAGE, "option --%s: \"%s\" is not a time of day (HH:MM)",
		               row->name, text);
	time_t now = time(NULL);
	struct tm tm;
	localtime_r(&now, &tm);
	tm.tm_hour = (int)hours;
	tm.tm_min = (int)minutes;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	o->session.end.deadline = mktime(&tm);
	if (o->session.end.deadline <= now) {
		tm.tm_mday++;
		tm.tm_hour = (int)hours;
		tm.tm_min = (int)minutes;
		tm.tm_isdst = -1;
		o->session.end.deadline = mktime(&tm);
	}
	return 0;
}

/* "500": tests; "10m", "30s": time. */
static int set_stop_after(void *target, const struct option_row *row, const char *text,
                          struct err *err)
{
	struct session_end *end = &((struct reduce_options *)target)->session.end;
	bool tests = *text && !text[strspn(text, "0123456789")];
	struct option_row as = *row;
	as.offset = tests ? offsetof(struct session_end, idle_questions)
	                  : offsetof(struct session_end, idle_ns);
	return (tests ? options_set_count : options_set_duration)(end, &as, text, err);
}

/* What other reducers call what we have, or do without; whittle-as takes their whole line. */
static int say_cvise(UNUSED void *target, const struct option_row *row, UNUSED const char *text,
                     struct err *err)
{
	return err_set(err, ERR_USAGE, "C-Vise's --%s %s; `whittle-as cvise` takes the whole line",
	               row->name, row->help);
}

static int say_shrinkray(UNUSED void *target, const struct option_row *row, UNUSED const char *text,
                         struct err *err)
{
	return err_set(err, ERR_USAGE,
	               "Shrink Ray's --%s %s; `whittle-as shrinkray` takes the whole line",
	               row->name, row->help);
}

/* One that whittle-as refuses, too; and a letter, which may as well belong to a command without
 * "--". */
static int say_help(UNUSED void *target, const struct option_row *row, UNUSED const char *text,
                    struct err *err)
{
	return err_set(err, ERR_USAGE, "%s", row->help);
}

#define IN_SESSION(field) offsetof(struct reduce_options, session.field)
#define IN(field) offsetof(struct reduce_options, field)

static const struct option_row rows[] = {
	{ .help = "COMMAND as the test; interesting if", .set = options_heading },
	{ 0, "exit", "HOW", "it ends with a status, signal, crash, timeout, any", ask_set_exit,
	  IN(ask) },
	{ 0, "stdout", "PATTERN", "its standard output matches (PCRE2)", ask_add_look, IN(ask) },
	{ 0, "stderr", "PATTERN", "its standard error matches", ask_add_look, IN(ask) },
	{ 0, "print", "PATTERN", "either of the two matches", ask_add_look, IN(ask) },
	{ 0, "not", "PATTERN", "neither of the two matches", ask_add_look, IN(ask) },
	{ 0, "creates", "FILE[:PATTERN]", "it creates FILE in its directory, and FILE matches",
	  ask_set_creates, IN(ask) },
	{ 0, "slower-than", "TIME", "it uses more processor time than this", ask_set_slower,
	  IN(ask) },
	{ 0, "same", NULL, "it keeps failing the same way (the default without other conditions)",
	  options_set_flag, IN(ask.same) },
	{ 0, "differs", "COMMAND", "another command prints or returns something else", ask_set_line,
	  IN(ask) },
	{ 0, "agrees", "COMMAND",
	  "a third command prints and returns the same as that of --differs", ask_set_line,
	  IN(ask) },
	{ 0, "valid", "COMMAND", "this command, run first, succeeds", ask_set_line, IN(ask) },
	{ 0, "shell", NULL, "COMMAND is a command line of sh", options_set_flag, IN(ask.shell) },
	{ 0, "save-test", "FILE", "also write the test to FILE, as a shell script",
	  options_set_text, IN(ask.save) },
	{ 0, "also", "WHAT",
	  "also keep other failures: any that COMMAND shows, or those with these exit statuses",
	  others_set, IN(others) },
	{ .help = "Running tests", .set = options_heading },
	{ 'j', "jobs", "N", "tests at a time (default: one per processor)", options_set_count,
	  IN(jobs) },
	{ 0, "timeout", "TIME", "deadline of a test (default: measured)", options_set_duration,
	  IN_SESSION(tests.timeout_ns) },
	{ 0, "memory-limit", "BYTES", "of a test with its processes (default: no limit)",
	  options_set_size, IN_SESSION(settings.memory_limit) },
	{ 0, "file-limit", "BYTES",
	  "how much a test may write in total; suffixes K, M, G (default: 512M; 0: no limit)",
	  options_set_size, IN_SESSION(settings.file_limit) },
	{ 0, "process-limit", "N", "number of processes of a test (default: 4096; 0: no limit)",
	  options_set_count, IN_SESSION(settings.process_limit) },
	{ 0, "fence", "LEVEL", "what tests are kept from: auto (default), none, write or full",
	  fence_set_level, IN_SESSION(settings.fence) },
	{ 0, "allow-write", "PATH", "also let tests write to PATH; may be repeated",
	  fence_add_place, IN_SESSION(settings.fence) },
	{ 0, "input", "HOW",
	  "how the test gets the candidate: basename, arg, stdin or all (default)", set_input, 0 },
	{ 0, "repeat", "N[/M]",
	  "for a flaky test: a candidate is interesting if M (1) of N runs are", set_repeat, 0 },
	{ 0, "flaky", NULL, "TEST is flaky: interesting about as often as FILE", set_flaky, 0 },
	{ 0, "persistent", NULL,
	  "TEST stays alive: it reads paths and prints statuses, one per line; see whittle-live(7)",
	  options_set_flag, IN_SESSION(tests.persistent) },
	{ 0, "forkserver", NULL,
	  "COMMAND was built for AFL (afl-cc): its fork server starts it; with --exit only",
	  options_set_flag, IN(ask.forks) },
	{ 0, "restart-after", "N",
	  "with these two: restart TEST or COMMAND after N answers (default: 1000)",
	  options_set_count, IN_SESSION(tests.restart_after) },
	{ 0, "allow-trivial", NULL, "accept a test that is interesting on an empty file",
	  options_set_flag, IN_SESSION(tests.allow_trivial) },
	{ 0, "workers", "COMMAND",
	  "also run tests elsewhere: COMMAND starts whittle worker there; may be repeated",
	  workers_add, IN_SESSION(far) },
	{ 0, "workers-from", "SOURCE",
	  "the same for each line of a FIFO or of a command's output, at any time",
	  workers_set_source, IN_SESSION(far) },
	{ 0, "with", "FILE", "also send FILE to workers, because TEST needs it; may be repeated",
	  workers_add_file, IN_SESSION(far) },
	{ .help = "Reducing", .set = options_heading },
	{ 't', "tokenizer", "NAME|FILE", "language (default: by FILE's name and content)",
	  options_set_text, IN_SESSION(settings.tokenizer) },
	{ 0, "spans", "FILE",
	  "structure of the file: lines BEGIN END [item|group], nested byte ranges",
	  options_set_text, IN_SESSION(settings.spans) },
	{ 0, "passes", "LIST",
	  "run only these passes, or with -NAME all but these; separated by commas", set_passes,
	  0 },
	{ 0, "list-passes", NULL, "list the passes and what they do", options_set_flag,
	  IN(list_passes) },
	{ 0, "external", "COMMAND", "also use the passes of this program; see whittle-passes(7)",
	  add_external, 0 },
	{ 0, "no-external", NULL, "use no external passes, not even installed ones (clang_delta)",
	  options_set_flag, IN_SESSION(settings.no_external) },
	{ 0, "keep-names", NULL, "do not rename identifiers", options_set_flag,
	  IN_SESSION(settings.keep_names) },
	{ 0, "format", "COMMAND",
	  "format the result if it stays interesting; auto: with an installed formatter",
	  options_set_command, IN_SESSION(format) },
	{ 0, "certify", "WHAT",
	  "what is verified at the end: full, token (tokens, items, lines), none, or auto "
	  "(default): "
	  "full, but bytes at most as often as everything else",
	  set_certify, 0 },
	{ 0, "seed", "N", "seed of the random choices (default: 0)", options_set_count,
	  IN_SESSION(settings.seed) },
	{ .help = "Keeping and resuming", .set = options_heading },
	{ 'o', "output", "OUT", "write the result to OUT and leave FILE alone", options_set_text,
	  IN_SESSION(out) },
	{ 0, "fresh", NULL, "start over; the earlier reduction is set aside", options_set_flag,
	  IN_SESSION(store.fresh) },
	{ 0, "fresh-if-changed", NULL,
	  "start over if FILE, TEST or options have changed, else resume", options_set_flag,
	  IN_SESSION(store.fresh_if_changed) },
	{ 0, "name", "NAME", "name of the reduction (default: derived from FILE)", options_set_text,
	  IN_SESSION(store.name) },
	{ 0, "store", "DIR",
	  "repository that keeps the reduction (default: the one that contains FILE)",
	  options_set_text, IN_SESSION(store.repository) },
	{ 0, "no-store", NULL, "keep nothing: the reduction cannot be resumed", options_set_flag,
	  IN_SESSION(store.none) },
	{ 'C', NULL, "DIR", "change to DIR first", options_set_text, IN_SESSION(store.dir) },
	{ .help = "Stopping early", .set = options_heading },
	{ 0, "time-limit", "TIME", "stop after this many seconds, minutes (m), hours (h)",
	  options_set_duration, IN_SESSION(end.time_limit_ns) },
	{ 0, "deadline", "HH:MM", "stop at this time of day", set_deadline, 0 },
	{ 0, "max-tests", "N", "stop after N answers of this run; with -j, more tests are run",
	  options_set_count, IN_SESSION(end.max_questions) },
	{ 0, "stop-after", "TIME|N", "stop after this time, or N tests, without a success",
	  set_stop_after, 0 },
	{ 0, "until-size", "BYTES", "stop when the file is no larger than this", options_set_size,
	  IN(until_size) },
	{ .help = "Output", .set = options_heading },
	{ 'q', "quiet", NULL, "print only errors", options_set_flag, IN(quiet) },
	{ 'v', "verbose", NULL, "print a line for each success", options_set_flag, IN(verbose) },
	{ 0, "stats", NULL, "print what each pass did at the end", options_set_flag, IN(stats) },
	{ 0, "plain", NULL, "print lines instead of the full-screen display", options_set_flag,
	  IN(plain) },
	{ 0, "label", "NAME", "print only the progress of NAME, every five seconds",
	  options_set_text, IN(label) },
	{ 0, "events", "FILE|FD", "write one JSON object per line for other programs",
	  options_set_text, IN(events) },
	{ 'h', "help", NULL, "print the most important options", options_set_flag, IN(help) },
	{ 0, "help-all", NULL, "print all options", options_set_flag, IN(help_all) },
	{ 0, "version", NULL, "print the version", options_set_flag, IN(version) },
	{ .set = options_heading }, /* of other reducers; not in --help */
	{ 0, "n", "N", "is --jobs", say_cvise, 0 },
	{ 'n', NULL, NULL, "unknown option -n (see --help); C-Vise's is -j", say_help, 0 },
	{ 'c', NULL, NULL,
	  "unknown option -c (see --help); C-Vise's is FILE --exit 0 --shell -- COMMAND", say_help,
	  0 },
	{ 0, "parallelism", "N", "is --jobs", say_shrinkray, 0 },
	{ 0, "also-interesting", "N", "is --also", say_cvise, 0 },
	{ 0, "commands", "COMMAND", "is FILE --exit 0 --shell -- COMMAND", say_cvise, 0 },
	{ 0, "skip-interestingness-test-check", NULL, "is not needed", say_cvise, 0 },
	{ 0, "print-diff", NULL, "is `whittle diff FILE`", say_cvise, 0 },
	{ 0, "skip-initial-passes", NULL, "is not needed", say_cvise, 0 },
	{ 0, "no-cache", NULL, "is not needed", say_cvise, 0 },
	{ 0, "to-utf8", NULL, "is not needed", say_cvise, 0 },
	{ 0, "shaddap", NULL, "is not needed", say_cvise, 0 },
	{ 0, "die-on-pass-bug", NULL, "is not needed", say_cvise, 0 },
	{ 0, "no-give-up", NULL, "is what whittle always does", say_cvise, 0 },
	{ 0, "renaming", NULL, "is what whittle always does, but for --keep-names", say_cvise, 0 },
	{ 0, "max-improvement", "BYTES", "is not needed", say_cvise, 0 },
	{ 0, "pass-group", "GROUP", "C-Vise's --pass-group is --passes LIST (see --list-passes)",
	  say_help, 0 },
	{ 0, "start-with-pass", "PASS",
	  "C-Vise's --start-with-pass is --passes LIST (see --list-passes)", say_help, 0 },
	{ 0, "remove-pass", "PASS", "C-Vise's --remove-pass is --passes LIST (see --list-passes)",
	  say_help, 0 },
	{ 0, "log-level", "LEVEL", "is --quiet or --verbose", say_cvise, 0 },
	{ 0, "formatter", "COMMAND", "is --format", say_shrinkray, 0 },
	{ 0, "input-type", "HOW", "is --input", say_shrinkray, 0 },
	{ 0, "volume", "WHAT", "is --quiet or --verbose", say_shrinkray, 0 },
	{ 0, "ui", "WHAT", "is --plain", say_shrinkray, 0 },
	{ 0, "backup", "NAME",
	  "Shrink Ray's --backup is not needed: the original stays as FILE.orig", say_help, 0 },
	{ 0, "not-c", NULL, "is --no-external", say_cvise, 0 },
	{ 0, "tidy", NULL, "is not needed: the original stays as FILE.orig", say_cvise, 0 },
	{ 0, "save-temps", NULL, "is `whittle show FILE:STEP`", say_cvise, 0 },
	{ 0, "in-place", NULL, "is not needed: each test has its own directory", say_shrinkray, 0 },
	{ 0, "trivial-is-not-error", NULL, "is --allow-trivial", say_shrinkray, 0 },
	{ 0, "no-clang-delta", NULL, "is --no-external", say_shrinkray, 0 },
	{ 0, "no-history", NULL, "is --no-store", say_shrinkray, 0 },
	{ 0, "sllooww", NULL, "is what whittle always does", say_cvise, 0 },
	{ 0 },
};

const struct option_row *reduce_options_rows(void)
{
	return rows;
}

const struct option_row *reduce_options_row(const char *name)
{
	for (const struct option_row *row = rows; row->set; row++)
		if (row->name && !strcmp(row->name, name))
			return row;
	bug("there is no option --%s", name);
}

static const char *pass_dir(void)
{
	static char *dir;
	return dir ? dir : (dir = installed_data_dir("passes"));
}

void reduce_options_defaults(struct reduce_options *o)
{
	*o = (struct reduce_options){ .jobs = JOBS_DEFAULT };
	o->session.settings.input = SETUP_INPUT_ALL;
	o->session.settings.file_limit = LIMIT_NOT_GIVEN;
	o->session.settings.memory_limit = LIMIT_NOT_GIVEN;
	o->session.settings.process_limit = LIMIT_NOT_GIVEN;
	o->session.settings.passes = passes_all();
	o->session.tokenizer_dirs = tokenizer_dirs_for(NULL);
	o->session.external.pass_dir = pass_dir();
	o->session.external.program_dir = installed_programs();
}

int reduce_options_change(struct reduce_options *o, int argc, char **argv, struct err *err)
{
	return options_parse(rows, argc, argv, o, err);
}

/* Where the first "--" stands, ARGC when there is none: in front of it TEST and FILE, or if that is
 * nothing but options behind it, or FILE in front and a command behind it. */
static int find_border(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

/* getopt sorts argv. What is kept lives as long as the options. */
static void keep_typed(struct ask_options *ask, int n, char **argv)
{
	int first = strcmp(argv[0], "check") != 0;
	ask->typed = mem_zero((size_t)n + 2, sizeof *ask->typed);
	ask->typed[0] = "whittle";
	for (int i = first; i < n; i++)
		ask->typed[i + 1 - first] = argv[i];
}

int reduce_options_parse(struct reduce_options *o, int argc, char **argv, struct err *err)
{
	reduce_options_defaults(o);
	int border = find_border(argc, argv);
	keep_typed(&o->ask, border, argv);
	int first = reduce_options_change(o, border, argv, err);
	if (first >= 0 && first == border && border < argc)
		first++;
	else if (border < argc)
		o->ask.command = argv + border + 1;
	o->operands_end = o->ask.command ? border : argc;
	if (first >= 0 && o->session.store.dir && chdir(o->session.store.dir) < 0) {
		err_errno(err, "cannot change to %s", o->session.store.dir);
		return err_as(err, ERR_USAGE);
	}
	return first;
}

int reduce_options_check(struct reduce_options *o, struct err *err)
{
	if (jobs_choose(&o->session, o->jobs, o->quiet || o->label, err) < 0 ||
	    limit_config(&o->session, o->session.file, err) < 0 ||
	    persistent_check(&o->session, o->ask.command, o->ask.forks, err) < 0)
		return -1;
	o->session.end.until_size =
		o->until_size > UINT32_MAX ? UINT32_MAX : (uint32_t)o->until_size;
	return 0;
}

/* Without -t: what the repository says about the file; a tree's files are known by their names. */
static int choose_tokenizer(struct reduce_options *o, struct err *err)
{
	static char *name; /* as long as the options, which are never released */
	struct stat st;
	if (o->session.settings.tokenizer || o->session.n_files != 1 ||
	    stat(o->session.file, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (attribute_tokenizer(o->session.file, &name, err))
		return -1;
	o->session.settings.tokenizer = name;
	return 0;
}

/* Is WORD, the first operand, a command of ours with options in front? Then err says so. */
static bool is_late_command(const struct ask_options *ask, const char *word, struct err *err)
{
	size_t i = 0;
	while (command_name(i, NULL) && strcmp(command_name(i, NULL), word) != 0)
		i++;
	if (!command_name(i, NULL) || access(word, F_OK) == 0)
		return false;
	BUF_SCOPED struct buf line = { 0 };
	bool skipped = false;
	for (const char **typed = ask->typed + 1; *typed; typed++) {
		bool is = !skipped && !strcmp(*typed, word);
		skipped |= is;
		buf_add(&line, " ", !is);
		if (!is)
			quote_add_if_needed(&line, *typed);
	}
	err_set(err, ERR_USAGE, "the command comes first: whittle %s%.*s", word, (int)line.len,
	        line.data);
	return true;
}

int reduce_options_operands(struct reduce_options *o, int argc, char **argv, int first,
                            struct err *err)
{
	bool asks = o->ask.command;
	const char *stray = asks ? NULL : ask_option_given(&o->ask);
	argc = asks ? o->operands_end : argc;
	if (!asks && first < argc && o->ask.typed && is_late_command(&o->ask, argv[first], err))
		return -1;
	if (argc - first < (asks ? 1 : 2)) {
		MEM_SCOPED char *line = teach_operands(argv + first, argc - first);
		MEM_SCOPED char *text =
			mem_printf("TEST and FILE are needed: %s (see whittle --help)", line);
		MEM_SCOPED char *folded = show_folded(text);
		err_set(err, ERR_USAGE, "%s", folded);
		return -1;
	}
	if (stray)
		return err_set(err, ERR_USAGE,
		               "option --%s needs a command: whittle FILE -- COMMAND", stray);
	o->session.test = asks ? o->ask.command[0] : argv[first];
	first += !asks;
	o->session.file = argv[first];
	o->session.files = (const char *const *)argv + first;
	o->session.n_files = (uint32_t)(argc - first);
	o->session.tokenizer_dirs = tokenizer_dirs_for(argv[first]);
	if (!o->quiet && !o->label)
		attribute_warn(o->session.file);
	if (choose_tokenizer(o, err) < 0 ||
	    fence_config(o->session.file, &o->session.settings.fence, err) < 0 ||
	    reduce_options_check(o, err) < 0 ||
	    named_check(&o->session, &o->ask, o->events, err) < 0)
		return -1;
	return asks ? ask_prepare(&o->ask, &o->session, o->quiet || o->label, err) : 0;
}

void reduce_options_help(bool all)
{
	options_help(rows,
	             all ? NULL
	                 : "exit stdout stderr print not slower-than differs agrees valid shell "
	                   "jobs timeout "
	                   "memory-limit allow-write flaky tokenizer keep-names output fresh name "
	                   "time-limit quiet verbose stats help help-all version");
}

static void list_passes(void)
{
	for (uint32_t i = 0; i < passes_n_rows; i++)
		if (passes_table[i].help)
			printf("%-12s %s\n", passes_table[i].name, passes_table[i].help);
}

int reduce_options_answer(const struct reduce_options *o)
{
	if (o->version)
		return command_version();
	else if (o->list_passes)
		list_passes();
	else {
		puts("usage: whittle [reduce] [OPTIONS] TEST FILE...\n"
		     "       whittle [reduce] [OPTIONS] FILE... -- COMMAND [ARGUMENT...]\n"
		     "       whittle check ...   only says whether the test can be used\n"
		     "Makes FILE (several, or a directory) as small as possible while TEST, a "
		     "program\nthat runs on it, exits with 0, or while COMMAND keeps failing the "
		     "same way.");
		reduce_options_help(o->help_all);
	}
	return 0;
}
