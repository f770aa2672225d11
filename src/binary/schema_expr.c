/* Expressions of schemas: sums, products, comparisons of numbers that were read. */
#include <ctype.h>

#include "base/mem.h"
#include "binary/schema_def.h"

enum { LEVELS = 4, NESTED = 64 };

int schema_name(struct schema *t, const char *text, size_t len)
{
	for (size_t i = 0; i < t->n_names; i++)
		if (strlen(t->names[i]) == len && !memcmp(t->names[i], text, len))
			return (int)i;
	MEM_PUSH(t->names, t->n_names, t->cap_names, mem_printf("%.*s", (int)len, text));
	return (int)t->n_names - 1;
}

static int add_node(struct schema *t, struct expr e)
{
	MEM_PUSH(t->exprs, t->n_exprs, t->cap_exprs, e);
	return (int)t->n_exprs - 1;
}

struct operator
{
	const char *text;
	int level; /* from the one that binds least */
	enum expr_op op;
};

static const struct operator operators[] = {
	{ "==", 0, EXPR_EQUAL }, { "!=", 0, EXPR_OTHER }, { "<<", 2, EXPR_SHIFT },
	{ "<", 0, EXPR_LESS },   { ">", 0, EXPR_MORE },   { "&", 1, EXPR_AND },
	{ "+", 2, EXPR_ADD },    { "-", 2, EXPR_SUB },    { "*", 3, EXPR_MUL },
	{ "/", 3, EXPR_DIV },    { "%", 3, EXPR_MOD },
};

static const struct operator* operator_at(const char *at, int level)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (operators[i].level == level &&
		    !strncmp(at, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

static int parse_level(struct schema *t, const char **at, int level, int nested);

static int parse_operand(struct schema *t, const char **at, int nested)
{
	const char *start = *at;
	struct expr e = { .op = EXPR_NUMBER, .left = SCHEMA_NONE, .right = SCHEMA_NONE };
	if (*start == '(' && nested < NESTED) {
		++*at;
		int inner = parse_level(t, at, 0, nested + 1);
		return inner >= 0 && *(*at)++ == ')' ? inner : SCHEMA_NONE;
	}
	if (*start == '^' && nested < NESTED) {
		++*at;
		e.op = EXPR_PLACE;
		e.left = parse_operand(t, at, nested + 1);
		return e.left >= 0 ? add_node(t, e) : SCHEMA_NONE;
	}
	if (*start == '$' || *start == '.') {
		e.op = *start == '$' ? EXPR_HERE : EXPR_LEFT;
		++*at;
		return add_node(t, e);
	}
	if (isdigit((unsigned char)*start)) {
		char *end;
		e.value = strtoll(start, &end, 0);
		*at = end;
		return e.value > INT32_MAX ? SCHEMA_NONE : add_node(t, e);
	}
	while (isalnum((unsigned char)**at) || **at == '_')
		++*at;
	if (*at == start)
		return SCHEMA_NONE;
	e.op = EXPR_NAME;
	e.value = schema_name(t, start, (size_t)(*at - start));
	return add_node(t, e);
}

static int parse_level(struct schema *t, const char **at, int level, int nested)
{
	if (level == LEVELS)
		return parse_operand(t, at, nested);
	int left = parse_level(t, at, level + 1, nested);
	const struct operator* o;
	while (left >= 0 && (o = operator_at(*at, level))) {
		*at += strlen(o->text);
		int right = parse_level(t, at, level + 1, nested);
		if (right < 0)
			return SCHEMA_NONE;
		left = add_node(
			t, (struct expr){ .op = (uint8_t)o->op, .left = left, .right = right });
	}
	return left;
}

int schema_parse_expr(struct schema *t, const char **at)
{
	return parse_level(t, at, 0, 0);
}

/* ---- values ---- */

static struct amount plain(int64_t value)
{
	return (struct amount){ .value = value, .add = value };
}

static struct amount place(int64_t value)
{
	return (struct amount){ .value = value, .base = value, .has_base = true };
}

static bool name_value(const struct scope *s, int name, struct amount *out)
{
	for (uint32_t i = s->n + s->n_kept; i-- > 0;) {
		const struct binding *b = i < s->n_kept ? &s->kept[i] : &s->bindings[i - s->n_kept];
		++*s->work;
		if (b->name != name)
			continue;
		*out = plain(b->value);
		if (b->is_place)
			*out = place(b->value);
		else if (b->width)
			*out = (struct amount){ .value = b->value, .mul = 1, .number = *b };
		return true;
	}
	return false;
}

static bool has(struct amount a)
{
	return a.number.width;
}

/* A + B * SIGN. */
static bool sum(struct amount a, struct amount b, int64_t sign, struct amount *out)
{
	int64_t value, add;
	if (__builtin_mul_overflow(b.value, sign, &value) ||
	    __builtin_add_overflow(a.value, value, &value) ||
	    __builtin_mul_overflow(b.add, sign, &add) || __builtin_add_overflow(a.add, add, &add))
		return false;
	*out = (struct amount){ .value = value,
		                .mul = has(a) ? a.mul : b.mul,
		                .add = add,
		                .base = a.base + b.base,
		                .number = has(a) ? a.number : b.number,
		                .has_base = a.has_base || b.has_base,
		                .crooked = a.crooked || b.crooked };
	if (a.has_base && b.has_base && sign < 0 && !has(a) && !has(b)) /* a distance */
		*out = plain(out->value);
	else if ((has(a) && has(b)) || (a.has_base && b.has_base) ||
	         (sign < 0 && (has(b) || b.has_base)))
		out->crooked = true;
	return true;
}

static bool product(struct amount a, struct amount b, struct amount *out)
{
	struct amount factor = has(a) || a.has_base ? b : a, other = has(a) || a.has_base ? a : b;
	int64_t value;
	if (__builtin_mul_overflow(a.value, b.value, &value))
		return false;
	*out = plain(value);
	out->crooked = has(factor) || factor.has_base || other.has_base || other.crooked ||
	               factor.crooked || factor.value > UINT16_MAX || factor.value < 1;
	out->number = has(other) ? other.number : factor.number;
	if (!out->crooked && has(other)) {
		out->mul = other.mul * factor.value;
		out->crooked = out->mul > UINT16_MAX ||
		               __builtin_mul_overflow(other.add, factor.value, &out->add);
	}
	return true;
}

/* Of two values; DIV to MORE. False when it has none. */
static bool combine(enum expr_op op, struct amount a, struct amount b, struct amount *out)
{
	int64_t x = a.value, y = b.value;
	if ((op == EXPR_DIV || op == EXPR_MOD) && y <= 0)
		return false;
	if (op == EXPR_SHIFT && (x < 0 || x >> 31 || y < 0 || y > 31))
		return false;
	*out = plain(op == EXPR_DIV     ? x / y
	             : op == EXPR_MOD   ? x % y
	             : op == EXPR_AND   ? (x & y)
	             : op == EXPR_SHIFT ? x * ((int64_t)1 << y)
	             : op == EXPR_EQUAL ? x == y
	             : op == EXPR_OTHER ? x != y
	             : op == EXPR_LESS  ? x < y
	                                : x > y);
	out->crooked = has(a) || has(b) || a.has_base || b.has_base;
	out->number = has(a) ? a.number : b.number;
	return true;
}

bool schema_eval(const struct scope *s, int expr, struct amount *out)
{
	const struct expr *e = &s->schema->exprs[expr];
	struct amount a, b;
	if (++*s->work > SCHEMA_WORK)
		return false;
	switch (e->op) {
	case EXPR_NUMBER:
		*out = plain(e->value);
		return true;
	case EXPR_NAME:
		return name_value(s, (int)e->value, out);
	case EXPR_HERE:
		*out = place(s->here);
		return true;
	case EXPR_LEFT:
		*out = plain(s->left);
		return true;
	case EXPR_PLACE:
		if (!schema_eval(s, e->left, &a))
			return false;
		*out = place(a.value);
		return true;
	default:
		break;
	}
	if (!schema_eval(s, e->left, &a) || !schema_eval(s, e->right, &b))
		return false;
	if (e->op == EXPR_ADD || e->op == EXPR_SUB)
		return sum(a, b, e->op == EXPR_ADD ? 1 : -1, out);
	if (e->op == EXPR_MUL)
		return product(a, b, out);
	return combine(e->op, a, b, out);
}
