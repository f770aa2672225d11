/* A persistent test: the process of a slot's supervisor that answers for one candidate after
 * another.
 *
 * Life cycle: zero-initialise; persistent_start; for each candidate persistent_ask, then
 * persistent_hear when persistent->from is readable; persistent_end, after which nothing of it runs
 * any more. It works in the directories of WIRE_PERSISTENT or WIRE_BESIDE, which are emptied when
 * it ends (those of a fork server: after each answer); the candidates lie in those of their
 * generations, as ever.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a persistent test says: the lines of the protocol (whittle-live(7)), and when they are
 * believed. Pure: no process, no clock.
 *
 * An answer is one line, a decimal number from 0 to 255, read as the exit status of a test. It may
 * repeat the question after a space, which shows that it is no late answer to an earlier one.
 */

enum { DIALOG_LINE = 8 }; /* an answer is shorter */

/* The answer that is coming in. Initialise for each question, with zeros but for the first two. */
struct dialog {
	const char *question; /* len bytes, without a line end; they outlive the answer */
	size_t len;
	char line[DIALOG_LINE];
	size_t n, repeated; /* bytes of the number, and of the question */
	bool repeats;
};

enum dialog_state { DIALOG_MORE, DIALOG_ANSWER, DIALOG_GARBAGE, DIALOG_OVER };

/* Takes N further bytes. DIALOG_ANSWER: *status is set. DIALOG_GARBAGE: that is no answer, or there
 * is more than one, or it is that to another question: what comes from this process is not
 * understood any more. (DIALOG_OVER: nothing comes any more; dialog_take never returns it.) */
enum dialog_state dialog_take(struct dialog *d, const char *bytes, size_t n, int *status);

/* How a question to a persistent test ended. */
enum dialog_end {
	DIALOG_ANSWERED,
	DIALOG_BROKEN, /* it died, answered garbage, was too slow, or used too much */
};

/* What decides whether the answer of a process that has answered before stands. */
struct dialog_doubt {
	enum dialog_end end;
	bool interesting; /* DIALOG_ANSWERED: says the answer, and a claim will not do, */
	bool no_answer;   /* or that the test could give none */
	bool due;         /* the candidate is one of those that are checked in any case */
};

/* False: a fresh process is asked, and its answer counts. Whatever a persistent test keeps from one
 * candidate to the next can therefore not make a candidate interesting, nor end a reduction. */
bool dialog_stands(const struct dialog_doubt *doubt);

/* What a program built for AFL says on descriptor 199 when it finds a tool at its descriptors 198
 * and 199: its fork server. Pure: no process, no descriptor.
 *
 * Words of four bytes. The old way: a hello. The new way (AFL++ 4.20 and later): a hello with a
 * version, which the tool sends back inverted, options, what they announce, the hello again. Then,
 * for each word that the tool sends, the number of a new process and, when that has ended, its wait
 * status. No option is asked for: without shared memory the program reads its input as it always
 * does.
 */

enum forkserver_phase {
	FORKSERVER_HELLO,
	FORKSERVER_OPTIONS,
	FORKSERVER_MAP,        /* size of the map */
	FORKSERVER_LENGTH,     /* bytes of the dictionary... */
	FORKSERVER_DICTIONARY, /* ...which follows */
	FORKSERVER_WELCOME,
	FORKSERVER_READY, /* for a word from us */
	FORKSERVER_PID,
	FORKSERVER_STATUS,
};

/* Zero-initialise for each process. */
struct forkserver {
	enum forkserver_phase phase;
	uint32_t hello, options, left; /* left: bytes of the dictionary */
	unsigned char word[4];
	size_t n;       /* bytes of the word that have come */
	uint32_t child; /* the number of the last process */
};

enum forkserver_event {
	FORKSERVER_MORE,
	FORKSERVER_SEND,   /* *word is to be sent */
	FORKSERVER_BEGINS, /* it is ready for the first time */
	FORKSERVER_ANSWER, /* *word is a wait status; it is ready again */
	FORKSERVER_STRANGE,
};

/* Takes one byte. */
enum forkserver_event forkserver_take(struct forkserver *f, unsigned char byte, uint32_t *word);

/* From now on it is asked for a process; it was ready. */
void forkserver_asked(struct forkserver *f);

struct persistent {
	pid_t pid;         /* 0: none lives */
	int to, from;      /* its standard input and output, our ends */
	unsigned answers;  /* that it has given */
	uint64_t first_ns; /* from a start to the first answer: of the last one that got so far */
	struct dialog dialog;
	const char *rest; /* of the question: what its pipe had no room for, */
	size_t left;      /* so many bytes */
	bool forks;       /* it is a fork server; else it reads lines */
	struct forkserver server;
	unsigned set; /* where it works: WIRE_PERSISTENT, WIRE_BESIDE */
	int input;    /* standard input of what that starts, a file in memory */
	/* Whether each answer is that of a fresh process: a fork server's that shares nothing with
	 * the server, in directories where nothing was left. */
	bool fresh;
};

/* Makes the pipes, and what a fork server needs if it is one (FORKS); *in and *out are the child's
 * ends, to be closed by the caller when it has been started. 0, or -1 with errno. */
int persistent_open(struct persistent *l, bool forks, int *in, int *out);

/* Closes our ends, of one that could not be started, too. */
void persistent_close(struct persistent *l);

/* Sends it LINE (a fork server: not that, but the word for the next process), which ends with a
 * newline and outlives the answer. While something is left, its pipe is full: persistent_go_on when
 * persistent->to takes more. False when it cannot be asked: it is gone, or has said something that
 * nobody asked for. */
bool persistent_ask(struct persistent *l, const char *line, size_t len);

/* Sends as much of what is left as the pipe takes. False: it reads no more. */
bool persistent_go_on(struct persistent *l);

/* Takes what it has said; *status: of a fork server a wait status. DIALOG_OVER: it has ended, or
 * says nothing any more. */
enum dialog_state persistent_hear(struct persistent *l, int *status);

/* Does the fork server, which is ready, share neither memory that can be written to nor descriptors
 * (but for the standard ones and its own) with what it starts? */
bool persistent_keeps_apart(const struct persistent *l);

/* Whether it has ended; it was not waited for. */
bool persistent_is_over(const struct persistent *l);

/* Ends it with all that it has started, and whatever else there is but OTHER (0: nobody) and what
 * that has not left. Its wait status. */
int persistent_end(struct persistent *l, pid_t other);
