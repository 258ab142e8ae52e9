/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Actions of the kernel's rules that change frames, and how a rule with such actions, or to a table, is carried out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "steering.h"

#define MAX_CHANGES 16
enum { REWRITE = 100 }; /* beside the kinds of reformats */

struct action {
    struct sim_obj obj;
    int kind; /* MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_..., or REWRITE */
    bool egress;
    size_t size;
    uint8_t data[MAX_REFORMAT];
};

static int begin(struct sim_cmd *cmd, uint16_t type_attr, uint16_t data_attr, struct action **made)
{
    uint64_t type = sim_in_u64(cmd, type_attr, MLX5_IB_UAPI_FLOW_TABLE_TYPE_FDB);
    const struct ib_uverbs_attr *data = sim_attr(cmd, data_attr);
    struct action *a;

    if (!sim_has_frames(cmd->ctx->dev) || type > MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "an action of tables of type %u", (unsigned)type);
    if (data && data->len > MAX_REFORMAT)
        return EINVAL;
    a = sim_obj_new(cmd->ctx, SIM_FLOW_ACTION, sizeof *a);
    if (!a)
        return ENOMEM;
    a->egress = type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX;
    a->size = data ? data->len : 0;
    sim_in(cmd, data_attr, a->data, sizeof a->data);
    *made = a;
    return 0;
}

static int finish(struct sim_cmd *cmd, struct action *a, uint16_t handle, int error)
{
    if (error)
        sim_obj_drop(&a->obj);
    else
        sim_out_obj(cmd, handle, &a->obj);
    return error;
}

static int create_rewrite(struct sim_cmd *cmd)
{
    struct action *a;
    const char *why;
    int error = begin(cmd, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM,
        &a);

    if (error)
        return error;
    a->kind = REWRITE;
    if (!a->size || a->size % 8 || a->size / 8 > MAX_CHANGES) {
        error = EINVAL;
    } else {
        why = mlx5_rewrite_command(NULL, a->data, (unsigned)(a->size / 8), false);
        if (why)
            error = sim_refuse(cmd->ctx, EINVAL, "changes of headers: %s", why);
    }
    return finish(cmd, a, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE, error);
}

/* What is sent gets headers, from what arrives they are taken. */
static int judge_reformat(const struct action *a)
{
    switch (a->kind) {
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2:
        return a->egress ? EOPNOTSUPP : a->size ? EINVAL : 0;
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2:
        return a->egress ? EOPNOTSUPP : a->size == SIM_ETHERNET || a->size == SIM_ETHERNET + SIM_VLAN ? 0 : EINVAL;
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL:
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL:
        return !a->egress ? EOPNOTSUPP : a->size < SIM_ETHERNET ? EINVAL : 0;
    }
    return EOPNOTSUPP;
}

static int create_reformat(struct sim_cmd *cmd)
{
    struct action *a;
    int error = begin(cmd, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF,
        &a);

    if (error)
        return error;
    a->kind = (int)sim_in_u64(cmd, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE, REWRITE);
    return finish(cmd, a, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE, judge_reformat(a));
}

static int destroy(struct sim_cmd *cmd)
{
    struct action *a = sim_in_obj(cmd, UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE, SIM_FLOW_ACTION);

    return a ? sim_obj_destroy(&a->obj) : EINVAL;
}

/* 0 or an errno; -1 for a method that is about something else. */
int mlx5_flow_action_method(struct sim_cmd *cmd)
{
    if (cmd->hdr->object_id != UVERBS_OBJECT_FLOW_ACTION)
        return -1;
    switch (cmd->hdr->method_id) {
    case MLX5_IB_METHOD_FLOW_ACTION_CREATE_MODIFY_HEADER:
        return create_rewrite(cmd);
    case MLX5_IB_METHOD_FLOW_ACTION_CREATE_PACKET_REFORMAT:
        return create_reformat(cmd);
    case UVERBS_METHOD_FLOW_ACTION_DESTROY:
        return destroy(cmd);
    }
    return -1;
}

bool mlx5_flow_action_is(const struct sim_obj *action, bool egress)
{
    return ((const struct action *)action)->egress == egress;
}

/* -- carried out ----------------------------------------------------------------------------------- */

/* What the tunnel's header was in front of gets this Ethernet header. */
static bool decapsulate_l3(struct sim_flight *f, const struct action *a)
{
    if (!mlx5_decapsulate(f, a->size))
        return false;
    memcpy(f->bytes, a->data, a->size);
    sim_flight_changed(f);
    return true;
}

static bool apply(const struct sim_obj *action, struct sim_flight *f)
{
    const struct action *a = (const struct action *)action;

    switch (a->kind) {
    case REWRITE:
        return !mlx5_rewrite_command(f, a->data, (unsigned)(a->size / 8), true);
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2:
        return mlx5_decapsulate(f, 0);
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2:
        return decapsulate_l3(f, a);
    case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL:
        return mlx5_encapsulate(f, a->data, a->size, false);
    }
    return mlx5_encapsulate(f, a->data, a->size, true);
}

bool mlx5_carry_out(const struct sim_rule *r, struct sim_flight *f)
{
    for (unsigned i = RULE_ACTIONS; i < RULE_TABLE; i++)
        if (r->of[i] && !apply(r->of[i], f))
            return false;
    if (r->drop)
        return false;
    if (r->of[RULE_TABLE] && !r->qp)
        return mlx5_into_table(f, (const struct devx_object *)r->of[RULE_TABLE]);
    if (r->qp)
        sim_flight_deliver(f, r->qp);
    return f->egress || f->rdma;
}
