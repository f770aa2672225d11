/* Errors: a code and one message, filled in where the failure is known, printed once by the
 * command.
 *
 * A function that can fail takes `struct err *` last and returns 0 or -1 (or NULL); on failure it
 * has called err_set. A caller that knows more (which file, which step) adds it with err_context
 * and passes the failure on. ERR is NULL where nobody wants to know: whoever looks at it itself
 * thinks of that.
 */
#pragma once

#include <stdnoreturn.h>

/* Exit codes of the program (whittle(1), EXIT STATUS). */
enum err_code {
	ERR_NONE = 0,
	ERR_TEST = 1,    /* the interestingness test cannot be used */
	ERR_USAGE = 2,   /* wrong option, argument, input file or tokenizer */
	ERR_STOPPED = 3, /* stopped by a limit before the fixpoint */
	ERR_SYSTEM = 4,  /* the system refused: no space, no permission, no process */
};

struct err {
	enum err_code code;
	char msg[2048];
};

/* Stores the code and the formatted message; always returns -1, so that `return err_set(...)` reads
 * well. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Like err_set with ERR_SYSTEM, and appends ": " and the text of the current errno. */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts the formatted text and ": " before the message; always returns -1. */
int err_context(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Another code for what is said already; always returns -1. */
int err_as(struct err *err, enum err_code code);

/* Reports a mistake of ours and aborts. For conditions that no input may cause. */
noreturn void bug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
