/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the device's table of rates, by which queues of packets can be paced, and what a port is to the switch inside
 * the device. Nothing is paced by an entry, which has a number and nothing else.
 */
#include <errno.h>
#include <string.h>

#include "mlx5.h"

#define ENTRIES 127
#define CONTEXT 48 /* bytes: rate, bursts, size of packets */
#define MAX_RATE 100000000u /* kbit/s */

struct entry {
    struct sim_obj obj;
    uint8_t context[CONTEXT];
    bool dedicated;
    uint16_t index; /* from 1 */
};

/* Of all contexts of the device: those before `after` are passed over, NULL: none is. */
static struct entry *next_entry(const struct sim_device *dev, const struct entry *after)
{
    for (int i = 0; i < sim_n_contexts; i++)
        for (uint32_t h = 0; sim_contexts[i] && sim_contexts[i]->dev == dev && h < sim_contexts[i]->n_objs; h++) {
            struct entry *e = sim_obj_get(sim_contexts[i], h, SIM_PACING);

            if (e && !after)
                return e;
            if (e == after)
                after = NULL;
        }
    return NULL;
}

static uint16_t free_index(const struct sim_device *dev)
{
    bool used[ENTRIES + 1] = {true};
    uint16_t index = 0;

    for (const struct entry *e = next_entry(dev, NULL); e; e = next_entry(dev, e))
        used[e->index] = true;
    while (index <= ENTRIES && used[index])
        index++;
    return index > ENTRIES ? 0 : index;
}

/* Who asks for the same has the same entry, but for those who want one of their own. */
static uint16_t shared_index(const struct sim_device *dev, const uint8_t *context)
{
    for (const struct entry *e = next_entry(dev, NULL); e; e = next_entry(dev, e))
        if (!e->dedicated && !memcmp(e->context, context, CONTEXT))
            return e->index;
    return 0;
}

static int alloc(struct sim_cmd *cmd)
{
    const struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX);
    uint64_t flags = sim_in_u64(cmd, MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS, 0);
    uint8_t context[CONTEXT];
    uint16_t index;
    uint32_t rate;
    struct entry *e;

    if (!a || !a->len || a->len > CONTEXT || flags & ~(uint64_t)MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX)
        return EINVAL;
    sim_in(cmd, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX, context, sizeof context);
    memcpy(&rate, context, sizeof rate);
    if (!rate || be32toh(rate) > MAX_RATE)
        return EINVAL;
    index = flags ? 0 : shared_index(cmd->ctx->dev, context);
    if (!index)
        index = free_index(cmd->ctx->dev);
    if (!index)
        return ENOSPC;
    e = sim_obj_new(cmd->ctx, SIM_PACING, sizeof *e);
    if (!e)
        return ENOMEM;
    memcpy(e->context, context, CONTEXT);
    e->dedicated = flags;
    e->index = index;
    sim_out_obj(cmd, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, &e->obj);
    sim_out(cmd, MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, &index, sizeof index);
    return 0;
}

/* A device without a switch inside says nothing of it; one that claims everything, all, each number another one. */
static int query_port(struct sim_cmd *cmd)
{
    uint64_t port = sim_in_u64(cmd, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, 0);
    struct mlx5_ib_uapi_query_port r = {0};

    if (port < 1 || port > (unsigned)cmd->ctx->dev->n_ports)
        return EINVAL;
    if (sim_config.caps)
        r = (struct mlx5_ib_uapi_query_port){.flags = MLX5_IB_UAPI_QUERY_PORT_VPORT | MLX5_IB_UAPI_QUERY_PORT_VPORT_VHCA_ID |
            MLX5_IB_UAPI_QUERY_PORT_VPORT_STEERING_ICM_RX | MLX5_IB_UAPI_QUERY_PORT_VPORT_STEERING_ICM_TX |
            MLX5_IB_UAPI_QUERY_PORT_VPORT_REG_C0 | MLX5_IB_UAPI_QUERY_PORT_ESW_OWNER_VHCA_ID,
            .vport = (uint16_t)(0x6000 + port), .vport_vhca_id = (uint16_t)(0x6100 + port), .esw_owner_vhca_id = 0x6200,
            .vport_steering_icm_rx = 0x6300000000 + port, .vport_steering_icm_tx = 0x6400000000 + port,
            .reg_c0 = {.value = (uint32_t)(0x65000000 + (port << 16)), .mask = 0xffff0000}};
    sim_out(cmd, MLX5_IB_ATTR_QUERY_PORT, &r, sizeof r);
    return 0;
}

/* 0 or an errno; -1 for a method that is about something else. */
int mlx5_pacing_method(struct sim_cmd *cmd)
{
    uint16_t object = cmd->hdr->object_id, method = cmd->hdr->method_id;
    struct sim_obj *e;

    if (object == UVERBS_OBJECT_DEVICE && method == MLX5_IB_METHOD_QUERY_PORT)
        return query_port(cmd);
    if (object == MLX5_IB_OBJECT_PP && method == MLX5_IB_METHOD_PP_OBJ_ALLOC)
        return alloc(cmd);
    if (object != MLX5_IB_OBJECT_PP || method != MLX5_IB_METHOD_PP_OBJ_DESTROY)
        return -1;
    e = sim_in_obj(cmd, MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE, SIM_PACING);
    return e ? sim_obj_destroy(e) : EINVAL;
}
