/* What the pool and its supervisors say to each other, over one stream socket per slot.
 *
 * The pool writes a candidate into directories of the next generation, then sends WIRE_RUN; the
 * supervisor answers with WIRE_ANSWER or WIRE_FAILED, and cleans up only then. WIRE_CANCEL ends the
 * test of that sequence number, if it still runs, and is always answered by one WIRE_CANCELLED,
 * sent when the directories are clean.
 *
 * Generations let the pool write while the supervisor still cleans: at most one test whose answer
 * is known, and one that was cancelled without the supervisor having said so yet, can have
 * directories in use, so a third set is always clean.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_GENERATIONS = 3,
	WIRE_STANDING = 3, /* number of a fourth set: that of the slot's standing tree (standing.h),
	                    * which the supervisor does not clean; the pool changes it when no test
	                    * runs and no cancellation is open */
	WIRE_PERSISTENT = 4, /* number of a fifth: where a persistent test works (persistent.h) */
	WIRE_BESIDE = 5,     /* of a sixth: where a second one works beside it */
	WIRE_SETS = 6,
};

/* Where a test's output goes, in the order of the descriptors. */
enum wire_output { WIRE_STDOUT = 1, WIRE_STDERR = 2 };
enum { WIRE_FDS = 2 };

enum wire_op {
	WIRE_RUN,
	WIRE_CANCEL,
	WIRE_SYNC, /* answered by WIRE_SYNCED when all directories are clean */
};

struct wire_request {
	uint32_t op;         /* enum wire_op */
	uint32_t generation; /* WIRE_RUN: which directories hold the candidate; WIRE_STANDING is
	                        one, too */
	uint64_t seq;        /* names the test; rises */
	uint64_t limit_ns;   /* deadline, from the start of the test; 0: none */
	uint32_t n_names;    /* WIRE_RUN: paths of the candidate's files, NUL-terminated, */
	uint32_t names_len;  /* after this header; both 0: those of the last WIRE_RUN; none: 0 and
	                        one NUL */
	uint32_t words_len;  /* WIRE_RUN: a command in place of the test, its words NUL-terminated,
	                        after the names; 0: none */
	uint32_t outputs;    /* WIRE_RUN: the descriptors that come with it, a set of wire_output */
	uint64_t memory_limit;  /* bytes of address space of each process; 0: none */
	uint64_t file_limit;    /* bytes in the test's directories; 0: none */
	uint32_t process_limit; /* 0: none */
	uint32_t persistent;    /* WIRE_RUN of a persistent test: a set of enum wire_persistent */
	uint64_t cpu_limit_s;   /* 0: none */
};

/* How a persistent test is asked. */
enum wire_persistent {
	WIRE_FRESH = 1,  /* in any case one that was just started, too */
	WIRE_APART = 2,  /* likewise, but a process of a fork server that shares nothing will do */
	WIRE_CLAIMS = 4, /* its yes will do, and is WIRE_CLAIMED then */
};

enum wire_kind { WIRE_ANSWER, WIRE_FAILED, WIRE_CANCELLED, WIRE_SYNCED };

/* What is to be said of a persistent test (persistent.h); the verdict stands. A set. */
enum wire_said {
	WIRE_DIFFERS =
		1, /* a process that had answered before gave another answer than a fresh one */
	WIRE_SILENT = 2,   /* a fresh one ended without an answer: it is not interesting */
	WIRE_GARBAGE = 4,  /* a fresh one answered what is no answer: likewise */
	WIRE_CLAIMED = 8,  /* it is the answer of one that had answered before */
	WIRE_GARBLED = 16, /* as WIRE_GARBAGE, of a fork server */
};

/* Where WIRE_FAILED happened: what was not possible, as against a test that ran and failed. */
enum wire_stage {
	WIRE_FORK,
	WIRE_STDIN,
	WIRE_CHDIR,
	WIRE_EXEC,
	WIRE_FENCE,
	WIRE_NO_ANSWER,
	WIRE_EARLY, /* something killed its process before it ran */
};

struct wire_reply {
	uint32_t kind;      /* enum wire_kind */
	uint32_t stage;     /* WIRE_FAILED: enum wire_stage */
	int32_t error;      /* WIRE_FAILED: errno */
	int32_t status;     /* WIRE_ANSWER: wait status of the leader */
	uint32_t timed_out; /* WIRE_ANSWER: the deadline ended it */
	uint32_t exceeded;  /* WIRE_ANSWER: ANSWER_FILES, ANSWER_PROCESSES; 0: neither */
	uint32_t said;      /* WIRE_ANSWER: set of enum wire_said */
	uint32_t spare;
	uint64_t seq;
	uint64_t wall_ns;
};

/* Sends LEN bytes, and with the first of them N descriptors (at most WIRE_FDS). False when the peer
 * is gone, or they cannot be sent; then the connection is closed for both sides, so that neither
 * waits for the other. */
bool wire_send(int sock, const void *bytes, size_t len, const int *fds, unsigned n);

/* Receives exactly LEN bytes, and the descriptors that came with them into fds[WIRE_FDS], the first
 * ones first, -1 after them (FDS may be NULL when none can come). False when the peer is gone. */
bool wire_receive(int sock, void *bytes, size_t len, int *fds);

/* Receives a request, the descriptors that came with it into fds[WIRE_FDS], and the strings that
 * follow it into *names and *words, which are the caller's, made larger as needed, and kept when
 * none come. False when the peer is gone, or what it sent is no request: an operation or a set that
 * there is not, more than WIRE_STRINGS_MAX bytes of strings, strings that are not as many as told
 * or not ended.
 */
enum { WIRE_STRINGS_MAX = 1 << 30 };
bool wire_receive_request(int sock, struct wire_request *rq, char **names, char **words, int *fds);
