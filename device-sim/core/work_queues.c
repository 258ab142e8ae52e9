/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Work queues, which receive for queue pairs that spread frames, and the tables that say which of them has its turn. */
#include <errno.h>
#include <stdlib.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

#define WQ_FLAGS (IBV_WQ_FLAGS_CVLAN_STRIPPING | IBV_WQ_FLAGS_SCATTER_FCS)

/* -- work queues: by the method that libibverbs takes, or by the old command ------------------- */

/* What either form says. */
struct making {
    uint32_t type, max_wr, max_sge, flags;
    struct sim_pd *pd;
    struct sim_cq *cq;
    uint64_t user_handle;
};

static int parents(struct sim_wq *wq, const struct making *in)
{
    if (in->type != IBV_WQT_RQ || !in->pd || !in->cq)
        return EINVAL;
    wq->pd = in->pd;
    wq->cq = in->cq;
    wq->pd->obj.users++;
    wq->cq->obj.users++;
    return 0;
}

static int make(struct sim_cmd *cmd, const struct making *in, struct sim_wq **made)
{
    struct sim_device *dev = cmd->ctx->dev;
    struct sim_wq *wq;
    int error;

    if (!sim_has_frames(dev))
        return EOPNOTSUPP;
    if (in->flags & ~(uint32_t)WQ_FLAGS)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a work queue with flags 0x%x", in->flags);
    if (!in->max_wr || in->max_wr > 32768 || in->max_sge > 31)
        return EINVAL;
    wq = sim_obj_new(cmd->ctx, SIM_WQ, sizeof *wq);
    if (!wq)
        return ENOMEM;
    dev->n_wqs++;
    wq->wqn = ++dev->next_number;
    wq->user_handle = in->user_handle;
    wq->max_wr = in->max_wr;
    wq->max_sge = in->max_sge;
    wq->strip_vlan = in->flags & IBV_WQ_FLAGS_CVLAN_STRIPPING;
    wq->with_crc = in->flags & IBV_WQ_FLAGS_SCATTER_FCS;
    wq->hw = calloc(1, dev->vendor->wq_hw_size);
    error = wq->hw ? parents(wq, in) : ENOMEM;
    if (!error)
        error = dev->vendor->create_wq(cmd, wq);
    if (error)
        sim_obj_drop(&wq->obj);
    else
        *made = wq;
    return error;
}

int sim_wq_create(struct sim_cmd *cmd)
{
    struct making in = {
        .type = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_WQ_TYPE, 0),
        .pd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_WQ_PD_HANDLE, SIM_PD),
        .cq = sim_in_obj(cmd, UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, SIM_CQ),
        .max_wr = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_WQ_MAX_WR, 0),
        .max_sge = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_WQ_MAX_SGE, 0),
        .flags = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_WQ_FLAGS, 0),
        .user_handle = sim_in_u64(cmd, UVERBS_ATTR_CREATE_WQ_USER_HANDLE, 0),
    };
    struct sim_channel *channel = NULL;
    struct sim_wq *wq;
    int error = sim_async_wanted(cmd, UVERBS_ATTR_CREATE_WQ_EVENT_FD, &channel);

    if (!error)
        error = make(cmd, &in, &wq);
    if (error)
        return error;
    wq->async = channel;
    sim_out(cmd, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, &wq->max_wr, sizeof wq->max_wr);
    sim_out(cmd, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, &wq->max_sge, sizeof wq->max_sge);
    sim_out(cmd, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, &wq->wqn, sizeof wq->wqn);
    sim_out_obj(cmd, UVERBS_ATTR_CREATE_WQ_HANDLE, &wq->obj);
    return 0;
}

int sim_wq_create_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_create_wq in;
    struct ib_uverbs_ex_create_wq_resp r = {.response_length = sizeof r};
    struct making how;
    struct sim_wq *wq;
    int error;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || in.comp_mask || in.reserved)
        return EINVAL;
    how = (struct making){.type = in.wq_type, .pd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_PD),
        .cq = sim_obj_get(cmd->ctx, in.cq_handle, SIM_CQ), .max_wr = in.max_wr, .max_sge = in.max_sge,
        .flags = in.create_flags, .user_handle = in.user_handle};
    error = make(cmd, &how, &wq);
    if (error)
        return error;
    r.wq_handle = wq->obj.handle;
    r.max_wr = wq->max_wr;
    r.max_sge = wq->max_sge;
    r.wqn = wq->wqn;
    sim_out(cmd, UVERBS_ATTR_CORE_OUT, &r, sizeof r);
    return 0;
}

static bool may_become(int from, int to)
{
    switch (to) {
    case IBV_WQS_RESET: return true;
    case IBV_WQS_RDY: return from != IBV_WQS_ERR;
    default: return from == IBV_WQS_RDY || from == to;
    }
}

int sim_wq_modify_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_modify_wq in;
    struct sim_wq *wq;
    int from, to;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || !in.attr_mask ||
        in.attr_mask & ~(uint32_t)(IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE | IBV_WQ_ATTR_FLAGS))
        return EINVAL;
    wq = sim_obj_get(cmd->ctx, in.wq_handle, SIM_WQ);
    if (!wq)
        return EINVAL;
    from = in.attr_mask & IBV_WQ_ATTR_CURR_STATE ? (int)in.curr_wq_state : wq->state;
    to = in.attr_mask & IBV_WQ_ATTR_STATE ? (int)in.wq_state : wq->state;
    if (from != wq->state || to < 0 || to > IBV_WQS_ERR || !may_become(from, to))
        return EINVAL;
    if (in.attr_mask & IBV_WQ_ATTR_FLAGS) {
        if (in.flags_mask & ~(uint32_t)IBV_WQ_FLAGS_CVLAN_STRIPPING)
            return EOPNOTSUPP; /* no other flag can be changed */
        if (in.flags_mask)
            wq->strip_vlan = in.flags & IBV_WQ_FLAGS_CVLAN_STRIPPING;
    }
    if (to == IBV_WQS_RDY && from == IBV_WQS_RESET)
        cmd->ctx->dev->vendor->reset_wq(wq);
    wq->state = to;
    return 0;
}

static int destroy_wq(struct sim_wq *wq, uint32_t *events)
{
    if (!wq)
        return EINVAL;
    if (wq->obj.users)
        return EBUSY;
    *events = wq->async_events - sim_take_back(wq->async ? wq->async : wq->obj.ctx->async, wq->user_handle);
    sim_obj_drop(&wq->obj);
    return 0;
}

int sim_wq_destroy(struct sim_cmd *cmd)
{
    uint32_t events = 0;
    int error = destroy_wq(sim_in_obj(cmd, UVERBS_ATTR_DESTROY_WQ_HANDLE, SIM_WQ), &events);

    if (!error)
        sim_out(cmd, UVERBS_ATTR_DESTROY_WQ_RESP, &events, sizeof events);
    return error;
}

int sim_wq_destroy_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_destroy_wq in;
    struct ib_uverbs_ex_destroy_wq_resp r = {.response_length = sizeof r};
    int error;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || in.comp_mask)
        return EINVAL;
    error = destroy_wq(sim_obj_get(cmd->ctx, in.wq_handle, SIM_WQ), &r.events_reported);
    if (!error)
        sim_out(cmd, UVERBS_ATTR_CORE_OUT, &r, sizeof r);
    return error;
}

void sim_wq_drop(struct sim_wq *wq)
{
    wq->obj.ctx->dev->n_wqs--;
    if (wq->pd)
        wq->pd->obj.users--;
    if (wq->cq)
        wq->cq->obj.users--;
    free(wq->hw);
}

/* -- errors ------------------------------------------------------------------------------------ */

void sim_wq_to_error(struct sim_wq *wq)
{
    wq->state = IBV_WQS_ERR;
    sim_async_wq(wq, IBV_EVENT_WQ_FATAL);
}

static bool flush(struct sim_wq *wq)
{
    struct sim_arrival a = {.wq = wq};
    struct sim_completion c = {.responder = true, .status = IBV_WC_WR_FLUSH_ERR, .arrival = &a};

    if (wq->obj.ctx->dev->vendor->next_wq_recv(wq, &wq->recv) <= 0)
        return false;
    c.index = wq->recv.index;
    sim_complete(wq->cq, &c);
    return true;
}

bool sim_wq_step(struct sim_device *dev)
{
    for (int i = 0; dev->n_wqs && i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; sim_is_live(ctx) && ctx->dev == dev && h < ctx->n_objs; h++) {
            struct sim_wq *wq = sim_obj_get(ctx, h, SIM_WQ);

            if (wq && wq->state == IBV_WQS_ERR && flush(wq))
                return true;
        }
    }
    return false;
}

/* -- tables ------------------------------------------------------------------------------------ */

int sim_table_create_ex(struct sim_cmd *cmd)
{
    struct {
        struct ib_uverbs_ex_create_rwq_ind_table head;
        uint32_t wq[1 << SIM_LOG_TABLE];
    } in;
    const struct ib_uverbs_attr *a = sim_attr(cmd, UVERBS_ATTR_CORE_IN);
    struct ib_uverbs_ex_create_rwq_ind_table_resp r = {.response_length = sizeof r};
    struct sim_table *t;
    unsigned n;

    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || in.head.comp_mask ||
        in.head.log_ind_tbl_size > SIM_LOG_TABLE)
        return EINVAL;
    n = 1u << in.head.log_ind_tbl_size;
    if (a->len < sizeof in.head + n * sizeof *in.wq)
        return EINVAL;
    for (unsigned i = 0; i < n; i++)
        if (!sim_obj_get(cmd->ctx, in.wq[i], SIM_WQ))
            return EINVAL;
    t = sim_obj_new(cmd->ctx, SIM_TABLE, sizeof *t + n * sizeof *t->wq);
    if (!t)
        return ENOMEM;
    t->number = ++cmd->ctx->dev->next_number;
    t->n = n;
    for (unsigned i = 0; i < n; i++) {
        t->wq[i] = sim_obj_get(cmd->ctx, in.wq[i], SIM_WQ);
        t->wq[i]->obj.users++;
    }
    r.ind_tbl_handle = t->obj.handle;
    r.ind_tbl_num = t->number;
    sim_out(cmd, UVERBS_ATTR_CORE_OUT, &r, sizeof r);
    return 0;
}

int sim_table_destroy_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_destroy_rwq_ind_table in;
    struct sim_table *t;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || in.comp_mask)
        return EINVAL;
    t = sim_obj_get(cmd->ctx, in.ind_tbl_handle, SIM_TABLE);
    return t ? sim_obj_destroy(&t->obj) : EINVAL;
}

void sim_table_drop(struct sim_table *t)
{
    for (unsigned i = 0; i < t->n; i++)
        t->wq[i]->obj.users--;
}
