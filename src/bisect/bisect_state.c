#include "bisect/bisect_state.h"

#include "base/mem.h"

char *bisection_path(const struct bisection *b, const char *leaf)
{
	return mem_printf("%s/%s", b->dir, leaf);
}
