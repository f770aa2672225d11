#include "disk/permissions.h"

#include "base/mem.h"

char *permissions_find(const char *path, const char *below, struct stat *st)
{
	static const char *const endings[] = { "", ".orig" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		char *name = mem_printf("%s%s%s%s", path, endings[i], below ? "/" : "",
		                        below ? below : "");
		/* PATH itself may be a link, whose target is replaced. */
		if ((below ? lstat : stat)(name, st) == 0 &&
		    (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode)))
			return name;
		free(name);
	}
	return NULL;
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
	MEM_SCOPED char *found = permissions_find(path, NULL, &st);
	bool is_file = found && S_ISREG(st.st_mode);
	return is_file ? st.st_mode & 0777 : permissions_new(mode);
}
