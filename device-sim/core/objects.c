/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Contexts and the objects in them: handles, who refers to whom, creation and destruction. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

/* -- contexts ---------------------------------------------------------------------------------- */

struct sim_context *sim_context_open(struct sim_device *dev)
{
    struct sim_context *ctx;

    sim_engine_start();
    for (int i = 0; i < SIM_MAX_CONTEXTS; i++) {
        if (sim_contexts[i])
            continue;
        ctx = calloc(1, sizeof *ctx);
        if (!ctx)
            return NULL;
        ctx->descriptors = 1;
        ctx->dev = dev;
        ctx->hw = calloc(1, dev->vendor->ctx_hw_size);
        sim_contexts[i] = ctx;
        if (i >= sim_n_contexts)
            sim_n_contexts = i + 1;
        return ctx;
    }
    return NULL;
}

static void drop_all(struct sim_context *ctx, enum sim_type type)
{
    for (uint32_t h = 0; h < ctx->n_objs; h++)
        if (ctx->obj[h] && ctx->obj[h]->type == type)
            sim_obj_drop(ctx->obj[h]);
}

void sim_context_close(struct sim_context *ctx)
{
    /* As when a process ends: queue pairs first, then what they used. */
    static const enum sim_type order[] = {SIM_QP, SIM_TABLE, SIM_WQ, SIM_COUNTERS, SIM_MATCHER, SIM_FLOW_ACTION,
        SIM_ANCHOR, SIM_COUNTER, SIM_SRQ, SIM_CQ, SIM_MW, SIM_MR, SIM_DM, SIM_AH, SIM_XRCD, SIM_VENDOR_OBJECT,
            SIM_PACING, SIM_PD};

    sim_messages_end(ctx);
    sim_watch_end_all(ctx);
    drop_all(ctx, SIM_RULE); /* which have others' objects */
    if (ctx->ready && ctx->dev->vendor->free_objects)
        ctx->dev->vendor->free_objects(ctx);
    for (unsigned t = 0; t < sizeof order / sizeof *order; t++)
        drop_all(ctx, order[t]);
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_contexts[i] == ctx)
            sim_contexts[i] = NULL;
    if (ctx->ready)
        ctx->dev->vendor->free_context(ctx);
    /* Channels live until their descriptors are closed. */
    for (uint32_t i = 0; i < ctx->n_channels; i++)
        if (ctx->channel[i])
            ctx->channel[i]->ctx = NULL;
    free(ctx->channel);
    free(ctx->obj);
    free(ctx->hw);
    free(ctx);
}

/*
 * A child of fork has copies of its parent's contexts. Of memory it may do with them what it likes; their queues are in memory
 * and registers that the parent has, too, and the parent's devices look at. What it opens itself is all its own.
 */
void sim_contexts_forked(void)
{
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_contexts[i])
            sim_contexts[i]->inherited = true;
    for (int d = 0; d < SIM_MAX_DEVICES; d++)
        for (uint32_t i = 0; i < sim_devices[d].n_qps; i++)
            sim_devices[d].qp[i] = NULL;
}

/* -- handles ----------------------------------------------------------------------------------- */

void *sim_obj_new(struct sim_context *ctx, enum sim_type type, size_t size)
{
    struct sim_obj *obj = calloc(1, size);
    uint32_t h = 1; /* zero would hide a forgotten handle */

    if (!obj)
        return NULL;
    while (h < ctx->n_objs && ctx->obj[h])
        h++;
    if (h >= ctx->n_objs) {
        uint32_t n = ctx->n_objs ? 2 * ctx->n_objs : 64;
        struct sim_obj **grown = realloc(ctx->obj, n * sizeof *grown);

        if (!grown) {
            free(obj);
            return NULL;
        }
        memset(grown + ctx->n_objs, 0, (n - ctx->n_objs) * sizeof *grown);
        ctx->obj = grown;
        ctx->n_objs = n;
    }
    ctx->obj[h] = obj;
    obj->type = type;
    obj->handle = h;
    obj->ctx = ctx;
    return obj;
}

void *sim_obj_get(struct sim_context *ctx, uint32_t handle, enum sim_type type)
{
    struct sim_obj *obj = handle < ctx->n_objs ? ctx->obj[handle] : NULL;

    return obj && obj->type == type ? obj : NULL;
}

static void forget(struct sim_obj *obj)
{
    obj->ctx->obj[obj->handle] = NULL;
    free(obj);
}

static void unuse(struct sim_obj *obj)
{
    if (obj)
        obj->users--;
}

static void use(struct sim_obj *obj)
{
    if (obj)
        obj->users++;
}

#define OBJ(x) ((x) ? &(x)->obj : NULL)

void sim_obj_drop(struct sim_obj *obj)
{
    struct sim_device *dev = obj->ctx->dev;

    switch (obj->type) {
    case SIM_MR:
    case SIM_MW: {
        struct sim_mr *mr = (struct sim_mr *)obj;

        if (mr->mkey)
            sim_mkey_free(dev, mr->mkey);
        unuse(mr->of);
        if (mr->mapped)
            munmap(mr->mapped, mr->mapped_size);
        break;
    }
    case SIM_COUNTER:
        dev->vendor->free_counter(obj);
        break;
    case SIM_RULE:
        sim_rule_drop((struct sim_rule *)obj);
        break;
    case SIM_WQ:
        sim_wq_drop((struct sim_wq *)obj);
        break;
    case SIM_TABLE:
        sim_table_drop((struct sim_table *)obj);
        break;
    case SIM_DM:
        sim_dm_drop((struct sim_dm *)obj);
        break;
    case SIM_AH:
        if (dev->vendor->free_ah)
            dev->vendor->free_ah((struct sim_ah *)obj);
        unuse(OBJ(((struct sim_ah *)obj)->pd));
        break;
    case SIM_CQ:
        if (dev->vendor->free_cq && ((struct sim_cq *)obj)->hw)
            dev->vendor->free_cq((struct sim_cq *)obj);
        free(((struct sim_cq *)obj)->hw);
        break;
    case SIM_SRQ: {
        struct sim_srq *srq = (struct sim_srq *)obj;

        if (dev->vendor->free_srq && srq->hw)
            dev->vendor->free_srq(srq);
        unuse(OBJ(srq->pd));
        unuse(OBJ(srq->cq));
        unuse(OBJ(srq->xrcd));
        free(srq->hw);
        break;
    }
    case SIM_QP: {
        struct sim_qp *qp = (struct sim_qp *)obj;

        for (uint32_t i = 0; i < dev->n_qps; i++)
            if (dev->qp[i] == qp)
                dev->qp[i] = NULL;
        while (qp->groups)
            sim_detach(qp, qp->groups->gid, qp->groups->lid);
        unuse(OBJ(qp->pd));
        unuse(OBJ(qp->scq));
        unuse(OBJ(qp->rcq));
        unuse(OBJ(qp->srq));
        unuse(OBJ(qp->xrcd));
        unuse(OBJ(qp->table));
        free(qp->rss);
        sim_forget_flows(qp);
        free(qp->failed_stream);
        if (dev->vendor->free_qp && qp->hw)
            dev->vendor->free_qp(qp);
        free(qp->hw);
        break;
    }
    default:
        break;
    }
    forget(obj);
}

int sim_obj_destroy(struct sim_obj *obj)
{
    if (obj->users)
        return EBUSY;
    sim_obj_drop(obj);
    return 0;
}

/* How many events of an object the process was given; those that it did not read are taken back. */
static uint32_t reported(uint32_t put, struct sim_channel *ch, uint64_t element)
{
    return put ? put - sim_take_back(ch, element) : 0;
}

/* -- completion queues ------------------------------------------------------------------------- */

/* Newer than the headers this may be built with. */
enum { CREATE_CQ_BUFFER_VA = 8, CREATE_CQ_BUFFER_FD = 10 };

int sim_cq_create(struct sim_cmd *cmd)
{
    struct sim_context *ctx = cmd->ctx;
    uint32_t cqe = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_CQE, 0);
    struct ib_uverbs_attr *channel = sim_attr(cmd, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
    struct sim_channel *ch = NULL;
    struct sim_cq *cq;
    int error;

    if (!cqe || sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0) != 0)
        return EINVAL;
    if ((sim_attr(cmd, CREATE_CQ_BUFFER_VA) || sim_attr(cmd, CREATE_CQ_BUFFER_FD)) && !ctx->dev->vendor->cq_in_memory)
        return EOPNOTSUPP;
    if (sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_FLAGS, 0) &
        ~(uint64_t)(IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION | IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN))
        return sim_refuse(ctx, EOPNOTSUPP, "a completion queue with flags that are not known");
    if (channel) {
        ch = sim_fd_get((int)channel->data_s64, SIM_FD_CHANNEL);
        if (!ch || ch->async || ch->ctx != ctx)
            return EBADF;
    }
    cq = sim_obj_new(ctx, SIM_CQ, sizeof *cq);
    if (!cq)
        return ENOMEM;
    cq->cqn = ++ctx->dev->next_number;
    cq->user_handle = sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 0);
    cq->hw = calloc(1, ctx->dev->vendor->cq_hw_size);
    error = sim_async_wanted(cmd, UVERBS_ATTR_CREATE_CQ_EVENT_FD, &cq->async);
    if (!error)
        error = cq->hw ? ctx->dev->vendor->create_cq(cmd, cq, &cqe) : ENOMEM;
    if (error) {
        sim_obj_drop(&cq->obj);
        return error;
    }
    cq->channel = ch;
    sim_out(cmd, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &cqe, sizeof cqe);
    sim_out_obj(cmd, UVERBS_ATTR_CREATE_CQ_HANDLE, &cq->obj);
    return 0;
}

/* What was rung before a command is in order before it; afterwards the number may be another's. */
static void look_before(struct sim_context *ctx)
{
    if (ctx->ready && !ctx->inherited)
        ctx->dev->vendor->look_at_doorbells(ctx);
}

int sim_cq_destroy(struct sim_cmd *cmd)
{
    struct sim_cq *cq = sim_in_obj(cmd, UVERBS_ATTR_DESTROY_CQ_HANDLE, SIM_CQ);
    struct ib_uverbs_destroy_cq_resp r = {0};

    if (!cq)
        return EINVAL;
    if (cq->obj.users)
        return EBUSY;
    look_before(cmd->ctx);
    /* libibverbs waits until the process has acknowledged as many. */
    r.comp_events_reported = reported(cq->comp_events, cq->channel, cq->user_handle);
    r.async_events_reported = reported(cq->async_events, cq->async ? cq->async : cmd->ctx->async, cq->user_handle);
    sim_out(cmd, UVERBS_ATTR_DESTROY_CQ_RESP, &r, sizeof r);
    return sim_obj_destroy(&cq->obj);
}

/* -- queue pairs ------------------------------------------------------------------------------- */

struct sim_qp *sim_qp_find(struct sim_device *dev, uint32_t qpn)
{
    uint32_t i = qpn - sim_first_qpn();

    return i < dev->n_qps ? dev->qp[i] : NULL;
}

void sim_wake(const struct sim_qp *qp)
{
    uint32_t i = qp->qpn - sim_first_qpn();

    qp->obj.ctx->dev->awake[i / 64] |= 1ull << i % 64;
}

int sim_qp_destroy(struct sim_cmd *cmd)
{
    struct sim_qp *qp = sim_in_obj(cmd, UVERBS_ATTR_DESTROY_QP_HANDLE, SIM_QP);
    struct ib_uverbs_destroy_qp_resp r = {0};

    if (!qp)
        return EINVAL;
    if (qp->opens) {
        qp->opens--;
        sim_out(cmd, UVERBS_ATTR_DESTROY_QP_RESP, &r, sizeof r);
        return 0;
    }
    if (qp->obj.users)
        return EBUSY;
    look_before(cmd->ctx);
    r.events_reported = reported(qp->async_events, qp->async ? qp->async : cmd->ctx->async, qp->user_handle);
    sim_out(cmd, UVERBS_ATTR_DESTROY_QP_RESP, &r, sizeof r);
    return sim_obj_destroy(&qp->obj);
}

static struct sim_group **find_group(struct sim_qp *qp, const uint8_t *gid, uint16_t lid)
{
    struct sim_group **g = &qp->groups;

    while (*g && (memcmp((*g)->gid, gid, 16) || (*g)->lid != lid))
        g = &(*g)->next;
    return g;
}

/* On RoCE v2 an IPv4 group is the address in its usual place. */
static bool is_group(const uint8_t *gid)
{
    static const uint8_t ipv4[12] = {[10] = 0xff, [11] = 0xff};

    return gid[0] == 0xff || (!memcmp(gid, ipv4, sizeof ipv4) && gid[12] >> 4 == 0xe);
}

int sim_attach(struct sim_qp *qp, const uint8_t *gid, uint16_t lid)
{
    struct sim_group **g = find_group(qp, gid, lid);

    if (qp->type != IB_UVERBS_QPT_UD || !is_group(gid))
        return EINVAL;
    if (*g)
        return 0; /* as the kernel: once is enough */
    *g = calloc(1, sizeof **g);
    if (!*g)
        return ENOMEM;
    memcpy((*g)->gid, gid, 16);
    (*g)->lid = lid;
    return 0;
}

int sim_detach(struct sim_qp *qp, const uint8_t *gid, uint16_t lid)
{
    struct sim_group **g = find_group(qp, gid, lid), *gone = *g;

    if (!gone)
        return EINVAL;
    *g = gone->next;
    free(gone);
    return 0;
}

/* -- shared receive queues --------------------------------------------------------------------- */

struct sim_srq *sim_srq_find(struct sim_device *dev, uint32_t srqn)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; ctx && ctx->dev == dev && h < ctx->n_objs; h++)
            if (ctx->obj[h] && ctx->obj[h]->type == SIM_SRQ && ((struct sim_srq *)ctx->obj[h])->srqn == srqn)
                return (struct sim_srq *)ctx->obj[h];
    }
    return NULL;
}

static int srq_parents(struct sim_cmd *cmd, struct sim_srq *srq)
{
    if (srq->type != IB_UVERBS_SRQT_BASIC && srq->type != IB_UVERBS_SRQT_XRC &&
        (srq->type != IB_UVERBS_SRQT_TM || !cmd->ctx->dev->vendor->tag_caps))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a shared receive queue of type %d", srq->type);
    srq->pd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, SIM_PD);
    if (!srq->pd)
        return EINVAL;
    if (srq->type == IB_UVERBS_SRQT_BASIC)
        return 0;
    srq->cq = sim_in_obj(cmd, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE, SIM_CQ);
    if (srq->type == IB_UVERBS_SRQT_TM)
        return srq->cq ? 0 : EINVAL;
    srq->xrcd = sim_in_obj(cmd, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE, SIM_XRCD);
    return srq->cq && srq->xrcd ? 0 : EINVAL;
}

int sim_srq_create(struct sim_cmd *cmd)
{
    struct sim_context *ctx = cmd->ctx;
    struct sim_srq *srq = sim_obj_new(ctx, SIM_SRQ, sizeof *srq);
    int error;

    if (!srq)
        return ENOMEM;
    srq->srqn = ++ctx->dev->next_number;
    srq->type = (int)sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_TYPE, 0);
    srq->user_handle = sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, 0);
    srq->max_wr = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_MAX_WR, 0);
    srq->max_sge = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, 0);
    srq->limit = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_LIMIT, 0);
    srq->max_tags = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS, 0);
    srq->hw = calloc(1, ctx->dev->vendor->srq_hw_size);
    error = srq->hw ? srq_parents(cmd, srq) : ENOMEM;
    use(OBJ(srq->pd));
    use(OBJ(srq->cq));
    use(OBJ(srq->xrcd));
    if (!error)
        error = sim_async_wanted(cmd, UVERBS_ATTR_CREATE_SRQ_EVENT_FD, &srq->async);
    if (!error)
        error = ctx->dev->vendor->create_srq(cmd, srq);
    if (error) {
        sim_obj_drop(&srq->obj);
        return error;
    }
    sim_out(cmd, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &srq->max_wr, sizeof srq->max_wr);
    sim_out(cmd, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &srq->max_sge, sizeof srq->max_sge);
    sim_out(cmd, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &srq->srqn, sizeof srq->srqn);
    sim_out_obj(cmd, UVERBS_ATTR_CREATE_SRQ_HANDLE, &srq->obj);
    return 0;
}

int sim_srq_destroy(struct sim_cmd *cmd)
{
    struct sim_srq *srq = sim_in_obj(cmd, UVERBS_ATTR_DESTROY_SRQ_HANDLE, SIM_SRQ);
    struct ib_uverbs_destroy_srq_resp r = {0};

    if (!srq)
        return EINVAL;
    if (srq->obj.users)
        return EBUSY;
    r.events_reported = reported(srq->async_events, srq->async ? srq->async : cmd->ctx->async, srq->user_handle);
    sim_out(cmd, UVERBS_ATTR_DESTROY_SRQ_RESP, &r, sizeof r);
    return sim_obj_destroy(&srq->obj);
}
