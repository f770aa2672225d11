/* Is the failure of the command where the candidate is alone the one that it shows where the user
 * stands? */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/signature.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "first/ask.h"
#include "first/ask_mirror.h"
#include "reduce/session.h"

enum { LIMIT_S = 60, NAMED = 20 /* files in a line that works */ };

/* ---- the same ---- */

/* TEXT without directories: the operand has another path, which may be masked, too. The caller's.
 */
static char *without_paths(const char *text)
{
	static const char part[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "_.+-~@%";
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (; *text; text++) {
		buf_addch(&b, *text);
		while (*text == '/' && b.len &&
		       (b.data[b.len - 1] == '/' || strchr(part, b.data[b.len - 1])))
			b.len--;
	}
	return b.data;
}

static bool same_text(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	MEM_SCOPED char *x = without_paths(a), *y = without_paths(b);
	char *at = x, *to = y, *u, *v;
	bool same = true;
	do {
		u = strsep(&at, " ");
		v = strsep(&to, " ");
		same = !u || !v ? u == v
		                : !strcmp(u, v) || strstr(u, SIGNATURE_MASK) ||
		                          strstr(v, SIGNATURE_MASK);
	} while (same && u);
	return same;
}

static bool same_seen(const struct ask_seen *a, const struct ask_seen *b)
{
	return a->outcome.status == b->outcome.status &&
	       a->outcome.timed_out == b->outcome.timed_out &&
	       same_text(a->signature, b->signature);
}

static void release_seen(struct ask_seen *seen)
{
	outcome_release(&seen->outcome);
	free(seen->signature);
	*seen = (struct ask_seen){ 0 };
}

/* What the outcome tells nothing of: the program was not found there, or could not write. */
static bool is_refused(const struct ask_seen *here, const struct ask_seen *apart)
{
	static const char *const said[] = { "Permission denied", "Read-only file system" };
	bool refused = WIFEXITED(here->outcome.status) &&
	               (WEXITSTATUS(here->outcome.status) == 126 ||
	                WEXITSTATUS(here->outcome.status) == 127) &&
	               here->outcome.status != apart->outcome.status;
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		refused |= (strstr(here->outcome.err.data, said[i]) &&
		            !strstr(apart->outcome.err.data, said[i])) ||
		           (strstr(here->outcome.out.data, said[i]) &&
		            !strstr(apart->outcome.out.data, said[i]));
	return refused;
}

/* ---- running it ---- */

struct here {
	const struct ask_options *ask;
	const struct session_options *session;
	const char *judge;
	const struct families *families;
};

static char *escaped(const char *text)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (; *text; text++) {
		if (*text == '\\')
			buf_addch(&b, '\\');
		buf_addch(&b, *text);
	}
	return b.data;
}

/* The words of the command in a shell that begins there. */
static char **words_there(const struct here *h, const struct ask_mirror *m)
{
	const struct condition *c = &h->ask->condition;
	size_t n = 0, files = h->session->n_files, at = 0;
	while (c->words[n])
		n++;
	MEM_SCOPED char **names = mem_zero(files + 1, sizeof *names);
	for (size_t i = 0; i < files; i++)
		names[i] = mem_strdup(ask_mirror_name(m, h->session->files[i]));
	char **words = mem_zero(8 + n + files, sizeof *words);
	words[at++] = mem_strdup("/bin/sh");
	words[at++] = mem_strdup("-c");
	words[at++] = mem_strdup("cd \"$0\" && exec \"$@\"");
	words[at++] = escaped(m->dir);
	if (c->shell) {
		words[at++] = mem_strdup("/bin/sh");
		words[at++] = mem_strdup("-c");
	}
	for (size_t i = 0; i < n; i++) {
		MEM_SCOPED char *word = condition_word(c->words[i], names);
		words[at++] = escaped(word);
	}
	if (c->shell)
		words[at++] = mem_strdup("sh");
	for (size_t i = 0; i < files; i++) {
		if (c->shell)
			words[at++] = escaped(names[i]);
		free(names[i]);
	}
	return words;
}

/* Runs the command WORDS once, on what the operands of SESSION hold. */
static int see(const struct here *h, const struct session_options *session,
               const struct condition *once, const char *writable, struct ask_seen *out)
{
	MEM_SCOPED char *test = ask_write_test(once, NULL);
	const struct observation how = {
		.session = session, .test = test, .judge = h->judge, .writable = writable
	};
	*out = (struct ask_seen){ 0 };
	int rc = test ? ask_observe(&how, 1, &out->outcome, NULL) : -1;
	if (rc == 0)
		out->signature = ask_signature(&out->outcome, session, h->families);
	else
		release_seen(out);
	if (test)
		unlink(test);
	return rc;
}

/* In the place of the directory that the user stands in. OPENED (NULL: no matter): the files. */
static int see_there(const struct here *h, struct ask_seen *out, char ***opened)
{
	struct ask_mirror m;
	int rc = ask_mirror_make(&m, h->session->files, h->session->n_files);
	if (rc == 0) {
		SCOPED(condition_release)
		struct condition once = { .words = words_there(h, &m),
			                  .limit_ns = LIMIT_S * (uint64_t)1000000000 };
		rc = see(h, h->session, &once, m.base, out);
	}
	if (rc == 0 && opened)
		*opened = ask_mirror_opened(&m);
	ask_mirror_remove(&m);
	return rc;
}

/* ---- the line that works ---- */

static bool is_operand(const struct session_options *s, const char *file)
{
	struct stat a, b;
	for (uint32_t i = 0; i < s->n_files; i++) {
		size_t len = strlen(s->files[i]);
		while (len && s->files[i][len - 1] == '/')
			len--;
		if (!strncmp(file, s->files[i], len) && file[len] == '/')
			return true;
		if (stat(file, &a) == 0 && stat(s->files[i], &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino)
			return true;
	}
	return false;
}

/* Those that are missing where the candidate is alone; the rest is freed. */
static size_t keep_missing(const struct session_options *s, char **files)
{
	size_t n = 0;
	for (size_t i = 0; files[i]; i++)
		if (is_operand(s, files[i]))
			free(files[i]);
		else
			files[n++] = files[i];
	files[n] = NULL;
	return n;
}

/* Programs are not what is to be reduced. */
static bool any_program(char *const *files)
{
	while (*files && access(*files, X_OK) < 0)
		files++;
	return *files;
}

static bool shows(const struct here *h, const struct session_options *s, struct condition *once,
                  const struct ask_seen *wanted)
{
	struct ask_seen seen;
	once->limit_ns = LIMIT_S * (uint64_t)1000000000;
	bool same = see(h, s, once, NULL, &seen) == 0 && same_seen(&seen, wanted);
	release_seen(&seen);
	return same;
}

/* The missing files as further operands. The line when it shows the failure WANTED; else NULL. */
static char *with_operands(const struct here *h, char *const *missing, size_t n,
                           const struct ask_seen *wanted)
{
	const struct session_options *s = h->session;
	const char **files = mem_zero(s->n_files + n + 1, sizeof *files);
	for (uint32_t i = 0; i < s->n_files; i++)
		files[i] = s->files[i];
	for (size_t i = 0; i < n; i++)
		files[s->n_files + i] = missing[i];
	struct session_options more = *s;
	more.files = files;
	more.n_files += (uint32_t)n;
	bool uses;
	MEM_SCOPED char *said = NULL;
	SCOPED(condition_release)
	struct condition once = { .words = ask_command_words(h->ask, &more, &said, &uses),
		                  .shell = h->ask->shell };
	const struct ask_shown shown = { h->ask->shell ? "--shell" : "", files, more.n_files,
		                         h->ask->command };
	char *line = shows(h, &more, &once, wanted) ? ask_shown(&shown) : NULL;
	free(files);
	return line;
}

/* How much of PATH names the entry that stands beside FILE, or where the user stands, and holds it.
 */
static size_t entry_beside(const char *path, const char *file)
{
	const char *slash = strrchr(file, '/');
	size_t dir = slash ? (size_t)(slash - file) + 1 : 0;
	if (strncmp(path, file, dir) != 0)
		dir = 0;
	return dir + strcspn(path + dir, "/");
}

/* Adds them, each once: files in one directory follow each other. */
static void add_entries(struct buf *line, char *const *missing, const char *file)
{
	char *last = mem_strdup("");
	for (; *missing; missing++) {
		char *entry = mem_printf("%.*s", (int)entry_beside(*missing, file), *missing),
		     *real = realpath(entry, NULL);
		if (strcmp(entry, last) != 0) {
			buf_addch(line, ' ');
			quote_add_if_needed(line, real ? real : entry);
		}
		free(real);
		free(last);
		last = entry;
	}
	free(last);
}

/* What is missing as links beside the candidate. */
static char *with_links(const struct here *h, char *const *missing, const struct ask_seen *wanted)
{
	const struct session_options *s = h->session;
	BUF_SCOPED struct buf line = { 0 };
	buf_addf(&line, "ln -sf");
	add_entries(&line, missing, s->file);
	buf_addf(&line, " .;"); /* where the user stands they are there */
	for (char **word = h->ask->command; *word; word++) {
		buf_addch(&line, ' ');
		if (h->ask->shell)
			buf_addf(&line, "%s", *word);
		else
			quote_add_if_needed(&line, *word);
	}
	buf_addch(&line, '\0');
	char *words[] = { line.data, NULL }, *said = NULL;
	struct ask_options asked = { .command = words, .shell = true };
	bool uses;
	SCOPED(condition_release)
	struct condition once = { .words = ask_command_words(&asked, s, &said, &uses),
		                  .shell = true };
	const struct ask_shown shown = { "--shell", s->files, s->n_files, words };
	char *works = shows(h, s, &once, wanted) ? ask_shown(&shown) : NULL;
	free(said);
	return works;
}

/* ---- what is said ---- */

static char *in_words(const struct ask_seen *seen)
{
	char how[64];
	outcome_describe(&seen->outcome, how, sizeof how);
	return seen->signature ? mem_printf("%s, “%s”", how, seen->signature) : mem_strdup(how);
}

static int complain(const struct here *h, const struct ask_seen *apart, const struct ask_seen *here,
                    char **missing, struct err *err)
{
	size_t n = keep_missing(h->session, missing);
	MEM_SCOPED char *there = in_words(apart), *wanted = in_words(here), *first = NULL,
			*second = NULL;
	BUF_SCOPED struct buf names = { 0 };
	for (size_t i = 0; i < n && i < NAMED; i++)
		buf_addf(&names, "%s%s", i ? ", " : "; missing there: ", missing[i]);
	buf_addf(&names, "%s", n > NAMED ? " and others" : "");
	if (n && n <= NAMED) {
		first = any_program(missing) ? NULL : with_operands(h, missing, n, here);
		second = with_links(h, missing, here);
	}
	err_set(err, ERR_TEST,
	        "the command gives %s here, but %s where tests run, in a directory that holds only "
	        "%s%s%s%s%s%s%s",
	        wanted, there, h->session->file, names.data ? names.data : "",
	        first ? "\nhint: to reduce all of them: " : "", first ? first : "",
	        second ? "\nhint: to use them as they are: " : "", second ? second : "",
	        first || second
	                ? ""
	                : "\nhint: name files by absolute paths, reduce the directory that holds "
	                  "them, or describe the failure with --exit, --stderr or --stdout");
	return -1;
}

/* One run may be by chance, and what it leaves makes another one differ: each has its own. */
int ask_check_here(const struct ask_options *ask, const struct session_options *s,
                   const char *judge, const struct families *families, const struct ask_seen *apart,
                   struct err *err)
{
	const struct here h = { ask, s, judge, families };
	struct ask_seen here = { 0 }, again = { 0 };
	char **opened = NULL;
	int rc = 0;
	bool other = see_there(&h, &here, &opened) == 0 && !same_seen(&here, apart) &&
	             !is_refused(&here, apart) && see_there(&h, &again, NULL) == 0 &&
	             same_seen(&here, &again);
	if (other)
		rc = complain(&h, apart, &here, opened, err);
	mem_free_words(opened);
	release_seen(&here);
	release_seen(&again);
	return rc;
}
