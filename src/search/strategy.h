/* Strategies: each finds edits of one kind in a view. Two shapes:
 *
 * A *list* strategy gives disjoint elements (lines, items of one level, tokens, ...) in document
 * order, any subset of which may be taken at once. It is reduced by blocks, from one block of
 * everything down to single elements.
 *
 * A *cutting* strategy is the pluggable one of seed 004: starts i; for a start, ends j; an edit for
 * (i, j); and a way to enlarge an edit that worked. Its edits may overlap. They are tried in chaos
 * or in deterministic order.
 *
 * What a strategy computes about a view is its *plan of places* (struct edit_sites), shared and
 * immutable.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "search/view.h"
#include "lang/coded.h"
#include "text/edit.h"
#include "binary/repair.h"

enum strategy_shape { STRATEGY_LIST, STRATEGY_CUTTING };

enum strategy_needs {
	STRATEGY_LINES = 1,
	STRATEGY_TOKENS = 2,
	STRATEGY_TREE = 4 | STRATEGY_TOKENS,
};

/* `bytes` takes single bytes of test cases smaller than this, of larger ones a few at a time. */
#define STRATEGY_BYTES_MAX (1u << 18)

/* Options of the user that strategies respect. */
struct strategy_options {
	bool keep_names;
};

struct strategy;
struct search;

/* A coded word and the view that it is in, which may be within another. */
struct shell {
	const struct coded *word;
	struct view *view;
	const struct shell *outer; /* NULL: the view is of the test case */
};

struct part_text {
	const uint8_t *bytes;
	uint32_t len;
};

/* The parts of elements, sorted within each. Nearly always an element is one cut, so that is what
 * takes little memory. */
struct parts {
	uint32_t n, cap;
	struct range *cuts;
	struct part_text *texts; /* what stands in place of each; NULL: nothing anywhere */
	uint32_t *first;         /* of each element, and behind the last; NULL: each has one part */
	uint32_t cap_first;
};

struct edit_sites {
	unsigned refs;
	uint32_t level; /* for open, which may hand another one on */
	struct strategy_options options;
	const struct strategy *strategy;
	struct view *view;
	struct arena arena; /* everything below lives here */
	uint32_t n;         /* list: elements; cutting: starts */
	struct parts parts; /* list shape: of the elements */
	/* List shape, where elements are between separators: element e belongs to the list that
	 * ends before element list_end[e], and is the item node[e], whose comma must go when all
	 * elements after it are gone. NULL: none. */
	uint32_t *list_end, *node;
	/* What the cuts of a question change elsewhere; NULL: nothing. */
	struct repair *repair;
	bool unproven; /* what cuts of these records change elsewhere may be nothing: search/proof.h
	                */
	bool mends;    /* the view's edits change what they have to (search/mends.h) */
	bool tied; /* such things are repaired, too: that an edit works then says nothing of records
	            */
	/* What the view is within, where it is of what a coded word says (lang/coded.h): edits are
	 * those of what the word says. NULL: it is of the test case. */
	const struct shell *shell;
	void *data; /* the strategy's own */
};

struct strategy {
	enum strategy_shape shape;
	unsigned needs; /* set of enum strategy_needs; the view has these before open */
	/* The number of levels it works on one after another: of a view, or else the same for all
	 * (0: 1). */
	uint32_t (*levels)(const struct view *);
	uint32_t n_levels;
	void (*open)(struct edit_sites *);
	struct search *(*search)(struct view *, uint32_t level); /* a search of its own, instead of
	                                                            open and all below; NULL, or
	                                                            gives NULL: there is none */
	bool proves; /* what it cuts are records: that one of its edits works proves them */
	bool bare;   /* what mentions definitions that it removes stays as it is (lang/references.h)
	              */
	/* Cutting shape. */
	uint32_t (*ends)(const struct edit_sites *, uint32_t i); /* of a start, or else the same
	                                                            number for all (0: 1) */
	uint32_t n_ends;
	bool (*edit)(const struct edit_sites *, uint32_t i, uint32_t j, struct arena *,
	             struct edit *out); /* false: none here; NULL: enlarge with k = 0 */
	/* The k-th enlargement (k >= 1) of (i, j), which contains the (k - 1)th; false when there
	 * is none. NULL: cannot. */
	bool (*enlarge)(const struct edit_sites *, uint32_t i, uint32_t j, uint32_t k,
	                struct arena *, struct edit *out);
};

static inline uint32_t strategy_levels(const struct strategy *s, const struct view *view)
{
	return s->levels ? s->levels(view) : s->n_levels ? s->n_levels : 1;
}

/* What edits of PLACES take is from now on REPAIR, of which the places take the reference; NULL:
 * nothing. For open. */
void edit_sites_repair(struct edit_sites *edit_sites, struct repair *repair);

/* PLACES are from now on in INNER, of which they take the reference: what WORD of their view so
 * far, itself in their arena, says. For open. */
void edit_sites_within(struct edit_sites *edit_sites, const struct coded *word, struct view *inner);

/* What an edit of PLACES is to the test case, with what it repairs. */
struct edit edit_sites_edit(const struct edit_sites *edit_sites, struct edit plain,
                            struct arena *arena);

static inline uint32_t edit_sites_ends(const struct edit_sites *p, uint32_t i)
{
	const struct strategy *s = p->strategy;
	return s->ends ? s->ends(p, i) : s->n_ends ? s->n_ends : 1;
}

/* The edit (i, j) of a cutting strategy; false: there is none. */
static inline bool edit_sites_cut(const struct edit_sites *p, uint32_t i, uint32_t j,
                                  struct arena *arena, struct edit *out)
{
	const struct strategy *s = p->strategy;
	return s->edit ? s->edit(p, i, j, arena, out) : s->enlarge(p, i, j, 0, arena, out);
}

/* Is that another edit than PLAIN? */
static inline bool edit_sites_change_edits(const struct edit_sites *edit_sites)
{
	return edit_sites->repair || edit_sites->shell || edit_sites->mends;
}

/* Computes the places of a view at LEVEL. The view has what strategy->needs says. */
struct edit_sites *edit_sites_new(const struct strategy *strategy, struct view *view,
                                  uint32_t level, const struct strategy_options *options);
struct edit_sites *edit_sites_ref(struct edit_sites *edit_sites);
void edit_sites_unref(struct edit_sites *edit_sites);

/* Element e is the parts [edit_sites_first(p, e), edit_sites_first(p, e + 1)). */
static inline uint32_t edit_sites_first(const struct edit_sites *p, uint32_t e)
{
	return p->parts.first ? p->parts.first[e] : e;
}

static inline struct edit_part edit_sites_part(const struct edit_sites *p, uint32_t i)
{
	const struct range *cut = &p->parts.cuts[i];
	struct part_text none = { 0 }, text = p->parts.texts ? p->parts.texts[i] : none;
	return (struct edit_part){ cut->begin, cut->end, text.len, text.bytes };
}

/* Where element E begins. */
static inline uint32_t edit_sites_at(const struct edit_sites *p, uint32_t e)
{
	return p->parts.cuts[edit_sites_first(p, e)].begin;
}

/* For list strategies: adds an element of one part (in document order), or begins one of several
 * parts. */
void edit_sites_add(struct edit_sites *edit_sites, uint32_t begin, uint32_t end, const char *text,
                    uint32_t len);
void edit_sites_add_part(struct edit_sites *edit_sites, uint32_t begin, uint32_t end,
                         const char *text, uint32_t len);
void edit_sites_end_element(struct edit_sites *edit_sites);
void edit_sites_drop(struct edit_sites *edit_sites,
                     const bool *drops); /* elements, each true or false */
