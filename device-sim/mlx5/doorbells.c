/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The register pages. A store to them makes no sound, so the device looks: what it finds is the last doorbell that was
 * written to each register. Those that were overwritten before it looked are told by the doorbell records.
 */
#include <string.h>

#include "mlx5.h"

static const char *name_of(const struct sim_context *ctx)
{
    return ctx->dev->name;
}

/* The next queue pair or completion queue of a context from handle *h on, NULL at the end. */
static void *each(struct sim_context *ctx, uint32_t *h, enum sim_type type)
{
    while (*h < ctx->n_objs) {
        struct sim_obj *obj = ctx->obj[(*h)++];

        if (obj && obj->type == type)
            return obj;
    }
    return NULL;
}

const uint8_t *mlx5_send_block(const struct mlx5_qp *h, uint16_t index)
{
    return h->sq + (size_t)(index & (h->sq_n - 1)) * MLX5_SEND_WQE_BB;
}

/* -- sends ------------------------------------------------------------------------------------- */

/* Up to where the doorbell record allows to go. */
static bool read_record(struct sim_qp *qp, uint16_t *posted)
{
    struct mlx5_qp *h = qp->hw;
    uint32_t record = mlx5_record(&h->db[MLX5_SND_DBR]);

    if (record > 0xffff) {
        sim_violation(NULL, 0, 0, 0, "%s QP 0x%06x: the send doorbell record is 0x%08x, it has 16 bits",
            name_of(qp->obj.ctx), qp->qpn, record);
        return false;
    }
    if ((uint16_t)(record - h->sq_ci) > h->sq_n) {
        sim_violation(NULL, 0, 0, 0,
            "%s QP 0x%06x: the send doorbell record went from %u to %u, the ring has %u blocks",
            name_of(qp->obj.ctx), qp->qpn, h->sq_ci, record, h->sq_n);
        return false;
    }
    *posted = (uint16_t)record;
    return true;
}

static void announce(struct sim_qp *qp, uint16_t posted)
{
    struct mlx5_qp *h = qp->hw;

    h->rung = true;
    sim_wake(qp);
    h->rung_to = posted;
}

/*
 * With BlueFlame the whole descriptor is copied to the register, not its first eight bytes alone. When exactly one was
 * written since the last look, the copy can be held against the ring.
 */
static void check_blueflame(struct sim_qp *qp, uint8_t *slot, uint16_t index)
{
    const struct mlx5_qp *h = qp->hw;
    const uint8_t *block = mlx5_send_block(h, index);
    size_t length = (size_t)(block[7] & 0x3f) * 16;
    bool copied = false;

    if (length > UAR_SLOT_SIZE)
        length = 0;
    for (size_t i = 8; i < length; i++)
        copied |= slot[i] != 0;
    for (size_t i = 8; copied && i < length; i++)
        if (slot[i] != mlx5_send_block(h, (uint16_t)(index + i / 64))[i % 64]) {
            slot[0] = block[0];
            memcpy(slot, block, 8);
            sim_violation(slot, length, i, 1,
                "%s QP 0x%06x WQE %u: the BlueFlame copy differs from the ring at byte %zu",
                name_of(qp->obj.ctx), qp->qpn, index, i);
            return;
        }
}

/* Whether the process may store while the device looks. */
static bool at_once(const struct sim_qp *qp)
{
    return sim_config.thread || qp->first;
}

static void ring_send(struct sim_context *ctx, unsigned page, unsigned n, const uint32_t value[2])
{
    uint32_t qpn = be32toh(value[1]) >> 8;
    uint16_t index = (uint16_t)(be32toh(value[0]) >> 8), posted, waiting, at;
    struct sim_qp *qp = sim_qp_find(ctx->dev, qpn);
    uint8_t *slot = ((struct mlx5_ctx *)ctx->hw)->map + (FIRST_UAR + page) * PAGE + UAR_FIRST_SLOT + n * UAR_SLOT_SIZE;
    struct mlx5_qp *h;

    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    if (!qp || qp->obj.ctx != ctx || ((struct mlx5_qp *)qp->hw)->uar != page) {
        sim_violation(value, 8, 4, 3, "%s: a doorbell for QP 0x%06x, which does not use this register page",
            name_of(ctx), qpn);
        return;
    }
    if (qp->managed_send) {
        sim_violation(value, 8, 4, 3, "%s QP 0x%06x: a doorbell, but its sends begin when another queue pair lets them",
            name_of(ctx), qpn);
        return;
    }
    h = qp->hw;
    if (h->recordless) {
        sim_violation(value, 8, 4, 3, "%s QP 0x%06x: a doorbell as of one with a record, which it does not have", name_of(ctx), qpn);
        return;
    }
    if (!read_record(qp, &posted))
        return;
    waiting = (uint16_t)(posted - h->sq_ci);
    at = (uint16_t)(index - h->sq_ci);
    if (at >= waiting && (at < 0x8000 || !at_once(qp))) {
        sim_violation(value, 8, 1, 2, "%s QP 0x%06x: the doorbell is for WQE %u, the doorbell record says %u: %s",
            name_of(ctx), qpn, index, posted,
            at < 0x8000 ? "doorbell before doorbell record" : "that one was executed before");
    } else if (at < waiting) {
        if (memcmp(mlx5_send_block(h, index), value, 8))
            sim_violation(value, 8, 0, 8, "%s QP 0x%06x WQE %u: the doorbell is not the first eight bytes of the WQE",
                name_of(ctx), qpn, index);
        else if (!at_once(qp) && !at && waiting == ((value[1] >> 24 & 0x3f) + 3) / 4)
            check_blueflame(qp, slot, index);
    }
    if (!at_once(qp))
        memset(slot, 0, UAR_SLOT_SIZE); /* nobody else writes meanwhile, so the next copy starts from nothing */
    h->bfreg = (int)n / 2;
    announce(qp, posted);
}

/* Without a record the doorbell says up to where: behind its own descriptor. */
static void ring_without_record(struct sim_context *ctx, unsigned page, const uint32_t value[2])
{
    uint32_t qpn = be32toh(value[1]) >> 8, blocks = ((be32toh(value[1]) & 0x3f) + 3) / 4;
    uint16_t index = (uint16_t)(be32toh(value[0]) >> 8);
    struct sim_qp *qp = sim_qp_find(ctx->dev, qpn);
    struct mlx5_qp *h = qp ? qp->hw : NULL;

    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    if (!qp || qp->obj.ctx != ctx || h->uar != page || !h->recordless)
        sim_violation(value, 8, 4, 3, "%s: a doorbell without record for QP 0x%06x, which does not use this register", name_of(ctx),
            qpn);
    else if (!blocks || (uint16_t)(index - h->sq_ci) + blocks > h->sq_n || (uint16_t)(index - h->rung_to) >= 0x8000)
        sim_violation(value, 8, 1, 2, "%s QP 0x%06x: the doorbell is for WQE %u of %u blocks, the next one is %u and the ring has %u",
            name_of(ctx), qpn, index, blocks, h->rung_to, h->sq_n);
    else if (memcmp(mlx5_send_block(h, index), value, 8))
        sim_violation(value, 8, 0, 8, "%s QP 0x%06x WQE %u: the doorbell is not the first eight bytes of the WQE", name_of(ctx), qpn,
            index);
    else
        announce(qp, (uint16_t)(index + blocks));
}

/* More queue pairs than registers: another one's doorbell may have been overwritten by this one. */
static void ring_sharers(struct sim_context *ctx, unsigned page, unsigned n, uint32_t qpn)
{
    struct sim_qp *first = ((struct mlx5_ctx *)ctx->hw)->users[page];
    unsigned users = 0;

    for (struct sim_qp *qp = first; qp; qp = ((struct mlx5_qp *)qp->hw)->next_user)
        users++;
    for (struct sim_qp *qp = first; qp; qp = ((struct mlx5_qp *)qp->hw)->next_user) {
        struct mlx5_qp *h = qp->hw;
        uint16_t posted;

        if (qp->qpn == qpn || !h->sq_n || qp->managed_send || h->recordless || (h->bfreg < 0 ? users <= 2 : h->bfreg != (int)n / 2))
            continue;
        if (read_record(qp, &posted) && posted != h->rung_to)
            announce(qp, posted);
    }
}

/* -- notification ------------------------------------------------------------------------------ */

static void arm_from_record(struct sim_cq *cq)
{
    struct mlx5_cq *h = cq->hw;
    uint32_t word = mlx5_record(&h->db[1]);

    if (word == h->arm_seen)
        return;
    h->arm_seen = word;
    mlx5_arm(cq, word);
}

static void ring_arm(struct sim_context *ctx, unsigned page, uint64_t value)
{
    uint32_t word = (uint32_t)(value >> 32), cqn = (uint32_t)value, handle = 0;
    bool found = false;
    struct sim_cq *cq;

    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    while ((cq = each(ctx, &handle, SIM_CQ))) {
        struct mlx5_cq *h = cq->hw;

        if (h->uar != page)
            continue;
        if (cq->cqn == cqn) {
            found = true;
            if (mlx5_record(&h->db[1]) != word && !sim_config.thread)
                sim_violation(NULL, 0, 0, 0, "%s CQ %u: armed by the doorbell with 0x%08x, the record says 0x%08x",
                    name_of(ctx), cqn, word, mlx5_record(&h->db[1]));
            h->arm_seen = word;
            mlx5_arm(cq, word);
        } else {
            arm_from_record(cq); /* its doorbell may have been overwritten */
        }
    }
    if (!found)
        sim_violation(NULL, 0, 0, 0, "%s: CQ %u was armed, which does not use this register page", name_of(ctx), cqn);
}

static void look_at_page(struct sim_context *ctx, unsigned page)
{
    uint8_t *regs = ((struct mlx5_ctx *)ctx->hw)->map + (FIRST_UAR + page) * PAGE;
    uint64_t *arm = (uint64_t *)(regs + 0x20);

    for (unsigned n = 0; n < UAR_SLOTS; n++) {
        uint64_t *slot = (uint64_t *)(regs + UAR_FIRST_SLOT + n * UAR_SLOT_SIZE);
        uint32_t value[2];
        uint64_t word;

        if (!__atomic_load_n(slot, __ATOMIC_RELAXED))
            continue;
        word = __atomic_exchange_n(slot, 0, __ATOMIC_ACQ_REL);
        memcpy(value, &word, 8);
        ring_send(ctx, page, n, value);
        ring_sharers(ctx, page, n, be32toh(value[1]) >> 8);
    }
    if (__atomic_load_n((uint64_t *)(regs + UAR_WITHOUT_RECORD), __ATOMIC_RELAXED)) {
        uint64_t word = __atomic_exchange_n((uint64_t *)(regs + UAR_WITHOUT_RECORD), 0, __ATOMIC_ACQ_REL);
        uint32_t value[2];

        memcpy(value, &word, 8);
        ring_without_record(ctx, page, value);
    }
    if (__atomic_load_n(arm, __ATOMIC_RELAXED))
        ring_arm(ctx, page, be64toh(__atomic_exchange_n(arm, 0, __ATOMIC_ACQ_REL)));
}

void mlx5_look_at_doorbells(struct sim_context *ctx)
{
    const struct mlx5_ctx *m = ctx->hw;

    for (unsigned page = 0; page <= m->highest; page++)
        if (m->used[page])
            look_at_page(ctx, page);
}

void mlx5_look_at_page_of(struct sim_qp *qp)
{
    look_at_page(qp->obj.ctx, ((struct mlx5_qp *)qp->hw)->uar);
}

void mlx5_check_idle(struct sim_context *ctx)
{
    uint32_t handle = 0;
    struct sim_qp *qp;
    struct sim_cq *cq;

    while ((qp = each(ctx, &handle, SIM_QP))) {
        struct mlx5_qp *h = qp->hw;
        uint16_t posted;

        if (h->sq_n && !qp->managed_send && !h->recordless && qp->state >= IBV_QPS_RTS && read_record(qp, &posted) && posted != h->rung_to)
            sim_violation(NULL, 0, 0, 0,
                "%s QP 0x%06x: the doorbell record says %u, the doorbell was rung for %u: doorbell missing",
                name_of(ctx), qp->qpn, posted, h->rung_to);
    }
    handle = 0;
    while ((cq = each(ctx, &handle, SIM_CQ))) {
        struct mlx5_cq *h = cq->hw;

        if (mlx5_record(&h->db[1]) != h->arm_seen)
            sim_violation(NULL, 0, 0, 0, "%s CQ %u: armed in the record with 0x%08x, but the doorbell is missing",
                name_of(ctx), cq->cqn, mlx5_record(&h->db[1]));
    }
}
