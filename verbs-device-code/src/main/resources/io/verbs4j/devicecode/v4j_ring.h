/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The block of memory by which a host hands a queue pair or completion queue over to device code.
 * io.verbs4j.devicecode.DeviceRing writes it. Layouts only grow at the end: `size` says how much the host has filled,
 * and v4j_dev_check() whether that is enough.
 */
#ifndef V4J_RING_H
#define V4J_RING_H

#include "v4j_primitives.h"

/* The layout that this text was written for, and its size. */
#define V4J_RING_LAYOUT 1
#define V4J_RING_SIZE 256

/* Kinds of blocks. */
#define V4J_RING_QP 1
#define V4J_RING_CQ 2

/* Flags. */
#define V4J_RING_PROXY 1 /* a thread of the host rings: see v4j_dev_ring() */

struct v4j_ring {
    /* Written by the host before device code sees the block. */
    v4j_u32 size;       /* number of bytes that the host has filled */
    v4j_u32 layout;     /* layout that the host has filled */
    v4j_u32 oldest;     /* oldest layout whose texts can use the block */
    v4j_u32 vendor;     /* V4J_VENDOR of the text to use */
    v4j_u32 kind;       /* V4J_RING_... */
    v4j_u32 flags;      /* V4J_RING_... */
    v4j_u32 operations; /* of the queue pair: 1 << V4J_DEV_... */
    v4j_u32 number;     /* of the queue pair, or of the completion queue */
    v4j_u32 places;     /* of the send queue, a power of 2 */
    v4j_u32 stride;     /* bytes from one to the next */
    v4j_u32 room;       /* most requests outstanding, such that no queue overflows */
    v4j_u32 cq_places;  /* of the completion queue, a power of 2 */
    v4j_u32 cq_stride;
    v4j_u32 cq_number;
    v4j_u32 half; /* size of each half of a register with two halves; else 0 */
    v4j_u32 phase; /* a word for the vendor's text alone */
    v4j_u64 sends;     /* address of the send queue, as lanes see it; so below */
    v4j_u64 record;    /* doorbell record, or 0 */
    v4j_u64 bell;      /* doorbell register, or 0 */
    v4j_u64 cqes;      /* completion queue */
    v4j_u64 cq_record; /* consumer index, or 0 */
    v4j_u64 done;      /* 32 bits per place if requests complete in any order; else 0 */
    v4j_u32 batch;     /* most descriptors between two doorbells; 0: no limit */
    v4j_u32 unused_batch;
    v4j_u64 unused;

    /* Shared by lanes that post. Indices count requests from where the queue stood, and never wrap. */
    v4j_u64 reserved; /* places that lanes have taken */
    v4j_u64 ready;    /* descriptors written, without a gap */
    v4j_u64 rung;     /* descriptors announced to the device */
    v4j_u64 wanted;   /* descriptors that the host is to announce */
    v4j_u32 bell_lock;
    v4j_u32 bell_half; /* offset of the half to ring next */
    v4j_u64 unused_sends[3];

    /* Shared by lanes that poll. */
    v4j_u64 freed;    /* places that may be reused */
    v4j_u64 consumed; /* completions read */
    v4j_u32 poll_lock;
    v4j_u32 unused_lock;
    v4j_u64 unused_polls[5];
};

/* A wrong size would make an array of negative length. */
typedef char v4j_ring_has_its_size[sizeof(struct v4j_ring) == V4J_RING_SIZE ? 1 : -1];

#endif
