/* A small JSON parser with a bug, as the victim of this example. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

/* 0: TEXT is valid JSON; -1: it is not. */
int json_check(const char *text, size_t size);

#endif
