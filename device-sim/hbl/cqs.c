/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Completion queues, which are a port's, and completions. What goes wrong is told by events. */
#include <errno.h>
#include <string.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "hbl.h"

static int create_at(struct sim_context *ctx, struct sim_cq *cq, int port, struct hbl_made_cq *r)
{
    struct hbl_port *p = &hbl_of(ctx)->port[port];
    struct hbl_cq *h = cq->hw;
    struct hbl_ring *of = &h->of[port];
    uint32_t id = HBL_FIRST_CQ;
    int ring, pi, page;

    while (id <= HBL_LAST_CQ && p->cq[id])
        id++;
    if (id > HBL_LAST_CQ)
        return ENOSPC;
    ring = sim_lend(ctx, (size_t)h->n * HBL_CQE, true, SIM_WATCH_NOTHING);
    pi = sim_lend(ctx, SIM_PAGE, true, SIM_WATCH_NOTHING); /* libhbl asks for it as if it wrote there */
    page = hbl_register_page(ctx, port, (id - HBL_FIRST_CQ) / 2);
    if (ring < 0 || pi < 0 || page < 0)
        return ENOMEM;
    of->ring = (unsigned)ring;
    of->pi = (unsigned)pi;
    of->number = id;
    p->cq[id] = cq;
    r->ring = sim_area_key(ctx, of->ring);
    r->pi = sim_area_key(ctx, of->pi);
    r->registers = sim_area_key(ctx, (unsigned)page);
    r->offset = id & 1 ? HBL_AT_CQ_2 : HBL_AT_CQ;
    r->number = id;
    r->size = (uint32_t)ctx->areas.area[of->ring].size;
    return 0;
}

int hbl_create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    struct hbl_made_cq r[1 + SIM_MAX_PORTS + 1] = {0};
    struct sim_context *ctx = cmd->ctx;
    struct hbl_cq *h = cq->hw;
    struct hbl_make_cq in;
    int port, error = 0;

    if (sim_in_u64(cmd, UVERBS_ATTR_CREATE_CQ_FLAGS, 0))
        return EOPNOTSUPP;
    sim_in_driver(cmd, &in, sizeof in);
    if (in.flags & ~HBL_CQ_NATIVE || in.reserved[0] || in.reserved[1] || in.type > 1 || *cqe > HBL_MAX_CQE)
        return EINVAL;
    for (h->n = 4; h->n < *cqe; h->n *= 2)
        ;
    *cqe = h->n;
    if (in.flags & HBL_CQ_NATIVE) { /* one at each port; the answers follow, by the ports' numbers */
        for (uint32_t n = 1; n <= (unsigned)ctx->dev->n_ports && !error; n++)
            if (!hbl_usable_port(ctx, n, &port))
                error = create_at(ctx, cq, port, &r[1 + n]);
        if (!error)
            sim_out_driver(cmd, r, sizeof r);
        return error;
    }
    error = hbl_usable_port(ctx, in.port, &port);
    if (error)
        return error;
    if (in.type == 1 && !hbl_of(ctx)->port[port].advanced)
        return EINVAL;
    error = create_at(ctx, cq, port, &r[0]);
    if (in.type == 1)
        r[0].registers = 0; /* congestion control has none */
    if (!error)
        sim_out_driver(cmd, r, sizeof r[0]);
    return error;
}

void hbl_free_cq(struct sim_cq *cq)
{
    struct sim_context *ctx = cq->obj.ctx;
    struct hbl_cq *h = cq->hw;

    for (int p = 0; p < SIM_MAX_PORTS; p++)
        if (h->of[p].number) {
            hbl_of(ctx)->port[p].cq[h->of[p].number] = NULL;
            sim_take_back_area(ctx, h->of[p].ring);
            sim_take_back_area(ctx, h->of[p].pi);
        }
}

/* The process tells how far it has taken completions. */
void hbl_cq_consumed(struct sim_cq *cq, int port, uint32_t number, uint32_t index)
{
    struct hbl_ring *of = &((struct hbl_cq *)cq->hw)->of[port];
    const char *name = cq->obj.ctx->dev->name;

    if (number != of->number)
        sim_violation(NULL, 0, 0, 0, "%s port %d CQ %u: its register was told of CQ %u", name, port + 1, of->number, number);
    else if ((uint32_t)of->written - index > (uint32_t)of->written - of->taken)
        sim_violation(NULL, 0, 0, 0, "%s port %d CQ %u: %u were consumed after %u, of %llu that were written", name, port + 1,
            of->number, index, of->taken, (unsigned long long)of->written);
    else
        of->taken = index;
}

static void put(struct sim_cq *cq, const struct sim_completion *c)
{
    const struct hbl_qp *qp = c->qp->hw;
    struct hbl_cq *h = cq->hw;
    struct hbl_ring *of = &h->of[qp->port];
    uint32_t *entry;

    if (cq->overrun)
        return;
    if ((uint32_t)of->written - of->taken >= h->n) {
        cq->overrun = true;
        sim_key_error(NULL, 0, 0, 0, "%s port %d CQ %u: no room for a completion, %u of %u are not consumed",
            cq->obj.ctx->dev->name, qp->port + 1, of->number, (uint32_t)of->written - of->taken, h->n);
        sim_async_cq(cq, IBV_EVENT_CQ_ERR);
        return;
    }
    entry = (uint32_t *)(sim_area(cq->obj.ctx, of->ring) + (of->written & (h->n - 1)) * HBL_CQE);
    entry[1] = c->index;
    entry[2] = (uint32_t)c->more_index;
    entry[3] = c->length;
    __atomic_store_n(&entry[0], 1u << 31 | 1u << 24 | qp->number, __ATOMIC_RELEASE);
    of->written++;
    __atomic_store_n((uint64_t *)sim_area(cq->obj.ctx, of->pi), of->written, __ATOMIC_RELEASE);
}

static uint8_t syndrome(const struct sim_completion *c)
{
    if (c->vendor_err)
        return c->vendor_err;
    switch (c->status) {
    case IBV_WC_RETRY_EXC_ERR: return HBL_RETRY;
    case IBV_WC_REM_ACCESS_ERR: return HBL_REMOTE_ACCESS;
    case IBV_WC_REM_INV_REQ_ERR: return HBL_REMOTE_REQUEST;
    case IBV_WC_LOC_PROT_ERR: return HBL_TX_ADDRESS;
    case IBV_WC_LOC_QP_OP_ERR: return HBL_TX_OPCODE;
    }
    return HBL_REMOTE_OPERATION;
}

void hbl_complete(struct sim_cq *cq, const struct sim_completion *c)
{
    if (c->status == IBV_WC_SUCCESS)
        put(cq, c);
    else if (c->status != IBV_WC_WR_FLUSH_ERR)
        hbl_break(c->qp, syndrome(c), IBV_EVENT_QP_REQ_ERR);
}
