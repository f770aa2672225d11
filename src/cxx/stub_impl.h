/* How stubs are found; for stub_find.c, stub_front.c and stub_text.c. */
#ifndef WHITTLE_CXX_STUB_IMPL_H
#define WHITTLE_CXX_STUB_IMPL_H

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

enum stub_kind {
	STUB_UNKNOWN,
	STUB_TYPE,
	STUB_NUMBER,
	STUB_FUNCTION,
	STUB_DATA,
	STUB_CONCEPT,
	STUB_N_KINDS
};

/* What NAME is in front of the tail; a STUB_NUMBER has *ITS of *LEN bytes in the source for the
 * type. */
enum stub_kind stub_front_kind(const struct reach *r, uint32_t tail, uint32_t name,
                               const char **its, uint32_t *len);
/* Is NAME declared in front of the tail, where a name without qualifiers finds it? */
bool stub_in_front(const struct reach *r, uint32_t tail, uint32_t name, bool anywhere);

/* Is NAME a namespace in front of the tail? */
bool stub_space_in_front(const struct reach *r, uint32_t tail, uint32_t name);

struct stub_names {
	char type[2], object[2], derived[2];
};

/* The declaration of the stub, with what the tail asks of it; N: its object is a member. */
const char *stub_declaration(const struct stub_row *row, const struct stub_names *n,
                             enum stub_form form, struct arena *arena);

#endif
