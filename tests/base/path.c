/* Foreign paths: what is refused, what is not, and what a terminal gets to see. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/show.h"

static void refused_paths(void **state)
{
	static const char *const paths[] = {
		"",
		"/",
		"/etc/passwd",
		"..",
		".",
		"a/../b",
		"a/./b",
		"a//b",
		"a/",
		"../a",
		"a/..",
		".git",
		".git/config",
		"a/.git/hooks/pre-push",
		".GIT",
		".gIt/config",
		".git ",
		".git.",
		".git. . ./config",
		".git               .....                                                   ",
		"git~1",
		"GIT~1/config",
		"git~1 ",
		".git::$INDEX_ALLOCATION/config",
		".git:stream",
		"git~1::$INDEX_ALLOCATION",
		".g\u200cit/config",
		"\ufeff.git",
		".git\u202e",
		".\u206agit",
		"a\\.git\\config",
		".git\\config",
		"a\\git~1",
	};
	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (!path_trouble(paths[i], 0))
			fail_msg("\"%s\" passes", paths[i]);
}

static void fine_paths(void **state)
{
	static const char *const paths[] = {
		"a",         "a/b/c.d",     "...",         "..a",
		"a..",       ".gitignore",  ".gitmodules", ".github/workflows",
		"git",       "git~2",       "x.git",       ".git-old",
		".git a",    "a.git/b",     "-dash",       "with space ",
		"g\u200cit", "back\\slash", "c:\\x",       "new\nline",
		"\xff\xfe",  "\xe2\x80",    ".gi\u0307t",
	};
	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (path_trouble(paths[i], 0))
			fail_msg("\"%s\" %s", paths[i], path_trouble(paths[i], 0));
}

static void modes(void **state)
{
	struct err err;
	(void)state;
	assert_null(path_trouble("a", S_IFLNK | 0777));
	assert_null(path_trouble("a", S_IFDIR | 0777));
	assert_non_null(path_trouble("a", S_IFCHR | 0666));
	assert_non_null(path_trouble("a", S_IFIFO | 0666));
	assert_non_null(path_trouble("a", S_IFMT)); /* a submodule */
	assert_non_null(path_trouble("a/.gitmodules", S_IFLNK));
	assert_non_null(path_trouble(".GITMODULES ", S_IFLNK));
	assert_non_null(path_trouble("GI7EBA~1", S_IFLNK));
	assert_int_equal(path_check("../\x1b[31mx", 0, "the snapshot", &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_true(path_is_below("a/b", "a"));
	assert_false(path_is_below("ab/c", "a"));
	assert_false(path_is_below("a", "a"));
}

/* TMPDIR decides, unless it is relative: it would mean another directory after each chdir. */
static void temporary_names(void **state)
{
	(void)state;
	const char *set[] = { NULL, "", "here", "/there" };
	const char *expected[] = { "/tmp", "/tmp", "/tmp", "/there" };
	char *was = getenv("TMPDIR") ? mem_strdup(getenv("TMPDIR")) : NULL;
	for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
		set[i] ? setenv("TMPDIR", set[i], 1) : unsetenv("TMPDIR");
		char *name = io_temporary_name("x"),
		     *wanted = mem_printf("%s/x-XXXXXX", expected[i]);
		assert_string_equal(name, wanted);
		free(name);
		free(wanted);
	}
	was ? setenv("TMPDIR", was, 1) : unsetenv("TMPDIR");
	free(was);
}

/* A directory with what leads out of it. */
static int setup(void **state)
{
	char *top = io_temporary_name("beneath");
	if (!mkdtemp(top) || chdir(top) < 0 || mkdir("in", 0700) < 0 || mkdir("out", 0700) < 0 ||
	    mkdir("in/sub", 0700) < 0 || symlink("../out", "in/link") < 0 ||
	    symlink("sub", "in/inner") < 0 || symlink("/etc/passwd", "in/sub/file") < 0)
		return -1;
	*state = top;
	return 0;
}

static int teardown(void **state)
{
	int rc = chdir("/") < 0 ? -1 : io_remove_tree(AT_FDCWD, *state);
	free(*state);
	return rc;
}

typedef int open_fn(int dir, const char *path, int flags, mode_t mode);

static void refuses(open_fn *opens, int dir, const char *path, int flags, int error, int other)
{
	int fd = opens(dir, path, flags, 0600);
	if (fd >= 0)
		fail_msg("%s was opened", path);
	if (errno != error && errno != other)
		fail_msg("%s: %s", path, strerror(errno));
}

static void opens_only_beneath(open_fn *opens)
{
	enum { NEW = O_WRONLY | O_CREAT | O_EXCL };
	int dir = open("in", O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(dir >= 0);
	refuses(opens, dir, "link/x", NEW, ELOOP, ENOTDIR);
	refuses(opens, dir, "inner/x", NEW, ELOOP, ENOTDIR);
	refuses(opens, dir, "sub/file", O_RDONLY, ELOOP, ELOOP);
	refuses(opens, dir, "sub/file", O_PATH, ELOOP, ELOOP);
	refuses(opens, dir, "../out/x", NEW, EXDEV, EXDEV);
	refuses(opens, dir, "sub/../../out/x", NEW, EXDEV, EXDEV);
	refuses(opens, dir, "missing/x", NEW, ENOENT, ENOENT);
	int fd = opens(dir, "sub/x", NEW, 0600);
	assert_true(fd >= 0);
	close(fd);
	fd = opens(dir, "sub/", O_PATH | O_DIRECTORY, 0);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(access("in/sub/x", F_OK), 0);
	assert_int_equal(access("out/x", F_OK), -1);
	assert_int_equal(unlink("in/sub/x"), 0);
	close(dir);
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (access("/proc/self", F_OK) == 0)
		refuses(opens, root, "proc/version", O_RDONLY, EXDEV, EXDEV);
	close(root);
}

static void beneath(void **state)
{
	(void)state;
	opens_only_beneath(beneath_open);
	assert_int_equal(beneath_check("in", "sub/x"), 0);
	assert_int_equal(beneath_check("in", "missing/x"), 0);
	assert_int_equal(beneath_check("in", "link/x"), -1);
	assert_int_equal(beneath_check("in", "link"), -1);
	assert_int_equal(beneath_check("in", "../out"), -1);
}

/* What a kernel without openat2 gets. */
static void beneath_by_parts(void **state)
{
	(void)state;
	opens_only_beneath(beneath_open_by_parts);
}

static void shown(void **state)
{
	static const char *const pairs[][2] = {
		{ "plain \xc3\xa9 \xe2\x82\xac\n\t", "plain \xc3\xa9 \xe2\x82\xac\n\t" },
		{ "\x1b[2J", "\\x1b[2J" },
		{ "a\rb\x7f\x07", "a\\x0db\\x7f\\x07" },
		{ "\xc2\x9b"
		  "31m",
		  "\\xc2\\x9b31m" },
		{ "\x9b"
		  "31m",
		  "\\x9b31m" },
		{ "\xe9t\xe9", "\xe9t\xe9" },
		{ "\xe2\x82", "\xe2\\x82" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *text = show_text(pairs[i][0]);
		assert_string_equal(text, pairs[i][1]);
		free(text);
	}
}

/* Contents are filtered on a terminal, and nowhere else. */
static void shown_on_a_terminal(void **state)
{
	char got[64] = "";
	(void)state;
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		skip();
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	FILE *out = slave < 0 ? NULL : fdopen(slave, "w"), *file = tmpfile();
	if (!out)
		skip();
	show_write(out, "\x1b]0;x\x07", 6);
	fflush(out);
	assert_true(read(master, got, sizeof got - 1) > 0);
	assert_string_equal(got, "\\x1b]0;x\\x07");
	show_write(file, "\x1b]0;x\x07", 6);
	rewind(file);
	memset(got, 0, sizeof got);
	assert_int_equal(fread(got, 1, sizeof got, file), 6);
	assert_string_equal(got, "\x1b]0;x\x07");
	fclose(file);
	fclose(out);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused_paths),
		cmocka_unit_test(fine_paths),
		cmocka_unit_test(modes),
		cmocka_unit_test(temporary_names),
		cmocka_unit_test_setup_teardown(beneath, setup, teardown),
		cmocka_unit_test_setup_teardown(beneath_by_parts, setup, teardown),
		cmocka_unit_test(shown),
		cmocka_unit_test(shown_on_a_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
