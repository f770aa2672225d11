#include "disk/claim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"

struct name {
	struct sockaddr_un addr;
	socklen_t size;
};

/* The name of a claim on REAL; false: its directory cannot be looked at. */
static bool name_of(const char *real, struct name *name)
{
	struct stat st;
	const char *leaf = strrchr(real, '/');
	MEM_SCOPED char *dir = leaf ? mem_printf("%.*s/", (int)(leaf - real), real) : NULL;
	bool found = dir && stat(dir, &st) == 0;
	if (!found)
		return false;
	struct hash hash = hash_bytes(leaf, strlen(leaf), 0);
	*name = (struct name){ .addr = { .sun_family = AF_UNIX } };
	int n = snprintf(name->addr.sun_path + 1, sizeof name->addr.sun_path - 1,
	                 "whittle-claim-%" PRIxMAX "-%" PRIxMAX "-%016" PRIx64,
	                 (uintmax_t)st.st_dev, (uintmax_t)st.st_ino, hash.lo);
	name->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
	return true;
}

static int open_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* The process that has claimed REAL; 0: none. */
static pid_t owner_of(const char *real)
{
	struct name name;
	struct ucred peer = { 0 };
	socklen_t size = sizeof peer;
	IO_SCOPED int fd = name_of(real, &name) ? open_socket() : -1;
	bool is = fd >= 0 &&
	          (connect(fd, (struct sockaddr *)&name.addr, name.size) == 0 || errno == EAGAIN);
	if (is && (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.pid <= 0))
		peer.pid = 1;
	return is ? peer.pid : 0;
}

/* A directory above REAL that somebody replaces as a whole: what is written in it would be lost. */
static int check_above(const char *real, const char *shown, struct err *err)
{
	MEM_SCOPED char *dir = mem_strdup(real);
	pid_t owner = 0;
	for (char *slash; !owner && (slash = strrchr(dir, '/')) && slash != dir;) {
		*slash = '\0';
		owner = owner_of(dir);
	}
	if (owner)
		err_set(err, ERR_SYSTEM, "%s is in %s, which is being reduced by process %ld",
		        shown, dir, (long)owner);
	return owner ? -1 : 0;
}

int claim_take(const char *real, const char *shown, struct err *err)
{
	struct name name;
	if (check_above(real, shown, err) < 0)
		return -1;
	int fd = name_of(real, &name) ? open_socket() : CLAIM_NONE;
	if (fd < 0)
		return CLAIM_NONE;
	if (bind(fd, (struct sockaddr *)&name.addr, name.size) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	bool taken = errno == EADDRINUSE;
	close(fd);
	if (!taken)
		return CLAIM_NONE;
	return err_set(err, ERR_SYSTEM, "%s is being reduced by process %ld", shown,
	               (long)owner_of(real));
}
