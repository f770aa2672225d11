#include "run/forkserver.h"

#include <string.h>

#define VERSIONED 0x41464c00u /* of the new way, the version in the last byte */
#define FAILED 0xf800008fu    /* of the old way: an error in the middle */
#define OPTION_MAP 0x1u
#define OPTION_DICTIONARY 0x800u

/* What comes after the options and what they announced so far. */
static void go_on(struct forkserver *f)
{
	if (f->phase < FORKSERVER_MAP && (f->options & OPTION_MAP))
		f->phase = FORKSERVER_MAP;
	else if (f->phase < FORKSERVER_LENGTH && (f->options & OPTION_DICTIONARY))
		f->phase = FORKSERVER_LENGTH;
	else
		f->phase = FORKSERVER_WELCOME;
}

static enum forkserver_event take_hello(struct forkserver *f, uint32_t *word)
{
	f->hello = *word;
	if ((*word & FAILED) == FAILED)
		return FORKSERVER_STRANGE;
	if ((*word & 0xffffff00u) != VERSIONED) {
		f->phase = FORKSERVER_READY;
		return FORKSERVER_BEGINS;
	}
	f->phase = FORKSERVER_OPTIONS;
	*word = ~*word;
	return FORKSERVER_SEND;
}

static enum forkserver_event take_word(struct forkserver *f, uint32_t *word)
{
	switch (f->phase) {
	case FORKSERVER_HELLO:
		return take_hello(f, word);
	case FORKSERVER_OPTIONS:
		f->options = *word;
		go_on(f);
		return FORKSERVER_MORE;
	case FORKSERVER_MAP:
		go_on(f);
		return FORKSERVER_MORE;
	case FORKSERVER_LENGTH:
		f->left = *word;
		f->phase = f->left ? FORKSERVER_DICTIONARY : FORKSERVER_WELCOME;
		return FORKSERVER_MORE;
	case FORKSERVER_WELCOME:
		f->phase = FORKSERVER_READY;
		return *word == f->hello ? FORKSERVER_BEGINS : FORKSERVER_STRANGE;
	case FORKSERVER_PID:
		f->child = *word;
		f->phase = FORKSERVER_STATUS;
		return *word && *word <= INT32_MAX ? FORKSERVER_MORE : FORKSERVER_STRANGE;
	case FORKSERVER_STATUS:
		f->phase = FORKSERVER_READY;
		return FORKSERVER_ANSWER;
	case FORKSERVER_DICTIONARY:
	case FORKSERVER_READY: /* nobody has asked */
		break;
	}
	return FORKSERVER_STRANGE;
}

enum forkserver_event forkserver_take(struct forkserver *f, unsigned char byte, uint32_t *word)
{
	if (f->phase == FORKSERVER_DICTIONARY) {
		if (!--f->left)
			f->phase = FORKSERVER_WELCOME;
		return FORKSERVER_MORE;
	}
	f->word[f->n++] = byte;
	if (f->n < sizeof f->word)
		return FORKSERVER_MORE;
	f->n = 0;
	memcpy(word, f->word, sizeof *word);
	return take_word(f, word);
}

void forkserver_asked(struct forkserver *f)
{
	f->phase = FORKSERVER_PID;
}
