/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices at work: who is next. One step is one work request, or one try of it. The queue pairs take turns, in the order of
 * their numbers, so that the same program always sees the same order.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "frames.h"

static bool drained(struct sim_qp *qp)
{
    qp->draining = false;
    if (qp->attr.en_sqd_async_notify && !qp->obj.ctx->dev->vendor->own_fabric) /* whose drivers raise no such event */
        sim_async_qp(qp, IBV_EVENT_SQ_DRAINED);
    return true;
}

/* One more try of those that were put aside, at most of `n` of them. */
static bool retry(struct sim_qp *qp, unsigned n)
{
    bool moved = false;

    for (; n && !moved; n--) {
        if (!qp->active && !sim_unpark(qp))
            return false;
        moved = sim_run(qp);
        sim_put_aside(qp);
    }
    return moved;
}

/* New ones go first, so that those that wait hold nobody up; with a thread, where new ones may come for ever, by turns. */
static bool step_unordered(struct sim_qp *qp)
{
    qp->retry_turn = !qp->retry_turn && sim_config.thread;
    if (qp->retry_turn && retry(qp, 1))
        return true;
    if (!qp->active && qp->state == IBV_QPS_RTS && sim_begin(qp)) {
        sim_run(qp);
        sim_put_aside(qp);
        return true;
    }
    return retry(qp, qp->n_parked + qp->active) ||
        (qp->state == IBV_QPS_SQD && !qp->active && !qp->parked && qp->draining && drained(qp));
}

/* The send queue of a queue pair that may send. */
static bool step_send(struct sim_qp *qp)
{
    if (sim_unordered(qp))
        return step_unordered(qp);
    if (!qp->active && !qp->waiting) {
        if (qp->state == IBV_QPS_SQD)
            return drained(qp);
        if (!sim_begin(qp))
            return false;
    }
    return sim_run(qp);
}

/* -- queue pairs in error ---------------------------------------------------------------------- */

static bool flush_send(struct sim_qp *qp)
{
    if (!qp->active && !sim_unpark(qp) && !qp->obj.ctx->dev->vendor->next_send(qp, &qp->wr))
        return false;
    qp->wr.vendor_err = 0;
    sim_finish(qp, IBV_WC_WR_FLUSH_ERR, NULL);
    return true;
}

static bool flush_recv(struct sim_qp *qp)
{
    struct sim_completion c = {.qp = qp, .responder = true, .status = IBV_WC_WR_FLUSH_ERR};

    if (qp->receiving) {
        qp->receiving = false;
    } else if (qp->srq || !qp->rcq || qp->obj.ctx->dev->vendor->next_recv(qp, NULL, &qp->recv) <= 0) {
        return false;
    } else {
        qp->recv_srq = NULL;
    }
    c.srq = qp->recv_srq;
    c.index = qp->recv.index;
    sim_complete(c.srq && c.srq->cq ? c.srq->cq : qp->rcq, &c);
    return true;
}

static bool step_error(struct sim_qp *qp)
{
    if (qp->scq && flush_send(qp))
        return true;
    if (flush_recv(qp))
        return true;
    if ((qp->srq || qp->type == IB_UVERBS_QPT_XRC_TGT) && !qp->last_wqe_told) {
        qp->last_wqe_told = true;
        sim_async_qp(qp, IBV_EVENT_QP_LAST_WQE_REACHED);
        return true;
    }
    return false;
}

static bool step_qp(struct sim_qp *qp)
{
    switch (qp->state) {
    case IBV_QPS_RTS:
        return qp->scq && (qp->active || qp->parked || qp->obj.ctx->dev->vendor->has_send(qp)) && step_send(qp);
    case IBV_QPS_SQD:
        return (qp->active || qp->parked || qp->draining) && step_send(qp);
    case IBV_QPS_SQE:
        return flush_send(qp);
    case IBV_QPS_ERR:
        return step_error(qp);
    }
    return false;
}

static void look_at_doorbells(void)
{
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_is_live(sim_contexts[i]))
            sim_contexts[i]->dev->vendor->look_at_doorbells(sim_contexts[i]);
}

/* Whether nothing can become of a queue pair, which has just done nothing, until sim_wake is called. */
static bool may_sleep(struct sim_qp *qp)
{
    const struct sim_vendor *vendor = qp->obj.ctx->dev->vendor;

    return vendor->wakes && qp->state <= IBV_QPS_RTS && !qp->active && !qp->parked && !vendor->has_send(qp);
}

static bool some_first; /* there was a queue pair that needs no pump */

/* Those that others wait for, without knowing it. */
static bool step_first(struct sim_device *dev)
{
    for (uint32_t i = 0; some_first && i < dev->n_qps; i++) {
        if (!dev->awake[i / 64])
            i |= 63; /* none of these */
        else if (dev->awake[i / 64] >> i % 64 & 1 && dev->qp[i] && dev->qp[i]->first && step_qp(dev->qp[i]))
            return true;
    }
    return false;
}

static bool step_device(struct sim_device *dev)
{
    for (uint32_t n = 0; n < dev->n_qps; n++) {
        uint32_t i = (dev->turn + n) % dev->n_qps;
        uint64_t awake = dev->awake[i / 64];

        if (!awake && !(i % 64)) {
            n += 63; /* none of these */
            continue;
        }
        if (!(awake >> i % 64 & 1) || !dev->qp[i])
            continue;
        if (step_qp(dev->qp[i])) {
            dev->turn = (i + 1) % dev->n_qps;
            return true;
        }
        if (may_sleep(dev->qp[i]))
            dev->awake[i / 64] &= ~(1ull << i % 64);
    }
    return false;
}

static bool step_devices(void)
{
    for (int d = 0; d < sim_config.n_devices; d++)
        if (step_first(&sim_devices[d]))
            return true;
    for (int d = 0; d < sim_config.n_devices; d++) {
        struct sim_device *dev = &sim_devices[d];

        if (dev->vendor->step && dev->vendor->step(dev))
            return true;
        if (step_device(dev) || sim_wq_step(dev))
            return true;
    }
    return false;
}

/* What the devices do when a time has come. In pump mode there is nothing else to wait for, and it comes at once. */
static bool run_timers(void)
{
    uint64_t first = 0;

    for (int i = 0; i < sim_n_contexts; i++) {
        const struct sim_context *ctx = sim_contexts[i];
        uint64_t next = sim_is_live(ctx) && ctx->dev->vendor->next_timer ? ctx->dev->vendor->next_timer(ctx) : 0;

        if (next && (!first || next < first))
            first = next;
    }
    if (!first || (sim_config.thread && sim_real_time() < first))
        return false;
    sim_clock_move(first);
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_is_live(sim_contexts[i]) && sim_contexts[i]->dev->vendor->run_timers)
            sim_contexts[i]->dev->vendor->run_timers(sim_contexts[i]);
    return true;
}

bool sim_step(void)
{
    look_at_doorbells();
    if (!sim_wire_receive() && !step_devices()) {
        unsigned held = sim_reorder_depth();

        if ((!held || !sim_wire_release_one()) && !run_timers())
            return false;
    }
    sim_clock_step();
    sim_count(DEVICE_SIM_COUNT_STEPS);
    sim_show_clock();
    return true;
}

int device_sim_pump(int wanted)
{
    int made = 0;

    sim_enter();
    while ((wanted < 0 || made < wanted) && sim_step())
        made++;
    sim_leave();
    return made;
}

int device_sim_check_idle(void)
{
    uint64_t before;

    sim_enter();
    before = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);
    look_at_doorbells();
    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_is_live(sim_contexts[i]))
            sim_contexts[i]->dev->vendor->check_idle(sim_contexts[i]);
    before = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS) - before;
    sim_leave();
    return (int)before;
}

/* -- the thread -------------------------------------------------------------------------------- */

static bool thread_runs;

/* In pump mode, too. */
static bool step_without_pump(void)
{
    bool worked = false;

    for (int d = 0; d < sim_config.n_devices; d++) {
        struct sim_device *dev = &sim_devices[d];

        for (uint32_t i = 0; i < dev->n_qps; i++)
            if (dev->qp[i] && dev->qp[i]->first && dev->qp[i]->state == IBV_QPS_RTS)
                dev->vendor->look_at_page_of(dev->qp[i]);
        worked |= step_first(dev);
    }
    return worked;
}

static void *device_thread(void *unused)
{
    unsigned idle = 0;

    (void)unused;
    for (;;) {
        bool worked;

        if (!__atomic_load_n(&sim_config.thread, __ATOMIC_ACQUIRE) && !__atomic_load_n(&some_first, __ATOMIC_RELAXED)) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            continue;
        }
        while (__atomic_load_n(&sim_callers, __ATOMIC_RELAXED))
            sched_yield();
        sim_enter();
        worked = sim_config.thread ? sim_step() : step_without_pump();
        if (sim_config.thread)
            sim_show_clock();
        sim_leave();
        idle = worked ? 0 : idle + 1;
        /*
         * Busy for a moment after work, then asleep for longer and longer. Not sched_yield: a program that polls
         * would get the rest of its time slice, while one that wakes from sleep comes first.
         */
        if (idle > 500)
            nanosleep(&(struct timespec){.tv_nsec = idle > 4000 ? 50000 : 1000}, NULL);
    }
    return NULL;
}

bool sim_start_thread(void *(*run)(void *))
{
    sigset_t all, before;
    pthread_t thread;
    bool started;

    /* Signals are the program's own business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = !pthread_create(&thread, NULL, run, NULL);
    if (started)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void run_thread(void)
{
    thread_runs = thread_runs || sim_start_thread(device_thread);
}

/* -- a child of fork: objects.c says what becomes of contexts; a thread is not inherited ------- */

static bool started;

static void in_child(void)
{
    sim_clock_forked();
    sim_fd_forked();
    sim_contexts_forked();
    sim_cm_forked();
    sim_wire_forked();
    thread_runs = false;
    some_first = false;
    started = false;
    sim_leave();
}

void sim_engine_first(void)
{
    __atomic_store_n(&some_first, true, __ATOMIC_RELAXED);
    run_thread();
}

static void handle_forks(void)
{
    static bool handled;

    if (!handled)
        handled = !pthread_atfork(sim_enter, sim_leave, in_child);
}

void sim_engine_start(void)
{
    if (started)
        return;
    started = true;
    sim_configure();
    handle_forks();
    for (int i = 0; i < sim_config.n_devices; i++)
        if ((sim_config.watch || sim_devices[i].vendor->store) && !sim_can_watch()) {
            fprintf(stderr, "device-sim: --watch and devices of hbl need an x86-64 processor\n");
            exit(2);
        }
    sim_wire_open();
    if (sim_config.thread)
        run_thread();
}

int device_sim_mode(int mode)
{
    int before;

    sim_configure();
    sim_enter();
    before = sim_config.thread ? DEVICE_SIM_THREAD : DEVICE_SIM_PUMP;
    if (mode == DEVICE_SIM_PUMP || mode == DEVICE_SIM_THREAD) {
        if (mode == DEVICE_SIM_PUMP && sim_config.thread)
            sim_clock_move(sim_real_time()); /* time does not go back */
        __atomic_store_n(&sim_config.thread, mode == DEVICE_SIM_THREAD, __ATOMIC_RELEASE);
        if (sim_config.thread)
            run_thread();
    }
    sim_leave();
    return before;
}
