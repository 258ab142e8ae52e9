/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker must be silent on what libmlx5 writes (the other tests see to that) and reject what is wrong. Here
 * descriptors are written by hand into the ring that mlx5dv_init_obj gives, each with one thing wrong, and the message
 * is compared.
 */
#include "kit.h"

#include <infiniband/mlx5dv.h>

struct hand {
    struct pair *p;
    struct mlx5dv_qp qp;
    struct mlx5dv_cq cq;
    uint16_t posted; /* blocks */
    unsigned half; /* of the register, used in turn */
};

static struct hand by_hand(const struct making *how)
{
    struct hand h = {.p = make_pair(how)};
    struct mlx5dv_obj obj = {.qp = {.in = h.p->a.qp, .out = &h.qp}, .cq = {.in = h.p->b.cq, .out = &h.cq}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ));
    EQ(h.qp.bf.size, 256);
    return h;
}

static uint8_t *block(struct hand *h, unsigned index)
{
    return (uint8_t *)h->qp.sq.buf + (index & (h->qp.sq.wqe_cnt - 1)) * 64;
}

/* A right RDMA WRITE of 16 bytes. */
static uint8_t *write_wqe(struct hand *h, uint16_t index)
{
    struct {
        struct mlx5_wqe_ctrl_seg ctrl;
        struct mlx5_wqe_raddr_seg raddr;
        struct mlx5_wqe_data_seg data;
    } w = {0};

    mlx5dv_set_ctrl_seg(&w.ctrl, index, MLX5_OPCODE_RDMA_WRITE, 0, h->p->a.qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE, 3, 0,
        0);
    w.raddr.raddr = htobe64((uintptr_t)h->p->b.buf);
    w.raddr.rkey = htobe32(h->p->b.mr->rkey);
    mlx5dv_set_data_seg(&w.data, 16, h->p->a.mr->lkey, (uintptr_t)h->p->a.buf);
    return memcpy(block(h, index), &w, sizeof w);
}

static void record(struct hand *h, uint16_t blocks)
{
    h->posted = (uint16_t)(h->posted + blocks);
    __atomic_store_n(&h->qp.dbrec[MLX5_SND_DBR], htobe32(h->posted), __ATOMIC_RELEASE);
}

static void ring(struct hand *h, const uint8_t *wqe)
{
    uint64_t value;

    memcpy(&value, wqe, 8);
    __atomic_store_n((uint64_t *)((uint8_t *)h->qp.bf.reg + h->half), value, __ATOMIC_RELEASE);
    h->half ^= h->qp.bf.size;
}

static void blueflame(struct hand *h, const uint8_t *wqe)
{
    memcpy((uint8_t *)h->qp.bf.reg + h->half, wqe, 64);
    h->half ^= h->qp.bf.size;
}

static void rejected(struct hand *h, const char *message)
{
    struct ibv_wc wc;

    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    EQ(ibv_poll_cq(h->p->a.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_LOC_QP_OP_ERR);
    EQ(h->p->b.buf[0], 0);
    free_pair(h->p);
}

/* One descriptor with `change` applied. */
static void one(void (*change)(struct hand *h, uint8_t *wqe), const char *message)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);

    h.p->a.buf[0] = 0x5a;
    change(&h, wqe);
    record(&h, 1);
    ring(&h, wqe);
    rejected(&h, message);
}

#define WRONG(name, message, ...) \
    static void name##_change(struct hand *h, uint8_t *w) { (void)h; (void)w; __VA_ARGS__ } \
    static void name(void) { one(name##_change, message); }

static void put32(uint8_t *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, 4);
}

static void right(void)
{
    struct hand h = by_hand(NULL);

    fill(h.p->a.buf, 16, 1);
    for (unsigned i = 0; i < 200; i++) {
        uint8_t *wqe = write_wqe(&h, (uint16_t)i);
        struct ibv_wc wc;

        record(&h, 1);
        if (i & 1)
            ring(&h, wqe);
        else
            blueflame(&h, wqe);
        EQ(device_sim_pump(-1), 1);
        EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
    }
    CHECK(!memcmp(h.p->a.buf, h.p->b.buf, 16));
    no_violations();
    free_pair(h.p);
}

/* The second of two has the first one's index. */
static void index_repeated(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *first = write_wqe(&h, 0), *second = block(&h, 1);
    struct ibv_wc wc;

    memcpy(second, first, 64);
    record(&h, 2);
    ring(&h, first);
    device_sim_pump(-1);
    expect_message("WQE 1: the index in the control segment is 0");
    EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_SUCCESS);
    free_pair(h.p);
}

static void wrong_qpn(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *first = write_wqe(&h, 0), *second = write_wqe(&h, 1);

    second[4] ^= 0xff;
    record(&h, 2);
    ring(&h, first);
    device_sim_pump(-1);
    expect_message("WQE 1: the queue pair number in the control segment is 0xff0");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    free_pair(h.p);
}

WRONG(wrong_opcode, "opcode 0x77 is not known", w[3] = 0x77;)
WRONG(opcode_modifier, "the opcode modifier is 0x01", w[0] = 1;)
WRONG(ds_zero, "ds is 0", w[7] = 0;)
WRONG(ds_small, "ds is 1, too small for the remote address segment", w[7] = 1;)
WRONG(ds_past_record, "the doorbell record ends", w[7] = 5;)
WRONG(ds_reserved, "reserved bits above ds are set: 0x43", w[7] |= 0x40;)
WRONG(reserved_fm_ce_se, "reserved bits of fm_ce_se are set: 0x09", w[11] |= 1;)
WRONG(fence_mode, "fence mode 7 is not known", w[11] |= 0xe0;)
WRONG(zero_bytes, "a data segment of 0 bytes", put32(w + 32, 0);)
WRONG(inline_too_long, "inline data of 100 bytes reach past the end", put32(w + 32, MLX5_INLINE_SEG | 100);)
WRONG(inline_reserved, "reserved bits of the inline segment are set", put32(w + 32, MLX5_INLINE_SEG | 0x10004);)
WRONG(inline_read, "inline data is not for this opcode", w[3] = MLX5_OPCODE_RDMA_READ; put32(w + 32,
    MLX5_INLINE_SEG | 4);)
WRONG(atomic_size, "ds is 2, too small for the atomic segment", w[3] = MLX5_OPCODE_ATOMIC_FA; w[7] = 2;)

/* Bytes that mean nothing are remarked upon, and what they are in is executed. */
static void remarked(unsigned at, uint8_t value, const char *message)
{
    struct hand h = by_hand(NULL);
    struct ibv_wc wc;

    for (uint16_t i = 0; i < 2; i++) {
        uint8_t *wqe = write_wqe(&h, i);

        wqe[at] = value;
        h.p->a.buf[0] = (uint8_t)(0x5a + i);
        record(&h, 1);
        ring(&h, wqe);
        device_sim_pump(-1);
        EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(h.p->b.buf[0], 0x5a + i);
        expect_message("WQE 0: "); /* told once, counted each time */
        expect_message(message);
        EQ(device_sim_count(DEVICE_SIM_COUNT_REMARKS), i + 1);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    }
    free_pair(h.p);
}

static void signature(void)
{
    remarked(8, 0x12, "a signature, but the queue pair has none");
}

static void reserved_stream(void)
{
    remarked(9, 1, "reserved bytes of the control segment are set");
    device_sim_reset_counts();
    remarked(10, 1, "reserved bytes of the control segment are set");
}

static void reserved_raddr(void)
{
    remarked(31, 1, "reserved bytes of the remote address segment are set");
}

/* A WRITE of `n` inline bytes and then of `m` from memory: one message. */
static void inline_then_data(void)
{
    for (uint32_t n = 1; n <= 28; n++) {
        struct hand h = by_hand(NULL);
        uint8_t *wqe = write_wqe(&h, 0);
        uint32_t m = n % 2 ? 40000 : 5, blocks = (4 + n + 15) / 16; /* more than a packet, or less */
        struct ibv_wc wc;

        fill(h.p->a.buf, 50000, n);
        memmove(wqe + 32 + 16 * blocks, wqe + 32, 16);
        put32(wqe + 32 + 16 * blocks, m);
        put32(wqe + 32, MLX5_INLINE_SEG | n);
        memset(wqe + 36, 0, 16 * blocks - 4);
        for (uint32_t i = 0; i < n; i++)
            wqe[36 + i] = (uint8_t)(100 + i);
        wqe[7] = (uint8_t)(3 + blocks);
        record(&h, (uint16_t)((3 + blocks + 3) / 4));
        ring(&h, wqe);
        device_sim_pump(-1);
        EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
        for (uint32_t i = 0; i < n; i++)
            EQ(h.p->b.buf[i], 100 + i);
        CHECK(!memcmp(h.p->b.buf + n, h.p->a.buf, m));
        EQ(h.p->b.buf[n + m], 0);
        no_violations();
        free_pair(h.p);
    }
}

/* UC has no reads. */
static void read_on_uc(void)
{
    struct hand h = by_hand(&(struct making){.type = IBV_QPT_UC});
    uint8_t *wqe = write_wqe(&h, 0);

    wqe[3] = MLX5_OPCODE_RDMA_READ;
    record(&h, 1);
    ring(&h, wqe);
    rejected(&h, "opcode 0x10 (RDMA_READ) is not for a queue pair of this type");
}

static void atomic_length(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);

    wqe[3] = MLX5_OPCODE_ATOMIC_FA;
    wqe[7] = 4;
    memcpy(wqe + 48, wqe + 32, 16);
    memset(wqe + 32, 0, 16);
    record(&h, 1);
    ring(&h, wqe);
    rejected(&h, "the data segment of an atomic has 16 bytes, must be 8");
}

/* -- datagrams -- */

/* One datagram without data, with a byte of its address vector changed. */
static struct hand datagram(unsigned at, uint8_t value)
{
    struct hand h = by_hand(&(struct making){.type = IBV_QPT_UD});
    uint8_t *wqe = block(&h, 0);
    struct mlx5_wqe_ctrl_seg ctrl = {0};
    struct mlx5_wqe_datagram_seg d = {0};

    mlx5dv_set_ctrl_seg(&ctrl, 0, MLX5_OPCODE_SEND, 0, h.p->a.qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE, 4, 0, 0);
    d.av.key.qkey.qkey = htobe32(0x11111111);
    d.av.dqp_dct = htobe32(MLX5_EXTENDED_UD_AV | h.p->b.qp->qp_num);
    memcpy(wqe, &ctrl, 16);
    memcpy(wqe + 16, &d, 48);
    wqe[16 + at] = value;
    record(&h, 1);
    ring(&h, wqe);
    return h;
}

static void datagram_wrong(unsigned at, uint8_t value, const char *message)
{
    struct hand h = datagram(at, value);

    rejected(&h, message);
}

static void datagram_reserved(void)
{
    static const unsigned at[] = {4, 7, 16, 19};

    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        struct hand h = datagram(at[i], 1);
        struct ibv_wc wc;

        device_sim_pump(-1);
        EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
        expect_message("reserved bytes of the address vector are set");
        EQ(device_sim_count(DEVICE_SIM_COUNT_REMARKS), i + 1);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
        free_pair(h.p);
    }
}

static void datagram_extension(void)
{
    datagram_wrong(8, 0, "the extension bit of the address vector is not set");
}

static void datagram_gid(void)
{
    datagram_wrong(28, 0x40, "reserved bits in front of the GID index are set");
}

static void datagram_write(void)
{
    struct hand h = by_hand(&(struct making){.type = IBV_QPT_UD});
    uint8_t *wqe = write_wqe(&h, 0);

    record(&h, 1);
    ring(&h, wqe);
    rejected(&h, "is not for a queue pair of this type");
}

/* -- keys and bounds: an error completion, counted apart -- */

static void key_rejected(unsigned at, const void *bytes, size_t n, const char *message)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);
    struct ibv_wc wc;

    memcpy(wqe + at, bytes, n);
    record(&h, 1);
    ring(&h, wqe);
    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    EQ(ibv_poll_cq(h.p->a.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_LOC_PROT_ERR);
    no_violations();
    free_pair(h.p);
}

static void bad_lkey(void)
{
    key_rejected(36, "\x00\xde\xad\x00", 4, "lkey 0x00dead00");
}

static void bad_address(void)
{
    key_rejected(40, "\0\0\0\0\0\0\x10\0", 8, "outside of the memory region");
}

/* -- doorbells -- */

static void violation(struct hand *h, const char *message)
{
    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    free_pair(h->p);
}

static void doorbell_before_record(void)
{
    struct hand h = by_hand(NULL);

    ring(&h, write_wqe(&h, 0));
    violation(&h, "doorbell before doorbell record");
}

static void doorbell_missing(void)
{
    struct hand h = by_hand(NULL);

    write_wqe(&h, 0);
    record(&h, 1);
    EQ(device_sim_pump(-1), 0);
    no_violations();
    EQ(device_sim_check_idle(), 1);
    expect_message("doorbell missing");
    free_pair(h.p);
}

static void doorbell_again(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);

    record(&h, 1);
    ring(&h, wqe);
    EQ(device_sim_pump(-1), 1);
    ring(&h, wqe);
    violation(&h, "that one was executed before");
}

static void doorbell_other(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0), copy[8];

    memcpy(copy, wqe, 8);
    copy[3] = MLX5_OPCODE_SEND;
    record(&h, 1);
    ring(&h, copy);
    violation(&h, "the doorbell is not the first eight bytes of the WQE");
}

static void doorbell_qpn(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0), copy[8];

    memcpy(copy, wqe, 8);
    copy[4] = 0x77;
    record(&h, 1);
    ring(&h, copy);
    violation(&h, "which does not use this register page");
}

static void record_too_far(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);

    record(&h, (uint16_t)(h.qp.sq.wqe_cnt + 1));
    ring(&h, wqe);
    violation(&h, "the send doorbell record went from 0 to");
}

static void record_not_swapped(void)
{
    struct hand h = by_hand(NULL);
    uint8_t *wqe = write_wqe(&h, 0);

    h.qp.dbrec[MLX5_SND_DBR] = 1; /* little-endian */
    ring(&h, wqe);
    violation(&h, "it has 16 bits");
}

static void blueflame_differs(void)
{
    struct hand h = by_hand(NULL);
    uint8_t copy[64];

    memcpy(copy, write_wqe(&h, 0), 64);
    copy[20] ^= 1;
    record(&h, 1);
    blueflame(&h, copy);
    violation(&h, "the BlueFlame copy differs from the ring at byte 20");
}

/* -- receives and completions -- */

static void receive_record(void)
{
    struct hand h = by_hand(NULL);
    struct mlx5dv_qp b;
    struct mlx5dv_obj obj = {.qp = {.in = h.p->b.qp, .out = &b}};
    struct ibv_sge sge = piece(&h.p->a, 0, 4);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);

    memset(&b, 0, sizeof b);
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    b.dbrec[MLX5_RCV_DBR] = htobe32(b.rq.wqe_cnt + 1);
    post(h.p->a.qp, &wr);
    violation(&h, "the receive doorbell record went from 0 to");
}

static void receive_inline(void)
{
    struct hand h = by_hand(NULL);
    struct mlx5dv_qp b;
    struct mlx5dv_obj obj = {.qp = {.in = h.p->b.qp, .out = &b}};
    struct ibv_sge sge = piece(&h.p->a, 0, 4);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);

    memset(&b, 0, sizeof b);
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    put32(b.rq.buf, MLX5_INLINE_SEG | 4);
    b.dbrec[MLX5_RCV_DBR] = htobe32(1);
    post(h.p->a.qp, &wr);
    violation(&h, "receive 0: a data segment of 0x80000004 bytes");
}

static void consumer_index(void)
{
    struct hand h = by_hand(NULL);
    struct ibv_sge sge = piece(&h.p->b, 0, 4);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    h.cq.dbrec[0] = htobe32(5); /* of completions that were never written */
    to_remote(&wr, &h.p->a, 0);
    post(h.p->b.qp, &wr);
    violation(&h, "the consumer index is 5, 0 were written");
}

static void arm_sequence(void)
{
    struct hand h = by_hand(NULL);
    uint32_t word = 2u << 28;

    h.cq.dbrec[1] = htobe32(word);
    *(uint64_t *)((uint8_t *)h.cq.cq_uar + MLX5_CQ_DOORBELL) = htobe64((uint64_t)word << 32 | h.cq.cqn);
    violation(&h, "armed with sequence number 2, expected 0");
}

static void arm_without_doorbell(void)
{
    struct hand h = by_hand(NULL);

    h.cq.dbrec[1] = 0;
    device_sim_pump(-1);
    EQ(device_sim_check_idle(), 1);
    expect_message("but the doorbell is missing");
    free_pair(h.p);
}

static void arm_without_record(void)
{
    struct hand h = by_hand(NULL);

    *(uint64_t *)((uint8_t *)h.cq.cq_uar + MLX5_CQ_DOORBELL) = htobe64(h.cq.cqn);
    violation(&h, "armed by the doorbell with 0x00000000, the record says 0xffffffff");
}

static void wrong_signature(void)
{
    struct hand h;
    uint8_t *wqe;

    setenv("MLX5_QP_SIGNATURE", "1", 1);
    h = by_hand(NULL);
    unsetenv("MLX5_QP_SIGNATURE");
    wqe = write_wqe(&h, 0);
    for (unsigned i = 0; i < 48; i++)
        if (i != 8)
            wqe[8] ^= wqe[i]; /* together they give 0: addresses differ from run to run, and might give 0xff */
    record(&h, 1);
    ring(&h, wqe);
    rejected(&h, "the signature is wrong: all bytes together give 0x00");
}

static void right_signature(void)
{
    struct pair *p;
    struct ibv_sge sge, to;
    struct ibv_send_wr wr;

    setenv("MLX5_QP_SIGNATURE", "1", 1);
    p = make_pair(NULL);
    unsetenv("MLX5_QP_SIGNATURE");
    sge = piece(&p->a, 0, 100);
    to = piece(&p->b, 0, 100);
    wr = request(IBV_WR_SEND, 1, &sge);
    fill(p->a.buf, 100, 1);
    receive(p->b.qp, 2, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, p->b.buf, 100));
    no_violations();
    free_pair(p);
}

static const struct test_case cases[] = {
    {"right", right}, {"index-repeated", index_repeated}, {"opcode", wrong_opcode}, {"opcode-modifier",
        opcode_modifier},
    {"read-on-uc", read_on_uc}, {"qpn", wrong_qpn}, {"ds-zero", ds_zero}, {"ds-small", ds_small},
    {"ds-past-record", ds_past_record}, {"ds-reserved", ds_reserved}, {"signature-unasked", signature}, {"inline-then-data", inline_then_data},
    {"reserved-stream", reserved_stream}, {"reserved-fm-ce-se", reserved_fm_ce_se}, {"fence-mode", fence_mode},
    {"reserved-raddr", reserved_raddr}, {"zero-bytes", zero_bytes}, {"inline-too-long", inline_too_long},
    {"inline-reserved", inline_reserved}, {"inline-read", inline_read}, {"atomic-size", atomic_size},
    {"atomic-length", atomic_length}, {"datagram-reserved", datagram_reserved}, {"datagram-extension",
    datagram_extension},
    {"datagram-gid", datagram_gid}, {"datagram-write", datagram_write}, {"bad-lkey", bad_lkey}, {"bad-address",
    bad_address},
    {"doorbell-before-record", doorbell_before_record}, {"doorbell-missing", doorbell_missing},
    {"doorbell-again", doorbell_again}, {"doorbell-other", doorbell_other}, {"doorbell-qpn", doorbell_qpn},
    {"record-too-far", record_too_far}, {"record-not-swapped", record_not_swapped}, {"blueflame-differs",
    blueflame_differs},
    {"receive-record", receive_record}, {"receive-inline", receive_inline}, {"consumer-index", consumer_index},
    {"arm-sequence", arm_sequence}, {"arm-without-doorbell", arm_without_doorbell},
    {"arm-without-record", arm_without_record}, {"wrong-signature", wrong_signature}, {"right-signature",
    right_signature}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("checker", cases, argc, argv);
}
