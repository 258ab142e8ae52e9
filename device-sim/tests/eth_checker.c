/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The checker on Ethernet segments and work queues, each with one thing wrong; and what libmlx5 does not write. */
#include "eth_kit.h"

#include <endian.h>

struct hand {
    struct end *a, *b;
    struct ibv_flow *flow;
    struct mlx5dv_qp ring;
    uint16_t posted;
    unsigned half;
};

static uint8_t frame[3000], other[3000];

static struct hand by_hand(uint32_t flags)
{
    struct hand h = {.a = open_end(&(struct end_how){.max_tso = 200}),
        .b = open_end(&(struct end_how){.device = 1, .flags = flags})};
    struct mlx5dv_obj obj = {.qp = {.in = h.a->qp, .out = &h.ring}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    h.flow = everything(h.b);
    return h;
}

static void close_hand(struct hand *h)
{
    drop_rule(h->flow);
    close_end(h->a);
    close_end(h->b);
}

/* What was written in one piece goes to the ring, which may be around its end. */
static void write_ring(struct hand *h, const uint8_t *wqe)
{
    unsigned blocks = ((wqe[7] & 0x3f) + 3) / 4;
    uint64_t value;

    for (unsigned i = 0; i < blocks; i++)
        memcpy((uint8_t *)h->ring.sq.buf + ((h->posted + i) & (h->ring.sq.wqe_cnt - 1)) * 64, wqe + 64 * i, 64);
    h->posted = (uint16_t)(h->posted + blocks);
    __atomic_store_n(&h->ring.dbrec[MLX5_SND_DBR], htobe32(h->posted), __ATOMIC_RELEASE);
    memcpy(&value, wqe, 8);
    __atomic_store_n((uint64_t *)((uint8_t *)h->ring.bf.reg + h->half), value, __ATOMIC_RELEASE);
    h->half ^= h->ring.bf.size;
}

/* A right descriptor of a frame in memory, of which the first `header` bytes are in it. */
static void right_wqe(struct hand *h, uint8_t *w, uint8_t opcode, size_t n, size_t header)
{
    size_t more = header > 2 ? (header - 2 + 15) / 16 * 16 : 0;
    uint8_t *data = h->a->buf + BUFFER / 2;

    memset(w, 0, 512);
    memcpy(data, frame + header, n - header);
    mlx5dv_set_ctrl_seg((void *)w, h->posted, opcode, 0, h->a->qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE,
        (uint8_t)(3 + more / 16), 0, 0);
    w[16 + 12] = (uint8_t)(header >> 8);
    w[16 + 13] = (uint8_t)header;
    memcpy(w + 16 + 14, frame, header);
    mlx5dv_set_data_seg((void *)(w + 32 + more), (uint32_t)(n - header), h->a->mr->lkey, (uintptr_t)data);
}

static void one(void (*change)(uint8_t *w), uint8_t opcode, size_t header, const char *message)
{
    struct hand h = by_hand(0);
    uint8_t w[512];
    size_t n = build(frame, &(struct frame_of){.proto = 6, .payload = other, .size = 300});
    struct ibv_wc wc;

    right_wqe(&h, w, opcode, n, header);
    if (opcode == MLX5_OPCODE_TSO)
        w[16 + 6] = 1; /* segments of 256 bytes */
    change(w);
    write_ring(&h, w);
    wc = completion(h.a->scq);
    if (!message) {
        EQ(wc.status, 0);
        no_violations();
        EQ(next_of(h.b).status, 0);
        close_hand(&h);
        return;
    }
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    EQ(wc.status, IBV_WC_LOC_QP_OP_ERR);
    none_of(h.b);
    close_hand(&h);
    device_sim_reset_counts();
}

#define WRONG(name, opcode, header, message, ...) \
    static void name##_change(uint8_t *w) { (void)w; __VA_ARGS__ } \
    static void name(void) { one(name##_change, opcode, header, message); }

WRONG(right, MLX5_OPCODE_SEND, 0, NULL, )
WRONG(right_header, MLX5_OPCODE_SEND, 18, NULL, )
WRONG(right_tso, MLX5_OPCODE_TSO, 54, NULL, )
WRONG(offsets, MLX5_OPCODE_SEND, 0, "offsets for the parsing of headers", w[18] = 7;)
WRONG(checksum_flags, MLX5_OPCODE_SEND, 0, "reserved bits of the checksum flags are set: 0xd0", w[20] = 0xd0;)
WRONG(reserved_byte, MLX5_OPCODE_SEND, 0, "a reserved byte of the Ethernet segment is set", w[21] = 1;)
WRONG(reserved_bytes, MLX5_OPCODE_SEND, 0, "reserved bytes of the Ethernet segment are set", w[27] = 1;)
WRONG(segments_of_none, MLX5_OPCODE_SEND, 0, "segments of 100 bytes, but the opcode is not TSO", w[23] = 100;)
WRONG(no_segments, MLX5_OPCODE_TSO, 54, "segments of 0 bytes", w[22] = 0;)
WRONG(no_header, MLX5_OPCODE_TSO, 0, "a segmented request without an inline header", )
WRONG(short_header, MLX5_OPCODE_SEND, 13, "the inline header has 13 bytes, an Ethernet header has 14", )
WRONG(long_header, MLX5_OPCODE_SEND, 18, "an inline header of 60 bytes reaches past the end, ds is 4", w[29] = 60;)
WRONG(start_without_header, MLX5_OPCODE_SEND, 0, "bytes of an inline header, but it has none", w[31] = 1;)
WRONG(beside_tag, MLX5_OPCODE_SEND, 0, "reserved bits beside the insertion of a tag are set: 0x8001",
    w[28] = 0x80; w[29] = 1;)
WRONG(no_segment, MLX5_OPCODE_SEND, 0, "ds is 1, too small for the Ethernet segment", w[7] = 1;)
WRONG(immediate, MLX5_OPCODE_SEND, 0, "opcode 0x0b (SEND_IMM) is not for a queue pair of this type",
    w[3] = MLX5_OPCODE_SEND_IMM;)
WRONG(remote_write, MLX5_OPCODE_SEND, 0, "opcode 0x08 (RDMA_WRITE) is not for a queue pair of this type", w[3] =
    MLX5_OPCODE_RDMA_WRITE;)
WRONG(modifier, MLX5_OPCODE_SEND, 0, "the opcode modifier is 0x01, must be 0", w[0] = 1;)

/* Segments are for raw packets only. */
static void tso_elsewhere(void)
{
    struct pair *p = make_pair(NULL);
    struct mlx5dv_qp ring;
    struct mlx5dv_obj obj = {.qp = {.in = p->a.qp, .out = &ring}};
    uint64_t value;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    memset(ring.sq.buf, 0, 64);
    mlx5dv_set_ctrl_seg(ring.sq.buf, 0, MLX5_OPCODE_TSO, 0, p->a.qp->qp_num, 8, 2, 0, 0);
    ring.dbrec[MLX5_SND_DBR] = htobe32(1);
    memcpy(&value, ring.sq.buf, 8);
    __atomic_store_n((uint64_t *)ring.bf.reg, value, __ATOMIC_RELEASE);
    EQ(completion(p->a.cq).status, IBV_WC_LOC_QP_OP_ERR);
    expect_message("opcode 0x0e (TSO) is not for a queue pair of this type");
    free_pair(p);
}

/* -- what libmlx5 does not write --------------------------------------------------------------- */

/* The device inserts a tag; also into each segment, and where the checksums are to be filled in. */
static void insert_tag(void)
{
    struct hand h = by_hand(0);
    uint8_t w[512];
    size_t n = build(frame, &(struct frame_of){.payload = other, .size = 300, .no_sums = true}), wanted;

    right_wqe(&h, w, MLX5_OPCODE_SEND, n, 0);
    w[20] = MLX5_ETH_WQE_L3_CSUM | MLX5_ETH_WQE_L4_CSUM;
    w[28] = 0x80;
    w[30] = 0xb1;
    w[31] = 0x23;
    write_ring(&h, w);
    EQ(completion(h.a->scq).status, 0);
    wanted = build(other, &(struct frame_of){.payload = frame + 42, .size = 300, .vlan = 0x1b123});
    wants_frame(h.b, other, wanted);
    no_violations();
    close_hand(&h);
}

/* One checksum and not the other. */
static void one_checksum(void)
{
    struct hand h = by_hand(0);
    uint8_t w[512];

    for (int l4 = 0; l4 < 2; l4++) {
        size_t n = build(frame, &(struct frame_of){.proto = 6, .payload = "abc", .size = 3, .no_sums = true});
        struct got got;

        build(other, &(struct frame_of){.proto = 6, .payload = "abc", .size = 3});
        right_wqe(&h, w, MLX5_OPCODE_SEND, n, 0);
        w[20] = l4 ? MLX5_ETH_WQE_L4_CSUM : MLX5_ETH_WQE_L3_CSUM;
        write_ring(&h, w);
        EQ(completion(h.a->scq).status, 0);
        memcpy(frame + (l4 ? 50 : 24), other + (l4 ? 50 : 24), 2);
        got = wants_frame(h.b, frame, n);
        EQ(got.flags & IBV_WC_IP_CSUM_OK, 0);
    }
    close_hand(&h);
}

/* Headers of many sizes in the descriptor, the rest in memory; at each place of the ring, also around its end. */
static void headers_around_the_ring(void)
{
    struct hand h = by_hand(0);
    uint8_t w[512];
    unsigned around = 0;

    for (unsigned i = 0; i < 1500; i++) {
        struct frame_of f = {.proto = 6, .payload = other, .size = 200 + i % 7, .seq = i};
        size_t n, header = 14 + i % 90;
        struct got got;

        fill(other, 300, i);
        n = build(frame, &f);
        right_wqe(&h, w, MLX5_OPCODE_SEND, n, header);
        around += h.posted % h.ring.sq.wqe_cnt * 64 + 30 + header > h.ring.sq.wqe_cnt * 64;
        write_ring(&h, w);
        EQ(completion(h.a->scq).status, 0);
        got = wants_frame(h.b, frame, n);
        post_slot(h.b, (unsigned)(got.id - 1000), SLOT);
    }
    CHECK(around > 1);
    no_violations();
    close_hand(&h);
}

/* -- receives ---------------------------------------------------------------------------------- */

static void wq_record(uint32_t record, bool too_long, const char *message)
{
    struct end *a = open_end(NULL);
    struct ibv_context *ctx = open_nth(1);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 15, NULL, NULL, 0));
    struct ibv_wq *wq = SOME(ibv_create_wq(ctx, &(struct ibv_wq_init_attr){.wq_type = IBV_WQT_RQ, .max_wr = 8,
        .max_sge = 1, .pd = pd, .cq = cq}));
    struct ibv_rwq_ind_table *table = SOME(ibv_create_rwq_ind_table(ctx,
        &(struct ibv_rwq_ind_table_init_attr){.ind_tbl = &wq}));
    uint8_t key[40] = {1};
    struct ibv_qp *qp = SOME(ibv_create_qp_ex(ctx, &(struct ibv_qp_init_attr_ex){.qp_type = IBV_QPT_RAW_PACKET,
        .pd = pd, .rwq_ind_tbl = table, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE |
        IBV_QP_INIT_ATTR_RX_HASH, .rx_hash_conf = {IBV_RX_HASH_FUNC_TOEPLITZ, 40, key, 0}}));
    struct ibv_flow *f = SOME(ibv_create_flow(qp, &(struct ibv_flow_attr){.type = IBV_FLOW_ATTR_ALL_DEFAULT, .size =
        sizeof(struct ibv_flow_attr), .port = 1}));
    struct mlx5dv_rwq ring;
    struct mlx5dv_obj obj = {.rwq = {.in = wq, .out = &ring}};

    OK(ibv_modify_wq(wq, &(struct ibv_wq_attr){.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = IBV_WQS_RDY}));
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_RWQ));
    mlx5dv_set_data_seg(ring.buf, too_long ? 0x80000100 : 256, 1, 1);
    ring.dbrec[MLX5_RCV_DBR] = htobe32(record);
    send_frame(a, frame, build(frame, &(struct frame_of){0}), 0);
    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    EQ(completion(cq).status, IBV_WC_LOC_QP_OP_ERR);
    OK(ibv_destroy_flow(f));
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_rwq_ind_table(table));
    OK(ibv_destroy_wq(wq));
    OK(ibv_destroy_cq(cq));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
    close_end(a);
    device_sim_reset_counts();
}

static void wq_records(void)
{
    wq_record(0x10001, false, "the receive doorbell record went from 0 to 65537, the ring has 8");
    wq_record(9, false, "the receive doorbell record went from 0 to 9, the ring has 8");
    wq_record(1, true, "receive 0: a data segment of 0x80000100 bytes");
}

#define CASE(name) {#name, name}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        CASE(right), CASE(right_header), CASE(right_tso), CASE(offsets), CASE(checksum_flags), CASE(reserved_byte),
        CASE(reserved_bytes), CASE(segments_of_none), CASE(no_segments), CASE(no_header), CASE(short_header),
        CASE(long_header), CASE(start_without_header), CASE(beside_tag), CASE(no_segment), CASE(immediate),
        CASE(remote_write), CASE(modifier), CASE(tso_elsewhere), CASE(insert_tag), CASE(one_checksum),
        CASE(headers_around_the_ring), CASE(wq_records), {0},
    };

    return run_cases("eth_checker", cases, argc, argv);
}
