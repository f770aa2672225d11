/* The mistakes that are seen in the script of a test, as a table: a pattern, and what is said where
 * it matches. */
#ifndef WHITTLE_FIRST_TEACH_ROWS_H
#define WHITTLE_FIRST_TEACH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct session_options;

/* What is known of the test: it could not be run, says no to the input, not always the same, says
 * yes to an empty file, or can be used. */
enum {
	TEACH_NOT_RUN = 1,
	TEACH_NOT_INTERESTING = 2,
	TEACH_FLAKY = 4,
	TEACH_TRIVIAL = 8,
	TEACH_USABLE = 16,
	TEACH_SHELL = 32, /* in a row: only if a shell reads the script */
	TEACH_ONCE = 64,
};

struct teach_script {
	const struct session_options *options;
	const char *file; /* base name of the candidate */
	char *path, *dir; /* of the script, and in which it lies */
	char *text;       /* of the script; NULL: it is none */
	char *plain;      /* as long: of the script of a shell, without comments and what stands in
	                   * quotes and can be no word that counts, up to a here document */
	const char *output; /* of the run that was not interesting; NULL: none */
	double slowest_s;
};

/* Where a row's pattern matches. */
struct teach_match {
	size_t at;        /* offset of the first group that took part, or of the match */
	const char *word; /* its text */
	char *found;      /* what `holds` has found, or NULL; freed by the caller */
};

struct teach_row {
	unsigned when;  /* TEACH_ bits */
	unsigned stage; /* only if no earlier stage has said anything */
	enum { TEACH_PLAIN, TEACH_TEXT, TEACH_OUTPUT } in;
	const char *pattern;
	const char *unless; /* nor where this matches, anywhere; NULL: nowhere */
	const char *say; /* %l: "line N: ", %w: the word, %f: the file, %t: the test, %r: what was
	                    found */
	bool (*holds)(const struct teach_script *s, struct teach_match *m); /* NULL: always */
};

/* Is there a program NAME, a path or in a directory of $PATH? */
bool teach_is_command(const char *name);

extern const struct teach_row teach_rows[];
extern const size_t teach_n_rows;

#endif
