/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of two processes that find each other by the rendezvous directory. Each pumps its own device; they take turns
 * where the order matters, by a socket pair.
 */
#ifndef ACROSS_H
#define ACROSS_H

#include "kit.h"

extern bool child; /* which of the two this is */

/* Runs the cases in both processes. The exit status of the program. */
int run_across(const char *program, const struct test_case *cases, int argc, char **argv);
void exchange(const void *mine, void *other, size_t size);
/* Both get here before either goes on; the devices work meanwhile. */
void meet(void);
struct ibv_wc wait_for(struct ibv_cq *cq);

#endif
