/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, doorbells and completions of ConnectX for device code. Source: mlx5dv.h, and the device's programmer's reference. */
#ifndef V4J_MLX5_H
#define V4J_MLX5_H

#define V4J_VENDOR 1

#include "v4j_request.h"

#define V4J_MLX5_BLOCK 64
#define V4J_MLX5_SEND_RECORD 4 /* behind that of receives */

#define V4J_MLX5_SOLICITED 0x02
#define V4J_MLX5_CQ_UPDATE 0x08
#define V4J_MLX5_FENCE 0x80

#define V4J_MLX5_REQUESTER 0
#define V4J_MLX5_RESPONDER_IMM 1
#define V4J_MLX5_RESPONDER_SEND 2
#define V4J_MLX5_RESPONDER_SEND_IMM 3
#define V4J_MLX5_REQUESTER_ERROR 13
#define V4J_MLX5_RESPONDER_ERROR 14
#define V4J_MLX5_INVALID 15

/* Two words as they lie in memory in network order, the first first. */
V4J_FN v4j_u64 v4j_mlx5_words(v4j_u32 first, v4j_u32 second) {
    return v4j_swap64((v4j_u64)first << 32 | second);
}

V4J_FN int v4j_vendor_write(struct v4j_ring *ring, v4j_u64 at, const struct v4j_peer *to, const struct v4j_request *r) {
    volatile v4j_u64 *wqe = (volatile v4j_u64 *)(ring->sends + (at & (ring->places - 1)) * V4J_MLX5_BLOCK);
    v4j_u32 opcode;
    v4j_u32 segments = 3;
    v4j_u32 marks;
    int n = 2;
    (void)to;
    if (!(ring->operations >> r->operation & 1)) {
        return V4J_DEV_UNSUPPORTED;
    }
    switch (r->operation) {
    case V4J_DEV_WRITE:
        opcode = 0x08;
        break;
    case V4J_DEV_WRITE_IMM:
        opcode = 0x09;
        break;
    case V4J_DEV_SEND:
        opcode = 0x0a;
        segments = 2;
        break;
    case V4J_DEV_SEND_IMM:
        opcode = 0x0b;
        segments = 2;
        break;
    case V4J_DEV_READ:
        opcode = 0x10;
        break;
    case V4J_DEV_ATOMIC_ADD:
        opcode = 0x12;
        segments = 4;
        break;
    default:
        return V4J_DEV_UNSUPPORTED;
    }
    marks = (r->flags & V4J_DEV_SIGNALED ? V4J_MLX5_CQ_UPDATE : 0) |
            (r->flags & V4J_DEV_SOLICITED ? V4J_MLX5_SOLICITED : 0) |
            (r->flags & V4J_DEV_FENCE ? V4J_MLX5_FENCE : 0);
    wqe[0] = v4j_mlx5_words((v4j_u32)(at & 0xffff) << 8 | opcode, ring->number << 8 | segments);
    wqe[1] = v4j_mlx5_words(marks, r->immediate);
    if (r->operation != V4J_DEV_SEND && r->operation != V4J_DEV_SEND_IMM) {
        wqe[n++] = v4j_swap64(r->remote);
        wqe[n++] = v4j_mlx5_words(r->rkey, 0);
    }
    if (r->operation == V4J_DEV_ATOMIC_ADD) {
        wqe[n++] = v4j_swap64(r->add);
        wqe[n++] = 0;
    }
    wqe[n++] = v4j_mlx5_words(r->length, r->lkey);
    wqe[n] = v4j_swap64(r->local);
    return 0;
}

/* The record first, then the register, which gets the first 8 bytes of the last descriptor. The lock is held. */
V4J_FN void v4j_vendor_bell(struct v4j_ring *ring, v4j_u64 upto) {
    const volatile v4j_u64 *last =
        (const volatile v4j_u64 *)(ring->sends + ((upto - 1) & (ring->places - 1)) * V4J_MLX5_BLOCK);
    v4j_u64 bytes = *last;
    v4j_order();
    v4j_store32((void *)(ring->record + V4J_MLX5_SEND_RECORD), v4j_swap32((v4j_u32)(upto & 0xffff)));
    v4j_order();
    v4j_register64(ring->bell + ring->bell_half, bytes);
    v4j_order(); /* out of a write-combining buffer, before the next lane's */
    ring->bell_half ^= ring->half;
}

/* io.verbs4j.WcStatus of what the device calls a syndrome. */
V4J_FN v4j_u32 v4j_mlx5_status(v4j_u32 syndrome) {
    switch (syndrome) {
    case 0x01:
        return 1; /* LOC_LEN_ERR */
    case 0x02:
        return 2; /* LOC_QP_OP_ERR */
    case 0x04:
        return 4; /* LOC_PROT_ERR */
    case 0x05:
        return 5; /* WR_FLUSH_ERR */
    case 0x06:
        return 6; /* MW_BIND_ERR */
    case 0x10:
        return 7; /* BAD_RESP_ERR */
    case 0x11:
        return 8; /* LOC_ACCESS_ERR */
    case 0x12:
        return 9; /* REM_INV_REQ_ERR */
    case 0x13:
        return 10; /* REM_ACCESS_ERR */
    case 0x14:
        return 11; /* REM_OP_ERR */
    case 0x15:
        return 12; /* RETRY_EXC_ERR */
    case 0x16:
        return 13; /* RNR_RETRY_EXC_ERR */
    case 0x22:
        return 16; /* REM_ABORT_ERR */
    default:
        return 21; /* GENERAL_ERR */
    }
}

/* The lock is held. */
V4J_FN int v4j_vendor_poll(struct v4j_ring *ring, struct v4j_completion *into) {
    v4j_u64 n = ring->consumed;
    v4j_u64 place = ring->cqes + (n & (ring->cq_places - 1)) * ring->cq_stride;
    const v4j_u8 *cqe = (const v4j_u8 *)(place + ring->cq_stride - 64);
    v4j_u32 owner = v4j_load8(cqe + 63);
    v4j_u32 kind = owner >> 4;
    v4j_u32 failed = kind == V4J_MLX5_REQUESTER_ERROR || kind == V4J_MLX5_RESPONDER_ERROR;
    v4j_u32 counter;
    if (kind == V4J_MLX5_INVALID || (owner & 1) != ((n & ring->cq_places) != 0)) {
        return 0;
    }
    counter = v4j_swap32(*(const volatile v4j_u32 *)(cqe + 60)) >> 16;
    into->qpn = v4j_swap32(*(const volatile v4j_u32 *)(cqe + 56)) & 0xffffff;
    into->received = kind != V4J_MLX5_REQUESTER && kind != V4J_MLX5_REQUESTER_ERROR;
    into->status = failed ? v4j_mlx5_status(cqe[55]) : 0;
    into->vendor = failed ? cqe[54] : 0;
    into->length = 0;
    into->immediate = 0;
    into->has_immediate = 0;
    into->unused = 0;
    if (into->received && !failed) {
        into->length = v4j_swap32(*(const volatile v4j_u32 *)(cqe + 44));
        into->has_immediate = kind == V4J_MLX5_RESPONDER_IMM || kind == V4J_MLX5_RESPONDER_SEND_IMM;
        into->immediate = into->has_immediate ? v4j_swap32(*(const volatile v4j_u32 *)(cqe + 36)) : 0;
    }
    ring->consumed = n + 1;
    v4j_store32((void *)ring->cq_record, v4j_swap32((v4j_u32)(n + 1) & 0xffffff));
    if (into->received || ring->kind != V4J_RING_QP) {
        into->at = counter;
    } else { /* 16 bits of it: no more than so many are outstanding */
        into->at = ring->freed + ((counter - (v4j_u32)ring->freed) & 0xffff);
        v4j_store64(&ring->freed, into->at + 1);
    }
    return 1;
}

#include "v4j_verbs.h"

#endif
