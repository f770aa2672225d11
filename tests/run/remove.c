/* io_remove_tree against what a hostile test leaves behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"

enum { NOBODY = 65534, DEPTH = 5000 };

/* Each test works in a fresh directory that belongs to an ordinary user: root may do anything, so
 * that permissions would prove nothing. */
static int with_directory(void (*fill)(void), int files)
{
	char *top = io_temporary_name("remove");
	assert_non_null(mkdtemp(top));
	if (geteuid() == 0)
		assert_int_equal(chown(top, NOBODY, NOBODY), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (chdir(top) < 0 ||
		    (geteuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)) ||
		    mkdir("x", 0700) < 0 || chdir("x") < 0)
			_exit(2);
		free(top);
		int up = open("..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		fill();
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)files, (rlim_t)files });
		int rc = io_remove_tree(up, "x");
		_exit(rc == 0 && faccessat(up, "x", F_OK, 0) < 0 ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(rmdir(top), 0);
	free(top);
	return status;
}

static void check(int result)
{
	if (result < 0)
		_exit(3);
}

static void fill_deep(void)
{
	for (int i = 0; i < DEPTH; i++) {
		check(mkdir("d", 0700));
		check(mkdir("side", 0700));
		check(chdir("d"));
	}
}

static void deep_trees_need_no_stack_and_few_descriptors(void **state)
{
	(void)state;
	assert_int_equal(with_directory(fill_deep, 16), 0);
}

static void fill_forbidden(void)
{
	check(mkdir("a", 0700));
	check(mkdir("a/b", 0700));
	check(mkdir("a/b/c", 0700));
	check(close(open("a/b/c/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0)));
	check(chmod("a/b/c", 0));
	check(chmod("a/b", 0500));
	check(chmod("a", 0100));
	check(mkdir("unreadable", 0300));
	check(mkdir("unreadable/x", 0700));
	check(chmod(".", 0500));
}

static void forbidden_directories_go(void **state)
{
	(void)state;
	assert_int_equal(with_directory(fill_forbidden, 64), 0);
}

/* Names that the removal itself would like to use, and links that lead out. */
static void fill_odd(void)
{
	check(mkdir(".hoisted-0", 0700));
	check(mkdir(".hoisted-0/a", 0700));
	check(mkdir(".hoisted-0/a/b", 0700));
	check(close(open(".hoisted-1", O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
	check(mkdir(".hoisted-2", 0700));
	check(mkdir(".hoisted-2/a", 0700));
	check(mkdir(".hoisted-2/a/b", 0700));
	check(symlink("/tmp", "link"));
	check(symlink("nowhere", "dangling"));
	check(mkfifo("fifo", 0600));
}

static void odd_names_and_links_go(void **state)
{
	(void)state;
	assert_int_equal(with_directory(fill_odd, 64), 0);
}

static void fill_many(void)
{
	char name[32];
	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof name, "d%d", i % 50);
		if (i < 50)
			check(mkdir(name, 0700));
		snprintf(name, sizeof name, "d%d/%d", i % 50, i);
		check(close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
	}
}

static void many_files_go(void **state)
{
	(void)state;
	assert_int_equal(with_directory(fill_many, 64), 0);
}

static void links_are_not_followed(void **state)
{
	(void)state;
	char *top = io_temporary_name("remove");
	assert_non_null(mkdtemp(top));
	assert_int_equal(chdir(top), 0);
	assert_int_equal(mkdir("kept", 0700), 0);
	assert_int_equal(mkdir("kept/inner", 0700), 0);
	assert_int_equal(mkdir("gone", 0700), 0);
	assert_int_equal(symlink("../kept", "gone/link"), 0);
	assert_int_equal(symlink("kept", "toplink"), 0);
	assert_int_equal(io_remove_tree(AT_FDCWD, "gone"), 0);
	assert_int_equal(io_remove_tree(AT_FDCWD, "toplink"), 0);
	assert_int_equal(access("kept/inner", F_OK), 0);
	assert_int_equal(io_remove_tree(AT_FDCWD, "kept"), 0);
	assert_int_equal(io_remove_tree(AT_FDCWD, "missing"), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(top), 0);
	free(top);
}

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && io_write_all(fd, text, strlen(text)) == 0;
	if (fd >= 0)
		close(fd);
	return done;
}

/* As the root of a user namespace, for whom has no privileges. */
static bool enter_namespaces(void)
{
	char users[32], groups[32];
	snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
	snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
	if (geteuid() == 0)
		return unshare(CLONE_NEWNS) == 0;
	return unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0 && put("/proc/self/uid_map", users) &&
	       put("/proc/self/setgroups", "deny") && put("/proc/self/gid_map", groups);
}

/* In a mount namespace of its own; 77: none is to be had. Mounts name a type and data even where
 * none is needed: valgrind reads both. */
static int in_namespace(void (*play)(void))
{
	char *top = io_temporary_name("remove");
	assert_non_null(mkdtemp(top));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (!enter_namespaces() || mount("none", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
		    chdir(top) < 0)
			_exit(77);
		play();
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(io_remove_tree(AT_FDCWD, top), 0);
	free(top);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_file(const char *path)
{
	check(close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
}

static void require(bool fact, int line)
{
	if (!fact) {
		fprintf(stderr, "line %d\n", line);
		_exit(1);
	}
}
#define REQUIRE(fact) require(fact, __LINE__)

static void make_outside(void)
{
	check(mkdir("outside", 0755));
	check(mkdir("outside/sub", 0755));
	make_file("outside/sub/file");
}

static bool outside_is_whole(void)
{
	struct stat st;
	return access("outside/sub/file", F_OK) == 0 && stat("outside", &st) == 0 &&
	       (st.st_mode & 07777) == 0755;
}

static void play_mounts(void)
{
	make_outside();
	check(mkdir("x", 0700));
	check(mkdir("x/deep", 0700));
	check(mkdir("x/deep/m", 0700));
	make_file("x/f");
	if (mount("outside", "x/deep/m", "", MS_BIND, "") < 0)
		_exit(77);
	REQUIRE(io_remove_tree(AT_FDCWD, "x") == -1 && errno == EBUSY);
	REQUIRE(outside_is_whole());
	check(mount("outside/sub", "outside", "", MS_BIND, "")); /* and as the top itself */
	REQUIRE(io_remove_tree(AT_FDCWD, "outside") == -1 && errno == EBUSY);
	check(umount2("outside", MNT_DETACH));
	REQUIRE(outside_is_whole());
}

static void nothing_mounted_is_entered(void **state)
{
	(void)state;
	int status = in_namespace(play_mounts);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

static void play_own_mounts(void)
{
	make_outside();
	check(mkdir("x", 0700));
	check(mkdir("x/m", 0700));
	make_file("x/f");
	make_file("x/g");
	if (mount("outside", "x/m", "", MS_BIND | MS_REC, "") < 0)
		_exit(77);
	check(mount("none", "x/m", "tmpfs", 0, ""));
	check(mount("outside", "x/m", "", MS_BIND, ""));
	check(mount("x/g", "x/f", "", MS_BIND, ""));
	check(mount("none", "x", "tmpfs", 0, ""));
	make_file("x/f");
	REQUIRE(io_remove_ours(AT_FDCWD, "x") == 0);
	REQUIRE(access("x", F_OK) < 0);
	REQUIRE(outside_is_whole());
}

static void what_tests_mounted_is_unmounted(void **state)
{
	(void)state;
	int status = in_namespace(play_own_mounts);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

static void set_flag(const char *path, int flag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), flags = 0;
	check(fd);
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		_exit(77);
	flags |= flag;
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags) < 0)
		_exit(77);
	close(fd);
}

static void play_flags(void)
{
	check(mkdir("x", 0700));
	check(mkdir("x/d", 0700));
	check(mkdir("x/d/e", 0700));
	make_file("x/d/f");
	make_file("x/d/e/g");
	set_flag("x/d/f", FS_IMMUTABLE_FL);
	set_flag("x/d/e/g", FS_APPEND_FL);
	set_flag("x/d/e", FS_APPEND_FL);
	set_flag("x/d", FS_IMMUTABLE_FL);
	set_flag("x", FS_IMMUTABLE_FL);
	REQUIRE(io_remove_tree(AT_FDCWD, "x") == -1 && errno == EPERM);
	REQUIRE(access("x/d/f", F_OK) == 0);
	REQUIRE(io_remove_ours(AT_FDCWD, "x") == 0);
	REQUIRE(access("x", F_OK) < 0);
}

static void flags_are_cleared(void **state)
{
	(void)state;
	int status = in_namespace(play_flags);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deep_trees_need_no_stack_and_few_descriptors),
		cmocka_unit_test(forbidden_directories_go),
		cmocka_unit_test(odd_names_and_links_go),
		cmocka_unit_test(many_files_go),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(nothing_mounted_is_entered),
		cmocka_unit_test(what_tests_mounted_is_unmounted),
		cmocka_unit_test(flags_are_cleared),
	};
	return cmocka_run_group_tests_name("run/remove", tests, NULL, NULL);
}
