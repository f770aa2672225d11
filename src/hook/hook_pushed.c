#include "hook/hook_pushed.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "store/git.h"

/* ---- what git announces ---- */

/* Object ids are all zeros where there is no object, in 40 digits or in 64. */
static bool is_zero(const char *id)
{
	return id[strspn(id, "0")] == '\0';
}

/* Is it one? Whatever else it is, it would name no commit, and nothing would be checked. */
static bool is_id(const char *id)
{
	size_t len = strlen(id);
	return (len == 40 || len == 64) && strspn(id, "0123456789abcdef") == len;
}

static void add_update(struct hook_updates *updates, const char *ref, const char *tip,
                       const char *there)
{
	MEM_PUSH(updates->list, updates->n, updates->cap,
	         (struct hook_update){ mem_strdup(ref), mem_strdup(tip),
	                               there ? mem_strdup(there) : NULL });
}

/* LOCAL-REF SP LOCAL-ID SP REMOTE-REF SP REMOTE-ID; refs hold no blanks. */
static int take_line(struct hook_updates *updates, char *line, struct err *err)
{
	char *rest = line, *word[4];
	for (int i = 0; i < 4; i++)
		word[i] = strsep(&rest, " ");
	if (!word[3] || rest || !is_id(word[1]) || !is_id(word[3]))
		return err_set(err, ERR_USAGE,
		               "standard input is not what git gives a pre-push hook");
	if (!is_zero(word[1]) && strncmp(word[0], "refs/whittle/", strlen("refs/whittle/")))
		add_update(updates, word[0], word[1], is_zero(word[3]) ? NULL : word[3]);
	return 0;
}

/* pre-commit's pre-push stage: one branch, from what the remote has to what it gets; without the
 * two ends, all of it. */
static void take_environment(struct hook_updates *updates)
{
	const char *pre_commit = getenv("PRE_COMMIT"), *from = getenv("PRE_COMMIT_FROM_REF"),
		   *to = getenv("PRE_COMMIT_TO_REF"), *branch = getenv("PRE_COMMIT_LOCAL_BRANCH");
	if (pre_commit && *pre_commit)
		add_update(updates, branch && *branch ? branch : "HEAD", to && *to ? to : "HEAD",
		           from && *from ? from : NULL);
}

static int read_all(int fd, struct buf *out, struct err *err)
{
	char bytes[1 << 14];
	ssize_t n;
	while ((n = io_read_all(fd, bytes, sizeof bytes)) > 0)
		buf_add(out, bytes, (size_t)n);
	return n < 0 ? err_errno(err, "cannot read standard input") : 0;
}

int hook_updates_read(struct hook_updates *updates, int fd, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	*updates = (struct hook_updates){ 0 };
	int rc = read_all(fd, &text, err);
	char *rest = text.data, *line;
	while (rc == 0 && rest && (line = strsep(&rest, "\n")))
		if (*line)
			rc = take_line(updates, line, err);
	if (rc == 0 && !text.len)
		take_environment(updates);
	return rc;
}

void hook_updates_release(struct hook_updates *updates)
{
	for (size_t i = 0; i < updates->n; i++) {
		free(updates->list[i].ref);
		free(updates->list[i].tip);
		free(updates->list[i].there);
	}
	free(updates->list);
	*updates = (struct hook_updates){ 0 };
}

/* ---- the commits ---- */

/* The trees that decide what is pushed: tips that have something new, and the commits the remote
 * has that they build on. */
struct tip_ref {
	char *commit;    /* NULL: the ref has no commit (a tag of a tree), or no new one */
	const char *ref; /* points into the updates */
};

struct range {
	struct tip_ref *tips;
	size_t n;           /* as many as updates */
	struct texts bases; /* commits that the remote has; none: all of the tips is new */
};

/* Commits for all tips and for what the remote has, in one question. KNOWN has an entry per update,
 * NULL when the remote's commit is not here (somebody else pushed it) or there is none. */
static int peel(struct range *range, char **known, const struct hook_updates *updates,
                struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objectname)", NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < updates->n; i++)
		buf_addf(&in, "%s^{commit}\n%s^{commit}\n", updates->list[i].tip,
		         updates->list[i].there ? updates->list[i].there : updates->list[i].tip);
	int rc = git_ask(&call, &out, err);
	char *rest = out.data;
	for (size_t i = 0; rc == 0 && i < 2 * updates->n; i++) {
		char *line = rest ? strsep(&rest, "\n") : NULL;
		if (!line) {
			rc = err_set(err, ERR_SYSTEM, "git cat-file gave too few answers");
			break;
		}
		bool found = *line && !strchr(line, ' '); /* else "NAME missing" */
		if (i % 2 == 0)
			range->tips[i / 2] = (struct tip_ref){ found ? mem_strdup(line) : NULL,
				                               updates->list[i / 2].ref };
		else if (updates->list[i / 2].there && found)
			known[i / 2] = mem_strdup(line);
	}
	return rc;
}

/* Are there tracking refs of REMOTE? 1, 0, or -1 and err. */
static int is_tracked(const char *remote, struct err *err)
{
	if (!remote)
		return 0;
	MEM_SCOPED char *refs = mem_printf("refs/remotes/%s/", remote);
	const char *const argv[] = { "for-each-ref", "--count=1", "--format=%(objectname)", refs,
		                     NULL };
	MEM_SCOPED char *first = git_answer(argv, err);
	return first ? *first != '\0' : -1;
}

/* The ids of commits that are new, and behind a '-' those they build on: one per line. */
static int list_new(const struct range *range, char *const *known, const char *remote,
                    struct buf *out, struct err *err)
{
	MEM_SCOPED char *tracking = remote ? mem_printf("--remotes=%s", remote) : NULL;
	const char *const argv[] = { "rev-list", "--boundary", "--stdin", tracking ? "--not" : NULL,
		                     tracking,   NULL };
	BUF_SCOPED struct buf in = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < range->n; i++) {
		if (range->tips[i].commit)
			buf_addf(&in, "%s\n", range->tips[i].commit);
		if (known[i])
			buf_addf(&in, "^%s\n", known[i]);
	}
	buf_addch(out, '\n');
	return git_ask(&call, out, err);
}

/* Drops the tips that are not new, and notes the bases. LIST begins and ends with a line's end. */
static void take_list(struct range *range, struct buf *list)
{
	for (size_t i = 0; i < range->n; i++) {
		char line[80];
		snprintf(line, sizeof line, "\n%s\n",
		         range->tips[i].commit ? range->tips[i].commit : "");
		if (range->tips[i].commit && !memmem(list->data, list->len, line, strlen(line))) {
			free(range->tips[i].commit);
			range->tips[i].commit = NULL;
		}
	}
	char *rest = list->data, *line;
	while ((line = strsep(&rest, "\n")))
		if (*line == '-')
			texts_add(&range->bases, mem_strdup(line + 1));
}

static int find_range(struct range *range, const struct hook_updates *updates, const char *remote,
                      struct err *err)
{
	*range = (struct range){ .tips = mem_zero(updates->n, sizeof *range->tips),
		                 .n = updates->n };
	MEM_SCOPED char **known = mem_zero(updates->n, sizeof *known);
	bool any_known = false, any_tip = false;
	int rc = peel(range, known, updates, err);
	for (size_t i = 0; rc == 0 && i < updates->n; i++) {
		any_known |= known[i] != NULL;
		any_tip |= range->tips[i].commit != NULL;
	}
	/* Where the remote has nothing that we know of, all is new, and the history need not be
	 * walked. */
	int walk = rc < 0 || !any_tip ? 0 : any_known ? 1 : is_tracked(remote, err);
	if (walk > 0) {
		BUF_SCOPED struct buf list = { 0 };
		rc = list_new(range, known, remote, &list, err);
		if (rc == 0)
			take_list(range, &list);
	}
	for (size_t i = 0; i < updates->n; i++)
		free(known[i]);
	return walk < 0 ? -1 : rc;
}

static void range_release(struct range *range)
{
	for (size_t i = 0; i < range->n; i++)
		free(range->tips[i].commit);
	free(range->tips);
	texts_release(&range->bases);
	*range = (struct range){ 0 };
}

/* ---- the files ---- */

/* Every git knows the empty tree, whether the repository has it or not. */
static const char *empty_tree(const char *commit)
{
	return strlen(commit) == 40
	               ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	               : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
}

/* Files of a tip as git-diff-tree prints them, paths in the tree's order. */
struct changes {
	struct hook_file *list; /* without driver and ref */
	size_t n, cap;
};

static void changes_release(struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->list[i].path);
		free(c->list[i].blob);
	}
	free(c->list);
}

/* 1 and *kind, 0 for what is not there any more. */
static int kind_of(const char *mode, enum hook_file_kind *kind)
{
	*kind = !strcmp(mode, "120000")   ? HOOK_FILE_LINK
	        : !strcmp(mode, "160000") ? HOOK_FILE_REPOSITORY
	                                  : HOOK_FILE_PLAIN;
	return strcmp(mode, "000000") != 0;
}

/* One record: ":MODE MODE ID ID STATUS", with more colons, modes and ids against several commits.
 * Notes the path when there is something in the result. */
static void take_record(struct changes *c, char *record, const char *path)
{
	size_t parents = strspn(record, ":");
	char *rest = record + parents, *mode = NULL, *id = NULL;
	for (size_t i = 0; i <= parents; i++)
		mode = strsep(&rest, " ");
	for (size_t i = 0; rest && i <= parents; i++)
		id = strsep(&rest, " ");
	enum hook_file_kind kind;
	if (!mode || !id || !kind_of(mode, &kind))
		return;
	if (path_trouble(path, 0))
		kind = HOOK_FILE_FOREIGN;
	MEM_PUSH(c->list, c->n, c->cap,
	         (struct hook_file){
			 .kind = kind, .path = mem_strdup(path), .blob = mem_strdup(id) });
}

/* A tip, and what of it has to be looked at. */
struct tip {
	const char *commit, *ref;
	char *tree; /* of the commit; NULL: not asked for */
	struct changes changes;
	struct buf entries; /* its .gitattributes, as lines for git-update-index */
	bool done;
};

static void tips_release(struct tip *tips, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		changes_release(&tips[i].changes);
		buf_release(&tips[i].entries);
		free(tips[i].tree);
	}
	free(tips);
}

/* The next tip behind AT that the line HEAD, which git prints before its records, is about: its
 * commit, or the empty tree and its own. N: none. */
static size_t find_tip(const struct tip *tips, size_t n, size_t at, const char *head)
{
	const char *blank = strchr(head, ' ');
	size_t len = strcspn(head, " \n");
	for (; at < n; at++)
		if (blank && tips[at].tree
		            ? !strncmp(blank + 1, tips[at].tree, strlen(tips[at].tree))
		            : strlen(tips[at].commit) == len &&
		                      !strncmp(head, tips[at].commit, len))
			break;
	return at;
}

/* Records, those of a tip behind a line about it, which ends with a NUL or, before two trees, with
 * a line's end. */
static void parse_changes(struct tip *tips, size_t n, struct buf *out)
{
	char *at = out->data, *end = out->data + out->len;
	size_t tip = 0, next = 0;
	while (at < end) {
		char *record = at;
		if (*record != ':') {
			tip = find_tip(tips, n, next, record);
			next = tip + 1;
			record = strchr(record, '\n');
			if (!record || record[1] != ':') {
				at += strlen(at) + 1;
				continue;
			}
			record++;
		}
		at += strlen(at) + 1;
		if (at >= end)
			break;
		if (tip < n)
			take_record(&tips[tip].changes, record, at);
		at += strlen(at) + 1;
	}
}

#define DIFF_TREE                                                              \
	"diff-tree", "-r", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", \
		"--ignore-submodules=none"

/* The trees of the tips. */
static int find_trees(struct tip *tips, size_t n, struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objectname)", NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	const struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < n; i++)
		buf_addf(&in, "%s^{tree}\n", tips[i].commit);
	int rc = git_ask(&call, &out, err);
	char *rest = out.data, *line;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!rest || !(line = strsep(&rest, "\n")) || strchr(line, ' '))
			rc = err_set(err, ERR_SYSTEM, "git does not have the tree of %s",
			             tips[i].commit);
		else
			tips[i].tree = mem_strdup(line);
	}
	return rc;
}

/* What the tips have that none of the bases has at the same path: the combined difference is just
 * that. Without bases: all that they have. */
static int find_changes(struct tip *tips, size_t n, const struct range *range, struct err *err)
{
	static const char *const argv[] = { DIFF_TREE, "--stdin", NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	const struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	int rc = range->bases.n ? 0 : find_trees(tips, n, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!range->bases.n)
			buf_addf(&in, "%s %s", empty_tree(tips[i].commit), tips[i].tree);
		else
			buf_addf(&in, "%s", tips[i].commit);
		for (size_t k = 0; k < range->bases.n; k++)
			buf_addf(&in, " %s", range->bases.list[k]);
		buf_addch(&in, '\n');
	}
	if (rc == 0)
		rc = git_ask(&call, &out, err);
	if (rc == 0 && out.len)
		parse_changes(tips, n, &out);
	return rc;
}

/* All that the only tip has at PATHS. */
static int find_all(struct tip *tip, const char *const *paths, struct err *err)
{
	static const char *const words[] = { DIFF_TREE };
	enum { WORDS = sizeof words / sizeof *words };
	size_t n = mem_count_words(paths), at = WORDS;
	MEM_SCOPED const char **argv = mem_zero(WORDS + n + 4, sizeof *argv);
	memcpy(argv, words, sizeof words);
	argv[at++] = empty_tree(tip->commit);
	argv[at++] = tip->commit;
	argv[at++] = "--";
	for (size_t i = 0; i < n; i++)
		argv[at++] = paths[i];
	BUF_SCOPED struct buf out = { 0 };
	const struct git_call call = { .argv = argv, .stoppable = true };
	int rc = git_ask(&call, &out, err);
	if (rc == 0 && out.len)
		parse_changes(tip, 1, &out);
	return rc;
}

/* ---- attributes ---- */

/* Paths of the .gitattributes that can apply to the changes, whether they exist or not: one for
 * each directory above them, each once, since the paths are in the tree's order. Directories with a
 * line's end in their names are left out: git-cat-file takes one name a line. */
static void list_attribute_files(const struct changes *c, struct buf *paths)
{
	const char *before = "";
	buf_addf(paths, ".gitattributes\n");
	for (size_t i = 0; i < c->n; i++) {
		const char *path = c->list[i].path;
		size_t same = 0;
		if (c->list[i].kind == HOOK_FILE_FOREIGN)
			continue;
		while (path[same] && path[same] == before[same])
			same++;
		for (const char *slash = strchr(path + same, '/'); slash;
		     slash = strchr(slash + 1, '/'))
			if (!memchr(path, '\n', (size_t)(slash - path)))
				buf_addf(paths, "%.*s/.gitattributes\n", (int)(slash - path), path);
		before = path;
	}
}

/* Of these paths, those that the tips have: fills in their entries. PATHS has one text per tip. */
static int find_attribute_files(struct tip *tips, size_t n, const struct buf *paths,
                                struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objecttype) %(objectname)",
		                            NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (size_t i = 0; i < n; i++)
		for (const char *p = paths[i].data; p && *p; p = strchr(p, '\n') + 1)
			buf_addf(&in, "%s:%.*s\n", tips[i].commit, (int)strcspn(p, "\n"), p);
	int rc = in.len ? git_ask(&call, &out, err) : 0;
	char *rest = out.data, *line;
	for (size_t i = 0; rc == 0 && i < n; i++)
		for (const char *p = paths[i].data; p && *p && rest && (line = strsep(&rest, "\n"));
		     p = strchr(p, '\n') + 1)
			if (!strncmp(line, "blob ", 5) && !strstr(line, " missing")) {
				buf_addf(&tips[i].entries, "100644 %s\t%.*s", line + 5,
				         (int)strcspn(p, "\n"), p);
				buf_add(&tips[i].entries, "", 1);
			}
	return rc;
}

static int find_entries(struct tip *tips, size_t n, struct err *err)
{
	MEM_SCOPED struct buf *paths = mem_zero(n, sizeof *paths);
	for (size_t i = 0; i < n; i++)
		if (tips[i].changes.n)
			list_attribute_files(&tips[i].changes, &paths[i]);
	int rc = find_attribute_files(tips, n, paths, err);
	for (size_t i = 0; i < n; i++)
		buf_release(&paths[i]);
	return rc;
}

/* An index that holds nothing but these .gitattributes: that is all git-check-attr looks at. */
static int make_index(const struct buf *entries, const char *index, struct err *err)
{
	static const char *const argv[] = { "-c",           "core.splitIndex=false",
		                            "-c",           "core.fsmonitor=false",
		                            "update-index", "-z",
		                            "--index-info", NULL };
	struct git_call call = { .argv = argv, .in = entries, .index = index, .stoppable = true };
	if (unlink(index) < 0 && access(index, F_OK) == 0)
		return err_errno(err, "cannot remove %s", index);
	return entries->len ? git_ask(&call, NULL, err) : 0;
}

/* Is this the first time that the pair is met with this driver? */
static bool is_new(struct hook_files *files, const struct hook_file *f, const char *driver)
{
	MEM_SCOPED char *text =
		mem_printf("%s %s %s", f->blob, driver, f->path); /* two without blanks */
	bool new = hash_set_add(&files->known, hash_bytes(text, strlen(text), 0));
	return new;
}

/* Adds F, unless its attribute says that it has no driver. */
static void take_file(struct hook_files *files, const struct hook_file *f, const char *ref,
                      const char *driver)
{
	if (!strcmp(driver, "unspecified") || !strcmp(driver, "unset") || !is_new(files, f, driver))
		return;
	MEM_PUSH(files->list, files->n, files->cap,
	         (struct hook_file){ .kind = f->kind,
	                             .path = mem_strdup(f->path),
	                             .blob = mem_strdup(f->blob),
	                             .driver = mem_strdup(driver),
	                             .ref = mem_strdup(ref) });
}

/* Answers come as PATH NUL "whittle" NUL VALUE NUL, in the order of the questions: *AT moves. */
static int take_answers(struct hook_files *files, const struct tip *tip, const char **at,
                        const char *end, struct err *err)
{
	for (size_t i = 0; i < tip->changes.n; i++) {
		const char *value = NULL;
		if (tip->changes.list[i].kind == HOOK_FILE_FOREIGN)
			continue;
		for (int field = 0; field < 3; field++) {
			if (*at >= end)
				return err_set(err, ERR_SYSTEM,
				               "git check-attr gave too few answers");
			value = *at;
			*at += strlen(*at) + 1;
		}
		take_file(files, &tip->changes.list[i], tip->ref, value);
	}
	return 0;
}

/* Have both the same .gitattributes? */
static bool same_entries(const struct tip *a, const struct tip *b)
{
	return a->entries.len == b->entries.len &&
	       (!a->entries.len || !memcmp(a->entries.data, b->entries.data, a->entries.len));
}

/* The attributes of the first tip's files, and of all others that have the same .gitattributes. */
static int ask_attributes(struct hook_files *files, struct tip *tips, size_t n, const char *index,
                          struct err *err)
{
	static const char *const argv[] = { "check-attr", "--cached", "-z",
		                            "--stdin",    "whittle",  NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .index = index, .stoppable = true };
	MEM_SCOPED bool *asked = mem_zero(n, sizeof *asked);
	for (size_t i = 0; i < n; i++) {
		asked[i] = !tips[i].done && same_entries(&tips[0], &tips[i]);
		tips[i].done |= asked[i];
		for (size_t k = 0; asked[i] && k < tips[i].changes.n; k++) {
			const struct hook_file *f = &tips[i].changes.list[k];
			if (f->kind != HOOK_FILE_FOREIGN)
				buf_add(&in, f->path, strlen(f->path) + 1);
		}
	}
	int rc = !in.len                                        ? 0
	         : make_index(&tips[0].entries, index, err) < 0 ? -1
	                                                        : git_ask(&call, &out, err);
	const char *at = out.data;
	for (size_t i = 0; rc == 0 && in.len && i < n; i++)
		if (asked[i])
			rc = take_answers(files, &tips[i], &at, out.data + out.len, err);
	return rc;
}

static void take_foreign(struct hook_files *files, const struct tip *tip)
{
	for (size_t i = 0; i < tip->changes.n; i++)
		if (tip->changes.list[i].kind == HOOK_FILE_FOREIGN)
			take_file(files, &tip->changes.list[i], tip->ref, "");
}

/* Of what the tips have, that with a driver, and what git cannot be asked about. */
static int take_changes(struct hook_files *files, struct tip *tips, size_t n, const char *index,
                        struct err *err)
{
	int rc = find_entries(tips, n, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		take_foreign(files, &tips[i]);
		if (!tips[i].done)
			rc = ask_attributes(files, tips + i, n - i, index, err);
	}
	return rc;
}

/* Paths are from the top, and git takes them to be from here. */
static int go_to_top(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--show-cdup", NULL };
	MEM_SCOPED char *up = git_answer(argv, err);
	return !up ? -1 : *up && chdir(up) < 0 ? err_errno(err, "cannot change to %s", up) : 0;
}

int hook_files_find_in(struct hook_files *files, const char *commit, const char *const *paths,
                       const char *index, struct err *err)
{
	MEM_SCOPED char *spec = mem_printf("%s^{commit}", commit);
	const char *const argv[] = { "rev-parse", "--verify", "--quiet", spec, NULL };
	MEM_SCOPED char *id = git_answer(argv, err);
	struct tip *tip = mem_zero(1, sizeof *tip);
	*tip = (struct tip){ .commit = id, .ref = commit };
	*files = (struct hook_files){ 0 };
	int rc = id ? find_all(tip, paths, err)
	            : err_set(err, ERR_USAGE, "there is no commit %s here", commit);
	if (rc == 0)
		rc = go_to_top(err);
	if (rc == 0)
		rc = take_changes(files, tip, 1, index, err);
	tips_release(tip, 1);
	return rc;
}

int hook_files_find(struct hook_files *files, const struct hook_updates *updates,
                    const char *remote, const char *index, struct err *err)
{
	SCOPED(range_release) struct range range;
	*files = (struct hook_files){ 0 };
	int rc = find_range(&range, updates, remote, err);
	struct tip *tips = mem_zero(range.n, sizeof *tips);
	size_t n = 0;
	for (size_t i = 0; i < range.n; i++)
		if (range.tips[i].commit)
			tips[n++] = (struct tip){ .commit = range.tips[i].commit,
				                  .ref = range.tips[i].ref };
	if (rc == 0 && n)
		rc = find_changes(tips, n, &range, err);
	if (rc == 0 && n)
		rc = take_changes(files, tips, n, index, err);
	tips_release(tips, n);
	return rc;
}

void hook_files_release(struct hook_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		free(files->list[i].path);
		free(files->list[i].blob);
		free(files->list[i].driver);
		free(files->list[i].ref);
	}
	free(files->list);
	hash_set_release(&files->known);
	*files = (struct hook_files){ 0 };
}
