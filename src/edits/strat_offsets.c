/* Binary formats are full of offsets and sizes, and nothing can be cut of a file while these say
 * where things were. Here a cut moves them: what points behind it, and the sizes of what it is cut
 * from. No format is known. What is: in the head of the file, or where a word in its head points,
 * stands a table of its parts, for each its offset and its size beside one another, and one part
 * begins where another ends. How words are written is seen from how much of the file such parts
 * make up. What is taken for an offset wrongly moves too, which the test judges. */

#include "base/mem.h"
#include "base/work.h"
#include "binary/repair.h"
#include "edits/strategies.h"
#include "text/testcase.h"

/* Numbers that say how many bytes there are behind them to the end of their file, or in all of it:
 * the size of what comes last, and of what that is in. One alone may be so by chance, a byte more
 * easily than a word; so it is for a test to judge what is cut with these. */

/* Words and bytes; then words with one of the bytes alone, where there are several of these. */
enum { TAILS_LEVELS = 4 };

enum {
	LEAST = 3,      /* bytes that are worth a question */
	TAIL_HEAD = 64, /* bytes; the size of all of a file stands in these */
	NONE = ~0u,     /* of the bytes, all */
};

/* How a number may be written; the widest first, since its last byte may be one, too. */
static const struct written {
	uint8_t code, width; /* of those whose width varies: the least */
} ways[] = {
	{ CODE_LITTLE, 8 }, { CODE_BIG, 8 },    { CODE_LITTLE, 4 }, { CODE_BIG, 4 },
	{ CODE_LITTLE, 2 }, { CODE_BIG, 2 },    { CODE_LEB, 2 },    { CODE_VLQ, 2 },
	{ CODE_DER, 2 },    { CODE_LITTLE, 1 },
};

/* What was found: numbers that have to follow what is cut. */
struct numbers {
	const struct testcase *tc;
	struct field *list; /* in order */
	uint32_t n, cap;
	uint32_t only;    /* this one of the bytes; NONE: all */
	uint32_t n_bytes; /* so far */
};

static void add_number(struct numbers *to, enum code code, uint32_t at, uint32_t width,
                       uint32_t from, uint32_t end)
{
	MEM_PUSH(to->list, to->n, to->cap, field_of(FIELD_LENGTH, code, at, width, from, end));
}

/* Is a number written so at AT that says what is behind it? *FROM: where that begins. */
static bool says_rest(const struct testcase *tc, const struct testcase_file *f, uint32_t at,
                      const struct written *way, uint32_t *width, uint32_t *from)
{
	uint64_t value;
	*width = way->width;
	if (*width > f->end - at ||
	    !code_read(way->code, tc->bytes + at, tc->bytes + f->end, width, &value) ||
	    *width < way->width || value < LEAST)
		return false;
	uint32_t behind = f->end - at - *width, all = f->end - f->begin;
	bool of_all = value == all && *width > 1 && at - f->begin < TAIL_HEAD,
	     with_own = value == behind + (uint64_t)*width && *width > 1;
	*from = of_all ? f->begin : with_own ? at : at + *width;
	return of_all || with_own || value == behind;
}

/* Looks for one at AT; returns where to look next. */
static uint32_t look_at(struct numbers *found, const struct testcase_file *f, uint32_t at)
{
	uint32_t width, from;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (!says_rest(found->tc, f, at, &ways[i], &width, &from))
			continue;
		bool byte = width == 1;
		if (!byte || found->only == NONE || found->only == found->n_bytes)
			add_number(found, ways[i].code, at, width, from, f->end);
		found->n_bytes += byte;
		return at + width;
	}
	return at + 1;
}

/* Those of LEVEL, unless they are as with all, or there is no such byte. */
static struct numbers tails_find(const struct testcase *tc, uint32_t level)
{
	struct numbers found = { .tc = tc, .only = level ? level - 1 : NONE };
	for (uint32_t i = 0; i < tc->n_files; i++)
		for (uint32_t at = tc->files[i].begin; at < tc->files[i].end;)
			at = look_at(&found, &tc->files[i], at);
	if (level && (found.n_bytes < 2 || level > found.n_bytes))
		found.n = 0;
	return found;
}

enum {
	HEAD = 512,     /* bytes; words in these need no company */
	REACH = 16384,  /* bytes; no table goes further from where it is pointed at */
	NEAR = 24,      /* pairs in the same table are no further apart, counted in pairs */
	PADDING = 16,   /* less than so many bytes are between one part and the next */
	FEW = 1 << 15,  /* so many words are never too many */
	TOO_MANY = 512, /* of a larger number, more than one for so many bytes are not offsets */
	MAX_ELEMENTS = STRATEGY_BYTES_MAX,
};

/* How words are written. */
struct layout {
	uint32_t width; /* bytes; words are aligned to it */
	bool big_endian;
	bool size_first; /* the size stands before its offset, not behind */
};

static const struct layout layouts[] = {
	{ 8, false, false }, { 8, true, false }, { 4, false, false }, { 4, true, false },
	{ 8, false, true },  { 8, true, true },  { 4, false, true },  { 4, true, true },
};

enum {
	N_LAYOUTS = sizeof layouts / sizeof *layouts,
	N_TAKEN = 2,                      /* layouts that are tried */
	N_PLAIN = 4,                      /* the first layouts, one for each way to write a word */
	N_LEVELS = 2 * N_TAKEN + N_PLAIN, /* and those of tails */
	TAIL_ELEMENTS = 8, /* at most, so that what is one by chance costs little; where some go,
	                      the next turn has smaller ones */
};

/* Two words beside one another that may be an offset and a size. */
struct pair {
	uint32_t at; /* of the first, in its file */
	uint32_t begin, end;
	uint32_t links; /* pairs near it whose parts begin where its part ends, or end where it
	                   begins */
};

struct pairs {
	uint32_t n, cap;
	struct pair *list;
};

static uint64_t read_word(const uint8_t *p, const struct layout *l)
{
	uint64_t value = 0;
	work_step(1);
	for (uint32_t i = 0; i < l->width; i++)
		value = value << 8 | p[l->big_endian ? i : l->width - 1 - i];
	return value;
}

static bool follows(const struct pair *a, const struct pair *b)
{
	return b->begin >= a->end && b->begin - a->end < PADDING;
}

/* Whether the pair behind A shares a word with it and is rather one in a table. */
static bool is_worse(const struct pair *a, const struct pair *behind, const struct layout *l)
{
	return behind->at - a->at == l->width && behind->links > a->links;
}

/* Where tables may begin: the beginning, and what the words of the head point at. Sorted; returns
 * how many. */
static uint32_t find_areas(const uint8_t *bytes, uint32_t size, const struct layout *l,
                           uint32_t areas[HEAD + 1])
{
	uint32_t n = 1;
	areas[0] = 0;
	for (uint32_t at = 0; at < HEAD && at + l->width <= size; at += l->width) {
		uint64_t value = read_word(bytes + at, l);
		if (value < size)
			areas[n++] = (uint32_t)value / l->width * l->width;
	}
	qsort(areas, n, sizeof *areas, mem_order_u32);
	return n;
}

static void add_pairs(struct pairs *pairs, const uint8_t *bytes, uint32_t size, uint32_t from,
                      uint32_t to, const struct layout *l)
{
	uint64_t last = 0;
	for (uint64_t at = from; at + l->width <= to && pairs->n < FEW; at += l->width) {
		uint64_t value = read_word(bytes + at, l);
		if (value && value <= size && last && last <= size && value + last <= size) {
			MEM_GROW(pairs->list, pairs->n, pairs->cap);
			uint64_t begin = l->size_first ? value : last;
			pairs->list[pairs->n++] = (struct pair){ .at = (uint32_t)at - l->width,
				                                 .begin = (uint32_t)begin,
				                                 .end = (uint32_t)(value + last) };
		}
		last = value;
	}
}

/* Pairs that are in tables, in order. */
static void find_pairs(struct pairs *pairs, const uint8_t *bytes, uint32_t size,
                       const struct layout *l)
{
	uint32_t areas[HEAD + 1], n_areas = find_areas(bytes, size, l, areas), done = 0, n = 0;
	pairs->n = 0;
	for (uint32_t i = 0; i < n_areas; i++) {
		uint32_t from = areas[i] > done ? areas[i] : done,
			 to = size - areas[i] < REACH ? size : areas[i] + REACH;
		if (from >= to)
			continue;
		add_pairs(pairs, bytes, size, from, to, l);
		done = to > l->width ? to - l->width
		                     : 0; /* its last word may be the first of a pair */
	}
	for (uint32_t i = 0; i < pairs->n; i++)
		for (uint32_t k = i + 1; k < pairs->n && k <= i + NEAR; k++) {
			struct pair *a = &pairs->list[i], *b = &pairs->list[k];
			bool apart = b->at - a->at > l->width; /* they share no word */
			if (apart && (follows(a, b) || follows(b, a)))
				a->links++, b->links++;
		}
	for (uint32_t i = 0; i < pairs->n; i++)
		if (pairs->list[i].links &&
		    !(i + 1 < pairs->n && is_worse(&pairs->list[i], &pairs->list[i + 1], l)) &&
		    !(n && pairs->list[n - 1].at + l->width == pairs->list[i].at))
			pairs->list[n++] = pairs->list[i];
	pairs->n = n;
}

/* Bytes that the parts in tables make up. */
static uint32_t covered(struct pairs *pairs)
{
	uint32_t sum = 0, done = 0;
	MEM_SORT_BY_TWO(pairs->list, pairs->n, begin, end);
	for (uint32_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->list[i];
		if (p->end <= done)
			continue;
		sum += p->end - (p->begin > done ? p->begin : done);
		done = p->end;
	}
	return sum;
}

/* The layouts whose tables cover most of all files, the best first; those without any are left out.
 */
static uint32_t best_layouts(const struct testcase *tc, const struct layout **best)
{
	uint32_t score[N_LAYOUTS] = { 0 }, n = 0;
	struct pairs pairs = { 0 };
	for (uint32_t i = 0; i < N_LAYOUTS; i++)
		for (uint32_t f = 0; f < tc->n_files; f++) {
			find_pairs(&pairs, tc->bytes + tc->files[f].begin,
			           testcase_file_size(&tc->files[f]), &layouts[i]);
			score[i] += covered(&pairs);
		}
	free(pairs.list);
	for (; n < N_TAKEN; n++) {
		uint32_t most = 0;
		for (uint32_t i = 1; i < N_LAYOUTS; i++)
			most = score[i] > score[most] ? i : most;
		if (!score[most])
			break;
		best[n] = &layouts[most];
		score[most] = 0;
	}
	return n;
}

/* Words of a file in LAYOUT: those of pairs in tables, those in the head and, when ALL, whatever
 * could be an offset. When there are more than MOST, they are not what they seem. */
static void find_words(struct numbers *w, const struct layout *l, const struct testcase_file *f,
                       bool all, uint32_t most)
{
	uint32_t size = testcase_file_size(f), k = 0;
	const uint8_t *bytes = w->tc->bytes + f->begin;
	struct pairs pairs = { 0 };
	find_pairs(&pairs, bytes, size, l);
	for (uint64_t place = 0; place + l->width <= size && w->n <= most; place += l->width) {
		uint32_t at = (uint32_t)place;
		while (k < pairs.n && pairs.list[k].at + l->width < at)
			k++;
		const struct pair *pair =
			k < pairs.n && pairs.list[k].at <= at ? &pairs.list[k] : NULL;
		uint64_t value = read_word(bytes + at, l);
		bool is_size = pair && (at == pair->at) == l->size_first;
		uint32_t from = f->begin + (is_size ? pair->begin : 0);
		if (pair || (value && value <= size && (all || at < HEAD)))
			add_number(w, l->big_endian ? CODE_BIG : CODE_LITTLE, f->begin + at,
			           l->width, from, from + (uint32_t)value);
	}
	free(pairs.list);
}

static const struct repair *of_records(const struct view *v)
{
	return v->records && v->records->proven ? v->records->repair : NULL;
}

static void add_elements(struct edit_sites *p, const struct testcase_file *f, uint32_t step)
{
	for (uint32_t at = f->begin, end; at < f->end; at = end) {
		end = f->end - at < 2 * step ? f->end : at + step;
		edit_sites_add(p, at, end, NULL, 0);
	}
}

/* LAYOUT, unless one of those tried writes words as it does. */
static const struct layout *untried(const struct layout *layout, const struct layout *const *tried,
                                    uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (tried[i]->width == layout->width && tried[i]->big_endian == layout->big_endian)
			return NULL;
	return layout;
}

/* Of the best layouts the words in tables and the head, then all that could be offsets; then these
 * of the other ways; then the sizes of what comes last. */
static uint32_t offsets_levels(const struct view *v)
{
	return testcase_is_binary(v->tc) ? N_LEVELS + TAILS_LEVELS : 0;
}

/* What is behind the first of FIELDS in its file, but for the others. */
static void add_tail(struct edit_sites *p, const struct testcase_file *f,
                     const struct field *fields, uint32_t n)
{
	uint32_t begin = fields->at + fields->width, step = 1 + (f->end - begin) / TAIL_ELEMENTS;
	for (uint32_t k = 1, at = begin; at < f->end;) {
		uint32_t end = f->end - at < step ? f->end : at + step;
		while (k < n && fields[k].at < at)
			k++;
		bool meets = k < n && fields[k].at < end;
		if (meets)
			end = fields[k].at;
		if (at < end)
			edit_sites_add(p, at, end, NULL, 0);
		at = meets ? end + fields[k].width : end;
	}
}

/* Leaves those of the N fields out that are lengths in records, too; returns how many stay. */
static uint32_t without_lengths(struct field *fields, uint32_t n, const struct repair *of)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool known = false;
		for (uint32_t k = 0; of && k < of->n && !known; k++)
			known = of->fields[k].kind == FIELD_LENGTH &&
			        of->fields[k].at == fields[i].at;
		if (!known)
			fields[left++] = fields[i];
	}
	return left;
}

static void tails_open(struct edit_sites *p, uint32_t level)
{
	const struct testcase *tc = p->view->tc;
	const struct repair *of = of_records(p->view);
	struct numbers found = tails_find(tc, level);
	uint32_t n = without_lengths(found.list, found.n, of), i = 0;
	for (uint32_t k = 0; k < tc->n_files; k++) {
		uint32_t first = i;
		while (i < n && found.list[i].at < tc->files[k].end)
			i++;
		if (i > first)
			add_tail(p, &tc->files[k], found.list + first, i - first);
	}
	struct repair *own = repair_new(found.list, n, NULL, 0, NULL, 0);
	if (n)
		edit_sites_repair(p, repair_join(own, of));
	repair_unref(own);
}

/* The layout of LEVEL; NULL: none. */
static const struct layout *layout_of(const struct testcase *tc, uint32_t level)
{
	const struct layout *best[N_TAKEN];
	uint32_t n = best_layouts(tc, best);
	if (level >= 2 * N_TAKEN)
		return untried(&layouts[level - 2 * N_TAKEN], best, n);
	return level / 2 < n ? best[level / 2] : NULL;
}

static void offsets_open(struct edit_sites *p)
{
	if (p->level >= N_LEVELS) {
		tails_open(p, p->level - N_LEVELS);
		return;
	}
	const struct testcase *tc = p->view->tc;
	const struct layout *layout = layout_of(tc, p->level);
	struct numbers found = { .tc = tc };
	if (!layout)
		return;
	bool all = p->level % 2 || p->level >= 2 * N_TAKEN;
	uint32_t step = layout->width * (1 + tc->size / layout->width / MAX_ELEMENTS);
	uint32_t most = tc->size / TOO_MANY > FEW ? tc->size / TOO_MANY : FEW;
	for (uint32_t i = 0; i < tc->n_files && found.n <= most; i++) {
		uint32_t before = found.n;
		find_words(&found, layout, &tc->files[i], all, most);
		if (found.n > before)
			add_elements(p, &tc->files[i], step);
	}
	if (found.n <= most)
		edit_sites_repair(p, repair_with(of_records(p->view), found.list, found.n));
	else {
		p->n = 0;
		free(found.list);
	}
}

const struct strategy strategy_offsets = {
	.shape = STRATEGY_LIST,
	.levels = offsets_levels,
	.open = offsets_open,
};
