/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Entries and changes of headers with wrong bits, or of noise, and frames with wrong bytes: none may do harm. */
#include "steering_writing.h"

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static const uint8_t kinds[] = {0x1b, 0x1c, 0x38, 0x1e, 0x1f, 0x20, 0x2b, 0x21, 0x2e, 0x25, 0x16, 0x22, 0x23, 0x19,
    0x18,
    0x2f, 0x30, 0x05, 0x07, 0x09, 0x37, 0x0a, 0x0e, 0x10, 0x12, 0x2a, 0x14, 0x2d, 0x24};

/* Mostly what is right, so that frames come through some of them. */
static void some_entry(const struct writing *w, uint8_t ste[STE])
{
    make_entry(w, ste);
    if (below(2))
        memset(ste + 32, 0, 32);
    put_bits(ste, 0x08, 8, kinds[below(sizeof kinds)]);
    put_bits(ste, 0x30, 8, kinds[below(sizeof kinds)]);
    put_bits(ste, 0x10, 16, below(0x10000));
    leads_to(ste, w->icm + STE * 8 * below(8), 1u << below(4));
    misses_to(ste, w->icm + STE * below(64));
    switch (below(6)) {
    case 0:
        put_bits(ste, 0xa1, 3, 2 + 2 * below(2));
        break;
    case 1:
        put_bits(ste, 0x00, 4, 6);
        put_bits(ste, 0x60, 16, 1 + below(64));
        put_bits(ste, 0x80, 32, below(64));
        put_bits(ste, 0xa1, 3, 3 * below(2));
        put_bits(ste, 0xa4, 4, below(2));
        break;
    }
    if (!below(10))
        ste[below(STE)] ^= (uint8_t)(1 << below(8));
    if (!below(40))
        fill(ste, STE, seed);
}

static size_t some_frame(void)
{
    static size_t (*const makes[])(uint8_t *) = {udp4, tcp4, udp6, tagged, vxlan, gre, mpls_udp, mpls_gre, mpls,
        mpls_inside};
    size_t n = makes[below(10)](frame);

    for (unsigned i = below(4); i; i--)
        frame[below((uint32_t)n)] = (uint8_t)below(256);
    return below(3) ? n : 14 + below((uint32_t)n - 13);
}

/* Of all kinds, on many fields. */
static struct ibv_mr *write_changes(struct writing *w, struct ibv_dm *dm)
{
    struct ibv_mr *mr = SOME(ibv_reg_dm_mr(w->p->pd, dm, 0, 4096, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE |
        IBV_ACCESS_REMOTE_WRITE)), *usual = w->mr;
    uint8_t changes[4096];

    for (unsigned i = 0; i < sizeof changes; i += 8) {
        memset(changes + i, 0, 8);
        changes[i] = (uint8_t)below(4);
        if (!changes[i])
            continue;
        changes[i + 1] = (uint8_t)(i / 8 % 2 ? below(5) : 5 + below(12));
        changes[i + 2] = (uint8_t)below(32);
        changes[i + 3] = (uint8_t)(1 + below(31));
        changes[i + 5] = changes[i] == 1 ? (uint8_t)below(10) : 0x5a;
    }
    w->mr = mr;
    for (unsigned i = 0; i < sizeof changes; i += STE)
        put_entry(w, i / STE, changes + i);
    w->mr = usual;
    return mr;
}

static void noise(void)
{
    struct writing w = open_writing();
    struct ibv_dm *dm = SOME(mlx5dv_alloc_dm(w.p->ctx, &(struct ibv_alloc_dm_attr){.length = 4096},
        &(struct mlx5dv_alloc_dm_attr){.type = MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM}));
    struct ibv_mr *mr;
    uint8_t ste[STE];

    seed = 20261129;
    mr = write_changes(&w, dm);
    for (unsigned i = 0; i < 64; i++) {
        some_entry(&w, ste);
        put_entry(&w, i, ste);
    }
    for (int i = 0; i < 20000; i++) {
        some_entry(&w, ste);
        put_entry(&w, below(64), ste);
        send_frame(w.a, frame, some_frame(), 0);
        device_sim_pump(-1);
    }
    CHECK(counted(&w.hits, 0) > 1000);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS) > 1000);
    OK(ibv_dereg_mr(mr));
    OK(ibv_free_dm(dm));
    close_writing(&w);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {{"noise", noise}, {0}};

    return run_cases("steering_fuzz", cases, argc, argv);
}
