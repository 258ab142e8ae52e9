/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Work queues, tables of them, and queue pairs that spread frames over the queues of a table. */
#include "eth_kit.h"

#include <arpa/inet.h>
#include <endian.h>
#include <poll.h>

static uint8_t frame[2000];

/* The key and the values that Microsoft published to verify an implementation of receive side scaling. */
static const uint8_t published_key[40] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43,
    0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c,
    0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

static const struct vector {
    const char *src, *dst;
    uint16_t sport, dport;
    uint32_t addresses, with_ports;
} vectors[] = {
    {"66.9.149.187", "161.142.100.80", 2794, 1766, 0x323e8fc2, 0x51ccc178},
    {"199.92.111.2", "65.69.140.83", 14230, 4739, 0xd718262a, 0xc626b0ea},
    {"24.19.198.95", "12.22.207.184", 12898, 38024, 0xd2d0a5de, 0x5c2b394a},
    {"38.27.205.30", "209.142.163.6", 48228, 2217, 0x82989176, 0xafc7327f},
    {"153.39.163.191", "202.188.127.2", 44251, 1303, 0x5d1809c5, 0x10e828a2},
    {"3ffe:2501:200:1fff::7", "3ffe:2501:200:3::1", 2794, 1766, 0x2cc18cd5, 0x40207d3d},
    {"3ffe:501:8::260:97ff:fe40:efab", "ff02::1", 14230, 4739, 0x0f0c461c, 0xdde51bbf},
    {"3ffe:1900:4545:3:200:f8ff:fe21:67cf", "fe80::200:f8ff:fe21:67cf", 44251, 38024, 0x4b61e985, 0x02d1feef},
};

/* -- a set of queues --------------------------------------------------------------------------- */

#define QUEUES 4
#define WQ_SLOT 4096
#define WQ_SLOTS 16

struct spread {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    uint8_t *buf;
    struct ibv_mr *mr;
    struct ibv_cq *cq[QUEUES];
    struct ibv_wq *wq[QUEUES];
    struct ibv_rwq_ind_table *table;
    struct ibv_qp *qp;
    struct ibv_flow *flow;
    unsigned polled[QUEUES];
};

static struct ibv_wq *make_wq(struct spread *s, struct ibv_cq *cq, uint32_t flags)
{
    struct ibv_wq_init_attr attr = {.wq_type = IBV_WQT_RQ, .max_wr = WQ_SLOTS, .max_sge = 3, .pd = s->pd, .cq = cq,
        .comp_mask = flags ? IBV_WQ_INIT_ATTR_FLAGS : 0, .create_flags = flags};
    struct ibv_wq *wq = SOME(ibv_create_wq(s->ctx, &attr));

    CHECK(wq->wq_num);
    return wq;
}

static void wq_state(struct ibv_wq *wq, enum ibv_wq_state state, int error)
{
    struct ibv_wq_attr attr = {.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = state};

    EQ(ibv_modify_wq(wq, &attr), error);
    if (!error)
        EQ(wq->state, state);
}

static void post_wq(struct spread *s, unsigned q, unsigned slot, uint32_t length)
{
    struct ibv_sge sge = {.addr = (uintptr_t)s->buf + (q * WQ_SLOTS + slot) * WQ_SLOT, .length = length,
        .lkey = s->mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = 100 * (q + 1) + slot, .sg_list = &sge, .num_sge = 1}, *first_bad;

    OK(ibv_post_wq_recv(s->wq[q], &wr, &first_bad));
}

static struct ibv_qp *spread_qp(struct spread *s, const uint8_t *key, uint8_t key_length, uint64_t fields,
    uint64_t dv_flags)
{
    struct ibv_qp_init_attr_ex ex = {
        .qp_type = IBV_QPT_RAW_PACKET, .pd = s->pd, .rwq_ind_tbl = s->table,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
        .rx_hash_conf = {.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ, .rx_hash_key_len = key_length,
            .rx_hash_key = (uint8_t *)(uintptr_t)key, .rx_hash_fields_mask = fields},
    };
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS,
        .create_flags = (uint32_t)dv_flags};

    return dv_flags ? mlx5dv_create_qp(s->ctx, &ex, &dv) : ibv_create_qp_ex(s->ctx, &ex);
}

static struct ibv_rwq_ind_table *make_table(struct spread *s, unsigned log_size)
{
    struct ibv_wq *list[256];

    for (unsigned i = 0; i < 256; i++)
        list[i] = s->wq[i * 3 % QUEUES]; /* not in their order */
    return ibv_create_rwq_ind_table(s->ctx, &(struct ibv_rwq_ind_table_init_attr){.log_ind_tbl_size = log_size,
        .ind_tbl = list});
}

static struct spread *open_spread(unsigned log_size, uint32_t wq_flags)
{
    struct spread *s = SOME(calloc(1, sizeof *s));

    s->ctx = open_nth(1);
    s->pd = SOME(ibv_alloc_pd(s->ctx));
    s->buf = SOME(aligned_alloc(4096, QUEUES * WQ_SLOTS * WQ_SLOT));
    s->mr = SOME(ibv_reg_mr(s->pd, s->buf, QUEUES * WQ_SLOTS * WQ_SLOT, IBV_ACCESS_LOCAL_WRITE));
    for (unsigned q = 0; q < QUEUES; q++) {
        s->cq[q] = SOME(ibv_create_cq(s->ctx, 63, NULL, NULL, 0));
        s->wq[q] = make_wq(s, s->cq[q], wq_flags);
        EQ(s->wq[q]->state, IBV_WQS_RESET);
        wq_state(s->wq[q], IBV_WQS_RDY, 0);
        for (unsigned slot = 0; slot < WQ_SLOTS; slot++)
            post_wq(s, q, slot, WQ_SLOT);
    }
    s->table = SOME(make_table(s, log_size));
    return s;
}

static void apply_rule(struct spread *s)
{
    struct ibv_flow_attr all = {.type = IBV_FLOW_ATTR_ALL_DEFAULT, .size = sizeof all, .port = 1};

    s->flow = SOME(ibv_create_flow(s->qp, &all));
}

static void spreads_by(struct spread *s, const uint8_t *key, uint64_t fields, uint64_t dv_flags)
{
    s->qp = SOME(spread_qp(s, key, 40, fields, dv_flags));
    apply_rule(s);
}

static void stop_spreading(struct spread *s)
{
    if (s->flow)
        OK(ibv_destroy_flow(s->flow));
    if (s->qp)
        OK(ibv_destroy_qp(s->qp));
    s->flow = NULL;
    s->qp = NULL;
}

static void close_spread(struct spread *s)
{
    stop_spreading(s);
    OK(ibv_destroy_rwq_ind_table(s->table));
    for (unsigned q = 0; q < QUEUES; q++) {
        OK(ibv_destroy_wq(s->wq[q]));
        OK(ibv_destroy_cq(s->cq[q]));
    }
    OK(ibv_dereg_mr(s->mr));
    OK(ibv_dealloc_pd(s->pd));
    OK(ibv_close_device(s->ctx));
    free(s->buf);
    free(s);
}

static const uint8_t *cqe(struct spread *s, unsigned q)
{
    struct mlx5dv_cq cq;
    struct mlx5dv_obj obj = {.cq = {.in = s->cq[q], .out = &cq}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    return (uint8_t *)cq.buf + (s->polled[q] % cq.cqe_cnt) * cq.cqe_size + cq.cqe_size - 64;
}

/* The hash as the completion has it, its kind, and which queue the frame is in; it must be there as it was sent. */
static uint32_t hash_of(struct end *a, struct spread *s, size_t n, unsigned *kind, unsigned *queue)
{
    struct ibv_wc wc;
    uint32_t hash = 0;
    int found = -1;

    send_frame(a, frame, n, 0);
    device_sim_pump(-1);
    for (unsigned q = 0; q < QUEUES; q++) {
        const uint8_t *e = cqe(s, q);

        if (!ibv_poll_cq(s->cq[q], 1, &wc))
            continue;
        CHECK(found < 0);
        found = (int)q;
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.opcode, IBV_WC_RECV);
        EQ(wc.byte_len, n);
        EQ(wc.wr_id / 100, q + 1);
        CHECK(!memcmp(s->buf + (q * WQ_SLOTS + wc.wr_id % 100) * WQ_SLOT, frame, n));
        memcpy(&hash, e + 12, 4);
        *kind = e[16];
        s->polled[q]++;
        post_wq(s, q, (unsigned)(wc.wr_id % 100), WQ_SLOT);
    }
    CHECK(found >= 0);
    *queue = (unsigned)found;
    return be32toh(hash);
}

/* -- hashes ------------------------------------------------------------------------------------ */

static struct frame_of of_vector(const struct vector *v, uint8_t proto)
{
    struct frame_of f = {.ip = strchr(v->src, ':') ? 6 : 4, .proto = proto, .sport = v->sport, .dport = v->dport,
        .payload = "abc", .size = 3};

    EQ(inet_pton(f.ip == 6 ? AF_INET6 : AF_INET, v->src, f.src), 1);
    EQ(inet_pton(f.ip == 6 ? AF_INET6 : AF_INET, v->dst, f.dst), 1);
    return f;
}

#define V4 (IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV4)
#define V6 (IBV_RX_HASH_SRC_IPV6 | IBV_RX_HASH_DST_IPV6)
#define TCP_PORTS (IBV_RX_HASH_SRC_PORT_TCP | IBV_RX_HASH_DST_PORT_TCP)
#define UDP_PORTS (IBV_RX_HASH_SRC_PORT_UDP | IBV_RX_HASH_DST_PORT_UDP)

/* Which queue a place of the table is, see make_table. */
static unsigned place(uint32_t hash, unsigned places)
{
    return (hash & (places - 1)) * 3 % QUEUES;
}

static void published(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(3, 0);
    unsigned kind, queue, seen = 0;

    for (unsigned i = 0; i < 8; i++) {
        const struct vector *v = &vectors[i];
        bool six = strchr(v->src, ':');
        unsigned ip = six ? 0xa : 0x5;
        struct frame_of f = of_vector(v, 6);

        spreads_by(s, published_key, six ? V6 : V4, 0);
        EQ(hash_of(a, s, build(frame, &f), &kind, &queue), v->addresses);
        EQ(kind, ip);
        EQ(queue, place(v->addresses, 8));
        seen |= 1u << queue;
        stop_spreading(s);
        spreads_by(s, published_key, (six ? V6 : V4) | TCP_PORTS, 0);
        EQ(hash_of(a, s, build(frame, &f), &kind, &queue), v->with_ports);
        EQ(kind, ip | 0x50);
        EQ(queue, place(v->with_ports, 8));
        seen |= 1u << queue;
        /* the ports of the other protocol are not chosen */
        f.proto = 17;
        EQ(hash_of(a, s, build(frame, &f), &kind, &queue), v->addresses);
        EQ(kind, ip);
        stop_spreading(s);
        spreads_by(s, published_key, (six ? V6 : V4) | UDP_PORTS, 0);
        EQ(hash_of(a, s, build(frame, &f), &kind, &queue), v->with_ports);
        EQ(kind, ip | 0xa0);
        stop_spreading(s);
    }
    EQ(seen, 15);
    no_violations();
    close_spread(s);
    close_end(a);
}

/* The hash is linear: those of the parts, each at its place, make up that of the whole. */
static uint32_t toeplitz(const uint8_t *key, const uint8_t *data, size_t length)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < length * 8; i++)
        if (data[i / 8] >> (7 - i % 8) & 1)
            for (size_t k = 0; k < 32; k++)
                hash ^= (uint32_t)(key[(i + k) / 8] >> (7 - (i + k) % 8) & 1) << (31 - k);
    return hash;
}

static void chosen_fields(void)
{
    static const struct {
        uint64_t fields;
        unsigned kind;
        struct {
            size_t at, n;
        } part[2];
    } choices[] = { /* of an IPv4 frame with TCP */
        {IBV_RX_HASH_SRC_IPV4, 0x01, {{26, 4}}},
        {IBV_RX_HASH_DST_IPV4, 0x04, {{30, 4}}},
        {IBV_RX_HASH_SRC_PORT_TCP, 0x10, {{34, 2}}},
        {IBV_RX_HASH_DST_PORT_TCP, 0x40, {{36, 2}}},
        {IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_PORT_TCP, 0x41, {{26, 4}, {36, 2}}},
        {IBV_RX_HASH_DST_IPV4 | IBV_RX_HASH_SRC_PORT_TCP, 0x14, {{30, 4}, {34, 2}}},
        {V6, 0, {{0, 0}}},
        {UDP_PORTS, 0, {{0, 0}}},
    };
    uint8_t key[40], data[8];
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(2, 0);
    unsigned kind, queue;

    fill(key, sizeof key, 77);
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++) {
        size_t n = build(frame, &(struct frame_of){.proto = 6, .sport = 0x1bcd, .dport = 0xe1f7, .size = 3,
            .payload = "abc"}), at = 0;
        uint32_t hash;

        for (int p = 0; p < 2; p++) {
            memcpy(data + at, frame + choices[i].part[p].at, choices[i].part[p].n);
            at += choices[i].part[p].n;
        }
        hash = toeplitz(key, data, at);
        spreads_by(s, key, choices[i].fields, 0);
        EQ(hash_of(a, s, n, &kind, &queue), hash);
        EQ(kind, choices[i].kind);
        EQ(queue, place(hash, 4));
        stop_spreading(s);
    }
    /* fragments have no ports */
    spreads_by(s, key, V4 | UDP_PORTS, 0);
    hash_of(a, s, build(frame, &(struct frame_of){.fragment = 0x2000}), &kind, &queue);
    EQ(kind, 5);
    hash_of(a, s, build(frame, &(struct frame_of){.fragment = 0x4000}), &kind, &queue);
    EQ(kind, 0xa5);
    close_spread(s);
    close_end(a);
}

static void inner_fields(void)
{
    static const uint8_t header[8] = {8, 0, 0, 0, 1, 2, 3, 0};
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(3, 0);
    uint8_t both[1000];
    struct frame_of f = of_vector(&vectors[2], 6), outside = {.dport = 4789, .payload = both};
    unsigned kind, queue;

    memcpy(both, header, 8);
    outside.size = 8 + build(both + 8, &f);
    spreads_by(s, published_key, (uint64_t)IBV_RX_HASH_INNER | V4 | TCP_PORTS, MLX5DV_QP_CREATE_TUNNEL_OFFLOADS);
    EQ(hash_of(a, s, build(frame, &outside), &kind, &queue), vectors[2].with_ports);
    EQ(kind, 0x55);
    EQ(hash_of(a, s, build(frame, &f), &kind, &queue), 0); /* there is nothing inside */
    EQ(kind, 0);
    EQ(queue, 0);
    close_spread(s);
    close_end(a);
}

/* -- work queues ------------------------------------------------------------------------------- */

static size_t to_queue_0(void)
{
    return build(frame, &(struct frame_of){.ip = -1, .type = 0x88f7, .payload = "0123456789", .size = 10});
}

static struct ibv_wc one(struct ibv_cq *cq)
{
    return completion(cq);
}

static void states(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(2, 0);
    size_t n = to_queue_0();
    struct ibv_wc wc;

    spreads_by(s, published_key, V4, 0);
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).wr_id, 100);
    wq_state(s->wq[0], IBV_WQS_ERR, 0);
    for (unsigned slot = 1; slot < WQ_SLOTS; slot++) {
        wc = one(s->cq[0]);
        EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
        EQ(wc.wr_id, 100 + slot);
    }
    nothing(s->cq[0]);
    wq_state(s->wq[0], IBV_WQS_RDY, EINVAL);
    send_frame(a, frame, n, 0);
    nothing(s->cq[0]);
    wq_state(s->wq[0], IBV_WQS_RESET, 0);
    wq_state(s->wq[0], IBV_WQS_ERR, EINVAL);
    wq_state(s->wq[0], IBV_WQS_RDY, 0);
    send_frame(a, frame, n, 0);
    nothing(s->cq[0]); /* nothing is posted */
    post_wq(s, 0, 9, WQ_SLOT);
    post_wq(s, 0, 8, WQ_SLOT);
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).wr_id, 109);
    EQ(ibv_modify_wq(s->wq[0], &(struct ibv_wq_attr){.attr_mask = IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE,
        .wq_state = IBV_WQS_ERR, .curr_wq_state = IBV_WQS_RESET}), EINVAL);
    no_violations();
    close_spread(s);
    close_end(a);
}

static void fatal(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(2, 0);
    size_t n = to_queue_0();
    struct ibv_async_event event;
    struct ibv_wc wc;

    spreads_by(s, published_key, V4, 0);
    wq_state(s->wq[0], IBV_WQS_RESET, 0);
    wq_state(s->wq[0], IBV_WQS_RDY, 0);
    post_wq(s, 0, 3, (uint32_t)n);
    post_wq(s, 0, 4, (uint32_t)n - 1);
    post_wq(s, 0, 5, WQ_SLOT);
    send_frame(a, frame, n, 0);
    send_frame(a, frame, n, 0);
    wc = one(s->cq[0]);
    EQ(wc.status, 0);
    EQ(wc.wr_id, 103);
    wc = one(s->cq[0]);
    EQ(wc.status, IBV_WC_LOC_LEN_ERR);
    EQ(wc.wr_id, 104);
    wc = one(s->cq[0]);
    EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
    EQ(wc.wr_id, 105);
    OK(ibv_get_async_event(s->ctx, &event));
    EQ(event.event_type, IBV_EVENT_WQ_FATAL);
    CHECK(event.element.wq == s->wq[0]);
    ibv_ack_async_event(&event);
    close_spread(s);
    close_end(a);
}

/* An event that nobody read does not keep the queue. */
static void unread_event(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(2, 0);
    size_t n = to_queue_0();
    struct pollfd p;

    spreads_by(s, published_key, V4, 0);
    wq_state(s->wq[0], IBV_WQS_RESET, 0);
    wq_state(s->wq[0], IBV_WQS_RDY, 0);
    post_wq(s, 0, 3, 3);
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).status, IBV_WC_LOC_LEN_ERR);
    p = (struct pollfd){.fd = s->ctx->async_fd, .events = POLLIN};
    EQ(poll(&p, 1, 0), 1);
    close_spread(s);
    close_end(a);
}

static void flags(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(2, IBV_WQ_FLAGS_CVLAN_STRIPPING);
    size_t n = build(frame, &(struct frame_of){.ip = -1, .type = 0x88f7, .vlan = 0x17abc, .payload = "0123456789",
        .size = 10});
    struct ibv_wq_attr keep = {.attr_mask = IBV_WQ_ATTR_FLAGS, .flags_mask = IBV_WQ_FLAGS_CVLAN_STRIPPING},
        other = {.attr_mask = IBV_WQ_ATTR_FLAGS, .flags = IBV_WQ_FLAGS_SCATTER_FCS,
        .flags_mask = IBV_WQ_FLAGS_SCATTER_FCS};
    const uint8_t *e;

    spreads_by(s, published_key, V4, 0);
    send_frame(a, frame, n, 0);
    e = cqe(s, 0);
    EQ(one(s->cq[0]).byte_len, n - 4);
    EQ(e[29] & 1, 1);
    EQ(e[30] << 8 | e[31], 0x7abc);
    CHECK(!memcmp(s->buf, frame, 12) && !memcmp(s->buf + 12, frame + 16, n - 16));
    OK(ibv_modify_wq(s->wq[0], &keep));
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).byte_len, n);
    CHECK(!memcmp(s->buf + WQ_SLOT, frame, n));
    EQ(ibv_modify_wq(s->wq[0], &other), EOPNOTSUPP);
    keep.flags = IBV_WQ_FLAGS_CVLAN_STRIPPING;
    OK(ibv_modify_wq(s->wq[0], &keep));
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).byte_len, n - 4);
    close_spread(s);
    s = open_spread(2, IBV_WQ_FLAGS_SCATTER_FCS);
    spreads_by(s, published_key, V4, 0);
    send_frame(a, frame, n, 0);
    EQ(one(s->cq[0]).byte_len, n + 4);
    close_spread(s);
    close_end(a);
}

/* Many laps of the ring. */
static void laps(void)
{
    struct end *a = open_end(NULL);
    struct spread *s = open_spread(0, 0);
    unsigned kind, queue;

    spreads_by(s, published_key, 0, 0); /* one place needs nothing to spread by */
    for (unsigned i = 0; i < 300; i++) {
        size_t n = build(frame, &(struct frame_of){.sport = (uint16_t)(1 + i), .payload = published_key,
            .size = i % 40});

        EQ(hash_of(a, s, n, &kind, &queue), 0);
        EQ(queue, 0);
    }
    no_violations();
    close_spread(s);
    close_end(a);
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void no_qp(struct spread *s, uint8_t key_length, uint64_t fields, uint64_t dv_flags, int error)
{
    errno = 0;
    CHECK(!spread_qp(s, published_key, key_length, fields, dv_flags));
    EQ(errno, error);
}

static void refusals(void)
{
    struct spread *s = open_spread(2, 0);
    struct ibv_wq_init_attr attr = {.wq_type = IBV_WQT_RQ, .max_wr = 16, .max_sge = 1, .pd = s->pd, .cq = s->cq[0],
        .comp_mask = IBV_WQ_INIT_ATTR_FLAGS, .create_flags = IBV_WQ_FLAGS_DELAY_DROP};

    no_qp(s, 39, V4, 0, EINVAL);
    no_qp(s, 41, V4, 0, EINVAL);
    no_qp(s, 40, IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV6, 0, EINVAL);
    no_qp(s, 40, IBV_RX_HASH_SRC_PORT_TCP | IBV_RX_HASH_DST_PORT_UDP, 0, EINVAL);
    no_qp(s, 40, 0, 0, EINVAL);
    no_qp(s, 40, 0x100, 0, EOPNOTSUPP);
    no_qp(s, 40, (uint64_t)IBV_RX_HASH_INNER | V4, 0, EOPNOTSUPP);
    spreads_by(s, published_key, V4, 0);
    EQ(s->qp->qp_num, 0);
    EQ(ibv_destroy_rwq_ind_table(s->table), EBUSY);
    EQ(ibv_destroy_wq(s->wq[1]), EBUSY);
    EQ(ibv_destroy_cq(s->cq[1]), EBUSY);
    EQ(ibv_destroy_qp(s->qp), EBUSY); /* a rule has it */
    errno = 0;
    CHECK(!ibv_create_wq(s->ctx, &attr));
    EQ(errno, EOPNOTSUPP);
    CHECK(!make_table(s, 8)); /* larger than any */
    close_spread(s);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"published", published}, {"chosen-fields", chosen_fields}, {"inner-fields", inner_fields}, {"states", states},
        {"fatal", fatal}, {"unread-event", unread_event}, {"flags", flags}, {"laps", laps}, {"refusals", refusals}, {0},
    };

    return run_cases("eth_rss", cases, argc, argv);
}
