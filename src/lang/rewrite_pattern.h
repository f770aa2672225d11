/* Inside of rewrites: what `rewrite` and `operand` lines become. Shared by rewrite_*.c and
 * rewrite.c only. */
#pragma once

#include "lang/tokenizer_def.h"
#include "lang/tokenizer_line.h"

enum rewrite_class {
	REWRITE_TEXT,    /* a token with this text; a bracket is gone into, or left */
	REWRITE_KIND,    /* a token of a kind */
	REWRITE_GONE,    /* an identifier whose definition goes */
	REWRITE_GROUP,   /* brackets with what they enclose */
	REWRITE_PAIR,    /* the same, of one pair */
	REWRITE_OPERAND, /* a name, number, string or group with what the `operand` line lets follow
	                  */
	REWRITE_CALLEE,  /* what of an operand is before the group that it ends with */
	REWRITE_ITEM,    /* an item */
	REWRITE_EACH,    /* nothing: what follows is at the beginning of an item of the group gone
	                    into, of each in turn */
	REWRITE_RUN,     /* tokens and groups of one item, as few as will do */
	REWRITE_LIST,    /* the same, over separators */
	REWRITE_LINES,   /* the same, over terminators and line ends too */
	REWRITE_REST,    /* all up to the closing bracket */
};

enum {
	REWRITE_MAX = 16,         /* elements of a pattern */
	REWRITE_CONTEXT = 256,    /* tokens and groups that a run may have */
	REWRITE_LINES_MAX = 1024, /* lines that lose their indentation */
};

struct rewrite_element {
	uint8_t class;  /* enum rewrite_class */
	uint8_t detail; /* kind or pair */
	const char *text, *name;
	uint32_t len;
};

struct rewrite {
	unsigned number; /* of the line */
	uint32_t n;
	struct rewrite_element pattern[REWRITE_MAX];
	uint32_t n_kept;
	uint32_t kept[REWRITE_MAX];     /* elements that stay, in order */
	char *between[REWRITE_MAX + 1]; /* what is before the first, between them, after the last */
	bool fused[REWRITE_MAX + 1];    /* per kept one: a string that becomes one with the one
	                                   before */
	bool gone;                      /* of what mentions a definition that goes */
	bool item;                      /* its item goes, too */
	char *line;                     /* names and texts of the elements live here */
};

/* GONE: of what mentions a definition that goes. */
int rewrite_parse(struct parser *p, bool gone);
/* The names of sets of rewrites that many languages have. */
int rewrite_parse_sets(struct parser *p);
int rewrite_parse_operands(struct parser *p);
void rewrite_release(struct rewrite *rewrite);
void operands_release(struct operands *operands);
