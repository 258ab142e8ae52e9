/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The network devices of Ethernet ports of mlx5, as programs and libraries see them: in the list of getifaddrs, by
 * name and by number. They carry no packets of their own: TCP to one of their addresses goes by the machine's
 * loopback.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <net/if_arp.h>
#include <linux/if_ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpose.h"
#include "netdev.h"

#ifndef IFF_LOWER_UP
#define IFF_LOWER_UP 0x10000
#endif

unsigned sim_netdev_flags(const struct sim_netdev *n)
{
    return IFF_BROADCAST | IFF_MULTICAST | IFF_UP |
        (n->dev->port[n->port].state == IBV_PORT_ACTIVE ? IFF_RUNNING | IFF_LOWER_UP : 0);
}

bool sim_netdev_nth(unsigned n, struct sim_netdev *to)
{
    sim_configure();
    for (int d = 0; d < sim_config.n_devices; d++)
        for (int p = 0; sim_has_netdev(&sim_devices[d]) && p < sim_devices[d].n_ports; p++)
            if (!n--) {
                to->dev = &sim_devices[d];
                to->port = p;
                return true;
            }
    return false;
}

bool sim_netdev_by_name(const char *name, struct sim_netdev *to)
{
    char theirs[16];

    if (strncmp(name, "sim", 3))
        return false;
    for (unsigned n = 0; sim_netdev_nth(n, to); n++) {
        sim_netdev_name(to->dev, to->port, theirs);
        if (!strcmp(name, theirs))
            return true;
    }
    return false;
}

bool sim_netdev_by_index(unsigned index, struct sim_netdev *to)
{
    for (unsigned n = 0; index >= SIM_NETDEV_FIRST && sim_netdev_nth(n, to); n++)
        if (sim_netdev_index(to->dev, to->port) == index)
            return true;
    return false;
}

bool sim_address_gid(const union sim_address *a, uint8_t gid[16])
{
    memset(gid, 0, 16);
    if (a->any.sa_family == AF_INET6) {
        memcpy(gid, &a->in6.sin6_addr, 16);
        return true;
    }
    gid[10] = gid[11] = 0xff;
    memcpy(gid + 12, &a->in.sin_addr, 4);
    return a->any.sa_family == AF_INET;
}

bool sim_netdev_by_address(const union sim_address *a, struct sim_netdev *to)
{
    uint8_t gid[16];

    if (!sim_address_gid(a, gid))
        return false;
    for (unsigned n = 0; sim_netdev_nth(n, to); n++) {
        if (!sim_port_has(to->dev, to->port, true, gid, 0))
            continue;
        /* a link-local address is one of the link that was named */
        return gid[0] != 0xfe || a->in6.sin6_scope_id == sim_netdev_index(to->dev, to->port);
    }
    return false;
}

/* -- the list of addresses --------------------------------------------------------------------- */

#define ADDRESSES 3 /* of a network device: its own, IPv4, IPv6 */

struct entry {
    struct ifaddrs all;
    char name[16];
    union sim_address address, mask, broadcast;
    struct sockaddr_ll link, link_broadcast;
};

/* What getifaddrs gave: ours first, then the machine's. */
static struct list {
    struct list *next;
    struct ifaddrs *rest;
    struct entry entry[];
} *lists;

static void fill_link(struct entry *e, const struct sim_netdev *n)
{
    e->link.sll_family = e->link_broadcast.sll_family = AF_PACKET;
    e->link.sll_ifindex = e->link_broadcast.sll_ifindex = (int)sim_netdev_index(n->dev, n->port);
    e->link.sll_hatype = e->link_broadcast.sll_hatype = ARPHRD_ETHER;
    e->link.sll_halen = e->link_broadcast.sll_halen = 6;
    sim_netdev_mac(n->dev, n->port, e->link.sll_addr);
    memset(e->link_broadcast.sll_addr, 0xff, 6);
    e->all.ifa_addr = (struct sockaddr *)&e->link;
    e->all.ifa_broadaddr = (struct sockaddr *)&e->link_broadcast;
}

static void fill_entry(struct entry *e, const struct sim_netdev *n, unsigned which)
{
    const struct sim_port *port = &n->dev->port[n->port];

    sim_netdev_name(n->dev, n->port, e->name);
    e->all.ifa_name = e->name;
    e->all.ifa_flags = sim_netdev_flags(n);
    if (!which) {
        fill_link(e, n);
        return;
    }
    e->all.ifa_addr = &e->address.any;
    e->all.ifa_netmask = &e->mask.any;
    if (which == 1) {
        e->address.in = (struct sockaddr_in){.sin_family = AF_INET};
        memcpy(&e->address.in.sin_addr, port->gid[2] + 12, 4);
        e->mask.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xffffff00)};
        e->broadcast.in = e->address.in;
        e->broadcast.in.sin_addr.s_addr |= htonl(0xff);
        e->all.ifa_broadaddr = &e->broadcast.any;
    } else {
        e->address.in6 = (struct sockaddr_in6){.sin6_family = AF_INET6,
            .sin6_scope_id = sim_netdev_index(n->dev, n->port)};
        memcpy(&e->address.in6.sin6_addr, port->gid[0], 16);
        e->mask.in6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
        memset(&e->mask.in6.sin6_addr, 0xff, 8);
    }
}

EXPORT int getifaddrs(struct ifaddrs **to)
{
    struct sim_netdev n;
    struct ifaddrs *rest;
    struct list *list;
    unsigned devices = 0;

    if (NEXT(getifaddrs)(&rest))
        return -1;
    while (sim_netdev_nth(devices, &n))
        devices++;
    *to = rest;
    if (!devices)
        return 0;
    list = calloc(1, sizeof *list + devices * ADDRESSES * sizeof list->entry[0]);
    if (!list) {
        NEXT(freeifaddrs)(rest);
        errno = ENOMEM;
        return -1;
    }
    for (unsigned i = 0; i < devices * ADDRESSES; i++) {
        sim_netdev_nth(i % devices, &n);
        fill_entry(&list->entry[i], &n, i / devices);
        list->entry[i].all.ifa_next = i + 1 < devices * ADDRESSES ? &list->entry[i + 1].all : rest;
    }
    list->rest = rest;
    sim_enter();
    list->next = lists;
    lists = list;
    sim_leave();
    *to = &list->entry[0].all;
    return 0;
}

EXPORT void freeifaddrs(struct ifaddrs *which)
{
    struct list *found = NULL;

    sim_enter();
    for (struct list **l = &lists; *l; l = &(*l)->next)
        if (&(*l)->entry[0].all == which) {
            found = *l;
            *l = found->next;
            break;
        }
    sim_leave();
    NEXT(freeifaddrs)(found ? found->rest : which);
    free(found);
}

/* -- names and numbers ------------------------------------------------------------------------- */

EXPORT unsigned if_nametoindex(const char *name)
{
    struct sim_netdev n;

    return sim_netdev_by_name(name, &n) ? sim_netdev_index(n.dev, n.port) : NEXT(if_nametoindex)(name);
}

EXPORT char *if_indextoname(unsigned index, char name[IF_NAMESIZE])
{
    struct sim_netdev n;

    if (!sim_netdev_by_index(index, &n))
        return NEXT(if_indextoname)(index, name);
    sim_netdev_name(n.dev, n.port, name);
    return name;
}

/* The list of IPv4 addresses, as the JVM asks for it: the machine's, then ours. Without a buffer, how long it is. */
static int list_addresses(int fd, struct ifconf *c)
{
    int room = c->ifc_len;
    struct sim_netdev n;

    if (NEXT(ioctl)(fd, SIOCGIFCONF, c))
        return errno;
    for (unsigned i = 0; sim_netdev_nth(i, &n); i++) {
        struct entry e = {0};
        struct ifreq r = {0};

        if (c->ifc_buf && c->ifc_len + (int)sizeof r > room)
            break;
        fill_entry(&e, &n, 1);
        memcpy(r.ifr_name, e.name, sizeof r.ifr_name);
        memcpy(&r.ifr_addr, &e.address, sizeof r.ifr_addr);
        if (c->ifc_buf)
            memcpy(c->ifc_buf + c->ifc_len, &r, sizeof r);
        c->ifc_len += (int)sizeof r;
    }
    return 0;
}

/* The answer to an ioctl of a socket that asks about one of ours: 0, an errno, or -1 when it is about another one. */
int sim_netdev_ioctl(int fd, unsigned long request, void *arg)
{
    struct ifreq *r = arg;
    struct sim_netdev n;
    struct entry e = {0};

    if ((request & ~0xfful) != 0x8900 || !r)
        return -1;
    if (request == SIOCGIFCONF)
        return list_addresses(fd, arg);
    if (request == SIOCGIFNAME) {
        if (!sim_netdev_by_index((unsigned)r->ifr_ifindex, &n))
            return -1;
        sim_netdev_name(n.dev, n.port, r->ifr_name);
        return 0;
    }
    if (request != SIOCGIFINDEX && request != SIOCGIFADDR && request != SIOCGIFNETMASK && request != SIOCGIFBRDADDR &&
        request != SIOCGIFFLAGS && request != SIOCGIFMTU && request != SIOCGIFHWADDR)
        return -1;
    if (memchr(r->ifr_name, 0, sizeof r->ifr_name) == NULL || !sim_netdev_by_name(r->ifr_name, &n))
        return -1;
    fill_entry(&e, &n, 1);
    switch (request) {
    case SIOCGIFINDEX: r->ifr_ifindex = (int)sim_netdev_index(n.dev, n.port); break;
    case SIOCGIFADDR: memcpy(&r->ifr_addr, &e.address, sizeof r->ifr_addr); break;
    case SIOCGIFNETMASK: memcpy(&r->ifr_netmask, &e.mask, sizeof r->ifr_netmask); break;
    case SIOCGIFBRDADDR: memcpy(&r->ifr_broadaddr, &e.broadcast, sizeof r->ifr_broadaddr); break;
    case SIOCGIFFLAGS: r->ifr_flags = (short)e.all.ifa_flags; break;
    case SIOCGIFMTU: r->ifr_mtu = SIM_NETDEV_MTU; break;
    default:
        r->ifr_hwaddr.sa_family = ARPHRD_ETHER;
        sim_netdev_mac(n.dev, n.port, (uint8_t *)r->ifr_hwaddr.sa_data);
    }
    return 0;
}

/* -- sockets ----------------------------------------------------------------------------------- */

/* Whether the machine has this address itself. */
static bool is_machines(struct in_addr address)
{
    struct ifaddrs *all, *i;
    bool found = false;

    if (NEXT(getifaddrs)(&all))
        return false;
    for (i = all; i && !found; i = i->ifa_next)
        found = i->ifa_addr && i->ifa_addr->sa_family == AF_INET &&
            ((const struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr == address.s_addr;
    NEXT(freeifaddrs)(all);
    return found;
}

static bool is_stream(int fd)
{
    int type = 0, saved = errno;
    socklen_t size = sizeof type;
    bool yes = !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM;

    errno = saved;
    return yes;
}

/* Where an address of ours is reached on this machine: *room, or what it is. IPv6 sockets have IPv4 addresses, too. */
const struct sockaddr *sim_netdev_reach(int fd, const struct sockaddr *address, socklen_t size,
    union sim_address *room)
{
    union sim_address plain = {.in = {.sin_family = AF_INET}};
    uint32_t loopback = htonl(INADDR_LOOPBACK);
    struct sim_netdev n;
    void *host;

    if (!address || size < sizeof room->in || size > sizeof *room)
        return address;
    memset(room, 0, sizeof *room);
    memcpy(room, address, size);
    if (address->sa_family == AF_INET)
        host = &room->in.sin_addr;
    else if (address->sa_family == AF_INET6 && size >= sizeof room->in6 && IN6_IS_ADDR_V4MAPPED(&room->in6.sin6_addr))
        host = room->in6.sin6_addr.s6_addr + 12;
    else
        return address;
    memcpy(&plain.in.sin_addr, host, sizeof plain.in.sin_addr);
    if (!sim_netdev_by_address(&plain, &n) || !is_stream(fd) || is_machines(plain.in.sin_addr))
        return address;
    memcpy(host, &loopback, sizeof loopback);
    return &room->any;
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    union sim_address room;

    return NEXT(connect)(fd, sim_netdev_reach(fd, address, size, &room), size);
}
