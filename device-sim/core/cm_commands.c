/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The commands that are written to /dev/infiniband/rdma_cm: what each must have, and which of the others it is for. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "cm.h"

union command {
    struct rdma_ucm_create_id create_id;
    struct rdma_ucm_destroy_id destroy_id;
    struct rdma_ucm_bind_ip bind_ip;
    struct rdma_ucm_bind bind;
    struct rdma_ucm_resolve_ip resolve_ip;
    struct rdma_ucm_resolve_addr resolve_addr;
    struct rdma_ucm_resolve_route resolve_route;
    struct rdma_ucm_query query;
    struct rdma_ucm_connect connect;
    struct rdma_ucm_listen listen;
    struct rdma_ucm_accept accept;
    struct rdma_ucm_reject reject;
    struct rdma_ucm_disconnect disconnect;
    struct rdma_ucm_init_qp_attr init_qp_attr;
    struct rdma_ucm_notify notify;
    struct rdma_ucm_join_ip_mcast join_ip;
    struct rdma_ucm_join_mcast join;
    struct rdma_ucm_get_event get_event;
    struct rdma_ucm_set_option set_option;
    struct rdma_ucm_migrate_id migrate_id;
    struct {
        uint32_t id, reserved, event, status;
        uint32_t arg[2];
    } write_event;
};

/* A command under way. */
struct call {
    struct cm_file *file;
    const union command *in;
    size_t room; /* for the answer */
    int flags; /* of the descriptor */
};

/* What is written back, cut to the room; an answer that does not fit is the caller's mistake. */
static int answer(const struct call *c, uint64_t to, const void *from, size_t size)
{
    if (c->room < size)
        return ENOSPC;
    return sim_mem_write(to, from, size) ? 0 : EFAULT;
}

static struct cm_id *id_of(const struct call *c, uint32_t handle)
{
    return cm_id_of(c->file, handle);
}

/* Only what belongs to the address: librdmacm leaves the bytes behind it as they were. */
static union sim_address address(const void *from, size_t size)
{
    union sim_address a = {0}, whole = {0};

    memcpy(&whole, from, size);
    memcpy(&a, &whole, sim_address_size(&whole) < size ? sim_address_size(&whole) : size);
    a.any.sa_family = whole.any.sa_family;
    return a;
}

static int create_id(const struct call *c)
{
    const struct rdma_ucm_create_id *in = &c->in->create_id;
    struct rdma_ucm_create_id_resp r;
    struct cm_id *id;
    uint8_t type = in->qp_type;

    if (c->room < sizeof r)
        return ENOSPC;
    switch (in->ps) {
    case RDMA_PS_TCP: type = IB_UVERBS_QPT_RC; break;
    case RDMA_PS_UDP:
    case RDMA_PS_IPOIB: type = IB_UVERBS_QPT_UD; break;
    case RDMA_PS_IB: break;
    default: return EINVAL;
    }
    id = cm_id_new(c->file);
    if (!id)
        return ENOMEM;
    id->uid = in->uid;
    id->ps = in->ps;
    id->qp_type = type;
    r.id = id->handle;
    return answer(c, in->response, &r, sizeof r);
}

static int destroy_id(const struct call *c)
{
    const struct rdma_ucm_destroy_id *in = &c->in->destroy_id;
    struct cm_id *id = id_of(c, in->id);
    struct rdma_ucm_destroy_id_resp r;

    if (c->room < sizeof r)
        return ENOSPC;
    if (!id)
        return ENOENT;
    r.events_reported = id->reported;
    cm_id_drop(id);
    return answer(c, in->response, &r, sizeof r);
}

static int bind_to(const struct call *c, uint32_t handle, const union sim_address *to)
{
    struct cm_id *id = id_of(c, handle);

    return !sim_address_size(to) ? EINVAL : !id ? ENOENT : cm_bind(id, to);
}

static int bind_ip(const struct call *c)
{
    union sim_address to = address(&c->in->bind_ip.addr, sizeof c->in->bind_ip.addr);

    return bind_to(c, c->in->bind_ip.id, &to);
}

static int bind_any(const struct call *c)
{
    union sim_address to = address(&c->in->bind.addr, sizeof c->in->bind.addr);

    return c->in->bind.addr_size != sim_address_size(&to) ? EINVAL : bind_to(c, c->in->bind.id, &to);
}

static int resolve_to(const struct call *c, uint32_t handle, const union sim_address *src, const union sim_address *dst,
    uint32_t timeout)
{
    struct cm_id *id = id_of(c, handle);

    if (!sim_address_size(dst) || (src->any.sa_family && !sim_address_size(src)))
        return EINVAL;
    return id ? cm_resolve(id, src->any.sa_family ? src : NULL, dst, timeout) : ENOENT;
}

static int resolve_ip(const struct call *c)
{
    const struct rdma_ucm_resolve_ip *in = &c->in->resolve_ip;
    union sim_address src = address(&in->src_addr, sizeof in->src_addr);
    union sim_address dst = address(&in->dst_addr, sizeof in->dst_addr);

    return resolve_to(c, in->id, &src, &dst, in->timeout_ms);
}

static int resolve_addr(const struct call *c)
{
    const struct rdma_ucm_resolve_addr *in = &c->in->resolve_addr;
    union sim_address src = address(&in->src_addr, in->src_size ? sizeof in->src_addr : 0);
    union sim_address dst = address(&in->dst_addr, sizeof in->dst_addr);

    if ((in->src_size && in->src_size != sim_address_size(&src)) || in->dst_size != sim_address_size(&dst))
        return EINVAL;
    return resolve_to(c, in->id, &src, &dst, in->timeout_ms);
}

static int resolve_route(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->resolve_route.id);

    if (!id)
        return ENOENT;
    if (id->state != CM_HAS_ADDRESS)
        return EINVAL;
    id->state = CM_HAS_ROUTE;
    id->has_route = true;
    cm_tell(id, CM_ROUTE_RESOLVED, 0);
    return 0;
}

static int query(const struct call *c)
{
    static uint8_t r[1024] __attribute__((aligned(8))); /* under the lock */
    int size = cm_query(c->file, &c->in->query, r, c->room < sizeof r ? c->room : sizeof r);

    return size < 0 ? -size : answer(c, c->in->query.response, r, (size_t)size);
}

static int query_route(const struct call *c)
{
    struct rdma_ucm_query_route_resp r;
    int error = cm_query_route(c->file, c->in->query.id, &r);

    if (error || c->room < offsetof(struct rdma_ucm_query_route_resp, ibdev_index))
        return error ? error : ENOSPC;
    return answer(c, c->in->query.response, &r, c->room < sizeof r ? c->room : sizeof r);
}

static int connect_to(const struct call *c)
{
    const struct rdma_ucm_connect *in = &c->in->connect;
    struct cm_id *id = id_of(c, in->id);

    if (!in->conn_param.valid)
        return EINVAL;
    return id ? cm_connect(id, &in->conn_param, &in->ece) : ENOENT;
}

static int listen_at(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->listen.id);

    return id ? cm_listen(id, c->in->listen.backlog) : ENOENT;
}

static int accept_it(const struct call *c)
{
    const struct rdma_ucm_accept *in = &c->in->accept;
    struct cm_id *id = id_of(c, in->id);

    return id ? cm_accept(id, in->uid, in->conn_param.valid ? &in->conn_param : NULL, &in->ece) : ENOENT;
}

static int reject(const struct call *c)
{
    const struct rdma_ucm_reject *in = &c->in->reject;
    struct cm_id *id = id_of(c, in->id);
    uint8_t reason = in->reason ? in->reason : CM_REJ_CONSUMER;

    if (reason != CM_REJ_CONSUMER && reason != CM_REJ_VENDOR_OPTION)
        return EINVAL;
    return id ? cm_reject(id, reason, in->private_data, in->private_data_len) : ENOENT;
}

static int disconnect(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->disconnect.id);

    return id ? cm_disconnect(id) : ENOENT;
}

static int init_qp_attr(const struct call *c)
{
    const struct rdma_ucm_init_qp_attr *in = &c->in->init_qp_attr;
    struct cm_id *id = id_of(c, in->id);
    struct ib_uverbs_qp_attr a;
    int error;

    if (c->room < sizeof a)
        return ENOSPC;
    if (in->qp_state > IBV_QPS_ERR)
        return EINVAL;
    if (!id)
        return ENOENT;
    error = cm_init_qp_attr(id, in->qp_state, &a);
    return error ? error : answer(c, in->response, &a, sizeof a);
}

static int event(const struct call *c)
{
    return cm_get_event(c->file, c->flags, c->in->get_event.response, c->room);
}

static int set_option(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->set_option.id);

    return id ? cm_set_option(id, &c->in->set_option) : ENOENT;
}

static int notify(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->notify.id);

    return id ? cm_notify(id, c->in->notify.event) : ENOENT;
}

static int join_group(const struct call *c, uint32_t handle, const union sim_address *group, uint64_t uid,
    uint64_t response)
{
    struct cm_id *id = id_of(c, handle);
    struct rdma_ucm_create_id_resp r;
    int error;

    if (c->room < sizeof r)
        return ENOSPC;
    error = id ? cm_join(id, group, uid, &r.id) : ENOENT;
    return error ? error : answer(c, response, &r, sizeof r);
}

static int join_ip(const struct call *c)
{
    const struct rdma_ucm_join_ip_mcast *in = &c->in->join_ip;
    union sim_address group = address(&in->addr, sizeof in->addr);

    return sim_address_size(&group) ? join_group(c, in->id, &group, in->uid, in->response) : EINVAL;
}

static int join(const struct call *c)
{
    const struct rdma_ucm_join_mcast *in = &c->in->join;
    union sim_address group = address(&in->addr, sizeof in->addr);

    if (!in->addr_size || in->addr_size != sim_address_size(&group) || in->join_flags >= RDMA_MC_JOIN_FLAG_RESERVED)
        return EINVAL;
    return join_group(c, in->id, &group, in->uid, in->response);
}

static int leave(const struct call *c)
{
    const struct rdma_ucm_destroy_id *in = &c->in->destroy_id;
    struct cm_group *g = cm_group_find(in->id);
    struct rdma_ucm_destroy_id_resp r;

    if (c->room < sizeof r)
        return ENOSPC;
    if (!g)
        return ENOENT;
    if (g->id->file != c->file)
        return EINVAL;
    r.events_reported = g->reported;
    cm_group_drop(g);
    return answer(c, in->response, &r, sizeof r);
}

/* Written to the file where the id shall be; the command names the one where it is. */
static int migrate_id(const struct call *c)
{
    const struct rdma_ucm_migrate_id *in = &c->in->migrate_id;
    struct cm_file *from = cm_file_of((int)in->fd);
    struct rdma_ucm_migrate_resp r;
    struct cm_id *id;

    if (!from)
        return EINVAL;
    id = cm_id_of(from, in->id);
    if (!id)
        return ENOENT;
    r.events_reported = id->reported;
    if (c->room < sizeof r)
        return ENOSPC;
    if (from != c->file) {
        cm_move_events(id, c->file);
        id->file = c->file;
    }
    return answer(c, in->response, &r, sizeof r);
}

static int resolve_service(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->disconnect.id);

    return id ? EOPNOTSUPP : ENOENT; /* InfiniBand's subnets have services */
}

static int write_event(const struct call *c)
{
    struct cm_id *id = id_of(c, c->in->write_event.id);
    struct cm_event *e;

    if (c->in->write_event.event != CM_USER && c->in->write_event.event != CM_INTERNAL)
        return EINVAL;
    if (!id)
        return ENOENT;
    e = cm_tell(id, (int)c->in->write_event.event, (int)c->in->write_event.status);
    memcpy(&e->resp.param, c->in->write_event.arg, sizeof c->in->write_event.arg);
    return 0;
}

#define RESERVED(type, field) offsetof(struct type, field), sizeof(((struct type *)0)->field)

static const struct {
    size_t size, least; /* of the command; least: what older libraries have */
    size_t zero, n_zero; /* reserved */
    int (*run)(const struct call *c);
} commands[CM_COMMANDS] = {
    [RDMA_USER_CM_CMD_CREATE_ID] = {sizeof(struct rdma_ucm_create_id), 0,
        RESERVED(rdma_ucm_create_id, reserved), create_id},
    [RDMA_USER_CM_CMD_DESTROY_ID] = {sizeof(struct rdma_ucm_destroy_id), 0,
        RESERVED(rdma_ucm_destroy_id, reserved), destroy_id},
    [RDMA_USER_CM_CMD_BIND_IP] = {sizeof(struct rdma_ucm_bind_ip), 0, 0, 0, bind_ip},
    [RDMA_USER_CM_CMD_RESOLVE_IP] = {sizeof(struct rdma_ucm_resolve_ip), 0, 0, 0, resolve_ip},
    [RDMA_USER_CM_CMD_RESOLVE_ROUTE] = {sizeof(struct rdma_ucm_resolve_route), 0, 0, 0, resolve_route},
    [RDMA_USER_CM_CMD_QUERY_ROUTE] = {sizeof(struct rdma_ucm_query), 0, 0, 0, query_route},
    [RDMA_USER_CM_CMD_CONNECT] = {sizeof(struct rdma_ucm_connect), offsetof(struct rdma_ucm_connect, ece),
        RESERVED(rdma_ucm_connect, reserved), connect_to},
    [RDMA_USER_CM_CMD_LISTEN] = {sizeof(struct rdma_ucm_listen), 0, 0, 0, listen_at},
    [RDMA_USER_CM_CMD_ACCEPT] = {sizeof(struct rdma_ucm_accept), offsetof(struct rdma_ucm_accept, ece),
        RESERVED(rdma_ucm_accept, reserved), accept_it},
    [RDMA_USER_CM_CMD_REJECT] = {sizeof(struct rdma_ucm_reject), 0, RESERVED(rdma_ucm_reject, reserved), reject},
    [RDMA_USER_CM_CMD_DISCONNECT] = {sizeof(struct rdma_ucm_disconnect), 0, 0, 0, disconnect},
    [RDMA_USER_CM_CMD_INIT_QP_ATTR] = {sizeof(struct rdma_ucm_init_qp_attr), 0, 0, 0, init_qp_attr},
    [RDMA_USER_CM_CMD_GET_EVENT] = {sizeof(struct rdma_ucm_get_event), 0, 0, 0, event},
    [RDMA_USER_CM_CMD_SET_OPTION] = {sizeof(struct rdma_ucm_set_option), 0, 0, 0, set_option},
    [RDMA_USER_CM_CMD_NOTIFY] = {sizeof(struct rdma_ucm_notify), 0, 0, 0, notify},
    [RDMA_USER_CM_CMD_JOIN_IP_MCAST] = {sizeof(struct rdma_ucm_join_ip_mcast), 0, 0, 0, join_ip},
    [RDMA_USER_CM_CMD_LEAVE_MCAST] = {sizeof(struct rdma_ucm_destroy_id), 0,
        RESERVED(rdma_ucm_destroy_id, reserved), leave},
    [RDMA_USER_CM_CMD_MIGRATE_ID] = {sizeof(struct rdma_ucm_migrate_id), 0, 0, 0, migrate_id},
    [RDMA_USER_CM_CMD_QUERY] = {sizeof(struct rdma_ucm_query), 0, 0, 0, query},
    [RDMA_USER_CM_CMD_BIND] = {sizeof(struct rdma_ucm_bind), 0, RESERVED(rdma_ucm_bind, reserved), bind_any},
    [RDMA_USER_CM_CMD_RESOLVE_ADDR] = {sizeof(struct rdma_ucm_resolve_addr), 0,
        RESERVED(rdma_ucm_resolve_addr, reserved), resolve_addr},
    [RDMA_USER_CM_CMD_JOIN_MCAST] = {sizeof(struct rdma_ucm_join_mcast), 0, 0, 0, join},
    [CM_RESOLVE_IB_SERVICE] = {88, 0, 4, 4, resolve_service},
    [CM_WRITE_CM_EVENT] = {320, 0, 4, 4, write_event},
};

#define LARGEST 1024

/* NULL, or what of a command no library writes. */
static const char *malformed(const uint8_t *bytes, size_t size, size_t *at, size_t *width)
{
    const struct rdma_ucm_cmd_hdr *h = (const struct rdma_ucm_cmd_hdr *)bytes;
    size_t least;

    *at = 0;
    *width = sizeof h->cmd;
    if (h->cmd >= CM_COMMANDS)
        return "a command that is not known";
    if (!commands[h->cmd].run)
        return NULL;
    *at = sizeof h->cmd;
    *width = sizeof h->in;
    if (h->in != size - sizeof *h)
        return "the length in the header is not that of the command";
    least = commands[h->cmd].least ? commands[h->cmd].least : commands[h->cmd].size;
    if (h->in < least)
        return "the command is too short";
    for (size_t i = 0; i < commands[h->cmd].n_zero; i++)
        if (bytes[sizeof *h + commands[h->cmd].zero + i]) {
            *at = sizeof *h + commands[h->cmd].zero + i;
            *width = 1;
            return "reserved bytes are not zero";
        }
    return NULL;
}

static int run(struct cm_file *file, int fd, const void *from, size_t size)
{
    uint8_t bytes[LARGEST] __attribute__((aligned(8))) = {0};
    struct rdma_ucm_cmd_hdr h;
    struct call c = {.file = file, .in = (const union command *)(bytes + sizeof h)};
    size_t at, width;
    const char *why;

    if (size < sizeof h || size > sizeof bytes)
        return EINVAL;
    if (!sim_mem_read(bytes, (uint64_t)(uintptr_t)from, size))
        return EFAULT;
    memcpy(&h, bytes, sizeof h);
    why = malformed(bytes, size, &at, &width);
    if (why) {
        sim_violation(bytes, size < 64 ? size : 64, at, width, "rdma_cm command %u: %s", h.cmd, why);
        return EINVAL;
    }
    if (!commands[h.cmd].run)
        return ENOSYS;
    if (file->inherited) {
        sim_say("rdma_cm: a child of fork can't use the files that it inherited");
        return ENODEV;
    }
    c.room = h.out;
    c.flags = fcntl(fd, F_GETFL);
    return commands[h.cmd].run(&c);
}

int sim_cm_write(struct cm_file *file, int fd, const void *from, size_t size)
{
    int error;

    sim_enter();
    error = run(file, fd, from, size);
    sim_leave();
    return error;
}
