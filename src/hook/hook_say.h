/* What the hook tells the user about a file. */
#ifndef WHITTLE_HOOK_HOOK_SAY_H
#define WHITTLE_HOOK_HOOK_SAY_H

struct hook_job;
struct hook_judgement;

typedef void hook_say_fn(const char *line);

/* The formatted line, however long. */
void hook_sayf(hook_say_fn *say, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void hook_say_dull(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j);
void hook_say_large(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j);

/* KEPT: the path of the smaller version. */
void hook_say_smaller(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j,
                      const char *kept);

#endif
