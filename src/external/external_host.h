/* Asks external programs, through the oracle that runs the tests, and remembers what they answered.
 *
 * A question is a pass, a test case and an instance; its key is a hash of all that its answer
 * depends on. Answers are remembered in memory as far as EXTERNAL_CACHE bytes go, and in a file of
 * the reduction (where it is kept), so that a resumed one need not ask again.
 *
 * Each program runs under a deadline and a limit of memory, and writes its answer into a file of
 * bounded size; what goes wrong is an answer without candidates, and told once for each program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "external/external_result.h"
#include "run/oracle.h"

struct buf;
struct err;
struct external_host;

/* Answers of external programs on disk, so that a resumed reduction need not run them again. A
 * side file that only saves time: with it gone, or its end torn, the programs are asked again and
 * answer the same.
 *
 * Records in the byte order of the machine: header (mark, length, key), the answer (its edits as
 * text/code.h writes them), a checksum of both.
 */

struct external_file {
	int fd;
	off_t end;
};

/* Where in the file an answer is. */
struct external_extent {
	off_t at;
	uint32_t len;
};

/* Opens or makes PATH and calls FN for each record; cuts off a torn end. -1 and err when the system
 * refuses. */
int external_file_open(struct external_file *f, const char *path,
                       void (*fn)(void *arg, struct hash key, struct external_extent extent),
                       void *arg, struct err *err);

/* Appends an answer; 1, 0 when the file is full, or -1 with errno, and the file is as it was. */
int external_file_add(struct external_file *f, struct hash key,
                      const struct external_result *result, struct external_extent *extent);

/* Reads an answer back; NULL when it cannot be read any more, or is none about a test case of SIZE
 * bytes. */
struct external_result *external_file_get(const struct external_file *f,
                                          struct external_extent extent, uint32_t size);

void external_file_close(struct external_file *f);

struct external_pass {
	char *name; /* PROGRAM:PASS, for people */
	char *word; /* what the program calls it */
	uint32_t program;
	bool pump;          /* its candidates may be larger than the test case */
	bool early;         /* its turn comes before everything else, and again and again */
	uint32_t min_bytes; /* smaller test cases are not for it */
	uint32_t max_bytes; /* larger ones neither */
};

struct external_program {
	char **words;         /* absolute path and arguments, NULL at the end */
	char *name;           /* as it calls itself */
	char *version;        /* likewise */
	uint64_t limit_ns;    /* deadline of an answer */
	struct hash identity; /* of its file and all it declares: with other ones results are other
	                         ones */
};

/* The programs of a reduction and their passes; fixed once it has started. Zero-initialise. */
struct externals {
	uint32_t n_programs, cap_programs, n_passes, cap_passes;
	struct external_program *programs;
	struct external_pass *passes;
};

enum { EXTERNAL_MAX_PASSES = 1024 };

struct external_request {
	uint32_t pass;
	uint32_t instance; /* from 1; 0: the list */
};

struct external_host_options {
	const struct externals *externals; /* outlives the host */
	const char *file;                  /* where answers are kept; copied; NULL: nowhere */
	void (*notice)(void *arg, const char *message);
	void *arg;
};

struct external_stats {
	uint64_t runs;   /* programs started */
	uint64_t failed; /* of them without a usable answer */
	uint64_t known;  /* answers that were remembered */
};

/* When the file cannot be used that is a notice: it only saves time. */
struct external_host *external_host_new(const struct external_host_options *options);
void external_host_free(
	struct external_host *host); /* NULL is fine; nothing it started may still run */

struct hash external_key(const struct external_host *host, struct external_request request,
                         const struct testcase *base);

/* The answer to KEY, which is about a test case of SIZE bytes, a reference of the caller's; NULL:
 * not known. */
struct external_result *external_host_known(struct external_host *host, struct hash key,
                                            uint32_t size);

/* Starts the program for REQUEST in a free slot of ORACLE. Its answer comes under TICKET. */
int external_host_start(struct external_host *host, struct oracle *oracle,
                        struct external_request request, struct testcase *base, uint64_t ticket,
                        struct err *err);

/* Takes in the oracle's answer: the result, a reference of the caller's. */
struct external_result *external_host_finish(struct external_host *host,
                                             const struct answer *answer);

/* The oracle was told to cancel TICKET. */
void external_host_cancelled(struct external_host *host, uint64_t ticket);

struct external_stats external_host_stats(const struct external_host *host);

/* Runs a program on TC and waits; the oracle is idle. *out, the caller's, is what it wrote, at most
 * ROOM bytes; *wrong, what it did wrong, NULL for nothing. -1 and err when the system refuses. */
int external_run_once(const char *const *words, const struct testcase *tc, size_t room,
                      uint64_t limit_ns, const struct oracle_asker *asker, struct buf *out,
                      const char **wrong, struct err *err);

/* Runs the program with the argument WORD on TC and waits; the oracle is idle. What it wrote is in
 * *OUT, the caller's; -1 and err when it failed. */
int external_ask_once(const struct external_program *program, const char *word,
                      const struct testcase *tc, const struct oracle_asker *asker, struct buf *out,
                      struct err *err);
