/* libwhittle: makes a test case as small and simple as it can while a test still finds it
 * interesting. libwhittle(3) describes it in detail, with examples.
 *
 * There are two ways to use it. Calling back: whittle_reduce calls the test, a function. Asking and
 * telling: after whittle_open, whittle_next hands out candidates with tickets and whittle_tell
 * takes verdicts in any order, so that any event loop, thread pool or cluster can run the tests;
 * end with whittle_free. The result depends on the bytes, the options and the verdicts only, not on
 * how many candidates are out at a time, or on the order of the verdicts.
 *
 * The library has no global state: reductions are independent of each other, and can run in
 * different threads; use each one in one thread at a time. The library prints nothing and never
 * ends the program. Functions return a negative value on failure, and whittle_message describes it.
 */
#ifndef WHITTLE_H
#define WHITTLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WHITTLE_API __attribute__((visibility("default")))
#else
#define WHITTLE_API
#endif

/* A reduction. */
struct whittle;

/* The results of functions that fail. */
enum whittle_error {
	WHITTLE_ERR_TEST = -1,     /* the original is not interesting */
	WHITTLE_ERR_ARGUMENT = -2, /* an argument, option, tokenizer or ticket is invalid */
	WHITTLE_ERR_SYSTEM = -3,   /* the journal cannot be read or written */
	WHITTLE_ERR_MEMORY = -4,   /* not enough memory; see no_memory below */
};

/* The state of a reduction. */
enum whittle_state {
	WHITTLE_RUNS,     /* there are candidates, or it waits for verdicts */
	WHITTLE_FIXPOINT, /* nothing more can be cut */
	WHITTLE_LIMIT,    /* max_answers or until_size was reached */
	WHITTLE_STOPPED,  /* the function `stop` stopped it; whittle_next resumes */
	WHITTLE_FAILED,   /* whittle_message says why */
};

enum whittle_verdict {
	WHITTLE_UNJUDGED = -1, /* the test was not completed; the candidate is handed out again if
	                          it is still wanted */
	WHITTLE_NOT_INTERESTING = 0,
	WHITTLE_INTERESTING = 1,
};

/* All members but the first may be 0. The functions are called while the library works on W: they
 * must not call any function on W (but for whittle_result, as said at `accepted`), and must not be
 * left by longjmp or by an exception of C++. */
struct whittle_options {
	size_t struct_size; /* sizeof(struct whittle_options), so that the struct can grow */
	const char *name;   /* file name, which determines the language; NULL: the content does */
	const char *tokenizer; /* a tokenizer's name or file; NULL: according to NAME */
	const char *const
		*directories; /* of tokenizers, terminated by NULL; NULL: the installed ones */
	const char *passes;   /* names, separated by commas; NULL: all */
	uint64_t seed;        /* of the random choices */
	uint64_t max_answers; /* stop after this many verdicts, not counting a journal's; 0: no
	                       * limit */
	size_t until_size;    /* stop when no more bytes than this are left; 0: no limit */
	int keep_names;       /* identifiers are not renamed */
	const char *journal;  /* file, no symbolic link, to which verdicts are appended; if it
	                         exists, the reduction resumes from it; NULL: none */
	const char *test_id;  /* name of the test; the journal of another test is refused */
	/* Called when something simpler was found; whittle_result returns it. */
	void (*accepted)(void *arg, const struct whittle *w);
	/* Called now and then; a result other than 0 stops the reduction. */
	int (*stop)(void *arg);
	/* Called when an allocation of SIZE bytes fails, except that of the handle itself; a
	 * result other than 0 tries again. With 0, or without this function, the library call
	 * returns WHITTLE_ERR_MEMORY. After that, only whittle_result, whittle_message and
	 * whittle_free can be used, and some memory and file descriptors are lost. */
	int (*no_memory)(void *arg, size_t size);
	void *arg;           /* of these functions */
	const char *certify; /* what is verified at the end: "auto" (NULL), "full", "token" (tokens,
	                        items, lines) or "none" */
};

struct whittle_candidate {
	uint64_t ticket;
	const void
		*bytes; /* valid until whittle_tell or whittle_free, and readable from any thread */
	size_t size;
};

/* Starts a reduction of SIZE bytes, which are copied. They must be interesting; the library does
 * not check that. Returns NULL on failure; *error is then a whittle_error, and MESSAGE (of
 * MESSAGE_SIZE bytes; may be NULL) describes it. OPTIONS may be NULL; its strings are copied. */
WHITTLE_API struct whittle *whittle_open(const void *bytes, size_t size,
                                         const struct whittle_options *options, int *error,
                                         char *message, size_t message_size);

/* Hands out up to MAX candidates to be judged. The search waits for the first ones; the later
 * ones are likely to be needed. Returns their number, or a whittle_error. 0 means that the library
 * waits for verdicts or that the reduction is finished; whittle_state says which. Keep as many
 * candidates out as tests can run at a time. */
WHITTLE_API int whittle_next(struct whittle *w, struct whittle_candidate *out, size_t max);

/* Takes the verdict on the candidate of TICKET, and frees its bytes. Returns 0 or a whittle_error:
 * WHITTLE_ERR_ARGUMENT, and nothing changes, if VERDICT is none of the three or no such candidate
 * is out. */
WHITTLE_API int whittle_tell(struct whittle *w, uint64_t ticket, enum whittle_verdict verdict);

/* Whether the verdict on TICKET can still matter. If not, you may end its test, and tell
 * WHITTLE_UNJUDGED. */
WHITTLE_API int whittle_wanted(const struct whittle *w, uint64_t ticket);

WHITTLE_API enum whittle_state whittle_state(const struct whittle *w);

/* The smallest bytes so far, valid until the next call of whittle_next, whittle_tell or
 * whittle_free. */
WHITTLE_API const void *whittle_result(const struct whittle *w, size_t *size);

/* The number of verdicts that the search has used, including those from the journal; the number
 * of candidates that were handed out. */
WHITTLE_API uint64_t whittle_answers(const struct whittle *w);
WHITTLE_API uint64_t whittle_tests(const struct whittle *w);

/* Describes the last failure, or at a fixpoint what was verified; "" if there is neither. */
WHITTLE_API const char *whittle_message(const struct whittle *w);

/* Frees W; candidates that are out become invalid. NULL is allowed. */
WHITTLE_API void whittle_free(struct whittle *w);

/* Returns non-zero if the bytes are interesting. It must not be left by longjmp or by an exception
 * of C++. */
typedef int whittle_test(const void *bytes, size_t size, void *arg);

/* Reduces SIZE bytes with TEST, which is called with TEST_ARG for one candidate at a time, first
 * for the original. RESULT has room for SIZE bytes (it may be equal to BYTES), and *RESULT_SIZE
 * becomes the size of the result. Returns a whittle_state, or a whittle_error with MESSAGE as for
 * whittle_open; even then RESULT holds the best result so far, at least the original. */
WHITTLE_API int whittle_reduce(const void *bytes, size_t size,
                               const struct whittle_options *options, whittle_test *test,
                               void *test_arg, void *result, size_t *result_size, char *message,
                               size_t message_size);

/* The version of the library, such as "1.2.3". */
WHITTLE_API const char *whittle_version(void);

#ifdef __cplusplus
}
#endif

#endif
