/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes on CPU threads, which do for tests what a kernel on a GPU would do. Compiled once per vendor; V4J_TEXT names
 * the vendor's header. Uses neither libibverbs nor a driver.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include V4J_TEXT

#include "job.h"

struct lane {
    pthread_t thread;
    struct v4j_ring *ring;
    const struct v4j_peer *to;
    struct job *job;
    v4j_u64 first;
};

static v4j_u64 now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (v4j_u64)t.tv_sec * 1000000000u + (v4j_u64)t.tv_nsec;
}

static void add(v4j_u64 *to, v4j_u64 n) {
    __atomic_fetch_add(to, n, __ATOMIC_ACQ_REL);
}

static void poll(struct lane *lane) {
    struct v4j_completion c;
    memset(&c, 0xa5, sizeof c);
    if (!v4j_dev_poll(lane->ring, &c) || c.received) {
        sched_yield(); /* a simulated device needs a processor as well */
        return;
    }
    if (c.status != 0) {
        if (__atomic_fetch_add(&lane->job->failed, 1, __ATOMIC_ACQ_REL) == 0) {
            lane->job->first_status = c.status;
            lane->job->first_vendor = c.vendor;
        }
    }
    add(&lane->job->completed, 1);
}

static void *run(void *argument) {
    struct lane *lane = argument;
    struct job *job = lane->job;
    v4j_u64 end = now() + job->nanos;
    v4j_u32 done = 0;
    while (done < job->count) {
        v4j_u32 n = job->count - done < job->batch ? job->count - done : job->batch;
        v4j_u64 at = v4j_dev_reserve(lane->ring, n);
        v4j_u32 i;
        if (at == V4J_DEV_FULL) {
            if (now() > end) {
                add(&job->late, 1);
                return NULL;
            }
            poll(lane);
            continue;
        }
        for (i = 0; i < n; i++) {
            if (post(lane->ring, lane->to, lane->job, at + i, lane->first + done + i) != 0) {
                add(&job->refused, 1); /* the place is taken all the same */
                v4j_dev_post_write(lane->ring, at + i, V4J_DEV_SIGNALED, lane->to, job->local, job->lkey, 0,
                                   job->remote, job->rkey);
            }
        }
        v4j_dev_ready(lane->ring, at, n);
        v4j_dev_ring(lane->ring);
        add(&job->posted, n);
        done += n;
        poll(lane);
    }
    v4j_u64 rest = job->unsignaled > 1 ? job->unsignaled - 1 : 0; /* that no completion frees */
    while (v4j_load64(&lane->ring->freed) < v4j_load64(&lane->ring->reserved) - rest) {
        if (now() > end) {
            add(&job->late, 1);
            return NULL;
        }
        poll(lane);
    }
    return NULL;
}

/* Runs the lanes to their end; what v4j_dev_check() says. */
int lanes_run(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    struct lane lanes[64];
    v4j_u32 i;
    int error = v4j_dev_check(ring);
    if (error != V4J_DEV_OK) {
        return error;
    }
    for (i = 0; i < job->lanes && i < 64; i++) {
        lanes[i].ring = ring;
        lanes[i].to = to;
        lanes[i].job = job;
        lanes[i].first = (v4j_u64)i * job->count;
        pthread_create(&lanes[i].thread, NULL, run, &lanes[i]);
    }
    for (i = 0; i < job->lanes && i < 64; i++) {
        pthread_join(lanes[i].thread, NULL);
    }
    return 0;
}

/* One lane posts a request and waits for its completion, again and again. Returns the nanoseconds of all. */
v4j_u64 lanes_turns(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    struct lane lane = {0, ring, to, job, 0};
    v4j_u64 start = now();
    v4j_u32 i;
    for (i = 0; i < job->count; i++) {
        v4j_u64 at = v4j_dev_reserve(ring, 1);
        if (at == V4J_DEV_FULL || post(ring, to, job, at, i) != 0) {
            job->refused++;
            return 0;
        }
        v4j_dev_ready(ring, at, 1);
        v4j_dev_ring(ring);
        job->posted++;
        while (job->completed < job->posted) {
            if (now() - start > job->nanos) {
                job->late = 1;
                return 0;
            }
            poll(&lane);
        }
    }
    return now() - start;
}

/* Takes one completion; whether there was one. */
int lanes_poll(struct v4j_ring *ring, struct v4j_completion *into) {
    return v4j_dev_poll(ring, into);
}

int lanes_check(const struct v4j_ring *ring) {
    return v4j_dev_check(ring);
}

/* Writes its place long after it has reserved it. */
static void *run_late(void *argument) {
    struct lane *lane = argument;
    struct timespec nap = {0, 50000000};
    nanosleep(&nap, NULL);
    post(lane->ring, lane->to, lane->job, lane->first, 0);
    v4j_dev_ready(lane->ring, lane->first, 1);
    v4j_dev_ring(lane->ring);
    return NULL;
}

/* Two lanes: the one that has the first of two places is late. */
int lanes_late(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    struct lane late = {0, ring, to, job, v4j_dev_reserve(ring, 1)};
    struct lane punctual = {0, ring, to, job, v4j_dev_reserve(ring, 1)};
    v4j_u64 end = now() + job->nanos;
    pthread_create(&late.thread, NULL, run_late, &late);
    post(punctual.ring, punctual.to, punctual.job, punctual.first, 1);
    v4j_dev_ready(ring, punctual.first, 1);
    v4j_dev_ring(ring);
    while (job->completed < 2 && now() < end) {
        poll(&punctual);
    }
    pthread_join(late.thread, NULL);
    job->posted = 2;
    job->late = job->completed < 2;
    return 0;
}

/* Announces places without writing them: what a broken lane does. */
int lanes_announce(struct v4j_ring *ring, int count) {
    v4j_u64 at = v4j_dev_reserve(ring, (v4j_u32)count);
    if (at == V4J_DEV_FULL) {
        return -1;
    }
    v4j_dev_ready(ring, at, (v4j_u32)count);
    v4j_dev_ring(ring);
    return 0;
}
