/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* General objects of DevX: what each kind of them has, in a mailbox of its own size. */
#include <errno.h>
#include <string.h>

#include "steering.h"

#define BODY 0x80 /* where the object begins, behind the header */

/* Fields of a scheduling element, as the mailbox has them. */
#define SELECT 0x80 /* 64 bits: which of the last two are meant */
#define HIERARCHY 0xc0
#define ELEMENT 0x180
#define TSAR 0x1a8
#define PARENT 0x1c0
#define BW_SHARE 0x220
#define MAX_BW 0x240
enum { SELECT_SHARE = 1, SELECT_MAX = 2 };
enum { HIERARCHY_NIC = 3, ELEMENT_TSAR = 0, ELEMENT_QUEUES = 4 };

static uint64_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return devx_get(c->in, at, width);
}

/* The body's field, which is where the mailbox has it. */
static uint32_t has(const struct devx_object *o, unsigned at)
{
    return (uint32_t)devx_get(o->body, at - BODY, 32);
}

static struct devx_object *find(struct sim_context *ctx, uint32_t id, uint16_t type)
{
    struct devx_object *o = devx_find(ctx, OP_CREATE_GENERAL_OBJECT, id);

    return o && o->type == type ? o : NULL;
}

/* -- scheduling elements: nodes of a tree, and groups of queues, which are its leaves -------------- */

static int judge_element(struct devx_call *c, struct devx_object *changed)
{
    uint64_t select = in(c, SELECT, 64);
    uint32_t element = (uint32_t)in(c, ELEMENT, 8), parent = (uint32_t)in(c, PARENT, 32);
    struct devx_object *above = find(c->ctx, parent, DEVX_OBJECT_SCHEDULING);

    if (select & ~(uint64_t)(SELECT_SHARE | SELECT_MAX))
        return devx_refuse(c, DEVX_BAD_PARAM, SELECT, 64, "of a scheduling element share and maximum can be selected");
    if (in(c, HIERARCHY, 8) != HIERARCHY_NIC)
        return devx_refuse(c, DEVX_BAD_PARAM, HIERARCHY, 8, "the hierarchy is %u, this is a NIC", (unsigned)in(c, HIERARCHY, 8));
    if (element != ELEMENT_TSAR && element != ELEMENT_QUEUES)
        return devx_refuse(c, DEVX_BAD_PARAM, ELEMENT, 8, "elements of kind %u are not simulated", element);
    if (in(c, TSAR, 8))
        return devx_refuse(c, DEVX_BAD_PARAM, TSAR, 8, "a node shares by weights alone");
    if (!(select & SELECT_SHARE) && in(c, BW_SHARE, 32))
        return devx_refuse(c, DEVX_BAD_PARAM, BW_SHARE, 32, "a share that is not selected");
    if (!(select & SELECT_MAX) && in(c, MAX_BW, 32))
        return devx_refuse(c, DEVX_BAD_PARAM, MAX_BW, 32, "a maximum that is not selected");
    if (changed)
        return element == has(changed, ELEMENT) >> 24 && !parent ? 0 :
            devx_refuse(c, DEVX_BAD_PARAM, parent ? PARENT : ELEMENT, 8, "neither kind nor parent of an element changes");
    if (parent ? !above || has(above, ELEMENT) >> 24 != ELEMENT_TSAR : element != ELEMENT_TSAR)
        return devx_refuse(c, DEVX_BAD_RES, PARENT, 32, "there is no node 0x%x to be its parent", parent);
    return 0;
}

/* kbit/s: the least that any of its elements up to the root allows, which are in Mbit/s; 0: no limit. */
static uint32_t rate_of(const struct devx_object *leaf)
{
    uint64_t least = 0;

    for (const struct devx_object *o = leaf; o; o = o->uses[0]) {
        uint64_t max = has(o, MAX_BW);

        if (max && (!least || max < least))
            least = max;
    }
    return (uint32_t)(least * 1000);
}

/* Each queue pair has the whole rate of its group: that several share it is not simulated. */
static void pace(struct sim_qp *qp)
{
    const struct mlx5_qp *h = qp->hw;

    qp->rate = h->requester_group ? rate_of(find(qp->obj.ctx, h->requester_group, DEVX_OBJECT_SCHEDULING)) : 0;
    qp->burst = 0;
    qp->paced_until = 0;
}

static int change_element(struct devx_call *c)
{
    struct devx_object *o = (struct devx_object *)c->target;
    uint64_t select = in(c, SELECT, 64);
    int error = judge_element(c, o);

    if (error)
        return error;
    if (select & SELECT_SHARE)
        devx_set(o->body, BW_SHARE - BODY, 32, in(c, BW_SHARE, 32));
    if (select & SELECT_MAX)
        devx_set(o->body, MAX_BW - BODY, 32, in(c, MAX_BW, 32));
    for (uint32_t h = 0; h < c->ctx->n_objs; h++) {
        struct sim_qp *qp = sim_obj_get(c->ctx, h, SIM_QP);

        if (qp && ((struct mlx5_qp *)qp->hw)->requester_group)
            pace(qp);
    }
    return 0;
}

int devx_join_groups(struct devx_call *c, struct sim_qp *qp, unsigned at)
{
    struct mlx5_qp *h = qp->hw;
    uint32_t group[2] = {(uint32_t)in(c, at, 32), (uint32_t)in(c, at + 32, 32)};

    for (unsigned i = 0; i < 2; i++) {
        const struct devx_object *o = find(c->ctx, group[i], DEVX_OBJECT_SCHEDULING);

        if (group[i] && (!o || has(o, ELEMENT) >> 24 != ELEMENT_QUEUES))
            return devx_refuse(c, DEVX_BAD_RES, at + 32 * i, 32, "there is no group of queues 0x%x", group[i]);
    }
    if (group[1] && qp->type != IB_UVERBS_QPT_RC)
        return devx_refuse(c, DEVX_BAD_PARAM, at + 32, 32, "this queue pair answers nothing");
    h->requester_group = group[0];
    h->responder_group = group[1];
    pace(qp);
    return 0;
}

/* -- address vectors that stand for the number of a queue pair ------------------------------------- */

static int judge_mapping(struct devx_call *c)
{
    if (in(c, 0xe0, 8))
        return devx_refuse(c, DEVX_BAD_PARAM, 0xe0, 8, "the queue pair's number has 24 bits");
    if (in(c, 0x1e4, 8) >= c->ctx->dev->n_gids)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x1e4, 8, "there is no GID %u", (unsigned)in(c, 0x1e4, 8));
    return 0;
}

/* -- numbers of queue pairs that the device gives to no other ---------------------------------------- */

#define FIRST_RESERVED 0xc00000u /* beyond those of all processes */

static bool is_reserved(const struct sim_device *dev, uint32_t id)
{
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_contexts[i] && sim_contexts[i]->dev == dev && find(sim_contexts[i], id, DEVX_OBJECT_RESERVED_QPN))
            return true;
    return false;
}

/* Each process has some, as it has of the others. */
static uint32_t free_numbers(const struct sim_device *dev)
{
    uint32_t id = FIRST_RESERVED + (sim_first_qpn() >> SIM_QPN_BITS << (SIM_QPN_BITS - 1));

    while (is_reserved(dev, id))
        id += 1u << DEVX_LOG_RESERVED;
    return id;
}

static int judge_numbers(struct devx_call *c)
{
    return in(c, 0x63, 5) == DEVX_LOG_RESERVED ? 0 : devx_refuse(c, DEVX_BAD_PARAM, 0x63, 5,
        "numbers come in blocks of %u, not of %u", 1u << DEVX_LOG_RESERVED, 1u << in(c, 0x63, 5));
}

/* -- the commands ------------------------------------------------------------------------------------ */

static int judge_new_element(struct devx_call *c)
{
    return judge_element(c, NULL);
}

struct field {
    uint16_t at, width;
};

static const struct kind {
    uint16_t type, length;
    struct field field[10];
    int (*judge)(struct devx_call *c);
    bool changes;
} kinds[] = {
    {DEVX_OBJECT_FLOW_METER, 144, {{0x80, 64}, {0xc0, 1}, {0xc4, 12}, {0xe8, 24}, {0x180, 256}},
        mlx5_judge_meter, true},
    {DEVX_OBJECT_FLOW_SAMPLER, 56, {{0xc0, 16}, {0xdf, 33}, {0x108, 24}, {0x128, 24}}, mlx5_judge_sampler, false},
    {DEVX_OBJECT_SCHEDULING, 144, {{SELECT, 64}, {HIERARCHY, 8}, {ELEMENT, 8}, {TSAR, 8}, {PARENT, 32}, {BW_SHARE, 32},
        {MAX_BW, 32}}, judge_new_element, true},
    {DEVX_OBJECT_RESERVED_QPN, 32, {{0}}, judge_numbers, false},
    {DEVX_OBJECT_AV_QP_MAPPING, 80, {{0xe0, 32}, {0x164, 4}, {0x1e4, 8}, {0x200, 128}}, judge_mapping, false},
};

static const struct kind *kind_of(uint16_t type)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

/* What is no field of this kind is reserved. */
static int judge_body(struct devx_call *c, const struct kind *kind)
{
    if (c->in_length != kind->length)
        return devx_refuse(c, DEVX_BAD_INP_LEN, 0, 16, "its input has %u bytes, not %zu", kind->length, c->in_length);
    for (unsigned bit = BODY; bit < 8 * kind->length; bit++) {
        bool known = false;

        for (const struct field *f = kind->field; f->width && !known; f++)
            known = bit >= f->at && bit < (unsigned)f->at + f->width;
        if (!known && in(c, bit, 1))
            return devx_refuse(c, DEVX_BAD_PARAM, bit, 1, "bit 0x%x is reserved, and set", bit);
    }
    return 0;
}

int devx_create_general(struct devx_call *c)
{
    const struct kind *kind = kind_of((uint16_t)in(c, 0x30, 16));
    struct devx_object *o;
    int error;

    if (!kind)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x30, 16, "general objects of type 0x%x are not simulated",
            (unsigned)in(c, 0x30, 16));
    if (in(c, 0x40, 32) || (in(c, 0x63, 5) && kind->type != DEVX_OBJECT_RESERVED_QPN))
        return devx_refuse(c, DEVX_BAD_PARAM, 0x40, 32, "the device chooses the number, and makes one at a time");
    error = judge_body(c, kind);
    if (!error)
        error = kind->judge(c);
    if (error)
        return error;
    o = devx_make(c, BODY, kind->length - BODY / 8u);
    if (!o)
        return ENOMEM;
    o->type = kind->type;
    if (kind->type == DEVX_OBJECT_SCHEDULING)
        devx_uses(o, (struct devx_object *[3]){find(c->ctx, (uint32_t)in(c, PARENT, 32), DEVX_OBJECT_SCHEDULING)});
    if (kind->type == DEVX_OBJECT_FLOW_METER || kind->type == DEVX_OBJECT_FLOW_SAMPLER)
        mlx5_begin_steering_object(o);
    if (kind->type == DEVX_OBJECT_RESERVED_QPN) {
        o->id = 0; /* so that it does not find itself */
        o->id = free_numbers(c->ctx->dev);
    }
    devx_set(c->out, 0x40, 32, o->id);
    return 0;
}

int devx_modify_general(struct devx_call *c)
{
    struct devx_object *o = (struct devx_object *)c->target;
    const struct kind *kind = kind_of(o->type);
    int error;

    if (in(c, 0x30, 16) != o->type || !kind->changes)
        return devx_refuse(c, DEVX_BAD_PARAM, 0x30, 16, "the object is of type 0x%x, or does not change", o->type);
    error = judge_body(c, kind);
    if (error)
        return error;
    if (kind->type == DEVX_OBJECT_SCHEDULING)
        return change_element(c);
    return mlx5_change_meter(c, o);
}
