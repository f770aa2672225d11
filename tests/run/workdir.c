/* Where candidates are written: the choice of the place, what dead pools left, a full disk. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/sets.h"
#include "run/setup.h"
#include "fence/workdir.h"
#include "support.h"

static char *base; /* fresh for each test, removed after it */

static int make_base(void **state)
{
	(void)state;
	base = io_temporary_name("workdir");
	return mkdtemp(base) ? 0 : -1;
}

static int remove_base(void **state)
{
	(void)state;
	int rc = io_remove_tree(AT_FDCWD, base);
	free(base);
	return rc;
}

static char *make(const char *path)
{
	char *full = mem_printf("%s/%s", base, path);
	assert_int_equal(mkdir(full, 0700), 0);
	return full;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void init_here(struct workdir *dir)
{
	struct err err;
	if (workdir_init(dir, base, 1, 1, &err) < 0)
		fail_msg("%s", err.msg);
}

static void directory_is_private_and_goes(void **state)
{
	(void)state;
	struct workdir dir;
	struct stat st;
	init_here(&dir);
	assert_int_equal(stat(dir.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(strncmp(dir.path, base, strlen(base)), 0);
	workdir_release(&dir);
	assert_int_equal(support_count_entries(base), 0);
}

static void dead_ones_go_and_others_stay(void **state)
{
	(void)state;
	char *dead = make("whittle-DEADxx"), *slot = make("whittle-DEADxx/slot-0000"),
	     *inner = make("whittle-DEADxx/slot-0000/w0");
	char *persistent = make("whittle-LIVExx"), *user = make("whittle-backup"),
	     *users = make("whittle-backup/slot-0000");
	char *note = make("whittle-backup/notes"), *open_one = make("whittle-public");
	assert_int_equal(chmod(open_one, 0755), 0);
	int lock = open(persistent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_SH), 0);
	struct workdir dir;
	init_here(&dir);
	assert_false(exists(dead));
	assert_true(exists(persistent) && exists(users) && exists(note) && exists(open_one));
	workdir_release(&dir);
	close(lock);
	char *all[] = { dead, slot, inner, persistent, user, users, note, open_one };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* What a pool leaves when all of it is killed: the directory without its lock. */
static char *abandon(struct workdir *dir)
{
	char *path = mem_strdup(dir->path);
	close(dir->fd);
	free(dir->path);
	return path;
}

static void whatever_dead_ones_hold_goes(void **state)
{
	(void)state;
	struct workdir dir;
	struct err err;
	init_here(&dir);
	close(workdir_make_slot(&dir, 0, &err));
	static const char *const names[] = { "stray", ".hoisted-0", "slot-0000/d", "notes" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(mkdirat(dir.fd, names[i], 0), 0);
	assert_int_equal(symlinkat("/", dir.fd, "root"), 0);
	assert_int_equal(fchmod(dir.fd, 0), 0);
	char *dead = abandon(&dir);
	init_here(&dir);
	assert_false(exists(dead));
	assert_null(dir.left);
	workdir_release(&dir);
	free(dead);
}

/* An empty one may be somebody's, and so may one that is closed off. */
static void what_has_no_mark_stays(void **state)
{
	(void)state;
	struct workdir dir;
	struct stat st;
	char *empty = make("whittle-emptyy"), *closed = make("whittle-closed");
	assert_int_equal(chmod(closed, 0500), 0);
	init_here(&dir);
	assert_true(exists(empty) && exists(closed));
	assert_int_equal(stat(closed, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0500);
	workdir_release(&dir);
	free(empty);
	free(closed);
}

/* One that was made and never marked is nobody's after a day; one that holds something stays. */
static void what_was_forgotten_goes(void **state)
{
	(void)state;
	struct workdir dir;
	char *names[] = { make("whittle-killed"), make("whittle-public"), make("whittle-filled"),
		          make("whittle-filled/mine"), make("whittle-locked") };
	const struct timespec days_ago = { .tv_sec = time(NULL) - 2 * 24 * 60 * 60 };
	const struct timespec times[] = { days_ago, days_ago };
	assert_int_equal(chmod(names[1], 0755), 0);
	int lock = open(names[4], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_SH), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(utimensat(AT_FDCWD, names[i], times, 0), 0);
	init_here(&dir);
	assert_false(exists(names[0]));
	for (size_t i = 1; i < sizeof names / sizeof *names; i++)
		assert_true(exists(names[i]));
	workdir_release(&dir);
	close(lock);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		free(names[i]);
}

/* A umask that keeps the owner out: an error, and nothing is left. (Root is never kept out.) */
static void one_that_cannot_be_entered_goes(void **state)
{
	(void)state;
	enum { NOBODY = 65534 };
	struct workdir dir;
	struct err err;
	uid_t user = geteuid();
	assert_int_equal(chmod(base, 0777), 0);
	if (user == 0 && seteuid(NOBODY) < 0)
		skip();
	mode_t old = umask(0777);
	int rc = workdir_init(&dir, base, 1, 1, &err);
	umask(old);
	if (rc == 0)
		workdir_release(&dir);
	assert_int_equal(user ? 0 : seteuid(0), 0);
	assert_int_equal(rc, -1);
	assert_int_equal(support_count_entries(base), 0);
}

static void running_pools_leave_each_other_alone(void **state)
{
	(void)state;
	struct workdir a, b;
	init_here(&a);
	init_here(&b);
	assert_true(exists(a.path) && exists(b.path));
	workdir_release(&a);
	assert_true(exists(b.path));
	workdir_release(&b);
}

static void missing_base_is_an_error(void **state)
{
	(void)state;
	struct workdir dir;
	struct err err = { 0 };
	assert_int_equal(workdir_init(&dir, "/no/such/place", 1, 1, &err), -1);
	assert_int_equal(err.code, ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "/no/such/place"));
}

/* More than the memory file system can hold goes to $TMPDIR. */
static void room_decides(void **state)
{
	(void)state;
	struct workdir dir;
	struct err err;
	const char *old = getenv("TMPDIR");
	char *was = old ? mem_strdup(old) : NULL;
	setenv("TMPDIR", base, 1);
	assert_int_equal(workdir_init(&dir, NULL, 1, UINT64_MAX / 16, &err), 0);
	assert_int_equal(strncmp(dir.path, base, strlen(base)), 0);
	workdir_release(&dir);
	if (was)
		setenv("TMPDIR", was, 1);
	else
		unsetenv("TMPDIR");
	free(was);
}

static void fill_up_and_report(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
	    mount("none", base, "tmpfs", 0, "size=1m") < 0)
		_exit(77);
	const char *args[] = { "-c", "head -c 300000 /dev/zero >more && test -s crash.c", NULL };
	struct setup options = support_options("/bin/sh", args);
	options.work_dir = base;
	struct oracle *pool = support_pool(&options);
	char *big = mem_zero(2 << 20, 1);
	memset(big, 'x', (2 << 20) - 1);
	struct testcase *too_big = support_case("crash.c", big);
	big[600000] = '\0';
	struct testcase *fits_once = support_case("crash.c", big);
	struct err err = { 0 };
	for (int i = 0; i < 20; i++)
		assert_int_equal(support_ask(pool, fits_once).verdict, VERDICT_INTERESTING);
	assert_int_equal(support_submit(pool, too_big, 1, &err), -1);
	assert_non_null(strstr(err.msg, strerror(ENOSPC)));
	assert_int_equal(support_ask(pool, fits_once).verdict, VERDICT_INTERESTING);
	testcase_unref(too_big);
	testcase_unref(fits_once);
	free(big);
	oracle_free(pool);
	_exit(0);
}

/* The candidate and what the test writes fit into the disk once: each next one must wait until the
 * last is cleared away. */
static void full_disk_is_waited_for_and_reported(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (pid == 0)
		fill_up_and_report();
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* a file system of our own takes privileges */
	assert_int_equal(status, 0);
}

/* What a test that is being cancelled puts where the next candidate goes is not followed. */
static void nothing_is_written_through_links(void **state)
{
	(void)state;
	struct workdir dir;
	struct err err;
	init_here(&dir);
	char *out = make("out"), *to = mem_printf("%s/out", base);
	int slot = workdir_make_slot(&dir, 0, &err);
	struct testcase_file files[] = {
		{ .path = "sub/deep/f", .mode = 0644, .begin = 0, .end = 1 },
		{ .path = "sub/empty", .mode = S_IFDIR | 0755, .begin = 2, .end = 2 },
		{ .path = "sub/link", .mode = S_IFLNK | 0777, .begin = 3, .end = 4 },
	};
	uint8_t bytes[] = "x\0\0y";
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		struct testcase_file file = files[i];
		file.data = bytes + file.begin;
		assert_int_equal(symlinkat(to, slot, "sub"), 0);
		assert_int_equal(workdir_write_entry(slot, &file, 022), -1);
		assert_true(errno == ELOOP || errno == ENOTDIR);
		assert_int_equal(unlinkat(slot, "sub", 0), 0);
		assert_int_equal(workdir_write_entry(slot, &file, 022), 0);
		assert_int_equal(faccessat(slot, file.path, F_OK, AT_SYMLINK_NOFOLLOW), 0);
		assert_int_equal(io_remove_tree(slot, "sub"), 0);
	}
	static const char *const operands[] = { "sub/", NULL };
	assert_int_equal(symlinkat(to, slot, "sub"), 0);
	workdir_make_operands(slot, operands);
	assert_int_equal(support_count_entries(out), 0);
	close(slot);
	workdir_release(&dir);
	free(to);
	free(out);
}

/* Nor is it what a test finds as its standard input, and a supervisor waits for nobody's FIFO. */
static void candidates_are_files(void **state)
{
	(void)state;
	struct workdir dir;
	struct err err;
	struct sets sets;
	init_here(&dir);
	int slot = workdir_make_slot(&dir, 0, &err), here = open(".", O_RDONLY | O_CLOEXEC);
	assert_int_equal(fchdir(slot), 0);
	assert_int_equal(sets_init(&sets, SETUP_INPUT_ALL, false, false), 0);
	assert_int_equal(mkfifo("w0/f", 0600), 0);
	assert_int_equal(symlink("/etc/passwd", "w1/f"), 0);
	assert_int_equal(mkdir("w2/f", 0700), 0);
	for (unsigned g = 0; g < 3; g++)
		assert_int_equal(sets_open_candidate(&sets, g, "f"), -1);
	assert_int_equal(rmdir("w2/f"), 0);
	int made = open("w2/f", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int fd = sets_open_candidate(&sets, 2, "f");
	assert_true(made >= 0 && fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	close(made);
	close(fd);
	closedir(sets.dir);
	assert_int_equal(fchdir(here), 0);
	close(here);
	close(slot);
	workdir_release(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(directory_is_private_and_goes, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(dead_ones_go_and_others_stay, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(whatever_dead_ones_hold_goes, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(what_has_no_mark_stays, make_base, remove_base),
		cmocka_unit_test_setup_teardown(what_was_forgotten_goes, make_base, remove_base),
		cmocka_unit_test_setup_teardown(one_that_cannot_be_entered_goes, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(running_pools_leave_each_other_alone, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(missing_base_is_an_error, make_base, remove_base),
		cmocka_unit_test_setup_teardown(nothing_is_written_through_links, make_base,
		                                remove_base),
		cmocka_unit_test_setup_teardown(candidates_are_files, make_base, remove_base),
		cmocka_unit_test_setup_teardown(room_decides, make_base, remove_base),
		cmocka_unit_test_setup_teardown(full_disk_is_waited_for_and_reported, make_base,
		                                remove_base),
	};
	return cmocka_run_group_tests_name("run/workdir", tests, NULL, NULL);
}
