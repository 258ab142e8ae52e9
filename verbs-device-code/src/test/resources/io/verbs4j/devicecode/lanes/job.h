/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The job of lanes, whatever they run on; LaneJob in Java has the same layout.
 * What lanes do: each of them `count` requests, `batch` at a time. Request i of all has its own `length` bytes there.
 */
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

/* Writes request i to the place `at`. */
V4J_FN int post(struct v4j_ring *ring, const struct v4j_peer *peer, const struct job *job, v4j_u64 at, v4j_u64 i) {
    v4j_u64 piece = i % job->slots * job->length;
    v4j_u32 every = job->unsignaled > 1 ? job->unsignaled : 1;
    v4j_u32 flags = (at + 1) % every == 0 ? V4J_DEV_SIGNALED : 0;
    v4j_u64 from = job->local + piece;
    v4j_u64 to = job->remote + piece;
    switch (job->operation) {
    case V4J_DEV_WRITE:
        return v4j_dev_post_write(ring, at, flags, peer, from, job->lkey, job->length, to, job->rkey);
    case V4J_DEV_WRITE_IMM:
        return v4j_dev_post_write_imm(ring, at, flags, peer, from, job->lkey, job->length, to, job->rkey, (v4j_u32)i);
    case V4J_DEV_SEND:
        return v4j_dev_post_send(ring, at, flags, peer, from, job->lkey, job->length);
    case V4J_DEV_SEND_IMM:
        return v4j_dev_post_send_imm(ring, at, flags, peer, from, job->lkey, job->length, (v4j_u32)i);
    case V4J_DEV_READ:
        return v4j_dev_post_read(ring, at, flags, peer, from, job->lkey, job->length, to, job->rkey);
    default:
        return v4j_dev_post_atomic_add(ring, at, flags, peer, from, job->lkey, job->remote, job->rkey, i + 1);
    }
}
