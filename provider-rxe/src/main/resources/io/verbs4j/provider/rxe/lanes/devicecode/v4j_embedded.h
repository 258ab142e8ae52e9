/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors and completions of the embedded Soft-RoCE device. Both queues are memory: a thread of the JVM reads how
 * many descriptors lanes have announced, posts them, and writes the completions.
 *
 *     descriptor   0 operation(4) flags(4)  8 local(8)  16 remote(8)  24 length(4) lkey(4)  32 rkey(4) immediate(4)
 *                 40 add(8)  48 peer: handle(4) qpn(4)  56 qkey(4)  60 whether there is a peer(4)
 *     completion   0 place(8)  8 status(4) vendor's error(4)  16 queue pair(4) received(4)  24 length(4) immediate(4)
 *                 32 has immediate(4)  60 round(4): of the completion queue, from 1 on; written last
 */
#ifndef V4J_EMBEDDED_H
#define V4J_EMBEDDED_H

#define V4J_VENDOR 4

#include "v4j_request.h"

#define V4J_EMBEDDED_PLACE 64

V4J_FN int v4j_vendor_write(struct v4j_ring *ring, v4j_u64 at, const struct v4j_peer *to, const struct v4j_request *r) {
    volatile v4j_u32 *place = (volatile v4j_u32 *)(ring->sends + (at & (ring->places - 1)) * V4J_EMBEDDED_PLACE);
    volatile v4j_u64 *wide = (volatile v4j_u64 *)place;
    if (!(ring->operations >> r->operation & 1)) {
        return V4J_DEV_UNSUPPORTED;
    }
    place[0] = r->operation;
    place[1] = r->flags;
    wide[1] = r->local;
    wide[2] = r->remote;
    place[6] = r->length;
    place[7] = r->lkey;
    place[8] = r->rkey;
    place[9] = r->immediate;
    wide[5] = r->add;
    place[12] = to ? to->handle : 0;
    place[13] = to ? to->qpn : 0;
    place[14] = to ? to->qkey : 0;
    place[15] = to != 0;
    return 0;
}

/* The device reads `wanted` by itself. */
V4J_FN void v4j_vendor_bell(struct v4j_ring *ring, v4j_u64 upto) {
    v4j_store64(&ring->wanted, upto);
}

/* The lock is held. */
V4J_FN int v4j_vendor_poll(struct v4j_ring *ring, struct v4j_completion *into) {
    v4j_u64 n = ring->consumed;
    const v4j_u8 *cqe = (const v4j_u8 *)(ring->cqes + (n & (ring->cq_places - 1)) * V4J_EMBEDDED_PLACE);
    const volatile v4j_u32 *words = (const volatile v4j_u32 *)cqe;
    if (v4j_load32(cqe + 60) != (v4j_u32)(n / ring->cq_places) + 1) {
        return 0;
    }
    into->at = *(const volatile v4j_u64 *)cqe;
    into->status = words[2];
    into->vendor = words[3];
    into->qpn = words[4];
    into->received = words[5];
    into->length = words[6];
    into->immediate = words[7];
    into->has_immediate = words[8];
    into->unused = 0;
    v4j_store64(&ring->consumed, n + 1);
    if (!into->received && ring->kind == V4J_RING_QP) {
        v4j_store64(&ring->freed, into->at + 1);
    }
    return 1;
}

#include "v4j_verbs.h"

#endif
