/* What a report shows of the output of a command. */
#pragma once

struct condition;

/* TEXT without what says nothing to a reader: the memory that sanitizers dump, and the directories
 * in which the command ran. Of a long one, the first and the last lines, and those by which C, the
 * condition on the candidates OPERANDS (NULL at the end), knows the failure; a line says how many
 * are left out. Of a long line, the beginning. The caller's. */
char *report_output(const char *text, const struct condition *c, const char *const *operands);
