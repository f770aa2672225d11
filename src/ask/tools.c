#include "ask/tools.h"

#include <signal.h>
#include <sys/utsname.h>

#include "ask/outcome.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"

/* Bracketed by blanks. */
static const char known[] =
	" as awk bash bison bitwuzla boolector bun c++ cabal cadical cargo cc clang clang++ cmake "
	"cpp curl cvc4 cvc5 dash deno dotnet dune eslint ffmpeg flex g++ gawk gcc gdb gfortran ghc "
	"git gmake gnat gnatmake go gold guile httpd java javac jq julia kissat kotlinc ld ld.lld "
	"llc lld llvm-as llvm-objdump lua luajit lualatex magick make mawk mypy mysql nasm ninja "
	"node npm objdump ocaml ocamlfind ocamlopt openssl opt pandoc pdflatex pdftotext perl php "
	"postgres prettier protoc psql pypy pytest python python3 qpdf quickjs R racket readelf "
	"ruby ruff rustc rustfmt sbcl scala sed shellcheck sqlite3 strip swift swiftc tcc "
	"tree-sitter tsc typst unzip valgrind wasm-opt wasm-validate wasm2wat wasmer wasmtime "
	"xelatex xmllint xz yasm z3 zig zsh zstd ";

/* What they are asked instead of --version. */
static const char *const asked[][2] = { { "awk", "-W version" },  { "go", "version" },
	                                { "lua", "-v" },          { "luajit", "-v" },
	                                { "mawk", "-W version" }, { "zig", "version" } };

/* How much of NAME is the program without the number that follows: of gcc-12, python3.11. */
static int unnumbered(const char *name)
{
	size_t len = strlen(name);
	while (len && strchr("0123456789.", name[len - 1]))
		len--;
	return (int)(len && name[len - 1] == '-' ? len - 1 : len);
}

static bool is_listed(const char *name, int len)
{
	MEM_SCOPED char *word = mem_printf(" %.*s ", len, name);
	return len && strstr(known, word);
}

bool tools_is_known(const char *program)
{
	const char *leaf = path_base(program);
	return is_listed(leaf, (int)strlen(leaf)) || is_listed(leaf, unnumbered(leaf));
}

static const char *option_of(const char *program)
{
	const char *leaf = path_base(program);
	size_t len = (size_t)unnumbered(leaf);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		if (strlen(asked[i][0]) == len && !strncmp(asked[i][0], leaf, len))
			return asked[i][1];
	return "--version";
}

/* The first line that a program prints when it is asked; NULL: it cannot be run. The caller's. */
static char *version_of(const char *name)
{
	static const struct outcome_limits limits = { .wall_ns = TOOLS_ANSWER_NS };
	char *program = mem_strdup(name), sh[] = "sh", c[] = "-c";
	char *option = mem_strdup(option_of(name));
	char run[] = "exec \"$0\" $1 </dev/null"; /* our input is not its business */
	char *const argv[] = { sh, c, run, program, option, NULL };
	SCOPED(outcome_release) struct outcome out = { 0 };
	char *line = NULL;
	if (outcome_run(argv, &limits, &out, NULL) == 0 && out.status == 0) {
		const char *said = out.out.len ? out.out.data : out.err.len ? out.err.data : "";
		said += strspn(said, "\n");
		line = mem_printf("%.*s", (int)strcspn(said, "\n"), said);
	}
	free(program);
	free(option);
	return line;
}

static void look_at(struct texts *found, const char *word, bool trusted, tools_fn *fn, void *ctx)
{
	const char *name = path_base(word);
	if ((name != word && (*word != '/' || !trusted)) || !tools_is_known(name) ||
	    found->n == TOOLS_MOST || texts_have(found, word))
		return;
	texts_add(found, mem_strdup(word));
	MEM_SCOPED char *version = version_of(word);
	if (version && *version)
		fn(ctx, word, version);
}

/* Comments of a script name much that is not run. */
static bool is_comment(const char *line)
{
	return line[strspn(line, " \t")] == '#' && line[1] != '!';
}

void tools_find(const char *text, bool trusted, tools_fn *fn, void *ctx)
{
	static const char part[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_+./-";
	TEXTS_SCOPED struct texts found = { 0 };
	sigset_t signals;
	sigprocmask(SIG_BLOCK, NULL, &signals);
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line != 0) {
		const char *end = line + strcspn(line, "\n");
		for (const char *at = line; at < end && !is_comment(line);) {
			at += strspn(at, "-"); /* of "${CC:-gcc}" */
			size_t len = strspn(at, part);
			MEM_SCOPED char *word = mem_printf("%.*s", (int)len, at);
			look_at(&found, word, trusted, fn, ctx);
			at += len ? len : 1;
		}
	}
	sigprocmask(SIG_SETMASK, &signals, NULL); /* as outcome_run does not leave them */
}

/* The value of KEY in a file of lines KEY="VALUE"; the caller's, or NULL. */
static char *value_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	if (!at)
		return NULL;
	at += strlen(key);
	at += *at == '"';
	return mem_printf("%.*s", (int)strcspn(at, "\"\n"), at);
}

char *tools_system(void)
{
	BUF_SCOPED struct buf text = { 0 };
	struct utsname u;
	MEM_SCOPED char *name = NULL;
	if (io_read_file("/etc/os-release", &text, NULL) == 0 && text.len)
		name = value_of(text.data, "PRETTY_NAME=");
	return uname(&u) == 0 ? mem_printf("%s%s%s %s %s", name ? name : "", name ? ", " : "",
	                                   u.sysname, u.release, u.machine)
	                      : mem_strdup(name ? name : "");
}
