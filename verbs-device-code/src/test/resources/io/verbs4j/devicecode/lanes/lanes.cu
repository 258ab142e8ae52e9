/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes on a GPU: the functions of lanes.c that tests of a GPU need, by kernels. The ring, the records and the doorbell
 * register are host memory that is mapped for the GPU; the payload is never touched by it.
 */
#include <cstdio>
#include <cuda_runtime.h>

#include V4J_TEXT
#include "job.h"

#define ANSWER(call)                                                                                                   \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                       \
            return FAILED;                                                                                             \
        }                                                                                                              \
    } while (0)

enum { FAILED = -100, PAGE = 4096, MOST_PAGES = 4096 };

static v4j_u64 registered[MOST_PAGES];
static int pages;

__device__ static v4j_u64 now() {
    v4j_u64 t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* The job lies in the GPU's memory, so that its counters are atomic for all lanes. */
__device__ static void add(v4j_u64 *to, v4j_u64 n) {
    atomicAdd(to, n);
}

__device__ static void poll(struct v4j_ring *ring, struct job *job) {
    struct v4j_completion c;
    if (!v4j_dev_poll(ring, &c) || c.received) {
        v4j_pause();
        return;
    }
    if (c.status != 0) {
        if (atomicAdd(&job->failed, 1ull) == 0) {
            job->first_status = c.status;
            job->first_vendor = c.vendor;
        }
    }
    add(&job->completed, 1);
}

__global__ static void check(const struct v4j_ring *ring, int *error) {
    *error = v4j_dev_check(ring);
}

__global__ static void run(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    v4j_u64 lane = (v4j_u64)blockIdx.x * blockDim.x + threadIdx.x;
    v4j_u64 first = lane * job->count;
    v4j_u64 end = now() + job->nanos;
    v4j_u64 rest = job->unsignaled > 1 ? job->unsignaled - 1 : 0; /* that no completion frees */
    v4j_u32 done = 0;
    while (done < job->count) {
        v4j_u32 n = job->count - done < job->batch ? job->count - done : job->batch;
        v4j_u64 at = v4j_dev_reserve(ring, n);
        if (at == V4J_DEV_FULL) {
            if (now() > end) {
                add(&job->late, 1);
                return;
            }
            poll(ring, job);
            continue;
        }
        for (v4j_u32 i = 0; i < n; i++) {
            if (post(ring, to, job, at + i, first + done + i) != 0) {
                add(&job->refused, 1); /* the place is taken all the same */
                v4j_dev_post_write(ring, at + i, V4J_DEV_SIGNALED, to, job->local, job->lkey, 0, job->remote,
                                   job->rkey);
            }
        }
        v4j_dev_ready(ring, at, n);
        v4j_dev_ring(ring);
        add(&job->posted, n);
        done += n;
        poll(ring, job);
    }
    while (v4j_load64(&ring->freed) < v4j_load64(&ring->reserved) - rest) {
        if (now() > end) {
            add(&job->late, 1);
            return;
        }
        poll(ring, job);
    }
}

__global__ static void turns(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job, v4j_u64 *nanos) {
    v4j_u64 start = now();
    for (v4j_u32 i = 0; i < job->count; i++) {
        v4j_u64 at = v4j_dev_reserve(ring, 1);
        if (at == V4J_DEV_FULL || post(ring, to, job, at, i) != 0) {
            job->refused++;
            return;
        }
        v4j_dev_ready(ring, at, 1);
        v4j_dev_ring(ring);
        job->posted++;
        while (job->completed < job->posted) {
            if (now() - start > job->nanos) {
                job->late = 1;
                return;
            }
            poll(ring, job);
        }
    }
    *nanos = now() - start;
}

/* A copy of the job in the GPU's memory, with room for one number more; null after a message. */
static struct job *upload(const struct job *job) {
    void *there = nullptr;
    if (cudaMalloc(&there, sizeof *job + 2 * sizeof(v4j_u64)) != cudaSuccess
        || cudaMemset(there, 0, sizeof *job + 2 * sizeof(v4j_u64)) != cudaSuccess
        || cudaMemcpy(there, job, sizeof *job, cudaMemcpyHostToDevice) != cudaSuccess) {
        std::fprintf(stderr, "no memory on the GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
        return nullptr;
    }
    return (struct job *)there;
}

static int checked(const struct v4j_ring *ring, struct job *there) {
    int error = FAILED;
    int *at = (int *)(there + 1);
    check<<<1, 1>>>(ring, at);
    ANSWER(cudaDeviceSynchronize());
    ANSWER(cudaMemcpy(&error, at, sizeof error, cudaMemcpyDeviceToHost));
    return error;
}

/* Runs the lanes to their end: a block for each, or all in one block. Returns what v4j_dev_check() returns. */
static int run_in(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job, v4j_u32 threads) {
    struct job *there = upload(job);
    if (there == nullptr) {
        return FAILED;
    }
    int error = checked(ring, there);
    if (error == V4J_DEV_OK) {
        run<<<job->lanes / threads, threads>>>(ring, to, there);
        ANSWER(cudaGetLastError());
        ANSWER(cudaDeviceSynchronize());
        ANSWER(cudaMemcpy(job, there, sizeof *job, cudaMemcpyDeviceToHost));
    }
    cudaFree(there);
    return error;
}

extern "C" {

/* The name of the GPU, or why there is none. Returns whether there is one. */
int lanes_gpu(char *name, int length) {
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        std::snprintf(name, (size_t)length, "%s", cudaGetErrorString(error));
        return 0;
    }
    std::snprintf(name, (size_t)length, "%s, compute capability %d.%d", properties.name, properties.major,
                  properties.minor);
    return 1;
}

/* Maps host memory for the GPU, page by page. Returns the GPU's address of it; 0 after a message. */
v4j_u64 lanes_map(v4j_u64 address, v4j_u64 length) {
    v4j_u64 begin = address & ~(v4j_u64)(PAGE - 1);
    for (v4j_u64 page = begin; page < address + length; page += PAGE) {
        bool known = false;
        for (int i = 0; i < pages; i++) {
            known = known || registered[i] == page;
        }
        if (!known) {
            cudaError_t error = pages == MOST_PAGES
                ? cudaErrorMemoryAllocation
                : cudaHostRegister((void *)page, PAGE, cudaHostRegisterMapped | cudaHostRegisterPortable);
            if (error != cudaSuccess) {
                std::fprintf(stderr, "can't map %llx for the GPU: %s\n", page, cudaGetErrorString(error));
                return 0;
            }
            registered[pages++] = page;
        }
        void *there = nullptr;
        if (cudaHostGetDevicePointer(&there, (void *)page, 0) != cudaSuccess || (v4j_u64)there != page) {
            std::fprintf(stderr, "the GPU has page %llx at %p: pages would not follow each other\n", page, there);
            return 0;
        }
    }
    return address;
}

int lanes_run(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    return run_in(ring, to, job, 1);
}

/* All lanes are threads of the same warp. */
int lanes_run_warp(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    return run_in(ring, to, job, job->lanes);
}

v4j_u64 lanes_turns(struct v4j_ring *ring, const struct v4j_peer *to, struct job *job) {
    struct job *there = upload(job);
    v4j_u64 nanos = 0;
    if (there == nullptr) {
        return 0;
    }
    v4j_u64 *at = (v4j_u64 *)(there + 1) + 1;
    turns<<<1, 1>>>(ring, to, there, at);
    if (cudaDeviceSynchronize() != cudaSuccess
        || cudaMemcpy(job, there, sizeof *job, cudaMemcpyDeviceToHost) != cudaSuccess
        || cudaMemcpy(&nanos, at, sizeof nanos, cudaMemcpyDeviceToHost) != cudaSuccess) {
        std::fprintf(stderr, "the kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 0;
    }
    cudaFree(there);
    return nanos;
}

int lanes_check(const struct v4j_ring *ring) {
    struct job nothing = {};
    struct job *there = upload(&nothing);
    return there == nullptr ? FAILED : checked(ring, there);
}
}
