#include "text/testcase.h"

#include <endian.h>
#include <sys/stat.h>

#include "base/work.h"

struct testcase_names {
	unsigned refs;
	struct arena arena;
};

static struct testcase_names *names_new(void)
{
	struct testcase_names *names = mem_alloc(sizeof *names);
	*names = (struct testcase_names){ .refs = 1 };
	return names;
}

static const char *names_add(struct testcase_names *names, const char *path)
{
	size_t n = strlen(path) + 1;
	return memcpy(arena_alloc(&names->arena, n), path, n);
}

struct testcase_names *testcase_names_ref(struct testcase_names *names)
{
	names->refs++;
	return names;
}

void testcase_names_unref(struct testcase_names *names)
{
	if (!names || --names->refs)
		return;
	arena_release(&names->arena);
	free(names);
}

/* Of a single file: offsets and name enter the hash through a running seed, the bytes in one go. */
static struct hash hash_of_file(const struct testcase *tc)
{
	const struct testcase_file *f = &tc->files[0];
	uint64_t seed = hash_bytes(f->path, strlen(f->path), 1).lo;
	uint64_t shape[] = { f->mode, f->begin, f->end };
	seed = hash_words(shape, 3, seed).lo;
	return f->pieces ? hash_pieces(f->pieces, seed) : hash_bytes(tc->bytes, tc->size, seed);
}

/* Of a tree: of the hashes of its entries, so that those that did not change need not be read. */
static struct hash hash_of_tree(const struct testcase *tc)
{
	struct hash h = { .lo = tc->n_files };
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		uint64_t words[] = { h.hi,
			             h.lo,
			             hash_bytes(f->path, strlen(f->path), 0).lo,
			             f->mode,
			             testcase_file_size(f),
			             f->hash.hi,
			             f->hash.lo };
		h = hash_words(words, 7, 1);
	}
	return h;
}

uint8_t testcase_frame(mode_t mode)
{
	return S_ISDIR(mode) || S_ISLNK(mode) || !(mode & 0111) ? TESTCASE_FRAME
	                                                        : TESTCASE_FRAME_EXECUTABLE;
}

struct testcase *testcase_new(const char *path, mode_t mode, uint8_t *bytes, uint32_t size)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){
		.refs = 1, .size = size, .n_files = 1, .bytes = bytes, .names = names_new()
	};
	tc->files = mem_zero(1, sizeof *tc->files);
	tc->files[0] = (struct testcase_file){
		.path = names_add(tc->names, path), .data = bytes, .mode = mode, .end = size
	};
	tc->bytes[size] = 0;
	tc->hash = hash_of_file(tc);
	return tc;
}

struct testcase *testcase_tree(const struct testcase_file *files, uint32_t n, uint8_t *bytes)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1,
		                 .is_tree = true,
		                 .n_files = n,
		                 .n_frames = n,
		                 .bytes = bytes,
		                 .names = names_new() };
	tc->files = mem_dup(files, n * sizeof *files);
	for (uint32_t i = 0; i < n; i++) {
		struct testcase_file *f = &tc->files[i];
		f->path = names_add(tc->names, f->path);
		f->data = bytes + f->begin;
		f->hash = hash_bytes(f->data, testcase_file_size(f), 0);
		bytes[f->end] = testcase_frame(f->mode);
		tc->size = f->end + 1;
	}
	bytes[tc->size] = 0;
	tc->hash = hash_of_tree(tc);
	return tc;
}

struct testcase *testcase_like(const struct testcase *model, uint8_t *bytes, uint32_t size)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1,
		                 .size = size,
		                 .n_files = 1,
		                 .bytes = bytes,
		                 .names = testcase_names_ref(model->names) };
	tc->files = mem_dup(model->files, sizeof *tc->files);
	tc->files[0].data = bytes;
	tc->files[0].end = size;
	tc->bytes[size] = 0;
	tc->hash = hash_of_file(tc);
	return tc;
}

struct testcase *testcase_share(struct testcase *base, const struct mem_piece *pieces,
                                uint32_t size, void *own)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1,
		                 .size = size,
		                 .n_files = 1,
		                 .names = testcase_names_ref(base->names),
		                 .base = testcase_ref(base),
		                 .own = own };
	tc->files = mem_dup(base->files, sizeof *tc->files);
	tc->files[0].data = NULL;
	tc->files[0].pieces = pieces;
	tc->files[0].end = size;
	tc->hash = hash_of_file(tc);
	return tc;
}

struct testcase *testcase_derive(struct testcase *base, struct testcase_file *files, uint32_t n,
                                 uint8_t *own)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1,
		                 .is_tree = true,
		                 .n_files = n,
		                 .n_frames = n,
		                 .files = files,
		                 .names = testcase_names_ref(base->names),
		                 .base = testcase_ref(base),
		                 .own = own };
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = testcase_file_size(&files[i]);
		files[i].begin = tc->size;
		files[i].end = tc->size + size;
		tc->size += size + 1;
	}
	tc->hash = hash_of_tree(tc);
	return tc;
}

struct testcase *testcase_summary(const struct testcase *tc)
{
	struct testcase *out = mem_alloc(sizeof *out);
	*out = (struct testcase){ .refs = 1,
		                  .is_tree = tc->is_tree,
		                  .size = tc->size,
		                  .n_frames = tc->n_frames,
		                  .hash = tc->hash,
		                  .names = testcase_names_ref(tc->names) };
	return out;
}

const struct mem_piece *testcase_pieces(const struct testcase_file *f, struct mem_piece one[2])
{
	one[0] = (struct mem_piece){ f->data, testcase_file_size(f) };
	one[1] = (struct mem_piece){ 0 };
	return f->pieces ? f->pieces : one;
}

/* Can the bytes be moved together within the base's memory, from the first to the last? Each piece
 * that lies there must not be overwritten before its turn: it moves down, or stays. */
static bool fits_in_place(const struct testcase *tc)
{
	const struct testcase *base = tc->base;
	bool fits = base->refs == 1 && base->bytes && tc->size <= base->size;
	for (uint32_t i = 0; i < tc->n_files && fits; i++) {
		const uint8_t *to = base->bytes + tc->files[i].begin;
		struct mem_piece one[2];
		const struct mem_piece *p = testcase_pieces(&tc->files[i], one);
		for (; p->len && fits; to += p++->len) {
			bool shared =
				p->bytes >= base->bytes && p->bytes <= base->bytes + base->size;
			fits = !shared || to <= p->bytes;
		}
	}
	return fits;
}

static void gather(struct testcase *tc, uint8_t *bytes)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		struct testcase_file *f = &tc->files[i];
		uint8_t *to = bytes + f->begin;
		struct mem_piece one[2];
		for (const struct mem_piece *p = testcase_pieces(f, one); p->len; to += p++->len)
			memmove(to, p->bytes, p->len);
		if (tc->is_tree)
			bytes[f->end] = testcase_frame(f->mode);
		f->data = bytes + f->begin;
		f->pieces = NULL;
	}
	bytes[tc->size] = 0;
}

void testcase_flat(struct testcase *tc)
{
	if (tc->bytes)
		return;
	bool in_place = fits_in_place(tc);
	uint8_t *bytes = in_place ? tc->base->bytes : mem_alloc(tc->size + (size_t)1);
	gather(tc, bytes);
	if (in_place) {
		tc->base->bytes = NULL;
		bytes = mem_resize(bytes, tc->size + (size_t)1, 1);
		for (uint32_t i = 0; i < tc->n_files; i++)
			tc->files[i].data = bytes + tc->files[i].begin;
	}
	tc->bytes = bytes;
	testcase_unref(tc->base);
	tc->base = NULL;
	free(tc->own);
	tc->own = NULL;
}

struct testcase *testcase_ref(struct testcase *tc)
{
	tc->refs++;
	return tc;
}

void testcase_unref(struct testcase *tc)
{
	while (tc && !--tc->refs) {
		struct testcase *base = tc->base;
		testcase_names_unref(tc->names);
		free(tc->files);
		free(tc->bytes);
		free(tc->own);
		free(tc);
		tc = base;
	}
}

void testcase_unref_scoped(struct testcase **tc)
{
	testcase_unref(*tc);
}

uint32_t testcase_file_at(const struct testcase *tc, uint32_t at)
{
	uint32_t n = MEM_FIRST(tc->files, tc->n_files, begin, (uint64_t)at + 1);
	return n ? n - 1 : 0;
}

static int natural_class(uint8_t c)
{
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 0;
	if (c >= '0' && c <= '9')
		return 1;
	if (c >= 'a' && c <= 'z')
		return 2;
	if (c >= 'A' && c <= 'Z')
		return 3;
	return 4;
}

uint8_t testcase_natural_rank(uint8_t byte)
{
	static const uint8_t first[5] = { 0, 6, 16, 42, 68 };
	int class = natural_class(byte);
	switch (class) {
	case 0:
		return byte == ' '    ? 0
		       : byte == '\n' ? 1
		                      : (uint8_t)(byte == '\t' ? 2 : byte - '\v' + 3);
	case 1:
		return (uint8_t)(first[1] + byte - '0');
	case 2:
		return (uint8_t)(first[2] + byte - 'a');
	case 3:
		return (uint8_t)(first[3] + byte - 'A');
	default: {
		/* Characters of no class keep their order behind those of a class. */
		int below = 0;
		for (int c = 0; c < byte; c++)
			below += natural_class((uint8_t)c) == 4;
		return (uint8_t)(first[4] + below);
	}
	}
}

/* Length of the valid UTF-8 sequence at P (at most LEFT bytes), 0 when invalid or NUL. */
static uint32_t utf8_length(const uint8_t *p, uint32_t left)
{
	if (p[0] < 0x80)
		return p[0] != 0;
	uint32_t n = p[0] >= 0xf0 && p[0] < 0xf5   ? 4
	             : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
	             : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
	                                           : 0;
	if (!n || n > left)
		return 0;
	for (uint32_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

enum { WORD = 8, BLOCK = 64 }; /* bytes looked at together */

/* The lowest bit tells which of the eight bytes at P is the first that is NUL or not ASCII; 0: none
 * is. */
static uint64_t odd_bytes(const uint8_t p[WORD])
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	word = le64toh(word);
	return ((word - 0x0101010101010101u) | word) & 0x8080808080808080u;
}

/* How many bytes at P, of LEFT, are looked at together and valid; 0: none. Most are ASCII. */
static uint32_t utf8_piece(const uint8_t *p, uint32_t left)
{
	uint64_t odd = left < WORD ? 0x80 : odd_bytes(p), more = 0;
	if (odd & 0x80)
		return utf8_length(p, left);
	if (odd)
		return (uint32_t)__builtin_ctzll(odd) / 8;
	if (left < BLOCK)
		return WORD;
	for (uint32_t i = WORD; i < BLOCK; i += WORD)
		more |= odd_bytes(p + i);
	return more ? WORD : BLOCK;
}

bool testcase_utf8(const uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0, n; i < size; i += n) {
		n = utf8_piece(bytes + i, size - i);
		if (!n)
			return false;
	}
	return true;
}

static bool is_text(struct testcase *tc)
{
	if (!tc->is_tree)
		testcase_flat(tc); /* a character may lie in two pieces */
	for (uint32_t f = 0; f < tc->n_files; f++)
		if (!testcase_utf8(tc->files[f].data, testcase_file_size(&tc->files[f])))
			return false;
	return true;
}

/* Goes over the bytes of a test case, frames included, in pieces. */
struct walk {
	const struct testcase *tc;
	uint32_t file, at;      /* in the file; its size: at the frame */
	uint32_t piece, before; /* of a file in pieces, and what of the file is before it */
	uint8_t frame;
};

/* The bytes at the walk's position, up to the end of the file, or the frame; 0 at the end of all.
 */
static uint32_t walk_piece(struct walk *w, const uint8_t **piece)
{
	while (w->file < w->tc->n_files) {
		const struct testcase_file *f = &w->tc->files[w->file];
		uint32_t size = testcase_file_size(f);
		if (w->at < size && !f->pieces) {
			*piece = f->data + w->at;
			return size - w->at;
		}
		if (w->at < size) {
			const struct mem_piece *p = &f->pieces[w->piece];
			while (w->at - w->before == p->len) {
				w->before += (uint32_t)p++->len;
				w->piece++;
			}
			*piece = p->bytes + (w->at - w->before);
			return w->before + (uint32_t)p->len - w->at;
		}
		if (w->tc->is_tree && w->at == size) {
			w->frame = testcase_frame(f->mode);
			*piece = &w->frame;
			return 1;
		}
		w->file++;
		w->at = 0;
	}
	return 0;
}

/* The first bytes in which A and B of equal size differ; false when there are none. */
static bool first_difference(const struct testcase *a, const struct testcase *b, uint8_t *x,
                             uint8_t *y)
{
	struct walk v = { .tc = a }, w = { .tc = b };
	for (;;) {
		const uint8_t *p, *q;
		uint32_t n = walk_piece(&v, &p), m = walk_piece(&w, &q), i = 0;
		n = n < m ? n : m;
		if (!n)
			return false;
		if (p != q) {
			while (n - i >= BLOCK && !memcmp(p + i, q + i, BLOCK))
				i += BLOCK;
			while (i < n && p[i] == q[i])
				i++;
		}
		if (p != q && i < n) {
			*x = p[i];
			*y = q[i];
			return true;
		}
		v.at += n;
		w.at += n;
	}
}

int testcase_compare(const struct testcase *a, const struct testcase *b)
{
	uint8_t x, y;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (!first_difference(a, b, &x, &y))
		return 0;
	/* where bytes lie is nothing that a reader sees */
	bool text = is_text((struct testcase *)(uintptr_t)a);
	if (text != is_text((struct testcase *)(uintptr_t)b))
		return text ? -1 : 1; /* kept apart: the two orders together have cycles */
	if (text) {
		x = testcase_natural_rank(x);
		y = testcase_natural_rank(y);
	}
	return x < y ? -1 : 1;
}

bool testcase_is_binary(const struct testcase *tc)
{
	uint32_t nuls = 0, most = tc->size / 256 ? tc->size / 256 : 1;
	for (uint32_t f = 0; f < tc->n_files; f++) {
		const uint8_t *at = tc->files[f].data,
			      *end = at + testcase_file_size(&tc->files[f]);
		work_step((size_t)(end - at));
		while (nuls < most && (at = memchr(at, 0, (size_t)(end - at)))) {
			nuls++;
			at++;
		}
	}
	return nuls >= most;
}
