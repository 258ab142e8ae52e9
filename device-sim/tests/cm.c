/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The connection manager, by librdmacm, within a process. Two devices of two ports. */
#include "cm_kit.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_verbs.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PORT 7471

static struct rdma_event_channel *left, *right; /* of the active and the passive side */

static void open_channels(void)
{
    left = SOME(rdma_create_event_channel());
    right = SOME(rdma_create_event_channel());
}

static void close_channels(void)
{
    rdma_destroy_event_channel(left);
    rdma_destroy_event_channel(right);
    no_violations();
}

/* -- addresses --------------------------------------------------------------------------------- */

static void message_goes(struct rdma_cm_id *from, struct rdma_cm_id *to, const char *text);

static int bound(struct rdma_cm_id *id, const char *host, uint16_t port)
{
    struct sockaddr_in a = at(host, port);

    return rdma_bind_addr(id, any(&a)) ? errno : 0;
}

static void binding(void)
{
    struct rdma_cm_id *id, *other;

    open_channels();
    id = new_id(left, RDMA_PS_TCP);
    EQ(bound(id, "192.0.2.77", 0), EADDRNOTAVAIL);
    EQ(bound(id, SECOND, PORT), 0);
    CHECK(!strcmp(ibv_get_device_name(id->verbs->device), "mlx5_1"));
    EQ(id->port_num, 1);
    EQ(ntohs(rdma_get_src_port(id)), PORT);
    EQ(bound(id, SECOND, PORT), EINVAL);
    other = new_id(left, RDMA_PS_TCP);
    EQ(bound(other, SECOND, PORT), EADDRINUSE);
    EQ(bound(other, "0.0.0.0", PORT), EADDRNOTAVAIL);
    EQ(bound(other, "192.0.2.6", PORT), 0); /* the second port of the same device has the same number free */
    EQ(other->port_num, 2);
    drop(other);
    other = new_id(left, RDMA_PS_UDP); /* another space */
    EQ(bound(other, SECOND, PORT), 0);
    drop(other);
    drop(id);
    id = new_id(left, RDMA_PS_TCP);
    EQ(bound(id, "0.0.0.0", 0), 0);
    CHECK(!id->verbs && rdma_get_src_port(id));
    drop(id);
    close_channels();
}

/* A link-local address is one of its link alone. */
static void binding_ipv6(void)
{
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_scope_id = 5104}, all = {.sin6_family = AF_INET6};
    struct rdma_cm_id *id, *listener, *b;
    struct rdma_cm_event *e;

    EQ(inet_pton(AF_INET6, "fe80::200:0:51:101", &a.sin6_addr), 1);
    open_channels();
    listener = new_id(right, RDMA_PS_TCP);
    a.sin6_scope_id = 5100;
    EQ(rdma_bind_addr(listener, (struct sockaddr *)&a), -1);
    EQ(errno, EADDRNOTAVAIL);
    a.sin6_scope_id = 0;
    EQ(rdma_bind_addr(listener, (struct sockaddr *)&a), -1);
    EQ(errno, EINVAL);
    all.sin6_port = htons(PORT);
    OK(rdma_bind_addr(listener, (struct sockaddr *)&all));
    OK(rdma_listen(listener, 1));
    a.sin6_scope_id = 5104;
    a.sin6_port = htons(PORT);
    id = new_id(left, RDMA_PS_TCP);
    OK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&a, 100));
    take(left, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(!strcmp(ibv_get_device_name(id->verbs->device), "mlx5_1"));
    OK(rdma_resolve_route(id, 100));
    take(left, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    make_qp(id);
    OK(rdma_connect(id, NULL));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    b = e->id;
    EQ(rdma_get_peer_addr(b)->sa_family, AF_INET6);
    OK(rdma_ack_cm_event(e));
    make_qp(b);
    OK(rdma_accept(b, NULL));
    take(left, RDMA_CM_EVENT_ESTABLISHED, 0);
    take(right, RDMA_CM_EVENT_ESTABLISHED, 0);
    message_goes(id, b, "by IPv6");
    drop(id);
    take(right, RDMA_CM_EVENT_DISCONNECTED, 0);
    drop(b);
    drop(listener);
    close_channels();
}

static void reuse(void)
{
    struct rdma_cm_id *a, *b;
    int on = 1;

    open_channels();
    a = new_id(left, RDMA_PS_TCP);
    b = new_id(left, RDMA_PS_TCP);
    OK(rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &on, sizeof on));
    EQ(bound(a, FIRST, PORT), 0);
    EQ(bound(b, FIRST, PORT), EADDRINUSE);
    OK(rdma_set_option(b, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &on, sizeof on));
    EQ(bound(b, FIRST, PORT), 0);
    EQ(rdma_listen(a, 1), -1); /* nobody else may be there */
    EQ(errno, EADDRINUSE);
    drop(b);
    OK(rdma_listen(a, 1));
    EQ(rdma_listen(a, 1), -1);
    EQ(errno, EINVAL);
    drop(a);
    close_channels();
}

static void resolving(void)
{
    struct sockaddr_in nowhere = at("192.0.2.200", 1), outside = at("198.51.100.1", 1);
    struct rdma_cm_id *id;
    union ibv_gid gid;

    open_channels();
    id = resolved(left, RDMA_PS_TCP, NULL, SECOND, PORT); /* of several devices it is the one with the address */
    CHECK(!strcmp(ibv_get_device_name(id->verbs->device), "mlx5_1"));
    EQ(((struct sockaddr_in *)rdma_get_local_addr(id))->sin_addr.s_addr, at(SECOND, 0).sin_addr.s_addr);
    OK(ibv_query_gid(id->verbs, 1, 3, &gid));
    CHECK(!memcmp(&id->route.addr.addr.ibaddr.sgid, &gid, 16));
    CHECK(!memcmp(&id->route.addr.addr.ibaddr.dgid, &gid, 16));
    EQ(id->route.num_paths, 1);
    EQ(id->route.path_rec->mtu, IBV_MTU_1024);
    EQ(id->route.path_rec->hop_limit, 64);
    EQ(id->route.path_rec->packet_life_time, 16);
    EQ(id->route.path_rec->pkey, 0xffff);
    CHECK(!memcmp(&id->route.path_rec->sgid, &gid, 16));
    EQ(ntohl(id->route.path_rec->flow_label), (31u * ntohs(rdma_get_src_port(id)) + PORT) & 0xfffff);
    drop(id);
    id = resolved(left, RDMA_PS_TCP, FIRST, SECOND, PORT);
    CHECK(!strcmp(ibv_get_device_name(id->verbs->device), "mlx5_0"));
    EQ(rdma_resolve_addr(id, NULL, any(&nowhere), 10), -1); /* it has one */
    EQ(errno, EINVAL);
    drop(id);
    id = new_id(left, RDMA_PS_TCP);
    OK(rdma_resolve_addr(id, NULL, any(&nowhere), 10));
    take(left, RDMA_CM_EVENT_ADDR_ERROR, -ETIMEDOUT);
    OK(rdma_resolve_addr(id, NULL, any(&outside), 10));
    take(left, RDMA_CM_EVENT_ADDR_ERROR, -ENETUNREACH);
    drop(id);
    close_channels();
}

/* -- connections ------------------------------------------------------------------------------- */

struct connection {
    struct rdma_cm_id *listener, *a, *b;
};

static void accept_request(struct connection *c, const struct rdma_cm_event *e)
{
    struct rdma_conn_param p = {.private_data = "yes", .private_data_len = 4, .responder_resources = 5, .initiator_depth = 6,
        .rnr_retry_count = 4};

    EQ(e->param.conn.private_data_len, 56);
    CHECK(!memcmp(e->param.conn.private_data, "hello\0\0\0", 8));
    EQ(e->param.conn.responder_resources, 3); /* as the peer's depth */
    EQ(e->param.conn.initiator_depth, 7);
    EQ(e->param.conn.retry_count, 2);
    EQ(e->param.conn.rnr_retry_count, 7); /* there are three bits */
    EQ(e->param.conn.qp_num, c->a->qp->qp_num);
    CHECK(e->listen_id == c->listener && e->id->context == c->listener->context);
    c->b = e->id;
    make_qp(c->b);
    OK(rdma_accept(c->b, &p));
}

static struct connection connected(void)
{
    struct rdma_conn_param p = {.private_data = "hello", .private_data_len = 6, .responder_resources = 7, .initiator_depth = 3,
        .retry_count = 2, .rnr_retry_count = 9};
    struct connection c = {.listener = listening(right, RDMA_PS_TCP, SECOND, PORT),
        .a = resolved(left, RDMA_PS_TCP, FIRST, SECOND, PORT)};
    struct rdma_cm_event *e;

    make_qp(c.a);
    OK(rdma_connect(c.a, &p));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    accept_request(&c, e);
    OK(rdma_ack_cm_event(e));
    e = next(left, RDMA_CM_EVENT_ESTABLISHED, 0);
    EQ(e->param.conn.private_data_len, 196);
    CHECK(!memcmp(e->param.conn.private_data, "yes\0", 4));
    EQ(e->param.conn.qp_num, c.b->qp->qp_num);
    EQ(e->param.conn.responder_resources, 6);
    EQ(e->param.conn.initiator_depth, 5);
    OK(rdma_ack_cm_event(e));
    take(right, RDMA_CM_EVENT_ESTABLISHED, 0);
    return c;
}

static void drop_connection(struct connection *c)
{
    drop(c->a);
    drop(c->b);
    drop(c->listener);
}

/* What librdmacm gave the queue pairs, by what it asked for. */
static void attributes_are_right(const struct connection *c)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr a, b;

    OK(ibv_query_qp(c->a->qp, &a, 0x1fffff, &init));
    OK(ibv_query_qp(c->b->qp, &b, 0x1fffff, &init));
    EQ(a.qp_state, IBV_QPS_RTS);
    EQ(b.qp_state, IBV_QPS_RTS);
    EQ(a.dest_qp_num, c->b->qp->qp_num);
    EQ(b.dest_qp_num, c->a->qp->qp_num);
    EQ(a.rq_psn, b.sq_psn);
    EQ(b.rq_psn, a.sq_psn);
    CHECK(a.rq_psn != b.rq_psn);
    EQ(a.qp_access_flags, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
    EQ(a.path_mtu, IBV_MTU_1024);
    EQ(a.max_dest_rd_atomic, 6); /* the passive side's depth */
    EQ(a.max_rd_atomic, 5);
    EQ(b.max_dest_rd_atomic, 5);
    EQ(b.max_rd_atomic, 6);
    EQ(a.retry_cnt, 2);
    EQ(b.retry_cnt, 2); /* of who connects */
    EQ(a.rnr_retry, 4); /* as the other one wants it */
    EQ(b.rnr_retry, 7);
    EQ(a.timeout, 17);
    EQ(b.timeout, 17);
    EQ(a.min_rnr_timer, 0);
    EQ(a.ah_attr.grh.sgid_index, 3);
    CHECK(!memcmp(&a.ah_attr.grh.dgid, &c->b->route.addr.addr.ibaddr.sgid, 16));
    EQ(a.ah_attr.grh.hop_limit, 64);
}

static void message_goes(struct rdma_cm_id *from, struct rdma_cm_id *to, const char *text)
{
    char there[64] = "", here[64] = "";
    struct ibv_mr *in = SOME(rdma_reg_msgs(to, there, sizeof there)), *out = SOME(rdma_reg_msgs(from, here, sizeof here));
    struct ibv_wc wc;

    strcpy(here, text);
    OK(rdma_post_recv(to, NULL, there, sizeof there, in));
    OK(rdma_post_send(from, NULL, here, sizeof here, out, 0));
    device_sim_pump(-1);
    EQ(ibv_poll_cq(from->send_cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_SUCCESS);
    EQ(ibv_poll_cq(to->recv_cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_SUCCESS);
    CHECK(!strcmp(there, text));
    OK(ibv_dereg_mr(in));
    OK(ibv_dereg_mr(out));
}

static void connecting(void)
{
    struct connection c;

    open_channels();
    c = connected();
    attributes_are_right(&c);
    message_goes(c.a, c.b, "there");
    message_goes(c.b, c.a, "back");
    EQ(rdma_connect(c.a, &(struct rdma_conn_param){0}), -1);
    EQ(errno, EINVAL);
    OK(rdma_disconnect(c.a));
    take(right, RDMA_CM_EVENT_DISCONNECTED, 0);
    OK(rdma_disconnect(c.b)); /* only now the first one hears */
    take(left, RDMA_CM_EVENT_DISCONNECTED, 0);
    take(left, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
    take(right, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
    drop_connection(&c);
    close_channels();
}

/* Nobody has to disconnect before an id is destroyed. */
static void destroying(void)
{
    struct connection c;

    open_channels();
    c = connected();
    drop(c.a);
    take(right, RDMA_CM_EVENT_DISCONNECTED, 0);
    drop(c.b);
    c.a = resolved(left, RDMA_PS_TCP, NULL, SECOND, PORT);
    make_qp(c.a);
    OK(rdma_connect(c.a, NULL));
    drop(c.listener); /* with a request that was not taken */
    take(left, RDMA_CM_EVENT_REJECTED, 28);
    drop(c.a);
    close_channels();
}

static void timeouts(void)
{
    struct rdma_cm_id *listener, *a;
    struct rdma_cm_event *e;
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;
    uint8_t timeout = 9, tos = 0x40;

    open_channels();
    listener = listening(right, RDMA_PS_TCP, FIRST, PORT);
    a = new_id(left, RDMA_PS_TCP);
    OK(rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 1));
    EQ(rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 2), -1);
    EQ(errno, EINVAL);
    OK(rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, 1));
    EQ(rdma_set_option(a, RDMA_OPTION_ID, 77, &tos, 1), -1);
    EQ(errno, ENOSYS);
    OK(rdma_resolve_addr(a, NULL, any(&(struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(PORT),
        .sin_addr = at(FIRST, 0).sin_addr}), 100));
    take(left, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    OK(rdma_resolve_route(a, 100));
    take(left, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    EQ(a->route.path_rec->packet_life_time, 8);
    make_qp(a);
    OK(rdma_connect(a, NULL));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    make_qp(e->id);
    OK(rdma_accept(e->id, NULL));
    take(left, RDMA_CM_EVENT_ESTABLISHED, 0);
    OK(ibv_query_qp(e->id->qp, &attr, 0x1fffff, &init));
    EQ(attr.timeout, 9); /* of who connects */
    EQ(attr.ah_attr.grh.traffic_class, 0x40);
    OK(ibv_query_qp(a->qp, &attr, 0x1fffff, &init));
    EQ(attr.timeout, 9);
    drop(a);
    take(right, RDMA_CM_EVENT_ESTABLISHED, 0);
    take(right, RDMA_CM_EVENT_DISCONNECTED, 0);
    a = e->id;
    OK(rdma_ack_cm_event(e));
    drop(a);
    drop(listener);
    close_channels();
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void rejecting(void)
{
    struct rdma_cm_id *listener, *a, *b;
    struct rdma_cm_event *e;
    char long_data[200] = {0};

    open_channels();
    a = resolved(left, RDMA_PS_TCP, NULL, SECOND, PORT);
    make_qp(a);
    OK(rdma_connect(a, NULL));
    take(left, RDMA_CM_EVENT_REJECTED, 8); /* nobody listens */
    drop(a);
    listener = listening(right, RDMA_PS_TCP, "0.0.0.0", PORT);
    a = resolved(left, RDMA_PS_TCP, NULL, SECOND, PORT);
    make_qp(a);
    EQ(rdma_connect(a, &(struct rdma_conn_param){.private_data = long_data, .private_data_len = 57}), -1);
    EQ(errno, EINVAL);
    OK(rdma_connect(a, NULL));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    CHECK(!strcmp(ibv_get_device_name(e->id->verbs->device), "mlx5_1"));
    b = e->id;
    OK(rdma_ack_cm_event(e));
    EQ(rdma_reject(b, long_data, 149), -1);
    EQ(errno, EINVAL);
    OK(rdma_reject(b, "no", 3));
    e = next(left, RDMA_CM_EVENT_REJECTED, 28);
    EQ(e->param.conn.private_data_len, 148);
    CHECK(!memcmp(e->param.conn.private_data, "no\0", 3));
    OK(rdma_ack_cm_event(e));
    drop(b);
    drop(a);
    a = resolved(left, RDMA_PS_TCP, NULL, SECOND, PORT); /* too much in the answer ends it all */
    make_qp(a);
    OK(rdma_connect(a, NULL));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    b = e->id;
    OK(rdma_ack_cm_event(e));
    make_qp(b);
    EQ(rdma_accept(b, &(struct rdma_conn_param){.private_data = long_data, .private_data_len = 197}), -1);
    EQ(errno, EINVAL);
    take(left, RDMA_CM_EVENT_REJECTED, 28);
    drop(b);
    drop(a);
    a = resolved(left, RDMA_PS_TCP, NULL, "127.0.0.1", PORT); /* the kernel's peer takes no such address */
    make_qp(a);
    OK(rdma_connect(a, NULL));
    take(left, RDMA_CM_EVENT_REJECTED, 28);
    drop(a);
    drop(listener);
    close_channels();
}

static void full_backlog(void)
{
    struct rdma_cm_id *listener, *a[2], *b;
    struct rdma_cm_event *e;
    struct sockaddr_in here = at(FIRST, PORT);

    open_channels();
    listener = new_id(right, RDMA_PS_TCP);
    OK(rdma_bind_addr(listener, any(&here)));
    OK(rdma_listen(listener, 1));
    for (int i = 0; i < 2; i++) {
        a[i] = resolved(left, RDMA_PS_TCP, NULL, FIRST, PORT);
        make_qp(a[i]);
        OK(rdma_connect(a[i], NULL));
    }
    for (int i = 0; i < 2; i++) { /* the second one asks again, by itself */
        e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
        EQ(e->param.conn.qp_num, a[i]->qp->qp_num);
        b = e->id;
        OK(rdma_ack_cm_event(e));
        OK(rdma_reject(b, NULL, 0));
        drop(b);
        take(left, RDMA_CM_EVENT_REJECTED, 28);
    }
    drop(a[0]);
    drop(a[1]);
    for (int i = 0; i < 2; i++) {
        a[i] = resolved(left, RDMA_PS_TCP, NULL, FIRST, PORT);
        make_qp(a[i]);
        OK(rdma_connect(a[i], NULL));
    }
    drop(listener); /* which has one of the two requests; the other one finds nobody */
    take(left, RDMA_CM_EVENT_REJECTED, 28);
    take(left, RDMA_CM_EVENT_REJECTED, 8);
    drop(a[0]);
    drop(a[1]);
    close_channels();
}

/* -- queue pairs of the program's own ---------------------------------------------------------- */

static int mask_of(struct rdma_cm_id *id, enum ibv_qp_state state)
{
    struct ibv_qp_attr a = {.qp_state = state};
    int mask;

    return rdma_init_qp_attr(id, &a, &mask) ? -errno : mask;
}

static void own_queue_pairs(void)
{
    struct ibv_ece ece = {.vendor_id = 0x15b3, .options = 0x1234};
    struct rdma_conn_param p = {.qp_num = 0x123456, .responder_resources = 1, .srq = 1};
    struct rdma_cm_id *listener, *a, *b;
    struct rdma_cm_event *e;

    open_channels();
    listener = listening(right, RDMA_PS_TCP, FIRST, PORT);
    a = resolved(left, RDMA_PS_TCP, NULL, FIRST, PORT);
    EQ(mask_of(a, IBV_QPS_INIT), 0x39);
    OK(rdma_set_local_ece(a, &ece));
    OK(rdma_connect(a, &p));
    EQ(mask_of(a, IBV_QPS_RTR), -EINVAL); /* before an answer */
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    EQ(e->param.conn.qp_num, 0x123456);
    EQ(e->param.conn.srq, 1);
    b = e->id;
    OK(rdma_ack_cm_event(e));
    OK(rdma_get_remote_ece(b, &ece));
    EQ(ece.vendor_id, 0x15b3);
    EQ(ece.options, 0x1234);
    EQ(mask_of(b, IBV_QPS_INIT), 0x39);
    EQ(mask_of(b, IBV_QPS_RTR), 0x129181);
    EQ(mask_of(b, IBV_QPS_RTS), 0x12e01);
    ece.options = 0x30;
    OK(rdma_set_local_ece(b, &ece));
    p.qp_num = 0x654321;
    OK(rdma_accept(b, &p));
    e = next(left, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
    EQ(e->param.conn.qp_num, 0x654321);
    OK(rdma_ack_cm_event(e));
    OK(rdma_get_remote_ece(a, &ece));
    EQ(ece.options, 0x30);
    EQ(mask_of(a, IBV_QPS_RTR), 0x129181);
    EQ(rdma_notify(a, IBV_EVENT_COMM_EST), -1);
    EQ(errno, EINVAL);
    OK(rdma_notify(b, IBV_EVENT_COMM_EST)); /* the peer's data overtook its confirmation */
    take(right, RDMA_CM_EVENT_ESTABLISHED, 0);
    EQ(rdma_notify(b, IBV_EVENT_COMM_EST), -1);
    EQ(errno, EISCONN);
    OK(rdma_establish(a));
    OK(rdma_disconnect(b));
    take(left, RDMA_CM_EVENT_DISCONNECTED, 0);
    EQ(mask_of(a, IBV_QPS_INIT), -EINVAL);
    drop(a);
    take(right, RDMA_CM_EVENT_DISCONNECTED, 0);
    drop(b);
    a = resolved(left, RDMA_PS_TCP, NULL, FIRST, PORT);
    OK(rdma_connect(a, &p));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    OK(rdma_reject_ece(e->id, NULL, 0));
    take(left, RDMA_CM_EVENT_REJECTED, 35);
    b = e->id;
    OK(rdma_ack_cm_event(e));
    drop(b);
    drop(a);
    drop(listener);
    close_channels();
}

/* -- datagrams --------------------------------------------------------------------------------- */

static void datagrams(void)
{
    struct rdma_cm_id *listener, *a, *b;
    struct rdma_cm_event *e;
    struct rdma_ud_param to;

    open_channels();
    a = resolved(left, RDMA_PS_UDP, FIRST, SECOND, PORT);
    make_qp(a);
    EQ(a->qp->state, IBV_QPS_RTS);
    EQ(mask_of(a, IBV_QPS_RTR), 0x71); /* whatever is asked for */
    OK(rdma_connect(a, NULL));
    take(left, RDMA_CM_EVENT_UNREACHABLE, 1);
    drop(a);
    listener = listening(right, RDMA_PS_UDP, SECOND, PORT);
    a = resolved(left, RDMA_PS_UDP, FIRST, SECOND, PORT);
    make_qp(a);
    OK(rdma_connect(a, &(struct rdma_conn_param){.private_data = "who", .private_data_len = 4}));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    EQ(e->param.ud.private_data_len, 180);
    CHECK(!memcmp(e->param.ud.private_data, "who", 4));
    b = e->id;
    OK(rdma_ack_cm_event(e));
    make_qp(b);
    OK(rdma_accept(b, &(struct rdma_conn_param){.private_data = "me", .private_data_len = 3, .qp_num = b->qp->qp_num}));
    e = next(left, RDMA_CM_EVENT_ESTABLISHED, 0);
    EQ(e->param.ud.private_data_len, 136);
    CHECK(!memcmp(e->param.ud.private_data, "me", 3));
    EQ(e->param.ud.qp_num, b->qp->qp_num);
    EQ(e->param.ud.qkey, RDMA_UDP_QKEY);
    to = e->param.ud;
    EQ(to.ah_attr.grh.sgid_index, 3);
    CHECK(!memcmp(&to.ah_attr.grh.dgid, &b->route.addr.addr.ibaddr.sgid, 16));
    OK(rdma_ack_cm_event(e));
    {
        char in[100] = "", out[60] = "datagram";
        struct ibv_mr *to_mr = SOME(rdma_reg_msgs(b, in, sizeof in)), *from_mr = SOME(rdma_reg_msgs(a, out, sizeof out));
        struct ibv_ah *ah = SOME(ibv_create_ah(a->pd, &to.ah_attr));
        struct ibv_wc wc;

        OK(rdma_post_recv(b, NULL, in, sizeof in, to_mr));
        OK(rdma_post_ud_send(a, NULL, out, sizeof out, from_mr, 0, ah, to.qp_num));
        device_sim_pump(-1);
        EQ(ibv_poll_cq(b->recv_cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
        CHECK(!strcmp(in + 40, "datagram"));
        OK(ibv_destroy_ah(ah));
        OK(ibv_dereg_mr(to_mr));
        OK(ibv_dereg_mr(from_mr));
    }
    drop(a);
    drop(b);
    a = resolved(left, RDMA_PS_UDP, FIRST, SECOND, PORT);
    make_qp(a);
    OK(rdma_connect(a, NULL));
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    b = e->id;
    OK(rdma_ack_cm_event(e));
    OK(rdma_reject(b, "no", 3));
    e = next(left, RDMA_CM_EVENT_UNREACHABLE, 2);
    EQ(e->param.ud.private_data_len, 136);
    CHECK(!memcmp(e->param.ud.private_data, "no", 3));
    OK(rdma_ack_cm_event(e));
    drop(a);
    drop(b);
    drop(listener);
    close_channels();
}

static void groups(void)
{
    struct sockaddr_in group = at("239.1.2.3", 0);
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = {.s6_addr = {0xff, 0x0e, [15] = 9}}};
    struct rdma_cm_id *id[2];
    struct rdma_cm_event *e = NULL;
    char in[100] = "", out[60] = "to all";
    struct ibv_mr *to_mr, *from_mr;
    struct ibv_ah *ah;
    struct ibv_wc wc;
    uint8_t wanted[16] = {[10] = 0xff, 0xff, 239, 1, 2, 3};

    open_channels();
    for (int i = 0; i < 2; i++) {
        struct sockaddr_in own = at(i ? SECOND : FIRST, 0);

        id[i] = new_id(left, RDMA_PS_UDP);
        OK(rdma_bind_addr(id[i], any(&own)));
        OK(rdma_resolve_addr(id[i], NULL, any(&group), 100));
        take(left, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
        make_qp(id[i]);
        EQ(rdma_join_multicast(id[i], (struct sockaddr *)&six, NULL), -1);
        EQ(errno, 524); /* the kernel's ENOTSUPP */
        OK(rdma_join_multicast(id[i], any(&group), id));
        e = next(left, RDMA_CM_EVENT_MULTICAST_JOIN, 0);
        CHECK(e->id == id[i] && e->param.ud.private_data == id);
        EQ(e->param.ud.qp_num, 0xffffff);
        EQ(e->param.ud.qkey, RDMA_UDP_QKEY);
        CHECK(!memcmp(&e->param.ud.ah_attr.grh.dgid, wanted, 16));
        if (i)
            ah = SOME(ibv_create_ah(id[1]->pd, &e->param.ud.ah_attr));
        OK(rdma_ack_cm_event(e));
    }
    to_mr = SOME(rdma_reg_msgs(id[0], in, sizeof in));
    from_mr = SOME(rdma_reg_msgs(id[1], out, sizeof out));
    OK(rdma_post_recv(id[0], NULL, in, sizeof in, to_mr));
    OK(rdma_post_ud_send(id[1], NULL, out, sizeof out, from_mr, 0, ah, 0xffffff));
    device_sim_pump(-1);
    EQ(ibv_poll_cq(id[0]->recv_cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_SUCCESS);
    CHECK(!strcmp(in + 40, "to all"));
    OK(rdma_leave_multicast(id[0], any(&group)));
    EQ(rdma_leave_multicast(id[0], any(&group)), -1);
    EQ(errno, EADDRNOTAVAIL);
    OK(rdma_post_recv(id[0], NULL, in, sizeof in, to_mr));
    OK(rdma_post_ud_send(id[1], NULL, out, sizeof out, from_mr, 0, ah, 0xffffff));
    device_sim_pump(-1);
    EQ(ibv_poll_cq(id[0]->recv_cq, 1, &wc), 0);
    OK(rdma_leave_multicast(id[1], any(&group)));
    OK(ibv_destroy_ah(ah));
    OK(ibv_dereg_mr(to_mr));
    OK(ibv_dereg_mr(from_mr));
    drop(id[0]);
    drop(id[1]);
    close_channels();
}

/* -- files ------------------------------------------------------------------------------------- */

/* An event follows its id; a listener's requests come with their ids. */
static void migrating(void)
{
    struct rdma_cm_id *listener, *a, *b;
    struct rdma_cm_event *e;
    struct pollfd p[2];

    open_channels();
    p[0] = (struct pollfd){.fd = left->fd, .events = POLLIN};
    p[1] = (struct pollfd){.fd = right->fd, .events = POLLIN};
    listener = listening(left, RDMA_PS_TCP, FIRST, PORT);
    a = resolved(right, RDMA_PS_TCP, NULL, FIRST, PORT);
    make_qp(a);
    EQ(poll(p, 2, 0), 0);
    OK(rdma_connect(a, NULL));
    EQ(poll(p, 2, 0), 1);
    CHECK(p[0].revents & POLLIN);
    OK(rdma_migrate_id(listener, right));
    EQ(poll(p, 2, 0), 1);
    CHECK(p[1].revents & POLLIN);
    e = next(right, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    b = e->id;
    CHECK(b->channel == right);
    OK(rdma_ack_cm_event(e));
    OK(rdma_migrate_id(b, left));
    make_qp(b);
    OK(rdma_accept(b, NULL));
    take(right, RDMA_CM_EVENT_ESTABLISHED, 0);
    take(left, RDMA_CM_EVENT_ESTABLISHED, 0);
    drop(a);
    take(left, RDMA_CM_EVENT_DISCONNECTED, 0);
    drop(b);
    drop(listener);
    close_channels();
}

static void descriptors(void)
{
    struct rdma_cm_event *e;
    struct rdma_cm_id *id;
    struct stat st;
    int copy;

    open_channels();
    OK(fstat(left->fd, &st));
    CHECK(S_ISCHR(st.st_mode) && major(st.st_rdev) == 10);
    OK(stat("/dev/infiniband/rdma_cm", &st));
    CHECK(S_ISCHR(st.st_mode) && major(st.st_rdev) == 10);
    OK(access("/dev/infiniband/rdma_cm", R_OK | W_OK));
    OK(fcntl(left->fd, F_SETFL, fcntl(left->fd, F_GETFL) | O_NONBLOCK));
    EQ(rdma_get_cm_event(left, &e), -1);
    EQ(errno, EAGAIN);
    id = new_id(left, RDMA_PS_TCP);
    copy = dup(left->fd); /* the ids are there as long as one of the two is open */
    CHECK(copy >= 0);
    close(left->fd);
    left->fd = copy;
    EQ(bound(id, FIRST, PORT), 0);
    drop(id);
    drop(resolved(left, RDMA_PS_TCP, NULL, FIRST, PORT));
    close_channels();
}

static void *server(void *unused)
{
    struct rdma_addrinfo hints = {.ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP}, *info;
    struct ibv_qp_init_attr attr = {.cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}, .sq_sig_all = 1};
    struct rdma_cm_id *listener, *id;

    (void)unused;
    EQ(rdma_getaddrinfo(FIRST, "7471", &hints, &info), 0);
    OK(rdma_create_ep(&listener, info, NULL, &attr));
    rdma_freeaddrinfo(info);
    OK(rdma_listen(listener, 1));
    OK(rdma_get_request(listener, &id)); /* waits in C */
    OK(rdma_accept(id, NULL));
    OK(rdma_disconnect(id));
    rdma_destroy_ep(id);
    rdma_destroy_ep(listener);
    return NULL;
}

/* Endpoints, which have a file each and wait for each event. */
static void waiting_in_c(void)
{
    struct rdma_addrinfo hints = {.ai_port_space = RDMA_PS_TCP}, *info;
    struct ibv_qp_init_attr attr = {.cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}, .sq_sig_all = 1};
    struct rdma_cm_id *id;
    pthread_t thread;
    int tries = 0;

    OK(pthread_create(&thread, NULL, server, NULL));
    EQ(rdma_getaddrinfo(FIRST, "7471", &hints, &info), 0);
    for (;; usleep(1000)) { /* until the other one listens */
        OK(rdma_create_ep(&id, info, NULL, &attr));
        if (!rdma_connect(id, NULL))
            break;
        EQ(errno, ECONNREFUSED);
        rdma_destroy_ep(id);
        attr.recv_cq = attr.send_cq = NULL;
        CHECK(++tries < 10000);
    }
    rdma_freeaddrinfo(info);
    OK(rdma_disconnect(id));
    OK(pthread_join(thread, NULL));
    rdma_destroy_ep(id);
    no_violations();
}

static const struct test_case cases[] = {
    {"binding", binding}, {"binding-ipv6", binding_ipv6}, {"reuse", reuse}, {"resolving", resolving}, {"connecting", connecting}, {"destroying", destroying},
    {"timeouts", timeouts}, {"rejecting", rejecting}, {"full-backlog", full_backlog}, {"own-queue-pairs", own_queue_pairs},
    {"datagrams", datagrams}, {"groups", groups}, {"migrating", migrating}, {"descriptors", descriptors},
    {"waiting-in-c", waiting_in_c}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("cm", cases, argc, argv);
}
