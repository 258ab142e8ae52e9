/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Receive descriptors, and completions. */
#include "efa.h"

/* -- receives ---------------------------------------------------------------------------------- */

static int bad_recv(struct sim_qp *qp, const struct sim_recv *recv, const uint8_t *b, const char *why)
{
    sim_violation(b, b ? RX_SIZE : 0, 12, 4, "%s QP 0x%06x receive %u: %s: 0x%08x", qp->obj.ctx->dev->name, qp->qpn,
        recv->index, why, b ? le32(b + 12) : 0);
    return -1;
}

int efa_next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv)
{
    struct efa_qp *h = qp->hw;
    uint32_t value = efa_register(qp->obj.ctx, h->doorbells, RQ_DOORBELL);
    unsigned there = (uint16_t)(value - h->rq_ci);
    bool first = true, last = false;

    (void)srq;
    if (!h->rq_n || !there)
        return 0;
    if (value > 0xffff || there > h->rq_n) {
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: the receive doorbell went from %u to %u, the ring has %u",
            qp->obj.ctx->dev->name, qp->qpn, h->rq_ci, value, h->rq_n);
        h->rq_ci = (uint16_t)value;
        recv->index = 0;
        return -1;
    }
    recv->n_sge = 0;
    recv->length = 0;
    for (; !last; there--, first = false) {
        const uint8_t *b = sim_area(qp->obj.ctx, h->rq) + (size_t)(h->rq_ci & (h->rq_n - 1)) * RX_SIZE;
        uint32_t key = le32(b + 12);

        if (first)
            recv->index = le16(b + 8);
        if (!there)
            return bad_recv(qp, recv, NULL, "the doorbell came before the last piece");
        h->rq_ci++;
        last = key >> 31;
        if ((key & 0x3f000000) || first != !!(key & 0x40000000))
            return bad_recv(qp, recv, b, "first, last or reserved bits are wrong");
        if (recv->n_sge == qp->cap.max_recv_sge)
            return bad_recv(qp, recv, b, "more pieces than the queue pair takes");
        recv->sge[recv->n_sge].addr = le64(b);
        recv->sge[recv->n_sge].length = le16(b + 10);
        recv->sge[recv->n_sge].lkey = key & 0xffffff;
        recv->length += recv->sge[recv->n_sge++].length;
    }
    return 1;
}

/* -- completions ------------------------------------------------------------------------------- */

static uint8_t status(int s)
{
    switch (s) {
    case IBV_WC_SUCCESS: return 0;
    case IBV_WC_WR_FLUSH_ERR: return 1;
    case IBV_WC_LOC_QP_OP_ERR: return 2;
    case IBV_WC_LOC_PROT_ERR: return 5;
    case IBV_WC_LOC_LEN_ERR: return 6;
    case IBV_WC_REM_ACCESS_ERR: return 7; /* a bad remote address */
    case IBV_WC_REM_ABORT_ERR: return 8;
    case IBV_WC_REM_INV_RD_REQ_ERR: return 9; /* no such queue pair */
    case IBV_WC_RNR_RETRY_EXC_ERR: return 10;
    case IBV_WC_REM_INV_REQ_ERR: return 11; /* the receive was too short */
    case IBV_WC_RETRY_EXC_ERR: return STATUS_SILENT;
    case IBV_WC_REM_OP_ERR: return 14; /* the peer has no address handle to here */
    default: return 12;
    }
}

/* Whether a peer that does not answer ever did, its address handle remembers. */
static uint8_t status_of_send(const struct sim_completion *c)
{
    struct sim_ah *ah = sim_obj_get(c->qp->obj.ctx, c->qp->wr.ah, SIM_AH);
    uint8_t s = status(c->status);

    if (c->qp->type != IB_UVERBS_QPT_DRIVER || !ah)
        return s;
    if (s == STATUS_SILENT && !ah->answered)
        return STATUS_NEVER_ANSWERED;
    if (s == 0 || s == 7 || s >= 9)
        ah->answered = true;
    return s;
}

/* What has no meaning in this entry is filled, so that who reads it reads something else. */
static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(0xa1 + i);
}

static void fill_recv(uint8_t *e, const struct efa_cq *h, const struct sim_completion *c, unsigned op)
{
    uint16_t ah = efa_handle_to(c->qp, c->sgid);

    put16(e + 6, (uint16_t)c->length);
    put16(e + 8, ah);
    put16(e + 10, (uint16_t)c->src_qp);
    memcpy(e + 12, &c->imm, 4);
    if (h->size == 16)
        return;
    fill(e + 16, 16);
    if (op == OP_WRITE)
        put16(e + 16, (uint16_t)(c->length >> 16));
    else if (h->sgid && ah == 0xffff && c->sgid)
        memcpy(e + 16, c->sgid, 16);
}

/* Devices that can't write say nothing of the operation. */
static unsigned operation(const struct sim_completion *c)
{
    if (!(efa_profile(c->qp->obj.ctx->dev)->caps & EFA_WRITE))
        return OP_SEND;
    return c->op == SIM_WRITE ? OP_WRITE : c->op == SIM_READ ? OP_READ : OP_SEND;
}

/*
 * Where the process tells what it has taken. libefa 33 does not, and several rings share a doorbell that does not say from
 * which.
 */
static void judge_room(const struct sim_cq *cq)
{
    struct efa_cq *h = cq->hw;
    uint32_t value = efa_register(cq->obj.ctx, h->doorbell, 0);

    if (value == NOT_RUNG)
        value = h->seen;
    h->tells |= value != 0;
    if (h->tells && h->subs == 1 && h->n <= 0x8000 && (uint16_t)(h->pi - value) >= h->n)
        sim_key_error(NULL, 0, 0, 0, "%s CQ %u: all of its %u entries wait to be polled, one is overwritten",
            cq->obj.ctx->dev->name, cq->cqn, h->n);
}

/* What takes no receive completes none. */
static void count(const struct sim_completion *c)
{
    if (!c->responder)
        efa_count(c->qp, c->op == SIM_WRITE ? COUNT_WRITE : c->op == SIM_READ ? COUNT_READ : COUNT_SEND,
            c->status == IBV_WC_SUCCESS);
    else if (!c->unsolicited)
        efa_count(c->qp, COUNT_RECV, c->status == IBV_WC_SUCCESS);
}

void efa_complete(struct sim_cq *cq, const struct sim_completion *c)
{
    const struct efa_qp *q = c->qp->hw;
    struct efa_cq *h = cq->hw;
    unsigned sub = c->responder ? q->recv_sub : q->send_sub, op = operation(c);
    uint32_t pi = h->sub_pi[sub]++;
    uint8_t e[32] = {0}, *ring = h->behind.map ? h->behind.at : sim_area(cq->obj.ctx, h->ring);
    uint8_t *at = ring + ((size_t)sub * h->n + (pi & (h->n - 1))) * h->size;

    count(c);
    judge_room(cq);
    put16(e, c->unsolicited ? 0xffff : c->index);
    e[2] = c->vendor_err ? c->vendor_err : c->responder ? status(c->status) : status_of_send(c);
    e[3] = (uint8_t)((pi & h->n ? 0 : 1) | (c->responder ? FOR_RECV : FOR_SEND) << 1 |
        (c->responder && c->has_imm) << 3 | op << 4 | c->unsolicited << 7);
    put16(e + 4, (uint16_t)c->qp->qpn);
    if (c->responder) {
        fill_recv(e, h, c, op);
    } else if (q->ids_64) {
        put16(e + 6, (uint16_t)c->more_index);
        put16(e + 8, (uint16_t)(c->more_index >> 16));
        put16(e + 10, (uint16_t)(c->more_index >> 32));
    }
    /* The flags, with the phase, come last. */
    memcpy(at, e, 3);
    memcpy(at + 4, e + 4, h->size - 4);
    __atomic_store_n(at + 3, e[3], __ATOMIC_RELEASE);
    h->pi++;
    efa_notify(cq);
}
