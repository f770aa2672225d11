#include "integ/hook_files.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "integ/git.h"
#include "integ/hook_range.h"
#include "integ/hook_updates.h"

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
	MEM_GROW(c->list, c->n, c->cap);
	c->list[c->n++] = (struct hook_file){ .kind = kind,
		                              .path = mem_strdup(path),
		                              .blob = mem_strdup(id) };
}

static void parse_changes(struct changes *c, struct buf *out)
{
	char *at = out->data, *end = out->data + out->len;
	while (at < end) {
		char *record = at;
		at += strlen(at) + 1;
		if (*record != ':' || at >= end) /* the id of the tip, which comes first */
			continue;
		take_record(c, record, at);
		at += strlen(at) + 1;
	}
}

static int run_diff(struct changes *c, const struct git_call *call, struct err *err)
{
	struct buf out = { 0 };
	int rc = git_ask(call, &out, err);
	if (rc == 0 && out.len)
		parse_changes(c, &out);
	buf_release(&out);
	return rc;
}

#define DIFF_TREE                                                              \
	"diff-tree", "-r", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", \
		"--ignore-submodules=none"

/* All that TIP has at PATHS. */
static int find_all(struct changes *c, const char *tip, const char *const *paths, struct err *err)
{
	static const char *const words[] = { DIFF_TREE };
	enum { WORDS = sizeof words / sizeof *words };
	size_t n = 0, at = WORDS;
	while (paths && paths[n])
		n++;
	const char **argv = mem_zero(WORDS + n + 4, sizeof *argv);
	memcpy(argv, words, sizeof words);
	argv[at++] = empty_tree(tip);
	argv[at++] = tip;
	argv[at++] = "--";
	for (size_t i = 0; i < n; i++)
		argv[at++] = paths[i];
	const struct git_call call = { .argv = argv, .stoppable = true };
	int rc = run_diff(c, &call, err);
	free(argv);
	return rc;
}

/* What TIP has that none of the bases has at the same path: the combined difference is just that.
 */
static int find_changes(struct changes *c, const struct hook_range *range, const char *tip,
                        struct err *err)
{
	static const char *const argv[] = { DIFF_TREE, "--stdin", NULL };
	struct buf in = { 0 };
	const struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	if (!range->n_bases)
		return find_all(c, tip, NULL, err);
	buf_addf(&in, "%s", tip);
	for (size_t i = 0; i < range->n_bases; i++)
		buf_addf(&in, " %s", range->bases[i]);
	buf_addch(&in, '\n');
	int rc = run_diff(c, &call, err);
	buf_release(&in);
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
		while (path[same] && path[same] == before[same])
			same++;
		for (const char *slash = strchr(path + same, '/'); slash;
		     slash = strchr(slash + 1, '/'))
			if (!memchr(path, '\n', (size_t)(slash - path)))
				buf_addf(paths, "%.*s/.gitattributes\n", (int)(slash - path), path);
		before = path;
	}
}

/* Of these paths, those that TIP has, as lines for git-update-index. */
static int find_attribute_files(const char *tip, char *paths, struct buf *entries, struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objecttype) %(objectname)",
		                            NULL };
	struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	for (const char *p = paths; *p; p = strchr(p, '\n') + 1)
		buf_addf(&in, "%s:%.*s\n", tip, (int)strcspn(p, "\n"), p);
	int rc = git_ask(&call, &out, err);
	char *rest = out.data, *line;
	for (char *p = paths; rc == 0 && *p && rest && (line = strsep(&rest, "\n"));
	     p = strchr(p, '\n') + 1)
		if (!strncmp(line, "blob ", 5) && !strstr(line, " missing")) {
			buf_addf(entries, "100644 %s\t%.*s", line + 5, (int)strcspn(p, "\n"), p);
			buf_add(entries, "", 1);
		}
	buf_release(&in);
	buf_release(&out);
	return rc;
}

/* An index that holds nothing but .gitattributes of TIP: that is all git-check-attr looks at. */
static int make_index(const struct changes *c, const char *tip, const char *index, struct err *err)
{
	static const char *const argv[] = { "-c",           "core.splitIndex=false",
		                            "-c",           "core.fsmonitor=false",
		                            "update-index", "-z",
		                            "--index-info", NULL };
	struct buf paths = { 0 }, entries = { 0 };
	struct git_call call = { .argv = argv, .in = &entries, .index = index, .stoppable = true };
	list_attribute_files(c, &paths);
	int rc = find_attribute_files(tip, paths.data, &entries, err);
	if (rc == 0)
		rc = unlink(index) < 0 && access(index, F_OK) == 0
		             ? err_errno(err, "cannot remove %s", index)
		             : 0;
	if (rc == 0 && entries.len)
		rc = git_ask(&call, NULL, err);
	buf_release(&paths);
	buf_release(&entries);
	return rc;
}

/* Is this the first time that the pair is met with this driver? */
static bool is_new(struct hook_files *files, const struct hook_file *f, const char *driver)
{
	char *text = mem_printf("%s %s %s", f->blob, driver, f->path); /* two without blanks */
	bool new = hook_keys_add(&files->known, hash_bytes(text, strlen(text), 0));
	free(text);
	return new;
}

/* Answers come as PATH NUL "whittle" NUL VALUE NUL, in the order of the questions. */
static int take_attributes(struct hook_files *files, const struct changes *c, const char *ref,
                           const struct buf *out, struct err *err)
{
	const char *at = out->data, *end = out->data + out->len;
	for (size_t i = 0; i < c->n; i++) {
		const char *value = NULL;
		for (int field = 0; field < 3; field++) {
			if (at >= end)
				return err_set(err, ERR_SYSTEM,
				               "git check-attr gave too few answers");
			value = at;
			at += strlen(at) + 1;
		}
		if (!strcmp(value, "unspecified") || !strcmp(value, "unset") ||
		    !is_new(files, &c->list[i], value))
			continue;
		MEM_GROW(files->list, files->n, files->cap);
		files->list[files->n++] = (struct hook_file){ .kind = c->list[i].kind,
			                                      .path = mem_strdup(c->list[i].path),
			                                      .blob = mem_strdup(c->list[i].blob),
			                                      .driver = mem_strdup(value),
			                                      .ref = mem_strdup(ref) };
	}
	return 0;
}

static int ask_attributes(struct hook_files *files, const struct changes *c, const char *ref,
                          const char *index, struct err *err)
{
	static const char *const argv[] = { "check-attr", "--cached", "-z",
		                            "--stdin",    "whittle",  NULL };
	struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .index = index, .stoppable = true };
	for (size_t i = 0; i < c->n; i++)
		buf_add(&in, c->list[i].path, strlen(c->list[i].path) + 1);
	int rc = git_ask(&call, &out, err);
	if (rc == 0)
		rc = take_attributes(files, c, ref, &out, err);
	buf_release(&in);
	buf_release(&out);
	return rc;
}

/* Of the changes, which are of TIP, those with a driver. */
static int take_changes(struct hook_files *files, const struct changes *c, const char *tip,
                        const char *ref, const char *index, struct err *err)
{
	if (!c->n)
		return 0;
	return make_index(c, tip, index, err) < 0 ? -1 : ask_attributes(files, c, ref, index, err);
}

static int find_in_tip(struct hook_files *files, const struct hook_range *range,
                       const struct hook_tip *tip, const char *index, struct err *err)
{
	struct changes c = { 0 };
	int rc = find_changes(&c, range, tip->commit, err);
	if (rc == 0)
		rc = take_changes(files, &c, tip->commit, tip->ref, index, err);
	changes_release(&c);
	return rc;
}

/* Paths are from the top, and git takes them to be from here. */
static int go_to_top(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--show-cdup", NULL };
	char *up = git_answer(argv, err);
	int rc = !up ? -1 : *up && chdir(up) < 0 ? err_errno(err, "cannot go to %s", up) : 0;
	free(up);
	return rc;
}

int hook_files_find_in(struct hook_files *files, const char *commit, const char *const *paths,
                       const char *index, struct err *err)
{
	char *spec = mem_printf("%s^{commit}", commit);
	const char *const argv[] = { "rev-parse", "--verify", "--quiet", spec, NULL };
	char *tip = git_answer(argv, err);
	struct changes c = { 0 };
	*files = (struct hook_files){ 0 };
	int rc = tip ? find_all(&c, tip, paths, err)
	             : err_set(err, ERR_USAGE, "there is no commit %s here", commit);
	if (rc == 0)
		rc = go_to_top(err);
	if (rc == 0)
		rc = take_changes(files, &c, tip, commit, index, err);
	changes_release(&c);
	free(tip);
	free(spec);
	return rc;
}

int hook_files_find(struct hook_files *files, const struct hook_updates *updates,
                    const char *remote, const char *index, struct err *err)
{
	struct hook_range range;
	*files = (struct hook_files){ 0 };
	int rc = hook_range_find(&range, updates, remote, err);
	for (size_t i = 0; rc == 0 && i < range.n; i++)
		if (range.tips[i].commit)
			rc = find_in_tip(files, &range, &range.tips[i], index, err);
	hook_range_release(&range);
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
	hook_keys_release(&files->known);
	*files = (struct hook_files){ 0 };
}
