/* The strategies; each is in the strat_*.c that its family names. The table of passes
 * (reduce/passes.c) says what each is called and when it runs. */
#pragma once

#include "search/strategy.h"

/* strat_files.c: the entries of a tree */
extern const struct strategy strategy_files, strategy_links, strategy_modes;
extern const struct strategy strategy_copies; /* a pump */

/* strat_records.c: binaries whose records were found */
extern const struct strategy strategy_records;

/* strat_offsets.c: binaries */
extern const struct strategy strategy_offsets;

/* strat_tree.c: items, groups, what is between brackets */
extern const struct strategy strategy_items, strategy_brackets, strategy_hollow, strategy_lift,
	strategy_spans, strategy_forms;

/* cxx/strat_reach.c: declarations that nothing needs */
extern const struct strategy strategy_reach, strategy_reach_levels, strategy_prune, strategy_trim,
	strategy_stub;

/* strat_indent.c: blocks of indented lines */
extern const struct strategy strategy_indent;

/* strat_text.c: lines and blanks, comments, duplicates, bytes */
extern const struct strategy strategy_lines, strategy_blank_lines, strategy_duplicates,
	strategy_comments, strategy_layout, strategy_blanks, strategy_bytes, strategy_lower;

/* strat_cuts.c: cutting strategies over tokens and bytes */
extern const struct strategy strategy_tokens, strategy_ngrams, strategy_prefixes, strategy_repeats,
	strategy_nests, strategy_byte_runs;

/* strat_runs.c: short runs of tokens */
extern const struct strategy strategy_runs;

/* strat_names.c: identifiers and what mentions them */
extern const struct strategy strategy_names, strategy_rename, strategy_merge_names, strategy_inline,
	strategy_unify;

/* strat_literals.c: numbers that are names, and their signs */
extern const struct strategy strategy_literals, strategy_dense;

/* strat_coupled.c: edits at several places that only work together */
extern const struct strategy strategy_families;
extern const struct strategy strategy_twins, strategy_columns;

/* strat_expand.c: pumps, which may make the test case larger */
extern const struct strategy strategy_expand;

/* strat_marked.c: another pump, and of that what is a pass */
extern const struct strategy strategy_marked, strategy_members;

/* strat_peel.c: what is around brackets and quotes */
extern const struct strategy strategy_peel;

/* strat_sink.c: a statement in place of a word */
extern const struct strategy strategy_sink;

/* strat_text.c: lines at a distance */
extern const struct strategy strategy_pairs;

/* strat_coded.c: a pump, too, and the reverse */
extern const struct strategy strategy_layers, strategy_pack;

/* strat_coded.c: what base64, hex digits and UTF-16 say */
extern const struct strategy strategy_coded, strategy_coded_most, strategy_held;
extern const struct strategy strategy_mentions;

/* strat_tree.c: what a tokenizer offers to stand in for larger things */
extern const struct strategy strategy_stand_ins;

/* strat_rewrites.c: what a tokenizer says may become something smaller */
extern const struct strategy strategy_rewrites;

/* strat_values.c: numbers, strings, the inside of tokens, clones */
extern const struct strategy strategy_numbers, strategy_values, strategy_strings, strategy_inside,
	strategy_clones;

/* Opens PLACES of a view with its tree: the matches of the rewrite number `level` of each language.
 */
void rewrites_open(struct edit_sites *p);
