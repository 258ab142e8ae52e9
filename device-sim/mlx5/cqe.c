/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Completions: how they are written, and when the process is told of them. */
#include <errno.h>
#include <string.h>

#include "../core/frames.h"
#include "mlx5.h"

#define CI_MASK 0xffffff

static uint8_t syndrome(int status)
{
    switch (status) {
    case IBV_WC_LOC_LEN_ERR: return MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR;
    case IBV_WC_LOC_QP_OP_ERR: return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    case IBV_WC_LOC_PROT_ERR: return MLX5_CQE_SYNDROME_LOCAL_PROT_ERR;
    case IBV_WC_WR_FLUSH_ERR: return MLX5_CQE_SYNDROME_WR_FLUSH_ERR;
    case IBV_WC_MW_BIND_ERR: return MLX5_CQE_SYNDROME_MW_BIND_ERR;
    case IBV_WC_BAD_RESP_ERR: return MLX5_CQE_SYNDROME_BAD_RESP_ERR;
    case IBV_WC_LOC_ACCESS_ERR: return MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR;
    case IBV_WC_REM_INV_REQ_ERR: return MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR;
    case IBV_WC_REM_ACCESS_ERR: return MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR;
    case IBV_WC_REM_OP_ERR: return MLX5_CQE_SYNDROME_REMOTE_OP_ERR;
    case IBV_WC_RETRY_EXC_ERR: return MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR;
    case IBV_WC_RNR_RETRY_EXC_ERR: return MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR;
    case IBV_WC_REM_ABORT_ERR: return MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR;
    default: return 0x7f; /* the library makes a general error of it */
    }
}

static uint8_t opcode(const struct sim_completion *c)
{
    if (c->status != IBV_WC_SUCCESS)
        return c->responder ? MLX5_CQE_RESP_ERR : MLX5_CQE_REQ_ERR;
    if (!c->responder)
        return MLX5_CQE_REQ;
    if (c->op == SIM_WRITE)
        return MLX5_CQE_RESP_WR_IMM;
    if (c->tagged && c->tagged->how == MLX5_TAG_CONSUMED)
        return MLX5_CQE_NO_PACKET; /* its data comes yet */
    return c->has_imm ? MLX5_CQE_RESP_SEND_IMM : c->has_inv ? MLX5_CQE_RESP_SEND_INV : MLX5_CQE_RESP_SEND;
}

static uint32_t user_index(const struct sim_completion *c)
{
    if (c->arrival && c->arrival->wq)
        return ((struct mlx5_wq *)c->arrival->wq->hw)->uidx;
    /* An XRC target has no rings; its receives are known by the shared receive queue. */
    return c->qp->type == IB_UVERBS_QPT_XRC_TGT && c->srq ? ((struct mlx5_srq *)c->srq->hw)->uidx :
        ((struct mlx5_qp *)c->qp->hw)->uidx;
}

/*
 * What means nothing in an entry: no two bytes of it are the same, and those of the next entry are others. So a reader that
 * takes a field from a wrong place, or bits of its neighbours with it, tells something else than one that does not.
 */
static void noise(uint8_t *bytes, size_t size, uint32_t entry)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i * 37 + entry * 11 + 0x95);
}

/* The field, with its own bits from `value` and the rest as it is. */
static void put32(__be32 *field, uint32_t own, uint32_t value)
{
    *field = htobe32((be32toh(*field) & ~own) | (value & own));
}

/* Only a datagram has a path that the receiver is told of; on Ethernet the fields are there, too. */
static void fill_path(struct mlx5_cqe64 *e, const struct sim_completion *c)
{
    bool infiniband = c->qp->obj.ctx->dev->link_layer == IBV_LINK_LAYER_INFINIBAND;

    if (infiniband) {
        e->slid = htobe16(c->slid);
        e->ml_path &= 0x80; /* no port has more than one LID */
    }
    put32(&e->flags_rqpn, 0x3fffffff, (uint32_t)c->grh << 28 | (uint32_t)(c->sl & 15) << 24 | c->src_qp);
    if (c->has_inv)
        e->imm_inval_pkey = htobe32(c->imm);
    else if (c->has_imm)
        e->imm_inval_pkey = c->imm; /* as it was in the request */
    else if (c->qp->type == IB_UVERBS_QPT_UD)
        put32(&e->imm_inval_pkey, 0xffff, 0); /* the only partition */
}

#define TAG_MATCHING 1 /* what the entry is about */

/* The header of a message that was matched is in its entry; of another one there is none. */
static void fill_tag(struct mlx5_cqe64 *e, const struct sim_tagged *t)
{
    e->app = TAG_MATCHING;
    e->app_op = t->how;
    if (t->matched)
        e->app_info = htobe16(t->index);
    memcpy(e, t->header, sizeof t->header);
}

static void fill(struct mlx5_cqe64 *e, const struct sim_completion *c, uint32_t entry)
{
    noise((uint8_t *)e, sizeof *e, entry);
    put32(&e->srqn_uidx, 0xffffff, user_index(c));
    e->wqe_counter = htobe16(c->index);
    put32(&e->sop_drop_qpn, 0xffffff, c->arrival ? c->arrival->tag : c->qp->qpn); /* of a frame, what its rule says */
    if (c->status != IBV_WC_SUCCESS) {
        struct mlx5_err_cqe *bad = (struct mlx5_err_cqe *)e;

        bad->syndrome = syndrome(c->status);
        bad->vendor_err_synd = c->vendor_err;
        return;
    }
    e->timestamp = htobe64(sim_ticks());
    e->byte_cnt = htobe32(c->length);
    e->app = e->app_op = 0; /* no tag matching */
    if (c->tagged)
        fill_tag(e, c->tagged);
    if (!c->responder)
        put32(&e->sop_drop_qpn, 0xff000000, (uint32_t)c->vendor_op << 24);
    else if (c->arrival)
        mlx5_fill_arrival(e, c->arrival);
    else
        fill_path(e, c);
}

unsigned mlx5_completion_room(struct sim_qp *qp, bool responder)
{
    const struct mlx5_qp *h = qp->hw;
    const struct sim_cq *cq = responder ? qp->rcq : qp->scq;

    if (!cq || !(h->flags & MLX5_QP_FLAG_SCATTER_CQE) || (responder && qp->srq && ((struct mlx5_srq *)qp->srq->hw)->tags))
        return 0;
    if (qp->type != IB_UVERBS_QPT_RC && !(responder && qp->type == IB_UVERBS_QPT_UC))
        return 0;
    if (!responder && !qp->sig_all && !(h->flags & MLX5_QP_FLAG_ALLOW_SCATTER_CQE))
        return 0;
    return ((struct mlx5_cq *)cq->hw)->size == 128 && !((struct mlx5_cq *)cq->hw)->pad ? 64 : 32;
}

/* -- notification ------------------------------------------------------------------------------ */

static bool behind(uint32_t pi, uint32_t ci)
{
    return ((pi - ci) & CI_MASK) != 0 && ((pi - ci) & CI_MASK) < 0x800000;
}

/* Whether an event waits for more completions, or for its time. */
static bool put_off(struct mlx5_cq *h)
{
    if (h->max_count < 2 || ((h->pi - h->told_pi) & CI_MASK) >= h->max_count)
        return false;
    if (!h->period)
        return true;
    if (!h->due)
        h->due = sim_clock() + h->period * 1000ull;
    return sim_clock() < h->due;
}

static void notify(struct sim_cq *cq)
{
    struct mlx5_cq *h = cq->hw;

    if (!h->armed)
        return;
    if (h->solicited_only ? !h->any_solicited || !behind(h->solicited_pi, h->arm_ci) : !behind(h->pi, h->arm_ci))
        return;
    if (put_off(h))
        return;
    h->due = 0;
    h->told_pi = h->pi;
    h->armed = false;
    h->next_sn = (h->next_sn + 1) & 3;
    sim_comp_event(cq);
}

int mlx5_moderate(struct sim_cq *cq, uint16_t count, uint16_t period)
{
    struct mlx5_cq *h = cq->hw;

    if (period > SIM_MAX_PERIOD)
        return EINVAL;
    h->max_count = count;
    h->period = period;
    if (period)
        ((struct mlx5_ctx *)cq->obj.ctx->hw)->timed = true;
    h->due = 0;
    notify(cq);
    return 0;
}

uint64_t mlx5_next_timer(const struct sim_context *ctx)
{
    uint64_t first = 0;

    if (!((const struct mlx5_ctx *)ctx->hw)->timed)
        return 0; /* without a look at all objects */
    for (uint32_t i = 0; i < ctx->n_objs; i++)
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_CQ) {
            const struct mlx5_cq *h = ((const struct sim_cq *)ctx->obj[i])->hw;

            if (h->due && (!first || h->due < first))
                first = h->due;
        }
    return first;
}

void mlx5_run_timers(struct sim_context *ctx)
{
    for (uint32_t i = 0; i < ctx->n_objs; i++)
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_CQ) {
            struct sim_cq *cq = (struct sim_cq *)ctx->obj[i];
            struct mlx5_cq *h = cq->hw;

            if (h->due && h->due <= sim_clock()) {
                notify(cq);
                h->due = 0;
            }
        }
}

/* The sequence number tells a request that the process made before it took the last event from one made after. */
void mlx5_arm(struct sim_cq *cq, uint32_t word)
{
    struct mlx5_cq *h = cq->hw;
    unsigned sn = word >> 28 & 3;

    if (word & 0xce000000) {
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: armed with 0x%08x, reserved bits are set", cq->obj.ctx->dev->name,
            cq->cqn, word);
        return;
    }
    if (sn != h->next_sn) {
        if (((h->next_sn - sn) & 3) != 1)
            sim_violation(NULL, 0, 0, 0, "%s CQ %u: armed with sequence number %u, expected %u",
                cq->obj.ctx->dev->name, cq->cqn, sn, h->next_sn);
        return;
    }
    h->armed = true;
    h->solicited_only = word & MLX5_CQ_DB_REQ_NOT_SOL;
    h->arm_ci = word & CI_MASK;
    notify(cq);
}

/* -- the ring ---------------------------------------------------------------------------------- */

/* Room for one more; else the queue is in error for good. */
static bool has_room(struct sim_cq *cq)
{
    struct mlx5_cq *h = cq->hw;
    uint32_t ci = mlx5_record(&h->db[0]), used = (h->pi - ci) & CI_MASK;

    if (cq->overrun)
        return false;
    if (ci > CI_MASK || used > h->n) {
        sim_violation(NULL, 0, 0, 0, "%s CQ %u: the consumer index is %u, %u were written and the ring has %u",
            cq->obj.ctx->dev->name, cq->cqn, ci, h->pi & CI_MASK, h->n);
        return false;
    }
    if (used < h->n)
        return true;
    cq->overrun = true;
    sim_say("%s CQ %u: overrun, %u completions were not polled", cq->obj.ctx->dev->name, cq->cqn, used);
    sim_async_cq(cq, IBV_EVENT_CQ_ERR);
    return false;
}

/* All of the entry first, then the byte that says whose it is. */
static void put(struct mlx5_cq *h, const struct mlx5_cqe64 *e, uint8_t op_own)
{
    uint8_t *at = h->buf + (size_t)(h->pi & (h->n - 1)) * h->size + (h->size - 64);

    if (h->pad)
        noise(at - 64, 64, h->pi + 1);
    memcpy(at, e, 63);
    op_own |= (h->pi & h->n) ? MLX5_CQE_OWNER_MASK : 0;
    __atomic_store_n(at + 63, op_own, __ATOMIC_RELEASE);
    h->pi++;
}

void mlx5_complete(struct sim_cq *cq, const struct sim_completion *c)
{
    struct mlx5_cq *h = cq->hw;
    struct mlx5_cqe64 e;
    uint8_t op_own = (uint8_t)(opcode(c) << 4);

    if (!c->responder && c->vendor_op == MLX5_RENDEZVOUS) {
        mlx5_rendezvous_done(c);
        return;
    }
    if (!has_room(cq))
        return;
    fill(&e, c, h->pi);
    if (c->data && (h->size == 64 || h->pad)) {
        memcpy(&e, c->data, c->length);
        op_own |= MLX5_INLINE_SCATTER_32;
    } else if (c->data) {
        memcpy(h->buf + (size_t)(h->pi & (h->n - 1)) * h->size, c->data, c->length);
        op_own |= MLX5_INLINE_SCATTER_64;
    }
    if (c->responder && c->solicited)
        op_own |= MLX5_WQE_CTRL_SOLICITED;
    put(h, &e, op_own);
    if ((c->responder && c->solicited) || c->status != IBV_WC_SUCCESS) {
        h->any_solicited = true;
        h->solicited_pi = h->pi;
    }
    notify(cq);
    if (c->tagged && c->tagged->how == MLX5_TAG_CONSUMED && c->status == IBV_WC_SUCCESS)
        mlx5_rendezvous_begin(c->qp);
}

/* As libmlx5 has it: the first halves, then the second ones. */
struct signature_entry {
    uint8_t reserved[16];
    __be32 wanted, is, wanted_reference, is_reference;
    __be16 syndrome;
    uint8_t kind, domain;
    __be32 key;
    __be64 offset;
    uint8_t reserved_behind[16];
};

void mlx5_complete_signature(struct sim_cq *cq, const struct mlx5_signature_error *e)
{
    struct mlx5_cq *h = cq->hw;
    struct signature_entry s;
    struct mlx5_cqe64 entry;

    _Static_assert(sizeof s == sizeof entry, "an entry has 64 bytes");
    sim_count(DEVICE_SIM_COUNT_COMPLETIONS);
    if (!has_room(cq))
        return;
    noise((uint8_t *)&s, sizeof s, h->pi);
    s.wanted = htobe32((uint32_t)(e->wanted >> 32));
    s.is = htobe32((uint32_t)(e->is >> 32));
    s.wanted_reference = htobe32((uint32_t)e->wanted);
    s.is_reference = htobe32((uint32_t)e->is);
    s.syndrome = htobe16(e->syndrome);
    s.kind = 0; /* of a block; older releases of libmlx5 read all bits of both */
    s.domain = e->memory;
    s.key = htobe32(e->key);
    s.offset = htobe64(e->offset);
    memcpy(&entry, &s, sizeof entry);
    put(h, &entry, MLX5_CQE_SIG_ERR << 4);
    h->any_solicited = true;
    h->solicited_pi = h->pi;
    notify(cq);
}

void mlx5_complete_tags(const struct mlx5_tag_done *d)
{
    struct sim_cq *cq = d->srq->cq;
    struct mlx5_cq *h = cq->hw;
    struct mlx5_cqe64 e;

    sim_count(DEVICE_SIM_COUNT_COMPLETIONS);
    if (!has_room(cq))
        return;
    noise((uint8_t *)&e, sizeof e, h->pi);
    put32(&e.srqn_uidx, 0xffffff, ((struct mlx5_srq *)d->srq->hw)->uidx);
    put32(&e.sop_drop_qpn, 0xffffff, d->qp->qpn);
    put32(&e.tm_cqe.success, MLX5_TMC_SUCCESS, d->success ? MLX5_TMC_SUCCESS : 0);
    e.tm_cqe.hw_phase_cnt = htobe16(d->count);
    memset((uint8_t *)&e + 8, 0, 8); /* where a message has its tag */
    put32(&e.flags_rqpn, 0x3fffffff, 0); /* and its path */
    e.app = TAG_MATCHING;
    e.app_op = d->how;
    e.timestamp = htobe64(sim_ticks());
    put(h, &e, MLX5_CQE_NO_PACKET << 4);
    notify(cq);
}

/*
 * The last entry of the old ring says that it moved; the library copies what it had not polled, each one place
 * further on.
 */
int mlx5_resize(struct sim_cq *cq, uint8_t *buf, uint32_t n)
{
    struct mlx5_cq *h = cq->hw;
    struct mlx5_cqe64 e = {0};

    if (((h->pi - mlx5_record(&h->db[0])) & CI_MASK) + 1 > n)
        return EINVAL;
    if (!has_room(cq))
        return EINVAL;
    put(h, &e, MLX5_CQE_RESIZE_CQ << 4);
    h->buf = buf;
    h->n = n;
    return 0;
}
