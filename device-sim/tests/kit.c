/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "kit.h"

#include <setjmp.h>
#include <stdarg.h>

static jmp_buf out;
static struct pair *pairs[16];
void (*after_case)(void);

void fail(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    printf("\n    %s:%d: ", file, line);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    longjmp(out, 1);
}

void skip(const char *why)
{
    printf("(skipped: %s) ", why);
    longjmp(out, 2);
}

/* 0, 1 for failed, 2 for skipped */
static int run_one(const struct test_case *c)
{
    int how = setjmp(out);

    if (!how)
        c->run();
    return how;
}

int run_cases(const char *program, const struct test_case *cases, int argc, char **argv)
{
    int failed = 0, ran = 0;

    setvbuf(stdout, NULL, _IONBF, 0);
    for (; cases->name; cases++) {
        bool wanted = argc < 2;
        int how;

        for (int i = 1; i < argc; i++)
            wanted |= !strcmp(argv[i], cases->name);
        if (!wanted)
            continue;
        printf("%s %s: ", program, cases->name);
        device_sim_reset_counts();
        device_sim_mode(DEVICE_SIM_PUMP);
        for (int kind = 0; kind < DEVICE_SIM_FAULT_KINDS; kind++)
            device_sim_fault(0, kind, 0, 0);
        device_sim_reorder(0, 1);
        device_sim_loss(0, 1);
        how = run_one(cases);
        printf("%s\n", how == 1 ? "  FAILED" : how ? "" : "ok");
        failed += how == 1;
        ran++;
        for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (pairs[i])
                free_pair(pairs[i]);
        if (after_case)
            after_case();
    }
    printf("%s: %d cases, %d failed\n", program, ran, failed);
    return failed || !ran ? 1 : 0;
}

struct ibv_context *open_nth(int index)
{
    int n;
    struct ibv_device **list = SOME(ibv_get_device_list(&n));
    struct ibv_context *ctx = NULL;
    char wanted[16];

    snprintf(wanted, sizeof wanted, "_%d", index);
    for (int i = 0; i < n; i++)
        if (strstr(ibv_get_device_name(list[i]), wanted))
            ctx = ibv_open_device(list[i]);
    ibv_free_device_list(list);
    return SOME(ctx);
}

static void make_side(struct pair *p, struct side *s, const struct making *how, struct ibv_srq *srq)
{
    s->buf = SOME(aligned_alloc(4096, BUFFER));
    memset(s->buf, 0, BUFFER);
    s->mr = SOME(ibv_reg_mr(p->pd, s->buf, BUFFER,
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
        IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND));
    s->cq = SOME(ibv_create_cq(p->ctx, how->cqe ? how->cqe : 255, NULL, how->channel, 0));
    if (how->send_ops) {
        struct ibv_qp_init_attr_ex ex = {
            .send_cq = s->cq, .recv_cq = s->cq, .srq = srq, .qp_type = how->type ? how->type : IBV_QPT_RC,
            .sq_sig_all = how->sig_all, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = p->pd,
            .send_ops_flags = (uint64_t)how->send_ops,
            .cap = {.max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 64},
        };

        s->qp = SOME(ibv_create_qp_ex(p->ctx, &ex));
    } else {
        uint32_t wr = how->wr ? (uint32_t)how->wr : 64, sge = how->sge ? (uint32_t)how->sge : 4;
        struct ibv_qp_init_attr attr = {
            .send_cq = s->cq, .recv_cq = s->cq, .srq = srq, .qp_type = how->type ? how->type : IBV_QPT_RC,
            .sq_sig_all = how->sig_all,
            .cap = {.max_send_wr = wr, .max_recv_wr = srq ? 0 : wr, .max_send_sge = sge, .max_recv_sge = srq ? 0 : sge,
                .max_inline_data = how->inline_data ? (uint32_t)how->inline_data : 64},
        };

        s->qp = SOME(ibv_create_qp(p->pd, &attr));
    }
}

void to_init(struct ibv_qp *qp)
{
    bool ud = qp->qp_type == IBV_QPT_UD;
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 0x11111111,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
    };

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | (ud ? IBV_QP_QKEY :
        IBV_QP_ACCESS_FLAGS)));
}

void to_rtr(struct ibv_qp *qp, uint32_t dest)
{
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = dest, .rq_psn = 7, .max_dest_rd_atomic = 4,
        .min_rnr_timer = 1, .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}},
    };
    int mask = IBV_QP_STATE;

    OK(ibv_query_gid(qp->context, 1, 1, &attr.ah_attr.grh.dgid));
    if (qp->qp_type != IBV_QPT_UD)
        mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (qp->qp_type == IBV_QPT_RC || qp->qp_type == IBV_QPT_XRC_RECV)
        mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    OK(ibv_modify_qp(qp, &attr, mask));
}

void to_rts(struct ibv_qp *qp, const struct pair *p)
{
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTS, .sq_psn = 7, .timeout = p ? p->timeout : 14, .retry_cnt = p ? p->retry : 7,
        .rnr_retry = p ? p->rnr_retry : 7, .max_rd_atomic = 4,
    };
    int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

    if (qp->qp_type == IBV_QPT_RC || qp->qp_type == IBV_QPT_XRC_SEND)
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    if (qp->qp_type == IBV_QPT_XRC_RECV)
        mask |= IBV_QP_TIMEOUT;
    OK(ibv_modify_qp(qp, &attr, mask));
}

void connect_pair(struct pair *p)
{
    to_init(p->a.qp);
    to_init(p->b.qp);
    to_rtr(p->a.qp, p->b.qp->qp_num);
    to_rtr(p->b.qp, p->a.qp->qp_num);
    to_rts(p->a.qp, p);
    to_rts(p->b.qp, p);
}

struct pair *make_pair(const struct making *how)
{
    static const struct making usual;
    struct pair *p = SOME(calloc(1, sizeof *p));
    unsigned i = 0;

    if (!how)
        how = &usual;
    while (pairs[i])
        i++;
    pairs[i] = p;
    p->rnr_retry = p->retry = 7;
    p->timeout = 14;
    p->ctx = how->srq ? how->srq->context : how->channel ? how->channel->context : open_nth(how->index);
    p->pd = how->srq ? how->srq->pd : SOME(ibv_alloc_pd(p->ctx));
    make_side(p, &p->a, how, NULL);
    make_side(p, &p->b, how, how->srq);
    if (!how->unconnected)
        connect_pair(p);
    return p;
}

static void free_side(struct side *s)
{
    if (s->qp)
        ibv_destroy_qp(s->qp);
    if (s->cq)
        ibv_destroy_cq(s->cq);
    if (s->mr)
        ibv_dereg_mr(s->mr);
    free(s->buf);
}

/* Whatever a failed case left behind goes with the context. */
void free_pair(struct pair *p)
{
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i] == p)
            pairs[i] = NULL;
    free_side(&p->a);
    free_side(&p->b);
    if (p->pd)
        ibv_dealloc_pd(p->pd);
    if (p->ctx)
        ibv_close_device(p->ctx);
    free(p);
}

struct ibv_sge piece(const struct side *s, size_t offset, uint32_t length)
{
    return (struct ibv_sge){.addr = (uintptr_t)(s->buf + offset), .length = length, .lkey = s->mr->lkey};
}

struct ibv_send_wr request(enum ibv_wr_opcode opcode, uint64_t id, struct ibv_sge *sge)
{
    return (struct ibv_send_wr){.wr_id = id, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED, .sg_list = sge,
        .num_sge = sge ? 1 : 0};
}

void to_remote(struct ibv_send_wr *wr, const struct side *s, size_t offset)
{
    wr->wr.rdma.remote_addr = (uintptr_t)(s->buf + offset);
    wr->wr.rdma.rkey = s->mr->rkey;
}

void post(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
    struct ibv_send_wr *first_bad;

    OK(ibv_post_send(qp, wr, &first_bad));
}

void receive(struct ibv_qp *qp, uint64_t id, struct ibv_sge *sge)
{
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = sge, .num_sge = sge ? 1 : 0}, *first_bad;

    OK(ibv_post_recv(qp, &wr, &first_bad));
}

struct ibv_wc completion(struct ibv_cq *cq)
{
    struct ibv_wc wc = {0};

    device_sim_pump(-1);
    EQ(ibv_poll_cq(cq, 1, &wc), 1);
    return wc;
}

void good(struct ibv_cq *cq, uint64_t id, enum ibv_wc_opcode opcode)
{
    struct ibv_wc wc = completion(cq);

    if (wc.status != IBV_WC_SUCCESS)
        fail(__FILE__, __LINE__, "work request %llu: %s", (unsigned long long)wc.wr_id, ibv_wc_status_str(wc.status));
    EQ(wc.wr_id, id);
    EQ(wc.opcode, opcode);
}

void bad(struct ibv_cq *cq, uint64_t id, enum ibv_wc_status status)
{
    struct ibv_wc wc = completion(cq);

    EQ(wc.wr_id, id);
    if (wc.status != status)
        fail(__FILE__, __LINE__, "work request %llu: %s, wanted %s", (unsigned long long)id,
            ibv_wc_status_str(wc.status), ibv_wc_status_str(status));
}

void nothing(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    device_sim_pump(-1);
    EQ(ibv_poll_cq(cq, 1, &wc), 0);
}

void no_violations(void)
{
    char text[512];

    if (device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS) || device_sim_count(DEVICE_SIM_COUNT_REMARKS)) {
        device_sim_message(text, sizeof text);
        fail(__FILE__, __LINE__, "violation or remark: %s", text);
    }
}

void expect_message(const char *part)
{
    char text[512];

    device_sim_message(text, sizeof text);
    if (!strstr(text, part))
        fail(__FILE__, __LINE__, "the message is '%s', wanted '%s'", text, part);
}

void fill(uint8_t *to, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; i++)
        to[i] = (uint8_t)((seed = seed * 1103515245 + 12345) >> 16);
}
