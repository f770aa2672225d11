/* A C file of 400 lines, eight of which have a needle, and its tokenizer: what tests of the reducer
 * with a driver share. */
#pragma once

struct testcase;
struct tokenizer;

extern struct tokenizer *tokenizer;
extern struct testcase *original;

/* For cmocka, around all tests of a program. */
int needles_setup(void **state);
int needles_teardown(void **state);
