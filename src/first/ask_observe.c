/* Runs the command of a condition on the input, in the directories of a process pool. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "ask/tools.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/show.h"
#include "first/ask.h"
#include "disk/input.h"
#include "reduce/engine.h"
#include "reduce/language.h"
#include "reduce/passes.h"
#include "reduce/session_store.h"
#include "reduce/session.h"
#include "reduce/session_also.h"
#include "fence/fence.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "run/verdicts.h"
#include "text/testcase.h"

/* "NAME N\n" and N bytes, at *AT. */
static bool take_stream(const char **at, const char *name, struct buf *out)
{
	size_t len = strlen(name), n = 0;
	int end = 0;
	if (strncmp(*at, name, len) || sscanf(*at + len, " %zu%n", &n, &end) != 1 ||
	    (*at)[len + (size_t)end] != '\n' || strlen(*at) < len + (size_t)end + 1)
		return false;
	const char *bytes = *at + len + end + 1;
	buf_add(out, bytes, n);
	*at = bytes + n + 1;
	return true;
}

/* What `whittle-judge --observe` printed. */
static int parse(const char *text, struct outcome *out, struct err *err)
{
	int timed_out = 0, end = 0;
	const char *cannot = strncmp(text, "cannot ", 7) ? NULL : text + 7;
	*out = (struct outcome){ 0 };
	if (cannot)
		return err_set(err, ERR_TEST, "%.*s", (int)strcspn(cannot, "\n"), cannot);
	if (sscanf(text, "status %d\ntimed-out %d\nwall-ns %" SCNu64 "\ncpu-ns %" SCNu64 "\n%n",
	           &out->status, &timed_out, &out->wall_ns, &out->cpu_ns, &end) != 4 ||
	    !end)
		return err_set(err, ERR_TEST, "cannot run the command: %s", text);
	out->timed_out = timed_out;
	const char *at = text + end;
	if (!take_stream(&at, "stderr", &out->err) || !take_stream(&at, "stdout", &out->out))
		return err_set(err, ERR_TEST, "cannot run the command: its output is lost");
	return 0;
}

/* What takes long at the start is said once, since nothing else is to be seen. */
struct patience {
	const struct observation *how;
	uint64_t since_ns;
};

static void on_idle(void *arg)
{
	static bool said;
	const uint64_t long_ns = 10000000000u;
	const struct patience *p = arg;
	const struct ask_options *ask = p->how->ask;
	if (said || io_now() - p->since_ns < long_ns)
		return;
	said = true;
	show_note("the command is still in its first run after 10 s; whittle goes on waiting",
	          NULL);
	BUF_SCOPED struct buf hint = { 0 };
	if (ask && !ask->ended_given) {
		ask_add_endless(&hint, ask, p->how->session);
		show_printf(stderr, "%.*s\n", (int)hint.len, hint.data);
	}
}

static struct oracle_limits limits_of(const struct session_options *s)
{
	return (struct oracle_limits){ .memory = s->settings.memory_limit,
		                       .files = s->settings.file_limit,
		                       .processes = s->settings.process_limit };
}

/* What is left of ORIGINAL after the first questions of a reduction; the caller's. NULL and err. */
static struct testcase *shrunk(struct oracle *oracle, const struct observation *how,
                               const struct input *input, struct testcase *original,
                               struct err *err)
{
	const struct session_options *s = how->session;
	const struct language_options lo = { .file = input->is_tree ? NULL : s->file,
		                             .tokenizer = s->settings.tokenizer,
		                             .spans = s->settings.spans,
		                             .dirs = s->tokenizer_dirs };
	SCOPED(verdicts_release) struct verdicts verdicts = { 0 };
	const struct engine_options eo = { .passes = passes_all(),
		                           .limits = limits_of(s),
		                           .max_questions = how->questions,
		                           .verdicts = &verdicts,
		                           .wake_fd = -1,
		                           .tick_ms = -1 };
	struct language language = { 0 };
	struct testcase *left = NULL;
	if (language_find(&language, &lo, original, err) == 0) {
		struct engine *e = engine_new(original, &language, &eo, NULL);
		if (engine_run(e, oracle, err) != DRIVER_FAILED)
			left = testcase_ref(engine_current(e));
		engine_free(e);
	}
	language_release(&language);
	return left;
}

static int run_all(struct oracle *oracle, const struct observation *how, const struct testcase *tc,
                   unsigned runs, struct patience *patience, struct outcome *out, struct err *err)
{
	const struct session_options *s = how->session;
	const char *const words[] = { how->judge, "--observe", how->test, NULL };
	const struct oracle_request request = {
		.ticket = 1, .tc = tc, .words = how->relaxed ? words : NULL, .limits = limits_of(s)
	};
	int rc = 0;
	oracle->idle = on_idle;
	oracle->idle_arg = patience;
	for (unsigned i = 0; i < runs && rc == 0; i++) {
		struct answer answer;
		MEM_SCOPED char *text = NULL;
		patience->since_ns = io_now();
		rc = oracle_ask_verbose(oracle, &request, -1, &answer, &text, err);
		if (rc == 0 && how->judged)
			out[i] =
				(struct outcome){ .status = answer.verdict != VERDICT_INTERESTING };
		else if (rc == 0)
			rc = parse(text, &out[i], err);
	}
	return rc;
}

int ask_observe(const struct observation *how, unsigned runs, struct outcome *out, struct err *err)
{
	const struct session_options *s = how->session;
	const char *observed[] = { "--observe", how->test, NULL },
		   *judged[] = { how->relaxed ? how->relaxed : how->test, NULL };
	SCOPED(input_release) struct input input = { 0 };
	struct patience patience = { .how = how };
	TESTCASE_SCOPED struct testcase *tc = NULL;
	SCOPED(mem_words_scoped) char **operands = NULL;
	SCOPED(fence_release) struct fence fence = { 0 };
	SCOPED(oracle_scoped) struct oracle *oracle = NULL; /* goes first */
	int rc = input_find_result(&input, s->files, s->n_files, err);
	if (rc == 0) {
		operands = input_operands(&input);
		const struct setup o = { .test = how->judge,
			                 .args = how->judged || how->relaxed ? judged : observed,
			                 .operands = (const char *const *)operands,
			                 .jobs = 1,
			                 .fence = &fence,
			                 .input = s->settings.input,
			                 .input_size = input.size,
			                 .files_size = s->settings.file_limit };
		/* What it does by itself is to be seen, not what a fence makes of it. */
		struct fence_options around = s->settings.fence;
		int found = how->writable ? fence_options_allow(&around, how->writable, err) : 0;
		if (found == 0)
			found = fence_find(&fence, &around, err);
		fence_try(&fence, "/dev/null");
		oracle = found < 0 ? NULL : setup_open(&o, err);
		tc = oracle ? input_read(&input, err) : NULL;
		if (tc && how->relaxed) {
			TESTCASE_SCOPED struct testcase *original = tc;
			tc = shrunk(oracle, how, &input, original, err);
		}
		rc = tc ? run_all(oracle, how, tc, runs, &patience, out, err) : -1;
	}
	return rc;
}

/* The program of the command in the file TEST; the caller's. NULL: it is not known. */
static char *program_of(const char *test)
{
	BUF_SCOPED struct buf text = { 0 };
	SCOPED(condition_release) struct condition c = { 0 };
	if (io_read_file(test, &text, NULL) < 0 || condition_parse(&c, text.data, NULL) < 0)
		return NULL;
	if (c.shell)
		c.words[0][strcspn(c.words[0], " \t\n;|&<>()'\"$=")] = '\0';
	return *c.words[0] ? condition_program(&c) : NULL;
}

/* "NAME: VERSION" by what PROGRAM said, which whoever reports the bug has to add when it says none;
 * the caller's. */
static char *version_in(const char *program, const struct outcome *o)
{
	enum { COLUMNS = 200 };
	const char *said = o->out.len ? o->out.data : o->err.data;
	said += strspn(said, "\n");
	size_t len = strcspn(said, "\n\t\r"), digit = strcspn(said, "0123456789");
	bool says = !o->timed_out && o->status == 0 && digit < len && len <= COLUMNS;
	return mem_printf("%s: %.*s", path_base(program), says ? (int)len : 100,
	                  says ? said : "unknown (--version does not say)");
}

/* Runs the command of ONCE on the result of S. False: nothing came of it. */
static bool observe_result(struct session *s, const char *judge, const struct condition *once,
                           struct outcome *out)
{
	struct answer answer;
	MEM_SCOPED char *test = ask_write_test(once, NULL), *text = NULL;
	const char *const words[] = { judge, "--observe", test, NULL };
	bool ran = test &&
	           session_ask_about(s, words, session_current(s), &answer, &text, NULL) == 0 &&
	           parse(text, out, NULL) == 0;
	if (test)
		unlink(test);
	return ran;
}

/* The version of the command's program, which has run in the fence a thousand times: so it may
 * once more, even if it is none of those that know what --version asks. The caller's, or NULL. */
static char *version_of(struct session *s, const char *judge)
{
	char option[] = "--version";
	MEM_SCOPED char *program = program_of(session_options(s)->test);
	if (!program || tools_is_known(program))
		return NULL;
	const struct condition asks = { .words = (char *[]){ program, option, NULL },
		                        .limit_ns = TOOLS_ANSWER_NS };
	SCOPED(outcome_release) struct outcome o = { 0 };
	return observe_result(s, judge, &asks, &o) ? version_in(program, &o) : NULL;
}

static const char *one_line(const char *text)
{
	return text && !strpbrk(text, "\t\n") ? text : "";
}

char *ask_kept(const struct outcome *o)
{
	char how[64];
	struct buf all = { 0 };
	BUF_SCOPED struct buf said = outcome_text(o);
	outcome_describe(o, how, sizeof how);
	buf_addf(&all, "%s\n", how);
	buf_add(&all, said.data, said.len);
	for (size_t i = 0; i < all.len; i++)
		all.data[i] = all.data[i] ? all.data[i] : '?';
	buf_addch(&all, '\0');
	return all.data;
}

/* KEPT, as from ask_kept. WHEN: of which run it is; "": the one that has ended. */
static void write_output(const char *path, const struct session *s, const char *version,
                         const char *kept, const char *when)
{
	char often[64] = "";
	const struct session_options *so = session_options(s);
	const struct rate rate = session_facts(s).rate;
	if (rate.yes < rate.runs)
		snprintf(often, sizeof often, "%u of %u", rate.yes, rate.runs);
	BUF_SCOPED struct buf all = { 0 };
	size_t line = strcspn(kept, "\n");
	buf_addf(&all, "%.*s\t%s\t%s\t%s\t%s\t%s%s", (int)line, kept, one_line(so->command),
	         one_line(so->needs), one_line(version), often, when, kept + line);
	(void)io_replace_file(path, all.data, all.len, 0644, NULL);
}

void ask_keep_first(const struct ask_options *ask, struct session *s)
{
	MEM_SCOPED char *path = session_path(s, SESSION_STORE_OUTPUT);
	if (path && ask->first)
		write_output(path, s, NULL, ask->first, "first");
}

/* Does the command of S still fail as it should in O? */
static bool still_fails(const struct session *s, const struct outcome *o)
{
	const struct session_options *so = session_options(s);
	BUF_SCOPED struct buf text = { 0 };
	SCOPED(condition_release) struct condition c = { 0 };
	if (io_read_file(so->test, &text, NULL) < 0 || condition_parse(&c, text.data, NULL) < 0)
		return true;
	free(c.creates); /* the candidate is gone */
	c.creates = NULL;
	MEM_SCOPED char **operands = mem_zero(so->n_files + 1, sizeof *operands);
	for (uint32_t i = 0; i < so->n_files; i++)
		operands[i] = (char *)(uintptr_t)so->files[i];
	return condition_holds(&c, o, operands);
}

/* What the command of --differs does on the result. */
static void write_expected(struct session *s, const char *judge)
{
	BUF_SCOPED struct buf text = { 0 }, all = { 0 }, said = { 0 };
	SCOPED(condition_release) struct condition c = { 0 };
	SCOPED(outcome_release) struct outcome o = { 0 };
	MEM_SCOPED char *path = session_path(s, SESSION_STORE_EXPECTED);
	char how[64];
	unlink(path);
	if (io_read_file(session_options(s)->test, &text, NULL) < 0 ||
	    condition_parse(&c, text.data, NULL) < 0 || !c.differs)
		return;
	char *words[] = { ask_line_word(c.differs), NULL };
	const struct condition once = { .words = words, .shell = true, .limit_ns = c.limit_ns };
	if (observe_result(s, judge, &once, &o)) {
		outcome_describe(&o, how, sizeof how);
		said = outcome_text(&o);
		buf_addf(&all, "%s\n", how);
		buf_add(&all, said.data, said.len);
		(void)io_replace_file(path, all.data, all.len, 0644, NULL);
	}
	free(words[0]);
}

/* What is kept at PATH is of an earlier run, and stays. */
static void mark_first(const char *path)
{
	BUF_SCOPED struct buf text = { 0 }, all = { 0 };
	if (access(path, F_OK) < 0 || io_read_file(path, &text, NULL) < 0 || !text.len)
		return;
	size_t line = strcspn(text.data, "\n");
	if (!line || text.data[line - 1] != '\t')
		return;
	buf_addf(&all, "%.*sfirst", (int)line, text.data);
	buf_add(&all, text.data + line, text.len - line);
	(void)io_replace_file(path, all.data, all.len, 0644, NULL);
}

/* Runs the command of S on the result until it fails as it should, at most a few times; for
 * MOST_NS. False: it did not, or could not be run. */
static bool observe_failing(struct session *s, const char *judge, uint64_t most_ns,
                            struct outcome *o)
{
	enum { TIMES = 5 };
	const uint64_t begin = io_now();
	const char *const words[] = { judge, "--observe", session_options(s)->test, NULL };
	for (unsigned i = 0; i < TIMES && io_now() - begin < most_ns; i++) {
		struct answer answer;
		MEM_SCOPED char *text = NULL;
		outcome_release(o);
		*o = (struct outcome){ 0 };
		if (session_ask_about(s, words, session_current(s), &answer, &text, NULL) < 0 ||
		    parse(text, o, NULL) < 0)
			return false;
		if (still_fails(s, o))
			return true;
	}
	return false;
}

void ask_keep_output(struct session *s, bool finished)
{
	const uint64_t slow_ns = 10000000000u;
	MEM_SCOPED char *judge = ask_judge_program(), *path = session_path(s, SESSION_STORE_OUTPUT);
	SCOPED(outcome_release) struct outcome o = { 0 };
	if (!path)
		return;
	if (!finished)
		session_hurry(s, slow_ns);
	if (!observe_failing(s, judge, finished ? UINT64_MAX : slow_ns, &o)) {
		mark_first(path);
		return;
	}
	MEM_SCOPED char *version = version_of(s, judge), *kept = ask_kept(&o);
	write_output(path, s, version, kept, "");
	write_expected(s, judge);
}
