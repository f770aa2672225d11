#include "reduce/language.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "text/spans.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_check.h"
#include "lang/tokenizers.h"

int language_find(struct language *l, const struct language_options *o, struct testcase *original,
                  struct err *err)
{
	if (!o->file && o->spans)
		return err_set(err, ERR_USAGE, "option --spans is for single files");
	if (o->spans && !(l->spans = spans_read(o->spans, original->size, err)))
		return -1;
	if (o->file) {
		l->shelf = l->shelf ? l->shelf : shelf_new(o->dirs);
		l->tokenizer = shelf_find(l->shelf, o->tokenizer, o->file, original->bytes,
		                          original->size, err);
		shelf_free(l->shelf, l->tokenizer);
		l->shelf = NULL;
		return l->tokenizer ? 0 : -1;
	}
	l->tokenizers = tokenizers_new(o->tokenizer, o->dirs, err);
	return l->tokenizers ? tokenizers_assign(l->tokenizers, original, err) : -1;
}

const char *language_name(const struct language *l)
{
	return tokenizer_name(l->tokenizer ? l->tokenizer : tokenizers_get(l->tokenizers, 1));
}

/* Makes *hash that of what it was of and the definition of TOK. */
static int add_definition(const struct tokenizer *tok, uint64_t *hash, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_kept(tokenizer_file(tok), &text, err) < 0)
		return -1;
	*hash = hash_bytes(text.data, text.len, *hash).lo;
	buf_release(&text);
	const struct tokenizer *held;
	for (size_t i = 0; (held = tokenizer_held_at(tok, i)); i++)
		if (add_definition(held, hash, err) < 0)
			return -1;
	return 0;
}

int language_identity(const struct language *l, uint64_t *identity, struct err *err)
{
	uint64_t hash = 0;
	unsigned n = l->tokenizers ? tokenizers_count(l->tokenizers) : 0;
	int rc = l->tokenizer ? add_definition(l->tokenizer, &hash, err) : 0;
	for (unsigned i = 1; i <= n && rc == 0; i++)
		rc = add_definition(tokenizers_get(l->tokenizers, (uint16_t)i), &hash, err);
	*identity = hash >> 1 | 1;
	return rc;
}

void language_release(struct language *l)
{
	shelf_free(l->shelf, NULL);
	tokenizer_free(l->tokenizer);
	tokenizers_free(l->tokenizers);
	spans_unref(l->spans);
}
