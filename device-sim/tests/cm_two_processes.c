/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Connections by address between two processes with the same rendezvous directory. The child is the active side. */
#include "across.h"
#include "cm_kit.h"

#include <poll.h>
#include <signal.h>
#include <rdma/rdma_verbs.h>
#include <unistd.h>

#define PORT 7471
#define OTHER_PORT 7472

static struct rdma_event_channel *ch;
static char text[64];

static void open_channel(void)
{
    ch = SOME(rdma_create_event_channel());
    memset(text, 0, sizeof text);
}

static void close_channel(void)
{
    rdma_destroy_event_channel(ch);
    no_violations();
}

static struct rdma_cm_id *accepted(struct rdma_cm_id *listener, const char *data)
{
    struct rdma_cm_event *e = next(ch, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    struct rdma_cm_id *id = e->id;

    CHECK(e->listen_id == listener);
    strncpy(text, e->param.conn.private_data, sizeof text - 1);
    OK(rdma_ack_cm_event(e));
    make_qp(id);
    OK(rdma_accept(id, &(struct rdma_conn_param){.private_data = data, .private_data_len = (uint8_t)(strlen(data) + 1),
        .responder_resources = 1, .initiator_depth = 1, .rnr_retry_count = 7}));
    return id;
}

static struct rdma_cm_id *connecting(const char *host, const char *data)
{
    struct rdma_cm_id *id = resolved(ch, RDMA_PS_TCP, NULL, host, PORT);

    make_qp(id);
    OK(rdma_connect(id, &(struct rdma_conn_param){.private_data = data, .private_data_len = (uint8_t)(strlen(data) + 1),
        .responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7}));
    return id;
}

static struct rdma_cm_id *connected(struct rdma_cm_id **listener)
{
    struct rdma_cm_id *id;
    struct rdma_cm_event *e;

    *listener = NULL;
    if (!child) {
        *listener = listening(ch, RDMA_PS_TCP, SECOND, PORT);
        meet();
        id = accepted(*listener, "passive");
        take(ch, RDMA_CM_EVENT_ESTABLISHED, 0);
        CHECK(!strcmp(text, "active"));
        return id;
    }
    meet();
    id = connecting(SECOND, "active");
    e = next(ch, RDMA_CM_EVENT_ESTABLISHED, 0);
    CHECK(!strcmp(e->param.conn.private_data, "passive"));
    OK(rdma_ack_cm_event(e));
    return id;
}

static void finish(struct rdma_cm_id *id, struct rdma_cm_id *listener)
{
    drop(id);
    if (listener)
        drop(listener);
    close_channel();
    meet();
}

static void messages(void)
{
    char buffer[64] = "";
    struct rdma_cm_id *listener, *id;
    struct ibv_mr *mr;

    open_channel();
    id = connected(&listener);
    mr = SOME(rdma_reg_msgs(id, buffer, sizeof buffer));
    if (!child)
        OK(rdma_post_recv(id, NULL, buffer, sizeof buffer, mr));
    meet();
    if (child) {
        strcpy(buffer, "from the child");
        OK(rdma_post_send(id, NULL, buffer, sizeof buffer, mr, 0));
    }
    EQ(wait_for(child ? id->send_cq : id->recv_cq).status, IBV_WC_SUCCESS);
    CHECK(!strcmp(buffer, "from the child"));
    OK(ibv_dereg_mr(mr));
    meet();
    if (child)
        OK(rdma_disconnect(id));
    else {
        take(ch, RDMA_CM_EVENT_DISCONNECTED, 0);
        OK(rdma_disconnect(id));
    }
    if (child)
        take(ch, RDMA_CM_EVENT_DISCONNECTED, 0);
    take(ch, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
    finish(id, listener);
}

/* Ports are the machine's. */
static void ports(void)
{
    struct sockaddr_in here = at(SECOND, PORT), all = at("0.0.0.0", PORT), other = at(FIRST, PORT);
    struct rdma_cm_id *id;

    open_channel();
    id = new_id(ch, RDMA_PS_TCP);
    if (!child)
        OK(rdma_bind_addr(id, any(&here)));
    meet();
    if (child) {
        EQ(rdma_bind_addr(id, any(&here)), -1);
        EQ(errno, EADDRINUSE);
        EQ(rdma_bind_addr(id, any(&all)), -1);
        EQ(errno, EADDRNOTAVAIL);
        OK(rdma_bind_addr(id, any(&other)));
    }
    meet();
    drop(id);
    meet();
    id = new_id(ch, RDMA_PS_TCP);
    if (child)
        OK(rdma_bind_addr(id, any(&all)));
    meet();
    if (!child) {
        EQ(rdma_bind_addr(id, any(&here)), -1);
        EQ(errno, EADDRINUSE);
    }
    meet();
    finish(id, NULL);
}

static void rejections(void)
{
    struct rdma_cm_id *listener = NULL, *id;
    struct rdma_cm_event *e;

    open_channel();
    if (!child)
        listener = listening(ch, RDMA_PS_TCP, "0.0.0.0", PORT);
    meet();
    if (child) {
        id = connecting(FIRST, "no?");
        e = next(ch, RDMA_CM_EVENT_REJECTED, 28);
        CHECK(!strcmp(e->param.conn.private_data, "no!"));
        OK(rdma_ack_cm_event(e));
    } else {
        e = next(ch, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
        id = e->id;
        OK(rdma_ack_cm_event(e));
        OK(rdma_reject(id, "no!", 4));
    }
    meet();
    drop(id);
    if (child) { /* who gives up says so, and nobody is there when the request is looked at */
        drop(connecting(FIRST, "never mind"));
    } else {
        e = next(ch, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
        id = e->id;
        OK(rdma_ack_cm_event(e));
    }
    meet();
    if (!child) {
        usleep(100000);
        EQ(rdma_accept(id, &(struct rdma_conn_param){.qp_num = 1}), -1);
        EQ(errno, EINVAL);
        drop(id);
        drop(listener);
    }
    meet();
    if (child) { /* nobody listens any more */
        id = connecting(FIRST, "");
        take(ch, RDMA_CM_EVENT_REJECTED, 8);
        drop(id);
    }
    close_channel();
    meet();
}

static void datagrams(void)
{
    struct rdma_cm_id *listener = NULL, *id;
    struct rdma_cm_event *e;
    uint32_t qpn;

    open_channel();
    if (!child)
        listener = listening(ch, RDMA_PS_UDP, SECOND, OTHER_PORT);
    meet();
    if (child) {
        id = resolved(ch, RDMA_PS_UDP, FIRST, SECOND, OTHER_PORT);
        make_qp(id);
        OK(rdma_connect(id, NULL));
        e = next(ch, RDMA_CM_EVENT_ESTABLISHED, 0);
        exchange(&e->param.ud.qp_num, &qpn, sizeof qpn);
        EQ(e->param.ud.qp_num, qpn);
    } else {
        e = next(ch, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
        id = e->id;
        make_qp(id);
        OK(rdma_accept(id, &(struct rdma_conn_param){.qp_num = id->qp->qp_num}));
        exchange(&id->qp->qp_num, &qpn, sizeof qpn);
    }
    OK(rdma_ack_cm_event(e));
    meet();
    finish(id, listener);
}

static void wait_event(enum rdma_cm_event_type type)
{
    struct pollfd p = {.fd = ch->fd, .events = POLLIN};

    EQ(poll(&p, 1, 60000), 1); /* one that never comes must not hang the test */
    take(ch, type, 0);
}

/* Processes that connect when they are told to, and end by exit or by a signal. They are made before there are devices. */
static struct {
    int bell;
    pid_t pid;
} enders[2];

static void end_connected(bool killed)
{
    ch = SOME(rdma_create_event_channel());
    connecting(SECOND, "briefly");
    take(ch, RDMA_CM_EVENT_ESTABLISHED, 0);
    if (killed)
        raise(SIGKILL);
    exit(0);
}

static void make_ender(bool killed)
{
    int ends[2];
    char c;

    OK(pipe(ends));
    fflush(stdout);
    enders[killed].pid = fork();
    if (!enders[killed].pid) {
        close(ends[1]);
        if (read(ends[0], &c, 1) == 1)
            end_connected(killed);
        _exit(0); /* nobody wants it */
    }
    close(ends[0]);
    enders[killed].bell = ends[1];
}

/* A process that ends without a word has its connections closed, whether it was killed or not. */
static void ended(bool killed)
{
    struct rdma_cm_id *listener, *id;

    if (child) {
        meet();
        meet();
        return;
    }
    open_channel();
    listener = listening(ch, RDMA_PS_TCP, SECOND, PORT);
    meet();
    EQ(write(enders[killed].bell, "x", 1), 1);
    id = accepted(listener, "");
    wait_event(RDMA_CM_EVENT_ESTABLISHED);
    wait_event(RDMA_CM_EVENT_DISCONNECTED);
    meet();
    drop(id);
    drop(listener);
    close_channel();
}

static void peer_exits(void)
{
    ended(false);
}

static void peer_killed(void)
{
    ended(true);
}

static const struct test_case cases[] = {
    {"messages", messages}, {"ports", ports}, {"rejections", rejections}, {"datagrams", datagrams}, {"peer-exits", peer_exits},
    {"peer-killed", peer_killed}, {0},
};

int main(int argc, char **argv)
{
    make_ender(false);
    make_ender(true);
    return run_across("cm_two_processes", cases, argc, argv);
}
