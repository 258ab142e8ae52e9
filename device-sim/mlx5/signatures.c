/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of data: how a descriptor says which a key has (BSF), the values that they begin with (PSV), and the
 * entry that tells of a wrong one. A queue pair may stop in front of the next request then.
 */
#include <string.h>

#include "devx.h"
#include "wqe.h"

#define BSF 64
#define INLINE 2 /* the kind of BSF that libmlx5 writes: with both inline sections */
#define SAME 0x10 /* memory and wire have blocks of the same kind */
#define ZEROS 1 /* of a format: begins with zeros */
#define REPEATS 2

/* -- what a key has ---------------------------------------------------------------------------- */

static uint32_t block_size(uint8_t selector)
{
    static const uint16_t sizes[] = {0, 512, 520, 4096, 4160, 0, 4048};

    return selector < sizeof sizes / sizeof *sizes ? sizes[selector] : 0;
}

static const struct devx_object *find_psv(const struct wqe *w, uint32_t index)
{
    return devx_find(w->qp->obj.ctx, OP_CREATE_PSV, index);
}

/* The section of a domain that has no signature of its own there. */
static bool empty(struct wqe *w, size_t at)
{
    for (size_t i = at; i < at + 16; i++)
        if (w->bytes[i])
            return wqe_bad(w, i, 1, "an inline section of a domain that is not T10-DIF");
    return true;
}

static bool dif(struct wqe *w, size_t at, struct sim_domain *d)
{
    const uint8_t *b = w->bytes + at;

    if (be16(b) != 0xc000)
        return wqe_bad(w, at, 2, "an inline section with the flags 0x%04x, must be valid and refreshed (0xc000)",
            be16(b));
    if (b[8] != 1 && b[8] != 2)
        return wqe_bad(w, at + 8, 1, "the kind of guard is %u", b[8]);
    if ((b[9] & ~8) != 0x80)
        return wqe_bad(w, at + 9, 1, "repetition and seed are 0x%02x, must repeat", b[9]);
    if (b[10] || b[11] || b[12])
        return wqe_bad(w, at + 10, 3, "reserved bytes of an inline section are set");
    if (b[13] & ~0x43 || (b[13] & 3) == 3)
        return wqe_bad(w, at + 13, 1, "increment and escape are 0x%02x", b[13]);
    if (be16(b + 14) != 0xffff)
        return wqe_bad(w, at + 14, 2, "the mask of the application tag is 0x%04x, only all of it is simulated",
            be16(b + 14));
    d->kind = b[8] == 1 ? SIM_SIGNED_DIF_CRC : SIM_SIGNED_DIF_CHECKSUM;
    d->application = be16(b + 2);
    d->reference = be32(b + 4);
    d->ones = b[9] & 8;
    d->counts = b[13] & 0x40;
    d->escape = b[13] & 2 ? SIM_ESCAPE_BOTH : b[13] & 1 ? SIM_ESCAPE_APPLICATION : SIM_ESCAPE_NOT;
    return true;
}

/* One domain: format and number at `at`, its inline section, and the size of its blocks. */
static bool domain(struct wqe *w, size_t at, size_t section, uint8_t selector, struct sim_domain *d)
{
    uint32_t word = be32(w->bytes + at);
    uint8_t format = (uint8_t)(word >> 24);

    memset(d, 0, sizeof *d);
    if (!word)
        return empty(w, section);
    if (!find_psv(w, word & 0xffffff))
        return wqe_bad(w, at + 1, 3, "there is no PSV 0x%06x", word & 0xffffff);
    d->block = block_size(selector);
    if (!d->block)
        return wqe_bad(w, at, 4, "the selector of the block's size is %u", selector);
    if (!format)
        return dif(w, section, d);
    if ((format & ~ZEROS) != (0x20 | REPEATS) && (format & ~ZEROS) != (0x40 | REPEATS))
        return wqe_bad(w, at, 1, "the block format 0x%02x is not known", format);
    d->kind = format & 0x20 ? SIM_SIGNED_CRC32 : SIM_SIGNED_CRC32C;
    d->ones = !(format & ZEROS);
    return empty(w, section);
}

bool wqe_bsf(struct wqe *w)
{
    struct sim_signature *s = &w->wr->update.signature;
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, BSF, "BSF");

    if (!b)
        return false;
    if ((b[0] & ~SAME) != INLINE << 6)
        return wqe_bad(w, at, 1, "a BSF of the kind 0x%02x, only that with inline sections is simulated", b[0]);
    if (be32(b + 4) != UINT32_MAX)
        return wqe_bad(w, at + 4, 4, "the size of raw data is 0x%08x, not without bounds", be32(b + 4));
    if (be64(b + 16) || be64(b + 24))
        return wqe_bad(w, at + 16, 16, "the extended section of the BSF is set");
    s->same = b[0] & SAME;
    s->check = b[1];
    s->copied = s->same ? b[2] : 0;
    if (!domain(w, at + 12, at + 48, b[3], &s->memory) || !domain(w, at + 8, at + 32, s->same ? b[3] : b[2], &s->wire))
        return false;
    if (s->memory.kind == SIM_SIGNED_NOT && s->wire.kind == SIM_SIGNED_NOT)
        return wqe_bad(w, at + 8, 8, "a BSF without a signature in either domain");
    if (s->memory.kind != SIM_SIGNED_NOT && s->wire.kind != SIM_SIGNED_NOT && s->memory.block != s->wire.block)
        return wqe_bad(w, at + 2, 2, "blocks of %u bytes in memory and %u on the wire are not simulated",
            s->memory.block,
            s->wire.block);
    if (s->same && s->memory.kind != s->wire.kind)
        return wqe_bad(w, at, 1, "the domains are not of the same kind, as it says");
    s->on = true;
    return true;
}

/* -- values that signatures begin with --------------------------------------------------------- */

int devx_create_psv(struct devx_call *c)
{
    struct devx_object *domain, *o;
    struct sim_pd *pd = devx_find_pd(c, (uint32_t)devx_get(c->in, 0x48, 24), &domain);

    if (!pd)
        return devx_refuse(c, DEVX_BAD_RES, 0x48, 24, "there is no protection domain 0x%x",
            (unsigned)devx_get(c->in, 0x48, 24));
    o = devx_make(c, 0, 0);
    if (!o)
        return ENOMEM;
    o->uses[0] = domain;
    o->pd = pd;
    pd->obj.users++;
    devx_set(c->out, 0x88, 24, o->id);
    return 0;
}

/* What a signature begins with the BSF has as well, for each block; so what is set is judged, and kept for nothing. */
bool wqe_set_psv(struct wqe *w)
{
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, 16, "PSV");
    const struct devx_object *o;

    if (!b)
        return false;
    if (w->length != w->at)
        return wqe_bad(w, 7, 1, "ds is %zu, a PSV is set by 2", w->length / 16);
    o = find_psv(w, be32(b));
    if (!o || o->pd != w->qp->pd)
        return wqe_bad(w, at, 4, "there is no PSV 0x%08x of this protection domain", be32(b));
    if (be32(b + 4))
        return wqe_bad(w, at + 4, 4, "syndrome and reserved bytes of the PSV are set");
    return true;
}

/* -- a wrong one ------------------------------------------------------------------------------- */

enum { REFERENCE = 1 << 11, APPLICATION = 1 << 12, GUARD = 1 << 13 };

void mlx5_signature_failed(const struct sim_access *a, const struct sim_mkey *m, const struct sim_signature_error *e)
{
    struct sim_qp *qp = sim_qp_find(a->dev, a->qpn);
    struct mlx5_signature_error told = {.key = m->key, .offset = e->offset, .memory = !e->wire};
    uint8_t is[8] = {0}, wanted[8] = {0};

    if (!qp)
        return;
    memcpy(is, e->is, e->is_crc ? 4 : 8);
    memcpy(wanted, e->wanted, e->is_crc ? 4 : 8);
    told.is = be64(is);
    told.wanted = be64(wanted);
    told.syndrome = (uint16_t)((e->is_crc ? e->differs : e->differs & 0xc0) ? GUARD : 0);
    if (!e->is_crc && e->differs & 0x30)
        told.syndrome |= APPLICATION;
    if (!e->is_crc && e->differs & 0x0f)
        told.syndrome |= REFERENCE;
    mlx5_complete_signature(a->remote || qp->receiving ? qp->rcq : qp->scq, &told);
    if (((struct mlx5_qp *)qp->hw)->drains)
        ((struct mlx5_qp *)qp->hw)->stops = true;
}
