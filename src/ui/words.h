/* Words for people, in plain text. */
#ifndef WHITTLE_UI_WORDS_H
#define WHITTLE_UI_WORDS_H

enum { WORDS_SPAN = 32 };

/* "0.4 s", "12 s", "4 min 10 s", "2 h 5 min"; returns TEXT. */
const char *words_span(char text[WORDS_SPAN], double seconds);

#endif
