/* Making a reduction's history smaller, or ending it. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"
#include "store/history.h"
#include "store/writer.h"

/* The message of the last commit, and how many steps went. */
static char *squashed_message(struct reduction *r)
{
	SCOPED(git_commit_scoped) git_commit *commit = NULL;
	char *text = NULL;
	if (gitlib_commit(&commit, r->location.repo, &r->chain.ids[r->chain.n - 1]) == 0)
		text = mem_printf("%sWhittle-Pruned: %zu\n", git_commit_message_raw(commit),
		                  r->chain.n - 2);
	return text;
}

/* The last commit again, with the first one as its parent and without verdicts. */
static int add_squashed(struct reduction *r, struct objects *objects, git_oid *id, struct err *err)
{
	struct tree_list list;
	BUF_SCOPED struct buf text = { 0 };
	git_oid tree;
	MEM_SCOPED char *message = squashed_message(r);
	int rc = message ? tree_list(&list, r->location.repo, &r->chain.ids[r->chain.n - 1], err)
	                 : gitlib_fail(err, "the last snapshot cannot be read");
	if (rc == 0) {
		rc = objects_add_tree(objects, list.files, list.n, &tree, err);
		tree_list_release(&list);
	}
	if (rc == 0) {
		step_commit(&text, &r->chain.last, &tree, &r->chain.ids[0], message);
		rc = objects_add(objects, GIT_OBJECT_COMMIT, text.data, text.len, NULL, id, err);
	}
	return rc;
}

/* After a ref was to be moved, with what came of it. What failed may have left its own lock; what
 * another program holds is not ours. */
static void end_move(struct reduction *r, int rc)
{
	if (rc < 0 && rc != GIT_ELOCKED && rc != GIT_ENOTFOUND)
		refs_remove_stale(&r->location);
	else
		refs_unmark(&r->location);
}

static int point_ref_at(struct reduction *r, const git_oid *id, struct err *err)
{
	git_reference *ref = NULL;
	refs_mark(&r->location);
	int rc = git_reference_create_matching(&ref, r->location.repo, r->location.ref, id, 1,
	                                       &r->chain.tip, "whittle: prune");
	git_reference_free(ref);
	end_move(r, rc);
	return rc < 0 ? gitlib_fail(err, "cannot move %s", r->location.ref) : 0;
}

static int remove_leaf(struct reduction *r, const char *leaf, struct err *err)
{
	MEM_SCOPED char *path = location_path(&r->location, leaf);
	return unlink(path) < 0 && errno != ENOENT ? err_errno(err, "cannot remove %s", path) : 0;
}

static int remove_met(struct reduction *r, struct err *err)
{
	MEM_SCOPED char *path = location_path(&r->location, REDUCTION_MET);
	return io_remove_tree(AT_FDCWD, path) < 0 && errno != ENOENT
	               ? err_errno(err, "cannot remove %s", path)
	               : 0;
}

/* Where packs are made; the caller's. */
static char *scratch_of(const struct reduction *r)
{
	MEM_SCOPED char *pack_dir = objects_pack_dir(r->location.repo);
	return mem_printf("%s/../whittle-%s", pack_dir, r->location.name);
}

/* Two commits in the place of all. */
static int squash(struct reduction *r, struct err *err)
{
	struct faults none = { 0 };
	git_oid id;
	MEM_SCOPED char *scratch = scratch_of(r);
	struct objects *objects = objects_new(r->location.repo, scratch, &none, err);
	int rc = objects ? add_squashed(r, objects, &id, err) : -1;
	if (rc == 0)
		rc = objects_write(objects, packs_note, &r->location, err);
	if (rc == 0)
		rc = point_ref_at(r, &id, err);
	objects_free(objects);
	return rc;
}

int reduction_squash(struct reduction *r, struct err *err)
{
	if (r->chain.last.kind != STEP_FINISHED)
		return err_set(err, ERR_USAGE, "reduction '%s' is not finished", r->location.name);
	refs_remove_stale(&r->location);
	int rc = r->chain.n > 2 ? squash(r, err) : 0;
	packs_unkeep(&r->location);
	/* The list of packs goes, the packs stay: other refs may use them. The user's gc knows. */
	if (rc == 0 && (remove_leaf(r, "journal", err) < 0 || remove_leaf(r, "packs", err) < 0 ||
	                remove_leaf(r, "external", err) < 0 || remove_met(r, err) < 0))
		rc = -1;
	return rc;
}

/* It may be gone: damaged and set aside, or removed by somebody who was killed then. Or packed-refs
 * has an older one. */
static int delete_ref(struct reduction *r, struct err *err)
{
	git_reference *ref = NULL;
	refs_mark(&r->location);
	int rc = git_reference_lookup(&ref, r->location.repo, r->location.ref);
	bool gone = rc == GIT_ENOTFOUND;
	if (rc == 0)
		rc = git_reference_delete(ref);
	git_reference_free(ref);
	end_move(r, rc);
	return rc < 0 && !gone ? gitlib_fail(err, "cannot remove %s", r->location.ref) : 0;
}

int reduction_delete(struct reduction *r, struct err *err)
{
	refs_remove_stale(&r->location);
	packs_unkeep(&r->location);
	if (r->broken_ref) {
		MEM_SCOPED char *aside =
			refs_set_broken_aside(&r->location, err); /* it goes with the directory */
		if (!aside)
			return -1;
	}
	if (delete_ref(r, err) < 0)
		return -1;
	MEM_SCOPED char *scratch = scratch_of(r);
	io_remove_tree(AT_FDCWD, scratch);
	if (io_remove_tree(AT_FDCWD, r->location.dir) < 0)
		return err_errno(err, "cannot remove %s", r->location.dir);
	return 0;
}
