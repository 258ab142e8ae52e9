/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The states of a queue pair: which changes there are, what each must and may bring along. */
#include <errno.h>
#include <string.h>

#include "sim.h"

#define PATH (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define REQUESTER (IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC)
#define RESPONDER (IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define START (IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define WHILE_RUNNING (IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE | \
    IBV_QP_MIN_RNR_TIMER)
#define DRAINED (WHILE_RUNNING | IBV_QP_PORT | IBV_QP_AV | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | \
    IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_PKEY_INDEX)

enum { RC = 1, UC = 2, UD = 4, INI = 8, TGT = 16, SRD = 32, ANY = 63, DCI = 64, DCT = 128, RAW = 256 };

static const struct {
    int types, from, to;
    int must, may;
} changes[] = {
    {RC | UC | INI | TGT, IBV_QPS_RESET, IBV_QPS_INIT, START | IBV_QP_ACCESS_FLAGS, 0},
    {UD | SRD, IBV_QPS_RESET, IBV_QPS_INIT, START | IBV_QP_QKEY, 0},
    {RC | UC | INI | TGT, IBV_QPS_INIT, IBV_QPS_INIT, 0, START | IBV_QP_ACCESS_FLAGS},
    {UD | SRD, IBV_QPS_INIT, IBV_QPS_INIT, 0, START | IBV_QP_QKEY},
    {RC | TGT, IBV_QPS_INIT, IBV_QPS_RTR, PATH | RESPONDER, IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {UC | INI, IBV_QPS_INIT, IBV_QPS_RTR, PATH, IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {UD | SRD, IBV_QPS_INIT, IBV_QPS_RTR, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY},
    {RC | INI, IBV_QPS_RTR, IBV_QPS_RTS, REQUESTER, WHILE_RUNNING},
    {UC, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, WHILE_RUNNING},
    {TGT, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_TIMEOUT | IBV_QP_SQ_PSN, WHILE_RUNNING},
    {UD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | IBV_QP_QKEY},
    {RC | UC | INI | TGT, IBV_QPS_RTS, IBV_QPS_RTS, 0, WHILE_RUNNING},
    {SRD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | IBV_QP_QKEY | IBV_QP_RNR_RETRY},
    {UD | SRD, IBV_QPS_RTS, IBV_QPS_RTS, 0, IBV_QP_CUR_STATE | IBV_QP_QKEY},
    /* As the mlx5 driver of the kernel has them. */
    {DCI, IBV_QPS_RESET, IBV_QPS_INIT, START, 0},
    {DCI, IBV_QPS_INIT, IBV_QPS_INIT, 0, START},
    {DCI, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QP_PATH_MTU, IBV_QP_PKEY_INDEX | IBV_QP_AV},
    {DCI, IBV_QPS_RTR, IBV_QPS_RTS, REQUESTER, IBV_QP_MIN_RNR_TIMER},
    {DCI, IBV_QPS_RTS, IBV_QPS_RTS, 0, IBV_QP_MIN_RNR_TIMER},
    {DCT, IBV_QPS_RESET, IBV_QPS_INIT, START | IBV_QP_ACCESS_FLAGS, 0},
    {DCT, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU, 0},
    {RAW, IBV_QPS_RESET, IBV_QPS_INIT, IBV_QP_PORT, 0},
    {RAW, IBV_QPS_INIT, IBV_QPS_RTR, 0, 0},
    {RAW, IBV_QPS_RTR, IBV_QPS_RTS, 0, 0},
    {RAW, IBV_QPS_RTS, IBV_QPS_RTS, 0, 0},
    {ANY, IBV_QPS_RTS, IBV_QPS_SQD, 0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
    {RC | UC | INI | TGT, IBV_QPS_SQD, IBV_QPS_RTS, 0, WHILE_RUNNING},
    {UD | SRD, IBV_QPS_SQD, IBV_QPS_RTS, 0, IBV_QP_CUR_STATE | IBV_QP_QKEY},
    {RC | UC | INI | TGT, IBV_QPS_SQD, IBV_QPS_SQD, 0, DRAINED},
    {UD | SRD, IBV_QPS_SQD, IBV_QPS_SQD, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY},
    {UC, IBV_QPS_SQE, IBV_QPS_RTS, 0, IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS},
    {UD | SRD, IBV_QPS_SQE, IBV_QPS_RTS, 0, IBV_QP_CUR_STATE | IBV_QP_QKEY},
};

static int type_bit(const struct sim_qp *qp)
{
    switch (qp->type) {
    case IB_UVERBS_QPT_RC: return RC;
    case IB_UVERBS_QPT_UC: return UC;
    case IB_UVERBS_QPT_UD: return UD;
    case IB_UVERBS_QPT_XRC_INI: return INI;
    case IB_UVERBS_QPT_RAW_PACKET: return RAW;
    case IB_UVERBS_QPT_DRIVER: return qp->dc == SIM_NO_DC ? SRD : qp->dc == SIM_DC_TARGET ? DCT : DCI;
    default: return TGT;
    }
}

static bool allowed(const struct sim_qp *qp, int to, int mask)
{
    int given = mask & ~IBV_QP_STATE;

    if (sim_unordered(qp) && to == IBV_QPS_ERR && qp->state == IBV_QPS_RESET)
        return false;
    if (to == IBV_QPS_RESET || to == IBV_QPS_ERR)
        return !given && qp->dc != SIM_DC_TARGET && !(qp->dc && to == IBV_QPS_ERR && qp->state == IBV_QPS_RESET);
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i].types & type_bit(qp) && changes[i].from == qp->state && changes[i].to == to)
            return (given & changes[i].must) == changes[i].must && !(given & ~(changes[i].must | changes[i].may));
    return false;
}

static bool good_values(const struct sim_qp *qp, const struct ib_uverbs_modify_qp *to)
{
    const struct sim_device *dev = qp->obj.ctx->dev;
    int mask = (int)to->attr_mask;

    if (mask & IBV_QP_PORT && (to->port_num < 1 || to->port_num > dev->n_ports))
        return false;
    if (mask & IBV_QP_PKEY_INDEX && to->pkey_index && !dev->vendor->own_fabric) /* whose driver has a word of its own */
        return false;
    if (mask & IBV_QP_PATH_MTU && !(dev->vendor->mtu_8192 && (!to->path_mtu || to->path_mtu == IBV_MTU_4096 + 1)) &&
        (to->path_mtu < IBV_MTU_256 || to->path_mtu > IBV_MTU_4096))
        return false;
    if (mask & IBV_QP_AV) {
        if (to->dest.port_num && to->dest.port_num > dev->n_ports)
            return false;
        if (to->dest.is_global && to->dest.sgid_index >= dev->n_gids)
            return false;
        if (!to->dest.is_global && dev->link_layer != IBV_LINK_LAYER_INFINIBAND)
            return false; /* nothing else has LIDs */
    }
    if (mask & IBV_QP_MAX_QP_RD_ATOMIC && to->max_rd_atomic > 16)
        return false;
    if (mask & IBV_QP_MAX_DEST_RD_ATOMIC && to->max_dest_rd_atomic > 16)
        return false;
    return !(mask & IBV_QP_CUR_STATE) || to->cur_qp_state == qp->state;
}

static void merge(struct sim_qp *qp, const struct ib_uverbs_modify_qp *to)
{
    struct ib_uverbs_modify_qp *a = &qp->attr;
    int mask = (int)to->attr_mask;

#define TAKE(bit, field) do { if (mask & (bit)) a->field = to->field; } while (0)
    TAKE(IBV_QP_EN_SQD_ASYNC_NOTIFY, en_sqd_async_notify);
    TAKE(IBV_QP_ACCESS_FLAGS, qp_access_flags);
    TAKE(IBV_QP_PKEY_INDEX, pkey_index);
    TAKE(IBV_QP_PORT, port_num);
    TAKE(IBV_QP_QKEY, qkey);
    TAKE(IBV_QP_AV, dest);
    TAKE(IBV_QP_PATH_MTU, path_mtu);
    TAKE(IBV_QP_TIMEOUT, timeout);
    TAKE(IBV_QP_RETRY_CNT, retry_cnt);
    TAKE(IBV_QP_RNR_RETRY, rnr_retry);
    TAKE(IBV_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
    TAKE(IBV_QP_MIN_RNR_TIMER, min_rnr_timer);
    TAKE(IBV_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
    TAKE(IBV_QP_DEST_QPN, dest_qp_num);
    TAKE(IBV_QP_PATH_MIG_STATE, path_mig_state);
    TAKE(IBV_QP_ALT_PATH, alt_dest);
    TAKE(IBV_QP_ALT_PATH, alt_port_num);
    TAKE(IBV_QP_ALT_PATH, alt_timeout);
    TAKE(IBV_QP_ALT_PATH, alt_pkey_index);
#undef TAKE
    if (mask & IBV_QP_RQ_PSN)
        qp->epsn = to->rq_psn & 0xffffff;
    if (mask & IBV_QP_SQ_PSN)
        qp->psn = qp->next_psn = to->sq_psn & 0xffffff;
}

void sim_qp_defaults(struct sim_qp *qp)
{
    static uint32_t lives;

    qp->dc_life = ++lives;
    qp->n_failed_streams = 0;
    memset(&qp->attr, 0, sizeof qp->attr);
    if (qp->type != IB_UVERBS_QPT_DRIVER || qp->dc)
        return;
    /* What others are told when they are connected, the device of SRD knows by itself. */
    qp->attr.timeout = 10; /* 4 ms: what comes twice must come before it is forgotten */
    qp->attr.retry_cnt = 7;
    qp->attr.rnr_retry = 7;
    qp->attr.min_rnr_timer = 12; /* 0.64 ms */
}

static void restart(struct sim_qp *qp)
{
    /* a doorbell that was rung before is for the queue as it was */
    qp->obj.ctx->dev->vendor->look_at_doorbells(qp->obj.ctx);
    sim_qp_defaults(qp);
    sim_forget_flows(qp);
    qp->active = qp->waiting = qp->receiving = false;
    qp->last_wqe_told = qp->comm_est_told = qp->draining = false;
    qp->psn = qp->epsn = qp->rate = 0;
    qp->obj.ctx->dev->vendor->reset_qp(qp);
}

int sim_qp_modify(struct sim_qp *qp, const struct ib_uverbs_modify_qp *to)
{
    int mask = (int)to->attr_mask;
    int state = mask & IBV_QP_STATE ? to->qp_state : qp->state;
    int (*refuses)(const struct sim_qp *, const struct ib_uverbs_modify_qp *, bool) = qp->obj.ctx->dev->vendor->refuses;
    int error = qp->table ? EOPNOTSUPP : refuses ? refuses(qp, to, false) : 0;

    if (error)
        return error;
    if (!allowed(qp, state, mask) || !good_values(qp, to))
        return EINVAL;
    error = refuses ? refuses(qp, to, true) : 0;
    if (error)
        return error;
    if (state == IBV_QPS_RESET)
        restart(qp);
    merge(qp, to);
    if (state == IBV_QPS_ERR)
        sim_qp_to_error(qp);
    qp->draining = state == IBV_QPS_SQD && qp->state == IBV_QPS_RTS;
    qp->state = state;
    sim_wake(qp);
    return 0;
}

void sim_qp_to_error(struct sim_qp *qp)
{
    qp->state = IBV_QPS_ERR;
    sim_wake(qp);
    qp->waiting = false;
}
