/* Where the files are that come with the program: its data, and the programs that it starts. That
 * is where it was installed. A program that holds them itself (configure --enable-static-program)
 * unpacks them into the user's cache when it first needs one, once for each version, and finds them
 * there ever after.
 */
#ifndef WHITTLE_BASE_INSTALLED_H
#define WHITTLE_BASE_INSTALLED_H

/* The directory that holds tokenizers, signatures and the like. */
const char *installed_data(void);

/* That of whittle-judge, whittle-sides and the shims. */
const char *installed_programs(void);

#endif
