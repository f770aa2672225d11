/* The two halves of faults-preload.so: the calls, and what happens at each. */
#pragma once

#include <stdbool.h>

enum { FAULTS_NAMES = 128 }; /* calls that are told apart */

typedef long faults_syscall_fn(long, ...);

/* The C library's syscall, of which faults-calls.c has another one. */
faults_syscall_fn *faults_real_syscall(void);

/* The path that the next call to be counted is about; NULL. */
const char **faults_about(void);

/* Counts a call of number ID, below FAULTS_NAMES, that may fail with FIT: errors with blanks in
 * between. Does it fail now? Then errno is set; 0 stands for a short one. */
bool faults_strike(const char *name, const char *fit, unsigned id);
