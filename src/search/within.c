#include "search/within.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "binary/layers.h"

enum {
	WORDS_MAX = 32,
	WORDS_WITHIN = 4,
	STRINGS_MAX = 8,
	STRING_LEAST = 12, /* shorter ones are gone through byte by byte */
	LAYER_LEAST = 4,   /* bytes of a layer */
	MEMBER_LEAST = 32, /* bytes of a member: a head */
	QUOTES = 3,        /* at either side: """ of Python */
};

static uint32_t size_of(const struct coded *w)
{
	return w->end - w->begin;
}

static int longer_first(const void *a, const void *b)
{
	return mem_order_u32(b, a);
}

static void keep_longest(struct coded_list *words, uint32_t most)
{
	if (words->n <= most)
		return;
	uint32_t *sizes = mem_alloc(words->n * sizeof *sizes), n = 0, equal = 1;
	for (uint32_t i = 0; i < words->n; i++)
		sizes[i] = size_of(&words->list[i]);
	qsort(sizes, words->n, sizeof *sizes, longer_first);
	uint32_t least = sizes[most - 1];
	while (equal < most && sizes[most - 1 - equal] == least)
		equal++;
	for (uint32_t i = 0; i < words->n; i++) {
		uint32_t size = size_of(&words->list[i]);
		if (size > least || (size == least && equal && equal--))
			words->list[n++] = words->list[i];
	}
	words->n = n;
	free(sizes);
}

/* The run of stored blocks that begins with the K-th record of V; its size is 0 when it is none. */
static struct coded layer_at(const struct view *v, uint32_t k)
{
	const struct record *list = v->records->list;
	const uint8_t *bytes = v->tc->bytes;
	uint8_t form = list[k].stored;
	struct coded w = {
		.begin = list[k].begin, .end = list[k].end, .kind = CODED_STORED, .form = form
	};
	uint32_t last = w.begin; /* the block that may end it */
	while (!stored_form(form)->has_last || !stored_blocks(bytes, form, last, w.end, NULL, 0)) {
		for (k++; k < v->records->n && list[k].begin < w.end;)
			k++;
		if (k == v->records->n || list[k].begin != w.end || list[k].stored != form)
			break;
		last = w.end;
		w.end = list[k].end;
	}
	uint32_t n = stored_blocks(bytes, form, w.begin, w.end, NULL, 0);
	w.size = n ? w.end - w.begin - n * stored_form(form)->header : 0;
	return w;
}

/* Adds what layers that are open hold, of LEAST bytes or more. */
static void within_layers(const struct view *v, uint32_t least, struct coded_list *out)
{
	uint32_t end = 0;
	for (uint32_t i = 0; v->records && v->records->proven && i < v->records->n; i++) {
		const struct record *x = &v->records->list[i];
		if (!x->stored || x->begin < end)
			continue;
		struct coded w = layer_at(v, i);
		end = w.end;
		if (w.size < LAYER_LEAST || w.size < least)
			continue;
		MEM_PUSH(out->list, out->n, out->cap, w);
	}
}

/* Adds the largest contents of records of which a tokenizer that is held knows the format. */
static void within_members(const struct view *v, uint32_t least, struct coded_list *out)
{
	const struct tokenizer *tok = v->tokenizer;
	SCOPED(coded_release) struct coded_list members = { 0 };
	const struct tokenizer *last = NULL, *next; /* the last one is for any text */
	least = least < MEMBER_LEAST ? MEMBER_LEAST : least;
	bool knows = v->records && v->records->proven;
	for (size_t i = 0; knows && (next = tokenizer_held_at(tok, i)); i++)
		last = next;
	for (uint32_t i = 0; last && i < v->records->n; i++) {
		const struct record *x = &v->records->list[i];
		bool all = x->body == x->body_end; /* it may be nothing but content */
		struct coded w = { .begin = all ? x->begin : x->body,
			           .end = all ? x->end : x->body_end,
			           .kind = CODED_MEMBER };
		w.size = w.end - w.begin;
		if (!x->stored && w.size >= least && w.size < v->tc->size)
			MEM_PUSH(members.list, members.n, members.cap, w);
	}
	keep_longest(&members, WORDS_MAX);
	for (uint32_t i = 0, end = 0; i < members.n; i++) {
		struct coded w = members.list[i];
		const struct tokenizer *held = tokenizer_held(tok, v->tc->bytes + w.begin, w.size);
		if (w.begin < end || held == tok || held == last)
			continue;
		MEM_PUSH(out->list, out->n, out->cap, w);
		end = w.end;
	}
}

/* Adds the words of MORE that are in none of ALL; both are in order. */
static void add_apart(struct coded_list *all, const struct coded_list *more)
{
	for (uint32_t i = 0, k = 0, n = all->n; i < more->n; i++) {
		while (k < n && all->list[k].end <= more->list[i].begin)
			k++;
		if (k < n && all->list[k].begin < more->list[i].end)
			continue;
		MEM_PUSH(all->list, all->n, all->cap, more->list[i]);
	}
	MEM_SORT_BY(all->list, all->n, begin);
}

/* Layers, members that are in none, and the words of WORDS that are in neither. */
static void join_layers(const struct view *v, struct coded_list *words)
{
	struct coded_list all = { 0 };
	SCOPED(coded_release) struct coded_list members = { 0 };
	within_layers(v, 0, &all);
	within_members(v, 0, &members);
	add_apart(&all, &members);
	add_apart(&all, words);
	coded_release(words);
	*words = all;
}

static void find_words(const struct view *v, uint32_t depth, struct within *in)
{
	in->known = true;
	for (uint32_t i = 0; i < v->tc->n_files && (!v->spans || v->records); i++) {
		const struct testcase_file *f = &v->tc->files[i];
		if (!S_ISLNK(f->mode))
			coded_find(v->tc->bytes, f->begin, f->end, &in->words);
	}
	if (v->records)
		join_layers(v, &in->words);
	keep_longest(&in->words, depth ? WORDS_WITHIN : WORDS_MAX);
	in->views = mem_zero(in->words.n + (size_t)1, sizeof(struct view *));
}

static void need_words(const struct view *v, uint32_t depth)
{
	if (!v->within->known)
		find_words(v, depth, v->within);
}

void within_words(const struct view *v, uint32_t depth, struct coded_list *out)
{
	need_words(v, depth);
	for (uint32_t i = 0; i < v->within->words.n; i++)
		MEM_PUSH(out->list, out->n, out->cap, v->within->words.list[i]);
}

bool within_is_made(const struct view *v)
{
	if (v->tc->is_tree || !coded_may_be_made(v->tc->bytes, v->tc->size))
		return false;
	need_words(v, 0);
	return v->within->words.n == 1 && coded_is_made(v->within->words.list[0].kind);
}

void within_most(const struct view *v, struct coded_list *out)
{
	if (within_is_made(v)) {
		MEM_PUSH(out->list, out->n, out->cap, v->within->words.list[0]);
		return;
	}
	uint64_t all = 0;
	within_layers(v, 0, out);
	keep_longest(out, WORDS_MAX);
	for (uint32_t i = 0; i < out->n; i++)
		all += out->list[i].size;
	if (all >= v->tc->size / 2)
		return;
	out->n = 0;
	within_members(v, v->tc->size / 2, out);
}

/* What stands between the quotes of TOKEN, without a prefix of letters. */
static struct coded text_of(const struct view *v, uint32_t token)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t begin = view_token_begin(v, token), end = view_token_end(v, token), quotes = 0;
	while (begin < end && (bytes[begin] | 32) >= 'a' && (bytes[begin] | 32) <= 'z')
		begin++;
	while (begin < end && quotes < QUOTES && bytes[begin] == bytes[end - 1]) {
		begin++;
		end -= begin < end;
		quotes++;
	}
	if (!quotes && end - begin > 2) { /* [[ ]], %w( ), ... */
		begin++;
		end--;
	}
	return (struct coded){
		.begin = begin, .end = end, .size = end - begin, .kind = CODED_PLAIN
	};
}

void within_strings(const struct view *v, uint32_t least, struct coded_list *out)
{
	SCOPED(coded_release) struct coded_list strings = { 0 };
	least = least < STRING_LEAST ? STRING_LEAST : least;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct coded w = { 0 };
		if (v->tokens.list[t].kind == TOKEN_STRING)
			w = text_of(v, t);
		if (size_of(&w) < least)
			continue;
		MEM_PUSH(strings.list, strings.n, strings.cap, w);
	}
	keep_longest(&strings, STRINGS_MAX);
	for (uint32_t i = 0; i < strings.n; i++)
		MEM_PUSH(out->list, out->n, out->cap, strings.list[i]);
}

static uint8_t *read_word(const struct view *v, const struct coded *word)
{
	uint8_t *bytes = mem_alloc(word->size + (size_t)1);
	coded_read(word, v->tc->bytes, bytes);
	bytes[word->size] = 0;
	return bytes;
}

/* A view of SIZE BYTES with RECORDS (NULL: none), of which it takes the reference, as it does
 * BYTES; NULL when TOK gives up. */
static struct view *view_of_word(uint8_t *bytes, uint32_t size, const struct tokenizer *tok,
                                 struct records *records)
{
	struct testcase *tc = testcase_new("word", 0644, bytes, size);
	struct view *w = view_new(tc, tok);
	struct err err = { 0 };
	if (records)
		view_use_records(w, records);
	records_unref(records);
	testcase_unref(tc);
	view_need_lines(w);
	if (view_need_tree(w, &err) == 0)
		return w;
	view_unref(w);
	return NULL;
}

static struct view *look_into(const struct view *v, const struct coded *word)
{
	uint8_t *bytes = read_word(v, word);
	const struct tokenizer *tok = view_tokenizer_at(v, word->begin);
	bool holds = word->kind == CODED_STORED || coded_is_made(word->kind) ||
	             word->kind == CODED_MEMBER;
	tok = holds ? tokenizer_held(tok, bytes, word->size) : tok;
	struct records *records =
		layers_records(holds ? tokenizer_schema(tok) : NULL, bytes, word->size);
	if (records) /* lines that seem to be counted may not be; layers that are open are */
		records->proven = !records->is_text || !testcase_utf8(bytes, word->size);
	return view_of_word(bytes, word->size, tok, records);
}

struct view *within_view(const struct view *v, const struct coded *word)
{
	struct within *in = v->within;
	uint32_t k = 0;
	while (k < in->words.n &&
	       (in->words.list[k].begin != word->begin || in->words.list[k].kind != word->kind))
		k++;
	if (k == in->words.n)
		return look_into(v, word);
	if (!in->views[k])
		in->views[k] = look_into(v, word);
	return in->views[k] ? view_ref(in->views[k]) : NULL;
}

/* ---- after an edit ---- */

bool within_has_layers(const struct view *v)
{
	for (uint32_t i = 0; v->records && v->records->proven && i < v->records->n; i++)
		if (v->records->list[i].stored)
			return true;
	return false;
}

static void follow(const struct view *from, const struct view *to, struct edit edit,
                   uint32_t depth);

/* What WORD of V says, which came of OLD by EDIT; NULL: of something else. */
static struct view *followed(const struct view *v, const struct coded *word, const struct view *old,
                             struct edit edit, uint32_t depth)
{
	struct arena scratch = { 0 };
	uint32_t len;
	uint8_t *bytes = read_word(v, word);
	const uint8_t *now = coded_edited(old->tc->bytes, old->tc->size, edit, &scratch, &len);
	bool same = len == word->size && !memcmp(now, bytes, len);
	arena_release(&scratch);
	if (!same) {
		free(bytes);
		return NULL;
	}
	struct records *records =
		old->records ? records_map(old->records, NULL, edit, bytes, len, false) : NULL;
	struct view *w = view_of_word(bytes, len, old->tokenizer, records);
	if (w && within_has_layers(old))
		follow(old, w, edit, depth + 1);
	return w;
}

static void follow(const struct view *from, const struct view *to, struct edit edit, uint32_t depth)
{
	struct moves m = moves_make(from->records->repair, edit);
	struct coded_list *old = &from->within->words, *new = &to->within->words;
	need_words(from, depth);
	need_words(to, depth);
	for (uint32_t i = 0, k = 0; i < old->n; i++) {
		ARENA_SCOPED struct arena scratch = { 0 };
		uint32_t begin = moves_begin(&m, old->list[i].begin);
		while (k < new->n &&new->list[k].begin < begin)
			k++;
		if (k == new->n || new->list[k].begin != begin ||
		    old->list[i].kind != CODED_STORED || new->list[k].kind != CODED_STORED)
			continue;
		struct view *was = within_view(from, &old->list[i]);
		struct edit inner = coded_inner(&old->list[i], from->tc->bytes, edit, &scratch);
		if (was)
			to->within->views[k] = followed(to, &new->list[k], was, inner, depth);
		view_unref(was);
	}
	moves_release(&m);
}

void within_follow(const struct view *from, const struct view *to, struct edit edit)
{
	follow(from, to, edit, 0);
}
