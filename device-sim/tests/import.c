/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A context that is imported by a duplicate of its descriptor, and what it has. */
#include "kit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static void objects(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_context *ctx = SOME(ibv_import_device(dup(p->ctx->cmd_fd)));
    struct ibv_pd *pd = SOME(ibv_import_pd(ctx, p->pd->handle));
    struct ibv_mr *mr = SOME(ibv_import_mr(pd, p->b.mr->handle));
    struct ibv_alloc_dm_attr attr = {.length = 5000};
    struct ibv_dm *dm = SOME(ibv_alloc_dm(p->ctx, &attr)), *same;
    struct ibv_dm *(*import_dm)(struct ibv_context *, uint32_t) = dlsym(RTLD_DEFAULT, "ibv_import_dm");
    void (*unimport_dm)(struct ibv_dm *) = dlsym(RTLD_DEFAULT, "ibv_unimport_dm");
    struct ibv_sge sge = piece(&p->a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint8_t seen[3000];

    EQ(mr->lkey, p->b.mr->lkey);
    EQ(mr->rkey, p->b.mr->rkey);
    EQ(mr->length, BUFFER);
    CHECK(!ibv_import_mr(pd, 9999));
    CHECK(!ibv_import_pd(ctx, p->b.mr->handle));
    fill(p->a.buf, 3000, 1);
    OK(ibv_memcpy_to_dm(dm, 2000, p->a.buf, 3000));
    if (import_dm) { /* newer than release 33 */
        same = SOME(import_dm(ctx, dm->handle));
        OK(ibv_memcpy_from_dm(seen, same, 2000, 3000));
        CHECK(!memcmp(seen, p->a.buf, 3000));
        unimport_dm(same);
    }
    to_remote(&wr, &p->b, 50);
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    ibv_unimport_mr(mr);
    ibv_unimport_pd(pd);
    OK(ibv_close_device(ctx));
    post(p->a.qp, &wr); /* what was imported is there still */
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    OK(ibv_free_dm(dm));
    no_violations();
    free_pair(p);
}

/* A queue pair that is made with an imported domain works, and its memory is the other's. */
static void queues(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_context *ctx = SOME(ibv_import_device(fcntl(p->ctx->cmd_fd, F_DUPFD_CLOEXEC, 0)));
    struct ibv_pd *pd = SOME(ibv_import_pd(ctx, p->pd->handle));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 10, NULL, NULL, 0));
    struct ibv_qp_init_attr attr = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = SOME(ibv_create_qp(pd, &attr));
    struct ibv_sge sge = piece(&p->b, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 3, &sge);

    to_init(qp);
    to_rtr(qp, qp->qp_num);
    to_rts(qp, p);
    fill(p->b.buf, 100, 2);
    to_remote(&wr, &p->a, 500);
    post(qp, &wr);
    good(cq, 3, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->b.buf, p->a.buf + 500, 100));
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(cq));
    ibv_unimport_pd(pd);
    OK(ibv_close_device(ctx));
    no_violations();
    free_pair(p);
}

static bool has_event(struct ibv_context *ctx)
{
    struct pollfd p = {.fd = ctx->async_fd, .events = POLLIN};

    return poll(&p, 1, 0) == 1;
}

static void takes(struct ibv_context *ctx, enum ibv_event_type type, const void *element)
{
    struct ibv_async_event e;

    CHECK(has_event(ctx));
    OK(ibv_get_async_event(ctx, &e));
    EQ(e.event_type, type);
    if (element)
        CHECK(e.element.cq == element);
    ibv_ack_async_event(&e);
}

/* Of an object to the context that made it, of a port to both. */
static void events(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_context *ctx = SOME(ibv_import_device(dup(p->ctx->cmd_fd)));
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 10, NULL, NULL, 0));

    OK(device_sim_async_event(0, IBV_EVENT_QP_FATAL, p->a.qp->qp_num));
    CHECK(!has_event(ctx));
    takes(p->ctx, IBV_EVENT_QP_FATAL, p->a.qp);
    for (uint32_t n = 1; n < 100 && !has_event(ctx); n++) /* libibverbs does not tell the number */
        if (!device_sim_async_event(0, IBV_EVENT_CQ_ERR, n) && !has_event(ctx))
            takes(p->ctx, IBV_EVENT_CQ_ERR, NULL);
    takes(ctx, IBV_EVENT_CQ_ERR, cq);
    CHECK(!has_event(p->ctx));
    OK(device_sim_async_event(0, IBV_EVENT_LID_CHANGE, 1));
    takes(ctx, IBV_EVENT_LID_CHANGE, NULL);
    takes(p->ctx, IBV_EVENT_LID_CHANGE, NULL);
    OK(ibv_destroy_cq(cq));
    OK(ibv_close_device(ctx));
    OK(device_sim_async_event(0, IBV_EVENT_LID_CHANGE, 1));
    takes(p->ctx, IBV_EVENT_LID_CHANGE, NULL);
    free_pair(p);
}

/* The context is there as long as one descriptor is. */
static void first_closed(void)
{
    struct ibv_context *ctx = open_nth(0), *imported = SOME(ibv_import_device(dup(ctx->cmd_fd)));
    int held = dup(ctx->cmd_fd), other = open("/dev/null", O_RDONLY);
    struct ibv_device_attr attr;
    struct ibv_pd *pd;

    OK(ibv_close_device(ctx));
    OK(ibv_query_device(imported, &attr));
    pd = SOME(ibv_alloc_pd(imported));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(imported));
    EQ(dup2(held, other), other);
    OK(close(held));
    imported = SOME(ibv_import_device(other));
    OK(ibv_query_device(imported, &attr));
    CHECK(dup2(STDERR_FILENO, imported->cmd_fd) == other); /* takes the last one away */
    CHECK(ibv_query_device(imported, &attr));
    OK(ibv_close_device(imported));
}

/* The library knows by the file's number which device it is. */
static void second(void)
{
    struct ibv_context *ctx = open_nth(1), *imported = SOME(ibv_import_device(dup(ctx->cmd_fd)));

    CHECK(!strcmp(ibv_get_device_name(imported->device), "mlx5_1"));
    OK(ibv_close_device(imported));
    OK(ibv_close_device(ctx));
}

static void not_efa(void)
{
    struct ibv_context *ctx = open_nth(2);
    int fd = dup(ctx->cmd_fd);

    CHECK(!ibv_import_device(fd));
    EQ(errno, EOPNOTSUPP);
    OK(close(fd));
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"objects", objects}, {"queues", queues}, {"events", events}, {"first-closed", first_closed}, {"second", second},
    {"not-efa", not_efa}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("import", cases, argc, argv);
}
