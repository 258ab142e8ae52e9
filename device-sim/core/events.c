/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Event descriptors. They are pipes: the process reads the same structs that the kernel would give it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frames.h"

struct sim_channel *sim_channel_new(struct sim_context *ctx, bool async)
{
    struct sim_channel *ch = calloc(1, sizeof *ch);
    struct sim_channel **grown = realloc(ctx->channel, (ctx->n_channels + 1) * sizeof *grown);
    int ends[2];

    if (grown)
        ctx->channel = grown;
    if (!ch || !grown || pipe2(ends, O_CLOEXEC)) {
        free(ch);
        return NULL;
    }
    ch->read_fd = ends[0];
    ch->write_fd = ends[1];
    ch->own_read_fd = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
    fcntl(ch->write_fd, F_SETFL, O_NONBLOCK);
    fcntl(ch->write_fd, F_SETPIPE_SZ, 1 << 20); /* a soak test may read seldom; best effort */
    ch->async = async;
    ch->ctx = ctx;
    ctx->channel[ctx->n_channels++] = ch;
    if (async && !ctx->async)
        ctx->async = ch;
    sim_fd_set(ch->read_fd, SIM_FD_CHANNEL, ch);
    return ch;
}

int sim_async_wanted(struct sim_cmd *cmd, uint16_t attr, struct sim_channel **to)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, attr);

    if (!a)
        return 0;
    *to = sim_fd_get((int)a->data_s64, SIM_FD_CHANNEL);
    return *to && (*to)->async && (*to)->ctx == cmd->ctx ? 0 : EBADF;
}

/* Where events of objects go whose own channel is closed: to nobody. */
static struct sim_channel nowhere = {.read_fd = -1, .write_fd = -1, .own_read_fd = -1, .async = true};

static void forget_channel(struct sim_obj *obj, const struct sim_channel *ch)
{
    struct sim_channel **own = obj->type == SIM_CQ ? &((struct sim_cq *)obj)->async :
        obj->type == SIM_QP ? &((struct sim_qp *)obj)->async : obj->type == SIM_SRQ ? &((struct sim_srq *)obj)->async : NULL;

    if (own && *own == ch)
        *own = &nowhere;
    if (obj->type == SIM_CQ && ((struct sim_cq *)obj)->channel == ch)
        ((struct sim_cq *)obj)->channel = NULL;
}

/* The process has closed its end. */
void sim_channel_closed(struct sim_channel *ch)
{
    struct sim_context *ctx = ch->ctx;

    if (ctx) {
        for (uint32_t i = 0; i < ctx->n_channels; i++)
            if (ctx->channel[i] == ch)
                ctx->channel[i] = NULL;
        if (ctx->async == ch)
            ctx->async = NULL;
        for (uint32_t h = 0; h < ctx->n_objs; h++)
            if (ctx->obj[h])
                forget_channel(ctx->obj[h], ch);
    }
    close(ch->write_fd);
    close(ch->own_read_fd);
    free(ch);
}

static size_t event_size(const struct sim_channel *ch)
{
    return ch->async ? sizeof(struct ib_uverbs_async_event_desc) : sizeof(struct ib_uverbs_comp_event_desc);
}

unsigned sim_take_back(struct sim_channel *ch, uint64_t element)
{
    uint8_t event[16];
    uint8_t *keep = NULL;
    size_t size, kept = 0;
    unsigned taken = 0;
    int scratch[2];

    if (!ch || pipe2(scratch, O_CLOEXEC | O_NONBLOCK))
        return 0;
    size = event_size(ch);
    /* A thread of the process may read the same pipe, and block in that: splice takes what is there and never waits. */
    while (splice(ch->own_read_fd, NULL, scratch[1], NULL, 4096, SPLICE_F_NONBLOCK) > 0)
        while (read(scratch[0], event, size) == (ssize_t)size) {
            uint64_t of;
            uint8_t *grown;

            memcpy(&of, event, 8); /* both structs begin with it */
            if (of == element) {
                taken++;
                continue;
            }
            grown = realloc(keep, kept + size);
            if (!grown)
                break;
            keep = grown;
            memcpy(keep + kept, event, size);
            kept += size;
        }
    close(scratch[0]);
    close(scratch[1]);
    for (size_t at = 0; at < kept; at += size)
        if (write(ch->write_fd, keep + at, size) < 0)
            sim_say("an event was lost");
    free(keep);
    return taken;
}

static void send_async(struct sim_context *ctx, struct sim_channel *to, int event, uint64_t element, uint32_t *counter)
{
    struct ib_uverbs_async_event_desc e = {.element = element, .event_type = (uint32_t)event};

    if (!to || to == &nowhere || ctx->inherited)
        return;
    if (write(to->write_fd, &e, sizeof e) != sizeof e) {
        sim_say("%s: the process does not read its asynchronous events, one was lost", ctx->dev->name);
        return;
    }
    sim_count(DEVICE_SIM_COUNT_ASYNC_EVENTS);
    if (counter)
        ++*counter;
}

void sim_async(struct sim_context *ctx, int event, uint64_t element)
{
    for (uint32_t i = 0; i < ctx->n_channels; i++)
        if (ctx->channel[i] && ctx->channel[i]->async)
            send_async(ctx, ctx->channel[i], event, element, NULL);
}

/* Of an object with a channel of its own, or with the context's. */
static void async_of(struct sim_obj *obj, struct sim_channel *own, int event, uint64_t element, uint32_t *counter)
{
    send_async(obj->ctx, own ? own : obj->ctx->async, event, element, counter);
}

void sim_async_port(struct sim_device *dev, int event, int port)
{
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_contexts[i] && sim_contexts[i]->dev == dev)
            sim_async(sim_contexts[i], event, (uint64_t)port);
}

void sim_async_qp(struct sim_qp *qp, int event)
{
    if (qp->silent) {
        qp->obj.ctx->dev->vendor->tell_silent(qp, event);
        return;
    }
    async_of(&qp->obj, qp->async, event, qp->user_handle, &qp->async_events);
}

void sim_async_cq(struct sim_cq *cq, int event)
{
    if (cq->silent) {
        cq->obj.ctx->dev->vendor->tell_silent_cq(cq, true);
        return;
    }
    async_of(&cq->obj, cq->async, event, cq->user_handle, &cq->async_events);
}

void sim_async_srq(struct sim_srq *srq, int event)
{
    if (srq->silent)
        return;
    async_of(&srq->obj, srq->async, event, srq->user_handle, &srq->async_events);
}

void sim_async_wq(struct sim_wq *wq, int event)
{
    async_of(&wq->obj, wq->async, event, wq->user_handle, &wq->async_events);
}

void sim_comp_event(struct sim_cq *cq)
{
    struct ib_uverbs_comp_event_desc e = {.cq_handle = cq->user_handle};

    if (cq->silent)
        cq->obj.ctx->dev->vendor->tell_silent_cq(cq, false);
    if (!cq->channel)
        return;
    if (write(cq->channel->write_fd, &e, sizeof e) != sizeof e) {
        sim_say("%s: a completion channel is full, an event was lost", cq->obj.ctx->dev->name);
        return;
    }
    cq->comp_events++;
    sim_count(DEVICE_SIM_COUNT_COMP_EVENTS);
}

/* -- what a test may raise --------------------------------------------------------------------- */

static struct sim_cq *find_cq(struct sim_device *dev, uint32_t cqn)
{
    for (int i = 0; i < sim_n_contexts; i++) {
        struct sim_context *ctx = sim_contexts[i];

        for (uint32_t h = 0; ctx && ctx->dev == dev && h < ctx->n_objs; h++)
            if (ctx->obj[h] && ctx->obj[h]->type == SIM_CQ && ((struct sim_cq *)ctx->obj[h])->cqn == cqn)
                return (struct sim_cq *)ctx->obj[h];
    }
    return NULL;
}

static int raise_event(struct sim_device *dev, int event, uint32_t number)
{
    struct sim_cq *cq;
    struct sim_qp *qp;
    struct sim_srq *srq;

    switch (event) {
    case IBV_EVENT_CQ_ERR:
        cq = find_cq(dev, number);
        if (!cq)
            return ENOENT;
        sim_async_cq(cq, event);
        return 0;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
        qp = sim_qp_find(dev, number);
        if (!qp)
            return ENOENT;
        sim_async_qp(qp, event);
        return 0;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
        srq = sim_srq_find(dev, number);
        if (!srq)
            return ENOENT;
        sim_async_srq(srq, event);
        return 0;
    case IBV_EVENT_DEVICE_FATAL:
        sim_async_port(dev, event, 0);
        return 0;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        if (number < 1 || number > (unsigned)dev->n_ports)
            return ENOENT;
        sim_async_port(dev, event, (int)number - 1 + dev->vendor->first_port);
        return 0;
    }
    return EINVAL;
}

int device_sim_async_event(int device, int event, uint32_t number)
{
    int error;

    sim_configure();
    if (device < 0 || device >= sim_config.n_devices)
        return ENODEV;
    sim_enter();
    error = raise_event(&sim_devices[device], event, number);
    sim_leave();
    return error;
}

int device_sim_port_state(int device, int port, int state)
{
    sim_configure();
    if (device < 0 || device >= sim_config.n_devices)
        return ENODEV;
    if (port < 1 || port > sim_devices[device].n_ports || state < IBV_PORT_DOWN || state > IBV_PORT_ACTIVE_DEFER)
        return EINVAL;
    sim_enter();
    if (sim_devices[device].port[port - 1].state != state) {
        sim_devices[device].port[port - 1].state = state;
        sim_async_port(&sim_devices[device], state == IBV_PORT_ACTIVE ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR,
            port - 1 + sim_devices[device].vendor->first_port);
    }
    sim_leave();
    return 0;
}
