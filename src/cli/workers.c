#include "cli/workers.h"

#include "base/err.h"
#include "base/options.h"
#include "reduce/session_options.h"

static struct session_far *far_of(void *target, const struct option_row *row)
{
	return (struct session_far *)(void *)((char *)target + row->offset);
}

static int too_many(const struct option_row *row, int most, struct err *err)
{
	return err_set(err, ERR_USAGE, "option --%s: no more than %d of them", row->name, most);
}

int workers_add(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct session_far *far = far_of(target, row);
	if (far->n == FAR_WORKERS)
		return too_many(row, FAR_WORKERS, err);
	if (!*text)
		return err_set(err, ERR_USAGE, "option --%s: there is no command", row->name);
	far->commands[far->n++] = text;
	return 0;
}

int workers_set_source(void *target, const struct option_row *row, const char *text,
                       struct err *err)
{
	if (!*text)
		return err_set(err, ERR_USAGE, "option --%s: neither a FIFO nor a command",
		               row->name);
	far_of(target, row)->from = text;
	return 0;
}

int workers_add_file(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct session_far *far = far_of(target, row);
	if (far->n_with == FAR_WITH)
		return too_many(row, FAR_WITH, err);
	far->with[far->n_with++] = text;
	return 0;
}
