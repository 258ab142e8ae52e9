/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues that DevX makes, as UCX does: receive memory pools, queue pairs, DC targets. Their rings are written by hand, and so
 * their completions are read, as libmlx5 knows nothing of them.
 */
#include "devx_kit.h"

#include <poll.h>

#define LENGTH 272
#define QPC 0xc0
#define PATH (QPC + 0xc0)
#define WQ 0x280
#define DCTC 0x80
#define KEY 0x1122334455667788ull

/* The parts of a side's memory. */
enum { RING = 0, RECORDS = 4096, POOL_RECORD = 4096 + 64, CQ_RECORD = 4096 + 128, POOL = 8192, ENTRIES = 16384, MEMORY = 32768 };
enum { BLOCKS = 64, RECEIVES = 16, RECEIVE_SIZE = 64, COMPLETIONS = 64 };
enum { LIST, CYCLIC };

struct queue {
    struct side *side;
    struct ibv_cq *cq;
    struct mlx5dv_cq ring;
    uint8_t *memory;
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_uar *uar;
    struct mlx5dv_devx_obj *pool, *qp;
    uint32_t pool_number, number, uidx;
    uint16_t posted, received, completed;
    size_t sends; /* where their ring lies in the memory */
};

struct world {
    struct pair *p;
    struct queue a, b;
    uint32_t pd;
};

static void make_memory(struct world *w, struct queue *q, struct side *side, uint32_t uidx)
{
    struct mlx5dv_obj obj = {.cq = {.out = &q->ring}};

    q->side = side;
    q->uidx = uidx;
    q->cq = obj.cq.in = SOME(ibv_create_cq(w->p->ctx, 255, NULL, NULL, 0));
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    q->memory = SOME(aligned_alloc(4096, MEMORY));
    memset(q->memory, 0, MEMORY);
    q->umem = SOME(mlx5dv_devx_umem_reg(w->p->ctx, q->memory, MEMORY, IBV_ACCESS_LOCAL_WRITE));
    q->uar = SOME(mlx5dv_devx_alloc_uar(w->p->ctx, MLX5DV_UAR_ALLOC_TYPE_BF));
}

static void pool_command(const struct world *w, const struct queue *q, unsigned type)
{
    command(0x90c);
    set(0x108, 4, 1);
    set(WQ, 4, type);
    set(WQ + 0x48, 24, w->pd);
    set(WQ + 0x80, 64, POOL_RECORD);
    set(WQ + 0x10c, 4, 6);
    set(WQ + 0x11b, 5, 4);
    set(WQ + 0x140, 32, q->umem->umem_id);
    set(WQ + 0x160, 32, q->umem->umem_id);
    set(WQ + 0x180, 64, POOL);
}

static void make_pool(struct world *w, struct queue *q, unsigned type)
{
    pool_command(w, q, type);
    q->pool = SOME(mlx5dv_devx_obj_create(w->p->ctx, in, LENGTH, out, 16));
    q->pool_number = (uint32_t)get(0x48, 24);
    for (unsigned i = 0; i < RECEIVES; i++) { /* a list begins in order; in a ring nobody looks at it */
        q->memory[POOL + i * RECEIVE_SIZE + 2] = type == LIST ? 0 : 0xff;
        q->memory[POOL + i * RECEIVE_SIZE + 3] = type == LIST ? (uint8_t)((i + 1) % RECEIVES) : 0xff;
    }
}

static void qp_command(const struct world *w, const struct queue *q, unsigned service)
{
    command(0x500);
    set(QPC + 0x08, 8, service);
    set(QPC + 0x13, 2, 3);
    set(QPC + 0x28, 24, w->pd);
    set(QPC + 0x51, 4, 6);
    set(QPC + 0x68, 24, q->uar->page_id);
    set(QPC + 0x88, 24, q->uidx);
    set(QPC + 0x3e8, 24, q->ring.cqn);
    set(QPC + 0x4e8, 24, q->ring.cqn);
    set(QPC + 0x500, 64, RECORDS);
    set(QPC + 0x565, 3, q->pool ? 1 : 3);
    set(QPC + 0x568, 24, q->pool_number);
    set(QPC + 0x720, 32, q->umem->umem_id);
    set(0x800, 64, RING);
    set(0x840, 32, q->umem->umem_id);
}

static void make_qp(struct world *w, struct queue *q, unsigned service)
{
    qp_command(w, q, service);
    q->qp = SOME(mlx5dv_devx_obj_create(w->p->ctx, in, LENGTH, out, 16));
    q->number = (uint32_t)get(0x48, 24);
}

/* One whose sends have no doorbell record. */
static void make_recordless(struct world *w, struct queue *q)
{
    qp_command(w, q, 0);
    set(QPC + 0x80, 2, 1);
    q->qp = SOME(mlx5dv_devx_obj_create(w->p->ctx, in, LENGTH, out, 16));
    q->number = (uint32_t)get(0x48, 24);
}

static struct world make_world(void)
{
    struct world w = {.p = make_pair(&(struct making){.unconnected = true})};
    struct mlx5dv_pd pd;
    struct mlx5dv_obj obj = {.pd = {.in = w.p->pd, .out = &pd}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
    w.pd = pd.pdn;
    make_memory(&w, &w.a, &w.p->a, 0xaaa);
    make_memory(&w, &w.b, &w.p->b, 0xbbb);
    return w;
}

static void free_queue(struct queue *q)
{
    if (q->qp)
        OK(mlx5dv_devx_obj_destroy(q->qp));
    if (q->pool)
        OK(mlx5dv_devx_obj_destroy(q->pool));
    mlx5dv_devx_free_uar(q->uar);
    OK(mlx5dv_devx_umem_dereg(q->umem));
    OK(ibv_destroy_cq(q->cq));
    free(q->memory);
}

static void free_world(struct world *w)
{
    free_queue(&w->a);
    free_queue(&w->b);
    free_pair(w->p);
}

/* The event that is there, which must be. */
static uint64_t cookie_of_event(struct mlx5dv_devx_event_channel *channel)
{
    struct pollfd p = {.fd = channel->fd, .events = POLLIN};
    struct mlx5dv_devx_async_event_hdr event;

    EQ(poll(&p, 1, 0), 1);
    EQ(mlx5dv_devx_get_event(channel, &event, sizeof event), 8);
    return event.cookie;
}

/* -- states -- */

/* Of a queue pair of DevX, or of the verbs. */
struct target {
    struct mlx5dv_devx_obj *obj;
    struct ibv_qp *qp;
    uint32_t number;
};

static int step(const struct target *t)
{
    set(0x48, 24, t->number);
    return t->qp ? mlx5dv_devx_qp_modify(t->qp, in, LENGTH, out, 16) : mlx5dv_devx_obj_modify(t->obj, in, LENGTH, out, 16);
}

static void to_init_by_command(void)
{
    command(0x502);
    set(PATH + 0x128, 8, 1);
    set(QPC + 0x491, 1, 1);
}

static void to_rtr_by_command(struct ibv_context *ctx, uint32_t peer)
{
    union ibv_gid gid;

    OK(ibv_query_gid(ctx, 1, 3, &gid));
    command(0x503);
    set(0x80, 32, 1 << 1 | 1 << 2 | 1 << 3); /* rights */
    set(QPC + 0x40, 3, IBV_MTU_1024);
    set(QPC + 0x43, 5, 30);
    set(QPC + 0xa8, 24, peer);
    for (unsigned i = 0; i < 16; i++)
        set(PATH + 0x80 + 8 * i, 8, gid.raw[i]);
    set(PATH + 0x48, 8, 3);
    set(PATH + 0x58, 8, 64);
    set(QPC + 0x488, 3, 2);
    set(QPC + 0x490, 3, 7);
    set(QPC + 0x4a3, 5, 12);
    set(QPC + 0x4a8, 24, 77);
}

static void to_rts_by_command(void)
{
    command(0x504);
    set(PATH + 0x40, 5, 14);
    set(QPC + 0x388, 3, 2);
    set(QPC + 0x38d, 3, 6);
    set(QPC + 0x390, 3, 5);
    set(QPC + 0x3c8, 24, 77);
}

static void bring_up(struct ibv_context *ctx, const struct target *t, uint32_t peer)
{
    to_init_by_command();
    OK(step(t));
    to_rtr_by_command(ctx, peer);
    OK(step(t));
    to_rts_by_command();
    OK(step(t));
}

/* -- by hand -- */

static void post_receive(struct queue *q, size_t offset, uint32_t length)
{
    uint8_t *at = q->memory + POOL + (q->received % RECEIVES) * RECEIVE_SIZE;

    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(at + 16), length, q->side->mr->lkey, (uintptr_t)q->side->buf + offset);
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(at + 32), 0, MLX5_INVALID_LKEY, 0);
    q->received++;
    __atomic_store_n((uint32_t *)(q->memory + POOL_RECORD), htobe32(q->received), __ATOMIC_RELEASE);
}

static void post_by_hand(struct queue *q, void *wqe, unsigned segments, unsigned opcode)
{
    unsigned blocks = (segments + 3) / 4;
    uint64_t first;

    mlx5dv_set_ctrl_seg(wqe, q->posted, (uint8_t)opcode, 0, q->number, MLX5_WQE_CTRL_CQ_UPDATE, (uint8_t)segments, 0, 0);
    for (unsigned i = 0; i < segments * 16; i++)
        q->memory[q->sends + (q->posted * 64u + i) % (BLOCKS * 64)] = ((uint8_t *)wqe)[i];
    q->posted = (uint16_t)(q->posted + blocks);
    __atomic_store_n((uint32_t *)(q->memory + RECORDS) + MLX5_SND_DBR, htobe32(q->posted), __ATOMIC_RELEASE);
    memcpy(&first, wqe, 8);
    __atomic_store_n((uint64_t *)q->uar->reg_addr, first, __ATOMIC_RELEASE);
    device_sim_pump(-1);
}

/* The next completion, which must be there: of the queue pair with its index, and of this kind. */
static struct mlx5_cqe64 *complete(struct queue *q, unsigned opcode)
{
    struct mlx5_cqe64 *e = (void *)((uint8_t *)q->ring.buf + (q->completed & (q->ring.cqe_cnt - 1)) * q->ring.cqe_size
        + q->ring.cqe_size - 64);

    EQ(mlx5dv_get_cqe_owner(e), !!(q->completed & q->ring.cqe_cnt));
    EQ(mlx5dv_get_cqe_opcode(e), opcode);
    EQ(be32toh(e->srqn_uidx) & 0xffffff, q->uidx);
    q->completed++;
    __atomic_store_n(q->ring.dbrec, htobe32(q->completed), __ATOMIC_RELEASE);
    return e;
}

static void connected(unsigned type)
{
    struct world w = make_world();

    make_pool(&w, &w.b, type);
    make_qp(&w, &w.a, 0);
    make_qp(&w, &w.b, 0);
    bring_up(w.p->ctx, &(struct target){.obj = w.a.qp, .number = w.a.number}, w.b.number);
    bring_up(w.p->ctx, &(struct target){.obj = w.b.qp, .number = w.b.number}, w.a.number);
    for (unsigned i = 0; i < 100; i++) { /* several times around both rings */
        struct {
            struct mlx5_wqe_ctrl_seg ctrl;
            struct mlx5_wqe_data_seg data;
        } send = {0};
        struct mlx5_cqe64 *e;

        fill(w.p->a.buf, 500, i);
        post_receive(&w.b, 1000, 600);
        mlx5dv_set_data_seg(&send.data, 400 + i, w.p->a.mr->lkey, (uintptr_t)w.p->a.buf);
        post_by_hand(&w.a, &send, 2, MLX5_OPCODE_SEND);
        e = complete(&w.a, MLX5_CQE_REQ);
        EQ(be16toh(e->wqe_counter), i);
        EQ(be32toh(e->sop_drop_qpn) & 0xffffff, w.a.number);
        e = complete(&w.b, MLX5_CQE_RESP_SEND);
        EQ(be16toh(e->wqe_counter), i % RECEIVES);
        EQ(be32toh(e->byte_cnt), 400 + i);
        CHECK(!memcmp(w.p->a.buf, w.p->b.buf + 1000, 400 + i));
    }
    no_violations();
    command(0x50b);
    set(0x48, 24, w.b.number);
    OK(mlx5dv_devx_obj_query(w.b.qp, in, 16, out, 256));
    EQ(get(QPC, 4), 3); /* it sends */
    EQ(get(QPC + 0xa8, 24), w.a.number);
    EQ(get(QPC + 0x38d, 3), 6);
    EQ(get(QPC + 0x390, 3), 5);
    EQ(get(QPC + 0x490, 3), 7);
    EQ(get(QPC + 0x4a3, 5), 12);
    EQ(get(QPC + 0x568, 24), w.b.pool_number);
    command(0x90f);
    set(0x48, 24, w.b.pool_number);
    OK(mlx5dv_devx_obj_query(w.b.pool, in, 16, out, LENGTH));
    EQ(get(WQ, 4), type);
    EQ(get(WQ + 0x11b, 5), 4);
    free_world(&w);
}

static void refused(struct world *w, size_t length, unsigned status, unsigned at);

/* So many sends, each with a doorbell that is rung where `at` says; the device looks after the last one. */
static void ring_each(struct queue *q, unsigned n, size_t at, unsigned skipped)
{
    for (unsigned i = 0; i < n; i++) {
        uint8_t *wqe = q->memory + q->sends + (q->posted % BLOCKS) * 64u;
        uint64_t first;

        memset(wqe, 0, 64);
        mlx5dv_set_ctrl_seg((void *)wqe, (uint16_t)(q->posted + skipped), MLX5_OPCODE_RDMA_WRITE, 0, q->number, MLX5_WQE_CTRL_CQ_UPDATE,
            2, 0, 0);
        q->posted++;
        memcpy(&first, wqe, 8);
        __atomic_store_n((uint64_t *)((uint8_t *)q->uar->base_addr + at), first, __ATOMIC_RELEASE);
    }
    device_sim_pump(-1);
}

static void recordless(void)
{
    struct world w = make_world();
    long violations = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);

    qp_command(&w, &w.a, 0);
    set(QPC + 0x80, 2, 2);
    refused(&w, LENGTH, 0x03, QPC + 0x80);
    make_recordless(&w, &w.a);
    make_qp(&w, &w.b, 0);
    bring_up(w.p->ctx, &(struct target){.obj = w.a.qp, .number = w.a.number}, w.b.number);
    bring_up(w.p->ctx, &(struct target){.obj = w.b.qp, .number = w.b.number}, w.a.number);
    for (unsigned i = 0; i < 3 * BLOCKS; i += 4) { /* three times around the ring, the last doorbell of four is seen */
        ring_each(&w.a, 4, 0x600, 0);
        for (unsigned j = 0; j < 4; j++)
            EQ(be16toh(complete(&w.a, MLX5_CQE_REQ)->wqe_counter), i + j);
    }
    EQ(device_sim_check_idle(), 0);
    no_violations();
    ring_each(&w.a, 1, 0x800, 0);
    expect_message("a doorbell as of one with a record");
    w.a.posted--;
    ring_each(&w.a, 1, 0x600, 200);
    expect_message("the doorbell is for WQE 392 of 1 blocks, the next one is 192 and the ring has 64");
    w.a.posted--;
    ring_each(&w.a, 1, 0x600, 0xffff);
    expect_message("the doorbell is for WQE 191 of 1 blocks");
    w.b.sends = w.a.sends;
    ring_each(&w.b, 1, 0x600, 0);
    expect_message("which does not use this register");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), violations + 4);
    free_world(&w);
}

static void cyclic(void)
{
    connected(CYCLIC);
}

static void list(void)
{
    connected(LIST);
}

/* A target and an initiator: a write names the target. */
static void dc(void)
{
    struct world w = make_world();
    struct {
        struct mlx5_wqe_ctrl_seg ctrl;
        struct mlx5_wqe_datagram_seg to;
        struct mlx5_wqe_raddr_seg raddr;
        struct mlx5_wqe_data_seg data;
    } write = {0};
    union ibv_gid gid;
    uint32_t target;

    make_pool(&w, &w.b, CYCLIC);
    make_qp(&w, &w.a, 5);
    command(0x710);
    set(DCTC + 0x28, 24, w.b.uidx);
    set(DCTC + 0x48, 24, w.b.ring.cqn);
    set(DCTC + 0x6c, 3, 7);
    set(DCTC + 0x93, 5, 12);
    set(DCTC + 0xa8, 24, w.b.pool_number);
    set(DCTC + 0xc8, 24, w.pd);
    set(DCTC + 0x100, 64, KEY);
    set(DCTC + 0x145, 3, IBV_MTU_1024);
    set(DCTC + 0x148, 8, 1);
    set(DCTC + 0x168, 8, 3);
    w.b.qp = SOME(mlx5dv_devx_obj_create(w.p->ctx, in, 128, out, 16));
    target = (uint32_t)get(0x48, 24);
    EQ(mlx5dv_devx_obj_destroy(w.b.pool), EBUSY);
    bring_up(w.p->ctx, &(struct target){.obj = w.a.qp, .number = w.a.number}, 0);
    OK(ibv_query_gid(w.p->ctx, 1, 3, &gid));
    memcpy(write.to.av.rgid, &gid, 16);
    write.to.av.key.dc_key = htobe64(KEY);
    write.to.av.dqp_dct = htobe32(target | MLX5_EXTENDED_UD_AV);
    write.to.av.grh_gid_fl = htobe32(3 << 20);
    write.raddr.raddr = htobe64((uintptr_t)w.p->b.buf);
    write.raddr.rkey = htobe32(w.p->b.mr->rkey);
    mlx5dv_set_data_seg(&write.data, 300, w.p->a.mr->lkey, (uintptr_t)w.p->a.buf);
    fill(w.p->a.buf, 300, 9);
    post_by_hand(&w.a, &write, 6, MLX5_OPCODE_RDMA_WRITE);
    complete(&w.a, MLX5_CQE_REQ);
    CHECK(!memcmp(w.p->a.buf, w.p->b.buf, 300));
    no_violations();
    command(0x713);
    set(0x48, 24, target);
    OK(mlx5dv_devx_obj_query(w.b.qp, in, 16, out, 80));
    EQ(get(DCTC + 0x100, 64), KEY);
    EQ(get(DCTC + 0xa8, 24), w.b.pool_number);
    free_world(&w);
}

/* A completion queue of DevX, and receives in the queue pair's own ring, which lies in front of its sends. To itself. */
static void make_own(struct world *w, struct queue *q, struct mlx5dv_devx_obj **cq)
{
    uint32_t eqn;

    OK(mlx5dv_devx_query_eqn(w->p->ctx, 0, &eqn));
    command(0x400);
    set(0xa0, 32, q->umem->umem_id);
    set(0xe3, 5, 6);
    set(0xe8, 24, q->uar->page_id);
    set(0x138, 8, eqn);
    set(0x240, 64, CQ_RECORD);
    set(0x280, 64, ENTRIES);
    set(0x2c0, 32, q->umem->umem_id);
    *cq = SOME(mlx5dv_devx_obj_create(w->p->ctx, in, LENGTH, out, 16));
    q->ring = (struct mlx5dv_cq){.buf = q->memory + ENTRIES, .dbrec = (uint32_t *)(q->memory + CQ_RECORD),
        .cqe_cnt = COMPLETIONS, .cqe_size = 64, .cqn = (uint32_t)get(0x48, 24)};
    qp_command(w, q, 0);
    set(QPC + 0x565, 3, 0);
    set(QPC + 0x49, 4, 4);
    set(QPC + 0x4d, 3, 2);
    set(0x800, 64, POOL);
    q->sends = POOL + RECEIVES * RECEIVE_SIZE;
    q->qp = SOME(mlx5dv_devx_obj_create(w->p->ctx, in, LENGTH, out, 16));
    q->number = (uint32_t)get(0x48, 24);
}

static void own_receive(struct queue *q, size_t offset, uint32_t length)
{
    uint8_t *at = q->memory + POOL + (q->received % RECEIVES) * RECEIVE_SIZE;

    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)at, length, q->side->mr->lkey, (uintptr_t)q->side->buf + offset);
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(at + 16), 0, MLX5_INVALID_LKEY, 0);
    q->received++;
    __atomic_store_n((uint32_t *)(q->memory + RECORDS), htobe32(q->received), __ATOMIC_RELEASE);
}

static void arm(struct queue *q, unsigned sn)
{
    uint32_t word = sn << 28 | (q->completed & 0xffffff);

    __atomic_store_n(q->ring.dbrec + 1, htobe32(word), __ATOMIC_RELEASE);
    __atomic_store_n((uint64_t *)((uint8_t *)q->uar->base_addr + 0x20), htobe64((uint64_t)word << 32 | q->ring.cqn),
        __ATOMIC_RELEASE);
    device_sim_pump(-1);
}

static void own_queues(void)
{
    struct world w = make_world();
    struct mlx5dv_devx_event_channel *channel = SOME(mlx5dv_devx_create_event_channel(w.p->ctx,
        MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA));
    struct mlx5dv_devx_obj *cq;
    uint16_t completed = 0;

    make_own(&w, &w.a, &cq);
    OK(mlx5dv_devx_subscribe_devx_event(channel, cq, sizeof completed, &completed, 77));
    bring_up(w.p->ctx, &(struct target){.obj = w.a.qp, .number = w.a.number}, w.a.number);
    EQ(mlx5dv_devx_obj_destroy(cq), EBUSY);
    for (unsigned i = 0; i < 100; i++) {
        struct {
            struct mlx5_wqe_ctrl_seg ctrl;
            struct mlx5_wqe_data_seg data;
        } send = {0};

        fill(w.p->a.buf, 500, i);
        own_receive(&w.a, 1000, 600);
        arm(&w.a, i & 3);
        mlx5dv_set_data_seg(&send.data, 400 + i, w.p->a.mr->lkey, (uintptr_t)w.p->a.buf);
        post_by_hand(&w.a, &send, 2, MLX5_OPCODE_SEND);
        EQ(cookie_of_event(channel), 77);
        EQ(be16toh(complete(&w.a, MLX5_CQE_RESP_SEND)->wqe_counter), i);
        EQ(be16toh(complete(&w.a, MLX5_CQE_REQ)->wqe_counter), i);
        CHECK(!memcmp(w.p->a.buf, w.p->a.buf + 1000, 400 + i));
    }
    no_violations();
    OK(mlx5dv_devx_obj_destroy(w.a.qp));
    w.a.qp = NULL;
    OK(mlx5dv_devx_obj_destroy(cq));
    mlx5dv_devx_destroy_event_channel(channel);
    free_world(&w);
}

/* The commands bring up queue pairs of the verbs, too. */
static void of_the_verbs(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_sge from = piece(&p->a, 0, 100), to = piece(&p->b, 0, 200);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;
    union ibv_gid gid;

    bring_up(p->ctx, &(struct target){.qp = p->a.qp, .number = p->a.qp->qp_num}, p->b.qp->qp_num);
    bring_up(p->ctx, &(struct target){.qp = p->b.qp, .number = p->b.qp->qp_num}, p->a.qp->qp_num);
    OK(ibv_query_qp(p->a.qp, &attr, IBV_QP_AV, &init));
    OK(ibv_query_gid(p->ctx, 1, 3, &gid));
    EQ(attr.ah_attr.grh.sgid_index, 3);
    CHECK(!memcmp(&attr.ah_attr.grh.dgid, &gid, 16));
    EQ(attr.path_mtu, IBV_MTU_1024);
    EQ(attr.max_rd_atomic, 4);
    EQ(attr.max_dest_rd_atomic, 4);
    EQ(attr.timeout, 14);
    fill(p->a.buf, 100, 4);
    receive(p->b.qp, 2, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    good(p->b.cq, 2, IBV_WC_RECV);
    CHECK(!memcmp(p->a.buf, p->b.buf, 100));
    free_pair(p);
}

/* An event of such a queue pair goes to who subscribed to it, and the verbs hear nothing. */
static void events(void)
{
    struct world w = make_world();
    struct mlx5dv_devx_event_channel *channel = SOME(mlx5dv_devx_create_event_channel(w.p->ctx,
        MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA));
    uint16_t last = 0x13;
    struct target b;

    make_pool(&w, &w.b, CYCLIC);
    make_qp(&w, &w.b, 0);
    b = (struct target){.obj = w.b.qp, .number = w.b.number};
    OK(mlx5dv_devx_subscribe_devx_event(channel, w.b.qp, sizeof last, &last, 1234));
    bring_up(w.p->ctx, &b, w.b.number);
    device_sim_reset_counts();
    command(0x507);
    set(0x48, 24, w.b.number);
    OK(mlx5dv_devx_obj_modify(w.b.qp, in, 16, out, 16));
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_ASYNC_EVENTS), 0);
    EQ(device_sim_count(DEVICE_SIM_COUNT_DEVX_EVENTS), 1);
    EQ(cookie_of_event(channel), 1234);
    mlx5dv_devx_destroy_event_channel(channel);
    free_world(&w);
}

static void refused(struct world *w, size_t length, unsigned status, unsigned at)
{
    CHECK(!mlx5dv_devx_obj_create(w->p->ctx, in, length, out, 16) && errno == EREMOTE_IO);
    EQ(get(0, 8), status);
    EQ(get(0x20, 32), (uint32_t)(in[0] << 8 | in[1]) << 16 | at);
}

static void refusals(void)
{
    static const struct { unsigned at, width; uint64_t value; unsigned status; } pools[] = {
        {0x108, 4, 0, 3}, {WQ, 4, 2, 3}, {WQ + 0x48, 24, 0xfffff, 5}, {WQ + 0x10c, 4, 4, 3}, {WQ + 0x11b, 5, 16, 3},
        {WQ + 0x140, 32, 0xfffff, 5}, {WQ + 0x160, 32, 0xfffff, 5}};
    static const struct { unsigned at, width; uint64_t value; unsigned status; } qps[] = {
        {QPC + 0x08, 8, 2, 3}, {QPC + 0x28, 24, 0xfffff, 5}, {QPC + 0x68, 24, 900, 5}, {QPC + 0x3e8, 24, 0xfffff, 5},
        {QPC + 0x4e8, 24, 0xfffff, 5}, {QPC + 0x565, 3, 2, 3}, {QPC + 0x568, 24, 0xfffff, 5}, {QPC + 0x720, 32, 0xfffff, 5},
        {0x840, 32, 0xfffff, 5}};
    struct world w = make_world();
    struct target t;

    for (unsigned i = 0; i < sizeof pools / sizeof *pools; i++) {
        pool_command(&w, &w.b, CYCLIC);
        set(pools[i].at, pools[i].width, pools[i].value);
        refused(&w, LENGTH, pools[i].status, pools[i].at);
    }
    pool_command(&w, &w.b, CYCLIC);
    set(WQ + 0x180, 64, MEMORY - 1023); /* a byte too far */
    refused(&w, LENGTH, 3, WQ + 0x160);
    make_pool(&w, &w.b, CYCLIC);
    for (unsigned i = 0; i < sizeof qps / sizeof *qps; i++) {
        qp_command(&w, &w.b, 0);
        set(qps[i].at, qps[i].width, qps[i].value);
        refused(&w, LENGTH, qps[i].status, qps[i].at);
    }
    qp_command(&w, &w.b, 0);
    set(QPC + 0x565, 3, 0);
    set(QPC + 0x49, 4, 12); /* receives that fill the memory alone */
    set(QPC + 0x4d, 3, 0);
    refused(&w, LENGTH, 3, 0x840);
    make_qp(&w, &w.b, 0);
    EQ(mlx5dv_devx_obj_destroy(w.b.pool), EBUSY);
    EQ(mlx5dv_devx_umem_dereg(w.b.umem), EBUSY);
    EQ(ibv_destroy_cq(w.b.cq), EBUSY);
    t = (struct target){.obj = w.b.qp, .number = w.b.number};
    to_rtr_by_command(w.p->ctx, 1);
    EQ(step(&t), EREMOTE_IO);
    EQ(get(0, 8), 0x10); /* it is not in that state */
    to_init_by_command();
    set(PATH + 0x128, 8, 3);
    EQ(step(&t), EREMOTE_IO); /* there are two ports */
    EQ(get(0, 8), 3);
    to_init_by_command();
    OK(step(&t));
    free_world(&w);
}

/* A context that is closed with all of it still there. */
static void closed_early(void)
{
    struct world w = make_world();
    struct mlx5dv_devx_obj *cq;

    make_pool(&w, &w.b, CYCLIC);
    make_qp(&w, &w.b, 0);
    make_own(&w, &w.a, &cq);
    OK(ibv_close_device(w.p->ctx));
    device_sim_pump(-1);
    free(w.a.memory);
    free(w.b.memory);
    w.p->ctx = NULL;
    w.p->pd = NULL;
    w.p->a.qp = w.p->b.qp = NULL;
    w.p->a.cq = w.p->b.cq = NULL;
    w.p->a.mr = w.p->b.mr = NULL;
    free_pair(w.p);
}

static const struct test_case cases[] = {
    {"recordless", recordless}, {"cyclic", cyclic}, {"list", list}, {"dc", dc}, {"own-queues", own_queues},
    {"of-the-verbs", of_the_verbs}, {"events", events}, {"refusals", refusals}, {"closed-early", closed_early}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("devx_queues", cases, argc, argv);
}
