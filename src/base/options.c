#include "base/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"

static size_t count_rows(const struct option_row *rows)
{
	size_t n = 0;
	while (rows[n].set)
		n++;
	return n;
}

static void build_tables(const struct option_row *rows, size_t n, struct option *longs,
                         char *shorts)
{
	size_t at = 0;
	*shorts++ = ':';
	for (size_t i = 0; i < n; i++) {
		if (rows[i].name)
			longs[at++] =
				(struct option){ rows[i].name,
				                 rows[i].value ? required_argument : no_argument,
				                 NULL, 256 + (int)i };
		if (rows[i].letter) {
			*shorts++ = rows[i].letter;
			if (rows[i].value)
				*shorts++ = ':';
		}
	}
	longs[at] = (struct option){ 0 };
	*shorts = '\0';
}

static const struct option_row *row_for(const struct option_row *rows, size_t n, int c)
{
	if (c >= 256)
		return &rows[c - 256];
	for (size_t i = 0; i < n; i++)
		if (rows[i].letter == c)
			return &rows[i];
	return NULL;
}

/* SHOWN begins the names of several options: which ones. */
static int ambiguous(const struct option_row *rows, const char *shown, size_t len, struct err *err)
{
	BUF_SCOPED struct buf names = { 0 };
	for (; rows->set; rows++)
		if (rows->name && !strncmp(rows->name, shown + 2, len - 2))
			buf_addf(&names, "%s--%s", names.len ? ", " : "", rows->name);
	return err_set(err, ERR_USAGE, "option %s is ambiguous: it may be %.*s", shown,
	               (int)names.len, names.data);
}

/* What getopt does not take: no option has this name, several begin with it, or it has a value that
 * it does not want. */
static int refused(const struct option_row *rows, const char *shown, struct err *err)
{
	char question[80];
	const char *word = shown + strspn(shown, "-");
	size_t len = strcspn(word, "="), begin = 0;
	bool is = false;
	struct near n = near_begin(word, len);
	for (const struct option_row *row = rows; row->set; row++)
		if (row->name) {
			near_offer(&n, row->name);
			begin += !strncmp(row->name, word, len);
			is |= !strncmp(row->name, word, len) && !row->name[len];
		}
	if (begin > 1 && !is)
		return ambiguous(rows, shown, strcspn(shown, "="), err);
	if (begin)
		return err_set(err, ERR_USAGE, "option --%.*s takes no value", (int)len, word);
	return err_set(err, ERR_USAGE, "unknown option %s%s (see --help)", shown,
	               near_question(&n, "--", question, sizeof question));
}

int options_parse(const struct option_row *rows, int argc, char **argv, void *target,
                  struct err *err)
{
	size_t n = count_rows(rows);
	MEM_SCOPED struct option *longs = mem_alloc((n + 1) * sizeof *longs);
	MEM_SCOPED char *shorts = mem_alloc(2 * n + 2);
	build_tables(rows, n, longs, shorts);
	opterr = 0;
	optind = 0;
	int c, rc = 0;
	while (rc == 0 && (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const char *shown = argv[optind - 1];
		const struct option_row *row = row_for(rows, n, c == ':' ? optopt : c);
		if (c == ':')
			rc = err_set(err, ERR_USAGE, "option %s needs a value", shown);
		else if (c == '?' && optopt && optopt < 256)
			rc = err_set(err, ERR_USAGE, "unknown option -%c (see --help)", optopt);
		else if (c == '?')
			rc = refused(rows, shown, err);
		else
			rc = row->set(target, row, optarg, err);
	}
	return rc < 0 ? -1 : optind;
}

int options_heading(UNUSED void *target, UNUSED const struct option_row *row,
                    UNUSED const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "no option");
}

/* In lines of 80 columns. */
static void print_row(const struct option_row *row)
{
	enum { LEFT = 28, RIGHT = 80 - LEFT - 1 };
	char left[64];
	int n = row->letter
	                ? snprintf(left, sizeof left, "  -%c%s", row->letter, row->name ? ", " : "")
	                : snprintf(left, sizeof left, "      ");
	if (row->name)
		n += snprintf(left + n, sizeof left - (size_t)n, "--%s", row->name);
	if (row->value)
		snprintf(left + n, sizeof left - (size_t)n, "%s%s", row->name ? "=" : " ",
		         row->value);
	const char *text = row->help;
	printf("%-*s", LEFT, left);
	for (size_t used = strlen(left); *text;) {
		size_t room = used > LEFT ? RIGHT + LEFT - used : RIGHT, len = strlen(text);
		if (len > room)
			for (len = room; len && text[len] != ' ';)
				len--;
		printf(" %.*s\n", (int)len, text);
		text += len + (text[len] == ' ');
		used = LEFT;
		if (*text)
			printf("%*s", LEFT, "");
	}
}

static bool is_among(const char *name, const char *words)
{
	size_t len = strlen(name);
	for (const char *w = words; (w = strstr(w, name)); w += len)
		if ((w == words || w[-1] == ' ') && (w[len] == ' ' || !w[len]))
			return true;
	return false;
}

void options_help(const struct option_row *rows, const char *some)
{
	const char *heading = NULL;
	for (; rows->set && (rows->set != options_heading || rows->help); rows++) {
		if (rows->set == options_heading)
			heading = rows->help;
		else if (rows->help && (!some || (rows->name && is_among(rows->name, some)))) {
			if (heading)
				printf("%s:\n", heading);
			heading = NULL;
			print_row(rows);
		}
	}
}

static void *field(void *target, const struct option_row *row)
{
	return (char *)target + row->offset;
}

static int bad_value(const struct option_row *row, const char *text, const char *expected,
                     struct err *err)
{
	char name[64];
	if (row->name)
		snprintf(name, sizeof name, "--%s", row->name);
	else
		snprintf(name, sizeof name, "-%c", row->letter);
	return err_set(err, ERR_USAGE, "option %s: \"%s\" is not %s", name, text, expected);
}

int options_set_flag(void *target, const struct option_row *row, UNUSED const char *text,
                     UNUSED struct err *err)
{
	*(bool *)field(target, row) = true;
	return 0;
}

int options_word(const struct option_row *row, const char *text, const char *const *words,
                 struct err *err)
{
	char all[80] = "";
	size_t len = 0;
	int place = mem_place_of(words, text);
	if (place >= 0)
		return place;
	for (int i = 0; words[i] && len < sizeof all; i++)
		len += (size_t)snprintf(all + len, sizeof all - len, "%s%s",
		                        !i             ? ""
		                        : words[i + 1] ? ", "
		                                       : " or ",
		                        words[i]);
	return bad_value(row, text, all, err);
}

int options_set_text(void *target, const struct option_row *row, const char *text,
                     UNUSED struct err *err)
{
	*(const char **)field(target, row) = text;
	return 0;
}

int options_set_command(void *target, const struct option_row *row, const char *text,
                        struct err *err)
{
	if (!text[strspn(text, " \t\n")])
		return err_set(err, ERR_USAGE, "option --%s: the command is empty", row->name);
	return options_set_text(target, row, text, err);
}

/* A non-negative decimal number at the start of TEXT; *rest is what follows. */
static bool parse_number(const char *text, unsigned long long *out, const char **rest)
{
	char *end;
	errno = 0;
	if (*text < '0' || *text > '9')
		return false;
	*out = strtoull(text, &end, 10);
	*rest = end;
	return !errno;
}

int options_set_count(void *target, const struct option_row *row, const char *text, struct err *err)
{
	unsigned long long v;
	const char *rest;
	if (!parse_number(text, &v, &rest) || *rest)
		return bad_value(row, text, "a number", err);
	*(uint64_t *)field(target, row) = v;
	return 0;
}

int options_set_size(void *target, const struct option_row *row, const char *text, struct err *err)
{
	static const char units[] = "KMG";
	unsigned long long v;
	const char *rest, *unit;
	if (!parse_number(text, &v, &rest) ||
	    (*rest && (!(unit = strchr(units, *rest)) || rest[1])))
		return bad_value(row, text, "a size (bytes, or with suffix K, M or G)", err);
	int shift = *rest ? 10 * (int)(strchr(units, *rest) - units + 1) : 0;
	if (v > UINT64_MAX >> shift)
		return bad_value(row, text, "a size below 2^64", err);
	*(uint64_t *)field(target, row) = (uint64_t)v << shift;
	return 0;
}

bool options_duration(const char *text, uint64_t *ns)
{
	char *end;
	double v = strtod(text, &end);
	double unit = !*end || !strcmp(end, "s") ? 1
	              : !strcmp(end, "m")        ? 60
	              : !strcmp(end, "h")        ? 3600
	                                         : 0;
	if (end == text || !(v > 0) || unit == 0 || v * unit > 1e9)
		return false;
	*ns = (uint64_t)(v * unit * 1e9);
	return true;
}

int options_set_duration(void *target, const struct option_row *row, const char *text,
                         struct err *err)
{
	return options_duration(text, field(target, row))
	               ? 0
	               : bad_value(row, text, "a duration (seconds, or with suffix s, m or h)",
	                           err);
}
