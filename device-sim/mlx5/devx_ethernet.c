/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Ethernet by DevX: transport interface receives (TIRs), which bring frames to a work queue or spread them over a table
 * of the verbs, and the transport interface sends (TISs) that raw packet queue pairs of the verbs have.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "steering.h"

#define TIRC 0x100
#define TISC 0x100

static uint32_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return (uint32_t)devx_get(c->in, at, width);
}

/* -- receives ---------------------------------------------------------------------------------- */

enum { DIRECT, INDIRECT };
enum { NO_HASH = 0, TOEPLITZ = 2 };

static struct sim_wq *find_wq(struct devx_call *c, unsigned at)
{
    for (uint32_t h = 0; h < c->ctx->n_objs; h++) {
        struct sim_wq *wq = sim_obj_get(c->ctx, h, SIM_WQ);

        if (wq && wq->wqn == in(c, at, 24))
            return wq;
    }
    devx_refuse(c, DEVX_BAD_RES, at, 24, "there is no work queue 0x%x", in(c, at, 24));
    return NULL;
}

static struct sim_table *find_table(struct devx_call *c, unsigned at)
{
    for (uint32_t h = 0; h < c->ctx->n_objs; h++) {
        struct sim_table *t = sim_obj_get(c->ctx, h, SIM_TABLE);

        if (t && t->number == in(c, at, 24))
            return t;
    }
    devx_refuse(c, DEVX_BAD_RES, at, 24, "there is no table 0x%x", in(c, at, 24));
    return NULL;
}

/* A table of one place, that the object has for itself. */
static struct sim_table *table_of(struct devx_object *o, struct sim_wq *wq)
{
    o->table = sim_obj_new(o->obj.ctx, SIM_TABLE, sizeof *o->table + sizeof *o->table->wq);
    if (!o->table)
        return NULL;
    o->table->n = 1;
    o->table->wq[0] = wq;
    wq->obj.users++;
    return o->table;
}

/* The fields that are hashed, as the verbs name them. */
static uint32_t fields(const struct devx_call *c, unsigned at)
{
    unsigned six = in(c, at, 1), udp = in(c, at + 1, 1), chosen = in(c, at + 2, 30);

    return (chosen & 3) << (six ? 2 : 0) | (chosen >> 2 & 3) << (udp ? 6 : 4);
}

static int judge(struct devx_call *c, struct sim_wq **wq, struct sim_table **table)
{
    unsigned type = in(c, TIRC + 0x20, 4), hash = in(c, TIRC + 0x120, 4);

    if (type > INDIRECT)
        return devx_refuse(c, DEVX_BAD_PARAM, TIRC + 0x20, 4, "there is no way %u to a queue", type);
    if (in(c, TIRC + 0x128, 24) && !devx_find(c->ctx, OP_ALLOC_TRANSPORT_DOMAIN, in(c, TIRC + 0x128, 24)))
        return devx_refuse(c, DEVX_BAD_RES, TIRC + 0x128, 24, "there is no transport domain 0x%x",
            in(c, TIRC + 0x128, 24));
    if (type == DIRECT)
        *wq = find_wq(c, TIRC + 0xe8);
    else
        *table = find_table(c, TIRC + 0x108);
    if (!*wq && !*table)
        return EREMOTEIO;
    if (hash != NO_HASH && hash != TOEPLITZ)
        return devx_refuse(c, DEVX_BAD_PARAM, TIRC + 0x120, 4, "hash function %u is not simulated", hash);
    if (hash == NO_HASH && *table && (*table)->n > 1)
        return devx_refuse(c, DEVX_BAD_PARAM, TIRC + 0x120, 4, "a table of %u places, and nothing to spread by",
            (*table)->n);
    if (in(c, TIRC + 0x282, 30) >> 4 || in(c, TIRC + 0x2a2, 30) >> 4)
        return devx_refuse(c, DEVX_BAD_PARAM, TIRC + 0x280, 64, "fields that are not hashed here");
    if (in(c, TIRC + 0x2a2, 30) && (in(c, TIRC + 0x282, 30) || !in(c, TIRC + 0x102, 1)))
        return devx_refuse(c, DEVX_BAD_PARAM, TIRC + 0x2a0, 32, "inner fields beside outer ones, or without tunnels");
    return 0;
}

/* Where entries of software find it, in three parts. */
static void put_address(uint8_t *to, uint64_t address)
{
    devx_set(to, 0x08, 24, address >> 40);
    devx_set(to, 0x40, 8, address >> 32);
    devx_set(to, 0x60, 32, address);
}

int devx_create_tir(struct devx_call *c)
{
    struct sim_wq *wq = NULL;
    struct sim_table *table = NULL;
    struct devx_object *o;
    int error = judge(c, &wq, &table);

    if (error)
        return error;
    o = devx_make(c, TIRC, 240);
    if (!o || !(o->qp = sim_qp_begin(c->ctx, IB_UVERBS_QPT_RAW_PACKET)))
        return ENOMEM;
    mlx5_put_rings(o->qp, &(struct mlx5_rings){.uar = UAR_PAGES});
    o->qp->silent = true;
    o->qp->rss = calloc(1, sizeof *o->qp->rss);
    o->qp->table = table ? table : table_of(o, wq);
    if (!o->qp->rss || !o->qp->table)
        return ENOMEM;
    o->qp->table->obj.users++;
    memcpy(o->qp->rss->key, c->in + (TIRC + 0x140) / 8, SIM_TOEPLITZ_KEY);
    if (in(c, TIRC + 0x120, 4) == TOEPLITZ)
        o->qp->rss->fields = in(c, TIRC + 0x2a2, 30) ? fields(c, TIRC + 0x2a0) | (uint32_t)IBV_RX_HASH_INNER :
            fields(c, TIRC + 0x280);
    o->qp->own_unicast = in(c, TIRC + 0x126, 2) & 1;
    put_address(c->out, mlx5_icm_of(ICM_RECEIVER, o->id));
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- sends ------------------------------------------------------------------------------------- */

void mlx5_name_parts(struct sim_qp *qp, struct mlx5_ib_create_qp_resp *r)
{
    struct mlx5_qp *h = qp->hw;

    if (!((struct mlx5_ctx *)qp->obj.ctx->hw)->devx_uid)
        return;
    h->tisn = ++qp->obj.ctx->dev->next_number;
    r->comp_mask = MLX5_IB_CREATE_QP_RESP_MASK_TISN | MLX5_IB_CREATE_QP_RESP_MASK_SQN;
    r->tisn = h->tisn;
    r->sqn = qp->qpn;
    if (!h->rq_n)
        return;
    mlx5_name_receiver(qp, r);
    h->rqn = ++qp->obj.ctx->dev->next_number;
    r->comp_mask |= MLX5_IB_CREATE_QP_RESP_MASK_RQN;
    r->rqn = h->rqn;
}

/* What receives, by its number and by where entries of software find it. */
void mlx5_name_receiver(struct sim_qp *qp, struct mlx5_ib_create_qp_resp *r)
{
    struct mlx5_qp *h = qp->hw;

    if (!((struct mlx5_ctx *)qp->obj.ctx->hw)->devx_uid)
        return;
    h->tirn = ++qp->obj.ctx->dev->next_number;
    r->comp_mask |= MLX5_IB_CREATE_QP_RESP_MASK_TIRN | MLX5_IB_CREATE_QP_RESP_MASK_TIR_ICM_ADDR;
    r->tirn = h->tirn;
    r->tir_icm_addr = mlx5_icm_of(ICM_RECEIVER, h->tirn);
}

/* Of a work queue, or of what a raw packet queue pair receives by. */
int devx_query_rq(struct devx_call *c)
{
    const struct sim_wq *wq = c->target->type == SIM_WQ ? (const struct sim_wq *)c->target : NULL;
    const struct sim_qp *qp = wq ? NULL : devx_qp_of(c->target);
    const struct mlx5_wq *own = wq ? wq->hw : NULL;
    const struct mlx5_qp *h = qp ? qp->hw : NULL;
    uint8_t *to = c->out + 0x100 / 8;
    bool failed = wq ? wq->state == IBV_WQS_ERR : qp->state == IBV_QPS_ERR;
    bool ready = wq ? wq->state == IBV_WQS_RDY : qp->state != IBV_QPS_RESET;

    devx_set(to, 0x08, 4, failed ? 3 : ready);
    devx_set(to, 0x28, 24, wq ? own->uidx : h->uidx);
    devx_set(to, 0x48, 24, wq ? wq->cq->cqn : qp->rcq->cqn);
    to += 0x180 / 8; /* the ring in it */
    devx_set(to, 0x00, 4, 1); /* in the order of the ring */
    devx_set(to, 0x48, 24, wq ? wq->pd->pdn : qp->pd->pdn);
    devx_set(to, 0x80, 64, (uintptr_t)(wq ? own->db : h->db));
    devx_set(to, 0x10c, 4, wq ? own->shift : h->rq_shift);
    devx_set(to, 0x11b, 5, (unsigned)__builtin_ctz(wq ? own->n : h->rq_n));
    return 0;
}

/* Of a queue pair: through which of the bonded ports it sends. */
int devx_query_qp_tis(struct devx_call *c)
{
    const struct mlx5_qp *h = devx_qp_of(c->target)->hw;

    devx_set(c->out, 0x80 + 4, 4, sim_config.lag ? h->lag_port : 0);
    return 0;
}

int devx_modify_qp_tis(struct devx_call *c)
{
    struct mlx5_qp *h = devx_qp_of(c->target)->hw;
    unsigned port = in(c, TISC + 4, 4);

    if (in(c, 0xbe, 2))
        return devx_refuse(c, DEVX_BAD_PARAM, 0xbe, 2, "of a queue pair's only the port can be changed");
    if (in(c, 0xbd, 1) && (!sim_config.lag || port < 1 || port > 2))
        return devx_refuse(c, DEVX_BAD_PARAM, TISC + 4, 4, "there is no bonded port %u", port);
    if (in(c, 0xbd, 1))
        h->lag_port = port;
    return 0;
}
