/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Completion queues and queue pairs: what the kernel and the device refuse, and the memory of those that are made. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "efa.h"

static bool zero(const void *p, size_t n)
{
    const uint8_t *b = p;

    while (n--)
        if (*b++)
            return false;
    return true;
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

/* -- completion queues ------------------------------------------------------------------------- */

static int judge_cq(const struct sim_context *ctx, const struct efa_make_cq *in, uint32_t cqe)
{
    const struct efa_profile *p = efa_profile(ctx->dev);

    if (in->comp_mask || !zero(in->reserved, sizeof in->reserved) || !zero(in->newer, sizeof in->newer))
        return EINVAL;
    if (in->flags & ~(EFA_CQ_CHANNEL | EFA_CQ_SGID | EFA_CQ_IDS_64))
        return EOPNOTSUPP;
    if ((in->flags & EFA_CQ_CHANNEL && !(p->caps & EFA_NOTIFY)) || (in->flags & EFA_CQ_SGID && !(p->caps & EFA_SGID)) ||
        (in->flags & EFA_CQ_IDS_64 && !(p->caps & EFA_IDS_64)))
        return EOPNOTSUPP;
    if (in->sub_cqs != p->sub_cqs || (in->entry_size != 16 && in->entry_size != 32))
        return EINVAL;
    if (in->flags & EFA_CQ_SGID && in->entry_size != 32)
        return EINVAL;
    return !cqe || cqe > MAX_CQE ? EINVAL : 0;
}

/* Memory of the process in place of the device's, when it gives some. */
static int behind(struct sim_cmd *cmd, struct efa_cq *h, size_t bytes)
{
    struct ib_uverbs_attr *fd = sim_attr(cmd, CQ_BUFFER_FD);
    uint64_t length = sim_in_u64(cmd, CQ_BUFFER_LENGTH, 0);

    if (!fd)
        return 0;
    if (!(efa_profile(cmd->ctx->dev)->caps & EFA_CQ_IN_MEMORY))
        return EOPNOTSUPP;
    return length < bytes ? EINVAL :
        sim_map_behind((int)fd->data_s64, sim_in_u64(cmd, CQ_BUFFER_OFFSET, 0), length, &h->behind);
}

int efa_create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    struct efa_cq *h = cq->hw;
    struct efa_make_cq in;
    struct efa_ibv_create_cq_resp r = {.cq_idx = (uint16_t)cq->cqn};
    int ring, doorbell, error;
    size_t bytes;

    if (sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_FLAGS, 0))
        return EOPNOTSUPP;
    sim_in_driver(cmd, &in, sizeof in);
    error = judge_cq(cmd->ctx, &in, *cqe);
    if (error)
        return error;
    h->n = 1;
    while (h->n < *cqe)
        h->n *= 2;
    *cqe = h->n;
    h->size = in.entry_size;
    h->subs = in.sub_cqs;
    h->notify = in.flags & EFA_CQ_CHANNEL;
    h->sgid = in.flags & EFA_CQ_SGID;
    h->ids_64 = in.flags & EFA_CQ_IDS_64;
    bytes = (size_t)h->n * h->size * h->subs;
    error = behind(cmd, h, bytes);
    if (error)
        return error;
    ring = h->behind.map ? 0 : sim_lend(cmd->ctx, bytes, false, SIM_WATCH_NOTHING);
    doorbell = sim_lend(cmd->ctx, PAGE, true, SIM_WATCH_REQUESTS);
    if (ring < 0 || doorbell < 0)
        return ENOMEM;
    h->ring = (unsigned)ring;
    h->doorbell = (unsigned)doorbell;
    efa_set_register(cmd->ctx, h->doorbell, 0, NOT_RUNG);
    if (!h->behind.map) { /* else the process has the ring already, and is given no doorbell */
        r.q_mmap_key = sim_area_key(cmd->ctx, h->ring);
        r.q_mmap_size = (bytes + PAGE - 1) / PAGE * PAGE;
        r.comp_mask = EFA_CREATE_CQ_RESP_DB_OFF;
        r.db_mmap_key = sim_area_key(cmd->ctx, h->doorbell);
    }
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

void efa_free_cq(struct sim_cq *cq)
{
    struct efa_cq *h = cq->hw;

    if (h->behind.map)
        munmap(h->behind.map, h->behind.size);
    if (!h->n || !h->doorbell)
        return;
    if (!h->behind.map)
        sim_take_back_area(cq->obj.ctx, h->ring);
    sim_take_back_area(cq->obj.ctx, h->doorbell);
}

/* -- queue pairs ------------------------------------------------------------------------------- */

static int judge_qp(const struct sim_qp *qp, const struct efa_make_qp *in)
{
    const struct efa_profile *p = efa_profile(qp->obj.ctx->dev);
    const struct ib_uverbs_qp_cap *cap = &qp->cap;

    if (in->comp_mask || !zero(in->reserved, sizeof in->reserved))
        return EINVAL;
    if (!zero(in->newer, sizeof in->newer))
        return sim_refuse(qp->obj.ctx, EOPNOTSUPP, "a queue pair with flags that are newer than this simulator");
    if (qp->srq || qp->block_self || in->flags & ~(EFA_QP_UNSOLICITED | EFA_QP_IDS_64))
        return EOPNOTSUPP;
    if (qp->type == IB_UVERBS_QPT_DRIVER && in->type != EFA_QP_DRIVER_TYPE_SRD)
        return EOPNOTSUPP;
    if ((in->flags & EFA_QP_UNSOLICITED && !(p->caps & EFA_UNSOLICITED)) ||
        (in->flags & EFA_QP_IDS_64 && !(p->caps & EFA_IDS_64)))
        return EOPNOTSUPP;
    if (in->flags & EFA_QP_IDS_64 && !((struct efa_cq *)qp->scq->hw)->ids_64)
        return EINVAL; /* there would be no room in its completions */
    if (cap->max_send_wr > MAX_TX || cap->max_recv_wr > MAX_RX || cap->max_send_sge > MAX_TX_SGE ||
        cap->max_recv_sge > MAX_RX_SGE)
        return EINVAL;
    return 0;
}

/* The rings are as large as the library says; how large a descriptor is follows from that. */
static int measure(struct sim_qp *qp, const struct efa_make_qp *in)
{
    const struct efa_profile *p = efa_profile(qp->obj.ctx->dev);
    struct efa_qp *h = qp->hw;

    h->sq_n = in->sq_size ? qp->cap.max_send_wr : 0;
    h->sq_size = h->sq_n ? in->sq_size / h->sq_n : TX_SIZE;
    h->rq_n = in->rq_size / RX_SIZE;
    if (h->sq_n && (!power_of_two(h->sq_n) || h->sq_n * h->sq_size != in->sq_size || h->sq_n < p->min_sq))
        return EINVAL;
    if (h->sq_size != TX_SIZE && (h->sq_size != TX_SIZE_EX || !p->inline_ex))
        return EINVAL;
    if (qp->cap.max_inline_data > (h->sq_size == TX_SIZE ? MAX_INLINE : p->inline_ex))
        return EINVAL;
    if (in->sq_size > MAX_TX * TX_SIZE || in->rq_size % RX_SIZE || h->rq_n > MAX_RX * 4 ||
        (h->rq_n && !power_of_two(h->rq_n)))
        return EINVAL;
    return 0;
}

int efa_create_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    unsigned subs = efa_profile(cmd->ctx->dev)->sub_cqs;
    struct efa_qp *h = qp->hw;
    struct efa_make_qp in;
    struct efa_ibv_create_qp_resp r = {.sq_db_offset = SQ_DOORBELL, .rq_db_offset = RQ_DOORBELL};
    int sq, rq, doorbells, error;

    sim_in_driver(cmd, &in, sizeof in);
    error = judge_qp(qp, &in);
    if (!error)
        error = measure(qp, &in);
    if (error)
        return error;
    qp->unsolicited = in.flags & EFA_QP_UNSOLICITED;
    h->ids_64 = in.flags & EFA_QP_IDS_64;
    h->send_sub = qp->qpn % subs;
    h->recv_sub = (qp->qpn + 1) % subs;
    sq = sim_lend(cmd->ctx, h->sq_n ? in.sq_size : PAGE, true, SIM_WATCH_READS);
    rq = sim_lend(cmd->ctx, h->rq_n ? in.rq_size : PAGE, true, SIM_WATCH_NOTHING);
    doorbells = sim_lend(cmd->ctx, PAGE, true, SIM_WATCH_STORES);
    h->kept = 2 * (h->sq_n > WINDOW ? h->sq_n : WINDOW);
    h->rung = calloc(h->kept, h->sq_size ? h->sq_size : 1);
    if (sq < 0 || rq < 0 || doorbells < 0 || !h->rung)
        return ENOMEM;
    h->sq = (unsigned)sq;
    h->rq = (unsigned)rq;
    h->doorbells = (unsigned)doorbells;
    r.llq_desc_mmap_key = sim_area_key(cmd->ctx, h->sq);
    r.rq_mmap_key = sim_area_key(cmd->ctx, h->rq);
    r.rq_mmap_size = ((uint64_t)in.rq_size + PAGE - 1) / PAGE * PAGE;
    r.sq_db_mmap_key = r.rq_db_mmap_key = sim_area_key(cmd->ctx, h->doorbells);
    r.send_sub_cq_idx = (uint16_t)h->send_sub;
    r.recv_sub_cq_idx = (uint16_t)h->recv_sub;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

void efa_reset_qp(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    uint8_t *doorbells = sim_area(qp->obj.ctx, h->doorbells);

    memset(doorbells + SQ_DOORBELL, 0, 4);
    memset(doorbells + RQ_DOORBELL, 0, 4);
    h->sq_ci = h->sq_rung = h->rq_ci = 0;
    h->taken = 0;
    h->phase_known = false;
    efa_forget_gone(h);
}

void efa_free_qp(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;

    efa_forget_gone(h);
    efa_detach(h);
    free(h->rung);
    if (!h->doorbells)
        return;
    sim_take_back_area(qp->obj.ctx, h->sq);
    sim_take_back_area(qp->obj.ctx, h->rq);
    sim_take_back_area(qp->obj.ctx, h->doorbells);
}
