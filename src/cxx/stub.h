/* Stubs: the end of a large C++ source without what stands in front of it.
 *
 * What a *mention* of the front (`std::map<K, V>::iterator`, `std::move`) says to the compiler
 * rarely matters for a bug in the tail; that something stands there does. So one type, the *stub*,
 * takes the place of all of them: it is made of anything, becomes anything, can be called, and has
 * whatever members and operators the tail asks for. A type that is mentioned becomes the stub, a
 * template with arguments a template derived from it, which tells such types apart, a variable or
 * function an object of it, a name for an arithmetic type that type.
 *
 * Which is which, and what is declared in front at all, is guessed from struct reach.
 */
#pragma once

#include "cxx/reach.h"

enum stub_form {
	STUB_TYPED, /* with the template */
	STUB_FLAT,  /* without; and it becomes references, not values */
	STUB_SHY,   /* likewise, and a number becomes it only where that is asked for: so both may
	               stand in `c ? 1 : stub` */
	STUB_FORMS,
};

struct stub_mention {
	uint32_t begin, end; /* what is replaced; sorted by begin, may be nested */
	uint32_t args;       /* where its template arguments begin, when they may stay; else 0 */
	uint32_t name;       /* its last identifier, as in struct reach */
	uint32_t len;
	const char *text; /* what takes its place */
};

struct stubs {
	struct arena arena; /* everything below lives here */
	uint32_t tail;      /* the offset where the tail begins: a declaration of the file itself */
	uint32_t n;
	struct stub_mention *mentions;
	const char *name; /* of the template */
	const char *declaration[STUB_FORMS];
};

/* Of a source in C++ with a tail behind the last declaration of a library; tail is 0 when it is
 * none or has no such tail. The caller calls stubs_release. */
void stubs_find(const struct reach *r, struct stubs *out);
void stubs_release(struct stubs *stubs);
