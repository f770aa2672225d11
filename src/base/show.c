#include "base/show.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

/* The length of the character of UTF-8 at P, of LEN bytes; 0: there is none. */
static size_t utf8_length(const unsigned char *p, size_t len)
{
	size_t n = *p < 0x80                 ? 1
	           : *p >= 0xc2 && *p < 0xe0 ? 2
	           : (*p & 0xf0) == 0xe0     ? 3
	           : *p >= 0xf0 && *p < 0xf5 ? 4
	                                     : 0;
	for (size_t i = 1; i < n; i++)
		if (i >= len || (p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

size_t show_next(const void *text, size_t len, bool *obeyed)
{
	const unsigned char *p = text;
	size_t n = utf8_length(p, len);
	if (n == 0)
		*obeyed = *p < 0xa0;
	else
		*obeyed = *p < ' ' || *p == 0x7f || (n == 2 && *p == 0xc2 && p[1] < 0xa0);
	return n ? n : 1;
}

void show_add(struct buf *out, const void *text, size_t len)
{
	const unsigned char *p = text;
	while (len) {
		bool obeyed;
		size_t step = show_next(p, len, &obeyed);
		if (!obeyed || *p == '\n' || *p == '\t')
			buf_add(out, p, step);
		else
			for (size_t i = 0; i < step; i++)
				buf_addf(out, "\\x%02x", p[i]);
		p += step;
		len -= step;
	}
}

char *show_text(const char *text)
{
	struct buf out = { 0 };
	show_add(&out, text, strlen(text));
	buf_addf(&out, "%s", "");
	return out.data;
}

void show_write(FILE *out, const void *bytes, size_t len)
{
	BUF_SCOPED struct buf shown = { 0 };
	if (!isatty(fileno(out))) {
		fwrite(bytes, 1, len, out);
		return;
	}
	show_add(&shown, bytes, len);
	if (shown.len)
		fwrite(shown.data, 1, shown.len, out);
}

void show_printf(FILE *out, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *line = mem_vprintf(fmt, ap);
	va_end(ap);
	MEM_SCOPED char *shown = show_text(line);
	fputs(shown, out);
}

unsigned show_width(FILE *out)
{
	struct winsize size = { 0 };
	bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
	return known ? size.ws_col : SHOW_COLUMNS;
}

size_t show_columns(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

/* Adds the LEN bytes at PIECE behind what fills *AT columns of the line, or to the next one. */
static void add_piece(struct buf *out, const char *next, const char *piece, size_t len, size_t *at)
{
	MEM_SCOPED char *text = mem_printf("%.*s", (int)len, piece);
	size_t width = show_columns(text);
	if (*at + 1 + width > SHOW_COLUMNS) {
		buf_addf(out, "\n%s%s", next, text);
		*at = show_columns(next) + width;
	} else {
		buf_addf(out, " %s", text);
		*at += 1 + width;
	}
}

/* How long the piece at TEXT is, up to a blank that is not between backquotes. */
static size_t piece_length(const char *text)
{
	size_t len = 0;
	for (bool quoted = false; text[len] && (text[len] != ' ' || quoted); len++)
		if (text[len] == '`')
			quoted = !quoted && strchr(text + len + 1, '`');
	return len;
}

void show_fold(struct buf *out, const char *head, const char *next, const char *text,
               const char *command)
{
	size_t at = show_columns(head), len;
	buf_addf(out, "%s", head);
	for (; *text; text += len + (text[len] == ' ')) {
		len = piece_length(text);
		add_piece(out, next, text, len, &at);
	}
	if (command)
		add_piece(out, next, command, strlen(command), &at);
}

void show_add_hint(struct buf *out, const char *text, const char *command)
{
	show_fold(out, "hint:", "  ", text, command);
}

void show_hint(const char *text, const char *command)
{
	BUF_SCOPED struct buf lines = { 0 };
	show_add_hint(&lines, text, command);
	show_printf(stderr, "%.*s\n", (int)lines.len, lines.data);
}

void show_note(const char *text, const char *command)
{
	BUF_SCOPED struct buf lines = { 0 };
	show_fold(&lines, "whittle:", "whittle:   ", text, command);
	show_printf(stderr, "%.*s\n", (int)lines.len, lines.data);
}

char *show_folded(const char *message)
{
	BUF_SCOPED struct buf lines = { 0 };
	show_fold(&lines, "whittle:", "whittle:   ", message, NULL);
	return mem_printf("%.*s", (int)(lines.len - strlen("whittle: ")),
	                  lines.data + strlen("whittle: "));
}

/* To a program that reads it each message is a line. While the display has standard error kept for
 * later, standard output is the terminal. */
static bool is_read_by_people(void)
{
	return isatty(STDERR_FILENO) || isatty(STDOUT_FILENO);
}

void show_message(const char *message)
{
	MEM_SCOPED char *first = mem_printf("%.*s", (int)strcspn(message, "\n"), message);
	bool folds =
		show_columns(first) + strlen("whittle: ") > SHOW_COLUMNS && is_read_by_people();
	MEM_SCOPED char *folded = folds ? show_folded(first) : NULL;
	show_printf(stderr, "whittle: %s%s\n", folds ? folded : first, message + strlen(first));
}

const char *show_s(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

void show_notice(UNUSED void *arg, const char *message)
{
	show_message(message);
}

const char *show_span(char text[SHOW_SPAN], double seconds)
{
	long s = seconds > 0 ? (long)(seconds + 0.5) : 0;
	if (seconds > 0 && seconds < 9.95)
		snprintf(text, SHOW_SPAN, "%.1f s", seconds);
	else if (s < 60)
		snprintf(text, SHOW_SPAN, "%ld s", s);
	else if (s < 3600)
		snprintf(text, SHOW_SPAN, "%ld min %ld s", s / 60, s % 60);
	else
		snprintf(text, SHOW_SPAN, "%ld h %ld min", s / 3600, s / 60 % 60);
	return text;
}
