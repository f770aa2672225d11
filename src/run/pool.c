#include "run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/slots.h"
#include "run/permits.h"
#include "run/watch.h"

enum { QUEUE_SIZE = 64 };

/* An answer or a failure, ready to be taken by pool_wait. */
struct arrival {
	struct answer answer;
	bool failed;
	enum wire_stage stage;
	int error; /* errno; 0: the minder died too often */
};

struct pool {
	struct oracle oracle; /* first */
	struct pool_options options;
	struct slots slots;
	struct permits permits;
	struct arrival queue[QUEUE_SIZE]; /* head up to tail are waiting; refilled when empty */
	unsigned queue_head, queue_tail;
};

static struct pool *pool_of(struct oracle *oracle)
{
	return (struct pool *)oracle;
}

/* ---- asking ---- */

static unsigned pool_free_slots(struct oracle *oracle)
{
	return permits_for_work(&pool_of(oracle)->permits);
}

static unsigned pool_spare_slots(struct oracle *oracle)
{
	return permits_for_speculation(&pool_of(oracle)->permits);
}

/* Starts COMMAND, or the test when that is NULL. */
static int submit(struct pool *pool, const struct oracle_command *command,
                  const struct testcase *tc, uint64_t ticket, int out, struct err *err)
{
	struct slot *slot = permits_find_slot(&pool->permits);
	if (!slot)
		bug("a test was submitted to a pool without a free slot");
	slot->ticket = ticket;
	slot->limit_ns = command ? command->limit_ns : pool->options.timeout_ns;
	slot->deaths = 0;
	pool->slots.hold_max = pool->oracle.again ? ORACLE_HOLDS : UINT32_MAX;
	return command ? slots_command(&pool->slots, slot, command, tc, err)
	               : slots_start(&pool->slots, slot, tc, out, err);
}

static int pool_submit(struct oracle *oracle, const struct testcase *tc, uint64_t ticket,
                       struct err *err)
{
	return submit(pool_of(oracle), NULL, tc, ticket, -1, err);
}

static int pool_command(struct oracle *oracle, const struct oracle_command *command,
                        const struct testcase *tc, uint64_t ticket, struct err *err)
{
	return submit(pool_of(oracle), command, tc, ticket, command->out, err);
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
		if (slot->busy && slot->ticket == ticket)
			slots_cancel(&pool->slots, slot);
	}
}

/* ---- answers ---- */

static enum verdict verdict_of(const struct pool *pool, const struct wire_reply *reply)
{
	if (reply->timed_out)
		return VERDICT_TIMEOUT;
	bool as_wanted =
		WIFEXITED(reply->status) && WEXITSTATUS(reply->status) == pool->options.exit_code;
	return as_wanted ? VERDICT_INTERESTING : VERDICT_BORING;
}

static struct arrival *queue_arrival(struct pool *pool, const struct slot *slot)
{
	struct arrival *a = &pool->queue[pool->queue_tail++];
	*a = (struct arrival){ .answer = { .ticket = slot->ticket, .limit_ns = slot->limit_ns } };
	return a;
}

static void take_reply(struct pool *pool, struct slot *slot, const struct wire_reply *reply)
{
	struct arrival *a = queue_arrival(pool, slot);
	bool no_program = slot->command && reply->stage == WIRE_EXEC;
	a->failed = reply->kind == WIRE_FAILED && !no_program;
	a->stage = (enum wire_stage)reply->stage;
	a->error = reply->error;
	a->answer.verdict = verdict_of(pool, reply);
	a->answer.status = reply->kind == WIRE_FAILED ? W_EXITCODE(127, 0) : reply->status;
	a->answer.wall_ns = reply->wall_ns;
	slots_finish(&pool->slots, slot);
	permits_test_ended(&pool->permits);
}

/* The test case that the slot's test is to be run on again; NULL: it is not. */
static struct testcase *once_more(struct pool *pool, const struct slot *slot)
{
	return slot->tc ? testcase_ref(slot->tc)
	                : pool->oracle.again(pool->oracle.again_arg, slot->ticket);
}

/* The minder of the slot is gone: a new one takes over, and starts the test again if one ran. 1, 0
 * when the test was given up, or -1 with err. */
static int replace_minder(struct pool *pool, struct slot *slot, struct err *err)
{
	if (slots_revive(&pool->slots, slot, err) < 0)
		return -1;
	if (!slot->busy)
		return 1;
	struct testcase *tc = once_more(pool, slot);
	int rc = 1;
	if (tc)
		rc = slots_restart(&pool->slots, slot, tc, err);
	else
		slots_finish(&pool->slots, slot);
	testcase_unref(tc);
	return rc;
}

/* The minder was killed once too often, or could not run a test or COMMAND, as REPLY says. The
 * former is the test's doing: it kills its parent, as a program may that is cut at random, and then
 * it is not interesting. */
static void give_up(struct pool *pool, const struct slot *slot, bool command,
                    const struct wire_reply *reply)
{
	struct arrival *a = queue_arrival(pool, slot);
	bool killed = !reply->error && WIFSIGNALED(slot->end);
	a->failed = !command && !killed;
	a->answer.why = killed ? ANSWER_WORKER : ANSWER_OWN;
	a->stage = (enum wire_stage)reply->stage;
	a->error = reply->error;
	a->answer.verdict = VERDICT_BORING;
	a->answer.status = W_EXITCODE(0, SIGKILL);
}

/* A cancelled test took the directories of the next one along. */
static bool is_homeless(const struct wire_reply *reply)
{
	return reply->kind == WIRE_FAILED &&
	       (reply->stage == WIRE_STDIN || reply->stage == WIRE_CHDIR);
}

/* Takes in what the minders have sent: at most one message each, so that the queue has room. No
 * test should bring about that a minder dies, but one that kills its parent does, and so may the
 * system when memory is short. */
static int collect(struct pool *pool, struct err *err)
{
	struct epoll_event events[QUEUE_SIZE];
	pool->queue_head = pool->queue_tail = 0;
	int n = epoll_wait(pool->slots.epoll, events, QUEUE_SIZE, 0);
	for (int k = 0; k < n; k++) {
		if (events[k].data.u32 == pool->slots.n) {
			permits_hear(&pool->permits);
			continue;
		}
		struct slot *slot = &pool->slots.list[events[k].data.u32];
		struct wire_reply reply = { 0 };
		enum slots_news news = slots_receive(slot, &reply);
		bool again = news == SLOTS_DEAD || (news == SLOTS_REPLY && is_homeless(&reply)),
		     command = slot->command != NULL;
		int rc = again ? replace_minder(pool, slot, err) : 1;
		if (rc < 0)
			return -1;
		if (rc == 0)
			give_up(pool, slot, command, &reply);
		if (news == SLOTS_REPLY && !again)
			take_reply(pool, slot, &reply);
	}
	return 0;
}

static int report_failure(const struct pool *pool, const struct arrival *a, struct err *err)
{
	const char *test = pool->options.test, *dir = pool->slots.workdir.path;
	errno = a->error;
	if (!a->error)
		return err_set(err, ERR_SYSTEM, "the worker that was to run %s gave up %d times",
		               test, SLOTS_LIVES);
	switch (a->stage) {
	case WIRE_FORK:
		return err_errno(err, "cannot start a process for %s", test);
	case WIRE_STDIN:
		return err_errno(err, "cannot open the candidate below %s", dir);
	case WIRE_CHDIR:
		return err_errno(err, "cannot enter a directory below %s", dir);
	case WIRE_EXEC:
		if (errno == ENOENT && access(test, F_OK) == 0)
			return err_set(
				err, ERR_TEST,
				"cannot run %s: the program that its first line names is not there "
				"(does the line end with a carriage return?)",
				test);
		err_errno(err, "cannot run %s", test);
		err->code = ERR_TEST;
		return -1;
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

/* Waits until a minder has news, the tokens must be tended to, or WAKE_FD or END (as from io_now;
 * 0: never) says stop. */
static enum wait_end await_news(struct pool *pool, int wake_fd, uint64_t end, struct err *err)
{
	struct pollfd fds[] = { { .fd = pool->slots.epoll, .events = POLLIN },
		                { .fd = wake_fd, .events = POLLIN } };
	int tend = permits_tend(&pool->permits), left = left_until(end);
	watch_minders(&pool->slots);
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
	return a->failed ? report_failure(pool, a, err) : 1;
}

/* ---- with output ---- */

/* Reads what is there; keeps the first POOL_OUTPUT_MAX bytes. False at the end of the output. */
static bool drain(int fd, struct buf *out)
{
	char chunk[1 << 14];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		size_t room = POOL_OUTPUT_MAX - out->len;
		buf_add(out, chunk, (size_t)n < room ? (size_t)n : room);
	}
}

static int wait_and_drain(struct oracle *oracle, int fd, struct answer *answer, struct buf *out,
                          struct err *err)
{
	int rc, wake = fd;
	while ((rc = pool_wait(oracle, answer, wake, -1, err)) == 0)
		if (!drain(fd, out))
			wake = -1;
	drain(fd, out);
	return rc;
}

int pool_run_verbose(struct oracle *oracle, const struct testcase *tc, struct answer *answer,
                     char **output, struct err *err)
{
	struct pool *pool = pool_of(oracle);
	if (pool->slots.running)
		bug("a test with output was asked for while others run");
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	int rc = submit(pool, NULL, tc, UINT64_MAX, fds[1], err);
	close(fds[1]);
	if (rc == 0)
		rc = wait_and_drain(oracle, fds[0], answer, &out, err) < 0 ? -1 : 0;
	close(fds[0]);
	*output = rc == 0 ? out.data : NULL;
	if (rc < 0)
		buf_release(&out);
	return rc;
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
	.free_slots = pool_free_slots,
	.spare_slots = pool_spare_slots,
	.submit = pool_submit,
	.command = pool_command,
	.wait = pool_wait,
	.cancel = pool_cancel,
	.free = pool_free,
};

struct oracle *pool_new(const struct pool_options *options, struct err *err)
{
	struct pool *pool = mem_zero(1, sizeof *pool);
	pool->oracle.ops = &pool_ops;
	pool->options = *options;
	pool->permits.keeper.sock = -1;
	if (slots_init(&pool->slots, &pool->options, err) == 0 &&
	    permits_init(&pool->permits, &pool->slots, &pool->options, err) == 0)
		return &pool->oracle;
	pool_free(&pool->oracle);
	return NULL;
}

void pool_set_timeout(struct oracle *oracle, uint64_t timeout_ns)
{
	pool_of(oracle)->options.timeout_ns = timeout_ns;
}

const char *pool_work_dir(const struct oracle *oracle)
{
	return ((const struct pool *)oracle)->slots.workdir.path;
}

const char *pool_left_behind(const struct oracle *oracle)
{
	return ((const struct pool *)oracle)->slots.workdir.left;
}
