#include "base/path.h"

#include <sys/stat.h>

#include "base/err.h"

enum { FOLDED = 16 }; /* longer than any name that is looked for */

/* How many bytes at P, of LEN, are a character that HFS+ ignores in names: U+200C to U+200F, U+202A
 * to U+202E, U+206A to U+206F, U+FEFF. */
static size_t ignored_by_hfs(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	if (len < 3)
		return 0;
	bool joiner = p[0] == 0xe2 && p[1] == 0x80 &&
	              ((p[2] >= 0x8c && p[2] <= 0x8f) || (p[2] >= 0xaa && p[2] <= 0xae));
	bool shape = p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xaa && p[2] <= 0xaf;
	bool mark = p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf;
	return joiner || shape || mark ? 3 : 0;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* NAME as the most forgiving file system reads it: without what HFS+ ignores, the stream, dots and
 * spaces at the end; in lower case. False when that is longer than any name that is looked for. */
static bool fold(const char *name, size_t len, char out[FOLDED])
{
	size_t n = 0, end = 0;
	for (size_t i = 0; i < len && name[i] != ':';) {
		size_t skip = ignored_by_hfs(name + i, len - i);
		char c = name[i];
		i += skip ? skip : 1;
		bool blank = c == '.' || c == ' ';
		if (skip || (blank && n == FOLDED - 1))
			continue;
		if (n == FOLDED - 1)
			return false;
		out[n++] = lower(c);
		end = blank ? end : n;
	}
	out[end] = '\0';
	return true;
}

static bool folds_to_git(const char *name, size_t len)
{
	char folded[FOLDED];
	return fold(name, len, folded) && (!strcmp(folded, ".git") || !strcmp(folded, "git~1"));
}

bool path_is_git(const char *name, size_t len)
{
	for (const char *end = name + len, *back; name <= end; name = back + 1) {
		back = memchr(name, '\\', (size_t)(end - name));
		back = back ? back : end;
		if (folds_to_git(name, (size_t)(back - name)))
			return true;
	}
	return false;
}

/* Git reads .gitmodules, and must not be led elsewhere by it. */
static bool is_modules(const char *name, size_t len)
{
	char folded[FOLDED];
	return fold(name, len, folded) &&
	       (!strcmp(folded, ".gitmodules") || !strncmp(folded, "gitmod~", 7) ||
	        !strncmp(folded, "gi7eba~", 7));
}

static const char *part_trouble(const char *part, size_t len)
{
	if (!len)
		return "has an empty part";
	if (part[0] == '.' && (len == 1 || (len == 2 && part[1] == '.')))
		return "has a part that is . or ..";
	return path_is_git(part, len) ? "has a part that is .git, or equivalent to it" : NULL;
}

static bool is_mode(mode_t mode)
{
	mode_t kind = mode & S_IFMT;
	return !kind || kind == S_IFREG || kind == S_IFLNK || kind == S_IFDIR;
}

const char *path_trouble(const char *path, mode_t mode)
{
	const char *part = path, *trouble = NULL;
	if (!is_mode(mode))
		return "is neither a file nor a directory nor a symbolic link";
	if (*path == '/')
		return "is absolute";
	for (;;) {
		size_t len = strcspn(part, "/");
		if ((trouble = part_trouble(part, len)))
			return trouble;
		if (!part[len])
			return S_ISLNK(mode) && is_modules(part, len)
			               ? "is .gitmodules as a symbolic link"
			               : NULL;
		part += len + 1;
	}
}

int path_check(const char *path, mode_t mode, const char *whose, struct err *err)
{
	const char *trouble = path_trouble(path, mode);
	return trouble ? err_set(err, ERR_USAGE, "%s: the path \"%s\" %s; it is not used", whose,
	                         path, trouble)
	               : 0;
}

bool path_is_below(const char *path, const char *directory)
{
	size_t n = strlen(directory);
	return !strncmp(path, directory, n) && path[n] == '/';
}

bool path_is_at(const char *path, const char *directory)
{
	return !strcmp(path, directory) || path_is_below(path, directory);
}
