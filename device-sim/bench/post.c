/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What libmlx5 costs a work request and a completion, with the device idle: it is pumped between the measurements, and
 * nothing of the simulator is on the path of a post or a poll. Thread CPU time, median of the batches.
 *
 *     make bench
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <infiniband/verbs.h>

#include "device_sim.h"

#define BATCH 64
#define ROUNDS 20000

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static uint8_t buf[4096];
static struct ibv_send_wr wr[BATCH];
static struct ibv_sge sge = {.length = 16};
static double sample[ROUNDS];

static void need(int good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;

    return d < 0 ? -1 : d > 0;
}

static double median(void)
{
    qsort(sample, ROUNDS, sizeof *sample, by_value);
    return sample[ROUNDS / 2];
}

/* What reading the clock twice costs. */
static double empty(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();

        sample[round] = now() - start;
    }
    return median();
}

static void post_singly(void)
{
    struct ibv_send_wr *first_bad;

    for (int i = 0; i < BATCH; i++)
        need(!ibv_post_send(qp, &wr[i], &first_bad), "ibv_post_send");
}

static void post_list(void)
{
    struct ibv_send_wr *first_bad;

    need(!ibv_post_send(qp, wr, &first_bad), "ibv_post_send");
}

/* Posts in one way, pumps and polls; the cost of one of these. */
enum what { POST, POLL, PUMP };

static double measure(void (*post)(void), enum what what, int at_once)
{
    static struct ibv_wc wc[BATCH];
    double none = empty();

    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        int got = 0;

        post();
        if (what == POST)
            sample[round] = now() - start;
        start = now();
        device_sim_pump(-1);
        if (what == PUMP)
            sample[round] = now() - start;
        start = now();
        while (got < BATCH)
            got += ibv_poll_cq(cq, at_once, wc);
        if (what == POLL)
            sample[round] = now() - start;
    }
    return (median() - none) / BATCH;
}

static void prepare(int list, int flags)
{
    for (int i = 0; i < BATCH; i++) {
        wr[i].opcode = IBV_WR_RDMA_WRITE;
        wr[i].sg_list = &sge;
        wr[i].num_sge = 1;
        wr[i].send_flags = IBV_SEND_SIGNALED | flags;
        wr[i].next = list && i < BATCH - 1 ? &wr[i + 1] : NULL;
    }
}

int main(void)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *ctx = list && *list ? ibv_open_device(*list) : NULL;
    struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
    struct ibv_mr *mr = pd ? ibv_reg_mr(pd, buf, sizeof buf, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE) : NULL;
    struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 256, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 16}};
    struct ibv_qp_attr attr = {.port_num = 1, .path_mtu = IBV_MTU_1024, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
        .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1}}, .max_dest_rd_atomic = 1,
        .max_rd_atomic = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};

    need(mr != NULL, "device");
    cq = ibv_create_cq(ctx, 255, NULL, NULL, 0);
    init.send_cq = init.recv_cq = cq;
    qp = ibv_create_qp(pd, &init);
    need(cq && qp, "queues");
    attr.dest_qp_num = qp->qp_num;
    ibv_query_gid(ctx, 1, 1, &attr.ah_attr.grh.dgid);
    attr.qp_state = IBV_QPS_INIT;
    need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
    attr.qp_state = IBV_QPS_RTR;
    need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "RTR");
    attr.qp_state = IBV_QPS_RTS;
    need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
        IBV_QP_MAX_QP_RD_ATOMIC), "RTS");
    sge.addr = (uintptr_t)buf;
    sge.lkey = mr->lkey;
    for (int i = 0; i < BATCH; i++) {
        wr[i].wr.rdma.remote_addr = (uintptr_t)buf + 1024;
        wr[i].wr.rdma.rkey = mr->rkey;
    }

    prepare(0, 0);
    printf("ns a WRITE, one SGE, one a call       %6.1f\n", measure(post_singly, POST, BATCH));
    prepare(0, IBV_SEND_INLINE);
    printf("ns a WRITE, inline 16 B, one a call   %6.1f\n", measure(post_singly, POST, BATCH));
    prepare(1, 0);
    printf("ns a WRITE, one SGE, list of 64       %6.1f\n", measure(post_list, POST, BATCH));
    prepare(1, IBV_SEND_INLINE);
    printf("ns a WRITE, inline 16 B, list of 64   %6.1f\n", measure(post_list, POST, BATCH));
    printf("ns a completion, 64 a poll            %6.1f\n", measure(post_list, POLL, BATCH));
    printf("ns a completion, one a poll           %6.1f\n", measure(post_list, POLL, 1));
    printf("ns of the simulator for each          %6.1f\n", measure(post_list, PUMP, BATCH));
    ibv_destroy_qp(qp);
    ibv_destroy_cq(cq);
    ibv_dereg_mr(mr);
    ibv_dealloc_pd(pd);
    ibv_close_device(ctx);
    ibv_free_device_list(list);
    return 0;
}
