/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What a test has asked to go wrong. */
#include <errno.h>

#include "sim.h"

static struct {
    uint32_t qpn;
    int arg, count;
} faults[DEVICE_SIM_FAULT_KINDS];

static int depth = -1; /* as the environment has it */
static uint32_t state = 1;

static unsigned loss; /* per thousand */
static uint32_t loss_state = 1;

/* xorshift: the same order for the same seed on every machine */
static uint32_t next(uint32_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s;
}

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

int device_sim_loss(int per_thousand, uint32_t seed)
{
    if (per_thousand < 0 || per_thousand > 1000)
        return EINVAL;
    sim_enter();
    loss = (unsigned)per_thousand;
    loss_state = seed ? seed : 1;
    sim_leave();
    return 0;
}

bool sim_lose(void)
{
    return loss && next(&loss_state) % 1000 < loss;
}

unsigned sim_reorder_depth(void)
{
    return depth < 0 ? sim_config.reorder : (unsigned)depth;
}

unsigned sim_random(unsigned below)
{
    uint32_t value = next(&state);

    return below ? value % below : 0;
}
