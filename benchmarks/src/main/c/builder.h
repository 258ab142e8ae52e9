/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Posts the requests of a pair by ibv_wr_*. */
#ifndef BUILDER_H
#define BUILDER_H

#include "pair.h"

void build_writes(struct pair *p);
void build_inline_writes(struct pair *p);
void build_sends(struct pair *p);
/* Posts all of them between one start and its complete. */
void build_write_list64(struct pair *p);
#endif
