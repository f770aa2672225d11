/* Rewrites that the definitions of many languages share. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/rewrite_def.h"

/* Each line is what follows "rewrite". */
static const char *const comparisons[] = {
	"<= $b:operand - 1 -> < $b", ">= $b:operand + 1 -> > $b", "< $b:operand + 1 -> <= $b",
	"> $b:operand - 1 -> >= $b", "$a:operand - 1 >= -> $a >", "$a:operand + 1 <= -> $a <",
	"$a:operand - 1 < -> $a <=", "$a:operand + 1 > -> $a >=", NULL,
};
static const char *const branches[] = {
	"if ( $a:operand == $b:operand ) { } else -> if ( $a != $b )",
	"if ( $a:operand != $b:operand ) { } else -> if ( $a == $b )",
	"if ( $c:operand ) { } else -> if ( ! $c )",
	"if $c:( { } else -> if ( ! $c )",
	"if $c:( { } else if $:( $b:run -> if ( ! $c ) $b",
	NULL,
};
static const char *const bare_branches[] = {
	"if $a:operand == $b:operand { } else $c:{ -> if $a != $b $c",
	"if $a:operand != $b:operand { } else $c:{ -> if $a == $b $c",
	"if $c:operand { } else $b:{ -> if ! $c $b",
	"if $c:run { } else $b:{ -> if ! ( $c ) $b",
	"if $c:run { } else if $:run $b:{ -> if ! ( $c ) $b",
	NULL,
};
/* To the shortest of those that numbers have in most languages. */
static const char *const types[] = { "double -> int",
	                             "float -> int",
	                             "unsigned -> int",
	                             "long -> int",
	                             "short -> int",
	                             "char -> int",
	                             NULL };
static const struct {
	const char *name;
	const char *const *lines;
} sets[] = {
	{ "comparisons", comparisons },
	{ "branches", branches },
	{ "bare-branches", bare_branches },
	{ "types", types },
};

static int parse_set(const struct parser *p, const char *const *lines)
{
	int rc = 0;
	for (; *lines && !rc; lines++) {
		struct parser line = *p;
		line.text = line.at = mem_strdup(*lines);
		rc = rewrite_parse(&line, false);
		free(line.text);
	}
	return rc;
}

int rewrite_parse_sets(struct parser *p)
{
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the name of a set of rewrites");
	for (; word; word = parser_word(p)) {
		size_t i = 0, n = sizeof sets / sizeof *sets;
		while (i < n && strcmp(word, sets[i].name))
			i++;
		if (i == n)
			return parser_fail(p, word, "there is no set of rewrites \"%s\"", word);
		if (parse_set(p, sets[i].lines))
			return parser_fail(
				p, word,
				"expected earlier \"operand\" and \"bracket\" lines that "
				"the rewrites \"%s\" need",
				word);
	}
	return 0;
}
