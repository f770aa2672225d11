/* Memory: allocation that does not fail, and arenas named after their lifetime.
 *
 * Running out of memory ends the program with a message (the file on disk is interesting at every
 * moment, so nothing is lost); every other failure is an error the caller sees. Who must not end
 * the program enters a guard (work.h).
 *
 * The headers of the C library that are included here need not be named beside this one, nor in a
 * .c that has it by way of others.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>

void *mem_alloc(size_t size);
/* Gives memory that is free back to the system, after what needed much of it for a moment. */
void mem_give_back(void);

/* The whole pages in the N bytes at P, which stay allocated, are given back: what they hold is
 * lost.
 */
void mem_forget(void *p, size_t n);        /* uninitialised; size 0 is allowed */
void *mem_zero(size_t count, size_t size); /* zeroed array */
void *mem_resize(void *p, size_t count,
                 size_t size); /* array of count elements; overflow is checked */
void *mem_dup(const void *p, size_t size);
char *mem_strdup(const char *s);
noreturn void mem_exhausted(void); /* what they do when there is none */
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* In front of a parameter that a callback's type asks for, and this one does not need. */
#define UNUSED __attribute__((unused))

/* In front of the declaration of a struct: RELEASE gets its address where its scope ends, however
 * that is left. Until then it has a value that can be released. */
#define SCOPED(release) __attribute__((cleanup(release)))

/* For SCOPED: NAME_scoped gives a pointer, a TYPE, to FREES, which takes NULL. */
#define SCOPED_POINTER(name, type, frees)               \
	static inline void name##_scoped(type *pointer) \
	{                                               \
		frees(*pointer);                        \
	}

/* The same of pointers that are to be freed. */
#define MEM_SCOPED SCOPED(mem_free_scoped)
void mem_free_scoped(void *pointer); /* of the pointer; errno stays */

/* Lists of strings with a NULL at the end: how many there are, a copy, its end.
 * NULL is fine for all. */
size_t mem_count_words(const void *words);
char **mem_copy_words(const char *const *words);
void mem_free_words(char **words);
SCOPED_POINTER(mem_words, char **, mem_free_words)

/* The place of WORD in WORDS, which end with NULL; -1: it is none of them. */
int mem_place_of(const char *const *words, const char *word);

/* Bytes that lie somewhere; of a list of them the last has none. */
struct mem_piece {
	const uint8_t *bytes;
	size_t len;
};

/* A list of strings that grows. Zero-initialise; texts_release. */
struct texts {
	char **list;
	size_t n, cap;
};

void texts_add(struct texts *texts, char *text); /* which it frees in the end */
bool texts_have(const struct texts *texts, const char *text);
bool texts_have_bytes(const struct texts *texts, const void *bytes, size_t len);
void texts_sort(struct texts *texts);
void texts_release(struct texts *texts);
#define TEXTS_SCOPED SCOPED(texts_release)

/* Makes room for one more element of an array that the caller holds as (pointer, count, capacity).
 */
#define MEM_GROW(ptr, count, cap)                                        \
	do {                                                             \
		if ((count) >= (cap)) {                                  \
			(cap) = (cap) ? (cap)*2 : 16;                    \
			(ptr) = mem_resize((ptr), (cap), sizeof *(ptr)); \
		}                                                        \
	} while (0)

/* Adds a value, which stands last as commas may be in it, likewise. */
#define MEM_PUSH(ptr, count, cap, ...)          \
	do {                                    \
		MEM_GROW(ptr, count, cap);      \
		(ptr)[(count)++] = __VA_ARGS__; \
	} while (0)

/* qsort, of no elements, too. */
#define MEM_SORT(list, n, order)                                     \
	do {                                                         \
		if (n)                                               \
			qsort((list), (n), sizeof *(list), (order)); \
	} while (0)

/* What a comparison for qsort() returns: the structs at X and Y in the order of MEMBER; of FIRST,
 * and where these are equal of SECOND. */
#define MEM_ORDER(x, y, member) (((x)->member > (y)->member) - ((x)->member < (y)->member))
#define MEM_ORDER_TWO(x, y, first, second) \
	((x)->first != (y)->first ? MEM_ORDER(x, y, first) : MEM_ORDER(x, y, second))

/* A member of the elements of LIST, structs: a uint32_t or uint64_t. */
#define MEM_KEY(list, member)                                     \
	((struct mem_key){ offsetof(__typeof__(*(list)), member), \
	                   sizeof((list)->member) + 0 * sizeof(MEM_UNSIGNED((list)->member)) })
#define MEM_UNSIGNED(member) char[sizeof(member) % 4 || (__typeof__(member))-1 <= 1 ? -1 : 1]

struct mem_key {
	size_t offset, width;
};

static inline uint64_t mem_number(const void *element, struct mem_key key)
{
	const char *at = (const char *)element + key.offset;
	uint32_t narrow;
	uint64_t wide;
	if (key.width == sizeof narrow)
		return memcpy(&narrow, at, sizeof narrow), narrow;
	memcpy(&wide, at, sizeof wide);
	return wide;
}

/* Sorts N elements by MEMBER; by FIRST, and where that is equal by SECOND. */
#define MEM_SORT_BY(list, n, member) MEM_SORT_BY_TWO(list, n, member, member)
#define MEM_SORT_BY_TWO(list, n, first, second) \
	mem_sort((list), (n), sizeof *(list), MEM_KEY(list, first), MEM_KEY(list, second))

void mem_sort(void *list, size_t n, size_t size, struct mem_key first, struct mem_key second);

/* Of N elements in the order of MEMBER, how many are below KEY. */
#define MEM_FIRST(list, n, member, key) \
	mem_first((list), (n), sizeof *(list), MEM_KEY(list, member), (key))

static inline uint32_t mem_first(const void *list, uint32_t n, size_t size, struct mem_key member,
                                 uint64_t key)
{
	uint32_t lo = 0;
	while (lo < n) {
		uint32_t mid = lo + (n - lo) / 2;
		if (mem_number((const char *)list + mid * size, member) < key)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* The same of N numbers. */
static inline uint32_t mem_first_u32(const uint32_t *list, uint32_t n, uint32_t key)
{
	return mem_first(list, n, sizeof *list, (struct mem_key){ 0, sizeof *list }, key);
}

/* An arena: objects that die together. Zero-initialise, allocate, release; there is no freeing of
 * single objects. */
struct arena_block;
struct arena {
	struct arena_block *head;
};

void *arena_alloc(struct arena *arena, size_t size); /* aligned for any type, uninitialised */
void *arena_zero(struct arena *arena, size_t size);  /* the same, zeroed */
void *arena_copy(struct arena *arena, const void *p, size_t size);
void arena_release(struct arena *arena); /* frees all; the arena can be used again */
#define ARENA_SCOPED SCOPED(arena_release)

/* For qsort() and bsearch(): elements that are numbers, or strings. */
int mem_order_u32(const void *a, const void *b);
int mem_order_text(const void *a, const void *b);
