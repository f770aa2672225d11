#include "run/same_program.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_stat(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

/* What stands in the file now. False: it cannot be read. */
static bool read_content(const char *path, struct hash *content)
{
	struct err ignored;
	struct buf bytes = { 0 };
	bool can = io_read_file(path, &bytes, &ignored) == 0;
	*content = hash_bytes(bytes.data, bytes.len, 0);
	buf_release(&bytes);
	return can;
}

void same_program_note(struct same_program *same, const char *path)
{
	*same = (struct same_program){ .path = path };
	same->known = stat(path, &same->seen) == 0;
	if (same->known)
		read_content(path, &same->content);
}

bool same_program_is(struct same_program *same)
{
	struct stat now;
	struct hash content;
	if (!same->known)
		return true;
	if (stat(same->path, &now) < 0)
		return false;
	if (same_stat(&now, &same->seen))
		return true;
	if (!read_content(same->path, &content) || !hash_equal(content, same->content))
		return false;
	same->seen = now;
	return true;
}
