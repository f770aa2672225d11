/* What shell scripts cannot try, for tests/fence/table; and a kernel that lacks something.
 *
 *     attack refuse landlock|namespaces COMMAND...   COMMAND, without these system calls
 *     attack serve NAME      prints the port of a TCP server; also an abstract socket NAME, both
 * until standard input ends attack stay            listens on a port and stays, however it is left
 * behind attack connect PORT | abstract NAME | trace PID | mount DIRECTORY | device PATH
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Nobody accepts connections, so as many as there are runs have to wait; one too many would block.
 */
enum { WAITING = 1000 };

/* The system call CALL does not exist for us and what we start. */
static int forget_call(unsigned call)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
	               ? -1
	               : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int refuse(char **argv)
{
	enum { CLONE3 = 435, LANDLOCK_CREATE_RULESET = 444 };
	if (forget_call(!strcmp(argv[2], "landlock") ? LANDLOCK_CREATE_RULESET : CLONE3) < 0)
		return 1;
	execvp(argv[3], argv + 3);
	return 1;
}

static int local_server(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int sock = socket(AF_INET, SOCK_STREAM, 0);
	return bind(sock, (struct sockaddr *)&at, sizeof at) < 0 || listen(sock, WAITING) < 0
	               ? -1
	               : sock;
}

static int abstract(const char *name, int (*use)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "%s", name);
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	return use(sock, (struct sockaddr *)&at, len) < 0 ? -1 : sock;
}

static int serve(const char *name)
{
	struct sockaddr_in at = { 0 };
	socklen_t len = sizeof at;
	int tcp = local_server(), local = abstract(name, bind);
	char byte;
	if (tcp < 0 || local < 0 || listen(local, WAITING) < 0 ||
	    getsockname(tcp, (struct sockaddr *)&at, &len) < 0)
		return 1;
	printf("%u\n", (unsigned)ntohs(at.sin_port));
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

static int stay(void)
{
	if (fork())
		return 0;
	setsid();
	if (fork())
		_exit(0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (local_server() < 0)
		_exit(1);
	for (;;)
		pause();
}

static int connect_to(const char *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		                  .sin_port = htons((unsigned short)atoi(port)),
		                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at) < 0;
}

static int trace(const char *pid)
{
	if (ptrace(PTRACE_SEIZE, atoi(pid), NULL, NULL) < 0)
		return 1;
	ptrace(PTRACE_DETACH, atoi(pid), NULL, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *arg = argc > 2 ? argv[2] : "";
	if (!strcmp(what, "refuse") && argc > 3)
		return refuse(argv);
	if (!strcmp(what, "serve"))
		return serve(arg);
	if (!strcmp(what, "stay"))
		return stay();
	if (!strcmp(what, "connect"))
		return connect_to(arg);
	if (!strcmp(what, "abstract"))
		return abstract(arg, connect) < 0;
	if (!strcmp(what, "trace"))
		return trace(arg);
	if (!strcmp(what, "mount"))
		return mount("x", arg, "tmpfs", 0, NULL) < 0;
	if (!strcmp(what, "device"))
		return mknod(arg, S_IFBLK | 0600, makedev(7, 0)) < 0;
	fputs("usage: attack refuse|serve|stay|connect|abstract|trace|mount|device ...\n", stderr);
	return 2;
}
