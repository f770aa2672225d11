#include "external/external_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "base/mem.h"
#include "text/code.h"

enum { EXTERNAL_FILE_MAX = 256 << 20 }; /* no more is kept */

enum { MARK = 0x32525857 };

struct header {
	uint32_t mark, len;
	struct hash key;
};

/* An answer begins with it; the length of each edit and the edit as in a message follow. */
struct head {
	uint32_t failed, instances, n;
};

static void encode(struct buf *b, const struct external_result *r)
{
	const struct head head = { r->failed, r->instances, r->n };
	buf_add(b, &head, sizeof head);
	for (uint32_t i = 0; i < r->n; i++) {
		BUF_SCOPED struct buf edit = { 0 };
		code_add_edit(&edit, r->edits[i]);
		uint32_t len = (uint32_t)edit.len;
		buf_add(b, &len, sizeof len);
		buf_add(b, edit.len ? edit.data : "", edit.len);
	}
}

/* Reads the edits of R from LEN bytes in its arena. */
static bool read_edits(struct external_result *r, uint32_t n, const uint8_t *bytes, size_t len,
                       uint32_t size)
{
	uint32_t one;
	r->edits = arena_alloc(&r->arena, (n + (size_t)1) * sizeof *r->edits);
	for (; r->n < n; r->n++, bytes += one, len -= one) {
		if (len < sizeof one)
			return false;
		memcpy(&one, bytes, sizeof one);
		bytes += sizeof one;
		len -= sizeof one;
		if (one > len || !code_read_edit(bytes, one, size, &r->arena, &r->edits[r->n]))
			return false;
	}
	return !len;
}

/* NULL when it is not an answer about a test case of SIZE bytes. The checksum proves nothing:
 * whoever wrote the file computed it, too. */
static struct external_result *decode(const uint8_t *bytes, size_t len, uint32_t size)
{
	struct head head;
	if (len < sizeof head)
		return NULL;
	memcpy(&head, bytes, sizeof head);
	if (head.instances > EXTERNAL_MAX_EDITS || head.n > EXTERNAL_MAX_EDITS ||
	    (head.failed && head.n))
		return NULL;
	struct external_result *r = external_result_new(head.failed);
	r->instances = head.instances;
	len -= sizeof head;
	if (read_edits(r, head.n, arena_copy(&r->arena, bytes + sizeof head, len), len, size))
		return r;
	external_result_unref(r);
	return NULL;
}

static bool read_at(int fd, void *bytes, size_t len, off_t at)
{
	size_t done = 0;
	while (done < len) {
		ssize_t n = pread(fd, (char *)bytes + done, len - done, at + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* The record at AT with its checksum proven: the answer's bytes, the caller's; NULL: none is there.
 */
static uint8_t *read_record(int fd, off_t at, off_t size, struct header *h)
{
	if (size - at < (off_t)sizeof *h || !read_at(fd, h, sizeof *h, at) || h->mark != MARK ||
	    size - at - (off_t)sizeof *h - (off_t)sizeof(uint64_t) < (off_t)h->len)
		return NULL;
	uint64_t sum;
	uint8_t *bytes = mem_alloc(h->len + sizeof sum);
	bool good = read_at(fd, bytes, h->len + sizeof sum, at + (off_t)sizeof *h);
	memcpy(&sum, bytes + h->len, sizeof sum);
	if (good && sum == hash_bytes(bytes, h->len, hash_bytes(h, sizeof *h, 0).lo).lo)
		return bytes;
	free(bytes);
	return NULL;
}

int external_file_open(struct external_file *f, const char *path,
                       void (*fn)(void *, struct hash, struct external_extent), void *arg,
                       struct err *err)
{
	struct stat st;
	*f = (struct external_file){
		.fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666)
	};
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return err_errno(err, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "%s is not a regular file", path);
	off_t most = st.st_size < EXTERNAL_FILE_MAX ? st.st_size : EXTERNAL_FILE_MAX;
	struct header h;
	for (uint8_t *bytes; (bytes = read_record(f->fd, f->end, most, &h)); free(bytes)) {
		fn(arg, h.key, (struct external_extent){ f->end + (off_t)sizeof h, h.len });
		f->end += (off_t)sizeof h + h.len + (off_t)sizeof(uint64_t);
	}
	if (f->end < st.st_size && ftruncate(f->fd, f->end) < 0)
		return err_errno(err, "cannot shorten %s", path);
	return 0;
}

int external_file_add(struct external_file *f, struct hash key,
                      const struct external_result *result, struct external_extent *extent)
{
	BUF_SCOPED struct buf b = { 0 };
	struct header h = { .mark = MARK, .key = key };
	buf_add(&b, &h, sizeof h);
	encode(&b, result);
	h.len = (uint32_t)(b.len - sizeof h);
	memcpy(b.data, &h, sizeof h);
	uint64_t sum = hash_bytes(b.data + sizeof h, h.len, hash_bytes(&h, sizeof h, 0).lo).lo;
	buf_add(&b, &sum, sizeof sum);
	int rc = 0;
	if (f->end + (off_t)b.len <= EXTERNAL_FILE_MAX) {
		rc = lseek(f->fd, f->end, SEEK_SET) < 0 || io_write_all(f->fd, b.data, b.len) < 0
		             ? -1
		             : 1;
		int saved = errno;
		if (rc < 0 && ftruncate(f->fd, f->end) == 0)
			errno = saved;
	}
	if (rc > 0) {
		*extent = (struct external_extent){ f->end + (off_t)sizeof h, h.len };
		f->end += (off_t)b.len;
	}
	return rc;
}

struct external_result *external_file_get(const struct external_file *f,
                                          struct external_extent extent, uint32_t size)
{
	struct header h;
	MEM_SCOPED uint8_t *bytes = read_record(f->fd, extent.at - (off_t)sizeof h, f->end, &h);
	return bytes ? decode(bytes, h.len, size) : NULL;
}

void external_file_close(struct external_file *f)
{
	io_close(f->fd);
	f->fd = -1;
}

enum {
	CACHE_MAX = 8 << 20,  /* bytes of answers in memory */
	LIST_MAX = 4 << 20,   /* bytes of a list */
	FILE_EXTRA = 1 << 16, /* a new file may be so much larger than four times the old one */
};
static const uint64_t MEMORY_LIMIT = (uint64_t)4 << 30;

/* An answer: in memory, in the file, or (neither) known no longer. */
struct entry {
	struct hash key;
	bool filed;
	struct external_result *result;
	struct external_extent extent;
	uint64_t last; /* use */
};

/* A program that runs. */
struct running {
	uint64_t ticket;
	struct external_request request;
	struct testcase *base;
	struct hash key;
	int out;
};

struct external_host {
	struct external_host_options options;
	struct external_file file;
	bool has_file;
	struct entry *entries;
	size_t n, cap;
	struct map map;
	uint64_t uses, cached;
	uint32_t n_running, cap_running;
	struct running *running;
	bool *told; /* by program: that it failed */
	struct external_stats stats;
};

/* ---- memory ---- */

static size_t weight(const struct external_result *r)
{
	size_t total = sizeof *r;
	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t k = 0; k < r->edits[i].n; k++)
			total += sizeof(struct edit_part) + r->edits[i].parts[k].len;
	return total;
}

/* NULL: there is none. */
static struct entry *find(const struct external_host *h, struct hash key)
{
	size_t at;
	uint32_t i = map_first(&h->map, key.lo, &at);
	while (i != MAP_END && !hash_equal(h->entries[i].key, key))
		i = map_next(&h->map, key.lo, &at);
	return i == MAP_END ? NULL : &h->entries[i];
}

static struct entry *find_or_add(struct external_host *h, struct hash key)
{
	struct entry *e = find(h, key);
	if (e)
		return e;
	map_add(&h->map, key.lo, (uint32_t)h->n);
	MEM_GROW(h->entries, h->n, h->cap);
	e = &h->entries[h->n++];
	*e = (struct entry){ .key = key };
	return e;
}

/* Forgets what was not used for longest, until half of the room is free. */
static void make_room(struct external_host *h)
{
	while (h->cached > CACHE_MAX / 2) {
		struct entry *oldest = NULL;
		for (size_t i = 0; i < h->n; i++)
			if (h->entries[i].result && (!oldest || h->entries[i].last < oldest->last))
				oldest = &h->entries[i];
		if (!oldest)
			return;
		h->cached -= weight(oldest->result);
		external_result_unref(oldest->result);
		oldest->result = NULL;
	}
}

static void remember(struct external_host *h, struct entry *e, struct external_result *r)
{
	e->result = external_result_ref(r);
	e->last = ++h->uses;
	h->cached += weight(r);
	if (h->cached > CACHE_MAX)
		make_room(h);
}

struct external_result *external_host_known(struct external_host *h, struct hash key, uint32_t size)
{
	struct entry *e = find(h, key);
	if (!e)
		return NULL;
	struct external_result *r = e->result ? external_result_ref(e->result) : NULL;
	e->last = ++h->uses;
	if (!r && e->filed && (r = external_file_get(&h->file, e->extent, size)))
		remember(h, e, r);
	h->stats.known += r != NULL;
	return r;
}

struct hash external_key(const struct external_host *h, struct external_request request,
                         const struct testcase *base)
{
	const struct external_pass *pass = &h->options.externals->passes[request.pass];
	struct hash program = h->options.externals->programs[pass->program].identity,
		    word = hash_bytes(pass->word, strlen(pass->word), 0);
	const uint64_t all[] = { base->hash.hi, base->hash.lo, program.hi,      program.lo,
		                 word.hi,       word.lo,       request.instance };
	return hash_words(all, 7, 0x65787465726e);
}

/* ---- running ---- */

/* A file in memory for an answer of at most SIZE bytes: writing beyond that fails. */
static int answer_file(size_t size, struct err *err)
{
	int fd = memfd_create("whittle-answer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0)
		return fd;
	err_errno(err, "cannot make room for the answer of an external pass");
	io_close(fd);
	return -1;
}

/* What was written, up to the offset of the file description that the program shares. The
 * program may have set the offset to anything; beyond the end of the file it counts as the end. */
static int read_answer(int fd, struct buf *out, bool *full)
{
	off_t len = lseek(fd, 0, SEEK_CUR), size = lseek(fd, 0, SEEK_END);
	if (len < 0 || size < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	*full = len >= size;
	len = len < size ? len : size;
	out->data = mem_alloc((size_t)len + 1);
	out->cap = (size_t)len + 1;
	ssize_t n = io_read_all(fd, out->data, (size_t)len);
	out->len = n < 0 ? 0 : (size_t)n;
	out->data[out->len] = '\0';
	return n < 0 ? -1 : 0;
}

/* The program's words with MORE behind them; the caller frees the array. */
static const char **all_words(const struct external_program *p, const char *const *more)
{
	const char **words = NULL;
	uint32_t n = 0, cap = 0;
	for (char **w = p->words; *w; w++)
		MEM_PUSH(words, n, cap, *w);
	do {
		MEM_PUSH(words, n, cap, *more);
	} while (*more++);
	return words;
}

/* The request to run WORDS on TC, which write into OUT. */
static struct oracle_request program_request(const char *const *words, const struct testcase *tc,
                                             const struct oracle_output *out, uint64_t limit_ns,
                                             uint64_t ticket)
{
	return (struct oracle_request){ .ticket = ticket,
		                        .tc = tc,
		                        .words = words,
		                        .limits = { .wall_ns = limit_ns, .memory = MEMORY_LIMIT },
		                        .output = out };
}

static int start_program(const struct external_program *p, const char *const *more, int out,
                         struct oracle *oracle, const struct testcase *tc, uint64_t ticket,
                         struct err *err)
{
	MEM_SCOPED const char **words = all_words(p, more);
	const struct oracle_output output = { .out = out, .err = -1 };
	struct oracle_request rq = program_request(words, tc, &output, p->limit_ns, ticket);
	return oracle_submit(oracle, &rq, err);
}

int external_host_start(struct external_host *h, struct oracle *oracle,
                        struct external_request request, struct testcase *base, uint64_t ticket,
                        struct err *err)
{
	const struct external_pass *pass = &h->options.externals->passes[request.pass];
	size_t room = request.instance ? 4 * (size_t)base->size + FILE_EXTRA : LIST_MAX;
	char number[16];
	snprintf(number, sizeof number, "%u", request.instance);
	const char *const list[] = { "list", pass->word, NULL }, *const apply[] = { "apply",
		                                                                    pass->word,
		                                                                    number, NULL };
	int out = answer_file(room, err);
	if (out < 0)
		return -1;
	if (start_program(&h->options.externals->programs[pass->program],
	                  request.instance ? apply : list, out, oracle, base, ticket, err) < 0) {
		close(out);
		return -1;
	}
	MEM_PUSH(h->running, h->n_running, h->cap_running,
	         (struct running){ ticket, request, testcase_ref(base),
	                           external_key(h, request, base), out });
	h->stats.runs++;
	return 0;
}

static bool take_running(struct external_host *h, uint64_t ticket, struct running *out)
{
	for (uint32_t i = 0; i < h->n_running; i++)
		if (h->running[i].ticket == ticket) {
			*out = h->running[i];
			h->running[i] = h->running[--h->n_running];
			return true;
		}
	return false;
}

void external_host_cancelled(struct external_host *h, uint64_t ticket)
{
	struct running run;
	if (!take_running(h, ticket, &run))
		return;
	close(run.out);
	testcase_unref(run.base);
}

/* Says once for each program what is wrong with it. */
static void complain(struct external_host *h, uint32_t pass, const char *what)
{
	const struct external_pass *p = &h->options.externals->passes[pass];
	if (h->told[p->program] || !h->options.notice)
		return;
	h->told[p->program] = true;
	MEM_SCOPED char *message = mem_printf(
		"external pass %s %s; such answers count as no candidate (reported once)", p->name,
		what);
	h->options.notice(h->options.arg, message);
}

static const char *what_went_wrong(const struct answer *a, bool full)
{
	if (a->verdict == VERDICT_TIMEOUT)
		return "did not end in time";
	if (full)
		return "wrote too much";
	if (WIFSIGNALED(a->status))
		return "was killed by a signal";
	return a->status ? "did not exit with 0" : NULL;
}

static struct external_result *parse(struct external_host *h, const struct running *run,
                                     const struct answer *a)
{
	BUF_SCOPED struct buf text = { 0 };
	bool full = false;
	const char *wrong = read_answer(run->out, &text, &full) < 0
	                            ? "left no answer that can be parsed"
	                            : what_went_wrong(a, full);
	struct external_result *r = NULL;
	if (!wrong && run->request.instance)
		r = external_parse_file(run->base, (const uint8_t *)text.data, (uint32_t)text.len);
	else if (!wrong && (r = external_parse_list(run->base, text.data, text.len))->failed)
		wrong = "gave an invalid answer to \"list\"; see whittle-passes(7)";
	if (wrong)
		complain(h, run->request.pass, wrong);
	h->stats.failed += wrong != NULL;
	return r ? r : external_result_new(true);
}

static void give_file_up(struct external_host *h, const char *why)
{
	MEM_SCOPED char *message =
		mem_printf("answers of external passes are no longer kept: %s", why);
	if (h->options.notice)
		h->options.notice(h->options.arg, message);
	external_file_close(&h->file);
	h->has_file = false;
}

static void file_answer(struct external_host *h, struct entry *e, const struct external_result *r)
{
	int rc = h->has_file && !e->filed ? external_file_add(&h->file, e->key, r, &e->extent) : 0;
	e->filed |= rc > 0;
	if (rc >= 0)
		return;
	struct err err;
	err_errno(&err, "cannot write %s", h->options.file);
	give_file_up(h, err.msg);
}

struct external_result *external_host_finish(struct external_host *h, const struct answer *answer)
{
	struct running run;
	if (!take_running(h, answer->ticket, &run))
		bug("an external program answered that was not asked");
	struct external_result *r = parse(h, &run, answer);
	struct entry *e = find_or_add(h, run.key);
	file_answer(h, e, r);
	if (!e->result)
		remember(h, e, r);
	close(run.out);
	testcase_unref(run.base);
	return r;
}

int external_run_once(const char *const *words, const struct testcase *tc, size_t room,
                      uint64_t limit_ns, const struct oracle_asker *asker, struct buf *out,
                      const char **wrong, struct err *err)
{
	struct answer a;
	bool full = false;
	int fd = answer_file(room, err);
	if (fd < 0)
		return -1;
	const struct oracle_output output = { .out = fd, .err = -1 };
	struct oracle_request rq = program_request(words, tc, &output, limit_ns, 1);
	int rc = oracle_ask(asker->oracle, &rq, asker->stop_fd, &a, err);
	if (rc > 0)
		rc = err_set(err, ERR_STOPPED, "stopped while %s ran", words[0]);
	if (rc == 0 && read_answer(fd, out, &full) < 0)
		rc = err_errno(err, "cannot read what %s wrote", words[0]);
	close(fd);
	*wrong = rc == 0 ? what_went_wrong(&a, full) : NULL;
	return rc;
}

int external_ask_once(const struct external_program *program, const char *word,
                      const struct testcase *tc, const struct oracle_asker *asker, struct buf *out,
                      struct err *err)
{
	const char *const more[] = { word, NULL }, *wrong;
	MEM_SCOPED const char **words = all_words(program, more);
	int rc = external_run_once(words, tc, LIST_MAX, program->limit_ns, asker, out, &wrong, err);
	if (rc == 0 && wrong)
		rc = err_set(err, ERR_USAGE, "external pass %s %s when asked to \"%s\"",
		             program->words[0], wrong, word);
	return rc;
}

/* ---- the host ---- */

static void note_record(void *arg, struct hash key, struct external_extent extent)
{
	struct entry *e = find_or_add(arg, key);
	e->filed = true;
	e->extent = extent;
}

/* Goes on without the file when it cannot be used: it only saves time. */
static void open_file(struct external_host *h)
{
	struct err err;
	h->has_file = true;
	if (external_file_open(&h->file, h->options.file, note_record, h, &err) < 0)
		give_file_up(h, err.msg);
}

struct external_host *external_host_new(const struct external_host_options *options)
{
	struct external_host *h = mem_zero(1, sizeof *h);
	h->options = *options;
	h->options.file = options->file ? mem_strdup(options->file) : NULL;
	h->file.fd = -1;
	h->told = mem_zero(options->externals->n_programs, sizeof *h->told);
	if (options->file)
		open_file(h);
	return h;
}

void external_host_free(struct external_host *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < h->n_running; i++) {
		close(h->running[i].out);
		testcase_unref(h->running[i].base);
	}
	for (size_t i = 0; i < h->n; i++)
		external_result_unref(h->entries[i].result);
	external_file_close(&h->file);
	map_release(&h->map);
	free(h->entries);
	free(h->running);
	free(h->told);
	free((char *)(uintptr_t)h->options.file);
	free(h);
}

struct external_stats external_host_stats(const struct external_host *h)
{
	return h->stats;
}
