/* The settings that are kept with a reduction: read back as they were, passes by name; what
 * another version wrote is refused in words. And the table of passes, which they name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "reduce/passes.h"
#include "reduce/settings.h"
#include "fence/fence.h"

/* The settings of OPTIONS with OLD replaced by NEW; the caller's. */
static char *settings_with(const struct settings *options, const char *old, const char *new)
{
	struct err err = { 0 };
	char *text = settings_text(options, &err), *at = strstr(text, old);
	assert_non_null(at);
	char *with = mem_printf("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	free(text);
	return with;
}

static void test_round_trip(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	for (int i = 0; i < 200; i++) {
		struct err err = { 0 };
		struct pass_set set = passes_all();
		for (uint32_t row = 0; i && row < passes_n_rows; row++)
			set.has[row] = rng_next(&rng) % 2;
		char *names = passes_text(&set);
		assert_int_equal(passes_parse(names, &set, &err),
		                 0); /* rows of one name together */
		const struct fence none = { 0 };
		struct settings in = { .passes = set,
			               .fenced = &none,
			               .seed = rng_next(&rng),
			               .keep_names = i % 2,
			               .certify = (enum plan_certify)(i % 4),
			               .input = (unsigned)i % 8,
			               .external_identity = "" },
				out = { 0 };
		char *text = settings_text(&in, &err);
		assert_int_equal(settings_parse(&out, text, &err), 0);
		assert_true(!memcmp(&out.passes, &in.passes, sizeof in.passes) &&
		            out.seed == in.seed && out.keep_names == in.keep_names &&
		            out.input == in.input && out.certify == in.certify);
		char *again = passes_text(&out.passes);
		assert_string_equal(again, names);
		free(again);
		free(names);
		free(text);
	}
}

static void check_refused(char *text, const char *word)
{
	struct err err = { 0 };
	const struct pass_set before = passes_named("lines", 5);
	struct settings out = { .passes = before };
	assert_int_equal(settings_parse(&out, text, &err), -1);
	if (!strstr(err.msg, word) || !strstr(err.msg, "another version"))
		fail_msg("this does not say why: %s", err.msg);
	assert_memory_equal(&out.passes, &before, sizeof before);
	free(text);
}

static void test_other_versions(void **state)
{
	(void)state;
	const struct fence none = { 0 };
	const struct settings o = { .passes = passes_named("items", 5),
		                    .fenced = &none,
		                    .external_identity = "" };
	check_refused(mem_strdup("external=\nformat=12\ninput=7\nkeep-names=0\nmemory-limit=0\n"
	                         "passes=800000ffffffffff\nseed=0\nspans=\ntokenizer=auto\n"),
	              "format 12");
	check_refused(settings_with(&o, "items", "items,yoga"), "\"yoga\"");
	check_refused(settings_with(&o, "seed", "speed"), "cannot be read");
	check_refused(settings_with(&o, "external=", "certify=all\nexternal="), "cannot be read");
	check_refused(settings_with(&o, "external", "eternal"), "cannot be read");
	check_refused(settings_with(&o, "tokenizer=auto\n", ""), "cannot be read");
}

/* Each name is explained once, pumps stand behind the plan's passes, tiers follow one another. */
static void test_table(void **state)
{
	(void)state;
	struct pass_set explained = { 0 };
	unsigned opens = 0;
	for (uint32_t i = 0; i < passes_n_rows; i++) {
		const struct pass *p = &passes_table[i];
		const struct pass_set same = passes_named(p->name, strlen(p->name));
		assert_true(passes_has(&same, i));
		assert_true(p->help || passes_has(&explained, i));
		if (p->help) {
			assert_false(passes_has(&explained, i));
			passes_add(&explained, &same);
		}
		assert_int_equal(i >= passes_n, (p->flags & PASS_PUMP) != 0);
		assert_true(!i || i >= passes_n || p->tier >= passes_table[i - 1].tier);
		assert_int_equal(p->order == HUNT_BLOCKS && !(p->flags & PASS_PUMP),
		                 p->strategy->shape == STRATEGY_LIST);
		opens += (p->flags & PASS_OPENS) != 0;
	}
	const struct pass_set all = passes_all(), no = passes_named("item", 4),
			      empty = passes_named("", 0);
	assert_memory_equal(&explained, &all, sizeof all);
	assert_int_equal(opens, 1);
	assert_true(passes_none(&no) && passes_none(&empty));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_other_versions),
		cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
