/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The timed verbs, with what is done untimed before and after: contents, the device's work, polling, checks. */
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

/* The last element has no name. */
extern const struct verb verbs[];

/* Returns the verb with a name, or NULL. */
const struct verb *find_verb(const char *name);
#endif
