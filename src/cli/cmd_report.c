/* whittle report: a kept reduction as a page, a bug report, or data. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stored.h"
#include "cli/stored_tree.h"
#include "disk/input.h"
#include "reduce/keep.h"
#include "store/history.h"
#include "text/testcase.h"
#include "ui/report.h"

static const struct option_row rows[] = {
	{ 'o', "output", "FILE",
	  "write to FILE.html, FILE.md or FILE.json (default: Markdown on standard output)",
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

/* Is OUT, with links resolved, PATH or in it? */
static bool is_at(const char *out, const char *path)
{
	char *real = path ? io_real_path(path) : NULL;
	bool is = real && (!strcmp(out, real) || path_is_below(out, real));
	free(real);
	return is;
}

/* Is OUT what R reduced, or in a directory that R reduced? Not when nobody knows where that is. */
static bool is_reduced(struct reduction *r, const char *out)
{
	struct err unknown;
	struct input in = { 0 };
	struct testcase *tc = reduction_testcase(r, &unknown);
	bool is = false;
	if (tc && tc->is_tree && stored_tree_find(r, &in, &unknown) == 0) {
		for (uint32_t i = 0; i < in.n_operands && !is; i++)
			is = is_at(out, in.operands[i].path);
	} else if (tc && !tc->is_tree) {
		char *file = reduction_file(r, tc->files[0].path, &unknown);
		is = is_at(out, file);
		free(file);
	}
	input_release(&in);
	testcase_unref(tc);
	return is;
}

/* A report replaces what is there: never the file that it is about, the result or the test, nor a
 * pipe, which would become a file. */
static int check_place(struct reduction *r, const char *path, struct err *err)
{
	struct stat st;
	int rc = 0;
	char *out = io_real_path(path), *result = reduction_local(r, KEEP_OUT),
	     *test = reduction_local(r, KEEP_TEST);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		rc = err_set(err, ERR_USAGE, "option --output: %s is not a file", path);
	else if (is_reduced(r, out))
		rc = err_set(err, ERR_USAGE, "option --output: %s is what was reduced", path);
	else if (is_at(out, result))
		rc = err_set(err, ERR_USAGE, "option --output: %s is the result", path);
	else if (is_at(out, test))
		rc = err_set(err, ERR_USAGE, "option --output: %s is the test", path);
	free(test);
	free(result);
	free(out);
	return rc;
}

static int write_form(const struct report *report, enum form form, FILE *out, struct err *err)
{
	if (form == FORM_JSON)
		return report_json(report, out, err);
	if (form == FORM_MARKDOWN)
		return report_markdown(report, out, err);
	char *parts = command_data_dir("report");
	int rc = report_html(report, parts, out, err);
	free(parts);
	return rc;
}

/* Whole or not at all. */
static int write_to(const struct report *report, enum form form, const char *path, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	if (!path)
		return write_form(report, form, stdout, err);
	FILE *out = open_memstream(&text, &len);
	int rc = out ? write_form(report, form, out, err) : err_errno(err, "%s", path);
	if (out && fclose(out) != 0 && rc == 0)
		rc = err_errno(err, "%s", path);
	if (rc == 0)
		rc = io_replace_file(path, text, len, 0644, err);
	free(text);
	return rc;
}

static int act(struct reduction *r, const struct stored_options *o, struct err *err)
{
	enum form form = FORM_MARKDOWN;
	if (form_of(o->output, &form, err) < 0 || (o->output && check_place(r, o->output, err) < 0))
		return -1;
	struct report *report = report_read(r, form != FORM_MARKDOWN, err);
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
