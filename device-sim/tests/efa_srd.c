/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What SRD promises: every message once, whatever is lost; none waits for another; each error is one message's. */
#include "efa_kit.h"

#define OPS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_READ)
#define OPS_WRITE (OPS | IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)

static struct end reader(void)
{
    return make_end(&(struct efa_making){.send_ops = OPS});
}

static struct end writer(void)
{
    return make_end(&(struct efa_making){.send_ops = OPS_WRITE, .wr = 64});
}

/* The device's own word for it. */
static void ended(struct ibv_cq *cq, uint64_t id, uint32_t status)
{
    struct ibv_wc wc = completion(cq);

    EQ(wc.wr_id, id);
    EQ(wc.vendor_err, status);
}

static void with_tries(struct ibv_qp *qp, uint8_t tries)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET, .port_num = 1, .qkey = QKEY, .rnr_retry = tries};

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_INIT;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
    attr.qp_state = IBV_QPS_RTR;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_RNR_RETRY));
}

/* One receiver is not ready: the other one gets what is its own, from the same queue pair. */
static void nobody_waits(void)
{
    struct end a = make(false, false), b = make(false, false), c = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&c, 0, 4);

    for (unsigned n = 0; n < 8; n++) {
        put(&a, &b, 100 + n, &from, 1, 0);
        receive(c.qp, n, &to);
        put(&a, &c, n, &from, 1, 0);
    }
    for (unsigned n = 0; n < 8; n++) {
        good(a.cq, n, IBV_WC_SEND);
        good(c.cq, n, IBV_WC_RECV);
    }
    nothing(a.cq);
    to = at(&b, 0, 4);
    for (unsigned n = 0; n < 8; n++) {
        receive(b.qp, n, &to);
        good(a.cq, 100 + n, IBV_WC_SEND);
        good(b.cq, n, IBV_WC_RECV);
    }
    no_violations();
    destroy(&a);
    destroy(&b);
    destroy(&c);
}

static void not_ready(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    uint64_t retries = device_sim_count(DEVICE_SIM_COUNT_RETRIES);

    with_tries(a.qp, 2);
    put(&a, &b, 1, &from, 1, 0);
    put(&a, &a, 2, &from, 1, 0); /* nor is this one */
    ended(a.cq, 1, 10);
    ended(a.cq, 2, 10);
    EQ(device_sim_count(DEVICE_SIM_COUNT_RETRIES) - retries, 6);
    receive(b.qp, 3, &to);
    put(&a, &b, 3, &from, 1, 0);
    good(a.cq, 3, IBV_WC_SEND);
    good(b.cq, 3, IBV_WC_RECV);
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void no_such_peer(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_qp other = *b.qp;
    struct end wrong = {.qp = &other};
    struct ibv_ah_attr nowhere = {.port_num = 1, .is_global = 1, .grh.dgid.raw = {0xfe, 0x80, 9}};
    struct ibv_ah *ah = a.ah;

    other.qp_num += 1000;
    put(&a, &wrong, 1, &from, 1, 0);
    ended(a.cq, 1, 9);
    a.ah = SOME(ibv_create_ah(a.pd, &nowhere));
    put(&a, &b, 2, &from, 1, 0);
    ended(a.cq, 2, 15);
    OK(ibv_destroy_ah(a.ah));
    a.ah = ah;
    receive(b.qp, 3, &to);
    put(&a, &b, 3, &from, 1, 0);
    good(a.cq, 3, IBV_WC_SEND);
    good(b.cq, 3, IBV_WC_RECV);
    OK(device_sim_loss(1000, 1)); /* it did answer once */
    put(&a, &b, 4, &from, 1, 0);
    ended(a.cq, 4, 13);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* Reading and writing want an address handle there, too. */
static void no_way_back(void)
{
    struct end a = reader(), b = reader();
    struct one_sided read = {.opcode = IBV_WR_RDMA_READ, .id = 1, .length = 8};
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1};
    struct ibv_wc wc;

    OK(ibv_destroy_ah(b.ah));
    OK(one_side(&a, &b, &read));
    ended(a.cq, 1, 14);
    receive(b.qp, 2, &to);
    put(&a, &b, 2, &from, 1, 0);
    good(a.cq, 2, IBV_WC_SEND);
    wc = completion(b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.slid, 0xffff);
    OK(ibv_query_gid(b.ctx, 1, 0, &attr.grh.dgid));
    b.ah = SOME(ibv_create_ah(b.pd, &attr));
    OK(one_side(&a, &b, &read));
    EQ(completion(a.cq).status, IBV_WC_SUCCESS);
    read.rkey = b.mr->rkey ^ 0x100;
    OK(one_side(&a, &b, &read));
    ended(a.cq, 1, 7);
    read.rkey = 0;
    OK(one_side(&a, &b, &read));
    EQ(completion(a.cq).status, IBV_WC_SUCCESS); /* that was the one request's alone */
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void put_to(struct end *from, struct end *to, uint64_t id, struct ibv_ah *ah)
{
    struct end via = *from;
    struct ibv_sge sge = at(from, 0, 4);

    via.ah = ah;
    put(&via, to, id, &sge, 1, 0);
}

/* What was posted to a handle is flushed when it is destroyed; what is posted to it later has a bad one. */
static void handle_gone(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1, .grh.dgid.raw = {0xfe, 0x80, 9}};
    struct ibv_ah *other = SOME(ibv_create_ah(a.pd, &attr));
    struct ibv_pd *pd = SOME(ibv_alloc_pd(a.ctx));

    put(&a, &b, 1, &from, 1, 0);
    nothing(a.cq); /* under way */
    put(&a, &b, 2, &from, 1, 0); /* in the ring */
    OK(ibv_destroy_ah(a.ah));
    ended(a.cq, 1, 1);
    ended(a.cq, 2, 1);
    OK(ibv_query_gid(a.ctx, 1, 0, &attr.grh.dgid));
    a.ah = SOME(ibv_create_ah(a.pd, &attr));
    put(&a, &b, 3, &from, 1, 0);
    put_to(&a, &b, 4, other);
    OK(ibv_destroy_ah(a.ah));
    a.ah = SOME(ibv_create_ah(a.pd, &attr)); /* with the same number, as a rule, and not meant by what lies there */
    put(&a, &b, 5, &from, 1, 0);
    receive(b.qp, 5, &to);
    ended(a.cq, 3, 1);
    good(a.cq, 5, IBV_WC_SEND);
    ended(a.cq, 4, 15); /* by another handle, which leads nowhere */
    good(b.cq, 5, IBV_WC_RECV);
    OK(ibv_destroy_ah(other));
    put(&a, &b, 6, &from, 1, 0);
    mapped(SEND_RING)[5 * 64 + 12] ^= 0x80;
    ended(a.cq, 6, 4);
    other = SOME(ibv_create_ah(pd, &attr));
    put_to(&a, &b, 7, other); /* of another protection domain */
    ended(a.cq, 7, 4);
    OK(ibv_destroy_ah(other));
    OK(ibv_dealloc_pd(pd));
    no_violations();
    EQ(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS), 0);
    OK(ibv_destroy_ah(SOME(ibv_create_ah(a.pd, &attr))));
    EQ(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS), 1);
    expect_message("a second address handle to the same address");
    destroy(&a);
    destroy(&b);
}

/* The number of a handle that was destroyed, again; in whatever order the device takes what was posted to either. */
static void handle_again(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1};

    OK(ibv_query_gid(a.ctx, 1, 0, &attr.grh.dgid));
    for (uint32_t seed = 1; seed <= 10; seed++) {
        OK(device_sim_reorder(4, seed));
        put(&a, &b, 1, &from, 1, 0);
        OK(ibv_destroy_ah(a.ah));
        a.ah = SOME(ibv_create_ah(a.pd, &attr));
        put(&a, &b, 2, &from, 1, 0);
        receive(b.qp, 3, &to);
        for (unsigned n = 0; n < 2; n++) {
            struct ibv_wc wc = completion(a.cq);

            EQ(wc.vendor_err, wc.wr_id == 1 ? 1 : 0);
        }
        good(b.cq, 3, IBV_WC_RECV);
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* A send is at most what the port says, and nothing less; a byte more is this message's error alone. */
static void longest(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_port_attr port;
    struct ibv_sge from, to;

    OK(ibv_query_port(a.ctx, 1, &port));
    fill(a.buf, port.max_msg_sz + 1, 5);
    to = at(&b, 0, port.max_msg_sz + 1);
    receive(b.qp, 1, &to);
    from = at(&a, 0, port.max_msg_sz + 1);
    put(&a, &b, 1, &from, 1, 0);
    ended(a.cq, 1, 6);
    from = at(&a, 0, port.max_msg_sz);
    put(&a, &b, 2, &from, 1, 0);
    good(a.cq, 2, IBV_WC_SEND);
    good(b.cq, 1, IBV_WC_RECV);
    CHECK(!memcmp(a.buf, b.buf, port.max_msg_sz));
    from.length = 0;
    receive(b.qp, 3, &to);
    put(&a, &b, 3, &from, 1, 0);
    good(a.cq, 3, IBV_WC_SEND);
    EQ(completion(b.cq).byte_len, 0);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* Any of the device's words can be had for the asking. */
static void asked_for(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);

    for (unsigned word = 1; word < 20; word++) {
        OK(device_sim_fault(a.qp->qp_num, DEVICE_SIM_FAULT_ERROR, (int)(IBV_WC_GENERAL_ERR | word << 8), 1));
        put(&a, &b, word, &from, 1, 0);
        ended(a.cq, word, word);
    }
    receive(b.qp, 1, &to);
    put(&a, &b, 1, &from, 1, 0);
    good(a.cq, 1, IBV_WC_SEND);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* -- loss -- */

static void lossy_round(uint32_t seed)
{
    struct end a = make(false, false), b = make(false, false);
    unsigned seen[200] = {0}, done[200] = {0}, order = 0;

    OK(device_sim_reorder(6, seed));
    OK(device_sim_loss(100, seed));
    for (unsigned base = 0; base < 200; base += 10) {
        for (unsigned n = base; n < base + 10; n++) {
            struct ibv_sge from = at(&a, n, 1), to = at(&b, n, 1);

            receive(b.qp, n, &to);
            put(&a, &b, n, &from, 1, 0);
        }
        for (unsigned n = base; n < base + 10; n++) {
            struct ibv_wc sent = completion(a.cq), came = completion(b.cq);

            EQ(sent.status, IBV_WC_SUCCESS);
            EQ(came.status, IBV_WC_SUCCESS);
            done[sent.wr_id]++;
            order += be32toh(came.imm_data) != n;
            seen[be32toh(came.imm_data)]++;
        }
        nothing(b.cq);
    }
    for (unsigned n = 0; n < 200; n++) {
        EQ(seen[n], 1);
        EQ(done[n], 1);
    }
    CHECK(order > 20);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RETRIES) > 20);
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void loss(void)
{
    for (uint32_t seed = 1; seed <= 10; seed++) {
        device_sim_reset_counts();
        lossy_round(seed);
    }
}

/* The same seed loses the same. */
static void same_seed(void)
{
    uint64_t retries[3];

    for (unsigned i = 0; i < 3; i++) {
        device_sim_reset_counts();
        lossy_round(i < 2 ? 77 : 78);
        retries[i] = device_sim_count(DEVICE_SIM_COUNT_RETRIES);
    }
    EQ(retries[0], retries[1]);
    CHECK(retries[0] != retries[2]);
}

static void answer_lost(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);

    receive(b.qp, 1, &to);
    receive(b.qp, 2, &to);
    OK(device_sim_fault(a.qp->qp_num, DEVICE_SIM_FAULT_DROP_ANSWER, 0, 3));
    put(&a, &b, 1, &from, 1, 0);
    good(a.cq, 1, IBV_WC_SEND);
    good(b.cq, 1, IBV_WC_RECV);
    nothing(b.cq); /* it came four times */
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* Writes of several packets, several at a time. */
static void lossy_writes(void)
{
    struct end a = writer(), b = writer();

    fill(a.buf, 300000, 1);
    OK(device_sim_reorder(8, 9));
    OK(device_sim_loss(100, 9));
    for (unsigned n = 0; n < 8; n++) {
        struct ibv_sge to = at(&b, 0, 1);

        receive(b.qp, n, &to);
        OK(one_side(&a, &b, &(struct one_sided){.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .id = n, .imm = n,
            .offset = n * 100000, .length = 100000}));
    }
    for (unsigned n = 0; n < 8; n++) {
        struct ibv_wc wc = completion(b.cq);

        EQ(completion(a.cq).status, IBV_WC_SUCCESS);
        EQ(wc.byte_len, 100000);
        CHECK(!memcmp(a.buf, b.buf + be32toh(wc.imm_data) * 100000, 100000));
    }
    nothing(b.cq);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* New messages come for ever, and are lost now and then; one that waits has its turn all the same. */
static void with_a_thread(void)
{
    enum { MOST = 200000, LEAST = 3000, WINDOW = 14 };
    struct end a = make(false, false), b = make(false, false), c = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4), to_c = at(&c, 0, 4);
    unsigned sent = 0, done = 0, came = 0;
    bool waiting = true, ready = false;
    uint8_t *seen = SOME(calloc(MOST, 1));

    OK(device_sim_loss(20, 3));
    device_sim_mode(DEVICE_SIM_THREAD);
    put(&a, &b, MOST, &from, 1, 0);
    while (done < sent || came < sent || waiting) {
        struct ibv_wc wc;

        if (sent < MOST && sent < done + WINDOW && sent < came + WINDOW && (sent < LEAST || waiting)) {
            receive(c.qp, 1, &to_c);
            put(&a, &c, sent++, &from, 1, 0);
        }
        if (sent == LEAST / 2 && !ready) {
            ready = true;
            receive(b.qp, 2, &to);
        }
        while (ibv_poll_cq(a.cq, 1, &wc)) {
            EQ(wc.status, IBV_WC_SUCCESS);
            if (wc.wr_id == MOST)
                waiting = false;
            else
                done++;
        }
        while (ibv_poll_cq(c.cq, 1, &wc)) {
            EQ(wc.status, IBV_WC_SUCCESS);
            EQ(seen[be32toh(wc.imm_data)]++, 0);
            came++;
        }
    }
    device_sim_mode(DEVICE_SIM_PUMP);
    CHECK(sent < MOST);
    good(b.cq, 2, IBV_WC_RECV);
    nothing(c.cq);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RETRIES) > 50);
    no_violations();
    free(seen);
    destroy(&a);
    destroy(&b);
    destroy(&c);
}

/* -- queue pairs that end with messages under way -- */

static void reset(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};

    for (unsigned round = 0; round < 3; round++) {
        for (unsigned n = 0; n < 5; n++)
            put(&a, &b, n, &from, 1, 0);
        nothing(a.cq);
        if (round == 0) {
            attr.qp_state = IBV_QPS_ERR;
            OK(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE));
            for (unsigned n = 0; n < 5; n++)
                ended(a.cq, n, 1);
        }
        attr.qp_state = IBV_QPS_RESET;
        OK(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE));
        start(a.qp);
        receive(b.qp, 9, &to);
        nothing(b.cq);
        put(&a, &b, 9, &from, 1, 0);
        good(a.cq, 9, IBV_WC_SEND);
        good(b.cq, 9, IBV_WC_RECV);
    }
    put(&a, &b, 7, &from, 1, 0);
    nothing(a.cq);
    no_violations();
    destroy(&a); /* without a completion */
    destroy(&b);
}

static void drained(void)
{
    struct end a = make(false, false), b = make(false, false);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1};
    struct ibv_qp_init_attr init;

    put(&a, &b, 1, &from, 1, 0);
    nothing(a.cq);
    OK(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY));
    put(&a, &b, 2, &from, 1, 0);
    nothing(a.cq);
    receive(b.qp, 1, &to);
    receive(b.qp, 2, &to);
    good(a.cq, 1, IBV_WC_SEND);
    nothing(a.cq);
    OK(ibv_query_qp(a.qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.sq_draining, 0);
    EQ(device_sim_count(DEVICE_SIM_COUNT_ASYNC_EVENTS), 0);
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE));
    good(a.cq, 2, IBV_WC_SEND);
    no_violations();
    destroy(&a);
    destroy(&b);
}

static const struct test_case cases[] = {
    {"nobody-waits", nobody_waits}, {"not-ready", not_ready}, {"no-such-peer", no_such_peer},
    {"no-way-back", no_way_back}, {"handle-gone", handle_gone}, {"handle-again", handle_again}, {"longest", longest},
    {"asked-for", asked_for}, {"loss", loss}, {"same-seed", same_seed}, {"answer-lost", answer_lost},
    {"lossy-writes", lossy_writes}, {"with-a-thread", with_a_thread}, {"reset", reset}, {"drained", drained}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa_srd", cases, argc, argv);
}
