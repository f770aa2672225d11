/* Commits and trees as a fetched ref may bring them: any history is read or refused. Input:
 * commits, oldest first, separated by lines "%%". The first part of one, to a line "%", is its
 * message; each further part is a line "MODE PATH" and the content. The byte 1 in a path stands for
 * a slash within a name, which git does not make. */
#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/repository.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "store/git.h"
#include "store/history.h"
#include "store/writer.h"
#include "text/testcase.h"

enum { MAX_COMMITS = 6, MAX_FILES = 12 };

struct file {
	char *mode, *path;
	git_oid id;
};

static git_oid add(git_odb *odb, const void *bytes, size_t len, git_object_t type)
{
	git_oid id;
	FUZZ_REQUIRE(git_odb_write(&id, odb, len ? bytes : "", len, type) == 0);
	return id;
}

/* The part of SECTION up to a line "%". */
static struct fuzz part(struct fuzz *section)
{
	struct fuzz all = *section;
	const uint8_t *mark = memmem(all.at, fuzz_left(&all), "\n%\n", 3);
	section->at = mark ? mark + 3 : all.end;
	return (struct fuzz){ all.at, mark ? mark : all.end };
}

/* The tree of the files [first, last), whose paths agree up to SKIP; without order or uniqueness,
 * as they come. */
static git_oid add_tree(git_odb *odb, const struct file *files, size_t n, size_t skip,
                        unsigned depth)
{
	struct buf tree = { 0 };
	for (size_t i = 0; i < n;) {
		const char *name = files[i].path + skip, *slash = strchr(name, '/');
		size_t len = slash ? (size_t)(slash - name) : strlen(name), k = i + 1;
		git_oid id = files[i].id;
		const char *mode = files[i].mode;
		if (slash && depth < 8) {
			while (k < n && !strncmp(files[k].path + skip, name, len + 1))
				k++;
			id = add_tree(odb, files + i, k - i, skip + len + 1, depth + 1);
			mode = "40000";
		}
		buf_addf(&tree, "%s ", mode);
		for (size_t c = 0; c < len; c++)
			buf_addch(&tree, name[c] == 1 ? '/' : name[c]);
		buf_add(&tree, "", 1);
		buf_add(&tree, id.id, sizeof id.id);
		i = k;
	}
	git_oid id = add(odb, tree.data, tree.len, GIT_OBJECT_TREE);
	buf_release(&tree);
	return id;
}

/* Takes "MODE PATH" and the content; false when there is no such line. */
static bool take_file(git_odb *odb, struct fuzz text, struct file *out)
{
	char *line = fuzz_string(text), *newline = strchr(line, '\n'), *blank;
	if (newline)
		*newline = '\0';
	blank = strchr(line, ' ');
	size_t head = newline ? (size_t)(newline - line) + 1 : fuzz_left(&text);
	if (blank) {
		*out = (struct file){ .mode = mem_printf("%.*s", (int)(blank - line), line),
			              .path = mem_strdup(blank + 1),
			              .id = add(odb, text.at + head, fuzz_left(&text) - head,
			                        GIT_OBJECT_BLOB) };
	}
	free(line);
	return blank;
}

static git_oid add_commit(git_odb *odb, struct fuzz section, const git_oid *parent)
{
	struct file files[MAX_FILES];
	struct fuzz message = part(&section);
	struct buf text = { 0 };
	size_t n = 0;
	char hex[GIT_OID_HEXSZ + 1];
	while (n < MAX_FILES && fuzz_left(&section))
		n += take_file(odb, part(&section), &files[n]);
	git_oid tree = add_tree(odb, files, n, 0, 0);
	for (size_t i = 0; i < n; i++) {
		free(files[i].mode);
		free(files[i].path);
	}
	buf_addf(&text, "tree %s\n", git_oid_tostr(hex, sizeof hex, &tree));
	if (parent)
		buf_addf(&text, "parent %s\n", git_oid_tostr(hex, sizeof hex, parent));
	buf_addf(&text, "author a <a@a> 0 +0000\ncommitter a <a@a> 0 +0000\n\n");
	buf_add(&text, message.at, fuzz_left(&message));
	git_oid id = add(odb, text.data, text.len, GIT_OBJECT_COMMIT);
	buf_release(&text);
	return id;
}

/* ---- reading ---- */

static int see_step(void *ctx, const struct step *step, const git_oid *id, struct err *err)
{
	(void)ctx;
	(void)id;
	(void)err;
	FUZZ_REQUIRE(memchr(step->pass, 0, sizeof step->pass));
	return 0;
}

static void see_verdict(void *ctx, const struct store_entry *v)
{
	(void)ctx;
	(void)v;
}

static void read_beginning(struct reduction *r)
{
	struct err err;
	struct buf test = { 0 };
	struct hash identity;
	char **operands = reduction_operands(r, &err), *options = reduction_options(r, &err);
	reduction_test(r, &test, &err);
	reduction_identity(r, &identity, &err);
	r->location.file = mem_strdup("/nowhere/at/all");
	char *file = reduction_file(r, "input", &err);
	free(file);
	for (char **o = operands; o && *o; o++)
		free(*o);
	free(operands);
	free(options);
	buf_release(&test);
}

static void read_steps(struct reduction *r)
{
	struct err err;
	FILE *out = fopen("/dev/null", "w");
	reduction_each(r, see_step, NULL, &err);
	for (r->at = 0; r->at < r->chain.n; r->at++) {
		struct testcase *tc = reduction_testcase(r, &err);
		if (tc) {
			step_content(tc);
			testcase_flat(tc);
			FUZZ_REQUIRE(tc->size <= 1 || tc->bytes);
		}
		testcase_unref(tc);
		reduction_diff(r, 0, r->at, out, &err);
		step_verdicts(r->location.repo, &r->chain.ids[r->at], see_verdict, NULL, &err);
	}
	reduction_seek(r, "1", &err);
	fclose(out);
}

static void read_history(git_repository *repo, const git_oid *tip)
{
	struct err err;
	struct reduction r = { .location = { .repo = repo,
		                             .common = mem_strdup("/nowhere/"),
		                             .name = mem_strdup("name"),
		                             .ref = mem_strdup("refs/whittle/name"),
		                             .dir = mem_strdup("/nowhere/whittle/name") } };
	if (chain_load(&r.chain, repo, tip, &err) == 0 && r.chain.n) {
		read_beginning(&r);
		read_steps(&r);
	}
	chain_release(&r.chain);
	location_release(&r.location);
}

int target_snapshot(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size };
	struct err err;
	git_odb *odb = NULL;
	git_odb_backend *memory = NULL;
	git_repository *repo = NULL;
	git_oid tip, before;
	static bool started;
	if (!started) { /* each start anew would take most of the time */
		FUZZ_REQUIRE(gitlib_start(&err) == 0);
		git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
		started = true;
	}
	FUZZ_REQUIRE(git_odb_new(&odb) == 0 && git_mempack_new(&memory) == 0 &&
	             git_odb_add_backend(odb, memory, 1) == 0 &&
	             git_repository_wrap_odb(&repo, odb) == 0);
	for (unsigned n = 0; n < MAX_COMMITS && (fuzz_left(&in) || !n); n++) {
		before = tip;
		tip = add_commit(odb, fuzz_section(&in), n ? &before : NULL);
	}
	read_history(repo, &tip);
	git_odb_free(odb);
	return 0;
}
