#include "config.h"

#include "base/mem.h"
#include "ui/screen.h"

#ifdef HAVE_NCURSESW

#define NCURSES_NOMACROS 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/io.h"

/* ---- should we die ---- */

/* A process that puts the terminal right should we die without doing so: a crash, or kill -9. It
 * waits at the end of a pipe, in a session of its own, where no key and no hang-up reaches it.
 *
 * Life cycle: guard_start early, while the program is small; guard_arm as soon as the terminal is
 * changed, guard_disarm when it is as it was; guard_end.
 */
struct guard {
	pid_t pid;
	int pipe; /* -1: there is none */
};

enum { RESET_MAX = 512, END = UINT16_MAX };

/* What the pipe carries, each in one write. */
struct order {
	uint16_t len; /* 0: nothing is to be done; END: all is over */
	uint8_t bytes[RESET_MAX];
};

/* What was written in the meantime. */
static void copy_log(int log, int to)
{
	char text[4096];
	ssize_t n;
	if (lseek(log, 0, SEEK_SET) == 0)
		while ((n = read(log, text, sizeof text)) > 0)
			if (io_write_all(to, text, (size_t)n) < 0)
				return;
}

static void put_right(int tty, const struct termios *as_it_was, const struct order *order, int log)
{
	static const char last_words[] =
		"whittle: killed or crashed; the file holds the best result so far\r\n";
	io_write_all(tty, order->bytes, order->len);
	tcsetattr(tty, TCSADRAIN, as_it_was);
	io_write_all(tty, last_words, sizeof last_words - 1);
	copy_log(log, tty);
}

static void close_others(int a, int b, int c)
{
	for (int fd = 0, most = (int)sysconf(_SC_OPEN_MAX); fd < most && fd < 65536; fd++)
		if (fd != a && fd != b && fd != c)
			close(fd);
}

static void watch(int in, int tty, const struct termios *as_it_was, int log)
{
	struct order order = { 0 }, next;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	close_others(in, tty, log);
	while (io_read_all(in, &next, sizeof next) == (ssize_t)sizeof next) {
		if (next.len == END)
			_exit(0);
		order = next;
	}
	if (order.len)
		put_right(tty, as_it_was, &order, log);
	_exit(0);
}

/* TTY: the terminal, as it is to be again. LOG: a file whose content is written to the terminal
 * after that, so that last words are not lost; -1: none. 0, or -1 with errno. */
static int guard_start(struct guard *g, int tty, int log)
{
	struct termios as_it_was;
	int ends[2];
	*g = (struct guard){ .pipe = -1 };
	if (tcgetattr(tty, &as_it_was) < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0)
		watch(ends[0], tty, &as_it_was, log);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -1;
	}
	*g = (struct guard){ pid, ends[1] };
	return 0;
}

/* When it is gone, somebody killed it, and nobody puts the terminal right but we. */
static void send(struct guard *g, const struct order *order)
{
	if (g->pipe < 0 || io_write_all(g->pipe, order, sizeof *order) == 0)
		return;
	close(g->pipe);
	g->pipe = -1;
}

/* From now on BYTES (fewer than 512) are what resets the terminal. */
static void guard_arm(struct guard *g, const void *bytes, size_t len)
{
	struct order order = { .len = (uint16_t)(len < RESET_MAX ? len : RESET_MAX) };
	if (order.len)
		memcpy(order.bytes, bytes, order.len);
	send(g, &order);
}

static void guard_disarm(struct guard *g)
{
	guard_arm(g, NULL, 0);
}

/* Ends it, waits for that. */
static void guard_end(struct guard *g)
{
	send(g, &(struct order){ .len = END }); /* others may have its pipe open */
	io_close(g->pipe);
	g->pipe = -1;
	while (g->pid > 0 && waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}

/* ---- the terminal ---- */

enum { SIDE_MAX = 1000 }; /* rows and columns: a terminal may say that it has 65535 of each */

struct screen {
	FILE *in, *out; /* the terminal */
	FILE *log;      /* standard error, while the screen is open */
	int stderr_fd;  /* what it is otherwise; -1: that is what it is now */
	locale_t locale;
	bool ascii, colours, open;
	SCREEN *terminal;
	struct guard guard;
	sigset_t mask; /* as it was */
	unsigned rows, cols;
};

const char *screen_library(void)
{
	return "ncursesw " NCURSES_VERSION;
}

/* ncurses asks the locale what characters are; nothing else here may depend on one. */
static locale_t enter(const struct screen *s)
{
	return uselocale(s->locale);
}

static void leave(locale_t before)
{
	uselocale(before);
}

static bool in_front(const struct screen *s)
{
	return tcgetpgrp(fileno(s->out)) == getpgrp();
}

static bool open_files(struct screen *s)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC), other;
	if (fd < 0 || !(s->out = fdopen(fd, "w"))) {
		io_close(fd);
		return false;
	}
	other = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (other < 0 || !(s->in = fdopen(other, "r"))) {
		io_close(other);
		return false;
	}
	s->log = tmpfile();
	return s->log && fcntl(fileno(s->log), F_SETFD, FD_CLOEXEC) == 0;
}

static bool is_terminal(void)
{
	const char *term = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

struct screen *screen_new(void)
{
	if (!is_terminal())
		return NULL;
	struct screen *s = mem_zero(1, sizeof *s);
	s->stderr_fd = s->guard.pipe = -1;
	s->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	if (s->locale && open_files(s) && in_front(s) &&
	    guard_start(&s->guard, fileno(s->out), fileno(s->log)) == 0) {
		s->ascii = strcmp(nl_langinfo_l(CODESET, s->locale), "UTF-8") != 0;
		return s;
	}
	screen_free(s);
	return NULL;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	screen_close(s);
	guard_end(&s->guard);
	if (s->in)
		fclose(s->in);
	if (s->out)
		fclose(s->out);
	if (s->log)
		fclose(s->log);
	if (s->locale)
		freelocale(s->locale);
	free(s);
}

/* ---- standard error ---- */

static void take_stderr(struct screen *s)
{
	fflush(stderr);
	s->stderr_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (s->stderr_fd >= 0)
		dup2(fileno(s->log), STDERR_FILENO);
}

static void give_stderr_back(struct screen *s)
{
	int log = fileno(s->log);
	if (s->stderr_fd < 0)
		return;
	fflush(stderr);
	dup2(s->stderr_fd, STDERR_FILENO);
	close(s->stderr_fd);
	s->stderr_fd = -1;
	copy_log(log, STDERR_FILENO);
	if (ftruncate(log, 0) == 0)
		lseek(log, 0, SEEK_SET);
}

/* ---- the screen ---- */

/* What brings this terminal back, should we not be able to. */
static void arm(struct screen *s)
{
	static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
	char bytes[256] = "";
	size_t len = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *text = tigetstr(names[i]);
		size_t n = text && text != (char *)-1 ? strlen(text) : 0;
		if (len + n >= sizeof bytes)
			continue;
		memcpy(bytes + len, text ? text : "", n);
		len += n;
	}
	guard_arm(&s->guard, len ? bytes : "\n", len ? len : 1);
}

static void choose_colours(struct screen *s)
{
	static const short colours[GRID_STYLES] = { [GRID_GOOD] = COLOR_GREEN,
		                                    [GRID_BAD] = COLOR_RED,
		                                    [GRID_ACCENT] = COLOR_CYAN,
		                                    [GRID_WARN] = COLOR_MAGENTA };
	const char *no = getenv("NO_COLOR");
	s->colours =
		!(no && *no) && has_colors() && start_color() == OK && use_default_colors() == OK;
	for (short i = 0; s->colours && i < GRID_STYLES; i++)
		if (colours[i])
			init_pair(i, colours[i], -1);
}

static bool is_coloured(const struct screen *s, unsigned style)
{
	return s->colours && (style == GRID_GOOD || style == GRID_BAD || style == GRID_ACCENT ||
	                      style == GRID_WARN);
}

static attr_t attributes(const struct screen *s, unsigned style)
{
	static const attr_t plain[GRID_STYLES] = {
		[GRID_DIM] = A_DIM,       [GRID_BOLD] = A_BOLD, [GRID_GOOD] = A_BOLD,
		[GRID_BAD] = A_UNDERLINE, [GRID_WARN] = A_BOLD, [GRID_BAR] = A_REVERSE
	};
	return is_coloured(s, style) ? A_NORMAL : plain[style];
}

/* Ctrl-Z is to arrive as data: what ncurses would do in a handler is done in screen_ready. */
static void block_stops(struct screen *s)
{
	sigset_t stop;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_BLOCK, &stop, &s->mask);
}

/* False: the terminal does not say. */
static bool ask_size(const struct screen *s, unsigned *rows, unsigned *cols)
{
	struct winsize size;
	if (ioctl(fileno(s->out), TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return false;
	*rows = size.ws_row < SIDE_MAX ? size.ws_row : SIDE_MAX;
	*cols = size.ws_col < SIDE_MAX ? size.ws_col : SIDE_MAX;
	return true;
}

/* What is drawn has the size of what ncurses has room for. */
static void take_size(struct screen *s)
{
	s->rows = (unsigned)getmaxy(stdscr);
	s->cols = (unsigned)getmaxx(stdscr);
}

static void follow_size(struct screen *s)
{
	unsigned rows, cols;
	if (ask_size(s, &rows, &cols) && (rows != s->rows || cols != s->cols)) {
		resizeterm((int)rows, (int)cols);
		take_size(s); /* which has not changed if there was no memory for that */
		clearok(curscr, TRUE);
	}
}

static void set_up(struct screen *s)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	flushinp(); /* keys that were typed ahead were not meant for the display */
	nodelay(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	set_escdelay(25);
	curs_set(0);
	choose_colours(s);
	take_size(s);
}

bool screen_open(struct screen *s)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, size, stop;
	unsigned rows, cols;
	locale_t before = enter(s);
	use_env(!ask_size(s, &rows, &cols)); /* ncurses would believe it; follow_size sees to it */
	/* Neither of these is for ncurses to catch: we ask for the size, and stop by ourselves. */
	sigaction(SIGWINCH, &ignore, &size);
	sigaction(SIGTSTP, &ignore, &stop);
	arm(s);
	s->terminal = newterm(NULL, s->out, s->in);
	sigaction(SIGWINCH, &size, NULL);
	sigaction(SIGTSTP, &stop, NULL);
	s->open = s->terminal && tigetstr("cup") && tigetstr("cup") != (char *)-1;
	if (s->open) {
		set_up(s);
		arm(s);
		block_stops(s);
		take_stderr(s);
	} else if (s->terminal) {
		endwin();
		delscreen(s->terminal);
		s->terminal = NULL;
	}
	if (!s->open)
		guard_disarm(&s->guard);
	leave(before);
	return s->open;
}

void screen_close(struct screen *s)
{
	if (!s->open)
		return;
	locale_t before = enter(s);
	if (!isendwin())
		endwin();
	delscreen(s->terminal);
	leave(before);
	s->open = false;
	guard_disarm(&s->guard);
	give_stderr_back(s);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* ---- Ctrl-Z ---- */

static bool stop_is_pending(void)
{
	sigset_t pending;
	return sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP) == 1;
}

static void stop(struct screen *s)
{
	sigset_t one, before;
	endwin();
	guard_disarm(&s->guard);
	give_stderr_back(s);
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, &before); /* here the program stops */
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void resume(struct screen *s)
{
	arm(s);
	take_stderr(s);
	clearok(curscr, TRUE);
	refresh(); /* from now on isendwin() is false */
	curs_set(0);
}

bool screen_ready(struct screen *s, struct grid *g)
{
	if (!s->open)
		return false;
	locale_t before = enter(s);
	if (stop_is_pending())
		stop(s);
	bool ready = in_front(s);
	if (ready && isendwin())
		resume(s);
	if (ready) {
		follow_size(s);
		g->ascii = s->ascii;
		grid_clear(g, s->rows, s->cols);
	}
	leave(before);
	return ready;
}

/* ---- drawing ---- */

void screen_show(struct screen *s, const struct grid *g)
{
	locale_t before = enter(s);
	for (unsigned r = 0; r < g->rows; r++)
		for (unsigned c = 0; c < g->cols; c++) {
			const struct grid_cell *cell = &g->cells[(size_t)r * g->cols + c];
			wchar_t text[2] = { (wchar_t)cell->ch, L'\0' };
			cchar_t ch;
			setcchar(&ch, text, attributes(s, cell->style),
			         is_coloured(s, cell->style) ? (short)cell->style : 0, NULL);
			mvadd_wch((int)r, (int)c, &ch);
		}
	refresh();
	leave(before);
}

int screen_key(struct screen *s)
{
	static const struct {
		int curses;
		enum screen_key key;
	} keys[] = { { KEY_UP, SCREEN_UP },         { KEY_DOWN, SCREEN_DOWN },
		     { KEY_PPAGE, SCREEN_PAGE_UP }, { KEY_NPAGE, SCREEN_PAGE_DOWN },
		     { KEY_HOME, SCREEN_HOME },     { KEY_END, SCREEN_END },
		     { '\033', SCREEN_BACK } };
	locale_t before = enter(s);
	int key = getch();
	leave(before);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (key == keys[i].curses)
			return (int)keys[i].key;
	return key > 0 && key < 0x100 ? key : SCREEN_NONE;
}

#else

const char *screen_library(void)
{
	return NULL;
}

struct screen *screen_new(void)
{
	return NULL;
}

void screen_free(struct screen *s)
{
	(void)s;
}

bool screen_open(UNUSED struct screen *s)
{
	return false;
}

void screen_close(struct screen *s)
{
	(void)s;
}

bool screen_ready(UNUSED struct screen *s, UNUSED struct grid *g)
{
	return false;
}

void screen_show(struct screen *s, const struct grid *g)
{
	(void)s, (void)g;
}

int screen_key(UNUSED struct screen *s)
{
	return SCREEN_NONE;
}

#endif
