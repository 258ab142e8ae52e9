/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests of EFA share: queue pairs that may send to each other, and what is newer than the installed efadv.h. */
#ifndef EFA_KIT_H
#define EFA_KIT_H

#include "kit.h"

#include <dlfcn.h>
#include <infiniband/efadv.h>

#define QKEY 0x11111111

/* Of efadv_qp_init_attr. */
enum { QP_UNSOLICITED = 1, QP_INLINE_WRITE = 2 };
enum { WR_HINTS = 1 };

struct new_qp_init_attr {
    uint64_t comp_mask;
    uint32_t driver_qp_type;
    uint16_t flags;
    uint8_t sl, reserved;
    uint64_t wr_flags;
};

struct new_wq_attr {
    uint64_t comp_mask;
    uint8_t *buffer;
    uint32_t entry_size, num_entries;
    uint32_t *doorbell;
    uint32_t max_batch;
    uint16_t caps;
    uint8_t reserved[2];
};

struct end {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    struct ibv_ah *ah; /* to itself: both ends have the same address */
    struct ibv_comp_channel *channel;
    uint8_t *buf;
};

/* How an end is made; zero means the usual. */
struct efa_making {
    bool ud, channel;
    uint64_t send_ops; /* as extended queue pair */
    struct new_qp_init_attr attr;
    uint32_t wr, inline_data;
};

void start(struct ibv_qp *qp);
/* Skips the case where this libefa, or this device under it, has not what is asked for. */
struct end make_end(const struct efa_making *how);
struct end make(bool ud, bool channel);
void destroy(struct end *e);

struct ibv_sge at(struct end *e, size_t offset, uint32_t length);
void put(struct end *from, struct end *to, uint64_t id, struct ibv_sge *sge, int n, int flags);

/* One-sided requests by the wr interface: from the start of the buffer to `offset` of the peer's, or the other way round. */
struct one_sided {
    enum ibv_wr_opcode opcode;
    uint64_t id;
    size_t offset;
    uint32_t length, imm, rkey; /* rkey 0: the right one */
    bool is_inline;
};
int one_side(struct end *from, struct end *to, const struct one_sided *r);

/* The rings, where libefa tells: else the case is skipped. */
void rings(struct ibv_qp *qp, struct new_wq_attr *sq, struct new_wq_attr *rq);

/*
 * Where libefa has mapped a part of the device: its mappings are the only ones that may be written and not read. In a
 * context with one completion queue and one queue pair the parts lie in this order.
 */
enum { CQ_DOORBELL = 0x2000, SEND_RING = 0x3000, RECEIVE_RING = 0x4000, DOORBELLS = 0x5000 };
uint8_t *mapped(unsigned long wanted);
/* Completions are only read: "r--s". */
enum { COMPLETIONS = 0x1000 };
uint8_t *mapped_as(unsigned long wanted, const char *how);

#endif
