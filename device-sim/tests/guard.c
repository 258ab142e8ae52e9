/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Run by `run --guard`: what was destroyed can't be read any more, nor what lies behind its end; what was not can. */
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit.h"

/* In a child, which ends by what it must not do. */
static bool can_read(const volatile char *at)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(*at & 0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) || WTERMSIG(status) == SIGSEGV);
    return WIFEXITED(status);
}

static void what_was_destroyed(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 63, NULL, NULL, 0));
    struct mlx5dv_cq ring = {0};
    struct mlx5dv_obj obj = {.cq = {.in = cq, .out = &ring}};
    const char *end;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    end = (const char *)ring.buf + (size_t)ring.cqe_cnt * ring.cqe_size;
    CHECK(can_read(ring.buf));
    CHECK(can_read((const char *)cq));
    CHECK(can_read(end - 1));
    CHECK(!can_read(end));
    OK(ibv_destroy_cq(cq));
    CHECK(!can_read(ring.buf));
    CHECK(!can_read(end - 1));
    CHECK(!can_read((const char *)cq));
    OK(ibv_close_device(ctx));
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {{"what-was-destroyed", what_was_destroyed}, {0}};

    return run_cases("guard", cases, argc, argv);
}
