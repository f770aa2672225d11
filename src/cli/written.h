/* What the command writes besides results (events, a saved test, a repository) must not be what it
 * reads, nor lie where the result goes: a directory is replaced as a whole. */
#ifndef WHITTLE_CLI_WRITTEN_H
#define WHITTLE_CLI_WRITTEN_H

struct err;
struct session_options;

/* Refuses PATH, the value of --OPTION (NULL: it was not given), if it is one of the files or the
 * test. (Of directories, output_check sees more.) */
int written_check(const char *option, const char *path, const struct session_options *s,
                  struct err *err);

/* The same, if PATH is not the result itself: also if it is the result, or in a directory that is
 * reduced or that the result is. */
int written_check_beside(const char *option, const char *path, const struct session_options *s,
                         struct err *err);

#endif
