/* Is the failure of the command where the candidate is alone the one that it shows where the user
 * stands? */
#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/signature.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "first/ask.h"
#include "reduce/session.h"

/* The directory that the user stands in, as another place: a program that runs there finds all that
 * it would find here, by relative paths, too, and changes nothing here. Files and directories up to
 * a bound are copies; the rest, and what stands beside the directories above, are links.
 *
 * Life cycle: ask_mirror_make, run something there, ask_mirror_read, ask_mirror_remove. */
struct ask_mirror {
	char *base;       /* all of it is below this directory */
	char *here, *dir; /* the directory that the user stands in, and the one in its place */
	int watch;        /* inotify; -1: it is not known what is read */
	char **watched;   /* by watch descriptor: the copied directories and those of operands,
	                     absolute or relative to dir */
	size_t n_watched, left, entries_left;
};

enum {
	BYTES = 16 << 20, /* that are copied at most, */
	ENTRIES = 2000,   /* and in so many entries */
	DEEP = 16,        /* levels of directories */
	BESIDE = 1000,    /* entries of a directory above, of which links are made */
};

static int is_name(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static void free_names(struct dirent **list, int n)
{
	for (int i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

/* A copy with the same times: make looks at them. */
static bool copy_file(const char *from, const char *to, const struct stat *st)
{
	BUF_SCOPED struct buf bytes = { 0 };
	const struct timespec times[] = { st->st_atim, st->st_mtim };
	bool done = io_read_bounded(from, (struct io_bounds){ BYTES, true }, &bytes, NULL) == 0;
	IO_SCOPED int fd =
		done ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, io_mode_like(st)) : -1;
	return fd >= 0 && io_write_all(fd, bytes.data, bytes.len) == 0 && futimens(fd, times) == 0;
}

static bool copy_dir(struct ask_mirror *m, const char *rel, unsigned level);

/* The entry REL, relative to here; directories later: DIRS says which ones are meant. */
static void copy_entry(struct ask_mirror *m, const char *rel, bool dirs, unsigned level)
{
	MEM_SCOPED char *from = mem_printf("%s/%s", m->here, rel),
			*to = mem_printf("%s/%s", m->dir, rel);
	struct stat st;
	if (lstat(from, &st) == 0 && S_ISDIR(st.st_mode) == dirs) {
		const char *slash = strrchr(rel, '/');
		bool hidden = (slash ? slash[1] : *rel) == '.', fits = m->entries_left > 0;
		m->entries_left -= fits;
		if (S_ISLNK(st.st_mode))
			io_copy_link(from, to);
		else if (dirs && fits && !hidden && level < DEEP && mkdir(to, 0700) == 0)
			copy_dir(m, rel, level + 1);
		else if (fits && S_ISREG(st.st_mode) && (size_t)st.st_size <= m->left &&
		         copy_file(from, to, &st))
			m->left -= (size_t)st.st_size;
		else {
			unlink(to); /* a copy for which there was no space */
			(void)!symlink(from, to);
		}
	}
}

static void add_watched(struct ask_mirror *m, char *dir)
{
	m->watched = mem_resize(m->watched, m->n_watched + 1, sizeof *m->watched);
	m->watched[m->n_watched++] = dir;
}

/* The directory REL ("": here itself), which is made already. */
static bool copy_dir(struct ask_mirror *m, const char *rel, unsigned level)
{
	struct dirent **list;
	MEM_SCOPED char *from = mem_printf("%s/%s", m->here, rel);
	int n = scandir(from, &list, is_name, alphasort);
	for (int dirs = 0; dirs < 2; dirs++)
		for (int i = 0; i < n; i++) {
			MEM_SCOPED char *inside =
				mem_printf("%s%s%s", rel, *rel ? "/" : "", list[i]->d_name);
			copy_entry(m, inside, dirs, level);
		}
	if (n >= 0)
		free_names(list, n);
	add_watched(m, mem_strdup(rel));
	return n >= 0;
}

/* Links to what is beside NAME in the directory ABOVE, as TO has it. */
static void link_beside(const char *above, const char *name, const char *to)
{
	struct dirent **list;
	int n = scandir(above, &list, is_name, alphasort);
	for (int i = 0; n <= BESIDE && i < n; i++)
		if (strcmp(list[i]->d_name, name) != 0) {
			MEM_SCOPED char *from = mem_printf("%s/%s", above, list[i]->d_name),
					*link = mem_printf("%s/%s", to, list[i]->d_name);
			(void)!symlink(from, link);
		}
	if (n >= 0)
		free_names(list, n);
}

/* The directories from the root to here. */
static int make_above(struct ask_mirror *m)
{
	char *path = mem_strdup(m->here), *state = NULL, *above = mem_strdup("");
	int rc = 0;
	for (char *name = strtok_r(path, "/", &state); name && rc == 0;
	     name = strtok_r(NULL, "/", &state)) {
		char *to = mem_printf("%s%s", m->base, above),
		     *next = mem_printf("%s/%s", above, name),
		     *made = mem_printf("%s%s", m->base, next);
		link_beside(*above ? above : "/", name, to);
		rc = mkdir(made, 0700);
		free(to);
		free(made);
		free(above);
		above = next;
	}
	free(path);
	free(above);
	return rc;
}

static char *within(const char *dir, const char *path)
{
	return *path == '/' ? mem_strdup(path) : mem_printf("%s/%s", dir, path);
}

/* The name FILE as it is to be there: relative when it is below the directory, which has copies. */
static const char *ask_mirror_name(const struct ask_mirror *m, const char *file)
{
	size_t len = strlen(m->here);
	bool below = !strncmp(file, m->here, len) && file[len] == '/' && file[len + 1];
	return below ? file + len + 1 : file;
}

/* The directories of operands that are not below here. */
static void add_elsewhere(struct ask_mirror *m, const char *const *operands, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *file = ask_mirror_name(m, operands[i]), *slash = strrchr(file, '/');
		if (slash && slash > file && (*file == '/' || !strncmp(file, "../", 3)))
			add_watched(m, mem_printf("%.*s", (int)(slash - file), file));
	}
}

/* The events of a file whose content is used, and of one that gets another or goes. */
enum {
	READS = IN_ACCESS | IN_CLOSE_NOWRITE,
	MAKES = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO,
};

/* From now on: making it is no news. */
static void watch(struct ask_mirror *m)
{
	m->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char **by_number = mem_zero(m->n_watched + 1, sizeof *by_number);
	for (size_t i = 0; i < m->n_watched; i++) {
		MEM_SCOPED char *path = within(m->dir, m->watched[i]);
		int wd = m->watch < 0 ? -1 : inotify_add_watch(m->watch, path, READS | MAKES);
		if (wd > 0 && (size_t)wd <= m->n_watched && !by_number[wd])
			by_number[wd] = m->watched[i];
		else
			free(m->watched[i]);
	}
	free(m->watched);
	m->watched = by_number;
}

/* With OPERANDS (N), as the user named them: files beside those that are elsewhere are looked at,
 * too. 0, or -1: it cannot be made. Remove it in either case. */
static int ask_mirror_make(struct ask_mirror *m, const char *const *operands, size_t n)
{
	*m = (struct ask_mirror){ .watch = -1, .left = BYTES, .entries_left = ENTRIES };
	MEM_SCOPED char *base = io_temporary_name("whittle");
	m->here = realpath(".", NULL);
	m->base = m->here && mkdtemp(base) ? realpath(base, NULL) : NULL;
	if (!m->base)
		return -1;
	m->dir = mem_printf("%s%s", m->base, m->here);
	if (make_above(m) < 0 || !copy_dir(m, "", 0))
		return -1;
	add_elsewhere(m, operands, n);
	watch(m);
	return 0;
}

static void ask_mirror_remove(struct ask_mirror *m)
{
	io_close(m->watch);
	for (size_t i = 0; i <= m->n_watched && m->watched; i++)
		free(m->watched[i]);
	free(m->watched);
	if (m->base)
		io_remove_ours(AT_FDCWD, m->base);
	free(m->base);
	free(m->here);
	free(m->dir);
}

/* ---- what was read ---- */

/* Not what is hidden or kept by a run time; what is no file here was made there. */
static bool is_needed(const struct ask_mirror *m, const char *rel)
{
	struct stat st;
	MEM_SCOPED char *path = within(m->here, rel);
	bool needed = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	while (!strncmp(rel, "../", 3))
		rel += 3;
	needed = needed && *rel != '.' && !strstr(rel, "/.") && !strstr(rel, "__pycache__/");
	return needed;
}

/* The name in the event E, by what happened to the file first: NEEDED what was read, MADE else. */
static void sort_in(const struct ask_mirror *m, const struct inotify_event *e, struct texts *needed,
                    struct texts *made)
{
	if (!e->len || e->mask & IN_ISDIR || e->wd < 1 || (size_t)e->wd > m->n_watched ||
	    !m->watched[e->wd])
		return;
	const char *dir = m->watched[e->wd];
	char *rel = mem_printf("%s%s%s", dir, *dir ? "/" : "", e->name);
	if (texts_have(needed, rel) || texts_have(made, rel) || !is_needed(m, rel))
		free(rel);
	else
		texts_add(e->mask & READS ? needed : made, rel);
}

/* What the user has of these by an earlier run, absolute; "a, b", the caller's. NULL: nothing. An
 * empty file has nothing that could be used. */
static char *made_here(const struct ask_mirror *m, const struct texts *made)
{
	struct stat st;
	struct buf b = { 0 };
	for (size_t i = 0; i < made->n; i++) {
		MEM_SCOPED char *there = within(m->dir, made->list[i]),
				*here = realpath(made->list[i], NULL);
		if (here && stat(there, &st) == 0 && st.st_size)
			buf_addf(&b, "%s%s", b.len ? ", " : "", here);
	}
	if (b.len)
		buf_addch(&b, '\0');
	return b.data;
}

/* The files that are here, too, and were read there since, before they were written, made anew or
 * removed; relative to here or absolute, each once and sorted, without hidden ones and what caches
 * hold; NULL at the end. The caller's, with its names. *MADE, if not NULL: those that were made. */
static char **ask_mirror_read(const struct ask_mirror *m, char **made)
{
	_Alignas(struct inotify_event) char bytes[16384];
	struct texts needed = { 0 };
	TEXTS_SCOPED struct texts others = { 0 };
	for (ssize_t len; m->watch >= 0 && (len = read(m->watch, bytes, sizeof bytes)) > 0;)
		for (char *at = bytes; at < bytes + len;) {
			const struct inotify_event *e = (const void *)at;
			at += sizeof *e + e->len;
			sort_in(m, e, &needed, &others);
		}
	texts_sort(&needed);
	texts_add(&needed, NULL);
	if (made)
		*made = made_here(m, &others);
	return needed.list;
}

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
	const struct condition *condition; /* what runs */
	const struct ask_options *ask;     /* what was typed; NULL: a test */
	const struct session_options *session;
	const char *judge;
	const struct families *families; /* NULL: no signature is wanted */
	char **made;                     /* where to say what is made there; NULL: nowhere */
};

/* The words of the command in a shell that begins there. */
static char **words_there(const struct here *h, const struct ask_mirror *m)
{
	const struct condition *c = h->condition;
	size_t n = mem_count_words(c->words), files = h->session->n_files, at = 0;
	MEM_SCOPED char **names = mem_zero(files + 1, sizeof *names);
	for (size_t i = 0; i < files; i++)
		names[i] = mem_strdup(ask_mirror_name(m, h->session->files[i]));
	char **words = mem_zero(8 + n + files, sizeof *words);
	words[at++] = mem_strdup("/bin/sh");
	words[at++] = mem_strdup("-c");
	words[at++] = mem_strdup("cd \"$0\" && exec \"$@\"");
	words[at++] = ask_escaped(m->dir);
	if (c->shell) {
		words[at++] = mem_strdup("/bin/sh");
		words[at++] = mem_strdup("-c");
	}
	for (size_t i = 0; i < n; i++) {
		MEM_SCOPED char *word = condition_word(c->words[i], names);
		words[at++] = ask_escaped(word);
	}
	if (c->shell)
		words[at++] = mem_strdup("sh");
	for (size_t i = 0; i < files; i++) {
		if (c->shell)
			words[at++] = ask_escaped(names[i]);
		free(names[i]);
	}
	return words;
}

/* Runs the command WORDS once, on what the operands of SESSION hold. */
static int see(const struct here *h, const struct session_options *session,
               const struct condition *once, const char *writable, struct ask_seen *out)
{
	MEM_SCOPED char *test = ask_write_test(once, NULL);
	const struct observation how = { .session = session,
		                         .ask = h->ask,
		                         .test = test,
		                         .judge = h->judge,
		                         .writable = writable };
	*out = (struct ask_seen){ 0 };
	int rc = test ? ask_observe(&how, 1, &out->outcome, NULL) : -1;
	if (rc == 0 && h->families)
		out->signature = ask_signature(&out->outcome, session, h->families);
	else if (rc < 0)
		release_seen(out);
	if (test)
		unlink(test);
	return rc;
}

/* In the place of the directory that the user stands in. USED (NULL: no matter): the files. */
static int see_there(const struct here *h, struct ask_seen *out, char ***used)
{
	struct ask_mirror m;
	int rc = ask_mirror_make(&m, h->session->files, h->session->n_files);
	if (rc == 0) {
		uint64_t limit = h->made ? h->session->tests.timeout_ns : 0; /* no other failure */
		SCOPED(condition_release)
		struct condition once = { .words = words_there(h, &m),
			                  .limit_ns =
			                          limit ? limit : LIMIT_S * (uint64_t)1000000000 };
		rc = see(h, h->session, &once, m.base, out);
	}
	if (rc == 0 && used)
		*used = ask_mirror_read(&m, h->made);
	ask_mirror_remove(&m);
	return rc;
}

/* ---- the line that works ---- */

static bool is_operand(const struct session_options *s, const char *file)
{
	for (uint32_t i = 0; i < s->n_files; i++) {
		size_t len = strlen(s->files[i]);
		while (len && s->files[i][len - 1] == '/')
			len--;
		if (!strncmp(file, s->files[i], len) && file[len] == '/')
			return true;
		if (io_same_file(file, s->files[i]))
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
	struct ask_paths paths = { .made = h->ask->paths.made };
	SCOPED(condition_release)
	struct condition once = { .words = ask_command_words(h->ask, &more, &paths, &uses),
		                  .shell = h->ask->shell };
	const struct ask_change more_files = { .files = files + s->n_files, .n_files = n };
	char *line = shows(h, &more, &once, wanted) ? ask_changed(h->ask, &more_files) : NULL;
	free(paths.said);
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
	char *words[] = { line.data, NULL };
	struct ask_paths paths = { .made = h->ask->paths.made };
	struct ask_options asked = { .command = words, .shell = true };
	bool uses;
	SCOPED(condition_release)
	struct condition once = { .words = ask_command_words(&asked, s, &paths, &uses),
		                  .shell = true };
	const struct ask_change linked = { .options = h->ask->shell ? NULL : "--shell",
		                           .command = words };
	char *works = shows(h, s, &once, wanted) ? ask_changed(h->ask, &linked) : NULL;
	free(paths.said);
	return works;
}

/* ---- what is said ---- */

static char *in_words(const struct ask_seen *seen)
{
	char how[64];
	outcome_describe(&seen->outcome, how, sizeof how);
	MEM_SCOPED char *shown = seen->signature ? signature_shown(seen->signature) : NULL;
	return shown ? mem_printf("%s, “%s”", how, shown) : mem_strdup(how);
}

static void add_hint(struct buf *out, const char *text, const char *command)
{
	if (!command)
		return;
	buf_addch(out, '\n');
	show_add_hint(out, text, command);
}

/* The N files MISSING, or the first of them; the caller's. */
static char *all_named(char *const *missing, size_t n)
{
	struct buf names = { 0 };
	for (size_t i = 0; i < n && i < NAMED; i++)
		buf_addf(&names, "%s%s", i ? ", " : "; missing there: ", missing[i]);
	buf_addf(&names, "%s", n > NAMED ? " and others" : "");
	buf_addch(&names, '\0');
	return names.data;
}

static int complain(const struct here *h, const struct ask_seen *apart, const struct ask_seen *here,
                    char **missing, struct err *err)
{
	size_t n = keep_missing(h->session, missing);
	MEM_SCOPED char *there = in_words(apart), *wanted = in_words(here), *first = NULL,
			*second = NULL;
	MEM_SCOPED char *names = all_named(missing, n);
	if (n && n <= NAMED) {
		first = any_program(missing) ? NULL : with_operands(h, missing, n, here);
		second = with_links(h, missing, here);
	}
	BUF_SCOPED struct buf hints = { 0 };
	add_hint(&hints, "to reduce all of them:", first);
	add_hint(&hints, "to use them as they are:", second);
	if (!hints.len) {
		buf_addch(&hints, '\n');
		show_add_hint(&hints,
		              "name files by absolute paths, reduce the directory that holds them, "
		              "or describe the failure with --exit, --stderr or --stdout",
		              NULL);
	}
	MEM_SCOPED char *text = mem_printf(
		"the command gives %s here, but %s where tests run, in a directory that holds only "
		"%s%s",
		wanted, there, h->session->n_files > 1 ? "what is reduced" : h->session->file,
		names);
	MEM_SCOPED char *folded = show_folded(text);
	err_set(err, ERR_TEST, "%s%.*s", folded, (int)hints.len, hints.data);
	return -1;
}

/* One run may be by chance, and what it leaves makes another one differ: each has its own. */
int ask_check_here(const struct ask_options *ask, const struct session_options *s,
                   const char *judge, const struct families *families, const struct ask_seen *apart,
                   struct err *err)
{
	const struct here h = { &ask->condition, ask, s, judge, families, NULL };
	struct ask_seen here = { 0 }, again = { 0 };
	char **used = NULL;
	int rc = 0;
	bool other = see_there(&h, &here, &used) == 0 && !same_seen(&here, apart) &&
	             !is_refused(&here, apart) && see_there(&h, &again, NULL) == 0 &&
	             same_seen(&here, &again);
	if (other)
		rc = complain(&h, apart, &here, used, err);
	mem_free_words(used);
	release_seen(&here);
	release_seen(&again);
	return rc;
}

char *ask_test_here(const struct session_options *s, const char *test)
{
	char *word = ask_escaped(test), *words[] = { word, (char *)(uintptr_t) "\\1", NULL },
	     **used = NULL, *text = NULL;
	MEM_SCOPED char *judge = ask_judge_program();
	const struct condition typed = { .words = words };
	const struct here h = { &typed, NULL, s, judge, NULL, NULL };
	struct ask_seen seen = { 0 }, again = { 0 };
	/* What comes and goes may hold there by chance. */
	bool holds = see_there(&h, &seen, &used) == 0 && !seen.outcome.status &&
	             see_there(&h, &again, NULL) == 0 && !again.outcome.status;
	size_t n = holds ? keep_missing(s, used) : 0;
	if (n) {
		MEM_SCOPED char *names = all_named(used, n);
		text = mem_printf(
			"the test exits with 0 where it was typed, but not in a directory that "
			"holds only %s%s (name files by absolute paths, or reduce them, too)",
			s->n_files > 1 ? "what is reduced" : s->file, names);
	}
	release_seen(&seen);
	release_seen(&again);
	mem_free_words(used);
	free(word);
	return text;
}

char *ask_find_made(const struct ask_options *ask, const struct session_options *s,
                    const char *judge)
{
	MEM_SCOPED char *lines = ask_all_lines(&ask->condition);
	char *word = ask_escaped(lines), *words[] = { word, NULL }, **used = NULL, *made = NULL;
	const struct condition all = { .words = words, .shell = true };
	const struct here h = { &all, ask, s, judge, NULL, &made };
	struct ask_seen seen;
	see_there(&h, &seen, &used);
	release_seen(&seen);
	mem_free_words(used);
	free(word);
	return made;
}
