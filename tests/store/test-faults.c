/* Each fault by its name: it is hit, it is told, FILE stays what it was, and the same call without
 * the fault ends at the id of a run that never failed. Then the faults that need no name, because
 * they can be had for real. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "play.h"

/* Anyone may enter /tmp: one test runs as nobody, whom a TMPDIR of ours may keep out. */
static char top[] = "/tmp/whittle-faults-XXXXXX";
static char *file, *store, *hits;
static char tip[65];

static struct play small(void)
{
	return (struct play){
		.path = file, .name = "r", .store = store, .lines = 80, .steps = 150, .seed = 3
	};
}

static int start(void **state)
{
	(void)state;
	struct play p = small();
	io_remove_tree(AT_FDCWD, store);
	play_original(&p);
	return 0;
}

/* FILE is the original or one of the steps. */
static void assert_file_known(void)
{
	struct buf text = { 0 };
	struct err err;
	struct play p = small();
	bool known = false;
	assert_int_equal(io_read_file(file, &text, &err), 0);
	for (unsigned step = 0; step <= p.steps && !known; step++) {
		uint32_t len;
		char *want = play_text(&p, step, &len);
		known = len == text.len && !memcmp(want, text.data, len);
		free(want);
	}
	assert_true(known);
	buf_release(&text);
}

/* Without faults it goes on, or starts, and ends where it should. */
static void assert_recovers(void)
{
	struct play p = small();
	struct err err = { 0 };
	if (play_run(&p, &err) < 0 || p.failures)
		fail_msg("%s", err.msg);
	assert_string_equal(p.tip, tip);
}

static void assert_hit(const char *name)
{
	struct buf text = { 0 };
	struct err err = { 0 };
	if (io_read_file(hits, &text, &err) < 0)
		fail_msg("fault %s was never hit", name);
	assert_int_equal(strncmp(text.data, name, strlen(name)), 0);
	buf_release(&text);
	unlink(hits);
}

static void with_fault(const char *spec, const char *message)
{
	struct play p = small();
	struct err err = { 0 };
	char *name = mem_printf("%.*s", (int)strcspn(spec, ":"), spec);
	start(NULL);
	setenv("WHITTLE_FAULT", spec, 1);
	int rc = play_run(&p, &err);
	unsetenv("WHITTLE_FAULT");
	assert_hit(name);
	assert_true(rc < 0 || p.failures > 0);
	if (!strstr(err.msg, message))
		fail_msg("%s: \"%s\" does not say \"%s\"", spec, err.msg, message);
	assert_file_known();
	assert_recovers();
	free(name);
}

static void test_named(void **state)
{
	(void)state;
	static const struct {
		const char *place, *message;
	} edit_sites[] = {
		{ "journal-open", "cannot open journal" },
		{ "journal-write", "cannot write journal" },
		{ "journal-fsync", "to the disk" },
		{ "lock", "cannot open" },
		{ "pack-write", "cannot write a pack" },
		{ "pack-fsync", "to the disk" },
		{ "pack-keep", "cannot write" },
		{ "pack-rename", "cannot move a pack" },
		{ "ref-update", "cannot move refs/whittle/r" },
	};
	for (size_t i = 0; i < sizeof edit_sites / sizeof *edit_sites; i++) {
		char *spec = mem_printf("%s:%s", edit_sites[i].place, i % 2 ? "EIO" : "ENOSPC");
		with_fault(spec, edit_sites[i].message);
		free(spec);
	}
	with_fault("journal-write:short", "cannot write journal");
	with_fault("journal-write:short@100", "cannot write journal");
	with_fault("journal-fsync:EIO@2", "to the disk");
	with_fault("pack-write:ENOSPC@2", "No space left");
	with_fault("pack-rename:EIO@3", "cannot move a pack");
	with_fault("pack-rename:EIO@4", "cannot move a pack");
	with_fault("ref-update:EIO@2", "cannot move refs/whittle/r");
}

/* A fault that passes: the next flush has all of it, and nothing was lost in between. */
static void test_passing(void **state)
{
	(void)state;
	static const char *const specs[] = { "pack-write:ENOSPC@2!", "pack-rename:EIO@3!",
		                             "pack-rename:EIO@4!",   "ref-update:EIO@2!",
		                             "journal-fsync:EIO@2!", "pack-fsync:EIO@2!",
		                             "pack-keep:ENOSPC@2!" };
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct play p = small();
		struct err err = { 0 };
		char *name = mem_printf("%.*s", (int)strcspn(specs[i], ":"), specs[i]);
		start(NULL);
		setenv("WHITTLE_FAULT", specs[i], 1);
		assert_int_equal(play_run(&p, &err), 0);
		unsetenv("WHITTLE_FAULT");
		assert_hit(name);
		assert_int_equal(p.failures, 1);
		assert_string_equal(p.tip, tip);
		assert_recovers();
		free(name);
	}
}

/* Without git to merge packs, they stay. */
static void test_no_merge(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	setenv("WHITTLE_FAULT", "merge:ENOENT", 1);
	assert_int_equal(play_run(&p, &err), 0);
	unsetenv("WHITTLE_FAULT");
	assert_hit("merge");
	assert_int_equal(p.failures, 0);
	assert_string_equal(p.tip, tip);
}

static void test_ref_locked(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	p.stop_after = 10;
	assert_int_equal(play_run(&p, &err), 0);
	char *lock = mem_printf("%s/refs/whittle/r.lock", store);
	assert_int_equal(io_replace_file(lock, "", 0, 0644, &err), 0);
	p = small();
	assert_int_equal(play_run(&p, &err), 0);
	assert_true(p.failures > 0);
	assert_non_null(strstr(err.msg, "r.lock"));
	assert_file_known();
	unlink(lock);
	assert_recovers();
	free(lock);
}

static void cut_packs(void)
{
	char *dir = mem_printf("%s/objects/pack", store);
	unsigned cut = 0;
	DIR *d = opendir(dir);
	for (struct dirent *e; (e = readdir(d));) {
		char *path = mem_printf("%s/%s", dir, e->d_name);
		struct stat st;
		if (strstr(e->d_name, ".pack") && stat(path, &st) == 0 && chmod(path, 0600) == 0 &&
		    truncate(path, st.st_size / 2) == 0)
			cut++;
		free(path);
	}
	closedir(d);
	free(dir);
	assert_true(cut > 0);
}

/* The history is damaged: that is said, --fresh gets past it, keeps the ref, and has the verdicts
 * of the journal. */
static void test_pack_truncated(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	assert_int_equal(play_run(&p, &err), 0);
	cut_packs();
	p = small();
	assert_int_equal(play_run(&p, &err), -1);
	assert_non_null(strstr(err.msg, "damaged"));
	assert_non_null(strstr(err.msg, "--fresh"));
	assert_file_known();
	p = small();
	play_original(&p);
	p.fresh = true;
	assert_int_equal(play_run(&p, &err), 0);
	assert_int_equal(p.failures, 0);
	assert_int_equal(p.known, p.asked);
	assert_string_equal(p.tip, tip);
	char *old = mem_printf("%s/refs/whittle/r.1", store);
	assert_int_equal(access(old, F_OK), 0);
	free(old);
}

static void remove_store(void *ctx, unsigned step)
{
	(void)ctx;
	if (step == 100)
		io_remove_tree(AT_FDCWD, store);
}

static void test_repository_deleted(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	p.each = remove_store;
	assert_int_equal(play_run(&p, &err), 0);
	assert_true(p.failures > 0);
	if (!strstr(err.msg, "is gone"))
		fail_msg("%s", err.msg);
	assert_file_known();
	play_original(&p);
	assert_recovers();
}

/* In a child that is not root, whom permissions would not stop. */
static int play_unprivileged(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		struct play p = small();
		struct err err = { 0 };
		if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(3);
		int rc = play_run(&p, &err);
		bool clear = rc < 0 && err.code == ERR_SYSTEM &&
		             strstr(err.msg, "cannot keep snapshots");
		if (!clear)
			fprintf(stderr, "%s\n", err.msg);
		_exit(clear ? 0 : 1);
	}
	int status;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

static void test_read_only(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	p.stop_after = 10;
	p.name = "another";
	assert_int_equal(play_run(&p, &err), 0);
	play_original(&p);
	char *dir = mem_printf("%s/whittle", store);
	if (geteuid() == 0) {
		char *command = mem_printf("chown -R 65534:65534 %s && chmod 755 %s", top, top);
		assert_int_equal(system(command), 0);
		free(command);
	}
	assert_int_equal(chmod(dir, 0555), 0);
	assert_int_equal(play_unprivileged(), 0);
	chmod(dir, 0755);
	if (geteuid() == 0) {
		char *command = mem_printf("chown -R 0:0 %s", top);
		assert_int_equal(system(command), 0);
		free(command);
	}
	free(dir);
	assert_file_known();
	assert_recovers();
}

/* A real failure of write(2) inside libgit2: files may not grow beyond some size. */
static void test_file_too_large(void **state)
{
	(void)state;
	struct play p = small();
	struct err err = { 0 };
	p.lines = 3000;
	play_original(&p);
	pid_t pid = fork();
	if (pid == 0) {
		struct rlimit limit = { 6000, 6000 };
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(play_run(&p, &err) < 0 && strstr(err.msg, "cannot write a pack") ? 0 : 1);
	}
	int status;
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	p.stop_after = 10;
	assert_int_equal(play_run(&p, &err), 0);
	assert_int_equal(p.state, STORE_NEW);
	assert_int_equal(p.failures, 0);
}

static int make_top(void **state)
{
	struct err err = { 0 };
	if (!mkdtemp(top))
		return -1;
	file = mem_printf("%s/crash.c", top);
	store = mem_printf("%s/store", top);
	hits = mem_printf("%s/hits", top);
	setenv("WHITTLE_FAULT_HITS", hits, 1);
	setenv("HOME", top, 1);
	start(state);
	struct play p = small();
	if (play_run(&p, &err) < 0 || p.failures)
		return -1;
	strcpy(tip, p.tip);
	return 0;
}

static int remove_top(void **state)
{
	(void)state;
	free(file);
	free(store);
	free(hits);
	return io_remove_tree(AT_FDCWD, top);
}

#define TEST(f) cmocka_unit_test_setup(f, start)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_named),      TEST(test_passing),        TEST(test_no_merge),
		TEST(test_ref_locked), TEST(test_pack_truncated), TEST(test_repository_deleted),
		TEST(test_read_only),  TEST(test_file_too_large),
	};
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
