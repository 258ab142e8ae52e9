/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Memory on the device, behind descriptors, and advice; who gets a multicast. */
#include "kit.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static void write_to(struct pair *p, struct ibv_mr *mr, uint64_t at, uint32_t length)
{
    struct ibv_sge sge = piece(&p->a, 0, length);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    wr.wr.rdma.remote_addr = at;
    wr.wr.rdma.rkey = mr->rkey;
    post(p->a.qp, &wr);
}

static void device_memory(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_alloc_dm_attr attr = {.length = 5000};
    struct ibv_dm *dm = SOME(ibv_alloc_dm(p->ctx, &attr)), *other = SOME(ibv_alloc_dm(p->ctx, &attr));
    struct ibv_mr *mr = SOME(ibv_reg_dm_mr(p->pd, dm, 100, 4000, ACCESS | IBV_ACCESS_ZERO_BASED));
    uint8_t seen[200], zero[200] = {0};

    fill(p->a.buf, 200, 3);
    write_to(p, mr, 3800, 200);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    OK(ibv_memcpy_from_dm(seen, dm, 3900, 200));
    CHECK(!memcmp(seen, p->a.buf, 200));
    OK(ibv_memcpy_from_dm(seen, other, 3900, 200));
    CHECK(!memcmp(seen, zero, 200)); /* each has its own */
    EQ(ibv_free_dm(dm), EBUSY);
    write_to(p, mr, 3801, 200);
    bad(p->a.cq, 1, IBV_WC_REM_ACCESS_ERR);
    OK(ibv_dereg_mr(mr));
    CHECK(!ibv_reg_dm_mr(p->pd, dm, 4000, 1001, ACCESS | IBV_ACCESS_ZERO_BASED));
    attr.length = 128 * 1024 - 2 * 5000 + 1;
    CHECK(!ibv_alloc_dm(p->ctx, &attr));
    OK(ibv_free_dm(dm));
    dm = SOME(ibv_alloc_dm(p->ctx, &attr)); /* what was freed can be had */
    OK(ibv_free_dm(dm));
    OK(ibv_free_dm(other));
    no_violations();
    free_pair(p);
}

static void descriptor(void)
{
    struct ibv_mr *(*reg)(struct ibv_pd *, uint64_t, size_t, uint64_t, int, int) = dlsym(RTLD_DEFAULT, "ibv_reg_dmabuf_mr");
    struct pair *p;
    struct ibv_mr *mr;
    uint8_t *map;
    int fd;

    if (!reg)
        skip("this release registers no dma-buf");
    p = make_pair(NULL);
    fd = memfd_create("test", 0);
    OK(ftruncate(fd, 8192));
    map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    mr = SOME(reg(p->pd, 4000, 4192, 4000, fd, ACCESS));
    OK(close(fd));
    fill(p->a.buf, 100, 5);
    write_to(p, mr, 8092, 100);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, map + 8092, 100));
    OK(ibv_dereg_mr(mr));
    CHECK(!reg(p->pd, 0, 8192, 0, fd, ACCESS));
    EQ(errno, EBADF);
    munmap(map, 8192);
    free_pair(p);
}

static void advice(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_pd *other = SOME(ibv_alloc_pd(p->ctx));
    struct ibv_mr *mr = SOME(ibv_reg_mr(p->pd, p->a.buf, 4096, IBV_ACCESS_ON_DEMAND));
    struct ibv_sge sge = {.addr = (uintptr_t)p->a.buf, .length = 4096, .lkey = mr->lkey};

    OK(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, IBV_ADVISE_MR_FLAG_FLUSH, &sge, 1));
    EQ(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0, &sge, 1), EPERM); /* it may not be written */
    EQ(ibv_advise_mr(other, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), EPERM);
    EQ(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 2, &sge, 1), EINVAL);
    sge.length++;
    EQ(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), EFAULT);
    sge.lkey = p->a.mr->lkey;
    EQ(ibv_advise_mr(p->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), ENOENT);
    OK(ibv_dereg_mr(mr));
    OK(ibv_dealloc_pd(other));
    free_pair(p);
}

/* How many of the datagrams that a queue pair sends to its group come back. */
static int comes_back(struct pair *p, uint32_t flags)
{
    struct ibv_qp_init_attr_ex init = {.send_cq = p->a.cq, .recv_cq = p->b.cq, .qp_type = IBV_QPT_UD, .pd = p->pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS, .create_flags = flags,
        .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = SOME(ibv_create_qp_ex(p->ctx, &init));
    struct ibv_ah_attr to = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 9,
        .dgid.raw = {0xff, 0x0e, [15] = 9}}};
    struct ibv_ah *ah = SOME(ibv_create_ah(p->pd, &to));
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 1};
    struct ibv_sge sge = piece(&p->a, 0, 10), room = piece(&p->b, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &sge);
    struct ibv_wc wc;
    int n = 0;

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
    attr.qp_state = IBV_QPS_RTR;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
    OK(ibv_attach_mcast(qp, &to.grh.dgid, 0));
    receive(qp, 2, &room);
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = 0xffffff;
    wr.wr.ud.remote_qkey = 1;
    post(qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    while (ibv_poll_cq(p->b.cq, 1, &wc) == 1)
        n++;
    OK(ibv_detach_mcast(qp, &to.grh.dgid, 0));
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_ah(ah));
    return n;
}

static void multicast(void)
{
    struct pair *p = make_pair(NULL);

    EQ(comes_back(p, 0), 1);
    EQ(comes_back(p, IBV_QP_CREATE_BLOCK_SELF_MCAST_LB), 0);
    no_violations();
    free_pair(p);
}

/* A region of no bytes is one all the same. */
static void empty_region_of_device_memory(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_alloc_dm_attr attr = {.length = 64};
    struct ibv_dm *dm = SOME(ibv_alloc_dm(ctx, &attr));
    struct ibv_mr *mr = SOME(ibv_reg_dm_mr(pd, dm, 0, 0, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE));

    CHECK(!ibv_reg_dm_mr(pd, dm, 65, 0, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE));
    OK(ibv_dereg_mr(mr));
    OK(ibv_free_dm(dm));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(ctx));
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"device_memory", device_memory},
        {"empty-region-of-device-memory", empty_region_of_device_memory},
        {"descriptor", descriptor},
        {"advice", advice},
        {"multicast", multicast},
        {NULL, NULL},
    };

    return run_cases("memory", cases, argc, argv);
}
