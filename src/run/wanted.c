
#include <sys/wait.h>

#include "ask/condition.h"
#include "run/setup.h"

bool wanted_status(const struct setup *setup, int status)
{
	const struct outcome outcome = { .status = status };
	if (setup->live.forks)
		return condition_holds(setup->live.forks, &outcome, NULL);
	return WIFEXITED(status) && WEXITSTATUS(status) == setup->exit_code;
}
