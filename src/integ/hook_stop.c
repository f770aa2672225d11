#include "integ/hook_stop.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/signals.h"

static int add(const struct hook_stop *stop, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	return epoll_ctl(stop->fd, EPOLL_CTL_ADD, fd, &event);
}

int hook_stop_init(struct hook_stop *stop, struct err *err)
{
	sigset_t set;
	sigemptyset(&set);
	signals_add_stops(&set);
	*stop = (struct hook_stop){ -1, -1, -1 };
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0 ||
	    (stop->fd = epoll_create1(EPOLL_CLOEXEC)) < 0 ||
	    (stop->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)) < 0 ||
	    (stop->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) < 0 ||
	    add(stop, stop->signals) < 0 || add(stop, stop->timer) < 0)
		return err_errno(err, "cannot wait for signals");
	return 0;
}

void hook_stop_release(struct hook_stop *stop)
{
	const int fds[] = { stop->fd, stop->signals, stop->timer };
	for (int i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

int hook_stop_arm(const struct hook_stop *stop, uint64_t ns, struct err *err)
{
	enum { PER_SECOND = 1000000000 };
	struct itimerspec when = { .it_value = { (time_t)(ns / PER_SECOND),
		                                 (long)(ns % PER_SECOND) } };
	if (!ns)
		when.it_value.tv_nsec = 1; /* zero would mean never */
	return timerfd_settime(stop->timer, 0, &when, NULL) < 0
	               ? err_errno(err, "cannot set a timer")
	               : 0;
}

int hook_stop_signal(void)
{
	static const int watched[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t pending;
	if (sigpending(&pending) < 0)
		return 0;
	for (int i = 0; i < 3; i++)
		if (sigismember(&pending, watched[i]) == 1)
			return watched[i];
	return 0;
}
