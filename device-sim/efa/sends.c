/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Send descriptors, judged field by field. */
#include <stdio.h>

#include "efa.h"

static bool __attribute__((format(printf, 5, 6))) bad(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b,
    size_t at, const char *fmt, ...)
{
    const struct efa_qp *h = qp->hw;
    char why[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    sim_violation(b, h->sq_size, at, 1, "%s QP 0x%06x request %u: %s", qp->obj.ctx->dev->name, qp->qpn, wr->index, why);
    wr->refused = IBV_WC_LOC_QP_OP_ERR;
    return false;
}

/* Where the first byte lies that is set; n when there is none. */
static size_t first_set(const uint8_t *b, size_t n)
{
    size_t i = 0;

    while (i < n && !b[i])
        i++;
    return i;
}

static bool piece(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, size_t at)
{
    const struct efa_qp *h = qp->hw;
    struct sim_sge *s = &wr->sge[wr->n_sge++];
    struct sim_access by = {.dev = qp->obj.ctx->dev, .pd = qp->pd, .qpn = qp->qpn,
        .access = wr->op == SIM_READ ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0};
    const char *why;

    s->length = le32(b + at);
    s->lkey = le32(b + at + 4);
    s->addr = le64(b + at + 8);
    if (s->lkey >> 24)
        return bad(qp, wr, b, at + 7, "reserved bits above the lkey are set: 0x%08x", s->lkey);
    wr->length += s->length;
    if (wr->refused || qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_SQE)
        return true;
    by.key = s->lkey;
    why = sim_mem_check(&by, s->addr, s->length);
    if (why) {
        sim_key_error(b, h->sq_size, at, 16, "%s QP 0x%06x request %u: lkey 0x%08x, address 0x%llx, %u bytes: %s",
            qp->obj.ctx->dev->name, qp->qpn, wr->index, s->lkey, (unsigned long long)s->addr, s->length, why);
        wr->refused = IBV_WC_LOC_PROT_ERR;
    }
    return true;
}

/* Behind what the request needs, and in front of it where a field has no meaning, libefa writes zeroes. */
static bool unused(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, size_t from, size_t to)
{
    size_t at = from + first_set(b + from, to - from);

    return at == to || bad(qp, wr, b, at, "byte %zu is 0x%02x: reserved bytes are set", at, b[at]);
}

static bool judge_control(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, unsigned phase)
{
    const struct efa_qp *h = qp->hw;

    if (!(b[2] & 0x80) || b[2] & 0x40)
        return bad(qp, wr, b, 2, "ctrl1 is 0x%02x: bit 7 must be set, bit 6 not", b[2]);
    if ((b[3] & 1u) != phase)
        return bad(qp, wr, b, 3, "the phase is %u, must be %u", b[3] & 1, phase);
    if ((b[3] & 0xfe) != 0x1c)
        return bad(qp, wr, b, 3, "ctrl2 is 0x%02x: first, last and completion must be set, nothing else", b[3]);
    if (b[14] & 0xfe)
        return bad(qp, wr, b, 14, "ctrl3 is 0x%02x: nothing but bit 0, which is a hint, may be set", b[14]);
    return unused(qp, wr, b, 15, 16) && unused(qp, wr, b, 20, h->ids_64 ? 26 : 32);
}

static bool allowed(const struct sim_qp *qp, unsigned op)
{
    uint32_t caps = efa_profile(qp->obj.ctx->dev)->caps;

    if (op == OP_SEND)
        return true;
    return qp->type == IB_UVERBS_QPT_DRIVER && ((op == OP_READ && caps & EFA_READ) || (op == OP_WRITE && caps & EFA_WRITE));
}

/* Data in the descriptor itself: of sends, and where it has 128 bytes, of writes. */
static bool judge_inline(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b)
{
    const struct efa_qp *h = qp->hw;
    unsigned length = le16(b + 6), at = wr->op == SIM_SEND ? 32 : 48;
    unsigned room = h->sq_size == TX_SIZE ? MAX_INLINE : efa_profile(qp->obj.ctx->dev)->inline_ex;

    if (wr->op == SIM_READ || (wr->op == SIM_WRITE && h->sq_size == TX_SIZE) || length > room)
        return bad(qp, wr, b, 6, "inline data of %u bytes, operation %u, descriptors of %u", length, wr->vendor_op,
            h->sq_size);
    wr->inline_length = length;
    wr->length = length;
    memcpy(wr->data, b + at, length);
    return unused(qp, wr, b, at + length, h->sq_size);
}

static bool judge_pieces(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b)
{
    const struct efa_qp *h = qp->hw;
    unsigned n = le16(b + 6), at = wr->op == SIM_SEND ? 32 : 48;

    if (n > (wr->op == SIM_SEND ? MAX_TX_SGE : 1))
        return bad(qp, wr, b, 6, "%u pieces, operation %u", n, wr->vendor_op);
    for (unsigned i = 0; i < n; i++)
        if (!piece(qp, wr, b, at + i * 16))
            return false;
    return unused(qp, wr, b, at + n * 16, h->sq_size);
}

/* A handle that is not there is the application's mistake: it may have destroyed it. */
static void address(struct sim_qp *qp, struct sim_wr *wr, uint16_t number, uint16_t index)
{
    struct sim_ah *ah = sim_obj_get(qp->obj.ctx, number, SIM_AH);

    wr->ah = number;
    if (efa_is_gone(qp->hw, number, index)) {
        wr->refused = IBV_WC_WR_FLUSH_ERR;
    } else if (ah && ah->pd == qp->pd) {
        memcpy(wr->dgid, ah->gid, 16);
    } else {
        wr->refused = IBV_WC_LOC_QP_OP_ERR;
        wr->vendor_err = STATUS_BAD_AH;
    }
}

static bool judge(struct sim_qp *qp, struct sim_wr *wr, const uint8_t *b, uint16_t index)
{
    const struct efa_qp *h = qp->hw;
    unsigned op = b[2] & 15, phase = (h->phase + index / h->sq_n) & 1;

    if (!judge_control(qp, wr, b, phase))
        return false;
    if (!allowed(qp, op)) {
        wr->vendor_err = STATUS_UNSUPPORTED;
        return bad(qp, wr, b, 2, "operation %u is not for this queue pair", op);
    }
    wr->signaled = true;
    wr->vendor_op = (uint8_t)op;
    wr->op = op == OP_SEND ? SIM_SEND : op == OP_READ ? SIM_READ : SIM_WRITE;
    wr->has_imm = b[2] & 0x10;
    if (wr->has_imm && op == OP_READ)
        return bad(qp, wr, b, 2, "a read with immediate data");
    memcpy(&wr->imm, b + 8, 4);
    wr->dest_qpn = le16(b + 4);
    wr->qkey = le32(b + 16);
    wr->by_gid = true;
    address(qp, wr, le16(b + 12), index);
    if (op != OP_SEND) {
        wr->rkey = le32(b + 36);
        wr->raddr = le64(b + 40);
    }
    if (!(b[2] & 0x20 ? judge_inline(qp, wr, b) : judge_pieces(qp, wr, b)))
        return false;
    if (op != OP_SEND && le32(b + 32) != wr->length)
        return bad(qp, wr, b, 32, "%u bytes there, %llu here", le32(b + 32), (unsigned long long)wr->length);
    if (wr->length > (op == OP_SEND ? SIM_MAX_DATAGRAM : SIM_MAX_MSG) && !wr->refused)
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
    uint8_t b[TX_SIZE_EX];
    uint16_t index;

    if (!efa_has_send(qp))
        return false;
    memset(wr, 0, offsetof(struct sim_wr, sge));
    memset(&wr->length, 0, sizeof *wr - offsetof(struct sim_wr, length));
    index = choose(qp);
    memcpy(b, efa_slot(qp, index), h->sq_size);
    if (!h->phase_known) {
        h->phase_known = true;
        h->phase = (b[3] & 1u) ^ (index / h->sq_n & 1);
    }
    wr->index = le16(b); /* what it means is the library's business: newer ones put a generation into it */
    if (h->ids_64)
        wr->more_index = le32(b + 26) | (uint64_t)le16(b + 30) << 32;
    judge(qp, wr, b, index);
    while (h->taken & 1) {
        h->taken >>= 1;
        h->sq_ci++;
    }
    return true;
}
