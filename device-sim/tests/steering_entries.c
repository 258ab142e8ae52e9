/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of steering tables that are written by hand: how the device goes from one to the next, and what no correct
 * library writes. And the device's own tables, by their commands.
 */
#include "steering_writing.h"

static void one_frame(struct writing *w)
{
    send_frame(w->a, frame, udp4(frame), 0);
    device_sim_pump(-1);
}

static void entries(void)
{
    struct writing w = open_writing();
    uint8_t ste[STE];
    size_t n = udp4(frame);

    make_entry(&w, ste);
    put_entry(&w, 0, ste);
    one_frame(&w);
    EQ(counted(&w.hits, 0), 1);
    EQ(counted(&w.hits, 1), n);
    ste[32] ^= 2; /* another destination: the next entry is the one that counts */
    misses_to(ste, w.icm + 5 * STE);
    put_entry(&w, 0, ste);
    make_entry(&w, ste);
    put_entry(&w, 5, ste);
    one_frame(&w);
    EQ(counted(&w.hits, 0), 2);
    memset(ste + 32, 0, 32); /* all, to one of eight entries by the last byte of the destination: the CRC says 6 */
    put_bits(ste, 0x10, 16, 1 << 10);
    put_bits(ste, 0x30, 8, 0x1b);
    put_bits(ste, 0xb0, 16, 0);
    leads_to(ste, w.icm + 8 * STE, 8);
    put_entry(&w, 0, ste);
    make_entry(&w, ste);
    put_entry(&w, 8 + 6, ste);
    one_frame(&w);
    EQ(counted(&w.hits, 0), 3);
    no_violations();
    close_writing(&w);
}

/* Each with something that means nothing, or what is not there. */
static void wrong_entries(void)
{
    static const struct {
        unsigned at, width;
        uint64_t value;
        const char *message;
    } wrong[] = {
        {0x00, 4, 0, "no such kind of entry"}, {0x00, 4, 3, "no such kind of entry"}, {0x00, 4, 1, "of what is sent"},
        {0x00, 4, 6, "no changes"}, {0x04, 4, 1, "reserved"}, {0x08, 8, 0x50, "no such kind of comparison"},
        {0x08, 8, 0, "no such kind of comparison"}, {0x20, 16, 99, "another function"}, {0x40, 27, 0, "leads nowhere"},
        {0x5b, 1, 1, "reserved"}, {0x5c, 2, 1, "reserved"}, {0x5e, 2, 1, "reserved"}, {0x60, 16, 1, "reserved"},
        {0x70, 16, 99, "another function"}, {0x80, 32, 5, "not announced"}, {0xa0, 1, 1, "reserved"},
        {0xa1, 3, 1, "no such action"}, {0xa1, 3, 5, "no such action"}, {0xa4, 4, 1, "reserved"}, {0xa8, 8, 1,
        "reserved"},
        {0xb0, 16, 0xffff, "no such counter"}, {0xc0, 16, 99, "another function"}, {0xfa, 1, 1, "reserved"},
        {0xfc, 1, 1, "reserved"}, {0xfd, 1, 1, "reserved"}, {0xfe, 2, 1, "reserved"},
    };
    struct writing w = open_writing();
    uint8_t ste[STE];

    udp4(frame);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        device_sim_reset_counts();
        make_entry(&w, ste);
        put_bits(ste, wrong[i].at, wrong[i].width, wrong[i].value);
        if (wrong[i].at == 0x40)
            put_bits(ste, 0x38, 8, 0);
        put_entry(&w, 0, ste);
        one_frame(&w);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
        expect_message(wrong[i].message);
    }
    close_writing(&w);
}

static void leads(struct writing *w, uint64_t address, uint64_t n, const char *message)
{
    uint8_t ste[STE];

    device_sim_reset_counts();
    make_entry(w, ste);
    leads_to(ste, address, n);
    put_bits(ste, 0x10, 16, 0xffff);
    put_bits(ste, 0x30, 8, 0x50); /* which nothing is, and which does not matter of a single one */
    put_entry(w, 0, ste);
    one_frame(w);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message(message);
}

static void wrong_ways(void)
{
    struct writing w = open_writing();
    struct mlx5dv_devx_obj *sends;
    uint8_t ste[STE], out[16];

    udp4(frame);
    leads(&w, NOWHERE, 1, "where there is nothing");
    leads(&w, 0x8300000000ull + (77777 << 6), 1, "where there is nothing"); /* no such receiver */
    for (unsigned kind = 0x84; kind <= 0x86; kind++) /* tables, samplers, meters */
        leads(&w, (uint64_t)kind << 32 | 77777 << 6, 1, "where there is nothing");
    sends = SOME(try_table(w.p->ctx, 1, false, 5, 0, out));
    leads(&w, 0x8400000000 | take_bits(out, 0x48, 24) << 6, 1, "of another direction");
    OK(mlx5dv_devx_obj_destroy(sends));
    leads(&w, w.icm + 0x100000, 1, "no memory for them");
    leads(&w, w.icm, 4, "of a kind that there is not");
    device_sim_reset_counts();
    make_entry(&w, ste);
    misses_to(ste, w.icm);
    ste[32] ^= 2;
    put_entry(&w, 0, ste);
    one_frame(&w);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("in a circle");
    close_writing(&w);
}

/* Changes of headers lie in memory of their own. */
static void wrong_changes(void)
{
    static const struct {
        uint8_t change[16];
        const char *message;
    } wrong[] = {
        {{4, 0, 0, 16, 0, 0, 0, 1}, "no such change"}, {{0, 0, 0, 0, 0, 0, 0, 1}, "without a code"},
        {{2, 0x0b, 0, 16}, "no such field"}, {{1, 0, 0, 16, 0, 0x17}, "no such field"}, {{2, 0, 0x40, 16}, "reserved"},
        {{2, 0, 0, 0x30}, "reserved"}, {{1, 0, 0, 16, 1}, "reserved"}, {{1, 0, 0, 16, 0, 0, 0x80}, "reserved"},
        {{1, 0, 0, 16, 0, 0, 0, 1}, "reserved"}, {{2, 0, 50, 16}, "beyond"}, {{1, 0, 0, 16, 0, 1, 60}, "beyond"},
        {{1, 0, 0, 0, 0, 1}, "no bits"}, {{1, 0, 0, 33, 0, 1}, "no bits"},
        {{2, 0, 0, 16, 0, 0, 0, 1, 2, 0, 16, 16}, "of one field"}, {{2, 0, 0, 16, 0, 0, 0, 1, 1, 1, 0, 16, 0, 0},
        "of one field"},
    };
    struct writing w = open_writing();
    struct ibv_dm *dm = SOME(mlx5dv_alloc_dm(w.p->ctx, &(struct ibv_alloc_dm_attr){.length = 4096},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM}));
    struct ibv_mr *mr = SOME(ibv_reg_dm_mr(w.p->pd, dm, 0, 4096, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE |
        IBV_ACCESS_REMOTE_WRITE)), *usual = w.mr;
    uint8_t ste[STE], line[STE] = {0};

    udp4(frame);
    make_entry(&w, ste);
    put_bits(ste, 0x00, 4, 6);
    put_bits(ste, 0x60, 16, 2);
    put_entry(&w, 0, ste);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(line, wrong[i].change, 16);
        w.mr = mr;
        put_entry(&w, 0, line);
        w.mr = usual;
        device_sim_reset_counts();
        one_frame(&w);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
        expect_message(wrong[i].message);
    }
    put_bits(ste, 0x80, 32, 12345);
    put_entry(&w, 0, ste);
    device_sim_reset_counts();
    one_frame(&w);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("no memory with changes");
    OK(ibv_dereg_mr(mr));
    OK(ibv_free_dm(dm));
    close_writing(&w);
}

static struct mlx5dv_devx_obj *headers(struct ibv_context *ctx, unsigned kind, unsigned size, uint32_t *id)
{
    uint8_t in[256] = {0}, out[16] = {0};
    struct mlx5dv_devx_obj *o;

    put_bits(in, 0, 16, 0x93d);
    put_bits(in, 0xe5, 3, kind);
    put_bits(in, 0xf6, 10, size);
    memcpy(in + 0x110 / 8, frame, size < 100 ? size : 0);
    o = mlx5dv_devx_obj_create(ctx, in, (0x110 / 8 + size + 3) / 4 * 4, out, sizeof out);
    *id = (uint32_t)take_bits(out, 0x40, 32);
    return o;
}

/* Of what is sent: 42 bytes of headers to put in front, and entries with something wrong. */
static void wrong_sends(void)
{
    struct writing w = open_writing_of(true);
    uint32_t id, unused;
    struct mlx5dv_devx_obj *o;
    uint8_t ste[STE];

    udp4(frame);
    o = SOME(headers(w.p->ctx, 2, 42, &id));
    CHECK(!headers(w.p->ctx, 3, 42, &unused));
    CHECK(!headers(w.p->ctx, 2, 130, &unused));
    CHECK(!headers(w.p->ctx, 2, 12, &unused));
    const struct {
        unsigned at, width;
        uint64_t value;
        const char *message;
    } wrong[] = {
        {0x00, 4, 2, "of what arrives"}, {0x60, 6, 1, "reserved"}, {0x69, 1, 1, "reserved"}, {0xa0, 16, 1, "reserved"},
        {0x66, 3, 2, "no such action"}, {0x66, 3, 5, "no such action"}, {0x66, 3, 0, "and no action"},
        {0x6a, 6, 20, "another size"}, {0x80, 32, 0x77777, "no such headers"},
    };

    for (unsigned i = 0; i <= sizeof wrong / sizeof *wrong; i++) {
        bool bad = i < sizeof wrong / sizeof *wrong;

        device_sim_reset_counts();
        make_entry(&w, ste);
        put_bits(ste, 0x66, 3, 4);
        put_bits(ste, 0x6a, 6, 21);
        put_bits(ste, 0x80, 32, id);
        if (bad)
            put_bits(ste, wrong[i].at, wrong[i].width, wrong[i].value);
        put_entry(&w, 0, ste);
        one_frame(&w);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), bad);
        if (bad)
            expect_message(wrong[i].message);
    }
    OK(mlx5dv_devx_obj_destroy(o));
    close_writing(&w);
}

/* What is written beside the memory of the device ends with an error, as any other does. */
static void beside(void)
{
    struct writing w = open_writing();
    uint8_t ste[STE] = {0};
    struct ibv_sge sge;

    post(w.p->a.qp, writing_of(&w, &sge, 4096 - STE / 2, ste, STE));
    bad(w.p->a.cq, 3, IBV_WC_REM_ACCESS_ERR);
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    close_writing(&w);
}

static struct ibv_dm *some_memory(struct ibv_context *ctx, size_t size, uint64_t *at)
{
    struct mlx5dv_dm dm = {.comp_mask = MLX5DV_DM_MASK_REMOTE_VA};
    struct mlx5dv_obj obj = {.dm = {.out = &dm}};

    obj.dm.in = SOME(mlx5dv_alloc_dm(ctx, &(struct ibv_alloc_dm_attr){.length = size},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_STEERING_SW_ICM}));
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_DM));
    *at = dm.remote_va;
    return obj.dm.in;
}

/* Each lies apart, at a multiple of its size, which is a power of two; what was freed is given again. */
static void memory(void)
{
    static const size_t size[] = {4096, 5000, 4096, 65536, 1};
    struct ibv_context *ctx = open_nth(1);
    struct ibv_dm *dm[5];
    uint64_t at[5], again;

    for (int i = 0; i < 5; i++) {
        uint64_t whole = 4096;

        dm[i] = some_memory(ctx, size[i], &at[i]);
        while (whole < size[i])
            whole *= 2;
        EQ(at[i] % whole, 0);
        for (int k = 0; k < i; k++)
            CHECK(at[k] + (size[k] + 4095) / 4096 * 4096 <= at[i] || at[i] + whole <= at[k]);
    }
    OK(ibv_free_dm(dm[1]));
    dm[1] = some_memory(ctx, 8192, &again);
    EQ(again, at[1]);
    for (int i = 0; i < 5; i++)
        OK(ibv_free_dm(dm[i]));
    errno = 0;
    CHECK(!mlx5dv_alloc_dm(ctx, &(struct ibv_alloc_dm_attr){.length = (1 << 28) + 1},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_STEERING_SW_ICM}));
    EQ(errno, EINVAL);
    errno = 0;
    CHECK(!mlx5dv_alloc_dm(ctx, &(struct ibv_alloc_dm_attr){.length = 1 << 23},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM}));
    EQ(errno, ENOMEM);
    OK(ibv_close_device(ctx));
}

/* Memory that is freed before its table. */
static void freed(void)
{
    struct writing w = open_writing();

    OK(ibv_dereg_mr(w.mr));
    OK(ibv_free_dm(w.dm));
    device_sim_reset_counts();
    udp4(frame);
    one_frame(&w);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("no memory for them");
    w.dm = SOME(mlx5dv_alloc_dm(w.p->ctx, &(struct ibv_alloc_dm_attr){.length = 4096},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_STEERING_SW_ICM}));
    w.mr = SOME(ibv_reg_dm_mr(w.p->pd, w.dm, 0, 4096, IBV_ACCESS_ZERO_BASED));
    close_writing(&w);
}

/* -- tables of the device's own -------------------------------------------------------------------- */

static void refused_table(struct ibv_context *ctx, unsigned type, bool software, unsigned level, uint64_t root,
    unsigned at)
{
    uint8_t out[16];

    CHECK(!try_table(ctx, type, software, level, root, out));
    EQ(errno, EREMOTE_IO);
    EQ(out[0], 3);
    EQ(take_bits(out, 0x30, 16), at);
}

static struct mlx5dv_devx_obj *try_group(struct ibv_context *ctx, unsigned type, uint32_t table, uint32_t *id)
{
    static uint8_t in[1024];
    uint8_t out[16] = {0};
    struct mlx5dv_devx_obj *o;

    memset(in, 0, sizeof in);
    put_bits(in, 0, 16, 0x933);
    put_bits(in, 0x80, 8, type);
    put_bits(in, 0xa8, 24, table);
    o = mlx5dv_devx_obj_create(ctx, in, sizeof in, out, sizeof out);
    *id = (uint32_t)take_bits(out, 0x48, 24);
    return o;
}

/* An entry with up to one destination, and one counter. */
static struct mlx5dv_devx_obj *try_entry(struct ibv_context *ctx, unsigned type, uint32_t table, uint32_t group,
    unsigned actions,
    uint32_t destination, uint32_t counter)
{
    static uint8_t in[848];
    uint8_t out[16] = {0};
    size_t n = 832;

    memset(in, 0, sizeof in);
    put_bits(in, 0, 16, 0x936);
    put_bits(in, 0x80, 8, type);
    put_bits(in, 0xa8, 24, table);
    put_bits(in, 0x220, 32, group);
    put_bits(in, 0x270, 16, actions);
    put_bits(in, 0x288, 24, destination != 0);
    put_bits(in, 0x2a8, 24, counter != 0);
    if (destination)
        put_bits(in + n, 0, 32, destination);
    n += destination ? 8 : 0;
    if (counter)
        put_bits(in + n, 0, 32, counter);
    n += counter ? 8 : 0;
    return mlx5dv_devx_obj_create(ctx, in, n, out, sizeof out);
}

static void own_tables(void)
{
    struct writing w = open_writing();
    struct ibv_context *ctx = w.p->ctx;
    struct mlx5dv_devx_obj *table, *group, *entry;
    uint8_t out[64], in[64] = {0}, ste[STE];
    uint32_t id, group_id, unused;

    refused_table(ctx, 2, false, 5, 0, 0x80);
    refused_table(ctx, 0, false, 241, 0, 0xc8);
    refused_table(ctx, 0, true, 5, w.icm + 32, 0x1c0);
    refused_table(ctx, 0, true, 5, w.icm + 0x100000, 0x1c0);
    refused_table(ctx, 0, false, 5, w.icm, 0x1c0);
    refused_table(ctx, 7, true, 5, w.icm, 0x80 + 0x140);
    table = SOME(try_table(ctx, 0, false, 5, 0, out));
    id = (uint32_t)take_bits(out, 0x48, 24);
    CHECK(!try_group(ctx, 1, id, &unused)); /* it is of another type */
    group = SOME(try_group(ctx, 0, id, &group_id));
    CHECK(!try_group(ctx, 0, id, &unused));
    CHECK(!try_entry(ctx, 0, id, group_id + 1, 2, 0, 0));
    CHECK(!try_entry(ctx, 0, id, group_id, 3, 0, 0)); /* it can't do both */
    CHECK(!try_entry(ctx, 0, id, group_id, 4, 0, 0));
    CHECK(!try_entry(ctx, 0, id, group_id, 4, 1 << 24 | id, 0)); /* to itself */
    CHECK(!try_entry(ctx, 0, id, group_id, 4, 2 << 24 | 0x77777, 0));
    entry = SOME(try_entry(ctx, 0, id, group_id, 2 | 8, 0, w.hits.id));
    CHECK(!try_entry(ctx, 0, id, group_id, 2, 0, 0));
    EQ(mlx5dv_devx_obj_destroy(group), EBUSY);
    put_bits(in, 0, 16, 0x932);
    put_bits(in, 0xa8, 24, id);
    OK(mlx5dv_devx_obj_query(table, in, sizeof in, out, sizeof out));
    EQ(take_bits(out, 0xc8, 8), 5);
    udp4(frame);
    make_entry(&w, ste);
    put_bits(ste, 0xb0, 16, 0);
    leads_to(ste, take_bits(out, 0x1c0, 64), 1);
    put_entry(&w, 0, ste);
    one_frame(&w);
    EQ(counted(&w.hits, 0), 1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    OK(mlx5dv_devx_obj_destroy(entry));
    OK(mlx5dv_devx_obj_destroy(group));
    OK(mlx5dv_devx_obj_destroy(table));
    close_writing(&w);
}

/* What is sent goes on from table to table, where none drops it. */
static void own_tables_of_sends(void)
{
    struct writing w = open_writing_of(true);
    struct end *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *all = everything(b);
    struct mlx5dv_devx_obj *table[2], *group[2], *entry[2];
    uint32_t id[2], group_id[2];
    uint8_t out[16], ste[STE];
    size_t n = udp4(frame);

    for (int i = 1; i >= 0; i--) {
        table[i] = SOME(try_table(w.p->ctx, 1, false, 5, 0, out));
        id[i] = (uint32_t)take_bits(out, 0x48, 24);
        group[i] = SOME(try_group(w.p->ctx, 1, id[i], &group_id[i]));
        entry[i] = SOME(try_entry(w.p->ctx, 1, id[i], group_id[i], i ? 1 : 4, i ? 0 : 1 << 24 | id[1], 0));
    }
    make_entry(&w, ste);
    leads_to(ste, 0x8400000000 | (uint64_t)id[0] << 6, 1);
    put_entry(&w, 0, ste);
    wants(w.a, frame, n, b, frame, n);
    EQ(mlx5dv_devx_obj_destroy(table[0]), EBUSY);
    for (int i = 0; i < 2; i++) {
        OK(mlx5dv_devx_obj_destroy(entry[i]));
        OK(mlx5dv_devx_obj_destroy(group[i]));
    }
    wants(w.a, frame, n, b, frame, n); /* without an entry, too */
    for (int i = 0; i < 2; i++)
        OK(mlx5dv_devx_obj_destroy(table[i]));
    no_violations();
    wants_none(w.a, frame, n, b);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("where there is nothing");
    drop_rule(all);
    close_end(b);
    close_writing(&w);
}

/* Of tables of RDMA: all packets that queue pairs receive, or send, are dropped, or let through. */
static void one_direction(bool egress, bool drop)
{
    struct pair *p = make_pair(NULL);
    struct counter c = counter_of(p->ctx);
    struct match none = no_match();
    struct mlx5dv_flow_matcher_attr attr = {.type = IBV_FLOW_ATTR_NORMAL, .match_mask = &none.p,
        .comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE,
        .ft_type = egress ? MLX5DV_FLOW_TABLE_TYPE_RDMA_TX : MLX5DV_FLOW_TABLE_TYPE_RDMA_RX};
    struct mlx5dv_flow_action_attr to = {.type = MLX5DV_FLOW_ACTION_DEST_DEVX};
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 3, &sge);
    struct mlx5dv_devx_obj *table, *group, *entry;
    struct mlx5dv_flow_matcher *m;
    struct ibv_flow *flow;
    uint8_t out[16];
    uint32_t id, group_id;

    table = SOME(try_table(p->ctx, 7 + egress, false, 5, 0, out));
    id = (uint32_t)take_bits(out, 0x48, 24);
    group = SOME(try_group(p->ctx, 7 + egress, id, &group_id));
    entry = SOME(try_entry(p->ctx, 7 + egress, id, group_id, (drop ? 2 : 1) | 8, 0, c.id));
    m = SOME(mlx5dv_create_flow_matcher(p->ctx, &attr));
    to.obj = table;
    flow = SOME(mlx5dv_create_flow(m, &none.p, 1, &to));
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    if (drop)
        bad(p->a.cq, 3, IBV_WC_RETRY_EXC_ERR);
    else
        good(p->a.cq, 3, IBV_WC_RDMA_WRITE);
    CHECK(counted(&c, 0));
    OK(ibv_destroy_flow(flow));
    OK(mlx5dv_destroy_flow_matcher(m));
    OK(mlx5dv_devx_obj_destroy(entry));
    OK(mlx5dv_devx_obj_destroy(group));
    OK(mlx5dv_devx_obj_destroy(table));
    OK(mlx5dv_devx_obj_destroy(c.of));
    no_violations();
    free_pair(p);
}

static void queue_pairs(void)
{
    one_direction(false, true);
    one_direction(false, false);
    one_direction(true, true);
    one_direction(true, false);
}

/* Two tables of the device's own that lead to each other. */
static void tables_in_a_circle(void)
{
    struct writing w = open_writing();
    struct ibv_context *ctx = w.p->ctx;
    struct mlx5dv_devx_obj *table[2], *group[2], *entry[2];
    uint32_t id[2], group_id[2];
    uint8_t out[16], ste[STE];

    for (int i = 0; i < 2; i++) {
        table[i] = SOME(try_table(ctx, 0, false, 5, 0, out));
        id[i] = (uint32_t)take_bits(out, 0x48, 24);
        group[i] = SOME(try_group(ctx, 0, id[i], &group_id[i]));
    }
    for (int i = 0; i < 2; i++)
        entry[i] = SOME(try_entry(ctx, 0, id[i], group_id[i], 4, 1 << 24 | id[1 - i], 0));
    udp4(frame);
    make_entry(&w, ste);
    leads_to(ste, 0x8400000000 | (uint64_t)id[0] << 6, 1);
    put_entry(&w, 0, ste);
    device_sim_reset_counts();
    one_frame(&w);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message("lead to each other");
    for (int i = 0; i < 2; i++) {
        OK(mlx5dv_devx_obj_destroy(entry[i]));
        OK(mlx5dv_devx_obj_destroy(group[i]));
        OK(mlx5dv_devx_obj_destroy(table[i]));
    }
    close_writing(&w);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"entries", entries}, {"wrong-entries", wrong_entries}, {"wrong-ways", wrong_ways}, {"wrong-changes",
        wrong_changes},
        {"wrong-sends", wrong_sends}, {"beside", beside}, {"memory", memory}, {"freed", freed}, {"own-tables",
        own_tables}, {"own-tables-of-sends", own_tables_of_sends},
        {"queue-pairs", queue_pairs},
        {"tables-in-a-circle", tables_in_a_circle}, {0},
    };

    return run_cases("steering_entries", cases, argc, argv);
}
