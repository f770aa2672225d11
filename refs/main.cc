/* What the end of a C++ file does not reach over exact references, and what clang then finds
 * needless, as external passes of whittle: whittle-passes(7).
 *
 *   whittle-refs describe FILE
 *   whittle-refs list unreached|needless FILE
 */
#include "needless.h"

#include <clang/Basic/Version.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <signal.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEVELS = 3 };

static void describe()
{
	printf("{\"protocol\": 1, \"name\": \"refs\", \"version\": \"6 clang %s\", \"seconds\": "
	       "300}\n",
	       CLANG_VERSION_STRING);
	for (const char *pass : { "unreached", "needless" })
		printf("{\"pass\": \"%s\", \"tokenizers\": [\"c\"], \"early\": true, "
		       "\"min-bytes\": 4096, \"max-bytes\": 16777216}\n",
		       pass);
}

static void print(const std::vector<Cut> &cuts)
{
	const char *comma = "";
	printf("{\"edits\": [");
	for (const Cut &c : cuts) {
		printf("%s[%u,%u", comma, c.begin, c.end);
		if (!c.by.empty())
			printf(",\"");
		for (char by : c.by)
			printf(by == '\n' ? "\\n" : "%c", by);
		printf(c.by.empty() ? "]" : "\"]");
		comma = ",";
	}
	printf("]}\n");
	fflush(stdout);
}

/* The candidates for the tail: without bodies, with those that it calls, with those that
 * these call, with all; and that with all functions of a name where one was enough so far: which
 * one is called may depend on whether others can be, and the tree does not have these. What clang's
 * messages about the file point at is likely to be what the test is about, and stays. */
static void list_tail(const std::string &text, const std::string &standard)
{
	Closure closure(text, standard, 0);
	if (!closure.is_there())
		return;
	for (int level = 0; level < LEVELS; level++) {
		closure.references();
		print(closure.cuts());
		if (!closure.next_level())
			break;
	}
	closure.last_level();
	print(closure.cuts());
	closure.be_generous();
	print(closure.cuts());
}

static void list(const std::string &text, bool needless)
{
	std::string standard = find_standard(text);
	if (standard.empty())
		return;
	if (needless)
		find_needless(text, standard, print);
	else
		list_tail(text, standard);
}

/* The smallest candidate first, which comes last; one of which only a part is there is left out. */
static void print_backwards(const std::string &lines)
{
	size_t end = lines.rfind('\n');
	while (end != std::string::npos) {
		size_t before = end ? lines.rfind('\n', end - 1) : std::string::npos;
		size_t begin = before == std::string::npos ? 0 : before + 1;
		fwrite(lines.data() + begin, 1, end + 1 - begin, stdout);
		end = before;
	}
}

/* In a process of its own: whatever crashes the compiler may crash this one. Nothing is proposed
 * then, or what was found needless by then. */
static int guarded(const std::string &text, bool needless)
{
	std::string answer;
	int fds[2], status;
	if (pipe(fds) < 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		const struct rlimit none = { 0, 0 };
		setrlimit(RLIMIT_CORE, &none);
		for (int s : { SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE })
			signal(s, SIG_DFL);
		dup2(fds[1], STDOUT_FILENO);
		list(text, needless);
		fflush(stdout);
		_exit(0);
	}
	close(fds[1]);
	char buf[65536];
	for (ssize_t n; (n = read(fds[0], buf, sizeof buf)) > 0;)
		answer.append(buf, (size_t)n);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	if (needless)
		print_backwards(answer);
	else if (WIFEXITED(status) && !WEXITSTATUS(status))
		fwrite(answer.data(), 1, answer.size(), stdout);
	return 0;
}

int main(int argc, char **argv)
{
	std::string command = argc > 2 ? argv[1] : "", file = argc > 2 ? argv[argc - 1] : "";
	if (command == "describe" && argc == 3) {
		describe();
		return 0;
	}
	bool needless = argc == 4 && !strcmp(argv[2], "needless");
	if (command == "list" && argc == 4 && (needless || !strcmp(argv[2], "unreached"))) {
		std::ifstream in(file, std::ios::binary);
		std::stringstream text;
		text << in.rdbuf();
		return in ? guarded(text.str(), needless) : 1;
	}
	fprintf(stderr, "usage: whittle-refs describe FILE | list unreached|needless FILE\n");
	return 1;
}
