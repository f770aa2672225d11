#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { ARENA_BLOCK = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) unsigned char data[];
};

static void *checked(void *p, size_t size)
{
	if (!p && size) {
		fputs("whittle: out of memory\n", stderr);
		_Exit(ERR_SYSTEM);
	}
	return p;
}

void *mem_alloc(size_t size)
{
	return checked(malloc(size ? size : 1), size);
}

void *mem_zero(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1), 1);
}

void *mem_resize(void *p, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		bug("array of %zu elements of %zu bytes", count, size);
	size_t bytes = count * size;
	return checked(realloc(p, bytes ? bytes : 1), 1);
}

void *mem_dup(const void *p, size_t size)
{
	void *copy = mem_alloc(size);
	if (size)
		memcpy(copy, p, size);
	return copy;
}

char *mem_strdup(const char *s)
{
	return mem_dup(s, strlen(s) + 1);
}

char *mem_printf(const char *fmt, ...)
{
	char *out = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&out, fmt, ap) < 0)
		out = NULL;
	va_end(ap);
	return checked(out, 1);
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	struct arena_block *b = arena->head;
	if (!b || b->size - b->used < size) {
		size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
		b = mem_alloc(sizeof *b + room);
		*b = (struct arena_block){ .next = arena->head, .size = room };
		arena->head = b;
	}
	void *p = b->data + b->used;
	b->used += size;
	return p;
}

void arena_release(struct arena *arena)
{
	for (struct arena_block *b = arena->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	arena->head = NULL;
}
