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
#define SLOT_BITS 12 /* 4096 queue pairs a process */
#define SLOTS 1024
#define MULTICAST_SLOTS 32 /* the processes that a multicast reaches */

static int sock = -1;
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
    return FIRST_QPN + (own_slot << SLOT_BITS);
}

static bool address(struct sockaddr_un *to, uint32_t slot, const char *suffix)
{
    int n;

    memset(to, 0, sizeof *to);
    to->sun_family = AF_UNIX;
    n = snprintf(to->sun_path, sizeof to->sun_path, "%s/slot-%u%s", sim_config.rendezvous, slot, suffix);
    return n > 0 && (size_t)n < sizeof to->sun_path;
}

/* A slot is taken by a lock on its file, so that it is free again when its process is gone, however it ended. */
void sim_wire_open(void)
{
    struct sockaddr_un name;

    if (!sim_config.rendezvous)
        return;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        int fd;

        if (!address(&name, slot, ""))
            break;
        fd = open(name.sun_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        if (flock(fd, LOCK_EX | LOCK_NB)) {
            close(fd);
            continue;
        }
        own_slot = slot; /* fd stays open, and with it the lock */
        sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (!address(&name, slot, ".sock"))
            break;
        unlink(name.sun_path);
        if (sock >= 0 && !bind(sock, (struct sockaddr *)&name, sizeof name))
            return;
        break;
    }
    fprintf(stderr, "device-sim: no slot in the rendezvous directory %s: %s\n", sim_config.rendezvous, strerror(errno));
    exit(2);
}

/* 0, EAGAIN, or that nobody is there. */
static int put(const struct sim_packet *p, uint32_t slot)
{
    struct sockaddr_un to;
    size_t size = offsetof(struct sim_packet, data) + p->length;

    if (sock < 0 || slot >= SLOTS || !address(&to, slot, ".sock"))
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
    uint32_t slot = (p->dest_qpn - FIRST_QPN) >> SLOT_BITS;

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
