/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What a test has asked to go wrong. */
#include <errno.h>

#include "sim.h"

static struct {
    uint32_t qpn;
    int arg, count;
} faults[DEVICE_SIM_FAULT_KINDS];

static int depth;
static uint32_t state = 1;

int device_sim_fault(uint32_t qpn, int kind, int arg, int count)
{
    if (kind < 0 || kind >= DEVICE_SIM_FAULT_KINDS || count < 0)
        return EINVAL;
    sim_enter();
    faults[kind].qpn = qpn;
    faults[kind].arg = arg;
    faults[kind].count = count;
    sim_leave();
    return 0;
}

bool sim_fault_take(uint32_t qpn, enum device_sim_fault kind, int *arg)
{
    if (!faults[kind].count || (faults[kind].qpn && faults[kind].qpn != qpn))
        return false;
    faults[kind].count--;
    if (arg)
        *arg = faults[kind].arg;
    return true;
}

int device_sim_reorder(int new_depth, uint32_t seed)
{
    if (new_depth < 0)
        return EINVAL;
    sim_enter();
    depth = new_depth;
    state = seed ? seed : 1;
    if (!depth)
        sim_wire_release();
    sim_leave();
    return 0;
}

unsigned sim_reorder_depth(void)
{
    return (unsigned)depth;
}

/* xorshift: the same order for the same seed on every machine */
unsigned sim_random(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return below ? state % below : 0;
}
