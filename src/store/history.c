#include "store/history.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "store/gitlib.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/store.h"
#include "store/writer.h"
#include "text/testcase.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
	char **list;
	size_t n, cap;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

static bool has_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->list[i], name))
			return true;
	return false;
}

/* Refs that cannot be read are files all the same, and libgit2 does not list them. */
static void add_broken(struct names *names, git_repository *repo)
{
	char *path = mem_printf("%s" PLACE_REFS, git_repository_commondir(repo));
	DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		size_t len = strlen(e->d_name);
		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    S_ISDIR(st.st_mode) || !place_name_valid(e->d_name) ||
		    (len > 5 && !strcmp(e->d_name + len - 5, ".lock")) ||
		    has_name(names, e->d_name))
			continue;
		MEM_GROW(names->list, names->n, names->cap);
		names->list[names->n++] = mem_strdup(e->d_name);
	}
	if (dir)
		closedir(dir);
	free(path);
}

static int names_load(struct names *names, git_repository *repo, struct err *err)
{
	git_reference_iterator *it = NULL;
	const char *ref;
	*names = (struct names){ 0 };
	int rc = git_reference_iterator_glob_new(&it, repo, PLACE_REFS "*");
	while (rc == 0 && (rc = git_reference_next_name(&ref, it)) == 0) {
		if (!place_name_valid(ref + strlen(PLACE_REFS)))
			continue;
		MEM_GROW(names->list, names->n, names->cap);
		names->list[names->n++] = mem_strdup(ref + strlen(PLACE_REFS));
	}
	git_reference_iterator_free(it);
	if (rc != GIT_ITEROVER) {
		names_release(names);
		return gitlib_fail(err, "cannot list the refs of %s", git_repository_path(repo));
	}
	add_broken(names, repo);
	if (names->n)
		qsort(names->list, names->n, sizeof *names->list, by_name);
	return 0;
}

static struct reduction_info info_of(git_repository *repo, const char *name)
{
	struct reduction_info info = { .name = name };
	struct err ignored;
	struct stat st;
	git_oid tip;
	char *ref = mem_printf(PLACE_REFS "%s", name);
	char *dir = mem_printf("%swhittle/%s", git_repository_commondir(repo), name);
	char *journal = mem_printf("%s/journal", dir), *lock = mem_printf("%s/lock", dir);
	char *origin = mem_printf("%s/origin", dir);
	info.damaged = git_reference_name_to_id(&tip, repo, ref) < 0 ||
	               step_load(repo, &tip, &info.last, &ignored) < 0;
	info.owner = lock_owner(lock);
	info.when = stat(journal, &st) == 0 ? st.st_mtime : 0;
	info.run_here = access(origin, F_OK) == 0;
	free(origin);
	free(lock);
	free(journal);
	free(dir);
	free(ref);
	return info;
}

static int each_in(git_repository *repo,
                   int (*fn)(void *, const struct reduction_info *, struct err *), void *ctx,
                   struct err *err)
{
	struct names names;
	int rc = names_load(&names, repo, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		struct reduction_info info = info_of(repo, names.list[i]);
		rc = fn(ctx, &info, err);
	}
	names_release(&names);
	return rc;
}

int history_each(const char *dir, const char *store,
                 int (*fn)(void *ctx, const struct reduction_info *, struct err *), void *ctx,
                 struct err *err)
{
	if (gitlib_start(err) < 0)
		return -1;
	git_repository *repo = place_repository(dir, store, err);
	int rc = repo ? each_in(repo, fn, ctx, err) : -1;
	git_repository_free(repo);
	gitlib_stop();
	return rc;
}

static int only_name(git_repository *repo, char **name, struct err *err)
{
	struct names names;
	if (names_load(&names, repo, err) < 0)
		return -1;
	int rc = 0;
	if (names.n == 1)
		*name = mem_strdup(names.list[0]);
	else
		rc = err_set(err, ERR_USAGE,
		             names.n ? "which reduction? `whittle list` names %zu in %s"
		                     : "there are no reductions (%zu) in %s",
		             names.n, git_repository_path(repo));
	names_release(&names);
	return rc;
}

struct unfinished {
	char *name, *others;
	unsigned n;
	bool run_here;
};

/* Those that were run here come first: what was set aside or fetched is no candidate beside them.
 */
static int add_unfinished(void *ctx, const struct reduction_info *info, struct err *err)
{
	struct unfinished *u = ctx;
	(void)err;
	if (info->damaged || info->last.kind == STEP_FINISHED || (u->run_here && !info->run_here))
		return 0;
	if (info->run_here && !u->run_here)
		u->n = 0;
	u->run_here = info->run_here;
	char *others = u->n ? mem_printf("%s, %s", u->others, info->name) : mem_strdup(info->name);
	free(u->others);
	free(u->name);
	u->others = others;
	u->name = mem_strdup(info->name);
	u->n++;
	return 0;
}

char *history_unfinished(const char *dir, const char *store, struct err *err)
{
	struct unfinished u = { 0 };
	int rc = history_each(dir, store, add_unfinished, &u, err);
	if (rc == 0 && !u.n)
		rc = err_set(err, ERR_USAGE,
		             "there is no unfinished reduction (see `whittle list`)");
	else if (rc == 0 && u.n > 1)
		rc = err_set(err, ERR_USAGE, "which reduction? Unfinished are %s", u.others);
	else if (rc == 0 && !u.run_here)
		rc = err_set(
			err, ERR_USAGE,
			"reduction '%s' was never run here, and its test is a program of whoever "
			"made it; when you trust it: `whittle resume %s`",
			u.name, u.name);
	free(u.others);
	if (rc < 0)
		free(u.name);
	return rc < 0 ? NULL : u.name;
}

static char *read_origin(const struct place *place)
{
	struct buf text = { 0 };
	struct err ignored;
	char *path = place_path(place, "origin");
	if (access(path, R_OK) == 0 && io_read_file(path, &text, &ignored) == 0 && text.len &&
	    text.data[text.len - 1] == '\n')
		text.data[text.len - 1] = '\0';
	free(path);
	return text.data;
}

static int tell_damage(const struct reduction *r, struct err *err)
{
	struct err why = *err;
	return err_set(
		err, why.code,
		"reduction '%s' is damaged: %s\n"
		"to start over: `whittle --fresh --name %s TEST FILE` (what is there is kept); to "
		"remove it: `whittle prune --delete %s`",
		r->place.name, why.msg, r->place.name, r->place.name);
}

static int load(struct reduction *r, struct err *err)
{
	git_oid tip;
	int rc = git_reference_name_to_id(&tip, r->place.repo, r->place.ref);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, ERR_USAGE,
		               "no reduction '%s' in %s (`whittle list` names those there are)",
		               r->place.name, r->place.common);
	r->broken_ref = rc < 0;
	if (rc < 0)
		gitlib_fail(err, "cannot read %s", r->place.ref);
	r->place.file = read_origin(&r->place);
	r->damaged = rc < 0 || chain_load(&r->chain, r->place.repo, &tip, err) < 0;
	return r->damaged ? tell_damage(r, err) : 0;
}

int reduction_open(struct reduction *r, const char *dir, const char *store, const char *spec,
                   struct err *err)
{
	*r = (struct reduction){ 0 };
	if (gitlib_start(err) < 0)
		return -1;
	git_repository *repo = place_repository(dir, store, err);
	const char *colon = spec ? strchr(spec, ':') : NULL;
	char *name = NULL;
	if (!repo)
		return -1;
	int rc = 0;
	if (spec && *spec && colon != spec)
		name = mem_printf("%.*s", colon ? (int)(colon - spec) : INT_MAX, spec);
	else
		rc = only_name(repo, &name, err);
	if (rc == 0 && !place_name_valid(name))
		rc = err_set(err, ERR_USAGE, "'%s' cannot be the name of a reduction", name);
	if (rc == 0) {
		place_named(&r->place, repo, name);
		rc = load(r, err);
	} else {
		git_repository_free(repo);
	}
	free(name);
	if (rc == 0) {
		r->step_given = colon;
		rc = reduction_seek(r, colon ? colon + 1 : "last", err);
	}
	return rc;
}

void reduction_close(struct reduction *r)
{
	chain_release(&r->chain);
	place_release(&r->place);
	gitlib_stop();
}

/* In a pruned history positions are not numbers. */
static int find_number(struct reduction *r, unsigned number, struct err *err)
{
	for (size_t i = 0; i < r->chain.n; i++) {
		struct step step;
		size_t at = (number + i) % r->chain.n;
		if (step_load(r->place.repo, &r->chain.ids[at], &step, err) < 0)
			return -1;
		if (step.number == number) {
			r->at = at;
			r->step = number;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "reduction '%s' has no step %u; its last one is %u",
	               r->place.name, number, r->chain.last.number);
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
		return err_set(err, ERR_USAGE, "'%s' is no step: give its number, or 'last'", text);
	return find_number(r, (unsigned)number, err);
}

int reduction_each(struct reduction *r,
                   int (*fn)(void *ctx, const struct step *, const git_oid *id, struct err *),
                   void *ctx, struct err *err)
{
	for (size_t i = 0; i < r->chain.n; i++) {
		struct step step;
		if (step_load(r->place.repo, &r->chain.ids[i], &step, err) < 0 ||
		    fn(ctx, &step, &r->chain.ids[i], err) < 0)
			return -1;
	}
	return 0;
}

struct testcase *reduction_testcase(struct reduction *r, struct err *err)
{
	struct testcase *tc = tree_testcase(r->place.repo, &r->chain.ids[r->at],
	                                    r->place.prefix ? NULL : &r->place.prefix, err);
	if (!tc)
		err_context(err, "reduction '%s'", r->place.name);
	return tc;
}

int reduction_verdicts(struct reduction *r, struct hash identity,
                       void (*fn)(void *ctx, const struct store_verdict *), void *ctx,
                       struct err *err)
{
	struct journal_report report;
	for (size_t i = 0; i <= r->chain.n; i++)
		if (step_verdicts(r->place.repo, i < r->chain.n ? &r->chain.ids[i] : &r->chain.tip,
		                  fn, ctx, err) < 0)
			return -1;
	char *path = place_path(&r->place, "journal");
	int rc = journal_read(path, identity, fn, ctx, &report, err);
	free(path);
	return rc;
}

static git_tree *tree_at(struct reduction *r, size_t at)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	if (git_commit_lookup(&commit, r->place.repo, &r->chain.ids[at]) < 0 ||
	    git_commit_tree(&tree, commit) < 0)
		tree = NULL;
	git_commit_free(commit);
	return tree;
}

static int skip_ours(const git_diff *diff, const git_diff_delta *delta, const char *spec, void *ctx)
{
	(void)diff;
	(void)spec;
	(void)ctx;
	return !strncmp(delta->new_file.path, ".whittle/", 9);
}

static int print_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
                      const git_diff_line *line, void *out)
{
	(void)delta;
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
	int rc = from && to ? git_diff_tree_to_tree(&diff, r->place.repo, from, to, &opts) : -1;
	if (rc == 0)
		rc = git_diff_print(diff, GIT_DIFF_FORMAT_PATCH, print_line, out);
	if (rc < 0)
		gitlib_fail(err, "cannot compare the steps");
	git_diff_free(diff);
	git_tree_free(to);
	git_tree_free(from);
	return rc < 0 ? -1 : 0;
}

int reduction_lock(struct reduction *r, struct err *err)
{
	struct faults none = { 0 };
	if (place_make_dir(&r->place, err) < 0)
		return -1;
	char *path = place_path(&r->place, "lock");
	int fd = lock_take(path, NULL, &none, err);
	free(path);
	return fd < 0 ? err_context(err, "reduction '%s'", r->place.name) : fd;
}

int reduction_has(struct reduction *r, struct hash content, struct err *err)
{
	for (size_t i = r->chain.n; i-- > 0;) {
		struct step step;
		if (step_load(r->place.repo, &r->chain.ids[i], &step, err) < 0)
			return -1;
		if (hash_equal(step.content, content))
			return 1;
	}
	return 0;
}

char *reduction_note(struct reduction *r)
{
	git_commit *commit;
	if (git_commit_lookup(&commit, r->place.repo, &r->chain.ids[r->chain.n - 1]) < 0)
		return NULL;
	const char *message = git_commit_message_raw(commit), *begin = strstr(message, "\n\n");
	const char *end = begin ? strstr(begin + 2, "\n\n") : NULL;
	bool trailers = begin && !strncmp(begin + 2, "Whittle-", strlen("Whittle-"));
	char *note =
		end && !trailers ? mem_printf("%.*s", (int)(end - begin - 2), begin + 2) : NULL;
	git_commit_free(commit);
	return note;
}
