/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's table of a Gaudi; who may open it, and what it says of itself. */
#include <errno.h>
#include <string.h>

#include "hbl.h"

struct sim_context *hbl_context(const struct sim_device *dev)
{
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_contexts[i] && sim_contexts[i]->ready && sim_contexts[i]->dev == dev)
            return sim_contexts[i];
    return NULL;
}

int hbl_usable_port(struct sim_context *ctx, uint32_t number, int *port)
{
    const struct hbl_ctx *h = hbl_of(ctx);

    if (number < 1 || number > (unsigned)ctx->dev->n_ports || !(h->ports >> number & 1))
        return EINVAL;
    *port = (int)number - 1;
    return h->port[*port].set ? 0 : EPERM;
}

/* A program that does not set up its ports gets them with small rings in its own memory. */
static int prepare_all(struct sim_context *ctx)
{
    static const struct hbl_set_port usual = {.array = {{.queues = 128, .elements = 256, .memory = HBL_MEM_HOST}}};
    int error = 0;

    for (int p = 0; p < ctx->dev->n_ports && !error; p++)
        if (hbl_of(ctx)->ports >> (p + 1) & 1)
            error = hbl_prepare_port(&hbl_of(ctx)->port[p], &usual);
    return error;
}

static int get_context(struct sim_cmd *cmd)
{
    struct sim_device *dev = cmd->ctx->dev;
    uint64_t all = (2ull << dev->n_ports) - 2;
    struct hbl_ctx *h = hbl_of(cmd->ctx);
    struct hbl_opened r = {.caps = HBL_MAPS_REGISTERS | HBL_CONGESTION};
    struct hbl_open in;

    sim_in_driver(cmd, &in, sizeof in);
    if (in.ports & ~all || in.reserved[0] || in.reserved[1] || in.reserved[2])
        return EINVAL;
    if (hbl_context(dev))
        return EBUSY;
    h->accel = hbl_accel_use(in.core_fd);
    if (!h->accel)
        return EBADF;
    if (((struct sim_node *)h->accel)->dev != dev) {
        hbl_accel_unuse(h->accel);
        return EBADF;
    }
    if (!sim_device_take(dev)) {
        hbl_accel_unuse(h->accel);
        return EBUSY;
    }
    for (int p = 0; p < SIM_MAX_PORTS; p++)
        memset(h->port[p].page, 0xff, sizeof h->port[p].page);
    h->ports = r.ports = in.ports ? in.ports : all;
    if (!in.own_ports)
        prepare_all(cmd->ctx);
    if (!sim_areas_open(cmd->ctx)) {
        sim_device_give_back(dev);
        hbl_accel_unuse(h->accel);
        return ENOMEM;
    }
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void free_context(struct sim_context *ctx)
{
    sim_areas_close(ctx);
    sim_device_give_back(ctx->dev);
    hbl_accel_unuse(hbl_of(ctx)->accel);
}

static int query_device(struct sim_cmd *cmd)
{
    (void)cmd;
    return 0;
}

static void fill_device(struct ib_uverbs_query_device_resp *r)
{
    r->device_cap_flags = IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT | IB_UVERBS_DEVICE_SYS_IMAGE_GUID;
    r->atomic_cap = IBV_ATOMIC_NONE;
    r->max_mw = r->max_srq = r->max_srq_wr = r->max_srq_sge = r->max_ah = 0;
    r->max_mcast_grp = r->max_mcast_qp_attach = r->max_total_mcast_qp_attach = 0;
    r->max_pd = r->max_mr = r->max_cq = r->max_pkeys = 1;
    r->max_qp = HBL_QPS - 1;
    r->max_sge = r->max_sge_rd = 2;
    r->max_cqe = HBL_MAX_CQE;
}

static int alloc_pd(struct sim_cmd *cmd, struct sim_pd *pd)
{
    struct hbl_pd r = {.pdn = pd->pdn};

    for (uint32_t i = 0; i < cmd->ctx->n_objs; i++)
        if (cmd->ctx->obj[i] && cmd->ctx->obj[i]->type == SIM_PD && cmd->ctx->obj[i] != &pd->obj)
            return ESRCH;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* -- what it has not --------------------------------------------------------------------------- */

static int create_ah(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr)
{
    (void)ah;
    (void)attr;
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "address handles");
}

static int resize_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    (void)cq;
    (void)cqe;
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "resizing");
}

static int create_srq(struct sim_cmd *cmd, struct sim_srq *srq)
{
    (void)srq;
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "shared receive queues");
}

static int next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv)
{
    (void)qp;
    (void)srq;
    (void)recv;
    return 0; /* receives belong to rendezvous, which is not simulated */
}

static unsigned srq_posted(struct sim_srq *srq)
{
    (void)srq;
    return 0;
}

static unsigned completion_room(struct sim_qp *qp, bool responder)
{
    (void)qp;
    (void)responder;
    return 0;
}

static void set_clock(struct sim_context *ctx, uint64_t ticks)
{
    (void)ctx;
    (void)ticks;
}

/* Each store is seen when it is made. */
static void look_at_doorbells(struct sim_context *ctx)
{
    (void)ctx;
}

const struct sim_vendor sim_hbl = {
#include "identity.h"
    .qp_hw_size = sizeof(struct hbl_qp),
    .cq_hw_size = sizeof(struct hbl_cq),
    .srq_hw_size = 1,
    .ctx_hw_size = sizeof(struct hbl_ctx),
    .get_context = get_context,
    .free_context = free_context,
    .step = hbl_step,
    .query_device = query_device,
    .fill_device = fill_device,
    .refuses = hbl_refuses,
    .alloc_pd = alloc_pd,
    .create_ah = create_ah,
    .create_cq = hbl_create_cq,
    .free_cq = hbl_free_cq,
    .resize_cq = resize_cq,
    .create_srq = create_srq,
    .create_qp = hbl_create_qp,
    .modify_qp = hbl_modify_qp,
    .reset_qp = hbl_reset_qp,
    .free_qp = hbl_free_qp,
    .method = hbl_method,
    .map = sim_map_area,
    .watch = sim_watch_area,
    .store = hbl_store,
    .span = hbl_span,
    .route = hbl_route,
    .arrives = hbl_arrives,
    .admit = hbl_admit,
    .rejected = hbl_rejected,
    .open_node = hbl_open_node,
    .node_ioctl = hbl_node_ioctl,
    .close_node = hbl_close_node,
    .look_at_doorbells = look_at_doorbells,
    .has_send = hbl_has_send,
    .next_send = hbl_next_send,
    .next_recv = next_recv,
    .srq_posted = srq_posted,
    .completion_room = completion_room,
    .complete = hbl_complete,
    .check_idle = hbl_check_idle,
    .set_clock = set_clock,
};
