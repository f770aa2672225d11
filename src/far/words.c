#include "far/words.h"

#include "base/buf.h"
#include "far/frames.h"
#include "run/setup.h"

static const char *const verdicts[VERDICTS] = {
	[VERDICT_UNKNOWN] = "",
	[VERDICT_INTERESTING] = "interesting",
	[VERDICT_NOT_INTERESTING] = "boring",
	[VERDICT_TIMEOUT] = "timeout",
};
static const char *const whys[ANSWER_WHYS] = {
	[ANSWER_OWN] = "own",       [ANSWER_WORKER] = "worker",       [ANSWER_FILES] = "files",
	[ANSWER_MEMORY] = "memory", [ANSWER_PROCESSES] = "processes",
};

const char *words_verdict(enum verdict verdict)
{
	return verdicts[verdict];
}

const char *words_why(enum answer_why why)
{
	return whys[why];
}

static bool find(const char *const *words, int n, const char *word, int *found)
{
	for (*found = 0; *found < n; ++*found)
		if (!strcmp(words[*found], word))
			return true;
	return false;
}

static void add_text(struct buf *out, const char *text, unsigned most)
{
	size_t end = out->len + most;
	if (!*text)
		buf_addf(out, "%%20");
	for (const char *p = text; *p && out->len < end; p++)
		if (*p > ' ' && *p < 0x7f && *p != '%')
			buf_addch(out, *p);
		else
			buf_addf(out, "%%%02X", (unsigned char)*p);
}

void words_add_reason(struct buf *out, const char *text)
{
	add_text(out, text, 300);
}

void words_add_tool(struct buf *out, const char *text)
{
	add_text(out, text, 80);
}

void words_add_version(struct buf *out, const char *text)
{
	add_text(out, text, 250);
}

static int digit(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

bool words_read_text(const char *word, struct buf *out)
{
	for (const char *p = word; *p; p++) {
		if (*p != '%') {
			buf_addch(out, *p);
			continue;
		}
		int high = digit(p[1]), low = high < 0 ? -1 : digit(p[2]);
		if (low < 0)
			return false;
		buf_addch(out, (char)(high << 4 | low));
		p += 2;
	}
	return true;
}

bool words_read_answer(const struct frame *frame, const struct setup *setup, struct answer *out)
{
	int verdict, why;
	uint64_t status, wall;
	if (frame->n < 6 || !find(verdicts, VERDICTS, frame->words[2], &verdict) || !verdict ||
	    !find(whys, ANSWER_WHYS, frame->words[3], &why) ||
	    !frames_number(frame->words[4], 0xffff, &status) ||
	    !frames_number(frame->words[5], INT64_MAX, &wall))
		return false;
	out->verdict = (enum verdict)verdict;
	out->why = (enum answer_why)why;
	out->status = (int)status;
	out->wall_ns = wall;
	return verdict != VERDICT_INTERESTING ||
	       (why == ANSWER_OWN && wanted_status(setup, out->status));
}
