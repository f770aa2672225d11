/* Making and comparing the steps of a reduction. */
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "store/gitlib.h"
#include "store/store.h"
#include "store/writer.h"
#include "text/testcase.h"

enum { BATCH_STEPS = 64 };

/* The objects are told of the commit the next one stands on. */
static int know_parent(struct store *s, struct err *err)
{
	if (s->known || !s->found.has_ref || !s->made.pos)
		return 0;
	if (!objects_waiting(s->objects) && store_reopen(s, err) < 0)
		return -1;
	if (store_know(s, &s->chain.ids[s->made.pos - 1], err) < 0)
		return -1;
	s->known = true;
	return 0;
}

static int append(struct store *s, const struct step *step, const struct testcase *tc,
                  const struct buf *verdicts, const char *message, struct err *err)
{
	git_oid tree, id;
	if (know_parent(s, err) < 0 || store_add_tree(s, tc, verdicts, &tree, err) < 0 ||
	    store_add_commit(s, step, &tree, s->made.pos ? &s->chain.ids[s->made.pos - 1] : NULL,
	                     message, &id, err) < 0)
		return -1;
	chain_add(&s->chain, &id);
	s->chain.last = *step;
	s->made.pos++;
	s->behind = true;
	return 0;
}

/* Is the commit at POS the one that would be made? Its message holds a hash of the content, its id
 * covers its parents, so message and verdicts decide, and nothing large needs to be read or hashed
 * with SHA-1. */
static int compare(struct store *s, const char *message, const struct buf *verdicts,
                   struct err *err)
{
	git_commit *commit = NULL;
	BUF_SCOPED struct buf kept = { 0 };
	const git_oid *id = &s->chain.ids[s->made.pos];
	if (gitlib_commit(&commit, s->location.repo, id) < 0)
		return gitlib_fail(err, "snapshot %zu cannot be read", s->made.pos);
	bool same = !strcmp(git_commit_message_raw(commit), message);
	git_commit_free(commit);
	if (!same)
		return 0;
	int rc = step_file(s->location.repo, id, STORE_VERDICTS, &kept, err);
	if (rc >= 0)
		rc = !rc ? !verdicts
		         : verdicts && kept.len == verdicts->len &&
		                     !memcmp(kept.data, verdicts->data, kept.len);
	return rc;
}

static int diverge(struct store *s, struct err *err)
{
	char *as = NULL;
	unsigned number = (unsigned)s->made.pos;
	if (store_set_aside(s, &s->chain.tip, false, &as, err) < 0)
		return -1;
	if (!s->made.diverged) /* a test that is not sure may bring it about again and again */
		store_notice(s,
		             "step %u differs from the last time (because the test gave another "
		             "verdict, or whittle was upgraded); the old history is kept as '%s'",
		             number, as);
	s->made.diverged = true;
	free(as);
	s->chain.n = s->made.pos;
	s->chain.paused = false;
	return 0;
}

/* Makes or compares the next step. When one fails, those behind it would be another history: they
 * are left to the next run, which makes the same ones again from the verdicts. */
static int make(struct store *s, enum step_kind kind, const struct store_snapshot *snap,
                struct err *err)
{
	if (s->made.incomplete && access(s->location.common, F_OK) < 0)
		return err_set(err, ERR_SYSTEM, "the repository %s is gone", s->location.common);
	if (s->made.incomplete)
		return err_set(err, ERR_SYSTEM,
		               "cannot keep a snapshot; the same command makes it again, without "
		               "repeating tests");
	struct step step = store_step_of(s, kind, snap);
	BUF_SCOPED struct buf message = { 0 }, verdicts = { 0 };
	step_message(&message, &step, snap->note);
	store_entries_encode(&verdicts, snap->asked, snap->n_asked);
	int same = s->made.pos < s->chain.n ? compare(s, message.data, &verdicts, err) : 0;
	int rc = same < 0 ? -1 : 0;
	if (same == 1)
		s->made.pos++;
	else if (rc == 0 && s->made.pos < s->chain.n)
		rc = diverge(s, err);
	if (rc == 0 && same == 0)
		rc = append(s, &step, snap->tc, &verdicts, message.data, err);
	if (rc == 0)
		s->made.bytes = testcase_shown_size(snap->tc);
	s->made.incomplete = rc < 0;
	return rc;
}

int store_snapshot(struct store *s, const struct store_snapshot *snap, struct err *err)
{
	if (make(s, STEP_SNAPSHOT, snap, err) < 0)
		return -1;
	if (s->behind && ++s->made.since_flush >= BATCH_STEPS)
		return store_flush(s, err);
	return objects_waiting_bytes(s->objects) >= STORE_BATCH_BYTES ? store_flush(s, err) : 0;
}

int store_finish(struct store *s, const struct store_snapshot *final, struct err *err)
{
	if (make(s, STEP_FINISHED, final, err) < 0 || store_flush(s, err) < 0 ||
	    store_write_id(s, LOCATION_FINISHED, &s->chain.ids[s->chain.n - 1], err) < 0)
		return -1;
	packs_merge(s, 1);
	return 0;
}

int store_take_back(struct store *s, const struct testcase *tc, struct err *err)
{
	size_t at;
	int found = store_flush(s, err) < 0 || store_reopen(s, err) < 0
	                    ? -1
	                    : chain_seek(&s->chain, s->location.repo, step_content(tc), &at, err);
	if (found < 0)
		return -1;
	if (found && at) {
		s->made.pos = at;
		if (diverge(s, err) < 0 ||
		    step_load(s->location.repo, &s->chain.ids[at - 1], &s->chain.last, err) < 0)
			return -1;
		s->behind = true;
		s->known = false;
		objects_forget_known(s->objects);
		if (store_flush(s, err) < 0)
			return -1;
	}
	s->made.pos = 1;
	s->made.bytes = s->made.original;
	return 0;
}
