/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The registers: each store is carried out when it is made, so doorbells queue up in their FIFO and none is lost. */
#include "hbl.h"

/* Whether the eight bytes are complete now. */
static bool gather(struct hbl_pair *pair, size_t at, uint64_t value, size_t size, uint64_t *all)
{
    if (size == 8 && !at) {
        pair->half = false;
        *all = value;
        return true;
    }
    if (!at) {
        pair->half = true;
        pair->low = (uint32_t)value;
        return false;
    }
    pair->half = false;
    *all = value << 32 | pair->low;
    return true;
}

static bool judge(const struct sim_context *ctx, const struct hbl_pair *pair, int port, size_t at, size_t offset, size_t size)
{
    if (offset > 4 || offset % 4 || (size != 4 && size != 8) || (size == 8 && offset) ||
        (size == 4 && pair->half != (offset == 4))) {
        sim_violation(NULL, 0, 0, 0, "%s port %d: a store of %zu bytes at 0x%zx of the registers, wanted 8, or 4 and then 4",
            ctx->dev->name, port + 1, size, at);
        return false;
    }
    return true;
}

static void ring(struct sim_context *ctx, int port, unsigned id, uint64_t entry)
{
    struct hbl_fifo *f = &hbl_of(ctx)->port[port].fifo[id];

    sim_count(DEVICE_SIM_COUNT_DOORBELLS);
    if (f->pushed - f->taken == HBL_FIFO_ENTRIES) {
        sim_violation(NULL, 0, 0, 0, "%s port %d FIFO %u: a doorbell while all %u entries are occupied", ctx->dev->name,
            port + 1, id, HBL_FIFO_ENTRIES);
        sim_async(ctx, IBV_EVENT_DEVICE_FATAL, (uint64_t)(port + ctx->dev->vendor->first_port) | (uint64_t)id << 16);
        return;
    }
    f->entry[f->pushed++ % HBL_FIFO_ENTRIES] = entry;
}

static void store_at(struct sim_context *ctx, int port, unsigned page, size_t at, uint64_t value, size_t size)
{
    struct hbl_port *p = &hbl_of(ctx)->port[port];
    bool second = at & 0x80, to_cq = at & 0x100;
    unsigned id = 2 * page + (to_cq ? HBL_FIRST_CQ : HBL_FIRST_FIFO) + second;
    size_t offset = at & 0x7f;
    uint64_t all;

    if (at >= 0x200 || offset > 7) {
        sim_violation(NULL, 0, 0, 0, "%s port %d: a store at 0x%zx of the registers, where there is none", ctx->dev->name,
            port + 1, at);
    } else if (to_cq && id <= HBL_LAST_CQ && p->cq[id]) {
        struct hbl_ring *of = &((struct hbl_cq *)p->cq[id]->hw)->of[port];

        if (judge(ctx, &of->pair, port, at, offset, size) && gather(&of->pair, offset, value, size, &all))
            hbl_cq_consumed(p->cq[id], port, (uint32_t)all, (uint32_t)(all >> 32));
    } else if (!to_cq && id <= HBL_LAST_FIFO && p->fifo[id].used) {
        struct hbl_fifo *f = &p->fifo[id];

        if (judge(ctx, &f->pair, port, at, offset, size) && gather(&f->pair, offset, value, size, &all))
            ring(ctx, port, id, all);
    } else {
        sim_violation(NULL, 0, 0, 0, "%s port %d: a store at 0x%zx of the registers, but %s %u is not there", ctx->dev->name,
            port + 1, at, to_cq ? "CQ" : "FIFO", id);
    }
}

void hbl_store(struct sim_context *ctx, off_t area, size_t at, uint64_t value, size_t size)
{
    for (int port = 0; port < ctx->dev->n_ports; port++)
        for (unsigned page = 0; page < HBL_PAGES; page++) {
            int i = hbl_of(ctx)->port[port].page[page];

            if (i >= 0 && (off_t)sim_area_key(ctx, (unsigned)i) == area) {
                store_at(ctx, port, page, at, value, size);
                return;
            }
        }
}

/* -- the device takes entries ------------------------------------------------------------------ */

static void announce(struct sim_context *ctx, int port, uint64_t entry)
{
    uint32_t number = entry >> 32 & 0xffffff, pi = (uint32_t)entry, there = (uint32_t)(entry >> 56);
    struct sim_qp *qp = number < HBL_QPS ? hbl_of(ctx)->port[port].qp[number] : NULL;
    struct hbl_qp *h;
    uint32_t n;

    if (there != (unsigned)port + 1 || !qp || !((struct hbl_qp *)qp->hw)->size) {
        sim_violation(NULL, 0, 0, 0, "%s port %d: a doorbell for QP %u of port %u, which is not there or has no ring",
            ctx->dev->name, port + 1, number, there);
        return;
    }
    h = qp->hw;
    if (qp->state != IBV_QPS_RTS)
        return; /* it broke meanwhile */
    n = (pi - h->rung) & (h->size - 1);
    if (!n || h->rung + n - h->taken >= h->size) {
        sim_violation(NULL, 0, 0, 0, "%s QP %u: the doorbell went from %u to %u, the ring has %u and %u are under way",
            ctx->dev->name, number, h->rung & (h->size - 1), pi, h->size, h->rung - h->taken);
        return;
    }
    h->rung += n;
}

/* The word in memory is one behind, as on a Gaudi2. */
static void show(struct sim_context *ctx, const struct hbl_fifo *f)
{
    uint32_t *ci = (uint32_t *)sim_area(ctx, f->ci);

    __atomic_store_n(ci, (f->taken - 1) % HBL_FIFO_ENTRIES, __ATOMIC_RELEASE);
}

bool hbl_step(struct sim_device *dev)
{
    struct sim_context *ctx = hbl_context(dev);

    for (int port = 0; ctx && port < dev->n_ports; port++)
        for (unsigned id = HBL_FIRST_FIFO; id <= HBL_LAST_FIFO; id++) {
            struct hbl_fifo *f = &hbl_of(ctx)->port[port].fifo[id];

            if (!f->used || f->pushed == f->taken)
                continue;
            if (f->type == 0 && f->entry[f->taken % HBL_FIFO_ENTRIES])
                announce(ctx, port, f->entry[f->taken % HBL_FIFO_ENTRIES]);
            f->taken++;
            show(ctx, f);
            return true;
        }
    return false;
}

/* The queue pair is gone: what was rung for it is nobody's. */
void hbl_forget_doorbells(struct hbl_port *p, uint32_t number)
{
    for (unsigned id = HBL_FIRST_FIFO; id <= HBL_LAST_FIFO; id++)
        for (unsigned i = p->fifo[id].taken; p->fifo[id].used && i != p->fifo[id].pushed; i++)
            if ((p->fifo[id].entry[i % HBL_FIFO_ENTRIES] >> 32 & 0xffffff) == number)
                p->fifo[id].entry[i % HBL_FIFO_ENTRIES] = 0;
}
