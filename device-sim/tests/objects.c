/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Memory windows, re-registration, completion queues that are resized or extended, time, devices and ports. */
#include "kit.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <infiniband/mlx5dv.h>

static void window_type_1(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mw *mw = SOME(ibv_alloc_mw(p->pd, IBV_MW_TYPE_1));
    struct ibv_mw_bind bind = {.wr_id = 5, .send_flags = IBV_SEND_SIGNALED,
        .bind_info = {.mr = p->b.mr, .addr = (uintptr_t)p->b.buf + 100, .length = 50,
        .mw_access_flags = IBV_ACCESS_REMOTE_WRITE}};
    struct ibv_sge sge = piece(&p->a, 0, 50);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint32_t before = mw->rkey;

    OK(ibv_bind_mw(p->b.qp, mw, &bind));
    CHECK(mw->rkey != before);
    good(p->b.cq, 5, IBV_WC_BIND_MW);
    fill(p->a.buf, 50, 1);
    to_remote(&wr, &p->b, 100);
    wr.wr.rdma.rkey = mw->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf + 100, 50));
    bind.bind_info.length = 0; /* takes the binding away */
    OK(ibv_bind_mw(p->b.qp, mw, &bind));
    good(p->b.cq, 5, IBV_WC_BIND_MW);
    wr.wr.rdma.rkey = mw->rkey;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    no_violations();
    OK(ibv_dealloc_mw(mw));
    free_pair(p);
}

static void window_bounds(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mw *mw = SOME(ibv_alloc_mw(p->pd, IBV_MW_TYPE_1));
    struct ibv_mw_bind bind = {.wr_id = 5, .send_flags = IBV_SEND_SIGNALED,
        .bind_info = {.mr = p->b.mr, .addr = (uintptr_t)p->b.buf + 100, .length = 50,
        .mw_access_flags = IBV_ACCESS_REMOTE_WRITE}};
    struct ibv_sge sge = piece(&p->a, 0, 51);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    OK(ibv_bind_mw(p->b.qp, mw, &bind));
    good(p->b.cq, 5, IBV_WC_BIND_MW);
    to_remote(&wr, &p->b, 100);
    wr.wr.rdma.rkey = mw->rkey;
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    OK(ibv_dealloc_mw(mw));
    free_pair(p);
}

static void bind_type_2(struct pair *p, struct ibv_mw *mw, uint64_t id)
{
    struct ibv_send_wr wr = {.wr_id = id, .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED,
        .bind_mw = {.mw = mw, .rkey = ibv_inc_rkey(mw->rkey), .bind_info = {.mr = p->b.mr, .addr = (uintptr_t)p->b.buf,
            .length = 64, .mw_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ}}};

    post(p->b.qp, &wr);
    mw->rkey = wr.bind_mw.rkey;
    good(p->b.cq, id, IBV_WC_BIND_MW);
}

static void window_type_2(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mw *mw = SOME(ibv_alloc_mw(p->pd, IBV_MW_TYPE_2));
    struct ibv_sge sge = piece(&p->a, 0, 64), to = piece(&p->b, 1000, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_wc wc;

    bind_type_2(p, mw, 5);
    fill(p->a.buf, 64, 1);
    to_remote(&wr, &p->b, 0);
    wr.wr.rdma.rkey = mw->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf, 64));

    wr = request(IBV_WR_LOCAL_INV, 6, NULL);
    wr.invalidate_rkey = mw->rkey;
    post(p->b.qp, &wr);
    good(p->b.cq, 6, IBV_WC_LOCAL_INV);

    bind_type_2(p, mw, 7);
    receive(p->b.qp, 8, &to);
    wr = request(IBV_WR_SEND_WITH_INV, 2, &sge);
    wr.invalidate_rkey = mw->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 2, IBV_WC_SEND);
    wc = completion(p->b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    CHECK(wc.wc_flags & IBV_WC_WITH_INV);
    EQ(wc.invalidated_rkey, mw->rkey);
    wr = request(IBV_WR_RDMA_WRITE, 3, &sge);
    to_remote(&wr, &p->b, 0);
    wr.wr.rdma.rkey = mw->rkey;
    post(p->a.qp, &wr);
    bad(p->a.cq, 3, IBV_WC_REM_ACCESS_ERR);
    no_violations();
    OK(ibv_dealloc_mw(mw));
    free_pair(p);
}

static void reregister(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mr *mr = SOME(ibv_reg_mr(p->pd, p->a.buf, 100, IBV_ACCESS_LOCAL_WRITE));
    struct ibv_sge sge = piece(&p->a, 150, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, p->a.buf + 100, 100, 0), 0);
    sge.lkey = mr->lkey;
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    OK(ibv_dereg_mr(mr));
    free_pair(p);
}

static void registration(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mr *mr;
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    void *constant = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(!ibv_reg_mr(p->pd, (void *)4096, 4096, 0));
    EQ(errno, EFAULT);
    CHECK(!ibv_reg_mr(p->pd, p->a.buf, 0, 0));
    CHECK(!ibv_reg_mr(p->pd, constant, 4096, IBV_ACCESS_LOCAL_WRITE));
    EQ(errno, EFAULT);
    mr = SOME(ibv_reg_mr(p->pd, constant, 4096, IBV_ACCESS_REMOTE_READ));
    OK(ibv_dereg_mr(mr));
    munmap(constant, 4096);
    /* an address of its own for the peer */
    mr = SOME(ibv_reg_mr_iova(p->pd, p->b.buf + 4096, 4096, 0x10000, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
    fill(p->a.buf, 8, 3);
    wr.wr.rdma.remote_addr = 0x10010;
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf + 4096 + 16, 8));
    OK(ibv_dereg_mr(mr));
    free_pair(p);
}

static void on_demand(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mr *mr = SOME(ibv_reg_mr(p->pd, NULL, SIZE_MAX,
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_ON_DEMAND));
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_device_attr_ex attr;

    OK(ibv_query_device_ex(p->ctx, NULL, &attr));
    CHECK(attr.odp_caps.general_caps & IBV_ODP_SUPPORT_IMPLICIT);
    sge.lkey = mr->lkey;
    OK(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1));
    fill(p->a.buf, 8, 1);
    to_remote(&wr, &p->b, 0);
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf, 8));
    wr.wr.rdma.remote_addr = 4096; /* nothing is there */
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_REM_OP_ERR);
    OK(ibv_dereg_mr(mr));
    free_pair(p);
}

static void null_region(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_mr *mr = SOME(ibv_alloc_null_mr(p->pd));
    struct ibv_sge sge[2] = {{.addr = 0x1234, .length = 50, .lkey = mr->lkey}, piece(&p->a, 0, 50)};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, sge);

    wr.num_sge = 2;
    memset(p->b.buf, 1, 100);
    memset(p->a.buf, 2, 50);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    EQ(p->b.buf[49], 0);
    EQ(p->b.buf[50], 2);
    wr.opcode = IBV_WR_RDMA_READ;
    memset(p->b.buf, 3, 100);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_READ);
    EQ(p->a.buf[0], 3);
    OK(ibv_dereg_mr(mr));
    no_violations();
    free_pair(p);
}

static void resize(void)
{
    struct pair *p = make_pair(&(struct making){.cqe = 7});
    struct ibv_sge sge = piece(&p->a, 0, 8);
    uint64_t next = 0, polled = 0;

    /* With completions in the ring, larger and smaller, all of them come out in order. */
    for (int round = 0; round < 40; round++) {
        int sizes[] = {7, 31, 15, 63};

        for (int i = 0; i < 5; i++) {
            struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, next++, &sge);

            to_remote(&wr, &p->b, 0);
            post(p->a.qp, &wr);
        }
        device_sim_pump(-1);
        for (int i = 0; i < round % 3; i++)
            good(p->a.cq, polled++, IBV_WC_RDMA_WRITE);
        OK(ibv_resize_cq(p->a.cq, sizes[round % 4]));
        CHECK(p->a.cq->cqe >= sizes[round % 4]);
        while (polled < next)
            good(p->a.cq, polled++, IBV_WC_RDMA_WRITE);
    }
    no_violations();
    free_pair(p);
}

static void large_entries(void)
{
    struct pair *p;
    struct ibv_sge from, to;
    struct ibv_send_wr wr;

    setenv("MLX5_CQE_SIZE", "128", 1);
    p = make_pair(NULL);
    unsetenv("MLX5_CQE_SIZE");
    for (uint32_t length = 0; length < 140; length++) {
        from = piece(&p->a, 0, length);
        to = piece(&p->b, 0, 200);
        wr = request(IBV_WR_SEND, length, &from);
        fill(p->a.buf, 200, length);
        receive(p->b.qp, length, &to);
        post(p->a.qp, &wr);
        good(p->a.cq, length, IBV_WC_SEND);
        good(p->b.cq, length, IBV_WC_RECV);
        CHECK(!memcmp(p->a.buf, p->b.buf, length));
    }
    no_violations();
    free_pair(p);
}

static void extended_queue(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_cq_init_attr_ex attr = {.cqe = 100,
        .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
        IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK};
    struct ibv_cq_ex *cq = SOME(ibv_create_cq_ex(p->ctx, &attr));
    struct ibv_qp_init_attr init = {.send_cq = ibv_cq_ex_to_cq(cq), .recv_cq = ibv_cq_ex_to_cq(cq),
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = SOME(ibv_create_qp(p->pd, &init));
    struct ibv_poll_cq_attr none = {0};
    struct ibv_sge sge = piece(&p->a, 0, 100);
    struct ibv_values_ex values = {.comp_mask = IBV_VALUES_MASK_RAW_CLOCK};
    uint64_t last = 0;

    to_init(qp);
    to_rtr(qp, qp->qp_num);
    to_rts(qp, p);
    for (unsigned i = 0; i < 3; i++) {
        struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM, i, &sge);
        struct ibv_sge to = piece(&p->b, 0, 100);

        receive(qp, 100 + i, &to);
        wr.imm_data = htobe32(i);
        post(qp, &wr);
    }
    device_sim_pump(-1);
    OK(ibv_start_poll(cq, &none));
    for (unsigned i = 0; i < 6; i++) {
        uint64_t ts = ibv_wc_read_completion_ts(cq);

        EQ(cq->status, IBV_WC_SUCCESS);
        CHECK(ts >= last);
        EQ(ibv_wc_read_completion_wallclock_ns(cq), ts);
        last = ts;
        if (ibv_wc_read_opcode(cq) == IBV_WC_RECV) {
            EQ(ibv_wc_read_byte_len(cq), 100);
            EQ(ibv_wc_read_imm_data(cq), htobe32((uint32_t)(cq->wr_id - 100)));
        }
        EQ(ibv_wc_read_qp_num(cq), qp->qp_num);
        EQ(ibv_next_poll(cq), i < 5 ? 0 : ENOENT);
    }
    ibv_end_poll(cq);
    OK(ibv_query_rt_values_ex(p->ctx, &values));
    EQ((uint64_t)values.raw_clock.tv_nsec, device_sim_clock());
    CHECK(device_sim_clock() >= last);
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)));
    free_pair(p);
}

static void thread_domain(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_td_init_attr td_attr = {0};
    struct ibv_td *td = SOME(ibv_alloc_td(ctx, &td_attr));
    struct ibv_parent_domain_init_attr attr = {.pd = pd, .td = td};
    struct ibv_pd *domain = SOME(ibv_alloc_parent_domain(ctx, &attr));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 16, NULL, NULL, 0));
    struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = SOME(ibv_create_qp(domain, &init));
    static uint8_t buf[4096];
    struct ibv_mr *mr = SOME(ibv_reg_mr(pd, buf, sizeof buf, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
    struct ibv_sge sge = {(uintptr_t)buf, 8, mr->lkey};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_init(qp);
    to_rtr(qp, qp->qp_num);
    to_rts(qp, NULL);
    memcpy(buf, "verbs4j", 8);
    wr.wr.rdma.remote_addr = (uintptr_t)buf + 100;
    wr.wr.rdma.rkey = mr->rkey;
    post(qp, &wr);
    good(cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!strcmp((char *)buf + 100, "verbs4j"));
    OK(ibv_dereg_mr(mr));
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(cq));
    OK(ibv_dealloc_pd(domain));
    OK(ibv_dealloc_td(td));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
    no_violations();
}

/* The first line of a file below class/infiniband. */
static const char *in_sysfs(const char *path)
{
    static char name[512], line[256];
    FILE *file;

    snprintf(name, sizeof name, "%s/class/infiniband/%s", getenv("SYSFS_PATH"), path);
    file = SOME(fopen(name, "r"));
    SOME(fgets(line, sizeof line, file));
    fclose(file);
    line[strcspn(line, "\n")] = 0;
    return line;
}

/* The run has two devices of two ports each. */
static void devices_and_ports(void)
{
    struct ibv_context *one = open_nth(0), *two = open_nth(1);
    struct ibv_device_attr attr;
    struct ibv_port_attr port;
    struct ibv_gid_entry table[16];
    union ibv_gid gid[2];
    uint16_t pkey;

    OK(ibv_query_device(two, &attr));
    EQ(attr.phys_port_cnt, 2);
    EQ(attr.vendor_id, 0x02c9);
    CHECK(!strcmp(in_sysfs("mlx5_1/device/vendor"), "0x15b3"));
    CHECK(ibv_get_device_guid(one->device) != ibv_get_device_guid(two->device));
    CHECK(attr.node_guid == ibv_get_device_guid(two->device));
    OK(ibv_query_port(two, 2, &port));
    EQ(port.state, IBV_PORT_ACTIVE);
    EQ(port.link_layer, IBV_LINK_LAYER_ETHERNET);
    CHECK(ibv_query_port(two, 3, &port));
    EQ(ibv_query_gid_table(two, table, 16, 0), 8);
    EQ(table[7].port_num, 2);
    EQ(table[7].gid_index, 3);
    EQ(table[7].gid_type, IBV_GID_TYPE_ROCE_V2);
    OK(ibv_query_gid(one, 1, 3, &gid[0]));
    OK(ibv_query_gid(two, 1, 3, &gid[1]));
    CHECK(memcmp(&gid[0], &gid[1], 16));
    OK(ibv_query_pkey(two, 1, 0, &pkey));
    EQ(pkey, 0xffff);
    OK(ibv_close_device(one));
    OK(ibv_close_device(two));
}

/* From one device to the other, within a process. */
static void between_devices(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true}),
        *q = make_pair(&(struct making){.unconnected = true, .index = 1});
    struct ibv_sge from = piece(&p->a, 0, 1000), to = piece(&q->a, 0, 1000);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_qp *qp[2] = {p->a.qp, q->a.qp};

    for (int i = 0; i < 2; i++) {
        struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
            .dest_qp_num = qp[1 - i]->qp_num, .rq_psn = 7,
            .max_dest_rd_atomic = 4, .min_rnr_timer = 1,
            .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 3, .hop_limit = 64}}};

        to_init(qp[i]);
        OK(ibv_query_gid(qp[1 - i]->context, 1, 3, &attr.ah_attr.grh.dgid));
        OK(ibv_modify_qp(qp[i], &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
            IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
        to_rts(qp[i], p);
    }
    fill(p->a.buf, 1000, 1);
    receive(q->a.qp, 2, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(q->a.cq, 2, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, q->a.buf, 1000));
    free_pair(p);
    free_pair(q);
}

/* A query tells what the receive ring holds: the kernel keeps that, and not what was asked for. */
static void size_of_receive_queue(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_srq_init_attr shared = {.attr = {.max_wr = 8, .max_sge = 1}};
    struct ibv_srq *srq = SOME(ibv_create_srq(p->pd, &shared));

    for (int i = 0; i < 2; i++) {
        struct ibv_qp_init_attr init = {.send_cq = p->a.cq, .recv_cq = p->a.cq, .qp_type = IBV_QPT_RC,
            .srq = i ? srq : NULL,
            .cap = {.max_send_wr = 16, .max_recv_wr = 100, .max_send_sge = 1, .max_recv_sge = 3}};
        struct ibv_qp *qp = SOME(ibv_create_qp(p->pd, &init));
        struct ibv_qp_attr attr;

        EQ(init.cap.max_recv_wr, i ? 0 : 128);
        EQ(init.cap.max_recv_sge, i ? 0 : 4);
        OK(ibv_query_qp(qp, &attr, IBV_QP_CAP, &init));
        EQ(attr.cap.max_recv_wr, i ? 0 : 128);
        EQ(attr.cap.max_recv_sge, i ? 0 : 4);
        OK(ibv_destroy_qp(qp));
    }
    OK(ibv_destroy_srq(srq));
    free_pair(p);
}

/* What is not simulated is refused, and counted. */
static void refused(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 1, NULL, NULL, 0));
    struct ibv_qp_init_attr_ex source = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_UD, .pd = pd, .comp_mask =
        IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS, .create_flags = IBV_QP_CREATE_SOURCE_QPN, .source_qpn = 5,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_UD,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
    uint8_t in[16] = {0}, out[16];
    union ibv_gid gid = {0};

    CHECK(!ibv_create_qp_ex(ctx, &source));
    EQ(device_sim_count(DEVICE_SIM_COUNT_REFUSED), 1);
    CHECK(mlx5dv_devx_general_cmd(ctx, in, sizeof in, out, sizeof out));
    struct ibv_qp *qp = SOME(ibv_create_qp(pd, &init));

    CHECK(ibv_attach_mcast(qp, &gid, 0)); /* not a group */
    CHECK(mlx5dv_devx_alloc_uar(ctx, 77) == NULL);
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(cq));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
}

/* A child closes what it inherited, as before an exec; the parent's device is none of that. */
static void forked(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    pid_t pid = vfork();
    int status;

    if (!pid) {
        for (int fd = 3; fd < 100; fd++)
            close(fd);
        _exit(0);
    }
    EQ(waitpid(pid, &status, 0), pid);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    free_pair(p);
}

static void port_down(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    OK(device_sim_port_state(0, 1, IBV_PORT_DOWN));
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_RETRY_EXC_ERR);
    OK(device_sim_port_state(0, 1, IBV_PORT_ACTIVE));
    free_pair(p);
}

/* A context that is closed with everything still open. */
static void closed_early(void)
{
    for (int i = 0; i < 50; i++) {
        struct pair *p = make_pair(NULL);

        OK(ibv_close_device(p->ctx));
        device_sim_pump(-1);
        p->ctx = NULL;
        p->pd = NULL;
        p->a.qp = p->b.qp = NULL;
        p->a.cq = p->b.cq = NULL;
        p->a.mr = p->b.mr = NULL;
        free_pair(p);
    }
}

/* More than a process has registers for: most share one, and the device finds out whose doorbell was overwritten by another's. */
static void many_queue_pairs(void)
{
    enum { MANY = 5000, BATCH = 50, STRIDE = 1667 };
    struct pair *p = make_pair(&(struct making){.cqe = BATCH});
    struct ibv_qp_init_attr attr = {.send_cq = p->a.cq, .recv_cq = p->a.cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp **qp = SOME(calloc(MANY, sizeof *qp));
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_device_attr device;

    OK(ibv_query_device(p->ctx, &device));
    CHECK(device.max_qp >= MANY + 2);
    for (int i = 0; i < MANY; i++) {
        qp[i] = SOME(ibv_create_qp(p->pd, &attr));
        to_init(qp[i]);
        to_rtr(qp[i], qp[i]->qp_num);
        to_rts(qp[i], p);
    }
    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < MANY; i += BATCH) {
        bool seen[BATCH] = {false};

        for (int k = 0; k < BATCH; k++) {
            wr.wr_id = (uint64_t)k;
            post(qp[(long)(i + k) * STRIDE % MANY], &wr);
        }
        device_sim_pump(-1);
        for (int k = 0; k < BATCH; k++) {
            struct ibv_wc wc;

            EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
            EQ(wc.status, IBV_WC_SUCCESS);
            CHECK(wc.wr_id < BATCH && !seen[wc.wr_id]);
            seen[wc.wr_id] = true;
            CHECK(wc.qp_num == qp[(long)(i + (int)wc.wr_id) * STRIDE % MANY]->qp_num);
        }
    }
    no_violations();
    for (int i = 0; i < MANY; i++)
        OK(ibv_destroy_qp(qp[i]));
    free(qp);
    free_pair(p);
}

static const struct test_case cases[] = {
    {"window-type-1", window_type_1}, {"window-bounds", window_bounds}, {"window-type-2", window_type_2},
    {"reregister", reregister}, {"registration", registration}, {"on-demand", on_demand}, {"null-region",
    null_region}, {"resize", resize}, {"large-entries", large_entries},
    {"extended-queue", extended_queue}, {"thread-domain", thread_domain}, {"devices-and-ports", devices_and_ports},
    {"between-devices", between_devices}, {"size-of-receive-queue", size_of_receive_queue},
    {"refused", refused}, {"forked", forked}, {"port-down", port_down},
    {"closed-early", closed_early}, {"many-queue-pairs", many_queue_pairs}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("objects", cases, argc, argv);
}
