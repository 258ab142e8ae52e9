/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the simulated EFA keeps,
 and the layouts that libefa and the device share. Those are in no installed header; they
 * are little-endian, and described here by their bytes.
 */
#ifndef SIM_EFA_H
#define SIM_EFA_H

#include "../core/sim.h"

#include <rdma/efa-abi.h>

#define PAGE 4096
#define TX_SIZE 64 /* a send descriptor */
#define RX_SIZE 16 /* a piece of a receive descriptor */
#define MAX_TX_SGE 2
#define MAX_RX_SGE 3
#define MAX_INLINE 32
#define MAX_TX 2048
#define MAX_RX 8192
#define SQ_DOORBELL 0
#define RQ_DOORBELL 64
#define WINDOW 64 /* how far a reordering looks ahead */

enum { OP_SEND = 0, OP_READ = 1, OP_WRITE = 2 };
enum { FOR_SEND = 1, FOR_RECV = 2 };

/* All that the device lends to the process lies in one file in memory, each part at an offset of its own. */
struct efa_area {
    off_t at;
    size_t size;
    uint8_t *map;
    bool writable; /* by the process */
};

struct efa_ctx {
    int memfd;
    off_t end;
    struct efa_area *area;
    unsigned n_areas;
};

struct efa_cq {
    unsigned ring, doorbell; /* areas */
    uint32_t n, size;
    uint32_t pi;
    bool notify;
    uint32_t seen; /* in the doorbell */
    bool armed;
    uint16_t arm_ci;
    unsigned next_sn;
};

struct efa_qp {
    unsigned sq, rq, doorbells; /* areas */
    uint32_t sq_n, rq_n;
    uint16_t sq_ci, sq_rung, rq_ci;
    uint64_t taken; /* of the window at sq_ci, when descriptors are taken out of order */
    bool phase_known; /* libefa goes on with its phase after a reset */
    unsigned phase;
};

static inline uint8_t *efa_area(const struct sim_context *ctx, unsigned i)
{
    return ((struct efa_ctx *)ctx->hw)->area[i].map;
}

static inline uint32_t efa_register(const struct sim_context *ctx, unsigned area, unsigned offset)
{
    return __atomic_load_n((uint32_t *)(efa_area(ctx, area) + offset), __ATOMIC_ACQUIRE);
}

/* rings.c */
void efa_look_at_doorbells(struct sim_context *ctx);
bool efa_has_send(struct sim_qp *qp);
bool efa_next_send(struct sim_qp *qp, struct sim_wr *wr);
int efa_next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv);
void efa_complete(struct sim_cq *cq, const struct sim_completion *c);
void efa_check_idle(struct sim_context *ctx);

#endif
