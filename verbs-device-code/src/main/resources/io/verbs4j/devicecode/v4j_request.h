/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What passes between the verbs and a vendor's text. */
#ifndef V4J_REQUEST_H
#define V4J_REQUEST_H

#include "v4j_ring.h"

/* Operations, numbered as io.verbs4j.WrOpcode. */
#define V4J_DEV_WRITE 0u
#define V4J_DEV_WRITE_IMM 1u
#define V4J_DEV_SEND 2u
#define V4J_DEV_SEND_IMM 3u
#define V4J_DEV_READ 4u
#define V4J_DEV_ATOMIC_ADD 6u

/* Flags, numbered as io.verbs4j.SendFlags. Without SIGNALED a request that succeeds has no completion, where the device can do that. */
#define V4J_DEV_FENCE 1u
#define V4J_DEV_SIGNALED 2u
#define V4J_DEV_SOLICITED 4u

/* What a post returns whose operation or flags the queue pair does not have. */
#define V4J_DEV_UNSUPPORTED (-5)

/* Whom a request of a datagram queue pair goes to: io.verbs4j.devicecode.DevicePeer has the values. NULL on connected queue pairs. */
struct v4j_peer {
    v4j_u32 handle; /* the device's number of the address handle */
    v4j_u32 qpn;
    v4j_u32 qkey;
    v4j_u32 unused;
};

struct v4j_request {
    v4j_u32 operation;
    v4j_u32 flags;
    v4j_u64 local;
    v4j_u64 remote;
    v4j_u32 length;
    v4j_u32 lkey;
    v4j_u32 rkey;
    v4j_u32 immediate; /* a number; in network order on the wire */
    v4j_u64 add;
};

struct v4j_completion {
    v4j_u64 at;        /* the request's place; of a receive: what its descriptor counts */
    v4j_u32 status;    /* io.verbs4j.WcStatus: 0 is success */
    v4j_u32 vendor;    /* the vendor's error code */
    v4j_u32 qpn;       /* of the queue pair that it is of */
    v4j_u32 received;  /* whether it is of a receive */
    v4j_u32 length;    /* of a receive, in bytes */
    v4j_u32 immediate; /* of a receive that has_immediate */
    v4j_u32 has_immediate;
    v4j_u32 unused;
};

#endif
