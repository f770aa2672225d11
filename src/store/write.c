#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "text/testcase.h"
#include "store/git.h"
#include "store/history.h"
#include "store/store.h"
#include "store/writer.h"

static int store_write_id(struct store *s, const char *leaf, const git_oid *id, struct err *err);

/* From memory to the ref. */

enum { MANY_PACKS = 16, REF_TRIES = 20, REF_WAIT_NS = 50000000 };

static int try_move_ref(struct store *s, const git_oid *to, struct err *err)
{
	git_reference *ref = NULL;
	if (fault_strikes(&s->faults, "ref-update"))
		return err_errno(err, "cannot move %s", s->r.location.ref);
	git_repository *repo = s->r.location.repo;
	const char *name = s->r.location.ref;
	int rc = s->found.has_ref ? git_reference_create_matching(&ref, repo, name, to, 1,
	                                                          &s->r.chain.tip, "whittle")
	                          : git_reference_create(&ref, repo, name, to, 0, "whittle");
	git_reference_free(ref);
	if (rc == GIT_EMODIFIED || rc == GIT_EEXISTS)
		return err_set(err, ERR_SYSTEM,
		               "%s was moved by another program; what it points at was left alone",
		               name);
	if (rc < 0)
		gitlib_fail(err, "cannot move %s", s->r.location.ref);
	return rc == GIT_ELOCKED ? 1 : rc < 0 ? -1 : 0;
}

/* Another program (git pack-refs, say) may hold the ref's lock for a moment. */
static int move_ref(struct store *s, const git_oid *to, struct err *err)
{
	refs_mark(&s->r.location);
	int rc = try_move_ref(s, to, err);
	for (int i = 0; rc == 1 && i < REF_TRIES; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = REF_WAIT_NS }, NULL);
		rc = try_move_ref(s, to, err);
	}
	if (rc < 0) /* what failed may have left its own lock */
		refs_remove_stale(&s->r.location);
	else
		refs_unmark(&s->r.location);
	if (rc == 1)
		err_context(err,
		            "another process holds %s%s.lock; remove it if that process is gone",
		            s->r.location.common, s->r.location.ref);
	if (rc)
		return -1;
	s->found.has_ref = true;
	s->r.chain.tip = *to;
	packs_unkeep(&s->r.location);
	return 0;
}

/* Writes what waits and moves the ref to TO. */
static int store_flush_to(struct store *s, const git_oid *to, struct err *err)
{
	int rc = journal_sync(&s->journal, err);
	if (rc == 0)
		rc = objects_write(s->objects, packs_note, &s->r.location, err);
	if (rc == 0)
		rc = move_ref(s, to, err);
	if (rc < 0 && access(s->r.location.common, F_OK) < 0 && errno == ENOENT)
		err_context(err, "the repository %s is gone", s->r.location.common);
	return rc;
}

int store_flush(struct store *s, struct err *err)
{
	s->made.since_flush = 0;
	if (!s->behind)
		return s->journal.fd >= 0 ? journal_sync(&s->journal, err) : 0;
	if (store_flush_to(s, &s->r.chain.ids[s->r.chain.n - 1], err) < 0)
		return -1;
	s->behind = false;
	s->r.chain.paused = false;
	packs_merge(s, MANY_PACKS);
	return 0;
}

/* Making and comparing the steps of a reduction. */

enum { BATCH_STEPS = 64 };

/* The objects are told of the commit the next one stands on. */
static int know_parent(struct store *s, struct err *err)
{
	if (s->known || !s->found.has_ref || !s->made.pos)
		return 0;
	if (!objects_waiting(s->objects) && store_reopen(s, err) < 0)
		return -1;
	if (store_know(s, &s->r.chain.ids[s->made.pos - 1], err) < 0)
		return -1;
	s->known = true;
	return 0;
}

static int append(struct store *s, const struct step *step, const struct testcase *tc,
                  const struct buf *verdicts, const char *message, struct err *err)
{
	git_oid tree, id;
	if (know_parent(s, err) < 0 || store_add_tree(s, tc, verdicts, &tree, err) < 0 ||
	    store_add_commit(s, step, &tree, s->made.pos ? &s->r.chain.ids[s->made.pos - 1] : NULL,
	                     message, &id, err) < 0)
		return -1;
	chain_add(&s->r.chain, &id);
	s->r.chain.last = *step;
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
	const git_oid *id = &s->r.chain.ids[s->made.pos];
	if (gitlib_commit(&commit, s->r.location.repo, id) < 0)
		return gitlib_fail(err, "snapshot %zu cannot be read", s->made.pos);
	bool same = !strcmp(git_commit_message_raw(commit), message);
	git_commit_free(commit);
	if (!same)
		return 0;
	int rc = step_file(s->r.location.repo, id, STORE_VERDICTS, &kept, err);
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
	if (store_set_aside(s, &s->r.chain.tip, false, &as, err) < 0)
		return -1;
	if (!s->made.diverged) /* a test that is not sure may bring it about again and again */
		store_notice(s,
		             "step %u differs from the last time (because the test gave another "
		             "verdict, or whittle was upgraded); the old history is kept as '%s'",
		             number, as);
	s->made.diverged = true;
	free(as);
	s->r.chain.n = s->made.pos;
	s->r.chain.paused = false;
	return 0;
}

/* Makes or compares the next step. When one fails, those behind it would be another history: they
 * are left to the next run, which makes the same ones again from the verdicts. */
static int make(struct store *s, enum step_kind kind, const struct store_snapshot *snap,
                struct err *err)
{
	if (s->made.incomplete && access(s->r.location.common, F_OK) < 0)
		return err_set(err, ERR_SYSTEM, "the repository %s is gone", s->r.location.common);
	if (s->made.incomplete)
		return err_set(err, ERR_SYSTEM,
		               "cannot keep a snapshot; the same command makes it again, without "
		               "repeating tests");
	struct step step = store_step_of(s, kind, snap);
	BUF_SCOPED struct buf message = { 0 }, verdicts = { 0 };
	step_message(&message, &step, snap->note);
	store_entries_encode(&verdicts, snap->asked, snap->n_asked);
	int same = s->made.pos < s->r.chain.n ? compare(s, message.data, &verdicts, err) : 0;
	int rc = same < 0 ? -1 : 0;
	if (same == 1)
		s->made.pos++;
	else if (rc == 0 && s->made.pos < s->r.chain.n)
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
	    store_write_id(s, LOCATION_FINISHED, &s->r.chain.ids[s->r.chain.n - 1], err) < 0)
		return -1;
	packs_merge(s, 1);
	return 0;
}

int store_take_back(struct store *s, const struct testcase *tc, struct err *err)
{
	size_t at;
	int found =
		store_flush(s, err) < 0 || store_reopen(s, err) < 0
			? -1
			: chain_seek(&s->r.chain, s->r.location.repo, step_content(tc), &at, err);
	if (found < 0)
		return -1;
	if (found && at) {
		s->made.pos = at;
		if (diverge(s, err) < 0 || step_load(s->r.location.repo, &s->r.chain.ids[at - 1],
		                                     &s->r.chain.last, err) < 0)
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

/* The start of a reduction, the first time and again. */

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
	store_format_text(&format, in->identity, s->r.location.prefix);
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

/* A store_entry_fn: adds the hash to the struct hash_set CTX. */
static void store_remember(void *set, const struct store_entry *v)
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
	if (!s->r.chain.paused)
		return 0;
	int rc = step_verdicts(s->r.location.repo, &s->r.chain.tip, import_one, &import, err);
	return rc < 0 ? -1 : import.rc;
}

static int open_journal(struct store *s, struct err *err)
{
	SCOPED(hash_set_release) struct hash_set have = { 0 };
	struct journal_report report;
	MEM_SCOPED char *path = location_path(&s->r.location, "journal");
	int rc = journal_read(path, s->identity, store_remember, &have, &report, err);
	if (rc == 0 && report.foreign) {
		MEM_SCOPED char *old = location_path(&s->r.location, "journal.old");
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
	MEM_SCOPED char *path = location_path(&s->r.location, leaf);
	int rc = io_replace_entry(path, text, strlen(text), 0644, err);
	io_remove_leftovers(path);
	return rc;
}

/* Where things are on this machine. */
static int write_whereabouts(struct store *s, struct err *err)
{
	MEM_SCOPED char *origin = mem_printf("%s\n", s->r.location.file);
	int rc = write_leaf(s, "origin", origin, err);
	return rc == 0 ? write_leaf(s, "local", s->local, err) : -1;
}

/* .whittle/ is ours, and git keeps no .git. */
static int check_paths(const struct store *s, const struct testcase *tc, struct err *err)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		MEM_SCOPED char *path = mem_printf("%s%s", s->r.location.prefix, f->path);
		bool bad = path_trouble(path, S_ISLNK(f->mode) ? S_IFLNK : 0) ||
		           !strcmp(path, STORE_OWN) || path_is_below(path, STORE_OWN);
		int rc = bad ? err_set(err, ERR_USAGE, "%s cannot be kept in a git tree", path) : 0;
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* Keeps ID as LEAF beside the journal: what was written here, and not by a fetch. */
static int store_write_id(struct store *s, const char *leaf, const git_oid *id, struct err *err)
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
	int rc = s->r.chain.n ? store_know(s, &s->r.chain.ids[0], err) : 0;
	if (rc == 0)
		rc = add_all_carried(s, in, err);
	if (rc == 0)
		rc = store_add_tree(s, in->tc, NULL, &tree, err);
	if (rc == 0)
		rc = store_add_commit(s, &step, &tree, NULL, message.data, &id, err);
	if (rc < 0)
		return -1;
	if (s->r.chain.n && !git_oid_equal(&id, &s->r.chain.ids[0]))
		return err_set(err, ERR_USAGE,
		               "reduction '%s' was started with another input, test or options",
		               s->r.location.name);
	if (store_write_id(s, LOCATION_FIRST, &id, err) < 0)
		return -1;
	s->made.pos = 1;
	if (s->r.chain.n) {
		objects_drop(s->objects);
		return 0;
	}
	chain_add(&s->r.chain, &id);
	s->r.chain.last = step;
	s->behind = true;
	return store_flush(s, err);
}

int store_begin(struct store *s, const struct store_input *in, struct err *err)
{
	if (s->fresh && store_start_over(s, err) < 0)
		return -1;
	if (s->r.damaged) {
		*err = *s->found.damage;
		return -1;
	}
	s->identity = in->identity;
	/* Of a new reduction before its ref is there: what -o is to leave alone is known then. */
	bool is_new = !s->r.chain.n;
	if (check_paths(s, in->tc, err) < 0 || open_journal(s, err) < 0 ||
	    (is_new && write_whereabouts(s, err) < 0) || first_commit(s, in, err) < 0)
		return -1;
	return is_new ? 0 : write_whereabouts(s, err);
}

/* What it takes to resume a reduction: its file, its test and its options, here or where it was
 * fetched to. */

/* As step_file, of the first commit. */
static int first_file(struct reduction *r, const char *path, struct buf *out, struct err *err)
{
	return step_file(r->location.repo, &r->chain.ids[0], path, out, err);
}

char *reduction_options(struct reduction *r, struct err *err)
{
	struct buf text = { 0 };
	int rc = first_file(r, STORE_OPTIONS, &text, err);
	if (rc == 0)
		err_set(err, ERR_USAGE, "reduction '%s' does not name its options",
		        r->location.name);
	if (rc != 1)
		buf_release(&text);
	return text.data;
}

int reduction_test(struct reduction *r, struct buf *out, struct err *err)
{
	return first_file(r, STORE_TEST, out, err);
}

int reduction_identity(struct reduction *r, struct hash *identity, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = first_file(r, STORE_FORMAT, &text, err);
	if (rc >= 0 && !(rc && store_format_identity(text.data, identity)))
		rc = err_set(err, ERR_USAGE,
		             "reduction '%s' was started by another version of whittle",
		             r->location.name);
	return rc < 0 ? -1 : 0;
}

/* Is ID what this machine wrote to LEAF? */
static bool holds_id(const struct reduction *r, const char *leaf, const git_oid *id)
{
	char hex[GIT_OID_HEXSZ + 1];
	MEM_SCOPED char *text = location_line(r->location.dir, leaf, "");
	git_oid_tostr(hex, sizeof hex, id);
	return text && !strcmp(text, hex);
}

bool reduction_is_own(const struct reduction *r)
{
	return holds_id(r, LOCATION_FIRST, &r->chain.ids[0]);
}

bool reduction_finished_here(const struct reduction *r)
{
	return holds_id(r, LOCATION_FINISHED, &r->chain.ids[r->chain.n - 1]);
}

bool reduction_is_at_home(struct reduction *r, const char *file)
{
	SCOPED(git_repository_scoped) git_repository *repo = location_around(file);
	return repo && !strcmp(git_repository_commondir(repo), r->location.common);
}

/* A path in the test case, with a '/' behind that of a directory. */
static int check_operand(const char *operand, struct err *err)
{
	size_t len = strlen(operand);
	MEM_SCOPED char *path =
		mem_printf("%.*s", (int)(len - (len && operand[len - 1] == '/')), operand);
	return path_check(path, 0, "the reduced file", err);
}

char **reduction_operands(struct reduction *r, struct err *err)
{
	struct buf text = { 0 };
	char **list = NULL;
	size_t n = 0, cap = 0;
	if (first_file(r, STORE_OPERANDS, &text, err) < 0)
		return NULL;
	bool foreign = false;
	for (const char *p = text.data; p && p < text.data + text.len; p += strlen(p) + 1) {
		MEM_PUSH(list, n, cap, mem_strdup(p));
		foreign = foreign || check_operand(p, err) < 0;
	}
	buf_release(&text);
	MEM_GROW(list, n, cap);
	list[n] = NULL;
	if (!foreign)
		return list;
	mem_free_words(list);
	return NULL;
}

/* The directory in which the test case's paths begin where FILE is: of a tree FILE is the first
 * operand. */
static char *former_top(struct reduction *r)
{
	const char *file = r->location.file;
	SCOPED(mem_words_scoped) char **operands = reduction_operands(r, NULL);
	size_t len = strlen(file), behind = 0;
	if (operands && operands[0]) {
		behind = strlen(operands[0]);
		behind -= behind && operands[0][behind - 1] == '/';
	}
	MEM_SCOPED char *copy = mem_strdup(file);
	return behind && behind < len ? mem_printf("%.*s", (int)(len - behind - 1), file)
	                              : mem_strdup(dirname(copy));
}

/* Where PATH was reduced the last time; NULL when that is not known. */
static char *former_file(struct reduction *r, const char *path)
{
	if (!r->location.file)
		return NULL;
	MEM_SCOPED char *top = former_top(r);
	return mem_printf("%s/%s", top, path);
}

/* Where PATH belongs in the work tree; NULL when there is none. */
static char *tree_file(struct reduction *r, const char *path)
{
	const char *top = git_repository_workdir(r->location.repo);
	return top && r->location.prefix ? mem_printf("%s%s%s", top, r->location.prefix, path)
	                                 : NULL;
}

/* Where FILE, the last LEN bytes of which come with the reduction, is no place of the user's own
 * choice, it is reached without links. */
static int check_way(struct reduction *r, const char *file, size_t len, struct err *err)
{
	size_t top = strlen(file) - len, own = r->location.file ? strlen(r->location.file) : 0;
	if (own && !strncmp(file, r->location.file, own) &&
	    (!file[own] || !strcmp(file + own, "/")))
		return 0;
	MEM_SCOPED char *dir = mem_printf("%.*s", (int)top, file);
	int rc = beneath_check(dir, file + top);
	return rc < 0 ? err_set(err, ERR_USAGE,
	                        "%s leads through a symbolic link or to another file system; it is "
	                        "not written (use -o)",
	                        file)
	              : 0;
}

char *reduction_file(struct reduction *r, const char *path, struct err *err)
{
	char *former = former_file(r, path), *tree = tree_file(r, path);
	/* A repository that was moved or copied has its own copy of the file. */
	bool moved = former && tree && !reduction_is_at_home(r, former) &&
	             (access(former, F_OK) < 0 || access(tree, F_OK) == 0);
	bool in_tree = moved || !former;
	char *file = in_tree ? tree : former;
	if (in_tree)
		free(former);
	else
		free(tree);
	if (!file)
		err_set(err, ERR_USAGE,
		        "reduction '%s' was never run here, and this repository has no work tree "
		        "for %s; use -o",
		        r->location.name, path);
	else if (check_way(r, file, strlen(path) + (in_tree ? strlen(r->location.prefix) : 0),
	                   err) < 0) {
		free(file);
		file = NULL;
	}
	return file;
}

/* The commit that carries the verdicts of a stopped reduction. */

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
	for (size_t i = 1; i < s->r.chain.n; i++)
		if (step_verdicts(s->r.location.repo, &s->r.chain.ids[i], store_remember,
		                  &tail->committed, err) < 0)
			return -1;
	return journal_read(s->journal.path, s->identity, add_tail, tail, &report, err);
}

/* The tree of the last snapshot with other verdicts. */
static int add_pause_tree(struct store *s, const struct buf *verdicts, git_oid *id, struct err *err)
{
	struct tree_list l;
	if (tree_list(&l, s->r.location.repo, &s->r.chain.ids[s->r.chain.n - 1], err) < 0)
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
	struct step step = s->r.chain.last;
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
		rc = store_add_commit(s, &step, &tree, &s->r.chain.ids[s->r.chain.n - 1],
		                      message.data, id, err);
	return rc;
}

int store_pause(struct store *s, struct err *err)
{
	struct tail tail = { 0 };
	git_oid id;
	if (store_flush(s, err) < 0)
		return -1;
	if (s->r.chain.last.kind == STEP_FINISHED)
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
			s->r.chain.paused = true;
		s->known = false;
		objects_forget_known(s->objects);
	}
	hash_set_release(&tail.committed);
	free(tail.list);
	return rc;
}
