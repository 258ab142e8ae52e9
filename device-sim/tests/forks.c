/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A child of fork: what it inherits is a copy; what it opens is its own. A child of vfork has nothing. */
#include "kit.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct ibv_pd *pd;

/* Runs it in a child, which tells by its exit status whether all went well: fail() and skip() are the parent's. */
static void in_child(bool (*run)(struct ibv_context *inherited), struct ibv_context *ctx)
{
    pid_t pid = fork();
    int status;

    if (!pid) {
        bool good = run(ctx);

        fflush(NULL);
        _exit(good ? 0 : 1);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    EQ(status, 0);
}

static bool takes_memory(struct ibv_context *ctx)
{
    struct ibv_alloc_dm_attr attr = {.length = 128 * 1024};
    struct ibv_dm *dm = ibv_alloc_dm(ctx, &attr);
    uint64_t word = 0x1122334455667788, back = 0;
    struct ibv_mr *mr = ibv_reg_mr(pd, &word, sizeof word, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_pd *other = ibv_alloc_pd(ctx);

    return dm && mr && other && !ibv_memcpy_to_dm(dm, 1000, &word, 8) && !ibv_memcpy_from_dm(&back, dm, 1000, 8) &&
        back == word && !ibv_dereg_mr(mr); /* the rest is left to the end of the child */
}

static void memory(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_alloc_dm_attr attr = {.length = 128 * 1024};
    struct ibv_dm *dm;

    pd = SOME(ibv_alloc_pd(ctx));
    in_child(takes_memory, ctx);
    in_child(takes_memory, ctx); /* each has all of it */
    dm = SOME(ibv_alloc_dm(ctx, &attr));
    OK(ibv_free_dm(dm));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
}

/* Its parent's devices look at the same registers. */
static bool makes_queues(struct ibv_context *ctx)
{
    return !ibv_create_cq(ctx, 10, NULL, NULL, 0) && errno == EOPNOTSUPP && !ibv_create_comp_channel(ctx) &&
        errno == EOPNOTSUPP && device_sim_count(DEVICE_SIM_COUNT_REFUSED) == 2;
}

static bool closes(struct ibv_context *ctx)
{
    return !ibv_close_device(ctx);
}

static bool sends(struct ibv_context *inherited)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 5, &sge);
    struct ibv_wc wc;

    (void)inherited;
    fill(p->a.buf, 100, 5);
    to_remote(&wr, &p->b, 70);
    post(p->a.qp, &wr);
    if (device_sim_mode(-1) == DEVICE_SIM_PUMP)
        device_sim_pump(-1);
    for (int i = 0; i < 20000 && ibv_poll_cq(p->a.cq, 1, &wc) != 1; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (wc.wr_id != 5 || wc.status != IBV_WC_SUCCESS || memcmp(p->a.buf, p->b.buf + 70, 100))
        return false;
    free_pair(p);
    return !device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);
}

static void queues(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr); /* the child has a copy of this, and does nothing with it */
    in_child(makes_queues, p->ctx);
    in_child(sends, p->ctx);
    in_child(closes, p->ctx);
    nothing(p->b.cq);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    no_violations();
    free_pair(p);
}

/* The device's thread is not inherited: a child that opens a device has one of its own. */
static void thread(void)
{
    struct pair *p = make_pair(NULL);
    int before = device_sim_mode(DEVICE_SIM_THREAD);

    in_child(sends, p->ctx);
    device_sim_mode(before);
    no_violations();
    free_pair(p);
}

static void vforked(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_device_attr attr;
    pid_t pid = vfork();
    int status;

    if (!pid) {
        close(ctx->cmd_fd);
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    OK(ibv_query_device(ctx, &attr));
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"memory", memory}, {"queues", queues}, {"thread", thread}, {"vforked", vforked}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("forks", cases, argc, argv);
}
