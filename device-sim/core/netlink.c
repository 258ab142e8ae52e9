/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA's netlink, where libibverbs and the program `rdma` look for devices first. The process has one end of a pair of local
 * sockets; a request that it sends is answered at once into the other, whole, so that waiting and peeking are the kernel's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include "netdev.h"
#include "nlmsg.h"

#define UVERBS "uverbs"
#define RDMA_CM "rdma_cm"
#define REQUEST_ROOM 8192
#define PHYS_STATE_UP 5
#define PHYS_STATE_DISABLED 3

struct sim_netlink {
    int own; /* the other end */
    uint32_t port; /* as netlink calls the sender's number */
};

/* -- requests ---------------------------------------------------------------------------------- */

static const void *attribute(const struct nlmsghdr *h, uint16_t type, size_t size)
{
    const struct nlattr *a;

    for (size_t at = NLMSG_HDRLEN; (a = nl_attribute(h, at)); at += NLA_ALIGN(a->nla_len))
        if ((a->nla_type & NLA_TYPE_MASK) == type && a->nla_len >= NLA_HDRLEN + size)
            return (const uint8_t *)a + NLA_HDRLEN;
    return NULL;
}

static uint32_t number(const struct nlmsghdr *h, uint16_t type, uint32_t otherwise)
{
    const void *at = attribute(h, type, sizeof otherwise);

    if (at)
        memcpy(&otherwise, at, sizeof otherwise);
    return otherwise;
}

static void put_name(struct nl_writer *r, const struct sim_device *dev)
{
    nl_put_u32(r, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)dev->index);
    nl_put_text(r, RDMA_NLDEV_ATTR_DEV_NAME, dev->name);
}

static void put_device(struct nl_writer *r, const struct sim_device *dev)
{
    put_name(r, dev);
    nl_put_u32(r, RDMA_NLDEV_ATTR_PORT_INDEX, (uint32_t)dev->n_ports);
    nl_put_text(r, RDMA_NLDEV_ATTR_FW_VERSION, SIM_FIRMWARE);
    nl_put_u64(r, RDMA_NLDEV_ATTR_NODE_GUID, dev->guid);
    nl_put_u64(r, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, dev->guid);
    nl_put_u8(r, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, (uint8_t)dev->vendor->node_type);
    if (dev->link_layer != IBV_LINK_LAYER_UNSPECIFIED)
        nl_put_text(r, RDMA_NLDEV_ATTR_DEV_PROTOCOL, dev->link_layer == IBV_LINK_LAYER_ETHERNET ? "roce" : "ib");
}

static void put_port(struct nl_writer *r, const struct sim_device *dev, int p)
{
    const struct sim_port *port = &dev->port[p];

    put_name(r, dev);
    nl_put_u32(r, RDMA_NLDEV_ATTR_PORT_INDEX, (uint32_t)p + 1);
    if (dev->link_layer == IBV_LINK_LAYER_INFINIBAND) {
        uint64_t prefix;

        memcpy(&prefix, port->gid[0], sizeof prefix);
        nl_put_u64(r, RDMA_NLDEV_ATTR_SUBNET_PREFIX, __builtin_bswap64(prefix));
        nl_put_u32(r, RDMA_NLDEV_ATTR_LID, port->lid);
        nl_put_u32(r, RDMA_NLDEV_ATTR_SM_LID, port->lid);
        nl_put_u8(r, RDMA_NLDEV_ATTR_LMC, 0);
    }
    nl_put_u8(r, RDMA_NLDEV_ATTR_PORT_STATE, (uint8_t)port->state);
    nl_put_u8(r, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, port->state == IBV_PORT_ACTIVE ? PHYS_STATE_UP : PHYS_STATE_DISABLED);
    if (sim_has_netdev(dev)) {
        char name[16];

        sim_netdev_name(dev, p, name);
        nl_put_u32(r, RDMA_NLDEV_ATTR_NDEV_INDEX, sim_netdev_index(dev, p));
        nl_put_text(r, RDMA_NLDEV_ATTR_NDEV_NAME, name);
    }
}

/* The file that libibverbs opens. */
static int put_chardev(struct nl_writer *r, const struct sim_device *dev, uint16_t type)
{
    const char *what = attribute(r->request, RDMA_NLDEV_ATTR_CHARDEV_TYPE, sizeof UVERBS);
    char name[16];

    if (!what || memcmp(what, UVERBS, sizeof UVERBS))
        return EOPNOTSUPP;
    snprintf(name, sizeof name, "uverbs%d", dev->index);
    nl_begin(r, type, 0);
    nl_put_u64(r, RDMA_NLDEV_ATTR_CHARDEV, SIM_DEVICE_MAJOR << 8 | (SIM_DEVICE_MINOR + (unsigned)dev->index));
    nl_put_u64(r, RDMA_NLDEV_ATTR_CHARDEV_ABI, (uint64_t)dev->vendor->abi_version);
    nl_put_text(r, RDMA_NLDEV_ATTR_CHARDEV_NAME, name);
    return 0;
}

/* The connection manager's, which is of no device. */
static int put_cm(struct nl_writer *r, uint16_t type)
{
    const char *what = attribute(r->request, RDMA_NLDEV_ATTR_CHARDEV_TYPE, sizeof RDMA_CM);

    if (!what || memcmp(what, RDMA_CM, sizeof RDMA_CM))
        return EINVAL;
    nl_begin(r, type, 0);
    nl_put_u64(r, RDMA_NLDEV_ATTR_CHARDEV, SIM_CM_MAJOR << 8 | SIM_CM_MINOR);
    nl_put_u64(r, RDMA_NLDEV_ATTR_CHARDEV_ABI, SIM_CM_ABI);
    nl_put_text(r, RDMA_NLDEV_ATTR_CHARDEV_NAME, RDMA_CM);
    return 0;
}

/* One device or one port, or with a dump all of them. */
static int list(struct nl_writer *r, unsigned op, uint16_t type)
{
    bool dump = (r->request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
    uint32_t index = number(r->request, RDMA_NLDEV_ATTR_DEV_INDEX, UINT32_MAX);
    uint32_t port = dump ? UINT32_MAX : number(r->request, RDMA_NLDEV_ATTR_PORT_INDEX, UINT32_MAX);
    uint16_t flags = dump ? NLM_F_MULTI : 0;

    if (!(dump && op == RDMA_NLDEV_CMD_GET) && index >= (unsigned)sim_config.n_devices)
        return EINVAL;
    if (!dump && op == RDMA_NLDEV_CMD_PORT_GET && (port < 1 || port > (unsigned)sim_devices[index].n_ports))
        return EINVAL;
    for (int d = 0; d < sim_config.n_devices; d++) {
        const struct sim_device *dev = &sim_devices[d];

        if (index != UINT32_MAX && index != (uint32_t)d)
            continue;
        if (op == RDMA_NLDEV_CMD_GET) {
            nl_begin(r, type, flags);
            put_device(r, dev);
        }
        for (int p = 0; op == RDMA_NLDEV_CMD_PORT_GET && p < dev->n_ports; p++)
            if (dump || port == (uint32_t)p + 1) {
                nl_begin(r, type, flags);
                put_port(r, dev, p);
            }
    }
    return 0;
}

static int answer(struct nl_writer *r)
{
    uint16_t type = r->request->nlmsg_type;
    unsigned op = RDMA_NL_GET_OP(type);
    uint32_t index = number(r->request, RDMA_NLDEV_ATTR_DEV_INDEX, UINT32_MAX);

    if (RDMA_NL_GET_CLIENT(type) != RDMA_NL_NLDEV)
        return EINVAL;
    switch (op) {
    case RDMA_NLDEV_CMD_GET:
    case RDMA_NLDEV_CMD_PORT_GET:
        return list(r, op, type);
    case RDMA_NLDEV_CMD_GET_CHARDEV:
        return index < (unsigned)sim_config.n_devices ? put_chardev(r, &sim_devices[index], type) :
            index == UINT32_MAX ? put_cm(r, type) : EINVAL;
    case RDMA_NLDEV_CMD_SYS_GET:
        nl_begin(r, type, 0);
        nl_put_u8(r, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1);
        return 0;
    }
    return EOPNOTSUPP;
}

static void serve(struct sim_netlink *n, const struct nlmsghdr *request)
{
    static struct nl_writer r; /* under the lock */
    bool dump = (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
    int error;

    r.used = 0;
    r.request = request;
    r.port = n->port;
    error = answer(&r);
    if (error) {
        r.used = 0;
        nl_put_error(&r, error);
    } else if (dump) {
        nl_put_done(&r);
    } else if (request->nlmsg_flags & NLM_F_ACK) {
        nl_put_error(&r, 0);
    }
    if (r.used)
        send(n->own, r.bytes, r.used, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* -- the socket -------------------------------------------------------------------------------- */

struct sim_netlink *sim_netlink_open(int type, int *fd)
{
    struct sim_netlink *n = calloc(1, sizeof *n);
    static uint32_t sockets;
    int pair[2];

    if (!n)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_DGRAM | (type & (SOCK_CLOEXEC | SOCK_NONBLOCK)), 0, pair)) {
        free(n);
        return NULL;
    }
    *fd = pair[0];
    n->own = pair[1];
    n->port = (uint32_t)getpid() + (sockets++ << 22); /* as libnl chooses it */
    return n;
}

void sim_netlink_close(struct sim_netlink *n)
{
    close(n->own);
    free(n);
}

void sim_netlink_bind(struct sim_netlink *n, const struct sockaddr *address, size_t size)
{
    struct sockaddr_nl to;

    if (size < sizeof to)
        return;
    memcpy(&to, address, sizeof to);
    if (to.nl_pid)
        n->port = to.nl_pid;
}

/* The kernel's own number is 0. */
void sim_netlink_address(const struct sim_netlink *n, void *to, size_t room, uint32_t *size)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_pid = n ? n->port : 0};

    if (to)
        memcpy(to, &address, room < sizeof address ? room : sizeof address);
    if (size)
        *size = sizeof address;
}

void sim_netlink_take(struct sim_netlink *n, const void *data, size_t size)
{
    static uint8_t copy[REQUEST_ROOM] __attribute__((aligned(8))); /* under the lock */
    const uint8_t *at = copy;

    if (size > sizeof copy)
        return;
    memcpy(copy, data, size);
    while (size >= NLMSG_HDRLEN) {
        const struct nlmsghdr *h = (const struct nlmsghdr *)at;
        size_t whole = NLMSG_ALIGN(h->nlmsg_len);

        if (h->nlmsg_len < NLMSG_HDRLEN || h->nlmsg_len > size)
            return;
        if (h->nlmsg_flags & NLM_F_REQUEST)
            serve(n, h);
        if (whole >= size)
            return;
        at += whole;
        size -= whole;
    }
}
