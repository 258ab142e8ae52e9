/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the simulated EFA keeps, and the layouts that libefa and the device share. Those are in no installed header; they
 * are little-endian, and described here by their bytes.
 */
#ifndef SIM_EFA_H
#define SIM_EFA_H

#include <string.h>

#include "../core/sim.h"
#include "commands.h"

#include <rdma/efa-abi.h>

#define PAGE SIM_PAGE
#define TX_SIZE 64 /* a send descriptor */
#define TX_SIZE_EX 128 /* one with room for more inline data */
#define RX_SIZE 16 /* a piece of a receive descriptor */
#define MAX_TX_SGE 2
#define MAX_RX_SGE 3
#define MAX_INLINE 32
#define MAX_INLINE_EX 80
#define MAX_TX 2048 /* of 64 bytes */
#define MAX_RX 8192
#define MAX_CQE 65536
#define MAX_SUB_CQS 8
#define MAX_COUNTERS 64
#define MAX_COUNT ((1ull << 48) - 1)
#define SQ_DOORBELL 0
#define RQ_DOORBELL 64
#define WINDOW 64 /* how far a reordering looks ahead */

enum { OP_SEND = 0, OP_READ = 1, OP_WRITE = 2 };
enum { FOR_SEND = 1, FOR_RECV = 2 };

/* The device's own word for what went wrong, where the core has none. */
enum { STATUS_UNSUPPORTED = 3, STATUS_BAD_AH = 4, STATUS_SILENT = 13, STATUS_NEVER_ANSWERED = 15 };

/* Which EFA a device is. */
struct efa_profile {
    uint32_t part_id, caps;
    unsigned inline_ex; /* bytes in a descriptor of 128 bytes, 0: it has none of those */
    unsigned batch; /* units of 64 bytes that may be written between two doorbells, 0: any number */
    unsigned min_sq; /* descriptors of the smallest send ring; where there is one, it takes no doorbell for a whole ring */
    unsigned sub_cqs; /* rings in a completion queue */
};

struct efa_cq {
    unsigned ring, doorbell; /* areas */
    struct sim_mapping behind; /* the process's own memory in place of the first */
    uint32_t n, size;
    unsigned subs; /* rings of n entries, one behind the other */
    uint32_t sub_pi[MAX_SUB_CQS];
    uint32_t pi; /* of all of them */
    bool notify, sgid, ids_64;
    uint32_t seen; /* in the doorbell, last */
    bool tells; /* the process does, there, what it has taken */
    bool armed;
    uint16_t arm_ci;
    unsigned next_sn;
};

/* Lies in the doorbell of a completion queue when its store was seen, so that the same one is seen when it comes again. */
enum { NOT_RUNG = 0x15a5a5a5 };

struct efa_qp {
    unsigned sq, rq, doorbells; /* areas */
    uint32_t sq_n, rq_n;
    uint32_t sq_size; /* of a descriptor */
    bool ids_64;
    unsigned send_sub, recv_sub; /* rings of the completion queues */
    uint16_t sq_ci, sq_rung, rq_ci;
    uint64_t taken; /* of the window at sq_ci, when descriptors are taken out of order */
    bool phase_known; /* libefa goes on with its phase after a reset */
    unsigned phase;
    struct efa_gone *gone;
    struct efa_counter *counter[COUNTED];
    uint8_t *rung; /* the descriptors as they were when the doorbell was seen, so many: */
    unsigned kept;
};

static inline uint32_t efa_register(const struct sim_context *ctx, unsigned area, unsigned offset)
{
    return __atomic_load_n((uint32_t *)(sim_area(ctx, area) + offset), __ATOMIC_ACQUIRE);
}

static inline void efa_set_register(const struct sim_context *ctx, unsigned area, unsigned offset, uint32_t value)
{
    __atomic_store_n((uint32_t *)(sim_area(ctx, area) + offset), value, __ATOMIC_RELEASE);
}

static inline uint32_t efa_exchange_register(const struct sim_context *ctx, unsigned area, unsigned offset, uint32_t value)
{
    return __atomic_exchange_n((uint32_t *)(sim_area(ctx, area) + offset), value, __ATOMIC_ACQ_REL);
}

static inline uint16_t le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t le32(const uint8_t *p)
{
    return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static inline uint64_t le64(const uint8_t *p)
{
    return le32(p) | (uint64_t)le32(p + 4) << 32;
}

static inline void put16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

/* profile.c */
const struct efa_profile *efa_profile(const struct sim_device *dev);
void efa_configure(struct sim_device *dev);

/* queues.c */
int efa_create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe);
void efa_free_cq(struct sim_cq *cq);
int efa_create_qp(struct sim_cmd *cmd, struct sim_qp *qp);
void efa_reset_qp(struct sim_qp *qp);
void efa_free_qp(struct sim_qp *qp);

/* handles.c: the number of the handle that leads to an address, 0xffff when there is none */
uint16_t efa_handle_to(const struct sim_qp *qp, const uint8_t *gid);
bool efa_knows(const struct sim_qp *qp, const uint8_t *gid);
int efa_create_ah(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr);
void efa_free_ah(struct sim_ah *ah);
bool efa_is_gone(struct efa_qp *h, uint16_t ah, uint16_t index);
void efa_forget_gone(struct efa_qp *h);

/* doorbells.c */
void efa_look_at_doorbells(struct sim_context *ctx);
void efa_notify(struct sim_cq *cq);
void efa_check_idle(struct sim_context *ctx);
const uint8_t *efa_slot(const struct sim_qp *qp, uint16_t index);

/* counters.c. A method of theirs: 0, an errno, or -1 when it is none. */
int efa_counter_method(struct sim_cmd *cmd);
void efa_free_counter(struct sim_obj *counter);
void efa_count(struct sim_qp *qp, unsigned what, bool good);
void efa_served(struct sim_qp *qp, enum sim_op op);
void efa_detach(struct efa_qp *h);

/* sends.c */
bool efa_has_send(struct sim_qp *qp);
bool efa_next_send(struct sim_qp *qp, struct sim_wr *wr);

/* completions.c, which has the receives, too */
int efa_next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv);
void efa_complete(struct sim_cq *cq, const struct sim_completion *c);

#endif
