#include "run/living.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "run/reap.h"

int living_open(struct living *l, int *in, int *out)
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
	*l = (struct living){ .to = to[1], .from = from[0], .first_ns = l->first_ns };
	fcntl(l->to, F_SETFL, O_NONBLOCK);
	fcntl(l->from, F_SETFL, O_NONBLOCK);
	*in = to[0];
	*out = from[1];
	return 0;
}

bool living_ask(struct living *l, const char *line, size_t len)
{
	l->dialog = (struct dialog){ 0 };
	return !io_is_readable(l->from) && write(l->to, line, len) == (ssize_t)len;
}

enum dialog_state living_hear(struct living *l, int *status)
{
	char bytes[2 * DIALOG_LINE];
	ssize_t n = read(l->from, bytes, sizeof bytes);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return DIALOG_MORE;
	return n <= 0 ? DIALOG_OVER : dialog_take(&l->dialog, bytes, (size_t)n, status);
}

int living_end(struct living *l)
{
	int status = 0;
	close(l->to);
	close(l->from);
	kill(l->pid, SIGKILL);
	kill(-l->pid, SIGKILL);
	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	reap_descendants();
	*l = (struct living){ .first_ns = l->first_ns };
	return status;
}
