/* The command is the test: `whittle FILE -- COMMAND`. From the command line and the options that
 * say what has to come of it a condition is made (ask/condition.h) and written as a test of its
 * own, which is then used like any other. */
#pragma once

#include <stdbool.h>

#include "ask/condition.h"

struct err;
struct families;
struct option_row;
struct session;
struct session_options;
struct signature;

/* Files here that words of commands name, as "a, b"; NULL: none. */
struct ask_paths {
	char *said; /* made absolute */
	char *made; /* not so, since the commands make them: absolute paths; "": any */
};

struct ask_options {
	char **command;             /* what is after "--"; NULL: the test is a program */
	const char **typed;         /* "whittle" and what is in front of "--" */
	struct condition condition; /* what the options say, without words and signature */
	bool ended_given, same, shell;
	bool beside; /* what is reduced is a directory that no word of the command names */
	bool forks;  /* the command is a fork server (persistent.h), asked about `ended` alone */
	const char *save; /* where to write it as a shell script; NULL: nowhere */
	char *first;      /* how the command ended at first, and what it printed, as kept beside the
	                     journal; NULL: it was not run, or did not fail */
	struct ask_paths paths;
	char **needles; /* literal pieces of the output that make the signature, for that; NULL at
	                   the end */
};

/* Setters of options; their target is a struct whose member at the row's offset is an ask_options.
 */
int ask_set_exit(void *target, const struct option_row *row, const char *text, struct err *err);
int ask_add_look(void *target, const struct option_row *row, const char *text, struct err *err);
int ask_set_creates(void *target, const struct option_row *row, const char *text, struct err *err);
int ask_set_slower(void *target, const struct option_row *row, const char *text, struct err *err);
int ask_set_line(void *target, const struct option_row *row, const char *text, struct err *err);

/* Any option that goes together with a command only? Its name, or NULL. */
const char *ask_option_given(const struct ask_options *ask);

/* Makes the test and sets session->test to its path, which lives as long as the options. Runs the
 * command on the operands a few times to see what is to be the same again; says on standard error
 * what that is unless QUIET. -1 and err when it shows nothing that could be. */
int ask_prepare(struct ask_options *ask, struct session_options *session, bool quiet,
                struct err *err);

/* ---- parts of it ---- */

/* Makes the command, which is prepared, the fork server of SESSION: that tells how a run ended and
 * nothing else. -1 and err when something else is asked for, too. */
int ask_fork_server(struct ask_options *ask, struct session_options *session, struct err *err);

/* Keeps a test of ours, under a name that comes from its content; its path, the caller's. NULL and
 * err. */
char *ask_write_text(const char *text, struct err *err);
char *ask_write_test(const struct condition *c, struct err *err);

/* Was C kept as a test before? */
bool ask_has_test(const struct condition *c);

/* Path of whittle-judge, the caller's. */
char *ask_judge_program(void);

/* The words of COMMAND as condition_word wants them: those that name an operand (one of the N names
 * in FILES) stand for it, those that name other files here become absolute, which is added to
 * PATHS, but what that says is made. The caller's. */
char **ask_words(char *const *command, const char *const *files, unsigned n,
                 struct ask_paths *paths, bool *uses_operand);

/* LINE, a command line of sh, with its words that name files here made absolute, as in COMMAND: it
 * runs in another directory. One that names one of the N operands FILES becomes "$1", "$2" and so
 * on. What stands in quotes, or has wildcards, stays. PATHS: likewise. The caller's. */
char *ask_line(const char *line, const char *const *files, unsigned n, struct ask_paths *paths);

/* TEXT as condition_word gives it back; the caller's. */
char *ask_escaped(const char *text);

/* LINE as the one word of a condition that is a command line; the caller's. */
char *ask_line_word(const char *line);

/* Runs the test of C on what SESSION's operands hold, once, with a time limit; the outcome has at
 * most some dozen kilobytes of either stream. The file TEST holds C. */
struct observation {
	const struct session_options *session;
	const struct ask_options *ask; /* what was typed, for a hint; NULL: none */
	const char *test, *judge;      /* paths */
	const char *writable;          /* where the fence lets it write, too; NULL: nowhere */
	const char *relaxed; /* a test whose answers to some QUESTIONS of a reduction make the
	                        operands smaller first; NULL: they stay */
	unsigned questions;
	bool judged; /* all that is known of an outcome is the status: 0 if the condition holds */
};
int ask_observe(const struct observation *how, unsigned runs, struct outcome *out, struct err *err);

/* Frees the signature of C, found in MODEL, of numbers that a few questions of a reduction show to
 * move. HOW: runs the command. -1 and err when that cannot be run. */
int ask_free_numbers(struct condition *c, const struct observation *how,
                     const struct outcome *model, struct err *err);

/* Keeps beside the journal of S, which has just been opened, what the command of ASK did at first:
 * `whittle report` shows that until more is known. */
void ask_keep_first(const struct ask_options *ask, struct session *s);

/* "HOW\n" and what was printed, of the outcome O; the caller's. */
char *ask_kept(const struct outcome *o);

/* Runs the command of S, which has ended and is still open, on the result, and keeps beside the
 * journal how it ended and what it printed, for `whittle report`; again when it does not fail there
 * by chance. Of another test nothing is kept, nor of a run of ten seconds unless S is FINISHED:
 * nobody waits for that when a run is stopped; then what is known remains. What goes wrong is no
 * failure of the reduction. */
void ask_keep_output(struct session *s, bool finished);

/* What identifies the failure in an outcome of SESSION's command; the caller's. NULL: nothing. */
char *ask_signature(const struct outcome *o, const struct session_options *session,
                    const struct families *families);

/* The words of ASK's command as its condition has them. *USES: one of them names an operand. PATHS:
 * likewise. The caller's. */
char **ask_command_words(const struct ask_options *ask, const struct session_options *session,
                         struct ask_paths *paths, bool *uses);

struct ask_seen { /* of a run */
	struct outcome outcome;
	char *signature;              /* NULL: none */
	const struct signature *line; /* where it comes from; NULL: not known */
};

/* Runs the command where the user stands, or rather in a place like that. -1 and err, with what is
 * missing and the line that works, when it fails there in another way than APART, where the
 * candidate is alone: then that failure is made by isolation. */
int ask_check_here(const struct ask_options *ask, const struct session_options *session,
                   const char *judge, const struct families *families, const struct ask_seen *apart,
                   struct err *err);

/* What is wrong with TEST, an absolute path, on what the operands hold when it would hold where the
 * user stands; the caller's. NULL: it does not hold there either, or that is not known. */
char *ask_test_here(const struct session_options *session, const char *test);

/* Runs the commands of ASK, whose words have no absolute paths but the user's, likewise. What of
 * the files that are here they make, as ask_paths has it; the caller's. */
char *ask_find_made(const struct ask_options *ask, const struct session_options *session,
                    const char *judge);

/* Refuses words that only a shell reads: an assignment, a pipe, a line in one word. -1 and err,
 * with the line that works. */
int ask_check_words(const struct ask_options *ask, struct err *err);

/* Refuses a directory around the one where the user stands, which no word of the command names: the
 * command would run beside it. USES: a word does. Likewise. */
int ask_check_place(const struct ask_options *ask, const struct session_options *session, bool uses,
                    struct err *err);

/* Adds to ERR, which a run of the command led to, the line that runs it in the directory that is
 * reduced when no word names that; else, or when a hint is there already, nothing. */
void ask_add_place(const struct ask_options *ask, const struct session_options *session,
                   struct err *err);

/* Refuses a directory with its repository, which what is replaced as a whole would lose. Likewise.
 */
int ask_check_repository(const struct ask_options *ask, const struct session_options *session,
                         struct err *err);

/* Refuses what the first run shows to be no failure to look for: no end, no failure, a file that
 * the command names and that is nowhere. Likewise. */
int ask_check_first(const struct ask_options *ask, const struct session_options *session,
                    const struct ask_seen *seen, struct err *err);

/* The command line as the user typed it, with a change; the caller's. */
struct ask_change {
	const char *options;      /* that are added, quoted; NULL: none */
	const char *const *files; /* operands that are added; NULL: none */
	size_t n_files;
	char *const *command;     /* in place of the user's; NULL: that */
	const char *operand, *as; /* an operand as it was typed, and what is in its place */
};
char *ask_changed(const struct ask_options *ask, const struct ask_change *change);

/* Adds to OUT the hint for a command that does not end: the line that looks for that. */
void ask_add_endless(struct buf *out, const struct ask_options *ask,
                     const struct session_options *session);

/* Likewise when "timeout N" ended it in the outcome O. False: it did not. */
bool ask_add_timeout(struct buf *out, const struct ask_options *ask, const struct outcome *o);

/* Commands of sh that run those of C; the caller's. */
char *ask_all_lines(const struct condition *c);

/* Writes the condition as a POSIX shell script where the user wants it. -1 and err. */
int ask_save_script(const struct ask_options *ask, const struct session_options *session,
                    struct err *err);
