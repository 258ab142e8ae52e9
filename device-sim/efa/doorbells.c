/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Doorbells of send rings and completion queues; those that are missing. */
#include "efa.h"

/* In the ring as it is now. */
static const uint8_t *there(const struct sim_qp *qp, uint16_t index)
{
    const struct efa_qp *h = qp->hw;

    return sim_area(qp->obj.ctx, h->sq) + (size_t)(index & (h->sq_n - 1)) * h->sq_size;
}

static uint8_t *kept(const struct efa_qp *h, uint16_t index)
{
    return h->rung + (size_t)(index & (h->kept - 1)) * h->sq_size;
}

/* As the device takes it: when it has seen the doorbell. */
const uint8_t *efa_slot(const struct sim_qp *qp, uint16_t index)
{
    return kept(qp->hw, index);
}

/*
 * How far a doorbell may go beyond the oldest that is not executed. The program counts what is complete, in whatever order: its ring has room for
 * another where one was executed that is younger.
 */
static unsigned room(const struct efa_qp *h)
{
    return h->sq_n + (unsigned)__builtin_popcountll(h->taken);
}

/* How much a doorbell may announce: only where each of them is seen. */
static void judge_batch(const struct sim_qp *qp, uint16_t value)
{
    const struct efa_profile *p = efa_profile(qp->obj.ctx->dev);
    const struct efa_qp *h = qp->hw;
    unsigned n = (uint16_t)(value - h->sq_rung), batch = p->batch * 64 / h->sq_size;

    if (p->batch && n > batch)
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: %u descriptors since the last doorbell, the device takes %u",
            qp->obj.ctx->dev->name, qp->qpn, n, batch);
    else if (p->min_sq && n >= h->sq_n)
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: a doorbell for all %u descriptors of the ring", qp->obj.ctx->dev->name,
            qp->qpn, n);
}

static void look_at_send(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    uint32_t value = efa_register(qp->obj.ctx, h->doorbells, SQ_DOORBELL);

    if (!h->sq_n || (uint16_t)value == h->sq_rung)
        return;
    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    if (value > 0xffff || (uint16_t)(value - h->sq_ci) > room(h)) {
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: the send doorbell went from %u to %u, the ring has %u",
            qp->obj.ctx->dev->name, qp->qpn, h->sq_rung, value, h->sq_n);
        h->sq_ci = (uint16_t)value; /* what lies between can't be told */
        h->taken = 0;
    } else {
        if (sim_config.watch)
            judge_batch(qp, (uint16_t)value);
        for (uint16_t i = h->sq_rung; i != (uint16_t)value; i++)
            memcpy(kept(h, i), there(qp, i), h->sq_size);
    }
    h->sq_rung = (uint16_t)value;
}

void efa_notify(struct sim_cq *cq)
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
    uint32_t value, before = h->seen;

    if (efa_register(cq->obj.ctx, h->doorbell, 0) == NOT_RUNG)
        return;
    value = efa_exchange_register(cq->obj.ctx, h->doorbell, 0, NOT_RUNG);
    h->seen = value;
    if (value & 0x1fff0000) {
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: reserved bits in the doorbell: 0x%08x", cq->obj.ctx->dev->name,
            cq->cqn, value);
        return;
    }
    if ((uint16_t)(h->pi - value) > h->n * h->subs)
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: the doorbell says %u were consumed, %u were written",
            cq->obj.ctx->dev->name, cq->cqn, value & 0xffff, h->pi & 0xffff);
    /*
     * libefa rings it when it has taken something, or to ask for an event. A ring by a poll that has taken nothing costs an uncached
     * store, and where it lies over a request for an event, a device that looks at the last value never sees that. Stores of
     * several threads may be seen here that come so: one polls, another one asks before the first has rung, and nothing is lost.
     */
    if (!(value >> 31) && (uint16_t)value == (uint16_t)before && !(before >> 31 && sim_config.thread && !sim_config.watch))
        sim_violation(NULL, 0, 0, 0, before >> 31 ? "%s CQ %u: the doorbell asked for an event and was rung again, with nothing taken"
            " and without asking: 0x%08x" : "%s CQ %u: the doorbell was rung with nothing taken and no event asked for: 0x%08x",
            cq->obj.ctx->dev->name, cq->cqn, value);
    /* an older sequence number: asked for before the last event was taken */
    if (!(value >> 31) || (value >> 29 & 3) != h->next_sn)
        return;
    h->armed = h->notify;
    h->arm_ci = (uint16_t)value;
    efa_notify(cq);
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
        if (h->sq_n && there(qp, h->sq_rung)[2] & 0x80 && h->phase_known &&
            (there(qp, h->sq_rung)[3] & 1u) == ((h->phase + (h->sq_rung / h->sq_n)) & 1))
            sim_violation(there(qp, h->sq_rung), h->sq_size, 3, 1,
                "%s QP 0x%06x WQE %u: written, but the doorbell is missing",
                ctx->dev->name, qp->qpn, h->sq_rung);
    }
}
