/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of a key's data: made and checked on the way, in memory and on the wire, as libmlx5 describes them; and
 * descriptions that are wrong. The signatures that are wanted were computed by another program.
 */
#include "kit.h"

#include <dlfcn.h>
#include <endian.h>
#include <infiniband/mlx5dv.h>

#define BLOCK 512u
#define FAR 300000u /* where the other side has its memory */

struct signer {
    struct pair *p; /* side a has the key, and what makes it */
    struct ibv_qp_ex *qp;
    struct mlx5dv_qp_ex *dv;
    struct mlx5dv_mkey *key;
    struct mlx5dv_qp rings;
    struct ibv_cq *rcq; /* of side a, which has two */
};

static __typeof__(_mlx5dv_mkey_check) *mkey_check;
static __typeof__(mlx5dv_qp_cancel_posted_send_wrs) *cancel;

static void find_functions(void)
{
    mkey_check = dlsym(RTLD_DEFAULT, "_mlx5dv_mkey_check");
    cancel = dlsym(RTLD_DEFAULT, "mlx5dv_qp_cancel_posted_send_wrs");
    if (!mkey_check || !cancel)
        skip("this libmlx5 knows no signatures");
}

static struct signer make_signer(uint32_t create_flags)
{
    struct signer s = {.p = make_pair(&(struct making){.unconnected = true})};
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = s.p->a.cq, .recv_cq = s.rcq = SOME(ibv_create_cq(s.p->ctx, 20, NULL, NULL, 0)),
            .qp_type = IBV_QPT_RC, .sq_sig_all = 0,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = s.p->pd,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND,
        .cap = {.max_send_wr = 64, .max_recv_wr = 32, .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 512},
    };
    struct mlx5dv_qp_init_attr dv = {
        .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS | MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS,
        .create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE | create_flags,
        .send_ops_flags = MLX5DV_QP_EX_WITH_MKEY_CONFIGURE};
    struct mlx5dv_mkey_init_attr key = {.pd = s.p->pd, .max_entries = 4,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE};
    struct mlx5dv_obj obj = {.qp = {.out = &s.rings}};

    OK(ibv_destroy_qp(s.p->a.qp));
    s.p->a.qp = SOME(mlx5dv_create_qp(s.p->ctx, &attr, &dv));
    s.qp = SOME(ibv_qp_to_qp_ex(s.p->a.qp));
    s.dv = SOME(mlx5dv_qp_ex_from_ibv_qp_ex(s.qp));
    obj.qp.in = s.p->a.qp;
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    connect_pair(s.p);
    s.key = SOME(mlx5dv_create_mkey(&key));
    for (unsigned i = 0; i < FAR; i++)
        s.p->a.buf[i] = (uint8_t)(i * i * 13 + i / 3);
    return s;
}

static struct signer make(uint32_t create_flags)
{
    find_functions();
    return make_signer(create_flags);
}

static void unmake(struct signer *s)
{
    OK(mlx5dv_destroy_mkey(s->key));
    OK(ibv_destroy_qp(s->p->a.qp));
    s->p->a.qp = NULL;
    OK(ibv_destroy_cq(s->rcq));
    free_pair(s->p);
}

static struct ibv_sge memory(const struct signer *s, size_t at, uint32_t length)
{
    return piece(&s->p->a, at, length);
}

/* Posted only: the key is `length` bytes from `at` in side a's memory. */
static void post_key(struct signer *s, size_t at, uint32_t length, const struct mlx5dv_sig_block_attr *sig)
{
    struct ibv_sge sge = memory(s, at, length);
    struct mlx5dv_mkey_conf_attr conf = {0};

    ibv_wr_start(s->qp);
    s->qp->wr_id = 77;
    s->qp->wr_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED;
    mlx5dv_wr_mkey_configure(s->dv, s->key, sig ? 3 : 2, &conf);
    mlx5dv_wr_set_mkey_access_flags(s->dv, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
    mlx5dv_wr_set_mkey_layout_list(s->dv, 1, &sge);
    if (sig)
        mlx5dv_wr_set_mkey_sig_block(s->dv, sig);
    OK(ibv_wr_complete(s->qp));
}

static void set_key(struct signer *s, size_t at, uint32_t length, const struct mlx5dv_sig_block_attr *sig)
{
    struct ibv_wc wc;

    post_key(s, at, length, sig);
    wc = completion(s->p->a.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(wc.wr_id, 77);
}

/* Of the key's data so many bytes, to or from side b's memory. */
static void move(struct signer *s, enum ibv_wr_opcode opcode, uint32_t data)
{
    struct ibv_sge sge = {.addr = 0, .length = data, .lkey = s->key->lkey};
    struct ibv_send_wr wr = request(opcode, 5, &sge);

    to_remote(&wr, &s->p->b, FAR);
    post(s->p->a.qp, &wr);
    good(s->p->a.cq, 5, opcode == IBV_WR_RDMA_WRITE ? IBV_WC_RDMA_WRITE : IBV_WC_RDMA_READ);
}

static void check_key(struct signer *s, enum mlx5dv_mkey_err_type type, uint64_t is, uint64_t wanted, uint64_t offset)
{
    struct mlx5dv_mkey_err e = {0};

    OK(mkey_check(s->key, &e, sizeof e));
    EQ(e.err_type, type);
    if (type == MLX5DV_MKEY_NO_ERR)
        return;
    EQ(e.err.sig.actual_value, is);
    EQ(e.err.sig.expected_value, wanted);
    EQ(e.err.sig.offset, offset);
}

#define CRC(name, t, s) \
    static const struct mlx5dv_sig_crc name##_crc = {.type = MLX5DV_SIG_CRC_TYPE_##t, .seed = s}; \
    static const struct mlx5dv_sig_block_domain name = {.sig_type = MLX5DV_SIG_TYPE_CRC, .sig.crc = &name##_crc, \
        .block_size = MLX5DV_BLOCK_SIZE_512}
#define DIF(name, t, seed, f) \
    static const struct mlx5dv_sig_t10dif name##_dif = {.bg_type = MLX5DV_SIG_T10DIF_##t, .bg = seed, \
        .app_tag = 0xabcd, \
        .ref_tag = 0x12345678, .flags = f}; \
    static const struct mlx5dv_sig_block_domain name = {.sig_type = MLX5DV_SIG_TYPE_T10DIF, .sig.dif = &name##_dif, \
        .block_size = MLX5DV_BLOCK_SIZE_512}

CRC(crc32, CRC32, 0xffffffff);
CRC(crc32_zeros, CRC32, 0);
CRC(crc32c, CRC32C, 0xffffffff);
DIF(dif_crc, CRC, 0xffff, MLX5DV_SIG_T10DIF_FLAG_REF_REMAP);
DIF(dif_zeros, CRC, 0, 0);
DIF(dif_sum, CSUM, 0xffff, MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE);
DIF(dif_both, CRC, 0xffff, MLX5DV_SIG_T10DIF_FLAG_APP_REF_ESCAPE);

#define CHECK_DIF (MLX5DV_SIG_MASK_T10DIF_GUARD | MLX5DV_SIG_MASK_T10DIF_APPTAG | MLX5DV_SIG_MASK_T10DIF_REFTAG)

static uint64_t number_at(const uint8_t *b, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | b[i];
    return value;
}

/* Two blocks get signatures on the wire, which side b sees as they are. */
static void made(const struct mlx5dv_sig_block_domain *wire, unsigned bytes, uint64_t first, uint64_t second)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = wire};
    const uint8_t *there = s.p->b.buf + FAR;

    set_key(&s, 0, 2 * BLOCK, &sig);
    move(&s, IBV_WR_RDMA_WRITE, 2 * BLOCK);
    CHECK(!memcmp(there, s.p->a.buf, BLOCK));
    EQ(number_at(there + BLOCK, bytes), first);
    CHECK(!memcmp(there + BLOCK + bytes, s.p->a.buf + BLOCK, BLOCK));
    EQ(number_at(there + 2 * BLOCK + bytes, bytes), second);
    EQ(there[2 * BLOCK + 2 * bytes], 0);
    /* and the other way: they are checked, and taken off */
    sig.check_mask = bytes == 4 ? MLX5DV_SIG_MASK_CRC32 : CHECK_DIF;
    set_key(&s, 100000, 2 * BLOCK, &sig);
    memset(s.p->a.buf + 100000, 0, 2 * BLOCK + 1);
    move(&s, IBV_WR_RDMA_READ, 2 * BLOCK);
    CHECK(!memcmp(s.p->a.buf + 100000, s.p->a.buf, 2 * BLOCK));
    EQ(s.p->a.buf[100000 + 2 * BLOCK], 0);
    check_key(&s, MLX5DV_MKEY_NO_ERR, 0, 0, 0);
    no_violations();
    unmake(&s);
}

static void kinds(void)
{
    made(&crc32, 4, 0xeced66c4, 0xfbf5f337);
    made(&crc32_zeros, 4, 0xa1b8ec43, 0xb6a079b0);
    made(&crc32c, 4, 0x58971d6d, 0x9e8996ba);
    made(&dif_crc, 8, 0x1aa0abcd12345678, 0xb34cabcd12345679);
    made(&dif_zeros, 8, 0x681babcd12345678, 0xc1f7abcd12345678);
    made(&dif_sum, 8, 0xd67fabcd12345678, 0x2cdbabcd12345678);
}

/* In memory they are checked and taken off as data leaves, and made as it comes. */
static void in_memory(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.mem = &dif_crc, .check_mask = CHECK_DIF};
    uint8_t *there = s.p->b.buf + FAR, *here = s.p->a.buf + 100000;

    memcpy(there, s.p->a.buf, 2 * BLOCK);
    memset(here, 0, 2 * (BLOCK + 8) + 1);
    set_key(&s, 100000, 2 * (BLOCK + 8), &sig);
    move(&s, IBV_WR_RDMA_READ, 2 * BLOCK);
    CHECK(!memcmp(here, there, BLOCK));
    EQ(number_at(here + BLOCK, 8), 0x1aa0abcd12345678);
    CHECK(!memcmp(here + BLOCK + 8, there + BLOCK, BLOCK));
    EQ(number_at(here + 2 * BLOCK + 8, 8), 0xb34cabcd12345679);
    EQ(here[2 * BLOCK + 16], 0);
    memset(there, 0, 2 * BLOCK + 1);
    move(&s, IBV_WR_RDMA_WRITE, 2 * BLOCK);
    CHECK(!memcmp(there, s.p->a.buf, 2 * BLOCK));
    EQ(there[2 * BLOCK], 0);
    check_key(&s, MLX5DV_MKEY_NO_ERR, 0, 0, 0);
    no_violations();
    unmake(&s);
}

/* A wrong byte of a signature in memory. Data goes on its way, the key has the error; a second one is not told. */
static void wrong_byte(const struct mlx5dv_sig_block_domain *kind, unsigned at, uint8_t mask,
    enum mlx5dv_mkey_err_type type,
    uint64_t is, uint64_t wanted)
{
    struct signer s = make(0);
    unsigned bytes = kind->sig_type == MLX5DV_SIG_TYPE_CRC ? 4 : 8;
    struct mlx5dv_sig_block_attr sig = {.mem = kind, .check_mask = mask};
    uint8_t *here = s.p->a.buf + 100000;

    memcpy(s.p->b.buf + FAR, s.p->a.buf, 2 * BLOCK);
    set_key(&s, 100000, 2 * (BLOCK + bytes), &sig);
    move(&s, IBV_WR_RDMA_READ, 2 * BLOCK);
    here[2 * BLOCK + bytes + at] ^= 0x40;
    move(&s, IBV_WR_RDMA_WRITE, 2 * BLOCK);
    CHECK(!memcmp(s.p->b.buf + FAR, s.p->a.buf, 2 * BLOCK));
    check_key(&s, type, is, wanted, BLOCK);
    move(&s, IBV_WR_RDMA_WRITE, 2 * BLOCK);
    check_key(&s, MLX5DV_MKEY_NO_ERR, 0, 0, 0);
    set_key(&s, 100000, 2 * (BLOCK + bytes), &sig); /* it was heard */
    move(&s, IBV_WR_RDMA_WRITE, 2 * BLOCK);
    check_key(&s, type, is, wanted, BLOCK);
    no_violations();
    unmake(&s);
}

static void wrong_bytes(void)
{
    wrong_byte(&crc32, 0, MLX5DV_SIG_MASK_CRC32, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0xfbf5f337 ^ 0x40000000, 0xfbf5f337);
    wrong_byte(&dif_crc, 1, CHECK_DIF, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0xb34c ^ 0x40, 0xb34c);
    wrong_byte(&dif_crc, 2, CHECK_DIF, MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG, 0xabcd ^ 0x4000, 0xabcd);
    wrong_byte(&dif_crc, 7, CHECK_DIF, MLX5DV_MKEY_SIG_BLOCK_BAD_REFTAG, 0x12345679 ^ 0x40, 0x12345679);
    wrong_byte(&dif_crc, 2, CHECK_DIF & ~MLX5DV_SIG_MASK_T10DIF_APPTAG, MLX5DV_MKEY_NO_ERR, 0, 0);
}

/* On the wire, of the peer's writes and of what a receive gets: the error is the key's, the entry in the queue's. */
static void from_the_peer(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = &crc32, .check_mask = MLX5DV_SIG_MASK_CRC32};
    struct ibv_sge sge = piece(&s.p->b, FAR, BLOCK + 4), room = {.length = BLOCK, .lkey = s.key->lkey};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 9, &sge);

    memcpy(s.p->b.buf + FAR, s.p->a.buf, BLOCK);
    memcpy(s.p->b.buf + FAR + BLOCK, "\x01\x02\x03\x04", 4);
    set_key(&s, 100000, BLOCK, &sig);
    wr.wr.rdma.rkey = s.key->rkey;
    post(s.p->b.qp, &wr);
    good(s.p->b.cq, 9, IBV_WC_RDMA_WRITE);
    nothing(s.p->a.cq);
    check_key(&s, MLX5DV_MKEY_NO_ERR, 0, 0, 0);
    nothing(s.rcq); /* which only libmlx5 is told of */
    check_key(&s, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0x01020304, 0xeced66c4, 0);
    set_key(&s, 100000, BLOCK, &sig);
    receive(s.p->a.qp, 8, &room);
    wr.opcode = IBV_WR_SEND;
    post(s.p->b.qp, &wr);
    good(s.p->b.cq, 9, IBV_WC_SEND);
    good(s.rcq, 8, IBV_WC_RECV);
    CHECK(!memcmp(s.p->a.buf + 100000, s.p->a.buf, BLOCK));
    check_key(&s, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0x01020304, 0xeced66c4, 0);
    no_violations();
    unmake(&s);
}

/* Both domains alike: what is to be copied passes as it is, the rest is made anew. */
static void copied(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.mem = &dif_crc, .wire = &dif_crc,
        .flags = MLX5DV_SIG_BLOCK_ATTR_FLAG_COPY_MASK,
        .copy_mask = MLX5DV_SIG_MASK_T10DIF_APPTAG};
    uint8_t *here = s.p->a.buf, *there = s.p->b.buf + FAR;

    memset(here + BLOCK, 0x11, 8);
    set_key(&s, 0, BLOCK + 8, &sig);
    move(&s, IBV_WR_RDMA_WRITE, BLOCK);
    EQ(number_at(there + BLOCK, 8), 0x1aa0111112345678);
    memset(there + BLOCK, 0x22, 8);
    move(&s, IBV_WR_RDMA_READ, BLOCK);
    EQ(number_at(here + BLOCK, 8), 0x1aa0222212345678);
    no_violations();
    unmake(&s);
}

/* Marks that say "not to be checked". */
static void escape(const struct mlx5dv_sig_block_domain *kind, uint32_t reference, enum mlx5dv_mkey_err_type type)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.mem = kind, .check_mask = MLX5DV_SIG_MASK_T10DIF_GUARD};
    uint8_t *stored = s.p->a.buf + BLOCK;
    struct mlx5dv_mkey_err e;

    memset(stored, 0xff, 4);
    reference = htobe32(reference);
    memcpy(stored + 4, &reference, 4);
    set_key(&s, 0, BLOCK + 8, &sig);
    move(&s, IBV_WR_RDMA_WRITE, BLOCK);
    OK(mkey_check(s.key, &e, sizeof e));
    EQ(e.err_type, type);
    unmake(&s);
}

static void escapes(void)
{
    escape(&dif_sum, 5, MLX5DV_MKEY_NO_ERR);
    escape(&dif_both, 5, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD);
    escape(&dif_both, 0xffffffff, MLX5DV_MKEY_NO_ERR);
    escape(&dif_crc, 0xffffffff, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD);
}

/* So many that packets end within signatures; and a piece that does not begin at the start. */
static void many(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = &crc32, .check_mask = MLX5DV_SIG_MASK_CRC32};
    struct ibv_sge sge = {.addr = 3 * BLOCK, .length = 2 * BLOCK, .lkey = s.key->lkey};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 5, &sge);
    uint8_t *there = s.p->b.buf + FAR;

    set_key(&s, 0, 300 * BLOCK, &sig);
    move(&s, IBV_WR_RDMA_WRITE, 300 * BLOCK);
    for (unsigned i = 0; i < 300; i++)
        CHECK(!memcmp(there + i * (BLOCK + 4), s.p->a.buf + i * BLOCK, BLOCK));
    memcpy(s.p->a.buf + 700000, s.p->a.buf, 300 * BLOCK);
    memset(s.p->a.buf, 0, 300 * BLOCK);
    move(&s, IBV_WR_RDMA_READ, 300 * BLOCK);
    CHECK(!memcmp(s.p->a.buf + 700000, s.p->a.buf, 300 * BLOCK));
    check_key(&s, MLX5DV_MKEY_NO_ERR, 0, 0, 0);
    to_remote(&wr, &s.p->b, FAR + 400000);
    post(s.p->a.qp, &wr);
    good(s.p->a.cq, 5, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(there + 400000, there + 3 * (BLOCK + 4), 2 * (BLOCK + 4)));
    no_violations();
    sge.addr = 299 * BLOCK; /* the last is the 300th */
    post(s.p->a.qp, &wr);
    bad(s.p->a.cq, 5, IBV_WC_LOC_PROT_ERR);
    expect_message("outside of the memory region");
    unmake(&s);
}

/* Without signatures again it is a key like any. */
static void taken_off(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = &crc32};
    struct mlx5dv_mkey_conf_attr conf = {.conf_flags = MLX5DV_MKEY_CONF_FLAG_RESET_SIG_ATTR};
    struct ibv_sge sge = memory(&s, 0, BLOCK);

    set_key(&s, 0, BLOCK, &sig);
    ibv_wr_start(s.qp);
    s.qp->wr_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED;
    mlx5dv_wr_mkey_configure(s.dv, s.key, 2, &conf);
    mlx5dv_wr_set_mkey_access_flags(s.dv, IBV_ACCESS_LOCAL_WRITE);
    mlx5dv_wr_set_mkey_layout_list(s.dv, 1, &sge);
    OK(ibv_wr_complete(s.qp));
    EQ(completion(s.p->a.cq).status, IBV_WC_SUCCESS);
    move(&s, IBV_WR_RDMA_WRITE, BLOCK);
    EQ(number_at(s.p->b.buf + FAR + BLOCK, 4), 0);
    no_violations();
    unmake(&s);
}

/* A queue pair that stops in front of what follows, which can be canceled then. */
static void stops(void)
{
    struct signer s = make(MLX5DV_QP_CREATE_SIG_PIPELINING);
    struct mlx5dv_sig_block_attr sig = {.mem = &crc32, .check_mask = MLX5DV_SIG_MASK_CRC32};
    struct ibv_sge data = {.length = BLOCK, .lkey = s.key->lkey}, note = memory(&s, 0, 20), room = piece(&s.p->b, 0,
        100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 5, &data), after = request(IBV_WR_SEND, 6, &note);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQD};
    struct ibv_async_event event;

    set_key(&s, 0, BLOCK + 4, &sig);
    to_remote(&wr, &s.p->b, FAR);
    wr.send_flags = 0;
    receive(s.p->b.qp, 8, &room);
    post(s.p->a.qp, &wr);
    post(s.p->a.qp, &after);
    nothing(s.p->a.cq);
    nothing(s.p->b.cq);
    OK(ibv_get_async_event(s.p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_SQ_DRAINED);
    ibv_ack_async_event(&event);
    CHECK(!memcmp(s.p->b.buf + FAR, s.p->a.buf, BLOCK));
    EQ(cancel(s.dv, 6), 1);
    OK(ibv_modify_qp(s.p->a.qp, &attr, IBV_QP_STATE | IBV_QP_CUR_STATE));
    good(s.p->a.cq, 6, IBV_WC_SEND); /* canceled: it completes, and nothing was sent */
    nothing(s.p->b.cq);
    post(s.p->a.qp, &after);
    good(s.p->a.cq, 6, IBV_WC_SEND);
    good(s.p->b.cq, 8, IBV_WC_RECV);
    no_violations();
    unmake(&s);
}

/* -- what is refused --------------------------------------------------------------------------- */

/* What libmlx5 writes, but for one byte; 256 is the first of the second descriptor. */
static void wrong(const struct mlx5dv_sig_block_attr *sig, unsigned at, uint8_t value, const char *message)
{
    struct signer s = make(0);
    struct ibv_wc wc;
    int status;

    post_key(&s, 0, 2 * (BLOCK + 8), sig);
    ((uint8_t *)s.rings.sq.buf)[at] = value;
    device_sim_pump(-1);
    expect_message(message);
    EQ(ibv_poll_cq(s.p->a.cq, 1, &wc), 1);
    status = wc.status;
    CHECK(status == IBV_WC_LOC_QP_OP_ERR || status == IBV_WC_MW_BIND_ERR);
    unmake(&s);
}

static void descriptions(void)
{
    struct mlx5dv_sig_block_attr crc = {.wire = &crc32}, dif = {.wire = &dif_crc}, both = {.mem = &dif_crc,
        .wire = &dif_crc};

    wrong(&crc, 192, 0x40, "a BSF of the kind 0x40");
    wrong(&crc, 196, 0, "the size of raw data is 0x00ffffff");
    wrong(&crc, 200, 0x62, "the block format 0x62 is not known");
    wrong(&crc, 201, 0x77, "there is no PSV 0x77");
    wrong(&crc, 194, 5, "the selector of the block's size is 5");
    wrong(&crc, 215, 1, "the extended section of the BSF is set");
    wrong(&crc, 230, 1, "an inline section of a domain that is not T10-DIF");
    wrong(&crc, 23, 8, "a signature that has not 4 octowords");
    wrong(&crc, 78, 2, "reserved bits of the mkey context are set");
    wrong(&crc, 76, 0x40, "the count of signature errors is the one that it was");
    wrong(&dif, 224, 0x80, "an inline section with the flags 0x8000");
    wrong(&dif, 232, 3, "the kind of guard is 3");
    wrong(&dif, 233, 0, "repetition and seed are 0x00");
    wrong(&dif, 235, 1, "reserved bytes of an inline section are set");
    wrong(&dif, 237, 0x43, "increment and escape are 0x43");
    wrong(&dif, 238, 0, "the mask of the application tag is 0x00ff");
    wrong(&both, 248, 2, "the domains are not of the same kind");
    wrong(&dif, 256 + 16 + 3, 0x77, "of this protection domain");
    wrong(&dif, 256 + 16 + 6, 1, "syndrome and reserved bytes of the PSV are set");
    wrong(&dif, 256 + 7, 3, "ds is 3, a PSV is set by 2");
}

/* Of another protection domain. */
static void foreign_psv(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = &crc32};
    struct ibv_pd *other = SOME(ibv_alloc_pd(s.p->ctx));
    struct mlx5dv_pd numbered;
    struct mlx5dv_obj obj = {.pd = {.in = other, .out = &numbered}};
    uint8_t in[16] = {0x06, 0x00, [8] = 0x10}, out[32] = {0};
    struct mlx5dv_devx_obj *psv;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
    in[10] = (uint8_t)(numbered.pdn >> 8);
    in[11] = (uint8_t)numbered.pdn;
    psv = SOME(mlx5dv_devx_obj_create(s.p->ctx, in, sizeof in, out, sizeof out));
    EQ(ibv_dealloc_pd(other), EBUSY);
    post_key(&s, 0, BLOCK, &sig);
    memcpy((uint8_t *)s.rings.sq.buf + 256 + 17, out + 17, 3);
    EQ(completion(s.p->a.cq).status, IBV_WC_LOC_QP_OP_ERR);
    expect_message("of this protection domain");
    OK(mlx5dv_devx_obj_destroy(psv));
    in[11] ^= 0x80;
    CHECK(!mlx5dv_devx_obj_create(s.p->ctx, in, sizeof in, out, sizeof out));
    expect_message("there is no protection domain");
    OK(ibv_dealloc_pd(other));
    unmake(&s);
}

/* A key that was made without signatures. */
static void no_room(void)
{
    struct signer s = make(0);
    struct mlx5dv_sig_block_attr sig = {.wire = &crc32};
    struct mlx5dv_mkey_init_attr plain = {.pd = s.p->pd, .max_entries = 4,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT};
    struct mlx5dv_mkey *other = SOME(mlx5dv_create_mkey(&plain));
    uint32_t index = htobe32(other->lkey);
    struct ibv_wc wc;

    post_key(&s, 0, BLOCK, &sig);
    memcpy((uint8_t *)s.rings.sq.buf + 12, &index, 4);
    wc = completion(s.p->a.cq);
    EQ(wc.status, IBV_WC_MW_BIND_ERR);
    expect_message("the key was made without room for signatures");
    OK(mlx5dv_destroy_mkey(other));
    unmake(&s);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"kinds", kinds},
        {"in-memory", in_memory},
        {"wrong-bytes", wrong_bytes},
        {"from-the-peer", from_the_peer},
        {"copied", copied},
        {"escapes", escapes},
        {"many", many},
        {"taken-off", taken_off},
        {"stops", stops},
        {"descriptions", descriptions},
        {"foreign-psv", foreign_psv},
        {"no-room", no_room},
        {NULL, NULL},
    };

    return run_cases("signatures", cases, argc, argv);
}
