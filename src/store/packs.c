/* The packs of a reduction. Many small ones are bad for whoever reads the repository, so once there
 * are some they are made one. `git pack-objects` does that, because it copies the deltas that are
 * there (libgit2 would compute them anew, at the price of all snapshots so far): a thousand
 * snapshots take a tenth of a second. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"
#include "store/writer.h"

enum { HEX = GIT_OID_HEXSZ, IDX_FANOUT = 8, IDX_IDS = IDX_FANOUT + 256 * 4 };

int packs_note(void *location, const char *pack, struct err *err)
{
	MEM_SCOPED char *path = location_path(location, "packs");
	char line[HEX + 2];
	snprintf(line, sizeof line, "%s\n", pack);
	IO_SCOPED int fd = io_open_regular(path, O_WRONLY | O_CREAT | O_APPEND, 0666, err);
	int rc = fd < 0 ? -1 : 0;
	if (fd >= 0 && io_write_all(fd, line, strlen(line)) < 0)
		rc = err_errno(err, "cannot write %s", path);
	return rc;
}

/* So few that are so small stay as they are: git would take longer than all else. */
enum { FEW = 4, SMALL = 1 << 16 };

struct packs {
	size_t n, cap;
	int64_t bytes;
	char (*list)[HEX + 1];
};

static bool pack_exists(const char *dir, const char *pack)
{
	MEM_SCOPED char *idx = mem_printf("%s/pack-%s.idx", dir, pack);
	return access(idx, R_OK) == 0;
}

static int64_t pack_size(const char *dir, const char *pack)
{
	MEM_SCOPED char *path = mem_printf("%s/pack-%s.pack", dir, pack);
	struct stat st;
	return stat(path, &st) == 0 ? st.st_size : 0;
}

static bool listed(const struct packs *packs, const char *pack)
{
	for (size_t i = 0; i < packs->n; i++)
		if (!strcmp(packs->list[i], pack))
			return true;
	return false;
}

/* The packs of the list that are still there: a gc of the user may have taken some into its own. */
static struct packs load(const struct location *l, const char *dir)
{
	struct packs packs = { 0 };
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *path = location_path(l, "packs");
	if (access(path, R_OK) == 0 && io_read_kept(path, &text, NULL) == 0) {
		for (char *p = text.data; (size_t)(p - text.data) + HEX < text.len; p += HEX + 1) {
			p[HEX] = '\0';
			if (strspn(p, "0123456789abcdef") != HEX || !pack_exists(dir, p) ||
			    listed(&packs, p))
				continue;
			MEM_GROW(packs.list, packs.n, packs.cap);
			memcpy(packs.list[packs.n++], p, HEX + 1);
			packs.bytes += pack_size(dir, p);
		}
	}
	return packs;
}

void packs_unkeep(const struct location *l)
{
	MEM_SCOPED char *dir = objects_pack_dir(l->repo);
	struct packs packs = load(l, dir);
	for (size_t i = 0; i < packs.n; i++)
		objects_unkeep(l->repo, packs.list[i]);
	free(packs.list);
}

static uint32_t be32(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;
	return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

/* Adds the ids in a pack's index (version 2: magic, version, 256 running counts, sorted ids), one
 * hex line each. */
static int add_ids(const char *dir, const char *pack, struct buf *out)
{
	BUF_SCOPED struct buf idx = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/pack-%s.idx", dir, pack);
	int rc = io_read_bounded(path, (struct io_bounds){ SIZE_MAX - 1, true }, &idx, NULL);
	if (rc == 0 && (idx.len < IDX_IDS || memcmp(idx.data, "\377tOc\0\0\0\2", 8)))
		rc = -1;
	uint32_t n = rc == 0 ? be32(idx.data + IDX_IDS - 4) : 0;
	if ((idx.len - IDX_IDS) / GIT_OID_RAWSZ < n)
		rc = -1;
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		git_oid id;
		char hex[HEX + 1];
		memcpy(id.id, idx.data + IDX_IDS + (size_t)i * GIT_OID_RAWSZ, GIT_OID_RAWSZ);
		git_oid_tostr(hex, sizeof hex, &id);
		buf_addf(out, "%s\n", hex);
	}
	return rc;
}

/* Has git make one pack of IDS in DIR; the checksum it prints goes to PACK. Two versions of a file
 * and an index of one of them are what the search for a delta holds at the least; files above the
 * threshold are copied as they are. Packs can be made another time: git may be stopped. */
static bool pack_ids(struct store *s, const char *dir, const struct buf *ids, char pack[HEX + 1])
{
	MEM_SCOPED char *git_dir = mem_printf("--git-dir=%s", s->r.location.common);
	MEM_SCOPED char *base = mem_printf("%s/pack", dir);
	const char *const argv[] = {
		git_dir, "-c",          "core.bigFileThreshold=16m", "pack-objects",
		"-q",    "--threads=1", "--window-memory=16m",       "--delta-base-offset",
		base,    NULL
	};
	struct git_call call = { .argv = argv, .in = ids, .apart = true, .stoppable = true };
	BUF_SCOPED struct buf printed = { 0 };
	if (fault_strikes(&s->faults, "merge") || git_ask(&call, &printed, NULL) < 0 ||
	    printed.len < HEX)
		return false;
	memcpy(pack, printed.data, HEX);
	pack[HEX] = '\0';
	return pack_exists(dir, pack);
}

static void remove_pack(const char *dir, const char *pack)
{
	static const char *const suffixes[] = { "idx", "rev", "pack" };
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		MEM_SCOPED char *path = mem_printf("%s/pack-%s.%s", dir, pack, suffixes[i]);
		unlink(path);
	}
}

/* The list first: a pack in it that is gone is skipped, one that is there and not in it would be
 * forgotten. */
static void replace(struct store *s, const char *dir, const struct packs *old, const char *pack)
{
	MEM_SCOPED char *path = location_path(&s->r.location, "packs");
	MEM_SCOPED char *line = mem_printf("%s\n", pack);
	struct stat st;
	if (packs_note(&s->r.location, pack, NULL) == 0 && stat(path, &st) == 0) {
		for (size_t i = 0; i < old->n; i++)
			if (strcmp(old->list[i], pack))
				remove_pack(dir, old->list[i]);
		io_replace_entry(path, line, strlen(line), io_mode_like(&st), NULL);
	}
}

static bool gc_runs(const struct store *s)
{
	MEM_SCOPED char *path = mem_printf("%sgc.pid", s->r.location.common);
	return access(path, F_OK) == 0;
}

void packs_merge(struct store *s, unsigned most)
{
	char pack[HEX + 1];
	BUF_SCOPED struct buf ids = { 0 };
	MEM_SCOPED char *dir = objects_pack_dir(s->r.location.repo);
	struct packs packs = load(&s->r.location, dir);
	bool few = packs.n <= FEW && packs.bytes < SMALL;
	bool ok = packs.n > most && !few && !gc_runs(s);
	for (size_t i = 0; ok && i < packs.n; i++)
		ok = add_ids(dir, packs.list[i], &ids) == 0;
	if (ok && pack_ids(s, dir, &ids, pack)) {
		replace(s, dir, &packs, pack);
		store_reopen(s, NULL);
	}
	free(packs.list);
}

int store_reopen(struct store *s, struct err *err)
{
	if (fault_strikes(&s->faults, "reopen"))
		return err_errno(err, "cannot open the git repository %s again",
		                 s->r.location.common);
	if (location_reopen(&s->r.location, err) < 0)
		return access(s->r.location.common, F_OK) < 0
		               ? err_context(err, "the repository %s is gone", s->r.location.common)
		               : -1;
	return objects_attach(s->objects, s->r.location.repo, err);
}
