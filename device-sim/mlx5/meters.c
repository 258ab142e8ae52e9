/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * General objects that steering leads through. A sampler gives a table each nth frame, and another one all of them. A
 * meter colours frames by how many bytes there were: it is a bucket of bytes, which fills at a rate.
 */
#include <stdlib.h>

#include "steering.h"

#define BODY 0x80 /* where an object begins in its mailbox */
#define SAMPLER_RX 0xc0 /* in its body */
#define SAMPLER_TX 0x100
#define METER_RX 0x380
#define METER_TX 0x3c0
#define METER_PARAMETERS 0x100
enum { NIC_RX, NIC_TX };
enum { RED = 0, GREEN = 2 };

static uint32_t in(const struct devx_call *c, unsigned at, unsigned width)
{
    return (uint32_t)devx_get(c->in, BODY + at, width);
}

static uint64_t of(const struct devx_object *o, unsigned at, unsigned width)
{
    return devx_get(o->body, at, width);
}

struct devx_object *mlx5_steering_object(const struct sim_device *dev, uint32_t number, uint16_t type)
{
    struct devx_object *o = mlx5_devx_anywhere(dev, OP_CREATE_GENERAL_OBJECT, number);

    return o && o->type == type ? o : NULL;
}

/* A table of the same context, of the type that the object has. */
static bool has_table(const struct devx_call *c, unsigned at, unsigned type)
{
    const struct devx_object *table = devx_find(c->ctx, OP_CREATE_FLOW_TABLE, in(c, at, 24));

    return table && table->type == type;
}

static int no_table(struct devx_call *c, unsigned at)
{
    return devx_refuse(c, DEVX_BAD_RES, BODY + at, 24, "there is no table 0x%x of this type", in(c, at, 24));
}

int mlx5_judge_sampler(struct devx_call *c)
{
    unsigned type = in(c, 0x40, 8);

    if (type != NIC_RX)
        return devx_refuse(c, DEVX_BAD_PARAM, BODY + 0x40, 8, "a sampler of tables of type %u", type);
    if (!in(c, 0x60, 32))
        return devx_refuse(c, DEVX_BAD_PARAM, BODY + 0x60, 32, "a sample of each 0th frame");
    if (!has_table(c, 0x88, type))
        return no_table(c, 0x88);
    return has_table(c, 0xa8, type) ? 0 : no_table(c, 0xa8);
}

int mlx5_judge_meter(struct devx_call *c)
{
    unsigned type = in(c, 0x48, 8);

    if (type > NIC_TX)
        return devx_refuse(c, DEVX_BAD_PARAM, BODY + 0x48, 8, "a meter of tables of type %u", type);
    if (in(c, 0x44, 4) > 7)
        return devx_refuse(c, DEVX_BAD_PARAM, BODY + 0x44, 4, "there is no register C%u", in(c, 0x44, 4));
    if (in(c, METER_PARAMETERS + 6, 2) || in(c, METER_PARAMETERS + 4, 1))
        return devx_refuse(c, DEVX_BAD_PARAM, BODY + METER_PARAMETERS, 8,
            "a meter of packets, or of two buckets at once");
    return has_table(c, 0x68, type) ? 0 : no_table(c, 0x68);
}

/* Whether it works, and its parameters: those that the first bits select, from the last one. */
int mlx5_change_meter(struct devx_call *c, struct devx_object *o)
{
    static const struct { uint16_t at, width; } selected[] = { /* what is committed comes before what exceeds it */
        {0x40, 1}, {METER_PARAMETERS + 0x40, 16}, {METER_PARAMETERS + 0x53, 13}, {METER_PARAMETERS + 0x80, 16},
        {METER_PARAMETERS + 0x93, 13}};
    uint64_t select = devx_get(c->in, BODY, 64);

    if (select >> sizeof selected / sizeof *selected)
        return devx_refuse(c, DEVX_BAD_PARAM, BODY, 64, "there is no field of a meter to select with 0x%llx",
            (unsigned long long)select);
    for (unsigned i = 0; i < sizeof selected / sizeof *selected; i++)
        if (select >> i & 1)
            devx_set(o->body, selected[i].at, selected[i].width, in(c, selected[i].at, selected[i].width));
    return 0;
}

bool mlx5_sample(struct sim_flight *f, struct devx_object *o)
{
    struct sim_flight *copy;

    if (!(o->frames++ % of(o, 0x60, 32)) && (copy = sim_flight_copy(f))) {
        mlx5_into_table(copy, o->uses[1]);
        free(copy);
    }
    return mlx5_into_table(f, o->uses[0]);
}

/* Bytes a second: so many 2^-n parts of 10^9. */
static uint64_t rate_of(const struct devx_object *o)
{
    return (1000000000ull * of(o, METER_PARAMETERS + 0x58, 8)) >> of(o, METER_PARAMETERS + 0x53, 5);
}

/* The bucket holds what was committed at once, but a frame at least. */
static int64_t room_of(const struct devx_object *o)
{
    unsigned exponent = (unsigned)of(o, METER_PARAMETERS + 0x40, 8);
    uint64_t bytes = of(o, METER_PARAMETERS + 0x48, 8) << (exponent < 32 ? exponent : 32);

    return bytes > SIM_MAX_FRAME ? (int64_t)bytes : SIM_MAX_FRAME;
}

/* Where steering finds it, and what it has to keep. */
void mlx5_begin_steering_object(struct devx_object *o)
{
    bool sampler = o->type == DEVX_OBJECT_FLOW_SAMPLER;
    uint64_t at = mlx5_icm_of(sampler ? ICM_SAMPLER : ICM_METER, o->id);

    devx_set(o->body, sampler ? SAMPLER_RX : METER_RX, 64, at);
    devx_set(o->body, sampler ? SAMPLER_TX : METER_TX, 64, at);
    o->uses[0] = devx_find(o->obj.ctx, OP_CREATE_FLOW_TABLE, (uint32_t)of(o, sampler ? 0xa8 : 0x68, 24));
    if (sampler) {
        o->uses[1] = devx_find(o->obj.ctx, OP_CREATE_FLOW_TABLE, (uint32_t)of(o, 0x88, 24));
        return;
    }
    o->bucket = room_of(o); /* it begins full */
    o->filled_at = sim_clock();
}

static unsigned colour_of(struct devx_object *o, size_t length)
{
    uint64_t now = sim_clock(), passed = now - o->filled_at;
    uint64_t second = 1000000000, bytes = (passed < second ? passed : second) * (rate_of(o) / 1000) / 1000000;
    int64_t room = room_of(o);

    if (bytes) { /* less than a byte is not lost */
        o->bucket += (int64_t)bytes;
        o->filled_at = now;
    }
    if (o->bucket > room)
        o->bucket = room;
    if (o->bucket < (int64_t)length)
        return RED;
    o->bucket -= (int64_t)length;
    return GREEN;
}

bool mlx5_meter(struct sim_flight *f, struct devx_object *o)
{
    if (of(o, 0x40, 1))
        f->mark[of(o, 0x44, 4)] = colour_of(o, f->length);
    return mlx5_into_table(f, o->uses[0]);
}
