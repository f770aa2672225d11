/* whittle completion: what a shell may put in place of an unfinished word. The scripts of the
 * shells (share/completion/) only ask for it, so that all of it comes from the tables of commands
 * and options, as
 * --help prints them, from the kept reductions, tokenizers, passes and revisions. */
#include <stdio.h>

#include "ask/outcome.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/installed.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "cli/commands.h"

struct completion {
	char **words; /* behind the program's name; the last one is not finished */
	int n;
	const char *last;
	const char *command; /* "reduce" when none is named */
	struct buf help;     /* of the command */
};

/* ---- asking ---- */

/* What a command prints; empty when it fails. */
static struct buf ask(const char *const argv[])
{
	struct outcome o = { 0 };
	const struct outcome_limits limits = { 0 };
	outcome_run((char *const *)argv, &limits, &o, NULL);
	buf_release(&o.err);
	buf_add(&o.out, "", 0);
	return o.out;
}

static struct buf ask_ourselves(const char *a, const char *b)
{
	MEM_SCOPED char *exe = io_read_link("/proc/self/exe");
	const char *const argv[] = { exe ? exe : "whittle", a, b, NULL };
	return ask(argv);
}

/* ---- answering ---- */

/* One candidate, when the word can become it. HEAD stands before both. */
static void offer(const char *head, const char *word, const char *candidate, const char *help)
{
	if (!strncmp(candidate, word, strlen(word)))
		show_printf(stdout, "%s%s\t%.*s\n", head, candidate, (int)strcspn(help, "\t"),
		            help);
}

/* The first column of each line up to one of STOPS; the rest explains it. */
static void offer_lines(const char *head, const char *word, struct buf text, const char *stops)
{
	for (char *rest = text.data, *line; (line = strsep(&rest, "\n"));) {
		size_t n = strcspn(line, stops);
		char *help = line + n + strspn(line + n, stops);
		bool end = line[n] == '\0';
		line[n] = '\0';
		if (*line)
			offer(head, word, line, end ? "" : help);
	}
	buf_release(&text);
}

static void offer_words(const char *head, const char *word, const char *words)
{
	struct buf text = { 0 };
	buf_addf(&text, "%s", words);
	for (char *p = text.data; *p; p++)
		*p = *p == ' ' ? '\n' : *p;
	offer_lines(head, word, text, "\t");
}

/* Name, state, original bytes, bytes. */
static void offer_reductions(const char *head, const char *word)
{
	struct buf text = ask_ourselves("list", "--porcelain");
	for (char *rest = text.data, *line; (line = strsep(&rest, "\n"));) {
		char *fields[4] = { NULL }, help[128];
		for (int i = 0; i < 4; i++)
			fields[i] = strsep(&line, "\t");
		if (!fields[3] || *fields[0] == '-') /* that is an option where it is inserted */
			continue;
		snprintf(help, sizeof help, "%s, %s -> %s bytes", fields[1], fields[2], fields[3]);
		offer(head, word, fields[0], help);
	}
	buf_release(&text);
}

static void offer_revisions(const char *head, const char *word)
{
	static const char *const argv[] = {
		"git",        "for-each-ref", "--format=%(refname:short)",
		"refs/heads", "refs/tags",    "refs/remotes",
		NULL
	};
	offer_words(head, word, "HEAD");
	offer_lines(head, word, ask(argv), "\t");
}

/* A list: only what stands behind the last comma, or a minus, is unfinished. */
static void offer_passes(const char *head, const char *word)
{
	const char *comma = strrchr(word, ',');
	size_t n = comma ? (size_t)(comma - word) + 1 : 0;
	n += word[n] == '-';
	MEM_SCOPED char *before = mem_printf("%s%.*s", head, (int)n, word);
	offer_lines(before, word + n, ask_ourselves("--list-passes", NULL), " ");
}

static void offer_tokenizers(const char *head, const char *word)
{
	offer_lines(head, word, ask_ourselves("tokens", "--list"), "\t");
}

/* ---- the values of options ---- */

/* What can stand for an option's value, or be an operand of a command. */
struct choice {
	const char *name;
	void (*offer)(const char *head, const char *word);
	const char *words; /* instead */
};

static const struct choice values[] = {
	{ "tokenizer", offer_tokenizers, NULL },
	{ "passes", offer_passes, NULL },
	{ "name", offer_reductions, NULL },
	{ "based-on", offer_reductions, NULL },
	{ "good", offer_revisions, NULL },
	{ "bad", offer_revisions, NULL },
	{ "input", NULL, "basename arg stdin all" },
	{ "unchecked", NULL, "warn block" },
	{ "fence", NULL, "auto none write full" },
	{ "certify", NULL, "auto full token none" },
	{ "exit", NULL, "nonzero crash timeout any" },
	{ NULL, NULL, NULL },
};

/* False: there is none of this name. */
static bool offer_choice(const struct choice *c, const char *name, const char *head,
                         const char *word)
{
	while (c->name && strcmp(c->name, name) != 0)
		c++;
	if (c->offer)
		c->offer(head, word);
	else if (c->name)
		offer_words(head, word, c->words);
	return c->name;
}

/* The option with the letter or name OPTION as a line of --help; NULL: there is none. Sets the
 * name, and what its value is called, empty when it takes none. */
static bool find_option(const struct completion *c, const char *option, char name[64],
                        char value[64])
{
	size_t len = strlen(option);
	for (const char *line = c->help.data; line; line = strchr(line, '\n')) {
		char letter = 0;
		line += *line == '\n';
		*name = *value = '\0';
		if (strncmp(line, "  ", 2) || (line[2] != '-' && line[2] != ' '))
			continue;
		if (line[2] == '-')
			letter = line[3];
		const char *dashes = letter && line[4] == ' ' ? NULL : strstr(line, "--");
		if (dashes && dashes - line == 6)
			sscanf(dashes, "--%63[a-z-]=%63s", name, value);
		else if (letter)
			sscanf(line, "  -%*c %63[A-Z|]", value);
		bool is_name = len > 2 && !strncmp(option, "--", 2) && !strcmp(option + 2, name);
		if (is_name || (len == 2 && option[0] == '-' && option[1] == letter))
			return true;
	}
	return false;
}

static void offer_value(const char *name, const char *kind, const char *head, const char *word)
{
	if (offer_choice(values, name, head, word))
		return;
	if (!strcmp(kind, "DIR"))
		puts(":directory"); /* the shell does it itself */
	else if (strstr(kind, "FILE") || !strcmp(kind, "OUT") || !strcmp(kind, "PATH"))
		puts(":file");
}

/* The word is the value of the option before it, or has "=" in it. */
static bool complete_value(const struct completion *c)
{
	char name[64], kind[64];
	const char *equals = strncmp(c->last, "--", 2) ? NULL : strchr(c->last, '=');
	MEM_SCOPED char *option = equals     ? mem_printf("%.*s", (int)(equals - c->last), c->last)
	                          : c->n > 1 ? mem_strdup(c->words[c->n - 2])
	                                     : mem_strdup("");
	bool found = find_option(c, option, name, kind) && *kind;
	if (found && equals) {
		MEM_SCOPED char *head = mem_printf("%s=", option);
		offer_value(name, kind, head, equals + 1);
	} else if (found)
		offer_value(name, kind, "", c->last);
	return found;
}

/* ---- options and operands ---- */

static void offer_options(const struct completion *c)
{
	for (const char *line = c->help.data; line; line = strchr(line, '\n')) {
		char name[64], text[80];
		int end = 0;
		line += *line == '\n';
		const char *dashes = strncmp(line, "  ", 2) ? NULL : strstr(line, "--");
		if (!dashes || dashes - line != 6 ||
		    sscanf(dashes, "--%63[a-z-]%n", name, &end) != 1)
			continue;
		const char *help = strchr(dashes + end, ' ');
		bool value = dashes[end] == '=';
		snprintf(text, sizeof text, "--%s%s", name, value ? "=" : "");
		help = help ? help + strspn(help, " ") : "";
		MEM_SCOPED char *about = mem_printf("%.*s", (int)strcspn(help, "\n"), help);
		offer("", c->last, text, about);
	}
}

static const struct choice operands[] = {
	{ "resume", offer_reductions, NULL },
	{ "status", offer_reductions, NULL },
	{ "log", offer_reductions, NULL },
	{ "show", offer_reductions, NULL },
	{ "diff", offer_reductions, NULL },
	{ "restore", offer_reductions, NULL },
	{ "prune", offer_reductions, NULL },
	{ "list", NULL, "" },
	{ "completion", NULL, "bash zsh fish" },
	{ "hook", NULL, "install uninstall status check run" },
	{ NULL, NULL, NULL },
};

static void offer_commands(const struct completion *c)
{
	const char *name, *help;
	for (size_t i = 0; (name = command_name(i, &help)); i++)
		offer("", c->last, name, help);
}

static void find_command(struct completion *c)
{
	const char *name;
	c->command = "reduce";
	for (size_t i = 0; c->n > 1 && (name = command_name(i, NULL)); i++)
		if (!strcmp(c->words[0], name))
			c->command = name;
	bool many = !strcmp(c->command, "reduce") || !strcmp(c->command, "check") ||
	            !strcmp(c->command, "resume");
	c->help = ask_ourselves(c->command, many ? "--help-all" : "--help");
}

static int complete(int n, char **words)
{
	static char nothing[] = "";
	static char *none[] = { nothing, NULL };
	struct completion c = { .words = n ? words : none, .n = n ? n : 1 };
	c.last = c.words[c.n - 1];
	find_command(&c);
	if (!complete_value(&c)) {
		if (*c.last == '-')
			offer_options(&c);
		else if (c.n == 1)
			offer_commands(&c);
		if (*c.last != '-' && !offer_choice(operands, c.command, "", c.last))
			puts(":file");
	}
	buf_release(&c.help);
	return 0;
}

/* ---- the command ---- */

static int print_script(const char *shell, struct err *err)
{
	static const char *const shells[] = { "bash", "zsh", "fish", NULL };
	BUF_SCOPED struct buf text = { 0 };
	if (mem_place_of(shells, shell) < 0)
		return err_set(err, ERR_USAGE, "completion: \"%s\" is not bash, zsh or fish",
		               shell);
	MEM_SCOPED char *dir = installed_data_dir("completion"),
			*file = mem_printf("%s/whittle.%s", dir, shell);
	int rc = io_read_file(file, &text, err);
	if (rc == 0)
		fwrite(text.data, 1, text.len, stdout);
	return rc;
}

static int help(void)
{
	puts("usage: whittle completion bash|zsh|fish\n"
	     "       whittle completion -- WORD...\n"
	     "\n"
	     "The first form prints the completion script of a shell. Use it if the shell does\n"
	     "not find the installed one: eval \"$(whittle completion bash)\". The scripts call\n"
	     "the second form, which prints the possible completions of the last word, each\n"
	     "with an explanation after a tab.\n"
	     "\n"
	     "  -h, --help                 print this help");
	return 0;
}

int cmd_completion(int argc, char **argv)
{
	struct err err;
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return help();
	if (argc > 1 && !strcmp(argv[1], "--"))
		return complete(argc - 2, argv + 2);
	if (argc != 2) {
		err_set(&err, ERR_USAGE, "completion: one of bash, zsh, fish is needed");
		return command_fail(&err);
	}
	return print_script(argv[1], &err) < 0 ? command_fail(&err) : 0;
}
