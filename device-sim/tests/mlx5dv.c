/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What libmlx5 offers besides the verbs: pages, the clock, allocators of rings, completion queues and queue pairs of its own. */
#include "kit.h"

#include <infiniband/mlx5dv.h>
#include <sys/mman.h>

static void register_pages(void)
{
    static const uint32_t types[] = {MLX5DV_UAR_ALLOC_TYPE_BF, MLX5DV_UAR_ALLOC_TYPE_NC};
    struct ibv_context *ctx = open_nth(0);

    for (unsigned i = 0; i < 2; i++) {
        struct mlx5dv_devx_uar *uar = SOME(mlx5dv_devx_alloc_uar(ctx, types[i]));
        struct mlx5dv_devx_uar *again = SOME(mlx5dv_devx_alloc_uar(ctx, types[i]));

        CHECK(uar->base_addr && (uint8_t *)uar->reg_addr >= (uint8_t *)uar->base_addr + 0x800);
        CHECK(uar->mmap_off);
        CHECK(uar->page_id);
        EQ(uar == again, types[i] == MLX5DV_UAR_ALLOC_TYPE_NC); /* of that kind a context has one */
        mlx5dv_devx_free_uar(uar);
        mlx5dv_devx_free_uar(again);
    }
    OK(ibv_close_device(ctx));
    no_violations();
}

static void virtio_pages(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_var *var[16];
    uint32_t *page;

    for (unsigned i = 0; i < 16; i++) {
        var[i] = SOME(mlx5dv_alloc_var(ctx, 0));
        EQ(var[i]->page_id, i);
        EQ(var[i]->length, 4096);
    }
    CHECK(!mlx5dv_alloc_var(ctx, 0));
    EQ(errno, ENOMEM);
    CHECK(!mlx5dv_alloc_var(ctx, 8));
    EQ(errno, EOPNOTSUPP);
    page = mmap(NULL, var[3]->length, PROT_READ | PROT_WRITE, MAP_SHARED, ctx->cmd_fd, (off_t)var[3]->mmap_off);
    CHECK(page != MAP_FAILED);
    page[7] = 99;
    EQ(page[7], 99);
    OK(munmap(page, 4096));
    for (unsigned i = 0; i < 16; i++) {
        off_t at = (off_t)var[i]->mmap_off;

        mlx5dv_free_var(var[i]);
        CHECK(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, ctx->cmd_fd, at) == MAP_FAILED);
    }
    OK(ibv_close_device(ctx));
}

static void clock_info(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_clock_info info;

    OK(mlx5dv_get_clock_info(ctx, &info));
    EQ(mlx5dv_ts_to_ns(&info, 123456), 123456);
    OK(ibv_close_device(ctx));
}

static unsigned long long allocated, freed;

static void *take(size_t size, void *data)
{
    void *to = aligned_alloc(4096, (size + 4095) / 4096 * 4096);

    CHECK(data == &allocated);
    memset(to, 0, size);
    allocated += size;
    return to;
}

static void give(void *at, void *data)
{
    CHECK(data == &allocated);
    freed++;
    free(at);
}

static void allocators(void)
{
    struct mlx5dv_ctx_allocators a = {take, give, &allocated};
    struct ibv_context *ctx = open_nth(0);
    struct ibv_cq *cq;

    OK(mlx5dv_set_context_attr(ctx, MLX5DV_CTX_ATTR_BUF_ALLOCATORS, &a));
    cq = SOME(ibv_create_cq(ctx, 100, NULL, NULL, 0));
    CHECK(allocated >= 128 * 64);
    OK(ibv_destroy_cq(cq));
    OK(ibv_close_device(ctx));
    CHECK(freed >= 1);
    EQ(mlx5dv_set_context_attr(ctx = open_nth(0), 99, &a), ENOTSUP);
    OK(ibv_close_device(ctx));
}

static struct ibv_cq *make_cq(struct ibv_context *ctx, uint16_t size, uint32_t flags)
{
    struct ibv_cq_init_attr_ex attr = {.cqe = 63};
    struct mlx5dv_cq_init_attr dv = {.comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE, .cqe_size = size};
    struct ibv_cq_ex *cq;

    if (flags) {
        dv.comp_mask |= MLX5DV_CQ_INIT_ATTR_MASK_FLAGS;
        dv.flags = flags;
    }
    cq = mlx5dv_create_cq(ctx, &attr, &dv);
    return cq ? ibv_cq_ex_to_cq(cq) : NULL;
}

/* Messages of up to 32 bytes travel in the entry, of up to 64 in one of 128 that is not padded. */
static void sizes_of_entries(void)
{
    static const struct { uint16_t size; uint32_t flags; } kinds[] = {{64, 0}, {128, 0}, {128,
        MLX5DV_CQ_INIT_ATTR_FLAGS_CQE_PAD}};

    for (unsigned i = 0; i < 3; i++) {
        struct pair *p = make_pair(&(struct making){.unconnected = true});
        struct ibv_cq *cq = SOME(make_cq(p->ctx, kinds[i].size, kinds[i].flags)), *usual = p->b.cq;
        struct ibv_qp_init_attr attr = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
            .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
        struct mlx5dv_cq dv = {0};
        struct mlx5dv_obj obj = {.cq = {.in = cq, .out = &dv}};

        OK(ibv_destroy_qp(p->b.qp));
        OK(ibv_destroy_cq(usual));
        p->b.cq = cq;
        p->b.qp = SOME(ibv_create_qp(p->pd, &attr));
        connect_pair(p);
        for (uint32_t length = 1; length < 150; length += 7) {
            struct ibv_sge from = piece(&p->a, 0, length), to = piece(&p->b, 0, 200);
            struct ibv_send_wr wr = request(IBV_WR_SEND, length, &from);

            fill(p->a.buf, length, length);
            receive(p->b.qp, length, &to);
            post(p->a.qp, &wr);
            good(p->a.cq, length, IBV_WC_SEND);
            good(cq, length, IBV_WC_RECV);
            CHECK(!memcmp(p->a.buf, p->b.buf, length));
        }
        OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
        EQ(dv.cqe_size, kinds[i].size);
        no_violations();
        free_pair(p);
    }
}

static void refused(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_cq_init_attr_ex attr = {.cqe = 63};
    struct mlx5dv_cq_init_attr dv = {.comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE, .cqe_comp_res_format = 1};

    CHECK(!mlx5dv_create_cq(ctx, &attr, &dv));
    EQ(errno, EINVAL);
    CHECK(!make_cq(ctx, 96, 0));
    CHECK(!make_cq(ctx, 64, MLX5DV_CQ_INIT_ATTR_FLAGS_CQE_PAD));
    OK(ibv_close_device(ctx));
}

static struct ibv_qp *make_qp(struct pair *p, uint32_t flags)
{
    struct ibv_qp_init_attr_ex ex = {.qp_type = IBV_QPT_RC, .send_cq = p->a.cq, .recv_cq = p->a.cq, .pd = p->pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD, .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1}};
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS, .create_flags = flags};

    return mlx5dv_create_qp(p->ctx, &ex, &dv);
}

static void flags_of_queue_pairs(void)
{
    static const uint32_t fine[] = {0, MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE, MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE,
        MLX5DV_QP_CREATE_PACKET_BASED_CREDIT_MODE};
    struct pair *p = make_pair(NULL);

    for (unsigned i = 0; i < sizeof fine / sizeof *fine; i++) {
        struct ibv_qp *usual = p->b.qp;
        struct ibv_sge from = piece(&p->a, 0, 20), to = piece(&p->b, 0, 200);
        struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

        OK(ibv_destroy_qp(p->a.qp));
        OK(ibv_destroy_qp(usual));
        p->a.qp = SOME(make_qp(p, fine[i]));
        p->b.qp = SOME(make_qp(p, fine[i]));
        connect_pair(p);
        receive(p->b.qp, 2, &to);
        post(p->a.qp, &wr);
        good(p->a.cq, 2, IBV_WC_RECV);
        good(p->a.cq, 1, IBV_WC_SEND);
    }
    CHECK(!make_qp(p, MLX5DV_QP_CREATE_TUNNEL_OFFLOADS)); /* the device knows of none */
    CHECK(!make_qp(p, 1u << 30));
    no_violations();
    OK(ibv_destroy_qp(p->b.qp)); /* it uses the queue of the other side */
    p->b.qp = NULL;
    free_pair(p);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"register-pages", register_pages}, {"virtio-pages", virtio_pages}, {"clock-info", clock_info},
        {"allocators", allocators}, {"sizes-of-entries", sizes_of_entries}, {"refused", refused},
        {"flags-of-queue-pairs", flags_of_queue_pairs}, {0},
    };

    return run_cases("mlx5dv", cases, argc, argv);
}
