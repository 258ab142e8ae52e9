/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Steering by software, as the unmodified libmlx5 does it: what its tables match, and how frames find their rule. */
#include "steering_kit.h"

static uint8_t frame[2000];

#define VX (8 * (IN_PAYLOAD + 8)) /* where the inner frame begins, in bits */
#define GR (8 * 50)

static size_t icmp(uint8_t *f)
{
    static const uint8_t head[] = {8, 3, 0, 0, 0x12, 0x34, 0x56, 0x78};

    return build(f, &(struct frame_of){.proto = 1, .payload = head, .size = sizeof head});
}

static size_t icmp6(uint8_t *f)
{
    static const uint8_t head[] = {128, 5, 0, 0, 0x9a, 0xbc, 0xde, 0xf1};

    return build(f, &(struct frame_of){.ip = 6, .proto = 58, .payload = head, .size = sizeof head});
}

static size_t two_tags(uint8_t *f)
{
    static const uint8_t rest[] = {0xc5, 0x67, 0x88, 0xb5, 1, 2, 3, 4};

    return build(f, &(struct frame_of){.vlan = 0x1b5e7, .ip = -1, .type = 0x8100, .payload = rest,
        .size = sizeof rest});
}

static size_t service(uint8_t *f)
{
    size_t n = tagged(f);

    f[12] = 0x88;
    f[13] = 0xa8;
    return n;
}

/* Where a field of the layout begins, and where the frame has it, in bits; the versions of IP that go with it. */
static const struct field {
    const char *name;
    size_t (*make)(uint8_t *);
    unsigned at, width, in_frame;
    uint8_t parts, outer_ip, inner_ip;
} fields[] = {
    {"smac", udp4, 0x000, 48, 48, OUTER, 0, 0}, {"dmac", udp4, 0x040, 48, 0, OUTER, 0, 0},
    {"ethertype", udp4, 0x030, 16, 96, OUTER, 0, 0}, {"vid", tagged, 0x074, 12, 116, OUTER, 0, 0},
    {"priority", tagged, 0x070, 3, 112, OUTER, 0, 0},
    {"a customer's tag", tagged, 0x090, 1, 96, OUTER, 0, 0}, {"a service's tag", service, 0x091, 1, 96, OUTER, 0, 0},
    {"second vid", two_tags, 0x244, 12, 148, MISC, 0, 0},
    {"protocol", udp4, 0x080, 8, 184, OUTER, 4, 0}, {"dscp", udp4, 0x088, 6, 120, OUTER, 4, 0},
    {"ecn", udp4, 0x08e, 2, 126, OUTER, 4, 0}, {"tcp flags", tcp4, 0x097, 9, 375, OUTER, 4, 0},
    {"tcp sport", tcp4, 0x0a0, 16, 272, OUTER, 4, 0}, {"tcp dport", tcp4, 0x0b0, 16, 288, OUTER, 4, 0},
    {"ttl", udp4, 0x0d8, 8, 176, OUTER, 4, 0}, {"udp sport", udp4, 0x0e0, 16, 272, OUTER, 4, 0},
    {"udp dport", udp4, 0x0f0, 16, 288, OUTER, 4, 0}, {"src of IPv4", udp4, 0x160, 32, 208, OUTER, 4, 0},
    {"dst of IPv4", udp4, 0x1e0, 32, 240, OUTER, 4, 0}, {"src of IPv6", udp6, 0x140, 64, 240, OUTER, 6, 0},
    {"dst of IPv6", udp6, 0x180, 64, 304, OUTER, 6, 0}, {"dport over IPv6", udp6, 0x0f0, 16, 448, OUTER, 6, 0},
    {"hop limit", udp6, 0x0d8, 8, 168, OUTER, 6, 0}, {"traffic class", udp6, 0x088, 6, 116, OUTER, 6, 0},
    {"flow label", udp6, 0x2ec, 20, 124, MISC, 6, 0}, {"seq", tcp4, 0x820, 32, 304, MISC_3, 4, 0},
    {"ack", tcp4, 0x860, 32, 336, MISC_3, 4, 0}, {"gre protocol", gre, 0x270, 16, 288, MISC, 0, 0},
    {"gre key", gre, 0x280, 32, 336, MISC, 0, 0}, {"vni", vxlan, 0x2a0, 24, 8 * IN_PAYLOAD + 32, MISC, 0, 0},
    {"geneve vni", geneve, 0x2c0, 24, 8 * IN_PAYLOAD + 32, MISC, 0, 0},
    {"geneve oam", geneve, 0x2df, 1, 8 * IN_PAYLOAD + 8, MISC, 0, 0},
    {"geneve protocol", geneve, 0x330, 16, 8 * IN_PAYLOAD + 16, MISC, 0, 0},
    {"inner dmac", vxlan, 0x440, 48, VX, INNER, 0, 0}, {"inner smac", vxlan, 0x400, 48, VX + 48, INNER, 0, 0},
    {"inner src", vxlan, 0x560, 32, VX + 240, INNER, 0, 4}, {"inner sport", vxlan, 0x4a0, 16, VX + 304, INNER, 0, 4},
    {"inner dport over IPv6", gre, 0x4f0, 16, GR + 448, INNER, 0, 6}, {"mpls", mpls, 0x600, 20, 112, MISC_2, 0, 0},
    {"mpls in gre", mpls_gre, 0x640, 20, 304, MISC_2, 0, 0}, {"mpls in udp", mpls_udp, 0x660, 20, 8 * IN_PAYLOAD,
    MISC_2, 0, 0},
    {"icmp data", icmp, 0x8c0, 32, 304, MISC_3, 4, 0}, {"icmp type", icmp, 0x900, 8, 272, MISC_3, 4, 0},
    {"icmpv6 code", icmp6, 0x918, 8, 440, MISC_3, 6, 0}, {"icmpv6 data", icmp6, 0x8e0, 32, 464, MISC_3, 6, 0},
};

/* The library wants the version as the mask, too. */
static void with_versions(const struct field *f, struct match *mask, struct match *value, uint8_t *parts)
{
    *parts = f->parts;
    if (f->outer_ip) {
        match_bits(mask, 0x093, 4, f->outer_ip);
        match_bits(value, 0x093, 4, f->outer_ip);
        *parts |= OUTER;
    }
    if (f->inner_ip) {
        match_bits(mask, 0x493, 4, f->inner_ip);
        match_bits(value, 0x493, 4, f->inner_ip);
        *parts |= INNER;
    }
}

static bool arrived(struct end *e)
{
    struct ibv_poll_cq_attr attr = {0};

    device_sim_pump(-1);
    if (ibv_start_poll(e->cqx, &attr))
        return false;
    post_slot(e, (unsigned)(e->cqx->wr_id - 1000), SLOT);
    ibv_end_poll(e->cqx);
    return true;
}

static void one_field(struct end *a, struct end *b, struct steering *s, const struct field *f,
    struct mlx5dv_dr_action *to)
{
    size_t n = f->make(frame);
    struct match mask = no_match(), value = no_match();
    struct mlx5dv_dr_matcher *m;
    struct mlx5dv_dr_rule *rule;
    uint8_t parts;

    with_versions(f, &mask, &value, &parts);
    match_bits(&mask, f->at, f->width, UINT64_MAX);
    match_bits(&value, f->at, f->width, take_bits(frame, f->in_frame, f->width));
    m = mlx5dv_dr_matcher_create(s->table, 0, parts, &mask.p);
    rule = m ? dr_rule(m, &value, ACTIONS(to)) : NULL;
    if (!rule)
        fail(__FILE__, __LINE__, "no rule by %s: %s", f->name, strerror(errno));
    send_frame(a, frame, n, 0);
    if (!arrived(b))
        fail(__FILE__, __LINE__, "a rule by %s does not match its frame", f->name);
    for (unsigned bit = 0; bit < f->width; bit++) {
        unsigned at = f->in_frame + bit;

        frame[at / 8] ^= (uint8_t)(0x80 >> at % 8);
        send_frame(a, frame, n, 0);
        if (arrived(b))
            fail(__FILE__, __LINE__, "a rule by %s does not look at bit %u", f->name, bit);
        frame[at / 8] ^= (uint8_t)(0x80 >> at % 8);
    }
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_matcher_destroy(m));
}

static void each_field(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct steering s = open_steering(b->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *to = SOME(mlx5dv_dr_action_create_dest_ibv_qp(b->qp));

    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        one_field(a, b, &s, &fields[i], to);
    OK(mlx5dv_dr_action_destroy(to));
    close_steering(&s);
    no_violations();
    close_end(b);
    close_end(a);
}

/* -- many rules -------------------------------------------------------------------------------- */

#define RULES 700

static void to_port(struct end *a, struct end *b, unsigned port, bool wanted)
{
    size_t n = build(frame, &(struct frame_of){.dport = (uint16_t)port, .payload = "x", .size = 1});

    if (wanted)
        EQ(wants(a, frame, n, b, frame, n).tag, port);
    else
        wants_none(a, frame, n, b);
}

/* So many that tables grow, and that rules share a place in them. */
static void many_rules(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct steering s = open_steering(b->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *to = SOME(mlx5dv_dr_action_create_dest_ibv_qp(b->qp)), *tag[RULES];
    struct mlx5dv_dr_rule *rule[RULES];
    struct match mask = no_match();
    struct mlx5dv_dr_matcher *m;

    match_bits(&mask, 0x0f0, 16, 0xffff);
    match_bits(&mask, 0x093, 4, 4);
    m = SOME(mlx5dv_dr_matcher_create(s.table, 0, OUTER, &mask.p));
    for (unsigned i = 0; i < RULES; i++) {
        struct match value = no_match();

        tag[i] = SOME(mlx5dv_dr_action_create_tag(5000 + 13 * i));
        match_bits(&value, 0x0f0, 16, 5000 + 13 * i);
        match_bits(&value, 0x093, 4, 4);
        rule[i] = SOME(dr_rule(m, &value, ACTIONS(tag[i], to)));
    }
    for (unsigned i = 0; i < RULES; i++)
        to_port(a, b, 5000 + 13 * i, true);
    to_port(a, b, 5001, false);
    for (unsigned i = 0; i < RULES; i += 3)
        OK(mlx5dv_dr_rule_destroy(rule[i]));
    for (unsigned i = 0; i < RULES; i += 5)
        to_port(a, b, 5000 + 13 * i, i % 3);
    for (unsigned i = 0; i < RULES; i++) {
        if (i % 3)
            OK(mlx5dv_dr_rule_destroy(rule[i]));
        OK(mlx5dv_dr_action_destroy(tag[i]));
    }
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(to));
    close_steering(&s);
    no_violations();
    close_end(b);
    close_end(a);
}

/* A frame that one matcher's rules don't want comes to the next one's, by their priorities. */
static void matchers_in_turn(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct steering s = open_steering(b->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *to = SOME(mlx5dv_dr_action_create_dest_ibv_qp(b->qp)),
        *drop = SOME(mlx5dv_dr_action_create_drop());
    struct mlx5dv_dr_action *tag = SOME(mlx5dv_dr_action_create_tag(0xabcdef));
    struct match mask = no_match(), value = no_match(), none = no_match();
    struct mlx5dv_dr_matcher *last = SOME(mlx5dv_dr_matcher_create(s.table, 5, 0, &none.p)), *first;
    struct mlx5dv_dr_rule *all = SOME(dr_rule(last, &none, ACTIONS(tag, to))), *one;
    size_t n = udp4(frame);

    EQ(wants(a, frame, n, b, frame, n).tag, 0xabcdef);
    match_bits(&mask, 0x000, 48, UINT64_MAX);
    match_bits(&value, 0x000, 48, take_bits(frame, 48, 48));
    first = SOME(mlx5dv_dr_matcher_create(s.table, 2, OUTER, &mask.p));
    one = SOME(dr_rule(first, &value, ACTIONS(drop)));
    wants_none(a, frame, n, b);
    frame[6] ^= 2;
    wants(a, frame, n, b, frame, n);
    frame[6] ^= 2;
    OK(mlx5dv_dr_rule_destroy(one));
    wants(a, frame, n, b, frame, n);
    OK(mlx5dv_dr_rule_destroy(all));
    wants_none(a, frame, n, b);
    OK(mlx5dv_dr_matcher_destroy(first));
    OK(mlx5dv_dr_matcher_destroy(last));
    OK(mlx5dv_dr_action_destroy(to));
    OK(mlx5dv_dr_action_destroy(drop));
    OK(mlx5dv_dr_action_destroy(tag));
    close_steering(&s);
    no_violations();
    close_end(b);
    close_end(a);
}

/* The library, or a process that ends, leaves all as it is: the port is as before. */
static void left_behind(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *gone = open_end(&(struct end_how){.device = 1});
    struct steering s = open_steering(gone->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct ibv_flow *f = everything(b);
    size_t n = udp4(frame);

    (void)s;
    wants_none(a, frame, n, b);
    OK(ibv_close_device(gone->ctx));
    wants(a, frame, n, b, frame, n);
    drop_rule(f);
    no_violations();
    close_end(b);
    close_end(a);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"each-field", each_field}, {"many-rules", many_rules}, {"matchers-in-turn", matchers_in_turn},
        {"left-behind", left_behind}, {0},
    };

    return run_cases("steering_dr", cases, argc, argv);
}
