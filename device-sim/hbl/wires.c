/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Which ports lead to a switch, and which to another device: all to all, as in the vendor's servers. */
#include <string.h>

#include "hbl.h"

/*
 * Port 1 of device d leads to port 1 of device d ^ 1, port 2 to port 2 of d ^ 2, and so on through all the others, then from
 * the first again. -1: there is no such device.
 */
static int partner(int device, int port)
{
    int room = 1, other;

    while (room < sim_config.n_devices)
        room *= 2;
    if (room == 1)
        return -1;
    other = device ^ (1 + port % (room - 1));
    return other < sim_config.n_devices ? other : -1;
}

int hbl_wired_to(const struct sim_device *dev, int port)
{
    int other = dev->port[port].internal ? partner(dev->index, port) : -1;

    return other >= 0 && !strcmp(sim_devices[other].vendor->name, "hbl") ? other : -1;
}

/* An internal port has no Ethernet around it: one GID, all ones. One that leads nowhere is down. */
void hbl_configure_port(struct sim_device *dev, int port)
{
    struct sim_port *p = &dev->port[port];

    p->internal = port < sim_config.internal;
    if (!p->internal)
        return;
    p->n_gids = 1;
    memset(p->gid, 0, sizeof p->gid);
    memset(p->gid[0], 0xff, sizeof p->gid[0]);
    if (partner(dev->index, port) < 0)
        p->state = IBV_PORT_DOWN;
}
