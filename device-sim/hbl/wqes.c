/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Send descriptors: taken, judged to the last bit, and told to the core. Little-endian words of 32 bits. */
#include <string.h>

#include "hbl.h"

enum { NOP = 0, LINEAR = 2 };
enum { NO_COMPLETION = 0, COMPLETION_BY_CQ = 2 };

static bool bad(struct sim_qp *qp, struct sim_wr *wr, const uint32_t *w, size_t at, uint8_t syndrome, const char *what,
    uint32_t value)
{
    const struct hbl_qp *h = qp->hw;

    wr->refused = IBV_WC_LOC_QP_OP_ERR;
    wr->vendor_err = syndrome;
    sim_violation(w, h->element, at, 4, "%s QP %u WQE %u: %s: 0x%x", qp->obj.ctx->dev->name, h->number, wr->index, what, value);
    return false;
}

static bool judge(struct sim_qp *qp, struct sim_wr *wr, const uint32_t *w)
{
    unsigned op = w[0] & 0x1f, completion = w[7] >> 30;

    if ((w[0] >> 8 & 0xff) != (wr->index & 0xff))
        return bad(qp, wr, w, 0, HBL_TX_INDEX, "the index is not that of its place", w[0] >> 8 & 0xff);
    if (op != LINEAR && op != NOP)
        return bad(qp, wr, w, 0, HBL_TX_OPCODE, "not an operation that is simulated", op);
    if (w[0] & 0x80)
        return bad(qp, wr, w, 0, HBL_TX_RESERVED, "bit 7 is set", w[0]);
    if (w[0] & 0x5fff0060)
        return bad(qp, wr, w, 0, HBL_TX_RESERVED, "trace, reduction and inline data are not simulated", w[0]);
    if (w[7] & 0x3fffffff)
        return bad(qp, wr, w, 28, HBL_TX_RESERVED, "a sync object without such a completion", w[7]);
    if (completion != NO_COMPLETION && completion != COMPLETION_BY_CQ)
        return bad(qp, wr, w, 28, HBL_TX_RESERVED, "completions by sync objects are not simulated", completion);
    for (unsigned i = 8; i < ((const struct hbl_qp *)qp->hw)->element / 4; i++)
        if (w[i])
            return bad(qp, wr, w, 4 * i, HBL_TX_RESERVED, "the second half is for strides", w[i]);
    if (op == LINEAR && (!w[1] || w[1] > SIM_MAX_MSG))
        return bad(qp, wr, w, 4, HBL_TX_SIZE, "the size", w[1]);
    return true;
}

bool hbl_has_send(struct sim_qp *qp)
{
    const struct hbl_qp *h = qp->hw;

    return h->taken != h->rung;
}

bool hbl_next_send(struct sim_qp *qp, struct sim_wr *wr)
{
    struct hbl_qp *h = qp->hw;
    uint32_t w[16], index = h->taken & (h->size - 1);

    if (!hbl_has_send(qp))
        return false;
    memset(wr, 0, offsetof(struct sim_wr, sge));
    memset(&wr->length, 0, sizeof *wr - offsetof(struct sim_wr, length));
    wr->index = (uint16_t)index;
    wr->op = SIM_NOP;
    if (h->sends < 0) { /* what the chip's own engines write is not looked at */
        wr->refused = IBV_WC_LOC_QP_OP_ERR;
        wr->vendor_err = HBL_TX_OPCODE;
        h->taken++;
        return true;
    }
    memcpy(w, sim_area(qp->obj.ctx, (unsigned)h->sends) + (size_t)index * h->element, h->element);
    h->taken++;
    wr->vendor_op = w[0] & 0x1f;
    if (!judge(qp, wr, w))
        return true;
    wr->signaled = w[7] >> 30 == COMPLETION_BY_CQ;
    wr->solicited = w[0] >> 29 & 1;
    wr->more_index = w[6]; /* the tag */
    if (wr->vendor_op == NOP)
        return true;
    wr->op = SIM_WRITE;
    wr->length = w[1];
    wr->n_sge = 1;
    wr->sge[0] = (struct sim_sge){.addr = w[2] | (uint64_t)w[3] << 32, .length = w[1]};
    wr->raddr = w[4] | (uint64_t)w[5] << 32;
    wr->rkey = h->remote_key;
    return true;
}

/* A descriptor of the right index that lies behind the doorbell. NOPs are too much like an empty ring. */
void hbl_check_idle(struct sim_context *ctx)
{
    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        struct sim_qp *qp = sim_obj_get(ctx, i, SIM_QP);
        const struct hbl_qp *h = qp ? qp->hw : NULL;
        uint32_t w[16], index;

        if (!h || h->sends < 0 || qp->state != IBV_QPS_RTS || h->rung - h->taken >= h->size - 1)
            continue;
        index = h->rung & (h->size - 1);
        memcpy(w, sim_area(ctx, (unsigned)h->sends) + (size_t)index * h->element, h->element);
        if (h->rung < h->size && (w[0] & 0x1f) == LINEAR && (w[0] >> 8 & 0xff) == (index & 0xff))
            sim_violation(w, h->element, 0, 4, "%s QP %u WQE %u: written, but the doorbell is missing", ctx->dev->name,
                h->number, index);
    }
}
