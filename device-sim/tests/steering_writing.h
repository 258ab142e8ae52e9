/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests share that write entries of steering tables by hand. */
#ifndef STEERING_WRITING_H
#define STEERING_WRITING_H

#include "steering_kit.h"

#define STE 64
#define EREMOTE_IO 121
#define NOWHERE 0x8f00000000ull

static uint8_t frame[2000];

/* Memory of the device with entries, a table that begins with the first of them, and a rule that leads all there. */
struct writing {
    struct end *a;
    struct pair *p;
    struct ibv_dm *dm;
    struct ibv_mr *mr;
    bool egress; /* of what `a` sends; else of what arrives from there */
    uint64_t icm, drop;
    uint16_t function;
    struct mlx5dv_devx_obj *table;
    struct mlx5dv_flow_matcher *matcher;
    struct ibv_flow *flow;
    struct counter hits;
};

static inline uint64_t capability(struct ibv_context *ctx, unsigned kind, unsigned at, unsigned width)
{
    static uint8_t out[4112];
    uint8_t in[16] = {0};

    put_bits(in, 0, 16, 0x100);
    put_bits(in, 0x30, 16, kind << 1 | 1);
    OK(mlx5dv_devx_general_cmd(ctx, in, sizeof in, out, sizeof out));
    return take_bits(out, 0x80 + at, width);
}

static inline struct mlx5dv_devx_obj *try_table(struct ibv_context *ctx, unsigned type, bool software, unsigned level,
    uint64_t root,
    uint8_t out[16])
{
    uint8_t in[64] = {0};

    put_bits(in, 0, 16, 0x930);
    put_bits(in, 0x80, 8, type);
    put_bits(in, 0xc2, 1, software);
    put_bits(in, 0xc8, 8, level);
    put_bits(in, 0x1c0, 64, root);
    memset(out, 0, 16);
    return mlx5dv_devx_obj_create(ctx, in, sizeof in, out, 16);
}

static inline struct writing open_writing_of(bool egress)
{
    struct writing w = {.a = open_end(NULL), .p = make_pair(&(struct making){.index = !egress}), .egress = egress};
    struct ibv_context *ctx = w.p->ctx;
    struct mlx5dv_alloc_dm_attr icm = {.type = MLX5DV_DM_TYPE_STEERING_SW_ICM};
    struct match none = no_match();
    struct mlx5dv_flow_matcher_attr attr = {.type = IBV_FLOW_ATTR_NORMAL, .match_mask = &none.p,
        .comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE,
        .ft_type = egress ? MLX5DV_FLOW_TABLE_TYPE_NIC_TX : MLX5DV_FLOW_TABLE_TYPE_NIC_RX};
    struct mlx5dv_flow_action_attr to = {.type = MLX5DV_FLOW_ACTION_DEST_DEVX};
    struct mlx5dv_dm dm = {0};
    struct mlx5dv_obj obj = {.dm = {.out = &dm}};
    uint8_t out[16];

    dm.comp_mask = MLX5DV_DM_MASK_REMOTE_VA;
    w.dm = SOME(mlx5dv_alloc_dm(ctx, &(struct ibv_alloc_dm_attr){.length = 4096}, &icm));
    obj.dm.in = w.dm;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_DM));
    w.icm = dm.remote_va;
    w.mr = SOME(ibv_reg_dm_mr(w.p->pd, w.dm, 0, 4096, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE |
        IBV_ACCESS_REMOTE_WRITE));
    w.function = (uint16_t)capability(ctx, 0, 0x30, 16);
    w.drop = capability(ctx, 7, egress ? 0x2040 : 0x2000, 64);
    EQ(w.drop >> 48, w.function);
    w.hits = counter_of(ctx);
    w.table = SOME(try_table(ctx, egress, true, 64, w.icm, out));
    to.obj = w.table;
    w.matcher = SOME(mlx5dv_create_flow_matcher(ctx, &attr));
    w.flow = SOME(mlx5dv_create_flow(w.matcher, &none.p, 1, &to));
    return w;
}

static inline struct writing open_writing(void)
{
    return open_writing_of(false);
}

static inline void close_writing(struct writing *w)
{
    EQ(mlx5dv_devx_obj_destroy(w->table), EBUSY);
    OK(ibv_destroy_flow(w->flow));
    OK(mlx5dv_destroy_flow_matcher(w->matcher));
    OK(mlx5dv_devx_obj_destroy(w->table));
    OK(mlx5dv_devx_obj_destroy(w->hits.of));
    OK(ibv_dereg_mr(w->mr));
    OK(ibv_free_dm(w->dm));
    free_pair(w->p);
    close_end(w->a);
}

static inline struct ibv_send_wr *writing_of(struct writing *w, struct ibv_sge *sge, size_t at, const uint8_t *bytes,
    uint32_t n)
{
    static struct ibv_send_wr wr;

    memcpy(w->p->a.buf, bytes, n);
    *sge = piece(&w->p->a, 0, n);
    wr = request(IBV_WR_RDMA_WRITE, 3, sge);
    wr.wr.rdma.remote_addr = at;
    wr.wr.rdma.rkey = w->mr->rkey;
    return &wr;
}

static inline void put_entry(struct writing *w, unsigned nth, const uint8_t ste[STE])
{
    struct ibv_sge sge;

    post(w->p->a.qp, writing_of(w, &sge, (size_t)STE * nth, ste, STE));
    good(w->p->a.cq, 3, IBV_WC_RDMA_WRITE);
}

/* -- entries ------------------------------------------------------------------------------------- */

static inline void leads_to(uint8_t *ste, uint64_t address, uint64_t entries)
{
    uint64_t both = (address & 0xffffffffffull) >> 5 | entries;

    put_bits(ste, 0x38, 8, both >> 27);
    put_bits(ste, 0x40, 27, both);
}

static inline void misses_to(uint8_t *ste, uint64_t address)
{
    put_bits(ste, 0xd8, 8, address >> 32);
    put_bits(ste, 0xe0, 26, address >> 6);
}

/* By the destination; counted where it is the one, and dropped. */
static inline void make_entry(const struct writing *w, uint8_t ste[STE])
{
    memset(ste, 0, STE);
    put_bits(ste, 0x00, 4, w->egress ? 1 : 2);
    put_bits(ste, 0x08, 8, w->egress ? 0x06 : 0x1b);
    put_bits(ste, 0x20, 16, w->function);
    put_bits(ste, 0x30, 8, 0x0f);
    put_bits(ste, 0x70, 16, w->function);
    put_bits(ste, 0xb0, 16, w->hits.id);
    put_bits(ste, 0xd0, 8, w->hits.id >> 16);
    put_bits(ste, 0xc0, 16, w->function);
    leads_to(ste, w->drop, 1);
    misses_to(ste, w->drop);
    memcpy(ste + 32, frame, 6);
    memset(ste + 48, 0xff, 6);
}

#endif
