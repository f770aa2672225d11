/* libwhittle: makes a test case as small and simple as it can be while a test still finds it
 * interesting. libwhittle(3) describes it at length, with examples.
 *
 * Two ways to use it. Call back: whittle_reduce, with the test a function. Ask and tell:
 * whittle_open, then whittle_next hands out candidates with tickets and whittle_tell takes
 * verdicts, in any order, so that any event loop, thread pool or cluster can run the tests;
 * whittle_free. The result follows from the bytes, the options and the verdicts alone: not from how
 * many candidates are out at a time, nor from the order in which verdicts come.
 *
 * The library has no global state: reductions are independent of each other, one in each thread if
 * you like; one reduction is for one thread at a time. It prints nothing, and ends no program. What
 * fails is a negative value, and whittle_message says in words what it was.
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

/* What functions return when they fail. */
enum whittle_error {
	WHITTLE_ERR_TEST = -1,     /* the test finds the original not interesting */
	WHITTLE_ERR_ARGUMENT = -2, /* an argument, option, tokenizer or ticket makes no sense */
	WHITTLE_ERR_SYSTEM = -3,   /* the journal cannot be read or written */
	WHITTLE_ERR_MEMORY = -4,   /* no memory; see no_memory below */
};

/* How far a reduction is. */
enum whittle_state {
	WHITTLE_RUNS,     /* there are candidates, or verdicts are awaited */
	WHITTLE_FIXPOINT, /* nothing more can be cut */
	WHITTLE_LIMIT,    /* max_answers or until_size is reached */
	WHITTLE_STOPPED,  /* the function `stop` has said so; whittle_next goes on */
	WHITTLE_FAILED,   /* whittle_message says why */
};

enum whittle_verdict {
	WHITTLE_UNJUDGED = -1, /* the test was not run to its end: the candidate is handed out again
	                          if it is still wanted */
	WHITTLE_BORING = 0,
	WHITTLE_INTERESTING = 1,
};

/* All members but the first may be 0. */
struct whittle_options {
	size_t struct_size;    /* sizeof(struct whittle_options), so that the struct can grow */
	const char *name;      /* file name, by which the language is known; NULL: by the content */
	const char *tokenizer; /* a language's name, or a tokenizer file; NULL: found out */
	const char *const
		*directories; /* that hold tokenizers, NULL at the end; NULL: installed ones */
	const char *passes;   /* names, separated by commas; NULL: all */
	uint64_t seed;        /* of the random choices */
	uint64_t max_answers; /* end after so many verdicts, without those of a journal; 0: no limit
	                       */
	size_t until_size;    /* end when the bytes are no more; 0: no limit */
	int keep_names;       /* identifiers are not renamed */
	const char *journal;  /* file that keeps verdicts as they come; one that is there is resumed
	                         from; NULL: none */
	const char *test_id;  /* names the test, for the journal: that of another test is refused */
	/* Something simpler was found; whittle_result has it. Must not call other functions on W.
	 */
	void (*accepted)(void *arg, const struct whittle *w);
	/* Asked now and then: non-zero stops the reduction. */
	int (*stop)(void *arg);
	/* An allocation of SIZE bytes has failed: non-zero tries again. With 0, or without this
	 * function, the call ends with WHITTLE_ERR_MEMORY; of the reduction, whittle_result,
	 * whittle_message and whittle_free can still be used, and some of its memory is lost. */
	int (*no_memory)(void *arg, size_t size);
	void *arg; /* of these functions */
};

struct whittle_candidate {
	uint64_t ticket;
	const void
		*bytes; /* valid until whittle_tell or whittle_free, and readable from any thread */
	size_t size;
};

/* Begins a reduction of SIZE bytes, which are copied, and which the test must find interesting
 * (nothing here asks it). NULL when that fails: then *error is a whittle_error and MESSAGE (of
 * MESSAGE_SIZE bytes; may be NULL) says what it was. OPTIONS may be NULL; its strings are copied.
 */
WHITTLE_API struct whittle *whittle_open(const void *bytes, size_t size,
                                         const struct whittle_options *options, int *error,
                                         char *message, size_t message_size);

/* Hands out up to MAX candidates that are to be judged, the most needed ones first; those behind
 * them are likely to be needed. Returns how many there are: 0 when verdicts are awaited or the
 * reduction is over (whittle_state tells); a whittle_error. How many are out in all is the caller's
 * choice: as many as tests can run. */
WHITTLE_API int whittle_next(struct whittle *w, struct whittle_candidate *out, size_t max);

/* The verdict on the candidate of TICKET, whose bytes go. 0, or a whittle_error. */
WHITTLE_API int whittle_tell(struct whittle *w, uint64_t ticket, enum whittle_verdict verdict);

/* Whether the verdict on TICKET can still matter; a test that is not wanted can be ended, and its
 * ticket told as WHITTLE_UNJUDGED. */
WHITTLE_API int whittle_wanted(const struct whittle *w, uint64_t ticket);

WHITTLE_API enum whittle_state whittle_state(const struct whittle *w);

/* The smallest bytes so far, valid until the next call of whittle_next, whittle_tell or
 * whittle_free. */
WHITTLE_API const void *whittle_result(const struct whittle *w, size_t *size);

/* Verdicts that the search has used, those remembered in the journal included; candidates that were
 * handed out. */
WHITTLE_API uint64_t whittle_answers(const struct whittle *w);
WHITTLE_API uint64_t whittle_tests(const struct whittle *w);

/* What failed last, or at a fixpoint what was verified; "" when there is nothing to say. */
WHITTLE_API const char *whittle_message(const struct whittle *w);

/* Candidates that are out are forgotten. NULL is fine. */
WHITTLE_API void whittle_free(struct whittle *w);

/* Is it interesting? Anything but 0 is yes. */
typedef int whittle_test(const void *bytes, size_t size, void *arg);

/* Reduces SIZE bytes with TEST, called one candidate at a time with TEST_ARG, first with the bytes
 * themselves. RESULT has room for SIZE bytes (it may be BYTES) and *RESULT_SIZE tells how many
 * there are. Returns a whittle_state, or a whittle_error, with MESSAGE as of whittle_open; also
 * then RESULT has what was found before, the original at least. */
WHITTLE_API int whittle_reduce(const void *bytes, size_t size,
                               const struct whittle_options *options, whittle_test *test,
                               void *test_arg, void *result, size_t *result_size, char *message,
                               size_t message_size);

/* Of the library that runs, "1.2.3". */
WHITTLE_API const char *whittle_version(void);

#ifdef __cplusplus
}
#endif

#endif
