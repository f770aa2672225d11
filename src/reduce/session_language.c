#include "reduce/session_language.h"

#include "base/err.h"
#include "reduce/keep.h"
#include "reduce/session_def.h"
#include "lang/tokenizer.h"

int session_find_language(struct session *s, struct err *err)
{
	const struct session_options *o = &s->options;
	const struct language_options lo = { .file = s->input.is_tree ? NULL : o->file,
		                             .tokenizer = o->settings.tokenizer,
		                             .spans = o->settings.spans,
		                             .dirs = o->tokenizer_dirs };
	return language_find(&s->language, &lo, s->original, err);
}

int session_check_language(struct session *s, uint64_t known, struct err *err)
{
	const char *given = s->options.settings.tokenizer, *name = keep_name(s->kept.keep);
	uint64_t now;
	if (given && tokenizer_is_file(given))
		return 0;
	if (language_identity(&s->language, &now, err) < 0)
		return -1;
	if (known == now)
		return 0;
	if (!known || !s->follow.resumed)
		return keep_language(s->kept.keep, now, err);
	return err_set(err, ERR_USAGE,
	               "reduction '%s' cannot be resumed as it is:\nthe tokenizer changed, or "
	               "its definition (now %s)\nto resume it: put the former one back;\n"
	               "to start over: the same command with --fresh (the old one is kept as "
	               "'%s.1' or the next free number), or with --name to keep both",
	               name, language_name(&s->language), name);
}
