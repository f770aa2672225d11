#include "ui/ending.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "store/history.h"

/* Less than this is not worth a word. */
enum { WORTH_TESTS = 100 };

/* Columns of a line that one reads without a formatter. */
enum { READABLE = 40 };

static char *by_clock(const struct session *s, enum session_stop stop)
{
	const struct session_end *end = &session_options(s)->end;
	char text[SHOW_SPAN];
	struct tm tm;
	switch (stop) {
	case SESSION_TIME_LIMIT:
		return mem_printf("stopped by --time-limit after %s",
		                  show_span(text, (double)end->time_limit_ns / 1e9));
	case SESSION_IDLE:
		return mem_printf("stopped by --stop-after: no success for %s",
		                  show_span(text, (double)end->idle_ns / 1e9));
	case SESSION_DEADLINE:
		snprintf(text, sizeof text, "?");
		if (localtime_r(&end->deadline, &tm))
			strftime(text, sizeof text, "%H:%M", &tm);
		return mem_printf("stopped by --deadline %s", text);
	case SESSION_ASKED:
	case SESSION_RUNS:
		break;
	}
	return mem_strdup("stopped by a key");
}

static char *by_user(const struct session *s, int sig)
{
	const char *name = sig == SIGINT    ? "SIGINT"
	                   : sig == SIGTERM ? "SIGTERM"
	                   : sig == SIGHUP  ? "SIGHUP"
	                                    : NULL;
	return name ? mem_printf("stopped by %s", name) : by_clock(s, session_facts(s).stop);
}

char *ending_why(const struct session *s, struct ending ending)
{
	const struct session_end *end = &session_options(s)->end;
	switch (ending.end) {
	case DRIVER_FIXPOINT:
		return mem_strdup("fixpoint");
	case DRIVER_SIZE_REACHED:
		return mem_printf("stopped by --until-size %" PRIu32, end->until_size);
	case DRIVER_MAX_QUESTIONS:
		return mem_printf("stopped by --max-tests %" PRIu64, end->max_questions);
	case DRIVER_NO_SUCCESS:
		return mem_printf("stopped by --stop-after: no success in %" PRIu64 " test%s",
		                  end->idle_questions, show_s(end->idle_questions));
	case DRIVER_STOPPED:
		return by_user(s, ending.sig);
	case DRIVER_RUNS:
	case DRIVER_DOUBT:
	case DRIVER_FAILED:
		break;
	}
	return mem_strdup("stopped by an error");
}

/* Does PATH, absolute, end with FILE, by which nothing can be found any more? */
static bool ends_with(const char *path, const char *file)
{
	size_t len = strlen(path), n = strlen(file);
	return len > n && path[len - n - 1] == '/' && !strcmp(path + len - n, file);
}

/* Is NAME the reduction of FILE, which runs now, for a command without --store here, too? */
static bool is_known_here(const char *name, const char *file)
{
	SCOPED(reduction_close) struct reduction r;
	MEM_SCOPED char *real = io_real_path(file);
	return reduction_open(&r, ".", NULL, name, NULL) == 0 && !strcmp(r.location.name, name) &&
	       r.location.file &&
	       (!strcmp(r.location.file, real) ||
	        (access(file, F_OK) < 0 && ends_with(r.location.file, file)));
}

/* Does FILE, here, mean the reduction of S? */
static bool means(const char *file, const struct session *s)
{
	SCOPED(reduction_close) struct reduction r;
	return reduction_open(&r, ".", NULL, file, NULL) == 0 &&
	       !strcmp(r.location.name, session_name(s));
}

/* PATH as one names it here. */
static const char *from_here(const char *path)
{
	MEM_SCOPED char *here = io_real_path(".");
	size_t len = here ? strlen(here) : 0;
	bool below = len && !strncmp(path, here, len) && path[len] == '/' && path[len + 1];
	return below ? path + len + 1 : path;
}

/* Has somebody given the reduction of FILE its NAME? One that comes of itself is long and ends with
 * the file's and a hash. `whittle resume` has it from the store. */
static bool is_given(const char *name, const char *file)
{
	enum { HASH = 7 };
	const char *base = path_base(file);
	size_t len = name ? strlen(name) : 0, n = strlen(base) + 1 + HASH;
	return len && (len < n || strncmp(name + len - n, base, strlen(base)) != 0 ||
	               name[len - HASH - 1] != '-');
}

/* The command DO_WHAT on the reduction: by name where that is known in this directory, else by
 * file; by file, too, if that is shorter and nobody has given the name. */
static char *command_for(const struct session *s, const char *do_what)
{
	const struct session_options *o = session_options(s);
	const char *file = from_here(o->file);
	bool by_file =
		strchr(file, '/') && !o->store.repository && !is_known_here(session_name(s), file);
	by_file |= !is_given(o->store.name, file) && !o->store.repository && !o->store.dir &&
	           strlen(file) < strlen(session_name(s)) && means(file, s);
	return quote_command(do_what, o->store.dir, o->store.repository,
	                     by_file ? file : session_name(s));
}

char *ending_said(const struct session *s, struct ending ending, bool detail)
{
	const char *verified = session_facts(s).certificate;
	MEM_SCOPED char *why = ending_why(s, ending);
	if (ending.end != DRIVER_FIXPOINT)
		return mem_printf("%s; perhaps more can be removed", why);
	if (!detail && !strncmp(verified, "not each byte", strlen("not each byte")))
		return mem_printf("%s: at most single bytes can go (--certify=full tries each)",
		                  why);
	if (!detail && !strncmp(verified, "no single one", strlen("no single one")) &&
	    session_options(s)->settings.certify <= PLAN_CERTIFY_FULL)
		return mem_strdup("nothing more can be removed");
	return mem_printf("%s%s%s", why, *verified ? ": " : "", verified);
}

/* When to stop is learnt from when it was as good as done. What was resumed began elsewhere. */
static void print_share(const struct session *s, const struct curve *curve, FILE *out)
{
	char span[SHOW_SPAN];
	uint64_t tests = session_stats(s)->tests;
	const struct curve_point *p =
		curve_won(curve, testcase_shown_size(session_original(s)), 99);
	if (p && !session_facts(s).resumed && tests >= WORTH_TESTS)
		fprintf(out, "whittle: 99 %% of the reduction after %" PRIu64 " tests, %s\n",
		        p->tests, show_span(span, p->seconds));
}

/* What is spent after the last success is the price of knowing that it is the last. */
static void print_price(const struct session *s, const struct curve *curve, FILE *out)
{
	const struct session_options *o = session_options(s);
	uint64_t tests = session_stats(s)->tests,
		 last = curve->n ? curve->points[curve->n - 1].tests : 0;
	if (session_facts(s).resumed || tests < WORTH_TESTS || !last || last > tests)
		return;
	fprintf(out,
	        "whittle: %" PRIu64 " of %" PRIu64 " tests (%" PRIu64
	        " %%) after the last success%s\n",
	        tests - last, tests, 100 * (tests - last) / tests,
	        o->settings.certify <= PLAN_CERTIFY_FULL ? "; --certify=token or none verifies less"
	                                                 : "");
}

/* A test that each change breaks looks like a file that is minimal. */
static void print_nothing(const struct session *s, const struct curve *curve, FILE *out)
{
	uint64_t tests = session_stats(s)->tests;
	if (session_facts(s).resumed || tests < WORTH_TESTS || curve->n)
		return;
	fprintf(out,
	        "whittle: none of %" PRIu64
	        " candidates was interesting: the input is minimal, or\n"
	        "whittle: each change breaks something, such as a checksum: "
	        "whittle-tokenizer(5)\n",
	        tests);
}

/* The lines of the LEN bytes at TEXT; 0: they hold what a terminal would not show as it is. */
static size_t count_lines(const uint8_t *text, size_t len)
{
	size_t lines = len && text[len - 1] != '\n';
	bool obeyed;
	for (size_t i = 0; i < len; i += show_next(text + i, len - i, &obeyed)) {
		show_next(text + i, len - i, &obeyed);
		if (obeyed && text[i] != '\n' && text[i] != '\t')
			return 0;
		lines += text[i] == '\n';
	}
	return lines;
}

/* What one can read at once is shown. */
static void print_result(const struct session *s, FILE *out)
{
	enum { MOST_LINES = 20, MOST_BYTES = 1600 };
	const struct testcase *tc = session_written(s);
	size_t lines = tc->is_tree || tc->size > MOST_BYTES ? 0 : count_lines(tc->bytes, tc->size);
	if (!lines || lines > MOST_LINES)
		return;
	fwrite(tc->bytes, 1, tc->size, out);
	if (tc->bytes[tc->size - 1] != '\n')
		putc('\n', out);
}

/* Would a formatter make it easier to read? */
static bool is_to_format(const struct session *s)
{
	struct testcase *tc = (struct testcase *)(uintptr_t)session_written(s);
	uint32_t longest = 0, begin = 0;
	testcase_flat(tc);
	for (uint32_t i = 0; i <= tc->size; i++)
		if (i == tc->size || tc->bytes[i] == '\n') {
			longest = i - begin > longest ? i - begin : longest;
			begin = i + 1;
		}
	return longest > READABLE && session_name(s) && session_can_format(s);
}

/* The operands, as many as fit, in which the result is; the caller's. */
static char *places(const struct session_options *o)
{
	enum { ROOM = 50 };
	struct buf b = { 0 };
	if (o->out || o->n_files < 2)
		return mem_strdup(from_here(o->out ? o->out : o->file));
	for (uint32_t i = 0; i < o->n_files; i++) {
		const char *name = from_here(o->files[i]);
		if (i && b.len + strlen(name) > ROOM) {
			buf_addf(&b, " and %u more", (unsigned)(o->n_files - i));
			break;
		}
		buf_addf(&b, "%s%s", !i ? "" : i + 1 < o->n_files ? ", " : " and ", name);
	}
	return b.data;
}

/* Where the result is, and the command that says more of it or goes on: in one line, if that is
 * short enough and nothing is left to do but to report it. */
static void print_next(const struct session *s, bool finished, FILE *out)
{
	enum { COLUMNS = 80 };
	const struct session_options *o = session_options(s);
	MEM_SCOPED char *file = places(o);
	const struct testcase *written = session_written(s);
	MEM_SCOPED char *form = written == session_current(s)
	                                ? mem_strdup("")
	                                : mem_printf(", formatted (%u bytes)",
	                                             (unsigned)testcase_shown_size(written));
	char *command = session_name(s) ? command_for(s, finished ? "report" : "resume") : NULL;
	MEM_SCOPED char *begin =
		o->out_is_passing ? NULL
		: session_facts(s).is_unwritten
			? mem_printf("%s could not be written, so it does not hold the result",
	                             file)
			: mem_printf("the result is in %s%s", file, form);
	size_t len = strlen("whittle: ; to report it: ") + (begin ? strlen(begin) : 0) +
	             (command ? strlen(command) : 0);
	bool one = begin && command && finished && len <= COLUMNS;
	if (begin)
		show_printf(out, "whittle: %s%s", begin, one ? "; " : "\n");
	if (command)
		show_printf(out, "%sto %s: %s\n",
		            one ? "" : "whittle: ", finished ? "report it" : "resume", command);
	free(command);
	if (finished && isatty(fileno(out)) && is_to_format(s)) {
		command = command_for(s, "resume --format auto");
		show_printf(out, "whittle: to format it: %s\n", command);
		free(command);
	}
}

void ending_print(const struct session *s, struct ending ending, const struct curve *curve,
                  bool detail, FILE *out)
{
	const struct session_options *o = session_options(s);
	bool finished = ending.end == DRIVER_FIXPOINT;
	if (detail)
		print_share(s, curve, out);
	if (finished && detail)
		print_price(s, curve, out);
	if (finished)
		print_nothing(s, curve, out);
	print_next(s, finished, out);
	if (finished && !o->out_is_passing && !session_facts(s).is_unwritten)
		print_result(s, out);
}
