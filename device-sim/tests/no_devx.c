/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A device that refuses DevX: it opens all the same, and of commands it takes those that only ask. */
#include "kit.h"

#include <infiniband/mlx5dv.h>

static void only_questions(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_event_channel *channel = SOME(mlx5dv_devx_create_event_channel(ctx, 0));
    uint8_t in[16] = {0x01, 0x00}, out[4112];
    uint16_t port = 0x09;
    static uint8_t memory[64];

    OK(mlx5dv_devx_general_cmd(ctx, in, sizeof in, out, sizeof out));
    memcpy(in, (uint8_t[]){0x08, 0x0d}, 2);
    EQ(mlx5dv_devx_general_cmd(ctx, in, sizeof in, out, 16), EINVAL);
    memcpy(in, (uint8_t[]){0x08, 0x00}, 2);
    CHECK(!mlx5dv_devx_obj_create(ctx, in, sizeof in, out, 16) && errno == EINVAL);
    CHECK(!mlx5dv_devx_umem_reg(ctx, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE) && errno == EINVAL);
    EQ(mlx5dv_devx_subscribe_devx_event(channel, NULL, sizeof port, &port, 1), EINVAL);
    mlx5dv_devx_destroy_event_channel(channel);
    OK(ibv_close_device(ctx));
}

static void asked_for(void)
{
    struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct ibv_context *usual = open_nth(0);

    CHECK(!mlx5dv_open_device(usual->device, &attr) && errno == EINVAL);
    OK(ibv_close_device(usual));
}

/* That the library asks again without DevX is nothing to tell. */
static void opened_silently(void)
{
    struct ibv_context *ctx = open_nth(1);

    EQ(device_sim_count(DEVICE_SIM_COUNT_REFUSED), 0);
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {{"only-questions", only_questions}, {"asked-for", asked_for},
    {"opened-silently", opened_silently}, {0}};

int main(int argc, char **argv)
{
    return run_cases("no_devx", cases, argc, argv);
}
