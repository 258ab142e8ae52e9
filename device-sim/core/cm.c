/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * /dev/infiniband/rdma_cm, as librdmacm uses it: commands by write(), and events, which one of the commands takes. A
 * file is an eventfd, readable while there are events, so that waiting and polling are the kernel's.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cm.h"

static struct cm_file *files;

struct cm_file *sim_cm_open(int *fd)
{
    struct cm_file *file = calloc(1, sizeof *file);

    sim_engine_start();
    if (!file || !cm_wire_open()) {
        free(file);
        return NULL;
    }
    *fd = eventfd(0, EFD_CLOEXEC);
    file->fd = *fd < 0 ? -1 : fcntl(*fd, F_DUPFD_CLOEXEC, 0);
    if (file->fd < 0) {
        if (*fd >= 0)
            close(*fd);
        free(file);
        return NULL;
    }
    file->descriptors = 1;
    file->next = files;
    files = file;
    return file;
}

static void free_file(struct cm_file *file)
{
    for (struct cm_file **f = &files; *f; f = &(*f)->next)
        if (*f == file) {
            *f = file->next;
            break;
        }
    close(file->fd);
    free(file);
}

void sim_cm_closed(struct cm_file *file)
{
    struct cm_id *id;

    if (--file->descriptors)
        return;
    for (uint32_t h = 0; (id = cm_id_next(&h)); h++)
        if (id->file == file)
            cm_id_drop(id);
    if (!file->waiters)
        free_file(file);
}

void sim_cm_shared(struct cm_file *file)
{
    file->descriptors++;
}

/* A child of fork: the ids are its parent's. */
void sim_cm_forked(void)
{
    for (struct cm_file *f = files; f; f = f->next) {
        f->inherited = true;
        while (f->events) {
            struct cm_event *e = f->events;

            f->events = e->next;
            free(e);
        }
    }
    cm_ids_forget();
    cm_ports_forget();
    cm_wire_forget();
}

struct cm_file *cm_file_of(int fd)
{
    return sim_fd_get(fd, SIM_FD_CM);
}

/* -- events ------------------------------------------------------------------------------------ */

static void show(struct cm_file *file)
{
    uint64_t one = 1;

    if (!file->events == !file->readable)
        return;
    file->readable = file->events;
    if (file->readable ? write(file->fd, &one, sizeof one) < 0 : read(file->fd, &one, sizeof one) < 0)
        sim_say("rdma_cm: a descriptor of events is broken");
}

static struct cm_event *tell(struct cm_id *id, int event, int status)
{
    struct cm_event *e = calloc(1, sizeof *e), **last;

    if (!e)
        return NULL;
    e->id = id;
    e->resp.uid = id->uid;
    e->resp.id = id->handle;
    e->resp.event = (uint32_t)event;
    e->resp.status = (uint32_t)status;
    for (last = &id->file->events; *last; last = &(*last)->next)
        ;
    *last = e;
    show(id->file);
    return e;
}

/* Of an id that the process has not accepted nobody hears: it has no name for it. */
struct cm_event *cm_tell(struct cm_id *id, int event, int status)
{
    static struct cm_event nobody; /* so that the caller can write */

    return (id->uid ? tell(id, event, status) : NULL) ?: &nobody;
}

struct cm_event *cm_tell_group(struct cm_group *g, int event, int status)
{
    struct cm_event *e = cm_tell(g->id, event, status);

    e->group = g;
    e->resp.uid = g->uid;
    e->resp.id = g->handle;
    return e;
}

struct cm_event *cm_tell_request(struct cm_id *listener, struct cm_id *child)
{
    struct cm_event *e = tell(listener, CM_CONNECT_REQUEST, 0);

    if (e) {
        e->child = child;
        e->resp.id = child->handle;
    }
    return e;
}

/* Connections that a listener has not taken go with it. */
void cm_drop_events(struct cm_file *file, const struct cm_id *id, const struct cm_group *g)
{
    struct cm_event **at = &file->events;

    while (*at) {
        struct cm_event *e = *at;

        if (g ? e->group != g : e->id != id && e->child != id) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        if (e->child && e->child != id)
            cm_id_drop(e->child);
        free(e);
    }
    show(file);
}

void cm_move_events(struct cm_id *id, struct cm_file *to)
{
    struct cm_event **at = &id->file->events, **last = &to->events;

    while (*last)
        last = &(*last)->next;
    while (*at) {
        struct cm_event *e = *at;

        if (e->id != id) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        e->next = NULL;
        if (e->child)
            e->child->file = to;
        *last = e;
        last = &e->next;
    }
    show(id->file);
    show(to);
}

/* Waits without the lock until there is an event. 0 or an errno; the file may be gone then. */
static int wait_for_event(struct cm_file *file, int flags)
{
    int error = 0;

    while (!error && !file->events) {
        struct pollfd p = {.fd = file->fd, .events = POLLIN};

        if (flags & O_NONBLOCK)
            return EAGAIN;
        file->waiters++;
        sim_leave();
        error = poll(&p, 1, -1) < 0 ? errno : 0;
        sim_enter();
        file->waiters--;
        if (file->descriptors)
            continue;
        if (!file->waiters)
            free_file(file);
        return EBADF;
    }
    return error;
}

static void taken(struct cm_event *e)
{
    e->id->reported++;
    if (e->group)
        e->group->reported++;
    if (e->child)
        e->id->backlog++;
}

int cm_get_event(struct cm_file *file, int flags, uint64_t to, size_t room)
{
    struct cm_event *e;
    int error;

    if (room < offsetof(struct rdma_ucm_event_resp, reserved))
        return ENOSPC;
    error = wait_for_event(file, flags);
    if (error)
        return error;
    e = file->events;
    if (!sim_mem_write(to, &e->resp, room < sizeof e->resp ? room : sizeof e->resp))
        return EFAULT;
    file->events = e->next;
    taken(e);
    free(e);
    show(file);
    return 0;
}
