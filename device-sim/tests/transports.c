/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Datagrams, unreliable connections, shared receive queues and XRC. */
#include "kit.h"

#include <fcntl.h>
#include <unistd.h>

static struct ibv_ah *handle_to(struct ibv_pd *pd)
{
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}};

    OK(ibv_query_gid(pd->context, 1, 1, &attr.grh.dgid));
    return SOME(ibv_create_ah(pd, &attr));
}

static struct ibv_send_wr datagram(struct pair *p, struct ibv_ah *ah, uint64_t id, struct ibv_sge *sge)
{
    struct ibv_send_wr wr = request(IBV_WR_SEND, id, sge);

    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = p->b.qp->qp_num;
    wr.wr.ud.remote_qkey = 0x11111111;
    return wr;
}

static void ud_send(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UD});
    struct ibv_ah *ah = handle_to(p->pd);
    struct ibv_sge from = piece(&p->a, 0, 500), to = piece(&p->b, 0, 540);
    struct ibv_send_wr wr = datagram(p, ah, 1, &from);
    struct ibv_wc wc;
    union ibv_gid gid;

    fill(p->a.buf, 500, 1);
    receive(p->b.qp, 2, &to);
    wr.opcode = IBV_WR_SEND_WITH_IMM;
    wr.imm_data = 77;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    wc = completion(p->b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.byte_len, 540);
    EQ(wc.src_qp, p->a.qp->qp_num);
    EQ(wc.imm_data, 77);
    CHECK(wc.wc_flags & IBV_WC_GRH);
    CHECK(!memcmp(p->a.buf, p->b.buf + 40, 500));
    OK(ibv_query_gid(p->ctx, 1, 1, &gid));
    CHECK(!memcmp(p->b.buf + 8, &gid, 16)); /* where it came from */
    no_violations();
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void ud_not_received(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UD});
    struct ibv_ah *ah = handle_to(p->pd);
    struct ibv_sge from = piece(&p->a, 0, 8), to = piece(&p->b, 0, 100);
    struct ibv_send_wr wr = datagram(p, ah, 1, &from);

    post(p->a.qp, &wr); /* no receive: lost, and nobody tells */
    good(p->a.cq, 1, IBV_WC_SEND);
    receive(p->b.qp, 2, &to);
    wr.wr.ud.remote_qkey = 0x22222222;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    nothing(p->b.cq);
    wr.wr.ud.remote_qkey = 0x80000000; /* the sender's own */
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    from.length = 4097; /* a datagram is one packet */
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_LOC_LEN_ERR);
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void ud_reordered(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UD});
    struct ibv_ah *ah = handle_to(p->pd);
    char order[2][64];

    for (int round = 0; round < 2; round++) {
        int at = 0;

        OK(device_sim_reorder(5, 42));
        for (int i = 0; i < 10; i++) {
            struct ibv_sge from = piece(&p->a, (size_t)i, 1), to = piece(&p->b, (size_t)i * 64, 64);
            struct ibv_send_wr wr = datagram(p, ah, 1, &from);

            p->a.buf[i] = (uint8_t)i;
            receive(p->b.qp, (uint64_t)i, &to);
            post(p->a.qp, &wr);
        }
        for (int i = 0; i < 10; i++) {
            good(p->a.cq, 1, IBV_WC_SEND);
            good(p->b.cq, (uint64_t)i, IBV_WC_RECV);
            at += sprintf(order[round] + at, "%d ", p->b.buf[i * 64 + 40]);
        }
        OK(device_sim_reorder(0, 1));
    }
    CHECK(strcmp(order[0], "0 1 2 3 4 5 6 7 8 9 "));
    CHECK(!strcmp(order[0], order[1])); /* the same seed, the same order */
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

/* The descriptor of a datagram is 16 + 48 + 16 n bytes: it ends in every place of the ring. */
static void ud_ring_wrap(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UD, .wr = 7, .sge = 6, .inline_data = 150});
    struct ibv_ah *ah = handle_to(p->pd);

    fill(p->a.buf, 100000, 5);
    for (unsigned n = 0; n < 20000; n++) {
        struct ibv_sge from[6], to = piece(&p->b, 0, 2000);
        struct ibv_send_wr wr = datagram(p, ah, n, from);
        size_t at = 40;

        wr.num_sge = 1 + (int)(n % 6);
        for (int i = 0; i < wr.num_sge; i++)
            from[i] = piece(&p->a, (n * 13 + (unsigned)i * 999) % 90000, 1 + n % 25);
        if (n % 4 == 1)
            wr.send_flags |= IBV_SEND_INLINE;
        receive(p->b.qp, n, &to);
        post(p->a.qp, &wr);
        good(p->a.cq, n, IBV_WC_SEND);
        good(p->b.cq, n, IBV_WC_RECV);
        for (int i = 0; i < wr.num_sge; at += from[i++].length)
            CHECK(!memcmp((void *)(uintptr_t)from[i].addr, p->b.buf + at, from[i].length));
    }
    no_violations();
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void ud_multicast(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UD});
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1,
        .grh = {.sgid_index = 1, .dgid.raw = {0xff, 0x0e, [15] = 1}}};
    struct ibv_ah *ah = SOME(ibv_create_ah(p->pd, &attr));
    struct ibv_sge from = piece(&p->a, 0, 50), to = piece(&p->b, 0, 90), back = piece(&p->a, 1000, 90);
    struct ibv_send_wr wr = datagram(p, ah, 1, &from);

    fill(p->a.buf, 50, 1);
    wr.wr.ud.remote_qpn = 0xffffff;
    receive(p->b.qp, 2, &to);
    receive(p->a.qp, 3, &back);
    post(p->a.qp, &wr); /* nobody is in the group */
    good(p->a.cq, 1, IBV_WC_SEND);
    nothing(p->b.cq);
    OK(ibv_attach_mcast(p->b.qp, &attr.grh.dgid, 0));
    OK(ibv_attach_mcast(p->b.qp, &attr.grh.dgid, 0));
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, p->b.buf + 40, 50));
    OK(ibv_attach_mcast(p->a.qp, &attr.grh.dgid, 0));
    receive(p->b.qp, 4, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 3, IBV_WC_RECV);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 4, IBV_WC_RECV);
    OK(ibv_detach_mcast(p->b.qp, &attr.grh.dgid, 0));
    EQ(ibv_detach_mcast(p->b.qp, &attr.grh.dgid, 0), EINVAL);
    receive(p->b.qp, 5, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    nothing(p->b.cq);
    no_violations();
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void uc(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UC});
    struct ibv_sge from = piece(&p->a, 0, 70000), to = piece(&p->b, 0, 70000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &from);

    fill(p->a.buf, 70000, 1);
    to_remote(&wr, &p->b, 100000);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf + 100000, 70000));
    receive(p->b.qp, 2, &to);
    wr.opcode = IBV_WR_SEND;
    OK(device_sim_fault(p->a.qp->qp_num, DEVICE_SIM_FAULT_DROP, 0, 1));
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    nothing(p->b.cq); /* its first packet was lost, so all of it */
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, p->b.buf, 70000));
    no_violations();
    free_pair(p);
}

/* A local error stops the send queue only; the queue pair can go on. */
static void uc_error(void)
{
    struct pair *p = make_pair(&(struct making){.type = IBV_QPT_UC});
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQE};
    struct ibv_qp_init_attr init;

    sge.lkey ^= 0x100;
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_LOC_PROT_ERR);
    OK(ibv_query_qp(p->a.qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.qp_state, IBV_QPS_SQE);
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    sge.lkey ^= 0x100;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    free_pair(p);
}

/* -- shared receive queues -- */

static struct ibv_srq *make_srq(int wr)
{
    struct ibv_pd *pd = SOME(ibv_alloc_pd(open_nth(0)));
    struct ibv_srq_init_attr attr = {.attr = {.max_wr = (uint32_t)wr, .max_sge = 3}};

    return SOME(ibv_create_srq(pd, &attr));
}

static void receive_shared(struct ibv_srq *srq, uint64_t id, struct ibv_sge *sge)
{
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = sge, .num_sge = 1}, *first_bad;

    OK(ibv_post_srq_recv(srq, &wr, &first_bad));
}

static void shared(void)
{
    struct ibv_srq *srq = make_srq(10);
    struct pair *p = make_pair(&(struct making){.srq = srq});

    for (unsigned n = 0; n < 3000; n++) { /* many times around the list */
        uint32_t length = n % 3 ? 20 : 200; /* in the completion, or in memory */
        struct ibv_sge from = piece(&p->a, n, length), to = piece(&p->b, n * 10 % 5000, 200);
        struct ibv_send_wr wr = request(IBV_WR_SEND, n, &from);
        struct ibv_wc wc;

        fill(p->a.buf + n, length, n);
        receive_shared(srq, n, &to);
        post(p->a.qp, &wr);
        good(p->a.cq, n, IBV_WC_SEND);
        wc = completion(p->b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, n);
        EQ(wc.byte_len, length);
        CHECK(!memcmp(p->a.buf + n, p->b.buf + n * 10 % 5000, length));
    }
    no_violations();
    OK(ibv_destroy_qp(p->b.qp));
    p->b.qp = NULL;
    OK(ibv_destroy_srq(srq));
    free_pair(p);
}

static void shared_limit(void)
{
    struct ibv_srq *srq = make_srq(10);
    struct pair *p = make_pair(&(struct making){.srq = srq});
    struct ibv_sge from = piece(&p->a, 0, 8), to = piece(&p->b, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_srq_attr attr = {.srq_limit = 2};
    struct ibv_async_event event;

    for (uint64_t i = 0; i < 4; i++)
        receive_shared(srq, i, &to);
    OK(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT));
    OK(ibv_query_srq(srq, &attr));
    EQ(attr.srq_limit, 2);
    for (uint64_t i = 0; i < 4; i++) {
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_SEND);
        good(p->b.cq, i, IBV_WC_RECV);
    }
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
    CHECK(event.element.srq == srq);
    ibv_ack_async_event(&event);
    OK(ibv_query_srq(srq, &attr));
    EQ(attr.srq_limit, 0); /* once */
    OK(ibv_modify_qp(p->b.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_ERR}, IBV_QP_STATE));
    device_sim_pump(-1);
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_QP_LAST_WQE_REACHED);
    ibv_ack_async_event(&event);
    OK(ibv_destroy_qp(p->b.qp));
    p->b.qp = NULL;
    OK(ibv_destroy_srq(srq));
    free_pair(p);
}

/* -- XRC -- */

struct xrc {
    struct pair *p; /* its context, memory and completion queues; the queue pairs are not used */
    struct ibv_xrcd *domain;
    struct ibv_srq *srq[2];
    uint32_t number[2];
    struct ibv_qp *from, *to;
};

static struct xrc make_xrc(void)
{
    struct xrc x = {.p = make_pair(NULL)};
    struct ibv_xrcd_init_attr domain = {.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1,
        .oflags = O_CREAT};
    struct ibv_qp_init_attr_ex ini = {.qp_type = IBV_QPT_XRC_SEND, .send_cq = x.p->a.cq, .pd = x.p->pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD, .cap = {.max_send_wr = 16, .max_send_sge = 2}};
    struct ibv_qp_init_attr_ex tgt = {.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD};

    x.domain = SOME(ibv_open_xrcd(x.p->ctx, &domain));
    for (int i = 0; i < 2; i++) {
        struct ibv_srq_init_attr_ex attr = {.attr = {.max_wr = 8, .max_sge = 1}, .srq_type = IBV_SRQT_XRC,
            .pd = x.p->pd,
            .xrcd = x.domain, .cq = x.p->b.cq,
            .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ};

        x.srq[i] = SOME(ibv_create_srq_ex(x.p->ctx, &attr));
        OK(ibv_get_srq_num(x.srq[i], &x.number[i]));
    }
    x.from = SOME(ibv_create_qp_ex(x.p->ctx, &ini));
    tgt.xrcd = x.domain;
    x.to = SOME(ibv_create_qp_ex(x.p->ctx, &tgt));
    to_init(x.from);
    to_init(x.to);
    to_rtr(x.from, x.to->qp_num);
    to_rtr(x.to, x.from->qp_num);
    to_rts(x.from, x.p);
    return x;
}

static void free_xrc(struct xrc *x)
{
    OK(ibv_destroy_qp(x->from));
    OK(ibv_destroy_qp(x->to));
    EQ(ibv_close_xrcd(x->domain), EBUSY);
    OK(ibv_destroy_srq(x->srq[0]));
    OK(ibv_destroy_srq(x->srq[1]));
    OK(ibv_close_xrcd(x->domain));
    free_pair(x->p);
}

static void xrc(void)
{
    struct xrc x = make_xrc();

    for (unsigned n = 0; n < 20; n++) {
        struct ibv_sge from = piece(&x.p->a, 0, n % 2 ? 10 : 100), to = piece(&x.p->b, n * 200, 100);
        struct ibv_send_wr wr = request(IBV_WR_SEND, n, &from);
        struct ibv_wc wc;

        fill(x.p->a.buf, 100, n);
        receive_shared(x.srq[n % 2], 100 + n, &to);
        wr.qp_type.xrc.remote_srqn = x.number[n % 2];
        post(x.from, &wr);
        good(x.p->a.cq, n, IBV_WC_SEND);
        wc = completion(x.p->b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, 100 + n);
        CHECK(!memcmp(x.p->a.buf, x.p->b.buf + n * 200, from.length));
        wr.opcode = IBV_WR_RDMA_WRITE;
        to_remote(&wr, &x.p->b, 8000);
        post(x.from, &wr);
        good(x.p->a.cq, n, IBV_WC_RDMA_WRITE);
        CHECK(!memcmp(x.p->a.buf, x.p->b.buf + 8000, from.length));
    }
    no_violations();
    free_xrc(&x);
}

static void xrc_wrong_queue(void)
{
    struct xrc x = make_xrc();
    struct ibv_sge from = piece(&x.p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    wr.qp_type.xrc.remote_srqn = 0x777;
    post(x.from, &wr);
    bad(x.p->a.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    free_xrc(&x);
}

/*
 * A target is shared by its number, and lives as long as one of those who opened it. What was opened is not destroyed
 * here: libmlx5 (44) crashes in that, because it frees a doorbell record that such a queue pair does not have.
 */
static void xrc_open(void)
{
    struct xrc x = make_xrc();
    struct ibv_qp_open_attr attr = {.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE,
        .qp_num = x.to->qp_num, .xrcd = x.domain, .qp_type = IBV_QPT_XRC_RECV};
    struct ibv_qp *again = SOME(ibv_open_qp(x.p->ctx, &attr));

    EQ(again->qp_num, x.to->qp_num);
    attr.qp_num = 0x99999;
    CHECK(!ibv_open_qp(x.p->ctx, &attr));
    OK(ibv_destroy_qp(x.from));
    OK(ibv_destroy_qp(x.to));
    OK(ibv_destroy_srq(x.srq[0]));
    OK(ibv_destroy_srq(x.srq[1]));
    EQ(ibv_close_xrcd(x.domain), EBUSY);
    free_pair(x.p);
}

/* Both sides are given what RC is given, as perftest does; the kernel drops what the side has no use for. */
static void xrc_all_attributes(void)
{
    struct xrc x = make_xrc();
    struct ibv_qp *qp[2] = {x.from, x.to};

    for (int i = 0; i < 2; i++) {
        struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET}, now = {0};
        struct ibv_qp_init_attr init;

        OK(ibv_modify_qp(qp[i], &attr, IBV_QP_STATE));
        to_init(qp[i]);
        attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qp[1 - i]->qp_num,
            .rq_psn = 7, .max_dest_rd_atomic = 4, .min_rnr_timer = 12,
            .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}}};
        OK(ibv_query_gid(x.p->ctx, 1, 1, &attr.ah_attr.grh.dgid));
        OK(ibv_modify_qp(qp[i], &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
            IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
        attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .sq_psn = 7, .timeout = 14, .retry_cnt = 6, .rnr_retry = 5,
            .max_rd_atomic = 3};
        OK(ibv_modify_qp(qp[i], &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
            IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC));
        OK(ibv_query_qp(qp[i], &now, IBV_QP_STATE, &init));
        EQ(now.qp_state, IBV_QPS_RTS);
        EQ(now.max_dest_rd_atomic, i ? 4 : 0);
        EQ(now.min_rnr_timer, i ? 12 : 0);
        EQ(now.max_rd_atomic, i ? 0 : 3);
        EQ(now.retry_cnt, i ? 0 : 6);
        EQ(now.rnr_retry, i ? 0 : 5);
    }
    free_xrc(&x);
}

/* The kernel rounds up what was asked for; zero is a queue of one. */
static void shared_of_none(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_srq_init_attr init = {.attr = {.max_wr = 0, .max_sge = 1}};
    struct ibv_srq *srq = SOME(ibv_create_srq(pd, &init));

    OK(ibv_destroy_srq(srq));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"ud-send", ud_send}, {"ud-not-received", ud_not_received}, {"ud-reordered", ud_reordered}, {"ud-ring-wrap",
        ud_ring_wrap}, {"ud-multicast", ud_multicast},
    {"uc", uc}, {"uc-error", uc_error}, {"shared", shared}, {"shared-limit", shared_limit}, {"xrc", xrc},
    {"xrc-wrong-queue", xrc_wrong_queue}, {"xrc-open", xrc_open},
    {"xrc-all-attributes", xrc_all_attributes}, {"shared-of-none", shared_of_none}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("transports", cases, argc, argv);
}
