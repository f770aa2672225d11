/* A number in the message may say where something is ("first at 410"), and not what: then all in
 * front of it would have to stay. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/signature.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "disk/input.h"
#include "first/ask.h"
#include "first/attributes.h"
#include "reduce/probe.h"
#include "reduce/session.h"
#include "text/testcase.h"

/* Numbers that are words; in versions, names and places they are not. */
#define NUMBER "(?<![\\w.:-])\\d+(?![\\w:-]|\\.\\d)"

static bool is_in_word(char c)
{
	return strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-", c) && c;
}

/* Does the LEN bytes' number at DIGITS stand in TC as a word of its own? */
static bool stands_in(const struct testcase *tc, const char *digits, size_t len)
{
	const char *begin = (const char *)tc->bytes, *end = begin + tc->size, *at = begin;
	while ((at = memmem(at, (size_t)(end - at), digits, len))) {
		bool inside = (at > begin && is_in_word(at[-1])) ||
		              (at + len < end && is_in_word(at[len]));
		if (!inside)
			return true;
		at++;
	}
	return false;
}

/* Has SIGNATURE a number that the operands do not have, so that the program has counted? */
static bool counts_something(const char *signature, const struct session_options *s)
{
	static const char digit[] = "0123456789";
	SCOPED(input_release) struct input input = { 0 };
	if (!strpbrk(signature, digit) || input_find_result(&input, s->files, s->n_files, NULL) < 0)
		return false;
	TESTCASE_SCOPED struct testcase *tc = input_read(&input, NULL);
	if (tc)
		testcase_flat(tc);
	for (const char *at = signature; tc && *(at += strcspn(at, digit));) {
		size_t len = strspn(at, digit);
		bool inside =
			(at > signature && is_in_word(at[-1])) ||
			(is_in_word(at[len]) && !(at[len] == '.' && !strchr(digit, at[len + 1])));
		if (!inside && !stands_in(tc, at, len))
			return true;
		at += len;
	}
	return false;
}

/* What FAMILY, the text of one, finds in O; the caller's. NULL: nothing. */
static char *found_by(const char *family, const struct outcome *o, const struct session_options *s)
{
	struct family *f = family_parse("family", family, NULL);
	struct signature found = { 0 };
	BUF_SCOPED struct buf text = outcome_text(o);
	MEM_SCOPED const char **own = mem_zero(s->n_files + 1, sizeof *own);
	for (size_t i = 0; i < s->n_files; i++)
		own[i] = s->files[i];
	bool any = f && family_find(f, text.data, text.len, own, &found);
	family_free(f);
	return any ? found.text : NULL;
}

/* C without the numbers, of which the caller frees family and signature. */
static bool relax(struct condition *relaxed, const struct condition *c, const struct outcome *model,
                  const struct session_options *s)
{
	*relaxed = *c;
	relaxed->family = mem_printf("%s\nmask %s => %s\n", c->family, NUMBER, SIGNATURE_MASK);
	relaxed->signature = found_by(relaxed->family, model, s);
	return relaxed->signature && strcmp(relaxed->signature, c->signature) != 0;
}

/* A few questions to the RELAXED condition, from the operands on: is there another number at their
 * end? */
static int look(struct condition *relaxed, const struct condition *c, const struct observation *how,
                const struct outcome *model, bool *varies, struct err *err)
{
	/* The first rounds of a reduction cut halves, quarters, eighths. The place of a failure in
	 * a list of lines moves by 8 questions, in a document of XML by 16; by 4 neither does. */
	enum { QUESTIONS = 16 };
	struct condition limited = *relaxed;
	SCOPED(outcome_release) struct outcome o = { 0 };
	struct observation shrunk = *how;
	/* As in the reduction: what is decided must not depend on how busy the machine is. */
	const uint64_t given_ns = how->session->tests.timeout_ns;
	limited.limit_ns = given_ns ? given_ns : probe_limit(model->wall_ns);
	MEM_SCOPED char *test = ask_write_test(&limited, err);
	shrunk.relaxed = test;
	shrunk.questions = QUESTIONS;
	int rc = test ? ask_observe(&shrunk, 1, &o, err) : -1;
	if (test)
		unlink(test);
	if (rc < 0)
		return rc;
	MEM_SCOPED char *strictly = found_by(c->family, &o, how->session),
			*loosely = found_by(relaxed->family, &o, how->session);
	*varies = strictly && loosely && strcmp(strictly, c->signature) != 0 &&
	          !strcmp(loosely, relaxed->signature);
	return 0;
}

int ask_free_numbers(struct condition *c, const struct observation *how,
                     const struct outcome *model, struct err *err)
{
	struct condition relaxed;
	bool varies = false;
	int rc = 0;
	if (!c->signature || !strpbrk(c->signature, "0123456789"))
		return 0;
	bool maybe = relax(&relaxed, c, model, how->session);
	/* What was decided once stands: the test is found again by its name, and when a reduction
	 * goes on, FILE is another one. */
	if (maybe && ask_has_test(&relaxed))
		varies = true;
	else if (maybe && !ask_has_test(c) && counts_something(c->signature, how->session))
		rc = look(&relaxed, c, how, model, &varies, err);
	if (varies) {
		free(c->family);
		free(c->signature);
		c->family = relaxed.family;
		c->signature = relaxed.signature;
	} else {
		free(relaxed.family);
		free(relaxed.signature);
	}
	return rc;
}
