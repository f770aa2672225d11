#include "far/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/condition.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/show.h"
#include "far/frames.h"
#include "far/bundle.h"
#include "far/words.h"
#include "fence/workdir.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "text/code.h"

struct worker_bundle {
	struct workdir work;
	struct setup setup; /* its strings are those below */
	char *name;         /* of the next file; NULL: none has been given */
	char *test;
	char **args, **operands; /* n_args, n_operands of them, and a NULL */
	unsigned n_args, n_operands;
	bool forks;                 /* the test is a condition, whose command is a fork server: */
	struct condition condition; /* that, once the bundle is complete */
	char *program;              /* of the command, as it is found here */
};

/* A worker's bundle (bundle.h), taken in: the test and its files lie in a directory, and what they
 * are run with makes a setup. */

enum { TEXTS_MOST = 1 << 16 };

static int nonsense(const struct frame *frame, struct err *err)
{
	return err_set(err, ERR_USAGE, "unexpected line \"%s\"", frame->words[0]);
}

/* The body as a string, the caller's; NULL: there is none, or a NUL is in it. */
static char *text_of(const struct frame *frame)
{
	if (!frame->body || memchr(frame->body, '\0', frame->len))
		return NULL;
	char *text = mem_alloc(frame->len + 1);
	memcpy(text, frame->body, frame->len);
	text[frame->len] = '\0';
	return text;
}

static int add_text(char ***list, unsigned *n, const struct frame *frame, struct err *err)
{
	char *text = *n < TEXTS_MOST ? text_of(frame) : NULL;
	if (!text)
		return nonsense(frame, err);
	*list = mem_resize(*list, *n + (size_t)2, sizeof **list);
	(*list)[(*n)++] = text;
	(*list)[*n] = NULL;
	return 1;
}

static int take_name(struct worker_bundle *bundle, const struct frame *frame, struct err *err)
{
	free(bundle->name);
	if (!(bundle->name = text_of(frame)))
		return nonsense(frame, err);
	return path_check(bundle->name, 0, "a file for the test", err) < 0 ? -1 : 1;
}

/* A directory's path has a slash behind it. */
static int take_operand(struct worker_bundle *bundle, const struct frame *frame, struct err *err)
{
	if (add_text(&bundle->operands, &bundle->n_operands, frame, err) < 0)
		return -1;
	MEM_SCOPED char *path = mem_strdup(bundle->operands[bundle->n_operands - 1]);
	size_t len = strlen(path);
	if (len && path[len - 1] == '/')
		path[len - 1] = '\0';
	int rc = path_check(path, 0, "an operand", err);
	return rc < 0 ? -1 : 1;
}

static bool read_mode(const char *word, mode_t *mode)
{
	char *end;
	unsigned long n = strtoul(word, &end, 8);
	*mode = (mode_t)n;
	return *word >= '0' && *word <= '7' && !*end && n <= 0777;
}

/* A file, below the directory that is made when the first one comes. Its path; NULL and err. */
static char *take_file(struct worker_bundle *bundle, const char *dir, const struct frame *frame,
                       struct err *err)
{
	mode_t mode;
	if (!bundle->name || !frame->body || frame->n < 2 || !read_mode(frame->words[1], &mode)) {
		nonsense(frame, err);
		return NULL;
	}
	if (!bundle->work.path && workdir_init(&bundle->work, dir, 1, 0, err) < 0)
		return NULL;
	char *path = mem_printf("%s/test/%s", bundle->work.path, bundle->name);
	char *end = strrchr(path, '/');
	*end = '\0';
	int rc = io_make_dirs(path, strlen(bundle->work.path), err);
	*end = '/';
	if (rc == 0)
		rc = io_replace_file(path, frame->body, frame->len, mode | 0400, err);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}

static int take_test(struct worker_bundle *bundle, const char *dir, const struct frame *frame,
                     struct err *err)
{
	if (bundle->test)
		return nonsense(frame, err);
	return (bundle->test = take_file(bundle, dir, frame, err)) ? 1 : -1;
}

static int take_with(struct worker_bundle *bundle, const char *dir, const struct frame *frame,
                     struct err *err)
{
	char *path = take_file(bundle, dir, frame, err);
	free(path);
	return path ? 1 : -1;
}

/* Up to two numbers. */
static int take_numbers(const struct frame *frame, uint64_t most, uint64_t out[2], struct err *err)
{
	out[1] = 0;
	bool good = frame->n > 1 && frames_number(frame->words[1], most, &out[0]) &&
	            (frame->n < 3 || frames_number(frame->words[2], most, &out[1]));
	return good ? 1 : nonsense(frame, err);
}

static int take_setup(struct worker_bundle *bundle, const struct frame *frame, struct err *err)
{
	const char *kind = frame->words[0];
	uint64_t n[2] = { 0 };
	bool input = !strcmp(kind, "input"), room = !strcmp(kind, "room"),
	     forks = !strcmp(kind, "forks"), alive = forks || !strcmp(kind, "alive");
	uint64_t most = room ? UINT64_MAX : alive ? UINT32_MAX : input ? SETUP_INPUT_ALL : 255;
	if (take_numbers(frame, most, n, err) < 0)
		return -1;
	bundle->forks = bundle->forks || forks;
	if (input)
		bundle->setup.input = (unsigned)n[0];
	else if (alive)
		bundle->setup.live.answers = (unsigned)n[0];
	else if (room) {
		bundle->setup.input_size = n[0];
		bundle->setup.files_size = n[1];
	} else {
		bundle->setup.exit_code = (int)n[0];
		bundle->setup.no_answer = (int)n[1];
	}
	return 1;
}

/* Takes in FRAME. 1, 0: it is none of a bundle, or -1 and err: it makes no sense, or cannot be
 * written. */
static int worker_bundle_take(struct worker_bundle *bundle, const char *dir,
                              const struct frame *frame, struct err *err)
{
	const char *kind = frame->words[0];
	if (!strcmp(kind, "input") || !strcmp(kind, "exit") || !strcmp(kind, "room") ||
	    !strcmp(kind, "alive") || !strcmp(kind, "forks"))
		return take_setup(bundle, frame, err);
	if (!strcmp(kind, "argument"))
		return add_text(&bundle->args, &bundle->n_args, frame, err);
	if (!strcmp(kind, "operand"))
		return take_operand(bundle, frame, err);
	if (!strcmp(kind, "name"))
		return take_name(bundle, frame, err);
	if (!strcmp(kind, "test"))
		return take_test(bundle, dir, frame, err);
	if (!strcmp(kind, "with"))
		return take_with(bundle, dir, frame, err);
	if (strcmp(kind, "groups"))
		return 0;
	bundle->setup.groups = true;
	return 1;
}

/* The condition that the test is says what the fork server is, and how what it starts must end. */
static int find_server(struct worker_bundle *bundle, struct err *err)
{
	enum { MOST = 1 << 20 };
	struct condition *c = &bundle->condition;
	BUF_SCOPED struct buf text = { 0 };
	int rc = io_read_bounded(bundle->test, (struct io_bounds){ MOST, true }, &text, err);
	buf_addch(&text, '\0');
	if (rc == 0)
		rc = condition_parse(c, text.data, err);
	if (rc == 0 && c->shell)
		rc = err_set(err, ERR_USAGE, "there is no command that could be a fork server");
	if (rc < 0)
		return -1;
	if (!(bundle->program = condition_program(c)))
		return err_errno(err, "cannot run %s", c->words[0]);
	bundle->setup.live.forks = c;
	bundle->setup.live.program = bundle->program;
	return 0;
}

/* Makes bundle->setup complete. -1 and err: something is missing. */
static int worker_bundle_finish(struct worker_bundle *bundle, struct err *err)
{
	if (!bundle->test || !bundle->setup.input)
		return err_set(err, ERR_USAGE, "there is no test to run");
	bundle->setup.test = bundle->test;
	bundle->setup.args = (const char *const *)bundle->args;
	bundle->setup.operands = (const char *const *)bundle->operands;
	return bundle->forks && bundle->setup.live.answers ? find_server(bundle, err) : 0;
}

static void free_texts(char **list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

static void worker_bundle_release(struct worker_bundle *bundle)
{
	if (bundle->work.path)
		workdir_release(&bundle->work);
	free(bundle->name);
	free(bundle->test);
	free(bundle->program);
	condition_release(&bundle->condition);
	free_texts(bundle->args, bundle->n_args);
	free_texts(bundle->operands, bundle->n_operands);
}

enum { BASES_MOST = 256 };

struct known {
	uint64_t id; /* 0: none */
	struct testcase *tc;
};

struct question {
	uint64_t number;
	struct testcase *tc; /* NULL: its test runs */
	struct oracle_limits limits;
	bool anew; /* of a test that stays alive: asked of a process that was just started */
};

struct worker {
	const struct worker_options *options;
	char name[FRAMES_NAME];
	bool anew;      /* the next question is, whoever is asked it */
	bool elsewhere; /* what is asked now is for another one, which reads the same input */
	struct worker_bundle bundle;
	struct frames in;
	struct oracle *pool; /* NULL: the bundle is not complete */
	struct known bases[BASES_MOST];
	struct oracle_limits limits;
	struct question *open; /* n of them, n_running of which run */
	size_t n, cap, n_running;
	int epoll; /* readable when the input is, or it is to end */
	bool ended;
	uint64_t said_ns;
};

/* ---- what is said ---- */

/* Whoever does not read any more has no more questions. */
static void say(struct worker *w, struct buf *line)
{
	if (io_write_all(w->options->out, line->data, line->len) < 0)
		w->ended = true;
	w->said_ns = io_now();
	buf_release(line);
}

static void say_text(struct worker *w, const char *head, const char *text)
{
	struct buf line = { 0 };
	buf_addf(&line, "%s ", head);
	words_add_reason(&line, text);
	buf_addf(&line, " %s\n", w->name);
	say(w, &line);
}

static void say_failed(struct worker *w, uint64_t number, const char *text)
{
	char head[40];
	snprintf(head, sizeof head, "failed %llu", (unsigned long long)number);
	say_text(w, head, text);
}

static void say_answer(struct worker *w, const struct answer *a)
{
	struct buf line = { 0 };
	buf_addf(&line, "answer %llu %s %s %d %llu %s\n", (unsigned long long)a->ticket,
	         words_verdict(a->verdict), words_why(a->why), a->status & 0xffff,
	         (unsigned long long)a->wall_ns, w->name);
	say(w, &line);
}

/* Only for the name, on which nothing depends; 0 where there is none to be had. */
static unsigned any_number(void)
{
	unsigned number = 0;
	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
		return 0;
	return number;
}

static void say_hello(struct worker *w)
{
	char host[FRAMES_NAME - 32] = "", check[CODE_HASH_SIZE];
	struct buf line = { 0 };
	gethostname(host, sizeof host - 1);
	for (char *p = host; *p; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f || *p == ':')
			*p = '-';
	/* Containers may share a host name, and then mostly a process number, too. */
	snprintf(w->name, sizeof w->name, "%s/%ld/%08x", host, (long)getpid(), any_number());
	code_hash(bundle_check(), check);
	buf_addf(&line, "whittle-worker %d %s %s %s\n", KIT_VERSION, check, w->name,
	         w->options->version);
	say(w, &line);
}

/* ---- test cases ---- */

static struct known *find_base(struct worker *w, uint64_t id)
{
	for (int i = 0; i < BASES_MOST; i++)
		if (w->bases[i].id == id)
			return &w->bases[i];
	return NULL;
}

/* TC, if it is what HASH says; else NULL, and TC is let go. */
static struct testcase *verified(struct testcase *tc, const char *hash)
{
	struct hash want;
	if (tc && code_read_hash(hash, &want) && hash_equal(tc->hash, want))
		return tc;
	testcase_unref(tc);
	return NULL;
}

/* What BODY makes of the base ID; NULL: it makes no sense. */
static struct testcase *derive(struct worker *w, const char *id, const char *hash,
                               const struct frame *in)
{
	uint64_t n;
	struct known *base =
		frames_number(id, UINT32_MAX, &n) && n && in->body ? find_base(w, n) : NULL;
	ARENA_SCOPED struct arena arena = { 0 };
	struct edit edit;
	struct testcase *tc = NULL;
	if (base && code_read_edit(in->body, in->len, base->tc->size, &arena, &edit))
		tc = edit_apply(base->tc, edit);
	return verified(tc, hash);
}

static void forget_base(struct known *base)
{
	testcase_unref(base->tc);
	*base = (struct known){ 0 };
}

static void keep_base(struct worker *w, const char *id, struct testcase *tc)
{
	uint64_t n;
	struct known *place = NULL;
	if (tc && frames_number(id, UINT32_MAX, &n) && n)
		place = find_base(w, n) ? NULL : find_base(w, 0);
	if (!place) {
		testcase_unref(tc);
		return;
	}
	testcase_flat(tc);
	*place = (struct known){ n, tc };
}

/* ---- questions ---- */

static struct question *find(struct worker *w, uint64_t number)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->open[i].number == number)
			return &w->open[i];
	return NULL;
}

static void drop(struct worker *w, struct question *q)
{
	w->n_running -= !q->tc;
	testcase_unref(q->tc);
	memmove(q, q + 1, (size_t)(w->open + w->n - q - 1) * sizeof *q);
	w->n--;
}

static void take_ask(struct worker *w, const struct frame *in)
{
	uint64_t number;
	bool anew = w->anew;
	w->anew = false;
	if (w->elsewhere || in->n < 4 || !frames_number(in->words[1], UINT64_MAX, &number) ||
	    !number || find(w, number))
		return;
	struct testcase *tc = derive(w, in->words[2], in->words[3], in);
	if (!tc) {
		struct buf line = { 0 };
		buf_addf(&line, "strange %llu %s\n", (unsigned long long)number, w->name);
		say(w, &line);
		return;
	}
	MEM_PUSH(w->open, w->n, w->cap, (struct question){ number, tc, w->limits, anew });
}

static void take_cancel(struct worker *w, const struct frame *in)
{
	uint64_t number;
	struct question *q = NULL;
	if (in->n > 1 && frames_number(in->words[1], UINT64_MAX, &number))
		q = find(w, number);
	if (!q)
		return;
	if (!q->tc)
		oracle_cancel(w->pool, number);
	drop(w, q);
}

static void take_limits(struct worker *w, const struct frame *in)
{
	uint64_t n[5];
	for (unsigned i = 0; i < 5; i++)
		if (i + 1 >= in->n || !frames_number(in->words[i + 1], UINT64_MAX, &n[i]))
			return;
	w->limits = (struct oracle_limits){ n[0], n[1], n[2], n[3], n[4] };
}

/* ---- frames ---- */

static void say_tool(void *ctx, const char *tool, const char *version)
{
	struct worker *w = ctx;
	struct buf line = { 0 };
	buf_addf(&line, "tool ");
	words_add_tool(&line, tool);
	buf_addch(&line, ' ');
	words_add_version(&line, version);
	buf_addf(&line, " %s\n", w->name);
	say(w, &line);
}

static int open_pool(struct worker *w, struct err *err)
{
	struct setup *s = &w->bundle.setup;
	if (worker_bundle_finish(&w->bundle, err) < 0)
		return -1;
	bundle_find_tools(s, say_tool, w);
	s->jobs = w->options->jobs;
	s->fence = w->options->fence;
	s->serve = !s->live.answers;
	s->shims = w->options->shims;
	s->notice = show_notice;
	if (!(w->pool = setup_open(s, err)))
		return -1;
	struct buf line = { 0 };
	buf_addf(&line, "ready %u %s\n", s->jobs, w->name);
	say(w, &line);
	return 0;
}

/* What it does not know is of a later version, and needs not be understood. */
static void take_frame(struct worker *w, const struct frame *in)
{
	const char *kind = in->words[0];
	uint64_t id;
	if (!strcmp(kind, "ask"))
		take_ask(w, in);
	else if (!strcmp(kind, "for") && in->n > 1)
		w->elsewhere = strcmp(in->words[1], w->name) != 0;
	else if (!strcmp(kind, "anew"))
		w->anew = true;
	else if (!strcmp(kind, "cancel"))
		take_cancel(w, in);
	else if (!strcmp(kind, "limits"))
		take_limits(w, in);
	else if (!strcmp(kind, "derive") && in->n > 3)
		keep_base(w, in->words[1], derive(w, in->words[2], in->words[3], in));
	else if (!strcmp(kind, "base") && in->n > 2 && in->body)
		keep_base(w, in->words[1],
		          verified(code_read_testcase(in->body, in->len), in->words[2]));
	else if (!strcmp(kind, "drop") && in->n > 1 &&
	         frames_number(in->words[1], UINT32_MAX, &id) && id && find_base(w, id))
		forget_base(find_base(w, id));
}

static int take_bundle(struct worker *w, const struct frame *in, struct err *err)
{
	if (!strcmp(in->words[0], "go"))
		return open_pool(w, err);
	return worker_bundle_take(&w->bundle, w->options->dir, in, err) < 0 ? -1 : 0;
}

static int take_input(struct worker *w, struct err *err)
{
	struct frame in;
	enum frames_got got;
	while ((got = frames_next(&w->in, &in)) == FRAMES_ONE)
		if (w->pool)
			take_frame(w, &in);
		else if (take_bundle(w, &in, err) < 0)
			return -1;
	return got == FRAMES_BAD ? err_set(err, ERR_USAGE,
	                                   "standard input does not come from whittle --workers")
	                         : 0;
}

/* ---- the loop ---- */

static void start_waiting(struct worker *w)
{
	for (size_t i = 0; i < w->n && w->n_running < w->n && oracle_free_slots(w->pool);) {
		struct question *q = &w->open[i];
		TESTCASE_SCOPED struct testcase *tc = q->tc;
		struct err err;
		if (!tc) {
			i++;
			continue;
		}
		const struct oracle_request rq = {
			.ticket = q->number, .tc = tc, .anew = q->anew, .limits = q->limits
		};
		q->tc = NULL;
		w->n_running++;
		if (oracle_submit(w->pool, &rq, &err) < 0) {
			say_failed(w, q->number, err.msg);
			drop(w, q);
		} else
			i++;
	}
}

/* 0, or -1 and err: the pool is of no use any more. */
static int await_answer(struct worker *w, struct err *err)
{
	struct answer a = { 0 };
	int rc = oracle_wait(w->pool, &a, w->epoll, (int)w->options->beat_ms, err);
	struct question *q = rc ? find(w, a.ticket) : NULL;
	if (rc > 0 && q)
		say_answer(w, &a);
	if (rc < 0 && !q)
		return -1;
	if (rc < 0)
		say_failed(w, a.ticket, err->msg);
	if (q)
		drop(w, q);
	return 0;
}

/* A sign of life, when there has been none for a while. */
static void beat(struct worker *w)
{
	struct buf line = { 0 };
	if (io_now() - w->said_ns < w->options->beat_ms * 1000000ull)
		return;
	buf_addf(&line, "alive %s\n", w->name);
	say(w, &line);
}

static int read_input(struct worker *w, struct err *err)
{
	static const size_t CHUNK = 1 << 16;
	MEM_SCOPED char *chunk = mem_alloc(CHUNK);
	ssize_t n = read(w->options->in, chunk, CHUNK);
	if (n == 0)
		w->ended = true;
	if (n > 0)
		frames_feed(&w->in, chunk, (size_t)n);
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		return err_errno(err, "cannot read questions");
	return n > 0 ? take_input(w, err) : 0;
}

static int work(struct worker *w, struct err *err)
{
	while (!w->ended) {
		struct pollfd news = { .fd = w->epoll, .events = POLLIN };
		if (w->pool)
			start_waiting(w);
		if (!w->n_running)
			poll(&news, 1, (int)w->options->beat_ms);
		else if (await_answer(w, err) < 0)
			return -1;
		beat(w);
		if (io_is_readable(w->options->stop_fd))
			return 0;
		if (io_is_readable(w->options->in) && read_input(w, err) < 0)
			return -1;
	}
	return 0;
}

static int watch(struct worker *w, struct err *err)
{
	struct epoll_event event = { .events = EPOLLIN };
	const struct worker_options *o = w->options;
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (w->epoll < 0)
		return err_errno(err, "cannot wait for questions");
	if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, o->in, &event) < 0)
		return errno == EPERM ? err_set(err, ERR_USAGE,
		                                "expected questions from a pipe, not from a file")
		                      : err_errno(err, "cannot wait for questions");
	if (o->stop_fd >= 0 && epoll_ctl(w->epoll, EPOLL_CTL_ADD, o->stop_fd, &event) < 0)
		return err_errno(err, "cannot wait for questions");
	return 0;
}

static void release(struct worker *w)
{
	oracle_free(w->pool);
	while (w->n)
		drop(w, &w->open[w->n - 1]);
	for (int i = 0; i < BASES_MOST; i++)
		forget_base(&w->bases[i]);
	free(w->open);
	frames_release(&w->in);
	worker_bundle_release(&w->bundle);
	io_close(w->epoll);
}

int worker_run(const struct worker_options *options, struct err *err)
{
	struct worker w = { .options = options, .epoll = -1 };
	w.in.most_body = 2ull * TESTCASE_MAX_SIZE;
	int rc = watch(&w, err);
	if (rc == 0) {
		say_hello(&w);
		rc = work(&w, err);
		if (rc < 0)
			say_text(&w, "sorry", err->msg);
	}
	release(&w);
	return rc;
}
