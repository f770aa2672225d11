#include "text/code.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"

enum { IS_TREE = 1, IS_FIXED = 1 };

enum { NUMBER_SIZE = 5 }; /* bytes at most */

/* Writes N; behind it. */
static char *put_number(char *to, uint32_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (char)(n | 0x80);
	*to++ = (char)n;
	return to;
}

static void add_number(struct buf *to, uint32_t n)
{
	char bytes[NUMBER_SIZE];
	buf_add(to, bytes, (size_t)(put_number(bytes, n) - bytes));
}

/* What is left to be read. */
struct input {
	const uint8_t *at;
	size_t left;
	bool bad;
};

static uint32_t read_number(struct input *in)
{
	uint64_t n = 0;
	for (unsigned shift = 0; in->left && shift < 35; shift += 7) {
		uint8_t byte = *in->at++;
		in->left--;
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80) && n <= UINT32_MAX)
			return (uint32_t)n;
	}
	in->bad = true;
	return 0;
}

/* LEN bytes; NULL when there are not so many. */
static const uint8_t *read_bytes(struct input *in, uint32_t len)
{
	const uint8_t *bytes = in->at;
	if (in->bad || in->left < len) {
		in->bad = true;
		return NULL;
	}
	in->at += len;
	in->left -= len;
	return bytes;
}

/* ---- edits ---- */

void code_add_edit(struct buf *to, struct edit edit)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		char numbers[3 * NUMBER_SIZE], *end = put_number(numbers, p->begin - at);
		end = put_number(put_number(end, p->end - p->begin), p->len);
		buf_add(to, numbers, (size_t)(end - numbers));
		if (p->len)
			buf_add(to, p->text, p->len);
		at = p->end;
	}
}

static bool read_part(struct input *in, uint32_t at, uint32_t size, struct edit_part *p)
{
	uint32_t gap = read_number(in), cut = read_number(in);
	p->len = read_number(in);
	p->text = read_bytes(in, p->len);
	if (in->bad || gap > size - at || cut > size - at - gap || (!cut && !p->len))
		return false;
	if (!p->len)
		p->text = NULL;
	p->begin = at + gap;
	p->end = p->begin + cut;
	return true;
}

bool code_read_edit(const uint8_t *bytes, size_t len, uint32_t size, struct arena *arena,
                    struct edit *out)
{
	enum { PART_LEAST = 3 };
	struct input in = { .at = bytes, .left = len };
	struct edit_part *parts = arena_alloc(arena, (len / PART_LEAST + 1) * sizeof *parts);
	uint64_t result = size;
	uint32_t n = 0, at = 0;
	while (in.left) {
		struct edit_part *p = &parts[n], *last = n ? p - 1 : NULL;
		if (!read_part(&in, at, size, p))
			return false;
		if (last && last->end == p->begin && (!last->len == !p->len || p->begin == p->end))
			return false; /* which would be one part */
		at = p->end;
		result += p->len;
		n++;
	}
	*out = (struct edit){ n, parts };
	return result <= TESTCASE_MAX_SIZE;
}

/* ---- test cases ---- */

void code_add_testcase(struct buf *to, const struct testcase *tc)
{
	add_number(to, tc->is_tree ? IS_TREE : 0);
	add_number(to, tc->n_files);
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		size_t len = strlen(f->path);
		add_number(to, (uint32_t)f->mode);
		add_number(to, f->fixed ? IS_FIXED : 0);
		add_number(to, (uint32_t)len);
		buf_add(to, f->path, len);
		add_number(to, testcase_file_size(f));
		buf_add(to, f->data, testcase_file_size(f));
	}
}

/* One entry, its path a string of the caller's. */
static bool read_entry(struct input *in, struct testcase_file *f)
{
	f->mode = (mode_t)read_number(in);
	f->fixed = read_number(in) & IS_FIXED;
	uint32_t len = read_number(in);
	const uint8_t *path = read_bytes(in, len);
	uint32_t size = read_number(in);
	f->data = read_bytes(in, size);
	f->end = f->begin + size;
	if (in->bad || !len || memchr(path, '\0', len) ||
	    (uint64_t)f->begin + size > TESTCASE_MAX_SIZE - 2 ||
	    (f->mode & ~(mode_t)(S_IFMT | 07777)))
		return false;
	char *copy = mem_alloc(len + (size_t)1);
	memcpy(copy, path, len);
	copy[len] = '\0';
	f->path = copy;
	mode_t kind = f->mode & S_IFMT;
	bool known = !kind || kind == S_IFREG || kind == S_IFLNK || (kind == S_IFDIR && !size);
	return known && !path_trouble(copy, kind ? f->mode : f->mode | S_IFREG);
}

static struct testcase *make(const struct testcase_file *files, uint32_t n, bool is_tree)
{
	size_t size = n ? files[n - 1].end : 0;
	uint8_t *bytes = mem_alloc(size + 2);
	for (uint32_t i = 0; i < n; i++)
		if (files[i].end > files[i].begin)
			memcpy(bytes + files[i].begin, files[i].data,
			       testcase_file_size(&files[i]));
	if (is_tree)
		return testcase_tree(files, n, bytes);
	return testcase_new(files[0].path, files[0].mode, bytes, (uint32_t)size);
}

struct testcase *code_read_testcase(const uint8_t *bytes, size_t len)
{
	enum { ENTRY_LEAST = 5 };
	struct input in = { .at = bytes, .left = len };
	bool is_tree = read_number(&in) == IS_TREE;
	uint32_t n = read_number(&in), read = 0, at = 0;
	struct testcase *tc = NULL;
	if (in.bad || n > len / ENTRY_LEAST || (!is_tree && n != 1))
		return NULL;
	MEM_SCOPED struct testcase_file *files = mem_zero(n + (size_t)1, sizeof *files);
	bool good = true;
	for (; good && read < n; read++) {
		files[read].begin = at;
		good = read_entry(&in, &files[read]);
		at = files[read].end + 1;
	}
	if (good && !in.left)
		tc = make(files, n, is_tree);
	while (read)
		free((char *)(uintptr_t)files[--read].path);
	return tc;
}

/* ---- hashes ---- */

void code_hash(struct hash hash, char text[CODE_HASH_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	for (int i = 0; i < 16; i++) {
		text[i] = digits[hash.hi >> (60 - 4 * i) & 15];
		text[16 + i] = digits[hash.lo >> (60 - 4 * i) & 15];
	}
	text[CODE_HASH_SIZE - 1] = '\0';
}

bool code_read_hash(const char *text, struct hash *hash)
{
	if (strspn(text, "0123456789abcdef") != CODE_HASH_SIZE - 1 || text[CODE_HASH_SIZE - 1])
		return false;
	char half[17];
	memcpy(half, text, 16);
	half[16] = '\0';
	hash->hi = strtoull(half, NULL, 16);
	hash->lo = strtoull(text + 16, NULL, 16);
	return true;
}
