#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/work.h"

enum { ARENA_BLOCK = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) unsigned char data[];
};

void mem_exhausted(void)
{
	work_give_up();
	fputs("whittle: out of memory\n", stderr);
	_Exit(ERR_SYSTEM);
}

/* An allocation of SIZE bytes has failed. Returns when it is to be tried again. */
static void handle_failure(size_t size)
{
	if (!work_retry(size))
		mem_exhausted();
}

void mem_free_scoped(void *pointer)
{
	int saved = errno;
	void *p;
	memcpy(&p, pointer, sizeof p);
	free(p);
	errno = saved;
}

size_t mem_count_words(const void *words)
{
	size_t n = 0;
	for (const char *const *w = words; w && w[n];)
		n++;
	return n;
}

char **mem_copy_words(const char *const *words)
{
	size_t n = mem_count_words(words);
	char **copy = words ? mem_zero(n + 1, sizeof *copy) : NULL;
	for (size_t i = 0; i < n; i++)
		copy[i] = mem_strdup(words[i]);
	return copy;
}

void mem_free_words(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}

void mem_give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

void mem_forget(void *p, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)p + page - 1) & ~(page - 1),
		  end = ((uintptr_t)p + n) & ~(page - 1);
	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void *mem_alloc(size_t size)
{
	void *p;
	while (!(p = malloc(size ? size : 1)))
		handle_failure(size);
	return p;
}

void *mem_zero(size_t count, size_t size)
{
	void *p;
	while (!(p = calloc(count ? count : 1, size ? size : 1)))
		handle_failure(count * size);
	return p;
}

void *mem_resize(void *p, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		bug("array of %zu elements of %zu bytes", count, size);
	size_t bytes = count * size;
	void *q;
	while (!(q = realloc(p, bytes ? bytes : 1)))
		handle_failure(bytes);
	return q;
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

char *mem_vprintf(const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		bug("format \"%s\" failed", fmt);
	char *out = mem_alloc((size_t)n + 1);
	vsnprintf(out, (size_t)n + 1, fmt, ap);
	return out;
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *out = mem_vprintf(fmt, ap);
	va_end(ap);
	return out;
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

void *arena_zero(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

void *arena_copy(struct arena *arena, const void *p, size_t size)
{
	void *copy = arena_alloc(arena, size);
	return size ? memcpy(copy, p, size) : copy;
}

void arena_release(struct arena *arena)
{
	for (struct arena_block *b = arena->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	arena->head = NULL;
}

static int by_keys(const void *a, const void *b, void *arg)
{
	const struct mem_key *key = arg;
	uint64_t x = mem_number(a, key[0]), y = mem_number(b, key[0]);
	if (x == y) {
		x = mem_number(a, key[1]);
		y = mem_number(b, key[1]);
	}
	return (x > y) - (x < y);
}

void mem_sort(void *list, size_t n, size_t size, struct mem_key first, struct mem_key second)
{
	struct mem_key keys[] = { first, second };
	if (n)
		qsort_r(list, n, size, by_keys, keys);
}

int mem_order_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

int mem_order_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int mem_place_of(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

void texts_add(struct texts *texts, char *text)
{
	MEM_PUSH(texts->list, texts->n, texts->cap, text);
}

bool texts_have(const struct texts *texts, const char *text)
{
	return texts_have_bytes(texts, text, strlen(text));
}

bool texts_have_bytes(const struct texts *texts, const void *bytes, size_t len)
{
	for (size_t i = 0; i < texts->n; i++)
		if (strlen(texts->list[i]) == len && !memcmp(texts->list[i], bytes, len))
			return true;
	return false;
}

void texts_sort(struct texts *texts)
{
	MEM_SORT(texts->list, texts->n, mem_order_text);
}

void texts_release(struct texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		free(texts->list[i]);
	free(texts->list);
	*texts = (struct texts){ 0 };
}
