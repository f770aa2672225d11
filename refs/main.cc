/* What the end of a C++ file reaches over exact references, as an external pass of whittle:
 * whittle-passes(7).
 *
 *   whittle-refs describe FILE
 *   whittle-refs list unreached FILE
 */
#include "repair.h"

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

enum { LEVELS = 3, LAST = 40, ALL_LEVELS = 1000 };

static void describe()
{
	printf("{\"protocol\": 1, \"name\": \"refs\", \"version\": \"3 clang %s\", \"seconds\": "
	       "300}\n",
	       CLANG_VERSION_STRING);
	printf("{\"pass\": \"unreached\", \"tokenizers\": [\"c\"], \"early\": true, "
	       "\"min-bytes\": 16384, \"max-bytes\": 16777216}\n");
}

static void print(const std::vector<Cut> &cuts)
{
	const char *comma = "";
	printf("{\"edits\": [");
	for (const Cut &c : cuts) {
		printf("%s[%u,%u", comma, c.begin, c.end);
		if (*c.by)
			printf(",\"%s\"", *c.by == '\n' ? "\\n" : c.by);
		printf("]");
		comma = ",";
	}
	printf("]}\n");
}

/* Where the part begins whose references count: what the user wrote, as far as that can be seen. */
static unsigned find_tail(const Units &units)
{
	enum { TAIL = 64 }; /* one part in so many */
	unsigned size = (unsigned)units.text.size();
	for (unsigned own : { units.own_part(), units.behind_libraries(size / TAIL) })
		if (own && own < size && size - own < size / 4)
			return own;
	return size - size / TAIL;
}

/* The candidates for the tail: without bodies, with those that it calls, with those that
 * these call, with all; and that with all functions of a name where one was enough so far: which
 * one is called may depend on whether others can be, and the tree does not have these. What clang's
 * messages about the file point at is likely to be what the test is about, and stays. */
static void list_tail(const std::string &text, const std::string &standard)
{
	Messages messages;
	auto tree = parse(text, standard, messages);
	if (!tree)
		return;
	Units units(tree->getASTContext(), text);
	unsigned tail = find_tail(units);
	Reach reach(units, tail);
	for (size_t i = 1; i < units.all.size(); i++)
		if (units.all[i].begin >= tail)
			reach.keep((int)i);
	for (const Message &m : messages.all)
		if (m.here && !m.is_of_dialect())
			reach.keep_reported(units.innermost(m.at));
	reach.follow();
	Repair repair(units, reach, standard, messages);
	for (int level = 0; level < LAST; level++) {
		if (level < LEVELS)
			repair.run();
		if (level < LEVELS)
			print(cuts_of(units, level));
		if (!reach.next_level())
			break;
	}
	repair.run();
	print(cuts_of(units, ALL_LEVELS));
	reach.be_generous();
	for (int level = 0; level < LAST && reach.next_level(); level++)
		;
	repair.run();
	print(cuts_of(units, ALL_LEVELS));
}

static void list(const std::string &text)
{
	std::string standard = find_standard(text);
	if (standard.empty())
		return;
	list_tail(text, standard);
}

/* In a process of its own: whatever crashes the compiler may crash this one. Nothing is proposed
 * then. */
static int guarded(const std::string &text)
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
		list(text);
		fflush(stdout);
		_exit(0);
	}
	close(fds[1]);
	char buf[65536];
	for (ssize_t n; (n = read(fds[0], buf, sizeof buf)) > 0;)
		answer.append(buf, (size_t)n);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
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
	if (command == "list" && argc == 4 && !strcmp(argv[2], "unreached")) {
		std::ifstream in(file, std::ios::binary);
		std::stringstream text;
		text << in.rdbuf();
		return in ? guarded(text.str()) : 1;
	}
	fprintf(stderr, "usage: whittle-refs describe FILE | list unreached FILE\n");
	return 1;
}
