/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives keys memory by libmlx5's mlx5dv_wr_mr_list, as KeyElementsProgram does by Java's data path, and writes each element of the send queue in
 * hexadecimal. The pieces have addresses of the program's choice, so that both are the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/mlx5dv.h>

#define MEMORY 65536
#define KEYS 60
#define ROOM 52
#define IOVA 0x1000000ull

#define OK(call) do { if (call) { fprintf(stderr, "%s: %s\n", #call, strerror(errno)); exit(1); } } while (0)

int device_sim_pump(int steps);

static struct ibv_context *context(const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    while (*list && strcmp(ibv_get_device_name(*list), name))
        list++;
    OK(!*list);
    return ibv_open_device(*list);
}

static void connect_to_itself(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qp->qp_num,
        .min_rnr_timer = 1, .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}}};
    OK(ibv_query_gid(qp->context, 1, 1, &attr.ah_attr.grh.dgid));
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7};
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_MAX_QP_RD_ATOMIC));
}

int main(int argc, char **argv)
{
    struct ibv_context *ctx = context(argv[argc - 1]);
    struct ibv_pd *pd = ibv_alloc_pd(ctx);
    struct ibv_cq *cq = ibv_create_cq(ctx, 64, NULL, NULL, 0);
    uint8_t *memory = aligned_alloc(4096, MEMORY);
    struct ibv_mr *mr = ibv_reg_mr_iova(pd, memory, MEMORY, IOVA, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_qp_init_attr_ex attr = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .pd = pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
        .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 828}};
    struct mlx5dv_qp_init_attr dv_attr = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS,
        .send_ops_flags = MLX5DV_QP_EX_WITH_MR_LIST};
    struct ibv_qp *qp = mlx5dv_create_qp(ctx, &attr, &dv_attr);
    struct mlx5dv_qp rings = {0};
    struct mlx5dv_obj obj = {.qp = {.in = qp, .out = &rings}};
    struct ibv_qp_ex *ex;
    unsigned block = 0;

    OK(!mr || !qp);
    ex = ibv_qp_to_qp_ex(qp);
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    connect_to_itself(qp);
    printf("qp %x lkey %x blocks %u\n", qp->qp_num, mr->lkey, rings.sq.wqe_cnt);
    for (unsigned i = 0; i < KEYS; i++) {
        struct mlx5dv_mkey_init_attr key_attr = {.pd = pd, .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT,
            .max_entries = ROOM};
        struct mlx5dv_mkey *key = mlx5dv_create_mkey(&key_attr);
        unsigned n = i * 7 % ROOM + 1, size = (128 + (n + 3) / 4 * 64) / 64;
        struct ibv_sge list[ROOM];
        struct ibv_wc wc;

        for (unsigned j = 0; j < n; j++)
            list[j] = (struct ibv_sge){.addr = IOVA + 1000 * j + i, .length = 1 + i + 3 * j, .lkey = mr->lkey};
        ibv_wr_start(ex);
        ex->wr_id = i;
        ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE | (i % 3 == 1 ? IBV_SEND_FENCE : 0);
        mlx5dv_wr_mr_list(mlx5dv_qp_ex_from_ibv_qp_ex(ex), key, i % 16 * 1u & IBV_ACCESS_REMOTE_ATOMIC ? 15 : i % 2 ? 5 : 7,
            (uint16_t)n, list);
        OK(ibv_wr_complete(ex));
        device_sim_pump(-1);
        OK(ibv_poll_cq(cq, 1, &wc) != 1 || wc.status);
        printf("%u ", n);
        for (unsigned b = 0; b < size * 64; b++)
            printf("%02x", ((uint8_t *)rings.sq.buf)[(block * 64 + b) % (rings.sq.wqe_cnt * 64)]);
        printf("\n");
        block += size;
    }
    return 0;
}
