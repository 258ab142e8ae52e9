/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What is timed, and what must be done before and after it (contents, the device's work, polling, checks), which is not. */
#ifndef VERBS_H
#define VERBS_H

#include "pair.h"

struct verb {
	const char *name;
	void (*before)(struct pair *);
	void (*timed)(struct pair *); /* OPERATIONS */
	void (*after)(struct pair *);
	int with; /* bits of pair_with */
};

/* Ends with one that has no name. */
extern const struct verb verbs[];

/* The verb of a name, or NULL. */
const struct verb *find_verb(const char *name);
#endif
