#include "support.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

struct testcase *support_case(const char *name, const char *text)
{
	size_t n = strlen(text);
	return testcase_new(name, 0644, mem_dup(text, n + 1), (uint32_t)n);
}

const char *support_program(const char *name)
{
	static char path[4096];
	const char *top = getenv("top_builddir");
	char *real = realpath(top ? top : ".", NULL);
	assert_non_null(real);
	assert_in_range(snprintf(path, sizeof path, "%s/%s", real, name), 1, sizeof path - 1);
	free(real);
	return path;
}

struct setup support_options(const char *program, const char *const *args)
{
	return (struct setup){ .test = program, .args = args, .jobs = 1, .input = SETUP_INPUT_ALL };
}

struct oracle *support_pool(const struct setup *options)
{
	struct err err;
	struct oracle *pool = pool_new(options, &err);
	if (!pool)
		fail_msg("%s", err.msg);
	return pool;
}

struct answer support_ask(struct oracle *pool, const struct testcase *tc)
{
	return support_ask_within(pool, tc, (struct oracle_limits){ 0 });
}

struct answer support_ask_within(struct oracle *pool, const struct testcase *tc,
                                 struct oracle_limits limits)
{
	const struct oracle_request rq = { .ticket = 42, .tc = tc, .limits = limits };
	struct err err = { 0 };
	struct answer answer = { 0 };
	if (oracle_ask(pool, &rq, -1, &answer, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(answer.ticket, 42);
	return answer;
}

int support_submit(struct oracle *pool, const struct testcase *tc, uint64_t ticket, struct err *err)
{
	const struct oracle_request rq = { .ticket = ticket, .tc = tc };
	return oracle_submit(pool, &rq, err);
}

static bool has_marker(const char *pid, const char *marker)
{
	char *path = mem_printf("/proc/%s/environ", pid);
	struct buf env = { 0 };
	struct err err;
	bool found = io_read_file(path, &env, &err) == 0 && env.len &&
	             memmem(env.data, env.len, marker, strlen(marker)) != NULL;
	buf_release(&env);
	free(path);
	return found;
}

unsigned support_count_processes(const char *marker)
{
	unsigned n = 0;
	DIR *proc = opendir("/proc");
	assert_non_null(proc);
	for (struct dirent *e; (e = readdir(proc));)
		if (strtol(e->d_name, NULL, 10) > 0)
			n += has_marker(e->d_name, marker);
	closedir(proc);
	return n;
}

int support_count_entries(const char *dir)
{
	int n = 0;
	DIR *d = opendir(dir);
	if (!d)
		return -1;
	for (struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}
