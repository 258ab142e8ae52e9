/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The rules that say what becomes of a frame that arrives at a port, and what counts the frames of a rule. */
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

#define LEFT_OVER 1000 /* behind all priorities */
#define FLAGS (IBV_FLOW_ATTR_FLAGS_DONT_TRAP | EGRESS)
#define EGRESS 4u /* IBV_FLOW_ATTR_FLAGS_EGRESS, newer than the headers this may be built with */

struct sim_rule *sim_rules;

/* -- their order ------------------------------------------------------------------------------- */

/* In one priority those first that let others see the frame, too. */
unsigned sim_rule_order(unsigned priority, bool go_on)
{
    return 2 * priority + !go_on;
}

static bool same(const struct sim_rule *a, const struct sim_rule *b)
{
    return a->dev == b->dev && a->port == b->port && a->egress == b->egress && a->rdma == b->rdma &&
        a->order == b->order && a->type != IBV_FLOW_ATTR_SNIFFER &&
        b->type != IBV_FLOW_ATTR_SNIFFER && a->order < LEFT_OVER && !memcmp(&a->mask, &b->mask, sizeof a->mask) &&
        !memcmp(&a->value, &b->value, sizeof a->value);
}

/* Several may lead to tables, but all do the same to the frame. */
static bool changes_otherwise(const struct sim_rule *a, const struct sim_rule *b)
{
    return memcmp(&a->of[SIM_RULE_CHANGES], &b->of[SIM_RULE_CHANGES], 2 * sizeof *a->of) ||
        ((a->egress || a->rdma) && (a->carried || b->carried));
}

int sim_rule_place(struct sim_rule *r)
{
    struct sim_rule **at = &sim_rules;

    for (const struct sim_rule *other = sim_rules; other; other = other->next)
        if (same(other, r) && (other->tag != r->tag || other->drop != r->drop || changes_otherwise(other, r)))
            return EEXIST; /* the device has one entry for both */
    while (*at && (*at)->order <= r->order)
        at = &(*at)->next;
    r->next = *at;
    *at = r;
    if (r->qp)
        r->qp->obj.users++;
    if (r->counters)
        r->counters->obj.users++;
    for (int i = 0; i < SIM_RULE_PARTS; i++)
        if (r->of[i])
            r->of[i]->users++;
    return 0;
}

/* It may not have been placed yet. */
void sim_rule_drop(struct sim_rule *r)
{
    struct sim_rule **at = &sim_rules;

    while (*at && *at != r)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = r->next;
    if (r->qp)
        r->qp->obj.users--;
    if (r->counters && !--r->counters->obj.users)
        r->counters->n = 0; /* the next rule says anew what is counted */
    for (int i = 0; i < SIM_RULE_PARTS; i++)
        if (r->of[i])
            r->of[i]->users--;
}

/* -- commands ---------------------------------------------------------------------------------- */

static int take_attr(const struct ib_uverbs_create_flow *in, struct sim_rule *r)
{
    const struct ib_uverbs_flow_attr *a = &in->flow_attr;
    bool left_over = a->type == IBV_FLOW_ATTR_ALL_DEFAULT || a->type == IBV_FLOW_ATTR_MC_DEFAULT;

    if (in->comp_mask || a->reserved[0] || a->reserved[1] || a->type > IBV_FLOW_ATTR_SNIFFER || a->flags & ~FLAGS ||
        (a->flags && left_over))
        return EINVAL;
    if (a->priority > SIM_LAST_PRIORITY)
        return ENOSPC; /* as mlx5's driver answers */
    if (a->port < 1 || a->port > r->dev->n_ports)
        return EINVAL;
    if (a->flags & EGRESS)
        return sim_refuse(r->obj.ctx, EOPNOTSUPP, "rules for frames that are sent");
    r->port = a->port - 1;
    r->type = (int)a->type;
    r->go_on = a->flags & IBV_FLOW_ATTR_FLAGS_DONT_TRAP;
    r->order = left_over ? LEFT_OVER : sim_rule_order(a->priority, r->go_on);
    return 0;
}

/* What is left over, and what a sniffer sees, is not chosen by headers. */
static void forget_headers(struct sim_rule *r)
{
    if (r->type == IBV_FLOW_ATTR_NORMAL)
        return;
    memset(&r->value, 0, sizeof r->value);
    memset(&r->mask, 0, sizeof r->mask);
    if (r->type == IBV_FLOW_ATTR_MC_DEFAULT)
        r->value.outer.dmac[0] = r->mask.outer.dmac[0] = 1;
}

static int find_receiver(struct sim_rule *r, uint32_t handle)
{
    r->qp = sim_obj_get(r->obj.ctx, handle, SIM_QP);
    if (!r->qp)
        return EINVAL;
    if (r->qp->type == IB_UVERBS_QPT_UD)
        return sim_refuse(r->obj.ctx, EOPNOTSUPP, "a rule for a queue pair of datagrams");
    return r->qp->type == IB_UVERBS_QPT_RAW_PACKET ? 0 : EINVAL;
}

int sim_rule_create_ex(struct sim_cmd *cmd)
{
    static _Alignas(8) uint8_t room[4096]; /* under the lock */
    const struct ib_uverbs_create_flow *in = (const void *)room;
    const struct ib_uverbs_attr *a = sim_attr(cmd, UVERBS_ATTR_CORE_IN);
    struct ib_uverbs_create_flow_resp r = {0};
    struct sim_rule *rule;
    int error;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, room, sizeof room) || a->len < sizeof *in || a->len > sizeof room ||
        in->flow_attr.size > a->len - sizeof *in)
        return EINVAL;
    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    rule = sim_obj_new(cmd->ctx, SIM_RULE, sizeof *rule);
    if (!rule)
        return ENOMEM;
    rule->dev = cmd->ctx->dev;
    error = take_attr(in, rule);
    if (!error)
        error = find_receiver(rule, in->qp_handle);
    if (!error)
        error = sim_take_specs(cmd->ctx, room + sizeof *in, in->flow_attr.size, in->flow_attr.num_of_specs, rule);
    if (!error)
        error = cmd->ctx->dev->vendor->rule_counters(cmd, rule->counters);
    rule->tally = rule->counters ? rule->counters->tally : NULL;
    forget_headers(rule);
    if (!error)
        error = sim_rule_place(rule);
    if (error) {
        sim_obj_drop(&rule->obj);
        return error;
    }
    r.flow_handle = rule->obj.handle;
    sim_out(cmd, UVERBS_ATTR_CORE_OUT, &r, sizeof r);
    return 0;
}

static int destroy(struct sim_obj *obj)
{
    return obj ? sim_obj_destroy(obj) : EINVAL;
}

int sim_rule_destroy_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_destroy_flow in;

    if (!sim_in(cmd, UVERBS_ATTR_CORE_IN, &in, sizeof in) || in.comp_mask)
        return EINVAL;
    return destroy(sim_obj_get(cmd->ctx, in.flow_handle, SIM_RULE));
}

int sim_rule_destroy(struct sim_cmd *cmd)
{
    return destroy(sim_in_obj(cmd, UVERBS_ATTR_DESTROY_FLOW_HANDLE, SIM_RULE));
}

/* -- counters ---------------------------------------------------------------------------------- */

int sim_counters_create(struct sim_cmd *cmd)
{
    struct sim_counters *c;

    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    c = sim_obj_new(cmd->ctx, SIM_COUNTERS, sizeof *c);
    if (!c)
        return ENOMEM;
    sim_out_obj(cmd, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, &c->obj);
    return 0;
}

int sim_counters_destroy(struct sim_cmd *cmd)
{
    return destroy(sim_in_obj(cmd, UVERBS_ATTR_DESTROY_COUNTERS_HANDLE, SIM_COUNTERS));
}

/* Values that were kept are those of now: there is nothing that they are kept from. */
int sim_counters_read(struct sim_cmd *cmd)
{
    const struct sim_counters *c = sim_in_obj(cmd, UVERBS_ATTR_READ_COUNTERS_HANDLE, SIM_COUNTERS);
    uint64_t flags = sim_in_u64(cmd, UVERBS_ATTR_READ_COUNTERS_FLAGS, 0), values[64] = {0};
    size_t room = sim_out_room(cmd, UVERBS_ATTR_READ_COUNTERS_BUFF) / sizeof *values;

    if (!c || !c->n || !room || flags & ~(uint64_t)IBV_READ_COUNTERS_ATTR_PREFER_CACHED)
        return EINVAL;
    for (unsigned i = 0; i < c->n; i++) {
        if (c->place[i].index >= room)
            return EINVAL;
        values[c->place[i].index] += c->tally[c->place[i].what == IBV_COUNTER_BYTES];
    }
    sim_out(cmd, UVERBS_ATTR_READ_COUNTERS_BUFF, values, room < 64 ? room * sizeof *values : sizeof values);
    return 0;
}
