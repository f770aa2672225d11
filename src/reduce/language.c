#include "reduce/language.h"

#include "base/err.h"
#include "text/spans.h"
#include "text/testcase.h"
#include "text/tokenizer.h"
#include "text/tokenizers.h"

int language_find(struct language *l, const struct language_options *o, struct testcase *original,
                  struct err *err)
{
	if (!o->file && o->spans)
		return err_set(err, ERR_USAGE, "option --spans is for single files");
	if (o->spans && !(l->spans = spans_read(o->spans, original->size, err)))
		return -1;
	if (o->file) {
		l->tokenizer = tokenizer_find(o->tokenizer, o->file, original->bytes,
		                              original->size, o->dirs, err);
		return l->tokenizer ? 0 : -1;
	}
	l->tokenizers = tokenizers_new(o->tokenizer, o->dirs, err);
	return l->tokenizers ? tokenizers_assign(l->tokenizers, original, err) : -1;
}

void language_release(struct language *l)
{
	tokenizer_free(l->tokenizer);
	tokenizers_free(l->tokenizers);
	spans_unref(l->spans);
}
