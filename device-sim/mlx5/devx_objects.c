/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the commands of DevX make, change and tell. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "steering.h"

#define CQ_CONTEXT 0x80
#define MKEY_CONTEXT 0x80
#define TIS_CONTEXT 0x100
#define CAPS_ODP 2
#define CAPS_ATOMIC 3
#define CAPS_ETHERNET 1
#define CAPS_ROCE 4
#define CAPS_FLOW_TABLES 7
#define CAPS_QOS 0xc
#define CAPS_DEVICE_MEMORY 0xf
#define CAPS_GENERAL_2 0x20
#define MAX_PIECES 0x10000 /* of a key */
#define SIGNATURE_OCTOWORDS 4

static uint64_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return devx_get(c->in, at, width);
}

/* -- objects ----------------------------------------------------------------------------------- */

struct devx_object *devx_make(struct devx_call *c, unsigned body_at, size_t size)
{
    struct devx_object *o = sim_obj_new(c->ctx, SIM_DEVX_OBJECT, sizeof *o);

    if (!o)
        return NULL;
    o->opcode = devx_opcode(c->in);
    o->id = ++c->ctx->dev->next_number;
    o->body = size ? malloc(size) : NULL;
    if (size && !o->body) {
        devx_object_free(o);
        return NULL;
    }
    if (size)
        memcpy(o->body, c->in + body_at / 8, size);
    o->size = size;
    return c->made = o;
}

void devx_uses(struct devx_object *o, struct devx_object *uses[3])
{
    for (unsigned i = 0; i < sizeof o->uses / sizeof *o->uses; i++)
        o->uses[i] = uses[i];
}

struct sim_qp *devx_qp_of(struct sim_obj *target)
{
    return target->type == SIM_QP ? (struct sim_qp *)target :
        target->type == SIM_DEVX_OBJECT ? ((struct devx_object *)target)->qp : NULL;
}

void devx_object_free(struct devx_object *o)
{
    devx_unsubscribe(o);
    if (o->qp)
        sim_obj_drop(&o->qp->obj);
    if (o->table)
        sim_obj_drop(&o->table->obj);
    if (o->srq)
        sim_obj_drop(&o->srq->obj);
    if (o->cq)
        sim_obj_drop(&o->cq->obj);
    if (o->mkey)
        sim_mkey_free(o->obj.ctx->dev, o->mkey);
    else if (o->pd)
        o->pd->obj.users--;
    if (o->behind.map)
        munmap(o->behind.map, o->behind.size);
    free(o->own_pd);
    free(o->tally);
    free(o->body);
    sim_obj_drop(&o->obj);
}

/* The domain with a number, of either kind; `devx` is the object where it is one of DevX. */
struct sim_pd *devx_find_pd(struct devx_call *c, uint32_t number, struct devx_object **devx)
{
    *devx = devx_find(c->ctx, OP_ALLOC_PD, number);
    if (*devx)
        return (*devx)->own_pd;
    for (uint32_t h = 0; h < c->ctx->n_objs; h++)
        if (c->ctx->obj[h] && c->ctx->obj[h]->type == SIM_PD && ((struct sim_pd *)c->ctx->obj[h])->pdn == number)
            return (struct sim_pd *)c->ctx->obj[h];
    return NULL;
}

/* `length` bytes of a umem from `offset`, or NULL and the command is refused. */
static struct devx_object *find_umem(struct devx_call *c, unsigned id_at, unsigned offset_at, uint64_t length)
{
    struct devx_object *umem = devx_find(c->ctx, OP_CREATE_UMEM, (uint32_t)in(c, id_at, 32));
    uint64_t offset = in(c, offset_at, 64);

    if (!umem)
        devx_refuse(c, DEVX_BAD_RES, id_at, 32, "there is no umem 0x%x", (unsigned)in(c, id_at, 32));
    else if (offset > umem->length || length > umem->length - offset) {
        devx_refuse(c, DEVX_BAD_PARAM, offset_at, 64, "%llu bytes from %llu are not in the umem, which has %llu",
            (unsigned long long)length, (unsigned long long)offset, (unsigned long long)umem->length);
        return NULL;
    }
    return umem;
}

/* -- allocations: all but a number ------------------------------------------------------------- */

/* Numbers of 8 bits are used again. */
static uint32_t free_counter_set(struct devx_call *c)
{
    for (uint32_t id = 1; id < 256; id++)
        if (!devx_find(c->ctx, OP_ALLOC_Q_COUNTER, id))
            return id;
    return 0;
}

int devx_alloc(struct devx_call *c)
{
    uint16_t opcode = devx_opcode(c->in);
    uint32_t set = opcode == OP_ALLOC_Q_COUNTER ? free_counter_set(c) : 1;
    struct devx_object *o;

    if (!set)
        return devx_refuse(c, DEVX_NO_RES, 0, 16, "all 255 counter sets are in use");
    o = devx_make(c, 0, 16);
    if (!o)
        return ENOMEM;
    switch (opcode) {
    case OP_ALLOC_Q_COUNTER:
        o->id = set;
        devx_set(c->out, 0x58, 8, o->id);
        break;
    case OP_ALLOC_FLOW_COUNTER: /* so many times 128, or one */
        c->ctx->dev->next_number += 128 * (uint32_t)in(c, 0x78, 8);
        o->n_tallies = in(c, 0x78, 8) ? 128 * (uint32_t)in(c, 0x78, 8) : 1;
        o->tally = calloc(o->n_tallies, 2 * sizeof *o->tally);
        if (!o->tally)
            return ENOMEM;
        devx_set(c->out, 0x40, 32, o->id);
        break;
    case OP_ALLOC_PD:
        o->own_pd = calloc(1, sizeof *o->own_pd);
        if (!o->own_pd)
            return ENOMEM;
        o->own_pd->pdn = o->id;
        /* fall through */
    default:
        devx_set(c->out, 0x48, 24, o->id);
    }
    return 0;
}

/* -- memory keys ------------------------------------------------------------------------------- */

static uint32_t rights(struct devx_call *c)
{
    return (in(c, 0x91, 1) ? IB_UVERBS_ACCESS_REMOTE_ATOMIC : 0) | (in(c, 0x92, 1) ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0)
        | (in(c, 0x93, 1) ? IB_UVERBS_ACCESS_REMOTE_READ : 0) | (in(c, 0x94, 1) ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0);
}

int devx_create_mkey(struct devx_call *c)
{
    unsigned mode = (unsigned)(in(c, 0x96, 2) | in(c, 0x83, 3) << 2);
    uint64_t start = in(c, 0x100, 64), length = in(c, 0x140, 64);
    struct devx_object *domain, *umem = NULL, *o;
    struct sim_pd *pd = devx_find_pd(c, (uint32_t)in(c, 0xe8, 24), &domain);

    if (!pd)
        return devx_refuse(c, DEVX_BAD_RES, 0xe8, 24, "there is no protection domain 0x%x", (unsigned)in(c, 0xe8, 24));
    if (mode < 1 || mode > 3)
        return devx_refuse(c, DEVX_BAD_PARAM, mode & 3 ? 0x83 : 0x96, 2, "access mode %u is none of MTT, KLM, KSM", mode);
    if (in(c, 0xa0, 24) != 0xffffff)
        return devx_refuse(c, DEVX_BAD_PARAM, 0xa0, 24, "a key of one queue pair is not simulated");
    if (mode != 1 && in(c, 0x220, 32) > MAX_PIECES)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x220, 32, "%u pieces are too many", (unsigned)in(c, 0x220, 32));
    if (mode == 1) {
        umem = find_umem(c, 0x320, 0x340, length);
        if (!umem)
            return EREMOTEIO;
        if (rights(c) & ~(umem->access | IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC)
            & IB_UVERBS_ACCESS_LOCAL_WRITE)
            return devx_refuse(c, DEVX_BAD_PARAM, 0x94, 1, "the umem is not writable");
    }
    o = devx_make(c, MKEY_CONTEXT, 64);
    if (!o || !(o->mkey = sim_mkey_new(c->ctx->dev, pd)))
        return ENOMEM;
    o->uses[0] = domain;
    o->uses[1] = umem;
    o->pd = pd;
    o->id = o->mkey->key >> 8;
    o->mkey->key = o->id << 8 | (uint32_t)in(c, 0xb8, 8);
    o->mkey->iova = start;
    o->mkey->length = length;
    o->mkey->start = umem ? umem->addr + in(c, 0x340, 64) : 0;
    o->mkey->access = rights(c);
    o->mkey->bound = umem && !in(c, 0x81, 1); /* the indirect ones are filled in by work requests */
    o->mkey->changeable = in(c, 0x90, 1);
    o->mkey->remote_invalidate = in(c, 0xe7, 1);
    if (in(c, 0xe1, 1) && (in(c, 0x180, 32) != SIGNATURE_OCTOWORDS || mode != 2))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x180, 32, "signatures of %u octowords, or of a key that is not of KLMs",
            (unsigned)in(c, 0x180, 32));
    if (in(c, 0xe1, 1) && !(o->mkey->signature = calloc(1, sizeof *o->mkey->signature)))
        return ENOMEM;
    if (mode == 2 && !(o->mkey->pieces = sim_pieces_new((unsigned)in(c, 0x220, 32))))
        return ENOMEM;
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- completion queues ------------------------------------------------------------------------- */

int devx_create_cq(struct devx_call *c)
{
    struct mlx5_ctx *m = c->ctx->hw;
    unsigned log_size = (unsigned)in(c, 0xe3, 5);
    uint64_t page = in(c, 0xe8, 24), entry = in(c, 0x88, 3) == 0 ? 64 : 128;
    struct devx_object *buffer, *record, *o;
    struct mlx5_cq *h;

    if (log_size > 22)
        return devx_refuse(c, DEVX_BAD_PARAM, 0xe3, 5, "2^%u entries are too many", log_size);
    if (page >= UAR_PAGES || !m->used[page])
        return devx_refuse(c, DEVX_BAD_RES, 0xe8, 24, "there is no register page 0x%llx", (unsigned long long)page);
    if (in(c, 0x138, 8) != DEVX_EQN)
        return devx_refuse(c, DEVX_BAD_RES, 0x138, 8, "there is no event queue %u", (unsigned)in(c, 0x138, 8));
    buffer = find_umem(c, 0x2c0, 0x280, entry << log_size);
    record = buffer ? find_umem(c, 0xa0, 0x240, 8) : NULL;
    if (!record)
        return EREMOTEIO;
    o = devx_make(c, CQ_CONTEXT, 64);
    if (!o)
        return ENOMEM;
    o->uses[0] = buffer;
    o->uses[1] = record;
    if (!(o->cq = sim_obj_new(c->ctx, SIM_CQ, sizeof *o->cq)) || !(h = o->cq->hw = calloc(1, sizeof *h)))
        return ENOMEM;
    o->cq->silent = true;
    o->cq->cqn = o->id;
    h->buf = (uint8_t *)(uintptr_t)(buffer->addr + in(c, 0x280, 64));
    h->db = (uint32_t *)(uintptr_t)(record->addr + in(c, 0x240, 64));
    h->n = 1u << log_size;
    h->size = (uint32_t)entry;
    h->uar = (unsigned)page;
    h->arm_seen = mlx5_record(&h->db[1]);
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

enum { CQ_PERIOD = 1, CQ_COUNT = 2, CQ_OVERRUN = 4 };

int devx_modify_cq(struct devx_call *c)
{
    uint64_t select = in(c, 0x60, 32);
    struct devx_object *o = (struct devx_object *)c->target;
    struct mlx5_cq *h;

    if (in(c, 0x30, 16))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x30, 16, "resizing by this command is not simulated");
    if (select & ~(uint64_t)(CQ_PERIOD | CQ_COUNT | CQ_OVERRUN))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x60, 32, "there is no field to select with 0x%llx",
            (unsigned long long)select);
    if (c->target->type == SIM_CQ) {
        if (select & CQ_OVERRUN)
            return devx_refuse(c, DEVX_BAD_PARAM, 0x60, 32, "the kernel's own queues keep their way to overrun");
        h = ((struct sim_cq *)c->target)->hw;
        if (select & CQ_PERIOD)
            h->period = (uint16_t)in(c, 0x104, 12);
        if (select & CQ_COUNT)
            h->max_count = (uint16_t)in(c, 0x110, 16);
        return 0;
    }
    if (select & CQ_PERIOD)
        devx_set(o->body, 0x84, 12, in(c, 0x104, 12));
    if (select & CQ_COUNT)
        devx_set(o->body, 0x90, 16, in(c, 0x110, 16));
    if (select & CQ_OVERRUN)
        devx_set(o->body, 0x0e, 1, in(c, 0x8e, 1));
    return 0;
}

static unsigned log_of(uint32_t n)
{
    unsigned log = 0;

    while (1u << log < n)
        log++;
    return log;
}

int devx_query_cq(struct devx_call *c)
{
    struct sim_cq *cq = (struct sim_cq *)c->target;
    struct mlx5_cq *h = cq->hw;
    uint8_t *to = c->out + CQ_CONTEXT / 8;

    if (c->target->type != SIM_CQ)
        return devx_query_body(c);
    devx_set(to, 0x08, 3, h->size == 128);
    devx_set(to, 0x14, 4, h->armed ? h->solicited_only ? 0x6 : 0x9 : 0xa);
    devx_set(to, 0x63, 5, log_of(h->n));
    devx_set(to, 0x68, 24, h->uar);
    devx_set(to, 0x84, 12, h->period);
    devx_set(to, 0x90, 16, h->max_count);
    devx_set(to, 0xb8, 8, DEVX_EQN);
    devx_set(to, 0x148, 24, mlx5_record(h->db) & 0xffffff);
    devx_set(to, 0x168, 24, h->pi & 0xffffff);
    devx_set(to, 0x1c0, 64, (uintptr_t)h->db);
    return 0;
}

/* -- transport interface send ------------------------------------------------------------------ */

int devx_create_tis(struct devx_call *c)
{
    struct devx_object *transport = devx_find(c->ctx, OP_ALLOC_TRANSPORT_DOMAIN, (uint32_t)in(c, 0x228, 24));
    struct devx_object *domain = NULL, *o;
    struct sim_pd *pd = NULL;

    if (!transport)
        return devx_refuse(c, DEVX_BAD_RES, 0x228, 24, "there is no transport domain 0x%x", (unsigned)in(c, 0x228, 24));
    if (in(c, 0x268, 24) && !(pd = devx_find_pd(c, (uint32_t)in(c, 0x268, 24), &domain)))
        return devx_refuse(c, DEVX_BAD_RES, 0x268, 24, "there is no protection domain 0x%x", (unsigned)in(c, 0x268, 24));
    if (in(c, 0x101, 1))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x101, 1, "TLS is not simulated");
    if (in(c, 0x104, 4) > (unsigned)c->ctx->dev->n_ports)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x104, 4, "there is no port %u", (unsigned)in(c, 0x104, 4));
    o = devx_make(c, TIS_CONTEXT, 160);
    if (!o)
        return ENOMEM;
    o->uses[0] = transport;
    o->uses[1] = domain;
    o->pd = pd;
    if (pd)
        pd->obj.users++;
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

int devx_modify_tis(struct devx_call *c)
{
    struct devx_object *o = (struct devx_object *)c->target;

    if (c->target->type == SIM_QP)
        return devx_modify_qp_tis(c);
    if (in(c, 0xbd, 1) && in(c, 0x104, 4) > (unsigned)c->ctx->dev->n_ports)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x104, 4, "there is no port %u", (unsigned)in(c, 0x104, 4));
    if (in(c, 0xbd, 1))
        devx_set(o->body, 4, 4, in(c, 0x104, 4));
    if (in(c, 0xbe, 1))
        devx_set(o->body, 0, 1, in(c, 0x100, 1));
    if (in(c, 0xbf, 1))
        devx_set(o->body, 0x0c, 4, in(c, 0x10c, 4));
    return 0;
}

/* -- queries ----------------------------------------------------------------------------------- */

/* Objects of DevX are told as they were given. */
int devx_query_body(struct devx_call *c)
{
    const struct devx_object *o = (const struct devx_object *)c->target;

    if (c->target->type == SIM_QP)
        return devx_query_qp_tis(c);
    if (c->out_length < 16 + o->size)
        return devx_refuse(c, DEVX_BAD_OUTP_LEN, 0, 16, "the object has %zu bytes", o->size);
    memcpy(c->out + 16, o->body, o->size);
    return 0;
}

/* Of flow counters what rules have counted; there are no errors that a counter set tells of. */
int devx_query_counters(struct devx_call *c)
{
    const struct devx_object *o = (const struct devx_object *)c->target;
    uint64_t n = in(c, 0xd0, 16), have = 128 * devx_get(o->body, 0x78, 8);

    if (o->opcode != OP_ALLOC_FLOW_COUNTER)
        return 0;
    if (n > (have ? have : 1))
        return devx_refuse(c, DEVX_BAD_PARAM, 0xd0, 16, "%u counters are more than were allocated", (unsigned)n);
    if (c->out_length < 16 + 16 * (n ? n : 1))
        return devx_refuse(c, DEVX_BAD_OUTP_LEN, 0xd0, 16, "%u counters need %u bytes", (unsigned)n,
            (unsigned)(16 + 16 * n));
    for (uint64_t i = 0; i < 2 * (n ? n : 1); i++)
        devx_set(c->out, (unsigned)(0x80 + 64 * i), 64, o->tally[i]);
    if (in(c, 0xc0, 1))
        memset(o->tally, 0, (n ? n : 1) * 2 * sizeof *o->tally);
    return 0;
}

/* -- the verbs' objects ------------------------------------------------------------------------ */

static unsigned service(int type)
{
    return type == IB_UVERBS_QPT_UC ? 1 : type == IB_UVERBS_QPT_UD ? 2 :
        type == IB_UVERBS_QPT_XRC_INI || type == IB_UVERBS_QPT_XRC_TGT ? 3 : type == IB_UVERBS_QPT_DRIVER ? 5 : 0;
}

static unsigned device_state(int state)
{
    static const uint8_t states[] = {0, 1, 2, 3, 5, 4, 6}; /* SQD and SQE are the other way round */

    return states[state];
}

int devx_query_qp(struct devx_call *c)
{
    const struct sim_qp *qp = devx_qp_of(c->target);
    const struct mlx5_qp *h = qp->hw;
    uint8_t *to = c->out + 0xc0 / 8;

    devx_set(to, 0x00, 4, device_state(qp->state));
    devx_set(to, 0x04, 4, sim_config.lag ? h->lag_port : 0);
    devx_set(to, 0x08, 8, service(qp->type));
    devx_set(to, 0x1d0, 16, h->udp_sport);
    devx_set(to, 0x28, 24, qp->pd ? qp->pd->pdn : 0);
    devx_set(to, 0x40, 3, qp->attr.path_mtu);
    devx_set(to, 0x43, 5, 30);
    devx_set(to, 0x49, 4, h->rq_n ? log_of(h->rq_n) : 0);
    devx_set(to, 0x4d, 3, h->rq_n ? h->rq_shift - 4 : 0);
    devx_set(to, 0x50, 1, !h->sq_n);
    devx_set(to, 0x51, 4, h->sq_n ? log_of(h->sq_n) : 0);
    devx_set(to, 0x5a, 1, sim_config.caps && qp->type == IB_UVERBS_QPT_RC); /* data is written in order */
    devx_set(to, 0x68, 24, h->uar);
    devx_set(to, 0x88, 24, h->uidx);
    devx_set(to, 0xa8, 24, qp->attr.dest_qp_num);
    devx_set(to, 0x38d, 3, qp->attr.retry_cnt);
    devx_set(to, 0x390, 3, qp->attr.rnr_retry);
    devx_set(to, 0x3c8, 24, qp->psn);
    devx_set(to, 0x3e8, 24, qp->scq ? qp->scq->cqn : 0);
    devx_set(to, 0x490, 1, !!(qp->attr.qp_access_flags & IB_UVERBS_ACCESS_REMOTE_READ));
    devx_set(to, 0x491, 1, !!(qp->attr.qp_access_flags & IB_UVERBS_ACCESS_REMOTE_WRITE));
    devx_set(to, 0x492, 1, !!(qp->attr.qp_access_flags & IB_UVERBS_ACCESS_REMOTE_ATOMIC));
    devx_set(to, 0x49d, 1, qp->managed_recv);
    devx_set(to, 0x49e, 1, qp->managed_send);
    devx_set(to, 0x49f, 1, qp->cross_master);
    devx_set(to, 0x4a3, 5, qp->attr.min_rnr_timer);
    devx_set(to, 0x4a8, 24, qp->epsn);
    devx_set(to, 0x4e8, 24, qp->rcq ? qp->rcq->cqn : 0);
    devx_set(to, 0x500, 64, (uintptr_t)h->db);
    devx_set(to, 0x540, 32, qp->attr.qkey);
    devx_set(to, 0x565, 3, qp->srq ? 1 : h->rq_n ? 0 : 3);
    devx_set(to, 0x568, 24, qp->srq ? qp->srq->srqn : 0);
    devx_set(to, 0x5a0, 16, h->sq_ci);
    return 0;
}

int devx_query_dct(struct devx_call *c)
{
    const struct sim_qp *qp = devx_qp_of(c->target);
    uint8_t *to = c->out + 0x80 / 8;

    devx_set(to, 0x28, 24, ((struct mlx5_qp *)qp->hw)->uidx);
    devx_set(to, 0x48, 24, qp->rcq ? qp->rcq->cqn : 0);
    devx_set(to, 0xa8, 24, qp->srq->srqn);
    devx_set(to, 0xc8, 24, qp->pd->pdn);
    devx_set(to, 0x100, 64, qp->dc_key);
    return 0;
}

#define OPT_LAG_PORT (1u << 15)
#define OPT_DRAIN (1u << 11)
#define OPT_STREAM (1u << 0) /* of the second mask */
#define OPT_GROUPS (1u << 1)
#define OPT_UDP_SPORT (1u << 2)
#define OPT_COPIES (1u << 3)
#define QPC_EXT 0x880

/* One that had failed goes on. */
static int reset_stream(struct devx_call *c, struct sim_qp *qp)
{
    unsigned stream = (unsigned)in(c, QPC_EXT + 0x10, 16);

    return sim_stream_reset(qp, (uint16_t)stream) ? 0 :
        devx_refuse(c, DEVX_BAD_PARAM, QPC_EXT + 0x10, 16, "the stream %u has not failed, or is none", stream);
}

/* What a queue pair at work may be given: another of the bonded ports, another source port. */
static int modify_path(struct devx_call *c, struct sim_qp *qp)
{
    struct mlx5_qp *h = qp->hw;
    uint32_t first = in(c, 0x80, 32), second = in(c, 0x860, 32), port = in(c, 0xc4, 4);
    bool connected = qp->type == IB_UVERBS_QPT_RC || qp->type == IB_UVERBS_QPT_UC;

    if (first & ~(sim_config.lag ? OPT_LAG_PORT : 0))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x80, 32, "the device can't change these attributes this way");
    if (in(c, 0x840, 64) == OPT_STREAM && !first && in(c, 0x40, 1))
        return reset_stream(c, qp);
    if (in(c, 0x840, 64) == OPT_GROUPS && !first && in(c, 0x40, 1))
        return devx_join_groups(c, qp, QPC_EXT + 0x20);
    if (in(c, 0x840, 32) || second & ~(!sim_config.infiniband && connected ? OPT_UDP_SPORT : 0))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x840, 64, "the device can't change these attributes this way");
    if (first && (port < 1 || port > 2))
        return devx_refuse(c, DEVX_BAD_PARAM, 0xc4, 4, "two ports are bonded, there is no %u", port);
    if (first)
        h->lag_port = port;
    if (second)
        h->udp_sport = (uint16_t)in(c, 0x290, 16);
    return 0;
}

/* Each port sends through itself: none is down. */
int devx_query_lag(struct devx_call *c)
{
    if (sim_config.lag) {
        devx_set(c->out, 0x5d, 3, 1);
        devx_set(c->out, 0x7c, 4, 1);
        devx_set(c->out, 0x74, 4, 2);
    }
    return 0;
}

/* Memory to memory, of queue pairs that can. */
static int allow_copies(struct devx_call *c, struct sim_qp *qp)
{
    bool allow = in(c, QPC_EXT + 2, 1);

    if (allow && qp->type != IB_UVERBS_QPT_RC && qp->dc != SIM_DC_INITIATOR)
        return devx_refuse(c, DEVX_BAD_PARAM, QPC_EXT + 2, 1, "queue pairs of this kind don't copy");
    ((struct mlx5_qp *)qp->hw)->copies = allow;
    return 0;
}

/* All of it is announced by a bit, and has four fields; what is too short for it can't have any. */
static bool has_extension(const struct devx_call *c)
{
    unsigned end = 8 * (unsigned)c->in_length;

    for (unsigned bit = QPC_EXT; bit < end; bit++) {
        bool known = in(c, 0x40, 1) && (bit == QPC_EXT + 2 || (bit >= QPC_EXT + 0x10 && bit < QPC_EXT + 0x60));

        if (!known && in(c, bit, 1))
            return false;
    }
    return !in(c, 0x40, 1) || end >= QPC_EXT + 0x60;
}

int devx_modify_qp(struct devx_call *c)
{
    struct sim_qp *qp = devx_qp_of(c->target);
    uint16_t opcode = devx_opcode(c->in);
    int wanted = opcode == OP_RTS2RTS_QP ? IBV_QPS_RTS : IBV_QPS_INIT;
    struct ib_uverbs_modify_qp to = {.attr_mask = IBV_QP_STATE,
        .qp_state = opcode == OP_2ERR_QP ? IBV_QPS_ERR : IBV_QPS_RESET};

    if (opcode == OP_2ERR_QP || opcode == OP_2RST_QP)
        return sim_qp_modify(qp, &to) ?
            devx_refuse(c, DEVX_BAD_QP_STATE, 0x48, 24, "not from this state of the queue pair") : 0;
    if (c->in_length > QPC_EXT / 8 && !has_extension(c))
        return devx_refuse(c, DEVX_BAD_PARAM, QPC_EXT, 16, "the extension of the context has what is not announced, or reserved");
    if (qp->state != wanted)
        return devx_refuse(c, DEVX_BAD_QP_STATE, 0x48, 24, "the queue pair is not in this state");
    if (opcode == OP_RTS2RTS_QP)
        return modify_path(c, qp);
    if (in(c, 0x80, 32) == OPT_DRAIN && !in(c, 0x840, 64)) {
        ((struct mlx5_qp *)qp->hw)->drains = in(c, 0xc0 + 0x25, 1);
        return 0;
    }
    if (!in(c, 0x80, 32) && in(c, 0x840, 64) == OPT_COPIES && in(c, 0x40, 1))
        return allow_copies(c, qp);
    if (!in(c, 0x80, 32) && in(c, 0x840, 64) == OPT_GROUPS && in(c, 0x40, 1))
        return devx_join_groups(c, qp, QPC_EXT + 0x20);
    if (in(c, 0x80, 32) || in(c, 0x840, 64))
        return devx_refuse(c, DEVX_BAD_PARAM, in(c, 0x80, 32) ? 0x80 : 0x840, 32, "the device can change no attribute this way");
    return 0;
}

int devx_query_srq(struct devx_call *c)
{
    const struct sim_srq *srq = c->target->type == SIM_SRQ ? (const struct sim_srq *)c->target :
        ((const struct devx_object *)c->target)->srq;
    const struct mlx5_srq *h = srq->hw;
    uint8_t *to;

    if (devx_opcode(c->in) == OP_QUERY_RMP) {
        to = c->out + 0x100 / 8;
        devx_set(to, 0x08, 4, 1); /* ready */
        to += 0x180 / 8; /* the work queue in it */
        devx_set(to, 0x00, 4, h->cyclic);
        devx_set(to, 0x30, 16, srq->limit);
        devx_set(to, 0x48, 24, srq->pd->pdn);
        devx_set(to, 0x80, 64, (uintptr_t)h->db);
        devx_set(to, 0x10c, 4, h->shift);
        devx_set(to, 0x11b, 5, log_of(h->n));
        return 0;
    }
    to = c->out + 0x80 / 8;
    devx_set(to, 0x04, 4, log_of(h->n));
    devx_set(to, 0x25, 3, h->shift - 4);
    devx_set(to, 0x28, 24, srq->xrcd->obj.handle);
    devx_set(to, 0x48, 24, srq->cq->cqn);
    devx_set(to, 0x88, 24, h->uidx);
    devx_set(to, 0xc8, 24, srq->pd->pdn);
    devx_set(to, 0xe0, 16, srq->limit);
    devx_set(to, 0xf0, 16, mlx5_srq_posted((struct sim_srq *)srq));
    devx_set(to, 0x140, 32, (uintptr_t)h->db >> 32);
    devx_set(to, 0x160, 32, (uintptr_t)h->db & 0xfffffffcu);
    return 0;
}

/* -- capabilities ------------------------------------------------------------------------------ */

static void general_caps(struct devx_call *c, uint8_t *to)
{
    devx_set(to, 0x62, 1, sim_config.caps); /* queue pairs tell whether they write in order */
    devx_set(to, 0x6b, 5, LOG_MAX_COPY);
    devx_set(to, 0x748, 1, 1); /* queue pairs copy memory to memory */
    devx_set(to, 0x88, 8, 15); /* log of the work queue entries of a queue pair */
    devx_set(to, 0x9b, 5, 12); /* queue pairs */
    devx_set(to, 0xab, 5, 12);
    devx_set(to, 0xc8, 8, 22); /* entries of a completion queue */
    devx_set(to, 0xdb, 5, 16);
    devx_set(to, 0xea, 6, 24); /* keys */
    devx_set(to, 0xf8, 1, 1); /* dump_fill_mkey */
    devx_set(to, 0x119, 1, 1); /* null_mkey */
    devx_set(to, 0x14a, 6, 4);
    devx_set(to, 0x15a, 6, 4);
    devx_set(to, 0x151, 1, c->ctx->dev->link_layer == IBV_LINK_LAYER_ETHERNET); /* source ports */
    devx_set(to, 0x152, 1, sim_config.lag);
    devx_set(to, 0x278, 1, sim_config.lag);
    devx_set(to, 0x27c, 4, sim_config.lag ? 2 : 0);
    devx_set(to, 0x170, 16, c->ctx->dev->n_gids + sim_empty_gids(c->ctx->dev));
    devx_set(to, 0x1b6, 2, c->ctx->dev->link_layer == IBV_LINK_LAYER_ETHERNET);
    devx_set(to, 0x1b8, 8, (unsigned)c->ctx->dev->n_ports);
    devx_set(to, 0x1c3, 5, 30);
    devx_set(to, 0x1fc, 4, 1); /* cqe_version */
    devx_set(to, 0x200, 1, 1); /* compact address vectors */
    devx_set(to, 0x12a, 6, 4); /* reads and atomics of DC, log; DC targets */
    devx_set(to, 0x21a, 1, 1);
    devx_set(to, 0x21d, 1, c->ctx->dev->link_layer == IBV_LINK_LAYER_ETHERNET);
    devx_set(to, 0x21e, 1, 1); /* atomics */
    devx_set(to, 0x220, 1, 1); /* completion queues: overrun ignored, resized, moderated */
    devx_set(to, 0x221, 1, 1);
    devx_set(to, 0x222, 1, 1);
    devx_set(to, 0x22c, 1, 1); /* cross channel */
    devx_set(to, 0x23c, 4, 0xf); /* XRC, UD, UC, RC */
    devx_set(to, 0x240, 1, 1); /* register pages of 4 KiB */
    devx_set(to, 0x258, 8, 12);
    devx_set(to, 0x260, 1, 1); /* BlueFlame */
    devx_set(to, 0x26b, 5, 9);
    devx_set(to, 0x323, 5, 16); /* transport domains */
    devx_set(to, 0x32b, 5, 16);
    devx_set(to, 0x217, 1, 1); /* signatures of data: and which domain's was wrong, CRC32C, blocks of 4048 */
    devx_set(to, 0x480, 1, 1);
    devx_set(to, 0x148, 1, 1);
    devx_set(to, 0x1f0, 1, 1);
    devx_set(to, 0x20f, 1, 1); /* a queue pair stops at a wrong one; an entry tells of it */
    devx_set(to, 0x212, 1, 1);
    devx_set(to, 0x331, 4, 0xf); /* receives out of their order: UC, XRC, DC, RC */
    devx_set(to, 0x33b, 5, 16);
    devx_set(to, 0x348, 8, 255); /* flow counters in one go, in 128 */
    devx_set(to, 0x360, 1, 1); /* modify_tis */
    devx_set(to, 0x37b, 5, 16);
    devx_set(to, 0x383, 5, 16); /* receive memory pools */
    devx_set(to, 0x20, 1, 1); /* there are more of these */
    devx_set(to, 0x122, 1, 1); /* the context of queue pairs has an extension */
    devx_set(to, 0x21b, 1, 1); /* scheduling */
    devx_set(to, 0x400, 64, 1ull << DEVX_OBJECT_FLOW_METER | 1ull << DEVX_OBJECT_FLOW_SAMPLER |
        1ull << DEVX_OBJECT_SCHEDULING |
        1ull << DEVX_OBJECT_RESERVED_QPN | 1ull << DEVX_OBJECT_AV_QP_MAPPING);
}

/* The command queue pair of a list of tags has no GRH, which RoCE must have. */
static void tag_matching_caps(uint8_t *to)
{
    devx_set(to, 0x5f0, 1, 1);
    devx_set(to, 0x5f1, 1, 1); /* and reads what messages only announce */
    devx_set(to, 0x5f3, 5, 7); /* log of the list */
}

/* What regions on demand may be used for, by the service: send, receive, write, read, atomics, shared receives. */
static void odp_caps(uint8_t *to)
{
    for (unsigned scheme = 0; scheme <= 0x200; scheme += 0x200) { /* by faults of the transport, and by those of memory */
        devx_set(to, scheme + 0x80, 6, 0x3f); /* RC */
        devx_set(to, scheme + 0xa0, 6, 0x38); /* UC */
        devx_set(to, scheme + 0xc0, 6, 0x30); /* UD */
        devx_set(to, scheme + 0xe0, 6, 0x3f); /* XRC */
        devx_set(to, scheme + 0x100, 6, 0x3d); /* DC: no atomics, so that it is told from RC */
    }
    devx_set(to, 0x600, 1, 1); /* the second one, which DevX' queue pairs have, too */
}

/* Queue pairs in groups, with shares and maxima; trees of nodes that share by weights. */
static void qos_caps(uint8_t *to)
{
    devx_set(to, 0x07, 1, 1); /* meters: how many, and registers that tell their colours */
    devx_set(to, 0x10, 8, 12);
    devx_set(to, 0x18, 8, 0xff);
    devx_set(to, 0x08, 3, 7);
    devx_set(to, 0x21, 1, 1);
    devx_set(to, 0x100, 16, 1 | 1 << 4);
    devx_set(to, 0x110, 16, 1);
}

static void general_2_caps(uint8_t *to)
{
    devx_set(to, 0x93, 5, DEVX_LOG_RESERVED);
    devx_set(to, 0x2e1, 1, 1); /* send queues without doorbell records */
    devx_set(to, 0x2e3, 5, 15); /* log of their blocks */
}

static void device_memory_caps(uint8_t *to)
{
    devx_set(to, 0x00, 1, 1);
    devx_set(to, 0x38, 8, 12); /* log of the largest alignment */
    devx_set(to, 0xa0, 32, SIM_DM_SIZE);
    if (!sim_can_watch())
        return;
    devx_set(to, 0x20, 8, MLX5_DM_SIZES); /* of increments, of tests */
    devx_set(to, 0x30, 8, MLX5_DM_SIZES);
    devx_set(to, 0x200, 32, 1 << MLX5_DM_INCREMENT | 1 << MLX5_DM_TEST_AND_SET);
}

/* Answers whole, or as much as the caller has room for. */
int devx_query_caps(struct devx_call *c)
{
    static uint8_t caps[4096];
    unsigned kind = (unsigned)in(c, 0x30, 16) >> 1;

    if (in(c, 0x40, 1))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x40, 1, "there is no other function");
    if (kind > 0x20)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x30, 16, "there are no capabilities of kind 0x%x", kind);
    memset(caps, 0, sizeof caps);
    if (kind == 0)
        general_caps(c, caps);
    if (kind == 0 && c->ctx->dev->link_layer == IBV_LINK_LAYER_INFINIBAND)
        tag_matching_caps(caps);
    if (sim_has_frames(c->ctx->dev)) {
        if (kind == 0)
            mlx5_steering_caps(c->ctx->dev, caps);
        if (kind == CAPS_ETHERNET)
            devx_set(caps, 0x12, 2, 2); /* descriptors need no part of the frame */
        if (kind == CAPS_ROCE)
            mlx5_roce_caps(caps);
        if (kind == CAPS_FLOW_TABLES)
            mlx5_flow_table_caps(c->ctx->dev, caps);
        if (kind == CAPS_DEVICE_MEMORY)
            mlx5_icm_caps(caps);
    }
    if (kind == CAPS_ODP)
        odp_caps(caps);
    if (kind == CAPS_QOS)
        qos_caps(caps);
    if (kind == CAPS_DEVICE_MEMORY)
        device_memory_caps(caps);
    if (kind == CAPS_GENERAL_2)
        general_2_caps(caps);
    if (kind == CAPS_ATOMIC) { /* masked ones of 4 and 8 bytes, too */
        devx_set(caps, 0x90, 16, 1 | 2 | 4 | 8);
        devx_set(caps, 0xb0, 16, 4 | 8);
    }
    if (kind == CAPS_ATOMIC && sim_config.caps) {
        devx_set(caps, 0x280, 16, IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP);
        devx_set(caps, 0x290, 16, IBV_PCI_ATOMIC_OPERATION_4_BYTE_SIZE_SUP);
        devx_set(caps, 0x2a0, 16,
            IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP | IBV_PCI_ATOMIC_OPERATION_16_BYTE_SIZE_SUP);
    }
    memcpy(c->out + 16, caps, c->out_length - 16 < sizeof caps ? c->out_length - 16 : sizeof caps);
    return 0;
}
