/* The test of bench/faults: is "bug" in a file that is named, or in one below a directory that is?
 * A program, since a reduction is repeated thousands of times, and a shell that starts grep takes
 * most of it. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 4096 };

static bool in_bytes(int fd)
{
	char bytes[ROOM];
	ssize_t n = read(fd, bytes, sizeof bytes);
	return n > 0 && memmem(bytes, (size_t)n, "bug", 3);
}

/* Closes FD. */
static bool in_any(int fd)
{
	struct stat st;
	DIR *dir = NULL;
	bool found = false;
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		found = in_bytes(fd);
	else if (fd >= 0)
		dir = fdopendir(fd);
	for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			found = in_any(openat(fd, entry->d_name, O_RDONLY | O_NOFOLLOW));
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return found;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (in_any(open(argv[i], O_RDONLY)))
			return 0;
	return 1;
}
