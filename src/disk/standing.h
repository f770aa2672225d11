/* Can what stands at a path be replaced? Found out before hours are spent. */
#ifndef WHITTLE_DISK_STANDING_H
#define WHITTLE_DISK_STANDING_H

/* What keeps the file or directory REAL (a real path) from being exchanged with another one, and
 * what is in a directory from being removed then: the end of a sentence that begins with SHOWN, its
 * name ("m.c is a mount point"); the caller's, NULL: nothing. Changes nothing. */
char *standing_trouble(const char *real, const char *shown);

#endif
