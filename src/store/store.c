#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"
#include "store/history.h"
#include "store/lock.h"
#include "store/writer.h"
#include "text/testcase.h"

void store_notice(struct store *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *line = NULL;
	if (vasprintf(&line, fmt, ap) >= 0 && s->notice)
		s->notice(s->ctx, line);
	va_end(ap);
}

/* A ref or a history that cannot be read is no failure of store_open: the journal may be intact,
 * and
 * --fresh must get past. */
static int load_chain(struct store *s, struct err *err)
{
	struct err why;
	if (refs_check_free(&s->r.location, err) < 0)
		return -1;
	int found = reduction_load(&s->r, &why);
	s->found.has_ref = found != 0;
	if (found < 0)
		s->found.damage = mem_dup(&why, sizeof why);
	return 0;
}

static int take_lock(struct store *s, struct err *err)
{
	pid_t owner;
	MEM_SCOPED char *path = location_path(&s->r.location, "lock");
	s->lock_fd = lock_take(path, &owner, &s->faults, err);
	if (s->lock_fd < 0 && owner)
		err_set(err, ERR_SYSTEM, "reduction '%s' is being reduced by process %ld",
		        s->r.location.name, (long)owner);
	return s->lock_fd < 0 ? -1 : 0;
}

static bool ref_exists(struct store *s, const char *name)
{
	git_oid id;
	MEM_SCOPED char *ref = mem_printf(LOCATION_REFS "%s", name);
	return git_reference_name_to_id(&id, s->r.location.repo, ref) == 0;
}

/* Renaming does not look at the target, which may be what is damaged; but a kill in its middle
 * loses the ref. */
static int rename_ref(git_reference *from, const char *to_ref)
{
	SCOPED(git_reference_scoped) git_reference *to = NULL;
	return git_reference_rename(&to, from, to_ref, 0, "whittle: set aside");
}

/* REF becomes another name of TIP, or the only one. */
static int move_ref(struct store *s, const git_oid *tip, const char *ref, bool only)
{
	git_reference *from = NULL, *to = NULL;
	int rc = git_reference_create(&to, s->r.location.repo, ref, tip, 0, "whittle: set aside");
	bool made = rc == 0;
	if (made || only)
		rc = git_reference_lookup(&from, s->r.location.repo, s->r.location.ref);
	if (rc == 0 && only)
		rc = made ? git_reference_delete(from) : rename_ref(from, ref);
	git_reference_free(from);
	git_reference_free(to);
	return rc;
}

static int set_ref_aside(struct store *s, const git_oid *tip, const char *name, bool only,
                         struct err *err)
{
	MEM_SCOPED char *ref = mem_printf(LOCATION_REFS "%s", name);
	refs_mark(&s->r.location);
	int rc = move_ref(s, tip, ref, only);
	refs_unmark(&s->r.location);
	if (rc < 0)
		gitlib_fail(err, "cannot set reduction '%s' aside as '%s'", s->r.location.name,
		            name);
	return rc < 0 ? -1 : 0;
}

static int move_leaf(struct store *s, const char *name, const char *leaf, struct err *err)
{
	MEM_SCOPED char *from = location_path(&s->r.location, leaf);
	MEM_SCOPED char *to = mem_printf("%swhittle/%s/%s", s->r.location.common, name, leaf);
	int rc = 0;
	if (rename(from, to) < 0 && errno != ENOENT)
		rc = err_errno(err, "cannot move %s to %s", from, to);
	return rc;
}

static int move_files(struct store *s, const char *name, struct err *err)
{
	static const char *const leaves[] = { "journal", "packs" };
	struct location other = { .common = s->r.location.common };
	other.dir = mem_printf("%swhittle/%s", s->r.location.common, name);
	int rc = location_make_dir(&other, err);
	free(other.dir);
	for (size_t i = 0; rc == 0 && i < sizeof leaves / sizeof *leaves; i++)
		rc = move_leaf(s, name, leaves[i], err);
	return rc;
}

int store_set_aside(struct store *s, const git_oid *tip, bool files, char **as, struct err *err)
{
	char *name = NULL;
	for (unsigned i = 1; !name; i++) {
		name = mem_printf("%s.%u", s->r.location.name, i);
		if (ref_exists(s, name)) {
			free(name);
			name = NULL;
		}
	}
	int rc = set_ref_aside(s, tip, name, files, err);
	/* Verdicts outlive a damaged history: they are what a new start needs most. */
	if (rc == 0 && files && !s->r.damaged)
		rc = move_files(s, name, err);
	if (rc < 0) {
		free(name);
		return -1;
	}
	*as = name;
	return 0;
}

/* The file that is the ref goes beside the journal; what packed-refs says then, if anything, is an
 * older history. */
static int set_broken_aside(struct store *s, struct err *err)
{
	MEM_SCOPED char *as = refs_set_broken_aside(&s->r.location, err);
	if (!as)
		return -1;
	store_notice(s, "%s, which is damaged, is kept as %s", s->r.location.ref, as);
	s->r.broken_ref = false;
	s->found.has_ref = reduction_load(&s->r, err) != 0;
	return s->r.broken_ref ? -1 : 0;
}

static void forget_history(struct store *s)
{
	chain_release(&s->r.chain);
	s->found.has_ref = s->r.damaged = s->fresh = false;
}

int store_start_over(struct store *s, struct err *err)
{
	char *as = NULL;
	if (s->r.broken_ref && set_broken_aside(s, err) < 0)
		return -1;
	if (!s->found.has_ref) {
		forget_history(s);
		return 0;
	}
	if (store_set_aside(s, &s->r.chain.tip, true, &as, err) < 0)
		return -1;
	store_notice(s, "it starts over; the old one is kept as '%s'", as);
	free(as);
	forget_history(s);
	return 0;
}

static int open_all(struct store *s, const struct store_options *o, struct err *err)
{
	if (faults_load(&s->faults, err) < 0 || location_find(&s->r.location, o, err) < 0 ||
	    location_make_dir(&s->r.location, err) < 0 || take_lock(s, err) < 0)
		return -1;
	MEM_SCOPED char *pack_dir = objects_pack_dir(s->r.location.repo);
	MEM_SCOPED char *scratch = mem_printf("%s/../whittle-%s", pack_dir, s->r.location.name);
	s->objects = objects_new(s->r.location.repo, scratch, &s->faults, err);
	if (!s->objects)
		return -1;
	refs_remove_stale(&s->r.location);
	packs_unkeep(&s->r.location);
	if (load_chain(s, err) < 0)
		return -1;
	s->fresh = o->fresh && s->found.has_ref;
	return 0;
}

struct store *store_open(const struct store_options *options, struct err *err)
{
	if (gitlib_start(err) < 0)
		return NULL;
	struct store *s = mem_zero(1, sizeof *s);
	s->notice = options->notice;
	s->ctx = options->ctx;
	s->local = mem_strdup(options->local ? options->local : "");
	s->lock_fd = s->journal.fd = -1;
	if (open_all(s, options, err) < 0) {
		store_close(s);
		return NULL;
	}
	return s;
}

void store_hurry(struct store *s, bool (*is_over)(void *ctx), void *ctx)
{
	objects_hurry(s->objects, is_over, ctx);
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->journal.fd >= 0)
		journal_close(&s->journal);
	objects_free(s->objects);
	chain_release(&s->r.chain);
	free(s->last.list);
	free(s->found.damage);
	free(s->local);
	location_release(&s->r.location);
	io_close(s->lock_fd);
	free(s);
	gitlib_stop();
}

struct reduction *store_reduction(struct store *s)
{
	return &s->r;
}

bool store_is_original(struct store *s, const struct testcase *tc)
{
	struct step step;
	return !s->r.damaged && s->r.chain.n &&
	       step_load(s->r.location.repo, &s->r.chain.ids[0], &step, NULL) == 0 &&
	       hash_equal(step.content, step_content(tc));
}

int store_record(struct store *s, const struct store_entry *verdict, struct err *err)
{
	return journal_append(&s->journal, verdict, err);
}

int store_sync(struct store *s, struct err *err)
{
	return s->journal.fd >= 0 ? journal_sync(&s->journal, err) : 0;
}

bool store_waits(const struct store *s)
{
	return s->behind;
}

bool store_begun(const struct store *s)
{
	return s->r.chain.n && !s->fresh;
}

unsigned store_step(const struct store *s)
{
	return s->made.pos ? (unsigned)s->made.pos - 1 : 0;
}

void store_tip(const struct store *s, char hex[65])
{
	hex[0] = '\0';
	if (s->made.pos)
		git_oid_tostr(hex, GIT_OID_HEXSZ + 1, &s->r.chain.ids[s->made.pos - 1]);
}
