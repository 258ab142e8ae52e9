/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The program that `run` calls to write the tree, with the same settings that the simulator will read. */
#include <stdio.h>
#include <string.h>

#include "sim.h"
#include "../efa/efa.h"
#include "../hbl/hbl.h"

int main(int argc, char **argv)
{
    int bad;

    if (argc != 2) {
        fprintf(stderr, "usage: mksysfs DIRECTORY\n");
        return 2;
    }
    bad = sim_write_sysfs(argv[1]);
    if (bad)
        fprintf(stderr, "device-sim: can't write the tree below %s: %s\n", argv[1], strerror(bad));
    return bad ? 1 : 0;
}

/* Who they are is all that is wanted of the vendors here. */
const struct sim_vendor sim_mlx5 = {
#include "../mlx5/identity.h"
};
const struct sim_vendor sim_efa = {
#include "../efa/identity.h"
};
const struct sim_vendor sim_hbl = {
#include "../hbl/identity.h"
};
