/* The subcommands: each is a file cmd_*.c and a row in main.c. argv[0] is the subcommand's name.
 * Each prints its own errors ("whittle: ...") and returns the exit code (base/err.h). */
#ifndef WHITTLE_CLI_COMMANDS_H
#define WHITTLE_CLI_COMMANDS_H

#include <stddef.h>

struct err;

int cmd_reduce(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_tokens(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_hook(int argc, char **argv);
int cmd_completion(int argc, char **argv);

/* The name of the I-th command, and in *help (may be NULL) what it does; NULL: there are no more.
 */
const char *command_name(size_t i, const char **help);
int cmd_signature(int argc, char **argv);
int cmd_worker(int argc, char **argv);

/* Answers --version. */
int command_version(void);

/* Prints "whittle: MESSAGE" and returns the exit code. */
int command_fail(const struct err *err);

/* Directories with tokenizers, in the order of their precedence, NULL-terminated; static storage
 * after the first call. */
const char *const *command_tokenizer_dirs(void);

/* The same with .whittle/tokenizers of the work tree around PATH, after the user's own; the first
 * call decides. */
const char *const *command_tokenizer_dirs_for(const char *path);

/* Directories with signatures, in the same order; the first call decides. */
const char *const *command_signature_dirs_for(const char *path);

/* Where our side of installed external passes is; static storage. */
const char *command_pass_dir(void);

/* Where programs of ours are that it starts: beside it in the build tree, or installed. */
const char *command_program_dir(void);

/* A directory of the program's own data, installed or in the build tree it runs from; the caller's.
 */
char *command_data_dir(const char *leaf);

/* The directory LEAF of the build tree, when the program runs from one: the caller's, NULL
 * elsewhere. */
char *command_build_dir(const char *leaf);

#endif
