/* The commit that carries the verdicts of a stopped reduction. */

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "store/store.h"
#include "store/writer.h"

struct tail {
	struct hash_set committed;
	struct store_entry *list;
	size_t n, cap;
};

static void add_tail(void *ctx, const struct store_entry *v)
{
	struct tail *t = ctx;
	if (hash_set_add(&t->committed, store_entry_key(v)))
		MEM_PUSH(t->list, t->n, t->cap, *v);
}

/* The verdicts of the journal that no snapshot holds. */
static int read_tail(struct store *s, struct tail *tail, struct err *err)
{
	struct journal_report report;
	for (size_t i = 1; i < s->chain.n; i++)
		if (step_verdicts(s->location.repo, &s->chain.ids[i], store_remember,
		                  &tail->committed, err) < 0)
			return -1;
	return journal_read(s->journal.path, s->identity, add_tail, tail, &report, err);
}

/* The tree of the last snapshot with other verdicts. */
static int add_pause_tree(struct store *s, const struct buf *verdicts, git_oid *id, struct err *err)
{
	struct tree_list l;
	if (tree_list(&l, s->location.repo, &s->chain.ids[s->chain.n - 1], err) < 0)
		return -1;
	git_oid blob;
	int rc = objects_add(s->objects, GIT_OBJECT_BLOB, verdicts->data, verdicts->len,
	                     STORE_VERDICTS, &blob, err);
	if (rc == 0) {
		MEM_PUSH(l.files, l.n, l.cap,
		         (struct tree_file){ mem_strdup(STORE_VERDICTS), GIT_FILEMODE_BLOB, blob });
		objects_sort(l.files, l.n);
		rc = objects_add_tree(s->objects, l.files, l.n, id, err);
	}
	tree_list_release(&l);
	return rc;
}

static int add_pause(struct store *s, const struct tail *tail, git_oid *id, struct err *err)
{
	BUF_SCOPED struct buf verdicts = { 0 }, message = { 0 };
	struct step step = s->chain.last;
	git_oid tree;
	store_entries_encode(&verdicts, tail->list, tail->n);
	step.kind = STEP_PAUSED;
	MEM_SCOPED char *note =
		mem_printf("%zu verdicts that no snapshot holds yet. This commit is replaced "
	                   "when the reduction resumes.",
	                   tail->n);
	step_message(&message, &step, note);
	int rc = add_pause_tree(s, &verdicts, &tree, err);
	if (rc == 0)
		rc = store_add_commit(s, &step, &tree, &s->chain.ids[s->chain.n - 1], message.data,
		                      id, err);
	return rc;
}

int store_pause(struct store *s, struct err *err)
{
	struct tail tail = { 0 };
	git_oid id;
	if (store_flush(s, err) < 0)
		return -1;
	if (s->chain.last.kind == STEP_FINISHED)
		return 0;
	int rc = store_reopen(s, err);
	if (rc == 0)
		rc = read_tail(s, &tail, err);
	if (rc == 0 && tail.n) {
		rc = add_pause(s, &tail, &id, err);
		if (rc == 0)
			rc = store_flush_to(s, &id, err);
		/* A later snapshot stands on the last one, not on the pause: its ref moves
		 * sideways, and the pause's objects are nobody's then. */
		if (rc == 0)
			s->chain.paused = true;
		s->known = false;
		objects_forget_known(s->objects);
	}
	hash_set_release(&tail.committed);
	free(tail.list);
	return rc;
}
