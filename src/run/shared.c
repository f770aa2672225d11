#include "run/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

enum { CHECKED = 64, NAME_SIZE = 34 };

/* A test that runs. */
struct open_test {
	uint64_t ticket;
	struct hash hash;
	bool known; /* it is refused in the directory */
	bool kept;  /* and if not, it will be when the test refuses it */
};

struct shared {
	struct oracle oracle; /* first */
	void (*notice)(void *arg, const char *message);
	void *arg;
	int dir; /* -1: not believed any more */
	bool is_full;
	struct open_test *open; /* n of them */
	size_t n, cap;
	struct answer *arrived; /* n_arrived of them: those that need no test */
	size_t n_arrived, cap_arrived;
	struct hash_set given; /* asked a second time, somebody wants to know it from the test */
};

static struct shared *shared_of(struct oracle *oracle)
{
	return (struct shared *)oracle;
}

/* ---- the directory ---- */

/* "XX/REST"; with the slash a NUL: the directory alone. */
static void name_of(struct hash hash, char name[NAME_SIZE])
{
	unsigned long long hi = hash.hi, lo = hash.lo;
	snprintf(name, NAME_SIZE, "%02llx/%014llx%016llx", hi >> 56, hi & 0xffffffffffffffu, lo);
}

static bool is_known(const struct shared *s, struct hash hash)
{
	char name[NAME_SIZE];
	struct stat st;
	name_of(hash, name);
	return s->dir >= 0 && fstatat(s->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

/* Others write in the directory, too: a FIFO in the place of the file is not waited for, and a link
 * in that of its directory leads nowhere. */
static int make(const struct shared *s, struct hash hash)
{
	enum { HOW = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
	char name[NAME_SIZE];
	name_of(hash, name);
	int fd = beneath_open(s->dir, name, HOW, 0666);
	if (fd < 0 && errno == ENOENT) {
		name[2] = '\0';
		if (mkdirat(s->dir, name, 0777) < 0 && errno != EEXIST)
			return -1;
		name[2] = '/';
		fd = beneath_open(s->dir, name, HOW, 0666);
	}
	return fd < 0 ? -1 : close(fd);
}

static void keep(struct shared *s, struct hash hash)
{
	struct err err;
	if (s->is_full || s->dir < 0 || make(s, hash) == 0)
		return;
	s->is_full = true;
	err_errno(&err, "the directory of --verdicts is not writable: verdicts are read from it, "
	                "but not added");
	if (s->notice)
		s->notice(s->arg, err.msg);
}

/* The test finds interesting what is refused there. */
static void distrust(struct shared *s)
{
	if (s->dir < 0)
		return;
	close(s->dir);
	s->dir = -1;
	if (s->notice)
		s->notice(s->arg,
		          "the test finds a candidate interesting that was refused according to "
		          "--verdicts: these verdicts come from another version of the tested "
		          "program, or the test is flaky; they are no longer used");
}

/* ---- the oracle ---- */

/* Answers that need no test take no slot. But they are no more than there are slots: nobody is to
 * ask on and on. */
static unsigned shared_slots(struct oracle *oracle, bool ahead)
{
	const struct shared *s = shared_of(oracle);
	unsigned slots = oracle_slots(oracle->inner, ahead);
	return slots > s->n_arrived ? slots - (unsigned)s->n_arrived : 0;
}

static void answer_at_once(struct shared *s, const struct oracle_request *rq)
{
	MEM_PUSH(s->arrived, s->n_arrived, s->cap_arrived,
	         (struct answer){ .ticket = rq->ticket,
	                          .verdict = VERDICT_NOT_INTERESTING,
	                          .status = 1 << 8,
	                          .limit_ns = rq->limits.wall_ns });
}

static int shared_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct shared *s = shared_of(oracle);
	struct hash hash = rq->tc->hash;
	bool asked = !rq->words && !rq->output, known = asked && is_known(s, hash);
	if (known && !rq->firsthand && hash.lo % CHECKED && hash_set_add(&s->given, hash)) {
		answer_at_once(s, rq);
		return 0;
	}
	if (oracle_submit(s->oracle.inner, rq, err) < 0)
		return -1;
	if (!asked)
		return 0;
	MEM_PUSH(s->open, s->n, s->cap,
	         (struct open_test){ rq->ticket, hash, known, !known && !rq->firsthand });
	return 0;
}

/* What is known of TICKET, which is not open any more; hash zero: nothing. */
static struct open_test take(struct shared *s, uint64_t ticket)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->open[i].ticket == ticket) {
			struct open_test test = s->open[i];
			s->open[i] = s->open[--s->n];
			return test;
		}
	return (struct open_test){ 0 };
}

static int shared_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                       struct err *err)
{
	struct shared *s = shared_of(oracle);
	if (s->n_arrived) {
		*answer = s->arrived[0];
		memmove(s->arrived, s->arrived + 1, --s->n_arrived * sizeof *s->arrived);
		return 1;
	}
	int rc = oracle_wait(s->oracle.inner, answer, wake_fd, timeout_ms, err);
	struct open_test test = { 0 };
	if (rc)
		test = take(s, answer->ticket);
	if (rc <= 0 || !test.ticket)
		return rc;
	if (test.known && answer->verdict == VERDICT_INTERESTING)
		distrust(s);
	if (test.kept && answer->verdict == VERDICT_NOT_INTERESTING && answer->why == ANSWER_OWN)
		keep(s, test.hash);
	return rc;
}

static bool shared_ready(struct oracle *oracle)
{
	struct shared *s = shared_of(oracle);
	return s->n_arrived || oracle_is_ready(s->oracle.inner);
}

static void shared_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct shared *s = shared_of(oracle);
	size_t to = 0, n = s->n_arrived;
	for (size_t i = 0; i < n; i++)
		if (s->arrived[i].ticket != ticket)
			s->arrived[to++] = s->arrived[i];
	s->n_arrived = to;
	if (to < n)
		return;
	take(s, ticket);
	oracle_cancel(s->oracle.inner, ticket);
}

static void shared_free(struct oracle *oracle)
{
	struct shared *s = shared_of(oracle);
	oracle_free(s->oracle.inner);
	io_close(s->dir);
	hash_set_release(&s->given);
	free(s->arrived);
	free(s->open);
	free(s);
}

static int open_dir(struct shared *s, const struct shared_options *o, struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/" HASH_DIGITS, o->dir, HASH_OF(o->test));
	int rc = io_make_dirs(path, 0, err);
	if (rc == 0 && (s->dir = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
		rc = err_errno(err, "cannot open %s", path);
	return rc;
}

struct oracle *shared_new(struct oracle *inner, const struct shared_options *options,
                          struct err *err)
{
	static const struct oracle_ops ops = {
		.slots = shared_slots,
		.submit = shared_submit,
		.wait = shared_wait,
		.ready = shared_ready,
		.cancel = shared_cancel,
		.free = shared_free,
	};
	struct shared *s = mem_zero(1, sizeof *s);
	s->oracle = (struct oracle){ .ops = &ops, .inner = inner };
	s->notice = options->notice;
	s->arg = options->arg;
	s->dir = -1;
	if (open_dir(s, options, err) == 0)
		return &s->oracle;
	oracle_free(&s->oracle);
	return NULL;
}
