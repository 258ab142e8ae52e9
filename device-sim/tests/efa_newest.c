/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the newest libefa writes, on a device that can all of it: `run --vendors efa --efa efa1+...`, see run-all. Under
 * older ones the cases that they can't do are skipped.
 */
#include "efa_kit.h"

#define OPS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_RDMA_WRITE | \
    IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)

static struct end with(uint16_t flags, uint32_t inline_data)
{
    return make_end(&(struct efa_making){.send_ops = OPS, .attr.flags = flags, .inline_data = inline_data});
}

/* Descriptors of 128 bytes, by the old interface too, several times around the ring. */
static void inline_sends(void)
{
    struct end a = with(0, 80), b = make(false, false);

    for (unsigned n = 0; n < 100; n++) {
        struct ibv_sge from = at(&a, n, n % 81), to = at(&b, 0, 100);
        struct ibv_wc wc;

        fill(a.buf, 200, n);
        memset(b.buf, 0, 100);
        receive(b.qp, n, &to);
        put(&a, &b, n, &from, 1, n % 2 ? IBV_SEND_INLINE : 0);
        good(a.cq, n, IBV_WC_SEND);
        wc = completion(b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.byte_len, n % 81);
        CHECK(!memcmp(a.buf + n, b.buf, n % 81));
        EQ(b.buf[n % 81], 0);
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void inline_writes(void)
{
    struct end a = with(QP_INLINE_WRITE, 80), b = with(QP_INLINE_WRITE, 80);

    for (unsigned n = 0; n < 100; n++) {
        bool imm = n % 3 == 0;
        struct one_sided r = {.opcode = imm ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE, .id = n, .offset = 1000,
            .length = n % 81, .imm = n, .is_inline = true};
        struct ibv_sge to = at(&b, 0, 1);

        fill(a.buf, 100, n);
        memset(b.buf + 1000, 0, 100);
        if (imm)
            receive(b.qp, n, &to);
        OK(one_side(&a, &b, &r));
        good(a.cq, n, IBV_WC_RDMA_WRITE);
        if (imm) {
            struct ibv_wc wc = completion(b.cq);

            EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
            EQ(wc.byte_len, n % 81);
            EQ(wc.imm_data, htobe32(n));
        }
        CHECK(!memcmp(a.buf, b.buf + 1000, n % 81));
        EQ(b.buf[1000 + n % 81], 0);
    }
    EQ(one_side(&a, &b, &(struct one_sided){.opcode = IBV_WR_RDMA_READ, .length = 8, .is_inline = true}), EINVAL);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* Writes with immediate data take no receive where both ends want it so. */
static void unsolicited(void)
{
    struct end a = with(QP_UNSOLICITED, 32), b = with(QP_UNSOLICITED, 32), c = with(0, 32);
    struct one_sided r = {.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .length = 8, .imm = 7};
    struct ibv_sge to = at(&b, 2000, 100), from = at(&a, 0, 10);
    struct ibv_wc wc;

    for (unsigned n = 0; n < 50; n++) {
        r.id = n;
        OK(one_side(&a, &b, &r));
        good(a.cq, n, IBV_WC_RDMA_WRITE);
        wc = completion(b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
        EQ(wc.wr_id, 0);
        EQ(wc.byte_len, 8);
        EQ(wc.imm_data, htobe32(7));
    }
    receive(b.qp, 77, &to);
    OK(one_side(&a, &b, &r));
    good(a.cq, 49, IBV_WC_RDMA_WRITE);
    EQ(completion(b.cq).wr_id, 0);
    put(&a, &b, 1, &from, 1, 0); /* the receive is still there for a send */
    good(a.cq, 1, IBV_WC_SEND);
    good(b.cq, 77, IBV_WC_RECV);
    OK(one_side(&a, &c, &r)); /* one alone is not enough */
    nothing(a.cq);
    receive(c.qp, 78, &to);
    good(a.cq, 49, IBV_WC_RDMA_WRITE);
    good(c.cq, 78, IBV_WC_RECV_RDMA_WITH_IMM);
    no_violations();
    destroy(&a);
    destroy(&b);
    destroy(&c);
}

/* Whoever sent it, all 64 bits come back, in whatever order. */
static void request_ids(void)
{
    struct end a = make(false, false), b = make(false, false);
    uint64_t sum = 0, wanted = 0;

    OK(device_sim_reorder(8, 5));
    for (unsigned n = 0; n < 16; n++) {
        struct ibv_sge from = at(&a, 0, 1), to = at(&b, 0, 1);
        uint64_t id = 0xfedc000000000000 + 0x100020003ull * n;

        receive(b.qp, n, &to);
        put(&a, &b, id, &from, 1, 0);
        wanted += id * id;
    }
    for (unsigned n = 0; n < 16; n++) {
        struct ibv_wc wc = completion(a.cq);

        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id >> 48, 0xfedc);
        sum += wc.wr_id * wc.wr_id;
        EQ(completion(b.cq).status, IBV_WC_SUCCESS);
    }
    EQ(sum, wanted);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* The upper half of a length is told with writes alone. */
static void long_writes(void)
{
    struct end a = with(0, 32), b = with(0, 32);
    struct ibv_sge to = at(&b, 0, 1);
    struct ibv_wc wc;

    fill(a.buf, 200000, 1);
    receive(b.qp, 1, &to);
    OK(one_side(&a, &b, &(struct one_sided){.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .length = 200000, .offset = 3}));
    good(a.cq, 0, IBV_WC_RDMA_WRITE);
    wc = completion(b.cq);
    EQ(wc.byte_len, 200000);
    CHECK(!memcmp(a.buf, b.buf + 3, 200000));
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* What libefa makes of the device's limits: fewer than 16 requests are made 16, and 16 units of 64 bytes are a batch. */
static void limits(void)
{
    static const struct efa_making how[] = {{.wr = 3}, {.send_ops = OPS, .inline_data = 33, .wr = 100}};
    static const unsigned wanted[][3] = {{64, 16, 15}, {128, 128, 8}};

    if (!dlsym(RTLD_DEFAULT, "efadv_query_qp_wqs"))
        skip("this libefa does not tell of its rings");
    for (unsigned i = 0; i < 2; i++) {
        struct end a = make_end(&how[i]);
        struct new_wq_attr sq, rq;

        rings(a.qp, &sq, &rq);
        EQ(sq.entry_size, wanted[i][0]);
        EQ(sq.num_entries, wanted[i][1]);
        EQ(sq.max_batch, wanted[i][2]);
        EQ(sq.caps, 1); /* ids of 64 bits */
        EQ(rq.caps, 0);
        destroy(&a);
    }
    no_violations();
}

/* More than a batch at once. */
static void batches(void)
{
    struct end a = make_end(&(struct efa_making){.wr = 256}), b = make_end(&(struct efa_making){.wr = 256});
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_send_wr wr[50];

    for (unsigned round = 0; round < 12; round++) {
        for (unsigned n = 0; n < 50; n++) {
            receive(b.qp, n, &to);
            wr[n] = request(IBV_WR_SEND, n, &from);
            wr[n].wr.ud.ah = a.ah;
            wr[n].wr.ud.remote_qpn = b.qp->qp_num;
            wr[n].wr.ud.remote_qkey = QKEY;
            wr[n].next = n < 49 ? &wr[n + 1] : NULL;
        }
        post(a.qp, wr);
        for (unsigned n = 0; n < 50; n++) {
            good(a.cq, n, IBV_WC_SEND);
            good(b.cq, n, IBV_WC_RECV);
        }
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

struct hinting {
    uint64_t comp_mask;
    void (*set)(struct hinting *qp, uint32_t hints);
};

static void hints(void)
{
    struct efa_making how = {.send_ops = OPS, .attr.wr_flags = WR_HINTS};
    struct hinting *(*of)(struct ibv_qp_ex *qp) = dlsym(RTLD_DEFAULT, "efadv_qp_from_ibv_qp_ex");
    struct end a;
    struct ibv_qp_ex *qp;

    if (!of)
        skip("this libefa gives no hints");
    a = make_end(&how);
    qp = ibv_qp_to_qp_ex(a.qp);
    for (uint32_t hint = 0; hint < 2; hint++) {
        ibv_wr_start(qp);
        qp->wr_id = hint;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, a.mr->rkey, (uintptr_t)a.buf);
        ibv_wr_set_sge(qp, a.mr->lkey, (uintptr_t)a.buf + 100, 8);
        ibv_wr_set_ud_addr(qp, a.ah, a.qp->qp_num, QKEY);
        of(qp)->set(of(qp), hint);
        OK(ibv_wr_complete(qp));
        EQ(mapped(SEND_RING)[hint * 64 + 14], hint);
        good(a.cq, hint, IBV_WC_RDMA_WRITE);
    }
    no_violations();
    destroy(&a);
}

/* -- who it came from -- */

struct sender_reader {
    uint64_t comp_mask;
    int (*read_sgid)(struct sender_reader *cq, union ibv_gid *gid);
};

struct new_cq_init_attr {
    uint64_t comp_mask, wc_flags, more[5];
};

/* What is told of a message without an address handle to its sender, by a queue that asked for it. */
static void sender(void)
{
    struct ibv_cq_ex *(*create)(struct ibv_context *, struct ibv_cq_init_attr_ex *, struct new_cq_init_attr *, uint32_t) =
        dlsym(RTLD_DEFAULT, "efadv_create_cq");
    struct sender_reader *(*of)(struct ibv_cq_ex *) = dlsym(RTLD_DEFAULT, "efadv_cq_from_ibv_cq_ex");
    struct ibv_cq_init_attr_ex attr = {.cqe = 16, .wc_flags = IBV_WC_EX_WITH_SLID};
    struct new_cq_init_attr efa = {.wc_flags = 1};
    struct end a, b;
    struct ibv_qp_init_attr init = {.cap = {16, 16, 1, 1, 0}, .qp_type = IBV_QPT_DRIVER};
    struct ibv_poll_cq_attr none = {0};
    union ibv_gid gid, own;
    struct ibv_ah *ah;

    if (!create)
        skip("this libefa does not ask");
    a = make(false, false);
    b = make(false, false);
    for (unsigned round = 0; round < 2; round++) {
        struct ibv_cq_ex *cq = SOME(create(b.ctx, &attr, &efa, sizeof efa));
        struct end to = b;
        struct ibv_sge from = at(&a, 0, 4), sge = at(&b, 0, 4);

        init.send_cq = init.recv_cq = ibv_cq_ex_to_cq(cq);
        to.qp = SOME(efadv_create_driver_qp(b.pd, &init, EFADV_QP_DRIVER_TYPE_SRD));
        start(to.qp);
        ah = b.ah;
        if (!round)
            OK(ibv_destroy_ah(ah));
        receive(to.qp, 1, &sge);
        put(&a, &to, 1, &from, 1, 0);
        good(a.cq, 1, IBV_WC_SEND);
        OK(ibv_start_poll(cq, &none));
        OK(ibv_query_gid(a.ctx, 1, 0, &own));
        EQ(of(cq)->read_sgid(of(cq), &gid), round ? -ENOENT : 0);
        EQ(ibv_wc_read_slid(cq) == 0xffff, !round);
        if (!round)
            CHECK(!memcmp(&gid, &own, sizeof gid));
        ibv_end_poll(cq);
        if (!round) {
            struct ibv_ah_attr back = {.port_num = 1, .is_global = 1, .grh.dgid = own};

            b.ah = SOME(ibv_create_ah(b.pd, &back));
        }
        OK(ibv_destroy_qp(to.qp));
        OK(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)));
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* A queue that did not ask finds no address there, nor anything else. */
static void not_asked(void)
{
    struct end b = with(0, 32), a;
    const uint8_t *e = mapped_as(COMPLETIONS, "r--s"); /* there is no other yet */
    struct ibv_sge from, to = at(&b, 0, 4);

    a = with(0, 32);
    from = at(&a, 0, 4);
    OK(ibv_destroy_ah(b.ah));
    receive(b.qp, 1, &to);
    put(&a, &b, 1, &from, 1, 0);
    good(a.cq, 1, IBV_WC_SEND);
    EQ(e[6], 4);
    EQ(e[8] | e[9] << 8, 0xffff);
    for (unsigned i = 16; i < 32; i++)
        EQ(e[i], 0xa1 + i - 16);
    good(b.cq, 1, IBV_WC_RECV);
    b.ah = SOME(ibv_create_ah(b.pd, &(struct ibv_ah_attr){.port_num = 1, .is_global = 1, .grh.dgid.raw = {0xfe, 0x80}}));
    destroy(&a);
    destroy(&b);
}

/* -- the checker, on descriptors of 128 bytes -- */

static void rejected(const struct one_sided *r, unsigned at_byte, uint8_t value, const char *message)
{
    struct end a = with(QP_INLINE_WRITE, 80);

    OK(one_side(&a, &a, r));
    mapped(SEND_RING)[at_byte] = value;
    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    bad(a.cq, r->id, IBV_WC_LOC_QP_OP_ERR);
    destroy(&a);
    device_sim_reset_counts();
}

static void checker(void)
{
    struct one_sided write = {.opcode = IBV_WR_RDMA_WRITE, .length = 20, .offset = 1000, .is_inline = true};
    struct one_sided read = {.opcode = IBV_WR_RDMA_READ, .length = 20, .offset = 1000};

    rejected(&write, 6, 81, "inline data of 81 bytes, operation 2, descriptors of 128");
    rejected(&write, 6, 19, "20 bytes there, 19 here");
    rejected(&write, 68, 1, "byte 68 is 0x01: reserved");
    rejected(&write, 127, 1, "byte 127 is 0x01: reserved");
    rejected(&write, 25, 1, "byte 25 is 0x01: reserved");
    rejected(&read, 64, 9, "byte 64 is 0x09: reserved");
    rejected(&read, 2, 0xa1, "inline data of 1 bytes, operation 1");
    rejected(&read, 2, 0x91, "a read with immediate data");
}

static const struct test_case cases[] = {
    {"inline-sends", inline_sends}, {"inline-writes", inline_writes}, {"unsolicited", unsolicited},
    {"request-ids", request_ids}, {"long-writes", long_writes}, {"limits", limits}, {"batches", batches},
    {"hints", hints}, {"sender", sender}, {"not-asked", not_asked}, {"checker", checker}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa_newest", cases, argc, argv);
}
