/* io_remove_tree against what a hostile test leaves behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	char top[] = "/tmp/remove-XXXXXX";
	assert_non_null(mkdtemp(top));
	if (geteuid() == 0)
		assert_int_equal(chown(top, NOBODY, NOBODY), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if ((geteuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)) ||
		    chdir(top) < 0 || mkdir("x", 0700) < 0 || chdir("x") < 0)
			_exit(2);
		fill();
		int up = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)files, (rlim_t)files });
		int rc = io_remove_tree(up, "x");
		_exit(rc == 0 && faccessat(up, "x", F_OK, 0) < 0 ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(rmdir(top), 0);
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
	char top[] = "/tmp/remove-XXXXXX";
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deep_trees_need_no_stack_and_few_descriptors),
		cmocka_unit_test(forbidden_directories_go),
		cmocka_unit_test(odd_names_and_links_go),
		cmocka_unit_test(many_files_go),
		cmocka_unit_test(links_are_not_followed),
	};
	return cmocka_run_group_tests_name("run/remove", tests, NULL, NULL);
}
