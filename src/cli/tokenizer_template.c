#include "cli/tokenizer_template.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

/* @ stands for the language. It loads, finds nothing wrong with itself, and is of use for many
 * languages as it is. */
static const char template[] =
	"# @.\n"
	"#\n"
	"# Covers: what this file makes of the language.\n"
	"# Knowingly wrong: what it does not.\n"
	"# References: the language's description of its tokens.\n"
	"#\n"
	"# Each line is a directive; whittle-tokenizer(5) explains all of them. The rest of a line "
	"is a pattern as it stands: no\n"
	"# quotes, no doubled backslashes. Patterns are tried from top to bottom at each place, "
	"the first that matches wins.\n"
	"#\n"
	"#   whittle tokens --check @.tok          finds mistakes\n"
	"#   whittle tokens -t ./@.tok FILE        shows the tokens, with --tree the brackets and "
	"items\n"
	"#\n"
	"# Its place is ~/.config/whittle/tokenizers, or .whittle/tokenizers in a repository, "
	"where a line in .gitattributes\n"
	"# chooses it for files whose names do not tell: scripts/* whittle-tokenizer=@\n"
	"\n"
	"# How it is chosen: by file name, by the \"#!\" line, by the beginning of the content "
	"(with a priority, 1 to 100).\n"
	"files *.@\n"
	"#interpreter \\b@\n"
	"#content 40 ^module\\s+\\w+\n"
	"\n"
	"# White space. Line ends are told from blanks.\n"
	"newline [\\r\\n]\\s*\n"
	"blank [ \\t\\x0b\\f]+\n"
	"\n"
	"# Comments. A token takes what it can even when its end is missing: \"?\" behind the end, "
	"\"*+\" for what is in it.\n"
	"comment //.*+\n"
	"comment /\\*(?:[^*]|\\*(?!/))*+(?:\\*/)?\n"
	"# Comments that nest: nested comment (* *)\n"
	"\n"
	"# Literals and names.\n"
	"string \"(?:[^\"\\\\\\r\\n]|\\\\.)*+\"?\n"
	"string '(?:[^'\\\\\\r\\n]|\\\\.)*+'?\n"
	"number \\d(?:[eE][+-]?\\d|\\.(?=\\d)|\\w)*+\n"
	"identifier [A-Za-z_\\x80-\\xff][\\w\\x80-\\xff]*\n"
	"keywords if then else for while return\n"
	"\n"
	"# Brackets: what belongs together is reduced together. Words are brackets, too:\n"
	"#bracket begin end\n"
	"#open-words block if while function\n"
	"#close-words block end\n"
	"bracket { }\n"
	"bracket ( )\n"
	"bracket [ ]\n"
	"\n"
	"# What stands between items, and what ends one; a larger number splits first. Without a "
	"\";\" it may be the line end:\n"
	"#end-item 2 @newline inside top { not-after @other ,\n"
	"separator 1 ,\n"
	"terminator 2 ;\n"
	"end-item 2 } not-before ; , ) else\n"
	"\n"
	"# Operators of more than one character, then those of one. What nothing matches is a "
	"token of one byte.\n"
	"other [-+*/%<>=!&|^]=|&&|\\|\\||<<|>>|->|=>\n"
	"other [-+*/%<>=!&|^.:?~@#$]\n"
	"\n"
	"# What tokens of a kind may become to be simpler.\n"
	"simplest number 0\n"
	"simplest string \"\"\n";

static char *expand(const char *lang)
{
	struct buf out = { 0 };
	for (const char *p = template; *p; p++) {
		if (*p != '@' || (p > template && (p[-1] == '[' || p[-1] == '~')) ||
		    islower((unsigned char)p[1]))
			buf_addch(&out, *p);
		else
			buf_add(&out, lang, strlen(lang));
	}
	buf_addch(&out, '\0');
	return out.data;
}

static int write_new(const char *path, const char *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		err_errno(err, "%s", path);
		return err_as(err, ERR_USAGE);
	}
	int rc = io_write_all(fd, text, strlen(text));
	if (close(fd) || rc)
		return err_errno(err, "%s", path);
	return 0;
}

int tokenizer_template_write(const char *lang, struct err *err)
{
	for (const char *p = lang; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-+", *p))
			return err_set(err, ERR_USAGE,
			               "--new %s: expected a name of letters, digits and - _ +",
			               lang);
	if (!*lang || *lang == '-')
		return err_set(err, ERR_USAGE, "--new: expected the name of a language");
	MEM_SCOPED char *path = mem_printf("%s.tok", lang), *text = expand(lang);
	int rc = write_new(path, text, err);
	if (!rc)
		printf("%s\n", path);
	return rc;
}
