/* The language of what a session reduces. */
#ifndef WHITTLE_REDUCE_SESSION_LANGUAGE_H
#define WHITTLE_REDUCE_SESSION_LANGUAGE_H

#include <stdint.h>

struct err;
struct session;

/* Finds the tokenizers for S->original. */
int session_find_language(struct session *s, struct err *err);

/* KNOWN is the language_identity that the reduction was begun with; 0: none is known. With other
 * definitions of tokenizers other questions would be asked. (Of a file that -t names the settings
 * tell; what an older version has begun does not tell.) -1 and err when it may not be resumed. */
int session_check_language(struct session *s, uint64_t known, struct err *err);

#endif
