/* Options about workers elsewhere; what they set is a struct session_far at the row's offset. */
#ifndef WHITTLE_CLI_WORKERS_H
#define WHITTLE_CLI_WORKERS_H

struct err;
struct option_row;

int workers_add(void *target, const struct option_row *row, const char *text, struct err *err);
int workers_set_source(void *target, const struct option_row *row, const char *text,
                       struct err *err);
int workers_add_file(void *target, const struct option_row *row, const char *text, struct err *err);

#endif
