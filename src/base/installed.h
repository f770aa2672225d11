/* Where the files are that come with the program: its data, and the programs that it starts. That
 * is where it was installed, or, if the installation was moved as a whole, beside the program's
 * bin. A program that holds them itself (configure --enable-static-program) unpacks them into the
 * user's cache when it first needs one, once for each version, and finds them there ever after.
 */
#pragma once

/* The directory LEAF (tokenizers, signatures and the like) of the program's own data, there or in
 * the build tree from which the program runs; the caller's. */
char *installed_data_dir(const char *leaf);

/* That of whittle-judge and the shims; static storage. */
const char *installed_programs(void);

/* The directory LEAF of the build tree, when the program runs from one: the caller's, NULL
 * elsewhere. */
char *installed_build_dir(const char *leaf);
