#include "config.h"

#include "binary/extfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"
#include "binary/tar.h"

enum { SUPER = 1024, MAGIC_AT = SUPER + 56, SUPER_END = 2 * SUPER };

bool extfs_is(const uint8_t *bytes, uint32_t size)
{
	return size > SUPER_END && bytes[MAGIC_AT] == 0x53 && bytes[MAGIC_AT + 1] == 0xef;
}

#ifdef HAVE_EXT2FS

#include <ext2fs/ext2fs.h>

enum {
	BLOCK = 1024, /* of the smallest image; its inodes have EXT2_GOOD_OLD_INODE_SIZE */
	INLINE = 256, /* bytes of an inode that has room for data */
	SAID_MOST = 1 << 26,
	IMAGE_MOST = 1 << 29,
	FILES_MOST = 1 << 14,
	DEPTH_MOST = 64,
	READS = 1 << 12, /* of a small image; of a larger one so many more a block */
	READS_EACH = 16,
	SPARE = 64, /* blocks that the library wants to be free in the last group, and more */
};

/* Bits of features that may be set, of those with which others read and write, none does, and
 * others read. */
enum { WORD_BITS = 32, FEATURES = 3 * WORD_BITS };
static const uint32_t may_be_set[] = {
	EXT2_FEATURE_COMPAT_EXT_ATTR | EXT2_FEATURE_COMPAT_DIR_INDEX,
	EXT2_FEATURE_INCOMPAT_FILETYPE | EXT3_FEATURE_INCOMPAT_EXTENTS |
		EXT4_FEATURE_INCOMPAT_64BIT | EXT4_FEATURE_INCOMPAT_FLEX_BG |
		EXT4_FEATURE_INCOMPAT_INLINE_DATA,
	EXT2_FEATURE_RO_COMPAT_SPARSE_SUPER | EXT2_FEATURE_RO_COMPAT_LARGE_FILE |
		EXT4_FEATURE_RO_COMPAT_HUGE_FILE | EXT4_FEATURE_RO_COMPAT_GDT_CSUM |
		EXT4_FEATURE_RO_COMPAT_DIR_NLINK | EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE |
		EXT4_FEATURE_RO_COMPAT_METADATA_CSUM,
};

static uint32_t *feature_word(struct ext2_super_block *super, uint32_t i)
{
	return i == 0   ? &super->s_feature_compat
	       : i == 1 ? &super->s_feature_incompat
	                : &super->s_feature_ro_compat;
}

static bool has_feature(struct ext2_super_block *super, uint32_t i)
{
	uint32_t word = i / WORD_BITS;
	return *feature_word(super, word) & may_be_set[word] & 1u << i % WORD_BITS;
}

/* Types of files in archives, and in directories, by what their modes say. */
static const char types[] = "-63-5-4-0-2";
static const uint8_t kinds[] = {
	[1] = EXT2_FT_FIFO,   [2] = EXT2_FT_CHRDEV,   [4] = EXT2_FT_DIR,
	[6] = EXT2_FT_BLKDEV, [8] = EXT2_FT_REG_FILE, [10] = EXT2_FT_SYMLINK
};
enum { TYPE_SHIFT = 12 };

/* ---- images in memory ---- */

/* What the library takes for a device. */
struct memory {
	struct struct_io_channel channel;
	uint8_t *bytes;
	uint64_t size;
	uint64_t reads; /* that it may yet take */
};

/* The library knows devices by their names only: that of memory says where it is. */
static errcode_t memory_open(const char *name, UNUSED int flags, io_channel *channel)
{
	struct memory *m = (struct memory *)(uintptr_t)strtoull(name, NULL, 16);
	*channel = &m->channel;
	return 0;
}

static errcode_t memory_nothing(UNUSED io_channel channel)
{
	return 0;
}

static errcode_t memory_block_size(io_channel channel, int size)
{
	channel->block_size = size;
	return 0;
}

/* COUNT blocks from BLOCK on; -COUNT: so many bytes. NULL: not all of them are there. */
static uint8_t *memory_at(io_channel channel, unsigned long long block, int count, size_t *n)
{
	struct memory *m = channel->private_data;
	uint64_t each = (uint64_t)channel->block_size;
	*n = count < 0 ? (size_t)-count : (size_t)count * each;
	work_step(*n);
	return block <= m->size / each && *n <= m->size - block * each ? m->bytes + block * each
	                                                               : NULL;
}

static errcode_t memory_read(io_channel channel, unsigned long block, int count, void *data)
{
	size_t n;
	struct memory *m = channel->private_data;
	const uint8_t *at = memory_at(channel, block, count, &n);
	if (!at || !m->reads)
		return EXT2_ET_SHORT_READ;
	m->reads--;
	memcpy(data, at, n);
	return 0;
}

static errcode_t memory_write(io_channel channel, unsigned long block, int count, const void *data)
{
	size_t n;
	uint8_t *at = memory_at(channel, block, count, &n);
	if (!at)
		return EXT2_ET_SHORT_WRITE;
	memcpy(at, data, n);
	return 0;
}

/* Without it the library writes zeros from a buffer that all threads share. */
static errcode_t memory_zero(io_channel channel, unsigned long long block, unsigned long long count)
{
	size_t n;
	uint8_t *at = count < SAID_MOST ? memory_at(channel, block, (int)count, &n) : NULL;
	if (!at)
		return EXT2_ET_SHORT_WRITE;
	memset(at, 0, n);
	return 0;
}

static const struct struct_io_manager memory_manager = {
	.magic = EXT2_ET_MAGIC_IO_MANAGER,
	.name = "memory",
	.open = memory_open,
	.close = memory_nothing,
	.set_blksize = memory_block_size,
	.read_blk = memory_read,
	.write_blk = memory_write,
	.flush = memory_nothing,
	.zeroout = memory_zero,
};

/* Its name is the caller's. */
static char *memory_init(struct memory *m, uint8_t *bytes, uint64_t size, io_manager *manager)
{
	*manager = (io_manager)(uintptr_t)&memory_manager; /* it changes nothing in it */
	*m = (struct memory){ .bytes = bytes, .size = size };
	m->reads = READS + size / BLOCK * READS_EACH;
	m->channel = (struct struct_io_channel){ .magic = EXT2_ET_MAGIC_IO_CHANNEL,
		                                 .manager = *manager,
		                                 .block_size = BLOCK,
		                                 .refcount = 1,
		                                 .private_data = m };
	return mem_printf("%llx", (unsigned long long)(uintptr_t)m);
}

/* ---- reading ---- */

struct child {
	ext2_ino_t inode;
	char *name;
};

struct reader {
	ext2_filsys fs;
	struct buf tar, path;
	struct child *children; /* of all directories that are being read */
	uint32_t n, cap, files;
	bool failed;
};

static void add_settings(struct buf *out, struct ext2_super_block *super)
{
	static const char *const names[] = { "block_size=%u", "inode_size=%u", "feature=%u" };
	for (uint32_t i = 0; i < 2 + FEATURES; i++) {
		struct tar_header h = { .type = 'g' };
		uint32_t value = i == 0   ? EXT2_BLOCK_SIZE(super)
		                 : i == 1 ? EXT2_INODE_SIZE(super)
		                          : i - 2;
		if (i == 0   ? value == BLOCK
		    : i == 1 ? value == EXT2_GOOD_OLD_INODE_SIZE
		             : !has_feature(super, value))
			continue;
		snprintf(h.name, sizeof h.name, names[i < 2 ? i : 2], value);
		tar_add(out, &h, "", "", "", 0);
	}
}

/* What the file of INODE holds, *SIZE bytes and a zero; the caller's. NULL: it failed. */
static char *read_content(struct reader *r, ext2_ino_t number, struct ext2_inode *inode,
                          uint32_t *size)
{
	ext2_file_t file;
	uint64_t n = EXT2_I_SIZE(inode);
	unsigned got = 0;
	if (n > SAID_MOST || r->tar.len + n > SAID_MOST ||
	    ext2fs_file_open2(r->fs, number, inode, 0, &file))
		return NULL;
	work_step(n);
	char *text = mem_zero(n + 1, 1);
	errcode_t rc = n ? ext2fs_file_read(file, text, (unsigned)n, &got) : 0;
	ext2fs_file_close(file);
	*size = (uint32_t)n;
	if (!rc && got == n)
		return text;
	free(text);
	return NULL;
}

/* Where a symbolic link points; the caller's. */
static char *read_link(struct reader *r, ext2_ino_t number, struct ext2_inode *inode)
{
	uint32_t size;
	const char *fast = (const char *)inode->i_block;
	if (ext2fs_is_fast_symlink(inode))
		return mem_printf("%.*s", (int)strnlen(fast, sizeof inode->i_block), fast);
	return read_content(r, number, inode, &size);
}

static void put_device(struct tar_header *h, const uint32_t *block)
{
	uint32_t d = block[0] ? block[0] : block[1];
	uint32_t minor = block[0] ? 0 : d >> 12 & ~0xffu;
	tar_put(h->major, sizeof h->major, d >> 8 & (block[0] ? 0xff : 0xfff));
	tar_put(h->minor, sizeof h->minor, minor | (d & 0xff));
}

/* The file whose path is in R. Is it a directory? */
static bool add_file(struct reader *r, ext2_ino_t number)
{
	struct ext2_inode inode;
	struct tar_header h = { 0 };
	uint32_t size = 0;
	MEM_SCOPED char *content = NULL, *link = NULL;
	r->failed = r->files++ == FILES_MOST || ext2fs_read_inode(r->fs, number, &inode);
	if (r->failed || inode.i_mode >> TYPE_SHIFT >= sizeof types - 1)
		return false;
	h.type = types[inode.i_mode >> TYPE_SHIFT];
	if (h.type == '0')
		content = read_content(r, number, &inode, &size);
	else if (h.type == '2')
		link = read_link(r, number, &inode);
	else if (h.type == '3' || h.type == '4')
		put_device(&h, inode.i_block);
	r->failed = h.type == '-' || (h.type == '0' && !content) || (h.type == '2' && !link) ||
	            r->tar.len > SAID_MOST;
	if (r->failed)
		return false;
	tar_put(h.mode, sizeof h.mode, inode.i_mode & 07777u);
	tar_put(h.uid, sizeof h.uid, inode_uid(inode));
	tar_put(h.gid, sizeof h.gid, inode_gid(inode));
	tar_put(h.mtime, sizeof h.mtime, inode.i_mtime);
	MEM_SCOPED char *name = mem_printf("%s%s", r->path.data, h.type == '5' ? "/" : "");
	tar_add(&r->tar, &h, name, link ? link : "", content, size);
	return h.type == '5';
}

/* Is it the name of a directory itself, or of the one above it? */
static bool is_own(const char *name, uint32_t n)
{
	return n && n <= 2 && name[0] == '.' && name[n - 1] == '.';
}

static int add_child(UNUSED ext2_ino_t dir, UNUSED int entry, struct ext2_dir_entry *e,
                     UNUSED int offset, UNUSED int size, UNUSED char *block, void *arg)
{
	struct reader *r = arg;
	int n = ext2fs_dirent_name_len(e);
	if (is_own(e->name, (uint32_t)n)) /* in an inode, `entry` says otherwise */
		return 0;
	r->failed |= r->n == FILES_MOST || memchr(e->name, 0, (size_t)n) ||
	             memchr(e->name, '/', (size_t)n);
	if (r->failed)
		return DIRENT_ABORT;
	MEM_PUSH(r->children, r->n, r->cap,
	         (struct child){ e->inode, mem_printf("%.*s", n, e->name) });
	return 0;
}

static int by_inode(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	return x->inode != y->inode ? MEM_ORDER(x, y, inode) : strcmp(x->name, y->name);
}

static void add_directory(struct reader *r, ext2_ino_t number, uint32_t depth)
{
	uint32_t first = r->n;
	size_t len = r->path.len;
	r->failed |= depth > DEPTH_MOST ||
	             ext2fs_dir_iterate2(r->fs, number, 0, NULL, add_child, r) || r->failed;
	MEM_SORT(r->children + first, r->n - first, by_inode);
	for (uint32_t i = first, n = r->n; i < n && !r->failed; i++) {
		buf_addf(&r->path, "%s%s", len ? "/" : "", r->children[i].name);
		if (add_file(r, r->children[i].inode))
			add_directory(r, r->children[i].inode, depth + 1);
		r->path.len = len;
	}
	while (r->n > first)
		free(r->children[--r->n].name);
}

uint8_t *extfs_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	static const char end[2 * TAR_BLOCK] = { 0 };
	struct memory m;
	io_manager manager;
	struct reader r = { 0 };
	uint32_t log = extfs_is(bytes, size) ? code_little(bytes + SUPER + 24) : UINT32_MAX;
	if (log > EXT2_MAX_BLOCK_LOG_SIZE - EXT2_MIN_BLOCK_LOG_SIZE ||
	    (uint64_t)code_little(bytes + SUPER + 4) << (EXT2_MIN_BLOCK_LOG_SIZE + log) > size)
		return NULL;
	/* it is only read */
	MEM_SCOPED char *name = memory_init(&m, (uint8_t *)(uintptr_t)bytes, size, &manager);
	if (ext2fs_open2(name, NULL, EXT2_FLAG_64BITS, 0, 0, manager, &r.fs))
		return NULL;
	add_settings(&r.tar, r.fs->super);
	add_directory(&r, EXT2_ROOT_INO, 0);
	ext2fs_free(r.fs);
	buf_add(&r.tar, end, sizeof end);
	buf_release(&r.path);
	free(r.children);
	*len = (uint32_t)r.tar.len;
	if (!r.failed)
		return (uint8_t *)r.tar.data;
	buf_release(&r.tar);
	return NULL;
}

/* ---- making ---- */

/* Is the block of SIZE bytes from AT in F, the last one in part, all zeros? */
static bool is_hole(const struct tar_file *f, uint32_t at, uint32_t size)
{
	const uint8_t *p = f->content + at;
	uint32_t n = f->size - at < size ? f->size - at : size;
	work_step(n);
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

static bool is_setting(const struct tar_file *f)
{
	return f->header->type == 'g';
}

/* What is no setting here says nothing. */
static void set(struct ext2_super_block *super, const struct tar_file *f)
{
	uint32_t size;
	MEM_SCOPED char *name = mem_printf("%.*s", (int)f->n_name, f->name);
	if (sscanf(name, "feature=%u", &size) == 1 && size < FEATURES)
		*feature_word(super, size / WORD_BITS) |=
			may_be_set[size / WORD_BITS] & 1u << size % WORD_BITS;
	else if (sscanf(name, "block_size=%u", &size) == 1 && __builtin_popcount(size) == 1 &&
	         size >= BLOCK && size <= EXT2_MAX_BLOCK_SIZE)
		super->s_log_block_size = (uint32_t)__builtin_ctz(size / BLOCK);
	else if (sscanf(name, "inode_size=%u", &size) == 1 && __builtin_popcount(size) == 1 &&
	         size >= EXT2_GOOD_OLD_INODE_SIZE && size <= BLOCK)
		super->s_inode_size = (uint16_t)size;
}

/* What an image of the files is like, with as many blocks as they may take, and more. */
static struct ext2_super_block measure(const uint8_t *tar, uint32_t len)
{
	struct tar_file f;
	struct ext2_super_block super = { .s_rev_level = EXT2_DYNAMIC_REV,
		                          .s_inode_size = EXT2_GOOD_OLD_INODE_SIZE };
	uint64_t blocks = 1, names = 0;
	uint32_t at = 0, files = EXT2_GOOD_OLD_FIRST_INO;
	while (tar_next(tar, len, &at, &f))
		if (is_setting(&f))
			set(&super, &f);
	if (ext2fs_has_feature_inline_data(&super) && super.s_inode_size < INLINE)
		super.s_inode_size = INLINE;
	uint32_t size = EXT2_BLOCK_SIZE(&super);
	for (at = 0; tar_next(tar, len, &at, &f);) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < f.size; i += size)
			n += !is_hole(&f, i, size);
		blocks += n + (f.header->type != '0');
		if (n > EXT2_NDIR_BLOCKS) /* blocks that name others */
			blocks += EXT2_N_BLOCKS - EXT2_NDIR_BLOCKS + n / (size / 4 - 1);
		names += EXT2_DIR_REC_LEN((uint8_t)f.n_name);
		files += !is_setting(&f);
	}
	blocks += 2 * names / size;
	uint64_t groups = blocks / (8 * (uint64_t)size) + 1;
	uint64_t nodes = (uint64_t)files * super.s_inode_size / size + groups;
	blocks += 2 * nodes + groups * (4 + groups * EXT2_MIN_DESC_SIZE_64BIT / size) + SPARE;
	groups = blocks / (8 * (uint64_t)size) + 1;
	ext2fs_blocks_count_set(&super, blocks);
	/* each group has a multiple of eight */
	super.s_inodes_count = (files - 1 + 7) / 8 * 8 + (groups > 1 ? 8 * (uint32_t)groups : 0);
	return super;
}

struct maker {
	ext2_filsys fs;
	ext2_ino_t next;
	/* directories from the root to where the last file is */
	ext2_ino_t dirs[DEPTH_MOST + 1];
	char *names[DEPTH_MOST + 1];
	uint32_t depth;
	uint32_t said; /* bytes of the archive, about */
	bool left_out; /* was a file? */
	bool failed;
};

/* The last part of the path of F, whose directory is then that at the end of M's; the caller's.
 * NULL: it has no name. */
static char *enter(struct maker *m, const struct tar_file *f)
{
	char *leaf = NULL;
	uint32_t depth = 0;
	for (uint32_t i = 0; i < f->n_name;) {
		const char *part = f->name + i, *slash = memchr(part, '/', f->n_name - i);
		uint32_t n = slash ? (uint32_t)(slash - part) : f->n_name - i;
		i += n + 1;
		if (!n || n > EXT2_NAME_LEN || is_own(part, n))
			continue;
		if (leaf && depth < m->depth && !strcmp(leaf, m->names[depth + 1]))
			depth++;
		free(leaf);
		leaf = mem_printf("%.*s", (int)n, part);
	}
	while (m->depth > depth)
		free(m->names[m->depth--]);
	return leaf;
}

/* A file of F but for what it holds. */
static errcode_t make_inode(struct maker *m, ext2_ino_t number, const struct tar_file *f,
                            uint16_t type)
{
	struct ext2_inode inode = { .i_mode = type, .i_links_count = 1 };
	uint32_t major = tar_number(f->header->major, sizeof f->header->major);
	uint32_t minor = tar_number(f->header->minor, sizeof f->header->minor);
	bool may_be_inline = type == LINUX_S_IFREG && f->size <= m->fs->super->s_inode_size;
	if (type == LINUX_S_IFCHR || type == LINUX_S_IFBLK)
		inode.i_block[major < 256 && minor < 256 ? 0 : 1] =
			(minor & 0xff) | (major & 0xfff) << 8 | (minor & 0xfff00) << 12;
	if (may_be_inline && ext2fs_has_feature_inline_data(m->fs->super))
		inode.i_flags = EXT4_INLINE_DATA_FL;
	errcode_t rc = ext2fs_write_new_inode(m->fs, number, &inode);
	ext2fs_inode_alloc_stats2(m->fs, number, 1, 0);
	if (rc || type != LINUX_S_IFREG)
		return rc;
	if (inode.i_flags)
		return ext2fs_inline_data_init(m->fs, number);
	ext2_extent_handle_t extents;
	if (!ext2fs_has_feature_extents(m->fs->super))
		return 0;
	rc = ext2fs_extent_open(m->fs, number, &extents); /* makes them empty */
	if (!rc)
		ext2fs_extent_free(extents);
	return rc;
}

/* Fills a file with what F holds; blocks of zeros become holes. */
static errcode_t fill(struct maker *m, ext2_ino_t number, const struct tar_file *f)
{
	ext2_file_t file;
	errcode_t rc = ext2fs_file_open(m->fs, number, EXT2_FILE_WRITE, &file);
	if (rc)
		return rc;
	uint32_t block = m->fs->blocksize;
	for (uint32_t at = 0; at < f->size && !rc; at += block) {
		const uint8_t *p = f->content + at;
		uint32_t n = f->size - at < block ? f->size - at : block;
		unsigned written;
		if (f->size > m->fs->super->s_inode_size && is_hole(f, at, block))
			continue;
		rc = ext2fs_file_llseek(file, at, EXT2_SEEK_SET, NULL);
		rc = rc ? rc : ext2fs_file_write(file, p, n, &written);
	}
	if (!rc && (uint32_t)ext2fs_file_get_size(file) != f->size)
		rc = ext2fs_file_set_size2(file, f->size);
	errcode_t last = ext2fs_file_close(file);
	return rc ? rc : last;
}

static errcode_t make_link(struct maker *m, ext2_ino_t number, const struct tar_file *f)
{
	MEM_SCOPED char *to = mem_printf("%.*s", (int)f->n_link, f->link);
	return ext2fs_symlink(m->fs, m->dirs[m->depth], number, NULL, to);
}

static errcode_t put_owner(struct maker *m, ext2_ino_t number, const struct tar_header *h)
{
	struct ext2_inode inode;
	errcode_t rc = ext2fs_read_inode(m->fs, number, &inode);
	uint32_t uid = tar_number(h->uid, sizeof h->uid), gid = tar_number(h->gid, sizeof h->gid);
	inode.i_mode = (uint16_t)((inode.i_mode & LINUX_S_IFMT) |
	                          (tar_number(h->mode, sizeof h->mode) & 07777));
	inode.i_uid = (uint16_t)uid;
	inode.i_gid = (uint16_t)gid;
	ext2fs_set_i_uid_high(inode, (uint16_t)(uid >> 16));
	ext2fs_set_i_gid_high(inode, (uint16_t)(gid >> 16));
	inode.i_atime = inode.i_ctime = inode.i_mtime = tar_number(h->mtime, sizeof h->mtime);
	return rc ? rc : ext2fs_write_inode(m->fs, number, &inode);
}

/* Gives a file a name in the directory at the end of M's. */
static errcode_t name_file(struct maker *m, ext2_ino_t number, const char *name, int type)
{
	ext2_ino_t dir = m->dirs[m->depth];
	errcode_t rc = ext2fs_link(m->fs, dir, name, number, type);
	if (rc != EXT2_ET_DIR_NO_SPACE)
		return rc;
	rc = ext2fs_expand_dir(m->fs, dir);
	return rc ? rc : ext2fs_link(m->fs, dir, name, number, type);
}

static errcode_t make_content(struct maker *m, ext2_ino_t number, const struct tar_file *f,
                              uint16_t type)
{
	if (type == LINUX_S_IFDIR)
		return ext2fs_mkdir(m->fs, m->dirs[m->depth], number, NULL);
	if (type == LINUX_S_IFLNK)
		return make_link(m, number, f);
	errcode_t rc = make_inode(m, number, f, type);
	return !rc && type == LINUX_S_IFREG && f->size ? fill(m, number, f) : rc;
}

static void make_file(struct maker *m, const struct tar_file *f)
{
	ext2_ino_t number = m->next, other;
	char c = f->header->type;
	const char *kind = c == '-' ? NULL : memchr(types, c, sizeof types - 1);
	uint16_t type = kind ? (uint16_t)((kind - types) << TYPE_SHIFT) : 0;
	MEM_SCOPED char *name = enter(m, f);
	bool fits = name && type && number <= m->fs->super->s_inodes_count &&
	            (type != LINUX_S_IFDIR || m->depth < DEPTH_MOST) &&
	            (type != LINUX_S_IFLNK || f->n_link) &&
	            ext2fs_lookup(m->fs, m->dirs[m->depth], name, (int)strlen(name), NULL, &other);
	m->left_out |= !fits;
	if (!fits)
		return;
	errcode_t rc = make_content(m, number, f, type);
	rc = rc ? rc : put_owner(m, number, f->header);
	rc = rc ? rc : name_file(m, number, name, kinds[type >> TYPE_SHIFT]);
	m->failed |= rc != 0;
	m->next++;
	m->said += TAR_BLOCK + (uint32_t)strlen(name) + (type == LINUX_S_IFREG ? f->size : 0) +
	           (type == LINUX_S_IFLNK ? f->n_link : 0);
	if (type != LINUX_S_IFDIR)
		return;
	m->dirs[++m->depth] = number;
	m->names[m->depth] = name;
	name = NULL;
}

/* Takes blocks at the end that nothing needs from the last group. */
static void shrink(ext2_filsys fs)
{
	dgrp_t last = fs->group_desc_count - 1;
	blk64_t all = ext2fs_blocks_count(fs->super), n = all;
	blk64_t least = ext2fs_group_first_block2(fs, last) + 1;
	while (n > least && !ext2fs_test_block_bitmap2(fs->block_map, n - 1))
		n--;
	ext2fs_blocks_count_set(fs->super, n);
	ext2fs_free_blocks_count_add(fs->super, n - all);
	ext2fs_bg_free_blocks_count_set(
		fs, last, (uint32_t)(ext2fs_bg_free_blocks_count(fs, last) - (all - n)));
	ext2fs_group_desc_csum_set(fs, last);
}

static bool make_all(struct maker *m, const uint8_t *tar, uint32_t len)
{
	struct tar_file f;
	uint32_t at = 0;
	struct ext2_super_block *super = m->fs->super;
	super->s_mkfs_time = super->s_lastcheck = 0;
	if (ext2fs_has_feature_metadata_csum(super))
		super->s_checksum_type = EXT2_CRC32C_CHKSUM;
	m->fs->now = 1; /* at 0 it asks the clock */
	m->dirs[0] = EXT2_ROOT_INO;
	m->next = EXT2_FIRST_INODE(super);
	ext2fs_init_csum_seed(m->fs);
	m->failed = ext2fs_allocate_tables(m->fs) ||
	            ext2fs_mkdir(m->fs, EXT2_ROOT_INO, EXT2_ROOT_INO, NULL);
	for (ext2_ino_t i = 1; i < m->next; i++)
		if (i != EXT2_ROOT_INO)
			ext2fs_inode_alloc_stats2(m->fs, i, 1, 0);
	while (!m->failed && tar_next(tar, len, &at, &f))
		if (!is_setting(&f))
			make_file(m, &f);
	while (m->depth)
		free(m->names[m->depth--]);
	for (uint32_t i = 0; i < FEATURES; i++)
		m->said += has_feature(super, i) ? TAR_BLOCK : 0;
	return !m->failed;
}

uint8_t *extfs_make(const uint8_t *tar, uint32_t len, uint32_t *size)
{
	struct memory memory;
	io_manager manager;
	struct maker m = { 0 };
	struct ext2_super_block super = measure(tar, len);
	uint64_t n = ext2fs_blocks_count(&super) * EXT2_BLOCK_SIZE(&super);
	if (n > IMAGE_MOST)
		return NULL;
	uint8_t *bytes = mem_zero(n, 1);
	MEM_SCOPED char *name = memory_init(&memory, bytes, n, &manager);
	bool fine = !ext2fs_initialize(name, EXT2_FLAG_64BITS, &super, manager, &m.fs) &&
	            make_all(&m, tar, len);
	if (fine) {
		shrink(m.fs);
		n = ext2fs_blocks_count(m.fs->super) * m.fs->blocksize;
		fine = !ext2fs_flush2(m.fs, 0);
	}
	ext2fs_free(m.fs);
	/* of two images of one size, that which says less is the simpler one (testcase_compare) */
	for (uint32_t i = 0; i < 4; i++)
		bytes[SUPER - 1 - i] = (uint8_t)(m.said >> 8 * i);
	*size = (uint32_t)n;
	if (fine && !m.left_out)
		return mem_resize(bytes, n, 1);
	/* there was room for what is left out */
	MEM_SCOPED uint8_t *made = bytes, *said = fine ? extfs_read(made, *size, &len) : NULL;
	return said ? extfs_make(said, len, size) : NULL;
}

uint32_t extfs_settings(const uint8_t *tar, uint32_t len)
{
	struct tar_file f;
	uint32_t at = 0, end = 0;
	while (tar_next(tar, len, &at, &f) && is_setting(&f))
		end = at;
	return end;
}

const char *extfs_library(void)
{
	const char *version = NULL;
	ext2fs_get_library_version(&version, NULL);
	return version;
}

#else

const char *extfs_library(void)
{
	return NULL;
}

uint8_t *extfs_read(UNUSED const uint8_t *bytes, UNUSED uint32_t size, UNUSED uint32_t *len)
{
	return NULL;
}

uint8_t *extfs_make(UNUSED const uint8_t *tar, UNUSED uint32_t len, UNUSED uint32_t *size)
{
	return NULL;
}

uint32_t extfs_settings(UNUSED const uint8_t *tar, UNUSED uint32_t len)
{
	return 0;
}

#endif
