/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands that still have the form of the old write() interface: a struct in, a struct out,
 the vendor's part apart.
 * The struct that the headers describe starts with the address of the answer; in an ioctl it is not used.
 */
#include <fcntl.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

static void answer(struct sim_cmd *cmd, const void *from, size_t size)
{
    sim_out(cmd, UVERBS_ATTR_CORE_OUT, from, size);
}

/* Reads the command. False when the caller's is shorter than the struct. */
static bool command(struct sim_cmd *cmd, void *to, size_t size)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, UVERBS_ATTR_CORE_IN);

    return sim_in(cmd, UVERBS_ATTR_CORE_IN, to, size) && a->len >= size;
}

static void fill_device(const struct sim_device *dev, struct ib_uverbs_query_device_resp *r)
{
    r->fw_ver = 16ull << 32 | 35ull << 16;
    r->node_guid = r->sys_image_guid = __builtin_bswap64(dev->guid);
    r->max_mr_size = UINT64_MAX;
    r->page_size_cap = 0xfffffffffffff000ull;
    r->vendor_id = dev->vendor->vendor_id;
    r->vendor_part_id = dev->part_id;
    r->max_qp = SIM_MAX_QPS;
    r->max_qp_wr = 32768;
    r->device_cap_flags = IB_UVERBS_DEVICE_CURR_QP_STATE_MOD | IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT |
        IB_UVERBS_DEVICE_SYS_IMAGE_GUID | IB_UVERBS_DEVICE_RC_RNR_NAK_GEN | IB_UVERBS_DEVICE_MEM_WINDOW |
        IB_UVERBS_DEVICE_XRC | IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS | IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B;
    r->max_sge = 30;
    r->max_sge_rd = 30;
    r->max_cq = 16384;
    r->max_cqe = 4194303;
    r->max_mr = 1 << 20;
    r->max_pd = 1 << 16;
    r->max_qp_rd_atom = 16;
    r->max_res_rd_atom = 16 * SIM_MAX_QPS;
    r->max_qp_init_rd_atom = 16;
    r->atomic_cap = IBV_ATOMIC_HCA;
    r->max_mw = 1 << 20;
    r->max_mcast_grp = 1 << 16;
    r->max_mcast_qp_attach = 4096;
    r->max_total_mcast_qp_attach = 1 << 28;
    r->max_ah = 1 << 16;
    r->max_srq = 4096;
    r->max_srq_wr = 32767;
    r->max_srq_sge = 31;
    r->max_pkeys = 1;
    r->local_ca_ack_delay = 16;
    r->phys_port_cnt = (uint8_t)dev->n_ports;
    if (sim_has_frames(dev))
        r->device_cap_flags |= IB_UVERBS_DEVICE_RAW_IP_CSUM | IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING;
    if (dev->vendor->fill_device)
        dev->vendor->fill_device(r);
}

static int query_device(struct sim_cmd *cmd)
{
    struct ib_uverbs_query_device_resp r = {0};

    if (!sim_out_room(cmd, UVERBS_ATTR_CORE_OUT))
        return ENOSPC; /* how libibverbs asks whether INVOKE_WRITE is there at all */
    fill_device(cmd->ctx->dev, &r);
    answer(cmd, &r, sizeof r);
    return 0;
}

#define RAW_SCATTER_FCS (1ull << 34)

/* What is only where there are frames. */
static void fill_ethernet(struct ib_uverbs_ex_query_device_resp *r)
{
    r->device_cap_flags_ex |= RAW_SCATTER_FCS;
    r->raw_packet_caps = IBV_RAW_PACKET_CAP_CVLAN_STRIPPING | IBV_RAW_PACKET_CAP_SCATTER_FCS |
        IBV_RAW_PACKET_CAP_IP_CSUM;
    r->rss_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
    r->rss_caps.max_rwq_indirection_tables = SIM_MAX_TABLES;
    r->rss_caps.max_rwq_indirection_table_size = 1 << SIM_LOG_TABLE;
    r->max_wq_type_rq = SIM_MAX_WQS;
}

/* No two numbers are the same, so that a program which takes one for another tells something else. */
static void claim_all(struct ib_uverbs_ex_query_device_resp *r)
{
    r->device_cap_flags_ex |= 1ull << 34 | 1ull << 36 | 1ull << 38 | 1ull << 40 | 1ull << 62;
    r->odp_caps.per_transport_caps.uc_odp_caps |= IBV_ODP_SUPPORT_SRQ_RECV;
    r->xrc_odp_caps &= ~(uint32_t)IBV_ODP_SUPPORT_ATOMIC;
    r->rss_caps.supported_qpts = 0x108;
    r->rss_caps.max_rwq_indirection_tables = 0x2001;
    r->rss_caps.max_rwq_indirection_table_size = 0x2002;
    r->max_wq_type_rq = 0x2003;
    r->raw_packet_caps = IBV_RAW_PACKET_CAP_SCATTER_FCS | IBV_RAW_PACKET_CAP_DELAY_DROP;
    r->tm_caps.max_rndv_hdr_size = 0x3001;
    r->tm_caps.max_num_tags = 0x3002;
    r->tm_caps.flags = IBV_TM_CAP_RC;
    r->tm_caps.max_ops = 0x3003;
    r->tm_caps.max_sge = 0x3004;
    r->max_dm_size = 0x4000000001;
}

static int query_device_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_query_device in;
    struct ib_uverbs_ex_query_device_resp r = {0};
    size_t room = sim_out_room(cmd, UVERBS_ATTR_CORE_OUT);
    int error;

    if (!command(cmd, &in, sizeof in) || in.comp_mask || in.reserved)
        return EINVAL;
    fill_device(cmd->ctx->dev, &r.base);
    r.response_length = (uint32_t)(room < sizeof r ? room : sizeof r);
    r.device_cap_flags_ex = r.base.device_cap_flags;
    error = cmd->ctx->dev->vendor->query_device(cmd);
    if (error || cmd->ctx->dev->vendor->bare) {
        if (!error)
            answer(cmd, &r, sizeof r);
        return error;
    }
    r.cq_moderation_caps.max_cq_moderation_count = SIM_MAX_COUNT;
    r.cq_moderation_caps.max_cq_moderation_period = SIM_MAX_PERIOD;
    r.max_dm_size = SIM_DM_SIZE;
    r.timestamp_mask = UINT64_MAX;
    r.hca_core_clock = 1000000 / (unsigned)sim_config.tick; /* kHz */
    r.odp_caps.general_caps = IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT;
    r.odp_caps.per_transport_caps.rc_odp_caps = r.xrc_odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV |
        IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ | IBV_ODP_SUPPORT_ATOMIC | IBV_ODP_SUPPORT_SRQ_RECV;
    r.odp_caps.per_transport_caps.uc_odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV | IBV_ODP_SUPPORT_WRITE;
    r.odp_caps.per_transport_caps.ud_odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV;
    if (sim_has_frames(cmd->ctx->dev))
        fill_ethernet(&r);
    if (cmd->ctx->dev->vendor->tag_caps)
        cmd->ctx->dev->vendor->tag_caps(cmd->ctx->dev, &r.tm_caps);
    if (sim_config.caps)
        claim_all(&r);
    answer(cmd, &r, sizeof r);
    return 0;
}

static int alloc_pd(struct sim_cmd *cmd)
{
    struct ib_uverbs_alloc_pd_resp r = {0};
    struct sim_pd *pd = sim_obj_new(cmd->ctx, SIM_PD, sizeof *pd);
    int error;

    if (!pd)
        return ENOMEM;
    pd->pdn = ++cmd->ctx->dev->next_number;
    error = cmd->ctx->dev->vendor->alloc_pd(cmd, pd);
    if (error) {
        sim_obj_drop(&pd->obj);
        return error;
    }
    r.pd_handle = pd->obj.handle;
    answer(cmd, &r, sizeof r);
    return 0;
}

#define MR_ACCESS (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ | \
    IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND | IB_UVERBS_ACCESS_ZERO_BASED | \
    IB_UVERBS_ACCESS_HUGETLB | IB_UVERBS_ACCESS_ON_DEMAND | IB_UVERBS_ACCESS_OPTIONAL_RANGE)

/* Writing from afar without writing locally is what the kernel refuses; what the device has not, its driver. */
int sim_check_access(const struct sim_device *dev, uint32_t access)
{
    if (dev->vendor->no_regions)
        return EOPNOTSUPP;
    if (access & ~(uint32_t)MR_ACCESS)
        return EINVAL;
    if ((access & (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)) &&
        !(access & IB_UVERBS_ACCESS_LOCAL_WRITE))
        return EINVAL;
    access &= ~(uint32_t)IB_UVERBS_ACCESS_OPTIONAL_RANGE;
    return dev->vendor->rights && access & ~dev->vendor->rights(dev) ? EOPNOTSUPP : 0;
}

int sim_set_region(struct sim_mkey *m, uint64_t start, uint64_t length, uint64_t iova)
{
    if (!length || (start + length < start && !(m->access & IB_UVERBS_ACCESS_ON_DEMAND)))
        return EINVAL;
    /* With on-demand paging nothing is asked for before it is used; all addresses at once is then a region, too. */
    if (m->access & IB_UVERBS_ACCESS_ON_DEMAND) {
        m->start = start;
        m->length = length;
        m->iova = iova;
        return 0;
    }
    /* Pinning fails for what is not mapped; the ends are asked for, so that a sparse region stays sparse. */
    if (!sim_mem_mapped(start, m->access & IB_UVERBS_ACCESS_LOCAL_WRITE) ||
        !sim_mem_mapped(start + length - 1, m->access & IB_UVERBS_ACCESS_LOCAL_WRITE))
        return EFAULT;
    m->start = start;
    m->length = length;
    m->iova = m->access & IB_UVERBS_ACCESS_ZERO_BASED ? 0 : iova;
    return 0;
}

static int reg_mr(struct sim_cmd *cmd)
{
    struct ib_uverbs_reg_mr in;
    struct ib_uverbs_reg_mr_resp r = {0};
    struct sim_pd *pd;
    struct sim_mr *mr;
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    pd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_PD);
    if (!pd || (in.start & 4095) != (in.hca_va & 4095))
        return EINVAL;
    error = sim_check_access(cmd->ctx->dev, in.access_flags);
    if (error)
        return error;
    mr = sim_obj_new(cmd->ctx, SIM_MR, sizeof *mr);
    if (!mr)
        return ENOMEM;
    mr->mkey = sim_mkey_new(cmd->ctx->dev, pd);
    if (mr->mkey) {
        mr->mkey->access = in.access_flags;
        mr->mkey->bound = true;
        error = sim_set_region(mr->mkey, in.start, in.length, in.hca_va);
    } else {
        error = ENOMEM;
    }
    if (error) {
        sim_obj_drop(&mr->obj);
        return error;
    }
    r.mr_handle = mr->obj.handle;
    r.lkey = r.rkey = mr->mkey->key;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int rereg_mr(struct sim_cmd *cmd)
{
    struct ib_uverbs_rereg_mr in;
    struct ib_uverbs_rereg_mr_resp r = {0};
    struct sim_mr *mr;
    struct sim_pd *pd = NULL;
    struct sim_mkey now;
    int error;

    if (!command(cmd, &in, sizeof in) || !in.flags || in.flags & ~7u)
        return EINVAL;
    mr = sim_obj_get(cmd->ctx, in.mr_handle, SIM_MR);
    if (in.flags & IBV_REREG_MR_CHANGE_PD)
        pd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_PD);
    if (!mr || (in.flags & IBV_REREG_MR_CHANGE_PD && !pd))
        return EINVAL;
    now = *mr->mkey;
    if (in.flags & IBV_REREG_MR_CHANGE_ACCESS) {
        error = sim_check_access(cmd->ctx->dev, in.access_flags);
        if (error)
            return error;
        now.access = in.access_flags;
    }
    if (in.flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
        error = sim_set_region(&now, in.start, in.length, in.hca_va);
        if (error)
            return error;
    }
    if (pd) {
        now.pd->obj.users--;
        pd->obj.users++;
        now.pd = pd;
    }
    *mr->mkey = now;
    r.lkey = r.rkey = now.key;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int alloc_mw(struct sim_cmd *cmd)
{
    struct ib_uverbs_alloc_mw in;
    struct ib_uverbs_alloc_mw_resp r = {0};
    struct sim_pd *pd;
    struct sim_mr *mw;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    pd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_PD);
    if (!pd || in.mw_type < 1 || in.mw_type > 2)
        return EINVAL;
    if (cmd->ctx->dev->vendor->bare)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "memory windows");
    mw = sim_obj_new(cmd->ctx, SIM_MW, sizeof *mw);
    if (!mw)
        return ENOMEM;
    mw->mkey = sim_mkey_new(cmd->ctx->dev, pd);
    if (!mw->mkey) {
        sim_obj_drop(&mw->obj);
        return ENOMEM;
    }
    mw->mkey->window = in.mw_type;
    r.mw_handle = mw->obj.handle;
    r.rkey = mw->mkey->key;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int create_channel(struct sim_cmd *cmd)
{
    struct ib_uverbs_create_comp_channel_resp r = {0};
    struct sim_channel *ch = sim_channel_new(cmd->ctx, false);

    if (!ch)
        return EMFILE;
    r.fd = (uint32_t)ch->read_fd;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int resize_cq(struct sim_cmd *cmd)
{
    struct ib_uverbs_resize_cq in;
    struct ib_uverbs_resize_cq_resp r = {0};
    struct sim_cq *cq;
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    cq = sim_obj_get(cmd->ctx, in.cq_handle, SIM_CQ);
    if (!cq)
        return EINVAL;
    r.cqe = in.cqe;
    error = cmd->ctx->dev->vendor->resize_cq(cmd, cq, &r.cqe);
    if (!error)
        answer(cmd, &r, sizeof r);
    return error;
}

static int modify_cq(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_modify_cq in;
    struct sim_cq *cq;

    if (!command(cmd, &in, sizeof in) || !in.attr_mask || in.reserved)
        return EINVAL;
    if (in.attr_mask != IBV_CQ_ATTR_MODERATE || !cmd->ctx->dev->vendor->modify_cq)
        return EOPNOTSUPP;
    cq = sim_obj_get(cmd->ctx, in.cq_handle, SIM_CQ);
    return cq ? cmd->ctx->dev->vendor->modify_cq(cq, in.attr.cq_count, in.attr.cq_period) : EINVAL;
}

/* What the kernel takes from the mask of an XRC queue pair, which has one side only: programs set it as for RC. */
static uint32_t one_sided(const struct sim_qp *qp, uint32_t mask)
{
    if (qp->type == IB_UVERBS_QPT_XRC_INI)
        return mask & ~(uint32_t)(IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    if (qp->type == IB_UVERBS_QPT_XRC_TGT)
        return mask & ~(uint32_t)(IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY);
    return mask;
}

static int modify_qp(struct sim_cmd *cmd)
{
    struct ib_uverbs_modify_qp in;
    struct sim_qp *qp;
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    qp = sim_obj_get(cmd->ctx, in.qp_handle, SIM_QP);
    if (!qp)
        return EINVAL;
    in.attr_mask = one_sided(qp, in.attr_mask);
    error = sim_qp_modify(qp, &in);
    return error ? error : cmd->ctx->dev->vendor->modify_qp(cmd, qp);
}

/* Alone, and of a queue pair that sends. One for frames gets a rate with any change, of devices that have a table of rates. */
static int limit_rate(struct sim_cmd *cmd, const struct ib_uverbs_ex_modify_qp *in)
{
    const struct sim_vendor *vendor = cmd->ctx->dev->vendor;
    struct sim_qp *qp = sim_obj_get(cmd->ctx, in->base.qp_handle, SIM_QP);
    uint32_t burst = 0;
    int error;

    if (qp && qp->type == IB_UVERBS_QPT_RAW_PACKET && in->rate_limit && !sim_config.caps)
        return EOPNOTSUPP;
    if (!qp || qp->state != IBV_QPS_RTS || in->base.attr_mask != IBV_QP_RATE_LIMIT || !vendor->limit_rate)
        return EINVAL;
    error = vendor->limit_rate(cmd, qp, in->rate_limit, &burst);
    if (error)
        return error;
    qp->rate = in->rate_limit;
    qp->burst = burst;
    qp->paced_until = 0;
    return 0;
}

static int modify_qp_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_modify_qp in;
    struct ib_uverbs_ex_modify_qp_resp r = {0};
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    if (in.base.attr_mask & IBV_QP_RATE_LIMIT)
        error = limit_rate(cmd, &in);
    else
        error = in.rate_limit ? EINVAL : modify_qp(cmd);
    r.response_length = sizeof r;
    if (!error)
        answer(cmd, &r, sizeof r);
    return error;
}

static int query_qp(struct sim_cmd *cmd)
{
    struct ib_uverbs_query_qp in;
    struct ib_uverbs_query_qp_resp r = {0};
    const struct ib_uverbs_modify_qp *a;
    struct sim_qp *qp;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    qp = sim_obj_get(cmd->ctx, in.qp_handle, SIM_QP);
    if (!qp)
        return EINVAL;
    if (qp->table)
        return EOPNOTSUPP;
    if (in.attr_mask & ~cmd->ctx->dev->vendor->query_mask && cmd->ctx->dev->vendor->query_mask)
        return EOPNOTSUPP;
    if (qp->dc == SIM_DC_TARGET && (qp->state != IBV_QPS_RTR || in.attr_mask & ~(uint32_t)(IBV_QP_STATE |
        IBV_QP_ACCESS_FLAGS | IBV_QP_PORT | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_PKEY_INDEX)))
        return EINVAL; /* as the kernel answers */
    a = &qp->attr;
    r.dest = a->dest;
    r.alt_dest = a->alt_dest;
    r.max_send_wr = qp->cap.max_send_wr;
    r.max_recv_wr = qp->cap.max_recv_wr;
    r.max_send_sge = qp->cap.max_send_sge;
    r.max_recv_sge = qp->cap.max_recv_sge;
    r.max_inline_data = qp->cap.max_inline_data;
    r.qkey = a->qkey;
    r.rq_psn = qp->epsn;
    r.sq_psn = qp->psn;
    r.dest_qp_num = a->dest_qp_num;
    r.qp_access_flags = a->qp_access_flags;
    r.pkey_index = a->pkey_index;
    r.alt_pkey_index = a->alt_pkey_index;
    r.qp_state = r.cur_qp_state = (uint8_t)qp->state;
    r.path_mtu = a->path_mtu;
    r.path_mig_state = a->path_mig_state;
    r.sq_draining = qp->draining;
    r.max_rd_atomic = a->max_rd_atomic;
    r.max_dest_rd_atomic = a->max_dest_rd_atomic;
    r.min_rnr_timer = a->min_rnr_timer;
    r.port_num = a->port_num;
    r.timeout = a->timeout;
    r.retry_cnt = a->retry_cnt;
    r.rnr_retry = a->rnr_retry;
    r.alt_port_num = a->alt_port_num;
    r.alt_timeout = a->alt_timeout;
    r.sq_sig_all = qp->sig_all;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int multicast(struct sim_cmd *cmd, int (*change)(struct sim_qp *, const uint8_t *, uint16_t))
{
    struct ib_uverbs_attach_mcast in; /* detaching has the same form */
    struct sim_qp *qp;

    if (!command(cmd, &in, offsetof(struct ib_uverbs_attach_mcast, driver_data)))
        return EINVAL;
    qp = sim_obj_get(cmd->ctx, in.qp_handle, SIM_QP);
    return qp ? change(qp, in.gid, in.mlid) : EINVAL;
}

static int create_qp_ex(struct sim_cmd *cmd)
{
    struct ib_uverbs_ex_create_qp in;
    struct ib_uverbs_ex_create_qp_resp r = {0};
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    error = sim_qp_create_ex(cmd, &in, &r);
    if (!error)
        answer(cmd, &r, sizeof r);
    return error;
}

static int open_qp(struct sim_cmd *cmd)
{
    struct ib_uverbs_open_qp in;
    struct ib_uverbs_create_qp_resp r = {0};
    struct sim_xrcd *xrcd;
    struct sim_qp *qp;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    xrcd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_XRCD);
    qp = sim_qp_find(cmd->ctx->dev, in.qpn);
    if (!xrcd || in.qp_type != IB_UVERBS_QPT_XRC_TGT || !qp || qp->type != IB_UVERBS_QPT_XRC_TGT ||
        qp->xrcd->inode != xrcd->inode || (!xrcd->inode && qp->xrcd != xrcd))
        return EINVAL;
    /* Only the same context can share: the handle of another one means nothing here. */
    if (qp->obj.ctx != cmd->ctx)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "sharing a queue pair of another context");
    qp->opens++;
    r.qp_handle = qp->obj.handle;
    r.qpn = qp->qpn;
    answer(cmd, &r, sizeof r);
    return 0;
}

/* Whether a context of this process has a domain of that file open on the device. */
static bool xrcd_exists(const struct sim_device *dev, uint64_t inode)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; ctx && ctx->dev == dev && h < ctx->n_objs; h++) {
            struct sim_xrcd *xrcd = sim_obj_get(ctx, h, SIM_XRCD);

            if (xrcd && xrcd->inode == inode)
                return true;
        }
    }
    return false;
}

static int open_xrcd(struct sim_cmd *cmd)
{
    struct ib_uverbs_open_xrcd in;
    struct ib_uverbs_open_xrcd_resp r = {0};
    struct sim_xrcd *xrcd;
    struct stat st = {0};

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    if (in.fd != (uint32_t)-1 && fstat((int)in.fd, &st))
        return EBADF;
    if (st.st_ino) { /* as the kernel answers */
        bool exists = xrcd_exists(cmd->ctx->dev, st.st_ino);

        if (!exists && !(in.oflags & O_CREAT))
            return EAGAIN;
        if (exists && (in.oflags & O_EXCL))
            return EINVAL;
    }
    xrcd = sim_obj_new(cmd->ctx, SIM_XRCD, sizeof *xrcd);
    if (!xrcd)
        return ENOMEM;
    xrcd->inode = st.st_ino;
    r.xrcd_handle = xrcd->obj.handle;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int modify_srq(struct sim_cmd *cmd)
{
    struct ib_uverbs_modify_srq in;
    struct sim_srq *srq;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    srq = sim_obj_get(cmd->ctx, in.srq_handle, SIM_SRQ);
    if (!srq || in.attr_mask & ~(uint32_t)IBV_SRQ_LIMIT || in.srq_limit > srq->max_wr)
        return EINVAL; /* like the real device, no resizing */
    if (in.attr_mask & IBV_SRQ_LIMIT)
        srq->limit = in.srq_limit;
    return 0;
}

static int query_srq(struct sim_cmd *cmd)
{
    struct ib_uverbs_query_srq in;
    struct ib_uverbs_query_srq_resp r = {0};
    struct sim_srq *srq;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    srq = sim_obj_get(cmd->ctx, in.srq_handle, SIM_SRQ);
    if (!srq)
        return EINVAL;
    r.max_wr = srq->max_wr;
    r.max_sge = srq->max_sge;
    r.srq_limit = srq->limit;
    answer(cmd, &r, sizeof r);
    return 0;
}

static int create_ah(struct sim_cmd *cmd)
{
    struct ib_uverbs_create_ah in;
    struct ib_uverbs_create_ah_resp r = {0};
    struct sim_pd *pd;
    struct sim_ah *ah;
    int error;

    if (!command(cmd, &in, sizeof in))
        return EINVAL;
    pd = sim_obj_get(cmd->ctx, in.pd_handle, SIM_PD);
    if (!pd || in.attr.port_num < 1 || in.attr.port_num > cmd->ctx->dev->n_ports)
        return EINVAL;
    if (in.attr.is_global && in.attr.grh.sgid_index >= cmd->ctx->dev->n_gids)
        return EINVAL;
    ah = sim_obj_new(cmd->ctx, SIM_AH, sizeof *ah);
    if (!ah)
        return ENOMEM;
    ah->pd = pd;
    memcpy(ah->gid, in.attr.grh.dgid, 16);
    pd->obj.users++;
    error = cmd->ctx->dev->vendor->create_ah(cmd, ah, &in.attr);
    if (error) {
        sim_obj_drop(&ah->obj);
        return error;
    }
    r.ah_handle = ah->obj.handle;
    answer(cmd, &r, sizeof r);
    return 0;
}

#define EX IB_USER_VERBS_CMD_FLAG_EXTENDED

int sim_write_cmd(struct sim_cmd *cmd)
{
    switch (cmd->write_cmd) {
    case IB_USER_VERBS_CMD_QUERY_DEVICE: return query_device(cmd);
    case EX | IB_USER_VERBS_EX_CMD_QUERY_DEVICE: return query_device_ex(cmd);
    case IB_USER_VERBS_CMD_ALLOC_PD: return alloc_pd(cmd);
    case IB_USER_VERBS_CMD_REG_MR: return reg_mr(cmd);
    case IB_USER_VERBS_CMD_REREG_MR: return rereg_mr(cmd);
    case IB_USER_VERBS_CMD_ALLOC_MW: return alloc_mw(cmd);
    case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL: return create_channel(cmd);
    case IB_USER_VERBS_CMD_RESIZE_CQ: return resize_cq(cmd);
    case EX | IB_USER_VERBS_EX_CMD_MODIFY_CQ: return modify_cq(cmd);
    case IB_USER_VERBS_CMD_MODIFY_QP: return modify_qp(cmd);
    case EX | IB_USER_VERBS_EX_CMD_MODIFY_QP: return modify_qp_ex(cmd);
    case IB_USER_VERBS_CMD_QUERY_QP: return query_qp(cmd);
    case IB_USER_VERBS_CMD_ATTACH_MCAST: return multicast(cmd, sim_attach);
    case IB_USER_VERBS_CMD_DETACH_MCAST: return multicast(cmd, sim_detach);
    case EX | IB_USER_VERBS_EX_CMD_CREATE_QP: return create_qp_ex(cmd);
    case IB_USER_VERBS_CMD_OPEN_QP: return open_qp(cmd);
    case IB_USER_VERBS_CMD_OPEN_XRCD: return open_xrcd(cmd);
    case IB_USER_VERBS_CMD_MODIFY_SRQ: return modify_srq(cmd);
    case IB_USER_VERBS_CMD_QUERY_SRQ: return query_srq(cmd);
    case IB_USER_VERBS_CMD_CREATE_AH: return create_ah(cmd);
    case EX | IB_USER_VERBS_EX_CMD_CREATE_FLOW: return sim_rule_create_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_DESTROY_FLOW: return sim_rule_destroy_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_CREATE_WQ: return sim_wq_create_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_MODIFY_WQ: return sim_wq_modify_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_DESTROY_WQ: return sim_wq_destroy_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL: return sim_table_create_ex(cmd);
    case EX | IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL: return sim_table_destroy_ex(cmd);
    }
    return sim_refuse(cmd->ctx, EOPNOTSUPP, "command %u%s is not known", cmd->write_cmd & ~EX,
        cmd->write_cmd & EX ? " (extended)" : "");
}
