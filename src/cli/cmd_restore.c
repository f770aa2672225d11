/* whittle restore: puts a snapshot back in place. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stored.h"
#include "store/history.h"
#include "text/testcase.h"

static const struct option_row rows[] = {
	{ 'o', "output", "PATH", "write there: a file, or for several files a directory", options_set_text,
	  offsetof(struct stored_options, output) },
	{ 'f', "force", NULL, "also when the file holds something that is in no snapshot", options_set_flag,
	  offsetof(struct stored_options, force) },
	STORED_COMMON_ROWS,
	{ 0 },
};

static char *place_of(struct reduction *r, const struct testcase *tc, uint32_t i, const char *output, struct err *err)
{
	if (!output)
		return reduction_file(r, tc->files[i].path, err);
	return tc->n_files == 1 ? mem_strdup(output) : mem_printf("%s/%s", output, tc->files[i].path);
}

static char **places_of(struct reduction *r, const struct testcase *tc, const char *output, struct err *err)
{
	char **places = mem_zero(tc->n_files + 1, sizeof *places);
	for (uint32_t i = 0; i < tc->n_files; i++) {
		places[i] = place_of(r, tc, i, output, err);
		if (places[i])
			continue;
		while (i-- > 0)
			free(places[i]);
		free(places);
		return NULL;
	}
	return places;
}

/* What the files hold now, as a test case of the same shape; NULL when one is missing. */
static struct testcase *present(const struct testcase *model, char **places)
{
	struct buf bytes = { 0 };
	struct err ignored;
	uint32_t *ends = mem_alloc(model->n_files * sizeof *ends);
	uint32_t i = 0;
	for (; i < model->n_files; i++) {
		struct buf one = { 0 };
		if (access(places[i], F_OK) < 0 || io_read_file(places[i], &one, &ignored) < 0)
			break;
		buf_add(&bytes, one.data, one.len);
		ends[i] = (uint32_t)bytes.len;
		buf_release(&one);
	}
	buf_add(&bytes, "", 0);
	struct testcase *tc = i == model->n_files ? testcase_like(model, (uint8_t *)bytes.data, ends) : NULL;
	if (!tc)
		buf_release(&bytes);
	free(ends);
	return tc;
}

/* Nothing that is kept nowhere else may be overwritten. */
static int check_present(struct reduction *r, const struct testcase *tc, char **places, struct err *err)
{
	struct testcase *now = present(tc, places);
	int known = now ? reduction_has(r, step_content(now), err) : 1;
	testcase_unref(now);
	if (known == 0)
		return err_set(err, ERR_USAGE, "%s holds something that is in no snapshot of '%s'; --force overwrites it, "
		               "-o writes elsewhere", places[0], r->place.name);
	return known < 0 ? -1 : 0;
}

static int write_files(const struct testcase *tc, char **places, struct err *err)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		if (io_replace_file(places[i], tc->bytes + f->begin, f->end - f->begin, f->mode, err) < 0)
			return -1;
	}
	return 0;
}

static int restore(struct reduction *r, const struct stored_options *o, struct err *err)
{
	int lock = o->output ? -1 : reduction_lock(r, err);
	if (lock < 0 && !o->output)
		return -1;
	struct testcase *tc = reduction_testcase(r, err);
	char **places = tc ? places_of(r, tc, o->output, err) : NULL;
	int rc = places ? 0 : -1;
	if (rc == 0 && !o->output && !o->force)
		rc = check_present(r, tc, places, err);
	if (rc == 0)
		rc = write_files(tc, places, err);
	if (rc == 0)
		printf("%s: %u bytes, step %u of '%s'\n", places[0], (unsigned)tc->size, r->step, r->place.name);
	for (char **p = places; p && *p; p++)
		free(*p);
	free(places);
	testcase_unref(tc);
	if (lock >= 0)
		close(lock);
	return rc;
}

int cmd_restore(int argc, char **argv)
{
	struct stored_options o = { 0 };
	struct err err;
	int first = stored_parse("restore [OPTIONS] [NAME[:STEP]]", rows, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first > 0 && first + 1 < argc)
		first = err_set(&err, ERR_USAGE, "restore takes one snapshot");
	if (first < 0)
		return command_fail(&err);
	struct reduction r;
	int rc = reduction_open(&r, ".", o.store, argv[first], &err);
	if (rc == 0)
		rc = restore(&r, &o, &err);
	reduction_close(&r);
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
