/* The whole world as a copy: all real file systems under overlays in memory, so that a test may
 * write wherever it likes and nothing outside changes; afterwards the upper layers say what it
 * wrote. For one run, to find out what a fence has to allow.
 */
#ifndef WHITTLE_FENCE_WORLD_H
#define WHITTLE_FENCE_WORLD_H

#include <stdbool.h>

struct world;

/* In a mount namespace of its own: puts overlays over all directories that are neither the kernel's
 * nor shared by all (namespaces.h). AT is a directory that is covered afterwards by somebody else.
 * USER: this is a user namespace. NULL with errno. */
struct world *world_put(const char *at, bool user);

/* Adds to FILE, a line each, the paths of what was written, made or removed. */
void world_report(struct world *world, const char *file);

#endif
