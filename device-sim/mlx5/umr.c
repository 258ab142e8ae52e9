/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors that change a memory key (UMR): memory windows are bound and taken back, and keys that are made of pieces get some and
 * lose them. Which it is the key tells that the descriptor names.
 */
#include "mlx5.h"
#include "wqe.h"

#define CHECK_BOUND 0x40 /* fails where the key is free */
/* How libmlx5 takes a key back, a window or one of pieces: without a list, and of any queue pair. */
#define INVALIDATES (MLX5_WQE_UMR_CTRL_FLAG_INLINE | MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET | \
    MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN)
#define MASK_ACCESS (MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE | MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ | \
    MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE | MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC)
#define MASK_EN_RINVAL (1 << 8)
#define MASK_QPN (1 << 14)
#define MASK_SIGNATURE (MLX5_WQE_UMR_CTRL_MKEY_MASK_BSF_ENABLE | MLX5_WQE_UMR_CTRL_MKEY_MASK_SIG_ERR)
#define FLAG_SIGNED (1u << 30)
#define FLAG_HEARD (1u << 26)
#define MASK_KNOWN (MASK_SIGNATURE | MASK_ACCESS | MASK_QPN | MASK_EN_RINVAL | MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | \
    MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR | MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY | MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE)
#define FLAG_EN_RINVAL (1u << 24)
#define IN_ROUNDS 0x400 /* in the place of a key */
#define KLM 16

static uint32_t rights(uint8_t flags)
{
    return (flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0)
        | (flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0)
        | (flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ ? IB_UVERBS_ACCESS_REMOTE_READ : 0)
        | (flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC ? IB_UVERBS_ACCESS_REMOTE_ATOMIC : 0);
}

/* -- windows ----------------------------------------------------------------------------------- */

static bool window(struct wqe *w, const uint8_t *c, const uint8_t *m, uint64_t mask)
{
    struct sim_wr *wr = w->wr;
    const uint8_t *k;

    wr->bind.key = be32(w->bytes + 12);
    wr->bind.new_key = be32(m + 4) & 0xff;
    if (!(c[0] & MLX5_WQE_UMR_CTRL_FLAG_INLINE) || !(mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE))
        return wqe_bad(w, 16, 1, "a UMR with flags 0x%02x, mask 0x%llx: of a window only binding and invalidation are simulated",
            c[0], (unsigned long long)mask);
    if (m[0] & MLX5_WQE_MKEY_CONTEXT_FREE) {
        if (w->length != w->at)
            return wqe_bad(w, 7, 1, "ds is %zu, an invalidation has 8", w->length / 16);
        if (c[0] & MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN)
            wr->op = SIM_LOCAL_INV;
        return true;
    }
    if (be16(c + 4) != 4)
        return wqe_bad(w, 20, 2, "klm_octowords is %u, one entry and its padding are 4", be16(c + 4));
    k = wqe_part(w, 64, "KLM");
    if (!k)
        return false;
    if (w->length != w->at)
        return wqe_bad(w, 7, 1, "ds is %zu, a binding has 12", w->length / 16);
    wr->bind.iova = be64(m + 16);
    wr->bind.length = be64(m + 24);
    wr->bind.region = be32(k + 4);
    wr->bind.addr = be64(k + 8);
    wr->bind.access = rights(m[2]);
    if (be32(k) != wr->bind.length)
        return wqe_bad(w, w->at - 64, 4, "the entry has %u bytes, the key %llu", be32(k),
            (unsigned long long)wr->bind.length);
    return true;
}

/* -- keys that are made of pieces -------------------------------------------------------------- */

static bool is_zero(struct wqe *w, size_t from, size_t to, const char *what)
{
    for (size_t i = from; i < to; i++)
        if (w->bytes[i])
            return wqe_bad(w, i, 1, "%s", what);
    return true;
}

static bool entries(struct wqe *w, size_t at, unsigned n, bool in_rounds)
{
    struct sim_update *u = &w->wr->update;
    uint32_t round = 0;

    for (u->n = 0; u->n < n; u->n++) {
        const uint8_t *b = w->bytes + at + KLM * u->n;
        struct sim_piece *p = &w->wr->piece[u->n];

        p->lkey = be32(b + 4);
        p->addr = be64(b + 8);
        p->stride = in_rounds ? be16(b) : 0;
        p->length = in_rounds ? be16(b + 2) : be32(b);
        round += p->length;
        if (!p->length && !in_rounds)
            break;
    }
    if (in_rounds && round != be32(w->bytes + at - KLM))
        return wqe_bad(w, at - KLM, 4, "a round has %u bytes, its entries %u", be32(w->bytes + at - KLM), round);
    return is_zero(w, at + KLM * u->n, w->at, "an entry behind the last one, or one of no bytes");
}

static bool list(struct wqe *w, unsigned octowords)
{
    struct sim_update *u = &w->wr->update;
    size_t at = w->at;
    const uint8_t *k = wqe_part(w, KLM * octowords, "KLM");
    unsigned n;

    if (!k)
        return false;
    u->has_pieces = true;
    u->rounds = 1;
    if (be32(k + 4) != IN_ROUNDS)
        return entries(w, at, octowords, false);
    n = be16(k + 14);
    u->rounds = be32(k + 8);
    if (be16(k + 12))
        return wqe_bad(w, at + 12, 2, "reserved bytes of the repeat block are set");
    if (n >= octowords)
        return wqe_bad(w, at + 14, 2, "%u entries in a list with room for %u", n, octowords - 1);
    return entries(w, at + KLM, n, true);
}

static bool key(struct wqe *w, const uint8_t *c, const uint8_t *m, uint64_t mask)
{
    struct sim_update *u = &w->wr->update;
    unsigned octowords = be16(c + 4);
    uint32_t flags = be32(m + 12);

    w->wr->op = SIM_UPDATE_KEY;
    u->key = be32(w->bytes + 12);
    if (!(c[0] & MLX5_WQE_UMR_CTRL_FLAG_INLINE))
        return wqe_bad(w, 16, 1, "UMR flags 0x%02x: a list that is not in the descriptor is not simulated", c[0]);
    if (c[0] & ~(MLX5_WQE_UMR_CTRL_FLAG_INLINE | MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE | CHECK_BOUND) &&
        (c[0] != INVALIDATES || !(mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE) || !(m[0] & MLX5_WQE_MKEY_CONTEXT_FREE)))
        return wqe_bad(w, 16, 1, "UMR flags 0x%02x, of which some are not for a key that is made of pieces", c[0]);
    if (be16(c + 6) && (be16(c + 6) != 4 || !(mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_BSF_ENABLE) || !(flags & FLAG_SIGNED)))
        return wqe_bad(w, 22, 2, "a translation offset, or a signature that has not 4 octowords or is not to be set");
    if (flags & FLAG_SIGNED && !be16(c + 6))
        return wqe_bad(w, 76, 1, "a signature without its description");
    if (mask & ~(uint64_t)MASK_KNOWN)
        return wqe_bad(w, 24, 8, "the mask 0x%llx has more than is simulated", (unsigned long long)mask);
    if (octowords % 4)
        return wqe_bad(w, 20, 2, "klm_octowords is %u, must be a multiple of 4", octowords);
    if (m[0] & ~MLX5_WQE_MKEY_CONTEXT_FREE || m[1] || m[3] || be32(m + 8) || flags & ~(FLAG_EN_RINVAL | FLAG_SIGNED | FLAG_HEARD))
        return wqe_bad(w, 64, 16, "reserved bits of the mkey context are set, or such as are not simulated");
    if (mask & (MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY | MASK_QPN) && be32(m + 4) >> 8 != 0xffffff)
        return wqe_bad(w, 68, 3, "a key of one queue pair is not simulated");
    if (!is_zero(w, 96, 128, "reserved bytes of the mkey context are set, or such as are not simulated"))
        return false;
    u->if_free = c[0] & MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE;
    u->if_bound = c[0] & CHECK_BOUND;
    u->to_free = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE && m[0];
    u->to_bound = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE && !m[0];
    u->has_tag = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY;
    u->tag = m[7];
    u->has_start = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR;
    u->start = be64(m + 16);
    u->has_length = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN;
    u->length = be64(m + 24);
    u->has_invalidate = mask & MASK_EN_RINVAL;
    u->remote_invalidate = flags & FLAG_EN_RINVAL;
    u->has_signature = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_BSF_ENABLE;
    u->has_heard = mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_SIG_ERR;
    u->heard = flags & FLAG_HEARD ? 1 : 0;
    u->access_mask = rights((uint8_t)((mask & MASK_ACCESS) >> 15)); /* in the same order */
    u->access = rights(m[2]) & u->access_mask;
    if (octowords && u->to_free)
        return wqe_bad(w, 20, 2, "a list for a key that becomes free");
    if (octowords && !list(w, octowords))
        return false;
    if (be16(c + 6) && !wqe_bsf(w))
        return false;
    return w->length == w->at || wqe_bad(w, 7, 1, "ds is %zu, a UMR with %u octowords of entries has %zu", w->length / 16,
        octowords, w->at / 16);
}

bool wqe_umr(struct wqe *w)
{
    const uint8_t *c = wqe_part(w, sizeof(struct mlx5_wqe_umr_ctrl_seg), "UMR control");
    const uint8_t *m = c ? wqe_part(w, sizeof(struct mlx5_wqe_mkey_context_seg), "mkey context") : NULL;
    const struct sim_device *dev = w->qp->obj.ctx->dev;
    uint32_t index = be32(w->bytes + 12) >> 8;

    if (!m || !is_zero(w, 17, 20, "reserved bytes of the UMR control segment are set")
        || !is_zero(w, 32, 64, "reserved bytes of the UMR control segment are set"))
        return false;
    if (index < dev->n_mkeys && dev->mkey[index] && dev->mkey[index]->pieces)
        return key(w, c, m, be64(c + 8));
    return window(w, c, m, be64(c + 8));
}
