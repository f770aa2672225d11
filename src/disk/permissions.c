#include "disk/permissions.h"

#include <stdlib.h>

#include "base/io.h"
#include "base/mem.h"

bool permissions_find(const char *path, const char *below, struct stat *st)
{
	static const char *const endings[] = { "", ".orig" };
	bool found = false;
	for (size_t i = 0; !found && i < sizeof endings / sizeof *endings; i++) {
		char *name = mem_printf("%s%s%s%s", path, endings[i], below ? "/" : "",
		                        below ? below : "");
		/* PATH itself may be a link, whose target is replaced. */
		found = (below ? lstat : stat)(name, st) == 0 &&
		        (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode));
		free(name);
	}
	return found;
}

mode_t permissions_new(mode_t mode)
{
	mode_t mask = umask(0);
	umask(mask);
	return mode & 0777 & ~mask;
}

mode_t permissions_at(const char *path, mode_t mode)
{
	struct stat st;
	return permissions_find(path, NULL, &st) && S_ISREG(st.st_mode) ? st.st_mode & 0777
	                                                                : permissions_new(mode);
}
