#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ask/condition.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "ui/report.h"
#include "ui/report_facts.h"

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

char *report_command(const json_t *facts, bool raw)
{
	MEM_SCOPED char *path = mem_strdup(string(first_file(facts), "path"));
	char *const operands[] = { path, NULL };
	SCOPED(condition_release) struct condition c = { 0 };
	struct buf b = { 0 };
	bool ours = condition_parse(&c, string(facts, "test"), NULL) == 0 && c.words;
	for (char **w = ours ? c.words : NULL; w && *w; w++) {
		MEM_SCOPED char *word = condition_word(*w, operands);
		buf_addf(&b, "%s", b.len ? " " : "");
		if (c.shell || raw)
			buf_addf(&b, "%s", word);
		else
			quote_add_if_needed(&b, word);
	}
	return b.data;
}

/* How a run ends while the bug shows. */
static void write_ended(const struct condition *c, FILE *out)
{
	switch (c->ended) {
	case ENDED_STATUS:
		fprintf(out, "It exits with status %d.\n", c->number);
		break;
	case ENDED_NONZERO:
		fputs("It fails.\n", out);
		break;
	case ENDED_CRASH:
		fputs("It crashes.\n", out);
		break;
	case ENDED_SIGNAL:
		fprintf(out, "It was ended by signal %d (%s).\n", c->number, strsignal(c->number));
		break;
	case ENDED_TIMEOUT:
		fprintf(out, "It does not end within %.3g s.\n", (double)c->limit_ns / 1e9);
		break;
	case ENDED_ANYHOW:
		break;
	}
}

static void write_seen(const struct condition *c, FILE *out)
{
	static const char *const streams[] = { "", "standard output", "standard error",
		                               "its output" };
	fprintf(out, "\n## Seen\n\n");
	write_ended(c, out);
	if (c->slower_than_ns)
		fprintf(out, "It takes %.3g s of processor time or more.\n",
		        (double)c->slower_than_ns / 1e9);
	if (c->signature) {
		putc('\n', out);
		write_block(out, c->signature);
	}
	for (unsigned i = 0; i < c->n_looks; i++) {
		fprintf(out, "\n%s %s:\n\n", c->looks[i].absent ? "Not in" : "In",
		        streams[c->looks[i].streams]);
		write_block(out, c->looks[i].pattern);
	}
	if (c->differs)
		fprintf(out, "\nIts output or status differs from that of:\n\n");
	if (c->differs)
		write_block(out, c->differs);
}

static void write_title(const json_t *facts, const struct condition *c, FILE *out)
{
	const char *program = c->words ? c->words[0] : "", *slash = strrchr(program, '/');
	if (c->signature)
		fprintf(out, "# %s: %s\n\n", slash ? slash + 1 : program, c->signature);
	else
		fprintf(out, "# %s: %" JSON_INTEGER_FORMAT " bytes\n\n",
		        string(first_file(facts), "path"), number(facts, "bytes"));
}

/* What it printed, as it is, or what is known to have been looked for. */
static void write_output(const json_t *facts, const struct condition *c, FILE *out)
{
	if (!*string(facts, "ended")) {
		write_seen(c, out);
		return;
	}
	fprintf(out, "\n## Output (%s)\n\n", string(facts, "ended"));
	write_block(out, string(facts, "output"));
	if (c->differs) {
		fprintf(out, "\n## Expected\n\nThe output and status of:\n\n");
		write_block(out, c->differs);
	}
}

static void write_reproduction(const json_t *facts, const struct condition *c, FILE *out)
{
	const char *typed = string(facts, "command");
	MEM_SCOPED char *command = *typed ? mem_strdup(typed) : report_command(facts, false);
	if (command) {
		fprintf(out, "## Command\n\n");
		write_block(out, command);
		write_output(facts, c, out);
	} else if (*string(facts, "test")) {
		fprintf(out, "## Test\n\nIt exits with 0 while the bug shows.\n\n");
		write_block(out, string(facts, "test"));
	}
}

static void write_files(const json_t *facts, FILE *out)
{
	json_t *file;
	size_t i;
	json_array_foreach(json_object_get(facts, "files"), i, file)
	{
		fprintf(out, "\n## %s (%" JSON_INTEGER_FORMAT " bytes)\n\n", string(file, "path"),
		        number(file, "bytes"));
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
	if (*string(facts, "system"))
		fprintf(out, "- system: %s\n", string(facts, "system"));
	if (*string(facts, "first-bad"))
		fprintf(out, "\n## First bad commit\n\n%s\n", string(facts, "first-bad"));
}

int report_markdown(const struct report *report, FILE *out, struct err *err)
{
	const json_t *facts = report->facts;
	struct condition c = { 0 };
	if (condition_parse(&c, string(facts, "test"), NULL) < 0) {
		condition_release(&c);
		c = (struct condition){ 0 };
	}
	write_title(facts, &c, out);
	write_reproduction(facts, &c, out);
	write_files(facts, out);
	write_versions(facts, out);
	fprintf(out,
	        "\nReduced with whittle " PACKAGE_VERSION " from %" JSON_INTEGER_FORMAT
	        " to %" JSON_INTEGER_FORMAT " bytes in %" JSON_INTEGER_FORMAT " answers.\n",
	        number(facts, "original"), number(facts, "bytes"), number(facts, "answers"));
	condition_release(&c);
	return ferror(out) ? err_set(err, ERR_SYSTEM, "the report cannot be written") : 0;
}
