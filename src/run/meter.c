#include "run/meter.h"

#include "base/io.h"
#include "fence/usage.h"
#include "run/wire.h"

enum { SHARE = 16, BYTES_PER_NS = 8 }; /* nobody writes more than 8 GB/s */

struct meter meter_start(const struct wire_request *rq, const struct sets *sets)
{
	return (struct meter){ .rq = rq, .sets = sets };
}

static bool is_full(const struct meter *meter)
{
	uint64_t most = meter->rq->file_limit;
	return most && sets_bytes(meter->sets, meter->rq->generation, most) > most;
}

enum answer_why meter_look(struct meter *meter)
{
	uint32_t most = meter->rq->process_limit;
	uint64_t begin = io_now();
	if (begin < meter->next_ns)
		return ANSWER_OWN;
	enum answer_why why = is_full(meter)                         ? ANSWER_FILES
	                      : most && usage_processes(most) > most ? ANSWER_PROCESSES
	                                                             : ANSWER_OWN;
	uint64_t end = io_now();
	meter->next_ns = end + (end - begin) * SHARE;
	return why;
}

enum answer_why meter_end(const struct meter *meter, uint64_t wall_ns)
{
	if (meter->rq->file_limit / BYTES_PER_NS > wall_ns)
		return ANSWER_OWN; /* it cannot have written that much */
	return is_full(meter) ? ANSWER_FILES : ANSWER_OWN;
}
