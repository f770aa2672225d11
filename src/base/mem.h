/* Memory: allocation that does not fail, and arenas named after their lifetime.
 *
 * Running out of memory ends the program with a message (the file on disk is interesting at every
 * moment, so nothing is lost); every other failure is an error the caller sees. Who must not end
 * the program enters a guard (work.h).
 */
#ifndef WHITTLE_BASE_MEM_H
#define WHITTLE_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdnoreturn.h>

void *mem_alloc(size_t size);              /* uninitialised; size 0 is allowed */
void *mem_zero(size_t count, size_t size); /* zeroed array */
void *mem_resize(void *p, size_t count,
                 size_t size); /* array of count elements; overflow is checked */
void *mem_dup(const void *p, size_t size);
char *mem_strdup(const char *s);
noreturn void mem_exhausted(void); /* what they do when there is none */
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Makes room for one more element of an array that the caller holds as (pointer, count, capacity).
 */
#define MEM_GROW(ptr, count, cap)                                        \
	do {                                                             \
		if ((count) >= (cap)) {                                  \
			(cap) = (cap) ? (cap)*2 : 16;                    \
			(ptr) = mem_resize((ptr), (cap), sizeof *(ptr)); \
		}                                                        \
	} while (0)

/* An arena: objects that die together. Zero-initialise, allocate, release; there is no freeing of
 * single objects. */
struct arena_block;
struct arena {
	struct arena_block *head;
};

void *arena_alloc(struct arena *arena, size_t size); /* aligned for any type, uninitialised */
void arena_release(struct arena *arena);             /* frees all; the arena can be used again */

/* For qsort() and bsearch(): elements that are numbers, or strings. */
int mem_order_u32(const void *a, const void *b);
int mem_order_text(const void *a, const void *b);

#endif
