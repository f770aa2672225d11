/* Programs and what they declare. */
#include "external/external.h"

#include <jansson.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/oracle.h"

enum { DEFAULT_MAX_BYTES = 1 << 20, DEFAULT_SECONDS = 30, MAX_SECONDS = 600 };

/* ---- finding ---- */

char *externals_installed(const char *tokenizer, const char *dir)
{
	/* Newest first; where the packages of C-Vise and C-Reduce put it, and what a user has
	 * built. */
	static const char *const paths[] = { "/usr/local/libexec/cvise/clang_delta",
		                             "/usr/local/libexec/clang_delta",
		                             "/usr/lib/cvise/clang_delta",
		                             "/usr/libexec/cvise/clang_delta",
		                             "/usr/libexec/clang_delta",
		                             "/usr/libexec/creduce/clang_delta" };
	if (strcmp(tokenizer, "c"))
		return NULL;
	char *ours = mem_printf("%s/clang-delta", dir), *command = NULL;
	for (size_t i = 0; i < sizeof paths / sizeof *paths && !command; i++)
		if (io_can_run(paths[i]) && io_can_run(ours))
			command = mem_printf("%s %s", ours, paths[i]);
	free(ours);
	return command;
}

char *externals_built(const char *tokenizer, const char *file, const char *dir)
{
	static const char *const endings[] = { ".cc", ".cpp", ".cxx", ".c++", ".C", ".ii",
		                               ".hh", ".hpp", ".hxx", ".h++", ".H", NULL };
	char *refs = mem_printf("%s/whittle-refs", dir);
	const char *dot = strrchr(file, '.');
	if (dot && mem_place_of(endings, dot) >= 0 && !strcmp(tokenizer, "c") && io_can_run(refs))
		return refs;
	free(refs);
	return NULL;
}

/* Says where it was looked for. */
static int no_program(const char *command, const char *word, struct err *err)
{
	const char *path = getenv("PATH");
	bool here = strchr(word, '/') != NULL;
	MEM_SCOPED char *dir = here ? getcwd(NULL, 0) : NULL;
	err_set(err, ERR_USAGE, "external pass \"%s\": there is no such program (searched: %s)",
	        command,
	        here   ? dir ? dir : "."
	        : path ? path
	               : "nowhere, PATH is empty");
	return -1;
}

static int find_words(struct external_program *p, const char *command, struct err *err)
{
	uint32_t n = 0, cap = 0;
	for (const char *at = command + strspn(command, " \t"); *at; at += strspn(at, " \t")) {
		size_t len = strcspn(at, " \t");
		MEM_PUSH(p->words, n, cap, mem_printf("%.*s", (int)len, at));
		at += len;
	}
	MEM_GROW(p->words, n, cap);
	p->words[n] = NULL;
	MEM_SCOPED char *found = n ? io_find_program(NULL, p->words[0]) : NULL;
	/* Not in a directory of PATH whose place depends on where one stands. */
	bool fixed = found && (*found == '/' || strchr(p->words[0], '/'));
	char *path = fixed ? realpath(found, NULL) : NULL;
	if (!path)
		return no_program(command, n ? p->words[0] : "", err);
	free(p->words[0]);
	p->words[0] = path;
	return 0;
}

/* ---- declarations ---- */

static bool is_name(const json_t *j)
{
	const char *s = json_string_value(j);
	return s && *s && strlen(s) < 100 && !strpbrk(s, " \t\n;:/");
}

static bool applies_to(const json_t *tokenizers, const char *tokenizer)
{
	for (size_t i = 0; i < json_array_size(tokenizers); i++) {
		const char *name = json_string_value(json_array_get(tokenizers, i));
		if (name && !strcmp(name, tokenizer))
			return true;
	}
	return !tokenizers;
}

static void add_pass(struct externals *x, const json_t *line, const char *tokenizer)
{
	if (!applies_to(json_object_get(line, "tokenizers"), tokenizer))
		return;
	const char *word = json_string_value(json_object_get(line, "pass"));
	json_int_t max = json_integer_value(json_object_get(line, "max-bytes")),
		   min = json_integer_value(json_object_get(line, "min-bytes"));
	MEM_PUSH(x->passes, x->n_passes, x->cap_passes,
	         (struct external_pass){
			 .name = mem_printf("%s:%s", x->programs[x->n_programs - 1].name, word),
			 .word = mem_strdup(word),
			 .program = x->n_programs - 1,
			 .pump = json_is_true(json_object_get(line, "pump")),
			 .early = json_is_true(json_object_get(line, "early")) &&
	                          !json_is_true(json_object_get(line, "pump")),
			 .min_bytes = min > 0 && min < UINT32_MAX ? (uint32_t)min : 1,
			 .max_bytes =
				 max > 0 && max < UINT32_MAX ? (uint32_t)max : DEFAULT_MAX_BYTES,
		 });
}

/* One line of the answer to "describe". */
static bool declare(struct externals *x, struct external_program *p, const char *text, size_t len,
                    const char *tokenizer)
{
	json_t *line = json_loadb(text, len, 0, NULL);
	bool good = json_is_object(line), names = json_object_get(line, "protocol") != NULL;
	if (good && names &&
	    (good = json_integer_value(json_object_get(line, "protocol")) == 1 && !p->name &&
	            is_name(json_object_get(line, "name")))) {
		const char *version = json_string_value(json_object_get(line, "version"));
		good = !version || !strpbrk(version, "\n;");
		json_int_t seconds = json_integer_value(json_object_get(line, "seconds"));
		p->limit_ns = (uint64_t)(seconds > 0 && seconds <= MAX_SECONDS ? seconds
		                                                               : DEFAULT_SECONDS) *
		              1000000000u;
		p->name = mem_strdup(json_string_value(json_object_get(line, "name")));
		p->version = mem_strdup(version ? version : "");
	} else if (good && json_object_get(line, "pass") &&
	           (good = p->name && is_name(json_object_get(line, "pass")) &&
	                   x->n_passes < EXTERNAL_MAX_PASSES))
		add_pass(x, line, tokenizer);
	json_decref(line);
	return good;
}

static bool declare_all(struct externals *x, struct external_program *p, const struct buf *text,
                        const char *tokenizer)
{
	for (char *at = text->data, *end = text->data + text->len; at < end; at++) {
		char *nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		if (nl != at && !declare(x, p, at, (size_t)(nl - at), tokenizer))
			return false;
		at = nl;
	}
	return p->name != NULL;
}

/* Of the program's file and what it says about itself. A program that is a script for another one
 * names that one's version in its answer. */
static int identify(struct external_program *p, const struct buf *said, struct err *err)
{
	BUF_SCOPED struct buf file = { 0 };
	if (io_read_file(p->words[0], &file, err) < 0)
		return -1;
	p->identity = hash_bytes(said->data, said->len, hash_bytes(file.data, file.len, 0).lo);
	return 0;
}

/* Takes back all programs and passes but the first ones. */
static void forget(struct externals *x, uint32_t n_programs, uint32_t n_passes)
{
	while (x->n_programs > n_programs) {
		struct external_program *p = &x->programs[--x->n_programs];
		mem_free_words(p->words);
		free(p->name);
		free(p->version);
	}
	while (x->n_passes > n_passes) {
		struct external_pass *pass = &x->passes[--x->n_passes];
		free(pass->name);
		free(pass->word);
	}
}

/* What the program says it has; of one whose words are known. */
static int add_passes(struct externals *x, struct external_program *p, const char *tokenizer,
                      const struct testcase *empty, const struct oracle_asker *asker,
                      struct err *err)
{
	BUF_SCOPED struct buf said = { 0 };
	int rc = external_ask_once(p, "describe", empty, asker, &said, err);
	if (rc == 0 && !declare_all(x, p, &said, tokenizer))
		rc = err_set(err, ERR_USAGE,
		             "external pass \"%s\": its answer to \"describe\" is not valid; see "
		             "whittle-passes(7)",
		             p->words[0]);
	if (rc == 0)
		rc = identify(p, &said, err);
	return rc;
}

int externals_add(struct externals *x, const char *command, const char *tokenizer,
                  const struct testcase *empty, const struct oracle_asker *asker, struct err *err)
{
	uint32_t n_programs = x->n_programs, n_passes = x->n_passes;
	MEM_GROW(x->programs, x->n_programs, x->cap_programs);
	struct external_program *p = &x->programs[x->n_programs++];
	*p = (struct external_program){ .limit_ns = (uint64_t)DEFAULT_SECONDS * 1000000000u };
	int rc = find_words(p, command, err);
	if (rc == 0)
		rc = add_passes(x, p, tokenizer, empty, asker, err);
	if (rc < 0)
		forget(x, n_programs, n_passes);
	return rc;
}

char *externals_commands(const struct externals *x)
{
	BUF_SCOPED struct buf text = { 0 };
	buf_add(&text, "", 0);
	for (uint32_t i = 0; i < x->n_programs; i++)
		for (char **w = x->programs[i].words; *w; w++)
			buf_addf(&text, "%s%s",
			         w != x->programs[i].words ? " "
			         : i                       ? "; "
			                                   : "",
			         *w);
	return mem_strdup(text.data ? text.data : "");
}

void externals_release(struct externals *x)
{
	forget(x, 0, 0);
	free(x->programs);
	free(x->passes);
	*x = (struct externals){ 0 };
}

char *externals_identity(const struct externals *x)
{
	BUF_SCOPED struct buf text = { 0 };
	buf_add(&text, "", 0);
	for (uint32_t i = 0; i < x->n_programs; i++) {
		const struct external_program *p = &x->programs[i];
		buf_addf(&text, "%s%s %s " HASH_DIGITS, i ? "; " : "", p->name, p->version,
		         HASH_OF(p->identity));
	}
	return mem_strdup(text.data ? text.data : "");
}
