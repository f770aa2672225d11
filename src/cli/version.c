/* whittle --version: the program, the libraries it runs with, and what it can do here. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "config.h"

#include <git2.h>
#include <jansson.h>
#include <pcre2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

#include "base/installed.h"
#include "cli/commands.h"
#include "ui/screen.h"

/* Those that a build may lack. */
static void print_optional(void)
{
#ifdef HAVE_ZLIB
	printf(", zlib %s", zlibVersion());
#endif
#ifdef HAVE_ZSTD
	printf(", libzstd %s", ZSTD_versionString());
#endif
#ifdef HAVE_LZMA
	printf(", liblzma %s", lzma_version_string());
#endif
	if (screen_library())
		printf(", %s", screen_library());
	putchar('\n');
}

static void print_libraries(void)
{
	int major, minor, revision;
	char pcre2[64] = "";
	unsigned xxh = XXH_versionNumber();
	git_libgit2_version(&major, &minor, &revision);
	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	printf("libraries: libgit2 %d.%d.%d, PCRE2 %.*s, jansson %s, xxHash %u.%u.%u", major, minor,
	       revision, (int)strcspn(pcre2, " "), pcre2, jansson_version_str(), xxh / 10000,
	       xxh / 100 % 100, xxh % 100);
	print_optional();
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
	char *build = installed_build_dir("src/make");
	pcre2_config(PCRE2_CONFIG_JIT, &jit);
	int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (pidfd >= 0)
		close(pidfd);
#ifdef HAVE_ZLIB
	bool layers = true;
#else
	bool layers = false;
#endif
#ifdef HAVE_ZSTD
	bool zstd = true;
#else
	bool zstd = false;
#endif
#ifdef HAVE_LZMA
	bool xz = true;
#else
	bool xz = false;
#endif
	printf("features: %cjit %cpidfd %clayers %czstd %cxz %cwhittle.so %cdisplay\n",
	       jit ? '+' : '-', pidfd >= 0 ? '+' : '-', layers ? '+' : '-', zstd ? '+' : '-',
	       xz ? '+' : '-', has(build ? build : PKGLIBDIR, "whittle.so") ? '+' : '-',
	       screen_library() ? '+' : '-');
	free(build);
}

int command_version(void)
{
	puts("whittle " PACKAGE_VERSION);
	print_libraries();
	print_features();
	return 0;
}
