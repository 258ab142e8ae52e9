/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a verb in a C program, on a simulated device that is idle meanwhile:
 *   device-sim/run --pump -- verb_cost VERB SECONDS
 * prints nanoseconds per operation, the median of all batches. There are OPERATIONS between two clock readings. The
 * Java side does the same, verb by verb.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double measure(const struct verb *v, struct pair *p, double seconds)
{
	static uint64_t times[1 << 20];
	size_t batches = 0;
	uint64_t begin = now();

	do {
		uint64_t start;

		v->before(p);
		start = now();
		v->timed(p);
		times[batches++] = now() - start;
		v->after(p);
	} while ((double)(now() - begin) < seconds * 1e9 && batches < sizeof times / sizeof *times);
	qsort(times, batches, sizeof *times, by_size);
	return (double)times[batches / 2] / OPERATIONS;
}

int main(int argc, char **argv)
{
	static struct pair p;
	const struct verb *v = argc == 3 ? find_verb(argv[1]) : NULL;
	double seconds = argc == 3 ? atof(argv[2]) : 0;

	if (!v || seconds <= 0) {
		fprintf(stderr, "usage: verb_cost VERB SECONDS; verbs:");
		for (v = verbs; v->name; v++)
			fprintf(stderr, " %s", v->name);
		fprintf(stderr, "\n");
		return 2;
	}
	pair_with = v->with;
	open_pair(&p);
	measure(v, &p, seconds / 4);
	printf("%.3f\n", measure(v, &p, seconds));
	close_pair(&p);
	return 0;
}
