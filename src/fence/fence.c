#include "fence/fence.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/landlock.h"

static const struct {
	enum fence_part part;
	const char *name;
	bool recorded; /* may a verdict depend on it? */
} parts[] = {
	{ FENCE_WRITES, "write", true },
	{ FENCE_TMP, "tmp", true },
	{ FENCE_PROCESSES, "processes", true },
	{ FENCE_NETWORK, "network", true },
	{ FENCE_TCP, "tcp", true },
	{ FENCE_SIGNALS, "signals", false },
};
enum { N_PARTS = sizeof parts / sizeof *parts };

int fence_level(const char *name, enum fence_level *level)
{
	static const char *const names[] = { "auto", "none", "write", "full", NULL };
	int i = mem_place_of(names, name);
	if (i >= 0)
		*level = (enum fence_level)i;
	return i < 0 ? -1 : 0;
}

static int allow(struct fence_options *o, const char *path, size_t len, struct err *err)
{
	if (o->n_allow == FENCE_ALLOW_MAX || len >= FENCE_ALLOW_SIZE - o->allow_end)
		return err_set(err, ERR_USAGE,
		               "tests may write to no more than %d paths, of %d bytes in all",
		               FENCE_ALLOW_MAX, FENCE_ALLOW_SIZE);
	memcpy(o->allow + o->allow_end, path, len);
	o->allow[o->allow_end + len] = '\0';
	o->allow_end += (unsigned)len + 1;
	o->n_allow++;
	return 0;
}

int fence_options_allow(struct fence_options *o, const char *path, struct err *err)
{
	return allow(o, path, strlen(path), err);
}

/* ---- what can be had ---- */

/* Whether we may make namespaces as we are. */
static bool is_administrator(void)
{
	enum { WORD = CAP_SYS_ADMIN / 32, BIT = CAP_SYS_ADMIN % 32 };
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	return syscall(SYS_capget, &head, data) == 0 && data[WORD].effective >> BIT & 1;
}

/* Those of PARTS that this machine has for us. */
static unsigned available(struct fence *f, unsigned asked)
{
	f->user = !is_administrator();
	f->uid = geteuid();
	f->gid = getegid();
	f->landlock = landlock_abi();
	unsigned have = namespaces_probe(f, asked);
	if (f->landlock || (have & FENCE_MOUNTS))
		have |= FENCE_WRITES;
	if (f->landlock >= LANDLOCK_TCP)
		have |= FENCE_TCP;
	if (f->landlock >= LANDLOCK_SCOPES)
		have |= FENCE_SIGNALS;
	return have;
}

/* The set that TEXT records. */
static unsigned parse(const char *text)
{
	unsigned set = 0;
	for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, '+');
		for (int i = 0; i < N_PARTS; i++)
			if (strlen(parts[i].name) == (size_t)(end - at) &&
			    !strncmp(parts[i].name, at, (size_t)(end - at)))
				set |= parts[i].part;
	}
	return set;
}

static unsigned recorded(unsigned set)
{
	for (int i = 0; i < N_PARTS; i++)
		if (!parts[i].recorded)
			set &= ~(unsigned)parts[i].part;
	return set;
}

/* Exactly what the reduction was begun with, and what no verdict depends on. */
static int choose_kept(struct fence *f, unsigned have, const char *kept, struct err *err)
{
	unsigned want = parse(kept), lacking = want & ~have;
	for (int i = 0; i < N_PARTS; i++)
		if (lacking & parts[i].part)
			return err_set(err, ERR_USAGE,
			               "the reduction was begun with a fence (%s) that is not "
			               "available here (%s); its verdicts may not hold without it",
			               kept, parts[i].name);
	f->parts = want ? want | (have & ~recorded(have)) : 0;
	if (f->parts && !f->landlock && !(want & FENCE_MOUNTS))
		return err_set(err, ERR_USAGE,
		               "the reduction was begun with a fence (%s) that is not available "
		               "here: this kernel has no Landlock",
		               kept);
	return 0;
}

static int choose(struct fence *f, unsigned have, const struct fence_options *o, struct err *err)
{
	if (o->level >= FENCE_WRITE && !(have & FENCE_WRITES))
		return err_set(
			err, ERR_USAGE,
			"option --fence: neither Landlock nor a mount namespace is available, so "
			"tests cannot be kept from writing (--fence=auto runs them anyway)");
	if (o->level == FENCE_FULL && !(have & (FENCE_NETWORK | FENCE_TCP)))
		return err_set(err, ERR_USAGE,
		               "option --fence: tests cannot be kept from the network here "
		               "(--fence=write does not try)");
	if (o->level != FENCE_FULL)
		have &= ~(unsigned)(FENCE_NETWORK | FENCE_TCP);
	if (have & FENCE_NETWORK)
		have &= ~(unsigned)FENCE_TCP;
	f->parts = have & FENCE_WRITES ? have : 0;
	if (!f->parts)
		f->missing = "neither Landlock nor namespaces are available here";
	else if (!(have & FENCE_MOUNTS))
		f->missing =
			"without namespaces tests get no /tmp of their own, so it is read-only";
	else if (!(have & FENCE_TMP))
		f->missing = "an overlay over /tmp is not available here: it is read-only";
	else if (!(have & FENCE_PROCESSES))
		f->missing = "a private /proc is not available here";
	return 0;
}

static bool is_known(const struct fence *f, const char *path)
{
	for (unsigned i = 0; i < f->n_allow; i++)
		if (!strcmp(f->allow[i], path))
			return true;
	return false;
}

/* The allowed paths, absolute, without links. They stand in the records with a colon between them.
 */
static int resolve(struct fence *f, const struct fence_options *o, struct err *err)
{
	const char *path = o->allow;
	for (unsigned i = 0; i < o->n_allow; i++, path += strlen(path) + 1) {
		char *real = realpath(path, NULL);
		if (!real) {
			err_errno(err, "tests cannot be allowed to write to %s", path);
			return err_as(err, ERR_USAGE);
		}
		if (is_known(f, real)) {
			free(real);
			continue;
		}
		f->allow[f->n_allow++] = real;
		if (strpbrk(real, ":\n"))
			return err_set(err, ERR_USAGE,
			               "tests cannot be allowed to write to %s: it has a colon or "
			               "a line break in its name",
			               real);
	}
	return 0;
}

int fence_find(struct fence *f, const struct fence_options *o, struct err *err)
{
	*f = (struct fence){ 0 };
	if (o->level == FENCE_NONE)
		return 0;
	if (resolve(f, o, err) < 0)
		return -1;
	if (o->kept && !o->given && o->kept_paths != f->n_allow)
		return err_set(
			err, ERR_USAGE,
			"paths to which tests may write: %u when the reduction was begun, %u now; "
			"name them with --allow-write",
			o->kept_paths, f->n_allow);
	unsigned asked = FENCE_TMP | FENCE_PROCESSES | (o->level == FENCE_FULL ? FENCE_NETWORK : 0);
	bool kept = o->kept && !o->given;
	if (kept)
		asked = parse(o->kept);
	unsigned have = available(f, asked);
	return kept ? choose_kept(f, have, o->kept, err) : choose(f, have, o, err);
}

void fence_release(struct fence *f)
{
	for (unsigned i = 0; i < f->n_allow; i++)
		free(f->allow[i]);
	f->n_allow = 0;
}

void fence_try(struct fence *f, const char *report)
{
	f->trial = report;
	f->landlock = 0;
	if (!(f->parts & FENCE_TMP))
		f->parts = 0;
}

/* ---- in words ---- */

static void join(unsigned set, const char *between, char *to, size_t size)
{
	size_t n = 0;
	*to = '\0';
	for (int i = 0; i < N_PARTS; i++)
		if ((set & parts[i].part) && n < size)
			n += (size_t)snprintf(to + n, size - n, "%s%s", n ? between : "",
			                      parts[i].name);
}

bool fence_lacks(const struct fence *f)
{
	return f->missing != NULL;
}

void fence_words(const struct fence *f, char words[FENCE_WORDS_SIZE])
{
	char names[FENCE_WORDS_SIZE / 2];
	join(f->parts, ", ", names, sizeof names);
	snprintf(words, FENCE_WORDS_SIZE, "%s%s%s%s%s", f->parts ? "fence: " : "no fence", names,
	         f->missing ? " (" : "", f->missing ? f->missing : "", f->missing ? ")" : "");
}

void fence_text(const struct fence *f, char text[FENCE_WORDS_SIZE])
{
	join(recorded(f->parts), "+", text, FENCE_WORDS_SIZE);
	if (!*text)
		snprintf(text, FENCE_WORDS_SIZE, "none");
}

char *fence_paths(const struct fence *f)
{
	struct buf text = { 0 };
	buf_add(&text, "", 0);
	for (unsigned i = 0; i < f->n_allow; i++)
		buf_addf(&text, "%s%s", i ? ":" : "", f->allow[i]);
	return text.data;
}

int fence_options_take(struct fence_options *o, const char *text, struct err *err)
{
	while (*text) {
		size_t len = strcspn(text, ":");
		if (allow(o, text, len, err) < 0)
			return -1;
		text += len + (text[len] == ':');
	}
	return 0;
}

/* ---- in a supervisor ---- */

/* The rules for the tests of the slot at PATH; -1 with errno. */
static int make_rules(const struct fence *f, const struct namespaces *n, const char *path)
{
	int rules = landlock_new(f->landlock, f->parts & FENCE_TCP), rc = rules < 0 ? -1 : 0;
	if (rc == 0)
		rc = landlock_allow(rules, f->landlock, path);
	for (unsigned i = 0; i < f->n_allow && rc == 0; i++) {
		rc = landlock_allow(rules, f->landlock, f->allow[i]);
		if (rc < 0 && f->guessed && errno == ENOENT)
			rc = 0;
	}
	for (unsigned i = 0; i < NAMESPACES_SHARED && rc == 0; i++)
		if (n->overlaid[i])
			rc = landlock_allow(rules, f->landlock, namespaces_shared(i));
	if (rc == 0) {
		landlock_allow_devices(rules, f->landlock);
		return rules;
	}
	int saved = errno;
	io_close(rules);
	errno = saved;
	return -1;
}

/* Rights of root that reach beyond any directory. They are not to be had again (no new privileges);
 * what root may do to files stays. */
static void drop_powers(void)
{
	static const int kept[] = { CAP_CHOWN,   CAP_DAC_OVERRIDE,     CAP_FOWNER,  CAP_FSETID,
		                    CAP_KILL,    CAP_SETGID,           CAP_SETUID,  CAP_SETPCAP,
		                    CAP_SETFCAP, CAP_NET_BIND_SERVICE, CAP_NET_RAW, CAP_SYS_CHROOT,
		                    CAP_IPC_LOCK };
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++) {
		bool keep = false;
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			keep = keep || kept[i] == cap;
		if (!keep)
			prctl(PR_CAPBSET_DROP, cap);
	}
}

static void renew_rules(struct fence_slot *slot)
{
	io_close(slot->rules);
	slot->rules = make_rules(slot->fence, &slot->spaces, slot->path);
	if (slot->rules < 0)
		slot->error = errno;
}

void fence_slot_enter(struct fence_slot *slot, const struct fence *fence,
                      const struct namespaces_slot *where)
{
	*slot = (struct fence_slot){ .fence = fence, .rules = -1, .path = where->path };
	if (!fence || !fence->parts)
		return;
	if (namespaces_enter(&slot->spaces, fence, where) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
		slot->error = errno;
		return;
	}
	drop_powers();
	if (fence->landlock)
		renew_rules(slot);
}

bool fence_slot_used(const struct fence_slot *slot)
{
	bool mounts = slot->fence && !slot->error && (slot->fence->parts & FENCE_MOUNTS);
	return mounts && namespaces_used(&slot->spaces);
}

void fence_slot_renew(struct fence_slot *slot)
{
	if (!slot->fence || slot->error || !(slot->fence->parts & FENCE_MOUNTS))
		return;
	int rc = namespaces_renew(&slot->spaces);
	if (rc < 0)
		slot->error = errno;
	else if (rc > 0 && slot->fence->landlock)
		renew_rules(slot);
}

void fence_slot_leave(const struct fence_slot *slot)
{
	namespaces_leave(&slot->spaces, slot->path);
}
