/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Rules in the device's own form, of mlx5dv: each field of a matcher, what rules do, and what is refused. */
#include "eth_kit.h"

#include <endian.h>

#define MATCH 192 /* bytes of a matcher's layout up to its third part */

static uint8_t frame[2000];

enum { OUTER = 1, MISC = 2, INNER = 4, MISC_2 = 8 };

struct matching {
    union {
        struct mlx5dv_flow_match_parameters p;
        uint8_t room[sizeof(struct mlx5dv_flow_match_parameters) + 512];
    };
};

static void set_bits(uint8_t *m, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = at + width - 1 - i;

        m[bit / 8] = (uint8_t)((m[bit / 8] & ~(0x80 >> bit % 8)) | (value >> i & 1 ? 0x80 >> bit % 8 : 0));
    }
}

static uint64_t get_bits(const uint8_t *m, unsigned at, unsigned width)
{
    uint64_t value = 0;

    for (unsigned bit = at; bit < at + width; bit++)
        value = value << 1 | (m[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

static struct mlx5dv_flow_matcher *try_matcher(struct end *e, const uint8_t *mask, size_t size, uint8_t parts,
    uint16_t priority)
{
    struct matching m = {.p = {.match_sz = size}};
    struct mlx5dv_flow_matcher_attr attr = {.type = IBV_FLOW_ATTR_NORMAL, .priority = priority,
        .match_criteria_enable = parts, .match_mask = &m.p};

    memcpy(m.p.match_buf, mask, size);
    return mlx5dv_create_flow_matcher(e->ctx, &attr);
}

static struct ibv_flow *try_flow(struct mlx5dv_flow_matcher *matcher, const uint8_t *value, size_t size, size_t n,
    struct mlx5dv_flow_action_attr *actions)
{
    struct matching m = {.p = {.match_sz = size}};

    memcpy(m.p.match_buf, value, size);
    return mlx5dv_create_flow(matcher, &m.p, n, actions);
}

static struct mlx5dv_flow_action_attr to_qp(struct end *e)
{
    return (struct mlx5dv_flow_action_attr){.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = e->qp};
}

/* -- fields ------------------------------------------------------------------------------------ */

#define VX (8 * (IN_PAYLOAD + 8)) /* where the inner frame begins, in bits */
#define GR (8 * 50)

/* By the device's manual: the bit where a field of the layout begins, and the bit where the frame has it. */
static const struct field {
    const char *name;
    size_t (*make)(uint8_t *);
    unsigned at, width, in_frame;
    uint8_t parts;
    bool whole; /* another value makes another frame of it: no half mask */
} fields[] = {
    {"smac", udp4, 0x000, 48, 48, OUTER, false},
    {"ethertype", udp4, 0x030, 16, 96, OUTER, true},
    {"dmac", udp4, 0x040, 48, 0, OUTER, false},
    {"first prio, cfi, vid", tagged, 0x070, 16, 112, OUTER, false},
    {"ip_protocol", udp4, 0x080, 8, 184, OUTER, true},
    {"dscp, ecn", udp4, 0x088, 8, 120, OUTER, false},
    {"tcp_flags", tcp4, 0x097, 9, 375, OUTER, false},
    {"tcp_sport", tcp4, 0x0a0, 16, 272, OUTER, false},
    {"tcp_dport", tcp4, 0x0b0, 16, 288, OUTER, false},
    {"ttl", udp4, 0x0d8, 8, 176, OUTER, false},
    {"udp_sport", udp4, 0x0e0, 16, 272, OUTER, false},
    {"udp_dport", udp4, 0x0f0, 16, 288, OUTER, false},
    {"src of IPv4", udp4, 0x160, 32, 208, OUTER, false},
    {"dst of IPv4", udp4, 0x1e0, 32, 240, OUTER, false},
    {"src of IPv6, first half", udp6, 0x100, 64, 176, OUTER, false},
    {"src of IPv6, second half", udp6, 0x140, 64, 240, OUTER, false},
    {"dst of IPv6, first half", udp6, 0x180, 64, 304, OUTER, false},
    {"dst of IPv6, second half", udp6, 0x1c0, 64, 368, OUTER, false},
    {"gre_protocol", gre, 0x270, 16, 288, MISC, true},
    {"gre_key", gre, 0x280, 32, 336, MISC, false},
    {"vxlan_vni", vxlan, 0x2a0, 24, 8 * IN_PAYLOAD + 32, MISC, false},
    {"geneve vni", geneve, 0x2c0, 24, 8 * IN_PAYLOAD + 32, MISC, false},
    {"geneve oam", geneve, 0x2df, 1, 8 * IN_PAYLOAD + 8, MISC, true},
    {"geneve protocol", geneve, 0x330, 16, 8 * IN_PAYLOAD + 16, MISC, false},
    {"outer flow label", udp6, 0x2ec, 20, 124, MISC, false},
    {"inner flow label", gre, 0x30c, 20, GR + 124, MISC, false},
    {"inner smac", vxlan, 0x400, 48, VX + 48, INNER, false},
    {"inner dmac", vxlan, 0x440, 48, VX, INNER, false},
    {"inner vid", vxlan, 0x470, 16, VX + 112, INNER, false},
    {"inner tcp_sport", vxlan, 0x4a0, 16, VX + 304, INNER, false},
    {"inner udp_dport", gre, 0x4f0, 16, GR + 448, INNER, false},
    {"inner src", vxlan, 0x560, 32, VX + 240, INNER, false},
    {"mpls", mpls, 0x600, 32, 112, MISC_2, false},
    {"inner mpls", mpls_inside, 0x620, 32, VX + 112, MISC_2, false},
    {"mpls in gre", mpls_gre, 0x640, 32, 304, MISC_2, false},
    {"mpls in udp", mpls_udp, 0x660, 32, 8 * IN_PAYLOAD, MISC_2, false},
};

static void there(struct end *a, size_t n, struct end *to, struct end *not_to)
{
    struct got got;

    send_frame(a, frame, n, 0);
    device_sim_pump(-1);
    none_of(not_to);
    got = wants_frame(to, frame, n);
    post_slot(to, (unsigned)(got.id - 1000), SLOT);
}

static void one_field(struct end *a, struct end *b, struct end *rest, const struct field *f, uint64_t mask)
{
    size_t n = f->make(frame), size = f->parts == MISC_2 ? 256 : MATCH;
    uint8_t counts[512] = {0}, value[512] = {0};
    struct mlx5dv_flow_action_attr action = to_qp(b);
    struct mlx5dv_flow_matcher *m;
    struct ibv_flow *flow;

    set_bits(counts, f->at, f->width, mask);
    set_bits(value, f->at, f->width, get_bits(frame, f->in_frame, f->width) & mask);
    m = try_matcher(b, counts, size, f->parts, 3);
    flow = m ? try_flow(m, value, size, 1, &action) : NULL;
    if (!flow)
        fail(__FILE__, __LINE__, "no rule by %s: %s", f->name, strerror(errno));
    there(a, n, b, rest);
    for (unsigned bit = 0; bit < f->width; bit++) {
        unsigned at = f->in_frame + bit;
        bool compared = mask >> (f->width - 1 - bit) & 1;

        frame[at / 8] ^= (uint8_t)(0x80 >> at % 8);
        there(a, n, compared ? rest : b, compared ? b : rest);
        frame[at / 8] ^= (uint8_t)(0x80 >> at % 8);
    }
    OK(ibv_destroy_flow(flow));
    OK(mlx5dv_destroy_flow_matcher(m));
}

static void each_field(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *rest = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *left = everything(rest);

    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint64_t all = fields[i].width == 64 ? UINT64_MAX : (1ull << fields[i].width) - 1;

        one_field(a, b, rest, &fields[i], all);
        if (!fields[i].whole)
            one_field(a, b, rest, &fields[i], all & 0x5a96c3a55ac396a5);
    }
    no_violations();
    drop_rule(left);
    close_end(rest);
    close_end(b);
    close_end(a);
}

/* Fields of one bit, and the version, with both values. */
static void flags(void)
{
    static const struct {
        unsigned at, width;
        uint8_t part;
        uint64_t value;
        const char *who; /* of the frames below */
    } flags[] = {
        {0x090, 1, OUTER, 1, "nnnynnn"}, {0x090, 1, OUTER, 0, "yyynyyy"},
        {0x092, 1, OUTER, 1, "nnnnnny"}, {0x092, 1, OUTER, 0, "yyyyyyn"},
        {0x093, 4, OUTER, 4, "yynyyyy"}, {0x093, 4, OUTER, 6, "nnynnnn"},
        {0x490, 1, INNER, 1, "nnnnynn"},
        {0x493, 4, INNER, 4, "nnnnynn"}, {0x493, 4, INNER, 6, "nnnnnyn"},
        {0x200, 1, MISC, 1, "nnnnnyn"}, {0x202, 1, MISC, 1, "nnnnnyn"}, {0x203, 1, MISC, 1, "nnnnnyn"},
        {0x200, 1, MISC, 0, "nnnnnnn"}, {0x202, 1, MISC, 0, "nnnnnnn"}, {0x203, 1, MISC, 0, "nnnnnnn"},
        /* a field of a header that a frame does not have is not 0 */
        {0x0f0, 16, OUTER, 0x5678, "ynyynny"}, {0x0b0, 16, OUTER, 0x5678, "nynnnnn"}, {0x097, 9, OUTER, 0, "nynnnnn"},
        {0x2c0, 24, MISC, 0, "nnnnnnn"}, {0x2df, 1, MISC, 0, "nnnnnnn"}, {0x32a, 6, MISC, 0, "nnnnnnn"},
        {0x280, 32, MISC, 0, "nnnnnnn"}, {0x2a0, 24, MISC, 0, "nnnnnnn"}, {0x600, 32, MISC_2, 0, "nnnnnnn"},
        {0x640, 32, MISC_2, 0, "nnnnnnn"}, {0x620, 32, MISC_2, 0, "nnnnnnn"}, {0x660, 32, MISC_2, 0, "nnnnnnn"},
    };
    static size_t (*const makes[])(uint8_t *) = {udp4, tcp4, udp6, tagged, vxlan, gre};
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *rest = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *left = everything(rest);
    struct mlx5dv_flow_action_attr action = to_qp(b);

    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
        uint8_t mask[256] = {0}, value[256] = {0};
        struct mlx5dv_flow_matcher *m;
        struct ibv_flow *flow;

        set_bits(mask, flags[i].at, flags[i].width, UINT32_MAX);
        set_bits(value, flags[i].at, flags[i].width, flags[i].value);
        m = SOME(try_matcher(b, mask, sizeof mask, flags[i].part, 0));
        flow = SOME(try_flow(m, value, sizeof value, 1, &action));
        for (unsigned k = 0; k < 7; k++) {
            size_t n = k < 6 ? makes[k](frame) : build(frame, &(struct frame_of){.fragment = 0x2000});

            there(a, n, flags[i].who[k] == 'y' ? b : rest, flags[i].who[k] == 'y' ? rest : b);
        }
        OK(ibv_destroy_flow(flow));
        OK(mlx5dv_destroy_flow_matcher(m));
    }
    drop_rule(left);
    close_end(rest);
    close_end(b);
    close_end(a);
}

/* -- actions ----------------------------------------------------------------------------------- */

static struct mlx5dv_devx_obj *flow_counter(struct end *e, unsigned bulk, uint32_t *id)
{
    uint8_t in[16] = {0}, out[16] = {0};
    struct mlx5dv_devx_obj *o;

    set_bits(in, 0, 16, 0x939);
    set_bits(in, 0x78, 8, bulk);
    o = SOME(mlx5dv_devx_obj_create(e->ctx, in, sizeof in, out, sizeof out));
    *id = (uint32_t)get_bits(out, 0x40, 32);
    return o;
}

static uint64_t count_of(struct mlx5dv_devx_obj *o, uint32_t id, unsigned n, unsigned which, bool clear)
{
    uint8_t in[32] = {0}, out[16 + 16 * 128] = {0};

    set_bits(in, 0, 16, 0x93b);
    set_bits(in, 0xc0, 1, clear);
    set_bits(in, 0xd0, 16, n);
    set_bits(in, 0xe0, 32, id);
    OK(mlx5dv_devx_obj_query(o, in, sizeof in, out, 16 + 16 * (n ? n : 1)));
    return get_bits(out, 0x80 + 64 * which, 64);
}

static void actions(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    uint8_t mask[MATCH] = {0}, value[MATCH] = {0};
    uint32_t one_id, bulk_id;
    struct mlx5dv_devx_obj *one = flow_counter(b, 0, &one_id), *bulk = flow_counter(b, 1, &bulk_id);
    struct mlx5dv_flow_matcher *m;
    struct mlx5dv_flow_action_attr list[3] = {to_qp(b), {.type = MLX5DV_FLOW_ACTION_TAG, .tag_value = 0xfedcba},
        {.type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = one}}, dropped[2] = {{.type = MLX5DV_FLOW_ACTION_DROP},
        {.type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = bulk}};
    struct ibv_flow *f, *g;
    size_t n;

    set_bits(mask, 0x0f0, 16, 0xffff);
    m = SOME(try_matcher(b, mask, MATCH, OUTER, 0));
    set_bits(value, 0x0f0, 16, 0x5678);
    f = SOME(try_flow(m, value, MATCH, 3, list));
    set_bits(value, 0x0f0, 16, 0x5679);
    g = SOME(try_flow(m, value, MATCH, 2, dropped));
    n = build(frame, &(struct frame_of){.payload = "xyz", .size = 3});
    for (int i = 0; i < 3; i++) {
        send_frame(a, frame, n, 0);
        EQ(wants_frame(b, frame, n).tag, 0xfedcba);
    }
    n = build(frame, &(struct frame_of){.dport = 0x5679, .payload = "x", .size = 1});
    send_frame(a, frame, n, 0);
    none_of(b);
    EQ(count_of(one, one_id, 0, 0, false), 3);
    EQ(count_of(one, one_id, 0, 1, true), 3 * 45);
    EQ(count_of(one, one_id, 0, 0, false), 0);
    EQ(count_of(bulk, bulk_id, 8, 0, false), 1);
    EQ(count_of(bulk, bulk_id, 8, 1, false), 43);
    EQ(count_of(bulk, bulk_id, 8, 2, false), 0);
    EQ(mlx5dv_devx_obj_destroy(one), EBUSY);
    EQ(mlx5dv_destroy_flow_matcher(m), EBUSY);
    OK(ibv_destroy_flow(f));
    OK(ibv_destroy_flow(g));
    OK(mlx5dv_destroy_flow_matcher(m));
    OK(mlx5dv_devx_obj_destroy(one));
    OK(mlx5dv_devx_obj_destroy(bulk));
    no_violations();
    close_end(a);
    close_end(b);
}

/* Priorities are those of the other rules. */
static void priorities(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *c = open_end(&(struct end_how){.device = 1, .with = b});
    uint8_t none[MATCH] = {0};
    struct mlx5dv_flow_matcher *m = SOME(try_matcher(b, none, MATCH, 0, 4));
    struct mlx5dv_flow_action_attr action = to_qp(b);
    struct ibv_flow *all = SOME(try_flow(m, none, MATCH, 1, &action)), *mac = to_mac(c, unicast, 3);
    size_t n = udp4(frame);

    there(a, n, c, b);
    drop_rule(mac);
    there(a, n, b, c);
    mac = to_mac(c, unicast, 5);
    there(a, n, b, c);
    drop_rule(mac);
    OK(ibv_destroy_flow(all));
    OK(mlx5dv_destroy_flow_matcher(m));
    close_end(c);
    close_end(b);
    close_end(a);
}

/* -- receives of DevX -------------------------------------------------------------------------- */

#define TIRC 0x100

struct queue {
    struct ibv_cq *cq;
    struct ibv_wq *wq;
};

static struct queue make_queue(struct end *e, unsigned slot)
{
    struct queue q = {.cq = SOME(ibv_create_cq(e->ctx, 15, NULL, NULL, 0))};
    struct ibv_wq_init_attr attr = {.wq_type = IBV_WQT_RQ, .max_wr = 8, .max_sge = 1, .pd = e->pd, .cq = q.cq};
    struct ibv_wq_attr ready = {.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = IBV_WQS_RDY};
    struct ibv_recv_wr wr = {.num_sge = 1}, *first_bad;

    q.wq = SOME(ibv_create_wq(e->ctx, &attr));
    OK(ibv_modify_wq(q.wq, &ready));
    for (unsigned i = 0; i < 4; i++) {
        struct ibv_sge sge = {(uintptr_t)e->buf + (slot + i) * SLOT, SLOT, e->mr->lkey};

        wr.wr_id = slot + i;
        wr.sg_list = &sge;
        OK(ibv_post_wq_recv(q.wq, &wr, &first_bad));
    }
    return q;
}

static void close_queue(struct queue *q)
{
    OK(ibv_destroy_wq(q->wq));
    OK(ibv_destroy_cq(q->cq));
}

static struct mlx5dv_devx_obj *try_tir(struct end *e, uint8_t *command, unsigned *status)
{
    uint8_t out[16] = {0};
    struct mlx5dv_devx_obj *o;

    set_bits(command, 0, 16, 0x900);
    o = mlx5dv_devx_obj_create(e->ctx, command, 272, out, sizeof out);
    *status = out[0];
    return o;
}

static struct ibv_flow *all_to(struct mlx5dv_flow_matcher *m, struct mlx5dv_devx_obj *tir)
{
    struct mlx5dv_flow_action_attr action = {.type = MLX5DV_FLOW_ACTION_DEST_DEVX, .obj = tir};
    uint8_t none[MATCH] = {0};

    return try_flow(m, none, MATCH, 1, &action);
}

static void receives_of_devx(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1, .receives = -1});
    struct queue q[2] = {make_queue(b, 0), make_queue(b, 4)};
    struct ibv_wq *list[2] = {q[0].wq, q[1].wq};
    struct ibv_rwq_ind_table *table = SOME(ibv_create_rwq_ind_table(b->ctx, &(struct ibv_rwq_ind_table_init_attr){
        .log_ind_tbl_size = 1, .ind_tbl = list}));
    uint8_t none[MATCH] = {0}, direct[272] = {0}, spread[272] = {0};
    static const uint8_t key[40] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
        0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c,
        0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};
    struct mlx5dv_flow_matcher *m = SOME(try_matcher(b, none, MATCH, 0, 0));
    struct mlx5dv_devx_obj *tir;
    struct ibv_flow *f;
    unsigned status;
    struct ibv_wc wc;
    size_t n;

    set_bits(direct, TIRC + 0xe8, 24, q[1].wq->wq_num);
    tir = SOME(try_tir(b, direct, &status));
    f = SOME(all_to(m, tir));
    n = udp4(frame);
    send_frame(a, frame, n, 0);
    wc = completion(q[1].cq);
    EQ(wc.wr_id, 4);
    EQ(wc.byte_len, n);
    CHECK(!memcmp(b->buf + 4 * SLOT, frame, n));
    nothing(q[0].cq);
    EQ(mlx5dv_devx_obj_destroy(tir), EBUSY);
    EQ(ibv_destroy_wq(q[1].wq), EBUSY);
    OK(ibv_destroy_flow(f));
    OK(mlx5dv_devx_obj_destroy(tir));
    /* Microsoft's fourth frame of IPv4 has 0xafc7327f with its ports */
    set_bits(spread, TIRC + 0x20, 4, 1);
    set_bits(spread, TIRC + 0x108, 24, table->ind_tbl_num);
    set_bits(spread, TIRC + 0x120, 4, 2);
    memcpy(spread + (TIRC + 0x140) / 8, key, 40);
    set_bits(spread, TIRC + 0x282, 30, 15);
    tir = SOME(try_tir(b, spread, &status));
    f = SOME(all_to(m, tir));
    n = build(frame, &(struct frame_of){.proto = 6, .src = {38, 27, 205, 30}, .dst = {209, 142, 163, 6},
        .sport = 48228, .dport = 2217});
    send_frame(a, frame, n, 0);
    EQ(completion(q[1].cq).byte_len, n);
    nothing(q[0].cq);
    n = build(frame, &(struct frame_of){.src = {38, 27, 205, 30}, .dst = {209, 142, 163, 6}, .sport = 48228,
        .dport = 2217});
    send_frame(a, frame, n, 0); /* UDP: by its addresses, 0x82989176 */
    EQ(completion(q[0].cq).byte_len, n);
    nothing(q[1].cq);
    OK(ibv_destroy_flow(f));
    OK(mlx5dv_devx_obj_destroy(tir));
    /* what is refused */
    set_bits(direct, TIRC + 0xe8, 24, 0xfffff0);
    CHECK(!try_tir(b, direct, &status));
    EQ(status, 5);
    set_bits(spread, TIRC + 0x120, 4, 0);
    CHECK(!try_tir(b, spread, &status));
    EQ(status, 3);
    set_bits(spread, TIRC + 0x120, 4, 1);
    CHECK(!try_tir(b, spread, &status));
    EQ(status, 3);
    set_bits(spread, TIRC + 0x120, 4, 2);
    set_bits(spread, TIRC + 0x100, 1, 1); /* the same for both directions */
    CHECK(!try_tir(b, spread, &status));
    EQ(status, 3);
    EQ(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS), 4);
    OK(mlx5dv_destroy_flow_matcher(m));
    OK(ibv_destroy_rwq_ind_table(table));
    close_queue(&q[0]);
    close_queue(&q[1]);
    close_end(b);
    close_end(a);
}

/* All that there is, left to the context that is closed; the port is as before. */
static void left_behind(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *gone = open_end(&(struct end_how){.device = 1});
    struct queue q = make_queue(gone, 0);
    struct ibv_rwq_ind_table *table = SOME(ibv_create_rwq_ind_table(gone->ctx,
        &(struct ibv_rwq_ind_table_init_attr){.ind_tbl = &q.wq}));
    struct ibv_counters *c = SOME(ibv_create_counters(gone->ctx, &(struct ibv_counters_init_attr){0}));
    struct ibv_flow_spec_counter_action count = {IBV_FLOW_SPEC_ACTION_COUNT, sizeof count, c};
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 3);
    uint8_t none[MATCH] = {0}, spread[272] = {0};
    uint32_t id;
    struct mlx5dv_devx_obj *counter = flow_counter(gone, 0, &id), *tir;
    struct mlx5dv_flow_matcher *m = SOME(try_matcher(gone, none, MATCH, 0, 2));
    struct mlx5dv_flow_action_attr list[2] = {{.type = MLX5DV_FLOW_ACTION_DEST_DEVX},
        {.type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = counter}};
    struct ibv_flow *f = everything(b);
    unsigned status;
    size_t n = udp4(frame);

    OK(ibv_attach_counters_point_flow(c, &(struct ibv_counter_attach_attr){.counter_desc = IBV_COUNTER_PACKETS}, NULL));
    add_spec(&r, &count, sizeof count);
    apply(gone, &r);
    set_bits(spread, TIRC + 0x20, 4, 1);
    set_bits(spread, TIRC + 0x108, 24, table->ind_tbl_num);
    tir = SOME(try_tir(gone, spread, &status));
    list[0].obj = tir;
    SOME(try_flow(m, none, MATCH, 2, list));
    send_frame(a, frame, n, 0);
    EQ(completion(q.cq).byte_len, n);
    EQ(count_of(counter, id, 0, 0, false), 1);
    none_of(b);
    OK(ibv_close_device(gone->ctx));
    send_frame(a, frame, n, 0);
    wants_frame(b, frame, n);
    free(gone->buf);
    free(gone);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void no_matcher(struct end *e, unsigned at, unsigned width, uint8_t parts, uint16_t priority, int error)
{
    uint8_t mask[512] = {0};

    set_bits(mask, at, width, UINT64_MAX);
    errno = 0;
    CHECK(!try_matcher(e, mask, 512, parts, priority));
    EQ(errno, error);
}

static void refusals(void)
{
    struct end *b = open_end(NULL);
    uint8_t mask[MATCH] = {0}, value[MATCH] = {0};
    struct mlx5dv_flow_action_attr list[2] = {to_qp(b), {.type = MLX5DV_FLOW_ACTION_TAG, .tag_value = 1 << 24}};
    struct mlx5dv_flow_matcher *m;

    no_matcher(b, 0x000, 48, MISC, 0, EINVAL); /* not in a part that counts */
    no_matcher(b, 0x000, 48, OUTER, 16, ENOSPC);
    no_matcher(b, 0x091, 1, OUTER, 0, EOPNOTSUPP);
    no_matcher(b, 0x208, 24, MISC, 0, EOPNOTSUPP);
    no_matcher(b, 0x800, 32, 16, 0, EOPNOTSUPP);
    set_bits(mask, 0x040, 48, 0xfffffffffff0);
    m = SOME(try_matcher(b, mask, MATCH, OUTER, 0));
    set_bits(value, 0x040, 48, 0x112233445561);
    errno = 0;
    CHECK(!try_flow(m, value, MATCH, 1, list)); /* a bit that does not count */
    EQ(errno, EINVAL);
    set_bits(value, 0x040, 48, 0x112233445560);
    errno = 0;
    CHECK(!try_flow(m, value, MATCH, 2, list));
    EQ(errno, EINVAL);
    errno = 0;
    CHECK(!try_flow(m, value, MATCH, 0, list)); /* to nobody */
    EQ(errno, EINVAL);
    OK(mlx5dv_destroy_flow_matcher(m));
    close_end(b);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"each-field", each_field}, {"flags", flags}, {"actions", actions}, {"priorities", priorities},
        {"receives-of-devx", receives_of_devx}, {"left-behind", left_behind}, {"refusals", refusals}, {0},
    };

    return run_cases("eth_matchers", cases, argc, argv);
}
