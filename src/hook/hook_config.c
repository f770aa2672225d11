#include "hook/hook_config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"

enum { DEFAULT_SLACK = 10 };
static const uint64_t DEFAULT_BUDGET_NS = 10000000000u;

static const char *const modes[] = { "check", "minimize", "warn", "off" };

const char *hook_mode_name(enum hook_mode mode)
{
	return modes[mode];
}

static int set_mode(struct hook_config *config, const char *value, struct err *err)
{
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcasecmp(value, modes[i])) {
			config->mode = (enum hook_mode)i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
	               "git config whittle.prePush: \"%s\" is not check, minimize, warn or off",
	               value);
}

static int set_text(char **field, const char *value)
{
	free(*field);
	*field = *value ? mem_strdup(value) : NULL;
	return 0;
}

static int set_budget(struct hook_driver *d, const char *value, struct err *err)
{
	char *end;
	double v = strtod(value, &end);
	double unit = !*end || !strcmp(end, "s") ? 1
	              : !strcmp(end, "m")        ? 60
	              : !strcmp(end, "h")        ? 3600
	                                         : 0;
	if (end == value || !(v > 0) || unit == 0 || v * unit > 1e9)
		return err_set(err, ERR_USAGE,
		               "git config whittle.%s.budget: \"%s\" is not a duration (seconds, "
		               "or with suffix s, m or h)",
		               d->name, value);
	d->budget_ns = (uint64_t)(v * unit * 1e9);
	return 0;
}

static int set_slack(struct hook_driver *d, const char *value, struct err *err)
{
	char *end;
	errno = 0;
	long v = strtol(value, &end, 10);
	if (end == value || (*end && strcmp(end, "%")) || errno || v < 0 || v > 99)
		return err_set(err, ERR_USAGE,
		               "git config whittle.%s.slack: \"%s\" is not a percentage below 100",
		               d->name, value);
	d->slack = (unsigned)v;
	return 0;
}

static int set_unchecked(enum hook_unchecked *field, const char *key, const char *value,
                         struct err *err)
{
	bool warn = !strcasecmp(value, "warn");
	if (!warn && strcasecmp(value, "block"))
		return err_set(err, ERR_USAGE, "git config %s: \"%s\" is not warn or block", key,
		               value);
	*field = warn ? HOOK_UNCHECKED_WARN : HOOK_UNCHECKED_BLOCK;
	return 0;
}

bool hook_config_blocks(const struct hook_config *config, const char *name)
{
	const struct hook_driver *d = hook_config_driver(config, name);
	enum hook_unchecked u = d && d->unchecked ? d->unchecked : config->unchecked;
	return u == HOOK_UNCHECKED_BLOCK;
}

uint64_t hook_config_budget_ns(const struct hook_config *config)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < config->n; i++)
		if (config->drivers[i].test)
			sum += config->drivers[i].budget_ns;
	return sum ? sum : DEFAULT_BUDGET_NS;
}

struct hook_driver *hook_config_driver(const struct hook_config *config, const char *name)
{
	for (size_t i = 0; i < config->n; i++)
		if (!strcmp(config->drivers[i].name, name))
			return &config->drivers[i];
	return NULL;
}

static struct hook_driver *add_driver(struct hook_config *config, const char *name)
{
	MEM_GROW(config->drivers, config->n, config->cap);
	struct hook_driver *d = &config->drivers[config->n++];
	*d = (struct hook_driver){ .name = mem_strdup(name),
		                   .budget_ns = DEFAULT_BUDGET_NS,
		                   .slack = DEFAULT_SLACK };
	return d;
}

/* One setting; KEY as git prints it: "whittle.prepush", "whittle.DRIVER.test". Keys of other parts
 * are passed over. */
static int take(struct hook_config *config, char *key, const char *value, struct err *err)
{
	char *name = key + strlen("whittle."), *last = strrchr(name, '.');
	if (!last && !strcmp(name, "unchecked"))
		return set_unchecked(&config->unchecked, key, value, err);
	if (!last)
		return strcmp(name, "prepush") ? 0 : set_mode(config, value, err);
	static const char *const known[] = { "test", "tokenizer", "budget", "slack", "unchecked" };
	size_t which = 0;
	while (which < sizeof known / sizeof *known && strcmp(last + 1, known[which]))
		which++;
	if (which == sizeof known / sizeof *known)
		return 0;
	char *whole = mem_strdup(key);
	*last = '\0';
	struct hook_driver *d = hook_config_driver(config, name);
	if (!d)
		d = add_driver(config, name);
	int rc = which == 0   ? set_text(&d->test, value)
	         : which == 1 ? set_text(&d->tokenizer, value)
	         : which == 2 ? set_budget(d, value, err)
	         : which == 3 ? set_slack(d, value, err)
	                      : set_unchecked(&d->unchecked, whole, value, err);
	free(whole);
	return rc;
}

int hook_config_parse(struct hook_config *config, const char *const texts[], struct err *err)
{
	int rc = 0;
	*config = (struct hook_config){ 0 };
	for (; rc == 0 && *texts; texts++) {
		char *key = mem_strdup(*texts), *value = strchr(key, '=');
		*value++ = '\0';
		rc = take(config, key, value, err);
		free(key);
	}
	return rc;
}

int hook_config_load(struct hook_config *config, struct err *err)
{
	static const char *const argv[] = { "config", "-z", "--get-regexp", "^whittle\\.", NULL };
	struct buf out = { 0 };
	struct git_call call = { .argv = argv };
	*config = (struct hook_config){ 0 };
	int status = git_run(&call, &out, err), rc = status < 0 ? -1 : 0;
	if (status > 1) /* 1: there is no such key */
		rc = err_set(err, ERR_SYSTEM, "git config: exit status %d", status);
	/* KEY LF VALUE NUL, or KEY NUL for a key without a value. */
	for (char *key = out.data; rc == 0 && key && key < out.data + out.len;) {
		size_t len = strlen(key);
		char *value = strchr(key, '\n');
		if (value)
			*value++ = '\0';
		rc = take(config, key, value ? value : "", err);
		key += len + 1;
	}
	buf_release(&out);
	return rc;
}

void hook_config_release(struct hook_config *config)
{
	for (size_t i = 0; i < config->n; i++) {
		free(config->drivers[i].name);
		free(config->drivers[i].test);
		free(config->drivers[i].tokenizer);
	}
	free(config->drivers);
	*config = (struct hook_config){ 0 };
}
