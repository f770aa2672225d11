#include "run/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/fence.h"
#include "fence/limits_usage.h"
#include "run/child.h"
#include "run/supervisor.h"
#include "run/sets.h"

bool slot_limits_open(struct slots *slots, struct slot *slot)
{
	if (!slots->setup->groups)
		return true;
	cgroup_open(&slot->group, (unsigned)(slot - slots->list));
	return cgroup_has(&slot->group, CGROUP_MEMORY) &&
	       cgroup_has(&slot->group, CGROUP_PROCESSES);
}

void slot_limits_adopt(struct slot *slot)
{
	cgroup_adopt(&slot->group, slot->supervisor);
}

bool slot_limits_is_shared(const struct slot *slot)
{
	return cgroup_has(&slot->group, CGROUP_MEMORY) ||
	       cgroup_has(&slot->group, CGROUP_PROCESSES);
}

/* What the candidate itself counts for at most, in its directories. */
static uint64_t room_for(const struct testcase *tc)
{
	enum { SOME = 16 };
	return (tc->size / LIMITS_USAGE_ENTRY + 2 * (uint64_t)tc->n_files + SOME) *
	       LIMITS_USAGE_ENTRY;
}

void slot_limits_begin(struct slot *slot, const struct testcase *tc, struct wire_request *rq)
{
	const struct oracle_limits *limits = &slot->request.limits;
	rq->cpu_limit_s = limits->cpu_s;
	rq->file_limit = limits->files ? limits->files + room_for(tc) : 0;
	rq->memory_limit = limits->memory;
	rq->process_limit =
		limits->processes < UINT32_MAX ? (uint32_t)limits->processes : UINT32_MAX;
	if (cgroup_limit(&slot->group, CGROUP_MEMORY, limits->memory))
		rq->memory_limit = 0;
	if (cgroup_limit(&slot->group, CGROUP_PROCESSES, limits->processes))
		rq->process_limit = 0;
	cgroup_mark(&slot->group);
}

enum answer_why slot_limits_end(const struct slot *slot, const struct wire_reply *reply)
{
	if (cgroup_exceeded(&slot->group, CGROUP_MEMORY))
		return ANSWER_MEMORY;
	if (cgroup_exceeded(&slot->group, CGROUP_PROCESSES))
		return ANSWER_PROCESSES;
	if (WIFSIGNALED(reply->status) && WTERMSIG(reply->status) == SIGXFSZ)
		return ANSWER_FILES;
	return (enum answer_why)reply->exceeded;
}

void slot_limits_close(struct slot *slot)
{
	cgroup_close(&slot->group);
}

/* How long a supervisor may show no sign of life while its test starts (from a slow disk), runs (it
 * looks at the clock all the time), and when all that it left is being ended. */
static const uint64_t silences_ns[] = {
	[CHILD_STARTS] = 10000000000u,
	[CHILD_RUNS] = 3000000000u,
	[CHILD_ENDS] = 60000000000u,
};
static const uint64_t LEAVING_NS = 30000000000u; /* one that is to go, and may have much to tidy */

/* Wakes a supervisor that was stopped. */
static void wake(const struct slot *slot)
{
	siginfo_t info = { 0 };
	while (waitid(P_PID, (id_t)slot->supervisor, &info, WSTOPPED | WNOHANG) == 0 &&
	       info.si_pid) {
		kill(slot->supervisor, SIGCONT);
		info.si_pid = 0;
	}
}

/* SPENT: as from ticks_spent, of the one clock of the slots. */
static void look_after(struct slots *slots, struct slot *slot, uint64_t spent)
{
	const struct child_shared *shared = &slots->shared[slot - slots->list];
	unsigned beat = shared->beat;
	int phase = shared->phase;
	wake(slot);
	if (phase <= CHILD_NONE || phase > CHILD_ENDS || beat != slot->beat) {
		slot->beat = beat;
		slot->beat_ns = spent;
	} else if (spent - slot->beat_ns > silences_ns[phase]) {
		kill(slot->supervisor, SIGKILL);
	}
}

void watch_supervisors(struct slots *slots)
{
	if (io_now() - slots->ticks.last_ns < TICKS_EVERY_NS)
		return;
	uint64_t spent = ticks_spent(&slots->ticks);
	for (unsigned i = 0; i < slots->n; i++) {
		struct slot *slot = &slots->list[i];
		if (slot->supervisor > 0 && (slot->busy || slot->unclean))
			look_after(slots, slot, spent);
	}
}

void watch_await(struct slots *slots, struct slot *slot)
{
	struct pollfd news = { .fd = slot->sock, .events = POLLIN };
	while (poll(&news, 1, WATCH_EVERY_MS) <= 0)
		look_after(slots, slot, ticks_spent(&slots->ticks));
}

/* Waits until the end of PIDFD, or a moment; without one (-1) a short moment. */
static void pause_for(int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	poll(&end, 1, pidfd < 0 ? 2 : WATCH_EVERY_MS);
}

void watch_end(struct slots *slots, struct slot *slot)
{
	if (slot->supervisor <= 0)
		return;
	int pidfd = (int)syscall(SYS_pidfd_open, slot->supervisor, 0);
	struct ticks ticks = ticks_start();
	pid_t gone;
	while ((gone = waitpid(slot->supervisor, &slot->end, WNOHANG)) == 0 ||
	       (gone < 0 && errno == EINTR)) {
		look_after(slots, slot, ticks_spent(&slots->ticks));
		if (ticks_spent(&ticks) > LEAVING_NS)
			kill(slot->supervisor, SIGKILL);
		pause_for(pidfd);
	}
	io_close(pidfd);
	slot->supervisor = 0;
}

void watch_end_orphan(pid_t leader)
{
	enum { PATIENCE_MS = 1000 };
	int pidfd = (int)syscall(SYS_pidfd_open, leader, 0);
	kill(-leader, SIGKILL);
	if (pidfd < 0)
		return;
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	while (poll(&end, 1, PATIENCE_MS) < 0 && errno == EINTR)
		;
	close(pidfd);
}

static int fork_supervisor(struct slots *slots, unsigned i, int sock)
{
	const struct supervisor_spec spec = { slots->setup, &slots->workdir,  i, slots->most,
		                              sock,         &slots->shared[i] };
	sigset_t all, old;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all,
	            &old); /* no handler of the program's runs in the supervisor */
	pid_t pid = namespaces_fork(slots->setup->fence);
	if (pid == 0)
		supervisor_run(&spec);
	int saved = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	slots->list[i].supervisor = pid;
	return pid < 0 ? -1 : 0;
}

int slots_start_supervisor(struct slots *slots, unsigned i, struct err *err)
{
	struct slot *slot = &slots->list[i];
	int pair[2];
	slot->names = 0;
	standing_forget(&slot->standing);
	slot->unclean = slot->limbo = 0;
	slot->dir = workdir_make_slot(&slots->workdir, i, err);
	if (slot->dir < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(err, "cannot start worker %u", i);
	slot->sock = pair[0];
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
	int rc = fork_supervisor(slots, i, pair[1]);
	if (rc == 0)
		slot_limits_adopt(slot);
	if (rc == 0)
		rc = epoll_ctl(slots->epoll, EPOLL_CTL_ADD, slot->sock, &event);
	if (rc < 0)
		err_errno(err, "cannot start worker %u", i);
	close(pair[1]);
	return rc;
}

void slots_let_go(struct slot *slot)
{
	io_close(slot->sock);
	io_close(slot->dir);
	slot->sock = slot->dir = -1;
}

int slots_revive(struct slots *slots, struct slot *slot, struct err *err)
{
	unsigned i = (unsigned)(slot - slots->list);
	epoll_ctl(slots->epoll, EPOLL_CTL_DEL, slot->sock, NULL);
	slots_let_go(slot);
	watch_end(slots, slot);
	const struct fence *fence = slots->setup->fence;
	/* Where its processes were its own, all of them ended with it, and their numbers are
	 * others' here. */
	bool own = fence && (fence->parts & FENCE_PROCESSES);
	if (slots->shared[i].leader > 0 && !own)
		watch_end_orphan(slots->shared[i].leader);
	slots->shared[i].leader = 0;
	slots->shared[i].phase = CHILD_NONE;
	return slots_start_supervisor(slots, i, err);
}

enum slots_news slots_receive(struct slot *slot, struct wire_reply *reply)
{
	if (!wire_receive(slot->sock, reply, sizeof *reply, NULL))
		return SLOTS_DEAD;
	if (reply->kind == WIRE_CANCELLED && --slot->unclean == 0)
		slot->limbo = 0;
	bool answers = reply->kind == WIRE_ANSWER || reply->kind == WIRE_FAILED;
	return answers && slot->busy && reply->seq == slot->seq ? SLOTS_REPLY : SLOTS_NOTHING;
}

/* ---- names ---- */

static bool names_differ(const struct slots *slots, const struct testcase *tc)
{
	if (slots->n_names != tc->n_files || !slots->names_version)
		return true;
	const char *name = slots->names.data;
	for (uint32_t i = 0; i < tc->n_files; i++, name += strlen(name) + 1)
		if (strcmp(name, tc->files[i].path) != 0)
			return true;
	return false;
}

/* The operands do not change; without them the names of the files are what the test gets. */
static void note_operands(struct slots *slots)
{
	const char *const *operands = slots->setup->operands;
	for (; operands[slots->n_names]; slots->n_names++)
		buf_add(&slots->names, operands[slots->n_names],
		        strlen(operands[slots->n_names]) + 1);
	if (!slots->n_names)
		buf_addch(&slots->names, '\0');
	slots->names_version = 1;
}

void slots_note_names(struct slots *slots, const struct testcase *tc)
{
	if (slots->setup->operands ? slots->names_version != 0 : !names_differ(slots, tc))
		return;
	if (slots->setup->operands) {
		note_operands(slots);
		return;
	}
	slots->names.len = 0;
	for (uint32_t i = 0; i < tc->n_files; i++)
		buf_add(&slots->names, tc->files[i].path, strlen(tc->files[i].path) + 1);
	if (!tc->n_files)
		buf_addch(&slots->names, '\0');
	slots->n_names = tc->n_files;
	slots->names_version++;
}

/* ---- room ---- */

/* The next message of the slot's supervisor, however long that takes. */
static enum slots_news await_message(struct slots *slots, struct slot *slot,
                                     struct wire_reply *reply)
{
	watch_await(slots, slot);
	return slots_receive(slot, reply);
}

/* Lets the supervisors of idle slots finish their tidying: what the last tests wrote may be what
 * fills the disk. */
static void await_tidying(struct slots *slots)
{
	const struct wire_request sync = { .op = WIRE_SYNC };
	for (unsigned i = 0; i < slots->n; i++) {
		struct slot *slot = &slots->list[i];
		struct wire_reply reply = { 0 };
		if (slot->busy || !wire_send(slot->sock, &sync, sizeof sync, NULL, 0))
			continue;
		while (reply.kind != WIRE_SYNCED &&
		       await_message(slots, slot, &reply) != SLOTS_DEAD)
			;
	}
}

static void set_of(const struct slots *slots, char set[SETS_NAME_SIZE], unsigned generation)
{
	sets_name(set, slots->setup->input & SETUP_INPUT_BASENAME ? 'w' : 'i', generation);
}

/* Waits until the cancelled tests of the slot have ended. That the supervisor is dead shows again
 * later. */
static void await_end(struct slots *slots, struct slot *slot)
{
	struct wire_reply reply;
	while (slot->unclean && await_message(slots, slot, &reply) != SLOTS_DEAD)
		;
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, 0) > 0;
}

enum { PATIENCE = 100 };

/* After a write that failed for want of room: lets those who have filled the disk end and tidy up.
 * False when that is no use: nothing runs, or PATIENCE is at its end, which begins when all tests
 * are over. Only tests without a limit, or too many for the disk, get us here. */
static bool await_room(struct slots *slots, unsigned *patience)
{
	enum { PAUSE_MS = 10 };
	bool runs = false;
	await_tidying(slots);
	for (unsigned i = 0; i < slots->n; i++)
		runs |= slots->list[i].busy && !is_readable(slots->list[i].sock);
	if (slots->running)
		poll(NULL, 0, PAUSE_MS);
	watch_supervisors(slots);
	return runs || (*patience)-- > 0;
}

static bool is_full(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

/* ---- candidates ---- */

/* Writes TC into the set of slot->generation, a standing tree or one that was clean; if need be
 * once more from nothing: a test may have reached out of its directory. */
static int write_candidate(struct slots *slots, struct slot *slot, const struct testcase *tc,
                           struct err *err)
{
	char set[SETS_NAME_SIZE];
	bool stands = slot->generation == WIRE_STANDING;
	unsigned patience = slots->running ? PATIENCE : 1;
	const char *const *operands = slots->setup->operands;
	set_of(slots, set, slot->generation);
	for (bool again = false;; again = true) {
		int rc = stands ? standing_update(&slot->standing, slot->dir, set, tc, operands,
		                                  slots->umask)
		                : workdir_write(slot->dir, set, tc, operands, slots->umask);
		if (rc == 0)
			return 0;
		int why = errno;
		if (!stands)
			io_remove_ours(slot->dir, set);
		if (is_full(why) ? await_room(slots, &patience) : !again)
			continue;
		errno = why;
		return err_errno(err, "cannot write a candidate of %u bytes below %s", tc->size,
		                 slots->workdir.path);
	}
}

/* In the next of the sets that are cleaned after each test. A standing tree of larger times would
 * only take memory. */
static int write_in_turn(struct slots *slots, struct slot *slot, const struct testcase *tc,
                         struct err *err)
{
	if (slot->standing.names) {
		char set[SETS_NAME_SIZE];
		set_of(slots, set, WIRE_STANDING);
		await_end(slots, slot);
		standing_remove(&slot->standing, slot->dir, set);
	}
	slot->turn = slot->generation = (slot->turn + 1) % WIRE_GENERATIONS;
	return write_candidate(slots, slot, tc, err);
}

static int write_in_slot(struct slots *slots, struct slot *slot, const struct testcase *tc,
                         struct err *err)
{
	if (!standing_suits(tc))
		return write_in_turn(slots, slot, tc, err);
	await_end(slots, slot);
	slot->generation = WIRE_STANDING;
	return write_candidate(slots, slot, tc, err);
}

/* Into a new slot when a test has removed or moved that, or still does so while it is being
 * cancelled. */
int slots_furnish(struct slots *slots, struct slot *slot, const struct testcase *tc,
                  struct err *err)
{
	char name[WORKDIR_SLOT_SIZE];
	workdir_slot_name(name, (unsigned)(slot - slots->list));
	if (slot->request.words ||
	    slot_limits_is_shared(slot)) /* the former is not run a second time */
		await_end(slots, slot);
	if (workdir_holds(slots->workdir.path, name, slot->dir) &&
	    write_in_slot(slots, slot, tc, err) == 0)
		return 0;
	return slots_revive(slots, slot, err) < 0 ? -1 : write_in_slot(slots, slot, tc, err);
}

enum { CANDIDATES_PER_SLOT = 4 };

static bool slot_free(const struct slot *slot)
{
	return !slot->busy && slot->unclean <= 1;
}

struct slots_count slots_count(const struct slots *slots)
{
	struct slots_count c = { 0 };
	for (unsigned i = 0; i < slots->n; i++) {
		const struct slot *slot = &slots->list[i];
		bool is_free = slot_free(slot);
		c.free += is_free;
		c.charged += is_free && slot->unclean;
		c.active += slot->busy || slot->unclean;
		c.given += slot->given + slot->limbo;
	}
	return c;
}

struct slot *slots_find_free(struct slots *slots, bool charged)
{
	for (unsigned n = 0; n < slots->n; n++) {
		slots->last = (slots->last + 1) % slots->n;
		struct slot *slot = &slots->list[slots->last];
		if (slot_free(slot) && (slot->unclean || !charged))
			return slot;
	}
	return NULL;
}

int slots_watch(struct slots *slots, int fd, struct err *err)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = SLOTS_OTHER };
	return epoll_ctl(slots->epoll, EPOLL_CTL_ADD, fd, &event) < 0
	               ? err_errno(err, "cannot wait for workers")
	               : 0;
}

void slots_forget(struct slots *slots, int fd)
{
	epoll_ctl(slots->epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* ---- requests ---- */

static void drop_request(struct slot *slot)
{
	oracle_drop(&slot->request, &slot->output);
}

/* Takes the request out of the slot, whose test is over. */
static void take_request(struct slots *slots, struct slot *slot, struct slot *to)
{
	to->request = slot->request;
	to->output = slot->output;
	if (to->request.output)
		to->request.output = &to->output;
	slot->request = (struct oracle_request){ 0 };
	slot->output = (struct oracle_output){ -1, -1 };
	slots_finish(slots, slot);
}

int slots_restart(struct slots *slots, struct slot *slot, struct testcase *tc, struct err *err)
{
	struct slot last;
	take_request(slots, slot, &last);
	struct oracle_request again = last.request;
	again.tc = tc;
	bool starts = ++slot->deaths < SLOTS_LIVES;
	if (starts && last.output.out >= 0)
		lseek(last.output.out, 0, SEEK_SET); /* what it wrote into a file is not there */
	int rc = starts && slots_start(slots, slot, &again, err) < 0 ? -1 : starts;
	drop_request(&last);
	return rc;
}

/* ---- tests ---- */

/* The descriptors that go along, and which they are. */
static uint32_t outputs_of(const struct slot *slot, int fds[WIRE_FDS], unsigned *n)
{
	const struct oracle_output *output = slot->request.output;
	uint32_t set = 0;
	*n = 0;
	if (output && output->out >= 0) {
		fds[(*n)++] = output->out;
		set |= WIRE_STDOUT;
	}
	if (output && output->err >= 0) {
		fds[(*n)++] = output->err;
		set |= WIRE_STDERR;
	}
	return set;
}

/* Is the candidate one of those on which a persistent test is checked? The same ones at any number
 * of jobs. */
static bool is_due(const struct oracle_request *request, const struct testcase *tc)
{
	enum { ONE_IN = 512 };
	return (request->anew && !request->lasting) || tc->hash.lo % ONE_IN == 0;
}

static uint32_t persistent_of(const struct slots *slots, const struct oracle_request *request,
                              const struct testcase *tc)
{
	if (!slots->setup->live.answers)
		return 0;
	return (is_due(request, tc) ? WIRE_FRESH : 0) |
	       (request->anew && request->lasting ? WIRE_APART : 0) |
	       (request->claims ? WIRE_CLAIMS : 0);
}

static void send_request(struct slots *slots, struct slot *slot, const struct testcase *tc)
{
	const struct oracle_request *request = &slot->request;
	BUF_SCOPED struct buf words = { 0 };
	for (const char *const *w = request->words; w && *w; w++)
		buf_add(&words, *w, strlen(*w) + 1);
	int fds[WIRE_FDS];
	unsigned n_fds;
	struct wire_request rq = { .op = WIRE_RUN,
		                   .generation = slot->generation,
		                   .seq = ++slot->seq,
		                   .limit_ns = request->limits.wall_ns,
		                   .words_len = (uint32_t)words.len,
		                   .persistent = persistent_of(slots, request, tc),
		                   .outputs = outputs_of(slot, fds, &n_fds) };
	slot_limits_begin(slot, tc, &rq);
	bool news = slot->names != slots->names_version;
	if (news) {
		rq.n_names = slots->n_names;
		rq.names_len = (uint32_t)slots->names.len;
	}
	if (wire_send(slot->sock, &rq, sizeof rq, fds, n_fds) && news)
		wire_send(slot->sock, slots->names.data, slots->names.len, NULL, 0);
	wire_send(slot->sock, words.data, words.len, NULL, 0);
	slot->names = slots->names_version;
}

int slots_start(struct slots *slots, struct slot *slot, const struct oracle_request *rq,
                struct err *err)
{
	if (oracle_keep(rq, &slot->request, &slot->output) < 0)
		return err_errno(err, "cannot start %s",
		                 rq->words ? rq->words[0] : slots->setup->test);
	slots_note_names(slots, rq->tc);
	if (slots_furnish(slots, slot, rq->tc, err) < 0) {
		drop_request(slot);
		return -1;
	}
	send_request(slots, slot, rq->tc);
	slot->busy = true;
	bool held = !rq->again || rq->words || rq->tc->size <= ORACLE_HOLDS;
	if (held) /* which changes nothing that a reader sees */
		slot->request.tc = testcase_ref((struct testcase *)(uintptr_t)rq->tc);
	slots->running++;
	return 0;
}

void slots_finish(struct slots *slots, struct slot *slot)
{
	drop_request(slot);
	io_close(slot->jobs);
	slot->jobs = -1;
	slot->given = 0;
	slot->busy = false;
	slots->running--;
}

void slots_cancel(struct slots *slots, struct slot *slot)
{
	const struct wire_request rq = { .op = WIRE_CANCEL, .seq = slot->seq };
	wire_send(slot->sock, &rq, sizeof rq, NULL, 0);
	slot->unclean++;
	slot->limbo += slot->given;
	slots_finish(slots, slot);
}

/* ---- all of them ---- */

/* A limit of memory that is only kept for each process by itself should be known as such. */
static void say_groups(const struct slots *slots, bool all)
{
	const struct setup *setup = slots->setup;
	if (!all && setup->notice)
		setup->notice(setup->notice_arg,
		              "no control group can be created here: the memory limit applies to "
		              "the address space of each process, and processes are counted from "
		              "time to time");
}

/* Nothing is there yet that is to be let go. */
static void clear_slot(struct slot *slot)
{
	slot->sock = slot->dir = slot->jobs = -1;
	slot->output = (struct oracle_output){ -1, -1 };
}

int slots_add(struct slots *slots, struct err *err)
{
	if (slots->n == slots->most)
		return 0;
	unsigned i = slots->n++;
	slot_limits_open(slots, &slots->list[i]);
	if (slots_start_supervisor(slots, i, err) == 0)
		return 1;
	slots_let_go(&slots->list[i]);
	watch_end(slots, &slots->list[i]);
	slot_limits_close(&slots->list[i]);
	clear_slot(&slots->list[i]);
	slots->n--;
	return -1;
}

int slots_init(struct slots *slots, const struct setup *setup, struct err *err)
{
	unsigned n = setup->jobs, most = setup->jobs_most > n ? setup->jobs_most : n;
	bool all = true;
	*slots = (struct slots){
		.setup = setup, .n = n, .most = most, .epoll = -1, .ticks = ticks_start()
	};
	slots->umask = umask(0);
	umask(slots->umask);
	slots->list = mem_zero(most, sizeof *slots->list);
	for (unsigned i = 0; i < most; i++)
		clear_slot(&slots->list[i]);
	uint64_t room = CANDIDATES_PER_SLOT * setup->input_size + setup->files_size;
	if (workdir_init(&slots->workdir, setup->work_dir, n, room, err) < 0)
		return -1;
	void *shared = mmap(NULL, most * sizeof *slots->shared, PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	slots->shared = shared == MAP_FAILED ? NULL : shared;
	slots->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!slots->shared || slots->epoll < 0)
		return err_errno(err, "cannot start %u workers", n);
	cgroup_bury();
	for (unsigned i = 0; i < n; i++)
		all &= slot_limits_open(slots, &slots->list[i]);
	say_groups(slots, all);
	for (unsigned i = 0; i < n; i++)
		if (slots_start_supervisor(slots, i, err) < 0)
			return -1;
	return 0;
}

void slots_release(struct slots *slots)
{
	for (unsigned i = 0; i < slots->n; i++)
		slots_let_go(&slots->list[i]);
	for (unsigned i = 0; i < slots->n; i++) {
		watch_end(slots, &slots->list[i]);
		slot_limits_close(&slots->list[i]);
		drop_request(&slots->list[i]);
		standing_forget(&slots->list[i].standing);
		io_close(slots->list[i].jobs);
	}
	workdir_release(&slots->workdir);
	if (slots->shared)
		munmap(slots->shared, slots->most * sizeof *slots->shared);
	io_close(slots->epoll);
	buf_release(&slots->names);
	free(slots->list);
}
