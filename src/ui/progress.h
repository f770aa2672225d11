/* Progress for people: on a terminal one line that is drawn anew, elsewhere a plain line per
 * success. Standard error. */
#pragma once

#include "reduce/session.h"
#include "ui/curve.h"
#include "ui/ending.h"

enum progress_level { PROGRESS_QUIET, PROGRESS_LABEL, PROGRESS_NORMAL, PROGRESS_VERBOSE };

struct progress;

/* PLAIN: a line for each success; else what is no terminal has one a minute, or one each five
 * seconds under make. DETAIL: with statistics at the end (ending_print). LABEL: nothing but such
 * lines, which say how far LABEL is; borrowed, NULL: none. */
struct progress *progress_new(enum progress_level level, bool plain, bool detail,
                              const char *label);
void progress_free(struct progress *p);

/* Before something else is printed. */
void progress_clear(struct progress *p);

/* Nothing moves: struct session_observer. FILE: what is reduced. */
void progress_waits(struct progress *p, const char *file, const char *what, uint64_t ns);

void progress_started(struct progress *p, const struct session *s);
void progress_accepted(struct progress *p, const struct session *s, const char *pass,
                       uint32_t before, uint32_t after);
void progress_tick(struct progress *p, const struct session *s);
void progress_ended(struct progress *p, const struct session *s, struct ending ending,
                    const struct curve *curve);

/* The table of --stats: what each pass did. Standard output. */
void progress_stats(struct progress *p, const struct session *s);
