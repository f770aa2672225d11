#include "fence/namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"

/* Mounts that are taken aside while something is put over them, and put back on top of it. In a
 * mount namespace of one's own. */
enum { TREES_PATH = 4096 };

struct trees {
	struct tree_aside {
		char *path;
		int fd; /* a copy of what is mounted there, which is nowhere */
	} * list;
	unsigned n, cap;
};

/* System calls newer than the C library may be; the same numbers on all architectures. */
enum {
	CALL_OPEN_TREE = 428,
	CALL_MOVE_MOUNT = 429,
	CALL_CLONE3 = 435,
	CALL_MOUNT_SETATTR = 442,
};
enum { TREE_CLONE = 1, ATTR_READ_ONLY = 1, MOVE_FROM_ITSELF = 4, WHOLE_TREE = 0x8000 };

static int clone_at(const char *path, int flags)
{
	return (int)syscall(CALL_OPEN_TREE, AT_FDCWD, path, TREE_CLONE | O_CLOEXEC | flags);
}

/* A copy of all mounts below PATH, itself included, which is nowhere yet; -1 with errno. */
static int tree_take(const char *path)
{
	return clone_at(path, WHOLE_TREE);
}

static int take(struct trees *t, const char *path, int flags)
{
	int fd = clone_at(path, flags);
	if (fd < 0)
		return -1;
	MEM_PUSH(t->list, t->n, t->cap, (struct tree_aside){ mem_strdup(path), fd });
	return 0;
}

/* Adds a copy of all mounts below PATH, to be put there again. 0, or -1 with errno. */
static int trees_take(struct trees *t, const char *path)
{
	return take(t, path, WHOLE_TREE);
}

/* Whether PATH is DIR or lies below it, judged by their names. */
static bool mount_is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	return !strncmp(path, dir, n) && (!path[n] || path[n] == '/' || dir[n - 1] == '/');
}

static const char *behind_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : NULL;
}

/* Blanks, tabs, line ends and backslashes stand there as \040 and the like. */
static void unescape(char *place)
{
	char *to = place;
	for (const char *at = place; *at; to++) {
		unsigned octal;
		if (*at == '\\' && sscanf(at + 1, "%3o", &octal) == 1) {
			*to = (char)octal;
			at += 4;
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

/* The first line of MOUNTS that tells of one strictly below DIR, and in PLACE where it is; NULL:
 * there is none. */
static const char *mounts_below(const char *mounts, const char *dir, char place[TREES_PATH])
{
	for (const char *line = mounts; line && *line;) {
		if (sscanf(line, "%*d %*d %*s %*s %4095s", place) == 1) {
			unescape(place);
			if (mount_is_below(place, dir) && strcmp(place, dir) != 0)
				return line;
		}
		line = behind_line(line);
	}
	return NULL;
}

/* Likewise of each mount that lies strictly below DIR, as MOUNTS has them (/proc/self/mountinfo),
 * each by itself: what was put on top of one later is not taken with it. */
static int trees_take_below(struct trees *t, const char *dir, const char *mounts)
{
	char place[TREES_PATH];
	while ((mounts = mounts_below(mounts, dir, place))) {
		mounts = behind_line(mounts);
		if (take(t, place, 0) < 0 && errno != ENOENT)
			return -1; /* ENOENT: it is below another mount, where nobody sees it */
	}
	return 0;
}

/* Lets go of what has not been put back. */
static void trees_release(struct trees *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		close(t->list[i].fd);
		free(t->list[i].path);
	}
	free(t->list);
	*t = (struct trees){ 0 };
}

/* Puts all of them where they were, in the order in which they were taken. 0, or -1 with errno. */
static int trees_put(struct trees *t)
{
	int rc = 0;
	for (unsigned i = 0; i < t->n && rc == 0; i++)
		rc = (int)syscall(CALL_MOVE_MOUNT, t->list[i].fd, "", AT_FDCWD, t->list[i].path,
		                  MOVE_FROM_ITSELF);
	int saved = errno;
	trees_release(t);
	errno = saved;
	return rc;
}

/* The whole world as a copy: all real file systems under overlays in memory, so that a test may
 * write wherever it likes and nothing outside changes; afterwards the upper layers say what it
 * wrote. For one run, to find out what a fence has to allow.
 */

enum { DEEPEST = 8, FOREIGN_DEEPEST = 4, COVERS_MAX = 256, LINES_MAX = 1000 };

struct world {
	int room; /* a file system in memory: N/u and N/w for the N-th overlay */
	int report;
	unsigned lines;
	bool user;
	char *mounts; /* as in /proc/self/mountinfo */
	char *covered[COVERS_MAX];
	unsigned n;
};

/* ---- putting overlays ---- */

/* Those of the kernel, and those that a fence makes private itself. */
static bool is_left(const char *dir)
{
	static const char *const left[] = { "/proc",    "/sys", "/dev", "/run/lock",
		                            "/var/tmp", "/tmp", NULL };
	return mem_place_of(left, dir) >= 0;
}

/* In a user namespace a directory that belongs to others cannot be copied, and so nothing below it;
 * what is ours is looked for below it instead, not too far, and not where it is not. */
static bool is_own(const char *dir)
{
	struct stat st;
	return lstat(dir, &st) == 0 && st.st_uid == geteuid();
}

static bool is_of_system(const char *dir)
{
	static const char *const dirs[] = { "/usr",  "/bin", "/sbin", "/lib", "/lib32", "/lib64",
		                            "/boot", "/etc", "/snap", "/nix", NULL };
	return mem_place_of(dirs, dir) >= 0;
}

static bool cover(struct world *w, const char *dir)
{
	char options[256], name[32];
	struct stat st;
	IO_SCOPED int lower = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int len = snprintf(options, sizeof options,
	                   "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d/%u/u,"
	                   "workdir=/proc/self/fd/%d/%u/w",
	                   lower, w->room, w->n, w->room, w->n);
	if (w->user)
		snprintf(options + len, sizeof options - (size_t)len, ",userxattr");
	snprintf(name, sizeof name, "%u", w->n);
	bool ok = lower >= 0 && fstat(lower, &st) == 0 && mkdirat(w->room, name, 0700) == 0;
	snprintf(name, sizeof name, "%u/u", w->n);
	ok = ok && mkdirat(w->room, name, 0700) == 0 &&
	     fchmodat(w->room, name, st.st_mode & 07777, 0) == 0;
	snprintf(name, sizeof name, "%u/w", w->n);
	ok = ok && mkdirat(w->room, name, 0700) == 0 &&
	     mount("whittle", dir, "overlay", MS_NOSUID | MS_NODEV, options) == 0;
	w->covered[w->n++] = mem_strdup(dir);
	return ok;
}

/* Covers DIR; where things are mounted below it, the directories in it instead. What cannot be
 * covered stays as it is, and read-only. */
static void cover_all(struct world *w, const char *dir, int depth)
{
	if (is_left(dir) || depth > DEEPEST || w->n == COVERS_MAX)
		return;
	bool foreign = w->user && !is_own(dir);
	if (foreign && (depth > FOREIGN_DEEPEST || is_of_system(dir)))
		return;
	char place[TREES_PATH];
	if (dir[1] && !foreign && !mounts_below(w->mounts, dir, place)) {
		cover(w, dir);
		return;
	}
	IO_SCOPED_DIR DIR *list = opendir(dir);
	for (struct dirent *e; list && (e = readdir(list));) {
		struct stat st;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(dirfd(list), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		MEM_SCOPED char *path = mem_printf("%s/%s", dir[1] ? dir : "", e->d_name);
		cover_all(w, path, depth + 1);
	}
}

/* In a mount namespace of its own: puts overlays over all directories that are neither the kernel's
 * nor shared by all (namespaces.h). AT is a directory that is covered afterwards by somebody else.
 * USER: this is a user namespace. NULL with errno. */
static struct world *world_put(const char *at, bool user)
{
	struct world *w = mem_zero(1, sizeof *w);
	struct buf mounts = { 0 };
	*w = (struct world){ .user = user, .room = -1, .report = -1 };
	if (io_read_file("/proc/self/mountinfo", &mounts, NULL) == 0 &&
	    mount("whittle", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=25%,mode=0755") == 0)
		w->room = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->mounts = mounts.data;
	if (w->room < 0)
		return NULL; /* the process ends */
	cover_all(w, "/", 0);
	return w;
}

/* ---- what was written ---- */

static void report_one(struct world *w, const char *path)
{
	MEM_SCOPED char *line = mem_printf("%s\n", path);
	if (w->lines++ < LINES_MAX && !strchr(path, '\n'))
		(void)io_write_all(w->report, line, strlen(line));
}

/* What lies in the directory FD of an upper layer, which is PATH outside: directories on the way to
 * something are there, too, so of these only the empty ones count. */
static void report_below(struct world *w, int fd, const char *path, int depth)
{
	DIR *list = fdopendir(fd);
	unsigned n = 0;
	if (!list) {
		close(fd);
		return;
	}
	for (struct dirent *e; (e = readdir(list));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		MEM_SCOPED char *inner = mem_printf("%s/%s", path, e->d_name);
		int in = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		n++;
		if (in < 0 || depth == 0)
			report_one(w, inner);
		else
			report_below(w, in, inner, depth - 1);
	}
	closedir(list);
	if (!n)
		report_one(w, path);
}

/* Adds to FILE, a line each, the paths of what was written, made or removed. */
static void world_report(struct world *w, const char *file)
{
	enum { DEEP = 100 };
	w->report = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
	for (unsigned i = 0; i < w->n; i++) {
		char name[32];
		snprintf(name, sizeof name, "%u/u", i);
		int fd = openat(w->room, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		DIR *list = fd < 0 ? NULL : fdopendir(dup(fd));
		unsigned entries = 0;
		while (list && readdir(list))
			entries++;
		if (list)
			closedir(list);
		if (entries > 2) {
			lseek(fd, 0, SEEK_SET);
			report_below(w, fd, w->covered[i], DEEP);
		} else if (fd >= 0) {
			close(fd);
		}
	}
	io_close(w->report);
}

struct clone3_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

struct attr {
	uint64_t set, clear, propagation, userns;
};

static const char *const shared[NAMESPACES_SHARED] = { "/tmp", "/var/tmp", "/dev/shm" };

const char *namespaces_shared(unsigned i)
{
	return shared[i];
}

static uint64_t flags_of(const struct fence *f)
{
	uint64_t flags = 0;
	if (f->parts & FENCE_MOUNTS)
		flags |= CLONE_NEWNS | CLONE_NEWIPC;
	if (f->parts & FENCE_PROCESSES)
		flags |= CLONE_NEWPID;
	if (f->parts & FENCE_NETWORK)
		flags |= CLONE_NEWNET;
	return flags && f->user ? flags | CLONE_NEWUSER : flags;
}

pid_t namespaces_fork(const struct fence *fence)
{
	struct clone3_args args = { .flags = fence ? flags_of(fence) : 0, .exit_signal = SIGCHLD };
	return args.flags ? (pid_t)syscall(CALL_CLONE3, &args, sizeof args) : fork();
}

/* ---- who we are ---- */

static int write_text(const char *file, const char *text)
{
	IO_SCOPED int fd = open(file, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -1 : io_write_all(fd, text, strlen(text));
}

/* The same user and group as outside. */
static int map_ids(const struct fence *f)
{
	char map[64];
	write_text("/proc/self/setgroups", "deny"); /* not there before Linux 3.19 */
	snprintf(map, sizeof map, "%u %u 1", (unsigned)f->uid, (unsigned)f->uid);
	if (write_text("/proc/self/uid_map", map) < 0)
		return -1;
	snprintf(map, sizeof map, "%u %u 1", (unsigned)f->gid, (unsigned)f->gid);
	return write_text("/proc/self/gid_map", map);
}

/* ---- the network ---- */

static int raise_loopback(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	IO_SCOPED int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -1;
	int rc = ioctl(sock, SIOCGIFFLAGS, &lo);
	lo.ifr_flags |= IFF_UP;
	if (rc == 0)
		rc = ioctl(sock, SIOCSIFFLAGS, &lo);
	return rc;
}

/* ---- mounts ---- */

static int all_read_only(void)
{
	const struct attr attr = { .set = ATTR_READ_ONLY };
	return (int)syscall(CALL_MOUNT_SETATTR, AT_FDCWD, "/", WHOLE_TREE, &attr, sizeof attr);
}

/* Whether tests may write to the whole of DIR itself. */
static bool allowed(const struct fence *f, const char *dir)
{
	for (unsigned i = 0; i < f->n_allow; i++)
		if (mount_is_below(dir, f->allow[i]))
			return true;
	return false;
}

/* Opens the shared directories that are to be private. One that is a link to another is none. */
static void choose_shared(struct namespaces *n)
{
	for (unsigned i = 0; i < NAMESPACES_SHARED; i++) {
		struct stat st;
		n->lower[i] = -1;
		if ((n->fence->parts & FENCE_TMP) && lstat(shared[i], &st) == 0 &&
		    S_ISDIR(st.st_mode) && !allowed(n->fence, shared[i]))
			n->lower[i] = open(shared[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		n->overlaid[i] = n->lower[i] >= 0;
	}
}

/* The first of them, over which the room for what is written is mounted: below its overlay it is in
 * nobody's way. */
static int first_shared(const struct namespaces *n)
{
	for (int i = 0; i < NAMESPACES_SHARED; i++)
		if (n->overlaid[i])
			return i;
	return -1;
}

static int make_room(struct namespaces *n)
{
	const char *at = shared[first_shared(n)];
	char options[64] = "size=25%,mode=0755";
	if (n->size)
		snprintf(options, sizeof options, "size=%llu,mode=0755",
		         (unsigned long long)n->size);
	if (mount("whittle", at, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
		return -1;
	n->room = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return n->room < 0 ? -1 : 0;
}

/* Directories of the room for the i-th shared one, which has the same mode. */
static int furnish(struct namespaces *n, unsigned i)
{
	char upper[16], work[16];
	struct stat st;
	snprintf(upper, sizeof upper, "u%u", i);
	snprintf(work, sizeof work, "w%u", i);
	if (mkdirat(n->room, upper, 0700) < 0 || mkdirat(n->room, work, 0700) < 0 ||
	    fstat(n->lower[i], &st) < 0)
		return -1;
	return fchmodat(n->room, upper, st.st_mode & 07777, 0);
}

static int overlay(struct namespaces *n, unsigned i)
{
	enum { FLAGS = MS_NOSUID | MS_NODEV };
	char options[256];
	if (furnish(n, i) < 0)
		return -1;
	int len = snprintf(options, sizeof options,
	                   "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d/u%u,"
	                   "workdir=/proc/self/fd/%d/w%u",
	                   n->lower[i], n->room, i, n->room, i);
	if (!n->fence->user)
		return mount("whittle", shared[i], "overlay", FLAGS, options);
	snprintf(options + len, sizeof options - (size_t)len, ",userxattr");
	int rc = mount("whittle", shared[i], "overlay", FLAGS, options);
	return rc;
}

static uint64_t inodes_used(const struct namespaces *n)
{
	struct statfs fs;
	return fstatfs(n->room, &fs) < 0 ? UINT64_MAX : fs.f_files - fs.f_ffree;
}

static void upper_stat(const struct namespaces *n, unsigned i, struct stat *st)
{
	char upper[16];
	*st = (struct stat){ 0 };
	snprintf(upper, sizeof upper, "u%u", i);
	fstatat(n->room, upper, st, AT_SYMLINK_NOFOLLOW);
}

/* Puts the overlays over the shared directories. */
static int put_overlays(struct namespaces *n)
{
	n->room = -1;
	if (first_shared(n) < 0)
		return 0;
	if (make_room(n) < 0)
		return -1;
	for (unsigned i = 0; i < NAMESPACES_SHARED; i++)
		if (n->overlaid[i] && overlay(n, i) < 0)
			return -1;
	for (unsigned i = 0; i < NAMESPACES_SHARED; i++)
		upper_stat(n, i, &n->upper[i]);
	n->inodes = inodes_used(n);
	return 0;
}

/* Takes copies of what stays writable, while it is: the allowed places, then the slot's directory.
 */
static int take_writable(struct trees *t, const struct fence *f, const char *path)
{
	for (unsigned i = 0; i < f->n_allow; i++)
		if (f->allow[i][1] /* else all is */ && trees_take(t, f->allow[i]) < 0 &&
		    !(f->guessed && errno == ENOENT))
			return -1;
	return path ? trees_take(t, path) : 0;
}

/* Takes copies of what is mounted below the shared directories, which their overlays do not show;
 * the first time read-only, as they are then. */
static int take_hidden(struct namespaces *n, struct trees *t)
{
	for (unsigned i = 0; i < NAMESPACES_SHARED; i++)
		if (n->overlaid[i] && trees_take_below(t, shared[i], n->mounts) < 0)
			return -1;
	return 0;
}

/* Terminals of their own; without, they are those outside. */
static void put_terminals(void)
{
	(void)mount("whittle", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
	            "newinstance,ptmxmode=0666,mode=0620");
}

/* A /proc that shows the new processes, and nobody can write to; *writable is one for us, which is
 * nowhere. */
static int put_proc(int *writable)
{
	enum { FLAGS = MS_NOSUID | MS_NODEV | MS_NOEXEC };
	if (mount("proc", "/proc", "proc", FLAGS, NULL) < 0)
		return -1;
	*writable = tree_take("/proc");
	return mount(NULL, "/proc", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | FLAGS, NULL);
}

static unsigned read_number(int fd)
{
	char text[32];
	ssize_t len = pread(fd, text, sizeof text - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	return (unsigned)strtoul(text, NULL, 10);
}

/* Makes the next process's number the first of ours, if the last one was not ours. */
static void keep_in_range(const struct namespaces *n)
{
	unsigned last = n->numbers < 0 ? n->first : read_number(n->numbers);
	char text[32];
	if (last >= n->first && last < n->past)
		return;
	int len = snprintf(text, sizeof text, "%u", n->first);
	(void)!pwrite(n->numbers, text, (size_t)len, 0);
}

/* PROC is the /proc that can be written to, or -1. */
static void choose_range(struct namespaces *n, int proc, const struct namespaces_slot *slot)
{
	enum { RESERVED = 300 };
	IO_SCOPED int max = openat(proc, "sys/kernel/pid_max", O_RDONLY | O_CLOEXEC);
	unsigned room = max < 0 ? 0 : read_number(max), share;
	n->numbers = openat(proc, "sys/kernel/ns_last_pid", O_RDWR | O_CLOEXEC);
	share = slot->of && room > RESERVED ? (room - RESERVED) / slot->of : 0;
	n->first = RESERVED + slot->index * share;
	n->past = n->first + share * 3 / 4; /* a test that begins there begins anew next time */
	if (share)
		keep_in_range(n);
	io_close(proc);
}

/* On trial everything can be written to, as a copy. */
static int put_world(struct namespaces *n, const struct namespaces_slot *slot)
{
	if (!n->fence->trial || !slot->path)
		return 0;
	n->world = world_put(slot->path, n->fence->user);
	return n->world ? 0 : -1;
}

static int read_mounts(struct namespaces *n)
{
	struct buf mounts = { 0 };
	if (io_read_file("/proc/self/mountinfo", &mounts, NULL) < 0)
		return -1;
	buf_addch(&mounts, '\0');
	n->mounts = mounts.data;
	return 0;
}

static int put_mounts(struct namespaces *n, const struct namespaces_slot *slot)
{
	struct trees writable = { 0 }, hidden = { 0 };
	int proc = -1;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || read_mounts(n) < 0 ||
	    take_writable(&writable, n->fence, slot->path) < 0)
		return -1;
	choose_shared(n);
	if ((!allowed(n->fence, "/") && all_read_only() < 0) || put_world(n, slot) < 0 ||
	    take_hidden(n, &hidden) < 0 || put_overlays(n) < 0 || trees_put(&hidden) < 0 ||
	    trees_put(&writable) < 0)
		return -1;
	put_terminals();
	if (!(n->fence->parts & FENCE_PROCESSES))
		return 0;
	int rc = put_proc(&proc);
	choose_range(n, proc, slot);
	return rc;
}

/* ---- all of it ---- */

int namespaces_enter(struct namespaces *n, const struct fence *f,
                     const struct namespaces_slot *slot)
{
	*n = (struct namespaces){
		.fence = f, .path = slot->path, .size = slot->room, .room = -1, .numbers = -1
	};
	if (!flags_of(f))
		return 0;
	if (f->user && map_ids(f) < 0)
		return -1;
	if ((f->parts & FENCE_MOUNTS) && put_mounts(n, slot) < 0)
		return -1;
	if ((f->parts & FENCE_NETWORK) && raise_loopback() < 0)
		return -1;
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* what we hold open is not for tests */
	return slot->path ? chdir(slot->path) : 0;
}

static bool same_mode(const struct stat *a, const struct stat *b)
{
	return a->st_mode == b->st_mode && a->st_uid == b->st_uid && a->st_gid == b->st_gid;
}

/* Each change makes an entry in the room, but one of the shared directory's own mode. */
static bool is_changed(const struct namespaces *n)
{
	struct stat st;
	if (inodes_used(n) != n->inodes)
		return true;
	for (unsigned i = 0; i < NAMESPACES_SHARED; i++) {
		upper_stat(n, i, &st);
		if (!same_mode(&st, &n->upper[i]))
			return true;
	}
	return false;
}

/* Takes the overlays away, and with them what is mounted on them. */
static int drop_overlays(struct namespaces *n)
{
	for (int i = NAMESPACES_SHARED - 1; i >= 0; i--)
		if (n->overlaid[i] && umount2(shared[i], MNT_DETACH) < 0)
			return -1;
	close(n->room);
	return umount2(shared[first_shared(n)], MNT_DETACH);
}

bool namespaces_used(const struct namespaces *n)
{
	return n->room >= 0 && is_changed(n);
}

int namespaces_renew(struct namespaces *n)
{
	struct trees hidden = { 0 }, writable = { 0 };
	keep_in_range(n);
	if (n->room < 0 || !is_changed(n))
		return 0;
	if (take_hidden(n, &hidden) < 0 || take_writable(&writable, n->fence, n->path) < 0 ||
	    drop_overlays(n) < 0 || put_overlays(n) < 0 || trees_put(&hidden) < 0 ||
	    trees_put(&writable) < 0 || chdir(n->path) < 0)
		return -1;
	return 1;
}

void namespaces_leave(const struct namespaces *n, const char *path)
{
	if (n->world)
		world_report(n->world, n->fence->trial);
	if (n->fence && (n->fence->parts & FENCE_MOUNTS))
		umount2(path, MNT_DETACH);
}

/* Whether the namespaces of PARTS can be entered. */
static bool works(const struct fence *f, unsigned parts)
{
	const struct namespaces_slot nowhere = { 0 };
	struct fence try = *f;
	struct namespaces n;
	int status = -1;
	try.parts = parts;
	pid_t pid = namespaces_fork(&try);
	if (pid == 0)
		_exit(namespaces_enter(&n, &try, &nowhere) < 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && status == 0;
}

unsigned namespaces_probe(const struct fence *f, unsigned parts)
{
	/* From the strongest to the weakest. A new /proc is not to be had in some containers; an
	 * overlay is not for an ordinary user below whose /tmp something is mounted. */
	enum { T = FENCE_TMP, P = FENCE_PROCESSES, N = FENCE_NETWORK };
	static const unsigned sets[] = { T | P | N, T | N, T | P, T, P | N, P };
	/* Twice: what fails once, by chance, would make the fence weaker and other options of it.
	 */
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (!(sets[i] & ~parts) && (works(f, sets[i]) || works(f, sets[i])))
			return sets[i];
	return 0;
}
