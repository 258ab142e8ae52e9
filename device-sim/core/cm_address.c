/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The connection manager before there is a connection: addresses, devices, listeners, groups. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "cm.h"

#define MAX_BACKLOG 1024
#define KERNEL_ENOTSUPP 524

static bool is_multicast(const union sim_address *a)
{
    return a->any.sa_family == AF_INET ? IN_MULTICAST(ntohl(a->in.sin_addr.s_addr)) :
        a->any.sa_family == AF_INET6 && a->in6.sin6_addr.s6_addr[0] == 0xff;
}

void cm_use(struct cm_id *id, const struct sim_netdev *n)
{
    const struct sim_port *port = &n->dev->port[n->port];
    uint8_t wanted[16];

    id->dev = n->dev;
    id->port = n->port;
    id->sgid_index = 3;
    sim_address_gid(&id->src, wanted);
    for (unsigned i = 1; i < port->n_gids; i += 2)
        if (!memcmp(port->gid[i], wanted, 16))
            id->sgid_index = (uint8_t)i;
    memcpy(id->sgid, port->gid[id->sgid_index], 16);
}

/* What the kernel refuses of link-local addresses: they must name a link. */
static bool lacks_link(const union sim_address *a)
{
    return a->any.sa_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&a->in6.sin6_addr) && !a->in6.sin6_scope_id;
}

int cm_bind(struct cm_id *id, const union sim_address *to)
{
    struct sim_netdev n;
    int error;

    if (id->state != CM_IDLE || lacks_link(to))
        return EINVAL;
    if (to->any.sa_family == SIM_AF_IB) { /* librdmacm asks whether the kernel knows such addresses */
        id->src = *to;
        id->state = CM_BOUND;
        return 0;
    }
    if (!cm_is_any(to) && !is_multicast(to) && !sim_netdev_by_address(to, &n))
        return EADDRNOTAVAIL;
    id->src = *to;
    error = cm_port_take(id);
    if (error) {
        memset(&id->src, 0, sizeof id->src);
        return error;
    }
    if (!cm_is_any(to) && !is_multicast(to))
        cm_use(id, &n);
    id->state = CM_BOUND;
    return 0;
}

static void set_host(union sim_address *to, const union sim_address *from)
{
    in_port_t port = to->in.sin_port; /* IPv6 has it at the same place */

    *to = *from;
    to->in.sin_port = port;
}

/* To loopback the first device leads, and to itself. The peer refuses such addresses. */
static void use_loopback(struct cm_id *id, const struct sim_netdev *n)
{
    union sim_address own = {.any.sa_family = id->dst.any.sa_family};

    if (own.any.sa_family == AF_INET)
        own.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        own.in6.sin6_addr = in6addr_loopback;
    set_host(&id->dst, &own);
    if (!id->dev) {
        set_host(&id->src, &own);
        cm_use(id, n);
    }
    memcpy(id->dgid, id->sgid, 16);
}

/* Which device leads there: 0, an errno where none does, -1 where nobody answers. */
static int find_way(struct cm_id *id)
{
    static const uint8_t network[3] = {192, 0, 2};
    union sim_address own = {.in = {.sin_family = AF_INET}};
    struct sim_netdev n, first;

    if (!sim_netdev_nth(0, &first))
        return ENODEV;
    if (cm_is_any(&id->dst)) {
        use_loopback(id, &first);
        return 0;
    }
    sim_address_gid(&id->dst, id->dgid);
    if (sim_netdev_by_address(&id->dst, &n)) {
        own = id->dst;
    } else if (is_multicast(&id->dst)) {
        n = first;
        memcpy(&own.in.sin_addr, n.dev->port[n.port].gid[2] + 12, 4);
    } else {
        return id->dst.any.sa_family == AF_INET && !memcmp(&id->dst.in.sin_addr, network, sizeof network) ?
            -1 : ENETUNREACH;
    }
    if (!id->dev) {
        set_host(&id->src, &own);
        cm_use(id, &n);
    }
    return 0;
}

static int resolve_bound(struct cm_id *id, const union sim_address *dst, uint32_t timeout_ms)
{
    int error;

    if (id->state != CM_BOUND || id->src.any.sa_family != dst->any.sa_family || dst->any.sa_family == SIM_AF_IB)
        return EINVAL;
    id->dst = *dst;
    error = find_way(id);
    if (error < 0) { /* nobody has this address */
        id->state = CM_RESOLVING;
        id->deadline = sim_real_time() + (uint64_t)timeout_ms * 1000000;
        cm_wake();
        return 0;
    }
    if (error) {
        cm_tell(id, CM_ADDR_ERROR, -error);
        return 0;
    }
    id->state = CM_HAS_ADDRESS;
    cm_tell(id, CM_ADDR_RESOLVED, 0);
    return 0;
}

int cm_resolve(struct cm_id *id, const union sim_address *src, const union sim_address *dst, uint32_t timeout_ms)
{
    if (lacks_link(dst))
        return EINVAL;
    if (id->state == CM_IDLE) {
        union sim_address any = {.any.sa_family = dst->any.sa_family};
        int error = cm_bind(id, src ? src : &any);

        if (error)
            return error;
    }
    return resolve_bound(id, dst, timeout_ms);
}

int cm_listen(struct cm_id *id, uint32_t backlog)
{
    int error;

    if (id->state == CM_IDLE) {
        union sim_address any = {.in = {.sin_family = AF_INET}};

        error = cm_bind(id, &any);
        if (error)
            return error;
    }
    if (id->state != CM_BOUND)
        return EINVAL;
    error = cm_port_alone(id);
    if (error)
        return error;
    id->backlog = !backlog || backlog > MAX_BACKLOG ? MAX_BACKLOG : backlog;
    id->state = CM_LISTENING;
    return 0;
}

/* -- groups ------------------------------------------------------------------------------------ */

int cm_join(struct cm_id *id, const union sim_address *group, uint64_t uid, uint32_t *handle)
{
    struct cm_group *g;
    struct cm_event *e;

    if ((id->state != CM_BOUND && id->state != CM_HAS_ADDRESS) || !id->dev || id->qp_type != IB_UVERBS_QPT_UD)
        return EINVAL;
    if (group->any.sa_family != AF_INET)
        return KERNEL_ENOTSUPP; /* RoCE v2 has no others */
    if (!is_multicast(group))
        return EINVAL;
    g = cm_group_new(id);
    if (!g)
        return ENOMEM;
    g->uid = uid;
    *handle = g->handle;
    e = cm_tell_group(g, CM_MULTICAST_JOIN, 0);
    e->resp.param.ud.qp_num = SIM_MULTICAST_QPN;
    e->resp.param.ud.qkey = CM_UDP_QKEY;
    cm_address_handle(id, &e->resp.param.ud.ah_attr);
    sim_address_gid(group, e->resp.param.ud.ah_attr.grh.dgid);
    return 0;
}
