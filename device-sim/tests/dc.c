/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Dynamically connected transport, through libmlx5 and by hand. */
#include "kit.h"

#include <dlfcn.h>
#include <infiniband/mlx5dv.h>

#define KEY 0x1122334455667788ull
#define ALL_OPS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_WRITE | \
    IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | \
    IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)
#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

struct world {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct ibv_cq *cq, *target_cq;
    struct ibv_srq *srq;
    struct ibv_qp *dci, *dct;
    struct ibv_mr *mr;
    struct ibv_ah *ah;
    uint8_t *buf;
};

static struct ibv_qp *create(struct world *w, enum mlx5dv_dc_type type, uint64_t key)
{
    bool target = type == MLX5DV_DCTYPE_DCT;
    struct ibv_qp_init_attr_ex ex = {
        .qp_type = IBV_QPT_DRIVER, .send_cq = target ? w->target_cq : w->cq, .recv_cq = target ? w->target_cq : w->cq,
        .srq = target ? w->srq : NULL, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = w->pd,
    };
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC, .dc_init_attr = {.dc_type = type}};

    if (target) {
        dv.dc_init_attr.dct_access_key = key;
    } else {
        ex.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
        ex.send_ops_flags = ALL_OPS;
        ex.cap = (struct ibv_qp_cap){.max_send_wr = 16, .max_send_sge = 2, .max_inline_data = 64};
    }
    return mlx5dv_create_qp(w->ctx, &ex, &dv);
}

static void start_target(struct ibv_qp *qp, unsigned access)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access};

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    EQ(qp->qp_num, 0);
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .min_rnr_timer = 1,
        .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}}};
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU));
    CHECK(qp->qp_num);
}

static void start_initiator(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .path_mtu = IBV_MTU_1024, .sq_psn = 7,
        .timeout = 14, .retry_cnt = 2, .rnr_retry = 2, .max_rd_atomic = 1};

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT));
    attr.qp_state = IBV_QPS_RTR;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PATH_MTU));
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_SQ_PSN));
}

static struct world make_world(void)
{
    struct world w = {.ctx = open_nth(0)};
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = 64, .max_sge = 2}};
    struct ibv_ah_attr path = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}};

    w.pd = SOME(ibv_alloc_pd(w.ctx));
    w.cq = SOME(ibv_create_cq(w.ctx, 63, NULL, NULL, 0));
    w.target_cq = SOME(ibv_create_cq(w.ctx, 63, NULL, NULL, 0));
    w.srq = SOME(ibv_create_srq(w.pd, &srq));
    w.buf = SOME(aligned_alloc(4096, BUFFER));
    memset(w.buf, 0, BUFFER);
    w.mr = SOME(ibv_reg_mr(w.pd, w.buf, BUFFER, ACCESS));
    OK(ibv_query_gid(w.ctx, 1, 1, &path.grh.dgid));
    w.ah = SOME(ibv_create_ah(w.pd, &path));
    w.dct = SOME(create(&w, MLX5DV_DCTYPE_DCT, KEY));
    w.dci = SOME(create(&w, MLX5DV_DCTYPE_DCI, 0));
    start_target(w.dct, ACCESS & ~IBV_ACCESS_LOCAL_WRITE);
    start_initiator(w.dci);
    return w;
}

static void end_world(struct world *w)
{
    OK(ibv_destroy_qp(w->dci));
    if (w->dct)
        OK(ibv_destroy_qp(w->dct));
    OK(ibv_destroy_ah(w->ah));
    OK(ibv_dereg_mr(w->mr));
    OK(ibv_destroy_srq(w->srq));
    OK(ibv_destroy_cq(w->cq));
    OK(ibv_destroy_cq(w->target_cq));
    OK(ibv_dealloc_pd(w->pd));
    OK(ibv_close_device(w->ctx));
    free(w->buf);
}

static void take(struct world *w, uint64_t id, size_t at, uint32_t length)
{
    struct ibv_sge sge = {.addr = (uintptr_t)(w->buf + at), .length = length, .lkey = w->mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1}, *first_bad;

    OK(ibv_post_srq_recv(w->srq, &wr, &first_bad));
}

enum { TARGET_AT = BUFFER / 2 };

/* The opcode's builder is called by the caller between begin and finish. */
static struct ibv_qp_ex *begin(struct ibv_qp *dci, uint64_t id)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(dci);

    ibv_wr_start(ex);
    ex->wr_id = id;
    ex->wr_flags = IBV_SEND_SIGNALED;
    return ex;
}

static void finish(struct world *w, struct ibv_qp_ex *ex, uint32_t dctn, uint64_t key, size_t at, uint32_t length)
{
    mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(ex), w->ah, dctn, key);
    ibv_wr_set_sge(ex, w->mr->lkey, (uintptr_t)(w->buf + at), length);
    OK(ibv_wr_complete(ex));
}

static void send_to(struct world *w, struct ibv_qp *dci, uint32_t dctn, uint64_t key, uint64_t id, uint32_t length)
{
    struct ibv_qp_ex *ex = begin(dci, id);

    ibv_wr_send(ex);
    finish(w, ex, dctn, key, 0, length);
}

static void sends(void)
{
    struct world w = make_world();
    struct ibv_qp_ex *ex;
    struct ibv_wc wc;

    fill(w.buf, 100000, 1);
    take(&w, 1, TARGET_AT, 100000);
    send_to(&w, w.dci, w.dct->qp_num, KEY, 2, 100000);
    good(w.cq, 2, IBV_WC_SEND);
    wc = completion(w.target_cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.wr_id, 1);
    EQ(wc.byte_len, 100000);
    EQ(wc.qp_num, w.dct->qp_num);
    CHECK(!memcmp(w.buf, w.buf + TARGET_AT, 100000));

    take(&w, 3, TARGET_AT, 64);
    ex = begin(w.dci, 4);
    ibv_wr_send_imm(ex, 77);
    mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(ex), w.ah, w.dct->qp_num, KEY);
    ibv_wr_set_inline_data(ex, w.buf + 64, 40);
    OK(ibv_wr_complete(ex));
    good(w.cq, 4, IBV_WC_SEND);
    wc = completion(w.target_cq);
    EQ(wc.imm_data, 77);
    CHECK(!memcmp(w.buf + 64, w.buf + TARGET_AT, 40));
    no_violations();
    end_world(&w);
}

static void memory(void)
{
    struct world w = make_world();
    uint64_t there = (uintptr_t)(w.buf + TARGET_AT), *word = (uint64_t *)(w.buf + TARGET_AT);
    uint32_t dctn = w.dct->qp_num;
    struct ibv_qp_ex *ex;
    struct ibv_wc wc;

    fill(w.buf, 70000, 2);
    ex = begin(w.dci, 1);
    ibv_wr_rdma_write(ex, w.mr->rkey, there);
    finish(&w, ex, dctn, KEY, 0, 70000);
    good(w.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(w.buf, w.buf + TARGET_AT, 70000));

    take(&w, 9, 0, 8);
    ex = begin(w.dci, 2);
    ibv_wr_rdma_write_imm(ex, w.mr->rkey, there, 5);
    finish(&w, ex, dctn, KEY, 64, 16);
    good(w.cq, 2, IBV_WC_RDMA_WRITE);
    wc = completion(w.target_cq);
    EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
    EQ(wc.imm_data, 5);

    ex = begin(w.dci, 3);
    ibv_wr_rdma_read(ex, w.mr->rkey, there);
    finish(&w, ex, dctn, KEY, 200000, 70000);
    good(w.cq, 3, IBV_WC_RDMA_READ);
    CHECK(!memcmp(w.buf + 200000, w.buf + TARGET_AT, 70000));

    *word = 40;
    ex = begin(w.dci, 4);
    ibv_wr_atomic_fetch_add(ex, w.mr->rkey, there, 2);
    finish(&w, ex, dctn, KEY, 0, 8);
    good(w.cq, 4, IBV_WC_FETCH_ADD);
    EQ(*word, 42);
    EQ(*(uint64_t *)w.buf, 40);
    ex = begin(w.dci, 5);
    ibv_wr_atomic_cmp_swp(ex, w.mr->rkey, there, 42, 7);
    finish(&w, ex, dctn, KEY, 0, 8);
    good(w.cq, 5, IBV_WC_COMP_SWAP);
    EQ(*word, 7);
    no_violations();
    end_world(&w);
}

/* An initiator that got it wrong is in error; the target goes on with others. */
static void wrong_key(void)
{
    struct world w = make_world();
    struct ibv_qp *other = SOME(create(&w, MLX5DV_DCTYPE_DCI, 0));

    start_initiator(other);
    take(&w, 1, TARGET_AT, 64);
    send_to(&w, w.dci, w.dct->qp_num, KEY + 1, 2, 8);
    bad(w.cq, 2, IBV_WC_REM_ACCESS_ERR);
    expect_message("access key");
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    send_to(&w, w.dci, w.dct->qp_num, KEY, 3, 8);
    bad(w.cq, 3, IBV_WC_WR_FLUSH_ERR);
    nothing(w.target_cq);
    send_to(&w, other, w.dct->qp_num, KEY, 4, 8);
    good(w.cq, 4, IBV_WC_SEND);
    good(w.target_cq, 1, IBV_WC_RECV);
    OK(ibv_destroy_qp(other));
    end_world(&w);
}

static void no_such_target(void)
{
    struct world w = make_world();

    send_to(&w, w.dci, w.dci->qp_num, KEY, 1, 8); /* a queue pair, but no target */
    bad(w.cq, 1, IBV_WC_RETRY_EXC_ERR);
    no_violations();
    end_world(&w);
}

static void access_flags(void)
{
    struct world w = make_world();
    struct ibv_qp *shy = SOME(create(&w, MLX5DV_DCTYPE_DCT, KEY));
    struct ibv_qp_ex *ex;

    start_target(shy, 0);
    ex = begin(w.dci, 1);
    ibv_wr_rdma_write(ex, w.mr->rkey, (uintptr_t)(w.buf + TARGET_AT));
    finish(&w, ex, shy->qp_num, KEY, 0, 8);
    bad(w.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    OK(ibv_destroy_qp(shy));
    end_world(&w);
}

static void not_ready(void)
{
    struct world w = make_world();

    send_to(&w, w.dci, w.dct->qp_num, KEY, 1, 8);
    bad(w.cq, 1, IBV_WC_RNR_RETRY_EXC_ERR);
    end_world(&w);
}

/* One initiator to two targets in turn, and two initiators to one target. */
static void many(void)
{
    struct world w = make_world();
    struct ibv_qp *target = SOME(create(&w, MLX5DV_DCTYPE_DCT, ~KEY)), *initiator = SOME(create(&w,
        MLX5DV_DCTYPE_DCI, 0));

    start_target(target, 0);
    start_initiator(initiator);
    CHECK(target->qp_num != w.dct->qp_num);
    for (uint64_t i = 0; i < 100; i++) {
        struct ibv_qp *to = i & 1 ? target : w.dct;
        struct ibv_wc wc;

        take(&w, i, TARGET_AT, 64);
        send_to(&w, i & 2 ? w.dci : initiator, to->qp_num, i & 1 ? ~KEY : KEY, i, 33);
        good(w.cq, i, IBV_WC_SEND);
        wc = completion(w.target_cq);
        EQ(wc.wr_id, i);
        EQ(wc.qp_num, to->qp_num);
    }
    no_violations();
    OK(ibv_destroy_qp(target));
    OK(ibv_destroy_qp(initiator));
    end_world(&w);
}

/* The answer is lost; what is sent again is not done again. */
static void repeated(void)
{
    struct world w = make_world();
    uint64_t *word = (uint64_t *)(w.buf + TARGET_AT);
    struct ibv_qp_ex *ex;

    *word = 5;
    OK(device_sim_fault(w.dci->qp_num, DEVICE_SIM_FAULT_DROP_ANSWER, 0, 1));
    ex = begin(w.dci, 1);
    ibv_wr_atomic_fetch_add(ex, w.mr->rkey, (uintptr_t)word, 1);
    finish(&w, ex, w.dct->qp_num, KEY, 0, 8);
    good(w.cq, 1, IBV_WC_FETCH_ADD);
    EQ(*word, 6);
    EQ(*(uint64_t *)w.buf, 5);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RETRIES) >= 1);
    end_world(&w);
}

/* After a reset the sequence numbers begin again, and are not taken for repetitions. */
static void reset(void)
{
    struct world w = make_world();

    for (uint64_t i = 0; i < 3; i++) {
        struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};

        take(&w, i, TARGET_AT, 64);
        send_to(&w, w.dci, w.dct->qp_num, KEY, i, 8);
        good(w.cq, i, IBV_WC_SEND);
        good(w.target_cq, i, IBV_WC_RECV);
        OK(ibv_modify_qp(w.dci, &attr, IBV_QP_STATE));
        start_initiator(w.dci);
    }
    no_violations();
    end_world(&w);
}

static void states(void)
{
    struct world w = make_world();
    struct ibv_qp *dct = SOME(create(&w, MLX5DV_DCTYPE_DCT, KEY)), *dci = SOME(create(&w, MLX5DV_DCTYPE_DCI, 0));
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
    struct ibv_qp_init_attr init;

    CHECK(ibv_query_qp(dct, &attr, IBV_QP_STATE, &init)); /* not before it is ready */
    attr.qp_state = IBV_QPS_INIT;
    EQ(ibv_modify_qp(dct, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT), EINVAL); /* no access flags */
    EQ(ibv_modify_qp(dci, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), EINVAL);
    attr.qp_state = IBV_QPS_ERR;
    EQ(ibv_modify_qp(dci, &attr, IBV_QP_STATE), EINVAL); /* out of RESET */
    start_target(dct, 0);
    attr.qp_state = IBV_QPS_RTS;
    EQ(ibv_modify_qp(dct, &attr, IBV_QP_STATE), EINVAL);
    attr.qp_state = IBV_QPS_RESET;
    EQ(ibv_modify_qp(dct, &attr, IBV_QP_STATE), EINVAL);
    OK(ibv_query_qp(dct, &attr, IBV_QP_STATE | IBV_QP_PATH_MTU, &init));
    EQ(attr.qp_state, IBV_QPS_RTR);
    EQ(attr.path_mtu, IBV_MTU_1024);
    start_initiator(dci);
    attr.qp_state = IBV_QPS_ERR;
    OK(ibv_modify_qp(dci, &attr, IBV_QP_STATE));
    OK(ibv_destroy_qp(dct));
    OK(ibv_destroy_qp(dci));
    end_world(&w);
}

/* What is only remarked upon. */
static void reserved(uint8_t *av) { av[17] = 1; }

/* A request of 16 bytes to a target, by hand, with `change` applied. */
static void by_hand(void (*change)(uint8_t *av), const char *message)
{
    bool remarked = change == reserved;
    struct world w = make_world();
    struct mlx5dv_qp qp = {0};
    struct mlx5dv_ah ah = {0};
    struct mlx5dv_obj obj = {.qp = {.in = w.dci, .out = &qp}, .ah = {.in = w.ah, .out = &ah}};
    struct ibv_wc wc;
    struct {
        struct mlx5_wqe_ctrl_seg ctrl;
        struct mlx5_wqe_datagram_seg to;
        struct mlx5_wqe_data_seg data;
    } wqe = {0};
    uint64_t value;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP | MLX5DV_OBJ_AH));
    take(&w, 1, TARGET_AT, 64);
    mlx5dv_set_ctrl_seg(&wqe.ctrl, 0, MLX5_OPCODE_SEND, 0, w.dci->qp_num, MLX5_WQE_CTRL_CQ_UPDATE, 5, 0, 0);
    wqe.to.av = *ah.av;
    wqe.to.av.key.dc_key = htobe64(KEY);
    wqe.to.av.dqp_dct = htobe32(w.dct->qp_num | MLX5_EXTENDED_UD_AV);
    mlx5dv_set_data_seg(&wqe.data, 16, w.mr->lkey, (uintptr_t)w.buf);
    if (change)
        change((uint8_t *)&wqe.to.av);
    memcpy(qp.sq.buf, &wqe, sizeof wqe);
    __atomic_store_n(&qp.dbrec[MLX5_SND_DBR], htobe32(2), __ATOMIC_RELEASE);
    memcpy(&value, &wqe, 8);
    __atomic_store_n((uint64_t *)qp.bf.reg, value, __ATOMIC_RELEASE);
    device_sim_pump(-1);
    if (remarked) {
        expect_message(message);
        EQ(device_sim_count(DEVICE_SIM_COUNT_REMARKS), 1);
        good(w.target_cq, 1, IBV_WC_RECV);
    } else if (message) {
        expect_message(message);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
        EQ(ibv_poll_cq(w.cq, 1, &wc), 1); /* its id is the library's business */
        EQ(wc.status, IBV_WC_LOC_QP_OP_ERR);
    } else {
        no_violations();
        good(w.target_cq, 1, IBV_WC_RECV);
    }
    end_world(&w);
}

static void no_extension(uint8_t *av) { av[8] = 0; }
static void before_number(uint8_t *av) { av[8] |= 1; }

static void reserved_bytes(void) { by_hand(reserved, "reserved bytes of the address vector"); }
static void right_by_hand(void) { by_hand(NULL, NULL); }
static void extension_bit(void) { by_hand(no_extension, "extension bit"); }
static void target_number(void) { by_hand(before_number, "in front of the DC target number"); }

static void parents(void)
{
    struct world w = make_world();
    struct ibv_srq *srq = w.srq;

    EQ(ibv_destroy_srq(w.srq), EBUSY);
    w.srq = NULL;
    CHECK(!create(&w, MLX5DV_DCTYPE_DCT, KEY)); /* a target has to have one */
    w.srq = srq;
    OK(ibv_destroy_qp(w.dct));
    w.dct = NULL;
    end_world(&w);
}

/* -- streams ----------------------------------------------------------------------------------- */

static struct ibv_qp *create_with_streams(struct world *w, uint8_t log_streams, uint8_t log_errors)
{
    struct ibv_qp_init_attr_ex ex = {
        .qp_type = IBV_QPT_DRIVER, .send_cq = w->cq, .recv_cq = w->cq, .pd = w->pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .send_ops_flags = ALL_OPS,
        .cap = {.max_send_wr = 16, .max_send_sge = 2, .max_inline_data = 64},
    };
    struct mlx5dv_qp_init_attr dv = {
        .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC | MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS,
        .dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCI,
            .dci_streams = {.log_num_concurent = log_streams, .log_num_errored = log_errors}},
    };

    return mlx5dv_create_qp(w->ctx, &ex, &dv);
}

/* A write of 8 bytes on a stream; what becomes of it. */
static enum ibv_wc_status on_stream(struct world *w, struct ibv_qp *dci, uint16_t stream, uint32_t lkey)
{
    struct ibv_qp_ex *ex = begin(dci, stream);
    struct ibv_wc wc;

    ibv_wr_rdma_write(ex, w->mr->rkey, (uintptr_t)(w->buf + TARGET_AT));
    mlx5dv_wr_set_dc_addr_stream(mlx5dv_qp_ex_from_ibv_qp_ex(ex), w->ah, w->dct->qp_num, KEY, stream);
    ibv_wr_set_sge(ex, lkey, (uintptr_t)w->buf, 8);
    OK(ibv_wr_complete(ex));
    wc = completion(w->cq);
    EQ(wc.wr_id, stream);
    return wc.status;
}

static int state(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr;
    struct ibv_qp_init_attr init;

    OK(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init));
    return (int)attr.qp_state;
}

static void streams(void)
{
    __typeof__(mlx5dv_dci_stream_id_reset) *reset = dlsym(RTLD_DEFAULT, "mlx5dv_dci_stream_id_reset");
    struct ibv_qp_attr to_reset = {.qp_state = IBV_QPS_RESET};
    struct world w;
    struct ibv_qp *dci;
    uint32_t good_key;

    if (!reset)
        skip("this libmlx5 has no streams");
    w = make_world();
    good_key = w.mr->lkey;
    CHECK(!create_with_streams(&w, 6, 1));
    CHECK(!create_with_streams(&w, 1, 5));
    dci = SOME(create_with_streams(&w, 2, 1)); /* the second error is the last */
    start_initiator(dci);
    EQ(on_stream(&w, dci, 1, 0xabcd00), IBV_WC_LOC_PROT_ERR);
    EQ(state(dci), IBV_QPS_RTS);
    EQ(on_stream(&w, dci, 0x203, good_key), IBV_WC_SUCCESS);
    EQ(on_stream(&w, dci, 1, good_key), IBV_WC_WR_FLUSH_ERR);
    EQ(on_stream(&w, dci, 1, good_key), IBV_WC_WR_FLUSH_ERR);
    EQ(state(dci), IBV_QPS_RTS); /* it has failed once */
    CHECK(reset(dci, 0x100));
    OK(reset(dci, 1));
    CHECK(reset(dci, 1));
    EQ(on_stream(&w, dci, 1, good_key), IBV_WC_SUCCESS);
    EQ(on_stream(&w, dci, 0x300, 0xabcd00), IBV_WC_LOC_PROT_ERR);
    EQ(on_stream(&w, dci, 3, 0xabcd00), IBV_WC_LOC_PROT_ERR);
    EQ(state(dci), IBV_QPS_ERR);
    EQ(on_stream(&w, dci, 5, good_key), IBV_WC_WR_FLUSH_ERR);
    OK(ibv_modify_qp(dci, &to_reset, IBV_QP_STATE));
    start_initiator(dci);
    EQ(on_stream(&w, dci, 3, good_key), IBV_WC_SUCCESS);
    CHECK(reset(w.dci, 0)); /* which has none */
    no_violations();
    OK(ibv_destroy_qp(dci));
    end_world(&w);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"sends", sends}, {"memory", memory}, {"wrong-key", wrong_key}, {"no-such-target", no_such_target},
        {"access-flags", access_flags}, {"not-ready", not_ready}, {"many", many}, {"repeated", repeated},
        {"reset", reset}, {"states", states}, {"parents", parents}, {"right-by-hand", right_by_hand},
        {"extension-bit", extension_bit}, {"target-number", target_number}, {"reserved-bytes", reserved_bytes}, {"streams", streams}, {0},
    };

    return run_cases("dc", cases, argc, argv);
}
