/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Completion channels, asynchronous events, and what destroying does to events that were not read. */
#include "kit.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static struct pair *with_channel(struct ibv_comp_channel **channel)
{
    *channel = SOME(ibv_create_comp_channel(open_nth(0)));
    return make_pair(&(struct making){.channel = *channel});
}

static bool readable(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, 0) == 1;
}

static void take(struct ibv_comp_channel *channel, struct ibv_cq *wanted)
{
    struct ibv_cq *cq;
    void *context;

    CHECK(readable(channel->fd));
    OK(ibv_get_cq_event(channel, &cq, &context));
    CHECK(cq == wanted);
    ibv_ack_cq_events(cq, 1);
}

static void write_once(struct pair *p, int flags)
{
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    wr.send_flags = flags;
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    device_sim_pump(-1);
}

static void finish(struct pair *p, struct ibv_comp_channel *channel)
{
    no_violations();
    OK(ibv_destroy_qp(p->a.qp));
    OK(ibv_destroy_qp(p->b.qp));
    OK(ibv_destroy_cq(p->a.cq));
    OK(ibv_destroy_cq(p->b.cq));
    p->a.qp = p->b.qp = NULL;
    p->a.cq = p->b.cq = NULL;
    OK(ibv_destroy_comp_channel(channel));
    free_pair(p);
}

static void armed_once(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_wc wc;

    write_once(p, IBV_SEND_SIGNALED);
    CHECK(!readable(channel->fd)); /* not armed */
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    for (int round = 0; round < 10; round++) {
        OK(ibv_req_notify_cq(p->a.cq, 0));
        write_once(p, IBV_SEND_SIGNALED);
        write_once(p, IBV_SEND_SIGNALED);
        take(channel, p->a.cq);
        CHECK(!readable(channel->fd)); /* one event, however many completions */
        EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
        EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    }
    finish(p, channel);
}

/* An event waits for so many completions, or for so long as it may wait. */
static void moderated(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_modify_cq_attr attr = {.attr_mask = IBV_CQ_ATTR_MODERATE, .moderate = {.cq_count = 3}};
    struct ibv_wc wc;
    uint64_t before;

    OK(ibv_modify_cq(p->a.cq, &attr));
    for (int i = 1; i <= 9; i++) {
        OK(ibv_req_notify_cq(p->a.cq, 0));
        write_once(p, IBV_SEND_SIGNALED);
        EQ(readable(channel->fd), i % 3 == 0);
        if (i % 3 == 0)
            take(channel, p->a.cq);
        EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    }
    attr.moderate.cq_period = 100;
    OK(ibv_modify_cq(p->a.cq, &attr));
    OK(ibv_req_notify_cq(p->a.cq, 0));
    before = device_sim_clock();
    write_once(p, IBV_SEND_SIGNALED);
    take(channel, p->a.cq);
    CHECK(device_sim_clock() - before >= 100000);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    attr.moderate.cq_period = 4096;
    EQ(ibv_modify_cq(p->a.cq, &attr), EINVAL);
    attr.attr_mask = 0;
    EQ(ibv_modify_cq(p->a.cq, &attr), EINVAL);
    finish(p, channel);
}

/* Completions that were there before arming, and not polled, are told at once. */
static void armed_late(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_wc wc;

    write_once(p, IBV_SEND_SIGNALED);
    OK(ibv_req_notify_cq(p->a.cq, 0));
    device_sim_pump(-1);
    take(channel, p->a.cq);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    finish(p, channel);
}

static void solicited(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_sge to = piece(&p->b, 0, 8), from = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    receive(p->b.qp, 1, &to);
    receive(p->b.qp, 2, &to);
    OK(ibv_req_notify_cq(p->b.cq, 1));
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    CHECK(!readable(channel->fd));
    wr.send_flags |= IBV_SEND_SOLICITED;
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    take(channel, p->b.cq);
    finish(p, channel);
}

static void two_queues_one_channel(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_sge to = piece(&p->b, 0, 8), from = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    OK(ibv_req_notify_cq(p->a.cq, 0));
    OK(ibv_req_notify_cq(p->b.cq, 0)); /* overwrites the first one's doorbell */
    receive(p->b.qp, 1, &to);
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    take(channel, p->b.cq);
    take(channel, p->a.cq);
    finish(p, channel);
}

/* Events that nobody has read don't count when their queue is destroyed, and those of others stay. */
static void destroy_with_events(void)
{
    struct ibv_comp_channel *channel;
    struct pair *p = with_channel(&channel);
    struct ibv_sge to = piece(&p->b, 0, 8), from = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);

    OK(ibv_req_notify_cq(p->a.cq, 0));
    OK(ibv_req_notify_cq(p->b.cq, 0));
    receive(p->b.qp, 1, &to);
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    OK(ibv_destroy_qp(p->a.qp));
    OK(ibv_destroy_cq(p->a.cq)); /* would wait for ever if the event counted */
    p->a.qp = NULL;
    p->a.cq = NULL;
    take(channel, p->b.cq);
    CHECK(!readable(channel->fd));
    p->a.cq = SOME(ibv_create_cq(p->ctx, 1, NULL, NULL, 0));
    p->a.qp = SOME(ibv_create_qp(p->pd, &(struct ibv_qp_init_attr){.send_cq = p->a.cq, .recv_cq = p->a.cq,
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 1, .max_send_sge = 1}}));
    finish(p, channel);
}

static void *acknowledge(void *arg)
{
    struct ibv_async_event *event = arg;

    usleep(50000);
    ibv_ack_async_event(event);
    return NULL;
}

/* One that was read has to be acknowledged first. */
static void destroy_waits(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_async_event event;
    pthread_t thread;

    OK(device_sim_async_event(0, IBV_EVENT_QP_FATAL, p->a.qp->qp_num));
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_QP_FATAL);
    CHECK(event.element.qp == p->a.qp);
    EQ(pthread_create(&thread, NULL, acknowledge, &event), 0);
    OK(ibv_destroy_qp(p->a.qp));
    p->a.qp = NULL;
    pthread_join(thread, NULL);
    free_pair(p);
}

static void asynchronous(void)
{
    struct pair *p = make_pair(NULL);
    struct ibv_async_event event;
    struct ibv_port_attr port;

    CHECK(!readable(p->ctx->async_fd));
    OK(device_sim_port_state(0, 2, IBV_PORT_DOWN));
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_PORT_ERR);
    EQ(event.element.port_num, 2);
    ibv_ack_async_event(&event);
    OK(ibv_query_port(p->ctx, 2, &port));
    EQ(port.state, IBV_PORT_DOWN);
    OK(device_sim_port_state(0, 2, IBV_PORT_ACTIVE));
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_PORT_ACTIVE);
    ibv_ack_async_event(&event);
    OK(device_sim_async_event(0, IBV_EVENT_GID_CHANGE, 1));
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_GID_CHANGE);
    ibv_ack_async_event(&event);
    EQ(device_sim_async_event(0, IBV_EVENT_GID_CHANGE, 9), ENOENT);
    EQ(device_sim_async_event(0, 77, 1), EINVAL);
    EQ(device_sim_async_event(7, IBV_EVENT_GID_CHANGE, 1), ENODEV);
    free_pair(p);
}

static void established(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_sge sge = piece(&p->a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_async_event event;

    to_init(p->a.qp);
    to_init(p->b.qp);
    to_rtr(p->a.qp, p->b.qp->qp_num);
    to_rtr(p->b.qp, p->a.qp->qp_num);
    to_rts(p->a.qp, p);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_COMM_EST);
    ibv_ack_async_event(&event);
    free_pair(p);
}

static void overrun(void)
{
    struct pair *p = make_pair(&(struct making){.cqe = 3});
    struct ibv_async_event event;

    for (int i = 0; i < 5; i++)
        write_once(p, IBV_SEND_SIGNALED);
    OK(ibv_get_async_event(p->ctx, &event));
    EQ(event.event_type, IBV_EVENT_CQ_ERR);
    CHECK(event.element.cq == p->a.cq);
    ibv_ack_async_event(&event);
    free_pair(p);
}

static void in_use(void)
{
    struct pair *p = make_pair(NULL);

    EQ(ibv_destroy_cq(p->a.cq), EBUSY);
    EQ(ibv_dealloc_pd(p->pd), EBUSY);
    free_pair(p);
}

static const struct test_case cases[] = {
    {"armed-once", armed_once}, {"armed-late", armed_late}, {"moderated", moderated}, {"solicited", solicited},
    {"two-queues-one-channel", two_queues_one_channel}, {"destroy-with-events", destroy_with_events},
    {"destroy-waits", destroy_waits}, {"asynchronous", asynchronous}, {"established", established}, {"overrun",
    overrun},
    {"in-use", in_use}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("events", cases, argc, argv);
}
