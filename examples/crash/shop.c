/* Reads a shop's stock: sections in brackets, "name = value" lines, "use SECTION" to inherit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct section {
	char name[64];
	char base[64];
	int items;
};

static struct section sections[100];
static int n;

static struct section *find(const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(sections[i].name, name))
			return &sections[i];
	return NULL;
}

static int depth(const struct section *s)
{
	const struct section *base = find(s->base);
	return base ? 1 + depth(base) : s->items > 0;
}

int main(int argc, char **argv)
{
	char line[256], word[64];
	struct section *s = NULL;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!f)
		return 2;
	while (fgets(line, sizeof line, f)) {
		if (n < 100 && sscanf(line, "[%63[^]]]", word) == 1) {
			s = &sections[n++];
			strcpy(s->name, word);
		} else if (s && sscanf(line, "use %63s", word) == 1)
			strcpy(s->base, word);
		else if (s && strchr(line, '='))
			s->items++;
	}
	for (int i = 0; i < n; i++)
		printf("%s %d\n", sections[i].name, depth(&sections[i]));
	return 0;
}
