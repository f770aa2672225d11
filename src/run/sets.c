#include "run/sets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/setup.h"
#include "fence/limits_usage.h"

static const char LETTERS[] = "wti"; /* directories */
#define JUNK "junk-"

void sets_name(char name[SETS_NAME_SIZE], char letter, unsigned generation)
{
	snprintf(name, SETS_NAME_SIZE, "%c%u", letter, generation % WIRE_SETS);
}

static bool is_used(const struct sets *sets, char letter)
{
	return letter == 'j' ? sets->fifos : letter != 'i' || sets->candidate == 'i';
}

/* A FIFO of this name that can be opened, unless it is there. What it held went when the last one
 * closed it. */
static void renew_fifo(unsigned generation)
{
	char name[SETS_NAME_SIZE];
	struct stat st;
	sets_name(name, 'j', generation);
	if (lstat(name, &st) == 0 && S_ISFIFO(st.st_mode) && (st.st_mode & 07777) == 0600)
		return;
	io_remove_ours(AT_FDCWD, name);
	mkfifo(name, 0600);
}

int sets_init(struct sets *sets, unsigned input, bool fifos, bool persistent)
{
	*sets = (struct sets){ .fifos = fifos,
		               .n = persistent ? WIRE_SETS : WIRE_PERSISTENT,
		               .persistent = WIRE_PERSISTENT,
		               .candidate = input & SETUP_INPUT_BASENAME ? 'w' : 'i',
		               .dir = opendir(".") };
	if (!sets->dir)
		return -1;
	char name[SETS_NAME_SIZE];
	for (unsigned g = 0; g < sets->n; g++)
		for (const char *letter = LETTERS; *letter; letter++) {
			sets_name(name, *letter, g);
			if (is_used(sets, *letter) && mkdir(name, 0700) < 0 && errno != EEXIST)
				return -1;
		}
	for (unsigned g = 0; fifos && g < sets->n; g++)
		renew_fifo(g);
	return 0;
}

/* An empty directory of this name. What cannot be removed is put aside. */
static void renew(struct sets *sets, const char *name)
{
	if (rmdir(name) < 0 && io_remove_ours(AT_FDCWD, name) < 0) {
		char junk[32];
		snprintf(junk, sizeof junk, JUNK "%u", sets->n_junk++);
		rename(name, junk);
	}
	mkdir(name, 0700);
}

/* Whether NAME in the slot's directory is there for a reason. */
static bool belongs(const struct sets *sets, const char *name)
{
	if (!strcmp(name, ".") || !strcmp(name, "..") || !strncmp(name, JUNK, strlen(JUNK)))
		return true;
	bool is_set = name[0] && (strchr(LETTERS, name[0]) || name[0] == 'j') && name[1] >= '0' &&
	              name[1] < '0' + (int)sets->n && !name[2];
	return is_set && is_used(sets, name[0]);
}

/* Removes what a test has put beside its own directories. */
static void remove_strays(const struct sets *sets)
{
	rewinddir(sets->dir);
	for (struct dirent *e; (e = readdir(sets->dir));)
		if (!belongs(sets, e->d_name))
			io_remove_ours(AT_FDCWD, e->d_name);
}

void sets_renew(struct sets *sets, unsigned generation)
{
	char name[SETS_NAME_SIZE];
	for (const char *letter = LETTERS; *letter; letter++) {
		sets_name(name, *letter, generation);
		if (is_used(sets, *letter) &&
		    !(generation == WIRE_STANDING && *letter == sets->candidate))
			renew(sets, name);
	}
	if (sets->fifos)
		renew_fifo(generation);
	remove_strays(sets);
}

/* False as sets_clear. */
static bool clear(const struct sets *sets, const char *name)
{
	struct stat st;
	int fd = beneath_open(dirfd(sets->dir), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		io_close(fd);
		return false;
	}
	bool cleared = fstat(fd, &st) == 0 && (st.st_mode & 07777) == 0700;
	for (struct dirent *e; cleared && (e = io_next_entry(dir));)
		cleared = io_remove_ours(fd, e->d_name) == 0;
	cleared = cleared && !errno;
	closedir(dir);
	return cleared;
}

bool sets_clear(const struct sets *sets, unsigned generation)
{
	char name[SETS_NAME_SIZE];
	for (const char *letter = LETTERS; *letter; letter++) {
		sets_name(name, *letter, generation);
		if (is_used(sets, *letter) && !clear(sets, name))
			return false;
	}
	return true;
}

int sets_open_candidate(const struct sets *sets, unsigned generation, const char *name)
{
	struct stat st;
	MEM_SCOPED char *path = mem_printf("%c%u/%s", sets->candidate, generation, name);
	int fd = beneath_open(dirfd(sets->dir), path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fcntl(fd, F_SETFL, 0) == 0))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

static uint64_t bytes_of(const struct sets *sets, unsigned generation, uint64_t most)
{
	uint64_t bytes = 0;
	char name[SETS_NAME_SIZE];
	for (const char *letter = LETTERS; *letter && bytes <= most; letter++) {
		sets_name(name, *letter, generation);
		if (is_used(sets, *letter))
			bytes += limits_usage_bytes(AT_FDCWD, name, most - bytes);
	}
	return bytes;
}

uint64_t sets_bytes(const struct sets *sets, unsigned generation, uint64_t most)
{
	uint64_t bytes = bytes_of(sets, generation, most);
	if (sets->n > WIRE_PERSISTENT && bytes <= most)
		bytes += bytes_of(sets, sets->persistent, most - bytes);
	return bytes;
}
