/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared receive queues that match tags: the list, messages with their data, announced ones, counts. `run
 * --infiniband`.
 */
#include "kit.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/tm_types.h>

#define TAGS 100u
#define HEADER sizeof(struct ibv_tmh)

struct matcher {
    struct pair *p; /* side a sends, side b has the queue */
    struct ibv_srq *srq;
    struct ibv_cq_ex *cq;
    uint32_t unexpected; /* messages, as the process counts them */
};

static void connect_to(struct ibv_qp *qp, uint32_t dest, const struct pair *p, uint16_t lid)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .rq_psn = 7, .max_dest_rd_atomic = 4,
        .dest_qp_num = dest, .min_rnr_timer = 1, .ah_attr = {.port_num = 1, .dlid = lid}};

    to_init(qp);
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    to_rts(qp, p);
}

static struct matcher make(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_cq_init_attr_ex cq = {.cqe = 255, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO};
    struct matcher m = {.cq = SOME(ibv_create_cq_ex(ctx, &cq))};
    struct ibv_srq_init_attr_ex attr = {.attr = {.max_wr = 50, .max_sge = 2}, .pd = SOME(ibv_alloc_pd(ctx)),
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM,
        .srq_type = IBV_SRQT_TM, .cq = ibv_cq_ex_to_cq(m.cq), .tm_cap = {.max_num_tags = TAGS, .max_ops = 20}};
    struct ibv_port_attr port;

    m.srq = SOME(ibv_create_srq_ex(ctx, &attr));
    m.srq->pd = attr.pd; /* which libibverbs leaves out */
    m.p = make_pair(&(struct making){.srq = m.srq, .unconnected = true});
    OK(ibv_query_port(ctx, 1, &port));
    connect_to(m.p->a.qp, m.p->b.qp->qp_num, m.p, port.lid);
    connect_to(m.p->b.qp, m.p->a.qp->qp_num, m.p, port.lid);
    return m;
}

/* What make_pair did not make outlives the pair, as the pair's queues use it. */
static void unmake(struct matcher *m)
{
    OK(ibv_destroy_qp(m->p->a.qp));
    OK(ibv_destroy_qp(m->p->b.qp));
    m->p->a.qp = m->p->b.qp = NULL;
    OK(ibv_destroy_srq(m->srq));
    OK(ibv_destroy_cq(ibv_cq_ex_to_cq(m->cq)));
    free_pair(m->p);
}

/* -- the list ---------------------------------------------------------------------------------- */

static struct ibv_ops_wr operation(const struct matcher *m, enum ibv_ops_wr_opcode opcode, uint64_t id, int flags)
{
    return (struct ibv_ops_wr){.wr_id = id, .opcode = opcode, .flags = flags, .tm = {.unexpected_cnt = m->unexpected}};
}

static void post_operation(struct matcher *m, struct ibv_ops_wr *wr)
{
    struct ibv_ops_wr *bad;

    OK(ibv_post_srq_ops(m->srq, wr, &bad));
    device_sim_pump(-1);
}

/* A tag, for `length` bytes of side b's memory; its handle. */
static uint32_t append(struct matcher *m, uint64_t tag, uint64_t mask, size_t at, uint32_t length, int flags)
{
    struct ibv_ops_wr wr = operation(m, IBV_WR_TAG_ADD, 1000 + tag, flags);
    struct ibv_sge memory = piece(&m->p->b, at, length);

    wr.tm.add.recv_wr_id = 2000 + tag;
    wr.tm.add.tag = tag;
    wr.tm.add.mask = mask;
    wr.tm.add.sg_list = &memory;
    wr.tm.add.num_sge = length ? 1 : 0;
    post_operation(m, &wr);
    return wr.tm.handle;
}

struct seen {
    uint64_t id, tag;
    uint32_t priv, length;
    int status, opcode, flags;
};

static struct seen entry(struct matcher *m)
{
    struct ibv_poll_cq_attr attr = {0};
    struct ibv_wc_tm_info info;
    struct seen s = {0};

    device_sim_pump(-1);
    OK(ibv_start_poll(m->cq, &attr));
    s.status = m->cq->status;
    s.id = m->cq->wr_id;
    if (s.status == IBV_WC_SUCCESS || s.status == IBV_WC_TM_ERR || s.status == IBV_WC_TM_RNDV_INCOMPLETE) {
        s.opcode = ibv_wc_read_opcode(m->cq);
        s.flags = (int)ibv_wc_read_wc_flags(m->cq);
        s.length = ibv_wc_read_byte_len(m->cq);
        ibv_wc_read_tm_info(m->cq, &info);
        s.tag = info.tag;
        s.priv = info.priv;
    }
    ibv_end_poll(m->cq);
    return s;
}

static void no_entry(struct matcher *m)
{
    struct ibv_poll_cq_attr attr = {0};

    device_sim_pump(-1);
    EQ(ibv_start_poll(m->cq, &attr), ENOENT);
}

static void expect(struct matcher *m, uint64_t id, int opcode, int flags)
{
    struct seen s = entry(m);

    EQ(s.status, IBV_WC_SUCCESS);
    EQ(s.opcode, opcode);
    EQ(s.id, id);
    EQ(s.flags, flags);
}

/* -- messages ---------------------------------------------------------------------------------- */

static void post_message(struct matcher *m, uint8_t op, uint64_t tag, uint32_t priv, uint32_t payload)
{
    struct ibv_tmh h = {.opcode = op, .app_ctx = htobe32(priv), .tag = htobe64(tag)};
    struct ibv_sge sge = piece(&m->p->a, 0, (uint32_t)HEADER + payload);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);

    fill(m->p->a.buf, HEADER + payload, (unsigned)tag);
    memcpy(m->p->a.buf, &h, sizeof h);
    post(m->p->a.qp, &wr);
}

static void send_message(struct matcher *m, uint8_t op, uint64_t tag, uint32_t priv, uint32_t payload)
{
    post_message(m, op, tag, priv, payload);
    good(m->p->a.cq, 1, IBV_WC_SEND);
}

static void receive_shared(struct matcher *m, uint64_t id, size_t at)
{
    struct ibv_sge room = piece(&m->p->b, at, 1000);
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &room, .num_sge = 1}, *bad;

    OK(ibv_post_srq_recv(m->srq, &wr, &bad));
}

static void expect_message_at(struct matcher *m, uint64_t id, uint64_t tag, uint32_t priv, uint32_t payload, size_t at)
{
    struct seen s = entry(m);

    EQ(s.status, IBV_WC_SUCCESS);
    EQ(s.opcode, IBV_WC_TM_RECV);
    EQ(s.flags, IBV_WC_TM_MATCH | IBV_WC_TM_DATA_VALID);
    EQ(s.id, id);
    EQ(s.tag, tag);
    EQ(s.priv, priv);
    EQ(s.length, payload);
    CHECK(!memcmp(m->p->b.buf + at, m->p->a.buf + HEADER, payload));
    EQ(m->p->b.buf[at + payload], 0);
}

static void eager(void)
{
    struct matcher m = make();

    append(&m, 0x77, 0xff, 0, 200, 0);
    append(&m, 0x2000, 0xf000, 1000, 300, IBV_OPS_SIGNALED);
    expect(&m, 1000 + 0x2000, IBV_WC_TM_ADD, 0);
    append(&m, 0x2005, ~0ull, 2000, 50000, IBV_OPS_SIGNALED);
    expect(&m, 1000 + 0x2005, IBV_WC_TM_ADD, 0);
    append(&m, 9, ~0ull, 0, 0, 0);
    receive_shared(&m, 99, 500000);
    /* the first one that matches, and not the one that does best */
    send_message(&m, IBV_TMH_EAGER, 0x2005, 0xabcdef01, 300);
    expect_message_at(&m, 2000 + 0x2000, 0x2005, 0xabcdef01, 300, 1000);
    send_message(&m, IBV_TMH_EAGER, 0xff00000077, 5, 0);
    expect_message_at(&m, 2000 + 0x77, 0xff00000077, 5, 0, 0);
    send_message(&m, IBV_TMH_EAGER, 0x2005, 6, 50000); /* in two packets */
    expect_message_at(&m, 2000 + 0x2005, 0x2005, 6, 50000, 2000);
    send_message(&m, IBV_TMH_EAGER, 9, 7, 0);
    expect_message_at(&m, 2000 + 9, 9, 7, 0, 200000);
    no_entry(&m);
    no_violations();
    unmake(&m);
}

static void receives(void)
{
    struct matcher m = make();
    struct seen s;

    append(&m, 5, ~0ull, 0, 200, 0);
    receive_shared(&m, 90, 10000);
    receive_shared(&m, 91, 20000);
    receive_shared(&m, 92, 30000);
    send_message(&m, IBV_TMH_EAGER, 6, 1, 100);
    s = entry(&m);
    EQ(s.opcode, IBV_WC_TM_RECV);
    EQ(s.id, 90);
    EQ(s.flags, 0);
    EQ(s.tag, 0);
    EQ(s.length, HEADER + 100);
    CHECK(!memcmp(m.p->b.buf + 10000, m.p->a.buf, HEADER + 100)); /* with its header */
    send_message(&m, IBV_TMH_NO_TAG, 5, 1, 10);
    s = entry(&m);
    EQ(s.opcode, IBV_WC_TM_NO_TAG);
    EQ(s.id, 91);
    CHECK(!memcmp(m.p->b.buf + 20000, m.p->a.buf, HEADER + 10));
    send_message(&m, IBV_TMH_FIN, 5, 1, 0);
    expect(&m, 92, IBV_WC_TM_NO_TAG, 0);
    no_violations();
    unmake(&m);
}

/* A tag that comes when the process does not know of a message waits until it says so. */
static void phases(void)
{
    struct matcher m = make();
    struct ibv_ops_wr sync;

    receive_shared(&m, 90, 10000);
    receive_shared(&m, 91, 20000);
    append(&m, 4, ~0ull, 0, 100, IBV_OPS_SIGNALED);
    expect(&m, 1000 + 4, IBV_WC_TM_ADD, 0);
    send_message(&m, IBV_TMH_EAGER, 8, 1, 20);
    expect(&m, 90, IBV_WC_TM_RECV, 0);
    append(&m, 8, ~0ull, 1000, 100, IBV_OPS_SIGNALED);
    expect(&m, 1000 + 8, IBV_WC_TM_ADD, IBV_WC_TM_SYNC_REQ);
    send_message(&m, IBV_TMH_EAGER, 8, 1, 20);
    expect(&m, 91, IBV_WC_TM_RECV, 0);
    send_message(&m, IBV_TMH_EAGER, 4, 1, 20); /* the older ones still match */
    expect_message_at(&m, 2000 + 4, 4, 1, 20, 0);
    m.unexpected = 1;
    sync = operation(&m, IBV_WR_TAG_SYNC, 50, IBV_OPS_SIGNALED | IBV_OPS_TM_SYNC);
    post_operation(&m, &sync);
    expect(&m, 50, IBV_WC_TM_SYNC, 0);
    receive_shared(&m, 92, 30000);
    send_message(&m, IBV_TMH_EAGER, 8, 1, 20);
    expect(&m, 92, IBV_WC_TM_RECV, 0); /* it were two; and now three */
    m.unexpected = 3;
    append(&m, 12, ~0ull, 2000, 100, IBV_OPS_SIGNALED | IBV_OPS_TM_SYNC);
    expect(&m, 1000 + 12, IBV_WC_TM_ADD, 0);
    send_message(&m, IBV_TMH_EAGER, 8, 1, 20);
    expect_message_at(&m, 2000 + 8, 8, 1, 20, 1000);
    send_message(&m, IBV_TMH_EAGER, 12, 1, 20);
    expect_message_at(&m, 2000 + 12, 12, 1, 20, 2000);
    no_violations();
    unmake(&m);
}

static void removed(void)
{
    struct matcher m = make();
    struct ibv_ops_wr del;
    uint32_t first = append(&m, 1, ~0ull, 0, 100, 0), second = append(&m, 2, ~0ull, 1000, 100, 0);
    struct seen s;

    CHECK(first != second);
    del = operation(&m, IBV_WR_TAG_DEL, 60, IBV_OPS_SIGNALED);
    del.tm.handle = first;
    post_operation(&m, &del);
    expect(&m, 60, IBV_WC_TM_DEL, 0);
    receive_shared(&m, 90, 10000);
    send_message(&m, IBV_TMH_EAGER, 1, 1, 20);
    expect(&m, 90, IBV_WC_TM_RECV, 0);
    post_message(&m, IBV_TMH_EAGER, 2, 1, 20);
    device_sim_pump(-1);
    del = operation(&m, IBV_WR_TAG_DEL, 61, IBV_OPS_SIGNALED); /* too late */
    del.tm.handle = second;
    post_operation(&m, &del);
    expect_message_at(&m, 2000 + 2, 2, 1, 20, 1000);
    s = entry(&m);
    EQ(s.status, IBV_WC_TM_ERR);
    EQ(s.id, 61);
    EQ(s.opcode, IBV_WC_TM_DEL);
    no_violations();
    unmake(&m);
}

/* -- announced messages ------------------------------------------------------------------------ */

static void announce(struct matcher *m, uint64_t tag, uint32_t rkey, size_t at, uint32_t length)
{
    struct {
        struct ibv_tmh tmh;
        struct ibv_rvh rvh;
    } h = {{.opcode = IBV_TMH_RNDV, .app_ctx = htobe32(0x1234567 + (uint32_t)tag), .tag = htobe64(tag)},
        {.va = htobe64((uintptr_t)m->p->a.buf + at), .rkey = htobe32(rkey), .len = htobe32(length)}};
    struct ibv_sge sge = piece(&m->p->a, 0, sizeof h);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);

    memcpy(m->p->a.buf, &h, sizeof h);
    post(m->p->a.qp, &wr);
    device_sim_pump(-1);
}

static void announced(void)
{
    struct matcher m = make();
    struct ibv_sge room[2] = {piece(&m.p->a, 1000, 100), piece(&m.p->a, 2000, 100)};
    struct ibv_tmh end;
    struct seen s;

    append(&m, 3, ~0ull, 0, 70000, 0);
    append(&m, 4, ~0ull, 100000, 100, 0);
    receive(m.p->a.qp, 70, &room[0]);
    receive(m.p->a.qp, 71, &room[1]);
    fill(m.p->a.buf + 200000, 60000, 8);
    announce(&m, 3, m.p->a.mr->rkey, 200000, 60000);
    announce(&m, 4, m.p->a.mr->rkey, 0, 0);
    s = entry(&m);
    EQ(s.status, IBV_WC_SUCCESS);
    EQ(s.opcode, IBV_WC_TM_RECV);
    EQ(s.flags, IBV_WC_TM_MATCH);
    EQ(s.id, 2000 + 3);
    EQ(s.tag, 3);
    EQ(s.priv, 0x1234567 + 3);
    s = entry(&m);
    EQ(s.opcode, IBV_WC_TM_RECV);
    EQ(s.flags, IBV_WC_TM_DATA_VALID);
    EQ(s.id, 2000 + 3);
    EQ(s.length, 60000);
    CHECK(!memcmp(m.p->b.buf, m.p->a.buf + 200000, 60000));
    EQ(m.p->b.buf[60000], 0);
    expect(&m, 2000 + 4, IBV_WC_TM_RECV, IBV_WC_TM_MATCH);
    expect(&m, 2000 + 4, IBV_WC_TM_RECV, IBV_WC_TM_DATA_VALID);
    no_entry(&m);
    for (uint64_t i = 0; i < 2; i++) {
        good(m.p->a.cq, 1, IBV_WC_SEND);
        good(m.p->a.cq, 70 + i, IBV_WC_RECV);
    }
    memcpy(&end, m.p->a.buf + 1000, sizeof end);
    EQ(end.opcode, IBV_TMH_FIN);
    EQ(be64toh(end.tag), 3);
    EQ(be32toh(end.app_ctx), 0x1234567 + 3);
    no_violations();
    unmake(&m);
}

static void announced_in_vain(void)
{
    struct matcher m = make();
    struct seen s;

    append(&m, 3, ~0ull, 0, 1000, 0);
    append(&m, 4, ~0ull, 0, 1000, 0);
    announce(&m, 3, m.p->a.mr->rkey + 1, 200000, 600);
    s = entry(&m);
    EQ(s.flags, IBV_WC_TM_MATCH);
    s = entry(&m);
    EQ(s.status, IBV_WC_TM_RNDV_INCOMPLETE);
    EQ(s.id, 2000 + 3);
    EQ(m.p->b.buf[0], 0);
    unmake(&m);
}

/* Announced, but nothing matches: as it came. */
static void announced_unexpected(void)
{
    struct matcher m = make();

    append(&m, 3, ~0ull, 0, 1000, 0);
    receive_shared(&m, 90, 10000);
    announce(&m, 5, m.p->a.mr->rkey, 200000, 600);
    expect(&m, 90, IBV_WC_TM_RECV, 0);
    CHECK(!memcmp(m.p->b.buf + 10000, m.p->a.buf, 32));
    no_entry(&m);
    unmake(&m);
}

static void too_long(void)
{
    struct matcher m = make();

    append(&m, 3, ~0ull, 0, 100, 0);
    post_message(&m, IBV_TMH_EAGER, 3, 1, 101);
    bad(m.p->a.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    expect_message("the message is longer than the memory for it");
    EQ(m.p->b.buf[0], 0);
    no_entry(&m);
    unmake(&m);
}

/* -- what is refused --------------------------------------------------------------------------- */

static void limits(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_device_attr_ex attr;
    struct ibv_cq_init_attr_ex cq = {.cqe = 10, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO};
    struct ibv_srq_init_attr_ex srq = {.attr = {.max_wr = 50, .max_sge = 1}, .pd = SOME(ibv_alloc_pd(ctx)),
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM,
        .srq_type = IBV_SRQT_TM, .cq = ibv_cq_ex_to_cq(SOME(ibv_create_cq_ex(ctx, &cq))), .tm_cap = {.max_ops = 2}};

    OK(ibv_query_device_ex(ctx, NULL, &attr));
    EQ(attr.tm_caps.flags, IBV_TM_CAP_RC);
    EQ(attr.tm_caps.max_num_tags, 127);
    EQ(attr.tm_caps.max_rndv_hdr_size, 64);
    EQ(attr.tm_caps.max_sge, 1);
    srq.tm_cap.max_num_tags = 128;
    CHECK(!ibv_create_srq_ex(ctx, &srq));
    OK(ibv_destroy_cq(srq.cq));
    OK(ibv_dealloc_pd(srq.pd));
    OK(ibv_close_device(ctx));
}

/* A descriptor by hand, which appends tag 5 but for the byte that is wrong. */
static void by_hand(struct matcher *m, unsigned at, uint8_t value, uint8_t ds)
{
    struct mlx5dv_qp q = {0};
    struct mlx5dv_obj obj = {.qp = {.in = m->p->b.qp, .out = &q}};
    uint8_t *wqe;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    wqe = q.sq.buf;
    memset(wqe, 0, 64);
    mlx5dv_set_ctrl_seg((void *)wqe, 0, MLX5_OPCODE_TAG_MATCHING, 0, m->p->b.qp->qp_num, 0, ds, 0, 0);
    wqe[16] = 1 << 4;
    wqe[17] = 0x80;
    wqe[19] = 1;
    wqe[39] = 5;
    memset(wqe + 40, 0xff, 8);
    mlx5dv_set_data_seg((void *)(wqe + 48), 100, m->p->b.mr->lkey, (uintptr_t)m->p->b.buf);
    wqe[at] = value;
    q.dbrec[MLX5_SND_DBR] = htobe32(1);
    __atomic_store_n((uint64_t *)q.bf.reg, *(uint64_t *)wqe, __ATOMIC_RELEASE);
    device_sim_pump(-1);
}

static void wrong(unsigned at, uint8_t value, uint8_t ds, const char *message)
{
    struct matcher m = make();
    long violations = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);

    by_hand(&m, at, value, ds);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), violations + (message ? 1 : 0));
    if (message) {
        expect_message(message);
        no_entry(&m);
    } else {
        receive_shared(&m, 90, 10000);
        post_message(&m, IBV_TMH_EAGER, 5, 1, 20);
        good(m.p->a.cq, 1, IBV_WC_SEND);
        CHECK(!memcmp(m.p->b.buf, m.p->a.buf + HEADER, 20));
    }
    unmake(&m);
}

static void descriptors(void)
{
    wrong(16, 0x10, 4, NULL);
    wrong(16, 0x11, 4, "the operation 0x11 on tags is not known");
    wrong(16, 0x30, 4, "the operation 0x30 on tags is not known");
    wrong(17, 0x81, 4, "reserved flags of an operation on tags are set: 0x81");
    wrong(19, 0, 4, "the index 0 for the next tag is in use");
    wrong(19, TAGS + 1, 4, "not of this list of 100");
    wrong(16, 0x10, 3, "ds is 3, an operation on tags has 4");
    wrong(16, 0x20, 4, "ds is 4, an operation on tags has 3");
    wrong(48, 0x80, 4, "a data segment of 0x80000064 bytes");
    wrong(51, 0, 4, "memory of 0 bytes has the key");
}

static void in_use(void)
{
    struct matcher m = make();

    append(&m, 6, ~0ull, 0, 100, 0);
    by_hand(&m, 19, 0, 4);
    expect_message("the index 0 for the next tag is in use");
    unmake(&m);
}

/* In an error state it is flushed, and does nothing. */
static void flushed(void)
{
    struct matcher m = make();
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    struct ibv_wc wc;

    OK(ibv_modify_qp(m.p->b.qp, &attr, IBV_QP_STATE));
    by_hand(&m, 17, 0x80, 4);
    no_entry(&m);
    EQ(ibv_poll_cq(m.p->b.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
    unmake(&m);
}

/* Of a queue pair without such a list; a key of the application's own mistake. */
static void others(void)
{
    struct matcher m = make();
    struct mlx5dv_qp q = {0};
    struct mlx5dv_obj obj = {.qp = {.in = m.p->a.qp, .out = &q}};
    struct ibv_ops_wr wr = operation(&m, IBV_WR_TAG_ADD, 1, IBV_OPS_SIGNALED);
    struct ibv_sge memory = piece(&m.p->b, 0, 10);
    uint8_t *wqe;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    wqe = q.sq.buf;
    mlx5dv_set_ctrl_seg((void *)wqe, 0, MLX5_OPCODE_TAG_MATCHING, 0, m.p->a.qp->qp_num, 0, 3, 0, 0);
    memset(wqe + 16, 0, 32);
    q.dbrec[MLX5_SND_DBR] = htobe32(1);
    __atomic_store_n((uint64_t *)q.bf.reg, *(uint64_t *)wqe, __ATOMIC_RELEASE);
    device_sim_pump(-1);
    expect_message("the queue pair has no shared receive queue that matches them");
    memory.lkey++;
    wr.tm.add.sg_list = &memory;
    wr.tm.add.num_sge = 1;
    post_operation(&m, &wr);
    expect_message("no such key");
    EQ(entry(&m).status, IBV_WC_LOC_PROT_ERR);
    unmake(&m);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"eager", eager},
        {"receives", receives},
        {"phases", phases},
        {"removed", removed},
        {"announced", announced},
        {"announced-in-vain", announced_in_vain},
        {"announced-unexpected", announced_unexpected},
        {"too-long", too_long},
        {"limits", limits},
        {"descriptors", descriptors},
        {"in-use", in_use},
        {"flushed", flushed},
        {"others", others},
        {NULL, NULL},
    };

    return run_cases("tags", cases, argc, argv);
}
