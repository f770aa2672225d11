#include "far/bases.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "text/code.h"
#include "text/diff.h"

enum {
	NEEDLE = 24,   /* bytes by which a place is known again */
	SEARCHES = 48, /* for them in one test case, each at most as long as it is */
};

/* The parts found so far, in an array that grows within the arena. */
struct parts {
	struct arena *arena;
	struct edit_part *list;
	uint32_t n, cap;
	unsigned searches;
};

static void add(struct parts *to, uint32_t begin, uint32_t end, const uint8_t *text, uint32_t len)
{
	struct edit_part *last = to->n ? &to->list[to->n - 1] : NULL;
	if (begin == end && !len)
		return;
	if (last && last->end == begin && !last->len && !len) {
		last->end = end;
		return;
	}
	if (to->n == to->cap) {
		uint32_t cap = to->cap ? 2 * to->cap : 4;
		struct edit_part *list = arena_alloc(to->arena, cap * sizeof *list);
		if (to->n)
			memcpy(list, to->list, to->n * sizeof *list);
		to->list = list;
		to->cap = cap;
	}
	to->list[to->n++] = (struct edit_part){ begin, end, len, len ? text : NULL };
}

/* What differs, between what is the same: [at, end) in each of the two. */
struct copied_range {
	const uint8_t *bytes;
	uint32_t at, end;
};

/* Finds where both go on alike: the next bytes of TO in FROM, or, when they are new, some behind
 * them. Writes the part between, and moves both there. False: nowhere. */
static bool find_next(struct parts *parts, uint32_t offset, struct copied_range *from,
                      struct copied_range *to)
{
	for (uint32_t skip = 0; to->end - to->at >= skip + NEEDLE; skip += NEEDLE) {
		if (!parts->searches)
			return false;
		parts->searches--;
		const uint8_t *found = memmem(from->bytes + from->at, from->end - from->at,
		                              to->bytes + to->at + skip, NEEDLE);
		if (!found)
			continue;
		uint32_t there = (uint32_t)(found - from->bytes);
		add(parts, offset + from->at, offset + there, to->bytes + to->at, skip);
		from->at = there;
		to->at += skip;
		return true;
	}
	return false;
}

/* The parts of one file, whose bytes begin at OFFSET. */
static void compare(struct parts *parts, uint32_t offset, struct copied_range from,
                    struct copied_range to)
{
	for (;;) {
		uint32_t n = from.end - from.at, m = to.end - to.at, least = n < m ? n : m;
		uint32_t same = diff_common(from.bytes + from.at, to.bytes + to.at, least);
		from.at += same;
		to.at += same;
		same = diff_common_end(from.bytes + from.end, to.bytes + to.end, least - same);
		from.end -= same;
		to.end -= same;
		if (from.end - from.at < NEEDLE || to.end - to.at < NEEDLE ||
		    !find_next(parts, offset, &from, &to))
			break;
	}
	add(parts, offset + from.at, offset + from.end, to.bytes + to.at, to.end - to.at);
}

static bool same_bytes(const struct testcase_file *a, const struct testcase_file *b)
{
	uint32_t size = testcase_file_size(a);
	return size == testcase_file_size(b) &&
	       (a->data == b->data || hash_equal(a->hash, b->hash));
}

/* A file of both trees. False: it has become what no edit makes of it. */
static bool compare_file(struct parts *parts, const struct testcase_file *a,
                         const struct testcase_file *b)
{
	static const uint8_t frame = TESTCASE_FRAME;
	bool significant = S_ISLNK(a->mode) || S_ISDIR(a->mode), same = same_bytes(a, b);
	if (a->fixed != b->fixed || (significant && (!same || a->mode != b->mode)) ||
	    (a->mode != b->mode && (a->mode & ~(mode_t)0111) != b->mode))
		return false;
	if (!same)
		compare(parts, a->begin, (struct copied_range){ a->data, 0, testcase_file_size(a) },
		        (struct copied_range){ b->data, 0, testcase_file_size(b) });
	if (a->mode != b->mode)
		add(parts, a->end, a->end + 1, &frame, 1);
	return true;
}

static bool compare_trees(struct parts *parts, const struct testcase *base,
                          const struct testcase *tc)
{
	uint32_t j = 0;
	for (uint32_t i = 0; i < base->n_files; i++) {
		const struct testcase_file *a = &base->files[i],
					   *b = j < tc->n_files ? &tc->files[j] : NULL;
		bool there = b && (a->path == b->path || !strcmp(a->path, b->path));
		if (there && !compare_file(parts, a, b))
			return false;
		if (!there && a->fixed)
			return false;
		if (!there)
			add(parts, a->begin, a->end + 1, NULL, 0);
		j += there;
	}
	return j == tc->n_files;
}

bool delta_edit(struct arena *arena, const struct testcase *base, const struct testcase *tc,
                struct edit *out)
{
	struct parts parts = { .arena = arena, .searches = SEARCHES };
	const struct testcase_file *a = base->files, *b = tc->files;
	if (base->is_tree != tc->is_tree)
		return false;
	if (tc->is_tree) {
		if (!compare_trees(&parts, base, tc))
			return false;
	} else {
		if (strcmp(a->path, b->path) || a->mode != b->mode)
			return false;
		compare(&parts, 0, (struct copied_range){ base->bytes, 0, base->size },
		        (struct copied_range){ tc->bytes, 0, tc->size });
	}
	*out = (struct edit){ parts.n, parts.list };
	return true;
}

enum {
	SHORT = 256,     /* an edit of so many bytes is not worth a look at other bases */
	NEWEST = 4,      /* so many of which are looked at */
	WAY = 8,         /* so many bases are given at once on the way to one */
	OLD = BASES / 2, /* a base of so many successes ago will soon be of no use to a worker */
};

static void drop_oldest(struct bases *b)
{
	struct base *base = &b->list[--b->n];
	b->size -= base->tc->size;
	testcase_unref(base->tc);
	edit_drop(base->made.edit);
}

struct origin bases_keep(const struct origin *made)
{
	if (!made || made->edit.n > BASES_PARTS)
		return (struct origin){ 0 };
	return (struct origin){ made->base, edit_keep(made->edit) };
}

void bases_add(struct bases *b, struct testcase *tc, const struct origin *made)
{
	if (b->n && hash_equal(b->list[0].tc->hash, tc->hash))
		return;
	while (b->n == BASES || (b->n >= BASES_SURE && b->size + tc->size > BASES_SIZE))
		drop_oldest(b);
	memmove(&b->list[1], &b->list[0], b->n++ * sizeof b->list[0]);
	b->list[0] = (struct base){ ++b->last_id, testcase_ref(tc), bases_keep(made) };
	b->size += tc->size;
}

void bases_release(struct bases *b)
{
	while (b->n)
		drop_oldest(b);
	for (uint32_t i = 0; i < BASES_ASKED; i++)
		edit_drop(b->asked[i].made.edit);
	*b = (struct bases){ 0 };
}

static bool is_known(struct hash hash)
{
	return hash.hi || hash.lo;
}

/* Are a test case MADE so (NULL: not known) and the base edits of the same, or the former one of
 * the latter? */
static bool is_related(const struct base *base, const struct origin *made)
{
	return !base->tc->is_tree && made && is_known(made->base) &&
	       (hash_equal(base->tc->hash, made->base) || hash_equal(base->made.base, made->base));
}

/* The newest base that a test case MADE so is related to; else ANY. */
static const struct base *find_related(const struct bases *b, const struct origin *made,
                                       const struct base *any)
{
	for (uint32_t i = 0; i < b->n && made; i++)
		if (is_related(&b->list[i], made))
			return &b->list[i];
	return any;
}

/* ---- what was asked ---- */

static void note_asked(struct bases *b, const struct bases_question *q)
{
	const struct origin *made = q->made;
	if (!made || !is_known(made->base) || made->edit.n > BASES_PARTS || q->tc->is_tree)
		return;
	struct bases_asked *to = &b->asked[b->n_asked++ % BASES_ASKED];
	struct edit_part *parts = mem_dup(made->edit.parts, made->edit.n * sizeof *parts);
	for (uint32_t i = 0; i < made->edit.n; i++)
		parts[i].text = NULL;
	edit_drop(to->made.edit);
	*to = (struct bases_asked){ q->tc->hash, { made->base, { made->edit.n, parts } } };
}

/* NULL: it was not, or too long ago. */
static const struct origin *how_asked(const struct bases *b, struct hash hash)
{
	for (uint32_t i = 0; i < BASES_ASKED; i++)
		if (hash_equal(b->asked[i].hash, hash))
			return &b->asked[i].made;
	return NULL;
}

/* How Q was made of one that a base is related to, by way of others that were asked about and are
 * no bases (yet); without such a way, how it was made. */
static struct origin settle_origin(const struct bases *b, struct arena *arena,
                                   const struct bases_question *q)
{
	struct origin made = q->made ? *q->made : (struct origin){ 0 };
	for (unsigned n = 0; is_known(made.base) && !q->tc->is_tree; n++) {
		if (find_related(b, &made, NULL))
			return made;
		const struct origin *before = n < WAY ? how_asked(b, made.base) : NULL;
		if (!before)
			break;
		made = (struct origin){ before->base,
			                edit_chain(arena, before->edit, made.edit, q->tc) };
	}
	return q->made ? *q->made : made;
}

/* ---- edits as sent ---- */

/* The edit that makes TC, itself MADE so, of FROM. False: none does. */
static bool edit_from(struct arena *arena, const struct base *from, const struct testcase *tc,
                      const struct origin *made, struct edit *out)
{
	if (!is_related(from, made))
		return delta_edit(arena, from->tc, tc, out);
	bool itself = hash_equal(from->tc->hash, made->base);
	*out = edit_between(arena, from->tc, itself ? EDIT_NONE : from->made.edit, tc, made->edit);
	return true;
}

/* TC, MADE so, as an edit of FROM, in place of what OUT holds. False: it is none, or no shorter
 * than MOST. */
static bool encode(const struct base *from, const struct testcase *tc, const struct origin *made,
                   size_t most, struct buf *out)
{
	struct arena arena = { 0 };
	struct edit edit;
	struct buf code = { 0 };
	bool is_edit = edit_from(&arena, from, tc, made, &edit);
	if (is_edit)
		code_add_edit(&code, edit);
	arena_release(&arena);
	bool shorter = is_edit && code.len < most;
	if (shorter) {
		buf_release(out);
		*out = code;
	} else
		buf_release(&code);
	return shorter;
}

static void add_body(struct buf *to, const struct testcase *tc, const struct buf *code)
{
	char hash[CODE_HASH_SIZE];
	code_hash(tc->hash, hash);
	buf_addch(to, ' ');
	buf_add(to, hash, sizeof hash - 1);
	buf_add(to, " :", 2);
	buf_add_number(to, code->len);
	buf_addch(to, '\n');
	buf_add(to, code->data, code->len);
	buf_addch(to, '\n');
}

/* NULL: it is none any more. */
static const struct base *by_id(const struct bases *b, uint32_t id)
{
	uint32_t age = b->last_id - id;
	return id && age < b->n ? &b->list[age] : NULL;
}

/* The newest that the worker has, or NULL. */
static const struct base *newest_there(const struct bases *b, const struct bases_there *there)
{
	return by_id(b, there->newest);
}

static bool has(const struct bases_there *there, uint32_t id)
{
	return there->ids[id % BASES] == id;
}

/* The worker has ID from now on; what is no base any more it can forget. */
static void note(const struct bases *b, struct bases_there *there, uint32_t id, struct buf *to)
{
	for (int i = 0; i < BASES; i++)
		if (there->ids[i] && !by_id(b, there->ids[i])) {
			buf_addf(to, "drop %u\n", there->ids[i]);
			there->ids[i] = 0;
		}
	there->ids[id % BASES] = id; /* ours are one apart, and no more than places */
	there->newest = id > there->newest ? id : there->newest;
}

/* The worker is given BASE, as an edit of FROM, which it has; NULL: it has none. */
static void give_one(const struct bases *b, struct bases_there *there, const struct base *base,
                     const struct base *from, struct buf *to)
{
	BUF_SCOPED struct buf code = { 0 };
	if (from && encode(from, base->tc, &base->made, base->tc->size, &code))
		buf_addf(to, "derive %u %u", base->id, from->id);
	else {
		code_add_testcase(&code, base->tc);
		buf_addf(to, "base %u", base->id);
	}
	add_body(to, base->tc, &code);
	note(b, there, base->id, to);
}

/* The base that BASE was made of; NULL: it is none, or none any more. */
static const struct base *made_of(const struct bases *b, const struct base *base)
{
	for (uint32_t i = 0; i < b->n && is_known(base->made.base); i++)
		if (hash_equal(b->list[i].tc->hash, base->made.base))
			return &b->list[i];
	return NULL;
}

/* Writes BASE, what it was made of, and so on, until one that the worker has, or that is related to
 * FROM, which it has. Their number: 1, if that is too far. */
static unsigned find_way(const struct bases *b, const struct bases_there *there,
                         const struct base **from, const struct base *way[WAY])
{
	for (unsigned n = 1;; n++) {
		if (is_related(*from, &way[n - 1]->made))
			return n;
		const struct base *next = made_of(b, way[n - 1]);
		if (next && has(there, next->id)) {
			*from = next;
			return n;
		}
		if (!next || n == WAY)
			return 1;
		way[n] = next;
	}
}

/* The worker is given BASE, as an edit of one that it has if it has one. What lies between the two
 * is given as well, rather than looked for in their bytes: how it was made is known, and it is of
 * use for other candidates. */
static void give(const struct bases *b, struct bases_there *there, const struct base *base,
                 bool whole, struct buf *to)
{
	const struct base *way[WAY] = { base }, *from = whole ? NULL : newest_there(b, there);
	if (has(there, base->id))
		return;
	for (unsigned n = from ? find_way(b, there, &from, way) : 1; n--; from = way[n])
		give_one(b, there, way[n], from, to);
}

/* The base that Q is the shortest edit of, which goes to CODE; NULL: of none it is worth it. One
 * that the worker has will do when the edit is short, and it has a newer one before that is too old
 * to derive others of it. Where it is known how Q was made, others are not searched for its bytes,
 * which costs more than what it saves. */
static const struct base *choose(const struct bases *b, const struct bases_there *there,
                                 const struct bases_question *q, struct buf *code)
{
	const struct base *best = newest_there(b, there);
	if (best && !is_related(best, q->made))
		best = find_related(b, q->made, best);
	bool made = is_known(q->made->base);
	size_t most = (size_t)q->tc->size / 2 + SHORT;
	if (best && (b->last_id - best->id >= OLD || !encode(best, q->tc, q->made, most, code)))
		best = NULL;
	for (uint32_t i = 0; i < b->n && i < NEWEST && (!best || code->len > SHORT); i++)
		if ((!best || !made || is_related(&b->list[i], q->made)) &&
		    encode(&b->list[i], q->tc, q->made, best ? code->len : most, code))
			best = &b->list[i];
	return best;
}

void bases_tell(struct bases *b, struct bases_there *there, const struct bases_question *q,
                struct buf *to)
{
	BUF_SCOPED struct buf code = { 0 };
	struct arena arena = { 0 };
	const struct origin made = settle_origin(b, &arena, q);
	const struct bases_question settled = { .tc = q->tc, .made = &made };
	const struct base *base = q->whole ? NULL : choose(b, there, &settled, &code);
	arena_release(&arena);
	note_asked(b, q);
	if (!base) {
		bases_add(b, q->tc, q->made);
		base = &b->list[0];
	}
	give(b, there, base, q->whole, to);
	buf_add(to, "ask ", 4);
	buf_add_number(to, q->number);
	buf_addch(to, ' ');
	buf_add_number(to, base->id);
	add_body(to, q->tc, &code);
}
