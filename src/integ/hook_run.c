#include "integ/hook_run.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "integ/git.h"
#include "integ/hook_config.h"
#include "integ/hook_files.h"
#include "integ/hook_judge.h"
#include "integ/hook_seen.h"
#include "integ/hook_stop.h"
#include "integ/hook_test.h"
#include "integ/hook_updates.h"
#include "run/workdir.h"

/* A driver that is needed, and what it needs. */
struct needed {
	const struct hook_driver *driver;
	const char *name; /* of the attribute; driver NULL: nobody has configured it */
	char *test;       /* NULL: it cannot be used, which the user was told */
	char *tokenizer;
	struct hash id;   /* of test and settings */
	uint64_t left_ns; /* of the budget... */
	size_t files;     /* ...for so many files */
};

/* A file that has to be judged. */
struct job {
	const struct hook_file *file;
	struct needed *needed;
	struct hash key;
	struct buf bytes;
};

struct run {
	const struct hook_options *options;
	struct hook_config config;
	struct hook_files files;
	struct hook_places places;
	struct hook_seen seen;
	struct hook_stop stop;
	struct needed *needed; /* as many as files: enough for each to have its own driver */
	size_t n_needed;
	struct job *jobs;
	size_t n_jobs;
	struct workdir work; /* slot 0: the index, then the copy; slot 1: smaller versions */
	bool bad;            /* something was found */
};

static __attribute__((format(printf, 2, 3))) void say(const struct run *r, const char *fmt, ...)
{
	va_list ap;
	char line[4096];
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	r->options->say(line);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* TEXT for a terminal and a shell: quoted unless plain; control characters, which may come from a
 * stranger's tree, show as question marks. The caller's. */
static char *quoted(const char *text)
{
	struct buf out = { 0 };
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,@%";
	bool plain = *text && *text != '-' && !text[strspn(text, safe)];
	if (!plain)
		buf_addch(&out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_addf(&out, "'\\''");
		else
			buf_addch(&out, (unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
	if (!plain)
		buf_addch(&out, '\'');
	return out.data;
}

/* ---- what has to be judged ---- */

static void say_unknown(const struct run *r, const struct hook_file *f)
{
	char *path = quoted(f->path), *key = mem_printf("whittle.%s.test", f->driver),
	     *config = quoted(key);
	if (!strcmp(f->driver, "set"))
		say(r,
		    "%s is not checked: its attribute \"whittle\" names no driver (whittle=DRIVER)",
		    path);
	else
		say(r,
		    "%s is not checked: its attribute names a driver that is not configured here. "
		    "To set it:\n"
		    "    git config %s /path/of/the/interestingness-test",
		    path, config);
	free(config);
	free(key);
	free(path);
}

static struct hash settings_id(const struct needed *n, struct hash test)
{
	char *text =
		mem_printf("1 %016llx%016llx %llu %u %s", (unsigned long long)test.hi,
	                   (unsigned long long)test.lo, (unsigned long long)n->driver->budget_ns,
	                   n->driver->slack, n->tokenizer ? n->tokenizer : "");
	struct hash id = hash_bytes(text, strlen(text), 0);
	free(text);
	return id;
}

/* The driver of F with its test, found when it is first needed. */
static struct needed *need(struct run *r, const struct hook_file *f)
{
	struct err err;
	for (size_t i = 0; i < r->n_needed; i++)
		if (!strcmp(r->needed[i].name, f->driver))
			return &r->needed[i];
	struct needed *n = &r->needed[r->n_needed++];
	*n = (struct needed){ .driver = hook_config_driver(&r->config, f->driver),
		              .name = f->driver };
	if (!n->driver || !n->driver->test) {
		say_unknown(r, f);
		return n;
	}
	const char *tokenizer = n->driver->tokenizer;
	n->tokenizer = !tokenizer               ? NULL
	               : strchr(tokenizer, '/') ? hook_path(&r->places, tokenizer)
	                                        : mem_strdup(tokenizer);
	n->left_ns = n->driver->budget_ns;
	struct hash id;
	if (!(n->test = hook_test_find(&r->places, n->driver, &id, &err))) {
		char *path = quoted(f->path);
		say(r, "%s is not checked: %s", path, err.msg);
		free(path);
	} else
		n->id = settings_id(n, id);
	return n;
}

/* What makes a file good does so again: its content, the name under which the test sees it, the
 * test and the settings. */
static struct hash key_of(const struct needed *n, const char *blob, const char *path)
{
	char *text = mem_printf("%016llx%016llx %s %s", (unsigned long long)n->id.hi,
	                        (unsigned long long)n->id.lo, blob, base_name(path));
	struct hash key = hash_bytes(text, strlen(text), 0);
	free(text);
	return key;
}

static bool has_job(const struct run *r, struct hash key)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		if (hash_equal(r->jobs[i].key, key))
			return true;
	return false;
}

static int plan_job(struct run *r, const struct hook_file *f, struct err *err)
{
	struct needed *n = need(r, f);
	const char *const argv[] = { "cat-file", "blob", f->blob, NULL };
	struct git_call call = { .argv = argv };
	if (!n->test)
		return 0;
	struct hash key = key_of(n, f->blob, f->path);
	if (hook_seen_has(&r->seen, key) || has_job(r, key))
		return 0;
	struct job *job = &r->jobs[r->n_jobs];
	*job = (struct job){ .file = f, .needed = n, .key = key };
	r->n_jobs++;
	if (git_ask(&call, &job->bytes, err) < 0)
		return -1;
	if (!job->bytes.len) { /* nothing to cut */
		r->n_jobs--;
		buf_release(&job->bytes);
		return 0;
	}
	n->files++;
	return 0;
}

static int plan(struct run *r, struct err *err)
{
	r->needed = mem_zero(r->files.n, sizeof *r->needed);
	r->jobs = mem_zero(r->files.n, sizeof *r->jobs);
	if (hook_places_find(&r->places, err) < 0 ||
	    hook_seen_open(&r->seen, r->places.common, err) < 0)
		return -1;
	for (size_t i = 0; i < r->files.n; i++)
		if (plan_job(r, &r->files.list[i], err) < 0)
			return -1;
	return 0;
}

/* ---- judging ---- */

static const char *end_of(const struct hook_judgement *j)
{
	return j->fixpoint ? "nothing more can be cut" : "as far as the time goes";
}

/* The smaller version will be pushed next: it need not be judged again. */
static int remember_smaller(struct run *r, const struct job *job, const struct hook_judgement *j,
                            struct err *err)
{
	const char *const argv[] = { "--git-dir", r->places.common, "hash-object", "--stdin",
		                     NULL };
	struct git_call call = { .argv = argv, .in = &j->smallest };
	struct buf id = { 0 };
	int rc = git_ask(&call, &id, err);
	if (rc == 0 && id.len) {
		id.data[id.len - 1] = '\0';
		rc = hook_seen_add(&r->seen, key_of(job->needed, id.data, job->file->path), err);
	}
	buf_release(&id);
	return rc;
}

static int offer_smaller(struct run *r, const struct job *job, const struct hook_judgement *j,
                         struct err *err)
{
	const char *name = base_name(job->file->path);
	char *kept = hook_seen_keep(&r->seen, job->file->blob, name, j->smallest.data,
	                            j->smallest.len, err);
	if (!kept || remember_smaller(r, job, j, err) < 0) {
		free(kept);
		return -1;
	}
	char *from = quoted(kept), *path = quoted(job->file->path), *ref = quoted(job->file->ref);
	say(r,
	    "%s: %zu -> %u bytes (%s). To push the smaller one, on %s at the top of the work "
	    "tree:\n"
	    "    cp -- %s %s\n"
	    "    git commit -m 'Smaller reproduction' -- %s",
	    path, job->bytes.len, j->best, end_of(j), ref, from, path, path);
	free(ref);
	free(path);
	free(from);
	free(kept);
	return 0;
}

static void say_dull(const struct run *r, const struct job *job, const struct hook_judgement *j)
{
	char *path = quoted(job->file->path);
	say(r, "%s is not interesting: %s does not exit with 0 on it", path, job->needed->test);
	if (j->output && *j->output) {
		struct buf out = { 0 };
		for (const char *p = j->output; *p && out.len < 2000; p++)
			buf_addch(&out, *p == '\n' || (unsigned char)*p >= ' ' ? *p : '?');
		say(r, "output of the test:\n%s", out.data);
		buf_release(&out);
	}
	free(path);
}

static void say_large(const struct run *r, const struct job *job, const struct hook_judgement *j)
{
	char *path = quoted(job->file->path), *test = quoted(job->needed->test);
	say(r,
	    "%s has %zu bytes where %u do, or fewer (%u %% are tolerated). To make it small:\n"
	    "    whittle %s %s",
	    path, job->bytes.len, j->best, job->needed->driver->slack, test, path);
	free(test);
	free(path);
}

static int conclude(struct run *r, const struct job *job, enum hook_finding finding,
                    const struct hook_judgement *j, struct err *err)
{
	char *path;
	switch (finding) {
	case HOOK_GOOD:
		if (hook_seen_add(&r->seen, job->key, err) < 0)
			say(r, "%s; so the next push checks again", err->msg);
		return 0;
	case HOOK_DULL:
		r->bad = true;
		say_dull(r, job, j);
		return 0;
	case HOOK_LARGE:
		r->bad = true;
		if (r->config.mode == HOOK_MINIMIZE)
			return offer_smaller(r, job, j, err);
		say_large(r, job, j);
		return 0;
	case HOOK_UNJUDGED:
		path = quoted(job->file->path);
		say(r, "%s is not checked: %s", path, err->msg);
		free(path);
		return 0;
	case HOOK_INTERRUPTED:
		break;
	}
	return 0;
}

/* The path of LEAF in a slot; the caller's. */
static char *work_path(const struct run *r, unsigned slot, const char *leaf)
{
	char name[WORKDIR_SLOT_SIZE];
	workdir_slot_name(name, slot);
	return mem_printf("%s/%s/%s", r->work.path, name, leaf);
}

/* An empty directory there. */
static int make_slot(struct run *r, unsigned slot, struct err *err)
{
	int fd = workdir_make_slot(&r->work, slot, err);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

/* Puts the copy into its slot and goes there, so that messages name the file as the user knows it.
 */
static int make_copy(struct run *r, const struct job *job, struct err *err)
{
	char *in = work_path(r, 0, "");
	int rc = make_slot(r, 0, err) < 0 || make_slot(r, 1, err) < 0 ? -1 : 0;
	if (rc == 0 && chdir(in) < 0)
		rc = err_errno(err, "cannot go to %s", in);
	if (rc == 0)
		rc = io_replace_file(base_name(job->file->path), job->bytes.data, job->bytes.len,
		                     0644, err);
	free(in);
	return rc;
}

/* 0, also after an interruption; -1 and err. */
static int judge(struct run *r, const struct job *job, struct err *err)
{
	struct needed *n = job->needed;
	struct hook_judgement j = { 0 };
	char *out = work_path(r, 1, base_name(job->file->path)), *path = quoted(job->file->path);
	uint64_t began = io_now(), share = n->left_ns / n->files;
	say(r, "checking %s (%s, at most %.3g s)", path, n->name, (double)share / 1e9);
	free(path);
	struct hook_case c = { .base = r->options->session,
		               .test = n->test,
		               .tokenizer = n->tokenizer,
		               .file = base_name(job->file->path),
		               .size = (uint32_t)job->bytes.len,
		               .out = out,
		               .slack = n->driver->slack,
		               .minimize = r->config.mode == HOOK_MINIMIZE,
		               .stop = &r->stop };
	int rc = make_copy(r, job, err);
	if (rc == 0)
		rc = hook_stop_arm(&r->stop, share, err);
	if (rc == 0) {
		enum hook_finding finding = hook_judge(&c, &j, err);
		rc = conclude(r, job, finding, &j, err);
	}
	hook_judgement_release(&j);
	free(out);
	uint64_t used = io_now() - began;
	n->left_ns = used < n->left_ns ? n->left_ns - used : 0;
	n->files--;
	return rc;
}

static int judge_all(struct run *r, struct err *err)
{
	int rc = 0;
	git_leave_repository(); /* a test that uses git means its own repository */
	for (size_t i = 0; rc == 0 && i < r->n_jobs && !hook_stop_signal(); i++)
		rc = judge(r, &r->jobs[i], err);
	return rc;
}

static void release(struct run *r)
{
	for (size_t i = 0; i < r->n_needed; i++) {
		free(r->needed[i].test);
		free(r->needed[i].tokenizer);
	}
	for (size_t i = 0; i < r->n_jobs; i++)
		buf_release(&r->jobs[i].bytes);
	free(r->needed);
	free(r->jobs);
	hook_seen_release(&r->seen);
	hook_places_release(&r->places);
	hook_files_release(&r->files);
	hook_config_release(&r->config);
}

static int find_and_judge(struct run *r, const struct hook_updates *updates, struct err *err)
{
	char *index = work_path(r, 0, "index");
	int rc = make_slot(r, 0, err);
	if (rc == 0)
		rc = hook_files_find(&r->files, updates, r->options->remote, index, err);
	free(index);
	if (rc == 0 && r->files.n)
		rc = plan(r, err);
	return rc == 0 && r->n_jobs ? judge_all(r, err) : rc;
}

/* The same in a directory of its own, which goes in the end; it is locked, so that one of a killed
 * hook can be told, and removed. */
static int work(struct run *r, const struct hook_updates *updates, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	if (workdir_init(&r->work, tmp && *tmp == '/' ? tmp : "/tmp", 2, 0, err) < 0)
		return -1;
	int rc = find_and_judge(r, updates, err);
	if (chdir("/") < 0 && rc == 0)
		rc = err_errno(err, "cannot leave %s", r->work.path);
	workdir_release(&r->work);
	return rc;
}

static int run(struct run *r, const struct hook_updates *updates, struct err *err)
{
	if (hook_config_load(&r->config, err) < 0)
		return -1;
	if (r->config.mode == HOOK_OFF)
		return 0;
	int rc = hook_stop_init(&r->stop, err);
	if (rc == 0)
		rc = work(r, updates, err);
	hook_stop_release(&r->stop);
	if (hook_stop_signal()) /* which git, started by us, may have got, too, and so have failed
	                         */
		return 128 + hook_stop_signal();
	if (rc < 0 && r->config.mode == HOOK_WARN) {
		say(r, "%s", err->msg);
		return 0;
	}
	if (rc < 0 || !r->bad || r->config.mode == HOOK_WARN)
		return rc;
	say(r,
	    "the push is stopped (whittle.prePush is %s); `git push --no-verify` pushes all the "
	    "same",
	    hook_mode_name(r->config.mode));
	return 1;
}

int hook_run(const struct hook_options *options, struct err *err)
{
	struct hook_updates updates;
	struct run r = { .options = options };
	int rc = hook_updates_read(&updates, options->input, err);
	if (rc == 0 && updates.n)
		rc = run(&r, &updates, err);
	hook_updates_release(&updates);
	release(&r);
	return rc;
}
