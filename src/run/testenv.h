/* The environment of a test: that of the program, but for
 *
 * - TMPDIR, which is private;
 * - MAKEFLAGS, MFLAGS and MAKELEVEL of a make above, which speak of descriptors and a job server
 * that are not the test's, and of a nesting that would show in what its own make prints: a test
 * gives the same answer by hand and under make;
 * - the job server for the test (permits.h).
 *
 * A plain "make" in a test runs one job at a time by hand, and a makefile may not bear more. So
 * nothing is put into MAKEFLAGS. Instead the first directories of PATH hold
 * shims: "make -j8" becomes the real make as a client of the job server, which WHITTLE_JOBS names,
 * "make" stays what it is; ninja likewise. cargo and rustc, which always run several jobs, find it
 * in CARGO_MAKEFLAGS (a cargo that knows no FIFO, by its shim).
 */
#pragma once

struct setup;

/* The variables, NULL-terminated, in memory that is never released. FIFO: absolute path of the job
 * server's, where SETUP has one. */
char **testenv_make(const struct setup *setup, const char *tmpdir, const char *fifo);
