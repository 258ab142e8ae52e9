/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules in the device's own form: a matcher says which bits of a frame's headers count, each of its rules what they
 * must be. Both are laid out as the device's flow tables have them, in parts of 512 bits; the numbers below count bits.
 */
#include <errno.h>
#include <string.h>

#include "steering.h"

#define PART 512 /* bits */
#define MAX_MATCH 640 /* bytes that the kernel takes */
#define EGRESS 4u /* IBV_FLOW_ATTR_FLAGS_EGRESS, newer than the headers this may be built with */
#define MAX_ACTIONS (RULE_TABLE - RULE_ACTIONS)

enum { OUTER, MISC, INNER, MISC_2, PARTS };

struct matcher {
    struct sim_obj obj;
    unsigned priority;
    bool egress, rdma;
    uint8_t mask[MAX_MATCH];
};

/* What else must be so where a field counts at all. */
enum implied { NOTHING, IS_TCP, IS_UDP, IS_GRE, IS_VXLAN, IS_GENEVE, MPLS_ALONE, MPLS_IN_GRE, MPLS_IN_UDP, INNER_MPLS,
    FLAG, GRE_FLAG, GENEVE_BITS };

struct part_field {
    uint16_t at, width;
    uint16_t to, bytes; /* where in the headers it goes, as a number with its last bit at the end */
    enum implied implied;
    uint8_t bit; /* of a flag in a byte with others */
};

#define LAYER(member) offsetof(struct sim_layer, member), sizeof(((struct sim_layer *)0)->member)
#define WHOLE(member) offsetof(struct sim_headers, member), sizeof(((struct sim_headers *)0)->member)

#define GENEVE_AT(at, size) offsetof(struct sim_headers, geneve) + (at), (size)

static const struct part_field layer_fields[] = {
    {0x000, 48, LAYER(smac), NOTHING, 0}, {0x030, 16, LAYER(ether_type), NOTHING, 0},
    {0x040, 48, LAYER(dmac), NOTHING, 0},
    {0x070, 16, LAYER(vlan), NOTHING, 0}, {0x080, 8, LAYER(proto), NOTHING, 0}, {0x088, 8, LAYER(tos), NOTHING, 0},
    {0x090, 1, LAYER(has_vlan), FLAG, 0}, {0x092, 1, LAYER(fragment), FLAG, 0}, {0x093, 4, LAYER(ip), NOTHING, 0},
    {0x097, 9, LAYER(tcp_flags), IS_TCP, 0}, {0x0a0, 16, LAYER(sport), IS_TCP, 0}, {0x0b0, 16, LAYER(dport), IS_TCP, 0},
    {0x0d8, 8, LAYER(ttl), NOTHING, 0}, {0x0e0, 16, LAYER(sport), IS_UDP, 0}, {0x0f0, 16, LAYER(dport), IS_UDP, 0},
    {0x100, 128, LAYER(src), NOTHING, 0}, {0x180, 128, LAYER(dst), NOTHING, 0}, {0},
};

static const struct part_field misc_fields[] = {
    {0x000, 1, WHOLE(gre_flags), GRE_FLAG, 0x80}, {0x002, 1, WHOLE(gre_flags), GRE_FLAG, 0x20},
    {0x003, 1, WHOLE(gre_flags), GRE_FLAG, 0x10}, {0x070, 16, WHOLE(gre_protocol), IS_GRE, 0},
    {0x080, 32, WHOLE(gre_key), IS_GRE, 0}, {0x0a0, 24, WHOLE(vni), IS_VXLAN, 0},
    {0x0c0, 24, GENEVE_AT(4, 3), IS_GENEVE, 0}, {0x0df, 1, GENEVE_AT(1, 1), GENEVE_BITS, 7},
    {0x12a, 6, GENEVE_AT(0, 1), IS_GENEVE, 0}, {0x130, 16, GENEVE_AT(2, 2), IS_GENEVE, 0},
    {0x0ec, 20, WHOLE(outer.flow_label), NOTHING, 0}, {0x10c, 20, WHOLE(inner.flow_label), NOTHING, 0}, {0},
};

static const struct part_field misc_2_fields[] = {
    {0x000, 32, WHOLE(mpls), MPLS_ALONE, 0}, {0x020, 32, WHOLE(inner_mpls), INNER_MPLS, 0},
    {0x040, 32, WHOLE(mpls), MPLS_IN_GRE, 0},
    {0x060, 32, WHOLE(mpls), MPLS_IN_UDP, 0}, {0},
};

static const struct {
    const struct part_field *fields;
    size_t to; /* where its layer is in the headers */
} parts[PARTS] = {
    {layer_fields, offsetof(struct sim_headers, outer)}, {misc_fields, 0},
    {layer_fields, offsetof(struct sim_headers, inner)}, {misc_2_fields, 0},
};

/* -- from the device's layout ------------------------------------------------------------------ */

/* The field of the layout: `bits` as a number, of which more than 64 bits come in bytes. */
static void copy_bits(uint8_t *to, size_t bytes, const uint8_t *from, unsigned at, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if (from[(at + width - 1 - i) / 8] >> (7 - (at + width - 1 - i) % 8) & 1)
            to[bytes - 1 - i / 8] |= (uint8_t)(1 << i % 8);
}

static void must_be(uint8_t *value, uint8_t *mask, uint8_t is)
{
    *value = is;
    *mask = 0xff;
}

static void imply(const struct part_field *f, struct sim_rule *r, size_t layer_at)
{
    struct sim_layer *v = (struct sim_layer *)((uint8_t *)&r->value + layer_at);
    struct sim_layer *m = (struct sim_layer *)((uint8_t *)&r->mask + layer_at);

    switch (f->implied) {
    case IS_TCP: must_be(&v->proto, &m->proto, 6); break;
    case IS_UDP: must_be(&v->proto, &m->proto, 17); break;
    case GRE_FLAG:
    case IS_GRE: must_be(&r->value.has_gre, &r->mask.has_gre, 0xff); break;
    case GENEVE_BITS:
    case IS_GENEVE: must_be(&r->value.has_geneve, &r->mask.has_geneve, 0xff); break;
    case IS_VXLAN: must_be(&r->value.has_vxlan, &r->mask.has_vxlan, 0xff); break;
    case MPLS_ALONE: must_be(&r->value.mpls_over, &r->mask.mpls_over, SIM_MPLS_ETHERNET); break;
    case MPLS_IN_GRE: must_be(&r->value.mpls_over, &r->mask.mpls_over, SIM_MPLS_GRE); break;
    case INNER_MPLS: must_be(&r->value.has_inner_mpls, &r->mask.has_inner_mpls, 0xff); break;
    case MPLS_IN_UDP: must_be(&r->value.mpls_over, &r->mask.mpls_over, SIM_MPLS_UDP); break;
    default: break;
    }
}

static void take_field(const struct part_field *f, unsigned at, size_t layer_at, const uint8_t *value,
    const uint8_t *mask, struct sim_rule *r)
{
    uint8_t *v = (uint8_t *)&r->value + layer_at + f->to, *m = (uint8_t *)&r->mask + layer_at + f->to;
    uint8_t wanted[16] = {0}, counts[16] = {0};

    copy_bits(wanted, f->bytes, value, at + f->at, f->width);
    copy_bits(counts, f->bytes, mask, at + f->at, f->width);
    if (!memcmp(counts, (uint8_t[16]){0}, f->bytes))
        return;
    if (f->implied == FLAG) {
        must_be(v, m, wanted[0] ? 0xff : 0);
    } else if (f->implied == GENEVE_BITS) { /* which lie further left in their byte */
        m[0] |= (uint8_t)(counts[0] << f->bit);
        v[0] |= (uint8_t)((wanted[0] & counts[0]) << f->bit);
    } else if (f->implied == GRE_FLAG) {
        m[0] |= f->bit;
        v[0] |= wanted[f->bytes - 1] ? f->bit : 0;
    } else {
        for (unsigned i = 0; i < f->bytes; i++) {
            m[i] |= counts[i];
            v[i] |= wanted[i] & counts[i];
        }
    }
    imply(f, r, layer_at);
}

/* -- matchers ---------------------------------------------------------------------------------- */

/* Bits of the mask that count must lie in a part that is enabled, and be ones that can be matched here. */
static int check_mask(struct sim_cmd *cmd, const struct matcher *m, unsigned criteria)
{
    uint8_t rest[MAX_MATCH];

    memcpy(rest, m->mask, sizeof rest);
    for (unsigned p = 0; p < PARTS; p++)
        for (const struct part_field *f = parts[p].fields; f->width && criteria >> p & 1; f++)
            for (unsigned bit = p * PART + f->at; bit < p * PART + f->at + f->width; bit++)
                rest[bit / 8] &= (uint8_t)~(0x80 >> bit % 8);
    for (unsigned i = 0; i < sizeof rest; i++) {
        if (rest[i] && criteria >> i / (PART / 8) & 1)
            return sim_refuse(cmd->ctx, EOPNOTSUPP, "a matcher with bits 0x%02x of byte 0x%x", rest[i], i);
        if (rest[i])
            return EINVAL;
    }
    return 0;
}

static int create_matcher(struct sim_cmd *cmd)
{
    const struct ib_uverbs_attr *mask = sim_attr(cmd, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK);
    const struct ib_uverbs_attr *type = sim_attr(cmd, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE);
    uint64_t criteria = sim_in_u64(cmd, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, 0);
    uint64_t priority = sim_in_u64(cmd, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE, 0);
    uint64_t flags = sim_in_u64(cmd, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS, 0);
    uint64_t table = sim_in_u64(cmd, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE, MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX);
    struct matcher *m;
    int error;

    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    if (!mask || mask->len > MAX_MATCH || !type)
        return EINVAL;
    if (type->attr_data.enum_data.elem_id != MLX5_IB_FLOW_TYPE_NORMAL)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a matcher of type %u", type->attr_data.enum_data.elem_id);
    if ((flags && sim_attr(cmd, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE)) || flags & ~(uint64_t)EGRESS)
        return EINVAL;
    if (table > MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_TX || table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_FDB)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a matcher of a switch's tables, or of other ones that are not there");
    if (table >= MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_RX && criteria)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a matcher of what RDMA's packets have");
    if (criteria >> PARTS)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a matcher with parts 0x%x", (unsigned)criteria);
    if (priority > SIM_LAST_PRIORITY)
        return ENOSPC;
    m = sim_obj_new(cmd->ctx, SIM_MATCHER, sizeof *m);
    if (!m)
        return ENOMEM;
    m->priority = (unsigned)priority;
    m->egress = flags || table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX || table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_TX;
    m->rdma = table >= MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_RX;
    sim_in(cmd, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, m->mask, sizeof m->mask);
    error = check_mask(cmd, m, (unsigned)criteria);
    if (error)
        sim_obj_drop(&m->obj);
    else
        sim_out_obj(cmd, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, &m->obj);
    return error;
}

static int destroy_matcher(struct sim_cmd *cmd)
{
    struct matcher *m = sim_in_obj(cmd, MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, SIM_MATCHER);

    return m ? sim_obj_destroy(&m->obj) : EINVAL;
}

/* -- rules ------------------------------------------------------------------------------------- */

/* One handle in an array of them: it lies in the attribute itself. */
static struct devx_object *counters(struct sim_cmd *cmd, int *error)
{
    const struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX);
    uint32_t handle = 0;
    struct devx_object *o;

    if (!a)
        return NULL;
    sim_in(cmd, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX, &handle, sizeof handle);
    o = a->len == sizeof handle ? sim_obj_get(cmd->ctx, handle, SIM_DEVX_OBJECT) : NULL;
    if (!o || !o->tally)
        *error = EINVAL;
    return o;
}

/* What changes the frame, in this order. */
static int take_actions(struct sim_cmd *cmd, struct sim_rule *r)
{
    const struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS);
    uint32_t handle[MAX_ACTIONS];

    if (!a)
        return 0;
    if (!a->len || a->len % sizeof *handle || a->len > sizeof handle)
        return EINVAL;
    sim_in(cmd, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS, handle, sizeof handle);
    for (unsigned i = 0; i < a->len / sizeof *handle; i++) {
        r->of[RULE_ACTIONS + i] = sim_obj_get(cmd->ctx, handle[i], SIM_FLOW_ACTION);
        if (!r->of[RULE_ACTIONS + i] || r->rdma || !mlx5_flow_action_is(r->of[RULE_ACTIONS + i], r->egress))
            return EINVAL;
    }
    r->carried = true;
    return 0;
}

/* A table, or a TIR. */
static int take_devx(struct sim_cmd *cmd, struct sim_rule *r)
{
    struct devx_object *o = sim_in_obj(cmd, MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX, SIM_DEVX_OBJECT);

    if (o && o->opcode == OP_CREATE_TIR && !r->egress && !r->rdma) {
        r->qp = o->qp;
        return 0;
    }
    if (!o || o->opcode != OP_CREATE_FLOW_TABLE || o->type != mlx5_table_type(r->egress, r->rdma))
        return sim_refuse(cmd->ctx, EINVAL, "a rule to an object of DevX that is no TIR, and no table of this kind");
    r->of[RULE_TABLE] = &o->obj;
    r->carried = true;
    return 0;
}

static int take_qp(struct sim_cmd *cmd, struct sim_rule *r)
{
    r->qp = sim_in_obj(cmd, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP, SIM_QP);
    if (r->egress || r->rdma || !r->qp || r->qp->type != IB_UVERBS_QPT_RAW_PACKET)
        return EINVAL;
    if (r->qp->attr.port_num)
        r->port = r->qp->attr.port_num - 1;
    return 0;
}

static int who_gets_it(struct sim_cmd *cmd, struct sim_rule *r)
{
    uint64_t flags = sim_in_u64(cmd, MLX5_IB_ATTR_CREATE_FLOW_FLAGS, 0),
        tag = sim_in_u64(cmd, MLX5_IB_ATTR_CREATE_FLOW_TAG, 0);
    bool to_qp = sim_attr(cmd, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP),
        to_devx = sim_attr(cmd, MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX);

    if (flags & ~(uint64_t)MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a rule that leaves frames to others");
    r->drop = flags;
    r->port = 0; /* of who is at none, the first */
    if (tag >> 24 || (tag && (r->egress || r->rdma)) || r->drop + to_qp + to_devx > 1 || (!r->egress && !r->drop &&
        !to_qp && !to_devx))
        return EINVAL;
    r->tag = (uint32_t)tag;
    return to_devx ? take_devx(cmd, r) : to_qp ? take_qp(cmd, r) : 0;
}

static int what_counts(struct sim_cmd *cmd, struct sim_rule *r)
{
    uint64_t offset = sim_in_u64(cmd, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET, 0);
    int error = 0;
    struct devx_object *o = counters(cmd, &error);

    if (error || !o)
        return error;
    if (offset >= o->n_tallies)
        return EINVAL;
    r->tally = o->tally + 2 * offset;
    r->of[RULE_COUNTER] = &o->obj;
    return 0;
}

static int create_rule(struct sim_cmd *cmd)
{
    const struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE);
    struct matcher *m = sim_in_obj(cmd, MLX5_IB_ATTR_CREATE_FLOW_MATCHER, SIM_MATCHER);
    uint8_t value[MAX_MATCH];
    struct sim_rule *r;
    int error;

    if (!m || !a || a->len > MAX_MATCH)
        return EINVAL;
    sim_in(cmd, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, value, sizeof value);
    for (unsigned i = 0; i < sizeof value; i++)
        if (value[i] & ~m->mask[i])
            return EINVAL; /* the device refuses bits that do not count */
    r = sim_obj_new(cmd->ctx, SIM_RULE, sizeof *r);
    if (!r)
        return ENOMEM;
    r->dev = cmd->ctx->dev;
    r->type = IBV_FLOW_ATTR_NORMAL;
    r->order = sim_rule_order(m->priority, false);
    r->of[RULE_MATCHER] = &m->obj;
    r->egress = m->egress;
    r->rdma = m->rdma;
    for (unsigned p = 0; p < PARTS; p++)
        for (const struct part_field *f = parts[p].fields; f->width; f++)
            take_field(f, p * PART, parts[p].to, value, m->mask, r);
    error = take_actions(cmd, r);
    if (!error)
        error = who_gets_it(cmd, r);
    if (!error)
        error = what_counts(cmd, r);
    if (!error)
        error = sim_rule_place(r);
    if (error)
        sim_obj_drop(&r->obj);
    else
        sim_out_obj(cmd, MLX5_IB_ATTR_CREATE_FLOW_HANDLE, &r->obj);
    return error;
}

static int destroy_rule(struct sim_cmd *cmd)
{
    struct sim_rule *r = sim_in_obj(cmd, MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, SIM_RULE);

    return r ? sim_obj_destroy(&r->obj) : EINVAL;
}

/* 0 or an errno; -1 for a method that is about something else. */
int mlx5_matcher_method(struct sim_cmd *cmd)
{
    uint16_t object = cmd->hdr->object_id, method = cmd->hdr->method_id;

    if (object == MLX5_IB_OBJECT_FLOW_MATCHER && method == MLX5_IB_METHOD_FLOW_MATCHER_CREATE)
        return create_matcher(cmd);
    if (object == MLX5_IB_OBJECT_FLOW_MATCHER && method == MLX5_IB_METHOD_FLOW_MATCHER_DESTROY)
        return destroy_matcher(cmd);
    if (object == UVERBS_OBJECT_FLOW && method == MLX5_IB_METHOD_CREATE_FLOW)
        return create_rule(cmd);
    if (object == UVERBS_OBJECT_FLOW && method == MLX5_IB_METHOD_DESTROY_FLOW)
        return destroy_rule(cmd);
    return -1;
}
