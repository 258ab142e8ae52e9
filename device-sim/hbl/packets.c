/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Where packets go, who they are for, whether they are let in; and queue pairs that break. */
#include <string.h>

#include "hbl.h"

void hbl_route(struct sim_qp *qp, struct sim_packet *p)
{
    const struct hbl_qp *h = qp->hw;
    int device = h->loopback ? qp->obj.ctx->dev->index : h->peer_device;

    p->by_port = 1;
    p->from_device = (uint8_t)qp->obj.ctx->dev->index;
    p->from_port = (uint8_t)h->port;
    p->from_number = h->number;
    p->to_device = (uint8_t)device; /* 255 is nobody */
    p->to_port = (uint8_t)(h->loopback ? h->port : h->peer_port);
    p->to_slot = device < 0 ? 0 : sim_device_slot(&sim_devices[device]);
}

/* It must come from whom the queue pair is connected with, by the same way. */
struct sim_qp *hbl_arrives(struct sim_device *dev, const struct sim_packet *p)
{
    struct sim_context *ctx = dev->index == p->to_device ? hbl_context(dev) : NULL;
    bool loopback = p->from_device == p->to_device && p->from_port == p->to_port;
    const struct hbl_qp *h;
    struct sim_qp *qp;

    if (!ctx || p->to_port >= dev->n_ports || dev->port[p->to_port].state != IBV_PORT_ACTIVE || p->dest_qpn >= HBL_QPS)
        return NULL;
    qp = hbl_of(ctx)->port[p->to_port].qp[p->dest_qpn];
    if (!qp || qp->state < IBV_QPS_RTR || qp->state == IBV_QPS_ERR || qp->attr.dest_qp_num != p->from_number)
        return NULL;
    h = qp->hw;
    if (h->loopback != loopback || (!loopback && (h->peer_device != p->from_device || h->peer_port != p->from_port)))
        return NULL;
    return qp;
}

int hbl_admit(struct sim_qp *qp, const struct sim_packet *p)
{
    struct hbl_qp *h = qp->hw;

    h->rejecting = 0;
    if (p->rkey == h->local_key)
        return SIM_ACK;
    h->rejecting = HBL_RX_KEY;
    sim_key_error(NULL, 0, 0, 0, "%s QP %u, from QP %u: the key is 0x%x, which is not the queue pair's own",
        qp->obj.ctx->dev->name, h->number, p->from_number, p->rkey);
    return SIM_NAK_ACCESS;
}

void hbl_rejected(struct sim_qp *qp, int answer)
{
    const struct hbl_qp *h = qp->hw;

    hbl_break(qp, h->rejecting ? h->rejecting : answer == SIM_NAK_ACCESS ? HBL_RX_ADDRESS : HBL_RX_ACCESS,
        IBV_EVENT_QP_FATAL);
}

/* The first reason stays. It is where ibv_query_qp tells rights. */
void hbl_break(struct sim_qp *qp, uint8_t syndrome, int event)
{
    struct hbl_qp *h = qp->hw;

    if (h->broken)
        return;
    h->broken = true;
    qp->attr.qp_access_flags = syndrome;
    sim_async_qp(qp, event);
}
