/* What a program built for AFL says on descriptor 199 when it finds a tool at its descriptors 198
 * and 199: its fork server. Pure: no process, no descriptor.
 *
 * Words of four bytes. The old way: a hello. The new way (AFL++ 4.20 and later): a hello with a
 * version, which the tool sends back inverted, options, what they announce, the hello again. Then,
 * for each word that the tool sends, the number of a new process and, when that has ended, its wait
 * status. No option is asked for: without shared memory the program reads its input as it always
 * does.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum forkserver_phase {
	FORKSERVER_HELLO,
	FORKSERVER_OPTIONS,
	FORKSERVER_MAP,        /* size of the map */
	FORKSERVER_LENGTH,     /* bytes of the dictionary... */
	FORKSERVER_DICTIONARY, /* ...which follows */
	FORKSERVER_WELCOME,
	FORKSERVER_READY, /* for a word from us */
	FORKSERVER_PID,
	FORKSERVER_STATUS,
};

/* Zero-initialise for each process. */
struct forkserver {
	enum forkserver_phase phase;
	uint32_t hello, options, left; /* left: bytes of the dictionary */
	unsigned char word[4];
	size_t n;       /* bytes of the word that have come */
	uint32_t child; /* the number of the last process */
};

enum forkserver_event {
	FORKSERVER_MORE,
	FORKSERVER_SEND,   /* *word is to be sent */
	FORKSERVER_BEGINS, /* it is ready for the first time */
	FORKSERVER_ANSWER, /* *word is a wait status; it is ready again */
	FORKSERVER_STRANGE,
};

/* Takes one byte. */
enum forkserver_event forkserver_take(struct forkserver *f, unsigned char byte, uint32_t *word);

/* From now on it is asked for a process; it was ready. */
void forkserver_asked(struct forkserver *f);
