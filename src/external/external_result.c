/* What external programs answer, as edits; and those as places that a hunt goes through. */
#include <jansson.h>

#include "external/external_result.h"
#include "text/diff.h"

enum { MAX_PARTS = 100000 }; /* of one edit */

struct external_result *external_result_new(bool failed)
{
	struct external_result *r = mem_zero(1, sizeof *r);
	r->refs = 1;
	r->failed = failed;
	return r;
}

struct external_result *external_result_ref(struct external_result *result)
{
	result->refs++;
	return result;
}

void external_result_unref(struct external_result *result)
{
	if (!result || --result->refs)
		return;
	arena_release(&result->arena);
	free(result);
}

/* ---- lists ---- */

/* A span [begin, end) of the base. */
static bool parse_range(const struct testcase *base, const json_t *begin, const json_t *end,
                        uint32_t *from, uint32_t *to)
{
	json_int_t b = json_is_integer(begin) ? json_integer_value(begin) : -1;
	json_int_t e = json_is_integer(end) ? json_integer_value(end) : -1;
	if (b < 0 || b > e || e > base->size)
		return false;
	*from = (uint32_t)b;
	*to = (uint32_t)e;
	return true;
}

/* [begin, end], [begin, end, "text"], or [begin, end, [from, to]]: with the bytes that stand there.
 */
static bool parse_part(const struct testcase *base, const json_t *part, struct arena *arena,
                       struct edit_part *out)
{
	*out = (struct edit_part){ 0 };
	size_t n = json_array_size(part);
	if (n < 2 || n > 3 ||
	    !parse_range(base, json_array_get(part, 0), json_array_get(part, 1), &out->begin,
	                 &out->end))
		return false;
	const json_t *by = json_array_get(part, 2);
	uint32_t from = 0, to = 0;
	const void *bytes = "";
	if (json_is_string(by)) {
		bytes = json_string_value(by);
		to = (uint32_t)json_string_length(by);
	} else if (json_is_array(by)) {
		if (json_array_size(by) != 2 ||
		    !parse_range(base, json_array_get(by, 0), json_array_get(by, 1), &from, &to))
			return false;
		bytes = base->bytes + from;
	} else if (by)
		return false;
	out->len = to - from;
	if (!out->len)
		return true;
	out->text = arena_copy(arena, bytes, out->len);
	return true;
}

static bool parse_edit(const struct testcase *base, const json_t *list, struct external_result *r)
{
	size_t n = json_array_size(list), kept = 0;
	if (!json_is_array(list) || n > MAX_PARTS || r->n == EXTERNAL_MAX_EDITS)
		return false;
	struct edit_part *parts = arena_alloc(&r->arena, (n + 1) * sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		if (!parse_part(base, json_array_get(list, i), &r->arena, &parts[kept]))
			return false;
		kept += parts[kept].begin != parts[kept].end || parts[kept].len;
	}
	if (!edit_make(&r->arena, parts, (uint32_t)kept, &r->edits[r->n]))
		return false;
	r->n += kept > 0;
	return true;
}

static bool parse_line(const struct testcase *base, const char *text, size_t len,
                       struct external_result *r)
{
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL, NULL);
	json_t *instances = json_object_get(line, "instances"),
	       *edits = json_object_get(line, "edits");
	bool good = json_is_object(line);
	if (good && instances) {
		json_int_t n = json_is_integer(instances) ? json_integer_value(instances) : -1;
		good = n >= 0;
		r->instances = !good                    ? 0
		               : n < EXTERNAL_MAX_EDITS ? (uint32_t)n
		                                        : EXTERNAL_MAX_EDITS;
	}
	if (good && edits)
		good = parse_edit(base, edits, r);
	json_decref(line);
	return good;
}

struct external_result *external_parse_list(const struct testcase *base, const char *text,
                                            size_t len)
{
	struct external_result *r = external_result_new(false);
	r->edits = arena_alloc(&r->arena, EXTERNAL_MAX_EDITS * sizeof *r->edits);
	for (const char *at = text, *end = text + len; at < end; at++) {
		const char *nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		if (nl != at && !parse_line(base, at, (size_t)(nl - at), r)) {
			external_result_unref(r);
			return external_result_new(true);
		}
		at = nl;
	}
	return r;
}

struct external_result *external_parse_file(const struct testcase *base, const uint8_t *bytes,
                                            uint32_t len)
{
	struct external_result *r = external_result_new(false);
	r->edits = arena_alloc(&r->arena, sizeof *r->edits);
	*r->edits = diff_edit(&r->arena, base, bytes, len);
	r->n = len && r->edits->n ? 1 : 0;
	return r;
}

/* ---- places ---- */

static bool external_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                          struct arena *arena, struct edit *out)
{
	const struct edit *edits = p->data;
	*out = edit_copy(arena, edits[i]);
	return true;
}

static const struct strategy external_strategy = {
	.shape = STRATEGY_CUTTING,
	.edit = external_edit,
};

/* Parts and their bytes, so that the edit outlives where it came from. */
static struct edit deep_copy(struct arena *arena, struct edit edit)
{
	struct edit_part *parts = arena_alloc(arena, edit.n * sizeof *parts);
	for (uint32_t i = 0; i < edit.n; i++) {
		parts[i] = edit.parts[i];
		uint8_t *text = arena_copy(arena, parts[i].text, parts[i].len);
		parts[i].text = parts[i].len ? text : NULL;
	}
	return (struct edit){ edit.n, parts };
}

struct edit_sites *external_places(struct view *view, struct external_result *const *results,
                                   uint32_t n)
{
	struct edit_sites *p = mem_alloc(sizeof *p);
	*p = (struct edit_sites){ .refs = 1,
		                  .strategy = &external_strategy,
		                  .view = view_ref(view) };
	size_t total = 0;
	for (uint32_t i = 0; i < n; i++)
		total += results[i]->n;
	struct edit *edits = p->data = arena_alloc(&p->arena, (total + 1) * sizeof *edits);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < results[i]->n; k++)
			edits[p->n++] = deep_copy(&p->arena, results[i]->edits[k]);
	return p;
}
