/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The job of lanes, whatever they run on; LaneJob in Java has the same layout. */
/* What lanes do: each of them `count` requests, `batch` at a time. Request i of all has its own `length` bytes there. */
struct job {
    v4j_u32 operation;
    v4j_u32 lanes;
    v4j_u32 count;
    v4j_u32 batch;
    v4j_u32 length;
    v4j_u32 lkey;
    v4j_u32 rkey;
    v4j_u32 unsignaled; /* of so many requests one is signaled; 0 and 1: all are */
    v4j_u64 local;
    v4j_u64 remote;
    v4j_u64 slots; /* pieces of memory of `length` bytes at either side, used in turn */
    v4j_u64 nanos; /* how long it may take */

    /* what came of it */
    v4j_u64 posted;
    v4j_u64 completed;
    v4j_u64 failed;
    v4j_u32 first_status;
    v4j_u32 first_vendor;
    v4j_u64 refused; /* posts that returned V4J_DEV_UNSUPPORTED */
    v4j_u64 late;    /* whether the time was over */
};
