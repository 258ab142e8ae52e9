/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection manager is the kernel's, and works by itself, whoever makes the devices work: a thread of its own
 * reads messages of other processes, and looks at the time. Messages within a process arrive at once.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <fcntl.h>
#include <unistd.h>

#include "cm.h"

#define MAGIC 0x56344d31
#define OFTEN 20 /* ms, while something has a deadline or a peer */

static int sock = -1, bell = -1;
static bool runs, busy;

/* Messages for which the other process had no room. */
static struct late {
    struct late *next;
    uint32_t slot;
    struct cm_mad m;
} *late;

static bool open_socket(void)
{
    struct sockaddr_un name;

    if (!sim_config.rendezvous)
        return true;
    sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (sock < 0 || !sim_wire_address(&name, sim_wire_slot(), ".cm"))
        return false;
    unlink(name.sun_path);
    return !bind(sock, (struct sockaddr *)&name, sizeof name);
}

/* -- the thread -------------------------------------------------------------------------------- */

static bool put(const struct cm_mad *m, uint32_t slot)
{
    struct sockaddr_un to;

    if (sock < 0 || !sim_wire_address(&to, slot, ".cm"))
        return true;
    return sendto(sock, m, sizeof *m, 0, (struct sockaddr *)&to, sizeof to) == (ssize_t)sizeof *m ||
        (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS);
}

static void send_late(void)
{
    while (late && put(&late->m, late->slot)) {
        struct late *done = late;

        late = done->next;
        free(done);
    }
}

static void work(void)
{
    static struct cm_mad m;
    struct cm_id *id;
    uint64_t now = sim_real_time();

    while (sock >= 0 && recv(sock, &m, sizeof m, 0) == (ssize_t)sizeof m)
        if (m.magic == MAGIC)
            cm_arrived(&m);
    send_late();
    busy = late;
    for (uint32_t h = 0; (id = cm_id_next(&h)); h++) {
        cm_timer(id, now);
        busy |= id->deadline || (id->peer && id->peer_slot != sim_wire_slot());
    }
}

static void *cm_thread(void *unused)
{
    (void)unused;
    for (;;) {
        struct pollfd p[2] = {{.fd = bell, .events = POLLIN}, {.fd = sock, .events = POLLIN}};
        uint64_t rung;

        poll(p, 2, __atomic_load_n(&busy, __ATOMIC_RELAXED) ? OFTEN : -1);
        sim_enter();
        if (p[0].revents && read(bell, &rung, sizeof rung) < 0)
            sim_say("rdma_cm: the bell is broken");
        work();
        sim_leave();
    }
    return NULL;
}

static bool start(void)
{
    bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell >= 0 && open_socket() && sim_start_thread(cm_thread);
}

bool cm_wire_open(void)
{
    runs = runs || start();
    return runs;
}

void cm_wake(void)
{
    uint64_t one = 1;

    if (bell >= 0 && write(bell, &one, sizeof one) < 0)
        sim_say("rdma_cm: the bell is broken");
}

void cm_wire_forget(void)
{
    if (sock >= 0)
        close(sock);
    if (bell >= 0)
        close(bell);
    sock = bell = -1;
    while (late) {
        struct late *l = late;

        late = l->next;
        free(l);
    }
    runs = busy = false;
}

/* -- messages ---------------------------------------------------------------------------------- */

void cm_send(struct cm_mad *m, uint32_t slot)
{
    struct late **last = &late, *l;

    m->magic = MAGIC;
    m->slot = sim_wire_slot();
    if (!sim_config.rendezvous || slot == m->slot) {
        struct cm_mad copy = *m; /* it may be the id's own, which goes when it is answered */

        cm_arrived(&copy);
        return;
    }
    if (!late && put(m, slot))
        return;
    l = malloc(sizeof *l);
    if (!l)
        return;
    l->m = *m;
    l->slot = slot;
    l->next = NULL;
    while (*last)
        last = &(*last)->next;
    *last = l;
    cm_wake();
}

/* A slot is locked as long as its process is there. */
bool cm_slot_lives(uint32_t slot)
{
    struct sockaddr_un name;
    int fd = sim_wire_address(&name, slot, "") ? open(name.sun_path, O_RDONLY | O_CLOEXEC) : -1;
    bool lives;

    if (fd < 0)
        return false;
    lives = flock(fd, LOCK_SH | LOCK_NB);
    close(fd);
    return lives;
}

/* A process that ends closes its connections, without having said so. */
__attribute__((destructor)) static void at_end(void)
{
    struct cm_id *id;

    if (!runs)
        return;
    sim_enter();
    for (uint32_t h = 0; (id = cm_id_next(&h)); h++)
        cm_end(id);
    sim_leave();
}
