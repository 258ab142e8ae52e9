/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs whose receives are not taken in their order: how they become such, what is in the completions, and of
 * the ring half.
 */
#include "kit.h"
#include "raw_command.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <rdma/mlx5-abi.h>

#define EXTENDED 0x80000000u

/* Which state it goes to, and the vendor's wish. 0 or an errno. */
static int modify(struct ibv_qp *qp, uint8_t state, uint32_t mask, uint32_t wish)
{
    struct ib_uverbs_ex_modify_qp in = {.base = {.qp_handle = qp->handle, .attr_mask = mask, .qp_state = state,
        .port_num = 1,
        .qkey = 0x11111111, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE}};
    struct ib_uverbs_ex_modify_qp_resp out;
    struct mlx5_ib_modify_qp own = {.comp_mask = wish};
    struct mlx5_ib_modify_qp_resp own_out;
    struct ib_uverbs_attr attrs[] = {pointed(UVERBS_ATTR_CORE_IN, &in, sizeof in), pointed(UVERBS_ATTR_CORE_OUT, &out,
        sizeof out),
        number(UVERBS_ATTR_WRITE_CMD, 8, EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_QP), pointed(UVERBS_ATTR_UHW_IN, &own,
            sizeof own),
        pointed(UVERBS_ATTR_UHW_OUT, &own_out, sizeof own_out)};

    return raw_command(qp->context, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, attrs, 5) ? errno : 0;
}

#define TO_INIT (IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT)

/* Side b takes them out of order, or both in order. */
static struct pair *unordered(uint32_t wish)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});

    to_init(p->a.qp);
    to_init(p->b.qp); /* so that libmlx5 knows; then once more */
    OK(modify(p->b.qp, IBV_QPS_INIT, IBV_QP_STATE, wish));
    to_rtr(p->a.qp, p->b.qp->qp_num);
    to_rtr(p->b.qp, p->a.qp->qp_num);
    to_rts(p->a.qp, p);
    to_rts(p->b.qp, p);
    return p;
}

/* Three messages into four receives, of which the numbers are those of the bytes. The ring's indexes that they took. */
static void send_three(struct pair *p, uint16_t index[3])
{
    struct mlx5dv_cq cq = {0};
    struct mlx5dv_obj obj = {.cq = {.in = p->b.cq, .out = &cq}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    for (uint64_t i = 0; i < 4; i++) {
        struct ibv_sge room = piece(&p->b, i * 1000, 100);

        receive(p->b.qp, 10 + i, &room);
    }
    for (uint64_t i = 0; i < 3; i++) {
        struct ibv_sge sge = piece(&p->a, i * 1000, 60);
        struct ibv_send_wr wr = request(IBV_WR_SEND, 20 + i, &sge);

        fill(p->a.buf + i * 1000, 60, (unsigned)i + 1);
        post(p->a.qp, &wr);
        good(p->a.cq, 20 + i, IBV_WC_SEND);
        index[i] = be16toh(((struct mlx5_cqe64 *)((uint8_t *)cq.buf + i * cq.cqe_size))->wqe_counter);
        CHECK(!memcmp(p->a.buf + i * 1000, p->b.buf + index[i] * 1000ul, 60));
    }
}

static void taken(uint32_t wish, int depth, const uint16_t wanted[3])
{
    struct pair *p = unordered(wish);
    uint16_t index[3];

    OK(device_sim_reorder(depth, 1));
    send_three(p, index);
    OK(device_sim_reorder(0, 0));
    for (int i = 0; i < 3; i++)
        EQ(index[i], wanted[i]);
    no_violations();
    free_pair(p);
}

static void receives(void)
{
    taken(1, 4, (const uint16_t[]){1, 0, 3});
    taken(1, 0, (const uint16_t[]){0, 1, 2}); /* nothing is reordered */
    taken(0, 4, (const uint16_t[]){0, 1, 2});
}

/* The receive that was left behind is flushed as well. */
static void flushed(void)
{
    struct pair *p = unordered(1);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    uint16_t index[3];
    struct ibv_wc wc;
    int n = 0;

    OK(device_sim_reorder(4, 1));
    send_three(p, index); /* 2 is left */
    OK(ibv_modify_qp(p->b.qp, &attr, IBV_QP_STATE));
    device_sim_pump(-1);
    OK(device_sim_reorder(0, 0));
    while (ibv_poll_cq(p->b.cq, 1, &wc) == 1)
        n++;
    EQ(n, 4);
    free_pair(p);
}

static void half_a_ring(void)
{
    struct pair *p = unordered(1);
    struct mlx5dv_qp b = {0};
    struct mlx5dv_obj obj = {.qp = {.in = p->b.qp, .out = &b}};
    struct ibv_sge sge = piece(&p->a, 0, 4);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    b.dbrec[MLX5_RCV_DBR] = htobe32(b.rq.wqe_cnt / 2 + 1);
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("receives, of which half the ring has");
    free_pair(p);
}

static void refused(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true}),
        *ud = make_pair(&(struct making){.type = IBV_QPT_UD,
        .unconnected = true});

    EQ(modify(p->a.qp, IBV_QPS_INIT, TO_INIT | IBV_QP_ACCESS_FLAGS, 2), EOPNOTSUPP);
    EQ(modify(ud->a.qp, IBV_QPS_INIT, TO_INIT | IBV_QP_QKEY, 1), EOPNOTSUPP);
    OK(modify(p->b.qp, IBV_QPS_INIT, TO_INIT | IBV_QP_ACCESS_FLAGS, 1));
    OK(modify(p->b.qp, IBV_QPS_RESET, IBV_QP_STATE, 0));
    EQ(modify(p->b.qp, IBV_QPS_ERR, IBV_QP_STATE, 1), EINVAL);
    free_pair(ud);
    free_pair(p);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"receives", receives},
        {"flushed", flushed},
        {"half-a-ring", half_a_ring},
        {"refused", refused},
        {NULL, NULL},
    };

    return run_cases("out_of_order", cases, argc, argv);
}
