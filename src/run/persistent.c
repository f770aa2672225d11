#include "run/persistent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "run/child.h"
#include "run/reap.h"

enum { STATUS_MAX = 255 };

/* The number on the line; -1: it is none. */
static int number_of(const char *line, size_t n)
{
	int number = 0;
	if (n && line[n - 1] == '\r')
		n--;
	for (size_t i = 0; i < n; i++) {
		if (line[i] < '0' || line[i] > '9')
			return -1;
		number = 10 * number + (line[i] - '0');
		if (number > STATUS_MAX)
			return -1;
	}
	return n ? number : -1;
}

/* One byte of the line. False: it cannot stand there. */
static bool take_byte(struct dialog *d, char byte)
{
	if (d->repeats && d->repeated < d->len)
		return d->question[d->repeated++] == byte;
	if (d->repeats)
		return byte == '\r';
	d->repeats = byte == ' ' && d->n;
	if (d->repeats)
		return true;
	if (d->n + 1 == sizeof d->line)
		return false;
	d->line[d->n++] = byte;
	return true;
}

enum dialog_state dialog_take(struct dialog *d, const char *bytes, size_t n, int *status)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && !take_byte(d, bytes[i]))
			return DIALOG_GARBAGE;
		if (bytes[i] != '\n')
			continue;
		*status = d->repeats && d->repeated < d->len ? -1 : number_of(d->line, d->n);
		return *status < 0 || i + 1 < n ? DIALOG_GARBAGE : DIALOG_ANSWER;
	}
	return DIALOG_MORE;
}

bool dialog_stands(const struct dialog_doubt *doubt)
{
	return doubt->end == DIALOG_ANSWERED && !doubt->due && !doubt->interesting &&
	       !doubt->no_answer;
}

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

int persistent_open(struct persistent *l, bool forks, int *in, int *out)
{
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(from, O_CLOEXEC) < 0) {
		int saved = errno;
		close(to[0]);
		close(to[1]);
		errno = saved;
		return -1;
	}
	*l = (struct persistent){ .to = to[1],
		                  .from = from[0],
		                  .input = -1,
		                  .forks = forks,
		                  .first_ns = l->first_ns,
		                  .set = l->set };
	fcntl(l->to, F_SETFL, O_NONBLOCK);
	fcntl(l->from, F_SETFL, O_NONBLOCK);
	*in = to[0];
	*out = from[1];
	if (!forks || (l->input = memfd_create("candidate", MFD_CLOEXEC)) >= 0)
		return 0;
	int saved = errno;
	close(*in);
	close(*out);
	persistent_close(l);
	errno = saved;
	return -1;
}

void persistent_close(struct persistent *l)
{
	close(l->to);
	close(l->from);
	io_close(l->input);
}

static bool send_word(const struct persistent *l, uint32_t word)
{
	return write(l->to, &word, sizeof word) == (ssize_t)sizeof word;
}

/* Asks a fork server that is ready for a process. */
static bool ask_for_process(struct persistent *l)
{
	forkserver_asked(&l->server);
	return send_word(l, 0);
}

bool persistent_go_on(struct persistent *l)
{
	while (l->left) {
		ssize_t n = write(l->to, l->rest, l->left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		l->rest += n;
		l->left -= (size_t)n;
	}
	return true;
}

bool persistent_ask(struct persistent *l, const char *line, size_t len)
{
	if (l->forks && l->server.phase == FORKSERVER_HELLO)
		return true; /* when it is ready */
	if (io_is_readable(l->from))
		return false;
	if (l->forks)
		return ask_for_process(l);
	l->dialog = (struct dialog){ .question = line, .len = len - 1 };
	l->rest = line;
	l->left = len;
	return persistent_go_on(l);
}

/* Takes N bytes of a fork server. */
static enum dialog_state take_words(struct persistent *l, const char *bytes, size_t n, int *status)
{
	uint32_t word = 0;
	for (size_t i = 0; i < n; i++) {
		enum forkserver_event event =
			forkserver_take(&l->server, (unsigned char)bytes[i], &word);
		bool sent = true;
		if (event == FORKSERVER_SEND)
			sent = send_word(l, word);
		else if (event == FORKSERVER_BEGINS)
			sent = ask_for_process(l);
		if (event == FORKSERVER_STRANGE || !sent)
			return DIALOG_GARBAGE;
		*status = (int)word;
		if (event == FORKSERVER_ANSWER)
			return i + 1 == n ? DIALOG_ANSWER : DIALOG_GARBAGE;
	}
	return DIALOG_MORE;
}

enum dialog_state persistent_hear(struct persistent *l, int *status)
{
	char bytes[4096];
	ssize_t n = read(l->from, bytes, sizeof bytes);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return DIALOG_MORE;
	if (n <= 0)
		return DIALOG_OVER;
	if (l->left) /* this is no answer to what it does not know yet */
		return DIALOG_GARBAGE;
	return l->forks ? take_words(l, bytes, (size_t)n, status)
	                : dialog_take(&l->dialog, bytes, (size_t)n, status);
}

/* ---- what a fork server shares ---- */

static bool opens_little(pid_t pid)
{
	char path[32];
	bool little = true;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	IO_SCOPED_DIR DIR *dir = opendir(path);
	for (struct dirent *e; dir && little && (e = io_next_entry(dir));) {
		int fd = atoi(e->d_name);
		little =
			fd <= STDERR_FILENO || fd == CHILD_FORKSERVER || fd == CHILD_FORKSERVER + 1;
	}
	little = little && dir && !errno;
	return little;
}

/* Lines "BEGIN-END rw-s ..."; only what can be written to at some time matters, which the file's
 * mode of opening decides, so that each shared one counts. */
static bool maps_privately(pid_t pid)
{
	char path[32], *line = NULL;
	size_t cap = 0;
	bool privately = true;
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	while (maps && privately && getline(&line, &cap, maps) > 0) {
		const char *rights = strchr(line, ' ');
		privately = rights && strlen(rights) > 4 && rights[4] == 'p';
	}
	privately = privately && maps && feof(maps);
	free(line);
	if (maps)
		fclose(maps);
	return privately;
}

bool persistent_keeps_apart(const struct persistent *l)
{
	return opens_little(l->pid) && maps_privately(l->pid);
}

bool persistent_is_over(const struct persistent *l)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)l->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid;
}

int persistent_end(struct persistent *l, pid_t other)
{
	int status = 0;
	persistent_close(l);
	kill(l->pid, SIGKILL);
	kill(-l->pid, SIGKILL);
	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (other)
		reap_strays(other, 0);
	else
		reap_descendants();
	*l = (struct persistent){ .first_ns = l->first_ns, .set = l->set };
	return status;
}
