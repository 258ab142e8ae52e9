/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The network's netlink (NETLINK_ROUTE), as far as `ip` asks for links and addresses. The socket is the kernel's own.
 * Requests that name a network device of ours are answered here; to a dump of all, ours come before the kernel's.
 */
#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdlib.h>
#include <string.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "interpose.h"
#include "netdev.h"
#include "nlmsg.h"

struct answer {
    struct answer *next;
    size_t size;
    uint8_t bytes[];
};

struct sim_route {
    int fd;
    struct answer *waiting;
};

struct sim_route *sim_route_open(int fd)
{
    struct sim_route *r = calloc(1, sizeof *r);

    if (r)
        r->fd = fd;
    return r;
}

void sim_route_close(struct sim_route *r)
{
    while (r->waiting) {
        struct answer *a = r->waiting;

        r->waiting = a->next;
        free(a);
    }
    free(r);
}

/* -- writing ----------------------------------------------------------------------------------- */

static void put_link(struct nl_writer *w, const struct sim_netdev *n, uint16_t flags)
{
    static const uint8_t broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    struct ifinfomsg *i;
    uint8_t mac[6];
    char name[16];

    sim_netdev_name(n->dev, n->port, name);
    sim_netdev_mac(n->dev, n->port, mac);
    nl_begin(w, RTM_NEWLINK, flags);
    i = nl_more(w, sizeof *i);
    i->ifi_family = AF_UNSPEC;
    i->ifi_type = ARPHRD_ETHER;
    i->ifi_index = (int)sim_netdev_index(n->dev, n->port);
    i->ifi_flags = sim_netdev_flags(n);
    nl_put_text(w, IFLA_IFNAME, name);
    nl_put_u32(w, IFLA_TXQLEN, 1000);
    nl_put_u8(w, IFLA_OPERSTATE, i->ifi_flags & IFF_RUNNING ? 6 : 2); /* up, down */
    nl_put_u8(w, IFLA_LINKMODE, 0);
    nl_put_u32(w, IFLA_MTU, SIM_NETDEV_MTU);
    nl_put_u32(w, IFLA_GROUP, 0);
    nl_put(w, IFLA_ADDRESS, mac, sizeof mac);
    nl_put(w, IFLA_BROADCAST, broadcast, sizeof broadcast);
    nl_put_text(w, IFLA_QDISC, "mq");
}

static void put_addresses(struct nl_writer *w, const struct sim_netdev *n, int family, uint16_t flags)
{
    const struct sim_port *port = &n->dev->port[n->port];
    uint8_t broadcast[4];
    char name[16];

    sim_netdev_name(n->dev, n->port, name);
    for (int v6 = 0; v6 < 2; v6++) {
        const uint8_t *address = v6 ? port->gid[0] : port->gid[2] + 12;
        struct ifaddrmsg *i;

        if (family != AF_UNSPEC && family != (v6 ? AF_INET6 : AF_INET))
            continue;
        nl_begin(w, RTM_NEWADDR, flags);
        i = nl_more(w, sizeof *i);
        i->ifa_family = v6 ? AF_INET6 : AF_INET;
        i->ifa_prefixlen = v6 ? 64 : 24;
        i->ifa_flags = IFA_F_PERMANENT;
        i->ifa_scope = v6 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
        i->ifa_index = sim_netdev_index(n->dev, n->port);
        nl_put(w, IFA_ADDRESS, address, v6 ? 16 : 4);
        if (v6)
            continue;
        memcpy(broadcast, address, 3);
        broadcast[3] = 255;
        nl_put(w, IFA_LOCAL, address, 4);
        nl_put(w, IFA_BROADCAST, broadcast, 4);
        nl_put_text(w, IFA_LABEL, name);
    }
}

/* -- requests ---------------------------------------------------------------------------------- */

static const char *name_in(const struct nlmsghdr *h)
{
    const struct nlattr *a;

    for (size_t at = NLMSG_LENGTH(sizeof(struct ifinfomsg)); (a = nl_attribute(h, at)); at += NLA_ALIGN(a->nla_len)) {
        const char *name = (const char *)a + NLA_HDRLEN;

        if ((a->nla_type == IFLA_IFNAME || a->nla_type == IFLA_ALT_IFNAME) && memchr(name, 0, a->nla_len - NLA_HDRLEN))
            return name;
    }
    return NULL;
}

/* Whether it names a device of ours. */
static bool names_ours(const struct nlmsghdr *h, struct sim_netdev *n)
{
    const char *name = h->nlmsg_type == RTM_GETLINK ? name_in(h) : NULL;
    const void *body = NLMSG_DATA(h);

    if (name && sim_netdev_by_name(name, n))
        return true;
    return sim_netdev_by_index(h->nlmsg_type == RTM_GETLINK ? (unsigned)((const struct ifinfomsg *)body)->ifi_index :
        ((const struct ifaddrmsg *)body)->ifa_index, n);
}

static void write_one(struct nl_writer *w, const struct sim_netdev *n, uint16_t flags)
{
    if (w->request->nlmsg_type == RTM_GETLINK)
        put_link(w, n, flags);
    else
        put_addresses(w, n, ((const struct ifaddrmsg *)NLMSG_DATA(w->request))->ifa_family, flags);
}

static void queue(struct sim_route *r, const struct nl_writer *w)
{
    struct answer **last = &r->waiting, *a = malloc(sizeof *a + w->used);

    if (!a)
        return;
    a->next = NULL;
    a->size = w->used;
    memcpy(a->bytes, w->bytes, w->used);
    while (*last)
        last = &(*last)->next;
    *last = a;
}

static uint32_t port_of(int fd)
{
    struct sockaddr_nl own = {0};
    socklen_t size = sizeof own;

    NEXT(getsockname)(fd, (struct sockaddr *)&own, &size);
    return own.nl_pid;
}

bool sim_route_take(struct sim_route *r, const void *data, size_t size)
{
    static struct nl_writer w; /* under the lock */
    const struct nlmsghdr *h = data;
    struct sim_netdev n;
    bool dump, ours;

    if (size < NLMSG_LENGTH(sizeof(struct ifaddrmsg)) || h->nlmsg_len > size ||
        h->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifaddrmsg)) ||
        (h->nlmsg_type != RTM_GETLINK && h->nlmsg_type != RTM_GETADDR) ||
        (h->nlmsg_type == RTM_GETLINK && h->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifinfomsg))))
        return false;
    dump = (h->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
    ours = names_ours(h, &n);
    if (!ours && (!dump || (h->nlmsg_type == RTM_GETADDR && ((const struct ifaddrmsg *)NLMSG_DATA(h))->ifa_index)))
        return false;
    w.used = 0;
    w.request = h;
    w.port = port_of(r->fd);
    if (ours)
        write_one(&w, &n, dump ? NLM_F_MULTI : 0);
    for (unsigned i = 0; !ours && sim_netdev_nth(i, &n); i++)
        write_one(&w, &n, NLM_F_MULTI);
    if (ours && dump) {
        nl_put_done(&w);
    } else if (ours && h->nlmsg_flags & NLM_F_ACK) {
        nl_put_error(&w, 0);
    }
    if (w.used)
        queue(r, &w);
    return ours;
}

ssize_t sim_route_give(struct sim_route *r, const struct iovec *to, size_t n, int flags, int *told)
{
    struct answer *a = r->waiting;
    size_t done = 0;

    if (!a)
        return -1;
    for (size_t i = 0; i < n && done < a->size; i++) {
        size_t part = to[i].iov_len < a->size - done ? to[i].iov_len : a->size - done;

        memcpy(to[i].iov_base, a->bytes + done, part);
        done += part;
    }
    *told = done < a->size ? MSG_TRUNC : 0;
    if (flags & MSG_TRUNC)
        done = a->size;
    if (!(flags & MSG_PEEK)) {
        r->waiting = a->next;
        free(a);
    }
    return (ssize_t)done;
}
