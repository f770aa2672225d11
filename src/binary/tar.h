/* Archives of files (ustar, with GNU's long names), as what file systems say (binary/extfs.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;

enum { TAR_BLOCK = 512 };

/* What a file begins with. */
struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type;
	char link[100], magic[8], user[32], group[32], major[8], minor[8], more[167];
};

/* Numbers in digits. */
void tar_put(char *to, uint32_t width, uint32_t value);
uint32_t tar_number(const char *p, uint32_t width);

/* Completes H and adds the file: SIZE bytes at CONTENT. LINK: where it points, "": nowhere. */
void tar_add(struct buf *out, struct tar_header *h, const char *name, const char *link,
             const char *content, uint32_t size);

/* A file of an archive; its parts are in that. */
struct tar_file {
	const struct tar_header *header;
	const char *name, *link;
	uint32_t n_name, n_link, size;
	const uint8_t *content;
};

/* The next file from *AT on in the LEN bytes at TAR; false: there is none. Blocks that are no
 * header are left out, sums do not count, and the last file may have lost its end. */
bool tar_next(const uint8_t *tar, uint32_t len, uint32_t *at, struct tar_file *f);
