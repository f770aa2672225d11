#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"

#define ACCESS_LIST "system.posix_acl_access"

/* Signatures of the content, which is another one. */
static bool is_of_content(const char *name)
{
	return !strcmp(name, "security.ima") || !strcmp(name, "security.evm");
}

static void give_one(int fd, const char *like, const char *name)
{
	ssize_t size = lgetxattr(like, name, NULL, 0);
	MEM_SCOPED void *value = size < 0 ? NULL : mem_alloc((size_t)size + 1);
	if (value && (size = lgetxattr(like, name, value, (size_t)size)) >= 0)
		fsetxattr(fd, name, value, (size_t)size, 0);
}

/* Extended attributes, with them access lists and labels. The list that the new file has by the
 * default of its directory goes. */
static void give_attributes(int fd, const char *like)
{
	bool has_list = false;
	ssize_t size = llistxattr(like, NULL, 0);
	MEM_SCOPED char *names = size > 0 ? mem_alloc((size_t)size) : NULL;
	if (names)
		size = llistxattr(like, names, (size_t)size);
	for (ssize_t at = 0; names && at < size; at += (ssize_t)strlen(names + at) + 1) {
		has_list = has_list || !strcmp(names + at, ACCESS_LIST);
		if (!is_of_content(names + at))
			give_one(fd, like, names + at);
	}
	if (!has_list)
		fremovexattr(fd, ACCESS_LIST);
}

/* What may be given is: the group, if not the owner. *OWN is what came of it. */
static void give_owner(int fd, const struct stat *like, struct stat *own)
{
	if (own->st_uid == like->st_uid && own->st_gid == like->st_gid)
		return;
	if (fchown(fd, like->st_uid, like->st_gid) < 0 && fchown(fd, (uid_t)-1, like->st_gid) < 0)
		return;
	fstat(fd, own);
}

int io_give_form(int fd, struct io_form form)
{
	struct stat own, like = { 0 };
	mode_t mode = form.mode & 07777;
	if (fstat(fd, &own) < 0)
		return -1;
	if (form.like && lstat(form.like, &like) == 0 &&
	    (like.st_mode & S_IFMT) == (own.st_mode & S_IFMT)) {
		give_owner(fd, &like, &own);
		give_attributes(fd, form.like);
		if (own.st_uid != like.st_uid)
			mode &= ~(mode_t)S_ISUID;
		if (S_ISREG(own.st_mode) && own.st_gid != like.st_gid)
			mode &= ~(mode_t)S_ISGID;
	}
	return fchmod(fd, mode);
}
