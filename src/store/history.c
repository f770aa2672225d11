#include "store/history.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "store/gitlib.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/writer.h"
#include "text/testcase.h"

static int tell_damage(const struct reduction *r, struct err *err)
{
	if (!err)
		return -1;
	struct err why = *err;
	const char *name = r->location.name;
	MEM_SCOPED char *word = quote_word(name),
			*removal = quote_command("prune --delete", NULL, r->location.asked, name);
	err_set(err, why.code,
	        "reduction '%s' is damaged: %s\nto start over: `whittle --fresh --name %s TEST "
	        "FILE` (the old one is kept); to remove it: `%s`",
	        name, why.msg, word, removal);
	return -1;
}

/* Is there a ref, even one that leads to no object: a symbolic one of a branch that is not there?
 */
static bool has_ref(const struct reduction *r)
{
	git_reference *ref = NULL;
	bool is = git_reference_lookup(&ref, r->location.repo, r->location.ref) == 0;
	git_reference_free(ref);
	return is;
}

static int load(struct reduction *r, struct err *err)
{
	git_oid tip;
	int rc = git_reference_name_to_id(&tip, r->location.repo, r->location.ref);
	bool nowhere = rc == GIT_ENOTFOUND && has_ref(r);
	if (rc == GIT_ENOTFOUND && !nowhere)
		return err_set(err, ERR_USAGE,
		               "there is no reduction '%s' in %s (see `whittle list`)",
		               r->location.name, r->location.common);
	r->broken_ref = rc < 0;
	if (nowhere)
		err_set(err, ERR_SYSTEM, "%s is a symbolic ref", r->location.ref);
	else if (rc < 0)
		gitlib_fail(err, "cannot read %s", r->location.ref);
	r->location.file = location_line(r->location.dir, "origin", "");
	r->damaged = rc < 0 || chain_load(&r->chain, r->location.repo, &tip, err) < 0;
	return r->damaged ? tell_damage(r, err) : 0;
}

/* Where ":STEP" begins in SPEC; NULL: no step is given, as in the path of a file with a colon. */
static const char *find_step(const char *spec)
{
	const char *colon = spec ? strrchr(spec, ':') : NULL;
	return colon && access(spec, F_OK) < 0 ? colon : NULL;
}

/* A number, or "last", that is neither a file nor a reduction: a step of the one that is meant
 * without a name. */
static bool is_bare_step(git_repository *repo, const char *spec)
{
	bool is = spec && (!strcmp(spec, "last") || (*spec && !spec[strspn(spec, "0123456789")]));
	if (!is || access(spec, F_OK) == 0)
		return false;
	MEM_SCOPED char *ref = mem_printf(LOCATION_REFS "%s", spec);
	git_oid tip;
	return git_reference_name_to_id(&tip, repo, ref) < 0;
}

/* The repository around FILE, when it may be another one than that around DIR. */
static git_repository *other_repository(const char *file, const char *store)
{
	if (store || !file || !strchr(file, '/') || getenv("GIT_DIR"))
		return NULL;
	return location_around(file);
}

/* The name of the reduction that TEXT means, and the repository that keeps it. */
static char *find_name(git_repository **repo, const char *dir, const char *store, const char *text,
                       struct err *err)
{
	if (!dir)
		return mem_strdup(text);
	char *name = *repo ? names_find(*repo, store ? NULL : dir, text, err) : NULL;
	git_repository *other = name ? NULL : other_repository(text, store);
	if (!other)
		return name;
	if ((name = names_find(other, NULL, text, NULL))) {
		git_repository_free(*repo);
		*repo = other;
	} else {
		git_repository_free(other);
	}
	return name;
}

int reduction_open(struct reduction *r, const char *dir, const char *store, const char *spec,
                   struct err *err)
{
	*r = (struct reduction){ 0 };
	if (gitlib_start(err) < 0)
		return -1;
	git_repository *repo = location_repository(dir, store, err);
	const char *colon = find_step(spec), *step = colon ? colon + 1 : NULL;
	bool bare = !colon && dir && repo && is_bare_step(repo, spec);
	size_t len = colon ? (size_t)(colon - spec) : spec && !bare ? strlen(spec) : 0;
	if (bare)
		step = spec;
	MEM_SCOPED char *text = len ? mem_printf("%.*s", (int)len, spec) : NULL;
	MEM_SCOPED char *name = find_name(&repo, dir, store, text, err);
	int rc = name && repo ? 0 : -1;
	if (rc < 0 && repo && bare)
		err_context(err, "step %s, as in NAME:%s", spec, spec);
	if (rc == 0 && !location_name_valid(name))
		rc = err_set(err, ERR_USAGE, "'%s' cannot be the name of a reduction", name);
	if (rc == 0) {
		location_named(&r->location, repo, name);
		r->location.asked = store ? mem_strdup(store) : NULL;
		rc = load(r, err);
	} else {
		git_repository_free(repo);
	}
	if (rc == 0) {
		r->step_given = step;
		rc = reduction_seek(r, step ? step : "last", err);
	}
	return rc;
}

int reduction_open_rest(struct reduction *r, const char *dir, const char *store, const char *name)
{
	*r = (struct reduction){ 0 };
	if (gitlib_start(NULL) < 0)
		return -1;
	git_repository *repo =
		location_name_valid(name) ? location_repository(dir, store, NULL) : NULL;
	if (!repo)
		return -1;
	location_named(&r->location, repo, name);
	return !has_ref(r) && access(r->location.dir, F_OK) == 0 ? 0 : -1;
}

void reduction_close(struct reduction *r)
{
	chain_release(&r->chain);
	location_release(&r->location);
	gitlib_stop();
}

/* In a pruned history positions are not numbers. */
static int find_number(struct reduction *r, unsigned number, struct err *err)
{
	for (size_t i = 0; i < r->chain.n; i++) {
		struct step step;
		size_t at = (number + i) % r->chain.n;
		if (step_load(r->location.repo, &r->chain.ids[at], &step, err) < 0)
			return -1;
		if (step.number == number) {
			r->at = at;
			r->step = number;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "reduction '%s' has no step %u; its last one is %u",
	               r->location.name, number, r->chain.last.number);
}

int reduction_seek(struct reduction *r, const char *text, struct err *err)
{
	if (!strcmp(text, "last")) {
		r->at = r->chain.n - 1;
		r->step = r->chain.last.number;
		return 0;
	}
	char *end;
	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number > UINT_MAX)
		return err_set(err, ERR_USAGE, "'%s' is not a step: use its number, or 'last'",
		               text);
	return find_number(r, (unsigned)number, err);
}

int reduction_each(struct reduction *r,
                   int (*fn)(void *ctx, const struct step *, const git_oid *id, struct err *),
                   void *ctx, struct err *err)
{
	for (size_t i = 0; i < r->chain.n; i++) {
		struct step step;
		if (step_load(r->location.repo, &r->chain.ids[i], &step, err) < 0 ||
		    fn(ctx, &step, &r->chain.ids[i], err) < 0)
			return -1;
	}
	return 0;
}

struct testcase *reduction_testcase(struct reduction *r, struct err *err)
{
	struct testcase *tc = tree_testcase(r->location.repo, &r->chain.ids[r->at],
	                                    r->location.prefix ? NULL : &r->location.prefix, err);
	if (!tc)
		err_context(err, "reduction '%s'", r->location.name);
	return tc;
}

int reduction_verdicts(struct reduction *r, struct hash identity,
                       void (*fn)(void *ctx, const struct store_entry *), void *ctx,
                       struct err *err)
{
	struct journal_report report;
	for (size_t i = 0; i <= r->chain.n; i++)
		if (step_verdicts(r->location.repo,
		                  i < r->chain.n ? &r->chain.ids[i] : &r->chain.tip, fn, ctx,
		                  err) < 0)
			return -1;
	MEM_SCOPED char *path = location_path(&r->location, "journal");
	return journal_read(path, identity, fn, ctx, &report, err);
}

static git_tree *tree_at(struct reduction *r, size_t at)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	if (gitlib_commit(&commit, r->location.repo, &r->chain.ids[at]) < 0 ||
	    git_commit_tree(&tree, commit) < 0)
		tree = NULL;
	git_commit_free(commit);
	return tree;
}

static int skip_ours(UNUSED const git_diff *diff, const git_diff_delta *delta, const char *spec,
                     void *ctx)
{
	(void)spec;
	(void)ctx;
	return !strncmp(delta->new_file.path, ".whittle/", 9);
}

static int print_line(UNUSED const git_diff_delta *delta, const git_diff_hunk *hunk,
                      const git_diff_line *line, void *out)
{
	(void)hunk;
	if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION ||
	    line->origin == GIT_DIFF_LINE_DELETION)
		putc(line->origin, out);
	show_write(out, line->content, line->content_len);
	return ferror((FILE *)out) ? -1 : 0;
}

int reduction_diff(struct reduction *r, size_t a, size_t b, FILE *out, struct err *err)
{
	git_diff *diff = NULL;
	git_diff_options opts;
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.notify_cb = skip_ours;
	git_tree *from = tree_at(r, a), *to = tree_at(r, b);
	int rc = from && to ? git_diff_tree_to_tree(&diff, r->location.repo, from, to, &opts) : -1;
	if (rc == 0)
		rc = git_diff_print(diff, GIT_DIFF_FORMAT_PATCH, print_line, out);
	if (rc < 0)
		gitlib_fail(err, "cannot compare the steps");
	git_diff_free(diff);
	git_tree_free(to);
	git_tree_free(from);
	return rc < 0 ? -1 : 0;
}

pid_t reduction_owner(const struct reduction *r)
{
	MEM_SCOPED char *path = location_path(&r->location, "lock");
	return lock_owner(path);
}

int reduction_lock(struct reduction *r, struct err *err)
{
	struct faults none = { 0 };
	if (location_make_dir(&r->location, err) < 0)
		return -1;
	MEM_SCOPED char *path = location_path(&r->location, "lock");
	int fd = lock_take(path, NULL, &none, err);
	return fd < 0 ? err_context(err, "reduction '%s'", r->location.name) : fd;
}

int reduction_has(struct reduction *r, struct hash content, struct err *err)
{
	size_t at;
	return chain_seek(&r->chain, r->location.repo, content, &at, err);
}

char *reduction_note(struct reduction *r)
{
	git_commit *commit;
	if (gitlib_commit(&commit, r->location.repo, &r->chain.ids[r->chain.n - 1]) < 0)
		return NULL;
	const char *message = git_commit_message_raw(commit), *begin = strstr(message, "\n\n");
	const char *end = begin ? strstr(begin + 2, "\n\n") : NULL;
	bool trailers = begin && !strncmp(begin + 2, "Whittle-", strlen("Whittle-"));
	char *note =
		end && !trailers ? mem_printf("%.*s", (int)(end - begin - 2), begin + 2) : NULL;
	git_commit_free(commit);
	return note;
}
