/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The block of memory by which a host hands a queue pair or a completion queue to device code: io.verbs4j.devicecode.DeviceRing writes it.
 * Layouts grow at the end and never change: `size` says how much the host has filled, and v4j_dev_check() whether that is enough.
 */
#ifndef V4J_RING_H
#define V4J_RING_H

#include "v4j_primitives.h"

/* The layout that this text was written for, and the size of what it knows. */
#define V4J_RING_LAYOUT 1
#define V4J_RING_SIZE 256

/* What a block is of. */
#define V4J_RING_QP 1
#define V4J_RING_CQ 2

/* Flags. */
#define V4J_RING_PROXY 1 /* a thread of the host rings the device: see v4j_dev_ring() */

struct v4j_ring {
    /* Written by the host before device code sees the block. */
    v4j_u32 size;       /* of what the host has filled, in bytes */
    v4j_u32 layout;     /* that the host has filled it by */
    v4j_u32 oldest;     /* layout that device code has to know at least */
    v4j_u32 vendor;     /* whose descriptors: V4J_VENDOR of its text */
    v4j_u32 kind;       /* V4J_RING_... */
    v4j_u32 flags;      /* V4J_RING_... */
    v4j_u32 operations; /* that the queue pair has: 1 << V4J_DEV_... */
    v4j_u32 number;     /* of the queue pair, or of the completion queue */
    v4j_u32 places;     /* of the send queue, a power of 2 */
    v4j_u32 stride;     /* bytes from one to the next */
    v4j_u32 room;       /* how many requests may be outstanding: neither queue overflows then */
    v4j_u32 cq_places;  /* of the completion queue, a power of 2 */
    v4j_u32 cq_stride;
    v4j_u32 cq_number;
    v4j_u32 half; /* of a register with two halves that are rung in turn: the size of each; else 0 */
    v4j_u32 phase; /* vendor's: what marks a descriptor of the first round */
    v4j_u64 sends;     /* address of the send queue, as device code sees it; so are the next */
    v4j_u64 record;    /* doorbell record; 0 where there is none */
    v4j_u64 bell;      /* register; 0 where the host rings */
    v4j_u64 cqes;      /* completion queue */
    v4j_u64 cq_record; /* where the consumer index goes; 0 where nowhere */
    v4j_u64 done;      /* one word of 32 bits for each place, where completions come in any order; else 0 */
    v4j_u32 batch;     /* how many descriptors may be written between two doorbells; 0: any number */
    v4j_u32 unused_batch;
    v4j_u64 unused;

    /* Shared by the lanes that post; begins where the queue stands. Indices count requests, and never wrap. */
    v4j_u64 reserved; /* places that somebody has taken */
    v4j_u64 ready;    /* descriptors that are written, without a gap */
    v4j_u64 rung;     /* descriptors that the device knows of */
    v4j_u64 wanted;   /* descriptors that the proxy is to tell the device of */
    v4j_u32 bell_lock;
    v4j_u32 bell_half; /* offset of the half that is rung next */
    v4j_u64 unused_sends[3];

    /* Shared by the lanes that poll. */
    v4j_u64 freed;    /* places that may be written again: requests up to here are complete */
    v4j_u64 consumed; /* completions taken */
    v4j_u32 poll_lock;
    v4j_u32 unused_lock;
    v4j_u64 unused_polls[5];
};

/* Sizes that would not fit make an array of a negative length. */
typedef char v4j_ring_has_its_size[sizeof(struct v4j_ring) == V4J_RING_SIZE ? 1 : -1];

#endif
