/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* EFA where a thread is the device: what is asked for by a doorbell is not lost to the next one. */
#include "efa_kit.h"

#include <poll.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wait_until_there(uint64_t completions)
{
    double end = now() + 60;

    while (device_sim_count(DEVICE_SIM_COUNT_COMPLETIONS) < completions)
        if (now() > end)
            fail(__FILE__, __LINE__, "no completion within a minute");
}

/*
 * A completion is there, an event is asked for, and the completion is taken, which rings the same doorbell at once: the event
 * comes all the same, since the completion was there when it was asked for.
 */
static void arm_then_poll(void)
{
    struct end e;
    struct ibv_cq *cq;
    void *context;

    device_sim_mode(DEVICE_SIM_THREAD);
    e = make(true, true);
    if (ibv_req_notify_cq(e.cq, 0) == EOPNOTSUPP) {
        destroy(&e);
        skip("this libefa has no completion channels");
    }
    for (unsigned n = 0; n < 300; n++) {
        struct ibv_sge sge = at(&e, 0, 8);
        uint64_t before = device_sim_count(DEVICE_SIM_COUNT_COMPLETIONS);
        struct pollfd p = {.fd = e.channel->fd, .events = POLLIN};
        struct ibv_wc wc;

        put(&e, &e, n, &sge, 1, 0); /* there is no receive, so it is lost on the way; the sender has its completion */
        wait_until_there(before + 1);
        if (n) /* the first one was asked for above */
            OK(ibv_req_notify_cq(e.cq, 0));
        EQ(ibv_poll_cq(e.cq, 1, &wc), 1);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.wr_id, n);
        EQ(poll(&p, 1, 10000), 1);
        OK(ibv_get_cq_event(e.channel, &cq, &context));
        ibv_ack_cq_events(cq, 1);
        while (ibv_poll_cq(e.cq, 1, &wc))
            ;
    }
    no_violations();
    destroy(&e);
    device_sim_mode(DEVICE_SIM_PUMP);
}

static const struct test_case cases[] = {{"arm-then-poll", arm_then_poll}, {0}};

int main(int argc, char **argv)
{
    return run_cases("efa_thread", cases, argc, argv);
}
