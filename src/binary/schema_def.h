/* Inside of schemas: what `record` lines become. Shared by schema_*.c only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binary/schema.h"

struct parser;

enum {
	SCHEMA_NONE = -1,
	SCHEMA_WORDS = 4096, /* in a definition; so many nodes, names and types at most */
};

enum expr_op {
	EXPR_NUMBER,
	EXPR_NAME,
	EXPR_HERE,  /* where in the file */
	EXPR_LEFT,  /* bytes that are left of the region */
	EXPR_PLACE, /* LEFT, which is a place in the file, and moves with what is there */
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_AND,
	EXPR_SHIFT,
	EXPR_EQUAL,
	EXPR_OTHER,
	EXPR_LESS,
	EXPR_MORE,
};

struct expr {
	uint8_t op; /* enum expr_op */
	int left, right;
	int64_t value; /* of a number; of a name its index */
};

enum schema_op {
	SCHEMA_LITERAL, /* these bytes */
	SCHEMA_MASKED,  /* a byte, but for the bits of `mask`, which are the value */
	SCHEMA_RANGE,   /* a byte from `low` to `high` */
	SCHEMA_INT,
	SCHEMA_BYTES,  /* as many as `size` says, or the rest of the region */
	SCHEMA_FILL,   /* the same, which is records of `type` */
	SCHEMA_LIST,   /* `size` records of `type` */
	SCHEMA_ONE,    /* one */
	SCHEMA_MARK,   /* nothing: an offset says where something is */
	SCHEMA_LET,    /* a name for a value */
	SCHEMA_KEEP,   /* the same, beyond the end of the record */
	SCHEMA_WHEN,   /* must not be 0 */
	SCHEMA_NAMED,  /* the record whose place `name` is ends with these bytes */
	SCHEMA_BIG,    /* the byte order from here to the end of the record */
	SCHEMA_LITTLE, /* likewise */
	SCHEMA_SPAN,   /* all from where the record begins to here are so many bytes */
	SCHEMA_PAD,    /* bytes `low` up to a multiple of `size`, from where the record begins */
	SCHEMA_MEMBER, /* the record is one of the list `type` when `size` is not 0 */
	SCHEMA_WITH,   /* it goes with the record of `type` that is as far from the first */
	SCHEMA_GAP, /* `size` bytes that are of no use: there are more or fewer, so that the record
	             * is a multiple of `at` bytes */
	SCHEMA_UNTIL,  /* bytes up to where the next of these are, or the rest of the region; packed
	                * ones (enum layer_kind in `code`, not 0) up to their own end */
	SCHEMA_BY,     /* records of `type`, as the entry `size` of the table at `at` says */
	SCHEMA_SLOTS,  /* the record counts as so many */
	SCHEMA_SUM,    /* the checksum `code` of the record so far, without its first bytes */
	SCHEMA_WHOLE,  /* the same of all of it, in which it is 0 itself */
	SCHEMA_COUNT,  /* `size` is how many records of `type` the file has */
	SCHEMA_SEARCH, /* what a search among these, of `size` bytes each, begins with: OpenType's
	                */
	SCHEMA_PART,   /* `size` is how many records of `type` the record is about, from number `at`
	                * on;   `name`: its own type */
	SCHEMA_REACH,  /* `size` is how far the record reaches from `at`, where it is one of `type`
	                */
};

struct schema_word {
	uint8_t op;   /* enum schema_op */
	uint8_t code; /* enum code; those of a byte order, CODE_BIG, follow the order of then; of a
	               * sum enum sum */
	uint8_t width;
	uint8_t low, high, mask;
	int name;      /* what the value is called */
	int type;      /* of records; of an integer the list that it is a place in */
	int size, at;  /* expressions; AT: an offset in the file where it stands */
	int64_t first; /* of a place: the first record's; of a sum: bytes that are not in it */
	char *text;    /* of a literal, LEN bytes */
	uint32_t len;
};

struct schema_alternative {
	uint32_t first, n; /* words */
	int next;          /* of the same type */
};

struct schema_type {
	char *name;
	unsigned line, column; /* first mention */
	int first, last;       /* alternatives */
	bool listed;           /* integers are places in it */
	bool has_members;      /* by `member` or `table` */
	bool not_table;        /* `member` alone */
	bool leads;            /* those of others go with its records */
	int with; /* its records go with those of this type, not alone; or SCHEMA_NONE */
};

struct schema {
	size_t n_words, cap_words, n_exprs, cap_exprs, n_types, cap_types, n_names, cap_names,
		n_alternatives, cap_alternatives;
	struct schema_word *words;
	struct expr *exprs;
	struct schema_type *types; /* the first is the file */
	char **names;
	struct schema_alternative *alternatives;
};

/* Reads the rest of a `record` line. -1 after parser_fail. */
int schema_parse(struct parser *p);

/* Has each type that is mentioned records? -1 and the error in P. */
int schema_check(struct parser *p);

/* The expression at *AT, which goes on to its end; its index, or -1 when there is none. */
int schema_parse_expr(struct schema *t, const char **at);

/* The index of a name, added when it is new. */
int schema_name(struct schema *t, const char *text, size_t len);

/* ---- matching ---- */

/* A value with a name. */
struct binding {
	int name;
	int64_t value;
	uint32_t at, width; /* where it stands; WIDTH 0: nowhere */
	uint8_t code;
	bool is_place; /* the value is a place in the file */
	int list;      /* it says a place in this list, the first of which is FIRST; or -1 */
	int64_t first;
};

/* The value of an expression, and how it comes from one number of the file: value = base +
 * number * mul + add. */
struct amount {
	int64_t value, mul, add, base;
	struct binding number;  /* of width 0: it does not, or not so */
	bool has_base, crooked; /* crooked: not of this form */
};

/* Where an expression is evaluated. */
struct scope {
	const struct schema *schema;
	const struct binding *bindings, *kept; /* the last one of a name counts */
	uint32_t n, n_kept, here, left;
	uint64_t *work; /* what evaluating costs is added to it */
};

enum { SCHEMA_WORK = 1 << 28 }; /* a file that takes more does not fit */

/* False when it has no value: a name that there is not, a division by 0, an overflow, too much
 * work. */
bool schema_eval(const struct scope *scope, int expr, struct amount *out);
