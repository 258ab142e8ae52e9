/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow tables of DevX. Those of software are an address that entries begin at; the device's own have one entry, for all
 * frames, in one group: the lists of receivers that libmlx5 makes of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "steering.h"

enum { NIC_RX = 0, NIC_TX = 1, RDMA_RX = 7, RDMA_TX = 8 };
enum { ALLOW = 1, DROP = 2, FORWARD = 4, COUNT = 8 };
enum { TO_TABLE = 1, TO_RECEIVER = 2 };

#define MAX_TABLES 64 /* that a frame comes through */
#define TYPE 0x80
#define TABLE 0xa8
#define CONTEXT 0xc0
#define SW_OWNER 2 /* in the context of a table */
#define LEVEL 8
#define ROOT_1 0xc0
#define ROOT_0 0x100
#define ENTRY 0x200
#define DESTINATIONS 0x1a00
/* The body of a table: its context. Of an entry: its context, and what follows. */
#define ENTRY_BYTES ((DESTINATIONS - ENTRY) / 8)

static uint32_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return (uint32_t)devx_get(c->in, at, width);
}

/* -- found by number ----------------------------------------------------------------------------- */

struct devx_object *mlx5_devx_anywhere(const struct sim_device *dev, uint16_t opcode, uint32_t number)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct devx_object *o = sim_is_live(sim_contexts[i]) && sim_contexts[i]->dev == dev ?
            devx_find(sim_contexts[i], opcode, number) : NULL;

        if (o)
            return o;
    }
    return NULL;
}

struct devx_object *mlx5_flow_table(const struct sim_device *dev, uint32_t number)
{
    return mlx5_devx_anywhere(dev, OP_CREATE_FLOW_TABLE, number);
}

/* Of several that were allocated together each has a number. */
bool mlx5_count_flow(const struct sim_flight *f, uint32_t counter)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; sim_is_live(ctx) && ctx->dev == f->dev && h < ctx->n_objs; h++) {
            struct devx_object *o = sim_obj_get(ctx, h, SIM_DEVX_OBJECT);

            if (!o || !o->tally || counter < o->id || counter - o->id >= o->n_tallies)
                continue;
            o->tally[2 * (size_t)(counter - o->id)]++;
            o->tally[2 * (size_t)(counter - o->id) + 1] += f->length;
            return true;
        }
    }
    return false;
}

struct sim_qp *mlx5_receiver(const struct sim_device *dev, uint32_t number)
{
    const struct devx_object *tir;

    for (uint32_t i = 0; i < dev->n_qps; i++)
        if (dev->qp[i] && dev->qp[i]->type == IB_UVERBS_QPT_RAW_PACKET && number &&
            ((struct mlx5_qp *)dev->qp[i]->hw)->tirn == number)
            return dev->qp[i];
    tir = mlx5_devx_anywhere(dev, OP_CREATE_TIR, number); /* which has no place among queue pairs */
    return tir ? tir->qp : NULL;
}

/* -- tables ---------------------------------------------------------------------------------------- */

static bool is_type(unsigned type)
{
    return type == NIC_RX || type == NIC_TX || type == RDMA_RX || type == RDMA_TX;
}

unsigned mlx5_table_type(bool egress, bool rdma)
{
    return (rdma ? RDMA_RX : NIC_RX) + egress;
}

static bool is_software(const struct devx_object *table)
{
    return devx_get(table->body, SW_OWNER, 1);
}

static bool may_begin_at(const struct devx_call *c, uint64_t root)
{
    return in(c, TYPE, 8) <= NIC_TX && !(root % ICM_STE) && mlx5_icm_at(c->ctx->dev, root, ICM_STE);
}

int devx_create_flow_table(struct devx_call *c)
{
    uint64_t root = devx_get(c->in, CONTEXT + ROOT_0, 64);
    struct devx_object *o;

    if (!sim_has_frames(c->ctx->dev) || !is_type(in(c, TYPE, 8)))
        return devx_refuse(c, DEVX_BAD_PARAM, TYPE, 8, "there are no tables of type %u", in(c, TYPE, 8));
    if (in(c, CONTEXT + LEVEL, 8) > MAX_TABLE_LEVEL)
        return devx_refuse(c, DEVX_BAD_PARAM, CONTEXT + LEVEL, 8, "level %u is above %u", in(c, CONTEXT + LEVEL, 8),
            MAX_TABLE_LEVEL);
    if (in(c, CONTEXT + SW_OWNER, 1) ? !may_begin_at(c, root) : root)
        return devx_refuse(c, DEVX_BAD_PARAM, CONTEXT + ROOT_0, 64, "no entry of a table of this kind is at 0x%llx",
            (unsigned long long)root);
    o = devx_make(c, CONTEXT, 40);
    if (!o)
        return ENOMEM;
    o->type = (uint16_t)in(c, TYPE, 8);
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

int devx_query_flow_table(struct devx_call *c)
{
    const struct devx_object *o = (const struct devx_object *)c->target;

    if (in(c, TYPE, 8) != o->type)
        return devx_refuse(c, DEVX_BAD_PARAM, TYPE, 8, "the table is of type %u", o->type);
    memcpy(c->out + CONTEXT / 8, o->body, o->size);
    if (!is_software(o))
        devx_set(c->out, CONTEXT + ROOT_0, 64, mlx5_icm_of(ICM_TABLE, o->id));
    return 0;
}

/* The device's own table that a command names, or NULL and it is refused. */
static struct devx_object *own_table(struct devx_call *c)
{
    struct devx_object *o = devx_find(c->ctx, OP_CREATE_FLOW_TABLE, in(c, TABLE, 24));

    if (o && o->type == in(c, TYPE, 8) && !is_software(o))
        return o;
    devx_refuse(c, DEVX_BAD_RES, TABLE, 24, "there is no table 0x%x of the device's own, of type %u", in(c, TABLE, 24),
        in(c, TYPE, 8));
    return NULL;
}

/* What hangs on a table: its group, its entry; or NULL. */
static struct devx_object *part_of(const struct devx_object *table, uint16_t opcode)
{
    struct sim_context *ctx = table->obj.ctx;

    for (uint32_t h = 0; h < ctx->n_objs; h++) {
        struct devx_object *o = sim_obj_get(ctx, h, SIM_DEVX_OBJECT);

        if (o && o->opcode == opcode && o->uses[0] == table)
            return o;
    }
    return NULL;
}

int devx_create_flow_group(struct devx_call *c)
{
    struct devx_object *table = own_table(c), *o;

    if (!table)
        return EREMOTEIO;
    if (part_of(table, OP_CREATE_FLOW_GROUP))
        return devx_refuse(c, DEVX_BAD_PARAM, TABLE, 24, "a second group in a table is not simulated");
    o = devx_make(c, 0, 0);
    if (!o)
        return ENOMEM;
    o->uses[0] = table;
    devx_set(c->out, 0x48, 24, o->id);
    return 0;
}

/* -- entries --------------------------------------------------------------------------------------- */

static uint64_t of(const struct devx_object *entry, unsigned at, unsigned width)
{
    return devx_get(entry->body, at - ENTRY, width);
}

static bool is_extended(const struct devx_object *entry)
{
    return of(entry, ENTRY + 0x80, 1);
}

/* One of the list: first destinations, then counters. */
static const uint8_t *element(const uint8_t *context, bool extended, unsigned i)
{
    return context + ENTRY_BYTES + (size_t)(extended ? 16 : 8) * i;
}

static int judge_destination(struct devx_call *c, const uint8_t *d, const struct devx_object *table)
{
    unsigned at = (unsigned)(8 * (d - c->in)), type = d[0];
    uint32_t number = in(c, at + 8, 24);
    const struct devx_object *to = type == TO_TABLE ? mlx5_flow_table(c->ctx->dev, number) : NULL;

    if (in(c, at + 0x20, 32))
        return devx_refuse(c, DEVX_BAD_PARAM, at + 0x20, 32,
            "destinations with headers of their own are not simulated");
    if (type == TO_RECEIVER && table->type == NIC_RX && mlx5_receiver(c->ctx->dev, number))
        return 0;
    if (to && to->type == table->type && to != table)
        return 0;
    if (type == TO_TABLE && table->type == NIC_RX && mlx5_anchor(c->ctx->dev, number, NULL))
        return 0;
    return devx_refuse(c, DEVX_BAD_RES, at, 32, "there is no destination 0x%x of kind %u", number, type);
}

static int judge_entry(struct devx_call *c, const struct devx_object *table)
{
    uint32_t action = in(c, ENTRY + 0x70, 16), n = in(c, ENTRY + 0x88, 24), counters = in(c, ENTRY + 0xa8, 24);
    bool extended = in(c, ENTRY + 0x80, 1);
    const uint8_t *context = c->in + ENTRY / 8;
    const struct devx_object *group = part_of(table, OP_CREATE_FLOW_GROUP);

    if (!group || group->id != in(c, ENTRY + 0x20, 32))
        return devx_refuse(c, DEVX_BAD_RES, ENTRY + 0x20, 32, "the table has no group 0x%x", in(c, ENTRY + 0x20, 32));
    if (part_of(table, OP_SET_FLOW_ENTRY))
        return devx_refuse(c, DEVX_BAD_PARAM, TABLE, 24, "a second entry in a table is not simulated");
    if (action & ~(uint32_t)(ALLOW | DROP | FORWARD | COUNT) ||
        __builtin_popcount(action & (ALLOW | DROP | FORWARD)) != 1)
        return devx_refuse(c, DEVX_BAD_PARAM, ENTRY + 0x70, 16, "actions 0x%x", action);
    if (!(action & FORWARD) != !n || !(action & COUNT) != !counters || n > 64 || counters > 1)
        return devx_refuse(c, DEVX_BAD_PARAM, ENTRY + 0x88, 24, "%u destinations, %u counters, actions 0x%x", n,
            counters, action);
    if (c->in_length != DESTINATIONS / 8 + (size_t)(extended ? 16 : 8) * (n + counters))
        return devx_refuse(c, DEVX_BAD_INP_LEN, ENTRY + 0x88, 24, "its input has %zu bytes", c->in_length);
    for (uint32_t i = 0; i < n; i++) {
        int error = judge_destination(c, element(context, extended, i), table);

        if (error)
            return error;
    }
    return 0;
}

int devx_create_flow_entry(struct devx_call *c)
{
    struct devx_object *table = own_table(c), *o;
    int error = table ? judge_entry(c, table) : EREMOTEIO;

    if (error)
        return error;
    o = devx_make(c, ENTRY, c->in_length - ENTRY / 8);
    if (!o)
        return ENOMEM;
    o->uses[0] = table;
    o->uses[1] = part_of(table, OP_CREATE_FLOW_GROUP);
    return 0;
}

/* -- frames ---------------------------------------------------------------------------------------- */

/* Each has the frame as it came. */
static bool forward(const struct sim_flight *f, const uint8_t *d)
{
    uint32_t number = (uint32_t)devx_get(d, 8, 24);
    const struct devx_object *table = d[0] == TO_TABLE ? mlx5_flow_table(f->dev, number) : NULL;
    struct sim_qp *qp = d[0] == TO_RECEIVER ? mlx5_receiver(f->dev, number) : NULL;
    struct sim_flight *copy = sim_flight_copy(f);
    unsigned order;
    bool goes_on = false;

    if (copy && qp)
        sim_flight_deliver(copy, qp);
    else if (copy && table)
        goes_on = mlx5_into_table(copy, table);
    else if (copy && d[0] == TO_TABLE && mlx5_anchor(f->dev, number, &order))
        goes_on = sim_flight_steer(copy, order);
    free(copy);
    return goes_on;
}

static bool run_entry(struct sim_flight *f, const struct devx_object *entry)
{
    unsigned action = (unsigned)of(entry, ENTRY + 0x70, 16), n = (unsigned)of(entry, ENTRY + 0x88, 24);
    bool goes_on = action & ALLOW && (f->egress || f->rdma);

    if (action & COUNT)
        mlx5_count_flow(f, (uint32_t)devx_get(element(entry->body, is_extended(entry), n), 0, 32));
    if (of(entry, ENTRY + 0x48, 24))
        f->tag = (uint32_t)of(entry, ENTRY + 0x48, 24);
    for (unsigned i = 0; i < n; i++)
        goes_on |= forward(f, element(entry->body, is_extended(entry), i));
    return goes_on;
}

/* From a table of the device's own that has no entry, frames that arrive go nowhere, and all else goes on. */
bool mlx5_into_table(struct sim_flight *f, const struct devx_object *table)
{
    const struct devx_object *entry;

    if (table->type != mlx5_table_type(f->egress, f->rdma)) {
        sim_violation(NULL, 0, 0, 0, "%s: table 0x%x is of another direction", f->dev->name, table->id);
        return false;
    }
    if (++f->tables > MAX_TABLES) {
        sim_violation(NULL, 0, 0, 0, "%s: table 0x%x and others lead to each other", f->dev->name, table->id);
        return false;
    }
    if (is_software(table))
        return mlx5_walk(f, devx_get(table->body, ROOT_0, 64));
    entry = part_of(table, OP_SET_FLOW_ENTRY);
    return entry ? run_entry(f, entry) : f->egress || f->rdma;
}

/* -- headers to put in front ------------------------------------------------------------------------- */

enum { L2_TO_L2_TUNNEL = 2, L2_TO_L3_TUNNEL = 4 };

int devx_alloc_reformat(struct devx_call *c)
{
    uint32_t type = in(c, 0xe5, 3), size = in(c, 0xf6, 10);
    struct devx_object *o;

    if (type != L2_TO_L2_TUNNEL && type != L2_TO_L3_TUNNEL)
        return devx_refuse(c, DEVX_BAD_PARAM, 0xe5, 3, "headers of kind %u are not simulated", type);
    if (size < SIM_ETHERNET || size > MAX_REFORMAT || c->in_length != (0x110 / 8 + size + 3) / 4 * 4)
        return devx_refuse(c, DEVX_BAD_PARAM, 0xf6, 10, "%u bytes of headers, in a command of %zu", size, c->in_length);
    o = devx_make(c, 0xe0, c->in_length - 0xe0 / 8);
    if (!o)
        return ENOMEM;
    devx_set(c->out, 0x40, 32, o->id);
    return 0;
}
