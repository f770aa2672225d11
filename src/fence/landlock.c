#include "fence/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

/* The same on all architectures. */
enum { CALL_CREATE = 444, CALL_ADD = 445, CALL_ENTER = 446 };

enum { ASK_VERSION = 1, RULE_PATH = 1 };

/* Rights, as in linux/landlock.h. Reading and executing are not ours to forbid. */
enum {
	WRITE_FILE = 1 << 1,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_SYM = 1 << 12,
	REFER = 1 << 13,
	TRUNCATE = 1 << 14,
	IN_DIRECTORY = REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO |
	               MAKE_SYM | REFER,
	HANDLED = WRITE_FILE | TRUNCATE | IN_DIRECTORY | MAKE_CHAR | MAKE_BLOCK,
};
enum { BIND_TCP = 1, CONNECT_TCP = 2 };
enum { SCOPE_ABSTRACT = 1, SCOPE_SIGNAL = 2 };

struct attributes {
	uint64_t fs, net, scoped;
};

struct beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

enum { SINCE_TRUNCATE = 3 };

/* What the kernel knows of RIGHTS. */
static uint64_t known(uint64_t rights, int abi)
{
	return abi < SINCE_TRUNCATE ? rights & ~(uint64_t)TRUNCATE : rights;
}

int landlock_abi(void)
{
	long abi = syscall(CALL_CREATE, NULL, 0, ASK_VERSION);
	return abi < LANDLOCK_LEAST ? 0 : (int)abi;
}

int landlock_new(int abi, bool no_tcp)
{
	const struct attributes a = {
		.fs = known(HANDLED, abi),
		.net = no_tcp && abi >= LANDLOCK_TCP ? BIND_TCP | CONNECT_TCP : 0,
		.scoped = abi >= LANDLOCK_SCOPES ? SCOPE_ABSTRACT | SCOPE_SIGNAL : 0,
	};
	size_t size = abi >= LANDLOCK_SCOPES ? sizeof a
	              : abi >= LANDLOCK_TCP  ? offsetof(struct attributes, scoped)
	                                     : offsetof(struct attributes, net);
	return (int)syscall(CALL_CREATE, &a, size, 0);
}

int landlock_allow(int rules, int abi, const char *path)
{
	struct stat st;
	IO_SCOPED int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bool directory = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	struct beneath rule = { known(WRITE_FILE | TRUNCATE | (directory ? IN_DIRECTORY : 0), abi),
		                fd };
	return (int)syscall(CALL_ADD, rules, RULE_PATH, &rule, 0);
}

void landlock_allow_devices(int rules, int abi)
{
	static const char *const paths[] = { "/dev/null",   "/dev/zero",    "/dev/full",
		                             "/dev/random", "/dev/urandom", "/dev/tty",
		                             "/dev/ptmx",   "/dev/pts" };
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		landlock_allow(rules, abi, paths[i]);
}

int landlock_enter(int rules)
{
	return (int)syscall(CALL_ENTER, rules, 0);
}
