/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Anchors: places among the rules of a port, by priority, that tables may lead a frame to. */
#include <errno.h>

#include "steering.h"

struct anchor {
    struct sim_obj obj;
    uint32_t number;
    unsigned priority;
};

static int create(struct sim_cmd *cmd)
{
    uint64_t type = sim_in_u64(cmd, MLX5_IB_ATTR_STEERING_ANCHOR_FT_TYPE, MLX5_IB_UAPI_FLOW_TABLE_TYPE_FDB);
    uint64_t priority = sim_in_u64(cmd, MLX5_IB_ATTR_STEERING_ANCHOR_PRIORITY, 0);
    struct anchor *a;

    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    if (type != MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "an anchor in tables of type %u", (unsigned)type);
    if (priority > SIM_LAST_PRIORITY)
        return ENOSPC;
    a = sim_obj_new(cmd->ctx, SIM_ANCHOR, sizeof *a);
    if (!a)
        return ENOMEM;
    a->number = ++cmd->ctx->dev->next_number;
    a->priority = (unsigned)priority;
    sim_out(cmd, MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID, &a->number, sizeof a->number);
    sim_out_obj(cmd, MLX5_IB_ATTR_STEERING_ANCHOR_CREATE_HANDLE, &a->obj);
    return 0;
}

static int destroy(struct sim_cmd *cmd)
{
    struct anchor *a = sim_in_obj(cmd, MLX5_IB_ATTR_STEERING_ANCHOR_DESTROY_HANDLE, SIM_ANCHOR);

    return a ? sim_obj_destroy(&a->obj) : EINVAL;
}

bool mlx5_anchor(const struct sim_device *dev, uint32_t number, unsigned *order)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; sim_is_live(ctx) && ctx->dev == dev && h < ctx->n_objs; h++) {
            const struct anchor *a = sim_obj_get(ctx, h, SIM_ANCHOR);

            if (a && a->number == number) {
                if (order)
                    *order = sim_rule_order(a->priority, true);
                return true;
            }
        }
    }
    return false;
}

/* 0 or an errno; -1 for a method that is about something else. */
int mlx5_anchor_method(struct sim_cmd *cmd)
{
    if (cmd->hdr->object_id != MLX5_IB_OBJECT_STEERING_ANCHOR)
        return -1;
    if (cmd->hdr->method_id == MLX5_IB_METHOD_STEERING_ANCHOR_CREATE)
        return create(cmd);
    return cmd->hdr->method_id == MLX5_IB_METHOD_STEERING_ANCHOR_DESTROY ? destroy(cmd) : -1;
}
