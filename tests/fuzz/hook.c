/* What a push brings: the lines that git gives a pre-push hook, and .gitattributes of a repository.
 * Input: which of them, "%%", the bytes. */
#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "first/attributes.h"
#include "fuzz.h"
#include "hook/hook_pushed.h"
#include "store/git.h"

static void check_updates(struct fuzz in)
{
	struct hook_updates updates;
	struct err err;
	char path[FUZZ_PATH_SIZE];
	int fd = fuzz_file(in.at, fuzz_left(&in), path);
	if (hook_updates_read(&updates, fd, &err) == 0)
		for (size_t i = 0; i < updates.n; i++) {
			const struct hook_update *u = &updates.list[i];
			FUZZ_REQUIRE(*u->tip && !strpbrk(u->tip, " \n"));
			FUZZ_REQUIRE(!u->there || (*u->there && !strpbrk(u->there, " \n")));
			FUZZ_REQUIRE(!strpbrk(u->ref, " \n"));
		}
	hook_updates_release(&updates);
	close(fd);
}

/* A repository with a file in it. */
static char *repository(void)
{
	static char path[128];
	struct err err;
	git_repository *repo = NULL;
	if (*path)
		return path;
	strcat(strcpy(path, fuzz_directory()), "/repository");
	char *file = mem_printf("%s/dir/file.c", path), *dir = mem_printf("%s/dir", path);
	FUZZ_REQUIRE(gitlib_start(&err) == 0 && git_repository_init(&repo, path, 0) == 0);
	FUZZ_REQUIRE(mkdir(dir, 0700) == 0 && io_replace_file(file, "", 0, 0600, &err) == 0);
	git_repository_free(repo); /* libgit2 stays started: that takes most of the time */
	free(dir);
	free(file);
	return path;
}

static void check_attributes(struct fuzz in)
{
	struct err err;
	char *file = mem_printf("%s/dir/file.c", repository()), *name = NULL;
	char *attributes = mem_printf("%s/.gitattributes", repository());
	FUZZ_REQUIRE(io_replace_file(attributes, in.at, fuzz_left(&in), 0600, &err) == 0);
	if (attribute_tokenizer(file, &name, &err) == 0 && name)
		FUZZ_REQUIRE(!strchr(name, '/'));
	free(name);
	free(attributes);
	free(file);
}

int target_hook(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size }, which = fuzz_section(&in);
	if (fuzz_byte(&which) % 2)
		check_attributes(in);
	else
		check_updates(in);
	return 0;
}
