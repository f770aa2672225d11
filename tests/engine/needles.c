#include "needles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"

enum { LINES = 400 };

struct tokenizer *tokenizer;
struct testcase *original;

int needles_setup(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct buf text = { 0 };
	for (unsigned i = 0; i < LINES; i++)
		buf_addf(&text, i % 50 == 7 ? "needle %u;\n" : "line(%u);\n", i);
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	tokenizer = tokenizer_find("c", "a.c", (const uint8_t *)text.data, text.len, dirs, &err);
	if (!tokenizer)
		fail_msg("%s", err.msg);
	original = testcase_new("a.c", 0644, (uint8_t *)text.data, (uint32_t)text.len);
	return 0;
}

int needles_teardown(void **state)
{
	(void)state;
	testcase_unref(original);
	tokenizer_free(tokenizer);
	return 0;
}
