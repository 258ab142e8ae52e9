/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors that whole messages are read from, one by each read: a pipe would join or cut them. What the process has
 * is a counter of messages, so that it can wait for it; read() of it comes here.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sim.h"

struct sim_message {
    struct sim_message *next;
    const void *tag;
    size_t size;
    uint8_t data[];
};

static struct sim_messages *all;

struct sim_messages *sim_messages_new(struct sim_context *ctx, int too_small, void *owner,
    void (*closed)(struct sim_messages *m))
{
    struct sim_messages *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    m->own_fd = m->fd < 0 ? -1 : fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
    if (m->own_fd < 0) {
        if (m->fd >= 0)
            close(m->fd);
        free(m);
        return NULL;
    }
    m->ctx = ctx;
    m->too_small = too_small;
    m->owner = owner;
    m->closed = closed;
    m->next = all;
    all = m;
    sim_fd_set(m->fd, SIM_FD_MESSAGES, m);
    return m;
}

static void count_up(struct sim_messages *m)
{
    uint64_t one = 1;

    if (write(m->own_fd, &one, sizeof one) != sizeof one)
        sim_say("a message was lost");
}

bool sim_messages_put(struct sim_messages *m, const void *tag, const void *data, size_t size)
{
    struct sim_message **last = &m->first, *new = malloc(sizeof *new + size);

    if (!new)
        return false;
    while (*last)
        last = &(*last)->next;
    new->next = NULL;
    new->tag = tag;
    new->size = size;
    memcpy(new->data, data, size);
    *last = new;
    count_up(m);
    return true;
}

bool sim_messages_has(const struct sim_messages *m, const void *tag)
{
    for (const struct sim_message *e = m->first; e; e = e->next)
        if (e->tag == tag)
            return true;
    return false;
}

/* Takes the message at *at away. The counter is above zero, so the read does not wait, whatever the process has set. */
static void take(struct sim_messages *m, struct sim_message **at)
{
    struct sim_message *gone = *at;
    uint64_t one;

    *at = gone->next;
    free(gone);
    if (read(m->own_fd, &one, sizeof one) != sizeof one)
        sim_say("the counter of messages is wrong");
}

void sim_messages_drop(struct sim_messages *m, const void *tag)
{
    struct sim_message **at = &m->first;

    while (*at)
        if ((*at)->tag == tag)
            take(m, at);
        else
            at = &(*at)->next;
}

static void forget_messages(struct sim_messages *m)
{
    while (m->first)
        take(m, &m->first);
}

/* The process has closed its end. */
void sim_messages_closed(struct sim_messages *m)
{
    struct sim_messages **at = &all;

    if (m->closed && m->ctx)
        m->closed(m);
    forget_messages(m);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    close(m->own_fd);
    free(m);
}

/* The context is closed: nothing comes any more, and whoever waits is told. */
void sim_messages_end(struct sim_context *ctx)
{
    for (struct sim_messages *m = all; m; m = m->next)
        if (m->ctx == ctx) {
            if (m->closed)
                m->closed(m);
            forget_messages(m);
            m->ctx = NULL;
            count_up(m);
        }
}

/* 0 where there is nothing to read, else what read() is to return, with errno. */
static ssize_t read_now(struct sim_messages *m, void *to, size_t room)
{
    struct sim_message *e = m->first;
    size_t size;

    if (!m->ctx) {
        errno = EIO;
        return -1;
    }
    if (!e)
        return 0;
    size = e->size;
    if (size > room) { /* it stays */
        errno = m->too_small;
        return -1;
    }
    memcpy(to, e->data, size);
    take(m, &m->first);
    if (m->taken)
        m->taken(m, size);
    return (ssize_t)size;
}

ssize_t sim_messages_read(int fd, void *to, size_t room)
{
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        struct sim_messages *m;
        ssize_t n = -1;

        sim_enter();
        m = sim_fd_get(fd, SIM_FD_MESSAGES); /* another thread may have closed it */
        if (m)
            n = read_now(m, to, room);
        else
            errno = EBADF;
        sim_leave();
        if (n)
            return n;
        if (fcntl(fd, F_GETFL) & O_NONBLOCK) {
            errno = EAGAIN;
            return -1;
        }
        if (poll(&p, 1, -1) < 0)
            return -1;
    }
}
