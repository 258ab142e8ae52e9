/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The requester's side of a queue pair: its work requests, packet by packet, and what the answers mean. */
#include <string.h>

#include "frames.h"

/* The time a receiver that is not ready asks for, in units of 10 us. */
static uint64_t rnr_time(unsigned code)
{
    static const uint16_t units[32] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
        1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

    return (code & 31 ? units[code & 31] : 65536) * 10000ull;
}

static uint64_t ack_time(const struct sim_qp *qp)
{
    return 4096ull << (qp->attr.timeout & 31);
}

/* -- the requester ----------------------------------------------------------------------------- */

void sim_complete(struct sim_cq *cq, const struct sim_completion *c)
{
    sim_count(DEVICE_SIM_COUNT_COMPLETIONS);
    cq->obj.ctx->dev->vendor->complete(cq, c);
}

bool sim_connected(const struct sim_qp *qp)
{
    return qp->type != IB_UVERBS_QPT_UD && qp->type != IB_UVERBS_QPT_DRIVER && qp->type != IB_UVERBS_QPT_RAW_PACKET;
}

bool sim_reliable(const struct sim_qp *qp)
{
    return qp->type != IB_UVERBS_QPT_UD && qp->type != IB_UVERBS_QPT_UC && qp->type != IB_UVERBS_QPT_RAW_PACKET;
}

/* The work request is done with. An error stops the send queue: of a reliable queue pair, all of it. */
void sim_finish(struct sim_qp *qp, int status, const uint8_t *data)
{
    struct sim_wr *wr = &qp->wr;
    struct sim_completion c = {
        .qp = qp, .status = status, .op = wr->op, .vendor_op = wr->vendor_op, .index = wr->index,
        .more_index = wr->more_index,
        .length = (uint32_t)wr->length, .data = data, .vendor_err = wr->vendor_err,
    };

    qp->active = qp->waiting = false;
    if (status != IBV_WC_SUCCESS || wr->signaled)
        sim_complete(qp->scq, &c);
    if (status == IBV_WC_SUCCESS || status == IBV_WC_WR_FLUSH_ERR)
        return;
    if (sim_unordered(qp))
        return; /* the next one may have another peer */
    if (qp->max_failed_streams && !sim_stream_fail(qp, wr->stream))
        return; /* the others go on */
    if (sim_reliable(qp))
        sim_qp_to_error(qp);
    else
        qp->state = IBV_QPS_SQE;
}

static void fill_packet(struct sim_qp *qp, struct sim_packet *p)
{
    const struct sim_wr *wr = &qp->wr;
    const struct sim_device *dev = qp->obj.ctx->dev;
    const struct ib_uverbs_qp_dest *to = &qp->attr.dest;
    const struct sim_port *port = &dev->port[qp->attr.port_num - 1];
    uint64_t left = wr->length - qp->done;
    uint32_t part = (uint32_t)(left < SIM_CHUNK ? left : SIM_CHUNK);

    memset(p, 0, offsetof(struct sim_packet, data));
    p->op = (uint8_t)wr->op;
    p->type = (uint8_t)qp->type;
    p->src_qpn = qp->qpn;
    p->psn = qp->psn;
    p->first = qp->done == 0;
    p->last = left == part;
    p->total = wr->length;
    p->raddr = wr->raddr + qp->done;
    p->rkey = wr->rkey;
    p->srqn = wr->srqn;
    p->compare = wr->compare;
    p->swap_add = wr->swap_add;
    p->compare_mask = wr->compare_mask;
    p->swap_mask = wr->swap_mask;
    p->width = wr->width;
    p->solicited = wr->solicited;
    p->has_imm = wr->has_imm;
    p->has_inv = wr->has_inv;
    p->unsolicited = qp->unsolicited;
    p->again = qp->again;
    p->imm = wr->imm;
    p->sl = sim_connected(qp) ? to->sl : wr->sl;
    p->slid = port->lid;
    if (sim_connected(qp)) {
        p->dest_qpn = qp->attr.dest_qp_num;
        p->by_gid = to->is_global;
        p->dlid = to->dlid;
        memcpy(p->dgid, to->dgid, 16);
        memcpy(p->sgid, port->gid[to->sgid_index % SIM_GIDS], 16);
        if (dev->vendor->route)
            dev->vendor->route(qp, p);
    } else {
        p->dest_qpn = wr->dest_qpn;
        p->dc = qp->dc != SIM_NO_DC;
        p->dc_key = wr->dc_key;
        p->dc_life = qp->dc_life;
        p->by_gid = wr->by_gid;
        p->dlid = wr->dlid;
        memcpy(p->dgid, wr->dgid, 16);
        memcpy(p->sgid, port->gid[wr->sgid_index % SIM_GIDS], 16);
        /* with the top bit set, the queue pair's own key is meant */
        p->qkey = wr->qkey & 0x80000000 ? qp->attr.qkey : wr->qkey;
    }
    if (wr->op == SIM_READ)
        p->wanted = part;
    else if (wr->op == SIM_SEND || wr->op == SIM_WRITE)
        p->length = part;
}

/* The bytes of this packet; what is wrong with the list, or NULL. */
static const char *fill_data(struct sim_qp *qp, struct sim_packet *p)
{
    const struct sim_wr *wr = &qp->wr;
    uint32_t here = 0;

    if (qp->done < wr->inline_length) {
        uint64_t left = wr->inline_length - qp->done;

        here = left < p->length ? (uint32_t)left : p->length;
        memcpy(p->data, wr->data + qp->done, here);
    }
    if (here == p->length)
        return NULL;
    return sim_gather(qp, wr->sge, wr->n_sge, qp->done + here - wr->inline_length, p->data + here, p->length - here);
}

/* Puts what a read or an atomic brought to where it belongs. False when it can't be. */
static bool take_data(struct sim_qp *qp, const struct sim_packet *a, const uint8_t **in_completion)
{
    const struct sim_wr *wr = &qp->wr;
    const char *why;

    if (!a->length)
        return true;
    if (wr->signaled && wr->length <= qp->obj.ctx->dev->vendor->completion_room(qp, false)) {
        *in_completion = a->data;
        return true;
    }
    why = sim_scatter(qp, qp->pd, wr->sge, wr->n_sge, qp->done, a->data, a->length);
    if (why)
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x: the answer can't be stored: %s", qp->obj.ctx->dev->name, qp->qpn,
            why);
    return !why;
}

/* One more try, if there is one left. `wait` is the time until then, which only a thread keeps. */
static bool again(struct sim_qp *qp, unsigned *left, unsigned unlimited, int status, uint64_t wait)
{
    sim_count(DEVICE_SIM_COUNT_RETRIES);
    qp->waiting = false;
    qp->again = true;
    qp->not_before = sim_config.thread ? sim_real_time() + wait : 0;
    if (*left == unlimited)
        return false; /* nothing has changed: not counted as a step */
    if (*left == 0)
        sim_finish(qp, status, NULL);
    else
        --*left;
    return true;
}

static void next_psn(struct sim_qp *qp)
{
    qp->psn = sim_unordered(qp) ? qp->next_psn++ & 0xffffff : (qp->psn + 1) & 0xffffff;
    qp->again = false;
}

/* What an answer means to the work request under way. True when that was a step ahead. */
static bool answered(struct sim_qp *qp, const struct sim_packet *a)
{
    struct sim_wr *wr = &qp->wr;
    const uint8_t *in_completion = NULL;
    uint64_t left = wr->length - qp->done;

    switch (a->answer) {
    case SIM_ACK:
        if (!take_data(qp, a, &in_completion)) {
            sim_finish(qp, IBV_WC_LOC_PROT_ERR, NULL);
            return true;
        }
        next_psn(qp);
        qp->tries = qp->attr.retry_cnt;
        qp->rnr_tries = qp->attr.rnr_retry;
        qp->waiting = false;
        qp->not_before = 0; /* the next packet need not wait as long as the answer might have taken */
        qp->done += left < SIM_CHUNK ? left : SIM_CHUNK;
        if (qp->done == wr->length)
            sim_finish(qp, IBV_WC_SUCCESS, in_completion);
        return true;
    case SIM_RNR:
        if (sim_unordered(qp))
            qp->tries = qp->attr.retry_cnt; /* it is there */
        return again(qp, &qp->rnr_tries, 7, IBV_WC_RNR_RETRY_EXC_ERR, rnr_time(a->rnr_timer));
    case SIM_NAK_REQUEST:
        sim_finish(qp, IBV_WC_REM_INV_REQ_ERR, NULL);
        return true;
    case SIM_NAK_ACCESS:
        sim_finish(qp, IBV_WC_REM_ACCESS_ERR, NULL);
        return true;
    case SIM_NAK_OPERATION:
        sim_finish(qp, sim_unordered(qp) ? IBV_WC_BAD_RESP_ERR : IBV_WC_REM_OP_ERR, NULL);
        return true;
    case SIM_NAK_QPN:
        sim_finish(qp, IBV_WC_REM_INV_RD_REQ_ERR, NULL);
        return true;
    case SIM_NAK_PEER:
        sim_finish(qp, IBV_WC_REM_OP_ERR, NULL);
        return true;
    default: /* lost, or out of sequence */
        if (!qp->attr.timeout && a->answer == SIM_LOST) {
            qp->waiting = true; /* no timeout is for ever */
            qp->not_before = UINT64_MAX;
            return false;
        }
        return again(qp, &qp->tries, 8, IBV_WC_RETRY_EXC_ERR, ack_time(qp));
    }
}

/* Where no order is kept, what is not done lets the others have their turn. */
void sim_put_aside(struct sim_qp *qp)
{
    if (qp->active && sim_unordered(qp))
        sim_park(qp);
}

void sim_answered(struct sim_packet *a)
{
    for (int i = 0; i < sim_config.n_devices; i++) {
        struct sim_qp *qp = sim_qp_find(&sim_devices[i], a->dest_qpn);
        uint8_t index;

        if (qp && sim_unordered(qp) && sim_unpark_answered(qp, a->psn, a->src_qpn)) {
            answered(qp, a);
            sim_put_aside(qp);
            return;
        }
        if (!qp || !qp->waiting || qp->psn != a->psn)
            continue;
        if ((sim_connected(qp) ? qp->attr.dest_qp_num : qp->wr.dest_qpn) != a->src_qpn)
            continue;
        if (a->by_port != (sim_devices[i].vendor->route != NULL))
            continue;
        if (a->by_port) {
            if (a->to_device == i) {
                answered(qp, a);
                return;
            }
            continue;
        }
        index = (sim_connected(qp) ? qp->attr.dest.sgid_index : qp->wr.sgid_index) % SIM_GIDS;
        if (!memcmp(a->dgid, sim_devices[i].port[qp->attr.port_num - 1].gid[index], 16)) {
            answered(qp, a);
            return;
        }
    }
}

static void start(struct sim_qp *qp)
{
    int fault;

    qp->active = true;
    qp->done = 0;
    qp->tries = qp->attr.retry_cnt;
    qp->rnr_tries = qp->attr.rnr_retry;
    qp->not_before = 0;
    qp->again = false;
    if (sim_unordered(qp))
        next_psn(qp);
    sim_count(DEVICE_SIM_COUNT_SENDS);
    if (!qp->wr.refused && sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_ERROR, &fault)) {
        qp->wr.refused = fault & 0xff;
        qp->wr.vendor_err = (uint8_t)(fault >> 8);
    }
}

/* Work requests that never leave the device. */
static bool copy(const struct sim_qp *qp, const char **why)
{
    static uint8_t room[SIM_CHUNK]; /* under the lock */
    const struct sim_sge *from = &qp->wr.sge[0], *to = &qp->wr.sge[1];
    struct sim_access reads = {.dev = qp->obj.ctx->dev, .pd = qp->pd, .qpn = qp->qpn, .key = from->lkey};
    struct sim_access writes = {.dev = reads.dev, .pd = qp->pd, .qpn = qp->qpn, .key = to->lkey,
        .access = IB_UVERBS_ACCESS_LOCAL_WRITE};

    for (uint32_t done = 0, part; done < from->length; done += part) {
        part = from->length - done < SIM_CHUNK ? from->length - done : SIM_CHUNK;
        *why = sim_mem_copy(&reads, from->addr + done, room, part, false);
        if (!*why)
            *why = sim_mem_copy(&writes, to->addr + done, room, part, true);
        if (*why)
            return false;
    }
    return true;
}

static bool local(struct sim_qp *qp)
{
    const char *why = NULL;
    bool good = true;

    switch (qp->wr.op) {
    case SIM_BIND:
        good = sim_bind(qp, &qp->wr, &why);
        break;
    case SIM_LOCAL_INV:
        good = sim_invalidate(qp, qp->pd, qp->wr.bind.key, false, &why);
        break;
    case SIM_UPDATE_KEY:
        good = sim_update_key(qp, &qp->wr, &why);
        break;
    case SIM_MEMCPY:
        good = copy(qp, &why);
        break;
    case SIM_NOP:
        break;
    default:
        return false;
    }
    if (!good)
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x WQE %u: %s", qp->obj.ctx->dev->name, qp->qpn, qp->wr.index, why);
    sim_finish(qp, good ? IBV_WC_SUCCESS : qp->wr.op == SIM_MEMCPY ? IBV_WC_LOC_PROT_ERR : IBV_WC_MW_BIND_ERR, NULL);
    return true;
}

/* Waits for a completion queue, or lets another queue pair begin. False while it waits: nothing has changed. */
static bool cross(struct sim_qp *qp)
{
    const char *why = NULL;
    int said = qp->obj.ctx->dev->vendor->cross(qp, &why);

    if (said == SIM_CROSS_WAITS)
        return false;
    if (said == SIM_CROSS_FAILED)
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x WQE %u: %s", qp->obj.ctx->dev->name, qp->qpn, qp->wr.index, why);
    sim_finish(qp, said == SIM_CROSS_DONE ? IBV_WC_SUCCESS : IBV_WC_LOC_QP_OP_ERR, NULL);
    return true;
}

static bool transmit(struct sim_qp *qp)
{
    static struct sim_packet p, a;
    const char *why;
    bool lost;

    fill_packet(qp, &p);
    why = fill_data(qp, &p);
    if (why) {
        sim_key_error(NULL, 0, 0, 0, "%s QP 0x%06x WQE %u: %s", qp->obj.ctx->dev->name, qp->qpn, qp->wr.index, why);
        sim_finish(qp, IBV_WC_LOC_PROT_ERR, NULL);
        return true;
    }
    lost = qp->obj.ctx->dev->port[qp->attr.port_num - 1].state != IBV_PORT_ACTIVE ||
        sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_DROP, NULL) || sim_lose() || !sim_rdma_passes(qp, true);
    memset(&a, 0, offsetof(struct sim_packet, data));
    a.answer = SIM_LOST;
    if (!lost) {
        switch (sim_wire_send(&p, &a)) {
        case SIM_TRY_AGAIN:
            return false;
        case SIM_ON_ITS_WAY:
            if (!sim_reliable(qp))
                break;
            qp->waiting = true;
            qp->not_before = sim_real_time() + (ack_time(qp) > 200000000 ? ack_time(qp) : 200000000);
            return true;
        case SIM_ANSWERED:
            break;
        }
        sim_count(DEVICE_SIM_COUNT_PACKETS);
        if (sim_fault_take(qp->qpn, DEVICE_SIM_FAULT_DROP_ANSWER, NULL) || sim_lose())
            a.answer = SIM_LOST;
    }
    if (!sim_reliable(qp)) {
        a.answer = SIM_ACK; /* nobody will tell */
        a.length = 0;
    }
    return answered(qp, &a);
}

/* -- pacing: the next request waits until the last ones are through at the rate, but for a burst --- */

static uint64_t at_rate(const struct sim_qp *qp, uint64_t bytes)
{
    return bytes * 8000000 / qp->rate;
}

static bool too_early(const struct sim_qp *qp, uint64_t now)
{
    return qp->rate && qp->paced_until > now + at_rate(qp, qp->burst);
}

/* In pump mode nobody waits: time moves to when it may begin. */
static void pace(struct sim_qp *qp)
{
    uint64_t now;

    if (!qp->rate || (qp->wr.op != SIM_SEND && qp->wr.op != SIM_WRITE))
        return;
    if (!sim_config.thread && too_early(qp, sim_clock()))
        sim_clock_move(qp->paced_until - at_rate(qp, qp->burst));
    now = sim_clock();
    qp->paced_until = (qp->paced_until > now ? qp->paced_until : now) + at_rate(qp, qp->wr.length);
}

/* The work request that has its turn, as far as it goes at once. False when nothing has changed. */
bool sim_run(struct sim_qp *qp)
{
    bool moved = false;
    uint32_t psn;

    if (qp->waiting) {
        struct sim_packet lost = {.answer = SIM_LOST};

        return sim_real_time() >= qp->not_before && answered(qp, &lost);
    }
    if (qp->wr.refused) {
        sim_finish(qp, qp->wr.refused, NULL);
        return true;
    }
    if (local(qp))
        return true;
    if (qp->wr.op >= SIM_WAIT && qp->wr.op <= SIM_RECV_ENABLE)
        return cross(qp);
    if (qp->type == IB_UVERBS_QPT_RAW_PACKET) {
        sim_send_frames(qp);
        return true;
    }
    if (qp->not_before && sim_real_time() < qp->not_before)
        return false;
    /* All packets of the request, as long as they are answered for at once. */
    do {
        psn = qp->psn;
        if (!transmit(qp))
            return moved;
        moved = true;
    } while (qp->active && !qp->waiting && qp->psn != psn);
    return true;
}

/* The next of the ring; false when there is none yet. */
bool sim_begin(struct sim_qp *qp)
{
    if (sim_config.thread && too_early(qp, sim_real_time()))
        return false;
    if (!qp->obj.ctx->dev->vendor->next_send(qp, &qp->wr))
        return false;
    pace(qp);
    start(qp);
    if (sim_stream_has_failed(qp, qp->wr.stream)) {
        qp->wr.refused = IBV_WC_WR_FLUSH_ERR;
        qp->wr.vendor_err = 0;
    }
    return true;
}
