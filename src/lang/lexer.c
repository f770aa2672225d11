#include "lang/lexer.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "lang/pattern.h"
#include "lang/shape.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizers.h"

/* Runs patterns over a file at a bounded cost.
 *
 * Nearly all matches are short, so a match is first tried in a small window with few steps; one
 * that wants more gets more, up to the rest of the file, and what it gets is taken from what all
 * matches of a file may cost together. So a pattern that is slow at one place, or a little slow at
 * each place, ends the run with an error after time in proportion to the size of the file. It
 * depends on no clock.
 *
 * Life cycle: matcher_open; matcher_begin for each file; matcher_run; matcher_close.
 */

struct matcher {
	const uint8_t *bytes; /* the current file; borrowed */
	uint32_t size;
	uint64_t budget;        /* what is left of it */
	pcre2_match_data *data; /* of the last match */
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

enum { MATCHER_BUDGET_SPENT = -1000 };

enum {
	JIT_STACK_START = 32 * 1024,
	JIT_STACK_MAX = 16 * 1024 * 1024,
	DEPTH_LIMIT = 100 * 1000, /* of the interpreter, where there is no JIT */
};

enum {
	WINDOW = 2048,                 /* bytes of the first window */
	GROWTH = 8,                    /* of window and steps with each try */
	STEPS = 4096,                  /* of the first try */
	STEPS_MOST = 10 * 1000 * 1000, /* of the last one, and 16 for each byte of the file: a long
	                                  token is no runaway */
	BUDGET = 64 * 1000 * 1000,     /* bytes and steps of all later tries together... */
	BUDGET_PER_BYTE = 16,          /* ...and for each byte of the file */
};

/* For patterns of so many captures. JIT: some are compiled. */
static void matcher_open(struct matcher *m, unsigned captures, bool jit)
{
	*m = (struct matcher){ .data = pattern_match_data(captures + 1),
		               .context = pattern_match_context() };
	m->stack = jit ? pattern_jit_stack(JIT_STACK_START, JIT_STACK_MAX) : NULL;
	pcre2_jit_stack_assign(m->context, NULL, m->stack);
}

static void matcher_close(struct matcher *m)
{
	pcre2_jit_stack_free(m->stack);
	pcre2_match_context_free(m->context);
	pcre2_match_data_free(m->data);
}

static void matcher_begin(struct matcher *m, const uint8_t *bytes, uint32_t size)
{
	m->bytes = bytes;
	m->size = size;
	m->budget = BUDGET + BUDGET_PER_BYTE * (uint64_t)size;
	pcre2_set_match_limit(m->context, STEPS);
	pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
}

/* One try at POS. The end of a window that is not the end of the file is "more is needed"
 * (PARTIAL). */
static int try_program(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos,
                       uint32_t window)
{
	PCRE2_SPTR bytes = m->bytes;
	bool whole = window >= m->size - pos;
	size_t end = whole ? m->size : pos + window;
	uint32_t options = PCRE2_NOTEMPTY | (whole ? 0 : PCRE2_PARTIAL_HARD);
	if (jit)
		return pcre2_jit_match(program, bytes, end, pos, options, m->data, m->context);
	return pcre2_match(program, bytes, end, pos, options, m->data, m->context);
}

static bool wants_more(int rc)
{
	return rc == PCRE2_ERROR_PARTIAL || rc == PCRE2_ERROR_MATCHLIMIT;
}

/* How far the match at POS has come; what it consumed is no loss. */
static uint64_t progress(const struct matcher *m, uint32_t pos, int rc)
{
	return rc < 0 ? 0 : pcre2_get_ovector_pointer(m->data)[1] - pos;
}

/* Runs the program at POS with as much as it needs and the budget has. MATCHER_BUDGET_SPENT when
 * that is used up. */
static int run_longer(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	uint64_t most = STEPS_MOST + 16 * (uint64_t)m->size, steps = STEPS, window = WINDOW,
		 cost = 0;
	int rc;
	do {
		if (window >= m->size - pos && steps >= most)
			return PCRE2_ERROR_MATCHLIMIT;
		window = window * GROWTH < m->size - pos ? window * GROWTH : m->size - pos;
		steps = steps * GROWTH < most ? steps * GROWTH : most;
		pcre2_set_match_limit(m->context,
		                      steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
		rc = try_program(m, program, jit, pos, (uint32_t)window);
		cost += rc == PCRE2_ERROR_MATCHLIMIT ? steps : window;
		if (cost > m->budget && wants_more(rc))
			rc = MATCHER_BUDGET_SPENT;
	} while (wants_more(rc));
	pcre2_set_match_limit(m->context, STEPS);
	uint64_t gain = 2 * GROWTH * progress(m, pos, rc);
	cost = cost > gain ? cost - gain : 0;
	if (cost > m->budget)
		rc = MATCHER_BUDGET_SPENT;
	m->budget -= cost < m->budget ? cost : m->budget;
	return rc;
}

/* The first, cheap try alone: PCRE2_ERROR_PARTIAL or PCRE2_ERROR_MATCHLIMIT when it wants more. */
static int matcher_try(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	return try_program(m, program, jit, pos, WINDOW);
}

/* Runs PROGRAM at POS, compiled when JIT; what pcre2_match returns, or MATCHER_BUDGET_SPENT. */
static int matcher_run(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	int rc = matcher_try(m, program, jit, pos);
	return wants_more(rc) ? run_longer(m, program, jit, pos) : rc;
}

struct slice {
	uint32_t begin, len;
};

/* One run over a test case. */
enum {
	TOKEN_STEPS = 16,     /* of work, that a token takes */
	HANDED_OVER = 1 << 12 /* tokens at a time */
};

struct lexer {
	const struct tokenizer *tok;
	const uint8_t *bytes; /* the current file */
	uint32_t size;
	const char *path;
	struct shape shape;
	struct matcher matcher;
	struct slice *here; /* delimiters of texts that begin on the next line */
	size_t n_here, cap_here;
	bool gave_up; /* what it is yet to read is tokens of one byte */
	struct err *err;
};

static int on_callout(pcre2_callout_block *block, void *data)
{
	const struct lexer *lexer = data;
	if (block->callout_string || block->callout_number >= lexer->tok->n_guards)
		return PCRE2_ERROR_CALLOUT;
	return shape_guard_holds(&lexer->shape, (int)block->callout_number) ? 0 : 1;
}

/* What RULE costs at POS without the others, UINT64_MAX when it gives up. It is not optimized by
 * itself: what a match needs at its end is looked for first only where there is one rule. */
static uint64_t cost_of(struct lexer *lexer, const struct rule *rule, uint32_t pos)
{
	struct matcher *m = &lexer->matcher;
	uint64_t before = m->budget;
	if (!rule->starts[lexer->bytes[pos]] ||
	    (rule->guard != GUARD_NONE && !shape_guard_holds(&lexer->shape, rule->guard)))
		return 0;
	pcre2_code *re = tokenizer_pattern(lexer->tok, rule->pattern, rule->line, rule->column,
	                                   PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE, NULL);
	if (!re)
		return 0;
	int rc = matcher_run(m, re, lexer->tok->jit && tokenizer_jit(re), pos);
	pcre2_code_free(re);
	return rc < 0 && rc != PCRE2_ERROR_NOMATCH ? UINT64_MAX : before - m->budget;
}

/* Which rule makes the program give up at POS: the first that does so alone, else the one that
 * costs most. */
static const struct rule *find_culprit(struct lexer *lexer, uint32_t pos)
{
	const struct tokenizer *tok = lexer->tok;
	size_t culprit = tok->n_rules - 1;
	uint64_t most = 0;
	matcher_begin(&lexer->matcher, lexer->bytes, lexer->size);
	for (size_t i = 0; i < tok->n_rules && most < UINT64_MAX; i++) {
		uint64_t cost = cost_of(lexer, &tok->rules[i], pos);
		culprit = cost > most ? i : culprit;
		most = cost > most ? cost : most;
	}
	return &tok->rules[culprit];
}

static int match_error(struct lexer *lexer, uint32_t pos, int code)
{
	PCRE2_UCHAR text[256] = "it repeatedly reads far ahead";
	if (code != MATCHER_BUDGET_SPENT)
		pcre2_get_error_message(code, text, sizeof text);
	const struct rule *rule = find_culprit(lexer, pos);
	return err_set(lexer->err, ERR_USAGE,
	               "%s:%u:%u: the pattern of this %s gives up at offset %u of %s: %s",
	               lexer->tok->file, rule->line, rule->column,
	               token_kind_name((enum token_kind)rule->kind), pos, lexer->path,
	               (char *)text);
}

/* The number of the rule that matched, which is the mark at its end; SIZE_MAX: it is none. */
static size_t matched_rule(const struct lexer *lexer)
{
	size_t n = 0;
	PCRE2_SPTR p = pcre2_get_mark(lexer->matcher.data);
	if (!p || !*p)
		return SIZE_MAX;
	for (; *p >= '0' && *p <= '9' && n < lexer->tok->n_rules; p++)
		n = n * 10 + (size_t)(*p - '0');
	return *p || n >= lexer->tok->n_rules ? SIZE_MAX : n;
}

/* The text of the first group of the rule that matched. */
static struct slice captured(const struct lexer *lexer, const struct rule *rule)
{
	const size_t *v =
		pcre2_get_ovector_pointer(lexer->matcher.data) + 2 * (size_t)rule->capture;
	if (v[0] == PCRE2_UNSET || v[1] < v[0])
		return (struct slice){ 0, 0 };
	return (struct slice){ (uint32_t)v[0], (uint32_t)(v[1] - v[0]) };
}

/* Tags of one pair are told apart by a hash of their names: a collision can only join a tag to a
 * wrong one in text whose tags do not nest anyway. */
static uint8_t tag_number(const struct lexer *lexer, const struct rule *rule)
{
	struct slice name = captured(lexer, rule);
	uint64_t hash = hash_bytes(lexer->bytes + name.begin, name.len, rule->pair).lo;
	return (uint8_t)(lexer->tok->n_pairs + hash % (UINT8_MAX + 1u - lexer->tok->n_pairs));
}

static void add_here(struct lexer *lexer, const struct rule *rule)
{
	MEM_PUSH(lexer->here, lexer->n_here, lexer->cap_here, captured(lexer, rule));
}

/* What an identifier's text says about it. */
static void apply_word(const struct lexer *lexer, struct shape_token *token)
{
	token->word = tokenizer_word(lexer->tok, lexer->bytes + token->begin, token->len);
	const struct word *word = token->word;
	if (!word || token->kind != TOKEN_IDENTIFIER || word->kind == TOKEN_N_KINDS)
		return;
	if (word->guard != GUARD_NONE && !shape_guard_holds(&lexer->shape, word->guard)) {
		if (word->otherwise != TOKEN_N_KINDS)
			token->kind = word->otherwise;
		return;
	}
	token->kind = word->kind;
	token->pair = word->pair;
	token->bracket = word->pair;
}

/* Hands the bytes [begin, end) to the shape as RULE says. */
static void emit(struct lexer *lexer, const struct rule *rule, uint32_t begin, uint32_t end)
{
	if (rule->kind == TOKEN_BLANK || rule->kind == TOKEN_NEWLINE ||
	    rule->kind == TOKEN_COMMENT) {
		shape_blank(&lexer->shape, begin, (enum token_kind)rule->kind);
		return;
	}
	struct shape_token token = { .begin = begin,
		                     .len = end - begin,
		                     .bracket = rule->ends_head ? TOKEN_HEAD : rule->pair,
		                     .kind = rule->kind,
		                     .strength = rule->strength,
		                     .pair = rule->pair };
	if (rule->tag)
		token.bracket = tag_number(lexer, rule);
	if (rule->here_doc)
		add_here(lexer, rule);
	if (rule->kind != TOKEN_STRING && rule->kind != TOKEN_NUMBER)
		apply_word(lexer, &token);
	shape_token(&lexer->shape, &token);
}

static void emit_byte(struct lexer *lexer, uint32_t pos)
{
	struct shape_token token = { .begin = pos, .len = 1, .kind = TOKEN_OTHER };
	token.word = tokenizer_word(lexer->tok, lexer->bytes + pos, 1);
	shape_token(&lexer->shape, &token);
	lexer->shape.out->unmatched++;
}

/* Where the line at POS ends, without its line end. */
static uint32_t line_end(const struct lexer *lexer, uint32_t pos)
{
	const uint8_t *newline = memchr(lexer->bytes + pos, '\n', lexer->size - pos);
	return newline ? (uint32_t)(newline - lexer->bytes) : lexer->size;
}

static bool at_line_end(const struct lexer *lexer, uint32_t pos)
{
	const uint8_t *bytes = lexer->bytes;
	return bytes[pos] == '\n' ||
	       (bytes[pos] == '\r' && pos + 1 < lexer->size && bytes[pos + 1] == '\n');
}

static bool is_delimiter(const struct lexer *lexer, uint32_t begin, uint32_t end, struct slice name)
{
	const uint8_t *bytes = lexer->bytes;
	while (begin < end && (bytes[begin] == '\t' || bytes[begin] == ' '))
		begin++;
	if (end > begin && bytes[end - 1] == '\r')
		end--;
	return end - begin == name.len && !memcmp(bytes + begin, bytes + name.begin, name.len);
}

/* At the line end at POS: takes the texts that were announced on the line, each to its delimiter,
 * as one string. */
static uint32_t take_here_documents(struct lexer *lexer, uint32_t pos)
{
	uint32_t end = line_end(lexer, pos);
	for (size_t i = 0; i < lexer->n_here; i++) {
		for (bool found = false; end < lexer->size && !found;) {
			uint32_t begin = end + 1;
			end = line_end(lexer, begin);
			found = is_delimiter(lexer, begin, end, lexer->here[i]);
		}
	}
	lexer->n_here = 0;
	struct shape_token token = { .begin = pos, .len = end - pos, .kind = TOKEN_STRING };
	token.strength = shape_reopen_item(&lexer->shape);
	shape_token(&lexer->shape, &token);
	return end;
}

static bool any_guard_holds(const struct lexer *lexer, uint64_t guards)
{
	for (; guards; guards &= guards - 1)
		if (shape_guard_holds(&lexer->shape, __builtin_ctzll(guards)))
			return true;
	return false;
}

static bool is_at(const struct lexer *lexer, uint32_t pos, const char *text, size_t len)
{
	return lexer->size - pos >= len && !memcmp(lexer->bytes + pos, text, len);
}

/* Where a token of a `nested` rule that begins before POS ends: behind the closing text that is its
 * own, or with the file. In strings a backslash hides the byte behind it. */
static uint32_t nested_end(const struct lexer *lexer, const struct rule *rule, uint32_t pos)
{
	size_t open = strlen(rule->inner_open), close = strlen(rule->inner_close), depth = 1;
	while (pos < lexer->size && depth) {
		if (rule->kind == TOKEN_STRING && lexer->bytes[pos] == '\\' &&
		    lexer->size - pos > 1) {
			pos += 2;
		} else if (is_at(lexer, pos, rule->inner_close, close)) {
			pos += (uint32_t)close;
			depth--;
		} else if (is_at(lexer, pos, rule->inner_open, open)) {
			pos += (uint32_t)open;
			depth++;
		} else {
			pos++;
		}
	}
	return pos;
}

/* Emits what the program matches at POS; the position behind it, or 0 with an error. */
static uint32_t take_match(struct lexer *lexer, uint32_t pos)
{
	int rc = matcher_run(&lexer->matcher, lexer->tok->program, lexer->tok->jit, pos);
	if (rc == PCRE2_ERROR_NOMATCH) {
		emit_byte(lexer, pos);
		return pos + 1;
	}
	if (rc < 0) {
		match_error(lexer, pos, rc);
		return 0;
	}
	uint32_t end = (uint32_t)pcre2_get_ovector_pointer(lexer->matcher.data)[1];
	size_t index = matched_rule(lexer);
	if (index == SIZE_MAX || end <= pos) {
		err_set(lexer->err, ERR_USAGE,
		        "%s: the patterns make no token at offset %u of %s, although one matches",
		        lexer->tok->file, pos, lexer->path);
		return 0;
	}
	const struct rule *rule = &lexer->tok->rules[index];
	if (rule->inner_open)
		end = nested_end(lexer, rule, end);
	emit(lexer, rule, pos, end);
	return end;
}

/* Emits the token at POS; the position behind it, or 0 with an error. */
static uint32_t take_token(struct lexer *lexer, uint32_t pos)
{
	const uint8_t *bytes = lexer->bytes;
	const struct dispatch *d = &lexer->tok->first[bytes[pos]];
	if (lexer->n_here && at_line_end(lexer, pos))
		return take_here_documents(lexer, pos);
	if (d->type == DISPATCH_PROGRAM || (d->guards && any_guard_holds(lexer, d->guards)))
		return take_match(lexer, pos);
	if (d->type == DISPATCH_OTHER) {
		emit_byte(lexer, pos);
		return pos + 1;
	}
	const struct rule *rule = &lexer->tok->rules[d->rule];
	uint32_t end = pos + 1;
	while (end < lexer->size && rule->tail[bytes[end]])
		end++;
	if (rule->inner_open)
		end = nested_end(lexer, rule, end);
	emit(lexer, rule, pos, end);
	return end;
}

static void hand_over(struct lexer *lexer)
{
	if (lexer->shape.tokens.n >= HANDED_OVER)
		shape_hand_over(&lexer->shape);
}

/* From where the patterns give up, in this file and all that follow, each byte is a token: trying
 * again would cost as much each time. */
static int take_file(struct lexer *lexer, const struct testcase *tc,
                     const struct testcase_file *file)
{
	uint32_t pos = 0;
	lexer->bytes = file->data;
	lexer->size = file->end - file->begin;
	lexer->path = file->path;
	lexer->n_here = 0;
	matcher_begin(&lexer->matcher, lexer->bytes, lexer->size);
	shape_begin_file(&lexer->shape, lexer->bytes, file->begin);
	while (pos < lexer->size && !lexer->gave_up) {
		work_step(TOKEN_STEPS);
		uint32_t end = take_token(lexer, pos);
		lexer->gave_up = !end;
		pos = end ? end : pos;
		hand_over(lexer);
	}
	for (; pos < lexer->size; pos++) {
		work_step(TOKEN_STEPS);
		emit_byte(lexer, pos);
		hand_over(lexer);
	}
	shape_end_file(&lexer->shape, lexer->size);
	if (tc->is_tree)
		shape_frame(&lexer->shape, lexer->size);
	return lexer->gave_up ? -1 : 0;
}

/* With tokens that go to OUT, or by way of COARSE. */
static void lexer_open(struct lexer *lexer, const struct tokenizer *tok, struct tokens *out,
                       struct coarse *coarse, struct err *err)
{
	*lexer = (struct lexer){ .tok = tok, .err = err };
	matcher_open(&lexer->matcher, tok->captures, tok->jit);
	pcre2_set_callout(lexer->matcher.context, on_callout, lexer);
	shape_init(&lexer->shape, tok);
	lexer->shape.out = out;
	lexer->shape.coarse = coarse;
}

/* SHAPE has the last tokens of all. */
static void finish(struct shape *shape, uint32_t size)
{
	shape_finish(shape, size);
	free(shape->tokens.list);
	if (shape->coarse)
		coarse_release(shape->coarse);
}

static void lexer_close(struct lexer *lexer)
{
	shape_release(&lexer->shape);
	free(lexer->here);
	matcher_close(&lexer->matcher);
}

int lexer_run_on(const struct tokenizer *tok, const struct testcase *tc, uint32_t grain,
                 struct tokens *out, struct err *err)
{
	SCOPED(lexer_close) struct lexer lexer;
	struct coarse coarse;
	int rc = 0;
	*out = (struct tokens){ 0 };
	if (grain)
		coarse_init(&coarse, grain);
	lexer_open(&lexer, tok, out, grain ? &coarse : NULL, err);
	for (uint32_t i = 0; i < tc->n_files; i++)
		rc = take_file(&lexer, tc, &tc->files[i]);
	finish(&lexer.shape, tc->size);
	return rc;
}

int lexer_run(const struct tokenizer *tok, const struct testcase *tc, struct tokens *out,
              struct err *err)
{
	if (lexer_run_on(tok, tc, 0, out, err) == 0)
		return 0;
	tokens_release(out);
	return -1;
}

/* Each language has its own lexer; the last tokens go from hand to hand. */
int lexer_run_mixed(const struct tokenizers *toks, const struct testcase *tc, uint32_t grain,
                    struct tokens *out, struct err *err)
{
	unsigned n = tokenizers_count(toks);
	struct lexer *lexers = mem_zero(n, sizeof *lexers);
	struct err more = { 0 };
	struct coarse coarse;
	struct shape last = { .out = out };
	int rc = 0;
	*out = (struct tokens){ 0 };
	if (grain) {
		coarse_init(&coarse, grain);
		last.coarse = &coarse;
	}
	for (uint32_t i = 0; i < tc->n_files; i++) {
		struct lexer *lexer = &lexers[tc->files[i].language - 1];
		if (!lexer->tok)
			lexer_open(lexer, tokenizers_get(toks, tc->files[i].language), out,
			           last.coarse, err);
		lexer->shape.tokens = last.tokens;
		lexer->err = rc ? &more : err;
		rc |= take_file(lexer, tc, &tc->files[i]);
		last.tokens = lexer->shape.tokens;
	}
	finish(&last, tc->size);
	for (unsigned i = 0; i < n; i++)
		if (lexers[i].tok)
			lexer_close(&lexers[i]);
	free(lexers);
	return rc;
}
