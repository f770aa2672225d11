/* The text of a stub, and the row of tokens that asks for it. */
#pragma once

#include "cxx/stub.h"

/* The tail as the row of its tokens that matter. */
struct stub_row {
	const struct reach *r;
	const struct view *v;
	uint32_t n;
	uint32_t *token; /* n entries */
	uint32_t *past; /* of one that opens a group the index after its end, else the next one's */
	uint32_t tail;  /* offset */
};

bool stub_is(const struct stub_row *row, uint32_t i, const char *text);
bool stub_is_name(const struct stub_row *row, uint32_t i);
bool stub_opens(const struct stub_row *row, uint32_t i, char bracket);
/* The number of the name at I in struct reach; REACH_NONE: it is none. */
uint32_t stub_name(const struct stub_row *row, uint32_t i);

struct stub_names {
	char type[2], object[2], derived[2];
};

/* The declaration of the stub, with what the tail asks of it; N: its object is a member. */
const char *stub_declaration(const struct stub_row *row, const struct stub_names *n,
                             enum stub_form form, struct arena *arena);
