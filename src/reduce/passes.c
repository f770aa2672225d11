#include "reduce/passes.h"

#include "base/buf.h"
#include "base/err.h"
#include "edits/strategies.h"

const struct pass passes_table[] = {
	/* Structure, the largest first. */
	{ .name = "files",
	  .help = "removes directories, then single files of a tree, largest first",
	  .unit = "file",
	  .strategy = &strategy_files,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_COARSE },
	{ .name = "links",
	  .help = "removes a file with the lines that name it, or moves its content in place of "
	          "one, or into another file",
	  .strategy = &strategy_links,
	  .order = HUNT_SWEEP,
	  .tier = 0 },
	{ .name = "records",
	  .help = "removes records of binaries and counted lines, and repairs lengths, counts, "
	          "checksums",
	  .unit = "record",
	  .strategy = &strategy_records,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_COARSE | PASS_KINDS | PASS_WAITS },
	{ .name = "mentions",
	  .help = "removes a member of an archive together with the elements of others that name "
	          "it",
	  .strategy = &strategy_mentions,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_COARSE },
	{ .name = "coded",
	  .help = "removes parts of content encoded as base64, hex digits or UTF-16, and encodes "
	          "the rest again; also parts of programs and documents in long strings, of "
	          "compressed content, of databases of SQLite, of file systems, of programs, and "
	          "of packed "
	          "fonts",
	  .strategy = &strategy_held,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WITHIN },
	{ .name = "offsets",
	  .help = "removes blocks of binaries, and adjusts the offsets and sizes that this changes",
	  .strategy = &strategy_offsets,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_COARSE | PASS_WAITS },
	{ .name = "comments",
	  .help = "removes comments, also strings that are such",
	  .strategy = &strategy_comments,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_COARSE },
	{ .name = "blank-lines",
	  .help = "removes lines of white space only, and conditionals around nothing, and keeps "
	          "the layout of "
	          "the others",
	  .strategy = &strategy_blank_lines,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "indent",
	  .help = "writes each run of white space as one character, or reduces the indentation "
	          "of all lines and keeps which are deeper than others; later, writes blocks of "
	          "lines in one line",
	  .strategy = &strategy_layout,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "stub",
	  .help = "removes everything after the last declaration that matters in a large C++ "
	          "source, then everything before its end; one type replaces what the end "
	          "mentions of it",
	  .strategy = &strategy_stub,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE | PASS_BEFORE_EARLY },
	{ .name = "reach",
	  .help = "removes bodies of functions of a large source that are not needed, and "
	          "declarations that its end does not reach through the names it mentions",
	  .strategy = &strategy_reach_levels,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "trim",
	  .help = "removes a declaration or statement at the end of a large source with all that "
	          "depends on it, and keeps what is before it",
	  .strategy = &strategy_trim,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "prune",
	  .help = "removes declarations anywhere in a large source with all that depends on them, "
	          "as many at once as are likely not to be needed",
	  .strategy = &strategy_prune,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "reach",
	  .strategy = &strategy_reach,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "items",
	  .help = "removes items of bracket groups with their separators, then what is inside "
	          "large ones, level by level, outermost first; where code consists of blocks "
	          "with labels, makes branches go one way",
	  .strategy = &strategy_items,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_OPENS | PASS_COARSE },
	{ .name = "spans",
	  .help = "removes any item or group, the most complicated first, or what encloses it; of "
	          "nested forms early, as in Lisp",
	  .strategy = &strategy_forms,
	  .order = HUNT_SWEEP,
	  .tier = 0 },
	{ .name = "coded",
	  .strategy = &strategy_coded_most,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WITHIN },
	{ .name = "twins",
	  .help = "removes an item with all others that begin alike: a declaration with its "
	          "definition",
	  .strategy = &strategy_twins,
	  .order = HUNT_SWEEP,
	  .tier = 0 },
	{ .name = "names",
	  .help = "removes an identifier with all items that mention it",
	  .strategy = &strategy_names,
	  .order = HUNT_SWEEP,
	  .tier = 0 },

	/* Structure in detail, values, what mentions what. */
	{ .name = "families",
	  .help = "removes all items of one shape and depth at once: all lines that begin with one "
	          "word, all attributes of one name",
	  .strategy = &strategy_families,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "lines",
	  .help = "removes lines and blocks of lines",
	  .unit = "line",
	  .strategy = &strategy_lines,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .flags = PASS_COARSE },
	{ .name = "hollow",
	  .help = "removes what is between a pair of brackets, level by level, and keeps the "
	          "brackets",
	  .strategy = &strategy_hollow,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .flags = PASS_COARSE },
	{ .name = "duplicates",
	  .help = "removes lines that also occur earlier",
	  .strategy = &strategy_duplicates,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "strings",
	  .help = "empties strings, then removes what is between their quotes",
	  .strategy = &strategy_strings,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "coded",
	  .strategy = &strategy_coded,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .flags = PASS_WITHIN },
	{ .name = "numbers",
	  .help = "replaces numbers with zero, then with one",
	  .strategy = &strategy_numbers,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "literals",
	  .help = "gives a variable of a formula a value, replaces it with another one or its "
	          "opposite, and numbers variables without gaps (not with --keep-names)",
	  .strategy = &strategy_literals,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "literals", .strategy = &strategy_dense, .order = HUNT_BLOCKS, .tier = 1 },
	{ .name = "columns",
	  .help = "removes the same item of several lists: a parameter with its arguments, which "
	          "may come in its places; a column of a table",
	  .strategy = &strategy_columns,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "inline",
	  .help = "removes a definition, and replaces its name with one that it mentions; of an "
	          "object, what mentions it ({\"$ref\": \"#/x\"}) with its value",
	  .strategy = &strategy_inline,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "inline", .strategy = &strategy_members, .order = HUNT_SWEEP, .tier = 1 },
	{ .name = "stand-ins",
	  .help = "replaces items, groups and names with what the tokenizer offers for them",
	  .strategy = &strategy_stand_ins,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "rewrites",
	  .help = "applies the rewrites of the tokenizer: a call becomes an argument, a body "
	          "becomes empty",
	  .strategy = &strategy_rewrites,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "brackets",
	  .help = "removes pairs of brackets, and keeps what is between them",
	  .strategy = &strategy_brackets,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .flags = PASS_COARSE },
	{ .name = "lift",
	  .help = "replaces an item or group with a group inside it, or with the content of that "
	          "group",
	  .strategy = &strategy_lift,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "prefixes",
	  .help = "removes everything before a token, or everything from a token on",
	  .strategy = &strategy_prefixes,
	  .order = HUNT_CHAOS,
	  .max_steps = 8,
	  .tier = 1,
	  .flags = PASS_COARSE },
	{ .name = "ngrams",
	  .help = "removes the text from one occurrence of a token sequence to the next, or over "
	          "several of them",
	  .strategy = &strategy_ngrams,
	  .order = HUNT_CHAOS,
	  .max_steps = 64,
	  .tier = 1 },
	{ .name = "tokens",
	  .help = "removes tokens and blocks of tokens",
	  .unit = "token",
	  .strategy = &strategy_tokens,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .flags = PASS_COARSE },

	/* What is left, place by place. */
	{ .name = "spans",
	  .unit = "item, bracket group",
	  .strategy = &strategy_spans,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "runs",
	  .help = "removes two tokens that follow each other, then short runs, extended "
	          "backwards; in small binaries, also everything before or after a token",
	  .strategy = &strategy_runs,
	  .order = HUNT_SWEEP,
	  .tier = 2,
	  .flags = PASS_RARE },
	{ .name = "ngrams", .strategy = &strategy_ngrams, .order = HUNT_SWEEP, .tier = 2 },
	{ .name = "pairs",
	  .help = "removes two or three lines that begin with the same mark, lines of one word, "
	          "or comments, and keeps what is between them",
	  .strategy = &strategy_pairs,
	  .order = HUNT_SWEEP,
	  .tier = 2,
	  .flags = PASS_KINDS },
	{ .name = "sink",
	  .help = "moves a statement or a part of it into the place of a short word (f(x); if (0) "
	          "becomes if (x))",
	  .strategy = &strategy_sink,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "nests",
	  .help = "removes brackets in plain bytes, with or without their content, or what is "
	          "around them",
	  .strategy = &strategy_nests,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "peel",
	  .help = "removes both sides of brackets and quotes, with the word before them or the "
	          "call after them, and keeps their content; for a class or another scope, also "
	          "the qualifiers of its members",
	  .strategy = &strategy_peel,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "inside",
	  .help = "removes words inside tokens with what joins them to the next one, then bytes",
	  .strategy = &strategy_inside,
	  .order = HUNT_BLOCKS,
	  .tier = 2,
	  .flags = PASS_SINGLES | PASS_KINDS },
	{ .name = "values",
	  .help = "lowers numbers: probes, caps by smaller ones, changes equal ones together",
	  .strategy = &strategy_values,
	  .order = HUNT_BLOCKS,
	  .tier = 2 },
	{ .name = "clones",
	  .help = "replaces what has a value (f(x).y[0]) with a literal, then an item with one of "
	          "the simplest other items",
	  .strategy = &strategy_clones,
	  .order = HUNT_SWEEP,
	  .tier = 2,
	  .flags = PASS_RARE },
	{ .name = "unify",
	  .help = "removes a definition, and replaces its name with another one",
	  .strategy = &strategy_unify,
	  .order = HUNT_SWEEP,
	  .tier = 2 },

	/* Names, white space, bytes. */
	{ .name = "modes",
	  .help = "makes files of a tree non-executable",
	  .strategy = &strategy_modes,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "rename",
	  .help = "gives identifiers short names (not with --keep-names)",
	  .strategy = &strategy_rename,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "merge-names",
	  .help = "replaces an identifier with another one (not with --keep-names)",
	  .strategy = &strategy_merge_names,
	  .order = HUNT_SWEEP,
	  .tier = 3,
	  .flags = PASS_LAST },
	{ .name = "indent", .strategy = &strategy_indent, .order = HUNT_BLOCKS, .tier = 3 },
	{ .name = "blanks",
	  .help = "shortens runs of white space to one character, then removes them",
	  .strategy = &strategy_blanks,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "repeats",
	  .help = "shortens runs of one character",
	  .strategy = &strategy_repeats,
	  .order = HUNT_SWEEP,
	  .tier = 3 },
	{ .name = "bytes",
	  .help = "removes bytes and blocks of bytes",
	  .unit = "byte",
	  .strategy = &strategy_bytes,
	  .order = HUNT_BLOCKS,
	  .tier = 3,
	  .flags = PASS_COARSE | PASS_CERTIFIES_SMALL | PASS_SINGLES },
	{ .name = "byte-runs",
	  .help = "removes two to six consecutive bytes of a token, extended backwards, but of "
	          "a word only its end",
	  .strategy = &strategy_byte_runs,
	  .order = HUNT_SWEEP,
	  .tier = 3 },
	{ .name = "lower",
	  .help = "sets bytes of binaries and digits of numbers to zero",
	  .strategy = &strategy_lower,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },

	/* Pumps. */
	{ .name = "expand",
	  .help = "removes a definition, and replaces its name with what it stands for (a pump: "
	          "the file may grow)",
	  .strategy = &strategy_expand,
	  .flags = PASS_PUMP },
	{ .name = "marked",
	  .help = "removes a definition, and replaces its marked uses ($x, &x;, href=\"#x\") with "
	          "its value (a pump: the file may grow)",
	  .strategy = &strategy_marked,
	  .flags = PASS_PUMP },
	{ .name = "copies",
	  .help = "replaces each line that names a file with the text of the file (a pump: the "
	          "files may grow)",
	  .strategy = &strategy_copies,
	  .flags = PASS_PUMP },
	{ .name = "layers",
	  .help = "unpacks compressed parts of binaries, and packs them again at the end (a pump: "
	          "the file may grow)",
	  .strategy = &strategy_layers,
	  .flags = PASS_PUMP | PASS_FIRST },
};

enum { N_ROWS = sizeof passes_table / sizeof *passes_table, N_PUMPS = 4 };
const uint32_t passes_n_rows = N_ROWS;
const uint32_t passes_n = N_ROWS - N_PUMPS;
_Static_assert(sizeof passes_table / sizeof *passes_table <= PASSES_MAX,
               "more passes than PASSES_MAX (passes.h), which must be raised");

struct pass_set passes_first(uint32_t n)
{
	struct pass_set set = { 0 };
	for (uint32_t i = 0; i < n; i++)
		set.has[i] = true;
	return set;
}

struct pass_set passes_all(void)
{
	return passes_first(N_ROWS);
}

bool passes_none(const struct pass_set *set)
{
	for (size_t i = 0; i < sizeof set->has / sizeof *set->has; i++)
		if (set->has[i])
			return false;
	return true;
}

void passes_add(struct pass_set *to, const struct pass_set *other)
{
	for (uint32_t i = 0; i < PASSES_MAX; i++)
		to->has[i] |= other->has[i];
}

void passes_remove(struct pass_set *from, const struct pass_set *other)
{
	for (uint32_t i = 0; i < PASSES_MAX; i++)
		from->has[i] &= !other->has[i];
}

struct pass_set passes_named(const char *name, size_t len)
{
	struct pass_set set = { 0 };
	for (uint32_t i = 0; i < N_ROWS; i++)
		set.has[i] = strlen(passes_table[i].name) == len &&
		             !memcmp(passes_table[i].name, name, len);
	return set;
}

char *passes_text(const struct pass_set *set)
{
	struct buf text = { 0 };
	buf_addf(&text, "%s", "");
	for (uint32_t i = 0; i < N_ROWS; i++)
		if (passes_has(set, i) && passes_table[i].help)
			buf_addf(&text, "%s%s", text.len ? "," : "", passes_table[i].name);
	return text.data;
}

int passes_parse(const char *text, struct pass_set *set, struct err *err)
{
	struct pass_set all = { 0 };
	for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ",");
		const struct pass_set named = passes_named(at, (size_t)(end - at));
		if (passes_none(&named))
			return err_set(err, ERR_USAGE, "no pass is called \"%.*s\"",
			               (int)(end - at), at);
		passes_add(&all, &named);
	}
	*set = all;
	return 0;
}
