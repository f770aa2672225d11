/* Events for programs: one JSON object per line (whittle-events(5)). All functions accept NULL: no
 * events asked for. */
#pragma once

#include <stdint.h>

#include "reduce/session.h"

struct err;
struct events;

/* TARGET: a file name, or a number: a descriptor that is open already. NULL without err when TARGET
 * is NULL. A file that holds anything but events is not written to. */
struct events *events_open(const char *target, struct err *err);

/* Did a write fail? It was said, once; nothing was written after that. */
bool events_failed(const struct events *e);
void events_close(struct events *e);

/* Of a moment. */
struct event_facts {
	uint64_t ns; /* since the start */
	uint64_t bytes, answers, tests;
};

/* A line of EVENT with a pass; E is not NULL. Written within a twentieth of a second, if others
 * follow or events_tick is called. */
void events_pass(struct events *e, const char *event, const char *pass,
                 const struct event_facts *facts);

void events_started(struct events *e, const struct session *s);
void events_tick(struct events *e, const struct session *s);
void events_accepted(struct events *e, const struct session *s, const char *pass, uint32_t bytes);
void events_pass_ended(struct events *e, const struct session *s, const char *pass);
void events_ended(struct events *e, const struct session *s, enum driver_end end);
