/* drive [-n NAME] [-s STORE] [-l LINES] [-t STEPS] [-S SEED] [-o OPTIONS] [-f] [-T] [-k STOP [-p]]
 * [-K STEP] [-w STEP]
 *       [-H FIFO] FILE
 * Plays a reduction (play.h) of FILE, which is made when missing. -k stops after that step, with -p
 * cleanly; -K kills itself with SIGKILL there; -w twists the content from there on; -H prints
 * "ready" after the first step and waits for a line in FIFO; -f starts over; -T adds what the
 * store's calls cost. Prints "tip ID asked N known M". Exit status: 0, 1 when something could not
 * be kept, 2 when it could not begin. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "play.h"

struct plan {
	unsigned die_at;
	const char *fifo;
};

static void after_step(void *ctx, unsigned step)
{
	struct plan *plan = ctx;
	char line[16];
	if (plan->die_at == step)
		raise(SIGKILL);
	if (!plan->fifo || step != 1)
		return;
	puts("ready");
	fflush(stdout);
	FILE *f = fopen(plan->fifo, "r");
	if (!f || !fgets(line, sizeof line, f))
		exit(2);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct plan plan = { 0 };
	bool times = false;
	struct play p = { .lines = 200, .steps = 50, .seed = 1, .each = after_step, .ctx = &plan };
	struct err err = { 0 };
	for (int c; (c = getopt(argc, argv, "n:s:l:t:k:pfS:K:w:o:TH:")) != -1;) {
		unsigned number = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;
		switch (c) {
		case 'n':
			p.name = optarg;
			break;
		case 's':
			p.store = optarg;
			break;
		case 'l':
			p.lines = number;
			break;
		case 't':
			p.steps = number;
			break;
		case 'k':
			p.stop_after = number;
			break;
		case 'p':
			p.pause = true;
			break;
		case 'f':
			p.fresh = true;
			break;
		case 'S':
			p.seed = number;
			break;
		case 'K':
			plan.die_at = number;
			break;
		case 'w':
			p.twist = number;
			break;
		case 'o':
			p.options = optarg;
			break;
		case 'H':
			plan.fifo = optarg;
			break;
		case 'T':
			times = true;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		return 2;
	p.path = argv[optind];
	if (access(p.path, F_OK) < 0)
		play_original(&p);
	int rc = play_run(&p, &err);
	fputs(p.notices, stderr);
	if (rc < 0 || p.failures)
		fprintf(stderr, "drive: %s\n", err.msg);
	if (rc < 0)
		return 2;
	printf("tip %s asked %u known %u\n", p.tip, p.asked, p.known);
	if (times)
		printf("begin %.1f ms, %.3f ms a step\n", (double)p.begin_ns / 1e6,
		       (double)p.store_ns / 1e6 / p.steps);
	return p.failures ? 1 : 0;
}
