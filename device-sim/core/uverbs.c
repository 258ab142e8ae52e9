/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The uverbs ioctl: a header with an object,
 a method and a list of attributes. Each method here names the attributes it
 * knows; another one that is marked mandatory is refused,
 as the kernel does. What goes back is cut to the room the caller
 * has, which is why libraries older and newer than this file work.
 */
#include <errno.h>
#include <string.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "frames.h"

struct ib_uverbs_attr *sim_attr(struct sim_cmd *cmd, uint16_t id)
{
    for (unsigned i = 0; i < cmd->hdr->num_attrs; i++)
        if (cmd->hdr->attrs[i].attr_id == id)
            return &cmd->hdr->attrs[i];
    return NULL;
}

/* Up to eight bytes travel in the attribute itself. What the caller does not have reads as zero. */
bool sim_in(struct sim_cmd *cmd, uint16_t id, void *to, size_t size)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    memset(to, 0, size);
    if (!a)
        return false;
    memcpy(to, a->len <= sizeof a->data ? (void *)&a->data : (void *)(uintptr_t)a->data, a->len < size ? a->len : size);
    return true;
}

uint64_t sim_in_u64(struct sim_cmd *cmd, uint16_t id, uint64_t none)
{
    uint64_t value;

    return sim_in(cmd, id, &value, sizeof value) ? value : none;
}

void *sim_in_obj(struct sim_cmd *cmd, uint16_t id, enum sim_type type)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    return a ? sim_obj_get(cmd->ctx, (uint32_t)a->data, type) : NULL;
}

void sim_out(struct sim_cmd *cmd, uint16_t id, const void *from, size_t size)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    if (!a || !a->len)
        return;
    memset((void *)(uintptr_t)a->data, 0, a->len);
    memcpy((void *)(uintptr_t)a->data, from, a->len < size ? a->len : size);
    a->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

void sim_out_obj(struct sim_cmd *cmd, uint16_t id, const struct sim_obj *obj)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    if (a)
        a->data = obj->handle;
}

size_t sim_out_room(struct sim_cmd *cmd, uint16_t id)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    return a ? a->len : 0;
}

bool sim_in_driver(struct sim_cmd *cmd, void *to, size_t size)
{
    return sim_in(cmd, UVERBS_ATTR_UHW_IN, to, size);
}

void sim_out_driver(struct sim_cmd *cmd, const void *from, size_t size)
{
    sim_out(cmd, UVERBS_ATTR_UHW_OUT, from, size);
}

/* -- methods of the device --------------------------------------------------------------------- */

static int invoke_write(struct sim_cmd *cmd)
{
    if (!sim_attr(cmd, UVERBS_ATTR_WRITE_CMD))
        return EINVAL;
    cmd->write_cmd = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_WRITE_CMD, 0);
    return sim_write_cmd(cmd);
}

static int get_context(struct sim_cmd *cmd)
{
    uint32_t vectors = 1;
    uint64_t support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
    int error;

    if (cmd->ctx->ready)
        return EINVAL;
    error = cmd->ctx->dev->vendor->get_context(cmd);
    if (error)
        return error;
    cmd->ctx->ready = true;
    cmd->ctx->dev->vendor->set_clock(cmd->ctx, sim_ticks()); /* not first with the next step */
    sim_out(cmd, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof vectors);
    sim_out(cmd, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof support);
    return 0;
}

/* What one who has a duplicate of the descriptor asks for: the context is there. */
static int query_context(struct sim_cmd *cmd)
{
    uint32_t vectors = 1;
    uint64_t support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
    const struct sim_vendor *vendor = cmd->ctx->dev->vendor;
    int error = vendor->query_context ? vendor->query_context(cmd) : EOPNOTSUPP;

    if (error)
        return error;
    sim_out(cmd, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof vectors);
    sim_out(cmd, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &support, sizeof support);
    return 0;
}

static int query_port(struct sim_cmd *cmd)
{
    struct ib_uverbs_query_port_resp_ex out = {0};
    struct ib_uverbs_query_port_resp *r = &out.legacy_resp;
    uint64_t number = sim_in_u64(cmd, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 0);
    const struct sim_port *port;

    if (number < 1 || number > (unsigned)cmd->ctx->dev->n_ports)
        return EINVAL;
    port = &cmd->ctx->dev->port[number - 1];
    r->state = (uint8_t)port->state;
    r->max_mtu = r->active_mtu = IBV_MTU_4096;
    r->gid_tbl_len = (int32_t)(port->n_gids + sim_empty_gids(cmd->ctx->dev));
    r->pkey_tbl_len = 1;
    r->max_msg_sz = cmd->ctx->dev->vendor->own_fabric ? SIM_MAX_DATAGRAM : SIM_MAX_MSG;
    r->lid = port->lid;
    r->sm_lid = port->lid;
    r->max_vl_num = 1;
    r->active_width = 2; /* 4X */
    r->active_speed = 32; /* EDR */
    r->phys_state = port->state == IBV_PORT_ACTIVE ? 5 : 3;
    r->port_cap_flags = IB_UVERBS_PCF_CM_SUP;
    r->link_layer = (uint8_t)cmd->ctx->dev->link_layer;
    if (r->link_layer == IBV_LINK_LAYER_ETHERNET) {
        r->port_cap_flags |= IB_UVERBS_PCF_IP_BASED_GIDS;
        r->flags = IB_UVERBS_QPF_GRH_REQUIRED;
    }
    sim_out(cmd, UVERBS_ATTR_QUERY_PORT_RESP, &out, sizeof out);
    return 0;
}

/* Newer than the headers this may be built with. */
enum { QUERY_PORT_SPEED = 7, PORT_SPEED_PORT = 0, PORT_SPEED_RESP = 1 };

static int query_port_speed(struct sim_cmd *cmd)
{
    uint64_t number = sim_in_u64(cmd, PORT_SPEED_PORT, 0), speed = 1000; /* of 100 Mb/s */

    if (number < 1 || number > (unsigned)cmd->ctx->dev->n_ports)
        return EINVAL;
    sim_out(cmd, PORT_SPEED_RESP, &speed, sizeof speed);
    return 0;
}

static void fill_gid(const struct sim_device *dev, int port, unsigned index, struct ib_uverbs_gid_entry *e)
{
    memset(e, 0, sizeof *e);
    memcpy(e->gid, dev->port[port].gid[index], 16);
    e->gid_index = index;
    e->port_num = (uint32_t)port + 1;
    e->gid_type = dev->link_layer != IBV_LINK_LAYER_ETHERNET || dev->port[port].internal ? IB_UVERBS_GID_TYPE_IB : index & 1 ?
        IB_UVERBS_GID_TYPE_ROCE_V2 : IB_UVERBS_GID_TYPE_ROCE_V1;
}

static int query_gid_entry(struct sim_cmd *cmd)
{
    uint64_t port = sim_in_u64(cmd, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 0);
    uint64_t index = sim_in_u64(cmd, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 0);
    struct ib_uverbs_gid_entry e;

    if (sim_in_u64(cmd, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 0))
        return EINVAL;
    if (port < 1 || port > (unsigned)cmd->ctx->dev->n_ports || index >= cmd->ctx->dev->port[port - 1].n_gids + sim_empty_gids(cmd->ctx->dev))
        return EINVAL;
    if (index >= cmd->ctx->dev->port[port - 1].n_gids)
        return ENODATA;
    fill_gid(cmd->ctx->dev, (int)port - 1, (unsigned)index, &e);
    sim_out(cmd, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &e, sizeof e);
    return 0;
}

static int query_gid_table(struct sim_cmd *cmd)
{
    static uint8_t table[SIM_MAX_PORTS * SIM_GIDS * 256];
    uint64_t size = sim_in_u64(cmd, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, 0);
    uint64_t n = 0, room = sim_out_room(cmd, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES);
    struct ib_uverbs_gid_entry e;

    if (sim_in_u64(cmd, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0) || size < sizeof e || size > 256)
        return EINVAL;
    for (int p = 0; p < cmd->ctx->dev->n_ports; p++)
        for (unsigned i = 0; i < cmd->ctx->dev->port[p].n_gids; i++, n++) {
            fill_gid(cmd->ctx->dev, p, i, &e);
            memset(table + n * size, 0, size);
            memcpy(table + n * size, &e, sizeof e);
        }
    if (n * size > room)
        return EINVAL;
    sim_out(cmd, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, table, n * size);
    sim_out(cmd, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &n, sizeof n);
    return 0;
}

static int alloc_async(struct sim_cmd *cmd)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);

    struct sim_channel *ch;

    if (!a)
        return EINVAL;
    ch = sim_channel_new(cmd->ctx, true);
    if (!ch)
        return EMFILE;
    a->data_s64 = ch->read_fd;
    return 0;
}

/* -- destroying what needs no answer ----------------------------------------------------------- */

static int destroy(struct sim_cmd *cmd, uint16_t id, enum sim_type type)
{
    struct sim_obj *obj = sim_in_obj(cmd, id, type);

    return obj ? sim_obj_destroy(obj) : EINVAL;
}

static int pd_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_PD_HANDLE, SIM_PD);
}

static int mr_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_MR_HANDLE, SIM_MR);
}

static int query_mr(struct sim_cmd *cmd)
{
    const struct sim_mr *mr = sim_in_obj(cmd, UVERBS_ATTR_QUERY_MR_HANDLE, SIM_MR);

    if (!mr)
        return EINVAL;
    sim_out(cmd, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &mr->mkey->key, sizeof mr->mkey->key);
    sim_out(cmd, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &mr->mkey->key, sizeof mr->mkey->key);
    sim_out(cmd, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->mkey->length, sizeof mr->mkey->length);
    sim_out(cmd, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->mkey->iova, sizeof mr->mkey->iova);
    return 0;
}

static int mw_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_MW_HANDLE, SIM_MW);
}

static int ah_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_AH_HANDLE, SIM_AH);
}

static int table_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE, SIM_TABLE);
}

static int xrcd_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, UVERBS_ATTR_DESTROY_XRCD_HANDLE, SIM_XRCD);
}

/* -- the table --------------------------------------------------------------------------------- */

/* Newer than the headers this may be built with. */
enum { METHOD_REG_MR = 5 };

#define DRIVER 3u /* the two attributes of the vendor's part: in, out */

static const struct {
    uint16_t object, method;
    uint32_t core, driver; /* which attributes are known */
    bool early; /* allowed before GET_CONTEXT */
    int (*run)(struct sim_cmd *cmd);
} methods[] = {
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, 0x7, DRIVER, true, invoke_write},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, 0x3, DRIVER, true, get_context},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, 0x3, 0x1, false, query_context},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, 0x3, 0, false, query_port},
    {UVERBS_OBJECT_DEVICE, QUERY_PORT_SPEED, 0x3, 0, false, query_port_speed},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, 0xf, 0, false, query_gid_entry},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, 0xf, 0, false, query_gid_table},
    {UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, 0x1, 0, false, alloc_async},
    {UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 0x1, 0, false, pd_destroy},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, 0x1, 0, false, mr_destroy},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, 0x1f, 0, false, query_mr},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, 0xf, 0, false, sim_advise_mr},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, 0x1ff, DRIVER, false, sim_reg_dmabuf},
    {UVERBS_OBJECT_MR, METHOD_REG_MR, 0x7ff, 0, false, sim_reg_mr},
    {UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, 0x1, 0, false, mw_destroy},
    {UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, 0x1, 0, false, ah_destroy},
    {UVERBS_OBJECT_XRCD, UVERBS_METHOD_XRCD_DESTROY, 0x1, 0, false, xrcd_destroy},
    {UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, 0xfff, DRIVER, false, sim_cq_create},
    {UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, 0x3, 0, false, sim_cq_destroy},
    {UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE, 0x7fff, DRIVER, false, sim_qp_create},
    {UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY, 0x3, 0, false, sim_qp_destroy},
    {UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE, 0x3fff, DRIVER, false, sim_srq_create},
    {UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY, 0x3, 0, false, sim_srq_destroy},
    {UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE, 0xfff, DRIVER, false, sim_wq_create},
    {UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY, 0x3, 0, false, sim_wq_destroy},
    {UVERBS_OBJECT_RWQ_IND_TBL, UVERBS_METHOD_RWQ_IND_TBL_DESTROY, 0x1, 0, false, table_destroy},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE, 0x1, 0, false, sim_counters_create},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY, 0x1, 0, false, sim_counters_destroy},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_READ, 0x7, 0, false, sim_counters_read},
    {UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY, 0x1, 0, false, sim_rule_destroy},
};

static bool knows_all(struct sim_cmd *cmd, uint32_t core, uint32_t driver)
{
    for (unsigned i = 0; i < cmd->hdr->num_attrs; i++) {
        const struct ib_uverbs_attr *a = &cmd->hdr->attrs[i];
        uint32_t mask = a->attr_id & UVERBS_UDATA_DRIVER_DATA_FLAG ? driver : core;
        unsigned bit = a->attr_id & ~(unsigned)UVERBS_UDATA_DRIVER_DATA_FLAG;

        if ((a->flags & UVERBS_ATTR_F_MANDATORY) && (bit > 31 || !(mask & 1u << bit))) {
            sim_refuse(cmd->ctx, 0, "object 0x%x method 0x%x: attribute 0x%x is not known", cmd->hdr->object_id,
                cmd->hdr->method_id, a->attr_id);
            return false;
        }
    }
    return true;
}

/* What a child of fork can't make with a context that it inherited: objects.c says why. */
static bool is_parents(struct sim_cmd *cmd)
{
    uint16_t object = cmd->hdr->object_id, method = cmd->hdr->method_id;

    if (object == UVERBS_OBJECT_DEVICE && method == UVERBS_METHOD_INVOKE_WRITE)
        switch (sim_in_u64(cmd, UVERBS_ATTR_WRITE_CMD, 0)) {
        case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
        case IB_USER_VERBS_CMD_RESIZE_CQ:
        case IB_USER_VERBS_CMD_MODIFY_QP:
        case IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_QP:
        case IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP:
        case IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_WQ:
        case IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_WQ:
        case IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_FLOW:
            return true;
        }
    return object == UVERBS_OBJECT_ASYNC_EVENT || (object == UVERBS_OBJECT_CQ && method == UVERBS_METHOD_CQ_CREATE) ||
        (object == UVERBS_OBJECT_QP && method == UVERBS_METHOD_QP_CREATE) ||
        (object == UVERBS_OBJECT_SRQ && method == UVERBS_METHOD_SRQ_CREATE) ||
        (object == UVERBS_OBJECT_WQ && method == UVERBS_METHOD_WQ_CREATE) ||
        (object >> UVERBS_ID_NS_SHIFT && method == 1 << UVERBS_ID_NS_SHIFT); /* the vendor's: the first one makes something */
}

int sim_ioctl(struct sim_context *ctx, struct ib_uverbs_ioctl_hdr *hdr)
{
    struct sim_cmd cmd = {.ctx = ctx, .hdr = hdr};
    int error;

    if (hdr->length != sizeof *hdr + hdr->num_attrs * sizeof hdr->attrs[0] || hdr->reserved1 || hdr->reserved2)
        return EINVAL;
    if ((int)hdr->driver_id != ctx->dev->vendor->driver_id)
        return EINVAL;
    if (ctx->inherited && is_parents(&cmd))
        return sim_refuse(ctx, EOPNOTSUPP, "object 0x%x method 0x%x in a child of fork, by a descriptor of its parent",
            hdr->object_id, hdr->method_id);
    for (unsigned i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (methods[i].object != hdr->object_id || methods[i].method != hdr->method_id)
            continue;
        if (!ctx->ready && !methods[i].early)
            return EINVAL;
        if (!knows_all(&cmd, methods[i].core, methods[i].driver))
            return EPROTONOSUPPORT;
        return methods[i].run(&cmd);
    }
    error = ctx->ready ? ctx->dev->vendor->method(&cmd) : -1;
    if (error >= 0)
        return error;
    return sim_refuse(ctx, EPROTONOSUPPORT, "object 0x%x method 0x%x is not known", hdr->object_id, hdr->method_id);
}
