#include "store/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"
#include "text/testcase.h"

#define IDENTITY "whittle <whittle@localhost>"

/* 2020-01-01 00:00:00 UTC. Steps are a second apart. */
#define FIRST_TIME 1577836800

struct hash step_content(const struct testcase *tc)
{
	uint64_t seed = tc->n_files;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		bool plain = !S_ISLNK(f->mode) && !S_ISDIR(f->mode);
		uint64_t shape[2] = { plain ? (f->mode & S_IXUSR) != 0 : f->mode & S_IFMT,
			              f->end - f->begin };
		seed = hash_bytes(f->path, strlen(f->path), seed).lo;
		seed = hash_words(shape, 2, seed).lo;
		if (tc->is_tree)
			seed = hash_again(f->hash, seed).lo;
	}
	if (tc->is_tree)
		return hash_bytes("", 0, seed);
	return hash_bytes(tc->bytes, tc->size, seed);
}

static void add_subject(struct buf *out, const struct step *step)
{
	switch (step->kind) {
	case STEP_ORIGINAL:
		buf_addf(out, "whittle: original, %" PRIu64 " bytes\n", step->bytes);
		break;
	case STEP_SNAPSHOT:
		buf_addf(out, "whittle: %" PRIu64 " → %" PRIu64 " bytes (%s)\n", step->before,
		         step->bytes, step->pass);
		break;
	case STEP_FINISHED:
		buf_addf(out, "whittle: finished at %" PRIu64 " bytes\n", step->bytes);
		break;
	case STEP_PAUSED:
		buf_addf(out, "whittle: paused at %" PRIu64 " bytes\n", step->bytes);
		break;
	}
}

void step_message(struct buf *out, const struct step *step, const char *note)
{
	add_subject(out, step);
	if (note && *note)
		buf_addf(out, "\n%s%s", note, note[strlen(note) - 1] == '\n' ? "" : "\n");
	buf_addf(out, "\nWhittle-Step: %u\nWhittle-Bytes: %" PRIu64 " of %" PRIu64 "\n",
	         step->number, step->bytes, step->original);
	if (step->pass[0])
		buf_addf(out, "Whittle-Pass: %s\n", step->pass);
	buf_addf(out, "Whittle-Questions: %" PRIu64 "\nWhittle-Content: " HASH_DIGITS "\n",
	         step->questions, HASH_OF(step->content));
	if (step->kind == STEP_FINISHED || step->kind == STEP_PAUSED)
		buf_addf(out, "Whittle-State: %s\n",
		         step->kind == STEP_FINISHED ? "finished" : "paused");
}

static void parse_trailer(const char *line, size_t len, struct step *step)
{
	char text[160];
	snprintf(text, sizeof text, "%.*s", (int)len, line);
	char state[16];
	sscanf(text, "Whittle-Step: %u", &step->number);
	sscanf(text, "Whittle-Bytes: %" SCNu64 " of %" SCNu64, &step->bytes, &step->original);
	sscanf(text, "Whittle-Pass: %63[^\n]", step->pass);
	sscanf(text, "Whittle-Questions: %" SCNu64, &step->questions);
	sscanf(text, "Whittle-Content: %16" SCNx64 "%16" SCNx64, &step->content.hi,
	       &step->content.lo);
	if (sscanf(text, "Whittle-State: %15s", state) == 1)
		step->kind = strcmp(state, "finished") ? STEP_PAUSED : STEP_FINISHED;
}

bool step_parse(const char *message, struct step *step)
{
	*step = (struct step){ .kind = STEP_SNAPSHOT };
	const char *trailers = NULL;
	for (const char *p = message; (p = strstr(p, "\n\n")); p++)
		if (p[2] && p[2] != '\n')
			trailers = p + 2;
	if (!trailers || strncmp(message, "whittle: ", 9) ||
	    strncmp(trailers, "Whittle-Step: ", 14))
		return false;
	for (const char *p = trailers; *p;) {
		size_t len = strcspn(p, "\n");
		parse_trailer(p, len, step);
		p += len + (p[len] == '\n');
	}
	step->before = step->bytes;
	sscanf(message, "whittle: %" SCNu64, &step->before);
	if (step->kind == STEP_SNAPSHOT && step->number == 0)
		step->kind = STEP_ORIGINAL;
	return true;
}

void step_commit(struct buf *out, const struct step *step, const git_oid *tree,
                 const git_oid *parent, const char *message)
{
	char hex[GIT_OID_HEXSZ + 1];
	uint64_t time = FIRST_TIME + (uint64_t)step->number;
	buf_addf(out, "tree %s\n", git_oid_tostr(hex, sizeof hex, tree));
	if (parent)
		buf_addf(out, "parent %s\n", git_oid_tostr(hex, sizeof hex, parent));
	buf_addf(out,
	         "author " IDENTITY " %" PRIu64 " +0000\ncommitter " IDENTITY " %" PRIu64
	         " +0000\n\n%s",
	         time, time, message);
}

static git_commit *lookup(git_repository *repo, const git_oid *id, struct step *step,
                          struct err *err)
{
	git_commit *commit = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, id);
	if (gitlib_commit(&commit, repo, id) < 0) {
		gitlib_fail(err, "snapshot %s cannot be read", hex);
	} else if (!step_parse(git_commit_message_raw(commit), step)) {
		err_set(err, ERR_SYSTEM, "commit %s is not a snapshot of a reduction", hex);
		git_commit_free(commit);
		commit = NULL;
	}
	return commit;
}

int step_load(git_repository *repo, const git_oid *id, struct step *step, struct err *err)
{
	git_commit *commit = lookup(repo, id, step, err);
	git_commit_free(commit);
	return commit ? 0 : -1;
}

static void reverse(struct chain *chain)
{
	for (size_t i = 0, j = chain->n; i + 1 < j; i++) {
		git_oid t = chain->ids[i];
		chain->ids[i] = chain->ids[--j];
		chain->ids[j] = t;
	}
}

int chain_load(struct chain *chain, git_repository *repo, const git_oid *tip, struct err *err)
{
	*chain = (struct chain){ .tip = *tip };
	git_oid id = *tip;
	for (bool more = true; more;) {
		struct step step;
		git_commit *commit = lookup(repo, &id, &step, err);
		if (!commit) {
			chain_release(chain);
			return -1;
		}
		if (step.kind == STEP_PAUSED)
			chain->paused = true;
		else
			chain_add(chain, &id);
		if (chain->n == 1)
			chain->last = step;
		more = git_commit_parentcount(commit) > 0;
		if (more)
			id = *git_commit_parent_id(commit, 0);
		git_commit_free(commit);
	}
	reverse(chain);
	return 0;
}

void chain_add(struct chain *chain, const git_oid *id)
{
	MEM_PUSH(chain->ids, chain->n, chain->cap, *id);
}

void chain_release(struct chain *chain)
{
	free(chain->ids);
	*chain = (struct chain){ 0 };
}

int chain_seek(const struct chain *chain, git_repository *repo, struct hash content, size_t *at,
               struct err *err)
{
	for (*at = chain->n; (*at)-- > 0;) {
		struct step step;
		if (step_load(repo, &chain->ids[*at], &step, err) < 0)
			return -1;
		if (hash_equal(step.content, content))
			return 1;
	}
	return 0;
}

int step_file(git_repository *repo, const git_oid *id, const char *path, struct buf *out,
              struct err *err)
{
	SCOPED(git_commit_scoped) git_commit *commit = NULL;
	SCOPED(git_tree_scoped) git_tree *tree = NULL;
	git_tree_entry *entry = NULL;
	SCOPED(git_blob_scoped) git_blob *blob = NULL;
	int rc = gitlib_commit(&commit, repo, id);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	bool readable = rc == 0;
	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, tree, path);
	if (rc == 0)
		rc = git_blob_lookup(&blob, repo, git_tree_entry_id(entry));
	bool missing = readable && !entry && rc == GIT_ENOTFOUND;
	if (rc == 0)
		buf_add(out, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	else if (!missing)
		gitlib_fail(err, "%s of a snapshot cannot be read", path);
	git_tree_entry_free(entry);
	return rc == 0 ? 1 : missing ? 0 : -1;
}
