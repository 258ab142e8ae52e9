/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The simulated EFA under libefa: SRD and datagrams. `run --vendors efa`. */
#include "efa_kit.h"

#include <poll.h>

static void devices(void)
{
    struct ibv_context *ctx = open_nth(1);
    struct efadv_device_attr attr;

    OK(efadv_query_device(ctx, &attr, sizeof attr));
    EQ(attr.max_sq_sge, 2);
    EQ(attr.inline_buf_size, 32);
    CHECK(attr.device_caps & EFADV_DEVICE_ATTR_CAPS_RDMA_READ);
    OK(ibv_close_device(ctx));
}

/* Many times around the rings, one and two pieces, and inline. */
static void srd(void)
{
    struct end a = make(false, false), b = make(false, false);

    for (unsigned n = 0; n < 70000; n++) {
        uint32_t length = n % 3 == 0 ? 1 + n % 32 : 1 + n % 3000;
        struct ibv_sge from[2] = {at(&a, n % 500, length), at(&a, 5000, 10)}, to[2] = {at(&b, 0, 1000), at(&b, 2000,
            4000)};
        struct ibv_recv_wr rwr = {.wr_id = n, .sg_list = to, .num_sge = 2}, *bad_wr;
        struct ibv_wc wc;
        uint32_t first = length < 1000 ? length : 1000;

        if (n % 100 == 0)
            fill(a.buf, 6000, n);
        OK(ibv_post_recv(b.qp, &rwr, &bad_wr));
        put(&a, &b, n, from, n % 3 == 1 ? 2 : 1, n % 3 ? 0 : IBV_SEND_INLINE);
        good(a.cq, n, IBV_WC_SEND);
        wc = completion(b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, n);
        EQ(wc.byte_len, length + (n % 3 == 1 ? 10 : 0));
        EQ(wc.imm_data, htobe32(n));
        EQ(wc.src_qp, a.qp->qp_num);
        CHECK(!memcmp(a.buf + n % 500, b.buf, first) && !memcmp(a.buf + n % 500 + first, b.buf + 2000, length - first));
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* SRD keeps no order. */
static void reordered(void)
{
    struct end a = make(false, false), b = make(false, false);
    int order = 0;

    OK(device_sim_reorder(8, 3));
    for (unsigned i = 0; i < 16; i++) {
        struct ibv_sge to = at(&b, i * 100, 100);

        receive(b.qp, i, &to);
    }
    for (unsigned i = 0; i < 16; i++) {
        struct ibv_sge from = at(&a, i, 1);

        put(&a, &b, i, &from, 1, 0);
    }
    for (unsigned i = 0; i < 16; i++) {
        struct ibv_wc wc = completion(b.cq);

        EQ(wc.status, IBV_WC_SUCCESS);
        order += be32toh(wc.imm_data) != i;
    }
    CHECK(order > 0);
    for (unsigned i = 0; i < 16; i++)
        EQ(completion(a.cq).status, IBV_WC_SUCCESS);
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void errors(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to = at(&b, 0, 50);
    struct ibv_qp *gone;

    put(&a, &b, 1, &from, 1, 0);
    nothing(a.cq); /* no receive: tries again for ever */
    receive(b.qp, 2, &to);
    bad(a.cq, 1, IBV_WC_REM_INV_REQ_ERR); /* too short */
    bad(b.cq, 2, IBV_WC_LOC_LEN_ERR);
    from.lkey ^= 0x100;
    put(&a, &b, 3, &from, 1, 0);
    bad(a.cq, 3, IBV_WC_LOC_PROT_ERR);
    from.lkey ^= 0x100;
    to.length = 100;
    receive(b.qp, 4, &to);
    put(&a, &b, 5, &from, 1, 0);
    good(a.cq, 5, IBV_WC_SEND); /* neither end was broken by that */
    good(b.cq, 4, IBV_WC_RECV);
    gone = b.qp;
    OK(ibv_modify_qp(gone, &(struct ibv_qp_attr){.qp_state = IBV_QPS_ERR}, IBV_QP_STATE));
    put(&a, &b, 6, &from, 1, 0);
    bad(a.cq, 6, IBV_WC_REM_INV_RD_REQ_ERR);
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void one_sided(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_qp_init_attr_ex init = {.cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1,
        .max_recv_sge = 1},
        .qp_type = IBV_QPT_DRIVER, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = a.pd,
        .send_cq = a.cq, .recv_cq = a.cq, .send_ops_flags = IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_RDMA_WRITE};
    struct efadv_qp_init_attr efa = {.driver_qp_type = EFADV_QP_DRIVER_TYPE_SRD};
    struct ibv_qp *base = efadv_create_qp_ex(a.ctx, &init, &efa, sizeof efa);
    bool writes = base;
    struct ibv_qp_ex *qp;

    if (!writes) { /* libefa before 50 */
        init.send_ops_flags = IBV_QP_EX_WITH_RDMA_READ;
        base = SOME(efadv_create_qp_ex(a.ctx, &init, &efa, sizeof efa));
    }
    start(base);
    qp = ibv_qp_to_qp_ex(base);
    fill(b.buf, 100000, 1);
    ibv_wr_start(qp);
    qp->wr_id = 1;
    qp->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_read(qp, b.mr->rkey, (uintptr_t)b.buf);
    ibv_wr_set_sge(qp, a.mr->lkey, (uintptr_t)a.buf, 100000);
    ibv_wr_set_ud_addr(qp, a.ah, b.qp->qp_num, QKEY);
    OK(ibv_wr_complete(qp));
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 0);
    EQ(completion(a.cq).status, IBV_WC_SUCCESS);
    /* EFA's memory is of one protection domain, the queue pair's: b has its own, so this is the right one */
    CHECK(!memcmp(a.buf, b.buf, 100000));
    if (writes) {
        fill(a.buf, 70000, 2);
        ibv_wr_start(qp);
        qp->wr_id = 2;
        ibv_wr_rdma_write(qp, b.mr->rkey, (uintptr_t)b.buf + 1000);
        ibv_wr_set_sge(qp, a.mr->lkey, (uintptr_t)a.buf, 70000);
        ibv_wr_set_ud_addr(qp, a.ah, b.qp->qp_num, QKEY);
        OK(ibv_wr_complete(qp));
        good(a.cq, 2, IBV_WC_RDMA_WRITE);
        CHECK(!memcmp(a.buf, b.buf + 1000, 70000));
    }
    ibv_wr_start(qp);
    qp->wr_id = 3;
    ibv_wr_rdma_read(qp, b.mr->rkey ^ 0x100, (uintptr_t)b.buf);
    ibv_wr_set_sge(qp, a.mr->lkey, (uintptr_t)a.buf, 10);
    ibv_wr_set_ud_addr(qp, a.ah, b.qp->qp_num, QKEY);
    OK(ibv_wr_complete(qp));
    CHECK(completion(a.cq).status != IBV_WC_SUCCESS);
    no_violations();
    OK(ibv_destroy_qp(base));
    destroy(&a);
    destroy(&b);
}

static void ud(void)
{
    struct end a = make(true, false), b = make(true, false);
    struct ibv_sge from = at(&a, 0, 100), to = at(&b, 0, 200);
    struct ibv_wc wc;

    fill(a.buf, 100, 1);
    receive(b.qp, 1, &to);
    put(&a, &b, 2, &from, 1, 0);
    good(a.cq, 2, IBV_WC_SEND);
    wc = completion(b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.byte_len, 140);
    CHECK(!memcmp(a.buf, b.buf + 40, 100));
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void events(void)
{
    struct end a = make(false, false), b = make(false, true);
    struct ibv_sge from = at(&a, 0, 100), to = at(&b, 0, 200);

    for (int round = 0; round < 10; round++) {
        struct pollfd p = {.fd = b.channel->fd, .events = POLLIN};
        struct ibv_cq *cq;
        void *context;

        if (ibv_req_notify_cq(b.cq, 0) == EOPNOTSUPP) {
            destroy(&a);
            destroy(&b);
            skip("this libefa has no completion channels");
        }
        EQ(device_sim_pump(-1), 0);
        EQ(poll(&p, 1, 0), 0);
        receive(b.qp, 1, &to);
        put(&a, &b, 2, &from, 1, 0);
        good(a.cq, 2, IBV_WC_SEND);
        EQ(poll(&p, 1, 0), 1);
        OK(ibv_get_cq_event(b.channel, &cq, &context));
        CHECK(cq == b.cq);
        ibv_ack_cq_events(cq, 1);
        good(b.cq, 1, IBV_WC_RECV);
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void reset_and_flush(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to = at(&b, 0, 200);

    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < round % 17; i++) {
            receive(b.qp, i, &to);
            put(&a, &b, i, &from, 1, 0);
            good(a.cq, i, IBV_WC_SEND);
            good(b.cq, i, IBV_WC_RECV);
        }
        receive(b.qp, 77, &to);
        OK(ibv_modify_qp(b.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_ERR}, IBV_QP_STATE));
        bad(b.cq, 77, IBV_WC_WR_FLUSH_ERR);
        OK(ibv_modify_qp(b.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_RESET}, IBV_QP_STATE));
        OK(ibv_modify_qp(a.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_RESET}, IBV_QP_STATE));
        start(a.qp);
        start(b.qp);
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* -- the checker -- */

/* A right descriptor by the library, with a byte changed before the device sees it. */
static void rejected(unsigned at_byte, uint8_t value, const char *message)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 100);
    uint8_t *ring = mapped(SEND_RING);

    put(&a, &a, 0, &from, 1, 0);
    ring[at_byte] = value;
    device_sim_pump(-1);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    bad(a.cq, 0, IBV_WC_LOC_QP_OP_ERR);
    destroy(&a);
}

static void checker(void)
{
    static const struct {
        unsigned at;
        uint8_t value;
        const char *message;
    } wrong[] = {
        {2, 0x10, "ctrl1 is 0x10"}, {2, 0xd0, "ctrl1 is 0xd0"}, {2, 0x95,
            "operation 5"},
        {3, 0x0c, "ctrl2 is 0x0c"}, {3, 0x3c, "ctrl2 is 0x3c"}, {6, 3, "3 pieces"}, {14, 2, "ctrl3 is 0x02"},
        {15, 1, "byte 15 is 0x01: reserved"}, {25, 1, "byte 25 is 0x01: reserved"},
        {50, 7, "byte 50 is 0x07: reserved"}, {39, 1, "reserved bits above the lkey"},
    };

    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rejected(wrong[i].at, wrong[i].value, wrong[i].message);
        device_sim_reset_counts();
    }
}

/* Without ids of 64 bits there is nothing behind the first 16. */
static void checker_ids(void)
{
    struct end a = make(false, false);
    struct new_wq_attr sq = {0}, rq;
    bool told = dlsym(RTLD_DEFAULT, "efadv_query_qp_wqs");

    if (told)
        rings(a.qp, &sq, &rq);
    destroy(&a);
    if (sq.caps & 1)
        skip("ids have 64 bits here");
    rejected(26, 1, "byte 26 is 0x01: reserved");
}

/* A receive of two pieces, each 16 bytes, with a byte changed before the device looks. */
static void wrong_receive(unsigned at_byte, uint8_t value, const char *message)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to[2] = {at(&a, 1000, 60), at(&a, 2000, 60)};
    struct ibv_recv_wr wr = {.wr_id = 5, .sg_list = to, .num_sge = 2}, *bad_wr;
    struct ibv_wc wc[2];

    OK(ibv_post_recv(a.qp, &wr, &bad_wr));
    mapped(RECEIVE_RING)[at_byte] = value;
    put(&a, &a, 6, &from, 1, 0);
    EQ(device_sim_pump(1), 1); /* what is left of it would be told, too */
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    EQ(ibv_poll_cq(a.cq, 2, wc), 2);
    EQ(wc[0].vendor_err, wc[0].wr_id == 5 ? 2 : 12);
    EQ(wc[1].vendor_err, wc[1].wr_id == 5 ? 2 : 12);
    destroy(&a);
    device_sim_reset_counts();
}

static void checker_receives(void)
{
    wrong_receive(15, 0x00, "first, last or reserved bits are wrong"); /* no first */
    wrong_receive(31, 0xc0, "first, last or reserved bits are wrong"); /* two firsts */
    wrong_receive(15, 0x60, "first, last or reserved bits are wrong");
    wrong_receive(31, 0x00, "the doorbell came before the last piece");
}

/* One piece more than was asked for, over two receives. */
static void checker_pieces(void)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to[2] = {at(&a, 1000, 60), at(&a, 2000, 60)};
    struct ibv_recv_wr wr = {.wr_id = 5, .sg_list = to, .num_sge = 2}, *bad_wr;

    OK(ibv_post_recv(a.qp, &wr, &bad_wr));
    OK(ibv_post_recv(a.qp, &wr, &bad_wr));
    mapped(RECEIVE_RING)[31] = 0;
    mapped(RECEIVE_RING)[47] = 0;
    put(&a, &a, 6, &from, 1, 0);
    EQ(device_sim_pump(1), 1);
    expect_message("more pieces than the queue pair takes");
    destroy(&a);
}

/* A queue of 64 with more work than it has room for. */
static void full_queue(void)
{
    struct end a = make_end(&(struct efa_making){.wr = 64});
    struct ibv_sge from = at(&a, 0, 4), to = at(&a, 100, 4);
    struct ibv_device_attr attr;
    struct ibv_wc wc[2];

    OK(ibv_query_device(a.ctx, &attr));
    if (ibv_req_notify_cq(a.cq, 0) == EOPNOTSUPP || attr.vendor_part_id == 0xefa0) {
        destroy(&a);
        skip("this libefa does not say what it has taken, or there are two rings");
    }
    for (unsigned n = 0; n < 34; n++) {
        receive(a.qp, n, &to);
        put(&a, &a, n, &from, 1, 0);
        device_sim_pump(-1);
        if (!n)
            EQ(ibv_poll_cq(a.cq, 2, wc), 2);
        EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), n < 33 ? 0 : 2);
    }
    expect_message("all of its 64 entries wait to be polled");
    no_violations();
    destroy(&a);
}

/* Where a queue has two rings, it holds twice as much as its size. */
static void two_rings(void)
{
    struct end a = make_end(&(struct efa_making){.wr = 64});
    struct ibv_sge from = at(&a, 0, 4), to = at(&a, 100, 4);
    struct ibv_device_attr attr;
    struct ibv_wc wc[80];

    OK(ibv_query_device(a.ctx, &attr));
    if (attr.vendor_part_id != 0xefa0) {
        destroy(&a);
        skip("this device has one");
    }
    for (unsigned n = 0; n < 41; n++) {
        receive(a.qp, n, &to);
        put(&a, &a, n, &from, 1, 0);
        device_sim_pump(-1);
        if (!n) /* so that the device knows what was taken */
            EQ(ibv_poll_cq(a.cq, 2, wc), 2);
    }
    for (unsigned n = 0; n < 80; n++) {
        EQ(ibv_poll_cq(a.cq, 1, wc), 1);
        EQ(wc->status, IBV_WC_SUCCESS);
        device_sim_pump(-1);
    }
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 0);
    no_violations();
    destroy(&a);
}

/* Sends and receives in one completion queue, which may be in rings of their own, several times around. */
static void both_ways(void)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&a, 100, 4);

    for (unsigned n = 0; n < 500; n++) {
        unsigned sum = 0;

        receive(a.qp, 1000 + n, &to);
        put(&a, &a, n, &from, 1, 0);
        for (unsigned i = 0; i < 2; i++) {
            struct ibv_wc wc = completion(a.cq);

            EQ(wc.status, IBV_WC_SUCCESS);
            EQ(wc.wr_id, wc.opcode == IBV_WC_SEND ? n : 1000 + n);
            sum += wc.opcode == IBV_WC_SEND ? 1 : 2;
        }
        EQ(sum, 3);
    }
    no_violations();
    destroy(&a);
}

static void checker_phase(void)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to = at(&a, 1000, 200);

    receive(a.qp, 9, &to);
    put(&a, &a, 0, &from, 1, 0);
    EQ(device_sim_pump(-1), 1);
    put(&a, &a, 1, &from, 1, 0);
    mapped(SEND_RING)[64 + 3] ^= 1;
    device_sim_pump(-1);
    expect_message("the phase is 1, must be 0");
    destroy(&a);
}

static void checker_doorbells(void)
{
    struct end a = make(false, false);
    struct ibv_sge from = at(&a, 0, 100), to = at(&a, 1000, 200);
    uint8_t *ring = mapped(SEND_RING), *doorbells = mapped(DOORBELLS);

    receive(a.qp, 9, &to);
    put(&a, &a, 0, &from, 1, 0);
    EQ(device_sim_pump(-1), 1);
    EQ(device_sim_check_idle(), 0);
    memcpy(ring + 64, ring, 64); /* written, not rung */
    EQ(device_sim_pump(-1), 0);
    EQ(device_sim_check_idle(), 1);
    expect_message("written, but the doorbell is missing");
    *(volatile uint32_t *)doorbells = 40;
    device_sim_pump(1);
    expect_message("the send doorbell went from 1 to 40");
    destroy(&a);
}

static const struct test_case cases[] = {
    {"checker", checker}, {"checker-ids", checker_ids}, {"checker-receives", checker_receives},
    {"checker-pieces", checker_pieces}, {"full-queue", full_queue}, {"two-rings", two_rings}, {"both-ways", both_ways},
    {"checker-phase", checker_phase}, {"checker-doorbells", checker_doorbells}, {"devices", devices}, {"srd", srd},
    {"reordered", reordered}, {"errors", errors}, {"one-sided", one_sided}, {"ud", ud}, {"events", events},
    {"reset-and-flush", reset_and_flush}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa", cases, argc, argv);
}
