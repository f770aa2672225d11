/* whittle --version: the program, the libraries it runs with, and what it can do here. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "config.h"

#include <git2.h>
#include <jansson.h>
#include <nettle/version.h>
#include <pcre2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#endif
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif
#ifdef HAVE_SQLITE3
#include <sqlite3.h>
#endif

#include "base/buf.h"
#include "base/installed.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "binary/database.h"
#include "binary/extfs.h"
#include "binary/inflate.h"
#include "cli/commands.h"
#include "ui/screen.h"

/* Those that a build may lack. */
static void add_optional(struct buf *b)
{
#ifdef HAVE_ZLIB
	buf_addf(b, ", zlib %s", zlibVersion());
#endif
#ifdef HAVE_ZSTD
	buf_addf(b, ", libzstd %s", ZSTD_versionString());
#endif
#ifdef HAVE_LZMA
	buf_addf(b, ", liblzma %s", lzma_version_string());
#endif
#ifdef HAVE_LZ4
	buf_addf(b, ", liblz4 %s", LZ4_versionString());
#endif
#ifdef HAVE_BROTLI
	uint32_t brotli = BrotliDecoderVersion();
	buf_addf(b, ", libbrotlidec %u.%u.%u", brotli >> 24, brotli >> 12 & 0xfff, brotli & 0xfff);
#endif
#ifdef HAVE_SQLITE3
	buf_addf(b, ", SQLite %s", sqlite3_libversion());
#endif
	if (extfs_library())
		buf_addf(b, ", libext2fs %s", extfs_library());
	if (screen_library())
		buf_addf(b, ", %s", screen_library());
}

static void print_folded(const char *title, struct buf *names)
{
	BUF_SCOPED struct buf lines = { 0 };
	buf_addch(names, '\0');
	show_fold(&lines, title, "  ", names->data, NULL);
	printf("%.*s\n", (int)lines.len, lines.data);
}

static void print_libraries(void)
{
	int major, minor, revision;
	char pcre2[64] = "";
	unsigned xxh = XXH_versionNumber();
	git_libgit2_version(&major, &minor, &revision);
	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	BUF_SCOPED struct buf names = { 0 };
	buf_addf(&names, "libgit2 %d.%d.%d, PCRE2 %.*s, jansson %s, xxHash %u.%u.%u, nettle %d.%d",
	         major, minor, revision, (int)strcspn(pcre2, " "), pcre2, jansson_version_str(),
	         xxh / 10000, xxh / 100 % 100, xxh % 100, nettle_version_major(),
	         nettle_version_minor());
	add_optional(&names);
	print_folded("libraries:", &names);
}

/* Is there a file of ours that was made or installed with the program? */
static bool has(const char *dir, const char *leaf)
{
	char path[4096];
	int n = snprintf(path, sizeof path, "%s/%s", dir ? dir : "", leaf);
	return dir && n < (int)sizeof path && access(path, F_OK) == 0;
}

static void print_features(void)
{
	uint32_t jit = 0;
	MEM_SCOPED char *build = installed_build_dir("src/make");
	pcre2_config(PCRE2_CONFIG_JIT, &jit);
	int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	io_close(pidfd);
	struct {
		const char *name;
		bool there;
	} features[] = {
		{ "jit", jit },
		{ "pidfd", pidfd >= 0 },
		{ "layers", inflate_has(LAYER_RAW) },
		{ "zstd", inflate_has(LAYER_ZSTD) },
		{ "xz", inflate_has(LAYER_XZ) },
		{ "lz4", inflate_has(LAYER_LZ4) },
		{ "brotli", inflate_has(LAYER_BROTLI) },
		{ "bzip2", inflate_has(LAYER_BZIP2) },
		{ "sqlite", database_has() },
		{ "ext2fs", extfs_library() },
		{ "whittle.so", has(build ? build : PKGLIBDIR, "whittle.so") },
		{ "display", screen_library() },
	};
	BUF_SCOPED struct buf names = { 0 };
	for (size_t i = 0; i < sizeof features / sizeof *features; i++)
		buf_addf(&names, "%s%c%s", i ? " " : "", features[i].there ? '+' : '-',
		         features[i].name);
	print_folded("features:", &names);
}

int command_version(void)
{
	puts("whittle " PACKAGE_VERSION);
	print_libraries();
	print_features();
	return 0;
}
