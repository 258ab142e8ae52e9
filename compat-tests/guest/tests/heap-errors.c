/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Uses the heap in one wrong way, which the argument names, or in right ones: what heap-guard.c has to see, and what not. */
#include <stdlib.h>
#include <string.h>

#define SIZE 20
#define MANY 40000

static void right(void)
{
	void *aligned = NULL;

	free(realloc(malloc(SIZE), 5 * SIZE));
	free(aligned_alloc(4096, SIZE));
	if (posix_memalign(&aligned, 64, SIZE) || (size_t)aligned % 64)
		exit(2);
	memset(aligned, 1, SIZE);
	free(aligned);
	free(calloc(SIZE, SIZE));
	for (int i = 0; i < MANY; i++)
		free(malloc(i % 100));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	volatile char *p = malloc(SIZE);

	if (!strcmp(what, "end"))
		p[SIZE] = 1;
	if (!strcmp(what, "begin"))
		p[-1] = 1;
	free((void *)p);
	if (!strcmp(what, "freed"))
		p[SIZE - 1] = 1;
	if (!strcmp(what, "twice"))
		free((void *)p);
	right();
	return 0;
}
