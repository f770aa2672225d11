#include "base/signals.h"

#include <stddef.h>

void signals_add_stops(sigset_t *set)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		struct sigaction now;
		if (sigaction(stops[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, stops[i]);
	}
}
