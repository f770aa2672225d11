#include "lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "binary/anew.h"

static uint8_t *make(const struct anew *of, const char *text, uint32_t *size)
{
	return of->make((const uint8_t *)text, (uint32_t)strlen(text), size);
}

char *lines_said_of(const struct anew *of, const char *text, uint32_t *size)
{
	uint32_t len;
	MEM_SCOPED uint8_t *made = make(of, text, size);
	assert_non_null(made);
	assert_true(anew_is_open(made, *size));
	uint8_t *said = of->read(made, *size, &len);
	assert_non_null(said);
	return mem_resize(said, len + (size_t)1, 1);
}

void lines_check(const char *said, const char *what)
{
	if (!strstr(said, what))
		print_message("no \"%s\" in:\n%s", what, said);
	assert_non_null(strstr(said, what));
}

static void damage(struct rng *rng, void *bytes, uint32_t size)
{
	for (uint32_t k = 0; k < 1 + rng_below(rng, 6); k++)
		((uint8_t *)bytes)[rng_below(rng, size)] = (uint8_t)rng_below(rng, 256);
}

static void change(struct rng *rng, char *text, const char *letters)
{
	for (uint32_t k = 0; k < 1 + rng_below(rng, 6); k++)
		text[rng_below(rng, (uint32_t)strlen(text))] =
			letters[rng_below(rng, (uint32_t)strlen(letters))];
}

void lines_hostile(const struct anew *of, const char *const *texts, uint32_t n, const char *letters,
                   uint32_t times)
{
	struct rng rng = { 41 };
	uint32_t size, len;
	for (uint32_t i = 0; i < times; i++) {
		MEM_SCOPED char *text = mem_strdup(texts[rng_below(&rng, n)]);
		MEM_SCOPED uint8_t *sound = make(of, text, &size);
		assert_non_null(sound);
		damage(&rng, sound, size);
		MEM_SCOPED uint8_t *open = anew_open(sound, size, rng_below(&rng, 2), &len);
		assert_true(!open || anew_is_open(open, len));
		change(&rng, text, letters);
		MEM_SCOPED uint8_t *made = make(of, text, &size);
		if (made && !anew_is_open(made, size))
			print_message("%s", text);
		assert_true(!made || anew_is_open(made, size));
	}
}
