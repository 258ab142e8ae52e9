/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What files share that stand in front of functions of the C library. */
#ifndef SIM_INTERPOSE_H
#define SIM_INTERPOSE_H

#include <limits.h>

#include "sim.h"

#define EXPORT __attribute__((visibility("default")))

/* The function of this name behind us. */
void *sim_next(const char *name);

/* Looked up at the first call: other libraries may call before our constructor has run. */
#define NEXT(name) ({ static __typeof__(name) *found; if (!found) found = (__typeof__(name) *)sim_next(#name); found; })

/* The device that a path names, or NULL. *node: it is the other file of the vendor's. */
struct sim_device *sim_device_of(const char *path, bool *node);
/* Whether it is the connection manager's file. */
bool sim_is_cm(const char *path);
/* Where what a path names is found: a device's file is /dev/null, and what the kernel says of devices lies in our tree. */
const char *sim_path(const char *path, char room[PATH_MAX]);

/* What it stands for is closed; the descriptor itself is not. */
void sim_fd_close(int fd);

#endif
