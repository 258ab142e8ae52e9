/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Cross channel: send queues that wait for completion queues, and queues that others let begin. libibverbs lets none of the
 * flags through, but the kernel's command takes them: so the queue pair that libmlx5 has made is made once more, over the same
 * rings, by that command, and takes the place of the first. Its descriptors are written by hand.
 */
#include "kit.h"

#include <sys/ioctl.h>
#include <infiniband/mlx5dv.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>

enum { CROSS_CHANNEL = 4, MANAGED_SEND = 8, MANAGED_RECV = 16 };
enum { WAIT = 0x0f, RECV_ENABLE = 0x16, SEND_ENABLE = 0x17 };
#define EXTENDED 0x80000000u /* of the numbers of commands */


struct crossed {
    struct pair *p;
    struct mlx5dv_qp rings;
    struct mlx5dv_devx_uar *uar;
    uint16_t blocks;
};

static struct ib_uverbs_attr pointed(uint16_t id, const void *at, size_t length)
{
    return (struct ib_uverbs_attr){.attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY, .len = (uint16_t)length,
        .data = (uintptr_t)at};
}

static struct ib_uverbs_attr number(uint16_t id, uint16_t length, uint64_t value)
{
    return (struct ib_uverbs_attr){.attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY, .len = length, .data = value};
}

static int command(struct ibv_context *ctx, uint16_t object, uint16_t method, const struct ib_uverbs_attr *attrs, unsigned n)
{
    struct {
        struct ib_uverbs_ioctl_hdr h;
        struct ib_uverbs_attr a[5];
    } c = {.h = {.length = (uint16_t)(sizeof c.h + n * sizeof *attrs), .object_id = object, .method_id = method,
        .num_attrs = (uint16_t)n, .driver_id = RDMA_DRIVER_MLX5}};

    memcpy(c.a, attrs, n * sizeof *attrs);
    return ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &c);
}

/* So that libmlx5, which polls, finds it: the number that it has given to the one that it made. */
static uint32_t user_index(struct ibv_qp *qp)
{
    uint8_t in[16] = {0x05, 0x0b, [10] = (uint8_t)(qp->qp_num >> 8), [11] = (uint8_t)qp->qp_num}, out[0x110] = {0};

    OK(mlx5dv_devx_qp_query(qp, in, sizeof in, out, sizeof out));
    return (uint32_t)(out[0x18 + 0x11] << 16 | out[0x18 + 0x12] << 8 | out[0x18 + 0x13]);
}

/* The command alone: 0, or -1 and errno. */
static int make(struct crossed *c, struct ibv_qp *qp, uint32_t flags, struct ib_uverbs_ex_create_qp_resp *r)
{
    unsigned shift = 0;
    struct ib_uverbs_ex_create_qp in = {.user_handle = (uintptr_t)qp, .pd_handle = qp->pd->handle,
        .send_cq_handle = qp->send_cq->handle, .recv_cq_handle = qp->recv_cq->handle, .max_send_wr = 16, .max_recv_wr = 16,
        .max_send_sge = 1, .max_recv_sge = 1, .qp_type = (uint8_t)qp->qp_type, .create_flags = flags};
    struct mlx5_ib_create_qp own = {.buf_addr = (uintptr_t)c->rings.rq.buf, .db_addr = (uintptr_t)c->rings.dbrec,
        .sq_wqe_count = c->rings.sq.wqe_cnt, .rq_wqe_count = c->rings.rq.wqe_cnt, .flags = MLX5_QP_FLAG_UAR_PAGE_INDEX,
        .uidx = user_index(qp), .bfreg_index = c->uar->page_id};
    struct mlx5_ib_create_qp_resp own_out;
    struct ib_uverbs_attr attrs[5];

    while (1u << shift < c->rings.rq.stride)
        shift++;
    own.rq_wqe_shift = shift;
    attrs[0] = pointed(UVERBS_ATTR_CORE_IN, &in, sizeof in);
    attrs[1] = pointed(UVERBS_ATTR_CORE_OUT, r, sizeof *r);
    attrs[2] = number(UVERBS_ATTR_WRITE_CMD, 8, EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP);
    attrs[3] = pointed(UVERBS_ATTR_UHW_IN, &own, sizeof own);
    attrs[4] = pointed(UVERBS_ATTR_UHW_OUT, &own_out, sizeof own_out);
    return command(qp->context, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, attrs, 5);
}

static void destroy(struct ibv_context *ctx, uint32_t handle)
{
    struct ib_uverbs_destroy_qp_resp r;
    struct ib_uverbs_attr attrs[2] = {number(UVERBS_ATTR_DESTROY_QP_HANDLE, 0, handle),
        pointed(UVERBS_ATTR_DESTROY_QP_RESP, &r, sizeof r)};

    OK(command(ctx, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY, attrs, 2));
}

/* The one takes the place of the other. */
static void remake(struct crossed *c, uint32_t flags)
{
    struct ibv_qp *qp = c->p->a.qp;
    struct ib_uverbs_ex_create_qp_resp r;

    OK(make(c, qp, flags, &r));
    destroy(qp->context, qp->handle);
    qp->handle = r.base.qp_handle;
    qp->qp_num = r.base.qpn;
}

/* A pair whose side a has the flags; connected. */
static struct crossed *crossed_of(const struct making *how, uint32_t flags)
{
    struct crossed *c = SOME(calloc(1, sizeof *c));
    struct making unconnected = *how;
    struct mlx5dv_obj obj;

    unconnected.unconnected = true;
    c->p = make_pair(&unconnected);
    obj.qp.in = c->p->a.qp;
    obj.qp.out = &c->rings;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    c->uar = SOME(mlx5dv_devx_alloc_uar(c->p->ctx, MLX5DV_UAR_ALLOC_TYPE_BF));
    remake(c, flags);
    connect_pair(c->p);
    return c;
}

static void free_crossed(struct crossed *c)
{
    OK(ibv_destroy_qp(c->p->a.qp));
    c->p->a.qp = NULL;
    mlx5dv_devx_free_uar(c->uar);
    free_pair(c->p);
    free(c);
}

/* Two pairs of one context: one waits and enables, the other is waited for, or enabled. */
struct two {
    struct ibv_comp_channel *channel; /* that makes it one context */
    struct crossed *master, *slave;
    struct pair *other; /* the slave's, or an ordinary one */
};

static struct two begin(uint32_t slave_flags)
{
    struct two t = {.channel = SOME(ibv_create_comp_channel(open_nth(0)))};
    struct making how = {.channel = t.channel};

    if (slave_flags)
        t.slave = crossed_of(&how, slave_flags);
    t.other = t.slave ? t.slave->p : make_pair(&how);
    t.other->ctx = NULL; /* so that it is closed once, with the master */
    t.master = crossed_of(&how, CROSS_CHANNEL);
    return t;
}

static void end(struct two *t)
{
    struct ibv_context *ctx = t->master->p->ctx;

    if (t->slave)
        free_crossed(t->slave);
    else
        free_pair(t->other);
    t->master->p->ctx = NULL;
    free_crossed(t->master);
    OK(ibv_destroy_comp_channel(t->channel));
    OK(ibv_close_device(ctx));
}

static void put32(uint8_t *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, 4);
}

/* Where the next descriptor goes; each here has one block. */
static uint8_t *place(struct crossed *c, uint8_t opcode, unsigned ds, bool signaled)
{
    uint8_t *w = (uint8_t *)c->rings.sq.buf + (c->blocks & (c->rings.sq.wqe_cnt - 1)) * 64;

    memset(w, 0, 64);
    put32(w, (uint32_t)c->blocks << 8 | opcode);
    put32(w + 4, c->p->a.qp->qp_num << 8 | ds);
    w[11] = signaled ? MLX5_WQE_CTRL_CQ_UPDATE : 0;
    c->blocks++;
    return w;
}

static uint8_t *cross(struct crossed *c, uint8_t opcode, uint32_t number, uint32_t index)
{
    uint8_t *w = place(c, opcode, 2, true);

    put32(w + 24, index);
    put32(w + 28, number);
    return w;
}

static uint8_t *write_one(struct crossed *c, uint8_t value)
{
    uint8_t *w = place(c, MLX5_OPCODE_RDMA_WRITE, 3, true);
    struct mlx5_wqe_raddr_seg raddr = {.raddr = htobe64((uintptr_t)c->p->b.buf), .rkey = htobe32(c->p->b.mr->rkey)};

    c->p->a.buf[value] = value;
    memcpy(w + 16, &raddr, 16);
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(w + 32), 1, c->p->a.mr->lkey, (uintptr_t)c->p->a.buf + value);
    return w;
}

static void ring(struct crossed *c, const uint8_t *last)
{
    uint64_t value;

    __atomic_store_n(&c->rings.dbrec[MLX5_SND_DBR], htobe32(c->blocks), __ATOMIC_RELEASE);
    memcpy(&value, last, 8);
    __atomic_store_n((uint64_t *)c->uar->reg_addr, value, __ATOMIC_RELEASE);
    device_sim_pump(-1);
}

static void reconnect(struct pair *p)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};

    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    OK(ibv_modify_qp(p->b.qp, &attr, IBV_QP_STATE));
    connect_pair(p);
}

static uint32_t cqn(struct ibv_cq *cq)
{
    struct mlx5dv_cq dv;
    struct mlx5dv_obj obj = {.cq = {.in = cq, .out = &dv}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    return dv.cqn;
}

static void seen(struct ibv_cq *cq, enum ibv_wc_status status)
{
    struct ibv_wc wc;

    device_sim_pump(-1);
    EQ(ibv_poll_cq(cq, 1, &wc), 1);
    EQ(wc.status, status);
}

/* One completion more of the pair that is waited for. */
static void complete_one(struct pair *p)
{
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
}

/* -- waiting ----------------------------------------------------------------------------------- */

static void waits(void)
{
    struct two t = begin(0);
    struct crossed *m = t.master;

    cross(m, WAIT, cqn(t.other->a.cq), 2);
    ring(m, write_one(m, 7));
    nothing(m->p->a.cq);
    complete_one(t.other);
    nothing(m->p->a.cq);
    EQ(m->p->b.buf[0], 0);
    complete_one(t.other);
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    EQ(m->p->b.buf[0], 7);
    ring(m, cross(m, WAIT, cqn(t.other->a.cq), 1)); /* that was long ago */
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    no_violations();
    EQ(device_sim_check_idle(), 0);
    end(&t);
}

/* What is less than half of the counter's range behind has been. */
static void counter_goes_round(void)
{
    struct two t = begin(0);
    struct crossed *m = t.master;
    uint32_t of = cqn(t.other->a.cq);

    for (int i = 0; i < 3; i++)
        complete_one(t.other);
    cross(m, WAIT, of, 0);
    cross(m, WAIT, of, 0xffffff);
    ring(m, cross(m, WAIT, of, 3 + 0x800001));
    for (int i = 0; i < 3; i++)
        seen(m->p->a.cq, IBV_WC_SUCCESS);
    ring(m, cross(m, WAIT, of, 3 + 0x800000));
    nothing(m->p->a.cq);
    complete_one(t.other);
    nothing(m->p->a.cq);
    no_violations();
    end(&t);
}

static void wait_fails(const char *why, uint32_t of)
{
    struct two t = begin(0);
    struct crossed *m = t.master;

    cross(m, WAIT, of, 0);
    ring(m, write_one(m, 9));
    seen(m->p->a.cq, IBV_WC_LOC_QP_OP_ERR);
    expect_message(why);
    seen(m->p->a.cq, IBV_WC_WR_FLUSH_ERR);
    EQ(m->p->b.buf[0], 0);
    no_violations();
    end(&t);
}

static void no_such_queue(void)
{
    wait_fails("is not there", 0xabcdef);
}

/* As if it were not there. */
static void of_another_context(void)
{
    struct pair *p = make_pair(NULL);

    wait_fails("is not there", cqn(p->a.cq));
    free_pair(p);
}

static void overrun(void)
{
    struct two t = begin(0);
    struct crossed *m = t.master;
    struct ibv_cq *small = SOME(ibv_create_cq(m->p->ctx, 1, NULL, NULL, 0));
    struct ibv_qp_init_attr attr = {.send_cq = small, .recv_cq = small, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
        .cap = {.max_send_wr = 8, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = SOME(ibv_create_qp(m->p->pd, &attr));

    to_init(qp);
    to_rtr(qp, qp->qp_num);
    to_rts(qp, m->p);
    ring(m, cross(m, WAIT, cqn(small), 4));
    for (int i = 0; i < 4; i++) {
        struct ibv_sge sge = piece(&m->p->a, 0, 8);
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

        to_remote(&wr, &m->p->b, 0);
        post(qp, &wr);
    }
    seen(m->p->a.cq, IBV_WC_LOC_QP_OP_ERR);
    expect_message("has overrun");
    OK(ibv_destroy_qp(qp));
    OK(ibv_destroy_cq(small));
    no_violations();
    end(&t);
}

/* Whoever waits is flushed, and forgets it in RESET. */
static void ends(void)
{
    struct two t = begin(0);
    struct crossed *m = t.master;
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};

    cross(m, WAIT, cqn(t.other->a.cq), 5);
    ring(m, write_one(m, 3));
    nothing(m->p->a.cq);
    OK(ibv_modify_qp(m->p->a.qp, &attr, IBV_QP_STATE));
    seen(m->p->a.cq, IBV_WC_WR_FLUSH_ERR);
    seen(m->p->a.cq, IBV_WC_WR_FLUSH_ERR);
    for (int i = 0; i < 2; i++) {
        reconnect(m->p);
        m->blocks = 0;
        ring(m, i ? write_one(m, 4) : cross(m, WAIT, cqn(t.other->a.cq), 5));
        if (!i)
            nothing(m->p->a.cq);
    }
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    EQ(m->p->b.buf[0], 4);
    no_violations();
    end(&t);
}

/* -- letting others begin ---------------------------------------------------------------------- */

static void sends(void)
{
    struct two t = begin(MANAGED_SEND);
    struct crossed *m = t.master, *s = t.slave;
    uint32_t of = s->p->a.qp->qp_num;

    for (uint8_t i = 1; i < 5; i++)
        write_one(s, i);
    nothing(s->p->a.cq);
    ring(m, cross(m, SEND_ENABLE, of, 1));
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(s->p->a.cq, IBV_WC_SUCCESS);
    nothing(s->p->a.cq);
    EQ(s->p->b.buf[0], 1);
    cross(m, SEND_ENABLE, of, 3);
    ring(m, cross(m, SEND_ENABLE, of, 2)); /* less than before: nothing changes */
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(s->p->a.cq, IBV_WC_SUCCESS);
    seen(s->p->a.cq, IBV_WC_SUCCESS);
    nothing(s->p->a.cq);
    EQ(s->p->b.buf[0], 3);
    EQ(device_sim_check_idle(), 0);
    no_violations();
    end(&t);
}

/* Through the ring many times, and through the 16 bits of the counter. */
static void blocks_go_round(void)
{
    struct two t = begin(MANAGED_SEND);
    struct crossed *m = t.master, *s = t.slave;

    for (unsigned i = 0; i < 66000; i++) {
        struct ibv_wc wc;

        place(s, MLX5_OPCODE_NOP, 1, true);
        ring(m, cross(m, SEND_ENABLE, s->p->a.qp->qp_num, s->blocks));
        EQ(ibv_poll_cq(m->p->a.cq, 1, &wc), 1);
        EQ(ibv_poll_cq(s->p->a.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
    }
    no_violations();
    end(&t);
}

static void receives(void)
{
    struct two t = begin(MANAGED_RECV);
    struct crossed *m = t.master, *s = t.slave;
    struct ibv_sge to = piece(&s->p->a, 0, 100), from = piece(&s->p->b, 0, 50);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 5, &from);

    for (int i = 0; i < 3; i++)
        receive(s->p->a.qp, 30 + (uint64_t)i, &to);
    for (int i = 0; i < 3; i++)
        post(s->p->b.qp, &wr);
    nothing(s->p->a.cq); /* the receiver is not ready */
    ring(m, cross(m, RECV_ENABLE, s->p->a.qp->qp_num, 1));
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    good(s->p->a.cq, 30, IBV_WC_RECV);
    nothing(s->p->a.cq);
    ring(m, cross(m, RECV_ENABLE, s->p->a.qp->qp_num, 3));
    good(s->p->a.cq, 31, IBV_WC_RECV);
    good(s->p->a.cq, 32, IBV_WC_RECV);
    no_violations();
    end(&t);
}

static void enable_fails(uint32_t flags, uint8_t opcode, uint32_t of, uint32_t index, const char *why)
{
    struct two t = begin(flags);
    struct crossed *m = t.master;

    ring(m, cross(m, opcode, of ? of : t.other->a.qp->qp_num, index));
    seen(m->p->a.cq, IBV_WC_LOC_QP_OP_ERR);
    expect_message(why);
    nothing(t.other->a.cq);
    no_violations();
    end(&t);
}

static void what_can_not_be_enabled(void)
{
    enable_fails(0, SEND_ENABLE, 0, 1, "not managed");
    enable_fails(MANAGED_RECV, SEND_ENABLE, 0, 1, "not managed");
    enable_fails(MANAGED_SEND, RECV_ENABLE, 0, 1, "not managed");
    enable_fails(MANAGED_SEND, SEND_ENABLE, 0xabcdef, 1, "not there");
    enable_fails(MANAGED_SEND, SEND_ENABLE, 0, 0x7fff, "more than the ring has room for");
    enable_fails(MANAGED_RECV, RECV_ENABLE, 0, 0x7fff, "more than the ring has room for");
}

/* A chain: c waits for the answer that b's message makes, and lets the slave begin. */
static void chain(void)
{
    struct two t = begin(MANAGED_SEND | CROSS_CHANNEL);
    struct crossed *m = t.master, *s = t.slave;
    struct ibv_sge sge = piece(&m->p->a, 0, 100), from = piece(&m->p->b, 0, 50);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 5, &from);

    receive(m->p->a.qp, 40, &sge);
    /* The receive makes the first completion of the queue, the wait the second. */
    cross(s, WAIT, cqn(m->p->a.cq), 2);
    write_one(s, 8);
    cross(m, WAIT, cqn(m->p->a.cq), 1);
    ring(m, cross(m, SEND_ENABLE, s->p->a.qp->qp_num, 2));
    nothing(m->p->a.cq);
    post(m->p->b.qp, &wr);
    good(m->p->a.cq, 40, IBV_WC_RECV);
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(m->p->a.cq, IBV_WC_SUCCESS);
    seen(s->p->a.cq, IBV_WC_SUCCESS);
    seen(s->p->a.cq, IBV_WC_SUCCESS);
    EQ(s->p->b.buf[0], 8);
    no_violations();
    end(&t);
}

/* -- the checker ------------------------------------------------------------------------------- */

static void rejected(struct two *t, const uint8_t *wqe, const char *message)
{
    ring(t->master, wqe);
    expect_message(message);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    seen(t->master->p->a.cq, IBV_WC_LOC_QP_OP_ERR);
    end(t);
}

static uint8_t *wait_of(const struct two *t, uint32_t number, uint32_t index)
{
    return cross(t->master, WAIT, number ? number : cqn(t->other->a.cq), index);
}

#define WRONG(name, message, wqe) \
    static void name(void) { struct two t = begin(MANAGED_SEND); uint8_t *w = (wqe); rejected(&t, w, message); }

WRONG(long_index, "the counter has 24 bits", wait_of(&t, 0, 0x1000000))
WRONG(long_block, "the counter has 16 bits", cross(t.master, SEND_ENABLE, t.other->a.qp->qp_num, 0x10000))
WRONG(long_number, "in front of the number", wait_of(&t, 0x1000001, 0))
WRONG(reserved, "reserved bytes of the cross channel segment", ({ uint8_t *r = wait_of(&t, 0, 0); r[23] = 1; r; }))
WRONG(modifier, "opcode modifier", ({ uint8_t *r = wait_of(&t, 0, 0); r[0] = 1; r; }))
WRONG(short_one, "too small for the cross channel segment", ({ uint8_t *r = wait_of(&t, 0, 0); r[7] = 1; r; }))
WRONG(long_one, "ends after 2", ({ uint8_t *r = wait_of(&t, 0, 0); r[7] = 3; r; }))

static void not_made_for_it(void)
{
    struct two t = begin(MANAGED_SEND);

    remake(t.master, MANAGED_SEND); /* the others' flags are not enough */
    remake(t.master, 0);
    reconnect(t.master->p);
    rejected(&t, wait_of(&t, 0, 0), "not made for cross channel");
}

static void doorbell_of_a_managed_queue(void)
{
    struct two t = begin(MANAGED_SEND);

    ring(t.slave, write_one(t.slave, 6));
    expect_message("begin when another queue pair lets them");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    nothing(t.other->a.cq);
    EQ(t.other->b.buf[0], 0);
    end(&t);
}

/* -- the command ------------------------------------------------------------------------------- */

static void what_is_refused(void)
{
    struct two t = begin(MANAGED_SEND);
    struct ib_uverbs_ex_create_qp_resp r;
    struct ibv_context *ctx = t.master->p->ctx;
    struct ibv_qp_init_attr_ex attr = {.send_cq = t.other->a.cq, .recv_cq = t.other->a.cq, .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS, .pd = t.master->p->pd, .create_flags = CROSS_CHANNEL,
        .cap = {1, 1, 1, 1, 0}};

    EQ(make(t.master, t.master->p->a.qp, 1 << 5, &r), -1);
    EQ(errno, EOPNOTSUPP);
    CHECK(!ibv_create_qp_ex(ctx, &attr)); /* libibverbs itself: why all this is done */
    EQ(errno, EINVAL);
    end(&t);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"waits", waits}, {"counter-goes-round", counter_goes_round}, {"no-such-queue", no_such_queue},
        {"of-another-context", of_another_context}, {"overrun", overrun}, {"ends", ends}, {"sends", sends},
        {"blocks-go-round", blocks_go_round}, {"receives", receives},
        {"what-can-not-be-enabled", what_can_not_be_enabled}, {"chain", chain}, {"long-index", long_index},
        {"long-block", long_block}, {"long-number", long_number}, {"reserved", reserved}, {"modifier", modifier},
        {"short", short_one}, {"long", long_one}, {"not-made-for-it", not_made_for_it},
        {"doorbell-of-a-managed-queue", doorbell_of_a_managed_queue}, {"what-is-refused", what_is_refused}, {NULL, NULL},
    };

    return run_cases("cross", cases, argc, argv);
}
