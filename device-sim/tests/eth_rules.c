/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Rules: each field of each specification, under masks; priorities; types; actions; counters. */
#include "eth_kit.h"

#include <endian.h>

static uint8_t frame[2000];

/* -- fields ------------------------------------------------------------------------------------ */

/* All of the field is compared, or some bits of each byte, or those of this mask. */
enum { PART, WHOLE, LOWER_20, LOWER_24 };

struct field {
    const char *name;
    size_t (*make)(uint8_t *);
    uint32_t type;
    size_t size, value, mask, n, at; /* of the specification; where in it; bytes; where in the frame */
    int how;
    uint32_t before; /* a specification that it must follow */
};

#define FIELD(spec, type, member, make, at, how, before) {#spec " " #member, make, type, \
    sizeof(struct ibv_flow_spec_##spec), \
    offsetof(struct ibv_flow_spec_##spec, val.member), offsetof(struct ibv_flow_spec_##spec, mask.member), \
    sizeof(((struct ibv_flow_spec_##spec *)0)->val.member), at, how, before}
#define INSIDE IBV_FLOW_SPEC_INNER
#define VX (IN_PAYLOAD + 8) /* where the inner frame begins */
#define GR (34 + 16)

static const struct field fields[] = {
    FIELD(eth, IBV_FLOW_SPEC_ETH, dst_mac, udp4, 0, PART, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH, src_mac, udp4, 6, PART, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH, ether_type, udp4, 12, WHOLE, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH, ether_type, tagged, 16, WHOLE, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH, vlan_tag, tagged, 14, PART, 0),
    FIELD(ipv4, IBV_FLOW_SPEC_IPV4, src_ip, udp4, 26, PART, 0),
    FIELD(ipv4, IBV_FLOW_SPEC_IPV4, dst_ip, udp4, 30, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT, src_ip, udp4, 26, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT, dst_ip, udp4, 30, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT, proto, udp4, 23, WHOLE, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT, tos, udp4, 15, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT, ttl, udp4, 22, PART, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6, src_ip, udp6, 22, PART, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6, dst_ip, udp6, 38, PART, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6, flow_label, udp6, 14, LOWER_20, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6, next_hdr, udp6, 20, WHOLE, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6, hop_limit, udp6, 21, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_UDP, src_port, udp4, 34, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_UDP, dst_port, udp4, 36, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_TCP, src_port, tcp4, 34, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_TCP, dst_port, tcp4, 36, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_UDP, dst_port, udp6, 56, PART, 0),
    FIELD(tunnel, IBV_FLOW_SPEC_VXLAN_TUNNEL, tunnel_id, vxlan, IN_PAYLOAD + 3, LOWER_24, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH | INSIDE, dst_mac, vxlan, VX, PART, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH | INSIDE, src_mac, vxlan, VX + 6, PART, 0),
    FIELD(eth, IBV_FLOW_SPEC_ETH | INSIDE, vlan_tag, vxlan, VX + 14, PART, 0),
    FIELD(ipv4, IBV_FLOW_SPEC_IPV4 | INSIDE, src_ip, vxlan, VX + 30, PART, 0),
    FIELD(ipv4, IBV_FLOW_SPEC_IPV4 | INSIDE, dst_ip, vxlan, VX + 34, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT | INSIDE, tos, vxlan, VX + 19, PART, 0),
    FIELD(ipv4_ext, IBV_FLOW_SPEC_IPV4_EXT | INSIDE, ttl, vxlan, VX + 26, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_TCP | INSIDE, src_port, vxlan, VX + 38, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_TCP | INSIDE, dst_port, vxlan, VX + 40, PART, 0),
    FIELD(gre, IBV_FLOW_SPEC_GRE, c_ks_res0_ver, gre, 34, WHOLE, 0),
    FIELD(gre, IBV_FLOW_SPEC_GRE, protocol, gre, 36, WHOLE, 0),
    FIELD(gre, IBV_FLOW_SPEC_GRE, key, gre, 42, PART, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6 | INSIDE, src_ip, gre, GR + 22, PART, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6 | INSIDE, flow_label, gre, GR + 14, LOWER_20, 0),
    FIELD(ipv6, IBV_FLOW_SPEC_IPV6 | INSIDE, hop_limit, gre, GR + 21, PART, 0),
    FIELD(tcp_udp, IBV_FLOW_SPEC_UDP | INSIDE, dst_port, gre, GR + 56, PART, 0),
    FIELD(mpls, IBV_FLOW_SPEC_MPLS, label, mpls, 14, PART, 0),
    FIELD(mpls, IBV_FLOW_SPEC_MPLS, label, mpls_udp, IN_PAYLOAD, PART, IBV_FLOW_SPEC_UDP),
    FIELD(mpls, IBV_FLOW_SPEC_MPLS | INSIDE, label, mpls_inside, VX + 14, PART, 0),
    FIELD(mpls, IBV_FLOW_SPEC_MPLS, label, mpls_gre, 38, PART, IBV_FLOW_SPEC_GRE),
};

static uint8_t masked(const struct field *f, size_t byte)
{
    switch (f->how) {
    case WHOLE: return 0xff;
    case LOWER_20: return byte == 0 ? 0 : byte == 1 ? 0x05 : 0xa6;
    case LOWER_24: return byte == 0 ? 0 : (uint8_t)(0x69 + byte);
    default: return (uint8_t)(0x59 + 7 * byte);
    }
}

static void add_empty(struct rule *r, uint32_t type)
{
    struct ibv_flow_spec_tcp_udp udp = {.type = type, .size = sizeof udp};
    struct ibv_flow_spec_gre gre_spec = {.type = type, .size = sizeof gre_spec};

    if (type == IBV_FLOW_SPEC_UDP)
        add_spec(r, &udp, sizeof udp);
    if (type == IBV_FLOW_SPEC_GRE)
        add_spec(r, &gre_spec, sizeof gre_spec);
}

static struct rule rule_of(const struct field *f, uint8_t beside)
{
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 2);
    uint8_t spec[128] = {0};
    uint16_t size = (uint16_t)f->size;

    add_empty(&r, f->before);
    memcpy(spec, &f->type, 4);
    memcpy(spec + 4, &size, 2);
    for (size_t i = 0; i < f->n; i++) {
        uint8_t mask = masked(f, i);

        spec[f->mask + i] = mask;
        spec[f->value + i] = (uint8_t)((frame[f->at + i] & mask) | (beside & ~mask));
    }
    add_spec(&r, spec, f->size);
    return r;
}

static void goes_to(struct end *a, size_t n, struct end *to, struct end *not_to)
{
    struct got got;

    send_frame(a, frame, n, 0);
    got = wants_frame(to, frame, n);
    none_of(not_to);
    post_slot(to, (unsigned)(got.id - 1000), SLOT);
}

static void each_field(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *rest = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *left_over = everything(rest);

    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        size_t n = f->make(frame);
        struct rule r = rule_of(f, 0), wrong = rule_of(f, 0xff);
        struct ibv_flow *flow = ibv_create_flow(b->qp, (r.attr.port = 1, &r.attr));

        if (!flow)
            fail(__FILE__, __LINE__, "no rule by %s: %s", f->name, strerror(errno));
        if (f->how == PART)
            refused_rule(b, &wrong, EINVAL);
        goes_to(a, n, b, rest);
        for (size_t bit = 0; bit < f->n * 8; bit++) {
            uint8_t one = (uint8_t)(1 << bit % 8);
            bool compared = masked(f, bit / 8) & one;

            if (f->how == LOWER_20 && !compared && bit / 8 == 0)
                continue; /* the version: no such frame */
            frame[f->at + bit / 8] ^= one;
            send_frame(a, frame, n, 0);
            device_sim_pump(-1);
            if (compared)
                none_of(b);
            else
                none_of(rest);
            post_slot(compared ? rest : b, (unsigned)(wants_frame(compared ? rest : b, frame, n).id - 1000), SLOT);
            frame[f->at + bit / 8] ^= one;
        }
        drop_rule(flow);
    }
    no_violations();
    drop_rule(left_over);
    close_end(rest);
    close_end(b);
    close_end(a);
}

/* Fields whose bits in the frame are elsewhere than in the specification. */
static void other_fields(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *rest = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *left_over = everything(rest), *f;
    struct ibv_flow_spec_ipv4_ext v4 = {.type = IBV_FLOW_SPEC_IPV4_EXT, .size = sizeof v4, .val.flags = 2,
        .mask.flags = 6};
    struct ibv_flow_spec_ipv6 v6 = {.type = IBV_FLOW_SPEC_IPV6, .size = sizeof v6, .val.traffic_class = 0xa4,
        .mask.traffic_class = 0xfc};
    struct ibv_flow_spec_eth vlan = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof vlan, .val.vlan_tag = htobe16(0x666),
        .mask.vlan_tag = 0xffff};
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    size_t n;
    static const uint16_t fragments[] = {0x4000, 0x2000, 0x6000, 0, 0x4003};

    add_spec(&r, &v4, sizeof v4);
    f = apply(b, &r);
    for (int i = 0; i < 5; i++) {
        size_t n = build(frame, &(struct frame_of){.fragment = fragments[i]});

        goes_to(a, n, i == 0 || i == 4 ? b : rest, i == 0 || i == 4 ? rest : b);
    }
    drop_rule(f);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    add_spec(&r, &v6, sizeof v6);
    f = apply(b, &r);
    for (int bit = -1; bit < 8; bit++) {
        size_t n = build(frame, &(struct frame_of){.ip = 6, .tos = (uint8_t)(0xa5 ^ (bit < 0 ? 0 : 1 << bit))});

        goes_to(a, n, bit < 2 ? b : rest, bit < 2 ? rest : b);
    }
    drop_rule(f);
    /* the tag is the customer's, also behind a service's */
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    add_spec(&r, &vlan, sizeof vlan);
    f = apply(b, &r);
    for (int i = 0; i < 3; i++) {
        size_t n = build(frame, &(struct frame_of){.vlan = i == 1 ? 0x10777 : 0x10666});

        if (i)
            memcpy(frame + 12, (uint8_t[]){0x88, 0xa8}, 2);
        if (i == 2) { /* another tag between this and the type */
            memmove(frame + 20, frame + 16, n - 16);
            memcpy(frame + 14, (uint8_t[]){0x07, 0x77, 0x81, 0x00, 0x06, 0x66}, 6);
            n += 4;
        }
        goes_to(a, n, i == 1 ? rest : b, i == 1 ? b : rest);
    }
    n = build(frame, &(struct frame_of){.vlan = 0x10666});
    memcpy(frame + 12, (uint8_t[]){0x88, 0xa8}, 2);
    goes_to(a, n, rest, b);
    drop_rule(f);
    drop_rule(left_over);
    close_end(rest);
    close_end(b);
    close_end(a);
}

/* A specification without a mask still says which protocol the frame has. */
static void bare_protocols(void)
{
    static const uint32_t types[] = {IBV_FLOW_SPEC_IPV4, IBV_FLOW_SPEC_IPV6, IBV_FLOW_SPEC_TCP, IBV_FLOW_SPEC_UDP,
        IBV_FLOW_SPEC_VXLAN_TUNNEL, IBV_FLOW_SPEC_GRE, IBV_FLOW_SPEC_TCP | INSIDE};
    static size_t (*const makes[])(uint8_t *) = {udp4, tcp4, udp6, tagged, vxlan, gre, mpls};
    static const char there[7][8] = {"yynyyyn", "nnynnnn", "nynnnnn", "ynyyynn", "nnnnynn", "nnnnnyn", "nnnnynn"};
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *rest = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *left_over = everything(rest);

    for (unsigned t = 0; t < 7; t++) {
        struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
        struct ibv_flow *f;
        uint8_t spec[88] = {0};
        uint16_t size = types[t] == IBV_FLOW_SPEC_IPV4 || types[t] == IBV_FLOW_SPEC_GRE ? 24 :
            types[t] == IBV_FLOW_SPEC_IPV6 ? sizeof(struct ibv_flow_spec_ipv6) : 16;

        memcpy(spec, &types[t], 4);
        memcpy(spec + 4, &size, 2);
        add_spec(&r, spec, size);
        f = apply(b, &r);
        for (unsigned m = 0; m < 7; m++) {
            size_t n = makes[m](frame);

            goes_to(a, n, there[t][m] == 'y' ? b : rest, there[t][m] == 'y' ? rest : b);
        }
        drop_rule(f);
    }
    drop_rule(left_over);
    close_end(rest);
    close_end(b);
    close_end(a);
}

/* -- order ------------------------------------------------------------------------------------- */

static struct ibv_flow *by_port(struct end *e, uint16_t sport, uint16_t dport, int priority, uint32_t flags)
{
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, priority);
    struct ibv_flow_spec_tcp_udp udp = {.type = IBV_FLOW_SPEC_UDP, .size = sizeof udp,
        .val = {htobe16(dport), htobe16(sport)}, .mask = {dport ? 0xffff : 0, sport ? 0xffff : 0}};

    r.attr.flags = flags;
    add_spec(&r, &udp, sizeof udp);
    return apply(e, &r);
}

struct three {
    struct end *a, *b, *c, *d;
};

static struct three open_three(void)
{
    struct three t = {.a = open_end(NULL), .b = open_end(&(struct end_how){.device = 1})};

    t.c = open_end(&(struct end_how){.device = 1, .with = t.b});
    t.d = open_end(&(struct end_how){.device = 1, .with = t.b});
    return t;
}

static void close_three(struct three *t)
{
    close_end(t->d);
    close_end(t->c);
    close_end(t->b);
    close_end(t->a);
}

/* The letters of those that get the frame. */
static void who(struct three *t, size_t n, const char *wanted)
{
    struct end *ends[] = {t->b, t->c, t->d};

    send_frame(t->a, frame, n, 0);
    for (int i = 0; i < 3; i++)
        if (strchr(wanted, 'b' + i))
            post_slot(ends[i], (unsigned)(wants_frame(ends[i], frame, n).id - 1000), SLOT);
    for (int i = 0; i < 3; i++)
        none_of(ends[i]);
}

static void priorities(void)
{
    struct three t = open_three();
    size_t n = udp4(frame);
    struct ibv_flow *low, *middle, *high, *left;

    left = everything(t.d);
    who(&t, n, "d");
    low = by_port(t.b, 0x1234, 0, 9, 0);
    who(&t, n, "b");
    high = to_mac(t.c, unicast, 1); /* made later, comes earlier */
    who(&t, n, "c");
    middle = by_port(t.d, 0, 0x5678, 5, 0);
    who(&t, n, "c");
    drop_rule(high);
    who(&t, n, "d");
    drop_rule(middle);
    who(&t, n, "b");
    middle = by_port(t.c, 0, 0x5678, 9, 0); /* the same priority, another mask: the first one keeps it */
    who(&t, n, "b");
    drop_rule(low);
    who(&t, n, "c");
    drop_rule(middle);
    drop_rule(left);
    who(&t, n, "");
    close_three(&t);
}

/* Rules that are the same but for the receiver: all have the frame, each once. */
static void same_rules(void)
{
    struct three t = open_three();
    size_t n = udp4(frame);
    struct ibv_flow *f[] = {to_mac(t.b, unicast, 4), to_mac(t.c, unicast, 4), to_mac(t.b, unicast, 4), everything(t.d),
        everything(t.c)};
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 4);
    struct ibv_flow_spec_eth eth = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof eth};
    struct ibv_flow_spec_action_tag tag = {IBV_FLOW_SPEC_ACTION_TAG, sizeof tag, 5};
    struct ibv_flow_spec_action_drop drop = {IBV_FLOW_SPEC_ACTION_DROP, sizeof drop};

    who(&t, n, "bc");
    memcpy(eth.val.dst_mac, unicast, 6);
    memset(eth.mask.dst_mac, 0xff, 6);
    add_spec(&r, &eth, sizeof eth);
    add_spec(&r, &tag, sizeof tag);
    refused_rule(t.d, &r, EEXIST); /* the others have no tag */
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 4);
    add_spec(&r, &eth, sizeof eth);
    add_spec(&r, &drop, sizeof drop);
    refused_rule(t.d, &r, EEXIST);
    frame[5] ^= 1;
    who(&t, n, "cd");
    for (int i = 0; i < 5; i++)
        drop_rule(f[i]);
    close_three(&t);
}

/* Rules that let later ones see the frame, too. */
static void not_trapped(void)
{
    struct three t = open_three();
    size_t n = udp4(frame);
    struct ibv_flow *f = by_port(t.b, 0x1234, 0, 3, IBV_FLOW_ATTR_FLAGS_DONT_TRAP), *g, *left = everything(t.d);
    struct rule r = new_rule(IBV_FLOW_ATTR_ALL_DEFAULT, 0);

    who(&t, n, "bd");
    g = by_port(t.c, 0, 0x5678, 3, 0);
    who(&t, n, "bc");
    drop_rule(g);
    g = by_port(t.c, 0, 0x5678, 4, IBV_FLOW_ATTR_FLAGS_DONT_TRAP);
    who(&t, n, "bcd");
    drop_rule(g);
    drop_rule(f);
    g = by_port(t.c, 0, 0x5678, 3, 0); /* of one priority they come first, also when they are made later */
    f = by_port(t.b, 0x1234, 0, 3, IBV_FLOW_ATTR_FLAGS_DONT_TRAP);
    who(&t, n, "bc");
    drop_rule(g);
    g = by_port(t.c, 0, 0x5678, 2, 0); /* it comes before */
    who(&t, n, "c");
    drop_rule(f);
    drop_rule(g);
    drop_rule(left);
    r.attr.flags = IBV_FLOW_ATTR_FLAGS_DONT_TRAP;
    refused_rule(t.b, &r, EINVAL);
    close_three(&t);
}

static void types(void)
{
    struct three t = open_three();
    struct rule many = new_rule(IBV_FLOW_ATTR_MC_DEFAULT, 0), sniffer = new_rule(IBV_FLOW_ATTR_SNIFFER, 0),
        rest = new_rule(IBV_FLOW_ATTR_ALL_DEFAULT, 0);
    struct ibv_flow_spec_eth eth = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof eth, .val.dst_mac = {8},
        .mask.dst_mac = {10}};
    struct ibv_flow *f = apply(t.b, &many), *all, *normal, *sniffs, *here;
    size_t n = udp4(frame);

    who(&t, n, "");
    /* of what is left over, specifications say nothing */
    add_spec(&rest, &eth, sizeof eth);
    all = apply(t.c, &rest);
    who(&t, n, "c");
    drop_rule(all);
    frame[0] = 1;
    who(&t, n, "b");
    all = everything(t.c);
    who(&t, n, "bc");
    normal = to_mac(t.d, frame, 15);
    who(&t, n, "d");
    frame[0] = 2;
    who(&t, n, "c");
    sniffs = apply(t.b, &sniffer); /* sees all, changes nothing */
    who(&t, n, "bc");
    drop_rule(all);
    who(&t, n, "b");
    /* it sees what its own port sends, and that once, also where it comes back */
    sniffer.attr.port = 0;
    here = apply(t.a, &sniffer);
    send_frame(t.a, frame, n, 0);
    wants_frame(t.a, frame, n);
    wants_frame(t.b, frame, n);
    frame[0] = 3;
    send_frame(t.a, frame, n, 0);
    wants_frame(t.a, frame, n);
    none_of(t.a);
    drop_rule(here);
    drop_rule(sniffs);
    drop_rule(normal);
    drop_rule(f);
    close_three(&t);
}

/* -- actions ----------------------------------------------------------------------------------- */

static struct ibv_flow *with_action(struct end *e, uint16_t dport, const void *action, size_t size, const void *second,
    size_t second_size)
{
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 1);
    struct ibv_flow_spec_tcp_udp udp = {.type = IBV_FLOW_SPEC_UDP, .size = sizeof udp,
        .val = {.dst_port = htobe16(dport)}, .mask = {.dst_port = 0xffff}};

    add_spec(&r, &udp, sizeof udp);
    add_spec(&r, action, size);
    if (second)
        add_spec(&r, second, second_size);
    return apply(e, &r);
}

static void tags(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow_spec_action_tag one = {IBV_FLOW_SPEC_ACTION_TAG, sizeof one, 0xabcdef},
        two = {IBV_FLOW_SPEC_ACTION_TAG, sizeof two, 0x123456},
        large = {IBV_FLOW_SPEC_ACTION_TAG, sizeof large, 0x1000000};
    struct ibv_flow *f = with_action(b, 0x5678, &one, sizeof one, NULL, 0),
        *g = with_action(b, 0x5679, &two, sizeof two, NULL, 0), *left = everything(b);
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    size_t n = build(frame, &(struct frame_of){.payload = "x", .size = 1});

    send_frame(a, frame, n, 0);
    EQ(wants_frame(b, frame, n).tag, 0xabcdef);
    n = build(frame, &(struct frame_of){.dport = 0x5679});
    send_frame(a, frame, n, 0);
    EQ(wants_frame(b, frame, n).tag, 0x123456);
    n = build(frame, &(struct frame_of){.dport = 0x567a});
    send_frame(a, frame, n, 0);
    EQ(wants_frame(b, frame, n).tag, 0);
    add_spec(&r, &large, sizeof large);
    refused_rule(b, &r, EINVAL);
    r = new_rule(IBV_FLOW_ATTR_ALL_DEFAULT, 0);
    add_spec(&r, &one, sizeof one);
    refused_rule(b, &r, EINVAL);
    drop_rule(f);
    drop_rule(g);
    drop_rule(left);
    no_violations();
    close_end(a);
    close_end(b);
}

static struct ibv_counters *counters_of(struct end *e, int packets_at, int bytes_at)
{
    struct ibv_counters *c = SOME(ibv_create_counters(e->ctx, &(struct ibv_counters_init_attr){0}));
    struct ibv_counter_attach_attr packets = {.counter_desc = IBV_COUNTER_PACKETS, .index = (uint32_t)packets_at},
        bytes = {.counter_desc = IBV_COUNTER_BYTES, .index = (uint32_t)bytes_at};

    if (bytes_at >= 0)
        OK(ibv_attach_counters_point_flow(c, &bytes, NULL));
    if (packets_at >= 0)
        OK(ibv_attach_counters_point_flow(c, &packets, NULL));
    return c;
}

static void reads(struct ibv_counters *c, uint64_t first, uint64_t second, uint64_t third)
{
    uint64_t v[3] = {99, 99, 99};

    OK(ibv_read_counters(c, v, 3, 0));
    EQ(v[0], first);
    EQ(v[1], second);
    EQ(v[2], third);
    OK(ibv_read_counters(c, v, 3, IBV_READ_COUNTERS_ATTR_PREFER_CACHED));
    EQ(v[2], third);
}

static void counting(void)
{
    struct three t = open_three();
    struct ibv_counters *c = counters_of(t.b, 2, 0), *shared = counters_of(t.b, 0, 1);
    struct ibv_flow_spec_counter_action count = {IBV_FLOW_SPEC_ACTION_COUNT, sizeof count, c},
        both = {IBV_FLOW_SPEC_ACTION_COUNT, sizeof both, shared};
    struct ibv_flow_spec_action_drop drop = {IBV_FLOW_SPEC_ACTION_DROP, sizeof drop};
    struct ibv_flow *f = with_action(t.b, 0x5678, &count, sizeof count, NULL, 0),
        *g = with_action(t.c, 0x1111, &both, sizeof both, &drop, sizeof drop),
        *h = with_action(t.d, 0x2222, &both, sizeof both, NULL, 0), *left = everything(t.c);
    uint64_t bytes = 0, v[3];

    reads(c, 0, 0, 0);
    for (uint64_t i = 1; i < 20; i++) {
        size_t n = build(frame, &(struct frame_of){.payload = fields, .size = 3 * i});

        bytes += n;
        who(&t, n, "b");
        reads(c, bytes, 0, i);
    }
    /* one counters object of two rules, of which one drops */
    who(&t, build(frame, &(struct frame_of){.dport = 0x1111}), "");
    reads(shared, 1, 42, 0);
    who(&t, build(frame, &(struct frame_of){.dport = 0x2222, .payload = "abc", .size = 3}), "d");
    reads(shared, 2, 42 + 45, 0);
    reads(c, bytes, 0, 19);
    EQ(ibv_read_counters(c, v, 2, 0), EINVAL); /* there is a place 2 */
    EQ(ibv_read_counters(c, v, 3, 2), EINVAL);
    EQ(ibv_attach_counters_point_flow(c, &(struct ibv_counter_attach_attr){.index = 1}, NULL), EBUSY);
    EQ(ibv_destroy_counters(c), EBUSY);
    drop_rule(f);
    EQ(ibv_read_counters(c, v, 3, 0), EINVAL); /* no rule, no values */
    drop_rule(g);
    reads(shared, 2, 87, 0);
    drop_rule(h);
    drop_rule(left);
    OK(ibv_destroy_counters(c));
    OK(ibv_destroy_counters(shared));
    close_three(&t);
}

static void dropping(void)
{
    struct three t = open_three();
    struct ibv_flow_spec_action_drop drop = {IBV_FLOW_SPEC_ACTION_DROP, sizeof drop};
    struct ibv_flow *left = everything(t.c), *f;
    size_t n = udp4(frame);

    who(&t, n, "c");
    f = with_action(t.b, 0x5678, &drop, sizeof drop, NULL, 0);
    who(&t, n, "");
    frame[37] ^= 1;
    who(&t, n, "c");
    drop_rule(f);
    frame[37] ^= 1;
    who(&t, n, "c");
    drop_rule(left);
    close_three(&t);
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void refusals(void)
{
    struct end *b = open_end(NULL);
    struct pair *p = make_pair(NULL);
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 16);
    struct ibv_flow_spec_tunnel vni = {.type = IBV_FLOW_SPEC_VXLAN_TUNNEL, .size = sizeof vni,
        .val.tunnel_id = htobe32(1 << 24)};
    struct ibv_flow_spec_ipv6 v6 = {.type = IBV_FLOW_SPEC_IPV6, .size = sizeof v6, .mask.flow_label = htobe32(1 << 20)};
    struct ibv_flow_spec_eth eth = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof eth};
    struct ibv_flow_spec_esp esp = {.type = IBV_FLOW_SPEC_ESP, .size = sizeof esp};
    struct ibv_flow *f;

    refused_rule(b, &r, ENOSPC);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 15);
    r.attr.port = 3;
    refused_rule(b, &r, EINVAL);
    r = new_rule(4, 0);
    refused_rule(b, &r, EINVAL);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    r.attr.flags = 1;
    refused_rule(b, &r, EINVAL);
    r.attr.flags = 8;
    refused_rule(b, &r, EINVAL);
    r.attr.flags = 4; /* for what is sent */
    refused_rule(b, &r, EOPNOTSUPP);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    add_spec(&r, &vni, sizeof vni);
    refused_rule(b, &r, EINVAL);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    add_spec(&r, &v6, sizeof v6);
    refused_rule(b, &r, EINVAL);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    add_spec(&r, &esp, sizeof esp);
    refused_rule(b, &r, EOPNOTSUPP);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    for (int i = 0; i < 11; i++)
        add_spec(&r, &eth, sizeof eth);
    refused_rule(b, &r, EINVAL);
    r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    r.attr.port = 1;
    errno = 0;
    CHECK(!ibv_create_flow(p->a.qp, &r.attr)); /* not of raw packets */
    EQ(errno, EINVAL);
    f = everything(b);
    EQ(ibv_destroy_qp(b->qp), EBUSY);
    drop_rule(f);
    free_pair(p);
    close_end(b);
}

/* What is left of rules goes with the context. */
static void left_behind(void)
{
    struct three t = open_three();
    struct ibv_context *ctx = open_nth(1);
    size_t n = udp4(frame);
    struct ibv_flow *f = everything(t.b);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 10, NULL, NULL, 0));
    struct ibv_qp *qp = SOME(ibv_create_qp(pd, &(struct ibv_qp_init_attr){.send_cq = cq, .recv_cq = cq, .qp_type =
        IBV_QPT_RAW_PACKET, .cap = {1, 1, 1, 1, 0}}));
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);

    r.attr.port = 1;
    SOME(ibv_create_flow(qp, &r.attr));
    who(&t, n, "");
    OK(ibv_close_device(ctx));
    who(&t, n, "b");
    drop_rule(f);
    close_three(&t);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"each-field", each_field}, {"other-fields", other_fields}, {"bare-protocols", bare_protocols},
        {"priorities", priorities}, {"same-rules", same_rules}, {"not-trapped", not_trapped}, {"types", types},
        {"tags", tags}, {"counting", counting}, {"dropping", dropping}, {"refusals", refusals},
        {"left-behind", left_behind}, {0},
    };

    return run_cases("eth_rules", cases, argc, argv);
}
