/* In place of libFuzzer's main: gives the target each file named, and each file in each directory
 * named. Prints how many there were. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fuzz.h"

static unsigned replay_file(const char *path)
{
	struct buf bytes = { 0 };
	struct err err;
	if (io_read_file(path, &bytes, &err) < 0) {
		fprintf(stderr, "replay: %s\n", err.msg);
		exit(1);
	}
	fprintf(stderr, "%s\n", path);
	uint8_t *exact = mem_dup(bytes.data, bytes.len); /* so that reading behind it is seen */
	LLVMFuzzerTestOneInput(exact, bytes.len);
	free(exact);
	buf_release(&bytes);
	return 1;
}

static unsigned replay_directory(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);
	unsigned files = 0;
	for (int i = 0; i < n; i++) {
		char *file = mem_printf("%s/%s", path, list[i]->d_name);
		if (list[i]->d_name[0] != '.')
			files += replay_file(file);
		free(file);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return files;
}

int main(int argc, char **argv)
{
	unsigned files = 0;
	for (int i = 1; i < argc; i++) {
		struct stat st;
		bool directory = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
		files += directory ? replay_directory(argv[i]) : replay_file(argv[i]);
	}
	printf("%u inputs\n", files);
	return files == 0;
}
