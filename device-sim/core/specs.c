/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The specifications of a rule, as the kernel's command has them: what each asks of a frame's headers. mlx5's driver
 * refuses the fields of IP behind the type of service, and the flags of GRE. Here they are matched.
 */
#include <errno.h>
#include <string.h>
#include <rdma/ib_user_verbs.h>

#include "frames.h"

#define MAX_SPECS 10
#define HEADER 8 /* bytes of a specification in front of its filter */

/* A rule that is being made, and the specification that it takes. */
struct taking {
    struct sim_context *ctx;
    struct sim_rule *rule;
    const uint8_t *spec;
    uint32_t type; /* without INNER */
    uint32_t before; /* the type of the one before it */
    bool inner, tagged;
};

/* Where a field of the headers is, in the value and under the mask. */
#define FIELD(t, member) (t)->rule->value.member, (t)->rule->mask.member, sizeof (t)->rule->mask.member

static void want(uint8_t *value, uint8_t *mask, size_t size, const void *v, const void *m)
{
    for (size_t i = 0; i < size; i++) {
        mask[i] |= ((const uint8_t *)m)[i];
        value[i] = (uint8_t)((value[i] & ~((const uint8_t *)m)[i]) | ((const uint8_t *)v)[i]);
    }
}

static void want_byte(uint8_t *value, uint8_t *mask, uint8_t v, uint8_t m)
{
    want(value, mask, 1, &v, &m);
}

static struct sim_layer *value_of(struct taking *t)
{
    return t->inner ? &t->rule->value.inner : &t->rule->value.outer;
}

static struct sim_layer *mask_of(struct taking *t)
{
    return t->inner ? &t->rule->mask.inner : &t->rule->mask.outer;
}

static int ethernet(struct taking *t)
{
    const struct ib_uverbs_flow_spec_eth *s = (const void *)t->spec;
    struct sim_layer *v = value_of(t), *m = mask_of(t);

    want(v->dmac, m->dmac, 6, s->val.dst_mac, s->mask.dst_mac);
    want(v->smac, m->smac, 6, s->val.src_mac, s->mask.src_mac);
    want(v->ether_type, m->ether_type, 2, &s->val.ether_type, &s->mask.ether_type);
    want(v->vlan, m->vlan, 2, &s->val.vlan_tag, &s->mask.vlan_tag);
    if (s->mask.vlan_tag)
        want_byte(&v->has_vlan, &m->has_vlan, 0xff, 0xff);
    return 0;
}

static int ipv4(struct taking *t)
{
    const struct ib_uverbs_flow_spec_ipv4 *s = (const void *)t->spec;
    struct sim_layer *v = value_of(t), *m = mask_of(t);

    want_byte(&v->ip, &m->ip, 4, 0xff);
    want(v->src + 12, m->src + 12, 4, &s->val.src_ip, &s->mask.src_ip);
    want(v->dst + 12, m->dst + 12, 4, &s->val.dst_ip, &s->mask.dst_ip);
    want_byte(&v->proto, &m->proto, s->val.proto, s->mask.proto);
    want_byte(&v->tos, &m->tos, s->val.tos, s->mask.tos);
    want_byte(&v->ttl, &m->ttl, s->val.ttl, s->mask.ttl);
    want_byte(&v->flags, &m->flags, s->val.flags, s->mask.flags);
    return 0;
}

static int ipv6(struct taking *t)
{
    const struct ib_uverbs_flow_spec_ipv6 *s = (const void *)t->spec;
    struct sim_layer *v = value_of(t), *m = mask_of(t);

    if (s->val.reserved || s->mask.reserved || be32toh(s->val.flow_label) >> 20 || be32toh(s->mask.flow_label) >> 20)
        return EINVAL;
    want_byte(&v->ip, &m->ip, 6, 0xff);
    want(v->src, m->src, 16, s->val.src_ip, s->mask.src_ip);
    want(v->dst, m->dst, 16, s->val.dst_ip, s->mask.dst_ip);
    want(v->flow_label, m->flow_label, 4, &s->val.flow_label, &s->mask.flow_label);
    want_byte(&v->proto, &m->proto, s->val.next_hdr, s->mask.next_hdr);
    want_byte(&v->tos, &m->tos, s->val.traffic_class, s->mask.traffic_class);
    want_byte(&v->ttl, &m->ttl, s->val.hop_limit, s->mask.hop_limit);
    return 0;
}

static int tcp_udp(struct taking *t)
{
    const struct ib_uverbs_flow_spec_tcp_udp *s = (const void *)t->spec;
    struct sim_layer *v = value_of(t), *m = mask_of(t);

    want_byte(&v->proto, &m->proto, t->type == IBV_FLOW_SPEC_TCP ? 6 : 17, 0xff);
    want(v->dport, m->dport, 2, &s->val.dst_port, &s->mask.dst_port);
    want(v->sport, m->sport, 2, &s->val.src_port, &s->mask.src_port);
    return 0;
}

static int vxlan(struct taking *t)
{
    const struct ib_uverbs_flow_spec_tunnel *s = (const void *)t->spec;

    if (be32toh(s->val.tunnel_id) >> 24 || be32toh(s->mask.tunnel_id) >> 24)
        return EINVAL;
    want_byte(&t->rule->value.has_vxlan, &t->rule->mask.has_vxlan, 0xff, 0xff);
    want(FIELD(t, vni), (const uint8_t *)&s->val.tunnel_id + 1, (const uint8_t *)&s->mask.tunnel_id + 1);
    return 0;
}

static int gre(struct taking *t)
{
    const struct ib_uverbs_flow_spec_gre *s = (const void *)t->spec;

    want_byte(&t->rule->value.has_gre, &t->rule->mask.has_gre, 0xff, 0xff);
    want(FIELD(t, gre_flags), &s->val.c_ks_res0_ver, &s->mask.c_ks_res0_ver);
    want(FIELD(t, gre_protocol), &s->val.protocol, &s->mask.protocol);
    want(FIELD(t, gre_key), &s->val.key, &s->mask.key);
    return 0;
}

/* The label lies behind what the specification follows. */
static int mpls(struct taking *t)
{
    const struct ib_uverbs_flow_spec_mpls *s = (const void *)t->spec;
    uint8_t over = t->before == IBV_FLOW_SPEC_UDP ? SIM_MPLS_UDP : t->before == IBV_FLOW_SPEC_GRE ? SIM_MPLS_GRE :
        SIM_MPLS_ETHERNET;

    if (t->inner) {
        want_byte(&t->rule->value.has_inner_mpls, &t->rule->mask.has_inner_mpls, 0xff, 0xff);
        want(FIELD(t, inner_mpls), &s->val.label, &s->mask.label);
        return 0;
    }
    want_byte(&t->rule->value.mpls_over, &t->rule->mask.mpls_over, over, 0xff);
    want(FIELD(t, mpls), &s->val.label, &s->mask.label);
    return 0;
}

static int tag(struct taking *t)
{
    const struct ib_uverbs_flow_spec_action_tag *s = (const void *)t->spec;

    if (s->reserved1 || s->tag_id >> 24)
        return EINVAL;
    t->rule->tag = s->tag_id;
    t->tagged = true;
    return 0;
}

static int drop(struct taking *t)
{
    t->rule->drop = true;
    return 0;
}

static int count(struct taking *t)
{
    const struct ib_uverbs_flow_spec_action_count *s = (const void *)t->spec;

    if (s->reserved1 || t->rule->counters)
        return EINVAL;
    t->rule->counters = sim_obj_get(t->ctx, s->handle, SIM_COUNTERS);
    return t->rule->counters ? 0 : EINVAL;
}

static const struct {
    uint32_t type;
    size_t size;
    bool inner, action; /* there is one of the inner headers, too; it is nothing to compare */
    int (*take)(struct taking *t);
} specs[] = {
    {IBV_FLOW_SPEC_ETH, sizeof(struct ib_uverbs_flow_spec_eth), true, false, ethernet},
    {IBV_FLOW_SPEC_IPV4, sizeof(struct ib_uverbs_flow_spec_ipv4), true, false, ipv4},
    {IBV_FLOW_SPEC_IPV6, sizeof(struct ib_uverbs_flow_spec_ipv6), true, false, ipv6},
    {IBV_FLOW_SPEC_TCP, sizeof(struct ib_uverbs_flow_spec_tcp_udp), true, false, tcp_udp},
    {IBV_FLOW_SPEC_UDP, sizeof(struct ib_uverbs_flow_spec_tcp_udp), true, false, tcp_udp},
    {IBV_FLOW_SPEC_VXLAN_TUNNEL, sizeof(struct ib_uverbs_flow_spec_tunnel), false, false, vxlan},
    {IBV_FLOW_SPEC_GRE, sizeof(struct ib_uverbs_flow_spec_gre), false, false, gre},
    {IBV_FLOW_SPEC_MPLS, sizeof(struct ib_uverbs_flow_spec_mpls), true, false, mpls},
    {IBV_FLOW_SPEC_ACTION_TAG, sizeof(struct ib_uverbs_flow_spec_action_tag), false, true, tag},
    {IBV_FLOW_SPEC_ACTION_DROP, sizeof(struct ib_uverbs_flow_spec_action_drop), false, true, drop},
    {IBV_FLOW_SPEC_ACTION_COUNT, sizeof(struct ib_uverbs_flow_spec_action_count), false, true, count},
};

/*
 * A filter may be shorter or longer than it is here: what it lacks is not compared, and what it has more must not be.
 * The specification as it is here, or NULL.
 */
static const uint8_t *adapted(const uint8_t *spec, size_t size, size_t wanted)
{
    static _Alignas(8) uint8_t room[128]; /* under the lock */
    size_t filter = (size - HEADER) / 2, usual = (wanted - HEADER) / 2, part = filter < usual ? filter : usual;

    if (size <= HEADER || (size - HEADER) % 2)
        return NULL;
    for (size_t i = usual; i < filter; i++)
        if (spec[HEADER + filter + i])
            return NULL;
    memset(room, 0, sizeof room);
    memcpy(room, spec, HEADER);
    memcpy(room + HEADER, spec + HEADER, part);
    memcpy(room + HEADER + usual, spec + HEADER + filter, part);
    return room;
}

static int take_one(struct taking *t, unsigned i, size_t size)
{
    static _Alignas(8) uint8_t action[16];
    const uint8_t *whole = t->spec;
    int error;

    if (specs[i].action && size != specs[i].size)
        return EINVAL;
    memcpy(action, whole, specs[i].action ? size : 0);
    t->spec = specs[i].action ? action : adapted(whole, size, specs[i].size);
    error = t->spec ? specs[i].take(t) : EINVAL;
    t->spec = whole;
    return error;
}

static int take(struct taking *t, size_t left, size_t *size)
{
    struct ib_uverbs_flow_spec_hdr h;

    if (left < sizeof h)
        return EINVAL;
    memcpy(&h, t->spec, sizeof h);
    *size = h.size;
    t->inner = h.type & IBV_FLOW_SPEC_INNER;
    t->type = h.type & ~(uint32_t)IBV_FLOW_SPEC_INNER;
    if (h.reserved || h.size > left)
        return EINVAL;
    for (unsigned i = 0; i < sizeof specs / sizeof *specs; i++)
        if (specs[i].type == t->type && (specs[i].inner || !t->inner))
            return take_one(t, i, h.size);
    return sim_refuse(t->ctx, EOPNOTSUPP, "a rule with a specification of type 0x%x", h.type);
}

/* Bits that are wanted and not compared: mlx5's driver refuses them. */
static bool beside_mask(const struct sim_rule *r)
{
    const uint8_t *value = (const uint8_t *)&r->value, *mask = (const uint8_t *)&r->mask;

    for (size_t i = 0; i < sizeof r->value; i++)
        if (value[i] & ~mask[i])
            return true;
    return false;
}

/* 0 or an errno, as the kernel answers. */
int sim_take_specs(struct sim_context *ctx, const uint8_t *specs_at, size_t length, unsigned n, struct sim_rule *r)
{
    struct taking t = {.ctx = ctx, .rule = r, .spec = specs_at};

    if (n > MAX_SPECS)
        return EINVAL;
    for (unsigned i = 0; i < n; i++) {
        size_t size = 0;
        int error = take(&t, length, &size);

        if (error)
            return error;
        t.before = t.type;
        t.spec += size;
        length -= size;
    }
    /* What is left over has no specification; of what is not matched, nothing can be told apart by a tag. */
    return length || (t.tagged && r->type != IBV_FLOW_ATTR_NORMAL) || beside_mask(r) ? EINVAL : 0;
}
