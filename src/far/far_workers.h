/* The inside of the oracle of workers: what it is made of, what a worker is told, its beginning and
 * its end, and what each has to answer first. far_workers.c is what workers say, far.c asks and
 * waits.
 */
#pragma once

#include "ask/tools.h"
#include "far/bases.h"
#include "far/far_options.h"
#include "far/worker_process.h"
#include "run/oracle.h"

/* Where a question is, unless a worker has it, whose number it is then. */
enum { NOWHERE = -1, HERE = -2, ANSWERED = -3 };

/* A question that is open. */
struct far_question {
	struct oracle_request rq; /* a copy; tc NULL: too large to be kept, or to be had again */
	struct origin made;       /* how that was made, for the words of it; owned */
	struct oracle_output output;
	int where;
	unsigned member; /* of that worker */
	uint64_t number; /* by which the worker knows it */
	uint64_t asked_ns;
	bool whole; /* a worker could not make sense of it as an edit */
	bool here;  /* a calibration test case, of which nothing is known yet, and tests run here */
};

enum { CALIBRATIONS = 2 };

/* Something of which the verdict is known, or (VERDICT_UNKNOWN) soon will be. */
struct far_calibration {
	struct testcase *tc;
	enum verdict verdict; /* VERDICT_TIMEOUT: it is of no use */
};

/* The programs that the test runs. */
struct far_tools {
	struct far_tool {
		char *name, *version; /* as the protocol has them (words.h) */
		bool here; /* that version is; else that of the first worker which has one */
	} list[TOOLS_MOST];
	unsigned n;
};

#define FAR_SOURCE (UINT32_MAX - 1) /* among the data of the epoll */
#define FAR_WORDS (1u << 30)        /* and what a worker says aside: this, and its number */

enum far_state {
	FAR_GONE,   /* and not started again */
	FAR_RESTS,  /* and started again in a while */
	FAR_STARTS, /* it has not said yet that it is a worker */
	FAR_READS,  /* the bundle; nobody is ready yet */
	FAR_WORKS,
	FAR_LEAVES, /* it has been told to end */
	FAR_ENDS,   /* it is of no use, and its processes are ending */
};

enum member_state {
	MEMBER_READS, /* the bundle; it is not ready yet */
	MEMBER_WORKS,
	MEMBER_GONE, /* and not asked any more, as long as the others are there */
};

/* One of those who share a worker's input and output, as the tasks of one srun do: all read all,
 * and are asked by name. */
struct far_member {
	char name[FRAMES_NAME]; /* as it calls itself */
	enum member_state state;
	unsigned slots, open; /* tests that it runs at a time; questions that it has */
	uint64_t heard_ns;
	bool silent; /* it has not been heard of for long; nothing is open there */
	enum verdict said[CALIBRATIONS]; /* of them; VERDICT_UNKNOWN: nothing yet */
	uint64_t calibration;            /* number of that question; 0: none is open */
	unsigned of;                     /* which one that is about */
	uint64_t calibration_ns;         /* when it was asked */
	unsigned failures;               /* in a row */
	unsigned tools;                  /* that it has named */
};

/* What one command has started. */
struct far_worker {
	struct worker_process process;
	enum far_state state;
	struct far_member *members;  /* n of them */
	unsigned n, cap, asked;      /* ASKED: for whom its input is; UINT_MAX: for nobody */
	struct oracle_limits limits; /* as all know them */
	struct bases_there there;
	uint32_t news;    /* events of its descriptors */
	bool full;        /* its input takes no more now, and is watched for that */
	unsigned answers; /* since it was started */
	unsigned in_vain; /* starts in a row after which it answered nothing but what is known */
	uint64_t until;   /* FAR_RESTS, FAR_ENDS: when more is to be done about it */
	const char *why;  /* FAR_ENDS: why it is of no use, and how many questions it had */
	unsigned lost;
	char *added; /* its command, when it came later (--workers-from); NULL: it did not */
	bool leaves; /* it is asked nothing more, and ends when nothing is open */
};

/* What was looked at last. With many workers, and caches that others have used meanwhile, a walk
 * over all of them costs more than what there is to do for an answer. */
struct far_attention {
	uint64_t overdue_ns; /* when answers that are overdue were looked for */
	uint64_t all_ns;     /* when all workers were looked after; 0: it is time to */
	unsigned room;       /* of all workers, if that is known: see far_room_changes */
	bool room_known;
	uint64_t test_ns; /* how long a test takes, rather too short than too long; 0: not known */
	bool fresh;       /* there was news when workers were looked at last */
	bool unsaid;      /* they are told something that is not written yet */
};

/* Answers of workers that are to be taken. */
struct far_arrived {
	struct answer *list; /* n of them */
	size_t n, cap;
};

struct far {
	struct oracle oracle; /* first */
	struct oracle *local;
	struct far_options options;
	struct buf bundle;
	struct bases bases;
	struct {
		struct far_question *list; /* in any order */
		size_t n, cap;
		size_t held; /* bytes of the test cases that are kept */
	} open;
	struct far_worker *workers; /* n_workers of them, the first options.n by options.commands */
	struct far_calibration calibrations[CALIBRATIONS];
	unsigned n_workers, n_calibrations;
	struct oracle_limits calibration_limits;
	struct far_tools tools;
	bool trusted; /* workers may be used */
	bool paused, waits;
	struct source *source; /* NULL: no more workers come */
	uint64_t numbers;
	int epoll; /* data: number of the worker, with FAR_WORDS or not; or FAR_SOURCE */
	struct far_arrived arrived;
	struct far_attention seen;
};

/* How many questions wait for somebody who can be asked. */
unsigned far_waiting(const struct far *f);

/* Tells the user about a worker, and which member of it M (NULL: none) is: "worker 2 (ssh host
 * whittle worker): ..." */
void far_notice(const struct far *f, const struct far_worker *w, const struct far_member *m,
                const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Writes what the worker has not taken yet, as far as it takes it now. */
void far_flush(struct far *f, struct far_worker *w);

/* Starts the worker, for the first time or once more. */
void far_start(struct far *f, struct far_worker *w);

/* How many more questions the worker takes now. */
unsigned far_room(const struct far *f, const struct far_worker *w);

/* Something has changed by which workers may take more questions, or fewer. */
static inline void far_room_changes(struct far *f)
{
	f->seen.room_known = false;
}

/* Writes what workers are told, all of it at once to each: they may have to be woken for it. */
void far_say(struct far *f);

/* Asks the worker, TC being the candidate of Q; far_say sends it. */
void far_ask(struct far *f, struct far_worker *w, struct far_question *q, struct testcase *tc);

/* Q matters no more to the worker that has it; likewise. */
void far_take_back(struct far *f, struct far_question *q);

/* Whether somebody may still come to run tests. */
bool far_hopes(const struct far *f);

/* What the worker was asked, or the member M of it, if there is one, is asked elsewhere. How much
 * that is. */
unsigned far_give_back(struct far *f, struct far_worker *w, const struct far_member *m);

/* It can be used no more, for the reason WHY, a constant: FAR_ENDS, or what comes after. */
void far_lose(struct far *f, struct far_worker *w, const char *why);

/* Does what is to be done about one in the state FAR_ENDS by now. */
void far_await_end(struct far *f, struct far_worker *w);

/* The member M cannot be used any more, for the reason WHY; NULL, or WHY if it was the last one. */
const char *far_lose_member(struct far *f, struct far_worker *w, struct far_member *m,
                            const char *why);

/* One that is to leave is told so when nothing is open there; the rest it does by itself. */
void far_part(struct far *f, struct far_worker *w);

/* Ends all workers. */
void far_end(struct far *f);

/* Of TC the calibration test case, or NULL; and its verdict. */
struct far_calibration *far_calibration_of(struct far *f, const struct testcase *tc);
void far_set_verdict(struct far *f, struct far_calibration *w, enum verdict verdict);

/* There is a verdict on TC, which may be a calibration test case of which nothing was known. */
void far_learn_calibration(struct far *f, const struct testcase *tc, enum verdict verdict);

/* Is TC a calibration test case of which nothing is known? No worker is believed that. */
bool far_is_open(struct far *f, const struct testcase *tc);

/* Asks M about the next calibration test case, if it has to be. */
void far_examine(struct far *f, struct far_worker *w, struct far_member *m);

/* The source is read (EPOLL_CTL_ADD), or not. */
void far_watch_source(const struct far *f, int how);

/* Whether workers may still come. */
bool far_is_joined(const struct far *f);

/* Nothing is read from the source for a while: longer each time that a worker of it FAILED before
 * it gave an answer. Does nothing without a source. */
void far_rest(struct far *f, bool failed);

/* What workers say: answers, failures, the versions of the programs that they run. */

/* Takes in what has been read from the worker. NULL, or why it is of no use. */
const char *far_hear(struct far *f, struct far_worker *w);

/* M is not used any more if what it says of calibration test cases is not what is known. NULL, or
 * why W is of no use. */
const char *far_dismiss(struct far *f, struct far_worker *w, struct far_member *m);

/* Runs the programs that the test names, for their versions here. */
void far_find_tools(struct far *f);

void far_release_tools(struct far *f);
