/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Ports of the connection manager. As in the kernel, they are the machine's: processes with the same rendezvous
 * directory share them. There a port has a file, locked by who has it on all addresses, which says his process; and a
 * file for each address.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cm.h"

#define FIRST_FREE 32768
#define LAST_FREE 60999
#define TRIES 20 /* of a lock, which somebody who looks has for a moment */

/* A port of this process at an address: of one id, or of several that reuse it. */
struct cm_port {
    struct cm_port *next;
    uint16_t ps, port;
    union sim_address at;
    unsigned users;
    int any, own; /* descriptors of the locks, -1: none */
};

static struct cm_port *ports;

static in_port_t *port_of(const union sim_address *a)
{
    return (in_port_t *)&a->in.sin_port; /* IPv6 has it at the same place */
}

static bool same_address(const union sim_address *a, const union sim_address *b)
{
    if (a->any.sa_family != b->any.sa_family)
        return false;
    return a->any.sa_family == AF_INET ? a->in.sin_addr.s_addr == b->in.sin_addr.s_addr :
        !memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr, 16);
}

/* Of loopback, too: it stands for any, as the kernel has it. */
bool cm_is_any(const union sim_address *a)
{
    switch (a->any.sa_family) {
    case AF_INET: return !a->in.sin_addr.s_addr || ntohl(a->in.sin_addr.s_addr) >> 24 == 127;
    case AF_INET6: return IN6_IS_ADDR_UNSPECIFIED(&a->in6.sin6_addr) || IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr);
    }
    return true;
}

static int check(const struct cm_id *id, bool reuse)
{
    struct cm_id *other;

    for (uint32_t h = 0; (other = cm_id_next(&h)); h++) {
        if (other == id || !other->held || other->ps != id->ps || *port_of(&other->src) != *port_of(&id->src) ||
            (reuse && other->reuse) ||
            (id->afonly && other->afonly && id->src.any.sa_family != other->src.any.sa_family))
            continue;
        if (cm_is_any(&id->src) || cm_is_any(&other->src))
            return EADDRNOTAVAIL;
        if (same_address(&id->src, &other->src))
            return EADDRINUSE;
    }
    return 0;
}

int cm_port_alone(const struct cm_id *id)
{
    return id->held && id->held->users > 1 ? check(id, false) : 0;
}

/* -- files ------------------------------------------------------------------------------------- */

static int open_file(uint16_t ps, const union sim_address *a, bool any, int flags)
{
    char path[4096], text[INET6_ADDRSTRLEN] = "any";
    int n;

    if (!any)
        inet_ntop(a->any.sa_family, a->any.sa_family == AF_INET ? (void *)&a->in.sin_addr : (void *)&a->in6.sin6_addr,
            text, sizeof text);
    n = snprintf(path, sizeof path, "%s/cm-%x-%u-%s", sim_config.rendezvous, ps, ntohs(*port_of(a)), text);
    return n > 0 && (size_t)n < sizeof path ? open(path, flags | O_CLOEXEC, 0600) : -1;
}

/* The descriptor of a locked file, -1: another process has the port. */
static int lock_file(uint16_t ps, const union sim_address *a, bool any, int how)
{
    uint32_t slot = sim_wire_slot();
    int fd = open_file(ps, a, any, O_RDWR | O_CREAT);

    for (int i = 0; fd >= 0 && flock(fd, how | LOCK_NB); i++) {
        if (i == TRIES) {
            close(fd);
            return -1;
        }
        usleep(500);
    }
    if (fd >= 0 && how == LOCK_EX && pwrite(fd, &slot, sizeof slot, 0) != sizeof slot)
        sim_say("rdma_cm: can't write to the rendezvous directory");
    return fd;
}

static void unlock(struct cm_port *p)
{
    if (p->any >= 0)
        close(p->any);
    if (p->own >= 0)
        close(p->own);
    p->any = p->own = -1;
}

static bool lock_port(struct cm_port *p)
{
    bool any = cm_is_any(&p->at);

    p->any = p->own = -1;
    if (!sim_config.rendezvous)
        return true;
    p->any = lock_file(p->ps, &p->at, true, any ? LOCK_EX : LOCK_SH);
    p->own = any || p->any < 0 ? -1 : lock_file(p->ps, &p->at, false, LOCK_EX);
    if (p->any >= 0 && (any || p->own >= 0))
        return true;
    unlock(p);
    return false;
}

static int slot_in(uint16_t ps, const union sim_address *a, bool any)
{
    int fd = sim_config.rendezvous ? open_file(ps, a, any, O_RDONLY) : -1;
    uint32_t slot;
    int found = -1;

    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_SH | LOCK_NB) && pread(fd, &slot, sizeof slot, 0) == sizeof slot)
        found = (int)slot;
    close(fd);
    return found;
}

/* -- ids --------------------------------------------------------------------------------------- */

static struct cm_port *find(const struct cm_id *id)
{
    struct cm_port *p = ports;

    while (p && (p->ps != id->ps || p->port != *port_of(&id->src) || cm_is_any(&p->at) != cm_is_any(&id->src) ||
        (!cm_is_any(&p->at) && !same_address(&p->at, &id->src))))
        p = p->next;
    return p;
}

/* Others of this process have the same port, which they reuse: then their locks do. */
static bool ours_already(const struct cm_id *id)
{
    for (const struct cm_port *p = ports; p; p = p->next)
        if (p->ps == id->ps && p->port == *port_of(&id->src))
            return true;
    return false;
}

static int take(struct cm_id *id)
{
    int error = check(id, id->reuse);
    struct cm_port *p = error ? NULL : find(id);

    if (error)
        return error;
    if (!p) {
        bool ours = ours_already(id);

        p = calloc(1, sizeof *p);
        if (!p)
            return ENOMEM;
        p->ps = id->ps;
        p->port = *port_of(&id->src);
        p->at = id->src;
        if (!lock_port(p) && !ours) {
            free(p);
            return cm_is_any(&id->src) ? EADDRNOTAVAIL : EADDRINUSE;
        }
        p->next = ports;
        ports = p;
    }
    p->users++;
    id->held = p;
    return 0;
}

int cm_port_take(struct cm_id *id)
{
    static uint16_t next;

    if (id->src.any.sa_family == SIM_AF_IB)
        return 0; /* service ids are nobody's here */
    if (*port_of(&id->src))
        return take(id);
    for (int i = 0; i <= LAST_FREE - FIRST_FREE; i++) {
        uint32_t port = FIRST_FREE + (sim_wire_slot() * 61 + next++) % (LAST_FREE - FIRST_FREE + 1);

        *port_of(&id->src) = htons((uint16_t)port);
        if (!take(id))
            return 0;
    }
    *port_of(&id->src) = 0;
    return EADDRNOTAVAIL;
}

void cm_port_give_back(struct cm_id *id)
{
    struct cm_port *p = id->held;

    id->held = NULL;
    if (!p || --p->users)
        return;
    for (struct cm_port **at = &ports; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
    unlock(p);
    free(p);
}

void cm_ports_forget(void)
{
    while (ports) {
        struct cm_port *p = ports;

        ports = p->next;
        unlock(p); /* the parent's are locked still */
        free(p);
    }
}

/* -- who listens ------------------------------------------------------------------------------- */

struct cm_id *cm_listener(uint16_t ps, const union sim_address *at)
{
    struct cm_id *id, *best = NULL;

    for (uint32_t h = 0; (id = cm_id_next(&h)); h++) {
        bool any = cm_is_any(&id->src);

        if (id->state != CM_LISTENING || id->ps != ps || id->src.any.sa_family == SIM_AF_IB ||
            *port_of(&id->src) != *port_of(at))
            continue;
        if (any ? id->afonly && id->src.any.sa_family != at->any.sa_family : !same_address(&id->src, at))
            continue;
        if (!any)
            return id;
        best = id;
    }
    return best;
}

int cm_listening_slot(uint16_t ps, const union sim_address *at)
{
    int slot;

    if (cm_listener(ps, at))
        return (int)sim_wire_slot();
    slot = slot_in(ps, at, false);
    return slot >= 0 ? slot : slot_in(ps, at, true);
}
