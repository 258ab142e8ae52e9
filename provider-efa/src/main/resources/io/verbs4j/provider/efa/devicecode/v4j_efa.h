/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, doorbells and completions of EFA for device code. Source: efa_io_defs.h of rdma-core. */
#ifndef V4J_EFA_H
#define V4J_EFA_H

#define V4J_VENDOR 2

#include "v4j_request.h"

#define V4J_EFA_META ((v4j_u64)1 << 23)
#define V4J_EFA_IMMEDIATE ((v4j_u64)1 << 20)
#define V4J_EFA_PHASE ((v4j_u64)1 << 24)
#define V4J_EFA_FIRST_LAST_COMPLETION ((v4j_u64)0x1c << 24)
#define V4J_EFA_LKEY 0xffffff

#define V4J_EFA_SEND 0
#define V4J_EFA_READ 1
#define V4J_EFA_WRITE 2

/* Two words as they lie in memory, the lower first. */
V4J_FN v4j_u64 v4j_efa_words(v4j_u32 lower, v4j_u32 upper) {
    return (v4j_u64)upper << 32 | lower;
}

/* The phase of a round: that of the ring's first one, and the other one in turn. */
V4J_FN v4j_u64 v4j_efa_phase(const struct v4j_ring *ring, v4j_u64 at) {
    return ((at & ring->places) != 0) != (ring->phase != 0) ? V4J_EFA_PHASE : 0;
}

V4J_FN int v4j_vendor_write(struct v4j_ring *ring, v4j_u64 at, const struct v4j_peer *to, const struct v4j_request *r) {
    v4j_u32 place = (v4j_u32)at & (ring->places - 1);
    volatile v4j_u64 *wqe = (volatile v4j_u64 *)(ring->sends + (v4j_u64)place * ring->stride);
    v4j_u32 send = r->operation == V4J_DEV_SEND || r->operation == V4J_DEV_SEND_IMM;
    v4j_u32 immediate = r->operation == V4J_DEV_SEND_IMM || r->operation == V4J_DEV_WRITE_IMM;
    v4j_u64 piece = v4j_efa_words(r->length, r->lkey & V4J_EFA_LKEY);
    v4j_u64 kind = send ? V4J_EFA_SEND : r->operation == V4J_DEV_READ ? V4J_EFA_READ : V4J_EFA_WRITE;
    v4j_u32 i;
    if (!(ring->operations >> r->operation & 1) || r->operation > V4J_DEV_READ || !(r->flags & V4J_DEV_SIGNALED) ||
        (r->flags & ~V4J_DEV_SIGNALED) || !to) {
        return V4J_DEV_UNSUPPORTED; /* all are signaled, and none waits for another */
    }
    wqe[0] = place | V4J_EFA_META | V4J_EFA_FIRST_LAST_COMPLETION | (immediate ? V4J_EFA_IMMEDIATE : 0) | kind << 16 |
             v4j_efa_phase(ring, at) | (v4j_u64)(to->qpn & 0xffff) << 32 | (v4j_u64)1 << 48;
    wqe[1] = v4j_efa_words(immediate ? r->immediate : 0, to->handle & 0xffff);
    wqe[2] = to->qkey;
    wqe[3] = 0;
    if (send) {
        wqe[4] = piece;
        wqe[5] = r->local;
        wqe[6] = 0;
        wqe[7] = 0;
    } else {
        wqe[4] = v4j_efa_words(r->length, r->rkey);
        wqe[5] = r->remote;
        wqe[6] = piece;
        wqe[7] = r->local;
    }
    for (i = 8; i < ring->stride / 8; i++) {
        wqe[i] = 0;
    }
    v4j_order(); /* out of this lane's write-combining buffer: the lane that rings can't do that */
    return 0;
}

/* The lock is held. */
V4J_FN void v4j_vendor_bell(struct v4j_ring *ring, v4j_u64 upto) {
    v4j_order();
    v4j_register32(ring->bell, (v4j_u32)upto & 0xffff);
}

/* io.verbs4j.WcStatus of what the device says. */
V4J_FN v4j_u32 v4j_efa_status(v4j_u32 said) {
    switch (said) {
    case 0:
        return 0; /* SUCCESS */
    case 1:
        return 5; /* WR_FLUSH_ERR */
    case 2:
    case 3:
    case 4:
        return 2; /* LOC_QP_OP_ERR */
    case 5:
        return 4; /* LOC_PROT_ERR */
    case 6:
        return 1; /* LOC_LEN_ERR */
    case 7:
        return 10; /* REM_ACCESS_ERR */
    case 8:
        return 16; /* REM_ABORT_ERR */
    case 9:
        return 15; /* REM_INV_RD_REQ_ERR */
    case 10:
        return 13; /* RNR_RETRY_EXC_ERR */
    case 11:
    case 18:
        return 9; /* REM_INV_REQ_ERR */
    case 12:
        return 7; /* BAD_RESP_ERR */
    case 13:
    case 15:
        return 20; /* RESP_TIMEOUT_ERR */
    case 14:
        return 11; /* REM_OP_ERR */
    default:
        return 21; /* GENERAL_ERR */
    }
}

/* Marks a place as done, and frees those that all before are done of: completions come in any order. */
V4J_FN void v4j_efa_done(struct v4j_ring *ring, v4j_u32 place) {
    v4j_u32 *done = (v4j_u32 *)ring->done;
    v4j_u64 freed = ring->freed;
    done[place] = 1;
    while (done[freed & (ring->places - 1)]) {
        done[freed & (ring->places - 1)] = 0;
        freed++;
    }
    v4j_store64(&ring->freed, freed);
}

/* The lock is held. */
V4J_FN int v4j_vendor_poll(struct v4j_ring *ring, struct v4j_completion *into) {
    v4j_u64 n = ring->consumed;
    const v4j_u8 *cqe = (const v4j_u8 *)(ring->cqes + (n & (ring->cq_places - 1)) * ring->cq_stride);
    v4j_u64 first = v4j_load64(cqe);
    v4j_u32 flags = (v4j_u32)(first >> 24) & 0xff;
    v4j_u32 id = (v4j_u32)first & 0xffff;
    if ((flags & 1) == ((n & ring->cq_places) != 0)) {
        return 0;
    }
    into->qpn = (v4j_u32)(first >> 32) & 0xffff;
    into->received = (flags >> 1 & 3) != 1;
    into->vendor = (v4j_u32)(first >> 16) & 0xff;
    into->status = v4j_efa_status(into->vendor);
    into->length = 0;
    into->immediate = 0;
    into->has_immediate = 0;
    into->unused = 0;
    if (into->received) {
        into->length = (v4j_u32)(first >> 48);
        into->has_immediate = flags >> 3 & 1;
        into->immediate = into->has_immediate ? *(const volatile v4j_u32 *)(cqe + 12) : 0;
    }
    ring->consumed = n + 1;
    if (into->received || ring->kind != V4J_RING_QP) {
        into->at = id;
    } else {
        into->at = ring->freed + ((id - (v4j_u32)ring->freed) & (ring->places - 1));
        v4j_efa_done(ring, id & (ring->places - 1));
    }
    if (ring->cq_record) {
        v4j_register32(ring->cq_record, (v4j_u32)(n + 1) & 0xffff);
    }
    return 1;
}

#include "v4j_verbs.h"

#endif
