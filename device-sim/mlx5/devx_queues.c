/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues that are made by DevX: receive memory pools, queue pairs of RC and DC initiators, DC targets; and the steps of a queue
 * pair to where it sends, also of one of the verbs'. They work as those of the verbs do; their rings and doorbell records lie in
 * umems; their completion queues are DevX's or the verbs'.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devx.h"

#define QPC 0xc0
#define RMPC 0x100
#define WQ (RMPC + 0x180) /* the work queue in a receive memory pool */
#define DCTC 0x80
#define PATH (QPC + 0xc0)
#define SERVICE_RC 0
#define SERVICE_DCI 5
#define OPT_RRE (1u << 1)
#define OPT_RAE (1u << 2)
#define OPT_RWE (1u << 3)

static uint32_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return (uint32_t)devx_get(c->in, at, width);
}

/* `size` bytes of a umem that the device may write, or NULL and the command is refused. */
static uint8_t *memory(struct devx_call *c, unsigned id_at, uint64_t offset, uint64_t size, struct devx_object **umem)
{
    *umem = devx_find(c->ctx, OP_CREATE_UMEM, in(c, id_at, 32));
    if (!*umem)
        devx_refuse(c, DEVX_BAD_RES, id_at, 32, "there is no umem 0x%x", in(c, id_at, 32));
    else if (offset > (*umem)->length || size > (*umem)->length - offset)
        devx_refuse(c, DEVX_BAD_PARAM, id_at, 32, "%llu bytes from %llu are not in the umem, which has %llu",
            (unsigned long long)size, (unsigned long long)offset, (unsigned long long)(*umem)->length);
    else
        return (uint8_t *)(uintptr_t)((*umem)->addr + offset);
    return NULL;
}

static struct sim_cq *find_cq(struct devx_call *c, unsigned at)
{
    for (uint32_t h = 0; h < c->ctx->n_objs; h++) {
        struct sim_cq *cq = sim_obj_get(c->ctx, h, SIM_CQ);

        if (cq && cq->cqn == in(c, at, 24))
            return cq;
    }
    devx_refuse(c, DEVX_BAD_RES, at, 24, "there is no completion queue 0x%x", in(c, at, 24));
    return NULL;
}

static struct sim_srq *find_srq(struct devx_call *c, unsigned at)
{
    struct sim_srq *srq = sim_srq_find(c->ctx->dev, in(c, at, 24));

    if (srq && srq->obj.ctx == c->ctx && srq->type == IB_UVERBS_SRQT_BASIC)
        return srq;
    devx_refuse(c, DEVX_BAD_RES, at, 24, "there is no shared receive queue 0x%x", in(c, at, 24));
    return NULL;
}

static struct sim_pd *find_pd(struct devx_call *c, unsigned at, struct devx_object **devx)
{
    struct sim_pd *pd = devx_find_pd(c, in(c, at, 24), devx);

    if (!pd)
        devx_refuse(c, DEVX_BAD_RES, at, 24, "there is no protection domain 0x%x", in(c, at, 24));
    return pd;
}

/* -- receive memory pools ---------------------------------------------------------------------- */

enum { LIST, CYCLIC };

int devx_create_rmp(struct devx_call *c)
{
    unsigned type = in(c, WQ, 4), shift = in(c, WQ + 0x10c, 4), log_size = in(c, WQ + 0x11b, 5);
    struct devx_object *uses[3] = {NULL}, *o;
    struct sim_pd *pd = find_pd(c, WQ + 0x48, &uses[0]);
    struct mlx5_srq *h;
    uint8_t *ring, *record;

    if (!pd)
        return EREMOTEIO;
    if (in(c, RMPC + 8, 4) != 1)
        return devx_refuse(c, DEVX_BAD_PARAM, RMPC + 8, 4, "a receive memory pool begins ready, which is state 1");
    if (type > CYCLIC || in(c, RMPC + 0x20, 1))
        return devx_refuse(c, DEVX_BAD_PARAM, WQ, 4, "work queues of type %u are not simulated", type);
    if (log_size > 15)
        return devx_refuse(c, DEVX_BAD_PARAM, WQ + 0x11b, 5, "2^%u receives are too many", log_size);
    if (shift < 5 || shift > 10)
        return devx_refuse(c, DEVX_BAD_PARAM, WQ + 0x10c, 4, "a receive of 2^%u bytes has no place for data, or too many", shift);
    ring = memory(c, WQ + 0x160, devx_get(c->in, WQ + 0x180, 64), 1ull << (log_size + shift), &uses[1]);
    record = ring ? memory(c, WQ + 0x140, devx_get(c->in, WQ + 0x80, 64), 8, &uses[2]) : NULL;
    if (!record)
        return EREMOTEIO;
    o = devx_make(c, RMPC, 240);
    if (!o || !(o->srq = sim_obj_new(c->ctx, SIM_SRQ, sizeof *o->srq)) || !(h = o->srq->hw = calloc(1, sizeof *h)))
        return ENOMEM;
    devx_uses(o, uses);
    o->srq->silent = true;
    o->srq->type = IB_UVERBS_SRQT_BASIC;
    o->srq->pd = pd;
    pd->obj.users++;
    o->srq->srqn = o->id;
    o->srq->max_wr = (1u << log_size) - (type == LIST);
    h->buf = ring;
    h->db = (uint32_t *)(void *)record;
    h->n = 1u << log_size;
    h->shift = shift;
    h->cyclic = type == CYCLIC;
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- queue pairs ------------------------------------------------------------------------------- */

/* Its object, so far without anything; NULL: there is no memory. */
static struct sim_qp *make_qp(struct devx_object *o, int type)
{
    o->qp = sim_qp_begin(o->obj.ctx, type);
    if (o->qp)
        o->qp->silent = true;
    return o->qp;
}

static int settle(struct devx_object *o)
{
    int error = sim_qp_place(o->qp);

    o->id = o->qp->qpn;
    return error;
}

/* What it receives by: a ring of its own, which lies in front of the sends, a shared queue or nothing. */
static int receives_by(struct devx_call *c, struct mlx5_rings *r, struct sim_srq **srq)
{
    switch (in(c, QPC + 0x565, 3)) {
    case 0:
        r->rq_n = 1u << in(c, QPC + 0x49, 4);
        r->rq_shift = 4 + in(c, QPC + 0x4d, 3);
        return 0;
    case 1:
        *srq = find_srq(c, QPC + 0x568);
        return *srq ? 0 : EREMOTEIO;
    case 3:
        return 0;
    }
    return devx_refuse(c, DEVX_BAD_PARAM, QPC + 0x565, 3, "there are no such receive queues");
}

int devx_create_qp(struct devx_call *c)
{
    struct mlx5_ctx *m = c->ctx->hw;
    unsigned service = in(c, QPC + 0x08, 8);
    struct mlx5_rings r = {.uar = in(c, QPC + 0x68, 24), .uidx = in(c, QPC + 0x88, 24),
        .sq_n = in(c, QPC + 0x50, 1) ? 0 : 1u << in(c, QPC + 0x51, 4)};
    struct devx_object *uses[3] = {NULL}, *o;
    struct sim_pd *pd = find_pd(c, QPC + 0x28, &uses[0]);
    struct sim_cq *scq = pd ? find_cq(c, QPC + 0x3e8) : NULL, *rcq = scq ? find_cq(c, QPC + 0x4e8) : NULL;
    struct sim_srq *srq = NULL;
    uint8_t *record;
    uint64_t size;
    int error;

    if (!rcq)
        return EREMOTEIO;
    if (service != SERVICE_RC && service != SERVICE_DCI)
        return devx_refuse(c, DEVX_BAD_PARAM, QPC + 0x08, 8, "a queue pair of service %u is not simulated", service);
    if (r.uar >= UAR_PAGES || !m->used[r.uar])
        return devx_refuse(c, DEVX_BAD_RES, QPC + 0x68, 24, "there is no register page 0x%x", r.uar);
    if (in(c, QPC + 0x80, 2) > 1)
        return devx_refuse(c, DEVX_BAD_PARAM, QPC + 0x80, 2, "doorbell records inside of the device are not simulated");
    r.recordless = in(c, QPC + 0x80, 2);
    error = receives_by(c, &r, &srq);
    if (error)
        return error;
    size = ((uint64_t)r.rq_n << r.rq_shift) + (uint64_t)r.sq_n * MLX5_SEND_WQE_BB;
    if (size && !(r.rq = memory(c, 0x840, devx_get(c->in, 0x800, 64), size, &uses[1])))
        return EREMOTEIO;
    r.sq = r.rq + ((uint64_t)r.rq_n << r.rq_shift);
    record = memory(c, QPC + 0x720, devx_get(c->in, QPC + 0x500, 64), 8, &uses[2]);
    if (!record)
        return EREMOTEIO;
    o = devx_make(c, QPC, 232);
    if (!o || !make_qp(o, service == SERVICE_RC ? IB_UVERBS_QPT_RC : IB_UVERBS_QPT_DRIVER))
        return ENOMEM;
    devx_uses(o, uses);
    o->qp->pd = pd;
    o->qp->scq = scq;
    o->qp->rcq = rcq;
    o->qp->srq = srq;
    o->qp->dc = service == SERVICE_DCI ? SIM_DC_INITIATOR : SIM_NO_DC;
    sim_qp_defaults(o->qp);
    error = settle(o);
    if (error)
        return error;
    r.db = (uint32_t *)(void *)record;
    mlx5_put_rings(o->qp, &r);
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- targets ----------------------------------------------------------------------------------- */

static uint32_t rights(struct devx_call *c, unsigned read, unsigned write, unsigned atomic)
{
    return (in(c, read, 1) ? IB_UVERBS_ACCESS_REMOTE_READ : 0) | (in(c, write, 1) ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0)
        | (in(c, atomic, 1) ? IB_UVERBS_ACCESS_REMOTE_ATOMIC : 0);
}

/* It is ready to receive at once. */
int devx_create_dct(struct devx_call *c)
{
    struct devx_object *uses[3] = {NULL}, *o;
    struct sim_pd *pd = find_pd(c, DCTC + 0xc8, &uses[0]);
    struct sim_cq *cq = pd ? find_cq(c, DCTC + 0x48) : NULL;
    struct sim_srq *srq = cq ? find_srq(c, DCTC + 0xa8) : NULL;
    unsigned port = in(c, DCTC + 0x148, 8);
    struct ib_uverbs_modify_qp *a;
    int error;

    if (!srq)
        return EREMOTEIO;
    if (port < 1 || port > (unsigned)c->ctx->dev->n_ports)
        return devx_refuse(c, DEVX_BAD_PARAM, DCTC + 0x148, 8, "there is no port %u", port);
    if (in(c, DCTC + 0x168, 8) >= c->ctx->dev->n_gids)
        return devx_refuse(c, DEVX_BAD_PARAM, DCTC + 0x168, 8, "there is no GID %u", in(c, DCTC + 0x168, 8));
    o = devx_make(c, DCTC, 64);
    if (!o || !make_qp(o, IB_UVERBS_QPT_DRIVER))
        return ENOMEM;
    o->qp->pd = pd;
    o->qp->rcq = o->qp->scq = cq;
    o->qp->srq = srq;
    o->qp->dc = SIM_DC_TARGET;
    o->qp->dc_key = devx_get(c->in, DCTC + 0x100, 64);
    sim_qp_defaults(o->qp);
    devx_uses(o, uses);
    error = settle(o);
    if (error)
        return error;
    mlx5_put_rings(o->qp, &(struct mlx5_rings){.uar = UAR_PAGES, .uidx = in(c, DCTC + 0x28, 24)});
    a = &o->qp->attr;
    a->port_num = (uint8_t)port;
    a->path_mtu = (uint8_t)in(c, DCTC + 0x145, 3);
    a->min_rnr_timer = (uint8_t)in(c, DCTC + 0x93, 5);
    a->qp_access_flags = rights(c, DCTC + 0x6c, DCTC + 0x6d, DCTC + 0x6e);
    a->dest.sgid_index = (uint8_t)in(c, DCTC + 0x168, 8);
    o->qp->state = IBV_QPS_RTR;
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- states ------------------------------------------------------------------------------------ */

static void to_init(struct devx_call *c, const struct sim_qp *qp, struct ib_uverbs_modify_qp *to)
{
    to->attr_mask |= IBV_QP_PORT | IBV_QP_PKEY_INDEX;
    to->port_num = (uint8_t)in(c, PATH + 0x128, 8);
    to->pkey_index = (uint16_t)in(c, PATH + 0x10, 16);
    if (!qp->dc) {
        to->attr_mask |= IBV_QP_ACCESS_FLAGS;
        to->qp_access_flags = rights(c, QPC + 0x490, QPC + 0x491, QPC + 0x492);
    }
}

/* To itself, without an address: it is that of its port. */
static void loop_back(struct sim_qp *qp, struct ib_uverbs_modify_qp *to)
{
    const struct sim_port *port = &qp->obj.ctx->dev->port[qp->attr.port_num - 1];

    to->dest.is_global = 1;
    memcpy(to->dest.dgid, port->gid[0], sizeof to->dest.dgid);
    to->dest.sgid_index = 0;
    to->dest.hop_limit = 1;
    to->dest.dlid = port->lid;
    qp->first = true; /* what it writes, others are steered by */
    sim_engine_first();
}

static void to_rtr(struct devx_call *c, struct sim_qp *qp, struct ib_uverbs_modify_qp *to)
{
    uint32_t change = in(c, 0x80, 32);
    uint32_t mask = (change & OPT_RRE ? IB_UVERBS_ACCESS_REMOTE_READ : 0) | (change & OPT_RWE ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0)
        | (change & OPT_RAE ? IB_UVERBS_ACCESS_REMOTE_ATOMIC : 0);

    to->attr_mask |= IBV_QP_PATH_MTU;
    to->path_mtu = (uint8_t)in(c, QPC + 0x40, 3);
    if (qp->dc)
        return;
    to->attr_mask |= IBV_QP_AV | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    to->dest.is_global = in(c, PATH + 0x28, 1) || c->ctx->dev->link_layer == IBV_LINK_LAYER_ETHERNET;
    for (unsigned i = 0; i < 16; i++)
        to->dest.dgid[i] = (uint8_t)in(c, PATH + 0x80 + 8 * i, 8);
    to->dest.sgid_index = (uint8_t)in(c, PATH + 0x48, 8);
    to->dest.hop_limit = (uint8_t)in(c, PATH + 0x58, 8);
    to->dest.dlid = (uint16_t)in(c, PATH + 0x30, 16);
    to->dest.sl = (uint8_t)in(c, PATH + 0x124, 4);
    if (in(c, PATH, 1))
        loop_back(qp, to);
    to->dest_qp_num = in(c, QPC + 0xa8, 24);
    to->rq_psn = in(c, QPC + 0x4a8, 24);
    to->max_dest_rd_atomic = (uint8_t)(1u << in(c, QPC + 0x488, 3));
    to->min_rnr_timer = (uint8_t)in(c, QPC + 0x4a3, 5);
    if (mask) {
        to->attr_mask |= IBV_QP_ACCESS_FLAGS;
        to->qp_access_flags = (qp->attr.qp_access_flags & ~mask) | (rights(c, QPC + 0x490, QPC + 0x491, QPC + 0x492) & mask);
    }
}

static void to_rts(struct devx_call *c, struct ib_uverbs_modify_qp *to)
{
    to->attr_mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
    to->timeout = (uint8_t)in(c, PATH + 0x40, 5);
    to->retry_cnt = (uint8_t)in(c, QPC + 0x38d, 3);
    to->rnr_retry = (uint8_t)in(c, QPC + 0x390, 3);
    to->sq_psn = in(c, QPC + 0x3c8, 24);
    to->max_rd_atomic = (uint8_t)(1u << in(c, QPC + 0x388, 3));
}

/* From reset to where it sends, by the three commands for that. */
int devx_bring_up_qp(struct devx_call *c)
{
    static const struct { uint16_t opcode; int from, to; } steps[] = {{OP_RST2INIT_QP, IBV_QPS_RESET, IBV_QPS_INIT},
        {OP_INIT2RTR_QP, IBV_QPS_INIT, IBV_QPS_RTR}, {OP_RTR2RTS_QP, IBV_QPS_RTR, IBV_QPS_RTS}};
    struct sim_qp *qp = devx_qp_of(c->target);
    struct ib_uverbs_modify_qp to = {.attr_mask = IBV_QP_STATE};
    unsigned i = 0;

    while (steps[i].opcode != devx_opcode(c->in))
        i++;
    if (qp->dc == SIM_DC_TARGET || (qp->type != IB_UVERBS_QPT_RC && !qp->dc))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x48, 24, "of RC and DC initiators alone");
    if (qp->state != steps[i].from)
        return devx_refuse(c, DEVX_BAD_QP_STATE, 0x48, 24, "the queue pair is not in this state");
    to.qp_state = (uint8_t)steps[i].to;
    if (steps[i].to == IBV_QPS_INIT)
        to_init(c, qp, &to);
    else if (steps[i].to == IBV_QPS_RTR)
        to_rtr(c, qp, &to);
    else
        to_rts(c, &to);
    return sim_qp_modify(qp, &to) ? devx_refuse(c, DEVX_BAD_PARAM, QPC, 0x740, "an attribute is out of its range") : 0;
}
