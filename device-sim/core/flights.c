/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames between ports. All Ethernet ports are on one segment: a frame arrives at each of them but the one that it left
 * by. A frame to many arrives there, too, as the device loops it back. The rules of a port say what becomes of it, and
 * of those that it sends.
 */
#include <stdlib.h>
#include <string.h>

#include "frames.h"

void sim_flight_changed(struct sim_flight *f)
{
    sim_parse_frame(&f->frame, f->bytes, f->length);
}

static void set_bytes(struct sim_flight *f, const struct sim_packet *p)
{
    memcpy(f->bytes, p->data, p->length);
    f->length = p->length;
    sim_flight_changed(f);
}

/* -- receivers --------------------------------------------------------------------------------- */

static bool wants(const struct sim_flight *f, const struct sim_qp *qp)
{
    if (!f->own)
        return true;
    return f->to_many ? !(qp->block_self && qp->qpn == f->sender) : qp->own_unicast;
}

void sim_flight_deliver(struct sim_flight *f, struct sim_qp *qp)
{
    if (wants(f, qp))
        sim_frame_deliver(qp, &f->frame, f->tag);
}

/* -- rules ------------------------------------------------------------------------------------- */

static bool matches(const struct sim_rule *r, const struct sim_frame *f)
{
    const uint8_t *value = (const uint8_t *)&r->value, *mask = (const uint8_t *)&r->mask, *is = (const uint8_t *)&f->h;

    for (size_t i = 0; i < sizeof f->h; i++)
        if ((is[i] & mask[i]) != value[i])
            return false;
    return true;
}

/* Which rules look at a frame: those of the port, and of frames that come back to it not all. */
static bool sees(const struct sim_flight *f, const struct sim_rule *r)
{
    if (r->dev != f->dev || r->port != f->port || r->egress != f->egress || r->rdma != f->rdma)
        return false;
    if (r->obj.ctx->inherited) /* which the parent's devices look at */
        return false;
    if (f->egress || f->rdma || !f->own || r->type == IBV_FLOW_ATTR_SNIFFER || r->carried)
        return true;
    return r->qp ? wants(f, r->qp) : f->to_many;
}

/* Whether both are one entry of the device's table: each has the frame. */
static bool one_entry(const struct sim_rule *a, const struct sim_rule *b)
{
    return a->order == b->order && (a->type != IBV_FLOW_ATTR_NORMAL ? b->type != IBV_FLOW_ATTR_NORMAL :
        !memcmp(&a->mask, &b->mask, sizeof a->mask));
}

/* A queue pair has a frame once, however many rules of an entry say so. */
static bool had(const struct sim_rule *first, const struct sim_rule *r)
{
    for (const struct sim_rule *o = first; o && o != r; o = o->next)
        if (o->qp == r->qp && o->dev == r->dev && o->port == r->port && one_entry(first, o))
            return true;
    return false;
}

static void tally(const struct sim_rule *r, const struct sim_flight *f)
{
    if (r->tally) {
        r->tally[0]++;
        r->tally[1] += f->length;
    }
}

struct sim_flight *sim_flight_copy(const struct sim_flight *f)
{
    struct sim_flight *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    memcpy(copy, f, offsetof(struct sim_flight, bytes) + f->length);
    copy->frame.bytes = copy->bytes;
    return copy;
}

/* The rule may change the frame, which others look at as it was. */
static void carry_out(const struct sim_rule *r, const struct sim_flight *f)
{
    struct sim_flight *copy = sim_flight_copy(f);

    if (copy)
        f->dev->vendor->carry_out(r, copy);
    free(copy);
}

static void arrive(struct sim_flight *f, unsigned from_order)
{
    const struct sim_rule *entry = NULL;

    for (struct sim_rule *r = sim_rules; r; r = r->next) {
        if (r->type == IBV_FLOW_ATTR_SNIFFER || r->order < from_order || !sees(f, r) || !matches(r, &f->frame))
            continue;
        if (entry && !entry->go_on && !one_entry(entry, r))
            continue;
        if (!entry || !one_entry(entry, r))
            entry = r;
        tally(r, f);
        f->tag = r->tag;
        if (r->carried)
            carry_out(r, f);
        else if (!r->drop && r->qp && !had(entry, r))
            sim_frame_deliver(r->qp, &f->frame, r->tag);
    }
}

/* The first rule has it, and says whether it goes on. */
static bool leave(struct sim_flight *f, unsigned from_order)
{
    for (struct sim_rule *r = sim_rules; r; r = r->next) {
        if (r->order < from_order || !sees(f, r) || !matches(r, &f->frame))
            continue;
        tally(r, f);
        return r->carried ? f->dev->vendor->carry_out(r, f) : !r->drop;
    }
    return true;
}

bool sim_flight_steer(struct sim_flight *f, unsigned from_order)
{
    if (f->egress || f->rdma)
        return leave(f, from_order);
    arrive(f, from_order);
    return false;
}

/* -- ports ------------------------------------------------------------------------------------- */

static bool has_rules(const struct sim_device *dev, bool egress, bool rdma)
{
    for (const struct sim_rule *r = sim_rules; r; r = r->next)
        if (r->dev == dev && r->egress == egress && r->rdma == rdma)
            return true;
    return false;
}

bool sim_rdma_passes(const struct sim_qp *qp, bool egress)
{
    static struct sim_flight f; /* under the lock */

    if (qp->first || !qp->attr.port_num || !has_rules(qp->obj.ctx->dev, egress, true))
        return true;
    memset(&f, 0, offsetof(struct sim_flight, bytes));
    f.dev = qp->obj.ctx->dev;
    f.port = qp->attr.port_num - 1;
    f.egress = egress;
    f.rdma = true;
    f.sender = qp->qpn;
    sim_flight_changed(&f);
    return sim_flight_steer(&f, 0);
}

bool sim_frame_leaves(const struct sim_qp *qp, struct sim_packet *p)
{
    static struct sim_flight f; /* under the lock */

    if (!has_rules(qp->obj.ctx->dev, true, false))
        return true;
    memset(&f, 0, offsetof(struct sim_flight, bytes));
    f.dev = qp->obj.ctx->dev;
    f.port = p->from_port;
    f.egress = true;
    f.sender = qp->qpn;
    set_bytes(&f, p);
    if (!sim_flight_steer(&f, 0))
        return false;
    memcpy(p->data, f.bytes, f.length);
    p->length = (uint32_t)f.length;
    return true;
}

static void arrive_at(struct sim_device *dev, int port, const struct sim_packet *p)
{
    static struct sim_flight f; /* under the lock */

    memset(&f, 0, offsetof(struct sim_flight, bytes));
    f.dev = dev;
    f.port = port;
    f.own = dev->index == p->from_device && port == p->from_port;
    f.to_many = sim_to_many(p->data);
    f.sender = p->src_qpn;
    set_bytes(&f, p);
    for (struct sim_rule *r = sim_rules; r; r = r->next)
        if (r->type == IBV_FLOW_ATTR_SNIFFER && sees(&f, r))
            sim_frame_deliver(r->qp, &f.frame, r->tag);
    sim_flight_steer(&f, 0);
}

void sim_frame_arrives(const struct sim_packet *p)
{
    for (int d = 0; d < sim_config.n_devices; d++)
        for (int port = 0; port < sim_devices[d].n_ports; port++)
            if (sim_has_frames(&sim_devices[d]) && sim_devices[d].port[port].state == IBV_PORT_ACTIVE)
                arrive_at(&sim_devices[d], port, p);
}
