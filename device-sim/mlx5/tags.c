/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared receive queues that match tags. A list of tags, each with memory, comes by descriptors of a command queue
 * pair. A message whose tag is in the list goes to that memory and takes no receive; one that only announces what
 * there is to read is followed by a read of the device's own, and by a message that tells the peer of its end. What
 * matches nothing takes a receive and is counted; tags that are appended before the process has told the same count
 * wait until it does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mlx5.h"
#include "wqe.h"

/* -- the list ---------------------------------------------------------------------------------- */

struct tag {
    bool there, waits;
    uint64_t tag, mask;
    struct sim_sge memory;
};

struct mlx5_tags {
    unsigned max, n;
    uint16_t order[MLX5_MAX_TAGS + 1]; /* as they were appended */
    struct tag at[MLX5_MAX_TAGS + 1]; /* by their index */
    uint16_t next; /* index of the one that is appended next */
    uint16_t counted, told; /* unexpected messages, by the device and by the process */
};

int mlx5_tags_make(struct sim_srq *srq)
{
    struct mlx5_srq *h = srq->hw;

    if (srq->obj.ctx->dev->link_layer != IBV_LINK_LAYER_INFINIBAND)
        return EOPNOTSUPP;
    if (!srq->max_tags || srq->max_tags > MLX5_MAX_TAGS)
        return EINVAL;
    h->tags = calloc(1, sizeof *h->tags);
    if (!h->tags)
        return ENOMEM;
    h->tags->max = srq->max_tags;
    return 0;
}

void mlx5_tags_free(struct sim_srq *srq)
{
    free(((struct mlx5_srq *)srq->hw)->tags);
}

void mlx5_tag_caps(const struct sim_device *dev, struct ib_uverbs_tm_caps *caps)
{
    if (dev->link_layer != IBV_LINK_LAYER_INFINIBAND)
        return;
    caps->max_rndv_hdr_size = MLX5_MAX_RENDEZVOUS;
    caps->max_num_tags = MLX5_MAX_TAGS;
    caps->flags = IBV_TM_CAP_RC;
    caps->max_ops = 0x4000;
    caps->max_sge = 1;
}

static void take_out(struct mlx5_tags *t, unsigned place)
{
    t->at[t->order[place]].there = false;
    t->n--;
    memmove(&t->order[place], &t->order[place + 1], (t->n - place) * sizeof *t->order);
}

/*
 * The place in the list of the tag with an index, or of the first that matches; the number of tags where there is
 * none.
 */
static unsigned place_of(const struct mlx5_tags *t, uint16_t index)
{
    unsigned i = 0;

    while (i < t->n && t->order[i] != index)
        i++;
    return i;
}

static unsigned first_match(const struct mlx5_tags *t, uint64_t tag)
{
    unsigned i = 0;

    while (i < t->n && (t->at[t->order[i]].waits || (t->at[t->order[i]].tag ^ tag) & t->at[t->order[i]].mask))
        i++;
    return i;
}

/* -- operations -------------------------------------------------------------------------------- */

enum { NOP, APPEND, REMOVE };
#define WANTS_ENTRY 0x80
#define TELLS_COUNT 0x40

static void tell(struct mlx5_tags *t, uint16_t count)
{
    t->told = count;
    for (unsigned i = 0; count == t->counted && i < t->n; i++)
        t->at[t->order[i]].waits = false;
}

static bool append(struct wqe *w, struct mlx5_tags *t, const uint8_t *b)
{
    size_t at = w->at;
    const uint8_t *d = wqe_part(w, 16, "data");
    uint16_t index = t->next, next = be16(b + 2);
    struct sim_sge memory;

    if (!d)
        return false;
    if (next > t->max || next == index || t->at[next].there)
        return wqe_bad(w, 18, 2, "the index %u for the next tag is in use, or not of this list of %u", next, t->max);
    if (t->n == t->max)
        return wqe_bad(w, 16, 1, "a tag more than the %u that the list has room for", t->max);
    memory = (struct sim_sge){.addr = be64(d + 8), .length = be32(d), .lkey = be32(d + 4)};
    if (memory.length & MLX5_INLINE_SEG)
        return wqe_bad(w, at, 4, "a data segment of 0x%08x bytes", memory.length);
    if (!memory.length && memory.lkey != MLX5_INVALID_LKEY)
        return wqe_bad(w, at + 4, 4, "memory of 0 bytes has the key 0x%08x, not that of none", memory.lkey);
    if (memory.length)
        wqe_check_key(w, at, &memory, true);
    if (w->wr->refused)
        return true;
    t->at[index] = (struct tag){.there = true, .waits = t->told != t->counted, .tag = be64(b + 16),
        .mask = be64(b + 24),
        .memory = memory};
    t->order[t->n++] = index;
    t->next = next;
    return true;
}

bool wqe_tags(struct wqe *w)
{
    static const uint8_t done[] = {MLX5_TAG_SYNCED, MLX5_TAG_APPENDED, MLX5_TAG_REMOVED};
    struct sim_srq *srq = w->qp->srq;
    struct mlx5_tags *t = srq ? ((struct mlx5_srq *)srq->hw)->tags : NULL;
    const uint8_t *b = wqe_part(w, 32, "tag matching");
    unsigned op, place;
    bool success = true;

    if (!b)
        return false;
    op = b[0] >> 4;
    if (!t)
        return wqe_bad(w, 3, 1,
            "an operation on tags, but the queue pair has no shared receive queue that matches them");
    if (b[0] & 15 || op > REMOVE)
        return wqe_bad(w, 16, 1, "the operation 0x%02x on tags is not known", b[0]);
    if (b[1] & ~(WANTS_ENTRY | TELLS_COUNT))
        return wqe_bad(w, 17, 1, "reserved flags of an operation on tags are set: 0x%02x", b[1]);
    if (w->length != w->at + (op == APPEND ? 16 : 0))
        return wqe_bad(w, 7, 1, "ds is %zu, an operation on tags has %u", w->length / 16, op == APPEND ? 4 : 3);
    if (op == REMOVE && be16(b + 2) > t->max)
        return wqe_bad(w, 18, 2, "the index %u is not of this list of %u", be16(b + 2), t->max);
    if (w->qp->state == IBV_QPS_ERR)
        return true; /* it is only flushed */
    if (b[1] & TELLS_COUNT)
        tell(t, be16(b + 6));
    if (op == APPEND && (!append(w, t, b) || w->wr->refused))
        return false;
    if (op == REMOVE) {
        place = place_of(t, be16(b + 2));
        success = place < t->n; /* else it was matched meanwhile */
        if (success)
            take_out(t, place);
    }
    if (b[1] & WANTS_ENTRY)
        mlx5_complete_tags(&(struct mlx5_tag_done){.qp = w->qp, .srq = srq, .how = done[op], .success = success,
            .count = t->counted});
    return true;
}

/* -- messages ---------------------------------------------------------------------------------- */

enum { SENT_RENDEZVOUS = 1, SENT_END = 2, SENT_EAGER = 3 };
#define HEADER 16

void mlx5_tag_unexpected(struct sim_srq *srq)
{
    ((struct mlx5_srq *)srq->hw)->tags->counted++;
}

/* What is read, into which memory, and what is told of it. */
struct mlx5_rendezvous {
    struct mlx5_rendezvous *next;
    enum { TO_READ, TO_END, ENDS } stage;
    bool begun; /* the message was received */
    struct sim_srq *srq;
    struct sim_sge memory;
    uint64_t from;
    uint32_t key;
    uint16_t index;
    uint8_t header[HEADER];
};

static struct mlx5_rendezvous **last(struct mlx5_qp *h)
{
    struct mlx5_rendezvous **r = &h->rendezvous;

    while (*r)
        r = &(*r)->next;
    return r;
}

static bool announce(struct sim_qp *qp, struct sim_srq *srq, const struct sim_packet *p, const struct sim_sge *memory)
{
    struct mlx5_rendezvous *r = calloc(1, sizeof *r);

    if (!r)
        return false;
    *r = (struct mlx5_rendezvous){.srq = srq, .memory = *memory, .from = be64(p->data + 16), .key = be32(p->data + 24),
        .index = qp->tagged.index};
    memcpy(r->header, p->data, HEADER);
    *last(qp->hw) = r;
    qp->tagged.length = be32(p->data + 28);
    qp->tagged.skip = p->total; /* nothing of it is data */
    r->memory.length = qp->tagged.length;
    return true;
}

bool mlx5_match(struct sim_qp *qp, struct sim_srq *srq, const struct sim_packet *p)
{
    struct mlx5_tags *t = ((struct mlx5_srq *)srq->hw)->tags;
    bool rendezvous = p->length >= 2 * HEADER && p->total <= MLX5_MAX_RENDEZVOUS && p->data[0] == SENT_RENDEZVOUS;
    struct sim_tagged *told = &qp->tagged;
    const struct tag *found;
    unsigned place;

    told->how = MLX5_TAG_NO_TAG;
    if (p->length < HEADER || (p->data[0] != SENT_EAGER && !rendezvous))
        return false;
    told->how = MLX5_TAG_UNEXPECTED;
    place = first_match(t, be64(p->data + 8));
    if (place == t->n)
        return false;
    told->index = t->order[place];
    found = &t->at[told->index];
    told->length = (uint32_t)p->total - HEADER;
    told->skip = HEADER;
    if (rendezvous && !announce(qp, srq, p, &found->memory))
        return false;
    told->how = rendezvous ? MLX5_TAG_CONSUMED : MLX5_TAG_CONSUMED_MESSAGE;
    told->matched = true;
    memcpy(told->header, p->data, HEADER);
    qp->recv.n_sge = found->memory.length ? 1 : 0;
    qp->recv.length = found->memory.length;
    qp->recv.sge[0] = found->memory;
    take_out(t, place);
    return true;
}

/* -- a rendezvous ------------------------------------------------------------------------------ */

void mlx5_rendezvous_begin(struct sim_qp *qp)
{
    struct mlx5_rendezvous *r = ((struct mlx5_qp *)qp->hw)->rendezvous;

    while (r->next)
        r = r->next;
    r->begun = true;
    sim_wake(qp);
}

bool mlx5_rendezvous_waits(const struct mlx5_qp *h)
{
    return h->rendezvous && h->rendezvous->begun && h->rendezvous->stage != ENDS;
}

/* The device's own requests: nobody posted them. */
bool mlx5_rendezvous_next(struct sim_qp *qp, struct sim_wr *wr)
{
    struct mlx5_qp *h = qp->hw;
    struct mlx5_rendezvous *r = h->rendezvous;

    if (!mlx5_rendezvous_waits(h))
        return false;
    memset(wr, 0, sizeof *wr);
    wr->vendor_op = MLX5_RENDEZVOUS;
    if (r->stage == TO_READ && r->memory.length) {
        r->stage = TO_END;
        wr->op = SIM_READ;
        wr->raddr = r->from;
        wr->rkey = r->key;
        wr->sge[0] = r->memory;
        wr->n_sge = 1;
        wr->length = r->memory.length;
        return true;
    }
    r->stage = ENDS;
    wr->op = SIM_SEND;
    wr->signaled = true;
    memcpy(wr->data, r->header, HEADER);
    wr->data[0] = SENT_END;
    wr->length = wr->inline_length = HEADER;
    return true;
}

void mlx5_rendezvous_done(const struct sim_completion *c)
{
    struct mlx5_qp *h = c->qp->hw;
    struct mlx5_rendezvous *r = h->rendezvous;
    struct sim_tagged told = {.how = c->status == IBV_WC_SUCCESS ? MLX5_TAG_EXPECTED : MLX5_TAG_CANCELED,
        .matched = true,
        .index = r->index};
    struct sim_completion mine = {.qp = c->qp, .srq = r->srq, .responder = true, .status = IBV_WC_SUCCESS,
        .op = SIM_SEND,
        .length = r->memory.length, .src_qp = c->qp->attr.dest_qp_num, .tagged = &told};

    h->rendezvous = r->next;
    free(r);
    mlx5_complete(mine.srq->cq, &mine);
}

void mlx5_rendezvous_drop(struct sim_qp *qp)
{
    struct mlx5_qp *h = qp->hw;

    while (h->rendezvous) {
        struct mlx5_rendezvous *r = h->rendezvous;

        h->rendezvous = r->next;
        free(r);
    }
}
