/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The lock that all of the simulator is behind, and the devices' clock. */
#include <time.h>

#include "sim.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static int depth_of_owner;
int sim_callers; /* waiting for the lock: the device's thread lets them through */

static uint64_t clock_now = 1000000000;

/* May be entered again by the same thread: the simulator's own calls of close or write come through interpose.c. */
void sim_enter(void)
{
    if (__atomic_load_n(&depth_of_owner, __ATOMIC_ACQUIRE) && pthread_equal(owner, pthread_self())) {
        depth_of_owner++;
        return;
    }
    __atomic_add_fetch(&sim_callers, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    __atomic_sub_fetch(&sim_callers, 1, __ATOMIC_RELAXED);
    owner = pthread_self();
    __atomic_store_n(&depth_of_owner, 1, __ATOMIC_RELEASE);
}

void sim_leave(void)
{
    int depth = depth_of_owner - 1;

    __atomic_store_n(&depth_of_owner, depth, __ATOMIC_RELEASE);
    if (!depth)
        pthread_mutex_unlock(&lock);
}

/* The thread that forked is the only one that there is now, and it has the lock. */
void sim_clock_forked(void)
{
    owner = pthread_self();
    sim_callers = 0;
}

/* -- time -------------------------------------------------------------------------------------- */

uint64_t sim_real_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t sim_clock(void)
{
    return sim_config.thread ? sim_real_time() : clock_now;
}

void sim_clock_move(uint64_t to)
{
    if (clock_now < to)
        clock_now = to;
}

void sim_clock_step(void)
{
    clock_now += 1000;
}

uint64_t sim_ticks(void)
{
    return sim_clock() / (unsigned)sim_config.tick;
}

uint64_t device_sim_clock(void)
{
    uint64_t now;

    sim_enter();
    now = sim_clock();
    sim_leave();
    return now;
}

void sim_show_clock(void)
{
    uint64_t now = sim_ticks();

    for (int i = 0; i < sim_n_contexts; i++)
        if (sim_is_live(sim_contexts[i]))
            sim_contexts[i]->dev->vendor->set_clock(sim_contexts[i], now);
}
