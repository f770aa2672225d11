/* What the pool's tests share. */
#pragma once

#include <stdbool.h>

#include "run/oracle.h"
#include "run/pool.h"

struct err;

/* A test case of one file; the caller's reference. */
struct testcase *support_case(const char *name, const char *text);

/* Path of a program of the build tree ("tests/run/naughty"); lives as long as the program. */
const char *support_program(const char *name);

/* Options of one slot for the given program; change what a test needs. Memory is the program's. */
struct setup support_options(const char *program, const char *const *args);

/* A pool; fails the test when it cannot be had. */
struct oracle *support_pool(const struct setup *options);

/* Asks once and waits for the answer. */
struct answer support_ask(struct oracle *pool, const struct testcase *tc);
struct answer support_ask_within(struct oracle *pool, const struct testcase *tc,
                                 struct oracle_limits limits);

/* Asks the test about TC, without limits; what oracle_submit returns. */
int support_submit(struct oracle *pool, const struct testcase *tc, uint64_t ticket,
                   struct err *err);

/* Number of processes whose environment holds MARKER ("NAUGHTY=..."); zombies have none. */
unsigned support_count_processes(const char *marker);

/* Number of entries of a directory, but for "." and ".."; -1 when there is no such directory. */
int support_count_entries(const char *dir);
