/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The device as a thread: soak tests, with several threads of the program. */
#include "kit.h"

#include <pthread.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for one completion, ten seconds at most. */
static struct ibv_wc wait_for(struct ibv_cq *cq)
{
    struct ibv_wc wc;
    double end = now() + 10;

    while (!ibv_poll_cq(cq, 1, &wc))
        if (now() > end)
            fail(__FILE__, __LINE__, "no completion within ten seconds");
    return wc;
}

static void ping_pong(void)
{
    struct pair *p = make_pair(NULL);

    EQ(device_sim_mode(DEVICE_SIM_THREAD), DEVICE_SIM_PUMP);
    for (unsigned n = 0; n < 5000; n++) {
        struct side *from = n & 1 ? &p->b : &p->a, *to = n & 1 ? &p->a : &p->b;
        struct ibv_sge f = piece(from, 0, 64), t = piece(to, 100, 64);
        struct ibv_send_wr wr = request(IBV_WR_SEND, n, &f);
        struct ibv_wc wc;

        fill(from->buf, 64, n);
        receive(to->qp, n, &t);
        post(from->qp, &wr);
        wc = wait_for(from->cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, n);
        wc = wait_for(to->cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        CHECK(!memcmp(from->buf, to->buf + 100, 64));
    }
    no_violations();
    EQ(device_sim_mode(DEVICE_SIM_PUMP), DEVICE_SIM_THREAD);
    free_pair(p);
}

/* A full send queue all the time. */
static void stream(void)
{
    struct pair *p = make_pair(NULL);
    unsigned posted = 0, done = 0;
    double end = now() + 30;

    device_sim_mode(DEVICE_SIM_THREAD);
    while (done < 100000) {
        struct ibv_sge sge = piece(&p->a, posted % 1000, 100);
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, posted, &sge), *first_bad;
        struct ibv_wc wc[16];
        int n;

        to_remote(&wr, &p->b, posted % 1000);
        if (posted < 100000 && !ibv_post_send(p->a.qp, &wr, &first_bad))
            posted++;
        n = ibv_poll_cq(p->a.cq, 16, wc);
        for (int i = 0; i < n; i++) {
            EQ(wc[i].status, IBV_WC_SUCCESS);
            EQ(wc[i].wr_id, done++);
        }
        if (now() > end)
            fail(__FILE__, __LINE__, "%u of 100000 after 30 seconds", done);
    }
    no_violations();
    device_sim_mode(DEVICE_SIM_PUMP);
    free_pair(p);
}

/* Creating, using and destroying in several threads at once. */
static void *come_and_go(void *failures)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    for (int round = 0; round < 30; round++) {
        struct ibv_context *ctx = ibv_open_device(list[0]);
        struct ibv_pd *pd = ibv_alloc_pd(ctx);
        struct ibv_cq *cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
        struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
            .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
        struct ibv_qp *qp = ibv_create_qp(pd, &init);
        uint8_t buf[4096] = "round and round";
        struct ibv_mr *mr = ibv_reg_mr(pd, buf, sizeof buf, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
        struct ibv_sge sge = {(uintptr_t)buf, 16, mr->lkey};
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge), *first_bad;
        struct ibv_wc wc = {.status = IBV_WC_GENERAL_ERR};
        double end = now() + 10;

        to_init(qp);
        to_rtr(qp, qp->qp_num);
        to_rts(qp, NULL);
        wr.wr.rdma.remote_addr = (uintptr_t)buf + 1000;
        wr.wr.rdma.rkey = mr->rkey;
        if (ibv_post_send(qp, &wr, &first_bad))
            ++*(int *)failures;
        while (!ibv_poll_cq(cq, 1, &wc) && now() < end)
            ;
        if (wc.status != IBV_WC_SUCCESS || memcmp(buf + 1000, "round and round", 16))
            ++*(int *)failures;
        ibv_destroy_qp(qp);
        ibv_destroy_cq(cq);
        ibv_dereg_mr(mr);
        ibv_dealloc_pd(pd);
        ibv_close_device(ctx);
    }
    ibv_free_device_list(list);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[4];
    int failures[4] = {0};

    device_sim_mode(DEVICE_SIM_THREAD);
    for (int i = 0; i < 4; i++)
        EQ(pthread_create(&thread[i], NULL, come_and_go, &failures[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        EQ(failures[i], 0);
    }
    no_violations();
    device_sim_mode(DEVICE_SIM_PUMP);
}

static void blocking_event(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_comp_channel *channel = SOME(ibv_create_comp_channel(ctx));
    struct pair *p = make_pair(&(struct making){.channel = channel});
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    device_sim_mode(DEVICE_SIM_THREAD);
    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < 500; i++) {
        struct ibv_cq *cq;
        void *context;
        struct ibv_wc wc;

        OK(ibv_req_notify_cq(p->a.cq, 0));
        post(p->a.qp, &wr);
        OK(ibv_get_cq_event(channel, &cq, &context));
        ibv_ack_cq_events(cq, 1);
        EQ(ibv_poll_cq(cq, 1, &wc), 1);
    }
    no_violations();
    device_sim_mode(DEVICE_SIM_PUMP);
    OK(ibv_destroy_qp(p->a.qp));
    OK(ibv_destroy_qp(p->b.qp));
    OK(ibv_destroy_cq(p->a.cq));
    OK(ibv_destroy_cq(p->b.cq));
    OK(ibv_destroy_comp_channel(channel));
    p->a.qp = p->b.qp = NULL;
    p->a.cq = p->b.cq = NULL;
    free_pair(p);
}

/* The timer of a receiver that is not ready is kept: 655 ms for the code 0 of a try, here 0.64 ms. */
static void rnr_timer(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_sge from = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .min_rnr_timer = 13}; /* 0.64 ms */
    double start;

    p->rnr_retry = 5;
    connect_pair(p);
    OK(ibv_modify_qp(p->b.qp, &attr, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER));
    device_sim_mode(DEVICE_SIM_THREAD);
    start = now();
    post(p->a.qp, &wr);
    EQ(wait_for(p->a.cq).status, IBV_WC_RNR_RETRY_EXC_ERR);
    CHECK(now() - start > 0.0028);
    device_sim_mode(DEVICE_SIM_PUMP);
    free_pair(p);
}

static const struct test_case cases[] = {
    {"ping-pong", ping_pong}, {"stream", stream}, {"threads", threads}, {"blocking-event", blocking_event},
    {"rnr-timer", rnr_timer}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("thread", cases, argc, argv);
}
