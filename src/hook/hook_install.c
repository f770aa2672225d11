#include "hook/hook_install.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "store/git.h"

#define MARK "# whittle pre-push hook"
#define OWN_DIRECTORY "# The directory is whittle's, too.\n"

/* ---- in the configuration ---- */

/* Does this git take hooks from its configuration? 1, 0, -1. It is asked to list one that only this
 * question has. */
static int knows_config_hooks(struct err *err)
{
	static const char *const argv[] = { "-c",       "hook.whittle-probe.event=pre-push",
		                            "-c",       "hook.whittle-probe.command=true",
		                            "hook",     "list",
		                            "pre-push", NULL };
	struct buf out = { 0 };
	struct git_call call = { .argv = argv };
	buf_add(&out, "", 0);
	int status = git_run(&call, &out, err);
	bool listed = status == 0 && strstr(out.data, "whittle-probe");
	buf_release(&out);
	return status < 0 ? -1 : listed;
}

static int is_in_config(struct err *err)
{
	static const char *const argv[] = { "config", "--local", "--get", "hook.whittle.command",
		                            NULL };
	int status = git_run(&(struct git_call){ .argv = argv }, NULL, err);
	if (status > 1)
		return err_set(err, ERR_SYSTEM, "git config: exit status %d", status);
	return status < 0 ? -1 : status == 0;
}

static int add_config(const char *program, struct err *err)
{
	struct buf command = { 0 };
	quote_add(&command, program);
	buf_addf(&command, " hook run");
	const char *const set_command[] = { "config", "--local", "hook.whittle.command",
		                            command.data, NULL };
	static const char *const set_event[] = { "config",        "--local",
		                                 "--replace-all", "hook.whittle.event",
		                                 "pre-push",      NULL };
	int rc = git_ask(&(struct git_call){ .argv = set_command }, NULL, err);
	if (rc == 0)
		rc = git_ask(&(struct git_call){ .argv = set_event }, NULL, err);
	buf_release(&command);
	return rc;
}

static int remove_config(struct err *err)
{
	static const char *const argv[] = { "config", "--local", "--remove-section", "hook.whittle",
		                            NULL };
	return git_ask(&(struct git_call){ .argv = argv }, NULL, err);
}

/* ---- as a file ---- */

static char *hook_file(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--git-path", "hooks", NULL };
	char *dir = git_answer(argv, err), *file = dir ? mem_printf("%s/pre-push", dir) : NULL;
	free(dir);
	return file;
}

static bool exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

/* Is FILE the shim? *text: its content, when it can be read. */
static bool is_ours(const char *file, struct buf *text)
{
	struct stat st;
	struct err ignored;
	return lstat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	       io_read_file(file, text, &ignored) == 0 && text->len && strstr(text->data, MARK);
}

/* Makes the directory of FILE. 1: it was not there. */
static int make_directory(const char *file, struct err *err)
{
	char *dir = mem_strdup(file);
	*strrchr(dir, '/') = '\0';
	int rc = mkdir(dir, 0777) == 0 ? 1 : 0;
	if (rc == 0 && errno != EEXIST)
		rc = err_errno(err, "cannot make %s", dir);
	free(dir);
	return rc;
}

#define PLACE "\nwhittle="

/* The shim with PROGRAM, a word of the shell, in it. */
static int fill_in(struct buf *out, const char *shim, const char *program, struct err *err)
{
	static const char place[] = PLACE "whittle\n";
	struct buf text = { 0 };
	if (io_read_file(shim, &text, err) < 0)
		return -1;
	const char *at = text.len ? strstr(text.data, place) : NULL;
	if (!at) {
		buf_release(&text);
		return err_set(err, ERR_SYSTEM, "%s is not the hook that belongs to this whittle",
		               shim);
	}
	buf_add(out, text.data, (size_t)(at - text.data));
	buf_addf(out, PLACE "%s\n%s", program, at + sizeof place - 1);
	buf_release(&text);
	return 0;
}

static int write_new(const char *path, const struct buf *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777), rc = 0;
	if (fd < 0 || io_write_all(fd, text->data, text->len) < 0 || fsync(fd) < 0)
		rc = err_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Gives what is at FILE the second name BEFORE, so that the next step can replace it at once. */
static int keep_before(const char *file, const char *before, struct err *err)
{
	struct stat now, kept;
	if (lstat(file, &now) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot look at %s", file);
	if (lstat(before, &kept) == 0)
		return now.st_ino == kept.st_ino && now.st_dev == kept.st_dev
		               ? 0
		               : err_set(err, ERR_SYSTEM,
		                         "%s is in the way: it is a hook that was kept earlier; "
		                         "move it elsewhere",
		                         before);
	if (linkat(AT_FDCWD, file, AT_FDCWD, before, 0) == 0)
		return 0;
	/* A file system without hard links. */
	return rename(file, before) < 0 ? err_errno(err, "cannot rename %s", file) : 0;
}

static int add_file(const char *file, const char *before, const char *program, const char *shim,
                    struct err *err)
{
	struct buf text = { 0 }, word = { 0 };
	char *temp = mem_printf("%s.whittle-%ld", file, (long)getpid());
	quote_add(&word, program);
	int made = make_directory(file, err),
	    rc = made < 0 ? -1 : fill_in(&text, shim, word.data, err);
	if (rc == 0 && made)
		buf_addf(&text, OWN_DIRECTORY);
	if (rc == 0)
		rc = write_new(temp, &text, err);
	if (rc == 0)
		rc = keep_before(file, before, err);
	if (rc == 0 && rename(temp, file) < 0)
		rc = err_errno(err, "cannot rename %s", temp);
	if (rc < 0)
		unlink(temp);
	buf_release(&word);
	buf_release(&text);
	free(temp);
	return rc;
}

/* Refuses when TEXT, which the hook FILE holds, is not SHIM as it was installed. */
static int check_unchanged(const char *file, const struct buf *text, const char *shim,
                           struct err *err)
{
	struct buf want = { 0 };
	const char *at = strstr(text->data, PLACE);
	char *program = NULL;
	if (at) {
		at += strlen(PLACE);
		program = mem_printf("%.*s", (int)strcspn(at, "\n"), at);
	}
	int rc = program ? fill_in(&want, shim, program, err) : 0;
	size_t n = want.len;
	if (rc == 0 && (!n || text->len < n || memcmp(text->data, want.data, n) ||
	                (text->len > n && strcmp(text->data + n, OWN_DIRECTORY))))
		rc = err_set(err, ERR_USAGE,
		             "%s was changed after it was installed, or comes from another version "
		             "of whittle; remove it by hand",
		             file);
	free(program);
	buf_release(&want);
	return rc;
}

static int remove_file(const char *file, const char *before, const char *shim, struct err *err)
{
	struct buf text = { 0 };
	int rc = is_ours(file, &text) ? check_unchanged(file, &text, shim, err) : 0;
	bool own_directory = text.len && strstr(text.data, OWN_DIRECTORY);
	buf_release(&text);
	if (rc < 0)
		return -1;
	if (before)
		return rename(before, file) < 0 ? err_errno(err, "cannot rename %s", before) : 0;
	if (unlink(file) < 0)
		return err_errno(err, "cannot remove %s", file);
	char *dir = mem_strdup(file);
	*strrchr(dir, '/') = '\0';
	rc = own_directory && rmdir(dir) < 0 && errno != ENOTEMPTY && errno != EEXIST
	             ? err_errno(err, "cannot remove %s", dir)
	             : 0;
	free(dir);
	return rc;
}

/* ---- both ---- */

int hook_installed_find(struct hook_installed *installed, struct err *err)
{
	struct buf text = { 0 };
	*installed = (struct hook_installed){ .file = hook_file(err) };
	int in_config = installed->file ? is_in_config(err) : -1;
	if (in_config < 0)
		return -1;
	installed->before = mem_printf("%s.before-whittle", installed->file);
	if (!exists(installed->before)) {
		free(installed->before);
		installed->before = NULL;
	}
	if (in_config)
		installed->where = HOOK_IN_CONFIG;
	else if (is_ours(installed->file, &text))
		installed->where = HOOK_IN_FILE;
	buf_release(&text);
	return 0;
}

void hook_installed_release(struct hook_installed *installed)
{
	free(installed->file);
	free(installed->before);
	*installed = (struct hook_installed){ 0 };
}

int hook_install(struct hook_installed *installed, const char *program, const char *shim,
                 struct err *err)
{
	int rc = hook_installed_find(installed, err);
	if (rc < 0 || installed->where != HOOK_NOWHERE)
		return rc;
	int config = knows_config_hooks(err);
	if (config < 0)
		return -1;
	char *before = mem_printf("%s.before-whittle", installed->file);
	rc = config ? add_config(program, err)
	            : add_file(installed->file, before, program, shim, err);
	free(before);
	hook_installed_release(installed);
	struct err later;
	if (hook_installed_find(installed, &later) < 0 && rc == 0) {
		*err = later;
		rc = -1;
	}
	return rc;
}

int hook_uninstall(struct hook_installed *installed, const char *shim, struct err *err)
{
	if (hook_installed_find(installed, err) < 0)
		return -1;
	switch (installed->where) {
	case HOOK_IN_CONFIG:
		return remove_config(err);
	case HOOK_IN_FILE:
		return remove_file(installed->file, installed->before, shim, err);
	case HOOK_NOWHERE:
		break;
	}
	return 0;
}
