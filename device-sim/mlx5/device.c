/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's part of the commands: context, register pages, and where the rings of each queue lie. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "steering.h"

/* -- context ----------------------------------------------------------------------------------- */

/* A tick is a whole number of nanoseconds, so the page that translates time stamps to wall clock has little to do. */
static void set_clock_info(struct mlx5_ctx *m)
{
    struct mlx5_ib_clock_info *info = (void *)(m->map + CLOCK_INFO_PAGE * PAGE);

    info->mult = (uint32_t)sim_config.tick;
    info->shift = 0;
    info->mask = UINT64_MAX;
    info->overflow_period = 1ull << 40;
}

int device_sim_clock_busy(int busy)
{
    sim_enter();
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_is_live(sim_contexts[i]) && sim_contexts[i]->dev->vendor == &sim_mlx5) {
            struct mlx5_ctx *m = sim_contexts[i]->hw;
            struct mlx5_ib_clock_info *info = (void *)(m->map + CLOCK_INFO_PAGE * PAGE);

            __atomic_store_n(&info->sign, busy ? 1 : 0, __ATOMIC_RELEASE);
        }
    sim_leave();
    return 0;
}

#define SQD2RTS (1u << 3) /* newer than the headers this may be built with */

static void fill_context(const struct sim_context *ctx, struct mlx5_ib_alloc_ucontext_resp *r)
{
    r->qp_tab_size = 1 << 18;
    r->bf_reg_size = 2 * UAR_SLOT_SIZE;
    r->tot_bfregs = 0; /* none in advance: the library asks for pages as it needs them */
    r->cache_line_size = 64;
    r->max_sq_desc_sz = MAX_SEND_WQE;
    r->max_rq_desc_sz = 512;
    r->max_send_wqebb = 32768;
    r->max_recv_wr = 32768;
    r->max_srq_recv_wr = 32767;
    r->num_ports = (uint16_t)ctx->dev->n_ports;
    r->comp_mask = SQD2RTS | MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET | MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY;
    r->dump_fill_mkey = SIM_NULL_KEY;
    r->cqe_version = 1;
    r->cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE | MLX5_USER_CMDS_SUPP_UHW_CREATE_AH;
    r->eth_min_inline = MLX5_USER_INLINE_MODE_NONE;
    r->clock_info_versions = 1 << MLX5_IB_CLOCK_INFO_V1;
    r->log_uar_size = 12;
    r->num_uars_per_page = 1;
    r->num_dyn_bfregs = 2 * (UAR_PAGES - FIRST_UAR_ID);
    r->response_length = sizeof *r;
}

static int get_context(struct sim_cmd *cmd)
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_ib_alloc_ucontext_req_v2 in;
    struct mlx5_ib_alloc_ucontext_resp r = {0};

    sim_in_driver(cmd, &in, sizeof in);
    if (in.flags & ~(uint32_t)MLX5_IB_ALLOC_UCTX_DEVX || in.comp_mask)
        return EINVAL;
    /* First: where it is refused, the library asks with shorter requests, and then without. */
    if (mlx5_devx_open(cmd, in.flags & MLX5_IB_ALLOC_UCTX_DEVX))
        return EINVAL;
    if (!(in.lib_caps & MLX5_LIB_CAP_DYN_UAR))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "this libmlx5 can't allocate register pages one by one, it is too old");
    m->memfd = memfd_create("device-sim-mlx5", MFD_CLOEXEC);
    if (m->memfd < 0 || ftruncate(m->memfd, PAGES * PAGE))
        return ENOMEM;
    m->map = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, m->memfd, 0);
    if (m->map == MAP_FAILED)
        return ENOMEM;
    set_clock_info(m);
    fill_context(cmd->ctx, &r);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* What whoever imports the context is told: the same. */
static int query_context(struct sim_cmd *cmd)
{
    struct mlx5_ib_alloc_ucontext_resp r = {0};

    fill_context(cmd->ctx, &r);
    sim_out(cmd, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &r, sizeof r);
    return 0;
}

static void free_context(struct sim_context *ctx)
{
    struct mlx5_ctx *m = ctx->hw;

    mlx5_pages_free(m);
    munmap(m->map, PAGES * PAGE);
    close(m->memfd);
}

static void set_clock(struct sim_context *ctx, uint64_t ticks)
{
    uint32_t *clock = (uint32_t *)(((struct mlx5_ctx *)ctx->hw)->map + CLOCK_PAGE * PAGE);

    /* Two big-endian words; a reader that sees the upper one change reads again. */
    __atomic_store_n(clock, htobe32((uint32_t)(ticks >> 32)), __ATOMIC_RELEASE);
    __atomic_store_n(clock + 1, htobe32((uint32_t)ticks), __ATOMIC_RELEASE);
}

#define MIN_RATE 1001 /* kbit/s */
#define MAX_RATE 100000002

/* The first device does, the second does not, and so on. */
static bool bounds_bursts(const struct sim_device *dev)
{
    return !(dev->index & 1);
}

/* As the core's part of it. */
static void claim_all(const struct sim_device *dev, struct mlx5_ib_query_device_resp *r)
{
    r->tso_caps.max_tso = 0x5001;
    r->tso_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
    r->rss_caps.rx_hash_fields_mask = IBV_RX_HASH_INNER | IBV_RX_HASH_SRC_IPV6;
    r->rss_caps.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
    r->packet_pacing_caps.qp_rate_limit_min = MIN_RATE;
    r->packet_pacing_caps.qp_rate_limit_max = MAX_RATE;
    r->packet_pacing_caps.supported_qpts = 1 << IBV_QPT_RC | 1 << IBV_QPT_UD;
    r->packet_pacing_caps.cap_flags = bounds_bursts(dev) ? MLX5_IB_PP_SUPPORT_BURST : 0;
}

static void fill_ethernet(struct mlx5_ib_query_device_resp *r)
{
    r->tso_caps.max_tso = SIM_MAX_TSO;
    r->tso_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
    r->rss_caps.rx_hash_fields_mask = MLX5_RSS_FIELDS | IBV_RX_HASH_INNER;
    r->rss_caps.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
    r->tunnel_offloads_caps = MLX5_IB_TUNNELED_OFFLOADS_VXLAN | MLX5_IB_TUNNELED_OFFLOADS_GRE;
}

#define LOG_STREAMS 5 /* that are under way at once */
#define LOG_FAILED_STREAMS 4 /* that a queue pair remembers */

/* Newer than the headers this may be built with: a flag of the device; the wish for it. */
enum { OUT_OF_ORDER = 1 << 4, WANTS_OUT_OF_ORDER = 1 << 0 };

static int query_device(struct sim_cmd *cmd)
{
    struct mlx5_ib_query_device_resp r = {
        .response_length = sizeof r,
        .dci_streams_caps = {.max_log_num_concurent = LOG_STREAMS, .max_log_num_errored = LOG_FAILED_STREAMS},
        .flags = MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_PAD | MLX5_IB_QUERY_DEV_RESP_PACKET_BASED_CREDIT_MODE | OUT_OF_ORDER,
    };

    if (sim_has_frames(cmd->ctx->dev))
        fill_ethernet(&r);
    if (sim_config.caps)
        claim_all(cmd->ctx->dev, &r);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* ConnectX limits those of raw packets; which devices limit others is a setting. */
static int limit_rate(struct sim_cmd *cmd, const struct sim_qp *qp, uint32_t rate, uint32_t *burst)
{
    struct mlx5_ib_modify_qp in;

    sim_in_driver(cmd, &in, sizeof in);
    if (!sim_config.caps || (qp->type != IB_UVERBS_QPT_RC && qp->type != IB_UVERBS_QPT_UD))
        return EINVAL;
    if (in.comp_mask || (rate && (rate < MIN_RATE || rate > MAX_RATE)))
        return EINVAL;
    if ((in.burst_info.max_burst_sz || in.burst_info.typical_pkt_sz) && !bounds_bursts(cmd->ctx->dev))
        return EINVAL;
    *burst = in.burst_info.max_burst_sz;
    return 0;
}

static int alloc_pd(struct sim_cmd *cmd, struct sim_pd *pd)
{
    struct mlx5_ib_alloc_pd_resp r = {.pdn = pd->pdn};

    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* For who imports it. */
static int query_pd(struct sim_cmd *cmd)
{
    const struct sim_pd *pd = sim_in_obj(cmd, MLX5_IB_ATTR_QUERY_PD_HANDLE, SIM_PD);

    if (!pd)
        return EINVAL;
    sim_out(cmd, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pd->pdn, sizeof pd->pdn);
    return 0;
}

static int create_ah(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr)
{
    struct mlx5_ib_create_ah_resp r = {.response_length = sizeof r, .dmac = {0x02, 0x51}};

    (void)ah;
    memcpy(r.dmac + 2, attr->grh.dgid + 12, 4); /* any will do, but always the same */
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* -- methods and pages ------------------------------------------------------------------------- */

static int method(struct sim_cmd *cmd)
{
    int error = mlx5_page_method(cmd);

    if (cmd->hdr->object_id == UVERBS_OBJECT_PD && cmd->hdr->method_id == MLX5_IB_METHOD_PD_QUERY)
        return query_pd(cmd);
    if (error < 0)
        error = mlx5_dm_method(cmd);
    if (error < 0)
        error = mlx5_dma_handle_method(cmd);
    if (error < 0)
        error = mlx5_pacing_method(cmd);
    if (error < 0)
        error = mlx5_matcher_method(cmd);
    if (error < 0)
        error = mlx5_flow_action_method(cmd);
    if (error < 0)
        error = mlx5_anchor_method(cmd);
    return error >= 0 ? error : mlx5_devx_method(cmd);
}

static int map(struct sim_context *ctx, off_t offset, size_t length, int prot, int *fd, off_t *at)
{
    struct mlx5_ctx *m = ctx->hw;
    uint64_t page = (uint64_t)offset / PAGE;

    if (!ctx->ready)
        return EINVAL;
    if ((page >> 8 & 0xff) == MLX5_IB_MMAP_DEVICE_MEM)
        return mlx5_dm_map(ctx, (unsigned)page, length, fd, at);
    if (length != PAGE)
        return EINVAL;
    *fd = m->memfd;
    if (page == MLX5_IB_MMAP_CORE_CLOCK << 8 && !(prot & PROT_WRITE))
        *at = CLOCK_PAGE * PAGE;
    else if (page == MLX5_IB_MMAP_CLOCK_INFO << 8 && !(prot & PROT_WRITE))
        *at = CLOCK_INFO_PAGE * PAGE;
    else
        *fd = mlx5_page_at(m, page, at);
    return *fd < 0 ? EINVAL : 0;
}

/* -- queues ------------------------------------------------------------------------------------ */

static bool power_of_two(uint64_t n)
{
    return n && !(n & (n - 1));
}

bool mlx5_is_ring(uint64_t buf, uint64_t size, uint64_t db)
{
    if (!db || db & 7 || !sim_mem_mapped(db, true))
        return false;
    return !size || (buf + size > buf && sim_mem_mapped(buf, true) && sim_mem_mapped(buf + size - 1, true));
}

static int create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    struct mlx5_cq *h = cq->hw;
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_ib_create_cq in;
    struct mlx5_ib_create_cq_resp r = {.cqn = cq->cqn};

    sim_in_driver(cmd, &in, sizeof in);
    if (in.cqe_comp_en || in.flags & ~(MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX | MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD) ||
        in.reserved0 || in.reserved1)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "compressed completions and real-time completion queues");
    if (in.flags & MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD && in.cqe_size != 128)
        return EINVAL;
    if (!(in.flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) || in.uar_page_index >= UAR_PAGES ||
        !m->used[in.uar_page_index])
        return EINVAL;
    if ((in.cqe_size != 64 && in.cqe_size != 128) || *cqe > 4194303)
        return EINVAL;
    h->n = 1;
    while (h->n < *cqe + 1)
        h->n *= 2;
    *cqe = h->n - 1;
    h->size = in.cqe_size;
    h->pad = in.flags & MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD;
    if (!mlx5_is_ring(in.buf_addr, (uint64_t)h->n * h->size, in.db_addr))
        return EFAULT;
    h->buf = (uint8_t *)(uintptr_t)in.buf_addr;
    h->db = (uint32_t *)(uintptr_t)in.db_addr;
    h->uar = in.uar_page_index;
    /* The library writes this word and never reads it: so that the first request can be told from none. */
    h->arm_seen = h->db[1] = NEVER_ARMED;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static int resize_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe)
{
    struct mlx5_cq *h = cq->hw;
    struct mlx5_ib_resize_cq in;
    uint32_t n = 1;

    sim_in_driver(cmd, &in, sizeof in);
    if (in.reserved0 || in.reserved1 || in.cqe_size != h->size || *cqe > 4194303)
        return EINVAL;
    while (n < *cqe + 1)
        n *= 2;
    *cqe = n - 1;
    if (!mlx5_is_ring(in.buf_addr, (uint64_t)n * h->size, (uintptr_t)h->db))
        return EFAULT;
    return mlx5_resize(cq, (uint8_t *)(uintptr_t)in.buf_addr, n);
}

static int create_srq(struct sim_cmd *cmd, struct sim_srq *srq)
{
    struct mlx5_srq *h = srq->hw;
    struct mlx5_ib_create_srq in;
    struct mlx5_ib_create_srq_resp r = {.srqn = srq->srqn};

    sim_in_driver(cmd, &in, sizeof in);
    if (in.reserved0 || in.reserved1 || in.flags & ~(uint32_t)MLX5_SRQ_FLAG_SIGNATURE || srq->max_wr > 32767 ||
        srq->max_sge > 31)
        return EINVAL;
    if (in.flags)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "signatures of shared receive queues");
    h->n = 1;
    while (h->n < srq->max_wr + 1)
        h->n *= 2;
    h->shift = 5;
    while (1u << h->shift < 16 * (1 + srq->max_sge))
        h->shift++;
    if (!mlx5_is_ring(in.buf_addr, (uint64_t)h->n << h->shift, in.db_addr))
        return EFAULT;
    h->buf = (uint8_t *)(uintptr_t)in.buf_addr;
    h->db = (uint32_t *)(uintptr_t)in.db_addr;
    h->uidx = in.uidx;
    if (srq->type == IB_UVERBS_SRQT_TM) {
        int error = mlx5_tags_make(srq);

        if (error)
            return error;
    }
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

#define QP_FLAGS (MLX5_QP_FLAG_SIGNATURE | MLX5_QP_FLAG_SCATTER_CQE | MLX5_QP_FLAG_ALLOW_SCATTER_CQE | \
    MLX5_QP_FLAG_UAR_PAGE_INDEX | MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE | MLX5_QP_FLAG_TYPE_DCI | \
    MLX5_QP_FLAG_DCI_STREAM)


void mlx5_put_rings(struct sim_qp *qp, const struct mlx5_rings *r)
{
    struct mlx5_ctx *m = qp->obj.ctx->hw;
    struct mlx5_qp *h = qp->hw;

    h->rq = r->rq;
    h->rq_n = r->rq_n;
    h->rq_shift = r->rq_shift;
    h->sq = r->sq;
    h->sq_n = r->sq_n;
    h->db = r->db;
    h->uar = r->uar;
    h->bfreg = -1;
    h->uidx = r->uidx;
    h->flags = r->flags;
    h->recordless = r->recordless;
    h->lag_port = 1 + (qp->qpn & 1); /* in turn */
    if (h->uar == UAR_PAGES)
        return;
    h->next_user = m->users[h->uar];
    if (h->next_user)
        ((struct mlx5_qp *)h->next_user->hw)->previous_user = qp;
    m->users[h->uar] = qp;
}

/* A target has no rings: it receives through its shared queue. */
static int create_target(struct sim_cmd *cmd, struct sim_qp *qp, const struct mlx5_ib_create_qp *in)
{
    struct mlx5_ib_create_qp_resp r = {0};

    if (in->flags & ~(uint32_t)(MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_SCATTER_CQE))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a DC target with flags 0x%x", in->flags);
    if (!qp->srq || in->buf_addr || in->db_addr || in->sq_wqe_count || in->rq_wqe_count)
        return EINVAL;
    qp->dc = SIM_DC_TARGET;
    qp->dc_key = in->access_key;
    mlx5_put_rings(qp, &(struct mlx5_rings){.uar = UAR_PAGES, .uidx = in->uidx});
    sim_qp_defaults(qp);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* How many it has at once does not matter here, where requests go one by one. */
static int make_streams(struct sim_qp *qp, const struct mlx5_ib_create_qp *in)
{
    bool wanted = in->flags & MLX5_QP_FLAG_DCI_STREAM;

    if (wanted ? !(in->flags & MLX5_QP_FLAG_TYPE_DCI) || in->dci_streams.log_num_concurent > LOG_STREAMS ||
        in->dci_streams.log_num_errored > LOG_FAILED_STREAMS : in->dci_streams.log_num_concurent ||
        in->dci_streams.log_num_errored)
        return EINVAL;
    return !wanted || sim_streams_make(qp, 1u << in->dci_streams.log_num_errored) ? 0 : ENOMEM;
}

static int create_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_ib_create_qp in;
    struct mlx5_ib_create_qp_resp r = {0};
    bool raw = qp->type == IB_UVERBS_QPT_RAW_PACKET;
    uint64_t receives, sends, size;
    uint32_t known;
    int error;

    if (qp->table)
        return mlx5_create_rss(cmd, qp);
    sim_in_driver(cmd, &in, sizeof in);
    if (!(in.flags & (MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_TYPE_DCI)) != (qp->type != IB_UVERBS_QPT_DRIVER))
        return EINVAL;
    if (in.flags & MLX5_QP_FLAG_TYPE_DCT)
        return create_target(cmd, qp, &in);
    known = QP_FLAGS | (raw ? MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC | MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC : 0);
    if (in.flags & ~known || (in.sq_buf_addr && !raw))
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a queue pair with flags 0x%x", in.flags & ~known);
    if (in.flags & MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE && qp->type != IB_UVERBS_QPT_RC)
        return EOPNOTSUPP; /* as the kernel answers */
    if (!(in.flags & MLX5_QP_FLAG_UAR_PAGE_INDEX) || in.bfreg_index >= UAR_PAGES || !m->used[in.bfreg_index])
        return EINVAL;
    if ((in.sq_wqe_count && !power_of_two(in.sq_wqe_count)) || in.sq_wqe_count > 32768)
        return EINVAL;
    if ((in.rq_wqe_count && !power_of_two(in.rq_wqe_count)) || in.rq_wqe_count > 32768 || in.rq_wqe_shift > 9 ||
        (in.rq_wqe_count && in.rq_wqe_shift < 4))
        return EINVAL;
    receives = (uint64_t)in.rq_wqe_count << in.rq_wqe_shift;
    size = (uint64_t)in.sq_wqe_count * MLX5_SEND_WQE_BB;
    sends = raw ? in.sq_buf_addr : in.buf_addr + receives;
    /* Sends and receives of raw packets are two objects, and lie apart; else one ring is behind the other. */
    if (!mlx5_is_ring(in.buf_addr, raw ? receives : receives + size, in.db_addr) ||
        (raw && !mlx5_is_ring(sends, size, in.db_addr)))
        return EFAULT;
    error = make_streams(qp, &in);
    if (error)
        return error;
    /* a query returns what the ring holds, as the kernel's does, and not what was asked for */
    qp->cap.max_recv_wr = in.rq_wqe_count;
    qp->cap.max_recv_sge = in.rq_wqe_count ?
        (1u << (in.rq_wqe_shift - 4)) - (in.flags & MLX5_QP_FLAG_SIGNATURE ? 1 : 0) : 0;
    qp->own_unicast = in.flags & MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC;
    if (in.flags & MLX5_QP_FLAG_TYPE_DCI) {
        if (in.rq_wqe_count)
            return EINVAL; /* nothing ever arrives there */
        qp->dc = SIM_DC_INITIATOR;
        sim_qp_defaults(qp);
    }
    mlx5_put_rings(qp, &(struct mlx5_rings){.rq = (uint8_t *)(uintptr_t)in.buf_addr, .rq_n = in.rq_wqe_count,
        .rq_shift = in.rq_wqe_shift,
        .sq = (uint8_t *)(uintptr_t)sends, .sq_n = in.sq_wqe_count,
        .db = (uint32_t *)(uintptr_t)in.db_addr, .uar = in.bfreg_index, .uidx = in.uidx, .flags = in.flags});
    r.bfreg_index = in.bfreg_index;
    if (raw)
        mlx5_name_parts(qp, &r);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void free_qp(struct sim_qp *qp)
{
    const struct mlx5_qp *h = qp->hw;
    struct sim_qp **first = h->uar < UAR_PAGES ? &((struct mlx5_ctx *)qp->obj.ctx->hw)->users[h->uar] : NULL;

    mlx5_rendezvous_drop(qp);
    if (h->next_user)
        ((struct mlx5_qp *)h->next_user->hw)->previous_user = h->previous_user;
    if (h->previous_user)
        ((struct mlx5_qp *)h->previous_user->hw)->next_user = h->next_user;
    else if (first && *first == qp)
        *first = h->next_user;
}

static int modify_qp(struct sim_cmd *cmd, struct sim_qp *qp)
{
    struct mlx5_ib_modify_qp in;
    struct mlx5_ib_modify_qp_resp r = {.response_length = sizeof r};

    sim_in_driver(cmd, &in, sizeof in);
    if (in.comp_mask & ~(uint32_t)WANTS_OUT_OF_ORDER)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "modify_qp with comp_mask 0x%x", in.comp_mask);
    if (in.comp_mask && (qp->type == IB_UVERBS_QPT_UD || qp->dc == SIM_DC_INITIATOR))
        return EOPNOTSUPP;
    if (in.comp_mask && qp->state != IBV_QPS_INIT)
        return EINVAL;
    if (in.comp_mask)
        ((struct mlx5_qp *)qp->hw)->out_of_order = true;
    if (qp->dc == SIM_DC_TARGET && qp->state == IBV_QPS_RTR)
        r.dctn = qp->qpn;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

static void reset_qp(struct sim_qp *qp)
{
    struct mlx5_qp *h = qp->hw;

    mlx5_rendezvous_drop(qp);
    h->sq_ci = h->rung_to = h->rq_ci = h->rq_enabled = 0;
    h->drains = h->stops = false;
    h->rung = h->copies = h->out_of_order = h->left_one = false;
}

const struct sim_vendor sim_mlx5 = {
#include "identity.h"
    .qp_hw_size = sizeof(struct mlx5_qp),
    .cq_hw_size = sizeof(struct mlx5_cq),
    .srq_hw_size = sizeof(struct mlx5_srq),
    .ctx_hw_size = sizeof(struct mlx5_ctx),
    .get_context = get_context,
    .query_context = query_context,
    .free_context = free_context,
    .free_objects = mlx5_devx_free_objects,
    .step = mlx5_devx_step,
    .query_device = query_device,
    .alloc_pd = alloc_pd,
    .create_ah = create_ah,
    .create_cq = create_cq,
    .resize_cq = resize_cq,
    .modify_cq = mlx5_moderate,
    .limit_rate = limit_rate,
    .next_timer = mlx5_next_timer,
    .run_timers = mlx5_run_timers,
    .create_srq = create_srq,
    .wq_hw_size = sizeof(struct mlx5_wq),
    .create_wq = mlx5_create_wq,
    .reset_wq = mlx5_reset_wq,
    .next_wq_recv = mlx5_next_wq_recv,
    .rule_counters = mlx5_rule_counters,
    .carry_out = mlx5_carry_out,
    .free_icm = mlx5_icm_free,
    .free_srq = mlx5_tags_free,
    .tag_caps = mlx5_tag_caps,
    .match = mlx5_match,
    .create_qp = create_qp,
    .modify_qp = modify_qp,
    .tell_silent = mlx5_devx_tell,
    .tell_silent_cq = mlx5_devx_tell_cq,
    .reset_qp = reset_qp,
    .free_qp = free_qp,
    .method = method,
    .map = map,
    .watch = mlx5_watch,
    .operate = mlx5_operate,
    .look_at_doorbells = mlx5_look_at_doorbells,
    .look_at_page_of = mlx5_look_at_page_of,
    .has_send = mlx5_has_send,
    .wakes = true,
    .next_send = mlx5_next_send,
    .next_recv = mlx5_next_recv,
    .srq_posted = mlx5_srq_posted,
    .cross = mlx5_cross,
    .completion_room = mlx5_completion_room,
    .complete = mlx5_complete,
    .signature_failed = mlx5_signature_failed,
    .check_idle = mlx5_check_idle,
    .set_clock = set_clock,
};
