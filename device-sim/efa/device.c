/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's table of an EFA: what the device says of itself, and what its driver refuses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "efa.h"

/* -- context ----------------------------------------------------------------------------------- */

static int get_context(struct sim_cmd *cmd)
{
    const struct efa_profile *p = efa_profile(cmd->ctx->dev);
    struct efa_open in;
    struct efa_opened r = {
        .commands = EFA_USER_CMDS_SUPP_UDATA_QUERY_DEVICE | EFA_USER_CMDS_SUPP_UDATA_CREATE_AH,
        .sub_cqs = (uint16_t)p->sub_cqs, .inline_size = MAX_INLINE, .inline_size_ex = (uint16_t)p->inline_ex,
        .llq_size = MAX_TX * TX_SIZE, .batch = (uint16_t)p->batch, .min_sq = (uint16_t)p->min_sq,
    };

    sim_in_driver(cmd, &in, sizeof in);
    if ((p->batch && !(in.library & EFA_LIBRARY_BATCH)) || (p->min_sq && !(in.library & EFA_LIBRARY_MIN_SQ)))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a library that knows nothing of limits which this device has");
    if (!sim_areas_open(cmd->ctx))
        return ENOMEM;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static int query_device(struct sim_cmd *cmd)
{
    struct efa_ibv_ex_query_device_resp r = {
        .max_sq_wr = MAX_TX, .max_rq_wr = MAX_RX, .max_sq_sge = MAX_TX_SGE, .max_rq_sge = MAX_RX_SGE,
        .max_rdma_size = SIM_MAX_MSG,
        .device_caps = efa_profile(cmd->ctx->dev)->caps,
    };

    if (sim_config.caps)
        r.device_caps |= EFA_POLL_128;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void fill_device(struct ib_uverbs_query_device_resp *r)
{
    r->device_cap_flags = r->atomic_cap = r->max_mw = r->max_srq = r->max_srq_wr = r->max_srq_sge = 0;
    r->max_mcast_grp = r->max_mcast_qp_attach = r->max_total_mcast_qp_attach = 0;
    r->max_qp_wr = MAX_TX;
    r->max_sge = MAX_TX_SGE;
    r->max_sge_rd = 1;
    r->max_cqe = MAX_CQE;
}

/* -- what its driver refuses ------------------------------------------------------------------- */

#define QUERY_MASK (IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY | IBV_QP_SQ_PSN | IBV_QP_CAP | \
    IBV_QP_RNR_RETRY)
#define MODIFY_MASK (IBV_QP_STATE | IBV_QP_CUR_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY | IBV_QP_PKEY_INDEX | IBV_QP_PORT | \
    IBV_QP_QKEY | IBV_QP_SQ_PSN | IBV_QP_RNR_RETRY)

static uint32_t rights(const struct sim_device *dev)
{
    uint32_t caps = efa_profile(dev)->caps;

    return IB_UVERBS_ACCESS_LOCAL_WRITE | (caps & EFA_READ ? IB_UVERBS_ACCESS_REMOTE_READ : 0) |
        (caps & EFA_WRITE ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0);
}

static int refuses(const struct sim_qp *qp, const struct ib_uverbs_modify_qp *to, bool known)
{
    uint32_t mask = to->attr_mask;

    if (known)
        return mask & IBV_QP_PKEY_INDEX && to->pkey_index ? EOPNOTSUPP : 0;
    if (mask & ~(uint32_t)MODIFY_MASK)
        return EOPNOTSUPP;
    return mask & IBV_QP_RNR_RETRY && !(efa_profile(qp->obj.ctx->dev)->caps & EFA_RNR_RETRY) ? EOPNOTSUPP : 0;
}

static int alloc_pd(struct sim_cmd *cmd, struct sim_pd *pd)
{
    struct efa_ibv_alloc_pd_resp r = {.pdn = (uint16_t)pd->pdn};

    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* -- what it has not --------------------------------------------------------------------------- */

static int resize_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    (void)cq;
    (void)cqe;
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "resizing");
}

static int create_srq(struct sim_cmd *cmd, struct sim_srq *srq)
{
    (void)srq;
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "shared receive queues");
}

static int modify_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    (void)cmd;
    (void)qp;
    return 0;
}

/* Numbers of the ways that lead to a region: of libefa 50 and newer. The first attribute is the handle. */
enum { METHOD_QUERY_MR = 1 << 12 };
enum { QUERY_MR_HANDLE = 1 << 12, QUERY_MR_VALID };

static int query_mr(struct sim_cmd *cmd)
{
    struct sim_mr *mr = sim_in_obj(cmd, QUERY_MR_HANDLE, SIM_MR);
    uint16_t valid = 7;

    if (!mr)
        return EINVAL;
    sim_out(cmd, QUERY_MR_VALID, &valid, sizeof valid);
    for (uint16_t way = 1; way <= 3; way++) /* of receives, of reads, of what remote writes bring */
        sim_out(cmd, (uint16_t)(QUERY_MR_VALID + way), &way, sizeof way);
    return 0;
}

static int method(struct sim_cmd *cmd)
{
    return cmd->hdr->object_id == UVERBS_OBJECT_MR && cmd->hdr->method_id == METHOD_QUERY_MR ? query_mr(cmd) :
        efa_counter_method(cmd);
}

static unsigned completion_room(struct sim_qp *qp, bool responder)
{
    (void)qp;
    (void)responder;
    return 0;
}

static unsigned srq_posted(struct sim_srq *srq)
{
    (void)srq;
    return 0;
}

static void set_clock(struct sim_context *ctx, uint64_t ticks)
{
    (void)ctx; /* it has none */
    (void)ticks;
}

const struct sim_vendor sim_efa = {
#include "identity.h"
    .qp_hw_size = sizeof(struct efa_qp),
    .cq_hw_size = sizeof(struct efa_cq),
    .srq_hw_size = 1,
    .ctx_hw_size = 1,
    .get_context = get_context,
    .free_context = sim_areas_close,
    .query_device = query_device,
    .fill_device = fill_device,
    .rights = rights,
    .query_mask = QUERY_MASK,
    .refuses = refuses,
    .alloc_pd = alloc_pd,
    .create_ah = efa_create_ah,
    .free_ah = efa_free_ah,
    .knows = efa_knows,
    .create_cq = efa_create_cq,
    .free_cq = efa_free_cq,
    .cq_in_memory = true,
    .free_counter = efa_free_counter,
    .served = efa_served,
    .resize_cq = resize_cq,
    .create_srq = create_srq,
    .create_qp = efa_create_qp,
    .modify_qp = modify_qp,
    .reset_qp = efa_reset_qp,
    .free_qp = efa_free_qp,
    .method = method,
    .map = sim_map_area,
    .watch = sim_watch_area,
    .look_at_doorbells = efa_look_at_doorbells,
    .has_send = efa_has_send,
    .next_send = efa_next_send,
    .next_recv = efa_next_recv,
    .srq_posted = srq_posted,
    .completion_room = completion_room,
    .complete = efa_complete,
    .check_idle = efa_check_idle,
    .set_clock = set_clock,
};
