/* Inside of a tokenizer: what a definition file becomes. Shared by the loader, the compiler and the
 * lexer only.
 *
 * Life: tokenizer_parse fills it in from a file (cheap, no pattern is looked at), tokenizer_compile
 * turns the patterns into one program and the first-byte table; from then on it is constant.
 */
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/map.h"
#include "base/mem.h"
#include "lang/token.h"

struct err;

/* A definition may come with a repository, from anybody: looking for the one that fits a file is
 * bounded by these, far above what any needs. */
enum {
	TOKENIZER_BYTES = 256 << 10, /* of a definition */
	TOKENIZER_RULES = 4096,      /* in a definition; so are words */
	TOKENIZER_HINTS = 100,       /* file names, interpreters and contents, each */
	TOKENIZER_STEPS = 200000,    /* of matching one pattern while none is chosen yet */
	TOKENIZER_ENTRIES = 4096,    /* of a directory */
	TOKENIZER_FILES = 512,       /* definitions in it */
	TOKENIZER_ALL_HINTS = 4096,  /* interpreters and contents of all definitions */
};

/* A set of properties of tokens. Each token has some of them (its kind, its text when a rule of the
 * definition mentions that text, its role in a bracket pair); rules compare sets. In conditions on
 * brackets the bits are pair numbers. */
struct tokenset {
	uint64_t bits[2];
};

enum {
	TOKENSET_LINE = TOKEN_N_KINDS, /* the first token on its line */
	TOKENSET_LABEL,                /* an identifier with a mark behind its name */
	TOKENSET_DEFINED,              /* an identifier that "=" follows */
	TOKENSET_WORDS =
		16, /* bits from here on are given to words in order of their first mention */
	TOKENSET_BITS = 128,
};

static inline void tokenset_add(struct tokenset *set, unsigned bit)
{
	set->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static inline void tokenset_remove(struct tokenset *set, unsigned bit)
{
	set->bits[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

static inline void tokenset_unite(struct tokenset *set, struct tokenset other)
{
	set->bits[0] |= other.bits[0];
	set->bits[1] |= other.bits[1];
}

static inline bool tokenset_meets(struct tokenset a, struct tokenset b)
{
	return ((a.bits[0] & b.bits[0]) | (a.bits[1] & b.bits[1])) != 0;
}

/* What a condition looks at. */
enum aspect {
	ASPECT_AFTER,  /* the last token that is no white space or comment; LINE: none yet on this
	                  line */
	ASPECT_BEFORE, /* the next such token */
	ASPECT_OPENED_AFTER, /* of a closing bracket: the token before its opening one */
	ASPECT_INSIDE,       /* the innermost open pair; 0 is the top */
	ASPECT_WITHIN,       /* all open pairs */
	ASPECT_ITEM,         /* all tokens of the current item at this level */
	ASPECT_GROUP,        /* all tokens of the current group at this level */
	ASPECT_N
};

/* Conditions that must all hold. WANT must be met where wanted has its bit; REFUSE must not be met.
 */
struct guard {
	unsigned wanted;
	struct tokenset want[ASPECT_N], refuse[ASPECT_N];
};

enum { GUARD_NONE = -1, GUARD_MAX = 64, PAIR_MAX = TOKENSET_BITS - 1, STRENGTH_MAX = 7 };

/* One alternative of the program. */
struct rule {
	char *pattern;
	unsigned line, column; /* where the pattern begins, from 1 */
	uint8_t kind;          /* enum token_kind */
	uint8_t strength;
	bool tag;       /* brackets match only when their first groups captured the same text */
	bool ends_head; /* a terminator: what is before it goes only with what is behind */
	bool here_doc; /* the first group is the delimiter of a text that begins on the next line */
	char *inner_open, *inner_close; /* not NULL: the token goes on to INNER_CLOSE, and counts
	                                   those two as brackets */
	uint8_t pair;                   /* for brackets */
	int guard;                      /* index, or GUARD_NONE */
	/* set by tokenizer_compile */
	unsigned capture; /* number of the pattern's first group in the program */
	bool starts[256]; /* bytes that it can begin with (may say yes too often) */
	bool span; /* is one byte of HEAD and then bytes of TAIL; needs no regular expression */
	bool head[256], tail[256];
};

/* A text with a meaning of its own. Role and guard count only where an identifier has this text. */
struct word {
	char *text;
	uint8_t len;
	uint8_t bit;       /* in token sets; 0: not mentioned by conditions */
	uint8_t kind;      /* TOKEN_N_KINDS: as the pattern says */
	uint8_t otherwise; /* the kind where GUARD does not hold */
	uint8_t pair;
	int guard;
	unsigned line, column; /* first mention */
};

struct pair {
	char *name;
	unsigned line, column; /* first mention */
	bool opened, closed, tag;
	uint8_t open_bit, close_bit; /* in token sets; 0: not mentioned */
};

enum item_rule_type { ITEM_END, ITEM_BEGIN, ITEM_JOIN };

struct item_rule {
	uint8_t type; /* enum item_rule_type */
	uint8_t strength;
	struct tokenset tokens;
	struct guard guard;
};

/* A pattern that chooses the tokenizer: by the first line, or (priority > 0) by the first bytes. */
struct hint {
	char *pattern;
	unsigned line, column;
	unsigned priority;
};

enum layout { LAYOUT_NONE, LAYOUT_ANY, LAYOUT_TAB };

/* What the lexer does at a byte before it asks the program. */
struct dispatch {
	enum { DISPATCH_OTHER, DISPATCH_SPAN, DISPATCH_PROGRAM } type;
	uint16_t rule;
	uint64_t guards; /* when one of these holds, an earlier rule may match: ask the program */
};

/* What operands are made of besides names, numbers and strings. */
struct operands {
	bool declared;
	struct tokenset pairs; /* groups of these are operands, and go on others */
	struct texts words;    /* keywords that are operands */
	struct texts joins;    /* what is between two operands and makes them one */
};

struct tokenizer {
	char *name, *file;
	bool ignore_case;
	enum layout layout;
	uint8_t layout_pair;
	struct tokenset layout_inside; /* pairs in which indentation counts, beside the layout pair
	                                  itself */

	struct rule *rules;
	struct word *words;
	struct pair *pairs; /* [0] is the top */
	struct guard *guards;
	struct item_rule *items;
	struct texts globs;
	struct hint *interpreters, *contents;
	size_t n_rules, n_words, n_pairs, n_guards, n_items, n_interpreters, n_contents;
	size_t cap_rules, cap_words, cap_pairs, cap_guards, cap_items, cap_interpreters,
		cap_contents;
	struct texts holds;      /* names of the tokenizers of what is packed in such files */
	struct tokenizer **held; /* those */
	size_t n_held;
	unsigned n_bits;
	char *simplest[TOKEN_N_KINDS];
	struct texts formatters; /* commands that format a file, the first one that is there */
	char *import_word;       /* what imports begin with that may not be left; NULL: none */
	uint8_t tally;           /* the pair whose brackets are heads with counts; 0: none is */
	char tally_signs[2];     /* of those that are counted by the one, and by the other */
	char *numeric_sign;      /* of numbers that are names; NULL: none are */
	char *name_marks[2];     /* bytes in front of a name, and behind it; NULL: none are */
	char *section_end;       /* of a section that has lost its end; NULL: none */
	struct texts branches;   /* words that begin the last item of a section */
	bool numbered_names;     /* the numbers among the marked names count */
	bool gone_items;         /* an item goes with what it mentions */
	uint8_t choices; /* the pair of brackets that say where control came from; 0: none does */
	struct texts stand_ins[STAND_IN_N];
	struct texts declares[DECLARES_N];
	struct rewrite *rewrites;
	size_t n_rewrites, cap_rewrites;
	struct rewrite *gone; /* of what mentions a definition that goes */
	size_t n_gone, cap_gone;
	struct operands operands;
	struct schema *schema; /* of binary files; NULL: none */

	/* set by tokenizer_compile */
	pcre2_code *program;
	bool jit;
	unsigned captures; /* groups of the program that the lexer reads */
	struct dispatch first[256];
	struct tokenset item_tokens[3]; /* union of the tokens of all item rules of a type */
	uint32_t word_lengths[256]; /* by first byte: bit n set when a word of n bytes begins with
	                               it */
	struct map word_map;        /* numbers of words */
};

/* Reads FILE's directives; patterns are only stored. */
struct tokenizer *tokenizer_parse(const char *file, struct err *err);

/* Reads only what says what FILE, found in a directory, is for: of many definitions one is used. */
struct tokenizer *tokenizer_skim(const char *file, struct err *err);

/* Reads the rest of what was skimmed, and makes it ready for the lexer. */
int tokenizer_complete(struct tokenizer *tok, struct err *err);

/* Makes a parsed definition ready for the lexer; idempotent. */
int tokenizer_compile(struct tokenizer *tok, struct err *err);

/* Compiles CODE to machine code; false: it cannot be, and is interpreted. */
bool tokenizer_jit(pcre2_code *code);

/* The code of a single pattern as the program has it, with errors placed at LINE:COLUMN of the
 * definition. */
pcre2_code *tokenizer_pattern(const struct tokenizer *tok, const char *pattern, unsigned line,
                              unsigned column, uint32_t options, struct err *err);

/* The word with the LEN > 0 bytes at TEXT, NULL when it means nothing to this tokenizer. */
const struct word *tokenizer_word(const struct tokenizer *tok, const uint8_t *text, uint32_t len);
