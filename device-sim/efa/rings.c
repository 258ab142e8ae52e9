/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, judged field by field; completions; doorbells. */
#include <stdio.h>
#include <string.h>

#include "efa.h"

static uint16_t le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t le32(const uint8_t *p)
{
    return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static uint64_t le64(const uint8_t *p)
{
    return le32(p) | (uint64_t)le32(p + 4) << 32;
}

static void put16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

/* -- doorbells --------------------------------------------------------------------------------- */

static const uint8_t *slot(const struct sim_qp *qp, uint16_t index)
{
    const struct efa_qp *h = qp->hw;

    return efa_area(qp->obj.ctx, h->sq) + (size_t)(index & (h->sq_n - 1)) * TX_SIZE;
}

static void look_at_send(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    uint32_t value = efa_register(qp->obj.ctx, h->doorbells, SQ_DOORBELL);

    if (!h->sq_n || (uint16_t)value == h->sq_rung)
        return;
    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    if (value > 0xffff || (uint16_t)(value - h->sq_ci) > h->sq_n) {
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: the send doorbell went from %u to %u, the ring has %u",
            qp->obj.ctx->dev->name, qp->qpn, h->sq_rung, value, h->sq_n);
        h->sq_ci = (uint16_t)value; /* what lies between can't be told */
        h->taken = 0;
    }
    h->sq_rung = (uint16_t)value;
}

static void notify(struct sim_cq *cq)
{
    struct efa_cq *h = cq->hw;

    if (!h->armed || (uint16_t)h->pi == h->arm_ci)
        return;
    h->armed = false;
    h->next_sn = (h->next_sn + 1) & 3;
    sim_comp_event(cq);
}

static void look_at_cq(struct sim_cq *cq)
{
    struct efa_cq *h = cq->hw;
    uint32_t value = efa_register(cq->obj.ctx, h->doorbell, 0);

    if (value == h->seen)
        return;
    h->seen = value;
    if (value & 0x1fff0000) {
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: reserved bits in the doorbell: 0x%08x", cq->obj.ctx->dev->name,
            cq->cqn, value);
        return;
    }
    if ((uint16_t)(h->pi - value) > h->n)
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: the doorbell says %u were consumed, %u were written",
            cq->obj.ctx->dev->name, cq->cqn, value & 0xffff, h->pi & 0xffff);
    /* an older sequence number: asked for before the last event was taken */
    if (!(value >> 31) || (value >> 29 & 3) != h->next_sn)
        return;
    h->armed = h->notify;
    h->arm_ci = (uint16_t)value;
    notify(cq);
}

void efa_look_at_doorbells(struct sim_context *ctx)
{
    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_QP)
            look_at_send((struct sim_qp *)ctx->obj[i]);
        else if (ctx->obj[i] && ctx->obj[i]->type == SIM_CQ)
            look_at_cq((struct sim_cq *)ctx->obj[i]);
    }
}

/* Descriptors are written to the device itself, so one that lies behind the doorbell shows by its phase. */
void efa_check_idle(struct sim_context *ctx)
{
    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        struct sim_qp *qp = (struct sim_qp *)ctx->obj[i];
        struct efa_qp *h;

        if (!qp || qp->obj.type != SIM_QP || qp->state < IBV_QPS_RTS)
            continue;
        h = qp->hw;
        if (h->sq_n && slot(qp, h->sq_rung)[2] & 0x80 && h->phase_known &&
            (slot(qp, h->sq_rung)[3] & 1u) == ((h->phase + (h->sq_rung / h->sq_n)) & 1))
            sim_violation(slot(qp, h->sq_rung), TX_SIZE, 3, 1,
                "%s QP 0x%06x WQE %u: written, but the doorbell is missing",
                ctx->dev->name, qp->qpn, h->sq_rung);
    }
}

/* -- sends ------------------------------------------------------------------------------------- */

static bool __attribute__((format(printf, 5, 6))) bad(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b,
    size_t at, const char *fmt, ...)
{
    char why[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    sim_violation(b, TX_SIZE, at, 1, "%s QP 0x%06x request %u: %s", qp->obj.ctx->dev->name, qp->qpn, wr->index, why);
    wr->refused = IBV_WC_LOC_QP_OP_ERR;
    return false;
}

static bool zero(const uint8_t *b, size_t n)
{
    while (n--)
        if (*b++)
            return false;
    return true;
}

static bool piece(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, size_t at)
{
    struct sim_sge *s = &wr->sge[wr->n_sge++];
    uint64_t where;
    const char *why;

    s->length = le32(b + at);
    s->lkey = le32(b + at + 4);
    s->addr = le64(b + at + 8);
    if (s->lkey >> 24)
        return bad(qp, wr, b, at + 7, "reserved bits above the lkey are set: 0x%08x", s->lkey);
    wr->length += s->length;
    if (wr->refused || qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_SQE)
        return true;
    why = sim_mem_check(qp->obj.ctx->dev, qp->pd, qp->qpn, s->lkey, s->addr, s->length,
        wr->op == SIM_READ ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0, &where);
    if (why) {
        sim_key_error(b, TX_SIZE, at, 16, "%s QP 0x%06x request %u: lkey 0x%08x, address 0x%llx, %u bytes: %s",
            qp->obj.ctx->dev->name, qp->qpn, wr->index, s->lkey, (unsigned long long)s->addr, s->length, why);
        wr->refused = IBV_WC_LOC_PROT_ERR;
    }
    return true;
}

static bool judge(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, unsigned phase)
{
    unsigned op = b[2] & 15, length = le16(b + 6);
    struct sim_ah *ah;

    if (!(b[2] & 0x80) || b[2] & 0x40)
        return bad(qp, wr, b, 2, "ctrl1 is 0x%02x: bit 7 must be set, bit 6 not", b[2]);
    if ((b[3] & 1u) != phase)
        return bad(qp, wr, b, 3, "the phase is %u, must be %u", b[3] & 1, phase);
    if ((b[3] & 0xfe) != 0x1c)
        return bad(qp, wr, b, 3, "ctrl2 is 0x%02x: first, last and completion must be set, nothing else", b[3]);
    if (!zero(b + 14, 2) || !zero(b + 20, 12))
        return bad(qp, wr, b, 14, "reserved bytes are set");
    if (op > OP_WRITE || (op != OP_SEND && qp->type == IB_UVERBS_QPT_UD))
        return bad(qp, wr, b, 2, "operation %u is not for this queue pair", op);
    wr->signaled = true;
    wr->vendor_op = (uint8_t)op;
    wr->op = op == OP_SEND ? SIM_SEND : op == OP_READ ? SIM_READ : SIM_WRITE;
    wr->has_imm = b[2] & 0x10;
    memcpy(&wr->imm, b + 8, 4);
    wr->dest_qpn = le16(b + 4);
    wr->qkey = le32(b + 16);
    wr->by_gid = true;
    ah = sim_obj_get(qp->obj.ctx, le16(b + 12), SIM_AH);
    if (ah)
        memcpy(wr->dgid, ah->gid, 16);
    else
        wr->refused = IBV_WC_LOC_QP_OP_ERR; /* the application's mistake: it may have destroyed it */
    if (b[2] & 0x20) {
        if (op != OP_SEND || length > MAX_INLINE)
            return bad(qp, wr, b, 6, "inline data of %u bytes, operation %u", length, op);
        wr->is_inline = true;
        wr->length = length;
        memcpy(wr->data, b + 32, length);
        return true;
    }
    if (length > (op == OP_SEND ? MAX_TX_SGE : 1))
        return bad(qp, wr, b, 6, "%u pieces, operation %u", length, op);
    if (op != OP_SEND) {
        wr->rkey = le32(b + 36);
        wr->raddr = le64(b + 40);
    }
    for (unsigned i = 0; i < length; i++)
        if (!piece(qp, wr, b, (op == OP_SEND ? 32 : 48) + i * 16))
            return false;
    if (op != OP_SEND && le32(b + 32) != wr->length)
        return bad(qp, wr, b, 32, "%u bytes there, %llu here", le32(b + 32), (unsigned long long)wr->length);
    if (op == OP_SEND && wr->length > SIM_MAX_DATAGRAM && !wr->refused)
        wr->refused = IBV_WC_LOC_LEN_ERR;
    return true;
}

bool efa_has_send(struct sim_qp *qp)
{
    const struct efa_qp *h = qp->hw;

    return h->sq_ci != h->sq_rung;
}

/* SRD keeps no order. With a reordering set, any of the next few is taken. */
static uint16_t choose(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    unsigned there = (uint16_t)(h->sq_rung - h->sq_ci), depth = sim_reorder_depth(), i = 0;

    if (there > WINDOW)
        there = WINDOW;
    if (depth > 1 && qp->type == IB_UVERBS_QPT_DRIVER)
        i = sim_random(there < depth ? there : depth);
    while (h->taken >> i & 1)
        i = (i + 1) % there;
    h->taken |= 1ull << i;
    return (uint16_t)(h->sq_ci + i);
}

bool efa_next_send(struct sim_qp *qp, struct sim_wr *wr)
{
    struct efa_qp *h = qp->hw;
    uint8_t b[TX_SIZE];
    uint16_t index;

    if (!efa_has_send(qp))
        return false;
    memset(wr, 0, offsetof(struct sim_wr, sge));
    memset(&wr->length, 0, sizeof *wr - offsetof(struct sim_wr, length));
    index = choose(qp);
    memcpy(b, slot(qp, index), TX_SIZE);
    if (!h->phase_known) {
        h->phase_known = true;
        h->phase = (b[3] & 1u) ^ (index / h->sq_n & 1);
    }
    wr->index = le16(b); /* what it means is the library's business: newer ones put a generation into it */
    judge(qp, wr, b, (h->phase + index / h->sq_n) & 1);
    while (h->taken & 1) {
        h->taken >>= 1;
        h->sq_ci++;
    }
    return true;
}

/* -- receives ---------------------------------------------------------------------------------- */

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
    for (; !last && there; there--, first = false) {
        const uint8_t *b = efa_area(qp->obj.ctx, h->rq) + (size_t)(h->rq_ci++ & (h->rq_n - 1)) * RX_SIZE;
        uint32_t key = le32(b + 12);

        if (first)
            recv->index = le16(b + 8);
        last = key >> 31;
        if ((key & 0x3f000000) || first != !!(key & 0x40000000) || recv->n_sge == SIM_MAX_SGE) {
            sim_violation(b, RX_SIZE, 12, 4, "%s QP 0x%06x receive %u: first, last or reserved bits are wrong: 0x%08x",
                qp->obj.ctx->dev->name, qp->qpn, recv->index, key);
            return -1;
        }
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
    case IBV_WC_RNR_RETRY_EXC_ERR: return 10;
    case IBV_WC_REM_INV_REQ_ERR: return 11; /* the receive was too short */
    case IBV_WC_RETRY_EXC_ERR: return 13; /* the peer does not answer */
    default: return 12;
    }
}

/* The number of the address handle that leads back to a sender, 0xffff when there is none. */
static uint16_t handle_to(const struct sim_qp *qp, const uint8_t *gid)
{
    const struct sim_context *ctx = qp->obj.ctx;

    for (uint32_t i = 0; gid && i < ctx->n_objs; i++)
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_AH && ((struct sim_ah *)ctx->obj[i])->pd == qp->pd &&
            !memcmp(((struct sim_ah *)ctx->obj[i])->gid, gid, 16))
            return (uint16_t)i;
    return 0xffff;
}

void efa_complete(struct sim_cq *cq, const struct sim_completion *c)
{
    struct efa_cq *h = cq->hw;
    uint8_t e[32] = {0}, *at = efa_area(cq->obj.ctx, h->ring) + (size_t)(h->pi & (h->n - 1)) * h->size;
    uint16_t ah = c->responder ? handle_to(c->qp, c->sgid) : 0;
    uint8_t op = c->op == SIM_WRITE ? OP_WRITE : c->op == SIM_READ ? OP_READ : OP_SEND;

    put16(e, c->index);
    e[2] = status(c->status);
    e[3] = (uint8_t)((h->pi & h->n ? 0 : 1) | (c->responder ? FOR_RECV : FOR_SEND) << 1 | (c->responder &&
        c->has_imm) << 3 | op << 4);
    put16(e + 4, (uint16_t)c->qp->qpn);
    put16(e + 6, (uint16_t)c->length);
    put16(e + 8, ah);
    put16(e + 10, (uint16_t)c->src_qp);
    memcpy(e + 12, &c->imm, 4);
    if (h->size == 32 && op == OP_WRITE)
        put16(e + 16, (uint16_t)(c->length >> 16));
    else if (h->size == 32 && ah == 0xffff && c->sgid)
        memcpy(e + 16, c->sgid, 16);
    /* The flags, with the phase, come last. */
    memcpy(at, e, 3);
    memcpy(at + 4, e + 4, h->size - 4);
    __atomic_store_n(at + 3, e[3], __ATOMIC_RELEASE);
    h->pi++;
    notify(cq);
}
