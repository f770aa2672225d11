#include "search/proof.h"

#include "base/err.h"

enum {
	CHECK = UINT32_MAX, /* the question without repairs; no hunt has such an id */
	TRIES = 3,          /* of single records the first time, */
	WITH_PLACES = 2,    /* where there are places, then one without them */
	VAIN = 32,          /* cuts, once counts are proven, that may show nothing of places */
};

/* With what repairs a cut is asked about. */
enum asked {
	ASK_ALL,
	ASK_NONE,
	ASK_COUNTS, /* all but places */
};

struct proof {
	struct search s; /* first */
	struct edit_sites *edit_sites;
	struct repair *repair, *counts; /* all of it; all but places */
	struct hunt_options options;
	struct search *hunt; /* its edits are plain */
	enum asked asked;    /* with what those are asked about */
	bool brief;          /* the hunt has only so many questions more: */
	uint32_t tries;
	struct edit plain;   /* what is accepted, without what is repaired; owned */
	struct edit checked; /* likewise what is about to be, while it is checked; owned */
	enum asked check;    /* with what it is asked about once more */
	bool checks, open;   /* something is checked; that is asked about */
	bool has_places;
	uint32_t accepted, rounds; /* of the hunt, as seen last; of hunts before */
	uint32_t vain;
};

/* What PLAIN is with the repairs of ASKED. */
static struct edit with(const struct proof *p, enum asked asked, struct edit plain,
                        struct arena *arena)
{
	if (asked == ASK_NONE)
		return plain;
	return repair_edit(asked == ASK_ALL ? p->repair : p->counts, p->edit_sites->view->tc->bytes,
	                   plain, arena);
}

static bool differ(const struct proof *p, struct edit plain, enum asked a, enum asked b)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	return !edit_equal(with(p, a, plain, &scratch), with(p, b, plain, &scratch));
}

/* What is left of the repair when PLAIN shows that what it repairs is USELESS; the caller's. */
static struct repair *less(const struct proof *p, struct edit plain, enum repair_useless useless)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	return repair_without(p->repair, p->edit_sites->view->tc->bytes,
	                      with(p, ASK_ALL, plain, &scratch), useless);
}

static void drop(struct proof *p, enum repair_useless useless)
{
	struct repair *left = less(p, p->checked, useless);
	repair_unref(p->s.left);
	p->s.left = left;
}

/* From now on HUNT; NULL: it is over. */
static void hunt_on(struct proof *p, struct search *hunt)
{
	if (p->hunt) {
		p->rounds += p->hunt->n_rounds;
		search_free(p->hunt);
	}
	p->hunt = hunt;
	p->accepted = 0;
	p->s.done = !hunt;
}

/* Begins to ask with the repairs of ASKED. */
static void begin(struct proof *p, enum asked asked)
{
	const struct edit_sites *edit_sites = p->edit_sites;
	struct hunt_options options = p->options;
	p->asked = asked;
	p->brief = !options.first_block && !options.cursor.block && edit_sites->n;
	if (p->brief) {
		uint32_t from = edit_sites->n - edit_sites->n / 3;
		p->tries = asked == ASK_COUNTS ? 1 : p->has_places ? WITH_PLACES : TRIES;
		options.first_block = options.window = 1;
		if (from < edit_sites->n)
			options.cursor =
				(struct search_cursor){ 1, edit_sites_at(edit_sites, from) };
	}
	hunt_on(p, hunt_new(p->edit_sites, &options));
}

/* Goes to what there is to ask about next, when the hunt has ended. */
static void settle(struct proof *p)
{
	if (p->checks)
		return;
	while (p->hunt && (p->hunt->done || (p->brief && !p->tries)))
		if (p->asked == ASK_ALL && p->has_places)
			begin(p, ASK_COUNTS);
		else
			hunt_on(p, NULL);
	p->s.again = !p->hunt && (p->s.repaired || p->s.left);
	p->s.n_rounds = p->rounds + (p->hunt ? p->hunt->n_rounds : 0);
	if (p->hunt && !p->brief)
		p->s.cursor = p->hunt->cursor;
}

/* What is checked is accepted with the repairs of ASKED. */
static void accept(struct proof *p, enum asked asked)
{
	struct arena scratch = { 0 };
	search_accept(&p->s, with(p, asked, p->checked, &scratch));
	arena_release(&scratch);
	edit_drop(p->plain);
	p->plain = p->checked;
	p->checked = EDIT_NONE;
	p->checks = false;
}

/* What is checked is asked about once more, with the repairs of ASKED. */
static void check_with(struct proof *p, enum asked asked)
{
	p->check = asked;
	p->checks = true;
}

/* Does it tell something whether what is checked works with all repairs but places? */
static bool counts_tell(const struct proof *p)
{
	if (!differ(p, p->checked, ASK_ALL, ASK_COUNTS) ||
	    !differ(p, p->checked, ASK_COUNTS, ASK_NONE))
		return false;
	struct repair *left = less(p, p->checked, REPAIR_USELESS_PLACES);
	bool tells = left->n < p->repair->n;
	repair_unref(left);
	return tells;
}

/* What is checked says nothing of places. Cuts of all records and less are more likely to than
 * single ones. */
static void go_on(struct proof *p)
{
	accept(p, p->asked);
	if (++p->vain > VAIN)
		hunt_on(p, NULL);
	else if (p->brief)
		hunt_on(p, hunt_new(p->edit_sites, &(struct hunt_options){ .order = HUNT_BLOCKS }));
	p->brief = false;
}

/* Counts are proven; what is checked works as it was asked about. */
static void check_places(struct proof *p)
{
	p->s.repaired = true;
	if (!p->has_places) {
		accept(p, ASK_ALL);
		hunt_on(p, NULL);
	} else if (p->asked == ASK_COUNTS && differ(p, p->checked, ASK_ALL, ASK_COUNTS))
		check_with(p, ASK_ALL);
	else if (p->asked == ASK_ALL && counts_tell(p))
		check_with(p, ASK_COUNTS);
	else
		go_on(p);
}

/* The hunt has accepted something. */
static void check(struct proof *p)
{
	struct arena scratch = { 0 };
	struct edit whole;
	if (!edit_union(&scratch, p->plain, p->hunt->accepted, &whole))
		bug("records that are cut overlap");
	edit_drop(p->checked);
	p->checked = edit_keep(whole);
	arena_release(&scratch);
	p->accepted = p->hunt->n_accepted;
	if (p->s.repaired)
		check_places(p);
	else if (differ(p, p->checked, p->asked, ASK_NONE))
		check_with(p, ASK_NONE);
	else
		accept(p, ASK_NONE); /* repairs nothing, and shows nothing */
}

/* What it was found that the counts, or the places, are. */
static void conclude(struct proof *p, bool useless, enum repair_useless how, enum asked works)
{
	if (useless)
		drop(p, how);
	accept(p, works);
	hunt_on(p, NULL);
}

static void tell_check(struct proof *p, bool works)
{
	p->open = p->checks = false;
	p->rounds++;
	if (p->check == ASK_NONE && !works)
		check_places(p);
	else if (p->check == ASK_NONE)
		conclude(p, true, REPAIR_USELESS, ASK_NONE);
	else if (p->check == ASK_COUNTS)
		conclude(p, works, REPAIR_USELESS_PLACES, works ? ASK_COUNTS : ASK_ALL);
	else if (!works)
		conclude(p, true, REPAIR_BREAKS, ASK_COUNTS);
	else
		go_on(p);
}

static bool proof_next(struct search *search, struct arena *arena, struct question *q)
{
	struct proof *p = (struct proof *)search;
	struct edit whole;
	if (p->checks && p->open)
		return false;
	if (p->checks) {
		p->open = true;
		*q = (struct question){ .id = CHECK, .edit = with(p, p->check, p->checked, arena) };
		return true;
	}
	if (!p->hunt || !search_next(p->hunt, arena, q))
		return false;
	bool fine = edit_union(arena, p->plain, q->edit, &whole);
	q->edit = fine ? with(p, p->asked, whole, arena) : EDIT_NONE;
	return true;
}

static void proof_tell(struct search *search, uint32_t id, bool interesting)
{
	struct proof *p = (struct proof *)search;
	if (id == CHECK)
		tell_check(p, interesting);
	else {
		search_tell(p->hunt, id, interesting);
		p->tries -= p->tries > 0;
		if (p->hunt->n_accepted != p->accepted)
			check(p);
	}
	settle(p);
}

static struct search *proof_clone(const struct search *search)
{
	struct proof *p = mem_dup(search, sizeof *p);
	edit_sites_ref(p->edit_sites);
	repair_ref(p->repair);
	repair_ref(p->counts);
	if (p->s.left)
		repair_ref(p->s.left);
	if (p->hunt)
		p->hunt = search_clone(p->hunt);
	p->plain = edit_keep(p->plain);
	p->checked = edit_keep(p->checked);
	p->s.accepted = edit_keep(p->s.accepted);
	return &p->s;
}

static void proof_free(struct search *search)
{
	struct proof *p = (struct proof *)search;
	search_free(p->hunt);
	edit_sites_unref(p->edit_sites);
	repair_unref(p->repair);
	repair_unref(p->counts);
	repair_unref(p->s.left);
	edit_drop(p->plain);
	edit_drop(p->checked);
	edit_drop(search->accepted);
	free(p);
}

struct search *proof_new(struct edit_sites *edit_sites, const struct hunt_options *options)
{
	static const struct search_ops ops = { proof_next, proof_tell, proof_clone, proof_free };
	struct proof *p = mem_zero(1, sizeof *p);
	p->s.ops = &ops;
	p->edit_sites = edit_sites_ref(edit_sites);
	p->options = *options;
	p->repair = repair_ref(edit_sites->view->records->repair);
	p->counts = repair_without_places(p->repair);
	p->has_places = p->counts->n < p->repair->n;
	begin(p, ASK_ALL);
	settle(p);
	return &p->s;
}
