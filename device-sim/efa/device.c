/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's part of the commands of an EFA. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "efa.h"

/* Commands that are longer in newer headers; what we do not know must be zero. */
struct create_qp {
    struct efa_ibv_create_qp known;
    uint8_t newer[16];
};

/* Capabilities that are newer than the headers this may be built with. */
#define CAPS_RDMA_WRITE (1 << 5)
#define CAPS_DATA_POLLING_128 (1 << 4)

/* -- what is lent to the process --------------------------------------------------------------- */

/* The index of a new area; the mmap key of it is its place in the file. -1 when there is no memory. */
static int lend(struct sim_context *ctx, size_t size, bool writable)
{
    struct efa_ctx *e = ctx->hw;
    struct efa_area *grown = realloc(e->area, (e->n_areas + 1) * sizeof *grown), *a;

    if (!grown)
        return -1;
    e->area = grown;
    size = (size + PAGE - 1) / PAGE * PAGE;
    a = &grown[e->n_areas];
    a->at = e->end;
    a->size = size;
    a->writable = writable;
    if (ftruncate(e->memfd, e->end + (off_t)size))
        return -1;
    a->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, e->memfd, a->at);
    if (a->map == MAP_FAILED)
        return -1;
    e->end += (off_t)size;
    return (int)e->n_areas++;
}

/* The place is not given out again: the process may have it mapped still. */
static void take_back(struct sim_context *ctx, unsigned i)
{
    struct efa_area *a = &((struct efa_ctx *)ctx->hw)->area[i];

    munmap(a->map, a->size);
    fallocate(((struct efa_ctx *)ctx->hw)->memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, a->at, (off_t)a->size);
    a->map = NULL;
}

static uint64_t key_of(const struct sim_context *ctx, unsigned i)
{
    return (uint64_t)((struct efa_ctx *)ctx->hw)->area[i].at;
}

static int map(struct sim_context *ctx, off_t offset, size_t length, int prot, int *fd, off_t *at)
{
    struct efa_ctx *e = ctx->hw;

    for (unsigned i = 0; ctx->ready && i < e->n_areas; i++) {
        struct efa_area *a = &e->area[i];

        if (!a->map || a->at != offset)
            continue;
        if (length > a->size || (prot & PROT_WRITE && !a->writable))
            return EINVAL;
        *fd = e->memfd;
        *at = offset;
        return 0;
    }
    return EINVAL;
}

/* -- context ----------------------------------------------------------------------------------- */

static int get_context(struct sim_cmd *cmd)
{
    struct efa_ctx *e = cmd->ctx->hw;
    struct efa_ibv_alloc_ucontext_resp r = {
        .cmds_supp_udata_mask = EFA_USER_CMDS_SUPP_UDATA_QUERY_DEVICE | EFA_USER_CMDS_SUPP_UDATA_CREATE_AH,
        .sub_cqs_per_cq = 1, .inline_buf_size = MAX_INLINE, .max_llq_size = MAX_TX * TX_SIZE,
    };

    e->memfd = memfd_create("device-sim-efa", MFD_CLOEXEC);
    if (e->memfd < 0)
        return ENOMEM;
    e->end = PAGE; /* a key of zero would hide a forgotten one */
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void free_context(struct sim_context *ctx)
{
    struct efa_ctx *e = ctx->hw;

    for (unsigned i = 0; i < e->n_areas; i++)
        if (e->area[i].map)
            take_back(ctx, i);
    free(e->area);
    close(e->memfd);
}

static int query_device(struct sim_cmd *cmd)
{
    struct efa_ibv_ex_query_device_resp r = {
        .max_sq_wr = MAX_TX, .max_rq_wr = MAX_RX, .max_sq_sge = MAX_TX_SGE, .max_rq_sge = MAX_RX_SGE,
        .max_rdma_size = SIM_MAX_MSG,
        .device_caps = EFA_QUERY_DEVICE_CAPS_RDMA_READ | EFA_QUERY_DEVICE_CAPS_RNR_RETRY |
            EFA_QUERY_DEVICE_CAPS_CQ_NOTIFICATIONS | EFA_QUERY_DEVICE_CAPS_CQ_WITH_SGID | CAPS_RDMA_WRITE,
    };

    if (sim_config.caps)
        r.device_caps |= CAPS_DATA_POLLING_128;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static int alloc_pd(struct sim_cmd *cmd, struct sim_pd *pd)
{
    struct efa_ibv_alloc_pd_resp r = {.pdn = (uint16_t)pd->pdn};

    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static int create_ah(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr)
{
    struct efa_ibv_create_ah_resp r = {.efa_address_handle = (uint16_t)ah->obj.handle};

    if (!attr->is_global && !attr->grh.dgid[0])
        return EINVAL;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* -- queues ------------------------------------------------------------------------------------ */

static int create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    struct efa_cq *h = cq->hw;
    struct efa_ibv_create_cq in;
    struct efa_ibv_create_cq_resp r = {.cq_idx = (uint16_t)cq->cqn};
    int ring, doorbell;

    sim_in_driver(cmd, &in, sizeof in);
    if (in.comp_mask || in.num_sub_cqs != 1 || (in.cq_entry_size != 16 && in.cq_entry_size != 32) ||
        in.flags & ~(EFA_CREATE_CQ_WITH_COMPLETION_CHANNEL | EFA_CREATE_CQ_WITH_SGID) || *cqe > 65536)
        return EINVAL;
    h->n = 1;
    while (h->n < *cqe)
        h->n *= 2;
    *cqe = h->n;
    h->size = in.cq_entry_size;
    h->notify = in.flags & EFA_CREATE_CQ_WITH_COMPLETION_CHANNEL;
    ring = lend(cmd->ctx, (size_t)h->n * h->size, false);
    doorbell = lend(cmd->ctx, PAGE, true);
    if (ring < 0 || doorbell < 0)
        return ENOMEM;
    h->ring = (unsigned)ring;
    h->doorbell = (unsigned)doorbell;
    r.q_mmap_key = key_of(cmd->ctx, h->ring);
    r.q_mmap_size = ((size_t)h->n * h->size + PAGE - 1) / PAGE * PAGE;
    r.comp_mask = EFA_CREATE_CQ_RESP_DB_OFF;
    r.db_mmap_key = key_of(cmd->ctx, h->doorbell);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void free_cq(struct sim_cq *cq)
{
    struct efa_cq *h = cq->hw;

    if (!h->n || !h->doorbell)
        return;
    take_back(cq->obj.ctx, h->ring);
    take_back(cq->obj.ctx, h->doorbell);
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

static int create_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    struct create_qp in;
    struct efa_ibv_create_qp_resp r = {.sq_db_offset = SQ_DOORBELL, .rq_db_offset = RQ_DOORBELL};
    int sq, rq, doorbells;

    sim_in_driver(cmd, &in, sizeof in);
    for (unsigned i = 0; i < sizeof in.newer; i++)
        if (in.newer[i])
            return sim_refuse(cmd->ctx, EOPNOTSUPP, "a queue pair with flags that are newer than this simulator");
    if (in.known.comp_mask || in.known.driver_qp_type != EFA_QP_DRIVER_TYPE_SRD || qp->srq)
        return EINVAL;
    h->sq_n = in.known.sq_ring_size / TX_SIZE;
    h->rq_n = in.known.rq_ring_size / RX_SIZE;
    if (h->sq_n > MAX_TX || h->rq_n > MAX_RX * 4 || (h->sq_n & (h->sq_n - 1)) || (h->rq_n & (h->rq_n - 1)))
        return EINVAL;
    sq = lend(cmd->ctx, h->sq_n ? in.known.sq_ring_size : PAGE, true);
    rq = lend(cmd->ctx, h->rq_n ? in.known.rq_ring_size : PAGE, true);
    doorbells = lend(cmd->ctx, PAGE, true);
    if (sq < 0 || rq < 0 || doorbells < 0)
        return ENOMEM;
    h->sq = (unsigned)sq;
    h->rq = (unsigned)rq;
    h->doorbells = (unsigned)doorbells;
    r.llq_desc_mmap_key = key_of(cmd->ctx, h->sq);
    r.rq_mmap_key = key_of(cmd->ctx, h->rq);
    r.rq_mmap_size = ((uint64_t)in.known.rq_ring_size + PAGE - 1) / PAGE * PAGE;
    r.sq_db_mmap_key = r.rq_db_mmap_key = key_of(cmd->ctx, h->doorbells);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void free_qp(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;

    if (!h->doorbells)
        return;
    take_back(qp->obj.ctx, h->sq);
    take_back(qp->obj.ctx, h->rq);
    take_back(qp->obj.ctx, h->doorbells);
}

static int modify_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    (void)cmd;
    (void)qp;
    return 0;
}

static void reset_qp(struct sim_qp *qp)
{
    struct efa_qp *h = qp->hw;
    uint8_t *doorbells = efa_area(qp->obj.ctx, h->doorbells);

    memset(doorbells + SQ_DOORBELL, 0, 4);
    memset(doorbells + RQ_DOORBELL, 0, 4);
    h->sq_ci = h->sq_rung = h->rq_ci = 0;
    h->taken = 0;
    h->phase_known = false;
}

static int method(struct sim_cmd *cmd)
{
    (void)cmd;
    return -1;
}

static unsigned completion_room(struct sim_qp *qp, bool responder)
{
    (void)qp;
    (void)responder;
    return 0;
}

static unsigned srq_posted(struct sim_srq *srq)
{
    (void)srq;
    return 0;
}

static void set_clock(struct sim_context *ctx, uint64_t ticks)
{
    (void)ctx; /* it has none */
    (void)ticks;
}

const struct sim_vendor sim_efa = {
#include "identity.h"
    .qp_hw_size = sizeof(struct efa_qp),
    .cq_hw_size = sizeof(struct efa_cq),
    .srq_hw_size = 1,
    .ctx_hw_size = sizeof(struct efa_ctx),
    .get_context = get_context,
    .free_context = free_context,
    .query_device = query_device,
    .alloc_pd = alloc_pd,
    .create_ah = create_ah,
    .create_cq = create_cq,
    .free_cq = free_cq,
    .resize_cq = resize_cq,
    .create_srq = create_srq,
    .create_qp = create_qp,
    .modify_qp = modify_qp,
    .reset_qp = reset_qp,
    .free_qp = free_qp,
    .method = method,
    .map = map,
    .look_at_doorbells = efa_look_at_doorbells,
    .has_send = efa_has_send,
    .next_send = efa_next_send,
    .next_recv = efa_next_recv,
    .srq_posted = srq_posted,
    .completion_room = completion_room,
    .complete = efa_complete,
    .check_idle = efa_check_idle,
    .set_clock = set_clock,
};
