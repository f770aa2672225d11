#include <stdio.h>

int main(void)
{
	puts("whittle");
	return 0;
}
