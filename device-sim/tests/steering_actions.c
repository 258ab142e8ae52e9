/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What rules do to frames, at the root, where the kernel makes them, and in tables of software. */
#include <dlfcn.h>

#include "steering_kit.h"

static uint8_t frame[2000], changed[2000];

/* The ends of a case: b receives, by a rule for all in the table of software, or at the root. */
struct setting {
    struct end *a, *b;
    bool root;
    struct steering rx, tx;
    struct mlx5dv_dr_matcher *matcher; /* for all, of what arrives */
    struct mlx5dv_dr_action *to;
};

static struct mlx5dv_dr_matcher *matcher_for_all(struct mlx5dv_dr_table *t)
{
    struct match none = no_match();

    return SOME(mlx5dv_dr_matcher_create(t, 0, 0, &none.p));
}

static struct mlx5dv_dr_rule *rule_for_all(struct mlx5dv_dr_matcher *m, struct actions a)
{
    struct match none = no_match();

    return SOME(dr_rule(m, &none, a));
}

static struct setting open_setting(bool root)
{
    struct setting s = {.a = open_end(NULL), .b = open_end(&(struct end_how){.device = 1}), .root = root};

    s.to = SOME(mlx5dv_dr_action_create_dest_ibv_qp(s.b->qp));
    if (root) {
        s.rx.domain = SOME(mlx5dv_dr_domain_create(s.b->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX));
        s.rx.root = s.rx.table = SOME(mlx5dv_dr_table_create(s.rx.domain, 0));
        s.tx.domain = SOME(mlx5dv_dr_domain_create(s.a->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_TX));
        s.tx.root = s.tx.table = SOME(mlx5dv_dr_table_create(s.tx.domain, 0));
    } else {
        s.rx = open_steering(s.b->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
        s.tx = open_steering(s.a->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_TX);
    }
    s.matcher = matcher_for_all(s.rx.table);
    return s;
}

static void close_one(struct steering *s, bool root)
{
    if (!root) {
        close_steering(s);
        return;
    }
    OK(mlx5dv_dr_table_destroy(s->root));
    OK(mlx5dv_dr_domain_destroy(s->domain));
}

static void close_setting(struct setting *s)
{
    OK(mlx5dv_dr_matcher_destroy(s->matcher));
    OK(mlx5dv_dr_action_destroy(s->to));
    close_one(&s->rx, s->root);
    close_one(&s->tx, s->root);
    no_violations();
    close_end(s->b);
    close_end(s->a);
}

static uint32_t level(const struct setting *s)
{
    return s->root ? MLX5DV_DR_ACTION_FLAGS_ROOT_LEVEL : 0;
}

/* -- changes ----------------------------------------------------------------------------------- */

enum { SET = 1, ADD, COPY };

/* By the number of a field its bits, and where a frame has it. */
static const struct field {
    unsigned number, width;
    size_t (*make)(uint8_t *);
    unsigned in_frame;
} fields[] = {
    {0x01, 32, udp4, 48}, {0x02, 16, udp4, 80}, {0x03, 16, udp4, 96}, {0x04, 32, udp4, 0}, {0x05, 16, udp4, 32},
    {0x06, 6, udp4, 120}, {0x06, 6, udp6, 116}, {0x07, 9, tcp4, 375}, {0x08, 16, tcp4, 272}, {0x09, 16, tcp4, 288},
    {0x0a, 8, udp4, 176}, {0x0b, 16, udp4, 272}, {0x0c, 16, udp4, 288}, {0x0d, 32, udp6, 176}, {0x0e, 32, udp6, 208},
    {0x0f, 32, udp6, 240}, {0x10, 32, udp6, 272}, {0x11, 32, udp6, 304}, {0x12, 32, udp6, 336}, {0x13, 32, udp6, 368},
    {0x14, 32, udp6, 400}, {0x15, 32, udp4, 208}, {0x16, 32, udp4, 240}, {0x17, 12, tagged, 116}, {0x47, 8, udp6, 168},
    {0x59, 32, tcp4, 304}, {0x5b, 32, tcp4, 336},
};

static void put16(uint8_t *b, unsigned value)
{
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}

/* Of a frame without a tag; what was right is right again. */
static void sums(uint8_t *f)
{
    bool four = f[14] >> 4 == 4;
    uint8_t *l4 = f + 14 + (four ? 20 : 40), *sum = l4 + ((four ? f[23] : f[20]) == 6 ? 16 : 6);
    uint16_t value;

    if (four) {
        put16(f + 24, 0);
        put16(f + 24, checksum(f + 14, 20, 0));
    }
    put16(sum, 0);
    value = transport_check(f);
    put16(sum, !value && (four ? f[23] : f[20]) != 6 ? 0xffff : value);
}

static struct mlx5dv_dr_action *rewrite(struct setting *s, size_t n, __be64 *changes)
{
    return mlx5dv_dr_action_create_modify_header(s->rx.domain, level(s), 8 * n, changes);
}

static void goes_as(struct setting *s, size_t n, struct mlx5dv_dr_action *action, size_t length)
{
    struct mlx5dv_dr_rule *rule = rule_for_all(s->matcher, ACTIONS(action, s->to));

    wants(s->a, frame, n, s->b, changed, length);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_action_destroy(action));
}

static void change_each(bool root)
{
    struct setting s = open_setting(root);

    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        uint32_t data = f->number == 0x03 ? 0x88b5 : 0x5ac3965a & (f->width == 32 ? UINT32_MAX : (1u << f->width) - 1);
        __be64 change = change_of(SET, f->number, 0, f->width & 31, data);
        size_t n = f->make(frame);

        f->make(changed);
        put_bits(changed, f->in_frame, f->width, data);
        if (f->number != 0x03 && f->number != 0x17)
            sums(changed);
        goes_as(&s, n, SOME(rewrite(&s, 1, &change)), n);
    }
    close_setting(&s);
}

static void change_fields(void)
{
    change_each(false);
}

static void change_fields_at_root(void)
{
    change_each(true);
}

static void change_parts(bool root)
{
    struct setting s = open_setting(root);
    __be64 changes[4] = {change_of(SET, 0x02, 4, 5, 0x1b), change_of(ADD, 0x0a, 0, 0, 0xff), change_of(COPY, 0x02, 0,
        16,
        0x05 << 16), change_of(ADD, 0x59, 0, 0, 3)};
    size_t n = udp4(frame);

    memcpy(changed, frame, n);
    put_bits(changed, 80 + 16 - 9, 5, 0x1b);
    changed[22]--;
    memcpy(changed + 4, changed + 10, 2);
    sums(changed);
    goes_as(&s, n, SOME(rewrite(&s, 3, changes)), n);
    n = tcp4(frame); /* the number of what is no field of UDP was left alone */
    memcpy(changed, frame, n);
    put_bits(changed, 304, 32, take_bits(frame, 304, 32) + 3);
    sums(changed);
    goes_as(&s, n, SOME(rewrite(&s, 1, &changes[3])), n);
    n = udp4(frame); /* one that was wrong stays so, and none is none */
    put16(frame + 40, 0);
    memcpy(changed, frame, n);
    put_bits(changed, 272, 16, 99);
    changes[0] = change_of(SET, 0x0b, 0, 16, 99);
    goes_as(&s, n, SOME(rewrite(&s, 1, changes)), n);
    put16(frame + 40, 0x1234);
    put16(changed + 40, 0x1234);
    goes_as(&s, n, SOME(rewrite(&s, 1, changes)), n);
    close_setting(&s);
}

static void change_parts_of_fields(void)
{
    change_parts(false);
    change_parts(true);
}

/* Marks that no frame has: set, copied, and matched in a later table. */
static void registers(void)
{
    struct setting s = open_setting(false);
    struct mlx5dv_dr_table *second = SOME(mlx5dv_dr_table_create(s.rx.domain, 2));
    struct mlx5dv_dr_action *next = SOME(mlx5dv_dr_action_create_dest_table(second));

    for (unsigned i = 0; i < 6; i++) {
        unsigned to = (i + 1) % 6, at = 0x600 + 0x80 + 32 * (7 - to);
        __be64 changes[2] = {change_of(SET, 0x51 + i, 0, 0, 0x12340000 + i), copy_of(0x51 + i, 0x51 + to, 0)};
        struct mlx5dv_dr_action *action = SOME(rewrite(&s, 2, changes));
        struct match mask = no_match(), value = no_match();
        struct mlx5dv_dr_matcher *m;
        struct mlx5dv_dr_rule *first = rule_for_all(s.matcher, ACTIONS(action, next)), *last;
        size_t n = udp4(frame);

        match_bits(&mask, at, 32, UINT32_MAX);
        match_bits(&value, at, 32, 0x12340000 + i);
        m = SOME(mlx5dv_dr_matcher_create(second, 0, MISC_2, &mask.p));
        last = SOME(dr_rule(m, &value, ACTIONS(s.to)));
        wants(s.a, frame, n, s.b, frame, n);
        OK(mlx5dv_dr_rule_destroy(last));
        match_bits(&value, at, 32, 0x12340006 + i);
        last = SOME(dr_rule(m, &value, ACTIONS(s.to)));
        wants_none(s.a, frame, n, s.b);
        OK(mlx5dv_dr_rule_destroy(last));
        OK(mlx5dv_dr_rule_destroy(first));
        OK(mlx5dv_dr_matcher_destroy(m));
        OK(mlx5dv_dr_action_destroy(action));
    }
    OK(mlx5dv_dr_action_destroy(next));
    OK(mlx5dv_dr_table_destroy(second));
    close_setting(&s);
}

/* -- headers in front ---------------------------------------------------------------------------- */

static struct mlx5dv_dr_action *decapsulation(struct setting *s, bool l3, uint8_t ethernet[14])
{
    return mlx5dv_dr_action_create_packet_reformat(s->rx.domain, level(s),
        l3 ? MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2 :
        MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2,
        l3 ? 14 : 0, l3 ? ethernet : NULL);
}

static void one_tunnel(struct setting *s, const uint8_t *header, size_t size, bool l3, size_t (*make)(uint8_t *))
{
    static uint8_t ethernet[14];
    struct mlx5dv_dr_matcher *m = matcher_for_all(s->tx.table);
    struct mlx5dv_dr_action *on = SOME(mlx5dv_dr_action_create_packet_reformat(s->tx.domain, level(s),
        l3 ? MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL :
        MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL,
        size, (void *)(uintptr_t)header)), *off;
    struct mlx5dv_dr_rule *sent = rule_for_all(m, ACTIONS(on)), *rule = rule_for_all(s->matcher, ACTIONS(s->to));
    size_t n = make(frame), taken = l3 ? 14 : 0, length = size + n - taken;

    memcpy(changed, header, size);
    memcpy(changed + size, frame + taken, n - taken);
    put16(changed + 16, (unsigned)(length - 14));
    put16(changed + 24, 0);
    put16(changed + 24, checksum(changed + 14, 20, 0));
    if (changed[23] == 17)
        put16(changed + 38, (unsigned)(length - 34));
    wants(s->a, frame, n, s->b, changed, length);
    OK(mlx5dv_dr_rule_destroy(rule));
    memcpy(changed, frame, n);
    memcpy(ethernet, frame, 14);
    ethernet[0] ^= 4;
    if (l3)
        changed[0] ^= 4;
    off = SOME(decapsulation(s, l3, ethernet));
    goes_as(s, n, off, n);
    off = SOME(decapsulation(s, !l3, ethernet)); /* which it is not for */
    rule = rule_for_all(s->matcher, ACTIONS(off, s->to));
    wants_none(s->a, frame, n, s->b);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_action_destroy(off));
    OK(mlx5dv_dr_rule_destroy(sent));
    OK(mlx5dv_dr_action_destroy(on));
    OK(mlx5dv_dr_matcher_destroy(m));
}

static void tunnels_of(bool root)
{
    static const uint8_t vx[] = {8, 0, 0, 0, 0x12, 0x34, 0x56, 0}, gr[] = {0, 0, 0x65, 0x58}, gr4[] = {0, 0, 8, 0},
        gr6[] = {0, 0, 0x86, 0xdd}, gn[] = {0, 0, 0x65, 0x58, 0x12, 0x34, 0x56, 0}, gn4[] = {0, 0, 8, 0, 0x12, 0x34,
            0x56, 0};
    struct setting s = open_setting(root);
    uint8_t header[128];

#define UDP_TUNNEL(port, h) header, \
    build(header, &(struct frame_of){.dport = port, .payload = h, .size = sizeof h, .no_sums = true})
#define GRE_TUNNEL(h) header, build(header, &(struct frame_of){.proto = 47, .payload = h, .size = sizeof h})
    one_tunnel(&s, UDP_TUNNEL(4789, vx), false, tcp4);
    one_tunnel(&s, UDP_TUNNEL(6081, gn), false, udp6);
    one_tunnel(&s, UDP_TUNNEL(6081, gn4), true, tcp4);
    one_tunnel(&s, GRE_TUNNEL(gr), false, tagged);
    one_tunnel(&s, GRE_TUNNEL(gr4), true, udp4);
    one_tunnel(&s, GRE_TUNNEL(gr6), true, udp6);
    close_setting(&s);
}

static void tunnels(void)
{
    tunnels_of(false);
}

static void tunnels_at_root(void)
{
    tunnels_of(true);
}

/* Two at a time, and what can't be taken off is dropped. */
static void tags(void)
{
    struct setting s = open_setting(false);
    struct mlx5dv_dr_action *push = SOME(mlx5dv_dr_action_create_push_vlan(s.tx.domain, htobe32(0x8100a123))),
        *pop = SOME(mlx5dv_dr_action_create_pop_vlan());
    struct mlx5dv_dr_matcher *m = matcher_for_all(s.tx.table);
    struct mlx5dv_dr_rule *sent = rule_for_all(m, ACTIONS(push, push)), *rule = rule_for_all(s.matcher, ACTIONS(s.to));
    size_t n = udp4(frame);

    memcpy(changed, frame, 12);
    memcpy(changed + 12, (uint8_t[]){0x81, 0, 0xa1, 0x23, 0x81, 0, 0xa1, 0x23}, 8);
    memcpy(changed + 20, frame + 12, n - 12);
    wants(s.a, frame, n, s.b, changed, n + 8);
    OK(mlx5dv_dr_rule_destroy(rule));
    rule = rule_for_all(s.matcher, ACTIONS(pop, pop, s.to));
    wants(s.a, frame, n, s.b, frame, n);
    OK(mlx5dv_dr_rule_destroy(sent));
    wants_none(s.a, frame, n, s.b);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(push));
    OK(mlx5dv_dr_action_destroy(pop));
    close_setting(&s);
}

/* -- what becomes of frames ------------------------------------------------------------------------ */

static void fates_of(bool root)
{
    struct setting s = open_setting(root);
    struct counter sent = counter_of(s.a->ctx), here = counter_of(s.b->ctx);
    struct mlx5dv_dr_action *count = SOME(mlx5dv_dr_action_create_flow_counter(sent.of, 0)),
        *count_here = SOME(mlx5dv_dr_action_create_flow_counter(here.of, 0)),
        *drop = SOME(mlx5dv_dr_action_create_drop());
    struct match mask = no_match(), value = no_match();
    struct mlx5dv_dr_rule *rule = rule_for_all(s.matcher, ACTIONS(count_here, s.to)), *out;
    struct mlx5dv_dr_matcher *m;
    size_t n = udp4(frame);

    match_bits(&mask, 0x000, 48, UINT64_MAX);
    match_bits(&value, 0x000, 48, take_bits(frame, 48, 48));
    m = SOME(mlx5dv_dr_matcher_create(s.tx.table, 0, OUTER, &mask.p));
    out = SOME(dr_rule(m, &value, ACTIONS(count)));
    wants(s.a, frame, n, s.b, frame, n); /* nothing more is said: it goes */
    EQ(counted(&sent, 0), 1);
    OK(mlx5dv_dr_rule_destroy(out));
    out = SOME(dr_rule(m, &value, ACTIONS(count, drop)));
    wants_none(s.a, frame, n, s.b);
    EQ(counted(&sent, 0), 2);
    EQ(counted(&sent, 1), 2 * n);
    frame[6] ^= 2; /* another one */
    wants(s.a, frame, n, s.b, frame, n);
    EQ(counted(&sent, 0), 2);
    EQ(counted(&here, 0), 2);
    OK(mlx5dv_dr_rule_destroy(out));
    OK(mlx5dv_dr_rule_destroy(rule));
    rule = rule_for_all(s.matcher, ACTIONS(count_here, drop));
    wants_none(s.a, frame, n, s.b);
    EQ(counted(&here, 0), 3);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(count));
    OK(mlx5dv_dr_action_destroy(count_here));
    OK(mlx5dv_dr_action_destroy(drop));
    OK(mlx5dv_devx_obj_destroy(sent.of));
    OK(mlx5dv_devx_obj_destroy(here.of));
    close_setting(&s);
}

static void fates(void)
{
    fates_of(false);
    fates_of(true);
}

/* Each of a list has the frame, and so has each that a table leads to. */
static void lists_of_receivers(void)
{
    struct setting s = open_setting(false);
    struct end *c = open_end(&(struct end_how){.device = 1, .with = s.b}), *d = open_end(&(struct end_how){.device = 1,
        .with = s.b});
    struct mlx5dv_dr_table *second = SOME(mlx5dv_dr_table_create(s.rx.domain, 2));
    struct mlx5dv_dr_action *to_c = SOME(mlx5dv_dr_action_create_dest_ibv_qp(c->qp)),
        *to_d = SOME(mlx5dv_dr_action_create_dest_ibv_qp(d->qp)),
        *next = SOME(mlx5dv_dr_action_create_dest_table(second)), *list;
    struct mlx5dv_dr_matcher *m = matcher_for_all(second);
    struct mlx5dv_dr_rule *last = rule_for_all(m, ACTIONS(to_d)), *rule;
    struct mlx5dv_dr_action_dest_attr dest[3] = {{.dest = s.to}, {.dest = to_c}, {.dest = next}}, *dests[3] = {dest,
        dest + 1, dest + 2};
    size_t n = udp4(frame);

    list = mlx5dv_dr_action_create_dest_array(s.rx.domain, 3, dests);
    rule = list ? rule_for_all(s.matcher, ACTIONS(list)) : NULL;
    if (rule) {
        wants(s.a, frame, n, s.b, frame, n);
        wants_frame(c, frame, n);
        wants_frame(d, frame, n);
        OK(mlx5dv_dr_rule_destroy(rule));
        OK(mlx5dv_dr_action_destroy(list));
    } else {
        CHECK(!dlsym(RTLD_DEFAULT, "mlx5dv_dr_matcher_set_layout")); /* of releases as old as 33 only */
    }
    OK(mlx5dv_dr_rule_destroy(last));
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(next));
    OK(mlx5dv_dr_action_destroy(to_c));
    OK(mlx5dv_dr_action_destroy(to_d));
    OK(mlx5dv_dr_table_destroy(second));
    close_end(d);
    close_end(c);
    close_setting(&s);
}

static void samples(void)
{
    struct setting s = open_setting(false);
    struct end *c = open_end(&(struct end_how){.device = 1, .with = s.b});
    struct mlx5dv_dr_table *second = SOME(mlx5dv_dr_table_create(s.rx.domain, 2));
    struct mlx5dv_dr_action *to_c = SOME(mlx5dv_dr_action_create_dest_ibv_qp(c->qp)), *sampler;
    struct mlx5dv_dr_flow_sampler_attr attr = {.sample_ratio = 4, .default_next_table = second, .num_sample_actions = 1,
        .sample_actions = &to_c};
    struct mlx5dv_dr_matcher *m = matcher_for_all(second);
    struct mlx5dv_dr_rule *last = rule_for_all(m, ACTIONS(s.to)), *rule;
    size_t n = udp4(frame);

    sampler = SOME(mlx5dv_dr_action_create_flow_sampler(&attr));
    rule = rule_for_all(s.matcher, ACTIONS(sampler));
    for (int i = 0; i < 8; i++)
        wants(s.a, frame, n, s.b, frame, n);
    for (int i = 0; i < 2; i++)
        wants_frame(c, frame, n);
    none_of(c);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_action_destroy(sampler));
    OK(mlx5dv_dr_rule_destroy(last));
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(to_c));
    OK(mlx5dv_dr_table_destroy(second));
    close_end(c);
    close_setting(&s);
}

/* So many bytes at once, then as fast as it fills: in pump mode hardly a byte for a frame. */
static void meters(void)
{
    struct setting s = open_setting(false);
    struct mlx5dv_dr_table *second = SOME(mlx5dv_dr_table_create(s.rx.domain, 2));
    uint8_t parameters[32] = {0};
    struct mlx5dv_dr_flow_meter_attr attr = {.next_table = second, .active = 1, .reg_c_index = 3,
        .flow_meter_parameter_sz = sizeof parameters, .flow_meter_parameter = parameters};
    struct match mask = no_match(), value = no_match();
    __be64 change = change_of(SET, 0x54, 0, 0, 2);
    struct mlx5dv_dr_action *meter, *colour;
    struct mlx5dv_dr_matcher *m;
    struct mlx5dv_dr_rule *green, *rule;
    size_t n = build(frame, &(struct frame_of){.payload = changed, .size = 1000}), passed = 0;

    put_bits(parameters, 0, 1, 1);
    put_bits(parameters, 0x40, 8, 8); /* 2^8 * 250 bytes at once, later 2^6 * 250; 10^9 / 2^20 in a second */
    put_bits(parameters, 0x48, 8, 250);
    put_bits(parameters, 0x53, 5, 20);
    put_bits(parameters, 0x58, 8, 1);
    meter = SOME(mlx5dv_dr_action_create_flow_meter(&attr));
    put_bits(parameters, 0x40, 8, 6);
    OK(mlx5dv_dr_action_modify_flow_meter(meter, &attr, htobe64(2)));
    rule = rule_for_all(s.matcher, ACTIONS(meter));
    match_bits(&mask, 0x680 + 32 * 4, 32, UINT32_MAX);
    match_bits(&value, 0x680 + 32 * 4, 32, 2);
    m = SOME(mlx5dv_dr_matcher_create(second, 0, MISC_2, &mask.p));
    green = SOME(dr_rule(m, &value, ACTIONS(s.to)));
    for (int i = 0; i < 40; i++) {
        struct ibv_poll_cq_attr poll = {0};

        send_frame(s.a, frame, n, 0);
        device_sim_pump(-1);
        if (ibv_start_poll(s.b->cqx, &poll))
            continue;
        ibv_end_poll(s.b->cqx);
        passed++;
    }
    EQ(passed, 16000 / n);
    attr.active = 0; /* as it comes, which is without a colour */
    OK(mlx5dv_dr_action_modify_flow_meter(meter, &attr, htobe64(1)));
    wants_none(s.a, frame, n, s.b);
    OK(mlx5dv_dr_rule_destroy(rule));
    colour = SOME(rewrite(&s, 1, &change));
    rule = rule_for_all(s.matcher, ACTIONS(colour, meter));
    wants(s.a, frame, n, s.b, frame, n);
    OK(mlx5dv_dr_rule_destroy(rule));
    OK(mlx5dv_dr_action_destroy(colour));
    OK(mlx5dv_dr_rule_destroy(green));
    OK(mlx5dv_dr_matcher_destroy(m));
    OK(mlx5dv_dr_action_destroy(meter));
    OK(mlx5dv_dr_table_destroy(second));
    close_setting(&s);
}

/* From a table of software back to the rules of the port, behind a priority; releases before 42 have no anchors. */
static void anchors(void)
{
    struct mlx5dv_dr_action *(*to_root)(struct mlx5dv_dr_table *, uint16_t) =
        (struct mlx5dv_dr_action *(*)(struct mlx5dv_dr_table *, uint16_t))dlsym(RTLD_DEFAULT,
            "mlx5dv_dr_action_create_dest_root_table");
    struct setting s = open_setting(false);
    struct ibv_flow *five = to_mac(s.b, unicast, 5);
    struct mlx5dv_dr_action *back;
    struct mlx5dv_dr_rule *rule;
    size_t n = udp4(frame);

    if (to_root) {
        back = SOME(to_root(s.rx.root, 3));
        rule = rule_for_all(s.matcher, ACTIONS(back));
        wants(s.a, frame, n, s.b, frame, n);
        OK(mlx5dv_dr_rule_destroy(rule));
        OK(mlx5dv_dr_action_destroy(back));
        back = SOME(to_root(s.rx.root, 6));
        rule = rule_for_all(s.matcher, ACTIONS(back));
        wants_none(s.a, frame, n, s.b);
        OK(mlx5dv_dr_rule_destroy(rule));
        OK(mlx5dv_dr_action_destroy(back));
    }
    drop_rule(five);
    close_setting(&s);
}

/* What a port sends to one address does not come back to its own queue pairs that don't want it, by a table neither. */
static void own_frames(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.receives = -1}),
        *c = open_end(&(struct end_how){.dv_flags = MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC});
    struct end *to[2] = {b, c};
    size_t n = udp4(frame);

    post_slot(b, 0, SLOT);
    for (int i = 0; i < 2; i++) {
        struct steering s = open_steering(to[i]->ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
        struct mlx5dv_dr_matcher *m = matcher_for_all(s.table);
        struct mlx5dv_dr_action *action = SOME(mlx5dv_dr_action_create_dest_ibv_qp(to[i]->qp));
        struct mlx5dv_dr_rule *rule = rule_for_all(m, ACTIONS(action));

        if (i)
            wants(a, frame, n, c, frame, n);
        else
            wants_none(a, frame, n, b);
        OK(mlx5dv_dr_rule_destroy(rule));
        OK(mlx5dv_dr_action_destroy(action));
        OK(mlx5dv_dr_matcher_destroy(m));
        close_steering(&s);
    }
    no_violations();
    close_end(c);
    close_end(b);
    close_end(a);
}

/* -- refusals -------------------------------------------------------------------------------------- */

static void no_changes(struct ibv_context *ctx, size_t size, uint64_t change, int type, int error)
{
    uint64_t changes[20] = {change};

    errno = 0;
    CHECK(!mlx5dv_create_flow_action_modify_header(ctx, size, changes, (enum mlx5dv_flow_table_type)type));
    EQ(errno, error);
}

static void no_reformat(struct ibv_context *ctx, size_t size, int kind, int type, int error)
{
    uint8_t header[200] = {0};

    errno = 0;
    CHECK(!mlx5dv_create_flow_action_packet_reformat(ctx, size, size ? header : NULL,
        (enum mlx5dv_flow_action_packet_reformat_type)kind, (enum mlx5dv_flow_table_type)type));
    EQ(errno, error);
}

enum { RX, TX, SWITCH };

static void no_rule(struct mlx5dv_flow_matcher *m, struct mlx5dv_flow_action_attr a, int error)
{
    struct match none = no_match();

    errno = 0;
    CHECK(!mlx5dv_create_flow(m, &none.p, 1, &a));
    EQ(errno, error);
}

/* Rules that ask for the same change frames in the same way, or not at all; then each receiver has the frame. */
static void rules_for_the_same(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *c = open_end(&(struct end_how){.device = 1, .with = b});
    uint64_t change = change_of(SET, 0x0b, 0, 16, 99);
    struct match none = no_match();
    struct mlx5dv_flow_matcher_attr attr = {.type = IBV_FLOW_ATTR_NORMAL, .match_mask = &none.p};
    struct mlx5dv_flow_matcher *m = SOME(mlx5dv_create_flow_matcher(b->ctx, &attr));
    struct ibv_flow_action *changes = SOME(mlx5dv_create_flow_action_modify_header(b->ctx, 8, &change,
        MLX5DV_FLOW_TABLE_TYPE_NIC_RX));
    struct mlx5dv_flow_action_attr to[2][2] = {
        {{.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = b->qp}, {.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION,
        .action = changes}},
        {{.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = c->qp}, {.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION,
        .action = changes}}};
    struct ibv_flow *f = SOME(mlx5dv_create_flow(m, &none.p, 2, to[0])), *g;
    size_t n = udp4(frame);

    no_rule(m, to[1][0], EEXIST);
    g = SOME(mlx5dv_create_flow(m, &none.p, 2, to[1]));
    memcpy(changed, frame, n);
    put16(changed + 34, 99);
    sums(changed);
    wants(a, frame, n, b, changed, n);
    wants_frame(c, changed, n);
    OK(ibv_destroy_flow(f));
    OK(ibv_destroy_flow(g));
    OK(ibv_destroy_flow_action(changes));
    OK(mlx5dv_destroy_flow_matcher(m));
    no_violations();
    close_end(c);
    close_end(b);
    close_end(a);
}

static void refusals(void)
{
    struct end *b = open_end(NULL);
    uint64_t change = change_of(SET, 1, 0, 0, 7);
    struct match none = no_match();
    struct mlx5dv_flow_matcher_attr attr = {.type = IBV_FLOW_ATTR_NORMAL, .match_mask = &none.p,
        .comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE, .ft_type = MLX5DV_FLOW_TABLE_TYPE_NIC_TX};
    struct mlx5dv_flow_matcher *m = SOME(mlx5dv_create_flow_matcher(b->ctx, &attr));
    struct ibv_flow_action *rx = SOME(mlx5dv_create_flow_action_modify_header(b->ctx, 8, &change,
        MLX5DV_FLOW_TABLE_TYPE_NIC_RX)),
        *tx = SOME(mlx5dv_create_flow_action_modify_header(b->ctx, 8, &change, MLX5DV_FLOW_TABLE_TYPE_NIC_TX));
    struct mlx5dv_flow_action_attr ours = {.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION, .action = tx};
    struct ibv_flow *f;

    no_changes(b->ctx, 8, change, SWITCH, EOPNOTSUPP);
    no_changes(b->ctx, 12, change, RX, EINVAL);
    no_changes(b->ctx, 17 * 8, change, RX, EINVAL);
    no_changes(b->ctx, 8, change_of(4, 1, 0, 0, 7), RX, EINVAL);
    no_changes(b->ctx, 8, change_of(SET, 0x99, 0, 0, 7), RX, EINVAL);
    no_changes(b->ctx, 8, change_of(SET, 0x02, 8, 9, 7), RX, EINVAL);
    no_changes(b->ctx, 8, change_of(COPY, 0x02, 0, 0, 5 << 16), RX, EINVAL); /* 32 bits of 16 */
    no_reformat(b->ctx, 50, 1, RX, EOPNOTSUPP);
    no_reformat(b->ctx, 50, 3, RX, EOPNOTSUPP);
    no_reformat(b->ctx, 0, 0, TX, EOPNOTSUPP);
    no_reformat(b->ctx, 14, 2, TX, EOPNOTSUPP);
    no_reformat(b->ctx, 14, 0, RX, EINVAL);
    no_reformat(b->ctx, 16, 2, RX, EINVAL);
    no_reformat(b->ctx, 12, 1, TX, EINVAL);
    no_reformat(b->ctx, 130, 1, TX, EINVAL);
    no_rule(m, (struct mlx5dv_flow_action_attr){.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION, .action = rx}, EINVAL);
    no_rule(m, (struct mlx5dv_flow_action_attr){.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = b->qp}, EINVAL);
    no_rule(m, (struct mlx5dv_flow_action_attr){.type = MLX5DV_FLOW_ACTION_TAG, .tag_value = 5}, EINVAL);
    f = SOME(mlx5dv_create_flow(m, &none.p, 1, &ours));
    no_rule(m, (struct mlx5dv_flow_action_attr){.type = MLX5DV_FLOW_ACTION_DROP}, EEXIST);
    no_rule(m, ours, EEXIST);
    EQ(ibv_destroy_flow_action(tx), EBUSY);
    OK(ibv_destroy_flow(f));
    OK(ibv_destroy_flow_action(tx));
    OK(ibv_destroy_flow_action(rx));
    OK(mlx5dv_destroy_flow_matcher(m));
    attr.ft_type = MLX5DV_FLOW_TABLE_TYPE_FDB;
    errno = 0;
    CHECK(!mlx5dv_create_flow_matcher(b->ctx, &attr));
    EQ(errno, EOPNOTSUPP);
    attr.ft_type = MLX5DV_FLOW_TABLE_TYPE_RDMA_RX;
    attr.match_criteria_enable = 1;
    errno = 0;
    CHECK(!mlx5dv_create_flow_matcher(b->ctx, &attr));
    EQ(errno, EOPNOTSUPP);
    close_end(b);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"change-fields", change_fields}, {"change-fields-at-root", change_fields_at_root},
        {"change-parts-of-fields", change_parts_of_fields}, {"registers", registers}, {"tunnels", tunnels},
        {"tunnels-at-root", tunnels_at_root}, {"tags", tags}, {"fates", fates}, {"lists-of-receivers",
        lists_of_receivers},
        {"samples", samples}, {"meters", meters}, {"anchors", anchors}, {"own-frames", own_frames},
        {"rules-for-the-same", rules_for_the_same}, {"refusals", refusals}, {0},
    };

    return run_cases("steering_actions", cases, argc, argv);
}
