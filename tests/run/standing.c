/* Standing trees: whatever a test did to its copy, the next candidate is there exactly, and only
 * what differs is written. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "run/standing.h"
#include "text/edit.h"

enum { FILES = 40, SIZE = 50 };

static char *top;
static int top_fd;
static const char *const operands[] = { "proj/", NULL };

/* Directories of several depths, a link, an executable file, an empty directory. */
static struct testcase *make_tree(void)
{
	struct testcase_file files[FILES];
	struct arena names = { 0 };
	uint8_t *bytes = mem_alloc(FILES * (SIZE + 1) + 1);
	uint32_t at = 0;
	for (uint32_t i = 0; i < FILES; i++) {
		char *path = arena_alloc(&names, 64);
		snprintf(path, 64, "proj/%s%u/%02u", i % 3 ? "a/b" : "c", i / 7, i);
		mode_t mode = i == 5    ? S_IFLNK | 0777
		              : i == 9  ? S_IFDIR | 0777
		              : i == 11 ? 0755
		                        : 0644;
		uint32_t size = S_ISDIR(mode) ? 0 : SIZE;
		memset(bytes + at, 'a' + (int)(i % 26), size);
		files[i] = (struct testcase_file){
			.path = path, .mode = mode, .begin = at, .end = at + size
		};
		at += size + 1;
	}
	struct testcase *tc = testcase_tree(files, FILES, bytes);
	arena_release(&names);
	return tc;
}

static struct buf run_command(const char *command)
{
	struct buf out = { 0 };
	char line[512];
	FILE *f = popen(command, "r");
	assert_non_null(f);
	for (size_t n; (n = fread(line, 1, sizeof line, f)) > 0;)
		buf_add(&out, line, n);
	assert_int_equal(pclose(f), 0);
	buf_add(&out, "", 0);
	return out;
}

/* Everything below a directory: names, kinds, permissions, contents. */
static struct buf describe(const char *set)
{
	char *command = mem_printf("cd %s/%s && find . -printf '%%P %%y %%m %%l\\n' | LC_ALL=C "
	                           "sort && find . -type f | "
	                           "LC_ALL=C sort | xargs -r cat",
	                           top, set);
	struct buf out = run_command(command);
	free(command);
	return out;
}

static void check(struct standing *s, const struct testcase *tc)
{
	struct standing fresh = { 0 };
	assert_int_equal(standing_update(s, top_fd, "w3", tc, operands, 022), 0);
	assert_int_equal(standing_update(&fresh, top_fd, "fresh", tc, operands, 022), 0);
	struct buf have = describe("w3"), want = describe("fresh");
	assert_string_equal(have.data, want.data);
	buf_release(&have);
	buf_release(&want);
	standing_remove(&fresh, top_fd, "fresh");
}

/* What naughty tests do to their copy. */
static void tamper(struct rng *rng)
{
	static const char *const ways[] = {
		":",
		"echo more >>$(find . -type f | head -n 1)",
		"printf X | dd of=$(find . -type f | tail -n 1) conv=notrunc 2>&-", /* of the same
		                                                                       size */
		"rm -rf proj/a",
		"touch stray proj/stray; mkdir -p new/er/still; ln -s / proj/root",
		"chmod 000 $(find . -type f) $(find . -mindepth 1 -depth -type d)",
		"mv proj other; ln -s other proj",
		"f=$(find . -type f | head -n 1); cp $f copy; mv copy $f",
		"f=$(find . -type f | tail -n 1); rm $f; mkdir $f; touch $f/in",
		"for f in $(find . -type f); do cp -p $f t; cat t >$f; touch -r t $f; rm t; done",
		"rm -rf proj; mkfifo proj",
	};
	char *command = mem_printf("cd %s/w3 && { %s; } 2>&-; true", top,
	                           ways[rng_below(rng, sizeof ways / sizeof *ways)]);
	struct buf out = run_command(command);
	buf_release(&out);
	free(command);
}

static struct testcase *random_candidate(struct rng *rng, const struct testcase *base)
{
	struct arena arena = { 0 };
	struct edit edit = EDIT_NONE;
	for (uint64_t n = rng_below(rng, 5); n; n--) {
		uint32_t begin = (uint32_t)rng_below(rng, base->size),
			 len = (uint32_t)rng_below(rng, 4 * SIZE);
		uint32_t end = begin + len < base->size ? begin + len : base->size;
		assert_true(edit_union(&arena, edit, edit_cut(&arena, begin, end), &edit));
	}
	struct testcase *tc = edit_apply(base, edit);
	arena_release(&arena);
	return tc;
}

static void test_exact_after_anything(void **state)
{
	(void)state;
	struct testcase *base = make_tree();
	struct standing s = { 0 };
	struct rng rng = { 7 };
	for (uint32_t round = rounds(44); round > 0; round--) {
		struct testcase *tc = random_candidate(&rng, base);
		check(&s, tc);
		tamper(&rng);
		testcase_unref(tc);
	}
	standing_remove(&s, top_fd, "w3");
	testcase_unref(base);
}

/* Until the clock that file systems use has moved on. */
static void await_tick(void)
{
	struct timespec then, now;
	clock_gettime(CLOCK_REALTIME_COARSE, &then);
	do
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	while (now.tv_nsec == then.tv_nsec);
}

static void test_writes_what_differs(void **state)
{
	(void)state;
	struct testcase *base = make_tree();
	struct standing s = { 0 };
	assert_int_equal(standing_update(&s, top_fd, "w3", base, operands, 022), 0);
	assert_int_equal(s.written, (FILES - 1) * SIZE);
	for (int i = 0; i < 3; i++) { /* at last nothing is of the last tick */
		await_tick();
		assert_int_equal(standing_update(&s, top_fd, "w3", base, operands, 022), 0);
	}
	assert_int_equal(s.written, 0);
	struct arena arena = { 0 };
	struct testcase *shorter = edit_apply(base, edit_cut(&arena, 0, 10));
	struct testcase *fewer = edit_apply(base, edit_cut(&arena, 0, 6 * (SIZE + 1)));
	assert_int_equal(standing_update(&s, top_fd, "w3", shorter, operands, 022), 0);
	assert_int_equal(s.written, SIZE - 10);
	assert_int_equal(standing_update(&s, top_fd, "w3", base, operands, 022), 0);
	assert_int_equal(s.written, SIZE);
	assert_int_equal(standing_update(&s, top_fd, "w3", fewer, operands, 022), 0);
	assert_int_equal(s.written, 0);
	standing_remove(&s, top_fd, "w3");
	testcase_unref(shorter);
	testcase_unref(fewer);
	testcase_unref(base);
	arena_release(&arena);
}

static int set_up(void **state)
{
	(void)state;
	top = io_temporary_name("standing");
	if (!mkdtemp(top))
		return -1;
	top_fd = open(top, O_RDONLY | O_DIRECTORY);
	return top_fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(top_fd);
	io_remove_tree(AT_FDCWD, top);
	free(top);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_after_anything),
		cmocka_unit_test(test_writes_what_differs),
	};
	return cmocka_run_group_tests_name("run/standing", tests, set_up, tear_down);
}
