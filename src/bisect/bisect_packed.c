#include "bisect/bisect_packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

static char *packed_path(const struct bisection *b, const char *suffix)
{
	return mem_printf("%s/packed-refs%s", b->common, suffix);
}

void bisect_packed_note(const struct bisection *b)
{
	struct err ignored;
	char *path = packed_path(b, ""), *note = bisection_path(b, "packed-refs");
	const char *was = access(path, F_OK) < 0 && errno == ENOENT ? "none\n" : "some\n";
	if (access(note, F_OK) < 0)
		io_replace_file(note, was, strlen(was), 0666, &ignored);
	free(path);
	free(note);
}

static bool was_none(const struct bisection *b)
{
	struct err ignored;
	struct buf text = { 0 };
	char *note = bisection_path(b, "packed-refs");
	bool none = io_read_file(note, &text, &ignored) == 0 && !strcmp(text.data, "none\n");
	buf_release(&text);
	free(note);
	return none;
}

/* Nothing but comments? */
static bool is_void(const char *path)
{
	struct err ignored;
	struct buf text = { 0 };
	bool is = io_read_file(path, &text, &ignored) == 0;
	for (const char *line = text.data; is && *line;
	     line = strchrnul(line, '\n'), line += *line != '\0')
		is = *line == '#';
	buf_release(&text);
	return is;
}

void bisect_packed_restore(const struct bisection *b)
{
	if (!was_none(b))
		return;
	char *path = packed_path(b, ""), *lock = packed_path(b, ".lock");
	int fd = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0) { /* otherwise somebody else is writing it: the file is theirs now */
		if (is_void(path))
			unlink(path);
		unlink(lock);
		close(fd);
	}
	free(path);
	free(lock);
}
