#include "ui/words.h"

#include <stdio.h>

const char *words_span(char text[WORDS_SPAN], double seconds)
{
	long s = seconds > 0 ? (long)(seconds + 0.5) : 0;
	if (seconds > 0 && seconds < 9.95)
		snprintf(text, WORDS_SPAN, "%.1f s", seconds);
	else if (s < 60)
		snprintf(text, WORDS_SPAN, "%ld s", s);
	else if (s < 3600)
		snprintf(text, WORDS_SPAN, "%ld min %ld s", s / 60, s % 60);
	else
		snprintf(text, WORDS_SPAN, "%ld h %ld min", s / 3600, s / 60 % 60);
	return text;
}
