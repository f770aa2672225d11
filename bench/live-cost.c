/* What it costs to be told of 20,000 successes a second: the model of the live display, with four
 * pictures a second of 200 by 60, and the lines of --events, into a file. Prints the share of one
 * processor that each takes; 2 when all together are more than one in a hundred. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "text/testcase.h"
#include "ui/events.h"
#include "ui/live_draw.h"

enum { EVENTS = 20000, SECONDS = 5, PICTURES = 4, LINE = 16, SIZE = 64 << 10 };

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* SIZE bytes of lines, and one that lacks the Nth of them. */
static struct testcase *text(unsigned n)
{
	uint8_t *bytes = mem_zero(SIZE + 1, 1);
	uint32_t to = 0;
	for (unsigned i = 0; i < SIZE / LINE; i++)
		if (i != n)
			to += (uint32_t)snprintf((char *)bytes + to, LINE + 1, "%0*u\n", LINE - 1,
			                         i);
	return testcase_new("crash.c", 0644, bytes, to);
}

/* Seconds of processor time for the events of SECONDS. */
static double write_events(void)
{
	char path[] = "/tmp/live-cost-XXXXXX";
	struct err err = { 0 };
	int fd = mkstemp(path);
	struct events *e = fd < 0 ? NULL : events_open(path, &err);
	double start = cpu();
	for (unsigned i = 0; e && i < EVENTS * SECONDS; i++) {
		const struct event_facts f = { .ns = (uint64_t)i * 1000000000u / EVENTS,
			                       .bytes = SIZE - i % SIZE,
			                       .answers = 2 * i,
			                       .tests = 3 * i };
		events_pass(e, "accept", "lines", &f);
	}
	double spent = cpu() - start;
	events_close(e);
	unlink(path);
	if (fd >= 0)
		close(fd);
	return spent;
}

int main(void)
{
	struct live_model *m = mem_alloc(sizeof *m);
	struct testcase *cases[64];
	const struct live_setting setting = { .file = "crash.c",
		                              .tokenizer = "c",
		                              .fence = "write",
		                              .limits = "1 s",
		                              .externals = "none",
		                              .original = SIZE };
	const struct live_view view = { .page = LIVE_MAIN };
	struct grid g = { 0 };
	double events = 0, pictures = 0;
	for (unsigned i = 0; i < 64; i++)
		cases[i] = text(i * 37);
	live_model_init(m, &setting, cases[0]);
	for (unsigned i = 0; i < EVENTS * SECONDS; i++) {
		uint64_t ns = (uint64_t)i * 1000000000u / EVENTS;
		double start = cpu();
		if (i % 100 == 0) /* the clock costs as much as what it measures */
			for (unsigned k = 0; k < 100; k++)
				live_model_accepted(m, cases[(i + k) % 64], "lines",
				                    ns + k * 50000u, i + k);
		events += i % 100 == 0 ? cpu() - start : 0;
		if (i % (EVENTS / PICTURES))
			continue;
		start = cpu();
		live_model_now(m, &(struct live_facts){
					  .ns = ns, .tests = i, .jobs = 4, .pass = "lines" });
		grid_clear(&g, 60, 200);
		live_draw(m, &view, &g);
		pictures += cpu() - start;
	}
	printf("%u successes a second, %u bytes: %.4f of a processor\n", (unsigned)EVENTS,
	       (unsigned)SIZE, events / SECONDS);
	printf("%u pictures a second, 200 by 60: %.4f of a processor\n", (unsigned)PICTURES,
	       pictures / SECONDS);
	double lines = write_events();
	printf("%u events a second into a file: %.4f of a processor\n", (unsigned)EVENTS,
	       lines / SECONDS);
	grid_release(&g);
	live_model_release(m);
	free(m);
	for (unsigned i = 0; i < 64; i++)
		testcase_unref(cases[i]);
	return (events + pictures + lines) / SECONDS > 0.01 ? 2 : 0;
}
