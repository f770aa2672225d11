/* What a report is made of. Internal to report.c and report_markdown.c. */
#ifndef WHITTLE_UI_REPORT_FACTS_H
#define WHITTLE_UI_REPORT_FACTS_H

#include <jansson.h>
#include <stdbool.h>

struct report {
	json_t *facts;
};

/* The command of a test that whittle made, with the name of the file where it stands, or, RAW, as
 * the test has it; NULL of any other test. The caller's. */
char *report_command(const json_t *facts, bool raw);

#endif
