/* What an oracle of workers is told (far.h). */
#pragma once

#include <stdbool.h>

struct setup;

enum { FAR_WORKERS = 1024, FAR_WITH = 64 };

struct far_options {
	const struct setup *setup;   /* how tests are run; its notice hears of workers */
	const char *const *commands; /* n of them, each of which starts a worker */
	const char *const *with;     /* further files that the test needs, n_with of them */
	const char *from; /* names more of them while the oracle works (source.h); NULL: nothing */
	unsigned n, n_with;
	bool tests_here; /* whether LOCAL runs tests, too; at least one slot it has in any case */
};
