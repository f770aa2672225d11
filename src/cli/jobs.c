#include "cli/jobs.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/installed.h"
#include "base/show.h"
#include "cli/commands.h"
#include "run/affinity.h"

enum {
	MAX_JOBS = 1024,
	EACH = 4, /* processes of one test: its supervisor, a shell, and two that this starts */
	PLENTY = 16384, /* so many beside them are enough, and not counted */
};

/* As many as there may come tokens for. `make -j1` has no job server, and wants one at a time. */
static void ask_make(struct session_options *o, bool quiet)
{
	enum jobserver_found found = jobserver_find(&o->tests.make, getenv("MAKEFLAGS"));
	unsigned processors = affinity_processors();
	o->tests.jobs = processors < MAX_JOBS ? processors : MAX_JOBS;
	if (o->tests.make.jobs == 1) {
		o->tests.jobs = 1;
		o->tests.under_make = found == JOBSERVER_FOUND;
	} else if (found == JOBSERVER_UNUSABLE) {
		o->tests.jobs = 1;
		if (!quiet)
			fputs("whittle: warning: cannot reach make's job server, so one test runs "
			      "at a time; put + before the command in the makefile, or use -j\n",
			      stderr);
	} else if (found == JOBSERVER_FOUND) {
		o->tests.under_make = true;
		if (o->tests.make.jobs)
			o->tests.jobs =
				o->tests.make.jobs < MAX_JOBS ? o->tests.make.jobs : MAX_JOBS;
	}
}

/* The number behind KEY in TEXT, of /proc/PID/status; 0: there is none. */
static unsigned long number_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	return at ? strtoul(at + strlen(key), NULL, 10) : 0;
}

/* Threads of all processes of the user, which is what RLIMIT_NPROC counts, as far as they are seen
 * here. */
static unsigned long count_processes(uid_t user)
{
	unsigned long n = 0;
	IO_SCOPED_DIR DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = io_next_entry(proc));) {
		BUF_SCOPED struct buf text = { 0 };
		MEM_SCOPED char *path = mem_printf("/proc/%s/status", e->d_name);
		bool is_process = *e->d_name >= '1' && *e->d_name <= '9';
		if (is_process && io_read_file(path, &text, NULL) == 0 && text.data &&
		    number_of(text.data, "\nUid:") == user)
			n += number_of(text.data, "\nThreads:");
	}
	return n;
}

/* What a test cannot start makes its answer another one, or one that varies. Root has no such
 * limit. */
static void warn_of_limit(unsigned jobs)
{
	struct rlimit limit;
	unsigned long need = (unsigned long)jobs * EACH;
	if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) < 0 || limit.rlim_cur > PLENTY + need)
		return;
	unsigned long most = (unsigned long)limit.rlim_cur, have = count_processes(getuid());
	unsigned long room = most > have ? most - have : 0;
	if (room >= need)
		return;
	MEM_SCOPED char *note = mem_printf(
		"warning: you have %lu of at most %lu processes (ulimit -u), and -j%u needs about "
		"%lu more; a test that cannot start one gives a wrong answer: use -j%lu",
		have, most, jobs, need, room < EACH ? 1 : room / EACH);
	show_note(note, NULL);
}

int jobs_choose(struct session_options *o, uint64_t jobs, bool quiet, struct err *err)
{
	bool elsewhere = o->far.n || o->far.from;
	o->far.only = !jobs && elsewhere;
	if ((!jobs && !elsewhere) || (jobs > MAX_JOBS && jobs != JOBS_DEFAULT))
		return err_set(err, ERR_USAGE,
		               "option -j: from 1 to %d tests can run at a time (0: none here, "
		               "with --workers)",
		               MAX_JOBS);
	if (!jobs)
		o->tests.jobs = 1; /* for what is no test */
	else if (jobs == JOBS_DEFAULT)
		ask_make(o, quiet);
	else
		o->tests.jobs = (unsigned)jobs;
	if (!quiet)
		warn_of_limit(o->tests.jobs);
	o->tests.shims = jobs_shims();
	return 0;
}

const char *jobs_shims(void)
{
	static char *dir;
	return dir ? dir : (dir = mem_printf("%s/shims", installed_programs()));
}
