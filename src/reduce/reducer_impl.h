/* What a reducer is made of. Internal to reducer.c, its other files, and the stages. */
#pragma once

#include "reduce/reducer.h"
#include "reduce/stages.h"
#include "search/first.h"
#include "search/seen.h"

/* Pumps: the first sources are strategies, the last one is what external programs declare as pumps.
 */
struct pump_stage {
	bool active;           /* it is the pumps' turn, at home or away */
	bool asking;           /* the search is one over pumps */
	bool packs;            /* it is the one of pump_pack */
	bool opened, kept;     /* layers are open; home is what is left of them, packed */
	uint32_t pack_below;   /* the size below which they are packed */
	struct hash packed_on; /* the bytes in which that had something to ask */
	bool away;             /* an excursion is under way */
	struct hash tried_on;  /* the bytes on which all pumps were tried last */
	uint32_t source;
	bool first;                    /* at the beginning */
	struct edit_sites *edit_sites; /* of the source, on home; NULL: to be opened */
	struct first_cursor next;      /* where to resume in them */
	struct external_stage external;
	struct view *home;    /* the best test case; set while active */
	struct plan plan;     /* as it was at home */
	uint64_t began, left; /* answers when the stage began; when the excursion began */
	struct pass_stats stats;
};

/* Where a run stands. */
struct run_marks {
	uint32_t n_accepted;     /* of the search, as seen last */
	uint32_t n_rounds;       /* likewise */
	uint32_t mark_questions; /* questions in this run since `mark_size` was taken */
	uint32_t mark_size;      /* of the test case, when the run last proved to pay */
	uint64_t run_questions;  /* answered when the run began */
	uint32_t run_size;       /* of the test case then */
	uint32_t run_farthest;   /* search->cursor.at, the largest in this run */
};

struct reducer_counts {
	uint64_t asked, questions; /* handed out; answered */
	uint64_t rounds;           /* of all searches */
	uint64_t skips;            /* runs that were skipped */
	uint64_t known;            /* handed out in front of questions that were not known before */
	uint64_t tests;            /* answered, and not asked before: again_look */
	bool is_new;               /* it has come to these */
	bool is_idle;              /* too many of them brought no success */
	uint64_t last_success;     /* questions answered then */
};

/* The best test case is asked about again now and then. */
struct reducer_again {
	uint64_t points; /* passed so far */
	uint64_t asked;  /* in all */
	struct hash on;  /* the test case that was asked about last */
	unsigned times;  /* how often that was */
	unsigned due;    /* questions to come */
	unsigned open;   /* without an answer */
	bool at_end;     /* the result is asked about */
	/* The best test case is yet to be confirmed: */
	struct testcase *before; /* what was the best one; NULL: it is confirmed */
	bool is_asked;
	uint32_t steps; /* that were asked about */
};

/* Of the candidates asked about since the last success those with the smallest hashes, by hash; not
 * kept in clones. */
struct reducer_sample {
	struct sampled list[REDUCER_SAMPLE];
	unsigned n;
};

/* A question of this round. */
struct repeat {
	uint64_t id, key; /* KEY: of its bytes */
	enum verdict verdict;
	bool waits; /* for the answer to an earlier one about the same bytes */
};

struct refused;

/* What need not be asked. */
struct reducer_repeats {
	struct refused *refused; /* what was, in former rounds */
	struct repeat *list;     /* of this round */
	uint32_t n, cap;
	uint32_t n_waiting;
	uint64_t n_saved; /* questions that were not asked */
};

/* What was answered since reducer_answered; not kept in clones. */
struct reducer_log {
	struct answered *list;
	size_t n, cap;
};

struct reducer {
	struct plan plan;
	struct reducer_options options;
	struct reducer_observer observer;
	bool is_clone, left;
	struct view *base;
	struct testcase
		*current; /* base with what the search accepted; during an excursion not the best */
	struct search *search; /* NULL between runs */
	struct pass_run run;
	struct run_marks marks;
	struct reducer_counts counts;
	struct reducer_again again;
	struct reducer_sample sample;
	uint32_t n_open;
	unsigned finer;      /* bits: of a large base smaller pieces are kept apart, since those of
	                        former bases did not go */
	uint32_t n_searches; /* tells apart the questions of different runs */
	bool stopping;       /* the run's patience is at its end */
	bool skipped;        /* since it was skipped */
	bool left_external, left_pumps; /* skipped: their turn comes again before the end */
	struct reducer_repeats repeats;
	struct reducer_log log;
	bool has_begun;
	bool told;                      /* that a tokenizer has given up */
	struct external_stage external; /* passes */
	struct hash external_on;        /* the bytes on which they had their turn last */
	struct hash records_on;         /* the bytes in which records were looked for last */
	uint64_t early_next;            /* after so many questions it is the early ones' turn */
	unsigned early_vain;            /* turns of theirs since the last that gave something */
	struct pump_stage pump;
	struct arena asking; /* the edit of the last question */
	struct err *err;
};

/* What there is to do while no search is under way. */
enum turn {
	TURN_ASK = REDUCER_ASK,
	TURN_WAIT = REDUCER_WAIT,
	TURN_DONE = REDUCER_DONE,
	TURN_FAILED = REDUCER_FAILED,
	TURN_TAKEN, /* something has changed: look again */
};

/* The next thing to do, and *ask when that is a question. err is set with TURN_FAILED only. */
enum turn reducer_turn(struct reducer *r, struct ask *ask, struct err *err);

/* Begins the run that the plan chooses. False: it is dry, or err. */
bool reducer_start_run(struct reducer *r, struct err *err);

/* A view of TC, coarse where that is large. */
struct view *reducer_view(const struct reducer *r, struct testcase *tc,
                          const struct tokenizer *tokenizer);

/* Nothing more goes of what is kept apart: the base is looked at more closely. False: all of it
 * was. */
bool reducer_look_closer(struct reducer *r);

/* How many levels PASS has on the base of the reducer ARG; computes the structure that its strategy
 * needs. What goes wrong is told to r->err. */
uint32_t reducer_levels(void *arg, uint32_t pass);

/* Is the run one of the plan's? */
static inline bool reducer_is_of_plan(const struct reducer *r)
{
	return !r->pump.asking && !r->pump.packs && r->external.phase != EXTERNAL_HUNTING;
}

/* The statistics of what runs. */
struct pass_stats *reducer_run_stats(struct reducer *r);

/* Is what runs, or is waited for, to be skipped? At MOMENT, which names it among those of its kind
 * (a round, a batch of requests). */
bool reducer_skips_at(struct reducer *r, uint64_t moment);

/* --- the best one again (reducer_again.c) --- */

/* Between two rounds: is it time to ask? */
void again_look(struct reducer *r);

/* The result is asked about before the reduction ends. */
void again_end(struct reducer *r);

/* It is: the question. */
void again_ask(struct reducer *r, struct ask *ask);

/* Is ID such a question? */
bool again_is(uint64_t id);

/* It was answered: the best one is interesting still. True: it has become a step by that. */
bool again_tell(struct reducer *r, uint64_t id);

/* BEFORE, a reference, was the best one: what is now has to be confirmed before all else. */
void again_confirm(struct reducer *r, struct testcase *before);

/* Is that under way? *ask is the question, if it is yet to be asked; else its candidate is NULL. */
bool again_confirms(struct reducer *r, struct ask *ask);

/* --- a sample of what is refused (reducer_again.c) --- */

/* ASK is about to be asked. */
void sample_take(struct reducer *r, const struct ask *ask);

void sample_drop(struct reducer *r);

/* --- what was answered (reducer_again.c) --- */

void reducer_log_question(struct reducer *r, const struct ask *ask);
void reducer_log_answer(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns);

/* --- what need not be asked (reducer_again.c) --- */

void repeats_init(struct reducer_repeats *r);
void repeats_copy(struct reducer_repeats *r); /* after a copy of the struct */
void repeats_release(struct reducer_repeats *r);

/* Before the question ID, about bytes of the hash HASH: its answer, if it is known; else it is to
 * be asked, unless *WAITS: for the answer to another one. */
enum verdict repeats_ask(struct reducer_repeats *r, uint64_t id, struct hash hash, bool *waits);

/* The question ID has an answer, and so have others about these bytes, which repeats_tell returns
 * as a key: the next of them is *OTHER. False: there is no other. */
uint64_t repeats_tell(struct reducer_repeats *r, uint64_t id, enum verdict verdict);
bool repeats_next(struct reducer_repeats *r, uint64_t key, enum verdict verdict, uint64_t *other);

/* A round is over, and no question is open. */
void repeats_round(struct reducer_repeats *r, bool is_clone);

/* Questions answered, and those that need not be asked: how far it has come, wherever that decides
 * something. */
static inline uint64_t reducer_steps(const struct reducer *r)
{
	return r->counts.questions + r->repeats.n_saved;
}

/* --- searches --- */

/* Sets up a run of SEARCH, for which r->run is filled in. */
void reducer_begin_search(struct reducer *r, struct search *search);

/* --- records (reducer_records.c) --- */

/* Tells the base of those in it. */
void reducer_find_records(struct reducer *r);

/* Likewise when nothing was found that was proven, and the bytes are others since: what was around
 * it hid what is left. True: some were found, and the pass is to look at them. Clones do not look,
 * as each of them would again: where something is found, they have guessed wrong. */
bool reducer_seek_records(struct reducer *r);

/* KNOWN (NULL: none) after EDIT, which was accepted; the caller's. */
struct records *reducer_map_records(const struct reducer *r, const struct records *known,
                                    struct edit edit);

/* --- pumps (reducer_pump.c) --- */

/* Nothing is left but pumps: begins with them. False when they were all tried on these bytes. */
bool pump_begin(struct reducer *r);

/* Before anything else: begins with the pumps that come first. False when there are none. */
bool pump_begin_first(struct reducer *r);

/* Is what the search asks about the opening of layers? */
bool pump_opens(const struct reducer *r);

/* The next thing to do while pumps have their turn and no search is under way: *request is to be
 * asked, an answer to be waited for, a search was started (EXTERNAL_HUNT), or it is over. err may
 * be set (a tokenizer's limit). */
enum external_step pump_step(struct reducer *r, struct external_request *request, struct err *err);

bool pump_admits(const struct reducer *r,
                 const struct testcase *candidate); /* is it to be asked about? */

/* The search over pumps has ended; CHANGED: one of them was interesting, and r->base is what it
 * made. */
void pump_report(struct reducer *r, bool changed);

bool pump_is_tired(
	const struct reducer *r);  /* was the excursion long enough? Asked between rounds */
void pump_pays(struct reducer *r); /* something simpler than what was at home was found */

/* Begins a search that packs layers which are open. False when there are none, or it has been tried
 * on these bytes. */
bool pump_pack(struct reducer *r);

/* Has a part of what was open gone since that was tried? */
bool pump_may_pack(const struct reducer *r);

/* It is interesting so, and simpler than what there was: PACKED, which is taken over, is the best
 * test case, and an excursion with what is open goes on from where it was. */
void pump_keep(struct reducer *r, struct testcase *packed);

void pump_skip(struct reducer *r);    /* the pumps are left for now */
void pump_give_up(struct reducer *r); /* back home */
int64_t pump_way_back(
	const struct reducer *r); /* bytes that the way home would save; pumps are active */

/* A pass that comes last has changed the bytes FROM: what pumps did not find on them is not there
 * now. */
void pump_follow(struct reducer *r, struct hash from);

void pump_copy(struct pump_stage *p); /* after a copy of the struct */
void pump_release(struct pump_stage *p);

/* The best test case. */
static inline struct testcase *reducer_best(const struct reducer *r)
{
	return r->pump.active ? r->pump.home->tc : r->current;
}
