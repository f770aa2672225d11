/* peak FILE COMMAND [ARGUMENT...]: runs a command and writes to FILE the peak resident memory, in
 * bytes, of the largest process among it and all those below it that were waited for. Exits as the
 * command does. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int failed(const char *what)
{
	perror(what);
	return 127;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: peak FILE COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	pid_t child = fork();
	if (child < 0)
		return failed("fork");
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(failed(argv[2]));
	}
	int status;
	struct rusage usage;
	if (waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &usage) < 0)
		return failed("wait");
	FILE *out = fopen(argv[1], "w");
	if (!out || fprintf(out, "%lld\n", usage.ru_maxrss * 1024LL) < 0 || fclose(out))
		return failed(argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
