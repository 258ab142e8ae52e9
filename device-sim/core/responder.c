/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The other side: what a queue pair does with a packet that arrives, and what it answers. */
#include <string.h>

#include "frames.h"

/* The queue pair that a packet is for, if it may receive it. */
static struct sim_qp *target(const struct sim_packet *p)
{
    int wanted = p->type == IB_UVERBS_QPT_XRC_INI ? IB_UVERBS_QPT_XRC_TGT : p->type;

    for (int d = 0; d < sim_config.n_devices; d++) {
        struct sim_device *dev = &sim_devices[d];
        struct sim_qp *qp = sim_qp_find(dev, p->dest_qpn);
        int port;

        if (p->by_port != (dev->vendor->arrives != NULL))
            continue;
        if (p->by_port) {
            qp = dev->vendor->arrives(dev, p);
            if (qp)
                return qp;
            continue;
        }
        if (!qp || qp->type != wanted || p->dc != (qp->dc == SIM_DC_TARGET) || qp->state < IBV_QPS_RTR || qp->state == IBV_QPS_ERR || !qp->attr.port_num)
            continue;
        port = qp->attr.port_num - 1;
        if (dev->port[port].state != IBV_PORT_ACTIVE || !sim_port_has(dev, port, p->by_gid, p->dgid, p->dlid))
            continue;
        if (sim_connected(qp) ? qp->attr.dest_qp_num != p->src_qpn : !p->dc && qp->attr.qkey != p->qkey)
            continue;
        return qp;
    }
    return NULL;
}

/*
 * Whether there is no queue pair that SRD could reach at this address, while the address is here. One with another key
 * does not answer.
 */
static bool nobody(const struct sim_packet *p)
{
    bool here = false;

    for (int d = 0; d < sim_config.n_devices; d++) {
        struct sim_device *dev = &sim_devices[d];
        struct sim_qp *qp = sim_qp_find(dev, p->dest_qpn);

        for (int port = 0; port < dev->n_ports; port++) {
            if (dev->port[port].state != IBV_PORT_ACTIVE || !sim_port_has(dev, port, true, p->dgid, 0))
                continue;
            here = true;
            if (qp && qp->type == p->type && qp->state >= IBV_QPS_RTR && qp->state != IBV_QPS_ERR &&
                qp->attr.port_num == port + 1)
                return false;
        }
    }
    return here;
}

/* What is the peer's fault breaks a connection; without one it is the peer's alone. */
static void peer_error(struct sim_qp *qp)
{
    if (qp->type != IB_UVERBS_QPT_DRIVER)
        sim_qp_to_error(qp);
}

static int reject(struct sim_qp *qp, int answer)
{
    if (qp->type == IB_UVERBS_QPT_DRIVER)
        return answer;
    sim_qp_to_error(qp);
    if (qp->obj.ctx->dev->vendor->rejected) {
        qp->obj.ctx->dev->vendor->rejected(qp, answer);
        return answer;
    }
    sim_async_qp(qp, answer == SIM_NAK_ACCESS ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR);
    return answer;
}

/* -- receives ---------------------------------------------------------------------------------- */

static struct sim_srq *receive_queue(struct sim_qp *qp, const struct sim_packet *p)
{
    struct sim_srq *srq;

    if (qp->type != IB_UVERBS_QPT_XRC_TGT)
        return qp->srq;
    srq = sim_srq_find(qp->obj.ctx->dev, p->srqn);
    if (!srq || srq->type != IB_UVERBS_SRQT_XRC)
        return NULL;
    /* the same domain: the same object, or two that were opened with the same file */
    return srq->xrcd == qp->xrcd || (qp->xrcd->inode && srq->xrcd->inode == qp->xrcd->inode) ? srq : NULL;
}

static struct sim_pd *protection(const struct sim_qp *qp, const struct sim_srq *srq)
{
    return qp->type == IB_UVERBS_QPT_XRC_TGT ? srq->pd : qp->pd;
}

/* Whether what comes takes no receive. */
static bool unsolicited(const struct sim_qp *qp, const struct sim_packet *p)
{
    return p->op == SIM_WRITE && qp->unsolicited && p->unsolicited;
}

static void complete_receive(struct sim_qp *qp, const struct sim_packet *p, int status, const uint8_t *data)
{
    struct sim_completion c = {
        .qp = qp, .srq = qp->recv_srq, .responder = true, .status = status, .op = (enum sim_op)p->op,
        .index = qp->recv.index, .length = (uint32_t)p->total, .solicited = p->solicited, .has_imm = p->has_imm,
        .has_inv = p->has_inv, .imm = p->imm, .src_qp = p->src_qpn, .slid = p->slid, .sl = p->sl, .sgid = p->sgid,
        .data = data, .unsolicited = unsolicited(qp, p), .tagged = qp->tagged.how ? &qp->tagged : NULL,
    };

    if (qp->tagged.matched)
        c.length = qp->tagged.length;

    qp->receiving = false;
    if (qp->type == IB_UVERBS_QPT_UD) {
        c.length += SIM_UD_HEADER;
        c.grh = p->by_gid;
    }
    sim_complete(c.srq && c.srq->cq ? c.srq->cq : qp->rcq, &c);
}

/* Takes a receive. SIM_ACK, or what to answer instead. */
static int take_receive(struct sim_qp *qp, const struct sim_packet *p, struct sim_srq *srq)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;
    int got;

    if (sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_RNR, NULL))
        return SIM_RNR;
    got = vendor->next_recv(qp, srq, &qp->recv);
    if (!got)
        return SIM_RNR;
    sim_count(DEVICE_SIM_COUNT_RECEIVES);
    qp->receiving = true;
    qp->received = 0;
    qp->recv_srq = srq;
    if (srq && srq->limit && vendor->srq_posted(srq) < srq->limit) {
        srq->limit = 0; /* armed once */
        sim_async_srq(srq, IBV_EVENT_SRQ_LIMIT_REACHED);
    }
    if (got < 0) {
        complete_receive(qp, p, IBV_WC_LOC_QP_OP_ERR, NULL);
        sim_qp_to_error(qp);
        return SIM_NAK_OPERATION;
    }
    return SIM_ACK;
}

/* In front of a datagram there is its GRH, or room for one. */
static const char *put_header(struct sim_qp *qp, const struct sim_packet *p)
{
    uint8_t h[SIM_UD_HEADER] = {0};

    if (p->by_gid) {
        uint16_t length = (uint16_t)(p->total + 24);

        h[0] = 0x60;
        h[4] = (uint8_t)(length >> 8);
        h[5] = (uint8_t)length;
        h[6] = 0x1b;
        h[7] = 64;
        memcpy(h + 8, p->sgid, 16);
        memcpy(h + 24, p->dgid, 16);
    }
    return sim_scatter(qp, qp->pd, qp->recv.sge, qp->recv.n_sge, 0, h, sizeof h);
}

/* A receive, or what the message's tag is for. SIM_ACK, or what to answer instead. */
static int begin(struct sim_qp *qp, const struct sim_packet *p, struct sim_srq *srq)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;

    qp->tagged = (struct sim_tagged){0};
    if (!srq || srq->type != IB_UVERBS_SRQT_TM || !vendor->match(qp, srq, p))
        return take_receive(qp, p, srq);
    qp->receiving = true;
    qp->received = 0;
    qp->recv_srq = srq;
    return SIM_ACK;
}

/* Into the receive, without what of the message is none of its. */
static const char *store(struct sim_qp *qp, const struct sim_packet *p, struct sim_srq *srq, uint64_t header)
{
    uint64_t skip = qp->tagged.skip > qp->received ? qp->tagged.skip - qp->received : 0;

    if (skip && skip >= p->length)
        return NULL;
    return sim_scatter(qp, protection(qp, srq), qp->recv.sge, qp->recv.n_sge, header + qp->received + skip - qp->tagged.skip,
        p->data + skip, p->length - (uint32_t)skip);
}

/* No completion tells of it: there is no receive that it would be of. */
static int reject_matched(struct sim_qp *qp, const char *why)
{
    sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x, tag %u: %s", qp->obj.ctx->dev->name, qp->qpn, qp->tagged.index, why);
    qp->receiving = false;
    return reject(qp, SIM_NAK_REQUEST);
}

static int on_send(struct sim_qp *qp, const struct sim_packet *p)
{
    struct sim_srq *srq = receive_queue(qp, p);
    uint64_t header = qp->type == IB_UVERBS_QPT_UD ? SIM_UD_HEADER : 0;
    const char *why = NULL;
    const uint8_t *in_completion = NULL;
    int answer;

    if (qp->type == IB_UVERBS_QPT_XRC_TGT && !srq)
        return reject(qp, SIM_NAK_REQUEST);
    if (!qp->receiving) {
        answer = begin(qp, p, srq);
        if (answer != SIM_ACK)
            return answer;
    }
    if (qp->tagged.matched && qp->tagged.length > qp->recv.length)
        return reject_matched(qp, "the message is longer than the memory for it");
    if (!qp->tagged.matched && p->total + header > qp->recv.length) {
        complete_receive(qp, p, IBV_WC_LOC_LEN_ERR, NULL);
        peer_error(qp);
        return SIM_NAK_REQUEST;
    }
    if (header)
        why = put_header(qp, p);
    if (!header && p->first && p->last && p->length &&
        p->length <= qp->obj.ctx->dev->vendor->completion_room(qp, true))
        in_completion = p->data;
    else if (!why)
        why = store(qp, p, srq, header);
    if (why && qp->tagged.matched)
        return reject_matched(qp, why);
    if (why) {
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x, receive %u: %s", qp->obj.ctx->dev->name, qp->qpn, qp->recv.index,
            why);
        complete_receive(qp, p, IBV_WC_LOC_PROT_ERR, NULL);
        sim_qp_to_error(qp);
        return SIM_NAK_OPERATION;
    }
    qp->received += p->length;
    if (!p->last)
        return SIM_ACK;
    if (p->has_inv && !sim_invalidate(qp, protection(qp, srq), p->imm, true, &why))
        return reject(qp, SIM_NAK_ACCESS);
    complete_receive(qp, p, IBV_WC_SUCCESS, in_completion);
    return SIM_ACK;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* By what the memory is accessed that a request names. */
static struct sim_access by_key(struct sim_qp *qp, const struct sim_packet *p, uint32_t access)
{
    return (struct sim_access){.dev = qp->obj.ctx->dev, .pd = protection(qp, receive_queue(qp, p)), .qpn = qp->qpn,
        .key = p->rkey, .access = access, .remote = true};
}

/* SIM_ACK, or what to answer. Nothing is asked of a key when there are no bytes. */
static int remote_access(struct sim_qp *qp, const struct sim_packet *p, uint64_t length, uint32_t access)
{
    struct sim_srq *srq = receive_queue(qp, p);
    struct sim_access by;
    const char *why;

    if (qp->type == IB_UVERBS_QPT_XRC_TGT && !srq)
        return reject(qp, SIM_NAK_REQUEST);
    if ((sim_connected(qp) || qp->dc) && !(qp->attr.qp_access_flags & access))
        return reject(qp, SIM_NAK_REQUEST);
    if (!length)
        return SIM_ACK;
    by = by_key(qp, p, access);
    why = sim_mem_check(&by, p->raddr, length);
    if (!why)
        return SIM_ACK;
    sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x, from QP 0x%06x: rkey 0x%08x, address 0x%llx, %llu bytes: %s",
        qp->obj.ctx->dev->name, qp->qpn, p->src_qpn, p->rkey, (unsigned long long)p->raddr,
        (unsigned long long)length, why);
    return reject(qp, SIM_NAK_ACCESS);
}

static int on_write(struct sim_qp *qp, const struct sim_packet *p)
{
    struct sim_srq *srq = receive_queue(qp, p);
    struct sim_access by;
    /* the first packet asks for all of it, so that nothing is written of a request that would not fit */
    int answer = remote_access(qp, p, p->first ? p->total : p->length, IB_UVERBS_ACCESS_REMOTE_WRITE);

    if (answer != SIM_ACK)
        return answer;
    if (p->last && p->has_imm && !unsolicited(qp, p)) {
        qp->tagged = (struct sim_tagged){0};
        answer = take_receive(qp, p, srq);
        if (answer != SIM_ACK)
            return answer;
    }
    by = by_key(qp, p, IB_UVERBS_ACCESS_REMOTE_WRITE);
    if (sim_mem_copy(&by, p->raddr, (void *)(uintptr_t)p->data, p->length, true))
        return reject(qp, SIM_NAK_OPERATION);
    if (p->last && p->has_imm)
        complete_receive(qp, p, IBV_WC_SUCCESS, NULL);
    return SIM_ACK;
}

static int on_read(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    struct sim_access by;
    int answer = qp->attr.max_dest_rd_atomic || !sim_connected(qp) ? remote_access(qp, p, p->first ? p->total :
        p->wanted, IB_UVERBS_ACCESS_REMOTE_READ) : reject(qp, SIM_NAK_REQUEST);

    if (answer != SIM_ACK)
        return answer;
    by = by_key(qp, p, IB_UVERBS_ACCESS_REMOTE_READ);
    if (p->wanted > SIM_CHUNK || sim_mem_copy(&by, p->raddr, a->data, p->wanted, false))
        return reject(qp, SIM_NAK_OPERATION);
    a->length = p->wanted;
    return SIM_ACK;
}

static int on_atomic(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    struct sim_access by;
    struct sim_span span;
    uint32_t width = p->width ? p->width : 8;
    int answer;
    bool done;

    if (p->raddr % width || !(qp->attr.max_dest_rd_atomic || qp->dc))
        return reject(qp, SIM_NAK_REQUEST);
    answer = remote_access(qp, p, width, IB_UVERBS_ACCESS_REMOTE_ATOMIC);
    if (answer != SIM_ACK)
        return answer;
    by = by_key(qp, p, IB_UVERBS_ACCESS_REMOTE_ATOMIC);
    if (sim_mem_span(&by, p->raddr, width, &span) || span.length < width || span.at % width)
        return reject(qp, SIM_NAK_REQUEST); /* pieces of a key take the word apart, or put it elsewhere */
    done = p->width ? sim_mem_masked(span.at, p, &qp->last_atomic) :
        sim_mem_atomic(span.at, p->op == SIM_CAS, p->compare, p->swap_add, &qp->last_atomic);
    if (!done)
        return reject(qp, SIM_NAK_OPERATION);
    memcpy(a->data, &qp->last_atomic, width);
    a->length = width;
    return SIM_ACK;
}

/* -- order ------------------------------------------------------------------------------------- */

static int execute(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;
    int answer = vendor->admit ? vendor->admit(qp, p) : SIM_ACK;

    if (answer != SIM_ACK)
        return reject(qp, answer);
    switch (p->op) {
    case SIM_SEND:
        return on_send(qp, p);
    case SIM_WRITE:
        return on_write(qp, p);
    case SIM_READ:
        return on_read(qp, p, a);
    case SIM_CAS:
    case SIM_FETCH_ADD:
    case SIM_MASKED_CAS:
    case SIM_MASKED_FA:
        return on_atomic(qp, p, a);
    }
    return reject(qp, SIM_NAK_REQUEST);
}

/* The answer to a packet that came a second time, because the first answer was lost. */
static int repeat(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    if (p->op == SIM_READ)
        return on_read(qp, p, a);
    if (sim_is_atomic(p->op)) {
        a->length = p->width ? p->width : 8;
        memcpy(a->data, &qp->last_atomic, a->length);
    }
    return SIM_ACK;
}

/*
 * Without acknowledgements a lost packet makes the rest of its message worthless; the receive is kept for the next
 * one.
 */
static void unreliable(struct sim_qp *qp, const struct sim_packet *p)
{
    struct sim_packet none;

    if (qp->type == IB_UVERBS_QPT_UC) {
        if (!p->first && p->psn != qp->epsn)
            return;
        if (p->first)
            qp->received = 0;
        qp->epsn = (p->psn + 1) & 0xffffff;
    }
    execute(qp, p, &none);
}

/*
 * A target has no connection that would tell a repeated packet, so it remembers who sent what last. A message of several packets
 * keeps it: other initiators are asked to come back.
 */
static int target_answer(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    struct sim_dc_peer *peer = &qp->dc_peer[p->src_qpn % SIM_DC_PEERS];
    int answer;

    if (p->dc_key != qp->dc_key) {
        sim_key_error(NULL, 0, 0, 0, "%s DCT 0x%06x, from QP 0x%06x: the access key is 0x%llx, which is not the target's",
            qp->obj.ctx->dev->name, qp->qpn, p->src_qpn, (unsigned long long)p->dc_key);
        return SIM_NAK_ACCESS;
    }
    if (peer->qpn == p->src_qpn && peer->life == p->dc_life && peer->psn == p->psn) {
        qp->last_atomic = peer->atomic;
        return repeat(qp, p, a);
    }
    if (qp->receiving && qp->dc_sender != p->src_qpn)
        return SIM_RNR;
    qp->dc_sender = p->src_qpn;
    answer = execute(qp, p, a);
    if (answer == SIM_ACK)
        *peer = (struct sim_dc_peer){.qpn = p->src_qpn, .life = p->dc_life, .psn = p->psn, .atomic = qp->last_atomic};
    return answer;
}

/* Numbers of queue pairs are the device's own, so that of the sender alone does not tell. */
static bool is_sender(const struct sim_qp *qp, const struct sim_packet *p)
{
    const struct sim_device *dev = qp->obj.ctx->dev;
    int port = qp->attr.port_num - 1;

    return qp->qpn == p->src_qpn && (sim_port_has(dev, port, true, p->sgid, 0) ||
        (!p->by_gid && sim_port_has(dev, port, false, NULL, p->slid)));
}

/* A copy for each queue pair that is attached, the sender's own among them unless it does not want that. */
static void respond_group(const struct sim_packet *p)
{
    for (int d = 0; d < sim_config.n_devices; d++)
        for (uint32_t i = 0; i < sim_devices[d].n_qps; i++) {
            struct sim_qp *qp = sim_devices[d].qp[i];
            struct sim_group *g = qp ? qp->groups : NULL;

            while (g && (memcmp(g->gid, p->dgid, 16) || (!p->by_gid && g->lid != p->dlid)))
                g = g->next;
            if (g && qp->block_self && is_sender(qp, p))
                continue;
            if (g && qp->state >= IBV_QPS_RTR && qp->state != IBV_QPS_ERR && qp->attr.qkey == p->qkey &&
                sim_rdma_passes(qp, false))
                unreliable(qp, p);
        }
}

static void address_answer(const struct sim_packet *p, struct sim_packet *a)
{
    memset(a, 0, offsetof(struct sim_packet, data));
    a->is_answer = 1;
    a->type = p->type;
    a->src_qpn = p->dest_qpn;
    a->dest_qpn = p->src_qpn;
    a->psn = p->psn;
    a->by_port = p->by_port;
    a->to_device = p->from_device;
    memcpy(a->dgid, p->sgid, 16);
}

/* Without sequence numbers, what came twice is told by what is remembered. */
static int unordered_answer(struct sim_qp *qp, const struct sim_packet *p, struct sim_packet *a)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;
    int answer = p->again ? sim_recall(qp, p) : -1;

    if (answer == SIM_ACK)
        return repeat(qp, p, a);
    if (answer >= 0)
        return answer;
    if (p->op != SIM_SEND && vendor->knows && !vendor->knows(qp, p->sgid))
        answer = SIM_NAK_PEER;
    else
        answer = execute(qp, p, a);
    if (answer == SIM_ACK && p->last && p->op != SIM_SEND && vendor->served)
        vendor->served(qp, (enum sim_op)p->op);
    if (answer != SIM_RNR)
        sim_remember(qp, p, answer);
    return answer;
}

bool sim_respond(struct sim_packet *p, struct sim_packet *a)
{
    struct sim_qp *qp;
    uint32_t behind;

    if (p->type == IB_UVERBS_QPT_UD && p->dest_qpn == SIM_MULTICAST_QPN) {
        respond_group(p);
        return false;
    }
    if (p->type == IB_UVERBS_QPT_RAW_PACKET) {
        sim_frame_arrives(p);
        return false;
    }
    qp = target(p);
    if (!qp && p->type == IB_UVERBS_QPT_DRIVER && !p->dc && nobody(p)) {
        address_answer(p, a);
        a->answer = SIM_NAK_QPN;
        return true;
    }
    if (!qp || !sim_rdma_passes(qp, false))
        return false;
    if (qp->state == IBV_QPS_RTR && !qp->comm_est_told && sim_connected(qp)) {
        qp->comm_est_told = true;
        sim_async_qp(qp, IBV_EVENT_COMM_EST);
    }
    if (p->type == IB_UVERBS_QPT_UD || p->type == IB_UVERBS_QPT_UC) {
        unreliable(qp, p);
        return false;
    }
    address_answer(p, a);
    a->rnr_timer = qp->attr.min_rnr_timer;
    behind = sim_connected(qp) ? (qp->epsn - p->psn) & 0xffffff : 0;
    if (sim_unordered(qp)) {
        a->answer = (uint8_t)unordered_answer(qp, p, a);
    } else if (p->dc) {
        a->answer = (uint8_t)target_answer(qp, p, a);
    } else if (behind && behind < 0x800000) {
        a->answer = (uint8_t)repeat(qp, p, a);
    } else if (behind) {
        a->answer = SIM_NAK_SEQUENCE;
    } else {
        a->answer = (uint8_t)execute(qp, p, a);
        if (a->answer == SIM_ACK)
            qp->epsn = (qp->epsn + 1) & 0xffffff;
    }
    return true;
}
