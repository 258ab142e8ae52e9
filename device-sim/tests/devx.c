/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* DevX: commands and their status, objects, memory, queries that run beside, events. */
#include "devx_kit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct mlx5dv_devx_obj *create(struct ibv_context *ctx, size_t length)
{
    return mlx5dv_devx_obj_create(ctx, in, length, out, 16);
}

static struct mlx5dv_devx_obj *alloc(struct ibv_context *ctx, unsigned opcode, unsigned at, unsigned width, uint32_t *id)
{
    struct mlx5dv_devx_obj *o;

    command(opcode);
    o = SOME(create(ctx, 16));
    EQ(get(0, 8), 0);
    *id = (uint32_t)get(at, width);
    CHECK(*id);
    return o;
}

/* The device refused the last command, because of the bit at `at`. */
static void refused(unsigned status, unsigned at)
{
    EQ(get(0, 8), status);
    EQ(get(0x20, 32), (uint32_t)(in[0] << 8 | in[1]) << 16 | at);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
}

/* -- general commands -------------------------------------------------------------------------- */

static void capabilities(void)
{
    struct ibv_context *ctx = open_nth(0);

    command(0x100);
    OK(mlx5dv_devx_general_cmd(ctx, in, 16, out, MAILBOX));
    EQ(get(0, 8), 0);
    EQ(get(0x80 + 0x1b8, 8), 2); /* ports */
    EQ(get(0x80 + 0x1fc, 4), 1); /* version of completion entries */
    command(0x80d);
    OK(mlx5dv_devx_general_cmd(ctx, in, 16, out, 16));
    OK(ibv_close_device(ctx));
}

/* The kernel lets only some commands through, by each of its doors. */
static void not_allowed(void)
{
    struct ibv_context *ctx = open_nth(0);
    static const unsigned general[] = {0x200, 0x800, 0x102, 0xa04, 0}, objects[] = {0x100, 0x201, 0x301, 0xa08, 0};
    struct mlx5dv_devx_obj *pd;
    uint32_t id;

    for (const unsigned *op = general; *op; op++) {
        command(*op);
        EQ(mlx5dv_devx_general_cmd(ctx, in, 16, out, 16), EINVAL);
    }
    for (const unsigned *op = objects; *op; op++) {
        command(*op);
        CHECK(!create(ctx, 16) && errno == EINVAL);
    }
    command(0x80d);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 15, out, 16), EINVAL);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 16, out, 15), EINVAL);
    pd = alloc(ctx, 0x800, 0x48, 24, &id);
    command(0x800);
    EQ(mlx5dv_devx_obj_query(pd, in, 16, out, 16), EINVAL);
    OK(mlx5dv_devx_obj_destroy(pd));
    EQ(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS), 0);
    OK(ibv_close_device(ctx));
}

static void bad_commands(void)
{
    struct ibv_context *ctx = open_nth(0);

    device_sim_reset_counts();
    command(0x10a);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 24, out, 24), EREMOTE_IO);
    refused(0x50, 0);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 16, out, 16), EREMOTE_IO);
    refused(0x51, 0);
    command(0xb02);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 16, out, 16), EREMOTE_IO);
    refused(0x02, 0);
    expect_message("does not have the command");
    command(0x80d);
    set(0x67, 1, 1);
    EQ(mlx5dv_devx_general_cmd(ctx, in, 16, out, 16), EREMOTE_IO);
    refused(0x03, 0x67);
    expect_message("bit 0x67 is reserved");
    command(0x912);
    set(0x228, 24, 0xabc);
    CHECK(!create(ctx, 192) && errno == EREMOTE_IO);
    refused(0x05, 0x228);
    EQ(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS), 5);
    OK(ibv_close_device(ctx));
}

/* -- objects ----------------------------------------------------------------------------------- */

static struct mlx5dv_devx_obj *make_tis(struct ibv_context *ctx, uint32_t domain, uint32_t *number)
{
    struct mlx5dv_devx_obj *tis;

    command(0x912);
    set(0x10c, 4, 5);
    set(0x228, 24, domain);
    tis = SOME(create(ctx, 192));
    *number = (uint32_t)get(0x48, 24);
    return tis;
}

static void send_interface(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t td_number, number;
    struct mlx5dv_devx_obj *td = alloc(ctx, 0x816, 0x48, 24, &td_number), *tis = make_tis(ctx, td_number, &number);

    EQ(mlx5dv_devx_obj_destroy(td), EBUSY);
    command(0x915);
    set(0x48, 24, number);
    OK(mlx5dv_devx_obj_query(tis, in, 16, out, 176));
    EQ(get(0x80 + 0x0c, 4), 5);
    EQ(get(0x80 + 0x128, 24), td_number);
    command(0x913);
    set(0x48, 24, number);
    set(0xbf, 1, 1);
    set(0x10c, 4, 2);
    OK(mlx5dv_devx_obj_modify(tis, in, 192, out, 16));
    command(0x915);
    set(0x48, 24, number + 1);
    EQ(mlx5dv_devx_obj_query(tis, in, 16, out, 176), EINVAL); /* another's number */
    set(0x48, 24, number);
    EQ(mlx5dv_devx_obj_query(td, in, 16, out, 176), EINVAL);
    OK(mlx5dv_devx_obj_query(tis, in, 16, out, 176));
    EQ(get(0x80 + 0x0c, 4), 2);
    OK(mlx5dv_devx_obj_destroy(tis));
    OK(mlx5dv_devx_obj_destroy(td));
    OK(ibv_close_device(ctx));
}

static void counters(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t q_id, f_id;
    struct mlx5dv_devx_obj *q = alloc(ctx, 0x771, 0x58, 8, &q_id), *f;

    command(0x939);
    set(0x78, 8, 1);
    f = SOME(create(ctx, 16));
    f_id = (uint32_t)get(0x40, 32);
    command(0x773);
    set(0xf8, 8, q_id);
    OK(mlx5dv_devx_obj_query(q, in, 32, out, 256));
    command(0x93b);
    set(0xd0, 16, 128);
    set(0xe0, 32, f_id);
    OK(mlx5dv_devx_obj_query(f, in, 32, out, 16 + 128 * 16));
    set(0xd0, 16, 129);
    EQ(mlx5dv_devx_obj_query(f, in, 32, out, 16 + 129 * 16), EREMOTE_IO);
    refused(0x03, 0xd0);
    OK(mlx5dv_devx_obj_destroy(q));
    OK(mlx5dv_devx_obj_destroy(f));
    OK(ibv_close_device(ctx));
}

static void general_object(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_obj *meter, *table;
    uint32_t id, table_id;

    command(0x930);
    set(0xc8, 8, 5);
    table = SOME(create(ctx, 64));
    table_id = (uint32_t)get(0x48, 24);
    command(0xa00);
    set(0x30, 16, 0x0a);
    set(0xe8, 24, table_id);
    set(0x1c8, 8, 0x78); /* what is committed at once: the factor */
    meter = SOME(create(ctx, 144));
    id = (uint32_t)get(0x40, 32);
    command(0xa01);
    set(0x30, 16, 0x0a);
    set(0x40, 32, id);
    set(0x80, 64, 2);
    set(0x1c8, 8, 77);
    set(0x1d8, 8, 5); /* not selected */
    OK(mlx5dv_devx_obj_modify(meter, in, 144, out, 16));
    command(0xa02);
    set(0x30, 16, 0x0a);
    set(0x40, 32, id);
    OK(mlx5dv_devx_obj_query(meter, in, 16, out, 144));
    EQ(get(0x1c8, 8), 77);
    EQ(get(0x1d8, 8), 0);
    EQ(get(0xe8, 24), table_id);
    set(0x30, 16, 0x0b);
    EQ(mlx5dv_devx_obj_query(meter, in, 16, out, 144), EINVAL);
    EQ(mlx5dv_devx_obj_destroy(table), EBUSY);
    OK(mlx5dv_devx_obj_destroy(meter));
    OK(mlx5dv_devx_obj_destroy(table));
    OK(ibv_close_device(ctx));
}

/* -- memory ------------------------------------------------------------------------------------ */

static void umems(void)
{
    struct ibv_context *ctx = open_nth(0);
    void *memory = SOME(aligned_alloc(4096, 65536));
    struct mlx5dv_devx_umem *umem = SOME(mlx5dv_devx_umem_reg(ctx, memory, 65536, IBV_ACCESS_LOCAL_WRITE));

    CHECK(umem->umem_id);
    CHECK(!mlx5dv_devx_umem_reg(ctx, NULL, 4096, IBV_ACCESS_LOCAL_WRITE) && errno == EFAULT);
    CHECK(!mlx5dv_devx_umem_reg(ctx, memory, 0, IBV_ACCESS_LOCAL_WRITE) && errno == EINVAL);
    CHECK(!mlx5dv_devx_umem_reg(ctx, memory, 4096, IBV_ACCESS_REMOTE_WRITE) && errno == EINVAL);
    CHECK(!mlx5dv_devx_umem_reg(ctx, memory, 4096, 1 << 20) && errno == EINVAL);
    OK(mlx5dv_devx_umem_dereg(umem));
    OK(ibv_close_device(ctx));
    free(memory);
}

/* A key that DevX made serves work requests as one of the verbs does. */
static void key_in_use(void)
{
    struct pair *p = make_pair(NULL);
    struct mlx5dv_devx_umem *umem = SOME(mlx5dv_devx_umem_reg(p->ctx, p->a.buf, BUFFER, IBV_ACCESS_LOCAL_WRITE |
        IBV_ACCESS_REMOTE_WRITE));
    struct mlx5dv_pd pd;
    struct mlx5dv_obj obj = {.pd = {.in = p->pd, .out = &pd}};
    struct mlx5dv_devx_obj *key;
    struct ibv_sge sge = piece(&p->a, 64, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    uint32_t index;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
    command(0x200);
    set(0x61, 1, 1);
    set(0x94, 3, 7); /* local write and read; mode: MTT, in the low bits */
    set(0x96, 2, 1);
    set(0xa0, 24, 0xffffff);
    set(0xb8, 8, 0x5a);
    set(0xe8, 24, pd.pdn);
    set(0x100, 64, (uintptr_t)p->a.buf);
    set(0x140, 64, BUFFER);
    set(0x320, 32, umem->umem_id);
    key = SOME(create(p->ctx, 272));
    index = (uint32_t)get(0x48, 24);
    EQ(mlx5dv_devx_umem_dereg(umem), EBUSY);
    EQ(ibv_dealloc_pd(p->pd), EBUSY);
    fill(p->a.buf, 1000, 3);
    sge.lkey = index << 8 | 0x5a;
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf + 64, p->b.buf, 100));
    command(0x201);
    set(0x48, 24, index);
    OK(mlx5dv_devx_obj_query(key, in, 16, out, 80));
    EQ(get(0x80 + 0xc0, 64), BUFFER);
    OK(mlx5dv_devx_obj_destroy(key));
    post(p->a.qp, &wr);
    bad(p->a.cq, 1, IBV_WC_LOC_PROT_ERR);
    command(0x200);
    set(0x96, 2, 1);
    set(0xa0, 24, 0xffffff);
    set(0xe8, 24, pd.pdn);
    set(0x140, 64, BUFFER + 1);
    set(0x320, 32, umem->umem_id);
    CHECK(!create(p->ctx, 272) && errno == EREMOTE_IO);
    refused(0x03, 0x340);
    OK(mlx5dv_devx_umem_dereg(umem));
    free_pair(p);
}

struct own_cq {
    void *memory;
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_uar *uar;
    struct mlx5dv_devx_obj *obj;
    uint32_t number;
};

static void make_cq(struct ibv_context *ctx, struct own_cq *q)
{
    uint32_t eqn;

    q->memory = SOME(aligned_alloc(4096, 8192));
    q->umem = SOME(mlx5dv_devx_umem_reg(ctx, q->memory, 8192, IBV_ACCESS_LOCAL_WRITE));
    q->uar = SOME(mlx5dv_devx_alloc_uar(ctx, 0));
    OK(mlx5dv_devx_query_eqn(ctx, 0, &eqn));
    command(0x400);
    set(0xa0, 32, q->umem->umem_id);
    set(0xe3, 5, 6);
    set(0xe8, 24, q->uar->page_id);
    set(0x138, 8, eqn);
    set(0x240, 64, 4096);
    set(0x2c0, 32, q->umem->umem_id);
    q->obj = SOME(create(ctx, 272));
    q->number = (uint32_t)get(0x48, 24);
}

static void free_cq(struct own_cq *q)
{
    OK(mlx5dv_devx_obj_destroy(q->obj));
    mlx5dv_devx_free_uar(q->uar);
    OK(mlx5dv_devx_umem_dereg(q->umem));
    free(q->memory);
}

static void own_queue(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct own_cq q;
    uint32_t eqn;

    EQ(mlx5dv_devx_query_eqn(ctx, 1, &eqn), ENOENT);
    make_cq(ctx, &q);
    command(0x403);
    set(0x48, 24, q.number);
    set(0x60, 32, 3);
    set(0x104, 12, 9);
    set(0x110, 16, 8);
    OK(mlx5dv_devx_obj_modify(q.obj, in, 272, out, 16));
    command(0x402);
    set(0x48, 24, q.number);
    OK(mlx5dv_devx_obj_query(q.obj, in, 16, out, 80));
    EQ(get(0x80 + 0x63, 5), 6);
    EQ(get(0x80 + 0x84, 12), 9);
    EQ(get(0x80 + 0x90, 16), 8);
    EQ(mlx5dv_devx_umem_dereg(q.umem), EBUSY);
    free_cq(&q);
    OK(ibv_close_device(ctx));
}

/* -- the verbs' objects ------------------------------------------------------------------------ */

static void queue_pair(void)
{
    struct pair *p = make_pair(NULL);

    command(0x50b);
    set(0x48, 24, p->a.qp->qp_num);
    OK(mlx5dv_devx_qp_query(p->a.qp, in, 16, out, 272));
    EQ(get(0xc0, 4), 3); /* ready to send */
    EQ(get(0xc0 + 0xa8, 24), p->b.qp->qp_num);
    CHECK(get(0xc0 + 0x88, 24) < 1 << 20);
    EQ(mlx5dv_devx_qp_query(p->b.qp, in, 16, out, 272), EINVAL);
    command(0x507);
    set(0x48, 24, p->a.qp->qp_num);
    OK(mlx5dv_devx_qp_modify(p->a.qp, in, 16, out, 16));
    command(0x50b);
    set(0x48, 24, p->a.qp->qp_num);
    OK(mlx5dv_devx_qp_query(p->a.qp, in, 16, out, 272));
    EQ(get(0xc0, 4), 6);
    command(0x505);
    set(0x48, 24, p->a.qp->qp_num);
    EQ(mlx5dv_devx_qp_modify(p->a.qp, in, 272, out, 16), EREMOTE_IO);
    refused(0x10, 0x48);
    free_pair(p);
}

static void dc_target(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_srq_init_attr usual = {.attr = {.max_wr = 32, .max_sge = 1}};
    struct ibv_srq *srq = SOME(ibv_create_srq(p->pd, &usual));
    struct ibv_qp_init_attr_ex ex = {.qp_type = IBV_QPT_DRIVER, .send_cq = p->a.cq, .recv_cq = p->a.cq, .srq = srq,
        .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = p->pd};
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
        .dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = 0x1122334455667788}};
    struct ibv_qp *dct = SOME(mlx5dv_create_qp(p->ctx, &ex, &dv));
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};

    OK(ibv_modify_qp(dct, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .min_rnr_timer = 1,
        .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}}};
    OK(ibv_modify_qp(dct, &attr, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU));
    command(0x713);
    set(0x48, 24, dct->qp_num);
    OK(mlx5dv_devx_qp_query(dct, in, 16, out, 80));
    EQ(get(0x180, 64), 0x1122334455667788);
    command(0x50b);
    set(0x48, 24, dct->qp_num);
    EQ(mlx5dv_devx_qp_query(dct, in, 16, out, 272), EINVAL); /* it is no queue pair to the device */
    OK(ibv_destroy_qp(dct));
    OK(ibv_destroy_srq(srq));
    free_pair(p);
}

static void completion_queue(void)
{
    struct pair *p = make_pair(NULL);
    struct mlx5dv_cq cq;
    struct mlx5dv_obj obj = {.cq = {.in = p->a.cq, .out = &cq}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    command(0x403);
    set(0x48, 24, cq.cqn);
    set(0x60, 32, 3);
    set(0x104, 12, 16);
    set(0x110, 16, 32);
    OK(mlx5dv_devx_cq_modify(p->a.cq, in, 272, out, 16));
    command(0x402);
    set(0x48, 24, cq.cqn);
    OK(mlx5dv_devx_cq_query(p->a.cq, in, 16, out, 272));
    EQ(1u << get(0x80 + 0x63, 5), cq.cqe_cnt);
    EQ(get(0x80 + 0x84, 12), 16);
    EQ(get(0x80 + 0x90, 16), 32);
    free_pair(p);
}

static uint32_t number_of(struct ibv_srq *srq)
{
    struct mlx5dv_srq s = {.comp_mask = MLX5DV_SRQ_MASK_SRQN};
    struct mlx5dv_obj obj = {.srq = {.in = srq, .out = &s}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ));
    return s.srqn;
}

static void shared_receive_queue(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_srq_init_attr usual = {.attr = {.max_wr = 32, .max_sge = 1}};
    struct ibv_xrcd_init_attr domain = {.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1,
        .oflags = O_CREAT};
    struct ibv_xrcd *xrcd = SOME(ibv_open_xrcd(p->ctx, &domain));
    struct ibv_srq_init_attr_ex extended = {.attr = {.max_wr = 32, .max_sge = 1}, .srq_type = IBV_SRQT_XRC,
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_PD,
        .pd = p->pd, .xrcd = xrcd, .cq = p->a.cq};
    struct ibv_srq *a = SOME(ibv_create_srq(p->pd, &usual)), *x[3];
    uint64_t seen = 0;

    command(0x90f);
    set(0x48, 24, number_of(a));
    OK(mlx5dv_devx_srq_query(a, in, 16, out, 272));
    CHECK(get(0x280 + 0x11b, 5) >= 6); /* one element stays free, so 64 at least */
    command(0x702);
    set(0x48, 24, number_of(a));
    EQ(mlx5dv_devx_srq_query(a, in, 16, out, 272), EINVAL);
    for (int i = 0; i < 3; i++) {
        x[i] = SOME(ibv_create_srq_ex(p->ctx, &extended));
        command(0x707);
        set(0x48, 24, number_of(x[i]));
        OK(mlx5dv_devx_srq_query(x[i], in, 16, out, 80));
        CHECK(!(seen & 1ull << get(0x80 + 0x88, 24))); /* an index of its own, which the library chose */
        seen |= 1ull << get(0x80 + 0x88, 24);
    }
    for (int i = 0; i < 3; i++)
        OK(ibv_destroy_srq(x[i]));
    OK(ibv_destroy_srq(a));
    OK(ibv_close_xrcd(xrcd));
    free_pair(p);
}

/* -- queries that run beside ------------------------------------------------------------------- */

struct answer {
    struct mlx5dv_devx_async_cmd_hdr header;
    uint8_t data[256];
};

static void many_queries(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t id;
    struct mlx5dv_devx_obj *td = alloc(ctx, 0x816, 0x48, 24, &id), *tis = make_tis(ctx, id, &id);
    struct mlx5dv_devx_cmd_comp *comp = SOME(mlx5dv_devx_create_cmd_comp(ctx));
    struct pollfd p = {.fd = comp->fd, .events = POLLIN};
    struct answer a;

    command(0x915);
    set(0x48, 24, id);
    for (uint64_t i = 0; i < 50; i++)
        OK(mlx5dv_devx_obj_query_async(tis, in, 16, 176, i, comp));
    EQ(poll(&p, 1, 0), 0);
    device_sim_pump(30);
    for (uint64_t i = 0; i < 30; i++) {
        EQ(mlx5dv_devx_get_async_cmd_comp(comp, &a.header, 180), ENOSPC);
        OK(mlx5dv_devx_get_async_cmd_comp(comp, &a.header, sizeof a));
        EQ(a.header.wr_id, i);
        EQ(a.header.out_data[0], 0);
    }
    EQ(poll(&p, 1, 0), 0);
    OK(mlx5dv_devx_obj_destroy(tis));
    device_sim_pump(-1);
    for (uint64_t i = 30; i < 50; i++) {
        OK(mlx5dv_devx_get_async_cmd_comp(comp, &a.header, sizeof a));
        EQ(a.header.wr_id, i);
        EQ(a.header.out_data[0], 0x05); /* what was asked about is gone */
    }
    fcntl(comp->fd, F_SETFL, O_NONBLOCK);
    EQ(mlx5dv_devx_get_async_cmd_comp(comp, &a.header, sizeof a), EAGAIN);
    mlx5dv_devx_destroy_cmd_comp(comp);
    OK(mlx5dv_devx_obj_destroy(td));
    OK(ibv_close_device(ctx));
}

/* What was asked for and not read is limited. */
static void too_many_queries(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t id;
    struct mlx5dv_devx_obj *counter = alloc(ctx, 0x939, 0x40, 32, &id);
    struct mlx5dv_devx_cmd_comp *comp = SOME(mlx5dv_devx_create_cmd_comp(ctx));
    static uint8_t room[65536];

    command(0x93b);
    set(0xe0, 32, id);
    for (int i = 0; i < 16; i++)
        OK(mlx5dv_devx_obj_query_async(counter, in, 32, 65520, 1, comp));
    OK(mlx5dv_devx_obj_query_async(counter, in, 32, 256, 1, comp));
    EQ(mlx5dv_devx_obj_query_async(counter, in, 32, 32, 1, comp), EAGAIN);
    device_sim_pump(-1);
    EQ(mlx5dv_devx_obj_query_async(counter, in, 32, 32, 1, comp), EAGAIN);
    OK(mlx5dv_devx_get_async_cmd_comp(comp, (void *)room, sizeof room));
    OK(mlx5dv_devx_obj_query_async(counter, in, 32, 32, 1, comp));
    mlx5dv_devx_destroy_cmd_comp(comp); /* with a query on its way */
    device_sim_pump(-1);
    OK(mlx5dv_devx_obj_destroy(counter));
    OK(ibv_close_device(ctx));
}

/* -- events ------------------------------------------------------------------------------------ */

struct event {
    struct mlx5dv_devx_async_event_hdr header;
    uint8_t data[64];
};

static void subscribers(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_event_channel *whole = SOME(mlx5dv_devx_create_event_channel(ctx, 0));
    struct mlx5dv_devx_event_channel *bare = SOME(mlx5dv_devx_create_event_channel(ctx,
        MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA));
    uint16_t of_queue[] = {0x00, 0x04}, of_port[] = {0x09}, other[] = {0x77};
    struct own_cq q;
    struct event e;
    int fd = eventfd(0, EFD_NONBLOCK);
    uint64_t count;

    make_cq(ctx, &q);
    OK(mlx5dv_devx_subscribe_devx_event(whole, q.obj, sizeof of_queue, of_queue, 111));
    OK(mlx5dv_devx_subscribe_devx_event(bare, q.obj, sizeof of_queue, of_queue, 222));
    OK(mlx5dv_devx_subscribe_devx_event(whole, NULL, sizeof of_port, of_port, 333));
    OK(mlx5dv_devx_subscribe_devx_event_fd(bare, fd, q.obj, 0x04));
    EQ(mlx5dv_devx_subscribe_devx_event(whole, q.obj, sizeof other, other, 1), EINVAL);
    EQ(mlx5dv_devx_subscribe_devx_event(whole, NULL, sizeof of_queue, of_queue, 1), EINVAL);
    EQ(mlx5dv_devx_subscribe_devx_event_fd(bare, whole->fd + 1000, q.obj, 0x04), EBADF);
    EQ(mlx5dv_devx_subscribe_devx_event_fd(bare, STDERR_FILENO, q.obj, 0x04), EINVAL);

    EQ(device_sim_devx_event(0, 0x04, 0x400, q.number + 1), ENOENT);
    EQ(device_sim_devx_event(0, 0x77, 0x400, q.number), EINVAL);
    OK(device_sim_devx_event(0, 0x04, 0x400, q.number));
    OK(device_sim_devx_event(0, 0x04, 0x400, q.number));
    OK(device_sim_devx_event(0, 0x09, 0, 2));
    EQ(mlx5dv_devx_get_event(whole, &e.header, 40), -1);
    EQ(errno, EINVAL);
    for (int i = 0; i < 2; i++) {
        EQ(mlx5dv_devx_get_event(whole, &e.header, sizeof e), 72);
        EQ(e.header.cookie, 111);
        EQ(e.header.out_data[1], 0x04);
        EQ(e.header.out_data[35], q.number & 0xff);
        EQ(e.header.out_data[43], 1); /* overrun */
    }
    EQ(mlx5dv_devx_get_event(whole, &e.header, sizeof e), 72);
    EQ(e.header.cookie, 333);
    EQ(e.header.out_data[40], 2 << 4);
    EQ(mlx5dv_devx_get_event(bare, &e.header, sizeof e), 8); /* both in one */
    EQ(e.header.cookie, 222);
    fcntl(bare->fd, F_SETFL, O_NONBLOCK);
    EQ(mlx5dv_devx_get_event(bare, &e.header, sizeof e), -1);
    EQ(errno, EAGAIN);
    EQ(read(fd, &count, sizeof count), 8);
    EQ(count, 2);

    OK(device_sim_devx_event(0, 0x00, 0x400, q.number));
    free_cq(&q); /* with its subscriptions; what carries data stays to be read */
    EQ(mlx5dv_devx_get_event(bare, &e.header, sizeof e), -1);
    EQ(mlx5dv_devx_get_event(whole, &e.header, sizeof e), 72);
    mlx5dv_devx_destroy_event_channel(whole);
    mlx5dv_devx_destroy_event_channel(bare);
    close(fd);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    OK(ibv_close_device(ctx));
}

/* -- the end of things ------------------------------------------------------------------------- */

static void closed_early(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_devx_cmd_comp *comp = SOME(mlx5dv_devx_create_cmd_comp(ctx));
    struct mlx5dv_devx_obj *td, *tis, *pd;
    struct own_cq q;
    struct answer a;
    uint32_t id;

    pd = alloc(ctx, 0x800, 0x48, 24, &id);
    td = alloc(ctx, 0x816, 0x48, 24, &id);
    tis = make_tis(ctx, id, &id);
    make_cq(ctx, &q);
    command(0x915);
    set(0x48, 24, id);
    OK(mlx5dv_devx_obj_query_async(tis, in, 16, 176, 1, comp));
    OK(ibv_close_device(ctx));
    device_sim_pump(-1);
    EQ(mlx5dv_devx_get_async_cmd_comp(comp, &a.header, sizeof a), EIO);
    mlx5dv_devx_destroy_cmd_comp(comp);
    /* The library keeps its side of objects until it is told to destroy them, which it can't be any more. */
    free(pd);
    free(td);
    free(tis);
    free(q.obj);
    free(q.umem);
    free(q.memory);
}

/* By name: they came with rdma-core 40. */
static void event_queues(void)
{
    void *(*alloc_msi_vector)(struct ibv_context *) = dlsym(RTLD_DEFAULT, "mlx5dv_devx_alloc_msi_vector");
    void *(*create_eq)(struct ibv_context *, const void *, size_t, void *, size_t) = dlsym(RTLD_DEFAULT,
        "mlx5dv_devx_create_eq");
    struct ibv_context *ctx;

    if (!alloc_msi_vector || !create_eq)
        skip("this libmlx5 has none");
    ctx = open_nth(0);
    /* The library has them where it drives the device by itself, without a kernel driver. */
    CHECK(!alloc_msi_vector(ctx) && errno == EOPNOTSUPP);
    CHECK(!create_eq(ctx, in, 64, out, 16) && errno == EOPNOTSUPP);
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"capabilities", capabilities}, {"not-allowed", not_allowed}, {"bad-commands", bad_commands},
    {"send-interface", send_interface}, {"counters", counters}, {"general-object", general_object}, {"umems", umems},
    {"key-in-use", key_in_use}, {"own-queue", own_queue}, {"queue-pair", queue_pair}, {"dc-target", dc_target},
    {"completion-queue", completion_queue}, {"shared-receive-queue", shared_receive_queue},
    {"many-queries", many_queries}, {"too-many-queries", too_many_queries}, {"subscribers", subscribers},
    {"closed-early", closed_early}, {"event-queues", event_queues}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("devx", cases, argc, argv);
}
