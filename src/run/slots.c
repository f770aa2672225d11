#include "run/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/charge.h"
#include "run/child.h"
#include "run/slots_write.h"
#include "run/watch.h"

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

static const char **words_copy(const char *const *from)
{
	size_t n = 0;
	while (from[n])
		n++;
	const char **words = mem_zero(n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++)
		words[i] = mem_strdup(from[i]);
	return words;
}

/* A descriptor of our own for FD; -1 for -1, and with errno. */
static int own(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

static void drop_request(struct slot *slot)
{
	struct oracle_request *rq = &slot->request;
	testcase_unref((struct testcase *)(uintptr_t)rq->tc);
	for (const char *const *w = rq->words; w && *w; w++)
		free((char *)(uintptr_t)*w);
	free((const char **)(uintptr_t)rq->words);
	if (slot->output.out >= 0)
		close(slot->output.out);
	if (slot->output.err >= 0)
		close(slot->output.err);
	slot->output = (struct oracle_output){ -1, -1 };
	*rq = (struct oracle_request){ 0 };
}

/* A copy of RQ that outlives it, with descriptors of its own, since it may have to be started
 * again; without its test case. -1 with errno. */
static int copy_request(struct slot *slot, const struct oracle_request *rq)
{
	slot->request = *rq;
	slot->request.tc = NULL;
	slot->request.words = rq->words ? words_copy(rq->words) : NULL;
	slot->output = (struct oracle_output){ -1, -1 };
	if (!rq->output)
		return 0;
	slot->request.output = &slot->output;
	slot->output.out = own(rq->output->out);
	slot->output.err = slot->output.out < 0 && rq->output->out >= 0 ? -1 : own(rq->output->err);
	if ((slot->output.out < 0) == (rq->output->out < 0) &&
	    (slot->output.err < 0) == (rq->output->err < 0))
		return 0;
	int saved = errno;
	drop_request(slot);
	errno = saved;
	return -1;
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

/* Is the candidate one of those on which a living test is checked? The same ones at any number of
 * jobs. */
static bool is_due(const struct oracle_request *request, const struct testcase *tc)
{
	enum { ONE_IN = 512 };
	return (request->anew && !request->lasting) || tc->hash.lo % ONE_IN == 0;
}

static uint32_t living_of(const struct slots *slots, const struct oracle_request *request,
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
	struct buf words = { 0 };
	for (const char *const *w = request->words; w && *w; w++)
		buf_add(&words, *w, strlen(*w) + 1);
	int fds[WIRE_FDS];
	unsigned n_fds;
	struct wire_request rq = { .op = WIRE_RUN,
		                   .generation = slot->generation,
		                   .seq = ++slot->seq,
		                   .limit_ns = request->limits.wall_ns,
		                   .words_len = (uint32_t)words.len,
		                   .living = living_of(slots, request, tc),
		                   .outputs = outputs_of(slot, fds, &n_fds) };
	charge_begin(slot, tc, &rq);
	bool news = slot->names != slots->names_version;
	if (news) {
		rq.n_names = slots->n_names;
		rq.names_len = (uint32_t)slots->names.len;
	}
	if (wire_send(slot->sock, &rq, sizeof rq, fds, n_fds) && news)
		wire_send(slot->sock, slots->names.data, slots->names.len, NULL, 0);
	wire_send(slot->sock, words.data, words.len, NULL, 0);
	buf_release(&words);
	slot->names = slots->names_version;
}

int slots_start(struct slots *slots, struct slot *slot, const struct oracle_request *rq,
                struct err *err)
{
	if (copy_request(slot, rq) < 0)
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
	if (slot->jobs >= 0)
		close(slot->jobs);
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
	charge_open(slots, &slots->list[i]);
	if (slots_start_minder(slots, i, err) == 0)
		return 1;
	slots_let_go(&slots->list[i]);
	watch_end(slots, &slots->list[i]);
	charge_close(&slots->list[i]);
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
		all &= charge_open(slots, &slots->list[i]);
	say_groups(slots, all);
	for (unsigned i = 0; i < n; i++)
		if (slots_start_minder(slots, i, err) < 0)
			return -1;
	return 0;
}

void slots_release(struct slots *slots)
{
	for (unsigned i = 0; i < slots->n; i++)
		slots_let_go(&slots->list[i]);
	for (unsigned i = 0; i < slots->n; i++) {
		watch_end(slots, &slots->list[i]);
		charge_close(&slots->list[i]);
		drop_request(&slots->list[i]);
		standing_forget(&slots->list[i].standing);
		if (slots->list[i].jobs >= 0)
			close(slots->list[i].jobs);
	}
	workdir_release(&slots->workdir);
	if (slots->shared)
		munmap(slots->shared, slots->most * sizeof *slots->shared);
	if (slots->epoll >= 0)
		close(slots->epoll);
	buf_release(&slots->names);
	free(slots->list);
}
