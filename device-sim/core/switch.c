/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Frames that queue pairs send, and how they take those that the rules of a port give them. */
#include <string.h>

#include "frames.h"

static const uint8_t customer_tag[2] = {0x81, 0x00};

/* -- sending ----------------------------------------------------------------------------------- */

/* Bytes of the request from `offset` on; what is wrong with the list, or NULL. */
static const char *payload(struct sim_qp *qp, uint64_t offset, uint8_t *to, size_t length)
{
    const struct sim_wr *wr = &qp->wr;
    size_t here = 0;

    if (offset < wr->inline_length) {
        here = wr->inline_length - offset < length ? (size_t)(wr->inline_length - offset) : length;
        memcpy(to, wr->data + offset, here);
    }
    if (here == length)
        return NULL;
    return sim_gather(qp, wr->sge, wr->n_sge, offset + here - wr->inline_length, to + here, length - here);
}

/* The checksums, the tag, what the rules make of it, and then it is on its way. */
static void emit(struct sim_qp *qp, struct sim_packet *p)
{
    const struct sim_wr *wr = &qp->wr;
    struct sim_packet none;

    if (wr->frame.l3 || wr->frame.l4)
        sim_fill_checksums(p->data, p->length, wr->frame.l3, wr->frame.l4);
    if (wr->frame.tags) {
        memmove(p->data + 12 + SIM_VLAN, p->data + 12, p->length - 12);
        memcpy(p->data + 12, customer_tag, 2);
        sim_put_be(p->data + 14, 2, wr->frame.tag);
        p->length += SIM_VLAN;
    }
    if (qp->obj.ctx->dev->port[qp->attr.port_num - 1].state != IBV_PORT_ACTIVE ||
        sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_DROP, NULL) || sim_lose() || !sim_frame_leaves(qp, p))
        return;
    sim_count(DEVICE_SIM_COUNT_PACKETS);
    sim_wire_send(p, &none);
}

static void address(const struct sim_qp *qp, struct sim_packet *p, size_t length)
{
    memset(p, 0, offsetof(struct sim_packet, data));
    p->type = IB_UVERBS_QPT_RAW_PACKET;
    p->op = SIM_SEND;
    p->src_qpn = qp->qpn;
    p->dest_qpn = SIM_MULTICAST_QPN;
    p->from_device = (uint8_t)qp->obj.ctx->dev->index;
    p->from_port = (uint8_t)(qp->attr.port_num - 1);
    p->length = (uint32_t)length;
}

/* The header of a segment: what differs from that of the request. */
static void adapt(const struct sim_frame *whole, uint8_t *bytes, size_t length, uint64_t before, unsigned nth,
    bool last)
{
    const struct sim_place *at = &whole->outer;
    uint8_t *l3 = bytes + at->l3, *tcp = bytes + at->l4;

    if (whole->h.outer.ip == 4) {
        sim_put_be(l3 + 2, 2, length - at->l3);
        sim_put_be(l3 + 4, 2, sim_be(l3 + 4, 2) + nth);
    } else {
        sim_put_be(l3 + 4, 2, length - at->l3 - 40);
    }
    sim_put_be(tcp + 4, 4, sim_be(tcp + 4, 4) + before);
    if (!last)
        tcp[13] &= 0xf6; /* FIN and PSH belong to the last one */
    if (nth)
        tcp[13] &= 0x7f; /* CWR to the first */
}

/* NULL, or why the header can't be that of segments. The lengths in it are to come. */
static const char *segment_header(struct sim_frame *f, uint8_t *header, const struct sim_wr *wr)
{
    size_t l3;

    memcpy(header, wr->data, wr->frame.header);
    sim_parse_frame(f, header, wr->frame.header);
    l3 = f->outer.l3;
    if (!l3)
        return "the header of a segmented request has no IP header";
    if (f->h.outer.ip == 4)
        sim_put_be(header + l3 + 2, 2, wr->frame.header - l3);
    else
        sim_put_be(header + l3 + 4, 2, wr->frame.header - l3 - 40);
    sim_parse_frame(f, header, wr->frame.header);
    if (!f->outer.l4 || f->h.outer.proto != 6)
        return "the header of a segmented request has no whole TCP header";
    return f->outer.payload == wr->frame.header ? NULL : "the header of a segmented request does not end with TCP's";
}

static const char *segments(struct sim_qp *qp, struct sim_packet *p)
{
    static uint8_t header[SIM_MAX_INLINE];
    const struct sim_wr *wr = &qp->wr;
    uint64_t total = wr->length - wr->frame.header, done = 0;
    struct sim_frame f;
    const char *why = segment_header(&f, header, wr);

    for (unsigned nth = 0; !why && (done < total || !nth); nth++) {
        size_t part = total - done < wr->frame.mss ? (size_t)(total - done) : wr->frame.mss;

        address(qp, p, wr->frame.header + part);
        memcpy(p->data, header, wr->frame.header);
        why = payload(qp, wr->frame.header + done, p->data + wr->frame.header, part);
        if (why)
            break;
        adapt(&f, p->data, p->length, done, nth, done + part == total);
        done += part;
        emit(qp, p);
    }
    return why;
}

static bool fits(const struct sim_wr *wr)
{
    if (!wr->frame.mss)
        return wr->length >= SIM_ETHERNET && wr->length <= SIM_MAX_FRAME;
    return wr->frame.mss + wr->frame.header <= SIM_MAX_FRAME && wr->length - wr->frame.header <= SIM_MAX_TSO;
}

void sim_send_frames(struct sim_qp *qp)
{
    static struct sim_packet p; /* under the lock */
    const struct sim_wr *wr = &qp->wr;
    const char *why;

    if (!fits(wr)) {
        sim_finish(qp, IBV_WC_LOC_LEN_ERR, NULL);
        return;
    }
    if (wr->frame.mss) {
        why = segments(qp, &p);
    } else {
        address(qp, &p, wr->length);
        why = payload(qp, 0, p.data, wr->length);
        if (!why)
            emit(qp, &p);
    }
    if (why)
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x WQE %u: %s", qp->obj.ctx->dev->name, qp->qpn, wr->index, why);
    sim_finish(qp, why ? IBV_WC_LOC_PROT_ERR : IBV_WC_SUCCESS, NULL);
}

/* -- arriving ---------------------------------------------------------------------------------- */

/* A receive of the work queue or queue pair: 1, 0 where there is none, -1 where it is none. */
static int take_receive(struct sim_qp *qp, struct sim_wq *wq)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;

    if (wq)
        return wq->state == IBV_WQS_RDY ? vendor->next_wq_recv(wq, &wq->recv) : 0;
    if (qp->state < IBV_QPS_RTR || qp->state == IBV_QPS_ERR || !qp->rcq ||
        sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_RNR, NULL))
        return 0;
    return vendor->next_recv(qp, NULL, &qp->recv);
}

static const char *store(struct sim_qp *qp, const struct sim_arrival *a, const struct sim_recv *recv, uint32_t *length)
{
    static uint8_t room[SIM_MAX_FRAME + 2 * SIM_VLAN];
    bool with_crc = a->wq ? a->wq->with_crc : qp->with_crc;
    uint32_t n = (uint32_t)a->frame->length, crc;

    memcpy(room, a->frame->bytes, n);
    if (a->stripped) {
        n -= SIM_VLAN;
        memmove(room + 12, room + 12 + SIM_VLAN, n - 12);
    }
    if (with_crc) {
        crc = sim_frame_crc(room, n);
        for (int i = 0; i < 4; i++)
            room[n++] = (uint8_t)(crc >> 8 * i);
    }
    *length = n;
    if (n > recv->length)
        return "the frame is longer than the receive";
    return sim_scatter(qp, a->wq ? a->wq->pd : qp->pd, recv->sge, recv->n_sge, 0, room, n);
}

/* The frame has found its receiver. Where nothing is posted it is lost, as on a real port. */
void sim_frame_deliver(struct sim_qp *qp, const struct sim_frame *f, uint32_t tag)
{
    struct sim_arrival a = {.frame = f, .tag = tag};
    struct sim_completion c = {.qp = qp, .responder = true, .op = SIM_SEND, .arrival = &a};
    bool strip;
    const char *why = NULL;
    struct sim_recv *recv;
    int got;

    if (qp->table) {
        a.hash = sim_rss_hash(qp->rss, f, &a.hash_kind);
        a.wq = qp->table->wq[a.hash & (qp->table->n - 1)];
    }
    got = take_receive(qp, a.wq);
    if (!got)
        return;
    sim_count(DEVICE_SIM_COUNT_RECEIVES);
    recv = a.wq ? &a.wq->recv : &qp->recv;
    strip = a.wq ? a.wq->strip_vlan : qp->strip_vlan;
    if (strip && f->length >= 18 && !memcmp(f->bytes + 12, customer_tag, 2)) {
        a.stripped = true;
        a.vlan = (uint16_t)sim_be(f->bytes + 14, 2);
    }
    c.index = recv->index;
    if (got > 0)
        why = store(qp, &a, recv, &c.length);
    if (why)
        sim_key_error(NULL, 0, 0, 0, "%s %s 0x%06x, receive %u: %s", qp->obj.ctx->dev->name, a.wq ? "WQ" : "QP",
            a.wq ? a.wq->wqn : qp->qpn, recv->index, why);
    c.status = got < 0 ? IBV_WC_LOC_QP_OP_ERR : !why ? IBV_WC_SUCCESS : c.length > recv->length ? IBV_WC_LOC_LEN_ERR :
        IBV_WC_LOC_PROT_ERR;
    sim_complete(a.wq ? a.wq->cq : qp->rcq, &c);
    if (c.status != IBV_WC_SUCCESS && a.wq)
        sim_wq_to_error(a.wq);
    else if (c.status != IBV_WC_SUCCESS)
        sim_qp_to_error(qp);
}
