/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors: taken from the ring, judged field by field, and told to the core. The judge is stricter than the real
 * device: what the programmer's reference reserves must be zero wherever libmlx5 writes zero.
 */
#include <stdio.h>
#include <string.h>

#include "mlx5.h"
#include "wqe.h"

/* A field that no correct library writes. */
bool wqe_bad(struct wqe *w, size_t at, size_t width, const char *fmt, ...)
{
    char why[200];
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    sim_violation(w->bytes, w->length, at, width, "%s QP 0x%06x WQE %u: %s", w->qp->obj.ctx->dev->name, w->qp->qpn,
        w->wr->index, why);
    w->wr->refused = IBV_WC_LOC_QP_OP_ERR;
    return false;
}

/*
 * What the device does not look at. Programs that write only the fields they mean leave there what a descriptor of the lap
 * before had: each is counted, the first of a queue pair is told.
 */
static void remark(struct wqe *w, size_t at, size_t width, const char *what)
{
    struct mlx5_qp *h = w->qp->hw;

    sim_count(DEVICE_SIM_COUNT_REMARKS);
    if (h->remarked)
        return;
    h->remarked = true;
    sim_remark(w->bytes, w->length, at, width, "%s QP 0x%06x WQE %u: %s", w->qp->obj.ctx->dev->name, w->qp->qpn,
        w->wr->index, what);
}

/* -- the parts of a descriptor ----------------------------------------------------------------- */

enum { HAS_RADDR = 1, HAS_ATOMIC = 2, HAS_IMM = 4, HAS_INV = 8, HAS_DATA = 16, CAN_INLINE = 32, HAS_MASKS = 64,
    CROSSES = 128, COPIES = 256, SEGMENTS = 512, TAGS = 1024, SETS = 2048 };
enum { RC = 1, UC = 2, UD = 4, XRC = 8, DC = 16, RAW = 32 };

/* Of which mlx5dv.h has no names. */
enum { OPCODE_CQE_WAIT = 0x0f, OPCODE_RECV_ENABLE = 0x16, OPCODE_SEND_ENABLE = 0x17, OPCODE_MMO = 0x2f };

static const struct {
    uint8_t opcode;
    enum sim_op op;
    int types, parts;
    const char *name;
} operations[] = {
    {MLX5_OPCODE_NOP, SIM_NOP, RC | UC | UD | XRC | DC | RAW, 0, "NOP"},
    {MLX5_OPCODE_SEND, SIM_SEND, RC | UC | UD | XRC | DC | RAW, HAS_DATA | CAN_INLINE, "SEND"},
    {MLX5_OPCODE_TSO, SIM_SEND, RAW, HAS_DATA | CAN_INLINE | SEGMENTS, "TSO"},
    {MLX5_OPCODE_SEND_IMM, SIM_SEND, RC | UC | UD | XRC | DC, HAS_IMM | HAS_DATA | CAN_INLINE, "SEND_IMM"},
    {MLX5_OPCODE_SEND_INVAL, SIM_SEND, RC | XRC | DC, HAS_INV | HAS_DATA | CAN_INLINE, "SEND_INVAL"},
    {MLX5_OPCODE_RDMA_WRITE, SIM_WRITE, RC | UC | XRC | DC, HAS_RADDR | HAS_DATA | CAN_INLINE, "RDMA_WRITE"},
    {MLX5_OPCODE_RDMA_WRITE_IMM, SIM_WRITE, RC | UC | XRC | DC, HAS_RADDR | HAS_IMM | HAS_DATA | CAN_INLINE,
        "RDMA_WRITE_IMM"},
    {MLX5_OPCODE_RDMA_READ, SIM_READ, RC | XRC | DC, HAS_RADDR | HAS_DATA, "RDMA_READ"},
    {MLX5_OPCODE_ATOMIC_CS, SIM_CAS, RC | XRC | DC, HAS_RADDR | HAS_ATOMIC | HAS_DATA, "ATOMIC_CS"},
    {MLX5_OPCODE_ATOMIC_FA, SIM_FETCH_ADD, RC | XRC | DC, HAS_RADDR | HAS_ATOMIC | HAS_DATA, "ATOMIC_FA"},
    {MLX5_OPCODE_ATOMIC_MASKED_CS, SIM_MASKED_CAS, RC | XRC | DC, HAS_RADDR | HAS_MASKS | HAS_DATA, "ATOMIC_MASKED_CS"},
    {MLX5_OPCODE_ATOMIC_MASKED_FA, SIM_MASKED_FA, RC | XRC | DC, HAS_RADDR | HAS_MASKS | HAS_DATA, "ATOMIC_MASKED_FA"},
    {OPCODE_CQE_WAIT, SIM_WAIT, RC | UC | UD, CROSSES, "CQE_WAIT"},
    {OPCODE_RECV_ENABLE, SIM_RECV_ENABLE, RC | UC | UD, CROSSES, "RECV_ENABLE"},
    {OPCODE_SEND_ENABLE, SIM_SEND_ENABLE, RC | UC | UD, CROSSES, "SEND_ENABLE"},
    {MLX5_OPCODE_UMR, SIM_BIND, RC | UC | XRC | DC, 0, "UMR"},
    {OPCODE_MMO, SIM_MEMCPY, RC | DC, COPIES, "MMO"},
    {MLX5_OPCODE_SET_PSV, SIM_NOP, RC | UC | XRC | DC, SETS, "SET_PSV"},
    {MLX5_OPCODE_TAG_MATCHING, SIM_NOP, RC, TAGS, "TAG_MATCHING"},
};

static int type_bit(const struct sim_qp *qp)
{
    switch (qp->type) {
    case IB_UVERBS_QPT_RC: return RC;
    case IB_UVERBS_QPT_UC: return UC;
    case IB_UVERBS_QPT_UD: return UD;
    case IB_UVERBS_QPT_DRIVER: return DC;
    case IB_UVERBS_QPT_RAW_PACKET: return RAW;
    default: return XRC;
    }
}

static bool control(struct wqe *w, unsigned *operation)
{
    const uint8_t *b = w->bytes;
    const struct mlx5_qp *h = w->qp->hw;
    unsigned n = 0;
    uint8_t sum = 0;

    if (be16(b + 1) != w->wr->index)
        return wqe_bad(w, 1, 2, "the index in the control segment is %u", be16(b + 1));
    while (n < sizeof operations / sizeof *operations && operations[n].opcode != b[3])
        n++;
    if (n == sizeof operations / sizeof *operations)
        return wqe_bad(w, 3, 1, "opcode 0x%02x is not known", b[3]);
    if (!(operations[n].types & type_bit(w->qp)))
        return wqe_bad(w, 3, 1, "opcode 0x%02x (%s) is not for a queue pair of this type", b[3], operations[n].name);
    if (operations[n].parts & CROSSES && !w->qp->cross_master)
        return wqe_bad(w, 3, 1, "opcode 0x%02x (%s), but the queue pair was not made for cross channel", b[3],
            operations[n].name);
    if (operations[n].parts & HAS_MASKS && b[0] != 8 && b[0] != 9)
        return wqe_bad(w, 0, 1, "the opcode modifier is 0x%02x, must be 8 for 4 bytes or 9 for 8", b[0]);
    if (operations[n].parts & COPIES && !h->copies)
        return wqe_bad(w, 3, 1, "opcode 0x%02x (%s), but the queue pair was not made for copies", b[3], operations[n].name);
    if (operations[n].parts & COPIES && b[0] != 1)
        return wqe_bad(w, 0, 1, "the opcode modifier is 0x%02x, a copy's is 1", b[0]);
    if (!(operations[n].parts & (HAS_MASKS | COPIES)) && b[0])
        return wqe_bad(w, 0, 1, "the opcode modifier is 0x%02x, must be 0", b[0]);
    if (be32(b + 4) >> 8 != w->qp->qpn)
        return wqe_bad(w, 4, 3, "the queue pair number in the control segment is 0x%06x", be32(b + 4) >> 8);
    if (b[7] & 0xc0)
        return wqe_bad(w, 7, 1, "reserved bits above ds are set: 0x%02x", b[7]);
    if (h->flags & MLX5_QP_FLAG_SIGNATURE) {
        for (size_t i = 0; i < w->length; i++)
            sum ^= b[i];
        if (sum != 0xff)
            return wqe_bad(w, 8, 1, "the signature is wrong: all bytes together give 0x%02x, must be 0xff", sum);
    } else if (b[8]) {
        remark(w, 8, 1, "a signature, but the queue pair has none");
    }
    if (w->qp->max_failed_streams)
        w->wr->stream = be16(b + 9);
    else if (b[9] || b[10])
        remark(w, 9, 2, "reserved bytes of the control segment are set");
    if (b[11] & 0x11)
        return wqe_bad(w, 11, 1, "reserved bits of fm_ce_se are set: 0x%02x", b[11]);
    if (b[11] >> 5 > 4)
        return wqe_bad(w, 11, 1, "fence mode %u is not known", b[11] >> 5);
    w->wr->signaled = (b[11] & MLX5_WQE_CTRL_CQ_UPDATE) != 0;
    w->wr->solicited = (b[11] & MLX5_WQE_CTRL_SOLICITED) != 0;
    w->wr->op = operations[n].op;
    w->wr->vendor_op = b[3];
    *operation = n;
    w->at = 16;
    return true;
}

/* The next `size` bytes, NULL and a verdict when the descriptor ends before. */
const uint8_t *wqe_part(struct wqe *w, size_t size, const char *name)
{
    const uint8_t *b = w->bytes + w->at;

    if (w->at + size > w->length) {
        wqe_bad(w, 7, 1, "ds is %zu, too small for the %s segment", w->length / 16, name);
        return NULL;
    }
    w->at += size;
    return b;
}

/* The address vector of a datagram, or of a request to a DC target. */
static bool datagram(struct wqe *w)
{
    bool dc = type_bit(w->qp) == DC;
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, sizeof(struct mlx5_wqe_datagram_seg), dc ? "DC address" : "datagram");
    uint32_t gid_fl;

    if (!b)
        return false;
    if (!dc && be32(b + 4))
        remark(w, at + 4, 4, "reserved bytes of the address vector are set");
    if (!(b[8] & 0x80))
        return wqe_bad(w, at + 8, 1, "the extension bit of the address vector is not set, but it has 48 bytes");
    if (b[8] & 0x7f)
        return wqe_bad(w, at + 8, 1, "reserved bits in front of the %s number are set", dc ? "DC target" :
            "destination queue pair");
    if (be32(b + 16))
        remark(w, at + 16, 4, "reserved bytes of the address vector are set");
    gid_fl = be32(b + 28);
    if (sim_config.infiniband ? gid_fl >> 31 : gid_fl >> 30)
        return wqe_bad(w, at + 28, 1, "reserved bits in front of the GID index are set: 0x%08x", gid_fl);
    if (dc)
        w->wr->dc_key = be64(b);
    else
        w->wr->qkey = be32(b);
    w->wr->dest_qpn = be32(b + 8) & 0xffffff;
    w->wr->sl = b[12] & 15;
    w->wr->dlid = be16(b + 14);
    w->wr->by_gid = !sim_config.infiniband || gid_fl >> 30 & 1;
    w->wr->sgid_index = (uint8_t)(gid_fl >> 20);
    memcpy(w->wr->dgid, b + 32, 16);
    return true;
}

static bool remote(struct wqe *w)
{
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, sizeof(struct mlx5_wqe_raddr_seg), "remote address");

    if (!b)
        return false;
    if (be32(b + 12))
        remark(w, at + 12, 4, "reserved bytes of the remote address segment are set");
    w->wr->raddr = be64(b);
    w->wr->rkey = be32(b + 8);
    return true;
}

/* Keys and bounds are judged when the request may still be executed; in an error state it is only flushed. */
void wqe_check_key(struct wqe *w, size_t at, const struct sim_sge *s, bool write)
{
    struct sim_device *dev = w->qp->obj.ctx->dev;
    struct sim_access by = {.dev = dev, .pd = w->qp->pd, .qpn = w->qp->qpn, .key = s->lkey,
        .access = write ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0};
    const char *why;
    bool key;

    if (w->qp->state == IBV_QPS_ERR || w->qp->state == IBV_QPS_SQE || w->wr->refused)
        return;
    why = sim_mem_check(&by, s->addr, s->length);
    if (!why)
        return;
    key = !sim_mkey_find(dev, s->lkey);
    sim_key_error(w->bytes, w->length, key ? at + 4 : at, key ? 4 : 16,
        "%s QP 0x%06x WQE %u: lkey 0x%08x, address 0x%llx, %u bytes: %s",
        dev->name, w->qp->qpn, w->wr->index, s->lkey, (unsigned long long)s->addr, s->length, why);
    w->wr->refused = IBV_WC_LOC_PROT_ERR;
}

static bool data(struct wqe *w, bool can_inline)
{
    struct sim_wr *wr = w->wr;

    while (w->at < w->length) {
        size_t at = w->at;
        const uint8_t *b = w->bytes + at;
        uint32_t count = be32(b);

        if (count & MLX5_INLINE_SEG) {
            uint32_t n = count & 0x3ff;

            if (count & ~(MLX5_INLINE_SEG | 0x3ffu))
                return wqe_bad(w, at, 4, "reserved bits of the inline segment are set: 0x%08x", count);
            if (!can_inline)
                return wqe_bad(w, at, 4, "inline data is not for this opcode");
            if (wr->n_sge)
                return wqe_bad(w, at, 4, "inline data behind a data segment");
            if (at + 4 + n > w->length)
                return wqe_bad(w, at, 4, "inline data of %u bytes reach past the end, ds is %zu", n, w->length / 16);
            memcpy(wr->data + wr->length, b + 4, n);
            wr->inline_length += n;
            wr->length += n;
            w->at += (4 + n + 15) / 16 * 16;
            continue;
        }
        if (!count)
            return wqe_bad(w, at, 4, "a data segment of 0 bytes: to the device that is 2 GiB");
        wr->sge[wr->n_sge] = (struct sim_sge){.addr = be64(b + 8), .length = count, .lkey = be32(b + 4)};
        sim_signed_piece(w->qp->obj.ctx->dev, &wr->sge[wr->n_sge]);
        wr->length += wr->sge[wr->n_sge].length;
        wqe_check_key(w, at, &wr->sge[wr->n_sge++], wr->op == SIM_READ || sim_is_atomic(wr->op));
        w->at += 16;
    }
    return true;
}

static bool atomic(struct wqe *w)
{
    const uint8_t *b = wqe_part(w, sizeof(struct mlx5_wqe_atomic_seg), "atomic");

    if (!b)
        return false;
    w->wr->swap_add = be64(b);
    w->wr->compare = be64(b + 8);
    if (w->length != w->at + 16)
        return wqe_bad(w, 7, 1, "ds is %zu, an atomic has one data segment", w->length / 16);
    if (be32(w->bytes + w->at) != 8)
        return wqe_bad(w, w->at, 4, "the data segment of an atomic has %u bytes, must be 8", be32(w->bytes + w->at));
    return true;
}

/* Two or four operands, of 4 or 8 bytes each, filled up to whole segments; one data segment of that width. */
static bool masks(struct wqe *w)
{
    struct sim_wr *wr = w->wr;
    unsigned width = w->bytes[0] == 8 ? 4 : 8, n = wr->op == SIM_MASKED_CAS ? 4 : 2;
    size_t size = (n * width + 15) / 16 * 16, at = w->at;
    const uint8_t *b = wqe_part(w, size, "masked atomic");
    uint64_t operand[4] = {0};

    if (!b)
        return false;
    for (unsigned i = 0; i < n; i++)
        operand[i] = width == 4 ? be32(b + 4 * i) : be64(b + 8 * i);
    for (size_t i = n * width; i < size; i++)
        if (b[i])
            return wqe_bad(w, at + i, 1, "reserved bytes of the masked atomic segment are set");
    wr->width = (uint8_t)width;
    wr->swap_add = operand[0];
    wr->compare = n == 4 ? operand[1] : 0;
    wr->swap_mask = operand[2];
    wr->compare_mask = n == 4 ? operand[3] : operand[1];
    if (w->length != w->at + 16)
        return wqe_bad(w, 7, 1, "ds is %zu, a masked atomic has one data segment", w->length / 16);
    if (be32(w->bytes + w->at) != width)
        return wqe_bad(w, w->at, 4, "the data segment of a masked atomic has %u bytes, must be %u", be32(w->bytes + w->at), width);
    return true;
}

/* The number of a completion queue or queue pair, and how far its counter is to be. */
static bool cross(struct wqe *w)
{
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, 16, "cross channel");
    uint32_t counter = w->wr->op == SIM_WAIT ? 0xffffff : 0xffff;

    if (!b)
        return false;
    if (be64(b))
        return wqe_bad(w, at, 8, "reserved bytes of the cross channel segment are set");
    w->wr->cross.index = be32(b + 8);
    w->wr->cross.number = be32(b + 12);
    if (w->wr->cross.index & ~counter)
        return wqe_bad(w, at + 8, 4, "the index is 0x%08x, the counter has %d bits", w->wr->cross.index,
            w->wr->op == SIM_WAIT ? 24 : 16);
    if (b[12])
        return wqe_bad(w, at + 12, 1, "reserved bits in front of the number are set");
    return true;
}

#define OPAQUE 64 /* bytes that the device keeps for itself in memory of the process */

/* From where, then to where. */
static bool copy(struct wqe *w)
{
    struct sim_wr *wr = w->wr;
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, 48, "copy");

    if (!b)
        return false;
    if (be32(b))
        return wqe_bad(w, at, 4, "reserved bytes of the metadata segment are set");
    wqe_check_key(w, at, &(struct sim_sge){.addr = be64(b + 8), .length = OPAQUE, .lkey = be32(b + 4)}, true);
    for (unsigned i = 0; i < 2; i++) {
        size_t here = at + 16 * (i + 1);
        uint32_t count = be32(w->bytes + here);

        if (!count || count > MAX_COPY)
            return wqe_bad(w, here, 4, "a copy of 0x%x bytes: the device copies up to 0x%x", count, MAX_COPY);
        if (i && count != wr->length)
            return wqe_bad(w, here, 4, "0x%x bytes from here, 0x%x bytes to there", (unsigned)wr->length, count);
        wr->sge[i] = (struct sim_sge){.addr = be64(w->bytes + here + 8), .length = count, .lkey = be32(w->bytes + here + 4)};
        wqe_check_key(w, here, &wr->sge[i], i);
        wr->length = count;
    }
    wr->n_sge = 2;
    return true;
}

static bool judge(struct wqe *w)
{
    struct sim_wr *wr = w->wr;
    const uint8_t *b;
    unsigned n = 0;
    int parts;

    if (!control(w, &n))
        return false;
    parts = operations[n].parts;
    if (parts & TAGS)
        return wqe_tags(w);
    if (parts & SETS)
        return wqe_set_psv(w);
    if (wr->op == SIM_NOP)
        return true; /* what is behind may be of a request that was canceled */
    if (type_bit(w->qp) == XRC && wr->op != SIM_BIND && wr->op != SIM_NOP) {
        size_t at = w->at;

        b = wqe_part(w, 16, "XRC");
        if (!b)
            return false;
        if (b[0])
            return wqe_bad(w, at, 1, "reserved bits in front of the shared receive queue number are set");
        wr->srqn = be32(b);
    }
    if (type_bit(w->qp) & (UD | DC) && wr->op != SIM_NOP && wr->op != SIM_BIND && !(parts & (CROSSES | COPIES)) && !datagram(w))
        return false;
    if (type_bit(w->qp) == RAW && wr->op == SIM_SEND && !wqe_ethernet(w, parts & SEGMENTS))
        return false;
    if (wr->op == SIM_BIND)
        return wqe_umr(w);
    if (parts & HAS_RADDR && !remote(w))
        return false;
    if (parts & HAS_ATOMIC && !atomic(w))
        return false;
    if (parts & HAS_MASKS && !masks(w))
        return false;
    if (parts & CROSSES && !cross(w))
        return false;
    if (parts & COPIES && !copy(w))
        return false;
    if (parts & HAS_DATA && !data(w, parts & CAN_INLINE))
        return false;
    if (w->at < w->length)
        return wqe_bad(w, 7, 1, "ds is %zu, but %s ends after %zu", w->length / 16, operations[n].name, w->at / 16);
    wr->has_imm = parts & HAS_IMM;
    wr->has_inv = parts & HAS_INV;
    memcpy(&wr->imm, w->bytes + 12, 4);
    if (wr->has_inv)
        wr->imm = be32toh(wr->imm);
    if (wr->length > (type_bit(w->qp) == UD ? 4096 : SIM_MAX_MSG) && !wr->refused)
        wr->refused = IBV_WC_LOC_LEN_ERR;
    return true;
}

/* -- the send ring ----------------------------------------------------------------------------- */

bool mlx5_has_send(struct sim_qp *qp)
{
    const struct mlx5_qp *h = qp->hw;

    return h->stops || mlx5_rendezvous_waits(h) || (h->rung && h->sq_ci != h->rung_to);
}

bool mlx5_next_send(struct sim_qp *qp, struct sim_wr *wr)
{
    static struct wqe w; /* under the lock; too large for a stack that is not ours */
    struct mlx5_qp *h = qp->hw;
    unsigned ds, blocks, there = (uint16_t)(h->rung_to - h->sq_ci);

    if (h->stops) {
        h->stops = false;
        if (qp->state == IBV_QPS_RTS) { /* what comes next waits until the process has seen to it */
            qp->state = IBV_QPS_SQD;
            sim_async_qp(qp, IBV_EVENT_SQ_DRAINED);
            return false;
        }
    }
    if (mlx5_rendezvous_next(qp, wr))
        return true;
    if (!mlx5_has_send(qp))
        return false;
    memset(wr, 0, offsetof(struct sim_wr, sge));
    memset(&wr->length, 0, sizeof *wr - offsetof(struct sim_wr, length));
    wr->index = h->sq_ci;
    w.qp = qp;
    w.wr = wr;
    ds = mlx5_send_block(h, h->sq_ci)[7] & 0x3f;
    blocks = (ds + 3) / 4;
    w.length = ds ? ds * 16 : 16;
    for (size_t i = 0; i < w.length; i += 64)
        memcpy(w.bytes + i, mlx5_send_block(h, (uint16_t)(h->sq_ci + i / 64)), w.length - i < 64 ? w.length - i : 64);
    if (!ds || blocks > there) {
        /* Where the next one begins is not known: nothing more of this ring can be read. */
        wqe_bad(&w, 7, 1, ds ? "ds is %u, the doorbell record ends %u blocks further on" :
            "ds is %u (%u blocks are there)", ds, there);
        h->sq_ci = h->rung_to;
        return true;
    }
    h->sq_ci = (uint16_t)(h->sq_ci + blocks);
    judge(&w);
    return true;
}

/* -- receive rings ----------------------------------------------------------------------------- */

int mlx5_take_list(struct sim_device *dev, const char *what, const uint8_t *b, unsigned segments, struct sim_recv *recv)
{
    recv->n_sge = 0;
    recv->length = 0;
    for (unsigned i = 0; i < segments; i++, b += 16) {
        uint32_t count = be32(b), key = be32(b + 4);

        if (key == MLX5_INVALID_LKEY)
            break;
        if (count & MLX5_INLINE_SEG) {
            sim_violation(b, 16, 0, 4, "%s %s, receive %u: a data segment of 0x%08x bytes", dev->name, what,
                recv->index, count);
            return -1;
        }
        if (!count)
            continue;
        recv->sge[recv->n_sge] = (struct sim_sge){.addr = be64(b + 8), .length = count, .lkey = key};
        sim_signed_piece(dev, &recv->sge[recv->n_sge]);
        recv->length += recv->sge[recv->n_sge++].length;
    }
    return 1;
}

unsigned mlx5_srq_posted(struct sim_srq *srq)
{
    const struct mlx5_srq *h = srq->hw;

    return (uint16_t)(mlx5_record(h->db) - h->consumed);
}

static int next_shared(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv)
{
    struct mlx5_srq *h = srq->hw;
    unsigned posted = mlx5_srq_posted(srq);
    const uint8_t *b;
    char what[24];

    if (!posted)
        return 0;
    snprintf(what, sizeof what, "SRQ %u", srq->srqn);
    if (h->cyclic)
        h->head = (uint16_t)(h->consumed & (h->n - 1));
    b = h->buf + ((size_t)h->head << h->shift);
    recv->index = h->head;
    if (posted > h->n || (!h->cyclic && be16(b + 2) >= h->n)) {
        sim_violation(b, 16, 2, 2, "%s %s: %u receives posted, the next after %u is %u, the ring has %u",
            qp->obj.ctx->dev->name, what, posted, h->head, be16(b + 2), h->n);
        return -1;
    }
    if (qp->tagged.how == MLX5_TAG_UNEXPECTED)
        mlx5_tag_unexpected(srq);
    h->head = be16(b + 2); /* receives are a list, in the order they were posted */
    h->consumed++;
    return mlx5_take_list(qp->obj.ctx->dev, what, b + 16, (1u << (h->shift - 4)) - 1, recv);
}

/* Which receive is taken next. Out of their order: where things are reordered at all, the second of two comes before the first. */
static uint16_t next_index(struct mlx5_qp *h, unsigned posted)
{
    if (h->left_one) {
        h->left_one = false;
        return (uint16_t)(h->rq_ci - 2);
    }
    if (h->out_of_order && posted > 1 && sim_reorder_depth()) {
        h->left_one = true;
        h->rq_ci = (uint16_t)(h->rq_ci + 2);
        return (uint16_t)(h->rq_ci - 1);
    }
    return h->rq_ci++;
}

int mlx5_next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv)
{
    struct mlx5_qp *h = qp->hw;
    uint32_t record = srq ? 0 : qp->managed_recv ? h->rq_enabled : mlx5_record(&h->db[MLX5_RCV_DBR]);
    unsigned posted = (uint16_t)(record - h->rq_ci) + h->left_one, skip = h->flags & MLX5_QP_FLAG_SIGNATURE ? 1 : 0, room;
    uint16_t next;
    const uint8_t *b;
    char what[24];

    if (srq)
        return next_shared(qp, srq, recv);
    if (!h->rq_n || !posted)
        return 0;
    snprintf(what, sizeof what, "QP 0x%06x", qp->qpn);
    recv->index = h->rq_ci;
    room = h->out_of_order && h->rq_n > 1 ? h->rq_n / 2 : h->rq_n;
    if (record > 0xffff || posted > room) {
        sim_violation(NULL, 0, 0, 0, "%s %s: the receive doorbell record went from %u to %u, %u %s has %u",
            qp->obj.ctx->dev->name, what, h->rq_ci, record, posted, h->out_of_order ?
            "receives, of which half the ring" : "receives, the ring", room);
        h->rq_ci = (uint16_t)record;
        h->left_one = false;
        return -1;
    }
    next = next_index(h, posted);
    recv->index = next;
    b = h->rq + ((size_t)(next & (h->rq_n - 1)) << h->rq_shift);
    return mlx5_take_list(qp->obj.ctx->dev, what, b + 16 * skip, (1u << (h->rq_shift - 4)) - skip, recv);
}
