/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* General objects of DevX, and other things of libmlx5's that have a number and little else. */
#include "devx_kit.h"

#include <dlfcn.h>

#define SHARE MLX5DV_SCHED_ELEM_ATTR_FLAGS_BW_SHARE
#define MAX MLX5DV_SCHED_ELEM_ATTR_FLAGS_MAX_AVG_BW

/* Newer than the oldest release that this runs with. */
#define NEWER(name) __typeof__(name) *f_##name = dlsym(RTLD_DEFAULT, #name); if (!f_##name) skip("this libmlx5 has no " #name)

static void object(unsigned opcode, unsigned type)
{
    command(opcode);
    set(0x30, 16, type);
}

static struct mlx5dv_devx_obj *make(struct ibv_context *ctx, size_t length)
{
    return mlx5dv_devx_obj_create(ctx, in, length, out, 16);
}

/* The device refuses to make what the mailbox has, because of the bit at `at`. */
static void refused(struct ibv_context *ctx, size_t length, unsigned status, unsigned at)
{
    CHECK(!make(ctx, length));
    EQ(get(0, 8), status);
    EQ(get(0x20, 16), 0xa00);
    EQ(get(0x30, 16), at);
}

/* -- scheduling -------------------------------------------------------------------------------- */

static void element(unsigned kind, uint32_t parent)
{
    object(0xa00, 0x26);
    set(0xc0, 8, 3);
    set(0x180, 8, kind);
    set(0x1c0, 32, parent);
}

static void elements(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_obj *root, *leaf;
    uint32_t id;

    element(0, 0);
    root = SOME(make(ctx, 144));
    id = (uint32_t)get(0x40, 32);
    element(4, 0);
    refused(ctx, 144, 0x05, 0x1c0); /* a leaf without a node */
    element(4, id + 1);
    refused(ctx, 144, 0x05, 0x1c0);
    element(1, id);
    refused(ctx, 144, 0x03, 0x180);
    element(0, id);
    set(0xc0, 8, 2);
    refused(ctx, 144, 0x03, 0xc0);
    element(0, id);
    set(0x1a8, 8, 1);
    refused(ctx, 144, 0x03, 0x1a8);
    element(0, id);
    set(0x220, 32, 5);
    refused(ctx, 144, 0x03, 0x220); /* not selected */
    element(0, id);
    set(0x80, 64, 4);
    refused(ctx, 144, 0x03, 0x80);
    element(0, id);
    set(0x3ff, 1, 1);
    refused(ctx, 144, 0x03, 0x3ff); /* reserved */
    element(0, id);
    refused(ctx, 80, 0x50, 0);
    element(4, id);
    set(0x80, 64, 1);
    set(0x220, 32, 5);
    leaf = SOME(make(ctx, 144));
    EQ(mlx5dv_devx_obj_destroy(root), EBUSY);
    id = (uint32_t)get(0x40, 32);
    element(4, 0);
    set(0, 16, 0xa01);
    set(0x40, 32, id);
    set(0x80, 64, 2);
    set(0x240, 32, 7);
    OK(mlx5dv_devx_obj_modify(leaf, in, 144, out, 16));
    set(0x180, 8, 0);
    EQ(mlx5dv_devx_obj_modify(leaf, in, 144, out, 16), EREMOTE_IO);
    object(0xa02, 0x26);
    set(0x40, 32, id);
    EQ(mlx5dv_devx_obj_query(leaf, in, 16, out, 80), EREMOTE_IO);
    OK(mlx5dv_devx_obj_query(leaf, in, 16, out, 144));
    EQ(get(0x220, 32), 5); /* what was not selected stays */
    EQ(get(0x240, 32), 7);
    OK(mlx5dv_devx_obj_destroy(leaf));
    OK(mlx5dv_devx_obj_destroy(root));
    OK(ibv_close_device(ctx));
}

/* How many microseconds four writes of 1000 bytes take. */
static uint64_t time_of_four(struct pair *p)
{
    struct ibv_sge sge = piece(&p->a, 0, 1000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint64_t before = device_sim_clock();

    to_remote(&wr, &p->b, 0);
    for (int i = 0; i < 4; i++) {
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    }
    return (device_sim_clock() - before) / 1000;
}

static void groups(void)
{
    struct pair *p = make_pair(NULL);
    struct mlx5dv_sched_attr attr = {0};
    struct mlx5dv_sched_node *root = SOME(mlx5dv_sched_node_create(p->ctx, &attr)), *node;
    struct mlx5dv_sched_leaf *leaf;
    uint64_t t;

    attr = (struct mlx5dv_sched_attr){.parent = root, .flags = MAX, .max_avg_bw = 4};
    node = SOME(mlx5dv_sched_node_create(p->ctx, &attr));
    attr = (struct mlx5dv_sched_attr){.parent = node, .flags = MAX | SHARE, .max_avg_bw = 8, .bw_share = 3};
    leaf = SOME(mlx5dv_sched_leaf_create(p->ctx, &attr));
    CHECK(time_of_four(p) < 20);
    OK(mlx5dv_modify_qp_sched_elem(p->a.qp, leaf, leaf));
    t = time_of_four(p);
    CHECK(t >= 6000 && t < 6020); /* 4 Mbit/s, which the node allows */
    attr = (struct mlx5dv_sched_attr){.parent = root, .flags = MAX, .max_avg_bw = 16};
    OK(mlx5dv_sched_node_modify(node, &attr));
    time_of_four(p);
    t = time_of_four(p);
    CHECK(t >= 3980 && t < 4020); /* 8, of the leaf */
    OK(mlx5dv_modify_qp_sched_elem(p->a.qp, NULL, leaf));
    time_of_four(p);
    CHECK(time_of_four(p) < 20);
    EQ(mlx5dv_sched_node_destroy(node), EBUSY);
    OK(mlx5dv_sched_leaf_destroy(leaf));
    OK(mlx5dv_sched_node_destroy(node));
    OK(mlx5dv_sched_node_destroy(root));
    no_violations();
    free_pair(p);
}

/* What the extension of a queue pair's context may have. */
static void extensions(void)
{
    struct pair *p = make_pair(NULL);

    for (unsigned wrong = 0; wrong < 5; wrong++) {
        static const unsigned at[] = {0x860, 0x880, 0x880, 0x8e0, 0x8a0};

        command(0x505);
        set(0x48, 24, p->a.qp->qp_num);
        set(0x40, 1, wrong != 1);
        set(0x840, 64, 1 << 1);
        if (wrong == 1) /* it is not announced */
            set(0x8a0, 32, 1);
        else if (wrong == 4) /* there is no such group */
            set(0x8a0, 32, 77);
        else
            set(at[wrong], 1, 1); /* another attribute; reserved */
        EQ(mlx5dv_devx_qp_modify(p->a.qp, in, 464, out, 16), EREMOTE_IO);
        EQ(get(0x30, 16), wrong == 0 ? 0x840 : wrong < 4 ? 0x880 : 0x8a0);
    }
    free_pair(p);
}

/* -- numbers and address vectors ---------------------------------------------------------------- */

static void reserved_numbers(void)
{
    struct ibv_context *ctx = open_nth(0), *other = open_nth(0);
    struct mlx5dv_devx_obj *o[3];
    uint32_t first[3];
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));

    for (unsigned i = 0; i < 3; i++) {
        object(0xa00, 0x2c);
        set(0x63, 5, 3);
        o[i] = SOME(make(i == 1 ? other : ctx, 32));
        first[i] = (uint32_t)get(0x40, 32);
        EQ(first[i] % 8, 0);
        CHECK(first[i] > 0x800100 && first[i] < 1 << 24); /* no queue pair has it */
        for (unsigned j = 0; j < i; j++)
            CHECK(first[i] != first[j]);
    }
    set(0x63, 5, 2);
    refused(ctx, 32, 0x03, 0x63);
    object(0xa00, 0x2c);
    set(0x63, 5, 3);
    set(0xff, 1, 1);
    refused(ctx, 32, 0x03, 0xff);
    OK(mlx5dv_devx_obj_destroy(o[0]));
    object(0xa00, 0x2c);
    set(0x63, 5, 3);
    o[0] = SOME(make(other, 32));
    EQ(get(0x40, 32), first[0]); /* what was given back can be had */
    for (unsigned i = 0; i < 3; i++)
        OK(mlx5dv_devx_obj_destroy(o[i]));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(other));
    OK(ibv_close_device(ctx));
}

static void by_library(void)
{
    NEWER(mlx5dv_reserved_qpn_alloc);
    NEWER(mlx5dv_reserved_qpn_dealloc);
    NEWER(mlx5dv_map_ah_to_qp);
    struct pair *p = make_pair(NULL);
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1, .sl = 5, .grh = {.sgid_index = 1, .hop_limit = 64}};
    struct ibv_ah *ah;
    uint32_t qpn[2];

    OK(f_mlx5dv_reserved_qpn_alloc(p->ctx, &qpn[0]));
    OK(f_mlx5dv_reserved_qpn_alloc(p->ctx, &qpn[1]));
    EQ(qpn[1], qpn[0] + 1);
    OK(f_mlx5dv_reserved_qpn_dealloc(p->ctx, qpn[0]));
    EQ(f_mlx5dv_reserved_qpn_dealloc(p->ctx, qpn[0]), EINVAL);
    OK(f_mlx5dv_reserved_qpn_dealloc(p->ctx, qpn[1]));
    OK(ibv_query_gid(p->ctx, 1, 1, &attr.grh.dgid));
    ah = SOME(ibv_create_ah(p->pd, &attr));
    OK(f_mlx5dv_map_ah_to_qp(ah, p->b.qp->qp_num));
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void mappings(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_obj *o;
    uint32_t id;

    object(0xa00, 0x3a);
    set(0xe0, 32, 0x123456);
    set(0x1e4, 8, 4); /* there are four */
    refused(ctx, 80, 0x03, 0x1e4);
    set(0x1e4, 8, 3);
    set(0xe0, 8, 1);
    refused(ctx, 80, 0x03, 0xe0);
    set(0xe0, 8, 0);
    set(0x168, 1, 1);
    refused(ctx, 80, 0x03, 0x168);
    set(0x168, 1, 0);
    o = SOME(make(ctx, 80));
    id = (uint32_t)get(0x40, 32);
    object(0xa01, 0x3a);
    set(0x40, 32, id);
    EQ(mlx5dv_devx_obj_modify(o, in, 80, out, 16), EREMOTE_IO);
    OK(mlx5dv_devx_obj_destroy(o));
    OK(ibv_close_device(ctx));
}

/* -- rates and ports ---------------------------------------------------------------------------- */

static struct mlx5dv_pp *entry(struct ibv_context *ctx, uint32_t rate, uint32_t flags)
{
    uint32_t context[12] = {__builtin_bswap32(rate)};

    return mlx5dv_pp_alloc(ctx, sizeof context, context, flags);
}

static void pacing_entries(void)
{
    struct ibv_context *ctx = open_nth(0), *other = open_nth(0), *second = open_nth(1);
    struct mlx5dv_pp *pp[127], *same = SOME(entry(ctx, 100, 0)), *shared = SOME(entry(other, 100, 0)),
        *elsewhere = SOME(entry(second, 200, 0));
    uint32_t rate = __builtin_bswap32(100);

    EQ(same->index, 1); /* 0 is no limit */
    EQ(shared->index, 1);
    EQ(elsewhere->index, 1);
    mlx5dv_pp_free(shared);
    shared = SOME(mlx5dv_pp_alloc(ctx, sizeof rate, &rate, 0)); /* what is not given is 0 */
    EQ(shared->index, 1);
    mlx5dv_pp_free(same);
    CHECK(!entry(ctx, 0, 0) && errno == EINVAL);
    CHECK(!entry(ctx, 100000001, 0) && errno == EINVAL);
    for (unsigned i = 0; i < 126; i++) {
        pp[i] = SOME(entry(i & 1 ? ctx : other, 100, MLX5DV_PP_ALLOC_FLAGS_DEDICATED_INDEX));
        EQ(pp[i]->index, i + 2);
    }
    CHECK(!entry(ctx, 101, 0) && errno == ENOSPC);
    mlx5dv_pp_free(pp[5]);
    pp[5] = SOME(entry(ctx, 101, 0));
    EQ(pp[5]->index, 7);
    for (unsigned i = 0; i < 126; i++)
        mlx5dv_pp_free(pp[i]);
    mlx5dv_pp_free(shared);
    mlx5dv_pp_free(elsewhere);
    OK(ibv_close_device(ctx));
    OK(ibv_close_device(other));
    OK(ibv_close_device(second));
}

static void ports(void)
{
    NEWER(_mlx5dv_query_port);
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_port port = {.flags = 99};

    OK(f__mlx5dv_query_port(ctx, 2, &port, sizeof port));
    EQ(port.flags, 0);
    EQ(f__mlx5dv_query_port(ctx, 3, &port, sizeof port), EINVAL);
    OK(ibv_close_device(ctx));
}

static void gids(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_gid_entry entries[16], one;
    struct ibv_port_attr attr;
    union ibv_gid gid;

    OK(ibv_query_port(ctx, 1, &attr));
    EQ(attr.gid_tbl_len, 6);
    EQ(ibv_query_gid_table(ctx, entries, 16, 0), 8); /* of two ports */
    EQ(ibv_query_gid_ex(ctx, 1, 4, &one, 0), ENODATA);
    EQ(ibv_query_gid_ex(ctx, 1, 6, &one, 0), EINVAL);
    OK(ibv_query_gid(ctx, 1, 5, &gid));
    CHECK(!gid.global.subnet_prefix && !gid.global.interface_id);
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"elements", elements}, {"groups", groups}, {"extensions", extensions}, {"reserved-numbers", reserved_numbers},
    {"by-library", by_library}, {"mappings", mappings}, {"pacing-entries", pacing_entries}, {"ports", ports},
    {"gids", gids}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("general_objects", cases, argc, argv);
}
