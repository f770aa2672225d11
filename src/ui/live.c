#include "ui/live.h"

#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "ui/live_draw.h"
#include "ui/live_model.h"
#include "ui/screen.h"
#include "ui/waiting.h"

/* Zero-initialise; release. */
struct live_keys {
	struct live_view view;
	struct session_wishes wishes;
	struct live_pass *passes; /* of the view */
	size_t cap_passes;
};

/* What keys do: they change what is looked at, and what is wished. */

static void turn_to(struct live_keys *k, enum live_page page, const struct live_model *m)
{
	k->view.page = k->view.page == page ? LIVE_MAIN : page;
	k->view.scroll = 0;
	k->view.step = m->n_steps ? m->n_steps - 1 : 0;
}

static size_t moved(size_t at, size_t last, long by)
{
	long to = (long)at + by;
	return to < 0 ? 0 : (size_t)to > last ? last : (size_t)to;
}

/* The arrow keys: through the steps of the history, or the lines of what is longer than the
 * screen. */
static bool move(struct live_keys *k, const struct live_model *m, unsigned rows, int key)
{
	long page = rows > 6 ? (long)rows - 4 : 1;
	long by = key == SCREEN_UP          ? -1
	          : key == SCREEN_DOWN      ? 1
	          : key == SCREEN_PAGE_UP   ? -page
	          : key == SCREEN_PAGE_DOWN ? page
	          : key == SCREEN_HOME      ? -(long)INT32_MAX
	          : key == SCREEN_END       ? (long)INT32_MAX
	                                    : 0;
	if (!by)
		return false;
	if (k->view.page == LIVE_HISTORY)
		k->view.step = moved(k->view.step, m->n_steps ? m->n_steps - 1 : 0, by);
	else
		k->view.scroll = (unsigned)moved(k->view.scroll, 2 * LIVE_CHANGE_TEXT, by);
	return true;
}

/* KEY is a character or one of enum screen_key; ROWS: of the screen. True: there is something new
 * to see. */
static bool live_keys_press(struct live_keys *k, struct live_model *m, unsigned rows, int key)
{
	*m->message = '\0';
	switch (key) {
	case 'q':
		if (k->view.page == LIVE_HELP)
			k->view.page = LIVE_MAIN;
		else
			k->wishes.stop = true;
		return true;
	case ' ':
		k->wishes.paused = !k->wishes.paused;
		return true;
	case 's':
		k->wishes.skip = true;
		return true;
	case '+':
	case '=':
		k->wishes.jobs++;
		return true;
	case '-':
		k->wishes.jobs--;
		return true;
	case 'p':
		turn_to(k, LIVE_PASSES, m);
		return true;
	case 'o':
		k->view.sort = (k->view.sort + 1) % LIVE_SORTS;
		return true;
	case 'd':
		turn_to(k, LIVE_DIFF, m);
		return true;
	case 'h':
		turn_to(k, LIVE_HISTORY, m);
		return true;
	case '?':
		turn_to(k, LIVE_HELP, m);
		return true;
	case SCREEN_BACK:
		k->view.page = LIVE_MAIN;
		return true;
	default:
		return move(k, m, rows, key);
	}
}

/* ---- passes ---- */

static void add_pass(struct live_keys *k, const char *name, const struct pass_stats *t)
{
	MEM_PUSH(k->passes, k->view.n_passes, k->cap_passes,
	         (struct live_pass){ .name = name,
	                             .runs = t->runs,
	                             .successes = t->successes,
	                             .answers = t->questions,
	                             .bytes = t->bytes });
}

/* Gets what the page that is looked at shows of S. */
static void live_keys_look(struct live_keys *k, const struct session *s)
{
	const struct plan *plan = session_facts(s).plan;
	const struct externals *x = session_facts(s).externals;
	k->view.n_passes = 0;
	if (k->view.page != LIVE_PASSES || !plan)
		return;
	for (uint32_t i = 0; i < passes_n; i++)
		add_pass(k, passes_table[i].name, &plan->stats[i]);
	struct pass_stats pumps = reducer_pump_stats(session_facts(s).reducer);
	add_pass(k, "pumps", &pumps);
	for (uint32_t i = 0; i < x->n_passes; i++)
		if (!x->passes[i].pump)
			add_pass(k, x->passes[i].name,
			         reducer_external_stats(session_facts(s).reducer, i));
	k->view.passes = k->passes;
}

static void live_keys_release(struct live_keys *k)
{
	free(k->passes);
	*k = (struct live_keys){ 0 };
}

enum { COPIES = 100 };

static char *name(const char *file, unsigned n)
{
	return n ? mem_printf("%s.copy.%u", file, n) : mem_printf("%s.copy", file);
}

/* Writes one beside FILE, under a name that is not there yet. What became of it, in words; the
 * caller's. */
static char *live_copy_write(const struct session *s)
{
	struct testcase *now = (struct testcase *)(uintptr_t)session_current(s);
	const char *file =
		session_options(s)->out ? session_options(s)->out : session_options(s)->file;
	if (now->is_tree)
		return mem_strdup("only a single file can be copied; see whittle restore");
	testcase_flat(now);
	for (unsigned n = 0; n < COPIES; n++) {
		char *path = name(file, n), *said = NULL;
		const struct io_form form = { .mode = now->files[0].mode & 0777 };
		if (io_write_new(NULL, path, now->bytes, now->size, form) == 0)
			said = mem_printf("%u bytes are in %s", now->size, path);
		else if (errno != EEXIST)
			said = mem_printf("no copy: %s: %s", path, strerror(errno));
		free(path);
		if (said)
			return said;
	}
	return mem_printf("no copy: there are %d already", COPIES);
}

static const uint64_t MS = 1000000;

enum {
	KEYS_MS = 50,  /* between two looks at the keys */
	DRAW_MS = 250, /* between two pictures, unless a key was pressed... */
	SHARE = 200,   /* ...and at most one part in so many of the time */
};

struct live {
	struct screen *screen;
	struct live_model model;
	struct live_keys keys;
	struct grid grid;
	struct waiting waiting;
	char *limits, *externals; /* words that the model borrows */
	char *branch;             /* NAME:STEP that is begun when this ends; NULL */
	unsigned branch_at;       /* the step that was asked about; 0: none */
	char fence[FENCE_WORDS_SIZE];
	uint64_t looked_ns, drawn_ns, cost_ns; /* io_now; of the last picture */
	bool on;
};

struct live *live_new(void)
{
	struct screen *screen = screen_new();
	if (!screen)
		return NULL;
	struct live *l = mem_zero(1, sizeof *l);
	l->screen = screen;
	return l;
}

void live_free(struct live *l)
{
	if (!l)
		return;
	screen_free(l->screen);
	live_model_release(&l->model);
	live_keys_release(&l->keys);
	grid_release(&l->grid);
	free(l->limits);
	free(l->externals);
	free(l->branch);
	free(l);
}

bool live_is_on(const struct live *l)
{
	return l && l->on;
}

/* ---- what does not change ---- */

static char *limit_words(const struct session *s)
{
	const struct session_options *o = session_options(s);
	struct buf b = { 0 };
	buf_addf(&b, "%.6g s", (double)session_facts(s).limit_ns / 1e9);
	if (o->settings.file_limit)
		buf_addf(&b, ", files %.6g MB", (double)o->settings.file_limit / (1 << 20));
	if (o->settings.memory_limit)
		buf_addf(&b, ", memory %.6g MB", (double)o->settings.memory_limit / (1 << 20));
	if (o->settings.process_limit)
		buf_addf(&b, ", %llu processes", (unsigned long long)o->settings.process_limit);
	if (o->end.time_limit_ns)
		buf_addf(&b, "; stop after %.6g s", (double)o->end.time_limit_ns / 1e9);
	if (o->end.max_questions)
		buf_addf(&b, "; after %llu answers", (unsigned long long)o->end.max_questions);
	if (o->end.until_size)
		buf_addf(&b, "; at %u bytes", o->end.until_size);
	return b.data;
}

static char *external_words(const struct session *s)
{
	const struct externals *x = session_facts(s).externals;
	struct buf b = { 0 };
	if (!x->n_programs)
		buf_addf(&b, "no external passes");
	for (uint32_t i = 0; i < x->n_programs; i++)
		buf_addf(&b, "%s%s %s", i ? ", " : "external passes: ", x->programs[i].name,
		         x->programs[i].version);
	return b.data;
}

void live_started(struct live *l, const struct session *s)
{
	if (!l || session_facts(s).was_finished || !screen_open(l->screen))
		return;
	fence_words(session_fence(s), l->fence);
	l->limits = limit_words(s);
	l->externals = external_words(s);
	const char *fence = strncmp(l->fence, "fence: ", 7) ? l->fence : l->fence + 7;
	struct testcase *now = (struct testcase *)(uintptr_t)session_current(s);
	const struct live_setting setting = { .file = session_options(s)->file,
		                              .name = session_options(s)->store.name,
		                              .tokenizer = session_tokenizer(s),
		                              .fence = fence,
		                              .limits = l->limits,
		                              .externals = l->externals,
		                              .original = testcase_shown_size(now) };
	live_model_init(&l->model, &setting, now);
	l->on = true;
}

/* ---- news ---- */

void live_accepted(struct live *l, const struct session *s, const char *pass)
{
	if (live_is_on(l))
		live_model_accepted(&l->model, (struct testcase *)(uintptr_t)session_current(s),
		                    pass, session_elapsed_ns(s), session_stats(s)->tests);
}

void live_notice(struct live *l, const char *message)
{
	if (live_is_on(l))
		live_model_notice(&l->model, message);
}

static struct live_facts facts_of(struct live *l, const struct session *s)
{
	const struct driver_stats *d = session_stats(s);
	const struct reducer_at at = reducer_at(session_facts(s).reducer);
	struct live_facts f = { .ns = session_elapsed_ns(s),
		                .tests = d->tests,
		                .answers = session_facts(s).questions,
		                .known = session_facts(s).cache_hits,
		                .interesting = d->verdicts[VERDICT_INTERESTING],
		                .not_interesting = d->verdicts[VERDICT_NOT_INTERESTING],
		                .timeouts = d->timeouts,
		                .cancelled = d->cancelled,
		                .jobs = session_facts(s).jobs,
		                .busy = d->busy,
		                .pass = at.pass,
		                .block = at.block,
		                .permille = at.permille,
		                .of_pass.answers = at.questions,
		                .of_pass.bytes = at.bytes,
		                .paused = l->keys.wishes.paused,
		                .skipping = session_facts(s).skipping,
		                .stopping = l->keys.wishes.stop };
	for (int why = ANSWER_OWN + 1; why < ANSWER_WHYS; why++)
		f.excesses += d->why[why];
	waiting_look(&l->waiting, s, f.waiting, sizeof f.waiting);
	if (f.paused)
		*f.waiting = '\0';
	return f;
}

static void draw(struct live *l, const struct session *s, uint64_t now)
{
	const struct live_facts facts = facts_of(l, s);
	live_model_now(&l->model, &facts);
	live_keys_look(&l->keys, s);
	live_draw(&l->model, &l->keys.view, &l->grid);
	screen_show(l->screen, &l->grid);
	l->drawn_ns = io_now();
	l->cost_ns = l->drawn_ns - now;
}

static void copy(struct live *l, const struct session *s)
{
	MEM_SCOPED char *said = live_copy_write(s);
	live_model_notice(&l->model, said);
}

/* Of the step looked at: a branch is another reduction, for which this one has to end, so the key
 * is pressed twice. */
static void branch(struct live *l, const struct session *s)
{
	unsigned step = (unsigned)l->keys.view.step + 1;
	MEM_SCOPED char *said = NULL;
	if (!session_name(s) || !l->model.n_steps) {
		said = mem_strdup("no steps are kept");
	} else if (l->branch_at != step) {
		l->branch_at = step;
		said = mem_printf("b again: stop here, and branch off at step %u", step);
	} else if (!l->branch) {
		l->branch = mem_printf("%s:%u", session_name(s), step);
		l->keys.wishes.stop = true;
	}
	if (said)
		live_model_notice(&l->model, said);
}

const char *live_branch(const struct live *l)
{
	return l ? l->branch : NULL;
}

static bool take_keys(struct live *l, const struct session *s)
{
	bool pressed = false;
	for (int key; (key = screen_key(l->screen));) {
		pressed |= live_keys_press(&l->keys, &l->model, l->grid.rows, key);
		if (key == 'w')
			copy(l, s);
		else if (key == 'b' && l->keys.view.page == LIVE_HISTORY)
			branch(l, s);
		if (key != 'b')
			l->branch_at = 0;
		if (key != 'b' && key != 'w')
			continue;
		pressed = true;
	}
	return pressed;
}

void live_tick(struct live *l, const struct session *s)
{
	uint64_t now = live_is_on(l) ? io_now() : 0, wait;
	if (!live_is_on(l) || now - l->looked_ns < KEYS_MS * MS)
		return;
	l->looked_ns = now;
	if (!screen_ready(l->screen, &l->grid))
		return;
	bool pressed = take_keys(l, s);
	wait = l->cost_ns * SHARE > DRAW_MS * MS ? l->cost_ns * SHARE : DRAW_MS * MS;
	if (pressed || !l->drawn_ns || now - l->drawn_ns >= wait)
		draw(l, s, now);
}

void live_waits(struct live *l, const char *what)
{
	if (!what || !screen_ready(l->screen, &l->grid))
		return;
	struct live_facts facts = l->model.now;
	snprintf(facts.waiting, sizeof facts.waiting, "for %s", what);
	live_model_now(&l->model, &facts);
	live_draw(&l->model, &l->keys.view, &l->grid);
	screen_show(l->screen, &l->grid);
	l->drawn_ns = io_now();
}

void live_wishes(struct live *l, struct session_wishes *wishes)
{
	if (live_is_on(l))
		*wishes = l->keys.wishes;
	if (l)
		l->keys.wishes.jobs = l->keys.wishes.skip = 0;
}

void live_ended(struct live *l)
{
	if (!live_is_on(l))
		return;
	screen_close(l->screen);
	l->on = false;
}
