#include "cli/resume_kept.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/git_config.h"
#include "reduce/session_store.h"

static int check_program(const struct reduction *r, const char *command, struct err *err)
{
	MEM_SCOPED char *program = mem_printf("%.*s", (int)strcspn(command, " "), command);
	int rc = access(program, X_OK);
	if (rc < 0)
		err_set(err, ERR_USAGE,
		        "external pass \"%s\" is gone; name all of '%s' with --external COMMAND",
		        command, r->location.name);
	return rc;
}

/* The first line of a command's test: #!PATH of it (condition.h). */
static const char JUDGE[] = "/whittle-judge";

int resume_check_test(struct reduction *r, struct err *err)
{
	BUF_SCOPED struct buf kept = { 0 };
	int rc = 0;
	if (reduction_test(r, &kept, NULL) == 1 && kept.len > 2 && !memcmp(kept.data, "#!", 2)) {
		MEM_SCOPED char *judge =
			mem_printf("%.*s", (int)strcspn(kept.data + 2, "\n"), kept.data + 2);
		size_t len = strlen(judge), end = sizeof JUDGE - 1;
		if (len > end && !strcmp(judge + len - end, JUDGE) && access(judge, X_OK) < 0)
			rc = err_set(err, ERR_TEST,
			             "%s, with which reduction '%s' was begun, is gone; the "
			             "command that began it, with --fresh, starts over from the "
			             "original with this whittle",
			             judge, r->location.name);
	}
	return rc;
}

int resume_take_external(struct reduction *r, struct session_options *o, char **commands,
                         struct err *err)
{
	int rc = 0;
	*commands = reduction_local(r, SESSION_STORE_EXTERNAL);
	if (o->settings.no_external || !*commands || !**commands)
		return 0;
	o->external.pass_dir = NULL;
	char *at = o->external.n ? NULL : *commands, *end;
	for (; at && rc == 0 && o->external.n < SESSION_MAX_EXTERNAL; at = end) {
		if ((end = strstr(at, "; "))) {
			*end = '\0';
			end += 2;
		}
		o->external.commands[o->external.n++] = at;
		rc = check_program(r, at, err);
	}
	return rc;
}

int resume_take_allowed(struct reduction *r, const char *file, struct fence_options *f,
                        struct err *err)
{
	if (f->n_allow)
		return 0;
	MEM_SCOPED char *allowed = reduction_local(r, SESSION_STORE_ALLOWED);
	int rc = allowed ? fence_options_take(f, allowed, err) : 0;
	const bool level_given = f->given;
	f->given = true; /* of the configuration only the paths count */
	if (!allowed && f->kept_paths)
		rc = fence_config(file, f, err);
	f->given = level_given;
	return rc;
}

void resume_take_life(struct reduction *r, struct session_options *o)
{
	MEM_SCOPED char *lives = reduction_local(r, SESSION_STORE_LIVES);
	o->tests.persistent |= lives && !strcmp(lives, "yes");
}
