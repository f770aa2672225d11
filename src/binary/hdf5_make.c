#include "binary/hdf5.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "binary/codes.h"
#include "binary/hdf5_def.h"
#include "binary/sums.h"

enum {
	NODES_MOST = 1 << 16,
	MESSAGE_MOST = 0xffff,
	COMPACT_MOST = 0xfff0, /* bytes of values in the head of what has them */
	LEAF_MOST = 4,         /* pairs of names in a leaf, as libhdf5 has them */
	TRIES = 3,
	MESSAGE_HEAD = 4, /* bytes, in the newer format */
	ROUNDS = 2,       /* in the first it is found out where things are */
};

#define NOWHERE UINT64_MAX

/* What a type, a space and values are said to be: the rest of the first line of each; of values
 * their lines. */
struct value {
	const char *type, *space, *data, *data_end;
};

struct attribute {
	const char *name;
	struct value value;
};

/* An object, or another name of one, in the order in which they are written. */
struct node {
	const char *path; /* without the first stroke */
	uint32_t len, line;
	char kind;                    /* the first letter of its word, 0: a group around another */
	const char *target, *filters; /* NULL: its values are in no chunk */
	struct value value;
	uint32_t attributes, n_attributes;
	uint32_t parent, end;    /* where the nodes within it end */
	uint64_t at, data, tree; /* in the file, as of the last round */
};

struct maker {
	char *text;
	bool old, wide, room;
	uint32_t version, width, n_nodes, n_attributes, most; /* names in one group */
	size_t cap_nodes, cap_attributes;
	struct node *nodes;
	struct attribute *attributes;
	struct buf out, body, heap; /* body: of a head of an object */
	uint32_t n_messages, n_in_heap;
	uint64_t end, heap_at;
};

/* ---- lines ---- */

/* PATH as a name of a file's: bytes, and strokes as the lowest of them. */
static int path_order(const char *a, uint32_t a_len, const char *b, uint32_t b_len)
{
	for (uint32_t i = 0; i < a_len && i < b_len; i++) {
		int x = a[i] == '/' ? 0 : (uint8_t)a[i], y = b[i] == '/' ? 0 : (uint8_t)b[i];
		if (x != y)
			return x - y;
	}
	return (a_len > b_len) - (a_len < b_len);
}

static int node_order(const void *one, const void *two)
{
	const struct node *a = one, *b = two;
	int order = path_order(a->path, a->len, b->path, b->len);
	return order ? order : MEM_ORDER(a, b, line);
}

static int digit_of(char c)
{
	return code_digit(CODE_HEX, (uint8_t)c);
}

/* The byte that begins there, if it is said so, and behind it. */
static bool take_byte(const char **at, uint8_t *byte)
{
	const char *p = *at;
	if (digit_of(p[0]) < 0 || digit_of(p[1]) < 0)
		return false;
	*byte = (uint8_t)(digit_of(p[0]) << 4 | digit_of(p[1]));
	*at = p + 2;
	return true;
}

/* What a name or text says up to STOP or a line's end; where that is. */
static const char *take_text(const char *p, char stop, struct buf *out)
{
	for (uint8_t c; *p && *p != '\n' && *p != stop;) {
		const char *digits = p + 1;
		if (*p != '%' || !take_byte(&digits, &c)) {
			c = (uint8_t)*p;
			digits = p + 1;
		}
		buf_addch(out, (char)c);
		p = digits;
	}
	return p;
}

/* WORD without escapes in place; how long it is then. What has none of its own is left out. */
static uint32_t plain(char *word)
{
	BUF_SCOPED struct buf out = { 0 };
	take_text(word, ' ', &out);
	uint32_t n = 0;
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] && (out.data[i] != '/' || (n && word[n - 1] != '/')))
			word[n++] = out.data[i];
	n -= n && word[n - 1] == '/';
	return n;
}

static void add_node(struct maker *m, struct node n)
{
	uint32_t depth = 0;
	n.line = m->n_nodes;
	for (uint32_t i = 0; i < n.len; i++)
		depth += n.path[i] == '/';
	if (depth >= HDF5_DEPTH || m->n_nodes + depth >= NODES_MOST)
		return;
	MEM_PUSH(m->nodes, m->n_nodes, m->cap_nodes, n);
	struct node around = { .path = n.path, .line = NODES_MOST };
	for (; around.len < n.len; around.len++)
		if (n.path[around.len] == '/')
			MEM_PUSH(m->nodes, m->n_nodes, m->cap_nodes, around);
}

static bool is_word(const char *line, const char *word, char **rest)
{
	size_t n = strlen(word);
	bool is = !strncmp(line, word, n) && (!line[n] || line[n] == ' ');
	*rest = (char *)line + (is ? n + (line[n] == ' ') : 0);
	return is;
}

/* The node that was last named; at first the root. */
static struct node *last_node(struct maker *m)
{
	struct node *n = &m->nodes[m->n_nodes - 1];
	while (n > m->nodes && n->line == NODES_MOST)
		n--;
	return n;
}

/* The value of what was last named. */
static struct value *last_value(struct maker *m)
{
	struct node *n = last_node(m);
	return n->n_attributes ? &m->attributes[m->n_attributes - 1].value : &n->value;
}

static void take_name(struct maker *m, char *line, char *rest)
{
	struct node n = { .kind = *line, .attributes = m->n_attributes };
	char *target = strchr(rest, ' ');
	n.path = rest;
	if (target)
		*target++ = 0;
	n.len = plain(rest);
	n.target = target ? target : "";
	if (n.len || n.kind == 'g')
		add_node(m, n);
}

static void take_attribute(struct maker *m, char *rest)
{
	struct attribute a = { .name = rest };
	rest[plain(rest)] = 0;
	last_node(m)->n_attributes++;
	MEM_PUSH(m->attributes, m->n_attributes, m->cap_attributes, a);
}

static void take_line(struct maker *m, char *line, const char *end)
{
	static const char *const names[] = { "group", "named", "dataset", "soft", "hard" };
	char *rest;
	m->old |= !strcmp(line, "old");
	m->wide |= !strcmp(line, "wide");
	m->room |= !strcmp(line, "room");
	if (is_word(line, "hdf5", &rest))
		m->version = atoi(rest) == 3 ? 3 : 2;
	for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_word(line, names[i], &rest))
			take_name(m, line, rest);
	if (is_word(line, "attribute", &rest))
		take_attribute(m, rest);
	if (is_word(line, "packed", &rest))
		last_node(m)->filters = rest;
	struct value *v = last_value(m);
	if (is_word(line, "type", &rest))
		v->type = rest;
	if (is_word(line, "space", &rest))
		v->space = rest;
	if (is_word(line, "data", &rest) && (!v->data || v->data_end + 1 == line)) {
		v->data = v->data ? v->data : line;
		v->data_end = end;
	}
	/* Addresses of what is in heaps, and of objects, are in types of which the size is said. */
	if (v->data_end == end && strpbrk(line, "<[\""))
		m->wide = true;
}

/* ---- what of them is sound ---- */

/* The bytes of the type; how many, 0: it is none. */
static uint32_t take_type(const struct value *v, struct buf *out)
{
	size_t from = out->len;
	const char *p = v->type ? v->type : "";
	for (uint8_t byte; take_byte(&p, &byte);)
		buf_addch(out, (char)byte);
	size_t len = out->len - from;
	const uint8_t *t = len ? (const uint8_t *)out->data + from : NULL;
	bool sound = len >= TYPE_HEAD && len < MESSAGE_MOST / 2 && (*t & 15) <= 10 && *t >> 4 &&
	             *t >> 4 < 6 && (t[4] || t[5] || t[6] || t[7]);
	if (!sound)
		out->len = from;
	return sound ? (uint32_t)len : 0;
}

static bool is_sound(const struct node *n)
{
	BUF_SCOPED struct buf type = { 0 };
	return (n->kind != 'n' && n->kind != 'd') || take_type(&n->value, &type);
}

/* Each path once, with all groups around it. */
static void order_nodes(struct maker *m)
{
	uint32_t n = 0, last = 0;
	MEM_SORT(m->nodes, m->n_nodes, node_order);
	for (uint32_t i = 0; i < m->n_nodes; i++) {
		struct node one = m->nodes[i];
		const struct node *before = n ? &m->nodes[n - 1] : NULL;
		if ((before &&
		     !node_order(&(struct node){ .path = before->path, .len = before->len },
		                 &(struct node){ .path = one.path, .len = one.len })) ||
		    !is_sound(&one))
			continue;
		uint32_t around = one.len;
		while (around && one.path[around - 1] != '/')
			around--;
		around -= around > 0;
		for (last = n ? n - 1 : 0; last && (m->nodes[last].len != around ||
		                                    memcmp(m->nodes[last].path, one.path, around));)
			last = m->nodes[last].parent;
		if (n && (m->nodes[last].len != around ||
		          (m->nodes[last].kind && m->nodes[last].kind != 'g')))
			continue;
		one.parent = last;
		m->nodes[n++] = one;
	}
	m->n_nodes = n;
	for (uint32_t i = n; i--;) {
		struct node *node = &m->nodes[i];
		node->end = node->end ? node->end : i + 1;
		if (i && m->nodes[node->parent].end < node->end)
			m->nodes[node->parent].end = node->end;
	}
}

static uint32_t next_child(const struct maker *m, uint32_t group, uint32_t i)
{
	i = i == group ? i + 1 : m->nodes[i].end;
	return i < m->nodes[group].end ? i : 0;
}

/* The node that a word says, or NULL. */
static const struct node *named(const struct maker *m, const char *word, char stop)
{
	BUF_SCOPED struct buf path = { 0 };
	take_text(word + (*word == '/'), stop, &path);
	uint32_t low = 0, high = m->n_nodes;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct node *n = &m->nodes[middle];
		int order = path_order(n->path, n->len, path.data, (uint32_t)path.len);
		if (!order)
			return n;
		low = order < 0 ? middle + 1 : low;
		high = order < 0 ? high : middle;
	}
	return NULL;
}

/* ---- numbers and messages ---- */

static void put_at(struct buf *out, size_t at, uint64_t value, uint32_t width)
{
	for (; width--; value >>= 8)
		out->data[at++] = (char)value;
}

/* A number as wide as addresses. */
static void put_word(const struct maker *m, struct buf *out, uint64_t value)
{
	hdf5_put(out, value, m->width);
}

static void pad(struct buf *out, size_t from)
{
	while ((out->len - from) % 8)
		buf_addch(out, 0);
}

static void put_sum(struct buf *out, size_t from)
{
	hdf5_put(out, sum_bytes(SUM_LOOKUP3, (const uint8_t *)out->data + from, out->len - from),
	         4);
}

static size_t begin_message(struct maker *m, uint32_t type)
{
	hdf5_put(&m->body, type, m->old ? 2 : 1);
	hdf5_put(&m->body, 0, m->old ? 6 : 3);
	return m->body.len;
}

/* What began there ends here, unless it is too long. */
static void end_message(struct maker *m, size_t from)
{
	size_t head = m->old ? 8 : 4;
	if (m->old)
		pad(&m->body, from);
	if (m->body.len - from > MESSAGE_MOST) {
		m->body.len = from - head;
		return;
	}
	put_at(&m->body, from - head + (m->old ? 2 : 1), m->body.len - from, 2);
	m->n_messages++;
}

static void put_head(struct maker *m)
{
	struct buf *out = &m->out, *body = &m->body;
	size_t from = out->len;
	uint32_t size = body->len < 256 ? 0 : body->len < 65536 ? 1 : 2;
	if (m->old) {
		hdf5_put(out, 1, 2);
		hdf5_put(out, m->n_messages, 2);
		hdf5_put(out, 1, 4);
		hdf5_put(out, body->len, 4);
		hdf5_put(out, 0, 4);
	} else {
		buf_add(out, "OHDR\2", 5);
		hdf5_put(out, size, 1);
		hdf5_put(out, body->len, 1u << size);
	}
	buf_add(out, body->data, body->len);
	if (!m->old)
		put_sum(out, from);
	body->len = 0;
	m->n_messages = 0;
}

/* ---- values ---- */

/* So many bytes that are COUNT values go to the heap; what says so goes to OUT. */
static void put_in_heap(struct maker *m, const struct buf *bytes, uint64_t count, struct buf *out)
{
	bool none = !bytes->len || m->n_in_heap == 0xffff;
	hdf5_put(out, none ? 0 : count, 4);
	hdf5_put(out, none ? 0 : m->heap_at, 8);
	hdf5_put(out, none ? 0 : ++m->n_in_heap, 4);
	if (none)
		return;
	hdf5_put(&m->heap, m->n_in_heap, 2);
	hdf5_put(&m->heap, 1, 6);
	hdf5_put(&m->heap, bytes->len, 8);
	buf_add(&m->heap, bytes->data, bytes->len);
	pad(&m->heap, 0);
}

/* What is said there up to END, or to a bracket that closes; where that is. *COMMAS: in it. */
static const char *put_values(struct maker *m, const char *p, const char *end, struct buf *out,
                              uint32_t depth, uint64_t *commas)
{
	uint8_t byte;
	for (*commas = 0; p < end && (!depth || (*p && *p != ']'));) {
		BUF_SCOPED struct buf inner = { 0 };
		uint64_t n = 0;
		char c = *p;
		work_step(1);
		if (take_byte(&p, &byte)) {
			buf_addch(out, (char)byte);
			continue;
		}
		p++;
		*commas += c == ',';
		if (!c)
			p += strcspn(p, " ");
		if (c == '"') {
			p = take_text(p, '"', &inner);
			put_in_heap(m, &inner, inner.len, out);
			p += *p == '"';
		} else if (c == '[' && depth < HDF5_DEPTH) {
			p = put_values(m, p, end, &inner, depth + 1, &n);
			put_in_heap(m, &inner, n + 1, out);
			p += *p == ']';
		} else if (c == '<') {
			const struct node *to = named(m, p, '>');
			hdf5_put(out, to ? to->at : 0, 8);
			p += strcspn(p, ">\n");
			p += *p == '>';
		}
	}
	return p;
}

struct space {
	bool none;
	uint32_t rank;
	uint64_t sides[HDF5_SIDES];
};

/* The space of N values, which its sides follow; how many it has. */
static uint64_t take_space(const struct value *v, uint64_t n, struct space *s)
{
	uint64_t rest = 1;
	s->none = v->space && !strncmp(v->space, "none", 4);
	const char *p = v->space ? v->space : "";
	s->rank = 0;
	for (char *next; !s->none && s->rank < HDF5_SIDES; p = next) {
		uint64_t side = strtoull(p, &next, 10);
		if (next == p)
			break;
		s->sides[s->rank] = side & 0xffffffff;
		rest *= s->rank++ ? side & 0xffffffff : 1;
	}
	if (s->none || !s->rank || !n)
		return s->none ? 0 : s->rank ? n : n > 0;
	if (!rest || n % rest) {
		s->rank = 1;
		rest = 1;
	}
	s->sides[0] = n / rest;
	return n;
}

/* Values that it has. */
static uint64_t count(const struct space *s)
{
	uint64_t n = !s->none;
	for (uint32_t i = 0; i < s->rank; i++)
		n *= s->sides[i];
	return n;
}

static void put_space(const struct maker *m, struct buf *out, const struct space *s)
{
	bool first = m->old && !s->none;
	hdf5_put(out, first ? 1 : 2, 1);
	hdf5_put(out, s->rank, 1);
	hdf5_put(out, 0, 1);
	hdf5_put(out, first ? 0 : s->none ? 2 : s->rank > 0, first ? 5 : 1);
	for (uint32_t i = 0; i < s->rank; i++)
		put_word(m, out, s->sides[i]);
}

/* The values themselves: N of EACH bytes. */
static uint64_t take_data(struct maker *m, const struct value *v, uint64_t each, struct buf *out)
{
	uint64_t commas;
	if (v->data)
		put_values(m, v->data + strlen("data"), v->data_end, out, 0, &commas);
	return out->len / each;
}

static uint64_t size_of(const struct buf *type)
{
	return code_little((const uint8_t *)type->data + 4);
}

static void put_attribute(struct maker *m, const struct attribute *a)
{
	BUF_SCOPED struct buf type = { 0 }, data = { 0 }, shape = { 0 };
	struct buf *out = &m->body;
	struct space s;
	if (!take_type(&a->value, &type) || !*a->name)
		return;
	uint64_t n = take_space(&a->value, take_data(m, &a->value, size_of(&type), &data), &s);
	if (n != count(&s))
		return;
	put_space(m, &shape, &s);
	size_t from = begin_message(m, MESSAGE_ATTRIBUTE), name = strlen(a->name) + 1;
	hdf5_put(out, m->old ? 1 : 3, 2);
	hdf5_put(out, name, 2);
	hdf5_put(out, type.len, 2);
	hdf5_put(out, shape.len, 2);
	hdf5_put(out, 0, m->old ? 0 : 1);
	buf_add(out, a->name, name);
	if (m->old)
		pad(out, from);
	buf_add(out, type.data, type.len);
	if (m->old)
		pad(out, from);
	buf_add(out, shape.data, shape.len);
	if (m->old)
		pad(out, from);
	buf_add(out, data.data, n * size_of(&type));
	end_message(m, from);
}

/* Values as they are, in the head where it has room. SIZE: as the space says. */
static void put_whole(struct maker *m, struct node *node, const struct buf *data, uint64_t size)
{
	size_t from = begin_message(m, MESSAGE_LAYOUT);
	bool compact = data->len && data->len <= COMPACT_MOST;
	hdf5_put(&m->body, 3, 1);
	hdf5_put(&m->body, compact ? LAYOUT_COMPACT : LAYOUT_WHOLE, 1);
	hdf5_put(&m->body, compact ? data->len : 0, compact ? 2 : 0);
	if (compact) {
		buf_add(&m->body, data->data, data->len);
	} else {
		put_word(m, &m->body, data->len ? node->data : NOWHERE);
		put_word(m, &m->body, size);
	}
	end_message(m, from);
	node->data = m->out.len;
	if (!compact)
		buf_add(&m->out, data->data, data->len);
}

/* Values in one chunk, by the layout that has no index of them. */
static void put_chunk(struct maker *m, struct node *node, const struct space *s, struct buf *data,
                      uint64_t each)
{
	struct buf *body = &m->body;
	size_t from = begin_message(m, MESSAGE_FILTERS);
	bool packed = hdf5_pack(data, each, node->filters, body);
	if (packed)
		end_message(m, from);
	else
		body->len = from - MESSAGE_HEAD;
	from = begin_message(m, MESSAGE_LAYOUT);
	hdf5_put(body, 4, 1);
	hdf5_put(body, LAYOUT_CHUNKS, 1);
	hdf5_put(body, packed ? 2 : 0, 1);
	hdf5_put(body, s->rank + 1, 1);
	uint32_t width = 1; /* libhdf5 2.0 reads no other than the least */
	for (uint32_t i = 0; i <= s->rank; i++)
		while ((i < s->rank ? s->sides[i] : each) >> 8 * width)
			width++;
	hdf5_put(body, width, 1);
	for (uint32_t i = 0; i < s->rank; i++)
		hdf5_put(body, s->sides[i], width);
	hdf5_put(body, each, width);
	hdf5_put(body, 1, 1);
	hdf5_put(body, data->len, packed ? m->width : 0);
	hdf5_put(body, 0, packed ? 4 : 0);
	put_word(m, body, node->data);
	end_message(m, from);
	node->data = m->out.len;
	buf_add(&m->out, data->data, data->len);
}

static void put_dataset(struct maker *m, struct node *node)
{
	BUF_SCOPED struct buf type = { 0 }, data = { 0 };
	struct space s;
	take_type(&node->value, &type);
	uint64_t each = size_of(&type), n;
	n = take_space(&node->value, take_data(m, &node->value, each, &data), &s);
	size_t from = begin_message(m, MESSAGE_SPACE);
	put_space(m, &m->body, &s);
	end_message(m, from);
	from = begin_message(m, MESSAGE_TYPE);
	buf_add(&m->body, type.data, type.len);
	end_message(m, from);
	data.len = n * each < data.len ? n * each : data.len;
	if (node->filters && n && s.rank && !m->old)
		put_chunk(m, node, &s, &data, each);
	else
		put_whole(m, node, &data, count(&s) * each);
}

/* ---- groups ---- */

/* The last part of its path, and *LEN of it. */
static const char *own_name(const struct node *n, uint32_t *len)
{
	uint32_t i = n->len;
	while (i && n->path[i - 1] != '/')
		i--;
	*len = n->len - i;
	return n->path + i;
}

/* Where what it names is; NOWHERE: it is soft, or says nothing. */
static uint64_t led_to(const struct maker *m, const struct node *n)
{
	const struct node *to = n->kind == 'h' ? named(m, n->target, ' ') : n;
	bool real = to && to->kind != 'h' && to->kind != 's';
	return real ? to->at : NOWHERE;
}

/* Does it stand in the group? */
static bool counts(const struct maker *m, const struct node *n)
{
	return n->kind == 's' || led_to(m, n) != NOWHERE;
}

static void put_links(struct maker *m, uint32_t group)
{
	size_t from = begin_message(m, MESSAGE_LINKS);
	hdf5_put(&m->body, 0, 2);
	put_word(m, &m->body, NOWHERE);
	put_word(m, &m->body, NOWHERE);
	end_message(m, from);
	for (uint32_t i = group; (i = next_child(m, group, i));) {
		const struct node *n = &m->nodes[i];
		uint32_t len, soft = n->kind == 's' ? 8 : 0;
		const char *name = own_name(n, &len);
		BUF_SCOPED struct buf target = { 0 };
		if (!counts(m, n))
			continue;
		from = begin_message(m, MESSAGE_LINK);
		hdf5_put(&m->body, 1, 1);
		hdf5_put(&m->body, soft | (len > 255), 1);
		hdf5_put(&m->body, 1, soft ? 1 : 0);
		hdf5_put(&m->body, len, len > 255 ? 2 : 1);
		buf_add(&m->body, name, len);
		if (soft) {
			take_text(n->target, ' ', &target);
			hdf5_put(&m->body, target.len, 2);
			buf_add(&m->body, target.data, target.len);
		} else {
			put_word(m, &m->body, led_to(m, n));
		}
		end_message(m, from);
	}
}

/* Names in one leaf, and leaves in one tree, as the head says: of the former pairs. */
static uint32_t in_leaf(const struct maker *m)
{
	uint32_t pairs = (m->most + 1) / 2;
	return 2 * (pairs > LEAF_MOST ? LEAF_MOST : pairs ? pairs : 1);
}

static uint32_t in_tree(const struct maker *m)
{
	uint32_t leaves = (m->most + in_leaf(m) - 1) / in_leaf(m);
	return 2 * ((leaves + 1) / 2 + !leaves);
}

/* The names of a group in a heap of their own, and where in it each is. */
static uint32_t put_names(struct maker *m, uint32_t group, struct buf *names, uint32_t *places)
{
	uint32_t n = 0;
	buf_addch(names, 0);
	for (uint32_t i = group; (i = next_child(m, group, i));) {
		uint32_t len;
		const char *name = own_name(&m->nodes[i], &len);
		if (!counts(m, &m->nodes[i]))
			continue;
		places[n++] = (uint32_t)names->len;
		buf_add(names, name, len);
		buf_addch(names, 0);
	}
	return n;
}

static void put_row(struct maker *m, uint64_t name, const struct node *n, struct buf *names)
{
	put_word(m, &m->out, name);
	put_word(m, &m->out, led_to(m, n));
	hdf5_put(&m->out, n->kind == 's' ? 2 : 0, 8);
	hdf5_put(&m->out, n->kind == 's' ? names->len : 0, 8);
	hdf5_put(&m->out, 0, 8);
	if (n->kind == 's') {
		take_text(n->target, ' ', names);
		buf_addch(names, 0);
	}
}

/* The tree of a group in the older format, its leaves, and the heap of its names. */
static void put_tree(struct maker *m, uint32_t group)
{
	struct node *g = &m->nodes[group];
	BUF_SCOPED struct buf names = { 0 };
	MEM_SCOPED uint32_t *places = mem_alloc(m->most * sizeof *places);
	struct buf *out = &m->out;
	uint32_t n = put_names(m, group, &names, places), each = in_leaf(m);
	uint32_t leaves = (n + each - 1) / each, size = 8 + each * (2 * m->width + 24);
	g->tree = out->len;
	uint64_t first = g->tree + 8 + (3 + 2 * in_tree(m)) * m->width;
	buf_add(out, "TREE\0", 6);
	hdf5_put(out, leaves, 2);
	put_word(m, out, NOWHERE);
	put_word(m, out, NOWHERE);
	put_word(m, out, 0);
	for (uint32_t i = 0; i < in_tree(m); i++) {
		uint32_t last = (i + 1) * each < n ? (i + 1) * each - 1 : n - 1;
		put_word(m, out, i < leaves ? first + i * size : 0);
		put_word(m, out, i < leaves ? places[last] : 0);
	}
	uint32_t k = 0;
	for (uint32_t i = group; (i = next_child(m, group, i));) {
		uint32_t left = n - k < each ? n - k : each;
		if (!counts(m, &m->nodes[i]))
			continue;
		if (k % each == 0) {
			buf_add(out, "SNOD\1", 6);
			hdf5_put(out, left, 2);
		}
		put_row(m, places[k++], &m->nodes[i], &names);
	}
	for (uint64_t end = first + (uint64_t)leaves * size; out->len < end;)
		buf_addch(out, 0);
	g->data = out->len;
	buf_add(out, "HEAP\0\0\0", 8);
	put_word(m, out, names.len);
	put_word(m, out, 1);
	put_word(m, out, g->data + 8 + 3 * m->width);
	buf_add(out, names.data, names.len);
}

/* ---- the file ---- */

static void put_node(struct maker *m, uint32_t i)
{
	struct node *n = &m->nodes[i];
	bool group = !n->kind || n->kind == 'g';
	BUF_SCOPED struct buf type = { 0 };
	if (n->kind == 's' || n->kind == 'h')
		return;
	if (group && m->old) {
		size_t from = begin_message(m, MESSAGE_GROUP);
		put_word(m, &m->body, n->tree);
		put_word(m, &m->body, n->data);
		end_message(m, from);
	} else if (group) {
		put_links(m, i);
	} else if (n->kind == 'd') {
		put_dataset(m, n);
	} else {
		size_t from = begin_message(m, MESSAGE_TYPE);
		take_type(&n->value, &type);
		buf_add(&m->body, type.data, type.len);
		end_message(m, from);
	}
	for (uint32_t k = 0; k < n->n_attributes; k++)
		put_attribute(m, &m->attributes[n->attributes + k]);
	n->at = m->out.len;
	put_head(m);
	if (group && m->old)
		put_tree(m, i);
}

static void put_start(struct maker *m)
{
	struct buf *out = &m->out;
	const struct node *root = m->nodes;
	buf_add(out, HDF5_SIGNATURE, 8);
	if (!m->old) {
		hdf5_put(out, m->version, 1);
		hdf5_put(out, m->width, 1);
		hdf5_put(out, m->width, 2);
		put_word(m, out, 0);
		put_word(m, out, NOWHERE);
		put_word(m, out, m->end);
		put_word(m, out, root->at);
		put_sum(out, 0);
		return;
	}
	hdf5_put(out, 0, 5);
	hdf5_put(out, m->width, 1);
	hdf5_put(out, m->width, 2);
	hdf5_put(out, in_leaf(m) / 2, 2);
	hdf5_put(out, in_tree(m) / 2, 6);
	put_word(m, out, 0);
	put_word(m, out, NOWHERE);
	put_word(m, out, m->end);
	put_word(m, out, NOWHERE);
	put_word(m, out, 0);
	put_word(m, out, root->at);
	hdf5_put(out, 1, 8);
	put_word(m, out, root->tree);
	put_word(m, out, root->data);
	hdf5_put(out, 0, 16 - 2 * m->width);
}

static void put_heap(struct maker *m)
{
	m->heap_at = m->out.len;
	if (!m->n_in_heap)
		return;
	size_t size = 16 + m->heap.len;
	if (m->room && size + 16 < HEAP_ROOM)
		size = HEAP_ROOM;
	buf_add(&m->out, "GCOL\1\0\0", 8);
	hdf5_put(&m->out, size, 8);
	buf_add(&m->out, m->heap.data, m->heap.len);
	size_t left = m->heap_at + size - m->out.len;
	if (left >= 16) {
		hdf5_put(&m->out, 0, 8);
		hdf5_put(&m->out, left, 8);
	}
	while (m->out.len < m->heap_at + size)
		buf_addch(&m->out, 0);
}

static void count_names(struct maker *m)
{
	for (uint32_t g = 0; g < m->n_nodes; g++) {
		uint32_t n = 0;
		for (uint32_t i = g; (i = next_child(m, g, i));)
			n++;
		m->most = n > m->most ? n : m->most;
	}
}

/* With the narrowest addresses that there is room for. */
static void put_all(struct maker *m)
{
	m->width = m->wide ? 8 : 2;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		m->out.len = m->heap.len = 0;
		m->n_in_heap = 0;
		put_start(m);
		/* In the older format all groups are as large as the largest. */
		for (uint32_t i = 0; i < m->n_nodes && m->out.len <= HDF5_MOST; i++)
			put_node(m, i);
		put_heap(m);
		m->end = m->out.len;
		if (m->width == 2 && m->end >= UINT16_MAX) {
			m->width = 4;
			round = UINT32_MAX;
		}
	}
}

/* The file of lines, as they are; NULL: there is none. */
static uint8_t *make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	struct maker m = { .text = mem_printf("%.*s", (int)len, (const char *)said) };
	char *end;
	MEM_PUSH(m.nodes, m.n_nodes, m.cap_nodes, (struct node){ .path = "", .line = NODES_MOST });
	for (char *at = m.text; *at; at = end) {
		end = at + strcspn(at, "\n");
		char *next = *end ? end + 1 : end;
		*end = 0;
		take_line(&m, at, end);
		end = next;
	}
	order_nodes(&m);
	count_names(&m);
	if (m.version)
		put_all(&m);
	*size = (uint32_t)m.out.len;
	free(m.text);
	free(m.nodes);
	free(m.attributes);
	buf_release(&m.body);
	buf_release(&m.heap);
	return (uint8_t *)m.out.data;
}

/* What is made is read and made once more until it says what was made of it: a name may be that of
 * two objects, or a value look like an address of one. */
uint8_t *hdf5_make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	uint8_t *made = make(said, len, size);
	for (uint32_t i = 0; made && *size <= HDF5_MOST && i < TRIES; i++) {
		uint32_t n, again_size;
		MEM_SCOPED uint8_t *says = hdf5_read(made, *size, &n);
		uint8_t *again = says ? make(says, n, &again_size) : NULL;
		bool same = again && again_size == *size && !memcmp(again, made, *size);
		free(made);
		made = again;
		*size = again ? again_size : 0;
		if (same)
			return made;
	}
	free(made);
	return NULL;
}

uint32_t hdf5_settings(const uint8_t *said, uint32_t len)
{
	static const char *const settings[] = { "old\n", "wide\n", "room\n" };
	uint32_t n = 0;
	for (uint32_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		uint32_t size = (uint32_t)strlen(settings[i]);
		if (len - n >= size && !memcmp(said + n, settings[i], size))
			n += size;
	}
	return n;
}
