/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Queue pairs: what the driver refuses, their numbers, keys and rings, step by step. */
#include <errno.h>
#include <string.h>

#include "hbl.h"

static struct hbl_port *port_of(const struct sim_qp *qp)
{
    return &hbl_of(qp->obj.ctx)->port[((const struct hbl_qp *)qp->hw)->port];
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

int hbl_create_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    struct hbl_qp *h = qp->hw;

    h->sends = h->receives = h->peer_device = h->peer_port = -1;
    h->made = true;
    if (qp->srq || qp->block_self)
        return EOPNOTSUPP;
    if (qp->cap.max_inline_data || qp->cap.max_send_sge > 2 || qp->cap.max_recv_sge > 2)
        return EINVAL;
    (void)cmd;
    return 0;
}

int hbl_refuses(const struct sim_qp *qp, const struct ib_uverbs_modify_qp *to, bool known)
{
    int port;

    if (to->attr_mask & IBV_QP_STATE && (to->qp_state == IBV_QPS_SQD || to->qp_state == IBV_QPS_SQE))
        return EINVAL;
    if (!known || !(to->attr_mask & IBV_QP_PORT))
        return 0;
    return hbl_usable_port(qp->obj.ctx, to->port_num, &port);
}

/* -- numbers ----------------------------------------------------------------------------------- */

static void forget_number(struct sim_qp *qp)
{
    struct hbl_qp *h = qp->hw;

    if (!h->number)
        return;
    hbl_forget_doorbells(port_of(qp), h->number);
    port_of(qp)->qp[h->number] = NULL;
    if (h->collective) {
        int place = hbl_collective_place(h->port, h->number);

        if (place >= 0)
            port_of(qp)->reserved[place] = false;
        hbl_of(qp->obj.ctx)->busy = 1;
    }
    h->number = 0;
    h->collective = false;
}

static int give_number(struct sim_qp *qp, const struct hbl_modify *in)
{
    struct hbl_qp *h = qp->hw;
    struct hbl_port *p = port_of(qp);

    if (in->collective) {
        int place = hbl_collective_place(h->port, in->hint);

        if (place < 0 || !p->reserved[place] || p->qp[in->hint])
            return EINVAL;
        h->collective = true;
        h->number = in->hint;
        p->qp[h->number] = qp;
        return 0;
    }
    if (in->hint)
        return EINVAL;
    for (uint32_t n = 1; n < p->queues; n++)
        if (!p->qp[n] && hbl_collective_place(h->port, n) < 0) {
            h->number = n;
            p->qp[n] = qp;
            return 0;
        }
    return ENOSPC;
}

/* -- the steps --------------------------------------------------------------------------------- */

static bool good_type(const struct hbl_port *p, unsigned type)
{
    return type == HBL_WQ_WRITE || (p->advanced && (type == 2 || type == 4 || type == 8 || type == 16));
}

static int to_init(struct sim_qp *qp, const struct hbl_modify *in)
{
    struct hbl_qp *h = qp->hw;
    const struct hbl_cq *send = qp->scq->hw, *recv = qp->rcq->hw;

    forget_number(qp);
    h->port = qp->attr.port_num - 1;
    if (!good_type(port_of(qp), in->type) || in->granularity > 1)
        return EINVAL;
    if (in->granularity > port_of(qp)->granularity)
        return EINVAL; /* the array's elements are smaller */
    if (!send->of[h->port].number || !recv->of[h->port].number)
        return EINVAL; /* of another port */
    h->type = in->type;
    h->element = 32u << port_of(qp)->granularity;
    return give_number(qp, in);
}

/* On an internal port there is one way; on an external one the GID tells, of whoever is on the switch. */
static void find_peer(struct sim_qp *qp)
{
    struct hbl_qp *h = qp->hw;
    const struct sim_device *dev = qp->obj.ctx->dev;

    h->peer_device = h->peer_port = -1;
    if (dev->port[h->port].internal) {
        h->peer_device = hbl_wired_to(dev, h->port);
        h->peer_port = h->port;
        return;
    }
    for (int d = 0; d < sim_config.n_devices; d++)
        for (int p = 0; p < sim_devices[d].n_ports; p++)
            if (sim_devices[d].vendor == &sim_hbl && !sim_devices[d].port[p].internal &&
                sim_port_has(&sim_devices[d], p, true, qp->attr.dest.dgid, 0)) {
                h->peer_device = d;
                h->peer_port = p;
            }
}

static bool good_encap(const struct sim_qp *qp, const struct hbl_modify *in)
{
    if (!in->encap)
        return !in->encap_number;
    return in->encap_number < HBL_ENCAPS && port_of(qp)->encap[in->encap_number];
}

static int to_rtr(struct sim_qp *qp, const struct hbl_modify *in)
{
    struct hbl_qp *h = qp->hw;

    if (!good_encap(qp, in) || in->loopback > 1)
        return EINVAL;
    if (in->encap)
        return sim_refuse(qp->obj.ctx, EOPNOTSUPP, "traffic that is encapsulated");
    h->local_key = in->local_key;
    h->loopback = in->loopback;
    find_peer(qp);
    qp->comm_est_told = true; /* it has no such event */
    return 0;
}

static int lend_rings(struct sim_qp *qp, struct hbl_modified *r)
{
    struct sim_context *ctx = qp->obj.ctx;
    struct hbl_qp *h = qp->hw;

    if (port_of(qp)->device_memory)
        return 0; /* they are not for the process */
    h->sends = sim_lend(ctx, (size_t)h->size * h->element, true, SIM_WATCH_NOTHING);
    h->receives = sim_lend(ctx, (size_t)h->size * 16, true, SIM_WATCH_NOTHING);
    if (h->sends < 0 || h->receives < 0)
        return ENOMEM;
    r->sends = sim_area_key(ctx, (unsigned)h->sends);
    r->sends_size = (uint32_t)ctx->areas.area[h->sends].size;
    r->receives = sim_area_key(ctx, (unsigned)h->receives);
    r->receives_size = (uint32_t)ctx->areas.area[h->receives].size;
    return 0;
}

static int to_rts(struct sim_qp *qp, const struct hbl_modify *in, struct hbl_modified *r)
{
    const struct hbl_port *p = port_of(qp);
    struct hbl_qp *h = qp->hw;

    if (in->priority < 1 || in->priority > 3 || (in->dest_size && !power_of_two(in->dest_size)))
        return EINVAL;
    if (h->type != HBL_WQ_WRITE && (!in->dest_size || in->dest_size < 4 * qp->cap.max_send_wr))
        return EINVAL;
    if (in->congestion && qp->obj.ctx->dev->port[h->port].internal)
        return EINVAL;
    if (!power_of_two(qp->cap.max_send_wr) || qp->cap.max_send_wr < 2 || qp->cap.max_send_wr > p->elements)
        return EINVAL;
    h->remote_key = in->remote_key;
    h->size = qp->cap.max_send_wr;
    h->rung = h->taken = 0;
    return lend_rings(qp, r);
}

static bool reserved(const struct hbl_modify *in)
{
    uint8_t any = in->reserved_27 | in->reserved_30;

    for (unsigned i = 0; i < sizeof in->reserved; i++)
        any |= in->reserved[i];
    return any;
}

/* The core has made the change. What fails now leaves the queue pair as it was made. */
int hbl_modify_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    static const struct ib_uverbs_modify_qp to_reset = {.attr_mask = IBV_QP_STATE, .qp_state = IBV_QPS_RESET};
    struct hbl_qp *h = qp->hw;
    struct hbl_modified r = {0};
    struct hbl_modify in;
    int error = 0;

    sim_in_driver(cmd, &in, sizeof in);
    if (reserved(&in))
        error = EINVAL;
    else if (qp->state == IBV_QPS_INIT)
        error = to_init(qp, &in);
    else if (qp->state == IBV_QPS_RTR)
        error = to_rtr(qp, &in);
    else if (qp->state == IBV_QPS_RTS && !h->size)
        error = to_rts(qp, &in, &r);
    if (error) {
        sim_qp_modify(qp, &to_reset);
        return error;
    }
    r.number = h->number;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

void hbl_reset_qp(struct sim_qp *qp)
{
    struct hbl_qp *h = qp->hw;
    int *areas[] = {&h->sends, &h->receives};

    forget_number(qp);
    for (unsigned i = 0; i < 2; i++) {
        if (*areas[i] >= 0)
            sim_take_back_area(qp->obj.ctx, (unsigned)*areas[i]);
        *areas[i] = -1;
    }
    h->size = h->rung = h->taken = h->local_key = h->remote_key = 0;
    h->loopback = h->broken = false;
    h->peer_device = h->peer_port = -1;
}

void hbl_free_qp(struct sim_qp *qp)
{
    if (((const struct hbl_qp *)qp->hw)->made)
        hbl_reset_qp(qp);
}
