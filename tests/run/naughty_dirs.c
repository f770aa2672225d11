/* What naughty does to the directories that it was given, and to those above. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "naughty.h"

static void make(const char *dir, int n)
{
	char name[64];
	mkdir(dir, 0700);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%s/file-%d", dir, i);
		close(open(name, O_WRONLY | O_CREAT, 0));
	}
	chmod(dir, 0);
}

int naughty_litter(void)
{
	make("many", 3000);
	make(getenv("TMPDIR"), 100);
	mkdir("deep", 0700);
	int fd = open("deep", O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 3000 && fd >= 0; i++) {
		if (mkdirat(fd, "d", 0700) < 0)
			return 1;
		int next = openat(fd, "d", O_RDONLY | O_DIRECTORY);
		close(fd);
		fd = next;
	}
	chmod("deep", 0);
	chmod(".", 0);
	return 0;
}

/* Removes, or moves away, the directories that it was given. */
int naughty_uproot(void)
{
	char cwd[4096];
	if (!getcwd(cwd, sizeof cwd))
		return 1;
	return system("rm -rf ./* \"$TMPDIR\"") != 0 || rmdir(cwd) < 0;
}

int naughty_displace(void)
{
	char cwd[4096], to[4104];
	if (!getcwd(cwd, sizeof cwd))
		return 1;
	snprintf(to, sizeof to, "%s.moved", cwd);
	return rename(cwd, to) < 0 || symlink("/", cwd) < 0;
}

/* The slot's directory, or the pool's, with all in it. */
static int raze(int levels)
{
	char cwd[4096], command[4200];
	if (!getcwd(cwd, sizeof cwd))
		return 1;
	while (levels--)
		*strrchr(cwd, '/') = '\0';
	snprintf(command, sizeof command, "rm -rf '%s'", cwd);
	return system(command) != 0;
}

int naughty_raze_slot(void)
{
	return raze(1);
}

int naughty_raze_pool(void)
{
	return raze(2);
}

/* And something else is in its place. */
int naughty_displace_slot(void)
{
	char cwd[4096], to[4200];
	if (!getcwd(cwd, sizeof cwd))
		return 1;
	*strrchr(cwd, '/') = '\0';
	snprintf(to, sizeof to, "%s.moved-%d", cwd, (int)getpid());
	return rename(cwd, to) < 0 || mkdir(cwd, 0755) < 0;
}

int naughty_close_off(void)
{
	char cwd[4096];
	if (!getcwd(cwd, sizeof cwd))
		return 1;
	for (int i = 0; i < 2; i++) {
		*strrchr(cwd, '/') = '\0';
		chmod(cwd, 0);
	}
	return 0;
}
