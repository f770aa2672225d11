#include "bisect/bisect_known.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

static void remember(struct bisect_known *known, const struct bisect_fact *fact)
{
	MEM_GROW(known->list, known->n, known->cap);
	known->list[known->n++] = *fact;
}

static void read_line(struct bisect_known *known, const char *line)
{
	struct bisect_fact f;
	int answer, end = 0;
	if (sscanf(line, "%16" SCNx64 "%16" SCNx64 " %64[0-9a-f] %3d%n", &f.tc.hi, &f.tc.lo, f.id,
	           &answer, &end) != 4 ||
	    line[end])
		return;
	if (answer != BISECT_GOOD && answer != BISECT_BAD && answer != BISECT_SKIP)
		return;
	f.answer = (enum bisect_answer)answer;
	remember(known, &f);
}

int bisect_known_open(struct bisect_known *known, const char *path, struct err *err)
{
	struct buf text = { 0 };
	known->path = mem_strdup(path);
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (io_read_file(path, &text, err) < 0)
		return -1;
	for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		read_line(known, line);
	}
	buf_release(&text);
	return 0;
}

int bisect_known_again(struct bisect_known *known, struct err *err)
{
	char *path = mem_strdup(known->path);
	bisect_known_release(known);
	int rc = bisect_known_open(known, path, err);
	free(path);
	return rc;
}

void bisect_known_release(struct bisect_known *known)
{
	free(known->path);
	free(known->list);
	*known = (struct bisect_known){ 0 };
}

bool bisect_known_get(const struct bisect_known *known, struct hash tc, const char *id,
                      enum bisect_answer *answer)
{
	for (size_t i = 0; i < known->n; i++)
		if (hash_equal(known->list[i].tc, tc) && !strcmp(known->list[i].id, id)) {
			*answer = known->list[i].answer;
			return true;
		}
	return false;
}

int bisect_known_put(struct bisect_known *known, struct hash tc, const char *id,
                     enum bisect_answer answer, struct err *err)
{
	struct bisect_fact f = { .tc = tc, .answer = answer };
	snprintf(f.id, sizeof f.id, "%s", id);
	/* The line break comes first, so that a torn line before it does not swallow this one. */
	char *line = mem_printf("\n%016" PRIx64 "%016" PRIx64 " %s %d\n", tc.hi, tc.lo, f.id,
	                        (int)answer);
	int fd = open(known->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), rc = 0;
	if (fd < 0 || io_write_all(fd, line, strlen(line)) < 0)
		rc = err_errno(err, "cannot write %s", known->path);
	if (fd >= 0)
		close(fd);
	free(line);
	if (rc == 0)
		remember(known, &f);
	return rc;
}
