#include "store/history.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <git2.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "text/testcase.h"
#include "store/git.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/writer.h"

/* The list of reductions, and the names that mean one of them. */

/* Refs that cannot be read are files all the same, and libgit2 does not list them. */
static void add_broken(struct texts *names, git_repository *repo)
{
	MEM_SCOPED char *path = mem_printf("%s" LOCATION_REFS, git_repository_commondir(repo));
	IO_SCOPED_DIR DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		size_t len = strlen(e->d_name);
		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    S_ISDIR(st.st_mode) || !location_name_valid(e->d_name) ||
		    (len > 5 && !strcmp(e->d_name + len - 5, ".lock")) ||
		    texts_have(names, e->d_name))
			continue;
		texts_add(names, mem_strdup(e->d_name));
	}
}

static int names_load(struct texts *names, git_repository *repo, struct err *err)
{
	git_reference_iterator *it = NULL;
	const char *ref;
	*names = (struct texts){ 0 };
	int rc = git_reference_iterator_glob_new(&it, repo, LOCATION_REFS "*");
	while (rc == 0 && (rc = git_reference_next_name(&ref, it)) == 0) {
		if (location_name_valid(ref + strlen(LOCATION_REFS)))
			texts_add(names, mem_strdup(ref + strlen(LOCATION_REFS)));
	}
	git_reference_iterator_free(it);
	if (rc != GIT_ITEROVER) {
		texts_release(names);
		return gitlib_fail(err, "cannot list the refs of %s", git_repository_path(repo));
	}
	add_broken(names, repo);
	texts_sort(names);
	return 0;
}

static void read_dir(struct reduction_info *info, const char *dir)
{
	struct stat st;
	MEM_SCOPED char *journal = mem_printf("%s/journal", dir),
			*lock = mem_printf("%s/lock", dir);
	info->owner = lock_owner(lock);
	info->when = stat(journal, &st) == 0 ? st.st_mtim : (struct timespec){ 0 };
	info->file = location_line(dir, "origin", "");
	info->out = location_line(dir, "local", "out=");
	info->also = info->last.kind == STEP_ORIGINAL ? location_line(dir, "local", "also=") : NULL;
	info->about = info->also ? location_line(dir, "local", "about=") : NULL;
	info->run_here = info->file != NULL && !info->also;
}

static struct reduction_info info_of(git_repository *repo, const char *name)
{
	struct reduction_info info = { .name = name, .common = git_repository_commondir(repo) };
	git_oid tip;
	MEM_SCOPED char *ref = mem_printf(LOCATION_REFS "%s", name);
	MEM_SCOPED char *dir = mem_printf("%swhittle/%s", info.common, name);
	info.damaged = git_reference_name_to_id(&tip, repo, ref) < 0 ||
	               step_load(repo, &tip, &info.last, NULL) < 0;
	read_dir(&info, dir);
	return info;
}

static void info_release(struct reduction_info *info)
{
	free(info->file);
	free(info->out);
	free(info->also);
	free(info->about);
}

/* The file of the reduction: of one that was set aside, that of the one in its place. The caller's.
 * NULL: it is not known. */
static char *file_of(const struct reduction_info *info)
{
	const char *dot = strrchr(info->name, '.');
	if (info->file)
		return mem_strdup(info->file);
	if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")])
		return NULL;
	MEM_SCOPED char *dir =
		mem_printf("%swhittle/%.*s", info->common, (int)(dot - info->name), info->name);
	return location_line(dir, "origin", "");
}

/* Was it run in DIR, or below, or is its result there? What is not known to be elsewhere is here; a
 * repository of the user's is one location. */
static bool is_of(git_repository *repo, const char *dir, const struct reduction_info *info)
{
	MEM_SCOPED char *file = dir && location_is_central(repo) ? file_of(info) : NULL;
	if (!file)
		return true;
	MEM_SCOPED char *real = realpath(dir, NULL);
	return real && (!strcmp(real, "/") || path_is_below(file, real) ||
	                (info->out && path_is_below(info->out, real)));
}

static int each_in(git_repository *repo, const char *dir, reduction_fn *fn, void *ctx,
                   struct err *err)
{
	TEXTS_SCOPED struct texts names;
	int rc = names_load(&names, repo, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		SCOPED(info_release) struct reduction_info info = info_of(repo, names.list[i]);
		info.is_here = is_of(repo, dir, &info);
		rc = fn(ctx, &info, err);
	}
	return rc;
}

/* The central repository as well, when it is there and another one. */
static int each_central(git_repository *besides, const char *dir, reduction_fn *fn, void *ctx,
                        struct err *err)
{
	SCOPED(git_repository_scoped)
	git_repository *repo = location_is_central(besides) ? NULL : location_central(NULL);
	return repo ? each_in(repo, dir, fn, ctx, err) : 0;
}

int history_each(const char *dir, const char *store, bool everywhere, reduction_fn *fn, void *ctx,
                 struct err *err)
{
	if (gitlib_start(err) < 0)
		return -1;
	git_repository *repo = location_repository(dir, store, err);
	int rc = repo                            ? each_in(repo, store ? NULL : dir, fn, ctx, err)
	         : location_none_yet(dir, store) ? 0
	                                         : -1;
	if (rc == 0 && everywhere && repo)
		rc = each_central(repo, dir, fn, ctx, err);
	git_repository_free(repo);
	gitlib_stop();
	return rc;
}

/* Candidates for what the user means. */
struct candidates {
	const char *text; /* NULL: any; "@": the one that ran last */
	char *real;       /* as a path, links resolved */
	int rank;         /* of the best so far, 0: none */
	unsigned n, all;  /* of them; of reductions, whatever is meant */
	struct timespec when;
	char *name, *others;
	unsigned n_others; /* in `others` */
	char *elsewhere;   /* those of other directories that it would mean there; NULL: none */
	unsigned n_elsewhere;
};

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

enum { RANK_ELSEWHERE = -1, RANK_OTHER = 1, RANK_PART, RANK_FILE, RANK_NAME };

static int rank_of(const struct candidates *c, const struct reduction_info *info)
{
	bool here = info->run_here && info->is_here;
	if (!c->text)
		return here ? RANK_PART : info->is_here ? RANK_OTHER : 0;
	if (!strcmp(c->text, "@"))
		return !info->is_here ? RANK_ELSEWHERE : here ? RANK_FILE : RANK_OTHER;
	if (!strcmp(c->text, info->name))
		return RANK_NAME;
	if (!info->also && c->real &&
	    ((info->file && !strcmp(c->real, info->file)) ||
	     (info->out && !strcmp(c->real, info->out))))
		return RANK_FILE;
	if (!strstr(info->name, c->text))
		return 0;
	return !info->is_here ? RANK_ELSEWHERE : here ? RANK_PART : RANK_OTHER;
}

enum { NAMED = 5 }; /* of many reductions a message names so many */

/* Adds NAME, the N-th (from 0), to the names that a message lists; *list is the caller's. */
static void list_name(char **list, unsigned n, const char *name)
{
	if (n > NAMED)
		return;
	char *longer = n == 0      ? mem_strdup(name)
	               : n < NAMED ? mem_printf("%s, %s", *list, name)
	                           : mem_printf("%s, ... (`whittle list --all` has all)", *list);
	free(*list);
	*list = longer;
}

static int consider(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	struct candidates *c = ctx;
	int rank = rank_of(c, info);
	c->all++;
	if (rank == RANK_ELSEWHERE)
		list_name(&c->elsewhere, c->n_elsewhere++, info->name);
	if (rank <= 0 || rank < c->rank)
		return 0;
	if (rank > c->rank) {
		c->n = c->n_others = 0;
	}
	list_name(&c->others, c->n_others++, info->name);
	/* Of several reductions of one file the last one is meant. */
	bool later = !c->n || is_later(info->when, c->when);
	c->n = rank == RANK_FILE ? 1 : c->n + 1;
	c->rank = rank;
	if (!later)
		return 0;
	free(c->name);
	c->name = mem_strdup(info->name);
	c->when = info->when;
	return 0;
}

/* A word that fits only reductions of other directories names none: what restore writes would be
 * there. */
static int no_name_here(const struct candidates *c, struct err *err)
{
	bool last = !strcmp(c->text, "@");
	MEM_SCOPED char *text =
		mem_printf("%s%s%s; elsewhere, by its whole name or the path of its file: %s",
	                   last ? "no reduction was run in this directory yet"
	                        : "no reduction of this directory is meant by '",
	                   last ? "" : c->text, last ? "" : "'", c->elsewhere);
	MEM_SCOPED char *folded = show_folded(text);
	return err_set(err, ERR_USAGE, "%s", folded);
}

static int no_name(const struct candidates *c, const char *common, struct err *err)
{
	if (!c->n && c->elsewhere)
		return no_name_here(c, err);
	if (!c->n && !c->text && c->all)
		return err_set(err, ERR_USAGE,
		               "no reduction of this directory; `whittle list --all` shows %u",
		               c->all);
	if (!c->n && !c->text)
		return err_set(err, ERR_USAGE, "there are no reductions in %s", common);
	if (!c->n && !strcmp(c->text, "@"))
		return err_set(err, ERR_USAGE, "no reduction was run in %s yet", common);
	MEM_SCOPED char *text =
		c->n ? mem_printf("which reduction? %s%s%s (@ is the one that ran last)",
	                          c->text ? c->text : "", c->text ? " may be " : "There are ",
	                          c->others)
		     : mem_printf("there is no reduction '%s' in %s (see `whittle list`)%s",
	                          c->text, common,
	                          access(c->text, F_OK) == 0 ? "; " LOCATION_SOON : "");
	MEM_SCOPED char *folded = show_folded(text);
	return err_set(err, ERR_USAGE, "%s", folded);
}

/* The name of the reduction in REPO that TEXT means; the caller's. TEXT is a name; or FILE, where
 * it is or where its result goes; or, of those of the directory DIR, a part of one name alone, "@"
 * for the one that ran last, NULL for the only one. Reductions that were run here come before those
 * that were only fetched or set aside. NULL and err (ERR_USAGE) when it means none, or several. */
static char *names_find(git_repository *repo, const char *dir, const char *text, struct err *err)
{
	struct candidates c = { .text = text, .real = text ? io_real_path(text) : NULL };
	int rc = each_in(repo, dir, consider, &c, err);
	if (rc == 0 && c.n != 1)
		rc = no_name(&c, git_repository_commondir(repo), err);
	free(c.real);
	free(c.others);
	free(c.elsewhere);
	if (rc == 0)
		return c.name;
	free(c.name);
	return NULL;
}

struct unfinished {
	char *name, *others;
	unsigned n;
	int rank;
};

/* Those of this directory come first, then those that were run here: what was set aside or fetched
 * is no candidate beside them. */
static int add_unfinished(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	struct unfinished *u = ctx;
	int rank = info->run_here + (info->run_here && info->is_here);
	if (info->damaged || info->also || info->last.kind == STEP_FINISHED || rank < u->rank)
		return 0;
	if (rank > u->rank)
		u->n = 0;
	u->rank = rank;
	list_name(&u->others, u->n++, info->name);
	free(u->name);
	u->name = mem_strdup(info->name);
	return 0;
}

int history_untrusted(const char *name, const char *store, const char *why, struct err *err)
{
	MEM_SCOPED char *command = quote_command("resume", NULL, store, name);
	err_set(err, ERR_USAGE,
	        "reduction '%s' %s, and its test is a program by its author; if you trust it: "
	        "`%s`",
	        name, why, command);
	return -1;
}

char *history_unfinished(const char *dir, const char *store, struct err *err)
{
	struct unfinished u = { 0 };
	int rc = history_each(dir, store, false, add_unfinished, &u, err);
	if (rc == 0 && !u.n)
		rc = err_set(err, ERR_USAGE,
		             "there is no unfinished reduction (see `whittle list`)");
	else if (rc == 0 && u.n > 1)
		rc = err_set(err, ERR_USAGE,
		             "which reduction? Unfinished are %s (@ is the one that ran last)",
		             u.others);
	else if (rc == 0 && !u.rank)
		rc = history_untrusted(u.name, store, "was never run here", err);
	free(u.others);
	if (rc < 0)
		free(u.name);
	return rc < 0 ? NULL : u.name;
}

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
	SCOPED(git_reference_scoped) git_reference *ref = NULL;
	return git_reference_lookup(&ref, r->location.repo, r->location.ref) == 0;
}

int reduction_load(struct reduction *r, struct err *err)
{
	SCOPED(git_reference_scoped) git_reference *ref = NULL;
	int rc = git_reference_lookup(&ref, r->location.repo, r->location.ref);
	if (rc == GIT_ENOTFOUND)
		return 0;
	const git_oid *tip = rc == 0 ? git_reference_target(ref) : NULL;
	r->broken_ref = !tip;
	if (rc < 0)
		gitlib_fail(err, "cannot read %s", r->location.ref);
	else if (!tip)
		err_set(err, ERR_SYSTEM, "%s is a symbolic ref", r->location.ref);
	r->damaged = !tip || chain_load(&r->chain, r->location.repo, tip, err) < 0;
	if (tip)
		r->chain.tip = *tip;
	return r->damaged ? -1 : 1;
}

static int load(struct reduction *r, struct err *err)
{
	int found = reduction_load(r, err);
	if (found == 0)
		return err_set(err, ERR_USAGE,
		               "there is no reduction '%s' in %s (see `whittle list`)",
		               r->location.name, r->location.common);
	r->location.file = location_line(r->location.dir, "origin", "");
	return found < 0 ? tell_damage(r, err) : 0;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* "~", "~N": so many steps before the result. */
static bool is_back(const char *text)
{
	return *text == '~' && (!text[1] || is_number(text + 1));
}

/* Where ":STEP" or "~N" begins in SPEC; NULL: no step is given, as in the path of a file with a
 * colon. */
static const char *find_step(const char *spec)
{
	const char *colon = spec ? strrchr(spec, ':') : NULL,
		   *tilde = spec ? strrchr(spec, '~') : NULL;
	const char *at = colon ? colon : tilde && tilde > spec && is_back(tilde) ? tilde : NULL;
	return at && access(spec, F_OK) < 0 ? at : NULL;
}

/* A step that is neither a file nor a reduction: one of the reduction that is meant without a name.
 */
static bool is_bare_step(git_repository *repo, const char *spec)
{
	bool is = spec && (!strcmp(spec, "last") || !strcmp(spec, "original") || is_number(spec) ||
	                   is_back(spec));
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
	const char *colon = find_step(spec), *step = colon ? colon + (*colon == ':') : NULL;
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
	MEM_SCOPED char *from = location_line(r->location.dir, REDUCTION_BRANCH, "");
	return err_set(err, ERR_USAGE, "reduction '%s' has no step %u; its last one is %u%s%s",
	               r->location.name, number, r->chain.last.number,
	               from ? ", and it branched off " : "", from ? from : "");
}

/* BACK steps before the result; the end of a reduction is a snapshot of the same. */
static int seek_back(struct reduction *r, unsigned long back, struct err *err)
{
	struct step step;
	size_t last = r->chain.n - 1 - (r->chain.last.kind == STEP_FINISHED && r->chain.n > 1);
	if (back > last)
		return err_set(err, ERR_USAGE, "reduction '%s' has %zu steps", r->location.name,
		               last);
	r->at = last - back;
	if (step_load(r->location.repo, &r->chain.ids[r->at], &step, err) < 0)
		return -1;
	r->step = step.number;
	return 0;
}

int reduction_seek(struct reduction *r, const char *text, struct err *err)
{
	if (!strcmp(text, "last")) {
		r->at = r->chain.n - 1;
		r->step = r->chain.last.number;
		return 0;
	}
	if (is_back(text))
		return seek_back(r, text[1] ? strtoul(text + 1, NULL, 10) : 1, err);
	errno = 0;
	unsigned long number = strcmp(text, "original") ? strtoul(text, NULL, 10) : 0;
	if (strcmp(text, "original") != 0 && (!is_number(text) || errno || number > UINT_MAX))
		return err_set(err, ERR_USAGE,
		               "'%s' is not a step: use its number, 'original', 'last', or '~1' "
		               "for the one before the result",
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

struct testcase *reduction_at(struct reduction *r, size_t at, struct err *err)
{
	struct testcase *tc = tree_testcase(r->location.repo, &r->chain.ids[at],
	                                    r->location.prefix ? NULL : &r->location.prefix, err);
	if (!tc)
		err_context(err, "reduction '%s'", r->location.name);
	return tc;
}

struct testcase *reduction_testcase(struct reduction *r, struct err *err)
{
	return reduction_at(r, r->at, err);
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
	SCOPED(git_commit_scoped) git_commit *commit = NULL;
	git_tree *tree = NULL;
	if (gitlib_commit(&commit, r->location.repo, &r->chain.ids[at]) < 0 ||
	    git_commit_tree(&tree, commit) < 0)
		tree = NULL;
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

char *reduction_local(const struct reduction *r, const char *key)
{
	MEM_SCOPED char *begin = mem_printf("%s=", key);
	return location_line(r->location.dir, "local", begin);
}

struct search {
	struct hash hash;
	bool found;
};

static void find_interesting(void *ctx, const struct store_entry *v)
{
	struct search *search = ctx;
	search->found |= store_says_yes(v, search->hash);
}

int reduction_says_yes(struct reduction *r, struct hash identity, const struct testcase *tc,
                       struct err *err)
{
	struct search search = { .hash = tc->hash };
	struct journal_report report;
	MEM_SCOPED char *path = location_path(&r->location, "journal");
	int rc = journal_read(path, identity, find_interesting, &search, &report, err);
	return rc < 0 ? -1 : search.found;
}

struct sought {
	const struct reduction *besides;
	struct hash content;
};

/* Has another reduction of the same file it: a branch, or one that was set aside? */
static int has_other(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	const struct sought *s = ctx;
	const struct location *of = &s->besides->location;
	MEM_SCOPED char *file = file_of(info);
	if (!file || strcmp(file, of->file) != 0 || !strcmp(info->name, of->name))
		return 0;
	SCOPED(reduction_close) struct reduction other;
	return reduction_open(&other, NULL, info->common, info->name, NULL) == 0 &&
	       reduction_has(&other, s->content, NULL) > 0;
}

int reduction_kept(struct reduction *r, struct hash content, struct err *err)
{
	int known = reduction_has(r, content, err);
	return known || !r->location.file ? known
	                                  : each_in(r->location.repo, NULL, has_other,
	                                            &(struct sought){ r, content }, err);
}

char *reduction_note(struct reduction *r)
{
	SCOPED(git_commit_scoped) git_commit *commit = NULL;
	if (gitlib_commit(&commit, r->location.repo, &r->chain.ids[r->chain.n - 1]) < 0)
		return NULL;
	const char *message = git_commit_message_raw(commit), *begin = strstr(message, "\n\n");
	const char *end = begin ? strstr(begin + 2, "\n\n") : NULL;
	bool trailers = begin && !strncmp(begin + 2, "Whittle-", strlen("Whittle-"));
	char *note =
		end && !trailers ? mem_printf("%.*s", (int)(end - begin - 2), begin + 2) : NULL;
	return note;
}
