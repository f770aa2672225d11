/* What it costs to be told of 20,000 successes a second: the model of the live display, with four
 * pictures a second of 200 by 60, and the lines of --events, into a file. Prints the share of one
 * processor that each takes; 2 when all together are more than one in a hundred. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "text/testcase.h"
#include "ui/events.h"
#include "ui/live_draw.h"

enum { EVENTS = 20000, SECONDS = 5, PICTURES = 4, LINE = 16, SIZE = 64 << 10, CASES = 64 };

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
	char *path = io_temporary_name("live-cost");
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
	free(path);
	return spent;
}

/* The same lines, made by jansson: why src/ui/events.c writes numbers by hand. */
static double write_with_library(void)
{
	FILE *f = tmpfile();
	double start = cpu();
	for (unsigned i = 0; f && i < EVENTS * SECONDS; i++) {
		json_t *line =
			json_pack("{ss,si,si,ss,sf,si}", "event", "accept", "bytes",
		                  (int)(SIZE - i % SIZE), "answers", (int)(2 * i), "pass", "lines",
		                  "seconds", (double)i / EVENTS, "tests", (int)(3 * i));
		char *text = json_dumps(line, JSON_COMPACT);
		fprintf(f, "%s\n", text);
		free(text);
		json_decref(line);
	}
	double spent = cpu() - start;
	if (f)
		fclose(f);
	return spent;
}

struct cost {
	double events, pictures; /* seconds of processor time */
};

static void draw(struct live_model *m, struct grid *g, uint64_t ns, unsigned i)
{
	const struct live_view view = { .page = LIVE_MAIN };
	live_model_now(m, &(struct live_facts){ .ns = ns, .tests = i, .jobs = 4, .pass = "lines" });
	grid_clear(g, 60, 200);
	live_draw(m, &view, g);
}

/* Tells a display of the successes of SECONDS, and draws. */
static struct cost display(struct testcase *cases[CASES])
{
	const struct live_setting setting = { .file = "crash.c",
		                              .tokenizer = "c",
		                              .fence = "write",
		                              .limits = "1 s",
		                              .externals = "none",
		                              .original = SIZE };
	struct live_model *m = mem_alloc(sizeof *m);
	struct grid g = { 0 };
	struct cost cost = { 0 };
	live_model_init(m, &setting, cases[0]);
	/* A hundred at a time: the clock costs as much as what it measures. */
	for (unsigned i = 0; i < EVENTS * SECONDS; i += 100) {
		uint64_t ns = (uint64_t)i * 1000000000u / EVENTS;
		double start = cpu();
		for (unsigned k = 0; k < 100; k++)
			live_model_accepted(m, cases[(i + k) % CASES], "lines", ns + k * 50000u,
			                    i + k);
		cost.events += cpu() - start;
		start = cpu();
		if (i % (EVENTS / PICTURES) == 0)
			draw(m, &g, ns, i);
		cost.pictures += cpu() - start;
	}
	grid_release(&g);
	live_model_release(m);
	free(m);
	return cost;
}

int main(void)
{
	struct testcase *cases[CASES];
	for (unsigned i = 0; i < CASES; i++)
		cases[i] = text(i * 37);
	struct cost cost = display(cases);
	double lines = write_events(), library = write_with_library();
	printf("%u successes a second, %u bytes: %.4f of a processor\n", (unsigned)EVENTS,
	       (unsigned)SIZE, cost.events / SECONDS);
	printf("%u pictures a second, 200 by 60: %.4f of a processor\n", (unsigned)PICTURES,
	       cost.pictures / SECONDS);
	printf("%u events a second into a file: %.4f of a processor; by jansson %.4f, ratio %.1f\n",
	       (unsigned)EVENTS, lines / SECONDS, library / SECONDS, library / lines);
	for (unsigned i = 0; i < CASES; i++)
		testcase_unref(cases[i]);
	return (cost.events + cost.pictures + lines) / SECONDS > 0.01 ? 2 : 0;
}
