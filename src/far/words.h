/* The words of whittle-workers(7) for what an answer says. */
#pragma once

#include "run/oracle.h"

struct buf;
struct frame;
struct setup;

const char *words_verdict(enum verdict verdict); /* of one that is known */
const char *words_why(enum answer_why why);

/* The answer in the words of FRAME from its third one on: verdict, reason, wait status,
 * nanoseconds. False: it is none, or contradicts itself or what SETUP wants. */
bool words_read_answer(const struct frame *frame, const struct setup *setup, struct answer *out);

/* Add TEXT as one word: printable ASCII without '%', anything else as %XX. What would make the
 * line too long is cut off: a reason at about 300 bytes, a program at 80, its version at 250. */
void words_add_reason(struct buf *out, const char *text);
void words_add_tool(struct buf *out, const char *text);
void words_add_version(struct buf *out, const char *text);

/* Adds to OUT what such a word says. False: it is none. */
bool words_read_text(const char *word, struct buf *out);
