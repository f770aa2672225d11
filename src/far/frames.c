#include "far/frames.h"

void frames_feed(struct frames *f, const void *bytes, size_t len)
{
	if (f->at) {
		f->buf.len -= f->at;
		memmove(f->buf.data, f->buf.data + f->at, f->buf.len);
		f->at = 0;
	}
	if (!f->bad)
		buf_add(&f->buf, bytes, len);
}

bool frames_number(const char *word, uint64_t most, uint64_t *out)
{
	uint64_t n = 0;
	if (!*word || (word[0] == '0' && word[1]))
		return false;
	for (; *word; word++) {
		if (*word < '0' || *word > '9')
			return false;
		uint64_t digit = (uint64_t)(*word - '0');
		if (n > (most - digit) / 10 || digit > most)
			return false;
		n = n * 10 + digit;
	}
	*out = n;
	return true;
}

static bool is_clean(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			return false;
	return len && line[0] != ' ';
}

/* Divides the LEN bytes at LINE, behind which there is room for a NUL. */
static void divide(struct frame *out, char *line, size_t len)
{
	line[len] = '\0';
	out->n = 0;
	for (char *at = line; *at && out->n < FRAMES_WORDS;) {
		out->words[out->n++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
}

static enum frames_got refuse(struct frames *f)
{
	f->bad = true;
	return FRAMES_BAD;
}

/* The number of bytes that the line announces: in its last word, if that begins with a colon. */
static bool body_of(const struct frames *f, const char *line, size_t len, bool *has, uint64_t *size)
{
	char word[24];
	size_t n = 0;
	*has = false;
	while (n < len && line[len - n - 1] != ' ')
		n++;
	if (!n || line[len - n] != ':')
		return true;
	*has = true;
	if (n > sizeof word)
		return false;
	memcpy(word, line + len - n + 1, n - 1);
	word[n - 1] = '\0';
	return frames_number(word, f->most_body, size);
}

enum frames_got frames_next(struct frames *f, struct frame *out)
{
	char *line = f->buf.data + f->at;
	size_t left = f->buf.len - f->at;
	char *end = left && !f->bad ? memchr(line, '\n', left < FRAMES_LINE ? left : FRAMES_LINE)
	                            : NULL;
	if (f->bad || (!end && left >= FRAMES_LINE))
		return refuse(f);
	if (!end)
		return FRAMES_NONE;
	size_t len = (size_t)(end - line);
	uint64_t size = 0;
	bool has;
	if (!is_clean(line, len) || !body_of(f, line, len, &has, &size))
		return refuse(f);
	if (has && left - len - 1 <= size)
		return FRAMES_NONE;
	if (has && end[(size_t)(1 + size)] != '\n')
		return refuse(f);
	*out = (struct frame){ .body = has ? (uint8_t *)end + 1 : NULL, .len = (size_t)size };
	divide(out, line, len);
	f->at += len + 1 + (has ? (size_t)size + 1 : 0);
	return FRAMES_ONE;
}

enum frames_got frames_seek(struct frames *f, const char *prefix)
{
	size_t n = strlen(prefix);
	while (f->buf.len > f->at) {
		const char *line = f->buf.data + f->at;
		size_t left = f->buf.len - f->at;
		if (left >= n && !memcmp(line, prefix, n))
			return FRAMES_ONE;
		const char *end = memchr(line, '\n', left);
		size_t len = end ? (size_t)(end - line) + 1 : left;
		if (f->bad || f->dropped + len > FRAMES_PREAMBLE)
			return refuse(f);
		if (!end)
			break;
		f->dropped += len;
		f->at += len;
	}
	return FRAMES_NONE;
}

bool frames_half(const struct frames *f)
{
	return f->buf.len > f->at;
}

void frames_release(struct frames *f)
{
	buf_release(&f->buf);
}
