/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the verbs pass to a vendor's text, and get back. */
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

/* Flags, numbered as io.verbs4j.SendFlags. Without SIGNALED, a request that succeeds has no completion. */
#define V4J_DEV_FENCE 1u
#define V4J_DEV_SIGNALED 2u
#define V4J_DEV_SOLICITED 4u

/* A post returns this if the queue pair lacks the operation or a flag. */
#define V4J_DEV_UNSUPPORTED (-5)

/* The destination of a datagram; io.verbs4j.devicecode.DevicePeer has the values. NULL on connected queue pairs. */
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
    v4j_u64 at;        /* place of the request; of a receive, the device's number of it */
    v4j_u32 status;    /* io.verbs4j.WcStatus: 0 is success */
    v4j_u32 vendor;    /* the vendor's error code */
    v4j_u32 qpn;       /* number of the queue pair */
    v4j_u32 received;  /* whether a receive completed */
    v4j_u32 length;    /* of a receive, in bytes */
    v4j_u32 immediate; /* of a receive that has_immediate */
    v4j_u32 has_immediate;
    v4j_u32 unused;
};

#endif
