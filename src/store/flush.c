/* From memory to the ref. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "store/gitlib.h"
#include "store/store.h"
#include "store/writer.h"

enum { MANY_PACKS = 16, REF_TRIES = 20, REF_WAIT_NS = 50000000 };

static int try_move_ref(struct store *s, const git_oid *to, struct err *err)
{
	git_reference *ref = NULL;
	if (fault_strikes(&s->faults, "ref-update"))
		return err_errno(err, "cannot move %s", s->location.ref);
	git_repository *repo = s->location.repo;
	const char *name = s->location.ref;
	int rc = s->found.has_ref ? git_reference_create_matching(&ref, repo, name, to, 1,
	                                                          &s->chain.tip, "whittle")
	                          : git_reference_create(&ref, repo, name, to, 0, "whittle");
	git_reference_free(ref);
	if (rc == GIT_EMODIFIED || rc == GIT_EEXISTS)
		return err_set(err, ERR_SYSTEM,
		               "%s was moved by another program; what it points at was left alone",
		               name);
	if (rc < 0)
		gitlib_fail(err, "cannot move %s", s->location.ref);
	return rc == GIT_ELOCKED ? 1 : rc < 0 ? -1 : 0;
}

/* Another program (git pack-refs, say) may hold the ref's lock for a moment. */
static int move_ref(struct store *s, const git_oid *to, struct err *err)
{
	refs_mark(&s->location);
	int rc = try_move_ref(s, to, err);
	for (int i = 0; rc == 1 && i < REF_TRIES; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = REF_WAIT_NS }, NULL);
		rc = try_move_ref(s, to, err);
	}
	if (rc < 0) /* what failed may have left its own lock */
		refs_remove_stale(&s->location);
	else
		refs_unmark(&s->location);
	if (rc == 1)
		err_context(err,
		            "another process holds %s%s.lock; remove it if that process is gone",
		            s->location.common, s->location.ref);
	if (rc)
		return -1;
	s->found.has_ref = true;
	s->chain.tip = *to;
	packs_unkeep(&s->location);
	return 0;
}

int store_flush_to(struct store *s, const git_oid *to, struct err *err)
{
	int rc = journal_sync(&s->journal, err);
	if (rc == 0)
		rc = objects_write(s->objects, packs_note, &s->location, err);
	if (rc == 0)
		rc = move_ref(s, to, err);
	if (rc < 0 && access(s->location.common, F_OK) < 0 && errno == ENOENT)
		err_context(err, "the repository %s is gone", s->location.common);
	return rc;
}

int store_flush(struct store *s, struct err *err)
{
	s->made.since_flush = 0;
	if (!s->behind)
		return s->journal.fd >= 0 ? journal_sync(&s->journal, err) : 0;
	if (store_flush_to(s, &s->chain.ids[s->chain.n - 1], err) < 0)
		return -1;
	s->behind = false;
	s->chain.paused = false;
	packs_merge(s, MANY_PACKS);
	return 0;
}
