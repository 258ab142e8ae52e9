/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Queue pairs are made: by the method that libibverbs takes, or by the old command, which lets more flags through. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

#define OBJ(x) ((x) ? &(x)->obj : NULL)

static void use(struct sim_obj *obj)
{
    if (obj)
        obj->users++;
}

/* A place among the device's queue pairs; it decides the number. */
static int place_qp(struct sim_device *dev, struct sim_qp *qp)
{
    uint32_t i = 0;
    struct sim_qp **grown;
    uint64_t *awake;

    while (i < dev->n_qps && dev->qp[i])
        i++;
    if (i == dev->n_qps) {
        if (i >= SIM_MAX_QPS)
            return ENOMEM;
        grown = realloc(dev->qp, (i + 64) * sizeof *grown);
        if (!grown)
            return ENOMEM;
        memset(grown + i, 0, 64 * sizeof *grown);
        dev->qp = grown;
        awake = realloc(dev->awake, (i / 64 + 1) * sizeof *awake);
        if (!awake)
            return ENOMEM;
        awake[i / 64] = 0;
        dev->awake = awake;
        dev->n_qps += 64;
    }
    dev->qp[i] = qp;
    qp->qpn = sim_first_qpn() + i;
    sim_wake(qp);
    return 0;
}

static void use_parents(struct sim_qp *qp)
{
    use(OBJ(qp->pd));
    use(OBJ(qp->scq));
    use(OBJ(qp->rcq));
    use(OBJ(qp->srq));
    use(OBJ(qp->xrcd));
    use(OBJ(qp->table));
}

int sim_qp_place(struct sim_qp *qp)
{
    use_parents(qp);
    return place_qp(qp->obj.ctx->dev, qp);
}

/* Its parents are known: it gets its rings and its number. On an error it is gone. */
static int complete(struct sim_cmd *cmd, struct sim_qp *qp, int error)
{
    struct sim_device *dev = cmd->ctx->dev;

    use_parents(qp);
    if (!error && !qp->table) /* which has no number: it is a rule's target, and never works itself */
        error = place_qp(dev, qp);
    if (!error)
        error = dev->vendor->create_qp(cmd, qp);
    if (error)
        sim_obj_drop(&qp->obj);
    return error;
}

struct sim_qp *sim_qp_begin(struct sim_context *ctx, int type)
{
    struct sim_qp *qp = sim_obj_new(ctx, SIM_QP, sizeof *qp);

    if (!qp)
        return NULL;
    qp->type = type;
    sim_qp_defaults(qp);
    qp->hw = calloc(1, ctx->dev->vendor->qp_hw_size);
    if (qp->hw)
        return qp;
    sim_obj_drop(&qp->obj);
    return NULL;
}

/* -- the method -------------------------------------------------------------------------------- */

/* One that spreads frames over the work queues of a table has a domain and nothing else. */
static int spreads(struct sim_cmd *cmd, struct sim_qp *qp)
{
    qp->pd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_PD_HANDLE, SIM_PD);
    qp->table = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE, SIM_TABLE);
    if (qp->type != IB_UVERBS_QPT_RAW_PACKET || !qp->pd || !qp->table ||
        sim_attr(cmd, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE) || sim_attr(cmd, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE) ||
        sim_attr(cmd, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)) {
        qp->pd = NULL;
        qp->table = NULL;
        return EINVAL;
    }
    qp->rss = calloc(1, sizeof *qp->rss);
    return qp->rss ? 0 : ENOMEM;
}

static int qp_parents(struct sim_cmd *cmd, struct sim_qp *qp)
{
    bool target = qp->type == IB_UVERBS_QPT_XRC_TGT, initiator = qp->type == IB_UVERBS_QPT_XRC_INI;

    if (!(cmd->ctx->dev->vendor->qp_types & SIM_TYPE(qp->type)))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a queue pair of type %d", qp->type);
    if (qp->type == IB_UVERBS_QPT_RAW_PACKET && !sim_has_frames(cmd->ctx->dev))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "raw packets where there is no Ethernet");
    if (sim_attr(cmd, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE))
        return spreads(cmd, qp);
    if (target) {
        qp->xrcd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, SIM_XRCD);
        return qp->xrcd ? 0 : EINVAL;
    }
    qp->pd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_PD_HANDLE, SIM_PD);
    qp->scq = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, SIM_CQ);
    if (!initiator)
        qp->rcq = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, SIM_CQ);
    if (qp->type == IB_UVERBS_QPT_RAW_PACKET && sim_attr(cmd, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE))
        return EINVAL;
    if (!initiator && sim_attr(cmd, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)) {
        qp->srq = sim_in_obj(cmd, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, SIM_SRQ);
        if (!qp->srq || qp->srq->type == IB_UVERBS_SRQT_XRC)
            return EINVAL;
    }
    return qp->pd && qp->scq && (initiator || qp->rcq) ? 0 : EINVAL;
}

#define QP_CREATE_FLAGS (IB_UVERBS_QP_CREATE_SQ_SIG_ALL | IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK)
#define RAW_FLAGS (IB_UVERBS_QP_CREATE_CVLAN_STRIPPING | IB_UVERBS_QP_CREATE_SCATTER_FCS)

int sim_qp_create(struct sim_cmd *cmd)
{
    struct sim_context *ctx = cmd->ctx;
    uint32_t flags = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_QP_FLAGS, 0), told;
    int type = (int)sim_in_u64(cmd, UVERBS_ATTR_CREATE_QP_TYPE, 0);
    uint32_t known = QP_CREATE_FLAGS | (type == IB_UVERBS_QPT_RAW_PACKET ? RAW_FLAGS : 0);
    struct sim_qp *qp;
    int error;

    if (flags & ~known || sim_attr(cmd, UVERBS_ATTR_CREATE_QP_SOURCE_QPN))
        return sim_refuse(ctx, EOPNOTSUPP, "a queue pair with flags 0x%x or a source number", flags);
    qp = sim_qp_begin(ctx, type);
    if (!qp)
        return ENOMEM;
    qp->sig_all = flags & IB_UVERBS_QP_CREATE_SQ_SIG_ALL;
    qp->block_self = flags & IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
    qp->strip_vlan = flags & IB_UVERBS_QP_CREATE_CVLAN_STRIPPING;
    qp->with_crc = flags & IB_UVERBS_QP_CREATE_SCATTER_FCS;
    qp->user_handle = sim_in_u64(cmd, UVERBS_ATTR_CREATE_QP_USER_HANDLE, 0);
    sim_in(cmd, UVERBS_ATTR_CREATE_QP_CAP, &qp->cap, sizeof qp->cap);
    error = sim_async_wanted(cmd, UVERBS_ATTR_CREATE_QP_EVENT_FD, &qp->async);
    error = complete(cmd, qp, error ? error : qp_parents(cmd, qp));
    if (error)
        return error;
    sim_out(cmd, UVERBS_ATTR_CREATE_QP_RESP_CAP, &qp->cap, sizeof qp->cap);
    /* The number of a DC target is told when it becomes ready to receive. */
    told = qp->dc == SIM_DC_TARGET ? 0 : ctx->dev->vendor->counts_from_zero ? qp->qpn - sim_first_qpn() : qp->qpn;
    sim_out(cmd, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &told, sizeof told);
    sim_out_obj(cmd, UVERBS_ATTR_CREATE_QP_HANDLE, &qp->obj);
    return 0;
}

/* -- the command ------------------------------------------------------------------------------- */

/* The kernel's own names of these are not in its headers for programs. */
#define CROSS_CHANNEL (1u << 2)
#define MANAGED_SEND (1u << 3)
#define MANAGED_RECV (1u << 4)

static int parents_by_handle(struct sim_cmd *cmd, struct sim_qp *qp, const struct ib_uverbs_ex_create_qp *in)
{
    if (!(cmd->ctx->dev->vendor->qp_types & SIM_TYPE(qp->type)) ||
        (qp->type != IB_UVERBS_QPT_RC && qp->type != IB_UVERBS_QPT_UC && qp->type != IB_UVERBS_QPT_UD))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a queue pair of type %d by this command", qp->type);
    qp->pd = sim_obj_get(cmd->ctx, in->pd_handle, SIM_PD);
    qp->scq = sim_obj_get(cmd->ctx, in->send_cq_handle, SIM_CQ);
    qp->rcq = sim_obj_get(cmd->ctx, in->recv_cq_handle, SIM_CQ);
    if (in->is_srq)
        qp->srq = sim_obj_get(cmd->ctx, in->srq_handle, SIM_SRQ);
    if (in->is_srq && (!qp->srq || qp->srq->type == IB_UVERBS_SRQT_XRC || qp->managed_recv))
        return EINVAL;
    return qp->pd && qp->scq && qp->rcq ? 0 : EINVAL;
}

int sim_qp_create_ex(struct sim_cmd *cmd, const struct ib_uverbs_ex_create_qp *in,
    struct ib_uverbs_ex_create_qp_resp *r)
{
    struct sim_context *ctx = cmd->ctx;
    uint32_t cross = ctx->dev->vendor->cross ? CROSS_CHANNEL | MANAGED_SEND | MANAGED_RECV : 0;
    struct sim_qp *qp;
    int error;

    if (in->comp_mask || in->reserved)
        return EINVAL;
    if (in->create_flags & ~(cross | IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK))
        return sim_refuse(ctx, EOPNOTSUPP, "a queue pair with flags 0x%x", in->create_flags);
    qp = sim_qp_begin(ctx, in->qp_type);
    if (!qp)
        return ENOMEM;
    qp->sig_all = in->sq_sig_all;
    qp->block_self = in->create_flags & IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
    qp->cross_master = in->create_flags & CROSS_CHANNEL;
    qp->managed_send = in->create_flags & MANAGED_SEND;
    qp->managed_recv = in->create_flags & MANAGED_RECV;
    qp->user_handle = in->user_handle;
    qp->cap = (struct ib_uverbs_qp_cap){in->max_send_wr, in->max_recv_wr, in->max_send_sge, in->max_recv_sge,
        in->max_inline_data};
    error = complete(cmd, qp, parents_by_handle(cmd, qp, in));
    if (error)
        return error;
    r->base.qp_handle = qp->obj.handle;
    r->base.qpn = qp->qpn;
    r->base.max_send_wr = qp->cap.max_send_wr;
    r->base.max_recv_wr = qp->cap.max_recv_wr;
    r->base.max_send_sge = qp->cap.max_send_sge;
    r->base.max_recv_sge = qp->cap.max_recv_sge;
    r->base.max_inline_data = qp->cap.max_inline_data;
    r->response_length = sizeof *r;
    return 0;
}
