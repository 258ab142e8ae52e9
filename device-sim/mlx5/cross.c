/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Cross channel: a queue pair waits until a completion queue has been written so far, and lets the queues of another one
 * go so far. Both are counters that go on for ever: 24 bits of completions, 16 bits of blocks or receives. Behind another
 * is what is less than half of the counter's range behind it.
 */
#include "mlx5.h"

#define CQ_COUNTER 0xffffffu
#define HALF_OF_CQ 0x800000u
#define HALF_OF_QUEUE 0x8000u

static struct sim_cq *find_cq(struct sim_context *ctx, uint32_t cqn)
{
    for (uint32_t i = 0; i < ctx->n_objs; i++)
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_CQ && ((struct sim_cq *)ctx->obj[i])->cqn == cqn)
            return (struct sim_cq *)ctx->obj[i];
    return NULL;
}

static int await(const struct sim_qp *qp, const char **why)
{
    const struct sim_cq *cq = find_cq(qp->obj.ctx, qp->wr.cross.number);

    *why = cq ? "the completion queue that is waited for has overrun" :
        "the completion queue that is waited for is not there";
    if (!cq || cq->overrun)
        return SIM_CROSS_FAILED;
    return ((((const struct mlx5_cq *)cq->hw)->pi - qp->wr.cross.index) & CQ_COUNTER) < HALF_OF_CQ ? SIM_CROSS_DONE :
        SIM_CROSS_WAITS;
}

/* Moves *limit on to an index, by what there is room for. What was enabled stays so: to go back changes nothing. */
static int enable(uint16_t *limit, uint16_t to, unsigned room, const char **why)
{
    unsigned more = (uint16_t)(to - *limit);

    *why = "it enables more than the ring has room for";
    if (more < HALF_OF_QUEUE && more > room)
        return SIM_CROSS_FAILED;
    if (more < HALF_OF_QUEUE)
        *limit = to;
    return SIM_CROSS_DONE;
}

int mlx5_cross(struct sim_qp *qp, const char **why)
{
    const struct sim_wr *wr = &qp->wr;
    bool sends = wr->op == SIM_SEND_ENABLE;
    struct sim_qp *other;
    struct mlx5_qp *h;

    if (wr->op == SIM_WAIT)
        return await(qp, why);
    other = sim_qp_find(qp->obj.ctx->dev, wr->cross.number);
    *why = "the queue pair to enable is not there, or that queue of it is not managed";
    if (!other || other->obj.ctx != qp->obj.ctx || !(sends ? other->managed_send : other->managed_recv))
        return SIM_CROSS_FAILED;
    h = other->hw;
    if (other->state == IBV_QPS_RESET)
        return SIM_CROSS_DONE; /* there is nothing */
    if (!sends)
        return enable(&h->rq_enabled, (uint16_t)wr->cross.index, h->rq_n - (uint16_t)(h->rq_enabled - h->rq_ci), why);
    h->rung = true;
    sim_wake(other);
    return enable(&h->rung_to, (uint16_t)wr->cross.index, h->sq_n - (uint16_t)(h->rung_to - h->sq_ci), why);
}
