/* What the hook shows of names and output that others have written. */
#ifndef WHITTLE_HOOK_HOOK_TEXT_H
#define WHITTLE_HOOK_HOOK_TEXT_H

/* TEXT as one word for a POSIX shell, and for a terminal: quoted unless plain. Control characters
 * (C0, DEL, C1 as bytes or in UTF-8) show as question marks. The caller's. */
char *hook_quoted(const char *text);

/* The first MOST bytes of TEXT for a terminal: line ends and tabs stay, other control characters
 * show as question marks. The caller's. */
char *hook_shown(const char *text, unsigned most);

/* The last part of a path. */
const char *hook_base_name(const char *path);

#endif
