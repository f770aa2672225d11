#include "disk/replace_item.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"

#define MARK ".whittle-"
#define EDITED ".edited"
#define RECORD_ENDING ".whittle-replace"

enum { NAMES = 10000 };

/* ---- names ---- */

char *replace_record_path(const char *first)
{
	MEM_SCOPED char *real = io_real_path(first);
	return mem_printf("%s" RECORD_ENDING, real);
}

void replacement_token(char token[REPLACE_TOKEN])
{
	uint32_t number;
	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
		number = (uint32_t)(io_now() ^ ((uint64_t)getpid() << 16));
	snprintf(token, REPLACE_TOKEN, "%08" PRIx32, number);
}

char *replacement_name(const char *path, const char *token, const char *ending)
{
	return mem_printf("%s" MARK "%s%s", path, token, ending);
}

bool replacement_is_name(const char *name, const char *path)
{
	size_t n = strlen(path);
	if (strncmp(name, path, n) != 0)
		return false;
	const char *rest = name + n;
	if (replace_is_edited(name, path))
		return true;
	if (strncmp(rest, MARK, strlen(MARK)) != 0)
		return false;
	rest += strlen(MARK);
	return strspn(rest, "0123456789abcdef") == REPLACE_TOKEN - 1 &&
	       strlen(rest) == REPLACE_TOKEN - 1;
}

bool replace_is_edited(const char *name, const char *path)
{
	size_t n = strlen(path), ending = strlen(EDITED);
	if (strncmp(name, path, n) != 0 || strncmp(name + n, EDITED, ending) != 0)
		return false;
	const char *rest = name + n + ending;
	return !*rest ||
	       (*rest == '.' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

char *replacement_free_name(const char *name)
{
	struct stat st;
	char *free_name = mem_strdup(name);
	for (unsigned i = 1; i < NAMES && lstat(free_name, &st) == 0; i++) {
		free(free_name);
		free_name = mem_printf("%s.%u", name, i);
	}
	return free_name;
}

static int exchange(struct faults *faults, const struct replacement_item *item)
{
	if (fault_strikes(faults, "file-exchange"))
		return -1;
	if (renameat2(AT_FDCWD, item->temp, AT_FDCWD, item->path, RENAME_EXCHANGE) == 0)
		return 0;
	return errno == ENOENT ? rename(item->temp, item->path) : -1;
}

static bool is_directory(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool replace_cannot_exchange(int error)
{
	return error == EINVAL || error == ENOSYS;
}

/* Puts an item in its place in one step. A file can be renamed, unless what it replaces is to be
 * kept. */
int replace_at_once(struct faults *faults, const struct replacement_item *item)
{
	if (fault_strikes(faults, "file-rename"))
		return -1;
	if (exchange(faults, item) == 0)
		return 0;
	bool renamed = replace_cannot_exchange(errno) && !item->edited && !is_directory(item->temp);
	return renamed ? rename(item->temp, item->path) : -1;
}

/* The same by way of a third name: for an instant there is nothing in the place. */
static int put_by_two_renames(struct faults *faults, const struct replacement_item *item,
                              const char *aside)
{
	io_remove_tree(AT_FDCWD, aside);
	int rc = rename(item->path, aside);
	bool moved = rc == 0;
	if (rc < 0 && errno == ENOENT)
		rc = 0;
	if (rc == 0)
		rc = fault_strikes(faults, "file-between") ? -1 : rename(item->temp, item->path);
	int saved = errno;
	if (moved)
		rename(aside, rc < 0 ? item->path : item->temp);
	errno = saved;
	return rc;
}

int replace_put(struct faults *faults, const struct replacement_item *item, const char *aside)
{
	if (replace_at_once(faults, item) == 0)
		return 0;
	return replace_cannot_exchange(errno) ? put_by_two_renames(faults, item, aside) : -1;
}

char *replace_aside_name(const char *temp)
{
	return mem_printf("%s" REPLACE_ASIDE, temp);
}

/* TEMP gets the name under which it is kept: PATH.edited, or the first free number behind that. */
char *replace_rename_edited(const char *temp, const char *path)
{
	char *wanted = mem_printf("%s" EDITED, path), *name = replacement_free_name(wanted);
	int rc = renameat2(AT_FDCWD, temp, AT_FDCWD, name, RENAME_NOREPLACE);
	if (rc < 0 && replace_cannot_exchange(errno))
		rc = rename(temp, name);
	free(wanted);
	if (rc == 0)
		return name;
	free(name);
	return NULL;
}
