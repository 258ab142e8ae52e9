/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that are made of pieces: libmlx5 gives them some by lists and by strides, and by hand they are also freed, named anew and moved to an
 * address, as the kernel's fast registration does. Side b has the key, side a uses it.
 */
#include "kit.h"

#include <infiniband/mlx5dv.h>

#define REMOTE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)
#define ACCESS (IBV_ACCESS_LOCAL_WRITE | REMOTE | IBV_ACCESS_REMOTE_ATOMIC)
#define ROOM 52
#define BASE 0x7000123450008ull

struct keyed {
    struct pair *p;
    struct ibv_qp_ex *qp;
    struct mlx5dv_qp_ex *dv;
    struct mlx5dv_mkey *key;
    uint64_t id;
    struct mlx5dv_qp rings;
    uint16_t posted; /* blocks, by hand */
};

static struct mlx5dv_mkey *make_key(struct ibv_pd *pd, unsigned entries, uint32_t more)
{
    struct mlx5dv_mkey_init_attr attr = {.pd = pd, .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | more,
        .max_entries = (uint16_t)entries};

    return mlx5dv_create_mkey(&attr);
}

static struct keyed make(unsigned entries)
{
    struct keyed k = {.p = make_pair(&(struct making){.unconnected = true})};
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = k.p->b.cq, .recv_cq = k.p->b.cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = k.p->pd,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_SEND,
        .cap = {.max_send_wr = 32, .max_recv_wr = 32, .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 828},
    };
    struct mlx5dv_qp_init_attr dv = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS,
        .send_ops_flags = MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MR_INTERLEAVED};
    struct mlx5dv_obj obj = {.qp = {.out = &k.rings}};

    OK(ibv_destroy_qp(k.p->b.qp));
    k.p->b.qp = SOME(mlx5dv_create_qp(k.p->ctx, &attr, &dv));
    k.qp = SOME(ibv_qp_to_qp_ex(k.p->b.qp));
    k.dv = SOME(mlx5dv_qp_ex_from_ibv_qp_ex(k.qp));
    obj.qp.in = k.p->b.qp;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    connect_pair(k.p);
    k.key = SOME(make_key(k.p->pd, entries, 0));
    return k;
}

static void done(struct keyed *k)
{
    no_violations();
    OK(mlx5dv_destroy_mkey(k->key));
    free_pair(k->p);
}

/* -- lists ------------------------------------------------------------------------------------- */

static const struct { uint32_t at, length; } places[] = {{5001, 3}, {7, 1000}, {9000, 1}, {20000, 40970}, {1100, 1}};
#define PLACES (sizeof places / sizeof *places)

static uint32_t all_of(struct side *s, struct ibv_sge *list)
{
    uint32_t length = 0;

    for (unsigned i = 0; i < PLACES; i++) {
        list[i] = piece(s, places[i].at, places[i].length);
        length += places[i].length;
    }
    return length;
}

static uint8_t *byte_of(struct side *s, uint32_t offset)
{
    unsigned i = 0;

    while (offset >= places[i].length)
        offset -= places[i++].length;
    return s->buf + places[i].at + offset;
}

static void list(struct keyed *k, uint32_t access, unsigned n, struct ibv_sge *sge, enum ibv_wc_status status)
{
    struct ibv_wc wc;

    ibv_wr_start(k->qp);
    k->qp->wr_id = ++k->id;
    k->qp->wr_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED;
    mlx5dv_wr_mr_list(k->dv, k->key, access, (uint16_t)n, sge);
    OK(ibv_wr_complete(k->qp));
    wc = completion(k->p->b.cq);
    EQ(wc.wr_id, k->id);
    EQ(wc.status, status);
}

static void by_key(struct keyed *k, enum ibv_wr_opcode opcode, uint64_t at, uint32_t length, uint32_t key, int status)
{
    struct ibv_sge sge = piece(&k->p->a, 100000, length);
    struct ibv_send_wr wr = request(opcode, 1, &sge);

    wr.wr.rdma.remote_addr = at;
    wr.wr.rdma.rkey = key;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        wr.wr.atomic.remote_addr = at;
        wr.wr.atomic.rkey = key;
        wr.wr.atomic.compare_add = 1;
    }
    post(k->p->a.qp, &wr);
    EQ(completion(k->p->a.cq).status, status);
}

static void pieces(void)
{
    struct keyed k = make(PLACES);
    struct ibv_sge sge[PLACES];
    uint32_t length = all_of(&k.p->b, sge);
    uint8_t *mine = k.p->a.buf + 100000;

    list(&k, ACCESS, PLACES, sge, IBV_WC_SUCCESS);
    fill(mine, length, 3);
    by_key(&k, IBV_WR_RDMA_WRITE, 0, length, k.key->rkey, IBV_WC_SUCCESS);
    for (uint32_t i = 0; i < length; i++)
        EQ(*byte_of(&k.p->b, i), mine[i]);
    for (uint32_t i = 0; i < PLACES; i++) /* what lies around the pieces */
        EQ(k.p->b.buf[places[i].at + places[i].length], 0);
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t at = i * 7919 % length, n = 1 + i * 31 % 5000;

        n = n < length - at ? n : length - at;
        memset(mine, 0, length);
        by_key(&k, IBV_WR_RDMA_READ, at, n, k.key->rkey, IBV_WC_SUCCESS);
        for (uint32_t j = 0; j < n; j++)
            EQ(mine[j], *byte_of(&k.p->b, at + j));
    }
    by_key(&k, IBV_WR_RDMA_WRITE, 1, length, k.key->rkey, IBV_WC_REM_ACCESS_ERR);
    done(&k);
}

/* From and to pieces of its own side. */
static void locally(void)
{
    struct keyed k = make(PLACES);
    struct ibv_sge sge[PLACES], own = {.addr = 2, .length = 900, .lkey = k.key->lkey};
    uint32_t length = all_of(&k.p->b, sge);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 5, &own);

    for (uint32_t i = 0; i < length; i++)
        *byte_of(&k.p->b, i) = (uint8_t)(i * 7 + 1);
    list(&k, IBV_ACCESS_LOCAL_WRITE, PLACES, sge, IBV_WC_SUCCESS);
    to_remote(&wr, &k.p->a, 50);
    post(k.p->b.qp, &wr);
    good(k.p->b.cq, 5, IBV_WC_RDMA_WRITE);
    for (uint32_t i = 0; i < 900; i++)
        EQ(k.p->a.buf[50 + i], (uint8_t)((i + 2) * 7 + 1));
    own.addr = 500;
    wr.opcode = IBV_WR_RDMA_READ;
    post(k.p->b.qp, &wr);
    good(k.p->b.cq, 5, IBV_WC_RDMA_READ);
    for (uint32_t i = 0; i < 900; i++)
        EQ(*byte_of(&k.p->b, 500 + i), (uint8_t)((i + 2) * 7 + 1));
    by_key(&k, IBV_WR_RDMA_READ, 0, 8, k.key->rkey, IBV_WC_REM_ACCESS_ERR); /* the peer has no right */
    done(&k);
}

static void rights(void)
{
    static const struct { uint32_t without; enum ibv_wr_opcode opcode; } wrong[] = {
        {IBV_ACCESS_REMOTE_WRITE, IBV_WR_RDMA_WRITE}, {IBV_ACCESS_REMOTE_READ, IBV_WR_RDMA_READ},
        {IBV_ACCESS_REMOTE_ATOMIC, IBV_WR_ATOMIC_FETCH_AND_ADD}};

    for (unsigned i = 0; i < 3; i++) {
        struct keyed k = make(PLACES);
        struct ibv_sge sge = piece(&k.p->b, 64, 4096);

        list(&k, ACCESS, 1, &sge, IBV_WC_SUCCESS);
        by_key(&k, wrong[i].opcode, 8, 8, k.key->rkey, IBV_WC_SUCCESS);
        list(&k, ACCESS & ~wrong[i].without, 1, &sge, IBV_WC_SUCCESS);
        by_key(&k, wrong[i].opcode, 8, 8, k.key->rkey, IBV_WC_REM_ACCESS_ERR);
        done(&k);
    }
}

/* A word that pieces take apart, or put where it is not aligned, is none. */
static void words(void)
{
    static const struct { uint32_t length, at; int status; } cases[] = {
        {8, 8, IBV_WC_SUCCESS}, {4, 0, IBV_WC_REM_INV_REQ_ERR}, {12, 8, IBV_WC_REM_INV_REQ_ERR}};

    for (unsigned i = 0; i < 3; i++) {
        struct keyed k = make(PLACES);
        struct ibv_sge sge[] = {piece(&k.p->b, 64, cases[i].length), piece(&k.p->b, 512, 64)};

        list(&k, ACCESS, 2, sge, IBV_WC_SUCCESS);
        by_key(&k, IBV_WR_ATOMIC_FETCH_AND_ADD, cases[i].at, 8, k.key->rkey, cases[i].status);
        EQ(k.p->b.buf[512], i == 0);
        done(&k);
    }
}

/* The key opens what the pieces' own keys open, in the key's domain. */
static void pieces_that_are_not_to_be_had(void)
{
    for (unsigned i = 0; i < 5; i++) {
        struct keyed k = make(PLACES);
        struct ibv_pd *other = SOME(ibv_alloc_pd(k.p->ctx));
        struct ibv_mr *mr = SOME(ibv_reg_mr(i == 1 ? other : k.p->pd, k.p->b.buf, 4096, i == 2 ? 0 : IBV_ACCESS_LOCAL_WRITE));
        struct ibv_sge sge = {.addr = (uintptr_t)k.p->b.buf + 96, .length = i == 3 ? 4001 : 4000, .lkey = mr->lkey};

        if (i == 4)
            sge.lkey = k.key->lkey; /* of itself */
        list(&k, ACCESS, 1, &sge, IBV_WC_SUCCESS); /* nobody has looked at them yet */
        if (i == 0)
            OK(ibv_dereg_mr(mr));
        by_key(&k, IBV_WR_RDMA_WRITE, 0, sge.length, k.key->rkey, IBV_WC_REM_ACCESS_ERR);
        EQ(k.p->b.buf[96], 0);
        if (i)
            OK(ibv_dereg_mr(mr));
        OK(ibv_dealloc_pd(other));
        done(&k);
    }
}

static void as_many_as_there_may_be(void)
{
    struct keyed k = make(ROOM);
    struct ibv_sge sge[ROOM];

    for (unsigned i = 0; i < ROOM; i++)
        sge[i] = piece(&k.p->b, (ROOM - i) * 1000, 100);
    for (unsigned n = 0; n < 9; n++) { /* past the end of the ring */
        list(&k, ACCESS, ROOM, sge, IBV_WC_SUCCESS);
        fill(k.p->a.buf + 100000, 100 * ROOM, n);
        by_key(&k, IBV_WR_RDMA_WRITE, 0, 100 * ROOM, k.key->rkey, IBV_WC_SUCCESS);
        for (unsigned i = 0; i < ROOM; i++)
            CHECK(!memcmp(k.p->b.buf + (ROOM - i) * 1000, k.p->a.buf + 100000 + 100 * i, 100));
    }
    done(&k);
}

/* -- strides ----------------------------------------------------------------------------------- */

static void strides(void)
{
    struct keyed k = make(8);
    struct side *b = &k.p->b;
    struct mlx5dv_mr_interleaved data[] = {
        {.addr = (uintptr_t)b->buf + 1000, .bytes_count = 5, .bytes_skip = 3, .lkey = b->mr->lkey},
        {.addr = (uintptr_t)b->buf + 50, .bytes_count = 2, .bytes_skip = 0, .lkey = b->mr->lkey}};

    ibv_wr_start(k.qp);
    k.qp->wr_id = 9;
    k.qp->wr_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED;
    mlx5dv_wr_mr_interleaved(k.dv, k.key, ACCESS, 20, 2, data);
    OK(ibv_wr_complete(k.qp));
    EQ(completion(b->cq).status, IBV_WC_SUCCESS);
    fill(k.p->a.buf + 100000, 140, 8);
    by_key(&k, IBV_WR_RDMA_WRITE, 0, 140, k.key->rkey, IBV_WC_SUCCESS);
    for (unsigned i = 0; i < 140; i++) {
        unsigned round = i / 7, in = i % 7;

        EQ(b->buf[in < 5 ? 1000 + round * 8 + in : 50 + round * 2 + in - 5], k.p->a.buf[100000 + i]);
    }
    EQ(b->buf[1005], 0);
    by_key(&k, IBV_WR_RDMA_READ, 133, 8, k.key->rkey, IBV_WC_REM_ACCESS_ERR);
    done(&k);
}

/* -- by hand ----------------------------------------------------------------------------------- */

#define INLINE 0x80
#define IF_FREE 0x20
#define IF_BOUND 0x40
#define MASK_FREE (1ull << 29)
#define MASK_TAG (1ull << 13)
#define MASK_RINVAL (1ull << 8)
#define MASK_START (1ull << 6)
#define MASK_LENGTH 1ull
#define MASK_RIGHTS (15ull << 18)

struct update {
    struct mlx5_wqe_ctrl_seg ctrl;
    struct mlx5_wqe_umr_ctrl_seg how;
    struct mlx5_wqe_mkey_context_seg key;
    struct mlx5_wqe_data_seg piece[8];
};

static struct update registers(const struct keyed *k, uint8_t tag)
{
    struct update u = {
        .how = {.flags = INLINE | IF_FREE, .klm_octowords = htobe16(4),
            .mkey_mask = htobe64(MASK_FREE | MASK_TAG | MASK_RINVAL | MASK_START | MASK_LENGTH | MASK_RIGHTS)},
        .key = {.access_flags = 0x38, .qpn_mkey = htobe32(0xffffff00 | tag), .flags_pd = htobe32(1 << 24),
            .start_addr = htobe64(BASE), .len = htobe64(300)},
    };

    u.ctrl.imm = htobe32(k->key->lkey);
    mlx5dv_set_data_seg(&u.piece[0], 100, k->p->b.mr->lkey, (uintptr_t)k->p->b.buf + 4000);
    mlx5dv_set_data_seg(&u.piece[1], 200, k->p->b.mr->lkey, (uintptr_t)k->p->b.buf + 1);
    return u;
}

static struct update frees(const struct keyed *k, uint8_t tag)
{
    struct update u = {
        .how = {.flags = INLINE | IF_BOUND, .mkey_mask = htobe64(MASK_FREE)},
        .key = {.free = 0x40},
    };

    u.ctrl.imm = htobe32((k->key->lkey & ~0xffu) | tag);
    return u;
}

static void write_update(struct keyed *k, struct update *u, unsigned segments)
{
    uint8_t *ring = k->rings.sq.buf;
    uint32_t imm = u->ctrl.imm;
    uint64_t first;

    mlx5dv_set_ctrl_seg(&u->ctrl, k->posted, MLX5_OPCODE_UMR, 0, k->p->b.qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE,
        (uint8_t)segments, 0, imm);
    for (unsigned i = 0; i < segments * 16; i++)
        ring[(k->posted * 64u + i) % (k->rings.sq.wqe_cnt * 64)] = ((uint8_t *)u)[i];
    k->posted = (uint16_t)(k->posted + (segments + 3) / 4);
    __atomic_store_n(&k->rings.dbrec[MLX5_SND_DBR], htobe32(k->posted), __ATOMIC_RELEASE);
    memcpy(&first, &u->ctrl, 8);
    __atomic_store_n((uint64_t *)k->rings.bf.reg, first, __ATOMIC_RELEASE);
    device_sim_pump(-1);
}

/* Posts it; libmlx5 knows nothing of the request, but its queue tells the status. */
static void by_hand(struct keyed *k, struct update u, unsigned segments, enum ibv_wc_status status)
{
    write_update(k, &u, segments);
    EQ(completion(k->p->b.cq).status, status);
}

static void given_and_taken_again_and_again(void)
{
    struct keyed k = make(4);
    uint32_t index = k.key->rkey & ~0xffu;

    for (unsigned i = 1; i < 300; i++) {
        uint32_t key = index | (i & 0xff);

        by_hand(&k, registers(&k, (uint8_t)i), 12, IBV_WC_SUCCESS);
        fill(k.p->a.buf + 100000, 300, i);
        by_key(&k, IBV_WR_RDMA_WRITE, BASE, 300, key, IBV_WC_SUCCESS);
        CHECK(!memcmp(k.p->b.buf + 4000, k.p->a.buf + 100000, 100));
        CHECK(!memcmp(k.p->b.buf + 1, k.p->a.buf + 100100, 200));
        by_hand(&k, frees(&k, (uint8_t)i), 8, IBV_WC_SUCCESS);
    }
    by_key(&k, IBV_WR_RDMA_WRITE, BASE, 300, index | (299 & 0xff), IBV_WC_REM_ACCESS_ERR);
    done(&k);
}

static void states(void)
{
    struct keyed k = make(4);
    uint32_t index = k.key->rkey & ~0xffu;

    by_key(&k, IBV_WR_RDMA_WRITE, BASE, 8, k.key->rkey, IBV_WC_REM_ACCESS_ERR); /* not yet */
    done(&k);
    k = make(4);
    by_hand(&k, registers(&k, 7), 12, IBV_WC_SUCCESS);
    by_key(&k, IBV_WR_RDMA_WRITE, BASE, 8, index | 8, IBV_WC_REM_ACCESS_ERR); /* another last byte */
    done(&k);
    k = make(4);
    by_hand(&k, registers(&k, 7), 12, IBV_WC_SUCCESS);
    by_hand(&k, registers(&k, 8), 12, IBV_WC_MW_BIND_ERR); /* it has memory */
    done(&k);
    k = make(4);
    by_hand(&k, frees(&k, 0), 8, IBV_WC_MW_BIND_ERR); /* it has none */
    done(&k);
    k = make(4);
    by_hand(&k, registers(&k, 7), 12, IBV_WC_SUCCESS);
    by_hand(&k, frees(&k, 6), 8, IBV_WC_MW_BIND_ERR); /* another last byte */
    done(&k);
}

/* Of another domain, and of fewer pieces. */
static void keys_of_others(void)
{
    struct keyed k = make(4);
    struct ibv_pd *other = SOME(ibv_alloc_pd(k.p->ctx));
    struct mlx5dv_mkey *own = k.key;

    k.key = SOME(make_key(other, 4, 0));
    by_hand(&k, registers(&k, 7), 12, IBV_WC_MW_BIND_ERR);
    OK(mlx5dv_destroy_mkey(k.key));
    OK(ibv_dealloc_pd(other));
    k.key = own;
    done(&k);
    for (unsigned room = 4; room <= 8; room += 4) {
        struct update u;

        k = make(room);
        u = registers(&k, 7);
        u.how.klm_octowords = htobe16(8);
        for (unsigned i = 2; i < 8; i++)
            u.piece[i] = u.piece[0];
        by_hand(&k, u, 16, room == 4 ? IBV_WC_MW_BIND_ERR : IBV_WC_SUCCESS);
        done(&k);
    }
}

static void taken_back_by_the_peer(void)
{
    for (unsigned may = 0; may < 2; may++) {
        struct keyed k = make(4);
        struct update u = registers(&k, 7);
        struct ibv_sge sge = piece(&k.p->b, 0, 100), from = piece(&k.p->a, 0, 10);
        struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_INV, 3, &from);

        u.key.flags_pd = htobe32(may << 24);
        by_hand(&k, u, 12, IBV_WC_SUCCESS);
        receive(k.p->b.qp, 4, &sge);
        wr.invalidate_rkey = (k.key->rkey & ~0xffu) | 7;
        post(k.p->a.qp, &wr);
        if (may) {
            struct ibv_wc wc = completion(k.p->b.cq);

            good(k.p->a.cq, 3, IBV_WC_SEND);
            EQ(wc.wc_flags, IBV_WC_WITH_INV);
            EQ(wc.invalidated_rkey, wr.invalidate_rkey);
            by_hand(&k, registers(&k, 7), 12, IBV_WC_SUCCESS); /* it is free */
        } else {
            EQ(completion(k.p->a.cq).status, IBV_WC_REM_ACCESS_ERR);
        }
        done(&k);
    }
}

/* As libmlx5 does it, for ibv_wr_local_inv. */
static void take_back(struct keyed *k, uint32_t key, enum ibv_wc_status status)
{
    struct ibv_wc wc;

    ibv_wr_start(k->qp);
    k->qp->wr_id = 77;
    k->qp->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_local_inv(k->qp, key);
    OK(ibv_wr_complete(k->qp));
    wc = completion(k->p->b.cq);
    EQ(wc.wr_id, 77);
    EQ(wc.status, status);
    if (!status)
        EQ(wc.opcode, IBV_WC_LOCAL_INV);
}

static void taken_back_locally(void)
{
    struct keyed k = make(PLACES);
    struct ibv_sge sge[PLACES];

    all_of(&k.p->b, sge);
    for (unsigned i = 0; i < 3; i++) {
        list(&k, ACCESS, PLACES, sge, IBV_WC_SUCCESS);
        by_key(&k, IBV_WR_RDMA_WRITE, 0, 100, k.key->rkey, IBV_WC_SUCCESS);
        take_back(&k, k.key->rkey, IBV_WC_SUCCESS);
    }
    by_key(&k, IBV_WR_RDMA_WRITE, 0, 100, k.key->rkey, IBV_WC_REM_ACCESS_ERR);
    done(&k);
    k = make(PLACES);
    all_of(&k.p->b, sge);
    list(&k, ACCESS, PLACES, sge, IBV_WC_SUCCESS);
    take_back(&k, k.key->rkey ^ 1, IBV_WC_MW_BIND_ERR); /* another last byte */
    done(&k);
}

static void fence(struct update *u) { u->how.rsvd0[1] = 1; }
static void not_inline(struct update *u) { u->how.flags = 0; }
static void offset_flag(struct update *u) { u->how.flags |= 0x10; }
static void octowords(struct update *u) { u->how.klm_octowords = htobe16(2); }
static void mask(struct update *u) { u->how.mkey_mask |= htobe64(1 << 10); }
static void one_queue_pair(struct update *u) { u->key.qpn_mkey = htobe32(0x12300); }
static void context(struct update *u) { u->key.reserved2 = 1; }
static void signature(struct update *u) { u->key.bsf_octword_size = 1; }
static void behind(struct update *u) { u->piece[3].addr = 1; }
static void free_with_list(struct update *u) { u->key.free = 0x40; }
static void size(struct update *u) { u->how.klm_octowords = 0; }

static void what_no_library_writes(void)
{
    static const struct { void (*change)(struct update *u); const char *message; } wrong[] = {
        {fence, "reserved bytes of the UMR control segment"}, {not_inline, "not in the descriptor"},
        {offset_flag, "not for a key that is made of pieces"}, {octowords, "must be a multiple of 4"},
        {mask, "more than is simulated"}, {one_queue_pair, "a key of one queue pair"},
        {context, "reserved bits of the mkey context"}, {signature, "reserved bytes of the mkey context"},
        {behind, "behind the last one"}, {free_with_list, "a list for a key that becomes free"},
        {size, "ds is 12, a UMR with 0 octowords of entries has 8"}};

    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct keyed k = make(4);
        struct update u = registers(&k, 7);
        uint64_t before = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);

        wrong[i].change(&u);
        write_update(&k, &u, 12);
        expect_message(wrong[i].message);
        EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), before + 1);
        EQ(completion(k.p->b.cq).status, IBV_WC_LOC_QP_OP_ERR);
        OK(mlx5dv_destroy_mkey(k.key));
        free_pair(k.p);
    }
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"pieces", pieces}, {"locally", locally}, {"rights", rights}, {"words", words},
        {"pieces-that-are-not-to-be-had", pieces_that_are_not_to_be_had},
        {"as-many-as-there-may-be", as_many_as_there_may_be}, {"strides", strides},
        {"again-and-again", given_and_taken_again_and_again}, {"states", states}, {"keys-of-others", keys_of_others},
        {"by-the-peer", taken_back_by_the_peer}, {"taken-back-locally", taken_back_locally}, {"wrong", what_no_library_writes}, {NULL, NULL}};

    return run_cases("umr", cases, argc, argv);
}
