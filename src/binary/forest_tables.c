/* Tables: N rows of a few parts each, of which some say how long they are, row by row or column by
 * column, from behind what says N on, or from a place that is said; the parts may say where else a
 * member is, and how long.
 *
 * What speaks for a description of rows is measured in bits, as for chains. */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest_tables_def.h"

enum {
	FEW = 6,      /* so few rows are counted right by chance */
	TITLE = 256,  /* bytes in which a count of four bytes is looked for that is aligned, where
	                 rows are members and have no lengths */
	PLACES = 24,  /* said ones that a table may begin at */
	COLUMNS = 4,  /* of a table that is written column by column */
	BETWEEN = 9,  /* bytes, fewer, between two parts that vary */
	GAP = 17,     /* likewise from the last of them to the first of the next row, where there */
	GAP_ONE = 65, /* are two of them, or one */
	TEXT = 32,    /* bytes of a body that are looked at */
	ALIKE = 4,    /* the first of them before all others */
	STEPS = 1 << 22,    /* of a search at one place: bytes of the rows of some thousand ways */
	IN_ALL = 4 * STEPS, /* wherever one is said to begin */
	OF_COUNT = 16,      /* a part of STEPS for columns of each count */
	SURE = 16 * CHAIN_BIT,   /* a choice among as many ways as are looked at to the end */
	ENOUGH = 64 * CHAIN_BIT, /* nothing less simple is looked for */
	CHOICE = 3 * CHAIN_BIT,  /* what a part costs: one of eight kinds */
	SUMMED = 24 * CHAIN_BIT, /* what a checksum of four bytes says, less the places of one */
	TAIL = 2 * CHAIN_BIT,    /* what a checksum costs, */
	LOOSE = 6 * CHAIN_BIT,   /* and other bytes that are left over */
};

/* ---- parts ---- */

static bool read_cell(const struct tables *s, const struct part *p, uint32_t at, struct cell *c)
{
	return part_read(p, s->f->bytes, at, s->f->size, c);
}

bool tables_lay_out(struct tables *s, struct table *t)
{
	uint32_t at = t->begin, n = t->n * t->n_parts, i = 0;
	for (; i < n; i++, at = t->end) {
		uint32_t part = t->columns ? i / t->n : i % t->n_parts;
		struct cell *c = cell(s, t, part, t->columns ? i % t->n : i / t->n_parts);
		if (!read_cell(s, &t->parts[part], at, c))
			break;
		t->end = c->end;
	}
	tables_spend(s, i + 1);
	return i == n;
}

/* ---- evidence ---- */

/* What bytes of one place of all rows say of T: those of PART from OFFSET on, of its body or not.
 */
static int32_t place_bits(const struct tables *s, const struct table *t, uint32_t part,
                          uint32_t offset)
{
	uint16_t count[256] = { 0 };
	uint32_t n = t->n < LOOKED ? t->n : LOOKED;
	for (uint32_t i = 0; i < n; i++)
		count[s->f->bytes[cell(s, t, part, i)->begin + offset]]++;
	return (int32_t)((int64_t)chain_column(count, n, &s->f->background, CHAIN_CLEARLY) * t->n /
	                 n);
}

/* Are the bodies of PART text in the first ROWS of T? COUNT: of each byte in their first bytes. */
static uint32_t text_of(const struct tables *s, const struct table *t, uint32_t part, uint32_t rows,
                        uint16_t count[256])
{
	bool string = t->parts[part].kind >= PART_STRING;
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n && i < rows; i++) {
		const struct cell *c = cell(s, t, part, i);
		uint32_t end = c->end - string, most = c->body + TEXT;
		for (uint32_t at = c->body; at < end && at < most; at++, n++) {
			uint8_t byte = s->f->bytes[at];
			if (!isprint(byte) && byte < 0x80)
				return 0;
			count[byte]++;
		}
	}
	return n;
}

static int32_t evidence(struct tables *s, const struct table *t)
{
	int64_t bits = 0;
	tables_spend(s, t->n);
	for (uint32_t k = 0; k < t->n_parts; k++) {
		const struct part *p = &t->parts[k];
		uint32_t from = p->kind == PART_SIZED && p->code == CODE_LITTLE;
		uint32_t to = p->width - (p->kind == PART_SIZED && p->code == CODE_BIG);
		for (uint32_t i = from; i < to; i++)
			bits += place_bits(s, t, k, i) / 2; /* those side by side are alike */
		uint16_t count[256] = { 0 };
		uint32_t n = p->kind >= PART_SIZED ? text_of(s, t, k, LOOKED, count) : 0;
		bits += (int64_t)chain_column(count, n, &s->f->background, 0) * t->n /
		        (t->n < LOOKED ? t->n : LOOKED);
	}
	return bits > INT32_MAX / 8 ? INT32_MAX / 8 : (int32_t)bits;
}

/* ---- search ---- */

/* Is there a checksum of T in front of it, or around its count; or of it or all behind what ends at
 * END, where the file does? */
static bool is_summed(struct tables *s, const struct table *t, uint32_t end)
{
	const struct count *c = t->count;
	const uint32_t places[] = {
		end, end, end, t->begin - WORD, c->at + c->width, c->at - WORD
	};
	const struct element of[] = { { t->begin, end }, { 0, end }, { t->begin, t->end } };
	for (uint32_t k = 0; k < 12; k++) {
		uint32_t at = places[k / 2];
		struct element e = of[k < 6 ? k / 2 : 2];
		if (at > s->f->size - WORD ||
		    (k < 6 ? end + WORD != s->f->size : at + WORD > t->begin && at < t->end))
			continue;
		struct field sum = field_of(FIELD_SUM, k % 2 ? CODE_BIG : CODE_LITTLE, at, WORD,
		                            e.begin, e.end);
		tables_spend(s, e.end - e.begin);
		if (field_holds(NULL, &sum, s->f->bytes, s->f->size))
			return true;
	}
	return false;
}

/* What it costs that T begins there and has that count; and what is left over behind. */
static int32_t cost_of(const struct tables *s, const struct table *t, uint32_t end)
{
	const struct count *c = t->count;
	uint32_t gap = c->at < t->begin ? t->begin - c->at - c->width : t->begin;
	uint32_t left = s->f->size - end;
	int32_t cost = s->cost + (int32_t)t->n_parts * CHOICE;
	cost += (int32_t)chain_log(s->n_counts);
	if (s->low < s->high)
		cost += (int32_t)(3 * chain_log(1 + gap) / 2);
	uint32_t top = t->body < t->body_end && t->body < t->begin ? t->body : t->begin;
	cost += top > 2 * FRONT ? (int32_t)chain_log(top) : 0; /* which is about nothing then */
	cost += c->at % 2 && c->at < FRONT && c->width >= WORD ? LOOSE : 0;
	cost += !left || c->at + c->width == s->f->size ? 0 : left == WORD ? TAIL : LOOSE;
	return cost;
}

/* May T, which CELLS are known of, be a table at all? What is not the end of the file needs lengths
 * behind it, and before these are looked for, rows that look like rows. */
static bool may_be(const struct tables *s, const struct table *t, bool near)
{
	const struct count *c = t->count;
	uint32_t end = c->at + c->width;
	bool front = c->at < t->begin, anywhere = s->low < s->high;
	if (front ? t->begin < end : t->end > c->at || !tables_is_tail(c->at - t->end))
		return false;
	return !anywhere || (front ? t->begin - end <= SHORT : near && t->begin <= SHORT);
}

/* How many bytes of ROW of T are as in the row before, where all have them. */
static uint32_t alike_rows(const struct tables *s, const struct table *t, uint32_t row)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < t->n_parts; k++)
		for (uint32_t i = 0; i < t->parts[k].width; i++)
			n += s->f->bytes[cell(s, t, k, row)->begin + i] ==
			     s->f->bytes[cell(s, t, k, row - 1)->begin + i];
	return n;
}

/* Is what stands behind the rows of T one more, as like the last as these are like one another?
 * Then it is not their number that was found. */
static bool goes_on(struct tables *s, struct table *t)
{
	struct table more = *t;
	uint32_t least = UINT32_MAX, like = 0;
	more.n++;
	if (!t->columns && tables_lay_out(s, &more)) {
		for (uint32_t row = t->n - ALIKE; row < t->n; row++) {
			uint32_t n = alike_rows(s, &more, row);
			least = n < least ? n : least;
		}
		like = alike_rows(s, &more, t->n);
	}
	tables_lay_out(s, t);
	return like && like >= least;
}

/* T, whose cells are known, if it is better than what was found. */
static void consider(struct tables *s, struct table t)
{
	uint32_t end = t.end, size = s->f->size;
	bool near = size - end <= BEHIND;
	if (!may_be(s, &t, near))
		return;
	tables_spend(s, NUMBERS);
	int32_t about = tables_find_bodies(s, &t);
	end = t.body_end > end ? t.body_end : end;
	if (!about || size - end > BEHIND)
		return;
	int32_t cost = cost_of(s, &t, end), all = (int32_t)chain_log(size);
	int32_t bits = about + evidence(s, &t) + all - cost;
	if (bits + SUMMED <= s->best.bits)
		return;
	int32_t summed = is_summed(s, &t, end) ? SUMMED : 0;
	int32_t sure = (int32_t)chain_log(t.n) + about + summed;
	sure += near ? (int32_t)chain_log(size / BEHIND) : 0; /* that it ends there is no chance */
	if (!t.place.known &&                                 /* a sum is hit by chance, too */
	    (sure < cost || (!t.behind && goes_on(s, &t))))
		return;
	bits += summed;
	t.bits = bits;
	if (bits > s->best.bits)
		s->best = t;
}

/* Are cells of PART in the first ROWS of T like one another? */
static bool is_regular(const struct tables *s, const struct table *t, uint32_t part, uint32_t rows)
{
	const struct part *p = &t->parts[part];
	const uint8_t *bytes = s->f->bytes;
	for (uint32_t i = 0; i < p->width; i++) {
		uint32_t same = 0;
		for (uint32_t row = 1; row < rows; row++)
			same += bytes[cell(s, t, part, row)->begin + i] ==
			        bytes[cell(s, t, part, row - 1)->begin + i];
		if (same > rows / 2)
			return true;
	}
	uint16_t count[256] = { 0 };
	return p->kind >= PART_SIZED && text_of(s, t, part, rows, count);
}

/* Do the first rows look like rows? Do lengths say something, and numbers take more than a byte? */
static bool look_alike(const struct tables *s, const struct table *t)
{
	bool regular = false;
	for (uint32_t k = 0; k < t->n_parts; k++) {
		const struct part *p = &t->parts[k];
		uint32_t some = 0;
		for (uint32_t i = 0; i < t->n; i++)
			some += cell(s, t, k, i)->end >
			        cell(s, t, k, i)->begin + (p->width ? p->width : 1u);
		if (p->kind != PART_BYTES && !some)
			return false;
		regular = regular || is_regular(s, t, k, t->n);
	}
	return regular;
}

static void add_part(struct table *t, enum part_kind kind, uint8_t code, uint32_t width)
{
	if (width || kind >= PART_STRING || kind == PART_NUMBER || code_varies(code))
		t->parts[t->n_parts++] = (struct part){ (uint8_t)kind, code, (uint8_t)width };
}

/* T, whose parts are in a circle from the first one that varies on, where a row begins BEFORE bytes
 * in front of that. */
static struct table turned(const struct table *t, uint32_t before)
{
	struct table own = *t;
	const struct part *last = &t->parts[t->n_parts - 1];
	own.n_parts = 0;
	add_part(&own, PART_BYTES, 0, before);
	for (uint32_t i = 0; i + 1 < t->n_parts; i++)
		add_part(&own, t->parts[i].kind, t->parts[i].code, t->parts[i].width);
	add_part(&own, PART_BYTES, 0, last->width - before);
	own.begin -= before;
	return own;
}

/* N rows of T, which end at END but for what is in front of the next one, for each count that is N:
 * where that stands in front, they begin not far behind it. */
static void consider_turns(struct tables *s, const struct table *t, uint32_t n, uint32_t end)
{
	uint32_t gap = t->parts[t->n_parts - 1].width, left = s->f->size - end;
	for (uint32_t i = 0; i < s->n_counts; i++) {
		const struct count *c = &s->counts[i];
		uint32_t low = s->low, high = s->high;
		if (low < high && c->at < FRONT) {
			low = c->at + c->width;
			high = low + NARROW;
		}
		low = low + gap > t->begin ? low : t->begin - gap;
		for (; low <= high && low <= t->begin && c->n == n && s->steps; low++) {
			uint32_t before = t->begin - low;
			struct table own = turned(t, before);
			uint32_t to = end + gap - before, rest = left - gap + before;
			if (left + before < gap)
				break;
			if (c->at >= FRONT ? c->at < to || !tables_is_tail(c->at - to)
			                   : rest <= BEHIND && !tables_is_tail(rest))
				continue;
			own.n = n;
			own.count = c;
			if (tables_lay_out(s, &own))
				consider(s, own);
		}
	}
}

/* Rows whose first part that varies is at AT, as many as there are. The last part of T, which may
 * be empty, is the bytes from there to the next row. */
static void try_rows(struct tables *s, struct table *t, uint32_t at)
{
	struct cell c;
	uint32_t gap = t->parts[t->n_parts - 1].width;
	t->begin = at;
	t->n = ALIKE;
	if (!tables_lay_out(s, t) || !look_alike(s, t))
		return;
	for (uint32_t n = 1; at < s->f->size && s->steps && n <= ROWS; n++, at += gap) {
		for (uint32_t k = 0; k + 1 < t->n_parts; k++, at = c.end)
			if (at > s->f->size || !read_cell(s, &t->parts[k], at, &c))
				return;
		tables_spend(s, 1);
		if (s->is_count[n])
			consider_turns(s, t, n, at);
	}
}

static const struct part varying[] = {
	{ PART_SIZED, CODE_LITTLE, 4 }, { PART_SIZED, CODE_BIG, 4 }, { PART_SIZED, CODE_LITTLE, 2 },
	{ PART_SIZED, CODE_BIG, 2 },    { PART_STRING, 0, 0 },       { PART_SIZED, CODE_LITTLE, 1 },
	{ PART_SIZED, CODE_LEB, 0 },    { PART_NUMBER, CODE_LEB, 0 }
};
enum { N_VARYING = sizeof varying / sizeof *varying };

/* May a table begin in [FROM, TO]? Not far behind a count, or where one is said to. */
static bool may_begin(const struct tables *s, uint32_t from, uint32_t to)
{
	bool may = s->low == s->high;
	for (uint32_t i = 0; i < s->n_counts && !may; i++) {
		const struct count *c = &s->counts[i];
		uint32_t end = c->at + c->width;
		may = c->at >= FRONT || (end <= to && from <= end + NARROW);
	}
	return may;
}

/* Rows with one part that varies, and then bytes; or two, bytes between them. */
static void find_rows(struct tables *s, uint32_t parts)
{
	uint32_t ways = parts == 1 ? N_VARYING : N_VARYING * N_VARYING * BETWEEN;
	for (uint32_t k = 0; k < ways; k++)
		for (uint32_t gap = 0; gap < (parts == 1 ? GAP_ONE : GAP); gap++) {
			struct table t = { .parts = { varying[k % N_VARYING] }, .n_parts = 1 };
			if (parts > 1) {
				add_part(&t, PART_BYTES, 0, k / N_VARYING % BETWEEN);
				t.parts[t.n_parts++] = varying[k / N_VARYING / BETWEEN];
			}
			t.parts[t.n_parts++] = (struct part){ PART_BYTES, 0, (uint8_t)gap };
			for (uint32_t at = s->low; at <= s->high + gap && s->steps; at++)
				if (may_begin(s, at < s->low + gap ? s->low : at - gap, at))
					try_rows(s, &t, at);
		}
}

/* ---- rows of one width, and columns ---- */

/* Rows of one width that end where the file does. */
static void try_width(struct tables *s, struct table *t, uint32_t left)
{
	uint32_t room = s->f->size - left, width = room > t->begin ? (room - t->begin) / t->n : 0;
	t->n_parts = 0;
	if (width < 2 || width > UINT8_MAX || t->begin + width * t->n != room)
		return;
	add_part(t, PART_BYTES, 0, width);
	if (tables_lay_out(s, t))
		consider(s, *t);
}

/* Lines, as many as C says, which stands in front of them. */
static void try_lines(struct tables *s, const struct count *c)
{
	struct table t = { .n = c->n, .count = c, .begin = c->at + c->width };
	uint32_t limit = t.begin + SHORT < s->f->size ? t.begin + SHORT : s->f->size;
	add_part(&t, PART_LINE, 0, 0);
	for (; t.begin < limit; t.begin++)
		if (s->f->bytes[t.begin - 1] == '\n' && tables_lay_out(s, &t))
			consider(s, t);
}

/* One more column of T behind those that end at AT. One at most is bytes that are not alike. */
static void try_columns(struct tables *s, struct table *t, uint32_t at, bool odd)
{
	static const struct part columns[] = {
		{ PART_BYTES, 0, 4 },           { PART_BYTES, 0, 2 },
		{ PART_NUMBER, CODE_LEB, 0 },   { PART_BYTES, 0, 3 },
		{ PART_BYTES, 0, 1 },           { PART_STRING, 0, 0 },
		{ PART_SIZED, CODE_LITTLE, 1 }, { PART_SIZED, CODE_LEB, 0 },
	};
	uint32_t n = t->n_parts < COLUMNS ? sizeof columns / sizeof *columns : 0;
	for (uint32_t k = 0; k < n && s->steps; k++) {
		uint32_t part = t->n_parts, wide = 0, i = 0;
		struct cell c = { at, at, at };
		t->parts[t->n_parts++] = columns[k];
		for (; i < t->n && read_cell(s, &columns[k], c.end, &c); i++) {
			wide += c.end - c.begin > 1;
			*cell(s, t, part, i) = c;
			if (i + 1 == ALIKE && columns[k].kind >= PART_SIZED &&
			    !is_regular(s, t, part, ALIKE))
				break;
		}
		tables_spend(s, i + 1);
		bool regular = i == t->n && (columns[k].kind == PART_NUMBER ||
		                             is_regular(s, t, part, t->n < LOOKED ? t->n : LOOKED));
		if (i == t->n && wide + columns[k].width > 0 && s->steps &&
		    (regular || (!odd && columns[k].kind == PART_BYTES))) {
			t->end = c.end;
			consider(s, *t);
			try_columns(s, t, c.end, odd || !regular);
		}
		t->n_parts--;
	}
}

/* Tables of rows of one width, and of columns. */
static void find_plain(struct tables *s)
{
	static const uint8_t left[] = { 0, 4, 8, 12, 16, 20, 24 };
	uint32_t steps = s->steps;
	for (uint32_t i = 0; i < s->n_counts; i++)
		if (code_in_digits(s->counts[i].code) && s->low < s->high)
			try_lines(s, &s->counts[i]);
	for (uint32_t i = 0; i < s->n_counts && steps; i++) {
		const struct count *c = &s->counts[i];
		uint32_t end = c->at + c->width, behind = s->f->size - c->at;
		bool front = end <= FRONT && s->low < s->high;
		uint32_t own = steps < STEPS / OF_COUNT ? steps : STEPS / OF_COUNT;
		s->steps = own;
		struct table t = { .n = c->n, .count = c, .begin = front ? end : s->low };
		for (; t.begin <= (front ? end + NARROW : s->high); t.begin++) {
			for (uint32_t k = 0; k < sizeof left; k++)
				try_width(s, &t, left[k]);
			try_width(s, &t, behind <= BEHIND ? behind : 0);
			t.n_parts = 0;
			t.columns = true;
			try_columns(s, &t, t.begin, false);
			t.columns = false;
		}
		steps -= own - s->steps;
	}
	s->steps = steps;
}

/* Tables that begin in one of the N RANGES; the simplest first. */
static void find_in(struct tables *s, const struct element *ranges, uint32_t n)
{
	for (uint32_t parts = 0; parts < 3 && s->best.bits < ENOUGH; parts++) {
		uint32_t left = IN_ALL;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t own = left < STEPS ? left : STEPS;
			s->low = ranges[i].begin;
			s->high = ranges[i].end;
			s->steps = own;
			s->cost = s->low < s->high ? 0 : (int32_t)chain_log(2 * n);
			if (parts)
				find_rows(s, parts);
			else
				find_plain(s);
			left -= own - s->steps;
		}
	}
}

static const struct {
	uint8_t code, width, front;
} writings[] = {
	{ CODE_LITTLE, 4, FRONT },  { CODE_BIG, 4, FRONT },  { CODE_LITTLE, 2, SHORT },
	{ CODE_BIG, 2, SHORT },     { CODE_LEB, 0, NARROW }, { CODE_LITTLE, 1, NARROW },
	{ CODE_DECIMAL, 0, FRONT },
};
enum { N_WRITINGS = sizeof writings / sizeof *writings };

/* Does the K-th way to write a number say AT that there are as many as LEAST? */
static bool read_count(const struct tables *s, uint32_t at, uint32_t k, uint32_t least,
                       struct count *c)
{
	const uint8_t *bytes = s->f->bytes, *end = bytes + s->f->size;
	uint64_t n;
	*c = (struct count){ .at = at, .width = writings[k].width, .code = writings[k].code };
	if (at + c->width > s->f->size ||
	    (code_in_digits(c->code) && at && isdigit(bytes[at - 1])) ||
	    !code_read(c->code, bytes + at, end, &c->width, &n) || n < least ||
	    n > s->f->size / 2 || n > ROWS)
		return false;
	c->n = (uint32_t)n;
	return true;
}

/* What stands AT may be a count. */
static void add_count(struct tables *s, uint32_t at, uint32_t k)
{
	struct count c;
	if (!read_count(s, at, k, FEW, &c))
		return;
	for (uint32_t i = 0; i < s->n_counts; i++) /* a part of one */
		if (s->counts[i].at <= at && s->counts[i].n == c.n &&
		    at + c.width <= s->counts[i].at + s->counts[i].width)
			return;
	if (s->n_counts < SAIDS)
		s->counts[s->n_counts++] = c;
}

static void read_counts(struct tables *s)
{
	for (uint32_t k = 0; k < N_WRITINGS; k++) {
		uint32_t width = writings[k].width;
		for (uint32_t at = 0; at < writings[k].front; at += at < NARROW || !width ? 1 : 2)
			add_count(s, at, k);
		for (uint32_t at = s->f->size - BEHIND; at + width <= s->f->size && width > 1; at++)
			if (at > FRONT)
				add_count(s, at, k);
	}
	for (uint32_t at = NARROW + 1; at < FRONT; at += 2) /* as behind the head of a layer */
		for (uint32_t k = 0; k < 2; k++)
			add_count(s, at, k);
	for (uint32_t i = 0; i < s->n_counts; i++)
		s->is_count[s->counts[i].n] = true;
}

/* Where tables may begin: near the top; where a word at one of the ends of the file says, or as far
 * in front of that. Returns how many ranges. */
static uint32_t list_ranges(const struct forest *f, struct element out[PLACES])
{
	uint32_t n = 1;
	out[0] = (struct element){ 1, FRONT + NARROW };
	for (uint32_t i = 0; i < FRONT + BEHIND && n + 2 < PLACES; i++) {
		uint32_t at = i < FRONT ? i / 2 * 2 : f->size - WORD - (i - FRONT) / 2 * 2;
		uint32_t value = i % 2 ? code_big(f->bytes + at) : code_little(f->bytes + at);
		const uint32_t begins[] = { value, at - value };
		for (uint32_t j = 0; j < (at < FRONT ? 1 : 2) && value > FRONT; j++) {
			uint32_t k = 0;
			while (k < n && out[k].begin != begins[j])
				k++;
			if (k == n && begins[j] < f->size)
				out[n++] = (struct element){ begins[j], begins[j] };
		}
	}
	return n;
}

bool tables_find(struct tables *s)
{
	const struct forest *f = s->f;
	struct element ranges[PLACES];
	if (f->size < 2 * FRONT)
		return false;
	read_counts(s);
	find_in(s, ranges, list_ranges(f, ranges));
	return s->best.bits > SURE;
}

/* ---- rows that are members ---- */

/* Do the rows of T, whose cells are known, end at END, or in front of a checksum there? None holds
 * nothing, and bytes are much the same in one place. */
static bool fits_to(struct tables *s, const struct table *t, uint32_t end)
{
	bool alike = t->parts->kind != PART_BYTES;
	if (t->end != end && (t->end + WORD != end || !is_summed(s, t, t->end)))
		return false;
	for (uint32_t i = 0; i < t->n && alike; i++)
		if (cell(s, t, 0, i)->body == cell(s, t, 0, i)->end)
			return false;
	for (uint32_t column = 0; column < t->parts->width && !alike; column++) {
		bool seen[256] = { false };
		uint32_t distinct = 0;
		tables_spend(s, t->n);
		for (uint32_t i = 0; i < t->n; i++) {
			uint8_t c = s->f->bytes[cell(s, t, 0, i)->begin + column];
			distinct += !seen[c];
			seen[c] = true;
		}
		alike = distinct * ALIKE <= t->n;
	}
	return alike;
}

/* Rows of T up to END, of one part, whatever that is; where its count is narrow or far from the
 * top, they have lengths, or none. */
static bool fill(struct tables *s, struct table *t, uint32_t end)
{
	uint32_t width = t->begin < end ? (end - t->begin) / t->n : 0;
	bool narrow = t->count->width < 2 || code_varies(t->count->code),
	     far = t->count->at >= FRONT && t->begin > t->count->at;
	for (uint32_t k = 0; k < N_VARYING && t->n >= FEW; k++) {
		bool bytes = varying[k].kind == PART_NUMBER, sized = varying[k].kind == PART_SIZED;
		t->parts[0] = bytes ? (struct part){ PART_BYTES, 0, (uint8_t)width } : varying[k];
		if ((sized ? far : narrow) || (bytes && (width < 2 || width > UINT8_MAX)))
			continue;
		if (tables_lay_out(s, t) && fits_to(s, t, end))
			return true;
	}
	return false;
}

/* Rows that C counts: just behind it; behind it and the size of all; or in two lists, whose counts
 * stand side by side. */
static bool find_behind(struct tables *s, struct table *t, uint32_t width)
{
	const struct count *c = t->count;
	struct count *second = &s->counts[1];
	uint32_t end = c->at + c->width;
	uint64_t next = 0;
	if (end < s->f->size)
		code_read(c->code, s->f->bytes + end, s->f->bytes + s->f->size, &width, &next);
	*second = (struct count){ end, width, (uint32_t)next, c->code };
	for (uint32_t k = 0; k < (!next || next > s->f->size ? 1 : next > ROWS ? 2 : 3); k++) {
		t->n = c->n + (k < 2 ? 0 : second->n);
		t->begin = end + (k ? width : 0);
		t->second = k < 2 ? NULL : second;
		if (fill(s, t, s->f->size) && (k != 1 || next == t->end - t->begin))
			return true;
	}
	return false;
}

bool tables_find_members(struct tables *s)
{
	struct count *c = &s->counts[0];
	struct table *t = &s->best;
	uint32_t size = s->f->size;
	s->steps = STEPS;
	*t = (struct table){ .n_parts = 1, .count = c };
	for (uint32_t k = 0; k < N_WRITINGS && !code_in_digits(writings[k].code); k++) {
		uint32_t width = writings[k].width,
			 front = width == WORD ? TITLE : writings[k].front;
		for (uint32_t at = 0; at < front && at + WORD < size && s->steps;
		     at += at < FRONT ? 1 : WORD)
			if (read_count(s, at, k, FEW / 2, c) && find_behind(s, t, width))
				return true;
		if (width < 2 || !read_count(s, size - width, k, FEW, c))
			continue;
		t->n = c->n;
		t->second = NULL;
		for (t->begin = 0; t->begin <= SHORT; t->begin += WORD)
			if (fill(s, t, c->at))
				return true;
	}
	return false;
}
