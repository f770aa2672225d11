#include "run/living.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "run/reap.h"

int living_open(struct living *l, bool forks, int *in, int *out)
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
	*l = (struct living){
		.to = to[1], .from = from[0], .input = -1, .forks = forks, .first_ns = l->first_ns
	};
	fcntl(l->to, F_SETFL, O_NONBLOCK);
	fcntl(l->from, F_SETFL, O_NONBLOCK);
	*in = to[0];
	*out = from[1];
	if (!forks || (l->input = memfd_create("candidate", MFD_CLOEXEC)) >= 0)
		return 0;
	int saved = errno;
	close(*in);
	close(*out);
	living_close(l);
	errno = saved;
	return -1;
}

void living_close(struct living *l)
{
	close(l->to);
	close(l->from);
	if (l->input >= 0)
		close(l->input);
}

static bool send_word(const struct living *l, uint32_t word)
{
	return write(l->to, &word, sizeof word) == (ssize_t)sizeof word;
}

/* Asks a fork server that is ready for a process. */
static bool ask_for_process(struct living *l)
{
	forkserver_asked(&l->server);
	return send_word(l, 0);
}

bool living_ask(struct living *l, const char *line, size_t len)
{
	if (l->forks && l->server.phase == FORKSERVER_HELLO)
		return true; /* when it is ready */
	if (io_is_readable(l->from))
		return false;
	if (l->forks)
		return ask_for_process(l);
	l->dialog = (struct dialog){ 0 };
	return write(l->to, line, len) == (ssize_t)len;
}

/* Takes N bytes of a fork server. */
static enum dialog_state take_words(struct living *l, const char *bytes, size_t n, int *status)
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

enum dialog_state living_hear(struct living *l, int *status)
{
	char bytes[4096];
	ssize_t n = read(l->from, bytes, sizeof bytes);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return DIALOG_MORE;
	if (n <= 0)
		return DIALOG_OVER;
	return l->forks ? take_words(l, bytes, (size_t)n, status)
	                : dialog_take(&l->dialog, bytes, (size_t)n, status);
}

int living_end(struct living *l)
{
	int status = 0;
	living_close(l);
	kill(l->pid, SIGKILL);
	kill(-l->pid, SIGKILL);
	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	reap_descendants();
	*l = (struct living){ .first_ns = l->first_ns };
	return status;
}
