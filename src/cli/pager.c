#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/show.h"
#include "store/git.h"

static const struct {
	const char *slot, *normal;
} colors[PAGER_COLORS] = {
	[PAGER_META] = { "color.diff.meta", "bold" },
	[PAGER_FRAG] = { "color.diff.frag", "cyan" },
	[PAGER_OLD] = { "color.diff.old", "red" },
	[PAGER_NEW] = { "color.diff.new", "green" },
	[PAGER_COMMIT] = { "color.diff.commit", "yellow" },
};

/* What git prints, without the line's end; the caller's, NULL on failure. */
static char *ask(const char *const argv[])
{
	struct buf out = { 0 };
	const struct git_call call = { .argv = argv };
	if (git_run(&call, &out, NULL) != 0) {
		buf_release(&out);
		return NULL;
	}
	if (out.len && out.data[out.len - 1] == '\n')
		out.len--;
	buf_addch(&out, '\0');
	return out.data;
}

static char *ask_color(const char *slot, const char *normal)
{
	const char *const argv[] = { "config", "--get-color", slot, normal, NULL };
	return ask(argv);
}

static void find_colors(struct pager *p)
{
	static const char *const wanted[] = { "config", "--get-colorbool", "color.diff", "true",
		                              NULL };
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	if ((no && *no) || !term || !strcmp(term, "dumb"))
		return;
	MEM_SCOPED char *on = ask(wanted);
	for (int i = 0; on && !strcmp(on, "true") && i < PAGER_COLORS; i++)
		p->colors[i] = ask_color(colors[i].slot, colors[i].normal);
	if (on && !strcmp(on, "true"))
		p->reset = ask_color("", "reset");
}

/* Starts COMMAND, which reads what goes to standard output from now on. */
static void start(struct pager *p, const char *command)
{
	posix_spawn_file_actions_t files;
	const char *const argv[] = { "sh", "-c", command, NULL };
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fds[0], 0);
	if (posix_spawnp(&p->pid, "sh", &files, NULL, (char *const *)argv, environ) != 0)
		p->pid = 0;
	posix_spawn_file_actions_destroy(&files);
	close(fds[0]);
	fflush(stdout);
	if (p->pid && dup2(fds[1], STDOUT_FILENO) < 0)
		p->pid = 0;
	close(fds[1]);
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is not an error (main.c) */
}

void pager_open(struct pager *p)
{
	static const char *const which[] = { "var", "GIT_PAGER", NULL };
	*p = (struct pager){ .terminal = isatty(STDOUT_FILENO) };
	if (!p->terminal)
		return;
	find_colors(p);
	MEM_SCOPED char *command = ask(which);
	if (command && *command && strcmp(command, "cat"))
		start(p, command);
}

void pager_close(struct pager *p)
{
	if (p->pid) {
		fflush(stdout);
		close(STDOUT_FILENO);
		open("/dev/null", O_WRONLY | O_CLOEXEC);
		clearerr(stdout); /* nobody need read to the end */
		while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	for (int i = 0; i < PAGER_COLORS; i++)
		free(p->colors[i]);
	free(p->reset);
}

const char *pager_begin(const struct pager *p, enum pager_color color)
{
	return p->reset && p->colors[color] ? p->colors[color] : "";
}

const char *pager_end(const struct pager *p)
{
	return p->reset ? p->reset : "";
}

void pager_write(const struct pager *p, const char *text, size_t len)
{
	BUF_SCOPED struct buf shown = { 0 };
	if (p->terminal) {
		show_add(&shown, text, len);
		text = shown.data;
		len = shown.len;
	}
	if (len)
		fwrite(text, 1, len, stdout);
}

/* What a line of a diff is; PAGER_COLORS: nothing that has a colour. */
static enum pager_color color_of(const char *line, size_t len, bool *in_hunk)
{
	if (len && !strncmp(line, "diff ", len < 5 ? len : 5))
		*in_hunk = false;
	if (len > 1 && !strncmp(line, "@@", 2)) {
		*in_hunk = true;
		return PAGER_FRAG;
	}
	if (!*in_hunk)
		return PAGER_META;
	return len && *line == '+' ? PAGER_NEW : len && *line == '-' ? PAGER_OLD : PAGER_COLORS;
}

void pager_write_diff(const struct pager *p, const char *text, size_t len)
{
	bool in_hunk = false;
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;
		enum pager_color color = color_of(text + at, n, &in_hunk);
		bool plain = !p->reset || color == PAGER_COLORS;
		fputs(plain ? "" : pager_begin(p, color), stdout);
		pager_write(p, text + at, n);
		fputs(plain ? "" : pager_end(p), stdout);
		at += n;
		if (end) {
			putchar('\n');
			at++;
		}
	}
}
