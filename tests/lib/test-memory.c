/* Allocations that fail are errors of the call that needed them: each of the first ones in turn,
 * and some of the later ones. Linked against the static library with malloc and its like wrapped.
 * And a reduction leaves no memory behind.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/whittle.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __real_free(void *p);
void __wrap_free(void *p);

/* The test's own, not the library's: which allocation fails, how often no_memory was asked, how
 * many allocations there are. */
static unsigned long until_failure;
static unsigned asked;
static long allocated;

static int strikes(void)
{
	return until_failure && --until_failure == 0;
}

static void *counted(void *p)
{
	allocated += p != NULL;
	return p;
}

void *__wrap_malloc(size_t size)
{
	return strikes() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return strikes() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (strikes())
		return NULL;
	return p ? __real_realloc(p, size) : counted(__real_realloc(p, size));
}

void __wrap_free(void *p)
{
	allocated -= p != NULL;
	__real_free(p);
}

static const char text[] = "{ \"a\": [1, 2, 3], \"needle\": 7 }\n";
enum { SIZE = sizeof text - 1 };

static int holds(const void *bytes, size_t size, void *arg)
{
	(void)arg;
	return memmem(bytes, size, "needle", 6) != NULL;
}

static int make_room(void *arg, size_t size)
{
	(void)arg;
	(void)size;
	asked++;
	return 1;
}

static int run(unsigned long nth, int (*no_memory)(void *, size_t), char *result, size_t *size,
               char *message)
{
	const char *directories[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	const struct whittle_options o = { .struct_size = sizeof o,
		                           .name = "a.json",
		                           .directories = directories,
		                           .no_memory = no_memory };
	until_failure = nth;
	int end = whittle_reduce(text, SIZE, &o, holds, NULL, result, size, message, 256);
	until_failure = 0;
	return end;
}

static int complain(unsigned long nth, const char *what, int end, const char *message)
{
	fprintf(stderr, "allocation %lu: %s: %d, %s\n", nth, what, end, message);
	return 1;
}

/* After a reduction there are as many as before. */
static int leaves_some(const char *name, const char *input, size_t n)
{
	const char *directories[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	const struct whittle_options o = { .struct_size = sizeof o,
		                           .name = name,
		                           .directories = directories };
	char result[512], message[256];
	size_t size;
	long before = allocated;
	whittle_reduce(input, n, &o, holds, NULL, result, &size, message, sizeof message);
	if (allocated != before)
		fprintf(stderr, "%s: %ld allocations are left\n", name, allocated - before);
	return allocated != before;
}

static const char source[] =
	"int f(int a, int b)\n{\n\tif (a > 1)\n\t\treturn f(a - 1, b) + 1000;\n"
	"\treturn b * 2;\n}\nint needle = f(3, 4) + \"x, y; z\";\n";

int main(void)
{
	enum { EACH = 400, FAR = 20000, STEP = 997 };
	char expected[SIZE], result[SIZE], message[256];
	size_t expected_size, size;
	unsigned failed = 0;
	if (leaves_some("a.json", text, SIZE) || leaves_some("a.c", source, sizeof source - 1))
		return 1;
	if (run(0, NULL, expected, &expected_size, message) != WHITTLE_FIXPOINT)
		return complain(0, "no fixpoint", 0, message);
	for (unsigned long nth = 1; nth < FAR; nth += nth < EACH ? 1 : STEP) {
		int end = run(nth, NULL, result, &size, message);
		failed += end == WHITTLE_ERR_MEMORY;
		if (end != WHITTLE_FIXPOINT && end != WHITTLE_ERR_MEMORY &&
		    end != WHITTLE_ERR_ARGUMENT)
			return complain(nth, "not an error of memory", end, message);
		if (!holds(result, size, NULL))
			return complain(nth, "the result is not interesting", end, message);
		end = run(nth, make_room, result, &size, message);
		if (end == WHITTLE_FIXPOINT &&
		    (size != expected_size || memcmp(result, expected, size) != 0))
			return complain(nth, "another result after another try", end, message);
	}
	printf("%u allocations failed, %u were tried again\n", failed, asked);
	return failed > EACH / 2 && asked > EACH / 2 ? 0 : complain(0, "too few failed", 0, "");
}
