/* A stub is a type with all that the tail asks of it. */
#include "cxx/stub_text.h"

#include "base/buf.h"
#include "edits/significant.h"

bool stub_is(const struct stub_row *row, uint32_t i, const char *text)
{
	if (i >= row->n)
		return false;
	uint32_t len;
	const uint8_t *bytes = token_text(row->v, row->token[i], &len);
	return len == strlen(text) && !memcmp(bytes, text, len);
}

bool stub_is_name(const struct stub_row *row, uint32_t i)
{
	return i < row->n && row->v->tokens.list[row->token[i]].kind == TOKEN_IDENTIFIER;
}

bool stub_opens(const struct stub_row *row, uint32_t i, char bracket)
{
	return i < row->n && row->past[i] > i + 1 &&
	       row->v->tc->bytes[view_token_begin(row->v, row->token[i])] == bracket;
}

uint32_t stub_name(const struct stub_row *row, uint32_t i)
{
	return stub_is_name(row, i) ? reach_name_at(row->r, row->token[i]) : REACH_NONE;
}

static bool occurs(const struct stub_row *row, const char *text)
{
	uint32_t i = 0;
	while (i < row->n && !stub_is(row, i, text))
		i++;
	return i < row->n;
}

/* Where a name stands that says which member of something is meant. */
static bool is_member(const struct stub_row *row, uint32_t i)
{
	uint32_t before = i && stub_is(row, i - 1, "template") ? i - 1 : i;
	return before && stub_is_name(row, i) &&
	       (stub_is(row, before - 1, ".") || stub_is(row, before - 1, "->") ||
	        stub_is(row, before - 1, "::"));
}

/* What mentions of a member ask for. */
enum asked {
	ASKED_DATA = 1,
	ASKED_TYPE = 2,
	ASKED_CALL = 4,
	ASKED_LIST = 8,  /* a call with a list in braces */
	ASKED_ARGS = 16, /* template arguments */
};

static unsigned what_is_asked(const struct stub_row *row, uint32_t i)
{
	bool args = stub_opens(row, i + 1, '<');
	uint32_t next = args ? row->past[i + 1] : i + 1;
	unsigned asked = args ? ASKED_ARGS : 0;
	if (stub_opens(row, next, '('))
		return asked | ASKED_CALL | (stub_opens(row, next + 1, '{') ? ASKED_LIST : 0);
	bool type = stub_is_name(row, next) && stub_is(row, i - 1, "::");
	return asked | (type ? ASKED_TYPE : ASKED_DATA);
}

/* The first mention of a member is where it is declared, with all that is asked of it. */
static bool is_first(const struct stub_row *row, uint32_t i, unsigned *all)
{
	*all = 0;
	for (uint32_t k = 0; k < row->n; k++) {
		if (!is_member(row, k) || stub_name(row, k) != stub_name(row, i))
			continue;
		if (k < i)
			return false;
		*all |= what_is_asked(row, k);
	}
	return true;
}

/* What is called and also taken as it is, is an object: it can be called, too. */
static bool is_object(unsigned asked)
{
	return asked & ASKED_DATA && asked & ASKED_CALL && !(asked & ASKED_ARGS);
}

static void add_members(struct buf *buf, const struct stub_row *row, const struct stub_names *names)
{
	const char *type = names->type;
	bool calls_list = false;
	for (uint32_t i = 0; i < row->n; i++) {
		unsigned asked;
		if (!is_member(row, i) || !is_first(row, i, &asked))
			continue;
		uint32_t n;
		const char *name = (const char *)token_text(row->v, row->token[i], &n);
		bool object = is_object(asked), function = asked & ASKED_CALL && !object;
		if (function)
			buf_addf(buf, "template<class...T>static %s&%.*s(T&&...){return %s;}\n",
			         type, (int)n, name, names->object);
		if (function && asked & ASKED_LIST)
			buf_addf(buf, "static %s&%.*s(%s){return %s;}\n", type, (int)n, name, type,
			         names->object);
		calls_list |= object && asked & ASKED_LIST;
		if (!function)
			buf_addf(buf, "%s %s %.*s;\n",
			         asked & ASKED_TYPE && !object ? "typedef" : "static", type, (int)n,
			         name);
	}
	if (calls_list)
		buf_addf(buf, "%s&operator()(%s)const;\n", type, type);
}

static void add_binary(struct buf *buf, const struct stub_row *row, const struct stub_names *names)
{
	static const char *const values[] = { "+",  "-",  "*",   "/",   "%",   "<<", ">>", "&",
		                              "|",  "^",  "->*", "+=",  "-=",  "*=", "/=", "%=",
		                              "|=", "&=", "^=",  "<<=", ">>=", "<=>" };
	static const char *const truths[] = { "==", "!=", "<", ">", "<=", ">=" };
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (occurs(row, values[i]))
			buf_addf(buf,
			         "template<class T,class U>friend %s&operator%s(T&&,U&&)"
			         "{return %s;}\n",
			         names->type, values[i], names->object);
	for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
		if (occurs(row, truths[i]))
			buf_addf(buf,
			         "template<class T,class U>friend bool operator%s(T&&,U&&)"
			         "{return 0;}\n",
			         truths[i]);
}

static void add_operators(struct buf *buf, const struct stub_row *row,
                          const struct stub_names *names)
{
	const char *type = names->type;
	static const char *const steps[] = { "++", "--" }, *const unary[] = { "+", "-", "~", "&" };
	add_binary(buf, row, names);
	for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
		if (occurs(row, unary[i]))
			buf_addf(buf, "%s&operator%s()const;\n", type, unary[i]);
	if (occurs(row, "*"))
		buf_addf(buf, "%s&operator*()const;\n", type);
	if (occurs(row, "->"))
		buf_addf(buf, "%s*operator->()const;\n", type);
	if (occurs(row, "["))
		buf_addf(buf, "template<class T>%s&operator[](T&&)const{return %s;}\n", type,
		         names->object);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (occurs(row, steps[i]))
			buf_addf(buf, "%s&operator%s();\n%s&operator%s(int);\n", type, steps[i],
			         type, steps[i]);
	if (occurs(row, "for"))
		buf_addf(buf, "%s*begin()const;\n%s*end()const;\n", type, type);
}

/* How many names the first structured binding has; 0: there is none. */
static uint32_t bound(const struct stub_row *row)
{
	for (uint32_t i = 0; i < row->n; i++) {
		uint32_t at = i + 1 + (stub_is(row, i + 1, "&") || stub_is(row, i + 1, "&&"));
		if (!stub_is(row, i, "auto") || !stub_opens(row, at, '['))
			continue;
		uint32_t n = 0;
		for (uint32_t k = at + 1; k < row->past[at]; k++)
			n += stub_is_name(row, k);
		return n;
	}
	return 0;
}

/* Does a literal with this suffix stand in the tail: a number, or a string right in front of it? */
static bool has_suffix(const struct stub_row *row, const char *suffix, bool of_string)
{
	size_t len = strlen(suffix);
	for (uint32_t i = 0; i < row->n; i++) {
		uint32_t n;
		const uint8_t *text = token_text(row->v, row->token[i], &n);
		uint8_t kind = row->v->tokens.list[row->token[i]].kind;
		bool ends = n > len && !memcmp(text + n - len, suffix, len);
		bool right = i && row->token[i] == row->token[i - 1] + 1 &&
		             row->v->tokens.list[row->token[i - 1]].kind == TOKEN_STRING;
		if (of_string ? right && stub_is(row, i, suffix)
		              : kind == TOKEN_NUMBER && ends && text[n - len - 1] <= '9' &&
		                        !(n > 1 && (text[1] | 32) == 'x'))
			return true;
	}
	return false;
}

static void add_literals(struct buf *buf, const struct stub_row *row, const char *type)
{
	static const char *const of_numbers[] = {
		"h", "min", "s", "ms", "us", "ns", "y", "d", "i"
	};
	static const char *const of_strings[] = { "s", "sv" };
	for (size_t i = 0; i < sizeof of_numbers / sizeof *of_numbers; i++)
		if (has_suffix(row, of_numbers[i], false))
			buf_addf(buf,
			         "%s operator\"\"%s(unsigned long long);\n"
			         "%s operator\"\"%s(long double);\n",
			         type, of_numbers[i], type, of_numbers[i]);
	for (size_t i = 0; i < sizeof of_strings / sizeof *of_strings; i++)
		if (has_suffix(row, of_strings[i], true))
			buf_addf(buf, "%s operator\"\"%s(const char*,decltype(sizeof 0));\n", type,
			         of_strings[i]);
}

/* How objects of the stub, and of the template that is derived from it, come apart into N names. */
static void add_binding(struct buf *buf, const struct stub_names *names, enum stub_form form,
                        uint32_t n)
{
	buf_addf(buf, "namespace std{template<class>struct tuple_size;\n"
	              "template<decltype(sizeof 0),class>struct tuple_element;\n");
	for (int i = 0; i < (form == STUB_TYPED ? 4 : 2); i++) {
		const char *constant = i % 2 ? "const " : "", *type = names->type;
		const char *args = i < 2 ? "" : "<T...>", *of = i < 2 ? type : names->derived;
		buf_addf(buf,
		         "template<%s>struct tuple_size<%s%s%s>{enum{value=%u};};\n"
		         "template<decltype(sizeof 0)N%s>struct tuple_element<N,%s%s%s>{typedef %s "
		         "type;};\n",
		         i < 2 ? "" : "class...T", constant, of, args, n, i < 2 ? "" : ",class...T",
		         constant, of, args, type);
	}
	buf_addf(buf, "}\n");
}

/* What the language looks for in the library. */
static void add_library(struct buf *buf, const struct stub_row *row, const struct stub_names *names,
                        enum stub_form form)
{
	uint32_t n = bound(row);
	if (occurs(row, "initializer_list"))
		buf_addf(buf,
		         "namespace std{template<class T>class initializer_list{"
		         "const T*p;decltype(sizeof 0)n;\npublic:constexpr initializer_list();"
		         "const T*begin()const;const T*end()const;decltype(sizeof 0)size()const;"
		         "};}\n");
	if (occurs(row, "typeid"))
		buf_addf(buf, "namespace std{struct type_info{const char*name()const;};}\n");
	if (n)
		add_binding(buf, names, form, n);
}

/* Is one side of a `?:` a string? */
static bool chooses_string(const struct stub_row *row)
{
	for (uint32_t i = 0; i + 1 < row->n; i++)
		if ((stub_is(row, i, "?") || stub_is(row, i, ":")) &&
		    row->v->tokens.list[row->token[i + 1]].kind == TOKEN_STRING)
			return true;
	return false;
}

/* It is made of objects and pointers, of several things, and by assignment; of one number, and of
 * one pointer where `?:` has strings, when it is called by its name. */
static void add_shy(struct buf *buf, const struct stub_row *row, const char *type)
{
	buf_addf(buf,
	         "constexpr %s(){}\ntemplate<class T>explicit constexpr %s(T&&){}\n"
	         "template<class T,int T::* =nullptr>constexpr %s(const T&){}\n"
	         "template<class T>%sconstexpr %s(T*){}\n"
	         "template<class T,class U,class...V>constexpr %s(T&&,U&&,V&&...){}\n"
	         "template<class T>%s&operator=(T&&){return*this;}\n",
	         type, type, type, chooses_string(row) ? "explicit " : "", type, type, type);
}

/* Templates have bodies, since an argument may be of a local type, a lambda's: what is declared
 * over such a type has to be defined. */
const char *stub_declaration(const struct stub_row *row, const struct stub_names *n,
                             enum stub_form form, struct arena *arena)
{
	bool constant = occurs(row, "constexpr") || occurs(row, "static_assert");
	BUF_SCOPED struct buf buf = { 0 };
	buf_addf(&buf, "struct %s{\n", n->type);
	if (form == STUB_SHY)
		add_shy(&buf, row, n->type);
	else
		buf_addf(&buf, "template<class...T>constexpr %s(T&&...){}\n", n->type);
	buf_addf(&buf, "template<class T>%s\n",
	         form != STUB_TYPED ? "operator T&()const;"
	         : constant         ? "constexpr operator T()const{return T();}"
	                            : "operator T()const;");
	buf_addf(&buf, "static %s %s;\ntemplate<class...T>%s&operator()(T&&...)const{return %s;}\n",
	         n->type, n->object, n->type, n->object);
	add_members(&buf, row, n);
	if (bound(row))
		buf_addf(&buf, "template<int>%s&get()const;\n", n->type);
	add_operators(&buf, row, n);
	buf_addf(&buf, "};\n");
	if (form == STUB_TYPED)
		buf_addf(&buf,
		         "template<class...>struct %s:%s{\n"
		         "template<class...T>constexpr %s(T&&...){}\n};\n",
		         n->derived, n->type, n->derived);
	add_library(&buf, row, n, form);
	add_literals(&buf, row, n->type);
	char *text = arena_copy(arena, buf.data, buf.len + 1);
	return text;
}
