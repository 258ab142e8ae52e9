/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The network devices of Ethernet ports: names, numbers and addresses. */
#ifndef SIM_NETDEV_H
#define SIM_NETDEV_H

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#include "sim.h"

#define SIM_AF_IB 27
#define SIM_NETDEV_FIRST 5100 /* the number of the first one */
#define SIM_NETDEV_MTU 1500

union sim_address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    uint8_t raw[128];
};

/* The length of an address by its family, 0: none that is known. */
static inline size_t sim_address_size(const union sim_address *a)
{
    return a->any.sa_family == AF_INET ? sizeof a->in : a->any.sa_family == AF_INET6 ? sizeof a->in6 :
        a->any.sa_family == SIM_AF_IB ? 48 : 0;
}

/* The GID that RoCE v2 has for an IP address; false where it is another address. */
bool sim_address_gid(const union sim_address *a, uint8_t gid[16]);

/* A port of a device with the kernel's connection manager, which has a network device. */
struct sim_netdev {
    struct sim_device *dev;
    int port; /* from 0 */
};

static inline bool sim_has_netdev(const struct sim_device *dev)
{
    return sim_has_frames(dev) && !sim_config.no_cm;
}

static inline void sim_netdev_name(const struct sim_device *dev, int port, char name[16])
{
    snprintf(name, 16, "sim%hhup%hhu", (uint8_t)dev->index, (uint8_t)(port + 1));
}

static inline unsigned sim_netdev_index(const struct sim_device *dev, int port)
{
    return SIM_NETDEV_FIRST + (unsigned)(dev->index * SIM_MAX_PORTS + port);
}

static inline void sim_netdev_mac(const struct sim_device *dev, int port, uint8_t mac[6])
{
    uint64_t guid = dev->guid + (uint64_t)port + 1;

    mac[0] = (uint8_t)(guid >> 56);
    mac[1] = mac[2] = 0;
    for (int i = 3; i < 6; i++)
        mac[i] = (uint8_t)(guid >> (40 - 8 * i));
}

/* IFF_... */
unsigned sim_netdev_flags(const struct sim_netdev *n);
/* The first, second ... of them; false: no more. */
bool sim_netdev_nth(unsigned n, struct sim_netdev *to);
bool sim_netdev_by_name(const char *name, struct sim_netdev *to);
bool sim_netdev_by_index(unsigned index, struct sim_netdev *to);
/* Whose address it is. */
bool sim_netdev_by_address(const union sim_address *a, struct sim_netdev *to);

/* The answer to an ioctl of a socket that asks about one of ours: 0, an errno, or -1 when it is about another one. */
int sim_netdev_ioctl(int fd, unsigned long request, void *arg);
/* Where an address of ours is reached on this machine: *room, or what it is. */
const struct sockaddr *sim_netdev_reach(int fd, const struct sockaddr *address, socklen_t size,
    union sim_address *room);

/* -- rtnetlink.c -- */
struct sim_route;
struct sim_route *sim_route_open(int fd);
void sim_route_close(struct sim_route *r);
/* Whether a request was about our devices alone, and answered; others go to the kernel. */
bool sim_route_take(struct sim_route *r, const void *data, size_t size);
/* An answer of ours, -1: none is waiting. */
ssize_t sim_route_give(struct sim_route *r, const struct iovec *to, size_t n, int flags, int *told);

#endif
