#include "base/digest.h"

#include <nettle/nettle-meta.h>

static const struct nettle_hash *const kinds[] = {
	[DIGEST_MD5] = &nettle_md5, [DIGEST_SHA1] = &nettle_sha1, [DIGEST_SHA256] = &nettle_sha256
};

void digest_begin(struct digest *d, enum digest_kind kind)
{
	d->kind = kind;
	kinds[kind]->init(&d->state);
}

void digest_feed(struct digest *d, const void *bytes, size_t n)
{
	kinds[d->kind]->update(&d->state, n, bytes);
}

uint32_t digest_end(struct digest *d, uint8_t *out)
{
	kinds[d->kind]->digest(&d->state, kinds[d->kind]->digest_size, out);
	return kinds[d->kind]->digest_size;
}
