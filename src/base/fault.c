#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

/* Where faults can be put. */
static const char *const edit_sites[] = {
	"file-write",   "file-fsync",   "file-rename",   "file-exchange",
	"file-between", "journal-open", "journal-write", "journal-fsync",
	"lock",         "pack-write",   "pack-fsync",    "pack-keep",
	"pack-rename",  "ref-update",   "merge",         "reopen",
};

static const struct {
	const char *name;
	int error;
} errors[] = {
	{ "ENOSPC", ENOSPC }, { "EIO", EIO },       { "EROFS", EROFS },
	{ "EACCES", EACCES }, { "ENOENT", ENOENT }, { "EINTR", EINTR },
	{ "EINVAL", EINVAL }, { "short", ENOSPC },  { "kill", EIO },
};

static const char *place_named(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof edit_sites / sizeof *edit_sites; i++)
		if (strlen(edit_sites[i]) == len && !memcmp(edit_sites[i], text, len))
			return edit_sites[i];
	return NULL;
}

static bool parse_what(struct fault *f, const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);
	size_t word = at ? (size_t)(at - text) : len;
	f->wait = at ? (unsigned)strtoul(at + 1, NULL, 10) : 1;
	f->once = text[len - 1] == '!';
	f->half = word == 5 && !memcmp(text, "short", 5);
	f->kill = word == 4 && !memcmp(text, "kill", 4);
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (strlen(errors[i].name) == word && !memcmp(errors[i].name, text, word))
			f->error = errors[i].error;
	return f->error && f->wait;
}

int faults_load(struct faults *faults, struct err *err)
{
	*faults = (struct faults){ 0 };
	const char *p = getenv("WHITTLE_FAULT");
	while (p && *p) {
		size_t len = strcspn(p, ",");
		const char *colon = memchr(p, ':', len);
		struct fault f = { 0 };
		if (colon && (size_t)(colon - p) + 1 < len)
			f.name = place_named(p, (size_t)(colon - p));
		if (!f.name || faults->n == FAULT_MAX ||
		    !parse_what(&f, colon + 1, len - (size_t)(colon - p) - 1))
			return err_set(err, ERR_USAGE, "WHITTLE_FAULT: cannot do '%.*s'", (int)len,
			               p);
		faults->list[faults->n++] = f;
		p += len + (p[len] == ',');
	}
	return 0;
}

static void tell_hit(const char *name)
{
	const char *path = getenv("WHITTLE_FAULT_HITS");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	char line[64];
	int len = snprintf(line, sizeof line, "%s\n", name);
	(void)!write(fd, line,
	             (size_t)len); /* one write: several processes may reach this at once */
	close(fd);
}

static struct fault *find_striking(struct faults *faults, const char *name)
{
	for (unsigned i = 0; faults && i < faults->n; i++) {
		struct fault *f = &faults->list[i];
		if (strcmp(f->name, name) || (f->once && f->hits))
			continue;
		if (f->wait > 1) {
			f->wait--;
			continue;
		}
		f->hits++;
		tell_hit(name);
		if (f->kill)
			raise(SIGKILL);
		return f;
	}
	return NULL;
}

bool fault_strikes(struct faults *faults, const char *name)
{
	struct fault *f = find_striking(faults, name);
	if (f)
		errno = f->error;
	return f;
}

bool fault_strikes_write(struct faults *faults, const char *name, size_t *len)
{
	struct fault *f = find_striking(faults, name);
	if (!f)
		return false;
	*len = f->half ? *len / 2 : 0;
	errno = f->error;
	return true;
}
