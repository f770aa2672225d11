#include "run/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/supervisor.h"
#include "run/permits.h"
#include "run/slots.h"

struct same_program {
	const char *path;    /* not owned */
	struct stat seen;    /* when it was last found to be the same */
	struct hash content; /* of no bytes where it cannot be read */
	bool known;          /* false: there was nothing to look at */
};

/* Is a program still the one that it was? A test that somebody edits while it is in use gives
 * answers that are not those of the test that a reduction began with. */

static bool same_stat(const struct stat *a, const struct stat *b)
{
	return io_is_same(a, b) && a->st_size == b->st_size &&
	       io_same_time(a->st_mtim, b->st_mtim) && io_same_time(a->st_ctim, b->st_ctim);
}

/* What stands in the file now. False: it cannot be read. */
static bool read_content(const char *path, struct hash *content)
{
	BUF_SCOPED struct buf bytes = { 0 };
	bool can = io_read_file(path, &bytes, NULL) == 0;
	*content = hash_bytes(bytes.data, bytes.len, 0);
	return can;
}

/* Takes note of the program at PATH, which must live as long as *same. */
static void same_program_note(struct same_program *same, const char *path)
{
	*same = (struct same_program){ .path = path };
	same->known = stat(path, &same->seen) == 0;
	if (same->known)
		read_content(path, &same->content);
}

/* Whether it has the same bytes. They are read only where what the system says of the file (which
 * it is, its size and times) has changed. Of a program that cannot be read any change counts. True
 * where nothing was known. */
static bool same_program_is(struct same_program *same)
{
	struct stat now;
	struct hash content;
	if (!same->known)
		return true;
	if (stat(same->path, &now) < 0)
		return false;
	if (same_stat(&now, &same->seen))
		return true;
	if (!read_content(same->path, &content) || !hash_equal(content, same->content))
		return false;
	same->seen = now;
	return true;
}

enum { QUEUE_SIZE = 64 };

/* An answer or a failure, ready to be taken by pool_wait. */
struct arrival {
	struct answer answer;
	bool failed, own; /* own: of the test, not of another program */
	enum wire_stage stage;
	int error; /* errno; 0: the supervisor died too often */
};

struct pool {
	struct oracle oracle; /* first */
	struct setup setup;
	struct same_program test;
	struct slots slots;
	struct permits permits;
	struct arrival queue[QUEUE_SIZE]; /* head up to tail are waiting; refilled when empty */
	unsigned queue_head, queue_tail;
	unsigned said; /* of persistent tests, each once: a set of enum wire_said */
};

static struct pool *pool_of(struct oracle *oracle)
{
	return (struct pool *)oracle;
}

/* ---- asking ---- */

static unsigned pool_slots(struct oracle *oracle, bool ahead)
{
	struct permits *permits = &pool_of(oracle)->permits;
	return ahead ? permits_for_speculation(permits) : permits_for_work(permits);
}

static unsigned pool_allow(struct oracle *oracle, unsigned jobs)
{
	struct pool *pool = pool_of(oracle);
	struct err ignored; /* fewer will do */
	while (pool->slots.n < jobs && slots_add(&pool->slots, &ignored) > 0)
		;
	if (jobs > pool->slots.n)
		jobs = pool->slots.n;
	permits_allow(&pool->permits, jobs);
	return jobs;
}

static int pool_submit(struct oracle *oracle, const struct oracle_request *request, struct err *err)
{
	struct pool *pool = pool_of(oracle);
	struct slot *slot = permits_find_slot(&pool->permits);
	if (!slot)
		bug("a test was submitted to a pool without a free slot");
	slot->deaths = 0;
	return slots_start(&pool->slots, slot, request, err);
}

static void forget_arrival(struct pool *pool, uint64_t ticket)
{
	unsigned to = pool->queue_head;
	for (unsigned i = pool->queue_head; i < pool->queue_tail; i++)
		if (pool->queue[i].answer.ticket != ticket)
			pool->queue[to++] = pool->queue[i];
	pool->queue_tail = to;
}

static void pool_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct pool *pool = pool_of(oracle);
	forget_arrival(pool, ticket);
	for (unsigned i = 0; i < pool->slots.n; i++) {
		struct slot *slot = &pool->slots.list[i];
		if (slot->busy && slot->request.ticket == ticket)
			slots_cancel(&pool->slots, slot);
	}
}

/* ---- answers ---- */

static enum verdict verdict_of(const struct pool *pool, const struct wire_reply *reply)
{
	if (reply->timed_out)
		return VERDICT_TIMEOUT;
	return wanted_status(&pool->setup, reply->status) ? VERDICT_INTERESTING
	                                                  : VERDICT_NOT_INTERESTING;
}

static struct arrival *queue_arrival(struct pool *pool, const struct oracle_request *rq)
{
	struct arrival *a = &pool->queue[pool->queue_tail++];
	*a = (struct arrival){ .answer = { .ticket = rq->ticket, .limit_ns = rq->limits.wall_ns },
		               .own = !rq->words };
	return a;
}

/* Is it the status in which the test says that it has no answer? */
static bool says_nothing(const struct pool *pool, const struct wire_reply *reply)
{
	return pool->setup.no_answer && !pool->setup.live.forks && reply->kind == WIRE_ANSWER &&
	       !reply->timed_out && !reply->exceeded && WIFEXITED(reply->status) &&
	       WEXITSTATUS(reply->status) == pool->setup.no_answer;
}

/* Says of a persistent test what the user should know, each thing once. */
static void say_persistent(struct pool *pool, unsigned said)
{
	static const struct {
		enum wire_said what;
		const char *message;
	} rows[] = { { WIRE_DIFFERS,
		       "the test gave another answer after a restart: it keeps something from one "
		       "candidate to the next (--persistent); the new answer counts" },
		     { WIRE_SILENT, "the test ended without an answer (--persistent, "
		                    "--forkserver); that is not interesting" },
		     { WIRE_GARBAGE,
		       "the test printed a line that is not a status from 0 to 255 (--persistent); "
		       "that is not interesting" },
		     { WIRE_GARBLED,
		       "the program does not answer like a fork server (--forkserver); that is not "
		       "interesting" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((said & rows[i].what & ~pool->said) && pool->setup.notice)
			pool->setup.notice(pool->setup.notice_arg, rows[i].message);
	pool->said |= said;
}

static void take_reply(struct pool *pool, struct slot *slot, const struct wire_reply *reply)
{
	struct arrival *a = queue_arrival(pool, &slot->request);
	bool no_program = slot->request.words && reply->stage == WIRE_EXEC;
	bool no_answer = !slot->request.words && says_nothing(pool, reply);
	a->failed = (reply->kind == WIRE_FAILED && !no_program) || no_answer;
	a->stage = no_answer ? WIRE_NO_ANSWER : (enum wire_stage)reply->stage;
	a->error = reply->error;
	a->answer.verdict = verdict_of(pool, reply);
	a->answer.status = reply->kind == WIRE_FAILED ? W_EXITCODE(127, 0) : reply->status;
	a->answer.why = slot_limits_end(slot, reply);
	if (a->answer.why != ANSWER_OWN) {
		a->answer.verdict = VERDICT_NOT_INTERESTING;
		if (!WIFSIGNALED(reply->status))
			a->answer.status = W_EXITCODE(0, SIGKILL);
	}
	if (reply->said & (WIRE_SILENT | WIRE_GARBAGE | WIRE_GARBLED) &&
	    a->answer.verdict == VERDICT_INTERESTING) /* a status that is no answer */
		a->answer.verdict = VERDICT_NOT_INTERESTING;
	say_persistent(pool, reply->said);
	a->answer.claimed = reply->said & WIRE_CLAIMED;
	a->answer.wall_ns = reply->wall_ns;
	slots_finish(&pool->slots, slot);
	permits_test_ended(&pool->permits);
}

/* The test case that the slot's test is to be run on again; NULL: it is not. */
static struct testcase *once_more(const struct slot *slot)
{
	const struct oracle_request *rq = &slot->request;
	return rq->tc ? testcase_ref((struct testcase *)(uintptr_t)rq->tc)
	              : rq->again(rq->again_arg, rq->ticket);
}

/* The supervisor of the slot is gone: a new one takes over, and starts the test again if one ran.
 * 1, 0 when the test was given up, or -1 with err. */
static int replace_supervisor(struct pool *pool, struct slot *slot, struct err *err)
{
	if (slots_revive(&pool->slots, slot, err) < 0)
		return -1;
	if (!slot->busy)
		return 1;
	TESTCASE_SCOPED struct testcase *tc = once_more(slot);
	int rc = 1;
	if (tc)
		rc = slots_restart(&pool->slots, slot, tc, err);
	else
		slots_finish(&pool->slots, slot);
	return rc;
}

/* The supervisor was killed once too often over RQ, END being the last time, or could not run it,
 * as REPLY says. The former is the test's doing: it kills its parent, as a program may that is cut
 * at random, and then it is not interesting. */
static void give_up(struct pool *pool, const struct oracle_request *rq, int end,
                    const struct wire_reply *reply)
{
	struct arrival *a = queue_arrival(pool, rq);
	bool lowered = WIFEXITED(end) && WEXITSTATUS(end) == MINDER_LOWERED;
	bool killed = !reply->error && (WIFSIGNALED(end) || lowered);
	a->failed = !rq->words && !killed;
	a->answer.why = killed ? ANSWER_WORKER : ANSWER_OWN;
	a->stage = (enum wire_stage)reply->stage;
	a->error = reply->error;
	a->answer.verdict = VERDICT_NOT_INTERESTING;
	a->answer.status = W_EXITCODE(0, SIGKILL);
}

/* A cancelled test took the directories of the next one along, or it was killed before it ran. */
static bool is_unlucky(const struct wire_reply *reply)
{
	return reply->kind == WIRE_FAILED &&
	       (reply->stage == WIRE_STDIN || reply->stage == WIRE_CHDIR ||
	        reply->stage == WIRE_EARLY);
}

/* Takes in what the supervisors have sent: at most one message each, so that the queue has room. No
 * test should bring about that a supervisor dies, but one that kills its parent does, and so may
 * the system when memory is short. */
static int collect(struct pool *pool, struct err *err)
{
	struct epoll_event events[QUEUE_SIZE];
	pool->queue_head = pool->queue_tail = 0;
	int n = epoll_wait(pool->slots.epoll, events, QUEUE_SIZE, 0);
	for (int k = 0; k < n; k++) {
		if (events[k].data.u32 == SLOTS_OTHER) {
			permits_hear(&pool->permits);
			continue;
		}
		struct slot *slot = &pool->slots.list[events[k].data.u32];
		struct wire_reply reply = { 0 };
		enum slots_news news = slots_receive(slot, &reply);
		bool again = news == SLOTS_DEAD || (news == SLOTS_REPLY && is_unlucky(&reply));
		const struct oracle_request asked = slot->request; /* the slot lets go of it */
		int rc = again ? replace_supervisor(pool, slot, err) : 1;
		if (rc < 0)
			return -1;
		if (rc == 0)
			give_up(pool, &asked, slot->end, &reply);
		if (news == SLOTS_REPLY && !again)
			take_reply(pool, slot, &reply);
	}
	return 0;
}

/* A file in place of /dev/null is open for writing in the fence, which then cannot become
 * read-only: EBUSY. */
static int report_fence(const char *dir, struct err *err)
{
	int why = errno;
	struct stat null;
	if (stat("/dev/null", &null) == 0 && !S_ISCHR(null.st_mode))
		return err_set(err, ERR_SYSTEM,
		               "/dev/null is not a device: something that ran as root replaced it "
		               "(rm /dev/null; mknod -m 666 /dev/null c 1 3)");
	errno = why;
	return err_errno(err, "cannot set up the fence for tests below %s", dir);
}

static int report_failure(const struct pool *pool, const struct arrival *a, struct err *err)
{
	const char *test = pool->setup.test, *dir = pool->slots.workdir.path;
	if (a->stage == WIRE_NO_ANSWER)
		return err_set(err, ERR_SYSTEM,
		               "the test %s could not give an answer (exit status %d)", test,
		               pool->setup.no_answer);
	errno = a->error;
	if (!a->error)
		return err_set(err, ERR_SYSTEM, "the process that runs %s died %d times", test,
		               SLOTS_LIVES);
	switch (a->stage) {
	case WIRE_FORK:
		return err_errno(err, "cannot start a process for %s", test);
	case WIRE_STDIN:
		return err_errno(err, "cannot open the candidate below %s", dir);
	case WIRE_CHDIR:
		return err_errno(err, "cannot enter a directory below %s", dir);
	case WIRE_EARLY:
		return err_set(err, ERR_SYSTEM,
		               "something killed the process for %s before it ran, %d times", test,
		               SLOTS_LIVES);
	case WIRE_NO_ANSWER: /* said above */
		break;
	case WIRE_FENCE:
		return report_fence(dir, err);
	case WIRE_EXEC:
		if (errno == ENOENT && access(test, F_OK) == 0)
			return err_set(
				err, ERR_TEST,
				"cannot run %s: the program named in its first line is missing "
				"(does the line end with a carriage return?)",
				test);
		err_errno(err, "cannot run %s", test);
		return err_as(err, ERR_TEST);
	}
	bug("failure in stage %d", (int)a->stage);
}

/* Milliseconds until END (0: never), -1: forever. */
static int left_until(uint64_t end)
{
	uint64_t now = io_now();
	return !end ? -1 : now < end ? (int)((end - now + 999999u) / 1000000u) : 0;
}

enum wait_end { WAIT_NEWS, WAIT_TEND, WAIT_STOP, WAIT_FAILED };

/* Waits until a supervisor has news, the tokens must be tended to, or WAKE_FD or END (as from
 * io_now; 0: never) says stop. */
static enum wait_end await_news(struct pool *pool, int wake_fd, uint64_t end, struct err *err)
{
	struct pollfd fds[] = { { .fd = pool->slots.epoll, .events = POLLIN },
		                { .fd = wake_fd, .events = POLLIN } };
	int tend = permits_tend(&pool->permits), left = left_until(end);
	watch_supervisors(&pool->slots);
	if (tend < 0 || tend > WATCH_EVERY_MS)
		tend = WATCH_EVERY_MS;
	bool first = left < 0 || tend < left;
	int n = poll(fds, 2, first ? tend : left);
	if (n < 0 && errno != EINTR) {
		err_errno(err, "cannot wait for the tests");
		return WAIT_FAILED;
	}
	if (n > 0)
		return fds[1].revents ? WAIT_STOP : WAIT_NEWS;
	return n < 0 || first || left_until(end) != 0 ? WAIT_TEND : WAIT_STOP;
}

static int pool_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                     struct err *err)
{
	struct pool *pool = pool_of(oracle);
	uint64_t end = timeout_ms < 0 ? 0 : io_now() + (uint64_t)timeout_ms * 1000000u;
	while (pool->queue_head == pool->queue_tail) {
		unsigned free_before = permits_for_tests(&pool->permits);
		if (!pool->slots.running && free_before)
			return collect(pool, err); /* what was cancelled may be gone by now */
		enum wait_end why = await_news(pool, wake_fd, end, err);
		if (why == WAIT_STOP || why == WAIT_FAILED)
			return why == WAIT_STOP ? 0 : -1;
		if (why == WAIT_NEWS && collect(pool, err) < 0)
			return -1;
		if (pool->queue_head == pool->queue_tail && !free_before &&
		    permits_for_tests(&pool->permits))
			return 0;
	}
	const struct arrival *a = &pool->queue[pool->queue_head++];
	*answer = a->answer;
	if (a->own && !same_program_is(&pool->test))
		return err_set(err, ERR_TEST,
		               "%s has changed while it was in use, so its answers no longer count",
		               pool->setup.test);
	return a->failed ? report_failure(pool, a, err) : 1;
}

static bool pool_ready(struct oracle *oracle)
{
	const struct pool *pool = pool_of(oracle);
	return pool->queue_head != pool->queue_tail;
}

/* ---- the pool ---- */

static void pool_free(struct oracle *oracle)
{
	struct pool *pool = pool_of(oracle);
	slots_release(&pool->slots);
	permits_release(&pool->permits); /* now that nothing runs on them */
	free(pool);
}

static const struct oracle_ops pool_ops = {
	.slots = pool_slots,
	.allow = pool_allow,
	.submit = pool_submit,
	.wait = pool_wait,
	.ready = pool_ready,
	.cancel = pool_cancel,
	.free = pool_free,
};

struct oracle *pool_new(const struct setup *setup, struct err *err)
{
	struct pool *pool = mem_zero(1, sizeof *pool);
	pool->oracle.ops = &pool_ops;
	pool->setup = *setup;
	pool->permits.keeper.sock = -1;
	same_program_note(&pool->test, setup->test);
	if (slots_init(&pool->slots, &pool->setup, err) == 0 &&
	    permits_init(&pool->permits, &pool->slots, &pool->setup, err) == 0)
		return &pool->oracle;
	pool_free(&pool->oracle);
	return NULL;
}

const char *pool_work_dir(const struct oracle *oracle)
{
	return ((const struct pool *)oracle)->slots.workdir.path;
}

const char *pool_left_behind(const struct oracle *oracle)
{
	return ((const struct pool *)oracle)->slots.workdir.left;
}
