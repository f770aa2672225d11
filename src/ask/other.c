#include "ask/other.h"

#include <stdio.h>
#include <sys/wait.h>

#include "ask/signature.h"
#include "base/hash.h"
#include "base/mem.h"

enum { DIRS = 16 };

int other_parse(struct other_wish *wish, const char *text, const char **end)
{
	*wish = (struct other_wish){ 0 };
	for (;;) {
		size_t len = strcspn(text, ",\n");
		char *stop;
		long status = strtol(text, &stop, 10);
		if (len == 3 && !memcmp(text, "any", 3))
			wish->any = true;
		else if (len && stop == text + len && status > 0 && status < 256)
			wish->statuses[status] = true;
		else
			return -1;
		text += len;
		if (*text != ',')
			break;
		text++;
	}
	if (end)
		*end = text;
	return 0;
}

static struct families *load(const char *lines)
{
	char *dirs[DIRS + 1] = { NULL };
	size_t n = 0;
	while (*lines == '\n' && n < DIRS) {
		size_t len = strcspn(lines + 1, "\n");
		dirs[n++] = mem_printf("%.*s", (int)len, lines + 1);
		lines += 1 + len;
	}
	struct families *all = families_load((const char *const *)dirs, NULL);
	while (n)
		free(dirs[--n]);
	return all;
}

/* Is it an error in the input, or our own failure with another exit status, rather than another
 * failure? */
static bool is_ours(const struct condition *c, const struct buf *text, char *const *operands)
{
	struct signature found;
	struct family *f = c->family ? family_parse("family", c->family, NULL) : NULL;
	if (!f)
		return false;
	bool ours = c->alone && family_fails_otherwise(f, text->data, text->len);
	if (!ours && family_find(f, text->data, text->len, (const char *const *)operands, &found)) {
		ours = !strcmp(found.text, c->signature);
		free(found.text);
	}
	family_free(f);
	return ours;
}

static bool find_signature(const struct condition *c, const struct outcome *o,
                           char *const *operands, const char *dirs, struct other *out)
{
	struct signature found;
	BUF_SCOPED struct buf text = outcome_text(o);
	bool ours = is_ours(c, &text, operands);
	SCOPED(families_scoped) struct families *all = ours ? NULL : load(dirs);
	if (all && families_find(all, text.data, text.len, (const char *const *)operands, &found)) {
		out->family = mem_strdup(family_name(found.family));
		out->signature = found.text;
	}
	return !ours && (out->signature || WIFSIGNALED(o->status));
}

bool other_find(const struct condition *c, const struct outcome *o, char *const *operands,
                const char *text, struct other *out)
{
	struct other_wish wish;
	const char *dirs;
	*out = (struct other){ .status = o->status };
	if (o->timed_out || !o->status || other_parse(&wish, text, &dirs) < 0)
		return false;
	if (WIFEXITED(o->status) && wish.statuses[WEXITSTATUS(o->status)]) {
		out->code = OTHER_STATUS + WEXITSTATUS(o->status) % OTHER_STATUSES;
		return true;
	}
	if (!wish.any || !find_signature(c, o, operands, dirs, out))
		return false;
	const char *what = out->signature ? out->signature : "";
	struct hash h = hash_bytes(what, strlen(what), (uint64_t)o->status);
	out->code = OTHER_SIGNATURE + (int)(h.lo % OTHER_SIGNATURES);
	return true;
}

void other_release(struct other *other)
{
	free(other->family);
	free(other->signature);
	*other = (struct other){ 0 };
}

char *other_text(const struct other *o)
{
	return mem_printf("other %d\n%s\n%s\n", o->status, o->family ? o->family : "",
	                  o->signature ? o->signature : "");
}

/* The line at *AT, NULL when it is empty. */
static char *take_line(const char **at)
{
	size_t len = strcspn(*at, "\n");
	char *line = len ? mem_printf("%.*s", (int)len, *at) : NULL;
	*at += len + ((*at)[len] == '\n');
	return line;
}

int other_read(struct other *o, const char *text)
{
	int end = 0;
	*o = (struct other){ 0 };
	if (sscanf(text, "other %d%n", &o->status, &end) != 1 || text[end] != '\n' || !o->status)
		return -1;
	text += end + 1;
	o->family = take_line(&text);
	o->signature = take_line(&text);
	return !o->family == !o->signature ? 0 : -1;
}
