/* A leaf job: counts how many of its kind run at the same time.
 *     leaf DIRECTORY MILLISECONDS
 * Each takes the first free one of the locks DIRECTORY/1, DIRECTORY/2... and holds it for so long
 * (that is its work); the kernel lets go of it when the process is gone, however it went. So the
 * highest lock file that was ever made is the largest number at one time. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static int open_lock(const char *dir, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		exit(70);
	return fd;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 64;
	int gate = open_lock(argv[1], "gate");
	if (flock(gate, LOCK_EX) < 0)
		return 70;
	for (int i = 1, fd = -1; fd < 0; i++) {
		char name[16];
		snprintf(name, sizeof name, "%d", i);
		fd = open_lock(argv[1], name);
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			close(fd);
			fd = -1;
		}
	}
	close(gate);
	long ms = strtol(argv[2], NULL, 10);
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
	return 0;
}
