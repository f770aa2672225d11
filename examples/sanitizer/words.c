/* Counts words, each once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	size_t n = 0, room = 8;
	char word[100], **list = malloc(room * sizeof *list);
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!f || !list)
		return 2;
	while (fscanf(f, "%99s", word) == 1) {
		size_t i = 0;
		while (i < n && strcmp(list[i], word))
			i++;
		if (i < n)
			continue;
		list[n] = strdup(word); /* before there is room */
		if (n++ == room)
			list = realloc(list, (room *= 2) * sizeof *list);
	}
	printf("%zu\n", n);
	while (n)
		free(list[--n]);
	free(list);
	return 0;
}
