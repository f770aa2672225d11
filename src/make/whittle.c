/* whittle.so: whittle as functions of GNU make (4.0 or newer, built with "load"), see
 * whittle-make(7).
 *
 *     $(whittle-reduce TEST,FILE[,OPTIONS])   reduces FILE as the command would; expands to the
 * file with the result
 *     $(whittle-size FILE)                    expands to FILE's size in bytes, to nothing when
 * there is none
 *
 * It starts the command rather than being linked with it: make loads this into its own process,
 * whose signal handlers and memory are no place for a search. gnumake.h calls its interface a
 * preview; whittle.mk is what can be relied upon. Memory that make takes over comes from gmk_alloc,
 * errors end make through its own $(error).
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <gnumake.h>

GMK_EXPORT int plugin_is_GPL_compatible;
GMK_EXPORT int whittle_gmk_setup(const gmk_floc *where);

/* Ends make with a message, through its $(error). What make would expand or count in FORMAT's
 * arguments becomes "?". */
__attribute__((format(printf, 1, 2))) static void stop(const char *format, ...)
{
	char message[2048], call[2100];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	for (char *c = message; *c; c++)
		if (*c == '$' || *c == '(' || *c == ')')
			*c = '?';
	snprintf(call, sizeof call, "$(error whittle: %s)", message);
	gmk_free(gmk_expand(call));
}

static char *result(const char *text)
{
	char *copy = gmk_alloc((unsigned)strlen(text) + 1);
	return copy ? strcpy(copy, text) : NULL;
}

/* Puts what EXPRESSION expands to into TO; -1 when it is cut there, SIZE being too small. */
static int expand(const char *expression, char *to, size_t size)
{
	char *text = gmk_expand(expression);
	int n = snprintf(to, size, "%s", text);
	gmk_free(text);
	return n < 0 || (size_t)n >= size ? -1 : 0;
}

/* In the child: as a shell started by make would be, and gone when make is. */
static void become_shell(const char *script, const char *test, const char *file, pid_t make)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != make)
		_exit(127);
#else
	(void)make;
#endif
	/* What the command says is no part of what the function expands to. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", script, "whittle", test, file, (char *)NULL);
	_exit(127);
}

/* The command's exit status, 128 + N when signal N ended it. */
static int run(const char *script, const char *test, const char *file)
{
	int status = 0;
	pid_t make = getpid(), pid;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become_shell(script, test, file, make);
	if (pid < 0)
		return 127;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The file that OPTIONS name with -o, else FILE. */
static char *output_of(const char *options, const char *file)
{
	static const char *const forms[] = { "-o", "--output=", "--output" };
	for (const char *word = options + strspn(options, " \t"); *word;
	     word += strspn(word, " \t")) {
		size_t len = strcspn(word, " \t");
		for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
			size_t n = strlen(forms[i]);
			const char *name = word + n;
			if (len < n || strncmp(word, forms[i], n))
				continue;
			if (len == n)
				name += strspn(name, " \t");
			else if (i == 2)
				continue;
			len = strcspn(name, " \t");
			char *copy = gmk_alloc((unsigned)len + 1);
			if (copy)
				sprintf(copy, "%.*s", (int)len, name);
			return copy;
		}
		word += len;
	}
	return result(file);
}

/* With -n, -q and -t make changes nothing, and so neither does this. */
static bool is_dry(void)
{
	char flags[256];
	expand("$(filter-out --%,$(firstword -$(MAKEFLAGS)))", flags, sizeof flags);
	return strpbrk(flags, "nqt") != NULL;
}

static char *reduce(const char *name, unsigned int argc, char **argv)
{
	char program[1024], script[8192];
	const char *options = argc > 2 ? argv[2] : "";
	(void)name;
	if (!*argv[0] || !*argv[1])
		stop("whittle-reduce: TEST and FILE are needed");
	if (is_dry())
		return output_of(options, argv[1]);
	/* OPTIONS are words of the shell, so that quoting in them does what it does in a recipe. */
	if (expand("$(or $(if $(value WHITTLE),$(WHITTLE)),whittle)", program, sizeof program) <
	            0 ||
	    snprintf(script, sizeof script, "exec %s reduce -q %s -- \"$1\" \"$2\"", program,
	             options) >= (int)sizeof script)
		stop("whittle-reduce: the options are too long");
	int status = run(script, argv[0], argv[1]);
	if (status)
		stop("reducing %s failed with status %d", argv[1], status);
	return output_of(options, argv[1]);
}

static char *size(const char *name, unsigned int argc, char **argv)
{
	struct stat st;
	char number[32];
	(void)name;
	(void)argc;
	if (stat(argv[0], &st) < 0)
		return NULL;
	snprintf(number, sizeof number, "%lld", (long long)st.st_size);
	return result(number);
}

int whittle_gmk_setup(const gmk_floc *where)
{
	(void)where;
	gmk_add_function("whittle-reduce", reduce, 2, 3, GMK_FUNC_DEFAULT);
	gmk_add_function("whittle-size", size, 1, 1, GMK_FUNC_DEFAULT);
	return 1;
}
