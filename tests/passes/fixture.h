/* A case of test-cases, as its directory has it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "reduce/passes.h"
#include "base/buf.h"
#include "text/testcase.h"

enum { MAX_RULES = 16 };

enum rule_kind { RULE_HAS, RULE_NOT, RULE_COUNT, RULE_SAME, RULE_SIZE, RULE_POINTS, RULE_FITS };

struct rule {
	enum rule_kind kind;
	uint32_t n;
	pcre2_code *a, *b;
	char *text;
};

struct fixture {
	const char *dir;
	struct pass_set pass, with;
	bool keep_names, left_out;
	uint32_t n_front; /* lines ... */
	char *front;      /* ... of this; NULL: none */
	uint32_t n_rules;
	struct rule rules[MAX_RULES];
	struct testcase *input;
	struct tokenizer *tokenizer;   /* of a file */
	struct tokenizers *tokenizers; /* of a tree */
};

/* Reads the case in DIR; ends the program when there is something wrong with it. */
void fixture_read(struct fixture *c, const char *dir);
void fixture_release(struct fixture *c);

/* The file NAME beside the case; false: it is not there. */
bool fixture_file(const struct fixture *c, const char *name, struct buf *out);

/* Says what is wrong with the case, and ends. */
_Noreturn void fixture_broken(const struct fixture *c, const char *what, const char *why);
