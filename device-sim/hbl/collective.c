/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Numbers of queue pairs that are the same on several ports but for an offset, and a queue pair that takes over another's. */
#include <errno.h>

#include "hbl.h"

/* Never 0: who forgets it gets another number. */
uint32_t hbl_collective_offset(int port)
{
    return (uint32_t)(port + 1) * HBL_COLLECTIVES;
}

int hbl_collective_place(int port, uint32_t number)
{
    uint32_t id = number - hbl_collective_offset(port);

    if (id - HBL_BASE_COLLECTIVE < HBL_COLLECTIVES)
        return (int)(id - HBL_BASE_COLLECTIVE);
    if (id - HBL_BASE_SCALE_OUT < HBL_COLLECTIVES)
        return (int)(id - HBL_BASE_SCALE_OUT + HBL_COLLECTIVES);
    return -1;
}

static bool free_on_all(const struct hbl_ctx *h, uint64_t ports, unsigned place)
{
    for (int p = 0; p < SIM_MAX_PORTS; p++)
        if (ports >> (p + 1) & 1 && h->port[p].reserved[place])
            return false;
    return true;
}

static int reserve(struct sim_cmd *cmd)
{
    struct hbl_ctx *h = hbl_of(cmd->ctx);
    struct hbl_reserve in;
    unsigned place;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &in, sizeof in) || in.scale_out > 1)
        return EINVAL;
    if (!in.ports) /* all of the kind: scale-out leaves the server */
        for (int p = 0; p < cmd->ctx->dev->n_ports; p++)
            if (h->ports >> (p + 1) & 1 && cmd->ctx->dev->port[p].internal == !in.scale_out)
                in.ports |= 2ull << p;
    if (!in.ports || in.ports & ~h->ports)
        return EINVAL;
    for (int p = 0; p < SIM_MAX_PORTS; p++)
        if (in.ports >> (p + 1) & 1 && !h->port[p].set)
            return EPERM;
    if (h->busy) {
        h->busy--;
        return EBUSY;
    }
    for (uint32_t i = 0; i < HBL_COLLECTIVES; i++) {
        uint32_t id = (in.scale_out ? HBL_BASE_SCALE_OUT : HBL_BASE_COLLECTIVE) + i;

        place = i + (in.scale_out ? HBL_COLLECTIVES : 0);
        if (!free_on_all(h, in.ports, place))
            continue;
        for (int p = 0; p < SIM_MAX_PORTS; p++)
            if (in.ports >> (p + 1) & 1)
                h->port[p].reserved[place] = true;
        sim_out(cmd, HBL_ATTR_SECOND, &id, sizeof id);
        return 0;
    }
    return ENOSPC;
}

/* The new one takes the old one's number, or what that is on its own port. The old one is done with. */
static int migrate(struct sim_cmd *cmd)
{
    struct hbl_migrate in;
    struct sim_qp *to, *from;
    struct hbl_qp *new, *old;
    struct hbl_port *p;
    uint32_t number;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &in, sizeof in))
        return EINVAL;
    to = sim_obj_get(cmd->ctx, in.to, SIM_QP);
    from = sim_obj_get(cmd->ctx, in.from, SIM_QP);
    if (!to || !from || to == from)
        return EINVAL;
    new = to->hw;
    old = from->hw;
    if (!new->number || !old->number || !old->collective || new->collective || to->state != IBV_QPS_RTS)
        return EINVAL;
    number = old->number - hbl_collective_offset(old->port) + hbl_collective_offset(new->port);
    p = &hbl_of(cmd->ctx)->port[new->port];
    if (p->qp[number] && p->qp[number] != from)
        return EBUSY;
    hbl_of(cmd->ctx)->port[old->port].qp[old->number] = NULL;
    old->number = 0;
    sim_qp_to_error(from);
    p->qp[new->number] = NULL;
    p->qp[number] = to;
    p->reserved[hbl_collective_place(new->port, number)] = true;
    new->number = number;
    new->collective = true;
    sim_out(cmd, HBL_ATTR_SECOND, &number, sizeof number);
    return 0;
}

int hbl_collective(struct sim_cmd *cmd)
{
    return cmd->hdr->method_id == HBL_METHOD_FIRST ? reserve(cmd) : cmd->hdr->method_id == HBL_METHOD_SECOND ?
        migrate(cmd) : -1;
}
