#include "reduce/passes.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "search/strategies.h"

const struct pass passes_table[] = {
	/* Structure, the largest first. */
	{ .name = "files",
	  .help = "directories, then files of a tree, the largest first",
	  .unit = "file",
	  .strategy = &strategy_files,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "links",
	  .help = "a file with the lines that name it, or its bytes in place of one or in another "
	          "file",
	  .strategy = &strategy_links,
	  .order = HUNT_SWEEP,
	  .tier = 0 },
	{ .name = "records",
	  .help = "records of binaries, lines that are counted, with lengths, counts, checksums",
	  .strategy = &strategy_records,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "offsets",
	  .help = "blocks of binaries, with the offsets and sizes that they change",
	  .strategy = &strategy_offsets,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "comments",
	  .help = "comments",
	  .strategy = &strategy_comments,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "blank-lines",
	  .help = "lines of white space only; what remains keeps its layout",
	  .strategy = &strategy_blank_lines,
	  .order = HUNT_BLOCKS,
	  .tier = 0 },
	{ .name = "reach",
	  .help = "declarations of a large source that its end does not reach over the names "
	          "mentioned",
	  .strategy = &strategy_reach,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "shed",
	  .help = "a declaration near the end of a large source with all that cannot do without "
	          "it, "
	          "those first that free most",
	  .strategy = &strategy_shed,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_WHOLE },
	{ .name = "items",
	  .help = "items of bracket groups with their separators, level by level, outermost first",
	  .strategy = &strategy_items,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_OPENS },
	{ .name = "twins",
	  .help = "an item with all that begin like it: a declaration with its definition",
	  .strategy = &strategy_twins,
	  .order = HUNT_SWEEP,
	  .tier = 0 },
	{ .name = "names",
	  .help = "an identifier with all items that mention it",
	  .strategy = &strategy_names,
	  .order = HUNT_SWEEP,
	  .tier = 0 },

	{ .name = "reach",
	  .strategy = &strategy_reach_briefly,
	  .order = HUNT_BLOCKS,
	  .tier = 0,
	  .flags = PASS_ASIDE | PASS_WHOLE },

	/* Structure in detail, values, what mentions what. */
	{ .name = "lines",
	  .help = "lines and blocks of lines",
	  .unit = "line",
	  .strategy = &strategy_lines,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "hollow",
	  .help = "what stands between a pair of brackets, level by level, the brackets stay",
	  .strategy = &strategy_hollow,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "brackets",
	  .help = "pairs of brackets, what stands between them stays",
	  .strategy = &strategy_brackets,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "lift",
	  .help = "an item or group replaced by a group inside it, or by what that holds",
	  .strategy = &strategy_lift,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "prefixes",
	  .help = "everything before or from a token on",
	  .strategy = &strategy_prefixes,
	  .order = HUNT_CHAOS,
	  .max_steps = 8,
	  .tier = 1 },
	{ .name = "ngrams",
	  .help = "from one place to the next that goes on alike; enlarged over several such "
	          "places",
	  .strategy = &strategy_ngrams,
	  .order = HUNT_CHAOS,
	  .max_steps = 64,
	  .tier = 1 },
	{ .name = "tokens",
	  .help = "tokens and blocks of tokens",
	  .unit = "token",
	  .strategy = &strategy_tokens,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .frees = FOCUS_DEEP },
	{ .name = "duplicates",
	  .help = "lines that stand earlier too",
	  .strategy = &strategy_duplicates,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "strings",
	  .help = "strings to the empty one, then what stands between their quotes",
	  .strategy = &strategy_strings,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "numbers",
	  .help = "numbers to zero, then to one",
	  .strategy = &strategy_numbers,
	  .order = HUNT_BLOCKS,
	  .tier = 1 },
	{ .name = "columns",
	  .help = "the same item of several lists: a parameter with its arguments",
	  .strategy = &strategy_columns,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "inline",
	  .help = "a definition goes and its name becomes one that it mentions",
	  .strategy = &strategy_inline,
	  .order = HUNT_SWEEP,
	  .tier = 1 },
	{ .name = "stand-ins",
	  .help = "items, groups and names replaced by what the tokenizer offers for them",
	  .strategy = &strategy_stand_ins,
	  .order = HUNT_SWEEP,
	  .tier = 1,
	  .frees = FOCUS_MENTIONS },
	{ .name = "rewrites",
	  .help = "what the tokenizer says may become something smaller: a call its argument, a "
	          "body nothing",
	  .strategy = &strategy_rewrites,
	  .order = HUNT_BLOCKS,
	  .tier = 1,
	  .frees = FOCUS_MENTIONS },

	/* What is left, place by place. */
	{ .name = "spans",
	  .help = "all items and groups, from the most to the least complicated; enlarged to what "
	          "encloses them",
	  .unit = "item, bracket group",
	  .strategy = &strategy_spans,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "runs",
	  .help = "short runs of tokens, enlarged backwards",
	  .strategy = &strategy_runs,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "ngrams", .strategy = &strategy_ngrams, .order = HUNT_SWEEP, .tier = 2 },
	{ .name = "windows",
	  .help = "every subset of four neighbouring tokens",
	  .strategy = &strategy_windows,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "pairs",
	  .help = "two lines that begin with the same mark, what stands between them stays",
	  .strategy = &strategy_pairs,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "nests",
	  .help = "brackets over plain bytes, with or without what they enclose; enlarged to what "
	          "is around them",
	  .strategy = &strategy_nests,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "inside",
	  .help = "bytes inside tokens",
	  .strategy = &strategy_inside,
	  .order = HUNT_BLOCKS,
	  .tier = 2 },
	{ .name = "values",
	  .help = "numbers lowered: probed, capped by smaller ones, equal ones together",
	  .strategy = &strategy_values,
	  .order = HUNT_BLOCKS,
	  .tier = 2 },
	{ .name = "clones",
	  .help = "an item replaced by one of the simplest others",
	  .strategy = &strategy_clones,
	  .order = HUNT_SWEEP,
	  .tier = 2 },
	{ .name = "unify",
	  .help = "a definition goes and its name becomes another one",
	  .strategy = &strategy_unify,
	  .order = HUNT_SWEEP,
	  .tier = 2 },

	/* Names, white space, bytes. */
	{ .name = "modes",
	  .help = "files of a tree become ones that are not executable",
	  .strategy = &strategy_modes,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "rename",
	  .help = "identifiers get short names (not with --keep-names)",
	  .strategy = &strategy_rename,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "words",
	  .help = "equal words become short ones, in strings and comments, too (not with "
	          "--keep-names)",
	  .strategy = &strategy_words,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "merge-names",
	  .help = "an identifier replaced by another one (not with --keep-names)",
	  .strategy = &strategy_merge_names,
	  .order = HUNT_SWEEP,
	  .tier = 3 },
	{ .name = "indent",
	  .help = "the indentation of all lines to the least that keeps who stands deeper",
	  .strategy = &strategy_indent,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "blanks",
	  .help = "white space: runs to one character, then away",
	  .strategy = &strategy_blanks,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },
	{ .name = "repeats",
	  .help = "runs of one character",
	  .strategy = &strategy_repeats,
	  .order = HUNT_SWEEP,
	  .tier = 3 },
	{ .name = "bytes",
	  .help = "bytes and blocks of bytes",
	  .unit = "byte",
	  .strategy = &strategy_bytes,
	  .order = HUNT_BLOCKS,
	  .tier = 3,
	  .flags = PASS_CERTIFIES_SMALL },
	{ .name = "byte-runs",
	  .help = "two to six bytes of a token in a row, enlarged backwards",
	  .strategy = &strategy_byte_runs,
	  .order = HUNT_SWEEP,
	  .tier = 3 },
	{ .name = "lower",
	  .help = "bytes of binaries and digits of numbers to zero",
	  .strategy = &strategy_lower,
	  .order = HUNT_BLOCKS,
	  .tier = 3 },

	/* Pumps. */
	{ .name = "expand",
	  .help = "a definition goes and its name becomes what it says (a pump: the file may grow)",
	  .strategy = &strategy_expand,
	  .flags = PASS_PUMP },
	{ .name = "copies",
	  .help = "a file's text in place of each line that names it (a pump: the files may grow)",
	  .strategy = &strategy_copies,
	  .flags = PASS_PUMP },
	{ .name = "layers",
	  .help = "compressed parts of binaries, unpacked (a pump: the file may grow)",
	  .strategy = &strategy_layers,
	  .flags = PASS_PUMP | PASS_FIRST },
};

enum { N_ROWS = sizeof passes_table / sizeof *passes_table, N_PUMPS = 3 };
const uint32_t passes_n_rows = N_ROWS;
const uint32_t passes_n = N_ROWS - N_PUMPS;
_Static_assert(sizeof passes_table / sizeof *passes_table <= PASSES_MAX,
               "more passes than a set has room for");

uint64_t passes_named(const char *name, size_t len)
{
	uint64_t set = 0;
	for (uint32_t i = 0; i < N_ROWS; i++)
		if (strlen(passes_table[i].name) == len && !memcmp(passes_table[i].name, name, len))
			set |= (uint64_t)1 << i;
	return set;
}

char *passes_text(uint64_t set)
{
	struct buf text = { 0 };
	buf_addf(&text, "%s", "");
	for (uint32_t i = 0; i < N_ROWS; i++)
		if (passes_has(set, i) && passes_table[i].help)
			buf_addf(&text, "%s%s", text.len ? "," : "", passes_table[i].name);
	return text.data;
}

int passes_parse(const char *text, uint64_t *set, struct err *err)
{
	uint64_t all = 0;
	for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ",");
		uint64_t named = passes_named(at, (size_t)(end - at));
		if (!named)
			return err_set(err, ERR_USAGE, "no pass is called \"%.*s\"",
			               (int)(end - at), at);
		all |= named;
	}
	*set = all;
	return 0;
}
