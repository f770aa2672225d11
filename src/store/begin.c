/* The start of a reduction, the first time and again. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "store/store.h"
#include "store/writer.h"
#include "text/testcase.h"

static int add_carried(struct store *s, const char *path, mode_t mode, const void *bytes,
                       size_t len, struct err *err)
{
	struct tree_file *f = &s->carried.list[s->carried.n++];
	*f = (struct tree_file){ .path = path, .mode = store_file_mode(mode) };
	return objects_add(s->objects, GIT_OBJECT_BLOB, bytes, len, path, &f->id, err);
}

static int add_all_carried(struct store *s, const struct store_input *in, struct err *err)
{
	BUF_SCOPED struct buf format = { 0 }, files = { 0 }, operands = { 0 };
	store_format_text(&format, in->identity, s->location.prefix);
	for (uint32_t i = 0; i < in->tc->n_files; i++)
		buf_add(&files, in->tc->files[i].path, strlen(in->tc->files[i].path) + 1);
	for (char *const *o = in->operands; o && *o; o++)
		buf_add(&operands, *o, strlen(*o) + 1);
	s->carried.n = 0;
	int rc = add_carried(s, STORE_FORMAT, 0, format.data, format.len, err);
	if (rc == 0 && in->tc->is_tree)
		rc = add_carried(s, STORE_FILES, 0, files.data, files.len, err);
	if (rc == 0 && in->tc->is_tree)
		rc = add_carried(s, STORE_OPERANDS, 0, operands.data, operands.len, err);
	if (rc == 0)
		rc = add_carried(s, STORE_OPTIONS, 0, in->options, strlen(in->options), err);
	if (rc == 0 && in->test)
		rc = add_carried(s, STORE_TEST, in->test_mode, in->test, in->test_len, err);
	return rc;
}

static void report_journal(struct store *s, const char *path, const struct journal_report *r)
{
	if (r->torn_at)
		store_notice(s, "journal %s: an incomplete last record was dropped", path);
	if (r->damaged)
		store_notice(s,
		             "journal %s is damaged at byte %" PRIu64 " (%" PRIu64
		             " bytes); %" PRIu64
		             " intact verdicts are kept, the others will be asked again",
		             path, r->damaged_at, r->damaged, r->records);
}

void store_remember(void *set, const struct store_entry *v)
{
	hash_set_add(set, store_entry_key(v));
}

struct import {
	struct store *store;
	struct hash_set *have;
	struct err *err;
	int rc;
};

static void import_one(void *ctx, const struct store_entry *v)
{
	struct import *i = ctx;
	if (i->rc == 0 && (hash_set_add(i->have, store_entry_key(v))))
		i->rc = store_record(i->store, v, i->err);
}

/* The pause commit will be replaced, so what only it holds goes to the journal. */
static int import_paused(struct store *s, struct hash_set *have, struct err *err)
{
	struct import import = { s, have, err, 0 };
	if (!s->chain.paused)
		return 0;
	int rc = step_verdicts(s->location.repo, &s->chain.tip, import_one, &import, err);
	return rc < 0 ? -1 : import.rc;
}

static int open_journal(struct store *s, struct err *err)
{
	SCOPED(hash_set_release) struct hash_set have = { 0 };
	struct journal_report report;
	MEM_SCOPED char *path = location_path(&s->location, "journal");
	int rc = journal_read(path, s->identity, store_remember, &have, &report, err);
	if (rc == 0 && report.foreign) {
		MEM_SCOPED char *old = location_path(&s->location, "journal.old");
		store_notice(s,
		             "journal %s belongs to another test or version; it was renamed to %s",
		             path, old);
		rc = rename(path, old) < 0 ? err_errno(err, "cannot rename %s", path) : 0;
		report = (struct journal_report){ 0 };
	}
	if (rc == 0) {
		report_journal(s, path, &report);
		rc = journal_open(&s->journal, path, s->identity, &report, &s->faults, err);
	}
	if (rc == 0)
		rc = import_paused(s, &have, err);
	return rc;
}

static int write_leaf(struct store *s, const char *leaf, const char *text, struct err *err)
{
	MEM_SCOPED char *path = location_path(&s->location, leaf);
	int rc = io_replace_entry(path, text, strlen(text), 0644, err);
	io_remove_leftovers(path);
	return rc;
}

/* Where things are on this machine. */
static int write_whereabouts(struct store *s, struct err *err)
{
	MEM_SCOPED char *origin = mem_printf("%s\n", s->location.file);
	int rc = write_leaf(s, "origin", origin, err);
	return rc == 0 ? write_leaf(s, "local", s->local, err) : -1;
}

/* .whittle/ is ours, and git keeps no .git. */
static int check_paths(const struct store *s, const struct testcase *tc, struct err *err)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		MEM_SCOPED char *path = mem_printf("%s%s", s->location.prefix, f->path);
		bool bad = path_trouble(path, S_ISLNK(f->mode) ? S_IFLNK : 0) ||
		           !strcmp(path, STORE_OWN) || path_is_below(path, STORE_OWN);
		int rc = bad ? err_set(err, ERR_USAGE, "%s cannot be kept in a git tree", path) : 0;
		if (rc < 0)
			return -1;
	}
	return 0;
}

int store_write_id(struct store *s, const char *leaf, const git_oid *id, struct err *err)
{
	char text[GIT_OID_HEXSZ + 1];
	git_oid_tostr(text, sizeof text, id);
	return write_leaf(s, leaf, text, err);
}

/* Compares or makes the first commit. On a restart its objects are there. */
static int first_commit(struct store *s, const struct store_input *in, struct err *err)
{
	struct store_snapshot snap = { .tc = in->tc };
	s->made.original = s->made.bytes = testcase_shown_size(in->tc);
	struct step step = store_step_of(s, STEP_ORIGINAL, &snap);
	BUF_SCOPED struct buf message = { 0 };
	step_message(&message, &step, NULL);
	git_oid tree, id;
	int rc = s->chain.n ? store_know(s, &s->chain.ids[0], err) : 0;
	if (rc == 0)
		rc = add_all_carried(s, in, err);
	if (rc == 0)
		rc = store_add_tree(s, in->tc, NULL, &tree, err);
	if (rc == 0)
		rc = store_add_commit(s, &step, &tree, NULL, message.data, &id, err);
	if (rc < 0)
		return -1;
	if (s->chain.n && !git_oid_equal(&id, &s->chain.ids[0]))
		return err_set(err, ERR_USAGE,
		               "reduction '%s' was started with another input, test or options",
		               s->location.name);
	if (store_write_id(s, LOCATION_FIRST, &id, err) < 0)
		return -1;
	s->made.pos = 1;
	if (s->chain.n) {
		objects_drop(s->objects);
		return 0;
	}
	chain_add(&s->chain, &id);
	s->chain.last = step;
	s->behind = true;
	return store_flush(s, err);
}

int store_begin(struct store *s, const struct store_input *in, struct err *err)
{
	if (s->fresh && store_start_over(s, err) < 0)
		return -1;
	if (s->found.damaged) {
		*err = *s->found.damage;
		return -1;
	}
	s->identity = in->identity;
	/* Of a new reduction before its ref is there: what -o is to leave alone is known then. */
	bool is_new = !s->chain.n;
	if (check_paths(s, in->tc, err) < 0 || open_journal(s, err) < 0 ||
	    (is_new && write_whereabouts(s, err) < 0) || first_commit(s, in, err) < 0)
		return -1;
	return is_new ? 0 : write_whereabouts(s, err);
}
