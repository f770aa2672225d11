/* The ninth program of afl-targets.c: a small Lisp. The first of an empty list, asked for by a
 * function that a function calls, is its bug. */
enum { DEEP = 100, STEPS = 100000 };

struct node { /* an atom, or a list of nodes */
	const char *name;
	size_t len;
	struct node *list, *next;
	long number; /* a value: of an atom */
};

static struct node *functions[ROOM * 4];
static int n_functions, depth, steps;

static struct node *new_node(struct node from)
{
	struct node *n = malloc(sizeof *n);
	*n = from;
	return n;
}

static struct node *parse(void)
{
	struct node *list = NULL, **end = &list;
	blanks();
	if (in[at] != '(') {
		size_t from = at;
		while (at < size && !isspace((unsigned char)in[at]) && !strchr("()", in[at]))
			at++;
		if (at == from)
			refuse();
		return new_node((struct node){ .name = in + from, .len = at - from });
	}
	at++;
	for (blanks(); in[at] != ')'; blanks()) {
		*end = parse();
		end = &(*end)->next;
	}
	at++;
	return new_node((struct node){ .list = list });
}

static int is(const struct node *n, const char *name)
{
	return n && n->name && n->len == strlen(name) && !memcmp(n->name, name, n->len);
}

static int same(const struct node *a, const struct node *b)
{
	return a->name && b->name && a->len == b->len && !memcmp(a->name, b->name, a->len);
}

/* Values: numbers have the name "#", all else is a list of values. */
static struct node *eval(const struct node *n, const struct node *names, struct node *values);

static struct node *eval_all(const struct node *n, const struct node *names, struct node *values)
{
	struct node *list = NULL, **end = &list;
	for (; n; n = n->next) {
		*end = new_node(*eval(n, names, values));
		(*end)->next = NULL;
		end = &(*end)->next;
	}
	return list;
}

static struct node *number(long value)
{
	return new_node((struct node){ .name = "#", .len = 1, .number = value });
}

static struct node *call(const struct node *f, struct node *args)
{
	for (int i = 0; i < n_functions; i++) {
		struct node *head = functions[i]->list;
		struct node *result = NULL;
		if (!same(head, f))
			continue;
		if (++depth > DEEP)
			refuse();
		for (struct node *body = functions[i]->next; body; body = body->next)
			result = eval(body, head->next, args);
		depth--;
		return result ? result : number(0);
	}
	refuse();
	return NULL;
}

static struct node *apply(const struct node *f, struct node *args)
{
	struct node *first = args;
	if (is(f, "list"))
		return new_node((struct node){ .list = args });
	if ((is(f, "first") || is(f, "rest")) && (!first || first->name))
		refuse();
	if (is(f, "first") && !first->list && depth > 1)
		abort();
	if (is(f, "first") || is(f, "rest")) {
		if (!first->list)
			refuse();
		return is(f, "first") ? first->list
		                      : new_node((struct node){ .list = first->list->next });
	}
	if (!is(f, "+") && !is(f, "*"))
		return call(f, args);
	unsigned long n = is(f, "*");
	for (; args; args = args->next) {
		if (!args->name)
			refuse();
		n = is(f, "*") ? n * (unsigned long)args->number : n + (unsigned long)args->number;
	}
	return number((long)(n % 1000003));
}

static struct node *eval(const struct node *n, const struct node *names, struct node *values)
{
	if (++steps > STEPS || (!n->name && !(n->list && n->list->name)))
		refuse();
	if (n->name && isdigit((unsigned char)*n->name))
		return number(atol(n->name) % 1000003);
	for (; n->name && names && values; names = names->next, values = values->next)
		if (same(n, names))
			return values;
	if (n->name)
		refuse();
	const struct node *args = n->list->next;
	if (!is(n->list, "if"))
		return apply(n->list, eval_all(args, names, values));
	if (!args || !args->next || !args->next->next)
		refuse();
	const struct node *truth = eval(args, names, values);
	return eval(truth->number || truth->list ? args->next : args->next->next, names, values);
}

static void run(void)
{
	for (blanks(); at < size; blanks()) {
		struct node *n = parse();
		if (!is(n->list, "define")) {
			eval(n, NULL, NULL);
			continue;
		}
		struct node *f = n->list->next;
		if (!f || !f->list || !f->list->name || !f->next || n_functions == ROOM * 4)
			refuse();
		functions[n_functions++] = f;
	}
}
