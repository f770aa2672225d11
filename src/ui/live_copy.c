#include "ui/live_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "reduce/session.h"

enum { COPIES = 100 };

static char *name(const char *file, unsigned n)
{
	return n ? mem_printf("%s.copy.%u", file, n) : mem_printf("%s.copy", file);
}

char *live_copy_write(const struct session *s)
{
	const struct testcase *now = session_current(s);
	const char *file =
		session_options(s)->out ? session_options(s)->out : session_options(s)->file;
	if (now->is_tree)
		return mem_strdup("only a single file can be copied; see whittle restore");
	for (unsigned n = 0; n < COPIES; n++) {
		char *path = name(file, n), *said = NULL;
		const struct io_form form = { .mode = now->files[0].mode & 0777 };
		if (io_write_new(NULL, path, now->bytes, now->size, form) == 0)
			said = mem_printf("%u bytes are in %s", now->size, path);
		else if (errno != EEXIST)
			said = mem_printf("no copy: %s: %s", path, strerror(errno));
		free(path);
		if (said)
			return said;
	}
	return mem_printf("no copy: there are %d already", COPIES);
}
