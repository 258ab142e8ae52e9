/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Keys that are made of pieces behind other keys, which work requests give them and take from them. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define MAX_DEPTH 4 /* of keys that are made of keys */
#define WRITES (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)

struct sim_pieces *sim_pieces_new(unsigned room)
{
    struct sim_pieces *l = calloc(1, sizeof *l + room * sizeof *l->piece);

    if (l)
        l->room = room;
    return l;
}

/* What others may do by the key, it does to the pieces by rights of its own side. */
const char *sim_pieces_span(const struct sim_access *a, const struct sim_mkey *m, uint64_t addr, uint64_t length,
    unsigned depth, struct sim_span *span)
{
    const struct sim_pieces *l = m->pieces;
    uint64_t offset = addr - m->iova, round, rest;
    const struct sim_piece *p = l->piece;
    struct sim_access below = {.dev = a->dev, .pd = m->pd, .access = a->access & WRITES ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0};
    const char *why;

    *span = (struct sim_span){.length = length};
    if (!length)
        return NULL;
    round = l->round ? offset / l->round : l->rounds;
    if (round >= l->rounds)
        return "the key is longer than its pieces together";
    if (depth == MAX_DEPTH)
        return "the key is made of keys that are made of keys, too many times";
    offset %= l->round;
    while (offset >= p->length)
        offset -= p++->length;
    rest = p->length - offset;
    below.key = p->lkey;
    why = sim_key_span(&below, p->addr + round * p->stride + offset, rest < length ? rest : length, depth + 1, span);
    return why ? "a piece of the key is not to be had" : NULL;
}

static const char *refusal(const struct sim_qp *qp, const struct sim_mkey *m, const struct sim_wr *wr)
{
    const struct sim_update *u = &wr->update;

    if (!m || !m->pieces || m->pd != qp->pd)
        return "no key of this protection domain that is made of pieces has this index";
    if (!m->changeable)
        return "the key was made so that work requests can't change it";
    if (u->if_free && m->bound)
        return "the key has memory already";
    if (u->if_bound && !m->bound)
        return "the key has no memory";
    if (u->to_free && m->key != u->key)
        return "the key has another last byte";
    if (u->has_pieces && u->n > m->pieces->room)
        return "the key was made for fewer pieces";
    if ((u->has_signature || u->has_heard) && !m->signature)
        return "the key was made without room for signatures";
    if (u->has_heard && u->heard == m->signature->heard)
        return "the count of signature errors is the one that it was";
    return NULL;
}

bool sim_update_key(struct sim_qp *qp, const struct sim_wr *wr, const char **why)
{
    struct sim_device *dev = qp->obj.ctx->dev;
    const struct sim_update *u = &wr->update;
    struct sim_mkey *m = u->key >> 8 < dev->n_mkeys ? dev->mkey[u->key >> 8] : NULL; /* whatever its last byte */

    *why = refusal(qp, m, wr);
    if (*why)
        return false;
    if (u->has_tag)
        m->key = (m->key & ~0xffu) | u->tag;
    if (u->has_start)
        m->iova = u->start;
    if (u->has_length)
        m->length = u->length;
    if (u->has_invalidate)
        m->remote_invalidate = u->remote_invalidate;
    m->access = (m->access & ~u->access_mask) | u->access;
    if (u->to_free || u->to_bound)
        m->bound = u->to_bound;
    if (u->has_signature) {
        bool failed = m->signature->failed;
        uint8_t heard = m->signature->heard;

        *m->signature = u->signature;
        m->signature->failed = failed;
        m->signature->heard = heard;
    }
    if (u->has_heard) {
        m->signature->heard = u->heard;
        m->signature->failed = false;
    }
    if (u->has_pieces) {
        struct sim_pieces *l = m->pieces;

        l->n = u->n;
        l->rounds = u->rounds;
        l->round = 0;
        memcpy(l->piece, wr->piece, u->n * sizeof *l->piece);
        for (unsigned i = 0; i < u->n; i++)
            l->round += l->piece[i].length;
    }
    return true;
}
