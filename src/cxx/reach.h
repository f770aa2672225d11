/* Who mentions whom: the declarations of a large source and what each of them needs, guessed from
 * its tokens and its bracket tree.
 *
 * A *declaration* is a statement of the file itself, or of the body of a namespace or a type: of an
 * item whose group in braces is no function's and no initializer. It *declares* names (of what it
 * is followed by a parameter list, a body, "=", ...) and *mentions* all others that are in it,
 * what its own declarations mention left out. From what is to stay the others are reached over the
 * names that are mentioned; those that declare them stay, and what they mention. Names of members
 * count only while their type stays.
 *
 * So is a statement of a function that most of the file is in (a module of JavaScript). An entry of
 * a table, which is a list in braces or brackets, is an item of its own: who goes takes the entries
 * that mention it along, and not the table.
 *
 * Many declare the same names (overloads, specializations), so reaching all of them is too much and
 * not all too little. A name therefore has a *level*: how often it is declared, as a power of two.
 * To reach at level L is to follow the names up to that level, see reach_live.h.
 *
 * Nothing of this is exact. A search (reach_search.h) finds out what is missing.
 */
#pragma once

#include "base/map.h"
#include "base/mem.h"
#include "search/view.h"

#define REACH_NONE UINT32_MAX
enum { REACH_ANYWHERE = 63 };

enum reach_kind {
	REACH_PLAIN,
	REACH_SPACE,  /* what it holds stands by itself, and needs it: a namespace, extern "C" */
	REACH_TYPE,   /* what it holds is reached only while it stays */
	REACH_CODE,   /* a function near the end, whose statements are looked at one by one */
	REACH_BODY,   /* of a function, which can do without: it becomes a declaration */
	REACH_HEAD,   /* the file has to begin with it: `package x` */
	REACH_MARKER, /* a line marker: `# 12 "file.h"`; what follows it needs it */
};

/* What makes an item a definition: without it the item is a declaration, or does nothing. */
struct reach_definition {
	uint32_t begin, end; /* tokens, the last one not included; begin REACH_NONE: it is none, or
	                        must be one */
	const char *stub;    /* what stands in for it */
};

/* What is said of an item in a language whose tokenizer knows the words (`declaration`). */
struct reach_said {
	uint32_t name;  /* the token that it is called by; or REACH_NONE */
	uint32_t value; /* a name of the item that has its value, in `const ( )`; or REACH_NONE */
	uint32_t of;    /* the name of the type that it is a method of, outside of that:
	                   `func (t *T) f()`; or REACH_NONE */
	uint8_t holds;  /* what the items of its body are, enum declares. `const ( )`, `struct { }`:
	                   they do not say so. DECLARES_N: they do */
	bool tied;      /* it goes with the last mention: an import */
	bool keeps_first; /* the first item of the body stays with it: it may not be empty */
};

#define REACH_SAID_NOTHING                                                   \
	(struct reach_said)                                                  \
	{                                                                    \
		REACH_NONE, REACH_NONE, REACH_NONE, DECLARES_N, false, false \
	}

struct reach_item {
	uint32_t node; /* in the tree */
	uint32_t body; /* the group that holds its declarations; TREE_NONE: none */
	struct reach_definition def;
	struct reach_said said;
	uint32_t first;                /* token */
	uint32_t parent, marker;       /* the declaration around it, the line marker before it;
	                                  REACH_NONE:       none */
	uint32_t begin, end;           /* what is cut when it goes */
	uint32_t declares, n_declares; /* names */
	uint32_t mentions, n_mentions;
	uint32_t scope;  /* the namespaces around it, a hash (inline ones and those without a name
	                    are left out) */
	uint8_t kind;    /* enum reach_kind */
	uint8_t library; /* the outermost namespace around it; 0: none */
	bool stays_with_type : 1; /* stays with its type, whatever is mentioned: a constructor; in a
	                 script, what is about nothing that the file declares */
	bool overloaded : 1;      /* one of several of its name: an overload, a specialization */
	bool out_of_line : 1;     /* reached when all its names are mentioned: a member defined
	                             elsewhere */
	bool data : 1;            /* and it is no function */
	bool special : 1;         /* a specialization of a type, which must be declared before it */
	bool instance : 1; /* `template class name<int>;`, which wants to see the whole type */
	bool entries : 1;  /* it holds the entries of a table, which stay with it unless what they
	                  mention goes; of a type: unless all of it goes */
};

struct reach_spaces {
	uint32_t n, names[REACH_ANYWHERE];
};

/* Names as numbers. */
struct reach_texts {
	struct map numbers; /* of texts, */
	uint64_t *hashes;   /* by which they are told apart */
	uint32_t n, cap;
};

/* Immutable, counted. */
struct reach {
	unsigned refs;
	struct view *view;
	uint32_t tail;      /* offset: of functions after it the statements are items */
	struct arena arena; /* texts that stand in for bodies */
	bool bodies; /* not their statements: their bodies, as in front of it, and constexpr ones,
	                too */
	uint32_t n, cap;
	struct reach_item *items; /* in document order, who holds others before them */
	uint32_t n_names, cap_names;
	struct reach_texts texts;
	uint32_t *names; /* what items declare and mention */
	uint8_t *where;  /* and in which library a mention looks first, or REACH_ANYWHERE */
	struct reach_spaces libraries; /* the first is for what is in none */
	uint32_t *first_child; /* children of item i are child[first_child[i]] up to first_child[i +
	                          1], those of the file have i == n */
	uint32_t *child;
	uint32_t *first_by; /* likewise, which items declare a name */
	uint32_t *by;
	uint32_t *first_in; /* likewise, which items mention a name */
	uint32_t *in;
	uint8_t *methods;  /* of a name: nothing mentions a method of it by the method's name */
	uint8_t *level[2]; /* of a name, for declarations that are not overloaded, and for those
	                      that are */
};

/* The view has its tree. NULL when it is one of several files or its language has no
 * declarations. */
struct reach *reach_new(struct view *view, uint32_t tail, bool bodies);
/* Does a function without its body declare it, and must names be declared before they are used, as
 * in C? Else the order is free. Of the language of a view, and of R. */
bool reach_is_forward_in(const struct view *view);
static inline bool reach_is_forward(const struct reach *r)
{
	return reach_is_forward_in(r->view);
}

/* Does the language say with which words declarations begin (`declaration` of its tokenizer)? */
bool reach_is_worded(const struct view *view);

/* The number of the name that a token is; REACH_NONE: it is none, or nothing has it as a name. */
uint32_t reach_name_at(const struct reach *r, uint32_t token);
/* The cut of an item; a body becomes what may stand in for one. */
struct edit_part reach_cut(const struct reach *r, uint32_t item);
/* Is NAME that of an outermost namespace? */
bool reach_is_library(const struct reach *r, uint32_t name);
/* Is item I a part of an inline namespace that says so? */
bool reach_is_inline(const struct reach *r, uint32_t i);
/* Is item I a member: of a type, or of a function? */
bool reach_is_member(const struct reach *r, uint32_t i);
/* Is item I item OUTER, or in it? */
static inline bool reach_holds(const struct reach *r, uint32_t outer, uint32_t i)
{
	while (i != REACH_NONE && i > outer)
		i = r->items[i].parent;
	return i == outer;
}

struct reach *reach_ref(struct reach *r);
void reach_unref(struct reach *r);
