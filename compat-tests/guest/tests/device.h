/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * What the programs share that ask libibverbs alone about a device.
 */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds, const char *what) {
  if (!holds) {
    perror(what);
    exit(1);
  }
}

static struct ibv_context *open_device(const char *name) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  for (int i = 0; list[i]; i++)
    if (!strcmp(ibv_get_device_name(list[i]), name)) return ibv_open_device(list[i]);
  must(0, name);
  return NULL;
}
