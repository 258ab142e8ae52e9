/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Verbs for device code, with the same names for each vendor. A program includes its vendor's text (v4j_mlx5.h,
 * v4j_efa.h, ...), which includes this one. Any number of lanes (threads of a GPU or a processor) may share a ring.
 *
 *     v4j_u64 at = v4j_dev_reserve(ring, 1);                    // takes a place
 *     if (at == V4J_DEV_FULL) ...                               // ring, poll, try again
 *     v4j_dev_post_write(ring, at, V4J_DEV_SIGNALED, &to, ...); // writes the descriptor
 *     v4j_dev_ready(ring, at, 1);                               // in the order of the places
 *     v4j_dev_ring(ring);                                       // the device starts
 *     while (!v4j_dev_poll(ring, &completion)) ...
 *
 * A lane must write all places that it has reserved and mark them ready: lanes behind it wait for that.
 */
#ifndef V4J_VERBS_H
#define V4J_VERBS_H

#ifndef V4J_VENDOR
#error "include the text of a vendor, such as v4j_mlx5.h: it includes this one"
#endif

/* Returned by v4j_dev_reserve() if there is no room. */
#define V4J_DEV_FULL (~(v4j_u64)0)

/* Returned by v4j_dev_check(). */
#define V4J_DEV_OK 0
#define V4J_DEV_HOST_TOO_OLD (-1)    /* the host filled less than this text needs */
#define V4J_DEV_TEXT_TOO_OLD (-2)    /* the host needs a newer text */
#define V4J_DEV_OTHER_VENDOR (-3)    /* use another vendor's text */
#define V4J_DEV_OTHER_KIND (-4)      /* neither a queue pair nor a completion queue */

/*
 * Returns whether this text fits the host that filled the block. Call it before anything else; unless it returns
 * V4J_DEV_OK, nothing else may be called.
 */
V4J_FN int v4j_dev_check(const struct v4j_ring *ring) {
    if (ring->size < V4J_RING_SIZE || ring->layout < V4J_RING_LAYOUT) {
        return V4J_DEV_HOST_TOO_OLD;
    }
    if (ring->oldest > V4J_RING_LAYOUT) {
        return V4J_DEV_TEXT_TOO_OLD;
    }
    if (ring->vendor != V4J_VENDOR) {
        return V4J_DEV_OTHER_VENDOR;
    }
    return ring->kind == V4J_RING_QP || ring->kind == V4J_RING_CQ ? V4J_DEV_OK : V4J_DEV_OTHER_KIND;
}

/* Returns whether the queue pair has an operation, such as V4J_DEV_WRITE. */
V4J_FN int v4j_dev_can(const struct v4j_ring *ring, v4j_u32 operation) {
    return ring->kind == V4J_RING_QP && (ring->operations >> operation & 1) != 0;
}

/*
 * Takes n consecutive places. Returns the first, or V4J_DEV_FULL if there is no room: then ring for what is ready,
 * poll, and try again. Does not wait.
 */
V4J_FN v4j_u64 v4j_dev_reserve(struct v4j_ring *ring, v4j_u32 n) {
    for (;;) {
        v4j_u64 freed = v4j_load64(&ring->freed); /* these first, so that neither is beyond what is reserved */
        v4j_u64 rung = v4j_load64(&ring->rung);
        v4j_u64 first = v4j_load64(&ring->reserved);
        if (first + n - freed > ring->room || (ring->batch && first + n - rung > ring->batch)) {
            return V4J_DEV_FULL;
        }
        if (v4j_swap_if64(&ring->reserved, first, first + n)) {
            return first;
        }
    }
}

/*
 * Each post writes the descriptor of one place. Returns 0, or V4J_DEV_UNSUPPORTED; then write another request to the
 * place.
 */

V4J_FN int v4j_dev_post_write(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                              v4j_u64 local, v4j_u32 lkey, v4j_u32 length, v4j_u64 remote, v4j_u32 rkey) {
    struct v4j_request r = {V4J_DEV_WRITE, flags, local, remote, length, lkey, rkey, 0, 0};
    return v4j_vendor_write(ring, at, to, &r);
}

V4J_FN int v4j_dev_post_write_imm(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                                  v4j_u64 local, v4j_u32 lkey, v4j_u32 length, v4j_u64 remote, v4j_u32 rkey,
                                  v4j_u32 immediate) {
    struct v4j_request r = {V4J_DEV_WRITE_IMM, flags, local, remote, length, lkey, rkey, immediate, 0};
    return v4j_vendor_write(ring, at, to, &r);
}

V4J_FN int v4j_dev_post_read(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                             v4j_u64 local, v4j_u32 lkey, v4j_u32 length, v4j_u64 remote, v4j_u32 rkey) {
    struct v4j_request r = {V4J_DEV_READ, flags, local, remote, length, lkey, rkey, 0, 0};
    return v4j_vendor_write(ring, at, to, &r);
}

V4J_FN int v4j_dev_post_send(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                             v4j_u64 local, v4j_u32 lkey, v4j_u32 length) {
    struct v4j_request r = {V4J_DEV_SEND, flags, local, 0, length, lkey, 0, 0, 0};
    return v4j_vendor_write(ring, at, to, &r);
}

V4J_FN int v4j_dev_post_send_imm(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                                 v4j_u64 local, v4j_u32 lkey, v4j_u32 length, v4j_u32 immediate) {
    struct v4j_request r = {V4J_DEV_SEND_IMM, flags, local, 0, length, lkey, 0, immediate, 0};
    return v4j_vendor_write(ring, at, to, &r);
}

/* Adds to 8 bytes of remote memory, whose old value is written to local memory. */
V4J_FN int v4j_dev_post_atomic_add(struct v4j_ring *ring, v4j_u64 at, v4j_u32 flags, const struct v4j_peer *to,
                                   v4j_u64 local, v4j_u32 lkey, v4j_u64 remote, v4j_u32 rkey, v4j_u64 add) {
    struct v4j_request r = {V4J_DEV_ATOMIC_ADD, flags, local, remote, 8, lkey, rkey, 0, add};
    return v4j_vendor_write(ring, at, to, &r);
}

/* Marks n places from `first` on as written. Waits for lanes that have earlier places. */
V4J_FN void v4j_dev_ready(struct v4j_ring *ring, v4j_u64 first, v4j_u32 n) {
    while (v4j_load64(&ring->ready) != first) {
        v4j_pause();
    }
    v4j_store64(&ring->ready, first + n);
}

/*
 * Announces all ready descriptors to the device. Returns once those that were ready at the call are announced, by this
 * lane or another; with a proxy, once the proxy is asked to.
 */
V4J_FN void v4j_dev_ring(struct v4j_ring *ring) {
    v4j_u64 mine = v4j_load64(&ring->ready);
    if (ring->flags & V4J_RING_PROXY) {
        for (;;) {
            v4j_u64 wanted = v4j_load64(&ring->wanted);
            if (wanted >= mine || v4j_swap_if64(&ring->wanted, wanted, mine)) {
                return;
            }
        }
    }
    while (v4j_load64(&ring->rung) < mine) {
        if (!v4j_swap_if32(&ring->bell_lock, 0, 1)) {
            v4j_pause();
            continue;
        }
        v4j_u64 all = v4j_load64(&ring->ready);
        if (ring->rung < all) {
            v4j_vendor_bell(ring, all);
            v4j_store64(&ring->rung, all);
        }
        v4j_store32(&ring->bell_lock, 0);
    }
}

/*
 * Reads one completion. Returns whether there was one; 0 also while another lane polls. Does not wait. Frees the place
 * of the request and, if the device completes requests in order, all places before it.
 */
V4J_FN int v4j_dev_poll(struct v4j_ring *ring, struct v4j_completion *into) {
    if (v4j_load32(&ring->poll_lock) != 0 || !v4j_swap_if32(&ring->poll_lock, 0, 1)) {
        return 0;
    }
    int taken = v4j_vendor_poll(ring, into);
    v4j_store32(&ring->poll_lock, 0);
    return taken;
}

#endif
