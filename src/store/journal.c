#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/fault.h"

static const char magic[8] = { 'W', 'H', 'I', 'T', 'T', 'L', 'E', 'J' };
enum { VERSION = 1, MARK = 'V', HEADER_SUM = 32, RECORD_SUM = 28 };

static void put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get(const uint8_t *p, int bytes)
{
	uint64_t v = 0;
	for (int i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static uint64_t checksum(const uint8_t *p, size_t len, struct hash identity)
{
	return hash_bytes(p, len, identity.hi ^ identity.lo).lo;
}

static void encode_header(uint8_t out[JOURNAL_HEADER], struct hash identity)
{
	memcpy(out, magic, sizeof magic);
	put(out + 8, VERSION, 4);
	put(out + 12, JOURNAL_RECORD, 4);
	put(out + 16, identity.lo, 8);
	put(out + 24, identity.hi, 8);
	put(out + HEADER_SUM, checksum(out, HEADER_SUM, identity), 8);
}

static void encode_record(uint8_t out[JOURNAL_RECORD], const struct store_entry *v,
                          struct hash identity)
{
	out[0] = MARK;
	out[1] = v->verdict;
	out[2] = v->kind;
	out[3] = 0;
	put(out + 4, v->hash.lo, 8);
	put(out + 12, v->hash.hi, 8);
	put(out + 20, v->number, 8);
	put(out + RECORD_SUM, checksum(out, RECORD_SUM, identity), 8);
}

static bool decode_record(const uint8_t *p, struct hash identity, struct store_entry *v)
{
	if (p[0] != MARK || get(p + RECORD_SUM, 8) != checksum(p, RECORD_SUM, identity))
		return false;
	*v = (struct store_entry){ .hash = { .lo = get(p + 4, 8), .hi = get(p + 12, 8) },
		                   .number = get(p + 20, 8),
		                   .verdict = p[1],
		                   .kind = p[2] };
	return true;
}

enum header { HEADER_GOOD, HEADER_FOREIGN, HEADER_BAD };

static enum header judge_header(const uint8_t *p, size_t len, struct hash identity)
{
	if (len < JOURNAL_HEADER || memcmp(p, magic, sizeof magic))
		return HEADER_BAD;
	struct hash theirs = { .lo = get(p + 16, 8), .hi = get(p + 24, 8) };
	if (get(p + HEADER_SUM, 8) != checksum(p, HEADER_SUM, theirs))
		return HEADER_BAD;
	if (!hash_equal(theirs, identity) || get(p + 8, 4) != VERSION ||
	    get(p + 12, 4) != JOURNAL_RECORD)
		return HEADER_FOREIGN;
	return HEADER_GOOD;
}

static void note_damage(struct journal_report *report, size_t at, size_t bytes)
{
	if (!report->damaged)
		report->damaged_at = at;
	report->damaged += bytes;
}

/* Bytes [at, len) held no intact record. Fewer than one record of them, and looking like the start
 * of one, is what a kill in the middle of a write leaves; anything else is damage. */
static void judge_tail(struct journal_report *report, const uint8_t *p, size_t at, size_t len)
{
	if (at == len)
		return;
	if (len - at < JOURNAL_RECORD && p[at] == MARK)
		report->torn_at = at;
	else
		note_damage(report, at, len - at);
}

static void read_records(const uint8_t *p, size_t len, struct hash identity, store_entry_fn *fn,
                         void *ctx, struct journal_report *report)
{
	size_t at = JOURNAL_HEADER, good = at;
	while (at + JOURNAL_RECORD <= len) {
		struct store_entry v;
		if (!decode_record(p + at, identity, &v)) {
			at++;
			continue;
		}
		if (at > good)
			note_damage(report, good, at - good);
		report->records++;
		if (fn)
			fn(ctx, &v);
		at += JOURNAL_RECORD;
		good = at;
	}
	judge_tail(report, p, good, len);
}

/* Killed while it was made, when nothing was recorded yet; or no journal at all. */
static void judge_short(struct journal_report *report, const uint8_t *p, size_t len,
                        struct hash identity)
{
	uint8_t header[JOURNAL_HEADER];
	encode_header(header, identity);
	if (len && memcmp(p, header, len))
		note_damage(report, 0, len);
	else
		report->torn_at = len ? 1 : 0;
}

int journal_read(const char *path, struct hash identity, store_entry_fn *fn, void *ctx,
                 struct journal_report *report, struct err *err)
{
	/* As large as it is, but what has no end is none. */
	const struct io_bounds bounds = { .most = SIZE_MAX - 1, .regular = true };
	*report = (struct journal_report){ 0 };
	BUF_SCOPED struct buf text = { 0 };
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (io_read_bounded(path, bounds, &text, err) < 0)
		return -1;
	const uint8_t *p = (const uint8_t *)text.data;
	if (text.len < JOURNAL_HEADER) {
		judge_short(report, p, text.len, identity);
	} else {
		enum header header = judge_header(p, text.len, identity);
		if (header == HEADER_BAD)
			note_damage(report, 0, JOURNAL_HEADER);
		if (header == HEADER_FOREIGN)
			report->foreign = true;
		else
			read_records(p, text.len, identity, fn, ctx, report);
	}
	return 0;
}

/* Beyond the limit on the size of files is an error like others, also in a program that the library
 * is part of, which the signal SIGXFSZ would end. */
static int write_bytes(const struct journal *j, const void *bytes, size_t len)
{
	sigset_t excess, before, pending;
	int sig;
	sigemptyset(&excess);
	sigaddset(&excess, SIGXFSZ);
	sigpending(&pending);
	bool waits = sigismember(&pending, SIGXFSZ) == 1; /* from before, and not for us */
	pthread_sigmask(SIG_BLOCK, &excess, &before);
	int rc = io_write_faulty(j->faults, "journal-write", j->fd, bytes, len), saved = errno;
	sigpending(&pending);
	if (!waits && sigismember(&pending, SIGXFSZ) == 1)
		sigwait(&excess, &sig);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return rc;
}

/* An empty or headless file gets a header; a torn tail goes. */
static int references(struct journal *j, const struct journal_report *report, struct err *err)
{
	struct stat st;
	if (fstat(j->fd, &st) < 0)
		return err_errno(err, "cannot look at journal %s", j->path);
	uint64_t size = (uint64_t)st.st_size;
	if (size >= JOURNAL_HEADER) {
		j->end = report->torn_at ? report->torn_at : size;
		if (j->end < size && ftruncate(j->fd, (off_t)j->end) < 0)
			return err_errno(err, "cannot repair journal %s", j->path);
		return 0;
	}
	uint8_t header[JOURNAL_HEADER];
	encode_header(header, j->identity);
	if (ftruncate(j->fd, 0) < 0 || write_bytes(j, header, sizeof header) < 0)
		return err_errno(err, "cannot write journal %s", j->path);
	j->end = JOURNAL_HEADER;
	j->dirty = true;
	return 0;
}

int journal_open(struct journal *j, const char *path, struct hash identity,
                 const struct journal_report *report, struct faults *faults, struct err *err)
{
	*j = (struct journal){
		.fd = -1, .path = mem_strdup(path), .identity = identity, .faults = faults
	};
	if (fault_strikes(faults, "journal-open"))
		err_errno(err, "cannot open journal %s", path);
	else
		j->fd = io_open_regular(path, O_WRONLY | O_CREAT | O_APPEND, 0666, err);
	if (j->fd < 0 || references(j, report, err) < 0) {
		journal_close(j);
		return -1;
	}
	return 0;
}

int journal_append(struct journal *j, const struct store_entry *verdict, struct err *err)
{
	uint8_t rec[JOURNAL_RECORD];
	encode_record(rec, verdict, j->identity);
	if (write_bytes(j, rec, sizeof rec) < 0) {
		err_errno(err, "cannot write journal %s", j->path);
		/* Half a record in the way of the next one would be skipped by the reader; better
		 * that it goes. */
		(void)!ftruncate(j->fd, (off_t)j->end);
		return -1;
	}
	j->end += sizeof rec;
	j->dirty = true;
	return 0;
}

int journal_sync(struct journal *j, struct err *err)
{
	if (!j->dirty)
		return 0;
	if (fault_strikes(j->faults, "journal-fsync") || fdatasync(j->fd) < 0)
		return err_errno(err, "cannot write journal %s to the disk", j->path);
	j->dirty = false;
	return 0;
}

void journal_close(struct journal *j)
{
	io_close(j->fd);
	free(j->path);
	*j = (struct journal){ .fd = -1 };
}
