/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The wire. Within a process a packet is handed to the responder at once. Between processes that share a rendezvous
 * directory it goes through a datagram socket: each process owns a slot there,
 and a slot owns a range of queue pair numbers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim.h"

#define MAGIC 0x56345331
#define FIRST_QPN 0x100u
#define SLOTS 512 /* as many as 24 bits have room for */
#define MULTICAST_SLOTS 32 /* the processes that a multicast reaches */

static int sock = -1, lock = -1;
static uint32_t own_slot;

/* Answers for which the other process had no room yet. */
static struct waiting {
    struct waiting *next;
    uint32_t slot;
    struct sim_packet packet;
} *waiting;

/* Datagrams that a reordering holds back. */
static struct sim_packet *held[64];
static unsigned n_held;

uint32_t sim_first_qpn(void)
{
    return FIRST_QPN + (own_slot << SIM_QPN_BITS);
}

bool sim_wire_address(struct sockaddr_un *to, uint32_t slot, const char *suffix)
{
    int n;

    memset(to, 0, sizeof *to);
    to->sun_family = AF_UNIX;
    n = snprintf(to->sun_path, sizeof to->sun_path, "%s/slot-%u%s", sim_config.rendezvous, slot, suffix);
    return n > 0 && (size_t)n < sizeof to->sun_path;
}

uint32_t sim_wire_slot(void)
{
    return own_slot;
}

/* A slot is taken by a lock on its file, so that it is free again when its process is gone, however it ended. */
void sim_wire_open(void)
{
    struct sockaddr_un name;

    if (!sim_config.rendezvous)
        return;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        int fd;

        if (!sim_wire_address(&name, slot, ""))
            break;
        fd = open(name.sun_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        if (flock(fd, LOCK_EX | LOCK_NB)) {
            close(fd);
            continue;
        }
        own_slot = slot;
        lock = fd; /* stays open */
        sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (!sim_wire_address(&name, slot, ".sock"))
            break;
        unlink(name.sun_path);
        if (sock >= 0 && !bind(sock, (struct sockaddr *)&name, sizeof name))
            return;
        break;
    }
    fprintf(stderr, "device-sim: no slot in the rendezvous directory %s: %s\n", sim_config.rendezvous, strerror(errno));
    exit(2);
}

static void close_own(int *fd)
{
    if (*fd >= 0)
        close(*fd); /* the parent's is open still, and with it the lock */
    *fd = -1;
}

static void forget_owned(void);

void sim_wire_forked(void)
{
    close_own(&sock);
    close_own(&lock);
    own_slot = 0;
    n_held = 0;
    waiting = NULL;
    forget_owned();
}

/* -- devices that one process has alone -------------------------------------------------------- */

static int owned[SIM_MAX_DEVICES]; /* the descriptor of the lock, 0: none */

static void forget_owned(void)
{
    for (int i = 0; i < SIM_MAX_DEVICES; i++) {
        if (owned[i])
            close(owned[i]);
        owned[i] = 0;
    }
}

static int open_owner(const struct sim_device *dev, int flags)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s.owner", sim_config.rendezvous, dev->name);

    return n > 0 && (size_t)n < sizeof path ? open(path, flags | O_CLOEXEC, 0600) : -1;
}

bool sim_device_take(const struct sim_device *dev)
{
    uint32_t slot = 1 + own_slot;
    int fd;

    if (!sim_config.rendezvous)
        return true;
    fd = open_owner(dev, O_RDWR | O_CREAT);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) || pwrite(fd, &slot, sizeof slot, 0) != sizeof slot) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    owned[dev->index] = fd;
    return true;
}

void sim_device_give_back(const struct sim_device *dev)
{
    if (owned[dev->index])
        close(owned[dev->index]); /* and with it the lock */
    owned[dev->index] = 0;
}

uint32_t sim_device_slot(const struct sim_device *dev)
{
    uint32_t slot = 0;
    int fd;

    if (!sim_config.rendezvous || owned[dev->index])
        return 1 + own_slot;
    fd = open_owner(dev, O_RDONLY);
    if (fd < 0)
        return 0;
    if (!flock(fd, LOCK_SH | LOCK_NB) || pread(fd, &slot, sizeof slot, 0) != sizeof slot)
        slot = 0; /* nobody has it now */
    close(fd);
    return slot;
}

/* 0, EAGAIN, or that nobody is there. */
static int put(const struct sim_packet *p, uint32_t slot)
{
    struct sockaddr_un to;
    size_t size = offsetof(struct sim_packet, data) + p->length;

    if (sock < 0 || slot >= SLOTS || !sim_wire_address(&to, slot, ".sock"))
        return ENOENT;
    if (sendto(sock, p, size, 0, (struct sockaddr *)&to, sizeof to) == (ssize_t)size)
        return 0;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? EAGAIN : ENOENT;
}

static bool hold_back(const struct sim_packet *p)
{
    struct sim_packet *copy;

    if (p->type != IB_UVERBS_QPT_UD || !sim_reorder_depth())
        return false;
    copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *p;
    held[n_held++] = copy;
    if (n_held >= sim_reorder_depth() || n_held == sizeof held / sizeof *held)
        sim_wire_release_one();
    return true;
}

bool sim_wire_release_one(void)
{
    struct sim_packet *p;
    unsigned i;

    if (!n_held)
        return false;
    i = sim_random(n_held);
    p = held[i];
    held[i] = held[--n_held];
    sim_respond(p, NULL); /* datagrams have no answer */
    free(p);
    return true;
}

void sim_wire_release(void)
{
    while (sim_wire_release_one())
        ;
}

enum sim_sent sim_wire_send(struct sim_packet *p, struct sim_packet *answer)
{
    uint32_t slot = !p->by_port ? (p->dest_qpn - FIRST_QPN) >> SIM_QPN_BITS : p->to_slot ? p->to_slot - 1 : own_slot;

    if (p->dest_qpn == SIM_MULTICAST_QPN) {
        p->magic = MAGIC;
        for (uint32_t other = 0; sim_config.rendezvous && other < MULTICAST_SLOTS; other++)
            if (other != own_slot)
                put(p, other); /* whoever has no room misses it */
        slot = own_slot;
    }
    if (!sim_config.rendezvous || slot == own_slot) {
        if (hold_back(p))
            return SIM_ON_ITS_WAY;
        if (!sim_respond(p, answer))
            answer->answer = SIM_LOST;
        return SIM_ANSWERED;
    }
    p->magic = MAGIC;
    p->src_slot = own_slot;
    switch (put(p, slot)) {
    case 0:
        return SIM_ON_ITS_WAY;
    case EAGAIN:
        return SIM_TRY_AGAIN;
    }
    answer->answer = SIM_LOST;
    return SIM_ANSWERED;
}

static void send_answer(const struct sim_packet *a, uint32_t slot)
{
    struct waiting *w;

    if (put(a, slot) != EAGAIN)
        return;
    w = malloc(sizeof *w);
    if (!w)
        return; /* the requester will ask again */
    w->packet = *a;
    w->slot = slot;
    w->next = waiting;
    waiting = w;
}

bool sim_wire_receive(void)
{
    static struct sim_packet p, a;
    ssize_t n;

    if (sock < 0)
        return false;
    if (waiting && put(&waiting->packet, waiting->slot) != EAGAIN) {
        struct waiting *done = waiting;

        waiting = done->next;
        free(done);
    }
    n = recv(sock, &p, sizeof p, 0);
    if (n < (ssize_t)offsetof(struct sim_packet, data) || p.magic != MAGIC ||
        (size_t)n != offsetof(struct sim_packet, data) + p.length)
        return false;
    if (p.is_answer) {
        sim_answered(&p);
    } else if (sim_respond(&p, &a)) {
        a.magic = MAGIC;
        send_answer(&a, p.src_slot);
    }
    return true;
}
