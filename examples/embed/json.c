#include "json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *at, *end;
	const char **names; /* of the object that is open, for the look at duplicates */
	size_t n_names;
	int depth;
};

static int value(struct parser *p);

static void blanks(struct parser *p)
{
	while (p->at < p->end && isspace((unsigned char)*p->at))
		p->at++;
}

static int take(struct parser *p, char c)
{
	blanks(p);
	if (p->at == p->end || *p->at != c)
		return 0;
	p->at++;
	return 1;
}

static int string(struct parser *p)
{
	if (!take(p, '"'))
		return -1;
	for (; p->at < p->end && *p->at != '"'; p->at++)
		if (*p->at == '\\' && ++p->at == p->end)
			return -1;
	return p->at++ < p->end ? 0 : -1;
}

static int array(struct parser *p)
{
	if (take(p, ']'))
		return 0;
	do
		if (value(p) < 0)
			return -1;
	while (take(p, ','));
	return take(p, ']') ? 0 : -1;
}

static int members(struct parser *p)
{
	do {
		blanks(p);
		const char *name = p->at;
		if (string(p) < 0 || !take(p, ':') || value(p) < 0)
			return -1;
		p->names[p->n_names++ % 64] = name;
	} while (take(p, ','));
	return take(p, '}') ? 0 : -1;
}

/* The bug: the names of an empty object were never allocated, and the object around it, having more
 * than one member, writes to them. */
static int object(struct parser *p)
{
	const char **outer = p->names;
	size_t n_outer = p->n_names;
	p->names = NULL;
	p->n_names = 0;
	if (take(p, '}'))
		return 0; /* p->names = outer is missing */
	p->names = malloc(64 * sizeof *p->names);
	int rc = members(p);
	free(p->names);
	p->names = outer;
	p->n_names = n_outer;
	return rc;
}

static int value(struct parser *p)
{
	enum { DEEPEST = 200 };
	int rc = -1;
	blanks(p);
	if (p->at == p->end || ++p->depth > DEEPEST)
		return -1;
	if (*p->at == '"')
		rc = string(p);
	else if (take(p, '['))
		rc = array(p);
	else if (take(p, '{'))
		rc = object(p);
	else
		for (; p->at < p->end && (isalnum((unsigned char)*p->at) || strchr("+-.", *p->at));
		     rc = 0)
			p->at++;
	p->depth--;
	return rc;
}

int json_check(const char *text, size_t size)
{
	struct parser p = { .at = text, .end = text + size };
	if (value(&p) < 0)
		return -1;
	blanks(&p);
	return p.at == p.end ? 0 : -1;
}
