/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What DevX answers later: queries that run beside, and events of the device for those who subscribed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devx.h"

/* -- queries that run beside ------------------------------------------------------------------- */

#define MAX_BYTES (1 << 20) /* of answers that were asked for and not read */

struct queue { /* of one descriptor */
    size_t bytes;
};

struct query {
    struct query *next;
    struct sim_messages *to;
    struct sim_context *ctx;
    uint64_t wr_id;
    uint32_t handle;
    uint8_t *in;
    size_t in_length, out_length;
};

static struct query *first_query;

static void free_query(struct query *q)
{
    free(q->in);
    free(q);
}

static void commands_closed(struct sim_messages *m)
{
    struct query **at = &first_query;

    while (*at)
        if ((*at)->to == m) {
            struct query *gone = *at;

            *at = gone->next;
            free_query(gone);
        } else {
            at = &(*at)->next;
        }
    free(m->owner);
    m->owner = NULL;
}

static void command_taken(struct sim_messages *m, size_t size)
{
    ((struct queue *)m->owner)->bytes -= size - sizeof(struct mlx5_ib_uapi_devx_async_cmd_hdr);
}

int devx_command_fd(struct sim_cmd *cmd)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE);
    struct queue *q = calloc(1, sizeof *q);
    struct sim_messages *m = a && q ? sim_messages_new(cmd->ctx, ENOSPC, q, commands_closed) : NULL;

    if (!m) {
        free(q);
        return a ? EMFILE : EINVAL;
    }
    m->taken = command_taken;
    a->data_s64 = m->fd;
    return 0;
}

static struct sim_messages *messages_of(struct sim_cmd *cmd, uint16_t id, void (*kind)(struct sim_messages *m))
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);
    struct sim_messages *m = a ? sim_fd_get((int)a->data_s64, SIM_FD_MESSAGES) : NULL;

    return m && m->ctx == cmd->ctx && m->closed == kind ? m : NULL;
}

int devx_query_later(struct sim_cmd *cmd, struct devx_call *c)
{
    struct sim_messages *m = messages_of(cmd, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, commands_closed);
    struct query *q, **last = &first_query;
    struct queue *queue;

    if (!m)
        return EBADF;
    queue = m->owner;
    if (queue->bytes + c->out_length > MAX_BYTES)
        return EAGAIN;
    q = calloc(1, sizeof *q);
    if (!q || !(q->in = calloc(1, c->in_length + DEVX_SPARE))) {
        free(q);
        return ENOMEM;
    }
    queue->bytes += c->out_length;
    memcpy(q->in, c->in, c->in_length);
    q->in_length = c->in_length;
    q->out_length = c->out_length;
    q->to = m;
    q->ctx = cmd->ctx;
    q->handle = c->target->handle;
    q->wr_id = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 0);
    while (*last)
        last = &(*last)->next;
    *last = q;
    return 0;
}

/* One query is one step of its device. An object that is gone by then answers so in its mailbox. */
bool mlx5_devx_step(struct sim_device *dev)
{
    struct query **at = &first_query, *q;
    size_t header = sizeof(struct mlx5_ib_uapi_devx_async_cmd_hdr);
    uint8_t *answer;

    while (*at && ((*at)->ctx->dev != dev || (*at)->ctx->inherited))
        at = &(*at)->next;
    q = *at;
    if (!q)
        return false;
    *at = q->next;
    answer = calloc(1, header + q->out_length);
    if (answer) {
        struct devx_call c = {.ctx = q->ctx, .name = "query", .in = q->in, .in_length = q->in_length,
            .out = answer + header, .out_length = q->out_length,
            .target = q->handle < q->ctx->n_objs ? q->ctx->obj[q->handle] : NULL};

        if (c.target && devx_names(c.in, c.target)) /* the handle may be another's by now */
            devx_execute(&c);
        else
            devx_refuse(&c, DEVX_BAD_RES, 0x48, 24, "the object was destroyed meanwhile");
        memcpy(answer, &q->wr_id, sizeof q->wr_id);
        sim_messages_put(q->to, NULL, answer, header + q->out_length);
    }
    free(answer);
    free_query(q);
    return true;
}

/* -- events ------------------------------------------------------------------------------------ */

#define MAX_LIST 16
#define EQE 64

struct subscription {
    struct subscription *next;
    struct sim_messages *to;
    const struct devx_object *object; /* NULL: an event of no object */
    uint16_t event;
    uint64_t cookie;
    int eventfd; /* told instead, or -1 */
};

struct events { /* of one descriptor */
    bool omit_data;
};

static struct subscription *subscriptions;

static void remove_where(bool (*gone)(const struct subscription *s, const void *what), const void *what)
{
    struct subscription **at = &subscriptions;

    while (*at) {
        struct subscription *s = *at;

        if (!gone(s, what)) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        if (s->eventfd >= 0)
            close(s->eventfd);
        free(s);
    }
}

static bool is_to(const struct subscription *s, const void *m)
{
    return s->to == m;
}

/* An event that waits without data is its subscription: it goes with it. */
static bool is_of(const struct subscription *s, const void *object)
{
    if (s->object != object)
        return false;
    if (((struct events *)s->to->owner)->omit_data)
        sim_messages_drop(s->to, s);
    return true;
}

static void events_closed(struct sim_messages *m)
{
    remove_where(is_to, m);
    free(m->owner);
    m->owner = NULL;
}

void devx_unsubscribe(const struct devx_object *o)
{
    remove_where(is_of, o);
}

int devx_event_fd(struct sim_cmd *cmd)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE);
    uint64_t flags = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS, 0);
    struct events *e;
    struct sim_messages *m;

    if (!a || flags & ~(uint64_t)MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA)
        return EINVAL;
    e = calloc(1, sizeof *e);
    m = e ? sim_messages_new(cmd->ctx, EINVAL, e, events_closed) : NULL;
    if (!m) {
        free(e);
        return EMFILE;
    }
    e->omit_data = flags != 0;
    a->data_s64 = m->fd;
    return 0;
}

/* As of a device that does not tell which events it has: those that have always been. */
static bool is_event(uint16_t event, bool of_object)
{
    static const uint8_t of_objects[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x10, 0x11, 0x12, 0x13, 0x14, 0x18,
        0x1c, 0x1d};

    if (!of_object)
        return event == 0x09; /* a port has changed */
    for (unsigned i = 0; i < sizeof of_objects; i++)
        if (of_objects[i] == event)
            return true;
    return false;
}

/* Our own copy of an eventfd; -1 with *error where it is none. */
static int copy_of_eventfd(int fd, int *error)
{
    char path[40], name[40] = "";
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    *error = copy < 0 ? EBADF : 0;
    if (copy < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    if (readlink(path, name, sizeof name - 1) < 0 || !strstr(name, "[eventfd]")) {
        *error = EINVAL;
        close(copy);
        return -1;
    }
    return copy;
}

static int add_subscription(const struct subscription *like, int fd)
{
    struct subscription *s = malloc(sizeof *s), **last = &subscriptions;
    int error = 0;

    if (!s)
        return ENOMEM;
    *s = *like;
    s->eventfd = fd < 0 ? -1 : copy_of_eventfd(fd, &error);
    if (error) {
        free(s);
        return error;
    }
    while (*last) /* those who came first are told first */
        last = &(*last)->next;
    *last = s;
    return 0;
}

int devx_subscribe(struct sim_cmd *cmd)
{
    struct ib_uverbs_attr *handle = sim_attr(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE);
    struct ib_uverbs_attr *list = sim_attr(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST);
    struct sim_messages *m = messages_of(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, events_closed);
    struct devx_object *o = handle ? sim_in_obj(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE, SIM_DEVX_OBJECT)
        : NULL;
    bool by_fd = sim_attr(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM);
    uint16_t events[MAX_LIST];
    unsigned n;

    if (!((struct mlx5_ctx *)cmd->ctx->hw)->devx_uid || !list || (handle && (!o || o->opcode == OP_CREATE_UMEM)))
        return EINVAL;
    if (!m)
        return EBADF;
    if (by_fd && sim_attr(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE))
        return EINVAL;
    n = list->len / sizeof *events;
    if (!n || list->len % sizeof *events || n > MAX_LIST)
        return EINVAL;
    sim_in(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, events, n * sizeof *events);
    for (unsigned i = 0; i < n; i++)
        if (!is_event(events[i], o != NULL))
            return EINVAL;
    for (unsigned i = 0; i < n; i++) {
        struct subscription s = {.to = m, .object = o, .event = events[i],
            .cookie = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, 0)};
        int error = add_subscription(&s,
            by_fd ? (int)sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM, 0) : -1);

        if (error)
            return error;
    }
    return 0;
}

static void deliver(struct subscription *s, const uint8_t *eqe)
{
    struct events *e = s->to->owner;
    uint8_t message[8 + EQE];
    uint64_t one = 1;

    if (s->eventfd >= 0) {
        if (write(s->eventfd, &one, sizeof one) != sizeof one)
            sim_say("an event was lost: its eventfd is full");
        return;
    }
    memcpy(message, &s->cookie, 8);
    memcpy(message + 8, eqe, EQE);
    if (!e->omit_data)
        sim_messages_put(s->to, NULL, message, sizeof message);
    else if (!sim_messages_has(s->to, s)) /* one that was not read yet stands for all */
        sim_messages_put(s->to, s, message, 8);
}

/* An entry of an event queue, with the number where this kind of event has it. */
static void write_eqe(uint8_t *eqe, uint16_t event, uint32_t number)
{
    unsigned at = event == 0x00 || event == 0x05 || event == 0x10 || event == 0x11 || event == 0x12 || event == 0x13 ||
        event == 0x14 || event <= 0x03 || event == 0x07 ? 56 : 32;
    uint32_t big = htobe32(event == 0x09 ? number << 28 : number);

    memset(eqe, 0, EQE);
    eqe[1] = (uint8_t)event;
    eqe[3] = event == 0x09 ? 4 : 0; /* a port is up */
    eqe[43] = event == 0x04 ? 1 : 0; /* a completion queue was overrun */
    memcpy(eqe + (event == 0x09 ? 40 : at), &big, sizeof big);
}

static int raise_event(struct sim_device *dev, uint16_t event, uint16_t opcode, uint32_t number)
{
    struct devx_object *o = NULL;
    uint8_t eqe[EQE];

    if (!is_event(event, opcode != 0))
        return EINVAL;
    for (int i = 0; opcode && !o && i < sim_n_contexts; i++)
        if (sim_contexts[i] && sim_contexts[i]->dev == dev)
            o = devx_find(sim_contexts[i], opcode, number);
    if (opcode ? !o : number < 1 || number > (unsigned)dev->n_ports)
        return ENOENT;
    write_eqe(eqe, event, number);
    for (struct subscription *s = subscriptions; s; s = s->next)
        if (s->event == event && s->object == o && s->to->ctx->dev == dev && !s->to->ctx->inherited)
            deliver(s, eqe);
    sim_count(DEVICE_SIM_COUNT_DEVX_EVENTS);
    return 0;
}

/* What the verbs would be told of a queue pair that DevX made goes to who subscribed to it. */
void mlx5_devx_tell(struct sim_qp *qp, int event)
{
    static const struct { int verbs; uint16_t device; } events[] = {{IBV_EVENT_COMM_EST, 0x02}, {IBV_EVENT_SQ_DRAINED, 0x03},
        {IBV_EVENT_QP_FATAL, 0x05}, {IBV_EVENT_QP_REQ_ERR, 0x10}, {IBV_EVENT_QP_ACCESS_ERR, 0x11},
        {IBV_EVENT_QP_LAST_WQE_REACHED, 0x13}};

    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i].verbs == event)
            raise_event(qp->obj.ctx->dev, events[i].device, qp->dc == SIM_DC_TARGET ? OP_CREATE_DCT : OP_CREATE_QP, qp->qpn);
}

void mlx5_devx_tell_cq(struct sim_cq *cq, bool error)
{
    raise_event(cq->obj.ctx->dev, error ? 0x04 : 0x00, OP_CREATE_CQ, cq->cqn);
}

int device_sim_devx_event(int device, int event, int opcode, uint32_t number)
{
    int error;

    sim_configure();
    if (device < 0 || device >= sim_config.n_devices || sim_devices[device].vendor != &sim_mlx5)
        return ENODEV;
    if (event < 0 || event > 255 || opcode < 0 || opcode > 0xffff)
        return EINVAL;
    sim_enter();
    error = raise_event(&sim_devices[device], (uint16_t)event, (uint16_t)opcode, number);
    sim_leave();
    return error;
}
