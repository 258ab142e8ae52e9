/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Reliable connections: every operation, errors, flush, and the order of things. */
#include "kit.h"

#include <sys/mman.h>

static void write_one(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 4096);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 11, &sge);

    fill(p->a.buf, 4096, 1);
    to_remote(&wr, &p->b, 100);
    post(p->a.qp, &wr);
    good(p->a.cq, 11, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf + 100, 4096));
    nothing(p->b.cq);
    no_violations();
    free_pair(p);
}

static void nothing_without_pump(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_wc wc;

    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < 3; i++)
        post(p->a.qp, &wr);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 0);
    EQ(device_sim_pump(1), 1);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 0);
    EQ(device_sim_pump(10), 2);
    EQ(device_sim_pump(-1), 0);
    free_pair(p);
}

/* A queue pair that goes with work that nobody has looked at leaves nothing to the next one with its number. */
static void rung_and_gone(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_qp_init_attr attr = {.send_cq = p->a.cq, .recv_cq = p->a.cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint32_t qpn = 0;

    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < 2; i++) {
        struct ibv_qp *qp = SOME(ibv_create_qp(p->pd, &attr));

        if (i)
            EQ(qp->qp_num, qpn);
        qpn = qp->qp_num;
        to_init(qp);
        to_rtr(qp, qpn);
        to_rts(qp, NULL);
        EQ(device_sim_pump(-1), 0);
        for (int k = 0; k < 3 && !i; k++)
            post(qp, &wr);
        OK(ibv_destroy_qp(qp));
    }
    no_violations();
    free_pair(p);
}

static void write_large(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, BUFFER);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    fill(p->a.buf, BUFFER, 2);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf, BUFFER));
    free_pair(p);
}

static void write_many_pieces(void)
{
    struct pair *p = make_pair(&(struct making){.sge = 16});
    struct ibv_sge sge[16];
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, sge);
    size_t at = 0;

    fill(p->a.buf, BUFFER, 3);
    for (unsigned i = 0; i < 16; i++)
        sge[i] = piece(&p->a, i * 8192, 1 + i * 100);
    wr.num_sge = 16;
    to_remote(&wr, &p->b, 3);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    for (unsigned i = 0; i < 16; at += sge[i++].length)
        CHECK(!memcmp(p->a.buf + i * 8192, p->b.buf + 3 + at, sge[i].length));
    no_violations();
    free_pair(p);
}

/* The ring is far smaller than the number of requests, and the requests have several sizes. */
static void ring_wrap(void)
{
    struct pair *p = make_pair(&(struct making){.wr = 5, .sge = 8, .inline_data = 200});

    fill(p->a.buf, BUFFER, 4);
    for (unsigned n = 0; n < 70000; n++) {
        struct ibv_sge sge[8];
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, n, sge);
        uint32_t length = 1 + n % 20;

        wr.num_sge = 1 + (int)(n % 8);
        for (int i = 0; i < wr.num_sge; i++)
            sge[i] = piece(&p->a, (n * 37 + (unsigned)i * 1000) % 100000, length);
        if (n % 3 == 0)
            wr.send_flags |= IBV_SEND_INLINE;
        to_remote(&wr, &p->b, n % 500);
        post(p->a.qp, &wr);
        device_sim_pump(-1);
        good(p->a.cq, n, IBV_WC_RDMA_WRITE);
        for (int i = 0; i < wr.num_sge; i++)
            CHECK(!memcmp((void *)(uintptr_t)sge[i].addr, p->b.buf + n % 500 + (unsigned)i * length, length));
    }
    no_violations();
    free_pair(p);
}

static void write_inline(void)
{
    struct pair *p = make_pair(&(struct making){.inline_data = 400});

    for (uint32_t length = 0; length <= 400; length++) {
        struct ibv_sge sge = piece(&p->a, 0, length);
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, length, &sge);

        fill(p->a.buf, 400, length);
        sge.lkey = 0xdead; /* not looked at */
        wr.send_flags |= IBV_SEND_INLINE;
        to_remote(&wr, &p->b, 0);
        post(p->a.qp, &wr);
        good(p->a.cq, length, IBV_WC_RDMA_WRITE);
        CHECK(!memcmp(p->a.buf, p->b.buf, length));
    }
    no_violations();
    free_pair(p);
}

static void write_with_immediate(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE_WITH_IMM, 1, &sge);
    struct ibv_wc wc;

    fill(p->a.buf, 100, 9);
    receive(p->b.qp, 77, NULL);
    wr.imm_data = htobe32(0x12345678);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    wc = completion(p->b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.wr_id, 77);
    EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
    EQ(wc.byte_len, 100);
    EQ(wc.imm_data, htobe32(0x12345678));
    CHECK(wc.wc_flags & IBV_WC_WITH_IMM);
    CHECK(!memcmp(p->a.buf, p->b.buf, 100));
    free_pair(p);
}

static void send_receive(void)
{
    static const uint32_t lengths[] = {0, 1, 31, 32, 33, 64, 65, 1000, 32768, 32769, 100000};
    struct pair *p = make_pair(NULL);

    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct ibv_sge from = piece(&p->a, 0, lengths[i]), to = piece(&p->b, 5, 100000);
        struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM, i, &from);
        struct ibv_wc wc;

        fill(p->a.buf, 100000, i);
        receive(p->b.qp, 100 + i, &to);
        wr.imm_data = htobe32(i);
        post(p->a.qp, &wr);
        good(p->a.cq, i, IBV_WC_SEND);
        wc = completion(p->b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, 100 + i);
        EQ(wc.opcode, IBV_WC_RECV);
        EQ(wc.byte_len, lengths[i]);
        EQ(wc.qp_num, p->b.qp->qp_num);
        EQ(wc.imm_data, htobe32(i));
        CHECK(!memcmp(p->a.buf, p->b.buf + 5, lengths[i]));
    }
    no_violations();
    free_pair(p);
}

static void scatter_receive(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge from = piece(&p->a, 0, 20), to[3] = {piece(&p->b, 0, 7), piece(&p->b, 100, 8), piece(&p->b, 200,
        50)};
    struct ibv_recv_wr rwr = {.wr_id = 1, .sg_list = to, .num_sge = 3}, *bad_wr;
    struct ibv_send_wr wr = request(IBV_WR_SEND, 2, &from);

    fill(p->a.buf, 20, 5);
    OK(ibv_post_recv(p->b.qp, &rwr, &bad_wr));
    post(p->a.qp, &wr);
    good(p->a.cq, 2, IBV_WC_SEND);
    good(p->b.cq, 1, IBV_WC_RECV);
    CHECK(!memcmp(p->b.buf, p->a.buf, 7) && !memcmp(p->b.buf + 100, p->a.buf + 7, 8) && !memcmp(p->b.buf + 200,
        p->a.buf + 15, 5));
    free_pair(p);
}

static void read_back(void)
{
    static const uint32_t lengths[] = {0, 1, 32, 33, 5000, 32768, 70000};

    /* With every request signaled, short answers travel in the completion. */
    for (int sig_all = 0; sig_all < 2; sig_all++) {
        struct pair *p = make_pair(&(struct making){.sig_all = sig_all});

        for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct ibv_sge sge = piece(&p->a, 0, lengths[i]);
            struct ibv_send_wr wr = request(IBV_WR_RDMA_READ, i, lengths[i] ? &sge : NULL);
            struct ibv_wc wc;

            fill(p->b.buf, 70000, i);
            to_remote(&wr, &p->b, 0);
            post(p->a.qp, &wr);
            wc = completion(p->a.cq);
            EQ(wc.status, IBV_WC_SUCCESS);
            EQ(wc.opcode, IBV_WC_RDMA_READ);
            EQ(wc.byte_len, lengths[i]);
            CHECK(!memcmp(p->a.buf, p->b.buf, lengths[i]));
        }
        no_violations();
        free_pair(p);
    }
}

static void atomics(void)
{
    for (int sig_all = 0; sig_all < 2; sig_all++) {
        struct pair *p = make_pair(&(struct making){.sig_all = sig_all});
        struct ibv_sge sge = piece(&p->a, 64, 8);
        struct ibv_send_wr wr = request(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, &sge);
        uint64_t *remote = (uint64_t *)(p->b.buf + 8), *back = (uint64_t *)(p->a.buf + 64);

        *remote = 1000;
        wr.wr.atomic.remote_addr = (uintptr_t)remote;
        wr.wr.atomic.rkey = p->b.mr->rkey;
        wr.wr.atomic.compare_add = 5;
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_FETCH_ADD);
        EQ(*back, 1000);
        EQ(*remote, 1005);
        wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
        wr.wr.atomic.compare_add = 4;
        wr.wr.atomic.swap = 9;
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_COMP_SWAP);
        EQ(*back, 1005);
        EQ(*remote, 1005);
        wr.wr.atomic.compare_add = 1005;
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_COMP_SWAP);
        EQ(*remote, 9);
        no_violations();
        free_pair(p);
    }
}

static void atomic_misaligned(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, &sge);

    wr.wr.atomic.remote_addr = (uintptr_t)p->b.buf + 4;
    wr.wr.atomic.rkey = p->b.mr->rkey;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    free_pair(p);
}

static void unsignaled(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr[4];

    for (int i = 0; i < 4; i++) {
        wr[i] = request(IBV_WR_RDMA_WRITE, (uint64_t)i, &sge);
        wr[i].send_flags = i == 3 ? IBV_SEND_SIGNALED : 0;
        wr[i].next = i < 3 ? &wr[i + 1] : NULL;
        to_remote(&wr[i], &p->b, 0);
    }
    post(p->a.qp, wr);
    good(p->a.cq, 3, IBV_WC_RDMA_WRITE);
    nothing(p->a.cq);
    free_pair(p);
}

static void rnr(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge from = piece(&p->a, 0, 8), to = piece(&p->b, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    post(p->a.qp, &wr); /* no receive there; rnr_retry 7 is without end */
    nothing(p->a.cq);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RETRIES) > 0);
    receive(p->b.qp, 2, &to);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    free_pair(p);
}

static void rnr_exceeded(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_sge from = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    p->rnr_retry = 2;
    connect_pair(p);
    post(p->a.qp, &wr);
    EQ(device_sim_pump(-1), 3);
    bad(p->a.cq, 1, IBV_WC_RNR_RETRY_EXC_ERR);
    free_pair(p);
}

static void rnr_fault(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge from = piece(&p->a, 0, 8), to = piece(&p->b, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_wc wc;

    receive(p->b.qp, 2, &to);
    OK(device_sim_fault(p->b.qp->qp_num, DEVICE_SIM_FAULT_RNR, 0, 1));
    post(p->a.qp, &wr);
    EQ(device_sim_pump(-1), 0);
    EQ(ibv_poll_cq(p->b.cq, 1, &wc), 0);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    free_pair(p);
}

static void error_and_flush(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    receive(p->a.qp, 50, NULL);
    receive(p->a.qp, 51, NULL);
    to_remote(&wr, &p->b, 0);
    wr.wr.rdma.rkey ^= 0x100;
    post(p->a.qp, &wr);
    wr.wr_id = 2;
    wr.send_flags = 0; /* an error is told whether it was asked for or not */
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    bad(p->a.cq, 2, IBV_WC_WR_FLUSH_ERR);
    bad(p->a.cq, 50, IBV_WC_WR_FLUSH_ERR);
    bad(p->a.cq, 51, IBV_WC_WR_FLUSH_ERR);
    wr.wr_id = 3;
    post(p->a.qp, &wr);
    bad(p->a.cq, 3, IBV_WC_WR_FLUSH_ERR);
    receive(p->a.qp, 52, NULL);
    bad(p->a.cq, 52, IBV_WC_WR_FLUSH_ERR);
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    no_violations();
    free_pair(p);
}

static void reset_and_again(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    struct ibv_qp_init_attr init;

    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < 5; i++)
        post(p->a.qp, &wr);
    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    for (int i = 0; i < 5; i++)
        bad(p->a.cq, 1, IBV_WC_WR_FLUSH_ERR);
    OK(ibv_query_qp(p->a.qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.qp_state, IBV_QPS_ERR);
    attr.qp_state = IBV_QPS_RESET;
    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    OK(ibv_modify_qp(p->b.qp, &attr, IBV_QP_STATE));
    connect_pair(p);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    no_violations();
    free_pair(p);
}

static void receive_too_short(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge from = piece(&p->a, 0, 100), to = piece(&p->b, 0, 99);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    receive(p->b.qp, 2, &to);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    bad(p->b.cq, 2, IBV_WC_LOC_LEN_ERR);
    free_pair(p);
}

static void local_key(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    sge.lkey ^= 1; /* as of a region that was freed */
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_LOC_PROT_ERR);
    expect_message("no such key");
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    no_violations();
    free_pair(p);
}

static void local_bounds(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, BUFFER - 10, 11);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_LOC_PROT_ERR);
    expect_message("outside of the memory region");
    free_pair(p);
}

static void remote_bounds(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 100000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_async_event event;

    fill(p->a.buf, 100000, 1);
    to_remote(&wr, &p->b, BUFFER - 99999);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    for (int i = 0; i < 99999; i++)
        EQ(p->b.buf[BUFFER - 99999 + i], 0); /* none of it was written */
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_QP_ACCESS_ERR);
    CHECK(event.element.qp == p->b.qp);
    ibv_ack_async_event(&event);
    free_pair(p);
}

/* Memory that was given back to the system while it was still registered. */
static void freed_early(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    void *page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *mr = SOME(ibv_reg_mr(p->pd, page, 1 << 16, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));

    munmap(page, 1 << 16);
    wr.wr.rdma.remote_addr = (uintptr_t)page + 8192;
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_OP_ERR);
    OK(ibv_dereg_mr(mr));
    free_pair(p);
}

static void access_flags(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mr *mr = SOME(ibv_reg_mr(p->pd, p->b.buf, 4096, IBV_ACCESS_REMOTE_READ));
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_READ, 1, &sge);

    to_remote(&wr, &p->b, 0);
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_READ);
    wr.opcode = IBV_WR_RDMA_WRITE;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    OK(ibv_dereg_mr(mr));
    CHECK(!ibv_reg_mr(p->pd, p->b.buf, 4096, IBV_ACCESS_REMOTE_WRITE));
    EQ(errno, EINVAL);
    free_pair(p);
}

static void lost_packets(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 100000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint64_t *word = (uint64_t *)p->b.buf;

    OK(device_sim_fault(p->a.qp->qp_num, DEVICE_SIM_FAULT_DROP, 0, 3));
    fill(p->a.buf, 100000, 7);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf, 100000));

    /* The answer to an atomic is lost: it must not be executed again. */
    *word = 10;
    sge.length = 8;
    wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
    wr.wr.atomic.remote_addr = (uintptr_t)word;
    wr.wr.atomic.rkey = p->b.mr->rkey;
    wr.wr.atomic.compare_add = 1;
    OK(device_sim_fault(p->a.qp->qp_num, DEVICE_SIM_FAULT_DROP_ANSWER, 0, 2));
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_FETCH_ADD);
    EQ(*word, 11);
    EQ(*(uint64_t *)p->a.buf, 10);

    OK(device_sim_fault(p->a.qp->qp_num, DEVICE_SIM_FAULT_DROP, 0, 100));
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_RETRY_EXC_ERR);
    free_pair(p);
}

static void nobody_there(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_remote(&wr, &p->b, 0);
    OK(ibv_destroy_qp(p->b.qp));
    p->b.qp = NULL;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_RETRY_EXC_ERR);
    free_pair(p);
}

static void wrong_psn(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .sq_psn = 100, .timeout = 14, .retry_cnt = 1, .rnr_retry = 7};

    to_init(p->a.qp);
    to_init(p->b.qp);
    to_rtr(p->a.qp, p->b.qp->qp_num);
    to_rtr(p->b.qp, p->a.qp->qp_num);
    OK(ibv_modify_qp(p->a.qp, &attr,
        IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_MAX_QP_RD_ATOMIC));
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_RETRY_EXC_ERR);
    free_pair(p);
}

static void injected_error(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_wc wc;
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_remote(&wr, &p->b, 0);
    OK(device_sim_fault(0, DEVICE_SIM_FAULT_ERROR, IBV_WC_REM_ABORT_ERR | 0x7c << 8, 1));
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_REM_ABORT_ERR);
    EQ(wc.vendor_err, 0x7c);
    EQ(device_sim_fault(0, 99, 0, 1), EINVAL);
    free_pair(p);
}

static void state_changes(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .port_num = 1};
    struct ibv_qp_init_attr init;

    EQ(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE), EINVAL); /* not from reset */
    attr.qp_state = IBV_QPS_INIT;
    /* access flags are missing */
    EQ(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT), EINVAL);
    attr.port_num = 9;
    EQ(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), EINVAL);
    connect_pair(p);
    OK(ibv_query_qp(p->a.qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.qp_state, IBV_QPS_RTS);
    EQ(attr.dest_qp_num, p->b.qp->qp_num);
    EQ(attr.rq_psn, 7);
    EQ(attr.sq_psn, 7);
    EQ(attr.rnr_retry, 7);
    EQ(attr.path_mtu, IBV_MTU_1024);
    EQ(attr.ah_attr.grh.sgid_index, 1);
    free_pair(p);
}

static void drain(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1};
    struct ibv_async_event event;

    to_remote(&wr, &p->b, 0);
    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY));
    post(p->a.qp, &wr);
    nothing(p->a.cq);
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_SQ_DRAINED);
    ibv_ack_async_event(&event);
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    free_pair(p);
}

/* Both directions at once, in the order of the queue pairs' numbers: twice the same. */
static void deterministic(void)
{
    char order[2][200];

    for (int round = 0; round < 2; round++) {
        struct pair *p = make_pair(NULL), *q = make_pair(NULL);
        struct pair *of[2] = {p, q};
        int at = 0;

        for (int i = 0; i < 20; i++) {
            struct side *s = i & 1 ? &of[i / 2 % 2]->a : &of[i / 2 % 2]->b;
            struct ibv_sge sge = piece(s, 0, 8);
            struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, (uint64_t)i, &sge);

            to_remote(&wr, s == &of[i / 2 % 2]->a ? &of[i / 2 % 2]->b : &of[i / 2 % 2]->a, 0);
            post(s->qp, &wr);
        }
        while (device_sim_pump(1))
            for (int i = 0; i < 4; i++) {
                struct ibv_wc wc;
                struct side *s = i & 1 ? &of[i / 2]->a : &of[i / 2]->b;

                if (ibv_poll_cq(s->cq, 1, &wc))
                    at += sprintf(order[round] + at, "%d:%d ", i, (int)wc.wr_id);
            }
        free_pair(p);
        free_pair(q);
    }
    if (strcmp(order[0], order[1]))
        fail(__FILE__, __LINE__, "%s and %s", order[0], order[1]);
}

static void extended_builder(void)
{
    struct pair *p = make_pair(&(struct making){.send_ops = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND_WITH_IMM |
        IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD});
    struct ibv_qp_ex *qp = SOME(ibv_qp_to_qp_ex(p->a.qp));
    struct ibv_sge to = piece(&p->b, 0, 64);

    fill(p->a.buf, 100, 1);
    receive(p->b.qp, 9, &to);
    ibv_wr_start(qp);
    for (unsigned i = 0; i < 10; i++) {
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, p->b.mr->rkey, (uintptr_t)p->b.buf + 1000 + i * 10);
        ibv_wr_set_sge(qp, p->a.mr->lkey, (uintptr_t)p->a.buf + i * 10, 10);
    }
    qp->wr_id = 10;
    ibv_wr_send_imm(qp, htobe32(3));
    ibv_wr_set_inline_data(qp, p->a.buf, 50);
    OK(ibv_wr_complete(qp));
    for (unsigned i = 0; i < 10; i++)
        good(p->a.cq, i, IBV_WC_RDMA_WRITE);
    good(p->a.cq, 10, IBV_WC_SEND);
    good(p->b.cq, 9, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, p->b.buf + 1000, 100) && !memcmp(p->a.buf, p->b.buf, 50));
    no_violations();
    free_pair(p);
}

/* More queue pairs than registers: the doorbells of some are overwritten before the device looks. */
static void many_queue_pairs(void)
{
    enum { N = 60 };
    struct pair *p = make_pair(NULL);
    struct ibv_qp *qp[N];
    struct ibv_wc wc;
    int got = 0;

    for (int i = 0; i < N; i++) {
        struct ibv_qp_init_attr attr = {.send_cq = p->a.cq, .recv_cq = p->a.cq, .qp_type = IBV_QPT_RC,
            .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};

        qp[i] = SOME(ibv_create_qp(p->pd, &attr));
        to_init(qp[i]);
    }
    for (int i = 0; i < N; i++) {
        to_rtr(qp[i], qp[i ^ 1]->qp_num);
        to_rts(qp[i], NULL);
    }
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < N; i++) {
            struct ibv_sge sge = piece(&p->a, 0, 8);
            struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, (uint64_t)i, &sge);

            to_remote(&wr, &p->b, (size_t)i * 8);
            post(qp[i], &wr);
        }
        device_sim_pump(-1);
        for (got = 0; ibv_poll_cq(p->a.cq, 1, &wc) == 1; got++)
            EQ(wc.status, IBV_WC_SUCCESS);
        EQ(got, N);
    }
    no_violations();
    for (int i = 0; i < N; i++)
        OK(ibv_destroy_qp(qp[i]));
    free_pair(p);
}

static const struct test_case cases[] = {
    {"write", write_one}, {"nothing-without-pump", nothing_without_pump},
    {"rung-and-gone", rung_and_gone}, {"write-large", write_large},
    {"write-many-pieces", write_many_pieces}, {"ring-wrap", ring_wrap}, {"write-inline", write_inline},
    {"write-with-immediate", write_with_immediate}, {"send-receive", send_receive}, {"scatter-receive",
    scatter_receive},
    {"read", read_back}, {"atomics", atomics}, {"atomic-misaligned", atomic_misaligned}, {"unsignaled", unsignaled},
    {"rnr", rnr}, {"rnr-exceeded", rnr_exceeded}, {"rnr-fault", rnr_fault}, {"error-and-flush", error_and_flush},
    {"reset-and-again", reset_and_again}, {"receive-too-short", receive_too_short}, {"local-key", local_key},
    {"local-bounds", local_bounds}, {"remote-bounds", remote_bounds}, {"freed-early", freed_early},
    {"access-flags", access_flags}, {"lost-packets", lost_packets}, {"nobody-there", nobody_there}, {"wrong-psn",
    wrong_psn},
    {"injected-error", injected_error}, {"state-changes", state_changes}, {"drain", drain}, {"deterministic",
    deterministic},
    {"extended-builder", extended_builder}, {"many-queue-pairs", many_queue_pairs}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("rc", cases, argc, argv);
}
