#include "external/external_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

enum { MARK = 0x31525857, PART_MIN = 12 /* bytes of a part without text */ };

struct header {
	uint32_t mark, len;
	struct hash key;
};

static void put(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof v);
}

static void encode(struct buf *b, const struct external_result *r)
{
	put(b, r->failed);
	put(b, r->instances);
	put(b, r->n);
	for (uint32_t i = 0; i < r->n; i++) {
		put(b, r->edits[i].n);
		for (uint32_t k = 0; k < r->edits[i].n; k++) {
			const struct edit_part *p = &r->edits[i].parts[k];
			put(b, p->begin);
			put(b, p->end);
			put(b, p->len);
			buf_add(b, p->len ? p->text : (const uint8_t *)"", p->len);
		}
	}
}

/* The numbers and bytes of a record. The checksum proves nothing: whoever wrote the file
 * computed it, too. */
struct reader {
	const uint8_t *at, *end;
	bool short_of; /* more was asked for than there is */
};

static const uint8_t *get_bytes(struct reader *rd, size_t len)
{
	const uint8_t *bytes = rd->at;
	if ((size_t)(rd->end - rd->at) < len) {
		rd->short_of = true;
		return NULL;
	}
	rd->at += len;
	return bytes;
}

static uint32_t get(struct reader *rd)
{
	uint32_t v = 0;
	const uint8_t *bytes = get_bytes(rd, sizeof v);
	if (bytes)
		memcpy(&v, bytes, sizeof v);
	return v;
}

/* One part, behind FLOOR and within SIZE bytes. */
static bool get_part(struct reader *rd, struct external_result *r, uint32_t floor, uint32_t size,
                     struct edit_part *p)
{
	*p = (struct edit_part){ .begin = get(rd), .end = get(rd), .len = get(rd) };
	const uint8_t *text = get_bytes(rd, p->len);
	if (rd->short_of || p->begin < floor || p->begin > p->end || p->end > size ||
	    (p->begin == p->end && !p->len))
		return false;
	if (p->len)
		p->text = memcpy(arena_alloc(&r->arena, p->len), text, p->len);
	return true;
}

static bool get_edit(struct reader *rd, struct external_result *r, uint32_t size, struct edit *edit)
{
	uint32_t n = get(rd), floor = 0;
	if (n > (size_t)(rd->end - rd->at) / PART_MIN)
		return false;
	struct edit_part *parts = arena_alloc(&r->arena, (n + (size_t)1) * sizeof *parts);
	for (uint32_t k = 0; k < n; k++) {
		if (!get_part(rd, r, floor, size, &parts[k]))
			return false;
		floor = parts[k].end;
	}
	*edit = (struct edit){ n, parts };
	return true;
}

/* NULL when it is not an answer about a test case of SIZE bytes. */
static struct external_result *decode(const uint8_t *bytes, size_t len, uint32_t size)
{
	struct reader rd = { bytes, bytes + len, false };
	struct external_result *r = external_result_new(get(&rd) != 0);
	uint32_t instances = get(&rd), n = get(&rd);
	bool good = !rd.short_of && instances <= EXTERNAL_MAX_EDITS && n <= EXTERNAL_MAX_EDITS &&
	            !(r->failed && n);
	r->edits = arena_alloc(&r->arena, (good ? n + (size_t)1 : 1) * sizeof *r->edits);
	for (; good && r->n < n; r->n += good)
		good = get_edit(&rd, r, size, &r->edits[r->n]);
	r->instances = instances;
	if (good && rd.at == rd.end)
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
