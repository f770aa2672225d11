/* The store as the reducer uses it: begin, stop, go on, finish; the same ids whatever happens in
 * between. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/rng.h"
#include "play.h"
#include "store/git.h"
#include "store/history.h"
#include "store/objects.h"
#include "text/testcase.h"

#define FIXED_TIP "de7941068594de3b92bc58d0f54c52c371694b4e"

static char *top, *file, *store;

static struct play small(void)
{
	return (struct play){
		.path = file, .name = "r", .store = store, .lines = 100, .steps = 30, .seed = 7
	};
}

/* An empty repository and the original. */
static int start(void **state)
{
	(void)state;
	struct play p = small();
	io_remove_tree(AT_FDCWD, store);
	play_original(&p);
	return 0;
}

static struct play play(struct play p)
{
	struct err err = { 0 };
	if (play_run(&p, &err) < 0 || p.failures)
		fail_msg("%s", err.msg);
	return p;
}

static const char *plain_tip(void)
{
	static char tip[65];
	start(NULL);
	strcpy(tip, play(small()).tip);
	start(NULL);
	return tip;
}

static void test_whole(void **state)
{
	(void)state;
	struct play p = play(small());
	assert_int_equal(p.state, STORE_NEW);
	assert_int_equal(p.known, 0);
	assert_int_equal(strlen(p.tip), 40);
	p = play(small());
	assert_int_equal(p.state, STORE_FINISHED);
	assert_int_equal(p.known, p.asked);
}

/* Ids are reproducible: this one changes only when the format of snapshots does, which needs a note
 * in NEWS.md. */
static void test_fixed_id(void **state)
{
	(void)state;
	assert_string_equal(plain_tip(), FIXED_TIP);
}

/* Stopped before any step, cleanly or not, it ends at the same id, and asks nothing twice. */
static void stop_everywhere(bool pause)
{
	const char *tip = plain_tip();
	for (unsigned stop = 1; stop < 30; stop += 4) {
		start(NULL);
		struct play p = small();
		p.stop_after = stop;
		p.pause = pause;
		p = play(p);
		unsigned asked = p.asked;
		p = play(small());
		assert_int_equal(p.state, STORE_UNFINISHED);
		assert_int_equal(p.known, asked - 1); /* a success is a verdict about other bytes
		                                         than the question of a stop */
		assert_string_equal(p.tip, tip);
		assert_string_equal(p.notices, "");
	}
}

static void test_stop(void **state)
{
	(void)state;
	stop_everywhere(false);
}

static void test_pause(void **state)
{
	(void)state;
	stop_everywhere(true);
}

/* What overrules a verdict is kept once, however often the reduction stops; so it is where the
 * journal is lost. It was there twice as often after each pause. */
static void test_overruled_once(void **state)
{
	(void)state;
	start(NULL);
	struct play p = small();
	p.stop_after = 5;
	p.pause = p.overrules = true;
	play(p);
	p.overrules = false;
	for (int i = 0; i < 4; i++)
		assert_int_equal(play(p).others, 2); /* in the journal, and in the pause's commit */
	MEM_SCOPED char *journal = mem_printf("%s/whittle/r/journal", store);
	assert_int_equal(unlink(journal), 0);
	assert_int_equal(play(p).others, 2);
	assert_int_equal(play(p).others, 2);
}

static void die_at(void *ctx, unsigned step)
{
	if (step == *(unsigned *)ctx)
		raise(SIGKILL);
}

/* Killed at random steps again and again, with the pauses of some in between. */
static void test_kill(void **state)
{
	(void)state;
	const char *tip = plain_tip();
	struct rng rng = { 42 };
	for (int i = 0; i < 20; i++) {
		unsigned at = 1 + (unsigned)rng_below(&rng, 29);
		pid_t pid = fork();
		if (pid == 0) {
			struct play p = small();
			struct err err = { 0 };
			p.each = die_at;
			p.ctx = &at;
			p.lines = 100;
			play_run(&p, &err);
			_exit(1);
		}
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		if (i % 5 == 4) {
			struct play p = small();
			p.stop_after = at;
			p.pause = true;
			assert_int_equal(play(p).state, STORE_UNFINISHED);
		}
	}
	struct play p = play(small());
	assert_int_equal(p.state, STORE_UNFINISHED);
	assert_string_equal(p.tip, tip);
}

static unsigned count_steps(const char *name)
{
	struct reduction r;
	struct err err;
	unsigned n = 0;
	if (reduction_open(&r, top, store, name, &err) == 0)
		n = (unsigned)r.chain.n;
	reduction_close(&r);
	return n;
}

/* What changed is said, with the commands that go on; --fresh keeps the old one. */
static void test_changed_options(void **state)
{
	(void)state;
	struct err err;
	struct play p = small();
	p.stop_after = 10;
	play(p);
	p.options = "jobs-do-not-matter=no\nnew=1\n";
	assert_int_equal(play_run(&p, &err), -1);
	assert_int_equal(p.state, STORE_CHANGED);
	assert_non_null(strstr(p.why, "was jobs-do-not-matter=yes, is jobs-do-not-matter=no"));
	assert_non_null(strstr(p.why, "new: new=1"));
	assert_non_null(strstr(p.why, "--fresh"));
	char *command = quote_command("resume", NULL, store, "r");
	assert_non_null(strstr(p.why, command));
	free(command);
}

/* What another version began it alone can resume; what is left can begin another reduction. No list
 * of options that it did not know is of help. */
static void test_other_version(void **state)
{
	(void)state;
	struct err err;
	struct play p = small();
	p.stop_after = 10;
	p.options = "format=6\npasses=some,others\n";
	play(p);
	p.options = "format=7\npasses=some\n";
	assert_int_equal(play_run(&p, &err), -1);
	assert_int_equal(p.state, STORE_OLDER);
	assert_non_null(strstr(p.why, "another version of whittle began it (format 6, not 7)\n"));
	assert_null(strstr(p.why, "passes"));
	assert_null(strstr(p.why, "whittle resume"));
	assert_non_null(strstr(p.why, "to start over from the original"));
	assert_int_equal(io_replace_file(p.path, "foreign\n", 8, 0644, &err), 0);
	assert_int_equal(play_run(&p, &err), -1);
	assert_int_equal(p.state, STORE_CHANGED);
}

static void test_changed_file(void **state)
{
	(void)state;
	struct err err;
	struct play p = small();
	p.stop_after = 10;
	play(p);
	assert_int_equal(io_replace_file(file, "other\n", 6, 0644, &err), 0);
	assert_int_equal(play_run(&p, &err), -1);
	assert_int_equal(p.state, STORE_CHANGED);
	assert_non_null(strstr(p.why, "neither the original"));
}

static void test_fresh(void **state)
{
	(void)state;
	const char *tip = plain_tip();
	for (int i = 1; i <= 3; i++) {
		struct play p = small();
		play_original(&p);
		p.fresh = true;
		p = play(p);
		assert_int_equal(p.state, STORE_NEW);
		assert_int_equal(p.known, 0);
		assert_string_equal(p.tip, tip);
	}
	assert_int_equal(count_steps("r"), 32);
	assert_int_equal(count_steps("r.1"), 32);
	assert_int_equal(count_steps("r.2"), 32);
	assert_int_equal(count_steps("r.3"), 0);
}

/* The snapshot that was written to FILE last, but not committed, is known by its verdict. */
static void test_file_ahead_of_ref(void **state)
{
	(void)state;
	struct play p = small();
	p.stop_after = 17;
	play(p);
	assert_int_equal(count_steps("r"), 1); /* nothing flushed but the original */
	assert_int_equal(play(small()).state, STORE_UNFINISHED);
}

static void test_divergence(void **state)
{
	(void)state;
	const char *tip = plain_tip();
	play(small());
	struct play p = small();
	p.twist = 12;
	p = play(p);
	assert_non_null(strstr(p.notices, "step 12 differs from the last time"));
	assert_non_null(strstr(p.notices, "'r.1'"));
	assert_string_not_equal(p.tip, tip);
	assert_int_equal(count_steps("r"), 32);
	assert_int_equal(count_steps("r.1"), 32);
	/* Back again: the steps before the twist are shared, and the id is the first one. */
	struct err err;
	play_original(&p);
	p = small();
	assert_int_equal(play_run(&p, &err), 0);
	assert_string_equal(p.tip, tip);
	assert_int_equal(count_steps("r.2"), 32);
}

/* A second writer is refused by the first one's process id, and let in when that one is dead. */
static void test_two_at_once(void **state)
{
	(void)state;
	int ready[2], go[2];
	assert_int_equal(pipe(ready) | pipe(go), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct play p = small();
		struct err err;
		char c;
		p.stop_after = 5;
		p.keep = true;
		play_run(&p, &err);
		/* A child that outlives its parent, as a test may do, must not keep the lock. */
		bool parent = fork() != 0;
		close(go[1]);
		if (parent)
			(void)!write(ready[1], "x", 1);
		(void)!read(go[0], &c, 1);
		_exit(0);
	}
	char c, expected[80];
	assert_int_equal(read(ready[0], &c, 1), 1);
	struct play p = small();
	struct err err;
	assert_int_equal(play_run(&p, &err), -1);
	snprintf(expected, sizeof expected, "is being reduced by process %ld", (long)pid);
	assert_non_null(strstr(err.msg, expected));
	struct play other = small();
	other.name = "other";
	play_original(&other);
	play(other);
	play_original(&p);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(play(small()).state, STORE_UNFINISHED);
	close(ready[0]), close(ready[1]), close(go[0]), close(go[1]);
}

/* A journal of which nothing is left costs questions, not the answer; so does one damaged in the
 * middle. */
static void test_journal_lost(void **state)
{
	(void)state;
	const char *tip = plain_tip();
	struct err err;
	struct play p = small();
	p.stop_after = 20;
	p.pause = true;
	play(p);
	char *journal = mem_printf("%s/whittle/r/journal", store);
	assert_int_equal(unlink(journal), 0);
	p = play(small());
	assert_string_equal(p.tip, tip);
	assert_int_equal(p.known, 20 * 20 + 19); /* the commits had them, the pause's included */
	start(NULL);
	p = small();
	p.stop_after = 20;
	play(p);
	struct buf text = { 0 };
	assert_int_equal(io_read_file(journal, &text, &err), 0);
	text.data[40 + 36 * 50 + 7] ^= 4;
	assert_int_equal(io_replace_file(journal, text.data, text.len, 0644, &err), 0);
	p = play(small());
	assert_string_equal(p.tip, tip);
	assert_non_null(strstr(p.notices, "damaged at byte 1840"));
	assert_int_equal(p.known, 20 * 20 + 19 - 1);
	buf_release(&text);
	free(journal);
}

/* Several files in directories, unsorted, with an executable one: back as they were. */
static void test_several_files(void **state)
{
	(void)state;
	static const char *const paths[] = { "z/b.c", "a.c", "z.h", "z/a/x" };
	struct testcase_file files[4];
	uint32_t ends[4] = { 3, 4, 9, 12 };
	for (int i = 0; i < 4; i++)
		files[i] = (struct testcase_file){ .path = paths[i],
			                           .mode = i == 1 ? 0755 : 0644,
			                           .begin = i ? ends[i - 1] + 1 : 0,
			                           .end = ends[i] };
	struct testcase *tc = testcase_tree(files, 4,
	                                    mem_dup("012?"
	                                            "?"
	                                            "5678?"
	                                            "ab?",
	                                            14));
	struct store_options options = { .file = file, .name = "many", .repository = store };
	struct store_input in = { .tc = tc, .options = "", .identity = { 1, 2 } };
	struct err err;
	struct store *s = store_open(&options, &err);
	assert_non_null(s);
	assert_int_equal(store_begin(s, &in, &err), 0);
	struct testcase *back = reduction_at(store_reduction(s), 0, &err);
	assert_non_null(back);
	assert_int_equal(back->n_files, 4);
	assert_memory_equal(back->bytes, tc->bytes, tc->size);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(back->files[i].path, paths[i]);
		assert_int_equal(back->files[i].end, ends[i]);
		assert_int_equal(back->files[i].mode, i == 1 ? 0755 : 0644);
	}
	testcase_unref(back);
	testcase_unref(tc);
	store_close(s);
}

static void test_reserved_paths(void **state)
{
	(void)state;
	static const char *const bad[] = { ".whittle/format", "a/.git/config", ".GIT/x", "../x",
		                           "a//b" };
	struct err err;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct testcase *tc = testcase_new(bad[i], 0644, mem_dup("x\0", 2), 1);
		struct store_options options = { .file = file, .name = "bad", .repository = store };
		struct store_input in = { .tc = tc, .options = "" };
		struct store *s = store_open(&options, &err);
		assert_int_equal(store_begin(s, &in, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		testcase_unref(tc);
		store_close(s);
	}
}

/* A hundred batches leave few packs. */
static void test_packs_stay_few(void **state)
{
	(void)state;
	struct play p = small();
	if (system("command -v git >/dev/null") != 0)
		skip(); /* it makes one pack of several */
	p.steps = 1200;
	play_original(&p);
	p.stop_after = 1199;
	p.pause = true;
	play(p);
	char *command = mem_printf("test $(ls %s/objects/pack/*.pack | wc -l) -le 18 && ! ls "
	                           "%s/objects/pack/*.keep 2>&-",
	                           store, store);
	assert_int_equal(system(command), 0);
	free(command);
}

static int make_top(void **state)
{
	(void)state;
	top = io_temporary_name("store");
	if (!mkdtemp(top))
		return -1;
	file = mem_printf("%s/crash.c", top);
	store = mem_printf("%s/store", top);
	return 0;
}

static int remove_top(void **state)
{
	(void)state;
	int rc = io_remove_tree(AT_FDCWD, top);
	free(file);
	free(store);
	free(top);
	return rc;
}

struct over {
	unsigned pieces; /* until all is over */
};

static bool is_over(void *ctx)
{
	struct over *over = ctx;
	return !over->pieces || !over->pieces--;
}

/* The pack NAME of DIR is one, with its checksum: libgit2 makes an index of it. */
static void check_pack(const char *dir, const char *name)
{
	char *path = mem_printf("%s/pack-%s.pack", dir, name), *to = mem_printf("%s/made", dir);
	struct buf text = { 0 };
	struct err err;
	git_indexer *indexer;
	git_indexer_progress progress;
	assert_int_equal(io_read_file(path, &text, &err), 0);
	assert_int_equal(mkdir(to, 0700), 0);
	assert_int_equal(git_indexer_new(&indexer, to, 0, NULL, NULL), 0);
	assert_int_equal(git_indexer_append(indexer, text.data, text.len, &progress), 0);
	assert_int_equal(git_indexer_commit(indexer, &progress), 0);
	git_indexer_free(indexer);
	io_remove_tree(AT_FDCWD, to);
	buf_release(&text);
	free(to);
	free(path);
}

/* A large blob in a pack of its own is what git reads, wherever packing was told to be quick. */
static void test_blob_pack(void **state)
{
	(void)state;
	static const size_t sizes[] = {
		0, 1, 54, 55, 56, 63, 64, 65, 65535, 65536, 200000, 300001
	};
	struct err err;
	git_repository *repo;
	assert_int_equal(gitlib_start(&err), 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (unsigned pieces = 0; pieces < 6; pieces++) {
			size_t n = sizes[i];
			char *bytes = mem_alloc(n + 1);
			for (size_t k = 0; k < n; k++)
				bytes[k] = (char)(k * k >> (k & 1 ? 3 : 9));
			assert_int_equal(git_repository_init(&repo, store, 1), 0);
			char *dir = objects_pack_dir(repo);
			struct over over = { pieces };
			git_oid id;
			git_odb_hash(&id, bytes, n, GIT_OBJECT_BLOB);
			char *pack = blob_pack_write(&(struct blob_pack){ .dir = dir,
			                                                  .bytes = bytes,
			                                                  .len = n,
			                                                  .id = &id,
			                                                  .is_over = is_over,
			                                                  .ctx = &over },
			                             &err);
			git_blob *blob;
			assert_non_null(pack);
			check_pack(dir, pack);
			assert_int_equal(git_blob_lookup(&blob, repo, &id), 0);
			assert_int_equal(git_blob_rawsize(blob), n);
			assert_memory_equal(git_blob_rawcontent(blob), bytes, n);
			git_blob_free(blob);
			git_repository_free(repo);
			io_remove_tree(AT_FDCWD, store);
			free(pack);
			free(dir);
			free(bytes);
		}
}

#define TEST(f) cmocka_unit_test_setup(f, start)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_whole),           TEST(test_fixed_id),          TEST(test_stop),
		TEST(test_pause),           TEST(test_overruled_once),    TEST(test_kill),
		TEST(test_changed_options), TEST(test_other_version),     TEST(test_changed_file),
		TEST(test_fresh),           TEST(test_file_ahead_of_ref), TEST(test_divergence),
		TEST(test_two_at_once),     TEST(test_journal_lost),      TEST(test_several_files),
		TEST(test_reserved_paths),  TEST(test_packs_stay_few),    TEST(test_blob_pack),
	};
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
