/* What a worker is given before its first question, as frames: the test and what it needs beside
 * it, and how it is run. */
#pragma once

#include "ask/tools.h"
#include "base/buf.h"
#include "base/hash.h"

struct err;
struct setup;

enum { KIT_VERSION = 5 }; /* of the protocol */

/* The bundle for the tests of SETUP; WITH: further files, N of them. *out is the caller's. 0, or -1
 * with err. */
int bundle_make(const struct setup *setup, const char *const *with, unsigned n, struct buf *out,
                struct err *err);

/* Calls FN for each program that the test names in its arguments, or in its text if it is one. What
 * cannot be read names none. */
void bundle_find_tools(const struct setup *setup, tools_fn *fn, void *ctx);

/* A hash that tells whether two whittles compute the same ones, and so mean the same test case. */
struct hash bundle_check(void);
