/* Runs a test COUNT times through the process pool and prints tests per second.
 *     pool-driver [-f FENCE] JOBS COUNT FILE TEST [ARG...]      FENCE: as whittle --fence; default:
 * none */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/fence.h"
#include "run/pool.h"

static int drive(struct oracle *pool, const struct testcase *tc, unsigned count, struct err *err)
{
	unsigned sent = 0, got = 0;
	while (got < count) {
		while (sent < count && oracle_free_slots(pool)) {
			const struct oracle_request rq = { .ticket = sent++, .tc = tc };
			if (oracle_submit(pool, &rq, err) < 0)
				return -1;
		}
		struct answer answer;
		if (oracle_wait(pool, &answer, -1, -1, err) < 0)
			return -1;
		if (answer.verdict != VERDICT_INTERESTING)
			return err_set(err, ERR_TEST, "the test failed");
		got++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct fence_options fo = { .level = FENCE_NONE };
	if (argc > 2 && !strcmp(argv[1], "-f")) {
		if (fence_level(argv[2], &fo.level) < 0)
			return ERR_USAGE;
		argc -= 2;
		argv += 2;
	}
	if (argc < 5) {
		fputs("usage: pool-driver [-f FENCE] JOBS COUNT FILE TEST [ARG...]\n", stderr);
		return ERR_USAGE;
	}
	unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
	struct buf bytes = { 0 };
	struct err err = { 0 };
	struct fence fence;
	struct setup options = { .test = argv[4],
		                 .args = (const char *const *)(argv + 5),
		                 .jobs = (unsigned)strtoul(argv[1], NULL, 10),
		                 .input = SETUP_INPUT_ALL,
		                 .fence = &fence };
	struct oracle *pool = fence_find(&fence, &fo, &err) < 0 ? NULL : pool_new(&options, &err);
	int rc = pool ? io_read_file(argv[3], &bytes, &err) : -1;
	if (rc == 0) {
		struct testcase *tc =
			testcase_new("crash.c", 0644, (uint8_t *)bytes.data, (uint32_t)bytes.len);
		uint64_t begin = io_now();
		rc = drive(pool, tc, count, &err);
		printf("%.1f\n", count / ((double)(io_now() - begin) / 1e9));
		testcase_unref(tc);
	}
	oracle_free(pool);
	fence_release(&fence);
	if (rc < 0)
		fprintf(stderr, "pool-driver: %s\n", err.msg);
	return rc < 0 ? (int)err.code : 0;
}
