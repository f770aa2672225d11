/* What a report is called: the file and the failure. */
#pragma once

struct condition;

struct report_titled {
	const struct condition *condition; /* no words: it is a program, and cannot tell */
	char *const *paths;                /* of the files, one or more */
	const char *output;                /* "": not known */
	const char *other;                 /* the command of --differs, as people see it */
};

/* "crash.c: internal compiler error: in f, at g.cc", one line; the caller's. NULL: what the failure
 * is cannot be told. */
char *report_title(const struct report_titled *of);

/* How the command ends while the bug shows: "exits with status 1"; the caller's. NULL: anyhow. */
char *report_ended(const struct condition *c);
