/* The inside of struct store, shared by the files that implement store.h. */
#pragma once

#include "base/fault.h"
#include "store/journal.h"
#include "store/objects.h"
#include "store/reduction.h"
#include "store/store_types.h"

struct store;

/* Files of the tree that are not the test case's. */
#define STORE_OWN ".whittle"
#define STORE_FORMAT ".whittle/format" /* version, identity, prefix */
#define STORE_FILES                                                                               \
	".whittle/files" /* of a tree: the paths of its entries in their order, each ended by NUL \
	                  */
#define STORE_OPERANDS                                                                   \
	".whittle/operands" /* of a tree: what was named, each ended by NUL, a '/' after \
	                       directories */
#define STORE_EMPTY                                                                               \
	".whittle/empty" /* paths of empty directories, each ended by NUL; in every snapshot with \
	                    any */
#define STORE_OPTIONS ".whittle/options"
#define STORE_TEST ".whittle/test"
#define STORE_VERDICTS ".whittle/verdicts"

enum { STORE_BATCH_BYTES = 8 << 20 }; /* what waits is held twice while it is packed */
enum { STORE_CARRIED = 5 };           /* format, files, operands, options, test */

/* What a file of the last snapshot held, so that its blob need not be made again. */
struct known_file {
	uint64_t path; /* hash */
	struct hash content;
	git_oid id;
};

/* What was there when the store was opened. */
struct store_found {
	bool has_ref;
	struct err *damage; /* why the history cannot be read */
};

/* What this process has made. */
struct store_made {
	size_t pos;           /* commits of the chain made or compared */
	bool incomplete;      /* a snapshot could not be made: none comes after it in this run */
	uint64_t original;    /* bytes */
	uint64_t bytes;       /* of the last snapshot */
	unsigned since_flush; /* snapshots */
	bool diverged;        /* from what was kept: said */
};

struct store_carried {
	struct tree_file list[STORE_CARRIED];
	size_t n;
};

struct store_files {
	struct known_file *list;
	uint32_t n;
};

struct store {
	void (*notice)(void *ctx, const char *message);
	void *ctx;
	struct faults faults;
	struct reduction r; /* its chain: what is kept, and what was made since */
	char *local;        /* store_options.local, "" when there is none */
	int lock_fd;
	struct objects *objects;

	bool fresh; /* what is there is to be set aside when the reduction begins */
	struct store_found found;
	bool behind; /* the ref is to be moved to the end of the chain */
	bool known;  /* the objects know what the end of the chain refers to */

	struct journal journal; /* fd -1: not open yet */
	struct hash identity;

	struct store_carried carried;
	struct store_made made;
	struct store_files last; /* of the last snapshot made, in their order */
};

/* Tells the user. */
void store_notice(struct store *store, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets what is there aside, ref and journal. */
int store_start_over(struct store *store, struct err *err);

/* Gives the history at TIP, and the journal's files when FILES, the first free name NAME.1,
 * NAME.2...; *as is that name, the caller's. */
int store_set_aside(struct store *store, const git_oid *tip, bool files, char **as,
                    struct err *err);

/* refs.c: to be called before and after a ref is moved; the third removes the lock files of a
 * process that was killed in between, and needs the reduction's lock. */
void refs_mark(const struct location *location);
void refs_unmark(const struct location *location);
void refs_remove_stale(const struct location *location);

/* -1 and err when another ref is in the way of ours: one below it, or refs/whittle itself. */
int refs_check_free(const struct location *location, struct err *err);

/* Moves the file of a ref that cannot be read to the reduction's directory: its path there, the
 * caller's. NULL and err when that does not work. */
char *refs_set_broken_aside(const struct location *location, struct err *err);

/* The text of STORE_FORMAT. */
void store_format_text(struct buf *out, struct hash identity, const char *prefix);

/* The identity in such a text; false: there is none. */
bool store_format_identity(const char *text, struct hash *identity);

/* The test case in the tree of commit ID: its files without STORE_*, in the order of STORE_FILES,
 * modes 0644 or 0755. What is before its paths in the tree goes to *prefix (the caller's; NULL:
 * not wanted). The tree may be anybody's: its paths and modes are checked. NULL and err on failure.
 */
struct testcase *tree_testcase(git_repository *repo, const git_oid *id, char **prefix,
                               struct err *err);

git_filemode_t store_file_mode(mode_t mode);

/* Adds the tree of a snapshot: TC's files, what is carried along, and the verdicts (NULL: none). */
int store_add_tree(struct store *store, const struct testcase *tc, const struct buf *verdicts,
                   git_oid *tree, struct err *err);

/* Tells the objects what commit ID, which our ref reaches, refers to: none of it need be written
 * again. */
int store_know(struct store *store, const git_oid *id, struct err *err);

/* The files of a commit's tree without STORE_VERDICTS, sorted. The caller releases the list. */
struct tree_list {
	struct tree_file *files; /* paths are allocated */
	size_t n, cap;
};
int tree_list(struct tree_list *list, git_repository *repo, const git_oid *id, struct err *err);
void tree_list_release(struct tree_list *list);

int store_add_commit(struct store *store, const struct step *step, const git_oid *tree,
                     const git_oid *parent, const char *message, git_oid *id, struct err *err);

/* The step that SNAPSHOT makes at the present position. */
struct step store_step_of(const struct store *store, enum step_kind kind,
                          const struct store_snapshot *snapshot);

/* Opens the repository again, see location_reopen. Nothing waits in the objects. */
int store_reopen(struct store *store, struct err *err);

/* Calls FN for the verdicts that commit ID holds, if any. */
int step_verdicts(git_repository *repo, const git_oid *id, store_entry_fn *fn, void *ctx,
                  struct err *err);

/* packs.c: the list of packs that this reduction wrote. */
int packs_note(void *location, const char *pack, struct err *err); /* for objects_write */
/* Removes our .keep files: the ref is where it should be. */
void packs_unkeep(const struct location *location);

/* Makes one pack of the listed ones when there are more than MOST, and not only a few small ones,
 * with `git pack-objects`, which reuses the deltas. Not having git, or git failing, is no failure:
 * the packs stay, and the user's gc will do it. */
void packs_merge(struct store *store, unsigned most);
