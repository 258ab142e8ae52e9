/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel's driver refuses: `run --devices 3 --vendors efa --efa efa1,efa0,efa4`. First by libefa; then by commands
 * of our own, as libefa keeps some of it from the kernel, and older ones don't know the last device.
 */
#include "efa_kit.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

#include "../efa/commands.h"

/* -- by libefa -- */

static void region(struct ibv_pd *pd, int access, int error)
{
    static char memory[4096];
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof memory, access);

    if (mr)
        OK(ibv_dereg_mr(mr));
    EQ(mr ? 0 : errno, error);
}

static void rights(void)
{
    struct ibv_context *usual = open_nth(0), *least = open_nth(1);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(usual));

    region(pd, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE, 0);
    region(pd, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING, 0);
    region(pd, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC, EOPNOTSUPP);
    region(pd, IBV_ACCESS_MW_BIND, EOPNOTSUPP);
    region(pd, IBV_ACCESS_ON_DEMAND, EOPNOTSUPP);
    region(pd, IBV_ACCESS_REMOTE_WRITE, EINVAL);
    OK(ibv_dealloc_pd(pd));
    pd = SOME(ibv_alloc_pd(least));
    region(pd, IBV_ACCESS_LOCAL_WRITE, 0);
    region(pd, IBV_ACCESS_REMOTE_READ, EOPNOTSUPP);
    region(pd, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, EOPNOTSUPP);
    OK(ibv_dealloc_pd(pd));
    OK(ibv_close_device(usual));
    OK(ibv_close_device(least));
}

static void attributes(void)
{
    struct end e = make(false, false);
    int all = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY | IBV_QP_SQ_PSN | IBV_QP_CAP | IBV_QP_RNR_RETRY;
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    OK(ibv_query_qp(e.qp, &attr, all, &init));
    EQ(attr.rnr_retry, 7);
    EQ(attr.qkey, QKEY);
    for (int bit = 0; bit < 25; bit++)
        if (!(all >> bit & 1))
            EQ(ibv_query_qp(e.qp, &attr, all | 1 << bit, &init), EOPNOTSUPP);
    destroy(&e);
}

static int to_state(struct ibv_qp *qp, enum ibv_qp_state state, int mask, uint16_t pkey, uint8_t port)
{
    return ibv_modify_qp(qp, &(struct ibv_qp_attr){.qp_state = state, .cur_qp_state = qp->state, .pkey_index = pkey,
        .port_num = port, .qkey = QKEY, .rnr_retry = 1}, IBV_QP_STATE | mask);
}

static void changes_of(struct ibv_qp *qp, bool srd, bool rnr)
{
    int init = IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY;

    OK(to_state(qp, IBV_QPS_RESET, 0, 0, 0));
    EQ(to_state(qp, IBV_QPS_ERR, 0, 0, 0), srd ? EINVAL : 0);
    OK(to_state(qp, IBV_QPS_RESET, 0, 0, 0));
    EQ(to_state(qp, IBV_QPS_INIT, init | IBV_QP_ACCESS_FLAGS, 0, 1), EOPNOTSUPP);
    EQ(to_state(qp, IBV_QPS_INIT, init, 1, 1), EOPNOTSUPP);
    EQ(to_state(qp, IBV_QPS_INIT, init, 0, 9), EINVAL);
    EQ(to_state(qp, IBV_QPS_INIT, init & ~IBV_QP_QKEY, 0, 1), EINVAL);
    EQ(to_state(qp, IBV_QPS_RTR, init, 0, 1), EINVAL);
    OK(to_state(qp, IBV_QPS_INIT, init, 0, 1));
    OK(to_state(qp, IBV_QPS_INIT, init, 0, 1));
    EQ(to_state(qp, IBV_QPS_RTR, IBV_QP_AV, 0, 0), EOPNOTSUPP);
    OK(to_state(qp, IBV_QPS_RTR, IBV_QP_QKEY, 0, 0));
    EQ(to_state(qp, IBV_QPS_RTS, 0, 0, 0), EINVAL);
    EQ(to_state(qp, IBV_QPS_RTS, IBV_QP_SQ_PSN | IBV_QP_TIMEOUT, 0, 0), EOPNOTSUPP);
    EQ(to_state(qp, IBV_QPS_RTS, IBV_QP_SQ_PSN | IBV_QP_RNR_RETRY, 0, 0), !rnr ? EOPNOTSUPP : srd ? 0 : EINVAL);
    if (qp->state != IBV_QPS_RTS)
        OK(to_state(qp, IBV_QPS_RTS, IBV_QP_SQ_PSN, 0, 0));
    OK(to_state(qp, IBV_QPS_RTS, IBV_QP_CUR_STATE | IBV_QP_QKEY, 0, 0));
    OK(to_state(qp, IBV_QPS_SQD, IBV_QP_EN_SQD_ASYNC_NOTIFY, 0, 0));
    OK(to_state(qp, IBV_QPS_SQD, IBV_QP_PKEY_INDEX | IBV_QP_QKEY, 0, 0));
    OK(to_state(qp, IBV_QPS_RTS, IBV_QP_QKEY, 0, 0));
    OK(to_state(qp, IBV_QPS_ERR, 0, 0, 0));
}

static void changes(void)
{
    struct end srd = make(false, false), ud = make(true, false);

    changes_of(srd.qp, true, true);
    changes_of(ud.qp, false, true);
    destroy(&srd);
    destroy(&ud);
}

/* A device whose messages wait for ever. */
static void no_tries(void)
{
    struct ibv_context *ctx = open_nth(1);
    struct ibv_cq *cq = SOME(ibv_create_cq(ctx, 4, NULL, NULL, 0));
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    struct ibv_qp_init_attr init = {.cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_DRIVER, .send_cq = cq, .recv_cq = cq};
    struct ibv_qp *qp = SOME(efadv_create_driver_qp(pd, &init, EFADV_QP_DRIVER_TYPE_SRD));

    changes_of(qp, true, false);
    OK(ibv_destroy_qp(qp));
    OK(ibv_dealloc_pd(pd));
    OK(ibv_destroy_cq(cq));
    OK(ibv_close_device(ctx));
}

static void ways(void)
{
    struct {
        uint64_t comp_mask;
        uint16_t valid, recv, read, rdma_recv;
    } attr;
    int (*query)(struct ibv_mr *, void *, uint32_t) = dlsym(RTLD_DEFAULT, "efadv_query_mr");
    struct end e;

    if (!query)
        skip("this libefa does not ask");
    e = make(false, false);
    OK(query(e.mr, &attr, sizeof attr));
    EQ(attr.valid, 7);
    EQ(attr.recv, 1);
    EQ(attr.read, 2);
    EQ(attr.rdma_recv, 3);
    destroy(&e);
}

/* -- by our own commands -- */

struct call {
    struct ib_uverbs_ioctl_hdr hdr;
    struct ib_uverbs_attr attr[16];
};

static void add(struct call *c, uint16_t id, const void *data, size_t size, bool out)
{
    struct ib_uverbs_attr *a = &c->attr[c->hdr.num_attrs++];

    a->attr_id = id;
    a->flags = UVERBS_ATTR_F_MANDATORY;
    a->len = (uint16_t)size;
    if (out || size > 8)
        a->data = (uintptr_t)data;
    else
        memcpy(&a->data, data, size);
}

#define ADD(c, id, x) add(c, id, &(x), sizeof(x), false)
#define ADD_OUT(c, id, x) add(c, id, &(x), sizeof(x), true)

/* 0 or an errno. */
static int say(int fd, struct call *c, uint16_t object, uint16_t method)
{
    c->hdr.object_id = object;
    c->hdr.method_id = method;
    c->hdr.driver_id = RDMA_DRIVER_EFA;
    c->hdr.length = (uint16_t)(sizeof c->hdr + c->hdr.num_attrs * sizeof c->attr[0]);
    return ioctl(fd, RDMA_VERBS_IOCTL, &c->hdr) ? errno : 0;
}

static int get_context(int fd, uint32_t library, struct efa_opened *opened)
{
    struct efa_open in = {.library = library};
    struct call c = {0};

    ADD(&c, UVERBS_ATTR_UHW_IN, in);
    ADD_OUT(&c, UVERBS_ATTR_UHW_OUT, *opened);
    return say(fd, &c, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
}

static int open_raw(int device)
{
    char path[40];
    int fd;

    snprintf(path, sizeof path, "/dev/infiniband/uverbs%d", device);
    fd = open(path, O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

static int opened(int device)
{
    struct efa_opened r;
    int fd = open_raw(device);

    OK(get_context(fd, 3, &r));
    return fd;
}

static uint32_t make_pd(int fd)
{
    struct ib_uverbs_alloc_pd in = {0};
    struct ib_uverbs_alloc_pd_resp r = {0};
    uint32_t number = IB_USER_VERBS_CMD_ALLOC_PD;
    struct call c = {0};

    ADD(&c, UVERBS_ATTR_CORE_IN, in);
    ADD_OUT(&c, UVERBS_ATTR_CORE_OUT, r);
    ADD(&c, UVERBS_ATTR_WRITE_CMD, number);
    OK(say(fd, &c, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE));
    return r.pd_handle;
}

static int make_cq(int fd, uint32_t cqe, uint32_t flags, const struct efa_make_cq *in, uint32_t *handle)
{
    uint8_t r[40];
    uint32_t vector = 0, none = 0;
    struct call c = {0};
    int error;

    ADD(&c, UVERBS_ATTR_CREATE_CQ_HANDLE, none);
    ADD(&c, UVERBS_ATTR_CREATE_CQ_CQE, cqe);
    ADD(&c, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, vector);
    ADD(&c, UVERBS_ATTR_CREATE_CQ_FLAGS, flags);
    ADD(&c, UVERBS_ATTR_UHW_IN, *in);
    ADD_OUT(&c, UVERBS_ATTR_UHW_OUT, r);
    error = say(fd, &c, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
    *handle = (uint32_t)c.attr[0].data;
    return error;
}

struct raw_qp {
    int type;
    uint32_t flags;
    struct ib_uverbs_qp_cap cap;
    struct efa_make_qp in;
};

static int make_qp(int fd, uint32_t pd, uint32_t cq, const struct raw_qp *q)
{
    uint8_t r[64];
    uint32_t none = 0;
    uint64_t type = (uint64_t)q->type;
    struct call c = {0};

    ADD(&c, UVERBS_ATTR_CREATE_QP_HANDLE, none);
    ADD(&c, UVERBS_ATTR_CREATE_QP_PD_HANDLE, pd);
    ADD(&c, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, cq);
    ADD(&c, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, cq);
    ADD(&c, UVERBS_ATTR_CREATE_QP_TYPE, type);
    ADD(&c, UVERBS_ATTR_CREATE_QP_FLAGS, q->flags);
    ADD(&c, UVERBS_ATTR_CREATE_QP_CAP, q->cap);
    ADD(&c, UVERBS_ATTR_UHW_IN, q->in);
    ADD_OUT(&c, UVERBS_ATTR_UHW_OUT, r);
    return say(fd, &c, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
}

/* A library must know of limits before it may have a device that has them. */
static void contexts(void)
{
    struct efa_opened r;
    int fd = open_raw(2);

    for (uint32_t library = 0; library < 3; library++)
        EQ(get_context(fd, library, &r), EOPNOTSUPP);
    OK(get_context(fd, 3, &r));
    EQ(r.batch, 16);
    EQ(r.min_sq, 16);
    EQ(r.inline_size, 32);
    EQ(r.inline_size_ex, 80);
    EQ(r.sub_cqs, 1);
    close(fd);
    fd = open_raw(1);
    OK(get_context(fd, 0, &r));
    EQ(r.batch, 0);
    EQ(r.sub_cqs, 2);
    close(fd);
}

static void completion_queues(void)
{
    static const struct {
        int device;
        uint32_t cqe, flags;
        struct efa_make_cq in;
        int error;
    } tries[] = {
        {0, 100, 0, {.entry_size = 32, .sub_cqs = 1}, 0},
        {0, 65536, 0, {.entry_size = 16, .sub_cqs = 1}, 0},
        {0, 65537, 0, {.entry_size = 16, .sub_cqs = 1}, EINVAL},
        {0, 0, 0, {.entry_size = 16, .sub_cqs = 1}, EINVAL},
        {0, 1, 1, {.entry_size = 16, .sub_cqs = 1}, EOPNOTSUPP},
        {0, 1, 0, {.entry_size = 24, .sub_cqs = 1}, EINVAL},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 2}, EINVAL},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 1, .comp_mask = 1}, EINVAL},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 1, .reserved[4] = 1}, EINVAL},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 1, .newer[9] = 1}, EINVAL},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 1, .flags = 8}, EOPNOTSUPP},
        {0, 1, 0, {.entry_size = 16, .sub_cqs = 1, .flags = EFA_CQ_SGID}, EINVAL},
        {0, 1, 0, {.entry_size = 32, .sub_cqs = 1, .flags = EFA_CQ_SGID | EFA_CQ_CHANNEL}, 0},
        {0, 1, 0, {.entry_size = 32, .sub_cqs = 1, .flags = EFA_CQ_IDS_64}, EOPNOTSUPP},
        {1, 1, 0, {.entry_size = 32, .sub_cqs = 1}, EINVAL},
        {1, 1, 0, {.entry_size = 32, .sub_cqs = 2}, 0},
        {1, 1, 0, {.entry_size = 32, .sub_cqs = 2, .flags = EFA_CQ_SGID}, EOPNOTSUPP},
        {1, 1, 0, {.entry_size = 32, .sub_cqs = 2, .flags = EFA_CQ_CHANNEL}, EOPNOTSUPP},
        {2, 1, 0, {.entry_size = 32, .sub_cqs = 1, .flags = EFA_CQ_IDS_64}, 0},
    };

    for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++) {
        int fd = opened(tries[i].device), error;
        uint32_t handle;

        error = make_cq(fd, tries[i].cqe, tries[i].flags, &tries[i].in, &handle);
        close(fd);
        if (error != tries[i].error)
            fail(__FILE__, __LINE__, "try %u: %d, wanted %d", i, error, tries[i].error);
    }
}

#define SRD .type = IB_UVERBS_QPT_DRIVER
#define CAP(wr, data) .cap = {wr, 16, 2, 3, data}
#define RINGS(bytes) .rq_size = 1024, .sq_size = bytes

static void queue_pairs(void)
{
    static const struct {
        int device;
        struct raw_qp qp;
        int error;
    } tries[] = {
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024)}}, 0},
        {0, {.type = IB_UVERBS_QPT_UD, CAP(16, 32), .in = {RINGS(1024)}}, 0},
        {0, {.type = IB_UVERBS_QPT_RC, CAP(16, 32), .in = {RINGS(1024)}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .type = 1}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 32), .flags = IB_UVERBS_QP_CREATE_SQ_SIG_ALL, .in = {RINGS(1024)}}, 0},
        {0, {SRD, CAP(16, 32), .flags = IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK, .in = {RINGS(1024)}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 33), .in = {RINGS(1024)}}, EINVAL},
        {0, {SRD, CAP(16, 32), .in = {RINGS(2048)}}, EINVAL}, /* descriptors of 128 bytes */
        {0, {SRD, CAP(12, 32), .in = {RINGS(768)}}, EINVAL},
        {0, {SRD, CAP(4096, 32), .in = {RINGS(4096 * 64)}}, EINVAL},
        {0, {SRD, .cap = {16, 16, 3, 3, 0}, .in = {RINGS(1024)}}, EINVAL},
        {0, {SRD, .cap = {16, 16, 2, 4, 0}, .in = {RINGS(1024)}}, EINVAL},
        {0, {SRD, .cap = {16, 8193, 2, 3, 0}, .in = {RINGS(1024)}}, EINVAL},
        {0, {SRD, CAP(16, 32), .in = {.rq_size = 1000, .sq_size = 1024}}, EINVAL},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .comp_mask = 1}}, EINVAL},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .reserved[0] = 1}}, EINVAL},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .flags = 4}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .flags = EFA_QP_UNSOLICITED}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .flags = EFA_QP_IDS_64}}, EOPNOTSUPP},
        {0, {SRD, CAP(16, 32), .in = {RINGS(1024), .newer[3] = 1}}, EOPNOTSUPP},
        {2, {SRD, CAP(16, 80), .in = {RINGS(2048), .sl = 8, .flags = EFA_QP_IDS_64 | EFA_QP_UNSOLICITED}}, 0},
        {2, {SRD, CAP(16, 81), .in = {RINGS(2048)}}, EINVAL},
        {2, {SRD, CAP(16, 33), .in = {RINGS(1024)}}, EINVAL},
        {2, {SRD, CAP(8, 32), .in = {RINGS(512)}}, EINVAL}, /* below the smallest ring */
        {2, {SRD, CAP(2048, 80), .in = {RINGS(2048 * 128)}}, EINVAL}, /* above what there is room for */
        {2, {SRD, CAP(1024, 80), .in = {RINGS(1024 * 128)}}, 0},
        {3, {SRD, CAP(16, 80), .in = {RINGS(2048), .flags = EFA_QP_IDS_64}}, EINVAL}, /* its completions have 16 bits */
    };

    for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++) {
        int device = tries[i].device, fd = opened(device == 3 ? 2 : device), error;
        struct efa_make_cq cq = {.entry_size = 32, .sub_cqs = 1, .flags = device == 2 ? EFA_CQ_IDS_64 : 0};
        uint32_t handle;

        OK(make_cq(fd, 16, 0, &cq, &handle));
        error = make_qp(fd, make_pd(fd), handle, &tries[i].qp);
        close(fd);
        if (error != tries[i].error)
            fail(__FILE__, __LINE__, "try %u: %d, wanted %d", i, error, tries[i].error);
    }
}

static const struct test_case cases[] = {
    {"rights", rights}, {"attributes", attributes}, {"changes", changes}, {"no-tries", no_tries}, {"ways", ways},
    {"contexts", contexts}, {"completion-queues", completion_queues}, {"queue-pairs", queue_pairs}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa_refusals", cases, argc, argv);
}
