/* What a driver is made of. Internal to driver.c, driver_ahead.c and driver_doubt.c. */
#ifndef WHITTLE_REDUCE_DRIVER_IMPL_H
#define WHITTLE_REDUCE_DRIVER_IMPL_H

#include "reduce/ahead.h"
#include "reduce/driver_def.h"
#include "reduce/reducer.h"
#include "run/verdicts.h"

/* A test that runs, or an external program. */
struct flight {
	uint64_t ticket;  /* 0: it is over, and there are doubts about it */
	struct hash hash; /* of the candidate; the key of a request */
	uint64_t ask;     /* the reducer's question; when real is false, the one it is expected to
	                     become */
	bool real;
	uint8_t chance; /* that a real one is interesting, in percent */
	uint64_t epoch; /* speculation that wanted it last */
	bool is_request, is_again;
	struct recipe recipe; /* of a real one whose candidate the oracle does not keep */
};

struct driver {
	struct reducer *reducer;
	struct ahead ahead;
	struct oracle *oracle;
	struct verdicts *verdicts;
	struct driver_options options;
	struct driver_stats *stats;
	struct err *err;
	uint32_t n_flights, cap_flights;
	struct flight *flights;
	bool holding; /* `held` waits for a free slot */
	struct ask held;
	struct edit held_edit; /* how it was made; owned */
	uint64_t skips;        /* of the reducer, as seen last */
	bool doubts;           /* about what the reducer has, and about what comes of them */
	bool left;             /* in the middle of its work: what it held is lost */
	bool looked;           /* at what stands when `after` is asked about */
	uint64_t tickets;
	struct hash branched; /* the single question whose other outcome was looked at last */
};

/* The reducer learns a true verdict, which stands in the table under HASH. */
void driver_tell(struct driver *d, uint64_t ask, struct hash hash, enum verdict verdict);

/* Under what the answer to ASK is known. */
struct hash driver_key(const struct driver *d, const struct ask *ask);

/* The flight of the question with this key; NULL: there is none. */
struct flight *driver_flight(struct driver *d, struct hash key);

/* Starts a test or a program, and takes over the recipe of ASK. REAL: the reducer waits for it. 0,
 * or -1 and err. */
int driver_submit(struct driver *d, struct ask *ask, bool real);
void driver_drop_ask(struct ask *ask);

/* Fills free slots with questions that may follow. 0, or -1 and err. */
int driver_speculate(struct driver *d);

/* The flight FROM is over. */
void driver_land(struct driver *d, struct flight *from);

/* Takes a flight back. */
void driver_cancel(struct driver *d, struct flight *flight);

/* Does the question KEY have to wait until the doubt about the present best test case is settled?
 */
bool driver_is_doubtful(struct driver *d, struct hash key);

/* There are doubts: once no test runs, the owner says what comes of them. DRIVER_RUNS: there are
 * none any more, or answers are awaited. */
enum driver_end driver_settle(struct driver *d);

#endif
