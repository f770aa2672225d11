#include "run/permits.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "run/affinity.h"
#include "run/sets.h"

/* The job server for a test that runs several jobs itself: a FIFO of its own (sets.h: "j"), into
 * which the pool puts tokens while it has some to spare, and from which it takes back what the test
 * has not used. What the test has taken is the pool's again as soon as nothing of the test runs any
 * more, so nothing is lost by a test that is killed, and a test that puts in more than it took
 * cheats itself only.
 */

/* The test may have put anything in the place of the FIFO. */
static int open_fifo(const struct slot *slot)
{
	char name[SETS_NAME_SIZE];
	struct stat st;
	sets_name(name, 'j', slot->generation);
	int fd = openat(slot->dir, name, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Puts one more token into the FIFO of the slot's running test. False when it has none that can be
 * used. */
static bool serve_give(struct slot *slot)
{
	if (slot->jobs < 0)
		slot->jobs = open_fifo(slot);
	if (slot->jobs < 0 || write(slot->jobs, "+", 1) != 1)
		return false;
	slot->given++;
	return true;
}

/* Tokens given to the running test that it has not taken. */
static unsigned serve_unused(const struct slot *slot)
{
	int n = 0;
	if (slot->jobs < 0 || ioctl(slot->jobs, FIONREAD, &n) < 0 || n < 0)
		return 0;
	return (unsigned)n < slot->given ? (unsigned)n : slot->given;
}

/* Takes back up to MAX of these; how many. */
static unsigned serve_take_back(struct slot *slot, unsigned max)
{
	char bytes[64];
	unsigned n = serve_unused(slot);
	if (n > max)
		n = max;
	if (n > sizeof bytes)
		n = sizeof bytes;
	ssize_t got = n ? read(slot->jobs, bytes, n) : 0;
	if (got <= 0)
		return 0;
	slot->given -= (unsigned)got;
	return (unsigned)got;
}

enum {
	TEND_MS = 5,   /* what was not used for so long goes to tests or back */
	REST_MS = 2,   /* a token that was put back for others is not taken again at once */
	YIELD_MS = 20, /* tests that are shorter do not each put one back */
};
static const uint64_t MS = 1000000;

static unsigned in_use(const struct slots_count *c)
{
	return c->active + c->given;
}

static unsigned spare(const struct permits *t, const struct slots_count *c)
{
	return t->have > in_use(c) ? t->have - in_use(c) : 0;
}

/* A slot in which something still runs has its token. */
static unsigned startable(const struct permits *t, const struct slots_count *c)
{
	unsigned left = spare(t, c), fresh = c->free - c->charged;
	if (!t->most || c->active > t->most)
		return 0;
	if (left > t->most - c->active)
		left = t->most - c->active;
	return c->charged + (fresh < left ? fresh : left);
}

/* Could one more token be of use? */
static bool has_room(const struct permits *t, const struct slots_count *c)
{
	return c->free && c->active < t->most;
}

void permits_allow(struct permits *t, unsigned jobs)
{
	t->most = jobs;
	if (!t->joined && jobs)
		t->have = jobs;
}

unsigned permits_for_tests(const struct permits *t)
{
	struct slots_count c = slots_count(t->slots);
	return startable(t, &c);
}

static void take_back_unused(struct permits *t)
{
	for (unsigned i = 0; i < t->slots->n; i++)
		serve_take_back(&t->slots->list[i], UINT32_MAX);
}

unsigned permits_for_work(struct permits *t)
{
	struct slots_count c = slots_count(t->slots);
	unsigned n = startable(t, &c);
	if (!n && c.free && c.given) {
		take_back_unused(t);
		n = permits_for_tests(t);
	}
	t->starved = !n && has_room(t, &c);
	return n;
}

/* Threads of the system that run or could, this one included; 0: unknown. */
static unsigned runnable(void)
{
	unsigned n = 0;
	FILE *f = fopen("/proc/loadavg", "re");
	if (f && fscanf(f, "%*s %*s %*s %u/", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

/* Would one more test only take its time from those that run? Tests that wait leave room. */
static bool is_crowded(const struct permits *t, const struct slots_count *c)
{
	return c->active >= t->processors && runnable() > t->processors;
}

unsigned permits_for_speculation(struct permits *t)
{
	struct slots_count c = slots_count(t->slots);
	bool crowded = is_crowded(t, &c);
	if (!t->joined)
		return crowded ? 0 : permits_for_work(t);
	unsigned n = crowded ? 0 : startable(t, &c);
	t->eager = !crowded && !n && has_room(t, &c) && jobserver_left(&t->keeper.server) > 0;
	return t->contended ? 0 : n;
}

struct slot *permits_find_slot(struct permits *t)
{
	struct slots_count c = slots_count(t->slots);
	return slots_find_free(t->slots, spare(t, &c) == 0 || c.active >= t->most);
}

/* ---- with the job server above ---- */

static void give_back(struct permits *t, unsigned n, unsigned want, unsigned rest_ms)
{
	keeper_say(&t->keeper, n, want, rest_ms);
	t->have -= n;
	t->wanted = want;
}

void permits_test_ended(struct permits *t)
{
	struct slots_count c = slots_count(t->slots);
	if (t->keeper.sock < 0 || t->have <= 1 || !spare(t, &c))
		return;
	uint64_t now = io_now();
	t->contended = jobserver_left(&t->keeper.server) == 0 && t->yielding &&
	               (t->contended || now - t->yielded_ns > (REST_MS + 1) * MS);
	if (jobserver_left(&t->keeper.server) > 0 ||
	    (!t->contended && now - t->yielded_ns < YIELD_MS * MS))
		return;
	give_back(t, 1, t->have - 1, REST_MS);
	t->yielding = true;
	t->yielded_ns = now;
}

void permits_hear(struct permits *t)
{
	int n = keeper_hear(&t->keeper);
	if (n < 0) { /* what we have stays; keeper_stop gives it back */
		slots_forget(t->slots, t->keeper.sock);
		keeper_leave(&t->keeper);
		return;
	}
	if (n)
		t->yielding = t->contended = false;
	t->have += (unsigned)n;
}

/* ---- now and then ---- */

/* Gives to running tests that have used up what they had, one each. Returns how many such tests are
 * left over. */
static unsigned hand_out(struct permits *t, unsigned *left)
{
	unsigned wanting = 0, n = t->slots->n;
	for (unsigned k = 0, first = t->turn; k < n; k++) {
		struct slot *slot = &t->slots->list[(first + k) % n];
		if (!slot->busy || serve_unused(slot))
			continue;
		if (*left && serve_give(slot)) {
			--*left;
			t->turn = (first + k + 1) % n;
		} else
			wanting++;
	}
	return wanting;
}

/* For those who have used up what they had, next time. */
static void rotate(struct permits *t)
{
	for (unsigned i = 0; i < t->slots->n; i++)
		serve_take_back(&t->slots->list[i], 1);
}

/* What was idle goes to tests that can use it, else back. */
static void tend(struct permits *t)
{
	unsigned idle = t->idle;
	bool nothing_left = t->joined && jobserver_left(&t->keeper.server) == 0;
	t->hungry = false;
	if (t->serves) {
		bool wanting = hand_out(t, &idle) > 0;
		t->hungry = wanting && t->joined && !nothing_left;
		if (nothing_left)
			take_back_unused(
				t); /* idle from now on, so back in a moment unless there is work */
		else if (wanting)
			rotate(t);
	}
	if (t->keeper.sock >= 0 && idle && t->have > 1) {
		unsigned back = idle < t->have - 1 ? idle : t->have - 1;
		give_back(t, back, t->have - 1 - back, 0);
		t->starved = t->eager = t->yielding = t->contended = false;
	}
	struct slots_count c = slots_count(t->slots);
	t->idle = spare(t, &c);
}

static void tell_keeper(struct permits *t, const struct slots_count *c)
{
	unsigned want = t->have - 1;
	if (t->yielding || (!spare(t, c) && (t->starved || t->eager || t->hungry)))
		want++;
	if (t->keeper.sock >= 0 && want != t->wanted)
		give_back(t, 0, want, 0);
}

int permits_tend(struct permits *t)
{
	if (!t->joined && !t->serves)
		return -1;
	struct slots_count c = slots_count(t->slots);
	if (spare(t, &c) < t->idle)
		t->idle = spare(t, &c);
	uint64_t now = io_now();
	if (now - t->tended_ns >= TEND_MS * MS) {
		tend(t);
		t->tended_ns = now;
		c = slots_count(t->slots);
	}
	tell_keeper(t, &c);
	bool again = spare(t, &c) || c.given || (t->joined && t->serves);
	return again ? TEND_MS : -1;
}

int permits_init(struct permits *t, struct slots *slots, const struct setup *setup, struct err *err)
{
	*t = (struct permits){ .slots = slots,
		               .keeper.sock = -1,
		               .have = setup->jobs,
		               .most = setup->jobs,
		               .processors = affinity_processors(),
		               .joined = setup->make != NULL,
		               .serves = setup->serve };
	if (!t->joined)
		return 0;
	t->have = 1;
	if (keeper_start(&t->keeper, setup->make, err) < 0)
		return -1;
	return slots_watch(slots, t->keeper.sock, err);
}

void permits_release(struct permits *t)
{
	keeper_stop(&t->keeper);
}
