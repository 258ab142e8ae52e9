/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "eth_kit.h"

const uint8_t unicast[6] = {0x02, 0x51, 0x11, 0x22, 0x33, 0x44},
    other_unicast[6] = {0x02, 0x51, 0x11, 0x22, 0x33, 0x45};
const uint8_t multicast[6] = {0x01, 0x00, 0x5e, 0x12, 0x34, 0x56}, source_mac[6] = {0x02, 0x77, 0x66, 0x55, 0x44, 0x33};

/* -- ends -------------------------------------------------------------------------------------- */

static void make_qp(struct end *e, const struct end_how *how)
{
    struct ibv_qp_init_attr_ex ex = {
        .send_cq = e->scq, .recv_cq = e->cq, .qp_type = IBV_QPT_RAW_PACKET, .pd = e->pd,
            .comp_mask = IBV_QP_INIT_ATTR_PD,
        .cap = {.max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 64},
    };
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS,
        .create_flags = (uint32_t)how->dv_flags};

    if (how->flags) {
        ex.comp_mask |= IBV_QP_INIT_ATTR_CREATE_FLAGS;
        ex.create_flags = how->flags;
    }
    if (how->max_tso) {
        ex.comp_mask |= IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
        ex.max_tso_header = (uint16_t)how->max_tso;
    }
    if (how->send_ops) {
        ex.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
        ex.send_ops_flags = how->send_ops;
    }
    e->qp = SOME(how->dv_flags ? mlx5dv_create_qp(e->ctx, &ex, &dv) : ibv_create_qp_ex(e->ctx, &ex));
}

static void ready(struct end *e, bool all)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = (uint8_t)e->port};

    OK(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE | IBV_QP_PORT));
    attr.qp_state = IBV_QPS_RTR;
    if (all)
        OK(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    if (all)
        OK(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE));
}

struct end *open_end(const struct end_how *how)
{
    static const struct end_how usual;
    struct end *e = SOME(calloc(1, sizeof *e));
    struct ibv_cq_init_attr_ex attr = {.cqe = 255, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_FLOW_TAG |
        IBV_WC_EX_WITH_CVLAN};

    how = how ? how : &usual;
    e->port = how->port ? how->port : 1;
    e->ctx = how->with ? how->with->ctx : open_nth(how->device);
    e->pd = how->with ? how->with->pd : SOME(ibv_alloc_pd(e->ctx));
    e->buf = SOME(aligned_alloc(4096, BUFFER));
    memset(e->buf, 0, BUFFER);
    e->mr = SOME(ibv_reg_mr(e->pd, e->buf, BUFFER, IBV_ACCESS_LOCAL_WRITE));
    e->cqx = SOME(ibv_create_cq_ex(e->ctx, &attr));
    e->cq = ibv_cq_ex_to_cq(e->cqx);
    e->scq = SOME(ibv_create_cq(e->ctx, 255, NULL, NULL, 0));
    make_qp(e, how);
    ready(e, !how->unready);
    for (int i = 0; i < (how->receives ? how->receives : SLOTS); i++)
        post_slot(e, (unsigned)i, SLOT);
    return e;
}

void close_end(struct end *e)
{
    struct ibv_context *ctx = e->ctx;
    struct ibv_pd *pd = e->pd;

    OK(ibv_destroy_qp(e->qp));
    OK(ibv_destroy_cq(e->cq));
    OK(ibv_destroy_cq(e->scq));
    OK(ibv_dereg_mr(e->mr));
    free(e->buf);
    free(e);
    /* the last one that has the domain */
    if (!ibv_dealloc_pd(pd))
        OK(ibv_close_device(ctx));
}

void post_slot(struct end *e, unsigned slot, uint32_t length)
{
    struct ibv_sge sge = {.addr = (uintptr_t)(e->buf + (size_t)slot * SLOT), .length = length, .lkey = e->mr->lkey};

    receive(e->qp, 1000 + slot, &sge);
}

static bool poll_one(struct end *e, struct got *g)
{
    struct ibv_poll_cq_attr attr = {0};
    int error = ibv_start_poll(e->cqx, &attr);

    if (error == ENOENT)
        return false;
    OK(error);
    *g = (struct got){.id = e->cqx->wr_id, .status = e->cqx->status};
    if (!g->status) {
        g->opcode = ibv_wc_read_opcode(e->cqx);
        g->flags = ibv_wc_read_wc_flags(e->cqx);
        g->length = ibv_wc_read_byte_len(e->cqx);
        g->tag = ibv_wc_read_flow_tag(e->cqx);
        g->cvlan = ibv_wc_read_cvlan(e->cqx);
    }
    if (g->id >= 1000 && g->id < 1000 + SLOTS)
        g->bytes = e->buf + (g->id - 1000) * SLOT;
    ibv_end_poll(e->cqx);
    return true;
}

struct got next_of(struct end *e)
{
    struct got g;

    device_sim_pump(-1);
    if (!poll_one(e, &g))
        fail(__FILE__, __LINE__, "nothing arrived");
    return g;
}

void none_of(struct end *e)
{
    struct got g;

    device_sim_pump(-1);
    if (poll_one(e, &g))
        fail(__FILE__, __LINE__, "a completion of %llu, status %d, %u bytes, tag %u; wanted none",
            (unsigned long long)g.id, g.status, g.length, g.tag);
}

void send_frame(struct end *e, const uint8_t *frame, size_t length, unsigned flags)
{
    uint8_t *at = e->buf + BUFFER * 3 / 4;
    struct ibv_sge sge = {.addr = (uintptr_t)at, .length = (uint32_t)length, .lkey = e->mr->lkey};
    struct ibv_send_wr wr = request(IBV_WR_SEND, 7, &sge);

    memcpy(at, frame, length);
    wr.send_flags |= flags;
    post(e->qp, &wr);
    good(e->scq, 7, IBV_WC_SEND);
}

struct got wants_frame(struct end *e, const uint8_t *frame, size_t length)
{
    struct got g = next_of(e);

    CHECK(g.bytes);
    EQ(g.status, IBV_WC_SUCCESS);
    EQ(g.opcode, IBV_WC_RECV);
    EQ(g.length, length);
    for (size_t i = 0; i < length; i++)
        if (g.bytes[i] != frame[i])
            fail(__FILE__, __LINE__, "byte %zu is 0x%02x, wanted 0x%02x", i, g.bytes[i], frame[i]);
    return g;
}

/* -- frames ------------------------------------------------------------------------------------ */

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value & 0xffff);
}

uint16_t checksum(const uint8_t *b, size_t length, uint32_t before)
{
    uint64_t sum = before;

    for (size_t i = 0; i < length; i++)
        sum += i & 1 ? b[i] : (uint64_t)b[i] << 8;
    sum = sum % 0xffff ? sum % 0xffff : sum ? 0xffff : 0;
    return (uint16_t)(0xffff - sum);
}

static bool given(const uint8_t *address)
{
    for (int i = 0; i < 16; i++)
        if (address[i])
            return true;
    return false;
}

static size_t network(uint8_t *b, const struct frame_of *f, size_t behind)
{
    static const uint8_t usual[2][16] = {{10, 11, 12, 13}, {20, 21, 22, 23}}, usual6[2][16] = {
        {0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
            {0xfd, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45}};
    const uint8_t *src = given(f->src) ? f->src : f->ip == 6 ? usual6[0] : usual[0];
    const uint8_t *dst = given(f->dst) ? f->dst : f->ip == 6 ? usual6[1] : usual[1];
    uint8_t proto = f->proto ? f->proto : 17;

    if (f->ip == 6) {
        put32(b, 6u << 28 | (uint32_t)f->tos << 20 | f->flow_label);
        put16(b + 4, (unsigned)behind);
        b[6] = proto;
        b[7] = f->ttl ? f->ttl : 63;
        memcpy(b + 8, src, 16);
        memcpy(b + 24, dst, 16);
        return 40;
    }
    b[0] = 0x45;
    b[1] = f->tos;
    put16(b + 2, (unsigned)behind + 20);
    put16(b + 4, f->id);
    put16(b + 6, f->fragment);
    b[8] = f->ttl ? f->ttl : 63;
    b[9] = proto;
    put16(b + 10, 0);
    memcpy(b + 12, src, 4);
    memcpy(b + 16, dst, 4);
    if (!f->no_sums)
        put16(b + 10, checksum(b, 20, 0));
    return 20;
}

static size_t transport_header(const struct frame_of *f)
{
    return f->proto == 6 ? 20 : !f->proto || f->proto == 17 ? 8 : 0;
}

static void transport(uint8_t *b, const struct frame_of *f)
{
    size_t header = transport_header(f);

    if (header) {
        memset(b, 0, header);
        put16(b, f->sport ? f->sport : 0x1234);
        put16(b + 2, f->dport ? f->dport : 0x5678);
    }
    if (header == 20) {
        put32(b + 4, f->seq);
        put32(b + 8, 0x01020304);
        b[12] = 0x50;
        b[13] = f->tcp_flags;
        put16(b + 14, 0x7777);
    } else if (header) {
        put16(b + 4, (unsigned)(8 + f->size));
    }
    if (f->size)
        memcpy(b + header, f->payload, f->size);
}

/* Where the transport header of a frame without a tag is, and what its addresses add to the checksum. */
static const uint8_t *transport_of(const uint8_t *frame, size_t *length, uint32_t *before)
{
    const uint8_t *l3 = frame + 14;
    size_t size = l3[0] >> 4 == 6 ? 16 : 4;
    const uint8_t *addresses = l3 + (size == 16 ? 8 : 12);

    *length = size == 16 ? (size_t)l3[4] << 8 | l3[5] : ((size_t)l3[2] << 8 | l3[3]) - 20;
    *before = (size == 16 ? l3[6] : l3[9]) + (uint32_t)*length;
    for (size_t i = 0; i < 2 * size; i++)
        *before += i & 1 ? addresses[i] : (uint32_t)addresses[i] << 8;
    return l3 + (size == 16 ? 40 : 20);
}

uint16_t transport_check(const uint8_t *frame)
{
    size_t length;
    uint32_t before;
    const uint8_t *l4 = transport_of(frame, &length, &before);

    return checksum(l4, length, before);
}

size_t build(uint8_t *to, const struct frame_of *f)
{
    size_t behind = transport_header(f) + f->size, at = 14;
    uint16_t sum;

    memcpy(to, f->dmac ? f->dmac : unicast, 6);
    memcpy(to + 6, f->smac ? f->smac : source_mac, 6);
    put16(to + 12, f->ip == -1 ? f->type : f->ip == 6 ? 0x86dd : 0x0800);
    if (f->ip != -1)
        at += network(to + at, f, behind);
    else
        behind = f->size;
    if (f->ip == -1) {
        if (f->size)
            memcpy(to + at, f->payload, f->size);
    } else {
        transport(to + at, f);
        if (!f->no_sums && transport_header(f)) {
            sum = transport_check(to);
            put16(to + at + (f->proto == 6 ? 16 : 6), !sum && f->proto != 6 ? 0xffff : sum);
        }
    }
    if (f->vlan) {
        memmove(to + 16, to + 12, at + behind - 12);
        put16(to + 12, 0x8100);
        put16(to + 14, f->vlan & 0xffff);
        at += 4;
    }
    return at + behind;
}

/* -- samples ---------------------------------------------------------------------------------- */

size_t udp4(uint8_t *frame)
{
    return build(frame, &(struct frame_of){.tos = 0x5a, .ttl = 0x3c, .id = 0x1357, .payload = "payload", .size = 7});
}

size_t tcp4(uint8_t *frame)
{
    return build(frame, &(struct frame_of){.proto = 6, .payload = "payload", .size = 7});
}

size_t udp6(uint8_t *frame)
{
    return build(frame, &(struct frame_of){.ip = 6, .tos = 0xa5, .ttl = 0xc3, .flow_label = 0x9abcd, .payload = "pay",
        .size = 3});
}

size_t geneve(uint8_t *frame)
{
    static const uint8_t head[] = {0x02, 0x80, 0x65, 0x58, 0x0a, 0xbc, 0xde, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16, 0x12, 0x34, 0x56, 0x78, 0x88, 0xb5};

    return build(frame, &(struct frame_of){.dport = 6081, .payload = head, .size = sizeof head});
}

size_t tagged(uint8_t *frame)
{
    return build(frame, &(struct frame_of){.vlan = 0x1b5e7, .payload = "payload", .size = 7});
}

size_t vxlan(uint8_t *frame)
{
    static const uint8_t header[8] = {8, 0, 0, 0, 0x12, 0x34, 0x56, 0};
    uint8_t both[1008], inner[1000];
    size_t n = build(inner, &(struct frame_of){.dmac = other_unicast, .smac = multicast, .vlan = 0x1a5c3, .proto = 6,
        .src = {1, 2, 3, 4}, .dst = {5, 6, 7, 8}, .tos = 0x99, .ttl = 0x77, .sport = 0x2345, .dport = 0x6789,
        .payload = "in", .size = 2});

    memcpy(both, header, 8);
    memcpy(both + 8, inner, n);
    return build(frame, &(struct frame_of){.dport = 4789, .payload = both, .size = n + 8});
}

/* With all that is optional: a checksum, a key, a number. */
size_t gre(uint8_t *frame)
{
    static const uint8_t header[16] = {0xb0, 0, 0x65, 0x58, 1, 2, 3, 4, 0xca, 0xfe, 0xba, 0xbe, 5, 6, 7, 8};
    uint8_t both[1016], inner[1000];
    size_t n = build(inner, &(struct frame_of){.ip = 6, .tos = 0x3c, .flow_label = 0x54321, .ttl = 0x66,
        .sport = 0x1111, .dport = 0x2222, .payload = "in", .size = 2});

    memcpy(both, header, 16);
    memcpy(both + 16, inner, n);
    return build(frame, &(struct frame_of){.proto = 47, .payload = both, .size = n + 16});
}

size_t mpls_udp(uint8_t *frame)
{
    static const uint8_t stack[8] = {0x98, 0x76, 0x54, 0x32, 0x11, 0x22, 0x33, 0x44};

    return build(frame, &(struct frame_of){.dport = 6635, .payload = stack, .size = 8});
}

size_t mpls_gre(uint8_t *frame)
{
    static const uint8_t stack[8] = {0, 0, 0x88, 0x47, 0x98, 0x76, 0x55, 0x32};

    return build(frame, &(struct frame_of){.proto = 47, .payload = stack, .size = 8});
}

size_t mpls(uint8_t *frame)
{
    static const uint8_t stack[4] = {0x98, 0x76, 0x55, 0x32};

    return build(frame, &(struct frame_of){.ip = -1, .type = 0x8847, .payload = stack, .size = 4});
}

size_t mpls_inside(uint8_t *frame)
{
    static const uint8_t header[8] = {8, 0, 0, 0, 0x65, 0x43, 0x21, 0},
        stack[8] = {0x13, 0x57, 0x98, 0x24, 0x9a, 0xbc, 0xdf, 0x10};
    uint8_t both[1008], inner[1000];
    size_t n = build(inner, &(struct frame_of){.ip = -1, .type = 0x8847, .payload = stack, .size = 8});

    memcpy(both, header, 8);
    memcpy(both + 8, inner, n);
    return build(frame, &(struct frame_of){.dport = 4789, .payload = both, .size = n + 8});
}

/* -- rules ------------------------------------------------------------------------------------- */

struct rule new_rule(int type, int priority)
{
    return (struct rule){.attr = {.type = (enum ibv_flow_attr_type)type, .size = sizeof(struct ibv_flow_attr),
        .priority = (uint16_t)priority}};
}

void add_spec(struct rule *r, const void *spec, size_t size)
{
    memcpy(r->specs + r->used, spec, size);
    r->used += size;
    r->attr.size = (uint16_t)(r->attr.size + size);
    r->attr.num_of_specs++;
}

static struct ibv_flow *try_rule(struct end *e, struct rule *r)
{
    if (!r->attr.port)
        r->attr.port = (uint8_t)e->port;
    return ibv_create_flow(e->qp, &r->attr);
}

struct ibv_flow *apply(struct end *e, struct rule *r)
{
    return SOME(try_rule(e, r));
}

void refused_rule(struct end *e, struct rule *r, int error)
{
    errno = 0;
    CHECK(!try_rule(e, r));
    EQ(errno, error);
}

struct ibv_flow *to_mac(struct end *e, const uint8_t *mac, int priority)
{
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, priority);
    struct ibv_flow_spec_eth eth = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof eth};

    memcpy(eth.val.dst_mac, mac, 6);
    memset(eth.mask.dst_mac, 0xff, 6);
    add_spec(&r, &eth, sizeof eth);
    return apply(e, &r);
}

struct ibv_flow *everything(struct end *e)
{
    struct rule r = new_rule(IBV_FLOW_ATTR_ALL_DEFAULT, 0);

    return apply(e, &r);
}

void drop_rule(struct ibv_flow *f)
{
    OK(ibv_destroy_flow(f));
}
