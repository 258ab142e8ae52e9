/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion counters, and completion queues in memory of the program: `run --vendors efa --efa efa1+counters+extmem`. Under
 * a libefa that has them not the cases are skipped.
 */
#include "efa_kit.h"

#include <sys/mman.h>
#include <unistd.h>

#define OPS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_RDMA_WRITE | \
    IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)

enum { SEND = 1, RECV = 2, READ = 4, REMOTE_READ = 8, WRITE = 16, REMOTE_WRITE = 32, ALL = 63 };
enum { COMP_IN_MEMORY = 1, ERR_IN_MEMORY = 2 };
#define MOST ((1ull << 48) - 1)

struct counter {
    struct ibv_context *context;
    uint32_t handle;
};

struct counter_caps {
    uint64_t max_value;
    uint32_t max_counters, ops;
};

struct counter_attr {
    uint32_t comp_mask, type, flags;
};

struct location {
    uint8_t *ptr;
    uint64_t offset;
    int32_t fd;
    uint32_t reserved;
    uint8_t type, reserved2[7];
};

struct efa_counter_attr {
    uint64_t comp_mask;
    uint32_t flags, reserved;
    struct location comp, err;
};

struct attaching {
    uint32_t comp_mask, ops;
};

static struct {
    struct counter *(*create)(struct ibv_context *, struct counter_attr *);
    struct counter *(*create_efa)(struct ibv_context *, struct counter_attr *, struct efa_counter_attr *, uint32_t);
    int (*destroy)(struct counter *);
    int (*set)(struct counter *, uint64_t);
    int (*set_err)(struct counter *, uint64_t);
    int (*inc)(struct counter *, uint64_t);
    int (*inc_err)(struct counter *, uint64_t);
    int (*read)(struct counter *, uint64_t *);
    int (*read_err)(struct counter *, uint64_t *);
    int (*attach)(struct ibv_qp *, struct counter *, struct attaching *);
    int (*caps)(struct ibv_context *, struct counter_caps *, size_t);
} f;

static void find_functions(void)
{
    static const char *const names[] = {"ibv_create_comp_cntr", "efadv_create_comp_cntr", "ibv_destroy_comp_cntr",
        "ibv_set_comp_cntr", "ibv_set_err_comp_cntr", "ibv_inc_comp_cntr", "ibv_inc_err_comp_cntr", "ibv_read_comp_cntr",
        "ibv_read_err_comp_cntr", "ibv_qp_attach_comp_cntr", "_ibv_query_comp_cntr_caps"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        ((void **)&f)[i] = dlsym(RTLD_DEFAULT, names[i]);
        if (!((void **)&f)[i])
            skip("this libefa has no counters");
    }
}

static struct counter *counter_of(struct ibv_context *ctx)
{
    return SOME(f.create(ctx, &(struct counter_attr){0}));
}

static void counted(struct counter *c, uint64_t good, uint64_t bad)
{
    uint64_t value;

    OK(f.read(c, &value));
    EQ(value, good);
    OK(f.read_err(c, &value));
    EQ(value, bad);
}

/* A queue pair that can still be given counters. */
static struct ibv_qp *fresh(struct end *e)
{
    struct ibv_qp_init_attr_ex ex = {.cap = {16, 16, 1, 1, 0}, .qp_type = IBV_QPT_DRIVER, .sq_sig_all = 1, .send_cq = e->cq,
        .recv_cq = e->cq, .pd = e->pd, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = OPS};
    struct new_qp_init_attr attr = {0};

    return SOME(efadv_create_qp_ex(e->ctx, &ex, (void *)&attr, sizeof attr));
}

static int attach(struct ibv_qp *qp, struct counter *c, uint32_t ops)
{
    return f.attach(qp, c, &(struct attaching){0, ops});
}

static void values(void)
{
    struct counter_caps caps;
    struct counter *c;
    struct end e;

    find_functions();
    e = make(false, false);
    OK(f.caps(e.ctx, &caps, sizeof caps));
    EQ(caps.ops, ALL);
    EQ(caps.max_value, MOST);
    c = counter_of(e.ctx);
    counted(c, 0, 0);
    OK(f.set(c, 7));
    OK(f.inc(c, 5));
    OK(f.set_err(c, MOST - 1));
    counted(c, 12, MOST - 1);
    OK(f.inc_err(c, 1));
    counted(c, 12, MOST);
    OK(f.inc_err(c, 3)); /* beyond the last it begins at 0 */
    counted(c, 12, 2);
    EQ(f.set(c, MOST + 1), EINVAL);
    OK(f.destroy(c));
    EQ(f.create(e.ctx, &(struct counter_attr){.type = 1}), 0); /* of bytes: libefa has none */
    EQ(errno, EOPNOTSUPP);
    destroy(&e);
}

/* Each operation by a counter of its own, and what went wrong by the other half of it. */
static void operations(void)
{
    struct counter *c[6];
    struct end e, peer;
    struct ibv_qp *usual;
    struct ibv_sge piece, to;

    find_functions();
    e = make(false, false);
    peer = make_end(&(struct efa_making){.send_ops = OPS});
    usual = e.qp;
    e.qp = fresh(&e);
    for (unsigned i = 0; i < 6; i++) {
        c[i] = counter_of(e.ctx);
        OK(attach(e.qp, c[i], 1u << i));
    }
    EQ(f.destroy(c[0]), EBUSY);
    EQ(attach(e.qp, c[0], SEND), EBUSY);
    EQ(attach(e.qp, c[0], 64), EINVAL); /* libibverbs drops what it does not know, and nothing is left */
    start(e.qp);
    EQ(attach(e.qp, c[0], SEND), EINVAL);
    piece = at(&e, 0, 10);
    to = at(&peer, 0, 10);
    receive(peer.qp, 1, &to);
    put(&e, &peer, 1, &piece, 1, 0);
    good(e.cq, 1, IBV_WC_SEND);
    good(peer.cq, 1, IBV_WC_RECV);
    for (unsigned n = 0; n < 2; n++) {
        receive(e.qp, 1, &piece);
        put(&peer, &e, 1, &to, 1, 0);
        good(peer.cq, 1, IBV_WC_SEND);
        good(e.cq, 1, IBV_WC_RECV);
    }
    for (unsigned n = 0; n < 3; n++) {
        OK(one_side(&e, &peer, &(struct one_sided){.opcode = IBV_WR_RDMA_READ, .length = 100000}));
        good(e.cq, 0, IBV_WC_SEND);
    }
    for (unsigned n = 0; n < 4; n++) {
        OK(one_side(&peer, &e, &(struct one_sided){.opcode = IBV_WR_RDMA_READ, .length = 100000}));
        good(peer.cq, 0, IBV_WC_SEND);
    }
    for (unsigned n = 0; n < 5; n++) {
        OK(one_side(&e, &peer, &(struct one_sided){.opcode = IBV_WR_RDMA_WRITE, .length = 100000}));
        good(e.cq, 0, IBV_WC_RDMA_WRITE);
    }
    for (unsigned n = 0; n < 6; n++) {
        OK(one_side(&peer, &e, &(struct one_sided){.opcode = IBV_WR_RDMA_WRITE, .length = 100000}));
        good(peer.cq, 0, IBV_WC_RDMA_WRITE);
    }
    OK(one_side(&e, &peer, &(struct one_sided){.opcode = IBV_WR_RDMA_WRITE, .length = 8, .rkey = peer.mr->rkey ^ 0x100}));
    bad(e.cq, 0, IBV_WC_REM_ACCESS_ERR);
    for (unsigned i = 0; i < 6; i++)
        counted(c[i], i == 3 ? 4 : i == 2 ? 3 : i + 1, i == 4);
    OK(ibv_destroy_qp(e.qp));
    for (unsigned i = 0; i < 6; i++)
        OK(f.destroy(c[i]));
    e.qp = usual;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    destroy(&e);
    destroy(&peer);
}

/* Both words where the program wants them, by address and behind a descriptor; two queue pairs count together. */
static void in_memory(void)
{
    static uint64_t word;
    struct efa_counter_attr attr = {.flags = COMP_IN_MEMORY | ERR_IN_MEMORY, .comp = {.ptr = (uint8_t *)&word},
        .err = {.offset = 64, .type = 1}};
    struct counter_attr plain = {0};
    struct counter *c;
    struct end e, peer;
    struct ibv_sge piece, to;
    struct ibv_qp *usual;
    uint64_t *map;

    find_functions();
    attr.err.fd = memfd_create("counter", 0);
    OK(ftruncate(attr.err.fd, 4096));
    map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, attr.err.fd, 0);
    CHECK(map != MAP_FAILED);
    attr.err.ptr = (uint8_t *)(map + 8);
    e = make(false, false);
    peer = make(false, false);
    c = SOME(f.create_efa(e.ctx, &plain, &attr, sizeof attr));
    usual = e.qp;
    e.qp = fresh(&e);
    OK(attach(e.qp, c, SEND));
    start(e.qp);
    piece = at(&e, 0, 10);
    to = at(&peer, 0, 5);
    receive(peer.qp, 1, &to);
    put(&e, &peer, 1, &piece, 1, 0); /* too long for the receive */
    bad(e.cq, 1, IBV_WC_REM_INV_REQ_ERR);
    bad(peer.cq, 1, IBV_WC_LOC_LEN_ERR);
    piece.length = 5;
    receive(peer.qp, 1, &to);
    put(&e, &peer, 1, &piece, 1, 0);
    good(e.cq, 1, IBV_WC_SEND);
    good(peer.cq, 1, IBV_WC_RECV);
    EQ(word, 1);
    EQ(map[8], 1);
    counted(c, 1, 1);
    OK(ibv_destroy_qp(e.qp));
    OK(f.destroy(c));
    attr.err.offset = 4096;
    EQ(f.create_efa(e.ctx, &plain, &attr, sizeof attr), 0);
    EQ(errno, EINVAL);
    attr.err.fd = 999;
    EQ(f.create_efa(e.ctx, &plain, &attr, sizeof attr), 0);
    EQ(errno, EBADF);
    e.qp = usual;
    munmap(map, 4096);
    destroy(&e);
    destroy(&peer);
}

/* A program that ends without a word. */
static void left_behind(void)
{
    struct end e;
    struct counter *c;

    find_functions();
    e = make(false, false);
    c = counter_of(e.ctx);
    EQ(attach(e.qp, c, SEND), EINVAL); /* it sends already */
    destroy(&e);
    free(c); /* the kernel drops its part with the context */
}

/* -- completion queues in memory of the program -- */

struct cq_init {
    uint64_t comp_mask, wc_flags, flags;
    uint8_t *buffer;
    uint64_t length, offset;
    int32_t fd;
    uint8_t reserved[4];
};

static struct ibv_cq_ex *(*create_cq)(struct ibv_context *, struct ibv_cq_init_attr_ex *, struct cq_init *, uint32_t);

static void queue_in_memory(void)
{
    struct ibv_cq_init_attr_ex attr = {.cqe = 16};
    struct cq_init init = {.flags = 1, .length = 4096, .offset = 8192};
    struct end e;
    struct ibv_qp *usual, *qp;
    struct ibv_cq *cq, *own;
    struct ibv_sge piece, to;
    uint8_t *map;

    create_cq = dlsym(RTLD_DEFAULT, "efadv_create_cq");
    if (!create_cq || !dlsym(RTLD_DEFAULT, "efadv_query_cq"))
        skip("this libefa has no queues in memory");
    init.fd = memfd_create("completions", 0);
    OK(ftruncate(init.fd, 16384));
    map = mmap(NULL, 16384, PROT_READ, MAP_SHARED, init.fd, 0);
    CHECK(map != MAP_FAILED);
    init.buffer = map + 8192;
    e = make(false, false);
    init.length = 16 * 32 - 1;
    EQ(create_cq(e.ctx, &attr, &init, sizeof init), 0);
    EQ(errno, EINVAL);
    init.length = 4096;
    cq = ibv_cq_ex_to_cq(SOME(create_cq(e.ctx, &attr, &init, sizeof init)));
    usual = e.qp;
    own = e.cq;
    e.cq = cq;
    qp = e.qp = fresh(&e);
    start(e.qp);
    piece = at(&e, 0, 10);
    to = at(&e, 100, 10);
    for (unsigned n = 0; n < 40; n++) { /* several times around */
        receive(usual, n, &to);
        e.qp = usual;
        struct end from = e;

        from.qp = qp;
        put(&from, &e, n, &piece, 1, 0);
        device_sim_pump(-1);
        CHECK((map[8192 + (n & 15) * 32 + 3] & 1) == !(n & 16));
        good(cq, n, IBV_WC_SEND);
        good(own, n, IBV_WC_RECV);
    }
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(cq));
    e.cq = own;
    e.qp = usual;
    munmap(map, 16384);
    close(init.fd);
    no_violations();
    destroy(&e);
}

static const struct test_case cases[] = {
    {"values", values}, {"operations", operations}, {"in-memory", in_memory}, {"left-behind", left_behind},
    {"queue-in-memory", queue_in_memory}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa_counters", cases, argc, argv);
}
