/* Signatures: any definition of a family and any output, and any output with the shipped families.
 * Input: the name of the file that is the test case, a line; a definition, or nothing for the
 * shipped ones; "%%"; the output. */
#include <stdlib.h>
#include <string.h>

#include "ask/signature.h"
#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"

enum { LONGEST = 4000 };

static const struct families *shipped(void)
{
	static struct families *all;
	const char *dir = getenv("WHITTLE_SIGNATURES");
	const char *dirs[] = { dir ? dir : "signatures", NULL };
	struct err err;
	if (!all)
		all = families_load(dirs, &err);
	FUZZ_REQUIRE(all && families_count(all));
	return all;
}

/* A part of the output, and a text that can be shown as it is. */
static void check(const struct signature *s, size_t size)
{
	FUZZ_REQUIRE(s->begin <= s->end && s->end <= size);
	size_t len = strlen(s->text);
	FUZZ_REQUIRE(len < LONGEST);
	for (size_t i = 0; i < len; i++)
		FUZZ_REQUIRE((unsigned char)s->text[i] >= ' ' && s->text[i] != 0x7f);
}

/* The same output has the same signature. */
static void find(const struct family *one, const char *output, size_t len, const char *const *own)
{
	struct signature s[2];
	bool found[2];
	for (int i = 0; i < 2; i++)
		found[i] = one ? family_find(one, output, len, own, &s[i])
		               : families_find(shipped(), output, len, own, &s[i]);
	FUZZ_REQUIRE(found[0] == found[1]);
	if (!found[0])
		return;
	check(&s[0], len);
	FUZZ_REQUIRE(s[0].family == s[1].family && !strcmp(s[0].text, s[1].text));
	family_fails_otherwise(s[0].family, output, len);
	free(s[0].text);
	free(s[1].text);
}

static void with_definition(char *text, const char *output, size_t len, const char *const *own)
{
	struct err err;
	struct family *family = family_parse("some.sig", text, &err);
	if (family) {
		FUZZ_REQUIRE(!strcmp(family_name(family), "some"));
		find(family, output, len, own);
		family_free(family);
	} else {
		FUZZ_REQUIRE(!strncmp(err.msg, "some.sig:", 9));
	}
}

int target_signature(const uint8_t *data, size_t size)
{
	struct fuzz output = { data, data + size }, definition = fuzz_section(&output);
	char *text = fuzz_string(definition), *end = strchr(text, '\n');
	/* Of exactly its size, so that reading behind it shows. */
	size_t len = fuzz_left(&output);
	char *copy = mem_alloc(len ? len : 1);
	if (len)
		memcpy(copy, output.at, len);
	if (end)
		*end = '\0';
	const char *own[] = { text, NULL };
	if (end && end[1])
		with_definition(end + 1, copy, len, own);
	else
		find(NULL, copy, len, own);
	free(copy);
	free(text);
	return 0;
}
