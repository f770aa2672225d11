#include "run/standing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/map.h"
#include "base/mem.h"
#include "fence/workdir.h"

enum { SUITS_FILES = 48, SUITS_SIZE = 512 << 10 };

struct standing_entry {
	const char *path;
	struct hash hash;
	mode_t mode;
	bool there;  /* as it was written */
	bool recent; /* of the tick in which the test was started: a change in the same tick would
	                not show */
	ino_t inode;
	mode_t st_mode;
	off_t size;
	struct timespec changed, modified;
};

bool standing_suits(const struct testcase *tc)
{
	return tc->is_tree && (tc->n_files >= SUITS_FILES || tc->size >= SUITS_SIZE);
}

void standing_forget(struct standing *s)
{
	testcase_names_unref(s->names);
	free(s->entries);
	*s = (struct standing){ 0 };
}

void standing_remove(struct standing *s, int slot, const char *set)
{
	if (!s->names)
		return;
	standing_forget(s);
	io_remove_ours(slot, set);
	mkdirat(slot, set, 0700);
}

/* ---- what is there ---- */

static uint64_t path_hash(const char *path, size_t len)
{
	return hash_bytes(path, len, 0).lo;
}

/* What should be there: entries, and the directories above them, by path. */
struct expected {
	struct place {
		const char *path;
		size_t len;
		uint32_t entry; /* NO_ENTRY: a directory that is none itself */
	} * list;
	uint32_t n;
	struct map map;
};

#define NO_ENTRY UINT32_MAX

/* NULL: nothing should be there. */
static struct place *find(const struct expected *e, const char *path, size_t len)
{
	size_t at;
	uint64_t hash = path_hash(path, len);
	for (uint32_t i = map_first(&e->map, hash, &at); i != MAP_END;
	     i = map_next(&e->map, hash, &at))
		if (e->list[i].len == len && !memcmp(e->list[i].path, path, len))
			return &e->list[i];
	return NULL;
}

static void expect(struct expected *e, const char *path, size_t len, uint32_t entry)
{
	struct place *p = find(e, path, len);
	if (!p) {
		map_add(&e->map, path_hash(path, len), e->n);
		e->list[e->n++] = (struct place){ path, len, entry };
	} else if (entry != NO_ENTRY)
		*p = (struct place){ path, len, entry };
}

/* How many components all paths have. */
static size_t count_parts(const struct standing *s)
{
	size_t n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		n++;
		for (const char *p = s->entries[i].path; (p = strchr(p, '/')); p++)
			n++;
	}
	return n;
}

static struct expected expect_all(const struct standing *s)
{
	struct expected e = { 0 };
	size_t parts = count_parts(s);
	e.list = mem_zero(parts, sizeof *e.list);
	map_reserve(&e.map, parts);
	for (uint32_t i = 0; i < s->n; i++) {
		const char *path = s->entries[i].path;
		for (const char *p = path; (p = strchr(p, '/')); p++)
			expect(&e, path, (size_t)(p - path), NO_ENTRY);
		expect(&e, path, strlen(path), i);
	}
	return e;
}

/* Has the clock of file systems gone on since T? */
static bool is_past(struct timespec t)
{
	struct timespec tick;
	clock_gettime(CLOCK_REALTIME_COARSE, &tick);
	return t.tv_sec < tick.tv_sec || (t.tv_sec == tick.tv_sec && t.tv_nsec < tick.tv_nsec);
}

/* Does NAME hold what E says? Looked at only where the times do not tell. */
static bool has_content(int dir, const char *name, const struct standing_entry *e)
{
	MEM_SCOPED char *bytes = mem_alloc((size_t)e->size + 1);
	ssize_t n = -1;
	if (S_ISLNK(e->mode))
		n = readlinkat(dir, name, bytes, (size_t)e->size + 1);
	else {
		int fd = beneath_open(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
		if (fd >= 0) {
			n = io_read_all(fd, bytes, (size_t)e->size + 1);
			close(fd);
		}
	}
	return n == (ssize_t)e->size && hash_equal(hash_bytes(bytes, (size_t)n, 0), e->hash);
}

static bool is_untouched(int dir, const char *name, struct standing_entry *e, const struct stat *st)
{
	if (S_ISDIR(e->mode))
		return S_ISDIR(st->st_mode) && (st->st_mode & 07777) == 0700;
	if (st->st_ino != e->inode || st->st_size != e->size || st->st_mode != e->st_mode ||
	    !io_same_time(st->st_ctim, e->changed) || !io_same_time(st->st_mtim, e->modified))
		return false;
	if (e->recent && !has_content(dir, name, e))
		return false;
	e->recent = !is_past(e->changed);
	return true;
}

struct inspection {
	struct standing *s;
	struct expected expected;
	char *path; /* of the directory under inspection, "" for the top, with room for more */
	size_t cap;
};

static int inspect_directory(struct inspection *in, int parent, const char *name, size_t len);

/* One thing that was found: kept if it is what was put there, else removed. */
static int inspect_entry(struct inspection *in, int dir, const char *name, size_t len)
{
	struct stat st;
	size_t n = len + (len > 0) + strlen(name);
	if (n + 1 > in->cap)
		in->path = mem_resize(in->path, in->cap = 2 * n + 1, 1);
	sprintf(in->path + len, "%s%s", len ? "/" : "", name);
	const struct place *p = find(&in->expected, in->path, n);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -1;
	struct standing_entry *e = p && p->entry != NO_ENTRY ? &in->s->entries[p->entry] : NULL;
	bool is_parent = p && !e && S_ISDIR(st.st_mode) && (st.st_mode & 07777) == 0700;
	if (is_parent || (e && S_ISDIR(e->mode) && is_untouched(dir, name, e, &st))) {
		if (e)
			e->there = true;
		return inspect_directory(in, dir, name, n);
	}
	if (e && is_untouched(dir, name, e, &st)) {
		e->there = true;
		return 0;
	}
	return io_remove_ours(dir, name);
}

static int inspect_directory(struct inspection *in, int parent, const char *name, size_t len)
{
	int fd = beneath_open(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0), rc = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		io_close(fd);
		return -1;
	}
	for (struct dirent *e; rc == 0 && (e = io_next_entry(dir));) {
		rc = inspect_entry(in, fd, e->d_name, len);
		in->path[len] = '\0';
	}
	if (rc == 0 && errno)
		rc = -1;
	closedir(dir);
	return rc;
}

/* Finds out which entries are still as they were written, and removes all else. */
static int inspect(struct standing *s, int slot, const char *set)
{
	struct inspection in = {
		.s = s, .expected = expect_all(s), .path = mem_zero(256, 1), .cap = 256
	};
	for (uint32_t i = 0; i < s->n; i++)
		s->entries[i].there = false;
	int rc = inspect_directory(&in, slot, set, 0);
	free(in.expected.list);
	map_release(&in.expected.map);
	free(in.path);
	return rc;
}

/* ---- what is to be there ---- */

static int unlink_below(int dir, const char *path, int flags)
{
	const char *leaf;
	int parent = beneath_parent(dir, path, &leaf), rc = -1;
	if (parent >= 0) {
		rc = unlinkat(parent, leaf, flags);
		close(parent);
	}
	return rc;
}

/* Removes an entry, and the directories above it that become empty. */
static void drop(int dir, const struct standing_entry *e)
{
	MEM_SCOPED char *path = mem_strdup(e->path);
	unlink_below(dir, path, S_ISDIR(e->mode) ? AT_REMOVEDIR : 0);
	for (char *slash; (slash = strrchr(path, '/'));) {
		*slash = '\0';
		if (unlink_below(dir, path, AT_REMOVEDIR) < 0)
			break;
	}
}

/* Goes through the old entries and TC's files side by side: both have the order of the original.
 * What stays is taken over to NOW, what does not is dropped. */
static void take_over(struct standing *s, int dir, const struct testcase *tc,
                      struct standing_entry *now)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < tc->n_files; i++)
		now[i] = (struct standing_entry){ .path = tc->files[i].path,
			                          .hash = tc->files[i].hash,
			                          .mode = tc->files[i].mode };
	for (uint32_t i = 0; i < s->n; i++) {
		struct standing_entry *e = &s->entries[i];
		uint32_t next = k;
		while (next < tc->n_files && now[next].path != e->path)
			next++;
		bool found = next < tc->n_files;
		if (found)
			k = next + 1;
		if (found && e->there && hash_equal(e->hash, now[next].hash) &&
		    e->mode == now[next].mode &&
		    e->size == (off_t)testcase_file_size(&tc->files[next]))
			now[next] = *e;
		else if (e->there || !found)
			drop(dir, e); /* its directory may have become empty, even if it is gone
			                 itself */
	}
}

static int note(int dir, struct standing_entry *e)
{
	struct stat st;
	const char *leaf;
	int parent = beneath_parent(dir, e->path, &leaf);
	int rc = parent < 0 ? -1 : fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW);
	io_close(parent);
	if (rc < 0)
		return -1;
	e->there = true;
	e->inode = st.st_ino;
	e->st_mode = st.st_mode;
	e->size = S_ISDIR(e->mode) ? 0 : st.st_size;
	e->changed = st.st_ctim;
	e->modified = st.st_mtim;
	return 0;
}

static int write_missing(struct standing *s, int dir, const struct testcase *tc,
                         struct standing_entry *now, mode_t umask)
{
	s->written = 0;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		if (now[i].there)
			continue;
		if (workdir_write_entry(dir, &tc->files[i], umask) < 0 || note(dir, &now[i]) < 0)
			return -1;
		s->written += testcase_file_size(&tc->files[i]);
	}
	return 0;
}

/* Marks what was written in the present tick, or seems to be from later. */
static void mark_recent(struct standing_entry *entries, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		entries[i].recent = entries[i].recent || !is_past(entries[i].changed);
}

int standing_update(struct standing *s, int slot, const char *set, const struct testcase *tc,
                    const char *const *operands, mode_t umask)
{
	struct standing_entry *now = mem_zero(tc->n_files + (size_t)1, sizeof *now);
	bool known = s->names == tc->names && inspect(s, slot, set) == 0;
	if (!known) {
		standing_forget(s);
		io_remove_ours(slot, set);
		mkdirat(slot, set, 0700);
		s->names = testcase_names_ref(tc->names);
	}
	int dir = beneath_open(slot, set, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0),
	    rc = dir < 0 ? -1 : 0;
	if (rc == 0) {
		take_over(s, dir, tc, now);
		rc = write_missing(s, dir, tc, now, umask);
	}
	if (rc == 0)
		rc = workdir_make_operands(dir, operands);
	mark_recent(now, tc->n_files);
	free(s->entries);
	s->entries = now;
	s->n = tc->n_files;
	int saved = errno;
	io_close(dir);
	if (rc < 0)
		standing_remove(s, slot, set);
	errno = saved;
	return rc;
}
