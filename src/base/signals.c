#include "base/signals.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
enum { N_STOPS = sizeof stops / sizeof *stops };

/* What stands for stops[I] once it has arrived: it is blocked, and so stays pending. */
static int stand_in(size_t i)
{
	return SIGRTMIN + (int)i;
}

static sigset_t stand_ins(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < N_STOPS; i++)
		sigaddset(&set, stand_in(i));
	return set;
}

static void arrive(int sig);

static void stop_catching(void)
{
	for (size_t i = 0; i < N_STOPS; i++) {
		struct sigaction now;
		if (sigaction(stops[i], NULL, &now) == 0 && now.sa_handler == arrive)
			signal(stops[i], SIG_DFL);
	}
}

/* The handler. The next signal is not caught. */
static void arrive(int sig)
{
	int saved = errno;
	stop_catching();
	for (size_t i = 0; i < N_STOPS; i++)
		if (stops[i] == sig)
			kill(getpid(), stand_in(i));
	errno = saved;
}

int signals_open(void)
{
	sigset_t set = stand_ins();
	for (size_t i = 0; i < N_STOPS; i++)
		sigaddset(&set, stops[i]);
	sigaddset(&set, SIGALRM);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int signals_catch(void)
{
	sigset_t set = stand_ins();
	struct sigaction action = { .sa_handler = arrive }, now;
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < N_STOPS; i++)
		sigaddset(&action.sa_mask, stops[i]);
	for (size_t i = 0; i < N_STOPS; i++)
		if (sigaction(stops[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(stops[i], &action, NULL);
	return signals_open();
}

/* Takes the signals of SET that are pending; the last one of them, 0 when there is none. */
static int take(const sigset_t *set)
{
	const struct timespec at_once = { 0 };
	int sig, last = 0;
	while ((sig = sigtimedwait(set, NULL, &at_once)) > 0 || (sig < 0 && errno == EINTR))
		last = sig > 0 ? sig : last;
	return last;
}

int signals_release(void)
{
	sigset_t set = stand_ins();
	stop_catching();
	int sig = take(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return sig ? stops[sig - SIGRTMIN] : 0;
}

int signals_arrived(void)
{
	sigset_t pending;
	if (sigpending(&pending) < 0)
		return 0;
	for (size_t i = 0; i < N_STOPS; i++)
		if (sigismember(&pending, stand_in(i)) == 1 || sigismember(&pending, stops[i]) == 1)
			return stops[i];
	return sigismember(&pending, SIGALRM) == 1 ? SIGALRM : 0;
}

int signals_set_time(uint64_t ns)
{
	enum { PER_SECOND = 1000000000, PER_MICROSECOND = 1000 };
	struct itimerval when = { .it_value = {
					  (time_t)(ns / PER_SECOND),
					  (suseconds_t)(ns % PER_SECOND / PER_MICROSECOND) } };
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (ns && ns < PER_MICROSECOND) /* zero would mean never */
		when.it_value.tv_usec = 1;
	const struct itimerval never = { 0 };
	setitimer(ITIMER_REAL, &never, NULL);
	take(&set);
	return setitimer(ITIMER_REAL, &when, NULL);
}

int signals_check(const char *doing, struct err *err)
{
	int sig = signals_arrived();
	if (!sig)
		return 0;
	return err_set(err, ERR_STOPPED, "%s while %s",
	               sig == SIGALRM ? "the time is up" : "stopped", doing);
}
