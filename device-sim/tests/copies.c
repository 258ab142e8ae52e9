/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Queue pairs of mlx5 that copy memory to memory. */
#include "kit.h"

#include <infiniband/mlx5dv.h>

#define MOST (1u << 20)

struct world {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *from, *to;
    uint8_t *ring;
};

/* Not connected to anybody: it needs no peer. NULL where this libmlx5 makes none. */
static struct ibv_qp *make_qp(struct world *w, uint64_t ops)
{
    struct ibv_qp_init_attr_ex ex = {.qp_type = IBV_QPT_RC, .send_cq = w->cq, .recv_cq = w->cq, .pd = w->pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .send_ops_flags = IBV_QP_EX_WITH_SEND,
        .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS, .send_ops_flags = ops};

    return mlx5dv_create_qp(w->ctx, &ex, &dv);
}

static void start(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 1, .rnr_retry = 1, .max_rd_atomic = 1};

    to_init(qp);
    to_rtr(qp, qp->qp_num);
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
        IBV_QP_MAX_QP_RD_ATOMIC));
}

static struct world open_world(void)
{
    struct world w = {.ctx = open_nth(0)};
    struct mlx5dv_qp dv = {0};
    struct mlx5dv_obj obj = {.qp = {.out = &dv}};

    w.pd = SOME(ibv_alloc_pd(w.ctx));
    w.cq = SOME(ibv_create_cq(w.ctx, 32, NULL, NULL, 0));
    w.qp = make_qp(&w, MLX5DV_QP_EX_WITH_MEMCPY);
    if (!w.qp)
        skip("this libmlx5 makes no such queue pairs");
    w.from = SOME(ibv_reg_mr(w.pd, SOME(calloc(1, MOST)), MOST, 0));
    w.to = SOME(ibv_reg_mr(w.pd, SOME(calloc(1, MOST)), MOST, IBV_ACCESS_LOCAL_WRITE));
    start(w.qp);
    obj.qp.in = w.qp;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    w.ring = dv.sq.buf;
    return w;
}

static void close_world(struct world *w)
{
    void *memory[] = {w->from->addr, w->to->addr};

    OK(ibv_destroy_qp(w->qp));
    OK(ibv_destroy_cq(w->cq));
    OK(ibv_dereg_mr(w->from));
    OK(ibv_dereg_mr(w->to));
    OK(ibv_dealloc_pd(w->pd));
    OK(ibv_close_device(w->ctx));
    free(memory[0]);
    free(memory[1]);
}

static uint64_t at(const struct ibv_mr *mr, size_t offset)
{
    return (uintptr_t)mr->addr + offset;
}

static int post_copy(struct ibv_qp *qp, uint64_t id, uint32_t to, uint64_t to_addr, uint32_t from, uint64_t from_addr, size_t n)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

    ibv_wr_start(ex);
    ex->wr_id = id;
    ex->wr_flags = IBV_SEND_SIGNALED;
    mlx5dv_wr_memcpy(mlx5dv_qp_ex_from_ibv_qp_ex(ex), to, to_addr, from, from_addr, n);
    return ibv_wr_complete(ex);
}

static void sizes(void)
{
    static const uint32_t size[] = {1, 64, 32768, 32769, 100000, MOST};
    struct world w = open_world();
    uint8_t *from = w.from->addr, *to = w.to->addr;

    for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
        size_t shift = MOST - size[i] < 100 ? 0 : 33;

        fill(from, MOST, i);
        memset(to, 0, MOST);
        OK(post_copy(w.qp, i, w.to->lkey, at(w.to, shift), w.from->lkey, at(w.from, 2 * shift), size[i]));
        good(w.cq, i, (enum ibv_wc_opcode)MLX5DV_WC_MEMCPY);
        CHECK(!memcmp(to + shift, from + 2 * shift, size[i]));
        CHECK(shift + size[i] == MOST || !to[shift + size[i]]);
    }
    EQ(post_copy(w.qp, 9, w.to->lkey, at(w.to, 0), w.from->lkey, at(w.from, 0), MOST + 1), EINVAL);
    no_violations();
    close_world(&w);
}

/* The keys are the process' own: what is copied to must be writable, of both all must be there. */
static void keys(void)
{
    for (unsigned wrong = 0; wrong < 5; wrong++) {
        struct world w = open_world();
        struct ibv_pd *pd = SOME(ibv_alloc_pd(w.ctx));
        struct ibv_mr *other = SOME(ibv_reg_mr(pd, w.to->addr, MOST, IBV_ACCESS_LOCAL_WRITE));
        uint32_t to = wrong == 0 ? w.from->lkey : wrong == 1 ? other->lkey : w.to->lkey;
        uint32_t from = wrong == 2 ? other->lkey : w.from->lkey;

        OK(post_copy(w.qp, 1, to, at(wrong == 0 ? w.from : w.to, wrong == 3 ? MOST - 99 : 0), from,
            wrong == 2 ? at(w.to, 0) : at(w.from, wrong == 4 ? MOST - 99 : 0), 100));
        bad(w.cq, 1, IBV_WC_LOC_PROT_ERR);
        no_violations();
        OK(ibv_dereg_mr(other));
        OK(ibv_dealloc_pd(pd));
        close_world(&w);
    }
}

/* A reset takes the permission away, and libmlx5 asks for it again. */
static void after_reset(void)
{
    struct world w = open_world();
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};

    OK(ibv_modify_qp(w.qp, &attr, IBV_QP_STATE));
    start(w.qp);
    OK(post_copy(w.qp, 1, w.to->lkey, at(w.to, 0), w.from->lkey, at(w.from, 0), 100));
    good(w.cq, 1, (enum ibv_wc_opcode)MLX5DV_WC_MEMCPY);
    no_violations();
    close_world(&w);
}

/* Two in one batch, so that there is no second copy of the first; that is changed before the device looks. */
static void judged(void)
{
    static const struct {
        unsigned byte;
        uint8_t value;
        const char *says;
    } wrong[] = {
        {0, 2, "the opcode modifier is 0x02, a copy's is 1"}, {16, 1, "reserved bytes of the metadata segment are set"},
        {35, 101, "from here"}, {32, 0x10, "the device copies up to"}, {51, 0, "a copy of 0x0 bytes"}, {7, 3, "too small for the copy segment"},
    };

    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct world w = open_world();
        struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(w.qp);
        uint64_t before = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);

        ibv_wr_start(ex);
        ex->wr_flags = IBV_SEND_SIGNALED;
        for (int n = 0; n < 2; n++) {
            ex->wr_id = (uint64_t)n;
            mlx5dv_wr_memcpy(mlx5dv_qp_ex_from_ibv_qp_ex(ex), w.to->lkey, at(w.to, 0), w.from->lkey, at(w.from, 0), 100);
        }
        OK(ibv_wr_complete(ex));
        w.ring[wrong[i].byte] = wrong[i].value;
        bad(w.cq, 0, IBV_WC_LOC_QP_OP_ERR);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), before + 1);
        expect_message(wrong[i].says);
        close_world(&w);
    }
}

/* Nor is it executed where it was not asked for. */
static void not_made_for_it(void)
{
    struct world w = open_world();
    struct ibv_qp *qp = w.qp;
    struct mlx5dv_qp dv = {0};
    struct mlx5dv_obj obj = {.qp = {.out = &dv}};
    struct ibv_qp_ex *ex;

    w.qp = SOME(make_qp(&w, 0));
    start(w.qp);
    obj.qp.in = w.qp;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    ex = ibv_qp_to_qp_ex(w.qp);
    ibv_wr_start(ex);
    for (int n = 0; n < 2; n++) {
        ex->wr_id = (uint64_t)n;
        ex->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_send(ex);
        ibv_wr_set_sge(ex, w.from->lkey, at(w.from, 0), 8);
    }
    OK(ibv_wr_complete(ex));
    ((uint8_t *)dv.sq.buf)[3] = 0x2f;
    bad(w.cq, 0, IBV_WC_LOC_QP_OP_ERR);
    expect_message("the queue pair was not made for copies");
    OK(ibv_destroy_qp(qp));
    close_world(&w);
}

static const struct test_case cases[] = {
    {"sizes", sizes}, {"keys", keys}, {"after-reset", after_reset}, {"judged", judged},
    {"not-made-for-it", not_made_for_it}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("copies", cases, argc, argv);
}
