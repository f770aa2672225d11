#include "ui/report.h"

#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "ask/condition.h"
#include "ask/pattern.h"
#include "ask/signature.h"
#include "ask/tools.h"
#include "config.h"
#include "reduce/session_store.h"
#include "store/history.h"
#include "text/testcase.h"
#include "ui/report_output.h"
#include "ui/report_title.h"
#include "ui/status_file.h"

struct report {
	json_t *facts;
	char *directory; /* of FILE, with a '/', which people need not see; NULL: not known */
};

/* ---- Markdown ---- */

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static const char *string(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static const json_t *first_file(const json_t *facts)
{
	return json_array_get(json_object_get(facts, "files"), 0);
}

/* The names of the operands, which FACTS keeps; the caller's. */
static char **paths_of(const json_t *facts)
{
	const json_t *files = json_object_get(facts, "files");
	size_t n = json_array_size(files);
	char **paths = mem_zero(n + 1, sizeof *paths);
	for (size_t i = 0; i < n; i++)
		paths[i] = (char *)(uintptr_t)string(json_array_get(files, i), "path");
	return paths;
}

/* A block whose fence no line of TEXT is. */
static void write_block(FILE *out, const char *text)
{
	size_t longest = 2, run = 0;
	for (const char *at = text; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		putc('`', out);
	size_t len = strlen(text);
	fprintf(out, "\n%s%s", text, len && text[len - 1] == '\n' ? "" : "\n");
	for (size_t i = 0; i <= longest; i++)
		putc('`', out);
	putc('\n', out);
}

/* Is the file at AT of TEXT, of which LEN bytes are the directory, one that can only be read? Then
 * its name alone will do; programs, and what "." reads, are searched for elsewhere. */
static bool is_read(const char *text, const char *at, size_t len)
{
	static const char ends[] = " \t\n'\"=;|&()<>";
	MEM_SCOPED char *path = mem_printf("%.*s", (int)(len + strcspn(at + len, ends)), at);
	struct stat st;
	return !strchr("-'\"", at[len]) && !(at > text + 1 && at[-2] == '.') &&
	       stat(path, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & 0111);
}

/* TEXT with HERE, or nothing, in place of the directory of FILE; the caller's. */
static char *from_here(const char *text, const char *directory, const char *here)
{
	struct buf b = { 0 };
	const char *from = text;
	for (const char *at; directory && (at = strstr(from, directory));) {
		bool begins = at == text || strchr(" \t\n'\"=;|&(<>", at[-1]);
		buf_add(&b, from, (size_t)(at - from));
		from = at + strlen(directory);
		bool plain = begins && is_read(text, at, strlen(directory));
		buf_addf(&b, "%s", !begins ? directory : plain ? "" : here);
	}
	buf_addf(&b, "%s", from);
	return b.data;
}

/* The command line of C on OPERANDS, as seen from DIRECTORY (NULL: anywhere); the caller's. */
static char *command_line(struct condition *c, char *const *operands, const char *directory,
                          bool quoted)
{
	struct buf b = { 0 };
	for (size_t i = 0; c->words[i]; i++) {
		MEM_SCOPED char *put = condition_word(c->words[i], operands);
		MEM_SCOPED char *word =
			c->shell ? condition_line_named(put, operands) : mem_strdup(put);
		free(c->words[i]);
		c->words[i] = from_here(word, directory, i == 0 || c->shell ? "./" : "");
		buf_addf(&b, "%s%s", i ? " " : "", c->words[i]);
	}
	if (quoted && !c->shell) {
		buf_release(&b);
		quote_add_words(&b, (const char *const *)c->words);
	}
	return b.data;
}

static char *report_command(const json_t *facts, const char *directory, bool quoted)
{
	SCOPED(condition_release) struct condition c = { 0 };
	bool is = condition_parse(&c, string(facts, "test"), NULL) == 0;
	MEM_SCOPED char **paths = paths_of(facts);
	return is ? command_line(&c, paths, directory, quoted) : NULL;
}

/* How a run ends while the bug shows. */
static void write_ended(const struct condition *c, FILE *out)
{
	MEM_SCOPED char *ended = report_ended(c);
	if (ended)
		fprintf(out, "It %s.\n", ended);
}

static void write_looks(const struct condition *c, FILE *out)
{
	static const char *const streams[] = { "", "standard output", "standard error",
		                               "its output" };
	for (unsigned i = 0; i < c->n_looks; i++) {
		fprintf(out, "\n%s %s:\n\n", c->looks[i].absent ? "Not found in" : "Found in",
		        streams[c->looks[i].streams]);
		write_block(out, c->looks[i].pattern);
	}
}

/* LINE, the command line of an option, with the files' names. */
static void write_line(const struct report *r, const char *option, FILE *out)
{
	MEM_SCOPED char **paths = paths_of(r->facts);
	MEM_SCOPED char *named = condition_line_named(option, paths);
	MEM_SCOPED char *line = from_here(named, r->directory, "./");
	write_block(out, line);
}

static void write_seen(const struct report *r, const struct condition *c, FILE *out)
{
	fprintf(out, "\n## Seen\n\n");
	write_ended(c, out);
	if (c->signature) {
		MEM_SCOPED char *shown = signature_shown(c->signature);
		putc('\n', out);
		write_block(out, shown);
	}
	write_looks(c, out);
	fputs("\nWhat it printed is not known: it was not run on the result when the reduction "
	      "ended, or did not fail then.\n",
	      out);
	if (c->differs) {
		fprintf(out, "\nIts output or status differs from that of:\n\n");
		write_line(r, c->differs, out);
	}
}

static void write_title(const struct report *r, const struct condition *c, FILE *out)
{
	const json_t *facts = r->facts;
	const char *file = string(first_file(facts), "path");
	MEM_SCOPED char **paths = paths_of(facts);
	MEM_SCOPED char *named =
		c->differs ? condition_line_named(c->differs, paths) : mem_strdup("");
	MEM_SCOPED char *other = from_here(named, r->directory, "./");
	const struct report_titled of = { c, paths, string(facts, "output"), other };
	MEM_SCOPED char *title = report_title(&of);
	if (title)
		fprintf(out, "# %s\n\n", title);
	else
		fprintf(out, "# %s: %" JSON_INTEGER_FORMAT " byte%s\n\n", file,
		        number(facts, "bytes"), show_s((unsigned long long)number(facts, "bytes")));
}

/* What it printed, as it is, or what is known to have been looked for. */
static void write_output(const struct report *r, const struct condition *c, FILE *out)
{
	const json_t *facts = r->facts;
	if (!*string(facts, "ended")) {
		write_seen(r, c, out);
		return;
	}
	fprintf(out, "\n## Output (%s)\n\n", string(facts, "ended"));
	const char *of = string(facts, "of");
	if (*of)
		fprintf(out, "Seen on the %s; the %s.\n\n",
		        !strcmp(of, "last") ? "result" : "original",
		        !strcmp(of, "last") ? "steps before it are not run again"
		        : *string(facts, "unfinished")
		                ? "result is not run before the reduction ends"
		                : "result was not run when the reduction ended, or did not fail "
		                  "then");
	if (*string(facts, "often"))
		fprintf(out, "It comes and goes: the original failed in %s runs.\n\n",
		        string(facts, "often"));
	if (*string(facts, "output"))
		write_block(out, string(facts, "output"));
	else
		fputs("It printed nothing.\n", out);
	write_looks(c, out);
	if (c->differs) {
		fprintf(out, "\n## Compared with\n\nThe output and status of:\n\n");
		write_line(r, c->differs, out);
	}
	if (*string(facts, "expected-ended")) {
		fprintf(out, "\nThat is, %s:\n\n", string(facts, "expected-ended"));
		write_block(out, *string(facts, "expected") ? string(facts, "expected")
		                                            : "(nothing is printed)");
	}
}

static void write_reproduction(const struct report *r, const struct condition *c, FILE *out)
{
	const json_t *facts = r->facts;
	const char *typed = string(facts, "command");
	MEM_SCOPED char *command =
		*typed ? mem_strdup(typed) : report_command(facts, r->directory, true);
	if (command) {
		fprintf(out, "## Command\n\n");
		write_block(out, command);
		if (*string(facts, "needs"))
			fprintf(out, "\nNeeds as well: %s\n", string(facts, "needs"));
		write_output(r, c, out);
		if (c->valid) {
			fprintf(out, "\nThe file is valid, as this succeeds:\n\n");
			write_line(r, c->valid, out);
		}
	} else if (*string(facts, "test")) {
		fprintf(out, "## Test\n\nIt exits with 0 while the bug shows.\n\n");
		write_block(out, string(facts, "test"));
		if (*string(facts, "first-bad"))
			fprintf(out, "\n$WHITTLE_TREE is the directory of the revision%s\n",
			        *string(facts, "build") ? ", in which this has been run:\n" : ".");
		if (*string(facts, "build"))
			write_block(out, string(facts, "build"));
	}
}

static void write_files(const json_t *facts, FILE *out)
{
	json_t *file;
	size_t i;
	json_array_foreach(json_object_get(facts, "files"), i, file)
	{
		fprintf(out, "\n## %s (%" JSON_INTEGER_FORMAT " byte%s)\n\n", string(file, "path"),
		        number(file, "bytes"), show_s((unsigned long long)number(file, "bytes")));
		write_block(out, string(file, "text"));
	}
}

static void write_versions(const json_t *facts, FILE *out)
{
	const json_t *tool, *tools = json_object_get(facts, "tools");
	size_t i;
	fprintf(out, "\n## Versions\n\n");
	json_array_foreach(tools, i, tool)
		fprintf(out, "- %s: %s\n", string(tool, "name"), string(tool, "version"));
	if (*string(facts, "version"))
		fprintf(out, "- %s\n", string(facts, "version"));
	if (*string(facts, "system"))
		fprintf(out, "- system: %s\n", string(facts, "system"));
	if (*string(facts, "first-bad"))
		fprintf(out, "\n## First bad commit\n\n%s\n", string(facts, "first-bad"));
}

/* The end line of a run counts its tests. A run that began with what others have found has fewer
 * than there are answers. */
static void write_effort(const json_t *facts, FILE *out)
{
	json_int_t answers = number(facts, "answers"), tests = number(facts, "tests");
	fprintf(out,
	        "\nReduced with whittle " PACKAGE_VERSION " from %" JSON_INTEGER_FORMAT
	        " to %" JSON_INTEGER_FORMAT " bytes (",
	        number(facts, "original"), number(facts, "bytes"));
	if (tests < answers)
		fprintf(out, "%" JSON_INTEGER_FORMAT " answers of the test%s", answers,
		        tests ? "; in the last run, " : ").\n");
	if (tests)
		fprintf(out, "%" JSON_INTEGER_FORMAT " test%s).\n", tests,
		        show_s((unsigned long long)tests));
}

int report_markdown(const struct report *report, FILE *out, struct err *err)
{
	const json_t *facts = report->facts;
	struct condition c = { 0 };
	if (condition_parse(&c, string(facts, "test"), NULL) < 0) {
		condition_release(&c);
		c = (struct condition){ 0 };
	}
	write_title(report, &c, out);
	write_reproduction(report, &c, out);
	write_files(facts, out);
	write_versions(facts, out);
	if (*string(facts, "unfinished"))
		fprintf(out, "\nNot finished: %s; perhaps more can be removed.\n",
		        string(facts, "unfinished"));
	write_effort(facts, out);
	condition_release(&c);
	return ferror(out) ? err_set(err, ERR_SYSTEM, "the report cannot be written") : 0;
}

/* ---- facts, as a page or data ---- */

/* What a page can hold: the differences of later steps come first, those that are larger, or for
 * which no room is left, are told by their sizes alone. */
enum {
	DIFF_MAX = 64 << 10,
	DIFFS_MAX = 4 << 20,
	TEXT_MAX = 1 << 20, /* bytes of the result and of the test that are shown */
};

/* ---- text ---- */

/* How many bytes of TEXT are one character of UTF-8; 0: none are. */
static size_t character(const unsigned char *text, size_t len)
{
	size_t n = *text < 0x80                    ? 1
	           : *text >= 0xc2 && *text < 0xe0 ? 2
	           : *text >= 0xe0 && *text < 0xf0 ? 3
	           : *text >= 0xf0 && *text < 0xf5 ? 4
	                                           : 0;
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	json_t *probe =
		n ? json_stringn((const char *)text, n) : NULL; /* surrogates and the like */
	json_decref(probe);
	return probe ? n : 0;
}

/* As a string: what is no UTF-8, and NUL, becomes U+FFFD. */
static json_t *text_of(const void *bytes, size_t len)
{
	static const char unknown[] = "\xef\xbf\xbd";
	const unsigned char *at = bytes, *end = at + len;
	json_t *plain = json_stringn(bytes, len);
	if (plain && !memchr(bytes, '\0', len))
		return plain;
	json_decref(plain);
	BUF_SCOPED struct buf b = { 0 };
	buf_add(&b, "", 0);
	while (at < end) {
		size_t n = *at ? character(at, (size_t)(end - at)) : 0;
		buf_add(&b, n ? (const char *)at : unknown, n ? n : strlen(unknown));
		at += n ? n : 1;
	}
	return json_stringn(b.data, b.len);
}

static json_t *text_string(const char *text)
{
	return text_of(text, strlen(text));
}

/* Sixteen bytes to a line, as other tools show them. */
static json_t *hex_of(const uint8_t *bytes, size_t len)
{
	BUF_SCOPED struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (size_t i = 0; i < len; i += 16) {
		buf_addf(&b, "%08zx ", i);
		for (size_t k = i; k < i + 16; k++)
			if (k < len)
				buf_addf(&b, " %02x", bytes[k]);
			else
				buf_addf(&b, "   ");
		buf_addf(&b, "  ");
		for (size_t k = i; k < i + 16 && k < len; k++)
			buf_addch(&b, bytes[k] >= ' ' && bytes[k] < 0x7f ? (char)bytes[k] : '.');
		buf_addch(&b, '\n');
	}
	return json_stringn(b.data, b.len);
}

/* ---- facts ---- */

static const char *const kinds[] = { "original", "snapshot", "finished", "paused" };

static int add_step(void *ctx, const struct step *step, const git_oid *id, UNUSED struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, id);
	json_t *one = json_pack("{s:I,s:s,s:I,s:I,s:s}", "step", (json_int_t)step->number, "kind",
	                        kinds[step->kind], "bytes", (json_int_t)step->bytes, "answers",
	                        (json_int_t)step->questions, "commit", hex);
	if (step->kind == STEP_SNAPSHOT)
		json_object_set_new(one, "pass", text_string(step->pass));
	json_array_append_new(ctx, one);
	return 0;
}

/* The difference between a step and the one before; NULL: too large, or none. */
static json_t *diff_of(struct reduction *r, size_t at, size_t room)
{
	MEM_SCOPED char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	json_t *diff = NULL;
	int rc = out ? reduction_diff(r, at - 1, at, out, NULL) : -1;
	if (out && fclose(out) == 0 && rc == 0 && len && len <= DIFF_MAX && len <= room)
		diff = text_of(text, len);
	return diff;
}

/* The last steps are those that people look at; steps of megabytes would take long to compare. */
static void add_diffs(struct reduction *r, json_t *steps)
{
	size_t room = DIFFS_MAX;
	for (size_t at = json_array_size(steps); --at > 0 && room;) {
		json_t *step = json_array_get(steps, at), *before = json_array_get(steps, at - 1);
		bool fits = number(before, "bytes") - number(step, "bytes") <= DIFF_MAX;
		if (!fits || strcmp(string(step, "kind"), "snapshot") != 0)
			continue;
		json_t *diff = diff_of(r, at, room);
		if (!diff)
			continue;
		room -= json_string_length(diff) < room ? json_string_length(diff) : room;
		json_object_set_new(step, "diff", diff);
	}
}

static void count(json_t *object, const char *key, json_int_t more)
{
	json_object_set_new(object, key, json_integer(number(object, key) + more));
}

static json_t *passes_of(const json_t *steps)
{
	json_t *passes = json_object(), *step;
	size_t i;
	json_array_foreach(steps, i, step)
	{
		const char *name = json_string_value(json_object_get(step, "pass"));
		if (!name || i == 0)
			continue;
		json_t *pass = json_object_get(passes, name);
		if (!pass)
			json_object_set_new(passes, name, pass = json_object());
		count(pass, "steps", 1);
		count(pass, "bytes",
		      number(json_array_get(steps, i - 1), "bytes") - number(step, "bytes"));
	}
	return passes;
}

static json_t *files_of(const struct testcase *tc)
{
	json_t *files = json_array();
	size_t room = TEXT_MAX;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		size_t size = testcase_file_size(f), shown = size < room ? size : room;
		bool binary = memchr(f->data, '\0', shown);
		if (binary && shown > 4096)
			shown = 4096;
		json_array_append_new(
			files,
			json_pack("{s:o,s:I,s:b,s:b,s:o}", "path", text_string(f->path), "bytes",
		                  (json_int_t)size, "binary", binary, "whole", shown == size,
		                  "text",
		                  binary ? hex_of(f->data, shown) : text_of(f->data, shown)));
		room -= shown;
	}
	return files;
}

static int add_test(struct reduction *r, json_t *facts, struct err *err)
{
	BUF_SCOPED struct buf test = { 0 };
	int rc = reduction_test(r, &test, err);
	if (rc == 1 && test.len && test.len <= TEXT_MAX)
		json_object_set_new(facts, "test", text_of(test.data, test.len));
	return rc < 0 ? -1 : 0;
}

static void add_tool(void *ctx, const char *name, const char *version)
{
	json_array_append_new(ctx, json_pack("{s:o,s:o}", "name", text_string(name), "version",
	                                     text_string(version)));
}

/* The line of PROGRAM, a script, that says what reads it; the caller's. */
static char *reader_of(const char *program)
{
	const struct io_bounds bounds = { .most = TEXT_MAX, .regular = true };
	BUF_SCOPED struct buf text = { 0 };
	bool is = program[0] == '/' && io_read_bounded(program, bounds, &text, NULL) == 0 &&
	          text.len > 2 && !strncmp(text.data, "#!", 2);
	buf_addch(&text, '\0');
	return is ? mem_printf("%.*s", (int)strcspn(text.data, "\n"), text.data) : mem_strdup("");
}

/* The programs that OUTPUT, perhaps that of make or of a shell, names at the beginning of lines. */
static void add_echoed(struct buf *runs, const char *output)
{
	for (const char *line = output; *line; line += strcspn(line, "\n"), line += *line != 0) {
		size_t len = strcspn(line, " :\n");
		if (line[len] == ' ')
			buf_addf(runs, "%.*s\n", (int)len, line);
	}
}

/* Those that the test runs, or the command and what it is compared with, as they are here and now.
 */
static void add_tools(struct reduction *r, json_t *facts)
{
	SCOPED(condition_release) struct condition c = { 0 };
	const char *test = string(facts, "test");
	bool parsed = condition_parse(&c, test, NULL) == 0;
	MEM_SCOPED char *local = reduction_local(r, SESSION_STORE_TEST),
			*command = report_command(facts, NULL, false);
	MEM_SCOPED char *reader = reader_of(parsed && c.words && c.words[0] ? c.words[0] : "");
	BUF_SCOPED struct buf runs = { 0 };
	json_t *tools = json_array();
	buf_addf(&runs, "%s\n%s\n%s\n", command ? command : test,
	         parsed && c.differs ? c.differs : "", reader);
	add_echoed(&runs, string(facts, "output"));
	tools_find(runs.data, local && reduction_is_own(r), add_tool, tools);
	MEM_SCOPED char *system = tools_system();
	json_object_set_new(facts, "tools", tools);
	json_object_set_new(facts, "system", text_string(system));
}

/* What stands in the file LEAF beside the journal; the caller's. NULL: nothing. */
static char *beside(struct reduction *r, const char *leaf)
{
	const struct io_bounds bounds = { .most = TEXT_MAX, .regular = true };
	MEM_SCOPED char *path = location_path(&r->location, leaf);
	struct buf text = { 0 };
	bool is = access(path, R_OK) == 0 && io_read_bounded(path, bounds, &text, NULL) == 0 &&
	          text.len;
	if (is)
		return text.data;
	buf_release(&text);
	return NULL;
}

/* "ID SUBJECT", which `whittle bisect` leaves beside the journal of its reduction. */
static void add_first_bad(struct reduction *r, json_t *facts)
{
	MEM_SCOPED char *text = beside(r, "first-bad");
	if (text)
		json_object_set_new(facts, "first-bad", text_of(text, strcspn(text, "\n")));
	MEM_SCOPED char *test = beside(r, "bisect-test"), *build = beside(r, "bisect-build");
	if (test)
		json_object_set_new(facts, "test", text_string(test));
	if (build)
		json_object_set_new(facts, "build", text_string(build));
}

static const char **operands_of(const json_t *facts)
{
	const json_t *file, *files = json_object_get(facts, "files");
	const char **names = mem_zero(json_array_size(files) + 1, sizeof *names);
	size_t i;
	json_array_foreach(files, i, file) names[i] = string(file, "path");
	return names;
}

static void add_tests(struct reduction *r, json_t *facts)
{
	MEM_SCOPED char *path = location_path(&r->location, STATUS_FILE_LEAF);
	struct status_file status;
	if (status_file_read(path, &status) && status.tests)
		json_object_set_new(facts, "tests", json_integer((json_int_t)status.tests));
}

/* How the last run ended, of a reduction that is not finished; the caller's. NULL: it was killed.
 */
static char *ended_by(struct reduction *r)
{
	MEM_SCOPED char *path = location_path(&r->location, STATUS_FILE_LEAF);
	struct status_file status;
	if (reduction_owner(r))
		return mem_strdup("still running");
	if (!status_file_read(path, &status))
		return mem_strdup(r->chain.n == 1 ? "not begun" : "stopped");
	return status_file_was_killed(&status) ? NULL : mem_strdup(status.end);
}

static void add_local(struct reduction *r, json_t *facts, const char *name, const char *key)
{
	MEM_SCOPED char *text = reduction_local(r, key);
	if (text)
		json_object_set_new(facts, name, text_string(text));
}

/* TEXT without the line ends and blanks at its end. */
static void trim(char *text)
{
	for (size_t len = strlen(text); len && strchr(" \n", text[len - 1]);)
		text[--len] = '\0';
}

/* What the command of --differs printed. */
static void add_expected(struct reduction *r, json_t *facts)
{
	MEM_SCOPED char *text = beside(r, SESSION_STORE_EXPECTED);
	const struct condition any = { 0 };
	const char *const none[] = { NULL };
	if (!text)
		return;
	size_t line = strcspn(text, "\n");
	trim(text + line);
	const char *said = text + line + strspn(text + line, "\n");
	MEM_SCOPED char *shown = report_output(said, &any, none);
	json_object_set_new(facts, "expected-ended", text_of(text, line));
	json_object_set_new(facts, "expected", text_string(shown));
}

/* The command as one typed it, how it ended on the result, and what it printed. */
static void add_output(struct reduction *r, json_t *facts)
{
	bool finished = r->chain.last.kind == STEP_FINISHED;
	MEM_SCOPED char *ended = ended_by(r);
	bool known = finished || (ended && !reduction_owner(r));
	MEM_SCOPED char *text = beside(r, SESSION_STORE_OUTPUT);
	if (!finished)
		json_object_set_new(facts, "unfinished", text_string(ended ? ended : "killed"));
	add_local(r, facts, "command", SESSION_STORE_COMMAND);
	add_local(r, facts, "needs", SESSION_STORE_NEEDS);
	if (!text)
		return;
	add_expected(r, facts);
	static const char *const keys[] = { "ended", "command", "needs", "version", "often", "of" };
	size_t line = strcspn(text, "\n");
	trim(text + line);
	const char *said = text + line, *at = text;
	for (size_t i = 0; i < sizeof keys / sizeof *keys && at <= said; i++) {
		size_t n = strcspn(at, "\t\n");
		if (n)
			json_object_set_new(facts, keys[i], text_of(at, n));
		at += n + 1;
	}
	if (!known) /* what a run that has ended left is of another state, too */
		json_object_set_new(facts, "of", json_string("first"));
	else if (r->step_given && r->step < r->chain.last.number && !*string(facts, "of"))
		json_object_set_new(facts, "of", json_string("last"));
	SCOPED(condition_release) struct condition c;
	condition_parse(&c, string(facts, "test"), NULL);
	MEM_SCOPED const char **operands = operands_of(facts);
	MEM_SCOPED char *shown = report_output(said + strspn(said, "\n"), &c, operands);
	json_object_set_new(facts, "output", text_string(shown));
}

struct others {
	const char *name; /* of the reduction in which they were met */
	json_t *list;
};

static int add_other(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	const struct others *o = ctx;
	const char *about = info->about ? info->about : "";
	if (info->also && !strcmp(info->also, o->name))
		json_array_append_new(o->list,
		                      json_pack("{s:o,s:I,s:o}", "name", text_string(info->name),
		                                "bytes", (json_int_t)info->last.bytes, "about",
		                                text_string(about)));
	return 0;
}

/* The other failures that were met on the way and are kept. */
static int add_others(struct reduction *r, json_t *facts, struct err *err)
{
	const struct others o = { r->location.name, json_array() };
	json_object_set_new(facts, "others", o.list);
	return history_each(NULL, r->location.common, false, add_other, (void *)(uintptr_t)&o, err);
}

static int add_result(struct reduction *r, struct testcase *newest, json_t *facts, struct err *err)
{
	TESTCASE_SCOPED struct testcase *tc =
		newest ? testcase_ref(newest) : reduction_testcase(r, err);
	if (!tc)
		return -1;
	json_object_set_new(facts, "files", files_of(tc));
	return 0;
}

static int fill(struct reduction *r, struct testcase *newest, bool diffs, json_t *facts,
                struct err *err)
{
	json_t *steps = json_array();
	MEM_SCOPED char *options = NULL, *note = NULL;
	const struct step *last = &r->chain.last;
	json_t *first = json_pack(
		"{s:i,s:s,s:o,s:I,s:I,s:I,s:s,s:o}", "format", 1, "whittle", PACKAGE_VERSION,
		"name", text_string(r->location.name), "original", (json_int_t)last->original,
		"bytes", (json_int_t)(newest ? testcase_shown_size(newest) : last->bytes),
		"answers", (json_int_t)last->questions, "state", kinds[last->kind], "steps", steps);
	json_object_update(facts, first);
	json_decref(first);
	if (reduction_each(r, add_step, steps, err) < 0)
		return -1;
	if (diffs)
		add_diffs(r, steps);
	json_object_set_new(facts, "passes", passes_of(steps));
	if (add_test(r, facts, err) < 0 || add_result(r, newest, facts, err) < 0 ||
	    add_others(r, facts, err) < 0 || !(options = reduction_options(r, err)))
		return -1;
	add_first_bad(r, facts);
	add_output(r, facts);
	add_tools(r, facts);
	add_tests(r, facts);
	json_object_set_new(facts, "options", text_string(options));
	if ((note = reduction_note(r)))
		json_object_set_new(facts, "certificate", text_string(note));
	return 0;
}

struct report *report_read(struct reduction *r, struct testcase *newest, bool diffs,
                           struct err *err)
{
	struct report *report = mem_zero(1, sizeof *report);
	const char *file = r->location.file ? r->location.file : "";
	size_t len = (size_t)(path_base(file) - file);
	report->facts = json_object();
	report->directory = len > 1 ? mem_printf("%.*s", (int)len, file) : NULL;
	if (fill(r, newest, diffs, report->facts, err) == 0)
		return report;
	report_free(report);
	return NULL;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	json_decref(report->facts);
	free(report->directory);
	free(report);
}

/* ---- forms ---- */

int report_json(const struct report *report, FILE *out, struct err *err)
{
	if (json_dumpf(report->facts, out, JSON_INDENT(1)) < 0 || putc('\n', out) == EOF)
		return err_set(err, ERR_SYSTEM, "the report cannot be written");
	return 0;
}

/* The facts where markup is read: no character of it is one of markup's. */
static void write_data(const struct report *report, FILE *out)
{
	char *text = json_dumps(report->facts, JSON_ENSURE_ASCII | JSON_COMPACT);
	for (const char *at = text; at && *at; at++)
		if (*at == '<' || *at == '>' || *at == '&')
			fprintf(out, "\\u%04x", (unsigned)*at);
		else
			putc(*at, out);
	free(text);
}

static int write_file(const char *parts, const char *leaf, size_t len, FILE *out, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/%.*s", parts, (int)len, leaf);
	int rc = io_read_file(path, &text, err);
	if (rc == 0)
		fwrite(text.data, 1, text.len, out);
	return rc;
}

/* page.html, in which "{{NAME}}" stands for the file NAME, "{{facts}}" for the facts. */
int report_html(const struct report *report, const char *parts, FILE *out, struct err *err)
{
	BUF_SCOPED struct buf page = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/page.html", parts);
	int rc = io_read_file(path, &page, err);
	const char *at = page.data;
	while (rc == 0 && *at) {
		const char *mark = strstr(at, "{{"), *end = mark ? strstr(mark + 2, "}}") : NULL;
		if (!end) {
			fputs(at, out);
			break;
		}
		fwrite(at, 1, (size_t)(mark - at), out);
		size_t len = (size_t)(end - mark) - 2;
		if (len == 5 && !strncmp(mark + 2, "facts", len))
			write_data(report, out);
		else
			rc = write_file(parts, mark + 2, len, out, err);
		at = end + 2;
	}
	if (rc == 0 && ferror(out))
		rc = err_set(err, ERR_SYSTEM, "the report cannot be written");
	return rc;
}
