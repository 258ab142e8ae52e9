/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the connection manager tells of an id, and how it may be set. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "cm.h"

static int query_address(const struct cm_id *id, struct rdma_ucm_query_addr_resp *r)
{
    r->src_size = (uint16_t)sim_address_size(&id->src);
    r->dst_size = (uint16_t)sim_address_size(&id->dst);
    memcpy(&r->src_addr, &id->src, r->src_size);
    memcpy(&r->dst_addr, &id->dst, r->dst_size);
    if (id->dev) {
        r->node_guid = __builtin_bswap64(id->dev->guid);
        r->port_num = (uint8_t)(id->port + 1);
        r->pkey = 0xffff;
        r->ibdev_index = (uint32_t)id->dev->index;
    }
    return 0;
}

/* An address of InfiniBand's: the GID, and the service that the port stands for. */
static uint16_t put_gid(const struct cm_id *id, const union sim_address *a, const uint8_t gid[16], void *to)
{
    struct {
        uint16_t family, pkey;
        uint32_t flow;
        uint8_t gid[16];
        uint64_t service, mask, scope;
    } ib = {.family = SIM_AF_IB, .pkey = 0xffff, .mask = UINT64_MAX};

    memcpy(ib.gid, gid, 16);
    ib.service = __builtin_bswap64((uint64_t)id->ps << 16 | ntohs(a->in.sin_port));
    memcpy(to, &ib, sizeof ib);
    return sizeof ib;
}

static void query_gid(const struct cm_id *id, struct rdma_ucm_query_addr_resp *r)
{
    query_address(id, r);
    memset(&r->src_addr, 0, sizeof r->src_addr);
    memset(&r->dst_addr, 0, sizeof r->dst_addr);
    r->src_size = put_gid(id, &id->src, id->sgid, &r->src_addr);
    r->dst_size = put_gid(id, &id->dst, id->dgid, &r->dst_addr);
}

static void put_be32(uint8_t *to, uint32_t value)
{
    value = htonl(value);
    memcpy(to, &value, sizeof value);
}

static uint32_t flow_label(const struct cm_id *id)
{
    return (31u * ntohs(id->src.in.sin_port) + ntohs(id->dst.in.sin_port)) & 0xfffff;
}

static uint8_t packet_life(const struct cm_id *id)
{
    return (uint8_t)(id->has_timeout ? id->timeout - (id->timeout != 0) : CM_PACKET_LIFE);
}

#define EXACTLY 0x80 /* of a path's MTU, rate and life: the selector 2 */

/* A record of InfiniBand's subnet administration. */
static void put_path(const struct cm_id *id, uint8_t path[64])
{
    memset(path, 0, 64);
    memcpy(path + 8, id->dgid, 16);
    memcpy(path + 24, id->sgid, 16);
    put_be32(path + 44, flow_label(id) << 8 | CM_HOPS);
    path[48] = id->tos;
    path[49] = 0x81; /* reversible, one path */
    path[50] = path[51] = 0xff; /* the partition */
    path[54] = EXACTLY | CM_MTU;
    path[55] = EXACTLY;
    path[56] = EXACTLY | packet_life(id);
}

static int query_path(const struct cm_id *id, struct rdma_ucm_query_path_resp *r, size_t room)
{
    r->num_paths = id->has_route;
    if (!id->has_route || room < sizeof *r + sizeof r->path_data[0])
        return sizeof *r;
    r->path_data[0].flags = IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL;
    put_path(id, (uint8_t *)r->path_data[0].path_rec);
    return sizeof *r + sizeof r->path_data[0];
}

/* The size of the answer, or an errno, negative. */
int cm_query(const struct cm_file *file, const struct rdma_ucm_query *in, void *to, size_t room)
{
    const struct cm_id *id = cm_id_of(file, in->id);

    if (!id)
        return -ENOENT;
    if (room < (in->option == RDMA_USER_CM_QUERY_PATH ? sizeof(struct rdma_ucm_query_path_resp) :
        offsetof(struct rdma_ucm_query_addr_resp, ibdev_index)))
        return -ENOSPC;
    memset(to, 0, sizeof(struct rdma_ucm_query_addr_resp));
    switch (in->option) {
    case RDMA_USER_CM_QUERY_ADDR: query_address(id, to); break;
    case RDMA_USER_CM_QUERY_GID: query_gid(id, to); break;
    case RDMA_USER_CM_QUERY_PATH: return query_path(id, to, room);
    default: return -ENOSYS;
    }
    return (int)(room < sizeof(struct rdma_ucm_query_addr_resp) ? room : sizeof(struct rdma_ucm_query_addr_resp));
}

static void fill_path(const struct cm_id *id, struct ib_user_path_rec *p)
{
    p->flow_label = htonl(flow_label(id));
    p->reversible = 1;
    p->mtu = CM_MTU;
    p->hop_limit = CM_HOPS;
    p->traffic_class = id->tos;
    p->numb_path = 1;
    p->mtu_selector = p->rate_selector = p->packet_life_time_selector = 2;
    p->packet_life_time = packet_life(id);
}

int cm_query_route(const struct cm_file *file, uint32_t handle, struct rdma_ucm_query_route_resp *r)
{
    const struct cm_id *id = cm_id_of(file, handle);

    memset(r, 0, sizeof *r);
    if (!id)
        return ENOENT;
    memcpy(&r->src_addr, &id->src, sizeof r->src_addr);
    memcpy(&r->dst_addr, &id->dst, sizeof r->dst_addr);
    if (!id->dev)
        return 0;
    r->node_guid = __builtin_bswap64(id->dev->guid);
    r->port_num = (uint8_t)(id->port + 1);
    r->ibdev_index = (uint32_t)id->dev->index;
    r->num_paths = id->has_route;
    memcpy(r->ib_route[0].dgid, id->dgid, 16);
    memcpy(r->ib_route[0].sgid, id->sgid, 16);
    r->ib_route[0].pkey = 0xffff;
    if (id->has_route)
        fill_path(id, &r->ib_route[0]);
    return 0;
}

/* -- options ----------------------------------------------------------------------------------- */

static int set_of_id(struct cm_id *id, uint32_t name, uint32_t length, const uint8_t *value)
{
    int number;

    memcpy(&number, value, sizeof number);
    switch (name) {
    case RDMA_OPTION_ID_TOS:
        if (length != 1)
            return EINVAL;
        id->tos = *value;
        return 0;
    case RDMA_OPTION_ID_REUSEADDR:
        if (length != sizeof number || (number ? id->state == CM_LISTENING : id->state != CM_IDLE))
            return EINVAL;
        id->reuse = number;
        return 0;
    case RDMA_OPTION_ID_AFONLY:
        if (length != sizeof number || (id->state != CM_IDLE && id->state != CM_BOUND))
            return EINVAL;
        id->afonly = number;
        return 0;
    case RDMA_OPTION_ID_ACK_TIMEOUT:
        if (length != 1 || id->qp_type != IB_UVERBS_QPT_RC)
            return EINVAL;
        id->timeout = *value;
        id->has_timeout = true;
        return 0;
    }
    return ENOSYS;
}

int cm_set_option(struct cm_id *id, const struct rdma_ucm_set_option *in)
{
    uint8_t value[sizeof(int)] = {0};

    if (in->optlen > SIM_PAGE)
        return EINVAL;
    if (in->level == RDMA_OPTION_IB && in->optname == RDMA_OPTION_IB_PATH) {
        sim_say("rdma_cm: refused: a path that the program brings");
        sim_count(DEVICE_SIM_COUNT_REFUSED);
        return EOPNOTSUPP;
    }
    if (in->level != RDMA_OPTION_ID)
        return ENOSYS;
    if (!sim_mem_read(value, in->optval, in->optlen < sizeof value ? in->optlen : sizeof value))
        return EFAULT;
    return set_of_id(id, in->optname, in->optlen, value);
}
