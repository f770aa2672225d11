#include "run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/minder.h"
#include "run/wire.h"
#include "run/workdir.h"

enum { QUEUE_SIZE = 64, LIVES = 3 };

struct slot {
	pid_t minder;
	int sock, dir;
	uint64_t seq;        /* of the last test sent */
	uint64_t ticket;
	uint64_t limit_ns;
	struct testcase *tc; /* of the running test, to run it again should the minder die; NULL: idle */
	unsigned unclean;    /* cancellations not yet answered */
	unsigned generation; /* of the last test sent */
	unsigned names;      /* version of the names that the minder knows */
	unsigned deaths;     /* of minders, during this test */
};

/* An answer or a failure, ready to be taken by pool_wait. */
struct arrival {
	bool failed;
	struct wire_reply reply;
	struct answer answer;
};

struct pool {
	struct oracle oracle; /* first */
	struct pool_options options;
	struct workdir workdir;
	struct child_shared *shared; /* one per slot */
	struct slot *slots;
	unsigned running;
	unsigned last; /* slot used last; the next one is looked for behind it */
	int epoll;
	mode_t umask;
	struct buf names; /* of the files of the last test case, each with its NUL */
	unsigned names_version;
	uint32_t n_names;
	struct arrival queue[QUEUE_SIZE];
	unsigned queue_head, queue_tail;
};

static struct pool *pool_of(struct oracle *oracle)
{
	return (struct pool *)oracle;
}

/* wire.h says why one cancelled test may still be under way when the next is sent. */
static bool slot_free(const struct slot *slot)
{
	return !slot->tc && slot->unclean <= 1;
}

static unsigned pool_free_slots(struct oracle *oracle)
{
	const struct pool *pool = pool_of(oracle);
	unsigned n = 0;
	for (unsigned i = 0; i < pool->options.jobs; i++)
		n += slot_free(&pool->slots[i]);
	return n;
}

/* --- minders ------------------------------------------------------------------------------------------------------ */

static int fork_minder(struct pool *pool, unsigned i, int sock)
{
	const struct minder_spec spec = { &pool->options, &pool->workdir, i, sock, &pool->shared[i] };
	sigset_t all, old;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old); /* no handler of ours runs in the minder */
	pid_t pid = fork();
	if (pid == 0)
		minder_run(&spec);
	int saved = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	pool->slots[i].minder = pid;
	return pid < 0 ? -1 : 0;
}

static int start_minder(struct pool *pool, unsigned i, struct err *err)
{
	struct slot *slot = &pool->slots[i];
	int pair[2];
	slot->dir = workdir_make_slot(&pool->workdir, i, err);
	if (slot->dir < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(err, "cannot start worker %u", i);
	slot->sock = pair[0];
	slot->names = 0;
	slot->unclean = 0;
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
	int rc = fork_minder(pool, i, pair[1]);
	if (rc == 0)
		rc = epoll_ctl(pool->epoll, EPOLL_CTL_ADD, slot->sock, &event);
	if (rc < 0)
		err_errno(err, "cannot start worker %u", i);
	close(pair[1]);
	return rc;
}

static void close_slot(struct slot *slot)
{
	if (slot->sock >= 0)
		close(slot->sock);
	if (slot->dir >= 0)
		close(slot->dir);
	slot->sock = slot->dir = -1;
}

static void wait_for_minder(struct slot *slot)
{
	while (slot->minder > 0 && waitpid(slot->minder, NULL, 0) < 0 && errno == EINTR)
		;
	slot->minder = 0;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static bool names_differ(const struct pool *pool, const struct testcase *tc)
{
	if (pool->n_names != tc->n_files)
		return true;
	const char *name = pool->names.data;
	for (uint32_t i = 0; i < tc->n_files; i++, name += strlen(name) + 1)
		if (strcmp(name, tc->files[i].path) != 0)
			return true;
	return false;
}

static void note_names(struct pool *pool, const struct testcase *tc)
{
	if (!names_differ(pool, tc))
		return;
	pool->names.len = 0;
	for (uint32_t i = 0; i < tc->n_files; i++)
		buf_add(&pool->names, tc->files[i].path, strlen(tc->files[i].path) + 1);
	pool->n_names = tc->n_files;
	pool->names_version++;
}

static void take_reply(struct pool *pool, unsigned i, const struct wire_reply *reply);

/* Lets the minders of idle slots finish their cleaning: what the last tests wrote may be what fills the disk. */
static void await_cleaning(struct pool *pool)
{
	for (unsigned i = 0; i < pool->options.jobs; i++) {
		struct slot *slot = &pool->slots[i];
		const struct wire_request sync = { .op = WIRE_SYNC };
		if (slot->tc || !wire_send(slot->sock, &sync, sizeof sync, -1))
			continue;
		struct wire_reply reply;
		while (wire_receive(slot->sock, &reply, sizeof reply, NULL) && reply.kind != WIRE_SYNCED)
			take_reply(pool, i, &reply);
	}
}

static int write_candidate(struct pool *pool, struct slot *slot, const struct testcase *tc, struct err *err)
{
	char set[] = { pool->options.input & POOL_INPUT_BASENAME ? 'w' : 'i', (char)('0' + slot->generation), '\0' };
	if (workdir_write(slot->dir, set, tc, pool->umask) == 0)
		return 0;
	/* Once more from nothing: a test may have reached out of its directory, or filled the disk. */
	if (errno == ENOSPC || errno == EDQUOT)
		await_cleaning(pool);
	io_remove_tree(slot->dir, set);
	if (workdir_write(slot->dir, set, tc, pool->umask) == 0)
		return 0;
	err_errno(err, "cannot write a candidate of %u bytes below %s", tc->size, pool->workdir.path);
	io_remove_tree(slot->dir, set);
	return -1;
}

/* Writes the candidate and tells the minder; OUT as in wire_request's descriptor. That the minder is dead shows later. */
static int send_test(struct pool *pool, struct slot *slot, const struct testcase *tc, int out, struct err *err)
{
	slot->generation = (slot->generation + 1) % WIRE_GENERATIONS;
	note_names(pool, tc);
	if (write_candidate(pool, slot, tc, err) < 0)
		return -1;
	struct wire_request rq = { .op = WIRE_RUN, .generation = slot->generation, .seq = ++slot->seq,
				   .limit_ns = slot->limit_ns };
	bool news = slot->names != pool->names_version;
	if (news) {
		rq.n_names = pool->n_names;
		rq.names_len = (uint32_t)pool->names.len;
	}
	if (wire_send(slot->sock, &rq, sizeof rq, out) && news)
		wire_send(slot->sock, pool->names.data, pool->names.len, -1);
	slot->names = pool->names_version;
	return 0;
}

static struct slot *next_free_slot(struct pool *pool)
{
	for (unsigned n = 0; n < pool->options.jobs; n++) {
		pool->last = (pool->last + 1) % pool->options.jobs;
		if (slot_free(&pool->slots[pool->last]))
			return &pool->slots[pool->last];
	}
	return NULL;
}

static int submit(struct pool *pool, const struct testcase *tc, uint64_t ticket, int out, struct err *err)
{
	struct slot *slot = next_free_slot(pool);
	if (!slot)
		bug("a test was submitted to a pool without a free slot");
	slot->ticket = ticket;
	slot->limit_ns = pool->options.timeout_ns;
	slot->deaths = 0;
	if (send_test(pool, slot, tc, out, err) < 0)
		return -1;
	slot->tc = testcase_ref((struct testcase *)(uintptr_t)tc); /* a reference changes nothing that a reader sees */
	pool->running++;
	return 0;
}

static int pool_submit(struct oracle *oracle, const struct testcase *tc, uint64_t ticket, struct err *err)
{
	return submit(pool_of(oracle), tc, ticket, -1, err);
}

static void finish(struct pool *pool, struct slot *slot)
{
	testcase_unref(slot->tc);
	slot->tc = NULL;
	pool->running--;
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
	for (unsigned i = 0; i < pool->options.jobs; i++) {
		struct slot *slot = &pool->slots[i];
		if (!slot->tc || slot->ticket != ticket)
			continue;
		const struct wire_request rq = { .op = WIRE_CANCEL, .seq = slot->seq };
		wire_send(slot->sock, &rq, sizeof rq, -1);
		slot->unclean++;
		finish(pool, slot);
	}
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static enum verdict verdict_of(const struct pool *pool, const struct wire_reply *reply)
{
	if (reply->timed_out)
		return VERDICT_TIMEOUT;
	bool as_wanted = WIFEXITED(reply->status) && WEXITSTATUS(reply->status) == pool->options.exit_code;
	return as_wanted ? VERDICT_INTERESTING : VERDICT_BORING;
}

static struct arrival *queue_arrival(struct pool *pool, const struct slot *slot)
{
	struct arrival *a = &pool->queue[pool->queue_tail++];
	*a = (struct arrival){ .answer = { .ticket = slot->ticket, .limit_ns = slot->limit_ns } };
	return a;
}

static void take_reply(struct pool *pool, unsigned i, const struct wire_reply *reply)
{
	struct slot *slot = &pool->slots[i];
	if (reply->kind == WIRE_CANCELLED) {
		slot->unclean--;
		return;
	}
	if (!slot->tc || reply->seq != slot->seq)
		return; /* crossed its cancellation */
	struct arrival *a = queue_arrival(pool, slot);
	a->failed = reply->kind == WIRE_FAILED;
	a->reply = *reply;
	a->answer.verdict = verdict_of(pool, reply);
	a->answer.status = reply->status;
	a->answer.wall_ns = reply->wall_ns;
	finish(pool, slot);
}

/* The minder of slot I is dead, which no test should bring about, but one that kills its parent or eats all memory does.
 * A new one takes its place and runs the test again, LIVES times. */
static int replace_minder(struct pool *pool, unsigned i, struct err *err)
{
	struct slot *slot = &pool->slots[i];
	epoll_ctl(pool->epoll, EPOLL_CTL_DEL, slot->sock, NULL);
	close_slot(slot);
	wait_for_minder(slot);
	if (pool->shared[i].leader > 0)
		kill(-pool->shared[i].leader, SIGKILL);
	pool->shared[i].leader = 0;
	if (start_minder(pool, i, err) < 0)
		return -1;
	if (!slot->tc)
		return 0;
	if (++slot->deaths < LIVES)
		return send_test(pool, slot, slot->tc, -1, err);
	struct arrival *a = queue_arrival(pool, slot);
	a->failed = true;
	a->reply.stage = WIRE_FORK;
	a->reply.error = ECHILD;
	finish(pool, slot);
	return 0;
}

/* Takes in what the minders have sent. */
static int collect(struct pool *pool, struct err *err)
{
	struct epoll_event events[QUEUE_SIZE];
	pool->queue_head = pool->queue_tail = 0;
	int n = epoll_wait(pool->epoll, events, QUEUE_SIZE, 0);
	for (int k = 0; k < n; k++) {
		unsigned i = events[k].data.u32;
		struct wire_reply reply;
		if (wire_receive(pool->slots[i].sock, &reply, sizeof reply, NULL))
			take_reply(pool, i, &reply);
		else if (replace_minder(pool, i, err) < 0)
			return -1;
	}
	return 0;
}

static int take_arrival(struct pool *pool, struct answer *answer, struct err *err)
{
	const struct arrival *a = &pool->queue[pool->queue_head++];
	*answer = a->answer;
	if (!a->failed)
		return 1;
	const char *test = pool->options.test;
	errno = a->reply.error;
	switch ((enum wire_stage)a->reply.stage) {
	case WIRE_FORK:
		if (a->reply.error == ECHILD)
			return err_set(err, ERR_SYSTEM, "the worker that ran %s was killed %d times", test, LIVES);
		return err_errno(err, "cannot start a process for %s", test);
	case WIRE_STDIN:
		return err_errno(err, "cannot open the candidate below %s", pool->workdir.path);
	case WIRE_CHDIR:
		return err_errno(err, "cannot enter a directory below %s", pool->workdir.path);
	case WIRE_EXEC:
		err_errno(err, "cannot run %s", test);
		err->code = ERR_TEST;
		return -1;
	}
	bug("failure in stage %u", a->reply.stage);
}

/* Waits until a minder has news (1), or WAKE_FD or TIMEOUT_MS says stop (0). */
static int await_news(struct pool *pool, int wake_fd, int timeout_ms, struct err *err)
{
	struct pollfd fds[] = { { .fd = pool->epoll, .events = POLLIN }, { .fd = wake_fd, .events = POLLIN } };
	uint64_t end = timeout_ms > 0 ? io_now() + (uint64_t)timeout_ms * 1000000u : 0;
	for (;;) {
		int n = poll(fds, 2, timeout_ms);
		if (n >= 0)
			return n > 0 && !fds[1].revents;
		if (errno != EINTR)
			return err_errno(err, "cannot wait for the tests");
		uint64_t now = io_now();
		if (timeout_ms > 0)
			timeout_ms = now < end ? (int)((end - now + 999999u) / 1000000u) : 0;
	}
}

static int pool_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms, struct err *err)
{
	struct pool *pool = pool_of(oracle);
	while (pool->queue_head == pool->queue_tail) {
		unsigned free_before = pool_free_slots(oracle);
		if (!pool->running && free_before)
			return 0;
		int rc = await_news(pool, wake_fd, timeout_ms, err);
		if (rc <= 0)
			return rc;
		if (collect(pool, err) < 0)
			return -1;
		if (pool->queue_head == pool->queue_tail && !free_before && pool_free_slots(oracle))
			return 0;
	}
	return take_arrival(pool, answer, err);
}

/* --- with output -------------------------------------------------------------------------------------------------- */

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

static int wait_and_drain(struct oracle *oracle, int fd, struct answer *answer, struct buf *out, struct err *err)
{
	int rc, wake = fd;
	while ((rc = pool_wait(oracle, answer, wake, -1, err)) == 0)
		if (!drain(fd, out))
			wake = -1;
	drain(fd, out);
	return rc;
}

int pool_run_verbose(struct oracle *oracle, const struct testcase *tc, struct answer *answer, char **output, struct err *err)
{
	struct pool *pool = pool_of(oracle);
	if (pool->running)
		bug("a test with output was asked for while others run");
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0 || fcntl(fds[0], F_SETFL, O_NONBLOCK) < 0)
		return err_errno(err, "cannot make a pipe");
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	int rc = submit(pool, tc, UINT64_MAX, fds[1], err);
	close(fds[1]);
	if (rc == 0)
		rc = wait_and_drain(oracle, fds[0], answer, &out, err) < 0 ? -1 : 0;
	close(fds[0]);
	*output = rc == 0 ? out.data : NULL;
	if (rc < 0)
		buf_release(&out);
	return rc;
}

/* --- the pool ----------------------------------------------------------------------------------------------------- */

static void pool_free(struct oracle *oracle)
{
	struct pool *pool = pool_of(oracle);
	for (unsigned i = 0; i < pool->options.jobs; i++)
		close_slot(&pool->slots[i]);
	for (unsigned i = 0; i < pool->options.jobs; i++) {
		wait_for_minder(&pool->slots[i]);
		testcase_unref(pool->slots[i].tc);
	}
	workdir_release(&pool->workdir);
	if (pool->shared)
		munmap(pool->shared, pool->options.jobs * sizeof *pool->shared);
	if (pool->epoll >= 0)
		close(pool->epoll);
	buf_release(&pool->names);
	free(pool->slots);
	free(pool);
}

static const struct oracle_ops pool_ops = {
	.free_slots = pool_free_slots,
	.submit = pool_submit,
	.wait = pool_wait,
	.cancel = pool_cancel,
	.free = pool_free,
};

static int pool_start(struct pool *pool, struct err *err)
{
	const struct pool_options *options = &pool->options;
	if (workdir_init(&pool->workdir, options->work_dir, options->jobs, options->input_size, err) < 0)
		return -1;
	void *shared = mmap(NULL, options->jobs * sizeof *pool->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	if (shared == MAP_FAILED)
		return err_errno(err, "cannot start %u workers", options->jobs);
	pool->shared = shared;
	pool->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (pool->epoll < 0)
		return err_errno(err, "cannot start %u workers", options->jobs);
	for (unsigned i = 0; i < options->jobs; i++)
		if (start_minder(pool, i, err) < 0)
			return -1;
	return 0;
}

struct oracle *pool_new(const struct pool_options *options, struct err *err)
{
	struct pool *pool = mem_zero(1, sizeof *pool);
	pool->oracle.ops = &pool_ops;
	pool->options = *options;
	pool->epoll = -1;
	pool->workdir.fd = -1;
	pool->umask = umask(0);
	umask(pool->umask);
	pool->slots = mem_zero(options->jobs, sizeof *pool->slots);
	for (unsigned i = 0; i < options->jobs; i++)
		pool->slots[i].sock = pool->slots[i].dir = -1;
	if (pool_start(pool, err) == 0)
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
	return ((const struct pool *)oracle)->workdir.path;
}
