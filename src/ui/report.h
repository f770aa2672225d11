/* The report of a kept reduction: what it was, its steps and what each changed, the test, the
 * result.
 *
 * Life cycle: report_read collects the facts; report_json, report_html, report_markdown write them;
 * report_free. The facts are one JSON object, which report_json prints and the page reads; its
 * members are described in whittle-snapshots(7). What comes from a repository is text here, never
 * markup.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct err;
struct reduction;
struct report;
struct testcase;

/* Of R, which is open; NEWEST: what it has come to since its last step, which stands for that;
 * NULL: nothing. DIFFS: with what each step changed, which takes as long as all else together and
 * more. NULL and err when it cannot be read. */
struct report *report_read(struct reduction *r, struct testcase *newest, bool diffs,
                           struct err *err);
void report_free(struct report *report);

int report_json(const struct report *report, FILE *out, struct err *err);

/* One page that needs nothing else. PARTS: the directory with page.html and what goes into it. */
int report_html(const struct report *report, const char *parts, FILE *out, struct err *err);

/* For the trackers of GitHub, GitLab and Bugzilla. */
int report_markdown(const struct report *report, FILE *out, struct err *err);
