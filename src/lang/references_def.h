/* Inside of references.c and references_find.c: definitions and mentions. All offsets are of bytes.
 */
#pragma once

#include "base/mem.h"
#include "text/edit.h"

#define MEND_NONE UINT32_MAX /* no such thing, no number */

struct references_definition {
	uint32_t begin, end;           /* the token; of a section without a label its first byte */
	bool nameless;                 /* it is such a section */
	uint32_t name_begin, name_len; /* the name without its marks */
	uint32_t number;               /* the name, or MEND_NONE */
	uint32_t scope;                /* number of the item of the top */
	uint32_t section;              /* that this is the label of, or MEND_NONE */
	const char *stand_in;          /* for mentions of it, or NULL */
	uint32_t first, n;             /* its mentions */
	uint32_t edges, n_edges;       /* those outside of choices, by where they are */
};

struct references_mention {
	uint32_t begin, end; /* the token */
	uint32_t definition;
	uint32_t section;        /* in which it is, or MEND_NONE */
	uint32_t choice;         /* that says this, or MEND_NONE */
	uint32_t first, n;       /* matches, the best first */
	uint32_t item, item_end; /* the statement that it is in, with what separates it */
};

/* A change of what mentions definitions that go. */
struct references_match {
	bool item; /* the item that mentions them goes, instead */
	uint32_t n;
	struct edit_part *parts;
	uint32_t n_gone, gone[3]; /* mentions that must be of what goes */
};

struct references_choice {
	uint32_t begin, end; /* the brackets */
	uint32_t mention, section;
	uint32_t rank; /* how many choices before it in its statement name the same section */
};

struct references_statement {
	uint32_t begin, end;
	uint32_t first, n;   /* choices */
	uint32_t definition; /* that it is */
};

struct references_section {
	uint32_t begin, end;
	uint32_t last_begin, last_end; /* its last item, a branch */
	uint32_t definition;           /* its label */
	uint32_t before;               /* the section in front of it, or MEND_NONE */
	uint32_t mention, n_mentions;  /* in it */
};

/* The mentions and choices of an item of the top. */
struct references_scope {
	uint32_t begin, end;
	uint32_t body; /* where the brackets around its sections begin */
	uint32_t mention, n_mentions;
	uint32_t statement, n_statements;
	uint32_t section, n_sections;
	bool numbered;
};

struct references {
	struct arena arena;
	const uint8_t *bytes;    /* of the test case */
	const char *section_end; /* what a section ends with that has lost its end; NULL: nothing */
	bool cascades;           /* a statement goes with what it mentions */
	char mark[2];            /* in front of the name of a label where it is mentioned */
	struct {
		uint32_t definitions, mentions, matches, choices, statements, sections, scopes;
	} n;                                       /* of each list */
	struct references_definition *definitions; /* by `begin` */
	struct references_mention *mentions;       /* by `begin` */
	uint32_t *uses;                            /* mentions by definition */
	uint32_t *edges;                           /* mentions by definition */
	struct references_match *matches;
	uint32_t *order; /* of matches by mention */
	struct references_choice *choices;
	struct references_statement *statements;
	struct references_section *sections; /* by `begin` */
	struct references_scope *scopes;     /* by `begin` */
	uint8_t *reached;                    /* per section: control can come to it */
};

/* Finds the sections of SCOPE that control can come to, as the edit of W leaves them (NULL: as they
 * are). In REACHED, zeroed, is one byte for each of them. */
struct references_work;
void references_reach(const struct references *references, const struct references_scope *scope,
                      const struct references_work *w, uint8_t *reached);

/* The first definition that ends behind the offset AT; their number: there is none. */
uint32_t references_first_behind(const struct references *g, uint32_t at);
