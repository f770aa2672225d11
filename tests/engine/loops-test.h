/* What the tests of loops.c say no to besides: one test case in eight, by the bytes of its files.
 * In a header, since a test that is a process (loops-test.c) includes nothing of whittle. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOPS_BEGIN UINT64_C(1469598103934665603)

/* HASH with one more file. */
static inline uint64_t loops_hash(uint64_t hash, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return (hash ^ 0x100) * UINT64_C(1099511628211);
}

static inline bool loops_refuses(uint64_t hash)
{
	return !(hash >> 33 & 7);
}
