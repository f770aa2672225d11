#include "config.h"

#include "base/installed.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"

/* An archive in the format of POSIX (ustar), in the static program alone. */
extern const unsigned char installed_held[] __attribute__((weak));
extern const unsigned char installed_held_end[] __attribute__((weak));

/* Where things stand in a header. */
enum {
	BLOCK = 512,
	NAME = 0,
	NAME_SIZE = 100,
	SIZE = 124,
	SIZE_DIGITS = 11,
	TYPE = 156,
	TARGET = 157,
	MODE = 100,
	MODE_DIGITS = 7,
};

static size_t number_at(const unsigned char *text, int digits)
{
	size_t n = 0;
	for (int i = 0; i < digits && text[i] >= '0' && text[i] <= '7'; i++)
		n = n * 8 + (size_t)(text[i] - '0');
	return n;
}

/* Makes what HEADER tells of below ROOT. -1 with errno. */
static int unpack_one(const unsigned char *header, const char *root)
{
	MEM_SCOPED char *path = mem_printf("%s/%.*s", root, NAME_SIZE, (const char *)header + NAME);
	mode_t mode = (mode_t)number_at(header + MODE, MODE_DIGITS);
	int rc = -1;
	if (header[TYPE] == '5')
		rc = mkdir(path, mode | S_IRWXU);
	else if (header[TYPE] == '2')
		rc = symlink((const char *)header + TARGET, path);
	else
		rc = io_write_new(NULL, path, header + BLOCK, number_at(header + SIZE, SIZE_DIGITS),
		                  (struct io_form){ .mode = mode });
	return rc;
}

/* Two symbols of the linker. To the language they are unrelated objects. */
static size_t held_size(void)
{
	return (size_t)((uintptr_t)installed_held_end - (uintptr_t)installed_held);
}

static int unpack_all(const char *root)
{
	for (size_t at = 0; at + BLOCK <= held_size() && installed_held[at + NAME];) {
		size_t size = number_at(installed_held + at + SIZE, SIZE_DIGITS);
		if (unpack_one(installed_held + at, root))
			return -1;
		at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
	}
	return 0;
}

/* Programs are started from there: nobody else may have made it, or change it. */
static bool is_ours(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Makes ROOT; true when it is there and complete. Two processes may do so at once: the first to
 * rename wins. */
static bool unpack_to(const char *cache, const char *root)
{
	struct err err = { 0 };
	if (is_ours(root))
		return true;
	if (io_make_dirs(cache, 0, &err) || !is_ours(cache))
		return false;
	MEM_SCOPED char *made = mem_printf("%s/.new-XXXXXX", cache);
	bool good = mkdtemp(made) && unpack_all(made) == 0 &&
	            (rename(made, root) == 0 || is_ours(root));
	if (access(made, F_OK) == 0)
		io_remove_tree(AT_FDCWD, made);
	return good;
}

/* The name tells the content, so that each version finds its own. */
static char *unpack_below(const char *cache)
{
	size_t size = held_size();
	char *root =
		mem_printf("%s/program-%016" PRIx64, cache, hash_bytes(installed_held, size, 0).hi);
	if (unpack_to(cache, root))
		return root;
	free(root);
	return NULL;
}

static char *unpack(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *caches[] = {
		xdg && *xdg == '/' ? mem_printf("%s/whittle", xdg) : NULL,
		home && *home == '/' && access(home, W_OK) == 0
			? mem_printf("%s/.cache/whittle", home)
			: NULL,
		mem_printf("%s/whittle-%u", io_temporary(), (unsigned)geteuid()),
	};
	char *root = NULL;
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		if (!root && caches[i])
			root = unpack_below(caches[i]);
		free(caches[i]);
	}
	if (!root)
		show_message("cannot unpack the data in this program: neither XDG_CACHE_HOME, "
		             "~/.cache nor TMPDIR is writable");
	return root;
}

/* The directory two above the running program, "" if that cannot be said; the caller's. */
static char *two_above(void)
{
	char *exe = io_read_link("/proc/self/exe"), *slash = exe;
	for (int up = 0; up < 2 && slash; up++)
		if ((slash = strrchr(exe, '/')))
			*slash = '\0';
	if (slash)
		return exe;
	free(exe);
	return mem_strdup("");
}

/* An installation may be moved as a whole: what is not where it was installed is beside bin. */
static const char *wherever_moved(const char *installed)
{
	if (access(installed, F_OK) == 0 ||
	    strncmp(installed, PREFIXDIR "/", sizeof PREFIXDIR) != 0)
		return installed;
	MEM_SCOPED char *root = two_above();
	char *moved = mem_printf("%s/%s", root, installed + sizeof PREFIXDIR);
	if (access(moved, F_OK) == 0)
		return moved;
	free(moved);
	return installed;
}

static const char *within(const char *leaf, const char *installed)
{
	static char *root;
	static bool tried;
	if (!installed_held)
		return wherever_moved(installed);
	if (!tried)
		root = unpack();
	tried = true;
	return root ? mem_printf("%s/%s", root, leaf) : installed;
}

char *installed_build_dir(const char *leaf)
{
	MEM_SCOPED char *root = two_above(), *status = mem_printf("%s/config.status", root);
	return *root && access(status, F_OK) == 0 ? mem_printf("%s/%s", root, leaf) : NULL;
}

char *installed_data_dir(const char *leaf)
{
	static const char *data;
	char *dir = installed_build_dir(leaf);
	if (!dir && !data)
		data = within("share", PKGDATADIR);
	return dir ? dir : mem_printf("%s/%s", data, leaf);
}

const char *installed_programs(void)
{
	static const char *dir;
	if (!dir)
		dir = installed_build_dir("src");
	return dir ? dir : (dir = within("libexec", PKGLIBEXECDIR));
}
