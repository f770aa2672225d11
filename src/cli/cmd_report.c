/* whittle report: a kept reduction as a page, a bug report, or data. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/installed.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/named.h"
#include "cli/now.h"
#include "base/options.h"
#include "cli/stored.h"
#include "store/history.h"
#include "ui/report.h"

static const struct option_row rows[] = {
	{ 'o', "output", "FILE",
	  "write to FILE, which ends in .html, .md or .json (default: Markdown on standard "
	  "output)",
	  options_set_text, offsetof(struct stored_options, output) },
	STORED_COMMON_ROWS,
	{ 0 },
};

enum form { FORM_MARKDOWN, FORM_HTML, FORM_JSON };

static int form_of(const char *path, enum form *form, struct err *err)
{
	static const struct {
		const char *ending;
		enum form form;
	} endings[] = { { ".md", FORM_MARKDOWN },
		        { ".html", FORM_HTML },
		        { ".htm", FORM_HTML },
		        { ".json", FORM_JSON } };
	const char *dot = path ? strrchr(path, '.') : ".md";
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i].ending)) {
			*form = endings[i].form;
			return 0;
		}
	return err_set(err, ERR_USAGE, "option --output: %s does not end in .html, .md or .json",
	               path);
}

/* A report replaces what is there: never the file that it is about, the result or the test, nor a
 * pipe, which would become a file. */
static int check_place(struct reduction *r, const char *path, struct err *err)
{
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "option --output: %s is not a file", path);
	return named_check_reduction(r, path, true, err);
}

static int write_form(const struct report *report, enum form form, FILE *out, struct err *err)
{
	if (form == FORM_JSON)
		return report_json(report, out, err);
	if (form == FORM_MARKDOWN)
		return report_markdown(report, out, err);
	MEM_SCOPED char *parts = installed_data_dir("report");
	return report_html(report, parts, out, err);
}

/* To a file, whole or not at all; without PATH to standard output, where no terminal obeys it. */
static int write_to(const struct report *report, enum form form, const char *path, struct err *err)
{
	MEM_SCOPED char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc = out ? write_form(report, form, out, err) : err_errno(err, "the report");
	if (out && fclose(out) != 0 && rc == 0)
		rc = err_errno(err, "the report");
	if (rc == 0 && path)
		return io_replace_file(path, text, len, 0644, err);
	if (rc == 0)
		show_write(stdout, text, len);
	return rc;
}

static int act(struct reduction *r, const struct stored_options *o, struct err *err)
{
	enum form form = FORM_MARKDOWN;
	if (form_of(o->output, &form, err) < 0 || (o->output && check_place(r, o->output, err) < 0))
		return -1;
	SCOPED(now_release) struct now now = { 0 };
	if (!r->step_given && now_look(r, &now, err) < 0)
		return -1;
	struct report *report =
		report_read(r, now.is == NOW_AHEAD ? now.tc : NULL, form != FORM_MARKDOWN, err);
	int rc = report ? write_to(report, form, o->output, err) : -1;
	report_free(report);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	static const struct stored_usage usage = { "report [OPTIONS] [NAME[:STEP]]", rows, 1,
		                                   "one name" };
	return stored_run(&usage, argc, argv, act);
}
